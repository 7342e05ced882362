"""Hidden cases of task 6, soft_dtw."""

import numpy as np

from course_checks import Case


def costs_of_paths(cost):
    """Costs of all paths through a table."""
    before = [cost[:-1, :-1]] if min(cost.shape) > 1 else []
    before += [cost[:-1]] if len(cost) > 1 else []
    before += [cost[:, :-1]] if cost.shape[1] > 1 else []
    totals = np.concatenate([costs_of_paths(smaller) for smaller in before]) if before else np.zeros(1)
    return totals + cost[-1, -1]


def soft(x, y, gamma):
    totals = costs_of_paths(np.subtract.outer(x, y) ** 2)
    return totals.min() - gamma * np.log(np.exp(-(totals - totals.min()) / gamma).sum())


rng = np.random.default_rng(106)
inputs = [
    (rng.normal(0, 5, rows), rng.normal(0, 5, columns), gamma)
    for rows, columns in ((4, 5), (6, 5), (1, 4))
    for gamma in (0.003, 0.7, 30.0)
]
CASES = [Case(f"random {k}", given, float(soft(*given)), 1e-6) for k, given in enumerate(inputs)]
