"""Task 6, strength_step(f, pairs, wins, noise_std, prior_std, damping)."""

import numpy as np
from scipy.special import log_ndtr, ndtr
from scipy.stats import norm

from course_lib.gp import Probit
from course_lib.judgments import Comparison


def ratio(z):
    """φ(z)/Φ(z), without overflow."""
    return np.exp(norm.logpdf(z) - log_ndtr(z))


def bend(z):
    """−∂² log Φ(z)."""
    return ratio(z) * (z + ratio(z))


def indicator(n, pairs):
    return np.eye(n)[pairs[:, 1]] - np.eye(n)[pairs[:, 0]]


def solve(f, gradient, W, prior, damping):
    """(I/s² + W + λI)⁻¹ [(W + λI) f + ∇log p]; `prior` is 1/s²."""
    eye = np.eye(len(f))
    left = W + damping * eye
    return np.linalg.solve(prior * eye + left, left @ f + gradient)


def stepping(
    spread=lambda s: np.sqrt(2) * s,
    counts=lambda wins: wins,
    first=lambda z, wins: wins[:, 1] * ratio(z) - wins[:, 0] * ratio(-z),
    second=lambda z, wins: wins[:, 1] * bend(z) + wins[:, 0] * bend(-z),
    units=(1, 2),
    scatter=lambda M, slope, w: (M.T @ slope, M.T @ (w[:, None] * M)),
    prior=lambda s: s**-2.0,
    solve=solve,
):
    """An answer that is wrong in one of its steps; units: powers of 1/(√2σ) in the two derivatives."""

    def answer(f, pairs, wins, noise_std, prior_std, damping):
        width, wins = spread(noise_std), counts(wins)
        z = (f[pairs[:, 1]] - f[pairs[:, 0]]) / width
        slope, w = first(z, wins) / width ** units[0], second(z, wins) / width ** units[1]
        gradient, W = scatter(indicator(len(f), pairs), slope, w)
        return solve(f, gradient, W, prior(prior_std), damping)

    return answer


right_answer = stepping()


def solved(left, right):
    """An answer with another left and right side of the equation, each a function of (W, prior, λ, f, gradient)."""

    def other(f, gradient, W, prior, damping):
        eye = np.eye(len(f))
        return np.linalg.solve(left(W, prior * eye, damping * eye), right(W, prior * eye, damping * eye, f, gradient))

    return stepping(solve=other)


def increment(f, gradient, W, prior, damping):
    return solve(f, gradient, W, prior, damping) - f


def uphill(f, gradient, W, prior, damping):
    """A step along the gradient, no curvature."""
    return f + (gradient - prior * f) / (damping + prior)


def last_wins(M, slope, w):
    """gradient[b] += … with arrays of indices: repeated items count once."""
    n = M.shape[1]
    a, b = M.argmin(axis=1), M.argmax(axis=1)
    gradient, W = np.zeros(n), np.zeros((n, n))
    gradient[b] += slope
    gradient[a] -= slope
    W[a, a] += w
    W[b, b] += w
    W[a, b] -= w
    W[b, a] -= w
    return gradient, W


def diagonal(M, slope, w):
    return M.T @ slope, np.diag((M**2).T @ w)


def off_plus(M, slope, w):
    return M.T @ slope, np.abs(M).T @ (w[:, None] * np.abs(M))


def plus_at_a(M, slope, w):
    return np.abs(M).T @ slope, M.T @ (w[:, None] * M)


def downhill(M, slope, w):
    return -M.T @ slope, M.T @ (w[:, None] * M)


def turned_W(M, slope, w):
    return M.T @ slope, -M.T @ (w[:, None] * M)


def naive_ratio(z):
    with np.errstate(all="ignore"):
        return norm.pdf(z) / ndtr(z)


def to_the_mode(*given):
    f = given[0]
    for _ in range(200):
        f = right_answer(f, *given[1:])
    return f


def marquardt_left(W, P, D):
    return P + W + D * np.diag(np.diag(W))


def marquardt_right(W, P, D, f, gradient):
    return (W + D * np.diag(np.diag(W))) @ f + gradient


def mean_over_the_answers(f, pairs, wins, *rest):
    return stepping(counts=lambda wins: wins / wins.sum())(f, pairs, wins, *rest)


