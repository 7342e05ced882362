"""Choices of train journeys: does what all travellers share help with what one of them says?

Lecture: 11, section 10.
"""

import warnings

import numpy as np

from course_lib.gp import Coregionalization, Fixed, SquaredExponential
from course_lib.judgments import FloatingItemsWarning, PreferenceGP, person_pairs

UNITS = (1000, 30, 1, 1)  # tens of guilders, half hours, changes, comfort
TRAVELLERS = 60  # of those with twelve answers or more


def kernels_of_travellers():
    """{name: kernel of (journey, person)}: what all share, what is one's own, or the sum of both."""
    shared, halved = (
        SquaredExponential(v, [3.0] * 4).with_priors(lengthscale=Fixed()).on([0, 1, 2, 3]) for v in (4.0, 2.0)
    )
    own = Coregionalization(TRAVELLERS, rank=0, variance=1.0).with_priors(own_variances=Fixed()).on([4])
    return {"one for all": shared, "one for each": shared * own, "shared": halved + halved * own}


def travellers(trains, seed, answers):
    """({name: (60,) log scores}, ρ): learned from that many answers of each of 60 people, of those after eight."""
    rng, (names, given) = np.random.default_rng(seed), np.unique(trains.persons, return_counts=True)
    chosen = np.sort(rng.permutation(names[given >= 12])[:TRAVELLERS])
    theirs = [rng.permutation(np.flatnonzero(trains.persons == name)) for name in chosen]

    def asked(rows):
        persons = np.searchsorted(chosen, trains.persons[rows])
        return *person_pairs(trains.X / UNITS, trains.pairs[rows], persons), trains.choices[rows], persons

    *learn, _ = asked(np.concatenate([mine[:answers] for mine in theirs]))
    *new, persons = asked(np.concatenate([mine[8:] for mine in theirs]))
    with warnings.catch_warnings(action="ignore", category=FloatingItemsWarning):  # who is alone hangs on nobody
        fits = {name: PreferenceGP(kernel).fit(*learn) for name, kernel in kernels_of_travellers().items()}
    common, own = np.exp(fits["shared"].kernel_.theta)  # the two variances
    counts = np.bincount(persons)
    scores = {name: np.bincount(persons, fit.log_predictive_density(*new)) / counts for name, fit in fits.items()}
    return scores, common / (common + own)
