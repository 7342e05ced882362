"""Reference of task 4, join_words."""

import numpy as np

SEED = 404


def answer(one, two):
    """Entry by entry."""
    n, total = len(one[0]), len(one[0]) + len(two[0])
    A = np.zeros((total, total))
    for i in range(total):
        for j in range(total):
            if i < n and j < n:
                A[i, j] = one[1][i, j]
            elif i >= n and j >= n:
                A[i, j] = two[1][i - n, j - n]
            elif i < n:
                A[i, j] = (1.0 - sum(one[1][i])) * two[0][j - n]
    return np.array([*one[0], *[0.0] * len(two[0])]), A, np.array([*one[2], *two[2]])


def way(one, two):
    leave = 1 - one[1].sum(axis=1)
    yield "probability to leave the first word, from each of its states", leave
    yield "block from the first word to the second", np.outer(leave, two[0])
