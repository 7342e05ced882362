"""Drawings of raters who are not equal: what they said, whom a model listens to, and how noisy it takes each to be.
Each draws on the axes given and returns them.

Lecture: 09, sections 1, 5 and 7.
"""

import numpy as np
from matplotlib.markers import CARETDOWN, CARETUP

from course_widgets.style import (
    BLUE,
    COLORS,
    GREEN,
    GREY,
    HEAT,
    LINES,
    MARKERS,
    ORANGE,
    PINK,
    VERMILION,
    looks,
    write_names,
)

RATER_COLORS = (BLUE, ORANGE, GREEN, PINK)
RATER_LOOKS = tuple(zip(RATER_COLORS, LINES, MARKERS, strict=False))
RULE_LOOKS = (
    (RATER_COLORS[0], ":", "o"),
    (VERMILION, "--", "o"),
    (PINK, "-", "o"),
)  # rater 1 alone, and two ways to combine
HATCHES = ("", "///", "...", "xxx")
LEAST_GAP = 0.055  # between the numbers in a bar of length 1


def draw_answers(x, Y, ax, boundaries=(), limits=None):
    """Answers of up to 28 raters against the input, each with colour and marker; dotted lines between regions.

    x : (n,) inputs;  Y : (n, R) answers, NaN where one is missing;  boundaries : places of the dotted lines
    limits : None, or (low, high) of the axis: an answer beyond them becomes an arrowhead at the edge
    """
    for r, (y, look) in enumerate(zip(Y.T, looks(Y.shape[1], RATER_LOOKS, "raters in Y"), strict=True)):
        ax.plot(x, y, **{**look, "linestyle": ""}, markersize=4, label=f"rater {r + 1}")
        if limits is not None:
            for edge, beyond, arrow in zip(limits, (y < limits[0], y > limits[1]), (CARETDOWN, CARETUP), strict=True):
                if beyond.any():  # an empty line that is not clipped has no extent, which upsets the layout
                    style = {
                        "color": look["color"],
                        "marker": arrow,
                        "markersize": 7,
                        "linestyle": "",
                        "clip_on": False,
                    }
                    ax.plot(x[beyond], np.full(beyond.sum(), edge), **style)
    if limits is not None:
        ax.set_ylim(limits)
    for place in boundaries:
        ax.axvline(place, color=GREY, linestyle=":", linewidth=1)
    return ax


def draw_consensus(x, mean, std, ax, truth):
    """A fitted curve with its 90 % band, and the true curve dashed; (q,) each."""
    ax.fill_between(x, mean - 1.645 * std, mean + 1.645 * std, color=VERMILION, alpha=0.2, linewidth=0)
    ax.plot(x, mean, color=VERMILION, linestyle="-", linewidth=1.6, label="model, 90 %")
    ax.plot(x, truth, color="black", linestyle="--", linewidth=1.2, label="truth")
    return ax


def draw_rules(grid, numbers, ax, now, rule):
    """A number of several rules against the second rater's noise, and where the rule in use is now.

    grid : (G,) σ₂;  numbers : {rule: (G,)};  now : σ₂ to mark
    """
    for (name, values), look in zip(numbers.items(), looks(len(numbers), RULE_LOOKS, "rules"), strict=True):
        ax.plot(grid, values, **{**look, "marker": ""}, label=name)
        if name == rule:
            ax.plot([now], [np.interp(now, grid, values)], **{**look, "linestyle": ""}, markersize=9)
    return ax


