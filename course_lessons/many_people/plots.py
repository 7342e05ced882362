"""Drawings of many items and many people: pseudo-inputs, costs, learning curves, and who is like whom.
Each draws on the axes given and returns them.

Lecture: 11, sections 3, 7, 8, 10 and 12.
"""

import numpy as np
from matplotlib.ticker import LogLocator, MaxNLocator

from course_widgets.drawings import HALF_BAND, draw_by_size
from course_widgets.style import BLUE, GREEN, GREY, ORANGE, VERMILION, looks, write_names

COST_LOOKS = ((BLUE, "-", "o"), (ORANGE, "--", "^"), (GREEN, "-.", "s"))
ERROR_LOOKS = ((ORANGE, "--", "o"), (VERMILION, "-", "^"))
LEARNING_LOOKS = ((BLUE, "--", "o"), (ORANGE, ":", "^"), (VERMILION, "-", "s"), (GREEN, "-.", "D"))
TASTE_LOOKS = ((GREY, "--", "o"), (VERMILION, "-", "^"), (BLUE, "-.", "s"), (GREEN, ":", "D"))


def draw_dashed_curve(x, mean, std, ax, label):
    """A latent function, dashed, between thin lines that hold 90 % of the mass; (q,) each."""
    half = HALF_BAND * std
    ax.plot(x, mean, color=BLUE, linestyle="--", linewidth=1.4, label=label)
    ax.plot(x, np.transpose([mean - half, mean + half]), color=BLUE, linestyle="--", linewidth=0.6)
    return ax


def draw_places(places, height, ax, label=None):
    """Pseudo-inputs (M,) as triangles at one height; of two that all but coincide, one stands on the other."""
    places = np.sort(places)
    crowded = np.diff(places, prepend=-np.inf) < 0.1
    ax.plot(places, height + 0.6 * crowded, "^", color=VERMILION, markersize=8, clip_on=False, label=label)
    return ax


def draw_climb(evidences, ax, now, full, label="now"):
    """Log evidence after each step of the search, the present one marked; dashed: that of the full model.

    evidences : (S + 1,) from step 0 on;  now : (step, log evidence) to mark, and its label;  full : log evidence
    """
    ax.axhline(full, color=BLUE, linestyle="--", linewidth=1.4, label="all inputs")
    ax.plot(range(len(evidences)), evidences, color=GREY, linestyle="-", marker=".", label="search")
    ax.plot(*now, color=VERMILION, marker="o", linestyle="", label=label)
    ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    ax.set(xlabel="step of the search", ylabel="log evidence (nats)")
    return ax


def draw_costs(sizes, times, ax, equal):
    """Milliseconds against a size, on logarithmic axes, one line for each name; grey: slope 3, and n = m.

    sizes : (S,);  times : {name: (S,)};  equal : the size at which there are as many items as comparisons
    """
    ax.axvline(equal, color=GREY, linestyle=":", linewidth=1.2)
    steep = np.array([sizes[-1] / 2.5, sizes[-1]])
    highest = max(values[-1] for values in times.values())
    ax.plot(steep, 2 * highest * (steep / steep[-1]) ** 3, color=GREY, linestyle="--", label="slope 3")
    draw_by_size(sizes, times, ax, COST_LOOKS, yscale="log", ylabel="one evaluation (ms)")
    ax.yaxis.set(major_locator=LogLocator(subs=(1, 2, 5)), major_formatter="{x:g}")
    return ax


def draw_errors(numbers, errors, full, ax):
    """Error rate against the number of pseudo-inputs, for each way to place them, and of the full model.

    numbers : (S,);  errors : {name: (repetitions, S)} shares between 0 and 1;  full : (repetitions,)
    """
    for (name, rows), look in zip(errors.items(), looks(len(errors), ERROR_LOOKS), strict=True):
        ax.plot(numbers, 100 * rows.mean(axis=0), **look, label=name)
        ax.plot(numbers, 100 * rows.T, **{**look, "linestyle": ""}, markersize=3, alpha=0.5)
    ax.axhline(100 * full.mean(), color=BLUE, linestyle=":", label="all items")
    ax.set(xscale="log", xlabel="pseudo-inputs", ylabel="wrong on pairs of new items (%)")
    ax.set_xticks(numbers, [str(number) for number in numbers])
    ax.minorticks_off()
    return ax


def draw_learning(counts, scores, ax, bars=()):
    """A score against the number of answers per person, one line for each model.

    scores : {name: (S,)};  bars : {name: (S,)} half-widths of intervals of some of them
    """
    labels = {"xlabel": "answers from each person", "ylabel": "log score of new answers (nats)"}
    draw_by_size(counts, scores, ax, LEARNING_LOOKS, **labels)
    for name, look in zip(scores, looks(len(scores), LEARNING_LOOKS), strict=True):
        if name in bars:
            ax.errorbar(counts, scores[name], bars[name], fmt="none", ecolor=look["color"], capsize=3)
    return ax


def draw_tastes(tastes, names, ax):
    """How much each item is liked, a line for each person or group; tastes : {name: (n,)}, up to 28."""
    for (label, values), look in zip(tastes.items(), looks(len(tastes), TASTE_LOOKS, "people"), strict=True):
        ax.plot(range(len(names)), values, **look, markersize=5, label=label)
    return write_names(names, ax, "x", fontsize=9, rotation=40)
