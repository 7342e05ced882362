"""Hidden cases of task 3, tied_m_step."""

import numpy as np

from course_checks import Case


def tied(x, responsibilities):
    """What all points vary, less what the means of the components vary."""
    weights = responsibilities.mean(axis=0)
    means = np.stack([np.average(x, axis=0, weights=column) for column in responsibilities.T])
    between = sum(w * np.outer(m, m) for w, m in zip(weights, means, strict=True))
    return weights, means, x.T @ x / len(x) - between


def tied_case(number, n_points, n_components, n_features):
    rng = np.random.default_rng(3300 + number)
    x = rng.normal(2, 3, (n_points, n_features)) @ rng.normal(0, 1, (n_features, n_features))
    given = (x, rng.dirichlet(np.linspace(0.4, 1.5, n_components), n_points))
    return Case(f"random {number}", given, tied(*given))


sizes = ((6, 2, 1), (9, 3, 2), (12, 2, 3), (7, 4, 2), (5, 1, 2))
CASES = [tied_case(k, *size) for k, size in enumerate(sizes)]
