"""Experiments without people: how near a personaliser comes to what a simulated listener likes best.

Lecture: 12, sections 1, 3, 4, 6 and 9.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular, toeplitz
from scipy.special import ndtr

from course_lib import validation
from course_lib.gp import Mahalanobis, SquaredExponential, WarpedGaussian
from course_lib.judgments.asking.acquisition import bald, expected_best, expected_improvement, improvement
from course_lib.judgments.asking.improvement import gain
from course_lib.judgments.asking.listeners import Listener
from course_lib.judgments.comparisons.preference import PreferenceGP
from course_lib.judgments.marks.bounded import BoundedGP
from course_personaliser.personalizer import Personalizer
from course_personaliser.proposals import scores
from course_personaliser.sessions import PRIOR_VARIANCE
from course_personaliser.spaces import SettingSpace


class LearningCurve(NamedTuple):
    """After the looks that were taken, (n,) each.

    answers : how many there were
    distance : of the best setting of all from the listener's optimum, as a fraction of the space's diagonal
    heard : the same of the best setting among those heard
    regret : how much worse for the listener the best setting of all is than the optimum, in units of σ
    improvement : mean expected improvement, in units of σ
    """

    answers: np.ndarray
    distance: np.ndarray
    heard: np.ndarray
    regret: np.ndarray
    improvement: np.ndarray


def learning_curve(personalizer, listener, questions, every=1):
    """Let a listener answer this many questions, and look now and then how near the personaliser has come.

    personalizer : asked, and changed;  listener : answers in the way that it asks for, and is changed
    every : how many answers there are from one look to the next
    """
    validation.instance(personalizer, Personalizer, "personalizer", "a Personalizer")
    validation.instance(listener, Listener, "listener", "a Listener")
    space = personalizer.space
    validation.matrix(listener.optimum, "listener.optimum", (space.d,))
    every, rows = validation.integer(every, "every"), []
    for number in range(1, validation.integer(questions, "questions") + 1):
        a, b = space.to_unit(np.array(personalizer.propose()))
        personalizer.answer(listener.judge(a, b, personalizer.response))
        if number % every == 0:
            best, heard = space.to_unit(np.array([personalizer.best_, personalizer.incumbent_]))
            off = np.linalg.norm(np.array([best, heard]) - listener.optimum, axis=1) / np.sqrt(space.d)
            regret = listener.worth(listener.optimum) - listener.worth(best)
            rows.append((number, *off, regret, personalizer.mean_improvement_))
    return LearningCurve(*np.array(rows).reshape(-1, 5).T)


# --- made-up listeners in two dimensions ------------------------------------------------------------

SQUARE = SettingSpace([(0, 1), (0, 1)])
HILLS = {"gentle": 1 / 4, "steep": 1 / 8}  # w, as a share of the range


def optimum_of(seed):
    """(2,) what listener number `seed` likes best, not near an edge."""
    return np.random.default_rng([seed, 12]).uniform(0.1, 0.9, 2)


FOREGONE = 0.49  # of a degree from ½


def foregone(worth_a, worth_b):
    """Whether it is clear beforehand which of two settings is preferred: Φ is below 0.01 or above 0.99."""
    return np.abs(ndtr((worth_b - worth_a) / np.sqrt(2.0)) - 0.5) > FOREGONE


class Spared(Personalizer):
    """Asks at random, but never for what is clear beforehand. It looks into the listener, as no personaliser can."""

    def __init__(self, space, known, **settings):
        super().__init__(space, criterion="random", **settings)
        self.known = known

    def _two_random(self, rng):
        while True:
            pair = super()._two_random(rng)
            if not foregone(*self.known.worth(pair)):
                return pair


def sixteen_answers(hill, criterion, seed):
    """LearningCurve of listener number `seed`, with a look after each fourth of sixteen answers.

    hill : one of HILLS;  criterion : of the Personalizer, which does not learn its kernel here; or "spared"
    """
    listener = Listener(optimum_of(seed), width=HILLS[hill], rng=seed)
    settings = {"learn": False, "rng": seed}
    if criterion == "spared":
        return learning_curve(Spared(SQUARE, listener, **settings), listener, 16, every=4)
    return learning_curve(Personalizer(SQUARE, criterion=criterion, **settings), listener, 16, every=4)


# --- bass and treble, question by question ------------------------------------------------------------

TONE = SettingSpace([(-12, 12), (-12, 12)], steps=[1, 1], names=["bass", "treble"], units=["dB", "dB"])
LIKED_TONE = np.array([-4.0, 6.0])
TONE_QUESTIONS = 16


class ToneStep(NamedTuple):
    """What is believed after some answers, and which two settings are played next."""

    settings: np.ndarray  # (q, 2) a grid
    mean: np.ndarray  # (q,) f there, minus that of the best setting heard
    best: np.ndarray  # (2,)
    heard: np.ndarray  # (m, 2, 2)
    asked: np.ndarray  # (2, 2)


@cache
def tone_session():
    """ToneSteps of one listener: after the first answer, after the second …"""
    personalizer = Personalizer(TONE, learn=False, rng=0)
    listener, settings, steps = Listener(TONE.to_unit(LIKED_TONE), rng=0), personalizer.evenly(), []
    for number in range(TONE_QUESTIONS + 1):
        pair = np.array(personalizer.propose())
        if number:
            mean, _ = personalizer.predict(settings)
            steps.append(ToneStep(settings, mean, personalizer.best_, personalizer.pairs_.copy(), pair))
        personalizer.answer(listener.judge(*TONE.to_unit(pair)))
    return tuple(steps)


# --- five bands, by marks -----------------------------------------------------------------------------

BAND_CORRELATION = toeplitz([1.0, 0.5, 0.2, 0.0, 0.0])  # how the bands of an equaliser are believed to be related
KERNEL_CHOICES = {
    "isotropic": SquaredExponential(1.0, 0.5),
    "mahalanobis": Mahalanobis(1.0, 0.5, correlation=BAND_CORRELATION),
}
WIDTH = 0.5  # w of these listeners, as a share of the range
N_CANDIDATES, SETTINGS, NEW_MARKS = 512, 4096, 100


class RelatedListener(Listener):
    """A listener with correlated bands: f(x) = −½ (x − optimum)ᵀ R⁻¹ (x − optimum)/w², R = BAND_CORRELATION."""

    def _worth(self, x):
        off = ((x - self.optimum) / self.width).reshape(-1, len(BAND_CORRELATION))
        apart = solve_triangular(np.linalg.cholesky(BAND_CORRELATION), off.T, lower=True)
        return -0.5 * np.sum(apart**2, axis=0).reshape(np.shape(x)[:-1])


def thirty_marks(related, kernel, active, seed):
    """((3,) regret, (3,) log density) after 10, 20 and 30 marks of five numbers, by listener number `seed`.

    related : whether the listener's numbers go together as BAND_CORRELATION says, or each goes alone
    kernel : of KERNEL_CHOICES; its variance, lengthscale and noise are learned after each fifth mark
    active : whether to ask where the expected improvement is largest, without the covariance, or at random

    The regret is what the setting of the highest mean, of SETTINGS, is worth less than the best of them, in units of
    σ; the density is that of NEW_MARKS for settings at random.

    Source: Nielsen, Jensen, Hansen & Larsen (2013), sections 2 and 3.
    """
    rng = np.random.default_rng([seed, 5])
    kind, optimum = RelatedListener if related else Listener, rng.uniform(0.1, 0.9, len(BAND_CORRELATION))
    random, settings, new = (rng.uniform(size=(n, len(BAND_CORRELATION))) for n in (30, SETTINGS, NEW_MARKS))
    said = kind(optimum, width=WIDTH, rng=seed)
    told, worth = np.array([said.rate(x) for x in new]), said.worth(settings)
    learned, noise, X, marks, looks = (
        KERNEL_CHOICES[kernel],
        WarpedGaussian(1.0),
        random[:1],
        [said.rate(random[0])],
        [],
    )
    for n in range(1, 31):
        way = {"likelihood": noise, "inside": 1e-3, "optimize": n % 5 == 0}
        model = BoundedGP(learned, **way).fit(X, np.array(marks))
        learned, noise = model.kernel_, model.likelihood_
        if n % 10 == 0:
            found = worth[model.predict_latent(settings)[0].argmax()]
            looks.append((worth.max() - found, model.log_predictive_density(new, told).mean()))
        if n < 30:
            x = (
                _without_covariance(model, X, rng.uniform(size=(N_CANDIDATES, len(BAND_CORRELATION))))
                if active
                else random[n]
            )
            X, marks = np.vstack([X, x]), [*marks, said.rate(x)]
    return np.array(looks).T


def _without_covariance(model, X, candidates):
    """(d,) the candidate of the largest improvement on the best of X, as if their values were independent."""
    mean, std = model.predict_latent(np.vstack([X, candidates]))
    best = int(mean[: len(X)].argmax())
    rows = np.r_[best, len(X) : len(mean)]
    return candidates[expected_improvement(mean[rows], np.diag(std[rows] ** 2), 0)[1:].argmax()]


# --- one number, step by step -----------------------------------------------------------------------

X_GRID = np.linspace(0.0, 1.0, 81)
LIKED = 0.68  # the optimum of the listener on the line
SEARCH_STEPS = 10
ON_A_LINE = ("univariate", "improvement", "bound", "variance")


class Step(NamedTuple):
    """What is known on X_GRID after some answers, and where the criterion asks next."""

    mean: np.ndarray  # (81,) f, as a difference to the best setting heard
    std: np.ndarray
    score: np.ndarray  # (81,) the criterion, not below 0
    heard: np.ndarray  # (n,) settings
    incumbent: float
    challenger: float


def true_worth():
    """(81,) f on X_GRID of the listener there: two hills, the higher one at 0.68."""
    return (
        3.0 * np.exp(-0.5 * ((X_GRID - LIKED) / 0.12) ** 2) + 2.2 * np.exp(-0.5 * ((X_GRID - 0.15) / 0.12) ** 2) - 3.0
    )


@cache
def walk(criterion):
    """STEPS + 1 Steps of a listener on a line: after the first answer, after the second …

    The first question is the same for all criteria, the kernel is held, and degrees have no noise but their own: what
    differs is where each criterion asks.

    criterion : one of ON_A_LINE
    """
    validation.one_of(criterion, ON_A_LINE, "criterion")
    worth, kernel = true_worth(), SquaredExponential(PRIOR_VARIANCE, 0.12)
    x, pairs, degrees, steps = X_GRID[:, None], [(8, 20)], [], []
    for _ in range(SEARCH_STEPS + 1):
        a, b = pairs[-1]
        degrees.append(float(np.clip(ndtr((worth[b] - worth[a]) / np.sqrt(2.0)), 0.02, 0.98)))
        model = PreferenceGP(kernel, response="degree", precision=50.0, optimize=False).fit(x, pairs, degrees)
        heard = np.unique(pairs)
        best = int(heard[model.predict_latent(x[heard])[0].argmax()])
        score = np.maximum(scores(criterion, model, x, x[best]), 0.0)
        others = np.where(np.arange(len(X_GRID)) == best, -1.0, score)
        challenger = int(others.argmax())
        steps.append(
            Step(
                *gain(model, x, x[best]),
                score,
                X_GRID[heard],
                float(X_GRID[best]),
                float(X_GRID[challenger]),
            )
        )
        pairs.append((best, challenger))
    return tuple(steps)


# --- the same line: what a question about each pair is worth ----------------------------------------

COARSE_GRID = X_GRID[::2]
OVER_PAIRS = ("information", "best", "variance")


class PairStep(NamedTuple):
    """What is known on COARSE_GRID after some choices, and what a question about each pair is worth."""

    mean: np.ndarray  # (41,) f, as a difference to the best setting heard
    std: np.ndarray
    worth: np.ndarray  # (41, 41) the criterion for each pair
    gain: np.ndarray  # (41,) expected improvement on the best setting heard
    asked: np.ndarray  # (n, 2) numbers of settings
    following: tuple  # the pair that is worth most
    incumbent: int


@cache
def walk_over_pairs(criterion):
    """SEARCH_STEPS + 1 PairSteps of the listener on the line, who always chooses the better one.

    criterion : one of OVER_PAIRS: nats that the choice tells, expected value of the better one (minus that of the best
        setting heard), variance of the difference
    """
    validation.one_of(criterion, OVER_PAIRS, "criterion")
    x, f, pairs, steps = COARSE_GRID[:, None], true_worth()[::2], [(4, 10)], []
    for _ in range(SEARCH_STEPS + 1):
        chosen = [1 if f[b] > f[a] else -1 for a, b in pairs]
        model = PreferenceGP(SquaredExponential(PRIOR_VARIANCE, 0.12), optimize=False).fit(x, pairs, chosen)
        mean, cov = model.predict_latent(x, return_cov=True)
        heard = np.unique(pairs)
        best = int(heard[mean[heard].argmax()])
        mean, std = improvement(mean, cov, best)
        worth = _worth_of_pairs(criterion, mean, cov, model.likelihood_)
        following = tuple(int(place) for place in np.unravel_index(worth.argmax(), worth.shape))
        gains = expected_improvement(mean, cov, best)
        steps.append(PairStep(mean, std, worth, gains, np.array(pairs), following, best))
        pairs.append(following)
    return tuple(steps)


def _worth_of_pairs(criterion, mean, cov, likelihood):
    a, b = np.indices(cov.shape).reshape(2, -1)
    variance = np.maximum(cov[a, a] + cov[b, b] - 2.0 * cov[a, b], 0.0)
    worth = {
        "information": lambda: bald(mean[b] - mean[a], variance, likelihood),
        "best": lambda: expected_best(mean, cov, np.column_stack([a, b])),
        "variance": lambda: variance,
    }
    return worth[criterion]().reshape(cov.shape)
