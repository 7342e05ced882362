"""Answers to homework 10 by somebody who had only the exercise."""

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import digamma, log_ndtr, logsumexp, ndtr, polygamma
from scipy.stats import norm

ROOT_2 = np.sqrt(2.0)

# ---------------------------------------------------------------- Task 1


def formula_for_a_logistic_curve(mean, covariance, noise_std):
    z = (mean[1] - mean[0]) / (ROOT_2 * noise_std)
    variance = (covariance[0][0] + covariance[1][1] - 2 * covariance[0][1]) / (2 * noise_std**2)
    return ndtr(z / np.sqrt(1 + np.pi * variance / 8))


# ---------------------------------------------------------------- Task 2


def _davidson(high, low, middle, y):
    total = logsumexp(np.stack([high, low, middle]), axis=0)
    return np.where(y > 0, high, np.where(y < 0, low, middle)) - total


def differences_are_clipped(f, pairs, y, noise_std, tie):
    a, b = np.asarray(pairs).T
    f = np.asarray(f, dtype=float)
    z = np.clip((f[b] - f[a]) / (ROOT_2 * noise_std), -30, 30)
    return _davidson(z / 2, -z / 2, np.full(len(z), np.log(tie)), np.asarray(y))


def weight_of_a_tie_under_the_root(f, pairs, y, noise_std, tie):
    a, b = np.asarray(pairs).T
    f = np.asarray(f, dtype=float)
    z = (f[b] - f[a]) / (ROOT_2 * noise_std)
    return _davidson(z / 2, -z / 2, np.full(len(z), np.log(tie) / 2), np.asarray(y))


# ---------------------------------------------------------------- Task 3


def _degrees(f, pairs, degrees, noise_std, precision):
    """First and second derivatives of each answer's log p in g, and φ/(√2σ) times the inner slope."""
    a, b = np.asarray(pairs).T
    f, y = np.asarray(f, dtype=float), np.asarray(degrees, dtype=float)
    unit, nu = ROOT_2 * noise_std, precision
    z = (f[b] - f[a]) / unit
    slope = norm.pdf(z) / unit
    p, q = nu * ndtr(z), nu * ndtr(-z)
    inner = nu * (digamma(q) - digamma(p) + np.log(y) - np.log1p(-y))
    first = inner * slope
    fisher = nu**2 * (polygamma(1, p) + polygamma(1, q)) * slope**2
    return a, b, first, fisher, fisher + inner * slope * z / unit


def _spread(n, a, b, first, curve):
    gradient, W = np.zeros(n), np.zeros((n, n))
    np.add.at(gradient, b, first)
    np.add.at(gradient, a, -first)
    np.add.at(W, (a, a), curve)
    np.add.at(W, (b, b), curve)
    np.add.at(W, (a, b), -curve)
    np.add.at(W, (b, a), -curve)
    return gradient, W


def expected_curvature(f, pairs, degrees, noise_std, precision):
    a, b, first, fisher, _ = _degrees(f, pairs, degrees, noise_std, precision)
    return _spread(len(f), a, b, first, fisher)


def half_of_the_matrix_then_mirrored(f, pairs, degrees, noise_std, precision):
    a, b, first, _, curve = _degrees(f, pairs, degrees, noise_std, precision)
    gradient, W = _spread(len(f), a, b, first, curve)
    upper = np.zeros_like(W)
    np.add.at(upper, (a, b), -curve)
    upper = np.triu(upper, 1)  # a pair (a, b) with a > b stands below the diagonal
    return gradient, np.diag(np.diag(W)) + upper + upper.T


def complex_steps(f, pairs, degrees, noise_std, precision):
    pairs, y = np.asarray(pairs), np.asarray(degrees, dtype=float)
    n, unit = len(f), ROOT_2 * noise_std
    M = np.eye(n)[pairs[:, 1]] - np.eye(n)[pairs[:, 0]]
    logit = np.log(y) - np.log1p(-y)

    def slope(g):
        z = g / unit
        density = np.exp(-z * z / 2) / (np.sqrt(2 * np.pi) * unit)
        return precision * density * (digamma(precision * ndtr(-z)) - digamma(precision * ndtr(z)) + logit)

    differences = (M @ np.asarray(f, dtype=float)).astype(complex)
    tiny = 1e-30
    bend = slope(differences + 1j * tiny).imag / tiny
    return M.T @ slope(differences).real, -(M.T * bend) @ M


# ---------------------------------------------------------------- Task 4


def _bias(gap, y, noise_std, bound):
    unit = ROOT_2 * noise_std
    best = minimize_scalar(
        lambda c: -log_ndtr(y * (gap + c) / unit).sum(),
        bounds=(-bound, bound),
        method="bounded",
        options={"xatol": 1e-9},
    ).x
    for _ in range(4):
        z = y * (gap + best) / unit
        r = np.exp(norm.logpdf(z) - log_ndtr(z))
        step = (y * r).sum() / unit / ((r * (z + r)).sum() / unit**2)
        if abs(best + step) < bound:
            best += step
    return best, unit


