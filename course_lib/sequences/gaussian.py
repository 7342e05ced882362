"""Gaussian densities: evaluating, estimating and sampling them, and the ellipse that shows one.

Lecture: 02, sections 2–4 and 7.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import solve_triangular

from course_lib import validation
from course_lib.kinds import Rng
from course_lib.sequences import checks
from course_lib.sequences import sufficient_statistics as sufficient
from course_lib.sequences.covariances import COVARIANCE_TYPES, as_matrices, cholesky
from course_lib.sequences.sufficient_statistics import NormalInverseWishart, estimate


@dataclass(frozen=True, eq=False)
class Gaussian:
    """N(μ, Σ) in D dimensions.

    mean : (D,)
    covariance : (D, D), symmetric and positive definite, in squared units of the data

    Source: TTIC 31110 slides (2020), "Gaussian (normal) distributions".
    """

    mean: np.ndarray
    covariance: np.ndarray

    def __post_init__(self):
        mean = np.atleast_1d(validation.real_array(self.mean, "mean"))
        covariance = np.atleast_2d(validation.real_array(self.covariance, "covariance"))
        if mean.ndim != 1 or covariance.shape != (len(mean), len(mean)):
            raise ValueError(
                f"mean has shape {mean.shape} and covariance {covariance.shape}; (D,) and (D, D) are needed."
            )
        cholesky(covariance)
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "covariance", covariance)

    def log_density(self, X: ArrayLike) -> NDArray:
        """log N(x_n | μ, Σ) of each row of X, (N,); see `log_density`."""
        return log_density(X, self.mean, self.covariance)

    def sample(self, n: int, rng: Rng) -> NDArray:
        """(n, D) random draws μ + L z, with Σ = L Lᵀ and z standard normal."""
        z = validation.generator(rng).normal(size=(validation.integer(n, "n"), len(self.mean)))
        return self.mean + z @ cholesky(self.covariance).T

    def ellipse(self, n_std: float = 2.0) -> NDArray:
        """(100, 2) closed curve of the points at n_std standard deviations from the mean; D must be 2."""
        if len(self.mean) != 2:
            raise ValueError(f"the Gaussian has {len(self.mean)} dimensions; an ellipse needs 2.")
        angle = np.linspace(0, 2 * np.pi, 100)
        circle = np.column_stack([np.cos(angle), np.sin(angle)])
        return self.mean + validation.positive(n_std, "n_std") * circle @ cholesky(self.covariance).T


def log_density(X: ArrayLike, mean: ArrayLike, covariance: ArrayLike) -> NDArray:
    """Logarithm of the Gaussian density: −½ (D log 2π + log |Σ| + (x − μ)ᵀ Σ⁻¹ (x − μ)).

    With Σ = L Lᵀ the quadratic form is ‖L⁻¹(x − μ)‖², and log |Σ| is 2 Σ_d log L_dd: no inverse, no determinant.

    X : (N, D) or (N,) for one dimension;  mean : (D,); covariance : (D, D)
    Returns (N,) natural logarithms; they may be positive, because a density is not a probability.

    Source: TTIC 31110 slides (2020), ln p(X | μ, Σ).
    """
    X, mean = validation.sequence(X, "X"), np.atleast_1d(validation.real_array(mean, "mean"))
    covariance = np.atleast_2d(validation.real_array(covariance, "covariance"))
    if X.shape[1:] != mean.shape:
        raise ValueError(f"X has {X.shape[1]} features (shape {X.shape}), but mean has shape {mean.shape}.")
    if covariance.shape != (len(mean), len(mean)):
        raise ValueError(f"mean has shape {mean.shape} and covariance {covariance.shape}; (D,) and (D, D) are needed.")
    L = cholesky(covariance)
    z = solve_triangular(L, (X - mean).T, lower=True, check_finite=False)
    return -0.5 * (len(mean) * np.log(2 * np.pi) + (z**2).sum(axis=0)) - np.log(np.diag(L)).sum()


def fit_gaussian(
    X: ArrayLike,
    covariance_type: str = "full",
    unbiased: bool = False,
    min_variance: float = 0.0,
    prior: NormalInverseWishart | None = None,
) -> Gaussian:
    """The maximum-likelihood Gaussian: μ = mean, Σ = mean of (x − μ)(x − μ)ᵀ.

    Parameters
    ----------
    X : (N, D) or (N,)
    covariance_type : "full", "diag" (no correlations) or "spherical" (one variance for all dimensions)
    unbiased : False is maximum likelihood, divided by N: on average (N − 1)/N of the true one. True divides by N − 1.
    min_variance : float, squared units of X; the most likely Σ among those with no eigenvalue below it
    prior : NormalInverseWishart or None; with a prior the result is the maximum a posteriori

    Raises ValueError where Σ is singular (too few points, dependent features), without min_variance and prior.

    Source: TTIC 31110 slides (2020), "Maximum-likelihood (ML) estimation".

    >>> from course_lib.sequences import fit_gaussian
    >>> gaussian = fit_gaussian([1.0, 2.0, 6.0])
    >>> gaussian.mean.round(2), gaussian.covariance.round(2)
    (array([3.]), array([[4.67]]))
    """
    X, unbiased = validation.sequence(X, "X"), validation.flag(unbiased, "unbiased")
    validation.one_of(covariance_type, ("full", "diag", "spherical"), "covariance_type")
    if unbiased and prior is not None:
        raise ValueError("unbiased is True and a prior is given; an estimate with a prior has no unbiased form.")
    if unbiased and len(X) < 2:
        raise ValueError("unbiased is True, but there are only 1 points; more than 1 are needed.")
    [found] = _fit([X], ["X"], covariance_type, min_variance, prior)
    return Gaussian(found.mean, found.covariance * (len(X) / (len(X) - 1))) if unbiased else found


def fit_gaussians(
    groups: Sequence[ArrayLike],
    covariance_type: str = "full",
    min_variance: float = 0.0,
    prior: NormalInverseWishart | None = None,
) -> list[Gaussian]:
    """One Gaussian for each group of data, in their order; with "tied", all share one covariance.

    groups : list of (N_k, D) arrays, such as the frames of each speaker
    covariance_type : "full", "diag", "spherical" or "tied"
        The tied Σ is the mean over all points of the deviations from their own group's mean.
    min_variance, prior : as in `fit_gaussian`

    Source: TTIC 31110 slides (2020), "Maximum-likelihood (ML) estimation".
    """
    groups = checks.sequences(groups, "groups", in_time=False)
    validation.one_of(covariance_type, COVARIANCE_TYPES, "covariance_type")
    names = [f"groups[{k}]" for k in range(len(groups))]
    return _fit(groups, names, covariance_type, min_variance, prior)


def _fit(groups, names, covariance_type, min_variance, prior):
    """One Gaussian for each checked group; errors call the groups by these names."""
    min_variance = validation.not_negative(min_variance, "min_variance")
    if isinstance(prior, NormalInverseWishart) and len(prior.mean) != groups[0].shape[1]:
        raise ValueError(f"prior is for {len(prior.mean)} features, but {names[0]} has {groups[0].shape[1]}.")
    each = [sufficient.accumulate(g, np.ones((1, len(g))), covariance_type, g.mean(axis=0)) for g in groups]
    means, covariances = estimate(sufficient.join(each), covariance_type, min_variance, prior)
    matrices = as_matrices(covariances, covariance_type, *means.shape)
    return [
        _checked_gaussian(name, mean, matrix, len(group))
        for name, mean, matrix, group in zip(names, means, matrices, groups, strict=True)
    ]


def _checked_gaussian(name, mean, covariance, size):
    try:
        return Gaussian(mean, covariance)
    except ValueError as error:
        raise ValueError(f"{name} has {size} points of {len(mean)} features: {error}") from None
