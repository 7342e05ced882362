"""dtw against enumeration of all paths, dtw-python, and what must hold for any input."""

import warnings

import dtw as dtw_python
import numpy as np
import pytest
from dtw import stepPattern as published
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from course_lessons.dtw import search
from course_lib import sequences as seq
from course_lib.sequences import warping
from tests.course_lib.oracles import cheapest_path, path_cost

RIGID = seq.STEP_PATTERNS["rigid"]
PATTERNS = [pattern for pattern in seq.STEP_PATTERNS.values() if pattern is not RIGID]  # which needs equal lengths
COMMON = [seq.SYMMETRIC1, seq.SYMMETRIC2, seq.ASYMMETRIC]


def published_pattern(pattern):
    return getattr(published, pattern.name, None) or getattr(published, "_" + pattern.name)


def random_pair(rng, low=2, high=7, features=2):
    return [rng.normal(size=(rng.integers(low, high), features)) for _ in range(2)]


def by_name(pattern):
    return pattern.name


@pytest.mark.parametrize("pattern", PATTERNS, ids=by_name)
def test_equals_the_cheapest_of_all_paths(pattern):
    rng = np.random.default_rng(1)
    reached = 0
    for _ in range(40):
        cost = rng.random(size=rng.integers(1, 7, size=2))
        least, path = cheapest_path(pattern, cost)
        if path is None:
            with pytest.raises(ValueError, match="No warping path"):
                seq.align(cost, pattern)
            continue
        reached += 1
        found = seq.align(cost, pattern, keep_accumulated=True)
        assert found.distance == pytest.approx(least, abs=1e-12)
        cells = found.path.tolist()
        same = [p for p in seq.warping_paths(pattern, *cost.shape) if [[i, j] for i, j, _ in p] == cells]
        assert min(path_cost(p, cost) for p in same) == pytest.approx(least, abs=1e-12)
        assert found.accumulated[-1, -1] == found.distance
        np.testing.assert_array_equal(found.accumulated, plain := warping.accumulate(cost, pattern))
        assert found.path.tolist() == [[i, j] for i, j in warping.trace_back(plain, cost, pattern)]
    assert reached >= 8


@pytest.mark.parametrize("pattern", PATTERNS, ids=by_name)
@pytest.mark.parametrize("open_begin", [False, True])
def test_costs_may_be_negative(pattern, open_begin):
    rng = np.random.default_rng(20)
    reached = 0
    for _ in range(25):
        cost = rng.normal(size=rng.integers(1, 6, size=2))
        begins = [(0, j) for j in range(cost.shape[1])] if open_begin else [(0, 0)]
        least, path = cheapest_path(pattern, cost, begins)
        if path is not None:
            reached += 1
            assert seq.align(cost, pattern, open_begin=open_begin).distance == pytest.approx(least)
    assert reached > 5


@pytest.mark.parametrize("pattern", PATTERNS, ids=by_name)
def test_pattern_is_the_published_one(pattern):
    theirs = published_pattern(pattern)
    hint = {"NA": None, "N": (1, 0), "M": (0, 3), "N+M": (1, 1)}[theirs.hint]
    assert pattern.normalizer == hint or pattern is seq.ITAKURA
    rows = theirs.mx
    theirs = {tuple(map(tuple, rows[rows[:, 0] == number, 1:])) for number in np.unique(rows[:, 0])}
    ours = set()
    for move in pattern.moves:
        back = np.cumsum([step[:2] for step in move[::-1]], axis=0)[::-1]
        cells = [(*back[0], -1.0)] + [(*cell, step[2]) for cell, step in zip([*back[1:], (0, 0)], move, strict=True)]
        ours.add(tuple(tuple(map(float, cell)) for cell in cells))
    assert ours == {tuple(tuple(map(float, cell)) for cell in move) for move in theirs}


