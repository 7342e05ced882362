"""Two measurements of one number that contradict each other, with heavy tails: a posterior with two modes.

Lecture: 06, section 8.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from course_lessons.approximate_inference.single_probit import INFERENCE_RULES
from course_lib.gp.kernel_prior import Prior
from course_lib.gp.likelihoods import StudentT
from course_lib.gp.observations import stack, values
from course_widgets.tables import table

PRIOR_STD = 3.0
GRID = np.linspace(-15, 15, 6001)


class Posterior(NamedTuple):
    """Density (6001,) on GRID, mean and standard deviation of the number, and log p(y)."""

    density: np.ndarray
    mean: float
    std: float
    log_evidence: float


def measured(first, second):
    """Both measurements, with Student's t as their noise: scale 0.5, four degrees of freedom."""
    return stack(values([0.0], [[first, second]], StudentT(0.5, 4.0)))


def exact(answers):
    """Posterior of the number, by sums over the grid."""
    step = GRID[1] - GRID[0]
    likelihood = np.exp(answers.likelihood.log_density(answers.y[:, None], GRID).sum(axis=0))
    joint = norm.pdf(GRID, 0, PRIOR_STD) * likelihood
    evidence = joint.sum() * step
    weight = joint * step / evidence
    mean = weight @ GRID
    return Posterior(joint / evidence, mean, np.sqrt(weight @ (GRID - mean) ** 2), np.log(evidence))


def by_rules(answers):
    """{rule: what it puts in the place of the posterior}."""
    prior = Prior(np.array([[PRIOR_STD**2]]), answers.views)
    return {name: rule(prior, answers.y, answers.likelihood) for name, rule in INFERENCE_RULES.items()}


def moments(found):
    """(mean, standard deviation) of a rule's Gaussian."""
    return found.posterior.mean[0], np.sqrt(found.posterior.covariance[0, 0])


def rules_table(truth, found):
    """The posterior, and what each rule {name: found} has for it."""
    rows = [("true", f"{abs(truth.mean):.2f} ± {truth.std:.2f}", f"{truth.log_evidence:.2f}", "–", "–", "–")]
    for name, q in found.items():
        taus = ", ".join(f"{tau:.2f}" for tau in q.tau)
        evidence, total = f"{q.log_evidence:.2f}", f"{q.tau.sum():.2f}"
        rows.append((name, "{:.2f} ± {:.2f}".format(*moments(q)), evidence, taus, total, q.converged))
    return table(("", "mean ± std", "log evidence", "τ", "sum of τ", "converged"), rows)


def distances_table(pairs):
    """Moments of the posterior and of two rules' Gaussians for pairs of measurements."""
    rows = []
    for pair in pairs:
        answers = measured(*pair)
        truth, found = exact(answers), by_rules(answers)
        ep = found["EP"]
        said = f"{moments(ep)[1]:.2f}, sum of τ {ep.tau.sum():+.2f}" if ep.converged else "not converged"
        variational = "{:+.2f} ± {:.2f}".format(*moments(found["variational"]))
        rows.append((pair, f"{round(truth.mean, 2) + 0.0:+.2f} ± {truth.std:.2f}", variational, said))
    return table(("measurements", "true mean ± std", "variational", "EP's std"), rows)
