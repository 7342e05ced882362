"""One yes about one number: its posterior, and the Gaussian that each way of inference puts in its place.

Lecture: 06, sections 1, 3 and 5.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import log_ndtr, ndtr
from scipy.stats import norm

from course_lib.gp.inference.ep import expectation_propagation
from course_lib.gp.inference.laplace import laplace_approximation
from course_lib.gp.inference.variational import variational_inference
from course_lib.gp.kernel_prior import Prior
from course_lib.gp.likelihoods import Probit
from course_lib.gp.observations import stack, values
from course_widgets.tables import table

INFERENCE_RULES = {
    "Laplace": laplace_approximation,
    "EP": expectation_propagation,
    "variational": variational_inference,
}
YES = stack(values([0.0], [1.0], Probit()))


class Belief(NamedTuple):
    """Mean, standard deviation and mass below 0 of a posterior of g, and P(the next answer is yes)."""

    mean: float
    std: float
    below: float
    next_yes: float


def grid_posterior(prior_std, yes=1, no=0):
    """(g, density) of the posterior after some answers, ∝ Φ(g)^yes Φ(−g)^no N(g | 0, σ_f²), on a grid of mass 1."""
    g = prior_std * np.linspace(-7, 7, 2001)
    density = norm.pdf(g, 0, prior_std) * ndtr(g) ** yes * ndtr(-g) ** no
    return g, density / (density.sum() * (g[1] - g[0]))


@cache
def after_one_yes(prior_std):
    """{"exact" or rule: Belief} after one person said yes once, for g ~ N(0, prior_std²)."""
    g, density = grid_posterior(prior_std)
    weight = density * (g[1] - g[0])
    mean = float(weight @ g)
    std = float(np.sqrt(weight @ (g - mean) ** 2))
    below = float(weight @ np.heaviside(-g, 0.5))
    beliefs = {"exact": Belief(mean, std, below, float(weight @ ndtr(g)))}
    prior = Prior(np.array([[prior_std**2]]), YES.views)
    for name, rule in INFERENCE_RULES.items():
        (mean,), (variance,) = rule(prior, YES.y, YES.likelihood).posterior.marginals
        chance = ndtr(mean / np.sqrt(1 + variance))
        beliefs[name] = Belief(float(mean), float(np.sqrt(variance)), ndtr(-mean / np.sqrt(variance)), float(chance))
    return beliefs


@cache
def site_curves(prior_std):
    """{rule: its site over the grid of `grid_posterior`}, in place of Φ(g); prior × site adds up to its evidence."""
    g, _ = grid_posterior(prior_std)
    prior, curves = Prior(np.array([[prior_std**2]]), YES.views), {}
    for name, rule in INFERENCE_RULES.items():
        found = rule(prior, YES.y, YES.likelihood)
        site = np.exp(found.nu[0] * g - 0.5 * found.tau[0] * g**2)
        mass = norm.pdf(g, 0, prior_std) @ site * (g[1] - g[0])
        curves[name] = np.exp(found.log_evidence) / mass * site
    return curves


def gaussians_table(prior_std):
    """Each rule's Gaussian after one yes: its measurement, moments and divergences from the posterior."""
    g, density = grid_posterior(prior_std)
    beliefs, prior = after_one_yes(prior_std), Prior(np.array([[prior_std**2]]), YES.views)
    rows = []
    for name, rule in INFERENCE_RULES.items():
        site, belief = rule(prior, YES.y, YES.likelihood), beliefs[name]
        tau, nu = site.tau[0], site.nu[0]
        log_ratio = norm.logpdf(g, belief.mean, belief.std) - norm.logpdf(g, 0, prior_std) - log_ndtr(g) - np.log(2)
        weights = norm.pdf(g, belief.mean, belief.std), -density
        divergences = [f"{weight @ log_ratio * (g[1] - g[0]):.3f}" for weight in weights]
        rows.append((name, f"{nu / tau:.2f} ± {tau**-0.5:.2f}", *_moments(belief), *divergences))
    rows.append(("true posterior", "–", *_moments(beliefs["exact"]), "–", "–"))
    head = ("Gaussian", "takes the yes for", "mean ± std", "mass below 0", "KL(q‖posterior)", "KL(posterior‖q)")
    return table(head, rows)


def _moments(belief):
    return f"{belief.mean:.2f} ± {belief.std:.2f}", f"{belief.below:.3f}"