@pytest.mark.parametrize("begin", [False, True])
def test_a_rigid_path_is_a_diagonal(begin):
    rng = np.random.default_rng(23)
    for _ in range(20):
        cost = rng.random((4, 9))
        theirs = dtw_python.dtw(cost, step_pattern=published.rigid, open_begin=begin, open_end=True)
        ours = seq.align(cost, "rigid", open_begin=begin, open_end=True)
        sums = [np.trace(cost, k) for k in range(6)] if begin else [np.trace(cost)]
        assert ours.distance == pytest.approx(min(sums))
        assert ours.normalized_distance == pytest.approx(min(sums) / 4)
        if begin and np.argmin(sums) == 0:  # where dtw-python's open beginning, a row of zeros, cannot lead
            assert theirs.distance == pytest.approx(min(sums[1:]))
            continue
        assert ours.normalized_distance == pytest.approx(theirs.normalizedDistance)
        np.testing.assert_array_equal(ours.path, np.column_stack([theirs.index1, theirs.index2]))
    with pytest.raises(ValueError, match="No warping path"):
        seq.align(np.ones((3, 4)), "rigid")


NAMED = {
    "dtw": lambda x, y, p: seq.dtw(x, y, p).path,
    "align": lambda x, y, p: seq.align(seq.local_distances(x, y), p).path,
    "dtw_distance": lambda x, y, p: seq.dtw_distance(x, y, p),
    "dtw_distances": lambda x, y, p: seq.dtw_distances([x, y], step_pattern=p, normalized=True),
    "find_query": lambda x, y, p: search.find_query(x, y, step_pattern=p)[0].path,
    "nearest_sequence": lambda x, y, p: search.nearest_sequence(x, [y, x], step_pattern=p).distance,
    "warping_paths": lambda x, y, p: list(seq.warping_paths(p, 3, 4)),
    "recogniser": lambda x, y, p: seq.TemplateRecognizer(step_pattern=p).fit([x, y], [0, 1]).word_distances([x, y]),
}


@pytest.mark.parametrize("call", NAMED)
def test_a_step_pattern_may_be_told_by_its_name(call):
    name = "symmetric1" if call == "nearest_sequence" else "asymmetric"
    x, y = np.random.default_rng(24).normal(size=(2, 9, 2))
    np.testing.assert_array_equal(NAMED[call](x, y, name), NAMED[call](x, y, seq.STEP_PATTERNS[name]))
    with pytest.raises(ValueError, match=r"step_pattern is .*one of these names: symmetric1, .* rigid"):
        NAMED[call](x, y, "asymetric")


@pytest.mark.parametrize("pattern", PATTERNS, ids=by_name)
def test_normalizer_is_the_weight_of_every_path(pattern):
    """Σm is the same for all paths exactly where the pattern says so; the start is then paid m(1) = a + b times."""
    weights = {round(sum(m for *_, m in path), 9) for path in seq.warping_paths(pattern, 5, 6)}
    if pattern.normalizer is None:
        assert len(weights) > 1
        with pytest.raises(ValueError, match="differ from path to path"):
            pattern.path_weight(5, 6)
    else:
        assert weights == {round(pattern.path_weight(5, 6) - sum(pattern.normalizer) + 1, 9)}


def test_number_of_paths_is_delannoys():
    counts = [sum(1 for _ in seq.warping_paths(seq.SYMMETRIC1, n, n)) for n in range(1, 6)]
    assert counts == [1, 3, 13, 63, 321]


def test_start_cell_is_paid_once_and_the_cell_left_is_not_paid():
    """θ sums l = 0 … L−1. With l = 0 … L, as the TTIC 31110 slides (2020) have it, the start would count twice."""
    for cost in ([[3.0]], [[3.0, 4.0]], [[3.0], [4.0]]):
        assert seq.align(cost, seq.SYMMETRIC2).distance == np.sum(cost)
    assert seq.align(np.array([[3.0, 9], [9, 5]]), seq.SYMMETRIC2).distance == 3 + 2 * 5


