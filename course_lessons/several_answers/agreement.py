"""How well predicted scores agree with those that raters gave, and whether one model agrees better than another.

Lecture: 08, sections 6 and 8.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm

from course_lib import validation
from course_lib.metrics import score_log_probabilities, whole_scores


class Agreement(NamedTuple):
    """Agreement of a prediction with the raters."""

    correlation: float
    squared_error: float
    divergence: float


class CorrelationTest(NamedTuple):
    """r(y, a), r(y, b), Steiger's Z₁* (positive: the first is larger) and the two-sided p."""

    first: float
    second: float
    z: float
    p: float


def answer_shares(Y: ArrayLike, scores: ArrayLike) -> NDArray:
    """Fraction of the raters of each item who gave each score: P_ref(c | x_i).

    Y : (n, R) answers of R raters, NaN where there is none; or (n,) if there is one rater
    scores : (C,) the scale: consecutive integers, ascending
    Returns (n, C) shares; each row sums to one.

    Source: Wong et al. (2023), section 4.
    """
    Y, scores = _answers(Y), whole_scores(scores)
    strange = ~np.isnan(Y) & ~np.isin(Y, scores)
    if strange.any():
        i, r = np.argwhere(strange)[0]
        raise ValueError(
            f"Y[{i}, {r}] is {Y[i, r]:g}; one of the scores {scores[0]:g} … {scores[-1]:g} is needed, "
            "or NaN where a rater gave no score."
        )
    counts = (Y[:, :, None] == scores).sum(axis=1)
    return counts / counts.sum(axis=1, keepdims=True)


def discrete_kl(shares: ArrayLike, log_probabilities: ArrayLike) -> NDArray:
    """KL(P_ref ‖ P) = Σ_c P_ref(c) log(P_ref(c)/P(c)) of each item, in nats, with 0 log 0 = 0.

    shares : (n, C) P_ref, such as `answer_shares` gives
    log_probabilities : (n, C) log P, such as `score_log_probabilities` gives; −inf is allowed
    Returns (n,) divergences ≥ 0; infinite where P(c) = 0 for a score that was given.

    Source: Wong et al. (2023), section 4.
    """
    shares = validation.real_array(shares, "shares")
    log_P = validation.real_numbers(log_probabilities, "log_probabilities")
    if shares.ndim != 2 or log_P.shape != shares.shape:
        raise ValueError(
            f"shares has shape {shares.shape} and log_probabilities {log_P.shape} with dtype {log_P.dtype}; both must "
            "be (n, C) numbers, a row for each item and a column for each score."
        )
    for name, P in (("shares", shares), ("exp(log_probabilities)", np.exp(log_P))):
        wrong = (P < 0).any(axis=1) | ~(np.abs(P.sum(axis=1) - 1) < 1e-9)
        if wrong.any():
            i = np.flatnonzero(wrong)[0]
            raise ValueError(f"row {i} of {name} is {P[i]}; numbers from 0 to 1 that sum to one are needed.")
    given, log_ratio = shares > 0, np.zeros_like(shares)
    log_ratio[given] = np.log(shares[given]) - log_P[given]
    return np.maximum((shares * log_ratio).sum(axis=1), 0)  # equal distributions may give −1e-17


def round_to_scale(mean: ArrayLike, scores: ArrayLike) -> NDArray:
    """Nearest score, halves up, clipped to the scale. (Python's `round` rounds halves to even: 2.5 becomes 2.)

    mean : (…,) numbers, in scores; one number alone counts as (1,)
    scores : (C,) the scale: consecutive integers, ascending
    Returns (…,) floats, each one of the scores.

    Source: Wong et al. (2023), section 4.
    """
    mean, scores = np.atleast_1d(validation.real_array(mean, "mean")), whole_scores(scores)
    below = np.floor(mean)
    return np.clip(below + (mean - below >= 0.5), scores[0], scores[-1])


