"""Hidden cases of task 3, best_map."""

import numpy as np
from scipy.stats import norm

from course_checks import Case


def map_by_map(mean, std, truth, level):
    """Every number of places is tried, each with the most probable ones."""
    p = norm.sf((mean - level) / std)
    ranked = sorted(range(len(p)), key=lambda j: p[j], reverse=True)
    worth = {k: 2 * sum(p[j] for j in ranked[:k]) / (k + sum(p)) for k in range(1, len(p) + 1)}
    taken = set(ranked[: max(worth, key=worth.__getitem__)])
    inside = {j for j, value in enumerate(truth) if value <= level}
    hits = len(taken & inside)
    precision, recall = hits / len(taken), hits / len(inside) if inside else 0.0
    error = [(p[j] - (j in inside)) ** 2 for j in range(len(p))]
    chosen = np.array([j in taken for j in range(len(p))])
    return chosen, precision, recall, 2 * hits / (len(taken) + len(inside)), np.mean(error), len(inside) / len(p)


def problem(rng, q, level, spread):
    truth = rng.normal(level + 0.8, 1.0, q).round(2)
    std = rng.uniform(0.3, spread, q).round(2)
    return (truth + std * rng.normal(size=q)).round(2), std, truth, level


rng = np.random.default_rng(1303)
inputs = [problem(rng, *each) for each in ((6, 0.7, 1.2), (15, -0.4, 1.5), (40, 0.67, 0.9), (25, 1.2, 2.0))]
inputs.append((np.array([0.9, 1.4, 0.2]), np.array([1.1, 0.8, 0.7]), np.array([1.0, 1.3, 0.6]), 0.5))
inputs.append(
    (np.array([-1.9, -2.4, -1.6, -3.0]), np.array([0.4, 0.9, 0.5, 0.6]), np.array([-1.0, 0.7, 0.1, 0.9]), 0.3)
)
CASES = [Case(f"random {k}", given, map_by_map(*given)) for k, given in enumerate(inputs)]
