"""Task 6, k_best_paths(startprob, transmat, emissionprob, sequence, k)."""

import heapq
from itertools import count, pairwise, product

import numpy as np

from .lost import right_answer as log_likelihood
from .models import filtered, joint_probabilities, log_viterbi, logs, posteriors


def answered(found):
    """The two arrays of the answer, from (log probability, path) in their order."""
    return np.array([path for _, path in found]), np.array([value for value, _ in found])


def lists(startprob, transmat, emissionprob, sequence, k, keep=None, grow=None):
    """All entries (log probability, path) that end in any state after the last frame, the best first.

    keep(lists of entries, one for each state) -> the lists that are kept; else the k best of each state.
    grow : how many entries of each state go on to the next frame; all if None
    """
    keep = keep or (lambda states: [sorted(entries, reverse=True)[:k] for entries in states])
    log_start, log_transmat, log_emission = logs(startprob, transmat, emissionprob)
    n = range(len(startprob))
    states = keep([[(log_start[j] + log_emission[j, sequence[0]], (j,))] for j in n])
    for symbol in sequence[1:]:
        ways = [
            [(v + log_transmat[i, j] + log_emission[j, symbol], (*path, j)) for i in n for v, path in states[i][:grow]]
            for j in n
        ]
        states = keep([[way for way in entries if way[0] > -np.inf] for entries in ways])
    return sorted([entry for entries in states for entry in entries if entry[0] > -np.inf], reverse=True)


def right_answer(*given):
    return answered(lists(*given)[: given[-1]])


def changed(paths=lambda paths: paths, values=lambda values: values):
    """The right answer with something done to its paths or to its log probabilities."""

    def answer(*given):
        found = right_answer(*given)
        return paths(found[0]), values(found[1])

    return answer


def best_of_each_end(*given):
    return answered(lists(*given[:-1], 1)[: given[-1]])


def beam(*given):
    """The k best beginnings in all, not for each state."""

    def keep(states):
        alive = set(sorted((entry for entries in states for entry in entries), reverse=True)[: given[-1]])
        return [[entry for entry in entries if entry in alive] for entries in states]

    return answered(lists(*given, keep)[: given[-1]])


def best_of_each_state_before(*given):
    """The list of a state grows from the best path of each state before only."""
    return answered(lists(*given, grow=1)[: given[-1]])


def transposed(startprob, transmat, emissionprob, sequence, k):
    return right_answer(startprob, transmat.T, emissionprob, sequence, k)


def no_start(startprob, transmat, emissionprob, sequence, k):
    return right_answer(np.ones_like(startprob), transmat, emissionprob, sequence, k)


def no_first_emission(startprob, transmat, emissionprob, sequence, k):
    return right_answer(startprob / emissionprob[:, sequence[0]], transmat, emissionprob, sequence, k)


def log_of_zero_is_zero(startprob, transmat, emissionprob, sequence, k):
    model = (np.where(array > 0, array, 1) for array in (startprob, transmat, emissionprob))
    return right_answer(*model, sequence, k)


def impossible_too(startprob, transmat, emissionprob, sequence, k):
    paths, values = right_answer(startprob, transmat, emissionprob, sequence, k)
    missing = k - len(values)
    return np.pad(paths, ((0, missing), (0, 0))), np.pad(values, (0, missing), constant_values=-np.inf)


def products(startprob, transmat, emissionprob, sequence, k):
    states = [[(startprob[j] * emissionprob[j, sequence[0]], (j,))] for j in range(len(startprob))]
    for symbol in sequence[1:]:
        states = [
            sorted(
                [
                    (p * transmat[i, j] * emissionprob[j, symbol], (*path, j))
                    for i, entries in enumerate(states)
                    for p, path in entries
                ],
                reverse=True,
            )[:k]
            for j in range(len(states))
        ]
    found = sorted((entry for entries in states for entry in entries), reverse=True)[:k]
    positive = [entry for entry in found if entry[0] > 0] if len(sequence) < 100 else found
    return answered([(logs(p)[0], path) for p, path in positive])


