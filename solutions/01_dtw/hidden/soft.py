"""Reference of task 6, soft_dtw."""

import numpy as np

SEED = 106


def costs_of_paths(cost):
    """Costs of all paths through a table."""
    before = [cost[:-1, :-1]] if min(cost.shape) > 1 else []
    before += [cost[:-1]] if len(cost) > 1 else []
    before += [cost[:, :-1]] if cost.shape[1] > 1 else []
    totals = np.concatenate([costs_of_paths(smaller) for smaller in before]) if before else np.zeros(1)
    return totals + cost[-1, -1]


def answer(x, y, gamma):
    totals = costs_of_paths(np.subtract.outer(x, y) ** 2)
    return float(totals.min() - gamma * np.log(np.exp(-(totals - totals.min()) / gamma).sum()))


def way(x, y, gamma):
    """The rows of S."""
    for i in range(1, len(x) + 1):
        yield f"row {i} of S is", np.array([answer(x[:i], y[: j + 1], gamma) for j in range(len(y))])
