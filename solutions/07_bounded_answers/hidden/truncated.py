"""Reference of task 5, truncated_mean."""

from functools import cache

import numpy as np
from scipy.stats import norm

SEED = 705
nodes = cache(np.polynomial.legendre.leggauss)


def given(f, precision):
    """Mean mark for each f, by quadrature where the density is."""
    x, w = nodes(300)
    mode = norm.cdf(f)
    start, end = np.maximum(0, mode - 9 / precision), np.minimum(1, mode + 9 / precision)
    y = (end + start)[:, None] / 2 + (end - start)[:, None] / 2 * x
    density = w * norm.pdf(precision * (y - mode[:, None]))
    return (density * y).sum(axis=1) / density.sum(axis=1)


def answer(mean, variance, precision):
    x, w = nodes(300)
    outer = w * norm.pdf(8 * x)
    return float(outer @ given(mean + 8 * x * np.sqrt(variance), precision) / outer.sum())


def way(mean, variance, precision):
    f = mean + np.sqrt(variance) * np.array([-1, 0, 1])
    which = [1] if variance == 0 else [0, 1, 2]
    names = "mean − √variance", "mean", "mean + √variance"
    for k in which:
        yield f"for f = {names[k]} the mode", float(norm.cdf(f[k]))
        yield "and μ", float(given(f[[k]], precision)[0])
