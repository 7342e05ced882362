"""Dynamic time warping: the cheapest way to match two sequences frame by frame.

Lecture: 01, sections 3, 4, 6, 7 and 10.
"""

import numbers
from dataclasses import dataclass, field
from functools import lru_cache

import joblib
import numpy as np

from course_lib import validation
from course_lib.sequences.local import TOO_LARGE, local_distances, unit_frames
from course_lib.sequences.steps import SYMMETRIC1, SYMMETRIC2, StepPattern, step_pattern_of
from course_lib.sequences.windows import row_ranges

THREADS = 1024  # that anybody has
NO_PATH = (
    "No warping path leads through the table of {rows} × {columns} cells with step pattern {pattern!r}. "
    "Its moves have slopes Δy/Δx from {least:.3g} to {most:.3g}, this table needs {slope:.3g}{cut}. "
    "SYMMETRIC2, which has no slope limits, or open_end=True allow more."
)
CUT = ", and the window may cut the rest: try a wider one"


@dataclass(frozen=True, eq=False)
class Alignment:
    """What `dtw` returns.

    distance : D at the end of the path: Σ m·d over its steps, in the unit of the local distance
    path : (L, 2) ints, the cells (i, j) of the best path φ from start to end, counted from 0; `path.T` are the two
        arrays that dtw-python calls index1 and index2
    shape : (T_x, T_y)
    accumulated : (T_x, T_y) array D, or None if it was not kept; inf where no path arrives
    step_pattern, open_begin : as they were given
    """

    distance: float
    path: np.ndarray = field(repr=False)
    shape: tuple
    step_pattern: StepPattern = field(repr=False)
    open_begin: bool = field(default=False, repr=False)
    accumulated: np.ndarray | None = field(default=None, repr=False)

    @property
    def normalized_distance(self):
        """D/M_φ: the mean local distance along the path, weighted by its steps; comparable between lengths.

        The start counts m(1) times in M_φ and is paid once in D, as in dtw-python: if all d are 1, symmetric2 gives
        (T_x + T_y − 1)/(T_x + T_y).

        Raises ValueError where M_φ depends on the path (see `StepPattern.path_weight`), or on where an open beginning
        lies.

        Source: TTIC 31110 slides (2020), d(X, Y) = D(T_x, T_y)/M_φ.
        """
        weight = self.step_pattern.path_weight(self.shape[0], self.path[-1, 1] + 1)
        if self.open_begin and self.step_pattern.normalizer[1] != 0:
            raise ValueError(
                f"With an open beginning and step pattern {self.step_pattern.name!r}, M_φ depends on where the path "
                "begins, so D/M_φ is not defined. Use a pattern whose M_φ counts frames of x only, such as ASYMMETRIC."
            )
        return self.distance / weight


def dtw(
    x,
    y,
    step_pattern=SYMMETRIC2,
    window=None,
    distance="euclidean",
    open_begin=False,
    open_end=False,
    keep_accumulated=False,
):
    """Align two sequences by dynamic time warping.

    D(1, 1) = d(1, 1);   D(i_x, i_y) = min over moves of [D(i′_x, i′_y) + θ],   d(X, Y) = D(T_x, T_y)/M_φ,
    where θ = Σ_{l=0}^{L−1} m(T′−l) d(φ(T′−l)) pays for the cells that the move steps on, and not for the one it
    leaves. The first cell is paid once, as in dtw-python (Sakoe and Chiba pay it m(1) times).

    Parameters
    ----------
    x, y : (T_x, D) and (T_y, D) sequences, or (T_x,), (T_y,) for one number a frame
    step_pattern : StepPattern, or its name, one of `STEP_PATTERNS`, such as "asymmetric"
    window : None, SakoeChiba or ItakuraParallelogram: the cells a path may visit; `align` can forbid any others
    distance : str or callable, see `local_distances`
    open_begin, open_end : the path may begin (end) at any frame of y: x is found inside y. An open end is where D/M_φ
        is least, or D where M_φ is not defined.
    keep_accumulated : keep the table D (8 bytes a cell). Without it a path needs one byte a cell.

    Raises ValueError also where no path exists within the window and the slopes of the step pattern.

    Source: TTIC 31110 slides (2020), "DP algorithm for DTW", with θ's sum corrected (l = 0 … L−1); Sakoe and Chiba
    (1978).
    """
    table = _Table(*_frames(x, y, distance), step_pattern, window)
    return _align(table, open_begin, open_end, keep_accumulated)


