"""Homework 07: the numbers in its checks, the fixtures of its mistakes, the claims of its texts and model answers."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import betainc, log_ndtr, ndtr
from scipy.stats import beta as beta_distribution
from scipy.stats import norm

from course_lib import gp
from tests.homework import graded
from tests.homework.bank_tests import BankTests

CHECKS, bank = graded.checks("07_bounded_answers"), graded.bank("07_bounded_answers")
TASKS = {task.name: task for task in CHECKS.homework.tasks}


def every_case(task):
    """One test for each case of a task."""
    return pytest.mark.parametrize("case", TASKS[task].cases, ids=lambda case: case.name)


def averaged(function, mean, variance):
    """E[function(f)] for f ~ N(mean, variance), by adaptive quadrature."""
    std = np.sqrt(variance)
    return quad(lambda t: norm.pdf(t) * function(mean + std * t), -9, 9, points=[-1, 0, 1], limit=400)[0]


def best_beta(shares):
    """(α, β, log likelihood) of the best beta density."""
    found = minimize(
        lambda theta: -beta_distribution.logpdf(shares, *np.exp(theta)).sum(),
        [0.0, 0.0],
        method="Nelder-Mead",
        options={"xatol": 1e-8, "fatol": 1e-10, "maxiter": 4000},
    )
    return *np.exp(found.x), -found.fun


# ------------------------------------------------------------------------------------------ the numbers in the checks


@every_case("warped")
def test_warped_densities_are_slopes_of_the_distribution_function(case):
    y, mean, variance, low, high = case.inputs
    h = 1e-5 * np.minimum(y - low, high - y)
    rise = np.diff([bank.warped.cumulative(y + step, mean, variance, low, high) for step in (-h, h)], axis=0)[0]
    np.testing.assert_allclose(case.expected, rise / (2 * h), rtol=1e-6)


@every_case("warped")
def test_warped_densities_integrate_to_one(case):
    *_, mean, variance, low, high = case.inputs
    total = quad(lambda y: bank.warped.right_answer(y, mean, variance, low, high), low, high, limit=400)[0]
    assert total == pytest.approx(1, abs=1e-6)


@every_case("moments")
def test_moments_and_modes_agree_with_the_density_itself(case):
    mean, precision, low, high = case.inputs
    alpha, beta, std, mode = case.expected
    mark = beta_distribution(alpha, beta, loc=low, scale=high - low)
    assert (mark.mean(), alpha + beta, mark.std()) == pytest.approx((mean, precision, std))
    inside = np.linspace(low, high, 20_001)[1:-1]
    highest = mark.logpdf(inside).argmax()
    if np.isnan(mode):
        assert highest in (0, len(inside) - 1) or np.ptp(mark.logpdf(inside)) < 1e-9
    else:
        assert inside[highest] == pytest.approx(mode, abs=2 * np.diff(inside)[0])


@every_case("squeeze")
def test_squeezed_marks_lie_on_a_line_between_the_squeezed_bounds(case):
    y, low, high = case.inputs
    u, slope = case.expected
    given = y[~np.isnan(y)]
    np.testing.assert_array_equal(np.isnan(u), np.isnan(y))
    np.testing.assert_allclose(u[~np.isnan(y)], 0.5 / len(given) + slope * (given - low))
    assert 0.5 / len(given) + slope * (high - low) == pytest.approx(1 - 0.5 / len(given))


@every_case("interval")
def test_intervals_leave_the_same_probability_on_both_sides(case):
    mean, variance, precision, level = case.inputs
    for end, p in zip(case.expected, bank.interval.central(level), strict=True):
        below = averaged(lambda f, y=end: betainc(precision * ndtr(f), precision * ndtr(-f), y), mean, variance)
        assert below == pytest.approx(p, abs=1e-6)


@every_case("steps")
def test_log_probabilities_agree_with_integrals_of_the_density(case):
    mark, f, precision, n_steps = case.inputs
    x, weights = np.polynomial.legendre.leggauss(60)
    for k, one, expected in zip(mark, f, case.expected, strict=True):
        if 0 < k < n_steps:
            y = (k + 0.5 * x) / n_steps
            density = gp.Beta(precision).log_density(y, np.full(60, one))
            shift = density.max()
            integral = np.log(weights @ np.exp(density - shift) * 0.5 / n_steps) + shift
            assert expected == pytest.approx(integral, rel=1e-6)


@every_case("steps")
def test_probabilities_of_all_marks_sum_to_one(case):
    _, f, precision, n_steps = case.inputs
    every_mark = np.arange(n_steps + 1)
    for one in f:
        logs = bank.steps.right_answer(every_mark, np.full(n_steps + 1, one), precision, n_steps)
        assert np.exp(logs).sum() == pytest.approx(1)


# --------------------------------------------------------------------------------------------------------- traps


def test_no_case_hides_a_square_a_mirror_or_a_scale():
    for case in TASKS["warped"].cases:
        assert case.inputs[2] != 1 and case.inputs[1] != 0 and case.inputs[4] - case.inputs[3] != 1
    for name in ("interval", "truncated"):
        assert sum(case.inputs[1] not in (0, 1) and case.inputs[0] != 0 for case in TASKS[name].cases) >= 4
    assert all(case.inputs[3] - case.inputs[2] != 1 for case in TASKS["moments"].cases)


def test_far_marks_need_the_better_tail():
    """In some case each simple tail alone loses a mark to log 0."""
    for one_tail in ("left tail only", "right tail only"):
        with np.errstate(divide="ignore"):
            got = [bank.steps.RULE_MISTAKES[one_tail][0](*case.inputs) for case in TASKS["steps"].cases]
        assert any(np.isneginf(values).any() for values in got)


def test_a_coarse_grid_of_g_shows_where_there_is_little_noise():
    case = next(case for case in TASKS["interval"].cases if case.name == CHECKS.QUIET)
    assert np.abs(np.subtract(bank.interval.MISTAKES["twenty nodes"](*case.inputs), case.expected)).max() > 1e-3


# ------------------------------------------------------------------------------------------- what the notebook tells


def test_the_probit_with_variance_one_makes_every_mark_equally_probable():
    shares = np.linspace(0.01, 0.99, 50)
    np.testing.assert_allclose(gp.WarpedGaussian(1.0).log_density(shares, np.zeros(50)), 0, atol=1e-12)
    curved = gp.WarpedGaussian(np.sqrt(1.2)).log_density(shares, np.zeros(50))
    assert curved[0] > curved[25] < curved[-1]


def test_a_probability_of_equal_marks_is_bounded_and_a_density_is_not():
    precisions = np.array([1e2, 1e4, 1e6])
    f = np.full(9, norm.ppf(0.4))
    densities = [gp.Beta(nu).log_density(np.full(9, 0.4), f).sum() for nu in precisions]
    assert (np.diff(densities) > 15).all()
    assert bank.steps.right_answer(np.full(9, 4), f, 300.0, 10).sum() <= 0


# ------------------------------------------------------------------------------------------------- the model answers

SMELL = np.array([0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.0, 0.0])


def test_model_answer_of_letter_1():
    hill = best_beta(SMELL[:8])
    assert hill == pytest.approx((2.46, 8.58, 6.2), abs=0.05)
    assert beta_distribution.logpdf(1e-6, *hill[:2]) == pytest.approx(-15.0, abs=0.05)
    others = beta_distribution.logpdf(SMELL[:8], *hill[:2])
    assert others.min() > 0 and others.max() < 1.25
    assert (hill[0] - 1) * np.log(1e-6) == pytest.approx(-20.2, abs=0.05)
    fits = {d: best_beta(np.maximum(SMELL, d)) for d in (1e-2, 1e-6, 1e-9)}
    assert [fits[d][0] for d in fits] == pytest.approx([0.94, 0.28, 0.19], abs=5e-3)
    assert fits[1e-6][1] == pytest.approx(1.63, abs=5e-3)
    assert (fits[1e-6][2], fits[1e-9][2]) == pytest.approx((17.2, 27.9), abs=0.06)
    assert fits[1e-9][2] - fits[1e-6][2] == pytest.approx(10.6, abs=0.05)
    assert (fits[1e-6][0] - 1) * np.log(1e-6) == pytest.approx(9.9, abs=0.05)
    assert beta_distribution.median(*fits[1e-6][:2]) < 0.05
    assert best_beta((9 * SMELL + 0.5) / 10)[:2] == pytest.approx((1.97, 7.40), abs=5e-3)


def test_model_answer_of_letter_2():
    assert averaged(np.exp, 1.0, 1.0) == pytest.approx(4.48, abs=5e-3)
    assert np.exp(1) == pytest.approx(2.72, abs=5e-3)
    assert averaged(ndtr, 1.0, 1.0) == pytest.approx(0.76, abs=5e-3)
    assert averaged(ndtr, 1.0, 1.0) == pytest.approx(ndtr(1 / np.sqrt(2)))
    assert averaged(ndtr, 1.0, 0.5) == pytest.approx(0.79, abs=5e-3)
    assert (ndtr(3) - ndtr(1), ndtr(1) - ndtr(-1)) == pytest.approx((0.16, 0.68), abs=5e-3)
    library = gp.WarpedGaussian(np.sqrt(0.5)).predict(np.array([1.0]), np.array([0.5]))[0]
    assert library[0] == pytest.approx(ndtr(1 / np.sqrt(2)))
    assert averaged(lambda z: np.exp(log_ndtr(z)), 0.0, 2.0) == pytest.approx(0.5)


class TestBank(BankTests):
    name = "07_bounded_answers"
