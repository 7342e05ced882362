"""What the wrong and the right answers of homework 04 share: all state sequences, forward and backward passes.

A model is always three arguments: startprob (N,), transmat (N, N) and emissionprob (N, M).
"""

from itertools import pairwise, product

import numpy as np


def joint_probabilities(startprob, transmat, emissionprob, sequence):
    """{path: probability of this path and the sequence}, for every sequence of states; −1 is a lost frame."""
    found = {}
    for path in product(range(len(startprob)), repeat=len(sequence)):
        steps = [transmat[before, after] for before, after in pairwise(path)]
        seen = [emissionprob[state, symbol] for state, symbol in zip(path, sequence, strict=True) if symbol >= 0]
        found[path] = float(startprob[path[0]] * np.prod(steps) * np.prod(seen))
    return found


def logs(*arrays):
    """Natural logs of some arrays, −∞ for 0."""
    with np.errstate(divide="ignore"):
        return [np.log(array) for array in arrays]


def forward(startprob, transmat, emissionprob, sequence):
    """(T, N) joint probabilities of the symbols so far and the state."""
    alpha = [startprob * emissionprob[:, sequence[0]]]
    for symbol in sequence[1:]:
        alpha.append(alpha[-1] @ transmat * emissionprob[:, symbol])
    return np.array(alpha)


def backward(startprob, transmat, emissionprob, sequence):
    """(T, N) probabilities of the symbols to come, given the state."""
    beta = [np.ones(len(startprob))]
    for symbol in sequence[:0:-1]:
        beta.append(transmat @ (emissionprob[:, symbol] * beta[-1]))
    return np.array(beta[::-1])


def filtered(startprob, transmat, emissionprob, sequence):
    """(T, N) probabilities of the state, given the symbols so far."""
    belief = startprob * emissionprob[:, sequence[0]]
    beliefs = [belief / belief.sum()]
    for symbol in sequence[1:]:
        belief = beliefs[-1] @ transmat * emissionprob[:, symbol]
        beliefs.append(belief / belief.sum())
    return np.array(beliefs)


def posteriors(*given):
    """(T, N) probabilities of the state, given all symbols; for short sequences."""
    together = forward(*given) * backward(*given)
    return together / together.sum(axis=1, keepdims=True)


def posteriors_of_pairs(startprob, transmat, emissionprob, sequence):
    """(T − 1, N, N) probabilities of two states in a row, given all symbols; for short sequences."""
    given = startprob, transmat, emissionprob, sequence
    arriving = emissionprob[:, sequence[1:]].T * backward(*given)[1:]
    return forward(*given)[:-1, :, None] * transmat * arriving[:, None, :] / forward(*given)[-1].sum()


def log_viterbi(startprob, transmat, emissionprob, sequence):
    """(T, N) log probabilities of the best path into each state, and (T, N) the states before (the first row is 0)."""
    log_start, log_transmat, log_emission = logs(startprob, transmat, emissionprob)
    delta, before = [log_start + log_emission[:, sequence[0]]], [np.zeros(len(startprob), dtype=int)]
    for symbol in sequence[1:]:
        ways = delta[-1][:, None] + log_transmat
        before.append(ways.argmax(axis=0))
        delta.append(ways.max(axis=0) + log_emission[:, symbol])
    return np.array(delta), np.array(before)


def traced(before, last):
    """The path that ends in a state, by the states before."""
    path = [last]
    for pointers in before[:0:-1]:
        path.append(pointers[path[-1]])
    return np.array(path[::-1])
