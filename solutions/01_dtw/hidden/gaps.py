"""Hidden cases of task 4, dtw_with_gaps."""

import numpy as np

from course_checks import Case


def with_gaps(x, y):
    apart = np.sqrt(((x[-1] - y[-1]) ** 2).sum())
    ways = [with_gaps(x[:-1], y[:-1])] if len(x) > 1 and len(y) > 1 else []
    ways += [with_gaps(x[:-1], y)] if len(x) > 1 else []
    ways += [with_gaps(x, y[:-1])] if len(y) > 1 else []
    return (0.0 if np.isnan(apart) else apart) + min(ways, default=0.0)


def gappy(rng, n_frames):
    x = rng.normal(0, 5, (n_frames, 2))
    x[rng.integers(n_frames), rng.integers(2)] = np.nan
    return x


rng = np.random.default_rng(104)
shapes = ((4, 5), (5, 4), (6, 3), (6, 5), (5, 6), (6, 6), (4, 6), (5, 5))
inputs = [(gappy(rng, rows), gappy(rng, columns)) for rows, columns in shapes]
CASES = [Case(f"random {k}", given, float(with_gaps(*given)), 1e-6) for k, given in enumerate(inputs)]
