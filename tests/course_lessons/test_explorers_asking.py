"""What lecture 12's explorers say, and the checks of what the student writes."""

from math import comb

import numpy as np
import pytest

from course_lessons.asking.experiments import LIKED, LIKED_TONE, ON_A_LINE, SEARCH_STEPS, X_GRID, tone_session, walk
from course_lessons.asking.explore import (
    CRITERION_CHOICES,
    check_gain,
    check_tails,
    explore_asking,
    explore_improvement,
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
    assert f"{off:.1f} dB from what" in explorer.sentence
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


def test_the_explorer_of_two_values_says_both_improvements():
    explorer = explore_improvement()
    explorer.set(gap=0.0, spread=1.0, correlation=0.99)
    assert "univariate 0.399, bivariate 0.056" in explorer.sentence


test_the_moments_by_hand_are_checked = told_apart(
    lambda mean, std: check_gain(mean, std, MEAN, COV),
    (None, None, "Nothing to check yet"),
    (-0.3, np.sqrt(1.2), "✓"),
    (0.3, np.sqrt(1.2), "incumbent less the challenger"),
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
