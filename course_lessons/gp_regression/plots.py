"""Drawings of functions and their bands, of kernels, and of the evidence. Each draws on its axes and returns them.

Lecture: 05, sections 1, 2 and 5.
"""

import numpy as np
from matplotlib.ticker import FormatStrFormatter
from scipy.stats import norm

from course_widgets.style import BLUE, GREEN, GREY, HEAT, LINES, ORANGE, PINK, SKY, VERMILION

CURVE_COLORS = (BLUE, ORANGE, GREEN, PINK, SKY)
DEPTH = 8.0  # how far below its top the evidence is still coloured


def draw_functions(grid, functions, ax, marker=None):
    """Functions (F, G) over the grid (G,), each in its own colour and line style."""
    for k, values in enumerate(functions):
        style = {"color": CURVE_COLORS[k % len(CURVE_COLORS)], "linestyle": LINES[k % len(LINES)]}
        ax.plot(grid, values, linewidth=1.4, marker=marker, markersize=4, **style)
    return ax


def draw_kernel(K, ax, labels):
    """A covariance matrix (n, n) as a picture with its colour bar. `labels` name groups of equal size."""
    picture = ax.imshow(K, vmin=0, vmax=np.max(K), cmap=HEAT, interpolation="nearest")
    ax.figure.colorbar(picture, ax=ax, label="kernel")
    size = len(K) / len(labels)
    places = size * (np.arange(len(labels)) + 0.5) - 0.5
    ax.set_xticks(places, labels)
    ax.set_yticks(places, labels)
    ax.tick_params(length=0)
    return ax


def draw_landscape(lengthscales, noise_stds, evidence, ax, bar):
    """The log evidence (L, S) over lengthscale and noise, logarithmic; white far below the top. `bar`: colour axes."""
    top = evidence.max()
    levels = top - DEPTH * np.linspace(1, 0, 17) ** 2
    place = np.log10(lengthscales), np.log10(noise_stds), evidence.T
    colors = ax.contourf(*place, levels=levels, cmap=HEAT, alpha=0.85)
    ax.contour(*place, levels=levels[::2], colors="white", linewidths=0.4)
    ax.figure.colorbar(colors, cax=bar, label="log evidence (nats)", ticks=np.arange(np.ceil(top - DEPTH), top))
    return ax


def draw_evidence_terms(terms, ax, lowest=-20.0):
    """Bars of the named terms of the log evidence and of their sum; a bar that leaves the picture ends in an arrow."""
    bars = {**terms, "log evidence": sum(terms.values())}
    colors = (VERMILION, BLUE, GREY, "black")
    for place, (value, color) in enumerate(zip(bars.values(), colors, strict=True)):
        shown = max(value, lowest)
        ax.barh(-place, shown, color=color, height=0.6)
        if value < lowest:
            ax.plot(lowest + 0.6, -place, color="white", marker="<", markersize=7, linestyle="none")
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_yticks(-np.arange(len(bars)), bars)
    ax.set(xlim=(lowest, 12), xlabel="nats")
    ax.xaxis.set_major_formatter(FormatStrFormatter("%g"))
    return ax


def draw_two_values(rho, ax, cut=None):
    """Two values with variance 1 and correlation ρ as an ellipse; its shadow, the marginal, and a cut through it.

    Below the ellipse stands the density of f₁ alone. Where it is cut, at f₁ = `cut`, the density of f₂ that is left is
    drawn along the cut.
    """
    grid, turn = np.linspace(-3, 3, 201), np.linspace(0, 2 * np.pi, 181)
    for n_std in (1, 2):
        circle = n_std * np.array([np.cos(turn), np.sin(turn)])
        ax.plot(circle[0], rho * circle[0] + np.sqrt(1 - rho**2) * circle[1], color=BLUE, linewidth=1.2)
    ax.fill_between(grid, -3.4, -3.4 + 1.8 * norm.pdf(grid), color=GREY, alpha=0.4, linewidth=0)
    ax.text(-3.1, -2.6, "shadow:\n$f_1$ alone", fontsize=8, va="bottom")
    if cut is not None:
        height = 1.6 * norm.pdf(grid, rho * cut, np.sqrt(1 - rho**2))
        ax.fill_betweenx(grid, cut, cut + height, color=VERMILION, alpha=0.4, linewidth=0)
        ax.axvline(cut, color=VERMILION, linestyle="--")
        ax.text(cut + 0.1, -2.2, f"cut at $f_1$ = {cut:g}:\n$f_2$ given $f_1$", fontsize=8, color=VERMILION, va="top")
    ax.set(xlim=(-3.4, 3.4), ylim=(-3.4, 3.4), xlabel="$f_1$", ylabel="$f_2$", aspect="equal")
    return ax
