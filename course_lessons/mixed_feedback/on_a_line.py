"""Yes and no about ½x² on a line, and what somebody says of its end: how hard may a constraint be?

Lecture: 13, sections 1 and 2.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from course_lessons.mixed_feedback.constraints import soft_constraints
from course_lessons.mixed_feedback.likelihoods import Likert
from course_lib.gp.kernels import SquaredExponential
from course_lib.gp.latent import LatentGP
from course_lib.gp.likelihoods import Gaussian, Probit
from course_lib.gp.observations import differences, values

X_GRID = np.linspace(0.0, 2.0, 81)
ANSWERED = (5, 20, 80, 320)  # how many answers there may be
MOST_ASKED = 200  # one after the other
AT_ZERO = 0.1  # how softly f(0) = 0 is meant: 0.2 · 0 + 0.1


def true_intensity(x):
    """f(x) = ½x²: nothing is felt at 0, and nearly everybody feels it at 2. Source: Wu et al. (2025), Figure 2."""
    return 0.5 * np.square(x)


def felt(n, seed=2):
    """(X, y): n places (n, 1) drawn evenly from the line, and whether it was felt there, +1 or −1, with P = Φ(f)."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(X_GRID[0], X_GRID[-1], n)
    return x[:, None], np.where(rng.random(n) < ndtr(true_intensity(x)), 1.0, -1.0)


@cache
def believed(n, said=None, std=None):
    """(mean, std) of f on X_GRID after n answers; with what is known of both ends, or without (None).

    said : what is said to be f(2); that f(0) = 0 is said as well;  std : how softly the first is meant, > 0
    """
    blocks = [values(*felt(n), Probit())]
    if said is not None:
        blocks.append(values([X_GRID[:1]], [0.0], Gaussian(AT_ZERO)))
        blocks.append(values([X_GRID[-1:]], [said], Gaussian(std)))
    return _predicted(blocks)


@cache
def believed_so_far(n):
    """(mean, std) of f on X_GRID after the first n of MOST_ASKED answers."""
    X, y = felt(MOST_ASKED, seed=0)
    return _predicted([values(X[:n], y[:n], Probit())])


class Compared(NamedTuple):
    """pairs (m, 2) of places of X_GRID, choices (m,) +1 for the second, confidence (m,) 0, 1 or 2."""

    pairs: np.ndarray
    choices: np.ndarray
    confidence: np.ndarray


SURE = Likert(3, cuts=[0.5, 1.0])


def compared(n=10, seed=5):
    """Compared: n pairs drawn evenly from the line."""
    rng = np.random.default_rng(seed)
    pairs = rng.integers(0, len(X_GRID), (n, 2))
    gap = np.diff(true_intensity(X_GRID)[pairs])[:, 0]
    return Compared(pairs, Probit().sample(gap, rng), SURE.sample(gap, rng))


def kinds_of_feedback():
    """{name: block} of four kinds of feedback about one f."""
    X, asked = X_GRID[:, None], compared()
    return {
        "yes or no": values(*felt(20), Probit()),
        "choices": differences(X, asked.pairs, asked.choices, Probit()),
        "how sure": differences(X, asked.pairs, asked.confidence, SURE),
        "both ends": soft_constraints(X[[0, -1]], [0.0, 2.0]),
    }


@cache
def believed_by(kinds):
    """(mean, std) of f on X_GRID from these kinds of feedback, a tuple of names."""
    blocks = [block for name, block in kinds_of_feedback().items() if name in kinds]
    return _predicted(blocks) if blocks else (np.zeros(len(X_GRID)), np.full(len(X_GRID), 2.0))


def _predicted(blocks):
    inference = "ep" if all(block.likelihood.log_concave for block in blocks) else "variational"
    model = LatentGP(SquaredExponential(4.0, 1.0), inference=inference, optimize=False).fit(blocks)
    return model.predict_latent(X_GRID[:, None])
