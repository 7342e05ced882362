"""Answers of every kind as scalar views of one latent function: a value g = f(x), or a difference g = f(b) − f(a).

Lecture: 06, section 2; 10, section 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from course_lib import selection, validation
from course_lib.gp.items import distinct_rows
from course_lib.gp.likelihoods import Gaussian, Likelihood
from course_lib.gp.likelihoods.counted import ReplicatedLikelihood
from course_lib.gp.likelihoods.mixed import BlockLikelihood

NO_ITEM = -1  # in ObservationMatrix.minus: this view is a value, nothing is subtracted


@dataclass(frozen=True, eq=False)
class ObservationMatrix:
    """The matrix A of g = A f, which has one +1 in each row, and a −1 as well if the row is a difference.

    `A @ f` gives the (m,) views of (n,) values, or (m, q) of (n, q); `A.T @ v` what each item receives from the views.

    plus : (m,) ints, the item whose value counts positively
    minus : (m,) ints, the item whose value is subtracted, or −1;  n_items : n
    """

    __array_ufunc__ = None  # so that an array @ views is an error, not an array of views

    plus: np.ndarray
    minus: np.ndarray
    n_items: int

    def __post_init__(self):
        n = validation.integer(self.n_items, "n_items")
        plus = selection.indices(self.plus, "plus", (None,), n, "items", empty=True)
        minus = validation.array(self.minus, "minus")
        whole = minus.dtype.kind in "iu" or not minus.size
        if minus.shape != plus.shape or not whole or ((minus < NO_ITEM) | (minus >= n)).any():
            raise ValueError(
                f"minus has shape {minus.shape} and dtype {minus.dtype}; an item 0 … {n - 1}, or −1 for none, is "
                f"needed for each of {len(plus)} views in plus."
            )
        vars(self).update(plus=plus, minus=minus.astype(np.int64), n_items=n)

    def __len__(self):
        return len(self.plus)

    @cached_property
    def are_items(self):
        """Whether the views are the items themselves, in their order: A = I."""
        return len(self) == self.n_items and self.all_values and bool((self.plus == np.arange(self.n_items)).all())

    @cached_property
    def all_values(self):
        """Whether no view is a difference."""
        return bool((self.minus == NO_ITEM).all())

    def __matmul__(self, f):
        g = f[self.plus]
        if not self.all_values:
            differ = self.minus != NO_ITEM
            g[differ] -= f[self.minus[differ]]
        return g

    @cached_property
    def T(self):
        """Aᵀ (n, m), sparse."""
        views, differ = np.arange(len(self)), np.flatnonzero(self.minus != NO_ITEM)
        entries = np.concatenate([np.ones(len(self)), -np.ones(len(differ))])
        places = np.concatenate([self.plus, self.minus[differ]]), np.concatenate([views, differ])
        return csr_array((entries, places), shape=(self.n_items, len(self)))

    def some(self, chosen):
        """The views with these indices."""
        return ObservationMatrix(self.plus[chosen], self.minus[chosen], self.n_items)

    def variances(self, K):
        """(m,) variances of the views of what has covariance K (n, n)."""
        differ, variance = np.flatnonzero(self.minus != NO_ITEM), K.diagonal()[self.plus]
        minus = self.minus[differ]
        variance[differ] += K[minus, minus] - 2.0 * K[self.plus[differ], minus]
        return variance

    def precision(self, tau):
        """(n, n) Aᵀ T A for T = diag(τ)."""
        n, own = self.n_items, np.bincount(self.plus, tau, self.n_items)
        if self.all_values:
            return np.diag(own)
        differ = self.minus != NO_ITEM
        plus, minus = self.plus[differ], self.minus[differ]
        between = np.bincount(plus * n + minus, tau[differ], n * n).reshape(n, n)
        total = -(between + between.T)
        total[np.diag_indices(n)] += own + np.bincount(minus, tau[differ], n)
        return total

    @cached_property
    def distinct(self):
        """(views, sign, of): the distinct views; response k is sign[k] times distinct view of[k].

        The differences b − a and a − b are one view with two signs.
        """
        swap = (self.minus != NO_ITEM) & (self.plus < self.minus)
        high, low = np.where(swap, self.minus, self.plus), np.where(swap, self.plus, self.minus)
        keys, of = np.unique(high * (self.n_items + 1) + low + 1, return_inverse=True)
        views = ObservationMatrix(keys // (self.n_items + 1), keys % (self.n_items + 1) - 1, self.n_items)
        return views, np.where(swap, -1.0, 1.0), of


class LinearViews:
    """The matrix A of g = A f with any weights (m, n): as ObservationMatrix, which has one +1 and one −1 in a row."""

    __array_ufunc__ = None
    are_items = all_values = False

    def __init__(self, weights):
        self.weights = weights

    def __len__(self):
        return self.weights.shape[0]

    def __matmul__(self, f):
        return self.weights @ f

    @property
    def n_items(self):
        """n."""
        return self.weights.shape[1]

    @property
    def T(self):
        """Aᵀ (n, m)."""
        return self.weights.T

    def precision(self, tau):
        """(n, n) Aᵀ T A for T = diag(τ)."""
        return self.T @ (self.weights * tau[:, None])


@dataclass(frozen=True, eq=False)
class Observations:
    """Answers y (m,) to views (m) of items X (n, D), and their likelihood; of blocks that were stacked, items once.

    counts : (m,) how often each answer was given, or None: once;  kinds : "values" or "differences", for each block
    rows : as `given`, or None: the rows are the items
    """

    X: np.ndarray
    views: ObservationMatrix
    y: np.ndarray
    likelihood: Likelihood
    counts: np.ndarray | None = None
    kinds: tuple[str, ...] = ("values",)
    rows: tuple | None = None

    @property
    def given(self):
        """(N, D) rows as they came, before equal ones became one item; and (N,) numbers of their items.

        A number of n or more is that of an item that no answer is to.
        """
        return (self.X, np.arange(len(self.X))) if self.rows is None else self.rows

    @property
    def n_answers(self):
        """How many answers there are, each counted as often as it was given."""
        return len(self.y) if self.counts is None else int(self.counts.sum())

    def likelihood_for(self, likelihood):
        """The likelihood of the rows, given that of one answer each: a power of it."""
        if self.counts is None:
            return likelihood
        return (
            likelihood.counted(self.counts)
            if isinstance(likelihood, BlockLikelihood)
            else ReplicatedLikelihood(likelihood, self.counts)
        )


class Block(Observations):
    """Answers of one kind that share a likelihood, made by `values` and `differences`. An item may be there twice."""


def values(X: ArrayLike, y: ArrayLike, likelihood: Likelihood | None = None, counts: ArrayLike | None = None) -> Block:
    """Answers to items themselves: y_k = an answer to f(x_i).

    X : (n, D) inputs, or (n,) if D = 1
    y : (n,) answers, or (n, R): R answers to each item, NaN where there is none; without any, f is what its prior says
    likelihood : Likelihood; Gaussian() if None. One with groups has one group for each answer given, row by row.
    counts : as y, whole numbers: how often each answer was given, each time with new noise
        (see `ReplicatedLikelihood`); None: once
    """
    X = validation.sequence(X, "X")
    table = _table(y, len(X))
    times = _times(counts, table)
    item, _ = np.nonzero(times)
    likelihood = Gaussian() if likelihood is None else likelihood
    return _block(X, item, np.full(len(item), NO_ITEM), table, times, likelihood, counts is not None, "values")


def differences(
    X: ArrayLike, pairs: ArrayLike, y: ArrayLike, likelihood: Likelihood, counts: ArrayLike | None = None
) -> Block:
    """Answers to pairs: y_k = an answer to f(x_b) − f(x_a) for pairs[k] = (a, b). Positive means: b is preferred.

    X : (n, D) inputs, or (n,) if D = 1
    pairs : (m, 2) ints in 0 … n−1, a ≠ b; there may be none
    y : (m,) answers; rows with NaN are left out;  likelihood : Likelihood
    counts : (m,) whole numbers, how often each answer was given; a row with 0 is left out; None: once

    Source: Nielsen (2015), section 2.3.
    """
    X = validation.sequence(X, "X")
    pairs = selection.pairs(pairs, len(X), empty=True)
    table = _table(y, len(pairs), "pairs")
    if table.shape[1] != 1:
        raise ValueError(f"y has shape {np.shape(y)}; one answer for each of the {len(pairs)} pairs is needed.")
    times = _times(counts, table, flat=True)
    a, b = pairs[times[:, 0] > 0].T
    return _block(X, b, a, table, times, likelihood, counts is not None, "differences")


def _table(y, rows, of="X"):
    """Answers as an (n, R) table; NaN is a missing answer, infinity an error."""
    table = validation.answers(y, "y")
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or len(table) != rows:
        raise ValueError(
            f"y has shape {np.shape(y)} and {of} has {rows} rows; each row needs its answers: "
            f"({rows},) or ({rows}, R)."
        )
    return table


def _times(counts, table, flat=False):
    """How often each answer of the table was given, not at all if it is missing; one column of counts may be flat."""
    given = ~np.isnan(table)
    if counts is None:
        return given.astype(np.int64)
    counts = validation.array(counts, "counts")
    shape = (len(table),) if flat or (table.shape[1] == 1 and counts.ndim == 1) else table.shape
    return np.where(given, selection.indices(counts, "counts", shape, empty=True).reshape(table.shape), 0)


def _block(X, plus, minus, table, times, likelihood, counted, kind):
    y, counts = table[times > 0], times[times > 0] if counted else None
    validation.instance(likelihood, Likelihood, "likelihood", "a Likelihood such as Gaussian(0.3) or Probit()")
    checked = likelihood.check(y) if len(y) else y
    if not isinstance(checked, np.ndarray) or checked.shape != y.shape:
        raise ValueError(
            f"likelihood {type(likelihood).__name__} returns {checked!r} from check(y); it must return the answers, "
            f"as float64 of shape {y.shape}."
        )
    return Block(X, ObservationMatrix(plus, minus, len(X)), checked, likelihood, counts, (kind,))


def stack(blocks: Block | Sequence[Block]) -> Observations:
    """One list of items and one vector of answers from several blocks. Equal inputs are one item: f is a function.

    One likelihood object in two blocks is one set of parameters, and so are parameters of one shared name (`sharing`).

    Source: Wu et al. (2025), section 3: log likelihoods of blocks add.
    """
    blocks = [blocks] if isinstance(blocks, Block) else list(blocks) if np.iterable(blocks) else []
    if not blocks or not all(isinstance(block, Block) for block in blocks):
        raise ValueError("blocks must be a list of values(…) and differences(…), with at least one of them.")
    for k, block in enumerate(blocks):
        if block.X.shape[1] != blocks[0].X.shape[1]:
            raise ValueError(f"block {k} has {block.X.shape[1]} columns and block 0 has {blocks[0].X.shape[1]}.")
    X, plus, minus, rows = _seen_items(blocks)
    parts, lengths = [block.likelihood for block in blocks], [len(block.y) for block in blocks]
    counts = [np.ones(len(block.y), int) if block.counts is None else block.counts for block in blocks]
    return Observations(
        X,
        ObservationMatrix(plus, minus, len(X)),
        np.concatenate([block.y for block in blocks]),
        parts[0] if len(parts) == 1 else BlockLikelihood(parts, lengths),
        np.concatenate(counts) if any(block.counts is not None for block in blocks) else None,
        tuple(block.kinds[0] for block in blocks),
        rows,
    )


def as_observations(blocks):
    """Observations of blocks, stacked; or those given, if their parts agree."""
    if isinstance(blocks, Block) or not isinstance(blocks, Observations):
        return stack(blocks)
    if len(blocks.views) != len(blocks.y) or blocks.views.n_items != len(blocks.X):
        raise ValueError(
            f"blocks has {len(blocks.X)} items and {len(blocks.y)} answers, but its views are {len(blocks.views)} of "
            f"{blocks.views.n_items} items; they must agree."
        )
    return blocks


def _seen_items(blocks):
    """(distinct inputs that some view refers to, plus, minus): the views of all blocks, along these; and `given`.

    Without any answer, all inputs.
    """
    starts = np.cumsum([0] + [len(block.X) for block in blocks])
    plus = np.concatenate([block.views.plus + at for block, at in zip(blocks, starts[:-1], strict=True)])
    ends = [(block.views.minus, at) for block, at in zip(blocks, starts[:-1], strict=True)]
    minus = np.concatenate([np.where(end == NO_ITEM, NO_ITEM, end + at) for end, at in ends])
    seen = np.union1d(plus, minus[minus != NO_ITEM]) if len(plus) else np.arange(starts[-1])
    rows = np.concatenate([block.X for block in blocks])
    order = np.append(seen, np.setdiff1d(np.arange(starts[-1]), seen))
    X, item = distinct_rows(rows[order])
    place = np.full(starts[-1] + 1, NO_ITEM)  # its last element answers for NO_ITEM
    place[order] = item
    return X[: item[: len(seen)].max() + 1], place[plus], place[minus], (rows, place[:-1])