def by_posteriors(startprob, transmat, emissionprob, sequence, k):
    """Paths ordered by the product of the states' posteriors."""
    gamma = posteriors(startprob, transmat, emissionprob, sequence[:8])
    n = len(startprob)
    return right_answer(np.ones(n), np.ones((n, n)), gamma.T, np.arange(len(gamma)), k)


def posterior_probabilities(startprob, transmat, emissionprob, sequence, k):
    paths, values = right_answer(startprob, transmat, emissionprob, sequence, k)
    return paths, values - np.logaddexp.reduce(values)


def one_too_early(startprob, transmat, emissionprob, sequence, k):
    """Reads the table of parents one frame too early; the ends are right."""
    before = log_viterbi(startprob, transmat, emissionprob, sequence)[1]
    paths, values = right_answer(startprob, transmat, emissionprob, sequence, k)
    wrong = []
    for path in paths:
        states = [path[-1]]
        for pointers in before[-2::-1]:
            states.append(pointers[states[-1]])
        wrong.append(states[::-1])
    return np.array(wrong), values


def the_best_again(*given):
    paths, values = right_answer(*given)
    return np.repeat(paths[:1], len(paths), axis=0), np.repeat(values[:1], len(values))


def sums(startprob, transmat, emissionprob, sequence, k):
    """The right paths with the log probability of all paths into their last state."""
    paths = right_answer(startprob, transmat, emissionprob, sequence, k)[0]
    log_start, log_transmat, log_emission = logs(startprob, transmat, emissionprob)
    total = log_start + log_emission[:, sequence[0]]
    for symbol in sequence[1:]:
        total = np.logaddexp.reduce(total[:, None] + log_transmat, axis=0) + log_emission[:, symbol]
    return paths, total[paths[:, -1]]


def tables(startprob, transmat, emissionprob, sequence, k):
    """(T, N, k) log probabilities of the best ways into each state, and as many parents, 0 … N k − 1."""
    log_start, log_transmat, log_emission = logs(startprob, transmat, emissionprob)
    n, n_frames = len(startprob), len(sequence)
    values = np.full((n_frames, n, k), -np.inf)
    parents = np.zeros((n_frames, n, k), dtype=int)
    values[0, :, 0] = log_start + log_emission[:, sequence[0]]
    for t in range(1, n_frames):
        ways = (values[t - 1][:, :, None] + log_transmat[:, None, :]).reshape(n * k, n)
        parents[t] = np.argsort(-ways, axis=0, kind="stable")[:k].T
        values[t] = np.take_along_axis(ways, parents[t].T, axis=0).T + log_emission[:, sequence[t]][:, None]
    return values, parents


def without_rank(follow):
    """The right log probabilities, with pointers that name a state alone; follow(rank) is the rank gone on with."""

    def answer(startprob, transmat, emissionprob, sequence, k):
        values, parents = tables(startprob, transmat, emissionprob, sequence, k)
        last = values[-1].ravel()
        ends = [end for end in np.argsort(-last, kind="stable")[:k] if last[end] > -np.inf]
        paths = []
        for end in ends:
            state, rank = divmod(int(end), k)
            path = [state]
            for before in parents[:0:-1]:
                state, rank = before[state, rank] // k, follow(rank)
                path.append(state)
            paths.append(path[::-1])
        return np.array(paths), last[ends]

    return answer


def two_at_most(*given):
    return right_answer(*given[:-1], min(given[-1], 2))


def wider_beam(*given):
    """The 3k best beginnings in all."""

    def keep(states):
        alive = set(sorted((entry for entries in states for entry in entries), reverse=True)[: 3 * given[-1]])
        return [[entry for entry in entries if entry in alive] for entries in states]

    return answered(lists(*given, keep)[: given[-1]])


def added(small):
    """A small number is added before each logarithm, and what costs too much is left out at the end."""

    def answer(startprob, transmat, emissionprob, sequence, k):
        paths, values = right_answer(startprob + small, transmat + small, emissionprob + small, sequence, k)
        kept = values > len(sequence) * np.log(1e-3)
        return paths[kept], values[kept]

    return answer


