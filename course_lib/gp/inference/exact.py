"""Exact inference for Gaussian noise: the site is the likelihood itself, τ = 1/σ², ν = y/σ².

Two forms of the same: `exact_inference` for any views; `evidence_in_place` for values, with one N × N matrix.

Lecture: 05, section 5; 06, section 2.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg.lapack import dpotri

from course_lib.gp.inference.approximation import Approximation, check_inference_arguments
from course_lib.gp.kernel_prior import Prior
from course_lib.gp.likelihoods import Likelihood
from course_lib.gp.sites import cholesky, cholesky_solve

ROWS_AT_ONCE = 256  # rows of K that are handled at a time, so that they stay in the processor's cache


def exact_inference(prior: Prior, y: ArrayLike, likelihood: Likelihood, start: object = None) -> Approximation:
    """The posterior and the evidence log N(y | 0, A K Aᵀ + T⁻¹).

    prior : Prior;  y : (m,) answers;  start : not needed, all ways of inference take it
    likelihood : Gaussian

    Source: Nielsen (2015), eq. 2.7; Wong et al. (2023), eq. 3; Gil González et al. (2019), eq. 1, with σ̂² for σ².
    """
    y = check_inference_arguments(prior, y, likelihood, start)
    tau, nu = gaussian_sites(y, likelihood)
    posterior = prior.posterior(tau, nu)
    mean, variance = posterior.marginals
    z = nu / tau  # y, or what is normal about it
    misfit = posterior.quadratic + float(tau @ (z - mean) ** 2)  # zᵀ (A K Aᵀ + T⁻¹)⁻¹ z, exact for tiny noise too
    return Approximation(
        posterior=posterior,
        log_evidence=float(likelihood.log_density(y, z).sum()) - 0.5 * (misfit + posterior.log_determinant),
        likelihood_gradient=likelihood.total_parameter_gradient(y, mean, variance),
        converged=True,
        rounds=1,
    )


def gaussian_sites(y, likelihood):
    """(τ, ν) = (1/σ², y/σ²), each (m,); of the warped answers if the likelihood warps them."""
    if not likelihood.is_gaussian:
        raise ValueError(
            f'inference "exact" needs Gaussian noise, but the likelihood is {likelihood!r}; '
            'choose "laplace", "ep" or "variational".'
        )
    return likelihood.site(y)


def evidence_in_place(kernel, X, tau, nu):
    """log N(ȳ | 0, K + T⁻¹) for one combined site (τ_i > 0, ν_i) at each item, without its gradient's cost in memory.

    kernel : Kernel;  X : (n, D) items;  tau, nu : (n,), the sums of each item's sites; ȳ = ν/τ

    Returns
    -------
    log_evidence : float
    kernel_gradient : (P,) its derivatives in θ of the kernel
    mean, variance : (n,) posterior of the items, which the gradient in the noises needs

    Raises LinAlgError where K + T⁻¹ is not positive definite.

    Source: Rasmussen & Williams (2006), algorithm 2.1 and eq. 5.9.
    """
    root = np.sqrt(tau)
    M = cholesky(scaled_covariance(kernel, X, root), overwrite=True)
    log_determinant = 2.0 * np.log(M.diagonal()).sum()
    alpha = root * cholesky_solve(M, nu / root)
    dpotri(M.T, lower=0, overwrite_c=1)  # M is now the lower triangle of the inverse
    mean = (nu - alpha) / tau
    log_evidence = -0.5 * (nu / tau @ alpha + log_determinant - np.log(tau / (2.0 * np.pi)).sum())
    return log_evidence, _kernel_gradient(kernel, X, root, alpha, M), mean, (1.0 - M.diagonal()) / tau


def scaled_covariance(kernel, X, root):
    """(n, n) lower triangle of I + T^½ K T^½, computed by blocks of rows; the upper triangle is 0."""
    M = np.zeros((len(X), len(X)))
    for rows in _blocks(len(X)):
        part = kernel.cross(X[rows], X[: rows.stop])
        part *= root[rows, None]
        part *= root[: rows.stop]
        M[rows, : rows.stop] = np.tril(part, rows.start)
    M[np.diag_indices_from(M)] = root * kernel.diagonal(X) * root + 1.0  # rounded as in `ResponsePosterior`
    return M


def _kernel_gradient(kernel, X, root, alpha, inverse):
    """Σ_ij ½ (α_i α_j − P_ij) ∂K_ij with P = T^½ (I + T^½KT^½)⁻¹ T^½, whose lower triangle counts twice."""
    gradient = kernel.diagonal_gradient(X, 0.5 * (alpha**2 - root**2 * inverse.diagonal()))
    for rows in _blocks(len(X)):
        weights = inverse[rows, : rows.stop] * -root[rows, None]
        weights *= root[: rows.stop]
        weights += alpha[rows, None] * alpha[: rows.stop]
        weights = np.tril(weights, rows.start - 1)
        gradient = gradient + kernel.cross_gradient(X[rows], X[: rows.stop], weights)
    return gradient


def _blocks(n):
    return [slice(begin, min(begin + ROWS_AT_ONCE, n)) for begin in range(0, n, ROWS_AT_ONCE)]
