"""What the wrong and the right answers of homework 01 share: tables of costs, ways to fill them, all paths."""

from functools import cache
from itertools import pairwise

import numpy as np


def apart(x, y):
    """|x_i − y_j| for all i and j."""
    return np.abs(np.subtract.outer(np.asarray(x, dtype=float), np.asarray(y, dtype=float)))


def filled(cost, arrive, border=np.inf):
    """Padded table, filled row by row; arrive(cost, diagonal, above, left) is the value of a cell."""
    rows, columns = cost.shape
    table = np.full((rows + 1, columns + 1), np.inf)
    table[0, :] = table[:, 0] = border
    table[0, 0] = 0
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            table[i, j] = arrive(cost[i - 1, j - 1], table[i - 1, j - 1], table[i - 1, j], table[i, j - 1])
    return table[1:, 1:]


def last(cost, arrive, border=np.inf):
    """The last cell of the filled table, a float."""
    return float(filled(cost, arrive, border)[-1, -1])


def filled_in_place(cost, arrive, first, along):
    """Table without a border: `first` for its first cell, `along(before, cost)` for its first row and column."""
    table = np.array(cost, dtype=float)
    rows, columns = table.shape
    table[0, 0] = first
    for i in range(1, rows):
        table[i, 0] = along(table[i - 1, 0], cost[i, 0])
    for j in range(1, columns):
        table[0, j] = along(table[0, j - 1], cost[0, j])
    for i in range(1, rows):
        for j in range(1, columns):
            table[i, j] = arrive(cost[i, j], table[i - 1, j - 1], table[i - 1, j], table[i, j - 1])
    return table


def greedy(cost, price):
    """Cells of the walk that always takes the cheapest next cell; price(i, j, step) is what a step costs."""
    i = j = 0
    walk = [(0, 0)]
    while (i, j) != (cost.shape[0] - 1, cost.shape[1] - 1):
        steps = [(a, b) for a, b in ((1, 1), (1, 0), (0, 1)) if i + a < cost.shape[0] and j + b < cost.shape[1]]
        a, b = min(steps, key=lambda step: price(i + step[0], j + step[1], step))
        i, j = i + a, j + b
        walk.append((i, j))
    return walk


@cache
def paths(rows, columns):
    """Every path from (0, 0) to the last cell of a rows × columns table, as tuples of cells."""
    if (rows, columns) == (1, 1):
        return [((0, 0),)]
    before = [(rows - a, columns - b) for a, b in ((1, 1), (1, 0), (0, 1)) if rows > a and columns > b]
    return [(*path, (rows - 1, columns - 1)) for size in before for path in paths(*size)]


def straight(path):
    """How many steps of a path advance in one sequence only."""
    return sum(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(path))


def diagonals(cost, arrive):
    """The padded table filled one anti-diagonal at a time, as arrays; arrive as in `filled`, but vectorised."""
    rows, columns = cost.shape
    table = np.full((rows + 1, columns + 1), np.inf)
    table[0, 0] = 0
    for total in range(rows + columns - 1):
        i = np.arange(max(0, total - columns + 1), min(rows, total + 1))
        j = total - i
        table[i + 1, j + 1] = arrive(cost[i, j], table[i, j], table[i, j + 1], table[i + 1, j])
    return float(table[-1, -1])
