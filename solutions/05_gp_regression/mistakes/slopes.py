"""Task 6, slope_blocks(x, x_slope, variance, lengthscale)."""

import math

import numpy as np

from .models import squared_exponential


def blocks(
    value=squared_exponential,
    cross=lambda K, d, lengthscale: K * d / lengthscale**2,
    both=lambda K, d, lengthscale: K * (1 / lengthscale**2 - d**2 / lengthscale**4),
    lower=np.transpose,
    lay=lambda ff, fs, sf, ss: np.block([[ff, fs], [sf, ss]]),
):
    """An answer with another kernel or another block; d is the first input minus the second."""

    def answer(x, x_slope, variance, lengthscale):
        d, dd = np.subtract.outer(x, x_slope), np.subtract.outer(x_slope, x_slope)
        upper = cross(value(x, x_slope, variance, lengthscale), d, lengthscale)
        corner = both(value(x_slope, x_slope, variance, lengthscale), dd, lengthscale)
        return lay(value(x, x, variance, lengthscale), upper, lower(upper), corner)

    return answer


right_answer = blocks()


def not_halved(x, z, variance, lengthscale):
    return variance * np.exp(-(np.subtract.outer(x, z) ** 2) / lengthscale**2)


def lengthscale_once(x, z, variance, lengthscale):
    return variance * np.exp(-0.5 * np.subtract.outer(x, z) ** 2 / lengthscale)


def by_differences(x, x_slope, variance, lengthscale, h=1e-4):
    """Slopes as quotients of values a little apart."""
    places = np.concatenate([x, x_slope + h, x_slope - h])
    n, m = len(x), len(x_slope)
    quotient = np.hstack([np.eye(m), -np.eye(m)]) / (2 * h)
    maps = np.block([[np.eye(n), np.zeros((n, 2 * m))], [np.zeros((m, n)), quotient]])
    return maps @ squared_exponential(places, places, variance, lengthscale) @ maps.T


MISTAKES = {
    "sign of the cross block": blocks(cross=lambda K, d, s: -K * d / s**2),
    "antisymmetric": blocks(lower=lambda upper: -upper.T),
    "antisymmetric, both turned": blocks(cross=lambda K, d, s: -K * d / s**2, lower=lambda upper: -upper.T),
    "lower block left out": blocks(lower=lambda upper: np.zeros_like(upper.T)),
    "cross blocks left out": blocks(cross=lambda K, d, s: 0 * K),
    "distance without its sign": blocks(cross=lambda K, d, s: K * np.abs(d) / s**2),
    "cross not divided": blocks(cross=lambda K, d, s: K * d),
    "cross divided by ℓ": blocks(cross=lambda K, d, s: K * d / s),
    "cross halved": blocks(cross=lambda K, d, s: 0.5 * K * d / s**2),
    "cross doubled": blocks(cross=lambda K, d, s: 2 * K * d / s**2),
    "outer derivative only": blocks(cross=lambda K, d, s: K),
    "inner derivative only": blocks(cross=lambda K, d, s: d / s**2),
    "slope twice by one input": blocks(both=lambda K, d, s: K * (d**2 / s**4 - 1 / s**2)),
    "squares only": blocks(both=lambda K, d, s: -K * d**2 / s**4),
    "squares only, positive": blocks(both=lambda K, d, s: K * d**2 / s**4),
    "curvature only": blocks(both=lambda K, d, s: K / s**2),
    "terms added": blocks(both=lambda K, d, s: K * (1 / s**2 + d**2 / s**4)),
    "ℓ² for ℓ⁴": blocks(both=lambda K, d, s: K * (1 / s**2 - d**2 / s**2)),
    "1 for 1/ℓ²": blocks(both=lambda K, d, s: K * (1 - d**2 / s**2)),
    "1/ℓ for 1/ℓ²": blocks(both=lambda K, d, s: K * (1 / s - d**2 / s**3)),
    "slopes as values": blocks(both=lambda K, d, s: K),
    "square of the cross factor": blocks(both=lambda K, d, s: (K * d / s**2) ** 2),
    "exponent not halved": blocks(value=not_halved),
    "ℓ for ℓ² in the kernel": blocks(value=lengthscale_once),
    "variance squared": blocks(value=lambda x, z, variance, s: squared_exponential(x, z, variance**2, s)),
    "slopes first": blocks(lay=lambda ff, fs, sf, ss: np.block([[ss, sf], [fs, ff]])),
}

RULE_MISTAKES = {
    "cross block alone": (blocks(lay=lambda ff, fs, sf, ss: fs), "It has the shape"),
    "four blocks": (blocks(lay=lambda ff, fs, sf, ss: (ff, fs, sf, ss)), "came back"),
    "differences": (by_differences, "How many digits does a difference"),
}


def entry_by_entry(x, x_slope, variance, lengthscale):
    places = [(value, False) for value in x] + [(value, True) for value in x_slope]
    K = [[0.0] * len(places) for _ in places]
    for i, (a, a_slope) in enumerate(places):
        for j, (b, b_slope) in enumerate(places):
            u = (a - b) / lengthscale
            factor = {(0, 0): 1, (0, 1): u, (1, 0): -u, (1, 1): 1 - u * u}[a_slope, b_slope]
            K[i][j] = variance * math.exp(-u * u / 2) * factor / lengthscale ** (a_slope + b_slope)
    return K


def features(x, x_slope, variance, lengthscale, terms=120):
    """Another algorithm: k is a power series in x·z, so that each input has a row of features, and each slope too."""

    def values(u):
        powers = [np.exp(-0.5 * u**2)]
        for k in range(1, terms):
            powers.append(powers[-1] * u / np.sqrt(k))
        return np.array(powers).T

    def derivatives(u):
        phi, k = values(u), np.arange(terms)
        return np.hstack([np.zeros((len(u), 1)), np.sqrt(k[1:]) * phi[:, :-1]]) - u[:, None] * phi

    middle = np.mean(np.concatenate([x, x_slope]))
    u, v = (x - middle) / lengthscale, (x_slope - middle) / lengthscale
    phi = np.sqrt(variance) * np.vstack([values(u), derivatives(v) / lengthscale])
    return phi @ phi.T


def hermite(x, x_slope, variance, lengthscale):
    """Derivatives of a Gaussian bell are Hermite polynomials times it."""
    u = np.subtract.outer(np.append(x, x_slope), np.append(x, x_slope)) / lengthscale
    order = np.add.outer(*[np.repeat([0, 1], [len(x), len(x_slope)])] * 2)
    polynomials = np.choose(order, [np.ones_like(u), u, 1 - u**2])
    sign = np.where(np.arange(len(u))[:, None] < len(x), 1, np.where(np.arange(len(u)) < len(x), -1, 1))
    return variance * np.exp(-0.5 * u**2) * polynomials * sign / lengthscale**order


def filled(x, x_slope, variance, lengthscale):
    n, total = len(x), len(x) + len(x_slope)
    K = np.empty((total, total))
    K[:n, :n] = squared_exponential(x, x, variance, lengthscale)
    K[:n, n:] = squared_exponential(x, x_slope, variance, lengthscale) * (x[:, None] - x_slope) / lengthscale**2
    K[n:, :n] = K[:n, n:].T
    corner = squared_exponential(x_slope, x_slope, variance, lengthscale)
    K[n:, n:] = corner * (1 - (x_slope[:, None] - x_slope) ** 2 / lengthscale**2) / lengthscale**2
    return K


RIGHT = {
    "blocks": right_answer,
    "entry by entry, lists": entry_by_entry,
    "features": features,
    "Hermite": hermite,
    "filled in": filled,
}
