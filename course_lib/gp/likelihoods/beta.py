"""Marks with a beta distribution round Φ(g); and, for marks in steps, what it holds between two places.

On t = logit(y) the integrand y^a (1 − y)^b has one peak and is smooth, however steep the density is at the ends; from
its peak nodes are laid outwards, ever coarser, by Gauss and Legendre.

Lecture: 07, sections 4, 5 and 7; 10, section 4.
"""

import numpy as np
from scipy.special import betainc, betaln, digamma, expit, log_expit, log_ndtr, logit, ndtr, ndtri, zeta

from course_lib import validation
from course_lib.gp.likelihoods.base import Likelihood
from course_lib.gp.likelihoods.bounded import GREATEST_INSIDE, LEAST_INSIDE, ON_A_BOUND, of_ndtr, slope_of_ndtr
from course_lib.gp.likelihoods.normal_tails import log_ndtr_derivatives
from course_lib.gp.quadrature import _normalized, _unit_interval

LARGEST_G = 20.0  # |g| up to which the third power of 1/Φ(−|g|) is a number
PEAK_DEPTH = 38.0  # e⁻³⁸ of the peak: what is lower is left out
NEWTON_ROUNDS = 8  # of Newton's, from outside towards the place that is as deep
SIDE_NODES, NODES_PER_LENGTH = 8, 8  # of each side of the peak, and for each unit of its length in arcsinh


def _beyond(near, g, found):
    """log P and three slopes at g, from those at `near`: out there it is constant, or falls as log Φ(−|g|) does."""
    sign = np.where(near < 0, 1.0, -1.0)
    (begin, steep, *_), (tail, *slopes) = (log_ndtr_derivatives(-np.abs(x)) for x in (near, g))
    share = found[1] / (sign * steep)  # 1, or of the mark at this end 0
    further = (share * sign**k * slope for k, slope in enumerate(slopes, 1))
    return found[0] + share * (tail - begin), *(
        np.where(near == g, one, other) for one, other in zip(found[1:], further, strict=True)
    )


