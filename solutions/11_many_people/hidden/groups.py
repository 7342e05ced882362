"""Reference of task 2, groups_and_circles."""

from itertools import islice

import numpy as np

SEED = 1102


def answer(n, pairs):
    """Groups from the null space of the indicator matrix, circles from its rank."""
    M = np.eye(n)[pairs[:, 1]] - np.eye(n)[pairs[:, 0]]
    rank = int(np.linalg.matrix_rank(M))
    null = np.linalg.eigh(M.T @ M)[1][:, : n - rank]
    together = np.abs(null @ null.T) > 1e-8
    different = {frozenset(pair) for pair in pairs.tolist()}
    return together.argmax(axis=1), np.array([len(frozenset().union(*different)), len(different)]), len(pairs) - rank


def way(n, pairs):
    """The groups after each of the first questions, in order."""
    for k, (a, b) in islice(enumerate(pairs.tolist(), start=1), 5):
        yield f"groups after question {k}, ({a}, {b}),", answer(n, pairs[:k])[0]
