"""Task 4, predictive_interval(mean, variance, precision, level)."""

import math

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar
from scipy.special import betainc, betaincinv, ndtr, ndtri, roots_hermitenorm
from scipy.stats import beta as beta_distribution
from scipy.stats import norm

from .grids import legendre, logistic, opinions, shapes, standard_grid


def central(level):
    """The probabilities at the two ends."""
    return (1 - level) / 2, (1 + level) / 2


def inverse(cdf, p):
    """Where the cdf reaches p; at 0 and 1 these are the ends of the scale, and rounding has no say."""
    return p if p in (0.0, 1.0) else brentq(lambda y: cdf(y) - p, 0.0, 1.0, xtol=1e-13)


def interval(over=opinions, parameters=shapes, ends=central):
    """An answer made of its parts: values of f with weights, α and β, probabilities at the ends."""

    def answer(mean, variance, precision, level):
        f, weights = over(mean, variance)
        a, b = parameters(f, precision)
        return tuple(inverse(lambda y: weights @ betainc(a, b, y), p) for p in ends(level))

    return answer


right_answer = interval()


def certain(f):
    """f as if it were known."""
    return np.array([f]), np.ones(1)


def plug_in_expected_mean(mean, variance, precision, level):
    u = ndtr(mean / np.sqrt(1 + variance))
    return tuple(betaincinv(precision * u, precision * (1 - u), p) for p in central(level))


def noiseless(mean, variance, precision, level):
    return tuple(ndtr(mean + ndtri(p) * np.sqrt(variance)) for p in central(level))


def averaged_quantiles(mean, variance, precision, level):
    f, weights = opinions(mean, variance)
    return tuple(weights @ betaincinv(*shapes(f, precision), p) for p in central(level))


def moments(mean, variance, precision):
    """Mean and standard deviation of the mark."""
    f, weights = opinions(mean, variance)
    u = ndtr(f)
    first = weights @ u
    second = weights @ (u * (1 - u) / (precision + 1) + u**2)
    return first, np.sqrt(second - first**2)


def gaussian_ends(mean, variance, precision, level):
    centre, std = moments(mean, variance, precision)
    return tuple(centre + ndtri(p) * std for p in central(level))


def clipped_gaussian_ends(*given):
    return tuple(np.clip(gaussian_ends(*given), 0, 1))


def moment_matched(mean, variance, precision, level):
    """One beta with the right mean and variance."""
    centre, std = moments(mean, variance, precision)
    total = centre * (1 - centre) / std**2 - 1
    return tuple(betaincinv(total * centre, total * (1 - centre), p) for p in central(level))


def shortest(mean, variance, precision, level):
    """The shortest interval that holds the level."""
    f, weights = opinions(mean, variance, n=301)
    a, b = shapes(f, precision)

    def upper(lower):
        p = weights @ betainc(a, b, lower) + level
        return 1.0 if p >= 1 else inverse(lambda y: weights @ betainc(a, b, y), p)

    furthest = inverse(lambda y: weights @ betainc(a, b, y), 1 - level)
    found = minimize_scalar(lambda low: upper(low) - low, bounds=(0, furthest), method="bounded")
    return found.x, upper(found.x)


def outermost(mean, variance, precision, level):
    """Quantiles at the quantiles of f."""
    ends = zip(central(level), (mean + ndtri(p) * np.sqrt(variance) for p in central(level)), strict=True)
    return tuple(betaincinv(*shapes(f, precision), p) for p, f in ends)


def few_nodes(n):
    """Gauss–Hermite with n nodes."""

    def over(mean, variance):
        t, weights = roots_hermitenorm(n)
        return mean + np.sqrt(variance) * t, weights / weights.sum()

    return over


def physicists_nodes(mean, variance):
    """Gauss–Hermite for exp(−x²), whose nodes are taken for those of N(0, 1)."""
    x, weights = np.polynomial.hermite.hermgauss(150)
    return mean + np.sqrt(variance) * x, weights / weights.sum()


def all_the_same(mean, variance):
    t = np.linspace(-3, 3, 2001)
    return mean + np.sqrt(variance) * t, np.full(2001, 1 / 2001)


def drawn(mean, variance, precision, level):
    rng = np.random.default_rng(0)
    f = rng.normal(mean, np.sqrt(variance), 4000)
    a, b = shapes(f, precision)
    return tuple(np.quantile(rng.beta(np.maximum(a, 1e-9), np.maximum(b, 1e-9)), central(level)))


def coarse_search(*given):
    return tuple(np.round(right_answer(*given), 2))


