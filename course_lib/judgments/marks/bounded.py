"""Gaussian-process regression for marks on a bounded scale. Lecture: 07, sections 4–6; 08, section 1."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from course_lib import gp, validation
from course_lib.gp import values
from course_lib.gp.likelihoods.rounded import number_of_steps, off_the_steps
from course_lib.gp.model import r_squared
from course_lib.settings import KW_ONLY, settings

MARK_LIKELIHOODS = {
    "beta": gp.Beta,
    "truncated_gaussian": gp.TruncatedGaussian,
    "warped": gp.WarpedGaussian,
    "gaussian": gp.CensoredGaussian,
}


@settings
class BoundedGP(RegressorMixin, gp.LatentModel):
    """Marks y on a scale from low to high: f ~ GP(0, k), and a likelihood for marks whose centre is Φ(f).

    Parameters
    ----------
    kernel : Kernel; SquaredExponential() if None
    likelihood : "beta" (mean Φ(f), precision ν), "truncated_gaussian" (mode Φ(f), precision ν), "warped"
        (Φ⁻¹(y) = f + Gaussian noise), "gaussian" (with a step only: the middle of the scale + f/4 of its length +
        Gaussian noise, put on the end where that is beyond), or a Likelihood of marks in (0, 1) with starting values
        and priors of its own
    inference : "laplace", "ep" or "variational"; where marks are few, intervals of f hold a little more
        often by EP
    low, high : ends of the scale
    inside : marks nearer to an end than this share of the scale are moved there, e.g. 1e-3; None leaves them, and a
        mark on an end is an error
    step : None: marks are exact numbers; else what they are whole multiples of, counted from low, such as 1.0. Each
        then stands for all that is nearer to it than to others, and has a probability: see `gp.Rounded`. Marks on an
        end are marks like the others, and `inside` is not needed
    optimize, n_restarts, rng, max_iter, progress : as for `LatentGP`

    `predict`, `predict_answer`, `answer_interval` and `score` (R²) speak of marks; `predict_latent`, `sample` and all
    that compares items of f, before Φ and the scale.

    Source: Jensen et al. (2013); Nielsen (2015), section 2.2.

    >>> from course_lib.judgments import BoundedGP
    >>> model = BoundedGP(low=0, high=100).fit([[0.0], [1.0], [2.0], [3.0], [4.0]], [12, 22, 61, 55, 90])
    >>> model.predict([[1.5], [9.0]]).round()
    array([38., 59.])
    """

    _: KW_ONLY
    likelihood: str | gp.Likelihood = "beta"
    inference: str = "laplace"
    low: float = 0.0
    high: float = 1.0
    inside: float | None = None
    step: float | None = None

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn from X (n, D) and marks y: (n,), or (n, R) with NaN where a mark is missing."""
        validation.interval(self.low, self.high)
        likelihood = self._start()
        return self._keep(latent_=self._latent_gp().fit(values(X, self._to_unit(y), likelihood)))

    def _start(self):
        given = isinstance(self.likelihood, gp.Likelihood)
        return self._in_steps(self.likelihood if given else self._kind(MARK_LIKELIHOODS)())

    def _kind(self, kinds):
        """The class of likelihood that `likelihood` names, one of these."""
        kind = kinds[validation.one_of(self.likelihood, tuple(kinds), "likelihood")]
        if kind is gp.CensoredGaussian and self.step is None:
            raise ValueError('likelihood is "gaussian" and step None; marks on an end need a step, such as step=1.')
        return kind

    def _in_steps(self, likelihood):
        """The likelihood of marks, rounded if there is a step."""
        return likelihood if self.step is None else gp.Rounded(likelihood, self._steps())

    def _steps(self):
        """How many steps there are from low to high."""
        if self.inside is not None:
            raise ValueError(f"inside is {self.inside!r} and step {self.step!r}; with a step no mark has to be moved.")
        return number_of_steps(self.step, self.low, self.high)

    def _to_unit(self, y, name="y"):
        """Marks on the scale from 0 to 1; NaN stays NaN. Without `inside` or a step, marks on an end are refused."""
        marks = np.atleast_1d(validation.answers(y, name))
        share, given = (marks - self.low) / (self.high - self.low), ~np.isnan(marks)
        if self.step is not None:
            return self._in_whole_steps(marks, share, name)
        wrong = (share < 0) | (share > 1) if self.inside is not None else (share <= 0) | (share >= 1)
        if wrong.any():
            k = tuple(np.argwhere(wrong)[0].tolist())
            raise ValueError(
                f"{name}{list(k)} is {marks[k]:g}; marks must lie strictly inside the scale from {self.low:g} to "
                f"{self.high:g} (low and high). Those on an end: set step, if marks are in steps, or inside, such "
                "as inside=1e-3, or move them with squeeze(y)."
            )
        if self.inside is not None and given.any():
            share[given] = gp.squeeze(share[given], inside=self.inside)
        return share

    def _in_whole_steps(self, marks, share, name):
        """The shares, if all are whole numbers of steps."""
        steps = self._steps()
        wrong = off_the_steps(share, steps)
        if wrong.any():
            k = tuple(np.argwhere(wrong)[0].tolist())
            raise ValueError(
                f"{name}{list(k)} is {marks[k]:g}; marks must be whole steps of {self.step:g} on the scale from "
                f"{self.low:g} to {self.high:g} (step, low and high)."
            )
        return np.rint(share * steps) / steps

    def predict(self, X_new: ArrayLike, return_std: bool = False) -> NDArray | tuple[NDArray, NDArray]:
        """The expected mark at X_new; with return_std also the standard deviation of that expectation.

        Source: Jensen et al. (2013), eqs. 7–8; Nielsen (2015), below eq. 2.39, with the noise added.
        """
        return_std = validation.flag(return_std, "return_std")
        mean, std = self._fitted().predict(X_new, return_std=True)
        return self._on_scale(mean, std) if return_std else self._on_scale(mean)

    def expected_mark(self, f: ArrayLike, std: ArrayLike = 0.0) -> NDArray:
        """The expected mark where f is N(f, std²), (q,) each, on the scale of the marks; it rises with f.

        Of a model of raters: the mark of a rater without bias.

        Source: Jensen et al. (2013), eqs. 7–8.
        """
        self._fitted()
        f = validation.real_array(f, "f")
        std = (
            np.asarray(validation.not_negative(std, "std")) if np.isscalar(std) else validation.real_array(std, "std")
        )
        if std.shape not in ((), f.shape) or (std < 0).any():
            raise ValueError(
                f"std has shape {std.shape} and f {f.shape}; one number ≥ 0, or one for each f, is needed."
            )
        return self._on_scale(self._share_moments(f, np.broadcast_to(std, f.shape))[0])

    def _share_moments(self, f, std):
        """(mean, variance) of the expected mark, on the scale from 0 to 1, where f is N(f, std²)."""
        return self.likelihood_.predict_mean(f, std**2)

    def predict_answer(self, X_new: ArrayLike) -> tuple[NDArray, NDArray]:
        """(mean, standard deviation) of the next mark at X_new. For an interval use `answer_interval`."""
        return self._on_scale(*self._fitted().predict_answer(X_new))

    def answer_interval(self, X_new: ArrayLike, confidence: float = 0.9) -> tuple[NDArray, NDArray]:
        """Central prediction interval of the next mark, (low, high), (q,) each. It never leaves the scale."""
        ends = self._fitted().answer_interval(X_new, confidence=confidence)
        return tuple(map(self._on_scale, ends))

    def _on_scale(self, mark, std=None):
        """Marks between 0 and 1, and what they are known by, on the scale of the marks."""
        mark = self.low + (self.high - self.low) * mark
        return mark if std is None else (mark, (self.high - self.low) * std)

    def log_predictive_density(self, X_new: ArrayLike, y_new: ArrayLike) -> NDArray:
        """(q,) log density of new marks, per unit of the marks' scale; with a step, their log probability.

        Source: Jensen et al. (2013), Table 1.
        """
        latent, marks = self._fitted(), self._to_unit(y_new, "y_new")
        return latent.log_predictive_density(X_new, marks) - np.log(self._unit)

    @property
    def _unit(self):
        """Of densities: the length of the scale. Probabilities have none."""
        return self.high - self.low if self.step is None else 1.0

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """R² of the predicted values as forecasts of all answers y, (n,) or (n, R) with NaN where one is missing."""
        return r_squared(X, y, self.predict)
