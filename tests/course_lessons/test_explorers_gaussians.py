"""What the explorers of lecture 02 and the explanations under them claim, computed another way."""

import re

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from course_lessons.gaussians import plots
from course_lessons.gaussians.explore import (
    CLOUD,
    LEAST_STD,
    MARKED_POINTS,
    MOST_STD,
    check_ellipse,
    check_log_density,
    explore_covariance,
    explore_likelihood,
    explore_squares,
    twenty_values,
)
from course_lib import datasets
from course_lib.sequences import Gaussian, fit_gaussian
from course_widgets import figure
from course_widgets.drawings import draw_by_size, draw_histogram
from tests.course_lessons.explored import sentence, told_apart


@pytest.fixture
def covariance():
    explorer = explore_covariance()
    return explorer


@pytest.fixture
def likelihood():
    explorer = explore_likelihood()
    assert "below the maximum" not in sentence(explorer)  # the map would answer the prediction
    explorer.set(all_pairs=True)
    return explorer


def matrix(std_x, std_y, correlation):
    spread = np.diag([std_x, std_y])
    return spread @ [[1, correlation], [correlation, 1]] @ spread


@pytest.mark.parametrize("direction", [0, 40, 150, 290])
def test_the_squares_of_the_opening_add_up_to_the_mahalanobis_distance(direction):
    train = datasets.load_japanese_vowels().train
    x = np.concatenate(train.select(train.labels == 1).sequences)[:, [3, 7]]
    off = 0.3 * np.array([np.cos(np.deg2rad(direction)), np.sin(np.deg2rad(direction))])
    squared = off @ np.linalg.solve(np.cov(x.T, bias=True), off)
    explorer = explore_squares()
    explorer.set(direction=direction)
    assert f"two squares, {squared:.1f}." in sentence(explorer)
    z, axes = plots.along_axes(fit_gaussian(x), (x.mean(axis=0) + off)[None])
    np.testing.assert_allclose(axes @ z[0], off, atol=1e-12)  # both legs lead to the point
    assert np.sum(z**2) == pytest.approx(squared)
    np.testing.assert_allclose(np.cov(plots.along_axes(fit_gaussian(x), x)[0].T, bias=True), np.eye(2), atol=1e-12)


# ------------------------------------------------------------------------------------------------ the covariance


@pytest.mark.parametrize(
    "settings", [(1.0, 1.0, 0.8), (2.0, 1.0, 0.8), (0.3, 2.0, -0.5), (1.4, 0.9, 0.12), (2.0, 2.0, -0.99)]
)
def test_the_sentence_tells_the_matrix_its_axes_and_the_distances(covariance, settings):
    std_x, std_y, correlation = settings
    covariance.set(std_x=std_x, std_y=std_y, correlation=correlation)
    said = [float(x) for x in re.findall(r"-?\d+\.\d\d", sentence(covariance).replace("−", "-"))]
    Sigma = matrix(*settings)
    wide, narrow = np.sqrt(np.linalg.eigvalsh(Sigma))[::-1]
    to_points = [np.sqrt(np.array(p) @ np.linalg.inv(Sigma) @ np.array(p)) for p in MARKED_POINTS.values()]
    np.testing.assert_allclose(said[:8], [*Sigma.ravel(), wide, narrow, *to_points], atol=0.0051)


def test_a_is_85_times_as_dense_as_b(covariance):
    density = multivariate_normal([0, 0], matrix(1, 1, 0.8)).pdf
    assert density(MARKED_POINTS["A"]) / density(MARKED_POINTS["B"]) == pytest.approx(85.2, abs=0.05)
    covariance.set(correlation=0.8)
    assert "The density at A is 85.2 times the density at B." in sentence(covariance)
    covariance.set(correlation=-0.8)
    assert "The density at B is 85.2 times the density at A." in sentence(covariance)
    covariance.set(correlation=0.0)
    assert "same at both" in sentence(covariance)


