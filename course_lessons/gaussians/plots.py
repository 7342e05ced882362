"""Drawings of Gaussian densities: curves over data, ellipses over points, and the likelihood as a landscape.

Lecture: 02, sections 3–5 and 7.
"""

from itertools import pairwise

import numpy as np
from matplotlib.patches import Rectangle
from scipy.stats import norm

from course_lib.sequences import Gaussian
from course_widgets.drawings import ELLIPSE_LOOKS, draw_points
from course_widgets.style import BLUE, GREY, HEAT, ORANGE, VERMILION, looks

POINT_LOOKS = ((VERMILION, "-", "o"), (ORANGE, "--", "o"))

NEAR_LEVELS, FAR_LEVELS = (1, 4), (16, 64, 256)  # below the maximum


def draw_covariance(points, gaussian, marked, ax, limit):
    """Points, a Gaussian's ellipses with their axes, and marked points {name: (x, y)}; both axes −limit … limit."""
    draw_points(points, ax, {"1 and 2 standard deviations": gaussian})
    values, vectors = np.linalg.eigh(gaussian.covariance)
    for value, vector in zip(values, vectors.T, strict=True):
        end = 2 * np.sqrt(value) * vector
        ax.plot(*zip(gaussian.mean - end, gaussian.mean + end, strict=True), color=GREY, linestyle=":", linewidth=1.2)
    for (name, place), look in zip(marked.items(), looks(len(marked), POINT_LOOKS, "points"), strict=True):
        ax.plot(
            *place, color=look["color"], marker=look["marker"], markersize=9, markeredgecolor="black", linestyle="none"
        )
        ax.annotate(name, place, xytext=(8, 6), textcoords="offset points", fontsize=12, weight="bold")
    ax.set(xlim=(-limit, limit), ylim=(-limit, limit), title="ellipses at 1 and 2 standard deviations")
    return ax


def along_axes(gaussian, points):
    """((n, 2) coordinates along the axes of the ellipse in standard deviations, the long one first; (2, 2) axes)."""
    variances, vectors = np.linalg.eigh(gaussian.covariance)
    axes = vectors[:, ::-1] * np.where(vectors.sum(axis=0)[::-1] < 0, -1, 1)
    return (points - gaussian.mean) @ axes / np.sqrt(variances[::-1]), axes * np.sqrt(variances[::-1])


def draw_squares(points, gaussian, marked, panels):
    """A point's way from the mean along the axes of the ellipse, beside the same in standard deviations, squared.

    points : (N, 2);  marked : (2,), the point
    Returns (2,) its coordinates along the axes, in standard deviations.
    """
    (z,), axes = along_axes(gaussian, marked[None])
    left, right = panels
    round_one = Gaussian([0, 0], np.eye(2))
    circle = gaussian.mean + np.linalg.norm(marked - gaussian.mean) * round_one.ellipse(1)
    corners = np.array([(0, 0), (z[0], 0), z])
    for ax, move, own in ((left, lambda at: at, gaussian), (right, lambda at: along_axes(gaussian, at)[0], round_one)):
        draw_points(move(points), ax, {"": own})
        ax.plot(*move(circle).T, color=GREY, linestyle=":", linewidth=1)
        places = move(gaussian.mean + corners @ axes.T)
        for leg, color in zip(pairwise(places), (VERMILION, ORANGE), strict=True):
            ax.plot(*np.transpose(leg), color=color, linestyle="-", linewidth=3)
        ax.plot(*places[-1], color="black", marker="o", markersize=8, linestyle="none")
    x, y = np.copysign(np.abs(z[::-1]), (z[0], -z[1]))
    for corner, sides, color in ((corners[0], (z[0], y), VERMILION), (corners[1], (x, z[1]), ORANGE)):
        right.add_patch(Rectangle(corner, *sides, color=color, alpha=0.35, linewidth=0))
    left.set(xlabel="coefficient 4", ylabel="coefficient 8", title="frames, ellipses at 1 and 2 std")
    right.set(
        xlim=(-4.5, 4.5), ylim=(-4.5, 4.5), xlabel="along the long axis (std)", ylabel="along the short axis (std)"
    )
    return z


