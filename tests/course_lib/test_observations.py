"""Blocks of responses: what they keep, what they refuse, and how several become one."""

import numpy as np
import pytest

from course_lib import gp, selection
from course_lib.gp.items import distinct_rows
from course_lib.gp.observations import BlockLikelihood, ObservationMatrix
from tests.course_lib.gp_oracles import dense_views

X = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
NAN = np.nan


def test_values_take_a_table_and_leave_out_what_is_missing():
    block = gp.values(X, [[1.0, NAN], [NAN, NAN], [2.0, 3.0]])
    assert block.views.plus.tolist() == [0, 2, 2]
    assert block.y.tolist() == [1.0, 2.0, 3.0]
    assert isinstance(block.likelihood, gp.Gaussian)


def test_a_difference_is_b_minus_a():
    block = gp.differences(X, [(0, 2), (1, 0)], [1, -1], gp.Probit())
    f = np.array([1.0, 10.0, 100.0])
    assert (block.views @ f).tolist() == [99.0, -9.0]
    assert np.allclose(dense_views(block.views) @ f, block.views @ f)


def test_unanswered_pairs_are_left_out():
    block = gp.differences(X, [(0, 2), (1, 0)], [NAN, 0.5], gp.Gaussian())
    assert block.views.plus.tolist() == [0]


def test_gather_and_precision_are_the_transposes():
    rng = np.random.default_rng(0)
    views = ObservationMatrix(np.array([0, 2, 1, 2, 2]), np.array([-1, 0, -1, 1, 1]), 3)
    A, v, tau = dense_views(views), rng.normal(size=5), rng.normal(size=5)
    assert np.allclose(views.T @ v, A.T @ v)
    assert np.allclose((views.T @ rng.normal(size=(5, 2))).shape, (3, 2))
    assert np.allclose(views.precision(tau), A.T @ np.diag(tau) @ A)


def test_equal_views_are_found_whatever_their_sign():
    views = ObservationMatrix(np.array([0, 2, 0, 2, 1]), np.array([2, 0, -1, 0, 0]), 3)
    distinct, sign, of = views.distinct
    assert len(distinct) == 3
    assert np.allclose(sign[:, None] * dense_views(distinct)[of], dense_views(views))


def test_stacking_counts_equal_inputs_once_and_drops_what_nobody_answered():
    first = gp.values(X, [1.0, NAN, 2.0])
    second = gp.differences(X[[2, 0, 1]], [(0, 1)], [1], gp.Probit())
    together = gp.stack([first, second])
    assert together.X.tolist() == [[0.0, 1.0], [4.0, 5.0]]
    assert together.views.plus.tolist() == [0, 1, 0]
    assert together.views.minus.tolist() == [-1, -1, 1]


def test_distinct_rows_keep_their_order():
    rows, inverse = distinct_rows(np.array([[3.0], [1.0], [3.0], [2.0]]))
    assert rows.ravel().tolist() == [3.0, 1.0, 2.0]
    assert inverse.tolist() == [0, 1, 0, 2]


def test_a_mixed_likelihood_is_its_parts_side_by_side():
    parts = [gp.StudentT(0.4, 5.0), gp.Probit(), gp.Gaussian(0.3)]
    y = np.array([0.2, -1.0, 1.0, -1.0, 0.5, 0.6])
    g, v = np.linspace(-1, 1, 6), np.linspace(0.1, 2, 6)
    cuts = [slice(0, 1), slice(1, 4), slice(4, 6)]
    mixed = BlockLikelihood(parts, [1, 3, 2])
    for method, arguments in (
        ("log_density", (y, g)),
        ("derivatives", (y, g)),
        ("expectations", (y, g, v)),
        ("tilted", (y, g, v)),
        ("tilted", (y, g, v, (g, v))),
    ):
        for part, cut in zip(parts, cuts, strict=True):
            own = getattr(part, method)(
                *(tuple(b[cut] for b in a) if isinstance(a, tuple) else a[cut] for a in arguments)
            )
            together = np.atleast_2d(getattr(mixed, method)(*arguments))[:, cut]
            assert np.allclose(np.atleast_2d(own), together, rtol=1e-8)
    slopes = mixed.parameter_derivatives(y, g)[0]
    assert slopes.shape == (3, 6)
    assert not slopes[:2, 1:].any()
    assert not slopes[2, :4].any()
    assert np.allclose(slopes[2, 4:], parts[2].parameter_derivatives(y[4:], g[4:])[0])
    for method in ("expected_parameter_gradient", "tilted_parameter_gradient"):
        assert np.allclose(getattr(mixed, method)(y, g, v)[2, 4:], getattr(parts[2], method)(y[4:], g[4:], v[4:]))
    assert not mixed.log_concave


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int32, np.uint64])
def test_pairs_are_counted_in_int64_whatever_came(dtype):
    found = selection.pairs(np.array([(0, 99), (120, 7)], dtype), 121)
    assert found.dtype == np.int64 and found.tolist() == [[0, 99], [120, 7]]
    views = gp.differences(np.arange(121.0), np.array([(0, 99), (120, 7)], dtype), [1, 1], gp.Probit()).views
    assert (views.plus.tolist(), views.minus.tolist()) == ([99, 7], [0, 120])
    distinct, _, _ = views.distinct
    assert (distinct.plus.tolist(), distinct.minus.tolist()) == ([99, 120], [0, 7])


