"""Hidden cases of task 3, laplace_one."""

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from course_checks import Case
from course_checks.hw06_approximate_inference import choice, choices, lapsing_choice, mostly_careful, normal, waits


def with_a_grid(log_p, d1, d2, m, v):
    """The mode by bisection of the slope, beside the highest point of a grid."""
    grid = m + np.sqrt(v) * np.linspace(-12, 12, 20_001)
    k = int(np.argmax(log_p(grid) + norm.logpdf(grid, m, np.sqrt(v))))
    mode = brentq(lambda g: d1(g) - (g - m) / v, grid[k - 1], grid[k + 1], xtol=1e-14)
    variance = v / (1 - v * d2(mode))
    return mode, variance, log_p(mode) + norm.logpdf(mode, m, np.sqrt(v)) - norm.logpdf(0, 0, np.sqrt(variance))


inputs = (
    (*normal(-1.0, 0.8), 0.3, 1.7),
    (*choice(-1), 1.2, 5.0),
    (*choice(-1), 14.0, 9.0),
    (*choices(17, 4), -6.0, 2.5),
    (*lapsing_choice(1, 0.02), -2.5, 4.0),
    (*lapsing_choice(-1, 0.1), 3.2, 6.0),
    (*mostly_careful(1.0, 0.3, 10, 0.1), 0.0, 1.0),
    (*mostly_careful(-2.2, 0.4, 8, 0.15), -0.4, 2.6),
    (*waits(250, 0.8), -7.0, 5.0),
    (*waits(2, 5.0), 26.0, 16.0),
    (*waits(150, 2.0), -8.0, 6.0),
    (*waits(200, 3.0), -9.0, 3.0),
    (*waits(500, 0.5), -5.0, 9.0),
    (*lapsing_choice(1, 0.05), -2.8, 7.0),
    (*mostly_careful(-1.0, 0.4, 8, 0.15), 0.1, 0.06),
    (*mostly_careful(0.5, 0.15, 12, 0.1), 0.0, 0.2),
    (*waits(302, 0.8), -8.5, 4.7),
    (*waits(133, 2.4), -4.9, 3.3),
)
CASES = [Case(f"case {k}", given, with_a_grid(*given), 1e-6) for k, given in enumerate(inputs)]
