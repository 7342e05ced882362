"""Reference of task 1, preference_probability."""

import numpy as np
from scipy.integrate import quad
from scipy.stats import norm

SEED = 1001


def answer(mean, covariance, noise_std):
    """The fraction of heard differences above 0, on average over what b is heard as, given what a is heard as."""
    heard = covariance + noise_std**2 * np.eye(2)
    slope = heard[0, 1] / heard[0, 0]
    rest = np.sqrt(heard[1, 1] - slope * heard[0, 1])

    def integrand(t):
        a = mean[0] + t * np.sqrt(heard[0, 0])
        return norm.pdf(t) * norm.sf(a, mean[1] + slope * (a - mean[0]), rest)

    return quad(integrand, -12, 12, epsabs=1e-12, epsrel=1e-12, limit=300)[0]


def way(mean, covariance, noise_std):
    """Mean and variance of the difference, before and after the noise."""
    difference = np.array([-1, 1])
    yield "the mean of f(b) − f(a)", float(difference @ mean)
    yield "its variance", float(difference @ covariance @ difference)
    yield (
        "the variance of the difference that is heard",
        float(difference @ covariance @ difference + 2 * noise_std**2),
    )
