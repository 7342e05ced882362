"""Simulated panels on known curves, and what a model learns from one of them.

Lecture: 08, sections 2–5 and 7.
"""

from functools import cache

import numpy as np
from scipy.stats import norm

from course_lib import validation
from course_lib.gp import SquaredExponential
from course_lib.judgments.panels.multisample import MultiSampleGP


def sine(x):
    """The value that the inputs explain, at x of any shape."""
    return 1.2 * np.sin(0.9 * validation.real_array(x, "x"))


def sine_panel(seed, items=10, raters=5, spread=1.0, own=0.0):
    """Items at random places in 0 … 10, in order (N,), and answers y_ir = sine(x_i) + u_i + ε_ir (N, R): (X, Y).

    spread : standard deviation σ ≥ 0 of the answers to one item
    own : standard deviation ω ≥ 0 of u, what an item has of its own and all its raters notice
    """
    items, raters = validation.integer(items, "items"), validation.integer(raters, "raters")
    spread, own = validation.not_negative(spread, "spread"), validation.not_negative(own, "own")
    rng = np.random.default_rng(validation.integer(seed, "seed", least=0))
    X = np.sort(rng.uniform(0, 10, items))
    values = sine(X)[:, None]
    if own > 0:
        values = values + own * rng.normal(size=(items, 1))
    return X, values + spread * rng.normal(size=(items, raters))


# --- a panel that rates eight items on a known curve, and an item that nobody has rated

X_ITEMS = np.array([0.4, 1.7, 2.6, 4.1, 5.2, 7.3, 8.4, 9.6])
NEW_INPUT = 6.2  # the item that nobody has rated, in the widest gap
X_GRID = np.linspace(0.0, 10.0, 121)
MOST_RATERS = 50
PRIOR_STD = 2.0
N_PEOPLE = 2000


def true_value(x):
    """The value of the item at x, in scores; nobody sees it."""
    return 5.0 + 2.0 * np.sin(0.8 * np.asarray(x))


@cache
def _scatter():
    """Standard normal: (items, most raters), and (people,) for the new item. The same in every picture."""
    rng = np.random.default_rng(8)
    return rng.normal(size=(len(X_ITEMS), MOST_RATERS)), rng.normal(size=N_PEOPLE)


def panel_answers(raters, spread):
    """(items, raters) answers; more raters keep the answers of the first."""
    return true_value(X_ITEMS)[:, None] + spread * _scatter()[0][:, :raters]


def new_answers(raters, spread):
    """(people,) answers about the new item, and (people // raters,) means of groups."""
    answers = true_value(NEW_INPUT) + spread * _scatter()[1]
    return answers, answers[: N_PEOPLE // raters * raters].reshape(-1, raters).mean(axis=1)


@cache
def predicted(raters, spread, lengthscale):
    """What MultiSampleGP learns from the panel: ((mean, std) on X_GRID, then (mean, std) of the new item's value, of
    one answer to it, and of the mean of as many answers as there are raters).
    """
    kernel = SquaredExponential(PRIOR_STD**2, lengthscale)
    model = MultiSampleGP(kernel, noise_std=spread, optimize=False).fit(X_ITEMS, panel_answers(raters, spread))
    place = np.array([[NEW_INPUT]])
    value, one, many = (
        tuple(float(part[0]) for part in pair)
        for pair in (
            model.predict(place, return_std=True),
            model.predict_answer(place),
            model.predict_answer(place, n_raters=raters),
        )
    )
    return model.predict(X_GRID[:, None], return_std=True), value, one, many


# --- a budget of answers: many items with one each, or few with many


BUDGET = 80


@cache
def plan(raters, lengthscale, own):
    """Each item rated by so many people, until BUDGET answers are spent, σ = 1: (X, Y, model).

    own : ω ≥ 0, what an item has of its own;  model : MultiSampleGP, told kernel, σ and ω
    """
    X, rng = (np.arange(BUDGET // raters) + 0.5) * 10 * raters / BUDGET, np.random.default_rng(8)
    Y = (true_value(X) + own * rng.normal(size=len(X)))[:, None] + rng.normal(size=(len(X), raters))
    kernel = SquaredExponential(PRIOR_STD**2, lengthscale)
    return X, Y, MultiSampleGP(kernel, noise_std=1.0, nugget_std=own or None, optimize=False).fit(X, Y)


@cache
def plan_widths(raters, lengthscale, own):
    """Standard deviations that a plan leaves: of the value of a rated item and of a new one, and of ω (its error).

    The first two are root mean squares, over the items and over X_GRID. The error of ω is that of its greatest
    likelihood, by the expected curvature in (ω², σ²); one answer for each item tells only their sum: infinite.
    """
    X, Y, model = plan(raters, lengthscale, own)
    rated, new = (model.predict(x, return_std=True)[1] for x in (model.items_, X_GRID[::4, None]))
    widths = [float(np.sqrt(np.mean(std**2))) for std in (rated, new)]
    if not own:
        return widths
    level = (10 * np.std(Y)) ** 2  # its wide prior, as the model has it
    eigenvalues = np.linalg.eigvalsh(SquaredExponential(PRIOR_STD**2, lengthscale)(X[:, None]) + level)
    of_means = 0.5 * np.sum((eigenvalues + own**2 + 1 / raters) ** -2)
    information = of_means * np.outer([1, 1 / raters], [1, 1 / raters])
    information[1, 1] += len(X) * (raters - 1) / 2  # of the spreads within items
    return [*widths, np.sqrt(np.linalg.inv(information)[0, 0]) / (2 * own) if raters > 1 else np.inf]


def share_inside(values, prediction):
    """The fraction of the values that lie in the central 90 % of a prediction (mean, std)."""
    mean, std = prediction
    return float(np.mean(np.abs(values - mean) <= norm.ppf(0.95) * std))


# --- what means of answers are worth


def means_with_interval(Y):
    """The mean of each row of answers Y (N, R), NaN where one is missing, and half of its 90 % interval: (N,) both.

    All answers have the same noise σ, estimated from the differences within rows.
    """
    R = np.sum(~np.isnan(Y), axis=1)
    variance = np.sum(R * np.nanvar(Y, axis=1)) / np.sum(R - 1)
    return np.nanmean(Y, axis=1), norm.ppf(0.95) * np.sqrt(variance / R)
