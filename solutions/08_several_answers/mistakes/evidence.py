"""Task 2, joint_evidence(K, noise_std, Y)."""

import numpy as np

from . import models
from .models import LOG_2PI


def joint(
    covariance=lambda K, s, R, Y: K + np.diag(s**2 / R),
    mean=models.means,
    of_means=lambda square, log_det, n: -0.5 * (square + log_det + n * LOG_2PI),
    of_noise=lambda s, R: -0.5 * (R - 1) * np.log(2 * np.pi * s**2),
    of_counts=lambda R: -0.5 * np.log(R),
    of_spread=lambda s, SS, R: -0.5 * SS / s**2,
):
    """An answer with another part; the last three have one number for each item."""

    def answer(K, noise_std, Y):
        R, y = models.counts(Y), mean(Y)
        C = covariance(K, noise_std, R, Y)
        means = of_means(y @ np.linalg.solve(C, y), np.linalg.slogdet(C)[1], len(y))
        parts = of_noise(noise_std, R) + of_counts(R) + of_spread(noise_std, models.squares(Y), R)
        return float(means + np.sum(parts))

    return answer


right_answer = joint()


def complete_items(K, noise_std, Y):
    kept = ~np.isnan(Y).any(axis=1)
    return right_answer(K[np.ix_(kept, kept)], noise_std, Y[kept])


def complete_raters(K, noise_std, Y):
    return right_answer(K, noise_std, Y[:, ~np.isnan(Y).any(axis=0)])


def zeros_for_the_missing(K, noise_std, Y):
    return right_answer(K, noise_std, np.nan_to_num(Y))


def means_for_the_missing(K, noise_std, Y):
    return right_answer(K, noise_std, np.where(np.isnan(Y), models.means(Y)[:, None], Y))


def a_curve_for_each_rater(K, noise_std, Y):
    total = 0.0
    for column in Y.T:
        kept = ~np.isnan(column)
        C = K[np.ix_(kept, kept)] + noise_std**2 * np.eye(kept.sum())
        total += models.log_density(column[kept], C)
    return total


def average_only(K, noise_std, Y):
    return models.log_density(models.means(Y), models.averaged(K, noise_std, Y))


def average_with_the_noise_of_one(K, noise_std, Y):
    return models.log_density(models.means(Y), K + noise_std**2 * np.eye(len(K)))


def equation_4_with_all_columns(K, noise_std, Y):
    """The paper's formula, which has one R for all items."""
    full = np.full(len(K), Y.shape[1])
    parts = joint(lambda K, s, R, Y: K + np.diag(s**2 / full), of_noise=lambda s, R: 0 * R, of_counts=lambda R: 0 * R)
    of_noise = -0.5 * (full - 1) * np.log(2 * np.pi * noise_std**2) - 0.5 * np.log(full)
    return parts(K, noise_std, Y) + float(of_noise.sum())


