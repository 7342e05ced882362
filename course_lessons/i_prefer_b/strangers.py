"""Choices of train journeys: models learn from some people, and predict theirs and strangers'.

Lecture: 10, section 8.
"""

import numpy as np

from course_lessons.i_prefer_b.baselines import DifferenceLogit
from course_lib.gp import SquaredExponential
from course_lib.judgments.comparisons.preference import PreferenceGP

UNITS = (1000, 30, 1, 1)  # tens of guilders, half hours, changes, comfort
N_TRAINING_PEOPLE = 45  # so few keep it fast, and leave 190 strangers


def split(trains, seed):
    """Rows of the choices to learn from (two thirds of those of 45 people), of their other ones, and of strangers'."""
    rng = np.random.default_rng(seed)
    known = rng.permutation(np.unique(trains.persons))[:N_TRAINING_PEOPLE]
    theirs = rng.permutation(np.flatnonzero(np.isin(trains.persons, known)))
    learn, rest = np.split(theirs, [2 * len(theirs) // 3])
    return learn, rest, np.flatnonzero(~np.isin(trains.persons, known))


def foretold(trains, seed):
    """(2, 2, 2): line and curve × same people and strangers × accuracy and mean log probability of the choice."""
    journeys, (learn, *tests) = trains.X / UNITS, split(trains, seed)
    models = DifferenceLogit(), PreferenceGP(SquaredExponential(1.0, [3.0] * 4))
    found = []
    for model in models:
        model.fit(journeys, trains.pairs[learn], trains.choices[learn])
        for rows in tests:
            p, y = model.predict_preference(journeys, trains.pairs[rows]), trains.choices[rows]
            found.append((np.mean((p > 0.5) == (y > 0)), np.mean(np.log(np.where(y > 0, p, 1 - p)))))
    return np.array(found).reshape(2, 2, 2)
