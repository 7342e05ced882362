"""What the explorers of lecture 03 and their explanations claim, computed in another way."""

import re
import warnings
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import entropy, multivariate_normal, norm

from course_lessons.mixtures import em_trace, hearing, plots, variance_floor
from course_lessons.mixtures.explore import (
    MOVED,
    check_responsibilities,
    check_update,
    explore_bound,
    explore_em,
    explore_floor,
    explore_rounds,
)
from course_lessons.mixtures.mixture_sizes import Growth
from course_lib import datasets
from course_lib import sequences as seq
from course_widgets import figure
from tests.course_lessons.explored import sentence, told_apart

BEST, PLATEAU = -144.66870585815533, -179.2516291278165


def plain_em(x, means, rounds, std=1.0):
    """Log likelihood before each round, and at the end (weights, means, stds), by the formulas as they stand."""
    weights, means, stds = np.full(2, 0.5), np.array(means, dtype=float), np.full(2, std)
    trace = []
    for _ in range(rounds):
        joint = weights * norm.pdf(x[:, None], means, stds)
        trace.append(np.log(joint.sum(axis=1)).sum())
        gamma = joint / joint.sum(axis=1, keepdims=True)
        owned = gamma.sum(axis=0)
        weights, means = owned / len(x), (gamma * x[:, None]).sum(axis=0) / owned
        stds = np.sqrt((gamma * (x[:, None] - means) ** 2).sum(axis=0) / owned)
    return np.array(trace), (weights, means, stds)


def test_the_rounds_of_the_opening_are_those_of_the_library():
    X, explorer = variance_floor.frames_of_six((1, 4))[0], explore_rounds()
    start = seq.Mixture(np.full(3, 1 / 3), np.array([[20.0, -20], [30, 0], [40, 20]]), np.array(3 * [300 * np.eye(2)]))
    for done in (0, 1, 20):
        explorer.set(done=done)
        mixture = start
        if done:
            options = {"init": start, "min_variance": 0, "tol": 0, "max_iter": done}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it has not converged yet
                mixture = seq.GaussianMixture(3, "full", **options).fit(X).mixture_
        joint = np.array([w * multivariate_normal(m, S).pdf(X) for w, m, S in zip(*mixture, strict=True)])
        first, second, third = owned = (joint > 2 / 3 * joint.sum(axis=0)).sum(axis=1)
        assert f"{first}, {second} and {third} of the 663 frames; {663 - owned.sum()} are" in sentence(explorer)


@pytest.mark.parametrize(("means", "rounds"), [((-1.0, 1.0), 12), ((3.0, 3.1), 80)])
def test_half_steps_are_those_of_the_formulas(means, rounds):
    trace, (weights, centers, stds) = plain_em(em_trace.two_groups()[:, 0], means, rounds)
    steps = em_trace.half_steps_from(*means)
    np.testing.assert_allclose([s.log_likelihood for s in steps[: 2 * rounds : 2]], trace, rtol=1e-9)
    np.testing.assert_allclose(steps[2 * rounds].mixture.weights, weights, rtol=1e-6)
    np.testing.assert_allclose(steps[2 * rounds].mixture.means[:, 0], centers, rtol=1e-6)
    np.testing.assert_allclose(steps[2 * rounds].mixture.covariances[:, 0], stds**2, rtol=1e-6)


def test_the_points_are_two_groups_of_forty():
    x = em_trace.two_groups()[:, 0]
    assert len(x) == 80
    for group, mean in ((x[:40], -2), (x[40:], 2)):
        assert abs(group.mean() - mean) < 4 * 0.8 / np.sqrt(40)
        assert 0.6 < group.std() < 1.0


def test_nearly_equal_starts_look_converged_and_are_not():
    after = np.array([step.log_likelihood for step in em_trace.half_steps_from(3.0, 3.1)[::2]])
    gains = np.diff(after)
    assert gains[1] < 1e-3
    assert after[1] == pytest.approx(-179.25, abs=0.01)
    assert after[-1] == pytest.approx(BEST, abs=1e-3)
    assert np.argmax(after > BEST - 0.1) == 71
    assert np.argmax(gains[1:] > 0.5) + 2 == 65
    _, (weights, means, _) = plain_em(em_trace.two_groups()[:, 0], (3.0, 3.1), 1)
    np.testing.assert_allclose([*means, *weights], [-0.1, 0.4, 0.57, 0.43], atol=0.03)
    gamma = em_trace.half_steps_from(3.0, 3.1)[3].gamma
    assert gamma.min() > 0.33
    assert gamma.max() < 0.67


def test_identical_starts_never_leave_the_one_gaussian():
    steps = em_trace.half_steps_from(3.0, 3.0)
    one = seq.fit_gaussian(em_trace.two_groups())
    assert one.log_density(em_trace.two_groups()).sum() == pytest.approx(PLATEAU, abs=1e-6)
    for step in steps[2:]:
        np.testing.assert_allclose(step.gamma, 0.5, atol=1e-9)
        assert step.log_likelihood == pytest.approx(PLATEAU, abs=1e-6)


