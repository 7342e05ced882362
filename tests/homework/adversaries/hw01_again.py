"""Answers to homework 01, task 7, by somebody who had only the exercise."""

from fractions import Fraction
from math import comb, exp, lgamma, log

import numpy as np
from scipy.special import gammaincc
from scipy.stats import binomtest


def _mine_right(mine, words):
    others = np.array(mine, dtype=float)
    np.fill_diagonal(others, np.inf)
    return words[others.argmin(axis=1)] == words


def _theirs_right(theirs, words, their_words):
    return their_words[theirs.argmin(axis=1)] == words


def _sign_test(a, b):
    n = a + b
    return sum(comb(n, j) for j in range(n + 1) if abs(2 * j - n) >= abs(a - b)) / 2**n


def _counted(by_mine, by_theirs):
    a, b = int(np.sum(by_mine & ~by_theirs)), int(np.sum(by_theirs & ~by_mine))
    return a, b, _sign_test(a, b)


# ---------------------------------------------------------------- wrong


def shifted(mine, theirs, words, their_words):
    nearest = np.array([np.delete(mine[i], i).argmin() for i in range(len(words))])
    return _counted(words[nearest] == words, _theirs_right(theirs, words, their_words))


def column_is_word(mine, theirs, words, their_words):
    return _counted(_mine_right(mine, words), theirs.argmin(axis=1) == words)


def nearest_on_average(mine, theirs, words, their_words):
    by_mine, by_theirs = [], []
    for i, word in enumerate(words):
        other = np.arange(len(words)) != i
        mean = {w: mine[i, other & (words == w)].mean() for w in set(words[other].tolist())}
        by_mine.append(min(mean, key=mean.get) == word)
        mean = {w: theirs[i, their_words == w].mean() for w in set(their_words.tolist())}
        by_theirs.append(min(mean, key=mean.get) == word)
    return _counted(np.array(by_mine), np.array(by_theirs))


def single_words_skipped(mine, theirs, words, their_words):
    again = np.array([np.sum(words == word) > 1 for word in words])
    by_mine, by_theirs = _mine_right(mine, words), _theirs_right(theirs, words, their_words)
    return _counted(by_mine[again], by_theirs[again])


def tail_doubled(mine, theirs, words, their_words):
    a, b, _ = _counted(_mine_right(mine, words), _theirs_right(theirs, words, their_words))
    n = a + b
    if n == 0:
        return a, b, 1.0
    return a, b, 2 * sum(comb(n, j) for j in range(max(a, b), n + 1)) / 2**n


def tail_of_mine_doubled(mine, theirs, words, their_words):
    a, b, _ = _counted(_mine_right(mine, words), _theirs_right(theirs, words, their_words))
    n = a + b
    return a, b, min(1.0, 2 * sum(comb(n, j) for j in range(a, n + 1)) / 2**n)


def all_right_ones(mine, theirs, words, their_words):
    a = int(_mine_right(mine, words).sum())
    b = int(_theirs_right(theirs, words, their_words).sum())
    return a, b, _sign_test(a, b)


def chi_squared(mine, theirs, words, their_words):
    a, b, _ = _counted(_mine_right(mine, words), _theirs_right(theirs, words, their_words))
    if a + b == 0:
        return a, b, 1.0
    statistic = max(abs(a - b) - 1, 0) ** 2 / (a + b)
    return a, b, float(gammaincc(0.5, statistic / 2))


def each_word_once(mine, theirs, words, their_words):
    by_mine, by_theirs = _mine_right(mine, words), _theirs_right(theirs, words, their_words)
    a = len(np.unique(words[by_mine & ~by_theirs]))
    b = len(np.unique(words[by_theirs & ~by_mine]))
    return a, b, _sign_test(a, b)


def factorials_overflow(mine, theirs, words, their_words):
    a, b, _ = _counted(_mine_right(mine, words), _theirs_right(theirs, words, their_words))
    n = a + b
    j = np.arange(n + 1)
    factorial = np.cumprod(np.maximum(j, 1))
    ways = factorial[n] / (factorial * factorial[::-1])
    return a, b, float(np.sum(ways[np.abs(2 * j - n) >= abs(a - b)]) / 2.0**n)


def nearer_not_right(mine, theirs, words, their_words):
    others = np.array(mine, dtype=float)
    np.fill_diagonal(others, np.inf)
    same = words[:, None] == words
    to_mine = np.where(same, others, np.inf).min(axis=1)
    to_theirs = np.where(words[:, None] == their_words, theirs, np.inf).min(axis=1)
    a, b = int(np.sum(to_mine < to_theirs)), int(np.sum(to_theirs < to_mine))
    return a, b, _sign_test(a, b)


