"""Many people: each has a latent function of their own, and what they have in common is a matter of the kernel.

Lecture: 11, section 2.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import selection, validation


def person_pairs(
    X: ArrayLike, pairs: ArrayLike, persons: ArrayLike, people: ArrayLike | None = None
) -> tuple[NDArray, NDArray]:
    """Questions put to people, as pairs of rows [x_i, u_p], one row for each item that a person has met.

    A product of a kernel of items and a kernel of people makes these rows the inputs of one model for all:
    `model.fit(*person_pairs(X, pairs, persons, people), y)`, and
    `model.predict_preference(*person_pairs(X, new, who, people))`.

    X : (n, D) items;  pairs : (m, 2) ints, the items (a, b) of each question;  persons : (m,) ints ≥ 0, who was asked
    people : (P, E) features of people 0 … P−1; None: the person's number, for an index kernel (Coregionalization)
    Returns rows (q, D + E), ordered by item and then by person, and row_pairs (m, 2) of their indices.

    Source: Nielsen et al. (2011), section 2.1 (input-major order: K ⊗ K⁽ᵘ⁾).
    """
    X = validation.sequence(X, "X")
    pairs = selection.pairs(pairs, len(X))
    people = None if people is None else validation.sequence(people, "people")
    known = None if people is None else len(people)
    persons = selection.indices(persons, "persons", (len(pairs),), known, "people", ", as many as pairs")
    who, place = np.unique(persons, return_inverse=True)
    used, index = np.unique(pairs * len(who) + place[:, None], return_inverse=True)
    item, person = used // len(who), who[used % len(who)]
    features = person[:, None].astype(float) if people is None else people[person]
    return np.hstack([X[item], features]), index.reshape(pairs.shape)
