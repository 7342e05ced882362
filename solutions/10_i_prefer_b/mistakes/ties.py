"""Task 2, davidson_logs(f, pairs, y, noise_std, tie)."""

import math

import numpy as np
from scipy.special import logsumexp


def gaps(f, pairs, noise_std):
    """z = g/(√2σ)."""
    return (f[pairs[:, 1]] - f[pairs[:, 0]]) / (np.sqrt(2) * noise_std)


def davidson(
    z_of=gaps,
    weights=lambda z, tie: (z / 2, np.full_like(z, np.log(tie)), -z / 2),
    numerator=None,
    finish=lambda logs: logs,
):
    """An answer with another z, or other log weights of b, tie, a; numerator: other ones above the line only."""

    def answer(f, pairs, y, noise_std, tie):
        z = z_of(f, pairs, noise_std)
        below = weights(z, tie)
        above = numerator(z, tie) if numerator else below
        chosen = np.where(y > 0, above[0], np.where(y < 0, above[2], above[1]))
        return finish(chosen - logsumexp(np.array(below), axis=0))

    return answer


right_answer = davidson()


def with_weights(weights):
    return davidson(weights=weights)


def constant(z, value):
    return np.full_like(z, value)


def naive(f, pairs, y, noise_std, tie):
    """Exponentials of each strength first, which overflow."""
    with np.errstate(all="ignore"):
        worth = np.exp(f / (np.sqrt(2) * noise_std))
        a, b = worth[pairs[:, 0]], worth[pairs[:, 1]]
        middle = tie * np.sqrt(a * b)
        above = np.where(y > 0, b, np.where(y < 0, a, middle))
        return np.log(above / (a + b + middle))


def naive_gap(f, pairs, y, noise_std, tie):
    """Exponentials of the gaps, the logarithm last."""
    with np.errstate(all="ignore"):
        up = np.exp(gaps(f, pairs, noise_std) / 2)
        above = np.where(y > 0, up, np.where(y < 0, 1 / up, tie))
        return np.log(above / (up + 1 / up + tie))


def clipped(f, pairs, y, noise_std, tie):
    return np.log(np.maximum(np.exp(right_answer(f, pairs, y, noise_std, tie)), 1e-12))


def small_added(f, pairs, y, noise_std, tie):
    return np.log(np.exp(right_answer(f, pairs, y, noise_std, tie)) + 1e-10)


def product_of_strengths(f, pairs, y, noise_std, tie):
    """The weight of a tie is τ π_a π_b, in logarithms; it depends on the level of f."""
    a, b = (f / (np.sqrt(2) * noise_std))[pairs].T
    three = np.array([a, np.log(tie) + a + b, b])
    return np.choose(y + 1, three) - logsumexp(three, axis=0)


def tie_is_half(f, pairs, y, noise_std, tie):
    """A tie counts as half an answer for each side; no third outcome."""
    z = gaps(f, pairs, noise_std)
    return np.where(y == 0, (-np.logaddexp(0, -z) - np.logaddexp(0, z)) / 2, -np.logaddexp(0, -y * z))


def decided_without_tie(f, pairs, y, noise_std, tie):
    z = gaps(f, pairs, noise_std)
    return np.where(y == 0, right_answer(f, pairs, y, noise_std, tie), -np.logaddexp(0, -y * z))


def rao_kupper(f, pairs, y, noise_std, tie):
    """p(b) = e^{z/2} / (e^{z/2} + θ e^{−z/2}) with θ = 1 + tie."""
    z, log_theta = gaps(f, pairs, noise_std), np.log1p(tie)
    for_b, for_a = -np.logaddexp(0, log_theta - z), -np.logaddexp(0, log_theta + z)
    return np.where(y > 0, for_b, np.where(y < 0, for_a, np.log(tie**2 + 2 * tie) + for_a + for_b))


def sign_of_y_only(f, pairs, y, noise_std, tie):
    """Zero is no choice: it falls to a."""
    return right_answer(f, pairs, np.where(y > 0, 1, -1), noise_std, tie)


