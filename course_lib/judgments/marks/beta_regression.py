"""Beta regression by condition: each has a mean and a precision of its own. Lecture: 07, section 7; 14, section 5."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import polygamma
from scipy.stats import beta

from course_lib import selection, validation


class BetaFits(NamedTuple):
    """A beta density for the marks of each condition; all arrays (C,), in the order of `conditions`.

    conditions : their labels, sorted;  mean, mean_error : of a mark, and its standard error
    logit_mean, logit_error : log(mean/(1 − mean)), and its standard error;  precision : ν
    log_likelihood : of all marks
    """

    conditions: NDArray
    mean: NDArray
    mean_error: NDArray
    logit_mean: NDArray
    logit_error: NDArray
    precision: NDArray
    log_likelihood: float


def fit_beta(y: ArrayLike, condition: ArrayLike) -> BetaFits:
    """Marks y ~ Beta(νμ, ν(1 − μ)), with one μ and one ν for each condition, by maximum likelihood.

    If the conditions are all combinations of some factors, this is beta regression with variable dispersion and all
    interactions. Its coefficients are contrasts of `logit_mean`, whose errors are independent.

    y : (m,) marks in (0, 1), for each condition two different ones or more;  condition : (m,) labels

    Source: Smithson and Verkuilen (2006), example 1.

    >>> from course_lib.judgments import fit_beta
    >>> fit_beta([0.6, 0.7, 0.9, 0.2, 0.4], ["a", "a", "a", "b", "b"]).mean.round(2)
    array([0.74, 0.3 ])
    """
    (y,) = validation.vectors(y=y)
    condition = selection.labels(condition, "condition", len(y), "marks in y")
    if not ((y > 0) & (y < 1)).all():
        raise ValueError(f"y has marks from {y.min()} to {y.max()}; all must be in (0, 1): see `gp.squeeze`.")
    conditions, rows, log_likelihood = np.unique(condition), [], 0.0
    for one in conditions:
        marks = y[condition == one]
        if np.ptp(marks) == 0:
            raise ValueError(f"y has in condition {one} only the mark {marks[0]}; two different ones are needed.")
        a, b, _, _ = beta.fit(marks, floc=0, fscale=1)
        information = len(marks) * (np.diag(polygamma(1, [a, b])) - polygamma(1, a + b))
        slope = np.array([1 / a, -1 / b])  # of the logit, log a − log b
        error, mean = np.sqrt(slope @ np.linalg.solve(information, slope)), a / (a + b)
        rows.append((mean, mean * (1 - mean) * error, np.log(a / b), error, a + b))
        log_likelihood += beta.logpdf(marks, a, b).sum()
    return BetaFits(conditions, *np.transpose(rows), float(log_likelihood))
