"""The prior of the items that were answered to, with the kernel that it comes from.

Lecture: 05, sections 4 and 8; 06, sections 2 and 6; 10, section 4.
"""

import numpy as np

from course_lib import validation
from course_lib.gp.sites import Prior, half_solve, symmetric_root


class KernelPrior(Prior):
    """f ~ N(0, kernel(X)) at the items X, and the views of it that are answered to.

    kernel : Kernel;  X : (n, D) items;  views : ObservationMatrix;  space : as for Prior
    """

    def __init__(self, kernel, X, views, space="auto"):
        validation.able(kernel, ("cross", "diagonal", "inputs"), "kernel", "a Kernel such as SquaredExponential()")
        X = kernel.inputs(X)
        if len(X) != getattr(views, "n_items", len(X)):
            raise ValueError(f"X has {len(X)} rows, but views are of {views.n_items} items; they must agree.")
        super().__init__(kernel(X), views, space)
        self.kernel, self.X = kernel, X

    def gradient(self, found, learn_inducing=False):
        """∂ log evidence / ∂ θ of the kernel (P,), by the sites found, and (0,): no inducing inputs to move.

        Raises LinAlgError where the sites pull harder than numbers reach: there is no posterior either.
        """
        weights = found.kernel_weights()
        if not (np.abs(weights) <= validation.LARGEST).all():
            raise np.linalg.LinAlgError(f"a weight of the kernel is above {validation.LARGEST:g}")
        return self.kernel.gradient(self.X, weights), np.zeros(0)

    def predict(self, posterior, X_new, item):
        """Mean and variance, (q,) each, of f at X_new (q, D), of which row j is item[j] of X, if X has so many."""
        return posterior.predict(self._cross(X_new, item), self.kernel.diagonal(X_new))

    def predict_covariance(self, posterior, X_new, item):
        """Mean (q,) and covariance (q, q) of f; rows j and k are one item where item[j] = item[k]."""
        K_cross = self._cross(X_new, item)
        K_new = self.kernel.cross(X_new, X_new) + own_covariance(self.kernel, X_new, item)
        return K_cross.T @ posterior.alpha, posterior.predict_covariance(K_cross, K_new)

    def draws_at(self, f, X_new, item, rng):
        """(q, k) draws of f at X_new, given draws f (n, k) at the items."""
        K_cross, root = self._cross(X_new, item), self._root[0]
        V = half_solve(root, K_cross)
        rest = self.kernel.cross(X_new, X_new) + own_covariance(self.kernel, X_new, item) - V.T @ V
        return V.T @ half_solve(root, f) + symmetric_root(rest) @ rng.normal(size=(len(X_new), f.shape[1]))

    def _cross(self, X_new, item):
        """(n, q) covariances of the items and the new rows: what an item has of its own, a row shares that is it."""
        K_cross, seen = self.kernel.cross(self.X, X_new), np.flatnonzero(among(self.X, item))
        K_cross[item[seen], seen] += own_variance(self.kernel, X_new[seen])
        return K_cross


def own_variance(kernel, X):
    """(n,) variance that an item shares with no other, whatever its inputs: that of White."""
    return kernel.diagonal(X) - kernel.shared().diagonal(X)


def own_covariance(kernel, X, item):
    """(q, q) covariance of what rows have of their own: theirs alone, but for rows that are one item."""
    return np.where(item[:, None] == item, own_variance(kernel, X), 0.0)


def among(X, item):
    """(q,) whether each number is that of a row of X, and not of an item that the fit has no answer to."""
    return (item >= 0) & (item < len(X))