def correct_left(W, P, D):
    return P + W + D


def correct_right(W, P, D, f, g):
    return (W + D) @ f + g


def one_sided(z, wins):
    """The slope as if log Φ(−z) were −log Φ(z)."""
    return (wins[:, 1] - wins[:, 0]) * ratio(z)


MISTAKES = {
    "as printed, −λ": solved(lambda W, P, D: P + W - D, lambda W, P, D, f, g: (W - D) @ f + g),
    "−λ on the left": solved(lambda W, P, D: P + W - D, correct_right),
    "−λ on the right": solved(correct_left, lambda W, P, D, f, g: (W - D) @ f + g),
    "no λ": solved(lambda W, P, D: P + W, lambda W, P, D, f, g: W @ f + g),
    "λ on the left only": solved(correct_left, lambda W, P, D, f, g: W @ f + g),
    "λ on the right only": solved(lambda W, P, D: P + W, correct_right),
    "gradient alone on the right": solved(correct_left, lambda W, P, D, f, g: g),
    "prior twice": solved(correct_left, lambda W, P, D, f, g: (W + D) @ f + g - P @ f),
    "damping multiplies W": solved(lambda W, P, D: P + W + D * W, lambda W, P, D, f, g: (W + D * W) @ f + g),
    "divided by 1 + λ": lambda *given: given[0] + (right_answer(*given[:5], 0.0) - given[0]) / (1 + given[5]),
    "λ times the diagonal of W": solved(marquardt_left, marquardt_right),
    "prior left out of the gradient": stepping(
        solve=lambda f, g, W, P, D: f + np.linalg.solve(W + (P + D) * np.eye(len(f)), g)
    ),
    "prior left out of the matrix": stepping(
        solve=lambda f, g, W, P, D: f + np.linalg.solve(W + D * np.eye(len(f)), g - P * f)
    ),
    "λ in units of 1/s²": stepping(solve=lambda f, g, W, P, D: solve(f, g, W, P, D * P)),
    "mean over the rows": stepping(
        scatter=lambda M, slope, w: (M.T @ slope / len(M), M.T @ (w[:, None] * M) / len(M))
    ),
    "mean over the answers": mean_over_the_answers,
    "half a step": lambda *given: (given[0] + right_answer(*given)) / 2,
    "diagonal W": stepping(scatter=diagonal),
    "+ beside the diagonal": stepping(scatter=off_plus),
    "gradient + at a": stepping(scatter=plus_at_a),
    "downhill": stepping(scatter=downhill),
    "Hessian for W": stepping(scatter=turned_W),
    "a step along the gradient": stepping(solve=uphill),
    "no prior": stepping(prior=lambda s: 1e-10),
    "s for its precision": stepping(prior=lambda s: s),
    "variance for precision": stepping(prior=lambda s: s**2),
    "1/s": stepping(prior=lambda s: 1 / s),
    "prior of one": stepping(prior=lambda s: 1.0),
    "no √2": stepping(spread=lambda s: s),
    "2σ": stepping(spread=lambda s: 2 * s),
    "2σ²": stepping(spread=lambda s: 2 * s**2),
    "gradient without a unit": stepping(units=(0, 2)),
    "W divided once": stepping(units=(1, 1)),
    "nothing divided": stepping(units=(0, 0)),
    "each row once": stepping(counts=lambda wins: (wins > 0).astype(float)),
    "shares": stepping(counts=lambda wins: wins / wins.sum(axis=1, keepdims=True)),
    "majority": stepping(counts=lambda wins: (wins == wins.max(axis=1, keepdims=True)).astype(float)),
    "wins of b only": stepping(counts=lambda wins: wins * [0, 1]),
    "wins minus losses": stepping(counts=lambda wins: np.maximum(wins - wins[:, ::-1], 0)),
    "columns exchanged": stepping(counts=lambda wins: wins[:, ::-1]),
    "φ(z)/Φ(z) for a, too": stepping(first=one_sided),
    "φ(z)/Φ(z) in both": stepping(first=one_sided, second=lambda z, w: w.sum(axis=1) * bend(z)),
    "bend of a at z": stepping(second=lambda z, wins: wins.sum(axis=1) * bend(z)),
    "bend without z": stepping(second=lambda z, wins: wins[:, 1] * ratio(z) ** 2 + wins[:, 0] * ratio(-z) ** 2),
    "z with the wrong sign": stepping(
        second=lambda z, wins: wins[:, 1] * ratio(z) * (ratio(z) - z) + wins[:, 0] * ratio(-z) * (ratio(-z) + z)
    ),
    "expected information": stepping(second=lambda z, wins: wins.sum(axis=1) * ratio(z) * ratio(-z)),
    "the way only": stepping(solve=increment),
    "to the mode": to_the_mode,
    "repeated items count once": stepping(scatter=last_wins),
    "φ/Φ by division": stepping(
        first=lambda z, wins: wins[:, 1] * naive_ratio(z) - wins[:, 0] * naive_ratio(-z),
        second=lambda z, wins: (
            wins[:, 1] * naive_ratio(z) * (z + naive_ratio(z)) + wins[:, 0] * naive_ratio(-z) * (naive_ratio(-z) - z)
        ),
    ),
}


