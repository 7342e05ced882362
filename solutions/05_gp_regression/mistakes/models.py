"""What several modules of this bank need: a kernel, the covariance of what is observed, Gaussian log densities."""

import numpy as np

LOG_2PI = np.log(2 * np.pi)


def squared_exponential(x, z, variance, lengthscale):
    """(n, m) covariances of f(x) and f(z) for inputs on a line."""
    return variance * np.exp(-0.5 * np.subtract.outer(x, z) ** 2 / lengthscale**2)


def noisy(K, noise_std):
    """Covariance of the observations; noise_std is one number or one for each of them."""
    return K + np.eye(len(K)) * np.square(noise_std)


def log_density(y, C):
    """log N(y | 0, C)."""
    return -0.5 * (y @ np.linalg.solve(C, y) + np.linalg.slogdet(C)[1] + len(y) * LOG_2PI)


def conditional(K_cross, C, y):
    """Mean of the new values, and what the observations explain of their variances."""
    return K_cross.T @ np.linalg.solve(C, y), (K_cross * np.linalg.solve(C, K_cross)).sum(axis=0)


def permuted(*order):
    """Makes, of an answer of several parts, one with these parts in this order."""
    return lambda answer: lambda *given: tuple(answer(*given)[i] for i in order)
