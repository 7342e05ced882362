"""Reference of task 5, nugget_evidence."""

import numpy as np

SEED = 805


def log_evidence(K, noise_std, omega, Y):
    """Of all answers; of a complex ω too."""
    items, raters = np.where(np.isfinite(Y))
    y, same = Y[items, raters], np.equal.outer(items, items)
    C = K[np.ix_(items, items)] + omega**2 * same + noise_std**2 * np.eye(len(y))
    sign, size = np.linalg.slogdet(C)
    return -0.5 * (y @ np.linalg.solve(C, y) + size + np.log(sign) + len(y) * np.log(2 * np.pi))


def answer(K, noise_std, nugget_std, Y, h=1e-30):
    moved = log_evidence(K, noise_std, nugget_std * np.exp(1j * h), Y)
    return float(moved.real), float(moved.imag / h)


def way(K, noise_std, nugget_std, Y):
    if len(K) > 2:
        return
    R = np.isfinite(Y).sum(axis=1)
    C = K + np.diag(nugget_std**2 + noise_std**2 / R)
    alpha = np.linalg.solve(C, np.nanmean(Y, axis=1))
    yield "R_n", R
    yield "C", C
    yield "α", alpha
    yield "αᵀα", float(alpha @ alpha)
    yield "tr C⁻¹", float(np.trace(np.linalg.inv(C)))
