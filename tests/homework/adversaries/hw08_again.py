"""Answers to homework 08 by somebody who had only the exercise."""

import numpy as np
from scipy.special import erfcx, log_ndtr, logsumexp, ndtr

LOG_2PI = np.log(2 * np.pi)


def three_numbers(Y):
    """Counts, means and sums of squared deviations of the rows."""
    counts = np.sum(~np.isnan(Y), axis=1)
    means = np.nanmean(Y, axis=1)
    return counts, means, np.nansum((Y - means[:, None]) ** 2, axis=1)


def log_normal(y, C):
    """Log density of N(0, C)."""
    return -0.5 * (y @ np.linalg.solve(C, y) + np.linalg.slogdet(C)[1] + len(y) * LOG_2PI)


def log_factor(counts, squares, noise_std):
    """Logarithm of what the averages leave of the answers."""
    return -0.5 * np.sum((counts - 1) * (LOG_2PI + 2 * np.log(noise_std)) + np.log(counts) + squares / noise_std**2)


def whole_evidence(K, noise_std, Y):
    counts, means, squares = three_numbers(Y)
    return log_normal(means, K + np.diag(noise_std**2 / counts)) + log_factor(counts, squares, noise_std)


def left_out(K, noise_std, Y, lonely):
    """Scores of all raters; `lonely(k, prior variance)` is what is done with rows where nobody else has answered."""
    scores, sums = [], []
    for r in range(Y.shape[1]):
        others = np.delete(Y, r, axis=1)
        counts = np.sum(~np.isnan(others), axis=1)
        seen = np.flatnonzero(counts > 0)
        own = np.flatnonzero(~np.isnan(Y[:, r]))
        C = K[np.ix_(seen, seen)] + np.diag(noise_std**2 / counts[seen])
        cross = K[np.ix_(seen, own)].copy()
        if lonely:
            cross[:, counts[own] == 0] = 0.0
        weights = np.linalg.solve(C, cross)
        means = weights.T @ np.nanmean(others[seen], axis=1)
        variances = np.diag(K)[own] - np.sum(cross * weights, axis=0) + noise_std**2
        densities = -0.5 * (LOG_2PI + np.log(variances) + (Y[own, r] - means) ** 2 / variances)
        scores.append(densities.mean())
        sums.append(densities.sum())
    return np.array(scores), np.array(sums)


# ---------------------------------------------------------------- wrong: slips of the hand


def variance_times_columns(Y):
    counts = np.sum(~np.isnan(Y), axis=1)
    squares = np.nanvar(Y, axis=1) * Y.shape[1]
    return counts, np.nanmean(Y, axis=1), squares, np.sqrt(squares.sum() / (counts - 1).sum())


def sign_of_log_counts(K, noise_std, Y):
    counts, means, squares = three_numbers(Y)
    factor = -0.5 * (counts - 1) * np.log(2 * np.pi * noise_std**2) + 0.5 * np.log(counts) - squares / noise_std**2 / 2
    return log_normal(means, K + np.diag(noise_std**2 / counts)) + factor.sum()


def noise_not_squared(K, noise_std, Y, K_cross, prior_variance, n_raters):
    counts, answers, _ = three_numbers(Y)
    weights = np.linalg.solve(K + np.diag(noise_std**2 / counts), K_cross)
    variances = prior_variance - np.sum(K_cross * weights, axis=0)
    return weights.T @ answers, variances, np.sqrt(variances + noise_std), np.sqrt(variances + noise_std / n_raters)


def sum_for_a_trace(K, noise_std, nugget_std, Y):
    counts, means, _ = three_numbers(Y)
    prior = K + nugget_std**2 * np.eye(len(K))
    inverse = np.linalg.inv(prior + np.diag(noise_std**2 / counts))
    alpha = inverse @ means
    return whole_evidence(prior, noise_std, Y), nugget_std**2 * (alpha @ alpha - np.sum(inverse))


# ---------------------------------------------------------------- wrong: misread


def as_many_for_each(K, noise_std, Y):
    counts, means, squares = three_numbers(Y)
    C = K + noise_std**2 / counts.mean() * np.eye(len(K))
    return log_normal(means, C) + log_factor(counts, squares, noise_std)


def new_panel_in_the_old_noise(K, noise_std, Y, K_cross, prior_variance, n_raters):
    C = K + noise_std**2 / n_raters * np.eye(len(K))
    weights = np.linalg.solve(C, K_cross)
    variances = prior_variance - np.sum(K_cross * weights, axis=0)
    one, panel = np.sqrt(variances + noise_std**2), np.sqrt(variances + noise_std**2 / n_raters)
    return weights.T @ np.nanmean(Y, axis=1), variances, one, panel


def open_at_both_ends(means, stds, scores):
    inner = (scores[:-1] + scores[1:]) / 2
    edges = np.concatenate([[-np.inf], inner, [np.inf]])
    z = (edges - means[:, None]) / stds[:, None]
    flip = z[:, :-1] > 0
    low, high = np.where(flip, -z[:, 1:], z[:, :-1]), np.where(flip, -z[:, :-1], z[:, 1:])
    log_p = log_ndtr(high) + np.log1p(-np.exp(log_ndtr(low) - log_ndtr(high)))
    return log_p - logsumexp(log_p, axis=1, keepdims=True)


def nugget_in_each_answer(K, noise_std, nugget_std, Y):
    def at(log_nugget):
        return whole_evidence(K, np.hypot(noise_std, np.exp(log_nugget)), Y)

    middle, step = np.log(nugget_std), 1e-4
    return at(middle), (at(middle + step) - at(middle - step)) / (2 * step)


# ---------------------------------------------------------------- wrong: only in a corner


