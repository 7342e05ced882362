"""Pseudo-inputs: M inducing values u = f(Z) stand for all items, so that n may be large.

Given u, the values f are Φ u with Φ = K_XZ K_ZZ⁻¹, and a part of their variance stays open: the residual. Variational
inference counts it inside the expectation; FITC counts it as noise. A White part of the kernel is no function of the
inputs, and no u can tell of it: it stays with its item, as a value of its own.
Lecture: 05, section 8.
"""

import copy
from functools import cached_property

import numpy as np
from scipy.linalg import solve_triangular
from scipy.stats import qmc

from course_lib import validation
from course_lib.gp.kernel_prior import NEW, own_covariance, own_variance
from course_lib.gp.observations import distinct_rows
from course_lib.gp.sites import ItemPosterior, Prior, jittered_cholesky

STEADY = 1e-10  # of the mean variance, always added to K_ZZ: where two inputs meet it keeps slopes free of rounding
PAIRS = 64  # pairs whose covariances are computed at a time


class LinearViews:
    """Views g = A @ u with a dense (m, M) A. Lecture: 05, section 8."""

    all_values = are_items = False

    def __init__(self, matrix):
        self.matrix, self.n_items = matrix, matrix.shape[1]

    def __len__(self):
        return len(self.matrix)

    def __matmul__(self, u):
        return self.matrix @ u

    @property
    def T(self):
        """(M, m) Aᵀ. Lecture: 05, section 8."""
        return self.matrix.T

    def precision(self, tau):
        """(M, M) Aᵀ T A."""
        return self.matrix.T @ (tau[:, None] * self.matrix)


