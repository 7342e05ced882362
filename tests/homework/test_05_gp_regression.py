"""Homework 05: the numbers in its checks, the fixtures of its mistakes, the claims of its notebook and letters."""

import numpy as np
import pytest
from scipy.stats import lognorm

from course_lib import gp
from tests.homework import graded
from tests.homework.bank_tests import BankTests

CHECKS, bank = graded.checks("05_gp_regression"), graded.bank("05_gp_regression")
noisy = bank.models.noisy
TASKS = {task.name: task for task in CHECKS.homework.tasks}


def case(task, name):
    """The Case of this name."""
    return next(one for one in TASKS[task].cases if one.name == name)


# ------------------------------------------------------------------------------------------ the numbers in the checks


def test_slopes_agree_with_differences_and_can_happen():
    for one in TASKS["slopes"].cases:
        np.testing.assert_allclose(one.expected, bank.slopes.by_differences(*one.inputs), atol=1e-4)
        assert np.linalg.eigvalsh(one.expected).min() > -1e-9


def test_the_joint_covariances_of_the_cases_can_happen():
    for name in ("posterior", "level"):
        for one in TASKS[name].cases:
            K, _, _, K_cross, prior_variance = one.inputs
            assert np.linalg.eigvalsh(K).min() > -1e-9, one.name
            for k, v in zip(K_cross.T, prior_variance, strict=True):
                together = np.block([[K, k[:, None]], [k[None], np.array([[v]])]])
                assert np.linalg.eigvalsh(together).min() > -1e-9, one.name


# ------------------------------------------------------------------------------------------------------ traps


def test_no_case_hides_a_square():
    """Neither 1 nor equal noises, but where the lecture's fixture or a single answer wants it."""
    for one in TASKS["exponential"].cases + TASKS["slopes"].cases:
        assert min(abs(np.log(one.inputs[2])), abs(np.log(one.inputs[3]))) > 0.1, one.name
    for one in TASKS["posterior"].cases + TASKS["loo"].cases + TASKS["level"].cases:
        noise_std = one.inputs[1]
        assert len(noise_std) == 1 or np.ptp(noise_std) > 0.05 or one.name == CHECKS.THREE, one.name


def test_the_determinant_of_400_answers_is_too_small():
    K, noise_std, *_ = case("posterior", CHECKS.MANY).inputs
    assert np.linalg.det(noisy(K, noise_std)) == 0
    assert np.linalg.slogdet(noisy(K, noise_std))[1] < -1500


def test_a_factor_knows_only_the_answers_before():
    """Predicting each answer from those before it, and adding up, gives the evidence, not the left-out total."""
    for one in TASKS["loo"].cases:
        K, noise_std, y = one.inputs
        assert bank.loo.given_those_before(*one.inputs)[2] == pytest.approx(
            bank.models.log_density(y, noisy(K, noise_std))
        )


# ---------------------------------------------------------------------------------- what the notebook tells


def test_the_exponential_kernel_is_a_markov_chain():
    x = np.array([0.0, 0.7, 1.1, 2.0, 2.6, 3.7])[:, None]
    precision = np.linalg.inv(bank.exponential.right_answer(x, x, 1.5, 0.8)[0])
    assert np.abs(np.triu(precision, 2)).max() < 1e-9 * np.abs(precision).max()
    precision = np.linalg.inv(bank.models.squared_exponential(x[:, 0], x[:, 0], 1.5, 0.8))
    assert np.abs(np.triu(precision, 2)).max() > 0.1 * np.abs(precision).max()


# ------------------------------------------------------------------------------------------------------ letters

HOURS, MARKS = np.arange(1.0, 6.0)[:, None], np.array([2.1, 1.7, 2.3, 1.9, 2.0])


def learnt(prior, lengthscale):
    """The friend's model, with some prior of its lengthscale."""
    kernel = gp.SquaredExponential(4.0, lengthscale).with_priors(lengthscale=prior)
    return gp.GPRegression(kernel, noise_std=0.3, center=False, n_restarts=5, rng=0).fit(HOURS, MARKS)


