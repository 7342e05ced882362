"""Reference of task 4, time_derivatives."""

import numpy as np
from scipy.stats import lognorm

SEED = 1304


def answer(t, g, a, b, s):
    """Everything by u = 1/(1 + exp(2g)): tanh g = 1 − 2u, and each of its slopes is a polynomial in u."""
    t, g, s = np.broadcast_arrays(np.asarray(t, float), np.asarray(g, float), s)
    u = np.exp(-np.logaddexp(0.0, 2 * g))
    middle = a - b * (np.logaddexp(0.0, 2 * g) - g - np.log(2.0))
    z = np.log(t) - middle
    h1, h2 = 1 - 2 * u, 4 * u * (1 - u)
    h3 = -8 * u * (1 - u) * (1 - 2 * u)
    slopes = -b * z * h1, -b * z * h2 - (b * h1) ** 2, -b * z * h3 - 3 * b**2 * h1 * h2
    return lognorm.logpdf(t, s, scale=np.exp(middle)), *(one / s**2 for one in slopes)


def way(t, g, a, b, s):
    """What log t is compared with."""
    h = np.logaddexp(g, -g) - np.log(2.0)
    yield "h(g)", h
    yield "h′(g)", np.tanh(g)
    yield "(log t − a + b h(g))/s", (np.log(t) - a + b * h) / s
