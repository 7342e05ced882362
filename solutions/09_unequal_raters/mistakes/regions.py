"""Task 5, noise_step(Y, mean, variance, regions, spread)."""

import numpy as np

from .models import part


def stepping(
    square=lambda off, v: off**2 + v,
    divide=lambda squares, members: squares.mean(),
    level=lambda logs, counts, s: np.average(logs, weights=1 / (s**2 + 0.5 / counts)),
    told=lambda count: 2.0 * count,
    believed=lambda s: s**-2.0,
    join=lambda log, level, told, believed: (told * log + believed * level) / (told + believed),
    nobody=np.nan,
    unseen=np.exp,
):
    """An answer with another square for each answer, another mean, level or weights, or other empty cells."""

    def answer(Y, mean, variance, regions, spread):
        K, R = regions.max() + 1, Y.shape[1]
        raw, shrunk = np.full((K, R), nobody), np.zeros((K, R))
        for r in range(R):
            cells = {k: (regions == k) & ~np.isnan(Y[:, r]) for k in range(K)}
            counts = np.array([cells[k].sum() for k in range(K)])
            seen = np.flatnonzero(counts)
            for k in seen:
                squares = square(Y[cells[k], r] - mean[cells[k]], variance[cells[k]])
                raw[k, r] = np.sqrt(divide(squares, (regions == k).sum()))
            logs = np.log(raw[seen, r])
            centre = level(logs, counts[seen], spread)
            shrunk[:, r] = unseen(centre)
            shrunk[seen, r] = np.exp(join(logs, centre, told(counts[seen]), believed(spread)))
        return raw, shrunk

    return answer


right_answer = stepping()


def transposed(*given):
    return tuple(one.T for one in right_answer(*given))


def residual_of_the_row_mean(Y, mean, variance, regions, spread):
    return right_answer(Y, np.nanmean(Y, axis=1), variance, regions, spread)


def over_the_answers_only(Y, mean, variance, regions, spread):
    """A gap counts as an answer that is where the mean is."""
    filled = np.where(np.isnan(Y), mean[:, None], Y)
    return right_answer(filled, mean, variance, regions, spread)


def gaps_as_zero(Y, mean, variance, regions, spread):
    return right_answer(np.nan_to_num(Y), mean, variance, regions, spread)


def shared_level(Y, mean, variance, regions, spread):
    """One level for all raters: the precision-weighted mean over the whole table."""
    raw, _ = right_answer(Y, mean, variance, regions, spread)
    count = counts_of(Y, regions)
    seen = count > 0
    weight = np.where(seen, 1 / (spread**2 + 0.5 / np.maximum(count, 1)), 0)
    logs = np.where(seen, np.log(np.where(seen, raw, 1)), 0)
    centre = (weight * logs).sum() / weight.sum()
    return raw, np.exp((2 * count * logs + spread**-2.0 * centre) / (2 * count + spread**-2.0))


def level_of_the_region(Y, mean, variance, regions, spread):
    """Shrunk towards the mean of all raters in the region."""
    raw, _ = right_answer(Y, mean, variance, regions, spread)
    count = counts_of(Y, regions)
    seen = count > 0
    weight = np.where(seen, 1 / (spread**2 + 0.5 / np.maximum(count, 1)), 0)
    logs = np.where(seen, np.log(np.where(seen, raw, 1)), 0)
    centre = ((weight * logs).sum(axis=1) / weight.sum(axis=1))[:, None]
    return raw, np.exp((2 * count * logs + spread**-2.0 * centre) / (2 * count + spread**-2.0))


def counts_of(Y, regions):
    """(K, R) answers."""
    return np.array([(~np.isnan(Y[regions == k])).sum(axis=0) for k in range(regions.max() + 1)])


def arithmetic(Y, mean, variance, regions, spread):
    """Level and shrinkage in σ instead of log σ."""
    raw, shrunk = right_answer(Y, mean, variance, regions, spread)
    count = counts_of(Y, regions)
    for r in range(Y.shape[1]):
        seen = count[:, r] > 0
        level = np.average(raw[seen, r], weights=1 / (spread**2 + 0.5 / count[seen, r]))
        values, told = np.where(seen, raw[:, r], level), 2.0 * count[:, r]
        shrunk[:, r] = (told * values + spread**-2.0 * level) / (told + spread**-2.0)
    return raw, shrunk


def gaps_spoil(Y, mean, variance, regions, spread):
    K = regions.max() + 1
    raw = np.array(
        [np.sqrt(((Y - mean[:, None]) ** 2 + variance[:, None])[regions == k].mean(axis=0)) for k in range(K)]
    )
    count = np.bincount(regions)[:, None]
    weight = 1 / (spread**2 + 0.5 / count)
    level = (weight * np.log(raw)).sum(axis=0) / weight.sum()
    return raw, np.exp((2 * count * np.log(raw) + level / spread**2) / (2 * count + spread**-2.0))


