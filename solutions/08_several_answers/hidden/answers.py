"""Reference of task 3, predict_answers."""

import numpy as np

SEED = 803


def answer(K, noise_std, Y, K_cross, prior_variance, n_raters):
    """All answers, old and new, in one Gaussian; the new ones are conditioned on the old, then averaged."""
    items, raters = np.where(np.isfinite(Y))
    C, rows = K[np.ix_(items, items)] + noise_std**2 * np.eye(len(items)), []
    for k, prior in zip(K_cross[items].T, prior_variance, strict=True):
        gain = np.linalg.solve(C, k)
        v = prior - gain @ k
        new = np.full((n_raters, n_raters), v) + noise_std**2 * np.eye(n_raters)
        weights = np.full(n_raters, 1 / n_raters)
        rows.append((gain @ Y[items, raters], v, np.sqrt(new[0, 0]), np.sqrt(weights @ new @ weights)))
    return tuple(np.array(rows).T)


def way(K, noise_std, Y, K_cross, prior_variance, n_raters):
    if len(K) > 2:
        return
    R = np.isfinite(Y).sum(axis=1)
    C = K + np.diag(noise_std**2 / R)
    yield "R_n", R
    yield "ȳ_n", np.nanmean(Y, axis=1)
    yield "C", C
    yield "kᵀ C⁻¹ k", np.diag(K_cross.T @ np.linalg.inv(C) @ K_cross)
    yield "noise of the panel's mean", noise_std / n_raters**0.5