WRONG = [
    ("own_voice", "mine: the row without its own entry is searched, its index used for all words", shifted),
    (
        "own_voice",
        "theirs: takes the column's number for the word, as if the templates were 0, 1, 2, …",
        column_is_word,
    ),
    ("own_voice", "the word whose templates are nearest on average, not the nearest template", nearest_on_average),
    ("own_voice", "leaves a word out of the comparison that I said only once", single_words_skipped),
    ("own_voice", "twice the larger tail without a limit: more than 1 when a = b > 0", tail_doubled),
    ("own_voice", "twice the tail from a up, at most 1: right only where a ≥ b", tail_of_mine_doubled),
    ("own_voice", "a and b count all that mine or theirs gets right, also where both do", all_right_ones),
    ("own_voice", "p of McNemar's χ² with continuity correction instead of the binomial sum", chi_squared),
    ("own_voice", "counts words that differ, each once, not recordings", each_word_once),
    ("own_voice", "binomials from factorials in int64: wrong from n = 21", factorials_overflow),
    ("own_voice", "counts whose template of the said word is nearer, not who recognises it", nearer_not_right),
]


# ---------------------------------------------------------------- right


def exact_fraction(mine, theirs, words, their_words):
    def outcomes():
        for i, word in enumerate(words):
            _, j = min((d, j) for j, d in enumerate(mine[i]) if j != i)
            _, k = min((d, k) for k, d in enumerate(theirs[i]))
            yield int(words[j] == word) - int(their_words[k] == word)

    signs = list(outcomes())
    a, b = signs.count(1), signs.count(-1)
    n = a + b
    less_even = sum(comb(n, j) for j in range(min(a, b) + 1, max(a, b)))
    return a, b, 1 - Fraction(less_even, 2**n)


def library_test(mine, theirs, words, their_words):
    away = np.ma.masked_array(mine, mask=np.eye(len(words), dtype=bool))
    by_mine = words[away.argmin(axis=1)] == words
    by_theirs = their_words[np.argsort(theirs, axis=1)[:, 0]] == words
    a, b = np.sum(by_mine > by_theirs), np.sum(by_theirs > by_mine)
    return a, b, binomtest(int(a), int(a + b)).pvalue if a + b else 1


def one_hot_and_log_space(mine, theirs, words, their_words):
    vocabulary = np.union1d(words, their_words)
    said, templates = words[:, None] == vocabulary, their_words[:, None] == vocabulary
    open_pairs = ~np.eye(len(words), dtype=bool)[:, :, None] & said[None]
    to_mine = np.min(
        np.broadcast_to(np.asarray(mine, dtype=float)[:, :, None], open_pairs.shape),
        1,
        where=open_pairs,
        initial=1e300,
    )
    to_theirs = np.where(templates[None], np.asarray(theirs)[:, :, None], np.inf).min(axis=1)
    right = [said[np.arange(len(words)), table.argmin(1)] for table in (to_mine, to_theirs)]
    a, b = (right[0] & ~right[1]).sum(), (right[1] & ~right[0]).sum()
    n, low = int(a + b), int(min(a, b))
    if a == b:
        return np.array([a, b, 1.0])
    tail = sum(exp(lgamma(n + 1) - lgamma(j + 1) - lgamma(n - j + 1) - n * log(2)) for j in range(low + 1))
    return np.array([a, b, 2 * tail])


def tosses_convolved(mine, theirs, words, their_words):
    def answer(row, labels):
        return labels[0] if len(row) == 1 else answer(*_without_farther(row, labels))

    lead, tosses = [0, 0], np.ones(1)
    for i, word in enumerate(words):
        own = answer(np.delete(mine[i], i), np.delete(words, i)) == word
        foreign = answer(theirs[i], their_words) == word
        if own != foreign:
            lead[0 if own else 1] += 1
            tosses = np.convolve(tosses, [0.5, 0.5])
    difference = np.arange(-len(tosses) + 1, len(tosses), 2)
    return [*lead, tosses @ (abs(difference) >= abs(lead[0] - lead[1]))]


def _without_farther(row, labels):
    farther = 0 if row[0] > row[1] else 1
    return np.delete(row, farther), np.delete(labels, farther)


RIGHT = [
    ("own_voice", "generator; one minus the less uneven splits, an exact Fraction", exact_fraction),
    ("own_voice", "masked array and the binomial test of scipy", library_test),
    ("own_voice", "three-dimensional table of words, tail by log-gamma, an array of three", one_hot_and_log_space),
    ("own_voice", "recursive nearest, the coin tosses convolved, a list", tosses_convolved),
]
