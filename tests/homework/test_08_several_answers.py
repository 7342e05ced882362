"""Homework 08: the numbers in its checks, the fixtures of its mistakes, the claims of its notebook and letters."""

from functools import cache

import numpy as np
import pytest
from scipy.stats import norm

from course_lib import gp
from course_lib.datasets import load_carrots
from course_lib.judgments import MultiSampleGP
from tests.homework import graded
from tests.homework.bank_tests import BankTests

CHECKS, bank = graded.checks("08_several_answers"), graded.bank("08_several_answers")
TASKS = {task.name: task for task in CHECKS.homework.tasks}
CARROTS = load_carrots()


def case(task, name):
    """The Case of this name."""
    return next(one for one in TASKS[task].cases if one.name == name)


# ------------------------------------------------------------------------------------------ the numbers in the checks


def test_covariances_of_the_cases_can_happen():
    for name in ("evidence", "answers", "nugget", "raters"):
        for one in TASKS[name].cases:
            assert np.linalg.eigvalsh(one.inputs[0]).min() > -1e-9, one.name
    for one in TASKS["answers"].cases:
        K, _, _, K_cross, prior_variance, _ = one.inputs
        for k, v in zip(K_cross.T, prior_variance, strict=True):
            together = np.block([[K, k[:, None]], [k[None], np.array([[v]])]])
            assert np.linalg.eigvalsh(together).min() > -1e-9, one.name


def test_by_hand():
    """What the notebook says of the cases by hand."""
    assert case("pooled", CHECKS.HAND).expected[3] == 2.0
    K, noise_std, Y = case("evidence", CHECKS.HAND).inputs
    C = bank.models.averaged(K, noise_std, Y)
    assert C.tolist() == [[4, 2], [2, 8]]
    assert np.linalg.det(C) == pytest.approx(28)
    assert bank.models.means(Y).tolist() == [6, -4]
    by_hand = -0.5 * (16 + np.log(28) + 2 * bank.models.LOG_2PI + 3 * np.log(8 * np.pi) + np.log(4) + 10 / 4)
    assert case("evidence", CHECKS.HAND).expected == pytest.approx(by_hand)
    assert np.ravel(case("answers", CHECKS.HAND).expected) == pytest.approx(
        [-1, 27 / 7, np.sqrt(27 / 7 + 4), np.sqrt(27 / 7 + 4 / 9)]
    )
    assert np.exp(case("scores", CHECKS.HAND).expected[0]) == pytest.approx([0.417, 0.417, 0.166], abs=5e-4)
    K, noise_std, nugget_std, Y = case("nugget", CHECKS.HAND).inputs
    np.testing.assert_allclose(bank.nugget.with_nugget(K, noise_std, nugget_std, Y), C)
    assert case("nugget", CHECKS.HAND).expected[1] == pytest.approx(0.36 * 32 / 7)
    by_hand = norm.logpdf([2, 6, 10], [6, 4.5, 3], np.sqrt(5.5))
    np.testing.assert_allclose(case("raters", CHECKS.HAND).expected[0], by_hand)


# ------------------------------------------------------------------------------------------------------ traps


def test_no_case_hides_a_square_or_a_hole():
    for name, position in (("evidence", 1), ("answers", 1), ("nugget", 1), ("nugget", 2), ("raters", 1)):
        for one in TASKS[name].cases:
            assert abs(np.log(one.inputs[position])) > 0.15, one.name
    for name in ("pooled", "evidence", "answers", "nugget", "raters"):
        parts = [part for one in TASKS[name].cases for part in one.inputs if np.ndim(part) == 2]
        assert sum(np.ptp(bank.models.counts(part)) > 0 for part in parts) >= 2, name


