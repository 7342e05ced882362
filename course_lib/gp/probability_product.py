"""A kernel between probability distributions: so that an item can be a recording, seen as the Gaussian of its frames.

Lecture: 05, section 2.
"""

import math

import numpy as np

from course_lib import validation
from course_lib.gp.kernel_algebra import Kernel
from course_lib.gp.parameters import positive_parameter

COVARIANCE_TYPES = ("diag", "full")


class ProbabilityProduct(Kernel):
    """k(p, q) = σ² ∫ p(x)^ρ q(x)^ρ dx between Gaussians p = N(μ, Σ) and q = N(μ', Σ').

    With S = Σ + Σ' and Δ = μ − μ', the integral is
    (2π)^((½−ρ)D) ρ^(−D/2) (|Σ| |Σ'|)^((1−ρ)/2) |S|^(−½) exp(−ρ/2 Δᵀ S⁻¹ Δ).
    At ρ = ½ it is Bhattacharyya's coefficient: σ² for equal distributions, less for all others.

    variance : σ² > 0;  power : ρ > 0; it is not learned
    covariance_type : what follows the D means in a row of X: "diag" D variances, "full" the D² elements of Σ.
        `gaussian_rows` makes such rows.

    Source: Jebara, Kondor & Howard (2004); Nielsen (2015), section 2.1.1.
    """

    parameter_names = ("variance",)

    def __init__(self, variance=1.0, power=0.5, covariance_type="diag"):
        self.variance = positive_parameter(variance, "variance")
        self.power = validation.positive(power, "power")
        self.covariance_type = validation.one_of(covariance_type, COVARIANCE_TYPES, "covariance_type")

    def cross(self, X, X2):
        """(n, m) σ² ∫ p^ρ q^ρ, summed up as logarithms."""
        (means, covariances), (means2, covariances2) = self._split(X), self._split(X2)
        overlap = _diag_overlap if self.covariance_type == "diag" else _full_overlap
        logs = overlap(means, covariances, means2, covariances2, self.power)
        logs += (1 - self.power) / 2 * (_log_determinants(covariances)[:, None] + _log_determinants(covariances2))
        logs += self._log_scale(means.shape[1])
        return np.exp(logs, out=logs)

    def diagonal(self, X):
        """(n,) σ² ∫ p^(2ρ)."""
        means, covariances = self._split(X)
        D = means.shape[1]
        log_volume = (0.5 - self.power) * _log_determinants(covariances)
        return np.exp(self._log_scale(D) - 0.5 * D * math.log(2) + log_volume)

    def input_gradient(self, X, X2, weights):
        """(n, 2D) Σ_j W_ij ∂k/∂(μ_i, σ²_i)."""
        self._needs_diag()
        (means, variances), (means2, variances2) = self._split(X), self._split(X2)
        weighted, rho = weights * self.cross(X, X2), self.power
        by_mean, by_variance = np.empty(means.shape), np.empty(means.shape)
        for d in range(means.shape[1]):
            spread = variances[:, d, None] + variances2[:, d]
            distance = (means[:, d, None] - means2[:, d]) / spread
            by_mean[:, d] = -rho * np.sum(weighted * distance, axis=1)
            by_variance[:, d] = 0.5 * np.sum(weighted * (rho * distance**2 - 1 / spread), axis=1)
        by_variance += (1 - rho) / 2 * weighted.sum(axis=1)[:, None] / variances
        return np.hstack([by_mean, by_variance])

    def diagonal_input_gradient(self, X, weights):
        """(n, 2D) w_i ∂diagonal/∂(μ_i, σ²_i); the means do not matter."""
        self._needs_diag()
        means, variances = self._split(X)
        by_variance = (0.5 - self.power) * (weights * self.diagonal(X))[:, None] / variances
        return np.hstack([np.zeros(means.shape), by_variance])

    def _parameter_derivatives(self, X, X2, weights):
        return {"variance": np.vdot(weights, self.cross(X, X2))}

    def _diagonal_parameter_gradients(self, X, weights):
        return {"variance": np.vdot(weights, self.diagonal(X))}

    def _log_scale(self, D):
        """log of what does not depend on the two Gaussians."""
        return math.log(self.variance) + D * ((0.5 - self.power) * math.log(2 * math.pi) - 0.5 * math.log(self.power))

    def _split(self, X):
        """(n, D) means, and (n, D) variances or (n, D, D) covariances."""
        D = self._dimensions(X.shape[1])
        means, rest = X[:, :D], X[:, D:]
        return means, rest if self.covariance_type == "diag" else rest.reshape(len(X), D, D)

    def _dimensions(self, columns):
        return columns // 2 if self.covariance_type == "diag" else (math.isqrt(4 * columns + 1) - 1) // 2

    def _needs_diag(self):
        if self.covariance_type != "diag":
            raise ValueError(
                f"covariance_type is {self.covariance_type!r}; gradients in the inputs need covariance_type='diag'."
            )

    def _check(self, X, name):
        columns, D = X.shape[1], self._dimensions(X.shape[1])
        each = D if self.covariance_type == "diag" else D**2
        if D == 0 or columns != D + each:
            needed = (
                "2 D: D means, D variances" if self.covariance_type == "diag" else "D + D²: D means, D² covariances"
            )
            raise ValueError(f"{name} has {columns} columns; with covariance_type={self.covariance_type!r} {needed}.")
        covariances = self._split(X)[1]
        for i, covariance in enumerate(covariances):
            _check_covariance(covariance, f"{name}[{i}]")


