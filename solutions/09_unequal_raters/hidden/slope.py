"""Hidden cases of task 2, noise_slope."""

import numpy as np

from course_checks import Case


def problem(rng, n, R, r):
    """Arguments for rater r, and the slope of the dense joint Gaussian by a step into the complex plane."""
    factors = rng.normal(size=(n, n + 1))
    K, noise = factors @ factors.T, rng.uniform(0.4, 2, R)
    gone = rng.random((n, R)) < 0.3
    gone[rng.integers(n, size=R), np.arange(R)] = False
    Y = np.where(gone, np.nan, 3 * rng.normal(size=(n, R)))
    item, rater = np.nonzero(~gone)
    y = Y[item, rater]

    def covariance(log_noise):
        return K[np.ix_(item, item)] + np.diag(np.exp(2 * log_noise)[rater])

    step = np.log(noise) + 1e-30j * (np.arange(R) == r)
    C = covariance(step)
    slope = (-0.5 * (y @ np.linalg.solve(C, y) + np.log(np.linalg.det(C)))).imag / 1e-30
    gain = np.linalg.solve(covariance(np.log(noise)), K[item]).T
    return (Y[:, r], gain @ y, K - gain @ K[item], float(noise[r])), float(slope)


rng = np.random.default_rng(902)
problems = [problem(rng, *sizes) for sizes in ((2, 2, 0), (4, 3, 2), (5, 2, 1), (7, 4, 0), (3, 5, 4))]
CASES = [Case(f"random {k}", given, slope, 1e-7) for k, (given, slope) in enumerate(problems)]