@pytest.mark.parametrize("pattern", COMMON, ids=by_name)
def test_open_ends_by_enumeration(pattern):
    rng = np.random.default_rng(4)
    for _ in range(25):
        cost = rng.random((rng.integers(1, 5), rng.integers(1, 6)))
        everywhere = [(0, j) for j in range(cost.shape[1])]
        least, path = cheapest_path(pattern, cost, begins=everywhere)
        if path is not None:
            found = seq.align(cost, pattern, open_begin=True)
            assert found.distance == pytest.approx(least)
            assert found.path[0].tolist() == list(path[0][:2])
        ends = [cheapest_path(pattern, cost, ends=[j])[0] for j in range(cost.shape[1])]
        weights = 1.0 if pattern.normalizer is None else pattern.path_weight(cost.shape[0], np.arange(len(ends)) + 1)
        found = seq.align(cost, pattern, open_end=True)
        assert found.path[-1, 1] == np.argmin(np.array(ends) / weights)
        assert found.distance == pytest.approx(ends[found.path[-1, 1]])


@pytest.mark.parametrize("pattern", [*COMMON, seq.SYMMETRIC_P1], ids=by_name)
@pytest.mark.parametrize("radius", [0, 1, 3, 40])
def test_sakoe_chiba_equals_dtw_python_for_equal_lengths(pattern, radius):
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=(2, 20, 3))
    theirs = dtw_python.dtw(
        x,
        y,
        step_pattern=published_pattern(pattern),
        window_type="sakoechiba",
        window_args={"window_size": radius},
    )
    ours = seq.dtw(x, y, pattern, window=seq.SakoeChiba(radius), keep_accumulated=True)
    assert ours.distance == pytest.approx(theirs.distance)
    assert seq.dtw_distance(x, y, pattern, window=seq.SakoeChiba(radius)) == ours.distance
    outside = ~seq.allowed_cells(seq.SakoeChiba(radius), 20, 20)
    assert np.isinf(ours.accumulated[outside]).all()


@settings(max_examples=80)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 6))
def test_sakoe_chiba_holds_a_path_for_any_lengths(x_frames, y_frames, radius):
    window = seq.SakoeChiba(radius)
    found = seq.align(np.ones((x_frames, y_frames)), window=window)
    allowed = seq.allowed_cells(window, x_frames, y_frames)
    assert allowed[tuple(found.path.T)].all()
    np.testing.assert_array_equal(allowed.T, seq.allowed_cells(window, y_frames, x_frames))


@settings(max_examples=80)
@given(st.integers(1, 40), st.integers(1, 40))
def test_itakura_holds_a_path_for_any_lengths(x_frames, y_frames):
    allowed = seq.allowed_cells(seq.ItakuraParallelogram(), x_frames, y_frames)
    found = seq.align(np.ones((x_frames, y_frames)), window=seq.ItakuraParallelogram())
    assert allowed[tuple(found.path.T)].all() and allowed[0, 0] and allowed[-1, -1]


@settings(max_examples=80)
@given(st.integers(1, 30), st.integers(1, 30), st.sampled_from([1, 1.3, 2, 3.5]))
def test_itakura_treats_both_sequences_alike(x_frames, y_frames, slope):
    window = seq.ItakuraParallelogram(slope)
    allowed = seq.allowed_cells(window, x_frames, y_frames)
    np.testing.assert_array_equal(allowed, seq.allowed_cells(window, y_frames, x_frames).T)


def test_open_end_takes_the_least_total_where_no_mean_is_defined():
    rng = np.random.default_rng(21)
    for _ in range(30):
        cost = rng.random((4, 6))
        found = seq.align(cost, seq.SYMMETRIC2, open_begin=True, open_end=True)
        ends = [seq.align(cost[:, : j + 1], seq.SYMMETRIC2, open_begin=True).distance for j in range(6)]
        assert found.distance == pytest.approx(min(ends))