def draw_values_under_curve(values, mean, std, ax, highest):
    """One-dimensional data, the Gaussian's curve above them, and at each value a stem as long as its density."""
    low, high = ax.get_xlim()
    at = np.linspace(low, high, 400)
    curve = norm(mean, std)
    ax.plot(at, curve.pdf(at), color=BLUE, linestyle="-")
    ax.vlines(values, 0, curve.pdf(values), color=VERMILION, linewidth=1.2)
    ax.plot(values, np.zeros(len(values)), color=VERMILION, marker="o", markersize=4, linestyle="none", clip_on=False)
    ax.set(xlim=(low, high), ylim=(0, highest), ylabel="density")
    return ax


def likelihood_surface(values, means, stds):
    """(S, M) log likelihood of one-dimensional data for each σ (row) and each μ (column) of two grids.

    It needs the data only through their number, mean and mean square: −N/2 log 2πσ² − N (s² + (x̄ − μ)²) / 2σ².
    """
    N, center, spread = len(values), np.mean(values), np.var(values)
    variance = np.asarray(stds)[:, None] ** 2
    squares = spread + (center - np.asarray(means)) ** 2
    return -N / 2 * (np.log(2 * np.pi * variance) + squares / variance)


def draw_likelihood(values, mean, std, ax, means, stds):
    """Bands of the log likelihood over μ and σ, its maximum (star) and the present place (dot).

    A number stands on the edge of each band: so far does the edge lie below the maximum.
    """
    best = np.mean(values), np.std(values)
    below = likelihood_surface(values, best[:1], best[1:]) - likelihood_surface(values, means, stds)
    bands = np.digitize(below, NEAR_LEVELS + FAR_LEVELS)
    extent = (means[0], means[-1], stds[0], stds[-1])
    ax.imshow(bands, extent=extent, origin="lower", aspect="auto", cmap=HEAT + "_r", interpolation="nearest")
    centre, edge = np.abs(means - best[0]).argmin(), int(0.94 * len(means))
    for level in NEAR_LEVELS:
        top = np.max(stds[below[:, centre] < level], initial=stds[0])
        ax.text(best[0], top, f"−{level}", ha="center", va="center", fontsize=9)
    for level in FAR_LEVELS:
        bottom = np.min(stds[below[:, edge] < level], initial=stds[-1])
        ax.text(means[edge], bottom, f"−{level}", ha="center", va="center", fontsize=9, color="white")
    ax.plot(*best, color=ORANGE, marker="*", markersize=13, markeredgecolor="black", linestyle="none")
    ax.plot(mean, std, color=VERMILION, marker="o", markersize=8, markeredgecolor="black", linestyle="none")
    ax.set(xlabel="μ", ylabel="σ", title="log likelihood, counted from its maximum (star)")
    ax.set(xticks=[means[0], (means[0] + means[-1]) / 2, means[-1]], yticks=np.arange(0.2, stds[-1], 0.2))
    return ax


def draw_voices(points, gaussians, scores, coefficients, panels):
    """Frames in the plane of two coefficients with the ellipses of the voices, and how well each voice explains them.

    points : (T, 2);  gaussians : {voice: Gaussian of these two};  scores : {voice: mean log density}, the best first
    coefficients : their two numbers
    """
    left, right = panels
    draw_points(points, left, gaussians, n_stds=(2,), labels=[f"coefficient {k}" for k in coefficients])
    left.set_title("ellipses at 2 std", fontsize=10)
    below = np.array([scores[voice] for voice in gaussians]) - max(scores.values())
    low = min(-1.0, 1.15 * below.min())
    for row, (value, look) in enumerate(zip(below, looks(len(below), ELLIPSE_LOOKS, "voices"), strict=True)):
        right.plot([low, value], [row, row], **{**look, "marker": ""})
        right.plot(value, row, color=look["color"], marker="o", markersize=8, linestyle="none")
    right.set(xlim=(low, -0.04 * low), ylim=(len(below) - 0.5, -0.5), xlabel="log density per frame, from the best")
    right.set_yticks(range(len(below)), list(gaussians))
    return panels
