"""Kernels: how the function values of two items vary together. A kernel says which functions are likely.

What they have in common, and their sums and products, is in `course_lib.gp.kernel_algebra`; here each kernel is its
formula and its slopes.

Lecture: 05, sections 2, 6 and 8; 10, section 3.
"""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular

from course_lib import validation
from course_lib.gp.kernel_algebra import Constant, Kernel
from course_lib.gp.parameters import positive_parameter


class White(Constant):
    """k = σ² for an item with itself, 0 between different items: what the inputs do not explain (a nugget).

    A new item with the inputs of an old one shares everything with it but this. (Among the items of a fit, rows with
    equal inputs are one item: see `stack`. Give items that differ a column that tells them apart.) Inducing inputs
    tell nothing of it: it stays with its item, see `course_lib.gp.inducing`.

    variance : σ² > 0
    """

    def cross(self, X, X2):
        return np.zeros((len(X), len(X2)))

    def shared(self):
        return _Unseen(self.variance).with_priors(**self.priors)

    def _parameter_derivatives(self, X, X2, weights):
        return {}


class _Unseen(White):
    """A White kernel of which nothing is seen: what one shares with others."""

    def diagonal(self, X):
        return np.zeros(len(X))

    def _diagonal_parameter_gradients(self, X, weights):
        return {}


class Linear(Kernel):
    """k = Σ_d σ_d² x_d x'_d: the function is a plane through the origin, with slope N(0, σ_d²) in dimension d.

    variance : σ² > 0, or (D,): one for each column
    """

    parameter_names = ("variance",)

    def __init__(self, variance: ArrayLike = 1.0):
        self.variance = positive_parameter(variance, "variance", vector=True)

    @property
    def variances(self):
        """(D,) σ² of each column, or one number for all."""
        return self.variance

    def cross(self, X, X2):
        return (X * self.variances) @ X2.T

    def diagonal(self, X):
        return np.sum(self.variances * X**2, axis=1)

    def input_gradient(self, X, X2, weights):
        return self.variances * (weights @ X2)

    def diagonal_input_gradient(self, X, weights):
        return 2 * weights[:, None] * self.variances * X

    def _parameter_derivatives(self, X, X2, weights):
        return {"variance": np.sum(X * self.input_gradient(X, X2, weights), axis=0)}

    def _diagonal_parameter_gradients(self, X, weights):
        return {"variance": self.variance * (weights @ X**2)}


class Stationary(Kernel):
    """k = σ² g(s), where s = Σ_d (x_d − x'_d)²/ℓ_d²: only the scaled squared distance matters.

    A subclass gives g (`_profile`) and ∂k/∂s (`_slope`). All sums over pairs of items are products of matrices.

    variance : σ² > 0
    lengthscale : ℓ > 0 in the unit of the inputs, or (D,): one for each column (automatic relevance determination)

    Source: Rasmussen & Williams (2006), chapter 4.
    """

    parameter_names = ("variance", "lengthscale")

    def __init__(self, variance: float = 1.0, lengthscale: ArrayLike = 1.0):
        self.variance = positive_parameter(variance, "variance")
        self.lengthscale = positive_parameter(lengthscale, "lengthscale", vector=True)

    def cross(self, X, X2):
        return self._evaluate(*self._scaled(X, X2))[0]

    def input_gradient(self, X, X2, weights):
        """(n, D) Σ_j W_ij ∂k/∂s · 2 (x_id − x'_jd)/ℓ_d²."""
        Z, Z2 = self._scaled(X, X2)
        weighted = self._slope(*self._evaluate(Z, Z2))
        weighted *= weights
        return self._unscaled(_pulls(weighted, Z, Z2), X)

    def _scaled(self, X, X2):
        """Both inputs in coordinates in which s is the squared distance, from an origin in their midst."""
        centre = X2.sum(axis=0) / len(X2)
        return (X - centre) / self.lengthscale, (X2 - centre) / self.lengthscale

    def _unscaled(self, gradient, X):
        """The gradient in x of what has this gradient in the scaled coordinates of x."""
        return gradient / self.lengthscale

    def _evaluate(self, Z, Z2):
        """k and s of all pairs of scaled inputs."""
        s = _exponents(Z, Z2)
        s *= -2
        return self.variance * self._profile(s), s

    def _profile(self, s):
        raise NotImplementedError

    def _slope(self, k, s):
        """∂k/∂s; finite where s = 0."""
        raise NotImplementedError

    def _parameter_derivatives(self, X, X2, weights):
        Z, Z2 = self._scaled(X, X2)
        k, s = self._evaluate(Z, Z2)
        slope = self._slope(k, s)
        slope *= weights
        along = self._along_inputs(_spread(slope, Z, Z2))
        return {"variance": np.vdot(weights, k), "lengthscale": -2 * along}

    def _along_inputs(self, spread):
        """(D,) Σ M_ij Δ_d ∂s/∂x_d / 2 with Δ = x_i − x'_j, from the spread in scaled coordinates."""
        return np.diagonal(spread)