class InducingPrior(Prior):
    """u = f(Z) ~ N(0, K_ZZ), and views of f as linear views of u with a residual variance.

    Parameters
    ----------
    kernel : Kernel;  X : (n, D) items;  views : Views of them;  Z : (M, D) inducing inputs

    Source: Nielsen (2015), eqs. 2.30–2.34; Snelson & Ghahramani (2006); Titsias (2009). Lecture: 05, section 8.
    """

    own = None  # (n,) variances of the items' own values, where they are counted among what varies

    def __init__(self, kernel, X, views, Z):
        validation.able(kernel, ("cross", "diagonal"), "kernel", "a Kernel such as SquaredExponential()")
        validation.able(views, ("__matmul__", "precision"), "views", "Views of the items, such as those of a block,")
        X, Z = validation.sequence(X, "X"), validation.sequence(Z, "Z")
        validation.same_features(Z, X, "Z", "X")
        if len(X) != views.n_items:
            raise ValueError(f"X has {len(X)} rows, but views are of {views.n_items} items; they must agree.")
        self.kernel, self.X, self.item_views, self.Z = kernel, X, views, Z
        K_ZZ = kernel.cross(Z, Z)
        root = jittered_cholesky(K_ZZ + STEADY * K_ZZ.diagonal().mean() * np.eye(len(Z)))
        self.K_XZ = kernel.cross(X, Z)
        whitened = solve_triangular(root[0], self.K_XZ.T, lower=True, check_finite=False)
        self.Phi = solve_triangular(root[0], whitened, lower=True, trans="T", check_finite=False).T
        super().__init__(root[0] @ root[0].T, LinearViews(views @ self.Phi), space="item")
        self._root = root
        self.explained = ((views @ whitened.T) ** 2).sum(axis=1)
        self.residual = self._left_open(kernel)

    def _left_open(self, kernel):
        """(m,) what u does not tell of the views' variances under this kernel."""
        return np.maximum(view_variance(kernel, self.X, self.item_views) - self.explained, 0.0)

    def with_own_values(self):
        """This prior with the White part of each item's value among what varies, and no longer in the residual.

        The posterior of u and all own values is one Gaussian, and for values it costs no more than that of u: an
        item's own value is seen by its own answers only.

        Raises
        ------
        ValueError
            If there is a White part and answers to differences: these tie the own values of all items together.

        Lecture: 05, section 8.
        """
        shared = self.kernel.shared()
        own = own_variance(self.kernel, self.X)
        if not own.any():
            return self
        if not self.item_views.all_values:
            raise ValueError(
                'the kernel has a White part; with inducing inputs, inference "variational" takes it for answers '
                "to values, but differences tie the own values of all items together. Leave out White, or the "
                "inducing inputs."
            )
        extended = copy.copy(self)
        extended.own, extended.residual = own, self._left_open(shared)
        return extended

    def posterior(self, tau, nu):
        """As Prior.posterior; with own values also of these."""
        return super().posterior(tau, nu) if self.own is None else OwnValuesPosterior(self, tau, nu)

    def predict(self, posterior, X_new, item):
        """Mean and variance, (q,) each, of f at X_new (q, D), of which row j is item[j] of X, or a new item.

        Own values are known of items only if they are among what varies: see `with_own_values`.

        Lecture: 05, section 8.
        """
        K_cross = self.kernel.cross(self.Z, X_new)
        if posterior.prior.own is None:
            return posterior.predict(K_cross, self.kernel.diagonal(X_new))
        mean, explained, told = posterior.moments(K_cross)
        c, own_mean, left = posterior.own_values(item, own_variance(self.kernel, X_new))
        open_ = np.maximum(self.kernel.shared().diagonal(X_new) - explained, 0.0)
        return c * mean + own_mean, open_ + c**2 * told + left

    def predict_covariance(self, posterior, X_new, item, same):
        """Mean (q,) and covariance (q, q) of f; rows j and k are one item where same[j] = same[k].

        Lecture: 05, section 8.
        """
        K_cross, shared = self.kernel.cross(self.Z, X_new), self.kernel.cross(X_new, X_new)
        if posterior.prior.own is None:
            K_new = shared + own_covariance(self.kernel, X_new, same)
            return K_cross.T @ posterior.alpha, posterior.predict_covariance(K_cross, K_new)
        V, H = posterior.seen(K_cross)
        c, own_mean, left = posterior.own_values(item, own_variance(self.kernel, X_new))
        own = np.where(same[:, None] == same, left, 0.0)
        return c * (K_cross.T @ posterior.alpha) + own_mean, shared - V.T @ V + (c * H).T @ (c * H) + own

    def gradient(self, found, learn_inducing=True):
        """∂ log evidence / ∂ θ of the kernel (P,) and, if wanted, / ∂ Z (M · D,), by the sites found.

        With q(u) held still, the evidence depends on the kernel through Φ, the residual variance, p(u) and, if items
        have values of their own, their variances.

        Lecture: 05, section 8.
        """
        q, tau, A = found.posterior, found.tau, self.views.matrix
        to_A = np.outer(found.nu - tau * q.view_mean, q.alpha) - q.felt_tau[:, None] * (A @ q.kept)
        to_ZZ = 0.5 * (np.outer(q.alpha, q.alpha) - q.P)
        open_ = -0.5 * tau if found.open_weight is None else found.open_weight
        if found.implicit_gradient is not None:  # Laplace's mode moves, and its curvature with it
            z = found.implicit_gradient
            moved = found.determinant_gradient - tau * (self.views @ (self.K @ z))
            to_A = to_A + np.outer(moved, q.alpha) + np.outer(found.nu - tau * q.view_mean, z)
            to_ZZ = to_ZZ + np.outer(z, q.alpha)
        to_XZ = self.item_views.T @ (to_A - 2.0 * open_[:, None] * A)
        to_ZZ = to_ZZ + A.T @ (open_[:, None] * A - to_A)
        theta = (
            self.kernel.cross_gradient(self.X, self.Z, to_XZ)
            + self.kernel.cross_gradient(self.Z, self.Z, to_ZZ)
            + self._variance_gradient(q, open_)
        )
        if not learn_inducing:
            return theta, np.zeros(0)
        move = self.kernel.input_gradient(self.Z, self.X, to_XZ.T)
        return theta, (move + self.kernel.input_gradient(self.Z, self.Z, to_ZZ + to_ZZ.T)).ravel()

    def _variance_gradient(self, q, open_):
        """(P,) what the kernel does through the variances of the views: open ones, and those of own values."""
        if q.prior.own is None:
            return view_variance_gradient(self.kernel, self.X, self.item_views, open_)
        shared = self.kernel.shared()
        alone = self.kernel.diagonal_gradient(self.X, q.own_weight) - shared.diagonal_gradient(self.X, q.own_weight)
        return view_variance_gradient(shared, self.X, self.item_views, open_) + alone


