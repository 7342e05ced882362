"""Answers to homework 04 by somebody who had only the exercise."""

import heapq
import itertools

import numpy as np

# ---------------------------------------------------------------- wrong


def _scaled_forward(startprob, transmat, emissionprob, sequence):
    """Beliefs (T, N) after each frame, and the divisors (T,)."""
    beliefs, divisors = [], []
    belief = None
    for t, symbol in enumerate(sequence):
        belief = startprob if t == 0 else belief @ transmat
        if symbol >= 0:
            belief = belief * emissionprob[:, symbol]
        divisors.append(belief.sum())
        belief = belief / divisors[-1]
        beliefs.append(belief)
    return np.array(beliefs), np.array(divisors)


def starts_at_the_first_heard_frame(startprob, transmat, emissionprob, sequence):
    sequence = np.asarray(sequence)
    heard = np.flatnonzero(sequence >= 0)
    if len(heard) == 0:
        return 0.0
    _, divisors = _scaled_forward(startprob, transmat, emissionprob, sequence[heard[0] :])
    return float(np.log(divisors).sum())


def a_gap_is_one_step(startprob, transmat, emissionprob, sequence):
    sequence = np.asarray(sequence)
    keep = np.ones(len(sequence), dtype=bool)
    keep[1:] = ~((sequence[1:] < 0) & (sequence[:-1] < 0))
    _, divisors = _scaled_forward(startprob, transmat, emissionprob, sequence[keep])
    return float(np.log(divisors).sum())


def steps_before_the_first_frame(startprob, transmat, emissionprob, sequence):
    belief = startprob
    for symbol in sequence:
        belief = (belief @ transmat) * emissionprob[:, symbol]
        belief = belief / belief.sum()
    return belief @ transmat @ emissionprob


def predicts_from_the_best_paths(startprob, transmat, emissionprob, sequence):
    best = startprob * emissionprob[:, sequence[0]]
    best = best / best.sum()
    for symbol in sequence[1:]:
        best = (best[:, None] * transmat).max(axis=0) * emissionprob[:, symbol]
        best = best / best.sum()
    return best @ transmat @ emissionprob


