"""What a Gaussian process must beat: one number for each item (Bradley–Terry), and a straight line (logistic).

Both count a tie as half an answer for each side.

Lecture: 10, section 8.
"""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog
from scipy.sparse.csgraph import connected_components
from scipy.special import expit
from sklearn.base import BaseEstimator

from course_lib import selection, validation
from course_lib.gp import Gaussian, differences


class BradleyTerry(BaseEstimator):
    """P(b preferred) = 1/(1 + exp(s_a − s_b)): one strength for each item, by the package choix.

    alpha : ≥ 0, regularisation, as choix has it: near equal strengths like 2α more wins for each side of every pair

    strength_ : (n,) s, with mean 0, in logits

    Source: Bradley & Terry (1952); Maystre & Grossglauser (2015).
    """

    def __init__(self, alpha: float = 0.0):
        self.alpha = alpha

    def fit(self, pairs: ArrayLike, y: ArrayLike, n_items: int | None = None) -> Self:
        """Learn from pairs (m, 2) of items and answers y (m,) −1, 0 (a tie) or +1; n_items: as many as the pairs name.

        Raises ValueError where, without alpha, some strengths are infinite: of items that never won or never lost
        against the others.
        """
        import choix

        alpha = validation.not_negative(self.alpha, "alpha")
        count = None if n_items is None else validation.integer(n_items, "n_items")
        count = selection.indices(pairs, "pairs", (None, 2), count).max() + 1 if count is None else count
        (a, b), y = _choices(np.zeros((count, 1)), pairs, y)
        wins = np.zeros((count, count))
        np.add.at(wins, (b, a), 0.5 * (1 + y))
        np.add.at(wins, (a, b), 0.5 * (1 - y))
        groups = connected_components(wins > 0, directed=True, connection="strong")[0]
        if alpha == 0 and groups > 1:
            raise ValueError(
                f"alpha is 0, but the items fall into {groups} groups that never lost, or never won, against the "
                "others: their strengths would be infinite. Set alpha, say to 0.1."
            )
        strength = choix.ilsr_pairwise_dense(wins, alpha=alpha)
        self.strength_ = strength - strength.mean()
        return self

    def predict_preference(self, pairs: ArrayLike) -> NDArray:
        """(m,) probability that b is preferred, for pairs (a, b) of items."""
        validation.fitted(self, "strength_")
        a, b = selection.indices(pairs, "pairs", (None, 2), len(self.strength_), "items").T
        return expit(self.strength_[b] - self.strength_[a])


class DifferenceLogit(BaseEstimator):
    """P(b preferred) = 1/(1 + exp(−wᵀ(x_b − x_a))): scikit-learn's logistic regression on differences, no intercept.

    C : inverse of the penalty on the coefficients of differences scaled to a root mean square of 1; inf: none

    coefficients_ : (D,) w, in logits per unit of each input

    Source: McFadden (1974), conditional logit.
    """

    def __init__(self, C: float = np.inf):
        self.C = C

    def fit(self, X: ArrayLike, pairs: ArrayLike, y: ArrayLike) -> Self:
        """Learn from items X (n, D), pairs (m, 2) of them, and answers y (m,) −1, 0 (a tie) or +1.

        Raises ValueError where C is inf and some direction contradicts no answer: then the likelihood has no maximum.
        """
        from sklearn.linear_model import LogisticRegression  # heavy, so it is loaded where it is used

        if not (isinstance(self.C, float) and np.isposinf(self.C)):
            validation.positive(self.C, "C")
        X = validation.sequence(X, "X")
        (a, b), y = _choices(X, pairs, y)
        difference = X[b] - X[a]
        if np.isinf(self.C) and _separates(difference, y):
            raise ValueError(
                "C is inf, but there is a direction in which no answer is wrong: the coefficients would be infinite. "
                "Set C, say to 100."
            )
        size = np.sqrt((difference**2).mean(axis=0))
        size[size == 0] = 1.0
        model = LogisticRegression(C=self.C, fit_intercept=False, max_iter=1000, tol=1e-8)
        for_b, for_a = 0.5 * (1 + y), 0.5 * (1 - y)
        model.fit(
            np.tile(difference / size, (2, 1)),
            np.repeat([1, 0], len(y)),
            sample_weight=np.concatenate([for_b, for_a]),
        )
        self.coefficients_ = model.coef_[0] / size
        return self

    def predict_preference(self, X: ArrayLike, pairs: ArrayLike) -> NDArray:
        """(m,) probability that b is preferred, for pairs (a, b) of rows of X (n, D)."""
        validation.fitted(self, "coefficients_")
        X = validation.sequence(X, "X")
        if X.shape[1] != len(self.coefficients_):
            raise ValueError(f"X has {X.shape[1]} columns, but X of the fit had {len(self.coefficients_)}.")
        a, b = selection.indices(pairs, "pairs", (None, 2), len(X), "rows of X").T
        return expit((X[b] - X[a]) @ self.coefficients_)


def _choices(X, pairs, y):
    """(a, b) and y, checked."""
    block = differences(X, pairs, y, Gaussian())
    wrong = np.flatnonzero(~np.isin(block.y, (-1, 0, 1)))
    if len(wrong):
        raise ValueError(f"y[{wrong[0]}] is {block.y[wrong[0]]}; a choice must be -1, 0 (a tie) or +1.")
    return (block.views.minus, block.views.plus), block.y


def _separates(difference, y):
    """Whether coefficients can grow in some direction that no answer contradicts and some answer asks for."""
    told, even = y[y != 0, None] * difference[y != 0], difference[y == 0]
    best = linprog(-told.sum(axis=0), -told, np.zeros(len(told)), even, np.zeros(len(even)), bounds=(-1.0, 1.0))
    return -best.fun > 1e-9 * np.abs(difference).max()
