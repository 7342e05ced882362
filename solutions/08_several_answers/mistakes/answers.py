"""Task 3, predict_answers(K, noise_std, Y, K_cross, prior_variance, n_raters)."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from . import models


def predicting(
    covariance=models.averaged,
    average=models.means,
    mean=lambda C, y, K_cross: K_cross.T @ np.linalg.solve(C, y),
    variance=lambda prior, explained, noise_std: prior - explained,
    one=lambda v, s: np.sqrt(v + s**2),
    panel=lambda v, s, R: np.sqrt(v + s**2 / R),
):
    """An answer with another part; v is the variance of z."""

    def answer(K, noise_std, Y, K_cross, prior_variance, n_raters):
        C = covariance(K, noise_std, Y)
        explained = (K_cross * np.linalg.solve(C, K_cross)).sum(axis=0)
        v = variance(prior_variance, explained, noise_std)
        with np.errstate(invalid="ignore"):
            spreads = one(v, noise_std), panel(v, noise_std, n_raters)
        return mean(C, average(Y), K_cross), v, *spreads

    return answer


right_answer = predicting()


def half_solved(C, y, K_cross):
    return K_cross.T @ np.linalg.solve(np.linalg.cholesky(C), y)


def all_columns(K, noise_std, Y):
    return K + noise_std**2 / Y.shape[1] * np.eye(len(K))


def new_panel_for_the_old(K, noise_std, Y, K_cross, prior_variance, n_raters):
    """The size of the panel that is predicted, where the numbers of those who answered belong."""
    same = predicting(lambda K, s, Y: K + s**2 / n_raters * np.eye(len(K)))
    return same(K, noise_std, Y, K_cross, prior_variance, n_raters)


def old_panel_for_the_new(K, noise_std, Y, K_cross, prior_variance, n_raters):
    return right_answer(K, noise_std, Y, K_cross, prior_variance, Y.shape[1])


def prior_of_the_first(K, noise_std, Y, K_cross, prior_variance, n_raters):
    return right_answer(K, noise_std, Y, K_cross, np.full(len(prior_variance), K[0, 0]), n_raters)


def matrix_of_variances(K, noise_std, Y, K_cross, prior_variance, n_raters):
    mean = right_answer(K, noise_std, Y, K_cross, prior_variance, n_raters)[0]
    v = np.abs(prior_variance - K_cross.T @ np.linalg.solve(models.averaged(K, noise_std, Y), K_cross))
    return mean, v, np.sqrt(v + noise_std**2), np.sqrt(v + noise_std**2 / n_raters)


def missing_as_zeros(K, noise_std, Y, *others):
    return right_answer(K, noise_std, np.nan_to_num(Y), *others)


MISTAKES = {
    "σ² of one answer": predicting(lambda K, s, Y: K + s**2 * np.eye(len(K))),
    "σ² times R": predicting(lambda K, s, Y: K + np.diag(s**2 * models.counts(Y))),
    "no noise": predicting(lambda K, s, Y: K + 1e-9 * np.eye(len(K))),
    "σ²/R with all columns": predicting(all_columns),
    "σ²/R*": new_panel_for_the_old,
    "σ/R": predicting(lambda K, s, Y: K + np.diag(s / models.counts(Y))),
    "σ/√R": predicting(lambda K, s, Y: K + np.diag(s / np.sqrt(models.counts(Y)))),
    "noise in every entry": predicting(lambda K, s, Y: K + s**2 / models.counts(Y)),
    "one rater with σ²/R*": lambda *given: (*right_answer(*given)[:2], *[right_answer(*given)[3]] * 2),
    "one rater without noise": predicting(one=lambda v, s: np.sqrt(v)),
    "both without noise": predicting(one=lambda v, s: np.sqrt(v), panel=lambda v, s, R: np.sqrt(v)),
    "noise only": predicting(one=lambda v, s: 0 * v + s, panel=lambda v, s, R: 0 * v + s / np.sqrt(R)),
    "panel: noise only": predicting(panel=lambda v, s, R: 0 * v + s / np.sqrt(R)),
    "panel: all divided by R*": predicting(panel=lambda v, s, R: np.sqrt((v + s**2) / R)),
    "panel: all std divided by R*": predicting(panel=lambda v, s, R: np.sqrt(v + s**2) / R),
    "panel: σ² of one answer": predicting(panel=lambda v, s, R: np.sqrt(v + s**2)),
    "panel: no noise": predicting(panel=lambda v, s, R: np.sqrt(v)),
    "panel: σ²/R*²": predicting(panel=lambda v, s, R: np.sqrt(v + (s / R) ** 2)),
    "panel: as many as before": old_panel_for_the_new,
    "σ added to the std": predicting(
        one=lambda v, s: np.sqrt(v) + s, panel=lambda v, s, R: np.sqrt(v) + s / np.sqrt(R)
    ),
    "σ added to the variance": predicting(one=lambda v, s: np.sqrt(v + s), panel=lambda v, s, R: np.sqrt(v + s / R)),
    "variances of the answers": predicting(one=lambda v, s: v + s**2, panel=lambda v, s, R: v + s**2 / R),
    "std of z": predicting(
        variance=lambda prior, explained, s: np.sqrt(prior - explained),
        one=lambda v, s: np.hypot(v, s),
        panel=lambda v, s, R: np.hypot(v, s / np.sqrt(R)),
    ),
    "plus sign": predicting(variance=lambda prior, explained, s: prior + explained),
    "prior variance": predicting(variance=lambda prior, explained, s: prior),
    "what is explained": predicting(variance=lambda prior, explained, s: explained),
    "noise in the variance of z": predicting(variance=lambda prior, explained, s: prior - explained + s**2),
    "variance of an answer for that of z": predicting(
        variance=lambda prior, explained, s: prior - explained + s**2,
        one=lambda v, s: np.sqrt(v),
        panel=lambda v, s, R: np.sqrt(v - s**2 + s**2 / R),
    ),
    "prior variance of the first item": prior_of_the_first,
    "NaN as 0": missing_as_zeros,
    "NaN as 0 in the mean": predicting(average=models.means_with_zeros),
    "sums for means": predicting(average=lambda Y: np.nansum(Y, axis=1)),
    "no inverse": predicting(mean=lambda C, y, K_cross: K_cross.T @ y),
    "half solved": predicting(mean=half_solved),
    "variance first": models.permuted(1, 0, 2, 3)(right_answer),
    "panel before the rater": models.permuted(0, 1, 3, 2)(right_answer),
}

RULE_MISTAKES = {
    "a matrix for the variances": (matrix_of_variances, "It has the shape"),
    "jitter": (
        predicting(lambda K, s, Y: models.averaged(K, s, Y) + 1e-6 * np.eye(len(K))),
        "what is jitter for?",
    ),
    "std of z only": (lambda *given: right_answer(*given)[:2], "4 values are needed"),
}


def all_answers(K, noise_std, Y, K_cross, prior_variance, n_raters):
    """Without averages: one row for every answer."""
    y, items, C = models.dense(K, noise_std, Y)
    factor, k = cho_factor(C), K_cross[items]
    v = prior_variance - np.einsum("im,im->m", k, cho_solve(factor, k))
    return (
        (k.T @ cho_solve(factor, y)).tolist(),
        v.tolist(),
        np.sqrt(v + noise_std**2),
        np.hypot(np.sqrt(v), noise_std / np.sqrt(n_raters)),
    )


def cholesky(K, noise_std, Y, K_cross, prior_variance, n_raters):
    lower = np.linalg.cholesky(models.averaged(K, noise_std, Y))
    white, seen = np.linalg.solve(lower, np.nanmean(Y, axis=1)), np.linalg.solve(lower, K_cross)
    v = prior_variance - (seen**2).sum(axis=0)
    return [seen.T @ white, v, (v + noise_std**2) ** 0.5, (v + noise_std**2 / n_raters) ** 0.5]


def one_new_item_at_a_time(K, noise_std, Y, K_cross, prior_variance, n_raters):
    """From the inverse of the joint covariance of the averages and the new item."""
    C, y = models.averaged(K, noise_std, Y), models.means(Y)
    rows = []
    for k, prior in zip(K_cross.T, prior_variance, strict=True):
        precision = np.linalg.inv(np.block([[C, k[:, None]], [k[None], np.array([[prior]])]]))
        v = 1 / precision[-1, -1]
        both = np.sqrt(v + noise_std**2), np.sqrt(v + noise_std**2 / n_raters)
        rows.append((-precision[-1, :-1] @ y * v, v, *both))
    return tuple(np.array(rows).T)


def one_after_the_other(K, noise_std, Y, K_cross, prior_variance, n_raters):
    """Items and new items in one Gaussian, which learns one answer at a time."""
    m, n = len(prior_variance), len(K)
    together = np.block([[K, K_cross], [K_cross.T, np.diag(prior_variance)]])
    table = np.vstack([Y, np.full((m, Y.shape[1]), np.nan)])
    mean, covariance, _ = models.one_after_the_other(together, noise_std, table)
    v = np.diag(covariance)[n:]
    return mean[n:], v, np.sqrt(v + noise_std**2), np.sqrt(v + noise_std**2 / n_raters)


RIGHT = {
    "averages": right_answer,
    "all answers, lists": all_answers,
    "Cholesky": cholesky,
    "one new item at a time": one_new_item_at_a_time,
    "one after the other": one_after_the_other,
}
