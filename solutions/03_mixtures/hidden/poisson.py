"""Hidden cases of task 5, poisson_step."""

from decimal import Decimal
from math import factorial

import numpy as np

from course_checks import Case


def probability(count, rate):
    rate = Decimal(float(rate))
    return rate ** int(count) * (-rate).exp() / factorial(int(count))


def step(counts, weights, rates):
    """The formulas as they are written, with decimal numbers, which hold them all."""
    joint = [
        [Decimal(float(w)) * probability(c, rate) for w, rate in zip(weights, rates, strict=True)] for c in counts
    ]
    gamma = np.array([[float(one / sum(row)) for one in row] for row in joint])
    log_likelihood = sum(float(sum(row).ln()) for row in joint)
    return gamma.mean(axis=0), np.array([np.average(counts, weights=g) for g in gamma.T]), log_likelihood


def length_case(number, n_counts, n_components, scale):
    rng = np.random.default_rng(3500 + number)
    rates = rng.uniform(0.3, 1.6, n_components) * scale
    counts = rng.poisson(rng.choice(rates, n_counts) * rng.uniform(0.5, 1.5, n_counts))
    given = (counts, rng.dirichlet(np.full(n_components, 3.0)), rates * rng.uniform(0.8, 1.2, n_components))
    return Case(f"random {number}", given, step(*given))


sizes = ((4, 2, 5.0), (6, 3, 12.0), (5, 2, 900.0), (9, 2, 20.0), (250, 2, 18.0), (7, 4, 30.0))
CASES = [length_case(k, *size) for k, size in enumerate(sizes)]
