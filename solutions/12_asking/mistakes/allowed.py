"""Task 3, careful_improvement(mean, cov, loud_mean, loud_std, limit, sure)."""

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import norm


def difference(S, b):
    return np.diag(S) + S[b, b] - 2 * S[b]


def is_allowed(m, s, limit):
    """P(loudness ≤ limit), 0 or 1 where it is known."""
    return np.where(s > 0, ndtr((limit - m) / np.where(s > 0, s, 1.0)), m <= limit)


def expected(m, s):
    z = m / np.where(s > 0, s, 1.0)
    return np.where(s > 0, s * norm.pdf(z) + m * ndtr(z), np.maximum(m, 0.0))


def rise_over(mean, S, b, variance=difference, worth=expected):
    return worth(mean - mean[b], np.sqrt(np.maximum(variance(S, b), 0.0)))


def careful(
    permitted=is_allowed,
    best=lambda mean, p, sure, given: np.where(p >= sure, mean, -np.inf).argmax() if (p >= sure).any() else -1,
    rise=rise_over,
    join=lambda e, p, sure, b: e * p,
    nothing=lambda mean, S, p: (-1, p),
):
    """An answer with one step changed."""

    def answer(mean, cov, loud_mean, loud_std, limit, sure):
        p = permitted(loud_mean, loud_std, limit)
        b = int(best(mean, p, sure, (loud_mean, limit)))
        if b < 0:
            return nothing(mean, cov, p)
        return b, join(rise(mean, cov, b), p, sure, b)

    return answer


right_answer = careful()


def with_scale(scale):
    def permitted(m, s, limit):
        return is_allowed(m, scale(s), limit)

    return careful(permitted)


def with_variance(variance):
    return careful(rise=lambda mean, S, b: rise_over(mean, S, b, variance))


def with_worth(worth):
    return careful(rise=lambda mean, S, b: rise_over(mean, S, b, worth=worth))


def chance(m, s):
    return np.where(s > 0, ndtr(m / np.where(s > 0, s, 1.0)), m > 0)


def cut_off(m, s):
    return expected(m, s) / np.maximum(chance(m, s), 1e-12)


def as_if(choose):
    """Where nothing is allowed: a best one all the same."""

    def answer(mean, cov, p):
        b = int(choose(mean, p))
        return b, rise_over(mean, cov, b) * p

    return answer


def divided(mean, cov, loud_mean, loud_std, limit, sure):
    with np.errstate(all="ignore"):
        p = ndtr((limit - loud_mean) / loud_std)
        inside = p >= sure
        if not inside.any():
            return -1, p
        b = int(np.where(inside, mean, -np.inf).argmax())
        m, s = mean - mean[b], np.sqrt(difference(cov, b))
        return b, p * (s * norm.pdf(m / s) + m * ndtr(m / s))


ZERO = "Which standard deviation is 0?"

