"""Measurements of a sine some of which went wrong, and curves through them with light and with heavy tails.

Lecture: 06, section 13.
"""

from typing import NamedTuple

import numpy as np

from course_lib.gp.kernels import SquaredExponential
from course_lib.gp.latent import LatentGP
from course_lib.gp.likelihoods import StudentT
from course_lib.gp.observations import values
from course_lib.gp.priors import Fixed
from course_lib.gp.regression import GPRegression
from course_widgets.tables import table

NOISE_STD, N_WRONG = 0.15, 3
SEARCH_STARTS = {"Gaussian noise, short ℓ": 0.5, "Gaussian noise, long ℓ": 1.5}  # the evidence has two tops
X_GRID = np.linspace(0, 10, 200)


class Measured(NamedTuple):
    """X (n,), y (n,) measurements of sin x, and the indices (3,) of those that went wrong."""

    X: np.ndarray
    y: np.ndarray
    outliers: np.ndarray


def measured(seed, n=30):
    """Thirty measurements; three of them, drawn at random, are 2 to 3 too high or too low."""
    rng = np.random.default_rng(seed)
    X = np.sort(rng.uniform(0, 10, n))
    y = np.sin(X) + NOISE_STD * rng.normal(size=n)
    outliers = np.sort(rng.choice(n, N_WRONG, replace=False))
    y[outliers] += rng.choice([-1, 1], N_WRONG) * rng.uniform(2, 3, N_WRONG)
    return Measured(X, y, outliers)


def curves_through(X, y, rule="laplace"):
    """{name: fitted model}: Gaussian noise from two starts, and Student's t with four degrees; all else learned."""
    models = {
        name: GPRegression(SquaredExponential(1.0, start), noise_std=0.5, center=False).fit(X, y)
        for name, start in SEARCH_STARTS.items()
    }
    heavy = StudentT(NOISE_STD, degrees=4.0).with_priors(degrees=Fixed())
    models["Student's t"] = LatentGP(SquaredExponential(1.0, 1.5), inference=rule).fit(values(X, y, heavy))
    return models


def off(model):
    """Root mean square distance of a curve from the sine."""
    return float(np.sqrt(np.mean((model.predict_latent(X_GRID)[0] - np.sin(X_GRID)) ** 2)))


def distances_table(distances):
    """Median, middle half and largest of the distances {name: (draws,)} of curves from the sine."""
    rows = []
    for name, each in distances.items():
        low, middle, high = np.quantile(each, [0.25, 0.5, 0.75])
        rows.append((name, f"{middle:.2f}", f"{low:.2f} … {high:.2f}", f"{max(each):.2f}"))
    draws = len(next(iter(distances.values())))
    return table((f"{draws} draws: distance from the sine", "median", "middle half", "largest"), rows)