class OwnValuesPosterior(ItemPosterior):
    """The posterior of u and of the items' own values w ~ N(0, ω), where the answers are to Φ u + w.

    An item's own value is integrated out first. To u its answers, t = Σ τ and s = Σ ν, are then a site t c and s c
    with c = 1/(1 + ω t): its own value is more noise, but the same noise for all its answers.

    Raises
    ------
    LinAlgError
        If no posterior exists: an item's negative τ outweigh the prior.

    Lecture: 05, section 8.
    """

    def __init__(self, prior, tau, nu):
        self.item = prior.item_views.plus
        self.t, self.s = (np.bincount(self.item, site, len(prior.own)) for site in (tau, nu))
        if (1.0 + prior.own * self.t <= 0.0).any():
            raise np.linalg.LinAlgError("an item's sites outweigh the prior of its own value")
        self.c = 1.0 / (1.0 + prior.own * self.t)
        super().__init__(prior, tau * self.c[self.item], nu)
        self.tau = tau

    def _weights_of(self, nu):
        return super()._weights_of(nu * self.c[self.item])

    def _by_item(self, answers):
        """(n,) of (m,) numbers that are equal for all answers to an item; 0 where there is none."""
        each = np.zeros(len(self.c))
        each[self.item] = answers
        return each

    @cached_property
    def _smooth_mean(self):
        return self._by_item(self.prior.views @ self.mean)

    @cached_property
    def _alpha_own(self):
        """(n,) w/ω at the mean: what is left of the answers' pull."""
        return self.c * (self.s - self.t * self._smooth_mean)

    @cached_property
    def view_mean(self):
        """(m,) posterior means of the views, own values included."""
        return (self._smooth_mean + self.prior.own * self._alpha_own)[self.item]

    def own_values(self, item, fresh):
        """What rows have of their own: (share of u that they keep, mean, variance), (q,) each.

        item : (q,) the item that a row is, or NEW;  fresh : (q,) prior variances of own values

        Lecture: 05, section 8.
        """
        seen, known = item != NEW, np.where(item == NEW, 0, item)
        kept = np.where(seen, self.c[known], 1.0)
        return kept, np.where(seen, self.prior.own[known] * kept * self.s[known], 0.0), fresh * kept

    @property
    def marginals(self):
        """As ItemPosterior.marginals, own values included."""
        c, own = self.c[self.item], self.prior.own[self.item]
        return self.view_mean, c**2 * self.told + own * c + self.prior.residual

    @property
    def log_determinant(self):
        """log|I + K AᵀTA| of u and own values together."""
        return super().log_determinant - float(np.log(self.c).sum())

    @property
    def quadratic(self):
        """meanᵀ K⁻¹ mean of u and own values together."""
        return super().quadratic + float(self.prior.own @ self._alpha_own**2)

    @cached_property
    def own_weight(self):
        """(n,) ½ (α² − P) of the own values: ∂ log evidence / ∂ ω."""
        told = self.t * self.c
        return 0.5 * (self._alpha_own**2 - told * (1.0 - told * self._by_item(self.told)))


