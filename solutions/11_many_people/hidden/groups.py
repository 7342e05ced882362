"""Hidden cases of task 2, groups_and_circles."""

import numpy as np

from course_checks import Case


def by_rank(n, pairs):
    """Groups from the null space of the indicator matrix, circles from its rank."""
    M = np.eye(n)[pairs[:, 1]] - np.eye(n)[pairs[:, 0]]
    rank = int(np.linalg.matrix_rank(M))
    null = np.linalg.eigh(M.T @ M)[1][:, : n - rank]
    together = np.abs(null @ null.T) > 1e-8
    different = {frozenset(pair) for pair in pairs.tolist()}
    return together.argmax(axis=1), np.array([len(frozenset().union(*different)), len(different)]), len(pairs) - rank


def problem(rng, n, m, again):
    pairs = np.array([rng.choice(n, 2, replace=False) for _ in range(m)])
    turned = pairs[rng.integers(m, size=again)][:, ::-1]
    return n, rng.permutation(np.vstack([pairs, turned]))


rng = np.random.default_rng(1102)
sizes = ((5, 4, 1), (9, 6, 3), (20, 15, 4), (12, 30, 5), (40, 25, 2), (3, 1, 2))
inputs = [problem(rng, *sizes) for sizes in sizes]
CASES = [Case(f"random {k}", given, by_rank(*given)) for k, given in enumerate(inputs)]
