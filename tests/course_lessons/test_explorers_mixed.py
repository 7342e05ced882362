"""What lecture 13's explorers say, and the checks of what the student writes."""

import re

import numpy as np
import pytest
from scipy.stats import norm

from course_lessons.mixed_feedback import plots
from course_lessons.mixed_feedback.explore import (
    KNOWLEDGE_CHOICES,
    check_confidence,
    check_scores,
    check_softness,
    explore_constraint,
    explore_kinds,
    explore_level_set,
    explore_offset,
)
from course_lessons.mixed_feedback.likelihoods import Likert
from course_lessons.mixed_feedback.on_a_disc import DISC_PROBLEM, N_FIRST_POINTS, N_QUESTIONS, PLANE, looks
from course_lessons.mixed_feedback.on_a_line import (
    X_GRID,
    Compared,
    believed,
    believed_by,
    believed_so_far,
    felt,
    true_intensity,
)
from course_lib.gp import LatentGP, Probit, SquaredExponential, values
from course_widgets import figure
from tests.course_lessons.explored import told_apart

LIKERT = Likert(3, cuts=[0.5, 1.0], lapse=0.1)
PREDICTED, INSIDE = np.array([1, 1, 1, 0, 1, 1, 1, 0], bool), np.array([1, 1, 1, 1, 0, 0, 0, 0], bool)


def test_yes_is_said_as_often_as_it_is_felt():
    X, y = felt(20_000, seed=0)
    high = X[:, 0] > 1.5
    assert (y[high] > 0).mean() == pytest.approx(norm.cdf(true_intensity(X[high, 0])).mean(), abs=0.02)


def test_the_opening_says_where_the_band_holds_three_of_four():
    explorer = explore_offset()
    explorer.set(answers=200)
    x, y = felt(200, seed=0)
    mean, std = (
        LatentGP(SquaredExponential(4.0, 1.0), inference="variational", optimize=False)
        .fit([values(x, y, Probit())])
        .predict_latent(X_GRID[:, None])
    )
    possible = X_GRID[np.abs(mean - norm.ppf(0.75)) < norm.ppf(0.95) * std]  # EP's are the same within a step
    low, high = map(float, re.search(r"may be ([\d.]+)–([\d.]+); in truth it is 1.16", explorer.sentence).groups())
    assert (low, high) == pytest.approx((possible[0], possible[-1]), abs=0.051)
    assert f"200 answers, {np.sum(y > 0)} of them yes" in explorer.sentence


def test_the_opening_names_no_offset_that_the_band_excludes():
    explorer = explore_offset()
    assert "anywhere, so nothing is excluded yet" in explorer.sentence
    explorer.set(answers=50)  # two intervals, and none of what lies between them
    said = [(float(low), float(high)) for low, high in re.findall(r"([\d.]+)–([\d.]+)", explorer.sentence)]
    mean, std = believed_so_far(50)
    for x, away in zip(X_GRID, np.abs(mean - norm.ppf(0.75)) / std, strict=True):
        assert any(low - 0.006 < x < high + 0.006 for low, high in said) == (away < norm.ppf(0.95))


def test_a_hard_constraint_is_never_corrected_and_a_soft_one_is():
    hard, soft = believed(320, 3.5, 0.05), believed(320, 3.5, 0.8)
    assert hard[0][-1] > 3.4
    assert abs(soft[0][-1] - 2.0) < 0.3


@pytest.mark.parametrize("std", [0.05, 0.5])
def test_what_is_said_pulls_the_belief_towards_itself(std):
    alone, together = believed(20), believed(20, 2.0, std)
    assert abs(together[0][-1] - 2.0) < abs(alone[0][-1] - 2.0)
    assert (together[1] <= alone[1] + 1e-6).all()
    assert together[1][-1] <= std + 1e-6


def test_the_explorer_of_a_constraint_says_what_is_believed():
    explorer = explore_constraint()
    explorer.set(said=3.5, std=0.05, answers="320")
    assert f"together they give {believed(320, 3.5, 0.05)[0][-1]:.2f}" in explorer.sentence
    assert len(X_GRID) == 81


@pytest.mark.parametrize("known", KNOWLEDGE_CHOICES.values())
def test_looks_begin_with_the_same_answers_and_go_on(known):
    found = looks(known, "sobol")
    assert len(found) == N_QUESTIONS - N_FIRST_POINTS + 1
    np.testing.assert_array_equal(found[0].X, looks("none", "straddle")[0].X)
    assert len(found[-1].y) == N_QUESTIONS
    assert found[-1].inside.shape == (len(PLANE),)


