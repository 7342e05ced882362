"""The posterior of one latent function, given a Gaussian site exp(ν_k g_k − ½ τ_k g_k²) for each response.

Prior f ~ N(0, K), views g = A f. Every model and every way of inference ends here; they differ in τ and ν alone.
Two factorisations give the same numbers:

- response space: I + T^½ C T^½ with C = A K Aᵀ, as large as there are distinct views; all τ > 0;
- item space: I + Bᵀ T B with B = A L and K = L Lᵀ, as large as there are items; τ may be negative, for what the
  answers say together decides whether a posterior exists.

Lecture: 05, sections 3, 4 and 8; 06, section 2.
"""

import warnings
from functools import cached_property

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs, dtrtrs

LARGEST_JITTER = 1e-4  # of the mean variance


class JitterWarning(UserWarning):
    """A kernel matrix was so nearly singular that its diagonal had to be raised noticeably."""


def cholesky(A, overwrite=False):
    """Lower L with L Lᵀ = A, symmetric and in C order, or LinAlgError; `overwrite` lets A's memory become L's."""
    U, info = dpotrf(A.T, lower=0, clean=1, overwrite_a=overwrite)  # LAPACK's order is Fortran's
    if info:
        raise np.linalg.LinAlgError(f"the leading minor of order {info} is not positive definite")
    return U.T


def cholesky_solve(L, b):
    """x with L Lᵀ x = b, for an L in C order; (n,) or (n, q).

    LAPACK itself: with a hundred answers, what SciPy does before and after costs more than the solution.
    """
    return dpotrs(L.T, b, lower=0)[0] if b.size else np.empty(b.shape)


def half_solve(L, b, transposed=False):
    """x with L x = b, or Lᵀ x = b, for a Cholesky factor L in C order; (n,) or (n, q)."""
    return dtrtrs(L.T, b, lower=0, trans=int(not transposed))[0] if b.size else np.empty(b.shape)


