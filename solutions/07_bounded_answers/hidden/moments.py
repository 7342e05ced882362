"""Hidden cases of task 2, beta_scale."""

import numpy as np
from scipy.stats import beta

from course_checks import Case


def on_the_scale(a, b, low, high):
    mark = beta(a, b, loc=low, scale=high - low)
    mode = ((a - 1) * high + (b - 1) * low) / (a + b - 2) if a > 1 and b > 1 else np.nan
    return (mark.mean(), a + b, low, high), (a, b, mark.std(), mode)


shapes = ((3, 5), (1.5, 9), (0.4, 6), (7, 0.8), (0.3, 0.2), (40, 25), (1.2, 1.1), (2.5, 2.5), (0.9, 3))
ends = ((0, 1), (1, 7), (-5, 5), (0, 100), (20, 30), (-2, -1), (0, 4), (3, 5), (1, 9))
CASES = []
for k, (ab, scale) in enumerate(zip(shapes, ends, strict=True)):
    given, expected = on_the_scale(*map(float, ab), *scale)
    CASES.append(Case(f"hidden {k}", tuple(map(float, given)), tuple(map(float, expected)), 1e-7))