def align(cost, step_pattern=SYMMETRIC2, window=None, open_begin=False, open_end=False, keep_accumulated=False):
    """As `dtw`, from a table of local distances that you already have.

    cost : (T_x, T_y) array d(i, j); negative values are allowed, +inf forbids a cell.
    The others as in `dtw`.
    """
    cost = validation.real_numbers(cost, "cost")
    forbidden = np.isposinf(cost)
    validation.real_array(np.where(forbidden, 0, cost) if forbidden.any() else cost, "cost")
    if cost.ndim != 2:
        raise ValueError(f"cost has shape {cost.shape}; a table of shape (T_x, T_y) is needed.")
    table = _Table("given", cost, None, step_pattern, window)
    return _align(table, open_begin, open_end, keep_accumulated)


def accumulate(d, step_pattern=SYMMETRIC1):
    """The table D (T_x, T_y) of local distances d, cell by cell as in the formula; inf where no path arrives.

    With a loop in Python it is for small tables and for checks; `dtw` and `align` fill the same table, compiled.

    Source: TTIC 31110 slides (2020), "DP algorithm for DTW".
    """
    D = np.full(d.shape, np.inf)
    D[0, 0] = d[0, 0]  # INITIALISE
    for cell in np.ndindex(d.shape):
        ways = [D[came_from[-1]] + theta for came_from, theta in ways_into(cell, d, step_pattern)]
        D[cell] = min([D[cell], *ways])  # SCORE
    return D


def trace_back(D, d, step_pattern=SYMMETRIC1):
    """The best path of a table that `accumulate` filled: list of (i, j) from the first cell to the last."""
    path = [(D.shape[0] - 1, D.shape[1] - 1)]
    while path[-1] != (0, 0):
        ways = ways_into(path[-1], d, step_pattern)
        came_from, _ = min(ways, key=lambda way: D[way[0][-1]] + way[1])  # the way that won; of equal ones the first
        path += came_from
    return path[::-1]


def ways_into(cell, d, step_pattern):
    """(cells that the move came from, back to where it starts; its price θ) of each move into a cell."""
    for move in step_pattern.moves:
        cells, theta = [cell], 0.0
        for dx, dy, m in reversed(move):
            i, j = cells[-1]
            theta += m * d[i, j]  # the cell that the step enters
            cells.append((i - dx, j - dy))
            if min(cells[-1]) < 0:
                break
        else:
            yield cells[1:], theta


def greedy_path(cost):
    """(L, 2) cells of the walk that always steps to the cheapest next cell: short-sighted, and often dear."""
    cost = validation.real_array(cost, "cost")
    if cost.ndim != 2:
        raise ValueError(f"cost has shape {cost.shape}; a table of shape (T_x, T_y) is needed.")
    path = [(0, 0)]
    while path[-1] != (cost.shape[0] - 1, cost.shape[1] - 1):
        i, j = path[-1]
        ahead = [(i + 1, j + 1), (i, j + 1), (i + 1, j)]
        path.append(min((c for c in ahead if c[0] < cost.shape[0] and c[1] < cost.shape[1]), key=lambda c: cost[c]))
    return np.array(path)


def dtw_distance(x, y, step_pattern=SYMMETRIC2, window=None, distance="euclidean"):
    """D(T_x, T_y) alone, without a path: the memory of a few rows. Parameters as in `dtw`."""
    table = _Table(*_frames(x, y, distance), step_pattern, window)
    last = table.accumulate()[0]
    table.check_reached(last[-1])
    return float(last[-1])


def dtw_distances(
    sequences, others=None, step_pattern=SYMMETRIC2, window=None, distance="euclidean", normalized=False, n_jobs=1
):
    """Table of DTW distances between two lists of sequences.

    Parameters
    ----------
    sequences : list of S sequences (T_s, D)
    others : list of T sequences, or None for `sequences` again (then each pair is computed once if that is enough)
    step_pattern, window, distance : as in `dtw`
    normalized : D/M_φ instead of D, which templates of different lengths need
    n_jobs : threads (joblib); −1 uses all cores

    Returns (S, T) array.
    """
    threads = isinstance(n_jobs, numbers.Integral) and not isinstance(n_jobs, bool) and 0 < abs(n_jobs) <= THREADS
    if n_jobs is not None and not threads:
        needed = f"a whole number of threads up to {THREADS} is needed, −1 for all cores, or None"
        raise ValueError(f"n_jobs is {n_jobs!r}; {needed}.")
    rows = validation.sequences(sequences, "sequences")
    columns = rows if others is None else validation.sequences(others, "others")
    validation.same_features(rows[0], columns[0], "sequences[0]", "others[0]")
    step_pattern, normalized = step_pattern_of(step_pattern), validation.flag(normalized, "normalized")
    mirrored = others is None and _treats_both_alike(step_pattern) and not callable(distance)
    pairs = np.array([(s, t) for s in range(len(rows)) for t in range(s if mirrored else 0, len(columns))])
    plain = _single_steps(step_pattern) and isinstance(distance, str) and distance in ("squared", "euclidean")
    one_chunk = _single_step_pairs if plain else _pair_by_pair
    chunks = np.array_split(pairs, min(len(pairs), max(1, 8 * joblib.effective_n_jobs(n_jobs))))
    totals = joblib.Parallel(n_jobs=n_jobs, prefer="threads")(
        joblib.delayed(one_chunk)(rows, columns, chunk, step_pattern, window, distance) for chunk in chunks
    )
    table = np.empty((len(rows), len(columns)))
    table[pairs[:, 0], pairs[:, 1]] = np.concatenate(totals)
    if mirrored:
        table[pairs[:, 1], pairs[:, 0]] = table[pairs[:, 0], pairs[:, 1]]
    if normalized:
        table /= step_pattern.path_weight(
            np.array([len(x) for x in rows])[:, None], np.array([len(y) for y in columns])[None, :]
        )
    return table