def draw_weights(weights, ax):
    """Whom a model listens to: bars of length 1, one for each region, divided into the raters' weights (K, R)."""
    if weights.shape[1] * LEAST_GAP > 1:
        raise ValueError(
            f"weights has {weights.shape[1]} raters, and a bar has room for the numbers of {int(1 / LEAST_GAP)}; "
            "draw_trust draws a heat map of any number."
        )
    colors = [*RATER_COLORS, *(color for color in COLORS if color not in RATER_COLORS)]
    regions, ends = np.arange(len(weights)), np.cumsum(weights, axis=1)
    for r, weight in enumerate(weights.T):
        color, hatch = colors[r % len(colors)], HATCHES[r // len(colors)]
        bars = {"width": 0.75, "color": color, "alpha": 0.75, "edgecolor": "white", "hatch": hatch}
        ax.bar(regions, weight, bottom=ends[:, r] - weight, **bars)
    for k in regions:
        for r, place in enumerate(_apart(ends[k] - weights[k] / 2)):
            ax.text(k, place, f"{r + 1}: {weights[k, r]:.2f}", ha="center", va="center", fontsize=9)
    ax.set(ylim=(0, 1), ylabel="weight of each rater")
    return ax


def _apart(places):
    """Rising places in a bar from 0 to 1, moved as little as needed so that numbers there do not overlap."""
    places = np.array(places)
    for k in range(len(places)):
        places[k] = max(places[k], LEAST_GAP / 2 if k == 0 else places[k - 1] + LEAST_GAP)
    for k in reversed(range(len(places))):
        places[k] = min(places[k], 1 - LEAST_GAP / 2 if k == len(places) - 1 else places[k + 1] - LEAST_GAP)
    return places


def draw_noises(std, low, high, names, ax, truth=None):
    """A rater's noise with its interval, one above the other, on a logarithmic axis; crosses where the truth is known.

    std, low, high : (R,) in the unit of the answers;  names : (R,);  truth : (R,)
    """
    rows = np.arange(len(std))
    ax.hlines(rows, low, high, color=BLUE, linewidth=2)
    ax.plot(std, rows, color=BLUE, marker="o", linestyle="")
    if truth is not None:
        ax.plot(truth, rows, color=VERMILION, marker="x", linestyle="", label="truth")
    ax.set(xscale="log", ylim=(len(std) - 0.5, -0.5))
    return write_names(names, ax, "y")


def draw_learned_noises(model, truth, ax):
    """The noises (K, R) that a RaterGP has learned, rater by rater, beside the true noise (R,) of each rater."""
    std, (low, high) = model.rater_std_.T, model.rater_interval()
    names = [f"rater {r + 1}, region {k + 1}" for r, k in np.ndindex(std.shape)]
    draw_noises(std.ravel(), low.T.ravel(), high.T.ravel(), names, ax, np.repeat(truth, std.shape[1]))
    ax.set(xlabel="noise σ with 90 % (unit of y, log scale)", xlim=(0.17, 2.4))
    ax.set_xticks([0.25, 0.5, 1, 2], ["0.25", "0.5", "1", "2"])
    ax.tick_params(labelsize=8)
    ax.minorticks_off()
    return ax


def draw_trust(std, ax, rows, columns, scale=None, interval=None):
    """Heat map of noises (K, R) on a logarithmic scale, with each number written in it; returns the image.

    std : (K, R), NaN where a rater gave no answer;  rows : (K,), columns : (R,) names;  scale : (low, high) or None
    interval : None, or (low, high), (K, R) each, to write below each number
    """
    logs = np.log(std)
    low, high = np.log(scale) if scale is not None else (np.nanmin(logs), np.nanmax(logs))
    image = ax.imshow(logs, cmap=HEAT, vmin=low, vmax=high, aspect="auto")
    for k, r in np.argwhere(~np.isnan(std)):
        color = "black" if logs[k, r] > (low + high) / 2 else "white"
        ends = "" if interval is None else f"\n{interval[0][k, r]:.2g} – {interval[1][k, r]:.2g}"
        ax.text(r, k, f"{std[k, r]:.2g}{ends}", ha="center", va="center", color=color, fontsize=9)
    write_names(columns, ax, "x")
    write_names(rows, ax, "y")
    return image


def draw_intervals(mean, low, high, names, ax, **style):
    """A number with its interval for each item, upright, at integers plus `shift`.

    style : `shift`, to the right, and matplotlib's color, marker, label
    """
    places = np.arange(len(mean)) + style.pop("shift", 0.0)
    ax.vlines(places, low, high, color=style.get("color", BLUE), linewidth=1.6)
    ax.plot(places, mean, **{"color": BLUE, "marker": "o", "linestyle": "", **style})
    return write_names(names, ax, "x")
