"""Task 1, responsibilities_with_garbage(x, weights, means, stds, garbage_weight, low, high)."""

import numpy as np
from scipy.special import logsumexp
from scipy.stats import norm, uniform

from .densities import (
    certain,
    log_normal,
    shared,
    shared_over_points,
    shared_plainly,
    stds_as_variances,
    stds_squared_twice,
    without_height,
    without_pi,
)


def built(density=log_normal, weighted=True, fined=True, width=None, everywhere=False, share=shared):
    """An answer made of its decisions: the density of a Gaussian, which weights count, the garbage, the sharing."""

    def answer(x, weights, means, stds, garbage_weight, low, high):
        log_width = np.log((high - low) if width is None else width(high - low))
        inside = ((low <= x) & (x <= high)) | everywhere
        gaussian = density(x, means, stds) + (np.log(weights) if weighted else 0.0)
        garbage = np.where(inside, (np.log(garbage_weight) if fined else 0.0) - log_width, -np.inf)
        return share(np.column_stack([gaussian, garbage]))

    return answer


right_answer = built()


def never_zero(log_joint):
    joint = np.exp(log_joint)
    return joint / (joint.sum(axis=1, keepdims=True) + 1e-300)


def garbage_where_all_underflow(log_joint):
    joint = np.exp(log_joint)
    joint[joint.sum(axis=1) == 0, -1] = 1
    return joint / joint.sum(axis=1, keepdims=True)


def against_the_largest(log_joint):
    return np.exp(log_joint - log_joint.max(axis=1, keepdims=True))


def log_shares(log_joint):
    return log_joint - logsumexp(log_joint, axis=1, keepdims=True)


def rewards_distance(x, means, stds):
    return log_normal(x, means, stds) + ((x[:, None] - means) / stds) ** 2


def overwrites_its_input(x, weights, means, stds, garbage_weight, low, high):
    answer = right_answer(x, weights, means, stds, garbage_weight, low, high)
    weights /= weights.sum()
    return answer


MISTAKES = {
    "standard deviations as variances": built(stds_as_variances),
    "standard deviations squared twice": built(stds_squared_twice),
    "no weights at all": built(weighted=False, fined=False),
    "Gaussians without their weights": built(weighted=False),
    "garbage without its weight": built(fined=False),
    "uniform density 1": built(width=lambda width: 1.0),
    "uniform density high − low": built(width=lambda width: 1 / width),
    "garbage where all underflow": built(share=garbage_where_all_underflow),
    "garbage everywhere": built(everywhere=True),
    "no 1/σ, no 1/√(2π)": built(without_height),
    "no 1/√(2π)": built(without_pi),
    "sign of the exponent": built(rewards_distance),
    "hard decisions": built(share=certain),
}

RULE_MISTAKES = {
    "normalised over the points": (built(share=shared_over_points), "For one point, what must add up to 1?"),
    "plain densities": (built(share=shared_plainly), "How small is exp(−1500)"),
    "a small number in the denominator": (built(share=never_zero), "Whose is a point that every component"),
    "logarithms returned": (built(share=log_shares), "What undoes the logarithm"),
    "components in rows": (lambda *given: right_answer(*given).T, "One row for each point"),
    "garbage first": (lambda *given: np.roll(right_answer(*given), 1, axis=1), "In which column"),
    "not divided by the sum": (built(share=np.exp), "What must the numbers of one row add up to?"),
    "largest taken out, not divided": (built(share=against_the_largest), "What must the numbers of one row add up"),
    "garbage dropped": (lambda *given: right_answer(*given)[:, :-1], "How many components are there"),
    "weights overwritten": (overwrites_its_input, "Work on a copy"),
}


def loop(x, weights, means, stds, garbage_weight, low, high):
    rows = []
    for point in x:
        logs = [np.log(w) + norm.logpdf(point, m, s) for w, m, s in zip(weights, means, stds, strict=True)]
        logs.append(np.log(garbage_weight) + uniform.logpdf(point, low, high - low))
        top = max(logs)
        shares = [np.exp(log - top) for log in logs]
        rows.append([share / sum(shares) for share in shares])
    return rows


def odds(x, weights, means, stds, garbage_weight, low, high):
    """γ_k = 1 / Σ_l (joint_l / joint_k), with infinity for what is impossible."""
    z = (x[:, None] - means) / stds
    logs = np.log(weights) - np.log(stds) - 0.5 * z**2 - 0.5 * np.log(2 * np.pi)
    garbage = np.where((x < low) | (x > high), -1e300, np.log(garbage_weight / (high - low)))
    logs = np.column_stack([logs, garbage])
    with np.errstate(over="ignore"):
        return 1 / np.exp(logs[:, None, :] - logs[:, :, None]).sum(axis=-1)


def log_add(x, weights, means, stds, garbage_weight, low, high):
    logs = np.full((len(weights) + 1, len(x)), -np.inf)
    for k, (w, m, s) in enumerate(zip(weights, means, stds, strict=True)):
        logs[k] = np.log(w / (s * np.sqrt(2 * np.pi))) - (x - m) ** 2 / (2 * s**2)
    inside = (x >= low) & (x <= high)
    logs[-1, inside] = np.log(garbage_weight) - np.log(high - low)
    return np.exp(logs - np.logaddexp.reduce(logs, axis=0)).T


RIGHT = {
    "softmax": right_answer,
    "loop, a list of lists": loop,
    "odds": odds,
    "logaddexp, one component at a time": log_add,
}
