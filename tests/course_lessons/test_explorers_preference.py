"""What the explorers of lecture 10 and their explanations claim, computed in another way."""

import re

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import ndtr

from course_lessons.i_prefer_b import explore as preference
from course_lessons.i_prefer_b import interview, plane, plots
from course_lessons.i_prefer_b.explore import check_choice, check_next_choice, check_tie
from course_lib.gp import Ranking
from course_widgets import figure
from course_widgets.style import sheet
from tests.course_lessons.explored import sentence, told_apart

SIMULATED = preference.SIMULATED_JUDGE


# --- the opening: comparisons of nine samples -------------------------------------------------------


def test_the_highest_sample_is_that_of_the_highest_posterior_density():
    food, pairs, answers = preference._comparisons()
    opening, (a, b), y = preference.explore_comparisons(), pairs[:45].T, answers[:45]

    def height(f):
        z = (f[b] - f[a]) / np.sqrt(2)
        chances = np.array([ndtr(-z - 0.5), ndtr(0.5 - z) - ndtr(-0.5 - z), ndtr(z - 0.5)])
        return 0.5 * f @ f - np.log(chances[y + 1, np.arange(45)]).sum()

    f = minimize(height, np.zeros(9), tol=1e-10).x
    best = np.argmax(f)
    assert f"flavour {food.X[best, 0]:g} with gel {food.X[best, 1]:g}: {f[best] - f.mean():.2f} [" in sentence(opening)
    assert f"{sum(y == 0)} of them ties" in sentence(opening)


# --- marks and comparisons --------------------------------------------------------------------------


def test_nobody_sees_before_the_tenth_mark_that_each_grey_comes_twice():
    explorer = preference.explore_marks()
    told = []
    for seen in (0, 5, 9, 10):
        explorer.set(who=SIMULATED, seen=seen)
        told.append("twice" in sentence(explorer))
        drawing = sheet()
        explorer.draw(drawing, **explorer.values())
        told.append(any(len(line.get_xdata()) == 5 for line in drawing.axes[1].lines))
    assert told == [False] * 6 + [True] * 2


def test_the_marks_explorer_takes_your_answers_in_turn():
    explorer = preference.explore_marks()
    for mark in range(10, 20):
        explorer.press("A is brighter")  # no comparison yet: nothing is recorded
        explorer.set(mark=mark)
        explorer.press("Keep this mark")
    assert "Your marks of the same grey differ by" in sentence(explorer)
    explorer.press("Keep this mark")
    for a, b in interview.COMPARED_PAIRS:
        explorer.press("B is brighter" if interview.GREY_LEVELS[b] > interview.GREY_LEVELS[a] else "A is brighter")
    assert sentence(explorer).endswith("Compared side by side: right in 10 of 10.")
    explorer.set(seen=3)
    assert sentence(explorer).endswith("Your last mark: 12.")


def test_the_simulated_judge_answers_at_any_button():
    explorer = preference.explore_marks()
    explorer.set(who=SIMULATED, seen=9)
    explorer.press("A is brighter")
    assert "right order in 14 of 20 pairs" in sentence(explorer)
    assert "Comparison 1 of 10" in sentence(explorer)


# --- two items in the plane of their values ----------------------------------------------------------


@pytest.mark.parametrize(("for_b", "for_a", "noise"), [(1, 0, 0.5), (10, 1, 0.5), (4, 6, 1.0), (1, 0, 0.1)])
def test_the_plane_is_cut_as_by_weighted_draws(for_b, for_a, noise):
    """A million pairs from the prior, weighted by the probability of the answers, beside EP and the points kept."""
    explorer = preference.explore_plane()
    explorer.set(for_b=for_b, for_a=for_a, noise=noise)
    f = np.random.default_rng(0).multivariate_normal([0, 0], [[2, 1], [1, 2]], 1_000_000)
    z = (f[:, 1] - f[:, 0]) / (np.sqrt(2) * noise)
    weights = ndtr(z) ** for_b * ndtr(-z) ** for_a
    said = [float(one) for one in re.findall(r"-?\d+\.\d\d", sentence(explorer).replace("0 ± 1.41", ""))]
    expected = []
    for values in (f[:, 1] - f[:, 0], f[:, 1]):
        mean = np.average(values, weights=weights)
        expected += [mean, np.sqrt(np.average((values - mean) ** 2, weights=weights))]
    np.testing.assert_allclose(said[:4], expected, atol=0.02)
    assert said[4] == pytest.approx(f.mean(axis=1).std(), abs=0.01)  # the answers tell nothing of it
    share = np.mean(weights / weights.max())
    assert plane.kept(for_b, for_a, noise).mean() == pytest.approx(share, abs=3 * np.sqrt(share / plane.N_POINTS))


# --- a gap and its noise ----------------------------------------------------------------------------


def test_the_gap_explorer_says_so():
    explorer = preference.explore_gap()
    for case in ("gap 0.5, noise 0.5", "gap 1, noise 1", "gap 2, noise 2", "1 added to both"):
        explorer.press(f"{case}")
        assert sentence(explorer).endswith("P(B beats A) = 0.760; of 20 choices 14 are for B.")
    explorer.press("more noise alone")
    assert "P(B beats A) = 0.547" in sentence(explorer)
    explorer.set(gap=0.0)
    assert "P(B beats A) = 0.500" in sentence(explorer)


# --- one person's middle grey -----------------------------------------------------------------------


