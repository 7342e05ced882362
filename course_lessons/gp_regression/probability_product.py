"""A kernel between probability distributions: so that an item can be a recording, seen as the Gaussian of its frames.

Lecture: 05, section 2.
"""

import math

import numpy as np

from course_lib import validation
from course_lib.gp.kernel_algebra import Kernel
from course_lib.gp.parameters import positive_parameter


class ProbabilityProduct(Kernel):
    """k(p, q) = σ² ∫ p(x)^ρ q(x)^ρ dx between Gaussians p = N(μ, diag v) and q = N(μ', diag v').

    With s = v + v' and Δ = μ − μ', the integral is the product over the D dimensions of
    (2π)^(½−ρ) ρ^(−½) (v v')^((1−ρ)/2) s^(−½) exp(−ρ/2 Δ²/s).
    At ρ = ½ it is Bhattacharyya's coefficient: σ² for equal distributions, less for all others.

    variance : σ² > 0;  power : ρ > 0; it is not learned
    A row of X holds D means, then D variances: `gaussian_rows` makes such rows.

    Source: Jebara, Kondor & Howard (2004); Nielsen (2015), section 2.1.1.
    """

    parameter_names = ("variance",)

    def __init__(self, variance=1.0, power=0.5):
        self.variance = positive_parameter(variance, "variance")
        self.power = validation.positive(power, "power")

    def cross(self, X, X2):
        """(n, m) σ² ∫ p^ρ q^ρ, summed up as logarithms, one dimension after the other."""
        (means, variances), (means2, variances2) = np.hsplit(X, 2), np.hsplit(X2, 2)
        logs = np.zeros((len(X), len(X2)))
        for d in range(means.shape[1]):
            spread = variances[:, d, None] + variances2[:, d]
            logs -= 0.5 * (np.log(spread) + self.power * (means[:, d, None] - means2[:, d]) ** 2 / spread)
        volumes, volumes2 = np.log(variances).sum(axis=1), np.log(variances2).sum(axis=1)
        logs += (1 - self.power) / 2 * (volumes[:, None] + volumes2)
        logs += self._log_scale(means.shape[1])
        return np.exp(logs, out=logs)

    def diagonal(self, X):
        """(n,) σ² ∫ p^(2ρ)."""
        variances = np.hsplit(X, 2)[1]
        D = variances.shape[1]
        log_volume = (0.5 - self.power) * np.log(variances).sum(axis=1)
        return np.exp(self._log_scale(D) - 0.5 * D * math.log(2) + log_volume)

    def input_gradient(self, X, X2, weights):
        """(n, 2D) Σ_j W_ij ∂k/∂(μ_i, σ²_i)."""
        (means, variances), (means2, variances2) = np.hsplit(X, 2), np.hsplit(X2, 2)
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
        means, variances = np.hsplit(X, 2)
        by_variance = (0.5 - self.power) * (weights * self.diagonal(X))[:, None] / variances
        return np.hstack([np.zeros(means.shape), by_variance])

    def _parameter_derivatives(self, X, X2, weights):
        return {"variance": np.vdot(weights, self.cross(X, X2))}

    def _diagonal_parameter_gradients(self, X, weights):
        return {"variance": np.vdot(weights, self.diagonal(X))}

    def _log_scale(self, D):
        """log of what does not depend on the two Gaussians."""
        return math.log(self.variance) + D * ((0.5 - self.power) * math.log(2 * math.pi) - 0.5 * math.log(self.power))

    def _check(self, X, name):
        if X.shape[1] % 2:
            raise ValueError(f"{name} has {X.shape[1]} columns; 2 D are needed: D means, then D variances.")
        variances = np.hsplit(X, 2)[1]
        wrong = np.flatnonzero((variances <= 0).any(axis=1))
        if len(wrong):
            raise ValueError(
                f"{name}[{wrong[0]}] has the variances {variances[wrong[0]].tolist()}; all must be above 0."
            )


def gaussian_rows(gaussians):
    """Rows of inputs for `ProbabilityProduct`, (n, 2D): of each Gaussian the D means and D variances.

    gaussians : objects with `mean` (D,) and `covariance` (D, D), such as `course_lib.sequences.Gaussian`; correlations
        are left out
    """
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
        rows.append(np.append(mean, np.diagonal(covariance)))
    return validation.real_array(rows, "gaussians")