def view_variance(kernel, X, views):
    """(m,) prior variances of the views: of a value k(x, x), of a difference k(b, b) + k(a, a) − 2 k(a, b).

    Lecture: 05, section 8.
    """
    own = kernel.diagonal(X)
    variance = own[views.plus]
    differ = np.flatnonzero(views.minus >= 0)
    for rows in _portions(differ):
        a, b = views.minus[rows], views.plus[rows]
        variance[rows] += own[a] - 2.0 * kernel.cross(X[b], X[a]).diagonal()
    return variance


def view_variance_gradient(kernel, X, views, weights):
    """(P,) Σ_k w_k ∂ (prior variance of view k) / ∂ θ. Lecture: 05, section 8."""
    differ = np.flatnonzero(views.minus >= 0)
    received = np.bincount(views.plus, weights, len(X))
    received += np.bincount(views.minus[differ], weights[differ], len(X))
    gradient = kernel.diagonal_gradient(X, received)
    for rows in _portions(differ):
        a, b = views.minus[rows], views.plus[rows]
        gradient = gradient + kernel.cross_gradient(X[b], X[a], np.diag(-2.0 * weights[rows]))
    return gradient


def _portions(rows):
    return [rows[begin : begin + PAIRS] for begin in range(0, len(rows), PAIRS)]


def inducing_inputs(inducing, X, rng):
    """(M, D) inducing inputs: those given, or the centres of M clusters of the items.

    Parameters
    ----------
    inducing : (M, D) array, or M
    X : (n, D) items
    rng : numpy Generator or seed

    Raises
    ------
    ValueError
        If X holds no finite numbers, M is not a whole number in 1 … n, or given places have other numbers of columns.

    Lecture: 05, section 8.
    """
    from sklearn.cluster import MiniBatchKMeans  # heavy, so it is loaded where it is used

    X = validation.sequence(X, "X")
    if not np.isscalar(inducing) and validation.array(inducing, "inducing").ndim > 0:
        Z = validation.sequence(inducing, "inducing")
        validation.same_features(Z, X, "inducing", "X")
        return Z
    if validation.whole(inducing, "inducing") > len(X):
        raise ValueError(f"inducing is {inducing}, more than the {len(X)} distinct inputs in X.")
    seed = int(validation.generator(rng).integers(2**31))
    scale = np.where(np.ptp(X, axis=0) > 0, np.ptp(X, axis=0), 1.0)
    clusters = MiniBatchKMeans(inducing, random_state=seed, n_init=1, batch_size=2048).fit(X / scale)
    return clusters.cluster_centers_ * scale


def sobol_inputs(count, low, high, also=None):
    """(M, D) inducing inputs that fill a box evenly: the first Sobol points, and the places where f must be right.

    They are the same each time, and do not depend on the data.

    Parameters
    ----------
    count : how many Sobol points;  low, high : (D,) ends of the box
    also : (k, D) further places, such as those of constraints, or None; one that is there already is not added again

    Raises
    ------
    ValueError
        If count is no whole number above 0, a low end is not below its high one, or the columns do not fit.

    Source: Wu et al. (2025), appendices A and C. Lecture: 13, section 3.
    """
    low, high = (np.atleast_1d(validation.real_array(end, name)) for end, name in ((low, "low"), (high, "high")))
    if low.ndim != 1 or low.shape != high.shape or (low >= high).any():
        raise ValueError(f"low is {low.tolist()} and high {high.tolist()}; (D,) each, low below high, are needed.")
    count = validation.whole(count, "count")
    points = qmc.Sobol(len(low), scramble=False).random_base2(int(np.ceil(np.log2(count))))[:count]
    Z = low + (high - low) * points
    if also is None:
        return Z
    also = validation.sequence(also, "also")
    validation.same_features(also, Z, "also", "low")
    return distinct_rows(np.concatenate([Z, also]))[0]
