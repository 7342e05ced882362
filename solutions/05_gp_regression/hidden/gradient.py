"""Reference of task 5, evidence_gradient."""

import numpy as np

SEED = 505


def log_evidence(C, y):
    """Of a complex symmetric matrix too; constants left out."""
    return -0.5 * (y @ np.linalg.solve(C, y) + np.log(np.linalg.det(C)))


def answer(K, dKs, noise_std, y, h=1e-30):
    slopes = [log_evidence(K + 1j * h * dK + noise_std**2 * np.eye(len(y)), y).imag / h for dK in dKs]
    moved = np.exp(2 * (np.log(noise_std) + 1j * h))
    return np.array([*slopes, log_evidence(K + moved * np.eye(len(y)), y).imag / h])


def way(K, dKs, noise_std, y):
    """α, and the two terms of each parameter."""
    C = K + noise_std**2 * np.eye(len(y))
    dCs = [*dKs, 2 * noise_std**2 * np.eye(len(y))]
    alpha = np.linalg.solve(C, y)
    yield "α = C⁻¹ y", alpha
    yield "αᵀ dC α of each parameter", np.array([alpha @ dC @ alpha for dC in dCs])
    yield "tr(C⁻¹ dC) of each parameter", np.array([np.trace(np.linalg.solve(C, dC)) for dC in dCs])
