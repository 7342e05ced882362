"""What a fit warns of: more memory than there is, answers sharper than numbers, an evidence that is off.

Lecture: 05, section 6; 06, section 4.
"""

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from course_lib import validation
from course_lib.gp.inference.ep import EvidenceWarning, evidence_correction, expectation_propagation

LARGE_FIT_GB = 4.0  # a fit that needs more says so before it begins
MATRICES_AT_ONCE = 10  # of all items by all items, about
MAX_MEAN_ROUNDING = 1e-7  # of the mean standard deviation: what rounding may move means by, without a warning
MAX_EVIDENCE_ROUNDING = 0.01  # nats by which rounding may move the evidence, without a warning
MAX_MISFIT = 30.0  # times their noise that answers lie beside the model (root mean square)
MAX_EVIDENCE_ERROR = 0.1  # nats by which EP's evidence may be off, by its own estimate, without a warning


class LargeFitWarning(UserWarning):
    """A fit needs more than `LARGE_FIT_GB` of memory; said before it begins."""


def warn_of_size(evidence, hyper):
    """Warn of the memory that a fit needs: answers by parameters and by items seen, and items by items."""
    seen, n_parameters = evidence.observations, len(hyper.likelihood.theta)
    items = len(seen.X) if hyper.inducing is None else len(hyper.inducing)
    rows = 0 if evidence.is_in_place else min(items, len(seen.views.distinct[0]))
    gigabytes = 8e-9 * (len(seen.y) * (n_parameters + rows) + MATRICES_AT_ONCE * items**2)
    if gigabytes > LARGE_FIT_GB:
        validation.warn(
            f"{len(seen.y)} answers to {items} items, with {n_parameters} parameters of the likelihood, need at least "
            f"{gigabytes:.0f} GB of memory at once; take fewer answers or parameters (such as regions in place of "
            "raters), or inducing inputs.",
            LargeFitWarning,
        )


def warn_of_fit(model, observations, hyper, prior, found):
    """Warn of what is wrong with the sites that a LatentGP found."""
    if not found.converged:
        validation.warn(
            f"inference {model.inference!r} did not come to rest: evidence and predictions may be far off; "
            "try another inference, or other starting values.",
            ConvergenceWarning,
        )
    if hyper.inducing is not None:
        prior._warn_of_loss(found)
    _warn_of_lost_digits(prior, found, 0.0 if hyper.inducing is not None else prior.jitter)
    _warn_of_rounding(prior, found)
    if model._rule is expectation_propagation and found.converged and hyper.inducing is None:
        _warn_of_evidence(observations.y, prior, observations.likelihood_for(hyper.likelihood), found)


def _warn_of_rounding(prior, found):
    """Warn if answers contradict a sharp model so far that means, which are sums of their pulls, are rounding."""
    off = found.nu - found.tau * found.posterior.view_mean  # each answer's pull, (y − mean)/σ² where noise is Gaussian
    variance = float(prior.explained.mean())
    rounding = np.finfo(float).eps * float(np.abs(off).sum()) * variance
    told = found.tau > 0.0
    misfit = np.sqrt(np.mean(off[told] ** 2 / found.tau[told])) if told.any() else 0.0
    if rounding > MAX_MEAN_ROUNDING * np.sqrt(variance) and misfit > MAX_MISFIT:
        validation.warn(
            f"rounding may move means by {rounding:.1e} or more: the answers are taken for so sharp, and lie "
            f"{misfit:.2g} times their noise (root mean square) beside the model. Let the noise be learned, or begin "
            "at a larger one.",
            UserWarning,
        )


def _warn_of_lost_digits(prior, found, jitter):
    """Warn if answers are so sharp that rounding of K, or what was added to its diagonal, is felt beside them."""
    variance, precision = float(prior.explained.mean()), np.abs(found.tau)
    lost = float(precision.sum()) * (jitter + np.finfo(float).eps * variance)
    if lost > MAX_EVIDENCE_ROUNDING:
        validation.warn(
            f"rounding may move the evidence by some {lost:.1g} nats, and predictions with it: the sharpest answer is "
            f"taken to have a noise of {1.0 / np.sqrt(variance * precision.max()):.0e} of what f varies. Give a "
            "larger noise, and hold it by Fixed().",
            UserWarning,
        )


def _warn_of_evidence(y, prior, likelihood, found):
    """Warn if EP's evidence is off by more than matters, as where answers have hardly any noise."""
    lacking = evidence_correction(prior, y, likelihood, found)
    if lacking is not None and abs(lacking) > MAX_EVIDENCE_ERROR:
        validation.warn(
            f"EP's log evidence is too {'low' if lacking > 0 else 'high'} by about {abs(lacking):.1g} nats, because "
            "the posterior is far from Gaussian, as where answers have hardly any noise. Do not choose between models "
            "by differences of that size; means and intervals are less affected.",
            EvidenceWarning,
        )
