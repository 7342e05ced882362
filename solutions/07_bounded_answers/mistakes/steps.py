"""Task 6, log_step_probability(mark, f, precision, steps)."""

import numpy as np
from scipy.special import betainc, betaincc, betaln, ndtr
from scipy.stats import beta as beta_distribution
from scipy.stats import norm

from .grids import logistic, shapes


def rounding(mark, steps):
    """The two ends of what is rounded to the mark."""
    return np.maximum(mark - 0.5, 0) / steps, np.minimum(mark + 0.5, steps) / steps


def better_tail(a, b, low, high):
    """Probability of [low, high] under Beta(a, b), from the tail that keeps its digits."""
    left = betainc(a, b, high) - betainc(a, b, low)
    right = betaincc(a, b, low) - betaincc(a, b, high)
    return np.where(betainc(a, b, low) < 0.5, left, right)


def left_tail(a, b, low, high):
    return betainc(a, b, high) - betainc(a, b, low)


def right_tail(a, b, low, high):
    return betaincc(a, b, low) - betaincc(a, b, high)


def stepping(ends=rounding, parameters=shapes, probability=better_tail):
    """An answer made of its parts: ends of the interval, α and β, probability."""

    def answer(mark, f, precision, steps):
        with np.errstate(all="ignore"):
            return np.log(probability(*parameters(f, precision), *ends(mark, steps)))

    return answer


right_answer = stepping()


def equal_parts(mark, steps):
    """steps + 1 intervals of one length."""
    return mark / (steps + 1), (mark + 1) / (steps + 1)


def bounded(low, high):
    """Ends that do not leave the scale."""
    return lambda mark, steps: (np.clip((mark + low) / steps, 0, 1), np.clip((mark + high) / steps, 0, 1))


def inner_only(mark, steps):
    """A rounding interval of full length that is pushed inside at the bounds."""
    middle = np.clip(mark, 0.5, steps - 0.5)
    return (middle - 0.5) / steps, (middle + 0.5) / steps


def one_short(mark, steps):
    return rounding(mark, steps - 1)


def marks_as_shares(mark, steps):
    half = 0.5 / steps
    return np.clip(mark - half, 0, 1), np.clip(mark + half, 0, 1)


def not_divided(mark, steps):
    return np.clip(mark - 0.5, 0, 1), np.clip(mark + 0.5, 0, 1)


def percent(mark, steps):
    return np.clip((mark - steps / 20) / 100, 0, 1), np.clip((mark + steps / 20) / 100, 0, 1)


def one_minus(f, precision):
    """1 − Φ(f) by subtraction."""
    return precision * ndtr(f), precision * (1 - ndtr(f))


def log_density(mark, f, precision, steps):
    """The density at the mark."""
    a, b = shapes(f, precision)
    with np.errstate(all="ignore"):
        y = mark / steps
        return (a - 1) * np.log(y) + (b - 1) * np.log1p(-y) - betaln(a, b)


def density_times_length(mark, f, precision, steps):
    return log_density(mark, f, precision, steps) - np.log(steps)


def clipped_density(mark, f, precision, steps):
    y = np.clip(mark / steps, 1e-6, 1 - 1e-6)
    return beta_distribution.logpdf(y, *shapes(f, precision)) - np.log(steps)


def squeezed_density(mark, f, precision, steps):
    y = (mark / steps * steps + 0.5) / (steps + 1)
    return beta_distribution.logpdf(y, *shapes(f, precision)) - np.log(steps + 1)


def normalised_densities(mark, f, precision, steps):
    """Densities at the inner marks' places, divided by their sum."""
    places = (np.arange(steps + 1) + 0.5) / (steps + 1)
    a, b = shapes(f, precision)
    table = beta_distribution.logpdf(places[:, None], a, b)
    return table[mark, np.arange(len(mark))] - np.logaddexp.reduce(table, axis=0)


def gaussian_steps(mark, f, precision, steps):
    """A Gaussian with the mean and the variance of the beta."""
    u = ndtr(f)
    std = np.sqrt(u * ndtr(-f) / (precision + 1))
    low, high = rounding(mark, steps)
    with np.errstate(all="ignore"):
        return np.log(norm.cdf(high, u, std) - norm.cdf(low, u, std))


def cumulative(a, b, low, high):
    return betainc(a, b, high)


def floored(*given):
    return np.maximum(right_answer(*given), np.log(1e-12))


def larger(a, b, low, high):
    """Whatever is larger, although it may be larger because digits were lost."""
    return np.maximum(left_tail(a, b, low, high), right_tail(a, b, low, high))


def with_floor(a, b, low, high):
    return np.abs(left_tail(a, b, low, high)) + 1e-300


