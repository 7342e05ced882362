"""Task 1, warped_density(y, mean, variance, low, high)."""

import math

import numpy as np
from scipy.special import logit, ndtr, ndtri
from scipy.stats import norm


def to_unit(y, low, high):
    """Marks as shares of the scale."""
    return (y - low) / (high - low)


def gaussian(z, mean, variance):
    return np.exp(-0.5 * (z - mean) ** 2 / variance) / np.sqrt(2 * np.pi * variance)


def log_odds(y, low, high):
    return np.log((y - low) / (high - y))


def steepness(y, low, high):
    """|dz/dy| of the log odds."""
    return (high - low) / ((y - low) * (high - y))


def warped(warping=log_odds, jacobian=steepness, density=gaussian):
    """An answer made of its parts: warping, derivative, density of the warped mark."""

    def answer(y, mean, variance, low, high):
        return density(warping(y, low, high), mean, variance) * jacobian(y, low, high)

    return answer


right_answer = warped()


def probit_steepness(y, low, high):
    u = to_unit(y, low, high)
    return 1 / (gaussian(ndtri(u), 0, 1) * (high - low))


def quiet(function):
    """The same function without NumPy's warnings."""

    def silent(*given):
        with np.errstate(all="ignore"):
            return function(*given)

    return silent


@quiet
def mean_warped_too(y, mean, variance, low, high):
    """Takes the mean for a mark."""
    return gaussian(log_odds(y, low, high), log_odds(mean, low, high), variance) * steepness(y, low, high)


def cumulative(y, mean, variance, low, high):
    return ndtr((log_odds(y, low, high) - mean) / np.sqrt(variance))


def logistic(z, mean, variance):
    share = 1 / (1 + np.exp(-(z - mean) / np.sqrt(variance)))
    return share * (1 - share) / np.sqrt(variance)


def divided_by_its_sum(*given):
    return right_answer(*given) / right_answer(*given).sum()


MISTAKES = {
    "no Jacobian": warped(jacobian=lambda *_: 1.0),
    "Jacobian turned over": warped(jacobian=lambda *given: 1 / steepness(*given)),
    "derivative of the other direction, unit scale": warped(
        jacobian=lambda *given: to_unit(*given) * (1 - to_unit(*given))
    ),
    "Jacobian of a logarithm": warped(jacobian=lambda y, low, high: 1 / (y - low)),
    "length of the scale only": warped(jacobian=lambda y, low, high: 1 / (high - low)),
    "range forgotten": warped(jacobian=lambda *given: 1 / (to_unit(*given) * (1 - to_unit(*given)))),
    "range left out of the numerator": warped(jacobian=lambda y, low, high: 1 / ((y - low) * (high - y))),
    "range multiplied in": warped(
        jacobian=lambda *given: (given[2] - given[1]) / (to_unit(*given) * (1 - to_unit(*given)))
    ),
    "variance as standard deviation": warped(density=lambda z, mean, variance: gaussian(z, mean, variance**2)),
    "root in the exponent": warped(density=lambda z, mean, variance: gaussian(z, mean, variance**0.5)),
    "norm.pdf with variance": warped(density=lambda z, mean, variance: norm.pdf(z, mean, variance)),
    "multiplied by the variance": warped(
        density=lambda z, mean, v: np.exp(-0.5 * (z - mean) ** 2 * v) / np.sqrt(2 * np.pi * v)
    ),
    "no half": warped(density=lambda z, mean, v: np.exp(-((z - mean) ** 2) / v) / np.sqrt(2 * np.pi * v)),
    "no constant": warped(density=lambda z, mean, v: np.exp(-0.5 * (z - mean) ** 2 / v)),
    "no 2π": warped(density=lambda z, mean, v: np.exp(-0.5 * (z - mean) ** 2 / v) / np.sqrt(v)),
    "no σ in the constant": warped(density=lambda z, mean, v: np.exp(-0.5 * (z - mean) ** 2 / v) / np.sqrt(2 * np.pi)),
    "2π without its root": warped(
        density=lambda z, mean, v: np.exp(-0.5 * (z - mean) ** 2 / v) / (2 * np.pi * np.sqrt(v))
    ),
    "probit": warped(lambda *given: ndtri(to_unit(*given)), probit_steepness),
    "probit, Jacobian of the logit": warped(lambda *given: ndtri(to_unit(*given))),
    "log10": warped(lambda *given: np.log10(np.exp(log_odds(*given)))),
    "not warped": warped(lambda y, low, high: y),
    "log only": warped(lambda y, low, high: np.log(to_unit(y, low, high))),
    "upside down": warped(lambda *given: -log_odds(*given)),
    "y over high": quiet(warped(lambda y, low, high: np.log(y / (high - y)))),
    "as if on 0 … 1": quiet(warped(lambda y, low, high: np.log(y / (1 - y)))),
    "mean warped too": mean_warped_too,
    "cumulative": cumulative,
    "logistic": warped(density=logistic),
}

RULE_MISTAKES = {
    "log density": (lambda *given: np.log(right_answer(*given)), "A density, or its logarithm?"),
    "divided by its sum": (divided_by_its_sum, "Must densities of a few marks sum to one?"),
    "the product of all": (lambda *given: float(np.prod(right_answer(*given))), "is needed"),
}


def in_logs(y, mean, variance, low, high):
    u = to_unit(np.asarray(y), low, high)
    return np.exp(norm.logpdf(logit(u), mean, np.sqrt(variance)) - np.log(u) - np.log1p(-u) - np.log(high - low))


def one_by_one(y, mean, variance, low, high):
    found = []
    for mark in y:
        below, above = mark - low, high - mark
        z = math.log(below) - math.log(above)
        found.append(
            math.exp(-((z - mean) ** 2) / (2 * variance)) / math.sqrt(2 * math.pi * variance) * (1 / below + 1 / above)
        )
    return found


def through_the_logistic(y, mean, variance, low, high):
    """dz/dy as 1/(dy/dz), from the way back."""
    z = logit((y - low) / (high - low))
    back = np.exp(-np.logaddexp(0, -z) - np.logaddexp(0, z)) * (high - low)
    return norm.pdf((z - mean) / variance**0.5) / (variance**0.5 * back)


RIGHT = {
    "the formula": right_answer,
    "in logs": in_logs,
    "one by one": one_by_one,
    "through the logistic function": through_the_logistic,
}
