"""Reference of task 2, joint_evidence."""

import numpy as np
from scipy.stats import multivariate_normal

SEED = 802


def answer(K, noise_std, Y):
    """The definition: one row and one column for every answer."""
    of, by = np.nonzero(~np.isnan(Y))
    C = K[np.ix_(of, of)] + np.diag(np.full(len(of), noise_std**2))
    return float(multivariate_normal.logpdf(Y[of, by], cov=C))


def way(K, noise_std, Y):
    if len(K) > 2:
        return
    rows = [row[~np.isnan(row)] for row in Y]
    R, means, spread = (np.array([part(row) for row in rows]) for part in (len, np.mean, np.var))
    C = K + np.diag(noise_std**2 / R)
    of_means = float(multivariate_normal.logpdf(means, cov=C))
    yield "R_n", R
    yield "ȳ_n", means
    yield "SS_n", R * spread
    yield "C", C
    yield "log N(ȳ | 0, C)", of_means
    yield "log of the factor", answer(K, noise_std, Y) - of_means
