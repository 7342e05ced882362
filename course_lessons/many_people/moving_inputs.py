"""Five pseudo-inputs of the cosine toy: where a climb of the evidence moves them, and what they then see of the curve.

Lecture: 11, section 7.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from course_lessons.many_people.toys import cosine_toy
from course_lib.gp import Fixed, SquaredExponential
from course_lib.judgments.comparisons.preference import PreferenceGP

TOY_NOISE = 0.5  # σ of the toy; Nielsen et al. (2011) do not say it
STEPS_OF_CLIMB = 16  # where all starts of the lecture have come to rest, but for the last digits
X_GRID = np.linspace(-7.0, 7.0, 141)


def toy_model(places=None, **options):
    """PreferenceGP with σ_f = ℓ = 1 and σ = 0.5, all held, learned from the toy; by pseudo-inputs (M,) if given."""
    toy = cosine_toy()
    kernel = SquaredExponential(1.0, 1.0).with_priors(variance=Fixed(), lengthscale=Fixed())
    inducing = None if places is None else np.reshape(places, (-1, 1))
    model = PreferenceGP(kernel, noise_std=TOY_NOISE, inducing=inducing, **options)
    return model.fit(toy.X, toy.pairs, toy.choices)


@cache
def climb(start):
    """Places (S + 1, M) and log evidences (S + 1,) of a climb by L-BFGS from this start, step by step."""
    model = toy_model(start, learn_inducing=True, optimize=False)
    places = [np.array(start)]

    def downhill(theta):
        height, slope = model.evidence_at(theta)
        return -height, -slope

    def keep(theta):
        places.append(theta.copy())

    options = {"maxiter": STEPS_OF_CLIMB}
    minimize(downhill, places[0], jac=True, method="L-BFGS-B", callback=keep, options=options)
    return np.array(places), np.array([model.evidence_at(theta)[0] for theta in places])


class Seen(NamedTuple):
    """Result of five pseudo-inputs: places, curve on X_GRID, log evidence, fraction of correctly ordered pairs."""

    places: np.ndarray
    mean: np.ndarray
    std: np.ndarray
    log_evidence: float
    right: float


def _seen(model, places):
    toy = cosine_toy()
    gap, _ = model.predict_difference(toy.X, toy.pairs)
    right = float(np.mean(np.sign(gap) == toy.choices))
    return Seen(places, *model.predict_latent(X_GRID[:, None]), model.log_evidence_, right)


@cache
def through_places(start, step, push):
    """Seen by the pseudo-inputs after this many steps from this start, the last of them moved by `push`."""
    path = climb(start)[0]
    places = path[min(step, len(path) - 1)].copy()
    places[-1] += push
    return _seen(toy_model(places, optimize=False), places)


@cache
def through_all():
    """Seen by all 17 inputs."""
    return _seen(toy_model(optimize=False), cosine_toy().X[:, 0])