def test_itakura_is_the_parallelogram():
    """Equal lengths: all cells between the lines of slope 1/2 and 2 from both corners, and no cell a frame outside."""
    n = 31
    i, j = np.mgrid[:n, :n]
    inside = (j <= 2 * i) & (2 * j >= i) & (n - 1 - j <= 2 * (n - 1 - i)) & (2 * (n - 1 - j) >= n - 1 - i)
    allowed = seq.allowed_cells(seq.ItakuraParallelogram(), n, n)
    assert (allowed >= inside).all()
    assert (allowed & ~inside).sum() <= 2 * n


@settings(max_examples=150)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 4), st.booleans(), st.integers(0, 10_000))
def test_open_end_in_a_window_is_the_table_with_forbidden_cells(x_frames, y_frames, radius, open_begin, seed):
    """The last row holds inf wherever the window ends, and ties are broken alike."""
    cost = np.random.default_rng(seed).integers(0, 4, size=(x_frames, y_frames)).astype(float)
    window = seq.SakoeChiba(radius)
    forbidden = np.where(seq.allowed_cells(window, x_frames, y_frames), cost, np.inf)
    options = {"step_pattern": seq.SYMMETRIC1, "open_begin": open_begin, "open_end": True, "keep_accumulated": True}
    banded, masked = seq.align(cost, window=window, **options), seq.align(forbidden, **options)
    np.testing.assert_array_equal(banded.accumulated, masked.accumulated)
    np.testing.assert_array_equal(banded.path, masked.path)
    assert banded.distance == masked.distance


@pytest.mark.parametrize("pattern", COMMON, ids=by_name)
def test_a_window_may_go_up_and_down(pattern):
    class Zigzag:
        def ranges(self, x_frames, y_frames):
            lowest = np.where(np.arange(x_frames) % 3 == 1, 2, 0)
            return lowest, np.where(np.arange(x_frames) % 2 == 1, y_frames, y_frames - 1)

    cost = np.random.default_rng(22).random((8, 9))
    forbidden = np.where(seq.allowed_cells(Zigzag(), 8, 9), cost, np.inf)
    assert seq.align(cost, pattern, window=Zigzag()).distance == seq.align(forbidden, pattern).distance


@pytest.mark.parametrize("pattern", PATTERNS, ids=by_name)
def test_cells_of_infinite_cost_are_forbidden(pattern):
    rng = np.random.default_rng(7)
    for _ in range(10):
        cost = seq.local_distances(*random_pair(rng, 4, 9))
        mask = rng.random(cost.shape) < 0.85
        forbidden = np.where(mask, cost, np.inf)
        paths = [p for p in seq.warping_paths(pattern, *mask.shape) if all(mask[i, j] for i, j, _ in p)]
        least = min((path_cost(path, cost) for path in paths), default=None)
        if least is None:
            with pytest.raises(ValueError, match="No warping path"):
                seq.align(forbidden, pattern)
        else:
            assert seq.align(forbidden, pattern).distance == pytest.approx(least)


@pytest.mark.parametrize("name", ["euclidean", "squared", "cosine", "gaussian"])
@pytest.mark.parametrize("pattern", [seq.SYMMETRIC2, seq.SYMMETRIC_P1], ids=by_name)
def test_local_distances_are_the_definitions(name, pattern):
    rng = np.random.default_rng(8)
    x, y = random_pair(rng, 5, 9, features=4)
    define = {
        "euclidean": lambda u, v: np.sqrt(np.sum((u - v) ** 2)),
        "squared": lambda u, v: np.sum((u - v) ** 2),
        "cosine": lambda u, v: 1 - u @ v / np.sqrt((u @ u) * (v @ v)),
        "gaussian": lambda u, v: -np.sum(np.log(np.exp(-((u - v) ** 2) / 2) / np.sqrt(2 * np.pi))),
    }[name]
    table = np.array([[define(u, v) for v in y] for u in x])
    np.testing.assert_allclose(seq.local_distances(x, y, name), table, rtol=1e-10)
    np.testing.assert_allclose(seq.local_distances(x, y, define), table)
    expected = seq.align(table, pattern).distance
    assert seq.dtw(x, y, pattern, distance=name).distance == pytest.approx(expected)
    assert seq.dtw(x, y, pattern, distance=define).distance == pytest.approx(expected)


