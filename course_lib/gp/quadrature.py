"""Averages over one number g: the trapezoidal rule after g = c + w sinh t.

Its nodes are dense where the integrand bends (or where the Gaussian is narrow) and ever coarser away from there, so
that some hundred of them serve a Gaussian of any width. Its error falls exponentially with 1/step. Gauss–Hermite,
whose nodes know only the Gaussian, needs a number of nodes in proportion to the variance as soon as the likelihood is
the sharper.

Where the integrand has a kink, no rule of smooth functions is exact: then Gauss–Legendre, from kink to kink.

Source: Trefethen & Weideman (2014), "The exponentially convergent trapezoidal rule".

Lecture: 06, sections 2 and 4; 13, section 4.
"""

from functools import cache

import numpy as np

REACH_STDS = 9.0  # standard deviations on either side: 2e-19 of a Gaussian's mass lies beyond
LOG_ROOT_2PI = 0.5 * np.log(2 * np.pi)
LEAST_NODES, NODES_PER_UNIT = 4, 8  # of half a panel, and for each unit of t in it


def above_zero(variance, mean):
    """The variance, or, where it is 0, one too small to be noticed: g is known there, and no node may divide by 0."""
    return np.maximum(variance, 1e-16 * np.square(mean) + 1e-200)  # g has any unit: no number is small of itself


def gaussian_nodes(step, feature, mean, variance, reach=REACH_STDS, kinks=()):
    """Nodes (Q, …), and weights that sum to one, for averages over N(mean, variance).

    step : of t;  feature : (centre, width) of where the integrand bends;  kinks : (K,) places where its slope jumps
    reach : standard deviations on either side, more for what grows as fast as the Gaussian falls
    """
    mean, std = np.broadcast_arrays(mean, np.sqrt(above_zero(variance, mean)))
    low, high = mean - reach * std, mean + reach * std
    if len(kinks):
        g, log_weight = _panels(kinks, np.minimum(feature[1], std), low, high, mean)
    else:
        g, log_weight = _trapezoid(step, (mean, std), feature, low, high)
    log_weight = log_weight - 0.5 * ((g - mean) / std) ** 2
    return g, _normalized(log_weight)[1]


def tilted_nodes(step, log_density, features, mean, variance, kinks=()):
    """log Z, nodes (Q, …), and weights that sum to one, for averages over exp(log_density(g)) N(g | mean, variance)/Z.

    features : two (centre, width): the peak of the product, and where the density is large;  step, kinks : as above
    """
    std, (peak, width) = np.sqrt(variance), features[0]
    low, high = np.minimum(mean, peak) - REACH_STDS * std, np.maximum(mean, peak) + REACH_STDS * std
    if len(kinks):
        narrow = np.minimum(np.minimum(features[1][1], width), std)
        g, log_weight = _panels(kinks, narrow, low, high, mean, peak)
    else:
        g, log_weight = _trapezoid(step, *features, low, high)
    log_weight = log_weight + log_density(g) - 0.5 * ((g - mean) / std) ** 2 - np.log(std) - LOG_ROOT_2PI
    log_Z, weight = _normalized(log_weight)
    return log_Z, g, weight


def tilted_peak(log_density, derivatives, begin, mean, variance, rounds=50):
    """Mode of p(g) N(g | mean, variance) and the width of its peak, by Newton steps that only ever go up.

    log_density : g → log p;  derivatives : g → (log p, ∂ log p, ∂² log p, ∂³ log p)
    begin : (S, …) points, of which the highest is the start
    """

    def height(g):
        return log_density(g) - 0.5 * (g - mean) ** 2 / variance

    g = np.take_along_axis(begin, np.argmax(height(begin), axis=0)[None], axis=0)[0]
    damping = np.ones_like(g)
    for _ in range(rounds):
        _, slope, curvature, _ = derivatives(g)
        precision = 1 / variance + np.maximum(-curvature, 0.0)
        step = (slope - (g - mean) / variance) / precision
        if np.all(step**2 * precision < 1e-4):
            break
        up = height(g + damping * step) > height(g)
        g = np.where(up, g + damping * step, g)
        damping = np.where(up, 1.0, 0.25 * damping)
    return g, 1 / np.sqrt(precision)


def _trapezoid(step, one, other, low, high):
    """Nodes (Q, …) from low to high and their log weights: the trapezoidal rule in t, g = centre + width sinh t.

    one, other : (centre, width); the narrower of the two is taken.
    """
    centre = np.clip(np.where(one[1] < other[1], one[0], other[0]), low, high)
    width = np.minimum(one[1], other[1])
    begin, end = np.arcsinh((low - centre) / width), np.arcsinh((high - centre) / width)
    Q = int(np.ceil(np.max(end - begin, initial=0.0) / step)) + 1  # no answer has no width
    t = begin + (end - begin) * np.linspace(0.0, 1.0, Q).reshape(-1, *(1,) * np.ndim(centre))
    return centre + width * np.sinh(t), np.log(width * np.cosh(t)) + np.log((end - begin) / (Q - 1))


def _normalized(log_weight):
    """(log Σ exp(log_weight), weights (Q, …) that sum to one), several times as fast as by SciPy's logsumexp."""
    highest = log_weight.max(axis=0)
    highest = np.where(np.isfinite(highest), highest, 0.0)  # where nothing is possible, Σ is 0 and its logarithm −∞
    weight = np.exp(log_weight - highest)
    total = weight.sum(axis=0)
    with np.errstate(divide="ignore"):
        return highest + np.log(total), weight / np.where(total > 0.0, total, 1.0)


def _panels(kinks, width, low, high, *features):
    """Nodes (Q, …) from low to high and their log weights, in panels that end at kinks and features: dense near these.

    Each panel is cut in its middle, and on either half g = end ± width sinh t, with t by Gauss and Legendre.
    """
    inner = [np.clip(place, low, high) for place in (*kinks, *features)]
    ends = np.sort(np.stack([low, *inner, high]), axis=0)
    reach = np.arcsinh(0.5 * np.diff(ends, axis=0) / width)
    nodes, weights = [], []
    for left, right, t_end in zip(ends[:-1], ends[1:], reach, strict=True):
        x, share = _unit_interval(LEAST_NODES + int(np.ceil(NODES_PER_UNIT * np.max(t_end, initial=0.0))))
        x, share = (part.reshape(-1, *(1,) * np.ndim(left)) for part in (x, share))
        off = width * np.sinh(x * t_end)
        nodes += [left + off, right - off]
        weights += [share * width * np.cosh(x * t_end) * t_end] * 2
    with np.errstate(divide="ignore"):  # a panel without length has weight 0
        return np.concatenate(nodes), np.log(np.concatenate(weights))


@cache
def _unit_interval(Q):
    """Q nodes of Gauss and Legendre in 0 … 1, and their weights."""
    x, weight = np.polynomial.legendre.leggauss(Q)
    return 0.5 * (1.0 + x), 0.5 * weight
