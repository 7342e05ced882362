"""Hidden cases of task 1, amerced_dtw."""

import numpy as np

from course_checks import Case


def amerced(x, y, omega):
    here = abs(x[-1] - y[-1])
    ways = [amerced(x[:-1], y[:-1], omega)] if len(x) > 1 and len(y) > 1 else []
    ways += [amerced(x[:-1], y, omega) + omega] if len(x) > 1 else []
    ways += [amerced(x, y[:-1], omega) + omega] if len(y) > 1 else []
    return here + min(ways, default=0.0)


rng = np.random.default_rng(101)
inputs = [
    (rng.normal(0, 5, rows), rng.normal(0, 5, columns), omega)
    for rows, columns in ((4, 5), (5, 3), (1, 4), (6, 6))
    for omega in (0.5, 2.5)
]
CASES = [Case(f"random {k}", given, float(amerced(*given)), 1e-6) for k, given in enumerate(inputs)]