class Beta(Likelihood):
    """y ~ Beta(ν Φ(g), ν Φ(−g)): the mean is Φ(g), and the noise grows towards the middle of the scale.

    Where α = ν Φ(g) is tiny, log Γ(α) = log Γ(1 + α) − log α with log α = log ν + log Φ(g): so nothing overflows.

    precision : ν > 0; Var[y | g] = Φ(g) Φ(−g)/(1 + ν)

    Source: Jensen et al. (2013), section 3.3 (Nielsen (2015), eqs. 2.36–2.37). It is not log-concave.
    """

    parameter_names = ("precision",)
    middle, support, hint = 0.5, (0.0, 1.0), ON_A_BOUND

    def __init__(self, precision: float = 10.0):
        self.precision = validation.positive(precision, "precision")

    def _shapes(self, g):
        return self.precision * ndtr(g), self.precision * ndtr(np.negative(g))

    def _minus_log_B(self, g):
        """−log B(α, β)."""
        (a, b), nu = self._shapes(g), self.precision
        return log_ndtr(g) + log_ndtr(np.negative(g)) + np.log(nu) - np.log1p(nu) - betaln(1 + a, 1 + b)

    def log_density(self, y, g):
        a, b = self._shapes(g)
        return (a - 1) * np.log(y) + (b - 1) * np.log1p(np.negative(y)) + self._minus_log_B(g)

    def derivatives(self, y, g):
        """∂^k log p for k = 0 … 3. Source: Jensen et al. (2013), section 4.1, and one derivative more."""
        return self.log_density(y, g), *self._slopes(logit(y), np.asarray(g))

    def _slopes(self, t, g):
        """∂^k log p for k = 1 … 3, at t = logit(y)."""
        (a, b), q = self._shapes(g), self.precision * slope_of_ndtr(g)
        low, high = log_ndtr_derivatives(g), log_ndtr_derivatives(-g)  # from log α and log β
        D = t - digamma(1 + a) + digamma(1 + b)
        T, S = zeta(2, 1 + a) + zeta(2, 1 + b), -2 * zeta(3, 1 + a) + 2 * zeta(3, 1 + b)  # ψ′ and ψ″
        return (
            q * D + low[1] - high[1],
            -g * q * D - q**2 * T + low[2] + high[2],
            (g**2 - 1) * q * D + 3 * g * q**2 * T - q**3 * S + low[3] - high[3],
        )

    def _parameter_derivatives(self, name, y, g):
        g, (a, b) = np.asarray(g), self._shapes(g)
        u = a * np.log(y) + b * np.log1p(np.negative(y))
        return tuple(slope[None] for slope in self._parameter_slopes(logit(y), u, g))

    def _parameter_slopes(self, t, u, g):
        """`parameter_derivatives`, at t = logit(y) and u = α log y + β log(1 − y)."""
        nu, (a, b), q = self.precision, self._shapes(g), self.precision * slope_of_ndtr(g)
        ta, tb = zeta(2, 1 + a), zeta(2, 1 + b)  # ψ′(x) = ζ(2, x), ψ″(x) = −2 ζ(3, x)
        E = t - digamma(1 + a) + digamma(1 + b) - a * ta + b * tb
        E_slope = -q * (2 * (ta + tb) + a * (-2 * zeta(3, 1 + a)) + b * (-2 * zeta(3, 1 + b)))
        explicit = u - a * digamma(1 + a) - b * digamma(1 + b) + 1 + nu * digamma(1 + nu)
        return explicit, q * E, q * E_slope - g * q * E

    def between(self, low, high, g):
        """log P(low < y < high | g) and its three slopes, by the cumulants of logit(y) there."""
        near, q, log_mass, of = self._held(low, high, g)
        first, second, third = self._slopes(of["t"], near)
        second, third = second + q**2 * of["tt"], third - 3 * near * q**2 * of["tt"] + q**3 * of["ttt"]
        found = log_mass + self._minus_log_B(near), first, second, third
        return found if (near == g).all() else _beyond(near, g, found)

    def between_parameters(self, low, high, g):
        """What a change of log ν does to log P(low < y < high | g) and to its first two slopes."""
        near, q, _, of = self._held(low, high, g)
        value, first, second = self._parameter_slopes(of["t"], of["u"], near)
        by_g = q * of["tu"], q**2 * (2 * of["tt"] + of["ttu"]) - near * q * of["tu"]
        return value, first + by_g[0], second + by_g[1]

    def _held(self, low, high, g):
        """g as far out as Φ(−|g|) can be divided by, ν φ(g), and what `beta_interval` says there."""
        near = np.clip(g, -LARGEST_G, LARGEST_G)
        return near, self.precision * slope_of_ndtr(near), *beta_interval(*self._shapes(near), low, high)

    def mean(self, g):
        return ndtr(g)

    def variance(self, g):
        return ndtr(g) * ndtr(np.negative(g)) / (1 + self.precision)

    def sample(self, g, rng):
        """One draw for each g; where it rounds to a bound, the number next to it."""
        a, b = (np.maximum(shape, 1e-300) for shape in self._shapes(g))
        return np.clip(validation.generator(rng).beta(a, b), LEAST_INSIDE, GREATEST_INSIDE)

    def predict(self, mean, variance):
        """In closed form; the mean is Φ(mean/√(1 + variance)). Source: Jensen et al. (2013), section 4.3."""
        return of_ndtr(mean, variance, self.precision / (1 + self.precision))

    def predict_mean(self, mean, variance):
        return of_ndtr(mean, variance)

    def cumulative(self, y, g):
        return betainc(*self._shapes_above_zero(g), y)

    def sides(self, g):
        a, b = self._shapes_above_zero(g)
        return betainc(b, a, 0.5), betainc(a, b, 0.5)

    def _shapes_above_zero(self, g):
        return (np.maximum(shape, np.finfo(float).tiny) for shape in self._shapes(g))  # SciPy < 1.15: NaN for 0

    def _turn(self, y):
        y = np.clip(y, LEAST_INSIDE, GREATEST_INSIDE)
        g = ndtri(y)
        return g, np.minimum(1.0, np.sqrt(y * np.subtract(1, y) / (1 + self.precision)) / slope_of_ndtr(g))

    def link(self, y):
        return ndtri(y)


