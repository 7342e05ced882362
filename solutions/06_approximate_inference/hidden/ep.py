"""Reference of task 4, ep_site."""

import numpy as np
from scipy.special import logsumexp
from scipy.stats import norm

SEED = 604


def log_weights(log_likelihood, m, v):
    """200 001 points within 11 standard deviations of the cavity, and log p + log N there."""
    g = m + np.sqrt(v) * np.linspace(-11, 11, 200_001)
    return g, log_likelihood(g) + norm.logpdf(g, m, np.sqrt(v))


def answer(log_likelihood, m, v):
    g, log_weight = log_weights(log_likelihood, m, v)
    log_sum = logsumexp(log_weight)
    centre = g[log_weight.argmax()]
    first, second = (np.exp(log_weight - log_sum) @ (g - centre) ** k for k in (1, 2))
    mean, variance = centre + first, second - first**2
    return float(log_sum + np.log(g[1] - g[0])), mean, variance, 1 / variance - 1 / v, mean / variance - m / v


def way(log_likelihood, m, v):
    g, log_weight = log_weights(log_likelihood, m, v)
    matters = g[log_weight > log_weight.max() - 40]
    yield "largest log p + log N", log_weight.max()
    yield "it lies at g =", g[log_weight.argmax()]
    yield "within 40 of it from g =", matters[0]
    yield "to g =", matters[-1]
