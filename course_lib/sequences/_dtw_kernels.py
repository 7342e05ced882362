"""The compiled recursions of dynamic time warping. Import this module only where they are needed: it loads numba.

Row i of the table holds the cells lowest[i] ≤ j < end[i]; what is outside costs inf. Rows of D are kept only as far
back as a move reaches. choices[offsets[i] + j − lowest[i]] is the move that the best path makes into cell (i, j), or
START, or NONE; `choices` is None where only the distance is wanted.

What is called row by row has forceinline: with rows of sixty cells, the calls would take an eighth of the time.
"""

import numpy as np
from numba import njit

GIVEN, SQUARED, EUCLIDEAN, MANHATTAN = range(4)
KINDS = {"given": GIVEN, "squared": SQUARED, "euclidean": EUCLIDEAN, "manhattan": MANHATTAN}
START, NONE = 254, 255
PAD = 3


@njit(cache=True, nogil=True, forceinline=True)
def copy(target, source):
    """target[:] = source, without the check of shapes, for which numba would compile nearly two seconds longer.

    Lecture: 01, section 3.
    """
    for j in range(len(target)):
        target[j] = source[j]


@njit(cache=True, nogil=True, forceinline=True)
def local_rows(kind, x, y_columns, i, last, low, high, d):
    """d[r, 1 + j] = d(i + r, low + j) for the rows i to last and the cells low ≤ low + j < high.

    y_columns is (D, T_y), y by feature; for GIVEN, x is the (T_x, T_y) table itself. D − 1 is a multiple of 4 (filled
    up with zeros): after the first feature, four at a time, so that a row is read and written once for four.

    Lecture: 01, section 3.
    """
    rows, width, v = last + 1 - i, high - low, y_columns
    for r in range(rows):
        row = d[r, 1 : 1 + width]
        if kind == GIVEN:
            copy(row, x[i + r, low:high])
            continue
        u0, v0 = x[i + r, 0], v[0, low:high]
        for j in range(width):
            row[j] = abs(u0 - v0[j]) if kind == MANHATTAN else (u0 - v0[j]) ** 2
    for k in range(1, len(v), 4):
        v1, v2, v3, v4 = v[k, low:high], v[k + 1, low:high], v[k + 2, low:high], v[k + 3, low:high]
        for r in range(rows):
            row, u = d[r, 1 : 1 + width], x[i + r]
            u1, u2, u3, u4 = u[k], u[k + 1], u[k + 2], u[k + 3]
            if kind == MANHATTAN:
                for j in range(width):
                    row[j] += abs(u1 - v1[j]) + abs(u2 - v2[j]) + abs(u3 - v3[j]) + abs(u4 - v4[j])
            else:
                for j in range(width):
                    row[j] += (u1 - v1[j]) ** 2 + (u2 - v2[j]) ** 2 + (u3 - v3[j]) ** 2 + (u4 - v4[j]) ** 2
    if kind == EUCLIDEAN:
        for r in range(rows):
            row = d[r, 1 : 1 + width]
            for j in range(width):
                row[j] = np.sqrt(row[j])


@njit(cache=True, nogil=True)
def first_least(a, b, c):
    """(the least of three numbers, which of them it is: 0, 1 or 2); the first, if they are equal.

    Lecture: 01, section 3.
    """
    least, which = a, 0
    if b < least:
        least, which = b, 1
    if c < least:
        least, which = c, 2
    return least, which


@njit(cache=True, nogil=True, forceinline=True)
def two_rows(d, width, moves, above, upper, lower, into):
    """Two rows of D by the recursion, `upper` from the row above and `lower` from `upper`, with the moves into them.

    moves = three (Δy, m), and whether the third goes along the row. Only such a step has to wait for the cell before:
    so the lower row follows one cell behind the upper one, and two cells are done in the time of one. D(·, j) lies at
    PAD + j; d[r, 1 + j] and into[r, 1 + j] belong to cell j of row r. d must be inf where one row is done and the
    other is not: in cell `width` of the upper and cell −1 of the lower.

    Lecture: 01, section 3.
    """
    (back0, m0), (back1, m1), (back2, m2), along = moves
    above0, above1, above2 = above[PAD - back0 :], above[PAD - back1 :], above[PAD - back2 :]
    upper0, upper1, upper2 = upper[PAD - 1 - back0 :], upper[PAD - 1 - back1 :], upper[PAD - 1 - back2 :]
    here, behind = upper[PAD:], lower[PAD - 1 :]
    left, left_behind = np.inf, np.inf
    for j in range(width + 1):
        u, v = d[0, 1 + j], d[1, j]
        third, third_behind = (left, left_behind) if along else (above2[j], upper2[j])
        left, move = first_least(above0[j] + m0 * u, above1[j] + m1 * u, third + m2 * u)
        left_behind, move_behind = first_least(upper0[j] + m0 * v, upper1[j] + m1 * v, third_behind + m2 * v)
        here[j], behind[j] = left, left_behind
        if into is not None:
            into[0, 1 + j], into[1, j] = move, move_behind


