"""Reference of task 1, amerced_dtw."""

import numpy as np

SEED = 101


def answer(x, y, omega):
    """By recursion from the last pair."""
    ways = [answer(x[:-1], y[:-1], omega)] if len(x) > 1 and len(y) > 1 else []
    ways += [answer(x[:-1], y, omega) + omega] if len(x) > 1 else []
    ways += [answer(x, y[:-1], omega) + omega] if len(y) > 1 else []
    return float(abs(x[-1] - y[-1]) + min(ways, default=0.0))


def way(x, y, omega):
    """The rows of D."""
    for i in range(1, len(x) + 1):
        yield f"row {i} of D is", np.array([answer(x[:i], y[: j + 1], omega) for j in range(len(y))])
