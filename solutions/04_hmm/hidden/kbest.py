"""Hidden cases of task 6, k_best_paths.

Most are so long that nobody lists their paths: that is the task.
"""

import heapq
from itertools import pairwise, product

import numpy as np

from course_checks import Case


def sorted_paths(pi, A, B, o, k):
    found = []
    for q in product(range(len(pi)), repeat=len(o)):
        factors = [pi[q[0]], *(A[i, j] for i, j in pairwise(q)), *(B[i, s] for i, s in zip(q, o, strict=True))]
        if min(factors) > 0:
            found.append((float(np.log(factors).sum()), q))
    found = sorted(found, reverse=True)[:k]
    return np.array([q for _, q in found]), np.array([score for score, _ in found])


def with_a_compass(pi, A, B, o, k):
    """A* from the first frame: what the rest costs at least is known exactly, from a pass backwards."""
    with np.errstate(divide="ignore"):
        price_pi, price_A, price_B = -np.log(pi), -np.log(A), -np.log(B)
    rest = [np.zeros(len(pi))]
    for symbol in o[:0:-1]:
        rest.append((price_A + price_B[:, symbol] + rest[-1]).min(axis=1))
    rest.reverse()
    spent = price_pi + price_B[:, o[0]]
    waiting = [(spent[i] + rest[0][i], 0, i, spent[i], (i, None)) for i in range(len(pi))]
    heapq.heapify(waiting)
    found = []
    while waiting and len(found) < k and waiting[0][0] < np.inf:
        _, t, i, so_far, chain = heapq.heappop(waiting)
        t = -t
        if t == len(o) - 1:
            found.append((-so_far, unrolled(chain)))
        for j in range(len(pi)) if t < len(o) - 1 else ():
            now = so_far + price_A[i, j] + price_B[j, o[t + 1]]
            if now < np.inf:
                heapq.heappush(waiting, (now + rest[t + 1][j], -(t + 1), j, now, (j, chain)))
    return np.array([q for _, q in found]), np.array([score for score, _ in found])


def unrolled(chain):
    states = []
    while chain is not None:
        states.append(chain[0])
        chain = chain[1]
    return states[::-1]


def random_model(rng, n, m, word=False):
    pi, A = rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n), n)
    if word:
        stay = rng.uniform(0.4, 0.9, n)
        pi, A = np.eye(n)[0], np.diag(stay) + np.diag(1 - stay[:-1], k=1)
        A[-1, -1] = 1.0
    return pi, A, rng.dirichlet(np.ones(m), n)


def without_ties(rng, n, t, k):
    """A model and a long sequence, of twenty symbols, whose k + 1 best paths have scores that differ."""
    while True:
        given = *random_model(rng, n, 20), rng.integers(0, 20, t)
        if (np.diff(with_a_compass(*given, k + 1)[1]) < -1e-3).all():
            return *given, k


rng = np.random.default_rng(406)
short = ((4, 4, 3, 0), (3, 5, 40, 1), (4, 6, 1, 0))
inputs = [(*random_model(rng, n, 4, word), rng.integers(0, 4, t), k) for n, t, k, word in short]
CASES = [Case(f"random {i}", given, sorted_paths(*given)) for i, given in enumerate(inputs)]
long = (
    (2, 90, 5),
    (3, 80, 1),
    (4, 120, 3),
    (3, 200, 2),
    (4, 90, 7),
    (2, 150, 4),
    (3, 130, 4),
    (2, 1000, 2),
    (3, 700, 2),
)
inputs = [without_ties(rng, *sizes) for sizes in long]
CASES += [Case(f"long {i}", given, with_a_compass(*given)) for i, given in enumerate(inputs)]
