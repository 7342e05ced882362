"""Experiments without people: what a model learns from confidence ratings beside choices.

Lecture: 13, sections 4 and 5.
"""

from functools import cache, partial
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from course_lessons.mixed_feedback.likelihoods import BOX_SOFTNESS, Likert, choices_and_confidence
from course_lessons.mixed_feedback.observers import gait_observer, haptic_observer, straight_observer
from course_lib import validation
from course_lib.gp import Fixed, Gamma, LatentGP, OnColumns, Probit, SmoothBox, SquaredExponential, differences
from course_lib.gp.coregionalization import Coregionalization

FEEDBACK = ("choices", "cuts known", "cuts learned")
X_GRID = np.linspace(0.0, 1.0, 21)[:, None]
CORNER_DISTANCE = 2 / 3  # of the range: pairs farther apart are the corners of the map
OBSERVER_RISE = 2.0  # f(1) − f(0) of the straight observer
OWN_TASK_VARIANCE = 1e-6  # variance that a task of two functions has for itself: none
CHOICE, RATING = 0.0, 1.0  # tasks


def appendix_kernel(d):
    """A squared exponential on the unit cube with the priors of the paper: MAP keeps its variance in 1 … 4.

    The paper does not say how soft the ends of that box are. With the 0.01 of common software they are walls at which
    searches stall, short of the summit; with 0.1 searches follow them.

    Source: Wu et al. (2025), appendix C.
    """
    kernel = SquaredExponential(2.0, np.full(validation.integer(d, "d"), 0.5))
    return kernel.with_priors(variance=SmoothBox(1.0, 4.0, BOX_SOFTNESS), lengthscale=Gamma(3, 6))


def fitted(session, feedback, likert=None, learn_kernel=True, **settings):
    """LatentGP of a session's answers, with the kernel of the appendix.

    feedback : one of FEEDBACK; "cuts known" holds the cut points of `likert`, "cuts learned" begins with them
    likert : Likert; None for choices alone
    learn_kernel : whether to learn its scale and lengthscales, or to hold them, as a lecture does for its time
    settings : as for LatentGP
    """
    validation.one_of(feedback, FEEDBACK, "feedback")
    X, pairs, choices, confidence, _ = session
    if feedback == "choices":
        blocks = differences(X, pairs, choices, Probit())
    else:
        held = likert.with_priors(gaps=Fixed()) if feedback == "cuts known" else likert
        blocks = choices_and_confidence(X, pairs, choices, confidence, held)
    kernel = appendix_kernel(X.shape[1])
    if not validation.flag(learn_kernel, "learn_kernel"):
        kernel = kernel.with_priors(variance=Fixed(), lengthscale=Fixed())
    return LatentGP(kernel, inference="variational", **settings).fit(blocks)


def preference_probability(model, X, pairs):
    """(m,) probability that the second of each pair (a, b) of rows of X is chosen by Probit.

    Source: Wu et al. (2025), appendix C.
    """
    mean, std = model.predict_difference(X, pairs)
    return Probit().probability_above(mean, std**2)


# --- the map of figure 4 ----------------------------------------------------------------------------


class Map(NamedTuple):
    """What was learned of the straight observer, and how far off it is.

    probability : (21, 21) that x' (column) is preferred to x (row), both on X_GRID
    corner, elsewhere : mean absolute error of it where x and x' are farther apart than two thirds, and where not
    rise : f(1) − f(0) of the posterior's mean, divided by what it is
    cuts : (2,) cut points of the ratings, NaN without them
    """

    probability: np.ndarray
    corner: float
    elsewhere: float
    rise: float
    cuts: np.ndarray


@cache
def true_map():
    """(21, 21) Φ(x' − x) of the straight observer."""
    return ndtr(OBSERVER_RISE * (X_GRID.T - X_GRID))


@cache
def learned_map(feedback, n, seed, learn_kernel=True):
    """Map learned from n pairs that the straight observer judged.

    feedback : one of FEEDBACK;  seed : of the pairs and the choices;  learn_kernel : as for fitted

    Source: Wu et al. (2025), section 5.2 and figure 4.
    """
    observer = straight_observer(OBSERVER_RISE)
    model = fitted(observer.judge(n, seed), feedback, Likert(3, observer.cuts), learn_kernel)
    mean, _ = model.predict_latent(X_GRID[[0, -1]])
    shape = (len(X_GRID), len(X_GRID))
    probability = preference_probability(model, X_GRID, np.argwhere(np.ones(shape, dtype=bool))).reshape(shape)
    wrong, corner = np.abs(probability - true_map()), np.abs(X_GRID.T - X_GRID) > CORNER_DISTANCE
    cuts = np.full(2, np.nan) if feedback == "choices" else model.likelihood_.children[1].cuts
    return Map(
        probability, wrong[corner].mean(), wrong[~corner].mean(), float(mean[1] - mean[0]) / OBSERVER_RISE, cuts
    )


