"""Task 5, truncated_mean(mean, variance, precision)."""

import math

import numpy as np
from scipy.integrate import quad
from scipy.special import log_ndtr, ndtr, roots_hermitenorm
from scipy.stats import norm, truncnorm

from .grids import legendre, logistic, opinions


def phi(x):
    return np.exp(-0.5 * x**2) / np.sqrt(2 * np.pi)


def below(mode, nu):
    """φ(νa′) − φ(νb′) with the ends seen from the mode."""
    return phi(-nu * mode) - phi(nu * (1 - mode))


def mass(mode, nu):
    return ndtr(nu * (1 - mode)) - ndtr(-nu * mode)


def truncated(mode, nu):
    """The mean of the truncated Gaussian with this mode, eq. 2."""
    return mode + below(mode, nu) / (nu * mass(mode, nu))


def averaged(inside=truncated, over=opinions, link=ndtr):
    """An answer made of its parts: mean for one mode, values of f with weights, link."""

    def answer(mean, variance, precision):
        f, weights = over(mean, variance)
        return float(weights @ inside(link(f), precision))

    return answer


right_answer = averaged()


def certain(mean, variance):
    return np.array([mean]), np.ones(1)


def mean_mode(mean, variance, precision):
    return float(truncated(ndtr(mean / np.sqrt(1 + variance)), precision))


def mode_only(mean, variance, precision):
    return float(ndtr(mean / np.sqrt(1 + variance)))


def censored(mode, nu):
    """Marks beyond the bounds moved onto them instead of never given."""
    return mode * mass(mode, nu) + below(mode, nu) / nu + ndtr(-nu * (1 - mode))


def above_zero(mode, nu):
    return mode + phi(nu * mode) / (nu * ndtr(nu * mode))


def below_one(mode, nu):
    return mode - phi(nu * (1 - mode)) / (nu * ndtr(nu * (1 - mode)))


def normalised_afterwards(mean, variance, precision):
    """Divides the average of the numerators by the average of the masses."""
    f, weights = opinions(mean, variance)
    mode = ndtr(f)
    total = weights @ mass(mode, precision)
    return float(weights @ (mode * mass(mode, precision) + below(mode, precision) / precision) / total)


def middle(mode, nu):
    return truncnorm.median(-nu * mode, nu * (1 - mode), mode, 1 / nu)


def on_a_grid(n):
    """Sums over n marks."""

    def inside(mode, nu):
        y = np.linspace(0, 1, n)
        with np.errstate(all="ignore"):
            density = np.exp(-0.5 * (nu * (y - mode[:, None])) ** 2)
            return (density * y).sum(axis=1) / density.sum(axis=1)

    return inside


def warped_mean(mean, variance, precision):
    """Adds the noise to f instead of the mark."""
    return float(ndtr(mean / np.sqrt(1 + variance + 1 / precision**2)))


def physicists_nodes(mean, variance):
    x, weights = np.polynomial.hermite.hermgauss(150)
    return mean + np.sqrt(variance) * x, weights / weights.sum()


def weights_of_pi(mean, variance):
    x, weights = np.polynomial.hermite.hermgauss(150)
    return mean + np.sqrt(2 * variance) * x, weights


def all_the_same(mean, variance):
    return mean + np.sqrt(variance) * np.linspace(-3, 3, 2001), np.full(2001, 1 / 2001)


def drawn(mean, variance, precision):
    rng = np.random.default_rng(1)
    return float(np.mean(truncated(ndtr(rng.normal(mean, np.sqrt(variance), 5000)), precision)))


