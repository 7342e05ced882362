"""What the explorers of lecture 05 and their explanations claim, computed in another way."""

import re

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal

from course_lessons.gp_regression import conditioning, crossings, explore, landscape, plots
from course_lessons.gp_regression.explore import check_mean, check_told
from course_lib import datasets
from course_widgets import figure
from course_widgets.drawings import HALF_BAND, draw_answers, draw_band
from course_widgets.style import sheet
from tests.course_lessons.explored import sentence, told_apart

WIGGLY, FLAT = (0.7304, 0.2970), (8.415, 0.6303)


def started(name):
    explorer = getattr(explore, name)()
    return explorer


def squared_exponential(x, z, lengthscale):
    return np.exp(-0.5 * np.subtract.outer(x, z) ** 2 / lengthscale**2)


# ------------------------------------------------------------------------------------------------------- the prior


@pytest.mark.parametrize("kernel", crossings.BEND)
@pytest.mark.parametrize("lengthscale", [0.4, 1.3])
def test_the_bend_of_a_kernel_is_its_second_derivative(kernel, lengthscale):
    step = 1e-4
    near, at = crossings.KERNEL_CHOICES[kernel](lengthscale).cross(np.array([[step], [0.0]]), np.zeros((1, 1)))[:, 0]
    tolerance = 1e-3 if kernel == "Matérn 3/2" else 1e-5  # its third derivative jumps at 0
    assert crossings.BEND[kernel](lengthscale) == pytest.approx(2 * (at - near) / at / step**2, rel=tolerance)


@pytest.mark.parametrize("kernel", crossings.BEND)
def test_drawn_functions_cross_zero_as_often_as_the_formula_says(kernel):
    for lengthscale in (1.0, 0.5):
        counts = crossings.zero_crossings(crossings.drawn_functions(kernel, lengthscale))
        error = counts.std() / np.sqrt(len(counts))
        expected = crossings.expected_crossings(kernel, lengthscale)
        assert abs(counts.mean() - expected) < 4 * error + 0.02 * counts.mean()


def test_drawn_functions_have_the_kernels_covariance():
    functions = crossings.drawn_functions("squared exponential", 0.8)
    K = squared_exponential(crossings.WAY, crossings.WAY, 0.8)
    found = functions.T @ functions / len(functions)
    assert np.abs(found - K).max() < 6 / np.sqrt(len(functions))


def test_halving_the_lengthscale_doubles_the_crossings_and_height_changes_none():
    one, half = (crossings.expected_crossings("squared exponential", ell) for ell in (1.0, 0.5))
    assert half == pytest.approx(2 * one)
    assert (round(one, 1), round(half, 1)) == (1.9, 3.8)
    functions = crossings.drawn_functions("squared exponential", 1.0)
    np.testing.assert_array_equal(crossings.zero_crossings(functions), crossings.zero_crossings(2.7 * functions))
    drawn = (crossings.drawn_functions("squared exponential", ell) for ell in (1.0, 0.5))
    counted = [crossings.zero_crossings(functions).mean() for functions in drawn]
    assert [round(float(mean), 1) for mean in counted] == [1.9, 3.9]


@pytest.mark.parametrize("kernel", crossings.KERNEL_CHOICES)
def test_every_kernel_has_variance_one_in_the_mean_over_the_picture(kernel):
    variances = crossings.KERNEL_CHOICES[kernel](0.7).diagonal(crossings.WAY[:, None])
    assert variances.mean() == pytest.approx(1.0, abs=0.01)


def test_crossings_are_counted_as_they_are():
    assert crossings.zero_crossings(np.array([[1.0, -1, 1, 1, -2], [1, 2, 3, 4, 5]])).tolist() == [3, 0]


def test_lines_through_the_origin_cross_once_for_any_lengthscale():
    assert crossings.expected_crossings("linear", 1.0) is None
    for lengthscale in (0.2, 3.0):
        assert (crossings.zero_crossings(crossings.drawn_functions("linear", lengthscale)) == 1).all()


def test_the_prior_explorer_says_what_it_counts():
    explorer = started("explore_prior")
    explorer.press("ℓ halved")
    counts = crossings.zero_crossings(crossings.drawn_functions("squared exponential", 0.5))
    assert f"cross zero {', '.join(map(str, counts[:5]))} times" in sentence(explorer)
    assert f"400 of them {counts.mean():.1f} times on average; Rice's formula gives 3.8" in sentence(explorer)


# ------------------------------------------------------------------------------------------------------ conditioning


