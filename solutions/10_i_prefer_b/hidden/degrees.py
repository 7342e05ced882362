"""Reference of task 3, degree_slopes."""

import numpy as np
from scipy.special import ndtr

from course_lib.gp import Beta
from course_lib.judgments import Comparison

SEED = 1003


def by_the_library(f, pairs, degrees, noise_std, precision):
    """Derivatives of log p by g, of orders 0 to 3."""
    return Comparison(Beta(precision), noise_std).derivatives(degrees, f[pairs[:, 1]] - f[pairs[:, 0]])


def answer(f, pairs, degrees, noise_std, precision):
    """The library's derivatives by g, brought to f one answer after the other."""
    gradient, W = np.zeros(len(f)), np.zeros((len(f), len(f)))
    _, first, second, _ = by_the_library(f, pairs, degrees, noise_std, precision)
    for (a, b), one, two in zip(pairs, first, second, strict=True):
        gradient[[a, b]] += [-one, one]
        W[np.ix_([a, b], [a, b])] -= two * np.array([[1, -1], [-1, 1]])
    return gradient, W


def way(f, pairs, degrees, noise_std, precision):
    """What each answer says of its own difference."""
    _, first, second, _ = by_the_library(f, pairs, degrees, noise_std, precision)
    z = (f[pairs[:, 1]] - f[pairs[:, 0]]) / (np.sqrt(2) * noise_std)
    yield "z of each answer", z
    yield "μ of each answer", ndtr(z)
    yield "the slope L′ of each answer by its g", first
    yield "the second derivative L″ of each answer by its g", second
