"""Hidden cases of task 5, truncated_mean."""

import numpy as np
from scipy.stats import norm

from course_checks import Case


def twice(mean, variance, precision):
    x, w = np.polynomial.legendre.leggauss(300)
    outer = w * norm.pdf(8 * x)
    mode = norm.cdf(mean + 8 * x * np.sqrt(variance))
    start, end = np.maximum(0, mode - 9 / precision), np.minimum(1, mode + 9 / precision)
    y = (end + start)[:, None] / 2 + (end - start)[:, None] / 2 * x
    density = w * norm.pdf(precision * (y - mode[:, None]))
    return float(outer @ ((density * y).sum(axis=1) / density.sum(axis=1)) / outer.sum())


inputs = (
    (-9.0, 0.0, 5.0),
    (0.3, 0.0, 3.0),
    (1.2, 0.7, 6.0),
    (-0.6, 2.0, 1.0),
    (0.9, 0.1, 40.0),
    (-2.2, 0.9, 15.0),
    (0.4, 1.2, 800.0),
    (1.5, 0.5, 0.3),
)
CASES = [Case(f"hidden {k}", given, twice(*given), 1e-6) for k, given in enumerate(inputs)]
