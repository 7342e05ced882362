"""Pictures of lecture 12: criteria under a posterior, maps of settings, learning curves.

Each draws on the axes given and returns them.

Lecture: 12, sections 1, 2 and 4–6.
"""

import numpy as np
from scipy.stats import norm

from course_widgets.style import BLUE, DARK_EDGE, GREY, HEAT, LINES, ORANGE, VERMILION


def draw_score(x, score, challenger, ax, label="worth asking"):
    """A criterion (q,) along settings x (q,), shaded, with the setting that it asks for."""
    ax.fill_between(x, score, color=ORANGE, alpha=0.35, linewidth=0)
    ax.plot(x, score, color=ORANGE, linestyle="-")
    ax.axvline(challenger, color=VERMILION, linestyle=":")
    ax.plot(challenger, np.interp(challenger, x, score), "v", color=VERMILION, markersize=8, label="asks here")
    ax.set(ylabel=label, ylim=(0, 1.15 * max(score.max(), 1e-9)), xlim=(x[0], x[-1]))
    return ax


def draw_heard(settings, incumbent, ax, y):
    """Settings (n,) that were heard as ticks at height y, the best of them ringed."""
    ax.plot(settings, np.full(len(settings), y), "|", color=GREY, markersize=14, markeredgewidth=1.6, label="heard")
    ax.plot(
        incumbent, y, "o", markerfacecolor="none", color=BLUE, markersize=11, markeredgewidth=2, label="best heard"
    )
    return ax


def draw_gain(mean, std, ax):
    """The density of I ~ N(mean, std²), with what is above 0 shaded."""
    x = np.linspace(-5, 5, 401)
    density = norm.pdf(x, mean, max(std, 0.02))
    ax.plot(x, density, color=BLUE, linestyle="-")
    ax.fill_between(x, density, where=x >= 0, color=ORANGE, alpha=0.4, linewidth=0)
    ax.axvline(0.0, color=GREY, linestyle=":")
    ax.set(xlim=(-5, 5), ylim=(0, min(1.15 * density.max(), 2.5)), xlabel="improvement $I$ (unit: $σ$)")
    ax.set(ylabel="density")
    return ax


def draw_map(settings, values, ax, label=None):
    """Values (q,) on a regular grid of settings (q, 2), as a picture with contours; a label brings a colour bar."""
    x, y = (np.unique(column) for column in settings.T)
    table = values.reshape(len(x), len(y)).T
    extent = (x[0], x[-1], y[0], y[-1])
    image = ax.imshow(table, origin="lower", aspect="auto", extent=extent, cmap=HEAT, interpolation="bilinear")
    ax.contour(x, y, table, colors="white", linewidths=0.6, linestyles="-")
    if label:
        ax.figure.colorbar(image, ax=ax, label=label, shrink=0.9)
    return ax


def draw_pairs(pairs, ax):
    """Asked pairs (m, 2, 2) of settings in the plane, each a thin line with its ends."""
    for a, b in pairs:
        ax.plot(*np.transpose([a, b]), color="white", linestyle="-", linewidth=0.7, alpha=0.8, path_effects=DARK_EDGE)
    ax.plot(*pairs.reshape(-1, 2).T, "x", color="white", markersize=5, path_effects=DARK_EDGE, label="already played")
    return ax


def draw_worth_of_pairs(x, step, brightest, ax):
    """A map over all pairs of settings x (n,), symmetric, with those that were asked, and the one that is worth most.

    step : has worth (n, n), asked (m, 2) and following (2,), numbers of settings, and incumbent, whose line is dotted
    brightest : worth of the brightest colour; 0 is the darkest
    """
    half = (x[1] - x[0]) / 2
    extent = (x[0] - half, x[-1] + half) * 2
    looks = {"cmap": HEAT, "vmin": 0, "vmax": brightest, "interpolation": "bilinear", "aspect": "auto"}
    ax.imshow(step.worth, origin="lower", extent=extent, **looks)
    ax.axhline(x[step.incumbent], color="white", linestyle=":", linewidth=1.4)
    both = np.concatenate([step.asked, step.asked[:, ::-1]])
    ax.plot(*x[both].T, "x", color="white", markersize=6, path_effects=DARK_EDGE, label="asked")
    following = np.array([step.following, step.following[::-1]])
    ax.plot(*x[following].T, "o", color=ORANGE, markersize=9, path_effects=DARK_EDGE, label="asked next")
    ax.legend(fontsize=8, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.13))
    ax.set(xlabel="one setting", ylabel="the other")
    return ax


def draw_learning_curves(answers, curves, ax, ylabel):
    """For each name runs (seeds, n) after this many answers (n,): their median, and the middle half of them."""
    for k, (name, runs) in enumerate(curves.items()):
        low, middle, high = np.quantile(runs, [0.25, 0.5, 0.75], axis=0)
        (line,) = ax.plot(answers, middle, linestyle=LINES[k % 4], label=name)
        ax.fill_between(answers, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    ax.set(xlabel="answers", ylabel=ylabel, xlim=(0, None), ylim=(0, None))
    return ax


def draw_responses(frequencies, curves, ax):
    """For each name an equaliser's gain (F,) in dB at frequencies (F,) in Hz, on a logarithmic axis."""
    for k, (name, gains) in enumerate(curves.items()):
        ax.semilogx(frequencies, gains, linestyle=LINES[k % 4], label=name)
    ax.axhline(0.0, color=GREY, linewidth=0.8, linestyle="-")
    ax.set(xlabel="frequency (Hz)", ylabel="gain (dB)", xlim=(frequencies[0], frequencies[-1]))
    return ax
