"""Answers to homework 08 by somebody who had only the exercise."""

import numpy as np
from scipy.special import erfcx, log_ndtr, logsumexp, ndtr

LOG_2PI = np.log(2 * np.pi)


def _three(Y):
    """Counts, means and sums of squares of the rows."""
    given = ~np.isnan(Y)
    counts = given.sum(axis=1)
    means = np.where(given, Y, 0).sum(axis=1) / np.maximum(counts, 1)
    squares = np.where(given, Y - means[:, None], 0) ** 2
    return counts, means, squares.sum(axis=1)


def _gauss(y, C):
    """Log density of N(0, C) at y."""
    return -0.5 * (y @ np.linalg.solve(C, y) + np.linalg.slogdet(C)[1] + len(y) * LOG_2PI)


def _factor(counts, squares, noise_std):
    """What the evidence of all answers has beyond that of the means."""
    rest = (counts - 1) * np.log(2 * np.pi * noise_std**2) + np.log(counts) + squares / noise_std**2
    return -0.5 * rest.sum()


def _logdiff(a, b):
    """log(Φ(b) − Φ(a)) for b > a, to be used where b is not far above 0."""
    upper, lower = log_ndtr(b), log_ndtr(a)
    with np.errstate(divide="ignore"):
        return upper + np.log(-np.expm1(lower - upper))


# ---------------------------------------------------------------------------------------------------- wrong answers


def spread_of_items_that_vary(Y):
    counts, means, squares = _three(np.asarray(Y, dtype=float))
    speaks = squares > 0
    return counts, means, squares, np.sqrt(squares.sum() / np.maximum((counts[speaks] - 1).sum(), 1))


def spread_zero_is_a_gap(Y):
    filled = np.nan_to_num(np.asarray(Y, dtype=float))
    given = filled != 0
    counts = np.maximum(given.sum(axis=1), 1)
    means = filled.sum(axis=1) / counts
    squares = (np.where(given, filled - means[:, None], 0) ** 2).sum(axis=1)
    return counts, means, squares, np.sqrt(squares.sum() / np.maximum((counts - 1).sum(), 1))


def evidence_with_the_average_count(K, noise_std, Y):
    counts, means, squares = _three(Y)
    C = K + noise_std**2 / counts.mean() * np.eye(len(means))
    return _gauss(means, C) + _factor(counts, squares, noise_std)


def evidence_by_pseudo_inverse(K, noise_std, Y):
    counts, means, squares = _three(Y)
    values, vectors = np.linalg.eigh(K)
    keep = values > 1e-10 * max(values.max(), 1e-300)
    inverse = (vectors[:, keep] / values[keep]) @ vectors[:, keep].T
    weights = counts / noise_std**2
    A = inverse + np.diag(weights)
    mode = np.linalg.solve(A, weights * means)
    fit = weights @ (means - mode) ** 2 + mode @ inverse @ mode
    log_det = np.linalg.slogdet(A)[1] + np.log(values[keep]).sum() - np.log(weights).sum()
    return -0.5 * (fit + log_det + len(means) * LOG_2PI) + _factor(counts, squares, noise_std)


def predict_with_gaps_in_the_mean(K, noise_std, Y, K_cross, prior_variance, n_raters):
    counts = (~np.isnan(Y)).sum(axis=1)
    means = np.nan_to_num(Y).mean(axis=1)
    C = K + np.diag(noise_std**2 / counts)
    mean = K_cross.T @ np.linalg.solve(C, means)
    variance = prior_variance - np.sum(K_cross * np.linalg.solve(C, K_cross), axis=0)
    return mean, variance, np.sqrt(variance + noise_std**2), np.sqrt(variance + noise_std**2 / n_raters)


def predict_centred_again(K, noise_std, Y, K_cross, prior_variance, n_raters):
    counts, means, _ = _three(Y)
    level = np.nanmean(Y)
    C = K + np.diag(noise_std**2 / counts)
    mean = level + K_cross.T @ np.linalg.solve(C, means - level)
    variance = prior_variance - np.sum(K_cross * np.linalg.solve(C, K_cross), axis=0)
    return mean, variance, np.sqrt(variance + noise_std**2), np.sqrt(variance + noise_std**2 / n_raters)


