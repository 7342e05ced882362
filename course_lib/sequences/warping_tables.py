"""Tables of accumulated distances, filled by the compiled recursion: one of them, or one for each pair of sequences.

`warping.accumulate` is the same recursion, as in the formula.

Lecture: 01, sections 4, 5 and 7.
"""

import numbers
from collections.abc import Callable, Sequence
from functools import lru_cache

import joblib
import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.sequences import checks
from course_lib.sequences.local import LOCAL_DISTANCES, TOO_LARGE, local_distances, unit_frames
from course_lib.sequences.steps import SYMMETRIC2, StepPattern, step_pattern_of
from course_lib.sequences.windows import Window, row_ranges

MAX_THREADS = 1024  # sanity limit
NO_PATH = (
    "No warping path leads through the table of {rows} × {columns} cells with step pattern {pattern!r}. "
    "Its moves have slopes Δy/Δx from {least:.3g} to {most:.3g}, this table needs {slope:.3g}{cut}. "
    "SYMMETRIC2, which has no slope limits, or open_end=True allow more."
)
CUT_BY_WINDOW = ", and the window may cut the rest: try a wider one"


class WarpingTable:
    """One table of accumulated distances to fill: what is compared, which moves, which cells."""

    def __init__(self, kind, x, y, step_pattern, window):
        self.shape = (len(x), x.shape[1] if y is None else len(y))
        self.step_pattern, self.window, self.kind = step_pattern_of(step_pattern), window, kind
        self.x = x if y is None else _padded_features(x)
        self.y_columns = np.empty((0, self.shape[1])) if y is None else np.ascontiguousarray(_padded_features(y).T)
        self.lowest, self.end = row_ranges(window, *self.shape)
        self.offsets = np.zeros(len(x) + 1, dtype=np.int64)
        np.cumsum(self.end - self.lowest, out=self.offsets[1:])
        self.single_steps = _single_steps(self.step_pattern) if _never_decrease(self.lowest, self.end) else None
        self.steps, self.lengths = steps_backwards(self.step_pattern)

    def accumulate(self, begin=0, path=False, keep=False):
        """(last row of D, moves into each cell or None, D or None); a path may begin in the cells (0, j ≤ begin)."""
        from course_lib.sequences import _warping_kernels as kernels

        choices = np.empty(self.offsets[-1], dtype=np.uint8) if path else None
        accumulated = np.full(self.shape if keep else (0, 0), np.inf)
        table = kernels.DISTANCE_KINDS[self.kind], self.x, self.y_columns, self.lowest, self.end
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
        slope, cut = (columns - 1) / max(rows - 1, 1), CUT_BY_WINDOW if self.window is not None else ""
        if self.kind == "given" and np.isposinf(self.x).any():
            cut += ", and cells of infinite cost are forbidden"
        found = {"pattern": pattern.name, "least": least, "most": most, "slope": slope, "cut": cut}
        raise ValueError(NO_PATH.format(rows=rows, columns=columns, **found))


def comparable(x, y, distance, x_name="x", y_name="y"):
    """(kind, x, y) for the kernels: frames they can compare row by row, or a finished table of local distances."""
    x, y = validation.sequence(x, x_name), validation.sequence(y, y_name)
    validation.same_features(x, y, x_name, y_name)
    checks.warn_if_transposed(f"{x_name} and {y_name}", x, y)
    if isinstance(distance, str) and distance in ("squared", "euclidean"):
        return distance, x, y
    if isinstance(distance, str) and distance == "cosine":
        return "squared", unit_frames(x, x_name) / np.sqrt(2), unit_frames(y, y_name) / np.sqrt(2)
    return "given", local_distances(x, y, distance), None


def _padded_features(x):
    """x with features of zeros added, if need be: one feature and then fours, which the kernels work on together."""
    missing = (1 - x.shape[1]) % 4
    return np.hstack([x, np.zeros((len(x), missing))]) if missing else x


def _never_decrease(*ranges):
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
def steps_backwards(step_pattern):
    """Moves as arrays for the kernels: steps (moves, longest, 3), last step first, and the number of steps."""
    lengths = np.array([len(move) for move in step_pattern.moves])
    steps = np.zeros((len(lengths), lengths.max(), 3))
    for move, length, row in zip(step_pattern.moves, lengths, steps, strict=True):
        row[:length] = move[::-1]
    return steps, lengths


def dtw_distance(
    x: ArrayLike,
    y: ArrayLike,
    step_pattern: StepPattern | str = SYMMETRIC2,
    window: Window | None = None,
    distance: str | Callable = "euclidean",
) -> float:
    """D(T_x, T_y) alone, without a path: the memory of a few rows. Parameters as in `dtw`."""
    table = WarpingTable(*comparable(x, y, distance), step_pattern, window)
    last = table.accumulate()[0]
    table.check_reached(last[-1])
    return float(last[-1])


def dtw_distances(
    sequences: Sequence[ArrayLike],
    others: Sequence[ArrayLike] | None = None,
    step_pattern: StepPattern | str = SYMMETRIC2,
    window: Window | None = None,
    distance: str | Callable = "euclidean",
    normalized: bool = False,
    n_jobs: int = 1,
) -> NDArray:
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
    step_pattern = checked_settings(step_pattern, window, distance, n_jobs)
    normalized = validation.flag(normalized, "normalized")
    rows = checks.sequences(sequences, "sequences")
    columns = rows if others is None else checks.sequences(others, "others")
    validation.same_features(rows[0], columns[0], "sequences[0]", "others[0]")
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


def checked_settings(step_pattern, window, distance, n_jobs):
    """The StepPattern; ValueError if one of the settings of `dtw_distances` is none, whatever the sequences."""
    threads = isinstance(n_jobs, numbers.Integral) and not isinstance(n_jobs, bool) and 0 < abs(n_jobs) <= MAX_THREADS
    if n_jobs is not None and not threads:
        needed = f"a whole number of threads up to {MAX_THREADS} is needed, −1 for all cores, or None"
        raise ValueError(f"n_jobs is {n_jobs!r}; {needed}.")
    if not callable(distance):
        validation.one_of(distance, LOCAL_DISTANCES, "distance")
    row_ranges(window, 1, 1)
    return step_pattern_of(step_pattern)


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
    if not ranges or not all(_never_decrease(*both) for both in ranges):
        return _pair_by_pair(rows, columns, pairs, step_pattern, window, distance)
    lowest, end = (np.concatenate(one).astype(np.int64) for one in zip(*ranges, strict=True))
    allowed = lowest, end, np.cumsum([0, *shapes[:-1, 0]])[which]
    frames = _padded_features(np.concatenate(rows))
    other = np.ascontiguousarray(_padded_features(np.concatenate(columns)).T)
    kind, moves = kernels.DISTANCE_KINDS[distance], _single_steps(step_pattern)
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
