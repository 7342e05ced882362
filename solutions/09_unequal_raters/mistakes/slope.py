"""Task 2, noise_slope(y, mean, covariance, noise_std)."""

import numpy as np
from scipy.stats import norm


def slope(
    spread=lambda off, v: off**2 + v,
    total=lambda squares, s: (squares / s**2 - 1).sum(),
    variances=np.diag,
):
    """An answer with another square for each answer, another sum over them, or other variances."""

    def answer(y, mean, covariance, noise_std):
        given = ~np.isnan(y)
        squares = spread((y - mean)[given], variances(covariance)[given])
        return float(total(squares, noise_std))

    return answer


right_answer = slope()


def all_rows(y, mean, covariance, noise_std):
    """An item without an answer counts as if its answer were where the mean is."""
    squares = np.nan_to_num(y - mean) ** 2 + np.diag(covariance)
    return float((squares / noise_std**2 - 1).sum())


def counts_all_rows(y, mean, covariance, noise_std):
    squares = (y - mean) ** 2 + np.diag(covariance)
    return float(np.nansum(squares) / noise_std**2 - len(y))


def gaps_as_zero(y, mean, covariance, noise_std):
    return right_answer(np.nan_to_num(y), mean, covariance, noise_std)


def gaps_spoil(y, mean, covariance, noise_std):
    return float((((y - mean) ** 2 + np.diag(covariance)) / noise_std**2 - 1).sum())


def zeros_are_gaps(y, mean, covariance, noise_std):
    return right_answer(np.where(y == 0, np.nan, y), mean, covariance, noise_std)


def variances_out_of_step(y, mean, covariance, noise_std):
    """The first variances, whichever items were answered."""
    given = ~np.isnan(y)
    return float((((y - mean)[given] ** 2 + np.diag(covariance)[: given.sum()]) / noise_std**2 - 1).sum())


def square_of_the_sum(y, mean, covariance, noise_std, spread=np.trace):
    given = ~np.isnan(y)
    square = (y - mean)[given].sum() ** 2 + spread(covariance[np.ix_(given, given)])
    return float(square / noise_std**2 - given.sum())


def whole_block(y, mean, covariance, noise_std):
    given = ~np.isnan(y)
    squares = ((y - mean)[given] ** 2).sum() + covariance[np.ix_(given, given)].sum()
    return float(squares / noise_std**2 - given.sum())


def for_each_answer(y, mean, covariance, noise_std):
    given = ~np.isnan(y)
    return (((y - mean)[given] ** 2 + np.diag(covariance)[given]) / noise_std**2 - 1).tolist()


UPHILL = "Uphill, or downhill?"

MISTAKES = {
    "V forgotten": slope(lambda off, v: off**2),
    "V subtracted": slope(lambda off, v: off**2 - v),
    "V added to the noise": lambda y, m, V, s: float(np.nansum((y - m) ** 2 / (s**2 + np.diag(V)) - 1)),
    "V once": slope(variances=lambda V: np.diag(V) / np.diag(V).size),
    "V squared": slope(lambda off, v: off**2 + v**2),
    "V rooted": slope(lambda off, v: off**2 + np.sqrt(v)),
    "off and spread added first": slope(lambda off, v: (off + np.sqrt(v)) ** 2),
    "rows of V": slope(variances=lambda V: V.sum(axis=1)),
    "whole block": whole_block,
    "precision": slope(variances=lambda V: 1 / np.diag(V)),
    "variances out of step": variances_out_of_step,
    "by σ": slope(total=lambda q, s: (q / s**2 - 1).sum() / s),
    "by σ²": slope(total=lambda q, s: (q / s**2 - 1).sum() / (2 * s**2)),
    "by log σ²": slope(total=lambda q, s: 0.5 * (q / s**2 - 1).sum()),
    "doubled": slope(total=lambda q, s: 2 * (q / s**2 - 1).sum()),
    "times σ": slope(total=lambda q, s: s * (q / s**2 - 1).sum()),
    "times σ²": slope(total=lambda q, s: (q - s**2).sum()),
    "fit only": slope(total=lambda q, s: (q / s**2).sum()),
    "one once": slope(total=lambda q, s: (q / s**2).sum() - 1),
    "plus one": slope(total=lambda q, s: (q / s**2 + 1).sum()),
    "minus log": slope(total=lambda q, s: (q / s**2).sum() - len(q) * np.log(s)),
    "minus σ": slope(total=lambda q, s: (q / s**2 - s).sum()),
    "all rows": all_rows,
    "counts all rows": counts_all_rows,
    "gaps as 0": gaps_as_zero,
    "zeros are gaps": zeros_are_gaps,
    "σ for σ²": slope(total=lambda q, s: (q / s - 1).sum()),
    "σ⁴": slope(total=lambda q, s: (q / s**4 - 1).sum()),
    "not squared": slope(lambda off, v: off + v),
    "absolute": slope(lambda off, v: np.abs(off) + v),
    "from 0": lambda y, m, V, s: right_answer(y, 0 * m, V, s),
    "square of the sum": square_of_the_sum,
    "square of the sum, whole block": lambda *given: square_of_the_sum(*given, spread=np.sum),
    "mean over the answers": slope(total=lambda q, s: (q / s**2 - 1).mean()),
    "fixed point": slope(total=lambda q, s: np.sqrt(q.mean())),
}

RULE_MISTAKES = {
    "downhill": (slope(total=lambda q, s: (1 - q / s**2).sum()), UPHILL),
    "gaps spoil": (gaps_spoil, "One NaN in a sum"),
    "for each answer": (for_each_answer, "one number is needed"),
}


def loops(y, mean, covariance, noise_std):
    total = 0.0
    for i, answer in enumerate(y):
        if not np.isnan(answer):
            total += ((answer - mean[i]) ** 2 + covariance[i, i]) / noise_std**2 - 1
    return total


def with_nansum(y, mean, covariance, noise_std):
    return np.nansum(((y - mean) ** 2 + np.diagonal(covariance)) / noise_std**2 - 1)


def as_traces(y, mean, covariance, noise_std):
    given = ~np.isnan(y)
    off, block = (y - mean)[given], covariance[given][:, given]
    return (off @ off + np.trace(block)) / noise_std**2 - len(off)


def expected_slope(y, mean, covariance, noise_std):
    """Another algorithm: the slope of log p(y | z), averaged over the posterior of z by quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(9)
    total = 0.0
    for i in np.flatnonzero(~np.isnan(y)):
        z = mean[i] + np.sqrt(covariance[i, i]) * nodes
        total += weights @ (((y[i] - z) / noise_std) ** 2 - 1) / weights.sum()
    return total


def by_complex_step(y, mean, covariance, noise_std, h=1e-30):
    """Fisher's identity, the derivative by a step into the complex plane."""
    given = ~np.isnan(y)
    s = np.exp(np.log(noise_std) + 1j * h)
    squares = (y - mean)[given] ** 2 + np.diag(covariance)[given]
    return ((-0.5 * squares / s**2 - np.log(s)).sum()).imag / h


def with_scipy(y, mean, covariance, noise_std):
    """The second moment of y − z from its distribution."""
    given = ~np.isnan(y)
    off = norm((y - mean)[given], np.sqrt(np.diag(covariance)[given]))
    return (off.moment(2) / noise_std**2).sum() - given.sum()


RIGHT = {
    "diagonal": right_answer,
    "loops": loops,
    "nansum": with_nansum,
    "traces": as_traces,
    "quadrature": expected_slope,
    "complex step": by_complex_step,
    "scipy": with_scipy,
}