MISTAKES = {
    "exponentials of strengths": naive,
    "exponentials of gaps": naive_gap,
    "clipped": clipped,
    "1e-10 added": small_added,
    "no √2": davidson(lambda f, p, s: gaps(f, p, s) * np.sqrt(2)),
    "noise not used": davidson(lambda f, p, s: gaps(f, p, s) * np.sqrt(2) * s),
    "2σ": davidson(lambda f, p, s: gaps(f, p, s) / np.sqrt(2)),
    "2σ²": davidson(lambda f, p, s: gaps(f, p, s) / (np.sqrt(2) * s)),
    "a and b exchanged": davidson(lambda f, p, s: -gaps(f, p, s)),
    "e^z and e^−z": with_weights(lambda z, t: (z, constant(z, np.log(t)), -z)),
    "quarter": with_weights(lambda z, t: (z / 4, constant(z, np.log(t)), -z / 4)),
    "no root of the product": with_weights(lambda z, t: (z, constant(z, np.log(t)), 0 * z)),
    "product, not its root": with_weights(lambda z, t: (z, np.log(t) + z, 0 * z)),
    "product of strengths": product_of_strengths,
    "τ squared": with_weights(lambda z, t: (z / 2, constant(z, 2 * np.log(t)), -z / 2)),
    "root of τ": with_weights(lambda z, t: (z / 2, constant(z, np.log(t) / 2), -z / 2)),
    "mean for the root": with_weights(lambda z, t: (z / 2, np.log(t / 2) + np.logaddexp(z / 2, -z / 2), -z / 2)),
    "tie for its logarithm": with_weights(lambda z, t: (z / 2, constant(z, t), -z / 2)),
    "two ties": with_weights(lambda z, t: (z / 2, constant(z, np.log(2 * t)), -z / 2)),
    "tie below the line only": davidson(numerator=lambda z, t: (z / 2, 0 * z, -z / 2)),
    "tie above the line only": davidson(
        weights=lambda z, t: (z / 2, constant(z, -np.inf), -z / 2),
        numerator=lambda z, t: (z / 2, constant(z, np.log(t)), -z / 2),
    ),
    "decided without the tie": decided_without_tie,
    "largest for the sum": lambda f, p, y, s, t: (
        np.where(y == 0, np.log(t), y * gaps(f, p, s) / 2) - np.maximum(np.abs(gaps(f, p, s)) / 2, np.log(t))
    ),
    "half for each": tie_is_half,
    "zero is no choice": sign_of_y_only,
    "Rao and Kupper": rao_kupper,
    "probabilities": davidson(finish=np.exp),
    "minus logarithms": davidson(finish=np.negative),
    "logarithms to base 2": davidson(finish=lambda logs: logs / np.log(2)),
}

RULE_MISTAKES = {
    "sum": (davidson(finish=np.sum), "an array of 3 numbers is needed"),
}


def loops(f, pairs, y, noise_std, tie):
    logs = []
    for (a, b), answer in zip(pairs, y, strict=True):
        z = (f[b] - f[a]) / (math.sqrt(2) * noise_std)
        weights = {1: z / 2, 0: math.log(tie), -1: -z / 2}
        top = max(weights.values())
        logs.append(weights[int(answer)] - top - math.log(sum(math.exp(w - top) for w in weights.values())))
    return logs


def softplus(f, pairs, y, noise_std, tie):
    """log(1 + e^{−|z|} + tie e^{−|z|/2}) + |z|/2."""
    z = gaps(f, pairs, noise_std)
    total = np.abs(z) / 2 + np.log1p(np.exp(-np.abs(z)) + tie * np.exp(-np.abs(z) / 2))
    return np.choose(np.asarray(y) + 1, [-z / 2, np.full_like(z, np.log(tie)), z / 2]) - total


def log_worths(f, pairs, y, noise_std, tie):
    """Davidson's own form, in logarithms: π_b, tie √(π_a π_b), π_a."""
    worth = f / (np.sqrt(2) * noise_std)
    a, b = worth[pairs].T
    three = np.column_stack([a, np.log(tie) + (a + b) / 2, b])
    return (three - logsumexp(three, axis=1, keepdims=True))[np.arange(len(y)), y + 1]


def two_logaddexp(f, pairs, y, noise_std, tie):
    half = gaps(f, pairs, noise_std) / 2
    total = np.logaddexp(np.logaddexp(half, -half), np.log(tie))
    return y * half + (y == 0) * np.log(tie) - total


RIGHT = {
    "log weights": right_answer,
    "loops": loops,
    "softplus": softplus,
    "log worths": log_worths,
    "two logaddexp": two_logaddexp,
}
