"""Hidden cases of task 3, align. Every second one is so long that a product of probabilities is too small."""

from itertools import pairwise, product

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from course_checks import Case


def best_of_all(pi, A, B, o, last):
    def joint(q):
        return (
            pi[q[0]]
            * np.prod([A[i, j] for i, j in pairwise(q)])
            * np.prod([B[i, k] for i, k in zip(q, o, strict=True)])
        )

    return np.array(max((q for q in product(range(len(pi)), repeat=len(o)) if q[-1] == last), key=joint))


def shortest_way(pi, A, B, o, last, toll=0.0):
    """The path as the shortest way through a graph with a node for each frame and state, and one before them all.

    toll : (T − 1, N) what arriving there costs besides
    """
    n, t = len(pi), len(o)
    with np.errstate(divide="ignore"):
        entry = -np.log(pi) - np.log(B[:, o[0]])
        steps = np.array([-np.log(A) - np.log(B[:, symbol]) for symbol in o[1:]])
        steps += np.broadcast_to(toll, (t - 1, n))[:, None, :]
    # One more for each edge: every way has as many of them, and an edge of length 0 would be none.
    edges = [(0, 1 + j, 1 + entry[j]) for j in range(n)]
    edges += [
        (1 + n * k + i, 1 + n * (k + 1) + j, 1 + step[i, j])
        for k, step in enumerate(steps)
        for i in range(n)
        for j in range(n)
    ]
    start, end, length = map(np.array, zip(*(edge for edge in edges if edge[2] < np.inf), strict=True))
    graph = coo_array((length, (start, end)), shape=(1 + n * t,) * 2).tocsr()
    _, before = dijkstra(graph, indices=0, return_predecessors=True)
    way = [1 + n * (t - 1) + last]
    while before[way[-1]] > 0:
        way.append(before[way[-1]])
    return (np.array(way[::-1]) - 1) % n


def random_model(rng, n, m, word=False):
    pi, A = rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n), n)
    if word:
        stay = rng.uniform(0.4, 0.9, n)
        pi, A = np.eye(n)[0], np.diag(stay) + np.diag(1 - stay[:-1], k=1)
    return pi, A, rng.dirichlet(np.ones(m), n)


def without_a_tie(rng, n, t, word, last):
    """A model and a long sequence: who pays a small toll takes the same way as who is paid for it."""
    while True:
        given = *random_model(rng, n, 20, word), rng.integers(0, 20, t), last
        toll = 1e-6 * rng.random((t - 1, n))
        if (shortest_way(*given, toll) == shortest_way(*given, -toll)).all():
            return given


rng = np.random.default_rng(403)
kinds = ((3, 7, True, 2), (4, 6, True, 3), (3, 6, False, 1), (2, 7, False, 0), (4, 6, False, 2), (3, 7, False, 0))
inputs = [(*random_model(rng, n, 4, word), rng.integers(0, 4, t), last) for n, t, word, last in kinds]
CASES = [Case(f"random {k}", given, best_of_all(*given)) for k, given in enumerate(inputs)]
kinds = ((2, 1500, False, 0), (3, 1200, False, 1), (4, 900, False, 0), (3, 1600, True, 2), (2, 1400, False, 1))
inputs = [without_a_tie(rng, *kind) for kind in kinds]
CASES += [Case(f"long {k}", given, shortest_way(*given)) for k, given in enumerate(inputs)]
pi, A, _ = random_model(rng, 3, 3, word=True)
B = np.array([[0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.2, 0.1, 0.7]])
# Each state all but shouts its own symbol, so that the answer is known without a search.
o = np.repeat([0, 1, 2], [500, 700, 600])
CASES.append(Case("long, left to right", (pi, A, B, o, 2), o))
