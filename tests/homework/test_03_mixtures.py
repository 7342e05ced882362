"""Homework 03: the numbers in its checks, its explanations and its model answers, computed."""

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import poisson as poisson_distribution

from course_checks.reading import agrees
from course_lib.datasets import load_japanese_vowels, load_spoken_digits
from tests.homework import graded
from tests.homework.bank_tests import BankTests

CHECKS, bank = graded.checks("03_mixtures"), graded.bank("03_mixtures")
TASKS = {task.name: task for task in CHECKS.homework.tasks}


def em(x, weights, means, stds, n_iterations, added=0.0):
    """Parameters of a mixture of Gaussians in one dimension after some iterations, and the trace before each."""
    trace = []
    for _ in range(n_iterations):
        log_joint = np.log(weights) + bank.densities.log_normal(x, means, stds)
        log_p = np.logaddexp.reduce(log_joint, axis=1)
        trace.append(log_p.sum())
        gamma = np.exp(log_joint - log_p[:, None])
        weights, means = gamma.mean(axis=0), gamma.T @ x / gamma.sum(axis=0)
        stds = np.sqrt((gamma * (x[:, None] - means) ** 2).sum(axis=0) / gamma.sum(axis=0) + added)
    return weights, means, stds, np.array(trace)


@pytest.mark.parametrize("name", ["garbage", "likelihood", "labels", "stepwise"])
def test_no_case_hides_a_square(name):
    """In every case some standard deviation is not 1, and no two components have the same weight."""
    for case in TASKS[name].cases:
        given = dict(zip(TASKS[name].arguments, case.inputs, strict=True))
        assert (given["stds"] != 1).any()
        assert len(set(given["weights"])) == len(given["weights"])


def test_far_points_underflow():
    """The cases that are to show an underflow do."""
    for name, case_name in [
        ("garbage", "very far outside"),
        ("likelihood", "a point far away"),
        ("labels", "a known point far from its component"),
        ("stepwise", "a point very far away"),
    ]:
        case = next(one for one in TASKS[name].cases if one.name == case_name)
        given = dict(zip(TASKS[name].arguments, case.inputs, strict=True))
        x = np.concatenate(given["batches"]) if "batches" in given else given["x"]
        assert (np.exp(bank.densities.log_normal(x, given["means"], given["stds"])) == 0).all(axis=1).any()


def test_old_means_rise_as_well_but_are_caught():
    """A rising likelihood does not show this mistake; the numbers of one step do."""
    x, parameters = np.array([0, 1, 3, 6, 10.0]), (np.array([0.6, 0.4]), np.array([1, 7.0]), np.array([1.5, 2.5]))
    old_means = bank.stepwise.MISTAKES["spread around the old means"]
    trace = []
    for _ in range(12):
        trace.append(bank.likelihood.right_answer(x, np.ones(5), *parameters))
        parameters = old_means([x], 1.0, *parameters)
    assert np.diff(trace).min() > 0
    assert not CHECKS.homework.report(TASKS["stepwise"], graded.named(old_means, "stepwise_em")).startswith("✓")


def test_stepwise_em_with_one_batch_and_eta_1_is_em():
    case = TASKS["stepwise"].cases[0]
    (x,), _, *parameters = case.inputs
    assert agrees(em(x, *parameters, 1)[:3], case.expected, 1e-9)


def test_poisson_step_climbs_to_the_likelihood_that_it_reports():
    lengths = np.array([len(recording) for recording in load_spoken_digits().sequences])
    weights, rates, trace = np.array([0.5, 0.5]), np.array([15.0, 20.0]), []
    for _ in range(120):
        before = poisson_distribution.pmf(lengths[:, None], rates) @ weights
        weights, rates, log_likelihood = bank.poisson.right_answer(lengths, weights, rates)
        assert log_likelihood == pytest.approx(np.log(before).sum())
        trace.append(log_likelihood)
    gains = np.diff(trace)
    assert gains.min() > -1e-6
    assert weights == pytest.approx([0.97, 0.03], abs=0.005)
    assert rates[1] == pytest.approx(37, abs=0.5)
    assert ((gains[2:34] > 4) & (gains[2:34] < 5)).all()
    first = np.flatnonzero(gains < 0.001 * np.abs(trace[1:]))[0]
    assert first == 1
    assert 175 < trace[-1] - trace[first + 1] < 180
    owned = poisson_distribution.logpmf(np.arange(60)[:, None], rates) + np.log(weights)
    assert np.flatnonzero(owned[:, 1] > owned[:, 0])[0] == 31