def test_soft_constraints_find_the_disc_and_answers_alone_do_not():
    assert looks("none", "sobol")[-1].scores.f1 < 0.3
    assert looks("mixed", "sobol")[-1].scores.f1 > 0.65
    assert DISC_PROBLEM.inside(PLANE).mean() == pytest.approx(0.09, abs=0.01)


def test_the_explorer_of_a_level_set_asks_on():
    explorer = explore_level_set()
    assert explorer.values()["known"] == "mixed"  # the prediction asks for another
    explorer.set(known="none")
    assert "No point is classified as inside" in explorer.sentence
    explorer.set(known="mixed")
    for _ in range(N_QUESTIONS):
        explorer.press("Ask")
    assert explorer.values()["questions"] == N_QUESTIONS
    assert f"F1 {looks('mixed', 'sobol')[-1].scores.f1:.2f}" in explorer.sentence


test_the_softness_is_checked = told_apart(
    lambda low, high: check_softness(low, high, said=2.0, std=0.5),
    (None, None, "Nothing to check yet"),
    (norm.cdf(1.02), norm.cdf(2.98), "✓"),
    (norm.cdf(2.98), norm.cdf(1.02), "wrong order"),
    (0.846, 1.0, "below 1"),
    (1.02, 2.98, "interval of f"),
    (norm.cdf(1.5), norm.cdf(2.5), "68 %"),
    (norm.cdf(2) - 0.98, norm.cdf(2) + 0.98, "scale of f"),
    (0.5, 0.9, "Φ of both ends"),
)


test_the_scores_are_checked = told_apart(
    lambda mine: check_scores(*mine, PREDICTED, INSIDE),
    ((None, 0.75, 0.6), "Nothing to check yet"),
    ((0.5, 0.75, 0.6), "✓"),
    ((0.75, 0.5, 0.6), "other way round"),
    ((0.6, 0.75, 0.6), "Precision: 3 points"),
    ((0.5, 0.5, 0.5), "Recall: 3 points"),
    ((0.5, 0.75, 0.625), "ordinary mean"),
    ((0.5, 0.75, 0.375), "F1 = 2"),
)


def test_scores_need_a_point_in_both():
    with pytest.raises(ValueError, match="share no point"):
        check_scores(0.5, 0.5, 0.5, PREDICTED, ~PREDICTED)


ALERT = np.exp(-np.array([0.2, 0.0, 0.3]))


test_the_confidence_is_checked = told_apart(
    lambda mine: check_confidence(mine, -0.7, LIKERT),
    (None, "Nothing to check yet"),
    (0.9 * ALERT / ALERT.sum() + 0.1 / 3, "✓"),
    (ALERT / ALERT.sum(), "without lapses"),
    (ALERT, "sum to one"),
    ([0.32, 0.38, 0.29], "three digits"),
    ([0.3, 0.3, 0.3], "sum to 0.900"),
    ([0.2, 0.2, 0.6], "most probable level"),
    ([0.25, 0.5, 0.25], "Not yet"),
)


def test_what_the_explorer_of_kinds_explains():
    """Comparisons leave the level open; both ends, of which nobody was asked, tell more; ratings may mislead."""
    f = true_intensity(X_GRID)

    def known(*kinds):
        mean, std = believed_by(kinds)
        return std.mean(), np.sqrt(np.mean((mean - f) ** 2))

    alone = [known(*kind)[0] for kind in (("yes or no",), ("choices", "how sure"), ("both ends",))]
    assert alone == pytest.approx([0.49, 1.76, 0.83], abs=0.006)
    slope_known = np.diff(believed_by(("choices", "how sure"))[0][[0, -1]])
    assert slope_known > 1.0  # the level is open, not the rise
    assert known("choices", "both ends")[0] < known("both ends")[0]
    assert known("yes or no", "choices", "how sure")[1] > known("yes or no", "choices")[1]
    explorer = explore_kinds()
    explorer.press("pairs alone")
    assert "deviation of f is 1.76 on average" in explorer.sentence and explorer.state["shown"]


def test_a_wrong_choice_is_an_arrow_to_what_was_chosen():
    _, ax = figure()
    lines = plots.draw_compared(
        np.array([0.0, 1.0]), Compared(np.array([[0, 1]]), np.array([-1.0]), [2]), ax, True
    ).lines
    assert lines[0].get_xdata().tolist() == [1.0, 0.0] and lines[1].get_marker() == "<"
