"""What the explorers of lecture 10 and their explanations claim, computed in another way."""

import html
import re

import numpy as np
import pytest
from scipy.stats import norm

from course_lib import widgets
from course_lib.judgments import BradleyTerry, Ranking
from course_lib.plots import figure
from course_lib.plots import preference as plots
from course_lib.plots.style import sheet
from course_lib.widgets import preference

SIMULATED = preference.SIMULATED


def sentence(explorer):
    return html.unescape(re.sub(r"<[^>]*>", "", explorer.caption.value))


def unlocked(name):
    explorer = getattr(widgets, name)()
    explorer.unlock()
    return explorer


# --- marks and comparisons --------------------------------------------------------------------------


def test_each_grey_is_marked_twice_and_each_pair_compared_once():
    assert sorted(preference.MARKED[:5]) == sorted(preference.MARKED[5:]) == list(range(5))
    assert len({frozenset(pair) for pair in preference.COMPARED.tolist()}) == 10


def test_the_simulated_judge_is_as_the_explanation_says():
    answers = preference.simulated_judge()
    found = preference.judged(answers)
    assert np.sqrt(np.mean((found.second - found.first) ** 2)) == pytest.approx(22, abs=0.5)
    assert (found.second < found.first).all()
    right = sum(
        (found.second[j] > found.first[i]) == (j > i) and found.second[j] != found.first[i]
        for i in range(5)
        for j in range(5)
        if i != j
    )
    assert found.from_marks == right == 14
    assert found.compared == 10


def test_within_one_frame_the_judges_marks_order_all_pairs_but_one():
    found = preference.judged(preference.simulated_judge())
    steps = [later - earlier for marks in found[:2] for k, earlier in enumerate(marks) for later in marks[k + 1 :]]
    assert len(steps) == 20
    assert sorted(np.sign(steps))[:2] == [0, 1]


def test_nobody_sees_before_the_tenth_mark_that_each_grey_comes_twice():
    explorer = unlocked("explore_marks")
    told = []
    for seen in (0, 5, 9, 10):
        explorer.set(who=SIMULATED, seen=seen)
        told.append("twice" in sentence(explorer))
        drawing = sheet()
        explorer.draw(drawing, **explorer.values())
        told.append(any(len(line.get_xdata()) == 5 for line in drawing.axes[1].lines))
    assert told == [False] * 6 + [True] * 2


def test_without_drift_the_marks_order_all_pairs():
    assert preference.judged(preference.simulated_judge(drift=0.0)).from_marks == 20


def test_drift_changes_marks_and_no_comparison():
    steady, drifting = preference.simulated_judge(drift=0.0), preference.simulated_judge(drift=11.0)
    assert steady[10:] == drifting[10:]
    np.testing.assert_array_equal(np.subtract(drifting, steady)[:10], np.repeat([11, -11], 5))


def test_the_marks_explorer_takes_your_answers_in_turn():
    explorer = unlocked("explore_marks")
    for mark in range(10, 20):
        explorer.controls["A is brighter"].click()  # no comparison yet: nothing is recorded
        explorer.settings["mark"].value = mark
        explorer.controls["Keep this mark"].click()
    assert "Your marks of the same grey differ by" in sentence(explorer)
    explorer.controls["Keep this mark"].click()
    for a, b in preference.COMPARED:
        explorer.controls["B is brighter" if preference.LEVELS[b] > preference.LEVELS[a] else "A is brighter"].click()
    assert sentence(explorer).endswith("Compared side by side: right in 10 of 10.")
    explorer.set(seen=3)
    assert sentence(explorer).endswith("Your last mark: 12.")


def test_the_simulated_judge_answers_at_any_button():
    explorer = unlocked("explore_marks")
    explorer.set(who=SIMULATED, seen=9)
    explorer.controls["A is brighter"].click()
    assert "right order in 14 of 20 pairs" in sentence(explorer)
    assert "Comparison 1 of 10" in sentence(explorer)


# --- a gap and its noise ----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0.5, 1.0, 2.0])
def test_gap_and_noise_doubled_give_the_same_choices(size):
    chance, for_b = preference.gap_choices(size, size)
    assert chance == pytest.approx(0.760, abs=5e-4)
    assert for_b.sum() == 14
    np.testing.assert_array_equal(for_b, preference.gap_choices(0.25, 0.25)[1])


@pytest.mark.parametrize(("gap", "noise"), [(0.5, 0.5), (-1.5, 1.0), (2.0, 3.0)])
def test_the_probability_is_that_of_two_noisy_judgements(gap, noise):
    grid = np.linspace(-40, 40, 160_001)
    density = norm.pdf(grid, gap, noise) * norm.cdf(grid, 0, noise)  # B at `grid`, and A below it
    assert preference.gap_choices(gap, noise)[0] == pytest.approx(density.sum() * (grid[1] - grid[0]), abs=1e-9)