def expected_information(gap, y, noise_std):
    gap, y = np.asarray(gap, dtype=float), np.asarray(y)
    c, unit = _bias(gap, y, noise_std, 2 * np.abs(gap).max() + 20 * noise_std)
    z = (gap + c) / unit
    share = np.exp(2 * norm.logpdf(z) - log_ndtr(z) - log_ndtr(-z))
    return c, unit / np.sqrt(share.sum())


def nobody_is_that_biased(gap, y, noise_std):
    gap, y = np.asarray(gap, dtype=float), np.asarray(y)
    c, unit = _bias(gap, y, noise_std, 3 * noise_std)
    z = y * (gap + c) / unit
    r = np.exp(norm.logpdf(z) - log_ndtr(z))
    return c, unit / np.sqrt((r * (z + r)).sum())


def root_of_the_score(gap, y, noise_std):
    unit = ROOT_2 * noise_std
    signs = np.sign(np.asarray(y, dtype=float))
    start = np.asarray(gap, dtype=float) / unit

    def ratio(z):
        return np.exp(-z * z / 2 - np.log(2 * np.pi) / 2 - log_ndtr(z))

    def score(c):
        return signs @ ratio(signs * (start + c))

    reach = 1.0
    while score(-reach) <= 0 or score(reach) >= 0:
        reach *= 2
    c = brentq(score, -reach, reach, xtol=1e-14, rtol=1e-14)
    z = signs * (start + c)
    return unit * c, unit / np.sqrt(ratio(z) @ (z + ratio(z)))


# ---------------------------------------------------------------- Task 5


def _triads(wins, odd):
    n = len(wins)
    circles = n * (n - 1) * (n - 2) / 6 - (wins * (wins - 1)).sum() / 2
    most = (n**3 - n) / 24 if odd else (n**3 - 4 * n) / 24
    return circles, 1 - circles / most


def table_with_the_smaller_item_first(pairs, y):
    pairs, n = np.asarray(pairs), np.max(pairs) + 1
    table = np.zeros((n, n))
    table[pairs.min(axis=1), pairs.max(axis=1)] = y  # +1 says: the larger number was preferred
    upper = np.triu(np.ones((n, n)), 1) > 0
    wins = ((table > 0) & upper).sum(axis=0) + ((table < 0) & upper).sum(axis=1)
    return _triads(wins, n % 2 == 1)


def parity_of_the_number_of_answers(pairs, y):
    pairs, y = np.asarray(pairs), np.asarray(y)
    wins = np.bincount(np.where(y > 0, pairs[:, 1], pairs[:, 0]), minlength=pairs.max() + 1)
    return _triads(wins, len(y) % 2 == 1)


def trace_of_a_cube(pairs, y):
    pairs, n = np.asarray(pairs), int(np.max(pairs)) + 1
    beats = np.zeros((n, n))
    winner = (np.asarray(y) > 0).astype(int)
    rows = np.arange(len(pairs))
    beats[pairs[rows, winner], pairs[rows, 1 - winner]] = 1
    circles = round(np.trace(np.linalg.matrix_power(beats, 3))) // 3  # each circle is met from three items
    most = n * (n * n - (1 if n % 2 else 4)) // 24
    return float(circles), 1 - circles / max(most, 1)


# ---------------------------------------------------------------- Task 6


def _step(f, pairs, prior_std, slope, curve, extra):
    n = len(f)
    M = np.eye(n)[pairs[:, 1]] - np.eye(n)[pairs[:, 0]]
    W = (M.T * curve) @ M
    damped = W + (np.diag(extra * np.diag(W)) if np.ndim(extra) else extra * np.eye(n))
    return np.linalg.solve(np.eye(n) / prior_std**2 + damped, damped @ f + M.T @ slope)


def curvature_of_a_win_of_b_for_all(f, pairs, wins, noise_std, prior_std, damping):
    f, pairs, wins = np.asarray(f, dtype=float), np.asarray(pairs), np.asarray(wins)
    unit = ROOT_2 * noise_std
    z = (f[pairs[:, 1]] - f[pairs[:, 0]]) / unit
    for_b, for_a = np.exp(norm.logpdf(z) - log_ndtr(z)), np.exp(norm.logpdf(z) - log_ndtr(-z))
    slope = (wins[:, 1] * for_b - wins[:, 0] * for_a) / unit
    curve = wins.sum(axis=1) * for_b * (z + for_b) / unit**2
    return _step(f, pairs, prior_std, slope, curve, damping)


