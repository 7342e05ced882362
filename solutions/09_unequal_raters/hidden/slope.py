"""Reference of task 2, noise_slope."""

import numpy as np
from numpy.polynomial.hermite_e import hermegauss

SEED = 902
STEP = 1e-30  # into the complex plane


def answer(y, mean, covariance, noise_std):
    """The slope of log p(y | z), by a step into the complex plane, on average over each item's posterior."""
    nodes, weights = hermegauss(5)
    total = 0.0
    for n in np.flatnonzero(~np.isnan(y)):
        z = mean[n] + np.sqrt(covariance[n, n]) * nodes
        log_std = np.log(noise_std) + 1j * STEP
        slopes = (-log_std - 0.5 * (y[n] - z) ** 2 * np.exp(-2 * log_std)).imag / STEP
        total += weights @ slopes / weights.sum()
    return float(total)


def way(y, mean, covariance, noise_std):
    """The terms of the sum."""
    given = ~np.isnan(y)
    yield "y − m of the items he answered", (y - mean)[given]
    yield "V_nn of these items", np.diag(covariance)[given]
    yield "the terms of the sum", ((y - mean)[given] ** 2 + np.diag(covariance)[given]) / noise_std**2 - 1
