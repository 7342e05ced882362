"""Hidden cases of task 3, bottleneck_dtw."""

import numpy as np

from course_checks import Case


def leash(x, y):
    ways = [leash(x[:-1], y[:-1])] if len(x) > 1 and len(y) > 1 else []
    ways += [leash(x[:-1], y)] if len(x) > 1 else []
    ways += [leash(x, y[:-1])] if len(y) > 1 else []
    return max(abs(x[-1] - y[-1]), min(ways, default=0.0))


rng = np.random.default_rng(103)
shapes = ((4, 5), (5, 4), (1, 5), (6, 5), (5, 6), (6, 6), (4, 6), (6, 4))
inputs = [(rng.normal(0, 5, rows), rng.normal(0, 5, columns)) for rows, columns in shapes]
CASES = [Case(f"random {k}", given, float(leash(*given)), 1e-6) for k, given in enumerate(inputs)]
