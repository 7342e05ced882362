"""Reference of task 7, own_voice."""

from itertools import product

import numpy as np

SEED = 107
TIE = 1e-6


def heard(distances, words):
    """The word of the nearest in each row; None if two words are as near."""
    found = []
    for row in distances:
        ranked = sorted((float(d), int(word)) for d, word in zip(row, words, strict=True) if np.isfinite(d))
        if any(d - ranked[0][0] < TIE and word != ranked[0][1] for d, word in ranked[1:]):
            return None  # ambiguous
        found.append(ranked[0][1])
    return np.array(found)


def right(mine, theirs, words, their_words):
    """(N,) truth values: which recordings are recognised by mine, by theirs; None if that is open."""
    without_itself = np.where(np.eye(len(words), dtype=bool), np.inf, mine)
    both = heard(without_itself, words), heard(theirs, their_words)
    return None if any(one is None for one in both) else tuple(one == words for one in both)


def as_uneven(a, b):
    """Share of all sequences of a + b tosses of a coin that are split as unevenly, or more so."""
    tosses = [abs(sum(one)) for one in product((-1, 1), repeat=a + b)]
    return float(np.mean([one >= abs(a - b) for one in tosses]))


def answer(mine, theirs, words, their_words):
    """None if two words are as near."""
    found = right(mine, theirs, words, their_words)
    if found is None:
        return None  # ambiguous
    a, b = int(np.sum(found[0] & ~found[1])), int(np.sum(found[1] & ~found[0]))
    return a, b, as_uneven(a, b)


def way(mine, theirs, words, their_words):
    """What is recognised by whom."""
    found = right(mine, theirs, words, their_words)
    yield "your other recordings are right about (1 for yes)", found[0].astype(float)
    yield "the other voice is right about (1 for yes)", found[1].astype(float)
