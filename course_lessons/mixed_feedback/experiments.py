"""Experiments without people: how soon a level set is found, by what is known beforehand and by where one asks.

Lecture: 13, section 3.
"""

import time
import warnings
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from course_lessons.mixed_feedback.constraints import pseudo_answers, soft_constraints
from course_lessons.mixed_feedback.level_sets import brier_score, set_scores, sublevel_probability
from course_lessons.mixed_feedback.look_ahead import (
    expected_absolute_volume_change,
    global_mutual_information,
)
from course_lessons.mixed_feedback.problems import THRESHOLD, LevelSetProblem
from course_lib import selection, validation
from course_lib.gp import Constant, Fixed, Gamma, LatentGP, Probit, SmoothBox, SquaredExponential, values
from course_lib.judgments.asking.acquisition import bald, straddle

KNOWLEDGE_BLOCKS = {
    "none": lambda X, y: [],
    "pseudo": lambda X, y: [pseudo_answers(X, y)],
    "mixed": lambda X, y: [soft_constraints(X, y)],
}
LOOK_AHEAD = {
    "global_mutual_information": global_mutual_information,
    "expected_absolute_volume_change": expected_absolute_volume_change,
}
MAP_CRITERIA = ("sobol", *LOOK_AHEAD, "straddle", "bald")
N_FIRST_POINTS = 10  # Sobol points before a criterion chooses
INDUCING = 100  # Sobol points, besides the places of the constraints
N_CANDIDATES, N_REFERENCES = 512, 256  # Sobol points where the criterion looks, new in each trial; those it looks at
N_SCORING_POINTS = 2**15  # Sobol points on which a set is scored
LEARN_EVERY = 5  # trials


class LevelSetCurve(NamedTuple):
    """After the looks that were taken, (n,) each.

    trials : how many answers there were;  precision, recall, f1 : as SetScores, of the set posterior mean ≤ threshold
    brier : of P(f ≤ threshold);  seconds : processor time of a trial, model and criterion together, so far
    """

    trials: np.ndarray
    precision: np.ndarray
    recall: np.ndarray
    f1: np.ndarray
    brier: np.ndarray
    seconds: np.ndarray


def level_set_kernel(d):
    """Where learning begins in [−1, 1]^d: a level, and a bend whose hyper-parameters have the priors of the source.

    The level is N(0, 4): it says yes in 2 to 98 of 100. It is held, where the source learns a constant mean: as long
    as all answers are a yes, nothing bounds that mean, nor the variance of a level. The cube matters: Gamma(3, 6)
    prefers lengthscales near ⅓, which in a cube of width 1 is twice as long as in one of width 2.

    Source: Wu et al. (2025), appendix A.
    """
    bend = SquaredExponential(2.0, np.full(validation.integer(d, "d"), 1.0 / 3.0))
    bend = bend.with_priors(variance=SmoothBox(1.0, 4.0), lengthscale=Gamma(3.0, 6.0))
    return Constant(4.0).with_priors(variance=Fixed()) + bend


def level_set_curve(
    problem, knowledge="mixed", criterion="sobol", trials=30, looks=None, inference="variational", rng=None
):
    """Let a problem's observer answer so many trials, and look now and then how well the set is found.

    knowledge : "none", "pseudo" (answers that nobody gave) or "mixed" (soft constraints)
    criterion : one of MAP_CRITERIA; the first N_FIRST_POINTS trials are Sobol points in any case, the same for all
    trials : how many answers;  looks : after which of them to look; None: after every tenth, and at the end
    inference : of LatentGP; "variational" has INDUCING Sobol points and the constraints' places as inducing inputs

    Hyper-parameters are learned after every fifth trial, from those learned before, and held between. This waits until
    a question or a look needs the model.
    """
    validation.instance(problem, LevelSetProblem, "problem", "a LevelSetProblem such as norm_ball(2)")
    validation.one_of(criterion, MAP_CRITERIA, "criterion")
    trials = validation.integer(trials, "trials")
    looks = sorted({*range(N_FIRST_POINTS, trials + 1, N_FIRST_POINTS), trials}) if looks is None else looks
    looks = set(selection.indices(looks, "looks", (None,), trials + 1, "numbers of answers").tolist())
    search, rows, seconds = LevelSetSearch(problem, knowledge, criterion, trials, inference, rng), [], 0.0
    for trial in range(1, trials + 1):
        begin = time.process_time()
        search.ask()
        model = search.model_ if trial in looks else None  # what is learned for a look takes time as well
        seconds += time.process_time() - begin
        if model is not None:
            rows.append((trial, *search.scores(), seconds / trial))
    return LevelSetCurve(*np.array(rows).reshape(-1, 6).T)


