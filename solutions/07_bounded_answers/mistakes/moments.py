"""Task 2, beta_scale(mean, precision, low, high)."""

import math

import numpy as np
from scipy.stats import beta as beta_distribution

NAN = math.nan


def shapes(mean, precision, low, high):
    share = (mean - low) / (high - low)
    return precision * share, precision * (1 - share)


def spread(a, b):
    return math.sqrt(a * b / ((a + b) ** 2 * (a + b + 1)))


def peak(a, b):
    return (a - 1) / (a + b - 2) if a > 1 and b > 1 else NAN


def scale(shapes=shapes, spread=spread, peak=peak, widen=lambda x, low, high: x * (high - low), place=None):
    """An answer made of its parts; `widen` brings the spread, `place` the mode to the scale."""
    place = place or (lambda x, low, high: low + x * (high - low))

    def answer(mean, precision, low, high):
        a, b = shapes(mean, precision, low, high)
        return a, b, widen(spread(a, b), low, high), place(peak(a, b), low, high)

    return answer


right_answer = scale()


def everywhere(a, b):
    """The formula of the mode wherever it gives a number."""
    return (a - 1) / (a + b - 2) if a + b != 2 else NAN


def ask_later(a, b):
    place = (a - 1) / (a + b - 2)
    return place if a > 1 and b > 1 else NAN


def at_the_bound(a, b):
    if a > 1 and b > 1:
        return peak(a, b)
    if a <= 1 < b:
        return 0.0
    return 1.0 if b <= 1 < a else NAN


def swapped(*given):
    a, b, std, mode = right_answer(*given)
    return b, a, std, mode


def raw(mean, precision, low, high):
    return precision * mean, precision * (1 - mean)


def quiet_spread(a, b):
    return math.sqrt(abs(a * b) / ((a + b) ** 2 * (a + b + 1)))


def as_inverse_variance(mean, precision, low, high):
    """Takes the precision for 1/variance on the unit scale."""
    share = (mean - low) / (high - low)
    total = share * (1 - share) * precision - 1
    return total * share, total * (1 - share)


MISTAKES = {
    "no square": scale(spread=lambda a, b: math.sqrt(a * b / ((a + b) * (a + b + 1)))),
    "square of the other": scale(spread=lambda a, b: math.sqrt(a * b / ((a + b) * (a + b + 1) ** 2))),
    "not divided": scale(spread=lambda a, b: math.sqrt(a * b / (a + b + 1))),
    "ν for ν + 1": scale(spread=lambda a, b: math.sqrt(a * b / (a + b) ** 3)),
    "ν + 2 for ν + 1": scale(spread=lambda a, b: math.sqrt(a * b / ((a + b) ** 2 * (a + b + 2)))),
    "variance": scale(spread=lambda a, b: spread(a, b) ** 2),
    "variance in squared units": scale(
        spread=lambda a, b: spread(a, b) ** 2, widen=lambda x, low, high: x * (high - low) ** 2
    ),
    "standard deviation of the unit scale": scale(widen=lambda x, low, high: x),
    "standard deviation moved as a mark": scale(widen=lambda x, low, high: low + x * (high - low)),
    "standard deviation times high": scale(widen=lambda x, low, high: x * high),
    "mode of the unit scale": scale(place=lambda x, low, high: x),
    "mode without low": scale(place=lambda x, low, high: x * (high - low)),
    "mean not rescaled": scale(raw, quiet_spread, everywhere),
    "mean over high": scale(
        lambda mean, precision, low, high: (precision * mean / high, precision * (1 - mean / high))
    ),
    "low not subtracted": scale(
        lambda m, nu, low, high: (nu * m / (high - low), nu * (1 - m / (high - low))), quiet_spread
    ),
    "α and β exchanged": swapped,
    "all exchanged": scale(lambda *given: shapes(*given)[::-1]),
    "precision as 1/variance": scale(as_inverse_variance, quiet_spread, everywhere),
    "shares": lambda mean, precision, low, high: (
        *shapes(mean, 1.0, low, high),
        *right_answer(mean, precision, low, high)[2:],
    ),
    "the mode's formula everywhere": scale(peak=everywhere),
    "the mode's formula, division by zero": scale(peak=lambda a, b: (a - 1) / (a + b - 2)),
    "one of the two is enough": scale(peak=lambda a, b: everywhere(a, b) if a > 1 or b > 1 else NAN),
    "a mode on the bound": scale(peak=at_the_bound),
    "at least one": scale(peak=lambda a, b: everywhere(a, b) if a >= 1 and b >= 1 else NAN),
    "mean for mode": scale(peak=lambda a, b: a / (a + b)),
    "median for mode": scale(peak=lambda a, b: beta_distribution.median(a, b)),
    "mode without −1": scale(peak=lambda a, b: a / (a + b - 2) if a > 1 and b > 1 else NAN),
    "mode with −1 below": scale(peak=lambda a, b: (a - 1) / (a + b - 1) if a > 1 and b > 1 else NAN),
    "mode without −2": scale(peak=lambda a, b: (a - 1) / (a + b) if a > 1 and b > 1 else NAN),
}

RULE_MISTAKES = {
    "divides before it asks": (scale(peak=ask_later), "What is the density for α = β = 1?"),
    "three numbers": (lambda *given: right_answer(*given)[:3], "4 values are needed"),
    "None for no mode": (
        lambda *given: tuple(None if x != x else x for x in right_answer(*given)),
        "Does every path through your function reach a return?",
    ),
}


def scipys(mean, precision, low, high):
    share = (mean - low) / (high - low)
    a, b = precision * share, precision - precision * share
    mark = beta_distribution(a, b, loc=low, scale=high - low)
    mode = low + (high - low) * (a - 1) / (precision - 2) if min(a, b) > 1 else np.nan
    return a, b, mark.std(), mode


def by_sums(mean, precision, low, high):
    """Moments and mode in the units of the scale."""
    below, above = mean - low, high - mean
    a, b = precision * below / (below + above), precision * above / (below + above)
    mode = ((a - 1) * high + (b - 1) * low) / (a + b - 2) if a > 1 and b > 1 else float("nan")
    return [a, b, (below * above / (precision + 1)) ** 0.5, mode]


def arrays(mean, precision, low, high):
    share = np.float64(mean - low) / (high - low)
    a, b = precision * np.array([share, 1 - share])
    moments = np.array([a / (a + b), a * (a + 1) / ((a + b) * (a + b + 1))])
    std = (high - low) * np.sqrt(moments[1] - moments[0] ** 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        mode = np.where(np.minimum(a, b) > 1, low + (high - low) * np.divide(a - 1, a + b - 2), np.nan)
    return a, b, std, float(mode)


RIGHT = {
    "the formulas": right_answer,
    "scipy": scipys,
    "in units of the scale": by_sums,
    "arrays": arrays,
}