@pytest.mark.parametrize("pattern", PATTERNS, ids=by_name)
def test_transposed_pattern_exchanges_the_sequences(pattern):
    rng = np.random.default_rng(9)
    x, y = rng.normal(size=(12, 2)), rng.normal(size=(11, 2))
    assert seq.dtw(x, y, pattern).distance == pytest.approx(seq.dtw(y, x, pattern.transposed()).distance)


@pytest.mark.parametrize("pattern", [seq.SYMMETRIC1, seq.SYMMETRIC2, seq.SYMMETRIC_P05], ids=by_name)
@pytest.mark.parametrize(
    "window", [None, seq.SakoeChiba(4), seq.ItakuraParallelogram()], ids=["no window", "band", "parallelogram"]
)
@pytest.mark.parametrize("distance", ["euclidean", "squared", "cosine"])
def test_table_of_distances_is_each_pair(pattern, window, distance):
    rng = np.random.default_rng(10)
    some = [rng.normal(size=(rng.integers(9, 14), 3)) for _ in range(5)]
    others = [rng.normal(size=(rng.integers(9, 14), 3)) for _ in range(4)]
    options = {"step_pattern": pattern, "window": window, "distance": distance}
    each = np.array([[seq.dtw(x, y, **options).distance for y in others] for x in some])
    np.testing.assert_allclose(seq.dtw_distances(some, others, **options), each)
    np.testing.assert_allclose(seq.dtw_distances(some, others, n_jobs=2, **options), each)
    own = np.array([[seq.dtw(x, y, **options).distance for y in some] for x in some])
    np.testing.assert_allclose(seq.dtw_distances(some, **options), own, atol=1e-12)
    if pattern.normalizer:
        each = np.array([[seq.dtw(x, y, **options).normalized_distance for y in others] for x in some])
        np.testing.assert_allclose(seq.dtw_distances(some, others, normalized=True, **options), each)


def test_asymmetric_table_is_not_mirrored():
    rng = np.random.default_rng(11)
    some = [rng.normal(size=(rng.integers(9, 12), 2)) for _ in range(4)]
    own = np.array([[seq.dtw(x, y, seq.ASYMMETRIC).distance for y in some] for x in some])
    np.testing.assert_allclose(seq.dtw_distances(some, step_pattern=seq.ASYMMETRIC), own)