class LevelSetSearch:
    """One observer, one model, one criterion: `ask()` adds a trial, `scores()` says how well the set is found.

    Parameters as level_set_curve.

    X_ : (n, d) stimuli asked so far, as points of [−1, 1]^d;  y_ : (n,) answers, ±1
    places_, known_ : (c, d) and (c,), where on the cube f is known, and what it is there
    points_ : (N_SCORING_POINTS, d) where the set is scored;  inside_ : (N_SCORING_POINTS,) whether they belong to it
    """

    def __init__(self, problem, knowledge, criterion, trials=30, inference="variational", rng=None):
        validation.one_of(knowledge, tuple(KNOWLEDGE_BLOCKS), "knowledge")
        self.problem, self.criterion, self.inference = problem, criterion, inference
        layout, self._rng = validation.generator(rng).spawn(2)  # where things lie is the same, whatever is asked
        places, self.known_ = problem.constraints(layout)
        self.places_ = problem.to_cube(places)
        self._blocks = KNOWLEDGE_BLOCKS[knowledge](self.places_, self.known_)
        self._sobol = self._spread(trials, layout)
        self._references = self._spread(N_REFERENCES, layout)
        self.points_ = self._spread(N_SCORING_POINTS, layout)
        self.inside_ = problem.inside(problem.from_cube(self.points_))
        sparse = inference == "variational"
        self._inducing = np.vstack([self._spread(INDUCING, layout), self.places_]) if sparse else None
        self._kernel = level_set_kernel(problem.space.d)
        self.X_, self.y_ = np.zeros((0, problem.space.d)), np.zeros(0)
        self._model, self._due = None, False  # whether it is time to learn again

    def _spread(self, count, rng):
        return self.problem.to_cube(self.problem.space.spread(count, rng))

    def ask(self):
        """Choose a stimulus, let the observer answer, and learn from it."""
        number = len(self.y_)
        fixed = self.criterion == "sobol" or number < N_FIRST_POINTS
        x = self._sobol[number] if fixed else self._best_candidate()
        answer = self.problem.answer(self.problem.from_cube(x), self._rng)
        self.X_, self.y_ = np.vstack([self.X_, x]), np.append(self.y_, answer)
        self._model, self._due = None, self._due or len(self.y_) % LEARN_EVERY == 0

    @property
    def model_(self):
        """LatentGP of the cube, of these answers and of what was known; None before the first answer.

        Where nobody looks, nothing is fitted and nothing learned.
        """
        if self._model is None and len(self.y_):
            self._fit(optimize=self._due)
            self._due = False
        return self._model

    def _fit(self, optimize):
        model = LatentGP(self._kernel, inference=self.inference, inducing=self._inducing, optimize=optimize)
        with warnings.catch_warnings():  # priors with edges are hard to climb to the last digit
            warnings.simplefilter("ignore", ConvergenceWarning)
            self._model = model.fit([values(self.X_, self.y_, Probit()), *self._blocks])
        self._kernel = self._model.kernel_

    def _best_candidate(self):
        """(d,) where the criterion is largest, among Sobol points that are new each time."""
        candidates = self._spread(N_CANDIDATES, self._rng)
        if self.criterion in LOOK_AHEAD:
            mean, cov = self.model_.predict_latent(np.vstack([candidates, self._references]), return_cov=True)
            (m, m_ref), (v, v_ref) = np.split(mean, [N_CANDIDATES]), np.split(np.diagonal(cov), [N_CANDIDATES])
            cross = cov[:N_CANDIDATES, N_CANDIDATES:]
            return candidates[LOOK_AHEAD[self.criterion](m, v, m_ref, v_ref, cross, THRESHOLD).argmax()]
        mean, std = self.model_.predict_latent(candidates)
        worth = bald(mean, std**2, Probit()) if self.criterion == "bald" else straddle(mean, std**2, THRESHOLD)
        return candidates[worth.argmax()]

    def scores(self):
        """(precision, recall, F1, Brier score) of what the model has found."""
        mean, std = self.model_.predict_latent(self.points_)
        believed = sublevel_probability(mean, std, THRESHOLD)
        return *set_scores(mean <= THRESHOLD, self.inside_), brier_score(believed, self.inside_)
