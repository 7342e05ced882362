"""The prior of f at the items that were answered to, and the kernel that it comes from.

Lecture: 05, sections 4 and 8; 06, sections 2 and 6; 10, section 4.
"""

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from course_lib import validation
from course_lib.gp.kernel_algebra import Kernel
from course_lib.gp.observations import ObservationMatrix
from course_lib.gp.sites import ItemPosterior, ResponsePosterior, half_solve, jittered_cholesky, symmetric_root

VARIANCE_ROUNDING = 1e-16  # of the mean variance: a view that varies less is known; it may come out negative


class Prior:
    """f ~ N(0, K) and the views of it that are answered to.

    K : (n, n) covariance of the items;  views : ObservationMatrix with m rows
    space : "auto", "response" or "item": where posteriors are computed; "auto" takes the smaller; sites that are not
        all positive are in item space anyway

    `residual` is the part of a view's variance that the items do not determine: 0 here, more for inducing inputs.
    `with_own_values` is another prior there, of which variational inference makes use.
    Raises LinAlgError, which is a ValueError, where K holds NaN or infinity.
    """

    residual = 0.0

    def __init__(self, K: ArrayLike, views: ObservationMatrix, space: str = "auto"):
        validation.has_methods(
            views, ("__matmul__", "precision"), "views", "an ObservationMatrix, such as that of a block,"
        )
        self.K, self.views = covariance_of(K, views.n_items), views
        self.space = validation.one_of(space, ("auto", "response", "item"), "space")

    @cached_property
    def _root(self):
        return jittered_cholesky(self.K)

    @property
    def jitter(self):
        """What had to be added to the diagonal of K, if item space was needed."""
        return self._root[1] if "_root" in self.__dict__ else 0.0

    @cached_property
    def least_variance(self):
        """What a view's posterior variance is raised to where rounding leaves nothing: EP divides by it."""
        return VARIANCE_ROUNDING * float(self.K.diagonal().mean())

    @cached_property
    def view_covariance(self):
        """(r, r) C = A K Aᵀ for the r distinct views."""
        views, _, _ = self.views.distinct
        return self.K if views.are_items else views @ ((views @ self.K).T)

    @cached_property
    def explained(self):
        """(m,) prior variances of the views, as far as they are views of the items."""
        return self.views.variances(self.K)

    def point(self, alpha=None):
        """(α, f = K α, g = A f): one point of the space of functions; 0 without an α."""
        alpha = np.zeros(self.views.n_items) if alpha is None else alpha
        mean = self.K @ alpha
        return alpha, mean, self.views @ mean

    def drawn(self, size, rng):
        """(n, size) draws of f at the items."""
        return self._root[0] @ rng.normal(size=(self.views.n_items, size))

    def with_own_values(self):
        """This prior: the items are all that varies."""
        return self

    def posterior(self, tau, nu):
        """The posterior for sites τ, ν (m,) in either space; LinAlgError where negative τ outweigh the prior."""
        is_small = self.space != "auto" or len(self.views.distinct[0]) <= self.views.n_items
        if is_small and self.space != "item" and (tau > 0).all():
            try:
                return ResponsePosterior(self, tau, nu)
            except np.linalg.LinAlgError:  # rounding: for all τ > 0 there is a posterior
                pass
        return ItemPosterior(self, tau, nu)


def covariance_of(K, n):
    """K as a float64 matrix of n items.

    Raises LinAlgError, which is a ValueError, where numbers have no end, as may happen during a search.
    """
    K = K if type(K) is np.ndarray and K.dtype == np.float64 else validation.square(K, "K")
    if K.shape != (n, n):
        raise ValueError(f"K has shape {K.shape}, but the views are of {n} items; {(n, n)} is needed.")
    if not np.abs(K).max() <= validation.LARGEST_NUMBER:
        raise np.linalg.LinAlgError(f"K holds NaN, infinity or a number above {validation.LARGEST_NUMBER:g}")
    return K


class KernelPrior(Prior):
    """f ~ N(0, kernel(X)) at the items X, and the views of it that are answered to.

    kernel : Kernel;  X : (n, D) items;  views : ObservationMatrix;  space : as for Prior
    """

    def __init__(self, kernel: Kernel, X: ArrayLike, views: ObservationMatrix, space: str = "auto"):
        validation.has_methods(
            kernel, ("cross", "diagonal", "inputs"), "kernel", "a Kernel such as SquaredExponential()"
        )
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
        if not (np.abs(weights) <= validation.LARGEST_NUMBER).all():
            raise np.linalg.LinAlgError(f"a weight of the kernel is above {validation.LARGEST_NUMBER:g}")
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
