"""Expectation propagation on three answers, an answer at a time, beside the exact posterior.

Lecture: 06, section 4.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr
from scipy.stats import norm

from course_lib.gp.inference.ep import Matching
from course_lib.gp.kernel_prior import Prior
from course_lib.gp.likelihoods import Probit
from course_lib.gp.observations import stack, values

SOUND_STD, EP_ROUNDS, PHASES = 2.0, 6, ("CAVITY", "TILTED", "UPDATE")
LATENT_GRID = np.linspace(-7, 8, 301)


class Message(NamedTuple):
    """One step of EP, with the beliefs of all sounds after it."""

    round: int
    sound: int  # whose turn it is
    phase: str
    cavity: tuple  # (mean, std)
    tilted: np.ndarray  # (G,) density on LATENT_GRID
    matched: tuple  # (mean, std)
    means: np.ndarray  # (3,) marginals
    stds: np.ndarray
    cavities: tuple  # (means (3,), stds (3,)), of each sound without its own answer
    moved: float  # the largest change of a mean during the round so far


def three_sounds(correlation, answers):
    """(Prior, answers (3,), Probit) for three sounds in a row, f ~ N(0, 2² correlation^|i−j|)."""
    observed = stack(values(np.arange(3.0), answers, Probit()))
    distance = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    return Prior(SOUND_STD**2 * float(correlation) ** distance, observed.views), observed.y, observed.likelihood


@cache
def ep_messages(correlation, answers):
    """EP for `three_sounds`, an answer at a time: list of Message, three phases for each answer in each of 6 rounds.

    Source: Minka (2001); Rasmussen & Williams (2006), section 3.6.
    """
    prior, y, likelihood = three_sounds(correlation, answers)
    tau, nu, steps = np.zeros(3), np.zeros(3), []
    for turn in range(EP_ROUNDS):
        before = prior.posterior(tau, nu).view_mean
        for k in range(3):
            now = Matching(prior, y, likelihood, tau.copy(), nu.copy())
            cavity = float(now.cavity[0][k]), float(np.sqrt(now.cavity[1][k]))
            matched = float(now.tilted_mean[k]), float(np.sqrt(now.tilted_variance[k]))
            density = norm.pdf(LATENT_GRID, *cavity) * ndtr(y[k] * LATENT_GRID) / np.exp(now.log_Z[k])
            tau[k], nu[k] = now.wanted_tau[k], now.wanted_nu[k]
            for phase in PHASES:
                if phase == "UPDATE":
                    now = Matching(prior, y, likelihood, tau.copy(), nu.copy())
                moved = float(np.abs(now.mean - before).max())
                beliefs = now.mean, np.sqrt(now.variance), (now.cavity[0], np.sqrt(now.cavity[1]))
                steps.append(Message(turn + 1, k, phase, cavity, density, matched, *beliefs, moved))
    return steps


@cache
def exact_beliefs(correlation, answers):
    """Means and standard deviations (3,) of `three_sounds`, by a sum over a grid of its three independent weights."""
    prior, y, likelihood = three_sounds(correlation, answers)
    one = np.linspace(-5, 5, 61)
    weights = np.stack(np.meshgrid(one, one, one, indexing="ij")).reshape(3, -1)
    f = np.linalg.cholesky(prior.K) @ weights
    density = np.exp(likelihood.log_density(y[:, None], f).sum(axis=0) - 0.5 * (weights**2).sum(axis=0))
    density /= density.sum()
    means = f @ density
    return means, np.sqrt((f - means[:, None]) ** 2 @ density)
