"""Lecture 08: panels on known curves, drawings of what many people answer, an explorer, and checks.

Drawings draw on the axes given and return them.

Lecture: 08, sections 1–6.
"""

from functools import cache

import numpy as np
from scipy.stats import norm

from course_lib import validation
from course_lib.gp import SquaredExponential
from course_lib.judgments.panels.multisample import MultiSampleGP
from course_lib.sequences import checks
from course_widgets.drawings import draw_band
from course_widgets.frame import Explorer, PredictionFeedback, choice, slider
from course_widgets.replies import reply
from course_widgets.style import BLUE, GREEN, GREY, ORANGE, PINK, VERMILION, looks

# --- made panels on a sine: several people rate items, with a scatter of their own, and the curve is known


def sine(x):
    """The value that the inputs explain, at x of any shape."""
    return 1.2 * np.sin(0.9 * validation.real_array(x, "x"))


def sine_panel(seed, items=10, raters=5, spread=1.0, own=0.0):
    """Items at random places in 0 … 10, in order (N,), and answers y_ir = sine(x_i) + u_i + ε_ir (N, R): (X, Y).

    spread : standard deviation σ ≥ 0 of the answers to one item
    own : standard deviation ω ≥ 0 of u, what an item has of its own and all its raters notice
    """
    items, raters = validation.integer(items, "items"), validation.integer(raters, "raters")
    spread, own = validation.not_negative(spread, "spread"), validation.not_negative(own, "own")
    rng = np.random.default_rng(validation.integer(seed, "seed", least=0))
    X = np.sort(rng.uniform(0, 10, items))
    values = sine(X)[:, None]
    if own > 0:
        values = values + own * rng.normal(size=(items, 1))
    return X, values + spread * rng.normal(size=(items, raters))


# --- a panel that rates eight items on a known curve, and an item that nobody has rated

X_ITEMS = np.array([0.4, 1.7, 2.6, 4.1, 5.2, 7.3, 8.4, 9.6])
NEW_INPUT = 6.2  # the item that nobody has rated, in the widest gap
X_GRID = np.linspace(0.0, 10.0, 121)
MOST_RATERS = 50
PRIOR_STD = 2.0
N_PEOPLE = 2000


def true_value(x):
    """The value of the item at x, in scores; nobody sees it."""
    return 5.0 + 2.0 * np.sin(0.8 * np.asarray(x))


@cache
def _scatter():
    """Standard normal: (items, most raters), and (people,) for the new item. The same in every picture."""
    rng = np.random.default_rng(8)
    return rng.normal(size=(len(X_ITEMS), MOST_RATERS)), rng.normal(size=N_PEOPLE)


def panel_answers(raters, spread):
    """(items, raters) answers; more raters keep the answers of the first."""
    return true_value(X_ITEMS)[:, None] + spread * _scatter()[0][:, :raters]


