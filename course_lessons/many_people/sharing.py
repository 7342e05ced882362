"""How much should one listener's estimate lean on those of the others? Complete tables, learned exactly.

Lecture: 11, section 2.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from course_lessons.many_people.kronecker import KroneckerFit, kronecker_regression
from course_lib import datasets

MAX_ROUNDS = 12
WORTH, NOISE_OF_ONE = 0.2, 0.8  # variance of a mode's worth, and noise of one round, on the scale −1 … 1


class Tables(NamedTuple):
    """Mean answers, between −1 and 1, to 28 pairs (rows) by the 39 listeners (columns) who came on both occasions."""

    rounds: np.ndarray  # (12, 28, 39) of each one's first 1 … 12 rounds on the first occasion, in an order once drawn
    second: np.ndarray  # (28, 39) of the 8 rounds on the second occasion
    second_noise: float  # their standard error, over all
    contrasts: np.ndarray  # (28, 8), a row for each pair: −1 and +1
    modes: tuple
    listeners: np.ndarray


@cache
def sound_tables():
    """The complete tables of the sound-quality data. Listener 62, who came once, is left out."""
    sound, rng = datasets.load_sound_quality(), np.random.default_rng(0)
    people = np.unique(sound.listeners[sound.occasions == "after"])
    mine = [sound.select(sound.listeners == listener) for listener in people]
    first = [rng.permutation(part.choices[part.occasions == "before"]) for part in mine]
    second = np.array([part.choices[part.occasions == "after"] for part in mine])  # (39, 8, 28)
    rounds = np.cumsum(first, axis=1) / np.arange(1, MAX_ROUNDS + 1)[:, None]  # (39, 12, 28)
    noise = np.sqrt(np.mean(second.var(axis=1, ddof=1) / second.shape[1]))
    contrasts = np.zeros((28, len(sound.modes)))
    contrasts[np.arange(28), sound.pairs[:, 0]], contrasts[np.arange(28), sound.pairs[:, 1]] = -1.0, 1.0
    return Tables(rounds.transpose(1, 2, 0), second.mean(axis=1).T, noise, contrasts, sound.modes, people)


class Shared(NamedTuple):
    """A complete table learned with a correlation between people."""

    fit: KroneckerFit
    worth: np.ndarray  # (8, 39) posterior means of the modes
    error: float  # distance from the second occasion, root mean square over 28 pairs and 39 listeners


@cache
def with_shared(rounds, shared):
    """Exact inference from this many rounds, the worths of two people having the correlation `shared`."""
    tables = sound_tables()
    people = shared + (1 - shared) * np.eye(len(tables.listeners))
    K_items = WORTH * tables.contrasts @ tables.contrasts.T
    fit = kronecker_regression(K_items, people, tables.rounds[rounds - 1], NOISE_OF_ONE / np.sqrt(rounds))
    worth = WORTH * tables.contrasts.T @ fit.weights @ people
    return Shared(fit, worth, float(np.sqrt(np.mean((fit.mean - tables.second) ** 2))))
