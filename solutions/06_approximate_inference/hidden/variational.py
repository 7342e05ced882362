"""Reference of task 5, variational_step."""

import numpy as np
from scipy.special import expit

SEED = 605


def averages(y, mean, variance):
    """E[∂ log p] and −E[∂² log p], by sums over g within 11 standard deviations."""
    z = np.linspace(-11, 11, 8001)
    density = np.exp(-0.5 * z**2) / np.exp(-0.5 * z**2).sum()
    g = mean[:, None] + np.sqrt(variance)[:, None] * z
    p = expit(y[:, None] * g)
    return y * (1 - p @ density), (p * expit(-y[:, None] * g)) @ density


def answer(y, mean, variance, tau, nu, step):
    slope, bend = averages(y, mean, variance)
    return tau + step * (bend - tau), nu + step * (slope + bend * mean - nu)


def way(y, mean, variance, tau, nu, step):
    slope, bend = averages(y, mean, variance)
    yield "E[∂ log p]", slope
    yield "−E[∂² log p]", bend
    yield "ν of a whole step", slope + bend * mean
