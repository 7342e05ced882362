"""Reference of task 3, best_map."""

import numpy as np
from scipy.stats import norm

SEED = 1303
NEAR_TIE = 1e-6


def answer(mean, std, truth, level):
    """Every number of places is tried, each with the most probable ones; None if two are equally good."""
    p = norm.sf((mean - level) / std)
    ranked = sorted(range(len(p)), key=lambda j: p[j], reverse=True)
    worth = {k: 2 * sum(p[j] for j in ranked[:k]) / (k + sum(p)) for k in range(1, len(p) + 1)}
    if min(np.diff(sorted(p)).min(initial=1), np.diff(sorted(worth.values())).min(initial=1)) < NEAR_TIE:
        return None  # ambiguous
    taken = set(ranked[: max(worth, key=worth.__getitem__)])
    inside = {j for j, value in enumerate(truth) if value <= level}
    hits = len(taken & inside)
    precision, recall = hits / len(taken), hits / len(inside) if inside else 0.0
    error = [(p[j] - (j in inside)) ** 2 for j in range(len(p))]
    chosen = np.array([j in taken for j in range(len(p))])
    return chosen, precision, recall, 2 * hits / (len(taken) + len(inside)), np.mean(error), len(inside) / len(p)


def way(mean, std, truth, level):
    """The probabilities, and the expected F1 of the most probable places."""
    p = norm.sf((mean - level) / std)
    yield "P", p
    yield "F(1), F(2), …", 2 * np.cumsum(np.sort(p)[::-1]) / (np.arange(1, len(p) + 1) + p.sum())
    yield "inside", truth <= level
