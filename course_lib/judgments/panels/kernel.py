"""Items and raters as rows of one table, and how they covary.

A row's last element says what it is: 0 for an item, r + 1 for rater r. Where raters have opinions of items, which
their repeats share, a rater has a row for each item, whose first element says at which: 0 in general, n + 1 at item n.

Lecture: 09, section 7.
"""

import numpy as np

from course_lib.gp.kernel_algebra import Levelled
from course_lib.gp.parameters import positive_parameter

ITEM_ROW = 0.0  # in the last column: this row is an item
IN_GENERAL = 0.0  # in the first column of a rater: at no item


class PanelKernel(Levelled):
    """Items covary by a kernel, and by a level that all of them share; a rater's bias is like no other's.

    Where raters have opinions, so is what one thinks of an item besides that bias.

    kernel : Kernel of the items' values, over all columns but the last
    bias_std : > 0, the spread of the raters' biases
    level_std : > 0, as for `Levelled`
    opinion_std : None, or > 0, the spread of the opinions

    Source: Searle, Casella & McCulloch (1992), chapter 3, for effects that are drawn and one that is not; chapter 4,
    for the interaction of two that are.
    """

    parameter_names = ("bias_std",)

    def __init__(self, kernel, bias_std, level_std, opinion_std=None):
        super().__init__(kernel, level_std)
        self.bias_std = positive_parameter(bias_std, "bias_std")
        if opinion_std is not None:
            self.parameter_names = ("bias_std", "opinion_std")
            self.opinion_std = positive_parameter(opinion_std, "opinion_std")

    def _parts(self):
        """[(spread of what raters have of their own, whose rows share it)]."""
        same = {"bias_std": _same_rater, "opinion_std": _same_opinion}
        return [(getattr(self, name), same[name]) for name in self.parameter_names]

    def cross(self, X, X2):
        (items, places), (items2, places2) = _items(X), _items(X2)
        K = sum(spread**2 * same(X, X2) for spread, same in self._parts())
        K[np.ix_(places, places2)] = super().cross(items, items2)
        return K

    def diagonal(self, X):
        items, places = _items(X)
        variance = sum(spread**2 * same(X) for spread, same in self._parts())
        variance[places] = super().diagonal(items)
        return variance

    def cross_gradient(self, X, X2, weights):
        (items, places), (items2, places2) = _items(X), _items(X2)
        mine = self._collected(self._slopes(lambda same: np.sum(weights[same(X, X2)])))
        return np.append(mine, super().cross_gradient(items, items2, weights[np.ix_(places, places2)]))

    def diagonal_gradient(self, X, weights):
        items, places = _items(X)
        mine = self._collected(self._slopes(lambda same: np.sum(weights[same(X)])))
        return np.append(mine, super().diagonal_gradient(items, weights[places]))

    def _slopes(self, total):
        """{name: derivative in its logarithm}; total(same) is the sum of weights where two rows are the same."""
        slopes = [2.0 * spread**2 * total(same) for spread, same in self._parts()]
        return dict(zip(self.parameter_names, slopes, strict=True))

    def input_gradient(self, X, X2, weights):
        (items, places), (items2, places2) = _items(X), _items(X2)
        gradient = np.zeros(X.shape)
        gradient[places, :-1] = super().input_gradient(items, items2, weights[np.ix_(places, places2)])
        return gradient

    def diagonal_input_gradient(self, X, weights):
        (items, places), gradient = _items(X), np.zeros(X.shape)
        gradient[places, :-1] = super().diagonal_input_gradient(items, weights[places])
        return gradient

    def _seen_columns(self, columns):
        return columns[:-1]

    def amplitudes(self):
        return self.parameter_names

    def _check(self, X, name):
        who = X[:, -1]
        if X.shape[1] < 2 or ((who < 0) | (who != np.round(who))).any():
            raise ValueError(
                f"{name} has {X.shape[1]} columns, the last from {who.min():g} to {who.max():g}; the columns of the "
                "items are needed, and after them 0 for an item, r + 1 for rater r."
            )
        self.children[0]._check(X[:, :-1], f"{name}[:, :-1]")


def _items(X):
    """(the rows that are items, without the column that says so; their places)."""
    places = np.flatnonzero(X[:, -1] == ITEM_ROW)
    return X[places, :-1], places


def _same_rater(X, X2=None):
    """(n, m) whether both rows are the same rater; without X2 (n,) whether a row is one."""
    if X2 is None:
        return X[:, -1] != ITEM_ROW
    return (X[:, -1:] != ITEM_ROW) & (X[:, -1:] == X2[:, -1])


def _same_opinion(X, X2=None):
    """(n, m) whether both rows are the same rater at the same item; without X2 (n,) whether a row is such."""
    if X2 is None:
        return _same_rater(X) & (X[:, 0] != IN_GENERAL)
    return _same_rater(X, X2) & (X[:, :1] != IN_GENERAL) & (X[:, :1] == X2[:, 0])


def item_rows(X):
    """(n, D + 1) rows of items X (n, D)."""
    return np.column_stack([X, np.full(len(X), ITEM_ROW)])


def rater_rows(raters, n_columns, at=None):
    """(R, D + 1) rows of raters, numbered from 0, beside items of D columns; in general, or at (R,) items."""
    raters = np.asarray(raters)
    rows = np.column_stack([np.zeros((len(raters), n_columns)), raters + 1.0])
    if at is not None:
        rows[:, 0] = np.asarray(at) + 1.0
    return rows
