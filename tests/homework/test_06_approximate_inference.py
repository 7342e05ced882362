"""Homework 06: the numbers in its checks, the fixtures of its mistakes, the claims of its model answers."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_ndtr
from scipy.stats import norm

from tests.homework import graded
from tests.homework.bank_tests import BankTests, judged

CHECKS, bank = graded.checks("06_approximate_inference"), graded.bank("06_approximate_inference")
moments = bank.moments
TASKS = {task.name: task for task in CHECKS.homework.tasks}
STEP = 1e-5
LIKELIHOODS = {
    "normal": CHECKS.normal(2.0, 0.5),
    "choice": CHECKS.choice(-1),
    "lapsing choice": CHECKS.lapsing_choice(-1, 0.04),
    "choices": CHECKS.choices(7, 3),
    "waits": CHECKS.waits(4, 1.5),
    "mostly careful": CHECKS.mostly_careful(2.0, 0.3, 10, 0.1),
}


def cases(name):
    return pytest.mark.parametrize("case", TASKS[name].cases, ids=lambda case: case.name)


# ------------------------------------------------------------------------------------------ the numbers in the checks


@pytest.mark.parametrize("name", LIKELIHOODS)
def test_likelihoods_of_the_checks_have_the_derivatives_that_they_claim(name):
    log_p, d1, d2 = LIKELIHOODS[name]
    g = np.linspace(-2.5, 4, 27)
    np.testing.assert_allclose(d1(g), (log_p(g + STEP) - log_p(g - STEP)) / (2 * STEP), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(d2(g), (d1(g + STEP) - d1(g - STEP)) / (2 * STEP), rtol=1e-6, atol=1e-6)


@cases("laplace")
def test_modes_are_where_the_posterior_is_highest_and_there_is_one_only(case):
    log_p, d1, _, m, v = case.inputs
    mode, variance, log_evidence = case.expected
    g = np.linspace(min(m, mode) - 8 * np.sqrt(v), max(m, mode) + 8 * np.sqrt(v), 400_001)
    height = log_p(g) - 0.5 * (g - m) ** 2 / v
    assert g[height.argmax()] == pytest.approx(mode, abs=2 * (g[1] - g[0]))
    slope = d1(g) - (g - m) / v
    assert (np.diff(np.sign(slope)) != 0).sum() == 1
    assert d1(mode) == pytest.approx((mode - m) / v, abs=1e-8)
    h = 1e-3 * np.sqrt(variance)
    beside = [log_p(mode + k * h) - 0.5 * (mode + k * h - m) ** 2 / v for k in (-1, 0, 1)]
    assert -1 / ((beside[0] - 2 * beside[1] + beside[2]) / h**2) == pytest.approx(variance, rel=1e-3)
    gaussian = norm.pdf(g, mode, np.sqrt(variance))
    assert gaussian.max() * np.exp(log_evidence) == pytest.approx(
        np.exp(beside[1]) * norm.pdf(0, 0, np.sqrt(v)), rel=1e-4
    )


# ------------------------------------------------------------------------------------------------------ traps


def test_no_case_hides_a_mistake():
    """σ and s² differ, labels of both signs, lapses and damping that are not one half, negative τ."""
    for case in TASKS["outliers"].cases:
        assert abs(case.inputs[2] - 1) > 0.2
    assert any((case.expected[0] < 0).any() for case in TASKS["outliers"].cases)
    assert any(case.expected[3] < 0 for case in TASKS["ep"].cases)
    steps = {case.inputs[5] for case in TASKS["variational"].cases}
    assert 0.5 not in steps
    assert len(steps - {1.0}) >= 2
    assert {0.0, 0.1} <= {case.inputs[2] for case in TASKS["choice"].cases}


def test_the_starts_of_laplace_are_bad():
    """In two cases the curvature at the start or on the way is positive; in two, twenty full steps do not arrive."""
    by_name = {case.name: case for case in TASKS["laplace"].cases}
    *_, d2, m, v = by_name["an answer that may be a lapse"].inputs
    assert d2(m) > 1 / v
    *_, d2, m, v = by_name["two kinds of noise"].inputs
    assert (d2(np.linspace(m, 2, 100)) > 1 / v).any()
    for name in ("far above", "far below", "an answer that may be a lapse"):
        case = by_name[name]
        with np.errstate(all="ignore"):
            assert bank.laplace.newton(20)(*case.inputs)[0] != pytest.approx(case.expected[0], abs=1e-3), name


# ---------------------------------------------------------------------------------- what the notebook tells


def one_plus(sd):
    """(mean, variance, evidence) of Laplace, of EP, and of the variational rule, for one answer + and N(0, sd²)."""
    found = (
        bank.laplace.right_answer(*CHECKS.choice(1), 0.0, sd**2),
        bank.ep.right_answer(CHECKS.choice(1)[0], 0.0, sd**2),
    )

    def minus_bound(at):
        m, v = at[0], np.exp(at[1])
        g, weights = moments.hermite_nodes(np.array(m), np.array(v), 120)
        return -(weights @ log_ndtr(g) - divergence(m, v, sd**2))

    best = minimize(minus_bound, [1.0, 0.5], method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-12})
    return found[0], (*found[1][1:3], found[1][0]), (best.x[0], np.exp(best.x[1]), -best.fun)


def divergence(m, v, prior_variance):
    """KL(N(m, v) ‖ N(0, prior variance))."""
    return 0.5 * (np.log(prior_variance / v) + (v + m**2) / prior_variance - 1)


def test_model_answer_of_letter_1():
    (_, _, of_laplace), (_, _, exact), (m, v, bound) = one_plus(3)
    assert exact == pytest.approx(np.log(0.5))
    assert of_laplace == pytest.approx(-0.781, abs=5e-4)
    assert bound == pytest.approx(-0.737, abs=5e-4)
    assert exact - of_laplace == pytest.approx(0.088, abs=5e-4)
    assert of_laplace < bound < exact
    g, weights = moments.hermite_nodes(np.array(m), np.array(v), 120)
    average, kl = weights @ log_ndtr(g), divergence(m, v, 9.0)
    assert (average, kl, average + kl) == pytest.approx((-0.256, 0.480, 0.224), abs=6e-4)
    posterior = np.exp(log_ndtr(g) + norm.logpdf(g, 0, 3) - np.log(0.5))
    gap = weights @ (norm.logpdf(g, m, np.sqrt(v)) - np.log(posterior))
    assert exact - bound == pytest.approx(gap, abs=1e-6)
    assert divergence(0.0, 9.0, 9.0) == 0
    widths = np.array([1e-2, 1e-4, 1e-8])
    assert (np.diff([divergence(0, width, 9.0) + np.log(0.5) for width in widths]) > 1).all()


def test_model_answer_of_letter_1_about_a_gaussian():
    """With Gaussian noise the best bound is the evidence."""
    y, noise, prior = 1.3, 0.49, 9.0
    v = 1 / (1 / noise + 1 / prior)
    m = v * y / noise
    average = norm.logpdf(y, m, np.sqrt(noise)) - 0.5 * v / noise
    assert average - divergence(m, v, prior) == pytest.approx(norm.logpdf(y, 0, np.sqrt(noise + prior)))


def test_model_answer_of_letter_2():
    """The variational Gaussian is narrower than the posterior, and all three say that B is preferred."""
    for sd in (3, 5):
        rules = one_plus(sd)
        assert rules[2][1] < rules[1][1]
        assert all(rule[0] > 0 for rule in rules)


HALF_THE_CLIMB = {
    "Newton, 100 steps": 0,
    "absolute curvature, no damping": 4.75,
    "gradient steps": 4.75,
    "the prior mean": 0,
}


@pytest.mark.parametrize("mistake", HALF_THE_CLIMB)
def test_points_lie_where_the_climb_is_hard(mistake):
    """The formulas at the mode are short: who does not get there from anywhere has not done the task."""
    assert judged("06_approximate_inference", "laplace", mistake)[2] <= HALF_THE_CLIMB[mistake]


class TestBank(BankTests):
    name = "06_approximate_inference"
