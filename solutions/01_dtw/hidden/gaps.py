"""Reference of task 4, dtw_with_gaps."""

import numpy as np

SEED = 104


def apart(x, y):
    """Cost of the last pair."""
    distance = np.sqrt(((x[-1] - y[-1]) ** 2).sum())
    return 0.0 if np.isnan(distance) else distance


def answer(x, y):
    """By recursion from the last pair."""
    ways = [answer(x[:-1], y[:-1])] if len(x) > 1 and len(y) > 1 else []
    ways += [answer(x[:-1], y)] if len(x) > 1 else []
    ways += [answer(x, y[:-1])] if len(y) > 1 else []
    return float(apart(x, y) + min(ways, default=0.0))


def way(x, y):
    """Which frames are lost, a row of local costs, and rows of D."""
    for name, z in (("x", x), ("y", y)):
        yield f"lost in {name}:", np.isnan(z).any(axis=1)
    yield "row 1 of the local costs is", np.array([apart(x[:1], y[: j + 1]) for j in range(len(y))])
    for i in range(1, len(x) + 1):
        yield f"row {i} of D is", np.array([answer(x[:i], y[: j + 1]) for j in range(len(y))])