MISTAKES = {
    "σ²/R with all columns": joint(lambda K, s, R, Y: K + np.diag(np.full(len(K), s**2 / Y.shape[1]))),
    "(R − 1) with all columns": joint(
        of_noise=lambda s, R: np.full(len(R), -0.5 * (R.max() - 1) * np.log(2 * np.pi * s**2))
    ),
    "equation 4 with all columns": equation_4_with_all_columns,
    "σ² of one answer": joint(lambda K, s, R, Y: K + s**2 * np.eye(len(K))),
    "σ² times R": joint(lambda K, s, R, Y: K + np.diag(s**2 * R)),
    "σ²/√R": joint(lambda K, s, R, Y: K + np.diag(s**2 / np.sqrt(R))),
    "(σ/R)²": joint(lambda K, s, R, Y: K + np.diag((s / R) ** 2)),
    "σ/R": joint(lambda K, s, R, Y: K + np.diag(s / R)),
    "σ/√R": joint(lambda K, s, R, Y: K + np.diag(s / np.sqrt(R))),
    "σ for σ² everywhere": lambda K, s, Y: right_answer(K, np.sqrt(s), Y),
    "noise in every entry": joint(lambda K, s, R, Y: K + s**2 / R),
    "no noise": joint(lambda K, s, R, Y: K + 1e-9 * np.eye(len(K))),
    "average only": average_only,
    "average with the noise of one": average_with_the_noise_of_one,
    "no squares": joint(of_spread=lambda s, SS, R: 0 * SS),
    "squares not halved": joint(of_spread=lambda s, SS, R: -SS / s**2),
    "squares over σ": joint(of_spread=lambda s, SS, R: -0.5 * SS / s),
    "squares over σ²/R": joint(of_spread=lambda s, SS, R: -0.5 * SS * R / s**2),
    "squares divided by R": joint(of_spread=lambda s, SS, R: -0.5 * SS / R / s**2),
    "squares added": joint(of_spread=lambda s, SS, R: 0.5 * SS / s**2),
    "no constant": joint(of_noise=lambda s, R: 0.0, of_counts=lambda R: 0.0),
    "no power of σ": joint(of_noise=lambda s, R: 0.0),
    "R for R − 1": joint(of_noise=lambda s, R: -0.5 * R * np.log(2 * np.pi * s**2)),
    "R − 2": joint(of_noise=lambda s, R: -0.5 * (R - 2) * np.log(2 * np.pi * s**2)),
    "no 2π": joint(of_noise=lambda s, R: -0.5 * (R - 1) * np.log(s**2)),
    "2πσ": joint(of_noise=lambda s, R: -0.5 * (R - 1) * np.log(2 * np.pi * s)),
    "not halved": joint(of_noise=lambda s, R: -(R - 1) * np.log(2 * np.pi * s**2)),
    "no log R": joint(of_counts=lambda R: 0.0),
    "log R not halved": joint(of_counts=lambda R: -np.log(R)),
    "log R added": joint(of_counts=lambda R: 0.5 * np.log(R)),
    "square not halved": joint(of_means=lambda q, d, n: -q - 0.5 * (d + n * LOG_2PI)),
    "log det not halved": joint(of_means=lambda q, d, n: -d - 0.5 * (q + n * LOG_2PI)),
    "log det halved twice": joint(of_means=lambda q, d, n: -d / 4 - 0.5 * (q + n * LOG_2PI)),
    "sign of log det": joint(of_means=lambda q, d, n: -0.5 * (q - d + n * LOG_2PI)),
    "no log det": joint(of_means=lambda q, d, n: -0.5 * (q + n * LOG_2PI)),
    "no 2π of the means": joint(of_means=lambda q, d, n: -0.5 * (q + d)),
    "NaN as 0 in the mean": joint(mean=models.means_with_zeros),
    "NaN as 0": zeros_for_the_missing,
    "means for the missing": means_for_the_missing,
    "complete items only": complete_items,
    "complete raters only": complete_raters,
    "sums for means": joint(mean=lambda Y: np.nansum(Y, axis=1)),
    "a curve for each rater": a_curve_for_each_rater,
    "cost": lambda *given: -right_answer(*given),
    "density": lambda *given: np.exp(right_answer(*given)),
    "for one answer": lambda K, s, Y: right_answer(K, s, Y) / np.count_nonzero(~np.isnan(Y)),
}

RULE_MISTAKES = {
    "NaN everywhere": (joint(mean=lambda Y: Y.mean(axis=1)), "NaN is not a number"),
    "jitter": (joint(lambda K, s, R, Y: K + np.diag(s**2 / R) + 1e-6 * np.eye(len(K))), "what is jitter for?"),
}


def all_answers(K, noise_std, Y):
    y, _, C = models.dense(K, noise_std, Y)
    return models.log_density(y, C)


def cholesky(K, noise_std, Y):
    given = ~np.isnan(Y)
    R = given.sum(axis=1)
    y = np.nanmean(Y, axis=1)
    lower = np.linalg.cholesky(K + np.diag(noise_std**2 / R))
    white = np.linalg.solve(lower, y)
    apart = (Y - y[:, None])[given] / noise_std
    total = -white @ white / 2 - np.log(np.diag(lower)).sum() - apart @ apart / 2 - np.log(R).sum() / 2
    return total - given.sum() * LOG_2PI / 2 - (R - 1).sum() * np.log(noise_std)


def by_integration_over_the_items(K, noise_std, Y):
    """log p(Y | z) + log p(z) − log p(z | Y), at any z: here at z = 0, with a prior that may be singular."""
    R, y = models.counts(Y), np.nansum(Y, axis=1) / noise_std**2
    precision = R / noise_std**2
    V = K @ np.linalg.inv(np.eye(len(K)) + precision[:, None] * K)
    at_zero = -0.5 * np.nansum(Y**2) / noise_std**2 - 0.5 * R.sum() * np.log(2 * np.pi * noise_std**2)
    return at_zero + 0.5 * y @ V @ y - 0.5 * np.linalg.slogdet(np.eye(len(K)) + precision[:, None] * K)[1]


def a_rater_more(K, noise_std, Y):
    return models.one_after_the_other(K, noise_std, Y)[2]


def eigenvectors(K, noise_std, Y):
    """In units in which every mean has the same noise."""
    weight = np.sqrt(models.counts(Y))
    values, vectors = np.linalg.eigh(weight[:, None] * K * weight)
    turned = vectors.T @ (weight * models.means(Y))
    spreads = np.maximum(values, 0) + noise_std**2
    of_means = -0.5 * (turned**2 / spreads + np.log(2 * np.pi * spreads)).sum() + np.log(weight).sum()
    return of_means + models.apart(noise_std, Y)


RIGHT = {
    "parts": right_answer,
    "all answers": all_answers,
    "Cholesky": cholesky,
    "at z = 0": by_integration_over_the_items,
    "one after the other": a_rater_more,
    "eigenvectors": eigenvectors,
}
