"""Reference of task 6, rater_biases."""

import numpy as np

SEED = 906


def answer(K, noise_std, Y):
    """The unbiased weights of least variance, by Lagrange; then each difference from its weights."""
    item, rater = np.nonzero(~np.isnan(Y))
    y, R = Y[item, rater], Y.shape[1]
    C = K[np.ix_(item, item)] + np.diag(noise_std[rater] ** 2)
    saddle = np.zeros((len(y) + R, len(y) + R))
    saddle[: len(y), : len(y)] = C
    for k, r in enumerate(rater):
        saddle[k, len(y) + r] = saddle[len(y) + r, k] = 1.0
    weights = np.linalg.solve(saddle, np.vstack([np.zeros((len(y), R)), np.eye(R)]))[: len(y)].T
    errors = np.zeros((R, R))
    for r in range(R):
        for s in range(R):
            apart = weights[r] - weights[s]
            errors[r, s] = np.sqrt(apart @ C @ apart)
    return weights @ y, errors


def way(K, noise_std, Y):
    """The matrices of generalised least squares."""
    item, rater = np.nonzero(~np.isnan(Y))
    C = K[np.ix_(item, item)] + np.diag(noise_std[rater] ** 2)
    B = np.eye(Y.shape[1])[rater]
    information = B.T @ np.linalg.solve(C, B)
    yield "y", Y[item, rater]
    yield "the first row of C", C[0]
    yield "BᵀC⁻¹B", information
    yield "BᵀC⁻¹y", B.T @ np.linalg.solve(C, Y[item, rater])
    yield "M", np.linalg.inv(information)
