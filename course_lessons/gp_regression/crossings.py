"""Functions drawn from six kernels, and how often they cross zero. Lecture: 05, section 2."""

from functools import cache

import numpy as np

from course_lib.gp.kernels import Linear, Matern32, Periodic, SquaredExponential
from course_lib.gp.sites import symmetric_root

WAY = np.linspace(-3, 3, 240)
N_FUNCTIONS = 400
KERNEL_CHOICES = {
    "squared exponential": lambda ell: SquaredExponential(1.0, ell),
    "Matérn 3/2": lambda ell: Matern32(1.0, ell),
    "periodic, period 2": lambda ell: Periodic(1.0, ell, 2.0),
    "linear": lambda ell: Linear(1.0 / 3.0),
    "linear + periodic": lambda ell: Linear(1.0 / 6.0) + 0.5 * Periodic(1.0, ell, 2.0),
    "SE × periodic": lambda ell: SquaredExponential(1.0, 2.0) * Periodic(1.0, ell, 2.0),
}  # of variance 1 at each place, or on average over WAY if it grows with x
BEND = {
    "squared exponential": lambda ell: 1 / ell**2,
    "Matérn 3/2": lambda ell: 3 / ell**2,
    "periodic, period 2": lambda ell: (np.pi / ell) ** 2,
    "SE × periodic": lambda ell: 1 / 4 + (np.pi / ell) ** 2,
}  # −k''(0)/k(0) of the stationary ones


@cache
def drawn_functions(kernel, lengthscale):
    """(400, 240) functions drawn from a kernel of variance about 1, always with the same random numbers."""
    root = symmetric_root(KERNEL_CHOICES[kernel](lengthscale)(WAY))
    return np.random.default_rng(5).normal(size=(N_FUNCTIONS, len(WAY))) @ root


def zero_crossings(functions):
    """(F,) how often each of the functions (F, G) changes its sign along the grid."""
    return np.sum(np.diff(np.sign(functions), axis=1) != 0, axis=1)


def expected_crossings(kernel, lengthscale):
    """Rice's formula: √(−k''(0)/k(0))/π zero crossings per unit of x, for a stationary kernel; None for others.

    Source: Rasmussen & Williams (2006), eq. 4.3.
    """
    if kernel not in BEND:
        return None
    return float(np.sqrt(BEND[kernel](lengthscale)) / np.pi * (WAY[-1] - WAY[0]))