def new_answers(raters, spread):
    """(people,) answers about the new item, and (people // raters,) means of groups."""
    answers = true_value(NEW_INPUT) + spread * _scatter()[1]
    return answers, answers[: N_PEOPLE // raters * raters].reshape(-1, raters).mean(axis=1)


@cache
def predicted(raters, spread, lengthscale):
    """What MultiSampleGP learns from the panel: ((mean, std) on X_GRID, then (mean, std) of the new item's value, of
    one answer to it, and of the mean of as many answers as there are raters).
    """
    kernel = SquaredExponential(PRIOR_STD**2, lengthscale)
    model = MultiSampleGP(kernel, noise_std=spread, optimize=False).fit(X_ITEMS, panel_answers(raters, spread))
    place = np.array([[NEW_INPUT]])
    value, one, many = (
        tuple(float(part[0]) for part in pair)
        for pair in (
            model.predict(place, return_std=True),
            model.predict_answer(place),
            model.predict_answer(place, n_raters=raters),
        )
    )
    return model.predict(X_GRID[:, None], return_std=True), value, one, many


def share_inside(values, prediction):
    """The fraction of the values that lie in the central 90 % of a prediction (mean, std)."""
    mean, std = prediction
    return float(np.mean(np.abs(values - mean) <= norm.ppf(0.95) * std))


# --- drawings: who said what, what a model expects of the next person, and how they compare

TIME_LOOKS = ((BLUE, "-", "o"), (ORANGE, "--", "s"))
DIVERGENCE_LOOKS = ((BLUE, "-", "o"), (ORANGE, "--", "o"), (PINK, "-.", "o"))
ONE, MEAN_LABEL = "one answer", "mean of R answers"


def draw_counts(scores, counts, ax, mean):
    """How many people gave each score, (C,) both; a dashed line at their mean."""
    ax.bar(scores, counts, width=0.85, color=GREY, alpha=0.55)
    ax.axvline(mean, color=VERMILION, linestyle="--", label=f"mean {mean:.2f}")
    ax.legend(loc="upper left", fontsize=9)
    ax.set(xlabel="answer (score)", xticks=list(scores))
    return ax


def draw_times(sizes, times, ax):
    """Durations in ms against the number of items, on logarithmic axes: {name: (S,)}.

    Dotted: growth with the cube of the number, through the last point.
    """
    sizes = np.asarray(sizes, dtype=float)
    for (name, durations), look in zip(times.items(), looks(len(times), TIME_LOOKS), strict=True):
        ax.plot(sizes, durations, **{**look, "linestyle": "-"}, label=name)
        ax.plot(sizes, durations[-1] * (sizes / sizes[-1]) ** 3, color=look["color"], linestyle=":", linewidth=1.2)
    ax.plot([], [], color=GREY, linestyle=":", linewidth=1.2, label="∝ N³, through the last point")
    ax.set(xscale="log", yscale="log", xlabel="items N", ylabel="time (ms)")
    ax.set_xticks(sizes, [f"{size:.0f}" for size in sizes])
    ax.minorticks_off()
    ax.legend(fontsize=9)
    return ax


def draw_answers_of_many(x, Y, ax):
    """Every answer (N, R) to the items at x (N,), as small points."""
    ax.plot(np.repeat(x, Y.shape[1]), Y.ravel(), ".", color=GREY, markersize=4, alpha=0.6, label="answers")
    return ax


def draw_two_estimates(first, second, truth, ax, names):
    """Estimates of one number from many data sets, the second model's against the first's; the truth as lines."""
    ax.axvline(truth, color=GREY, linestyle=":", linewidth=1.2)
    ax.axhline(truth, color=GREY, linestyle=":", linewidth=1.2, label="truth")
    ax.plot(first, second, "o", color=BLUE, markersize=5, label="one data set")
    high = 1.15 * max(np.max(first), np.max(second))
    ax.set(xlim=(-0.05, high), ylim=(-0.05, high), xlabel=names[0], ylabel=names[1])
    ax.legend(loc="lower right", fontsize=9)
    return ax


def draw_rated_curve(grid, truth, mean, std, answer_std, ax):
    """The true curve, the model's curve with its 90 % band, and the 90 % limits of one rater's answer; all (G,)."""
    ax.plot(grid, truth, color="black", linestyle=":", linewidth=1.4, label="true value")
    draw_band(grid, mean, std, ax, label="value: mean, 90 %")
    half = norm.ppf(0.95) * answer_std
    for k, line in enumerate((mean - half, mean + half)):
        ax.plot(grid, line, color=ORANGE, linestyle="--", linewidth=1.4, label=ONE + ", 90 %" if k == 0 else None)
    return ax


def draw_next_answers(values, prediction, ax, limits, what=ONE):
    """What people say of one item, as a histogram, beside the density that a model expects of it.

    values : (P,) answers of single people (ONE), or of groups (MEAN_LABEL);  prediction : (mean, std) of one
    limits : (low, high) of the values that are shown
    """
    seen, fill, color, line = {
        ONE: ("people's answers", GREY, ORANGE, "--"),
        MEAN_LABEL: ("means of R people", GREEN, BLUE, "-"),
    }[what]
    y = np.linspace(*limits, 1201)
    width = np.std(values) * min(0.5, 3.5 * len(values) ** (-1 / 3))  # Scott's rule, but not too wide for few values
    counts, edges = np.histogram(values, np.arange(limits[0], limits[1] + width, width))
    ax.stairs(counts / (len(values) * width), edges, fill=True, color=fill, alpha=0.45, label=seen)
    ax.plot(y, norm.pdf(y, *prediction), color=color, linestyle=line, label=f"model: {what}")
    ax.set(xlim=limits, ylabel="density")
    return ax


def draw_divergences(stds, curves, ax):
    """Divergence in nats against the standard deviation of a prediction: {name: (S,)}; a point at each minimum."""
    for (name, values), look in zip(curves.items(), looks(len(curves), DIVERGENCE_LOOKS), strict=True):
        ax.plot(stds, values, **{**look, "marker": ""}, label=name)
        best = np.argmin(values)
        ax.plot(stds[best], values[best], "o", color=look["color"], markersize=6)
    ax.plot([], [], "o", color=GREY, markersize=6, label="lowest place")
    ax.set(xlabel="σ_* of the prediction (scores)", ylabel="mean discrete KL (nats)")
    ax.legend(fontsize=9)
    return ax


# --- the explorer: many raters, their spread, and what is predicted of the next one

RATER_COUNTS = (1, 2, 5, 20, MOST_RATERS)
LENGTHSCALE_CHOICES = {
    "0.3 (items tell nothing of each other)": 0.3,
    "2 (suits this curve)": 2.0,
    "8 (too stiff)": 8.0,
}
SHORT_LENGTHSCALE, FITTING, LONG_LENGTHSCALE = LENGTHSCALE_CHOICES
INPUT_RANGE = (0.0, 10.0)


def explore_panel():
    """Raters, their spread and a lengthscale: what a panel lets a model say of an item that it has not rated."""
    return Explorer(
        _draw_panel,
        predict=(
            "Each item is rated by 2 people, with σ = 1; then by 50. What happens to the predicted width of one new "
            "person's answer?",
            ["a fifth of what it was", "hardly anything", "it becomes wider"],
        ),
        feedback=PredictionFeedback(
            "hardly anything",
            "± 1.18 becomes ± 1.02. The value becomes certain; what people differ by, σ = 1, stays.",
            lambda raters, spread, lengthscale: (raters, spread, lengthscale) == (MOST_RATERS, 1.0, FITTING),
        ),
        cases={
            "two raters": {"raters": 2, "spread": 1.0, "lengthscale": FITTING},
            "fifty raters": {"raters": 50, "spread": 1.0, "lengthscale": FITTING},
            "fifty raters, too stiff": {"raters": 50, "spread": 1.0, "lengthscale": LONG_LENGTHSCALE},
            "fifty raters, items apart": {"raters": 50, "spread": 1.0, "lengthscale": SHORT_LENGTHSCALE},
        },
        figsize=(9.0, 4.2),
        raters=choice("raters for each item, R", RATER_COUNTS, 2),
        spread=slider("their spread σ (scores)", 0.25, 2.0, 1.0, 0.25),
        lengthscale=choice("lengthscale ℓ", LENGTHSCALE_CHOICES.keys(), FITTING),
    )


def _draw_panel(figure, raters, spread, lengthscale):
    axes = figure.subplot_mosaic([["curve", ONE], ["curve", MEAN_LABEL]], width_ratios=(1.25, 1))
    (mean, std), value, one, many = predicted(raters, spread, LENGTHSCALE_CHOICES[lengthscale])
    answers, means = new_answers(raters, spread)
    curve = axes["curve"]
    draw_rated_curve(X_GRID, true_value(X_GRID), mean, std, np.sqrt(std**2 + spread**2), curve)
    draw_answers_of_many(X_ITEMS, panel_answers(raters, spread), curve)
    curve.axvline(NEW_INPUT, color=VERMILION, linestyle="-.", linewidth=1.2, ymax=0.74, label="the new item")
    curve.set(xlabel="input x of the item", ylabel="answer (score)", ylim=(0, 14), title=f"{raters} × 8 answers")
    curve.legend(loc="upper right", fontsize=8, ncols=2)
    for what, values, prediction, people in ((ONE, answers, one, 1), (MEAN_LABEL, means, many, raters)):
        draw_next_answers(values, prediction, axes[what], INPUT_RANGE, what)
        peak = norm.pdf(0) * np.sqrt(people) / spread  # the only tick: each of them delays the picture
        axes[what].set(ylim=(0, 1.55 * peak), yticks=[0, peak], yticklabels=["0", f"{peak:.2g}"])
        axes[what].legend(loc="upper right", fontsize=8)
    axes[ONE].set(title=f"a new item, x = {NEW_INPUT}", xticks=[])
    axes[MEAN_LABEL].set(xlabel="answer, or mean of answers (score)")
    return (
        f"R = {raters}, σ = {spread:.2f}, ℓ = {LENGTHSCALE_CHOICES[lengthscale]:g}. "
        f"The new item's value: {value[0]:.2f} ± {value[1]:.2f} (true: {true_value(NEW_INPUT):.2f}); "
        f"one answer ± {one[1]:.2f}, mean of {raters} ± {many[1]:.2f}. "
        f"Inside the predicted 90 %: {share_inside(answers, one):.0%} of {N_PEOPLE} people's answers, "
        f"{share_inside(means, many):.0%} of the means of {raters}."
    )


# --- checks of what students write


def check_measurement(my_mean, my_noise, answers, spread):
    """Feedback on the one measurement that a student says an item's answers are worth, as one sentence.

    my_… : right to 0.004;  answers : (R,), NaN where one is missing;  spread : σ, the standard deviation of one answer
    """
    spread, asked = validation.positive(spread, "spread"), validation.answers(answers, "answers")
    given = asked[~np.isnan(asked)]
    if asked.ndim != 1 or given.size == 0:
        raise ValueError(f"answers is {asked.tolist()}; one row is needed, with an answer that is not NaN.")
    R = len(given)
    rules = {
        given.mean(): {
            "✓ Both are right.": spread / np.sqrt(R),
            "✗ The noise: this is one answer's. A mean of several is more certain.": spread,
            "✗ The noise: this is the variance σ²/R. Take the root.": spread**2 / R,
            "✗ The noise: this is σ²/√R. Either σ²/R and its root, or σ/√R.": spread**2 / np.sqrt(R),
            "✗ The noise: the root of the number of answers, not the number.": spread / R,
            "✗ The noise: count the answers that were given, not those that were asked for.": spread
            / len(asked) ** 0.5,
            "✗ The noise: how far these few lie apart teaches σ; here σ is given.": given.std() / np.sqrt(R),
            "✗ The mean is right. Its noise: R answers have the site τ = R/σ². What standard deviation is that?": None,
        },
        "✗ The mean: a missing answer is no 0; leave it out.": given.sum() / len(asked),
        "✗ The mean: of the answers given.": None,
    }
    return reply("write the mean and its noise.", rules, atol=0.004, my_mean=my_mean, my_noise=my_noise)


def check_widths(my_one, my_mean, value_std, spread, raters):
    """Feedback on two predicted widths that a student worked out by hand, as one sentence.

    my_one, my_mean : standard deviations of one answer and of the mean of so many raters, right to 0.004
    value_std : of the item's value;  spread : σ of one answer
    """
    std, spread = validation.positive(value_std, "value_std"), validation.positive(spread, "spread")
    raters = validation.integer(raters, "raters")
    noises = spread, spread / np.sqrt(raters)
    rights, rules = np.hypot(std, noises), {"✓ Both are right.": None}
    for name, k in (("The mean", 1), ("One answer", 0)):
        looks_like = {
            "standard deviations do not add; their squares do.": std + noises[k],
            "this is a variance. Take the root.": std**2 + noises[k] ** 2,
            f"the value is not known, but only to ± {std:g}. Its variance is missing.": noises[k],
            "this is the value's own width. What people differ by is missing.": std,
            "this is the width of the other one.": rights[1 - k],
            "its variance is v plus what people add. How much do they add?": None,
        }
        rules = {rights[k]: rules} | {f"✗ {name}: {words}": number for words, number in looks_like.items()}
    return reply("write both widths.", rules, atol=0.004, my_one=my_one, my_mean=my_mean)


def check_divergence(my_kl, shares, probabilities):
    """Feedback on a discrete Kullback–Leibler divergence that a student worked out by hand, as one sentence.

    my_kl : in nats, right to 0.004;  shares, probabilities : (C,) of the answers, and of the model
    """
    given = validation.positives(probabilities, "probabilities")
    shares, given = validation.vectors(shares=shares, probabilities=given)
    shares = checks.probabilities(shares, "shares", shares.shape)
    given = checks.probabilities(given, "probabilities", given.shape)
    some = shares > 0
    logs = np.log(shares[some] / given[some])
    right = shares[some] @ logs
    rules = {
        "✓ Right.": right,
        "✗ The sign: no divergence is below 0. The shares stand above, the model's P below.": -right,
        "✗ This is in bits. Take the natural logarithm.": right / np.log(2),
        "✗ Each logarithm counts with the share of the raters who gave that score.": logs.sum(),
        "✗ Each logarithm counts with the *raters'* share, not with P.": given[some] @ logs,
        "✗ Not yet. Write a term for each score, share × log(share / P). A score that nobody gave adds 0.": None,
    }
    return reply("write a number.", rules, atol=0.004, rtol=0, my_kl=my_kl)
