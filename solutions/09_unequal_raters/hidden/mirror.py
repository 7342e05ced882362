"""Hidden cases of task 3, mirror_log_ratio."""

import numpy as np
from scipy.stats import multivariate_normal

from course_checks import Case


def two_stories(K, noise_std, Y, r):
    """The joint Gaussian of everybody's answers, once with his factor +1 and once with −1."""
    item, rater = np.nonzero(~np.isnan(Y))
    y = Y[item, rater] - np.nanmean(np.delete(Y, r, axis=1))
    total = 0.0
    for sign in (1.0, -1.0):
        factor = np.where(rater == r, sign, 1.0)
        C = factor[:, None] * K[np.ix_(item, item)] * factor + np.diag(noise_std[rater] ** 2)
        total += sign * multivariate_normal.logpdf(y, cov=C)
    return float(total)


def problem(rng, n, R, r):
    factors = rng.normal(size=(n, n - (n > 5)))  # of many items, a singular K
    K, noise = factors @ factors.T, rng.uniform(0.4, 2, R)
    z = rng.uniform(-5, 5) + factors @ rng.normal(size=factors.shape[1])
    Y = z[:, None] + noise * rng.normal(size=(n, R))
    if rng.random() < 0.5:
        Y[:, r] = 2 * z.mean() - Y[:, r]
    gone = rng.random((n, R)) < 0.3
    gone[rng.integers(n, size=R), np.arange(R)] = False
    return K, noise, np.where(gone, np.nan, Y), r


rng = np.random.default_rng(903)
inputs = [problem(rng, *sizes) for sizes in ((3, 2, 0), (4, 3, 2), (5, 4, 1), (7, 3, 0), (6, 5, 4))]
CASES = [Case(f"random {k}", given, two_stories(*given), 1e-7) for k, given in enumerate(inputs)]
