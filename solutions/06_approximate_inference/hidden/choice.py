"""Reference of task 1, choice_probability."""

import numpy as np
from scipy.stats import norm

SEED = 601


def answer(means, variances, lapse):
    """By a sum over g within 12 standard deviations."""
    z = np.linspace(-12, 12, 20_001)
    weight = norm.pdf(z) / norm.pdf(z).sum()
    attentive = norm.cdf(means[:, None] + np.sqrt(variances)[:, None] * z) @ weight
    return 0.5 * lapse + attentive - lapse * attentive


def way(means, variances, lapse):
    spread = np.sqrt(1 + variances)
    yield "standard deviation of g + ε", spread
    yield "P(+) of who attends", norm.cdf(means / spread)
