"""Simulated listeners for testing a personaliser without people: each has a known utility and answers pairs.

Their settings are points of the unit cube; `SettingSpace.to_unit` converts others.

Lecture: 12, sections 4 and 8.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.gp import Beta, Probit
from course_lib.judgments.comparisons.likelihoods import Comparison, ProbitWithTies
from course_lib.kinds import Rng

DEGREE_MARGIN = 1e-4  # smallest distance of a degree from 0 and 1
TIE_THRESHOLD = 0.5  # δ in units of the noise of a difference


class Listener:
    """A listener whose utility decreases with distance from an optimum: f(x) = −½ Σ_d ((x_d − optimum_d)/width)².

    Parameters
    ----------
    optimum : (d,) point of the unit cube
    width : distance in each number at which f is half a unit (of the noise of one judgement) below the optimum
    noise_std : σ > 0 of one judgement
    precision : ν > 0 of degrees: how similar the degrees of equal judgements are
    rng : numpy Generator or seed

    `judge(a, b, response)` is an answer to a pair: a degree in (0, 1), a choice −1 or +1, or 0 in "choice_or_tie";
    above the middle if b is preferred. `rate(x)` is a mark in (0, 1).

    Source of the answers: Jensen et al. (2011), eqs. 2–3.
    """

    def __init__(
        self,
        optimum: ArrayLike,
        *,
        width: float = 0.25,
        noise_std: float = 1.0,
        precision: float = 10.0,
        rng: Rng = None,
    ):
        self.optimum = validation.real_array(optimum, "optimum")
        if self.optimum.ndim != 1 or (np.abs(self.optimum - 0.5) > 0.5).any():
            raise ValueError(f"optimum is {self.optimum.tolist()}; a point (d,) of the unit cube is needed.")
        self.width = validation.positive(width, "width")
        self.noise_std = validation.positive(noise_std, "noise_std")
        self.precision = validation.positive(precision, "precision")
        self.rng = validation.generator(rng)

    def worth(self, x: ArrayLike) -> float | NDArray:
        """f at points x (…, d), in the unit of σ = 1; 0 where it is largest."""
        x = validation.real_array(x, "x")
        if x.ndim == 0 or x.shape[-1] != len(self.optimum):
            raise ValueError(f"x has shape {x.shape}; (…, {len(self.optimum)}) is needed, as the optimum has it.")
        return self._worth(x)

    def _worth(self, x):
        return -0.5 * np.sum(((x - self.optimum) / self.width) ** 2, axis=-1)

    def judge(self, a: ArrayLike, b: ArrayLike, response: str = "degree") -> float:
        """An answer to the points a and b, (d,) each."""
        validation.one_of(response, ("degree", "choice", "choice_or_tie"), "response")
        a, b = (validation.matrix(x, name, self.optimum.shape) for x, name in ((a, "a"), (b, "b")))
        gap = np.array([self._gap(a, b)])
        ties = ProbitWithTies(TIE_THRESHOLD)
        inner = {"degree": Beta(self.precision), "choice": Probit(), "choice_or_tie": ties}[response]
        said = float(Comparison(inner, self.noise_std).sample(gap, self.rng)[0])
        return float(np.clip(said, DEGREE_MARGIN, 1.0 - DEGREE_MARGIN)) if response == "degree" else said

    def _gap(self, a, b):
        """f(b) − f(a) as perceived by this listener."""
        return float(self._worth(b) - self._worth(a))

    def rate(self, x: ArrayLike) -> float:
        """A mark in (0, 1) for a point x (d,), higher if it is better; ½ is expected where f is 2 below the optimum.

        Source: Jensen et al. (2013).
        """
        x = validation.matrix(x, "x", self.optimum.shape)
        said = Beta(self.precision).sample(np.array([self._gap(self.optimum, x) + 2.0]), self.rng)
        return float(np.clip(said[0], DEGREE_MARGIN, 1.0 - DEGREE_MARGIN))


class DeafListener(Listener):
    """A listener who hears no difference between any two settings. Parameters as for Listener."""

    def _worth(self, x):
        return np.zeros(x.shape[:-1])


class FirstListener(DeafListener):
    """A listener who prefers the first sound by `lead` > 0 units of the noise, and hears no other difference."""

    def __init__(self, optimum, *, lead=2.0, **settings):
        super().__init__(optimum, **settings)
        self.lead = validation.positive(lead, "lead")

    def _gap(self, a, b):
        return -self.lead
