"""Drawings of sequences, tables of distances and warping paths. Each draws on the axes given and returns them.

Lecture: 01, sections 1–4 and 8.
"""

from itertools import pairwise

import numpy as np

from course_widgets.drawings import draw_numbers
from course_widgets.style import BLUE, GREY, HALO, HEAT, ORANGE, PINK, VERMILION


def draw_signal(signal, rate, ax, label=""):
    """A waveform over time in seconds."""
    ax.plot(np.arange(len(signal)) / rate, signal, color=BLUE, linewidth=0.6, linestyle="-")
    ax.set(xlabel="time (s)", ylabel="amplitude", title=label)
    ax.margins(x=0)
    return ax


def draw_table(table, ax, path, labels=("frame of y", "frame of x"), allowed=True):
    """A (T_x, T_y) table of costs as a picture, x downwards and y to the right, with a path unless it is None.

    Cells that are not allowed (boolean table) or infinite stay grey.
    """
    ax.set_facecolor("#d9d9d9")
    shown = np.where(np.isfinite(table) & allowed, table, np.nan)
    ax.imshow(shown, aspect="auto", cmap=HEAT, interpolation="nearest")
    if path is not None:
        ax.plot(path[:, 1], path[:, 0], color=VERMILION, linestyle="-", linewidth=2, path_effects=HALO)
    ax.set(xlabel=labels[0], ylabel=labels[1])
    return ax


def draw_beside_curves(figure, table, x, y, *marks):
    """A small table as `draw_numbers` draws it, with both sequences as curves along its edges."""
    panels = figure.add_gridspec(2, 2, width_ratios=(1, 7), height_ratios=(6, 1), wspace=0.12, hspace=0.16)
    left, ax, below = (figure.add_subplot(panels[place]) for place in ((0, 0), (0, 1), (1, 1)))
    draw_numbers(table, ax, x, y, *marks, labels=("", ""))
    left.plot(-x, range(len(x)), color=BLUE, marker="o", markersize=4, linestyle="-")
    below.plot(range(len(y)), y, color=ORANGE, marker="o", markersize=4, linestyle="--")
    left.set(ylim=ax.get_ylim(), ylabel="x", xticks=[], yticks=[])
    below.set(xlim=ax.get_xlim(), xlabel="y", xticks=[], yticks=[])
    return ax


def draw_alignment(x, y, path, ax, hop_seconds, every):
    """Two one-dimensional curves, one above the other, joined at every so many cells of a path."""
    gap = 1.2 * max(np.ptp(x), np.ptp(y), 1e-9)
    upper = x - np.min(x) + gap
    lower = y - np.min(y)
    links = path[::every]
    across = np.column_stack([links[:, 0], links[:, 1], np.full(len(links), np.nan)]).ravel() * hop_seconds
    heights = np.column_stack([upper[links[:, 0]], lower[links[:, 1]], np.full(len(links), np.nan)]).ravel()
    ax.plot(across, heights, color=GREY, linewidth=0.5, linestyle="-", alpha=0.7)
    ax.plot(np.arange(len(x)) * hop_seconds, upper, color=BLUE, linestyle="-", label="x")
    ax.plot(np.arange(len(y)) * hop_seconds, lower, color=ORANGE, linestyle="--", label="y")
    ax.set(xlabel="time (s)", yticks=[])
    ax.legend(loc="upper right")
    return ax


def draw_step_pattern(pattern, ax):
    """The moves of a step pattern into the cell (i, j), with their weights; of at most two frames each."""
    for move in pattern.moves:
        cells = np.cumsum([(0, 0)] + [step[:2] for step in move], axis=0) - np.sum(move, axis=0)[:2]
        ax.plot(cells[:, 1], cells[:, 0], color=BLUE, linestyle="-", marker="o", markerfacecolor="white")
        for (before, after), step in zip(pairwise(cells), move, strict=True):
            middle = (before + after) / 2
            ax.text(middle[1], middle[0], f"{step[2]:.2g}", ha="center", va="center", fontsize=9, color=GREY, **BOXED)
    ax.plot(0, 0, color=VERMILION, marker="s", markersize=7)
    ax.set(xlim=(-2.4, 0.5), ylim=(0.5, -2.4), aspect="equal", title=pattern.name)
    ax.set(xlabel="Δ in y", ylabel="Δ in x", xticks=range(-2, 1), yticks=range(-2, 1))
    return ax


BOXED = {"bbox": {"facecolor": "white", "edgecolor": "none", "pad": 0.6}}


def draw_matches(signal, rate, matches, truth, ax):
    """A waveform with the places found (numbered by rank) and, under them, where the word really is.

    matches : list of (start, end) in seconds, best first;  truth : the same
    """
    width = max(1, len(signal) // 1000)
    pieces = signal[: len(signal) // width * width].reshape(-1, width)
    ax.fill_between(np.arange(len(pieces)) * width / rate, pieces.min(axis=1), pieces.max(axis=1), color=GREY, lw=0)
    top = 1.1 * np.abs(signal).max()
    for start, end in truth:
        ax.axvspan(start, end, ymax=0.12, color=BLUE, linewidth=0)
    for rank, (start, end) in enumerate(matches, 1):
        ax.axvspan(start, end, ymin=0.12, color=PINK, alpha=0.4, linewidth=0)
        ax.text((start + end) / 2, top, str(rank), ha="center", va="bottom", fontsize=9)
    ax.set(xlabel="time (s)", ylabel="amplitude", ylim=(-1.6 * top, 1.4 * top), xlim=(0, len(signal) / rate))
    return ax