def test_the_gap_explorer_says_so():
    explorer = unlocked("explore_gap")
    for case in ("gap 0.5, noise 0.5", "gap 1, noise 1", "gap 2, noise 2", "1 added to both"):
        explorer.controls[f"show: {case}"].click()
        assert sentence(explorer).endswith("P(B beats A) = 0.760; of 20 choices 14 are for B.")
    explorer.controls["show: more noise alone"].click()
    assert "P(B beats A) = 0.547" in sentence(explorer)
    explorer.set(gap=0.0)
    assert "P(B beats A) = 0.500" in sentence(explorer)


# --- one person's middle grey -----------------------------------------------------------------------


def test_a_person_without_noise_answers_as_f_does():
    a, b = preference.STEPS[preference.grey_questions()].T
    nearer = np.where(np.abs(b - preference.TRUE_MIDDLE) < np.abs(a - preference.TRUE_MIDDLE), 1, -1)
    assert (a != b).all()
    np.testing.assert_array_equal(preference.simulated_person(0.0), nearer)


def test_the_curve_orders_the_greys_as_bradley_terry_does():
    answers = preference.simulated_person(0.5)
    learned = preference.learn_greys(answers)
    strength = BradleyTerry(alpha=0.1).fit(preference.grey_questions(), answers, 9).strength_
    at_steps = np.interp(preference.STEPS, preference.GRID, learned.mean)
    assert np.corrcoef(at_steps, strength)[0, 1] > 0.85


def test_the_numbers_of_the_explanation():
    careful, noisy = (preference.learn_greys(preference.simulated_person(noise)) for noise in (0.5, 3.0))
    assert (careful.height, noisy.height) == pytest.approx((6.7, 2.9), abs=0.05)
    widths = [1.645 * learned.std.mean() for learned in (careful, noisy)]
    assert widths == pytest.approx([1.2, 0.7], abs=0.05)
    assert [w / h for w, h in zip(widths, (careful.height, noisy.height), strict=True)] == pytest.approx(
        [0.18, 0.26], abs=0.005
    )
    assert [preference.STEPS[learned.best.argmax()] for learned in (careful, noisy)] == [128, 104]
    assert [learned.best.max() for learned in (careful, noisy)] == pytest.approx([0.81, 0.31], abs=0.02)


def test_no_question_is_a_tie_for_the_simulated_person():
    a, b = preference.true_greyness(preference.STEPS[preference.grey_questions()].T)
    assert np.abs(b - a).min() > 0.1


def test_before_the_first_answer_the_ends_are_the_likeliest():
    best = preference.learn_greys(()).best
    gaps = (preference.STEPS[:, None] - preference.STEPS) / preference.UNIT
    cov = 9.0 * np.exp(-0.5 * (gaps / 2.0) ** 2)
    drawn = np.random.default_rng(1).multivariate_normal(np.zeros(9), cov, size=4000)
    np.testing.assert_allclose(best, np.bincount(drawn.argmax(axis=1), minlength=9) / 4000, atol=0.03)
    assert best[[0, -1]].min() > 2 * best[1:-1].max()


def test_the_level_is_taken_away_and_the_band_is_the_differences():
    learned = preference.learn_greys(preference.simulated_person(0.5)[:10])
    assert learned.mean.mean() == pytest.approx(0.0, abs=1e-12)
    raised = preference.learn_greys(())
    assert (learned.std < raised.std).all()
    assert learned.best.sum() == pytest.approx(1.0)


def test_turning_every_answer_round_turns_the_curve():
    answers = preference.simulated_person(1.0)
    there, back = preference.learn_greys(answers), preference.learn_greys(tuple(-answer for answer in answers))
    np.testing.assert_allclose(there.mean, -back.mean, atol=1e-6)
    np.testing.assert_allclose(there.std, back.std, atol=1e-6)


def test_the_greys_explorer_takes_your_answers_and_lets_you_go_back():
    explorer = unlocked("explore_greys")
    explorer.controls["A"].click()
    explorer.controls["B"].click()
    assert "You answer. Answers so far: 2. Last: " in sentence(explorer)
    assert "answer B." in sentence(explorer)
    explorer.set(seen=1)
    assert "Answers so far: 1." in sentence(explorer)
    explorer.controls["A"].click()
    assert "Answers so far: 2." in sentence(explorer)
    assert "answer A." in sentence(explorer)
    explorer.set(seen=30)
    assert "Answers so far: 2." in sentence(explorer)  # the slider cannot run ahead of you
    for _ in range(40):
        explorer.controls["A"].click()
    assert "Answers so far: 30." in sentence(explorer)
    assert "Question" not in sentence(explorer)


def test_the_simulated_person_answers_at_a_button():
    explorer = unlocked("explore_greys")
    explorer.set(who=SIMULATED, seen=4)
    explorer.controls["A"].click()
    expected = "B" if preference.simulated_person(0.5)[4] > 0 else "A"
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
