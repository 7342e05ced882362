"""Covariances of Gaussians: the shape of each type, factorisation, and the floor of variances.

Lecture: 02, sections 2 and 5; 03, section 6.
"""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from course_lib import validation
from course_lib.sequences import checks

COVARIANCE_TYPES = ("full", "tied", "diag", "spherical")
FLOOR_FRACTION = 1e-6  # of the variances at the start of training


class Mixture(NamedTuple):
    """The parameters θ of a mixture of K Gaussians.

    weights : (K,) π, sum to one;  means : (K, D) μ
    covariances : (K, D, D) "full", (D, D) "tied", (K, D) "diag", (K,) "spherical"
    """

    weights: np.ndarray
    means: np.ndarray
    covariances: np.ndarray


def checked_mixture(mixture, covariance_type, components, D, name="{}_"):
    """The mixture as arrays of floats that fit together, for (K,) components, or (N, M) of N states.

    name : what an error calls the part {}
    """
    shapes = components, (*components, D), covariance_shape(covariance_type, D, *components)
    parts = zip(mixture, Mixture._fields, shapes, strict=True)
    found = Mixture(*(validation.matrix(part, name.format(field), shape) for part, field, shape in parts))
    checks.probabilities(found.weights, name.format("weights"), components)
    return found


def has_products(covariance_type):
    """Whether the type needs the products of different features."""
    return covariance_type in ("full", "tied")


def covariance_shape(covariance_type, D, *components):
    """Shape of the covariances of so many components, such as K, or N states of M."""
    return {
        "full": (*components, D, D),
        "tied": (D, D),
        "diag": (*components, D),
        "spherical": components,
    }[covariance_type]


def free_covariances(covariance_type, D, K):
    """Number of free parameters of K covariances of D features."""
    matrix = D * (D + 1) // 2
    return {"full": K * matrix, "tied": matrix, "diag": K * D, "spherical": K}[covariance_type]


def feature_variances(covariances, covariance_type, K, D):
    """(K, D) variance of each feature in each component."""
    if has_products(covariance_type):
        covariances = np.einsum("...dd->...d", covariances)
    return np.broadcast_to(covariances if covariance_type == "tied" else covariances.reshape(K, -1), (K, D))


def as_matrices(covariances, covariance_type, K, D):
    """(K, D, D) covariance matrices from the shape of the covariance type."""
    if covariance_type == "full":
        return covariances
    if covariance_type == "tied":
        return np.broadcast_to(covariances, (K, D, D))
    return np.broadcast_to(covariances.reshape(K, -1), (K, D))[:, :, None] * np.eye(D)


def cholesky(covariance, name="covariance"):
    """Lower triangular L with Σ = L Lᵀ.

    L_dd² is what remains of feature d's variance when the features before it are known. If no more remains than
    rounding leaves, Σ is singular.

    Raises ValueError where Σ is not symmetric, or not positive definite: then no density exists.
    """
    if not np.allclose(covariance, covariance.T, rtol=1e-8, atol=1e-12 * np.abs(covariance).max()):
        i, j = np.unravel_index(np.abs(covariance - covariance.T).argmax(), covariance.shape)
        raise ValueError(
            f"{name} is not symmetric: [{i}, {j}] is {covariance[i, j]:g}, [{j}, {i}] is {covariance[j, i]:g}."
        )
    try:
        L = np.linalg.cholesky(covariance)
        singular = (np.diag(L) ** 2 <= 1e-12 * np.diag(covariance)).any()
    except np.linalg.LinAlgError:
        singular = True
    if singular:
        values = np.linalg.eigvalsh(covariance)
        least = "0, up to rounding" if abs(values[0]) <= 1e-10 * values[-1] else f"{values[0]:.3g}"
        raise ValueError(
            f"{name} is not positive definite: its smallest eigenvalue is {least}. A direction has no "
            "variance, as with fewer points than dimensions or features that depend on each other. Set min_variance "
            "or a prior."
        )
    return L


def precisions(matrices):
    """(K, D, D) inverses of covariance matrices by Cholesky, and their log determinants (K,)."""
    inverses, log_det, unit = np.empty_like(matrices), np.empty(len(matrices)), np.eye(matrices.shape[1])
    for k, matrix in enumerate(matrices):
        L = cholesky(matrix, f"covariances[{k}]")
        L_inverse = solve_triangular(L, unit, lower=True, check_finite=False)
        inverses[k], log_det[k] = L_inverse.T @ L_inverse, 2 * np.log(np.diag(L)).sum()
    return inverses, log_det


