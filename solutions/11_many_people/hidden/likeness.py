"""Reference of task 6, whose_taste."""

import numpy as np
from scipy.special import logsumexp
from scipy.stats import norm

SEED = 1106


def answer(tastes, prior, pairs, y, noise_std, new_pairs):
    """The posterior after each answer is the prior of the next one."""
    spread, logs = np.sqrt(2) * noise_std, np.log(prior)
    for (a, b), choice in zip(pairs, y, strict=True):
        logs = logs + norm.logcdf(choice * (tastes[:, b] - tastes[:, a]), scale=spread)
        logs = logs - logsumexp(logs)
    weights = np.exp(logs)
    told = [np.average(norm.cdf(tastes[:, d] - tastes[:, c], scale=spread), weights=weights) for c, d in new_pairs]
    return weights, np.array(told)


def way(tastes, prior, pairs, y, noise_std, new_pairs):
    """What each person would say, of what was asked and of the first question to come."""
    spread = np.sqrt(2) * noise_std
    (a, b), (c, d) = pairs.T, new_pairs[0]
    likelihood = norm.logcdf(y * (tastes[:, b] - tastes[:, a]), scale=spread).sum(axis=1)
    yield "g_jk, a row for each person,", tastes[:, b] - tastes[:, a]
    yield "log p(y | j)", likelihood
    yield "log p(j) + log p(y | j)", np.log(prior) + likelihood
    yield "Φ(g′_j/(√2 σ)) of the first new question", norm.cdf(tastes[:, d] - tastes[:, c], scale=spread)
