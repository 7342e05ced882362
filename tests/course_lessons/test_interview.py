"""What lecture 10 says of the people who answer, computed in another way."""

import numpy as np
import pytest
from scipy.stats import norm

from course_lessons.i_prefer_b import interview
from course_lessons.i_prefer_b.baselines import BradleyTerry


def test_each_grey_is_marked_twice_and_each_pair_compared_once():
    assert sorted(interview.MARKED_GREYS[:5]) == sorted(interview.MARKED_GREYS[5:]) == list(range(5))
    assert len({frozenset(pair) for pair in interview.COMPARED_PAIRS.tolist()}) == 10


def test_the_simulated_judge_is_as_the_explanation_says():
    answers = interview.simulated_judge()
    found = interview.judged(answers)
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
    found = interview.judged(interview.simulated_judge())
    steps = [later - earlier for marks in found[:2] for k, earlier in enumerate(marks) for later in marks[k + 1 :]]
    assert len(steps) == 20
    assert sorted(np.sign(steps))[:2] == [0, 1]


def test_without_drift_the_marks_order_all_pairs():
    assert interview.judged(interview.simulated_judge(drift=0.0)).from_marks == 20


def test_drift_changes_marks_and_no_comparison():
    steady, drifting = interview.simulated_judge(drift=0.0), interview.simulated_judge(drift=11.0)
    assert steady[10:] == drifting[10:]
    np.testing.assert_array_equal(np.subtract(drifting, steady)[:10], np.repeat([11, -11], 5))


@pytest.mark.parametrize("size", [0.5, 1.0, 2.0])
def test_gap_and_noise_doubled_give_the_same_choices(size):
    chance, for_b = interview.gap_choices(size, size)
    assert chance == pytest.approx(0.760, abs=5e-4)
    assert for_b.sum() == 14
    np.testing.assert_array_equal(for_b, interview.gap_choices(0.25, 0.25)[1])


@pytest.mark.parametrize(("gap", "noise"), [(0.5, 0.5), (-1.5, 1.0), (2.0, 3.0)])
def test_the_probability_is_that_of_two_noisy_judgements(gap, noise):
    grid = np.linspace(-40, 40, 160_001)
    density = norm.pdf(grid, gap, noise) * norm.cdf(grid, 0, noise)  # B at `grid`, and A below it
    assert interview.gap_choices(gap, noise)[0] == pytest.approx(density.sum() * (grid[1] - grid[0]), abs=1e-9)


def test_a_person_without_noise_answers_as_f_does():
    a, b = interview.GREY_STEPS[interview.grey_questions()].T
    nearer = np.where(np.abs(b - interview.TRUE_MIDDLE) < np.abs(a - interview.TRUE_MIDDLE), 1, -1)
    assert (a != b).all()
    np.testing.assert_array_equal(interview.simulated_person(0.0), nearer)


def test_the_curve_orders_the_greys_as_bradley_terry_does():
    answers = interview.simulated_person(0.5)
    learned = interview.learn_greys(answers)
    strength = BradleyTerry(alpha=0.1).fit(interview.grey_questions(), answers, 9).strength_
    at_steps = np.interp(interview.GREY_STEPS, interview.GREY_GRID, learned.mean)
    assert np.corrcoef(at_steps, strength)[0, 1] > 0.85


def test_the_numbers_of_the_explanation():
    careful, noisy = (interview.learn_greys(interview.simulated_person(noise)) for noise in (0.5, 3.0))
    assert (careful.height, noisy.height) == pytest.approx((6.7, 2.9), abs=0.05)
    widths = [1.645 * learned.std.mean() for learned in (careful, noisy)]
    assert widths == pytest.approx([1.2, 0.7], abs=0.05)
    assert [w / h for w, h in zip(widths, (careful.height, noisy.height), strict=True)] == pytest.approx(
        [0.18, 0.26], abs=0.005
    )
    assert [interview.GREY_STEPS[learned.best.argmax()] for learned in (careful, noisy)] == [128, 104]
    assert [learned.best.max() for learned in (careful, noisy)] == pytest.approx([0.81, 0.31], abs=0.02)


def test_no_question_is_a_tie_for_the_simulated_person():
    a, b = interview.true_greyness(interview.GREY_STEPS[interview.grey_questions()].T)
    assert np.abs(b - a).min() > 0.1


def test_before_the_first_answer_the_ends_are_the_likeliest():
    best = interview.learn_greys(()).best
    gaps = (interview.GREY_STEPS[:, None] - interview.GREY_STEPS) / interview.GREY_UNIT
    cov = 9.0 * np.exp(-0.5 * (gaps / 2.0) ** 2)
    drawn = np.random.default_rng(1).multivariate_normal(np.zeros(9), cov, size=4000)
    np.testing.assert_allclose(best, np.bincount(drawn.argmax(axis=1), minlength=9) / 4000, atol=0.03)
    assert best[[0, -1]].min() > 2 * best[1:-1].max()


def test_the_level_is_taken_away_and_the_band_is_the_differences():
    learned = interview.learn_greys(interview.simulated_person(0.5)[:10])
    assert learned.mean.mean() == pytest.approx(0.0, abs=1e-12)
    raised = interview.learn_greys(())
    assert (learned.std < raised.std).all()
    assert learned.best.sum() == pytest.approx(1.0)


def test_turning_every_answer_round_turns_the_curve():
    answers = interview.simulated_person(1.0)
    there, back = interview.learn_greys(answers), interview.learn_greys(tuple(-answer for answer in answers))
    np.testing.assert_allclose(there.mean, -back.mean, atol=1e-6)
    np.testing.assert_allclose(there.std, back.std, atol=1e-6)
