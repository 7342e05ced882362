"""Two likelihoods that the library lacks, as CONTRIBUTING says to write them: times above 0, and counts."""

import numpy as np
from scipy.special import digamma, gammainc, gammaincc, gammaln

from course_lib import validation
from course_lib.gp import Likelihood


class Durations(Likelihood):
    """y ~ Gamma(shape c, mean e^g): above 0, with the coefficient of variation 1/√c."""

    parameter_names = ("shape",)
    log_concave = True
    support, middle = (0.0, np.inf), 1.0

    def __init__(self, shape=1.0):
        self.shape = validation.positive(shape, "shape")

    def derivatives(self, y, g):
        c, x = self.shape, y * np.exp(np.negative(g))
        density = c * np.log(c) - gammaln(c) + (c - 1) * np.log(y) - c * g - c * x
        return density, c * (x - 1), -c * x, c * x

    def _parameter_derivatives(self, name, y, g):
        c, x = self.shape, y * np.exp(np.negative(g))
        by_shape = c * (np.log(c) + 1 - digamma(c) + np.log(y) - g - x)
        return by_shape[None], (c * (x - 1))[None], (-c * x)[None]

    def mean(self, g):
        return np.exp(g)

    def variance(self, g):
        return np.exp(2.0 * np.asarray(g)) / self.shape

    def sample(self, g, rng):
        return np.maximum(validation.generator(rng).gamma(self.shape, np.exp(g) / self.shape), np.finfo(float).tiny)

    def cumulative(self, y, g):
        return gammainc(self.shape, self.shape * y * np.exp(np.negative(g)))

    def _quadrature_centre(self, y):
        return np.log(y), 1.0 / np.sqrt(1.0 + self.shape)


class Counts(Likelihood):
    """y ~ Poisson(e^g): 0, 1, 2 …"""

    log_concave = integer = True
    support = (0.0, np.inf)

    def derivatives(self, y, g):
        rate = np.exp(g)
        return y * g - rate - gammaln(np.add(y, 1.0)), y - rate, -rate + 0.0 * y, -rate + 0.0 * y

    def mean(self, g):
        return np.exp(g)

    def variance(self, g):
        return np.exp(g)

    def sample(self, g, rng):
        return validation.generator(rng).poisson(np.exp(np.minimum(g, 40.0))).astype(float)

    def cumulative(self, y, g):
        return np.where(np.less(y, 0), 0.0, gammaincc(np.maximum(np.floor(y), 0.0) + 1.0, np.exp(g)))

    def _quadrature_centre(self, y):
        seen = np.maximum(y, 0.5)
        return np.log(seen), 1.0 / np.sqrt(1.0 + seen)
