"""Slow and obvious versions of what the Gaussian-process engine does: dense algebra, quadrature, sampling."""

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
