"""Task 3, align(startprob, transmat, emissionprob, sequence, last)."""

import numpy as np

from .models import filtered, log_viterbi, logs, traced


def right_answer(startprob, transmat, emissionprob, sequence, last):
    return traced(log_viterbi(startprob, transmat, emissionprob, sequence)[1], last)


def free_end(startprob, transmat, emissionprob, sequence, last):
    delta, before = log_viterbi(startprob, transmat, emissionprob, sequence)
    return traced(before, delta[-1].argmax())


def ending(path, last):
    """The path with another last state."""
    path = np.array(path)
    path[-1] = last
    return path


def posterior(startprob, transmat, emissionprob, sequence, last):
    certain = np.zeros_like(startprob)
    certain[last] = 1
    to_come = [certain]
    for symbol in sequence[:0:-1]:
        before = transmat @ (emissionprob[:, symbol] * to_come[-1])
        to_come.append(before / before.sum())
    return (filtered(startprob, transmat, emissionprob, sequence) * to_come[::-1]).argmax(axis=1)


def no_pointers(startprob, transmat, emissionprob, sequence, last):
    return ending(log_viterbi(startprob, transmat, emissionprob, sequence)[0].argmax(axis=1), last)


def one_too_early(startprob, transmat, emissionprob, sequence, last):
    before = log_viterbi(startprob, transmat, emissionprob, sequence)[1]
    path = [last]
    for pointers in before[-2::-1]:
        path.append(pointers[path[-1]])
    return np.array(path[::-1])


def sums(startprob, transmat, emissionprob, sequence, last):
    alpha = filtered(startprob, transmat, emissionprob, sequence)
    path = [last]
    for belief in alpha[-2::-1]:
        path.append((belief * transmat[:, path[-1]]).argmax())
    return np.array(path[::-1])


def products(startprob, transmat, emissionprob, sequence, last):
    delta, before = startprob * emissionprob[:, sequence[0]], [np.zeros(len(startprob), dtype=int)]
    for symbol in sequence[1:]:
        ways = delta[:, None] * transmat
        before.append(ways.argmax(axis=0))
        delta = ways.max(axis=0) * emissionprob[:, symbol]
    return traced(before, last)


def greedy(startprob, transmat, emissionprob, sequence, last):
    path = [(startprob * emissionprob[:, sequence[0]]).argmax()]
    for symbol in sequence[1:]:
        path.append((transmat[path[-1]] * emissionprob[:, symbol]).argmax())
    return ending(path, last)


def symbols_alone(startprob, transmat, emissionprob, sequence, last):
    return ending(emissionprob[:, sequence].argmax(axis=0), last)


def equal_parts(startprob, transmat, emissionprob, sequence, last):
    return np.arange(len(sequence)) * (last + 1) // len(sequence)


def no_start(startprob, transmat, emissionprob, sequence, last):
    return right_answer(np.ones_like(startprob), transmat, emissionprob, sequence, last)


def log_of_zero_is_zero(startprob, transmat, emissionprob, sequence, last):
    model = (np.where(array > 0, array, 1) for array in (startprob, transmat, emissionprob))
    return right_answer(*model, sequence, last)


def added(small):
    """A small number is added before each logarithm."""
    return lambda pi, A, B, sequence, last: right_answer(pi + small, A + small, B + small, sequence, last)


def transitions_added(startprob, transmat, emissionprob, sequence, last):
    return right_answer(startprob, transmat + 1e-3, emissionprob, sequence, last)


def ends_in_the_last_number(*given):
    """Viterbi as it is for left-to-right models: it ends in state N − 1."""
    return right_answer(*given[:-1], len(given[0]) - 1)


def starts_in_last(startprob, transmat, emissionprob, sequence, last):
    delta, before = log_viterbi(np.eye(len(startprob))[last], transmat, emissionprob, sequence)
    return traced(before, delta[-1].argmax())


def beginnings(*given):
    return np.searchsorted(right_answer(*given), range(len(given[0])))


MISTAKES = {
    "free end": free_end,
    "free end, last frame renamed": lambda *given: ending(free_end(*given), given[-1]),
    "posterior": posterior,
    "no pointers": no_pointers,
    "transposed": lambda pi, A, B, o, last: right_answer(pi, A.T, B, o, last),
    "pointer of the frame before": one_too_early,
    "sums": sums,
    "greedy": greedy,
    "symbols alone": symbols_alone,
    "equal parts": equal_parts,
    "no start": no_start,
    "log 0 is 0": log_of_zero_is_zero,
    "1e-3 added to A": transitions_added,
    "1e-3 added": added(1e-3),
    "1e-12 added": added(1e-12),
    "ends in N − 1": ends_in_the_last_number,
    "starts in last": starts_in_last,
}

RULE_MISTAKES = {
    "not reversed": (lambda *given: right_answer(*given)[::-1], "Which end did you start from?"),
    "products": (products, "How small is 0.3 to the 3000th?"),
    "counted from one": (lambda *given: right_answer(*given) + 1, "Python counts from 0"),
    "without the first frame": (lambda *given: right_answer(*given)[1:], "One state for each frame"),
    "beginnings": (beginnings, "One state for each frame"),
}


def nothing_else_at_the_end(startprob, transmat, emissionprob, sequence, last):
    """The free search, after all other states have become unable to emit in the last frame."""
    log_start, log_transmat, log_emission = logs(startprob, transmat, emissionprob[:, sequence])
    log_emission[np.arange(len(startprob)) != last, -1] = -np.inf
    delta, before = log_start + log_emission[:, 0], []
    for heard in log_emission.T[1:]:
        before.append((delta[:, None] + log_transmat).argmax(axis=0))
        delta = (delta[:, None] + log_transmat).max(axis=0) + heard
    path = [int(delta.argmax())]
    while before:
        path.insert(0, int(before.pop()[path[0]]))
    return path


def from_the_end(startprob, transmat, emissionprob, sequence, last):
    """The best way to the end from each state, frame by frame from the last one; then read off forwards."""
    log_start, log_transmat, log_emission = logs(startprob, transmat, emissionprob)
    to_come, ways = np.where(np.arange(len(startprob)) == last, 0.0, -np.inf), []
    for symbol in sequence[:0:-1]:
        onwards = log_transmat + log_emission[:, symbol] + to_come
        ways.append(onwards.argmax(axis=1))
        to_come = onwards.max(axis=1)
    path = [(log_start + log_emission[:, sequence[0]] + to_come).argmax()]
    for way in ways[::-1]:
        path.append(way[path[-1]])
    return tuple(int(state) for state in path)


def scaled(startprob, transmat, emissionprob, sequence, last):
    best, before = startprob * emissionprob[:, sequence[0]], [np.zeros(len(startprob), dtype=int)]
    for symbol in sequence[1:]:
        ways = best[:, None] / best.max() * transmat
        before.append(ways.argmax(axis=0))
        best = ways.max(axis=0) * emissionprob[:, symbol]
    return traced(before, last)


RIGHT = {
    "log space": right_answer,
    "all others silent at the end": nothing_else_at_the_end,
    "backwards, a tuple": from_the_end,
    "scaled": scaled,
    "int8": lambda *given: right_answer(*given).astype(np.int8),
}
