"""What people say of two items: likelihoods of an answer to a difference, in units of the noise of two judgements.

Lecture: 06, section 8; 10, sections 2, 4 and 7; 13, section 4.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_ndtr, ndtr

from course_lib import validation
from course_lib.gp import Likelihood, Ordinal
from course_lib.gp.likelihoods.base import WrappedLikelihood
from course_lib.gp.likelihoods.normal_tails import Interval


def _of_inner(name):
    """A property that is inner's: it is the same in any unit of g."""
    return property(lambda self: getattr(self.inner, name), doc=f"`{name}` of inner.")


class Comparison(WrappedLikelihood):
    """p(y | g) = inner(y | g/(√2 σ)): both items are judged with noise σ, so their difference with √2 σ.

    inner : Likelihood of answers to a difference whose noise is 1: Probit, Logit, Beta, ProbitWithTies …
    noise_std : σ > 0, in the unit of the latent function

    Source: Nielsen (2015), eqs. 2.51 and 2.59; Thurstone (1927).
    """

    parameter_names = ("noise_std",)
    middle, possible, support = map(_of_inner, ("middle", "possible", "support"))

    def __init__(self, inner: Likelihood, noise_std: float = 1.0):
        self.children = (validation.instance(inner, Likelihood, "inner", "a Likelihood such as Probit()"),)
        self.noise_std = validation.positive(noise_std, "noise_std")

    @property
    def kinks(self):
        """Those of inner, √2 σ as far off."""
        return self.spread * self.inner.kinks

    @property
    def spread(self):
        """√2 σ, the noise of a difference."""
        return np.sqrt(2.0) * self.noise_std

    def check(self, y: ArrayLike) -> NDArray:
        return self.inner.check(y)

    def log_density(self, y, g):
        return self.inner.log_density(y, g / self.spread)

    def derivatives(self, y, g):
        """As Likelihood.derivatives: each derivative is divided by √2 σ once more."""
        slopes = self.inner.derivatives(y, g / self.spread)
        return tuple(slope / self.spread**k for k, slope in enumerate(slopes))

    def _parameter_derivatives(self, name, y, g):
        _, first, second, third = self.derivatives(y, g)
        return (-g * first)[None], (-first - g * second)[None], (-2.0 * second - g * third)[None]

    def parameter_derivatives(self, y, g):
        mine = super().parameter_derivatives(y, g)
        theirs = self.inner.parameter_derivatives(y, g / self.spread)
        pairs = enumerate(zip(mine, theirs, strict=True))
        return tuple(np.concatenate([a, b / self.spread**k]) for k, (a, b) in pairs)

    def mean(self, g):
        return self.inner.mean(g / self.spread)

    def variance(self, g):
        return self.inner.variance(g / self.spread)

    def sample(self, g, rng):
        return self.inner.sample(g / self.spread, rng)

    def tilted(self, y, mean, variance, start=None):
        s = self.spread
        start = None if start is None else (start[0] / s, start[1] / s**2)
        log_Z, first, second = self.inner.tilted(y, mean / s, variance / s**2, start)
        return log_Z, s * first, s**2 * second

    def expectations(self, y, mean, variance):
        averages = self.inner.expectations(y, mean / self.spread, variance / self.spread**2)
        return tuple(average / self.spread**k for k, average in enumerate(averages))

    def predict(self, mean, variance):
        return self.inner.predict(mean / self.spread, variance / self.spread**2)

    def predict_mean(self, mean, variance):
        return self.inner.predict_mean(mean / self.spread, variance / self.spread**2)

    def cumulative(self, y, g):
        return self.inner.cumulative(y, g / self.spread)

    def sides(self, g):
        return self.inner.sides(g / self.spread)

    def probability_above(self, mean, variance):
        """Of a choice of b among the decided, of a degree above ½."""
        return self.inner.probability_above(mean / self.spread, variance / self.spread**2)

    def quantile(self, p, mean, variance):
        return self.inner.quantile(p, mean / self.spread, variance / self.spread**2)

    def _quadrature_centre(self, y):
        return tuple(self.spread * np.asarray(part) for part in self.inner._quadrature_centre(y))

    def link(self, y):
        """√2 σ times that of inner."""
        return self.spread * np.asarray(self.inner.link(y))


class ProbitWithTies(Ordinal):
    """A choice with ties: y = +1 if g plus unit noise is above δ, −1 if it is below −δ, 0 between.

    Three ordered labels, then, which count from −1, with cut points at −δ and δ.

    threshold : δ > 0, how small a difference cannot be told, where the noise is 1

    Source: Glenn & David (1960), "Ties in paired-comparison experiments".
    """

    parameter_names = ("threshold",)
    signed_names = ()
    levels, middle, possible = 3, 0.0, np.array([-1.0, 0.0, 1.0])

    def __init__(self, threshold: float = 0.5):
        self.threshold = validation.positive(threshold, "threshold")

    def _needed(self, y):
        return "a choice with ties must be -1, 0 (a tie) or +1."

    @property
    def cuts(self):
        """(2,) −δ and δ."""
        return np.array([-self.threshold, self.threshold])

    def _ends(self, y):
        return super()._ends(np.asarray(y) + 1)

    def _turn(self, y):
        return super()._turn(np.floor(y) + 1)

    def _parameter_derivatives(self, name, y, g):
        low, high = self._ends(y)
        lower, upper = Interval(low - g, high - g).end_slopes
        low, high = (np.where(np.isinf(end), 0.0, end) for end in (low, high))  # an end moves with log δ by itself
        return tuple((low * a + high * b)[None] for a, b in zip(lower, upper, strict=True))

    def sides(self, g):
        """(p(+1 | g), p(−1 | g))."""
        return ndtr(g - self.threshold), ndtr(-g - self.threshold)

    def probability_above(self, mean, variance):
        """In closed form: the noise grows to √(1 + variance)."""
        spread = np.sqrt(1 + np.asarray(variance))
        return expit(log_ndtr((mean - self.threshold) / spread) - log_ndtr((-mean - self.threshold) / spread))

    def cumulative(self, y, g):
        return super().cumulative(np.floor(y) + 1, g)

    def _moments(self, z):
        mean, variance = super()._moments(z)
        return mean - 1.0, variance

    def sample(self, g, rng):
        return super().sample(g, rng) - 1.0
