"""Reference of task 5, look_ahead."""

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import norm

SEED = 1305


def answer(mean, cov, star, level, floor, ceiling):
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


def way(mean, cov, star, level, floor, ceiling):
    """The arguments of the bivariate normal distribution function, and what it gives."""
    a, b = mean[star] / np.sqrt(1 + cov[star, star]), (level - mean) / np.sqrt(np.diag(cov))
    rho = -cov[star] / np.sqrt(np.diag(cov) * (1 + cov[star, star]))
    sure, inside, _, _ = answer(mean, cov, star, level, 0.0, 1.0)
    yield "a", float(a)
    yield "b", b
    yield "ρ", rho
    yield "P", norm.cdf(b)
    yield "Z", sure * inside