def test_a_path_needs_one_byte_a_cell():
    import tracemalloc

    x, y = np.random.default_rng(12).normal(size=(2, 3000, 13))
    seq.dtw(x[:50], y[:50])
    tracemalloc.start()
    seq.dtw(x, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10e6


def test_very_long_sequences_in_a_band():
    wave = np.sin(np.arange(100_002) / 50)
    x, y = wave[2:], wave[:-2]
    lock_step = seq.dtw(x, y, seq.SYMMETRIC1, window=seq.SakoeChiba(0))
    assert lock_step.distance == pytest.approx(np.abs(x - y).sum())
    shifted = np.abs(x[0] - y[:2]).sum() + np.abs(x[-2:] - y[-1]).sum()
    assert seq.dtw(x, y, seq.SYMMETRIC1, window=seq.SakoeChiba(5)).distance <= shifted


@pytest.mark.parametrize(
    ("x", "y", "options", "message"),
    [
        (np.ones((3, 2)), np.ones((3, 5)), {}, "2 features .* 5"),
        ([0.0], [1.0], {"distance": "cosine"}, "no angle"),
        ([1.0], [1.0], {"distance": lambda u, v: np.nan}, "finite real number"),
        ([1.0, 2.0], [1.0], {"window": np.ones(2, bool)}, "window is array.* a cost of inf there"),
        ([1.0, 2.0], [1.0], {"window": seq.SakoeChiba}, r"None, SakoeChiba\(radius\) or"),
        (np.ones(3), np.ones(10), {"step_pattern": seq.SYMMETRIC_P2}, "slopes Δy/Δx from 0.667 to 1.5"),
        (np.ones(3), np.ones(7), {"window": seq.SakoeChiba(0)}, "try a wider one"),
    ],
)
def test_errors_say_what_and_what_to_do(x, y, options, message):
    with pytest.raises(ValueError, match=message):
        seq.dtw(x, y, **options)


def test_a_forgotten_bracket_is_explained():
    with pytest.raises(ValueError, match=r"a move is a list of steps, such as \[\(1, 1, 2\)\]"):
        seq.StepPattern("mine", [(1, 1, 2), (1, 0, 1)])


def test_weights_that_vanish_give_no_mean():
    with pytest.raises(ValueError, match="above 0"):
        seq.StepPattern("mine", [[(1, 1, 0)], [(1, 2, 1)]]).path_weight(3, 3)


@pytest.mark.parametrize("moves", [[], [[]], [[(0, 0, 1)]], [[(-1, 1, 1)]], [[(1, 1, -1)]], [[(1, 0.5, 1)]]])
def test_step_pattern_refuses_impossible_moves(moves):
    with pytest.raises(ValueError, match="step pattern 'mine'"):
        seq.StepPattern("mine", moves)


def test_open_begin_has_no_normalised_distance_where_it_depends_on_the_beginning():
    found = seq.dtw([1.0, 2.0], [0.0, 1.0, 2.0], seq.SYMMETRIC2, open_begin=True)
    with pytest.raises(ValueError, match="ASYMMETRIC"):
        _ = found.normalized_distance


def test_errors_of_a_table_name_the_pair():
    with pytest.raises(ValueError, match=r"sequences\[1\] against others\[0\]: No warping path"):
        seq.dtw_distances([np.ones(4), np.ones(9)], [np.ones(4)], step_pattern=seq.SYMMETRIC_P2)
    with pytest.raises(ValueError, match=r"sequences\[1\] against others\[0\]: No warping path"):
        seq.dtw_distances([np.ones(5), np.ones(2)], [np.ones(9)], step_pattern=seq.ASYMMETRIC)
    with pytest.raises(ValueError, match="sequences is empty"):
        seq.dtw_distances([])
    with pytest.raises(ValueError, match=r"others\[1\] has 3 features"):
        seq.dtw_distances([np.ones((2, 2))], [np.ones((2, 2)), np.ones((2, 3))])


MFCC_BY_TIME = [np.random.default_rng(k).normal(size=(13, 100)) for k in range(2)]


@pytest.mark.parametrize(
    "call",
    [
        lambda x, y: seq.dtw(x, y),
        lambda x, y: seq.dtw_distance(x, y, distance="cosine"),
        lambda x, y: search.find_query(x, y),
        lambda x, y: seq.dtw_distances([x], [y, y]),
        lambda x, y: seq.TemplateRecognizer().fit([x, y], ["a", "b"]),
        lambda x, y: seq.GaussianMixtureHMM(2, max_iter=1, tol=1e9).fit([x, y]),
        lambda x, y: seq.BagOfFrames(seq.GaussianMixture(1, "diag")).fit([x, y]),
    ],
)
def test_features_by_time_of_equal_length_are_noticed(call):
    """(13, 100) cepstra were 13 frames of 100 features, silently; of other lengths they are refused."""
    with pytest.warns(UserWarning, match=r"13 frames of 100 features.*rows and columns swapped"):
        call(*MFCC_BY_TIME)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        call(*(x.T for x in MFCC_BY_TIME))


@pytest.mark.parametrize("arguments", [(np.zeros((4, 30)),), ([np.zeros(30)], np.zeros((4, 30)))])
def test_a_table_of_series_is_told_how_to_come(arguments):
    with pytest.raises(ValueError, match=r"list\((sequences|others)\)"):
        seq.dtw_distances(*arguments)
    assert seq.dtw_distances(*(list(one) for one in arguments)).shape[-1] == 4
