"""Explorers of lecture 03: EM in rounds and half-steps, and what too many components do; and checks.

Lecture: 03, sections 2–5.
"""

import numpy as np
from scipy.stats import norm

from course_lessons.mixtures import plots
from course_lessons.mixtures.em_trace import MAX_ROUNDS, em_half_steps, half_steps_from, two_groups
from course_lessons.mixtures.variance_floor import fitted_with_floor, frames_of_six
from course_lib import sequences as seq
from course_lib import validation
from course_lib.sequences import checks
from course_lib.sequences import mixture as mixtures
from course_widgets.controls import choice, slider, switch
from course_widgets.drawings import draw_histogram
from course_widgets.frame import Explorer, PredictionFeedback, increment_by
from course_widgets.replies import likeness, reply
from course_widgets.style import GREY, VERMILION

ROUNDS = 40


def explore_rounds():
    """Real frames that nobody has labelled, in the plane of two coefficients, and three Gaussians that part them."""
    X = frames_of_six((1, 4))[0]
    start = seq.Mixture(np.full(3, 1 / 3), np.array([[20.0, -20], [30, 0], [40, 20]]), np.array(3 * [300 * np.eye(2)]))
    rounds = em_half_steps(X, start, ROUNDS + 1, "full")[1::2]  # after each E-step: the ellipses, and whose the frames

    def draw(figure, done):
        now, ax = rounds[done], figure.add_subplot()
        plots.draw_plane(X, now.gamma, now.mixture, ax)
        figure.subplots_adjust(left=0.13)
        ax.set(xlim=(-120, 95), ylim=(-140, 90))
        ax.set(xlabel="coefficient 1 (large: low frequencies are loud)", ylabel="coefficient 4 (a finer detail)")
        for place, sound in (((-100, 60), "hiss"), ((60, -125), "vowel"), ((60, 45), "in between")):
            ax.text(*place, sound, ha="center")
        first, second, third = owned = (now.gamma > plots.CLEARLY).sum(axis=0)
        return (
            f"Each dot is a frame of “six”. After {done} round{'s' * (done != 1)} the three Gaussians (ellipses) have "
            f"{first}, {second} and {third} of the {len(X)} frames; {len(X) - owned.sum()} are shared (grey)."
        )

    return Explorer(draw, figsize=(6.4, 4.4), done=slider("rounds", 0, ROUNDS, 1))


MOVED = seq.Mixture(np.full(2, 0.5), np.array([[-50.0], [60.0]]), np.full((2, 1), 625.0))  # only the last mean moves


def explore_bound():
    """The log likelihood along one parameter, and the lower bound that touches it wherever the old mean is."""
    x = frames_of_six((1,))[0]

    def draw(figure, old, touching):
        figure.subplots_adjust(left=0.13)
        likelihood, bound, new = plots.draw_bound(x, MOVED, old, touching, figure.add_subplot())
        if not touching:
            return f"At the old mean, {old:.1f}, the log likelihood is {likelihood(old):.1f}.".replace("-", "−")
        return (
            f"The bound touches the log likelihood at the old mean, {old:.1f}: {likelihood(old):.1f}. Its top is at "
            f"the new mean, {new:.1f}; there the bound is {bound(new):.1f}, the log likelihood {likelihood(new):.1f}."
        ).replace("-", "−")

    return Explorer(
        draw,
        predict=(
            "E-step and M-step from μ₂ = 60: is the top of the bound to the right of the maximum of the log "
            "likelihood, at it, or to its left?",
            ["to its right", "at it", "to its left"],
        ),
        feedback=PredictionFeedback(
            "to its right",
            "the bound is more curved than the log likelihood, so its top is closer to the old mean.",
            lambda old, touching: touching and old > 40,
        ),
        cases={"E-step": {"touching": True}},
        actions={"M-step": lambda e: e.set(old=plots.top_of_bound(x, MOVED, e.values()["old"]))},
        figsize=(6.8, 3.8),
        old=slider("old mean μ₂", -30.0, 70.0, 60.0, 0.5),
        touching=switch("E-step: the bound that touches here"),
    )


def explore_em():
    """EM in half-steps on 80 points: colours move in the E-step, curves in the M-step; beside it, what it climbs."""

    return Explorer(
        _draw_half_step,
        predict=(
            "In which half-steps does the log likelihood rise?",
            ["in the E-steps", "in the M-steps", "in both"],
        ),
        feedback=PredictionFeedback(
            "in the M-steps",
            "it belongs to the curves, which move only then. The E-step changes colours and raises the bound.",
            lambda half_steps, mean_1, mean_2: half_steps >= 2,
        ),
        cases={
            "spread": {"half_steps": 6, "mean_1": -1.0, "mean_2": 1.0},
            "nearly equal, 10 rounds": {"half_steps": 20, "mean_1": 3.0, "mean_2": 3.1},
            "nearly equal, 75 rounds": {"half_steps": 150, "mean_1": 3.0, "mean_2": 3.1},
            "identical": {"half_steps": 150, "mean_1": 3.0, "mean_2": 3.0},
        },
        actions={"Next half-step": increment_by("half_steps"), "Next 10 rounds": increment_by("half_steps", 20)},
        figsize=(8.5, 3.8),
        half_steps=slider("half-steps done", 0, 2 * MAX_ROUNDS, 0),
        mean_1=slider("first mean at the start", -4.0, 4.0, -1.0, 0.1),
        mean_2=slider("second mean at the start", -4.0, 4.0, 1.0, 0.1),
    )


