"""Hidden cases of task 5, look_ahead."""

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import norm

from course_checks import Case


def by_one_integral(mean, cov, star, level, floor, ceiling):
    """f_q is integrated over up to the level; given it, the answer's own variable is normal."""
    m, w, told = mean[star], 1 + cov[star, star], []
    for j, v in enumerate(np.diag(cov)):
        slope = cov[j, star] / v
        rest = np.sqrt(w - slope * cov[j, star])

        def density(f, j=j, v=v, slope=slope, rest=rest):
            return norm.pdf(f, mean[j], np.sqrt(v)) * ndtr((m + slope * (f - mean[j])) / rest)

        start = mean[j] - 12 * np.sqrt(v)
        middle = [mean[j]] if start < mean[j] < level else None
        told.append(quad(density, start, max(level, start), points=middle, epsabs=1e-12, limit=200)[0])
    yes = floor + (ceiling - floor) * ndtr(m / np.sqrt(w))
    P = norm.cdf(level, mean, np.sqrt(np.diag(cov)))
    both = floor * P + (ceiling - floor) * np.array(told)
    volumes = P.sum(), both.sum() / yes, (P - both).sum() / (1 - yes)
    change = yes * abs(volumes[0] - volumes[1]) + (1 - yes) * abs(volumes[0] - volumes[2])
    return yes, both / yes, (P - both) / (1 - yes), change


def problem(rng, q, level, floor, ceiling):
    F = rng.normal(size=(q, q + 1))
    return rng.normal(0.4, 0.8, q).round(2), np.round(F @ F.T / q, 3), int(rng.integers(q)), level, floor, ceiling


rng = np.random.default_rng(1305)
settings = ((2, 0.5, 0.0, 1.0), (5, 0.67, 0.5, 0.98), (8, -0.2, 0.1, 0.95), (4, 1.1, 0.25, 1.0), (6, 0.3, 0.05, 0.6))
inputs = [problem(rng, *each) for each in settings]
CASES = [Case(f"random {k}", given, by_one_integral(*given), 1e-6) for k, given in enumerate(inputs)]
