"""Dynamic time warping: the cheapest way to match two sequences frame by frame.

Lecture: 01, sections 3, 6, 7 and 9.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from course_lib import validation
from course_lib.sequences.steps import SYMMETRIC1, SYMMETRIC2, StepPattern
from course_lib.sequences.warping_tables import WarpingTable, comparable
from course_lib.sequences.windows import Window


def accumulate(d, step_pattern=SYMMETRIC1):
    """The table D (T_x, T_y) from local distances d: D(i, j) = min over moves into (i, j) of [D(before) + θ].

    D is inf where no path arrives. A loop in Python, for small tables and for checks; `dtw` and `align` fill the same
    table by compiled code (their step pattern is SYMMETRIC2 unless another is given).

    Source: TTIC 31110 slides (2020), "DP algorithm for DTW".
    """
    D = np.full(d.shape, np.inf)
    D[0, 0] = d[0, 0]  # INITIALISE
    for cell in np.ndindex(d.shape):
        totals = [D[cells[-1]] + theta for cells, theta in predecessors(cell, d, step_pattern)]
        D[cell] = min([D[cell], *totals])  # SCORE
    return D


def trace_back(D, d, step_pattern=SYMMETRIC1):
    """The best path of a table that `accumulate` filled: list of (i, j) from the first cell to the last."""
    path = [(D.shape[0] - 1, D.shape[1] - 1)]
    while path[-1] != (0, 0):
        moves = predecessors(path[-1], d, step_pattern)
        cells, _ = min(moves, key=lambda move: D[move[0][-1]] + move[1])  # the cheapest; ties go to the first
        path += cells
    return path[::-1]


def predecessors(cell, d, step_pattern):
    """(cells before this one, back to where the move begins; its price θ) of each move into a cell."""
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


@dataclass(frozen=True, eq=False)
class Alignment:
    """What `dtw` and `align` return.

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
        """D/M_φ, with M_φ the sum of the step weights along the path: comparable between lengths.

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
    x: ArrayLike,
    y: ArrayLike,
    step_pattern: StepPattern | str = SYMMETRIC2,
    window: Window | None = None,
    distance: str | Callable = "euclidean",
    open_begin: bool = False,
    open_end: bool = False,
    keep_accumulated: bool = False,
) -> Alignment:
    """Align two sequences by dynamic time warping.

    D(1, 1) = d(1, 1);   D(i_x, i_y) = min over moves of [D(i′_x, i′_y) + θ],   d(X, Y) = D(T_x, T_y)/M_φ,
    where θ is the sum of m·d over the cells that the move enters (m is the weight of a step; the cell that the move
    leaves is not paid again), and M_φ the sum of the weights along the path. The first cell is paid once, as in
    dtw-python (Sakoe and Chiba pay it m(1) times). In the result, `distance` is D(T_x, T_y), and d(X, Y) is
    `normalized_distance`. The formula counts frames from 1, the code from 0.

    Parameters
    ----------
    x, y : (T_x, D) and (T_y, D) sequences, or (T_x,), (T_y,) for one number per frame
    step_pattern : StepPattern, or its name, one of `STEP_PATTERNS`, such as "asymmetric"
    window : None, SakoeChiba or ItakuraParallelogram: the cells a path may visit; `align` can forbid any others
    distance : str or callable, see `local_distances`
    open_begin, open_end : the path may begin (end) at any frame of y: x is found inside y. An open end is where D/M_φ
        is least, or D where M_φ is not defined.
    keep_accumulated : keep the table D (8 bytes per cell); the path alone needs one byte per cell.

    Raises ValueError if no path exists within the window and the slopes of the step pattern.

    Source: TTIC 31110 slides (2020), "DP algorithm for DTW", where the sum in θ runs one term too far; Sakoe
    and Chiba (1978).

    >>> from course_lib.sequences import dtw
    >>> alignment = dtw([0, 1, 3, 1], [0, 0, 1, 3, 1])
    >>> alignment.distance
    0.0
    >>> alignment.path.tolist()
    [[0, 0], [0, 1], [1, 2], [2, 3], [3, 4]]
    """
    table = WarpingTable(*comparable(x, y, distance), step_pattern, window)
    return _align(table, open_begin, open_end, keep_accumulated)


def align(
    cost: ArrayLike,
    step_pattern: StepPattern | str = SYMMETRIC2,
    window: Window | None = None,
    open_begin: bool = False,
    open_end: bool = False,
    keep_accumulated: bool = False,
) -> Alignment:
    """Align two sequences from a table of their local distances; otherwise like `dtw`.

    cost : (T_x, T_y) array d(i, j); negative values are allowed, +inf forbids a cell.
    The others as in `dtw`.
    """
    cost = validation.real_numbers(cost, "cost")
    forbidden = np.isposinf(cost)
    validation.real_array(np.where(forbidden, 0, cost) if forbidden.any() else cost, "cost")
    if cost.ndim != 2:
        raise ValueError(f"cost has shape {cost.shape}; a table of shape (T_x, T_y) is needed.")
    table = WarpingTable("given", cost, None, step_pattern, window)
    return _align(table, open_begin, open_end, keep_accumulated)


def _align(table, open_begin, open_end, keep_accumulated):
    open_begin, open_end = validation.flag(open_begin, "open_begin"), validation.flag(open_end, "open_end")
    keep_accumulated, (rows, columns) = validation.flag(keep_accumulated, "keep_accumulated"), table.shape
    last_begin = columns - 1 if open_begin else 0
    last, choices, accumulated = table.accumulate(last_begin, path=True, keep=keep_accumulated)
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
