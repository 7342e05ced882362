"""Pictures of lecture 13: answers and constraints on a line, maps of a level set, confidence in a difference.

Each draws on the axes given and returns them.

Lecture: 13, sections 2–4 and 8.
"""

import numpy as np

from course_widgets.drawings import HALF_BAND
from course_widgets.style import BLUE, GREEN, HALO, HEAT, LINES, ORANGE, VERMILION, looks


def draw_yes_and_no(x, y, ax, low, high):
    """Answers y (n,), +1 or −1, at x (n,): ticks at the height `high` for yes, at `low` for no."""
    for answer, height, name in ((1, high, "yes"), (-1, low, "no")):
        at = x[y == answer]
        ax.plot(at, [height] * len(at), "|", color="black", markersize=9, alpha=0.6)
        place = {"xy": (0.01, height), "xycoords": ("axes fraction", "data"), "xytext": (0, 6 * answer)}
        ax.annotate(name, **place, textcoords="offset points", fontsize=8, va="bottom" if answer > 0 else "top")
    return ax


def draw_compared(grid, asked, ax, sure):
    """Pairs (Compared) of places of a grid as arrows below each other, from the one that was not chosen to the chosen.

    sure : whether an arrow is the thicker, the surer somebody was
    """
    ordered = np.where(asked.choices[:, None] > 0, asked.pairs, asked.pairs[:, ::-1])
    for row, ((begin, end), level) in enumerate(zip(grid[ordered], asked.confidence, strict=True)):
        look = {"color": ORANGE, "linestyle": "-", "linewidth": 1 + 1.5 * level * sure}
        height, head = -1.6 - 0.5 * row, ">" if end > begin else "<"
        ax.plot([begin, end], [height, height], **look)
        ax.plot(end, height, head, color=ORANGE, markersize=6)
    return ax


def draw_constraints(x, said, stds, ax):
    """What is said of f at x (k,): `said` (k,), each with the 90 % of its softness (k,)."""
    ax.errorbar(
        x, said, [HALF_BAND * std for std in stds], fmt="D", color=VERMILION, markersize=6, capsize=4, zorder=4,
        label="what is said", clip_on=False,
    )  # fmt: skip
    return ax


def draw_inside(side, probability, ax):
    """P(inside) (q²,) on a square grid with sides (q,), and where it passes ½."""
    table, extent = probability.reshape(len(side), len(side)).T, (side[0], side[-1], side[0], side[-1])
    image = ax.imshow(table, origin="lower", extent=extent, cmap=HEAT, vmin=0, vmax=1, interpolation="bilinear")
    if table.min() < 0.5 < table.max():
        ax.contour(side, side, table, levels=[0.5], colors="white", linewidths=1.6, linestyles="-")
    ax.figure.colorbar(image, ax=ax, label="believed to be inside (P)", shrink=0.95)
    ax.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    return ax


def draw_edge(side, values, level, ax):
    """Where values (q²,) on a square grid with sides (q,) pass a level: the edge of the true set."""
    table = values.reshape(len(side), len(side)).T
    edge = ax.contour(side, side, table, levels=[level], colors=VERMILION, linewidths=1.8, linestyles="--")
    edge.set_path_effects(HALO)
    return ax


def draw_asked(X, y, ax):
    """Places X (n, 2) that were asked about: filled for a yes, open for a no."""
    for answer, face in ((1, "white"), (-1, "none")):
        ax.plot(*X[y == answer].T, "o", markersize=6, markerfacecolor=face, markeredgecolor="white", clip_on=False)
    return ax


SCORE_LOOKS = {"precision": (ORANGE, "--"), "recall": (GREEN, "-."), "f1": (BLUE, "-")}


def draw_score(first, scores, name, ax):
    """Scores (n,) after `first`, first + 1 … answers; name is one of precision, recall and f1."""
    color, line = SCORE_LOOKS[name]
    label = "F1" if name == "f1" else name
    ax.plot(first + np.arange(len(scores)), scores, color=color, linestyle=line, marker=".", label=label)
    return ax


def draw_f1_curves(answers, curves, ax):
    """For each name F1 of runs (seeds, n) after this many answers (n,): their mean."""
    for (name, runs), look in zip(curves.items(), looks(len(curves)), strict=True):
        ax.plot(answers, runs.mean(axis=0), label=name, **look)
    ax.set(xlabel="answers", xticks=answers, ylim=(0, 1))
    return ax


def draw_levels(g, probabilities, ax):
    """Probability of each level (l, G) of an answer against the difference g (G,)."""
    for level, (each, color) in enumerate(zip(probabilities, (ORANGE, GREEN, BLUE, VERMILION), strict=False)):
        ax.plot(g, each, color=color, linestyle=LINES[level % 4], label=f"level {level}")
    ax.set(xlabel="$g = f_b - f_a$", ylabel="probability", xlim=(g[0], g[-1]), ylim=(0, 1))
    return ax


def draw_preference_map(x, probability, ax, bar=False):
    """P(column is preferred to row) (G, G) for places x (G,), with a colour bar or without."""
    extent = (x[0], x[-1], x[0], x[-1])
    image = ax.imshow(probability, origin="lower", extent=extent, cmap=HEAT, vmin=0, vmax=1, interpolation="bilinear")
    lines = ax.contour(x, x, probability, levels=[0.1, 0.3, 0.5, 0.7, 0.9], colors="white", linewidths=0.7)
    ax.clabel(lines, fontsize=7)
    if bar:
        ax.figure.colorbar(image, ax=ax, label="probability of $x'$", shrink=0.9)
    ax.set(xlabel="$x'$", aspect="equal")
    return ax
