"""What the evidence costs in item space and in response space.

Lecture: 11, section 8.
"""

import time
import warnings

import numpy as np

from course_lib.gp import SquaredExponential
from course_lib.judgments import FloatingItemsWarning, PreferenceGP, all_pairs


def cost(n, m, space, repeats=3):
    """Milliseconds of one evaluation of the evidence and its gradient, for m different pairs of n items."""
    rng = np.random.default_rng(0)
    X, pairs = rng.uniform(0, 10, (n, 2)), rng.permutation(all_pairs(n))[:m]
    y = np.sign(np.diff(np.sin(X[pairs, 0]), axis=1)[:, 0] + 0.5 * rng.normal(size=m))
    with warnings.catch_warnings(action="ignore", category=FloatingItemsWarning):  # some are compared with few others
        model = PreferenceGP(SquaredExponential(1.0, 2.0), optimize=False, space=space).fit(X, pairs, y)
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        model.evidence_at(model.kernel_.theta)
        times.append(1000 * (time.perf_counter() - begin))
    return min(times)
