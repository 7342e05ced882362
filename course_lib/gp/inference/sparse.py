"""Exact inference with inducing inputs, where what these leave open counts as noise: FITC. Lecture: 05, section 8."""

import numpy as np
from numpy.typing import ArrayLike

from course_lib.gp.inducing import InducingPrior
from course_lib.gp.inference.approximation import Approximation, check_inference_arguments
from course_lib.gp.kernel_prior import Prior
from course_lib.gp.likelihoods import Gaussian, Likelihood


def fitc(prior: Prior, y: ArrayLike, likelihood: Likelihood, start: object = None) -> Approximation:
    """Exact inference with the residual as noise of its own in each item, shared by all answers to it.

    log N(y | 0, A (Q + diag(K − Q)) Aᵀ + σ²I) with Q = Φ K_ZZ Φᵀ; White is in K − Q. What is open of a difference is
    shared by the answers to the same pair, and no others: it counts as noise of its own in each pair.

    prior : InducingPrior;  y : (m,) answers;  likelihood : Gaussian;  start : not needed

    Source: Nielsen (2015), eqs. 2.31–2.34; Snelson & Ghahramani (2006).
    """
    y = check_inference_arguments(prior, y, likelihood, start)
    if not isinstance(likelihood, Gaussian) or not isinstance(prior, InducingPrior):
        raise ValueError(
            f'inference "fitc" needs inducing inputs and Gaussian noise; the likelihood is {likelihood!r}.'
        )
    own_tau, own_nu = likelihood.site(y)
    z = own_nu / own_tau  # y, or what is normal about it
    _, sign, of = prior.item_views.distinct
    t = np.bincount(of, own_tau)[of]  # from here on a view's answers are one: of precision t, and in their mean
    together = sign * (np.bincount(of, sign * own_nu)[of] / t)
    share, weight = 1.0 / (1.0 + prior.residual * t), own_tau / t  # of one answer in the view; the weights sum to 1
    tau, total = own_tau * share, t * share
    posterior = prior.posterior(tau, tau * together)
    error, told = together - posterior.view_mean, posterior.told
    mean, variance = together - share * error, share * (share * told + prior.residual)  # of the view, all considered
    apart = likelihood.log_density(y, z) - 0.5 * own_tau * (z - together) ** 2 + 0.5 * weight * np.log(share)
    misfit = posterior.quadratic + float(tau @ error**2)
    return Approximation(
        posterior=posterior,
        log_evidence=float(apart.sum()) - 0.5 * (misfit + posterior.log_determinant),
        likelihood_gradient=likelihood.total_parameter_gradient(y, mean, variance),
        converged=True,
        rounds=1,
        open_weight=0.5 * weight * ((total * error) ** 2 + total**2 * told - total),  # ∂ log evidence / ∂ residual
    )
