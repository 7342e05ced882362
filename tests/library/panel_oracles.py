"""Slow and obvious answers for several raters: one Gaussian over all answers, written out."""

import numpy as np

from course_lib.gp import SquaredExponential
from course_lib.judgments import simulate_raters
from tests.library.gp_oracles import log_normal


class DensePanel:
    """Y (n, R) with NaN: mean + K + noise, one row and column for each answer that was given.

    noise_std : the noise of each answer, (n, R) or what broadcasts to it;  bias : (R,) or a number
    """

    def __init__(self, kernel, X, Y, noise_std, bias=0.0):
        self.kernel, self.X, self.offset = kernel, X, np.nanmean(Y)
        item, rater = np.nonzero(~np.isnan(Y))
        self.A = np.eye(len(X))[item]
        self.y = (Y - self.offset - np.broadcast_to(bias, Y.shape[1]))[item, rater]
        self.noise = np.broadcast_to(noise_std, Y.shape)[item, rater]
        self.C = self.A @ kernel(X) @ self.A.T + np.diag(self.noise**2)

    @property
    def log_evidence(self):
        return log_normal(self.y, self.C)

    def predict(self, X_new):
        """(mean, std) of the latent value at new inputs, the mean of all answers back on."""
        seen = self.A @ self.kernel.cross(self.X, X_new)
        variance = self.kernel.diagonal(X_new) - np.sum(seen * np.linalg.solve(self.C, seen), axis=0)
        return self.offset + seen.T @ np.linalg.solve(self.C, self.y), np.sqrt(variance)

    def consensus(self):
        """(mean, std) of the items' own values, the nugget of each included."""
        seen = self.A @ self.kernel(self.X)
        covariance = self.kernel(self.X) - seen.T @ np.linalg.solve(self.C, seen)
        return self.offset + seen.T @ np.linalg.solve(self.C, self.y), np.sqrt(covariance.diagonal())


def panel(seed, n=14, R=4, D=2, noise_std=0.4, missing=0.25, unit=1.0, level=5.0):
    """(X, z, Y) of a smooth function of D inputs; Y has NaN."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 3, (n, D))
    z = np.linalg.cholesky(SquaredExponential(1.0, 1.2)(X) + 1e-8 * np.eye(n)) @ rng.normal(size=n)
    Y = simulate_raters(z, np.broadcast_to(noise_std, R), rng, missing=missing)
    return X, level + unit * z, level + unit * Y


def theta_of(model):
    return np.concatenate([model.kernel_.theta, model.likelihood_.theta])
