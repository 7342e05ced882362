"""Hidden cases of task 6, rater_biases."""

import numpy as np

from course_checks import Case


def unbiased(K, noise_std, Y):
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


def problem(rng, n, R, d):
    factors = rng.normal(size=(n, d))
    gone = rng.random((n, R)) < 0.4
    gone[rng.integers(n, size=R), np.arange(R)] = False
    return factors @ factors.T, rng.uniform(0.4, 2, R), np.where(gone, np.nan, 5 + 3 * rng.normal(size=(n, R)))


rng = np.random.default_rng(906)
inputs = [problem(rng, *sizes) for sizes in ((3, 2, 4), (4, 3, 2), (6, 4, 8), (5, 2, 3), (7, 5, 7), (2, 3, 2))]
CASES = [Case(f"random {k}", given, unbiased(*given), 1e-7) for k, given in enumerate(inputs)]