def one_noise_for_each_region(Y, mean, variance, regions, spread):
    raw, shrunk = right_answer(Y, mean, variance, regions, spread)
    pooled = [
        np.nanmean((Y - mean[:, None])[regions == k] ** 2 + variance[regions == k][:, None]) for k in range(len(raw))
    ]
    return np.broadcast_to(np.sqrt(pooled)[:, None], raw.shape), shrunk


def level_for_raw(*given):
    raw, shrunk = right_answer(*given)
    return np.where(np.isnan(raw), shrunk, raw), shrunk


MISTAKES = {
    "V forgotten": stepping(lambda off, v: off**2),
    "V subtracted": stepping(lambda off, v: np.maximum(off**2 - v, 0.01)),
    "V squared": stepping(lambda off, v: off**2 + v**2),
    "V rooted": stepping(lambda off, v: off**2 + np.sqrt(v)),
    "root of V added first": stepping(lambda off, v: (np.abs(off) + np.sqrt(v)) ** 2),
    "not squared": stepping(lambda off, v: np.abs(off) + v),
    "round the items' means": residual_of_the_row_mean,
    "round his own mean": stepping(lambda off, v: (off - off.mean()) ** 2 + v),
    "size of the region": stepping(divide=lambda q, n: q.sum() / n),
    "n − 1": stepping(divide=lambda q, n: q.sum() / max(len(q) - 1, 1)),
    "n + 1": stepping(divide=lambda q, n: q.sum() / (len(q) + 1)),
    "sum": stepping(divide=lambda q, n: q.sum()),
    "median": stepping(divide=lambda q, n: np.median(q)),
    "mean of the roots": stepping(divide=lambda q, n: np.sqrt(q).mean() ** 2),
    "variances": lambda *given: tuple(one**2 for one in right_answer(*given)),
    "raw variances": part(right_answer, 0, np.square),
    "transposed": transposed,
    "a gap is at the mean": over_the_answers_only,
    "a gap is 0": gaps_as_zero,
    "gaps spoil": gaps_spoil,
    "no answer, no noise": stepping(nobody=0.0),
    "no answer, the level": level_for_raw,
    "NaN stays": stepping(unseen=lambda level: np.nan),
    "0 where nothing is known": stepping(unseen=lambda level: 0.0),
    "1 where nothing is known": stepping(unseen=lambda level: 1.0),
    "arithmetic": arithmetic,
    "arithmetic level": stepping(
        level=lambda logs, m, s: np.log(np.average(np.exp(logs), weights=1 / (s**2 + 0.5 / m)))
    ),
    "level of the variances": stepping(
        level=lambda logs, m, s: 0.5 * np.log(np.average(np.exp(2 * logs), weights=1 / (s**2 + 0.5 / m)))
    ),
    "plain mean for level": stepping(level=lambda logs, m, s: logs.mean()),
    "level weighted by counts": stepping(level=lambda logs, m, s: np.average(logs, weights=m)),
    "level weighted by variances": stepping(level=lambda logs, m, s: np.average(logs, weights=s**2 + 0.5 / m)),
    "level weighted by standard deviations": stepping(
        level=lambda logs, m, s: np.average(logs, weights=(s**2 + 0.5 / m) ** -0.5)
    ),
    "level weighted as the noises": stepping(
        level=lambda logs, m, s: np.average(logs, weights=2 * m / (2 * m + s**-2.0) + 0 * logs + 0.5)
    ),
    "one level for all": shared_level,
    "level of the region": level_of_the_region,
    "data variance 1/m": stepping(told=lambda m: 1.0 * m),
    "data variance 1/(4m)": stepping(told=lambda m: 4.0 * m),
    "data variance 1/(2(m − 1))": stepping(told=lambda m: 2.0 * (m - 1)),
    "data standard deviation": stepping(told=lambda m: np.sqrt(2.0 * m)),
    "data variance as precision": stepping(told=lambda m: 0.5 / m),
    "one variance for all": stepping(told=lambda m: 2.0 * m.mean() + 0 * m),
    "spread as variance": stepping(believed=lambda s: 1 / s),
    "spread as precision": stepping(believed=lambda s: s),
    "variance as precision": stepping(believed=lambda s: s**2),
    "weights exchanged": stepping(
        join=lambda log, level, told, believed: (believed * log + told * level) / (told + believed)
    ),
    "half and half": stepping(join=lambda log, level, told, believed: (log + level) / 2),
    "not shrunk": stepping(join=lambda log, level, told, believed: log),
    "all the level": stepping(join=lambda log, level, told, believed: level + 0 * log),
    "logarithms": part(right_answer, 1, np.log),
    "shrunk first": lambda *given: right_answer(*given)[::-1],
    "one noise for a region": one_noise_for_each_region,
}

