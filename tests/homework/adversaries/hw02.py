"""Answers to homework 02 by somebody who had only the exercise."""

from fractions import Fraction

import numpy as np

LOG_2PI = np.log(2 * np.pi)

# ---------------------------------------------------------------- wrong


def _log_normal(frames, mean, covariance):
    """Log densities of the rows, (T,)."""
    off = np.asarray(frames, dtype=float) - mean
    _, log_det = np.linalg.slogdet(covariance)
    squared = np.einsum("td,td->t", off, np.linalg.solve(covariance, off.T).T)
    return -0.5 * (len(mean) * LOG_2PI + log_det + squared)


def weighs_the_deviations_themselves(frames, weights):
    frames, weights = np.asarray(frames, dtype=float), np.asarray(weights, dtype=float)
    mean = weights @ frames / weights.sum()
    off = weights[:, None] * (frames - mean)
    return mean, off.T @ off / weights.sum()


def weighted_covariance_without_bias(frames, weights):
    frames, weights = np.asarray(frames, dtype=float), np.asarray(weights, dtype=float)
    mean = np.average(frames, axis=0, weights=weights)
    off = frames - mean
    total = weights.sum()
    divisor = total - (weights**2).sum() / total
    return mean, (weights[:, None] * off).T @ off / (divisor if divisor > 0 else total)


def fills_the_holes_with_the_mean(frame, mean, covariance):
    frame = np.asarray(frame, dtype=float)
    known = ~np.isnan(frame)
    if not known.any():
        return 0.0
    filled = np.where(known, frame, mean)
    off = filled - mean
    _, log_det = np.linalg.slogdet(covariance[np.ix_(known, known)])
    return float(-0.5 * (known.sum() * LOG_2PI + log_det + off @ np.linalg.solve(covariance, off)))


def jitter_on_the_diagonal(frame, mean, covariance):
    frame = np.asarray(frame, dtype=float)
    known = ~np.isnan(frame)
    block = covariance[np.ix_(known, known)] + 1e-9 * np.eye(known.sum())
    off = (frame - mean)[known]
    _, log_det = np.linalg.slogdet(block)
    return float(-0.5 * (known.sum() * LOG_2PI + log_det + off @ np.linalg.solve(block, off)))


def no_covariance_below_three_frames(n, mean, covariance, frame):
    mean, frame = np.asarray(mean, dtype=float), np.asarray(frame, dtype=float)
    if n == 0:
        return 1, frame.copy(), np.zeros_like(covariance, dtype=float)
    delta = frame - mean
    new_mean = mean + delta / (n + 1)
    if n < 2:
        return n + 1, new_mean, np.zeros_like(covariance, dtype=float)
    return n + 1, new_mean, (n * np.asarray(covariance) + np.outer(delta, frame - new_mean)) / (n + 1)


def both_deviations_from_the_new_mean(n, mean, covariance, frame):
    mean, frame = np.asarray(mean, dtype=float), np.asarray(frame, dtype=float)
    mean = mean + (frame - mean) / (n + 1)
    delta = frame - mean
    return n + 1, mean, (n * np.asarray(covariance) + np.outer(delta, delta)) / (n + 1)


def _split(mean, known):
    known = np.asarray(known, dtype=int)
    return known, np.setdiff1d(np.arange(len(mean)), known)


def each_known_feature_on_its_own(mean, covariance, known, values):
    known, unknown = _split(mean, known)
    variances = np.diag(covariance)[known]
    slopes = covariance[np.ix_(unknown, known)] / variances
    new_mean = mean[unknown] + slopes @ (np.asarray(values, dtype=float) - mean[known])
    return new_mean, covariance[np.ix_(unknown, unknown)] - slopes @ covariance[np.ix_(known, unknown)]


