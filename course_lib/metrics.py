"""How good a model is, and how sure one can be of it.

Lecture: 01, section 7.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from course_lib import validation


class Proportion(NamedTuple):
    """A share of successes with its confidence interval. Lecture: 01, section 7."""

    estimate: float
    low: float
    high: float

    def __str__(self):
        return f"{self.estimate:.3f} [{self.low:.3f}, {self.high:.3f}]"


def proportion(successes, confidence=0.95):
    """Share of successes, such as an accuracy, with Wilson's score interval.

    Parameters
    ----------
    successes : (n,) booleans, one for each independent trial
    confidence : float in (0, 1)

    Returns
    -------
    Proportion (estimate, low, high)

    Raises
    ------
    ValueError
        If there is no trial, the values are not booleans, or the confidence is not between 0 and 1.

    Source: Wilson (1927). Lecture: 01, section 7.
    """
    successes = np.asarray(successes)
    if successes.ndim != 1 or successes.size == 0 or successes.dtype != bool:
        raise ValueError(
            f"successes has shape {successes.shape} and dtype {successes.dtype}; "
            "a non-empty one-dimensional array of booleans is needed, such as predicted == truth."
        )
    if not 0 < validation.positive(confidence, "confidence") < 1:
        raise ValueError(f"confidence is {confidence}; it must be below 1, such as 0.95.")
    n, share, z = len(successes), float(successes.mean()), norm.ppf((1 + confidence) / 2)
    center = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return Proportion(share, float(center - half), float(center + half))
