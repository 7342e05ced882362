"""Hidden cases of task 5, reestimate_transitions."""

from itertools import pairwise, product

import numpy as np

from course_lib.homework import Case


def by_enumeration(pi, A, B, sequences, weights, pseudo):
    table = np.where(A > 0, pseudo, 0.0)
    for o, w in zip(sequences, weights, strict=True):
        joint = {}
        for q in product(range(len(pi)), repeat=len(o)):
            emitted = np.prod([B[i, k] for i, k in zip(q, o, strict=True)])
            joint[q] = pi[q[0]] * np.prod([A[i, j] for i, j in pairwise(q)]) * emitted
        for q, p in joint.items():
            for i, j in pairwise(q):
                table[i, j] += w * p / sum(joint.values())
    return np.array([row / sum(row) for row in table])


def random_model(rng, n, m, holes):
    A = rng.dirichlet(np.ones(n), n)
    A[np.arange(n), (np.arange(n) + 2) % n] *= not holes
    return rng.dirichlet(np.ones(n)), A / A.sum(axis=1, keepdims=True), rng.dirichlet(np.ones(m), n)


rng = np.random.default_rng(405)
kinds = (
    (2, False, (1.5, 4, 0.25), 0.0),
    (3, True, (0.3, 1, 2.6), 0.7),
    (3, False, (3, 2, 0), 0.25),
    (3, True, (0.8, 0.5, 5.2), 0.4),
    (2, False, (7.5, 0, 2.5), 2.0),
)
inputs = [
    (*random_model(rng, n, 4, holes), [rng.integers(0, 4, t) for t in (5, 1, 3)], np.array(weights), pseudo)
    for n, holes, weights, pseudo in kinds
]
CASES = [Case(f"random {k}", given, by_enumeration(*given)) for k, given in enumerate(inputs)]
pi, A, _ = random_model(rng, 3, 3, holes=False)
# Symbols that give the state away: the expected counts are counts.
o, other = rng.integers(0, 3, 1800), rng.integers(0, 3, 40)
counted = np.full((3, 3), 0.5)
np.add.at(counted, (o[:-1], o[1:]), 0.25)
np.add.at(counted, (other[:-1], other[1:]), 6.0)
counted = counted / counted.sum(axis=1, keepdims=True)
CASES.append(Case("long", (pi, A, np.eye(3), [o, o[:1], other], np.array([0.25, 9, 6]), 0.5), counted))