def raised_to_floor(covariances, covariance_type, min_variance):
    """Covariances of any type with no eigenvalue below min_variance, a number or (D,); see `estimate`."""
    if covariance_type == "full":
        return np.stack([_raise_eigenvalues(matrix, min_variance) for matrix in covariances])
    if covariance_type == "tied":
        return _raise_eigenvalues(covariances, min_variance)
    return np.maximum(covariances, np.mean(min_variance) if covariance_type == "spherical" else min_variance)


def _raise_eigenvalues(matrix, min_variance):
    """The symmetric matrix with its eigenvalues raised to min_variance where they are smaller.

    With a floor for each feature, these are counted in units in which all floors are 1.
    """
    each = np.ndim(min_variance) == 1
    unit, least = (np.outer(*2 * [np.sqrt(min_variance)]), 1.0) if each else (1.0, min_variance)
    values, vectors = np.linalg.eigh(matrix / unit)
    if values[0] >= least:
        return matrix
    return (vectors * np.maximum(values, least)) @ vectors.T * unit


def variance_floor(min_variance, weights, covariances, covariance_type, X):
    """What `min_variance` means for these data and the components with which training starts: a number, or (D,).

    "auto" is a millionth of each feature's variance within the components, on average by their weights, so that it
    follows the unit of the data. Where that is 0, the variance of the data counts, or the square of a feature that is
    the same everywhere.
    """
    given = checked_floor(min_variance)
    if np.ndim(given) == 1 and given.shape != X.shape[1:]:
        raise ValueError(f"min_variance has shape {given.shape}; {X.shape[1:]} is needed, one for each feature.")
    if not isinstance(given, str):
        return given
    size, K = np.abs(X).max(axis=0), len(weights)
    floor = weights / weights.sum() @ feature_variances(covariances, covariance_type, K, X.shape[1])
    for instead in (X.var(axis=0), size**2, 1.0):
        floor = np.where(floor > rounding(size), floor, instead)
    return FLOOR_FRACTION * floor


def rounding(size):
    """Variance of a feature as large as `size` of which rounding leaves no more than two or three digits."""
    return (1e-13 * size) ** 2


def checked_floor(min_variance):
    """ "auto", a float, or an array of one floor for each feature."""
    if isinstance(min_variance, str) and min_variance == "auto":
        return min_variance
    if (
        np.ndim(validation.array(min_variance, "min_variance")) == 1
        and (validation.real_array(min_variance, "min_variance") > 0).all()
    ):
        return validation.real_array(min_variance, "min_variance")
    try:
        return validation.not_negative(min_variance, "min_variance")
    except ValueError:
        raise ValueError(
            f'min_variance is {min_variance!r}; "auto" or a finite number, 0 or more, is needed, or one above 0 for '
            "each feature."
        ) from None


def check_not_collapsed(mixture, covariance_type, min_variance):
    """Raise ValueError if the density of a component cannot be computed.

    A variance must be above what `rounding` leaves of it. And where features depend on each other, a direction has no
    more variance than rounding leaves of theirs.

    min_variance : as the error names it
    """
    variances, least, size = mixture.covariances, np.ones(1), np.abs(mixture.means).max(axis=0)
    if has_products(covariance_type):
        variances = np.einsum("...dd->...d", variances)
        unit = np.sqrt(np.maximum(variances, np.finfo(float).tiny))
        least = np.linalg.eigvalsh(mixture.covariances / (unit[..., :, None] * unit[..., None, :]))[..., 0]
    elif covariance_type == "spherical":
        variances, size = variances[:, None], np.sqrt((size**2).mean())
    narrow = np.atleast_1d((variances <= rounding(size)).any(axis=-1) | (least <= 1e-12))
    if narrow.any():
        raise ValueError(
            f"component {int(narrow.argmax())} has collapsed (components are counted from 0): in one direction it has "
            "no more variance than rounding leaves, and its likelihood would grow without bound. The data may also "
            f"have dependent features. Set a larger min_variance (now {min_variance}) or a prior, or take fewer "
            "components."
        )


def warn_if_at_floor(mixture, covariance_type, floor, X, stacklevel):
    """UserWarning if no component has more variance than the floor in any feature that varies in the data."""
    K, D = mixture.means.shape
    floor = np.full(D, np.mean(floor)) if covariance_type == "spherical" else np.broadcast_to(floor, D)
    held = feature_variances(mixture.covariances, covariance_type, K, D) <= floor * (1 + 1e-6)
    if not held.all(axis=0).any():
        return
    varies = X.var(axis=0) > rounding(np.abs(X).max(axis=0))
    if varies.any() and held[:, varies].all():
        d = int(varies.argmax())
        warnings.warn(
            f"min_variance holds every variance of every component: feature {d} at {floor[d]:.3g}, while that of the "
            f"data is {X[:, d].var():.3g}. The data may ask for less; give a smaller min_variance, in squared units "
            "of the data.",
            UserWarning,
            stacklevel=stacklevel,
        )
