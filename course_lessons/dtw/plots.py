"""Drawings of sequences, tables of distances and warping paths. Each draws on the axes given and returns them.

Lecture: 01, sections 1–4 and 8.
"""

from itertools import pairwise

import numpy as np

from course_lib.audio.features import cosines
from course_widgets.drawings import draw_numbers
from course_widgets.style import BLUE, GREY, HALO, HEAT, ORANGE, VERMILION


def draw_frame(frame, power, levels, coefficients, rate, axes):
    """One frame of sound on four axes: under its window, as a spectrum, as levels of bands, as coefficients.

    frame (W,) samples;  power (F,) of frequencies from 0 to rate / 2;  levels (B,) dB;  coefficients (K,)
    """
    sound, spectrum, bands, cepstrum = axes
    milliseconds, window = 1e3 * np.arange(len(frame)) / rate, np.hanning(len(frame))
    sound.plot(milliseconds, frame, color=GREY, linestyle=":")
    sound.plot(milliseconds, window * frame, color=BLUE, linestyle="-")
    sound.set(xlabel="time (ms)", yticks=[], title="25 ms of sound")
    kilohertz = np.linspace(0, rate / 2e3, len(power))
    spectrum.plot(kilohertz, 10 * np.log10(power), color=BLUE, linestyle="-")
    spectrum.set(xlabel="frequency (kHz)", ylabel="dB", title="power spectrum")
    bands.plot(range(1, len(levels) + 1), levels, color=BLUE, marker="o", markersize=3, linestyle="none")
    smooth = coefficients @ cosines(len(coefficients), len(levels))
    bands.plot(range(1, len(levels) + 1), smooth, color=VERMILION, linestyle="--")
    bands.set(xlabel="mel band", title=f"{len(levels)} levels, {len(coefficients)} cosines")
    cepstrum.bar(range(1, len(coefficients)), coefficients[1:], color=VERMILION)
    cepstrum.axhline(0, color=GREY, linewidth=0.8, linestyle="-")
    cepstrum.set(xlabel="coefficient", title="c1 … c12")
    return axes


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


BAR_TEXT, BAR_HEIGHT, ABOVE_BAR = "{name}: {distance:.2f}", 0.35, 0.4  # in rows; how far above a bar its name is


def draw_distances(distances, chosen, ax):
    """{name: distance} as bars with their names above them, the chosen one in another colour."""
    for row, (name, distance) in enumerate(distances.items()):
        color = VERMILION if name == chosen else BLUE
        ax.barh(row, distance, height=BAR_HEIGHT, color=color)
        place = {"xytext": (4, 0), "textcoords": "offset points", "va": "center"}
        ax.annotate(BAR_TEXT.format(name=name, distance=distance), (0, row - ABOVE_BAR), color=color, **place)
    ax.set(xlabel="normalised distance D/M_φ", yticks=[])
    ax.invert_yaxis()
    return ax


def draw_beside_curves(figure, table, d, x, y, current, sources, path):
    """A small table as `draw_numbers` draws it, shaded by d, with both sequences as curves along its edges."""
    left, ax, below = three_ways(figure)
    ax.imshow(d, aspect="auto", cmap="Greys", vmin=0, vmax=3 * max(np.max(d), 1))
    draw_numbers(table, ax, x, y, current, sources, path, labels=("", ""))
    left.plot(-x, range(len(x)), color=BLUE, marker="o", markersize=4, linestyle="-")
    below.plot(range(len(y)), y, color=ORANGE, marker="o", markersize=4, linestyle="--")
    if path is not None:
        draw_links(path, ax, ORANGE, 0.35)
    left.set(ylim=ax.get_ylim(), ylabel="x", xticks=[], yticks=[])
    below.set(xlim=ax.get_xlim(), xlabel="y", xticks=[], yticks=[])
    return ax


def three_ways(figure):
    """Axes of a table, of what stands at its left, and of what stands below it: (left, table, below)."""
    panels = figure.add_gridspec(2, 2, width_ratios=(1, 7), height_ratios=(6, 1), wspace=0.12, hspace=0.16)
    return [figure.add_subplot(panels[place]) for place in ((0, 0), (0, 1), (1, 1))]


