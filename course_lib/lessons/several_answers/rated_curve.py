"""A panel that rates eight items on a known curve, and an item that nobody has rated. Lecture: 08, section 5."""

from functools import cache

import numpy as np
from scipy.stats import norm

from course_lib.gp import SquaredExponential
from course_lib.judgments.panels.multisample import MultiSampleGP

ITEMS = np.array([0.4, 1.7, 2.6, 4.1, 5.2, 7.3, 8.4, 9.6])
NEW = 6.2  # the item that nobody has rated, in the widest gap
GRID = np.linspace(0.0, 10.0, 121)
MOST_RATERS = 50
PRIOR_STD = 2.0
PEOPLE = 2000


def true_value(x):
    """The value of the item at x, in scores; nobody sees it."""
    return 5.0 + 2.0 * np.sin(0.8 * np.asarray(x))


@cache
def _scatter():
    """Standard normal: (items, most raters), and (people,) for the new item. The same in every picture."""
    rng = np.random.default_rng(8)
    return rng.normal(size=(len(ITEMS), MOST_RATERS)), rng.normal(size=PEOPLE)


def panel_answers(raters, spread):
    """(items, raters) answers; more raters keep the answers of the first."""
    return true_value(ITEMS)[:, None] + spread * _scatter()[0][:, :raters]


def new_answers(raters, spread):
    """(people,) answers about the new item, and (people // raters,) means of groups."""
    answers = true_value(NEW) + spread * _scatter()[1]
    return answers, answers[: PEOPLE // raters * raters].reshape(-1, raters).mean(axis=1)


@cache
def predicted(raters, spread, lengthscale):
    """What MultiSampleGP learns from the panel: ((mean, std) on GRID, then (mean, std) of the new item's value, of
    one answer to it, and of the mean of as many answers as there are raters).
    """
    kernel = SquaredExponential(PRIOR_STD**2, lengthscale)
    model = MultiSampleGP(kernel, noise_std=spread, optimize=False).fit(ITEMS, panel_answers(raters, spread))
    place = np.array([[NEW]])
    value, one, many = (
        tuple(float(part[0]) for part in pair)
        for pair in (
            model.predict(place, return_std=True),
            model.predict_answer(place),
            model.predict_answer(place, n_raters=raters),
        )
    )
    return model.predict(GRID[:, None], return_std=True), value, one, many


def share_inside(values, prediction):
    """The share of the values that lie in the central 90 % of a prediction (mean, std)."""
    mean, std = prediction
    return float(np.mean(np.abs(values - mean) <= norm.ppf(0.95) * std))
