"""Answers to homework 04 by somebody who had only the exercise."""

import heapq
import itertools

import numpy as np


def logs(numbers):
    """Logarithms, −∞ of zero without a warning."""
    with np.errstate(divide="ignore"):
        return np.log(numbers)


def forward_and_backward(startprob, transmat, likelihoods):
    """Scaled forward and backward numbers, and the scales."""
    T, N = likelihoods.shape
    forward, backward, scales = np.empty((T, N)), np.ones((T, N)), np.empty(T)
    belief = startprob
    for t in range(T):
        joint = (belief @ transmat if t else belief) * likelihoods[t]
        scales[t] = joint.sum()
        belief = forward[t] = joint / scales[t]
    for t in range(T - 2, -1, -1):
        backward[t] = transmat @ (likelihoods[t + 1] * backward[t + 1]) / scales[t + 1]
    return forward, backward, scales


def normalised(counts):
    return counts / counts.sum(axis=1, keepdims=True)


def with_kept_hypotheses(startprob, transmat, emissionprob, sequence, k):
    """Lists of the k best (log probability, path as linked pairs) in each state after the last frame."""
    log_a, log_b = logs(transmat), logs(emissionprob)
    states = range(len(startprob))
    lists = [[(score, (state, None))] for state, score in enumerate(logs(startprob) + log_b[:, sequence[0]])]
    for symbol in sequence[1:]:
        longer = []
        for j in states:
            found = [(s + log_a[i, j], path) for i in states for s, path in lists[i] if s + log_a[i, j] > -np.inf]
            best = heapq.nlargest(k, found, key=score_of)
            longer.append([(s + log_b[j, symbol], (j, path)) for s, path in best])
        lists = longer
    return lists


def score_of(hypothesis):
    return hypothesis[0]


def unrolled(path):
    states = []
    while path is not None:
        state, path = path
        states.append(state)
    return states[::-1]


def as_arrays(hypotheses, T):
    paths = np.array([unrolled(path) for _, path in hypotheses], dtype=int).reshape(len(hypotheses), T)
    return paths, np.array([score for score, _ in hypotheses])


# ---------------------------------------------------------------- wrong: slips of the hand


def against_the_arrows(startprob, transmat, emissionprob, sequence):
    belief, total = startprob, 0.0
    for t, symbol in enumerate(sequence):
        if t > 0:
            belief = transmat @ belief
        if symbol >= 0:
            belief = belief * emissionprob[:, symbol]
        total += np.log(belief.sum())
        belief = belief / belief.sum()
    return total


def first_symbol_forgotten(startprob, transmat, emissionprob, sequence):
    belief = startprob
    for symbol in sequence[1:]:
        belief = (belief @ transmat) * emissionprob[:, symbol]
        belief = belief / belief.sum()
    return belief @ transmat @ emissionprob


def pointers_along_the_other_axis(startprob, transmat, emissionprob, sequence, last):
    log_a, log_b = logs(transmat), logs(emissionprob)
    scores, pointers = logs(startprob) + log_b[:, sequence[0]], []
    for symbol in sequence[1:]:
        candidates = scores[:, None] + log_a
        pointers.append(candidates.argmax(axis=1))
        scores = candidates.max(axis=0) + log_b[:, symbol]
    path = [last]
    for pointer in pointers[::-1]:
        path.append(pointer[path[-1]])
    return np.array(path[::-1])


