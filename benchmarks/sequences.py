"""Rows of Act I: dynamic time warping."""

import numpy as np

from benchmarks.timing import Row
from course_lib import sequences as seq

UNIT = {"step_pattern": seq.SYMMETRIC1, "distance": "squared"}  # what dtaidistance computes, before its square root


def walks(count, frames, features, seed=0):
    """(count, frames, features) random walks, smooth enough to be aligned."""
    return np.random.default_rng(seed).normal(size=(count, frames, features)).cumsum(axis=1)


def cost_only(frames, window=None):
    """Distance without a path."""
    from dtaidistance import dtw_ndim

    x, y = walks(2, frames, 13)
    ours = None if window is None else seq.SakoeChiba(window - 1)
    return (
        lambda: np.sqrt(seq.dtw_distance(x, y, window=ours, **UNIT)),
        lambda: dtw_ndim.distance_fast(x, y, window=window),
    )


def with_path(frames):
    """Distance and path, beside dtaidistance's compiled table alone: its way back is not compiled."""
    from dtaidistance import dtw_ndim

    x, y = walks(2, frames, 13)

    def ours():
        found = seq.dtw(x, y, **UNIT)
        return np.sqrt(found.distance)

    return ours, lambda: dtw_ndim.warping_paths_fast(x, y)[0]


def with_path_librosa(frames):
    """Distance and path, beside librosa."""
    import librosa

    x, y = walks(2, frames, 13)
    peer = lambda: librosa.sequence.dtw(x.T, y.T, metric="sqeuclidean")[0][-1, -1]  # noqa: E731
    return lambda: seq.dtw(x, y, **UNIT).distance, peer


def query(frames, utterance):
    """The best place of a query, with its path."""
    import librosa

    x, y = walks(1, frames, 13)[0], walks(1, utterance, 13, seed=1)[0]
    peer = lambda: librosa.sequence.dtw(x.T, y.T, metric="sqeuclidean", subseq=True)[0][-1].min()  # noqa: E731
    return lambda: seq.find_query(x, y, top=1, **UNIT)[0].distance, peer


def matrix(count):
    """All distances within a list of sequences."""
    from dtaidistance import dtw_ndim

    some = list(walks(count, 60, 12))
    return lambda: np.sqrt(seq.dtw_distances(some, **UNIT)), lambda: dtw_ndim.distance_matrix_fast(
        some, parallel=False
    )


def rows(small=False):
    """The rows of this act; `small` shrinks the inputs, to try that all results agree."""
    short, long, many, utterance = (60, 90, 6, 500) if small else (1000, 3000, 100, 60_000)
    return [
        Row(f"DTW cost, {short} × 13", "dtaidistance", 0.45, lambda: cost_only(short)),
        Row(f"DTW cost, {long} × 13", "dtaidistance", 0.45, lambda: cost_only(long)),
        Row(f"DTW with path, {short} × 13", "librosa", 0.5, lambda: with_path_librosa(short)),
        Row(f"DTW with path, {long} × 13", "librosa", 0.5, lambda: with_path_librosa(long), megabytes=10),
        Row(f"DTW with path, {short} × 13", "dtaidistance", 0.5, lambda: with_path(short)),
        Row(f"DTW with path, {long} × 13", "dtaidistance", 0.5, lambda: with_path(long), megabytes=10),
        Row(f"DTW, band 10 %, {short} × 13", "dtaidistance", 0.45, lambda: cost_only(short, short // 10)),
        Row(f"DTW, band 10 %, {long} × 13", "dtaidistance", 0.45, lambda: cost_only(long, long // 10)),
        Row(f"query of 60 frames in {utterance}", "librosa", 0.35, lambda: query(60, utterance)),
        Row(f"{many} × {many} distances, 60 × 12", "dtaidistance", 0.65, lambda: matrix(many)),
    ]
