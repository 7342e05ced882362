"""Task 6, poisson_derivatives(y, g)."""

import math

import numpy as np
from scipy.special import factorial, gammaln
from scipy.stats import poisson


def right_answer(y, g):
    y, g = np.broadcast_arrays(y, g)
    rate = np.exp(g)
    return y * g - rate - gammaln(y + 1), y - rate, -rate, -rate


def changed(log_p=None, first=None, second=None, third=None):
    """The right answer with some of its four parts made by another rule of (y, g, rate)."""

    def answer(y, g):
        given = *np.broadcast_arrays(y, g), np.exp(np.broadcast_arrays(y, g)[1])
        rules = log_p, first, second, third
        return tuple(
            part if rule is None else rule(*given) for rule, part in zip(rules, right_answer(y, g), strict=True)
        )

    return answer


def in_the_rate(y, g):
    """Derivatives with respect to the rate."""
    y, g = np.broadcast_arrays(y, g)
    rate = np.exp(g)
    return right_answer(y, g)[0], y / rate - 1, -y / rate**2, 2 * y / rate**3


def g_is_the_rate(y, g):
    y, g = np.broadcast_arrays(y, g)
    rate = np.abs(g) + 1e-9
    return y * np.log(rate) - rate - gammaln(y + 1), y / rate - 1, -y / rate**2, 2 * y / rate**3


def with_factorial(y, g):
    y, g = np.broadcast_arrays(y, g)
    with np.errstate(over="ignore"):
        return changed(log_p=lambda y, g, rate: y * g - rate - np.log(factorial(y)))(y, g)


def with_products(y, g):
    """log of the probability itself."""
    with np.errstate(all="ignore"):
        return changed(log_p=lambda y, g, rate: np.log(rate**y * np.exp(-rate) / factorial(y)))(y, g)


def softplus(y, g):
    y, g = np.broadcast_arrays(y, g)
    p = 1 / (1 + np.exp(-g))
    rate = np.logaddexp(0, g)
    return (
        y * np.log(rate) - rate - gammaln(y + 1),
        (y / rate - 1) * p,
        (y / rate - 1) * p * (1 - p) - y * p**2 / rate**2,
        -p * (1 - p),
    )


def normal(y, g):
    """A Gaussian with the same mean and variance, whose variance is held."""
    y, g = np.broadcast_arrays(y, g)
    rate = np.exp(g)
    return -0.5 * (y - rate) ** 2 / rate - 0.5 * np.log(2 * np.pi * rate), y - rate, -rate, -rate


def not_broadcast(y, g):
    rate = np.exp(g)
    return y * g - rate - gammaln(y + 1), y - rate, -rate, -rate


FACTORIAL = "How large is 300 factorial"

MISTAKES = {
    "no factorial": changed(log_p=lambda y, g, rate: y * g - rate),
    "gammaln(y)": changed(log_p=lambda y, g, rate: y * g - rate - gammaln(np.maximum(y, 0.5))),
    "factorial added": changed(log_p=lambda y, g, rate: y * g - rate + gammaln(y + 1)),
    "log y for log y!": changed(log_p=lambda y, g, rate: y * g - rate - np.log(np.maximum(y, 1))),
    "Stirling": changed(log_p=lambda y, g, rate: y * g - rate - np.where(y > 0, y * np.log(np.maximum(y, 1)) - y, 0)),
    "rate added": changed(log_p=lambda y, g, rate: y * g + rate - gammaln(y + 1)),
    "log g": changed(log_p=lambda y, g, rate: y * np.log(np.abs(g) + 1e-9) - g - gammaln(y + 1)),
    "g is the rate": g_is_the_rate,
    "y times the rate": changed(log_p=lambda y, g, rate: y * rate - rate - gammaln(y + 1)),
    "in the rate": in_the_rate,
    "y / rate − 1": changed(first=lambda y, g, rate: y / rate - 1),
    "slope turned": changed(first=lambda y, g, rate: rate - y),
    "y − g": changed(first=lambda y, g, rate: y - g),
    "curvature turned": changed(second=lambda y, g, rate: rate),
    "minus second derivative": changed(second=lambda y, g, rate: rate, third=lambda y, g, rate: rate),
    "third turned": changed(third=lambda y, g, rate: rate),
    "no third": changed(third=lambda y, g, rate: 0 * g),
    "curvature is −1": changed(second=lambda y, g, rate: 0 * g - 1, third=lambda y, g, rate: 0 * g),
    "curvature with y": changed(second=lambda y, g, rate: -y * rate, third=lambda y, g, rate: -y * rate),
    "third squared": changed(third=lambda y, g, rate: -(rate**2)),
    "softplus": softplus,
    "a normal": normal,
}

RULE_MISTAKES = {
    "factorial": (with_factorial, FACTORIAL),
    "math.factorial of floats": (
        lambda y, g: (np.vectorize(lambda n: math.log(float(math.factorial(int(n)))))(y), *right_answer(y, g)[1:]),
        FACTORIAL,
    ),
    "product of probabilities": (with_products, FACTORIAL),
    "p itself": (lambda y, g: (np.exp(right_answer(y, g)[0]), *right_answer(y, g)[1:]), "p, or log p?"),
    "summed": (lambda y, g: tuple(map(np.sum, right_answer(y, g))), "is needed"),
    "not broadcast": (not_broadcast, "Which shape has each of the four?"),
    "three parts": (lambda y, g: right_answer(y, g)[:3], "4 values are needed"),
}


def one_by_one(y, g):
    y, g = np.broadcast_arrays(y, g)
    parts = [np.zeros(y.shape) for _ in range(4)]
    for index in np.ndindex(y.shape):
        count, latent = float(y[index]), float(g[index])
        rate = math.exp(latent)
        parts[0][index] = count * latent - rate - math.lgamma(count + 1)
        parts[1][index] = count - rate
        parts[2][index] = parts[3][index] = -rate
    return parts


def with_scipy(y, g):
    rate = np.exp(g)
    log_p = poisson.logpmf(y, rate)
    return log_p, y - rate, 0 * y - rate, 0 * y - rate


def with_zeros(y, g):
    zero = np.zeros(np.broadcast_shapes(np.shape(y), np.shape(g)))
    rate = zero + np.exp(g)
    logs = zero + np.vectorize(lambda n: math.fsum(math.log(k) for k in range(1, int(n) + 1)), otypes=[float])(y)
    return y * g - rate - logs, y - rate, -rate, -rate


def as_lists(y, g):
    return [part.tolist() for part in right_answer(y, g)]


def by_complex_steps(y, g):
    """Each derivative by a complex step from the one before."""

    def slope(z):
        return y - np.exp(z)

    curvature = np.imag(slope(g + 1e-30j)) / 1e-30 + 0 * y
    third = np.imag(-np.exp(g + 1e-30j)) / 1e-30 + 0 * y
    return y * g - np.exp(g) - gammaln(y + 1), slope(g), curvature, third


RIGHT = {
    "gammaln": right_answer,
    "loops": one_by_one,
    "scipy": with_scipy,
    "sums of logarithms": with_zeros,
    "lists": as_lists,
    "complex steps": by_complex_steps,
}
