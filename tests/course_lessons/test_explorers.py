"""What the explorers of lecture 01 say, and how checks, quizzes, figures and source code answer."""

import re

import numpy as np
import pytest

from course_lessons.dtw.explore import (
    check_moves,
    check_nearest,
    check_table,
    explore_greedy,
    explore_path,
    explore_query,
    explore_table,
    straight_path,
    take_features,
)
from course_lib import sequences as seq
from course_lib.sequences import _warping_kernels as kernels
from course_widgets import figure, quiz, show, show_source
from course_widgets.controls import slider
from tests.course_lessons.explored import sentence, told_apart

SHIFTED_X, SHIFTED_Y = (0, 0, 1, 3, 1, 0, 0, 0), (0, 0, 0, 0, 1, 3, 1, 0)


def test_bands_of_the_shifted_bump_cost_8_6_0():
    costs = [seq.dtw(SHIFTED_X, SHIFTED_Y, seq.SYMMETRIC1, window=seq.SakoeChiba(r)).distance for r in (0, 1, 2, 7)]
    assert costs == [8, 6, 0, 0]
    assert np.abs(np.subtract(SHIFTED_X, SHIFTED_Y)).sum() == 8


def test_the_opening_adds_up_a_path_that_can_be_bent_towards_the_best_one():
    explorer, d = explore_path(), seq.local_distances(*(take_features("please try again", take) for take in (0, 1)))
    best = seq.dtw_distance(*(take_features("please try again", take) for take in (0, 1)), seq.SYMMETRIC1)
    assert f"by {best:.0f}" in sentence(explorer)
    for early, late in ((0.68, 1.04), (0.64, 0.92), (0.8, 0.8), (0.5, 1.1)):
        path = straight_path([(0, 0), (60, round(100 * early)), (90, round(100 * late)), np.subtract(d.shape, 1)])
        steps = np.diff(path, axis=0)
        assert {0, 1} >= set(steps.ravel().tolist()) and steps.any(axis=1).all()  # no frame is left out or comes back
        assert [60, round(100 * early)] in path.tolist() and path[-1].tolist() == [115, 132]
        explorer.set(early=early, late=late)
        paid = sum(d[i, j] for i, j in path)
        assert f"differ by {paid:.0f} in all" in sentence(explorer) and paid > best


def test_the_table_explorer_says_the_recursion_with_its_numbers():
    explorer = explore_table([0, 6, 5, 6], [1, 0, 6, 0, 4])
    assert explorer.predict is None  # the lecture's question is about other sequences
    assert "empty" in sentence(explorer)
    explorer.press("Next cell")
    assert "D = d = 1" in sentence(explorer)
    explorer.press("Next row")
    assert sentence(explorer) == "D(2, 1) = min(1) + d = 1 + 5 = 6."
    explorer.set(filled=8)
    assert sentence(explorer) == "D(2, 3) = min(1, 7, 7) + d = 1 + 0 = 1."
    explorer.set(filled=20)
    assert "costs D = 8" in sentence(explorer)
    for _ in range(3):
        explorer.press("Next row")
    explorer.press("Start again")
    assert "empty" in sentence(explorer)


def test_constraints_cost_more_and_separate_better():
    """The explanation under explore_dtw: a minimum over fewer paths is larger; for other words it grows by more."""
    from course_lessons.dtw.explore import RECORDING_PAIRS, take_features

    growth = {}
    for name, takes in RECORDING_PAIRS.items():
        x, y = (take_features(*take) for take in takes)
        free, tight = (seq.dtw(x, y, p).distance for p in (seq.SYMMETRIC2, seq.SYMMETRIC_P2))
        growth[name] = tight / free
    assert min(growth.values()) > 1
    different = growth.pop("extension and goodbye")
    assert different > max(growth.values())


def test_what_the_query_explorer_explains():
    """The explanation under explore_query, in its numbers of right places."""
    explorer = explore_query()
    features = list(explorer.controls["features"].values)

    def right(query, kind):
        explorer.set(query=query, features=features[kind], top=4)
        return int(re.search(r"(\d+) of \d+ places are right", sentence(explorer)).group(1))

    assert (right("message", 0), right("message", 1)) == (3, 2)
    assert right("number", 0) > right("number", 1)
    assert right("one", 0) > right("one", 1)
    assert right("pound", 2) == right("one", 2) == 0
    right("pound", 0)
    assert re.search(r"1\. \S+ s “phone”; 2\. \S+ s “have a”", sentence(explorer))
    assert explorer.state["players"].count("<audio") == 5


def test_check_table_names_the_first_wrong_cell_and_never_its_value():
    cost = np.abs(np.subtract.outer([0, 6], [1, 0, 6]))
    _ = None
    assert check_table([[1, 1, 7], [_, _, _]], cost).startswith("✓ 3 of 6")
    assert "complete" in check_table([[1, 1, 7], [6, 7, 1]], cost)
    wrong = check_table([[1, 1, 7], [6, 12, 1]], cost)
    assert "D(2, 2): you wrote 12. Its cheapest neighbour holds 1, and its own distance is 6." in wrong
    assert "A path begins here" in check_table([[9, _, _], [_, _, _]], cost)


