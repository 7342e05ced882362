"""Task 3, leave_one_out(K, noise_std, y)."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.stats import norm

from .models import log_density, noisy, permuted


def log_densities(y, mean, variance):
    return -0.5 * np.log(2 * np.pi * variance) - 0.5 * (y - mean) ** 2 / variance


def closed(
    covariance=noisy,
    mean=lambda y, alpha, precision: y - alpha / precision,
    variance=lambda precision, noise_std: 1 / precision,
    total=lambda y, mean, variance: log_densities(y, mean, variance).sum(),
):
    """The closed form with another part."""

    def answer(K, noise_std, y):
        inverse = np.linalg.inv(covariance(K, noise_std))
        precision = np.diag(inverse)
        centre, spread = mean(y, inverse @ y, precision), variance(precision, noise_std)
        return centre, spread, float(total(y, centre, spread))

    return answer


right_answer = closed()


def scored(mean, variance, y):
    return mean, variance, float(log_densities(y, mean, variance).sum())


def in_sample(K, noise_std, y):
    C = noisy(K, noise_std)
    mean = K @ np.linalg.solve(C, y)
    return scored(mean, np.diag(K - K @ np.linalg.solve(C, K)) + noise_std**2, y)


def in_sample_of_f(K, noise_std, y):
    C = noisy(K, noise_std)
    mean = K @ np.linalg.solve(C, y)
    return scored(mean, np.diag(K - K @ np.linalg.solve(C, K)), y)


def answer_set_to_zero(K, noise_std, y):
    C = noisy(K, noise_std)
    mean = np.array([K[i] @ np.linalg.solve(C, np.where(np.arange(len(y)) == i, 0.0, y)) for i in range(len(y))])
    return scored(mean, np.diag(K - K @ np.linalg.solve(C, K)) + noise_std**2, y)


def given_those_before(K, noise_std, y):
    """Each answer from the ones before it, which is what the Cholesky factor knows."""
    lower = np.linalg.cholesky(noisy(K, noise_std))
    return scored(y - np.diag(lower) * np.linalg.solve(lower, y), np.diag(lower) ** 2, y)


def prior(K, noise_std, y):
    return scored(np.zeros(len(y)), np.diag(noisy(K, noise_std)), y)


def refits(K, noise_std, y, noise_of_others=lambda noise_std, i: np.delete(noise_std, i)):
    """The definition: each answer from a fit to all others."""
    means, variances = [], []
    for i in range(len(y)):
        others = np.arange(len(y)) != i
        C = noisy(K[np.ix_(others, others)], noise_of_others(noise_std, i))
        weights = np.linalg.solve(C, K[others, i])
        means.append(weights @ y[others])
        variances.append(K[i, i] + noise_std[i] ** 2 - weights @ K[others, i])
    return scored(np.array(means), np.array(variances), y)


def covariance_for_precision(K, noise_std, y):
    C = noisy(K, noise_std)
    return scored(y - np.linalg.solve(C, y) / np.diag(C), 1 / np.diag(C), y)


def diagonal_inverted(K, noise_std, y):
    C = noisy(K, noise_std)
    return scored(y - np.linalg.solve(C, y) * np.diag(C), np.diag(C), y)


def joint_density(K, noise_std, y):
    return *right_answer(K, noise_std, y)[:2], log_density(y, noisy(K, noise_std))


def residuals(K, noise_std, y):
    mean, variance, total = right_answer(K, noise_std, y)
    return y - mean, variance, total


MISTAKES = {
    "fit to all": in_sample,
    "fit to all, variance of f": in_sample_of_f,
    "answer set to zero": answer_set_to_zero,
    "given those before": given_those_before,
    "prior": prior,
    "variance of f": closed(variance=lambda p, s: 1 / p - s**2),
    "noise added again": closed(variance=lambda p, s: 1 / p + s**2),
    "precision": closed(variance=lambda p, s: p),
    "standard deviation": closed(variance=lambda p, s: np.sqrt(1 / p)),
    "standard deviation, density right": lambda *given: (
        right_answer(*given)[0],
        np.sqrt(right_answer(*given)[1]),
        right_answer(*given)[2],
    ),
    "sign": closed(mean=lambda y, a, p: y + a / p),
    "times the precision": closed(mean=lambda y, a, p: y - a * p),
    "not divided": closed(mean=lambda y, a, p: y - a),
    "residuals": residuals,
    "residuals, no y": closed(mean=lambda y, a, p: a / p),
    "diagonal of C": covariance_for_precision,
    "inverse of the diagonal": diagonal_inverted,
    "no noise": closed(lambda K, s: K + 1e-10 * np.eye(len(K))),
    "σ for σ²": closed(lambda K, s: K + np.diag(s)),
    "one noise for all": closed(lambda K, s: noisy(K, np.sqrt(np.mean(s**2)))),
    "noise of the wrong answers": lambda *given: refits(*given, noise_of_others=lambda noise_std, i: noise_std[:-1]),
    "joint density": joint_density,
    "mean of the densities": closed(total=lambda *given: log_densities(*given).mean()),
    "no 2π": closed(total=lambda y, m, v: -0.5 * (np.log(v) + (y - m) ** 2 / v).sum()),
    "no log variance": closed(total=lambda y, m, v: -0.5 * (np.log(2 * np.pi) + (y - m) ** 2 / v).sum()),
    "log variance not halved": closed(
        total=lambda y, m, v: -(0.5 * np.log(2 * np.pi) + np.log(v) + 0.5 * (y - m) ** 2 / v).sum()
    ),
    "squares": closed(total=lambda y, m, v: -0.5 * ((y - m) ** 2).sum()),
    "variance as scale": closed(total=lambda y, m, v: norm.logpdf(y, m, v).sum()),
    "product of densities": closed(total=lambda y, m, v: np.prod(norm.pdf(y, m, np.sqrt(v)))),
    "cost": closed(total=lambda *given: -log_densities(*given).sum()),
}

RULE_MISTAKES = {
    "n refits": (refits, "How many factorisations"),
    "variance first": (permuted(1, 0, 2)(right_answer), "Which of the three comes first?"),
    "total only": (lambda *given: right_answer(*given)[2], "3 values are needed"),
}


def from_the_factor(K, noise_std, y):
    lower = np.linalg.cholesky(noisy(K, noise_std))
    white = np.linalg.solve(lower, np.eye(len(y)))
    variance = 1 / (white**2).sum(axis=0)
    mean = y - variance * (white.T @ (white @ y))
    return mean.tolist(), variance.tolist(), norm.logpdf(y, mean, variance**0.5).sum()


def scipys(K, noise_std, y):
    factor = cho_factor(noisy(K, noise_std))
    alpha, inverse = cho_solve(factor, y), cho_solve(factor, np.eye(len(y)))
    off = alpha / inverse.diagonal()
    total = sum(-0.5 * np.log(2 * np.pi / p) - 0.5 * e * e * p for e, p in zip(off, np.diag(inverse), strict=True))
    return [y - off, 1 / np.diag(inverse), total]


def eigenvectors(K, noise_std, y):
    values, vectors = np.linalg.eigh(noisy(K, noise_std))
    variance = 1 / (vectors**2 / values).sum(axis=1)
    return scored(y - variance * (vectors @ (vectors.T @ y / values)), variance, y)


def from_the_fit(K, noise_std, y):
    """The fit to all, corrected for how much each answer pulled at its own prediction."""
    smoother = np.linalg.solve(noisy(K, noise_std), K).T
    pull = np.diag(smoother)
    return scored((smoother @ y - pull * y) / (1 - pull), noise_std**2 / (1 - pull), y)


RIGHT = {
    "inverse": right_answer,
    "Cholesky, lists": from_the_factor,
    "scipy": scipys,
    "eigenvectors": eigenvectors,
    "leverage of the smoother": from_the_fit,
}