def beta_interval(a, b, low, high):
    """(log ∫ y^(a−1) (1−y)^(b−1) dy from low to high, cumulants) for arrays that broadcast, 0 ≤ low < high ≤ 1.

    cumulants : dict of E[t], Var[t], κ₃[t] as "t", "tt", "ttt", with t = logit(y); of u = a log y + b log(1 − y) as
        "u", "tu" and "ttu": joint ones
    """
    arrays = np.broadcast_arrays(a, b, np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0))
    a, b, low, high = (np.ravel(one).astype(float) for one in arrays)
    window, lengths = _window(a, b, logit(low), logit(high))
    found = np.empty((7, len(a)))
    length = np.nan_to_num(lengths.max(axis=0))  # what is no number stays none
    count = SIDE_NODES * 2 ** np.ceil(np.log2(1.0 + length * NODES_PER_LENGTH / SIDE_NODES)).astype(int)
    for Q in np.unique(count):  # the few wide ones need many nodes, and shall not make all others wait
        mine = count == Q
        found[:, mine] = _moments(a[mine], b[mine], *(part[..., mine] for part in (window, lengths)), Q)
    log_mass, *cumulants = found.reshape(7, *arrays[0].shape)
    return log_mass, dict(zip(("t", "u", "tt", "tu", "ttt", "ttu"), cumulants, strict=True))


def _height(a, b, t):
    """a log y + b log(1 − y)."""
    return np.where(t < 0.0, a, -b) * t + (a + b) * log_expit(np.abs(t))


def _window(a, b, low, high):
    """(centre, width, end, end) of the nodes, and the length in arcsinh of either side."""
    peak = np.clip(np.log(a) - np.log(b), low, high)
    level = _height(a, b, peak) - PEAK_DEPTH
    ends = [level / a, -level / b]  # outside, as no height is above a t or −b t
    for _ in range(NEWTON_ROUNDS):  # it falls ever faster, so that no step goes too far
        for k in range(2):
            slope = a * expit(-ends[k]) - b * expit(ends[k])
            ends[k] = ends[k] + (level - _height(a, b, ends[k])) / slope
    left, right = np.maximum(low, ends[0]), np.minimum(high, ends[1])
    centre = np.clip(np.log(np.maximum(a, 1.0)) - np.log(np.maximum(b, 1.0)), left, right)  # of what bends
    width = np.sqrt(1.0 / np.maximum(a, 1.0) + 1.0 / np.maximum(b, 1.0))
    return np.stack([centre, width]), np.arcsinh(np.stack([centre - left, right - centre]) / width)


def _moments(a, b, window, lengths, Q):
    """The logarithm of the mass, and cumulants as `beta_interval` names them, (7, m)."""
    (centre, width), (x, share) = window, (part[:, None] for part in _unit_interval(Q))
    s = np.concatenate([-x * lengths[0], x * lengths[1]])
    t = centre + width * np.sinh(s)
    with np.errstate(divide="ignore"):  # a side without length has weight 0
        log_weight = np.log(np.concatenate([share * lengths[0], share * lengths[1]]) * width * np.cosh(s))
    u = _height(a, b, t)
    log_mass, weight = _normalized(log_weight + u)
    mean_t, mean_u = (weight * t).sum(axis=0), (weight * u).sum(axis=0)
    t, u = t - mean_t, u - mean_u
    by_t, by_tt = weight * t, weight * t * t
    return log_mass, mean_t, mean_u, by_tt.sum(0), (by_t * u).sum(0), (by_tt * t).sum(0), (by_tt * u).sum(0)
