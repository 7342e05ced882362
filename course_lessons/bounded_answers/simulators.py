"""Simulated marks with each of three kinds of noise, as in Jensen et al. (2013), and the fit of a model to them.

Lecture: 07, sections 1 and 6.
"""

import warnings
from functools import cache
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from course_lib import validation
from course_lib.gp import Beta, Kernel, Likelihood, SquaredExponential, TruncatedGaussian, WarpedGaussian
from course_lib.judgments.marks.bounded import MARK_LIKELIHOODS, BoundedGP

TRUE_NOISE = {"warped": WarpedGaussian(0.5), "truncated_gaussian": TruncatedGaussian(10.0), "beta": Beta(30.0)}
FIRST_SCALES = {"warped": (0.3, 1.0, 3.0), "truncated_gaussian": (3.0, 10.0, 30.0), "beta": (3.0, 10.0, 30.0)}


class Simulated(NamedTuple):
    """A function drawn from a Gaussian process: inputs (n, 1) and values (n,), to train and to test with."""

    X: np.ndarray
    f: np.ndarray
    X_test: np.ndarray
    f_test: np.ndarray

    def marks(self, noise, rng, inside=1e-6):
        """Marks (y (n,), y_test (n,)) by a likelihood; those nearer to a bound than `inside` are put there."""
        validation.instance(noise, Likelihood, "noise", "a Likelihood of marks, such as Beta(30.0)")
        inside = validation.between(inside, "inside", 0, 0.5)
        rng = validation.generator(rng)
        return tuple(np.clip(noise.sample(f, rng), inside, 1 - inside) for f in (self.f, self.f_test))


def simulate(kernel, n, rng, width=10.0):
    """One function at n inputs to train with and n others to test with, all uniform between 0 and `width`."""
    n, width = validation.integer(n, "n", least=1), validation.positive(width, "width")
    validation.instance(kernel, Kernel, "kernel", "a Kernel such as SquaredExponential()")
    rng = validation.generator(rng)
    X = rng.uniform(0.0, width, size=(2 * n, 1))
    root = np.linalg.cholesky(kernel(X) + 1e-8 * np.eye(2 * n))
    f = root @ rng.normal(size=2 * n)
    return Simulated(X[:n], f[:n], X[n:], f[n:])


def best_fit(kind, kernel, X, y, **settings):
    """A BoundedGP learned from several starting values of its noise: of those that converged, the one highest up.

    kind : "warped", "truncated_gaussian" or "beta";  kernel : where its search begins;  settings : as for BoundedGP

    Source: Jensen et al. (2013), section 6: "initialize the likelihood noise parameter with multiple values in a grid
    pattern".
    """
    likelihood = MARK_LIKELIHOODS[validation.one_of(kind, tuple(MARK_LIKELIHOODS), "kind")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the choice below looks at what converged
        fits = [BoundedGP(kernel, likelihood=likelihood(start), **settings).fit(X, y) for start in FIRST_SCALES[kind]]
    return max(fits, key=lambda model: (model.converged_, model.log_posterior_))


@cache
def toy_marks():
    """(Simulated, y, y_test): 30 marks of a smooth function that touches both ends; warped noise, σₙ = 0.5."""
    function = simulate(SquaredExponential(3.0, 1.2), 30, rng=9)
    return function, *function.marks(TRUE_NOISE["warped"], rng=1)
