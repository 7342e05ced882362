"""Where is it noticed? A disc in the plane, and what is believed of it after each question. Lecture: 13, section 3."""

from functools import cache
from typing import NamedTuple

import numpy as np

from course_lessons.mixed_feedback.experiments import N_FIRST_POINTS, LevelSetSearch
from course_lessons.mixed_feedback.level_sets import SetScores, set_scores, sublevel_probability
from course_lessons.mixed_feedback.problems import THRESHOLD, norm_ball

N_QUESTIONS = 30
GRID_SIDE = np.linspace(-1.0, 1.0, 41)
PLANE = np.stack(np.meshgrid(GRID_SIDE, GRID_SIDE, indexing="ij"), axis=-1).reshape(-1, 2)
DISC_PROBLEM = norm_ball(2)


class Look(NamedTuple):
    """What is believed after this many answers."""

    inside: np.ndarray  # (1681,) P(f ≤ γ) on PLANE
    scores: SetScores  # of where the mean is ≤ γ
    X: np.ndarray  # (n, 2) places asked so far
    y: np.ndarray  # (n,) answers ±1


@cache
def looks(knowledge, criterion):
    """Looks of a LevelSetSearch: after the first ten answers, which all ways of asking share, after the eleventh …"""
    search = LevelSetSearch(DISC_PROBLEM, knowledge, criterion, N_QUESTIONS, inference="laplace", rng=1)
    truth, found = DISC_PROBLEM.inside(PLANE), []
    for number in range(1, N_QUESTIONS + 1):
        search.ask()
        if number >= N_FIRST_POINTS:
            mean, std = search.model_.predict_latent(PLANE)
            inside = sublevel_probability(mean, std, THRESHOLD)
            found.append(Look(inside, set_scores(mean <= THRESHOLD, truth), search.X_, search.y_))
    return tuple(found)
