"""What the explorers of lecture 04 claim."""

from itertools import product

import numpy as np
import pytest

from course_lessons.hmm import plots, weather
from course_lessons.hmm.explore import (
    HEARD,
    check_column,
    check_transitions,
    explore_decoding,
    explore_trellis,
    explore_weather,
)
from course_lessons.hmm.weather import WEATHER
from course_lib import sequences as seq
from course_widgets import figure
from tests.course_lessons.explored import sentence, told_apart
from tests.course_lib.oracles import AllStateSequences


def two_states(stay):
    A = [[stay, 1 - stay], [1 - stay, stay]]
    return seq.DiscreteHMM.from_parameters([0.5, 0.5], A, [[0.8, 0.2], [0.2, 0.8]])


def letters(stay, by="viterbi"):
    return "".join("XY"[s] for s in two_states(stay).decode(HEARD, by=by).states)


def test_the_trellis_is_filled_with_its_numbers():
    explorer = explore_trellis()
    assert "empty" in sentence(explorer)
    explorer.press("Next cell")
    assert sentence(explorer) == "α_1(Fair) = π·b = 0.4·0.9 = 0.36."
    explorer.set(observed="HHUH", recursion="forward", filled=4)
    assert sentence(explorer) == "α_2(Fair) = (0.36·0.8 + 0.15·0.3 + 0.06·0) · 0.9 = 0.2997."
    explorer.set(observed="HHUH", recursion="Viterbi", filled=8)
    assert sentence(explorer) == "δ_3(Cloudy) = max(0.2592·0.2, 0.036·0.4, 0.009·0.3) · 0.5 = 0.02592."
    explorer.set(observed="HHUH", recursion="backward", filled=3)
    assert "nothing comes after" in sentence(explorer)
    explorer.set(observed="HHUH", recursion="backward", filled=4)
    assert sentence(explorer).startswith("β_3(Fair) = 0.8·0.9·1 + 0.2·0.5·1 + 0·0.2·1 = 0.82")
    explorer.press("Next day")
    assert explorer.values()["filled"] == 7


@pytest.mark.parametrize("observed", ["".join(o) for o in product("HU", repeat=4)])
def test_the_full_trellis_says_what_the_library_says(observed):
    explorer = explore_trellis()
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
    explorer = explore_trellis([1, 0], [[1, 0], [0, 1]], [[1, 0], [0, 1]], "HU", ("dry", "wet"))
    for recursion in ("forward", "Viterbi", "backward"):
        explorer.set(observed="HU", recursion=recursion, filled=4)
        assert "impossible" in sentence(explorer)


def test_own_tables_and_observations_are_checked():
    with pytest.raises(ValueError, match=r"transmat\[0\] sums to 0\.9"):
        explore_trellis([1, 0], [[0.5, 0.4], [0, 1]], [[1, 0], [0, 1]], "HU", ("dry", "wet"))
    with pytest.raises(ValueError, match="observations is 'HX'"):
        explore_trellis(observations="HX")


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


def test_the_lone_y_goes_at_two_thirds_and_the_pair_at_four_fifths():
    assert letters(0.66) == "XXXYXXXYYXXX"
    assert letters(0.67) == letters(0.79) == "XXXXXXXYYXXX"
    assert letters(0.81) == "XXXXXXXXXXXX"
    explorer = explore_decoding()
    explorer.set(stay=0.82, rule="viterbi")
    assert "XXXXXXXXXXXX has 0 Y" in sentence(explorer)
    assert "for each of the pair 0.57" in sentence(explorer)
    explorer.set(stay=0.82, rule="posterior")
    assert "XXXXXXXYYXXX has 2 Y" in sentence(explorer)


def test_state_by_state_short_visits_are_given_up_later():
    assert letters(0.71, "posterior") == "XXXYXXXYYXXX"
    assert letters(0.73, "posterior") == letters(0.84, "posterior") == "XXXXXXXYYXXX"
    assert letters(0.86, "posterior") == "XXXXXXXXXXXX"


