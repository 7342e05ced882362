"""Reference of task 3, mirror_log_ratio."""

import numpy as np
from scipy.stats import multivariate_normal

SEED = 903


def answer(K, noise_std, Y, r):
    """The joint Gaussian of everybody's answers, once with his factor +1 and once with −1."""
    item, rater = np.nonzero(~np.isnan(Y))
    y = Y[item, rater] - np.nanmean(np.delete(Y, r, axis=1))
    total = 0.0
    for sign in (1.0, -1.0):
        factor = np.where(rater == r, sign, 1.0)
        C = factor[:, None] * K[np.ix_(item, item)] * factor + np.diag(noise_std[rater] ** 2)
        total += sign * multivariate_normal.logpdf(y, cov=C)
    return float(total)


def way(K, noise_std, Y, r):
    """The posterior of f from the others' answers, from all of them at once."""
    others = np.delete(Y, r, axis=1)
    item, rater = np.nonzero(~np.isnan(others))
    c, his = float(others[item, rater].mean()), ~np.isnan(Y[:, r])
    C = K[np.ix_(item, item)] + np.diag(np.delete(noise_std, r)[rater] ** 2)
    weights = np.linalg.solve(C, K[item][:, his]).T
    S = K[np.ix_(his, his)] - weights @ K[item][:, his] + noise_std[r] ** 2 * np.eye(his.sum())
    yield "c", c
    yield "m of the items he answered", weights @ (others[item, rater] - c)
    yield "his answers − c", Y[his, r] - c
    yield "S", S
