"""Hidden cases of task 6, log_step_probability."""

import numpy as np
from scipy.stats import beta, norm

from course_checks import Case


def from_the_rare_side(mark, g, precision, steps):
    found = []
    for k, opinion in zip(mark, g, strict=True):
        if k / steps > norm.cdf(opinion):
            k, opinion = steps - k, -opinion
        answer = beta(precision * norm.cdf(opinion), precision * norm.sf(opinion))
        below = answer.cdf((k - 0.5) / steps) if k > 0 else 0.0
        upto = answer.cdf((k + 0.5) / steps) if k < steps else 1.0
        found.append(np.log(upto - below))
    return np.array(found)


rng = np.random.default_rng(706)
CASES = []
kinds = (4, 6, 1), (12, 10, 1), (80, 20, 1), (300, 10, 0.6), (250, 5, 0.8), (0.7, 4, 2), (40, 8, 4), (3, 1, 1)
for k, (precision, steps, wide) in enumerate(kinds):
    given = (rng.permutation(steps + 1), rng.normal(0, wide, steps + 1), float(precision), steps)
    CASES.append(Case(f"random {k}", given, from_the_rare_side(*given)))
