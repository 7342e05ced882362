"""Reference of task 5, poisson_step."""

from decimal import Decimal
from math import factorial

import numpy as np

SEED = 3501


def probability(count, rate):
    rate = Decimal(float(rate))
    return rate ** int(count) * (-rate).exp() / factorial(int(count))


def joint(count, weights, rates):
    """Weight times probability of each component."""
    return [Decimal(float(w)) * probability(count, rate) for w, rate in zip(weights, rates, strict=True)]


def shares(counts, weights, rates):
    rows = [joint(count, weights, rates) for count in counts]
    return np.array([[float(one / sum(row)) for one in row] for row in rows])


def answer(counts, weights, rates):
    """The formulas as they are written, with decimal numbers, which hold them all."""
    gamma = shares(counts, weights, rates)
    log_likelihood = sum(float(sum(joint(count, weights, rates)).ln()) for count in counts)
    return gamma.mean(axis=0), np.array([np.average(counts, weights=column) for column in gamma.T]), log_likelihood


def way(counts, weights, rates):
    """The first count, and the sums over all."""
    gamma, first = shares(counts, weights, rates), counts[0]
    logs = np.array([float(probability(first, rate).ln()) for rate in rates])
    yield f"log P(c = {first} | λ_k) is", logs
    yield "its log under the mixture is", float(sum(joint(first, weights, rates)).ln())
    yield "its responsibilities are", gamma[0]
    yield "N_k is", gamma.sum(axis=0)
