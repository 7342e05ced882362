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


COUNT = "How many answers has this item"
LESS_NOISE = "How noisy is a mean of R answers"
UNIT = "What unit has K?"
SQUARES = "Do standard deviations add up"
ONE = "Whose answer is it"
PANEL = "What does a panel of endlessly many raters still not know"
LESS = "Can an answer make you less sure"
ITEM = "The item, or what somebody says about it?"

MISTAKES = {
    "σ² of one answer": (predicting(lambda K, s, Y: K + s**2 * np.eye(len(K))), LESS_NOISE),
    "σ² times R": (predicting(lambda K, s, Y: K + np.diag(s**2 * models.counts(Y))), LESS_NOISE),
    "no noise": (predicting(lambda K, s, Y: K + 1e-9 * np.eye(len(K))), "Is the mean of a few answers"),
    "σ²/R with all columns": (predicting(all_columns), COUNT),
    "σ²/R*": (new_panel_for_the_old, COUNT),
    "σ/R": (predicting(lambda K, s, Y: K + np.diag(s / models.counts(Y))), UNIT),
    "σ/√R": (predicting(lambda K, s, Y: K + np.diag(s / np.sqrt(models.counts(Y)))), UNIT),
    "noise in every entry": (
        predicting(lambda K, s, Y: K + s**2 / models.counts(Y)),
        "Do two items share their noise?",
    ),
    "one rater with σ²/R*": (
        lambda *given: (*right_answer(*given)[:2], *[right_answer(*given)[3]] * 2),
        ONE,
    ),
    "one rater without noise": (predicting(one=lambda v, s: np.sqrt(v)), ONE),
    "both without noise": (predicting(one=lambda v, s: np.sqrt(v), panel=lambda v, s, R: np.sqrt(v)), ONE),
    "noise only": (predicting(one=lambda v, s: 0 * v + s, panel=lambda v, s, R: 0 * v + s / np.sqrt(R)), PANEL),
    "panel: noise only": (predicting(panel=lambda v, s, R: 0 * v + s / np.sqrt(R)), PANEL),
    "panel: all divided by R*": (predicting(panel=lambda v, s, R: np.sqrt((v + s**2) / R)), PANEL),
    "panel: all std divided by R*": (predicting(panel=lambda v, s, R: np.sqrt(v + s**2) / R), PANEL),
    "panel: σ² of one answer": (predicting(panel=lambda v, s, R: np.sqrt(v + s**2)), "How noisy is a mean of"),
    "panel: no noise": (predicting(panel=lambda v, s, R: np.sqrt(v)), "How noisy is a mean of"),
    "panel: σ²/R*²": (predicting(panel=lambda v, s, R: np.sqrt(v + (s / R) ** 2)), "How noisy is a mean of"),
    "panel: as many as before": (old_panel_for_the_new, "How many raters are asked this time"),
    "σ added to the std": (
        predicting(one=lambda v, s: np.sqrt(v) + s, panel=lambda v, s, R: np.sqrt(v) + s / np.sqrt(R)),
        SQUARES,
    ),
    "σ added to the variance": (
        predicting(one=lambda v, s: np.sqrt(v + s), panel=lambda v, s, R: np.sqrt(v + s / R)),
        SQUARES,
    ),
    "variances of the answers": (
        predicting(one=lambda v, s: v + s**2, panel=lambda v, s, R: v + s**2 / R),
        "A variance, or a standard deviation",
    ),
    "std of z": (
        predicting(
            variance=lambda prior, explained, s: np.sqrt(prior - explained),
            one=lambda v, s: np.hypot(v, s),
            panel=lambda v, s, R: np.hypot(v, s / np.sqrt(R)),
        ),
        "A variance, or a standard deviation",
    ),
    "plus sign": (predicting(variance=lambda prior, explained, s: prior + explained), LESS),
    "prior variance": (predicting(variance=lambda prior, explained, s: prior), "What have the answers taught"),
    "what is explained": (
        predicting(variance=lambda prior, explained, s: explained),
        "What is explained, or what is left?",
    ),
    "noise in the variance of z": (predicting(variance=lambda prior, explained, s: prior - explained + s**2), ITEM),
    "variance of an answer for that of z": (
        predicting(
            variance=lambda prior, explained, s: prior - explained + s**2,
            one=lambda v, s: np.sqrt(v),
            panel=lambda v, s, R: np.sqrt(v - s**2 + s**2 / R),
        ),
        ITEM,
    ),
    "prior variance of the first item": (prior_of_the_first, "Is the prior variance the same everywhere?"),
    "a matrix for the variances": (matrix_of_variances, "It has the shape"),
    "NaN as 0": (missing_as_zeros, "Is a missing answer an answer"),
    "NaN as 0 in the mean": (predicting(average=models.means_with_zeros), "Is a missing answer an answer"),
    "sums for means": (predicting(average=lambda Y: np.nansum(Y, axis=1)), "A sum, or a mean?"),
    "no inverse": (predicting(mean=lambda C, y, K_cross: K_cross.T @ y), "Do two copies of an item count twice?"),
    "half solved": (predicting(mean=half_solved), "L is half of the way"),
    "jitter": (
        predicting(lambda K, s, Y: models.averaged(K, s, Y) + 1e-6 * np.eye(len(K))),
        "what is jitter for?",
    ),
    "variance first": (models.permuted(1, 0, 2, 3)(right_answer), "Which of the four comes first?"),
    "panel before the rater": (models.permuted(0, 1, 3, 2)(right_answer), "Which of the four comes first?"),
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
