"""Hidden cases of task 6, calibrate."""

import numpy as np

from course_checks import Case


def by_slopes(said, right):
    """The pooled shares are the slopes of the greatest convex line under the running count of right answers."""
    levels = sorted(set(said.tolist()))
    x = [sum(s <= level for s in said) for level in [-np.inf, *levels]]
    y = [sum(r for s, r in zip(said, right, strict=True) if s <= level) for level in [-np.inf, *levels]]
    slopes, k = [], 0
    while k < len(levels):
        steepness = [(y[j] - y[k]) / (x[j] - x[k]) for j in range(k + 1, len(x))]
        j = max(i for i, one in enumerate(steepness) if one <= min(steepness) + 1e-12)
        slopes += [steepness[j]] * (j + 1)
        k += j + 1
    each = np.array([slopes[levels.index(one)] for one in said])
    brier = [np.mean((p - right) ** 2) for p in (said, each, np.mean(right))]
    return np.array(levels), np.array(slopes), brier[0] - brier[1], brier[2] - brier[1]


def problem(rng, n, levels, bend):
    said = rng.choice(levels, n)
    return said, (rng.random(n) < 0.5 + bend * (said - 0.5)).astype(float)


rng = np.random.default_rng(1306)
half, tens = np.array([0.5, 0.6, 0.75, 0.9, 1.0]), np.arange(50, 101, 5) / 100
inputs = [
    problem(rng, 12, half, 0.5),
    problem(rng, 40, half, 1.0),
    problem(rng, 60, tens, 0.6),
    problem(rng, 25, tens, -0.3),
    problem(rng, 9, np.array([0.9]), 1.0),
    problem(rng, 120, tens, 0.9),
]
CASES = [Case(f"random {k}", given, by_slopes(*given)) for k, given in enumerate(inputs)]
