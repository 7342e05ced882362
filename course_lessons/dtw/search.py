"""Searching in speech with DTW: a query in an utterance, segments that two utterances share, and pruning by bounds.

Lecture: 01, sections 8, 11 and 12.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.sequences import checks
from course_lib.sequences.local import finite, local_distances
from course_lib.sequences.steps import ASYMMETRIC, SYMMETRIC1, StepPattern, step_pattern_of
from course_lib.sequences.warping_tables import WarpingTable, comparable, dtw_distance
from course_lib.sequences.windows import Window, row_ranges


@dataclass(frozen=True, eq=False)
class Match:
    """Where a query was found.

    start, end : half-open range of frames of the utterance
    distance : total weighted distance of the path
    score : what matches are ranked by, low is good: D/M_φ, or D where M_φ is not defined
    path : (L, 2) array of (frame of the query, frame of the utterance)
    hop_seconds : seconds from frame to frame, or None
    """

    start: int
    end: int
    distance: float
    score: float
    path: np.ndarray = field(repr=False)
    hop_seconds: float | None = field(default=None, repr=False)

    @property
    def seconds(self):
        """(start, end) in seconds."""
        if self.hop_seconds is None:
            raise ValueError("hop_seconds was not given, so frames have no time in seconds; pass it to the search.")
        return self.start * self.hop_seconds, self.end * self.hop_seconds


def find_query(
    query: ArrayLike,
    utterance: ArrayLike,
    top: int = 5,
    step_pattern: StepPattern | str = ASYMMETRIC,
    distance: str | Callable = "euclidean",
    hop_seconds: float | None = None,
) -> list[Match]:
    """Query by example: the best places of an utterance for a query, which do not overlap.

    DTW with an open beginning and an open end gives the best path into each end frame at once. With ASYMMETRIC every
    path is a mean over the frames of the query, so places of different lengths compare fairly. Its slope may be 0: a
    query that is all alike can be matched to a single frame; ASYMMETRIC_P1 forbids this.

    query, utterance : (T, D) and (U, D) sequences;  top : largest number of matches to return
    step_pattern, distance : as in `dtw`
    hop_seconds : float or None, seconds per frame
    Returns a list of Match, best first; fewer than `top` if no further place is left.

    Source: TTIC 31110 slides (2020), "Query-by-example search".
    """
    top, hop_seconds = validation.integer(top, "top"), _checked_hop(hop_seconds)
    step_pattern = step_pattern_of(step_pattern)
    if step_pattern.normalizer is not None and step_pattern.normalizer[1] != 0:
        raise ValueError(
            f"step_pattern {step_pattern.name!r} has an M_φ that grows with the length of the match, so places of "
            "different lengths do not compare. Use ASYMMETRIC (a mean over the query) or SYMMETRIC1 (a total)."
        )
    table = WarpingTable(*comparable(query, utterance, distance, "query", "utterance"), step_pattern, None)
    totals, choices, _ = table.accumulate(table.shape[1] - 1, path=True)
    table.check_reached(totals.min())
    weight = 1.0 if step_pattern.normalizer is None else step_pattern.path_weight(table.shape[0], 0)
    matches, left = [], totals.copy()
    while len(matches) < top and np.isfinite(left.min()):
        end = int(left.argmin())
        path = table.path_to((table.shape[0] - 1, end), choices)
        start = int(path[0, 1])
        if not any(match.start <= end and start < match.end for match in matches):
            matches.append(Match(start, end + 1, float(totals[end]), float(totals[end] / weight), path, hop_seconds))
            left[start : end + 1] = np.inf
        left[end] = np.inf
    return matches


def discover_terms(
    x: ArrayLike,
    y: ArrayLike,
    threshold: float,
    min_frames: int = 20,
    top: int = 5,
    distance: str | Callable = "euclidean",
    hop_seconds: float | None = None,
) -> list[tuple[Match, Match]]:
    """Spoken-term discovery: stretches that two utterances share, without any query.

    Every pair of frames gains (threshold − d): alike frames pay, unlike ones cost. A best local path collects the
    most; the rectangle of frames round it is struck out, it is reported if it is long enough, and the next best is
    sought (Smith and Waterman's local alignment with the three moves of DTW; Park and Glass search fixed diagonal
    bands instead).

    The table is filled once, T_x · T_y cells at 25 bytes; after each path only what depended on the struck rectangle
    is worked out again (Waterman and Eggert). While few pairs of frames are alike, that is less than the table once
    more: two stretches of 20 s at 100 frames a second take a tenth of a second. At worst it is the rest each time.

    x, y : (T_x, D), (T_y, D) sequences
    threshold : local distance > 0 below which two frames count as alike, in the unit of `distance`
    min_frames : shortest stretch in both utterances;  top : how many to return at most
    distance : as in `local_distances`;  hop_seconds : float or None

    Returns a list of (Match in x, Match in y), the largest gain first. Both share the path (frames of x, frames of y);
    `score` is the mean local distance along it.

    Source: TTIC 31110 slides (2020), "Spoken term discovery"; Park and Glass (2008); Smith and Waterman (1981);
    Waterman and Eggert (1987), who keep the table.
    """
    from course_lessons.dtw import _discovery_kernels as kernels

    threshold, hop_seconds = validation.positive(threshold, "threshold"), _checked_hop(hop_seconds)
    min_frames, top = validation.integer(min_frames, "min_frames"), validation.integer(top, "top")
    costs = local_distances(x, y, distance)
    gains, found = threshold - costs, []
    tables = kernels.local_tables(gains)
    while len(found) < top:
        path, _ = kernels.next_local_path(gains, *tables, min_frames)
        if not len(path):
            break
        along, ends = costs[tuple(path.T)], zip(path[0], path[-1] + 1, strict=True)
        found.append(
            tuple(Match(int(a), int(b), float(along.sum()), float(along.mean()), path, hop_seconds) for a, b in ends)
        )
    return found


def _checked_hop(hop_seconds):
    return None if hop_seconds is None else validation.positive(hop_seconds, "hop_seconds")


def lb_kim(x: ArrayLike, y: ArrayLike) -> float:
    """Lower bound of DTW from the ends: the first frames must meet, and so must the last.

    x, y : (T_x, D), (T_y, D) sequences; Euclidean local distance
    Returns a float, at most the distance of `dtw(x, y, p)` for every step pattern p whose weights are at least 1.

    Source: Rakthanmanon et al. (2012), LB_KimFL; Kim, Park and Chu (2001) take the largest of four such features.
    """
    x, y = validation.sequence(x, "x"), validation.sequence(y, "y")
    validation.same_features(x, y, "x", "y")
    with np.errstate(over="ignore"):
        first, last = np.linalg.norm(x[0] - y[0]), np.linalg.norm(x[-1] - y[-1])
        return float(finite(first + last if max(len(x), len(y)) > 1 else first))


def envelope(y: ArrayLike, x_frames: int, window: Window | None = None) -> tuple[NDArray, NDArray]:
    """Smallest and largest value of y within the window of each frame of x.

    y : (T_y, D) sequence;  x_frames : int, T_x;  window : None, SakoeChiba or ItakuraParallelogram

    Returns (low, high), two (T_x, D) arrays.

    Source: Keogh and Ratanamahatana (2005).
    """
    y = validation.sequence(y, "y")
    lowest, end = row_ranges(window, validation.integer(x_frames, "x_frames"), len(y))
    if (end <= lowest).any():
        raise ValueError(
            f"window allows no frame of y for frame {int((end <= lowest).argmax())} of x; use a wider one."
        )
    ends, y = np.stack([lowest, end], axis=1).ravel(), np.vstack([y, y[-1:]])  # reduceat wants rows for all ends
    return np.minimum.reduceat(y, ends)[::2], np.maximum.reduceat(y, ends)[::2]


def lb_keogh(x: ArrayLike, low: ArrayLike, high: ArrayLike) -> float:
    """Lower bound of DTW: how far each frame of x lies outside the envelope of y.

    x : (T_x, D) sequence; Euclidean local distance;  low, high : (T_x, D) arrays of `envelope`

    Returns a float, at most the distance of `dtw(x, y, p, window)` for every step pattern p that visits each frame of
    x with weights of at least 1.

    Source: Keogh and Ratanamahatana (2005), for one dimension and equal lengths; here for D dimensions, as Rath and
    Manmatha (2002) have it, for the windows of `dtw`, and in the unit of the Euclidean local distance.
    """
    x = validation.sequence(x, "x")
    low, high = validation.sequence(low, "low"), validation.sequence(high, "high")
    if not x.shape == low.shape == high.shape or (low > high).any():
        raise ValueError(
            f"x has shape {x.shape} and the envelope {low.shape} and {high.shape}; all must be (T_x, D), and low "
            "nowhere above high."
        )
    with np.errstate(over="ignore"):
        outside = np.maximum(0, np.maximum(x - high, low - x))
        return float(finite(np.linalg.norm(outside, axis=1).sum()))


@dataclass(frozen=True)
class NearestSequence:
    """What `nearest_sequence` found: index of the nearest candidate, its distance, how many tables were filled."""

    index: int
    distance: float
    tables_filled: int


def nearest_sequence(
    query: ArrayLike,
    candidates: Sequence[ArrayLike],
    window: Window | None = None,
    step_pattern: StepPattern | str = SYMMETRIC1,
) -> NearestSequence:
    """The candidate with the least DTW distance, with bounds used to skip tables that cannot win.

    Candidates are tried in the order of their lower bounds; once a bound reaches the best distance so far, all that
    are left are at least as far. Distances are totals, which favour short candidates: the bounds are bounds of totals.

    query : (T, D) sequence;  candidates : list of (T_k, D) sequences
    window : as in `dtw`
    step_pattern : SYMMETRIC1 or SYMMETRIC2, or another with all weights ≥ 1 and no skipped frames of the query

    Source: Keogh and Ratanamahatana (2005).
    """
    query, candidates = validation.sequence(query, "query"), checks.sequences(candidates, "candidates")
    validation.same_features(query, candidates[0], "query", "candidates[0]")
    step_pattern = step_pattern_of(step_pattern)
    steps = [step for move in step_pattern.moves for step in move]
    if any(dx > 1 or m < 1 for dx, _, m in steps):
        raise ValueError(
            f"step_pattern {step_pattern.name!r} has steps that skip frames or weigh less than 1, so the lower bounds "
            "do not hold; use SYMMETRIC1 or SYMMETRIC2."
        )
    bounds = [max(lb_kim(query, c), lb_keogh(query, *envelope(c, len(query), window))) for c in candidates]
    best, filled = NearestSequence(-1, np.inf, 0), 0
    for index in np.argsort(bounds, kind="stable"):
        if bounds[index] >= best.distance:
            break
        filled += 1
        total = dtw_distance(query, candidates[index], step_pattern, window)
        if total < best.distance:
            best = NearestSequence(int(index), total, filled)
    return NearestSequence(best.index, best.distance, filled)
