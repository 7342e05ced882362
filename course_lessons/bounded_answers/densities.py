"""What is read off the density of a mark: percentiles, hills, ends where it is infinite.

Lecture: 07, sections 4 and 5.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from course_lib.gp import Beta, TruncatedGaussian, WarpedGaussian

GRID_F = np.linspace(-3.0, 3.0, 121)
# Close together near the bounds, where densities change most.
GRID_Y = np.concatenate(
    [ndtr(np.linspace(-5, -2.05, 60)), np.linspace(0.021, 0.979, 241), ndtr(np.linspace(2.05, 5, 60))]
)


def percentiles(y, density, levels):
    """(len(levels), Q) marks below which these shares of the mass lie; density (G, Q) at y (G,), by trapezia."""
    pieces = 0.5 * (density[1:] + density[:-1]) * np.diff(y)[:, None]
    mass = np.concatenate([np.zeros((1, density.shape[1])), np.cumsum(pieces, axis=0)])
    return np.transpose([np.interp(levels, column / column[-1], y) for column in mass.T])


def peak_of(y, density):
    """The highest place inside the scale, from which the density falls to both sides; None without such a hill."""
    inner = density[1:-1]
    hills = 1 + np.flatnonzero((inner > density[:-2]) & (inner >= density[2:]))
    return float(y[hills[np.argmax(density[hills])]]) if len(hills) else None


def infinite_ends(likelihood, mean, variance=0.0):
    """Whether a mark's density is infinite at the lower end, and at the upper end; the latent is N(mean, variance).

    Beta: an end where α or β is below 1, and an uncertain latent makes it so with some probability at either end.
    Warped: both ends, if z has more than the variance 1.
    """
    if isinstance(likelihood, Beta):
        nu = likelihood.precision
        return variance > 0 or bool(nu * ndtr(mean) < 1), variance > 0 or bool(nu * ndtr(-mean) < 1)
    both = isinstance(likelihood, WarpedGaussian) and bool(variance + likelihood.noise_std**2 > 1)
    return both, both


def share_near_the_ends(y, density, distance=0.02):
    """The mass that is not between `distance` and 1 − `distance`; density at the marks y, which reach beyond both."""
    between = np.concatenate([[distance], y[(y > distance) & (y < 1 - distance)], [1 - distance]])
    return 1 - float(np.trapezoid(np.interp(between, y, density), between))


def alike_in_the_middle(spread):
    """{name: likelihood} of three models whose marks have this standard deviation where their mean is 0.5."""
    warped = brentq(lambda std: np.sqrt(WarpedGaussian(std).variance(0.0)) - spread, 0.01, 20)
    truncated = brentq(lambda nu: np.sqrt(TruncatedGaussian(nu).variance(0.0)) - spread, 0.1, 200)
    beta = 0.25 / spread**2 - 1
    return {"warped": WarpedGaussian(warped), "truncated": TruncatedGaussian(truncated), "beta": Beta(beta)}
