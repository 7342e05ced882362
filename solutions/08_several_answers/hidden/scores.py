"""Hidden cases of task 4, log_shares."""

import numpy as np
from scipy.integrate import quad

from course_checks import Case


def log_area(a, b):
    """log ∫ exp(−½t²) dt from a to b, the integrand divided by its largest value."""
    top = min(max(0.0, a), b)
    reach = 40 / max(1.0, abs(top))
    low, high = max(a, top - reach), min(b, top + reach)
    area = quad(lambda t: np.exp(0.5 * (top - t) * (top + t)), low, high, epsabs=0, epsrel=1e-12, limit=200)[0]
    return np.log(area) - 0.5 * top**2


def by_quadrature(means, stds, scores):
    half, rows = (scores[1] - scores[0]) / 2, []
    for mean, std in zip(means, stds, strict=True):
        row = np.array([log_area((c - half - mean) / std, (c + half - mean) / std) for c in scores])
        rows.append(row - row.max() - np.log(np.exp(row - row.max()).sum()))
    return np.array(rows)


inputs = [
    (np.array([2.2, 6.7]), np.array([1.3, 0.4]), np.arange(11.0)),
    (np.array([-55.0, 0.3, 90.0]), np.array([1.1, 0.7, 2.3]), np.arange(1.0, 8.0)),
    (np.array([31.0]), np.array([11.0]), np.arange(0.0, 101.0, 10.0)),
    (np.array([-700.0, 700.0]), np.array([2.0, 3.0]), np.arange(11.0)),
    (np.array([1.6, 3.9]), np.array([0.02, 0.03]), np.arange(1.0, 5.5, 0.5)),
    (np.array([-0.1, 0.25, 1.4]), np.array([0.5, 0.2, 0.35]), np.array([0.0, 0.4])),
]
CASES = [Case(f"case {k}", given, by_quadrature(*given)) for k, given in enumerate(inputs)]
