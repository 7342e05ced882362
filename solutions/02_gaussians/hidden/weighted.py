"""Reference of task 1, weighted_gaussian."""

import numpy as np

SEED = 201


def answer(frames, weights):
    """The covariance from all pairs of frames, which needs no mean."""
    shares = weights / weights.sum()
    apart = frames[:, None] - frames
    return np.average(frames, axis=0, weights=weights), np.einsum("s,t,sti,stj->ij", shares, shares, apart, apart) / 2


def way(frames, weights):
    """Shares of the frames, and what their sums give."""
    mean, covariance = answer(frames, weights)
    yield "the sum of the weights is", float(weights.sum())
    yield "the weights divided by it are", weights / weights.sum()
    yield "the mean is", mean
    yield "the frames minus the mean are", frames - mean
    yield "the weighted sum of their outer products is", weights.sum() * covariance