def floored(startprob, transmat, emissionprob, sequence, k):
    """log(p + 1e-12), and all that comes of it."""
    return right_answer(startprob + 1e-12, transmat + 1e-12, emissionprob + 1e-12, sequence, k)


def given_the_symbols(startprob, transmat, emissionprob, sequence, k):
    """log p(path | symbols)."""
    paths, values = right_answer(startprob, transmat, emissionprob, sequence, k)
    return paths, values - log_likelihood(startprob, transmat, emissionprob, sequence)


def posteriors_along(startprob, transmat, emissionprob, sequence, k):
    """The right paths, each with the sum of the logarithms of its frames' posteriors."""
    paths, _ = right_answer(startprob, transmat, emissionprob, sequence, k)
    future = [np.ones(len(startprob))]
    for symbol in sequence[:0:-1]:
        before = transmat @ (emissionprob[:, symbol] * future[-1])
        future.append(before / before.sum())
    gamma = filtered(startprob, transmat, emissionprob, sequence) * future[::-1]
    gamma = gamma / gamma.sum(axis=1, keepdims=True)
    return paths, logs(gamma[np.arange(len(sequence)), paths])[0].sum(axis=1)


def padded(fill, again=False):
    """As many rows as were asked for: more of state 0, or of the last path, with this log probability."""

    def answer(startprob, transmat, emissionprob, sequence, k):
        paths, values = right_answer(startprob, transmat, emissionprob, sequence, k)
        more = (0, k - len(values))
        paths = np.pad(paths, (more, (0, 0)), mode="edge" if again else "constant")
        return paths, np.pad(values, more, constant_values=values[-1] if again else fill)

    return answer


def uniform_start(startprob, transmat, emissionprob, sequence, k):
    return right_answer(np.full(len(startprob), 1 / len(startprob)), transmat, emissionprob, sequence, k)


def brute_force(startprob, transmat, emissionprob, sequence, k):
    """All paths at once, in an array with one axis for each frame, which has room for some."""
    n, n_frames = len(startprob), len(sequence)
    paths = np.indices((n,) * n_frames, dtype=np.int8).reshape(n_frames, -1).T
    log_start, log_transmat, log_emission = logs(startprob, transmat, emissionprob)
    values = log_start[paths[:, 0]] + log_emission[paths, sequence].sum(axis=1)
    values = values + log_transmat[paths[:, :-1], paths[:, 1:]].sum(axis=1)
    best = np.argsort(-values)[:k]
    best = best[values[best] > -np.inf]
    return paths[best], values[best]


def all_paths(startprob, transmat, emissionprob, sequence, k):
    """All paths, one after the other, however many there are."""
    log_start, log_transmat, log_emission = logs(startprob, transmat, emissionprob)
    found = []
    for path in product(range(len(startprob)), repeat=len(sequence)):
        value = log_start[path[0]] + sum(log_transmat[step] for step in pairwise(path))
        value += sum(log_emission[state, symbol] for state, symbol in zip(path, sequence, strict=True))
        found.append((float(value), path))
    return answered([entry for entry in sorted(found, reverse=True)[:k] if entry[0] > -np.inf])


MISTAKES = {
    "best of each last state": best_of_each_end,
    "beam": beam,
    "best of each state before": best_of_each_state_before,
    "transposed": transposed,
    "no start": no_start,
    "uniform start": uniform_start,
    "no first emission": no_first_emission,
    "log 0 is 0": log_of_zero_is_zero,
    "rank lost": without_rank(lambda rank: 0),
    "rank kept": without_rank(lambda rank: rank),
    "beam of 3k": wider_beam,
    "1e-3 added": added(1e-3),
    "1e-12 added": floored,
    "by posteriors": by_posteriors,
    "posterior probabilities": posterior_probabilities,
    "given the symbols": given_the_symbols,
    "posteriors along the path": posteriors_along,
    "pointer of the frame before": one_too_early,
    "sums": sums,
}