def without_spread_without_voice(Y):
    counts, means, squares = three_numbers(Y)
    speaks = squares > 0
    return counts, means, squares, np.sqrt(squares[speaks].sum() / (counts[speaks] - 1).sum())


def tail_by_the_row(means, stds, scores):
    half = (scores[1] - scores[0]) / 2
    side = np.where(means > scores[-1], 1.0, -1.0)[:, None]
    near = side * (scores + side * half - means[:, None]) / stds[:, None]
    far = side * (scores - side * half - means[:, None]) / stds[:, None]
    with np.errstate(divide="ignore"):
        log_p = log_ndtr(near) + np.log1p(-np.exp(log_ndtr(far) - log_ndtr(near)))
    return log_p - logsumexp(log_p, axis=1, keepdims=True)


def prior_where_he_is_alone(K, noise_std, Y):
    scores, _ = left_out(K, noise_std, Y, lonely=True)
    return scores, int(scores.argmin())


def lowest_sum(K, noise_std, Y):
    scores, sums = left_out(K, noise_std, Y, lonely=False)
    return scores, int(sums.argmin())


WRONG = [
    ("pooled_spread", "variance times the number of columns, holes included", variance_times_columns),
    ("pooled_spread", "items whose answers are equal are left out of the divisor", without_spread_without_voice),
    ("joint_evidence", "plus half of log R in the factor, in place of minus", sign_of_log_counts),
    ("joint_evidence", "the average number of answers for every item in C", as_many_for_each),
    ("predict_answers", "σ not squared in both spreads of answers", noise_not_squared),
    ("predict_answers", "the size of the new panel in the noise of the old means", new_panel_in_the_old_noise),
    ("log_shares", "the outermost bins go on for ever", open_at_both_ends),
    ("log_shares", "one tail for the row: fails for a sure mean inside the scale, on its other side", tail_by_the_row),
    ("nugget_evidence", "the sum of all elements of the inverse, not its trace", sum_for_a_trace),
    ("nugget_evidence", "the nugget is drawn anew for each answer", nugget_in_each_answer),
    ("leave_one_rater_out", "prior mean and variance where he alone answered", prior_where_he_is_alone),
    ("leave_one_rater_out", "least predictable by the sum, so that many answers look odd", lowest_sum),
]


# ---------------------------------------------------------------- right


def all_pairs_of_answers(Y):
    """Squared deviations are the squared differences of all pairs, divided by R."""
    counts, means, squares = [], [], []
    for row in Y:
        answers = row[~np.isnan(row)]
        counts.append(len(answers))
        means.append(answers[0] + np.mean(answers - answers[0]))
        squares.append(np.sum(np.subtract.outer(answers, answers) ** 2) / (2 * len(answers)))
    counts, squares = np.array(counts), np.array(squares)
    return counts, np.array(means), squares, np.sqrt(squares.sum() / (counts.sum() - len(counts)))


def item_after_item(K, noise_std, Y):
    """Chain rule: predict the mean of an item, learn from it, go on; no matrix is inverted."""
    covariance, expected, total = np.array(K, dtype=float), np.zeros(len(K)), 0.0
    for i, row in enumerate(Y):
        answers = row[~np.isnan(row)]
        R, average = answers.size, answers.mean()
        total -= 0.5 * ((R - 1) * np.log(2 * np.pi * noise_std**2) + np.log(R))
        total -= 0.5 * np.sum((answers - average) ** 2) / noise_std**2
        variance, surprise = covariance[i, i] + noise_std**2 / R, average - expected[i]
        total -= 0.5 * (np.log(2 * np.pi * variance) + surprise**2 / variance)
        gain = covariance[:, i] / variance
        expected = expected + gain * surprise
        covariance = covariance - variance * np.outer(gain, gain)
    return total


def scaled_tails(means, stds, scores):
    """Bins beyond the mean by the scaled complementary error function, the others by Φ."""
    scores = np.asarray(scores, dtype=float)
    half = (scores[1] - scores[0]) / 2
    middle = np.abs(scores - np.asarray(means)[:, None])
    s = np.asarray(stds)[:, None]
    a, b = (middle - half) / s, (middle + half) / s
    beyond = a > 0
    a_out, b_out = np.where(beyond, a, 1.0), np.where(beyond, b, 2.0)
    drop = np.exp(-(b_out - a_out) * (b_out + a_out) / 2)
    tails = -(a_out**2) / 2 + np.log((erfcx(a_out / np.sqrt(2)) - drop * erfcx(b_out / np.sqrt(2))) / 2)
    inside = np.log(np.where(beyond, 1.0, ndtr(b) - ndtr(a)))
    log_p = np.where(beyond, tails, inside)
    return log_p - logsumexp(log_p, axis=1, keepdims=True)


def all_answers_in_one_inverse(K, noise_std, Y):
    """The precision matrix of all answers; the block of a rater holds his prediction from the others."""
    items, raters = np.nonzero(~np.isnan(Y))
    precision = np.linalg.inv(K[np.ix_(items, items)] + noise_std**2 * np.eye(len(items)))
    pull = precision @ Y[items, raters]
    scores = []
    for r in range(Y.shape[1]):
        own = np.flatnonzero(raters == r)
        block = np.linalg.inv(precision[np.ix_(own, own)])
        errors, variances = block @ pull[own], np.diag(block)
        scores.append(-0.5 * np.mean(np.log(2 * np.pi * variances) + errors**2 / variances))
    return np.array(scores), int(np.argmin(scores))


RIGHT = [
    ("pooled_spread", "squared differences of all pairs of answers", all_pairs_of_answers),
    ("joint_evidence", "one item after the other, without a matrix inverse", item_after_item),
    ("log_shares", "the scaled complementary error function", scaled_tails),
    ("leave_one_rater_out", "one inverse over all answers, a block for each rater", all_answers_in_one_inverse),
]
