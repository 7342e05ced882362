"""Task 6, soft_dtw(x, y, gamma)."""

import math
from functools import cache

import numpy as np
from scipy.special import logsumexp

from .tables import apart, diagonals, last, paths


def softened(soft, border=np.inf, cost=lambda x, y: apart(x, y) ** 2):
    """An answer with another soft minimum soft(three values, γ)."""

    def answer(x, y, gamma):
        return last(cost(x, y), lambda c, d, a, b: c + soft(np.array([d, a, b]), gamma), border)

    return answer


def soft_minimum(values, gamma):
    return -gamma * logsumexp(-values / gamma)


right_answer = softened(soft_minimum)


def naive(values, gamma):
    return -gamma * np.log(np.exp(-values / gamma).sum())


def naive_python(values, gamma):
    return -gamma * math.log(sum(math.exp(-v / gamma) for v in values))


def weighted(values, gamma):
    finite = values[np.isfinite(values)]
    weights = np.exp(-(finite - finite.min()) / gamma)
    return (weights * finite).sum() / weights.sum()


def soft_maximum(values, gamma):
    return gamma * logsumexp(values[np.isfinite(values)] / gamma)


def guard_without_adding_back(values, gamma):
    return -gamma * np.log(np.exp(-(values - values.min()) / gamma).sum())


def products(x, y, gamma):
    weight = np.exp(-(apart(x, y) ** 2) / gamma)
    table = np.zeros((len(x) + 1, len(y) + 1))
    table[0, 0] = 1
    for i in range(len(x)):
        for j in range(len(y)):
            table[i + 1, j + 1] = weight[i, j] * (table[i, j] + table[i, j + 1] + table[i + 1, j])
    return -gamma * np.log(table[-1, -1])


MISTAKES = {
    "hard minimum": softened(lambda v, gamma: v.min()),
    "sign": softened(lambda v, gamma: gamma * logsumexp(-v / gamma)),
    "soft maximum": softened(soft_maximum),
    "no γ in front": softened(lambda v, gamma: -logsumexp(-v / gamma)),
    "no γ inside": softened(lambda v, gamma: -gamma * logsumexp(-v)),
    "γ times inside": softened(lambda v, gamma: -gamma * logsumexp(-v * gamma)),
    "no γ at all": softened(lambda v, gamma: -logsumexp(-v)),
    "divided by γ in front": softened(lambda v, gamma: -logsumexp(-v / gamma) / gamma),
    "mean of three": softened(lambda v, gamma: soft_minimum(v, gamma) + gamma * np.log(3)),
    "log2": softened(lambda v, gamma: soft_minimum(v, gamma) / np.log(2)),
    "log10": softened(lambda v, gamma: soft_minimum(v, gamma) / np.log(10)),
    "weighted mean": softened(weighted),
    "guard not added back": softened(guard_without_adding_back),
    "absolute cost": softened(soft_minimum, cost=apart),
    "zero border": softened(soft_minimum, border=0),
}

RULE_MISTAKES = {
    "no log-sum-exp": (softened(naive), "How small is exp(−3000)?"),
    "no log-sum-exp, math": (softened(naive_python), "How small is exp(−3000)?"),
    "exponent cut off": (
        softened(lambda v, gamma: -gamma * np.log(np.exp(np.maximum(-v / gamma, -700)).sum()), 1e9),
        "How small is exp(−3000)?",
    ),
    "little added": (
        softened(lambda v, gamma: -gamma * np.log(np.exp(-v / gamma).sum() + 1e-300)),
        "How small is exp(−3000)?",
    ),
    "products": (products, "How small is exp(−3000)?"),
    "minus at the end": (lambda x, y, gamma: -right_answer(x, y, gamma), "For γ → 0, which sign has the answer?"),
}


def guarded(values, gamma):
    least = values.min()
    return least - gamma * np.log(np.exp(-(values - least) / gamma).sum())


def over_paths(x, y, gamma):
    cost = apart(x, y) ** 2
    totals = np.array([sum(cost[cell] for cell in path) for path in paths(*cost.shape)])
    return -gamma * logsumexp(-totals / gamma)


def cached_recursion(x, y, gamma):
    @cache
    def log_weight(i, j):
        here = -((x[i] - y[j]) ** 2) / gamma
        before = [log_weight(a, b) for a, b in ((i - 1, j - 1), (i - 1, j), (i, j - 1)) if a >= 0 and b >= 0]
        return here + np.logaddexp.reduce(before) if before else here

    return -gamma * log_weight(len(x) - 1, len(y) - 1)


def vectorised(x, y, gamma):
    def arrive(c, d, a, b):
        return c - gamma * np.logaddexp(np.logaddexp(-d / gamma, -a / gamma), -b / gamma)

    return diagonals(apart(x, y) ** 2, arrive)


RIGHT = {
    "scipy's logsumexp": right_answer,
    "minimum taken out": softened(guarded),
    "logs of weights, cached": cached_recursion,
    "anti-diagonals, logaddexp": vectorised,
    "sum over all paths": over_paths,
}