def test_drawings_take_one_frame_one_state_and_one_word():
    drawing, axes = figure(1, 4)
    plots.draw_chain([[1.0]], [[1.0]], ["only"], ["?"], axes[0])
    only = seq.DiscreteHMM.from_parameters([1.0], [[1.0]], [[1.0]])
    plots.draw_best_path(only, [0], ["only"], ["?"], axes[1])
    plots.draw_segmentation(np.zeros((1, 2)), np.array([0]), 0.01, axes[2])
    plots.draw_words(np.zeros((1, 2)), [7], [0, 1], 0.01, axes[3])
    assert [[text.get_text() for text in ax.texts] for ax in axes[2:]] == [["0"], ["7"]]
    assert drawing.axes


def test_the_drawn_path_moves_from_day_to_day_along_the_winners():
    """The figure of section 3: orange is the best path, and each of its steps lies on a dark line."""
    model, path = seq.DiscreteHMM.from_parameters(**WEATHER), {2: [1, 0], 3: [2, 2, 2], 4: [2, 2, 2, 1]}
    for days, states in path.items():
        _, ax = figure()
        plots.draw_best_path(model, [1, 0, 1, 0][:days], weather.STATES, "HU", ax)
        orange = next(line for line in ax.lines if line.get_color() == plots.ORANGE)
        assert orange.get_ydata().tolist() == states
        dark = [line for line in ax.lines if line.get_color() == plots.BLUE and len(line.get_xdata()) == 2]
        found = {(*line.get_xdata(), *line.get_ydata()) for line in dark}
        assert {(t, t + 1, *states[t : t + 2]) for t in range(days - 1)} <= found
        assert (0, 1, 0, 2) not in {(*line.get_xdata(), *line.get_ydata()) for line in ax.lines}


def test_words_stand_between_their_boundaries_and_true_joints_are_dashed():
    _, ax = figure()
    plots.draw_words(np.zeros((10, 3)), ["one", "two"], [0, 4, 10], 0.5, ax, [0, 5, 10])
    assert [(text.get_text(), text.get_position()[0]) for text in ax.texts] == [("one", 1.0), ("two", 3.5)]
    assert [(line.get_xdata()[0], line.get_linestyle()) for line in ax.lines] == [(2.0, "-"), (2.5, "--")]


def test_a_trellis_of_ones_own_is_worth_what_its_own_numbers_say():
    assert explore_trellis(emissionprob=((0.5, 0.5), (0.9, 0.1), (0.9, 0.1))).feedback.right == "Fair"
    other = explore_trellis([1, 0], [[1, 0], [0, 1]], [[1, 0], [0, 1]], "HU", ("dry", "wet"))
    assert other.feedback is None and other.predict is None


def test_equal_states_stay_equal_and_random_starts_end_apart_with_the_same_evidence():
    """The prediction of explore_training, and what the lecture says of its starts."""
    equal = weather.rounds_from(weather.EQUAL_START)[-1].tables
    np.testing.assert_allclose(equal["transmat"], 1 / 3)
    assert np.ptp(equal["emissionprob"], axis=0).max() < 1e-9
    ends = [weather.rounds_from(start)[-1] for start in weather.RANDOM]
    assert np.ptp([end.log_likelihood for end in ends]) < 3
    assert np.ptp([end.tables["transmat"][1] for end in ends], axis=0).max() > 0.3


def test_every_round_climbs_and_a_zero_stays():
    for start in weather.TRAINING_STARTS:
        heights = [one.log_likelihood for one in weather.rounds_from(start)]
        assert len(heights) == weather.TRAINING_ROUNDS + 1
        assert np.diff(heights).min() > -1e-9
    assert all(one.tables["transmat"][0, 2] == 0 for one in weather.rounds_from(weather.NO_STEP))
    with pytest.raises(ValueError, match="start is 'none'"):
        weather.first_tables("none")


def test_the_days_are_explained_better_than_by_the_truth_and_new_ones_worse():
    true = weather.log_probabilities(WEATHER)
    for start in weather.RANDOM:
        learnt = weather.log_probabilities(weather.rounds_from(start)[-1].tables)
        assert learnt[0] > true[0]
        assert learnt[1] < true[1]


