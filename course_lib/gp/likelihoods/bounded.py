"""Answers on a bounded scale, moved to (0, 1): three models of the noise round Φ(g).

Lecture: 07, sections 1–5; 10, section 4.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, owens_t

from course_lib import validation
from course_lib.gp.likelihoods.base import Likelihood
from course_lib.gp.likelihoods.gaussian import Gaussian
from course_lib.gp.likelihoods.normal_tails import Interval, NormalBetween, chain_rule
from course_lib.gp.quadrature import LOG_ROOT_2PI

ON_A_BOUND = "Marks on a bound: move them inside first, for example with squeeze(y)."
LEAST_INSIDE, GREATEST_INSIDE = np.nextafter(0.0, 1.0), np.nextafter(1.0, 0.0)


def squeeze(
    y: ArrayLike, low: float = 0.0, high: float = 1.0, n: int | None = None, inside: float | None = None
) -> NDArray:
    """Marks on a scale from low to high, moved into (0, 1), where the bounded likelihoods are defined.

    Marks are first rescaled to [0, 1]. With `inside`, those nearer to a bound than that are put at that distance; the
    others stay. Without, all are drawn to the middle a little, (y (n − 1) + ½)/n: one mark in n is worth as much as
    half a mark at the centre. Both are choices that decide how much a mark on the bound weighs: report which one.

    y : (m,) marks in [low, high];  low, high : ends of the scale
    n : number of marks in the formula, ≥ 2; None takes m
    inside : distance from the bounds, between 0 and ½, on the scale from 0 to 1
    Returns (m,) array in (0, 1).

    Source: Smithson & Verkuilen (2006), "A better lemon squeezer?".

    >>> from course_lib.gp import squeeze
    >>> squeeze([0.0, 50.0, 100.0], 0, 100).round(3)
    array([0.167, 0.5  , 0.833])
    """
    y, (low, high) = validation.real_array(y, "y"), validation.interval(low, high)
    outside = np.flatnonzero((y < low) | (y > high))
    if len(outside):
        k = outside[0]
        raise ValueError(f"y[{k}] is {y.flat[k]}, outside the scale [{low}, {high}]. Give its ends as low and high.")
    if n is not None and inside is not None:
        raise ValueError(f"n is {n} and inside is {inside}; give one of them: they are two ways to squeeze.")
    share = (y - low) / (high - low)
    if inside is None:
        n = validation.integer(y.size if n is None else n, "n", least=2)
        return (share * (n - 1) + 0.5) / n
    inside = validation.between(inside, "inside", 0, 0.5)
    return np.clip(share, inside, 1 - inside)


def slope_of_ndtr(g):
    """φ(g), the slope of Φ. It is 0 from |g| = 39 on."""
    return np.exp(-0.5 * np.square(g) - LOG_ROOT_2PI)


def of_ndtr(mean, variance, share=1.0):
    """(E[M], E[M] E[1 − M] − share E[M (1 − M)]) for M = Φ(g), g ~ N(mean, variance): with share 1, its variance.

    Source: Owen (1980), "A table of normal integrals", 10,010.8 and 20,010.4.
    """
    z, variance = np.asarray(mean) / np.sqrt(1 + np.asarray(variance)), np.asarray(variance)
    mix = 2 * owens_t(z, 1 / np.sqrt(1 + 2 * variance))
    return ndtr(z), np.maximum(ndtr(z) * ndtr(-z) - share * mix, 0.0)


class TruncatedGaussian(NormalBetween, Likelihood):
    """y ~ N(Φ(g), 1/ν²), cut off at 0 and 1: Φ(g) is the most likely answer, not the mean.

    precision : ν > 0; 1/ν is the standard deviation that the noise would have if nothing were cut off

    Source: Jensen et al. (2013), eqs. 1–3 (Nielsen (2015), eq. 2.35). It is not log-concave.
    """

    parameter_names = ("precision",)
    middle, support, hint = 0.5, (0.0, 1.0), ON_A_BOUND
    step = 0.04  # it bends more sharply than the others, near Φ(g) = 1/ν and 1 − 1/ν

    def __init__(self, precision: float = 10.0):
        self.precision = validation.positive(precision, "precision")

    def _interval(self, g):
        """The scale's ends as seen from the mode, in units of 1/ν."""
        return Interval(-self.precision * ndtr(g), self.precision * ndtr(np.negative(g)))

    def _seen(self, y, g):
        """x′, x″, x‴ for the mode x = ν Φ(g), the distance from mode to answer in units of 1/ν, and the interval."""
        g = np.asarray(g)
        q = self.precision * slope_of_ndtr(g)
        return (q, -g * q, (g**2 - 1) * q), self.precision * (y - ndtr(g)), self._interval(g)

    def derivatives(self, y, g):
        slopes, e, interval = self._seen(y, g)
        log_P, *of_P = interval.derivatives
        density = np.log(self.precision) - 0.5 * e**2 - LOG_ROOT_2PI - log_P
        return density, *chain_rule((e - of_P[0], -1 - of_P[1], -of_P[2]), slopes)

    def _standard(self, low, high, g):
        slopes, a, whole = self._seen(np.maximum(low, 0.0), g)
        return slopes, (Interval(a, self._seen(np.minimum(high, 1.0), g)[1]), whole)

    def _parameter_derivatives(self, name, y, g):
        (q, q1, _), e, interval = self._seen(y, g)
        R1, R2, R3, R4 = map(interval.ratio, (1, 2, 3, 4))
        by_x = 2 * e + R3 - R2 * R1
        by_xx = -2 + R4 - 2 * R3 * R1 + 2 * R2 * R1**2 - R2**2
        return (1 - e**2 + R2)[None], (q * by_x)[None], (q**2 * by_xx + q1 * by_x)[None]

    def mean(self, g):
        """Jensen et al. (2013), eq. 2."""
        return ndtr(g) + self._interval(g).ratio(1) / self.precision

    def variance(self, g):
        return (1 + self._interval(g).derivatives[2]) / self.precision**2

    def cumulative(self, y, g):
        mode = ndtr(g)
        whole, part = (Interval(-self.precision * mode, self.precision * (end - mode)) for end in (1.0, y))
        return np.exp(part.log_P - whole.log_P)

    def _turn(self, y):
        g = self.link(y)
        return g, np.minimum(1.0, 1 / (self.precision * slope_of_ndtr(g)))

    def sample(self, g, rng):
        mode = ndtr(g)
        low, high = ndtr(-self.precision * mode), ndtr(self.precision * ndtr(np.negative(g)))
        share = validation.generator(rng).random(np.shape(g))
        return np.clip(mode + ndtri(low + share * (high - low)) / self.precision, LEAST_INSIDE, GREATEST_INSIDE)

    def link(self, y):
        """Φ⁻¹(y); so near to a bound that the hump is a plateau, where that ends."""
        edge = min(1 / self.precision, 0.5)
        return ndtri(np.clip(y, edge, 1 - edge))


