"""Gaussian-process regression for marks on a bounded scale.

Lecture: 07, section 4.
"""

import numpy as np
from sklearn.base import RegressorMixin

from course_lib import validation
from course_lib.gp import Beta, LatentGP, Likelihood, TruncatedGaussian, WarpedGaussian, squeeze, values

LIKELIHOODS = {"beta": Beta, "truncated_gaussian": TruncatedGaussian, "warped": WarpedGaussian}


class BoundedGP(RegressorMixin, LatentGP):
    """Marks y in (low, high): f ~ GP(0, k), and a likelihood for marks whose centre is Φ(f).

    Parameters
    ----------
    kernel : Kernel; SquaredExponential() if None
    likelihood : "beta" (mean Φ(f), precision ν), "truncated_gaussian" (mode Φ(f), precision ν), "warped"
        (Φ⁻¹(y) = f + Gaussian noise), or a Likelihood of marks in (0, 1) with starting values and priors of its own
    inference : "laplace", "ep" or "variational"
    low, high : ends of the scale
    inside : marks nearer to an end than this share of the scale are moved there, e.g. 1e-3; None leaves them, and a
        mark on an end is an error
    optimize, n_restarts, rng, max_iter, progress : as for `LatentGP`

    `predict` and `score` (R²) speak of marks; `sample` and `predict_latent` of f, before Φ and the scale.

    Source: Paper E; thesis 002, section 2.2. Lecture: 07, section 4.
    """

    def __init__(
        self,
        kernel=None,
        likelihood="beta",
        inference="laplace",
        low=0.0,
        high=1.0,
        inside=None,
        optimize=True,
        n_restarts=0,
        rng=None,
        max_iter=200,
        progress=False,
    ):
        super().__init__(
            kernel, inference, optimize=optimize, n_restarts=n_restarts, rng=rng, max_iter=max_iter, progress=progress
        )
        self.likelihood = likelihood
        self.low = low
        self.high = high
        self.inside = inside

    def fit(self, X, y):
        """Learn from X (n, D) and marks y: (n,), or (n, R) with NaN where a mark is missing.

        Raises
        ------
        ValueError
            If a mark lies on an end of the scale or outside, or shapes or settings are not what they should be.

        Lecture: 07, section 4.
        """
        validation.interval(self.low, self.high)
        start = self._start()
        return super().fit(values(X, self._to_unit(y), start))

    def _start(self):
        if isinstance(self.likelihood, Likelihood):
            return self.likelihood
        return LIKELIHOODS[validation.one_of(self.likelihood, tuple(LIKELIHOODS), "likelihood")]()

    def _to_unit(self, y, name="y"):
        """Marks on the scale from 0 to 1; NaN stays NaN. Without `inside`, marks on an end are refused."""
        marks = np.atleast_1d(validation.answers(y, name))
        share, given = (marks - self.low) / (self.high - self.low), ~np.isnan(marks)
        wrong = (share < 0) | (share > 1) if self.inside is not None else (share <= 0) | (share >= 1)
        if wrong.any():
            k = tuple(np.argwhere(wrong)[0].tolist())
            raise ValueError(
                f"{name}{list(k)} is {marks[k]:g}; marks must lie strictly inside the scale from {self.low:g} to "
                f"{self.high:g} (low and high). Those on an end: set inside, such as inside=1e-3, or move them with "
                "squeeze(y)."
            )
        if self.inside is not None and given.any():
            share[given] = squeeze(share[given], inside=self.inside)
        return share

    def predict(self, X_new, return_std=False):
        """The expected mark at new inputs, on the scale of the marks; with its standard deviation if wanted.

        Raises
        ------
        ValueError
            As LatentGP.predict.

        Source: Paper E, eqs. 7–8; thesis 002, below eq. 2.39 with the noise of errata ★. Lecture: 07, section 5.
        """
        return_std = validation.flag(return_std, "return_std")
        mean, std = super().predict(X_new, return_std=True)
        mean, std = self.low + (self.high - self.low) * mean, (self.high - self.low) * std
        return (mean, std) if return_std else mean

    def log_predictive_density(self, X_new, y_new):
        """(q,) log density of new marks, per unit of the marks' scale.

        Raises
        ------
        ValueError
            As LatentGP.log_predictive_density.

        Source: Paper E, Table 1. Lecture: 07, section 6.
        """
        inner = super().log_predictive_density(X_new, self._to_unit(y_new, "y_new"))
        return inner - np.log(self.high - self.low)
