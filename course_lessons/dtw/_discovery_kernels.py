"""The compiled search for the best local paths of a table. Importing it loads numba, so import it where it is used.

Lecture: 01, section 12.
"""

import numpy as np

from course_lib.sequences._compiling import njit
from course_lib.sequences._warping_kernels import START_MOVE

CELLS_PER_PEAK = 64


def local_tables(gains):
    """(S, move, peaks) for `next_local_path`, filled: see `refresh`.

    S[1 + i, 1 + j] is the largest Σ m·gain of any path into cell (i, j), or 0 if none gains; move is how that path
    comes there. peaks is a tournament: its leaves are the largest S of every CELLS_PER_PEAK cells of a row, row after
    row, and peaks[k] = max(peaks[2k], peaks[2k + 1]); so peaks[1] is the largest of all.
    """
    rows, columns = gains.shape
    leaves = 2 ** int(rows * -(-columns // CELLS_PER_PEAK) - 1).bit_length()
    S, move, peaks = np.zeros((rows + 1, columns + 1)), np.empty((rows, columns), np.uint8), np.zeros(2 * leaves)
    refresh(gains, S, move, peaks, 0, rows, 0, columns)
    return S, move, peaks


@njit(cache=True, nogil=True)
def best_gain(gain, corner, above, left):
    """(largest Σ m·gain of any path into a cell, or 0 if none gains; the move it makes), with symmetric2's moves.

    The diagonal counts twice, and so does the start: a path gains nothing by going round a corner.
    """
    total, move = 2 * gain, START_MOVE
    if corner > 0 and corner + 2 * gain > total:
        total, move = corner + 2 * gain, 0
    if above > 0 and above + gain > total:
        total, move = above + gain, 1
    if left > 0 and left + gain > total:
        total, move = left + gain, 2
    return max(0.0, total), move


@njit(cache=True, nogil=True)
def refresh(gains, S, move, peaks, i0, i1, j0, j1):
    """Work out the cells i0 ≤ i < i1, j0 ≤ j < j1 and all that depend on them. Returns how many cells that were.

    What depends on a cell lies right of it and below; it ends where a row comes out as it was. first and last bound
    the cells that changed in the row before.
    """
    rows, columns = gains.shape
    first, last, count, i = columns, 0, 0, i0
    while i < i1 or (i < rows and first < last):
        j = min(first, j0) if i < i1 else first
        least = max(last + 1, j1) if i < i1 else last + 1
        first, last = columns, 0
        while j < columns and (j < least or last == j):
            before = S[i + 1, j + 1]
            S[i + 1, j + 1], move[i, j] = best_gain(gains[i, j], S[i, j], S[i, j + 1], S[i + 1, j])
            if S[i + 1, j + 1] != before:
                first, last = min(first, j), j + 1
            j, count = j + 1, count + 1
        raise_peaks(S[i + 1, 1:], peaks, i, first, last)
        i += 1
    return count


@njit(cache=True, nogil=True)
def raise_peaks(row, peaks, i, first, last):
    """Play the tournament again for the blocks of row i that hold its cells first ≤ j < last."""
    across = -(-len(row) // CELLS_PER_PEAK)
    for block in range(first // CELLS_PER_PEAK, -(-last // CELLS_PER_PEAK)):
        k = len(peaks) // 2 + i * across + block
        winner = 0.0
        for j in range(block * CELLS_PER_PEAK, min((block + 1) * CELLS_PER_PEAK, len(row))):
            winner = max(winner, row[j])
        while k > 0 and peaks[k] != winner:
            peaks[k] = winner
            winner, k = max(winner, peaks[k ^ 1]), k // 2


@njit(cache=True, nogil=True)
def highest_cell(S, peaks):
    """(i, j) of the largest S, the first in the order of rows."""
    k, leaves, columns = 1, len(peaks) // 2, S.shape[1] - 1
    while k < leaves:
        k = 2 * k if peaks[2 * k] == peaks[k] else 2 * k + 1
    across = -(-columns // CELLS_PER_PEAK)
    i, j = (k - leaves) // across, (k - leaves) % across * CELLS_PER_PEAK
    while S[i + 1, j + 1] != peaks[1]:
        j += 1
    return i, j


@njit(cache=True, nogil=True)
def next_local_path(gains, S, move, peaks, min_frames):
    """(the (L, 2) cells of the next best local path of min_frames or more in both directions, cells worked out).

    Each best path, also one that is too short, is struck out: the rectangle round it gains −inf from then on. The
    tables are kept up to date, not filled again. No cells: nothing is left that gains.
    """
    path, count = np.empty((len(gains) + gains.shape[1], 2), dtype=np.int64), 0
    while peaks[1] > 0:
        i, j = highest_cell(S, peaks)
        end, length, step = (i + 1, j + 1), 0, 0
        while True:
            path[length, 0], path[length, 1] = i, j
            length += 1
            step = move[i, j]
            if step == START_MOVE:
                break
            i -= step != 2
            j -= step != 1
        gains[i : end[0], j : end[1]] = -np.inf
        count += refresh(gains, S, move, peaks, i, end[0], j, end[1])
        if min(end[0] - i, end[1] - j) >= min_frames:
            return path[:length][::-1].copy(), count
    return path[:0], count
