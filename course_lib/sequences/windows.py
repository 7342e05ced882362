"""Global constraints: which cells of the table a warping path may visit.

A window gives, for each frame of x, the half-open range of frames of y that it allows. The path runs from cell
(0, 0) to cell (T_x − 1, T_y − 1), so every band here lies around the straight line between these corners, also
when the sequences differ in length.

Lecture: 01, section 5.
"""

import numbers
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course_lib import validation


@dataclass(frozen=True)
class SakoeChiba:
    """Band of constant width around the line from corner to corner.

    Cell (i, j) is allowed if j lies within r·max(1, s) of the line's height s·i, where s = (T_y − 1)/(T_x − 1).
    For equal lengths that is |i − j| ≤ r, the window of Sakoe and Chiba. For unequal ones r counts frames of the
    shorter sequence, so that exchanging x and y exchanges the band, and a radius of 1 or more always holds a path.

    radius : int r ≥ 0, frames; or float in (0, 1): fraction of the shorter sequence, rounded up

    Source: Sakoe and Chiba (1978), "adjustment window", here laid along the line from corner to corner.
    """

    radius: int | float

    def __post_init__(self):
        is_count = isinstance(self.radius, numbers.Integral) and 0 <= self.radius <= validation.LARGEST_COUNT
        is_fraction = isinstance(self.radius, numbers.Real) and not is_count and 0 < self.radius < 1
        if isinstance(self.radius, bool) or not (is_count or is_fraction):
            raise ValueError(
                f"radius is {self.radius!r}; a whole number of frames ≥ 0 is needed, "
                "or a share of the shorter sequence between 0 and 1."
            )

    def ranges(self, x_frames: int, y_frames: int) -> tuple[NDArray, NDArray]:
        """(lowest, end) of the allowed frames of y for each frame of x: two (T_x,) int arrays, half-open."""
        x_frames, y_frames, radius = *_sizes(x_frames, y_frames), self.radius
        if not isinstance(radius, numbers.Integral):
            radius = int(np.ceil(radius * min(x_frames, y_frames)))
        slope = (y_frames - 1) / max(x_frames - 1, 1)
        height = slope * np.arange(x_frames)
        width = radius * max(1.0, slope)
        if x_frames == 1:
            return np.zeros(1, dtype=np.int64), np.full(1, y_frames)
        low, high = np.ceil(height - width - EDGE_ROUNDING), np.floor(height + width + EDGE_ROUNDING)
        return _clipped(low, high + 1, y_frames)


@dataclass(frozen=True)
class ItakuraParallelogram:
    """Cells that a path of slope between 1/max_slope and max_slope can reach from both corners.

    Itakura's slopes are frames of y per frame of x, so lengths may differ by a factor of 2 at most; ours are relative
    to the line from corner to corner, and the edges are rounded outwards by less than a frame of either sequence, so
    that a path exists for any lengths.

    max_slope : largest slope, ≥ 1, relative to the line from corner to corner

    Source: Itakura (1975); drawn in Rabiner and Juang (1993), chapter 4.
    """

    max_slope: float = 2.0

    def __post_init__(self):
        if validation.positive(self.max_slope, "max_slope") < 1:
            raise ValueError(f"max_slope is {self.max_slope!r}; a finite number of at least 1 is needed.")

    def ranges(self, x_frames: int, y_frames: int) -> tuple[NDArray, NDArray]:
        """(lowest, end) of the allowed frames of y for each frame of x: two (T_x,) int arrays, half-open."""
        x_frames, y_frames = _sizes(x_frames, y_frames)
        rows = _between(*self._edges(x_frames, y_frames), y_frames)
        columns = _between(*self._edges(y_frames, x_frames), x_frames)
        allowed = rows | columns.T
        end = y_frames - allowed[:, ::-1].argmax(axis=1)
        lowest, end = np.where(allowed.any(axis=1), [allowed.argmax(axis=1), end], y_frames)
        return lowest, end

    def _edges(self, x_frames, y_frames):
        """Half-open ranges of y, rounded outwards along y."""
        if 1 in (x_frames, y_frames):
            return np.zeros(x_frames, dtype=np.int64), np.full(x_frames, y_frames)
        u, s = np.arange(x_frames) / (x_frames - 1), self.max_slope
        low = np.maximum(u / s, 1 - s * (1 - u)) * (y_frames - 1)
        high = np.minimum(s * u, 1 - (1 - u) / s) * (y_frames - 1)
        outwards = max(1.0, (y_frames - 1) / (x_frames - 1)) - EDGE_ROUNDING
        return _clipped(np.ceil(low - outwards), np.floor(high + outwards) + 1, y_frames)


EDGE_ROUNDING = 1e-9


Window = SakoeChiba | ItakuraParallelogram


def _sizes(x_frames, y_frames):
    return validation.integer(x_frames, "x_frames"), validation.integer(y_frames, "y_frames")


def _clipped(lowest, end, y_frames):
    lowest = np.clip(lowest, 0, y_frames).astype(np.int64)
    return lowest, np.clip(end, lowest, y_frames).astype(np.int64)


def _between(lowest, end, y_frames):
    columns = np.arange(y_frames)
    return (columns >= lowest[:, None]) & (columns < end[:, None])


def row_ranges(window, x_frames, y_frames):
    """(lowest, end) of the frames of y that a window allows for each frame of x, half-open; all of them for None."""
    if window is None:
        return np.zeros(x_frames, dtype=np.int64), np.full(x_frames, y_frames)
    if isinstance(window, type) or not hasattr(window, "ranges"):
        raise ValueError(
            f"window is {window!r:.60}; None, SakoeChiba(radius) or ItakuraParallelogram() is needed. What forbids "
            "other cells is a cost of inf there, in `align`."
        )
    return window.ranges(x_frames, y_frames)


def allowed_cells(window: Window | None, x_frames: int, y_frames: int) -> NDArray:
    """(T_x, T_y) booleans: the cells that a window allows; all of them for None."""
    x_frames, y_frames = _sizes(x_frames, y_frames)
    return _between(*row_ranges(window, x_frames, y_frames), y_frames)
