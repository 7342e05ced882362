"""Yes or no, −1 or +1: a step that noise has smoothed. Lecture: 06, sections 2–4."""

import numpy as np
from scipy.special import expit, log_ndtr, ndtr

from course_lib import validation
from course_lib.gp.likelihoods.base import Likelihood
from course_lib.gp.likelihoods.normal_tails import log_ndtr_derivatives


class _Choice(Likelihood):
    """Answers −1 and +1."""

    log_concave = True
    possible = np.array([-1.0, 1.0])

    def _needed(self, y):
        hint = " Labels 0 and 1 become choices by 2 * y - 1." if np.isin(y, (0, 1)).all() else ""
        return f"a choice must be -1 or +1.{hint}"

    def sides(self, g):
        """(p(+1 | g), p(−1 | g))."""
        raise self._not_written("sides(g)")

    def cumulative(self, y, g):
        return np.where(np.less(y, -1), 0.0, np.where(np.less(y, 1), self.sides(g)[1], 1.0))

    def mean(self, g):
        above, below = self.sides(g)
        return above - below

    def variance(self, g):
        above, below = self.sides(g)
        return 4 * above * below

    def sample(self, g, rng):
        return np.where(validation.generator(rng).random(np.shape(g)) < self.sides(g)[0], 1.0, -1.0)


class Probit(_Choice):
    """A choice: p(y | g) = Φ(y g) for y = −1 or +1. No parameters.

    With g ~ N(m, v) the probability of +1 is exp(log_predictive_density(1, m, v)) = Φ(m/√(1 + v)).

    Source: Rasmussen & Williams (2006), sections 3.3 and 3.9.
    """

    def log_density(self, y, g):
        return log_ndtr(y * g)

    def derivatives(self, y, g):
        density, first, second, third = log_ndtr_derivatives(y * g)
        return density, y * first, second, y * third

    def sides(self, g):
        return ndtr(g), ndtr(-g)

    def probability_above(self, mean, variance):
        return ndtr(mean / np.sqrt(1 + np.asarray(variance)))

    def tilted(self, y, mean, variance, start=None):
        spread = np.sqrt(1 + variance)
        log_Z, first, second, _ = self.derivatives(y, mean / spread)
        return log_Z, mean + variance * first / spread, variance + variance**2 * second / spread**2

    def predict(self, mean, variance):
        z = mean / np.sqrt(1 + np.asarray(variance))
        return self.mean(z), self.variance(z)


class Logit(_Choice):
    """A choice: p(y | g) = 1/(1 + exp(−y g)) for y = −1 or +1. No parameters.

    Source: Rasmussen & Williams (2006), section 3.3.
    """

    def derivatives(self, y, g):
        right, wrong = expit(y * g), expit(-y * g)
        density = -np.logaddexp(0.0, -y * g)
        return density, y * wrong, -right * wrong, y * right * wrong * (right - wrong)

    def sides(self, g):
        return expit(g), expit(-g)
