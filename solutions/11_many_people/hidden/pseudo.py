"""Hidden cases of task 3, pseudo_choices."""

import numpy as np
from scipy.stats import norm

from course_checks import Case


def conditioned(K, Z, u, pairs, noise_std):
    """Each noisy difference as one more coordinate of a joint Gaussian, conditioned through its precision matrix."""
    told = []
    for a, b in pairs:
        view = np.vstack([np.eye(len(K))[b] - np.eye(len(K))[a], np.eye(len(K))[Z]])
        joint = view @ K @ view.T
        joint[0, 0] += 2 * noise_std**2
        precision = np.linalg.inv(joint)
        mean, variance = -precision[0, 1:] @ u / precision[0, 0], 1 / precision[0, 0]
        told.append((mean, variance - 2 * noise_std**2, norm.sf(0.0, mean, np.sqrt(variance))))
    return tuple(np.array(told).T)


def problem(rng, n, M, m):
    F = rng.normal(size=(n, n + 2))
    pairs = np.array([rng.choice(n, 2, replace=False) for _ in range(m)])
    return F @ F.T, rng.permutation(n)[:M], 2 * rng.normal(size=M), pairs, float(rng.uniform(0.4, 2.5))


rng = np.random.default_rng(1103)
inputs = [problem(rng, *sizes) for sizes in ((3, 1, 2), (5, 2, 4), (6, 4, 5), (9, 3, 8), (4, 4, 3))]
CASES = [Case(f"random {k}", given, conditioned(*given), 1e-8) for k, given in enumerate(inputs)]
