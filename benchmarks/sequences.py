"""Rows of Act I: dynamic time warping."""

import numpy as np
from scipy.signal import lfilter

from benchmarks.timing import Row
from course_lessons.dtw import search
from course_lib import sequences as seq

UNIT = {"step_pattern": seq.SYMMETRIC1, "distance": "squared"}  # what dtaidistance computes, before its square root


def speechlike(count, frames, features=13, seed=0):
    """(count, frames, features): neighbouring frames correlate by 0.9 (cepstra of spoken digits: 0.75 to 0.91)."""
    noise = np.random.default_rng(seed).normal(size=(count, frames, features))
    return lfilter([np.sqrt(1 - 0.9**2)], [1, -0.9], noise, axis=1)


def cost_only(frames, window=None):
    """Distance without a path."""
    from dtaidistance import dtw_ndim

    x, y = speechlike(2, frames)
    band = None if window is None else seq.SakoeChiba(window - 1)
    return (
        lambda: np.sqrt(seq.dtw_distance(x, y, window=band, **UNIT)),
        lambda: dtw_ndim.distance_fast(x, y, window=window),
    )


def with_path(frames):
    """Path and distance, beside the compiled path of dtaidistance (dtw_ndim.warping_path is slower)."""
    from dtaidistance import dtw

    x, y = speechlike(2, frames)

    def ours():
        found = seq.dtw(x, y, **UNIT)
        return found.path, np.sqrt(found.distance)

    return ours, lambda: dtw.warping_path_fast(x, y, include_distance=True, use_ndim=True)


def with_path_librosa(frames):
    """Path and distance, beside librosa."""
    import librosa

    x, y = speechlike(2, frames)

    def ours():
        found = seq.dtw(x, y, **UNIT)
        return found.path, found.distance

    def peer():
        accumulated, path = librosa.sequence.dtw(x.T, y.T, metric="sqeuclidean")
        return path[::-1], accumulated[-1, -1]

    return ours, peer


def query(frames, utterance):
    """The best place of a query in an utterance: path and distance."""
    import librosa

    x, y = speechlike(1, frames)[0], speechlike(1, utterance, seed=1)[0]

    def ours():
        (found,) = search.find_query(x, y, top=1, **UNIT)
        return found.path, found.distance

    def peer():
        accumulated, path = librosa.sequence.dtw(x.T, y.T, metric="sqeuclidean", subseq=True)
        return path[::-1], accumulated[-1].min()

    return ours, peer


def matrix(count):
    """All distances within a list of sequences."""
    from dtaidistance import dtw_ndim

    some = list(speechlike(count, 60, features=12))
    return (
        lambda: np.sqrt(seq.dtw_distances(some, **UNIT)),
        lambda: dtw_ndim.distance_matrix_fast(some, parallel=False),
    )


def discovery(frames):
    """Nothing is shared by two stretches of noise: the whole beside its four quarters, which are as many cells."""
    x, y = np.random.default_rng(0).normal(size=(2, frames, 13))
    threshold = np.quantile(seq.local_distances(x, y), 0.05)
    quarters = [(u, v) for u in np.split(x, 2) for v in np.split(y, 2)]

    def shared(pairs):
        return sum(len(search.discover_terms(u, v, threshold, min_frames=frames // 2)) for u, v in pairs)

    return lambda: shared([(x, y)]), lambda: shared(quarters)


def rows(small=False):
    """The rows of this act; `small` shrinks the inputs, to try that all results agree."""
    short, long, many, utterance = (60, 90, 6, 500) if small else (1000, 3000, 100, 60_000)
    return [
        Row(f"DTW cost, {short} × 13", "dtaidistance", 0.45, lambda: cost_only(short)),
        Row(f"DTW cost, {long} × 13", "dtaidistance", 0.45, lambda: cost_only(long)),
        Row(f"DTW with path, {short} × 13", "dtaidistance", 0.5, lambda: with_path(short)),
        Row(f"DTW with path, {long} × 13", "dtaidistance", 0.5, lambda: with_path(long), megabytes=10),
        Row(f"DTW with path, {short} × 13", "librosa", 0.5, lambda: with_path_librosa(short)),
        Row(f"DTW with path, {long} × 13", "librosa", 0.5, lambda: with_path_librosa(long), megabytes=10),
        Row(f"DTW, band 10 %, {short} × 13", "dtaidistance", 0.45, lambda: cost_only(short, short // 10)),
        Row(f"DTW, band 10 %, {long} × 13", "dtaidistance", 0.45, lambda: cost_only(long, long // 10)),
        Row(f"query of 60 frames in {utterance}", "librosa", 0.35, lambda: query(60, utterance)),
        Row(f"{many} × {many} distances, 60 × 12", "dtaidistance", 0.65, lambda: matrix(many)),
        *(
            Row(f"discovery, {n} × {n} in quarters", "course-lib", 2.0, lambda n=n: discovery(n))
            for n in ([60] if small else [400, 800])
        ),
    ]
