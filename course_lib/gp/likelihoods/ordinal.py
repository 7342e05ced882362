"""Labels in order: the interval between cut points into which g plus noise falls. Lecture: 06, sections 2–4."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from course_lib import validation
from course_lib.gp.likelihoods.base import Likelihood
from course_lib.gp.likelihoods.normal_tails import Interval
from course_lib.gp.parameters import positive_parameter

NARROW_VARIANCE = 1e-4  # of a variance: what is left of it by subtraction has lost too many digits


class Ordinal(Likelihood):
    """A label on an ordered scale 0 … L−1: the interval between cut points into which g plus unit noise falls.

    p(y = l | g) = Φ(c_l − g) − Φ(c_{l−1} − g), with c_0 < … < c_{L−2}, and −∞ and ∞ at the ends.

    levels : L ≥ 2
    first_cut : c_0, any sign; None puts the cuts symmetrically round 0
    gaps : (L − 2,) distances between neighbouring cuts, or one number for all, above 0; there are none if L = 2

    Source: Chu & Ghahramani (2005), "Gaussian processes for ordinal regression".
    """

    parameter_names = ("first_cut", "gaps")
    signed_names = ("first_cut",)
    log_concave = True

    def __init__(self, levels: int, first_cut: float | None = None, gaps: ArrayLike = 1.0):
        self.levels = validation.integer(levels, "levels", least=2)
        gaps = validation.array(gaps, "gaps")
        gaps = np.broadcast_to(gaps, self.levels - 2) if gaps.ndim == 0 else gaps
        if gaps.shape != (self.levels - 2,):
            raise ValueError(f"gaps has shape {gaps.shape}; {self.levels} levels have {self.levels - 2} gaps.")
        self.gaps = positive_parameter(gaps, "gaps", vector=True) if gaps.size else np.zeros(0)
        first_cut = -0.5 * float(self.gaps.sum()) if first_cut is None else first_cut
        self.first_cut = validation.finite(first_cut, "first_cut")
        if self.levels == 2:
            self.parameter_names = ("first_cut",)

    @property
    def possible(self):
        """The labels 0 … L − 1."""
        return np.arange(float(self.levels))

    @property
    def middle(self):
        """Half way between the first and the last label."""
        return 0.5 * (self.levels - 1)

    @property
    def cuts(self):
        """(L − 1,) cut points, ascending."""
        return self.first_cut + np.concatenate([[0.0], np.cumsum(self.gaps)])

    def _needed(self, y):
        hint = " Were the labels counted from 1? Then subtract 1." if (y == self.levels).any() else ""
        return f"a label must be a whole number in 0 … {self.levels - 1} (levels={self.levels}).{hint}"

    def _ends(self, y):
        """Lower and upper end of each label's interval."""
        ends, label = np.concatenate([[-np.inf], self.cuts, [np.inf]]), np.asarray(y).astype(int)
        return ends[label], ends[label + 1]

    def log_density(self, y, g):
        low, high = self._ends(y)
        return Interval.log_probability(low - g, high - g)

    def derivatives(self, y, g):
        low, high = self._ends(y)
        return Interval(low - g, high - g).derivatives

    def _parameter_derivatives(self, name, y, g):
        low, high = self._ends(y)
        interval, label = Interval(low - g, high - g), np.asarray(y)
        lower, upper = interval.end_slopes
        if name == "first_cut":
            return tuple((lower + upper)[:, None])
        # Gap k moves cut k + 1 and those above; label l has cut l − 1 below it and cut l above.
        first_moved = np.arange(1, self.levels - 1).reshape(-1, *(1,) * (lower.ndim - 1))
        scale = self.gaps.reshape(first_moved.shape)
        below, above = label > first_moved, label >= first_moved
        return tuple(scale * (below * at_low + above * at_high) for at_low, at_high in zip(lower, upper, strict=True))

    def cumulative(self, y, g):
        ends = np.concatenate([[-np.inf], self.cuts, [np.inf]])
        return ndtr(ends[np.clip(np.floor(y), -1, self.levels - 1).astype(int) + 1] - g)

    def _turn(self, y):
        below = np.clip(np.floor(y), 0, self.levels - 2).astype(int)
        return self.cuts[below], 1.0

    def _moments(self, z):
        """Mean and variance of the label, where it is above cut j with probability Φ(z[j])."""
        above, below = ndtr(z), ndtr(-z)
        # Being above cut k implies being above each cut j < k: their covariance is p(above k) p(below j).
        below_before = np.cumsum(below, axis=0) - below
        return above.sum(axis=0), (above * (below + 2 * below_before)).sum(axis=0)

    def _from_cuts(self, g):
        return g - self.cuts.reshape(-1, *(1,) * np.ndim(g))

    def mean(self, g):
        """Σ_j Φ(g − c_j), a mean label between 0 and L − 1."""
        return self._moments(self._from_cuts(g))[0]

    def variance(self, g):
        return self._moments(self._from_cuts(g))[1]

    def sample(self, g, rng):
        noise = validation.generator(rng).normal(size=np.shape(g))
        return (self._from_cuts(g + noise) > 0).sum(axis=0).astype(float)

    def tilted(self, y, mean, variance, start=None):
        return tilted_by_interval(self, y, mean, variance, start)

    def predict(self, mean, variance):
        mean, variance = np.broadcast_arrays(mean, variance)
        return self._moments(self._from_cuts(mean) / np.sqrt(1 + variance))

    def _quadrature_centre(self, y):
        low, high = self._ends(y)
        low = np.where(np.isinf(low), high, low)
        return 0.5 * (low + np.where(np.isinf(high), low, high)), 1.0


def tilted_by_interval(likelihood, y, mean, variance, start):
    """As Likelihood.tilted, where y is the interval (`_ends`) into which g plus unit noise falls.

    In closed form, as Gaussian and noise add up. Where a view is much wider than its interval, that leaves only
    rounding of the variance: then by quadrature.
    """
    spread = np.sqrt(1 + np.asarray(variance))
    low, high = likelihood._ends(y)
    log_Z, first, second, _ = Interval((low - mean) / spread, (high - mean) / spread).derivatives
    closed = log_Z, mean + variance * first / spread, variance + variance**2 * second / spread**2
    narrow = closed[2] < NARROW_VARIANCE * variance
    if not narrow.any():
        return closed
    summed = Likelihood.tilted(likelihood, y, mean, variance, start)
    return tuple(np.where(narrow, other, one) for one, other in zip(closed, summed, strict=True))
