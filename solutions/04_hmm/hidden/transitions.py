"""Hidden cases of task 5, reestimate_transitions.

Half of them are so long that a product of probabilities is too small.
"""

from itertools import pairwise, product

import numpy as np

from course_checks import Case


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


def counted(n, sequences, weights, pseudo):
    table = np.full((n, n), pseudo)
    for o, w in zip(sequences, weights, strict=True):
        np.add.at(table, (o[:-1], o[1:]), w)
    return table / table.sum(axis=1, keepdims=True)


# Symbols that give the state away: the expected counts are counts.
for k, (n, pseudo, weights) in enumerate(
    (
        (3, 0.5, (0.25, 9, 6)),
        (2, 0.0, (1.5, 3, 2)),
        (4, 1.25, (4, 0.5, 0)),
        (3, 2.0, (0.75, 1, 12)),
        (2, 0.1, (5, 2, 1)),
    )
):
    pi, A, _ = random_model(rng, n, 3, holes=False)
    o, other = rng.integers(0, n, 1200 + 150 * k), rng.integers(0, n, 40)
    sequences, weights = [o, o[:1], other], np.array(weights)
    CASES.append(
        Case(f"long {k}", (pi, A, np.eye(n), sequences, weights, pseudo), counted(n, sequences, weights, pseudo))
    )
