"""Probabilities of a normal distribution far out in its tails: of a half line and of an interval, with their slopes.

Lecture: 06, sections 2 and 3.
"""

import numpy as np
from scipy.special import erfcx, log_ndtr, ndtr

ROOT_2, ROOT_2_BY_PI = np.sqrt(2), np.sqrt(2 / np.pi)
LEAST_INTERVAL_SHARE = 1e-200  # of an interval whose ends rounding has made one, so that its slopes stay numbers
LEAST_SHARE = 0.01  # of Φ(b) in the interval, below which the difference Φ(b) − Φ(a) loses more than two digits
LEAST_PROBABILITY = 1e-200  # below which Φ itself loses digits, and then is 0
HERMITE_POLYNOMIALS = (lambda x: 1.0, lambda x: x, lambda x: x**2 - 1, lambda x: x**3 - 3 * x)


class Interval:
    """P = Φ(b) − Φ(a), a < b, for a = low − g, b = high − g: its logarithm and slopes in g, exact in both tails."""

    def __init__(self, a, b):
        a, b = np.broadcast_arrays(a, b)
        flip, (low, high) = a + b > 0, _in_lower_tail(a, b)
        self.log_P, at_low, at_high = _log_interval(low, high)
        at_a, at_b = np.where(flip, at_high, at_low), np.where(flip, at_low, at_high)
        self.a, self.b, self.at_a, self.at_b = np.where(np.isinf(a), 0, a), np.where(np.isinf(b), 0, b), at_a, at_b

    @classmethod
    def log_probability(cls, a, b):
        """log P alone, several times as fast where the difference of the two Φ in the lower tail keeps its digits."""
        a, b = _in_lower_tail(a, b)
        above = ndtr(b)
        P = above - ndtr(a)
        lost = LEAST_SHARE * above + LEAST_PROBABILITY > P
        if not lost.any():
            return np.log(P)
        log_P = np.asarray(np.log(np.where(lost, 1.0, P)))
        log_P[lost] = _log_interval(a[lost], b[lost])[0]
        return log_P[()]

    def ratio(self, k):
        """∂ᵏP/∂gᵏ divided by P, for k = 1 … 4."""
        return HERMITE_POLYNOMIALS[k - 1](self.a) * self.at_a - HERMITE_POLYNOMIALS[k - 1](self.b) * self.at_b

    @property
    def derivatives(self):
        """(log P, ∂, ∂², ∂³) with respect to g."""
        R1, R2, R3 = map(self.ratio, (1, 2, 3))
        return self.log_P, R1, R2 - R1**2, R3 - 3 * R1 * R2 + 2 * R1**3

    @property
    def end_slopes(self):
        """Two (3, …) arrays, for the lower and the upper end: slopes in that end of log P, ∂ log P, ∂² log P."""
        _, first, second, _ = self.derivatives
        ends = ((-self.at_a, self.a - first), (self.at_b, self.b - first))
        return tuple(np.stack([u, u * x, u * (x**2 - 1 - second)]) for u, x in ends)

    @property
    def by_unit(self):
        """(3, …) slopes of log P, ∂ log P, ∂² log P in the logarithm of what both ends are multiplied by."""
        lower, upper = self.end_slopes
        return self.a * lower + self.b * upper


class NormalBetween:
    """Likelihoods whose answers lie between two places with the probability of an interval, or of one in another.

    They say by `_standard(low, high, g)` which: (x′, x″, x‴), (interval, …). The ends are ν (place − centre), and x
    is ν times the centre, which g moves; the second interval, if there is one, is that of all answers.
    """

    def between(self, low, high, g):
        """log P(low < y < high | g) and its three slopes in g."""
        x_slopes, intervals = self._standard(low, high, g)
        log_P, *slopes = _share(intervals, "derivatives")
        return log_P, *chain_rule(slopes, x_slopes)

    def between_parameters(self, low, high, g):
        """What a change of log ν does to log P(low < y < high | g) and to its first two slopes in g."""
        (q, q1, _), intervals = self._standard(low, high, g)
        (_, L1, L2, _), (E0, E1, E2) = _share(intervals, "derivatives"), _share(intervals, "by_unit")
        return E0, q * (E1 + L1), q**2 * (E2 + 2 * L2) + q1 * (E1 + L1)


def _share(intervals, what):
    """What the logarithm of the first interval's share in the second has of this: slopes, or changes."""
    first, *second = (getattr(interval, what) for interval in intervals)
    return [one - sum(others) for one, *others in zip(first, *second, strict=True)]


def chain_rule(slopes, x_slopes):
    """Three slopes in g from those in x(g), and those of x."""
    (L1, L2, L3), (q, q1, q2) = slopes, x_slopes
    return L1 * q, L2 * q**2 + L1 * q1, L3 * q**3 + 3 * L2 * q * q1 + L1 * q2


def _in_lower_tail(a, b):
    """The ends, or those of the mirrored interval if both Φ are smaller there: Φ(b) − Φ(a) = Φ(−a) − Φ(−b)."""
    return np.minimum(a, -b), np.minimum(b, -a)


def _log_interval(a, b):
    """log P, φ(a)/P and φ(b)/P for P = Φ(b) − Φ(a), where a < b, a + b ≤ 0 and b is finite."""
    open_below = np.isinf(a)
    a = np.where(open_below, -np.abs(b) - 1.0, a)  # any number that obeys a < b, a + b ≤ 0
    log_density_ratio = 0.5 * (b - a) * (b + a)  # of φ(a)/φ(b)
    tail, right = np.minimum(b, 0.0), np.maximum(b, 0.0)
    log_share = np.log(erfcx(-a / ROOT_2) / erfcx(-tail / ROOT_2)) + log_density_ratio  # of Φ(a)/Φ(b)
    inside = np.where(b > 0, 1.0 - ndtr(a) / ndtr(right), -np.expm1(np.minimum(log_share, 0.0)))
    inside = np.where(open_below, 1.0, np.maximum(inside, LEAST_INTERVAL_SHARE))
    at_b = ROOT_2_BY_PI / erfcx(-b / ROOT_2) / inside
    return log_ndtr(b) + np.log(inside), np.where(open_below, 0.0, at_b * np.exp(log_density_ratio)), at_b


def log_ndtr_derivatives(z):
    """(log Φ(z), ∂, ∂², ∂³), exact far in the tail: with r = φ(z)/Φ(z) they are r, −r(z + r), r((z + r)(z + 2r) − 1).

    Source: Rasmussen & Williams (2006), eqs. 3.15–3.16.
    """
    r = ROOT_2_BY_PI / erfcx(-np.asarray(z) / ROOT_2)
    return log_ndtr(z), r, -r * (z + r), r * ((z + r) * (z + 2 * r) - 1)
