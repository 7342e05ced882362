"""The compiled recursion over a network of words. Importing this module loads numba, so import it where it is used.

Arcs come as (first, source, log_weight), sorted by where they lead: those into j are first[j] ≤ a < first[j + 1], and
arc a comes from source[a].

Lecture: 04, section 11.
"""

import numpy as np

from course_lib.sequences._compiling import njit


@njit(cache=True, nogil=True, forceinline=True)
def best_into(values, shift, j, first, source, log_weight):
    """(max of values[source + shift] + log_weight over the arcs into j, that place); (−inf, 0) if none leads there."""
    best, winner = -np.inf, 0
    for a in range(first[j], first[j + 1]):
        way = values[source[a] + shift] + log_weight[a]
        if way > best:
            best, winner = way, source[a] + shift
    return best, winner


@njit(cache=True, nogil=True)
def one_pass(models, words, places, log_first, word_arcs, log_emission, begins, before):
    """Viterbi through all words at once; returns (V,) log p of the best path that ends each word in the last frame.

    models : (states, arcs, log_start, log_end); model w has the states states[w] ≤ j < states[w + 1], which are also
    the columns of log_emission. Place v of the network holds word words[v]; its states are there places[v] and on.

    Of the best path that ends word v at frame t two things are kept: begins[t, v], the frame in which this word began,
    and before[t, v], which word ended before a word that begins in v at t.
    """
    states, state_arcs, log_start, log_end = models
    (T, V), N = begins.shape, places[-1]
    delta, began, ended = np.full(N, -np.inf), np.zeros(N, np.int64), np.full(V, -np.inf)
    new_delta, new_began, new_ended = delta.copy(), began.copy(), ended.copy()
    for t in range(T):
        for v in range(V):
            enter, before[t, v] = best_into(ended, 0, v, *word_arcs)  # a word that ended in the frame before
            if t == 0:
                enter = log_first[v]
            new_ended[v], shift = -np.inf, places[v] - states[words[v]]
            for j in range(states[words[v]], states[words[v] + 1]):
                best, i = best_into(delta, shift, j, *state_arcs)  # on within this word
                begin = began[i]
                if enter + log_start[j] > best:  # or into it
                    best, begin = enter + log_start[j], t
                best += log_emission[t, j]
                new_delta[j + shift], new_began[j + shift] = best, begin
                if best + log_end[j] > new_ended[v]:
                    new_ended[v], begins[t, v] = best + log_end[j], begin
        delta, began, ended, new_delta, new_began, new_ended = new_delta, new_began, new_ended, delta, began, ended
    return ended
