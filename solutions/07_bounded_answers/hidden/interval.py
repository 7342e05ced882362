"""Hidden cases of task 4, predictive_interval."""

import numpy as np
from scipy.special import betainc
from scipy.stats import norm

from course_checks import Case


def halving(mean, variance, precision, level):
    x, w = np.polynomial.legendre.leggauss(700)
    w = w * norm.pdf(8.5 * x) / (w * norm.pdf(8.5 * x)).sum()
    g = mean + 8.5 * x * np.sqrt(variance)
    a, b, ends = precision * norm.cdf(g), precision * norm.sf(g), []
    for p in (0.5 - level / 2, 0.5 + level / 2):
        low, high = 0.0, 1.0
        for _ in range(45):
            middle = (low + high) / 2
            low, high = (middle, high) if w @ betainc(a, b, middle) < p else (low, middle)
        ends.append(float(low))
    return tuple(ends)


inputs = (
    (0.7, 0.0, 9.0, 0.8),
    (-0.4, 0.3, 15.0, 0.95),
    (1.4, 0.8, 6.0, 0.6),
    (0.1, 1.7, 25.0, 0.9),
    (-1.0, 0.05, 400.0, 0.5),
    (0.6, 0.2, 900.0, 0.9),
    (-0.2, 0.6, 1.5, 0.7),
)
CASES = [Case(f"hidden {k}", given, halving(*given), 1e-5) for k, given in enumerate(inputs)]
