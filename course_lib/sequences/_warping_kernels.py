"""The compiled recursions of dynamic time warping. Importing this module loads numba, so import it where it is used.

Row i of the table holds the cells lowest[i] ≤ j < end[i]; what is outside costs inf. Rows of D are kept only as far
back as a move reaches. choices[offsets[i] + j − lowest[i]] is the move that the best path makes into cell (i, j), or
START_MOVE, or NO_MOVE; `choices` is None where only the distance is wanted.

What is called row by row has forceinline: with rows of sixty cells, the calls would take an eighth of the time.

Lecture: 01, sections 3–5, 7 and 12.
"""

import numpy as np

from course_lib.sequences._compiling import njit

GIVEN, SQUARED, EUCLIDEAN = range(3)
DISTANCE_KINDS = {"given": GIVEN, "squared": SQUARED, "euclidean": EUCLIDEAN}
START_MOVE, NO_MOVE = 254, 255
ROW_PAD = 3


@njit(cache=True, nogil=True, forceinline=True)
def copy(target, source):
    """target[:] = source, without the check of shapes, for which numba would compile nearly two seconds longer."""
    for j in range(len(target)):
        target[j] = source[j]


@njit(cache=True, nogil=True, forceinline=True)
def local_rows(kind, x, y_columns, i, last, low, high, d):
    """d[r, 1 + j] = d(i + r, low + j) for the rows i to last and the cells low ≤ low + j < high.

    y_columns is (D, T_y), y by feature; for GIVEN, x is the (T_x, T_y) table itself. D − 1 is a multiple of 4 (filled
    up with zeros): after the first feature, four at a time, so that a row is read and written once for four.
    """
    rows, width, v = last + 1 - i, high - low, y_columns
    for r in range(rows):
        row = d[r, 1 : 1 + width]
        if kind == GIVEN:
            copy(row, x[i + r, low:high])
            continue
        u0, v0 = x[i + r, 0], v[0, low:high]
        for j in range(width):
            row[j] = (u0 - v0[j]) ** 2
    for k in range(1, len(v), 4):
        v1, v2, v3, v4 = v[k, low:high], v[k + 1, low:high], v[k + 2, low:high], v[k + 3, low:high]
        for r in range(rows):
            row, u = d[r, 1 : 1 + width], x[i + r]
            u1, u2, u3, u4 = u[k], u[k + 1], u[k + 2], u[k + 3]
            for j in range(width):
                row[j] += (u1 - v1[j]) ** 2 + (u2 - v2[j]) ** 2 + (u3 - v3[j]) ** 2 + (u4 - v4[j]) ** 2
    if kind == EUCLIDEAN:
        for r in range(rows):
            row = d[r, 1 : 1 + width]
            for j in range(width):
                row[j] = np.sqrt(row[j])


