"""Ten sounds in a row, each judged once: evidences by sampling and by the three rules. Lecture: 06, section 6."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from course_lessons.approximate_inference.single_probit import INFERENCE_RULES
from course_lib.gp.kernel_prior import Prior
from course_lib.gp.kernels import SquaredExponential
from course_lib.gp.likelihoods import Probit
from course_lib.gp.observations import stack, values
from course_lib.gp.sites import jittered_cholesky
from course_widgets.tables import table

SOUND_POSITIONS = np.array([0.2, 0.4, 2.7, 5.4, 6.1, 6.4, 7.3, 8.1, 9.1, 9.4])  # where the sounds lie
SAMPLED_ANSWERS = np.array([1, 1, 1, -1, -1, 1, 1, 1, 1, 1])
TEN = stack(values(SOUND_POSITIONS, SAMPLED_ANSWERS, Probit()))
TRUE_LENGTHSCALE = 1.5


class Evidences(NamedTuple):
    """log p(y) by sampling, its standard error, and what each rule has for it: dict of rule → number."""

    sampled: float
    error: float
    by_rule: dict


def sampled_evidence(K, y, likelihood, q, draws=100_000, rng=0):
    """(log p(y), its standard error) by importance sampling from ½ prior + ½ the Gaussian q.

    K : (n, n) prior covariance of f;  y : (n,) one answer to each value;  q : Posterior, with mean and covariance

    Source: Rasmussen & Williams (2006), section 3.9, for sampled evidences; half of the draws from the prior bound
    the weights.
    """
    z = np.random.default_rng(rng).normal(size=(len(K), draws))
    means, roots = (np.zeros(len(K)), q.mean), [jittered_cholesky(C)[0] for C in (K, q.covariance)]
    f = np.where(np.arange(draws) % 2 == 0, roots[0] @ z, q.mean[:, None] + roots[1] @ z)
    log_prior, log_q = (_log_density(f, mean, root) for mean, root in zip(means, roots, strict=True))
    log_drawn = np.logaddexp(log_prior, log_q) - np.log(2)
    weight = np.exp(likelihood.log_density(y[:, None], f).sum(0) + log_prior - log_drawn)
    return np.log(weight.mean()), weight.std() / np.sqrt(draws) / weight.mean()


def _log_density(f, mean, root):
    """log N(f | mean, root rootᵀ) of each column, without the constant that all have."""
    return -0.5 * (solve_triangular(root, f - mean[:, None], lower=True) ** 2).sum(0) - np.log(np.diag(root)).sum()


def ten_evidences(prior_std, draws=100_000):
    """Evidences of the ten answers, for a squared-exponential kernel with this standard deviation."""
    prior = Prior(SquaredExponential(prior_std**2, TRUE_LENGTHSCALE)(TEN.X), TEN.views)
    found = {name: rule(prior, TEN.y, TEN.likelihood) for name, rule in INFERENCE_RULES.items()}
    sampled, error = sampled_evidence(prior.K, TEN.y, TEN.likelihood, found["EP"].posterior, draws)
    return Evidences(sampled, error, {name: one.log_evidence for name, one in found.items()})


def evidences_table(stds, evidences):
    """Evidences of each prior standard deviation, one row each."""
    rows = [
        (f"{std:g}", f"{one.sampled:.3f} ± {one.error:.3f}", *(f"{value:.3f}" for value in one.by_rule.values()))
        for std, one in zip(stds, evidences, strict=True)
    ]
    return table(("σ_f", "sampled log p(y)", *evidences[0].by_rule), rows)
