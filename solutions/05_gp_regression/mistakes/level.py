"""Task 4, gp_with_mean(K, noise_std, y, K_cross, prior_variance)."""

import numpy as np

from .models import conditional, noisy, permuted


def least_squares(C, y, noise_std):
    weights = np.linalg.solve(C, np.ones(len(y)))
    return weights @ y / weights.sum()


def knowledge(C):
    """1ᵀ C⁻¹ 1: how much the answers say of the level."""
    return np.linalg.solve(C, np.ones(len(C))).sum()


def answering(
    covariance=noisy,
    level=least_squares,
    mean=lambda level, y, K_cross, C: level + conditional(K_cross, C, y - level)[0],
    variance=lambda left, share, information: left + (1 - share) ** 2 / information,
):
    """An answer with another part; share = 1ᵀ C⁻¹ k, information = 1ᵀ C⁻¹ 1."""

    def answer(K, noise_std, y, K_cross, prior_variance):
        C = covariance(K, noise_std)
        centre = float(level(C, y, noise_std))
        share, explained = conditional(K_cross, C, np.ones(len(y)))
        return centre, mean(centre, y, K_cross, C), variance(prior_variance - explained, share, knowledge(C))

    return answer


right_answer = answering()


def by_precision(C, y, noise_std):
    return np.average(y, weights=noise_std**-2.0)


def rows_of_the_covariance(C, y, noise_std):
    return C.sum(axis=0) @ y / C.sum()


def zero_mean(K, noise_std, y, K_cross, prior_variance):
    mean, explained = conditional(K_cross, noisy(K, noise_std), y)
    return 0.0, mean, prior_variance - explained


def level_of_the_curve(K, noise_std, y, K_cross, prior_variance):
    _, mean, variance = right_answer(K, noise_std, y, K_cross, prior_variance)
    return float(np.mean(mean)), mean, variance


MISTAKES = {
    "zero mean": zero_mean,
    "y not centred": answering(mean=lambda level, y, K_cross, C: conditional(K_cross, C, y)[0]),
    "level added, not subtracted": answering(mean=lambda level, y, K_cross, C: level + conditional(K_cross, C, y)[0]),
    "not added back": answering(mean=lambda level, y, K_cross, C: conditional(K_cross, C, y - level)[0]),
    "level everywhere": answering(mean=lambda level, y, K_cross, C: np.full(K_cross.shape[1], level)),
    "plain mean": answering(level=lambda C, y, noise_std: y.mean()),
    "median": answering(level=lambda C, y, noise_std: np.median(y)),
    "weighted by precision": answering(level=by_precision),
    "weighted by the covariance": answering(level=rows_of_the_covariance),
    "divided by n": answering(level=lambda C, y, noise_std: np.linalg.solve(C, y).sum() / len(y)),
    "not divided": answering(level=lambda C, y, noise_std: np.linalg.solve(C, y).sum()),
    "weights from K": lambda K, noise_std, *rest: answering(
        level=lambda C, y, _: least_squares(K + 1e-10 * np.eye(len(K)), y, _)
    )(K, noise_std, *rest),
    "no noise": answering(lambda K, s: K + 1e-10 * np.eye(len(K))),
    "σ for σ²": answering(lambda K, s: K + np.diag(s)),
    "level taken for known": answering(variance=lambda left, share, info: left),
    "whole uncertainty of the level": answering(variance=lambda left, share, info: left + 1 / info),
    "not squared": answering(variance=lambda left, share, info: left + (1 - share) / info),
    "share not taken from 1": answering(variance=lambda left, share, info: left + share**2 / info),
    "multiplied": answering(variance=lambda left, share, info: left + (1 - share) ** 2 * info),
    "uncertainty subtracted": answering(variance=lambda left, share, info: left - (1 - share) ** 2 / info),
    "divided by n again": answering(variance=lambda left, share, info: left + (1 - share) ** 2 / info**2),
    "standard deviation": lambda *given: (*right_answer(*given)[:2], np.sqrt(right_answer(*given)[2])),
    "variance of an answer": lambda K, noise_std, *rest: (
        *right_answer(K, noise_std, *rest)[:2],
        right_answer(K, noise_std, *rest)[2] + np.mean(noise_std**2),
    ),
    "mean of the predictions": level_of_the_curve,
}

RULE_MISTAKES = {
    "mean first": (permuted(1, 0, 2)(right_answer), "an array of shape"),
    "no level": (lambda *given: right_answer(*given)[1:], "3 values are needed"),
}


def kriging(K, noise_std, y, K_cross, prior_variance):
    """Ordinary kriging: one more row for the unknown level, and weights that sum to 1."""
    n = len(y)
    bordered = np.block([[noisy(K, noise_std), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    right = np.vstack([K_cross, np.ones((1, K_cross.shape[1]))])
    weights = np.linalg.solve(bordered, right)
    level = np.linalg.solve(bordered, np.append(np.zeros(n), 1))[:n] @ y
    return level, (weights[:n].T @ y).tolist(), (prior_variance - (weights * right).sum(axis=0)).tolist()


def nearly_flat_prior(K, noise_std, y, K_cross, prior_variance, wide=1e7):
    """The level as one more Gaussian, with a variance that is huge."""
    C = noisy(K, noise_std) + wide
    mean, explained = conditional(K_cross + wide, C, y)
    level, _ = conditional(np.full((len(y), 1), wide), C, y)
    return level[0], mean, prior_variance + wide - explained


def whitened(K, noise_std, y, K_cross, prior_variance):
    lower = np.linalg.cholesky(noisy(K, noise_std))
    ones, z, V = (np.linalg.solve(lower, part) for part in (np.ones(len(y)), y, K_cross))
    level = np.linalg.lstsq(ones[:, None], z, rcond=None)[0][0]
    open_share = 1 - V.T @ ones
    variance = prior_variance - (V * V).sum(axis=0) + open_share * open_share / (ones @ ones)
    return [level, level + V.T @ (z - level * ones), variance]


def contrasts(K, noise_std, y, K_cross, prior_variance):
    """Only differences to the first answer, in which the level cancels; each prediction is one of them too."""
    n = len(y)
    D = np.hstack([-np.ones((n - 1, 1)), np.eye(n - 1)])
    C = noisy(K, noise_std)
    middle, after = D @ C @ D.T, D @ (K_cross - C[:, :1])
    mean = y[0] + after.T @ np.linalg.solve(middle, D @ y)
    variance = prior_variance + C[0, 0] - 2 * K_cross[0] - (after * np.linalg.solve(middle, after)).sum(axis=0)
    level = y[0] - (D @ C[:, 0]) @ np.linalg.solve(middle, D @ y)
    return level, mean, variance


RIGHT = {
    "solve": right_answer,
    "kriging, lists": kriging,
    "nearly flat prior": nearly_flat_prior,
    "whitened": whitened,
    "contrasts": contrasts,
}