def _frames(x, y, distance, x_name="x", y_name="y"):
    """(kind, x, y) for the kernels: frames they can compare row by row, or a finished table of local distances."""
    x, y = validation.sequence(x, x_name), validation.sequence(y, y_name)
    validation.same_features(x, y, x_name, y_name)
    validation.warn_if_transposed(f"{x_name} and {y_name}", x, y)
    if isinstance(distance, str) and distance in ("squared", "euclidean"):
        return distance, x, y
    if isinstance(distance, str) and distance == "cosine":
        return "squared", unit_frames(x, x_name) / np.sqrt(2), unit_frames(y, y_name) / np.sqrt(2)
    return "given", local_distances(x, y, distance), None


def _in_fours(x):
    """x with features of zeros added, if need be: one feature and then fours, which the kernels work on together."""
    missing = (1 - x.shape[1]) % 4
    return np.hstack([x, np.zeros((len(x), missing))]) if missing else x


class _Table:
    """One table of accumulated distances to fill: what is compared, which moves, which cells."""

    def __init__(self, kind, x, y, step_pattern, window):
        self.shape = (len(x), x.shape[1] if y is None else len(y))
        self.step_pattern, self.window, self.kind = step_pattern_of(step_pattern), window, kind
        self.x = x if y is None else _in_fours(x)
        self.y_columns = np.empty((0, self.shape[1])) if y is None else np.ascontiguousarray(_in_fours(y).T)
        self.lowest, self.end = row_ranges(window, *self.shape)
        self.offsets = np.zeros(len(x) + 1, dtype=np.int64)
        np.cumsum(self.end - self.lowest, out=self.offsets[1:])
        self.single_steps = _single_steps(self.step_pattern) if _never_falls(self.lowest, self.end) else None
        self.steps, self.lengths = _steps_backwards(self.step_pattern)

    def accumulate(self, begin=0, path=False, keep=False):
        """(last row of D, moves into each cell or None, D or None); a path may begin in the cells (0, j ≤ begin)."""
        from course_lib.sequences import _warping_kernels as kernels

        choices = np.empty(self.offsets[-1], dtype=np.uint8) if path else None
        accumulated = np.full(self.shape if keep else (0, 0), np.inf)
        table = kernels.KINDS[self.kind], self.x, self.y_columns, self.lowest, self.end
        fill = kernels.accumulate_single_steps if self.single_steps else kernels.accumulate
        moves = self.single_steps or (self.steps, self.lengths)
        last = fill(*table, moves, begin, self.offsets, choices, accumulated)
        return last, choices, accumulated if keep else None

    def path_to(self, cell, choices):
        """(L, 2) cells of the best path into a cell."""
        from course_lib.sequences import _warping_kernels as kernels

        return kernels.trace_back(choices, self.offsets, self.lowest, self.steps, self.lengths, *cell)

    def check_reached(self, distance):
        """ValueError if no path arrived, with what can be done."""
        if np.isfinite(distance):
            return
        (rows, columns), pattern = self.shape, self.step_pattern
        if self.kind != "given" and max(np.abs(self.x).max(), np.abs(self.y_columns).max()) > 1e150:
            raise ValueError(TOO_LARGE)
        least, most = pattern.slope_range
        slope, cut = (columns - 1) / max(rows - 1, 1), CUT if self.window is not None else ""
        if self.kind == "given" and np.isposinf(self.x).any():
            cut += ", and cells of infinite cost are forbidden"
        found = {"pattern": pattern.name, "least": least, "most": most, "slope": slope, "cut": cut}
        raise ValueError(NO_PATH.format(rows=rows, columns=columns, **found))


