"""Gaussian-process regression: values with Gaussian noise, inferred exactly.

Lecture: 05, section 3.
"""

from dataclasses import replace

import numpy as np
from sklearn.base import RegressorMixin

from course_lib import validation
from course_lib.gp.latent import LatentGP
from course_lib.gp.likelihoods import Gaussian
from course_lib.gp.observations import values
from course_lib.gp.priors import a_prior


class GPRegression(RegressorMixin, LatentGP):
    """y = f(x) + noise, f ~ GP(0, k).

    Parameters
    ----------
    kernel : as for `LatentGP`
    noise_std : standard deviation of the noise where learning starts, in the unit of y, > 0; None: a tenth of y's own
    noise_prior : prior of noise_std; Fixed() keeps it, None learns it freely
    inference : "exact"; with inducing inputs "variational" or "fitc"
    center : whether to take the mean of y off before, and add it to predictions
    inducing, learn_inducing, optimize, n_restarts, rng, max_iter, progress : as for `LatentGP`

    Attributes
    ----------
    kernel_, noise_std_ : as learned;  log_evidence_ : log N(y | 0, K + σ²I)
    offset_ : what was taken off y; converged_, n_iter_ as for `LatentGP`

    Source: thesis 002, section 2.1; Rasmussen & Williams (2006), chapter 2. Lecture: 05, section 3.
    """

    def __init__(
        self,
        kernel=None,
        noise_std=None,
        noise_prior=None,
        inference="exact",
        inducing=None,
        learn_inducing=False,
        center=True,
        optimize=True,
        n_restarts=0,
        rng=None,
        max_iter=200,
        progress=False,
    ):
        super().__init__(
            kernel, inference, inducing, learn_inducing, optimize, n_restarts, rng, max_iter, progress=progress
        )
        self.noise_std = noise_std
        self.noise_prior = noise_prior
        self.center = center

    def fit(self, X, y):
        """Learn from X (n, D) and y: (n,), or (n, R) with NaN where an answer is missing.

        Raises
        ------
        ValueError
            If shapes differ, values are not finite, or a setting is not what it should be.

        Lecture: 05, section 3.
        """
        validation.flag(self.center, "center")
        a_prior(self.noise_prior, "noise_prior")
        block = values(X, y)
        offset = float(block.y.mean()) if self.center else 0.0
        start = 0.1 * float(block.y.std()) or 0.1 if self.noise_std is None else self.noise_std
        noise = Gaussian(validation.positive(start, "noise_std"))
        noise = noise if self.noise_prior is None else noise.with_priors(noise_std=self.noise_prior)
        learned = self._learn(replace(block, y=block.y - offset, likelihood=noise))
        return self._keep(learned, offset_=offset, noise_std_=learned["likelihood_"].noise_std)

    def predict(self, X_new, return_std=False, return_cov=False, noise=False):
        """The curve f at new inputs; with `noise`, the next measurement there.

        Returns
        -------
        mean (q,); with return_std also the standard deviation (q,), with return_cov the covariance (q, q)

        Raises
        ------
        ValueError
            If the model is not fitted, X_new does not fit, or both std and covariance are asked for.

        Source: thesis 002, eqs. 2.17 and 2.20. Lecture: 05, section 3.
        """
        return_std, return_cov = validation.flag(return_std, "return_std"), validation.flag(return_cov, "return_cov")
        noise = validation.flag(noise, "noise")
        if return_std and return_cov:
            raise ValueError("return_std and return_cov are both True; choose one.")
        extra = self._fitted().likelihood.noise_std ** 2 if noise else 0.0
        mean, spread = self.predict_latent(X_new, return_cov)
        mean = mean + self.offset_
        if return_cov:
            return mean, spread + extra * np.eye(len(mean))
        return (mean, np.sqrt(spread**2 + extra)) if return_std else mean

    def log_predictive_density(self, X_new, y_new):
        """(q,) log density of measurements y_new (q,) at new inputs.

        Raises
        ------
        ValueError
            As LatentGP.log_predictive_density.

        Lecture: 05, section 7.
        """
        self._fitted()
        return super().log_predictive_density(X_new, validation.real_array(y_new, "y_new") - self.offset_)

    def sample(self, X_new, size=1, rng=None):
        """(size, q) curves drawn from the posterior, at new inputs, with the mean of y back on.

        Raises
        ------
        ValueError
            As LatentGP.sample.

        Lecture: 05, section 3.
        """
        return super().sample(X_new, size, rng) + self.offset_
