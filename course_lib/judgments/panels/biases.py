"""Raters who mark high or low: their biases are unknown numbers with a Gaussian prior, and are averaged over.

An answer is a value minus a strictness, y = z_n − u_r + noise: a difference of two latent numbers, as a comparison is.
So raters are rows of X beside the items, and the engine that compares items averages over both. A row's last element
says what it is: 0 for an item, r + 1 for rater r.

Lecture: 09, section 7.
"""

import numpy as np

from course_lib import validation
from course_lib.gp import Kernel, Views
from course_lib.gp.parameters import positive_parameter

ITEM = 0.0  # in the last column: this row is an item


class PanelKernel(Kernel):
    """Items covary by a kernel, and by a level that all of them share; a rater's bias is like no other's.

    Parameters
    ----------
    kernel : Kernel of the items' values, over all columns but the last
    bias_std : > 0, the spread of the raters' biases
    level_std : > 0, how far from 0 the level of all items may be; it is not learned

    Raises
    ------
    ValueError
        If a spread is not above 0, or kernel is none; where used, if the last column does not hold whole numbers ≥ 0.

    Source: Searle, Casella & McCulloch (1992), chapter 3, for effects that are drawn and one that is not.
    Lecture: 09, section 7.
    """

    parameter_names = ("bias_std",)

    def __init__(self, kernel, bias_std, level_std):
        self.children = (validation.instance(kernel, Kernel, "kernel", "a Kernel such as SquaredExponential()"),)
        self.bias_std = positive_parameter(bias_std, "bias_std")
        self.level_std = validation.positive(level_std, "level_std")

    def cross(self, X, X2):
        """(n, m) covariances: of items, of a rater with the same one, and 0 between items and raters."""
        (items, places), (items2, places2) = _items(X), _items(X2)
        K = self.bias_std**2 * _same_rater(X, X2)
        K[np.ix_(places, places2)] = self.children[0].cross(items, items2) + self.level_std**2
        return K

    def diagonal(self, X):
        """(n,) variances."""
        items, places = _items(X)
        variance = np.full(len(X), self.bias_std**2)
        variance[places] = self.children[0].diagonal(items) + self.level_std**2
        return variance

    def cross_gradient(self, X, X2, weights):
        """(P,) that of the biases' spread, then those of the items' kernel."""
        (items, places), (items2, places2) = _items(X), _items(X2)
        mine = self._collected({"bias_std": 2.0 * self.bias_std**2 * np.sum(weights[_same_rater(X, X2)])})
        return np.append(mine, self.children[0].cross_gradient(items, items2, weights[np.ix_(places, places2)]))

    def diagonal_gradient(self, X, weights):
        """(P,) that of the biases' spread, then those of the items' kernel."""
        items, places = _items(X)
        mine = self._collected({"bias_std": 2.0 * self.bias_std**2 * np.sum(np.delete(weights, places))})
        return np.append(mine, self.children[0].diagonal_gradient(items, weights[places]))

    def input_gradient(self, X, X2, weights):
        """(n, D) that of the items' kernel; 0 for raters, and for the column that says who."""
        (items, places), (items2, places2) = _items(X), _items(X2)
        gradient = np.zeros(X.shape)
        gradient[places, :-1] = self.children[0].input_gradient(items, items2, weights[np.ix_(places, places2)])
        return gradient

    def seen_columns(self, columns):
        """All but the last, which says what a row is."""
        return columns[:-1]

    def amplitudes(self):
        """The spread of the biases."""
        return ("bias_std",)

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
    places = np.flatnonzero(X[:, -1] == ITEM)
    return X[places, :-1], places


def _same_rater(X, X2):
    """(n, m) whether both rows are the same rater."""
    return (X[:, -1:] != ITEM) & (X[:, -1:] == X2[:, -1])


def item_rows(X):
    """(n, D + 1) rows of items X (n, D). Lecture: 09, section 7."""
    return np.column_stack([X, np.full(len(X), ITEM)])


def rater_rows(raters, n_columns):
    """(R, D + 1) rows of raters, numbered from 0, beside items of D columns. Lecture: 09, section 7."""
    raters = np.asarray(raters)
    return np.column_stack([np.zeros((len(raters), n_columns)), raters + 1.0])


def answers_of(item, rater, n_items):
    """Views y = z_item − u_rater of n items and, after them, the raters. Lecture: 09, section 7."""
    return Views(item, n_items + rater, n_items + int(rater.max()) + 1)
