"""Hidden cases of task 3, align."""

from itertools import pairwise, product

import numpy as np

from course_lib.homework import Case


def best_of_all(pi, A, B, o, last):
    def joint(q):
        return (
            pi[q[0]]
            * np.prod([A[i, j] for i, j in pairwise(q)])
            * np.prod([B[i, k] for i, k in zip(q, o, strict=True)])
        )

    return np.array(max((q for q in product(range(len(pi)), repeat=len(o)) if q[-1] == last), key=joint))


def random_model(rng, n, m, word=False):
    pi, A = rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n), n)
    if word:
        stay = rng.uniform(0.4, 0.9, n)
        pi, A = np.eye(n)[0], np.diag(stay) + np.diag(1 - stay[:-1], k=1)
    return pi, A, rng.dirichlet(np.ones(m), n)


rng = np.random.default_rng(403)
kinds = ((3, 7, True), (4, 6, True), (3, 6, False), (2, 7, False), (4, 6, False), (2, 6, True), (3, 7, True))
inputs = [(*random_model(rng, n, 4, word), rng.integers(0, 4, t), n - 1) for n, t, word in kinds]
CASES = [Case(f"random {k}", given, best_of_all(*given)) for k, given in enumerate(inputs)]
pi, A, _ = random_model(rng, 3, 3, word=True)
B = np.array([[0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.2, 0.1, 0.7]])
# Each state all but shouts its own symbol, so that the answer is known without a search.
o = np.repeat([0, 1, 2], [500, 700, 600])
CASES.append(Case("long", (pi, A, B, o, 2), o))
