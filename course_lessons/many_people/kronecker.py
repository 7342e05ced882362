"""Everybody answered everything: K_items ⊗ K_people, and two small eigen-decompositions in place of a large Cholesky.

Lecture: 11, section 9.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from course_lib import validation


class KroneckerFit(NamedTuple):
    """Exact inference for a complete table of Gaussian answers.

    log_evidence : log p(Y);  mean, std : (n, P) of the latent values
    weights : (n, P) α; elsewhere the mean is K_items(new, items) α K_people(people, new)
    """

    log_evidence: float
    mean: np.ndarray
    std: np.ndarray
    weights: np.ndarray


def kronecker_regression(K_items: ArrayLike, K_people: ArrayLike, Y: ArrayLike, noise_std: float) -> KroneckerFit:
    """Y = F + noise, with vec F ~ N(0, K_items ⊗ K_people): cost n³ + P³, not (nP)³.

    K_items : (n, n) covariance of items, or of differences of items (M K Mᵀ)
    K_people : (P, P) covariance of people
    Y : (n, P) answers, none missing;  noise_std : σ > 0

    Source: Nielsen (2015), eq. 2.23 (items first, as in Nielsen et al., 2011); Bonilla et al. (2008).
    """
    K_items, K_people = validation.square(K_items, "K_items"), validation.square(K_people, "K_people")
    Y, noise_std = validation.real_array(Y, "Y"), validation.positive(noise_std, "noise_std")
    if Y.shape != (len(K_items), len(K_people)):
        raise ValueError(
            f"Y has shape {Y.shape}; ({len(K_items)}, {len(K_people)}) is needed, items by people (K_items, K_people)."
        )
    (a, Q), (b, R) = _eigen(K_items, "K_items"), _eigen(K_people, "K_people")
    signal = np.outer(a, b)
    total = signal + noise_std**2
    turned = Q.T @ Y @ R
    weights = Q @ (turned / total) @ R.T
    variance = Q**2 @ (signal * noise_std**2 / total) @ (R**2).T
    log_evidence = -0.5 * float((turned**2 / total + np.log(2.0 * np.pi * total)).sum())
    return KroneckerFit(log_evidence, K_items @ weights @ K_people, np.sqrt(variance), weights)


def _eigen(K, name):
    """Eigenvalues, none below 0, and eigenvectors."""
    if not np.allclose(K, K.T):
        raise ValueError(f"{name} is not symmetric (shape {K.shape}); a symmetric matrix is needed.")
    values, vectors = np.linalg.eigh(K)
    if values[0] < -1e-8 * values[-1]:
        raise ValueError(f"{name} has the eigenvalue {values[0]:.3g}; a covariance matrix has none below 0.")
    return np.maximum(values, 0.0), vectors
