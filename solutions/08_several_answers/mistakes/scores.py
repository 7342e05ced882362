"""Task 4, log_shares(means, stds, scores)."""

from math import erfc, sqrt

import numpy as np
from scipy.integrate import quad
from scipy.special import log_ndtr, logsumexp
from scipy.stats import norm


def log_interval(a, b):
    """log(Φ(b) − Φ(a)) for a < b, on the side where both are small."""
    flip = a + b > 0
    low, high = log_ndtr(np.where(flip, -b, a)), log_ndtr(np.where(flip, -a, b))
    return high + np.log1p(-np.exp(low - high))


def limits(scores):
    """Where each score begins and ends."""
    half = (scores[1] - scores[0]) / 2
    return scores - half, scores + half


def normalised(log_P):
    return log_P - logsumexp(log_P, axis=1, keepdims=True)


def binned(
    edges=limits,
    spread=lambda stds: stds,
    log_bin=log_interval,
    normalise=normalised,
    sign=1,
):
    """An answer with other edges, another spread, another way to the log probability of a bin, or another sum."""

    def answer(means, stds, scores):
        low, high = edges(scores)
        a, b = (((edge - means[:, None]) / spread(stds)[:, None]) for edge in (low, high))
        with np.errstate(all="ignore"):
            return normalise(log_bin(a, b) if sign > 0 else log_bin(-b, -a)[:, ::-1])

    return answer


right_answer = binned()


def densities(means, stds, scores):
    return norm.logpdf(scores, means[:, None], stds[:, None])


def by_cdf(a, b):
    return np.log(norm.cdf(b) - norm.cdf(a))


def by_cdf_with_floor(a, b):
    return np.log(np.maximum(norm.cdf(b) - norm.cdf(a), 1e-12))


def by_cdf_plus_something(a, b):
    return np.log(norm.cdf(b) - norm.cdf(a) + 1e-300)


def by_logs_of_one_side(a, b):
    low, high = log_ndtr(a), log_ndtr(b)
    return high + np.log1p(-np.exp(low - high))


def by_the_other_side(a, b):
    return by_logs_of_one_side(-b, -a)


def divided_by_the_sum(log_P):
    with np.errstate(all="ignore"):
        P = np.exp(log_P)
        return np.log(P / P.sum(axis=1, keepdims=True))


def open_ends(scores):
    low, high = limits(scores)
    return np.append(-np.inf, low[1:]), np.append(high[:-1], np.inf)


def one_score_to_another(scores):
    return scores, scores + (scores[1] - scores[0])


def before_the_score(scores):
    return scores - (scores[1] - scores[0]), scores


def always_half_a_point(scores):
    return scores - 0.5, scores + 0.5


def a_whole_step(scores):
    step = scores[1] - scores[0]
    return scores - step, scores + step


def quarter_steps(scores):
    step = scores[1] - scores[0]
    return scores - step / 4, scores + step / 4


TAIL = "What does the computer store"
SIDE = "On which side of the curve are both numbers small"

MISTAKES = {
    "densities": lambda m, s, c: normalised(densities(m, s, c)),
    "densities, not normalised": densities,
    "densities times the step": lambda m, s, c: densities(m, s, c) + np.log(c[1] - c[0]),
    "densities without logs": lambda m, s, c: np.exp(densities(m, s, c)),
    "not normalised": binned(normalise=lambda log_P: log_P),
    "open ends": binned(open_ends),
    "mean for sum": binned(normalise=lambda log_P: normalised(log_P) + np.log(log_P.shape[1])),
    "normalised over the items": binned(normalise=lambda log_P: log_P - logsumexp(log_P, axis=0)),
    "normalised over all": binned(normalise=lambda log_P: log_P - logsumexp(log_P)),
    "divided by the largest": binned(normalise=lambda log_P: log_P - log_P.max(axis=1, keepdims=True)),
    "floor": binned(log_bin=by_cdf_with_floor),
    "tiny number added": binned(log_bin=by_cdf_plus_something),
    "from score to score": binned(one_score_to_another),
    "up to the score": binned(before_the_score),
    "half a point": binned(always_half_a_point),
    "a whole step": binned(a_whole_step),
    "quarter steps": binned(quarter_steps),
    "σ²": binned(spread=np.square),
    "√σ": binned(spread=np.sqrt),
    "no spread": binned(spread=np.ones_like),
    "mirrored": binned(sign=-1),
    "probabilities": lambda *given: np.exp(right_answer(*given)),
    "base 10": lambda *given: right_answer(*given) / np.log(10),
    "bits": lambda *given: right_answer(*given) / np.log(2),
    "surprise": lambda *given: -right_answer(*given),
    "cumulated": lambda *given: np.logaddexp.accumulate(right_answer(*given), axis=1),
}

