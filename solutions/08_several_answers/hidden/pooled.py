"""Reference of task 1, pooled_spread."""

import numpy as np

SEED = 801


def answer(Y):
    """Σ (y − ȳ)² is the sum over all ordered pairs of (y − y′)², divided by 2R."""
    rows = [row[~np.isnan(row)] for row in Y]
    squares = [np.sum((row[:, None] - row[None]) ** 2) / (2 * len(row)) for row in rows]
    free = sum(len(row) - 1 for row in rows)
    counts, means = [float(len(row)) for row in rows], [sum(row) / len(row) for row in rows]
    return np.array(counts), np.array(means), np.array(squares), float(np.sqrt(sum(squares) / free))


def way(Y):
    counts, _, squares, _ = answer(Y)
    yield "Σ SS_n", float(sum(squares))
    yield "Σ (R_n − 1)", float(sum(counts - 1))
