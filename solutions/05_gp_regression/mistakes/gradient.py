"""Task 5, evidence_gradient(K, dKs, noise_std, y)."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from .models import noisy


def gradient(
    covariance=noisy,
    of_kernel=lambda fit, trace: 0.5 * (fit - trace),
    of_noise=lambda fit, trace, noise_std: noise_std**2 * (fit - trace),
    trace=lambda inverse, dK: np.trace(inverse @ dK),
    fit=lambda alpha, y, dK: alpha @ dK @ alpha,
):
    """An answer with another part; fit = αᵀ dK α, trace = tr(C⁻¹ dK), for the noise both with the identity for dK."""

    def answer(K, dKs, noise_std, y):
        inverse = np.linalg.inv(covariance(K, noise_std))
        alpha, identity = inverse @ y, np.eye(len(y))
        slopes = [of_kernel(fit(alpha, y, dK), trace(inverse, dK)) for dK in dKs]
        slopes.append(of_noise(fit(alpha, y, identity), trace(inverse, identity), noise_std))
        return np.array(slopes)

    return answer


right_answer = gradient()


def factor_twice(alpha, y, dK):
    return y @ dK @ alpha


def noise_first(*given):
    return np.roll(right_answer(*given), 1)


def sum_over_parameters(K, dKs, noise_std, y):
    return right_answer(K, dKs.sum(axis=0)[None], noise_std, y)


def by_one_sided_differences(K, dKs, noise_std, y, h=1e-4):
    def evidence(C):
        return -0.5 * (y @ np.linalg.solve(C, y) + np.linalg.slogdet(C)[1])

    C, steps = noisy(K, noise_std), [*dKs, 2 * noise_std**2 * np.eye(len(y))]
    return np.array([(evidence(C + h * step) - evidence(C)) / h for step in steps])


UPHILL = "Uphill, or downhill?"

MISTAKES = {
    "not halved": gradient(of_kernel=lambda fit, trace: fit - trace, of_noise=lambda f, t, s: 2 * s**2 * (f - t)),
    "kernel not halved": gradient(of_kernel=lambda fit, trace: fit - trace),
    "trace not halved": gradient(
        of_kernel=lambda fit, trace: 0.5 * fit - trace, of_noise=lambda f, t, s: s**2 * (f - 2 * t)
    ),
    "fit only": gradient(of_kernel=lambda fit, trace: 0.5 * fit, of_noise=lambda f, t, s: s**2 * f),
    "trace only": gradient(of_kernel=lambda fit, trace: -0.5 * trace, of_noise=lambda f, t, s: -(s**2) * t),
    "terms added": gradient(of_kernel=lambda fit, trace: 0.5 * (fit + trace), of_noise=lambda f, t, s: s**2 * (f + t)),
    "sign of the fit": gradient(
        of_kernel=lambda fit, trace: -0.5 * (fit + trace), of_noise=lambda f, t, s: -(s**2) * (f + t)
    ),
    "by σ": gradient(of_noise=lambda f, t, s: s * (f - t)),
    "by log σ²": gradient(of_noise=lambda f, t, s: 0.5 * s**2 * (f - t)),
    "by σ²": gradient(of_noise=lambda f, t, s: 0.5 * (f - t)),
    "log noise squared again": gradient(of_noise=lambda f, t, s: 2 * s**2 * (f - t)),
    "noise as a scalar in dK": gradient(of_noise=lambda f, t, s: 0.5 * s * (f - t)),
    "σ for σ²": gradient(lambda K, s: K + s * np.eye(len(K))),
    "no noise": gradient(lambda K, s: K + 1e-6 * np.eye(len(K))),
    "noise in every entry": gradient(lambda K, s: K + s**2 + 1e-9 * np.eye(len(K))),
    "diagonals only": gradient(trace=lambda inverse, dK: np.diag(inverse) @ np.diag(dK)),
    "product of traces": gradient(trace=lambda inverse, dK: np.trace(inverse) * np.trace(dK)),
    "sum of all entries": gradient(trace=lambda inverse, dK: (inverse @ dK).sum()),
    "trace of dK": gradient(trace=lambda inverse, dK: np.trace(dK)),
    "determinant": gradient(trace=lambda inverse, dK: np.linalg.det(inverse @ dK)),
    "y for α": gradient(fit=lambda alpha, y, dK: y @ dK @ y),
    "α once": gradient(fit=factor_twice),
    "α elementwise": gradient(fit=lambda alpha, y, dK: (alpha**2) @ np.diag(dK)),
}

RULE_MISTAKES = {
    "downhill": (lambda *given: -right_answer(*given), UPHILL),
    "noise first": (noise_first, "Which derivative comes last?"),
    "no derivative by the noise": (lambda *given: right_answer(*given)[:-1], "It has the shape"),
    "parameters added up": (sum_over_parameters, "One number for each parameter"),
    "a column": (lambda *given: right_answer(*given)[:, None], "It has the shape"),
    "one-sided differences": (by_one_sided_differences, "How many digits does a difference"),
}


def by_solves(K, dKs, noise_std, y):
    """No inverse: L⁻¹ dK L⁻ᵀ has the trace that is needed."""
    lower = np.linalg.cholesky(noisy(K, noise_std))
    alpha = np.linalg.solve(lower.T, np.linalg.solve(lower, y))
    slopes = []
    for dK in [*dKs, 2 * noise_std**2 * np.eye(len(y))]:
        half = np.linalg.solve(lower, dK)
        slopes.append(0.5 * (alpha @ dK @ alpha - np.trace(np.linalg.solve(lower, half.T))))
    return slopes


def scipys(K, dKs, noise_std, y):
    factor = cho_factor(noisy(K, noise_std))
    alpha = cho_solve(factor, y)
    inside = np.outer(alpha, alpha) - cho_solve(factor, np.eye(len(y)))
    return tuple([0.5 * (inside * dK).sum() for dK in dKs] + [noise_std**2 * np.trace(inside)])


def einsum(K, dKs, noise_std, y):
    inverse = np.linalg.inv(noisy(K, noise_std))
    alpha = inverse @ y
    steps = np.concatenate([dKs, 2 * noise_std**2 * np.eye(len(y))[None]])
    return 0.5 * (np.einsum("i,pij,j->p", alpha, steps, alpha) - np.einsum("ij,pji->p", inverse, steps))


def complex_step(K, dKs, noise_std, y, h=1e-30):
    """Another algorithm: a step into the complex plane, which loses no digits."""
    slopes = []
    for dK in [*dKs, 2 * noise_std**2 * np.eye(len(y))]:
        C = noisy(K, noise_std) + 1j * h * dK
        sign, size = np.linalg.slogdet(C)
        slopes.append((-0.5 * (y @ np.linalg.solve(C, y) + size + np.log(sign))).imag / h)
    return np.array(slopes)


def eigenvectors(K, dKs, noise_std, y):
    values, vectors = np.linalg.eigh(K)
    precision = 1 / (values + noise_std**2)
    turned = vectors.T @ y * precision
    slopes = []
    for dK in dKs:
        seen = vectors.T @ dK @ vectors
        slopes.append(0.5 * (turned @ seen @ turned - precision @ np.diag(seen)))
    return np.array([*slopes, noise_std**2 * (turned @ turned - precision.sum())])


RIGHT = {
    "inverse": right_answer,
    "solves, a list": by_solves,
    "scipy, a tuple": scipys,
    "einsum": einsum,
    "complex step": complex_step,
    "eigenvectors": eigenvectors,
}