def test_the_greys_explorer_takes_your_answers_and_lets_you_go_back():
    explorer = preference.explore_greys()
    explorer.press("A")
    explorer.press("B")
    assert "You answer. Answers so far: 2. Last: " in sentence(explorer)
    assert "answer B." in sentence(explorer)
    explorer.set(seen=1)
    assert "Answers so far: 1." in sentence(explorer)
    explorer.set(seen=2)
    assert "Answers so far: 2." in sentence(explorer)  # going back forgets nothing
    assert "answer B." in sentence(explorer)
    explorer.set(seen=1)
    explorer.press("A")
    assert "Answers so far: 2." in sentence(explorer)
    assert "answer A." in sentence(explorer)
    explorer.set(seen=30)
    assert "Answers so far: 2." in sentence(explorer)  # the slider cannot run ahead of you
    for _ in range(40):
        explorer.press("A")
    assert "Answers so far: 30." in sentence(explorer)
    assert "Question" not in sentence(explorer)


def test_the_simulated_person_answers_at_a_button():
    explorer = preference.explore_greys()
    explorer.set(who=SIMULATED, seen=4)
    explorer.press("A")
    expected = "B" if interview.simulated_person(0.5)[4] > 0 else "A"
    assert "Answers so far: 5." in sentence(explorer)
    assert f"answer {expected}." in sentence(explorer)


# --- drawings ---------------------------------------------------------------------------------------


def test_the_shaded_part_begins_at_zero():
    _, ax = figure()
    plots.draw_difference(0.5, 0.7, ax)
    shaded = ax.collections[0].get_paths()[0].vertices
    assert shaded[:, 0].min() >= 0
    assert shaded[:, 0].max() == pytest.approx(0.5 + 4 * 0.7)


def test_the_image_of_degrees_integrates_to_one_at_each_difference():
    _, ax = figure()
    density = plots.draw_degree_density(10.0, ax).get_array()
    middle = density[:, 60:101]  # |g| below 1: no mass hides in the corners
    np.testing.assert_allclose(middle.mean(axis=0), 1.0, atol=0.01)


def test_ranks_stand_from_the_best_to_the_worst():
    _, ax = figure()
    ranking = Ranking(np.array([2, 0, 1]), np.array([2.0, 3.0, 1.0]), *np.array([[1, 2, 1], [3, 3, 2]]), np.zeros(3))
    plots.draw_ranks(ranking, ["x", "y", "z"], ax)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["z", "x", "y"]
    assert [line.get_xdata()[0] for line in ax.lines] == [1.0, 2.0, 3.0]


def test_the_dot_stands_at_the_preferred_item():
    _, ax = figure()
    plots.draw_comparisons(np.array([0.0, 1.0, 5.0]), [(0, 1), (1, 2)], [1, -1], ax, (0.0, 1.0))
    assert [line.get_xdata()[0] for line in ax.lines if len(line.get_xdata()) == 1] == [1.0, 1.0]


# --- what a student works out -----------------------------------------------------------------------


test_the_probability_of_a_choice_is_checked = told_apart(
    lambda one, other: check_choice(one, other, gap=0.5, noise_std=0.5),
    (None, 0.84, "Nothing to check yet"),
    (ndtr(1 / np.sqrt(2)), ndtr(1), "✓"),
    (ndtr(1), ndtr(1 / np.sqrt(2)), "other way round"),
    (ndtr(-1 / np.sqrt(2)), ndtr(-1), "probabilities of a"),
    (ndtr(1), ndtr(1), "one of the two noises"),
    (ndtr(0.5), ndtr(1), "variances add"),
    (0.3, ndtr(1), "what variance"),
    (ndtr(1 / np.sqrt(2)), 0.3, "The second"),
)


@pytest.mark.parametrize(
    ("variance", "said"),
    [
        (0.8, "✓"),
        (2.0, "covariance is forgotten"),
        (0.3, "noise is forgotten"),
        (0.55, "without noise"),
        (1.4, "goes in twice"),
        (3.2, "that of a sum"),
        (0.5, "uncertainty of the values is forgotten"),
        (1e9, "divided by the root"),
    ],
)
def test_the_next_choice_is_checked(variance, said):
    mine = ndtr(0.5 / np.sqrt(variance))
    assert said in check_next_choice(mine, [0.4, 0.9], [[0.7, 0.6], [0.6, 0.8]], noise_std=0.5)


def test_the_next_choice_is_missing_or_that_of_a():
    assert "Nothing" in check_next_choice(None, [0.4, 0.9], [[0.7, 0.6], [0.6, 0.8]], 0.5)
    assert "of a" in check_next_choice(ndtr(-0.5 / np.sqrt(0.8)), [0.4, 0.9], [[0.7, 0.6], [0.6, 0.8]], 0.5)


A_SAID, B_SAID = ndtr(-0.9), ndtr(0.1)  # z = 0.5, δ = 0.4


test_the_three_probabilities_are_checked = told_apart(
    lambda mine: check_tie(*mine, z=0.5, threshold=0.4),
    ((None, 0.3, 0.5), "Nothing to check yet"),
    ((A_SAID, 1 - A_SAID - B_SAID, B_SAID), "✓"),
    ((B_SAID, 1 - A_SAID - B_SAID, A_SAID), "exchanged"),
    ((A_SAID, 0.1, B_SAID), "They sum to"),
    ((ndtr(-0.5), 0.0, ndtr(0.5)), "no room for a tie"),
    ((ndtr(-0.1), 1 - ndtr(-0.1) - ndtr(0.9), ndtr(0.9)), "harder on both sides"),
    ((0.3, 0.7 - B_SAID, B_SAID), "b is right"),
    ((0.3, 0.4, 0.3), "What is left"),
)
