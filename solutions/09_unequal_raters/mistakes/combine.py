"""Task 1, combine_raters(Y, noise_std)."""

import numpy as np

from .models import part


def combining(
    weight=lambda s: s**-2,
    spread=lambda w, s, Y: 1 / np.sqrt(w.sum(axis=1)),
    norm=lambda w, W: w.sum(axis=1),
):
    """An answer with other weights w (n, R), 0 where an answer is missing, or another standard deviation.

    spread gets the precisions of those who answered; norm gets the weights w, and W with those of the absent too.
    """

    def answer(Y, noise_std):
        given = ~np.isnan(Y)
        W = np.tile(weight(noise_std), (len(Y), 1))
        w = np.where(given, W, 0)
        mean = (w * np.where(given, Y, 0)).sum(axis=1) / norm(w, W)
        return mean, spread(np.where(given, noise_std**-2, 0), noise_std, Y)

    return answer


right_answer = combining()


def count(Y):
    return (~np.isnan(Y)).sum(axis=1)


def gaps_as(fill):
    """An answer for which a gap is some number, given by the table."""
    return lambda Y, noise_std: right_answer(np.where(np.isnan(Y), fill(Y), Y), noise_std)


def gaps_spoil(Y, noise_std):
    weight = noise_std**-2
    return Y @ weight / weight.sum(), np.full(len(Y), weight.sum() ** -0.5)


def zeros_are_gaps(Y, noise_std):
    given = np.nan_to_num(Y) != 0
    w = np.where(given, noise_std**-2, 0)
    total = np.maximum(w.sum(axis=1), 1e-300)
    return (w * np.nan_to_num(Y)).sum(axis=1) / total, total**-0.5


def best_rater(Y, noise_std):
    noise = np.where(np.isnan(Y), np.inf, noise_std)
    best = noise.argmin(axis=1)
    return Y[np.arange(len(Y)), best], noise.min(axis=1)


def given_std(of):
    """The right means, with another standard deviation: of(σ of those who answered) for each item."""

    def answer(Y, noise_std):
        mean, _ = right_answer(Y, noise_std)
        return mean, np.array([of(noise_std[~np.isnan(row)]) for row in Y])

    return answer


def spread_of_answers(Y, noise_std):
    return right_answer(Y, noise_std)[0], np.nanstd(Y, axis=1)


def full_rows_only(Y, noise_std):
    return right_answer(Y[~np.isnan(Y).any(axis=1)], noise_std)


def over_items(Y, noise_std):
    given = ~np.isnan(Y)
    w = np.where(given, noise_std**-2, 0)
    return (w * np.nan_to_num(Y)).sum(axis=0) / w.sum(axis=0), w.sum(axis=0) ** -0.5


def literal(Y, noise_std):
    """σ̂⁻² = (Σ 1/σ²)⁻¹ as it is printed, used for mean and standard deviation."""
    given = ~np.isnan(Y)
    w = np.where(given, noise_std**-2, 0)
    return w.sum(axis=1) * (w * np.nan_to_num(Y)).sum(axis=1), np.sqrt(w.sum(axis=1))


MISTAKES = {
    "weights σ²": combining(lambda s: s**2),
    "weights σ": combining(lambda s: s),
    "weights 1/σ": combining(lambda s: 1 / s),
    "weights 1/√σ": combining(lambda s: s**-0.5),
    "weights 1/σ⁴": combining(lambda s: s**-4),
    "plain mean": combining(np.ones_like, lambda w, s, Y: np.sqrt(((w > 0) * s**2).sum(axis=1)) / count(Y)),
    "plain mean, right spread": combining(np.ones_like),
    "the best rater alone": best_rater,
    "a gap is 0": gaps_as(lambda Y: 0.0),
    "a gap is the item's mean": gaps_as(lambda Y: np.nanmean(Y, axis=1)[:, None]),
    "weights of the absent stay": combining(norm=lambda w, W: W.sum(axis=1)),
    "sum, not divided": combining(norm=lambda w, W: np.ones(len(w))),
    "divided by the number of answers": combining(norm=lambda w, W: (w > 0).sum(axis=1)),
    "zeros are gaps": zeros_are_gaps,
    "over the items": over_items,
    "variance": part(right_answer, 1, np.square),
    "precision": combining(spread=lambda w, s, Y: w.sum(axis=1)),
    "root of the precision": combining(spread=lambda w, s, Y: np.sqrt(w.sum(axis=1))),
    "as printed": literal,
    "sum of the variances": given_std(lambda s: np.sqrt((s**2).sum())),
    "std of the plain mean": given_std(lambda s: np.sqrt((s**2).sum()) / len(s)),
    "mean of the noises": given_std(np.mean),
    "weighted mean of the noises": given_std(lambda s: np.average(s, weights=s**-2)),
    "noise of the best": given_std(np.min),
    "1 over the sum of 1/σ": given_std(lambda s: 1 / (1 / s).sum()),
    "harmonic mean variance": given_std(lambda s: np.sqrt(len(s) / (s**-2).sum())),
    "everybody answered": combining(spread=lambda w, s, Y: np.full(len(Y), (s**-2).sum() ** -0.5)),
    "spread of the answers": spread_of_answers,
    "std first": lambda *given: right_answer(*given)[::-1],
}

RULE_MISTAKES = {
    "gaps spoil": (gaps_spoil, "One NaN in a sum"),
    "full rows only": (full_rows_only, "It has the shape"),
    "mean only": (lambda *given: right_answer(*given)[0], "2 values are needed"),
}


def loops(Y, noise_std):
    means, stds = [], []
    for row in Y:
        total = precision = 0.0
        for y, s in zip(row, noise_std, strict=True):
            if y == y:
                total += y / s**2
                precision += 1 / s**2
        means.append(total / precision)
        stds.append(precision**-0.5)
    return means, stds


def one_after_the_other(Y, noise_std):
    """Another algorithm: each answer moves the mean by its gain, as in a Kalman filter that begins with the first."""
    found = []
    for row in Y:
        mean, variance = 0.0, np.inf
        for y, s in zip(row, noise_std, strict=True):
            if not np.isnan(y):
                gain = 1.0 if np.isinf(variance) else variance / (variance + s**2)
                mean, variance = mean + gain * (y - mean), s**2 if np.isinf(variance) else (1 - gain) * variance
        found.append((mean, variance**0.5))
    return tuple(zip(*found, strict=True))


def masked(Y, noise_std):
    table = np.ma.masked_invalid(Y)
    mean, weight = np.ma.average(table, axis=1, weights=np.broadcast_to(noise_std**-2, Y.shape), returned=True)
    return np.asarray(mean), 1 / np.sqrt(np.asarray(weight))


def with_nansum(Y, noise_std):
    precision = np.nansum(Y * 0 + 1 / noise_std**2, axis=1)
    return [np.nansum(Y / noise_std**2, axis=1) / precision, precision**-0.5]


def least_squares(Y, noise_std):
    means, stds = [], []
    for row in Y:
        given = ~np.isnan(row)
        ones, white = 1 / noise_std[given], row[given] / noise_std[given]
        means.append(np.linalg.lstsq(ones[:, None], white, rcond=None)[0].item())
        stds.append(1 / np.linalg.norm(ones))
    return np.array(means), np.array(stds)


RIGHT = {
    "where": right_answer,
    "loops, lists": loops,
    "one after the other": one_after_the_other,
    "masked arrays": masked,
    "nansum": with_nansum,
    "least squares": least_squares,
}
