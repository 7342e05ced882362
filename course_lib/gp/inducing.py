"""Pseudo-inputs: M inducing values u = f(Z) stand for all items, so that n may be large.

Given u, the values f are Φ u with Φ = K_XZ K_ZZ⁻¹, and a part of their variance stays open: the residual. Variational
inference counts it inside the expectation; FITC counts it as noise.
Lecture: 05, section 8.
"""

from functools import cached_property

import numpy as np
from scipy.linalg import solve_triangular
from sklearn.cluster import MiniBatchKMeans

from course_lib import validation
from course_lib.gp.approximation import Approximation
from course_lib.gp.likelihoods import Gaussian
from course_lib.gp.sites import Prior, jittered_cholesky

PAIRS = 64  # pairs whose covariances are computed at a time


class LinearViews:
    """Views g = A u with a dense (m, M) A. Lecture: 05, section 8."""

    all_values = are_items = False

    def __init__(self, matrix):
        self.matrix, self.n_items = matrix, matrix.shape[1]

    def __len__(self):
        return len(self.matrix)

    def of(self, u):
        """A u."""
        return self.matrix @ u

    def gather(self, v):
        """Aᵀ v."""
        return self.matrix.T @ v

    def precision(self, tau):
        """(M, M) Aᵀ T A."""
        return self.matrix.T @ (tau[:, None] * self.matrix)


class InducingPrior(Prior):
    """u = f(Z) ~ N(0, K_ZZ), and views of f as linear views of u with a residual variance.

    Parameters
    ----------
    kernel : Kernel;  X : (n, D) items;  views : Views of them;  Z : (M, D) inducing inputs

    Source: thesis 002, eqs. 2.30–2.34; Snelson & Ghahramani (2006); Titsias (2009). Lecture: 05, section 8.
    """

    def __init__(self, kernel, X, views, Z):
        self.kernel, self.X, self.item_views, self.Z = kernel, X, views, Z
        root = jittered_cholesky(kernel.cross(Z, Z))
        self.K_XZ = kernel.cross(X, Z)
        whitened = solve_triangular(root[0], self.K_XZ.T, lower=True, check_finite=False)
        self.Phi = solve_triangular(root[0], whitened, lower=True, trans="T", check_finite=False).T
        super().__init__(root[0] @ root[0].T, LinearViews(views.of(self.Phi)), space="item")
        self._root = root
        told = (views.of(whitened.T) ** 2).sum(axis=1)
        self.residual = np.maximum(view_variance(kernel, X, views) - told, 0.0)

    @cached_property
    def cross(self):
        """(m, M) covariances of the views and u."""
        return self.item_views.of(self.K_XZ)

    def gradient(self, found, places=True):
        """∂ log evidence / ∂ θ of the kernel (P,) and, if wanted, / ∂ Z (M, D), by the sites found.

        With q(u) held still, the evidence depends on the kernel through Φ, the residual variance and p(u).

        Lecture: 05, section 8.
        """
        q, tau, A = found.posterior, found.tau, self.views.matrix
        pull = np.outer(found.nu - tau * q.view_mean, q.alpha) + tau[:, None] * (self.cross @ q.P - A)
        open_ = -0.5 * tau if found.open_weight is None else found.open_weight
        skew = np.zeros_like(q.alpha)
        if found.skew is not None:  # Laplace's mode moves, and its curvature with it
            skew, moved = found.skew, found.pull - tau * self.views.of(self.K @ found.skew)
            pull = pull + np.outer(moved, q.alpha) + np.outer(found.nu - tau * q.view_mean, skew)
        to_XZ = self.item_views.gather(pull - 2.0 * open_[:, None] * A)
        to_ZZ = A.T @ (open_[:, None] * A - pull) + 0.5 * (np.outer(q.alpha, q.alpha) - q.P) + np.outer(skew, q.alpha)
        theta = (
            self.kernel.cross_gradient(self.X, self.Z, to_XZ)
            + self.kernel.cross_gradient(self.Z, self.Z, to_ZZ)
            + view_variance_gradient(self.kernel, self.X, self.item_views, open_)
        )
        if not places:
            return theta, None
        move = self.kernel.input_gradient(self.Z, self.X, to_XZ.T)
        return theta, move + self.kernel.input_gradient(self.Z, self.Z, to_ZZ + to_ZZ.T)


def fitc(prior, y, likelihood, start=None):
    """Exact inference with the residual as each item's own noise: log N(y | 0, Q + diag(K − Q) + σ²I), Q = Φ K_ZZ Φᵀ.

    Parameters
    ----------
    prior : InducingPrior of values;  y : (m,) answers;  likelihood : Gaussian;  start : not needed

    Returns
    -------
    Approximation

    Raises
    ------
    ValueError
        If the likelihood is not Gaussian, or there are no inducing inputs.

    Source: thesis 002, eqs. 2.31–2.34; Snelson & Ghahramani (2006). Lecture: 05, section 8.
    """
    if not isinstance(likelihood, Gaussian) or not isinstance(prior, InducingPrior):
        raise ValueError(
            f'inference "fitc" needs inducing inputs and Gaussian noise; the likelihood is {likelihood!r}.'
        )
    own_tau, own_nu = likelihood.site(y)
    noise, z = 1.0 / own_tau, own_nu / own_tau  # z: y, or what is normal about it
    tau = 1.0 / (noise + prior.residual)
    posterior = prior.posterior(tau, tau * z)
    error = z - posterior.view_mean
    jacobian = float((likelihood.log_density(y, z) - 0.5 * np.log(own_tau / (2.0 * np.pi))).sum())
    explained = posterior.marginals[1] - prior.residual
    open_weight = 0.5 * ((tau * error) ** 2 + tau**2 * explained - tau)  # ∂ log evidence / ∂ variance of each answer
    noise_slopes = likelihood.parameter_derivatives(y, z)[2] * noise**2  # of −1/σ², turned into those of σ²
    return Approximation(
        tau=tau,
        nu=tau * z,
        posterior=posterior,
        log_evidence=jacobian
        - 0.5 * float((tau * z) @ error + posterior.log_determinant - np.log(tau / (2.0 * np.pi)).sum()),
        likelihood_gradient=noise_slopes @ open_weight,
        converged=True,
        rounds=1,
        open_weight=open_weight,
    )


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
        If M is no whole number in 1 … n, or the inputs given have another number of columns.

    Lecture: 05, section 8.
    """
    if np.ndim(inducing) > 0:
        Z = validation.sequence(inducing, "inducing")
        validation.same_features(Z, X, "inducing", "X")
        return Z
    if validation.whole(inducing, "inducing") > len(X):
        raise ValueError(f"inducing is {inducing}, more than the {len(X)} distinct inputs.")
    seed = int(np.random.default_rng(rng).integers(2**31))
    scale = np.where(np.ptp(X, axis=0) > 0, np.ptp(X, axis=0), 1.0)
    clusters = MiniBatchKMeans(inducing, random_state=seed, n_init=1, batch_size=2048).fit(X / scale)
    return clusters.cluster_centers_ * scale
