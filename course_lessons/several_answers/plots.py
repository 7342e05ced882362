"""Drawings of what many people answer, what a model expects of the next person, and how models compare.
Each draws on the axes given and returns them.

Lecture: 08, sections 1–7.
"""

import numpy as np
from scipy.stats import norm

from course_widgets.drawings import draw_band
from course_widgets.style import BLUE, GREEN, GREY, ORANGE, PINK, VERMILION, looks

PLAN_LOOKS = ((ORANGE, "-", "o"), (BLUE, "--", "s"), (GREEN, "-.", "^"))
DIVERGENCE_LOOKS = ((BLUE, "-", "o"), (ORANGE, "--", "o"), (PINK, "-.", "o"))
NEXT_TO = 0.05  # a rated item: there a very short lengthscale would show its value as that of a new one
ONE, MEAN_LABEL = "one answer", "mean of R answers"


def draw_counts(scores, counts, ax, mean):
    """How many people gave each score, (C,) both; a dashed line at their mean."""
    ax.bar(scores, counts, width=0.85, color=GREY, alpha=0.55)
    ax.axvline(mean, color=VERMILION, linestyle="--", label=f"mean {mean:.2f}")
    ax.legend(loc="upper left", fontsize=9)
    ax.set(xlabel="answer (score)", xticks=list(scores))
    return ax


def draw_plans(raters, widths, now, ax):
    """What is left unknown of a budget of answers, against the raters of each item, from one plan to another.

    raters : (P,) of the plans on the way;  widths : {name: (P,)} standard deviations, infinite where nothing is told
    now : raters of the plan that is marked
    """
    raters = np.asarray(raters)
    for (name, stds), look in zip(widths.items(), looks(len(widths), PLAN_LOOKS), strict=True):
        known, stds = np.isfinite(stds), np.asarray(stds)
        ax.plot(raters[known], stds[known], **look, markersize=4, label=name)
        here = known & (raters == now)
        ax.plot(raters[here], stds[here], **look, markersize=9)
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


def draw_two_models(X, Y, base, joint, truth, grid, ax):
    """The answers of one data set, and what regression on their means and the joint model learn from them.

    truth : (G,) the true curve on the grid
    """
    draw_answers_of_many(X, Y, ax)
    for name, model, color, line in (("base", base, ORANGE, "--"), ("joint", joint, BLUE, "-")):
        draw_band(grid, *model.predict(grid, return_std=True), ax, color, line, f"{name}: curve, 90 %")
    ax.plot(grid, truth, color="black", linestyle=":", label="truth")
    ax.plot(X, Y.mean(axis=1), "k_", markersize=12, label="means")
    ax.set(xlabel="input x", ylabel="answer")
    ax.legend(fontsize=8, ncols=3, loc="upper left")
    return ax


def draw_values(X, Y, model, truth, grid, ax):
    """The answers of one data set, and the values that a model expects of rated and of new items; truth : (G,)."""
    draw_answers_of_many(X, Y, ax)
    new = grid[np.abs(np.subtract.outer(grid, X)).min(axis=1) > NEXT_TO]
    draw_band(new, *model.predict(new, return_std=True), ax, label="a new item, 90 %")
    mean, std = model.predict(model.items_, return_std=True)
    half = norm.ppf(0.95) * std
    ax.vlines(X, mean - half, mean + half, color=ORANGE)
    ax.plot(X, mean, "o", color=ORANGE, markersize=4, label="a rated item, 90 %")
    ax.plot(grid, truth, color="black", linestyle=":", label="what the inputs explain")
    ax.set(xlabel="input x")
    return ax
