"""Effects that are eliminated group by group: their views, their prior and their posterior.

f(x) = Σ_d x_d b_d, so the effects b are the latent values, however many answers there are, and each answer is to a
weighted sum of them.

Lecture: 14, section 2.
"""

from functools import cached_property

import numpy as np
from scipy.sparse import block_array, csr_array, diags_array

from course_lib import validation
from course_lib.gp.kernel_prior import Prior
from course_lib.gp.observations import LinearViews
from course_lib.gp.sites import ItemPosterior, cholesky, cholesky_solve, half_solve


class WeightedViews(LinearViews):
    """Views with few weights beside many zeros.

    weights : (m, n), sparse or not
    """

    def __init__(self, weights):
        super().__init__(csr_array(weights))

    @cached_property
    def T(self):
        """Aᵀ (n, m), sparse."""
        return self.weights.T.tocsr()

    def precision(self, tau):
        rows = self.weights
        scaled = rows.data * np.repeat(tau, np.diff(rows.indptr))  # SciPy's own product takes five times as long
        return (self.T @ csr_array((scaled, rows.indices, rows.indptr), shape=rows.shape)).toarray()

    @property
    def distinct(self):
        """(views, sign, of): as they are."""
        return self, np.ones(len(self)), np.arange(len(self))

    def variances(self, K):
        """(m,) variances of the views of what has covariance K (n, n)."""
        return np.einsum("ij,ij->i", self.weights @ K, self.weights.toarray())

    def some(self, chosen):
        """The views with these indices."""
        return WeightedViews(self.weights[chosen])


class GroupedViews(WeightedViews):
    """Views of S effects that all answers share, and t that each group of answers has of its own.

    shared : (m, S), own : (m, t) weights;  group : (m,) ints in 0 … n_groups − 1

    Given the shared effects, groups know nothing of each other: no matrix is greater than S × S. `answers` (G, M) are
    the views of each group, and m where it has fewer than M.
    """

    def __init__(self, shared, own, group, n_groups):
        (m, t), self.n_groups, self.n_shared = own.shape, n_groups, shared.shape[1]
        places = (group[:, None] * t + np.arange(t)).ravel()
        tail = csr_array((own.ravel(), places, np.arange(m + 1) * t), shape=(m, n_groups * t))
        super().__init__(block_array([[csr_array(shared), tail]]) if t else shared)
        self.shared, order = shared, np.argsort(group, kind="stable")
        counts = np.bincount(group, minlength=n_groups)
        self.answers = np.full((n_groups, counts.max()), m)
        self.answers[np.arange(counts.max()) < counts[:, None]] = order
        self.shared_of, self.own_of = (self.spread(one) for one in (shared, own))

    def spread(self, values):
        """(G, M, …) of (m, …): values of the answers by group, 0 where a group has fewer than M."""
        return np.concatenate([values, np.zeros((1, *values.shape[1:]))])[self.answers]

    def collect(self, values):
        """(m,) of (G, M)."""
        found = np.empty(len(self) + 1)
        found[self.answers] = values
        return found[:-1]

    @property
    def size(self):
        """How many effects and groups there are: what an evaluation of the evidence costs."""
        return self.n_shared + self.n_groups

    def prior(self, kernel, X, views, space="auto"):
        """The prior of the effects, as `KernelPrior` is that of items."""
        return GroupedPrior(kernel, self)


class GroupedPrior(Prior):
    """Independent effects b ~ N(0, diag(σ²)), of which some are shared and others a group's own."""

    jitter = 0.0

    def __init__(self, kernel, views):
        self.kernel, self.views, self.variances = kernel, views, kernel.variances
        if not (self.variances <= validation.LARGEST_NUMBER).all():
            raise np.linalg.LinAlgError(f"an effect has a variance above {validation.LARGEST_NUMBER:g}")

    @cached_property
    def K(self):
        """(n, n) the covariance of the effects, sparse."""
        return diags_array(self.variances)

    @cached_property
    def explained(self):
        """(m,) prior variances of the views."""
        return self.views.weights.power(2) @ self.variances

    def drawn(self, size, rng):
        """(n, size) draws of the effects."""
        return np.sqrt(self.variances)[:, None] * rng.normal(size=(len(self.variances), size))

    def draws_at(self, f, X_new, item, rng):
        """(q, k) weighted sums X_new (q, n) of draws f (n, k) of the effects."""
        return X_new @ f

    def posterior(self, tau, nu):
        return GroupedPosterior(self, tau, nu)

    def gradient(self, found, learn_inducing=False):
        """∂ log evidence / ∂ θ of the kernel (P,): Σ E[b²]/σ² − 1 for each logarithm of a spread, and (0,).

        Source: Dempster, Laird & Rubin (1977), section 4.3: Fisher's identity.
        """
        posterior = found.posterior
        slopes = (posterior.mean**2 + posterior.variances) / self.variances - 1.0
        if found.implicit_gradient is not None:  # Laplace's mode moves with the spreads
            slopes = slopes + 2.0 * self.variances * found.implicit_gradient * posterior.alpha
        return self.kernel._collected(self.kernel.by_block(slopes)), np.zeros(0)

    def predict(self, posterior, X_new, item):
        """Mean and variance, (q,) each, of weighted sums X_new (q, n) of the effects."""
        mean, cov = self.predict_covariance(posterior, X_new, item)
        return mean, np.maximum(cov.diagonal(), 0.0)

    def predict_covariance(self, posterior, X_new, item):
        """Mean (q,) and covariance (q, q) of such sums."""
        return X_new @ posterior.mean, posterior.covariance_of(X_new)


