"""Hidden cases of task 2, log_density_of_known."""

import numpy as np
from scipy.stats import multivariate_normal

from course_checks import Case


def known_case(rng, size, n_known, unit, shift):
    roots = rng.normal(0, unit, (size, size + 2))
    mean, covariance = rng.normal(2 * unit, 3 * unit, size), roots @ roots.T
    frame = mean + shift * roots @ rng.normal(0, 1, size + 2)
    here = np.sort(rng.permutation(size)[:n_known])
    holes = np.full(size, np.nan)
    holes[here] = frame[here]
    block = covariance[here][:, here]
    log_density = multivariate_normal.logpdf(frame[here], mean[here], block) if n_known else 0.0
    return Case(f"random {n_known} of {size}, {unit}", (holes, mean, covariance), float(log_density), 1e-7)


rng = np.random.default_rng(202)
sizes = ((2, 2, 1.5, 1), (3, 2, 2.0, 1), (4, 1, 0.1, 1), (4, 0, 3.0, 1), (6, 3, 20.0, 1), (5, 4, 0.7, 90))
sizes += ((60, 45, 1e-5, 1), (3, 1, 5.0, 100), (8, 5, 0.3, 2))
CASES = [known_case(rng, *size) for size in sizes]
