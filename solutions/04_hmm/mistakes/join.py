"""Task 4, join_words(first, second): each a triple (startprob, transmat, emissionprob) with rows of transmat ≤ 1."""

import numpy as np
from scipy.linalg import block_diag


def leaving(word):
    """Probability of leaving the word from each state."""
    return 1 - word[1].sum(axis=1)


def joining(start=None, bridge=None, ring=None, settle=None, emission=None):
    """An answer made of its parts: start, block from the first word to the second, block back, last touch."""
    start = start or (lambda first, second: np.concatenate([first[0], np.zeros(len(second[0]))]))
    bridge = bridge or (lambda first, second: np.outer(leaving(first), second[0]))
    ring = ring or (lambda first, second: np.zeros((len(second[0]), len(first[0]))))
    settle = settle or (lambda transmat, first: transmat)
    emission = emission or (lambda first, second: np.vstack([first[2], second[2]]))

    def answer(first, second):
        transmat = np.block([[first[1], bridge(first, second)], [ring(first, second), second[1]]])
        return start(first, second), settle(transmat, first), emission(first, second)

    return answer


right_answer = joining()


def nothing(first, second):
    return np.zeros((len(first[0]), len(second[0])))


def on_the_wrong_side(first, second):
    return np.outer(second[0], leaving(first))


def exits_of_the_second(first, second):
    exits = np.resize(leaving(second), len(first[0]))
    return np.outer(exits, second[0])


def only_from_the_last(first, second):
    bridge = nothing(first, second)
    bridge[-1] = leaving(first)[-1] * second[0]
    return bridge


def into_the_first_state(first, second):
    bridge = nothing(first, second)
    bridge[:, 0] = leaving(first)
    return bridge


def into_any_state(first, second):
    return np.outer(leaving(first), np.full(len(second[0]), 1 / len(second[0])))


def surely(first, second):
    bridge = nothing(first, second)
    bridge[-1, 0] = 1
    return bridge


def not_staying(first, second):
    return np.outer(1 - np.diag(first[1]), second[0])


def rows_to_one(transmat, first=None):
    totals = transmat.sum(axis=1, keepdims=True)
    return transmat / np.where(totals > 0, totals, 1)


def stays_at_the_end(transmat, first):
    transmat = transmat.copy()
    transmat[-1, -1] += 1 - transmat[-1].sum()
    return transmat


def closes_the_second(transmat, first):
    transmat = transmat.copy()
    after = slice(len(first[0]), None)
    transmat[after] = rows_to_one(transmat[after])
    return transmat


def both_starts(first, second):
    return np.concatenate([first[0], second[0]])


MISTAKES = {
    "exit lost": joining(bridge=nothing),
    "exit lost, rows to one": joining(bridge=nothing, settle=rows_to_one),
    "lower triangle": joining(bridge=nothing, ring=on_the_wrong_side),
    "both starts": joining(both_starts),
    "both starts, halved": joining(lambda first, second: both_starts(first, second) / 2),
    "exits of the second": joining(bridge=exits_of_the_second),
    "only from the last state": joining(bridge=only_from_the_last),
    "into the first state": joining(bridge=into_the_first_state),
    "into any state": joining(bridge=into_any_state),
    "surely": joining(bridge=surely),
    "leaving is not staying": joining(bridge=not_staying),
    "ring": joining(ring=lambda first, second: np.outer(leaving(second), first[0])),
    "rows to one": joining(settle=closes_the_second),
    "stays at the end": joining(settle=stays_at_the_end),
    "emissions of the second first": joining(emission=lambda first, second: np.vstack([second[2], first[2]])),
    "second before first": lambda first, second: right_answer(second, first),
}

RULE_MISTAKES = {
    "start of the first alone": (lambda first, second: (first[0], *right_answer(first, second)[1:]), "One entry for"),
    "emissions in blocks": (
        joining(emission=lambda first, second: block_diag(first[2], second[2])),
        "Do both words use the same symbols?",
    ),
    "transmat alone": (lambda first, second: right_answer(first, second)[1], "3 values are needed"),
}


def filled_in(first, second):
    n, total = len(first[0]), len(first[0]) + len(second[0])
    startprob, transmat = np.zeros(total), np.zeros((total, total))
    startprob[:n] = first[0]
    transmat[:n, :n], transmat[n:, n:] = first[1], second[1]
    for i in range(n):
        for j in range(n, total):
            transmat[i, j] = (1 - first[1][i].sum()) * second[0][j - n]
    return startprob, transmat, np.concatenate([first[2], second[2]])


def in_lists(first, second):
    startprob = [*first[0], *[0.0 for _ in second[0]]]
    upper = [[*row, *((1 - sum(row)) * entry for entry in second[0])] for row in first[1]]
    lower = [[*[0.0 for _ in first[0]], *row] for row in second[1]]
    return [startprob, upper + lower, [*first[2], *second[2]]]


def chained(first, second):
    """The first word with a state that nobody stays in, which is then replaced by the second word."""
    n = len(first[0])
    whole = np.hstack([first[1], leaving(first)[:, None]])
    spread = block_diag(np.eye(n), second[0][None, :])
    transmat = np.vstack([whole @ spread, np.hstack([np.zeros((len(second[0]), n)), second[1]])])
    return np.pad(first[0], (0, len(second[0]))), transmat, np.vstack([first[2], second[2]])


RIGHT = {"blocks": right_answer, "filled in": filled_in, "lists": in_lists, "a silent state between": chained}
