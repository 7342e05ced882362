"""Hidden cases of task 6, leave_one_rater_out."""

import numpy as np
from scipy.stats import norm

from course_checks import Case


def from_all_answers(K, noise_std, Y):
    """The definition: a row for every answer, and those of one rater conditioned on all others."""
    items, raters = np.where(np.isfinite(Y))
    y, C = Y[items, raters], K[np.ix_(items, items)] + noise_std**2 * np.eye(len(items))
    scores = []
    for r in range(Y.shape[1]):
        his, rest = raters == r, raters != r
        gain = np.linalg.solve(C[np.ix_(rest, rest)], C[np.ix_(rest, his)]).T
        spread = np.sqrt(np.diag(C[np.ix_(his, his)] - gain @ C[np.ix_(rest, his)]))
        scores.append(norm.logpdf(y[his], gain @ y[rest], spread).mean())
    return np.array(scores), int(np.argmin(scores))


def problem(rng, n, R, d):
    factors, Y = rng.normal(size=(n, d)), 2 * rng.normal(size=(n, R))
    keep = rng.random((n, R)) < 0.5
    keep[np.arange(n), rng.integers(R, size=n)] = True
    keep[rng.integers(n, size=R), np.arange(R)] = True
    return factors @ factors.T, float(rng.uniform(0.4, 2)), np.where(keep, Y, np.nan)


rng = np.random.default_rng(806)
sizes = ((2, 3, 4), (4, 2, 3), (5, 4, 7), (3, 6, 2), (7, 3, 8), (6, 5, 6))
inputs = [problem(rng, *sizes) for sizes in sizes]
CASES = [Case(f"random {k}", given, from_all_answers(*given)) for k, given in enumerate(inputs)]
