"""A kernel between things without features, such as people: their covariance itself is learned.

Lecture: 11, section 4.
"""

import numpy as np

from course_lib import validation
from course_lib.gp.kernel_algebra import Kernel
from course_lib.gp.parameters import positive_parameter
from course_lib.kinds import Rng


class Coregionalization(Kernel):
    """k(i, j) = (W Wᵀ + diag κ)_ij for whole numbers i, j: who is like whom, from a few tastes W and own ways κ.

    It takes one column, which says who: `SquaredExponential().on([0, 1]) * Coregionalization(40, rank=2).on([2])`.

    Parameters
    ----------
    n_levels : L ≥ 1; the column holds 0 … L−1
    rank : Q ≥ 0, the number of shared tastes; 0: nobody is like anybody else
    rng : numpy Generator or seed, of the loadings with which learning begins; all equal ones would stay equal
    variance : κ > 0 with which learning begins
    correlation : None, or ρ in 0 < ρ < 1: begin with that correlation between any two, and variances 1; with rank 1

    It has loadings W (L, Q), of any sign, and own_variances κ (L,).

    Source: Bonilla, Chai & Williams (2008), "Multi-task Gaussian process prediction".
    """

    parameter_names = ("loadings", "own_variances")
    signed_names = ("loadings",)

    def __init__(
        self,
        n_levels: int,
        rank: int = 1,
        rng: Rng = None,
        variance: float = 0.5,
        correlation: float | None = None,
    ):
        self.n_levels, self.rank = validation.integer(n_levels, "n_levels"), validation.integer(rank, "rank", least=0)
        spread = np.sqrt(0.5 / max(self.rank, 1))
        self.loadings = spread * (1.0 + 0.3 * validation.generator(rng).normal(size=(self.n_levels, self.rank)))
        self.own_variances = np.full(self.n_levels, positive_parameter(variance, "variance"))
        if correlation is not None:
            if self.rank != 1 or not 0 < validation.positive(correlation, "correlation") < 1:
                raise ValueError(
                    f"correlation is {correlation} and rank {rank}; above 0, below 1, and one taste are needed."
                )
            self.loadings[:], self.own_variances[:] = np.sqrt(correlation), 1.0 - correlation

    @property
    def covariance(self):
        """(L, L) W Wᵀ + diag κ."""
        return self.loadings @ self.loadings.T + np.diag(self.own_variances)

    def cross(self, X, X2):
        return self.covariance[np.ix_(_levels(X), _levels(X2))]

    def diagonal(self, X):
        return self.covariance.diagonal()[_levels(X)]

    def input_gradient(self, X, X2, weights):
        return np.zeros(X.shape)

    def amplitudes(self):
        """Both: together they are the whole covariance."""
        return self.parameter_names

    def _parameter_derivatives(self, X, X2, weights):
        pairs = np.zeros((self.n_levels, self.n_levels))
        np.add.at(pairs, (_levels(X)[:, None], _levels(X2)), weights)
        return {
            "loadings": (pairs + pairs.T) @ self.loadings,
            "own_variances": self.own_variances * pairs.diagonal(),
        }

    def _diagonal_parameter_gradients(self, X, weights):
        total = np.bincount(_levels(X), weights, minlength=self.n_levels)
        return {"loadings": 2.0 * total[:, None] * self.loadings, "own_variances": self.own_variances * total}

    def _check(self, X, name):
        levels = X[:, 0]
        wrong = (levels != np.round(levels)) | (levels < 0) | (levels >= self.n_levels)
        if X.shape[1] != 1 or wrong.any():
            raise ValueError(
                f"{name} has {X.shape[1]} columns, the first from {levels.min():g} to {levels.max():g}; one column of "
                f"whole numbers 0 … {self.n_levels - 1} is needed: choose it by .on([column])."
            )


def _levels(X):
    return X[:, 0].astype(int)
