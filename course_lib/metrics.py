"""Scores of predictions, with intervals and tests. Lecture: 01, section 7; 08, section 6."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_ndtr, logsumexp
from scipy.stats import norm, ttest_rel

from course_lib import validation


class Proportion(NamedTuple):
    """A proportion of successes with its confidence interval."""

    estimate: float
    low: float
    high: float

    def __str__(self):
        return f"{self.estimate:.3f} [{self.low:.3f}, {self.high:.3f}]"


def proportion(successes: ArrayLike, confidence: float = 0.95) -> Proportion:
    """Proportion of successes, such as an accuracy, with Wilson's score interval.

    successes : (n,) booleans, one for each independent trial;  confidence : float in (0, 1)

    Source: Wilson (1927).

    >>> from course_lib.metrics import proportion
    >>> print(proportion([True] * 8 + [False] * 2))
    0.800 [0.490, 0.943]
    """
    successes = validation.array(successes, "successes")
    if successes.ndim != 1 or successes.size == 0 or successes.dtype != bool:
        raise ValueError(
            f"successes has shape {successes.shape} and dtype {successes.dtype}; "
            "a non-empty one-dimensional array of booleans is needed, such as predicted == truth."
        )
    n, share = len(successes), float(successes.mean())
    z = norm.ppf((1 + validation.between(confidence, "confidence", 0, 1)) / 2)
    center = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return Proportion(share, float(center - half), float(center + half))


def score_log_probabilities(mean: ArrayLike, std: ArrayLike, scores: ArrayLike) -> NDArray:
    """log P(c | x) ∝ Φ((c + ½ − μ)/σ) − Φ((c − ½ − μ)/σ): a Gaussian prediction as probabilities of whole scores.

    mean : (q,) μ, in scores
    std : (q,) σ > 0 of one rater's answer (its noise included), in scores
    scores : (C,) the scale: consecutive integers, ascending
    Returns (q, C) log probabilities; the probabilities in each row sum to one, even if the mean is hundreds of σ
    outside the scale.

    Source: Wong et al. (2023), section 4.
    """
    mean, std = validation.vectors(1, mean=mean, std=std)
    scores = whole_scores(scores)
    if ((std < 1e-100) | (std > 1e6)).any():
        i = np.flatnonzero((std < 1e-100) | (std > 1e6))[0]
        raise ValueError(
            f"std[{i}] is {std[i]:g}; a standard deviation above 0, from 1e-100 to 1e6 scores, is needed."
        )
    if (np.abs(mean - scores[0]) > 1e9).any():
        i = np.argmax(np.abs(mean - scores[0]))
        raise ValueError(f"mean[{i}] is {mean[i]:g}; a number in scores, within 1e9 of the scale, is needed.")
    ends = (np.append(scores[0] - 0.5, scores + 0.5) - mean[:, None]) / std[:, None]
    log_P = _log_interval(ends[:, :-1], ends[:, 1:])
    return log_P - logsumexp(log_P, axis=1, keepdims=True)


def _log_interval(a, b):
    """log(Φ(b) − Φ(a)) for a < b."""
    flip = a + b > 0  # Φ(b) − Φ(a) = Φ(−a) − Φ(−b): take the side on which both are small
    low, high = log_ndtr(np.where(flip, -b, a)), log_ndtr(np.where(flip, -a, b))
    return high + np.log(-np.expm1(low - high))


class PairedTest(NamedTuple):
    """Mean of a − b, its standard error, Student's t and the two-sided p."""

    difference: float
    standard_error: float
    t: float
    p: float

    def __str__(self):
        """The difference and its standard error."""
        return f"{self.difference:+.3f} ± {self.standard_error:.3f}"


def paired_t_test(a: ArrayLike, b: ArrayLike) -> PairedTest:
    """Paired t-test: does the mean of a − b over items differ from 0? Two-sided, n − 1 degrees of freedom.

    a, b : (n,) the two models' values for the same n ≥ 2 items

    Source: Student (1908); Wong et al. (2023), section 4.

    >>> from course_lib.metrics import paired_t_test
    >>> print(paired_t_test([1.0, 2.0, 3.0], [1.5, 2.2, 3.4]))
    -0.367 ± 0.088
    """
    a, b = validation.vectors(2, a=a, b=b)
    if np.ptp(a - b) <= 1e-12 * max(np.abs(a).max(), np.abs(b).max()):
        raise ValueError(
            f"a − b is {np.mean(a - b):g} for all {len(a)} items; differences that vary are needed for a standard "
            "error. If it is 0, the two models predict the same; were they given the same values?"
        )
    t, p = ttest_rel(a, b)
    return PairedTest(float(np.mean(a - b)), float(np.std(a - b, ddof=1) / np.sqrt(len(a))), float(t), float(p))


def whole_scores(scores: ArrayLike) -> NDArray:
    """A scale, checked: (C,) whole numbers, ascending, one apart; at least two."""
    scores = validation.real_array(scores, "scores")
    if scores.ndim != 1 or len(scores) < 2 or (scores != np.rint(scores)).any() or (np.diff(scores) != 1).any():
        raise ValueError(
            f"scores (shape {scores.shape}) holds {scores.ravel()[:12]}; at least two whole numbers, ascending and "
            "one apart, are needed, such as range(11)."
        )
    return scores
