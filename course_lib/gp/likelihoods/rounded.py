"""Marks in steps: a mark says only between which two places the answer fell. Lecture: 07, section 14."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.gp.likelihoods.base import Likelihood, WrappedLikelihood

STEP_TOLERANCE = 1e-6  # of a step: as near to a whole number of them as rounding leaves it


def number_of_steps(step, low=0.0, high=1.0):
    """How many steps a scale has from low to high; ValueError if that is no whole number."""
    steps = (high - low) / validation.positive(step, "step")
    if np.rint(steps) < 1 or abs(steps - np.rint(steps)) > STEP_TOLERANCE:
        raise ValueError(f"step is {step!r}; the scale from {low:g} to {high:g} must be a whole number of steps.")
    return int(np.rint(steps))


def off_the_steps(share, steps):
    """Whether numbers from 0 to 1 are no whole numbers of steps; what is missing (NaN) is not."""
    count = np.asarray(share) * steps
    beyond = (count < -STEP_TOLERANCE) | (count > steps + STEP_TOLERANCE)
    return beyond | (np.abs(count - np.rint(count)) > STEP_TOLERANCE)


class Rounded(WrappedLikelihood):
    """Marks 0, 1/n … 1: the mark k/n is what lies between k − ½ and k + ½ steps, and marks on the ends all beyond.

    Statistics calls such answers interval-censored. Each mark has a probability, F(k + ½) − F(k − ½), and none a
    density: so a mark on an end is an answer like the others, and need not be moved.

    likelihood : of the answers before they are rounded: Beta, TruncatedGaussian, WarpedGaussian or CensoredGaussian
    steps : n ≥ 1, of which the scale is made

    Source: Heitjan (1989), "Inference from grouped continuous data: a review"; Tobin (1958) for the ends.
    """

    middle, support = 0.5, (0.0, 1.0)

    def __init__(self, likelihood: Likelihood, steps: int):
        validation.has_methods(likelihood, ("between",), "likelihood", "one of marks, such as Beta(10.0)")
        self.children = (likelihood,)
        self.steps = validation.integer(steps, "steps")

    @property
    def step(self):
        """As Likelihood.step, of the quadrature over g."""
        return self.inner.step

    @property
    def possible(self):
        """(n + 1,) the marks."""
        return np.arange(self.steps + 1) / self.steps

    @property
    def cuts(self):
        """(n,) where one mark ends and the next begins."""
        return (np.arange(self.steps) + 0.5) / self.steps

    def check(self, y: ArrayLike) -> NDArray:
        return np.rint(super().check(y) * self.steps) / self.steps

    def _cannot_occur(self, y):
        return off_the_steps(y, self.steps)

    def _needed(self, y):
        return f"it must be a whole number of steps, k/{self.steps} with k = 0 … {self.steps}."

    def _ends(self, y):
        """Where the answers to a mark begin and end, without an end at those of the scale."""
        ends, mark = np.concatenate([[-np.inf], self.cuts, [np.inf]]), np.rint(np.asarray(y) * self.steps).astype(int)
        return ends[mark], ends[mark + 1]

    def derivatives(self, y, g):
        return self.inner.between(*self._ends(y), g)

    def parameter_derivatives(self, y, g):
        if not self.inner.n_free:
            return tuple(np.zeros((3, 0, *np.broadcast_shapes(np.shape(y), np.shape(g)))))
        return tuple(slope[None] for slope in self.inner.between_parameters(*self._ends(y), g))

    def cumulative(self, y, g):
        """P(answer before rounding ≤ the place at which the mark y ends)."""
        mark = np.searchsorted(self.possible, y, side="right") - 1
        below = self.inner.cumulative(self.cuts[np.clip(mark, 0, self.steps - 1)], g)
        return np.where(mark < 0, 0.0, np.where(mark < self.steps, below, 1.0))

    def _moments(self, above):
        """(mean, variance) of a mark that is beyond the k-th cut with probability above(cut)."""
        first = second = 0.0
        for k, cut in enumerate(self.cuts):
            share = above(cut)
            first, second = first + share, second + (2 * k + 1) * share
        return first / self.steps, (second - first**2) / self.steps**2

    def mean(self, g):
        return self._moments(lambda cut: 1.0 - self.inner.cumulative(cut, g))[0]

    def variance(self, g):
        return self._moments(lambda cut: 1.0 - self.inner.cumulative(cut, g))[1]

    def predict(self, mean, variance):
        g, weight = self._gaussian_nodes((0.0, 1.0), mean, variance)
        return self._moments(lambda cut: (weight * (1.0 - self.inner.cumulative(cut, g))).sum(axis=0))

    def sample(self, g, rng):
        return np.rint(np.clip(self.inner.sample(g, rng), 0.0, 1.0) * self.steps) / self.steps

    def _inside(self, y):
        """A place inside what the mark y stands for."""
        return np.clip(y, 0.25 / self.steps, 1.0 - 0.25 / self.steps)

    def link(self, y):
        return self.inner.link(self._inside(y))

    def _quadrature_centre(self, y):
        return self.inner._turn(self._inside(y))

    def _turn(self, y):
        mark = np.searchsorted(self.possible, y, side="right") - 1
        return self.inner._turn(self.cuts[np.clip(mark, 0, self.steps - 1)])