MISTAKES = {
    "mean of f plugged in": interval(over=lambda mean, variance: certain(mean)),
    "mean mark plugged in": plug_in_expected_mean,
    "interval of Φ(f)": noiseless,
    "quantiles averaged": averaged_quantiles,
    "quantiles at the quantiles of f": outermost,
    "1 − level on each side": interval(ends=lambda level: (1 - level, level)),
    "from zero": interval(ends=lambda level: (0.0, level)),
    "to one": interval(ends=lambda level: (1 - level, 1.0)),
    "the tails alone": interval(ends=lambda level: (level / 2, 1 - level / 2)),
    "shortest": shortest,
    "standard deviation for variance": interval(over=lambda m, v: opinions(m, v**2)),
    "root twice": interval(over=lambda m, v: opinions(m, np.sqrt(v))),
    "one more": interval(over=lambda m, v: opinions(m, 1 + v)),
    "Gaussian ends": gaussian_ends,
    "Gaussian ends, clipped": clipped_gaussian_ends,
    "one beta with the right moments": moment_matched,
    "nodes for exp(−x²)": interval(over=physicists_nodes),
    "all values of f count the same": interval(over=all_the_same),
    "few nodes": interval(over=few_nodes(12)),
    "twenty nodes": interval(over=few_nodes(20)),
    "logit": interval(parameters=lambda f, nu: (nu * logistic(f), nu * logistic(-f))),
    "no link": interval(parameters=lambda f, nu: (nu * np.clip(f, 0.01, 0.99), nu * np.clip(1 - f, 0.01, 0.99))),
    "α and β exchanged": interval(parameters=lambda f, nu: shapes(f, nu)[::-1]),
    "(α, ν)": interval(parameters=lambda f, nu: (nu * ndtr(f), np.full_like(f, nu))),
    "ν as 1/variance": interval(
        parameters=lambda f, nu: (
            ndtr(f) * max(ndtr(f[len(f) // 2]) * ndtr(-f[len(f) // 2]) * nu - 1, 0.1),
            ndtr(-f) * max(ndtr(f[len(f) // 2]) * ndtr(-f[len(f) // 2]) * nu - 1, 0.1),
        )
    ),
    "drawn at random": drawn,
    "coarse search": coarse_search,
}

RULE_MISTAKES = {
    "high end first": (lambda *given: right_answer(*given)[::-1], "Which of the two comes first?"),
    "centre and length": (
        lambda *given: (sum(right_answer(*given)) / 2, float(np.diff(right_answer(*given))[0])),
        "Two ends, or a centre and a length?",
    ),
    "the length": (lambda *given: float(np.diff(right_answer(*given))[0]), "2 values are needed"),
}


def bisected(mean, variance, precision, level):
    """Bisection of both ends at once; α and β by scipy's survival function."""
    t, weights = standard_grid(reach=9.0, n=1201)
    f = mean + t * variance**0.5
    a, b = precision * norm.cdf(f), precision * norm.sf(f)
    ends = []
    for p in ((1 - level) / 2, 1 - (1 - level) / 2):
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = (low + high) / 2
            if np.sum(weights * betainc(a, b, middle)) < p:
                low = middle
            else:
                high = middle
        ends.append(low)
    return ends


def by_quad(mean, variance, precision, level):
    """Adaptive quadrature over the standardised f."""
    std = math.sqrt(variance)

    def cdf(y):
        def integrand(t):
            f = mean + std * t
            below = betainc(precision * ndtr(f), precision * ndtr(-f), y)
            return below * math.exp(-0.5 * t * t) / math.sqrt(2 * math.pi)

        return quad(integrand, -9, 9, points=[0], limit=300, epsabs=1e-8)[0]

    return tuple(brentq(lambda y, p=p: cdf(y) - p, 0, 1, xtol=1e-8) for p in central(level))


def many_nodes(mean, variance, precision, level):
    """Gauss–Legendre on equally probable slices, by scipy's frozen betas."""
    t, weights = legendre(800)
    weights = weights * norm.pdf(8 * t)
    f = mean + np.sqrt(variance) * 8 * t
    marks = beta_distribution(*shapes(f, precision))
    return np.array(
        [brentq(lambda y, p=p: weights @ marks.cdf(y) / weights.sum() - p, 0, 1, xtol=1e-12) for p in central(level)]
    ).tolist()


RIGHT = {
    "grid and brentq": right_answer,
    "bisected": bisected,
    "adaptive quadrature": by_quad,
    "Gauss–Legendre, scipy's betas": many_nodes,
    "an array": lambda *given: np.array(right_answer(*given)).tolist(),
}
