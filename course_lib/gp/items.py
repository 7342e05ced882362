"""Which items a model is asked of: those of its fit, by their place in it, and new ones, by their inputs.

Lecture: 05, section 11; 08, section 7.
"""

import numpy as np

from course_lib import selection, validation

NEW_ITEM = -1  # in place of an index: an item that is not of the fit


class Items:
    """Items of a fit, and new ones, of which a model can be asked in place of rows of inputs.

    `model.items_` are all items of a fit, `model.items_[[0, 3]]` are two of them, in the order of the rows X of `fit`
    (of several blocks: one after the other), and `model.items_.with_new(X)` has new ones behind. An array in place of
    them has a new item in each row. An item of the fit keeps what a White kernel (a nugget) gave to it alone.

    X : (q, D) inputs;  index : (q,) the row of the fit that each is, or −1 for a new item; None: all are new
    """

    __iter__ = None

    def __init__(self, X, index=None):
        self.X, self.index = X, np.full(len(X), NEW_ITEM) if index is None else index

    def __len__(self):
        return len(self.X)

    def __repr__(self):
        return f"<{len(self)} items, {np.count_nonzero(self.index == NEW_ITEM)} of them new>"

    def __getitem__(self, indices):
        """Some of them: by whole numbers (negative: from the end), a slice or a mask. A new one is new each time."""
        chosen = selection.positions(indices, len(self), "items")
        return Items(self.X[chosen], self.index[chosen])

    def with_new(self, X):
        """These items, and behind them a new one with each row of inputs X (q, D)."""
        X = _with_columns(validation.sequence(X, "X"), self.X, "X")
        return Items(np.vstack([self.X, X]), np.append(self.index, Items(X).index))

    def moved(self, X, places):
        """These items, with other inputs, in a fit where those of this one have other places."""
        return Items(X, np.where(self.index == NEW_ITEM, NEW_ITEM, places[self.index]))

    def numbers(self, of):
        """(q,) a number for each: that in `of`, by its row of the fit; negative ones, all different, if it is new."""
        return np.where(self.index == NEW_ITEM, -1 - np.arange(len(self)), of[self.index])


def asked_of(X_new, fit):
    """What came as X_new, as Items: of this fit, whose Items are given, or a new one for each row of inputs (q, D)."""
    if not isinstance(X_new, Items):
        return Items(_with_columns(validation.sequence(X_new, "X_new"), fit.X, "X_new"))
    known = X_new.index != NEW_ITEM
    row = X_new.index[known]
    if row.max(initial=0) >= len(fit) or not np.array_equal(X_new.X[known], fit.X[row]):
        raise ValueError("X_new holds items of another fit; ask a model of its own: model.items_.")
    _with_columns(X_new.X, fit.X, "X_new")
    return X_new


def _with_columns(X, of_fit, name):
    """X (q, D) itself, if it has as many columns as the inputs of a fit."""
    if X.shape[1] != of_fit.shape[1]:
        raise ValueError(f"{name} has {X.shape[1]} columns (shape {X.shape}), but X of the fit had {of_fit.shape[1]}.")
    return X


def distinct_rows(X):
    """(distinct rows of X in the order of their first appearance, (n,) index of each row among them)."""
    _, first, inverse = np.unique(X, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return X[first[order]], rank[inverse.ravel()]
