"""Sufficient statistics of Gaussians: weighted sums of 1, x and x xᵀ, as matrix products.

log N(x | μ, Σ) is linear in the features (1, x, products x_i x_j). So the log densities of a block of points under K
Gaussians are one matrix product, and so are the weighted sums from which K new Gaussians are estimated. Points are
counted from an origin near the data, because products of large numbers would lose digits. A Gaussian whose mean is
many of its standard deviations away from that origin counts from its own mean instead. The prior of a Gaussian is here
too.

Lecture: 02, sections 2 and 5; 03, sections 5, 6 and 8.
"""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from course_lib import validation
from course_lib.sequences.covariances import (
    as_matrices,
    cholesky,
    feature_variances,
    has_products,
    precisions,
    raised_to_floor,
)

POINTS_PER_BLOCK = 2048  # their features stay in the processor's cache
FAR_FROM_ORIGIN = 100.0  # standard deviations; its square is the factor by which rounding grows in x² − m²


class Statistics(NamedTuple):
    """Σ_n r_nk (1, x_n, products of x_n) for each of K components; x is counted from `origin`.

    counts : (K,); sums : (K, D)
    products : (K, D, D) sums of x xᵀ, or (K, D) sums of x² for "diag" and "spherical"
    origin : (D,), or (K, D) where components count from different ones
    """

    counts: np.ndarray
    sums: np.ndarray
    products: np.ndarray
    origin: np.ndarray


