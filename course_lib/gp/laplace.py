"""Laplace: the site is the likelihood's curvature at the posterior's mode.

Lecture: 06, section 3.
"""

import numpy as np

from course_lib.gp.approximation import Approximation

LEAST_STEP = 2.0**-30


def laplace(prior, y, likelihood, start=None, max_rounds=100, tol=1e-9):
    """Sites τ = −∂² log p, ν = ∂ log p + τ g at the mode ĝ of the posterior, and Laplace's evidence.

    log q(y) = Σ log p(y_k|ĝ_k) − ½ f̂ᵀK⁻¹f̂ − ½ log|I + K AᵀWA|.

    Parameters
    ----------
    prior : Prior
    y : (m,) answers
    likelihood : Likelihood
    start : an Approximation whose posterior's mean to start from (of nearby parameters), or None for 0
    max_rounds, tol : rounds of Newton's method at most; it ends when no view moves by more than tol

    Returns
    -------
    Approximation

    Source: Rasmussen & Williams (2006), section 3.4; thesis 002, eqs. 2.25–2.27; Paper A, eq. 6 with +λ. Lecture: 06,
    section 3.
    """
    state = _State.beginning(prior, y, likelihood, start)
    damping, moved, rounds = 0.0, np.inf, 0
    while moved > tol and rounds < max_rounds:
        proposal, damping = _newton(prior, state, damping)
        state, moved = _uphill(state, proposal, y, likelihood)
        moved = np.inf if damping and moved > tol else moved
        rounds += 1
        if moved == 0.0 and damping == 0.0:
            break
    return _at_mode(prior, y, likelihood, state, moved <= tol, rounds)


class _State:
    """A point of the search: f = K α, its views g, and the height ψ = log p(y|f) − ½ fᵀK⁻¹f."""

    def __init__(self, alpha, mean, g, y, likelihood):
        self.alpha, self.mean, self.g = alpha, mean, g
        self.derivatives = likelihood.derivatives(y, g)
        self.height = float(self.derivatives[0].sum()) - 0.5 * float(alpha @ mean)

    @classmethod
    def beginning(cls, prior, y, likelihood, start):
        """0, or the mean α of another approximation under this prior."""
        zero = cls(*prior.point(), y, likelihood)
        if start is None:
            return zero
        warm = cls(*prior.point(start.posterior.alpha), y, likelihood)
        return warm if warm.height > zero.height else zero


def _newton(prior, state, damping):
    """Posterior for the sites at this point with τ + λ: the smallest λ tried for which there is one."""
    _, slope, curvature, _ = state.derivatives
    W = -curvature
    enough = max(0.0, -W.min())  # with it no τ is negative, and a posterior exists
    damping = 0.0 if enough == 0.0 else 0.1 * damping
    damping = 0.0 if damping < 1e-3 * enough else damping
    while True:
        tau = W + damping
        try:
            return prior.posterior(tau, tau * state.g + slope), damping
        except np.linalg.LinAlgError:
            if damping > enough:
                raise
            damping = max(4.0 * damping, 0.05 * enough) if damping < enough / 4.0 else 1.001 * enough + 1e-12


def _uphill(state, proposal, y, likelihood):
    """The proposal, or a point on the way to it that is higher; and how far the views moved."""
    step, furthest = 1.0, float(np.abs(proposal.view_mean - state.g).max())
    while step > LEAST_STEP:
        mixed = (
            old + step * (new - old)
            for old, new in (
                (state.alpha, proposal.alpha),
                (state.mean, proposal.mean),
                (state.g, proposal.view_mean),
            )
        )
        found = _State(*mixed, y, likelihood)
        if found.height >= state.height - 1e-12 * (1.0 + abs(state.height)):
            return found, step * furthest
        step *= 0.5
    return state, 0.0


def _at_mode(prior, y, likelihood, state, converged, rounds):
    """Evidence and its gradients, the terms included that come from the mode's moving with the parameters."""
    _, slope, curvature, third = state.derivatives
    try:
        posterior = prior.posterior(-curvature, slope - curvature * state.g)
    except np.linalg.LinAlgError:  # not a maximum yet: the round's limit came first
        tau = np.maximum(-curvature, 0.0)
        posterior, converged = prior.posterior(tau, slope + tau * state.g), False
    _, v = posterior.marginals
    pull = 0.5 * v * third  # −½ ∂ log|I + K AᵀWA| / ∂ĝ_k
    received = prior.views.gather(pull)
    skew = received - posterior.P @ (prior.K @ received)
    explicit, slopes, curvatures = likelihood.parameter_derivatives(y, state.g)
    return Approximation(
        tau=-curvature,
        nu=slope - curvature * state.g,
        posterior=posterior,
        log_evidence=state.height - 0.5 * posterior.log_determinant,
        likelihood_gradient=explicit.sum(1) + 0.5 * curvatures @ v + slopes @ prior.views.of(prior.K @ skew),
        converged=converged,
        rounds=rounds,
        skew=skew,
    )
