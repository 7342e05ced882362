"""Homework 07: the numbers in its checks, the fixtures of its mistakes, the claims of its texts and model answers."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import betainc, log_ndtr, ndtr
from scipy.stats import beta as beta_distribution
from scipy.stats import norm

from course_lib import gp
from course_lib.datasets import load_mock_jurors, load_wine
from tests.homework import graded
from tests.homework.bank_tests import BankTests

CHECKS, bank = graded.checks("07_bounded_answers"), graded.bank("07_bounded_answers")
TASKS = {task.name: task for task in CHECKS.homework.tasks}


def every_case(task):
    """One test for each case of a task."""
    return pytest.mark.parametrize("case", TASKS[task].cases, ids=lambda case: case.name)


def averaged(function, mean, variance):
    """E[function(g)] for g ~ N(mean, variance), by adaptive quadrature."""
    std = np.sqrt(variance)
    return quad(lambda t: norm.pdf(t) * function(mean + std * t), -9, 9, points=[-1, 0, 1], limit=400)[0]


def answers():
    """What the jurors answered on the scale from 0 to 100, undone from the squeezed file."""
    return np.round((104 * load_mock_jurors().y - 0.5) / 103 * 100)


def best_beta(shares):
    """(α, β, log likelihood) of the best beta density."""
    found = minimize(
        lambda theta: -beta_distribution.logpdf(shares, *np.exp(theta)).sum(),
        [0.0, 0.0],
        method="Nelder-Mead",
        options={"xatol": 1e-8, "fatol": 1e-10, "maxiter": 4000},
    )
    return *np.exp(found.x), -found.fun


def best_steps(marks, which, n_steps):
    """(Φ(g) for each group, ν) under which rounded marks from 0 to 100 are most probable."""
    rounded = np.floor(marks / 100 * n_steps + 0.5).astype(int)
    found = minimize(
        lambda theta: -bank.steps.right_answer(rounded, theta[:-1][which], np.exp(theta[-1]), n_steps).sum(),
        np.append(np.zeros(which.max() + 1), 1.0),
        method="L-BFGS-B",
    )
    return ndtr(found.x[:-1]), np.exp(found.x[-1])


# ------------------------------------------------------------------------------------------ the numbers in checks.py


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
        below = averaged(lambda g, y=end: betainc(precision * ndtr(g), precision * ndtr(-g), y), mean, variance)
        assert below == pytest.approx(p, abs=1e-6)


@every_case("truncated")
def test_truncated_means_agree_with_the_integral_over_marks(case):
    """The inner integral from the density alone, not from eq. 2."""
    mean, variance, precision = case.inputs

    def mean_mark(g):
        mode = ndtr(g)
        span = max(0.0, mode - 9 / precision), min(1.0, mode + 9 / precision)
        x, weights = np.polynomial.legendre.leggauss(80)
        y = (span[0] + span[1]) / 2 + (span[1] - span[0]) / 2 * x
        density = weights * norm.pdf(precision * (y - mode))
        return density @ y / density.sum()

    assert case.expected == pytest.approx(averaged(mean_mark, mean, variance), abs=1e-6)


@every_case("steps")
def test_log_probabilities_agree_with_integrals_of_the_density(case):
    mark, g, precision, n_steps = case.inputs
    x, weights = np.polynomial.legendre.leggauss(60)
    for k, one, expected in zip(mark, g, case.expected, strict=True):
        if 0 < k < n_steps:
            y = (k + 0.5 * x) / n_steps
            density = gp.Beta(precision).log_density(y, np.full(60, one))
            shift = density.max()
            integral = np.log(weights @ np.exp(density - shift) * 0.5 / n_steps) + shift
            assert expected == pytest.approx(integral, rel=1e-6)


@every_case("steps")
def test_probabilities_of_all_marks_sum_to_one(case):
    _, g, precision, n_steps = case.inputs
    every_mark = np.arange(n_steps + 1)
    for one in g:
        logs = bank.steps.right_answer(every_mark, np.full(n_steps + 1, one), precision, n_steps)
        assert np.exp(logs).sum() == pytest.approx(1)


# ------------------------------------------------------------------------------------- the library agrees


@every_case("truncated")
def test_the_library_agrees_on_truncated_means(case):
    mean, variance, precision = case.inputs
    likelihood, mean = gp.TruncatedGaussian(precision), np.array([mean])
    library = likelihood.predict(mean, np.array([variance]))[0] if variance > 0 else likelihood.mean(mean)
    assert library[0] == pytest.approx(case.expected, abs=1e-6)


def test_the_library_agrees_on_squeezed_marks_without_gaps():
    y, low, high = next(case.inputs for case in TASKS["squeeze"].cases if case.name == CHECKS.FULL)
    np.testing.assert_allclose(gp.squeeze(y.ravel(), low, high), bank.squeeze.right_answer(y, low, high)[0].ravel())


def test_fine_steps_have_the_probability_of_the_librarys_density():
    n_steps, g = 20_000, np.array([-0.4, 0.3, 1.1])
    mark = np.array([3000, 11_000, 19_000])
    fine = bank.steps.right_answer(mark, g, 7.0, n_steps) + np.log(n_steps)
    np.testing.assert_allclose(fine, gp.Beta(7.0).log_density(mark / n_steps, g), atol=1e-6)


# --------------------------------------------------------------------------------------------------------- traps


def test_no_case_hides_a_square_a_mirror_or_a_scale():
    for case in TASKS["warped"].cases:
        assert case.inputs[2] != 1 and case.inputs[1] != 0 and case.inputs[4] - case.inputs[3] != 1
    for name in ("interval", "truncated"):
        assert sum(case.inputs[1] not in (0, 1) and case.inputs[0] != 0 for case in TASKS[name].cases) >= 4
    assert all(case.inputs[3] - case.inputs[2] != 1 for case in TASKS["moments"].cases)


def test_the_standard_deviation_without_its_square():
    """Beta(10, 2) has 0.103; without the square 0.358 comes out."""
    assert bank.moments.right_answer(10 / 12, 12.0, 0.0, 1.0)[2] == pytest.approx(0.103, abs=5e-4)
    assert bank.moments.MISTAKES["no square"][0](10 / 12, 12.0, 0.0, 1.0)[2] == pytest.approx(0.358, abs=5e-4)


def test_far_marks_need_the_better_tail():
    """In some case each simple tail alone loses a mark to log 0."""
    for one_tail in ("left tail only", "right tail only"):
        with np.errstate(divide="ignore"):
            got = [bank.steps.MISTAKES[one_tail][0](*case.inputs) for case in TASKS["steps"].cases]
        assert any(np.isneginf(values).any() for values in got)


def test_a_coarse_grid_of_g_shows_where_there_is_little_noise():
    case = next(case for case in TASKS["interval"].cases if case.name == CHECKS.QUIET)
    assert np.abs(np.subtract(bank.interval.MISTAKES["twenty nodes"][0](*case.inputs), case.expected)).max() > 1e-3


# ------------------------------------------------------------------------------------------- what the notebook tells


@pytest.mark.parametrize(("variance", "peaks"), [(0.5, [5.0]), (2.0, [5.0]), (4.0, [0.21, 9.79])])
def test_peaks_of_a_warped_density(variance, peaks):
    inside = np.linspace(0, 10, 4001)[1:-1]
    density = bank.warped.right_answer(inside, 0.0, variance, 0.0, 10.0)
    assert inside[1:-1][np.diff(np.sign(np.diff(density))) < 0] == pytest.approx(peaks, abs=0.01)


def test_the_probit_with_variance_one_makes_every_mark_equally_probable():
    shares = np.linspace(0.01, 0.99, 50)
    np.testing.assert_allclose(gp.WarpedGaussian(1.0).log_density(shares, np.zeros(50)), 0, atol=1e-12)
    curved = gp.WarpedGaussian(np.sqrt(1.2)).log_density(shares, np.zeros(50))
    assert curved[0] > curved[25] < curved[-1]


def test_precision_at_which_the_peak_disappears():
    modes = [bank.moments.right_answer(8.0, precision, 0.0, 10.0)[3] for precision in (6.0, 5.01, 5.0)]
    assert modes[0] == pytest.approx(9.5) and modes[1] > 9.9 and np.isnan(modes[2])
    assert max(bank.moments.shapes(8.0, 1.24, 0.0, 10.0)) < 1 < max(bank.moments.shapes(8.0, 1.26, 0.0, 10.0))
    assert bank.moments.right_answer(8.0, 1e-9, 0.0, 10.0)[2] == pytest.approx(4)


def test_the_jurors_file_holds_squeezed_answers():
    shares, slope = bank.squeeze.right_answer(answers()[:, None], 0.0, 100.0)
    np.testing.assert_array_equal(shares[:, 0].round(3), load_mock_jurors().y)
    assert ((answers() == 0).sum(), (answers() == 100).sum()) == (2, 10)
    assert (answers() % 10 == 0).mean() > 0.8
    *_, log_likelihood = best_beta(shares[:, 0])
    assert log_likelihood == pytest.approx(28.25, abs=5e-3)
    assert log_likelihood + 104 * np.log(100 * slope) == pytest.approx(27.2, abs=0.05)


def test_the_distance_from_the_bound_decides_the_fit():
    fits = [best_beta(np.clip(answers() / 100, d, 1 - d)) for d in (1e-3, 1e-9)]
    precisions = [alpha + beta for alpha, beta, _ in fits]
    assert precisions == pytest.approx([2.05, 0.82], abs=5e-3)
    assert [fit[2] for fit in fits] == pytest.approx([32.0, 122.1], abs=0.05)
    assert fits[1][0] < 1 and fits[1][1] < 1


def test_the_distance_from_the_bound_moves_the_papers_table():
    rng = np.random.default_rng(0)
    g = rng.normal(0, np.sqrt(2), 100)
    y = gp.Beta(30.0).sample(g, rng)
    scores = [-gp.Beta(30.0).log_density(np.clip(y, d, 1 - d), g).sum() for d in (1e-3, 1e-6, 1e-9)]
    assert scores == pytest.approx([-165.5, -186.1, -199.3], abs=0.05)


def test_how_many_marks_three_intervals_hold():
    mean, variance, precision = 1.2, 0.5, 12.0
    claims = {"mean of g plugged in": 0.58, "interval of Φ(g)": 0.74}
    for title, claimed in claims.items():
        lower, upper = bank.interval.MISTAKES[title][0](mean, variance, precision, 0.9)
        inside = averaged(
            lambda g, ends=(lower, upper): np.diff(betainc(*bank.interval.shapes(g, precision), ends))[0],
            mean,
            variance,
        )
        assert inside == pytest.approx(claimed, abs=5e-3)
    centre, std = bank.interval.moments(mean, variance, precision)
    assert centre == pytest.approx(0.84, abs=5e-3) and centre + 1.6 * std > 1
    assert bank.interval.right_answer(mean, variance, precision, 0.9) == pytest.approx((0.46, 1.0), abs=5e-3)


def test_the_mean_of_a_truncated_gaussian_stays_off_the_bound():
    assert bank.truncated.right_answer(3.0, 0.25, 2.0) == pytest.approx(0.638, abs=5e-4)
    for precision in (5.0, 10.0, 40.0):
        assert 1 - bank.truncated.truncated(1.0, precision) == pytest.approx(np.sqrt(2 / np.pi) / precision, rel=1e-4)


def test_steps_do_not_move_the_jurors_and_the_wine():
    everybody = np.zeros(104, dtype=int)
    jurors = [best_steps(answers(), everybody, n_steps) for n_steps in (100, 20, 10, 4)]
    assert all(abs(mean[0] - 0.71) < 0.01 for mean, _ in jurors)
    assert [precision for _, precision in jurors] == pytest.approx([2.16, 2.79, 2.94, 3.23], abs=0.01)
    wine = load_wine()
    bottles = [best_steps(wine.y, wine.bottles - 1, n_steps)[0] for n_steps in (100, 20, 10, 4)]
    assert np.abs(np.array(bottles) - bottles[0]).max() < 0.03
    assert all((np.argsort(means) == np.argsort(bottles[0])).all() for means in bottles)


def test_a_probability_of_equal_marks_is_bounded_and_a_density_is_not():
    precisions = np.array([1e2, 1e4, 1e6])
    g = np.full(9, norm.ppf(0.4))
    densities = [gp.Beta(nu).log_density(np.full(9, 0.4), g).sum() for nu in precisions]
    assert (np.diff(densities) > 15).all()
    assert bank.steps.right_answer(np.full(9, 4), g, 300.0, 10).sum() <= 0


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