def only_the_variances_shrink(mean, covariance, known, values):
    known, unknown = _split(mean, known)
    gain = np.linalg.solve(covariance[np.ix_(known, known)], covariance[np.ix_(known, unknown)]).T
    new_mean = mean[unknown] + gain @ (np.asarray(values, dtype=float) - mean[known])
    new_covariance = covariance[np.ix_(unknown, unknown)].astype(float)
    new_covariance[np.diag_indices(len(unknown))] -= (gain * covariance[np.ix_(unknown, known)]).sum(axis=1)
    return new_mean, new_covariance


def _scores(frames, development, shrunken):
    """Mean log density of the development frames, for each of several covariances."""
    mean = np.mean(frames, axis=0)
    return np.array([_log_normal(development, mean, covariance).mean() for covariance in shrunken])


def shrinks_to_the_diagonal(frames, development, grid):
    frames = np.asarray(frames, dtype=float)
    off = frames - frames.mean(axis=0)
    estimate = off.T @ off / len(frames)
    scores = _scores(frames, development, [(1 - s) * estimate + s * np.diag(np.diag(estimate)) for s in grid])
    best = np.argmax(scores)
    return float(grid[best]), float(scores[best])


def goes_uphill_until_it_falls(frames, development, grid):
    frames = np.asarray(frames, dtype=float)
    off = frames - frames.mean(axis=0)
    estimate = off.T @ off / len(frames)
    ball = np.trace(estimate) / frames.shape[1] * np.eye(frames.shape[1])
    best, score = None, -np.inf
    for share in grid:
        new = _scores(frames, development, [(1 - share) * estimate + share * ball])[0]
        if new < score:
            break
        best, score = share, new
    return float(best), float(score)


def normalises_after_every_frame(utterances, means, covariances, priors):
    answers = []
    for utterance in utterances:
        belief = np.array(priors, dtype=float)
        densities = np.exp([_log_normal(utterance, m, c) for m, c in zip(means, covariances, strict=False)]).T
        for density in densities:
            joint = belief * density
            if joint.sum() > 0:
                belief = joint / joint.sum()
        answers.append(int(np.argmax(belief)))
    return answers


def scores_the_mean_frame(utterances, means, covariances, priors):
    answers = []
    for utterance in utterances:
        middle = np.mean(utterance, axis=0, keepdims=True)
        scores = [_log_normal(middle, m, c)[0] for m, c in zip(means, covariances, strict=False)]
        answers.append(int(np.argmax(len(utterance) * np.array(scores) + np.log(priors))))
    return np.array(answers)


# ---------------------------------------------------------------- right


def weighted_gaussian_from_a_triangle(frames, weights):
    """QR of the rows √w (1, x): the triangle holds Σw, the mean and a root of the covariance."""
    frames, weights = np.asarray(frames, dtype=float), np.asarray(weights, dtype=float)
    anchor = frames[np.argmax(weights)]
    rows = np.sqrt(weights)[:, None] * np.column_stack([np.ones(len(frames)), frames - anchor])
    triangle = np.linalg.qr(rows, mode="r")
    root = triangle[1:, 1:] / triangle[0, 0]
    return anchor + triangle[0, 1:] / triangle[0, 0], root.T @ root


def density_by_the_chain_rule(frame, mean, covariance):
    """The first feature, then the others given the first (recursion); a missing one is left out."""
    if len(frame) == 0:
        return 0.0
    rest_mean, rest_covariance = mean[1:], covariance[1:, 1:]
    if np.isnan(frame[0]):
        return density_by_the_chain_rule(frame[1:], rest_mean, rest_covariance)
    variance, off = covariance[0, 0], frame[0] - mean[0]
    slopes = covariance[1:, 0] / variance
    given = density_by_the_chain_rule(
        frame[1:], rest_mean + slopes * off, rest_covariance - np.outer(slopes, covariance[0, 1:])
    )
    return given - 0.5 * (LOG_2PI + np.log(variance) + off / variance * off)


