"""What people say of two items: likelihoods of an answer to a difference, in units of the noise of two judgements.

Lecture: 06, section 8; 10, sections 2, 4 and 7; 13, section 4.
"""

import numpy as np
from scipy.special import expit, log_ndtr, ndtr

from course_lib import validation
from course_lib.gp import Likelihood
from course_lib.gp.likelihoods.base import WrappedLikelihood
from course_lib.gp.likelihoods.normal_tails import Interval
from course_lib.gp.likelihoods.ordinal import tilted_by_interval


class Comparison(WrappedLikelihood):
    """p(y | g) = inner(y | g/(√2 σ)): both items are judged with noise σ, so their difference with √2 σ.

    inner : Likelihood of answers to a difference whose noise is 1: Probit, Logit, Beta, ProbitWithTies …
    noise_std : σ > 0, in the unit of the latent function

    Source: Nielsen (2015), eqs. 2.51 and 2.59; Thurstone (1927).
    """

    parameter_names = ("noise_std",)

    def __init__(self, inner, noise_std=1.0):
        if not isinstance(inner, Likelihood):
            raise ValueError(f"inner is {inner!r}; a Likelihood such as Probit() is needed.")
        self.children = (inner,)
        self.noise_std = validation.positive(noise_std, "noise_std")

    @property
    def kinks(self):
        """Those of inner, √2 σ as far off."""
        return self.spread * self.inner.kinks

    @property
    def spread(self):
        """√2 σ, the noise of a difference."""
        return np.sqrt(2.0) * self.noise_std

    def check(self, y):
        return self.inner.check(y)

    def derivatives(self, y, g):
        """As Likelihood.derivatives: each derivative is divided by √2 σ once more."""
        slopes = self.inner.derivatives(y, g / self.spread)
        return tuple(slope / self.spread**k for k, slope in enumerate(slopes))

    def _parameter_derivatives(self, name, y, g):
        _, first, second, third = self.derivatives(y, g)
        return (-g * first)[None], (-first - g * second)[None], (-2.0 * second - g * third)[None]

    def parameter_derivatives(self, y, g):
        """As Likelihood.parameter_derivatives, for σ and then for the parameters of inner."""
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
        """As Likelihood.tilted, in closed form if inner has one."""
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

    @property
    def middle(self):
        """That of inner."""
        return self.inner.middle

    @property
    def possible(self):
        """Those of inner."""
        return self.inner.possible

    @property
    def support(self):
        """That of inner."""
        return self.inner.support

    def cumulative(self, y, g):
        return self.inner.cumulative(y, g / self.spread)

    def sides(self, g):
        return self.inner.sides(g / self.spread)

    def probability_above(self, mean, variance):
        """As Likelihood.probability_above: of a choice of b among the decided, of a degree above ½."""
        return self.inner.probability_above(mean / self.spread, variance / self.spread**2)

    def quantile(self, p, mean, variance):
        return self.inner.quantile(p, mean / self.spread, variance / self.spread**2)

    def _quadrature_centre(self, y):
        return tuple(self.spread * np.asarray(part) for part in self.inner._quadrature_centre(y))

    def link(self, y):
        """√2 σ times that of inner."""
        return self.spread * np.asarray(self.inner.link(y))


class ProbitWithTies(Likelihood):
    """A choice with ties: y = +1 if g plus unit noise is above δ, −1 if it is below −δ, 0 between.

    threshold : δ > 0, how small a difference cannot be told, where the noise is 1

    Source: Glenn & David (1960), "Ties in paired-comparison experiments".
    """

    parameter_names = ("threshold",)
    log_concave = True
    possible = np.array([-1.0, 0.0, 1.0])

    def __init__(self, threshold=0.5):
        self.threshold = validation.positive(threshold, "threshold")

    def _needed(self, y):
        return "a choice with ties must be -1, 0 (a tie) or +1."

    def _ends(self, y):
        """Lower and upper end of the interval of g plus noise that gives this answer."""
        y = np.asarray(y)
        low = np.where(y > 0, self.threshold, np.where(y < 0, -np.inf, -self.threshold))
        return low, np.where(y > 0, np.inf, np.where(y < 0, -self.threshold, self.threshold))

    def derivatives(self, y, g):
        """As Likelihood.derivatives, exact far in the tail."""
        low, high = self._ends(y)
        return Interval(low - g, high - g).derivatives

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
        above, below = self.sides(g)
        return np.where(np.less(y, -1), 0.0, np.where(np.less(y, 0), below, np.where(np.less(y, 1), 1 - above, 1.0)))

    def mean(self, g):
        """p(+1 | g) − p(−1 | g)."""
        above, below = self.sides(g)
        return above - below

    def variance(self, g):
        above, below = self.sides(g)
        return above + below - (above - below) ** 2

    def sample(self, g, rng):
        seen = g + validation.generator(rng).normal(size=np.shape(g))
        return (seen > self.threshold).astype(float) - (seen < -self.threshold)

    def tilted(self, y, mean, variance, start=None):
        """In closed form: the noise of the interval grows to √(1 + variance)."""
        return tilted_by_interval(self, y, mean, variance, start)

    def _quadrature_centre(self, y):
        low, high = self._ends(y)
        low = np.where(np.isinf(low), high, low)
        return 0.5 * (low + np.where(np.isinf(high), low, high)), 1.0
