"""Reference of task 2, davidson_logs."""

import numpy as np
from scipy.special import log_softmax

SEED = 1002


def three_logs(f, pairs, noise_std, tie):
    """Logarithms of the worths of a, a tie and b, for each pair."""
    worth = f / (np.sqrt(2) * noise_std)
    return np.array([[worth[a], np.log(tie) + (worth[a] + worth[b]) / 2, worth[b]] for a, b in pairs])


def answer(f, pairs, y, noise_std, tie):
    """Davidson's own form, in logarithms of the three worths."""
    return log_softmax(three_logs(f, pairs, noise_std, tie), axis=1)[np.arange(len(y)), y + 1]


def way(f, pairs, y, noise_std, tie):
    """The first answer, divided by √(π_a π_b)."""
    first = three_logs(f, pairs[:1], noise_std, tie)[0]
    weights = first - (first[0] + first[2]) / 2
    yield "of the first answer: g/(√2σ)", float(first[2] - first[0])
    yield "the logarithms of the weights of a, a tie and b, over √(π_a π_b)", weights
    yield "the logarithm of the sum of these weights", float(np.logaddexp.reduce(weights))
