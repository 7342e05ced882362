"""Task 1, three_numbers(mean, cov, best)."""

import math

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import norm, truncnorm


def variance_of(S, b):
    return np.diag(S) + S[b, b] - 2 * S[b]


def expected(m, s, z):
    return s * norm.pdf(z) + m * ndtr(z)


def three(
    gap=lambda m, b: m - m[b],
    variance=variance_of,
    scale=np.sqrt,
    chance=lambda m, s, z: ndtr(z),
    rise=expected,
    third=lambda rise, p: rise / np.where(p > 0, p, 1.0),
    of_known=lambda m: m > 0,
    chosen=lambda m, b: b,
):
    """An answer with one step changed; where the standard deviation is 0, I is known to be its mean."""

    def answer(mean, cov, best):
        b = chosen(mean, best)
        m, v = gap(mean, b), np.maximum(variance(cov, b), 0.0)
        s, known = scale(np.where(v > 0, v, 1.0)), v == 0
        p = np.where(known, of_known(m), chance(m, s, m / s))
        e = np.where(known, np.maximum(m, 0), rise(m, s, m / s))
        return p, e, third(e, p)

    return answer


right_answer = three()


def divided_by_nothing(mean, cov, best):
    with np.errstate(all="ignore"):
        m, s = mean - mean[best], np.sqrt(variance_of(cov, best))
        p, e = ndtr(m / s), s * norm.pdf(m / s) + m * ndtr(m / s)
        return p, e, e / p


def turned_back(mean, cov, best):
    p, e, third = right_answer(mean, cov, best)
    return p, third, e


def signs_turned(mean, cov, best):
    p, e, third = three(gap=lambda m, b: m[b] - m)(mean, cov, best)
    return p, -e, -third


def gain_of_means(mean, cov, best):
    rise = np.maximum(mean - mean[best], 0.0)
    return (rise > 0).astype(float), rise, rise


def only_above(mean, cov, best):
    p, _, third = right_answer(mean, cov, best)
    return p, np.maximum(mean - mean[best], 0.0), third


def density_for_chance(m, s, z):
    return norm.pdf(z)


NOTHING = "What is f_best − f_best?"

MISTAKES = {
    "best taken as known": three(variance=lambda S, b: np.diag(S)),
    "best's variance alone": three(variance=lambda S, b: np.full(len(S), S[b, b])),
    "covariance forgotten": three(variance=lambda S, b: np.diag(S) + S[b, b]),
    "covariance added": three(variance=lambda S, b: np.diag(S) + S[b, b] + 2 * S[b]),
    "covariance once": three(variance=lambda S, b: np.diag(S) + S[b, b] - S[b]),
    "variance for std": three(scale=lambda v: v),
    "not divided": three(chance=lambda m, s, z: ndtr(m), rise=lambda m, s, z: expected(m, s, m)),
    "std forgotten before φ": three(rise=lambda m, s, z: norm.pdf(z) + m * ndtr(z)),
    "cut-off normal twice": three(rise=lambda m, s, z: expected(m, s, z) / ndtr(z), third=lambda e, p: e),
    "never divided": three(third=lambda e, p: e),
    "multiplied by Φ": three(third=lambda e, p: e * p),
    "expected and third exchanged": turned_back,
    "φ for Φ": three(rise=lambda m, s, z: s * norm.pdf(z) + m * norm.pdf(z)),
    "φ and Φ exchanged": three(rise=lambda m, s, z: s * ndtr(z) + m * norm.pdf(z)),
    "density as probability": three(chance=density_for_chance),
    "signs turned": signs_turned,
    "minimising": three(gap=lambda m, b: m[b] - m),
    "certainty": gain_of_means,
    "gain of the means": only_above,
    "z alone": three(rise=lambda m, s, z: z * ndtr(z)),
    "absolute value": three(rise=lambda m, s, z: 2 * expected(m, s, z) - m),
    "φ term alone": three(rise=lambda m, s, z: s * norm.pdf(z)),
    "highest mean": three(chosen=lambda m, b: m.argmax()),
    "first one": three(chosen=lambda m, b: 0),
    "one half where equal": three(of_known=lambda m: 0.5 + 0.5 * np.sign(m)),
    "improvement or equal": three(of_known=lambda m: m >= 0),
}

RULE_MISTAKES = {
    "0 over 0": (divided_by_nothing, NOTHING),
    "0 over 0 in the third only": (
        three(third=lambda e, p: np.divide(e, p, np.full(e.shape, np.nan), where=p > 0)),
        NOTHING,
    ),
    "expected only": (lambda *given: right_answer(*given)[1], "3 values are needed"),
}


def loops(mean, cov, best):
    told = []
    for j in range(len(mean)):
        gap, variance = mean[j] - mean[best], cov[j, j] - 2 * cov[j, best] + cov[best, best]
        if variance <= 0:
            told.append((float(gap > 0), max(gap, 0.0), max(gap, 0.0)))
            continue
        s = np.sqrt(variance)
        p, rise = norm.cdf(gap / s), s * norm.pdf(gap / s) + gap * norm.cdf(gap / s)
        told.append((p, rise, rise / p))
    return tuple(list(column) for column in zip(*told, strict=True))


def density(z):
    return math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)


def by_integral(mean, cov, best):
    """Another algorithm: both integrals by quadrature over z, beyond which I is above 0."""
    told = []
    for j in range(len(mean)):
        step = np.eye(len(mean))[j] - np.eye(len(mean))[best]
        m, s = step @ mean, np.sqrt(step @ cov @ step)
        if s == 0:
            told.append((m > 0, max(m, 0), max(m, 0)))
            continue
        p, _ = quad(density, -m / s, 12, epsabs=1e-13)
        rise, _ = quad(lambda z, m=m, s=s: (m + s * z) * density(z), -m / s, 12, epsabs=1e-13)
        told.append((p, rise, rise / p))
    return tuple(np.array(told, dtype=float).T)


def with_scipy(mean, cov, best):
    """The third number first, as the mean of a normal that is cut off."""
    m, v = mean - mean[best], variance_of(cov, best)
    p, third = (m > 0).astype(float), np.maximum(m, 0.0)
    open_ = v > 0
    s = np.sqrt(v[open_])
    p[open_] = norm.sf(0, m[open_], s)
    third[open_] = truncnorm.mean(-m[open_] / s, np.inf, m[open_], s)
    return p, p * third, third


RIGHT = {"where": right_answer, "loops, lists": loops, "integrals": by_integral, "scipy": with_scipy}
