"""Answers to homework 09 by somebody who had only the exercise."""

import numpy as np

# ---------------------------------------------------------------------------------------------------- wrong answers


def _combine(Y, noise_std, given):
    """Precision-weighted means of the given answers, and their standard deviations."""
    precision = np.where(given, 1 / np.asarray(noise_std) ** 2, 0)
    total = precision.sum(axis=1)
    return np.sum(precision * np.where(given, Y, 0), axis=1) / total, 1 / np.sqrt(total)


def combine_zero_is_a_gap(Y, noise_std):
    given = np.nan_to_num(np.asarray(Y, dtype=float)) != 0
    given[~given.any(axis=1)] = ~np.isnan(Y[~given.any(axis=1)])
    return _combine(Y, noise_std, given)


def combine_with_a_scale_factor(Y, noise_std):
    given = ~np.isnan(Y)
    means, stds = _combine(Y, noise_std, given)
    chi_square = np.sum(np.where(given, (Y - means[:, None]) / noise_std, 0) ** 2, axis=1)
    return means, stds * np.sqrt(np.maximum(chi_square / np.maximum(given.sum(axis=1) - 1, 1), 1))


def slope_with_the_first_variances(y, mean, covariance, noise_std):
    given = ~np.isnan(y)
    off = y[given] - mean[given]
    variances = np.diag(covariance)[: len(off)]
    return float(np.sum((off**2 + variances) / noise_std**2 - 1))


def slope_with_all_covariances(y, mean, covariance, noise_std):
    given = ~np.isnan(y)
    off = y[given] - mean[given]
    return float((off @ off + covariance[np.ix_(given, given)].sum()) / noise_std**2 - given.sum())


def _mirror(K, noise_std, Y, r, c, his):
    """Log ratio for a middle c and the answers `his`."""
    items, raters = np.nonzero(~np.isnan(Y) & (np.arange(Y.shape[1]) != r))
    C = K[np.ix_(items, items)] + np.diag(noise_std[raters] ** 2)
    gain = np.linalg.solve(C, K[np.ix_(items, his)]).T
    m = gain @ (Y[items, raters] - c)
    S = K[np.ix_(his, his)] - gain @ K[np.ix_(items, his)] + noise_std[r] ** 2 * np.eye(len(his))
    return float(2 * m @ np.linalg.solve(S, Y[his, r] - c)) if len(his) else 0.0


def mirror_at_the_mean_of_means(K, noise_std, Y, r):
    others = np.delete(Y, r, axis=1)
    rows = ~np.isnan(others).all(axis=1)
    c = np.mean([np.nanmean(row) for row in others[rows]])
    return _mirror(K, noise_std, Y, r, c, np.flatnonzero(~np.isnan(Y[:, r])))


def mirror_on_shared_items(K, noise_std, Y, r):
    others = np.delete(Y, r, axis=1)
    shared = ~np.isnan(Y[:, r]) & ~np.isnan(others).all(axis=1)
    return _mirror(K, noise_std, Y, r, np.nanmean(others), np.flatnonzero(shared))


def panel_with_noise_of_the_region(mean, covariance, bias, noise_std, regions, raters):
    regions, raters = np.asarray(regions), np.asarray(raters)
    noise = (noise_std[:, raters] ** 2).sum(axis=1)[regions] / len(raters) ** 2
    same = regions[:, None] == regions
    return mean + bias[raters].mean(), covariance + same * noise


def panel_with_the_mean_noise(mean, covariance, bias, noise_std, regions, raters):
    raters = np.asarray(raters)
    noise = noise_std[:, raters].mean(axis=1)[np.asarray(regions)] / np.sqrt(len(raters))
    return mean + bias[raters].mean(), covariance + np.diag(noise**2)


