"""Level sets: where f stays below a threshold, what a model believes of it, and how well it has found it.

Lecture: 13, section 3.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from course_lessons.mixed_feedback.look_ahead import standardized
from course_lib import validation


class SetScores(NamedTuple):
    """How well a set of points was found; each is a share, 0 … 1, or NaN where it would be 0/0.

    precision : of the points that were predicted, those that belong to the set
    recall : of the points that belong to the set, those that were predicted
    f1 : 2 · hits/(predicted + belonging), the harmonic mean of the two
    """

    precision: float
    recall: float
    f1: float


def sublevel_probability(mean, std, threshold):
    """P(f ≤ threshold) for f ~ N(mean, std²), as in `sublevel_probability(*model.predict_latent(X), 0.67)`.

    Where std is 0 it is 1 or 0; a mean on the threshold then counts as below.

    mean, std : numbers, or arrays of one shape;  threshold : in the unit of f

    Source: Wu et al. (2025), appendix A.
    """
    mean, std = validation.real_array(mean, "mean"), validation.real_array(std, "std")
    if mean.shape != std.shape:
        raise ValueError(f"mean has shape {mean.shape} and std {std.shape}; one shape is needed.")
    if (std < 0).any():
        raise ValueError(f"std goes down to {np.min(std):.4g}; a standard deviation is 0 or more.")
    return ndtr(standardized(validation.finite(threshold, "threshold") - mean, std))


def set_scores(predicted, inside):
    """SetScores of points spread evenly over the domain: volumes of sets become counts of points.

    What is found nowhere, or is nowhere, has an F1 of 0; if both are so there is nothing to score: NaN.

    predicted : (q,) bools, whether each point is said to belong to the set;  inside : (q,) bools, whether it does

    Source: Wu et al. (2025), appendix A.
    """
    predicted, inside = _flags(predicted, "predicted"), _flags(inside, "inside")
    if predicted.shape != inside.shape:
        raise ValueError(f"predicted has shape {predicted.shape} and inside {inside.shape}; one length is needed.")
    hits, said, belonging = int((predicted & inside).sum()), int(predicted.sum()), int(inside.sum())
    return SetScores(_share(hits, said), _share(hits, belonging), _share(2 * hits, said + belonging))


def brier_score(probability, inside):
    """Mean of (p_i − o_i)², o_i = 1 inside and 0 outside: 0 is perfect, ¼ is a coin's.

    If the set is small, p = 0 everywhere scores no more than the set's share of the domain: nearly perfect, having
    found nothing. F1 is then 0.

    probability : (q,) of belonging to the set, 0 … 1;  inside : (q,) bools

    Source: Brier (1950); Wu et al. (2025), appendix A.
    """
    inside = _flags(inside, "inside")
    p = validation.real_array(probability, "probability")
    if p.shape != inside.shape:
        raise ValueError(f"probability has shape {p.shape} and inside {inside.shape}; one length is needed.")
    if (p < 0).any() or (p > 1).any():
        raise ValueError(f"probability lies in {p.min():.4g} … {p.max():.4g}; 0 … 1 is needed.")
    return float(np.mean((p - inside) ** 2))


def _share(part, whole):
    return part / whole if whole else float("nan")


def _flags(value, name):
    """(q,) bools, at least one."""
    flags = validation.array(value, name)
    if flags.dtype != bool or flags.ndim != 1 or not flags.size:
        raise ValueError(f"{name} has shape {flags.shape} and dtype {flags.dtype}; bools (q,) are needed.")
    return flags
