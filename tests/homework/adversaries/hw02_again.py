"""Answers to homework 02 by somebody who had only the exercise."""

import numpy as np
from scipy.linalg import solve_triangular

LOG_2PI = np.log(2 * np.pi)


def log_normal(frames, mean, covariance):
    """Log density of each row."""
    deviations = frames - mean
    distances = np.sum(deviations * np.linalg.solve(covariance, deviations.T).T, axis=1)
    return -0.5 * (len(mean) * LOG_2PI + np.linalg.slogdet(covariance)[1] + distances)


# ---------------------------------------------------------------- wrong: slips of the hand


def weights_on_both_sides(frames, weights):
    mean = weights @ frames / weights.sum()
    weighted = (frames - mean) * weights[:, None]
    return mean, weighted.T @ weighted / weights.sum()


def determinant_without_half(frame, mean, covariance):
    known = ~np.isnan(frame)
    block = covariance[np.ix_(known, known)]
    deviation = frame[known] - mean[known]
    distance = deviation @ np.linalg.solve(block, deviation)
    return -0.5 * distance - 0.5 * known.sum() * LOG_2PI - np.linalg.slogdet(block)[1]


def mean_of_the_first_features(mean, covariance, known, values):
    known = np.asarray(known, dtype=int)
    unknown = np.setdiff1d(np.arange(len(mean)), known)
    gain = np.linalg.solve(covariance[np.ix_(known, known)], covariance[np.ix_(known, unknown)]).T
    new_mean = mean[unknown] + gain @ (values - mean[: len(known)])
    return new_mean, covariance[np.ix_(unknown, unknown)] - gain @ covariance[np.ix_(known, unknown)]


def determinant_once_per_utterance(utterances, means, covariances, priors):
    answers = []
    for utterance in utterances:
        scores = []
        for mean, covariance, prior in zip(means, covariances, priors, strict=False):
            deviations = utterance - mean
            distance = np.sum(deviations @ np.linalg.inv(covariance) * deviations)
            scores.append(np.log(prior) - 0.5 * (distance + np.linalg.slogdet(covariance)[1]))
        answers.append(int(np.argmax(scores)))
    return answers


# ---------------------------------------------------------------- wrong: misread


def squares_around_any_mean(n, mean, covariance, frame):
    new_mean = mean + (frame - mean) / (n + 1)
    deviation = frame - new_mean
    return n + 1, new_mean, (n * covariance + np.outer(deviation, deviation)) / (n + 1)


def towards_the_diagonal(frames, development, grid):
    mean = frames.mean(axis=0)
    covariance = np.cov(frames, rowvar=False, bias=True)
    target = np.diag(np.diag(covariance))
    scores = [log_normal(development, mean, (1 - lam) * covariance + lam * target).mean() for lam in grid]
    return grid[int(np.argmax(scores))], max(scores)


def variance_of_all_numbers(frames, development, grid):
    mean = frames.mean(axis=0)
    covariance = np.cov(frames, rowvar=False, bias=True)
    ball = np.var(frames) * np.eye(len(mean))
    scores = [log_normal(development, mean, (1 - lam) * covariance + lam * ball).mean() for lam in grid]
    return grid[int(np.argmax(scores))], max(scores)


def mean_over_the_utterance(utterances, means, covariances, priors):
    answers = []
    for utterance in utterances:
        scores = [
            log_normal(utterance, m, c).mean() + np.log(p) for m, c, p in zip(means, covariances, priors, strict=False)
        ]
        answers.append(np.argmax(scores))
    return np.array(answers)


# ---------------------------------------------------------------- wrong: only in a corner


def at_least_one_frame(frames, weights):
    total = max(weights.sum(), 1.0)
    mean = weights @ frames / weights.sum()
    deviations = frames - mean
    return mean, (weights * deviations.T) @ deviations / total


def a_little_on_the_diagonal(frame, mean, covariance):
    known = np.flatnonzero(~np.isnan(frame))
    if len(known) == 0:
        return 0.0
    block = covariance[np.ix_(known, known)] + 1e-9 * np.eye(len(known))
    return float(log_normal(frame[None, known], mean[known], block)[0])


def two_frames_have_no_spread(n, mean, covariance, frame):
    step = frame - mean
    new_mean = mean + step / (n + 1)
    if n <= 1:
        return n + 1, new_mean, np.zeros_like(covariance)
    return n + 1, new_mean, n / (n + 1) * (covariance + np.outer(step, step) / (n + 1))