def test_every_start_with_two_different_means_ends_in_the_best():
    grid = np.arange(-4, 4.01, 1)
    starts = [(a, b) for a in grid for b in grid if a <= b] + [(3.0, -1.0)]
    ends = {(a, b): em_trace.half_steps_from(float(a), float(b))[-1].log_likelihood for a, b in starts}
    assert ends[3.0, -1.0] == pytest.approx(ends[-1.0, 3.0], abs=1e-9)  # which of the two is first does not matter
    assert max(ends.values()) < BEST + 1e-6
    assert all(end == pytest.approx(PLATEAU if a == b else BEST, abs=0.01) for (a, b), end in ends.items())


def test_the_bound_touches_in_e_and_lags_by_the_divergence_in_m():
    x, steps = em_trace.two_groups()[:, 0], em_trace.half_steps_from(-1.0, 1.0)
    for before, after in zip(steps[1:9:2], steps[2:10:2], strict=True):
        assert before.bound == before.log_likelihood
        assert before.log_likelihood < after.bound < after.log_likelihood
        theta = after.mixture
        joint = theta.weights * norm.pdf(x[:, None], theta.means[:, 0], np.sqrt(theta.covariances[:, 0]))
        posterior = joint / joint.sum(axis=1, keepdims=True)
        gap = entropy(before.gamma, posterior, axis=1).sum()
        assert after.log_likelihood - after.bound == pytest.approx(gap, rel=1e-6)


def test_colours_move_in_e_and_curves_in_m():
    steps = em_trace.half_steps_from(-1.0, 1.0)
    for half, (before, after) in enumerate(pairwise(steps[:9]), 1):
        same_curves = np.array_equal(before.mixture.means, after.mixture.means)
        same_colours = before.gamma is after.gamma
        assert (same_curves, same_colours) == ((True, False) if half % 2 else (False, True))


def test_the_em_explorer_says_what_moved():
    explorer = explore_em()
    assert "No point is assigned to a component yet" in sentence(explorer)
    explorer.press("Next half-step")
    assert "E: the colours moved, the curves (means -1.00 and 1.00) stay" in sentence(explorer)
    explorer.press("Next half-step")
    assert "M (round 1): the curves moved, the colours stay" in sentence(explorer)
    assert "rose by 52.437" in sentence(explorer)
    explorer.press("nearly equal, 10 rounds")
    assert "it looks converged" in sentence(explorer)
    explorer.press("identical")
    assert "-179.2516: nothing moves any more" in sentence(explorer)
    for _ in range(10):
        explorer.press("Next 10 rounds")
    assert "Half-step 160" in sentence(explorer)


def scores(components, floor, amount):
    """Mean log density of a training and of a held-out frame, by the formula; and components at the smallest σ."""
    X, model, *_ = variance_floor.fitted_with_floor(components, floor, amount)
    stds = np.sqrt(model.covariances_[:, 0])
    means = [
        np.log((model.weights_ * norm.pdf(part, model.means_[:, 0], stds)).sum(axis=1)).mean()
        for part in (X, variance_floor.frames_of_six((1,))[1])
    ]
    return *means, int((stds < 1.001 * floor).sum())


def test_spikes_please_the_training_frames_only():
    """The explanation under explore_floor, in its numbers."""
    two, twelve = scores(2, 0.1, 20), scores(12, 0.1, 20)
    assert twelve[0] > two[0] + 1
    assert two[1] - 3 < twelve[1] < two[1] - 2.5
    assert twelve[2] >= 3
    assert two[1] == pytest.approx(-5.25, abs=0.005)
    assert scores(12, 10.0, 20)[1] == pytest.approx(-5.27, abs=0.006)
    many = scores(12, 0.1, None)
    assert many[1] == pytest.approx(-4.86, abs=0.005)
    assert many[2] == 0
    assert scores(2, 0.1, None)[1] == pytest.approx(-4.85, abs=0.005)


def test_the_floor_explorer_says_its_scores():
    explorer = explore_floor()
    explorer.press("12 components, 20 frames")
    train, held_out, spikes = scores(12, 0.1, 20)
    assert f"training {train:.2f}, held out {held_out:.2f}" in sentence(explorer)
    assert sentence(explorer).endswith(f"smallest σ: {spikes}.")


POINTS, RIGHT = [-1.1, 0, 0.55, 1.1], np.array([0.1, 0.5, 0.75, 0.9])
DENSITIES = 0.5 * norm.pdf(POINTS, 1, 1)


test_responsibilities_by_hand_are_right_or_told_apart = told_apart(
    lambda mine: check_responsibilities(list(mine), [0.5, 0.5], [-1, 1], [1, 1], POINTS),
    (RIGHT, "✓ 4 of 4 are right."),
    ([None] * 4, "○ Nothing to check yet: all are still empty."),
    ([None, 0.5, None, 0.91], "✓ 2 of 4 are right. 2 are still empty."),
    (DENSITIES, "what must the numbers of all components add up to"),
    (DENSITIES / DENSITIES.sum(), "over the points"),
    (1 - RIGHT, "other component"),
    ([1 / 9, 1, 3, 9], "odds"),
    ([0.1, 0.5, 0.6, 0.9], "Look at x = 0.55: you wrote 0.6. There the components explain the point with"),
)