def agreement(mean: ArrayLike, std: ArrayLike, Y: ArrayLike, scores: ArrayLike) -> Agreement:
    """Correlation and mean squared error of rounded predictions against rounded mean answers; mean discrete KL.

    mean, std : (n,) prediction of one rater's answer, its noise included, in scores; std > 0
    Y : (n, R) answers of R raters, NaN where there is none; or (n,) if there is one rater
    scores : (C,) the scale: consecutive integers, ascending

    Source: Wong et al. (2023), section 4.
    """
    log_P, shares = score_log_probabilities(mean, std, scores), answer_shares(Y, scores)
    if len(log_P) != len(shares):
        raise ValueError(f"mean has {len(log_P)} items and Y has {len(shares)}; a row of Y for each mean is needed.")
    predicted, given = round_to_scale(mean, scores), round_to_scale(np.nanmean(_answers(Y), axis=1), scores)
    _varies(predicted, "the rounded mean")
    _varies(given, "the rounded mean of the answers in Y")
    correlation, divergence = np.corrcoef(predicted, given)[0, 1], discrete_kl(shares, log_P).mean()
    return Agreement(float(correlation), float(np.mean((predicted - given) ** 2)), float(divergence))


def compare_correlations(y: ArrayLike, a: ArrayLike, b: ArrayLike) -> CorrelationTest:
    """Does r(y, a) differ from r(y, b)? Two-sided test of two correlations on the same items, which are dependent.

    Z₁* = √(n − 3) (artanh r_ya − artanh r_yb) / √(2 − 2s) is approximately N(0, 1) if they are equal. With ρ = r̄²,
    r̄ = (r_ya + r_yb)/2, the correlation of the two Fisher z values is s = ψ/(1 − ρ)²,
    ψ = r_ab (1 − 2ρ) − ½ ρ (1 − 2ρ − r_ab²).

    y : (n,) reference for n ≥ 4 items;  a, b : (n,) the two models' predictions

    Source: Steiger (1980), eqs. 10 and 14, after Dunn & Clark (1969).
    """
    y, a, b = validation.vectors(4, y=y, a=a, b=b)
    for name, column in (("y", y), ("a", a), ("b", b)):
        _varies(column, name)
    (_, first, second), (_, _, r_ab), _ = np.corrcoef([y, a, b])
    d, rho = 1 - r_ab, ((first + second) / 2) ** 2
    if d < 1e-12:
        raise ValueError("a and b correlate at 1, so that r(y, a) = r(y, b): two predictions that differ are needed.")
    for name, r in (("a", first), ("b", second)):
        if 1 - abs(r) < 1e-12:
            raise ValueError(f"r(y, {name}) is {r:.0f}, whose artanh is infinite; one inside (−1, 1) is needed.")
    variance = d * (2 * (1 - rho) - rho * d) / (1 - rho) ** 2  # 2 − 2s, free of the cancellation for large r
    z = np.sqrt(len(y) - 3) * (np.arctanh(first) - np.arctanh(second)) / np.sqrt(variance)
    return CorrelationTest(float(first), float(second), float(z), float(2 * norm.sf(abs(z))))


def _answers(Y):
    """(n, R) floats, NaN where an answer is missing; each row has one at least."""
    table = validation.answers(Y, "Y")
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or table.size == 0:
        raise ValueError(f"Y has shape {table.shape}; (n, R) is needed: a row for each item, a column for each rater.")
    if np.isnan(table).all(axis=1).any():
        i = np.flatnonzero(np.isnan(table).all(axis=1))[0]
        raise ValueError(f"Y[{i}] holds no answer: every element is missing. Remove this item before calling.")
    return table


def _varies(column, name):
    """Nothing, if the (n,) column is not constant: a correlation divides by its spread."""
    if np.ptp(column) <= 1e-12 * np.abs(column).max():
        raise ValueError(
            f"{name} is {column[0]:g} for all {len(column)} items; numbers that vary are needed for a correlation."
        )