def _draw_half_step(figure, half_steps, mean_1, mean_2):
    steps = half_steps_from(round(mean_1, 1), round(mean_2, 1))
    now, grid = steps[half_steps], np.linspace(-5, 5, 300)
    panels = figure.add_gridspec(2, 2, width_ratios=(1.25, 1), height_ratios=(1.6, 1), hspace=0.12, wspace=0.28)
    curves, points, climb = (figure.add_subplot(panels[place]) for place in [(0, 0), (1, 0), (slice(None), 1)])
    stds = np.sqrt(now.mixture.covariances[:, 0])
    plots.draw_components(grid, now.mixture.weights, now.mixture.means[:, 0], stds, curves)
    curves.set(xlim=(-5, 5), ylim=(0, 0.42), xticks=[], yticks=[0, 0.2, 0.4])
    curves.legend(loc="upper center", ncols=3, fontsize=8, columnspacing=1, handlelength=2.4)
    plots.draw_owners(two_groups()[:, 0], None if now.gamma is None else now.gamma[:, 1], points)
    points.set(xlim=(-5, 5))
    seen = steps[: half_steps + 1]
    plots.draw_climb([s.log_likelihood for s in seen], [s.bound for s in seen], climb, best=-144.7)
    climb.set(xlim=(-0.5, max(10, half_steps) + 0.5), ylim=(-225, -138), yticks=range(-220, -139, 20))
    return _half_step_sentence(steps, half_steps)


def _half_step_sentence(steps, half_steps):
    now = steps[half_steps]
    means = " and ".join(f"{m:.2f}" for m in now.mixture.means[:, 0])
    if half_steps == 0:
        return (
            f"The start: means {means}, σ = 1. No point is assigned to a component yet. "
            f"Log likelihood {now.log_likelihood:.1f}."
        )
    if half_steps % 2:
        return (
            f"Half-step {half_steps}, E: the colours moved, the curves (means {means}) stay. The bound touches the "
            f"log likelihood, {now.log_likelihood:.4f}."
        )
    gain = now.log_likelihood - steps[half_steps - 1].log_likelihood
    stds = " and ".join(f"{s:.2f}" for s in np.sqrt(now.mixture.covariances[:, 0]))
    if gain < 1e-9:
        news = f"The log likelihood stays at {now.log_likelihood:.4f}: nothing moves any more"
    elif gain < 1e-3:
        news = f"The log likelihood rose by less than 0.001, to {now.log_likelihood:.4f}: it looks converged"
    else:
        news = f"The log likelihood rose by {gain:.3f} to {now.log_likelihood:.4f}"
    return (
        f"Half-step {half_steps}, M (round {half_steps // 2}): the curves moved, the colours stay. Means {means}, "
        f"σ {stds}. {news}."
    )


AMOUNTS = {"20 frames": 20, "60 frames": 60, "all 663 frames": None}
FLOORS = {"0.1": 0.1, "1": 1.0, "5": 5.0, "10": 10.0}


def explore_floor():
    """Too many components for too few frames: spikes on single frames, and three ways to prevent them."""
    few = {"amount": "20 frames", "floor": "0.1"}
    return Explorer(
        _draw_floor,
        predict=(
            "20 training frames. When we go from 2 components to 12, their log density rises, and that of the "
            "held-out frames falls. Which changes more?",
            ["training", "held out", "both alike"],
        ),
        feedback=PredictionFeedback(
            "held out",
            "it falls from −5.25 to −7.93; training rises from −4.81 to −3.67. A spike fits only its own frame.",
            lambda components, floor, amount: components == 12 and {"amount": amount, "floor": floor} == few,
        ),
        cases={
            "2 components, 20 frames": {**few, "components": 2},
            "12 components, 20 frames": {**few, "components": 12},
            "12 components, a floor": {**few, "components": 12, "floor": "10"},
            "12 components, all frames": {**few, "components": 12, "amount": "all 663 frames"},
        },
        figsize=(8, 3.2),
        components=slider("components", 1, 12, 2),
        floor=choice("smallest σ allowed", FLOORS.keys()),
        amount=choice("training frames", AMOUNTS.keys()),
    )


