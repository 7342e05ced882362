"""Responses of every kind as scalar views of one latent function: a value g = f(x), or a difference g = f(b) − f(a).

Lecture: 06, section 2.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from course_lib import validation
from course_lib.gp.likelihoods import Gaussian, Likelihood

NONE = -1  # in Views.minus: this view is a value, nothing is subtracted


@dataclass(frozen=True, eq=False)
class Views:
    """The matrix A of g = A f, which has one +1 in each row, and a −1 as well if the row is a difference.

    plus : (m,) ints, the item whose value counts positively
    minus : (m,) ints, the item whose value is subtracted, or −1
    n_items : n

    The methods, which inference calls again and again, take float64 arrays as they are.

    Raises
    ------
    ValueError
        If they are no such numbers, or not as many.

    Lecture: 06, section 2.
    """

    plus: np.ndarray
    minus: np.ndarray
    n_items: int

    def __post_init__(self):
        n = validation.whole(self.n_items, "n_items")
        plus = validation.indices(self.plus, "plus", (None,), n, "items")
        minus = validation.array(self.minus, "minus")
        if minus.shape != plus.shape or minus.dtype.kind not in "iu" or minus.min() < NONE or minus.max() >= n:
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
        return bool((self.minus == NONE).all())

    @cached_property
    def _transposed(self):
        """Aᵀ (n, m), sparse."""
        views, differ = np.arange(len(self)), np.flatnonzero(self.minus != NONE)
        entries = np.concatenate([np.ones(len(self)), -np.ones(len(differ))])
        places = np.concatenate([self.plus, self.minus[differ]]), np.concatenate([views, differ])
        return csr_array((entries, places), shape=(self.n_items, len(self)))

    def of(self, f):
        """A f: (m,) views of the (n,) values f, or (m, q) of (n, q)."""
        g = f[self.plus]
        if not self.all_values:
            differ = self.minus != NONE
            g[differ] -= f[self.minus[differ]]
        return g

    def gather(self, v):
        """Aᵀ v: (n,) what each item receives from (m,) numbers of the views, or (n, q) from (m, q)."""
        if v.ndim > 1:
            return self._transposed @ v
        total = np.bincount(self.plus, v, self.n_items)
        if not self.all_values:
            differ = self.minus != NONE
            total -= np.bincount(self.minus[differ], v[differ], self.n_items)
        return total

    def precision(self, tau):
        """(n, n) Aᵀ T A for T = diag(τ)."""
        n, own = self.n_items, np.bincount(self.plus, tau, self.n_items)
        if self.all_values:
            return np.diag(own)
        differ = self.minus != NONE
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
        swap = (self.minus != NONE) & (self.plus < self.minus)
        high, low = np.where(swap, self.minus, self.plus), np.where(swap, self.plus, self.minus)
        keys, of = np.unique(high * (self.n_items + 1) + low + 1, return_inverse=True)
        views = Views(keys // (self.n_items + 1), keys % (self.n_items + 1) - 1, self.n_items)
        return views, np.where(swap, -1.0, 1.0), of


@dataclass(frozen=True, eq=False)
class Block:
    """Responses of one kind: items X (n, D), views of them, answers y (m,), and the likelihood that they share.

    Made by `values` and `differences`. Lecture: 06, section 2.
    """

    X: np.ndarray
    views: Views
    y: np.ndarray
    likelihood: Likelihood


def values(X, y, likelihood=None):
    """Responses to items themselves: y_k = an answer to f(x_i).

    Parameters
    ----------
    X : (n, D) inputs, or (n,) if D = 1
    y : (n,) answers, or (n, R): R answers to each item, NaN where there is none
    likelihood : Likelihood; Gaussian() if None. One with groups has one group for each answer given, row by row.

    Returns
    -------
    Block

    Raises
    ------
    ValueError
        If the lengths differ, an input is not finite, no answer is left, or the likelihood refuses an answer.

    Lecture: 06, section 2.
    """
    X = validation.sequence(X, "X")
    table = _table(y, len(X))
    item, _ = np.nonzero(~np.isnan(table))
    return _block(
        X, item, np.full(len(item), NONE), table[~np.isnan(table)], Gaussian() if likelihood is None else likelihood
    )


def differences(X, pairs, y, likelihood):
    """Responses to pairs: y_k = an answer to f(x_b) − f(x_a) for pairs[k] = (a, b). Positive means: b is preferred.

    Parameters
    ----------
    X : (n, D) inputs, or (n,) if D = 1
    pairs : (m, 2) ints in 0 … n−1, a ≠ b
    y : (m,) answers; rows with NaN are left out
    likelihood : Likelihood

    Returns
    -------
    Block

    Raises
    ------
    ValueError
        If the lengths differ, an index is out of range, a pair compares an item with itself, or the likelihood
        refuses an answer.

    Source: thesis 002, section 2.3. Lecture: 06, section 2.
    """
    X = validation.sequence(X, "X")
    pairs = validation.pairs(pairs, len(X))
    table = _table(y, len(pairs), "pairs")
    if table.shape[1] != 1:
        raise ValueError(f"y has shape {np.shape(y)}; one answer for each of the {len(pairs)} pairs is needed.")
    given = ~np.isnan(table[:, 0])
    return _block(X, pairs[given, 1], pairs[given, 0], table[given, 0], likelihood)


def _table(y, rows, of="X"):
    """Answers as an (n, R) table; NaN is a missing answer, infinity an error."""
    table = validation.answers(y, "y")
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or len(table) != rows:
        raise ValueError(
            f"y has shape {np.shape(y)} and {of} has {rows} rows; each row needs its answers: "
            f"({rows},) or ({rows}, R)."
        )
    if np.isnan(table).all():
        raise ValueError(f"y (shape {np.shape(y)}) holds no answer at all: every element is missing.")
    return table


def _block(X, plus, minus, y, likelihood):
    validation.instance(likelihood, Likelihood, "likelihood", "a Likelihood such as Gaussian(0.3) or Probit()")
    checked = likelihood.check(y)
    if not isinstance(checked, np.ndarray) or checked.shape != y.shape:
        raise ValueError(
            f"likelihood {type(likelihood).__name__} returns {checked!r} from check(y); it must return the answers, "
            f"as float64 of shape {y.shape}."
        )
    return Block(X, Views(plus, minus, len(X)), checked, likelihood)


@dataclass(frozen=True, eq=False)
class Observations:
    """All blocks on one list of items: X (n, D) distinct inputs that were answered to, views (m), y (m,), likelihood.

    Lecture: 06, section 2.
    """

    X: np.ndarray
    views: Views
    y: np.ndarray
    likelihood: Likelihood

    def told_by(self, likelihood):
        """The likelihood of the rows, given that of one answer: the same, for a row is one. Lecture: 06, section 2."""
        return likelihood


def stack(blocks):
    """One list of items and one vector of answers from several blocks. Equal inputs are one item: f is a function.

    Parameters
    ----------
    blocks : Block, or a list of them

    Returns
    -------
    Observations

    Raises
    ------
    ValueError
        If there is no block, something else is among them, or their inputs differ in the number of columns.

    Source: 003, section 3: log likelihoods of blocks add. Lecture: 06, section 2.
    """
    blocks = [blocks] if isinstance(blocks, Block) else list(blocks) if np.iterable(blocks) else []
    if not blocks or not all(isinstance(block, Block) for block in blocks):
        raise ValueError("blocks must be a list of values(…) and differences(…), with at least one of them.")
    for k, block in enumerate(blocks):
        if block.X.shape[1] != blocks[0].X.shape[1]:
            raise ValueError(f"block {k} has {block.X.shape[1]} columns and block 0 has {blocks[0].X.shape[1]}.")
    X, plus, minus = _seen_items(blocks)
    views = Views(plus, minus, len(X))
    parts = [block.likelihood for block in blocks]
    likelihood = parts[0] if len(parts) == 1 else Mixed(parts, [len(block.y) for block in blocks])
    return Observations(X, views, np.concatenate([block.y for block in blocks]), likelihood)


def _seen_items(blocks):
    """(distinct inputs that some view refers to, plus, minus): the views of all blocks, counted along these inputs."""
    starts = np.cumsum([0] + [len(block.X) for block in blocks])
    plus = np.concatenate([block.views.plus + at for block, at in zip(blocks, starts[:-1], strict=True)])
    minus = np.concatenate(
        [np.where(b.views.minus == NONE, NONE, b.views.minus + at) for b, at in zip(blocks, starts[:-1], strict=True)]
    )
    seen = np.union1d(plus, minus[minus != NONE])
    X, item = distinct_rows(np.concatenate([block.X for block in blocks])[seen])
    place = np.full(starts[-1] + 1, NONE)  # its last element answers for NONE
    place[seen] = item
    return X, place[plus], place[minus]


def distinct_rows(X):
    """(distinct rows of X in the order of their first appearance, (n,) index of each row among them).

    Lecture: 06, section 2.
    """
    _, first, inverse = np.unique(X, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return X[first[order]], rank[inverse.ravel()]


class Mixed(Likelihood):
    """The likelihoods of several blocks, side by side: each sees the answers of its own block.

    Source: 003, eq. 1. Lecture: 06, section 2.
    """

    def __init__(self, parts, lengths):
        self.children = tuple(parts)
        self.ends = tuple(np.cumsum(lengths)[:-1].tolist())

    @property
    def log_concave(self):
        """Whether all parts are. Lecture: 06, section 8."""
        return all(part.log_concave for part in self.children)

    def _cut(self, argument):
        """An argument for each part: an array is cut, a tuple of arrays too; None stays None."""
        if argument is None:
            return [None] * len(self.children)
        if isinstance(argument, tuple):
            return list(zip(*map(self._cut, argument), strict=True))
        return np.split(argument, self.ends)

    def _each(self, method, *arguments):
        pieces = zip(*map(self._cut, arguments), strict=True)
        return [getattr(p, method)(*piece) for p, piece in zip(self.children, pieces, strict=True)]

    def _joined(self, method, *arrays):
        results = self._each(method, *arrays)
        return tuple(np.concatenate(column) for column in zip(*results, strict=True))

    def _blockwise(self, results):
        """(P, m) from the parts' (P_b, m_b): the parameters of one block do not touch the others' answers."""
        total, answers = sum(len(r) for r in results), sum(r.shape[1] for r in results)
        joined, at, begin = np.zeros((total, answers)), 0, 0
        for r in results:
            joined[at : at + len(r), begin : begin + r.shape[1]] = r
            at, begin = at + len(r), begin + r.shape[1]
        return joined

    def site(self, y):
        """(τ, ν) of the parts, if all are Gaussian. Lecture: 06, section 2."""
        return self._joined("site", y)

    def log_density(self, y, g):
        """(m,) log p(y_k | g_k). Lecture: 06, section 2."""
        return np.concatenate(self._each("log_density", y, g))

    def derivatives(self, y, g):
        """As Likelihood.derivatives. Lecture: 06, section 2."""
        return self._joined("derivatives", y, g)

    def parameter_derivatives(self, y, g):
        """As Likelihood.parameter_derivatives, for the parameters of all blocks. Lecture: 06, section 3."""
        return tuple(map(self._blockwise, zip(*self._each("parameter_derivatives", y, g), strict=True)))

    def expectations(self, y, mean, variance):
        """As Likelihood.expectations. Lecture: 06, section 5."""
        return self._joined("expectations", y, mean, variance)

    def expected_parameter_gradient(self, y, mean, variance):
        """As Likelihood.expected_parameter_gradient. Lecture: 06, section 5."""
        return self._blockwise(self._each("expected_parameter_gradient", y, mean, variance))

    def tilted(self, y, mean, variance, start=None):
        """As Likelihood.tilted. Lecture: 06, section 4."""
        return self._joined("tilted", y, mean, variance, start)

    def tilted_parameter_gradient(self, y, mean, variance, start=None):
        """As Likelihood.tilted_parameter_gradient. Lecture: 06, section 4."""
        return self._blockwise(self._each("tilted_parameter_gradient", y, mean, variance, start))
