"""Hidden cases of task 4, panel_prediction."""

import numpy as np

from course_checks import Case


def all_marks(mean, covariance, bias, noise_std, regions, raters):
    """The joint Gaussian of all marks of the panel, and averaging as a matrix."""
    q, n = len(mean), len(raters)
    average = np.kron(np.eye(q), np.full((1, n), 1 / n))
    marks = np.kron(covariance, np.ones((n, n)))
    marks += np.diag([noise_std[k, r] ** 2 for k in regions for r in raters])
    centres = np.array([one + bias[r] for one in mean for r in raters])
    return average @ centres, average @ marks @ average.T


def problem(rng, q, K, R, n):
    factors = rng.normal(size=(q, q))
    noise_std, bias = rng.uniform(0.3, 3, (K, R)), 3 * rng.normal(size=R)
    raters = [int(r) for r in rng.permutation(R)[:n]]
    return rng.normal(5, 3, q), factors @ factors.T, bias, noise_std, rng.integers(K, size=q), raters


rng = np.random.default_rng(904)
inputs = [problem(rng, *sizes) for sizes in ((3, 2, 4, 2), (5, 3, 6, 3), (2, 4, 3, 1), (4, 2, 7, 5), (6, 5, 4, 4))]
CASES = [Case(f"random {k}", given, all_marks(*given)) for k, given in enumerate(inputs)]
