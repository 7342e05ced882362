"""The compiled recursions of dynamic time warping. Import this module only where they are needed: it loads numba.

Row i of the table holds the cells lowest[i] ≤ j < end[i]; what is outside costs inf. Rows of D are kept only as far
back as a move reaches. choices[offsets[i] + j − lowest[i]] is the move that the best path makes into cell (i, j), or
START, or NONE; an empty `choices` means that only the distance is wanted.
"""

import numpy as np
from numba import njit

GIVEN, SQUARED, EUCLIDEAN, MANHATTAN = range(4)
KINDS = {"given": GIVEN, "squared": SQUARED, "euclidean": EUCLIDEAN, "manhattan": MANHATTAN}
START, NONE = 254, 255
PAD = 2


@njit(cache=True, nogil=True)
def local_row(kind, x, y_columns, i, low, d):
    """d[j] = d(i, low + j). y_columns is (D, T_y), y by feature; for GIVEN, x is the (T_x, T_y) table itself.

    D − 1 is a multiple of 4 (filled up with zeros): after the first one, the row is read and written once for four.

    Lecture: 01, section 3.
    """
    high = low + len(d)
    if kind == GIVEN:
        d[:] = x[i, low:high]
        return
    u, v0 = x[i], y_columns[0, low:high]
    for j in range(len(d)):
        d[j] = abs(u[0] - v0[j]) if kind == MANHATTAN else (u[0] - v0[j]) ** 2
    for k in range(1, len(u), 4):
        u1, u2, u3, u4 = u[k], u[k + 1], u[k + 2], u[k + 3]
        v1, v2 = y_columns[k, low:high], y_columns[k + 1, low:high]
        v3, v4 = y_columns[k + 2, low:high], y_columns[k + 3, low:high]
        if kind == MANHATTAN:
            for j in range(len(d)):
                d[j] += abs(u1 - v1[j]) + abs(u2 - v2[j]) + abs(u3 - v3[j]) + abs(u4 - v4[j])
        else:
            for j in range(len(d)):
                d[j] += (u1 - v1[j]) ** 2 + (u2 - v2[j]) ** 2 + (u3 - v3[j]) ** 2 + (u4 - v4[j]) ** 2
    if kind == EUCLIDEAN:
        for j in range(len(d)):
            d[j] = np.sqrt(d[j])


@njit(cache=True, nogil=True)
def single_step_row(above, d, moves, best, choices):
    """One row of D for three moves (Δy, m), and which of them won. above[PAD + j] is D(i − 1, j).

    The first two moves come from the row above: they are independent from cell to cell, so they are done for the whole
    row at once. The third may go along the row, and then each cell has to wait for the one before.

    Lecture: 01, section 3.
    """
    (back0, m0), (back1, m1), (back2, m2), along = moves
    above0, above1, above2 = above[PAD - back0 :], above[PAD - back1 :], above[PAD - back2 :]
    for j in range(len(d)):
        a, b = above0[j] + m0 * d[j], above1[j] + m1 * d[j]
        best[j] = b if b < a else a
        choices[j] = 1 if b < a else 0
    left = np.inf
    for j in range(len(d)):
        total = (left if along else above2[j]) + m2 * d[j]
        if total < best[j]:
            best[j] = total
            choices[j] = 2
        left = best[j]


@njit(cache=True, nogil=True)
def start_row(d, low, moves, open_begin, best, choices):
    """Row 0: a path starts in cell (0, 0), or anywhere if the beginning is open, and may go on along the row.

    Lecture: 01, section 5.
    """
    (_, m), along = moves[2:]
    for j in range(len(best)):
        best[j], choices[j] = np.inf, NONE
        if open_begin or low + j == 0:
            best[j], choices[j] = d[j], START
        if along and j > 0 and best[j - 1] + m * d[j] < best[j]:
            best[j], choices[j] = best[j - 1] + m * d[j], 2


@njit(cache=True, nogil=True)
def accumulate_single_steps(kind, x, y_columns, lowest, end, moves, open_begin, offsets, choices, table):
    """Last row of D for three moves of one step (see `_single_steps`). The usual patterns, made fast.

    Lecture: 01, section 3.
    """
    rows, columns = len(lowest), y_columns.shape[1]
    d, into_row = np.empty(columns), np.empty(columns, dtype=np.uint8)
    above, here = np.full(columns + PAD, np.inf), np.full(columns + PAD, np.inf)
    for i in range(rows):
        low, high = lowest[i], end[i]
        if i > 1:
            here[PAD + lowest[i - 2] : PAD + end[i - 2]] = np.inf
        if len(choices) > 0:
            into_row = choices[offsets[i] : offsets[i + 1]]
        best, d_row = here[PAD + low : PAD + high], d[: high - low]
        local_row(kind, x, y_columns, i, low, d_row)
        if i == 0:
            start_row(d_row, low, moves, open_begin, best, into_row)
        else:
            single_step_row(above[low:], d_row, moves, best, into_row)
        if len(table) > 0:
            table[i, low:high] = best
        above, here = here, above
    return above[PAD:]


