"""Variational inference: the sites of the Gaussian that is nearest to the posterior, in the sense of the bound.

Lecture: 06, section 5.
"""

import numpy as np
from numpy.typing import ArrayLike

from course_lib.gp.inference.approximation import Approximation, check_inference_arguments
from course_lib.gp.inference.laplace import laplace_start
from course_lib.gp.kernel_prior import Prior
from course_lib.gp.likelihoods import Likelihood

LEAST_BOUND_STEP, MAX_LEVEL_ROUNDS = 1e-8, 20  # the search ends there: no gain but in rounding


def variational_inference(
    prior: Prior, y: ArrayLike, likelihood: Likelihood, start: object = None, max_rounds: int = 500, tol: float = 1e-8
) -> Approximation:
    """Sites τ = −E_q[∂² log p], ν = E_q[∂ log p] + τ E_q[g], reached by steps that never lower the bound (ELBO).

    ELBO = Σ E_q[log p(y_k|g_k)] − KL(q‖prior) ≤ log p(y).

    prior, y, likelihood : as for `laplace_approximation`
    start : an Approximation whose sites to start from, or None for Laplace's
    max_rounds, tol : rounds at most; it ends when a full step would move no marginal by more than tol

    Source: Khan & Lin (2017), conjugate-computation updates; Wu et al. (2025), section 3.
    """
    y = check_inference_arguments(prior, y, likelihood, start, max_rounds, tol)
    if start is None:
        start = laplace_start(prior, y, likelihood)
    prior = prior.with_own_values()
    state = _start(prior, y, likelihood, start)
    step, rounds, level = 1.0, 0, 0
    while state.gap > tol and rounds < max_rounds and step > LEAST_BOUND_STEP and level < MAX_LEVEL_ROUNDS:
        rounds += 1
        found = _bound(prior, y, likelihood, *state.towards(step))
        if found is None or found.bound < state.bound - 1e-13 * (1.0 + abs(state.bound)):
            step *= 0.5
            continue
        level = level + 1 if found.bound < state.bound + 1e-11 * (1.0 + abs(state.bound)) else 0
        state, step = found, min(1.0, 1.5 * step)
    return state.approximation(y, likelihood, state.gap <= max(tol, 1e-4), rounds)


def _start(prior, y, likelihood, sites):
    """The sites given, or, if there is no posterior with them, the same slopes without negative τ."""
    state = _bound(prior, y, likelihood, sites.tau, sites.nu)
    if state is None:
        tau = np.maximum(sites.tau, 0.0)
        state = _Bound(prior, y, likelihood, tau, sites.nu + (tau - sites.tau) * sites.posterior.view_mean)
    return state


def _bound(prior, y, likelihood, tau, nu):
    """The bound for these sites, or None where no posterior exists."""
    try:
        return _Bound(prior, y, likelihood, tau, nu)
    except np.linalg.LinAlgError:
        return None


class _Bound:
    """Sites, their posterior q, and the bound."""

    def __init__(self, prior, y, likelihood, tau, nu):
        self.tau, self.nu, self.posterior = tau, nu, prior.posterior(tau, nu)
        self.mean, self.variance = self.posterior.marginals
        log_p, self.slope, self.curvature = likelihood.expectations(y, self.mean, self.variance)
        self.bound = float(log_p.sum()) - self.divergence()
        self.wanted_tau = -self.curvature
        self.wanted_nu = self.slope + self.wanted_tau * self.mean
        scale = np.sqrt(self.variance)
        self.gap = float(
            np.max(
                np.abs(self.wanted_nu - nu - (self.wanted_tau - tau) * self.mean) * scale
                + np.abs(self.wanted_tau - tau) * self.variance
            )
        )

    def divergence(self):
        """KL(q‖prior) = ½ (meanᵀK⁻¹mean − Σ τ v + log|I + K AᵀTA|); v without what inducing inputs leave open."""
        q = self.posterior
        explained = self.variance - q.prior.residual
        return 0.5 * (q.quadratic - float(self.tau @ explained) + q.log_determinant)

    def towards(self, step):
        """The sites a step further towards those wanted."""
        return (1 - step) * self.tau + step * self.wanted_tau, (1 - step) * self.nu + step * self.wanted_nu

    def approximation(self, y, likelihood, converged, rounds):
        """The bound with its gradients: at its maximum the sites may be held still."""
        return Approximation(
            posterior=self.posterior,
            log_evidence=self.bound,
            likelihood_gradient=likelihood.total_parameter_gradient(y, self.mean, self.variance),
            converged=converged,
            rounds=rounds,
        )
