"""Expectation propagation: the site makes the posterior's marginal match the true answer's effect on it.

Lecture: 06, section 4.
"""

from math import factorial

import numpy as np
from numpy.typing import ArrayLike

from course_lib.gp.inference.approximation import Approximation, check_inference_arguments
from course_lib.gp.inference.laplace import laplace_start
from course_lib.gp.kernel_prior import Prior
from course_lib.gp.likelihoods import Likelihood

SMALL_STEP, LEAST_EP_STEP = 0.05, 1e-6  # down to which a growing mismatch shortens a step; and a missing posterior
AT_REST, MAX_LEVEL_EP_ROUNDS = 1e-5, 100  # a mismatch that low is enough if it is not halved in so many rounds
MAX_MISMATCH = 1.0  # standard deviations: with a mismatch as great the evidence means nothing
MAX_CORRECTED = 1000  # distinct views whose correlations are computed
CUMULANT_STEP = 0.05  # standard deviations by which the mean moves, for slopes of the variance
LEAST_SHARE = 1e-14  # of a view's precision that its cavity must have: less is rounding


class EvidenceWarning(UserWarning):
    """EP's evidence is off by more than may be neglected."""


def expectation_propagation(
    prior: Prior, y: ArrayLike, likelihood: Likelihood, start: object = None, max_rounds: int = 500, tol: float = 1e-8
) -> Approximation:
    """Sites whose posterior marginals have the mean and variance of cavity × likelihood, and EP's evidence.

    All sites are updated in parallel, by a step that shrinks when the mismatch grows.

    At rest the moments of each view match, to `tol`; that is all EP promises. Its evidence is exact for Gaussian
    answers alone. Of choices it is usually too low by less than 0.05 nats where f varies by up to 4 times the noise,
    and by some 0.1 to 1 where the answers have hardly any noise. `evidence_correction` estimates by how much, and
    `LatentGP.fit` warns from 0.1 on.

    prior, y, likelihood : as for `laplace_approximation`
    start : an Approximation whose sites to start from if they fit; else Laplace's
    max_rounds, tol : rounds at most; it ends when means match within tol posterior standard deviations, or, within
        1e-5 of them, as well as rounding allows

    Source: Minka (2001); Rasmussen & Williams (2006), section 3.6; Jensen et al. (2013), eqs. 4–6.
    """
    y = check_inference_arguments(prior, y, likelihood, start, max_rounds, tol)
    state = None if start is None else _matching(prior, y, likelihood, start.tau, start.nu)
    if state is None:
        sites = laplace_start(prior, y, likelihood)
        state = Matching(prior, y, likelihood, sites.tau, sites.nu)
    step, longest, rounds, level, lowest = 1.0, 1.0, 0, 0, np.inf
    while state.mismatch > tol and rounds < max_rounds and step > LEAST_EP_STEP and level < MAX_LEVEL_EP_ROUNDS:
        rounds += 1
        proposal = _moved(prior, y, likelihood, state, step)
        if proposal is None:
            step *= 0.5
            continue
        if proposal.mismatch < state.mismatch:
            step = min(longest, 1.2 * step)
        else:  # a step as long as this would overshoot again, and so in a circle
            step = longest = max(0.9 * step, SMALL_STEP)
        state = proposal
        if state.mismatch < min(0.5 * lowest, AT_REST):
            level, lowest = 0, state.mismatch
        elif state.mismatch < AT_REST:
            level += 1
    return state.approximation(y, likelihood, state.mismatch <= max(tol, AT_REST), rounds)


