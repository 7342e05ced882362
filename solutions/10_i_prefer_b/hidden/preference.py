"""Hidden cases of task 1, preference_probability."""

import numpy as np
from scipy.integrate import quad
from scipy.stats import norm

from course_checks import Case


def averaged(mean, covariance, noise_std):
    """The share of heard differences above 0, on average over what b is heard as, given what a is heard as."""
    heard = covariance + noise_std**2 * np.eye(2)
    slope = heard[0, 1] / heard[0, 0]
    rest = np.sqrt(heard[1, 1] - slope * heard[0, 1])

    def integrand(t):
        a = mean[0] + t * np.sqrt(heard[0, 0])
        return norm.pdf(t) * norm.sf(a, mean[1] + slope * (a - mean[0]), rest)

    return quad(integrand, -12, 12, epsabs=1e-12, epsrel=1e-12, limit=300)[0]


def problem(rng):
    factor = rng.normal(size=(2, 2))
    return rng.normal(size=2), factor @ factor.T, float(rng.uniform(0.3, 1.7))


rng = np.random.default_rng(1001)
inputs = [problem(rng) for _ in range(6)]
CASES = [Case(f"random {k}", given, averaged(*given), 1e-7) for k, given in enumerate(inputs)]