def test_indices_of_any_number_of_things():
    assert selection.indices([4, 0], "who", (2,)).tolist() == [4, 0]
    assert selection.indices([[4], [0]], "who", (None, 1), 5).dtype == np.int64
    assert selection.indices([[np.uint8(1), -0]], "who", (None, 2), 2).tolist() == [[1, 0]]


@pytest.mark.parametrize(
    ("value", "arguments", "words"),
    [
        ([3], ((None,), 3, "people"), r"who\[0\] is 3; the people are 0 … 2"),
        ([0, -1], ((None,),), r"who\[1\] is -1; 0 or above is needed"),
        ([[0, 1], [1, 5]], ((None, 2), 2), r"who\[1, 1\] is 5; the numbers are 0 … 1"),
        ([0, 1], ((3,), 2), r"who has shape \(2,\) and dtype int64; \(3,\) whole numbers are needed, at least one"),
        ([[0], [1]], ((None, 2), 2), r"who has shape \(2, 1\).*\(m, 2\) whole numbers"),
        (0, ((None,), 2), r"who has shape \(\)"),
        ([], ((None,), 2), r"who has shape \(0,\)"),
        (np.zeros((0, 2), int), ((None, 2), 2), r"who has shape \(0, 2\).*at least one"),
        ([0.0, 1.0], ((None,), 2), "dtype float64"),
        ([True, False], ((None,), 2), "dtype bool"),
        (["a"], ((None,), 2), "dtype <U1"),
        ([0, 10**30], ((None,), 2), "dtype object"),
        ([[0, 1], [2]], ((None, 2), 3), "who must be rectangular"),
        (np.array([255], np.uint8), ((None,), 200), r"who\[0\] is 255; the numbers are 0 … 199"),
    ],
)
def test_what_is_no_index_is_refused(value, arguments, words):
    with pytest.raises(ValueError, match=words):
        selection.indices(value, "who", *arguments)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: gp.values(X, [1.0, 2.0]), r"y has shape \(2,\) and X has 3 rows"),
        (lambda: gp.values(X, [1.0, np.inf, 0.0]), r"y\[1\] is inf"),
        (lambda: gp.values(X, ["a", "b", "c"]), "y must hold real numbers"),
        (lambda: gp.values([[1.0], [NAN], [2.0]], [1.0, 2.0, 3.0]), r"X\[1, 0\] is nan"),
        (lambda: gp.values(X, [1.0, 2.0, 3.0], "gaussian"), "likelihood is 'gaussian'"),
        (lambda: gp.values(X, [0.5, 1.0, 0.2], gp.Beta()), r"y\[1\] is 1.0"),
        (lambda: gp.differences(X, [(0, 3)], [1], gp.Probit()), r"pairs\[0, 1\] is 3; the items are 0 … 2"),
        (lambda: gp.differences(X, [(0, -1)], [1], gp.Probit()), "the items are 0 … 2"),
        (lambda: gp.differences(X, [(0, 1), (2, 2)], [1, 1], gp.Probit()), r"pairs\[1\].*with itself"),
        (lambda: gp.differences(X, [(0.0, 1.0)], [1], gp.Probit()), "dtype float64"),
        (lambda: gp.differences(X, [0, 1], [1], gp.Probit()), r"\(m, 2\) whole numbers"),
        (lambda: gp.differences(X, [(0, 1)], [[1, 1]], gp.Probit()), "one answer for each"),
        (lambda: gp.differences(X, [(0, 1)], [0], gp.Probit()), r"2 \* y - 1"),
        (lambda: gp.stack([]), "at least one"),
        (lambda: gp.stack([gp.values(X, [1, 2, 3]), "x"]), "at least one of them"),
        (lambda: gp.stack([gp.values(X, [1, 2, 3]), gp.values([1.0], [1.0])]), "block 1 has 1 columns"),
    ],
)
def test_errors_say_what_came_and_what_is_needed(make, words):
    with pytest.raises(ValueError, match=words):
        make()