def test_almost_singular_gives_a_ratio_of_10_to_the_43(covariance):
    covariance.set(**{**covariance.start, **covariance.cases["almost singular"]})
    log_density = multivariate_normal([0, 0], matrix(1, 1, 0.99)).logpdf
    digits = (log_density(MARKED_POINTS["A"]) - log_density(MARKED_POINTS["B"])) / np.log(10)
    assert round(digits) == 43
    assert "about 10^43 times" in sentence(covariance)


def test_both_points_are_equally_far_from_the_mean():
    assert np.linalg.norm(MARKED_POINTS["A"]) == np.linalg.norm(MARKED_POINTS["B"])


def test_an_ellipse_holds_the_same_points_whatever_its_shape():
    """1 − exp(−r²/2) of them on average: 39 % within one standard deviation, 86 % within two."""
    assert [round(1 - np.exp(-(r**2) / 2), 2) for r in (1, 2)] == [0.39, 0.86]
    assert [np.mean((CLOUD**2).sum(axis=1) < r**2) for r in (1, 2)] == pytest.approx([0.39, 0.86], abs=0.06)
    inside = []
    for settings in [(1, 1, 0), (2, 0.3, 0.9), (0.5, 1, -0.7)]:
        Sigma = matrix(*settings)
        drawn = CLOUD @ np.linalg.cholesky(Sigma).T
        distance = np.einsum("nd,de,ne->n", drawn, np.linalg.inv(Sigma), drawn)
        inside.append([int(np.sum(distance < 1)), int(np.sum(distance < 4))])
    assert inside[0] == inside[1] == inside[2]


def test_a_wider_x_tilts_the_ellipse_and_keeps_the_correlation():
    tilts = []
    for std_x in (1, 2):
        Sigma = matrix(std_x, 1, 0.8)
        along = np.linalg.eigh(Sigma)[1][:, -1]
        tilts.append(np.degrees(np.arctan(along[1] / along[0])))
        assert Sigma[0, 1] / np.sqrt(Sigma[0, 0] * Sigma[1, 1]) == pytest.approx(0.8)
    assert tilts[0] == pytest.approx(45)
    assert tilts[1] < 30


# ------------------------------------------------------------------------------------------------ the likelihood