def shares_from_the_density(means, stds, scores):
    z = (np.asarray(scores) - np.asarray(means)[:, None]) / np.asarray(stds)[:, None]
    return -(z**2) / 2 - logsumexp(-(z**2) / 2, axis=1, keepdims=True)


def shares_turned_by_row(means, stds, scores):
    means, stds, scores = np.asarray(means, float), np.asarray(stds, float), np.asarray(scores, float)
    h = (scores[1] - scores[0]) / 2
    lower = (scores - h - means[:, None]) / stds[:, None]
    upper = (scores + h - means[:, None]) / stds[:, None]
    below = (means < (scores[0] + scores[-1]) / 2)[:, None]  # then the scale is above the mean
    log_P = _logdiff(np.where(below, -upper, lower), np.where(below, -lower, upper))
    return log_P - logsumexp(log_P, axis=1, keepdims=True)


def nugget_only_where_two_answered(K, noise_std, nugget_std, Y):
    counts, means, squares = _three(Y)
    part = np.where(counts > 1, nugget_std**2, 0.0)
    C = K + np.diag(part + noise_std**2 / counts)
    inverse = np.linalg.inv(C)
    alpha = inverse @ means
    slope = np.sum(part * (alpha**2 - np.diag(inverse)))
    return _gauss(means, C) + _factor(counts, squares, noise_std), slope


def nugget_trace_of_the_diagonal(K, noise_std, nugget_std, Y):
    counts, means, squares = _three(Y)
    C = K + np.diag(nugget_std**2 + noise_std**2 / counts)
    alpha = np.linalg.solve(C, means)
    slope = nugget_std**2 * (alpha @ alpha - np.sum(1 / np.diag(C)))
    return _gauss(means, C) + _factor(counts, squares, noise_std), slope


def _scores_without(K, noise_std, Y, r, alone):
    """Log densities of the answers of rater r from the others; alone: what is done where nobody else answered."""
    counts, means, _ = _three(np.delete(Y, r, axis=1))
    his = ~np.isnan(Y[:, r])
    rows = counts > 0
    if alone == "a zero":
        rows = np.full(len(counts), True)
    C = K[np.ix_(rows, rows)] + np.diag(noise_std**2 / np.maximum(counts[rows], 1))
    gain = np.linalg.solve(C, K[rows]).T
    mean = gain @ means[rows]
    variance = np.diag(K) - np.sum(gain * K[:, rows], axis=1)
    if alone == "the prior":
        mean, variance = np.where(counts > 0, mean, 0), np.where(counts > 0, variance, np.diag(K))
    total = variance[his] + noise_std**2
    return -0.5 * ((Y[his, r] - mean[his]) ** 2 / total + np.log(2 * np.pi * total))


def loro_prior_where_alone(K, noise_std, Y):
    scores = np.array([_scores_without(K, noise_std, Y, r, "the prior").mean() for r in range(Y.shape[1])])
    return scores, int(np.argmin(scores))


def loro_lowest_sum(K, noise_std, Y):
    densities = [_scores_without(K, noise_std, Y, r, "left out") for r in range(Y.shape[1])]
    return np.array([one.mean() for one in densities]), int(np.argmin([one.sum() for one in densities]))


# ---------------------------------------------------------------------------------------------------- right answers


def evidence_answer_by_answer(K, noise_std, Y):
    mean, covariance = np.zeros(len(K)), np.array(K, dtype=float)
    total, noise = 0.0, noise_std**2
    for n, row in enumerate(np.asarray(Y, dtype=float)):
        at, spread = mean[n], covariance[n, n]
        answers = row[~np.isnan(row)]
        for y in answers:
            predicted = spread + noise
            total -= 0.5 * ((y - at) ** 2 / predicted + np.log(2 * np.pi * predicted))
            at += spread / predicted * (y - at)
            spread *= noise / predicted
        column = covariance[:, n].copy()
        gain = column / (column[n] + noise / len(answers))
        mean = mean + gain * (answers.mean() - mean[n])
        covariance = covariance - np.outer(gain, column)
    return float(total)