def one_frame_more_in_fractions(n, mean, covariance, frame):
    """Rational arithmetic: the sums of the first n frames are rebuilt exactly, and the shortcut loses nothing."""
    n, size = int(n), len(frame)
    old, new = [Fraction(float(m)) for m in mean], [Fraction(float(f)) for f in frame]
    sums = [n * m + f for m, f in zip(old, new, strict=False)]
    updated = np.empty((size, size))
    for i in range(size):
        for j in range(size):
            products = n * (Fraction(float(covariance[i][j])) + old[i] * old[j]) + new[i] * new[j]
            updated[i, j] = float(products / (n + 1) - sums[i] * sums[j] / (n + 1) ** 2)
    return n + 1, np.array([float(s / (n + 1)) for s in sums]), updated


def shrinkage_from_singular_values(frames, development, grid):
    """One decomposition for the whole grid: a ball has the axes of every ellipse."""
    frames, grid = np.asarray(frames, dtype=float), np.asarray(grid, dtype=float)
    size = frames.shape[1]
    mean = frames.mean(axis=0)
    _, singular, axes = np.linalg.svd(frames - mean, full_matrices=True)
    eigenvalues = np.zeros(size)
    eigenvalues[: len(singular)] = singular**2 / len(frames)
    variances = np.multiply.outer(1 - grid, eigenvalues) + grid[:, None] * eigenvalues.sum() / size
    energy = (((np.asarray(development) - mean) @ axes.T) ** 2).mean(axis=0)
    scores = -0.5 * (LOG_2PI + np.log(variances) + energy / variances).sum(axis=1)
    score, share = max(zip(scores.tolist(), grid.tolist(), strict=False))
    return share, score


WRONG = [
    (
        "weighted_gaussian",
        "the deviations are multiplied by the weights before they are squared (right for weights 0 and 1)",
        weighs_the_deviations_themselves,
    ),
    (
        "weighted_gaussian",
        "the weighted covariance without bias, as for reliability weights: Σw − Σw²/Σw below the line",
        weighted_covariance_without_bias,
    ),
    (
        "log_density_of_known",
        "holes are filled with the mean, the squared distance is that of the whole frame",
        fills_the_holes_with_the_mean,
    ),
    (
        "log_density_of_known",
        "a jitter of 1e-9 against singular matrices, whatever the units are",
        jitter_on_the_diagonal,
    ),
    (
        "add_frame",
        "zero covariance is given for the second frame too (n = 1), because two are too few",
        no_covariance_below_three_frames,
    ),
    (
        "add_frame",
        "the mean is updated first, then both deviations are taken from the new one",
        both_deviations_from_the_new_mean,
    ),
    (
        "predict_unknown",
        "one regression for each known feature, all added (right if one is known)",
        each_known_feature_on_its_own,
    ),
    (
        "predict_unknown",
        "the variances shrink, the covariances of the unknown features stay (right if one is unknown)",
        only_the_variances_shrink,
    ),
    (
        "choose_shrinkage",
        "shrinks towards the diagonal of the covariance instead of a ball",
        shrinks_to_the_diagonal,
    ),
    (
        "choose_shrinkage",
        "stops as soon as the score falls, as if the grid were in order",
        goes_uphill_until_it_falls,
    ),
    (
        "who_speaks",
        "posterior after each frame from plain densities: a speaker who once had 0 never comes back",
        normalises_after_every_frame,
    ),
    (
        "who_speaks",
        "T times the log density of the mean frame (right if all covariances are the same)",
        scores_the_mean_frame,
    ),
]

RIGHT = [
    ("weighted_gaussian", "the triangle of a QR decomposition", weighted_gaussian_from_a_triangle),
    ("log_density_of_known", "the chain rule, feature after feature, by recursion", density_by_the_chain_rule),
    ("add_frame", "rational arithmetic with fractions", one_frame_more_in_fractions),
    ("choose_shrinkage", "singular values of the frames, all λ at once", shrinkage_from_singular_values),
]
