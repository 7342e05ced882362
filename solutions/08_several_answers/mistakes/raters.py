"""Task 6, leave_one_rater_out(K, noise_std, Y)."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.stats import multivariate_normal, norm

from . import models


def without_column(Y, r):
    return np.delete(Y, r, axis=1)


def posterior(K, noise_std, Y):
    """Mean and covariance of all items; items without an answer are learnt about from the others."""
    R = models.counts(Y)
    seen = R > 0
    C = K[np.ix_(seen, seen)] + np.diag(noise_std**2 / R[seen])
    gain = np.linalg.solve(C, K[seen]).T
    return gain @ models.means(Y[seen]), K - gain @ K[seen]


def log_densities(y, mean, variance):
    return -0.5 * (np.log(2 * np.pi * variance) + (y - mean) ** 2 / variance)


def rating(
    others=without_column,
    learn=posterior,
    variance=lambda v, s: v + s**2,
    score=lambda y, mean, v: log_densities(y, mean, v).mean(),
    odd=np.argmin,
):
    """An answer with other raters to learn from, another posterior, another variance, or another score."""

    def answer(K, noise_std, Y):
        scores = []
        for r, y in enumerate(Y.T):
            mean, covariance = learn(K, noise_std, others(Y, r))
            his = ~np.isnan(y)
            scores.append(score(y[his], mean[his], variance(np.diag(covariance)[his], noise_std)))
        return np.array(scores), int(odd(scores))

    return answer


right_answer = rating()


def itself_too(Y, r):
    return Y


def zeros_for_his(Y, r):
    return np.where(np.arange(Y.shape[1]) == r, 0.0, Y)


def only_the_next(Y, r):
    return Y[:, [(r + 1) % Y.shape[1]]]


def zero_if_nobody_answered(K, noise_std, Y):
    """An item without an answer gets the mean 0, as if one rater had said so."""
    alone = models.counts(Y) == 0
    filled = Y.copy()
    filled[alone, 0] = 0.0
    return posterior(K, noise_std, filled)


def all_columns(K, noise_std, Y):
    R = np.full(len(K), Y.shape[1])
    mean = np.where(models.counts(Y) > 0, np.nansum(Y, axis=1) / np.maximum(models.counts(Y), 1), 0.0)
    gain = np.linalg.solve(K + np.diag(noise_std**2 / R), K).T
    return gain @ mean, K - gain @ K


def missing_as_zeros(K, noise_std, Y):
    return posterior(K, noise_std, np.nan_to_num(Y))


def noise_of_one(K, noise_std, Y):
    seen = models.counts(Y) > 0
    gain = np.linalg.solve(K[np.ix_(seen, seen)] + noise_std**2 * np.eye(seen.sum()), K[seen]).T
    return gain @ models.means(Y[seen]), K - gain @ K[seen]


def prior(K, noise_std, Y):
    return np.zeros(len(K)), K


def item_by_item(K, noise_std, Y):
    """The other items tell nothing about this one."""
    return posterior(np.diag(np.diag(K)), noise_std, Y)


def nobody_there(K, noise_std, Y):
    with np.errstate(all="ignore"):
        R = models.counts(Y)
        C = K + np.diag(noise_std**2 / R)
        y = np.nansum(Y, axis=1) / R
    gain = np.full_like(K, np.nan) if np.isinf(C).any() else np.linalg.solve(C, K).T
    return gain @ y, K - gain @ K


def items_left_out(K, noise_std, Y):
    """Each item from the others, all raters in."""
    means, variances = np.zeros(len(K)), np.zeros(len(K))
    for i in range(len(K)):
        rest = np.arange(len(K)) != i
        C = models.averaged(K[np.ix_(rest, rest)], noise_std, Y[rest])
        gain = np.linalg.solve(C, K[rest, i])
        means[i], variances[i] = gain @ models.means(Y[rest]), K[i, i] - gain @ K[rest, i] + noise_std**2
    densities = log_densities(Y.T, means, variances)
    scores = np.nanmean(densities, axis=1)
    return scores, int(scores.argmin())


def a_score_for_each_item(K, noise_std, Y):
    """Rows for columns: who is left out is an item."""
    mean, covariance = posterior(K, noise_std, Y)
    densities = log_densities(Y, mean[:, None], (np.diag(covariance) + noise_std**2)[:, None])
    scores = np.nanmean(densities, axis=1)
    return scores, int(scores.argmin())


def his_items_only(K, noise_std, Y):
    scores = []
    for r, y in enumerate(Y.T):
        his = ~np.isnan(y)
        mean, covariance = posterior(K[np.ix_(his, his)], noise_std, without_column(Y, r)[his])
        scores.append(log_densities(y[his], mean, np.diag(covariance) + noise_std**2).mean())
    return np.array(scores), int(np.argmin(scores))


def shared_items_only(K, noise_std, Y):
    """His answers to items that nobody else has answered are not scored."""
    scores = []
    for r, y in enumerate(Y.T):
        others = without_column(Y, r)
        scored = ~np.isnan(y) & (models.counts(others) > 0)
        mean, covariance = posterior(K, noise_std, others)
        v = np.diag(covariance)[scored] + noise_std**2
        scores.append(log_densities(y[scored], mean[scored], v).mean())
    return np.array(scores), int(np.argmin(scores))


def jointly(K, noise_std, Y):
    scores = []
    for r, y in enumerate(Y.T):
        his = ~np.isnan(y)
        mean, covariance = posterior(K, noise_std, without_column(Y, r))
        C = covariance[np.ix_(his, his)] + noise_std**2 * np.eye(his.sum())
        scores.append(models.log_density(y[his] - mean[his], C) / his.sum())
    return np.array(scores), int(np.argmin(scores))


def over_all_items(K, noise_std, Y):
    scores = right_answer(K, noise_std, Y)[0] * (~np.isnan(Y)).mean(axis=0)
    return scores, int(scores.argmin())


def of_the_mean_answer(y, mean, v):
    return log_densities(y.mean(), mean.mean(), v.mean())


def his_mean_over_fewer(y, mean, v):
    return log_densities(y.mean(), mean.mean(), v.mean() / len(y))


def averages_of_the_others(K, noise_std, Y):
    """No Gaussian process: the mean of the others, whatever the inputs."""
    R = models.counts(Y)
    mean = np.where(R > 0, np.nansum(Y, axis=1) / np.maximum(R, 1), 0.0)
    return mean, np.diag(noise_std**2 / np.maximum(R, 1))


COLUMN = "Who is left out, an item or a rater?"
ALONE = "Nobody else has answered"

MISTAKES = {
    "rater left in": rating(itself_too),
    "his answers set to 0": rating(zeros_for_his),
    "NaN as 0": rating(learn=missing_as_zeros),
    "next rater only": rating(only_the_next),
    "items left out": items_left_out,
    "no noise": rating(variance=lambda v, s: v),
    "noise only": rating(variance=lambda v, s: 0 * v + s**2),
    "noise of the mean": lambda K, s, Y: rating(variance=lambda v, s: v + s**2 / (Y.shape[1] - 1))(K, s, Y),
    "standard deviations added": rating(variance=lambda v, s: (np.sqrt(v) + s) ** 2),
    "variance as scale": rating(score=lambda y, m, v: norm.logpdf(y, m, v).mean()),
    "σ for σ² in the answer": rating(variance=lambda v, s: v + s),
    "σ for σ²": lambda K, s, Y: right_answer(K, np.sqrt(s), Y),
    "σ² of one answer": rating(learn=noise_of_one),
    "σ²/R with all columns": rating(learn=all_columns),
    "nobody there is 0": rating(learn=zero_if_nobody_answered),
    "his items only": his_items_only,
    "his lonely answers not scored": shared_items_only,
    "item by item": rating(learn=item_by_item),
    "averages": rating(learn=averages_of_the_others),
    "prior": rating(learn=prior),
    "jointly": jointly,
    "density of his mean": rating(score=of_the_mean_answer),
    "density of his mean, with less noise": rating(score=his_mean_over_fewer),
    "total": rating(score=lambda *given: log_densities(*given).sum()),
    "mean over all items": over_all_items,
    "median": rating(score=lambda *given: np.median(log_densities(*given))),
    "log of the mean density": rating(score=lambda *given: np.log(np.exp(log_densities(*given)).mean())),
    "mean density": rating(score=lambda *given: np.exp(log_densities(*given)).mean()),
    "no 2π": rating(score=lambda y, m, v: -0.5 * (np.log(v) + (y - m) ** 2 / v).mean()),
    "no log variance": rating(score=lambda y, m, v: -0.5 * (np.log(2 * np.pi) + (y - m) ** 2 / v).mean()),
    "squared errors": rating(score=lambda y, m, v: -((y - m) ** 2).mean()),
    "cost": rating(score=lambda *given: -log_densities(*given).mean(), odd=np.argmax),
    "the most predictable": rating(odd=np.argmax),
    "counted from 1": rating(odd=lambda scores: np.argmin(scores) + 1),
}

RULE_MISTAKES = {
    "a score for each item": (a_score_for_each_item, COLUMN),
    "nobody there is NaN": (rating(learn=nobody_there), ALONE),
    "scores only": (lambda *given: right_answer(*given)[0], "2 values are needed"),
}


def by_precisions(K, noise_std, Y):
    """An item without an answer has the precision 0, and no division is needed."""
    given, n = ~np.isnan(Y), len(K)
    filled, scores = np.where(given, Y, 0.0), []
    for r in range(Y.shape[1]):
        others = np.arange(Y.shape[1]) != r
        precision = given[:, others].sum(axis=1) / noise_std**2
        V = np.linalg.solve(np.eye(n) + K * precision, K)
        mean = V @ filled[:, others].sum(axis=1) / noise_std**2
        std = np.sqrt(np.diag(V) + noise_std**2)
        scores.append(norm.logpdf(Y[given[:, r], r], mean[given[:, r]], std[given[:, r]]).mean())
    return scores, scores.index(min(scores))


def all_answers(K, noise_std, Y):
    scores = []
    for r in range(Y.shape[1]):
        y, items, C = models.dense(K, noise_std, np.delete(Y, r, axis=1))
        his = np.flatnonzero(~np.isnan(Y[:, r]))
        factor, cross = cho_factor(C), K[np.ix_(items, his)]
        variance = K[his, his] + noise_std**2 - (cross * cho_solve(factor, cross)).sum(axis=0)
        scores.append(np.mean(log_densities(Y[his, r], cross.T @ cho_solve(factor, y), variance)))
    return np.array(scores), np.argmin(scores)


def one_answer_after_the_other(K, noise_std, Y):
    scores = []
    for r in range(Y.shape[1]):
        masked = np.where(np.arange(Y.shape[1]) == r, np.nan, Y)
        mean, covariance, _ = models.one_after_the_other(K, noise_std, masked)
        each = [
            multivariate_normal.logpdf(Y[i, r], mean[i], covariance[i, i] + noise_std**2)
            for i in range(len(K))
            if not np.isnan(Y[i, r])
        ]
        scores.append(sum(each) / len(each))
    return tuple(scores), int(np.argsort(scores)[0])


def taken_away(K, noise_std, Y):
    """Learns from all, once; then takes the rater's sites away from the posterior, as in EP's cavity."""
    given = ~np.isnan(Y)
    filled = np.where(given, Y, 0.0)
    n, scores = len(K), np.zeros(Y.shape[1])
    mean, V = posterior(K, noise_std, Y)
    for r in range(Y.shape[1]):
        away = given[:, r] / noise_std**2
        cavity = np.linalg.solve(np.eye(n) - V * away, V)
        centre = np.linalg.solve(np.eye(n) - V * away, mean - V @ (filled[:, r] / noise_std**2))
        variance = np.diag(cavity) + noise_std**2
        scores[r] = log_densities(Y[:, r], centre, variance)[given[:, r]].mean()
    return scores, min(range(len(scores)), key=lambda r: scores[r])


RIGHT = {
    "rows without answers left out": right_answer,
    "precisions, a list": by_precisions,
    "all answers": all_answers,
    "one answer after the other": one_answer_after_the_other,
    "taken away from all": taken_away,
}
