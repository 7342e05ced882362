"""Interviews: what is asked, one question after another, and people made up to answer.

Lecture: 10, sections 1, 5 and 11.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from course_lib.gp import SquaredExponential
from course_lib.gp.sites import symmetric_root
from course_lib.judgments.comparisons.preference import PreferenceGP

# --- five greys, marked and compared ----------------------------------------------------------------

GREY_LEVELS = np.array([92, 106, 120, 134, 148])
MARKED_GREYS = np.array([2, 0, 4, 1, 3, 1, 4, 2, 0, 3])  # the grey of each mark: all five, and all five again
COMPARED_PAIRS = np.array([(0, 2), (4, 3), (1, 0), (2, 4), (3, 0), (2, 1), (4, 1), (3, 2), (0, 4), (1, 3)])
N_MARKS = len(MARKED_GREYS)


class Judged(NamedTuple):
    """Marks by rising grey level, and how many orders are right."""

    first: np.ndarray  # (5,) of the first round
    second: np.ndarray
    from_marks: int  # of the 20 pairs of one grey marked in the first round and another in the second
    compared: int  # of the comparisons so far


@cache
def simulated_judge(drift=11.0):
    """Answers of a judge made up for the lecture: ten marks, then ten comparisons ±1 (+1: b is brighter); a tuple.

    A mark is 50 + 0.6 · (level − 120) − r + noise, rounded. The inner reference r follows the surround: it is
    −drift on the dark one of the first round, +drift on the bright one of the second. A comparison has one r for both.
    """
    rng, noise_std = np.random.default_rng(1), 4.0
    bright = 50 + 0.6 * (GREY_LEVELS - 120)
    reference = np.repeat([-drift, drift], N_MARKS // 2)
    marks = np.round(bright[MARKED_GREYS] - reference + noise_std * rng.normal(size=N_MARKS))
    a, b = (bright[items] + noise_std * rng.normal(size=len(COMPARED_PAIRS)) for items in COMPARED_PAIRS.T)
    return tuple(np.clip(marks, 0, 100).astype(int).tolist()) + tuple(np.where(b > a, 1, -1).tolist())


def judged(answers):
    """Judged: what ten marks, and up to ten comparisons after them, say."""
    marks = np.array(answers[:N_MARKS], dtype=float)
    first, second = (marks[half][np.argsort(MARKED_GREYS[half])] for half in (slice(0, 5), slice(5, 10)))
    i, j = np.nonzero(~np.eye(5, dtype=bool))
    right = (second[j] - first[i]) * (GREY_LEVELS[j] - GREY_LEVELS[i]) > 0
    choices = np.array(answers[N_MARKS:])
    a, b = GREY_LEVELS[COMPARED_PAIRS[: len(choices)]].T
    return Judged(first, second, int(right.sum()), int((choices * (b - a) > 0).sum()))


# --- twenty noisy choices ---------------------------------------------------------------------------

N_CHOICES = 20


@cache
def moods():
    """(20,) standard Gaussian draws: the noise of 20 differences, the same for every gap and noise."""
    return np.random.default_rng(8).normal(size=N_CHOICES)


def gap_choices(gap, noise_std):
    """(P(B beats A), (20,) whether B was chosen), for a gap f(B) − f(A) and judgements with this noise.

    Source: Nielsen (2015), eq. 2.51.
    """
    spread = np.sqrt(2.0) * noise_std
    return float(ndtr(gap / spread)), gap + spread * moods() > 0


# --- one person's middle grey -----------------------------------------------------------------------

GREY_STEPS = np.arange(32, 225, 24)  # nine greys
N_ASKED = 30
CENTRE, GREY_UNIT = 128.0, 32.0  # of the model's input: (level − 128)/32
GREY_GRID = np.linspace(24, 232, 105)
TRUE_MIDDLE = 122.0  # between two of the nine, and nearer to one
N_FUNCTIONS = 20_000  # functions drawn


@cache
def grey_questions():
    """(30, 2) pairs of the nine greys, in the order in which they are asked."""
    rng = np.random.default_rng(2)
    a = rng.integers(len(GREY_STEPS), size=N_ASKED)
    return np.column_stack([a, (a + rng.integers(1, len(GREY_STEPS), size=N_ASKED)) % len(GREY_STEPS)])


def true_greyness(level):
    """f of the simulated person: 2 at their middle grey, 122, and falling with the distance from it on both sides."""
    return 2.0 - ((np.asarray(level, dtype=float) - TRUE_MIDDLE) / 45.0) ** 2


@cache
def simulated_person(noise_std):
    """(30,) answers ±1 to `grey_questions` of a person whose judgements have this noise: a tuple."""
    a, b = GREY_STEPS[grey_questions()].T
    draws = np.random.default_rng(5).normal(size=N_ASKED)
    answers = true_greyness(b) - true_greyness(a) + np.sqrt(2.0) * noise_std * draws
    return tuple(np.where(answers > 0, 1, -1).tolist())


class Learned(NamedTuple):
    """What the answers teach of f less its mean over GREY_GRID."""

    mean: np.ndarray  # (105,)
    std: np.ndarray
    best: np.ndarray  # (9,) probability of each of the nine greys that it is the best of them

    @property
    def middle(self):
        """The level at which the mean is highest."""
        return float(GREY_GRID[self.mean.argmax()])

    @property
    def height(self):
        """How much the mean rises from the lowest to the highest level."""
        return float(np.ptp(self.mean))


@cache
def learn_greys(answers):
    """Learned from the first answers (±1) to `grey_questions`; noise σ = 1, kernel fixed.

    The level of f, which no comparison shows, is taken away: its mean over the grid is 0.
    """
    kernel = SquaredExponential(variance=9.0, lengthscale=2.0)
    grid = (GREY_GRID[:, None] - CENTRE) / GREY_UNIT
    centre = np.eye(len(GREY_GRID)) - 1.0 / len(GREY_GRID)
    if answers:
        items = (GREY_STEPS[:, None] - CENTRE) / GREY_UNIT
        model = PreferenceGP(kernel, noise_std=1.0, optimize=False)
        model.fit(items, grey_questions()[: len(answers)], np.array(answers, dtype=float))
        mean, cov = model.predict_latent(grid, return_cov=True)
        best = model.ranking(items, size=N_FUNCTIONS, rng=0).best
    else:
        mean, cov, best = np.zeros(len(GREY_GRID)), kernel(grid), _best_by_the_prior(kernel)
    variance = np.diag(centre @ cov @ centre)
    return Learned(centre @ mean, np.sqrt(np.maximum(variance, 0.0)), best)


def _best_by_the_prior(kernel):
    """(9,) share of functions drawn from the prior whose largest of the nine values is at this grey."""
    root = symmetric_root(kernel((GREY_STEPS[:, None] - CENTRE) / GREY_UNIT))
    drawn = root @ np.random.default_rng(0).normal(size=(len(GREY_STEPS), N_FUNCTIONS))
    return np.bincount(drawn.argmax(axis=0), minlength=len(GREY_STEPS)) / N_FUNCTIONS