@njit(cache=True, nogil=True)
def first_minimum(a, b, c):
    """(minimum of three numbers, its index 0, 1 or 2); ties go to the first."""
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
    ROW_PAD + j; d[r, 1 + j] and into[r, 1 + j] belong to cell j of row r. d must be inf where one row is done and the
    other is not: in cell `width` of the upper and cell −1 of the lower.
    """
    (back0, m0), (back1, m1), (back2, m2), along = moves
    above0, above1, above2 = above[ROW_PAD - back0 :], above[ROW_PAD - back1 :], above[ROW_PAD - back2 :]
    upper0, upper1, upper2 = (
        upper[ROW_PAD - 1 - back0 :],
        upper[ROW_PAD - 1 - back1 :],
        upper[ROW_PAD - 1 - back2 :],
    )
    here, behind = upper[ROW_PAD:], lower[ROW_PAD - 1 :]
    left, left_behind = np.inf, np.inf
    for j in range(width + 1):
        u, v = d[0, 1 + j], d[1, j]
        third, third_behind = (left, left_behind) if along else (above2[j], upper2[j])
        left, move = first_minimum(above0[j] + m0 * u, above1[j] + m1 * u, third + m2 * u)
        left_behind, move_behind = first_minimum(upper0[j] + m0 * v, upper1[j] + m1 * v, third_behind + m2 * v)
        here[j], behind[j] = left, left_behind
        if into is not None:
            into[0, 1 + j], into[1, j] = move, move_behind


@njit(cache=True, nogil=True, forceinline=True)
def accumulate_single_steps(kind, x, y_columns, lowest, end, moves, begin, offsets, choices, table):
    """Last row of D for three moves of one step (`warping._single_steps`), made fast; lowest and end must never fall.

    A path begins in row 0, in one of the cells j ≤ begin. This row comes by itself, then two rows at a time; if one is
    left at the end, it comes twice, and `upper` holds it.
    """
    rows, columns = len(lowest), y_columns.shape[1]
    d, D = np.empty((2, columns + 2)), np.full((3, ROW_PAD + columns + 1), np.inf)
    into = None if choices is None else np.empty((2, columns + 2), dtype=np.uint8)
    above, upper, lower = D[0], D[1], D[2]
    first = np.int64(0)  # a plain 0 is a type of its own, for which every function would be compiled again
    local_rows(kind, x, y_columns, first, first, lowest[0], end[0], d)
    start_row(d, lowest[0], end[0], moves, begin, above, into)
    keep_rows(first, first, lowest, end, above, above, into, offsets, choices, table)
    for i in range(1, rows, 2):
        last = min(i + 1, rows - 1)
        low, high = lowest[i], end[last]
        local_rows(kind, x, y_columns, i, last, low, high, d)
        d[0, 1 + end[i] - low : 2 + high - low], d[1, : 1 + lowest[last] - low] = np.inf, np.inf
        upper[low : low + ROW_PAD], lower[low : low + ROW_PAD] = np.inf, np.inf
        two_rows(d, high - low, moves, above[low:], upper[low:], lower[low:], into)
        keep_rows(i, last, lowest, end, upper, lower, into, offsets, choices, table)
        above, upper, lower = (lower, upper, above) if last > i else (upper, lower, above)
    above[: ROW_PAD + lowest[rows - 1]] = np.inf
    return above[ROW_PAD : ROW_PAD + columns]


@njit(cache=True, nogil=True, forceinline=True)
def start_row(d, low, end, moves, begin, best, into):
    """Row 0: a path starts in one of the cells j ≤ begin, and may go on along the row."""
    (_, m), along = moves[2:]
    for j in range(low, end):
        start = d[0, 1 + j - low]
        total, choice = best[ROW_PAD + j - 1] + m * start if along else np.inf, 2
        if j <= begin and start <= total:
            total, choice = start, START_MOVE
        best[ROW_PAD + j] = total
        if into is not None:
            into[0, 1 + j - low] = choice


@njit(cache=True, nogil=True, forceinline=True)
def keep_rows(i, last, lowest, end, upper, lower, into, offsets, choices, table):
    """Copies the rows i and last of the moves, and of D, to where they are wanted. If they are one, upper is it."""
    low, high, shift = lowest[last], end[last], 1 - lowest[i]
    if choices is not None:
        copy(choices[offsets[last] : offsets[last + 1]], into[1, shift + low : shift + high])
        copy(choices[offsets[i] : offsets[i + 1]], into[0, 1 : shift + end[i]])
    if len(table) > 0:
        copy(table[last, low:high], lower[ROW_PAD + low : ROW_PAD + high])
        copy(table[i, lowest[i] : end[i]], upper[ROW_PAD + lowest[i] : ROW_PAD + end[i]])


@njit(cache=True, nogil=True)
def accumulate(kind, x, y_columns, lowest, end, moves, begin, offsets, choices, table):
    """Last row of D for any moves: D(i, j) = min over moves of D(i′, j′) + θ, θ = Σ m·d on the way.

    moves = (steps, lengths); steps[move, l] = (Δx, Δy, m) counted back from the cell (i, j): l = 0 is the last step.
    A path begins in row 0, in one of the cells j ≤ begin.

    above[k] is where D and d keep the row k rows above; to divide for each cell anew would take a third of the time.
    """
    steps, lengths = moves
    down, across, weights = steps[:, :, 0].astype(np.int64), steps[:, :, 1].astype(np.int64), steps[:, :, 2]
    rows, columns = len(lowest), y_columns.shape[1]
    depth = int(max_reach(steps, lengths)) + 1
    D, d, row = np.full((depth, columns), np.inf), np.full((depth, columns), np.inf), np.empty((1, columns + 2))
    above = np.empty(depth, dtype=np.int64)
    for i in range(rows):
        for k in range(depth):
            above[k] = (i - k) % depth
        here, low, high = above[0], lowest[i], end[i]
        D[here], d[here] = np.inf, np.inf
        local_rows(kind, x, y_columns, i, i, low, high, row)
        copy(d[here, low:high], row[0, 1 : 1 + high - low])
        for j in range(low, high):
            best, choice = np.inf, NO_MOVE
            if i == 0 and j <= begin:
                best, choice = d[here, j], START_MOVE
            for move in range(len(lengths)):
                up, left, theta = 0, 0, 0.0
                for step in range(lengths[move]):
                    if up > i or left > j:
                        break
                    theta += weights[move, step] * d[above[up], j - left]
                    up += down[move, step]
                    left += across[move, step]
                if up <= i and left <= j and D[above[up], j - left] + theta < best:
                    best, choice = D[above[up], j - left] + theta, move
            D[here, j] = best
            if choices is not None:
                choices[offsets[i] + j - low] = choice if best < np.inf else NO_MOVE
        if len(table) > 0:
            copy(table[i, low:high], D[here, low:high])
    return D[(rows - 1) % depth]


@njit(cache=True, nogil=True)
def max_reach(steps, lengths):
    """Largest number of rows that a move goes back."""
    reach = 0.0
    for move in range(len(lengths)):
        reach = max(reach, steps[move, : lengths[move], 0].sum())
    return reach


@njit(cache=True, nogil=True)
def trace_back(choices, offsets, lowest, steps, lengths, i, j):
    """(L, 2) cells of the best path into (i, j), from its start to its end."""
    path = np.empty((i + j + 1, 2), dtype=np.int64)
    length = 0
    choice = choices[offsets[i] + j - lowest[i]]
    while choice != START_MOVE:
        for step in range(lengths[choice]):
            path[length, 0], path[length, 1] = i, j
            length += 1
            i -= int(steps[choice, step, 0])
            j -= int(steps[choice, step, 1])
        choice = choices[offsets[i] + j - lowest[i]]
    path[length, 0], path[length, 1] = i, j
    return path[: length + 1][::-1].copy()


@njit(cache=True, nogil=True)
def single_step_distances(kind, frames, bounds, other_columns, other_bounds, pairs, lowest, end, begins, moves):
    """D(T_x, T_y) for each pair of sequences, which lie end to end between the bounds. No paths.

    The allowed cells of the p-th pair stand in lowest and end from begins[p] on, a row for each frame of x.
    """
    no_begin, no_offsets, no_table = np.int64(0), np.empty(0, np.int64), np.empty((0, 0))
    totals = np.empty(len(pairs))
    for p in range(len(pairs)):
        s, t = pairs[p]
        x = frames[bounds[s] : bounds[s + 1]]
        y_columns = other_columns[:, other_bounds[t] : other_bounds[t + 1]].copy()
        low, high = lowest[begins[p] : begins[p] + len(x)], end[begins[p] : begins[p] + len(x)]
        last = accumulate_single_steps(kind, x, y_columns, low, high, moves, no_begin, no_offsets, None, no_table)
        totals[p] = last[-1]
    return totals
