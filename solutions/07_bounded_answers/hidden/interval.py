"""Reference of task 4, predictive_interval."""

from functools import cache

import numpy as np
from scipy.optimize import toms748
from scipy.special import betainc
from scipy.stats import norm

SEED = 704
nodes = cache(np.polynomial.legendre.leggauss)


def below(mean, variance, precision):
    """The distribution function of the mark."""
    x, w = nodes(700)
    w = w * norm.pdf(8.5 * x) / (w * norm.pdf(8.5 * x)).sum()
    f = mean + 8.5 * x * np.sqrt(variance)
    a, b = precision * norm.cdf(f), precision * norm.sf(f)
    return lambda y: float(w @ betainc(a, b, y))


def answer(mean, variance, precision, level):
    F = below(mean, variance, precision)
    return tuple(toms748(lambda y, p=p: F(y) - p, 0, 1, xtol=1e-12) for p in (0.5 - level / 2, 0.5 + level / 2))


def way(mean, variance, precision, level):
    F = below(mean, variance, precision)
    yield "below and above the interval", 0.5 - level / 2
    yield "F(¼)", F(0.25)
    yield "F(½)", F(0.5)
    yield "F(¾)", F(0.75)
