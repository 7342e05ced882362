"""What the wrong and the right answers of homework 06 share: averages over Gaussian and tilted distributions."""

import numpy as np
from scipy.special import logsumexp


def hermite_nodes(mean, variance, n=100):
    """Nodes (…, n), and weights (n,) that sum to 1, for averages over N(mean, variance)."""
    nodes, weights = np.polynomial.hermite.hermgauss(n)
    return np.asarray(mean)[..., None] + np.sqrt(2 * np.asarray(variance))[..., None] * nodes, weights / np.sqrt(np.pi)


def log_normal(g, mean, variance):
    """log N(g | mean, variance)."""
    return -0.5 * (g - mean) ** 2 / variance - 0.5 * np.log(2 * np.pi * variance)


def on_grid(log_likelihood, mean, variance, points=100_001, reach=10.0):
    """(log Z, mean, variance) of p(y | g) N(g | mean, variance), by brute force: equal steps over ± `reach` stds."""
    g = mean + np.sqrt(variance) * np.linspace(-reach, reach, points)
    log_weight = log_likelihood(g) + log_normal(g, mean, variance) + np.log(g[1] - g[0])
    log_Z = logsumexp(log_weight)
    weight = np.exp(log_weight - log_Z)
    first = weight @ g
    return log_Z, first, weight @ (g - first) ** 2
