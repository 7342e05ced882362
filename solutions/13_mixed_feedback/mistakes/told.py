"""Task 2, told_beforehand(mean, cov, places, low, high)."""

import numpy as np
from scipy.special import logit, ndtr, ndtri
from scipy.stats import norm

Z = ndtri(0.975)


def capped(p, least=0.001):
    return np.clip(p, least, 1 - least)


def middle_of(low, high):
    return (ndtri(low) + ndtri(high)) / 2


def spread_of(low, high, y):
    return (ndtri(high) - ndtri(low)) / (2 * Z)


def conditioned(mean, cov, p, y, noise):
    gain = np.linalg.solve(cov[np.ix_(p, p)] + np.diag(noise), cov[p])
    return mean + gain.T @ (y - mean[p]), cov - gain.T @ cov[p]


def averaged(m, v):
    return ndtr(m / np.sqrt(1 + v))


def heard(
    cap=capped,
    middle=middle_of,
    spread=spread_of,
    noise=lambda s: s**2,
    learn=conditioned,
    chance=averaged,
    after=lambda old, new: new,
    which=lambda p: np.arange(len(p)),
):
    """An answer with one step changed."""

    def answer(mean, cov, places, low, high):
        with np.errstate(all="ignore"):
            kept = which(places)
            p, low, high = places[kept], cap(low[kept]), cap(high[kept])
            y = middle(low, high)
            m, C = learn(mean, cov, p, y, noise(spread(low, high, y)))
            m, C = after((mean, cov), (m, C))
            return m, C, chance(m, np.diag(C))

    return answer


right_answer = heard()


def capped_late(mean, cov, places, low, high):
    y = ndtri(capped((low + high) / 2))
    s = (ndtri(capped(high)) - ndtri(capped(low))) / (2 * Z)
    m, C = conditioned(mean, cov, places, y, s**2)
    return m, C, averaged(m, np.diag(C))


def own_place_only(mean, cov, p, y, noise):
    m, C = mean.copy(), cov.copy()
    for j, value, r in zip(p, y, noise, strict=True):
        gain = C[j, j] / (C[j, j] + r)
        m[j] += gain * (value - m[j])
        C[j, j] *= 1 - gain
    return m, C


def others_mean_stays(mean, cov, p, y, noise):
    m, C = conditioned(mean, cov, p, y, noise)
    return np.where(np.isin(np.arange(len(m)), p), m, mean), C


def others_variance_stays(mean, cov, p, y, noise):
    m, C = conditioned(mean, cov, p, y, noise)
    others = ~np.isin(np.arange(len(m)), p)
    C[np.ix_(others, others)] = cov[np.ix_(others, others)]
    return m, C


def each_alone(mean, cov, p, y, noise):
    m, C = mean.copy(), cov.copy()
    for j, value, r in zip(p, y, noise, strict=True):
        gain = cov[j] / (cov[j, j] + r)
        m += gain * (value - mean[j])
        C -= np.outer(gain, cov[j])
    return m, C


def places_independent(mean, cov, p, y, noise):
    gain = cov[p].T / (np.diag(cov)[p] + noise)
    return mean + gain @ (y - mean[p]), cov - gain @ cov[p]


def first_from(places):
    return np.unique(places, return_index=True)[1]


def last_from(places):
    return len(places) - 1 - np.unique(places[::-1], return_index=True)[1]


def before(mean, cov, places, low, high):
    m, C, _ = right_answer(mean, cov, places, low, high)
    return m, C, averaged(m, np.diag(cov))


def from_zero(mean, cov, p, y, noise):
    return conditioned(mean, cov, p, y + mean[p], noise)


def replaced(mean, cov, p, y, noise):
    m, C = mean.copy(), cov.copy()
    m[p], C[p, p] = y, noise
    return m, C


INFINITE = "What is Φ⁻¹(1)?"