class CensoredGaussian(NormalBetween, Likelihood):
    """y = ½ + g/4 + noise of standard deviation 1/ν, put on the end where it falls beyond: for marks in steps alone.

    So g = −2 and 2 are the ends of the scale, and g may lie beyond them. At the ends it has no density: see `Rounded`.

    precision : ν > 0; 1/ν is the noise, where the scale is 1 long

    Source: Tobin (1958), with an end on either side.
    """

    parameter_names = ("precision",)
    log_concave = True
    middle, support, hint = 0.5, (0.0, 1.0), ON_A_BOUND

    def __init__(self, precision: float = 5.0):
        self.precision = validation.positive(precision, "precision")

    def _place(self, g):
        """½ + g/4, on the scale or beyond."""
        return 0.5 + np.asarray(g) / 4.0

    def _standard(self, low, high, g):
        a, b = (self.precision * (end - self._place(g)) for end in (low, high))
        return (self.precision / 4.0, 0.0, 0.0), (Interval(a, b),)

    def predict(self, mean, variance):
        """In closed form: those of a Gaussian of which the parts beyond 0 and 1 are put there."""
        centre, spread = self._place(mean), np.hypot(1.0 / self.precision, np.sqrt(variance) / 4.0)
        a, b = -centre / spread, (1.0 - centre) / spread
        below, above, inside = ndtr(a), ndtr(-b), np.exp(Interval(a, b).log_P)
        bend = spread * (slope_of_ndtr(a) - slope_of_ndtr(b))
        first = above + centre * inside + bend
        square = (centre - first) ** 2 * inside + (centre - 2.0 * first) * bend
        within = square + spread**2 * inside - spread * slope_of_ndtr(b)
        return first, np.maximum(within + below * first**2 + above * (1.0 - first) ** 2, 0.0)

    def mean(self, g):
        return self.predict(g, 0.0)[0]

    def variance(self, g):
        return self.predict(g, 0.0)[1]

    def cumulative(self, y, g):
        return ndtr(self.precision * (y - self._place(g)))

    def _turn(self, y):
        return self.link(y), 4.0 / self.precision

    def sample(self, g, rng):
        noise = validation.generator(rng).normal(size=np.shape(g)) / self.precision
        return np.clip(self._place(g) + noise, 0.0, 1.0)

    def link(self, y):
        return 4.0 * (np.asarray(y) - 0.5)


