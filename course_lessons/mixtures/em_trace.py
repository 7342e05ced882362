"""EM taken apart: what is known after each E-step and after each M-step, with the bound that both raise.

Lecture: 03, section 3.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import entr

from course_lib.sequences import sufficient_statistics as sufficient
from course_lib.sequences.covariances import Mixture
from course_lib.sequences.mixture import joint_log_densities, maximization, responsibilities


class HalfStep(NamedTuple):
    """What is known after a half-step of EM; before the first E-step γ is None and there is no bound (NaN)."""

    mixture: Mixture
    gamma: np.ndarray | None
    log_likelihood: float
    bound: float


def em_half_steps(X, mixture, rounds, covariance_type="diag"):
    """EM from a mixture, half a round at a time: list of HalfStep, 0 … 2 rounds.

    Odd ones are E-steps, after which the bound touches the log likelihood; even ones are M-steps.

    Source: Neal and Hinton (1998).
    """
    log_joint = joint_log_densities(X, mixture, covariance_type)
    steps = [HalfStep(mixture, None, _log_likelihood(log_joint), np.nan)]
    for _ in range(rounds):
        gamma, before = responsibilities(log_joint), steps[-1].log_likelihood
        steps.append(HalfStep(mixture, gamma, before, before))
        statistics = sufficient.accumulate(X, gamma.T, covariance_type, X.mean(axis=0))
        mixture = maximization(statistics, mixture, covariance_type)
        log_joint = joint_log_densities(X, mixture, covariance_type)
        bound = float((gamma * log_joint + entr(gamma)).sum())
        steps.append(HalfStep(mixture, gamma, _log_likelihood(log_joint), bound))
    return steps


def _log_likelihood(log_joint):
    return float(np.logaddexp.reduce(log_joint, axis=1).sum())


# --- eighty points of two groups -------------------------------------------------------------------

MAX_ROUNDS = 80


@cache
def two_groups():
    """(80, 1) points: 40 from N(−2, 0.8²) and 40 from N(2, 0.8²)."""
    rng = np.random.default_rng(0)
    return np.concatenate([rng.normal(-2, 0.8, 40), rng.normal(2, 0.8, 40)])[:, None]


@cache
def half_steps_from(mean_1, mean_2):
    """EM on `two_groups` from two means, σ = 1 and equal weights: list of HalfStep, 0 … 2 MAX_ROUNDS."""
    start = Mixture(np.full(2, 0.5), np.array([[mean_1], [mean_2]], dtype=float), np.ones((2, 1)))
    return em_half_steps(two_groups(), start, MAX_ROUNDS)
