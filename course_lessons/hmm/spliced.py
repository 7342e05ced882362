"""Strings of words made of single recordings, to test a decoder of connected words with. Lecture: 04, section 11."""

from typing import NamedTuple

import numpy as np

from course_lib import validation
from course_lib.audio import normalize_cepstra
from course_lib.datasets import LabelledSequences


class SplicedString(NamedTuple):
    """Concatenated recordings: the frames (T, D), the labels (L,) of the recordings, and their bounds.

    Recording k has the frames bounds[k] ≤ t < bounds[k + 1].
    """

    sequence: np.ndarray
    words: np.ndarray
    bounds: np.ndarray


def spliced_strings(recordings, n_strings, length, rng):
    """List of SplicedString: concatenated recordings; each string by one speaker, if speakers are known.

    No recording is used twice, so the strings are independent tests, but their number is limited. This is not
    connected speech: words are not coarticulated and are pronounced as carefully as in isolation, which makes it
    easier; at the joints the sound jumps as no voice does. No frame covers two words, since features are spliced, not
    sounds.

    recordings : LabelledSequences, such as SpokenDigits that no model was fitted to
    n_strings : int, or None for as many as certainly possible
    length : number of words per string: an int, or (shortest, longest), with all lengths equally likely
    """
    if not isinstance(recordings, LabelledSequences):
        raise ValueError(
            f"recordings is of type {type(recordings).__name__}; LabelledSequences, such as SpokenDigits, are needed."
        )
    shortest, longest = _range_of_lengths(length)
    rng = validation.generator(rng)
    speakers = getattr(recordings, "speakers", np.zeros(len(recordings)))
    piles = [rng.permutation(np.flatnonzero(speakers == speaker)) for speaker in np.unique(speakers)]
    most = sum(len(pile) // longest for pile in piles)
    n_strings = most if n_strings is None else validation.integer(n_strings, "n_strings")
    if not 0 < n_strings <= most:
        raise ValueError(
            f"n_strings is {n_strings}, but {len(recordings)} recordings make only {most} strings of up to {longest} "
            "words by one speaker, each recording used once."
        )
    strings = []
    for n_words in rng.integers(shortest, longest, size=n_strings, endpoint=True):
        sizes = np.array([len(pile) for pile in piles])
        k = rng.choice(len(piles), p=np.where(sizes < n_words, 0, sizes) / sizes[sizes >= n_words].sum())
        said, piles[k] = np.split(piles[k], [n_words])
        pieces = [recordings.sequences[i] for i in said]
        bounds = np.cumsum([0, *map(len, pieces)])
        strings.append(SplicedString(np.concatenate(pieces), recordings.labels[said], bounds))
    return strings


def cut_out(strings):
    """(list of (T, D) pieces, (n,) their words): each string is normalised as a whole and cut at its joints."""
    frames = [(normalize_cepstra(string.sequence), string.bounds[1:-1]) for string in strings]
    pieces = [piece for x, joints in frames for piece in np.split(x, joints)]
    return pieces, np.concatenate([string.words for string in strings])


def _range_of_lengths(length):
    """(shortest, longest) from an int or such a pair."""
    pair = length if isinstance(length, (tuple, list)) else (length, length)
    if len(pair) != 2 or validation.integer(pair[0], "length") > validation.integer(pair[1], "length"):
        raise ValueError(f"length is {length!r}; a whole number, or (shortest, longest), is needed.")
    return pair
