"""Reference of task 6, calibrate."""

import numpy as np

SEED = 1306


def answer(said, right):
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


def way(said, right):
    """The levels before anything is pooled."""
    place = np.unique(said, return_inverse=True)[1]
    yield "answers of each level", np.bincount(place)
    yield "right ones", np.bincount(place, weights=right)
    yield "share of right answers of all", float(right.mean())
