"""Drawings of functions and their bands, of kernels, and of the evidence. Each draws on its axes and returns them.

Lecture: 05, sections 1–3, 5 and 8.
"""

import numpy as np
from matplotlib.ticker import FormatStrFormatter
from scipy.stats import norm

from course_widgets.drawings import HALF_BAND, draw_band
from course_widgets.style import BLUE, GREEN, GREY, HEAT, LINES, ORANGE, PINK, SKY, VERMILION

CURVE_COLORS = (BLUE, ORANGE, GREEN, PINK, SKY)
END = 3.2  # of the axes on which two values are drawn
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


def draw_two_values(mean, cov, ax, cut=None):
    """Two jointly Gaussian values as an ellipse, the density of each alone, and a cut through it.

    mean (2,), cov (2, 2) : of the two;  cut : value of the first, or None. Along the cut stands the density of the
    second given the first; at the right, in grey, that of the second alone.
    """
    turn, grid = np.linspace(0, 2 * np.pi, 121), np.linspace(-END, END, 161)
    circle = np.linalg.cholesky(cov) @ [np.cos(turn), np.sin(turn)]
    for n_std in (1, 2):
        ax.plot(*(np.asarray(mean)[:, None] + n_std * circle), color=BLUE, linestyle="-", linewidth=1.2)
    alone = 1.6 * norm.pdf(grid, mean[1], np.sqrt(cov[1, 1]))
    ax.fill_betweenx(grid, END - alone, END, color=GREY, alpha=0.4, linewidth=0)
    if cut is not None:
        slope = cov[0, 1] / cov[0, 0]
        given = norm.pdf(grid, mean[1] + slope * (cut - mean[0]), np.sqrt(cov[1, 1] - slope * cov[0, 1]))
        ax.fill_betweenx(grid, cut, cut + np.minimum(0.8 * given, 2.5), color=VERMILION, alpha=0.4, linewidth=0)
        ax.axvline(cut, color=VERMILION, linestyle="--")
    ax.set(xlim=(-END, END), ylim=(-END, END))
    return ax


def draw_cars(x, y, grid, mean, std, std_next, ax, **points):
    """Cars as points, the curve through them with its 90 % band, and the wider band of the next car.

    x, y : (n,) thousands of pounds, miles per gallon;  grid, mean : (G,);  std, std_next : (G,) of curve and next car
    points : look of the points, for `ax.plot`
    """
    look = {"color": GREY, "alpha": 0.5, "marker": ".", "markersize": 3, "linestyle": "none"}
    draw_band(grid, mean, std_next, ax, color=SKY, linestyle="none", band="next car: 90 % band")
    half = HALF_BAND * std
    ax.fill_between(grid, mean - half, mean + half, color="white", linewidth=0)  # or its band would be red on blue
    draw_band(grid, mean, std, ax, color=VERMILION, label="mean", band="curve: 90 % band")
    ax.plot(x, y, **look | points)
    ax.set(xlabel="weight (1000 pounds)", ylabel="miles per gallon")
    return ax


def draw_answer_stds(grid, models, ax):
    """Standard deviation of the next answer over the grid, for each {name: model}, with its pseudo-inputs below."""
    for k, ((name, model), color, line) in enumerate(zip(models.items(), CURVE_COLORS, LINES, strict=False)):
        ax.plot(grid, model.predict_answer(grid)[1], color=color, linestyle=line, label=name)
        if model.inducing_ is not None:
            places = np.sort(model.inducing_[:, 0])
            below = {"color": color, "marker": "^", "linestyle": "none", "label": f"its {len(places)} pseudo-inputs"}
            ax.plot(places, np.full(len(places), 0.24 - 0.015 * k), **below)
    closest = places[np.argmin(np.diff(places))]
    ax.text(closest, 0.183, "two in one place", ha="center", fontsize="small")
    ax.set(xlabel="x", ylabel="standard deviation", ylim=(0.175, 0.5))
    ax.legend(loc="upper center", ncols=2, fontsize="small")
    return ax
