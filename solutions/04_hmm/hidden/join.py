"""Hidden cases of task 4, join_words."""

import numpy as np

from course_checks import Case


def entry_by_entry(one, two):
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


def random_word(rng, n):
    A = np.triu(rng.dirichlet(np.ones(n + 1), n)[:, :n])
    return rng.dirichlet(np.ones(n)), A, rng.dirichlet(np.ones(3), n)


rng = np.random.default_rng(404)
inputs = [(random_word(rng, n), random_word(rng, m)) for n, m in ((1, 2), (2, 2), (3, 2), (2, 4), (3, 3))]
CASES = [Case(f"random {k}", given, entry_by_entry(*given)) for k, given in enumerate(inputs)]