def shares_by_scaled_tails(means, stds, scores):
    means, stds = np.asarray(means, dtype=float)[:, None], np.asarray(stds, dtype=float)[:, None]
    scores = np.asarray(scores, dtype=float)
    h = (scores[-1] - scores[0]) / (len(scores) - 1) / 2
    centre, half = np.abs(scores - means) / stds, h / stds + 0 * scores
    a, b = centre - half, centre + half
    # narrow bins: quadrature of the density in log space
    nodes, weights = np.polynomial.legendre.leggauss(24)
    inside = centre[..., None] + half[..., None] * nodes
    log_narrow = logsumexp(-(inside**2) / 2, b=weights, axis=-1) + np.log(half) - LOG_2PI / 2
    # wide bins: tails with their Gaussian taken out
    with np.errstate(all="ignore"):
        tails = erfcx(a / np.sqrt(2)) - np.exp((a - b) * (a + b) / 2) * erfcx(b / np.sqrt(2))
        log_tail = -(a**2) / 2 + np.log(tails / 2)
        log_round = np.log1p(-ndtr(a) - ndtr(-b))
    log_P = np.where(half * np.maximum(centre, 1) < 1, log_narrow, np.where(a > 0, log_tail, log_round))
    return log_P - logsumexp(log_P, axis=1, keepdims=True)


def nugget_by_a_complex_step(K, noise_std, nugget_std, Y):
    counts, means, squares = _three(Y)
    tau = nugget_std * np.exp(1e-30j)
    C = K + np.diag(tau**2 + noise_std**2 / counts)
    sign, size = np.linalg.slogdet(C)
    log_det = size + 1j * np.angle(sign)
    height = -0.5 * (means @ np.linalg.solve(C, means.astype(complex)) + log_det + len(means) * LOG_2PI)
    return float(height.real) + _factor(counts, squares, noise_std), float(height.imag * 1e30)


def loro_by_taking_weights_away(K, noise_std, Y):
    K = np.asarray(K, dtype=float)
    weights = (~np.isnan(Y)) / noise_std**2  # precision of each answer, 0 in the gaps
    weighted = np.nan_to_num(Y) / noise_std**2
    W = (weights.sum(axis=1)[:, None] - weights).T  # (R, n): what the others leave
    w = (weighted.sum(axis=1)[:, None] - weighted).T
    W = np.where(0.5 / noise_std**2 > W, 0.0, W)
    V = np.linalg.solve(np.eye(len(K)) + K * W[:, None, :], np.broadcast_to(K, (len(W), *K.shape)))
    m = np.einsum("rij,rj->ri", V, w)
    total = np.einsum("rii->ri", V) + noise_std**2
    density = -0.5 * ((Y.T - m) ** 2 / total + np.log(total) + LOG_2PI)
    scores = np.nanmean(density, axis=1)
    return scores, min(range(len(scores)), key=scores.__getitem__)


WRONG = [
    ("pooled_spread", "an item whose answers are all equal is left out of Σ (R_n − 1)", spread_of_items_that_vary),
    ("pooled_spread", "gaps become zeros, so an answer of exactly 0 is a gap as well", spread_zero_is_a_gap),
    (
        "joint_evidence",
        "σ² / (average of the R_n) for each mean: right for a full table",
        evidence_with_the_average_count,
    ),
    ("joint_evidence", "K inverted by a pseudo-inverse: right unless K is singular", evidence_by_pseudo_inverse),
    ("predict_answers", "ȳ is the sum over all columns' number, gaps as zeros", predict_with_gaps_in_the_mean),
    ("predict_answers", "the mean of all answers taken off once more, and added again", predict_centred_again),
    ("log_shares", "the density at the score instead of the mass of its bin", shares_from_the_density),
    ("log_shares", "turns a whole row to the good tail, not each bin: 0 if μ is on the scale", shares_turned_by_row),
    ("nugget_evidence", "a nugget only for items with two answers or more", nugget_only_where_two_answered),
    ("nugget_evidence", "the trace of C⁻¹ from 1 / diagonal of C: right for K = 0", nugget_trace_of_the_diagonal),
    ("leave_one_rater_out", "where nobody else answered, the prior predicts", loro_prior_where_alone),
    ("leave_one_rater_out", "the least predictable has the lowest sum, not the lowest mean", loro_lowest_sum),
]
RIGHT = [
    ("joint_evidence", "the chain rule, one answer after the other", evidence_answer_by_answer),
    ("log_shares", "scaled error functions, and quadrature in log space for narrow bins", shares_by_scaled_tails),
    ("nugget_evidence", "the slope by a complex step", nugget_by_a_complex_step),
    ("leave_one_rater_out", "all raters at once by their weights, with (I + K W)⁻¹ K", loro_by_taking_weights_away),
]
