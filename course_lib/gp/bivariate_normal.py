"""The probability that two normal numbers, which go together, both stay below their limits. Lecture: 13, section 3."""

import numpy as np
from scipy.special import ndtr, owens_t

LARGEST_LIMIT = 40.0  # beyond it Φ is 0 or 1 to the last digit
SMALLEST_LIMIT = 1e-300  # in place of a limit at 0, of which Owen's form divides


def bivariate_normal_cdf(h, k, rho):
    """P(X ≤ h, Y ≤ k) of two standard normal numbers with correlation ρ, with an absolute error of 1e-14.

    With Owen's T(h, a) = P(X > h, 0 < Y < aX) of two independent ones it is
    ½ Φ(h) + ½ Φ(k) − T(h, (k − ρh)/(h√(1−ρ²))) − T(k, (h − ρk)/(k√(1−ρ²))), less ½ if one limit alone is below 0.

    h, k : limits, which may be infinite;  rho : −1 … 1; float arrays that fit each other, taken as they are

    Source: Owen (1956), "Tables for computing bivariate normal probabilities".
    """
    h, k = _not_zero(h), _not_zero(k)
    width, P, Q = np.sqrt((1.0 - rho) * (1.0 + rho)), ndtr(h), ndtr(k)
    with np.errstate(divide="ignore", invalid="ignore"):  # where |ρ| is 1
        corners = owens_t(h, (k - rho * h) / (h * width)) + owens_t(k, (h - rho * k) / (k * width))
    both = 0.5 * (P + Q) - corners - 0.5 * ((h < 0) != (k < 0))
    if np.all(width > 0):
        return np.clip(both, 0.0, np.minimum(P, Q))
    return np.where(width > 0, both, np.where(rho > 0, np.minimum(P, Q), np.maximum(P - ndtr(-k), 0.0)))


def _not_zero(limit):
    limit = np.clip(limit, -LARGEST_LIMIT, LARGEST_LIMIT)
    return np.where(limit == 0, SMALLEST_LIMIT, limit)
