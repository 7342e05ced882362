"""Laplace: the site is the likelihood's curvature at the posterior's mode. Lecture: 06, section 3; 13, section 4."""

import numpy as np
from numpy.typing import ArrayLike

from course_lib.gp.inference.approximation import Approximation, check_inference_arguments
from course_lib.gp.kernel_prior import Prior
from course_lib.gp.likelihoods import Likelihood

LEAST_NEWTON_STEP = 2.0**-30
NUDGE = 1e-3  # what α is moved by in a place that is flat but no summit
MODE_TOLERANCE = 1e-5  # at the mode, a further step moves the views by less than this times their standard deviation
BEFORE_A_KINK = 3  # rounds
LEAST_RISE = 1e-6  # nats: by how much another mode is the higher one, and not the same
START_TRUSTS = 1.0, 0.1  # shares of what an answer tells by itself, where other searches begin
LEAST_TOLD = 1e-6  # of the prior precision: what an answer tells at least where a search begins
DAMPING_FRACTIONS = (0.0, 0.05, 0.25, 1.001)  # shares of the λ that is surely enough


def laplace_approximation(
    prior: Prior, y: ArrayLike, likelihood: Likelihood, start: object = None, max_rounds: int = 100, tol: float = 1e-9
) -> Approximation:
    """Sites τ = −∂² log p, ν = ∂ log p + τ g at the mode ĝ of the posterior, and Laplace's evidence.

    log q(y) = Σ log p(y_k|ĝ_k) − ½ f̂ᵀK⁻¹f̂ − ½ log|I + K AᵀWA|.

    prior : Prior;  y : (m,) answers;  likelihood : Likelihood
    start : an Approximation whose posterior's mean to start from (of nearby parameters), or None for 0
    max_rounds, tol : rounds of Newton's method at most; it ends when no view moves by more than tol

    Source: Rasmussen & Williams (2006), section 3.4; Nielsen (2015), eqs. 2.25–2.27; Jensen et al. (2011), eq. 6 with
    +λ.
    """
    y = check_inference_arguments(prior, y, likelihood, start, max_rounds, tol)
    state = _State.beginning(prior, y, likelihood, start)
    moved, rounds = np.inf, 0
    while moved > tol and rounds < max_rounds:
        state, moved = _uphill(state, _newton(prior, state), y, likelihood)
        rounds += 1
        if moved <= tol and not (likelihood.log_concave or _is_summit(prior, state)):
            state, moved = _State(*prior.point(state.alpha + NUDGE), y, likelihood), np.inf
    return _at_mode(prior, y, likelihood, state, rounds)


def laplace_highest(prior, y, likelihood, start=None):
    """Laplace's approximation at the highest mode found; where one search may be enough, that of it.

    An answer that lies beyond its bend at the mode, as one that is called an outlier, may be right and others wrong.
    Then the search begins anew from what each answer says by itself, taken fully and faintly. Of the modes of hard
    cases it may still miss the highest.
    """
    found = laplace_approximation(prior, y, likelihood, start)
    if start is not None or not found.converged or (found.tau >= 0.0).all():
        return found
    others = [laplace_approximation(prior, y, likelihood, each) for each in _by_each_answer(prior, y, likelihood)]
    higher = [other for other in others if other.converged and _height(other) > _height(found) + LEAST_RISE]
    return max(higher, key=_height, default=found)


def _by_each_answer(prior, y, likelihood):
    """What all answers say together if each is taken by itself first, fully or faintly: starts, by one round of EP."""
    variance = np.maximum(prior.explained, prior.least_variance)
    _, mean, left = likelihood.tilted(y, np.zeros(len(y)), variance)
    for trust in START_TRUSTS:
        tau = trust * np.maximum(1.0 / left - 1.0 / variance, LEAST_TOLD / variance)
        yield Approximation(prior.posterior(tau, tau * mean), -np.inf, np.zeros(0), False, 1)


def _height(found):
    """log p(y|f) − ½ fᵀK⁻¹f at the mode, in nats."""
    return found.log_evidence + 0.5 * found.posterior.log_determinant


def laplace_start(prior, y, likelihood):
    """Where other rules begin: Laplace's approximation, or, where slopes jump, a few rounds towards it.

    In a kink there is no curvature, and the search for the mode would never come to rest.
    """
    rounds = {"max_rounds": BEFORE_A_KINK} if len(likelihood.kinks) else {}
    return laplace_approximation(prior, y, likelihood, **rounds)


class _State:
    """A point of the search: f = K α, its views g, and the height ψ = log p(y|f) − ½ fᵀK⁻¹f."""

    def __init__(self, alpha, mean, g, y, likelihood):
        self.alpha, self.mean, self.g = alpha, mean, g
        self.derivatives = likelihood.derivatives(y, g)
        self.height = float(self.derivatives[0].sum()) - 0.5 * float(alpha @ mean)

    @classmethod
    def beginning(cls, prior, y, likelihood, start):
        """0, or the mean α of another approximation under this prior: the higher, if they share one hill."""
        zero = cls(*prior.point(), y, likelihood)
        if start is None:
            return zero
        warm = cls(*prior.point(start.posterior.alpha), y, likelihood)
        return warm if warm.height > zero.height or not likelihood.log_concave else zero


def _newton(prior, state):
    """The posterior for the sites at this point with τ + λ, for the least λ tried with which there is one."""
    _, slope, curvature, _ = state.derivatives
    enough = max(0.0, curvature.max())  # with this λ no τ is negative, and a posterior exists
    for share in DAMPING_FRACTIONS:
        tau = share * enough - curvature
        try:
            return prior.posterior(tau, tau * state.g + slope)
        except np.linalg.LinAlgError:
            if share == DAMPING_FRACTIONS[-1] or enough == 0.0:
                raise


def _uphill(state, proposal, y, likelihood):
    """The proposal, or a point on the way to it that is higher; and how far the views moved."""
    step, furthest = 1.0, float(np.abs(proposal.view_mean - state.g).max())
    while step > LEAST_NEWTON_STEP:
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


def _is_summit(prior, state):
    """Whether the height curves downwards here in every direction: not so in a pass between two hills."""
    try:
        prior.posterior(-state.derivatives[2], state.derivatives[1])
    except np.linalg.LinAlgError:
        return False
    return True


def _at_mode(prior, y, likelihood, state, rounds):
    """Evidence and its gradients, the terms included that come from the mode's moving with the parameters."""
    _, slope, curvature, third = state.derivatives
    tau = -curvature
    try:
        posterior = prior.posterior(tau, tau * state.g + slope)
    except np.linalg.LinAlgError:  # no maximum: the search was cut short
        tau = np.maximum(tau, 0.0)
        posterior = prior.posterior(tau, tau * state.g + slope)
    mean, v = posterior.marginals
    at_rest = np.abs(mean - state.g).max() <= MODE_TOLERANCE * np.sqrt(v.max())
    determinant_gradient = 0.5 * v * third  # −½ ∂ log|I + K AᵀWA| / ∂ĝ_k
    implicit_gradient = posterior.alpha_of(determinant_gradient)
    explicit, slopes, curvatures = likelihood.parameter_derivatives(y, state.g)
    moved = prior.views @ (prior.K @ implicit_gradient)
    return Approximation(
        posterior=posterior,
        log_evidence=state.height - 0.5 * posterior.log_determinant,
        likelihood_gradient=explicit.sum(1) + 0.5 * curvatures @ v + slopes @ moved,
        converged=bool(at_rest and (tau == -curvature).all()),
        rounds=rounds,
        implicit_gradient=implicit_gradient,
        determinant_gradient=determinant_gradient,
    )
