"""Pseudo-inputs: M inducing values u = f(Z) stand for all items, so that n may be large.

Given u, the values f are K_XZ K_ZZ⁻¹ u, and a part of their variance stays open: the residual. Variational inference
counts it inside the expectation, FITC as noise. A White part of the kernel is no function of the inputs: no u can tell
it, and it stays with its item, as a value of its own.

M independent weights v stand for u, with f = K_XZ H v and H Hᵀ for K_ZZ⁻¹. Where inducing inputs determine each other
K_ZZ has no inverse, and where they nearly do, the inverse is all rounding. So the smallest eigenvalues λ are left out,
smoothly: λ/(λ² + ε²) stands for 1/λ. What is left out stays open, and so is counted, not lost; of well separated
inducing inputs it is nothing: ε² beside λ², where a jitter would take ε beside λ.

Lecture: 05, section 8; 13, section 3.
"""

import copy
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.gp.items import distinct_rows
from course_lib.gp.kernel_algebra import Kernel
from course_lib.gp.kernel_prior import VARIANCE_ROUNDING, Prior, among, covariance_of, own_covariance, own_variance
from course_lib.gp.observations import LinearViews, ObservationMatrix
from course_lib.gp.sites import ItemPosterior, JitterWarning
from course_lib.kinds import Rng

FIXED_CUT, MOVING_CUT = 1e-12, 1e-10  # ε, of the mean variance, above the rounding of eigenvalues; moving inputs meet
LEAST_EIGENVALUE = 1e-17  # of the mean variance: an eigenvalue below is rounding
KNOWN_VARIANCE = 1e-14  # of the items' variance: what is left open below is rounding
MAX_EVIDENCE_LOSS = 1e-6  # of 1 + |log evidence|: what items that are inducing inputs may lose without a warning
MAX_EIGENVALUE_BLUR = 0.02  # nats by which rounding of eigenvalues may move the evidence, without a warning
PAIRS_AT_ONCE = 64  # pairs whose covariances are computed at a time


