"""Acquisition functions: the value of a question about each of q points, from posterior moments of f.

Each takes the moments and returns a number for each point (or pair), the larger the better; none depends on a model.

Lecture: 12, sections 2 and 3; 13, section 3.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr, ndtr

from course_lib import selection, validation
from course_lib.gp.likelihoods import Gaussian, Likelihood
from course_lib.gp.sites import symmetric_root
from course_lib.kinds import Rng

SQRT_2PI = np.sqrt(2.0 * np.pi)
STRADDLE_WIDTH = 1.96  # standard deviations
QUADRATURE_NODES = 32  # of Gauss–Hermite, over g
ANSWER_STEPS = 40  # into which an answer between two ends is discretised


def expected_positive_part(mean, std):
    """E[max(I, 0)] for I ~ N(mean, std²): std φ(z) + mean Φ(z) with z = mean/std, and max(mean, 0) where std is 0.

    It is not the mean of the normal distribution truncated at 0, which is E[max(I, 0)]/Φ(z).

    mean, std : numbers or arrays that broadcast, in the unit of f

    Source: Jones (2001); Nielsen (2015), eq. 3.3.
    """
    mean, std = validation.real_array(mean, "mean"), validation.real_array(std, "std")
    if (std < 0).any():
        raise ValueError(f"std goes down to {np.min(std):.4g}; a standard deviation is 0 or more.")
    known = std == 0
    z = mean / np.where(known, 1.0, std)
    return np.where(known, np.maximum(mean, 0.0), std * _density(z) + mean * ndtr(z))


def improvement(mean, cov, incumbent):
    """Mean and standard deviation, (q,) each, of f_j − f_incumbent, both of which are uncertain and correlated.

    mean : (q,);  cov : (q, q);  incumbent : index of one of the q points

    Source: Nielsen (2015), eqs. 3.4 and 3.5.
    """
    mean, cov = _moments(mean, cov)
    i = _point(incumbent, len(mean))
    variance = np.diagonal(cov) + cov[i, i] - 2.0 * cov[i]
    variance[i] = 0.0  # f_i − f_i is 0, despite rounding
    return mean - mean[i], np.sqrt(np.maximum(variance, 0.0))


def expected_improvement(mean: ArrayLike, cov: ArrayLike, incumbent: int, covariance: bool = True) -> NDArray:
    """(q,) how much f_j is expected to exceed the incumbent's value: E[max(f_j − f_i, 0)].

    Parameters
    ----------
    mean : (q,) posterior means of f
    cov : (q, q) posterior covariances; for the univariate form the variances (q,) suffice
    incumbent : index of the best point so far; for the univariate form also a value of f, as a float
    covariance : True: the incumbent's value is uncertain and correlated with f_j (bivariate; 0 at the incumbent
        itself); False: its value is taken to be its mean (univariate)

    Source: Jones (2001); Nielsen (2015), eqs. 3.2–3.5.

    >>> from course_lib.judgments import expected_improvement
    >>> covariance = [[1.0, 0.5, 0.5], [0.5, 1.0, 0.5], [0.5, 0.5, 1.0]]
    >>> expected_improvement([0.0, 1.0, 1.0], covariance, incumbent=1).round(2)
    array([0.08, 0.  , 0.4 ])
    """
    if validation.flag(covariance, "covariance"):
        return expected_positive_part(*improvement(mean, cov, incumbent))
    mean, std = marginals(mean, cov)
    return expected_positive_part(mean - _value(incumbent, mean), std)


def upper_confidence_bound(mean: ArrayLike, cov: ArrayLike, width: float = 2.0) -> NDArray:
    """(q,) mean + width · standard deviation: an optimistic value of each point.

    mean : (q,);  cov : (q, q), or variances (q,);  width : standard deviations, 0 or more

    Source: Auer (2002); Srinivas et al. (2010).
    """
    mean, std = marginals(mean, cov)
    return mean + validation.not_negative(width, "width") * std


def straddle(mean: ArrayLike, variance: ArrayLike, threshold: float) -> NDArray:
    """(q,) 1.96 standard deviations − |mean − threshold|: ask where f is uncertain and near the threshold.

    mean, variance : (q,) moments of f;  threshold : in the unit of f

    Source: Bryan et al. (2005), "Active learning for identifying function threshold boundaries".
    """
    mean, std = marginals(mean, variance, ("mean", "variance"))
    return STRADDLE_WIDTH * std - abs(mean - validation.finite(threshold, "threshold"))


def thompson(mean: ArrayLike, cov: ArrayLike, rng: Rng = None) -> NDArray:
    """(q,) one function drawn from the posterior: ask where it is largest.

    Source: Thompson (1933); Chapelle & Li (2011).
    """
    mean, cov = _moments(mean, cov)
    return mean + symmetric_root(cov) @ validation.generator(rng).normal(size=len(mean))


def expected_best(mean: ArrayLike, cov: ArrayLike, pairs: ArrayLike) -> NDArray:
    """(m,) E[max(f_a, f_b)] of pairs (a, b): expected utility of the best option (EUBO).

    If a is the incumbent, it is a's mean plus the bivariate expected improvement: the same choice of b.

    mean : (q,);  cov : (q, q);  pairs : (m, 2) indices of points

    Source: Lin et al. (2022), "Preference exploration for efficient Bayesian optimization with multiple outcomes".
    """
    mean, cov = _moments(mean, cov)
    a, b = selection.indices(pairs, "pairs", (None, 2), len(mean), "points").T
    variance = np.where(a == b, 0.0, cov[a, a] + cov[b, b] - 2.0 * cov[a, b])
    return mean[a] + expected_positive_part(mean[b] - mean[a], np.sqrt(np.maximum(variance, 0.0)))


def bald(mean: ArrayLike, variance: ArrayLike, likelihood: Likelihood) -> NDArray:
    """(q,) information that an answer gives about f, in nats: the mutual information of y and g ~ N(mean, variance).

    Ask where the model is uncertain about the answer, but would be certain if it knew g: H[y] − E[H[y | g]].

    mean, variance : (q,) moments of the view g that the answer is about, such as f_b − f_a
    likelihood : Likelihood of the answer: with finitely many answers (choices, ties, grades), answers between two ends
        (degrees, marks; discretised into 40 equal steps, as on a slider), or Gaussian

    Source: Houlsby et al. (2011), eq. 2, by quadrature instead of their approximation.
    """
    mean, std = marginals(mean, variance, ("mean", "variance"))
    validation.instance(likelihood, Likelihood, "likelihood", "a Likelihood such as Comparison(Probit(), 1.0)")
    if isinstance(likelihood, Gaussian) and not np.ndim(likelihood.noise_std):
        return 0.5 * np.log1p((std / likelihood.noise_std) ** 2)
    z, weight = np.polynomial.hermite_e.hermegauss(QUADRATURE_NODES)
    p = _probabilities(likelihood, mean + z[:, None] * std)  # (answers, Q, q)
    weight = weight / weight.sum()
    average = np.einsum("aqj,q->aj", p, weight)
    return np.maximum(entr(average).sum(axis=0) - np.einsum("aqj,q->j", entr(p), weight), 0.0)


def _probabilities(likelihood, g):
    """(answers, …) P(answer | g): of each possible answer, or of each of ANSWER_STEPS equal steps between two ends."""
    if likelihood.possible is not None:
        return np.stack([np.exp(likelihood.log_density(np.full(g.shape, y), g)) for y in likelihood.possible])
    low, high = likelihood.support
    if not np.isfinite([low, high]).all():
        raise ValueError(
            f"likelihood is {likelihood!r}, whose answers have no ends; one with finitely many answers, with answers "
            "between two ends, or a Gaussian with one noise is needed."
        )
    inner = [likelihood.cumulative(np.full(g.shape, y), g) for y in np.linspace(low, high, ANSWER_STEPS + 1)[1:-1]]
    return np.diff([np.zeros(g.shape), *inner, np.ones(g.shape)], axis=0)


def _density(z):
    return np.exp(-0.5 * z**2) / SQRT_2PI


def _moments(mean, cov):
    """mean (q,) and covariance (q, q), as float64."""
    mean, cov = validation.real_array(mean, "mean"), validation.real_array(cov, "cov")
    if mean.ndim != 1 or cov.shape != (len(mean), len(mean)):
        raise ValueError(f"mean has shape {mean.shape} and cov {cov.shape}; (q,) and (q, q) are needed.")
    return mean, cov


def marginals(mean, cov, names=("mean", "cov")):
    """mean (q,) and standard deviations (q,), of a covariance (q, q) or of variances (q,)."""
    mean, variance = (validation.real_array(value, name) for value, name in zip((mean, cov), names, strict=True))
    if mean.ndim != 1 or variance.shape not in (mean.shape, 2 * mean.shape):
        raise ValueError(
            f"{names[0]} has shape {mean.shape} and {names[1]} {variance.shape}; (q,) and variances (q,) or (q, q) "
            "are needed."
        )
    if variance.ndim == 2:
        variance = np.maximum(np.diagonal(variance), 0.0)  # negative values are rounding errors
    if (variance < 0).any():
        raise ValueError(f"{names[1]} goes down to {variance.min():.4g}; variances must not be negative.")
    return mean, np.sqrt(variance)


def _point(incumbent, count):
    i = validation.integer(incumbent, "incumbent", least=0)
    if i >= count:
        raise ValueError(f"incumbent is {i}; an index among the {count} points is needed.")
    return i


def _value(incumbent, mean):
    """The value to improve upon: that of a point, or a given number."""
    is_index = isinstance(incumbent, (int, np.integer)) and not isinstance(incumbent, bool)
    return mean[_point(incumbent, len(mean))] if is_index else validation.finite(incumbent, "incumbent")
