"""The experiment of Jensen et al. (2011): what is asked, and the kernel and priors with which models learn (MAP-II).

Lecture: 10, section 6.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import selection, validation
from course_lib.gp import Beta, Gamma, SquaredExponential
from course_lib.judgments.comparisons.likelihoods import Comparison
from course_lib.judgments.comparisons.pairs import Compare, random_pairs, told_apart
from course_lib.kinds import Rng

LEAST_DEGREE = 1e-4  # how near to 0 and 1 a degree may come


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
    return X, *told_apart(griewangk(X[:, 0]))


def paper_settings(paper="A", response="degree"):
    """Keyword arguments of a model as in Jensen et al. (2011), paper "A": `PreferenceGP(**paper_settings("A"))`.

    σ = 1, σ_f and ℓ free, ν ~ Gamma(1, rate 0.05); its k = σ_f² exp(−d²/l²) with l = 1, so ℓ = 1/√2.

    response : "degree" or "choice"

    Source: Jensen et al. (2011), table 1.
    """
    validation.one_of(paper, ("A",), "paper")
    return {
        "kernel": SquaredExponential(1.0, 1.0 / np.sqrt(2.0)),
        "response": validation.one_of(response, ("degree", "choice"), "response"),
        "noise_std": 1.0,
        "precision": 10.0,
        "precision_prior": Gamma(1.0, 0.05),
    }
