"""Homework 02: the numbers in its checks and the claims of its model answers and explanations, computed."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm

from course_lib.datasets import load_japanese_vowels
from tests.homework import graded
from tests.homework.bank_tests import BankTests

CHECKS, bank = graded.checks("02_gaussians"), graded.bank("02_gaussians")
TASKS = {task.name: task for task in CHECKS.homework.tasks}


def cases(name):
    return [pytest.param(case, id=case.name) for case in TASKS[name].cases]


def spread(frames):
    """Mean and covariance, both maximum likelihood."""
    return frames.mean(axis=0), np.cov(frames, rowvar=False, bias=True)


@pytest.mark.parametrize("case", cases("weighted"))
def test_weights_are_repetitions(case):
    frames, weights = case.inputs
    repetitions = np.rint(weights / weights[weights > 0].min()).astype(int)
    mean, covariance = spread(np.repeat(frames, repetitions, axis=0))
    np.testing.assert_allclose(case.expected[0], mean, rtol=1e-12)
    np.testing.assert_allclose(case.expected[1], covariance, rtol=1e-12)


def test_weighted_estimate_maximises_the_weighted_likelihood():
    """Against the definition: every small change of mean or covariance makes the frames less likely."""
    frames, weights = TASKS["weighted"].cases[0].inputs
    mean, covariance = bank.weighted.right_answer(frames, weights)

    def likelihood(mean, covariance):
        return weights @ multivariate_normal.logpdf(frames, mean, covariance)

    rng = np.random.default_rng(0)
    for _ in range(50):
        step, turn = rng.normal(0, 0.05, 2), rng.normal(0, 0.05, (2, 2))
        assert likelihood(mean + step, covariance + turn @ turn.T) < likelihood(mean, covariance)
        assert likelihood(mean, covariance + turn + turn.T) < likelihood(mean, covariance)


@pytest.mark.parametrize("case", [case for case in TASKS["missing"].cases if case.name == "by hand"])
def test_a_missing_feature_is_integrated_out(case):
    frame, mean, covariance = case.inputs
    assert np.isnan(frame).tolist() == [False, True, False]
    area, _ = quad(
        lambda value: multivariate_normal.pdf([frame[0], value, frame[2]], mean, covariance), -40, 40, epsabs=1e-13
    )
    assert np.log(area) == pytest.approx(case.expected, abs=1e-8)


def frames_with(n, mean, covariance, rng):
    """(n, D) frames that have exactly this mean and covariance."""
    white = rng.normal(size=(n, len(mean)))
    white -= white.mean(axis=0)
    white = white @ np.linalg.inv(np.linalg.cholesky(spread(white)[1])).T
    return mean + white @ np.linalg.cholesky(covariance).T


@pytest.mark.parametrize("case", [case for case in TASKS["running"].cases if case.inputs[0] > 2])
def test_running_answers_agree_with_all_frames_at_once(case):
    n, mean, covariance, frame = case.inputs
    before = frames_with(n, np.zeros(len(mean)), covariance, np.random.default_rng(1))
    centre, around = spread(np.vstack([before, frame - mean]))
    np.testing.assert_allclose(case.expected[1], mean + centre, rtol=1e-12)
    np.testing.assert_allclose(case.expected[2], around, rtol=1e-7)


@pytest.mark.parametrize("case", [case for case in TASKS["conditional"].cases if len(case.inputs[2])])
def test_joint_density_is_known_part_times_conditional(case):
    mean, covariance, known, values = case.inputs
    unknown = [i for i in range(len(mean)) if i not in known]
    frame = np.empty(len(mean))
    frame[known], frame[unknown] = values, np.array(mean)[unknown] + 0.7
    of_known = multivariate_normal.logpdf(values, mean[known], covariance[np.ix_(known, known)])
    rest = multivariate_normal.logpdf(frame[unknown], *case.expected)
    assert of_known + rest == pytest.approx(multivariate_normal.logpdf(frame, mean, covariance), abs=1e-9)


def test_no_choice_is_nearly_a_tie():
    """The best λ and the best speaker lead by more than rounding."""
    for case in TASKS["shrinkage"].cases:
        frames, development, grid = case.inputs
        scores = [bank.shrinkage.right_answer(frames, development, [share])[1] for share in grid]
        assert np.diff(np.sort(scores))[-1] > 0.01, case.name
    for case in TASKS["speaker"].cases:
        utterances, means, covariances, priors = case.inputs
        for utterance in utterances:
            scores = bank.speaker.log_densities(utterance, means, covariances).sum(axis=0) + np.log(priors)
            assert np.diff(np.sort(scores))[-1] > 0.1, case.name


def test_two_ways_to_let_the_prior_count_too_often_are_the_same():
    """Why one hint answers both: averaged frames and a prior in every frame choose the same speaker."""
    for case in TASKS["speaker"].cases:
        answers = [bank.speaker.MISTAKES[name](*case.inputs) for name in ("prior in every frame", "mean of the logs")]
        np.testing.assert_array_equal(*answers)


def test_first_model_answer():
    """A density of 3.7 per second, and what clipping at 1 does to densities."""
    sigma = 1 / (3.7 * np.sqrt(2 * np.pi))
    assert sigma == pytest.approx(0.108, abs=5e-4)
    assert norm.pdf(0, scale=1000 * sigma) == pytest.approx(0.0037)
    assert np.diff(norm.cdf([-0.005, 0.005], scale=sigma))[0] == pytest.approx(0.037, abs=5e-5)
    assert norm.pdf(0, scale=[0.1, 0.2]) == pytest.approx([3.99, 1.99], abs=0.006)
    assert norm.pdf(0, scale=0.399) == pytest.approx(1, abs=1e-3)
    area, _ = quad(lambda x: min(1, norm.pdf(x, scale=0.1)), -1, 1, points=[-0.166, 0.166], limit=200)
    assert area == pytest.approx(0.43, abs=0.005)


def test_second_model_answer():
    """Ten frames of thirteen features: rank, parameters, and a likelihood without a maximum."""
    frames = np.random.default_rng(2).normal(size=(10, 13))
    mean, covariance = spread(frames)
    assert np.linalg.matrix_rank(covariance) == 9
    assert 13 + 13 * 14 // 2 == 104
    assert -0.5 * 4 * np.log(1e-17) == pytest.approx(78, abs=0.5)

    values, vectors = np.linalg.eigh(covariance)
    empty = values < 1e-9
    assert empty.sum() == 4

    def likelihood(least):
        filled = vectors @ np.diag(np.where(empty, least, values)) @ vectors.T
        return multivariate_normal.logpdf(frames, mean, filled).sum()

    assert likelihood(1e-4) - likelihood(1e-3) == pytest.approx(46, abs=0.1)

    assert np.diag(covariance).min() > 0
    average = np.diag(covariance).mean()
    shrunk = 0.9 * covariance + 0.1 * average * np.eye(13)
    assert np.linalg.eigvalsh(shrunk).min() == pytest.approx(0.1 * average)
    two_classes = covariance + spread(np.random.default_rng(3).normal(size=(10, 13)))[1]
    assert np.linalg.matrix_rank(two_classes) == 13
    fourteen = spread(np.random.default_rng(4).normal(size=(14, 13)))[1]
    assert np.linalg.matrix_rank(fourteen) == 13


@pytest.fixture(scope="module")
def vowels():
    return load_japanese_vowels()


def frames_of(part, label, first=None, last=None):
    return np.vstack(part.select(part.labels == label).sequences[first:last])


def test_what_task_6_explains(vowels):
    """How often the first frames of another man outweigh log odds of 16 for speaker 1."""
    assert np.log(8e6) == pytest.approx(16, abs=0.2)
    gaussians = {label: spread(frames_of(vowels.train, label)) for label in range(1, 10)}
    others = vowels.test.select(vowels.test.labels != 1)

    def outweighed(n):
        evidence = [
            multivariate_normal.logpdf(utterance[:n], *gaussians[label]).sum()
            - multivariate_normal.logpdf(utterance[:n], *gaussians[1]).sum()
            for utterance, label in zip(others.sequences, others.labels, strict=True)
        ]
        return np.mean(np.array(evidence) > np.log(8e6))

    assert outweighed(1) == pytest.approx(3 / 4, abs=0.02)
    assert outweighed(2) == pytest.approx(9 / 10, abs=0.03)


def test_what_task_3_explains(vowels):
    assert np.var(frames_of(vowels.train, 1)[:, 0]) == pytest.approx(0.08, abs=0.005)
    assert np.spacing(1e16) == 2


def test_shortcut_of_the_running_task_is_wrong_far_from_zero():
    """The mistake "second moments" is right near zero and loses every digit in the case that is there to show it."""
    for case in TASKS["running"].cases:
        got = bank.running.second_moments(*case.inputs)[2]
        near = np.allclose(got, case.expected[2], rtol=1e-9, atol=1e-9)
        assert near == (case.name != CHECKS.FAR)


class TestBank(BankTests):
    name = "02_gaussians"
