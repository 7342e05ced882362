"""Reference of task 3, leave_one_out."""

import numpy as np
from scipy.stats import norm

SEED = 503


def answer(K, noise_std, y):
    C = K + np.diag(noise_std**2)
    means, spreads = [], []
    for i in range(len(y)):
        rest = [j for j in range(len(y)) if j != i]
        gain = np.linalg.solve(C[np.ix_(rest, rest)], C[rest, i])
        means.append(gain @ y[rest])
        spreads.append(C[i, i] - gain @ C[rest, i])
    return np.array(means), np.array(spreads), float(norm.logpdf(y, means, np.sqrt(spreads)).sum())


def way(K, noise_std, y):
    C = K + np.diag(noise_std**2)
    means, spreads, _ = answer(K, noise_std, y)
    yield "α = C⁻¹ y", np.linalg.solve(C, y)
    yield "diagonal of C⁻¹", np.diag(np.linalg.inv(C))
    yield "log p(y_i | others)", norm.logpdf(y, means, np.sqrt(spreads))