class GroupedPosterior(ItemPosterior):
    """The posterior of effects by groups: each group's own are eliminated, what is left is a regression on S columns.

    In units of their spreads a group's own effects have the precision I + BᵀTB = L Lᵀ, and H = L⁻¹BᵀTX is what they
    have to do with the shared ones; all arrays have a group for each element of their first axis.

    Source: Bates et al. (2015), "Fitting linear mixed-effects models using lme4", section 3, for this elimination.
    """

    def __init__(self, prior, tau, nu):
        views, S = prior.views, prior.views.n_shared
        self.prior, self.tau, self.nu, root = prior, tau, nu, np.sqrt(prior.variances)
        self.root, self.spread = root[:S], root[S:].reshape(views.n_groups, -1)
        X, t = views.shared_of, views.spread(tau)[:, :, None]
        BT = (views.own_of * self.spread[:, None]).transpose(0, 2, 1)
        L = np.linalg.cholesky(np.eye(BT.shape[1]) + BT @ (t * BT.transpose(0, 2, 1)))
        self.inverse = np.linalg.inv(L)
        self.H, self.BT = self.inverse @ (BT @ (t * X)), BT
        H = self.H.reshape(-1, S)
        told = views.shared.T @ (tau[:, None] * views.shared) - H.T @ H
        self.L = cholesky(np.eye(S) + self.root[:, None] * told * self.root)
        self.weights = self._weights_of(nu)
        self._own_determinant = 2.0 * float(np.log(np.diagonal(L, axis1=1, axis2=2)).sum())

    def _weights_of(self, nu):
        """(n,) means of the effects, in units of their spreads, for sites with this ν (m,)."""
        views, S = self.prior.views, len(self.root)
        h = self.inverse @ (self.BT @ views.spread(nu)[:, :, None])
        pull = views.shared.T @ nu - self.H.reshape(-1, S).T @ h.ravel()
        shared = cholesky_solve(self.L, self.root * pull)
        own = self.inverse.transpose(0, 2, 1) @ (h - self.H @ (self.root * shared)[:, None])
        return np.append(shared, own)

    def alpha_of(self, nu):
        """(n,) K⁻¹ mean for this ν (m,)."""
        return self._weights_of(nu) / np.sqrt(self.prior.variances)

    @property
    def log_determinant(self):
        return self._own_determinant + super().log_determinant

    @cached_property
    def mean(self):
        """(n,) posterior means of the effects."""
        return np.sqrt(self.prior.variances) * self.weights

    @cached_property
    def half(self):
        """(S, S) H with HᵀH the posterior covariance of the shared effects."""
        return half_solve(self.L, np.diag(self.root))

    @property
    def open(self):
        """(G, t, t) U with UᵀU what is open of a group's own effects if the shared ones are known."""
        return self.inverse * self.spread[:, None]

    @property
    def follow(self):
        """(G, t, S) how a group's own effects follow the shared ones."""
        return -self.open.transpose(0, 2, 1) @ self.H

    def drawn(self, size, rng):
        """(n, size) draws of the effects."""
        (G, t), shared = self.spread.shape, self.half.T @ rng.normal(size=(len(self.root), size))
        own = self.follow @ shared + self.open.transpose(0, 2, 1) @ rng.normal(size=(G, t, size))
        return self.mean[:, None] + np.vstack([shared, own.reshape(-1, size)])

    @cached_property
    def variances(self):
        """(n,) posterior variances of the effects."""
        own = _squares(self.follow @ self.half.T) + np.einsum("gij,gij->gj", self.open, self.open)
        return np.append(np.einsum("ij,ij->j", self.half, self.half), own)

    @cached_property
    def marginals(self):
        """Means and variances of the views, (m,) each."""
        views = self.prior.views
        seen = _squares((views.shared_of + views.own_of @ self.follow) @ self.half.T)
        apart = _squares(views.own_of @ self.open.transpose(0, 2, 1))
        return self.view_mean, np.maximum(views.collect(seen + apart), self.prior.least_variance)

    @cached_property
    def covariance(self):
        """(n, n) posterior covariance of the effects."""
        return self.covariance_of(np.eye(len(self.prior.variances)))

    def covariance_of(self, X):
        """(q, q) posterior covariance of weighted sums X (q, n) of the effects."""
        S, (G, t) = len(self.root), self.spread.shape
        own = X[:, S:].reshape(len(X), G, t)
        asked = np.flatnonzero(own.any(axis=(0, 2)))
        own = own[:, asked].transpose(1, 0, 2)
        seen = (X[:, :S] + (own @ self.follow[asked]).sum(axis=0)) @ self.half.T
        apart = own @ self.open[asked].transpose(0, 2, 1)
        return seen @ seen.T + (apart @ apart.transpose(0, 2, 1)).sum(axis=0)


def _squares(values):
    """(…,) sums of squares along the last axis."""
    return np.einsum("...j,...j->...", values, values)
