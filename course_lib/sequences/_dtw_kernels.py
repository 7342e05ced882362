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
PAD = 3


@njit(cache=True, nogil=True)
def local_row(kind, x, y_columns, i, low, d):
    """d[j] = d(i, low + j). y_columns is (D, T_y), y by feature; for GIVEN, x is the (T_x, T_y) table itself.

    D is a multiple of 4 (filled up with zeros): four features at a time, the row is read and written once for four.

    Lecture: 01, section 3.
    """
    if kind == GIVEN:
        d[:] = x[i, low : low + len(d)]
        return
    d[:] = 0.0
    u, high = x[i], low + len(d)
    for k in range(0, len(u), 4):
        v0, v1 = y_columns[k, low:high], y_columns[k + 1, low:high]
        v2, v3 = y_columns[k + 2, low:high], y_columns[k + 3, low:high]
        u0, u1, u2, u3 = u[k], u[k + 1], u[k + 2], u[k + 3]
        if kind == MANHATTAN:
            for j in range(len(d)):
                d[j] += abs(u0 - v0[j]) + abs(u1 - v1[j]) + abs(u2 - v2[j]) + abs(u3 - v3[j])
        else:
            for j in range(len(d)):
                d[j] += (u0 - v0[j]) ** 2 + (u1 - v1[j]) ** 2 + (u2 - v2[j]) ** 2 + (u3 - v3[j]) ** 2
    if kind == EUCLIDEAN:
        for j in range(len(d)):
            d[j] = np.sqrt(d[j])


@njit(cache=True, nogil=True)
def single_step_row(above, d, from_above, along, best, choices):
    """best[j] = min of above[j − Δy] + m·d[j] for the moves (Δy, m) from the row above, and best[j − 1] + along·d[j].

    above[PAD + j] is D(i − 1, j). What comes from the row above is independent from cell to cell, so it is done for
    the whole row at once; only the steps along the row must be taken one after the other.

    Lecture: 01, section 3.
    """
    best[:] = np.inf
    for move in range(len(from_above)):
        weight = from_above[move, 1]
        before = above[PAD - int(from_above[move, 0]) :]
        for j in range(len(d)):
            total = before[j] + weight * d[j]
            if total < best[j]:
                choices[j] = move
            best[j] = total if total < best[j] else best[j]
    if along == np.inf:
        return
    left = np.inf
    for j in range(len(d)):
        total = left + along * d[j]
        if total < best[j]:
            best[j] = total
            choices[j] = len(from_above)
        left = best[j]


@njit(cache=True, nogil=True)
def accumulate_single_steps(kind, x, y_columns, lowest, end, moves, open_begin, offsets, choices, table):
    """Last row of D for moves of one step: (1, Δy) with Δy ≤ PAD, and (0, 1). The usual patterns, made fast.

    Lecture: 01, section 3.
    """
    from_above, along = moves
    rows, columns = len(lowest), y_columns.shape[1]
    d, into_row = np.empty(columns), np.empty(columns, dtype=np.uint8)
    above, here = np.full(columns + PAD, np.inf), np.full(columns + PAD, np.inf)
    for i in range(rows):
        low, high = lowest[i], end[i]
        if i > 1:
            here[PAD + lowest[i - 2] : PAD + end[i - 2]] = np.inf
        if len(choices) > 0:
            into_row = choices[offsets[i] : offsets[i + 1]]
        best = here[PAD + low : PAD + high]
        local_row(kind, x, y_columns, i, low, d[: high - low])
        single_step_row(above[low:], d[: high - low], from_above, along, best, into_row)
        if i == 0:
            start_row(d, open_begin, low, along, len(from_above), best, into_row)
        if len(table) > 0:
            table[i, low:high] = best
        above, here = here, above
    return above[PAD:]


@njit(cache=True, nogil=True)
def start_row(d, open_begin, low, along, along_move, best, choices):
    """Row 0: a path starts in cell (0, 0), or anywhere if the beginning is open, and may go on along the row.

    Lecture: 01, section 5.
    """
    for j in range(len(best)):
        if open_begin or low + j == 0:
            best[j], choices[j] = d[j], START
        if j > 0 and best[j - 1] + along * d[j] < best[j]:
            best[j], choices[j] = best[j - 1] + along * d[j], along_move


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
    """(largest Σ gains of any path of steps (1, 1), (1, 0), (0, 1), its (L, 2) cells): it begins and ends anywhere.

    Lecture: 01, section 8.
    """
    rows, columns = gains.shape
    S, move = np.zeros((rows + 1, columns + 1)), np.full((rows, columns), START, dtype=np.uint8)
    best, i, j = 0.0, -1, -1
    for a in range(rows):
        for b in range(columns):
            before = 0.0
            if S[a, b] > before:
                before, move[a, b] = S[a, b], 0
            if S[a, b + 1] > before:
                before, move[a, b] = S[a, b + 1], 1
            if S[a + 1, b] > before:
                before, move[a, b] = S[a + 1, b], 2
            S[a + 1, b + 1] = max(0.0, before + gains[a, b])
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