class SquaredExponential(Stationary):
    """k = σ² exp(−½ Σ_d (x_d − x'_d)²/ℓ_d²): very smooth functions.

    Source: Nielsen (2015), eq. 2.21, with σ_f² where the text prints σ_f.
    """

    def _evaluate(self, Z, Z2):
        k = _exponents(Z, Z2, top=math.log(self.variance))
        return np.exp(k, out=k), None

    def _slope(self, k, s):
        return -0.5 * k


class Mahalanobis(SquaredExponential):
    """k = σ² exp(−½ (x − x')ᵀ L⁻¹ (x − x')) with L = diag(ℓ) R diag(ℓ): inputs whose effects are known to be related.

    Moving two positively correlated inputs together changes the function less than moving them apart.

    variance, lengthscale : as for `Stationary`
    correlation : R (D, D), symmetric and positive definite with ones on its diagonal; it is not learned

    Source: Nielsen (2015), eq. 2.21; Nielsen, Jensen, Hansen & Larsen (2013), eq. 3–4, which writes exp(−d²/σ_ℓ): ℓ²
    = σ_ℓ/2.
    """

    def __init__(self, variance: float = 1.0, lengthscale: ArrayLike = 1.0, *, correlation: ArrayLike):
        super().__init__(variance, lengthscale)
        self.correlation = validation.square(correlation, "correlation")
        self._factor = _correlation_factor(self.correlation)

    def _scaled(self, X, X2):
        return tuple(solve_triangular(self._factor, Z.T, lower=True).T for Z in super()._scaled(X, X2))

    def _unscaled(self, gradient, X):
        return super()._unscaled(solve_triangular(self._factor, gradient.T, lower=True, trans=1).T, X)

    def _along_inputs(self, spread):
        # z = C⁻¹(x/ℓ) with R = C Cᵀ, so what is wanted is the diagonal of C spread C⁻¹.
        return np.sum(self._factor * solve_triangular(self._factor, spread, lower=True, trans=1), axis=1)

    def _check(self, X, name):
        super()._check(X, name)
        if X.shape[1] != len(self.correlation):
            shape = self.correlation.shape
            raise ValueError(f"correlation has shape {shape}, but {name} has {X.shape[1]} columns; they must agree.")


class Matern32(Stationary):
    """k = σ² (1 + √3 r) exp(−√3 r), r = √s: functions with one derivative.

    Source: Rasmussen & Williams (2006), eq. 4.17.
    """

    def _profile(self, s):
        t = np.sqrt(3 * s)
        return (1 + t) * np.exp(-t)

    def _slope(self, k, s):
        return -1.5 * k / (1 + np.sqrt(3 * s))