class Matching:
    """Sites τ, ν (m,), their posterior, and what EP wants of each: cavity, tilted distribution, the site that matches.

    mean, variance : (m,) of the views;  cavity : both without the view's own site
    log_Z, tilted_mean, tilted_variance : (m,) of cavity × likelihood
    wanted_tau, wanted_nu : (m,) sites with which the posterior would have the tilted moments
    mismatch : the largest gap between the two, in posterior standard deviations; ∞ where a cavity has no variance

    Raises LinAlgError where there is no posterior with these sites.

    Source: Rasmussen & Williams (2006), eqs. 3.56–3.59.
    """

    def __init__(self, prior, y, likelihood, tau, nu):
        self.tau, self.nu, self.posterior = tau, nu, prior.posterior(tau, nu)
        mean, variance = self.mean, self.variance = self.posterior.marginals
        precision, pull = self.posterior.cavities  # 1/v − τ, and ν − τ m
        self.proper = precision > LEAST_SHARE / variance  # else the site gives more than the posterior has
        precision = np.where(self.proper, precision, LEAST_SHARE / variance)
        self.cavity = mean - pull / precision, 1.0 / precision  # CAVITY
        tilted = likelihood.tilted(y, *self.cavity, (mean, variance))  # TILTED
        self.log_Z, self.tilted_mean, self.tilted_variance = tilted
        self.wanted_tau = np.where(self.proper, 1.0 / self.tilted_variance - precision, 0.5 * tau)  # UPDATE
        self.wanted_nu = self.tilted_mean / self.tilted_variance - self.cavity[0] * precision
        self.wanted_nu = np.where(self.proper, self.wanted_nu, 0.5 * nu)
        gap = np.abs(self.tilted_mean - mean) / np.sqrt(variance), np.abs(self.tilted_variance / variance - 1.0)
        self.mismatch = float(np.max(gap)) if self.proper.all() else np.inf

    def approximation(self, y, likelihood, converged, rounds):
        """Evidence: that of the Gaussian sites, and what each true likelihood gives beyond its site.

        log Z_EP = Σ log Z_k + ½ Σ [log c_k/v_k + (m_k − μ_k)²/c_k] − ½ (meanᵀK⁻¹mean + log|I + K AᵀTA|), where
        a view's cavity is N(μ, c) and its marginal N(m, v). The usual ½ Σ [ν m − m²/v + μ²/c] is the same as
        the terms of means here, but of sharp sites it leaves only rounding. Of sites that do not match by far, or give
        more than the posterior has, it says nothing: −∞.
        """
        cavity_mean, cavity_variance = self.cavity
        beyond = np.log(cavity_variance / self.variance) + (self.mean - cavity_mean) ** 2 / cavity_variance
        gaussian = self.posterior.quadratic + self.posterior.log_determinant
        evidence = float((self.log_Z + 0.5 * beyond).sum()) - 0.5 * gaussian
        slopes = likelihood.tilted_parameter_gradient(y, *self.cavity, (self.tilted_mean, self.tilted_variance))
        return Approximation(
            posterior=self.posterior,
            log_evidence=evidence if self.mismatch < MAX_MISMATCH else -np.inf,
            likelihood_gradient=slopes.sum(1),
            converged=converged,
            rounds=rounds,
        )


def evidence_correction(prior, y, likelihood, found):
    """What EP's log evidence lacks to second order, in nats; None where there are too many views, or only rounding.

    ½ Σ_{k≠l} Σ_{r=3,4} (κ_rk κ_rl / r!) (S_kl / (S_kk S_ll))^r, where κ_rk is the r-th cumulant of cavity × likelihood
    and S the posterior covariance of the views. A cumulant is the slope of the one before in the cavity's mean over
    its variance.

    prior, y, likelihood : as for `expectation_propagation`;  found : what that returned

    Source: Opper, Paquet & Winther (2013).
    """
    views, sign, of = prior.views.distinct
    if len(views) > MAX_CORRECTED:
        return None
    state = Matching(prior, y, likelihood, found.tau, found.nu)
    (mean, variance), spread = state.cavity, np.sqrt(state.tilted_variance)
    step = CUMULANT_STEP / spread
    near = state.mean, state.variance
    below, above = (likelihood.tilted(y, mean + k * step * variance, variance, near)[2] for k in (-1.0, 1.0))
    skewness = (above - below) / (2.0 * step) / spread**3
    kurtosis = (above - 2.0 * state.tilted_variance + below) / step**2 / spread**4
    S = views @ ((views @ state.posterior.covariance).T)
    if not np.allclose(S.diagonal()[of], state.variance, rtol=0.1, atol=0.0):  # rounding
        return None
    correlation = np.clip(S / np.sqrt(np.outer(S.diagonal(), S.diagonal())), -1.0, 1.0)
    total = 0.0
    for order, cumulant in ((3, sign * skewness), (4, kurtosis)):
        of_view = np.bincount(of, cumulant, len(views))
        total += 0.5 / factorial(order) * (of_view @ correlation**order @ of_view - cumulant @ cumulant)
    return float(total) if np.isfinite(total) else None


def _moved(prior, y, likelihood, state, step):
    """The sites a step further towards those wanted, or None where no posterior exists."""
    tau = (1.0 - step) * state.tau + step * state.wanted_tau
    nu = (1.0 - step) * state.nu + step * state.wanted_nu
    return _matching(prior, y, likelihood, tau, nu)


def _matching(prior, y, likelihood, tau, nu):
    """The state with these sites, or None where no posterior exists."""
    try:
        state = Matching(prior, y, likelihood, tau, nu)
    except np.linalg.LinAlgError:
        return None
    return state if np.isfinite(state.log_Z).all() else None