class InducingPrior(Prior):
    """u = f(Z) as M independent weights v ~ N(0, I), and views of f as linear views of v with a residual variance.

    kernel : Kernel;  X : (n, D) items;  views : ObservationMatrix;  Z : (M, D) inducing inputs
    moving : whether Z is learned, so that inducing inputs may come so near to each other that slopes need more care

    Source: Nielsen (2015), eqs. 2.30–2.34; Snelson & Ghahramani (2006); Titsias (2009).
    """

    own = None  # (n,) variances of the items' own values, where they are counted among what varies

    def __init__(self, kernel: Kernel, X: ArrayLike, views: ObservationMatrix, Z: ArrayLike, moving: bool = False):
        validation.has_methods(kernel, ("cross", "diagonal"), "kernel", "a Kernel such as SquaredExponential()")
        validation.has_methods(
            views, ("__matmul__", "precision"), "views", "an ObservationMatrix, such as that of a block,"
        )
        X, Z = validation.sequence(X, "X"), validation.sequence(Z, "Z")
        validation.same_features(Z, X, "Z", "X")
        if len(X) != views.n_items:
            raise ValueError(f"X has {len(X)} rows, but views are of {views.n_items} items; they must agree.")
        self.kernel, self.X, self.item_views, self.Z = kernel, X, views, Z
        K_ZZ = covariance_of(kernel.cross(Z, Z), len(Z))
        self.scale = float(K_ZZ.diagonal().mean())
        self.cut = (MOVING_CUT if validation.flag(moving, "moving") else FIXED_CUT) * self.scale
        eigenvalues, axes = np.linalg.eigh(K_ZZ)
        self.eigenvalues = np.maximum(eigenvalues, LEAST_EIGENVALUE * self.scale)
        self.H = axes * np.sqrt(self.eigenvalues / (self.eigenvalues**2 + self.cut**2))
        told = views @ (kernel.cross(X, Z) @ self.H)
        super().__init__(np.eye(len(Z)), LinearViews(told), space="item")
        self._root = self.K, 0.0
        self.explained = (told**2).sum(axis=1)
        self.residual = self._left_open(kernel)

    @property
    def jitter(self):
        """ε where it is felt: K_ZZ + ε² K_ZZ⁻¹ stands for K_ZZ, which it is but where an eigenvalue is so small."""
        left_out = self.eigenvalues * self.cut**2 / (self.eigenvalues**2 + self.cut**2)
        return self.cut if left_out.max() > VARIANCE_ROUNDING * self.scale else 0.0

    @cached_property
    def least_variance(self):
        """As Prior.least_variance."""
        return VARIANCE_ROUNDING * self.scale

    def _left_open(self, kernel):
        """(m,) what u does not tell of the views' variances under this kernel."""
        own = np.append(kernel.diagonal(self.X), 0.0)  # the last: of NONE
        rounding = KNOWN_VARIANCE * (own[self.item_views.plus] + own[self.item_views.minus])
        open_ = view_variance(kernel, self.X, self.item_views) - self.explained
        return np.where(open_ > rounding, open_, 0.0)

    def _warn_of_loss(self, found):
        """Warn if items that are inducing inputs, of which nothing should stay open, lose some of the evidence so."""
        views, (_, number) = self.item_views, distinct_rows(np.vstack([self.Z, self.X]))
        of_Z, of_X = np.split(number, [len(self.Z)])
        told = np.append(of_X <= of_Z.max(), True)  # the last: of NONE
        known = told[views.plus] & told[views.minus]
        lost = 0.5 * float(np.abs(found.tau) @ np.where(known, self._left_open(self.kernel.shared()), 0.0))
        digits = np.finfo(float).eps * self.scale / self.eigenvalues  # of an eigenvalue, that rounding moves
        blurred = 0.5 * float(np.abs(found.tau) @ (self.views.weights**2 @ digits))
        if lost > MAX_EVIDENCE_LOSS * (1.0 + abs(found.log_evidence)) or blurred > MAX_EIGENVALUE_BLUR:
            validation.warn(
                f"inducing inputs determine each other as far as numbers go, or nearly: what is left out of them (see "
                f"jitter_) may move the evidence by some {max(lost, blurred):.1e} nats, as the answers are sharp "
                "enough to tell. Leave some out, or take inference without inducing inputs.",
                JitterWarning,
            )

    def with_own_values(self):
        """This prior with the White part of each item's value among what varies, and no longer in the residual.

        The posterior of u and all own values is one Gaussian, and for values it costs no more than that of u: an
        item's own value is seen by its own answers only.

        Raises ValueError where there is a White part and answers to differences: these tie the own values of all items
        together.
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
        return super().posterior(tau, nu) if self.own is None else OwnValuesPosterior(self, tau, nu)

    def predict(self, posterior, X_new, item):
        """Mean and variance, (q,) each, of f at X_new (q, D), of which row j is item[j] of X, if X has so many.

        Own values are known of items only if they are among what varies: see `with_own_values`.
        """
        seen = self._seen(X_new)
        if posterior.prior.own is None:
            return posterior.predict(seen, self.kernel.diagonal(X_new))
        mean, explained, told = posterior.moments(seen)
        c, own_mean, left = posterior.own_values(item, own_variance(self.kernel, X_new))
        open_ = np.maximum(self.kernel.shared().diagonal(X_new) - explained, 0.0)
        return c * mean + own_mean, open_ + c**2 * told + left

    def predict_covariance(self, posterior, X_new, item):
        """Mean (q,) and covariance (q, q) of f; rows j and k are one item where item[j] = item[k]."""
        seen, shared = self._seen(X_new), self.kernel.cross(X_new, X_new)
        if posterior.prior.own is None:
            K_new = shared + own_covariance(self.kernel, X_new, item)
            return seen.T @ posterior.mean, posterior.predict_covariance(seen, K_new)
        V, H = posterior.seen(seen)
        c, own_mean, left = posterior.own_values(item, own_variance(self.kernel, X_new))
        own = np.where(item[:, None] == item, left, 0.0)
        return c * (seen.T @ posterior.mean) + own_mean, shared - V.T @ V + (c * H).T @ (c * H) + own

    def _seen(self, X_new):
        """(M, q) covariances of the weights and f at X_new."""
        return self.H.T @ self.kernel.cross(self.Z, X_new)

    def gradient(self, found, learn_inducing=True):
        """∂ log evidence / ∂ θ of the kernel (P,) and, if wanted, / ∂ Z (M · D,), by the sites found.

        With q(v) held still, the evidence depends on the kernel through the views B = A K_XZ H, the residual variance
        and, if items have values of their own, their variances. Weights may be turned: only H Hᵀ matters, whose
        change is that of a function of K_ZZ's eigenvalues (Daleckii and Krein), g = λ/(λ² + ε²):
        (g_i − g_j)/(λ_i − λ_j) = (ε² − λ_i λ_j)/((λ_i² + ε²)(λ_j² + ε²)).

        Source: Higham (2008), "Functions of matrices", theorem 3.11.
        """
        q, B = found.posterior, self.views.weights
        pull = found.nu - found.tau * q.view_mean
        to_B = np.outer(pull, q.mean) - q.felt_tau[:, None] * ((B @ q.half_covariance.T) @ q.half_covariance)
        open_ = -0.5 * found.tau if found.open_weight is None else found.open_weight
        if found.implicit_gradient is not None:  # Laplace's mode moves, and its curvature with it
            z = found.implicit_gradient
            to_B += np.outer(found.determinant_gradient - found.tau * (B @ z), q.mean) + np.outer(pull, z)
        to_B -= 2.0 * open_[:, None] * B
        size = self.eigenvalues**2 + self.cut**2
        turned = self.H * np.sqrt(size / self.eigenvalues)  # the eigenvectors
        both = np.sqrt(np.outer(self.eigenvalues * size, self.eigenvalues * size))
        share = (self.cut**2 - np.outer(self.eigenvalues, self.eigenvalues)) / both
        to_XZ = self.item_views.T @ (to_B @ self.H.T)
        to_ZZ = turned @ (0.5 * share * (B.T @ to_B)) @ turned.T
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
    """The posterior of u and of the items' own values w ~ N(0, ω), where the answers are to f given u, and w.

    An item's own value is integrated out first. To u its answers, t = Σ τ and s = Σ ν, are then a site t c and s c
    with c = 1/(1 + ω t): its own value is more noise, but the same noise for all its answers.

    Raises LinAlgError where no posterior exists: an item's negative τ outweigh the prior.
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

        item : (q,) the number of the item that a row is;  fresh : (q,) prior variances of own values
        """
        seen = among(self.c, item)
        known = np.where(seen, item, 0)
        kept = np.where(seen, self.c[known], 1.0)
        return kept, np.where(seen, self.prior.own[known] * kept * self.s[known], 0.0), fresh * kept

    @property
    def marginals(self):
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
    """(m,) prior variances of the views: of a value k(x, x), of a difference k(b, b) + k(a, a) − 2 k(a, b)."""
    own = kernel.diagonal(X)
    variance = own[views.plus]
    differ = np.flatnonzero(views.minus >= 0)
    for rows in _portions(differ):
        a, b = views.minus[rows], views.plus[rows]
        variance[rows] += own[a] - 2.0 * kernel.cross(X[b], X[a]).diagonal()
    return variance


def view_variance_gradient(kernel, X, views, weights):
    """(P,) Σ_k w_k ∂ (prior variance of view k) / ∂ θ."""
    differ = np.flatnonzero(views.minus >= 0)
    received = np.bincount(views.plus, weights, len(X))
    received += np.bincount(views.minus[differ], weights[differ], len(X))
    gradient = kernel.diagonal_gradient(X, received)
    for rows in _portions(differ):
        a, b = views.minus[rows], views.plus[rows]
        gradient = gradient + kernel.cross_gradient(X[b], X[a], np.diag(-2.0 * weights[rows]))
    return gradient


def _portions(rows):
    return [rows[begin : begin + PAIRS_AT_ONCE] for begin in range(0, len(rows), PAIRS_AT_ONCE)]


def inducing_inputs(inducing: ArrayLike | int, X: ArrayLike, rng: Rng) -> NDArray:
    """(M, D) inducing inputs: those given, or the centres of M clusters of the items.

    inducing : (M, D) array, or M;  X : (n, D) items;  rng : numpy Generator or seed
    """
    from sklearn.cluster import MiniBatchKMeans  # heavy, so it is loaded where it is used

    X = validation.sequence(X, "X")
    if not np.isscalar(inducing) and validation.array(inducing, "inducing").ndim > 0:
        Z = validation.sequence(inducing, "inducing")
        validation.same_features(Z, X, "inducing", "X")
        return Z
    if validation.integer(inducing, "inducing") > len(X):
        raise ValueError(f"inducing is {inducing}, more than the {len(X)} distinct inputs in X.")
    seed = int(validation.generator(rng).integers(2**31))
    scale = np.where(np.ptp(X, axis=0) > 0, np.ptp(X, axis=0), 1.0)
    clusters = MiniBatchKMeans(inducing, random_state=seed, n_init=1, batch_size=2048).fit(X / scale)
    return clusters.cluster_centers_ * scale