def damping_in_units_of_the_diagonal(f, pairs, wins, noise_std, prior_std, damping):
    f, pairs, wins = np.asarray(f, dtype=float), np.asarray(pairs), np.asarray(wins)
    unit = ROOT_2 * noise_std
    z = (f[pairs[:, 1]] - f[pairs[:, 0]]) / unit
    for_b, for_a = np.exp(norm.logpdf(z) - log_ndtr(z)), np.exp(norm.logpdf(z) - log_ndtr(-z))
    slope = (wins[:, 1] * for_b - wins[:, 0] * for_a) / unit
    curve = (wins[:, 1] * for_b * (z + for_b) + wins[:, 0] * for_a * (for_a - z)) / unit**2
    return _step(f, pairs, prior_std, slope, curve, damping * np.ones(len(f)))


def ratio_with_a_guarded_denominator(f, pairs, wins, noise_std, prior_std, damping):
    f, pairs, wins = np.asarray(f, dtype=float), np.asarray(pairs), np.asarray(wins)
    unit = ROOT_2 * noise_std
    z = (f[pairs[:, 1]] - f[pairs[:, 0]]) / unit
    for_b = norm.pdf(z) / np.maximum(ndtr(z), 1e-10)
    for_a = norm.pdf(z) / np.maximum(ndtr(-z), 1e-10)
    slope = (wins[:, 1] * for_b - wins[:, 0] * for_a) / unit
    curve = (wins[:, 1] * for_b * (z + for_b) + wins[:, 0] * for_a * (for_a - z)) / unit**2
    return _step(f, pairs, prior_std, slope, curve, damping)


def stacked_least_squares(f, pairs, wins, noise_std, prior_std, damping):
    f, pairs, wins = np.asarray(f, dtype=float), np.asarray(pairs), np.asarray(wins, dtype=float)
    n, m, unit = len(f), len(pairs), ROOT_2 * noise_std
    M = np.zeros((m, n))
    M[np.arange(m), pairs[:, 1]] = 1 / unit
    M[np.arange(m), pairs[:, 0]] = -1 / unit
    rows = np.vstack([-M, M])  # the winner's side is positive: first the wins of a, then those of b
    often = wins.T.ravel()
    z = rows @ f
    r = np.exp(-z * z / 2 - np.log(2 * np.pi) / 2 - log_ndtr(z))
    weight = np.sqrt(often * r * (z + r))
    pull = np.divide(often * r, weight, out=np.zeros(2 * m), where=weight > 0)
    ones = np.eye(n)
    left = np.vstack([rows * weight[:, None], np.sqrt(damping) * ones, ones / prior_std])
    right = np.concatenate([weight * z + pull, np.sqrt(damping) * f, np.zeros(n)])
    return np.linalg.lstsq(left, right, rcond=None)[0]


WRONG = [
    (
        "preference_probability",
        "shrinks z by 1/√(1 + πv/8), which is for a logistic curve",
        formula_for_a_logistic_curve,
    ),
    ("davidson_logs", "clips the differences so that nothing overflows", differences_are_clipped),
    ("davidson_logs", "puts τ under the root, too (right for τ = 1)", weight_of_a_tie_under_the_root),
    (
        "degree_slopes",
        "the expected curvature (Fisher) in place of W: no term with the first derivative of log p",
        expected_curvature,
    ),
    (
        "degree_slopes",
        "mirrors the upper half of W, and so loses a pair (a, b) with a > b",
        half_of_the_matrix_then_mirrored,
    ),
    (
        "side_bias",
        "the expected information, not the second derivative at these answers (right if all g are equal)",
        expected_information,
    ),
    ("side_bias", "looks for c between −3σ and 3σ only", nobody_is_that_biased),
    (
        "circular_triads",
        "sorts the items of a pair without turning its answer (right if all pairs are ascending)",
        table_with_the_smaller_item_first,
    ),
    (
        "circular_triads",
        "odd or even is asked of the number of answers (right for n = 3, 4, 7, 8, not for 5 and 6)",
        parity_of_the_number_of_answers,
    ),
    (
        "strength_step",
        "wins of a get the curvature at z, not at −z (right where f is equal)",
        curvature_of_a_win_of_b_for_all,
    ),
    (
        "strength_step",
        "damps by λ times the diagonal of W, as Marquardt does (right for λ = 0)",
        damping_in_units_of_the_diagonal,
    ),
    (
        "strength_step",
        "φ/Φ with a denominator of 1e-10 at least: wrong only for a start far away",
        ratio_with_a_guarded_denominator,
    ),
]

RIGHT = [
    ("degree_slopes", "a design matrix, and the second derivative by complex steps of 1e-30", complex_steps),
    ("side_bias", "root of the score in a bracket that doubles, in units of √2σ", root_of_the_score),
    ("circular_triads", "counts circles of length three by the trace of a matrix power", trace_of_a_cube),
    ("strength_step", "the step as a stacked least-squares problem, without W", stacked_least_squares),
]
