"""What a beta density holds between two places: its mass, and the cumulants of log y and log(1 − y) there.

On t = logit(y) the integrand y^a (1 − y)^b has one peak and is smooth, however steep the density is at the ends; from
its peak nodes are laid outwards, ever coarser, by Gauss and Legendre.

Lecture: 07, section 7.
"""

import numpy as np
from scipy.special import expit, log_expit, logit

from course_lib.gp.quadrature import _normalized, _unit_interval

DEEP = 38.0  # e⁻³⁸ of the peak: what is lower is left out
ROUNDS = 8  # of Newton's, from outside towards the place that is as deep
NODES, PER_UNIT = 8, 8  # of each side of the peak, and for each unit of its length in arcsinh


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
    count = NODES * 2 ** np.ceil(np.log2(1.0 + length * PER_UNIT / NODES)).astype(int)
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
    level = _height(a, b, peak) - DEEP
    ends = [level / a, -level / b]  # outside, as no height is above a t or −b t
    for _ in range(ROUNDS):  # it falls ever faster, so that no step goes too far
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
