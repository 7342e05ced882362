"""Reference of task 3, squeezed."""

import numpy as np

SEED = 703


def marks(y):
    """How many there are."""
    return len([mark for mark in np.ravel(y) if mark == mark])


def answer(y, low, high):
    n = marks(y)
    return np.interp(y, [low, high], [0.5 / n, 1 - 0.5 / n]), float((1 - 1 / n) / (high - low))


def way(y, low, high):
    yield "n", marks(y)
    yield "s", (y - low) / (high - low)
