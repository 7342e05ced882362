"""Reference of task 2, posterior."""

import numpy as np
from scipy.stats import multivariate_normal

SEED = 502


def answer(K, noise_std, y, K_cross, prior_variance):
    """One new input at a time: the joint Gaussian of (y, f), from the blocks of its inverse."""
    C, n = K + np.diag(noise_std**2), len(y)
    means, variances = [], []
    for k, v in zip(K_cross.T, prior_variance, strict=True):
        precision = np.linalg.inv(np.block([[C, k[:, None]], [k[None], np.array([[v]])]]))
        means.append(-precision[n, :n] @ y / precision[n, n])
        variances.append(1 / precision[n, n])
    return np.array(means), np.array(variances), float(multivariate_normal.logpdf(y, cov=C))


def way(K, noise_std, y, K_cross, prior_variance):
    C = K + np.diag(noise_std**2)
    yield "C⁻¹ y", np.linalg.solve(C, y)
    yield "kᵀ C⁻¹ k at each new input", (K_cross * np.linalg.solve(C, K_cross)).sum(axis=0)
    yield "yᵀ C⁻¹ y", y @ np.linalg.solve(C, y)
    yield "log det C", np.linalg.slogdet(C)[1]
