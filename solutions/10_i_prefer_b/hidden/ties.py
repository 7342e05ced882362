"""Hidden cases of task 2, davidson_logs."""

import numpy as np
from scipy.special import log_softmax

from course_checks import Case


def three_worths(f, pairs, y, noise_std, tie):
    """Davidson's own form, in logarithms of the three worths."""
    worth = f / (np.sqrt(2) * noise_std)
    logs = []
    for (a, b), answer in zip(pairs, y, strict=True):
        three = log_softmax([worth[a], np.log(tie) + (worth[a] + worth[b]) / 2, worth[b]])
        logs.append(three[answer + 1])
    return np.array(logs)


def problem(rng, n, m, size):
    a = rng.integers(n, size=m)
    pairs = np.column_stack([a, (a + rng.integers(1, n, size=m)) % n])
    noise, tie = float(rng.uniform(0.4, 2)), float(rng.uniform(0.2, 3))
    return size * rng.normal(size=n), pairs, rng.integers(-1, 2, m), noise, tie


rng = np.random.default_rng(1002)
inputs = [problem(rng, *sizes) for sizes in ((2, 3, 1), (4, 6, 1), (5, 9, 2), (3, 7, 400), (6, 8, 3000))]
CASES = [Case(f"random {k}", given, three_worths(*given)) for k, given in enumerate(inputs)]
