"""Reference of task 3, laplace_one."""

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

SEED = 603


def answer(log_p, d1, d2, m, v):
    """The mode by bisection of the slope, beside the highest point of a grid; None if there is another maximum."""
    grid = m + np.sqrt(v) * np.linspace(-12, 12, 20_001)
    if (np.diff(np.sign(d1(grid) - (grid - m) / v)) != 0).sum() != 1:
        return None  # ambiguous
    k = int(np.argmax(log_p(grid) + norm.logpdf(grid, m, np.sqrt(v))))
    mode = brentq(lambda g: d1(g) - (g - m) / v, grid[k - 1], grid[k + 1], xtol=1e-14)
    variance = v / (1 - v * d2(mode))
    evidence = log_p(mode) + norm.logpdf(mode, m, np.sqrt(v)) - norm.logpdf(0, 0, np.sqrt(variance))
    return float(mode), float(variance), float(evidence)


def way(log_p, d1, d2, m, v):
    """Where the climb begins, and the parts of variance and evidence at the mode."""
    mode, *_ = answer(log_p, d1, d2, m, v)
    yield "slope of h at m", d1(m)
    yield "curvature of h at m", d2(m) - 1 / v
    yield "curvature of h at the mode", d2(mode) - 1 / v
    yield "log p at the mode", log_p(mode)
    yield "log N at the mode", norm.logpdf(mode, m, np.sqrt(v))
