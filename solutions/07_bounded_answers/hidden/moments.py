"""Reference of task 2, beta_scale."""

import numpy as np
from scipy.stats import beta

SEED = 702


def answer(mean, precision, low, high):
    a = precision * (mean - low) / (high - low)
    b = precision * (high - mean) / (high - low)
    mode = ((a - 1) * high + (b - 1) * low) / (a + b - 2) if a > 1 and b > 1 else np.nan
    return a, b, float(beta(a, b, loc=low, scale=high - low).std()), mode


def way(mean, precision, low, high):
    a, b, std, _ = answer(mean, precision, low, high)
    yield "α + β", a + b
    yield "mean on [0, 1]", a / (a + b)
    yield "variance on [0, 1]", (std / (high - low)) ** 2
