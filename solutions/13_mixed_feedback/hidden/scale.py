"""Hidden cases of task 1, scale_probabilities."""

import math

import numpy as np

from course_checks import Case


def answer_by_answer(g, cuts, steepness, lapse):
    """The nearest point of each interval is found by comparing; the sides are told apart by mirroring g."""
    lows, highs = [0.0, *cuts], [*cuts, math.inf]
    table = []
    for value in g:
        ends = list(zip(lows, highs, strict=True))
        right = [math.exp(-steepness * max(low - value, value - high, 0.0)) for low, high in ends]
        left = [math.exp(-steepness * max(low + value, -value - high, 0.0)) for low, high in ends]
        weights = left[::-1] + right
        table.append([lapse / len(weights) + (1 - lapse) * one / math.fsum(weights) for one in weights])
    return np.array(table)


rng = np.random.default_rng(1301)
settings = ((4, (0.7,), 1.4, 0.05), (6, (0.3, 0.9, 1.6), 0.6, 0.12), (5, (1.1, 1.9), 3.0, 0.3))
inputs = [(rng.normal(0, 1.8, m).round(2), np.array(cuts), steepness, lapse) for m, cuts, steepness, lapse in settings]
inputs.append((np.array([-0.2, 1.3]), np.zeros(0), 1.7, 0.04))
inputs.append((np.array([600.0, -1200.0, 0.9]), np.array([0.2, 0.6, 1.5, 2.5]), 1.3, 0.02))
CASES = [Case(f"random {k}", given, answer_by_answer(*given)) for k, given in enumerate(inputs)]