def test_check_table_knows_the_tables_of_common_mistakes():
    cost = np.abs(np.subtract.outer([0, 6, 5, 6], [1, 0, 6, 0, 4])).astype(float)
    bordered, free = np.zeros((5, 6)), np.full((5, 6), np.inf)
    free[0, 0] = -cost[0, 0]
    for table in (bordered, free):
        for i, j in np.ndindex(4, 5):
            table[i + 1, j + 1] = cost[i, j] + min(table[i, j], table[i, j + 1], table[i + 1, j])
    assert (bordered[-1, -1], free[-1, -1]) == (5, 7)
    assert "border of zeros" in check_table(bordered[1:, 1:].tolist(), cost)
    assert "first pair is free" in check_table(free[1:, 1:].tolist(), cost)
    assert "local distances" in check_table(cost.tolist(), cost)


DIAGONAL, IN_X, IN_Y = (1, 1, 2), (1, 0, 1), (0, 1, 1)


test_moves_are_checked = told_apart(
    lambda moves: check_moves(moves),
    (None, "Nothing to check yet"),
    ([[DIAGONAL], [IN_Y, DIAGONAL], [IN_X, DIAGONAL]], "✓"),
    ([[DIAGONAL], [DIAGONAL, IN_Y], [DIAGONAL, IN_X]], "*before* the wait"),
    ([[(1, 1, 1)], [IN_Y, (1, 1, 1)], [IN_X, (1, 1, 1)]], "must weigh 1"),
    ([[DIAGONAL], [IN_Y], [IN_X]], "follow itself"),
    ([[IN_Y, DIAGONAL], [IN_X, DIAGONAL]], "without waits"),
    ([[DIAGONAL], [IN_Y, DIAGONAL]], "Three moves"),
)


NEAR = np.array([[3.0, 1.0, 2.0], [0.5, 4.0, 6.0]])  # two recordings, three templates
WORDS = np.array([7, 8, 9])


test_the_nearest_template_is_checked = told_apart(
    lambda mine: check_nearest(mine, NEAR, WORDS),
    (None, "Nothing to check yet"),
    ([8, 7], "✓"),
    ([1, 0], "Which word"),
    ([1.0, 0.5], "smallest distances"),
    ([7, 9], "farthest"),
    ([7, 7, 7], "in each *row*"),
    ([7], "1 answers for 2 recordings"),
    ([8, 8], "1 of 2 answers differ"),
)


def test_the_greedy_walk_adds_up_d_beside_the_best_path():
    explorer = explore_greedy()
    explorer.set(filled=25, greedy=True)
    assert "5 + 5 + 5 + 5 + 5 + 6 + 6 + 5 + 2 = 44; the best path costs 24" in sentence(explorer)


def test_quiz_gives_the_feedback_of_the_answer_chosen():
    question = quiz("2 + 2?", {"4": "Yes.", "5": "One too many."}, correct="4")
    assert question.about["replies"] == ["✓ Yes.", "✗ One too many."]
    with pytest.raises(ValueError, match="none of the answers"):
        quiz("?", {"a": "b"}, correct="c")
    with pytest.raises(ValueError, match="without feedback"):
        quiz("?", {"a": "b", "c": " "}, correct="a")


def test_stressed_words_are_in_italics_and_products_are_not():
    said = {"4": "Yes, *both* <2>.", "5": "2 * 2 * 1, f(x*) and x*."}
    question = quiz("What *is* 2 + 2?", said, correct="4")
    assert question.about["replies"] == ["✓ Yes, <em>both</em> &lt;2&gt;.", "✗ 2 * 2 * 1, f(x*) and x*."]
    assert "What <em>is</em> 2 + 2?" in question._repr_mimebundle_()[0]["text/html"]


def test_show_carries_its_description():
    drawing, ax = figure()
    ax.plot([0, 1])
    picture = show(drawing, "A line <that> rises.")
    assert 'alt="A line &lt;that&gt; rises."' in picture._repr_html_()
    assert picture.data == show(drawing, "The same.").data
    with pytest.raises(ValueError, match="alt is"):
        show(drawing, " ")


def test_show_source_is_the_code_that_runs():
    from course_lib.sequences import steps

    assert "np.linalg.lstsq" in show_source(steps._path_independent_weights).data
    shown = show_source(kernels.trace_back).data
    assert "while choice != START" in shown
    assert '"""' not in shown
    assert '"""' in show_source(kernels.trace_back, docstring=True).data


@pytest.mark.parametrize("value", [-0.1, 3.1])
def test_a_slider_refuses_a_value_outside_its_range(value):
    with pytest.raises(ValueError, match=rf"value is {value}; 0 … 3 is needed for the slider 'gap'"):
        slider("gap", 0, 3, value, step=0.1)
