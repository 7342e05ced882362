"""Reference of task 4, gp_with_mean."""

import numpy as np

SEED = 504


def answer(K, noise_std, y, K_cross, prior_variance):
    """The best linear prediction whose weights sum to 1, by Lagrange; the level likewise, for something unrelated."""
    n, C = len(y), K + np.diag(noise_std**2)
    bordered = np.zeros((n + 1, n + 1))
    bordered[:n, :n], bordered[n, :n], bordered[:n, n] = C, 1, 1
    means, variances = [], []
    for k, v in zip(K_cross.T, prior_variance, strict=True):
        w = np.linalg.solve(bordered, [*k, 1.0])[:n]
        means.append(w @ y)
        variances.append(v - 2 * w @ k + w @ C @ w)
    level = np.linalg.solve(bordered, [*np.zeros(n), 1.0])[:n] @ y
    return float(level), np.array(means), np.array(variances)


def way(K, noise_std, y, K_cross, prior_variance):
    inverse = np.linalg.inv(K + np.diag(noise_std**2))
    yield "1ᵀ C⁻¹ y", inverse.sum(axis=0) @ y
    yield "1ᵀ C⁻¹ 1", inverse.sum()
    level = inverse.sum(axis=0) @ y / inverse.sum()
    yield "level", level
    yield "kᵀ C⁻¹ (y − level) at each new input", K_cross.T @ inverse @ (y - level)
    yield "1 − 1ᵀ C⁻¹ k", 1 - inverse.sum(axis=0) @ K_cross
