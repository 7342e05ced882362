"""What the explorer of lecture 08 and its explanation claim, computed from one dense Gaussian of all answers."""

import re

import numpy as np
import pytest
from scipy.special import ndtr

from course_lessons.several_answers import explore, panels, plots
from course_lessons.several_answers.explore import (
    check_divergence,
    check_measurement,
    check_widths,
    explore_budget,
    explore_carrots,
    explore_panel,
)
from course_lessons.several_answers.panels import sine, sine_panel
from course_lib import datasets
from course_widgets import figure
from tests.course_lessons.explored import sentence, told_apart


def test_the_means_of_carrots_and_their_widths_are_those_of_an_analysis_of_variance():
    opening, Y = explore_carrots(), datasets.load_carrots().Y[:, :7]
    groups = [row[~np.isnan(row)] for row in Y]
    residuals = np.concatenate([group - group.mean() for group in groups])
    sigma = np.sqrt(residuals @ residuals / (len(residuals) - len(groups)))
    means, half = [g.mean() for g in groups], [1.6449 * sigma / np.sqrt(len(g)) for g in groups]
    apart = sum(means[j] - half[j] > means[i] + half[i] for i in range(12) for j in range(12))
    assert (
        f"between {min(means):.1f} and {max(means):.1f}, each with a 90 % interval of half-width {np.mean(half):.2f}"
        in sentence(opening)
    )
    assert f"intervals of {apart} of the 66 pairs do not overlap" in sentence(opening)


@pytest.fixture
def explorer():
    explorer = explore_panel()
    return explorer


def covariance(a, b, lengthscale):
    return panels.PRIOR_STD**2 * np.exp(-0.5 * np.subtract.outer(a, b) ** 2 / lengthscale**2)


def dense(x, Y, place, sigma, lengthscale):
    """(mean, variance) of the value at a place, given every single answer: conditioning a Gaussian of n·R numbers."""
    every, offset, level = np.repeat(x, Y.shape[1]), Y.mean(), 100.0 * Y.var()  # the wide prior of the level
    C = covariance(every, every, lengthscale) + level + sigma**2 * np.eye(Y.size)
    k = covariance(every, np.array([place]), lengthscale)[:, 0] + level
    solved = np.linalg.solve(C, np.stack([Y.ravel() - offset, k], axis=1))
    return offset + k @ solved[:, 0], panels.PRIOR_STD**2 + level - k @ solved[:, 1]


@pytest.mark.parametrize("raters", explore.RATER_COUNTS)
@pytest.mark.parametrize(("name", "lengthscale"), explore.LENGTHSCALE_CHOICES.items())
@pytest.mark.parametrize("sigma", [0.25, 2.0])
def test_the_sentence_says_what_a_dense_gaussian_says(explorer, raters, name, lengthscale, sigma):
    explorer.set(raters=raters, spread=sigma, lengthscale=name)
    mean, v = dense(panels.X_ITEMS, panels.panel_answers(raters, sigma), panels.NEW_INPUT, sigma, lengthscale)
    one, many = np.sqrt(v + sigma**2), np.sqrt(v + sigma**2 / raters)
    expected = [mean, np.sqrt(v), panels.true_value(panels.NEW_INPUT), one, many]
    pattern = r"value: ([\d.]+) ± ([\d.]+) \(true: ([\d.]+)\); one answer ± ([\d.]+), mean of \d+ ± ([\d.]+)\."
    found = [float(number) for number in re.search(pattern, sentence(explorer)).groups()]
    np.testing.assert_allclose(found, expected, atol=0.00501)
    answers, means = panels.new_answers(raters, sigma)
    inside = [np.mean(np.abs(values - mean) < 1.6448536 * std) for values, std in ((answers, one), (means, many))]
    one, many = (f"{100 * share:.0f} %" for share in inside)
    assert f"{one} of 2000 people's answers, {many} of the means" in sentence(explorer)


def test_more_raters_buy_certainty_about_the_value_and_not_about_a_person(explorer):
    """The prediction's right answer, and the first paragraph of the explanation."""
    explorer.press("two raters")
    assert "3.14 ± 0.63" in sentence(explorer)
    assert "one answer ± 1.18, mean of 2 ± 0.95" in sentence(explorer)
    explorer.press("fifty raters")
    assert "3.07 ± 0.18" in sentence(explorer)
    assert "one answer ± 1.02, mean of 50 ± 0.23" in sentence(explorer)
    for raters in explore.RATER_COUNTS:
        _, v = dense(panels.X_ITEMS, panels.panel_answers(raters, 1.0), panels.NEW_INPUT, 1.0, 2.0)
        assert np.sqrt(v + 1) > 1


