"""The toys of Nielsen et al. (2011) and Nielsen et al. (2012): all pairs of a few items, answered without noise.

Lecture: 11, sections 4, 7 and 12.
"""

import numpy as np

from course_lib import validation
from course_lib.gp import SquaredExponential
from course_lib.gp.sites import symmetric_root
from course_lib.judgments.comparisons.pairs import Compare, all_pairs, told_apart


def cosine_toy():
    """The toy of Nielsen et al. (2011): a cosine at 17 inputs on [−2π, 2π], all pairs of them, answers without
    noise; no ties (22 pairs).

    Source: Nielsen et al. (2011), section 3.1.
    """
    X = np.linspace(-2 * np.pi, 2 * np.pi, 17)[:, None]
    f = np.cos(X[:, 0])
    pairs, choices = told_apart(f)
    return Compare(X, f, pairs, 0.5 * (1 + choices), choices)


def paper_c_toy(n=31, lengthscale=0.5, rng=None):
    """The toy of Nielsen et al. (2012): n equidistant inputs on [0, 4], one smooth function, all their pairs,
    answers without noise.

    Source: Nielsen et al. (2012), section 3.1 and figure 1(a), with the inputs of Nielsen (2015).
    """
    X = np.linspace(0.0, 4.0, validation.integer(n, "n", least=2))[:, None]
    f = symmetric_root(SquaredExponential(1.0, lengthscale)(X)) @ validation.generator(rng).normal(size=len(X))
    pairs = all_pairs(len(X))
    choices = np.where(f[pairs[:, 1]] > f[pairs[:, 0]], 1.0, -1.0)
    return Compare(X, f, pairs, 0.5 * (1 + choices), choices)