def symmetric_root(covariance):
    """The symmetric S with S S = covariance: draws by it do not depend on the machine, as those by eigenvectors do.

    Eigenvectors come with either sign, and a Cholesky factor of a nearly singular matrix ends in rounding.
    """
    values, vectors = np.linalg.eigh(covariance)
    return (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T


def jittered_cholesky(K):
    """(L, jitter) with L Lᵀ = K + jitter · I, where the jitter is the least of 0, 1e-14, 1e-13 … mean variances.

    Raises LinAlgError, which is a ValueError, where even 1e-4 of the mean variance is not enough: K is no covariance
    matrix.
    """
    scale = K.diagonal().mean()
    for jitter in (0.0, *(scale * 10.0**k for k in range(-14, -3))):
        try:
            L = cholesky(K + jitter * np.eye(len(K)) if jitter else K)
        except np.linalg.LinAlgError:
            continue
        if jitter > 1e-7 * scale:
            warnings.warn(
                f"the kernel matrix is nearly singular: {jitter:.1e} was added to its diagonal (mean {scale:.3g}). "
                "Are inputs nearly equal beside the lengthscale?",
                JitterWarning,
                stacklevel=2,
            )
        return L, jitter
    raise np.linalg.LinAlgError(
        f"K ({len(K)} × {len(K)}) is no covariance matrix: adding {LARGEST_JITTER:g} of its mean variance does "
        "not make it positive definite. Is the kernel symmetric and positive semidefinite?"
    )


class Posterior:
    """What the posteriors have in common: items' mean K α, covariance K − K P K, and predictions.

    Where answers are sharp, τ K ≫ 1, ν − T A mean and K − K P K are small differences of large numbers. Item space
    never forms them; response space only where no more is lost than 1e-16 of the prior's variance.
    """

    @cached_property
    def alpha(self):
        """(n,) K⁻¹ mean."""
        return self.alpha_of(self.nu)

    @property
    def log_determinant(self):
        """log|I + K AᵀTA|."""
        return 2.0 * float(np.log(self.L.diagonal()).sum())

    @property
    def quadratic(self):
        """meanᵀ K⁻¹ mean."""
        return float(self.alpha @ self.mean)

    @cached_property
    def mean(self):
        """(n,) posterior means of the items."""
        return self.prior.K @ self.alpha

    @cached_property
    def covariance(self):
        """(n, n) posterior covariance of the items."""
        H = self.half(self.prior.K)
        return self.prior.K - H.T @ H

    @cached_property
    def covariance_root(self):
        """(n, n) symmetric root of the covariance, which chains of draws need again and again."""
        return symmetric_root(self.covariance)

    def drawn(self, size, rng):
        """(n, size) draws of f at the items."""
        return self.mean[:, None] + self.covariance_root @ rng.normal(size=(len(self.mean), size))

    @cached_property
    def cavities(self):
        """(m,) precision of each view without its own site, 0 or less if that is all there is; and (m,) ν − τ mean."""
        mean, variance = self.marginals
        return 1.0 / variance - self.tau, self.nu - self.tau * mean

    def predict(self, K_cross, variance):
        """Mean and variance, (q,) each, of f at new inputs.

        K_cross : (n, q) covariances between the items and the new inputs
        variance : (q,) prior variances there

        Source: Nielsen (2015), eqs. 2.14 and 2.16, with a minus before 2Σ₁₂.
        """
        H = self.half(K_cross)
        return K_cross.T @ self.alpha, np.maximum(variance - np.einsum("ij,ij->j", H, H), 0.0)

    def predict_covariance(self, K_cross, K_new):
        """(q, q) covariance of f at new inputs whose prior covariance is K_new."""
        H = self.half(K_cross)
        return K_new - H.T @ H


class ResponsePosterior(Posterior):
    """The posterior by one factorisation over the r distinct views; all τ > 0.

    Sites of equal views add up first: this is why R answers to an item cost no more than one.

    Source: Wong et al. (2023), section 3; Nielsen (2015), section 2.3.4.
    """

    def __init__(self, prior, tau, nu):
        if (tau <= 0).any():
            raise ValueError("response space needs all τ > 0; item space takes them as they are.")
        self.prior, self.tau, self.nu = prior, tau, nu
        self.views, self.sign, self.of = prior.views.distinct
        self.t, self.s = t, s = np.bincount(self.of, tau), np.bincount(self.of, self.sign * nu)
        self.root_t = np.sqrt(t)
        C = prior.view_covariance
        scaled = self.root_t[:, None] * C * self.root_t
        scaled.flat[:: len(scaled) + 1] += 1.0
        self.L = cholesky(scaled, overwrite=True)
        self.beta = self.root_t * cholesky_solve(self.L, s / self.root_t)

    def alpha_of(self, nu):
        """(n,) (I + AᵀTA K)⁻¹ Aᵀν: what α would be with this ν (m,)."""
        s = np.bincount(self.of, self.sign * nu)
        return self.views.T @ (self.root_t * cholesky_solve(self.L, s / self.root_t))

    @cached_property
    def view_mean(self):
        """(m,) posterior means of the views."""
        return self.sign * (self.prior.view_covariance @ self.beta)[self.of]

    @property
    def marginals(self):
        """Means and variances of the views, (m,) each."""
        return self.view_mean, self._spread[0][self.of]

    @cached_property
    def _spread(self):
        """(r,) v = (C − HᵀH)_jj, and 1 − t v = (I + T^½ C T^½)⁻¹_jj: each is exact where the other is all rounding."""
        C = self.prior.view_covariance
        H = half_solve(self.L, self.root_t[:, None] * C)
        t, variance = self.t, C.diagonal() - np.einsum("ij,ij->j", H, H)
        share, sharp = 1.0 - t * variance, np.flatnonzero(t * variance > 0.5)
        told = np.zeros((len(t), len(sharp)))
        told[sharp, np.arange(len(sharp))] = 1.0
        half = half_solve(self.L, told)
        share[sharp] = np.einsum("ij,ij->j", half, half)
        variance[sharp] = (1.0 - share[sharp]) / t[sharp]
        return np.maximum(variance, self.prior.least_variance), share

    @cached_property
    def cavities(self):
        """As Posterior.cavities, but of no differences: 1/v − t is (1 − t v)/v, and s − t mean is β."""
        (variance, share), of = self._spread, self.of
        precision = (share / variance)[of] + (self.t[of] - self.tau)
        apart = self.tau * (self.nu / self.tau - self.sign * (self.s / self.t)[of])  # 0 for the only answer to a view
        return precision, apart + self.tau / self.t[of] * self.sign * self.beta[of]

    def half(self, K_cross):
        """(r, q) H with HᵀH = K_crossᵀ P K_cross: what the answers take from the prior's covariance."""
        seen = self.root_t[:, None] * (K_cross if self.views.are_items else self.views @ K_cross)
        return half_solve(self.L, seen)

    @cached_property
    def P(self):
        """(n, n) P = Aᵀ (C + T⁻¹)⁻¹ A: the posterior covariance of the items is K − K P K."""
        half = half_solve(self.L, np.diag(self.root_t))
        inner = half.T @ half
        return inner if self.views.are_items else self.views.T @ ((self.views.T @ inner).T)


class ItemPosterior(Posterior):
    """The posterior by one factorisation over the items' independent weights; τ of any sign.

    Source: Rasmussen & Williams (2006), section 3.4.3, for full precision matrices.
    """

    def __init__(self, prior, tau, nu):
        self.prior, self.tau, self.nu = prior, tau, nu
        self.felt_tau = tau  # the sites as the items feel them
        self.root = prior._root[0]
        self.pulled = prior.views.precision(tau) @ self.root  # (n, n): cheaper than B, which has a row for each answer
        inner = self.root.T @ self.pulled
        inner.flat[:: len(inner) + 1] += 1.0
        self.L = cholesky(inner, overwrite=True)
        self.weights = self._weights_of(nu)

    def _weights_of(self, nu):
        """(n,) (I + BᵀTB)⁻¹ Bᵀν."""
        return cholesky_solve(self.L, self.root.T @ (self.prior.views.T @ nu))

    def alpha_of(self, nu):
        """(n,) (I + AᵀTA K)⁻¹ Aᵀν: what α would be with this ν (m,)."""
        return self._behind(self._weights_of(nu))

    def _behind(self, weights):
        """L⁻ᵀ weights, with K = L Lᵀ. It errs only where K hardly varies, and there nothing is made of it."""
        return half_solve(self.root, weights, transposed=True)

    @property
    def quadratic(self):
        return float(self.weights @ self.weights)

    @cached_property
    def mean(self):
        """(n,) posterior means of the items."""
        return self.root @ self.weights

    @cached_property
    def view_mean(self):
        """(m,) posterior means of the views."""
        return self.prior.views @ self.mean

    @cached_property
    def told(self):
        """(m,) variances of the views as linear functions of the items."""
        rows = self.prior.views @ self.half_covariance.T
        return np.maximum(np.einsum("ij,ij->i", rows, rows), self.prior.least_variance)

    @property
    def marginals(self):
        """Means and variances of the views, (m,) each; with what the prior leaves open beyond its items."""
        return self.view_mean, self.told + self.prior.residual

    @cached_property
    def half_covariance(self):
        """(n, n) H with HᵀH the posterior covariance of the items."""
        return half_solve(self.L, self.root.T)

    @cached_property
    def covariance(self):
        """(n, n) posterior covariance of the items, as a square: never negative."""
        return self.half_covariance.T @ self.half_covariance

    def drawn(self, size, rng):
        return self.mean[:, None] + self.half_covariance.T @ rng.normal(size=(len(self.mean), size))

    def predict(self, K_cross, variance):
        """As Posterior.predict: what the items leave open of the prior's variance, and what is open of the items."""
        mean, explained, told = self.moments(K_cross)
        return mean, np.maximum(variance - explained, 0.0) + told

    def moments(self, K_cross):
        """Mean at new inputs, what the items would tell of their variance if known, and what is open of that."""
        V, H = self.seen(K_cross)
        return V.T @ self.weights, np.einsum("ij,ij->j", V, V), np.einsum("ij,ij->j", H, H)

    def predict_covariance(self, K_cross, K_new):
        V, H = self.seen(K_cross)
        return K_new - V.T @ V + H.T @ H

    def seen(self, K_cross):
        """(n, q) V and H: VᵀV is what the items would tell if they were known, HᵀH what is not known of that."""
        V = half_solve(self.root, K_cross)
        return V, half_solve(self.L, V)

    @cached_property
    def P(self):
        """(n, n) P with K − K P K the posterior covariance of the items: L⁻ᵀ (I + BᵀTB)⁻¹ Lᵀ AᵀTA."""
        return self._behind(cholesky_solve(self.L, self.pulled.T))
