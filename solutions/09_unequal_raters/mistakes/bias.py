"""Task 6, rater_biases(K, noise_std, Y)."""

import numpy as np
from scipy.linalg import block_diag

from .models import joint, part, stacked


def differences(covariance):
    """Standard deviations of all differences of jointly Gaussian numbers."""
    own = np.diag(covariance)
    return np.sqrt(np.maximum(own[:, None] + own - 2 * covariance, 0.0))


def learning(
    covariance=lambda K, s, item, rater: K[np.ix_(item, item)] + np.diag(s[rater] ** 2),
    bias=lambda B, W, y: np.linalg.solve(B.T @ W @ B, B.T @ W @ y),
    error=differences,
    spread=lambda B, W: np.linalg.inv(B.T @ W @ B),
):
    """An answer with another covariance of the answers, other biases, or other standard errors."""

    def answer(K, noise_std, Y):
        item, rater, y = stacked(Y)
        B = np.eye(Y.shape[1])[rater]
        W = np.linalg.inv(covariance(K, noise_std, item, rater))
        return bias(B, W, y), error(spread(B, W))

    return answer


right_answer = learning()


def noise_only(K, s, item, rater):
    return np.diag(s[rater] ** 2)


def kernel_only(K, s, item, rater):
    return K[np.ix_(item, item)] + 1e-6 * np.trace(K) * np.eye(len(item))


def own_curve_for_each(K, s, item, rater):
    """As if every rater had a z of his own."""
    return K[np.ix_(item, item)] * np.equal.outer(rater, rater) + np.diag(s[rater] ** 2)


def column_means(K, noise_std, Y):
    return np.nanmean(Y, axis=0), right_answer(K, noise_std, Y)[1]


def item_effects(K, noise_std, Y):
    """Ordinary least squares with a free value for each item, the first value 0: no prior at all."""
    item, rater, y = stacked(Y)
    design = np.hstack([np.eye(Y.shape[1])[rater], np.eye(len(Y))[item][:, 1:]])
    weight = 1 / noise_std[rater]
    found = np.linalg.lstsq(design * weight[:, None], y * weight, rcond=None)[0]
    return found[: Y.shape[1]], right_answer(K, noise_std, Y)[1]


def residuals_of_the_rows(K, noise_std, Y):
    return np.nanmean(Y - np.nanmean(Y, axis=1, keepdims=True), axis=0), right_answer(K, noise_std, Y)[1]


def gaps_as_zero(K, noise_std, Y):
    return right_answer(K, noise_std, np.nan_to_num(Y))


def out_of_step(K, noise_std, Y):
    """Covariances rater by rater, answers item by item."""
    rater, item = np.nonzero(~np.isnan(Y.T))
    C = K[np.ix_(item, item)] + np.diag(noise_std[rater] ** 2)
    B, y, W = np.eye(Y.shape[1])[rater], Y[~np.isnan(Y)], np.linalg.inv(C)
    return np.linalg.solve(B.T @ W @ B, B.T @ W @ y), differences(np.linalg.inv(B.T @ W @ B))


def shrunk(K, noise_std, Y):
    """With a prior N(0, 100) of each bias."""
    return learning(
        bias=lambda B, W, y: np.linalg.solve(B.T @ W @ B + 0.01 * np.eye(B.shape[1]), B.T @ W @ y),
        spread=lambda B, W: np.linalg.inv(B.T @ W @ B + 0.01 * np.eye(B.shape[1])),
    )(K, noise_std, Y)


def single(covariance):
    return np.sqrt(np.diag(covariance))


def outer_sum(values):
    table = np.add.outer(values, values)
    np.fill_diagonal(table, 0.0)
    return table


def each_alone(K, noise_std, Y):
    """Each rater's bias from his own answers, as if there were nobody else; their errors as if independent."""
    biases, errors = zip(*(right_answer_of_one(K, noise_std[r], Y[:, r]) for r in range(Y.shape[1])), strict=True)
    return np.array(biases), np.sqrt(outer_sum(np.array(errors)))


def right_answer_of_one(K, s, column):
    given = ~np.isnan(column)
    weight = np.linalg.solve(K[np.ix_(given, given)] + s**2 * np.eye(given.sum()), np.ones(given.sum()))
    return weight @ column[given] / weight.sum(), 1 / weight.sum()


