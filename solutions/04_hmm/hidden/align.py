"""Reference of task 3, align."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

SEED = 403
TOLL = 1e-9  # paths that are so nearly as good as the best count as tied


def answer(pi, A, B, o, last):
    """The same path for who pays a small toll in each frame and state and for who is paid it; None if they differ."""
    toll = TOLL * np.random.default_rng(0).random((len(o) - 1, len(pi)))
    path, other = (shortest_way(pi, A, B, o, last, sign * toll) for sign in (1, -1))
    return path if path is not None and (path == other).all() else None


def shortest_way(pi, A, B, o, last, toll):
    """The path as the shortest way through a graph with a node for each frame and state, and one before them all.

    toll : (T − 1, N) what arriving there costs besides
    """
    n, t = len(pi), len(o)
    with np.errstate(divide="ignore"):
        entry = -np.log(pi) - np.log(B[:, o[0]])
        steps = [-np.log(A) - np.log(B[:, symbol]) + price for symbol, price in zip(o[1:], toll, strict=True)]
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
    return (np.array(way[::-1]) - 1) % n if len(way) == t else None


def way(pi, A, B, o, last):
    """The best entry of each state after each frame, as logarithms, and the states that they come from."""
    with np.errstate(divide="ignore"):
        best = np.log(pi) + np.log(B[:, o[0]])
        yield "best ways into each state at frame 1, logarithms", best
        for t, symbol in enumerate(o[1:], start=2):
            arriving = best[:, None] + np.log(A)
            best = arriving.max(axis=0) + np.log(B[:, symbol])
            if t in (2, len(o)):
                yield f"at frame {t}", best
        if len(o) > 1:
            yield f"they come from, at frame {len(o) - 1}", arriving.argmax(axis=0)
