"""Reference of task 3, bottleneck_dtw."""

import numpy as np

SEED = 103


def answer(x, y):
    """By recursion from the last pair."""
    ways = [answer(x[:-1], y[:-1])] if len(x) > 1 and len(y) > 1 else []
    ways += [answer(x[:-1], y)] if len(x) > 1 else []
    ways += [answer(x, y[:-1])] if len(y) > 1 else []
    return float(max(abs(x[-1] - y[-1]), min(ways, default=0.0)))


def way(x, y):
    """The leash for each beginning of x and of y."""
    for i in range(1, len(x) + 1):
        yield f"to the pairs of x_{i} it takes", np.array([answer(x[:i], y[: j + 1]) for j in range(len(y))])