@njit(cache=True, nogil=True, forceinline=True)
def accumulate_single_steps(kind, x, y_columns, lowest, end, moves, open_begin, offsets, choices, table):
    """Last row of D for three moves of one step (`dtw._single_steps`), made fast; lowest and end must never fall.

    Row 0 comes by itself, then two rows at a time; if one is left at the end, it comes twice, and `upper` holds it.

    Lecture: 01, section 3.
    """
    rows, columns = len(lowest), y_columns.shape[1]
    d, D = np.empty((2, columns + 2)), np.full((3, PAD + columns + 1), np.inf)
    into = None if choices is None else np.empty((2, columns + 2), dtype=np.uint8)
    above, upper, lower = D[0], D[1], D[2]
    first = np.int64(0)  # a plain 0 is a type of its own, for which every function would be compiled again
    local_rows(kind, x, y_columns, first, first, lowest[0], end[0], d)
    start_row(d, lowest[0], end[0], moves, open_begin, above, into)
    keep_rows(first, first, lowest, end, above, above, into, offsets, choices, table)
    for i in range(1, rows, 2):
        last = min(i + 1, rows - 1)
        low, high = lowest[i], end[last]
        local_rows(kind, x, y_columns, i, last, low, high, d)
        d[0, 1 + end[i] - low : 2 + high - low], d[1, : 1 + lowest[last] - low] = np.inf, np.inf
        upper[low : low + PAD], lower[low : low + PAD] = np.inf, np.inf
        two_rows(d, high - low, moves, above[low:], upper[low:], lower[low:], into)
        keep_rows(i, last, lowest, end, upper, lower, into, offsets, choices, table)
        above, upper, lower = (lower, upper, above) if last > i else (upper, lower, above)
    above[: PAD + lowest[rows - 1]] = np.inf
    return above[PAD : PAD + columns]


@njit(cache=True, nogil=True, forceinline=True)
def start_row(d, low, end, moves, open_begin, best, into):
    """Row 0: a path starts in cell (0, 0), or anywhere if the beginning is open, and may go on along the row.

    Lecture: 01, section 5.
    """
    (_, m), along = moves[2:]
    for j in range(low, end):
        start = d[0, 1 + j - low]
        total, choice = best[PAD + j - 1] + m * start if along else np.inf, 2
        if (open_begin or j == 0) and start <= total:
            total, choice = start, START
        best[PAD + j] = total
        if into is not None:
            into[0, 1 + j - low] = choice


@njit(cache=True, nogil=True, forceinline=True)
def keep_rows(i, last, lowest, end, upper, lower, into, offsets, choices, table):
    """Copies the rows i and last of the moves, and of D, to where they are wanted. If they are one row, upper is it.

    Lecture: 01, section 3.
    """
    low, high, shift = lowest[last], end[last], 1 - lowest[i]
    if choices is not None:
        copy(choices[offsets[last] : offsets[last + 1]], into[1, shift + low : shift + high])
        copy(choices[offsets[i] : offsets[i + 1]], into[0, 1 : shift + end[i]])
    if len(table) > 0:
        copy(table[last, low:high], lower[PAD + low : PAD + high])
        copy(table[i, lowest[i] : end[i]], upper[PAD + lowest[i] : PAD + end[i]])


@njit(cache=True, nogil=True)
def accumulate(kind, x, y_columns, lowest, end, moves, open_begin, offsets, choices, table):
    """Last row of D for any moves: D(i, j) = min over moves of D(i′, j′) + θ, θ = Σ m·d over the cells stepped on.

    moves = (steps, lengths); steps[move, l] = (Δx, Δy, m) counted back from the cell (i, j): l = 0 is the last step.

    Lecture: 01, section 4.
    """
    steps, lengths = moves
    rows, columns = len(lowest), y_columns.shape[1]
    depth = int(max_reach(steps, lengths)) + 1
    D, d, row = np.full((depth, columns), np.inf), np.full((depth, columns), np.inf), np.empty((1, columns + 2))
    for i in range(rows):
        here, low, high = i % depth, lowest[i], end[i]
        D[here], d[here] = np.inf, np.inf
        local_rows(kind, x, y_columns, i, i, low, high, row)
        copy(d[here, low:high], row[0, 1 : 1 + high - low])
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
            if choices is not None:
                choices[offsets[i] + j - low] = choice if best < np.inf else NONE
        if len(table) > 0:
            copy(table[i, low:high], D[here, low:high])
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
    no_offsets, no_table = np.empty(0, np.int64), np.empty((0, 0))
    totals = np.empty(len(pairs))
    for p in range(len(pairs)):
        s, t = pairs[p]
        x = frames[bounds[s] : bounds[s + 1]]
        y_columns = other_columns[:, other_bounds[t] : other_bounds[t + 1]].copy()
        lowest, end = np.zeros(len(x), np.int64), np.full(len(x), y_columns.shape[1])
        last = accumulate_single_steps(kind, x, y_columns, lowest, end, moves, False, no_offsets, None, no_table)
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