def test_responsibilities_by_hand_use_the_weights():
    said = check_responsibilities([0.1, 0.5], [0.9, 0.1], [-1, 1], [1, 1], [0, np.log(9) / 2])
    assert said == "✓ 2 of 2 are right."


GAMMA = np.array([0.1, 0.5, 0.75, 0.9])
MEAN = GAMMA @ POINTS / 2.25
VARIANCE = GAMMA @ (np.array(POINTS) - MEAN) ** 2 / 2.25


test_an_m_step_by_hand_is_right_or_told_apart = told_apart(
    lambda mine: check_update(*mine, POINTS, GAMMA, old_mean=1.0),
    ((None, MEAN, VARIANCE), "Nothing to check yet"),
    ((0.5625, 0.574, 0.309), "✓ All three"),
    ((2.25, MEAN, VARIANCE), "The weight: this is N_k"),
    ((0.5625, 2.25 * MEAN, VARIANCE), "The mean: this is the sum"),
    ((0.5625, 2.25 * MEAN / 4, VARIANCE), "divided by all points"),
    ((0.5625, np.mean(POINTS), VARIANCE), "counts alike"),
    ((0.5625, MEAN, GAMMA @ (np.array(POINTS) - 1) ** 2 / 2.25), "about the old mean"),
    ((0.5625, MEAN, np.sqrt(VARIANCE)), "square it"),
    ((0.5625, MEAN, 2.25 * VARIANCE), "this is a sum"),
    ((0.5, MEAN, VARIANCE), "The weight is not 0.5"),
)


def test_growth_is_drawn_as_it_is():
    history = [Growth(1, -5.0, -5.1, 100.0), Growth(2, -4.0, -4.5, 90.0), Growth(4, -3.5, -4.7, 95.0)]
    _, ax = figure()
    train, dev = plots.draw_growth(history, ax).lines
    assert train.get_xdata().tolist() == dev.get_xdata().tolist() == [1, 2, 4]
    assert train.get_ydata().tolist() == [-5.0, -4.0, -3.5]
    assert dev.get_ydata().tolist() == [-5.1, -4.5, -4.7]


@pytest.mark.parametrize("old", [60.0, 10.0, -20.0])
def test_the_bound_touches_at_the_old_mean_and_is_highest_where_the_m_step_goes(old):
    x = variance_floor.frames_of_six((1,))[0]
    likelihood, bound, new = plots.draw_bound(x, MOVED, old, True, figure()[1])
    grid = np.linspace(-30, 70, 201)
    gap = np.array([likelihood(mean) - bound(mean) for mean in grid])
    assert grid[gap.argmin()] == old
    assert gap.min() == pytest.approx(0, abs=1e-9)
    joint = 0.5 * norm.pdf(x, [-50, old], 25)
    assert likelihood(old) == pytest.approx(np.log(joint.sum(axis=1)).sum())
    gamma = joint[:, 1] / joint.sum(axis=1)
    assert new == pytest.approx(gamma @ x[:, 0] / gamma.sum())
    assert grid[np.argmax([bound(mean) for mean in grid])] == pytest.approx(new, abs=0.5)
    best = grid[np.argmax([likelihood(mean) for mean in grid])]
    assert abs(old - new) < abs(old - best)  # as the explorer's feedback says: before the maximum


def test_the_bound_explorer_walks_up_and_never_down():
    explorer, heights = explore_bound(), []
    explorer.press("E-step")
    for _ in range(6):
        heights.append(
            float(
                re.search(r"there the bound is −[\d.]+, the log likelihood −([\d.]+)\.", sentence(explorer)).group(1)
            )
        )
        explorer.press("M-step")
    assert heights == sorted(heights, reverse=True) and explorer.values()["touching"]


def test_a_component_is_heard_as_loud_as_its_share_of_each_frame(monkeypatch):
    digits = datasets.load_spoken_digits()
    six = digits.select((digits.labels == 6) & (digits.speakers == "theo"))
    model = seq.GaussianMixture(2, init=[[-50.0], [20.0]]).fit(np.concatenate(six.sequences)[:, [1]])
    monkeypatch.setattr(hearing, "whisper_rows", lambda rows, rate, hop_seconds: rows)
    (whole, *parts), *_ = hearing.hear_parts(six, model, ("the hiss", "the vowel"))
    decibels = [(part - whole[1])[:, 0] / np.sqrt(128) for _, part in parts]  # of the mean band
    shares = model.predict_proba(whole[1][:, [1]]).clip(1e-3, 1)
    np.testing.assert_allclose(np.transpose(decibels), 20 * np.log10(shares), atol=1e-9)
    assert all((part[:, 1:] == whole[1][:, 1:]).all() for _, part in parts)
