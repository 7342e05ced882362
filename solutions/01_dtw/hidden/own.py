"""Reference of task 7, own_voice."""

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


def counts(by_mine, by_theirs):
    """a and b."""
    return int(np.sum(by_mine & ~by_theirs)), int(np.sum(by_theirs & ~by_mine))


def as_uneven(a, b):
    """Share of all sequences of a + b tosses of a coin that are split as unevenly, or more so."""
    return float(sum(terms(a, b)))


def terms(a, b):
    """Those of the shares of 0, 1, … heads in a + b tosses that are split as unevenly, or more so."""
    shares = np.ones(1)
    for _ in range(a + b):
        shares = np.convolve(shares, (0.5, 0.5))  # one more toss
    ahead = np.arange(-(a + b), a + b + 1, 2)  # heads minus tails
    return shares[np.abs(ahead) >= abs(a - b)]


def answer(mine, theirs, words, their_words):
    """None if two words are as near."""
    found = right(mine, theirs, words, their_words)
    if found is None:
        return None  # ambiguous
    a, b = counts(*found)
    return a, b, as_uneven(a, b)


def way(mine, theirs, words, their_words):
    """What is recognised by whom, and the sum that is p."""
    found = right(mine, theirs, words, their_words)
    yield "your other recordings are right about (1 for yes)", found[0].astype(float)
    yield "the other voice is right about (1 for yes)", found[1].astype(float)
    yield "p adds up", terms(*counts(*found))
