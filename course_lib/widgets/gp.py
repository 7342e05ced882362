"""Explorers of lecture 05: what a kernel expects, what answers change, and the evidence as a landscape.

Lecture: 05.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from course_lib.gp import GPRegression, Linear, Matern32, Periodic, SquaredExponential
from course_lib.gp.optimize import climb
from course_lib.gp.priors import Fixed
from course_lib.gp.sites import cholesky, cholesky_solve, jittered_cholesky, symmetric_root
from course_lib.plots import gp as plots
from course_lib.plots.shared import HALF_BAND, draw_answers, draw_band
from course_lib.plots.style import GREEN, GREY, VERMILION
from course_lib.widgets.explore import Explorer, choice, log_slider, slider, switch


def _signed(value):
    """Two digits, with a minus sign instead of a hyphen, and no sign before zero."""
    return f"{round(float(value), 2) + 0.0:.2f}".replace("-", "−")


WAY = np.linspace(-3, 3, 240)
MANY = 400
KERNELS = {
    "squared exponential": lambda ell: SquaredExponential(1.0, ell),
    "Matérn 3/2": lambda ell: Matern32(1.0, ell),
    "periodic, period 2": lambda ell: Periodic(1.0, ell, 2.0),
    "linear": lambda ell: Linear(1.0 / 3.0),
    "linear + periodic": lambda ell: Linear(1.0 / 6.0) + 0.5 * Periodic(1.0, ell, 2.0),
    "SE × periodic": lambda ell: SquaredExponential(1.0, 2.0) * Periodic(1.0, ell, 2.0),
}  # of variance 1 at each place, or on average over WAY if it grows with x
BEND = {
    "squared exponential": lambda ell: 1 / ell**2,
    "Matérn 3/2": lambda ell: 3 / ell**2,
    "periodic, period 2": lambda ell: (np.pi / ell) ** 2,
    "SE × periodic": lambda ell: 1 / 4 + (np.pi / ell) ** 2,
}  # −k''(0)/k(0) of the stationary ones


@cache
def drawn_functions(kernel, lengthscale):
    """(400, 240) functions drawn from a kernel of variance about 1, always with the same random numbers.

    Lecture: 05, section 2.
    """
    root = symmetric_root(KERNELS[kernel](lengthscale)(WAY))
    return np.random.default_rng(5).normal(size=(MANY, len(WAY))) @ root


def zero_crossings(functions):
    """(F,) how often each of the functions (F, G) changes its sign along the grid.

    Lecture: 05, section 2.
    """
    return np.sum(np.diff(np.sign(functions), axis=1) != 0, axis=1)


def expected_crossings(kernel, lengthscale):
    """Rice's formula: √(−k''(0)/k(0))/π zero crossings per unit of x, for a stationary kernel; None for others.

    Source: Rasmussen & Williams (2006), eq. 4.3. Lecture: 05, section 2.
    """
    if kernel not in BEND:
        return None
    return float(np.sqrt(BEND[kernel](lengthscale)) / np.pi * (WAY[-1] - WAY[0]))


def explore_prior():
    """Functions drawn from kernels with a lengthscale and a standard deviation; how often they cross zero.

    Lecture: 05, section 2.
    """
    first = "squared exponential"
    return Explorer(
        _draw_prior,
        predict=(
            "The lengthscale ℓ is halved. What happens to the number of times that a function crosses zero?",
            ["it stays", "it doubles", "it is four times as large"],
        ),
        cases={
            "ℓ = 1": {"kernel": first, "lengthscale": 1.0, "std": 1.0},
            "ℓ halved": {"kernel": first, "lengthscale": 0.5, "std": 1.0},
            "σ_f doubled": {"kernel": first, "lengthscale": 1.0, "std": 2.0},
            "rough: Matérn 3/2": {"kernel": "Matérn 3/2", "lengthscale": 1.0, "std": 1.0},
            "periodic": {"kernel": "periodic, period 2", "lengthscale": 1.0, "std": 1.0},
            "wrong for a curve: linear": {"kernel": "linear", "lengthscale": 1.0, "std": 1.0},
        },
        figsize=(8, 3.4),
        kernel=choice("kernel", list(KERNELS)),
        lengthscale=log_slider("lengthscale ℓ", 0.2, 3.0, 1.0),
        std=log_slider("standard deviation σ_f", 0.3, 3.0, 1.0),
    )


def _draw_prior(figure, kernel, lengthscale, std):
    functions = std * drawn_functions(kernel, round(lengthscale, 3))
    ax = figure.add_subplot()
    spread = std * np.sqrt(KERNELS[kernel](lengthscale).diagonal(WAY[:, None]))
    draw_band(WAY, np.zeros(len(WAY)), spread, ax, color=GREY, linestyle=":")
    plots.draw_functions(WAY, functions[:5], ax)
    ax.set(xlim=(-3, 3), ylim=(-6, 6), xlabel="x", ylabel="f(x)")
    counts = zero_crossings(functions)
    expected = expected_crossings(kernel, lengthscale)
    theory = "" if expected is None else f"; the formula says {expected:.1f}"
    listed = ", ".join(map(str, counts[:5]))
    grows = " (the root of the mean variance in the picture)" if "linear" in kernel else ""
    return (
        f"{kernel}, ℓ = {lengthscale:.2f}, σ_f = {std:.2f}{grows}. The five functions cross zero {listed} times; "
        f"{MANY} of them {counts.mean():.1f} times on average{theory}. The grey band holds 90 % of all values."
    )


PLACES = np.array([-1.5, 0.0, 1.4])
HEIGHTS = np.array([0.8, 0.5, -0.9])
NOISE_STD = 0.1
LINE = np.linspace(-3, 3, 181)
SEEN = {"none": (), "the middle one": (1,), "left and middle": (0, 1), "all three": (0, 1, 2)}


class Conditioned(NamedTuple):
    """mean (G,), std (G,) and functions (F, G) of the posterior over LINE. Lecture: 05, section 3."""

    mean: np.ndarray
    std: np.ndarray
    functions: np.ndarray


def conditioned(seen, heights, lengthscale):
    """The posterior of f on LINE given answers at some PLACES, with noise 0.1, and five functions drawn from it.

    Each function is a draw from the prior, corrected by what the answers say against it (with a noise of its own):
    the same random numbers give the same five functions whatever the answers are.

    Parameters
    ----------
    seen : list of the indices of the places that are seen
    heights : (3,) answers, those not seen too
    lengthscale : ℓ of a squared exponential of variance 1

    Returns
    -------
    Conditioned

    Source: Nielsen (2015), eq. 2.4. Lecture: 05, section 3.
    """
    kernel, n, places = SquaredExponential(1.0, lengthscale), len(LINE), PLACES[seen]
    rng = np.random.default_rng(4)
    drawn = rng.normal(size=(5, n + 3)) @ jittered_cholesky(kernel(np.concatenate([LINE, PLACES])))[0].T
    if not seen:
        return Conditioned(np.zeros(n), np.ones(n), drawn[:, :n])
    K_cross = kernel(places, LINE)
    weights = cholesky_solve(cholesky(kernel(places) + NOISE_STD**2 * np.eye(len(seen))), K_cross)
    answers_drawn = (drawn[:, n:] + NOISE_STD * rng.normal(size=(5, 3)))[:, seen]
    functions = drawn[:, :n] + (heights[seen] - answers_drawn) @ weights
    variance = 1.0 - np.sum(K_cross * weights, axis=0)
    return Conditioned(heights[seen] @ weights, np.sqrt(variance), functions)


def explore_conditioning():
    """A prior band with five functions; up to three answers, one of which moves up and down.

    Lecture: 05, section 3.
    """
    return Explorer(
        _draw_conditioning,
        predict=(
            "All three points are seen. The middle one moves far up. What does the band do?",
            ["it becomes wider", "it becomes narrower", "its width stays"],
        ),
        cases={
            "nothing seen": {"seen": "none", "y": 0.5, "lengthscale": 0.8},
            "three points": {"seen": "all three", "y": 0.5, "lengthscale": 0.8},
            "the middle one far up": {"seen": "all three", "y": 2.0, "lengthscale": 0.8},
            "ℓ too short": {"seen": "all three", "y": 0.5, "lengthscale": 0.2},
            "far up, and ℓ too long": {"seen": "all three", "y": 2.0, "lengthscale": 3.0},
        },
        figsize=(8, 3.4),
        seen=choice("points seen", list(SEEN)),
        y=slider("answer at the middle point", -2.0, 2.0, 0.5, 0.1),
        lengthscale=log_slider("lengthscale ℓ", 0.2, 3.0, 0.8),
    )


def _draw_conditioning(figure, seen, y, lengthscale):
    chosen = list(SEEN[seen])
    heights = np.where(np.arange(3) == 1, y, HEIGHTS)
    found = conditioned(chosen, heights, lengthscale)
    ax = figure.add_subplot()
    plots.draw_functions(LINE, found.functions, ax)
    draw_band(LINE, found.mean, found.std, ax, color="black")
    draw_answers(PLACES[chosen], heights[chosen], ax)
    rest = [k for k in range(3) if k not in chosen]
    ax.plot(PLACES[rest], heights[rest], color=GREY, marker="o", markersize=5, fillstyle="none", linestyle="none")
    ax.set(xlim=(-3, 3), ylim=(-3.2, 3.2), xlabel="x", ylabel="f(x)")
    middle, between = (np.argmin(np.abs(LINE - place)) for place in (0.0, 0.7))
    width = 2 * HALF_BAND * found.std
    return (
        f"Points seen: {seen}; the answer at the middle point is {y:.1f}, ℓ = {lengthscale:.2f}, and the noise "
        f"{NOISE_STD}. The 90 % band of f is "
        f"{width[middle]:.3f} wide at x = 0, {width[between]:.3f} at x = 0.7, {width.mean():.3f} on average. "
        f"The mean is {_signed(found.mean[middle])} at x = 0 and {_signed(found.mean[between])} at x = 0.7."
    )


SEVEN_X = np.array([0.55, 1.13, 1.57, 1.79, 3.60, 4.37, 4.89])
SEVEN_Y = np.array([1.20, 0.89, -0.22, -0.04, 0.67, 0.50, -0.66])
LENGTHSCALES, NOISE_STDS = np.geomspace(0.1, 10, 61), np.geomspace(0.02, 2, 61)
BOX = np.log([[0.1, 10], [0.02, 2]])


def evidence_terms(x, y, lengthscale, noise_std):
    """The log evidence in three parts: fit −½yᵀC⁻¹y, complexity −½log|C|, constant −½n log 2π; C = K + σ_n²I, σ_f = 1.

    Parameters
    ----------
    x, y : (n,) each

    Returns
    -------
    dict of the three numbers

    Source: Nielsen (2015), eq. 2.7d; Rasmussen & Williams (2006), eq. 2.30. Lecture: 05, section 5.
    """
    L = cholesky(SquaredExponential(1.0, lengthscale)(x) + noise_std**2 * np.eye(len(x)))
    return {
        "fit": float(-0.5 * y @ cholesky_solve(L, y)),
        "complexity": float(-np.log(L.diagonal()).sum()),
        "constant": -0.5 * len(x) * np.log(2 * np.pi),
    }


def evidence_map(x, y, lengthscales, noise_stds):
    """(L, S) log evidence for σ_f = 1: the eigenvectors of K, found once for each ℓ, serve every noise.

    Lecture: 05, section 5.
    """
    rows = []
    for lengthscale in lengthscales:
        values, vectors = np.linalg.eigh(SquaredExponential(1.0, lengthscale)(x))
        variances = np.maximum(values, 0.0) + np.square(noise_stds)[:, None]
        rows.append(-0.5 * np.sum((vectors.T @ y) ** 2 / variances + np.log(2 * np.pi * variances), axis=1))
    return np.array(rows)


@cache
def seven_points_map():
    """The evidence of the seven points over the explorer's map. Lecture: 05, section 5."""
    return evidence_map(SEVEN_X, SEVEN_Y, LENGTHSCALES, NOISE_STDS)


