"""Hidden cases of task 2, told_beforehand."""

import numpy as np
from scipy.stats import norm

from course_checks import Case


def by_precision(mean, cov, places, low, high):
    """Precisions add, place by place, and what they say is added to precision times mean."""
    precision = np.linalg.inv(cov)
    pull = precision @ mean
    for j, a, b in zip(places, low, high, strict=True):
        lower, upper = norm.ppf(min(max(a, 0.001), 0.999)), norm.ppf(min(max(b, 0.001), 0.999))
        weight = (2 * norm.ppf(0.975) / (upper - lower)) ** 2
        precision[j, j] += weight
        pull[j] += weight * (lower + upper) / 2
    after = np.linalg.inv(precision)
    m = after @ pull
    return m, after, norm.sf(0.0, m, np.sqrt(1 + np.diag(after)))


def problem(rng, q, k):
    F = rng.normal(size=(q, q + 2))
    middle, half = rng.uniform(0.1, 0.9, k), rng.uniform(0.03, 0.3, k)
    low, high = np.clip(middle - half, 0, 1).round(3), np.clip(middle + half, 0, 1).round(3)
    return rng.normal(size=q).round(2), np.round(F @ F.T / q, 3), rng.integers(0, q, k), low, high


rng = np.random.default_rng(1302)
inputs = [problem(rng, *sizes) for sizes in ((2, 1), (4, 2), (6, 4), (3, 5))]
inputs.append((np.array([0.2, 1.0]), np.array([[0.9, 0.5], [0.5, 1.7]]), np.array([1]), np.zeros(1), np.array([0.4])))
inputs.append(
    (np.array([-0.3, 0.6]), np.array([[1.4, -0.2], [-0.2, 0.7]]), np.zeros(0, int), np.zeros(0), np.zeros(0))
)
CASES = [Case(f"random {k}", given, by_precision(*given), 1e-4) for k, given in enumerate(inputs)]
