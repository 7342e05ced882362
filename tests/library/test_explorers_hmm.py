"""What the explorers of lecture 04 claim."""

import re
from itertools import product

import numpy as np
import pytest

from course_lib import sequences as seq
from course_lib import widgets
from course_lib.plots import figure
from course_lib.plots import hmm as plots
from course_lib.widgets.hmm import HEARD, WEATHER


def sentence(explorer):
    return re.sub(r"<[^>]*>", "", explorer.caption.value)


def two_states(stay):
    A = [[stay, 1 - stay], [1 - stay, stay]]
    return seq.DiscreteHMM.from_parameters([0.5, 0.5], A, [[0.8, 0.2], [0.2, 0.8]])


def letters(stay, by="viterbi"):
    return "".join("AB"[s] for s in two_states(stay).decode(HEARD, by=by).states)


def test_the_trellis_is_filled_with_its_numbers():
    explorer = widgets.explore_trellis()
    explorer.unlock()
    assert "empty" in sentence(explorer)
    explorer.controls["Next cell"].click()
    assert sentence(explorer) == "α_1(Fair) = π·b = 0.4·0.9 = 0.36."
    explorer.set(observed="HHUH", recursion="forward", filled=4)
    assert sentence(explorer) == "α_2(Fair) = (0.36·0.8 + 0.15·0.3 + 0.06·0) · 0.9 = 0.2997."
    explorer.set(observed="HHUH", recursion="Viterbi", filled=8)
    assert sentence(explorer) == "δ_3(Cloudy) = max(0.2592·0.2, 0.036·0.4, 0.009·0.3) · 0.5 = 0.02592."
    explorer.set(observed="HHUH", recursion="backward", filled=3)
    assert "nothing comes after" in sentence(explorer)
    explorer.set(observed="HHUH", recursion="backward", filled=4)
    assert sentence(explorer).startswith("β_3(Fair) = 0.8·0.9·1 + 0.2·0.5·1 + 0·0.2·1 = 0.82")
    explorer.controls["Next day"].click()
    assert explorer.settings["filled"].value == 7


@pytest.mark.parametrize("observed", ["".join(o) for o in product("HU", repeat=4)])
def test_the_full_trellis_says_what_the_library_says(observed):
    explorer = widgets.explore_trellis()
    explorer.unlock()
    model = seq.DiscreteHMM.from_parameters(**WEATHER)
    symbols = ["HU".index(o) for o in observed]
    probability = f"{np.exp(model.score([symbols])):.6f}"
    for recursion in ("forward", "backward"):
        explorer.set(observed=observed, recursion=recursion, filled=12)
        assert probability in sentence(explorer)
    explorer.set(observed=observed, recursion="Viterbi", filled=12)
    best = model.decode(symbols)
    assert ", ".join(("Fair", "Cloudy", "Rainy")[i] for i in best.states) in sentence(explorer)
    assert f"{np.exp(best.log_probability):.6f}" in sentence(explorer)


def test_an_impossible_sequence_is_said_to_be_one():
    explorer = widgets.explore_trellis([1, 0], [[1, 0], [0, 1]], [[1, 0], [0, 1]], "HU", ("dry", "wet"))
    explorer.unlock()
    for recursion in ("forward", "Viterbi", "backward"):
        explorer.set(observed="HU", recursion=recursion, filled=4)
        assert "impossible" in sentence(explorer)


def test_own_tables_and_observations_are_checked():
    with pytest.raises(ValueError, match=r"transmat\[0\] sums to 0\.9"):
        widgets.explore_trellis([1, 0], [[0.5, 0.4], [0, 1]], [[1, 0], [0, 1]], "HU", ("dry", "wet"))
    with pytest.raises(ValueError, match="observations is 'HX'"):
        widgets.explore_trellis(observations="HX")


def test_cloudy_is_largest_on_the_third_day_and_yet_not_on_the_best_path():
    """The prediction of the explorer, and what the text says of the walk back."""
    model = seq.DiscreteHMM.from_parameters(**WEATHER)
    log_b = np.log(model.emissionprob_[:, [0, 0, 1, 0]].T)
    _, log_alpha = seq.forward(model.startprob_, model.transmat_, log_b)
    np.testing.assert_allclose(np.exp(log_alpha[2]), [0.0262, 0.0476, 0.0277], atol=5e-5)
    best = model.decode([0, 0, 1, 0])
    assert best.states.tolist() == [0, 0, 0, 0]
    greedy = 0.4 * 0.9 * 0.8 * 0.9 * 0.2 * 0.5 * 0.3 * 0.9
    assert greedy < 0.5 * np.exp(best.log_probability)


def test_the_lone_b_goes_at_two_thirds_and_the_pair_at_four_fifths():
    assert letters(0.66) == "AAABAAABBAAA"
    assert letters(0.67) == letters(0.79) == "AAAAAAABBAAA"
    assert letters(0.81) == "AAAAAAAAAAAA"
    explorer = widgets.explore_decoding()
    explorer.unlock()
    explorer.set(stay=0.82, rule="viterbi")
    assert "AAAAAAAAAAAA has 0 B" in sentence(explorer)
    assert "for each of the pair 0.57" in sentence(explorer)
    explorer.set(stay=0.82, rule="posterior")
    assert "AAAAAAABBAAA has 2 B" in sentence(explorer)


def test_state_by_state_short_visits_are_given_up_later():
    assert letters(0.71, "posterior") == "AAABAAABBAAA"
    assert letters(0.73, "posterior") == letters(0.84, "posterior") == "AAAAAAABBAAA"
    assert letters(0.86, "posterior") == "AAAAAAAAAAAA"


def test_drawings_take_one_frame_one_state_and_one_word():
    drawing, axes = figure(1, 4)
    plots.draw_chain([[1.0]], ["only"], axes[0])
    plots.draw_decoding([1], [0.5], [1], axes[1])
    plots.draw_segmentation(np.zeros((1, 2)), np.array([0]), 0.01, axes[2])
    plots.draw_words(np.zeros((1, 2)), [7], [0, 1], 0.01, axes[3])
    assert [[text.get_text() for text in ax.texts] for ax in axes[2:]] == [["0"], ["7"]]
    assert drawing.axes


def test_words_stand_between_their_boundaries_and_true_joints_are_dashed():
    _, ax = figure()
    plots.draw_words(np.zeros((10, 3)), ["one", "two"], [0, 4, 10], 0.5, ax, [0, 5, 10])
    assert [(text.get_text(), text.get_position()[0]) for text in ax.texts] == [("one", 1.0), ("two", 3.5)]
    assert [(line.get_xdata()[0], line.get_linestyle()) for line in ax.lines] == [(2.0, "-"), (2.5, "--")]
