"""Kernels and Gaussian posteriors with fifty digits, for matrices of some dozens of rows: what doubles are judged by.

Python's `decimal` in NumPy's arrays of objects. No formula here is chosen for its stability: fifty digits forgive all.
"""

from decimal import Context, Decimal, localcontext
from functools import wraps

import numpy as np

from course_lib import gp

DIGITS = 50
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
NOTHING = Decimal(-700)  # an exponent below which a covariance is 0


def fifty(function):
    """The function, computed with fifty digits."""

    @wraps(function)
    def precisely(*arguments):
        with localcontext(Context(prec=DIGITS)):
            return function(*arguments)

    return precisely


def exact(array):
    """An array of doubles as the numbers that they are; decimals stay."""
    array = np.asarray(array)
    return array if array.dtype == object else np.vectorize(Decimal, otypes=[object])(array.astype(float))


def doubles(array):
    """An array of decimals, rounded."""
    return np.asarray(array, dtype=float)


def _each(function):
    return np.vectorize(function, otypes=[object])


_exp = _each(lambda x: x.exp() if x > NOTHING else Decimal(0))
log, _root = _each(lambda x: x.ln()), _each(lambda x: x.sqrt())


@_each
def _sine_squared(t):
    """sin²(π t), by the series of the sine on a quarter of a turn."""
    angle = PI * (t - t.to_integral_value())
    term = total = angle
    for k in range(2, 60, 2):
        term *= -angle * angle / (k * (k + 1))
        total += term
    return total * total


@fifty
def solve(M, B):
    """(M⁻¹ B, log |det M|) by elimination with pivots; M (n, n) and B (n, q) decimals."""
    n, M = len(M), np.concatenate([M, B], axis=1)
    log_det = Decimal(0)
    for j in range(n):
        pivot = j + int(np.argmax(np.abs(M[j:, j])))
        M[[j, pivot]] = M[[pivot, j]]
        log_det += abs(M[j, j]).ln()
        M[j] = M[j] / M[j, j]
        others = np.arange(n) != j
        M[others, j:] -= np.multiply.outer(M[others, j], M[j, j:])
    return M[:, n:], log_det


class Posterior:
    """f ~ N(0, K) with a Gaussian site exp(ν_k g_k − ½ τ_k g_k²) on each view g = A f; τ of any sign.

    Parameters
    ----------
    K : (n, n) decimals;  A : (m, n) of −1, 0, 1;  tau, nu : (m,) doubles or decimals

    mean (n,), covariance (n, n), log_determinant log|I + K AᵀTA|, quadratic meanᵀ K⁻¹ mean; all decimals.
    """

    @fifty
    def __init__(self, K, A, tau, nu):
        tau, nu = exact(tau), exact(nu)
        views, of = np.unique(A, axis=0, return_inverse=True)
        rows = np.arange(len(views))[:, None] == of.ravel()  # which answers are to which view
        t, s = rows.astype(int) @ tau, rows.astype(int) @ nu
        views = exact(views)
        seen = views @ K
        M = t[:, None] * (seen @ views.T) + exact(np.eye(len(views)))
        found, self.log_determinant = solve(M, np.column_stack([s, t[:, None] * seen]))
        weights, taken = found[:, 0], found[:, 1:]
        self.mean = seen.T @ weights
        self.covariance = K - seen.T @ taken
        self.quadratic = weights @ (views @ self.mean)


@fifty
def of_views(A, posterior):
    """Means and variances (m,) of A f."""
    A = exact(A)
    return A @ posterior.mean, ((A @ posterior.covariance) * A).sum(axis=1)


@fifty
def covariance(kernel, X, Z=None):
    """(n, m) covariances of a kernel: of the items X (n, D) if Z is None, else those with other items Z (m, D)."""
    same = np.eye(len(X), dtype=int) if Z is None else 0
    return _covariance(kernel, exact(X), exact(X if Z is None else Z), same)


def _covariance(kernel, X, Z, same):
    return FORMULAS[type(kernel)](kernel, X, Z, same)


def _gaps(kernel, X, Z):
    """(n, m, D) x − z in lengthscales."""
    return (X[:, None, :] - Z) / exact(np.broadcast_to(kernel.lengthscale, X.shape[1]))


def _distance(kernel, X, Z):
    return (_gaps(kernel, X, Z) ** 2).sum(axis=2)


def _number(value):
    return Decimal(float(value))


def _squared_exponential(kernel, X, Z, same):
    return _number(kernel.variance) * _exp(-_distance(kernel, X, Z) / 2)


def _matern32(kernel, X, Z, same):
    t = _root(3 * _distance(kernel, X, Z))
    return _number(kernel.variance) * (1 + t) * _exp(-t)


def _periodic(kernel, X, Z, same):
    waves = _sine_squared((X[:, None, :] - Z) / _number(kernel.period)).sum(axis=2)
    return _number(kernel.variance) * _exp(-2 * waves / _number(kernel.lengthscale) ** 2)


def _linear(kernel, X, Z, same):
    return (X * exact(np.broadcast_to(kernel.variance, X.shape[1]))) @ Z.T


def _constant(kernel, X, Z, same):
    return np.full((len(X), len(Z)), _number(kernel.variance))


def _white(kernel, X, Z, same):
    return _constant(kernel, X, Z, same) * same


def _sum(kernel, X, Z, same):
    return sum(_covariance(child, X, Z, same) for child in kernel.children)


def _product(kernel, X, Z, same):
    total = _covariance(kernel.children[0], X, Z, same)
    for child in kernel.children[1:]:
        total = total * _covariance(child, X, Z, same)
    return total


def _on_columns(kernel, X, Z, same):
    return _covariance(kernel.children[0], X[:, kernel.columns], Z[:, kernel.columns], same)


FORMULAS = {
    gp.SquaredExponential: _squared_exponential,
    gp.Matern32: _matern32,
    gp.Periodic: _periodic,
    gp.Linear: _linear,
    gp.Constant: _constant,
    gp.White: _white,
    gp.Sum: _sum,
    gp.Product: _product,
    gp.OnColumns: _on_columns,
}