def _align(table, open_begin, open_end, keep_accumulated):
    open_begin, open_end = validation.flag(open_begin, "open_begin"), validation.flag(open_end, "open_end")
    keep_accumulated, (rows, columns) = validation.flag(keep_accumulated, "keep_accumulated"), table.shape
    begin = columns - 1 if open_begin else 0
    last, choices, accumulated = table.accumulate(begin, path=True, keep=keep_accumulated)
    end = _best_end(last, table, open_begin) if open_end else columns - 1
    table.check_reached(last[end])
    path = table.path_to((rows - 1, end), choices)
    return Alignment(float(last[end]), path, table.shape, table.step_pattern, open_begin, accumulated)


def _best_end(last, table, open_begin):
    """Where D/M_φ is least on the last row; D itself where M_φ depends on the path."""
    normalizer = table.step_pattern.normalizer
    if normalizer is None or (open_begin and normalizer[1] != 0):
        return int(last.argmin())
    return int((last / table.step_pattern.path_weight(table.shape[0], np.arange(1, len(last) + 1))).argmin())


def _never_falls(*ranges):
    return all((numbers[1:] >= numbers[:-1]).all() for numbers in ranges)


@lru_cache(maxsize=64)
def _single_steps(step_pattern):
    """((Δy, m), (Δy, m), (Δy, m), whether the third goes along the row) for the kernel of single steps, or None.

    It takes three moves of one step: (1, Δy) with Δy ≤ 2, and last of all perhaps (0, 1).
    """
    steps = [move[0] for move in step_pattern.moves if len(move) == 1]
    if len(steps) != 3 or len(step_pattern.moves) != 3:
        return None
    along = steps[2][:2] == (0, 1)
    from_above = steps[:2] if along else steps
    if not all(dx == 1 and dy <= 2 for dx, dy, _ in from_above) or not all(m > 0 for *_, m in steps):
        return None
    return *(step[1:] for step in steps), along


@lru_cache(maxsize=64)
def _steps_backwards(step_pattern):
    """Moves as arrays for the kernels: steps (moves, longest, 3), last step first, and the number of steps."""
    lengths = np.array([len(move) for move in step_pattern.moves])
    steps = np.zeros((len(lengths), lengths.max(), 3))
    for move, length, row in zip(step_pattern.moves, lengths, steps, strict=True):
        row[:length] = move[::-1]
    return steps, lengths


def _treats_both_alike(step_pattern):
    """Whether exchanging x and y leaves the set of moves as it is."""
    return {*step_pattern.moves} == {*step_pattern.transposed().moves}


def _single_step_pairs(rows, columns, pairs, step_pattern, window, distance):
    """Distances of the pairs in one compiled loop."""
    from course_lib.sequences import _warping_kernels as kernels

    row_bounds, column_bounds = np.cumsum([0, *map(len, rows)]), np.cumsum([0, *map(len, columns)])
    lengths = np.stack([np.diff(row_bounds)[pairs[:, 0]], np.diff(column_bounds)[pairs[:, 1]]], axis=1)
    shapes, which = np.unique(lengths, axis=0, return_inverse=True)
    try:
        ranges = [row_ranges(window, int(x_frames), int(y_frames)) for x_frames, y_frames in shapes]
    except ValueError:
        ranges = []
    if not ranges or not all(_never_falls(*both) for both in ranges):
        return _pair_by_pair(rows, columns, pairs, step_pattern, window, distance)
    lowest, end = (np.concatenate(one).astype(np.int64) for one in zip(*ranges, strict=True))
    allowed = lowest, end, np.cumsum([0, *shapes[:-1, 0]])[which]
    frames = _in_fours(np.concatenate(rows))
    other = np.ascontiguousarray(_in_fours(np.concatenate(columns)).T)
    kind, moves = kernels.KINDS[distance], _single_steps(step_pattern)
    totals = kernels.single_step_distances(kind, frames, row_bounds, other, column_bounds, pairs, *allowed, moves)
    for s, t in pairs[~np.isfinite(totals)][:1]:
        _pair_by_pair(rows, columns, [(s, t)], step_pattern, window, distance)
    return totals


def _pair_by_pair(rows, columns, pairs, step_pattern, window, distance):
    """Distances of the pairs one after the other: any pattern, window and local distance."""
    totals = np.empty(len(pairs))
    for k, (s, t) in enumerate(pairs):
        try:
            totals[k] = dtw_distance(rows[s], columns[t], step_pattern, window, distance)
        except ValueError as error:
            raise ValueError(f"sequences[{s}] against others[{t}]: {error}") from None
    return totals
