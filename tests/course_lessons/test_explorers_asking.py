"""What lecture 12's explorers say, and the checks of what the student writes."""

from itertools import pairwise
from math import comb

import numpy as np
import pytest

from course_lessons.asking.experiments import (
    LIKED,
    LIKED_TONE,
    ON_A_LINE,
    OVER_PAIRS,
    SEARCH_STEPS,
    X_GRID,
    tone_session,
    walk,
    walk_over_pairs,
)
from course_lessons.asking.explore import (
    CRITERION_CHOICES,
    check_gain,
    check_tails,
    explore_asking,
    explore_improvement,
    explore_pairs,
    explore_questions,
)
from tests.course_lessons.explored import told_apart

MEAN, COV = np.array([0.5, 0.2]), np.array([[1.0, 0.9], [0.9, 2.0]])


def test_the_criteria_of_the_explorer_are_those_of_the_walk():
    assert tuple(CRITERION_CHOICES.values()) == ON_A_LINE


def test_the_opening_says_how_far_its_best_guess_is_off():
    explorer, step = explore_questions(), tone_session()[7]
    explorer.set(answers=8)
    off = np.linalg.norm(step.best - LIKED_TONE)
    assert f"{off:.1f} dB from this" in explorer.sentence
    assert "plays {:+.0f}/{:+.0f} dB".format(*step.asked[0]) in explorer.sentence.replace("−", "-")
    np.testing.assert_allclose(tone_session()[8].heard[8], step.asked)


def test_the_univariate_form_stays_where_it_is_and_the_bivariate_one_finds_the_top():
    stuck, found = walk("univariate"), walk("improvement")
    assert max(step.challenger for step in stuck) < 0.3
    assert abs(found[-1].incumbent - LIKED) < 0.02
    assert len({step.challenger for step in found}) > len({step.challenger for step in stuck})


def test_the_variance_asks_all_over_the_line():
    heard = walk("variance")[-1].heard
    assert np.diff([0.0, *heard, 1.0]).max() < 0.25


@pytest.mark.parametrize("criterion", ON_A_LINE)
def test_a_step_asks_where_its_score_is_highest(criterion):
    for step in walk(criterion):
        others = np.abs(X_GRID - step.incumbent) > 1e-9
        assert step.score[others].max() == step.score[np.argmin(np.abs(X_GRID - step.challenger))]


def test_the_explorer_says_what_is_asked():
    explorer = explore_asking()
    assert explorer.values()["criterion"] != "univariate"  # the prediction asks where that one goes
    explorer.set(criterion="univariate")
    for _ in range(SEARCH_STEPS + 2):
        explorer.press("Ask")
    assert explorer.values()["asked"] == SEARCH_STEPS
    assert f"{walk('univariate')[SEARCH_STEPS].challenger:.2f} beside it" in explorer.sentence


@pytest.mark.parametrize("criterion", OVER_PAIRS)
def test_a_map_over_pairs_is_symmetric_and_the_next_question_is_its_highest_place(criterion):
    steps = walk_over_pairs(criterion)
    for step, after in pairwise(steps):
        np.testing.assert_allclose(step.worth, step.worth.T, atol=1e-9)
        assert step.worth[step.following] == step.worth.max()
        assert tuple(after.asked[-1]) == step.following


def test_beside_the_best_heard_the_best_of_two_is_the_expected_improvement_and_no_other_criterion_is():
    same = {
        criterion: max(np.abs(step.worth[step.incumbent] - step.gain).max() for step in walk_over_pairs(criterion))
        for criterion in OVER_PAIRS
    }
    assert same["best"] < 1e-9 < 0.1 < min(same["information"], same["variance"])


def test_what_the_explanation_says_of_the_maps():
    """A setting beside itself teaches nothing; information sinks all over; the best of two stays on its hill."""
    information, best = walk_over_pairs("information"), walk_over_pairs("best")
    assert np.diagonal(information[0].worth).max() < 1e-9
    means = [step.worth.mean() for step in information]
    assert means == sorted(means, reverse=True) and means[-1] < means[0] / 2
    late = np.array([step.following for step in best[3:]]) / 40
    assert np.abs(np.median(late) - LIKED) < 0.03
    assert np.ptp(np.unique([step.following for step in information])) / 40 > 0.9


def test_the_map_explorer_says_how_far_its_line_is_from_the_improvement():
    explorer = explore_pairs()
    explorer.press("Ask")
    assert "differs from the expected improvement by 0.24 at most" in explorer.sentence
    explorer.set(criterion="best")
    assert "by 0.00 at most" in explorer.sentence


def test_after_ten_questions_the_pair_of_the_best_of_two_lies_closest_together():
    last = {criterion: walk_over_pairs(criterion)[SEARCH_STEPS].following for criterion in OVER_PAIRS}
    apart = {criterion: abs(a - b) for criterion, (a, b) in last.items()}
    assert 3 * apart["best"] < min(apart["information"], apart["variance"])
    explorer = explore_pairs()
    explorer.set(criterion="best", asked=SEARCH_STEPS)
    assert explorer.state["shown"]


def test_both_sides_of_the_next_question_are_heard():
    explorer = explore_questions()
    players, said = explorer.state["players"], explorer.sentence.replace("−", "-")
    assert players.count("<audio") == 2
    for bass, treble in tone_session()[explorer.values()["answers"] - 1].asked:
        assert f"bass {bass:+.0f} dB, treble {treble:+.0f} dB".replace("-", "−") in players
        assert f"{bass:+.0f}/{treble:+.0f} dB" in said


def test_the_explorer_of_two_values_says_both_improvements():
    explorer = explore_improvement()
    explorer.set(gap=0.0, spread=1.0, correlation=0.99)
    assert "univariate 0.399, bivariate 0.056" in explorer.sentence


test_the_moments_by_hand_are_checked = told_apart(
    lambda mean, std: check_gain(mean, std, MEAN, COV),
    (None, None, "Nothing to check yet"),
    (-0.3, np.sqrt(1.2), "✓"),
    (0.3, np.sqrt(1.2), "incumbent minus the challenger"),
    (0.7, 1.0, "no difference of the means"),
    (-0.3, 1.2, "variance of the difference"),
    (-0.3, np.sqrt(3.0), "Which term is missing"),
    (-0.3, np.sqrt(4.8), "Which term is missing"),
)


test_the_tails_by_hand_are_checked = told_apart(
    lambda ks: check_tails(sum(comb(20, k) for k in ks) / 2**20, 15, 20),
    ([k for k in range(21) if abs(k - 10) >= 5], "✓"),
    (range(15, 21), "one side only"),
    ([5, 15], "still farther out"),
    ([k for k in range(21) if abs(k - 10) > 5], "Add up all k"),
)


def test_no_tails_are_nothing_to_check():
    assert "Nothing" in check_tails(None, 15, 20)
