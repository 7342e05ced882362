"""Task 2, log_density_of_known(frame, mean, covariance)."""

import math

import numpy as np
from scipy.stats import multivariate_normal

LOG_2PI = np.log(2 * np.pi)


def half_log_det(d, S):
    return 0.5 * np.linalg.slogdet(S)[1]


def scaled_square(d, S):
    return d @ np.linalg.solve(S, d)


def marginal(two_pi=None, volume=half_log_det, square=scaled_square, half=0.5, out=lambda log_density: log_density):
    """An answer about the known part, with other terms: two_pi(known, all), volume(d, S), square(d, S)."""
    two_pi = two_pi or (lambda n_known, n_all: 0.5 * n_known * LOG_2PI)

    def answer(frame, mean, covariance):
        known = ~np.isnan(frame)
        d, S = (frame - mean)[known], covariance[np.ix_(known, known)]
        return out(-two_pi(len(d), len(frame)) - volume(d, S) - half * square(d, S))

    return answer


right_answer = marginal()


def whole(frame, mean, covariance):
    d = frame - mean
    return -0.5 * (len(d) * LOG_2PI + np.linalg.slogdet(covariance)[1] + d @ np.linalg.inv(covariance) @ d)


def block_of_the_inverse(frame, mean, covariance):
    known = ~np.isnan(frame)
    precision = np.linalg.inv(covariance)[np.ix_(known, known)]
    return right_answer(frame[known], mean[known], np.linalg.inv(precision))


def block_of_the_inverse_in_the_square(frame, mean, covariance):
    known = ~np.isnan(frame)
    d, precision = (frame - mean)[known], np.linalg.inv(covariance)[np.ix_(known, known)]
    _, log_det = np.linalg.slogdet(covariance[np.ix_(known, known)])
    return -0.5 * (len(d) * LOG_2PI + log_det + d @ precision @ d)


def mean_not_subtracted(frame, mean, covariance):
    return right_answer(frame, np.zeros_like(mean), covariance)


def scaled_up(frame, mean, covariance):
    known = (~np.isnan(frame)).mean()
    return right_answer(frame, mean, covariance) / known if known else 0.0


def lost_frame_says_nothing(frame, mean, covariance):
    return 0.0 if np.isnan(frame).any() else right_answer(frame, mean, covariance)


def nothing_known_is_impossible(frame, mean, covariance):
    return -np.inf if np.isnan(frame).all() else right_answer(frame, mean, covariance)


def by_the_density(frame, mean, covariance):
    with np.errstate(divide="ignore"):
        return marginal(out=lambda log_density: np.log(np.exp(log_density)))(frame, mean, covariance)


def log_of_det(d, S):
    with np.errstate(divide="ignore"):
        return 0.5 * np.log(np.linalg.det(S))


def entries_for_a_block(frame, mean, covariance):
    known = ~np.isnan(frame)
    d = (frame - mean)[known]
    return -0.5 * (len(d) * LOG_2PI + scaled_square(d, covariance[known, known]))


def overwrites(frame, mean, covariance):
    answer = right_answer(frame, mean, covariance)
    frame[np.isnan(frame)] = 0
    return answer


