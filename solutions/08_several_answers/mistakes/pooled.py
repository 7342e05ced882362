"""Task 1, pooled_spread(Y)."""

import warnings

import numpy as np

from . import models


def pooled(
    count=models.counts,
    mean=lambda Y, R: models.means(Y),
    square=lambda Y, R, mean: np.nansum((Y - mean[:, None]) ** 2, axis=1),
    spread=lambda Y, R, SS: np.sqrt(SS.sum() / (R - 1).sum()),
):
    """An answer with another count, mean, sum of squares or spread, each made from the parts before it."""

    def answer(Y):
        R = count(Y)
        middle = mean(Y, R)
        SS = square(Y, R, middle)
        return R.astype(float), middle, SS, float(spread(Y, R, SS))

    return answer


right_answer = pooled()


def several(R):
    return R > 1


def variances(R, SS, ddof=1):
    """Of the items with two answers or more."""
    return SS[several(R)] / (R - ddof)[several(R)]


def with_zeros(Y):
    return right_answer(np.nan_to_num(Y))


def by_raters(Y):
    return right_answer(Y.T)


def of_a_rater(Y, R, SS):
    """Spread of each rater's own answers round the mean of his answers."""
    given = ~np.isnan(Y)
    level = np.nansum(Y, axis=0) / given.sum(axis=0)
    return np.sqrt(np.nansum((Y - level) ** 2) / (given.sum(axis=0) - 1).sum())


def without_singles(Y):
    return right_answer(Y[several(models.counts(Y))])


