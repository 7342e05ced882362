"""Experiments without people: how near a personaliser comes to what a made-up listener likes best.

Lecture: 12, section 4.
"""

from typing import NamedTuple

import numpy as np

from course_lib import validation
from course_lib.judgments.asking.listeners import Listener
from course_lib.judgments.asking.personalizer import Personalizer


class LearningCurve(NamedTuple):
    """After each answer, (n,) each.

    distance : of the best setting of all from the listener's optimum, as a share of the space's diagonal
    heard : the same of the best setting among those heard
    regret : how much worse for the listener the best setting of all is than the optimum, in units of σ
    improvement : mean expected improvement, in units of σ

    Lecture: 12, section 4.
    """

    distance: np.ndarray
    heard: np.ndarray
    regret: np.ndarray
    improvement: np.ndarray


def learning_curve(personalizer, listener, questions):
    """Let a listener answer so many questions, and look after each of them how near the personaliser has come.

    Parameters
    ----------
    personalizer : Personalizer, which is changed
    listener : Listener, who answers in the way that the personaliser asks for, and is changed
    questions : how many

    Raises
    ------
    ValueError
        If one of them is not what it should be, or the listener's optimum has another dimension than the space.

    Lecture: 12, section 4.
    """
    validation.instance(personalizer, Personalizer, "personalizer", "a Personalizer")
    validation.instance(listener, Listener, "listener", "a Listener")
    space = personalizer.space
    validation.matrix(listener.optimum, "listener.optimum", (space.d,))
    rows = []
    for _ in range(validation.whole(questions, "questions")):
        a, b = space.to_unit(np.array(personalizer.propose()))
        personalizer.answer(listener.judge(a, b, personalizer.response))
        best, heard = space.to_unit(np.array([personalizer.best_, personalizer.incumbent_]))
        off = np.linalg.norm(np.array([best, heard]) - listener.optimum, axis=1) / np.sqrt(space.d)
        regret = listener.worth(listener.optimum) - listener.worth(best)
        rows.append((*off, regret, personalizer.mean_improvement_))
    return LearningCurve(*np.array(rows).T)
