"""Slow and obvious versions of what the Gaussian-process engine does: dense algebra, quadrature, sampling."""

from decimal import Decimal, localcontext

import numpy as np
from scipy.special import logsumexp
from scipy.stats import multivariate_normal


def dense_views(views):
    """(m, n) A with g = A f, written out."""
    A = np.zeros((len(views), views.n_items))
    A[np.arange(len(views)), views.plus] = 1.0
    for k in np.flatnonzero(views.minus >= 0):
        A[k, views.minus[k]] -= 1.0
    return A


def dense_posterior(K, A, tau, nu):
    """(mean, covariance) of f under N(0, K) and the sites, by inverting everything."""
    covariance = np.linalg.inv(np.linalg.inv(K) + A.T @ np.diag(tau) @ A)
    return covariance @ A.T @ nu, covariance


def log_normal(y, covariance):
    """log N(y | 0, covariance)."""
    return float(multivariate_normal(np.zeros(len(y)), covariance, allow_singular=True).logpdf(y))


def importance_evidence(K, A, y, likelihood, mean, covariance, draws=200_000, seed=0):
    """(log p(y), its standard error) with draws of f from a widened N(mean, covariance)."""
    rng = np.random.default_rng(seed)
    proposal = multivariate_normal(mean, 1.3 * covariance, allow_singular=True)
    f = proposal.rvs(draws, random_state=rng).reshape(draws, -1)
    log_w = multivariate_normal(np.zeros(len(K)), K, allow_singular=True).logpdf(f) - proposal.logpdf(f)
    log_w = log_w + likelihood.log_density(y, f @ A.T).sum(axis=1)
    estimate = logsumexp(log_w) - np.log(draws)
    share = np.exp(log_w - log_w.max())
    return float(estimate), float(share.std() / share.mean() / np.sqrt(draws))


def slopes(function, theta, step=1e-5):
    """Central differences of a scalar function of a vector."""
    return np.array(
        [(function(theta + step * e) - function(theta - step * e)) / (2 * step) for e in np.eye(len(theta))]
    )


class Exactly:
    """The posterior of f and the evidence of Gaussian sites with 60 digits, in which nothing cancels; τ of any sign.

    With S = I + AᵀTA K: α = S⁻¹ Aᵀν, P = S⁻¹ AᵀTA, log|S|. K need not be invertible.
    """

    def __init__(self, K, A, tau, nu):
        with localcontext(prec=60):
            K, A, tau, nu = map(_decimals, (K, A, tau, nu))
            W, told = (A.T * tau) @ A, A.T @ nu
            self.K = K
            solved, self.log_determinant = _solved(W @ K + _decimals(np.eye(len(K))), np.column_stack([told, W]))
            self.alpha, self.P = solved[:, 0], solved[:, 1:]
            self.misfit = float(nu / tau @ (nu - tau * (A @ (K @ self.alpha))))  # zᵀ (A K Aᵀ + T⁻¹)⁻¹ z, z = ν/τ

    def log_evidence(self, tau):
        """log N(ν/τ | 0, A K Aᵀ + T⁻¹), for τ > 0."""
        return -0.5 * (self.misfit + self.log_determinant - float(np.log(tau / (2 * np.pi)).sum()))

    def predict(self, K_cross, K_new):
        """(mean (q,), covariance (q, q)) at new inputs."""
        with localcontext(prec=60):
            return self._given(_decimals(K_cross), _decimals(K_new))

    def view(self, a):
        """(mean, variance) of aᵀf."""
        with localcontext(prec=60):
            a = _decimals(a)[:, None]
            mean, covariance = self._given(self.K @ a, a.T @ self.K @ a)
        return mean[0], covariance[0, 0]

    def _given(self, K_cross, K_new):
        mean, covariance = K_cross.T @ self.alpha, K_new - K_cross.T @ (self.P @ K_cross)
        return mean.astype(float), covariance.astype(float)


def _decimals(array):
    return np.vectorize(Decimal, otypes=[object])(np.asarray(array, dtype=float))


def _solved(S, b):
    """(S⁻¹ b, log|S|) by Gauss's elimination, for |S| > 0."""
    S, b, log_determinant = S.copy(), b.copy(), Decimal(0)
    for k in range(len(S)):
        best = k + int(np.abs(S[k:, k]).argmax())
        S[[k, best]], b[[k, best]] = S[[best, k]], b[[best, k]]
        log_determinant += abs(S[k, k]).ln()
        S[k], b[k] = S[k] / S[k, k], b[k] / S[k, k]
        rest = np.arange(len(S)) != k
        b[rest] -= np.outer(S[rest, k], b[k])
        S[rest] -= np.outer(S[rest, k], S[k])
    return b, float(log_determinant)