def test_no_mixture_of_poisson_distributions_fits_the_vowels_better_than_one():
    """Towards any other rate the likelihood falls, which is enough, because it is concave in the mixing density."""
    lengths = np.array([len(utterance) for utterance in load_japanese_vowels().train.sequences])
    assert lengths.var() < lengths.mean()
    rates = np.linspace(0.1, 60, 3000)
    ratio = (
        poisson_distribution.pmf(lengths[:, None], rates) / poisson_distribution.pmf(lengths, lengths.mean())[:, None]
    )
    assert (ratio.mean(axis=0) <= 1 + 1e-12).all()


def test_loud_component_of_jackson_needs_more_than_five_iterations():
    digits = load_spoken_digits()
    levels = {
        name: np.concatenate(
            [r[:, 0] for r, who in zip(digits.sequences, digits.speakers, strict=True) if who == name]
        )
        for name in ("theo", "jackson")
    }
    half = np.array([0.5, 0.5])
    after_theo = em(levels["theo"], half, np.array([-450.0, -200.0]), np.full(2, 100.0), 5)[:3]
    assert em(levels["jackson"], *after_theo, 5)[1].max() < -164
    assert em(levels["jackson"], *after_theo, 200)[1].max() == pytest.approx(-154, abs=0.5)


def test_garbage_takes_over_where_the_explanation_says():
    weights, means, stds = np.array([0.6, 0.35]), np.array([2.0, 5.0]), np.array([0.5, 2.0])
    x = 5 + 2 * np.array([2.6, 2.75, 10])
    shares = bank.garbage.right_answer(x, weights, means, stds, 0.05, -5.0, 20.0)
    assert shares[0, 1] > shares[0, 2]
    assert shares[1, 1] < shares[1, 2]
    assert shares[2, 1] == 1


def test_model_answer_of_the_letter_about_the_collapse():
    """A recorder's floor at exactly −60 dB, under two kinds of speech."""
    rng = np.random.default_rng(3)
    levels = np.concatenate([np.full(90, -60.0), rng.normal(-42, 5, 130), rng.normal(-24, 6, 280)])
    start = (np.array([0.3, 0.4, 0.3]), np.array([-55.0, -40.0, -22.0]), np.full(3, 5.0))
    weights, means, stds, trace = em(levels, *start, 30, added=1e-12)
    np.testing.assert_array_equal(np.round(trace[:7]), [-2027, -1947, -1918, -1875, -1797, -1405, -578])
    assert np.abs(trace[7:] + 578).max() < 1.5
    assert (weights[0], means[0], stds[0] ** 2) == pytest.approx((0.18, -60, 1e-12), rel=1e-6)
    at_the_mean = norm.logpdf(0, scale=1e-6)
    assert np.exp(at_the_mean) == pytest.approx(399_000, rel=1e-3)
    assert at_the_mean == pytest.approx(12.9, abs=0.05)
    assert 90 * (np.log(0.18) + at_the_mean) == pytest.approx(1006, abs=0.5)
    *_, smaller = em(levels, *start, 30, added=1e-20)
    assert smaller[6] - trace[6] == pytest.approx(829, abs=0.5)
    assert smaller[6] == pytest.approx(251, abs=1)
    assert np.log(0.18) + norm.logpdf(0, scale=0.5) == pytest.approx(-1.9, abs=0.05)


def test_model_answer_of_the_letter_about_the_start():
    x, weights = np.array([0, 1, 2, 6, 11.0]), np.array([0.3, 0.7])
    new_weights, means, stds, trace = em(x, weights, np.full(2, 4.0), np.full(2, 3.0), 20)
    np.testing.assert_allclose((*new_weights, *means, *stds**2), (0.3, 0.7, 4, 4, 16.4, 16.4))
    assert trace[0] == pytest.approx(-14.64, abs=0.005)
    assert trace[1:] == pytest.approx(norm.logpdf(x, 4, np.sqrt(16.4)).sum())
    assert trace[1] == pytest.approx(-14.088, abs=0.0005)
    _, means, _, trace = em(x, weights, np.array([3.9, 4.1]), np.full(2, 3.0), 60)
    assert trace[:5] == pytest.approx([-14.642, -14.086, -14.084, -14.080, -14.071], abs=0.0006)
    assert means == pytest.approx([1.0, 8.4], abs=0.05)
    assert np.argmax(trace > -12.1) == 10
    *_, wide_and_narrow = em(x, weights, np.full(2, 4.0), np.array([1.0, 4.0]), 60)
    assert (trace[-1], wide_and_narrow[-1]) == pytest.approx((-11.661, -11.661), abs=0.0006)


class TestBank(BankTests):
    name = "03_mixtures"
