"""Task 2, mixture_log_likelihood(x, counts, weights, means, stds)."""

import math

import numpy as np
from scipy.special import logsumexp

from .densities import (
    log_normal,
    stds_as_variances,
    stds_squared_twice,
    without_height,
    without_pi,
)


def built(point=lambda log_joint: logsumexp(log_joint, axis=1), density=log_normal, weighted=True):
    """An answer with another log density of a point, made from the (N, K) logs of weight times density."""

    def answer(x, counts, weights, means, stds):
        log_joint = density(x, means, stds) + (np.log(weights) if weighted else 0.0)
        return float(counts @ point(log_joint))

    return answer


right_answer = built()


def product_of_densities(x, counts, weights, means, stds):
    return np.log(np.prod((weights * np.exp(log_normal(x, means, stds))).sum(axis=1) ** counts))


def normalised(x, counts, weights, means, stds):
    joint = weights * np.exp(log_normal(x, means, stds))
    with np.errstate(invalid="ignore"):
        joint = np.nan_to_num(joint / joint.sum(axis=1, keepdims=True), nan=1 / len(weights))
    return counts @ np.log(joint.sum(axis=1))


def weighted_logs(x, counts, weights, means, stds):
    return counts @ (weights * log_normal(x, means, stds)).sum(axis=1)


def weights_added(x, counts, weights, means, stds):
    return counts @ np.log((weights + np.exp(log_normal(x, means, stds))).sum(axis=1))


def weights_in_the_exponent(x, counts, weights, means, stds):
    return counts @ logsumexp(weights + log_normal(x, means, stds), axis=1)


def counts_inside(x, counts, weights, means, stds):
    return np.log(counts).sum() + right_answer(x, np.ones_like(counts), weights, means, stds)


def each_value_once(x, counts, weights, means, stds):
    return right_answer(x, np.ones_like(counts), weights, means, stds)


def points_added_before_the_log(x, counts, weights, means, stds):
    return logsumexp(log_normal(x, means, stds) + np.log(weights) + np.log(counts)[:, None])


def guard_never_added_back(log_joint):
    return np.log(np.exp(log_joint - log_joint.max(axis=1, keepdims=True)).sum(axis=1))


def for_each_value(x, counts, weights, means, stds):
    return counts * logsumexp(log_normal(x, means, stds) + np.log(weights), axis=1)


MISTAKES = {
    "from normalised weights": normalised,
    "sum of logs": built(lambda logs: logs.sum(axis=1)),
    "weighted sum of logs": weighted_logs,
    "product of densities": product_of_densities,
    "no weights": built(weighted=False),
    "weights added": weights_added,
    "weights in the exponent": weights_in_the_exponent,
    "counts ignored": each_value_once,
    "counts inside the logarithm": counts_inside,
    "all points in one sum": points_added_before_the_log,
    "standard deviations as variances": built(density=stds_as_variances),
    "standard deviations squared twice": built(density=stds_squared_twice),
    "best component only": built(lambda logs: logs.max(axis=1)),
    "largest never put back": built(guard_never_added_back),
    "no 1/√(2π)": built(density=without_pi),
    "no 1/σ, no 1/√(2π)": built(density=without_height),
}

RULE_MISTAKES = {
    "plain densities": (built(lambda logs: np.log(np.exp(logs).sum(axis=1))), "How small is exp(−1500)"),
    "a small number added": (
        built(lambda logs: np.log(np.exp(logs).sum(axis=1) + 1e-300)),
        "How small is exp(−1500)",
    ),
    "mean over all points": (
        lambda x, counts, *rest: right_answer(x, counts, *rest) / counts.sum(),
        "Is a mean asked for, or a total?",
    ),
    "mean over the values": (
        lambda x, counts, *rest: right_answer(x, counts, *rest) / len(x),
        "Is a mean asked for, or a total?",
    ),
    "sign": (lambda *given: -right_answer(*given), "Which sign has the log of"),
    "log 2": (lambda *given: right_answer(*given) / np.log(2), "Which logarithm undoes exp?"),
    "log 10": (lambda *given: right_answer(*given) / np.log(10), "Which logarithm undoes exp?"),
    "one for each value": (for_each_value, "Which of its entries is the answer?"),
}


def loop(x, counts, weights, means, stds):
    total = 0.0
    for value, count in zip(x, counts, strict=True):
        logs = [
            math.log(w) - math.log(s) - 0.5 * math.log(2 * math.pi) - 0.5 * ((value - m) / s) ** 2
            for w, m, s in zip(weights, means, stds, strict=True)
        ]
        top = max(logs)
        total += count * (top + math.log(sum(math.exp(log - top) for log in logs)))
    return total


def every_point_apart(x, counts, weights, means, stds):
    points = np.repeat(x, counts)
    log_joint = np.log(weights) + log_normal(points, means, stds)
    return np.logaddexp.reduce(log_joint, axis=1).sum()


def from_responsibilities(x, counts, weights, means, stds):
    """Any component gives it: log p(x) = log(π_k N_k(x)) − log γ_k(x), here for the most probable one."""
    log_joint = np.log(weights) + log_normal(x, means, stds)
    best = log_joint.argmax(axis=1)[:, None]
    odds = np.exp(log_joint - np.take_along_axis(log_joint, best, axis=1))
    return counts @ (np.take_along_axis(log_joint, best, axis=1)[:, 0] - np.log(1 / odds.sum(axis=1)))


RIGHT = {
    "logsumexp": right_answer,
    "loop with math": loop,
    "every point apart": every_point_apart,
    "from responsibilities": from_responsibilities,
    "0-d array": lambda *given: np.array(right_answer(*given)),
}
