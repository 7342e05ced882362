"""Hidden cases of task 3, degree_slopes."""

import numpy as np

from course_checks import Case
from course_lib.gp import Beta
from course_lib.judgments import Comparison


def by_scalar_views(f, pairs, degrees, noise_std, precision):
    """The library's derivatives by g, brought to f one answer after the other."""
    gradient, W = np.zeros(len(f)), np.zeros((len(f), len(f)))
    _, first, second, _ = Comparison(Beta(precision), noise_std).derivatives(degrees, f[pairs[:, 1]] - f[pairs[:, 0]])
    for (a, b), one, two in zip(pairs, first, second, strict=True):
        gradient[[a, b]] += [-one, one]
        W[np.ix_([a, b], [a, b])] -= two * np.array([[1, -1], [-1, 1]])
    return gradient, W


def problem(rng, n, m):
    a = rng.integers(n, size=m)
    pairs = np.column_stack([a, (a + rng.integers(1, n, size=m)) % n])
    f, noise = 0.7 * rng.normal(size=n), float(rng.uniform(0.5, 1.8))
    return f, pairs, rng.uniform(0.05, 0.95, m), noise, float(rng.uniform(2.5, 15))


rng = np.random.default_rng(1003)
inputs = [problem(rng, *sizes) for sizes in ((2, 2), (3, 7), (5, 6), (4, 12), (7, 5))]
CASES = [Case(f"random {k}", given, by_scalar_views(*given), 1e-7) for k, given in enumerate(inputs)]
