"""Reference of task 2, log_density_of_known."""

import numpy as np
from scipy.stats import multivariate_normal

SEED = 202


def answer(frame, mean, covariance):
    here = np.flatnonzero(np.isfinite(frame))
    block = covariance[here][:, here]
    return float(multivariate_normal.logpdf(frame[here], mean[here], block)) if len(here) else 0.0


def way(frame, mean, covariance):
    """The three terms, and what they are made of."""
    here = np.flatnonzero(np.isfinite(frame))
    block, off = covariance[here][:, here], frame[here] - mean[here]
    log_det = float(np.linalg.slogdet(block)[1])
    yield "the known features of x − μ are", off
    yield "their block of Σ is", block
    yield "its log determinant is", log_det
    yield "the squared distance is", float(off @ np.linalg.solve(block, off))
    yield "the term of 2π is", float(-0.5 * len(here) * np.log(2 * np.pi))