MISTAKES = {
    "best of all": careful(best=lambda mean, p, sure, given: mean.argmax()),
    "best by mean times probability": careful(best=lambda mean, p, sure, given: (mean * p).argmax()),
    "best by the mean loudness": careful(
        best=lambda mean, p, sure, given: np.where(given[0] <= given[1], mean, -np.inf).argmax()
    ),
    "most surely allowed": careful(best=lambda mean, p, sure, given: p.argmax() if p.max() >= sure else -1),
    "too loud": careful(lambda m, s, limit: 1 - is_allowed(m, s, limit)),
    "loudness: variance for std": with_scale(np.square),
    "loudness: root of std": with_scale(np.sqrt),
    "loudness: no std": with_scale(np.ones_like),
    "mean loudness decides": careful(lambda m, s, limit: (m <= limit).astype(float)),
    "forbidden unless sure": careful(join=lambda e, p, sure, b: np.where(p >= sure, e, 0)),
    "limit forgotten": careful(join=lambda e, p, sure, b: e),
    "added": careful(join=lambda e, p, sure, b: e + p),
    "the smaller one": careful(join=lambda e, p, sure, b: np.minimum(e, p)),
    "probabilities of the pair multiplied": careful(join=lambda e, p, sure, b: e * p * p[b]),
    "divided": careful(join=lambda e, p, sure, b: e / np.maximum(p, 1e-9)),
    "penalty": careful(join=lambda e, p, sure, b: e - (1 - p)),
    "best taken as known": with_variance(lambda S, b: np.diag(S)),
    "covariance forgotten": with_variance(lambda S, b: np.diag(S) + S[b, b]),
    "covariance added": with_variance(lambda S, b: np.diag(S) + S[b, b] + 2 * S[b]),
    "variance for std": with_variance(lambda S, b: difference(S, b) ** 2),
    "probability of improvement": with_worth(chance),
    "cut-off normal": with_worth(cut_off),
    "gain of the means": with_worth(lambda m, s: np.maximum(m, 0.0)),
    "none allowed: nothing": careful(nothing=lambda mean, S, p: (-1, 0 * p)),
    "none allowed: the first": careful(nothing=as_if(lambda mean, p: 0)),
    "none allowed: the safest": careful(nothing=as_if(lambda mean, p: p.argmax())),
    "none allowed: the highest mean": careful(nothing=as_if(lambda mean, p: mean.argmax())),
}

RULE_MISTAKES = {
    "0 over 0": (divided, ZERO),
    "scores only": (lambda *given: right_answer(*given)[1], "2 values are needed"),
}


def loops(mean, cov, loud_mean, loud_std, limit, sure):
    p, best = [], -1
    for m, s in zip(loud_mean, loud_std, strict=True):
        p.append(norm.cdf(limit, m, s) if s > 0 else float(m <= limit))
    for j, share in enumerate(p):
        if share >= sure and (best < 0 or mean[j] > mean[best]):
            best = j
    if best < 0:
        return best, p
    scores = []
    for j, share in enumerate(p):
        gap, s = mean[j] - mean[best], np.sqrt(max(cov[j, j] + cov[best, best] - 2 * cov[j, best], 0))
        scores.append(share * (s * norm.pdf(gap / s) + gap * norm.cdf(gap / s)) if s > 0 else share * max(gap, 0))
    return best, scores


def by_integral(mean, cov, loud_mean, loud_std, limit, sure):
    """Another algorithm: the mean of max(I, 0) by quadrature, the permission as a share of Gaussian loudness."""
    with np.errstate(divide="ignore", invalid="ignore"):
        p = norm.sf((loud_mean - limit) / loud_std)
    p = np.where(loud_std == 0, loud_mean <= limit, p)
    if p.max() < sure:
        return -1, p
    b, scores = max(np.flatnonzero(p >= sure), key=lambda j: mean[j]), []
    for j in range(len(mean)):
        step = np.eye(len(mean))[j] - np.eye(len(mean))[b]
        m, s = step @ mean, np.sqrt(max(step @ cov @ step, 0))
        start = -m / s if s > 0 else 0
        rise, _ = quad(lambda z, m=m, s=s: (m + s * z) * norm.pdf(z), start, 12, epsabs=1e-13) if s > 0 else (0, 0)
        scores.append((rise if s > 0 else max(m, 0)) * p[j])
    return b, np.array(scores)


def with_subset(mean, cov, loud_mean, loud_std, limit, sure):
    """Only settings that may be used are looked at for the best one."""
    safe = np.where(loud_std == 0, 1.0, loud_std)
    p = np.where(loud_std == 0, np.heaviside(limit - loud_mean, 1.0), norm.cdf((limit - loud_mean) / safe))
    usable = np.flatnonzero(p >= sure)
    if not len(usable):
        return -1, p
    best = usable[np.argsort(-mean[usable], kind="stable")[0]]
    return best, p * rise_over(mean, cov, best)


RIGHT = {"where": right_answer, "loops, lists": loops, "integrals": by_integral, "subset": with_subset}
