"""What the explorers of lecture 09 and their explanations claim, computed in another way."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import kendalltau

from course_lessons.unequal_raters import explore as raters
from course_lessons.unequal_raters import noisy_raters, plots
from course_lessons.unequal_raters.explore import (
    check_combined,
    check_factor,
    check_rater_noise,
    explore_second_rater,
    explore_trust,
    explore_wine,
)
from course_lib import datasets
from course_widgets import figure
from tests.course_lessons.explored import sentence, told_apart

MEAN, MA, MANH = noisy_raters.MODEL_LABELS


def of_combination(weights, stds):
    """Variance of a weighted sum of independent errors."""
    return float(np.square(weights) @ np.square(stds))


@pytest.mark.parametrize(("judge", "weight"), [(1, 60), (7, 80)])
def test_the_weighted_marks_of_wine_turn_as_many_pairs_as_kendalls_tau_says(judge, weight):
    marks, opening = datasets.load_wine().panel().Y, explore_wine()
    opening.set(judge=judge, weight=weight)
    weights = np.full(9, (100 - weight) / 8)
    weights[judge - 1] = weight
    mean = np.average(marks, axis=1, weights=weights)
    turned = 28 * (1 - kendalltau(mean, marks.mean(axis=1)).statistic) / 2
    best = f"bottle {np.argmax(mean) + 1} is the most bitter ({max(mean):.0f})"
    said = f"{best}; by the plain mean of all nine, it is bottle 7"
    assert said in sentence(opening)
    assert f"{turned:.0f} of the 28 pairs" in sentence(opening)


def test_variances_at_two_are_those_of_the_explanation():
    found = noisy_raters.error_variances(2.0)
    assert found["rater 1 alone"] == 0.25
    assert found["plain mean"] == pytest.approx(of_combination([0.5, 0.5], [0.5, 2.0])) == pytest.approx(1.0625)
    best = min(of_combination([1 - w, w], [0.5, 2.0]) for w in np.linspace(0, 1, 100_001))
    assert found["precision-weighted"] == pytest.approx(best, abs=1e-9) == pytest.approx(0.235, abs=5e-4)


def test_the_second_rater_hurts_from_root_three_on():
    def gain(second_noise):
        found = noisy_raters.error_variances(second_noise)
        return found["plain mean"] - found["rater 1 alone"]

    assert brentq(gain, 0.3, 2.0) == pytest.approx(np.sqrt(3) * 0.5) == pytest.approx(0.866, abs=5e-4)
    weighted = noisy_raters.error_variances(raters.NOISE_GRID)["precision-weighted"]
    assert (weighted < 0.25).all()


@pytest.mark.parametrize("rule", ["plain mean", "precision-weighted"])
@pytest.mark.parametrize("second_noise", [0.25, 0.9, 3.0])
def test_variances_are_those_of_the_simulated_items(rule, second_noise):
    answers, estimates = noisy_raters.combined(second_noise, rule)
    z, _ = noisy_raters.two_raters()
    expected = noisy_raters.error_variances(second_noise)[rule]
    assert np.mean((estimates - z) ** 2) == pytest.approx(expected, rel=5 * np.sqrt(2 / len(z)))
    assert np.std(answers - z[:, None], axis=0) == pytest.approx([0.5, second_noise], rel=0.03)


def test_how_often_the_spread_of_ten_answers_tells_who_is_noisier():
    answers, _ = noisy_raters.combined(2.0, "plain mean")
    spread = answers.reshape(-1, 10, 2).std(axis=1)
    assert np.mean(spread[:, 1] > spread[:, 0]) == pytest.approx(0.93, abs=0.005)


def test_rater_1_keeps_their_colour_and_each_rule_has_its_own():
    _, (left, right) = figure(1, 2)
    plots.draw_answers(np.arange(3), np.ones((3, 2)), left)
    plots.draw_rules(raters.NOISE_GRID, noisy_raters.error_variances(raters.NOISE_GRID), right, 1.0, "")
    first, second = (line.get_color() for line in left.lines)
    alone, mean, weighted = (line.get_color() for line in right.lines)
    assert alone == first
    assert len({first, second, mean, weighted}) == 4


def test_the_second_rater_explorer_hides_and_reveals():
    explorer = explore_second_rater()
    assert "the truth is hidden" in sentence(explorer)
    explorer.press("σ₂ = 2, mean")
    assert "plain mean 1.062, precision-weighted 0.235" in sentence(explorer)
    assert sentence(explorer).endswith("The plain mean estimate is worse than rater 1 alone.")
    explorer.press("σ₂ = 2, weighted")
    assert "rater 2 has the weight 0.059" in sentence(explorer)
    assert sentence(explorer).endswith("is better than rater 1 alone.")
    explorer.set(second_noise=0.85, rule="plain mean")
    assert sentence(explorer).endswith("is better than rater 1 alone.")
    explorer.set(second_noise=0.9)
    assert sentence(explorer).endswith("is worse than rater 1 alone.")


def weights_of(stds):
    precision = np.asarray(stds) ** -2.0
    return precision / precision.sum(axis=-1, keepdims=True)


def test_weights_are_near_those_of_the_true_noises():
    """Known only up to the estimation of σ from 19 to 60 answers; one noise per rater is an average of squares."""
    regions = noisy_raters.scene().regions
    for noise, part in ((0.2, "right"), (2.0, "right"), (2.0, "everywhere")):
        table = noisy_raters.true_noises(noise, part)
        _, by_region = noisy_raters.listen(noise, part, MANH)
        assert by_region.weights[:, 0] == pytest.approx(weights_of(table)[:, 0], abs=0.15)
        averaged = np.sqrt(np.mean(table[regions] ** 2, axis=0))
        _, one = noisy_raters.listen(noise, part, MA)
        assert one.weights[0, 0] == pytest.approx(weights_of(averaged)[0], abs=0.15)
        np.testing.assert_allclose(one.weights, np.tile(one.weights[0], (3, 1)))


def test_the_numbers_of_the_explanation():
    before, ma, manh = (
        noisy_raters.listen(*s)[1] for s in ((0.2, "right", MA), (2.0, "right", MA), (2.0, "right", MANH))
    )
    assert np.sqrt((2 * 0.2**2 + 2.0**2) / 3) == pytest.approx(1.2, abs=0.05)
    np.testing.assert_allclose(before.weights[:, 0], 0.76, atol=0.005)
    np.testing.assert_allclose(ma.weights[:, 0], 0.06, atol=0.005)
    np.testing.assert_allclose(manh.weights[:, 0], [0.75, 0.81, 0.03], atol=0.005)
    middle = [heard.errors[1] for heard in (before, ma, manh)]
    np.testing.assert_allclose(middle, [0.10, 0.18, 0.11], atol=0.005)
    np.testing.assert_allclose([before.errors[0], ma.errors[0]], [0.11, 0.10], atol=0.005)


def test_the_numbers_of_the_explanation_if_rater_1_is_bad_everywhere():
    mean, ma, manh = (noisy_raters.listen(2.0, "everywhere", model)[1] for model in noisy_raters.MODEL_LABELS)
    np.testing.assert_allclose(ma.weights[:, 0], 0.02, atol=0.005)
    np.testing.assert_allclose(manh.weights[:, 0], [0.03, 0.02, 0.03], atol=0.005)
    truth = noisy_raters.scene().z_test
    overall = [np.sqrt(np.mean((heard.mean - truth) ** 2)) for heard in (mean, ma, manh)]
    np.testing.assert_allclose(overall, [0.36, 0.14, 0.14], atol=0.005)
    np.testing.assert_allclose([heard.overall for heard in (mean, ma, manh)], overall, rtol=1e-9)


@pytest.mark.parametrize("model", noisy_raters.MODEL_LABELS)
def test_errors_are_those_of_the_curve_by_thirds(model):
    e, (_, heard) = noisy_raters.scene(), noisy_raters.listen(2.0, "right", model)
    third = np.minimum((3 * e.X_test[:, 0]).astype(int), 2)
    expected = [np.sqrt(np.mean((heard.mean - e.z_test)[third == k] ** 2)) for k in range(3)]
    assert heard.errors == pytest.approx(expected, rel=1e-9)
    assert heard.weights.sum(axis=1) == pytest.approx(np.ones(3))


def test_only_rater_1_and_only_where_it_says_changes():
    quiet, loud = (noisy_raters.listen(noise, "right", MEAN)[0] for noise in (0.2, 2.0))
    right = noisy_raters.scene().X[:, 0] >= 2 / 3
    np.testing.assert_array_equal(quiet[:, 1:], loud[:, 1:])
    np.testing.assert_array_equal(quiet[~right], loud[~right])
    z = noisy_raters.scene().z[right]
    np.testing.assert_allclose((loud[right, 0] - z) / (quiet[right, 0] - z), 10.0)


def test_the_trust_explorer_says_its_weights():
    explorer = explore_trust()
    explorer.press("bad on the right, MA")
    assert "Weight of rater 1: left 0.06, middle 0.06, right 0.06" in sentence(explorer)
    explorer.press("bad on the right, MANH")
    assert "Weight of rater 1: left 0.75, middle 0.81, right 0.03" in sentence(explorer)
    explorer.set(model=MEAN)
    assert "Weight of rater 1: left 0.33, middle 0.33, right 0.33" in sentence(explorer)


@pytest.mark.parametrize(("part", "beyond"), [("right", 2), ("everywhere", 13)])
def test_answers_beyond_the_picture_are_counted(part, beyond):
    explorer = explore_trust()
    explorer.set(noise=2.0, part=part)
    Y, _ = noisy_raters.listen(2.0, part, MA)
    low, high = raters.SHOWN_ANSWERS
    assert sum(not low <= y <= high for y in Y.ravel()) == beyond
    assert sentence(explorer).endswith(f"{beyond} answers lie beyond it.")
    explorer.set(noise=0.2)
    assert "beyond" not in sentence(explorer)


def test_answers_beyond_the_limits_stand_at_the_edge():
    _, ax = figure()
    x, Y = np.array([0.1, 0.2, 0.3, 0.4]), np.array([[5.0], [0.0], [-7.0], [np.nan]])
    answers, below, above = plots.draw_answers(x, Y, ax, limits=(-1.0, 2.0)).lines
    assert ax.get_ylim() == (-1.0, 2.0)
    np.testing.assert_array_equal(np.transpose(above.get_data()), [[0.1, 2.0]])
    np.testing.assert_array_equal(np.transpose(below.get_data()), [[0.3, -1.0]])
    assert answers.get_color() == below.get_color() == above.get_color()


def test_weights_fill_the_bars():
    _, ax = figure()
    weights = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])
    bars = plots.draw_weights(weights, ax).patches
    heights = np.array([bar.get_height() for bar in bars]).reshape(3, 2)
    np.testing.assert_allclose(heights.T, weights)
    np.testing.assert_allclose([bar.get_y() + bar.get_height() for bar in bars[-2:]], 1.0)


@pytest.mark.parametrize("weights", [[0.02, 0.58, 0.40], [0.92, 0.05, 0.03], [0.02, 0.02, 0.96], [0.3, 0.3, 0.4]])
def test_each_weight_is_written_and_none_on_another(weights):
    _, ax = figure()
    texts = plots.draw_weights(np.array([weights]), ax).texts
    assert [text.get_text() for text in texts] == [f"{r}: {weight:.2f}" for r, weight in enumerate(weights, start=1)]
    places = np.array([text.get_position()[1] for text in texts])
    assert (np.diff(places) >= plots.LEAST_GAP - 1e-9).all()
    assert places[0] >= plots.LEAST_GAP / 2 - 1e-9
    assert places[-1] <= 1 - plots.LEAST_GAP / 2 + 1e-9
    if min(weights) > 2 * plots.LEAST_GAP:
        np.testing.assert_allclose(places, np.cumsum(weights) - np.array(weights) / 2)


def test_a_heat_map_leaves_out_what_is_not_known():
    _, ax = figure()
    std = np.array([[1.0, np.nan], [4.0, 9.0]])
    image = plots.draw_trust(std, ax, ["a", "b"], ["1", "2"])
    np.testing.assert_allclose(image.get_array(), np.log(std))
    assert [text.get_text() for text in ax.texts] == ["1", "4", "9"]


def test_a_heat_map_writes_the_intervals_below():
    _, ax = figure()
    low, high = np.array([[0.5, np.nan]]), np.array([[2.0, np.nan]])
    plots.draw_trust(np.array([[1.0, np.nan]]), ax, ["a"], ["1", "2"], scale=(0.1, 10), interval=(low, high))
    assert [text.get_text() for text in ax.texts] == ["1\n0.5 – 2"]


GIVEN, NOISES = np.array([np.nan, 3.5, 2.0]), np.array([0.5, 1.0, 2.0])


test_the_combined_answer_is_checked = told_apart(
    lambda answer, noise: check_combined(answer, noise, GIVEN, NOISES),
    (None, 0.9, "Nothing to check yet"),
    (3.2, np.sqrt(0.8), "✓"),
    (2.75, 0.9, "plain mean"),
    (3.0, 0.9, "yours to 1/σ"),
    (4.0, 0.9, "multiplied by σ̂²"),
    (4.0 / 5.25, 0.9, "counts as a 0"),
    (7.0, 0.9, "is its weight"),
    (3.2, 0.8, "take the root"),
    (3.2, 1.25, "more noise than one"),
    (3.2, np.sqrt(1.25), "more noise than one"),
    (3.2, np.sqrt(1 / 5.25), "did not answer"),
    (3.2, 2.0, "precisions add"),
)


test_a_raters_noise_is_checked = told_apart(
    lambda mine: check_rater_noise(mine, [3.0, 1.0], [3.0 - np.sqrt(2), 1.0 + np.sqrt(2)], [0.1, 0.2]),
    (None, "Nothing to check yet"),
    (np.sqrt(2.15), "✓"),
    (2.15, "its root"),
    (np.sqrt(2.0), "Without v"),
    (2.0, "missing in it"),
    (np.sqrt(2 + (0.01 + 0.04) / 2), "not squared"),
    (np.sqrt(1.85), "sign of v"),
    (np.sqrt(4.3), "root of the sum"),
    (9.0, "then the root"),
)


test_the_factor_of_fifteen_answers_is_checked = told_apart(
    lambda mine: check_factor(mine, 15),
    (None, "Nothing to check yet"),
    (1.350, "✓"),
    (1.529, "where is the 2"),
    (1.200, "1.645 of them"),
    (0.300, "distance of logarithms"),
    (1.300, "only where a is small"),
    (0.741, "its inverse"),
    (1.823, "over the lower"),
    (3.0, "for σ itself"),
)


def test_nobodys_answers_cannot_be_combined():
    with pytest.raises(ValueError, match="at least one is needed"):
        check_combined(1.0, 1.0, [np.nan, np.nan], [1.0, 2.0])