def features(X, covariance_type):
    """(F, N) features 1, x_d, and x_d x_e for d ≤ e or only x_d², of N points that are counted from the origin."""
    N, D = X.shape
    F = np.empty((1 + D + (D * (D + 1) // 2 if has_products(covariance_type) else D), N))
    F[0], F[1 : 1 + D] = 1, X.T
    x, products = F[1 : 1 + D], F[1 + D :]
    if not has_products(covariance_type):
        np.multiply(x, x, out=products)
        return F
    first = 0
    for d in range(D):
        np.multiply(x[d], x[d:], out=products[first : first + D - d])
        first += D - d
    return F


class Features:
    """The features of a block of points X (N, D), once for each origin, (D,) or (K, D), that components count from."""

    def __init__(self, X, origin, covariance_type):
        if origin.ndim == 1:
            self._parts = [(slice(None), features(X - origin, covariance_type))]
        else:
            distinct, which = np.unique(origin, axis=0, return_inverse=True)
            self._parts = [
                (np.flatnonzero(which.ravel() == k), features(X - o, covariance_type)) for k, o in enumerate(distinct)
            ]

    def densities(self, coefficients):
        """(K, N) coefficients (K, F) times features: log π_k + log N(x_n | μ_k, Σ_k), see `natural_parameters`."""
        return self._each(lambda some, F: coefficients[some] @ F, len(coefficients))

    def sums(self, weights):
        """(K, F) features of the points added up with weights (K, N)."""
        return self._each(lambda some, F: weights[some] @ F.T, len(weights))

    def _each(self, product, K):
        if len(self._parts) == 1:
            return product(*self._parts[0])
        rows = [product(some, F) for some, F in self._parts]
        together = np.empty((K, rows[0].shape[1]))
        for (some, _), row in zip(self._parts, rows, strict=True):
            together[some] = row
        return together


def blocks(X, origin, covariance_type):
    """(slice, its `Features`) of the points X (N, D), block by block."""
    for begin in range(0, len(X), POINTS_PER_BLOCK):
        some = slice(begin, begin + POINTS_PER_BLOCK)
        yield some, Features(X[some], origin, covariance_type)


def origins(means, covariances, covariance_type, origin):
    """Where each component counts from: the common origin (D,), or (K, D) with their own means for those far from it.

    If the mean is `FAR_FROM_ORIGIN` standard deviations from the origin, or more, in the directions in which the
    component is narrow, x² and m² are so much larger than their difference that digits would be lost.
    """
    K, D = means.shape
    if has_products(covariance_type):
        P, _ = precisions(as_matrices(covariances, covariance_type, K, D))
        narrowness = np.einsum("kdd->kd", P)
    else:
        narrowness = 1 / feature_variances(covariances, covariance_type, K, D)
    far = ((means - origin) ** 2 * narrowness).sum(axis=1) >= FAR_FROM_ORIGIN**2
    return np.where(far[:, None], means, origin) if far.any() else origin


def natural_parameters(weights, means, covariances, covariance_type, origin):
    """(K, F) coefficients: log π_k + log N(x_n | μ_k, Σ_k) = Σ_f coefficient_kf · feature_fn.

    Points are counted from the origin, (D,) or one for each component (K, D).
    """
    m = means - origin
    K, D = m.shape
    if has_products(covariance_type):
        P, log_det = precisions(as_matrices(covariances, covariance_type, K, D))
        linear = np.einsum("kde,ke->kd", P, m)
        quadratic = -P
        quadratic[:, range(D), range(D)] /= 2  # x_d x_e with d < e stands for two equal terms of xᵀ P x
        quadratic = quadratic[(slice(None), *np.triu_indices(D))]
    else:
        variances = feature_variances(covariances, covariance_type, K, D)
        linear, quadratic, log_det = m / variances, -0.5 / variances, np.log(variances).sum(axis=1)
    log_weights = np.log(weights, out=np.full(K, -1e300), where=weights > 0)  # −inf would not survive a product with 0
    constant = log_weights - 0.5 * (D * np.log(2 * np.pi) + log_det + (m * linear).sum(axis=1))
    return np.column_stack([constant, linear, quadratic])


def accumulate(X, weights, covariance_type, origin):
    """Statistics of points X (N, D) that count weights[k, n] times for component k, (K, N).

    They are about the origin, (D,) or (K, D); a component whose mean turns out to be far from it, by its own width,
    is counted again from there.
    """
    statistics = _accumulate(X, weights, covariance_type, origin)
    nearer = recentred(statistics)
    return statistics if nearer is None else _accumulate(X, weights, covariance_type, nearer)


def _accumulate(X, weights, covariance_type, origin):
    total = sum(F.sums(weights[:, some]) for some, F in blocks(X, origin, covariance_type))
    return unpack(total, covariance_type, origin)


def recentred(statistics):
    """(K, D) better origins if a variance Σ r x²/N − m² has lost digits to a mean m far from zero; None if none has.

    Features that do not vary have none to lose: there m is no more than what rounding left of it.
    """
    N, origin = np.maximum(statistics.counts, np.finfo(float).tiny), statistics.origin
    squares = statistics.products if statistics.products.ndim == 2 else np.einsum("kdd->kd", statistics.products)
    m = statistics.sums / N[:, None]
    far = m**2 >= FAR_FROM_ORIGIN**2 * np.maximum(squares / N[:, None] - m**2, 0.0)
    far &= np.abs(m) > 1e-8 * np.abs(origin + m)
    far &= (N / N.sum() > 1e-10)[:, None]
    return np.where(far.any(axis=1)[:, None], origin + m, origin) if far.any() else None


def unpack(total, covariance_type, origin):
    """Statistics from the (K, F) sums of the features."""
    K, D = len(total), origin.shape[-1]
    counts, sums, rest = total[:, 0], total[:, 1 : 1 + D], total[:, 1 + D :]
    if not has_products(covariance_type):
        return Statistics(counts, sums, rest, origin)
    products = np.empty((K, D, D))
    upper = np.triu_indices(D)
    products[:, upper[0], upper[1]] = products[:, upper[1], upper[0]] = rest
    return Statistics(counts, sums, products, origin)


def join(parts):
    """Statistics of all components of several parts, one after the other."""
    origins = [np.broadcast_to(part.origin, part.sums.shape) for part in parts]
    counts, sums, products = (np.concatenate(arrays) for arrays in list(zip(*parts, strict=True))[:3])
    return Statistics(counts, sums, products, np.concatenate(origins))


@dataclass(frozen=True, eq=False)
class NormalInverseWishart:
    """Prior of a Gaussian: μ | Σ ~ N(m₀, Σ/κ₀) and Σ ~ inverse-Wishart(Ψ, ν₀).

    It acts like data seen before: κ₀ points with mean m₀, and the deviations Ψ of ν₀ + D + 2 points.

    mean : (D,) m₀;  strength : κ₀ ≥ 0;  scale : (D, D) Ψ, positive definite
    degrees : ν₀ > D − 1

    Source: Murphy (2012), section 4.6.3.
    """

    mean: np.ndarray
    strength: float
    scale: np.ndarray
    degrees: float

    def __post_init__(self):
        mean = np.atleast_1d(validation.real_array(self.mean, "mean"))
        scale = np.atleast_2d(validation.real_array(self.scale, "scale"))
        D = len(mean)
        if mean.ndim != 1 or scale.shape != (D, D):
            raise ValueError(f"mean has shape {mean.shape} and scale {scale.shape}; (D,) and (D, D) are needed.")
        validation.not_negative(self.strength, "strength")
        if validation.not_negative(self.degrees, "degrees") <= D - 1:
            raise ValueError(f"degrees is {self.degrees!r}; more than D − 1 = {D - 1} are needed.")
        cholesky(scale, "scale")
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "scale", scale)

    @classmethod
    def weak(cls, X: ArrayLike, n_components: int = 1) -> Self:
        """A weak prior: as wide as the data X, divided among the components.

        m₀ is the mean of X, κ₀ = 0.01, ν₀ = D + 2, and Ψ the variances of X on its diagonal, divided by K^(2/D).

        Source: Fraley and Raftery (2007).
        """
        X = validation.sequence(X, "X")
        K, D = validation.integer(n_components, "n_components"), X.shape[1]
        variances = X.var(axis=0)
        if not variances.all():
            raise ValueError(f"X[:, {int(variances.argmin())}] does not vary; leave that feature out or give a prior.")
        return cls(X.mean(axis=0), 0.01, np.diag(variances) / K ** (2 / D), D + 2.0)

    def log_density(self, means, covariances, covariance_type):
        """log p(μ_1 … μ_K, Σ_1 … Σ_K) up to a constant, a number; a tied Σ counts once."""
        K, D = means.shape
        P, log_det = precisions(as_matrices(covariances, covariance_type, K, D))
        d = means - self.mean
        of_means = log_det.sum() + self.strength * np.einsum("kd,kde,ke->", d, P, d)
        of_covariances = (self.degrees + D + 1) * log_det + np.einsum("de,ked->k", self.scale, P)
        return -0.5 * float(of_means + of_covariances[: 1 if covariance_type == "tied" else K].sum())


def estimate(statistics, covariance_type, min_variance=0.0, prior=None):
    """Means (K, D) and covariances that maximise the expected log likelihood, plus the log prior if there is one.

    Without a prior: μ = Σ r x / N_k and Σ = Σ r (x − μ)(x − μ)ᵀ / N_k. A component without any points gets the
    origin, or the prior's mode.

    Parameters
    ----------
    statistics : Statistics
    covariance_type : as in `GaussianMixture`, which also tells the shape of the covariances
    min_variance : no eigenvalue of a covariance gets smaller: it is the best Σ among all such. Or (D,), one for each
        feature: Σ less a diagonal matrix of them has no eigenvalue below 0
    prior : NormalInverseWishart or None

    Source: TTIC 31110 slides (2020), "pretend that the γ are the indicator variables" and "Regularizing EM"; Murphy
    (2012), section 11.4.2.8.
    """
    if np.ndim(min_variance) == 0:
        validation.not_negative(min_variance, "min_variance")
    N, D = statistics.counts, statistics.sums.shape[1]
    mean = statistics.sums / np.maximum(N, np.finfo(float).tiny)[:, None]
    scatter = statistics.products - _outer(mean, covariance_type) * _column(N, statistics.products)
    m = mean
    if prior is not None:
        if not isinstance(prior, NormalInverseWishart):
            raise ValueError(f"prior is {prior!r}; None or a NormalInverseWishart is needed.")
        if len(prior.mean) != D:
            raise ValueError(f"prior is for {len(prior.mean)} features, but the data have {D}.")
        m0, kappa = prior.mean - statistics.origin, prior.strength
        m = (kappa * m0 + statistics.sums) / np.maximum(kappa + N, np.finfo(float).tiny)[:, None]
        scatter = scatter + kappa * _outer(m - m0, covariance_type)
        scatter = scatter + _column(N, scatter) * _outer(mean - m, covariance_type)
    return m + statistics.origin, _covariances(scatter, N, covariance_type, min_variance, prior)


def _covariances(scatter, N, covariance_type, min_variance, prior):
    """Deviations divided by how many there are, in the shape of the covariance type, with the floor."""
    K, D = len(N), scatter.shape[1]
    divisor = N
    if covariance_type == "tied":
        scatter, divisor = scatter.sum(axis=0, keepdims=True), N.sum(keepdims=True)
    if prior is not None:
        scatter = scatter + (prior.scale if has_products(covariance_type) else np.diag(prior.scale))
        divisor = divisor + prior.degrees + D + 1 + (K if covariance_type == "tied" else 1)
    values = scatter / _column(np.maximum(divisor, np.finfo(float).tiny), scatter)
    if covariance_type == "tied":
        values = values[0]
    elif covariance_type == "spherical":
        values = values.mean(axis=1)
    return raised_to_floor(values, covariance_type, min_variance)


def _outer(m, covariance_type):
    return m[:, :, None] * m[:, None, :] if has_products(covariance_type) else m**2


def _column(values, like):
    return values.reshape((-1,) + (1,) * (like.ndim - 1))
