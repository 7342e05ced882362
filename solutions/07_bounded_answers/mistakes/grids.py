"""Averages over f ~ N(mean, variance) and densities of a mark, shared by the banks of homework 07."""

from functools import cache

import numpy as np
from scipy.special import ndtr

legendre = cache(np.polynomial.legendre.leggauss)  # nodes and weights, slow to compute


def standard_grid(reach=8.0, n=2001):
    """Nodes t and weights of N(0, 1) that sum to 1."""
    t = np.linspace(-reach, reach, n)
    weights = np.exp(-0.5 * t**2)
    return t, weights / weights.sum()


def opinions(mean, variance, **how):
    """(f, weights): values of f ~ N(mean, variance) with their probabilities."""
    t, weights = standard_grid(**how)
    return mean + np.sqrt(variance) * t, weights


def shapes(f, precision):
    """α and β of the beta model, positive far out on both sides."""
    return precision * ndtr(f), precision * ndtr(-f)


def logistic(f):
    """The other link."""
    return 1 / (1 + np.exp(-f))