def test_two_lengthscales_for_which_fifty_raters_do_not_help(explorer):
    explorer.press("fifty raters, items apart")
    assert "± 2.12 (true" in sentence(explorer)
    explorer.set(raters=2)
    assert "± 2.13 (true" in sentence(explorer)
    explorer.press("fifty raters, too stiff")
    assert "4.39 ± 0.08 (true: 3.06)" in sentence(explorer)
    assert "62 % of 2000 people" in sentence(explorer)
    assert "0 % of the means of 50" in sentence(explorer)
    explorer.set(raters=2)
    assert "± 0.32 (true" in sentence(explorer)


def test_twice_the_spread_needs_four_times_the_raters():
    few, many = (
        dense(panels.X_ITEMS, panels.panel_answers(raters, sigma), panels.NEW_INPUT, sigma, 2.0)[1]
        for raters, sigma in ((5, 1.0), (20, 2.0))
    )
    assert few == pytest.approx(many, rel=1e-4)  # the prior of the level differs, and that hardly counts
    assert {5, 20} <= set(explore.RATER_COUNTS)


@pytest.mark.parametrize(("lengthscale", "ratio"), [(0.3, 0.14), (2.0, 0.94), (8.0, 1.03)])
def test_eighty_items_rated_once_or_eight_rated_ten_times(lengthscale, ratio):
    """The teacher's question: the mean variance of the curve, the first divided by the second."""
    places, spread_out = np.linspace(0, 10, 41), np.linspace(0, 10, 80)
    variances = [
        np.mean([dense(x, np.zeros((len(x), raters)), place, 1.0, lengthscale)[1] for place in places])
        for x, raters in ((spread_out, 1), (panels.X_ITEMS, 10))
    ]
    assert variances[0] / variances[1] == pytest.approx(ratio, abs=0.006)


@pytest.mark.parametrize("own", [0.0, 0.6])
@pytest.mark.parametrize("lengthscale", [0.5, 2.0, 8.0])
def test_a_plan_leaves_what_a_dense_gaussian_of_all_eighty_answers_leaves(lengthscale, own):
    explorer = explore_budget()
    for plan, raters in explore.PLANS.items():
        explorer.set(plan=plan, lengthscale=lengthscale, own=own)
        x, Y, _ = panels.plan(raters, lengthscale, own)
        every, same = np.repeat(x, raters), np.kron(np.eye(len(x)), np.ones((raters, raters)))
        level = 100.0 * Y.var()  # its wide prior
        C = covariance(every, every, lengthscale) + level + own**2 * same + np.eye(80)
        for places, at_items in ((x, 1.0), (panels.X_GRID[::4], 0.0)):
            k = covariance(every, places, lengthscale) + level
            k += at_items * own**2 * (np.equal.outer(every, places))
            variances = panels.PRIOR_STD**2 + level + own**2 - np.sum(k * np.linalg.solve(C, k), axis=0)
            assert f"± {np.sqrt(variances.mean()):.2f}" in sentence(explorer)
        slopes = [np.linalg.solve(C, of) for of in (same, np.eye(80))]  # in ω² and in σ²
        information = [[0.5 * np.trace(one @ other) for one in slopes] for other in slopes]
        if own and raters > 1:
            assert f"learned to ± {np.sqrt(np.linalg.inv(information)[0, 0]) / (2 * own):.2f}" in sentence(explorer)
        assert (raters == 1) == np.isclose(np.linalg.det(information), 0)
        assert ("cannot be told apart" in sentence(explorer)) == (raters == 1 and own > 0)


def test_more_raters_keep_the_answers_of_the_first():
    np.testing.assert_array_equal(panels.panel_answers(5, 1.0), panels.panel_answers(50, 1.0)[:, :5])
    answers, means = panels.new_answers(20, 0.5)
    assert len(answers) == 20 * len(means)
    assert answers.mean() == pytest.approx(means.mean())
    assert answers.std() == pytest.approx(0.5, rel=0.05)
    assert means.std() == pytest.approx(0.5 / np.sqrt(20), rel=0.15)


def test_a_share_is_counted_between_the_ends_of_the_interval():
    values = np.linspace(-4, 4, 80001)
    assert panels.share_inside(values, (0.0, 2.0)) == pytest.approx(1.6448536 * 2 / 4, abs=1e-4)
    sample = np.random.default_rng(0).normal(1.0, 0.5, 100_000)
    assert panels.share_inside(sample, (1.0, 0.5)) == pytest.approx(2 * ndtr(1.6448536) - 1, abs=0.005)


