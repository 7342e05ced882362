"""Hidden cases of task 1, responsibilities_with_garbage."""

from decimal import Decimal

import numpy as np

from course_checks import Case


def bell(x, mean, std):
    away = (Decimal(float(x)) - Decimal(float(mean))) / Decimal(float(std))
    return (-away * away / 2).exp() / (Decimal(float(std)) * (2 * Decimal(float(np.pi))).sqrt())


def who(x, weights, means, stds, garbage_weight, low, high):
    """Bayes' rule as it is written, with numbers that do not underflow."""
    rows = []
    for point in x:
        joint = [Decimal(float(w)) * bell(point, m, s) for w, m, s in zip(weights, means, stds, strict=True)]
        joint.append(Decimal(garbage_weight) / Decimal(high - low) if low <= point <= high else Decimal(0))
        rows.append([float(one / sum(joint)) for one in joint])
    return np.array(rows)


def garbage_case(number, n_points, n_gaussians, spread):
    rng = np.random.default_rng(3100 + number)
    all_weights = rng.dirichlet(np.full(n_gaussians + 1, 4.0))
    given = (
        rng.normal(0, spread, n_points),
        all_weights[1:],
        rng.normal(0, 5, n_gaussians),
        rng.uniform(0.4, 4, n_gaussians),
        float(all_weights[0]),
        -9.0,
        4.0 + number,
    )
    return Case(f"random {number}", given, who(*given))


sizes = ((4, 1, 6.0), (5, 2, 6.0), (6, 3, 8.0), (3, 2, 300.0), (7, 2, 9.0), (4, 3, 200.0))
CASES = [garbage_case(k, *size) for k, size in enumerate(sizes)]
ends = (
    np.array([-9.0, 6.0, 2.0, 160.0]),
    np.array([0.6, 0.25]),
    np.array([1.5, 4.0]),
    np.array([0.8, 1.5]),
    0.15,
    -9.0,
    6.0,
)
CASES.append(Case("at the ends", ends, who(*ends)))