MISTAKES = {
    "mean of f plugged in": averaged(over=certain),
    "mean mode plugged in": mean_mode,
    "mode for mean": mode_only,
    "mode of the mean": averaged(lambda mode, nu: mode, over=certain),
    "censored": averaged(censored),
    "noise on f": warped_mean,
    "plus for minus": averaged(lambda mode, nu: mode - below(mode, nu) / (nu * mass(mode, nu))),
    "no 1/ν": averaged(lambda mode, nu: mode + below(mode, nu) / mass(mode, nu)),
    "1/ν²": averaged(lambda mode, nu: mode + below(mode, nu) / (nu**2 * mass(mode, nu))),
    "ν for 1/ν": averaged(lambda mode, nu: mode + nu * below(mode, nu) / mass(mode, nu)),
    "ν as 1/variance": averaged(lambda mode, nu: truncated(mode, np.sqrt(nu))),
    "ν as standard deviation": averaged(lambda mode, nu: truncated(mode, 1 / nu)),
    "ends not in units of the noise": averaged(
        lambda mode, nu: mode + (phi(-mode) - phi(1 - mode)) / (nu * (ndtr(1 - mode) - ndtr(-mode)))
    ),
    "no denominator": averaged(lambda mode, nu: mode + below(mode, nu) / nu),
    "multiplied by the mass": averaged(lambda mode, nu: mode + below(mode, nu) * mass(mode, nu) / nu),
    "numerator with the mass alone": averaged(lambda mode, nu: mode * mass(mode, nu) + below(mode, nu) / nu),
    "normalised afterwards": normalised_afterwards,
    "bound at 0 only": averaged(above_zero),
    "bound at 1 only": averaged(below_one),
    "median": averaged(middle),
    "grid of 21 marks": averaged(on_a_grid(21)),
    "grid of 201 marks": averaged(on_a_grid(201)),
    "standard deviation for variance": averaged(over=lambda m, v: opinions(m, v**2)),
    "root twice": averaged(over=lambda m, v: opinions(m, np.sqrt(v))),
    "nodes for exp(−x²)": averaged(over=physicists_nodes),
    "weights that sum to √π": averaged(over=weights_of_pi),
    "all values of f count the same": averaged(over=all_the_same),
    "logit": averaged(link=logistic),
    "no link": averaged(link=lambda f: np.clip(f, 0, 1)),
    "drawn at random": drawn,
}

RULE_MISTAKES = {
    "an array": (lambda *given: np.full(3, right_answer(*given)), "one number is needed"),
}


def scipys(mean, variance, precision):
    t, weights = roots_hermitenorm(120)
    mode = ndtr(mean + np.sqrt(variance) * t)
    inside = truncnorm.mean(-precision * mode, precision * (1 - mode), loc=mode, scale=1 / precision)
    return (weights * inside).sum() / weights.sum()


def twice_by_quadrature(mean, variance, precision):
    """Both integrals by Gauss–Legendre, the inner one where the density is."""
    t, weights = legendre(160)
    g_weights = weights * np.exp(-0.5 * (8 * t) ** 2)
    mode = ndtr(mean + np.sqrt(variance) * 8 * t)
    start, end = np.maximum(0, mode - 9 / precision), np.minimum(1, mode + 9 / precision)
    y = (start + end)[:, None] / 2 + (end - start)[:, None] / 2 * t
    density = weights * np.exp(-0.5 * (precision * (y - mode[:, None])) ** 2)
    inside = (density * y).sum(axis=1) / density.sum(axis=1)
    return g_weights @ inside / g_weights.sum()


def by_quad(mean, variance, precision):
    """Adaptive quadrature of the standardised f, one call of the formula at a time."""

    def integrand(t):
        mode = ndtr(mean + math.sqrt(variance) * t)
        low, high = -precision * mode, precision * (1 - mode)
        top = math.exp(-(low**2) / 2) - math.exp(-(high**2) / 2)
        bottom = math.sqrt(math.pi / 2) * (math.erf(high / math.sqrt(2)) - math.erf(low / math.sqrt(2)))
        return math.exp(-0.5 * t * t) / math.sqrt(2 * math.pi) * (mode + top / bottom / precision)

    return quad(integrand, -9, 9, limit=200, points=[-2, 0, 2])[0]


def in_logs(mean, variance, precision):
    f, weights = opinions(mean, variance, reach=9.0, n=4001)
    mode = ndtr(f)
    low, high = -precision * mode, precision * (1 - mode)
    log_mass = log_ndtr(high) + np.log1p(-np.exp(log_ndtr(low) - log_ndtr(high)))
    correction = np.exp(norm.logpdf(low) - log_mass) - np.exp(norm.logpdf(high) - log_mass)
    return np.sum(weights * (mode + correction / precision))


RIGHT = {
    "eq. 2 on a grid": right_answer,
    "scipy": scipys,
    "two quadratures": twice_by_quadrature,
    "adaptive": by_quad,
    "in logs": in_logs,
}