@cache
def climb_path(lengthscale, noise_std):
    """(P, 2) pairs (ℓ, σ_n) of L-BFGS on its way up from here, each higher than those before; the last is the end.

    Lecture: 05, section 5.
    """
    kernel = SquaredExponential(1.0, lengthscale).with_priors(variance=Fixed())
    model = GPRegression(kernel, noise_std=noise_std, optimize=False, center=False).fit(SEVEN_X, SEVEN_Y)
    best, path = -np.inf, []

    def height(theta):
        nonlocal best
        value, gradient = model.evidence_at(theta)
        if value > best:
            best = value
            path.append(theta)
        return value, gradient

    climb(height, np.clip(np.log([lengthscale, noise_std]), *BOX.T), BOX)
    return np.exp(path)


def explore_evidence():
    """Seven points, a lengthscale and a noise: the function they give, the terms of the evidence, and its map.

    Lecture: 05, section 5.
    """
    return Explorer(
        _draw_evidence,
        predict=(
            "Seven points, two unknowns: ℓ and σ_n. On the map of the log evidence, what will you find?",
            ["one top", "two tops", "no top: ever shorter ℓ is better"],
        ),
        cases={
            "wiggly": {"lengthscale": 0.73, "noise_std": 0.30, "show_map": True},
            "flat": {"lengthscale": 8.41, "noise_std": 0.63, "show_map": True},
            "too sure": {"lengthscale": 2.0, "noise_std": 0.05, "show_map": True},
            "every point for itself": {"lengthscale": 0.1, "noise_std": 0.5, "show_map": True},
        },
        actions={"Optimise from here": _optimise},
        figsize=(9, 4.6),
        lengthscale=log_slider("lengthscale ℓ", 0.1, 10.0, 1.5),
        noise_std=log_slider("noise σ_n", 0.02, 2.0, 0.8),
        show_map=switch("show the whole map"),
    )