class WarpedGaussian(NormalBetween, Gaussian):
    """Φ⁻¹(y) = g + noise, the noise normal: a Gaussian likelihood for z = Φ⁻¹(y), and its density in the unit of y.

    p(y | g) = N(Φ⁻¹(y) | g, σ²)/φ(Φ⁻¹(y)). Inference is exact, and the evidence is comparable with that of the others.

    noise_std : σ > 0 on the warped scale, or (R,) of them, one for each group
    groups : as for Gaussian

    Source: Snelson, Rasmussen & Ghahramani (2004), eq. 8; Nielsen (2015), eq. 2.39, whose denominator is misprinted as
    Φ(Φ⁻¹(y)).
    """

    middle, support, hint = 0.5, (0.0, 1.0), ON_A_BOUND

    def _target(self, y):
        z = ndtri(y)
        return z, 0.5 * z**2 + LOG_ROOT_2PI

    def _standard(self, low, high, g):
        """As NormalBetween has it, on the warped scale."""
        std = self._std_for(g)
        a, b = ((ndtri(np.clip(end, 0.0, 1.0)) - g) / std for end in (low, high))
        return (1.0 / std, 0.0, 0.0), (Interval(a, b),)

    def between_parameters(self, low, high, g):
        """As NormalBetween has it, of σ = 1/ν."""
        return tuple(-slope for slope in super().between_parameters(low, high, g))

    def mean(self, g):
        return self.predict(g, 0.0)[0]

    def variance(self, g):
        return self.predict(g, 0.0)[1]

    def sample(self, g, rng):
        return np.clip(ndtr(super().sample(g, rng)), LEAST_INSIDE, GREATEST_INSIDE)

    def predict(self, mean, variance):
        """In closed form; the mean is Φ(mean/√(1 + variance + σ²))."""
        return of_ndtr(*super().predict(mean, variance))

    def predict_mean(self, mean, variance):
        """In closed form: the expected answer is Φ(g/√(1 + σ²))."""
        mean, variance = super().predict_mean(mean, variance)
        narrowed = 1 + self._std_for(mean) ** 2
        return of_ndtr(mean / np.sqrt(narrowed), variance / narrowed)

    def quantile(self, p, mean, variance):
        return ndtr(super().quantile(p, mean, variance))
