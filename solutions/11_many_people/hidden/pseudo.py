"""Reference of task 3, pseudo_choices."""

import numpy as np
from scipy.stats import norm

SEED = 1103


def answer(K, Z, u, pairs, noise_std):
    """Each noisy difference as one more coordinate of a joint Gaussian, conditioned through its precision matrix."""
    told = []
    for a, b in pairs:
        view = np.vstack([np.eye(len(K))[b] - np.eye(len(K))[a], np.eye(len(K))[Z]])
        joint = view @ K @ view.T
        joint[0, 0] += 2 * noise_std**2
        precision = np.linalg.inv(joint)
        mean, variance = -precision[0, 1:] @ u / precision[0, 0], 1 / precision[0, 0]
        told.append((mean, max(variance - 2 * noise_std**2, 0.0), norm.sf(0.0, mean, np.sqrt(variance))))
    return tuple(np.array(told).T)


def way(K, Z, u, pairs, noise_std):
    """What u says of the items, and of the first pair."""
    gain = np.linalg.solve(K[np.ix_(Z, Z)], K[Z])
    left, (a, b) = K - K[:, Z] @ gain, pairs[0]
    yield "K_ZZ⁻¹ u", np.linalg.solve(K[np.ix_(Z, Z)], u)
    yield "μ of all items", u @ gain
    yield "Σ_aa of the first pair", max(left[a, a], 0.0)
    yield "Σ_bb", max(left[b, b], 0.0)
    yield "Σ_ab", 0.0 if a in Z or b in Z else left[a, b]
