"""A few answers, the hyper-parameters that are learned from them, and what later answers say to that.

Lecture: 05, section 5.
"""

import warnings
from typing import NamedTuple

import numpy as np

from course_lib.gp.kernels import SquaredExponential
from course_lib.gp.priors import Gamma, HalfStudentT
from course_lib.gp.regression import GPRegression
from course_lib.metrics import proportion
from course_widgets.tables import table

TRUE_LENGTHSCALE, NOISE_STD, N_LATER = 0.7, 0.3, 100  # the truth; later answers to be judged by
SAMPLES = 60


class Sample(NamedTuple):
    """(n,) inputs and answers, and (100,) later ones of the same function."""

    x: np.ndarray
    y: np.ndarray
    x_later: np.ndarray
    y_later: np.ndarray


class Learned(NamedTuple):
    """Mean log density of the later answers, and the ℓ and σ_n that were learned."""

    log_density: float
    lengthscale: float
    noise_std: float


def small_sample(n, seed):
    """n answers at random places of [0, 4], from a process with ℓ = 0.7, σ_f = 1, σ_n = 0.3."""
    rng = np.random.default_rng(seed)
    x = np.append(rng.uniform(0, 4, n), np.linspace(0, 4, N_LATER))
    root = np.linalg.cholesky(SquaredExponential(1.0, TRUE_LENGTHSCALE)(x) + 1e-6 * np.eye(len(x)))
    y = root @ rng.normal(size=len(x)) + NOISE_STD * rng.normal(size=len(x))
    return Sample(x[:n], y[:n], x[n:], y[n:])


def scheme(ell, variance, noise):
    """What `learned` needs for these three priors, of ℓ, σ_f² and σ_n."""
    return {"kernel": SquaredExponential().with_priors(lengthscale=ell, variance=variance), "noise_prior": noise}


SCHEMES = {
    "ML-II": {"kernel": SquaredExponential()},
    "MAP-II, Gamma": scheme(Gamma(3, 2), Gamma(3, 2), Gamma(2, 5)),
    "MAP-II, half-t": scheme(HalfStudentT(1.5), HalfStudentT(1.5), HalfStudentT(0.5)),
}


def fitted(sample, **beliefs):
    """The model with the hyper-parameters that these beliefs and the first answers ask for."""
    return GPRegression(noise_std=NOISE_STD, center=False, **beliefs).fit(sample.x, sample.y)


def learned(n, seed, **beliefs):
    """Learned from one small sample."""
    sample = small_sample(n, seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the answers were taken for noise alone")  # some are, of five answers
        model = fitted(sample, **beliefs)
    later = model.log_predictive_density(sample.x_later, sample.y_later).mean()
    return Learned(float(later), float(model.kernel_.lengthscale), float(model.noise_std_))


def all_learned(n, schemes):
    """{(n, name): (60, 3)}: Learned from each of sixty samples of n answers, by each scheme {name: beliefs}."""
    return {
        (n, name): np.array([learned(n, seed, **beliefs) for seed in range(SAMPLES)])
        for name, beliefs in schemes.items()
    }


def schemes_table(found):
    """What the schemes of `all_learned` found, in Markdown, each beside ML-II with as many answers."""
    rows = []
    for (n, name), (density, ell, noise) in ((key, value.T) for key, value in found.items()):
        better = "–" if name == "ML-II" else proportion(density > found[n, "ML-II"][:, 0] + 1e-3)
        counts = (np.sum(ell > 10), np.sum(noise < 0.01), np.sum(density < -10))
        rows.append((n, name, *counts, f"{np.median(density):.1f}", better))
    counted = ("samples: ℓ > 10", "samples: σ_n < 0.01", "samples: log density < −10")
    head = ("n", "priors", *counted, "median log density", "better than ML-II (95 %)")
    return table(head, rows)