TAIL = "How many digits are left when two numbers near 1 are subtracted?"
FAR = "What is 1 − Φ(9) for the computer, and what is Φ(−9)?"

MISTAKES = {
    "down to the step below": stepping(bounded(0, 1)),
    "up to the step above": stepping(bounded(-1, 0)),
    "a whole step to both sides": stepping(bounded(-1, 1)),
    "equal parts": stepping(equal_parts),
    "pushed inside": stepping(inner_only),
    "ends beyond the scale": stepping(lambda mark, steps: ((mark - 0.5) / steps, (mark + 0.5) / steps)),
    "half a step of one": stepping(lambda mark, steps: rounding(2 * mark, 2 * steps)),
    "steps counted as marks": stepping(one_short),
    "marks as shares": stepping(marks_as_shares),
    "not divided": stepping(not_divided),
    "marks as percent": stepping(percent),
    "density": log_density,
    "density times length": density_times_length,
    "clipped density": clipped_density,
    "squeezed density": squeezed_density,
    "normalised densities": normalised_densities,
    "Gaussian": gaussian_steps,
    "cumulative": stepping(probability=cumulative),
    "logit": stepping(parameters=lambda f, nu: (nu * logistic(f), nu * logistic(-f))),
    "α and β exchanged": stepping(parameters=lambda f, nu: shapes(f, nu)[::-1]),
    "(α, ν)": stepping(parameters=lambda f, nu: (nu * ndtr(f), np.full(len(f), nu))),
}

RULE_MISTAKES = {
    "left tail only": (stepping(probability=left_tail), TAIL),
    "right tail only": (stepping(probability=right_tail), TAIL),
    "the larger of both tails": (stepping(probability=larger), TAIL),
    "left tail with a floor": (stepping(probability=with_floor), TAIL),
    "never below 1e-12": (floored, TAIL),
    "1 − F": (stepping(probability=lambda a, b, l, h: (1 - betainc(a, b, l)) - (1 - betainc(a, b, h))), TAIL),
    "1 − Φ": (stepping(parameters=one_minus), FAR),
    "ends exchanged": (stepping(lambda mark, steps: rounding(mark, steps)[::-1]), "Print both"),
    "probability": (lambda *given: np.exp(right_answer(*given)), "A probability, or its logarithm?"),
    "log10": (lambda *given: right_answer(*given) / np.log(10), "Which logarithm is natural?"),
    "a cost": (lambda *given: -right_answer(*given), "Which sign has the logarithm of a probability?"),
    "the sum": (lambda *given: float(right_answer(*given).sum()), "is needed"),
}


def mirrored(mark, f, precision, steps):
    """Looks at every mark from the side on which its tail is small."""
    turned = mark / steps > ndtr(f)
    mark, f = np.where(turned, steps - mark, mark), np.where(turned, -f, f)
    low, high = rounding(mark, steps)
    a, b = shapes(f, precision)
    return np.log(betainc(a, b, high) - betainc(a, b, low))


def scipys(mark, f, precision, steps):
    a, b = precision * norm.cdf(f), precision * norm.sf(f)
    low, high = np.clip((mark - 0.5) / steps, 0, 1), np.clip((mark + 0.5) / steps, 0, 1)
    tails = beta_distribution.cdf(high, a, b) - beta_distribution.cdf(low, a, b)
    others = beta_distribution.sf(low, a, b) - beta_distribution.sf(high, a, b)
    return np.log(np.where(low > a / (a + b), others, tails))


def one_by_one(mark, f, precision, steps):
    found = []
    for k, opinion in zip(mark, f, strict=True):
        a, b = float(precision * ndtr(opinion)), float(precision * ndtr(-opinion))
        low, high = max(k - 0.5, 0) / steps, min(k + 0.5, steps) / steps
        if low > a / (a + b):
            p = betainc(b, a, 1 - low) - betainc(b, a, 1 - high)
        else:
            p = betainc(a, b, high) - betainc(a, b, low)
        found.append(float(np.log(p)))
    return found


def in_logs(mark, f, precision, steps):
    """Differences of logarithms, in the tail that holds less than half."""
    a, b = shapes(f, precision)
    low, high = rounding(mark, steps)
    right = betainc(a, b, low) > 0.5
    larger = np.where(right, betaincc(a, b, low), betainc(a, b, high))
    smaller = np.where(right, betaincc(a, b, high), betainc(a, b, low))
    with np.errstate(divide="ignore"):
        return np.log(larger) + np.log1p(-np.exp(np.log(smaller) - np.log(larger)))


RIGHT = {
    "the better tail": right_answer,
    "mirrored": mirrored,
    "scipy": scipys,
    "one by one": one_by_one,
    "in logs": in_logs,
}
