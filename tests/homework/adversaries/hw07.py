"""Answers to homework 07 by somebody who had only the exercise."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc, betaincc, betaincinv, betaln, erf, log_ndtr, logsumexp, ndtr, xlog1py, xlogy

NAN = float("nan")


def _phi(x):
    """Density of N(0, 1)."""
    return np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)


def _grid(mean, variance, points=1601):
    """Points of g and their weights: the trapezoidal rule over ten standard deviations to either side."""
    if variance == 0:
        return np.array([float(mean)]), np.ones(1)
    x = np.linspace(-10, 10, points)
    weights = np.exp(-(x**2) / 2)
    return mean + np.sqrt(variance) * x, weights / weights.sum()


# ---------------------------------------------------------------------------------------------------- wrong answers


def warped_slope_by_high(y, mean, variance, low, high):
    y = np.asarray(y, dtype=float)
    u = (y - low) / (high - low)
    z = np.log(u / (1 - u))
    return _phi((z - mean) / np.sqrt(variance)) / np.sqrt(variance) / (u * (1 - u) * high)


def warped_kept_off_the_bounds(y, mean, variance, low, high):
    u = np.clip((np.asarray(y, dtype=float) - low) / (high - low), 1e-3, 1 - 1e-3)
    z = np.log(u / (1 - u))
    return _phi((z - mean) / np.sqrt(variance)) / np.sqrt(variance) / (u * (1 - u) * (high - low))


def beta_with_a_valley(mean, precision, low, high):
    share = (mean - low) / (high - low)
    alpha, beta = precision * share, precision * (1 - share)
    std = (high - low) * np.sqrt(share * (1 - share) / (precision + 1))
    mode = low + (high - low) * (alpha - 1) / (precision - 2) if precision != 2 else NAN
    return alpha, beta, std, mode if low < mode < high else NAN


def beta_with_binomial_spread(mean, precision, low, high):
    share = (mean - low) / (high - low)
    alpha, beta = precision * share, precision * (1 - share)
    std = (high - low) * np.sqrt(share * (1 - share) / precision)
    mode = low + (high - low) * (alpha - 1) / (precision - 2) if min(alpha, beta) > 1 else NAN
    return alpha, beta, std, mode


def squeezed_on_the_bounds_only(y, low, high):
    s = (np.asarray(y, dtype=float) - low) / (high - low)
    n = np.sum(~np.isnan(s))
    drawn = (s * (n - 1) + 0.5) / n
    return np.where((s == 0) | (s == 1), drawn, s), (n - 1) / n / (high - low)


def squeezed_slope_counts_gaps(y, low, high):
    s = (np.asarray(y, dtype=float) - low) / (high - low)
    n = np.sum(~np.isnan(s))
    return (s * (n - 1) + 0.5) / n, (1 - 1 / s.size) / (high - low)


def interval_of_average_ends(mean, variance, precision, level):
    g, weights = _grid(mean, variance, 401)
    g = np.clip(g, -30, 30)
    alpha, beta = precision * ndtr(g), precision * ndtr(-g)
    lower = betaincinv(np.maximum(alpha, 1e-12), np.maximum(beta, 1e-12), (1 - level) / 2)
    upper = betaincinv(np.maximum(alpha, 1e-12), np.maximum(beta, 1e-12), (1 + level) / 2)
    return float(weights @ lower), float(weights @ upper)


def interval_of_a_matched_beta(mean, variance, precision, level):
    g, weights = _grid(mean, variance)
    share = ndtr(g)
    centre = weights @ share
    spread = weights @ (share * ndtr(-g)) / (precision + 1) + weights @ (share - centre) ** 2
    matched = centre * (1 - centre) / spread - 1
    lower, upper = betaincinv(matched * centre, matched * (1 - centre), [(1 - level) / 2, (1 + level) / 2])
    return float(lower), float(upper)


def interval_with_few_nodes(mean, variance, precision, level):
    x, weights = np.polynomial.hermite.hermgauss(20)
    g = mean + np.sqrt(2 * variance) * x
    alpha, beta = np.maximum(precision * ndtr(g), 1e-300), np.maximum(precision * ndtr(-g), 1e-300)

    def below(y):
        return weights @ betainc(alpha, beta, y) / np.sqrt(np.pi)

    tail = (1 - level) / 2
    return brentq(lambda y: below(y) - tail, 0, 1), brentq(lambda y: below(y) - 1 + tail, 0, 1)


def truncated_by_clipping(mean, variance, precision):
    g, weights = _grid(mean, variance)
    M = ndtr(g)
    a, b = -precision * M, precision * (1 - M)
    inside = M * (ndtr(b) - ndtr(a)) + (_phi(a) - _phi(b)) / precision
    return float(weights @ (inside + ndtr(-b)))


def steps_turned_by_the_middle(mark, g, precision, steps):
    mark, g = np.asarray(mark), np.asarray(g, dtype=float)
    alpha, beta = precision * ndtr(g), precision * ndtr(-g)
    lower, upper = np.clip((mark - 0.5) / steps, 0, 1), np.clip((mark + 0.5) / steps, 0, 1)
    from_below = betainc(alpha, beta, upper) - betainc(alpha, beta, lower)
    from_above = betaincc(alpha, beta, lower) - betaincc(alpha, beta, upper)
    return np.log(np.maximum(np.where(mark <= steps / 2, from_below, from_above), 1e-300))


def steps_density_times_width(mark, g, precision, steps):
    mark, g = np.asarray(mark), np.asarray(g, dtype=float)
    alpha, beta = precision * ndtr(g), precision * ndtr(-g)
    y = np.clip(mark / steps, 0.5 / steps, 1 - 0.5 / steps)
    between = xlogy(alpha - 1, y) + xlog1py(beta - 1, -y) - betaln(alpha, beta) - np.log(steps)
    first = np.log(np.maximum(betainc(alpha, beta, 0.5 / steps), 1e-300))
    last = np.log(np.maximum(betaincc(alpha, beta, 1 - 0.5 / steps), 1e-300))
    return np.where(mark == 0, first, np.where(mark == steps, last, between))


# ---------------------------------------------------------------------------------------------------- right answers


def warped_with_a_cosh(y, mean, variance, low, high):
    y = np.asarray(y, dtype=float)
    z = np.log(y - low) - np.log(high - y)
    log_slope = np.log(2 + 2 * np.cosh(z)) - np.log(high - low)  # 1/(u (1 − u)) = 2 + 2 cosh z
    return np.exp(log_slope - (z - mean) ** 2 / (2 * variance) - np.log(2 * np.pi * variance) / 2)


def interval_by_bisection(mean, variance, precision, level):
    g, weights = _grid(mean, variance, 1201)
    alpha, beta = precision * ndtr(g)[:, None], precision * ndtr(-g)[:, None]
    alpha, beta = np.maximum(alpha, 1e-250), np.maximum(beta, 1e-250)
    target = (1 + level * np.array([-1, 1])) / 2
    lower, upper = np.zeros(2), np.ones(2)
    for _ in range(52):
        middle = (lower + upper) / 2
        low = weights @ betainc(alpha, beta, middle) < target
        lower, upper = np.where(low, middle, lower), np.where(low, upper, middle)
    return tuple(((lower + upper) / 2).tolist())


def truncated_by_a_complex_step(mean, variance, precision):
    g, weights = _grid(mean, variance, 2001)
    M = ndtr(g) + 1e-20j
    Z = erf(precision * (1 - M) / np.sqrt(2)) + erf(precision * M / np.sqrt(2))
    slope = Z.imag * 1e20 / Z.real  # of log Z by the mode
    return float(weights @ (M.real + slope / precision**2))


def steps_by_quadrature(mark, g, precision, steps):
    mark, g = np.asarray(mark), np.asarray(g, dtype=float)
    log_share, log_rest = log_ndtr(g), log_ndtr(-g)
    alpha, beta = precision * np.exp(log_share), precision * np.exp(log_rest)
    half = 0.5 / steps
    nodes, weights = np.polynomial.legendre.leggauss(160)
    k = np.clip(mark, 1, max(steps - 1, 1))[:, None]
    y, rest = (k + nodes / 2) / steps, (steps - k - nodes / 2) / steps
    with np.errstate(all="ignore"):
        log_density = (alpha[:, None] - 1) * np.log(y) + (beta[:, None] - 1) * np.log(rest)
        between = logsumexp(log_density, b=weights, axis=1) + np.log(half) - betaln(alpha, beta)
        first, last = np.log(betainc(alpha, beta, half)), np.log(betainc(beta, alpha, half))
    return np.select([mark == 0, mark == steps], [first, last], between)


WRONG = [
    (
        "warped_density",
        "the share has its low, the slope is 1/(u (1 − u) · high): right for low = 0",
        warped_slope_by_high,
    ),
    ("warped_density", "shares kept between 0.001 and 0.999 to be safe", warped_kept_off_the_bounds),
    (
        "beta_scale",
        "NaN only if the formula of the mode leaves the scale: a valley counts as peak",
        beta_with_a_valley,
    ),
    ("beta_scale", "the spread of a proportion, √(μ (1 − μ)/ν), without the + 1", beta_with_binomial_spread),
    ("squeezed", "only marks on a bound are moved", squeezed_on_the_bounds_only),
    ("squeezed", "gaps do not count in u, but they do in the slope", squeezed_slope_counts_gaps),
    ("predictive_interval", "the ends for each g, averaged over g", interval_of_average_ends),
    ("predictive_interval", "one beta with the mean and variance of the mark", interval_of_a_matched_beta),
    ("predictive_interval", "20 nodes of Gauss–Hermite, too few for a steep step", interval_with_few_nodes),
    ("truncated_mean", "what lies outside is put on the bound instead of drawn again", truncated_by_clipping),
    ("log_step_probability", "the upper half of the marks from above, whatever g is", steps_turned_by_the_middle),
    ("log_step_probability", "density times 1/steps between the bounds", steps_density_times_width),
]
RIGHT = [
    ("warped_density", "log space, and the slope as a hyperbolic cosine", warped_with_a_cosh),
    ("predictive_interval", "both ends at once by bisection, a plain sum over g", interval_by_bisection),
    ("truncated_mean", "the mean from the slope of log Z, by a complex step", truncated_by_a_complex_step),
    ("log_step_probability", "each step integrated in log space", steps_by_quadrature),
]