def numpys_variances(Y):
    """np.nanvar with ddof = 1 is 0/0 for an item with one answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        v = np.nanvar(Y, axis=1, ddof=1)
    R = models.counts(Y)
    SS = v * (R - 1)
    return R, models.means(Y), SS, np.sqrt(SS.sum() / (R - 1).sum())


def medians(Y):
    return np.nanmedian(Y, axis=1)


MISTAKES = {
    "divided by all answers": pooled(spread=lambda Y, R, SS: np.sqrt(SS.sum() / R.sum())),
    "one mean taken off, not n": pooled(spread=lambda Y, R, SS: np.sqrt(SS.sum() / (R.sum() - 1))),
    "divided by the items": pooled(spread=lambda Y, R, SS: np.sqrt(SS.mean())),
    "singles count": pooled(spread=lambda Y, R, SS: np.sqrt(SS.sum() / np.maximum(R - 1, 1).sum())),
    "R − 1 with all columns": pooled(spread=lambda Y, R, SS: np.sqrt(SS.sum() / (len(Y) * (Y.shape[1] - 1)))),
    "mean of standard deviations": pooled(spread=lambda Y, R, SS: np.sqrt(variances(R, SS)).mean()),
    "mean of standard deviations, divided by R": pooled(
        spread=lambda Y, R, SS: np.sqrt(variances(R, SS, ddof=0)).mean()
    ),
    "mean of variances": pooled(spread=lambda Y, R, SS: np.sqrt(variances(R, SS).mean())),
    "mean of variances, singles too": pooled(spread=lambda Y, R, SS: np.sqrt(variances(R, SS).sum() / len(R))),
    "variance": pooled(spread=lambda Y, R, SS: SS.sum() / (R - 1).sum()),
    "spread of all answers": pooled(spread=lambda Y, R, SS: np.nanstd(Y)),
    "spread of all answers, ddof": pooled(spread=lambda Y, R, SS: np.nanstd(Y, ddof=1)),
    "spread of a rater's answers": pooled(spread=of_a_rater),
    "spread of the means": pooled(spread=lambda Y, R, SS: models.means(Y).std(ddof=1)),
    "NaN as 0": with_zeros,
    "NaN as 0 in the mean": pooled(mean=lambda Y, R: models.means_with_zeros(Y)),
    "NaN as 0 in the squares": pooled(square=lambda Y, R, mean: ((np.nan_to_num(Y) - mean[:, None]) ** 2).sum(axis=1)),
    "all columns counted": pooled(count=lambda Y: np.full(len(Y), Y.shape[1])),
    "the missing counted": lambda Y: (np.isnan(Y).sum(axis=1), *right_answer(Y)[1:]),
    "by raters": by_raters,
    "squares round the mean of all": pooled(square=lambda Y, R, mean: np.nansum((Y - np.nanmean(Y)) ** 2, 1)),
    "deviations, no squares": pooled(square=lambda Y, R, mean: np.nansum(np.abs(Y - mean[:, None]), axis=1)),
    "squares round the median": pooled(square=lambda Y, R, mean: np.nansum((Y - medians(Y)[:, None]) ** 2, axis=1)),
    "medians": pooled(mean=lambda Y, R: medians(Y)),
    "variances for sums of squares": lambda Y: (*right_answer(Y)[:2], np.nanvar(Y, axis=1), right_answer(Y)[3]),
    "standard deviations for sums": lambda Y: (*right_answer(Y)[:2], np.nanstd(Y, axis=1), right_answer(Y)[3]),
    "difference of huge numbers": pooled(square=lambda Y, R, mean: np.abs(np.nansum(Y**2, axis=1) - R * mean**2)),
    "means first": models.permuted(1, 0, 2, 3)(right_answer),
}

RULE_MISTAKES = {
    "NaN everywhere": (
        pooled(
            mean=lambda Y, R: Y.mean(axis=1),
            square=lambda Y, R, mean: ((Y - mean[:, None]) ** 2).sum(axis=1),
        ),
        "What is NaN plus 1?",
    ),
    "0/0 for a single answer": (numpys_variances, "What is NaN plus 1?"),
    "singles left out": (without_singles, "It has the shape"),
    "spread only": (lambda Y: right_answer(Y)[3], "4 values are needed"),
}


def row_by_row(Y):
    kept = [[y for y in row if not np.isnan(y)] for row in Y.tolist()]
    middle = [sum(row) / len(row) for row in kept]
    SS = [sum((y - m) ** 2 for y in row) for row, m in zip(kept, middle, strict=True)]
    freedom = sum(len(row) for row in kept) - len(kept)
    return [len(row) for row in kept], middle, SS, (sum(SS) / freedom) ** 0.5


def numpys(Y):
    R = np.isfinite(Y).sum(axis=1)
    SS = np.nanvar(Y, axis=1) * R
    return R, np.nanmean(Y, axis=1), SS, np.sqrt(SS.sum() / (R.sum() - len(R)))


def masked(Y):
    table = np.ma.masked_invalid(Y)
    R, middle = table.count(axis=1), table.mean(axis=1)
    SS = ((table - middle[:, None]) ** 2).sum(axis=1)
    return R, middle.data, SS.data, float(np.sqrt(SS.sum() / (R - 1).sum()))


def by_pairs(Y):
    """Σ (y − ȳ)² is the sum over all pairs of (y − y′)², divided by R."""
    R = models.counts(Y)
    SS = np.nansum((Y[:, :, None] - Y[:, None, :]) ** 2, axis=(1, 2)) / (2 * R)
    return R, models.means(Y), SS, np.sqrt(SS.sum() / (R - 1).sum())


def one_answer_at_a_time(Y):
    R, middle, SS = (np.zeros(len(Y)) for _ in range(3))
    for i, r in zip(*np.nonzero(~np.isnan(Y)), strict=True):
        R[i] += 1
        step = Y[i, r] - middle[i]
        middle[i] += step / R[i]
        SS[i] += step * (Y[i, r] - middle[i])
    return R.astype(int), middle, SS, np.sqrt(SS.sum() / (R - 1).sum())


RIGHT = {
    "nansum": right_answer,
    "row by row, lists": row_by_row,
    "numpy's nanvar": numpys,
    "masked array": masked,
    "pairs": by_pairs,
    "one answer at a time": one_answer_at_a_time,
}
