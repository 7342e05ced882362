"""Task 5, nugget_evidence(K, noise_std, nugget_std, Y)."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from . import models


def with_nugget(K, noise_std, nugget_std, Y):
    return models.averaged(K + nugget_std**2 * np.eye(len(K)), noise_std, Y)


def nugget(
    covariance=with_nugget,
    average=models.means,
    apart=lambda s, t, Y: models.apart(s, Y),
    slope=lambda fit, trace, t: t**2 * (fit - trace),
    fit=lambda alpha, y: alpha @ alpha,
    trace=lambda inverse, C: np.trace(inverse),
):
    """An answer with another part; `slope` gets αᵀα and tr C⁻¹."""

    def answer(K, noise_std, nugget_std, Y):
        C, y = covariance(K, noise_std, nugget_std, Y), average(Y)
        inverse = np.linalg.inv(C)
        evidence = models.log_density(y, C) + apart(noise_std, nugget_std, Y)
        return evidence, float(slope(fit(inverse @ y, y), trace(inverse, C), nugget_std))

    return answer


right_answer = nugget()


def noise_of_each_answer(K, noise_std, nugget_std, Y):
    """The nugget as noise of the raters, in the covariance of the means."""
    return models.averaged(K, np.hypot(noise_std, nugget_std), Y)


def divided_nugget(K, noise_std, nugget_std, Y):
    """As if averaging made the nugget smaller: divided by R_n, in the evidence and in its slope."""
    R, inverse = models.counts(Y), np.linalg.inv(noise_of_each_answer(K, noise_std, nugget_std, Y))
    slope = nugget_std**2 * (((inverse @ models.means(Y)) ** 2 - np.diag(inverse)) / R).sum()
    return nugget(noise_of_each_answer)(K, noise_std, nugget_std, Y)[0], float(slope)


def noise_with_nugget(K, noise_std, nugget_std, Y):
    """Evidence and slope of another model, in which every answer has a nugget of its own."""
    both, R = np.hypot(noise_std, nugget_std), models.counts(Y)
    C = models.averaged(K, both, Y)
    alpha = np.linalg.solve(C, models.means(Y))
    of_means = (alpha**2 - np.diag(np.linalg.inv(C))) / R
    of_spread = (models.squares(Y) / both**2 - (R - 1)) / both**2
    evidence = models.log_density(models.means(Y), C) + models.apart(both, Y)
    return evidence, float(nugget_std**2 * (of_means + of_spread).sum())


def divided_slope(K, noise_std, nugget_std, Y):
    inverse = np.linalg.inv(with_nugget(K, noise_std, nugget_std, Y))
    alpha = inverse @ models.means(Y)
    per_item = nugget_std**2 * (alpha**2 - np.diag(inverse)) / models.counts(Y)
    return right_answer(K, noise_std, nugget_std, Y)[0], float(per_item.sum())


def whole_derivative(K, noise_std, nugget_std, Y, change):
    """The slope in some other direction of C."""
    inverse = np.linalg.inv(with_nugget(K, noise_std, nugget_std, Y))
    alpha = inverse @ models.means(Y)
    slope = 0.5 * ((np.outer(alpha, alpha) - inverse) * change).sum()
    return right_answer(K, noise_std, nugget_std, Y)[0], float(slope)


def by_the_noise(K, noise_std, nugget_std, Y):
    return whole_derivative(K, noise_std, nugget_std, Y, np.diag(2 * noise_std**2 / models.counts(Y)))


def every_entry(K, noise_std, nugget_std, Y):
    return whole_derivative(K, noise_std, nugget_std, Y, np.full_like(K, 2 * nugget_std**2))


def of_kernel_and_nugget(K, noise_std, nugget_std, Y):
    return whole_derivative(K, noise_std, nugget_std, Y, K + 2 * nugget_std**2 * np.eye(len(K)))


def one_sided(K, noise_std, nugget_std, Y, h=1e-4):
    here, ahead = (right_answer(K, noise_std, t, Y)[0] for t in (nugget_std, nugget_std * np.exp(h)))
    return here, (ahead - here) / h


def missing_as_zeros(K, noise_std, nugget_std, Y):
    return right_answer(K, noise_std, nugget_std, np.nan_to_num(Y))


MISTAKES = {
    "nugget of each answer": nugget(noise_of_each_answer),
    "nugget of each answer, in the slope too": divided_nugget,
    "nugget of each answer, in the spread too": nugget(
        noise_of_each_answer, apart=lambda s, t, Y: models.apart(np.hypot(s, t), Y)
    ),
    "noise with the nugget in it": noise_with_nugget,
    "slope divided by R": divided_slope,
    "nugget in the spread": nugget(apart=lambda s, t, Y: models.apart(np.hypot(s, t), Y)),
    "nugget in every entry": nugget(lambda K, s, t, Y: models.averaged(K + t**2, s, Y)),
    "slope of every entry": every_entry,
    "no nugget": nugget(lambda K, s, t, Y: models.averaged(K, s, Y)),
    "ω for ω²": nugget(lambda K, s, t, Y: models.averaged(K + t * np.eye(len(K)), s, Y)),
    "σ for σ²": nugget(lambda K, s, t, Y: K + np.diag(t**2 + s / models.counts(Y))),
    "by ω": nugget(slope=lambda f, t, s: s * (f - t)),
    "by ω²": nugget(slope=lambda f, t, s: 0.5 * (f - t)),
    "by log ω²": nugget(slope=lambda f, t, s: 0.5 * s**2 * (f - t)),
    "by log ω, of ω": nugget(slope=lambda f, t, s: 0.5 * s * (f - t)),
    "with dC = 2ω I": nugget(slope=lambda f, t, s: s * (f - t) * s**2),
    "not halved": nugget(slope=lambda f, t, s: 2 * s**2 * (f - t)),
    "trace not halved": nugget(slope=lambda f, t, s: s**2 * (f - 2 * t)),
    "fit not halved": nugget(slope=lambda f, t, s: s**2 * (2 * f - t)),
    "downhill": lambda *given: (right_answer(*given)[0], -right_answer(*given)[1]),
    "cost": lambda *given: tuple(-part for part in right_answer(*given)),
    "fit only": nugget(slope=lambda f, t, s: s**2 * f),
    "trace only": nugget(slope=lambda f, t, s: -(s**2) * t),
    "terms added": nugget(slope=lambda f, t, s: s**2 * (f + t)),
    "trace of C": nugget(trace=lambda inverse, C: np.trace(C)),
    "inverse of the trace": nugget(trace=lambda inverse, C: 1 / np.trace(C)),
    "inverse of the diagonal": nugget(trace=lambda inverse, C: (1 / np.diag(C)).sum()),
    "sum of all entries": nugget(trace=lambda inverse, C: inverse.sum()),
    "determinant": nugget(trace=lambda inverse, C: np.linalg.det(inverse)),
    "log determinant": nugget(trace=lambda inverse, C: np.linalg.slogdet(C)[1]),
    "ȳ for α": nugget(fit=lambda alpha, y: y @ y),
    "α once": nugget(fit=lambda alpha, y: alpha @ y),
    "of the noise": by_the_noise,
    "of the kernel too": of_kernel_and_nugget,
    "average only": nugget(apart=lambda s, t, Y: 0.0),
    "no log R": nugget(apart=lambda s, t, Y: models.apart(s, Y) + 0.5 * np.log(models.counts(Y)).sum()),
    "σ² of one answer": nugget(lambda K, s, t, Y: K + (s**2 + t**2) * np.eye(len(K))),
    "σ²/R with all columns": nugget(lambda K, s, t, Y: K + (s**2 / Y.shape[1] + t**2) * np.eye(len(K))),
    "NaN as 0": missing_as_zeros,
    "NaN as 0 in the mean": nugget(average=models.means_with_zeros),
    "slope first": models.permuted(1, 0)(right_answer),
}

RULE_MISTAKES = {
    "one-sided differences": (one_sided, "How many digits does a difference"),
    "evidence only": (lambda *given: right_answer(*given)[0], "2 values are needed"),
}


def cholesky(K, noise_std, nugget_std, Y):
    lower = np.linalg.cholesky(with_nugget(K, noise_std, nugget_std, Y))
    root = np.linalg.solve(lower, np.eye(len(K)))
    white = root @ np.nanmean(Y, axis=1)
    evidence = -0.5 * white @ white - np.log(np.diag(lower)).sum() - 0.5 * len(K) * models.LOG_2PI
    slope = nugget_std**2 * (((root.T @ white) ** 2).sum() - (root**2).sum())
    return [evidence + models.apart(noise_std, Y), slope]


def all_answers(K, noise_std, nugget_std, Y):
    """One row for every answer; what the nugget changes is shared by the answers to one item."""
    y, items, C = models.dense(K + nugget_std**2 * np.eye(len(K)), noise_std, Y)
    change, factor = 2 * nugget_std**2 * np.equal.outer(items, items), cho_factor(C)
    alpha = cho_solve(factor, y)
    slope = (alpha @ change @ alpha - np.trace(cho_solve(factor, change))) / 2
    return models.log_density(y, C), slope


def complex_step(K, noise_std, nugget_std, Y, h=1e-30):
    """Another algorithm: a step into the complex plane, which loses no digits."""
    C = with_nugget(K, noise_std, 0.0, Y) + np.exp(2 * (np.log(nugget_std) + 1j * h)) * np.eye(len(K))
    y, (sign, size) = models.means(Y), np.linalg.slogdet(C)
    moved = -0.5 * (y @ np.linalg.solve(C, y) + size + np.log(sign))
    return moved.real - 0.5 * len(y) * models.LOG_2PI + models.apart(noise_std, Y), moved.imag / h


def trace_of_a_product(K, noise_std, nugget_std, Y):
    C, y = with_nugget(K, noise_std, nugget_std, Y), models.means(Y)
    alpha = np.linalg.solve(C, y)
    change = 2 * nugget_std**2 * np.eye(len(K))
    slope = 0.5 * np.trace((np.outer(alpha, alpha) - np.linalg.inv(C)) @ change)
    return np.float64(models.log_density(y, C) + models.apart(noise_std, Y)), slope


def by_richardson(K, noise_std, nugget_std, Y, h=1e-2):
    """Differences too, but three of them, extrapolated: eleven digits."""

    def height(step):
        return models.one_after_the_other(K + nugget_std**2 * np.exp(2 * step) * np.eye(len(K)), noise_std, Y)[2]

    def quotient(step):
        return (height(step) - height(-step)) / (2 * step)

    rows = [[quotient(h / 2**k) for k in range(4)]]
    for order in range(1, 4):
        rows.append([(4**order * b - a) / (4**order - 1) for a, b in zip(rows[-1], rows[-1][1:], strict=False)])
    return height(0.0), rows[-1][0]


RIGHT = {
    "inverse": right_answer,
    "Cholesky, a list": cholesky,
    "all answers": all_answers,
    "complex step": complex_step,
    "trace of a product": trace_of_a_product,
    "extrapolated differences": by_richardson,
}
