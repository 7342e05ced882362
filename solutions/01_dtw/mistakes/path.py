"""Task 2, amerced_path(accumulated, omega)."""

import numpy as np


def ways(table, i, j, omega):
    """(price, i, j) of the cells that (i, j) can be reached from."""
    steps = [(table[i - 1, j - 1], i - 1, j - 1)] if i and j else []
    steps += [(table[i - 1, j] + omega, i - 1, j)] if i else []
    return steps + ([(table[i, j - 1] + omega, i, j - 1)] if j else [])


def backwards(table, omega, go_on=lambda i, j: i > 0 or j > 0, allowed=lambda i, j, a, b: True):
    """Cells from the last to the first."""
    i, j = table.shape[0] - 1, table.shape[1] - 1
    cells = [(i, j)]
    while go_on(i, j):
        _, i, j = min(way for way in ways(table, i, j, omega) if allowed(i, j, *way[1:]))
        cells.append((i, j))
    return cells


def right_answer(accumulated, omega):
    return np.array(backwards(accumulated, omega)[::-1])


def stops_at_the_edge(accumulated, omega):
    return np.array(backwards(accumulated, omega, go_on=lambda i, j: i > 0 and j > 0)[::-1])


def no_diagonal(accumulated, omega):
    return np.array(backwards(accumulated, omega, allowed=lambda i, j, a, b: i == a or j == b)[::-1])


def forwards(accumulated, omega=0.0):
    i = j = 0
    cells = [(0, 0)]
    rows, columns = accumulated.shape
    while (i, j) != (rows - 1, columns - 1):
        steps = [(i + a, j + b) for a, b in ((1, 1), (1, 0), (0, 1)) if i + a < rows and j + b < columns]
        straight = {(i + 1, j): omega, (i, j + 1): omega}
        i, j = min(steps, key=lambda cell: accumulated[cell] + straight.get(cell, 0.0))
        cells.append((i, j))
    return np.array(cells)


def around_the_corner(accumulated, omega, go_on=lambda i, j: (i, j) != (0, 0)):
    i, j = accumulated.shape[0] - 1, accumulated.shape[1] - 1
    cells = [(i, j)]
    while go_on(i, j):
        ways = [(i - 1, j - 1), (i - 1, j), (i, j - 1)]
        i, j = min(ways, key=lambda way: accumulated[way] + omega * (way != ways[0]))
        cells.append((i, j))
    return np.array(cells[::-1])


def never_moves(accumulated, omega):
    i, j = accumulated.shape[0] - 1, accumulated.shape[1] - 1
    while i > 0 or j > 0:
        if accumulated[i, j] < 0:
            i, j = i - 1, j - 1
    return np.array([(i, j)])


MISTAKES = {
    "penalty forgotten": lambda D, omega: right_answer(D, 0.0),
    "forwards": lambda D, omega: forwards(D),
    "forwards, with penalties": forwards,
}

RULE_MISTAKES = {
    "stops at the edge": (stops_at_the_edge, "What remains to match when one sequence is used up?"),
    "not reversed": (lambda D, omega: right_answer(D, omega)[::-1], "Which end did you start from?"),
    "columns exchanged": (lambda D, omega: right_answer(D, omega)[:, ::-1], "Which index belongs to x?"),
    "two rows": (lambda D, omega: right_answer(D, omega).T, "One row for each pair"),
    "two lists": (lambda D, omega: tuple(right_answer(D, omega).T.tolist()), "One row for each pair"),
    "no diagonal": (no_diagonal, "How many cells can a path come from?"),
    "without the first pair": (lambda D, omega: right_answer(D, omega)[1:], "Which pair does every path begin with?"),
    "without the last pair": (lambda D, omega: right_answer(D, omega)[:-1], "Which pair does every path end with?"),
    "counts from one": (lambda D, omega: right_answer(D, omega) + 1, "Python counts from 0"),
    "around the corner": (around_the_corner, "What does Python read at index −1?"),
    "around the corner, then stops": (
        lambda D, omega: around_the_corner(D, omega, go_on=lambda i, j: i > 0 or j > 0),
        "What does Python read at index −1?",
    ),
    "never moves": (never_moves, "Does every iteration of your loop come closer to its end?"),
    "flat": (lambda D, omega: right_answer(D, omega).ravel(), "It has the shape"),
}


def recursive(accumulated, omega):
    def to(i, j):
        return [*(to(*min(ways(accumulated, i, j, omega))[1:]) if i or j else []), [i, j]]

    return to(accumulated.shape[0] - 1, accumulated.shape[1] - 1)


def padded(accumulated, omega):
    table = np.pad(accumulated, ((1, 0), (1, 0)), constant_values=np.inf)
    i, j = accumulated.shape
    cells = []
    while True:
        cells.insert(0, (i - 1, j - 1))
        if i == j == 1:
            return cells
        best = np.argmin([table[i - 1, j - 1], table[i - 1, j] + omega, table[i, j - 1] + omega])
        i, j = ((i - 1, j - 1), (i - 1, j), (i, j - 1))[best]


def stepwise(accumulated, omega):
    i, j = accumulated.shape[0] - 1, accumulated.shape[1] - 1
    cells = [[i, j]]
    while [i, j] != [0, 0]:
        if i == 0:
            j -= 1
        elif j == 0:
            i -= 1
        elif accumulated[i - 1, j - 1] <= min(accumulated[i - 1, j], accumulated[i, j - 1]) + omega:
            i, j = i - 1, j - 1
        elif accumulated[i - 1, j] < accumulated[i, j - 1]:
            i -= 1
        else:
            j -= 1
        cells.append([i, j])
    return np.array(cells, dtype=np.int32)[::-1]


RIGHT = {
    "array of pairs": right_answer,
    "recursive, nested lists": recursive,
    "padded, list of tuples": padded,
    "edge by edge, int32": stepwise,
}