MISTAKES = {
    "mean for NaN": lambda x, mean, S: whole(np.where(np.isnan(x), mean, x), mean, S),
    "zero for NaN": lambda x, mean, S: whole(np.nan_to_num(x), mean, S),
    "block of the inverse": block_of_the_inverse,
    "block of the inverse in the square": block_of_the_inverse_in_the_square,
    "frame thrown away": lost_frame_says_nothing,
    "2π for all features": marginal(lambda n_known, n_all: 0.5 * n_all * LOG_2PI),
    "2π once": marginal(lambda n_known, n_all: 0.5 * LOG_2PI),
    "2π not rooted": marginal(lambda n_known, n_all: n_known * LOG_2PI),
    "without 2π": marginal(lambda n_known, n_all: 0.0),
    "log det not halved": marginal(volume=lambda d, S: np.linalg.slogdet(S)[1]),
    "log det added": marginal(volume=lambda d, S: -half_log_det(d, S)),
    "log det forgotten": marginal(volume=lambda d, S: 0.0),
    "det, no log": marginal(volume=lambda d, S: 0.5 * np.linalg.det(S)),
    "covariance not inverted": marginal(square=lambda d, S: d @ S @ d),
    "plain squares": marginal(square=lambda d, S: d @ d),
    "correlations ignored": marginal(
        volume=lambda d, S: 0.5 * np.log(np.diag(S)).sum(),
        square=lambda d, S: (d**2 / np.diag(S)).sum(),
    ),
    "square not halved": marginal(half=1.0),
    "square added": marginal(half=-0.5),
    "root of the square": marginal(square=lambda d, S: np.sqrt(scaled_square(d, S))),
    "density, no log": marginal(out=np.exp),
    "log10": marginal(out=lambda log_density: log_density / np.log(10)),
    "mean not subtracted": mean_not_subtracted,
    "scaled up": scaled_up,
    "nothing known is impossible": nothing_known_is_impossible,
    "through the density": by_the_density,
    "log of the determinant": marginal(volume=log_of_det),
}

RULE_MISTAKES = {
    "poisoned": (whole, "What is NaN + 1?"),
    "compares with NaN": (
        lambda x, mean, S: whole(x[x != np.nan], mean[x != np.nan], S[x != np.nan][:, x != np.nan]),
        "What is NaN + 1?",
    ),
    "minus the log": (marginal(out=lambda log_density: -log_density), "Is it a cost or a log density?"),
    "through the density, math": (
        marginal(out=lambda log_density: math.log(math.exp(log_density))),
        "How small is exp(−5000)?",
    ),
    "entries for a block": (entries_for_a_block, "What shape has covariance[known, known]?"),
    "changes its input": (overwrites, "Work on a copy"),
}


def cholesky(frame, mean, covariance):
    known = np.flatnonzero(~np.isnan(frame))
    if known.size == 0:
        return 0
    lower = np.linalg.cholesky(covariance[known][:, known])
    whitened = np.linalg.solve(lower, frame[known] - mean[known])
    return -0.5 * known.size * LOG_2PI - np.log(np.diag(lower)).sum() - 0.5 * (whitened**2).sum()


def scipys(frame, mean, covariance):
    known = np.isfinite(frame)
    if not known.any():
        return 0.0
    return multivariate_normal.logpdf(frame[known], mean[known], covariance[known][:, known])


def feature_after_feature(frame, mean, covariance):
    """Another algorithm: the chain rule, one known feature at a time given those before it."""
    total, mean, covariance = 0.0, mean.copy(), covariance.copy()
    for i in np.flatnonzero(~np.isnan(frame)):
        total -= 0.5 * (np.log(2 * np.pi * covariance[i, i]) + (frame[i] - mean[i]) ** 2 / covariance[i, i])
        gain = covariance[:, i] / covariance[i, i]
        mean = mean + gain * (frame[i] - mean[i])
        covariance = covariance - np.outer(gain, covariance[i])
    return total


def inverse_of_the_block(frame, mean, covariance):
    rows = [i for i, value in enumerate(frame) if value == value]
    block = np.array([[covariance[i, j] for j in rows] for i in rows]).reshape(len(rows), len(rows))
    d = np.array([frame[i] - mean[i] for i in rows])
    return -0.5 * (len(rows) * LOG_2PI + np.linalg.slogdet(block)[1] + d @ np.linalg.inv(block) @ d)


RIGHT = {
    "slogdet and solve": right_answer,
    "Cholesky": cholesky,
    "scipy": scipys,
    "feature after feature": feature_after_feature,
    "inverse of the block, lists": inverse_of_the_block,
}