@njit(cache=True, nogil=True)
def accumulate(kind, x, y_columns, lowest, end, moves, open_begin, offsets, choices, table):
    """Last row of D for any moves: D(i, j) = min over moves of D(i′, j′) + θ, θ = Σ m·d over the cells stepped on.

    moves = (steps, lengths); steps[move, l] = (Δx, Δy, m) counted back from the cell (i, j): l = 0 is the last step.

    Lecture: 01, section 4.
    """
    steps, lengths = moves
    rows, columns = len(lowest), y_columns.shape[1]
    depth = int(max_reach(steps, lengths)) + 1
    D, d = np.full((depth, columns), np.inf), np.full((depth, columns), np.inf)
    for i in range(rows):
        here, low, high = i % depth, lowest[i], end[i]
        D[here], d[here] = np.inf, np.inf
        local_row(kind, x, y_columns, i, low, d[here, low:high])
        for j in range(low, high):
            best, choice = np.inf, NONE
            if i == 0 and (open_begin or j == 0):
                best, choice = d[here, j], START
            for move in range(len(lengths)):
                back_i, back_j, theta = i, j, 0.0
                for step in range(lengths[move]):
                    if back_i < 0 or back_j < 0:
                        break
                    theta += steps[move, step, 2] * d[back_i % depth, back_j]
                    back_i -= int(steps[move, step, 0])
                    back_j -= int(steps[move, step, 1])
                if back_i >= 0 and back_j >= 0 and D[back_i % depth, back_j] + theta < best:
                    best, choice = D[back_i % depth, back_j] + theta, move
            D[here, j] = best
            if len(choices) > 0:
                choices[offsets[i] + j - low] = choice if best < np.inf else NONE
        if len(table) > 0:
            table[i, low:high] = D[here, low:high]
    return D[(rows - 1) % depth]


@njit(cache=True, nogil=True)
def max_reach(steps, lengths):
    """Largest number of rows that a move goes back.

    Lecture: 01, section 4.
    """
    reach = 0.0
    for move in range(len(lengths)):
        reach = max(reach, steps[move, : lengths[move], 0].sum())
    return reach


@njit(cache=True, nogil=True)
def trace_back(choices, offsets, lowest, steps, lengths, j):
    """(L, 2) cells of the best path into (T_x − 1, j), from its start to its end.

    Lecture: 01, section 3.
    """
    i = len(lowest) - 1
    path = np.empty((len(lowest) + j + 1, 2), dtype=np.int64)
    length = 0
    choice = choices[offsets[i] + j - lowest[i]]
    while choice != START:
        for step in range(lengths[choice]):
            path[length, 0], path[length, 1] = i, j
            length += 1
            i -= int(steps[choice, step, 0])
            j -= int(steps[choice, step, 1])
        choice = choices[offsets[i] + j - lowest[i]]
    path[length, 0], path[length, 1] = i, j
    return path[: length + 1][::-1].copy()


@njit(cache=True, nogil=True)
def single_step_distances(kind, frames, bounds, other_columns, other_bounds, pairs, moves):
    """D(T_x, T_y) for each pair of sequences, which lie end to end between the bounds. No windows, no paths.

    Lecture: 01, section 7.
    """
    no_offsets, no_choices, no_table = np.empty(0, np.int64), np.empty(0, np.uint8), np.empty((0, 0))
    totals = np.empty(len(pairs))
    for p in range(len(pairs)):
        s, t = pairs[p]
        x = frames[bounds[s] : bounds[s + 1]]
        y_columns = other_columns[:, other_bounds[t] : other_bounds[t + 1]].copy()
        lowest, end = np.zeros(len(x), np.int64), np.full(len(x), y_columns.shape[1])
        last = accumulate_single_steps(kind, x, y_columns, lowest, end, moves, False, no_offsets, no_choices, no_table)
        totals[p] = last[-1]
    return totals


@njit(cache=True, nogil=True)
def best_local_path(gains):
    """(largest Σ m·gain of any path that begins and ends anywhere, its (L, 2) cells), with the moves of symmetric2.

    The diagonal counts twice, and so does the start: a path gains nothing by going round a corner.

    Lecture: 01, section 8.
    """
    rows, columns = gains.shape
    S, move = np.zeros((rows + 1, columns + 1)), np.full((rows, columns), START, dtype=np.uint8)
    best, i, j = 0.0, -1, -1
    for a in range(rows):
        for b in range(columns):
            gain = gains[a, b]
            total = 2 * gain
            if S[a, b] > 0 and S[a, b] + 2 * gain > total:
                total, move[a, b] = S[a, b] + 2 * gain, 0
            if S[a, b + 1] > 0 and S[a, b + 1] + gain > total:
                total, move[a, b] = S[a, b + 1] + gain, 1
            if S[a + 1, b] > 0 and S[a + 1, b] + gain > total:
                total, move[a, b] = S[a + 1, b] + gain, 2
            S[a + 1, b + 1] = max(0.0, total)
            if S[a + 1, b + 1] > best:
                best, i, j = S[a + 1, b + 1], a, b
    path = np.empty((rows + columns, 2), dtype=np.int64)
    length = 0
    while i >= 0 and j >= 0 and S[i + 1, j + 1] > 0:
        path[length, 0], path[length, 1] = i, j
        length += 1
        step = move[i, j]
        if step == START:
            break
        i -= step != 2
        j -= step != 1
    return best, path[:length][::-1].copy()