class MapErrors(NamedTuple):
    """Of maps learned by each of FEEDBACK (columns) from several sessions (rows), (S, 3) each, and cuts (S, 2).

    corner, elsewhere, rise : as in Map;  cuts : those learned
    """

    corner: np.ndarray
    elsewhere: np.ndarray
    rise: np.ndarray
    cuts: np.ndarray


def map_errors(n, seeds, learn_kernel=True):
    """MapErrors of sessions of n pairs with these seeds. Arguments as learned_map."""
    maps = [[learned_map(feedback, n, seed, learn_kernel) for feedback in FEEDBACK] for seed in seeds]
    columns = (np.array([[getattr(m, name) for m in row] for row in maps]) for name in MapErrors._fields[:-1])
    return MapErrors(*columns, np.array([row[-1].cuts for row in maps]))


# --- what comes next --------------------------------------------------------------------------------


class Scores(NamedTuple):
    """How well the choices of pairs that were not learned from are predicted, (S, models) each, and rest (S,).

    brier : mean squared error of the probability of a choice, the lower the better
    f1 : of the choices of the second, by probabilities above ½, the higher the better
    off : mean absolute distance from the true probability of the choice, which experiments with people cannot know

    Source: Wu et al. (2025), eq. 3.
    """

    brier: np.ndarray
    f1: np.ndarray
    off: np.ndarray


def scores(probability, session):
    """(Brier score, F1, mean error of the probability) of probabilities (m,) for a session of m pairs."""
    probability = validation.matrix(probability, "probability", session.choices.shape)
    second, said = session.choices > 0, probability > 0.5
    right, wrong = np.sum(second & said), np.sum(second != said)
    f1 = 2 * right / (2 * right + wrong) if right + wrong else 1.0
    return np.mean((probability - second) ** 2), f1, np.mean(np.abs(probability - ndtr(session.gap)))


def haptic_scores(subject, seeds, learn_kernel=True, max_iter=200):
    """Scores of choices alone, and of ratings beside them with learned cut points (columns), for one subject.

    seeds : of the sessions;  max_iter : rounds of each search

    Source: Wu et al. (2025), section 5.3.
    """
    return _scores(
        haptic_observer(subject), RATING_MODELS[:2], seeds, 20, 30, learn_kernel=learn_kernel, max_iter=max_iter
    )


def gait_scores(seeds, n_train=50, n_test=200, max_iter=200):
    """Scores of choices alone, of ratings beside them by one function, and by two (columns), for the gait.

    seeds : of the sessions;  n_train, n_test : pairs;  max_iter : rounds of each search

    Source: Wu et al. (2025), section 5.4 and appendix E.
    """
    return _scores(gait_observer(), RATING_MODELS, seeds, n_train, n_test, max_iter=max_iter)


def _scores(observer, ways, seeds, n_train, n_test, **settings):
    """Scores of some RATING_MODELS to learn from sessions of one observer, ratings in three levels."""
    rows = []
    for seed in seeds:
        session = observer.judge(n_train + n_test, seed)
        session = session.thirds() if observer.levels == 9 else session
        train, test = (session.rows(part) for part in np.split(np.arange(n_train + n_test), [n_train]))
        rows.append([scores(way(train, test, **settings), test) for way in ways])
    return Scores(*np.moveaxis(np.array(rows), 2, 0))


def _by_one(feedback, train, test, **settings):
    model = fitted(train, feedback, Likert(3), **settings)
    return preference_probability(model, test.X, test.pairs)


def _by_two(train, test, **settings):
    model = two_functions(train, Likert(3), **settings)
    return preference_probability(model, _task(test.X, CHOICE), test.pairs)


RATING_MODELS = (partial(_by_one, "choices"), partial(_by_one, "cuts learned"), _by_two)


def two_functions(session, likert, **settings):
    """LatentGP of choices by one function and ratings by another, both mixed from two: f_t = Σ_q W_tq u_q.

    Its inputs have one more column: 0 for choices, 1 for ratings. W, both kernels and the cut points are learned.

    Source: Wu et al. (2025), appendix E; Moreno-Muñoz et al. (2018).
    """
    X, pairs, choices, confidence, _ = session
    d = X.shape[1]
    mixed = _mixed_in(d, 0) + _mixed_in(d, 1)
    blocks = [
        differences(_task(X, CHOICE), pairs, choices, Probit()),
        differences(_task(X, RATING), pairs, confidence, likert),
    ]
    return LatentGP(mixed, inference="variational", **settings).fit(blocks)


def _mixed_in(d, q):
    """The kernel of one u, and what it gives to the two tasks, which begins with random numbers."""
    weights = Coregionalization(2, rank=1, rng=q, variance=OWN_TASK_VARIANCE).with_priors(own_variances=Fixed())
    return OnColumns(appendix_kernel(d), range(d)) * OnColumns(weights, [d])


def _task(X, task):
    return np.column_stack([X, np.full(len(X), task)])