def draw_links(path, ax, color, alpha):
    """From each cell of a path a line to the frame of x at the left and one to the frame of y below."""
    edges = {"linewidth": 0.7, "alpha": alpha, "color": color, "linestyle": "-"}
    ax.hlines(path[:, 0], ax.get_xlim()[0], path[:, 1], **edges)
    ax.vlines(path[:, 1], path[:, 0], ax.get_ylim()[0], **edges)
    return ax


def draw_between_signals(figure, d, signals, path, held, hop_seconds, every):
    """The table d of two recordings beside their waveforms, with a path, some of its links, and cells that hold it."""
    left, ax, below = three_ways(figure)
    draw_table(d, ax, path, labels=("", ""))
    draw_links(path[::every], ax, "white", 0.8)
    ax.plot(*held.T[::-1], color=VERMILION, marker="o", markersize=9, markeredgecolor="white", linestyle="none")
    for side, signal, frames, color in zip((left, below), signals, d.shape, (BLUE, ORANGE), strict=True):
        low, high = outline(signal, frames)
        (side.fill_betweenx if side is left else side.fill_between)(range(frames), low, high, color=color, lw=0)
    seconds = [range(0, frames, round(0.2 / hop_seconds)) for frames in d.shape]
    left.set(ylim=ax.get_ylim(), xticks=[], ylabel="x: time (s)")
    left.set_yticks(seconds[0], [f"{hop_seconds * frame:.1f}" for frame in seconds[0]])
    below.set(xlim=ax.get_xlim(), yticks=[], xlabel="y: time (s)")
    below.set_xticks(seconds[1], [f"{hop_seconds * frame:.1f}" for frame in seconds[1]])
    ax.set(xticks=[], yticks=[])
    return ax


def outline(signal, pieces):
    """(lowest, highest) sample of a signal in each of so many equal pieces."""
    parts = np.array_split(signal, pieces)
    return np.array([part.min() for part in parts]), np.array([part.max() for part in parts])


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


def draw_matching_function(scores, hop_seconds, matches, words, truth, ax):
    """For each end frame the score of the best path into it; its least minima with their words; under it, the truth.

    scores : (U,), low is good;  matches : list of Match, best first;  words : of each
    truth : list of (start, end) in seconds
    """
    shown = scores[: len(scores) // LEAST_OF * LEAST_OF].reshape(-1, LEAST_OF)  # the least of each tenth of a second
    at = hop_seconds * (LEAST_OF * np.arange(len(shown)) + shown.argmin(axis=1))
    ax.plot(at, shown.min(axis=1), color=BLUE, linewidth=0.8, linestyle="-")
    lowest, high = np.min(scores), np.quantile(scores, 0.98)
    room = high - lowest
    for start, end in truth:
        ax.axvspan(start, end, ymax=0.06, color=BLUE, linewidth=0)
    for rank, (match, said) in enumerate(zip(matches, words, strict=True), 1):
        place = match.seconds[1] - hop_seconds, match.score
        ax.plot(*place, color=VERMILION, marker="o", markersize=5, linestyle="none")
        ax.annotate(f"{rank} {said}", place, (0, -5), textcoords="offset points", ha="center", va="top", fontsize=9)
    ax.set(xlabel="time (s)", ylabel="score D/M_φ", ylim=(lowest - 0.35 * room, high + 0.1 * room))
    return ax


LEAST_OF = 10  # frames


def draw_behind(signal, rate, ax):
    """A waveform in light grey behind what is drawn over time in seconds."""
    low, high = ax.get_ylim()
    pieces = outline(signal, 500)
    lower, upper = ((low + high) / 2 + 0.4 * (high - low) * one / np.abs(signal).max() for one in pieces)
    ax.fill_between(
        np.linspace(0, len(signal) / rate, len(lower)), lower, upper, color=GREY, alpha=0.3, lw=0, zorder=0
    )
    ax.set(xlim=(0, len(signal) / rate), ylim=(low, high))
    return ax
