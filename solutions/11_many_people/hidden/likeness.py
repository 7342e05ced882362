"""Hidden cases of task 6, whose_taste."""

import numpy as np
from scipy.special import logsumexp
from scipy.stats import norm

from course_checks import Case


def answer_by_answer(tastes, prior, pairs, y, noise_std, new_pairs):
    """The posterior after each answer is the prior of the next one."""
    spread, logs = np.sqrt(2) * noise_std, np.log(prior)
    for (a, b), choice in zip(pairs, y, strict=True):
        logs = logs + norm.logcdf(choice * (tastes[:, b] - tastes[:, a]), scale=spread)
        logs = logs - logsumexp(logs)
    weights = np.exp(logs)
    told = [np.average(norm.cdf(tastes[:, d] - tastes[:, c], scale=spread), weights=weights) for c, d in new_pairs]
    return weights, np.array(told)


def questions(rng, n, size):
    return np.array([rng.choice(n, 2, replace=False) for _ in range(size)], dtype=int).reshape(size, 2)


def problem(rng, J, n, m, q, scale):
    tastes, prior, noise = scale * rng.normal(size=(J, n)), rng.uniform(0.2, 1, J), float(rng.uniform(0.4, 2))
    y, new = rng.choice([-1, 1], m), questions(rng, n, q)
    return tastes, prior / prior.sum(), questions(rng, n, m), y, noise, new


rng = np.random.default_rng(1106)
sizes = ((2, 3, 2, 1, 1), (5, 4, 3, 6, 1), (3, 6, 0, 2, 1), (7, 5, 1500, 3, 0.4), (4, 4, 6, 5, 25), (39, 8, 9, 28, 1))
inputs = [problem(rng, *sizes) for sizes in sizes]
CASES = [Case(f"random {k}", given, answer_by_answer(*given), 1e-7) for k, given in enumerate(inputs)]
