"""Weather and mood: the small model of lecture 04, five thousand days that it made, and Baum–Welch round by round.

Lecture: 04, sections 1 and 6.
"""

import warnings
from functools import cache
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from course_lib.sequences.discrete_hmm import DiscreteHMM

STATES = ("Fair", "Cloudy", "Rainy")
WEATHER = {
    "startprob": (0.4, 0.3, 0.3),
    "transmat": ((0.8, 0.2, 0.0), (0.3, 0.4, 0.3), (0.0, 0.3, 0.7)),
    "emissionprob": ((0.9, 0.1), (0.5, 0.5), (0.2, 0.8)),
}
RUNS, N_DAYS, TRAINING_ROUNDS = 100, 50, 60
EQUAL_START = "all equal"
RANDOM = ("random 1", "random 2", "random 3", "random 4")
NO_STEP = "random 1, no step from 1 to 3"
TRAINING_STARTS = (*RANDOM, NO_STEP, EQUAL_START)


def letters(states):
    """The first letters of a sequence of states, such as FFCF."""
    return "".join(STATES[state][0] for state in states)


class Round(NamedTuple):
    """The tables after this many rounds of Baum–Welch, and the log probability of the days under them.

    States have no names. They begin in the order of how often they are happy; training may change that.
    """

    tables: dict
    log_likelihood: float


@cache
def many_days():
    """(days, new days): two lists of 100 runs of 50 moods, made by the true tables."""
    rng, made = np.random.default_rng(0), DiscreteHMM.from_parameters(**WEATHER)
    return tuple([made.sample(N_DAYS, rng).observations for _ in range(RUNS)] for _ in range(2))


def first_tables(start):
    """Initial {"startprob", "transmat", "emissionprob"} for one of TRAINING_STARTS, happiest state first."""
    if start not in TRAINING_STARTS:
        raise ValueError(f"start is {start!r}; one of {list(TRAINING_STARTS)} is needed.")
    if start == EQUAL_START:
        return {
            "startprob": np.full(3, 1 / 3),
            "transmat": np.full((3, 3), 1 / 3),
            "emissionprob": np.full((3, 2), 1 / 2),
        }
    rng = np.random.default_rng(int(start.removeprefix("random ")[0]))
    pi, A, B = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), size=3), rng.dirichlet(np.ones(2), size=3)
    if start == NO_STEP:
        A[0] = [A[0, 0] + A[0, 2], A[0, 1], 0.0]
    return {"startprob": pi, "transmat": A, "emissionprob": B[np.argsort(-B[:, 0])]}


@cache
def rounds_from(start):
    """Baum–Welch on the days from one of TRAINING_STARTS: list of Round, after 0 … TRAINING_ROUNDS rounds."""
    tables, rounds = first_tables(start), []
    for _ in range(TRAINING_ROUNDS + 1):
        after, log_likelihood = _one_round(tables)
        rounds.append(Round(tables, log_likelihood))
        tables = after
    return rounds


def _one_round(tables):
    """(tables after one round, log probability of the days before it)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # one round is no convergence, and not meant to be
        model = DiscreteHMM(3, 2, **tables, max_iter=1).fit(many_days()[0])
    learnt = {"startprob": model.startprob_, "transmat": model.transmat_, "emissionprob": model.emissionprob_}
    return learnt, float(model.trace_[0])


def log_probabilities(tables):
    """log P of the days that are trained on, and of new ones, under some tables."""
    model = DiscreteHMM.from_parameters(**tables)
    return tuple(model.score(days) for days in many_days())
