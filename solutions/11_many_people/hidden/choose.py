"""Reference of task 4, choose_items."""

import numpy as np

SEED = 1104
NEAR_TIE = 1e-4  # of what is asked


def answer(K, pairs, M):
    """Each candidate is tried, with what it leaves open of the questions computed anew; None if two are as good."""
    asked = np.eye(len(K))[pairs[:, 1]] - np.eye(len(K))[pairs[:, 0]]
    chosen, sums = [], [np.trace(asked @ K @ asked.T)]

    def left(Z):
        told = asked @ K[:, Z]
        return sums[0] - np.trace(told @ np.linalg.solve(K[np.ix_(Z, Z)], told.T))

    for _ in range(M):
        tried = {i: left([*chosen, i]) for i in range(len(K)) if i not in chosen}
        best, *others = sorted(tried, key=tried.get)
        if others and tried[others[0]] - tried[best] < NEAR_TIE * sums[0]:
            return None  # ambiguous
        chosen.append(best)
        sums.append(tried[best])
    return np.array(chosen), np.array(sums)


def way(K, pairs, M):
    """What each item explains, before each choice."""
    chosen, sums = answer(K, pairs, M)
    for k in range(M):
        Z = chosen[:k]
        R = K - K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)], K[Z])
        free = np.delete(np.arange(len(K)), Z)
        gains = ((R[pairs[:, 1]] - R[pairs[:, 0]])[:, free] ** 2).sum(axis=0) / np.diag(R)[free]
        yield f"explained, choice {k + 1}, by the items {', '.join(map(str, free))}", gains
        yield f"left open after item {chosen[k]}", sums[k + 1]
