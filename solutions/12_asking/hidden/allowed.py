"""Hidden cases of task 3, careful_improvement."""

import numpy as np
from scipy.stats import norm, truncnorm

from course_checks import Case


def setting_by_setting(mean, cov, loud_mean, loud_std, limit, sure):
    """Each setting by itself, the improvement as a share times the mean of what is cut off at 0."""
    soft = [norm.cdf(limit, m, s) if s else float(m <= limit) for m, s in zip(loud_mean, loud_std, strict=True)]
    usable = [j for j, share in enumerate(soft) if share >= sure]
    if not usable:
        return -1, np.array(soft)
    chosen, told = max(usable, key=mean.__getitem__), []
    for j, share in enumerate(soft):
        turn = np.zeros(len(mean))
        turn[j] += 1.0
        turn[chosen] -= 1.0
        centre, width = turn @ mean, np.sqrt(max(turn @ cov @ turn, 0.0))
        rise = max(centre, 0.0)
        if width > 0.0:
            rise = norm.sf(0.0, centre, width) * truncnorm.mean(-centre / width, np.inf, centre, width)
        told.append(share * rise)
    return chosen, np.array(told)


def problem(rng, q, limit, sure):
    F = rng.normal(size=(q, q + 1))
    loud = rng.uniform(55, 90, q).round(1), rng.uniform(1, 8, q).round(1)
    return rng.normal(size=q), np.round(F @ F.T / 3, 3), *loud, limit, sure


rng = np.random.default_rng(1203)
settings = ((4, 76.0, 0.7), (8, 70.0, 0.8), (6, 80.0, 0.95), (12, 74.0, 0.6))
inputs = [problem(rng, *each) for each in settings]
inputs.append(
    (np.array([0.4, 1.2]), np.array([[1.1, 0.3], [0.3, 0.8]]), np.array([83.0, 91.0]), np.array([4.0, 2.5]), 79.0, 0.9)
)
mean, cov, loud_mean, loud_std, *_ = problem(rng, 5, 75.0, 0.9)
inputs.append((mean, cov, loud_mean, np.array([0.0, 2.5, 0.0, 4.0, 0.0]), 77.0, 0.5))
loud = np.array([75.0, 71.0, 78.5]), np.array([0.0, 0.0, 2.0])
inputs.append(
    (np.array([-1.3, -0.6, 0.9]), np.array([[1.2, 0.4, 0.1], [0.4, 0.9, 0.2], [0.1, 0.2, 1.5]]), *loud, 75.0, 1.0)
)
inputs.append(
    (
        np.array([0.7, -0.2, 1.3, 0.1]),
        np.full((4, 4), 1.5),
        np.array([64.0, 66.0, 70.0, 60.0]),
        np.full(4, 4.0),
        71.0,
        0.8,
    )
)
CASES = [Case(f"random {k}", given, setting_by_setting(*given), 1e-8) for k, given in enumerate(inputs)]
