"""Choices of 39 listeners between eight systems: learned as one model, each alone, or shared; new ones told by each.

Lecture: 11, sections 3, 4 and 10.
"""

import warnings
from functools import cache
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from course_lessons.many_people.sharing import sound_tables
from course_lib import datasets, validation
from course_lib.gp import Constant, Coregionalization, Fixed, SquaredExponential
from course_lib.judgments.comparisons.floating import FloatingItemsWarning
from course_lib.judgments.comparisons.people import person_pairs
from course_lib.judgments.comparisons.preference import PreferenceGP

N_LISTENERS, N_ANSWERS = 39, 224  # listeners who came twice; answers of each in the first two goes through the pieces
ANSWER_COUNTS = (2, 5, 14, 28, 56, 112, N_ANSWERS)
MODES = np.arange(8.0)[:, None]
EVERYBODY = np.column_stack([np.zeros(N_LISTENERS), np.arange(N_LISTENERS)])  # system 0 and each person
# Modes are numbers that mean nothing: so short a lengthscale ties none to another. The kernel of people has the scale.
SYSTEM_KERNEL = SquaredExponential(1.0, 0.1).with_priors(variance=Fixed(), lengthscale=Fixed()).on([0])


class Chosen(NamedTuple):
    """A row for each choice: pairs (m, 2) of modes, answers (m,) ±1, persons (m,) 0 … 38."""

    pairs: np.ndarray
    answers: np.ndarray
    persons: np.ndarray

    def part(self, which):
        """The rows chosen by indices or a mask."""
        return Chosen(*(column[which] for column in self))

    def and_also(self, others):
        """These rows and those of others."""
        return Chosen(*(np.concatenate(columns) for columns in zip(self, others, strict=True)))


@cache
def sound_choices():
    """(pool, exam): what each listener chose in two goes through the pieces, and in the third; one occasion."""
    sound, names = datasets.load_sound_quality(), sound_tables().listeners
    first = sound.select((sound.occasions == "before") & np.isin(sound.listeners, names))
    parts = first.select(first.repetitions < 3), first.select(first.repetitions == 3)
    return tuple(
        Chosen(
            np.tile(part.pairs, (len(part), 1)),
            part.choices.ravel(),
            np.repeat(np.searchsorted(names, part.listeners), len(part.pairs)),
        )
        for part in parts
    )


def some(k, rng):
    """Chosen, k answers of each listener, drawn from the pool."""
    pool, rng = sound_choices()[0], validation.generator(rng)
    k = validation.integer(k, "k", least=1)
    if k > N_ANSWERS:
        raise ValueError(f"k is {k}; each listener gave {N_ANSWERS} answers.")
    picks = [rng.permutation(np.flatnonzero(pool.persons == p))[:k] for p in range(N_LISTENERS)]
    return pool.part(np.concatenate(picks))


def ways(people=N_LISTENERS):
    """{name: kernels of people}: one, or several to choose from by the evidence."""
    return {
        "one for all": [Constant(1.0)],
        "one for each": [Coregionalization(people, rank=0, variance=1.0)],
        "shared": [Coregionalization(people, correlation=rho) for rho in (0.5, 0.75, 0.9)],
    }


def learn(kernels, choices, X=MODES, of_items=SYSTEM_KERNEL):
    """PreferenceGP of the choices (Chosen), with that one of some kernels of people which has the highest evidence.

    X, of_items : (n, D) items other than the systems, and the kernel of their columns
    """
    asked, ties = person_pairs(X, choices.pairs, choices.persons), bool(np.any(choices.answers == 0))
    products = [of_items * people.on([X.shape[1]]) for people in kernels]
    models = [PreferenceGP(product, ties=ties, optimize=False) for product in products]
    with warnings.catch_warnings(action="ignore", category=FloatingItemsWarning):  # of who is alone, most float
        return max((model.fit(*asked, choices.answers) for model in models), key=lambda fit: fit.log_evidence_)


def learn_people(people, choices):
    """PreferenceGP of the choices, the kernel of people learned in thirty rounds of search."""
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):  # the last digits still move
        model = PreferenceGP(SYSTEM_KERNEL * people.on([1]), max_iter=30)
        return model.fit(*person_pairs(MODES, choices.pairs, choices.persons), choices.answers)


def worths(model, X=MODES, people=N_LISTENERS):
    """(P, n) what each of n items X is worth to each of P people."""
    rows = np.column_stack([np.tile(X, (people, 1)), np.repeat(np.arange(people), len(X))])
    return model.predict_latent(rows)[0].reshape(people, len(X))


def log_scores(model, choices):
    """(39,) mean log probability that the model gave to each listener's choices; 0 for who has none."""
    asked = person_pairs(MODES, choices.pairs, choices.persons)
    density = model.log_predictive_density(*asked, choices.answers)
    return np.bincount(choices.persons, density, N_LISTENERS) / np.maximum(
        np.bincount(choices.persons, minlength=N_LISTENERS), 1
    )


def learning_curve(people, counts, draws=3):
    """{k: {name: (39,) log scores of the exam}}, each listener having given k answers; means over some draws of them.

    people : {name: list of kernels of people};  counts : numbers of answers
    draws : how many times k answers are drawn (once, if k is all there are)
    """
    exam, curve = sound_choices()[1], {}
    for k in counts:
        drawn = [some(k, seed) for seed in range(draws if k < N_ANSWERS else 1)]
        curve[k] = {
            name: np.mean([log_scores(learn(kernels, choices), exam) for choices in drawn], axis=0)
            for name, kernels in people.items()
        }
    return curve
