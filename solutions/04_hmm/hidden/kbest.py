"""Reference of task 6, k_best_paths."""

import heapq

import numpy as np

SEED = 406
MIN_GAP = 1e-6  # between the log probabilities of paths that are not tied


def answer(pi, A, B, o, k):
    """None if two of the k + 1 best paths are as good."""
    paths, values = with_a_compass(pi, A, B, o, k + 1)
    return (paths[:k], values[:k]) if len(paths) and (np.diff(values) < -MIN_GAP).all() else None


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


def way(pi, A, B, o, k):
    """The best ways into each state after the first frames."""
    with np.errstate(divide="ignore"):
        ways = [[] if score == -np.inf else [score] for score in np.log(pi) + np.log(B[:, o[0]])]
        for t, symbol in enumerate(o[1:3], start=2):
            longer = [
                [score + step for before, step in zip(ways, np.log(A[:, j]), strict=True) for score in before]
                for j in range(len(pi))
            ]
            ways = [
                sorted((score + np.log(B[j, symbol]) for score in found if score > -np.inf), reverse=True)[:k]
                for j, found in enumerate(longer)
            ]
            ways = [[score for score in found if score > -np.inf] for found in ways]
            for j, found in enumerate(ways):
                best = " (the best four)" if len(found) > 4 else ""
                yield f"into state {j} at frame {t}{best}", np.array(found[:4])