def by_precision(seen, heights, lengthscale):
    """Mean and standard deviation over LINE from the precision matrix of the joint Gaussian of answers and line."""
    x = np.concatenate([conditioning.X_TRAIN[seen], conditioning.X_GRID[::20]])
    joint = squared_exponential(x, x, lengthscale)
    joint[np.diag_indices(len(seen))] += conditioning.NOISE_STD**2
    joint[np.diag_indices(len(x))] += 1e-10
    precision = np.linalg.inv(joint)
    unknown = np.linalg.inv(precision[len(seen) :, len(seen) :])
    return -unknown @ precision[len(seen) :, : len(seen)] @ heights[seen], np.sqrt(np.diag(unknown))


@pytest.mark.parametrize("seen", [[1], [0, 1], [0, 1, 2]])
@pytest.mark.parametrize("lengthscale", [0.3, 0.8])
def test_the_posterior_is_that_of_the_joint_gaussian(seen, lengthscale):
    mean, std, _ = conditioning.conditioned(seen, conditioning.HEIGHTS, lengthscale)
    expected = by_precision(seen, conditioning.HEIGHTS, lengthscale)
    np.testing.assert_allclose((mean[::20], std[::20]), expected, atol=1e-5)


def test_without_answers_the_posterior_is_the_prior():
    mean, std, _ = conditioning.conditioned([], conditioning.HEIGHTS, 0.8)
    assert (mean == 0).all()
    assert (std == 1).all()


def test_functions_follow_the_answers_as_the_mean_does():
    high = np.array([0.8, 2.0, -0.9])
    before, _, functions = conditioning.conditioned([0, 1, 2], conditioning.HEIGHTS, 0.8)
    after, _, moved = conditioning.conditioned([0, 1, 2], high, 0.8)
    np.testing.assert_allclose(moved - functions, np.tile(after - before, (5, 1)), atol=1e-9)
    at = np.searchsorted(conditioning.X_GRID, 0.0)
    assert np.abs(moved[:, at] - 2.0).max() < 4 * conditioning.NOISE_STD


def test_the_band_keeps_its_width_when_an_answer_moves_and_not_when_the_lengthscale_does():
    widths = {}
    for y in (-2.0, 0.5, 2.0):
        heights = np.array([0.8, y, -0.9])
        widths[y] = 2 * HALF_BAND * conditioning.conditioned([0, 1, 2], heights, 0.8)[1]
    np.testing.assert_array_equal(widths[-2.0], widths[2.0])
    middle, between = (np.argmin(np.abs(conditioning.X_GRID - place)) for place in (0.0, 0.7))
    assert widths[0.5][middle] == pytest.approx(0.327, abs=5e-4)
    assert widths[0.5][between] == pytest.approx(1.598, abs=5e-4)
    mean, std, _ = conditioning.conditioned([0, 1, 2], np.array([0.8, 2.0, -0.9]), 3.0)
    assert 2.0 - mean[middle] == pytest.approx(0.49, abs=5e-3)
    assert (2 * HALF_BAND * std < widths[0.5] + 1e-12).all()


def test_the_conditioning_explorer_says_its_widths():
    explorer = started("explore_conditioning")
    explorer.press("three points")
    before = sentence(explorer)
    explorer.press("the middle one far up")
    widths = [
        re.search(r"The 90 % band of f is .*? on average", text).group() for text in (before, sentence(explorer))
    ]
    assert widths[0] == widths[1]
    assert "0.327 wide at x = 0, 1.598 at x = 0.7" in widths[0]
    assert "The mean is 1.98 at x = 0" in sentence(explorer)


# ----------------------------------------------------------------------------------------------------- the evidence


def log_evidence(lengthscale, noise_std):
    x = landscape.SEVEN_X
    covariance = squared_exponential(x, x, lengthscale) + noise_std**2 * np.eye(len(x))
    return multivariate_normal(np.zeros(len(x)), covariance).logpdf(landscape.SEVEN_Y)


@pytest.mark.parametrize("place", [(0.73, 0.3), (8.41, 0.63), (2.0, 0.05), (0.1, 0.5)])
def test_the_terms_add_up_to_the_density(place):
    terms = landscape.evidence_terms(landscape.SEVEN_X, landscape.SEVEN_Y, *place)
    assert list(terms) == ["fit", "complexity", "constant"]
    assert sum(terms.values()) == pytest.approx(log_evidence(*place), rel=1e-9)
    C = squared_exponential(landscape.SEVEN_X, landscape.SEVEN_X, place[0]) + place[1] ** 2 * np.eye(7)
    assert terms["fit"] == pytest.approx(-0.5 * landscape.SEVEN_Y @ np.linalg.solve(C, landscape.SEVEN_Y), rel=1e-9)


def test_the_map_holds_the_density_everywhere():
    chart = landscape.seven_points_map()
    for i, j in [(0, 0), (30, 30), (60, 60), (20, 47), (57, 3), (5, 59)]:
        assert chart[i, j] == pytest.approx(
            log_evidence(landscape.LENGTHSCALE_GRID[i], landscape.NOISE_STDS[j]), rel=1e-7
        )