def symbol_of_the_frame_before(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    counts = pseudo_count * (transmat > 0)
    for sequence, weight in zip(sequences, weights, strict=False):
        likelihoods = emissionprob[:, sequence].T
        forward, backward, _ = forward_and_backward(startprob, transmat, likelihoods)
        for t in range(len(sequence) - 1):
            xi = forward[t][:, None] * transmat * likelihoods[t] * backward[t + 1]
            counts = counts + weight * xi / xi.sum()
    return normalised(counts)


# ---------------------------------------------------------------- wrong: misread


def only_the_most_probable_state(startprob, transmat, emissionprob, sequence):
    belief = startprob * emissionprob[:, sequence[0]]
    for symbol in sequence[1:]:
        belief = (belief @ transmat) * emissionprob[:, symbol]
        belief = belief / belief.sum()
    return transmat[belief.argmax()] @ emissionprob


def left_from_the_last_state(first, second):
    (start1, a1, b1), (start2, a2, b2) = first, second
    n1, n2 = len(start1), len(start2)
    transmat = np.zeros((n1 + n2, n1 + n2))
    transmat[:n1, :n1], transmat[n1:, n1:] = a1, a2
    transmat[n1 - 1, n1:] = (1 - a1[-1].sum()) * start2
    return np.concatenate([start1, np.zeros(n2)]), transmat, np.vstack([b1, b2])


def round_and_round(first, second):
    (start1, a1, b1), (start2, a2, b2) = first, second
    leave1, leave2 = 1 - a1.sum(axis=1), 1 - a2.sum(axis=1)
    transmat = np.block([[a1, np.outer(leave1, start2)], [np.outer(leave2, start1), a2]])
    return np.concatenate([start1, np.zeros(len(start2))]), transmat, np.concatenate([b1, b2])


def a_beam_of_k(startprob, transmat, emissionprob, sequence, k):
    log_a, log_b = logs(transmat), logs(emissionprob)
    beam = [(score, (state, None)) for state, score in enumerate(logs(startprob) + log_b[:, sequence[0]])]
    beam = heapq.nlargest(k, [one for one in beam if one[0] > -np.inf], key=score_of)
    for symbol in sequence[1:]:
        longer = []
        for score, path in beam:
            steps = score + log_a[path[0]] + log_b[:, symbol]
            longer += [(steps[j], (j, path)) for j in np.flatnonzero(steps > -np.inf)]
        beam = heapq.nlargest(k, longer, key=score_of)
    return as_arrays(beam, len(sequence))


# ---------------------------------------------------------------- wrong: only in a corner


def a_step_before_the_first_frame(startprob, transmat, emissionprob, sequence):
    belief, total = startprob, 0.0
    for t, symbol in enumerate(sequence):
        if symbol == -1:
            belief = belief @ transmat
            continue
        if t > 0:
            belief = belief @ transmat
        belief = belief * emissionprob[:, symbol]
        total += np.log(belief.sum())
        belief = belief / belief.sum()
    return total


def hardly_ever_instead_of_never(startprob, transmat, emissionprob, sequence, last):
    log_start, log_a, log_b = (np.log(np.maximum(table, 1e-12)) for table in (startprob, transmat, emissionprob))
    scores, pointers = log_start + log_b[:, sequence[0]], []
    for symbol in sequence[1:]:
        candidates = scores[:, None] + log_a
        pointers.append(candidates.argmax(axis=0))
        scores = candidates.max(axis=0) + log_b[:, symbol]
    path = [last]
    for pointer in pointers[::-1]:
        path.append(pointer[path[-1]])
    return np.array(path[::-1])


def pseudo_count_where_something_was_counted(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    counts = np.zeros_like(transmat)
    for sequence, weight in zip(sequences, weights, strict=False):
        likelihoods = emissionprob[:, sequence].T
        forward, backward, scales = forward_and_backward(startprob, transmat, likelihoods)
        right = likelihoods[1:] * backward[1:] / scales[1:, None]
        counts += weight * transmat * (forward[:-1].T @ right)
    return normalised(counts + pseudo_count * (counts > 0))


def possible_for_the_computer(startprob, transmat, emissionprob, sequence, k):
    lists = with_kept_hypotheses(startprob, transmat, emissionprob, sequence, k)
    together = heapq.nlargest(k, [one for some in lists for one in some], key=score_of)
    return as_arrays([one for one in together if np.exp(one[0]) > 0], len(sequence))


WRONG = [
    ("log_likelihood", "the belief steps with A from the wrong side", against_the_arrows),
    ("log_likelihood", "one step too many if the very first frame is lost", a_step_before_the_first_frame),
    ("predict_next", "the symbol of the first frame is never multiplied in", first_symbol_forgotten),
    ("predict_next", "predicts from the most probable state alone", only_the_most_probable_state),
    ("align", "the maximum over rows, its argument over columns", pointers_along_the_other_axis),
    ("align", "zeros are 1e-12: in a long sequence a forbidden step is worth it", hardly_ever_instead_of_never),
    ("join_words", "the first word is left from its last state only", left_from_the_last_state),
    ("join_words", "leaving the second word leads back to the first, so that rows sum to 1", round_and_round),
    ("reestimate_transitions", "ξ with the symbol of frame t in place of t + 1", symbol_of_the_frame_before),
    (
        "reestimate_transitions",
        "the pseudo-count only where the expected count is above 0, not where A is",
        pseudo_count_where_something_was_counted,
    ),
    ("k_best_paths", "keeps k hypotheses in all, not k in each state", a_beam_of_k),
    ("k_best_paths", "drops paths whose probability underflows to 0", possible_for_the_computer),
]


# ---------------------------------------------------------------- right


def product_in_a_tree(startprob, transmat, emissionprob, sequence):
    """A product of matrices, multiplied in pairs, all pairs of a level at once."""
    sequence = np.asarray(sequence)
    likelihoods = np.where(sequence >= 0, emissionprob[:, np.maximum(sequence, 0)], 1.0).T
    head = startprob * likelihoods[0]
    matrices = transmat * likelihoods[1:, None, :]
    total = 0.0
    while len(matrices) > 0:
        sizes = matrices.sum(axis=(1, 2), keepdims=True)
        total += np.log(sizes).sum()
        matrices = matrices / sizes
        if len(matrices) == 1:
            head = head @ matrices[0]
            break
        odd = matrices[len(matrices) // 2 * 2 :]
        matrices = np.concatenate([matrices[:-1:2] @ matrices[1::2], odd])
    return total + np.log(head.sum())


def best_through_each_state(startprob, transmat, emissionprob, sequence, last):
    """The best path is the state, in each frame, through which the best path goes (no ties)."""
    log_a, heard = logs(transmat), logs(emissionprob)[:, sequence].T
    T, N = heard.shape
    before, after = np.empty((T, N)), np.full((T, N), -np.inf)
    before[0] = logs(startprob) + heard[0]
    after[-1, last] = 0.0
    for t in range(1, T):
        before[t] = (before[t - 1][:, None] + log_a).max(axis=0) + heard[t]
    for t in range(T - 1, 0, -1):
        after[t - 1] = (log_a + heard[t] + after[t]).max(axis=1)
    return (before + after).argmax(axis=1)


def with_glue(first, second):
    """Two embeddings and one matrix of rank one, glued with matrix products."""
    (start1, a1, b1), (start2, a2, b2) = first, second
    both = np.eye(len(start1) + len(start2))
    one, two = both[: len(start1)], both[len(start1) :]
    leave = (np.eye(len(start1)) - a1).sum(axis=1)
    glue = np.einsum("i,ia,j,jb->ab", leave, one, start2, two)
    return start1 @ one, one.T @ a1 @ one + two.T @ a2 @ two + glue, one.T @ b1 + two.T @ b2


def one_turn_elsewhere(startprob, transmat, emissionprob, sequence, k):
    """Each further path leaves one that is known at some frame (Lawler); the rest is known from the right."""
    log_start, log_a, heard = logs(startprob), logs(transmat), logs(emissionprob)[:, sequence].T
    T, N = heard.shape
    rest = np.zeros((T, N))
    for t in range(T - 1, 0, -1):
        rest[t - 1] = (log_a + heard[t] + rest[t]).max(axis=1)

    def steps(path):
        """Gain (T, N) of every state after the path's states before it."""
        return np.vstack([log_start, log_a[path[:-1]]]) + heard

    def followed(path, t, state):
        """The path until frame t, then the state, then the best way on."""
        path = [*list(path[:t]), state]
        while len(path) < T:
            path.append(int((log_a[path[-1]] + heard[len(path)] + rest[len(path)]).argmax()))
        return np.array(path)

    def ways_out(path, t, barred):
        """The best way out of a path at each frame from t on; some states are barred at t."""
        gains = steps(path)
        so_far = np.concatenate([[0.0], np.cumsum(gains[np.arange(T), path])[:-1]])
        scores = so_far[:, None] + gains + rest
        scores[np.arange(T), path] = -np.inf
        scores[:t] = -np.inf
        scores[t, list(barred)] = -np.inf
        for u in np.flatnonzero(scores.max(axis=1) > -np.inf):
            state = int(scores[u].argmax())
            yield -scores[u, state], next(number), path, int(u), state, (barred if u == t else set()) | {int(path[u])}

    number = itertools.count()
    first = int((log_start + heard[0] + rest[0]).argmax())
    heap = [(0.0, next(number), np.zeros(T, dtype=int), 0, first, set())]
    paths, log_probs = [], []
    while heap and len(paths) < k:
        _, _, parent, t, state, barred = heapq.heappop(heap)
        path = followed(parent, t, state)
        paths.append(path)
        log_probs.append(steps(path)[np.arange(T), path].sum())
        for way in ways_out(path, t, barred):
            heapq.heappush(heap, way)
    return np.array(paths), np.array(log_probs)


RIGHT = [
    ("log_likelihood", "a product of matrices, multiplied in pairs like a tree", product_in_a_tree),
    ("align", "the best path through each state of each frame, from both sides", best_through_each_state),
    ("join_words", "embeddings and one matrix of rank one, by matrix products", with_glue),
    (
        "k_best_paths",
        "each further path leaves a known one at some frame (a partition, no k lists)",
        one_turn_elsewhere,
    ),
]
