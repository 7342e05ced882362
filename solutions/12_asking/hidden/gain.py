"""Hidden cases of task 1, three_numbers."""

import numpy as np
from scipy.stats import norm, truncnorm

from course_checks import Case


def from_the_cut_normal(mean, cov, best):
    """The mean of what is cut off at 0 first, then the share of it."""
    told = []
    for j in range(len(mean)):
        turn = np.zeros(len(mean))
        turn[j] += 1.0
        turn[best] -= 1.0
        centre, width = turn @ mean, np.sqrt(max(turn @ cov @ turn, 0.0))
        if width == 0.0:
            told.append((float(centre > 0), max(centre, 0.0), max(centre, 0.0)))
        else:
            share = norm.sf(0.0, centre, width)
            inside = truncnorm.mean(-centre / width, np.inf, centre, width)
            told.append((share, share * inside, inside))
    return tuple(np.array(told).T)


def problem(rng, q, scale):
    F = rng.normal(size=(q, q + 1))
    return scale * rng.normal(size=q), np.round(F @ F.T, 3), int(rng.integers(q))


rng = np.random.default_rng(1201)
inputs = [problem(rng, *sizes) for sizes in ((2, 1.0), (4, 2.0), (7, 0.4), (5, 3.0))]
inputs.append((np.array([0.25, -0.5, 1.75]), np.full((3, 3), 0.75), 1))
CASES = [Case(f"random {k}", given, from_the_cut_normal(*given), 1e-8) for k, given in enumerate(inputs)]
