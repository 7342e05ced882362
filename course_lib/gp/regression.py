"""Gaussian-process regression: values with Gaussian noise, inferred exactly.

Lecture: 05, sections 3 and 7; 08, section 1.
"""

from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from course_lib import validation
from course_lib.gp.kernel_algebra import ANY_LEVEL, Levelled
from course_lib.gp.likelihoods import Gaussian
from course_lib.gp.model import LatentModel, r_squared
from course_lib.gp.observations import stack, values
from course_lib.gp.priors import a_prior
from course_lib.gp.starts import typical_kernels
from course_lib.settings import KW_ONLY, settings

NOISE_ALONE = 0.02  # of the noise: a smaller prior standard deviation of f explains next to nothing


@settings
class GPRegression(RegressorMixin, LatentModel):
    """y = f(x) + noise, f ~ GP(level, k).

    Parameters
    ----------
    kernel : as for `LatentGP`
    noise_std : standard deviation of the noise where learning starts, in the unit of y, > 0; None: a tenth of y's own
    noise_prior : prior of noise_std; Fixed() keeps it, None learns it freely
    inference : "exact"; with inducing inputs "variational" or "fitc"
    center : whether f has a level of which next to nothing is known: N(mean of y, (10 standard deviations of y)²).
        It is averaged over, and widens intervals by how well the mean is known. False: its level is 0
    inducing, learn_inducing, optimize, n_restarts, rng, max_iter, progress : as for `LatentGP`

    kernel_, noise_std_ are as learned, offset_ is what was taken off y; the other attributes are those of `LatentGP`.

    Source: Nielsen (2015), section 2.1; Rasmussen & Williams (2006), chapter 2, and section 2.7 for the level.

    >>> from course_lib.gp import GPRegression, SquaredExponential
    >>> model = GPRegression(SquaredExponential(), noise_std=0.1, optimize=False)
    >>> model = model.fit([[0.0], [1.0], [2.0]], [0.0, 0.8, 0.9])
    >>> mean, std = model.predict([[0.5], [9.0]], return_std=True)
    >>> mean.round(2), std.round(2)
    (array([0.39, 0.42]), array([0.16, 1.25]))
    """

    _: KW_ONLY
    noise_std: float | None = None
    noise_prior: object = None
    inference: str = "exact"
    inducing: np.ndarray | int | None = None
    learn_inducing: bool = False
    center: bool = True

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn from X (n, D) and y: (n,), or (n, R) with NaN where an answer is missing."""
        validation.flag(self.center, "center")
        a_prior(self.noise_prior, "noise_prior")
        block = values(X, y)
        if not len(block.y):
            raise ValueError(f"y (shape {np.shape(y)}) holds no answer at all: every element is missing.")
        offset = float(block.y.mean()) if self.center else 0.0
        start = 0.1 * float(block.y.std()) or 0.1 if self.noise_std is None else self._given_noise()
        noise = Gaussian(validation.positive(start, "noise_std"))
        noise = noise if self.noise_prior is None else noise.with_priors(noise_std=self.noise_prior)
        answers, kernels = stack(replace(block, y=block.y - offset, likelihood=noise)), None
        if self.center:
            level_std = ANY_LEVEL * (float(block.y.std()) or 1.0)
            kernels = typical_kernels(answers) if self.kernel is None else [self.kernel]
            kernels = [Levelled(kernel, level_std) for kernel in kernels]
        latent = self._latent_gp().fit(answers, kernels)
        if self.optimize and len(block.y) > 1:
            kernel = latent.kernel_.children[0] if self.center else latent.kernel_
            _warn_of_nothing_learned(block.y, kernel.diagonal(latent.observations_.X), latent.likelihood_.noise_std)
        return self._keep(latent_=latent, offset_=offset, noise_std_=latent.likelihood_.noise_std)

    def _given_noise(self):
        several = isinstance(self.noise_std, (list, tuple)) or hasattr(self.noise_std, "__array__")
        if several and (each := validation.array(self.noise_std, "noise_std")).ndim:
            raise ValueError(
                f"noise_std has shape {each.shape}; one number is needed, the noise of all answers. If "
                "each has a known noise of its own, centre y, and with noise = Gaussian(noise_std, np.arange(len(y))) "
                "fit LatentGP(kernel, inference='exact') to values(X, y, noise.with_priors(noise_std=Fixed()))."
            )
        return self.noise_std

    def predict(
        self, X_new: ArrayLike, return_std: bool = False, return_cov: bool = False
    ) -> NDArray | tuple[NDArray, NDArray]:
        """The curve f at X_new, which is what measurements there would be on average.

        Returns mean (q,); with return_std also the standard deviation (q,), with return_cov the covariance (q, q).

        Source: Nielsen (2015), eqs. 2.17 and 2.20.
        """
        return_std, return_cov = validation.flag(return_std, "return_std"), validation.flag(return_cov, "return_cov")
        if return_std and return_cov:
            raise ValueError("return_std and return_cov are both True; choose one.")
        mean, spread = self.predict_latent(X_new, return_cov)
        return (mean, spread) if return_std or return_cov else mean

    def predict_answer(self, X_new: ArrayLike) -> tuple[NDArray, NDArray]:
        """(mean, standard deviation) of the next measurement at X_new, with its noise."""
        mean, std = self._fitted().predict_answer(X_new)
        return mean + self.offset_, std

    def answer_interval(self, X_new: ArrayLike, confidence: float = 0.9) -> tuple[NDArray, NDArray]:
        """Central prediction interval of the next measurement at X_new, (low, high), (q,) each."""
        low, high = self._fitted().answer_interval(X_new, confidence=confidence)
        return low + self.offset_, high + self.offset_

    def log_predictive_density(self, X_new: ArrayLike, y_new: ArrayLike) -> NDArray:
        """(q,) log density of measurements y_new (q,) at X_new."""
        latent, y_new = self._fitted(), validation.real_array(y_new, "y_new")
        return latent.log_predictive_density(X_new, y_new - self.offset_)

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """R² of the predicted values as forecasts of all answers y, (n,) or (n, R) with NaN where one is missing."""
        return r_squared(X, y, self.predict)


def _warn_of_nothing_learned(y, variances, noise):
    """Warn if all answers are equal, or if noise alone was learned, of f with these variances (n,)."""
    explained = float(variances.mean()) ** 0.5
    if np.ptp(y) == 0.0:
        validation.warn(
            f"all {len(y)} answers are {y[0]:g}: neither the kernel nor the noise can be learned from them, because "
            "the less of both there is, the likelier they are. Give both as you know them, and optimize=False.",
            UserWarning,
        )
    elif explained < NOISE_ALONE * noise:
        validation.warn(
            f"the answers were taken for noise alone (standard deviation {noise:.3g}; that of f is {explained:.1e}): "
            "predictions are the same everywhere. If they should depend on X, begin at another lengthscale or period, "
            "or with n_restarts=5.",
            UserWarning,
        )