def test_plain_differences_lose_the_tails():
    for name in (CHECKS.BELOW, CHECKS.ABOVE):
        one = case("scores", name)
        assert not np.isfinite(bank.scores.RULE_MISTAKES["differences of cdf"][0](*one.inputs)).all(axis=1).any()
        assert np.isfinite(one.expected).all()
    for one in TASKS["scores"].cases:
        np.testing.assert_allclose(np.exp(one.expected).sum(axis=1), 1)


def test_one_rater_is_alone_on_some_item():
    Y = case("raters", CHECKS.LONELY).inputs[2]
    assert (bank.models.counts(Y) == 1).sum() == 2


def test_the_nugget_of_each_answer_is_another_model():
    """A nugget of each answer is noise: it gives the same evidence as a larger σ, and an item's nugget does not."""
    K, noise_std, nugget_std, Y = case("nugget", CHECKS.HOLES).inputs
    as_noise = bank.evidence.right_answer(K, np.hypot(noise_std, nugget_std), Y)
    wrong = bank.nugget.MISTAKES["nugget of each answer, in the spread too"](K, noise_std, nugget_std, Y)[0]
    assert wrong == pytest.approx(as_noise)
    assert abs(wrong - bank.nugget.right_answer(K, noise_std, nugget_std, Y)[0]) > 0.1


# ---------------------------------------------------------------------------------- what the notebook tells


def test_what_the_library_learns_of_the_carrots():
    """The parameters that the notebook keeps, and those without a nugget: round the mean of all answers."""
    sensory = CARROTS.X[:, 1:] / CARROTS.X[:, 1].std()
    kernel = gp.SquaredExponential(0.1, 1.3)
    settings, centred = {"n_restarts": 3, "rng": 0, "center": False}, CARROTS.Y - np.nanmean(CARROTS.Y)
    model = gp.GPRegression(kernel + gp.White(0.04), noise_std=1.1, **settings).fit(sensory, centred)
    smooth, nugget = model.kernel_.children
    learnt = model.noise_std_, np.sqrt(nugget.variance), smooth.variance, smooth.lengthscale
    assert learnt == pytest.approx((1.135, 0.162, 0.087, 1.31), abs=5e-3)
    plain = gp.GPRegression(kernel, noise_std=1.1, **settings).fit(sensory, centred)
    assert plain.kernel_.lengthscale == pytest.approx(0.48, abs=0.01)
    averages = gp.GPRegression(kernel, n_restarts=2, rng=0).fit(sensory, np.nanmean(CARROTS.Y, axis=1))
    assert averages.noise_std_ == pytest.approx(0.197, abs=5e-4)


# ------------------------------------------------------------------------------------------------------ letters


def test_the_numbers_of_letter_1():
    rng = np.random.default_rng(0)
    x, new = rng.uniform(0, 10, (40, 1)), rng.uniform(0, 10, (200, 1))

    def marks(x, n_raters):
        noise = 1.3 * rng.normal(size=(len(x), n_raters))
        return np.clip(np.rint(5.5 + 2 * np.sin(0.8 * x) + noise), 0, 10)

    five, sixth = marks(x, 5), marks(new, 1)[:, 0]
    kernel = gp.SquaredExponential(4.0, 2.0)
    averages = gp.GPRegression(kernel, noise_std=0.5, n_restarts=2, rng=0).fit(x, five.mean(axis=1))
    joint = MultiSampleGP(kernel, n_restarts=2, rng=0).fit(x, five)
    assert (averages.noise_std_, joint.noise_std_) == pytest.approx((0.58, 1.33), abs=5e-3)
    spread = bank.pooled.right_answer(five)[3]
    assert (spread, spread / np.sqrt(5)) == pytest.approx((1.34, 0.60), abs=6e-3)
    for noise, std, one, two in ((False, 0.23, 0.10, 0.28), (True, 0.62, 0.39, None)):
        mean, stds = averages.predict_answer(new) if noise else averages.predict(new, return_std=True)
        off = np.abs(sixth - mean)
        assert stds.mean() == pytest.approx(std, abs=5e-3)
        assert np.mean(off <= stds) == pytest.approx(one, abs=6e-3)
        assert two is None or np.mean(off <= 2 * stds) == pytest.approx(two, abs=6e-3)
    mean, stds = joint.predict_answer(new)
    assert stds.mean() == pytest.approx(1.35, abs=5e-3)
    assert np.mean(np.abs(sixth - mean) <= stds) == pytest.approx(0.69, abs=6e-3)
    assert np.mean(np.abs(sixth - mean) <= 2 * stds) == pytest.approx(0.965, abs=6e-3)
    assert np.hypot(0.23, [0.58, 1.34]) == pytest.approx([0.62, 1.36], abs=5e-3)
    assert 0.58 * np.sqrt(5) == pytest.approx(1.29, abs=0.01)