def _optimise(explorer):
    here = (explorer.settings[name].value for name in ("lengthscale", "noise_std"))
    lengthscale, noise_std = climb_path(*here)[-1].tolist()
    explorer.set(lengthscale=lengthscale, noise_std=noise_std)


def _draw_evidence(figure, lengthscale, noise_std, show_map):
    figure.subplots_adjust(left=0.13, right=0.9)  # for the names of the bars, the numbers of the colours
    columns = figure.add_gridspec(1, 2, width_ratios=(1, 1.15), wspace=0.3)
    left = columns[0].subgridspec(2, 1, height_ratios=(1.5, 1), hspace=0.45)
    right = columns[1].subgridspec(1, 2, width_ratios=(1, 0.04), wspace=0.04)
    curve, bars, chart = (figure.add_subplot(panel) for panel in (left[0], left[1], right[0]))
    grid = np.linspace(0, 5.5, 166)
    model = GPRegression(SquaredExponential(1.0, lengthscale), noise_std=noise_std, optimize=False, center=False)
    draw_band(grid, *model.fit(SEVEN_X, SEVEN_Y).predict(grid, return_std=True), curve)
    draw_answers(SEVEN_X, SEVEN_Y, curve)
    curve.set(xlim=(0, 5.5), ylim=(-2.2, 2.2), xlabel="x", ylabel="y, f(x)")
    terms = evidence_terms(SEVEN_X, SEVEN_Y, lengthscale, noise_std)
    plots.draw_evidence_terms(terms, bars)
    _draw_chart(chart, lengthscale, noise_std, figure.add_subplot(right[1]) if show_map else None)
    sentence = (
        f"ℓ = {lengthscale:.2f}, σ_n = {noise_std:.2f}: log evidence {_signed(sum(terms.values()))} = "
        f"fit {_signed(terms['fit'])}, complexity {_signed(terms['complexity'])}, "
        f"constant {_signed(terms['constant'])}. Blue: the mean of f and its 90 % band."
    )
    if show_map:
        ell, noise = climb_path(lengthscale, noise_std)[-1]
        sentence += (
            f" From here (circle) the climb (dotted) ends at ({ell:.2f}, {noise:.2f}) (triangle). White on the map: "
            f"more than {plots.DEPTH:g} nats below the top."
        )
    return sentence


def _draw_chart(ax, lengthscale, noise_std, bar):
    point = {"markersize": 9, "markeredgecolor": "black", "linestyle": "none"}
    if bar is not None:
        plots.draw_landscape(LENGTHSCALES, NOISE_STDS, seven_points_map(), ax, bar)
        path = np.log10(climb_path(lengthscale, noise_std))
        ax.plot(*path.T, color="black", linestyle=":", marker=".", markersize=4, linewidth=1, label="climb")
        ax.plot(*path[-1], color=GREEN, marker="^", label="its end", **point)
    ax.plot(np.log10(lengthscale), np.log10(noise_std), color=VERMILION, marker="o", label="here", **point)
    if bar is not None:
        ax.legend(loc="lower right", fontsize="small")
    ax.set(xlim=(-1.03, 1.03), ylim=(np.log10(0.0187), np.log10(2.14)), xlabel="lengthscale ℓ", ylabel="noise σ_n")
    plots.label_logarithms(ax, (0.1, 0.3, 1, 3, 10), (0.02, 0.06, 0.2, 0.6, 2))
