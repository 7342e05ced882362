"""Reference of task 4, log_shares."""

import numpy as np
from scipy.integrate import quad

SEED = 804


def log_area(a, b):
    """log ∫ exp(−½t²) dt from a to b, the integrand divided by its largest value."""
    top = min(max(0.0, a), b)
    reach = 40 / max(1.0, abs(top))
    low, high = max(a, top - reach), min(b, top + reach)
    area = quad(lambda t: np.exp(0.5 * (top - t) * (top + t)), low, high, epsabs=0, epsrel=1e-12, limit=200)[0]
    return np.log(area) - 0.5 * top**2


def log_areas(means, stds, scores):
    half = (scores[1] - scores[0]) / 2
    edges = [
        ((scores - half - mean) / std, (scores + half - mean) / std) for mean, std in zip(means, stds, strict=True)
    ]
    return np.array([[log_area(a, b) for a, b in zip(*row, strict=True)] for row in edges])


def answer(means, stds, scores):
    rows = log_areas(means, stds, scores)
    top = rows.max(axis=1, keepdims=True)
    return rows - top - np.log(np.exp(rows - top).sum(axis=1, keepdims=True))


def way(means, stds, scores):
    if len(scores) > 4:
        return
    half = (scores[1] - scores[0]) / 2
    rows = log_areas(means, stds, scores) - 0.5 * np.log(2 * np.pi)
    yield "(c + h − μ)/s", (scores + half - means[:, None]) / stds[:, None]
    yield "log [Φ(…) − Φ(…)]", rows
    yield "log of their sum", np.logaddexp.reduce(rows, axis=1)