def test_the_table_of_letter_1():
    table = {1: -8.37, 3: -5.33, 10: -3.53, 30: -2.87, 100: -2.64, 1000: -2.60, 100_000: -2.60}
    models = {lengthscale: learnt(gp.Fixed(), lengthscale) for lengthscale in table}
    for lengthscale, log_evidence in table.items():
        assert models[lengthscale].log_evidence_ == pytest.approx(log_evidence, abs=5e-3), lengthscale
    best = models[100_000].log_evidence_
    for lengthscale, factor in ((1, 320), (3, 15), (10, 2.5), (30, 1.3), (100, 1.04)):
        assert np.exp(best - models[lengthscale].log_evidence_) == pytest.approx(factor, rel=0.03)
    assert models[100_000].kernel_.variance == pytest.approx(3.99, abs=0.01)
    assert models[100_000].noise_std_ == pytest.approx(0.22, abs=5e-3)
    for lengthscale, mean, std in ((100_000, 1.99, 0.10), (10, 0.50, 1.35)):
        got = models[lengthscale].predict([[20.0]], return_std=True)
        assert np.ravel(got) == pytest.approx([mean, std], abs=5e-3)
    years = 1e5 / 24 / 365.25
    assert years == pytest.approx(11.4, abs=0.05)


def test_model_answer_of_letter_1():
    model = learnt(gp.LogNormal(4, 0.7), 4.0)
    assert model.kernel_.lengthscale == pytest.approx(5.2, abs=0.05)
    assert model.noise_std_ == pytest.approx(0.27, abs=5e-3)
    assert model.log_evidence_ == pytest.approx(-4.27, abs=5e-3)
    mean, std = model.predict([[3.0], [20.0]], return_std=True)
    assert mean == pytest.approx([2.04, 0.02], abs=5e-3)
    assert std == pytest.approx([0.14, 1.43], abs=5e-3)
    inside = np.diff(lognorm(0.7, scale=4).cdf([2, 8]))[0]
    assert inside == pytest.approx(2 / 3, abs=0.02)


def with_random_inputs(seed):
    """30 measurements of one input, and three columns that have nothing to do with them; models without and with."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (30, 4))
    y = 2 * np.sin(1.5 * X[:, 0]) + 0.5 * rng.normal(size=30)
    new = rng.uniform(-2, 2, (500, 4))
    answers = 2 * np.sin(1.5 * new[:, 0]) + 0.5 * rng.normal(size=500)
    y, answers, settings = y - y.mean(), answers - y.mean(), {"noise_std": 0.5, "center": False}
    one = gp.GPRegression(gp.SquaredExponential(2.0, 1.0), **settings).fit(X[:, :1], y)
    four = gp.GPRegression(gp.SquaredExponential(2.0, [1.0, 4.0, 4.0, 4.0]), **settings).fit(X, y)
    return one, four, one.log_predictive_density(new[:, :1], answers), four.log_predictive_density(new, answers)


def test_the_numbers_of_letter_2():
    one, four, alone, together = with_random_inputs(1)
    assert (one.log_evidence_, four.log_evidence_) == pytest.approx((-31.35, -29.84), abs=5e-3)
    assert (one.noise_std_, four.noise_std_) == pytest.approx((0.52, 0.33), abs=5e-3)
    assert one.kernel_.lengthscale == pytest.approx(0.95, abs=5e-3)
    assert four.kernel_.lengthscale[[0, 2, 3]] == pytest.approx([0.55, 2.7, 7.0], abs=0.02)
    assert four.kernel_.lengthscale[1] > 1000
    assert (alone.mean(), together.mean()) == pytest.approx((-0.79, -1.15), abs=5e-3)
    assert np.exp(four.log_evidence_ - one.log_evidence_) == pytest.approx(4.5, abs=0.05)
    assert 0.5 * np.log(30) == pytest.approx(1.7, abs=5e-3)


@pytest.mark.long
def test_the_ten_repetitions_of_letter_2():
    pairs = [with_random_inputs(seed)[:2] for seed in range(10)]
    rises = np.array([four.log_evidence_ - one.log_evidence_ for one, four in pairs])
    assert rises.min() > -1e-4
    assert (rises > 0.01).sum() == 7
    assert (rises > 1).sum() == 2


class TestBank(BankTests):
    name = "05_gp_regression"
