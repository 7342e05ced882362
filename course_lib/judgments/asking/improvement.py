"""Posterior moments of f(x) − f(x₀) and their gradients in x, for the search for the next question.

Lecture: 12, sections 2 and 8.
"""

import numpy as np
from scipy.special import ndtr

from course_lib import validation
from course_lib.judgments.asking.acquisition import SQRT_2PI, expected_positive_part


def gain(model, X_new, x0):
    """Mean and standard deviation, (q,) each, of f(x_j) − f(x₀) at X_new (q, D), for one point x0 (D,).

    As `improvement`, but without the (q, q) covariance: q may be large.

    Source: Nielsen (2015), eqs. 3.4 and 3.5.
    """
    _, _, K, prior = _against(model, X_new, x0)
    mean, variance = model.approximation_.posterior.predict(K, prior)
    return mean, np.sqrt(variance)


def _against(model, X_new, x0):
    """(X_new, x0 (1, D), (n, q) covariances of the items with f(x_j) − f(x₀), (q,) its prior variances)."""
    validation.fitted(model, "kernel_", "approximation_")
    if model.inducing_ is not None:
        raise ValueError("model has inducing inputs; a model that keeps all of its items is needed.")
    kernel, X = model.kernel_, model.observations_.X
    X_new = kernel.inputs(validation.sequence(X_new, "X_new"), "X_new")
    x0 = validation.matrix(np.atleast_2d(validation.real_array(x0, "x0")), "x0", (1, X.shape[1]))
    shared = kernel.shared()
    prior = shared.diagonal(X_new) + shared.diagonal(x0) - 2.0 * kernel.cross(X_new, x0)[:, 0]
    prior[(X_new == x0).all(axis=1)] = 0.0  # despite rounding
    return X_new, x0, kernel.cross(X, X_new) - kernel.cross(X, x0), np.maximum(prior, 0.0)


def gain_with_gradient(model, X_new, x0):
    """As `gain`, (q,) each, and the gradients of mean and standard deviation with respect to x_j, (q, D) each.

    The gradient of the standard deviation is set to 0 where the two points coincide, where it has a kink.

    Source: Nielsen (2015), appendix I, eqs. I.5–I.12.
    """
    X_new, x0, K, prior = _against(model, X_new, x0)
    kernel, X, posterior = model.kernel_, model.observations_.X, model.approximation_.posterior
    ones = np.ones(len(X_new))
    mean, variance = posterior.predict(K, prior)
    mean_gradient = kernel.input_gradient(X_new, X, np.outer(ones, posterior.alpha))
    variance_gradient = (
        kernel.diagonal_input_gradient(X_new, ones)
        - 2.0 * kernel.input_gradient(X_new, x0, ones[:, None])
        - 2.0 * kernel.input_gradient(X_new, X, (posterior.P @ K).T)
    )
    std = np.sqrt(variance)
    known = (std == 0)[:, None]
    std_gradient = np.where(known, 0.0, 0.5 * variance_gradient / np.where(known, 1.0, std[:, None]))
    return mean, std, mean_gradient, std_gradient


def improvement_with_gradient(model, X_new, x0):
    """Bivariate expected improvement at X_new over x0, (q,), and its gradient (q, D): φ(z) ∂std + Φ(z) ∂mean.

    Source: Nielsen (2015), eq. I.4, where the lower-case φ in the second term should be Φ.
    """
    mean, std, mean_gradient, std_gradient = gain_with_gradient(model, X_new, x0)
    z = mean / np.where(std == 0, 1.0, std)
    slope = (np.exp(-0.5 * z**2) / SQRT_2PI)[:, None] * std_gradient + ndtr(z)[:, None] * mean_gradient
    return expected_positive_part(mean, std), np.where((std == 0)[:, None], 0.0, slope)