def _raw_noises(Y, mean, variance, regions):
    """Raw noises and numbers of answers, (K, R) each."""
    square = (Y - mean[:, None]) ** 2 + variance[:, None]
    member = (np.asarray(regions) == np.arange(np.max(regions) + 1)[:, None]).astype(float)
    counts = member @ ~np.isnan(Y)
    with np.errstate(all="ignore"):
        return np.sqrt(member @ np.nan_to_num(square) / counts), counts


def _shrink(raw, counts, spread, weights):
    """Shrunk noises, given the weights of the level."""
    log_raw = np.log(np.where(counts > 0, raw, 1))
    level = np.sum(weights * log_raw, axis=0) / np.sum(weights, axis=0)
    return np.exp((2 * counts * log_raw + level / spread**2) / (2 * counts + 1 / spread**2))


def step_one_answer_says_nothing(Y, mean, variance, regions, spread):
    raw, counts = _raw_noises(Y, mean, variance, regions)
    lonely = (counts == 1) & (counts.max(axis=0) > 1)
    raw, counts = np.where(lonely, np.nan, raw), np.where(lonely, 0, counts)
    weights = np.where(counts > 0, 1 / (spread**2 + 1 / (2 * np.maximum(counts, 1))), 0)
    return raw, _shrink(raw, counts, spread, weights)


def step_level_weighted_like_the_noise(Y, mean, variance, regions, spread):
    raw, counts = _raw_noises(Y, mean, variance, regions)
    return raw, _shrink(raw, counts, spread, np.where(counts > 0, 2 * counts + 1 / spread**2, 0))


def _biases(K, noise_std, Y):
    """Biases and their covariance by generalised least squares."""
    items, raters = np.nonzero(~np.isnan(Y))
    B = (raters[:, None] == np.arange(Y.shape[1])).astype(float)
    C = K[np.ix_(items, items)] + np.diag(noise_std[raters] ** 2)
    M = np.linalg.pinv(B.T @ np.linalg.solve(C, B))
    return M @ B.T @ np.linalg.solve(C, Y[items, raters]), M


def _differences(M):
    """Standard errors of all differences."""
    variances = np.diag(M)[:, None] + np.diag(M) - 2 * M
    return np.sqrt(np.maximum(variances, 0))


def biases_round_their_mean(K, noise_std, Y):
    biases, M = _biases(K, noise_std, Y)
    return biases - biases.mean(), _differences(M)


def biases_from_shared_items(K, noise_std, Y):
    shared = (~np.isnan(Y)).sum(axis=1) > 1
    if not (~np.isnan(Y[shared])).any(axis=0).all():
        shared[:] = True
    biases, M = _biases(K[np.ix_(shared, shared)], noise_std, Y[shared])
    return biases, _differences(M)


# ---------------------------------------------------------------------------------------------------- right answers


def mirror_answer_by_answer(K, noise_std, Y, r):
    c = np.nanmean(np.delete(Y, r, axis=1))

    def learn(mean, covariance, n, deviation, noise):
        """Log density of one answer, and what is believed after it."""
        column, spread = covariance[:, n], covariance[n, n] + noise**2
        off = deviation - mean[n]
        log_p = -0.5 * (off**2 / spread + np.log(2 * np.pi * spread))
        return log_p, mean + column / spread * off, covariance - np.outer(column, column) / spread

    mean, covariance = np.zeros(len(K)), np.array(K, dtype=float)
    for n, s in np.argwhere(~np.isnan(Y)):
        if s != r:
            _, mean, covariance = learn(mean, covariance, n, Y[n, s] - c, noise_std[s])

    def heard(sign):
        """Log density of his answers, held up straight or turned round."""
        m, V, total = mean, covariance, 0.0
        for n in np.flatnonzero(~np.isnan(Y[:, r])):
            log_p, m, V = learn(m, V, n, sign * (Y[n, r] - c), noise_std[r])
            total += log_p
        return total

    return float(heard(1) - heard(-1))


