"""The walk that dynamic programming beats: always to the cheapest next cell.

Lecture: 01, section 3.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation


def greedy_path(cost: ArrayLike) -> NDArray:
    """(L, 2) cells of the walk that always steps to the cheapest next cell: short-sighted, so often expensive."""
    cost = validation.real_array(cost, "cost")
    if cost.ndim != 2:
        raise ValueError(f"cost has shape {cost.shape}; a table of shape (T_x, T_y) is needed.")
    path = [(0, 0)]
    while path[-1] != (cost.shape[0] - 1, cost.shape[1] - 1):
        i, j = path[-1]
        ahead = [(i + 1, j + 1), (i, j + 1), (i + 1, j)]
        path.append(min((c for c in ahead if c[0] < cost.shape[0] and c[1] < cost.shape[1]), key=lambda c: cost[c]))
    return np.array(path)
