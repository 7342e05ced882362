"""Reference of task 3, add_frame."""

import numpy as np

SEED = 203


def answer(n, mean, covariance, frame):
    """The spread within the old frames, and the spread between their mean and the new frame."""
    old, new, apart = n / (n + 1), 1 / (n + 1), frame - mean
    return n + 1, mean + new * apart, old * covariance + old * new * np.outer(apart, apart)


def way(n, mean, covariance, frame):
    """The distances from both means, and the sum of squares."""
    count, new_mean, new_covariance = answer(n, mean, covariance, frame)
    yield "frame − old mean is", frame - mean
    yield "frame − new mean is", frame - new_mean
    yield "the sum of squares of the old frames is", n * covariance
    yield "the new frame adds to it", count * new_covariance - n * covariance
