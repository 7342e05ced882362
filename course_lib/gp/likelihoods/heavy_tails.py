"""Numbers of which some are outliers. Lecture: 06, section 8."""

import numpy as np
from scipy.special import digamma, gammaln, stdtr

from course_lib import validation
from course_lib.gp.likelihoods.base import Likelihood


class StudentT(Likelihood):
    """y = g + noise with heavy tails: an answer far away is called an outlier and moves nothing.

    p(y | g) ∝ (1 + (y − g)²/(d s²))^(−(d+1)/2). It is not log-concave: far from y the curvature turns.

    scale : s > 0, in the unit of y; the variance of the noise is s² d/(d − 2)
    degrees : d > 0; the variance is infinite up to 2, and without mean (NaN) up to 1

    Source: Vanhatalo, Jylänki & Vehtari (2009), "Gaussian process regression with Student-t likelihood".
    """

    parameter_names = ("scale", "degrees")

    def __init__(self, scale: float, degrees: float = 4.0):
        self.scale = validation.positive(scale, "scale")
        self.degrees = validation.positive(degrees, "degrees")

    def derivatives(self, y, g):
        d, e = self.degrees, np.subtract(y, g)
        a = d * self.scale**2
        q = a + e**2
        constant = gammaln((d + 1) / 2) - gammaln(d / 2) - 0.5 * np.log(np.pi * a)
        return (
            constant - (d + 1) / 2 * np.log1p(e**2 / a),
            (d + 1) * e / q,
            (d + 1) * (e**2 - a) / q**2,
            (d + 1) * 2 * e * (e**2 - 3 * a) / q**3,
        )

    def _parameter_derivatives(self, name, y, g):
        d, e = self.degrees, np.subtract(y, g)
        a = d * self.scale**2
        q = a + e**2
        by_log_a = np.stack(
            [0.5 * ((d + 1) * e**2 / q - 1), -(d + 1) * a * e / q**2, -(d + 1) * a * (3 * e**2 - a) / q**3]
        )
        if name == "scale":
            return tuple(2 * by_log_a[:, None])
        constant = 0.5 * (digamma((d + 1) / 2) - digamma(d / 2))
        by_exponent = np.stack([constant - 0.5 * np.log1p(e**2 / a), e / q, (e**2 - a) / q**2])
        return tuple((by_log_a + d * by_exponent)[:, None])

    def mean(self, g):
        return np.where(self.degrees > 1, g, np.nan)

    def variance(self, g):
        d = self.degrees
        noise = self.scale**2 * d / (d - 2) if d > 2 else np.inf if d > 1 else np.nan
        return np.full(np.shape(g), noise)

    def sample(self, g, rng):
        return g + self.scale * validation.generator(rng).standard_t(self.degrees, size=np.shape(g))

    def predict(self, mean, variance):
        mean, variance = np.broadcast_arrays(np.asarray(mean, dtype=float), variance)
        return self.mean(mean), variance + self.variance(mean)

    def predict_mean(self, mean, variance):
        mean, variance = np.broadcast_arrays(np.asarray(mean, dtype=float), variance)
        return self.mean(mean), variance.copy()

    def cumulative(self, y, g):
        return stdtr(self.degrees, np.subtract(y, g) / self.scale)

    def _quadrature_centre(self, y):
        return y, self.scale