PI, TRANSMAT, EMISSION = (np.array(WEATHER[name]) for name in ("startprob", "transmat", "emissionprob"))
FIRST = PI * EMISSION[:, 0]
SECOND = (FIRST @ TRANSMAT) * EMISSION[:, 0]


test_a_column_by_hand_is_right_or_told_apart = told_apart(
    lambda mine: check_column(list(mine), PI, TRANSMAT, EMISSION, [0, 0]),
    ([None, 0.1, 0.1], "Nothing to check yet"),
    ([0.2997, 0.075, 0.0174], "✓"),
    (FIRST @ TRANSMAT, "sums over yesterday"),
    ((TRANSMAT @ FIRST) * EMISSION[:, 0], "read by rows"),
    ((FIRST * EMISSION[:, 0]) @ TRANSMAT, "state that is left"),
    ((FIRST[:, None] * TRANSMAT).max(axis=0) * EMISSION[:, 0], "Viterbi"),
    ((PI @ TRANSMAT) * EMISSION[:, 0], "first day's mood"),
    (FIRST * EMISSION[:, 0], "No step"),
    ([0.2997, 0.08, 0.0174], "State 2: you wrote 0.08. One comes there with 0.36·0.2 + 0.15·0.4 + 0.06·0.3"),
)


def test_a_column_needs_one_number_a_state_and_two_days():
    with pytest.raises(ValueError, match="each of the 3 states"):
        check_column([0.1], PI, TRANSMAT, EMISSION, [0, 0])
    with pytest.raises(ValueError, match="two or more symbols"):
        check_column(SECOND, PI, TRANSMAT, EMISSION, [0])


EVERY = AllStateSequences(PI, TRANSMAT, np.log(EMISSION[:, [0, 0, 1, 0]].T))
SHARES = np.exp(EVERY.log_joint - EVERY.log_likelihood)[:, None]
COUNTS, VISITS = np.zeros((3, 3)), np.zeros(3)
np.add.at(COUNTS, (EVERY.paths[:, :-1], EVERY.paths[:, 1:]), SHARES)
np.add.at(VISITS, EVERY.paths, SHARES)


test_a_row_by_hand_is_right_or_told_apart = told_apart(
    lambda mine: check_transitions(list(mine), COUNTS, VISITS, 0),
    ([None] * 3, "Nothing to check yet"),
    (COUNTS[0] / COUNTS[0].sum(), "✓"),
    (COUNTS[0], "expected counts"),
    (COUNTS[:, 0] / COUNTS[:, 0].sum(), "a column"),
    (COUNTS[0] / VISITS[0], "last one too"),
    (COUNTS[0] / COUNTS.sum(), "steps of all states"),
    ([0.5, 0.3, 0.1], "adds up to 0.900"),
    ([0.5, 0.3, 0.2], "which share"),
)


def test_a_row_needs_steps_to_count():
    with pytest.raises(ValueError, match="state is 3"):
        check_transitions([0.5, 0.3, 0.2], COUNTS, VISITS, 3)
    with pytest.raises(ValueError, match="each of the 3 states"):
        check_transitions([0.5, 0.5], COUNTS, VISITS, 0)


def test_the_first_screen_believes_what_all_stories_say():
    """Five of twelve days are heard: the day that is told, and one that nobody has heard yet."""
    explorer = explore_weather()
    moods = seq.DiscreteHMM.from_parameters(**WEATHER).sample(12, rng=5).observations[:5]
    every = AllStateSequences(PI, TRANSMAT, np.log(EMISSION[:, moods].T))
    today = np.bincount(every.paths[:, -1], np.exp(every.log_joint - every.log_likelihood))
    rain = (today @ np.linalg.matrix_power(TRANSMAT, 7))[2]
    told = "Day 5 is fair with probability {:.2f}, cloudy with {:.2f} and rainy with {:.2f}.".format(*today)
    assert f"{told} Day 12 is rainy with probability {rain:.2f}." in sentence(explorer)
