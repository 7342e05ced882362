"""Hidden cases of task 4, ep_site."""

import numpy as np
from scipy.special import logsumexp
from scipy.stats import norm

from course_checks import Case
from course_checks.hw06_approximate_inference import choice, choices, lapsing_choice, mostly_careful, normal


def by_brute_force(log_likelihood, m, v):
    g = m + np.sqrt(v) * np.linspace(-11, 11, 200_001)
    log_weight = log_likelihood(g) + norm.logpdf(g, m, np.sqrt(v)) + np.log(g[1] - g[0])
    log_z = logsumexp(log_weight)
    first, second = (np.exp(log_weight - log_z) @ (g - m) ** k for k in (1, 2))
    variance = second - first**2
    return log_z, m + first, variance, 1 / variance - 1 / v, (m + first) / variance - m / v


def gaussian(y, noise_std, m, v):
    total, precision = v + noise_std**2, noise_std**-2.0
    variance = 1 / (precision + 1 / v)
    return norm.logpdf(y, m, np.sqrt(total)), variance * (y * precision + m / v), variance, precision, y * precision


inputs = (
    (choice(1)[0], 0.7, 3.0),
    (choice(-1)[0], -1.1, 0.6),
    (choice(-1)[0], 5.0, 4.0),
    (lapsing_choice(-1, 0.08)[0], 2.0, 5.0),
    (mostly_careful(3.0, 0.4, 8, 0.2)[0], 0.2, 1.2),
    (choices(2600, 2100)[0], -2.0, 36.0),
    (choice(-1)[0], -30.0, 300.0),
    (choice(1)[0], 0.8, 4e-4),
    (lapsing_choice(1, 0.05)[0], -3.0, 7.0),
)
CASES = [Case(f"case {k}", given, by_brute_force(*given), 1e-6) for k, given in enumerate(inputs)]
for y, noise_std, m, v in ((-7.0, 0.001, -2.0, 9.0), (0.4, 1.5, 2.0, 0.5)):
    CASES.append(Case(f"Gaussian {noise_std}", (normal(y, noise_std)[0], m, v), gaussian(y, noise_std, m, v), 1e-6))