MISTAKES = {
    "capped at 0.01": heard(cap=lambda p: capped(p, 0.01)),
    "capped at 1e-6": heard(cap=lambda p: capped(p, 1e-6)),
    "capped above only": heard(cap=lambda p: np.clip(p, 1e-12, 0.999)),
    "capped after the middle": capped_late,
    "only 0 and 1 capped": heard(cap=lambda p: np.where(p == 0, 0.001, np.where(p == 1, 0.999, p))),
    "limits as they are": heard(middle=lambda a, b: (a + b) / 2, spread=lambda a, b, y: (b - a) / (2 * Z)),
    "logit for probit": heard(
        middle=lambda a, b: (logit(a) + logit(b)) / 2, spread=lambda a, b, y: (logit(b) - logit(a)) / (2 * Z)
    ),
    "middle of the probabilities": heard(middle=lambda a, b: ndtri((a + b) / 2)),
    "whole width": heard(spread=lambda a, b, y: 2 * spread_of(a, b, y)),
    "90 % interval": heard(spread=lambda a, b, y: spread_of(a, b, y) * Z / ndtri(0.95)),
    "half width as σ": heard(spread=lambda a, b, y: spread_of(a, b, y) * Z),
    "quarter of width": heard(spread=lambda a, b, y: spread_of(a, b, y) / 2),
    "σ by the rule of the lecture": heard(spread=lambda a, b, y: 0.2 * np.abs(y) + 0.1),
    "σ for σ²": heard(noise=lambda s: s),
    "σ² squared": heard(noise=lambda s: s**4),
    "hard constraint": heard(noise=lambda s: np.full(s.shape, 1e-9)),
    "with the noise of an answer": heard(noise=lambda s: s**2 + 1),
    "only the place itself": heard(learn=own_place_only),
    "mean of the others stays": heard(learn=others_mean_stays),
    "variance of the others stays": heard(learn=others_variance_stays),
    "covariance stays": heard(after=lambda old, new: (new[0], old[1])),
    "each from the beginning": heard(learn=each_alone),
    "told places independent": heard(learn=places_independent),
    "last one counts": heard(which=last_from),
    "first one counts": heard(which=first_from),
    "mean before forgotten": heard(learn=from_zero),
    "replaced": heard(learn=replaced),
    "probability of a no": heard(chance=lambda m, v: 1 - averaged(m, v)),
    "Φ of the mean": heard(chance=lambda m, v: ndtr(m)),
    "Φ(m/√v)": heard(chance=lambda m, v: ndtr(m / np.sqrt(v))),
    "Φ(m/(1 + v))": heard(chance=lambda m, v: ndtr(m / (1 + v))),
    "variance before": before,
}

RULE_MISTAKES = {
    "not capped": (heard(cap=lambda p: p), INFINITE),
    "no probability": (lambda *given: right_answer(*given)[:2], "3 values are needed"),
}


def one_after_another(mean, cov, places, low, high):
    m, C = mean.copy(), cov.copy()
    for j, a, b in zip(places, low, high, strict=True):
        a, b = (norm.ppf(min(max(end, 0.001), 0.999)) for end in (a, b))
        gain = C[:, j] / (C[j, j] + ((b - a) / (2 * norm.ppf(0.975))) ** 2)
        m, C = m + gain * ((a + b) / 2 - m[j]), C - np.outer(gain, C[j])
    return m, C, [norm.cdf(x / (1 + C[i, i]) ** 0.5) for i, x in enumerate(m)]


def with_precisions(mean, cov, places, low, high):
    """Another algorithm: sites add to the precision matrix."""
    ends = ndtri(np.clip(np.stack([low, high]), 0.001, 0.999))
    tau = (2 * Z / (ends[1] - ends[0])) ** 2
    pick = np.eye(len(mean))[places]
    precision = np.linalg.inv(cov) + pick.T @ (tau[:, None] * pick)
    C = np.linalg.inv(precision)
    m = C @ (np.linalg.solve(cov, mean) + pick.T @ (tau * ends.mean(axis=0)))
    return m, C, ndtr(m / np.sqrt(1 + np.diag(C)))


with_196 = heard(spread=lambda a, b, y: (ndtri(b) - ndtri(a)) / 2 / 1.96)

RIGHT = {
    "at once": right_answer,
    "1.96": with_196,
    "one after another": one_after_another,
    "precisions": with_precisions,
}