RULE_MISTAKES = {
    "differences of cdf": (binned(log_bin=by_cdf), TAIL),
    "differences of cdf, divided": (binned(log_bin=by_cdf, normalise=divided_by_the_sum), TAIL),
    "logs, normalised without": (binned(normalise=divided_by_the_sum), TAIL),
    "one side": (binned(log_bin=by_logs_of_one_side), SIDE),
    "the other side": (binned(log_bin=by_the_other_side), SIDE),
    "a row for each score": (lambda *given: right_answer(*given).T, "One row for each item"),
    "the first item only": (lambda *given: right_answer(*given)[0], "It has the shape"),
}


def one_at_a_time(means, stds, scores):
    """Plain loops; the smaller tail by its logarithm."""
    half, table = (scores[-1] - scores[0]) / (len(scores) - 1) / 2, []
    for mean, std in zip(means, stds, strict=True):
        row = []
        for score in scores:
            near, far = sorted([abs(score - half - mean), abs(score + half - mean)])
            if abs(score - mean) < half:
                inside = (erfc(-near / std / sqrt(2)) - erfc(far / std / sqrt(2))) / 2
                row.append(np.log(inside))
            else:
                big, small = norm.logsf(near / std), norm.logsf(far / std)
                row.append(big + np.log(-np.expm1(small - big)))
        top = max(row)
        total = top + np.log(sum(np.exp(value - top) for value in row))
        table.append([value - total for value in row])
    return table


def logs_of_both_sides(means, stds, scores):
    low, high = limits(scores)
    a, b = (low - means[:, None]) / stds[:, None], (high - means[:, None]) / stds[:, None]
    left, right = by_both(log_ndtr(a), log_ndtr(b)), by_both(log_ndtr(-b), log_ndtr(-a))
    return normalised(np.where(a + b < 0, left, right))


def by_both(low, high):
    with np.errstate(all="ignore"):
        return high + np.log(-np.expm1(np.minimum(low - high, 0)))


def signed_logsumexp(means, stds, scores):
    edges = np.append(limits(scores)[0], limits(scores)[1][-1])
    z = (edges - means[:, None]) / stds[:, None]
    centre = (z[:, :-1] + z[:, 1:]) / 2
    low = np.where(centre > 0, -z[:, 1:], z[:, :-1])
    high = np.where(centre > 0, -z[:, :-1], z[:, 1:])
    P = logsumexp(np.stack([log_ndtr(high), log_ndtr(low)]), b=np.array([1, -1])[:, None, None], axis=0)
    return P - np.logaddexp.reduce(P, axis=1)[:, None]


def by_quadrature(means, stds, scores):
    """The density over its largest value within the bin, integrated."""
    (low, high), table = limits(scores), np.empty((len(means), len(scores)))
    for i, (mean, std) in enumerate(zip(means, stds, strict=True)):
        for j, (a, b) in enumerate(zip((low - mean) / std, (high - mean) / std, strict=True)):
            top = min(max(0.0, a), b)
            reach = 40 / max(1.0, abs(top))
            span = max(a, top - reach), min(b, top + reach)
            area = quad(lambda t, top=top: np.exp((top - t) * (top + t) / 2), *span, epsabs=0, epsrel=1e-13)[0]
            table[i, j] = np.log(area) - top**2 / 2
    return normalised(table)


RIGHT = {
    "the small side": right_answer,
    "loops, lists": one_at_a_time,
    "both sides, then a choice": logs_of_both_sides,
    "logsumexp with signs": signed_logsumexp,
    "quadrature": by_quadrature,
}
