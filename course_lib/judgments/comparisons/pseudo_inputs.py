"""Pseudo-inputs for choices: what they leave open of a difference is more noise, in closed form.

Lecture: 11, section 6.
"""

import copy
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from course_lib import validation
from course_lib.gp import InducingPrior, Likelihood, Prior, Probit, laplace_approximation
from course_lib.gp.inference.approximation import Approximation, check_inference_arguments
from course_lib.gp.likelihoods.counted import ReplicatedLikelihood
from course_lib.judgments.comparisons.likelihoods import Comparison


class OpenChoice(Comparison):
    """p(y_k | g_k) = Φ(y_k g_k/s_k): a choice whose difference has its own noise s_k, which is no parameter.

    spread : (m,) s > 0

    Source: Nielsen et al. (2012), eq. 8; Nielsen (2015), eqs. 2.55 and 2.58, with a minus before 2Σ₁₂.
    """

    parameter_names = ()

    def __init__(self, spread):
        self.children, self.noise_std = (Probit(),), spread / np.sqrt(2.0)

    def spread_slopes(self, y, g):
        """∂/∂ log s_k of log p and of its first two derivatives, (m,) each."""
        return (slope[0] for slope in self._parameter_derivatives("noise_std", y, g))


def pseudo_input_laplace(prior: Prior, y: ArrayLike, likelihood: Likelihood, start: object = None) -> Approximation:
    """Laplace for choices seen through pseudo-inputs: s_k² = 2σ² + the variance that they leave open.

    prior : InducingPrior of differences;  y : (m,) ±1;  start : as for `laplace_approximation`
    likelihood : Comparison(Probit(), σ), or ReplicatedLikelihood of it: then what is open of a
        difference is open in each answer anew

    Its open_weight says what the evidence gains by each difference's residual variance.

    Source: Nielsen et al. (2012), section 2; Nielsen (2015), section 2.3.2.1.
    """
    y = check_inference_arguments(prior, y, likelihood, start)
    validation.instance(prior, InducingPrior, "prior", "an InducingPrior of differences")
    one, counts = (
        (likelihood.inner, likelihood.counts) if isinstance(likelihood, ReplicatedLikelihood) else (likelihood, 1.0)
    )
    validation.instance(one, Comparison, "likelihood", "Comparison(Probit(), σ), or ReplicatedLikelihood of it,")
    opened = OpenChoice(np.sqrt(one.spread**2 + prior.residual))
    told = copy.copy(prior)
    told.residual = 0.0  # it is in the likelihood now
    found = laplace_approximation(told, y, ReplicatedLikelihood(opened, counts), start)
    g, v = found.posterior.marginals
    explicit, slopes, curvatures = (counts * slope for slope in opened.spread_slopes(y, g))
    moved = told.views @ (told.K @ found.implicit_gradient)
    gain = explicit + 0.5 * curvatures * v + slopes * moved  # ∂ log evidence / ∂ log s
    share = (one.spread / opened.spread) ** 2  # of a step in log σ that arrives in log s
    learned = np.array([gain @ share])[: len(one.theta)]
    return replace(found, open_weight=0.5 * gain / opened.spread**2, likelihood_gradient=learned)