test_one_measurement_is_right_or_told_apart = told_apart(
    lambda mean, noise: check_measurement(mean, noise, [5, 6, np.nan, 8, 5], spread=0.8),
    (6.0, 0.4, "✓ Both"),
    (None, 0.4, "Nothing to check yet"),
    (4.8, 0.4, "a missing answer is not 0"),
    (5.5, 0.4, "of the answers given"),
    (6.0, 0.8, "that of one answer"),
    (6.0, 0.16, "variance σ²/R"),
    (6.0, 0.32, "σ²/√R"),
    (6.0, 0.2, "the root of the number of answers"),
    (6.0, 0.8 / np.sqrt(5), "not those that were asked for"),
    (6.0, np.sqrt(1.5 / 4), "here σ is given"),
    (6.0, 7.0, "the site τ = R/σ²"),
)


test_two_widths_are_right_or_told_apart = told_apart(
    lambda one, mean: check_widths(one, mean, value_std=0.5, spread=1.2, raters=4),
    (1.3, np.sqrt(0.61), "✓ Both"),
    (1.3, None, "Nothing to check yet"),
    (1.7, np.sqrt(0.61), "One answer: standard deviations do not add"),
    (1.69, np.sqrt(0.61), "One answer: this is a variance"),
    (1.2, np.sqrt(0.61), "One answer: the value is known only to ± 0.5"),
    (0.5, np.sqrt(0.61), "One answer: this is the width of the value alone"),
    (np.sqrt(0.61), 1.3, "One answer: this is the width of the other one"),
    (1.3, 0.6, "The mean: the value is known only"),
    (1.3, 0.61, "The mean: this is a variance"),
    (1.3, 5.0, "The mean: its variance is v plus"),
)


test_a_divergence_is_right_or_told_apart = told_apart(
    lambda mine: check_divergence(mine, [0.5, 0.5, 0.0], [0.25, 0.5, 0.25]),
    (np.log(2) / 2, "✓ Right"),
    (None, "Nothing to check yet"),
    (-np.log(2) / 2, "no divergence is below 0"),
    (0.5, "in bits"),
    (np.log(2), "by the share"),
    (np.log(2) / 4, "the *raters'* share"),
    (3.0, "Not yet"),
)


def test_a_divergence_needs_a_model_that_thinks_all_scores_possible():
    with pytest.raises(ValueError, match="every element must be above 0"):
        check_divergence(0.3, [0.5, 0.5], [1.0, 0.0])


def test_made_panels_have_the_spreads_that_were_asked_for():
    X, Y = sine_panel(0, items=4000, raters=3, spread=0.5, own=0.6)
    assert (np.diff(X) >= 0).all()
    assert Y.shape == (4000, 3)
    assert np.sqrt(Y.var(axis=1, ddof=1).mean()) == pytest.approx(0.5, rel=0.03)
    of_means = Y.mean(axis=1) - 1.2 * np.sin(0.9 * X)
    assert of_means.var() == pytest.approx(0.6**2 + 0.5**2 / 3, rel=0.06)
    X, Y = sine_panel(0, spread=0.0)
    np.testing.assert_allclose(Y, np.tile(sine(X)[:, None], 5))


def test_drawings_hold_what_they_were_given():
    _, ax = figure()
    _, means = panels.new_answers(50, 1.0)
    plots.draw_next_answers(means, (3.0, 0.15), ax, (0.0, 10.0), plots.MEAN_LABEL)
    shares, edges, _ = ax.patches[0].get_data()
    assert shares @ np.diff(edges) == pytest.approx(1)
    assert np.count_nonzero(shares) >= 8
    assert edges[:-1][shares > 0][0] <= means.min() <= edges[1:][shares > 0][0]
    _, ax = figure()
    plots.draw_next_answers(np.array([-1.0, 1.0, 2.0, 3.0]), (3.0, 0.15), ax, (0.0, 10.0))
    shares, edges, _ = ax.patches[0].get_data()
    assert shares @ np.diff(edges) == pytest.approx(0.75)  # what is not shown is not given to the rest
    y, density = ax.lines[0].get_data()
    assert np.trapezoid(density, y) == pytest.approx(1, abs=1e-3)
    assert y[np.argmax(density)] == pytest.approx(3.0, abs=0.03)
    _, ax = figure()
    stds = np.linspace(0.5, 2, 16)
    plots.draw_divergences(stds, {"one": (stds - 1.2) ** 2}, ax)
    np.testing.assert_allclose(ax.lines[1].get_xdata(), [1.2])
    _, ax = figure()
    plots.draw_answers_of_many(np.array([1.0, 2.0]), np.array([[3.0, 4.0], [5.0, 6.0]]), ax)
    np.testing.assert_allclose(ax.lines[0].get_xydata(), [[1, 3], [1, 4], [2, 5], [2, 6]])
