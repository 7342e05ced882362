"""Searching: against enumeration and the definition of a bound."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lessons.dtw import search
from course_lib import sequences as seq
from tests.course_lib.oracles import cheapest_path


@pytest.mark.parametrize("pattern", [seq.ASYMMETRIC, seq.SYMMETRIC1, seq.ITAKURA, seq.ASYMMETRIC_P1])
def test_best_match_is_the_cheapest_path_anywhere(pattern):
    rng = np.random.default_rng(0)
    for _ in range(15):
        query, utterance = rng.normal(size=(3, 2)), rng.normal(size=(7, 2))
        cost = seq.local_distances(query, utterance)
        least, path = cheapest_path(pattern, cost, begins=[(0, j) for j in range(7)], ends=range(7))
        found = search.find_query(query, utterance, top=1, step_pattern=pattern)[0]
        assert found.distance == pytest.approx(least)
        assert (found.start, found.end) == (path[0][1], path[-1][1] + 1)


def test_planted_query_is_found_where_it_was_planted():
    rng = np.random.default_rng(2)
    query, utterance = rng.normal(size=(20, 4)), rng.normal(size=(300, 4))
    utterance[50:70] = query
    utterance[120:160] = np.repeat(query, 2, axis=0)
    utterance[200:210] = query[::2]
    found = search.find_query(query, utterance, top=3, hop_seconds=0.01)
    assert (found[0].start, found[0].end) == (50, 70)
    assert found[1].start in (120, 121)
    assert found[1].end in (159, 160)
    assert found[0].distance == found[1].distance == 0
    assert found[0].seconds == pytest.approx((0.5, 0.7))
    assert 195 <= found[2].start < found[2].end <= 215


def test_matches_do_not_overlap_and_are_ranked():
    rng = np.random.default_rng(3)
    found = search.find_query(rng.normal(size=(6, 2)), rng.normal(size=(60, 2)), top=50)
    assert len(found) > 3
    taken = np.zeros(60, dtype=int)
    for match in found:
        taken[match.start : match.end] += 1
        assert match.path[0, 1] == match.start
        assert match.path[-1].tolist() == [5, match.end - 1]
    assert taken.max() == 1
    assert (np.diff([match.score for match in found]) >= 0).all()


def test_a_query_of_one_frame_and_an_utterance_shorter_than_the_query():
    found = search.find_query([5.0], [1.0, 5.0, 9.0], top=2)
    assert (found[0].start, found[0].end, found[0].distance) == (1, 2, 0.0)
    assert search.find_query([1.0, 2.0, 3.0], [2.0])[0].distance == 2.0


def test_search_refuses_scores_that_do_not_compare():
    with pytest.raises(ValueError, match="do not compare"):
        search.find_query([1.0], [1.0], step_pattern=seq.SYMMETRIC2)
    with pytest.raises(ValueError, match="hop_seconds"):
        _ = search.find_query([1.0], [1.0])[0].seconds


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("huge", [1e200, 1.7e308])
def test_numbers_too_large_to_measure_are_refused(huge):
    x, y = np.full((3, 2), huge), np.full((3, 2), -huge)
    for measure in (
        lambda: search.nearest_sequence(x, [y, y]),
        lambda: search.nearest_sequence(y, [np.zeros((4, 2)), x]),
        lambda: search.lb_kim(x, y),
        lambda: search.lb_keogh(x, y, y),
        lambda: search.discover_terms(x, y, 1.0),
        lambda: search.find_query(x, y),
        lambda: seq.local_distances(x, y, "gaussian"),
        lambda: seq.local_distances(x, y, "cosine"),
    ):
        with pytest.raises(ValueError, match="too large"):
            measure()


def test_shared_stretch_is_discovered():
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(150, 6)), rng.normal(size=(120, 6))
    y[30:60] = x[80:110] + 0.05 * rng.normal(size=(30, 6))
    y[90:115] = x[10:35] + 0.05 * rng.normal(size=(25, 6))
    found = search.discover_terms(x, y, threshold=0.15, min_frames=15, top=5, distance="cosine", hop_seconds=0.01)
    planted = [(80, 110, 30, 60), (10, 35, 90, 115)]
    np.testing.assert_allclose([(a.start, a.end, b.start, b.end) for a, b in found], planted, atol=2)
    assert all(a.score < 0.05 for a, _ in found)


def gain_of(path, gains):
    """Σ m·gain: the start counts twice, as the diagonal does."""
    return (gains[tuple(path.T)] * np.concatenate([[2], np.diff(path, axis=0).sum(axis=1)])).sum()


def test_local_paths_are_each_the_best_of_all_that_are_left():
    from course_lessons.dtw import _discovery_kernels as kernels

    rng = np.random.default_rng(5)
    for _ in range(25):
        left = rng.normal(size=(3, 4)) - 0.3
        gains, corners = left.copy(), [(i, j) for i in range(3) for j in range(4)]
        tables = kernels.local_tables(gains)
        while True:
            boxes = [(i, a + 1, j, b + 1) for i, j in corners for a, b in corners if a >= i and b >= j]
            parts = [np.where(np.isinf(left), -1e9, left)[i:a, j:b] for i, a, j, b in boxes]
            best = max(part[0, 0] - cheapest_path(seq.SYMMETRIC2, -part)[0] for part in parts)
            path, _ = kernels.next_local_path(gains, *tables, 1)
            if not len(path):
                break
            assert gain_of(path, left) == pytest.approx(best)
            left[path[0, 0] : path[-1, 0] + 1, path[0, 1] : path[-1, 1] + 1] = -np.inf
        assert best <= 0


@pytest.mark.parametrize("whole", [False, True], ids=["any numbers", "many ties"])
def test_discovery_is_a_table_filled_anew_for_each_path(whole):
    from course_lessons.dtw import _discovery_kernels as kernels

    rng = np.random.default_rng(7)
    for _ in range(100):
        shape, threshold = rng.integers(1, 90, size=2), rng.choice([0.3, 1.5, 2.5])
        x, y = (rng.integers(0, 6, size=(n, 2)) if whole else rng.normal(size=(n, 2)) for n in shape)
        gains, paths = threshold - seq.local_distances(x, y), []
        while True:
            path, _ = kernels.next_local_path(gains, *kernels.local_tables(gains), 1)
            if not len(path):
                break
            paths.append(path)
        wanted = [path for path in paths if np.ptp(path, axis=0).min() >= 1]
        found = search.discover_terms(x, y, threshold, min_frames=2, top=10_000)
        assert len(found) == len(wanted)
        assert all(np.array_equal(match.path, path) for (match, _), path in zip(found, wanted, strict=True))


@pytest.mark.parametrize("share", [0.03, 0.12, 0.4])
def test_paths_that_are_too_short_do_not_cost_a_table_each(share, monkeypatch):
    from course_lessons.dtw import _discovery_kernels as kernels

    counts, count_paths = [], kernels.next_local_path

    def counted(*arguments):
        path, cells = count_paths(*arguments)
        counts.append(cells)
        return path, cells

    monkeypatch.setattr(kernels, "next_local_path", counted)
    for frames in (100, 400):
        x, y = np.random.default_rng(8).normal(size=(2, frames, 13))
        threshold = np.quantile(seq.local_distances(x, y), share)
        counts.clear()
        search.discover_terms(x, y, threshold, min_frames=frames)
        assert sum(counts) < 2.5 * frames**2


def test_a_sequence_shares_its_diagonal_with_itself():
    x = np.repeat(np.random.default_rng(6).normal(size=(12, 4)), 4, axis=0)
    ((found, _),) = search.discover_terms(x, x, threshold=0.5, min_frames=40, top=1)
    assert (found.start, found.end) == (0, 48)
    assert (found.path[:, 0] == found.path[:, 1]).all()


def test_nothing_alike_discovers_nothing():
    x = np.eye(4)
    assert search.discover_terms(x[:2], x[2:], threshold=0.5, min_frames=1, distance="cosine") == []


@settings(max_examples=150)
@given(
    st.integers(0, 10_000), st.sampled_from([None, seq.SakoeChiba(1), seq.SakoeChiba(3), seq.ItakuraParallelogram()])
)
def test_bounds_are_never_above_the_distance(seed, window):
    rng = np.random.default_rng(seed)
    x, y = (rng.normal(size=(rng.integers(1, 15), 2)).cumsum(axis=0) for _ in range(2))
    keogh = search.lb_keogh(x, *search.envelope(y, len(x), window))
    for pattern in (seq.SYMMETRIC1, seq.SYMMETRIC2):
        distance = seq.dtw(x, y, pattern, window).distance
        assert keogh <= distance + 1e-9
        assert search.lb_kim(x, y) <= distance + 1e-9


def test_envelope_is_the_range_in_the_window():
    y = np.array([1.0, 5.0, 2.0, 0.0])
    low, high = search.envelope(y, 4, seq.SakoeChiba(1))
    assert low.ravel().tolist() == [1, 1, 0, 0]
    assert high.ravel().tolist() == [5, 5, 5, 2]


@pytest.mark.parametrize("window", [None, seq.SakoeChiba(2)])
def test_pruned_search_loses_nothing_and_saves_work(window):
    rng = np.random.default_rng(6)
    candidates = [rng.normal(size=(12, 3)).cumsum(axis=0) for _ in range(60)]
    saved = 0
    for _ in range(10):
        query = rng.normal(size=(12, 3)).cumsum(axis=0)
        full = [seq.dtw_distance(query, c, seq.SYMMETRIC1, window) for c in candidates]
        found = search.nearest_sequence(query, candidates, window)
        assert found.index == np.argmin(full)
        assert found.distance == pytest.approx(min(full))
        saved += len(candidates) - found.tables_filled
    assert saved > 60


def test_bounds_refuse_what_they_do_not_hold_for():
    with pytest.raises(ValueError, match="lower bounds do not hold"):
        search.nearest_sequence([1.0], [[1.0]], step_pattern=seq.ASYMMETRIC_P05)
    with pytest.raises(ValueError, match="envelope"):
        search.lb_keogh([1.0, 2.0], [[1.0]], [[1.0]])
    with pytest.raises(ValueError, match=r"low|high"):
        search.lb_keogh([1.0, 2.0], [0, 2], [1, 1])
    with pytest.raises(ValueError, match="no frame of y for frame 1"):
        search.envelope([1.0, 2.0], 3, seq.SakoeChiba(0))
