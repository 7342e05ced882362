"""Step patterns as data: which moves a warping path may make, and what each step of a move weighs.

Lecture: 01, sections 2, 4 and 9.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import selection, validation


@dataclass(frozen=True, eq=False)
class StepPattern:
    """The moves that a warping path may make from one cell to a later one.

    A move is a list of steps (Δx, Δy, m), in the order of travel: each step goes Δx frames on in x and Δy in y
    and pays m times the local distance of the cell it lands on. One line defines a pattern:

    >>> mine = StepPattern("mine", [[(1, 1, 2)], [(1, 0, 1)], [(0, 1, 1)]])

    moves : tuple of moves; a move is a tuple of steps (Δx, Δy, m)
    normalizer : (a, b) or None
        M_φ = a·T_x + b·T_y when the weights along a path add up to the same M_φ for every path between the same
        two cells; None when they do not. It is computed from the moves, never declared.

    Source: TTIC 31110 slides (2020), θ and M_φ; Sakoe and Chiba (1978), table I. Names as in dtw-python.
    """

    name: str
    moves: tuple
    normalizer: tuple | None = field(init=False)

    def __post_init__(self):
        validation.text(self.name, "name", "a name")
        if not isinstance(self.moves, (list, tuple)):
            raise ValueError(f"moves is {self.moves!r}; a list of moves, each a list of steps, is needed.")
        moves = tuple(tuple(_checked_step(step, self.name) for step in _steps(move, self.name)) for move in self.moves)
        if not moves or not all(moves):
            raise ValueError(
                f"step pattern {self.name!r} needs at least one move, and a step in every move; moves is "
                f"{self.moves!r}."
            )
        if len(moves) > MAX_MOVES:
            raise ValueError(f"step pattern {self.name!r} has {len(moves)} moves; at most {MAX_MOVES} are possible.")
        object.__setattr__(self, "moves", moves)
        object.__setattr__(self, "normalizer", _in_frames_of_x(_path_independent_weights(moves), self.reach))

    @property
    def reach(self):
        """(Δx, Δy, Σm) of each move, as an array of shape (moves, 3)."""
        return np.array([np.sum(move, axis=0) for move in self.moves])

    @property
    def slope_range(self):
        """(smallest, largest) Δy/Δx of a single move; the largest is inf if a move stands still in x."""
        dx, dy, _ = self.reach.T
        slopes = np.divide(dy, dx, out=np.full(len(dx), np.inf), where=dx > 0)
        return float(slopes.min()), float(slopes.max())

    def path_weight(self, x_frames: ArrayLike, y_frames: ArrayLike) -> float | NDArray:
        """M_φ of any path that matches x_frames frames of x with y_frames of y; arrays of numbers of frames broadcast.

        Raises ValueError where M_φ depends on the path: dividing by it would not give a minimum.
        """
        if self.normalizer is None:
            raise ValueError(
                f"With step pattern {self.name!r} the weights M_φ differ from path to path, so the path of least "
                "total distance need not have the least normalised distance, and D/M_φ is not defined. Use the "
                "total (.distance), or a pattern with a normalizer, such as SYMMETRIC2 or ASYMMETRIC."
            )
        a, b = self.normalizer
        weight = a * _frame_counts(x_frames, "x_frames") + b * _frame_counts(y_frames, "y_frames")
        if np.any(weight <= 0):
            raise ValueError(f"step pattern {self.name!r} has M_φ = {weight} here; a mean needs weights above 0.")
        return weight

    def transposed(self):
        """The same pattern with x and y exchanged."""
        moves = [[(dy, dx, m) for dx, dy, m in move] for move in self.moves]
        return StepPattern(f"{self.name}, transposed", moves)

    def __str__(self):
        return f"{self.name}: D(i, j) = min of\n" + "\n".join("    " + _recursion_line(m) for m in self.moves)


MAX_MOVES = 64


def _frame_counts(counts, name):
    """The number of frames as it is, or an array of several."""
    if np.isscalar(counts):
        return validation.integer(counts, name, least=0)
    found = validation.array(counts, name)
    if found.dtype.kind not in "iu" or (found < 0).any():
        raise ValueError(f"{name} is {counts!r}; whole numbers of frames, 0 or more, are needed.")
    return found


def _steps(move, name):
    steps = list(move) if np.iterable(move) else []
    if steps and not all(np.iterable(step) and len(step) == 3 for step in steps):
        raise ValueError(
            f"step pattern {name!r} has the move {move}; a move is a list of steps, such as [(1, 1, 2)], and a "
            "pattern is a list of moves: [[(1, 1, 2)], [(1, 0, 1)], [(0, 1, 1)]]."
        )
    return steps


def _checked_step(step, name):
    dx, dy, weight = step
    are_integers = dx == int(dx) and dy == int(dy)
    if not are_integers or min(dx, dy) < 0 or dx + dy == 0 or not np.isfinite(weight) or weight < 0:
        raise ValueError(
            f"step pattern {name!r} has the step {tuple(step)}; a step is (Δx, Δy, m) with whole Δx, Δy ≥ 0, "
            "not both 0, and a finite weight m ≥ 0."
        )
    return int(dx), int(dy), float(weight)


def _path_independent_weights(moves):
    """(a, b) with Σm = a·Δx + b·Δy for every move, or None: least squares with no error left."""
    reach = np.array([np.sum(move, axis=0) for move in moves])
    ab = np.linalg.lstsq(reach[:, :2], reach[:, 2], rcond=None)[0]
    exact = np.allclose(reach[:, :2] @ ab, reach[:, 2], rtol=0, atol=1e-9)
    if not exact or not ab.any():
        return None
    return tuple(float(c) for c in np.round(ab, 12) + 0.0)


def _in_frames_of_x(normalizer, reach):
    """(a + b·slope, 0) where all moves have one slope, Δy = slope·Δx: frames of x count a path of any length."""
    slopes = reach[:, 1] / np.where(reach[:, 0] > 0, reach[:, 0], np.nan)
    if normalizer is None or not (slopes == slopes[0]).all():
        return normalizer
    return float(normalizer[0] + normalizer[1] * slopes[0]), 0.0


def _recursion_line(move):
    """'D(i-1, j-2) + 2 d(i, j-1) + d(i, j)' for the move, read forwards."""
    left = np.sum(move, axis=0)[:2]
    terms = [f"D({_index('i', left[0])}, {_index('j', left[1])})"]
    for dx, dy, weight in move:
        left = left - (dx, dy)
        factor = "" if weight == 1 else f"{weight:.3g} "
        terms.append(f"{factor}d({_index('i', left[0])}, {_index('j', left[1])})")
    return " + ".join(terms)


def _index(letter, back):
    return letter if back == 0 else f"{letter}-{int(back)}"


def warping_paths(
    step_pattern: StepPattern | str, x_frames: int, y_frames: int, begin: tuple[int, int] = (0, 0)
) -> Iterator[list[tuple[int, int, float]]]:
    """Every warping path from a cell to the last one, by plain enumeration: for small tables only.

    x_frames, y_frames : int, the table's size;  begin : (i, j), the cell to begin in

    Returns an iterator over lists of (i, j, m): the cells in order and the weight of each, which is 1 for the first.
    """
    moves = step_pattern_of(step_pattern).moves
    x_frames, y_frames = validation.integer(x_frames, "x_frames"), validation.integer(y_frames, "y_frames")

    def extended(path):
        i, j, _ = path[-1]
        if (i, j) == (x_frames - 1, y_frames - 1):
            yield path
        for move in moves:
            cells, at = [], (i, j)
            for dx, dy, weight in move:
                at = (at[0] + dx, at[1] + dy)
                cells.append((*at, weight))
            if at[0] < x_frames and at[1] < y_frames:
                yield from extended(path + cells)

    return extended([(*selection.indices(begin, "begin", (2,)).tolist(), 1.0)])


def step_pattern_of(value):
    """The step pattern itself, or the one of `STEP_PATTERNS` that has this name."""
    if isinstance(value, StepPattern):
        return value
    if isinstance(value, str) and value in STEP_PATTERNS:
        return STEP_PATTERNS[value]
    raise ValueError(
        f"step_pattern is {value!r}; a StepPattern is needed, such as SYMMETRIC2, or one of these names: "
        f"{', '.join(STEP_PATTERNS)}."
    )


SYMMETRIC1 = StepPattern("symmetric1", [[(1, 1, 1)], [(1, 0, 1)], [(0, 1, 1)]])
SYMMETRIC2 = StepPattern("symmetric2", [[(1, 1, 2)], [(1, 0, 1)], [(0, 1, 1)]])
ASYMMETRIC = StepPattern("asymmetric", [[(1, 0, 1)], [(1, 1, 1)], [(1, 2, 1)]])


def _slope_limited(name, diagonals, straight):
    """Sakoe and Chiba's P = diagonals/straight: so many diagonal steps allow so many along one axis after them.

    A symmetric step weighs Δx + Δy; an asymmetric one its share of the frames of x that the whole move goes on.
    """
    moves = [[(1, 1)] * diagonals + [(0, 1)] * more for more in range(straight, 0, -1)] + [[(1, 1)]]
    moves += [[(1, 1)] * diagonals + [(1, 0)] * more for more in range(1, straight + 1)]
    if name.startswith("symmetric"):
        return StepPattern(name, [[(dx, dy, dx + dy) for dx, dy in move] for move in moves])
    return StepPattern(name, [[(dx, dy, sum(x for x, _ in move) / len(move)) for dx, dy in move] for move in moves])


SYMMETRIC_P05, ASYMMETRIC_P05 = _slope_limited("symmetricP05", 1, 2), _slope_limited("asymmetricP05", 1, 2)
SYMMETRIC_P1, ASYMMETRIC_P1 = _slope_limited("symmetricP1", 1, 1), _slope_limited("asymmetricP1", 1, 1)
SYMMETRIC_P2, ASYMMETRIC_P2 = _slope_limited("symmetricP2", 2, 1), _slope_limited("asymmetricP2", 2, 1)
ASYMMETRIC_P0 = StepPattern("asymmetricP0", [[(0, 1, 0)], [(1, 1, 1)], [(1, 0, 1)]])
ITAKURA = StepPattern("asymmetricItakura", [[(1, 2, 1)], [(1, 1, 1)], [(1, 1, 1), (1, 0, 1)], [(1, 2, 1), (1, 0, 1)]])
RIGID = StepPattern("rigid", [[(1, 1, 1)]])
# Each frame of y weighs 3, so that D/M_φ is a third of dtw-python's normalizedDistance, which divides by T_y.
MORI = StepPattern("mori2006", [[(1, 1, 2), (1, 0, 1)], [(1, 1, 3)], [(1, 1, 3), (0, 1, 3)]])

STEP_PATTERNS = {
    pattern.name: pattern
    for pattern in (
        SYMMETRIC1,
        SYMMETRIC2,
        ASYMMETRIC,
        StepPattern("symmetricP0", SYMMETRIC2.moves),
        SYMMETRIC_P05,
        SYMMETRIC_P1,
        SYMMETRIC_P2,
        ASYMMETRIC_P0,
        ASYMMETRIC_P05,
        ASYMMETRIC_P1,
        ASYMMETRIC_P2,
        ITAKURA,
        MORI,
        RIGID,
    )
}
