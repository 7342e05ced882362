"""Word errors: the edits between what was said and what was found, and their rate. Lecture: 04, section 11."""

import numbers
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from course_lib import validation
from course_lib.metrics import Proportion


class WordErrors(NamedTuple):
    """Numbers of edits that turn the n_words words of a reference into a hypothesis."""

    substitutions: int
    insertions: int
    deletions: int
    n_words: int

    @property
    def total(self):
        """Substitutions, insertions and deletions together."""
        return self.substitutions + self.insertions + self.deletions


class WordErrorRate(NamedTuple):
    """Errors per word of the reference, with their interval, and the errors by kind."""

    estimate: float
    low: float
    high: float
    errors: WordErrors

    __str__ = Proportion.__str__


def word_errors(reference, hypothesis):
    """The fewest substitutions, insertions and deletions that turn one string of words into another, as `WordErrors`.

    Levenshtein's distance is related to dynamic time warping: it has the same table of prefixes and the same three
    moves, and D(i, j) is the minimum over its predecessors. But here a word may remain without a partner, at a cost of
    1, where warping would pair it again. Among several cheapest alignments, the one with most correct words counts.

    reference, hypothesis : lists (or arrays) of words, compared by ==; the hypothesis may be empty

    Source: Levenshtein (1966); Wagner and Fischer (1974).
    """
    reference, hypothesis = _words(reference, "reference"), _words(hypothesis, "hypothesis")
    R, H = len(reference), len(hypothesis)
    if not R:
        raise ValueError("reference is empty; at least one word is needed.")
    price = R + 1  # of an error; a correct word earns 1, which decides between alignments with equally many errors
    before = [j * price for j in range(H + 1)]
    for i, word in enumerate(reference, start=1):
        after = [i * price]
        for j, found in enumerate(hypothesis, start=1):
            pair = before[j - 1] + (-1 if word == found else price)
            after.append(min(pair, before[j] + price, after[j - 1] + price))
        before = after
    right = -before[H] % price
    errors = (before[H] + right) // price
    substitutions = R + H - 2 * right - errors
    return WordErrors(substitutions, H - right - substitutions, R - right - substitutions, R)


def word_error_rate(references, hypotheses, confidence=0.95):
    """Word error rate of a corpus: all errors over all words of the references. It can exceed 1, by insertions.

    The interval contains the rates r with (E − rN)² ≤ z² φ r N, for E errors in N words: Wilson's idea for a count.
    The over-dispersion φ accounts for correlated errors within an utterance: the variance of Σ (e_u − r n_u) over
    utterances relative to that of a Poisson count, at least 1. (Bootstrapping utterances gives 0 … 0 without errors.)

    references, hypotheses : lists of U strings of words, one pair per utterance; see `word_errors`
    confidence : float in (0, 1)

    Source: Wilson (1927); over-dispersion: McCullagh and Nelder (1989), chapter 6.
    """
    z = norm.ppf((1 + validation.between(confidence, "confidence", 0, 1)) / 2)
    for name, strings in (("references", references), ("hypotheses", hypotheses)):
        if not isinstance(strings, (list, tuple)) or not strings:
            raise ValueError(f"{name} is {strings!r}; a list with a string of words for each utterance is needed.")
    if len(references) != len(hypotheses):
        raise ValueError(f"there are {len(references)} references and {len(hypotheses)} hypotheses; pairs are needed.")
    each = []
    for u, pair in enumerate(zip(references, hypotheses, strict=True)):
        try:
            each.append(word_errors(*pair))
        except ValueError as error:
            raise ValueError(f"references[{u}] and hypotheses[{u}]: {error}") from None
    each = np.array(each)
    U, e, n = len(each), each[:, :3].sum(axis=1), each[:, 3]
    E, N = e.sum(), n.sum()
    overdispersion = 1.0
    if U > 1 and E > 0:
        overdispersion = max(1.0, float(((e - E / N * n) ** 2).sum() * U / (U - 1) / E))
    half = overdispersion * z**2 / 2
    reach = np.sqrt(half * (2 * E + half))
    rates = [float(errors / N) for errors in (E, E + half - reach, E + half + reach)]
    return WordErrorRate(*rates, WordErrors(*each.sum(axis=0).tolist()))


def _words(string, name):
    """List of the words of one string, each a text or a whole number."""
    words = string.tolist() if isinstance(string, np.ndarray) and string.ndim == 1 else string
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, (str, numbers.Integral)) for word in words):
        raise ValueError(f"{name} is {string!r}; a list of words is needed, texts or whole numbers. Try text.split().")
    return words