def feature_zero_is_nothing(mean, covariance, known, values):
    known = np.asarray(known, dtype=int)
    if not known.any():
        return mean, covariance
    unknown = np.setdiff1d(np.arange(len(mean)), known)
    cross = covariance[np.ix_(unknown, known)]
    inverse = np.linalg.inv(covariance[np.ix_(known, known)])
    new_mean = mean[unknown] + cross @ inverse @ (values - mean[known])
    return new_mean, covariance[np.ix_(unknown, unknown)] - cross @ inverse @ cross.T


WRONG = [
    ("weighted_gaussian", "the weight stands on both sides of the product and is squared", weights_on_both_sides),
    ("weighted_gaussian", "guards the divisor: weights that sum to less than 1 count as 1", at_least_one_frame),
    ("log_density_of_known", "the log determinant has lost its half", determinant_without_half),
    ("log_density_of_known", "adds 1e-9 to the diagonal: wrong in small units", a_little_on_the_diagonal),
    ("add_frame", "the squares around the old mean are taken for those around the new one", squares_around_any_mean),
    ("add_frame", "off by one: also the covariance of two frames is zero", two_frames_have_no_spread),
    ("predict_unknown", "subtracts the mean of the first K features, not of the known", mean_of_the_first_features),
    ("predict_unknown", "known.any() is false for feature 0 alone, taken for nothing known", feature_zero_is_nothing),
    ("choose_shrinkage", "shrinks towards the diagonal of the covariance, not a ball", towards_the_diagonal),
    (
        "choose_shrinkage",
        "v is the variance of all numbers in the table, not the mean of the features' variances",
        variance_of_all_numbers,
    ),
    ("who_speaks", "the log determinant is subtracted once, not once for each frame", determinant_once_per_utterance),
    ("who_speaks", "the mean log density of the frames, so the prior weighs T times as much", mean_over_the_utterance),
]


# ---------------------------------------------------------------- right


def one_weight_after_the_other(frames, weights):
    """Running mean and sum of products."""
    total, mean, squares = 0.0, np.zeros(frames.shape[1]), np.zeros((frames.shape[1],) * 2)
    for frame, weight in zip(frames, weights, strict=False):
        if weight == 0:
            continue
        total = total + weight
        step = frame - mean
        mean = mean + step * (weight / total)
        squares = squares + weight * np.outer(step, frame - mean)
    covariance = squares / total
    return mean, (covariance + covariance.T) / 2


def feature_by_feature(frame, mean, covariance):
    """Chain rule: take the first known feature, condition the rest on it, and go on."""
    known = np.flatnonzero(~np.isnan(frame))
    if known.size == 0:
        return 0.0
    first, rest = known[0], known[1:]
    variance, error = covariance[first, first], frame[first] - mean[first]
    own = -0.5 * (LOG_2PI + np.log(variance) + error * error / variance)
    gain = covariance[rest, first] / variance
    left = covariance[np.ix_(rest, rest)] - np.outer(gain, covariance[first, rest])
    return float(own + feature_by_feature(frame[rest], mean[rest] + gain * error, left))


def turned_axes(frames, development, grid):
    """In the axes of the singular vectors every candidate is diagonal."""
    mean = frames.mean(axis=0)
    _, singular, axes = np.linalg.svd(frames - mean, full_matrices=True)
    variances = np.zeros(frames.shape[1])
    variances[: len(singular)] = singular**2 / len(frames)
    squares = np.mean(((development - mean) @ axes.T) ** 2, axis=0)
    lam = np.asarray(grid, dtype=float)[:, None]
    spectra = (1 - lam) * variances + lam * variances.mean()
    scores = -0.5 * np.sum(LOG_2PI + np.log(spectra) + squares / spectra, axis=1)
    best = scores.argmax()
    return grid[best], scores[best]


def all_frames_at_once(utterances, means, covariances, priors):
    """White all frames for all speakers, and sum them in pieces."""
    frames = np.concatenate(utterances)
    begins = np.cumsum([0] + [len(utterance) for utterance in utterances[:-1]])
    columns = []
    for mean, covariance in zip(means, covariances, strict=False):
        factor = np.linalg.cholesky(covariance)
        white = solve_triangular(factor, (frames - mean).T, lower=True)
        columns.append(-0.5 * (white**2).sum(axis=0) - np.log(np.diag(factor)).sum())
    sums = np.add.reduceat(np.stack(columns, axis=1), begins, axis=0)
    return (sums + np.log(priors)).argmax(axis=1)


RIGHT = [
    ("weighted_gaussian", "a running mean and a running sum of products, frame by frame", one_weight_after_the_other),
    ("log_density_of_known", "recursion over the known features by the chain rule", feature_by_feature),
    ("choose_shrinkage", "singular vectors of the frames; all candidates at once, as diagonals", turned_axes),
    ("who_speaks", "all frames in one array, whitened, summed with reduceat", all_frames_at_once),
]
