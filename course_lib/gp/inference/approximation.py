"""What each way of choosing the sites returns: sites, posterior, evidence, and all that its gradient needs.

Lecture: 06, sections 2 and 6.
"""

from dataclasses import dataclass

import numpy as np

from course_lib import validation
from course_lib.gp.kernel_prior import Prior
from course_lib.gp.likelihoods import Likelihood
from course_lib.gp.sites import ItemPosterior, Posterior


@dataclass(frozen=True, eq=False)
class Approximation:
    """A Gaussian posterior and the evidence that goes with it.

    posterior : Posterior, which has the sites τ, ν (m,)
    log_evidence : log p(y), or what this way of inference has for it
    likelihood_gradient : (P,) ∂ log evidence / ∂ θ of the likelihood
    implicit_gradient : (n,) z of Laplace's implicit term, or None: there ∂ log evidence = … + zᵀ ∂K α
    determinant_gradient : (m,) −½ ∂ log|I + K AᵀWA| / ∂ĝ, or None: what Laplace's determinant gains when a view's
        mode moves
    open_weight : (m,) ∂ log evidence / ∂ the variance that inducing inputs leave open, or None for the bound's −½ τ
    converged : whether the sites came to rest;  rounds : how many updates that took
    """

    posterior: Posterior
    log_evidence: float
    likelihood_gradient: np.ndarray
    converged: bool
    rounds: int
    implicit_gradient: np.ndarray | None = None
    determinant_gradient: np.ndarray | None = None
    open_weight: np.ndarray | None = None

    @property
    def tau(self):
        """(m,) τ of the sites."""
        return self.posterior.tau

    @property
    def nu(self):
        """(m,) ν of the sites."""
        return self.posterior.nu

    def kernel_weights(self):
        """(n, n) G with ∂ log evidence = Σ_ij G_ij ∂K_ij: ½ (α αᵀ − P), and for Laplace z αᵀ on top.

        For EP and the variational bound the sites may be held still: they stand at a stationary point.

        Source: Rasmussen & Williams (2006), eqs. 5.9, 5.22–5.24, 5.27.
        """
        alpha = self.posterior.alpha
        weights = 0.5 * (np.outer(alpha, alpha) - self.posterior.P)
        return weights if self.implicit_gradient is None else weights + np.outer(self.implicit_gradient, alpha)


def check_inference_arguments(prior, y, likelihood, start=None, max_rounds=1, tol=1.0):
    """The answers (m,), if a rule of inference can work with what it was called with."""
    validation.instance(prior, Prior, "prior", "a Prior, such as Prior(kernel(X), views),")
    validation.instance(likelihood, Likelihood, "likelihood", "a Likelihood such as Gaussian(0.3) or Probit()")
    if start is not None:
        validation.instance(start, Approximation, "start", "None or an Approximation")
    validation.integer(max_rounds, "max_rounds", least=0)
    validation.positive(tol, "tol")
    y = validation.real_array(y, "y")
    if y.shape != (len(prior.views),):
        raise ValueError(f"y has shape {y.shape}; an answer for each of the {len(prior.views)} views is needed.")
    return likelihood.check(y)


def prior_alone(prior, likelihood):
    """The Approximation when nobody answered: the prior itself."""
    nothing = np.zeros(0)
    return Approximation(ItemPosterior(prior, nothing, nothing), 0.0, np.zeros(likelihood.n_free), True, 0)
