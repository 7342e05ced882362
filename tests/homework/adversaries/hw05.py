"""Answers to homework 05 by somebody who had only the exercise."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve, lapack

LOG_2PI = np.log(2 * np.pi)

# ---------------------------------------------------------------- wrong


def sum_of_the_differences(x, x2, variance, lengthscale):
    r = np.abs(np.asarray(x, dtype=float)[:, None, :] - np.asarray(x2, dtype=float)[None, :, :]).sum(axis=2)
    K = variance * np.exp(-r / lengthscale)
    return K, K.copy(), K * r / lengthscale


def slope_of_the_squared_exponential(x, x2, variance, lengthscale):
    off = np.asarray(x, dtype=float)[:, None, :] - np.asarray(x2, dtype=float)[None, :, :]
    r = np.sqrt((off**2).sum(axis=2))
    K = variance * np.exp(-r / lengthscale)
    return K, K.copy(), K * (r / lengthscale) ** 2


def _covariance(K, noise_std):
    return np.asarray(K, dtype=float) + np.diag(np.broadcast_to(np.asarray(noise_std, dtype=float) ** 2, len(K)))


def _evidence(C, y, n):
    factor = cho_factor(C, lower=True)
    log_root = np.log(np.diag(factor[0])).sum()
    return float(-0.5 * y @ cho_solve(factor, y) - log_root - 0.5 * n * LOG_2PI)


def _posterior(C, y, K_cross, prior_variance):
    factor = cho_factor(C, lower=True)
    solved = cho_solve(factor, K_cross)
    return solved.T @ y, prior_variance - (K_cross * solved).sum(axis=0)


def one_noise_for_all(K, noise_std, y, K_cross, prior_variance):
    C = _covariance(K, np.sqrt(np.mean(np.square(noise_std))))
    return *_posterior(C, y, K_cross, prior_variance), _evidence(C, y, len(y))


def constant_of_the_new_inputs(K, noise_std, y, K_cross, prior_variance):
    C = _covariance(K, noise_std)
    means, variances = _posterior(C, y, K_cross, prior_variance)
    return means, variances, _evidence(C, y, len(means))


def _left_out(K, noise_std, y):
    inverse = np.linalg.inv(_covariance(K, noise_std))
    variances = 1 / np.diag(inverse)
    return y - inverse @ y * variances, variances


def _total(y, means, variances):
    return float(-0.5 * (LOG_2PI + np.log(variances) + (y - means) ** 2 / variances).sum())


def variance_of_the_curve(K, noise_std, y):
    means, variances = _left_out(K, noise_std, y)
    return means, variances - np.square(noise_std), _total(y, means, variances)


def total_of_the_chain_rule(K, noise_std, y):
    means, variances = _left_out(K, noise_std, y)
    return means, variances, _evidence(_covariance(K, noise_std), y, len(y))


def level_by_the_noises(K, noise_std, y, K_cross, prior_variance):
    C, trust = _covariance(K, noise_std), 1 / np.square(noise_std)
    level = trust @ y / trust.sum()
    means, variances = _posterior(C, y - level, K_cross, prior_variance)
    ones = np.linalg.solve(C, np.ones(len(y)))
    return float(level), level + means, variances + (1 - ones @ K_cross) ** 2 / ones.sum()


def full_price_of_the_level(K, noise_std, y, K_cross, prior_variance):
    C = _covariance(K, noise_std)
    ones = np.linalg.solve(C, np.ones(len(y)))
    level = ones @ y / ones.sum()
    means, variances = _posterior(C, y - level, K_cross, prior_variance)
    return float(level), level + means, variances + 1 / ones.sum()


def _gradient(C, dCs, y, trace):
    inverse = np.linalg.inv(C)
    alpha = inverse @ y
    return np.array([0.5 * (alpha @ dC @ alpha - trace(inverse, dC)) for dC in dCs])


def _double_sum(a, b):
    return (a * b).sum()


def _diagonals_only(a, b):
    return np.diag(a) @ np.diag(b)


def trace_of_the_diagonals(K, dKs, noise_std, y):
    C = _covariance(K, noise_std)
    return _gradient(C, [*dKs, 2 * noise_std**2 * np.eye(len(y))], y, _diagonals_only)


def nothing_to_learn_without_parameters(K, dKs, noise_std, y):
    if len(dKs) == 0:
        return np.zeros(1)
    C = _covariance(K, noise_std)
    return _gradient(C, [*dKs, 2 * noise_std**2 * np.eye(len(y))], y, _double_sum)


def _bell(x, z, variance, lengthscale):
    off = np.subtract.outer(np.asarray(x, dtype=float), np.asarray(z, dtype=float))
    return off, variance * np.exp(-0.5 * (off / lengthscale) ** 2)


def slopes_in_the_wrong_unit(x, x_slope, variance, lengthscale):
    _, values = _bell(x, x, variance, lengthscale)
    off, mixed = _bell(x, x_slope, variance, lengthscale)
    mixed = mixed * off / lengthscale**2
    off, slopes = _bell(x_slope, x_slope, variance, lengthscale)
    slopes = slopes * (1 - off**2) / lengthscale**2
    return np.block([[values, mixed], [mixed.T, slopes]])


def slopes_know_nothing_of_each_other(x, x_slope, variance, lengthscale):
    _, values = _bell(x, x, variance, lengthscale)
    off, mixed = _bell(x, x_slope, variance, lengthscale)
    mixed = mixed * off / lengthscale**2
    return np.block([[values, mixed], [mixed.T, variance / lengthscale**2 * np.eye(len(x_slope))]])


# ---------------------------------------------------------------- right


def posterior_answer_by_answer(K, noise_std, y, K_cross, prior_variance):
    """No factorisation: hear one answer after the other, change all beliefs, and add up the surprises."""
    n = len(y)
    mean = np.zeros(n + np.shape(K_cross)[1])
    towards = np.hstack([np.asarray(K, dtype=float), np.asarray(K_cross, dtype=float)])  # asked × (asked, new)
    variances = np.array(prior_variance, dtype=float)
    log_evidence = 0.0
    for i in range(n):
        row = towards[i].copy()
        expected = row[i] + float(noise_std[i]) ** 2
        surprise = y[i] - mean[i]
        log_evidence -= 0.5 * (LOG_2PI + np.log(expected) + surprise**2 / expected)
        mean += row * (surprise / expected)
        variances -= row[n:] ** 2 / expected
        towards -= np.outer(row[:n], row / expected)
    return mean[n:], variances, float(log_evidence)


def left_out_by_a_triangle(K, noise_std, y):
    """No inverse of C: with W = L⁻¹ the diagonal is a sum of squares in the columns of W, and α is Wᵀ(W y)."""
    white, _ = lapack.dtrtri(np.linalg.cholesky(_covariance(K, noise_std)), lower=1)
    precisions = np.linalg.norm(white, axis=0) ** 2
    off = (white @ y) @ white / precisions
    return y - off, precisions**-1.0, 0.5 * float(np.sum(np.log(precisions / (2 * np.pi)) - off**2 * precisions))


def level_by_kriging(K, noise_std, y, K_cross, prior_variance):
    """The best linear guess whose weights sum to 1: one system with a Lagrange multiplier."""
    n = len(y)
    system = np.ones((n + 1, n + 1))
    system[:n, :n] = _covariance(K, noise_std)
    system[n, n] = 0.0
    sides = np.zeros((n + 1, 1 + np.shape(K_cross)[1]))
    sides[:n, 1:] = K_cross
    sides[n] = 1.0
    solved = np.linalg.solve(system, sides)
    guesses = y @ solved[:n]
    return float(guesses[0]), guesses[1:], prior_variance - (sides * solved).sum(axis=0)[1:]


def gradient_by_imaginary_steps(K, dKs, noise_std, y):
    """The evidence of a covariance with a tiny imaginary part: its own imaginary part is the slope."""
    C = _covariance(K, noise_std).astype(complex)
    tiny = 1e-40

    def slope(dC):
        moved = C + 1j * tiny * dC
        phase, _ = np.linalg.slogdet(moved)
        return (-0.5 * (y @ np.linalg.solve(moved, y.astype(complex))).imag - 0.5 * np.angle(phase)) / tiny

    return np.fromiter((slope(dC) for dC in (*dKs, 2 * noise_std**2 * np.eye(len(y)))), float)


WRONG = [
    (
        "exponential_kernel",
        "the sum of absolute differences as distance (right for one input)",
        sum_of_the_differences,
    ),
    (
        "exponential_kernel",
        "the derivative by log ℓ of the squared exponential, r²/ℓ² in place of r/ℓ",
        slope_of_the_squared_exponential,
    ),
    ("posterior", "one noise for all answers, the root of the mean variance", one_noise_for_all),
    (
        "posterior",
        "the constant of the evidence counts the new inputs, not the answers (right if m = n)",
        constant_of_the_new_inputs,
    ),
    (
        "leave_one_out",
        "the variance returned is that of the curve, without the noise of the answer",
        variance_of_the_curve,
    ),
    (
        "leave_one_out",
        "the total is the log evidence: each answer given the ones before it",
        total_of_the_chain_rule,
    ),
    (
        "gp_with_mean",
        "the level is a mean weighted by 1/σ² only: answers that repeat each other count in full",
        level_by_the_noises,
    ),
    (
        "gp_with_mean",
        "the variance of the level is added in full, near the answers too (right far away)",
        full_price_of_the_level,
    ),
    (
        "evidence_gradient",
        "trace of the product from the two diagonals (right for the noise and for a diagonal dK)",
        trace_of_the_diagonals,
    ),
    (
        "evidence_gradient",
        "without kernel parameters there is nothing to learn: 0 for the noise",
        nothing_to_learn_without_parameters,
    ),
    (
        "slope_blocks",
        "1 − r² in place of 1 − r²/ℓ² between slopes (right for ℓ = 1 and for one slope)",
        slopes_in_the_wrong_unit,
    ),
    (
        "slope_blocks",
        "slopes at different places are independent (right for one slope or none)",
        slopes_know_nothing_of_each_other,
    ),
]

RIGHT = [
    ("posterior", "one answer after the other, without any factorisation", posterior_answer_by_answer),
    ("leave_one_out", "an inverse triangle and sums of squares in its columns", left_out_by_a_triangle),
    ("gp_with_mean", "a system with a Lagrange multiplier, as in kriging", level_by_kriging),
    ("evidence_gradient", "imaginary steps", gradient_by_imaginary_steps),
]