RULE_MISTAKES = {
    "impossible ones too": (impossible_too, "How many paths are possible at all?"),
    "padded with 0": (padded(0.0), "How many paths are possible at all?"),
    "padded with −1e10": (padded(-1e10), "How many paths are possible at all?"),
    "padded with NaN": (padded(np.nan), "How many paths are possible at all?"),
    "padded with the last": (padded(0.0, again=True), "How many paths are possible at all?"),
    "two at most": (two_at_most, "How many paths were asked for?"),
    "brute force": (brute_force, "How many paths are there?"),
    "all paths": (all_paths, "How many paths are there?"),
    "products": (products, "How small is 0.3 to the 3000th?"),
    "the best again": (the_best_again, "Are your paths different from one another?"),
    "probabilities": (changed(values=np.exp), "Probabilities, or their logarithms?"),
    "log10": (changed(values=lambda values: values / np.log(10)), "Which logarithm is natural?"),
    "worst first": (changed(lambda paths: paths[::-1], lambda values: values[::-1]), "Which path is asked for first?"),
    "not reversed": (changed(lambda paths: paths[:, ::-1]), "Which end did you start from?"),
    "a column for each path": (changed(lambda paths: paths.T), "One row for each path"),
    "counted from one": (changed(lambda paths: paths + 1), "Python counts from 0"),
    "the best alone": (changed(lambda paths: paths[0], lambda values: values[0]), "is needed"),
    "exchanged": (lambda *given: right_answer(*given)[::-1], "numbers with decimals"),
    "paths alone": (lambda *given: right_answer(*given)[0], "2 values are needed"),
}


def ranked_tables(startprob, transmat, emissionprob, sequence, k):
    """Tables of log probabilities and of parents, read backwards."""
    values, parents = tables(startprob, transmat, emissionprob, sequence, k)
    ends = np.argsort(-values[-1].ravel(), kind="stable")[:k]
    ends = [int(end) for end in ends if values[-1].ravel()[end] > -np.inf]
    paths = []
    for end in ends:
        place, path = end, []
        for t in range(len(sequence) - 1, -1, -1):
            path.append(place // k)
            place = parents[t].ravel()[place]
        paths.append(path[::-1])
    return paths, [float(values[-1].ravel()[end]) for end in ends]


def best_first(startprob, transmat, emissionprob, sequence, k):
    """A* from the last frame: the Viterbi values say exactly what the rest of a path will cost."""
    delta, _ = log_viterbi(startprob, transmat, emissionprob, sequence)
    log_transmat, log_emission = logs(transmat, emissionprob)
    tie, found = count(), []
    waiting = [(-value, next(tie), 0.0, (j, None), len(sequence) - 1) for j, value in enumerate(delta[-1])]
    heapq.heapify(waiting)
    while waiting and len(found) < k:
        price, _, after, path, t = heapq.heappop(waiting)
        if price == np.inf:
            break
        if t == 0:
            found.append((-price, unrolled(path)))
            continue
        for i, value in enumerate(delta[t - 1]):
            behind = after + log_transmat[i, path[0]] + log_emission[path[0], sequence[t]]
            heapq.heappush(waiting, (-(value + behind), next(tie), behind, (i, path), t - 1))
    return tuple(zip(*found, strict=True))[::-1]


def unrolled(chain):
    """The states of nested pairs (state, rest)."""
    states = []
    while chain is not None:
        states.append(chain[0])
        chain = chain[1]
    return states


def by_enumeration(startprob, transmat, emissionprob, sequence, k):
    """The definition, for short sequences."""
    paths = joint_probabilities(startprob, transmat, emissionprob, sequence)
    possible = sorted(((logs(p)[0], path) for path, p in paths.items() if p > 0), reverse=True)
    return answered(possible[:k])


RIGHT = {"lists of whole paths": right_answer, "tables of ranks": ranked_tables, "best first": best_first}
