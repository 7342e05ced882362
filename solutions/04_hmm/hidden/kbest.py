"""Hidden cases of task 6, k_best_paths."""

from itertools import pairwise, product

import numpy as np

from course_lib.homework import Case


def sorted_paths(pi, A, B, o, k):
    found = []
    for q in product(range(len(pi)), repeat=len(o)):
        factors = [pi[q[0]], *(A[i, j] for i, j in pairwise(q)), *(B[i, s] for i, s in zip(q, o, strict=True))]
        if min(factors) > 0:
            found.append((float(np.log(factors).sum()), q))
    found = sorted(found, reverse=True)[:k]
    return np.array([q for _, q in found]), np.array([score for score, _ in found])


def random_model(rng, n, m, word=False):
    pi, A = rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n), n)
    if word:
        stay = rng.uniform(0.4, 0.9, n)
        pi, A = np.eye(n)[0], np.diag(stay) + np.diag(1 - stay[:-1], k=1)
        A[-1, -1] = 1.0
    return pi, A, rng.dirichlet(np.ones(m), n)


rng = np.random.default_rng(406)
kinds = (
    (2, 6, 5, 0),
    (3, 5, 7, 0),
    (4, 4, 3, 0),
    (3, 6, 1, 0),
    (3, 5, 40, 1),
    (4, 6, 6, 1),
    (3, 3, 30, 0),
    (3, 6, 9, 0),
)
inputs = [(*random_model(rng, n, 4, word), rng.integers(0, 4, t), k) for n, t, k, word in kinds]
CASES = [Case(f"random {i}", given, sorted_paths(*given)) for i, given in enumerate(inputs)]
