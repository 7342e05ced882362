"""Slow and obvious answers for several raters: one Gaussian over all answers, written out."""

import numpy as np

from course_lib.gp import SquaredExponential
from course_lib.judgments import simulate_raters


class DensePanel:
    """Y (n, R) with NaN: mean + K + noise, one row and column for each answer that was given.

    noise_std : the noise of each answer, (n, R) or what broadcasts to it
    bias_std, level_std : spreads of the raters' biases, and of a level that all items share
    """

    def __init__(self, kernel, X, Y, noise_std, bias_std=0.0, level_std=0.0):
        self.kernel, self.X, self.offset = kernel, X, np.nanmean(Y)
        self.bias_std, self.level = bias_std, level_std**2
        item, rater = np.nonzero(~np.isnan(Y))
        self.A, self.B = np.eye(len(X))[item], np.eye(Y.shape[1])[rater]
        self.y = (Y - self.offset)[item, rater]
        self.noise = np.broadcast_to(noise_std, Y.shape)[item, rater]
        of_items, of_raters = self.A @ (kernel(X) + self.level) @ self.A.T, bias_std**2 * self.B @ self.B.T
        self.C = of_items + of_raters + np.diag(self.noise**2)

    @property
    def log_evidence(self):
        return -0.5 * (self.y @ np.linalg.solve(self.C, self.y) + np.linalg.slogdet(2.0 * np.pi * self.C)[1])

    def predict(self, X_new):
        """(mean, std) of the latent value at new inputs, the mean of all answers back on."""
        seen = self.A @ (self.kernel.cross(self.X, X_new) + self.level)
        variance = self.kernel.diagonal(X_new) + self.level - np.sum(seen * np.linalg.solve(self.C, seen), axis=0)
        return self.offset + seen.T @ np.linalg.solve(self.C, self.y), np.sqrt(variance)

    def consensus(self):
        """(mean, covariance) of the items' own values, the nugget of each included."""
        prior = self.kernel(self.X) + self.level
        mean, covariance = self._told(self.A @ prior, prior)
        return self.offset + mean, covariance

    def biases(self):
        """(mean, covariance) of the raters' biases."""
        return self._told(self.bias_std**2 * self.B, self.bias_std**2 * np.eye(self.B.shape[1]))

    def answers(self, X_new, weights):
        """(mean, std) of weighted raters' answers to new items, their noise left out; weights (R,) sum to 1."""
        seen = (
            self.A @ (self.kernel.cross(self.X, X_new) + self.level) + self.bias_std**2 * (self.B @ weights)[:, None]
        )
        own = self.kernel.diagonal(X_new) + self.level + self.bias_std**2 * weights @ weights
        variance = own - np.sum(seen * np.linalg.solve(self.C, seen), axis=0)
        return self.offset + seen.T @ np.linalg.solve(self.C, self.y), np.sqrt(variance)

    def _told(self, seen, prior):
        return seen.T @ np.linalg.solve(self.C, self.y), prior - seen.T @ np.linalg.solve(self.C, seen)


def panel(seed, n=14, R=4, D=2, noise_std=0.4, missing=0.25, unit=1.0, level=5.0):
    """(X, z, Y) of a smooth function of D inputs; Y has NaN."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 3, (n, D))
    z = np.linalg.cholesky(SquaredExponential(1.0, 1.2)(X) + 1e-8 * np.eye(n)) @ rng.normal(size=n)
    Y = simulate_raters(z, np.broadcast_to(noise_std, R), rng, missing=missing)
    return X, level + unit * z, level + unit * Y


def level_of(model):
    """How far the values' level may be from the mean of all answers; 0 where the model holds it there."""
    return getattr(model.latent_.kernel_, "level_std", 0.0)


def theta_of(model):
    return np.concatenate([model.latent_.kernel_.theta, model.likelihood_.theta])
