"""What several modules of this bank need: tables of answers in three numbers an item, and Gaussian log densities."""

import numpy as np

LOG_2PI = np.log(2 * np.pi)


def counts(Y):
    """How many answers each item has."""
    return (~np.isnan(Y)).sum(axis=1)


def means(Y):
    """(n,) mean answers; each item has one answer at least."""
    return np.nansum(Y, axis=1) / counts(Y)


def squares(Y):
    """(n,) sums of the squared deviations from the item's mean."""
    return np.nansum((Y - means(Y)[:, None]) ** 2, axis=1)


def means_with_zeros(Y):
    """The mistake that takes an answer that is missing for a 0."""
    return np.nan_to_num(Y).mean(axis=1)


def averaged(K, noise_std, Y):
    """Covariance of the items' mean answers."""
    return K + np.diag(noise_std**2 / counts(Y))


def dense(K, noise_std, Y):
    """All answers in one long vector, their items, and their covariance: the definition, without any thought."""
    items, raters = np.nonzero(~np.isnan(Y))
    return Y[items, raters], items, K[np.ix_(items, items)] + noise_std**2 * np.eye(len(items))


def log_density(y, C):
    """log N(y | 0, C)."""
    return float(-0.5 * (y @ np.linalg.solve(C, y) + np.linalg.slogdet(C)[1] + len(y) * LOG_2PI))


def apart(noise_std, Y):
    """What the spread round the items' means adds to the log evidence of the means."""
    R = counts(Y)
    of_noise = -0.5 * (R - 1) * np.log(2 * np.pi * noise_std**2)
    return float((of_noise - 0.5 * np.log(R) - 0.5 * squares(Y) / noise_std**2).sum())


def one_after_the_other(K, noise_std, Y):
    """Learns one answer at a time: mean and covariance of the items in the end, and the log evidence on the way."""
    mean, covariance, evidence = np.zeros(len(K)), K.copy(), 0.0
    for i, r in zip(*np.nonzero(~np.isnan(Y)), strict=True):
        spread, surprise = covariance[i, i] + noise_std**2, Y[i, r] - mean[i]
        evidence += -0.5 * (surprise**2 / spread + np.log(spread) + LOG_2PI)
        gain = covariance[:, i] / spread
        mean, covariance = mean + gain * surprise, covariance - np.outer(gain, covariance[i])
    return mean, covariance, evidence


def permuted(*order):
    """Makes, of an answer of several parts, one with these parts in this order."""
    return lambda answer: lambda *given: tuple(answer(*given)[i] for i in order)
