"""Task 2, posterior(K, noise_std, y, K_cross, prior_variance)."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.stats import multivariate_normal

from .models import LOG_2PI, conditional, log_density, noisy, permuted


def answering(
    covariance=noisy,
    mean=lambda C, y, K_cross: conditional(K_cross, C, y)[0],
    variance=lambda prior, explained, noise_std: prior - explained,
    evidence=lambda square, log_det, n: -0.5 * (square + log_det + n * LOG_2PI),
):
    """An answer with another covariance of y, another mean, another variance or another evidence."""

    def answer(K, noise_std, y, K_cross, prior_variance):
        C = covariance(K, noise_std)
        explained = conditional(K_cross, C, y)[1]
        square, log_det = y @ np.linalg.solve(C, y), np.linalg.slogdet(C)[1]
        return (
            mean(C, y, K_cross),
            variance(prior_variance, explained, noise_std),
            float(evidence(square, log_det, len(y))),
        )

    return answer


right_answer = answering()


def half_solved(C, y, K_cross):
    return K_cross.T @ np.linalg.solve(np.linalg.cholesky(C), y)


def factors_exchanged(C, y, K_cross):
    lower = np.linalg.cholesky(C)
    return K_cross.T @ np.linalg.solve(lower, np.linalg.solve(lower.T, y))


def log_of_the_determinant(K, noise_std, y, K_cross, prior_variance):
    C = noisy(K, noise_std)
    with np.errstate(divide="ignore"):
        log_det = np.log(np.linalg.det(C))
    square = y @ np.linalg.solve(C, y)
    return *right_answer(K, noise_std, y, K_cross, prior_variance)[:2], -0.5 * (square + log_det + len(y) * LOG_2PI)


def prior_variance_of_the_first(K, noise_std, y, K_cross, prior_variance):
    return right_answer(K, noise_std, y, K_cross, np.full(len(prior_variance), K[0, 0]))


def one_variance_for_all(K, noise_std, y, K_cross, prior_variance):
    mean, _, evidence = right_answer(K, noise_std, y, K_cross, prior_variance)
    return mean, prior_variance - K_cross.T @ np.linalg.solve(noisy(K, noise_std), K_cross), evidence


def summed_over_the_new(K, noise_std, y, K_cross, prior_variance):
    mean, _, evidence = right_answer(K, noise_std, y, K_cross, prior_variance)
    explained = (K_cross * np.linalg.solve(noisy(K, noise_std), K_cross)).sum(axis=1)
    return mean, prior_variance - explained, evidence


def divided_by_noise(K, noise_std, y, K_cross, prior_variance):
    return right_answer(K, np.ones(len(y)), y / noise_std, K_cross, prior_variance)


def centred(K, noise_std, y, K_cross, prior_variance, back=0.0):
    mean, variance, evidence = right_answer(K, noise_std, y - y.mean(), K_cross, prior_variance)
    return mean + back * y.mean(), variance, evidence


MISTAKES = {
    "σ for σ²": answering(lambda K, noise_std: K + np.diag(noise_std)),
    # K alone, raised by so little that nothing shows but rounding: without it, that decides what 400 answers give.
    "no noise": answering(lambda K, noise_std: K + 1e-8 * np.eye(len(K))),
    "one noise for all": answering(lambda K, noise_std: noisy(K, np.sqrt(np.mean(noise_std**2)))),
    "mean spread for all": answering(lambda K, noise_std: noisy(K, noise_std.mean())),
    "noise in every entry": answering(lambda K, noise_std: K + noise_std**2),
    "noise shared by all": answering(lambda K, noise_std: K + np.outer(noise_std, noise_std)),
    "precision": answering(lambda K, noise_std: noisy(K, 1 / noise_std)),
    "y centred": centred,
    "y centred, mean added back": lambda *given: centred(*given, back=1.0),
    "answers divided by their noise": divided_by_noise,
    "noise doubled": answering(lambda K, noise_std: noisy(K, 2 * noise_std)),
    "no inverse": answering(mean=lambda C, y, K_cross: K_cross.T @ y),
    "half solved": answering(mean=half_solved),
    "factors exchanged": answering(mean=factors_exchanged),
    "variance of an answer": answering(
        variance=lambda prior, explained, noise_std: prior - explained + np.mean(noise_std**2)
    ),
    "variance of an answer, mean spread": answering(
        variance=lambda prior, explained, noise_std: prior - explained + np.mean(noise_std) ** 2
    ),
    "standard deviation": answering(variance=lambda prior, explained, noise_std: np.sqrt(prior - explained)),
    "prior variance": answering(variance=lambda prior, explained, noise_std: prior),
    "variance added": answering(variance=lambda prior, explained, noise_std: prior + explained),
    "what is explained": answering(variance=lambda prior, explained, noise_std: explained),
    "prior variance of the first input": prior_variance_of_the_first,
    "half the logs of L": answering(evidence=lambda q, d, n: -0.5 * (q + d / 2 + n * LOG_2PI)),
    "twice the logs of L": answering(evidence=lambda q, d, n: -0.5 * (q + 2 * d + n * LOG_2PI)),
    "sign of log det": answering(evidence=lambda q, d, n: -0.5 * (q - d + n * LOG_2PI)),
    "no log det": answering(evidence=lambda q, d, n: -0.5 * (q + n * LOG_2PI)),
    "square not halved": answering(evidence=lambda q, d, n: -q - 0.5 * (d + n * LOG_2PI)),
    "nothing halved": answering(evidence=lambda q, d, n: -(q + d + n * LOG_2PI)),
    "square added": answering(evidence=lambda q, d, n: 0.5 * (q - d - n * LOG_2PI)),
    "no square": answering(evidence=lambda q, d, n: -0.5 * (d + n * LOG_2PI)),
    "2π once": answering(evidence=lambda q, d, n: -0.5 * (q + d + LOG_2PI)),
    "no 2π": answering(evidence=lambda q, d, n: -0.5 * (q + d)),
    "2π not halved": answering(evidence=lambda q, d, n: -0.5 * (q + d) - n * LOG_2PI),
    "cost": answering(evidence=lambda q, d, n: 0.5 * (q + d + n * LOG_2PI)),
    "density": answering(evidence=lambda q, d, n: np.exp(-0.5 * (q + d + n * LOG_2PI))),
    "for one answer": answering(evidence=lambda q, d, n: -0.5 * (q + d + n * LOG_2PI) / n),
}

RULE_MISTAKES = {
    "a matrix for the variances": (one_variance_for_all, "It has the shape"),
    "variance over the wrong axis": (summed_over_the_new, "Which axis of K_cross counts the answers?"),
    "log of the determinant": (log_of_the_determinant, "How small is a product of 400"),
    "jitter": (answering(lambda K, noise_std: noisy(K, noise_std) + 1e-6 * np.eye(len(K))), "what is jitter for?"),
    "variance first": (permuted(1, 0, 2)(right_answer), "Which of the three comes first?"),
    "no evidence": (lambda *given: right_answer(*given)[:2], "3 values are needed"),
}


def cholesky(K, noise_std, y, K_cross, prior_variance):
    lower = np.linalg.cholesky(K + np.diag(noise_std**2))
    white, V = np.linalg.solve(lower, y), np.linalg.solve(lower, K_cross)
    evidence = -0.5 * white @ white - np.log(np.diag(lower)).sum() - len(y) / 2 * LOG_2PI
    return (V.T @ white).tolist(), (prior_variance - (V**2).sum(axis=0)).tolist(), evidence


def scipys(K, noise_std, y, K_cross, prior_variance):
    C = K.copy()
    C[np.diag_indices(len(C))] += noise_std**2
    factor = cho_factor(C, lower=True)
    mean = K_cross.T @ cho_solve(factor, y)
    left = [prior_variance[j] - k @ cho_solve(factor, k) for j, k in enumerate(K_cross.T)]
    return mean, left, multivariate_normal.logpdf(y, cov=C)


def explicit_inverse(K, noise_std, y, K_cross, prior_variance):
    precision = np.linalg.inv(noisy(K, noise_std))
    variance = prior_variance - np.einsum("im,ij,jm->m", K_cross, precision, K_cross)
    return K_cross.T @ precision @ y, variance, log_density(y, noisy(K, noise_std))


def one_after_the_other(K, noise_std, y, K_cross, prior_variance):
    """Another algorithm: learn one answer at a time, and add up how surprising each of them was."""
    n = len(y)
    mean = np.zeros(n + len(prior_variance))
    covariance = np.block([[K, K_cross], [K_cross.T, np.diag(prior_variance)]])
    evidence = 0.0
    for i in range(n):
        spread, surprise = covariance[i, i] + noise_std[i] ** 2, y[i] - mean[i]
        evidence += -0.5 * (surprise**2 / spread + np.log(spread) + LOG_2PI)
        gain = covariance[:, i] / spread
        mean, covariance = mean + gain * surprise, covariance - np.outer(gain, covariance[i])
    return mean[n:], np.diag(covariance)[n:], evidence


def eigenvectors(K, noise_std, y, K_cross, prior_variance):
    values, vectors = np.linalg.eigh(noisy(K, noise_std))
    turned, cross = vectors.T @ y, vectors.T @ K_cross
    evidence = -0.5 * (turned**2 / values + np.log(2 * np.pi * values)).sum()
    return [cross.T @ (turned / values), prior_variance - (cross**2 / values[:, None]).sum(axis=0), evidence]


RIGHT = {
    "solve and slogdet": right_answer,
    "Cholesky, lists": cholesky,
    "scipy": scipys,
    "inverse": explicit_inverse,
    "one after the other": one_after_the_other,
    "eigenvectors": eigenvectors,
}