def panel_from_all_marks(mean, covariance, bias, noise_std, regions, raters):
    raters = list(raters)
    q, R = len(mean), len(raters)
    average = np.kron(np.eye(q), np.full((1, R), 1 / R))  # from all marks to the means
    marks = (np.asarray(mean, dtype=float)[:, None] + np.asarray(bias)[raters]).ravel()
    noises = np.concatenate([np.asarray(noise_std)[k, raters] for k in regions])
    among = np.kron(covariance, np.ones((R, R))) + np.diag(noises**2)
    return average @ marks, average @ among @ average.T


def step_by_normal_equations(Y, mean, variance, regions, spread):
    K, R = int(max(regions)) + 1, Y.shape[1]
    raw, shrunk = np.full((K, R), np.nan), np.empty((K, R))
    for r in range(R):
        A, b = np.zeros((K + 1, K + 1)), np.zeros(K + 1)  # log σ in each region, and the level
        for k in range(K):
            A[np.ix_([k, K], [k, K])] += np.array([[1, -1], [-1, 1]]) / spread**2
            squares = [
                (Y[n, r] - mean[n]) ** 2 + variance[n] for n in range(len(Y)) if regions[n] == k and Y[n, r] == Y[n, r]
            ]
            if squares:
                raw[k, r] = np.sqrt(sum(squares) / len(squares))
                A[k, k] += 2 * len(squares)
                b[k] = 2 * len(squares) * np.log(raw[k, r])
        shrunk[:, r] = np.exp(np.linalg.solve(A, b)[:K])
    return raw, shrunk


def biases_by_one_least_squares(K, noise_std, Y):
    values, vectors = np.linalg.eigh(K)
    root = vectors * np.sqrt(np.clip(values, 0, None))  # z = root u with u ~ N(0, 1)
    items, raters = np.nonzero(~np.isnan(Y))
    noise = np.asarray(noise_std, dtype=float)[raters]
    n, R = Y.shape
    B = np.eye(R)[raters]
    top = np.hstack([root[items], B, Y[items, raters][:, None]]) / noise[:, None]
    bottom = np.hstack([np.eye(n), np.zeros((n, R + 1))])
    triangle = np.linalg.qr(np.vstack([top, bottom]), mode="r")[n : n + R, n:]
    back = np.linalg.inv(triangle[:, :R])
    rows = back[:, None, :] - back[None, :, :]
    return back @ triangle[:, R], np.linalg.norm(rows, axis=2)


WRONG = [
    ("combine_raters", "gaps become zeros, so a mark of exactly 0 is a gap as well", combine_zero_is_a_gap),
    ("combine_raters", "wider by √(χ²/(R − 1)) where raters disagree", combine_with_a_scale_factor),
    ("noise_slope", "V_nn of the first items, not of those he answered", slope_with_the_first_variances),
    ("noise_slope", "the sum of all of V instead of its trace", slope_with_all_covariances),
    ("mirror_log_ratio", "c is the mean of the items' means: right for a full table", mirror_at_the_mean_of_means),
    ("mirror_log_ratio", "only items that somebody else answered as well", mirror_on_shared_items),
    ("panel_prediction", "one noise for a whole region: its items share it", panel_with_noise_of_the_region),
    ("panel_prediction", "(mean of the σ)²/R: right for equal noises", panel_with_the_mean_noise),
    ("noise_step", "one answer has no spread: the cell counts as empty", step_one_answer_says_nothing),
    ("noise_step", "the level weighted by 2 m + 1/s²: right for equal m", step_level_weighted_like_the_noise),
    ("rater_biases", "biases with their mean taken off, as only differences are known", biases_round_their_mean),
    ("rater_biases", "items with one answer left out: they compare nobody", biases_from_shared_items),
]
RIGHT = [
    ("mirror_log_ratio", "the chain rule, one answer after the other, in both worlds", mirror_answer_by_answer),
    ("panel_prediction", "the covariance of every mark, and a matrix that averages", panel_from_all_marks),
    ("noise_step", "noises and level from one set of normal equations", step_by_normal_equations),
    ("rater_biases", "values and biases by one QR of an augmented least squares", biases_by_one_least_squares),
]