RULE_MISTAKES = {
    "raw only": (lambda *given: right_answer(*given)[0], "2 values are needed"),
}


def matrices(Y, mean, variance, regions, spread):
    """All cells at once; empty ones are kept out with a count of 0 and a logarithm of 0."""
    member = (regions[:, None] == np.arange(regions.max() + 1)).astype(float)
    given = ~np.isnan(Y)
    squares = np.where(given, np.where(given, Y - mean[:, None], 0.0) ** 2 + variance[:, None], 0.0)
    count, total = member.T @ given, member.T @ squares
    raw = np.sqrt(np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0))
    logs = np.log(np.where(count > 0, raw, 1.0))
    weight = count / (count * spread**2 + 0.5)
    level = (weight * logs).sum(axis=0) / weight.sum(axis=0)
    return raw, np.exp((2 * count * logs + level / spread**2) / (2 * count + 1 / spread**2))


def share_of_the_way(Y, mean, variance, regions, spread):
    """Shrinkage as a share of the way from the raw logarithm to the level, in lists."""
    raw, shrunk = [], []
    for k in range(max(regions) + 1):
        rows = [n for n in range(len(Y)) if regions[n] == k]
        raw.append([])
        for r in range(len(Y[0])):
            squares = [(Y[n][r] - mean[n]) ** 2 + variance[n] for n in rows if Y[n][r] == Y[n][r]]
            raw[-1].append((sum(squares) / len(squares)) ** 0.5 if squares else float("nan"))
    count = counts_of(Y, np.asarray(regions))
    for k, row in enumerate(raw):
        shrunk.append([])
        for r, value in enumerate(row):
            column = [(raw[j][r], count[j][r]) for j in range(len(raw)) if count[j][r]]
            weights = [1 / (spread**2 + 1 / (2 * m)) for _, m in column]
            level = sum(w * np.log(s) for w, (s, _) in zip(weights, column, strict=True)) / sum(weights)
            share = 1 / (1 + 2 * count[k][r] * spread**2)
            shrunk[-1].append(float(np.exp(level if share == 1 else (1 - share) * np.log(value) + share * level)))
    return raw, shrunk


def least_squares(Y, mean, variance, regions, spread):
    """The sum of squares that the posterior mean minimises, over log σ and the level together."""
    raw, shrunk = (one.copy() for one in right_answer(Y, mean, variance, regions, spread))
    count = counts_of(Y, regions)
    K = len(raw)
    for r in range(Y.shape[1]):
        seen = np.flatnonzero(count[:, r])
        near_data = np.sqrt(2.0 * count[seen, r])[:, None] * np.eye(K + 1)[seen]
        near_level = np.hstack([np.eye(K), -np.ones((K, 1))]) / spread
        wanted = np.append(near_data @ np.append(np.log(np.nan_to_num(raw[:, r], nan=1.0)), 0.0), np.zeros(K))
        shrunk[:, r] = np.exp(np.linalg.lstsq(np.vstack([near_data, near_level]), wanted, rcond=None)[0][:K])
    return raw, shrunk


def sorted_into_cells(Y, mean, variance, regions, spread):
    """One long column of answers, sorted into cells by np.bincount; the belief as extra answers at the level."""
    item, rater = np.nonzero(~np.isnan(Y))
    R, cell = Y.shape[1], regions[item] * Y.shape[1] + rater
    cells = (regions.max() + 1) * R
    count = np.bincount(cell, minlength=cells).reshape(-1, R)
    total = np.bincount(cell, (Y[item, rater] - mean[item]) ** 2 + variance[item], cells).reshape(-1, R)
    raw = np.full(count.shape, np.nan)
    raw[count > 0] = np.sqrt(total[count > 0] / count[count > 0])
    logs = np.nan_to_num(np.log(raw))
    weight = (count > 0) / (spread**2 + 1 / np.maximum(2 * count, 1e-9))
    level = np.einsum("kr,kr->r", weight, logs) / weight.sum(axis=0)
    extra = 0.5 / spread**2
    return [raw, np.exp((count * logs + extra * level) / (count + extra))]


RIGHT = {
    "cell by cell": right_answer,
    "matrices": matrices,
    "share of the way, lists": share_of_the_way,
    "sorted into cells": sorted_into_cells,
    "least squares": least_squares,
}
