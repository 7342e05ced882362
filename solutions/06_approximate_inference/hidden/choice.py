"""Hidden cases of task 1, choice_probability."""

import numpy as np
from scipy.integrate import quad
from scipy.stats import norm

from course_checks import Case


def tilted(g, mean, variance):
    return norm.cdf(g) * norm.pdf(g, mean, np.sqrt(variance))


def by_integration(means, variances, lapse):
    found = []
    for m, v in zip(means, variances, strict=True):
        reach = 12 * np.sqrt(v)
        attentive = quad(tilted, m - reach, m + reach, (m, v), points=[m, 0.0], epsabs=1e-13, limit=400)[0]
        found.append(0.5 * lapse + attentive - lapse * attentive)
    return np.array(found)


rng = np.random.default_rng(601)
sizes = ((1, 0.0), (2, 0.3), (4, 0.05), (6, 0.12))
inputs = [(rng.normal(0, 2, n), rng.uniform(0.1, 6, n), lapse) for n, lapse in sizes]
CASES = [Case(f"random {k}", given, by_integration(*given), 1e-8) for k, given in enumerate(inputs)]
sure = np.array([-0.4, 1.9, 2.5]), np.zeros(3), 0.08
CASES.append(Case("known", sure, 0.04 + 0.92 * norm.cdf(sure[0])))