def from_f(f, pairs, wins, noise_std, prior_std, damping):
    """f plus a step: the curvature solves the gradient of the log posterior."""
    a, b = pairs.T
    spread = np.sqrt(2) * noise_std
    z = (f[b] - f[a]) / spread
    M = indicator(len(f), pairs)
    gradient = M.T @ (wins[:, 1] * ratio(z) - wins[:, 0] * ratio(-z)) / spread - f / prior_std**2
    w = (wins[:, 1] * bend(z) + wins[:, 0] * bend(-z)) / spread**2
    return f + np.linalg.solve((M.T * w) @ M + np.eye(len(f)) * (damping + prior_std**-2.0), gradient)


def one_answer_after_the_other(f, pairs, wins, noise_std, prior_std, damping):
    n, spread = len(f), np.sqrt(2) * noise_std
    gradient, W = np.zeros(n), np.zeros((n, n))
    for (a, b), (lost, won) in zip(pairs, wins, strict=True):
        for loser, winner, times in ((b, a, lost), (a, b, won)):
            z = (f[winner] - f[loser]) / spread
            r = times * ratio(z) / spread
            w = r * (z + ratio(z)) / spread
            gradient[[winner, loser]] += [r, -r]
            W[np.ix_([winner, loser], [winner, loser])] += [[w, -w], [-w, w]]
    left = W + damping * np.eye(n)
    return np.linalg.solve(left + np.eye(n) / prior_std**2, left @ f + gradient)


def likelihood_of_the_library(f, pairs, wins, noise_std, prior_std, damping):
    a, b = pairs.T
    choice = Comparison(Probit(), noise_std)
    slope, w = np.zeros(len(pairs)), np.zeros(len(pairs))
    for column, answer in ((0, -1.0), (1, 1.0)):
        _, first, second, _ = choice.derivatives(np.full(len(pairs), answer), f[b] - f[a])
        slope, w = slope + wins[:, column] * first, w - wins[:, column] * second
    M = indicator(len(f), pairs)
    return solve(f, M.T @ slope, M.T @ (w[:, None] * M), prior_std**-2.0, damping)


def with_K(f, pairs, wins, noise_std, prior_std, damping):
    """As for a Gaussian process, without an inverse of K = s²I: (I + K(W + λI)) new = K[(W + λI) f + ∇log p]."""

    def through_K(f, gradient, W, prior, damping):
        K, left = np.eye(len(f)) / prior, W + damping * np.eye(len(f))
        return np.linalg.solve(np.eye(len(f)) + K @ left, K @ (left @ f + gradient))

    return stepping(solve=through_K)(f, pairs, wins, noise_std, prior_std, damping)


def by_cholesky(f, pairs, wins, noise_std, prior_std, damping):
    def factored(f, gradient, W, prior, damping):
        left = W + damping * np.eye(len(f))
        L = np.linalg.cholesky(left + prior * np.eye(len(f)))
        return np.linalg.solve(L.T, np.linalg.solve(L, left @ f + gradient))

    return stepping(solve=factored)(f, pairs, wins, noise_std, prior_std, damping)


RIGHT = {
    "indicator matrix": right_answer,
    "f plus a step": from_f,
    "one answer after the other": one_answer_after_the_other,
    "the library's likelihood": likelihood_of_the_library,
    "through K": with_K,
    "Cholesky": by_cholesky,
}