class Periodic(SquaredExponential):
    """k = σ² exp(−2 Σ_d sin²(π (x_d − x'_d)/p)/ℓ²): functions that repeat themselves.

    It is the squared exponential of points on a circle, (cos 2πx/p, sin 2πx/p), for each column.

    variance : σ² > 0
    lengthscale : ℓ > 0, a number; the circle has radius 1
    period : p > 0, in the unit of the inputs

    Source: Rasmussen & Williams (2006), eq. 4.31.
    """

    parameter_names = ("variance", "lengthscale", "period")

    def __init__(self, variance: float = 1.0, lengthscale: float = 1.0, period: float = 1.0):
        self.variance = positive_parameter(variance, "variance")
        self.lengthscale = positive_parameter(lengthscale, "lengthscale")
        self.period = positive_parameter(period, "period")

    def _scaled(self, X, X2):
        return self._on_circle(X), self._on_circle(X2)

    def _on_circle(self, X):
        angle = 2 * np.pi * X / self.period
        return np.hstack([np.cos(angle), np.sin(angle)]) / self.lengthscale

    def _unscaled(self, gradient, X):
        cosine, sine = np.hsplit(self._on_circle(X), 2)
        along_cosine, along_sine = np.hsplit(gradient, 2)
        return 2 * np.pi / self.period * (along_sine * cosine - along_cosine * sine)

    def _parameter_derivatives(self, X, X2, weights):
        # x and the period enter as x/p only, so ∂k/∂log p = −(x ∂k/∂x + x' ∂k/∂x').
        pulled = np.vdot(X, self.input_gradient(X, X2, weights))
        pulled += np.vdot(X2, self.input_gradient(X2, X, weights.T))
        return {**super()._parameter_derivatives(X, X2, weights), "period": -pulled}


def _exponents(Z, Z2, top=0.0):
    """(n, m) top − ½|z_i − z'_j|², by one product of [z, top − ½|z|², 1] and [z', 1, −½|z'|²]."""
    half, half2 = (0.5 * np.einsum("nd,nd->n", A, A) for A in (Z, Z2))
    exponents = _beside(Z, top - half, 1.0) @ _beside(Z2, 1.0, -half2).T
    return np.minimum(exponents, top, out=exponents)  # rounding must not make a distance negative


def _beside(Z, first, second):
    """(n, D + 2) Z with two columns more."""
    wider = np.empty((len(Z), Z.shape[1] + 2))
    wider[:, :-2], wider[:, -2], wider[:, -1] = Z, first, second
    return wider


def _pulls(weights, Z, Z2):
    """(n, D) Σ_j W_ij ∂s_ij/∂z_i = 2 Σ_j W_ij (z_i − z'_j)."""
    return 2 * (weights.sum(axis=1)[:, None] * Z - weights @ Z2)


def _spread(weights, Z, Z2):
    """(D, D) Σ_ij W_ij (z_i − z'_j)(z_i − z'_j)ᵀ."""
    mixed = Z.T @ (weights @ Z2)
    own = (Z.T * weights.sum(axis=1)) @ Z + (Z2.T * weights.sum(axis=0)) @ Z2
    return own - mixed - mixed.T


def _correlation_factor(correlation):
    """The Cholesky factor of a correlation matrix; ValueError if it is none."""
    if not np.allclose(correlation, correlation.T, rtol=0, atol=1e-12):
        raise ValueError("correlation is not symmetric; correlation[i, j] must equal correlation[j, i].")
    if not np.allclose(np.diagonal(correlation), 1, rtol=0, atol=1e-12):
        raise ValueError(f"correlation has the diagonal {np.diagonal(correlation).tolist()}; ones are needed.")
    try:
        return np.linalg.cholesky(correlation)
    except np.linalg.LinAlgError:
        least = np.linalg.eigvalsh(correlation)[0]
        raise ValueError(f"correlation is not positive definite: its smallest eigenvalue is {least:.3g}.") from None