def _viterbi_to(log_start, log_trans, log_emission, sequence, last):
    n_frames = len(sequence)
    back = np.zeros((n_frames, len(log_start)), dtype=int)
    delta = log_start + log_emission[:, sequence[0]]
    for t in range(1, n_frames):
        ways = delta[:, None] + log_trans
        back[t] = ways.argmax(axis=0)
        delta = ways.max(axis=0) + log_emission[:, sequence[t]]
    path = np.empty(n_frames, dtype=int)
    path[-1] = last
    for t in range(n_frames - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return path


def _log(probabilities):
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


def aligns_by_staying_or_going_on(startprob, transmat, emissionprob, sequence, last):
    transmat = np.asarray(transmat, dtype=float)
    n = len(startprob)
    stay_or_next = transmat * (np.eye(n) + np.eye(n, k=1))
    return _viterbi_to(_log(startprob), _log(stay_or_next), _log(emissionprob), sequence, last)


def aligns_with_a_floor(startprob, transmat, emissionprob, sequence, last):
    floor = 1e-6
    logs = [np.log(np.asarray(array, dtype=float) + floor) for array in (startprob, transmat, emissionprob)]
    return _viterbi_to(*logs, sequence, last)


def leaves_from_the_last_state_only(first, second):
    (start1, trans1, emit1), (start2, trans2, emit2) = first, second
    n1, n2 = len(start1), len(start2)
    transmat = np.zeros((n1 + n2, n1 + n2))
    transmat[:n1, :n1] = trans1
    transmat[n1:, n1:] = trans2
    transmat[n1 - 1, n1:] = (1 - np.sum(trans1[-1])) * np.asarray(start2)
    return np.concatenate([start1, np.zeros(n2)]), transmat, np.vstack([emit1, emit2])


def the_last_state_stays_for_ever(first, second):
    (start1, trans1, emit1), (start2, trans2, emit2) = first, second
    n1, n2 = len(start1), len(start2)
    leave = 1 - np.sum(trans1, axis=1)
    transmat = np.block([[np.asarray(trans1), np.outer(leave, start2)], [np.zeros((n2, n1)), np.asarray(trans2)]])
    transmat[-1, -1] += 1 - transmat[-1].sum()
    return np.concatenate([start1, np.zeros(n2)]), transmat, np.vstack([emit1, emit2])


def _expected_transitions(startprob, transmat, emissionprob, sequence):
    """Sum of ξ over t, (N, N)."""
    beliefs, divisors = _scaled_forward(startprob, transmat, emissionprob, sequence)
    total = np.zeros_like(transmat, dtype=float)
    beta = np.ones(len(startprob))
    for t in range(len(sequence) - 1, 0, -1):
        ahead = emissionprob[:, sequence[t]] * beta / divisors[t]
        total += beliefs[t - 1][:, None] * transmat * ahead
        beta = transmat @ ahead
    return total


def weights_brought_to_mean_one(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    weights = np.asarray(weights, dtype=float)
    weights = weights * len(weights) / weights.sum()
    counts = pseudo_count * (np.asarray(transmat) > 0)
    for sequence, weight in zip(sequences, weights, strict=False):
        counts = counts + weight * _expected_transitions(startprob, transmat, emissionprob, sequence)
    return counts / counts.sum(axis=1, keepdims=True)


def counts_with_the_past_only(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    counts = pseudo_count * (np.asarray(transmat) > 0)
    for sequence, weight in zip(sequences, weights, strict=False):
        beliefs, divisors = _scaled_forward(startprob, transmat, emissionprob, sequence)
        for t in range(1, len(sequence)):
            xi = beliefs[t - 1][:, None] * transmat * emissionprob[:, sequence[t]] / divisors[t]
            counts = counts + weight * xi
    return counts / counts.sum(axis=1, keepdims=True)


def _lists_of_best_paths(log_start, log_trans, log_emission, sequence, k, per_state):
    """Viterbi with per_state entries in each state; (paths, log_probs), at most k of them and none with −∞."""
    n, n_frames = len(log_start), len(sequence)
    scores = np.full((n, per_state), -np.inf)
    scores[:, 0] = log_start + log_emission[:, sequence[0]]
    backs = []
    for symbol in sequence[1:]:
        ways = (scores[:, :, None] + log_trans[:, None, :]).reshape(n * per_state, n)
        order = np.argsort(-ways, axis=0, kind="stable")[:per_state]
        backs.append(order)
        scores = (np.take_along_axis(ways, order, axis=0) + log_emission[:, symbol]).T
    flat = scores.ravel()
    ends = np.argsort(-flat, kind="stable")[:k]
    ends = ends[flat[ends] > -np.inf]
    paths = np.empty((len(ends), n_frames), dtype=int)
    for row, end in enumerate(ends):
        state, rank = divmod(end, per_state)
        paths[row, -1] = state
        for t in range(n_frames - 2, -1, -1):
            state, rank = divmod(backs[t][rank, state], per_state)
            paths[row, t] = state
    return paths, flat[ends]


def shares_the_list_among_the_states(startprob, transmat, emissionprob, sequence, k):
    per_state = k // len(startprob) + 1
    return _lists_of_best_paths(_log(startprob), _log(transmat), _log(emissionprob), sequence, k, per_state)


def a_mute_symbol_is_very_improbable(startprob, transmat, emissionprob, sequence, k):
    log_emission = np.log(np.maximum(emissionprob, 1e-300))
    return _lists_of_best_paths(_log(startprob), _log(transmat), log_emission, sequence, k, k)


# ---------------------------------------------------------------- right


def likelihood_as_a_tree_of_matrices(startprob, transmat, emissionprob, sequence):
    """π diag(b₁) · (A diag(b₂)) · … · 1, multiplied in pairs; each matrix carries its logarithm."""
    sequence = np.asarray(sequence)
    with_silence = np.column_stack([emissionprob, np.ones(len(startprob))])
    said = with_silence[:, sequence].T  # −1 is the last column
    row = (np.asarray(startprob) * said[0])[None]
    matrices = np.asarray(transmat)[None] * said[1:, None, :]
    exponents = 0.0
    while len(matrices):
        if len(matrices) % 2:
            matrices = np.concatenate([matrices, np.eye(len(startprob))[None]])
        if len(matrices) == 2:
            row = row @ matrices[0]
            exponents += np.log(row.sum())
            row = row / row.sum() @ matrices[1]
            break
        matrices = matrices[0::2] @ matrices[1::2]
        largest = matrices.max(axis=(1, 2), keepdims=True)
        exponents += np.log(largest).sum()
        matrices = matrices / largest
    return float(np.log(row.sum()) + exponents)


def align_from_the_end(startprob, transmat, emissionprob, sequence, last):
    """The value of what is still to come, from the end to the start; then the path is read off forwards."""
    log_trans, log_emission = _log(transmat), _log(emissionprob)
    to_go = [np.where(np.arange(len(startprob)) == last, 0.0, -np.inf)]
    for symbol in reversed(list(sequence)[1:]):
        to_go.append((log_trans + log_emission[:, symbol] + to_go[-1]).max(axis=1))
    to_go.reverse()
    path = [int(np.argmax(_log(startprob) + log_emission[:, sequence[0]] + to_go[0]))]
    for symbol, value in zip(list(sequence)[1:], to_go[1:], strict=False):
        path.append(int(np.argmax(log_trans[path[-1]] + log_emission[:, symbol] + value)))
    return path


def transitions_by_complex_steps(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    """The expected count of i → j is a_ij times the derivative of log P(O) by a_ij: take an imaginary step."""
    transmat = np.asarray(transmat, dtype=float)
    n = len(startprob)
    tiny = 1e-30
    moved = transmat + 1j * tiny * np.eye(n * n).reshape(n * n, n, n)
    counts = pseudo_count * (transmat > 0)
    for sequence, weight in zip(sequences, weights, strict=False):
        belief = np.repeat((startprob * emissionprob[:, sequence[0]])[None].astype(complex), n * n, axis=0)
        for symbol in sequence[1:]:
            belief = belief / belief.real.sum(axis=1, keepdims=True)
            belief = (belief[:, None, :] @ moved)[:, 0] * emissionprob[:, symbol]
        total = belief.sum(axis=1)
        slope = total.imag / total.real / tiny
        counts = counts + weight * transmat * slope.reshape(n, n)
    return counts / counts.sum(axis=1, keepdims=True)


def _paths_one_by_one(log_start, log_trans, log_emission, sequence, k):
    """Yields (log probability, path), the best first: each path is a better one with one detour."""
    n_frames, n = len(sequence), len(log_start)
    said = log_emission[:, sequence].T
    to_go = np.zeros((n_frames, n))
    onward = np.zeros((n_frames, n), dtype=int)
    for t in range(n_frames - 2, -1, -1):
        ways = log_trans + said[t + 1] + to_go[t + 1]
        onward[t], to_go[t] = ways.argmax(axis=1), ways.max(axis=1)

    ticket = itertools.count()
    heap = [(-value, next(ticket), None, 0, s) for s, value in enumerate(log_start + said[0] + to_go[0])]
    heapq.heapify(heap)
    while heap:
        cost, _, parent, turn, state = heapq.heappop(heap)
        if cost == np.inf:
            return
        path = np.empty(n_frames, dtype=int) if parent is None else parent.copy()
        path[turn] = state
        for t in range(turn, n_frames - 1):
            path[t + 1] = onward[t, path[t]]
        steps = said[np.arange(n_frames), path]
        steps[0] += log_start[path[0]]
        steps[1:] += log_trans[path[:-1], path[1:]]
        so_far = np.cumsum(steps)
        yield so_far[-1], path
        later = np.arange(turn + 1, n_frames)
        detours = so_far[later - 1, None] + log_trans[path[later - 1]] + said[later] + to_go[later]
        detours[np.arange(len(later)), path[later]] = -np.inf
        best = np.argsort(-detours, axis=None)[:k]
        for t, other in zip(*np.unravel_index(best, detours.shape), strict=False):
            if detours[t, other] > -np.inf:
                heapq.heappush(heap, (-detours[t, other], next(ticket), path, later[t], other))


def _best_few(startprob, transmat, emissionprob, sequence, k):
    generator = _paths_one_by_one(_log(startprob), _log(transmat), _log(emissionprob), np.asarray(sequence), int(k))
    return list(itertools.islice(generator, int(k)))


def k_best_by_detours(startprob, transmat, emissionprob, sequence, k):
    found = _best_few(startprob, transmat, emissionprob, sequence, k)
    return np.array([path for _, path in found]), np.array([score for score, _ in found])


WRONG = [
    (
        "log_likelihood",
        "time begins with the first frame that was heard: lost frames before it make no step",
        starts_at_the_first_heard_frame,
    ),
    ("log_likelihood", "a run of lost frames is one gap, and a gap is one step", a_gap_is_one_step),
    (
        "predict_next",
        "π is the state before the first frame, so the first frame makes a step",
        steps_before_the_first_frame,
    ),
    ("predict_next", "the recursion of Viterbi (max) in place of the forward sum", predicts_from_the_best_paths),
    ("align", "every model is a word: stay or go on by one state, nothing else", aligns_by_staying_or_going_on),
    (
        "align",
        "a small floor under all probabilities, so that forbidden transitions can be bought",
        aligns_with_a_floor,
    ),
    ("join_words", "only the last state of the first word can leave it", leaves_from_the_last_state_only),
    (
        "join_words",
        "the last state of the pair gets what its row lacks: it stays for ever",
        the_last_state_stays_for_ever,
    ),
    (
        "reestimate_transitions",
        "weights are relative: brought to mean 1, so that the pseudo-count weighs another amount",
        weights_brought_to_mean_one,
    ),
    (
        "reestimate_transitions",
        "transitions given the sequence up to t + 1, not the whole of it (right for two frames)",
        counts_with_the_past_only,
    ),
    (
        "k_best_paths",
        "k paths in all, so k // N + 1 of them in each state are enough",
        shares_the_list_among_the_states,
    ),
    (
        "k_best_paths",
        "log 0 of an emission replaced by a very small number: impossible paths fill up the list",
        a_mute_symbol_is_very_improbable,
    ),
]

RIGHT = [
    ("log_likelihood", "a product of matrices, multiplied in pairs like a tree", likelihood_as_a_tree_of_matrices),
    ("align", "Viterbi backwards in time, the path read off forwards; returns a list", align_from_the_end),
    ("reestimate_transitions", "derivative of log P(O) by a_ij with an imaginary step", transitions_by_complex_steps),
    ("k_best_paths", "a generator that makes detours from better paths, with a heap", k_best_by_detours),
]
