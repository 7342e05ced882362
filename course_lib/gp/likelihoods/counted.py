"""The same answer given many times: one response whose density is a power.

Lecture: 06, sections 2 and 8; 10, sections 2 and 4; 13, section 4.
"""

import numpy as np

from course_lib.gp.likelihoods.base import WrappedLikelihood

PEAK_HALVINGS = 60  # of an interval, to find how far a peak reaches
PEAK_FALL = 0.5  # of the log density: a standard deviation of a Gaussian


class ReplicatedLikelihood(WrappedLikelihood):
    """p(y_k | g_k)^w_k: answer k was given w_k times, each time with noise of its own, so that the densities multiply.

    Only inference sees it; predictions are of one answer, by `inner`. Laplace and the variational bound come out as
    with w_k rows, to rounding. EP has one site for all w_k answers together, which is nearer to the truth than a site
    for each: with one question alone it is exact.

    inner : Likelihood of one answer;  counts : (m,) w ≥ 1, whole numbers

    Source: independent answers multiply; Chu & Ghahramani (2005), eq. 3.
    """

    peak_rounds = 200

    def __init__(self, inner, counts):
        self.children = (inner,)
        self.counts = np.asarray(counts, dtype=float)

    @property
    def possible(self):
        """The answers of inner."""
        return self.inner.possible

    @property
    def is_gaussian(self):
        """Whether inner is."""
        return self.inner.is_gaussian

    def check(self, y):
        return self.inner.check(y)

    def site(self, y):
        """(τ, ν), each w times that of inner, if that is Gaussian."""
        return self._times(self.inner.site(y))

    def log_density(self, y, g):
        return self.counts * self.inner.log_density(y, g)

    def derivatives(self, y, g):
        return self._times(self.inner.derivatives(y, g))

    def parameter_derivatives(self, y, g):
        return self._times(self.inner.parameter_derivatives(y, g))

    def expectations(self, y, mean, variance):
        return self._times(self.inner.expectations(y, mean, variance))

    def expected_parameter_gradient(self, y, mean, variance):
        return self.counts * self.inner.expected_parameter_gradient(y, mean, variance)

    def link(self, y):
        return self.inner.link(y)

    def _times(self, parts):
        return tuple(self.counts * part for part in parts)

    def _density_peak(self, y):
        return self.link(y), np.inf  # a power may be sharp elsewhere: at the tilted peak

    def _tilted_peak(self, y, mean, variance, start):
        """As Likelihood._tilted_peak, but wide as far as the height falls by ½ on the nearer side."""
        peak, width = super()._tilted_peak(y, mean, variance, start)

        def height(g):
            return self.log_density(y, g) - 0.5 * (g - mean) ** 2 / variance

        low, high, top = np.zeros_like(peak), 2.0 * width, height(peak)
        for _ in range(PEAK_HALVINGS):
            middle = 0.5 * (low + high)
            falls = np.minimum(height(peak - middle), height(peak + middle)) < top - PEAK_FALL
            low, high = np.where(falls, low, middle), np.where(falls, middle, high)
        return peak, high