MISTAKES = {
    "column means": column_means,
    "column means and their errors": learning(noise_only),
    "residuals of the rows": residuals_of_the_rows,
    "ordinary least squares": learning(bias=lambda B, W, y: np.linalg.solve(B.T @ B, B.T @ y)),
    "each rater alone": each_alone,
    "a z for each rater": learning(own_curve_for_each),
    "free values of the items": item_effects,
    "variances of K alone": learning(lambda K, s, i, r: np.diag(np.diag(K)[i] + s[r] ** 2)),
    "same item only": learning(lambda K, s, i, r: np.equal.outer(i, i) * np.diag(K)[i] + np.diag(s[r] ** 2)),
    "no noise": learning(kernel_only),
    "noise in every entry": learning(lambda K, s, i, r: K[np.ix_(i, i)] + s[r] ** 2 + 1e-6 * np.eye(len(i))),
    "one noise for all": learning(lambda K, s, i, r: K[np.ix_(i, i)] + np.mean(s**2) * np.eye(len(i))),
    "noise shared by a rater": learning(
        lambda K, s, i, r: K[np.ix_(i, i)] + np.outer(s[r], s[r]) * np.equal.outer(r, r) + 1e-6 * np.eye(len(i))
    ),
    "σ for σ²": learning(lambda K, s, i, r: K[np.ix_(i, i)] + np.diag(s[r])),
    "precisions": learning(lambda K, s, i, r: K[np.ix_(i, i)] + np.diag(s[r] ** -2)),
    "weighted by C": learning(lambda K, s, i, r: np.linalg.inv(K[np.ix_(i, i)] + np.diag(s[r] ** 2))),
    "C⁻¹ once": learning(bias=lambda B, W, y: np.linalg.solve(B.T @ B, B.T @ W @ y)),
    "diagonal of the system": learning(bias=lambda B, W, y: (B.T @ W @ y) / np.diag(B.T @ W @ B)),
    "single errors added": learning(error=lambda M: outer_sum(single(M))),
    "single variances added": learning(error=lambda M: np.sqrt(outer_sum(np.diag(M)))),
    "covariance added": learning(error=lambda M: np.sqrt(np.diag(M)[:, None] + np.diag(M) + 2 * M)),
    "covariance once": learning(error=lambda M: np.sqrt(np.diag(M)[:, None] + np.diag(M) - M - np.diag(np.diag(M)))),
    "difference of the errors": learning(error=lambda M: np.abs(np.subtract.outer(single(M), single(M)))),
    "from the noise alone": lambda K, s, Y: (right_answer(K, s, Y)[0], learning(noise_only)(K, s, Y)[1]),
    "variances": part(right_answer, 1, np.square),
    "covariance": learning(error=lambda M: M),
    "information": learning(spread=lambda B, W: B.T @ W @ B),
    "inverse of each entry": learning(spread=lambda B, W: np.diag(1 / np.diag(B.T @ W @ B))),
    "ordinary errors": learning(spread=lambda B, W: np.linalg.inv(B.T @ B)),
    "gaps as 0": gaps_as_zero,
    "out of step": out_of_step,
    "shrunk": shrunk,
    "centred": part(right_answer, 0, lambda b: b - b.mean()),
    "from the first": part(right_answer, 0, lambda b: b - b[0]),
}

RULE_MISTAKES = {
    "single errors": (learning(error=single), "It has the shape"),
    "turned round": (part(right_answer, 0, lambda b: -b), "Who marks high"),
    "errors first": (lambda *given: right_answer(*given)[::-1], "It has the shape"),
    "biases only": (lambda *given: right_answer(*given)[0], "2 values are needed"),
}


def whitened(K, noise_std, Y):
    """Cholesky and least squares; the errors from the triangular factor."""
    C, _, rater, y = joint(K, noise_std, Y)
    L = np.linalg.cholesky(C)
    Q, U = np.linalg.qr(np.linalg.solve(L, np.eye(Y.shape[1])[rater]))
    root = np.linalg.solve(U, np.eye(len(U)))
    return np.linalg.solve(U, Q.T @ np.linalg.solve(L, y)), np.linalg.norm(root[:, None] - root, axis=2)


def loops(K, noise_std, Y):
    answers = [(i, r) for r in range(Y.shape[1]) for i in range(len(Y)) if Y[i, r] == Y[i, r]]
    C = [[K[i, j] + (noise_std[r] ** 2 if (i, r) == (j, q) else 0.0) for j, q in answers] for i, r in answers]
    B = np.array([[float(r == s) for s in range(Y.shape[1])] for _, r in answers])
    y, solved = np.array([Y[a] for a in answers]), np.linalg.solve(C, B)
    M = np.linalg.inv(B.T @ solved)
    pairs = [[np.sqrt(max(M[r, r] + M[s, s] - 2 * M[r, s], 0)) for s in range(len(M))] for r in range(len(M))]
    return (M @ (solved.T @ y)).tolist(), pairs


def contrasts(K, noise_std, Y):
    """Each difference as a contrast of its own."""
    C, _, rater, y = joint(K, noise_std, Y)
    B, R = np.eye(Y.shape[1])[rater], Y.shape[1]
    M = np.linalg.inv(B.T @ np.linalg.solve(C, B))
    errors = np.zeros((R, R))
    for r in range(R):
        for s in range(r):
            contrast = np.eye(R)[r] - np.eye(R)[s]
            errors[r, s] = errors[s, r] = np.sqrt(contrast @ M @ contrast)
    return M @ B.T @ np.linalg.solve(C, y), errors


def in_item_space(K, noise_std, Y):
    """n × n only: the answers of an item collapse, and Woodbury's identity gives C⁻¹ B and C⁻¹ y."""
    item, rater, y = stacked(Y)
    A, D = np.eye(len(Y))[item], noise_std[rater] ** 2
    B = np.eye(Y.shape[1])[rater]
    both = np.column_stack([B, y])
    inner = np.eye(len(Y)) + K @ (A.T / D) @ A
    solved = (both - A @ np.linalg.solve(inner, K @ (A.T / D) @ both)) / D[:, None]
    M = np.linalg.inv(B.T @ solved[:, :-1])
    return M @ B.T @ solved[:, -1], differences(M)


def bordered(K, noise_std, Y):
    """Another algorithm: the best linear unbiased estimates as a saddle point."""
    C, _, rater, y = joint(K, noise_std, Y)
    B, R = np.eye(Y.shape[1])[rater], Y.shape[1]
    saddle = block_diag(C, np.zeros((R, R)))
    saddle[: len(y), len(y) :], saddle[len(y) :, : len(y)] = B, B.T
    weights = np.linalg.solve(saddle, np.vstack([np.zeros((len(y), R)), np.eye(R)]))[: len(y)]
    return weights.T @ y, differences(weights.T @ C @ weights)


RIGHT = {
    "inverse": right_answer,
    "whitened": whitened,
    "loops, lists": loops,
    "contrasts": contrasts,
    "in item space": in_item_space,
    "bordered": bordered,
}