def _draw_floor(figure, components, floor, amount):
    X, model, train, held_out = fitted_with_floor(components, FLOORS[floor], AMOUNTS[amount])
    ax = figure.add_subplot()
    stds, means = np.sqrt(model.covariances_[:, 0]), model.means_[:, 0]
    grid = np.sort(np.concatenate([np.linspace(-125, 100, 400), *(means + d * stds for d in (-1, -0.3, 0, 0.3, 1))]))
    draw_histogram(
        frames_of_six((1,))[1][:, 0],
        ax,
        bins=np.linspace(-125, 100, 46),
        label="coefficient 1 (bars: held-out frames)",
    )
    density = (model.weights_ * norm.pdf(grid[:, None], means, stds)).sum(axis=1)
    ax.plot(grid, density, color=VERMILION, linestyle="-", label="p(x)")
    ax.plot(X[:, 0], np.full(len(X), -0.002), marker="|", linestyle="", color=GREY, label="training frames")
    ax.set(xlim=(-125, 100), xticks=range(-100, 100, 25), ylim=(-0.004, 0.045))
    ax.legend(loc="upper right", fontsize=9)
    spikes = int((stds <= 1.001 * FLOORS[floor]).sum())
    return (
        f"K = {components}, σ at least {floor}, {len(X)} training frames. Mean log density per frame: training "
        f"{train:.2f}, held out {held_out:.2f}. Components at the smallest σ: {spikes}."
    )


def check_responsibilities(mine, weights, means, stds, points):
    """Feedback on responsibilities of the last component that a student worked out by hand, as one sentence.

    mine : N numbers, right to 0.02;  weights, means, stds : (K,) each;  points : (N,), in one dimension
    """
    points = validation.real_array(points, "points")
    mine = validation.answers(mine, "mine")
    if points.ndim != 1 or mine.shape != points.shape:
        raise ValueError(
            f"mine has {mine.size} entries (shape {mine.shape}); one for each of the {points.size} points (shape "
            f"{points.shape}) is needed: (N,)."
        )
    weights = checks.probabilities(weights, "weights", (validation.array(weights, "weights").size,))
    _, means, stds = validation.vectors(weights=weights, means=means, stds=validation.positives(stds, "stds"))
    model = seq.Mixture(weights, means[:, None], stds**2)
    log_joint = mixtures.joint_log_densities(points[:, None], model, "spherical")
    gamma, joint = mixtures.responsibilities(log_joint)[:, -1], np.exp(log_joint)
    written = ~np.isnan(mine)
    if not written.any():
        return "○ Nothing to check yet: all are still empty."
    wrong = np.flatnonzero(written & ~(np.abs(mine - gamma) < 0.02))
    if not len(wrong):
        left = int((~written).sum())
        return f"✓ {written.sum()} of {len(mine)} are right." + (f" {left} are still empty." if left else "")
    n, last = int(wrong[0]), joint[:, -1]
    looks_like = {
        "✗ These are π N(x | μ, σ²). For one point, what must the numbers of all components add up to?": last,
        "✗ These add up to 1 over the points. For one point, what must add up to 1?": last / last.sum(),
        "✗ These are the responsibilities of the other component.": 1 - gamma,
        "✗ These are odds, how many times likelier. What share does a ratio of r to 1 give?": gamma / (1 - gamma),
    }
    otherwise = (
        f"✗ Look at x = {points[n]:g}: you wrote {mine[n]:g}. There the components explain the point with "
        f"{' and '.join(f'{value:.3f}' for value in joint[n])}. What share of their sum is the last number?"
    )
    looks_like = {sentence: values[written] for sentence, values in looks_like.items()}
    return likeness(mine[written], looks_like, otherwise, rtol=0.02, atol=0.02)


def check_update(my_weight, my_mean, my_variance, points, gamma, old_mean):
    """Feedback on one component's M-step that a student worked out by hand, as one sentence.

    my_… : right to 0.006;  points : (N,);  gamma : (N,) responsibilities of the component;  old_mean : before the step
    """
    points, gamma = validation.vectors(points=points, gamma=gamma)
    old_mean = validation.finite(old_mean, "old_mean")
    if (gamma < 0).any() or (gamma > 1).any() or not gamma.sum() > 0:
        raise ValueError(f"gamma is {gamma.tolist()}; shares from 0 to 1 are needed, not all of them 0.")
    N, owned = len(points), gamma.sum()
    mean = gamma @ points / owned
    scatter = gamma @ (points - mean) ** 2
    last = f"is not {{my_%s:g}}: point n counts γ_n times; all together {owned:.4g} points."
    rules = {
        owned / N: {
            mean: {
                "✓ All three are right.": scatter / owned,
                "✗ The variance: this is about the old mean. Which mean is best now?": gamma
                @ (points - old_mean) ** 2
                / owned,
                "✗ The variance: this is the standard deviation: square it.": np.sqrt(scatter / owned),
                "✗ The variance: this is a sum. By how many points must it be divided?": scatter,
                f"✗ The variance {last % 'variance'}": None,
            },
            "✗ The mean: this is the sum of γ x. How many points does the component own?": gamma @ points,
            "✗ The mean: you divided by all points. How many does the component own?": gamma @ points / N,
            "✗ The mean: here every point counts alike. With which weight should each count?": points.mean(),
            f"✗ The mean {last % 'mean'}": None,
        },
        "✗ The weight: this is N_k, the component's number of points. What share of all points is that?": owned,
        f"✗ The weight {last % 'weight'}": None,
    }
    mine = {"my_weight": my_weight, "my_mean": my_mean, "my_variance": my_variance}
    return reply("write all three.", rules, atol=0.006, rtol=0, **mine)
