"""Hidden cases of task 1, pooled_spread."""

import numpy as np

from course_checks import Case


def from_differences(Y):
    """Σ (y − ȳ)² is the sum over all ordered pairs of (y − y′)², divided by 2R."""
    rows = [row[~np.isnan(row)] for row in Y]
    squares = [np.sum((row[:, None] - row[None]) ** 2) / (2 * len(row)) for row in rows]
    free = sum(len(row) - 1 for row in rows)
    counts, means = [float(len(row)) for row in rows], [sum(row) / len(row) for row in rows]
    return np.array(counts), np.array(means), np.array(squares), float(np.sqrt(sum(squares) / free))


def table(rng, n, R, level):
    Y = level + rng.normal(size=(n, 1)) + rng.uniform(0.4, 3) * rng.normal(size=(n, R))
    keep = rng.random((n, R)) < 0.6
    keep[np.arange(n), rng.integers(R, size=n)] = True
    keep[0, :2] = True
    return np.where(keep, Y, np.nan)


rng = np.random.default_rng(801)
inputs = [(table(rng, *sizes),) for sizes in ((3, 2, 0), (1, 4, 5), (6, 3, -2), (4, 7, 50), (9, 5, 1e6), (5, 6, 0))]
CASES = [Case(f"random {k}", given, from_differences(*given)) for k, given in enumerate(inputs)]
