"""Numbers with Gaussian noise: one spread for all answers, or one for each group of them.

Lecture: 05, section 3; 06, sections 2–5; 10, section 4.
"""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from course_lib import selection, validation
from course_lib.gp.likelihoods.base import Likelihood
from course_lib.gp.parameters import positive_parameter
from course_lib.gp.quadrature import LOG_ROOT_2PI


class Gaussian(Likelihood):
    """y = g + noise, the noise normal: p(y | g) = N(y | g, σ²).

    noise_std : σ > 0 in the unit of y, or (R,) of them, one for each group
    groups : (m,) ints in 0 … R−1, the group of each response; None if there is one noise for all

    Source: Rasmussen & Williams (2006), section 2.2; Gil González et al. (2019), eq. 1, for the groups.
    """

    parameter_names = ("noise_std",)
    log_concave = is_gaussian = True
    _gain_of_each = 1.0  # what g is multiplied by, before there is noise

    def __init__(self, noise_std: ArrayLike = 1.0, groups: ArrayLike | None = None):
        if groups is None and np.ndim(validation.array(noise_std, "noise_std")) > 0:
            raise ValueError(
                f"noise_std has shape {np.shape(noise_std)} and groups is None; one number is needed, or groups that "
                "say whose noise each response has."
            )
        self.noise_std = positive_parameter(noise_std, "noise_std", vector=groups is not None)
        self.groups = groups
        if groups is not None:
            self.noise_std = np.atleast_1d(self.noise_std)
            self.groups = selection.indices(groups, "groups", (None,), len(self.noise_std), "groups of noise_std")

    def only(self, group: int) -> Self:
        """The likelihood of this group's answers alone: one noise, for any number of responses."""
        noises = np.atleast_1d(self.noise_std)
        if validation.integer(group, "group", least=0) >= len(noises):
            raise ValueError(f"group is {group}; the groups are 0 … {len(noises) - 1}.")
        return type(self)(float(noises[group])).with_priors(**self.priors)

    def check(self, y: ArrayLike) -> NDArray:
        y = super().check(y)
        if self.groups is not None and len(y) != len(self.groups):
            raise ValueError(f"y has {len(y)} answers and groups has {len(self.groups)}; each answer needs its group.")
        return y

    def _target(self, y):
        """(z, log |dz/dy|): what is normal about g, and the Jacobian of getting there."""
        return y, 0.0

    def link(self, y):
        return self._target(y)[0]

    def _std(self):
        return self.noise_std if self.groups is None else self.noise_std[self.groups]

    def _std_for(self, g):
        """The noise of each response, if g has as many as there are groups."""
        if self.groups is not None and np.shape(g)[-1:] != self.groups.shape:
            raise ValueError(
                f"there are groups for {len(self.groups)} responses, but {np.shape(g)} came; "
                "for other responses choose one noise: likelihood.only(group)."
            )
        return self._std()

    def site(self, y):
        """(τ, ν) with p(y | g) ∝ exp(ν g − ½ τ g²): (1/σ², y/σ²), each (m,)."""
        z, precision = self._target(y)[0], self._std() ** -2.0
        return np.broadcast_to(precision, np.shape(z)).copy(), z * precision

    def derivatives(self, y, g):
        (z, jacobian), std = self._target(y), self._std()
        r = (z - g) / std
        density = -0.5 * r**2 - np.log(std) - LOG_ROOT_2PI + jacobian
        return density, r / std, np.zeros_like(r) - std**-2.0, np.zeros_like(r)

    def _parameter_derivatives(self, name, y, g):
        slopes, element = self._slopes(name, y, g)
        if element is None:
            return tuple(slope[None] for slope in slopes)
        moves = element == np.arange(np.size(getattr(self, name))).reshape(-1, *(1,) * np.ndim(slopes[0]))
        return tuple(slope * moves for slope in slopes)

    def _slopes(self, name, y, g):
        """As `_parameter_derivatives`, of each answer in the one element that it moves with; (m,) which, or None."""
        std = self._std()
        r = (self._target(y)[0] - g) / std
        return (r**2 - 1, -2 * r / std, np.zeros_like(r) + 2 * std**-2.0), self.groups

    def mean(self, g):
        return self._gain_of_each * np.asarray(g, dtype=float)

    def variance(self, g):
        return np.zeros_like(g, dtype=float) + (self._gain_of_each * self._std_for(g)) ** 2

    def sample(self, g, rng):
        return self._gain_of_each * (g + self._std_for(g) * validation.generator(rng).normal(size=np.shape(g)))

    def expectations(self, y, mean, variance):
        y, mean, variance = np.broadcast_arrays(y, mean, variance)
        density, slope, curvature, _ = self.derivatives(y, mean)
        return density + 0.5 * variance * curvature, slope, curvature

    def expected_parameter_gradient(self, y, mean, variance):
        at_mean, _, bend = self.parameter_derivatives(y, mean)
        return at_mean + 0.5 * variance * bend

    def total_parameter_gradient(self, y, mean, variance):
        """Without a row of zeros and a few slopes for each group: of seventy raters they would be most of the work."""
        found = [np.zeros(0)]
        for name in self._free():
            (at_mean, _, bend), element = self._slopes(name, y, mean)
            element = np.zeros(len(y), dtype=int) if element is None else element
            found.append(np.bincount(element, at_mean + 0.5 * variance * bend, np.size(getattr(self, name))))
        return np.concatenate(found)

    def tilted(self, y, mean, variance, start=None):
        (z, jacobian), noise = self._target(y), self._std() ** 2
        total = variance + noise
        log_Z = -0.5 * (z - mean) ** 2 / total - 0.5 * np.log(total) - LOG_ROOT_2PI + jacobian
        return log_Z, (mean * noise + z * variance) / total, np.zeros_like(log_Z) + variance * noise / total

    def tilted_parameter_gradient(self, y, mean, variance, start=None):
        return self.expected_parameter_gradient(y, *self.tilted(y, mean, variance)[1:])

    def predict(self, mean, variance):
        mean, variance = np.broadcast_arrays(np.asarray(mean, dtype=float), variance)
        return self._gain_of_each * mean, self._gain_of_each**2 * (variance + self._std_for(mean) ** 2)

    def predict_mean(self, mean, variance):
        mean, variance = np.broadcast_arrays(np.asarray(mean, dtype=float), variance)
        return self._gain_of_each * mean, self._gain_of_each**2 * variance

    def cumulative(self, y, g):
        return ndtr((self._target(y)[0] - g) / self._std_for(g))

    def sides(self, g):
        z = g / self._std_for(g)
        return ndtr(z), ndtr(-z)

    def probability_above(self, mean, variance):
        return ndtr(mean / np.sqrt(variance + self._std_for(mean) ** 2))

    def quantile(self, p, mean, variance):
        return self._gain_of_each * (mean + ndtri(p) * np.sqrt(variance + self._std_for(mean) ** 2))