@cache
def three_models(seed):
    """30 items that differ beyond what their input says, 8 raters: models of the averages, and joint ones."""
    rng = np.random.default_rng(seed)
    x, new = np.sort(rng.uniform(0, 6, 30))[:, None], rng.uniform(0, 6, 200)[:, None]
    z = np.sin(x) + 0.8 * rng.normal(size=(30, 1))
    z_new = np.sin(new) + 0.8 * rng.normal(size=(200, 1))
    Y, Y_new = z + 0.6 * rng.normal(size=(30, 8)), z_new + 0.6 * rng.normal(size=(200, 8))
    kernel = gp.SquaredExponential(1.0, 1.0)
    averages = gp.GPRegression(kernel, noise_std=0.5, n_restarts=2, rng=0).fit(x, Y.mean(axis=1))
    joint = MultiSampleGP(kernel, n_restarts=2, rng=0).fit(x, Y)
    better = MultiSampleGP(kernel, nugget_std=0.5, n_restarts=2, rng=0).fit(x, Y)
    mean, std = averages.predict_answer(new)
    rows = [judged(Y_new, mean, std, std)]
    for model in (joint, better):
        (mean, one), (_, panel) = model.predict_answer(new), model.predict_answer(new, n_raters=8)
        rows.append(judged(Y_new, mean, one, panel))
    return (averages, joint, better), np.array(rows)


def judged(Y, mean, one, panel):
    """Error of the mean, log density of a panel's mean and of an answer."""
    error = np.sqrt(np.mean((Y.mean(axis=1) - mean) ** 2))
    return error, norm.logpdf(Y.mean(axis=1), mean, panel).mean(), norm.logpdf(Y.T, mean, one).mean()


def test_the_numbers_of_letter_2():
    (averages, joint, better), rows = three_models(2)
    np.testing.assert_allclose(rows, [[0.95, -1.37, -1.56], [1.07, -1.74, -1.66], [0.95, -1.37, -1.52]], atol=6e-3)
    assert (averages.kernel_.lengthscale, averages.noise_std_) == pytest.approx((0.63, 0.80), abs=6e-3)
    assert (joint.kernel_.lengthscale, joint.noise_std_) == pytest.approx((0.016, 0.575), abs=1e-3)
    smooth = better.kernel_.children[0]
    assert (smooth.lengthscale, better.noise_std_, better.nugget_std_) == pytest.approx((0.63, 0.576, 0.78), abs=5e-3)
    assert (joint.log_evidence_, better.log_evidence_) == pytest.approx((-262.5, -259.3), abs=0.06)
    assert np.sqrt(0.80**2 - 0.58**2 / 8) == pytest.approx(0.77, abs=6e-3)


@pytest.mark.long
def test_the_repetitions_of_letter_2():
    errors = np.array([three_models(seed)[1][:, 0] for seed in range(12)])
    assert (errors[:, 1] > errors[:, 0]).sum() == 11
    assert errors.mean(axis=0) == pytest.approx([0.91, 1.07, 0.88], abs=6e-3)


class TestBank(BankTests):
    name = "08_several_answers"