def gaussian_rows(gaussians, covariance_type="diag"):
    """Rows of inputs for `ProbabilityProduct`: one for each Gaussian.

    gaussians : objects with `mean` (D,) and `covariance` (D, D), such as `course_lib.sequences.Gaussian`
    covariance_type : "diag": the D means and D variances, correlations are left out; "full": means and all D² elements

    Returns (n, 2D) or (n, D + D²) array.
    """
    validation.one_of(covariance_type, COVARIANCE_TYPES, "covariance_type")
    rows = []
    if not isinstance(gaussians, (list, tuple)):
        raise ValueError(f"gaussians is {gaussians!r}; a list of them is needed.")
    for k, gaussian in enumerate(gaussians):
        if not (hasattr(gaussian, "mean") and hasattr(gaussian, "covariance")):
            raise ValueError(f"gaussians[{k}] is {gaussian!r}; something with mean and covariance is needed.")
        mean = validation.real_array(gaussian.mean, f"gaussians[{k}].mean")
        covariance = validation.real_array(gaussian.covariance, f"gaussians[{k}].covariance")
        if mean.ndim != 1 or covariance.shape != (len(mean), len(mean)):
            raise ValueError(
                f"gaussians[{k}] has a mean of shape {mean.shape} and a covariance of shape {covariance.shape}; "
                "(D,) and (D, D) are needed."
            )
        rows.append(np.append(mean, np.diagonal(covariance) if covariance_type == "diag" else covariance))
    return validation.real_array(rows, "gaussians")


def _diag_overlap(means, variances, means2, variances2, power):
    """(n, m) −½ log|S| − ρ/2 Δᵀ S⁻¹ Δ, one dimension after the other."""
    logs = np.zeros((len(means), len(means2)))
    for d in range(means.shape[1]):
        spread = variances[:, d, None] + variances2[:, d]
        logs -= 0.5 * (np.log(spread) + power * (means[:, d, None] - means2[:, d]) ** 2 / spread)
    return logs


def _full_overlap(means, covariances, means2, covariances2, power):
    """(n, m) −½ log|S| − ρ/2 Δᵀ S⁻¹ Δ, by Cholesky factors, one row after the other."""
    logs = np.empty((len(means), len(means2)))
    for i, (mean, covariance) in enumerate(zip(means, covariances, strict=True)):
        factors = np.linalg.cholesky(covariance + covariances2)
        z = np.linalg.solve(factors, (mean - means2)[:, :, None])
        log_volume = np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)
        logs[i] = -log_volume - 0.5 * power * np.sum(z**2, axis=(1, 2))
    return logs


def _log_determinants(covariances):
    """(n,) log|Σ| of variances (n, D) or covariances (n, D, D)."""
    if covariances.ndim == 2:
        return np.log(covariances).sum(axis=1)
    factors = np.linalg.cholesky(covariances)
    return 2 * np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)


def _check_covariance(covariance, name):
    """Raise ValueError unless these are variances (D,) above 0, or a covariance (D, D)."""
    if covariance.ndim == 1:
        if (covariance <= 0).any():
            raise ValueError(f"{name} has the variances {covariance.tolist()}; all must be above 0.")
        return
    if not np.allclose(covariance, covariance.T):
        raise ValueError(f"the covariance in {name} is not symmetric.")
    least = np.linalg.eigvalsh(covariance)[0]
    if least <= 0:
        raise ValueError(f"the covariance in {name} is not positive definite: its smallest eigenvalue is {least:.3g}.")
