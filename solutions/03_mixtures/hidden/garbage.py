"""Reference of task 1, responsibilities_with_garbage."""

from decimal import Decimal

import numpy as np

SEED = 3101


def bell(x, mean, std):
    away = (Decimal(float(x)) - Decimal(float(mean))) / Decimal(float(std))
    return (-away * away / 2).exp() / (Decimal(float(std)) * (2 * Decimal(float(np.pi))).sqrt())


def joint(point, weights, means, stds, garbage_weight, low, high):
    """Weight times density of each component, with numbers that do not underflow."""
    gaussians = [Decimal(float(w)) * bell(point, m, s) for w, m, s in zip(weights, means, stds, strict=True)]
    return [*gaussians, Decimal(garbage_weight) / Decimal(high - low) if low <= point <= high else Decimal(0)]


def answer(x, *model):
    """Bayes' rule as it is written."""
    rows = [joint(point, *model) for point in x]
    return np.array([[float(one / sum(row)) for one in row] for row in rows])


def way(x, *model):
    """The logs of weight times density of the first two points."""
    for point in x[:2]:
        row = joint(point, *model)
        yield f"log(weight × density) at {point:g} is", np.array([float(p.ln()) if p else -np.inf for p in row])