def test_the_map_has_two_tops():
    chart = landscape.seven_points_map()
    padded = np.pad(chart, 1, constant_values=-np.inf)
    around = [padded[1 + i : 62 + i, 1 + j : 62 + j] for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
    tops = np.argwhere((chart > np.array(around)).all(axis=0))
    found = sorted((landscape.LENGTHSCALE_GRID[i], landscape.NOISE_STDS[j]) for i, j in tops)
    np.testing.assert_allclose(found, [WIGGLY, FLAT], rtol=0.08)


@pytest.mark.parametrize(("start", "top", "height"), [((0.7, 0.3), WIGGLY, -7.218), ((8, 0.6), FLAT, -7.957)])
def test_the_tops_are_where_the_lecture_says(start, top, height):
    found = minimize(lambda t: -log_evidence(*np.exp(t)), np.log(start), method="Nelder-Mead", options={"xatol": 1e-7})
    np.testing.assert_allclose(np.exp(found.x), top, rtol=1e-3)
    assert -found.fun == pytest.approx(height, abs=1e-3)


@pytest.mark.parametrize(
    ("start", "top"), [((1.5, 0.8), WIGGLY), ((6.0, 1.0), FLAT), ((2.0, 0.05), WIGGLY), ((0.1, 0.5), WIGGLY)]
)
def test_a_climb_only_rises_and_ends_on_a_top(start, top):
    path = landscape.climb_path(*start)
    np.testing.assert_allclose(path[0], start)
    assert (np.diff([log_evidence(*place) for place in path]) > 0).all()
    np.testing.assert_allclose(path[-1], top, rtol=1e-3)


def test_what_the_explanation_says_of_the_four_cases():
    cases = started("explore_evidence").cases
    terms = {
        name: landscape.evidence_terms(landscape.SEVEN_X, landscape.SEVEN_Y, case["lengthscale"], case["noise_std"])
        for name, case in cases.items()
    }
    assert max(terms, key=lambda name: terms[name]["complexity"]) == "too sure"
    assert max(terms, key=lambda name: terms[name]["fit"]) == "every point for itself"
    assert terms["too sure"]["complexity"] == pytest.approx(9.8, abs=0.05)
    assert terms["too sure"]["fit"] == pytest.approx(-77, abs=0.5)
    assert terms["every point for itself"]["fit"] == pytest.approx(-1.37, abs=5e-3)
    assert np.exp(log_evidence(*WIGGLY) - log_evidence(*FLAT)) == pytest.approx(2.1, abs=0.05)


def test_the_evidence_explorer_optimises_from_where_it_stands():
    explorer = started("explore_evidence")
    assert "the optimiser" not in sentence(explorer)
    explorer.press("Optimise from here")
    assert "ℓ = 0.73, σ_n = 0.30: log evidence −7.22 = fit" in sentence(explorer)
    explorer.set(lengthscale=6.0, noise_std=1.0, show_map=True)
    assert "the optimiser (dotted) ends at (8.41, 0.63) (triangle)" in sentence(explorer)
    explorer.press("Optimise from here")
    assert "ℓ = 8.41, σ_n = 0.63: log evidence −7.96" in sentence(explorer)


# ------------------------------------------------------------------------------------------------------ the drawings


def test_a_band_holds_ninety_percent():
    draws = np.random.default_rng(0).normal(3.0, 2.0, size=100_000)
    _, ax = figure()
    draw_band(np.array([0.0, 1.0]), np.full(2, 3.0), np.full(2, 2.0), ax)
    low, high = np.sort(np.unique(ax.collections[0].get_paths()[0].vertices[:, 1].round(9)))[[0, -1]]
    assert np.mean((draws > low) & (draws < high)) == pytest.approx(0.9, abs=0.005)


def test_bars_are_as_long_as_the_terms_and_their_sum():
    _, ax = figure()
    plots.draw_evidence_terms({"fit": -30.0, "complexity": 4.0, "constant": -2.0}, ax)
    assert [bar.get_width() for bar in ax.patches] == [-20.0, 4.0, -2.0, -20.0]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["fit", "complexity", "constant", "log evidence"]
    assert len(ax.lines) == 3  # zero, and an arrow for each bar that leaves the picture


def test_functions_and_answers_are_drawn_as_they_are():
    _, ax = figure()
    plots.draw_functions(np.arange(3.0), np.array([[1.0, 2, 3], [0, 5, 0]]), ax)
    draw_answers([1.0], [4.0], ax)
    assert [line.get_ydata().tolist() for line in ax.lines] == [[1, 2, 3], [0, 5, 0], [4.0]]


def test_labels_stand_in_the_middle_of_their_block():
    _, ax = figure()
    plots.draw_kernel(np.eye(6), ax, labels=["a", "b"])
    assert ax.get_xticks().tolist() == [1.0, 4.0]


def test_the_map_is_white_only_where_the_evidence_is_far_below_its_top():
    explorer = started("explore_evidence")
    explorer.set(show_map=True)
    drawing = sheet(layout="none")
    explorer.draw(drawing, **explorer.values())
    chart, bar = drawing.axes[2:]
    levels = chart.collections[0].levels
    top = landscape.seven_points_map().max()
    np.testing.assert_allclose(levels[[0, -1]], [top - 8, top])
    assert bar.get_yticks().tolist() == list(range(-15, -7))


# ------------------------------------------------------------------------------------------------------ the checks


test_the_belief_from_a_noisy_answer_is_checked = told_apart(
    lambda mean, variance: check_told(mean, variance, correlation=0.8, answer=1.5, noise_std=0.5),
    (None, 0.488, "Nothing to check yet"),
    (0.96, 0.488, "✓"),
    (1.2, 0.36, "without the noise"),
    (0.8, 1 - 0.64 / 1.5, "not by σ_n"),
    (0.96, 1 - 0.64**2, "not its square"),
    (0.96, 0.738, "next measurement"),
    (0.96, 0.1, "The variance: E"),
    (0.3, 0.488, "Which share"),
)


X3, Y3, NEW = np.array([-1.0, 0.0, 2.0]), np.array([1.0, 2.0, 0.0]), np.array([1.0, -0.3])
K3, K32 = squared_exponential(X3, X3, 0.5), squared_exponential(X3, NEW, 0.5)


test_the_posterior_mean_is_checked = told_apart(
    lambda mine: check_mean(mine, K3, K32, Y3, 0.3),
    (None, "Nothing to check yet"),
    (K32.T @ np.linalg.inv(K3 + 0.09 * np.eye(3)) @ Y3, "✓"),
    (K32.T @ np.linalg.inv(K3) @ Y3, "noise is missing"),
    (K32.T @ np.linalg.inv(K3 + 0.3 * np.eye(3)) @ Y3, "variance σ_n²"),
    (K32.T @ (K3 + 0.09 * np.eye(3)) @ Y3, "inverse is needed"),
    (K32.T @ Y3, "stood alone"),
    (np.ones(2), "times the solution"),
)


def test_the_cut_through_the_ellipse_is_the_conditional():
    _, ax = figure()
    plots.draw_two_values([0, 0], np.array([[1, 0.8], [0.8, 1]]), ax, cut=1.5)
    cut = ax.collections[-1].get_paths()[0].vertices
    widest = cut[np.argmax(cut[:, 0]), 1]
    assert widest == pytest.approx(0.8 * 1.5, abs=0.03)
    assert cut[:, 0].max() - 1.5 == pytest.approx(0.8 / np.sqrt(2 * np.pi * 0.36), rel=1e-3)


@pytest.mark.parametrize("seen", [(1,), (0, 1, 2)])
def test_the_slice_of_the_pair_is_the_band_beside_the_middle(seen):
    """Left and right panel of explore_conditioning say the same of f(0.7), for any answer in the middle."""
    place = np.argmin(np.abs(conditioning.X_GRID - conditioning.BESIDE))
    for y in (-2.0, 0.5):
        heights = np.array([0.8, y, -0.9])
        mean, cov = conditioning.middle_and_beside(list(seen), heights, 0.8)
        slope = cov[0, 1] / cov[0, 0]
        band = conditioning.conditioned(list(seen), heights, 0.8)
        assert mean[1] + slope * (y - mean[0]) == pytest.approx(band[0][place])
        assert cov[1, 1] - slope * cov[0, 1] == pytest.approx(band[1][place] ** 2)


def test_the_first_screen_knows_of_four_cars_what_a_dense_gaussian_says():
    cars = datasets.load_auto_mpg()
    drawn = np.random.default_rng(0).permutation(len(cars.y))[:4]
    x, y = cars.X[drawn, cars.inputs.index("weight (pounds)")] / 1000, cars.y[drawn]
    everywhere = np.append(x, [3.0, 6.0])
    K = 900 * squared_exponential(everywhere, everywhere, 4.0) + (10 * y.std()) ** 2
    share = np.linalg.solve(K[:4, :4] + 16 * np.eye(4), K[:4, 4:])
    mean = y.mean() + (y - y.mean()) @ share
    half = 1.645 * np.sqrt(np.diag(K[4:, 4:] - K[4:, :4] @ share))
    told = sentence(started("explore_cars"))
    (low, six_low), (high, six_high) = mean - half, mean + half
    assert f"its mean is {mean[0]:.1f} miles per gallon; the 90 % interval is [{low:.1f}, {high:.1f}]" in told
    assert f"mean is {mean[1]:.1f}, and the interval of the curve is [−{-six_low:.1f}, {six_high:.1f}]" in told
