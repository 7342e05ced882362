"""Simulated people who compare, and pairs to ask them about: the learning curves of Jensen et al. (2011), the toys of
Nielsen et al. (2011) and Nielsen et al. (2012).

Lecture: 10, section 6; 11, sections 1, 4, 7 and 12.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import selection, validation
from course_lib.gp import Beta, SquaredExponential
from course_lib.gp.sites import symmetric_root
from course_lib.judgments.comparisons.likelihoods import Comparison
from course_lib.kinds import Rng

LEAST_DEGREE = 1e-4  # how near to 0 and 1 a degree may come


class Compare(NamedTuple):
    """Comparisons of items X (n, D) whose true worth is f (n,): pairs (m, 2), and answers to them (m,).

    degrees : between 0 and 1, above ½ if b is preferred; 0 or 1 where answers have no noise
    choices : ±1, which side of ½ that is
    """

    X: np.ndarray
    f: np.ndarray
    pairs: np.ndarray
    degrees: np.ndarray
    choices: np.ndarray


def griewangk(x: ArrayLike) -> NDArray:
    """What paper A's choices are about: Griewangk's function of one variable, 1 + x²/4000 − cos x.

    Source: Jensen et al. (2011), figure 2.
    """
    x = validation.real_array(x, "x")
    return 1.0 + x**2 / 4000.0 - np.cos(x)


def simulate_degrees(
    f: ArrayLike,
    pairs: ArrayLike,
    precision: float,
    noise_std: float = 1.0,
    rng: Rng = None,
) -> NDArray:
    """(m,) degrees from a beta distribution round Φ((f_b − f_a)/(√2σ)), kept 1e-4 away from 0 and 1.

    Source: Jensen et al. (2011), eqs. 2–3.
    """
    f = validation.real_array(f, "f")
    if f.ndim != 1:
        raise ValueError(f"f has shape {f.shape}; the worth of each item is needed: (n,).")
    a, b = selection.indices(pairs, "pairs", (None, 2), len(f), "items", " of f").T
    person = Comparison(Beta(precision), noise_std)
    return np.clip(person.sample(f[b] - f[a], validation.generator(rng)), LEAST_DEGREE, 1 - LEAST_DEGREE)


def random_pairs(n: int, m: int, rng: Rng = None) -> NDArray:
    """(m, 2) pairs of two different items of n, each pair as probable as any other."""
    n, m = validation.integer(n, "n", least=2), validation.integer(m, "m")
    rng = validation.generator(rng)
    a = rng.integers(n, size=m)
    return np.column_stack([a, (a + rng.integers(1, n, size=m)) % n])


def all_pairs(n: int) -> NDArray:
    """(n(n−1)/2, 2) all pairs a < b of n items."""
    return np.column_stack(np.triu_indices(validation.integer(n, "n", least=2), k=1))


def paper_a(m, precision, rng=None):
    """The experiment of Jensen et al. (2011): m random comparisons of 101 inputs on [−8, 8] by a person with this ν,
    σ = 1.

    Source: Jensen et al. (2011), section 4.
    """
    rng = validation.generator(rng)
    X = np.linspace(-8.0, 8.0, 101)[:, None]
    f = griewangk(X[:, 0])
    pairs = random_pairs(len(X), m, rng)
    degrees = simulate_degrees(f, pairs, precision, rng=rng)
    return Compare(X, f, pairs, degrees, np.where(degrees > 0.5, 1.0, -1.0))


def paper_a_test():
    """The pairs of inputs halfway between the 101, and which of the two is truly better; mirrored inputs are equal.

    Returns X (100, 1), pairs (m, 2), truth (m,) ±1.

    Source: Jensen et al. (2011), section 4.
    """
    X = (np.linspace(-8.0, 8.0, 101)[:-1] + 0.08)[:, None]
    return X, *_told_apart(griewangk(X[:, 0]))


def _told_apart(f):
    """All pairs of items whose worths f (n,) differ, and ±1 for the better; of equal ones rounding would decide."""
    pairs = all_pairs(len(f))
    gap = np.diff(f[pairs], axis=1)[:, 0]
    differ = np.abs(gap) > 1e-9
    return pairs[differ], np.sign(gap[differ])


def cosine_toy():
    """The toy of Nielsen et al. (2011): a cosine at 17 inputs on [−2π, 2π], all pairs of them, answers without
    noise; no ties (22 pairs).

    Source: Nielsen et al. (2011), section 3.1.
    """
    X = np.linspace(-2 * np.pi, 2 * np.pi, 17)[:, None]
    f = np.cos(X[:, 0])
    pairs, choices = _told_apart(f)
    return Compare(X, f, pairs, 0.5 * (1 + choices), choices)


def paper_c_toy(n=31, lengthscale=0.5, rng=None):
    """The toy of Nielsen et al. (2012): n equidistant inputs on [0, 4], one smooth function, all their pairs,
    answers without noise.

    Source: Nielsen et al. (2012), section 3.1 and figure 1(a), with the inputs of Nielsen (2015).
    """
    X = np.linspace(0.0, 4.0, validation.integer(n, "n", least=2))[:, None]
    f = symmetric_root(SquaredExponential(1.0, lengthscale)(X)) @ validation.generator(rng).normal(size=len(X))
    pairs = all_pairs(len(X))
    choices = np.where(f[pairs[:, 1]] > f[pairs[:, 0]], 1.0, -1.0)
    return Compare(X, f, pairs, 0.5 * (1 + choices), choices)
