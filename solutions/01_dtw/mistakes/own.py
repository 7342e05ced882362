"""Task 7, own_voice(mine, theirs, words, their_words)."""

from math import comb

import numpy as np
from scipy.stats import binomtest, chi2


def without_itself(mine, words):
    """Word of the nearest other recording."""
    return words[np.where(np.eye(len(mine), dtype=bool), np.inf, mine).argmin(axis=1)]


def nearest(theirs, their_words):
    return their_words[theirs.argmin(axis=1)]


def only(mine, theirs):
    """(a, b): how many are True in one alone."""
    return int(np.sum(mine & ~theirs)), int(np.sum(theirs & ~mine))


def both_ends(a, b, n):
    return sum(comb(a + b, j) for j in range(a + b + 1) if abs(2 * j - a - b) >= abs(a - b)) / 2 ** (a + b)


def comparing(own=without_itself, other=nearest, count=only, p=both_ends):
    """An answer made of its four parts: the words by mine, those by theirs, what is counted, and the probability."""

    def answer(mine, theirs, words, their_words):
        right = own(mine, words) == words, other(theirs, their_words) == words
        return *count(*right), float(p(*only(*right), len(words)))

    return answer


right_answer = comparing()


def its_word_left_out(mine, words):
    return words[np.where(np.equal.outer(words, words), np.inf, mine).argmin(axis=1)]


def moved(mine, words):
    return words[[np.delete(row, i).argmin() for i, row in enumerate(mine)]]


def by_mean(distances, words):
    known = np.unique(words)
    return known[np.argmin([distances[:, words == one].mean(axis=1) for one in known], axis=0)]


def own_by_mean(mine, words):
    known, answers = np.unique(words), []
    for i, row in enumerate(mine):
        others = np.arange(len(words)) != i
        means = [row[others & (words == one)].mean() if (others & (words == one)).any() else np.inf for one in known]
        answers.append(known[np.argmin(means)])
    return np.array(answers)


def totals(mine, theirs):
    return int(mine.sum()), int(theirs.sum())


def all_that_are_right(mine, theirs, words, their_words):
    a, b = totals(without_itself(mine, words) == words, nearest(theirs, their_words) == words)
    return a, b, both_ends(a, b, 0)


def each_word_once(mine, theirs, words, their_words):
    by_mine, by_theirs = without_itself(mine, words) == words, nearest(theirs, their_words) == words
    a, b = (len(np.unique(words[one])) for one in (by_mine & ~by_theirs, by_theirs & ~by_mine))
    return a, b, both_ends(a, b, 0)


def tail(a, n):
    """P(at least a heads in n tosses)."""
    return sum(comb(n, j) for j in range(a, n + 1)) / 2**n


def half_the_difference(a, b, n):
    return sum(comb(a + b, j) for j in range(a + b + 1) if abs(j - (a + b) / 2) >= abs(a - b)) / 2 ** (a + b)


def by_factorials(a, b, n):
    heads = np.arange(a + b + 1)
    factorial = np.cumprod(np.maximum(heads, 1))
    ways = factorial[-1] / (factorial * factorial[::-1])
    return ways[np.abs(2 * heads - a - b) >= abs(a - b)].sum() / 2 ** (a + b)


def chi_squared(correction):
    def p(a, b, n):
        return chi2.sf(max(abs(a - b) - correction, 0) ** 2 / (a + b), 1) if a + b else 1.0

    return p


MISTAKES = {
    "itself among the templates": comparing(own=nearest),
    "its word left out": comparing(own=its_word_left_out),
    "places moved by the deletion": comparing(own=moved),
    "farthest": comparing(
        own=lambda mine, words: words[mine.argmax(axis=1)],
        other=lambda theirs, words: words[theirs.argmax(axis=1)],
    ),
    "mean over the templates of a word": comparing(own=own_by_mean, other=by_mean),
    "place for word": comparing(
        own=lambda mine, words: np.where(np.eye(len(mine), dtype=bool), np.inf, mine).argmin(axis=1),
        other=lambda theirs, words: theirs.argmin(axis=1),
    ),
    "all that are right": all_that_are_right,
    "all that are right, p as it should be": comparing(count=totals),
    "each word once": each_word_once,
    "all recordings are tosses": comparing(p=lambda a, b, n: binomtest(a, n).pvalue),
    "one side": comparing(p=lambda a, b, n: tail(a, a + b)),
    "one side, that of the larger": comparing(p=lambda a, b, n: tail(max(a, b), a + b)),
    "twice one end": comparing(p=lambda a, b, n: 2 * tail(max(a, b), a + b)),
    "this split alone": comparing(p=lambda a, b, n: comb(a + b, a) / 2 ** (a + b)),
    "this split, both ways": comparing(p=lambda a, b, n: 2 * comb(a + b, a) / 2 ** (a + b)),
    "more uneven only": comparing(p=lambda a, b, n: 2 * tail(max(a, b) + 1, a + b)),
    "half the difference": comparing(p=half_the_difference),
    "chi-squared": comparing(p=chi_squared(0)),
    "chi-squared, corrected": comparing(p=chi_squared(1)),
    "factorials in 64 bits": comparing(p=by_factorials),
    "one minus p": comparing(p=lambda a, b, n: 1 - both_ends(a, b, n)),
}

RULE_MISTAKES = {
    "the other one first": (
        comparing(count=lambda mine, theirs: only(mine, theirs)[::-1]),
        "Which count comes first?",
    ),
    "p alone": (lambda *given: right_answer(*given)[2], "3 values are needed"),
}


def looped(mine, theirs, words, their_words):
    a = b = 0
    for i, word in enumerate(words):
        others = [j for j in range(len(words)) if j != i]
        by_mine = words[min(others, key=lambda j: mine[i, j])] == word
        by_theirs = their_words[np.argsort(theirs[i])[0]] == word
        a, b = a + (by_mine and not by_theirs), b + (by_theirs and not by_mine)
    return a, b, binomtest(a, a + b).pvalue if a + b else 1.0


def twice_the_end_at_most_1(a, b, n):
    return min(1.0, 2 * tail(max(a, b), a + b))


RIGHT = {
    "arrays and comb": right_answer,
    "loop and binomtest": looped,
    "twice the end, at most 1": comparing(p=twice_the_end_at_most_1),
    "a list of floats": lambda *given: [float(one) for one in right_answer(*given)],
}