def test_the_twenty_values_are_real():
    train = datasets.load_japanese_vowels().train
    first = [one for one, label in zip(train.sequences, train.labels, strict=True) if label == 1][:20]
    assert twenty_values().tolist() == [one[len(one) // 2][0] for one in first]


def test_the_surface_is_the_sum_of_log_densities():
    values, means, stds = np.array([0.3, 1.1, 2.4]), np.array([-1.0, 0.7]), np.array([0.2, 1.3, 4.0])
    by_sum = [[norm(m, s).logpdf(values).sum() for m in means] for s in stds]
    np.testing.assert_allclose(plots.likelihood_surface(values, means, stds), by_sum, rtol=1e-12)


def cost(explorer, **settings):
    """How far below the maximum the sentence says that we are."""
    explorer.set(**settings)
    found = re.search(r"([\d.]+) below the maximum", sentence(explorer))
    return float(found.group(1)) if found else 0.0


def test_half_the_spread_costs_16_and_twice_the_spread_6(likelihood):
    mean, std = twenty_values().mean(), twenty_values().std()
    assert round(cost(likelihood, mean=mean, std=std / 2)) == 16
    assert round(cost(likelihood, mean=mean, std=2 * std)) == 6
    assert cost(likelihood, mean=mean - std, std=std / 2) > 5 * cost(likelihood, mean=mean - std, std=2 * std)
    for case, settings in likelihood.cases.items():
        assert (cost(likelihood, **settings) == 0) == (case == "the maximum")


def test_the_hill_is_steeper_towards_small_spreads_for_all_data_alike():
    for seed in range(3):
        values = np.random.default_rng(seed).gamma(2, 10.0**seed, 50)
        best = np.std(values)
        lost = [
            norm(values.mean(), best).logpdf(values).mean() - norm(values.mean(), r * best).logpdf(values).mean()
            for r in (0.5, 2)
        ]
        np.testing.assert_allclose(lost, [np.log(r) + (1 / r**2 - 1) / 2 for r in (0.5, 2)])
        assert np.round(lost, 2).tolist() == [0.81, 0.32]


def test_the_two_buttons_climb_to_the_top(likelihood):
    likelihood.set(mean=1.2, std=LEAST_STD)
    likelihood.press("Best σ for this μ")
    stds = np.linspace(LEAST_STD, MOST_STD, 2001)
    by_search = max(stds, key=lambda std: norm(1.2, std).logpdf(twenty_values()).sum())
    assert likelihood.values()["std"] == pytest.approx(by_search, abs=0.001)
    assert likelihood.values()["std"] > twenty_values().std()
    assert "No other σ is better for this μ" in sentence(likelihood)
    likelihood.press("Best μ")
    assert "below the maximum" in sentence(likelihood)
    likelihood.press("Best σ for this μ")
    assert "the maximum. σ is the root" in sentence(likelihood)


def test_buttons_stay_on_the_sliders():
    farthest = [np.sqrt(np.mean((twenty_values() - mean) ** 2)) for mean in (1.0, 2.0)]
    assert min(farthest) > LEAST_STD and max(farthest) < MOST_STD
    assert twenty_values().std() / 2 > LEAST_STD and 2 * twenty_values().std() < MOST_STD


# ------------------------------------------------------------------------------------------------- the drawings


def test_a_drawn_ellipse_has_the_distance_that_it_claims():
    gaussian = Gaussian([1, -2], [[2, -0.9], [-0.9, 0.7]])
    _, ax = figure()
    plots.draw_points(np.zeros((3, 2)), ax, {"one": gaussian}, n_stds=(1, 3))
    for line, n_std in zip(ax.lines, (1, 3), strict=True):
        away = line.get_xydata() - gaussian.mean
        squared = np.einsum("nd,de,ne->n", away, np.linalg.inv(gaussian.covariance), away)
        np.testing.assert_allclose(squared, n_std**2)


def test_a_histogram_and_its_curve_have_the_area_1():
    values = np.random.default_rng(0).normal(4, 0.05, 500)
    _, ax = figure()
    draw_histogram(values, ax, Gaussian([4], [[0.05**2]]))
    assert sum(bar.get_width() * bar.get_height() for bar in ax.patches) == pytest.approx(1)
    assert np.trapezoid(*ax.lines[0].get_xydata().T[::-1]) == pytest.approx(1, abs=0.001)


def test_lines_against_sizes_are_drawn_where_they_are():
    _, ax = figure()
    draw_by_size([5, 20, 100], {"floor": [1, 2, 3], "full": [np.nan, -1, 4]}, ax)
    assert ax.lines[0].get_xydata().tolist() == [[5, 1], [20, 2], [100, 3]]
    assert [line.get_label() for line in ax.lines] == ["floor", "full"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["5", "20", "100"]


FAR, WIDE = 2.0, np.log(4.0)
CONSTANT = 2 * np.log(2 * np.pi)
BRACKET = CONSTANT + WIDE + FAR


test_a_log_density_by_hand_is_right_or_told_apart = told_apart(
    lambda mine: check_log_density(mine, point=[2, 1], mean=[0, 0], variances=[4, 1]),
    (None, "Nothing to check yet"),
    (-3.531, "✓"),
    (BRACKET, "the bracket"),
    (-BRACKET, "not minus one"),
    (-(WIDE + FAR) / 2, "the constant"),
    (-(CONSTANT + FAR) / 2, "log |Σ| is missing"),
    (-(CONSTANT + WIDE / 2 + FAR) / 2, "you took standard deviations"),
    (-(CONSTANT + WIDE + 17) / 2, "divide by the variances"),
    (-(CONSTANT + WIDE + 3) / 2, "divide by σ²"),
    (np.exp(-BRACKET / 2), "this is the density"),
    (5.0, "three terms"),
)


test_the_axes_of_an_ellipse_are_right_or_told_apart = told_apart(
    lambda mine: check_ellipse(*mine, [[1, 0.8], [0.8, 1]]),
    ((None, 0.45), "Nothing to check yet"),
    ((1.342, 0.447), "✓"),
    ((0.447, 1.342), "wrong order"),
    ((1.8, 0.2), "eigenvalues"),
    ((1.0, 1.0), "axes of its own"),
    ((1.5, 0.5), "Not yet"),
)
