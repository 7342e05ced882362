"""Task 5, reestimate_transitions(startprob, transmat, emissionprob, sequences, weights, pseudo_count)."""

from itertools import pairwise

import numpy as np

from .models import (
    filtered,
    forward,
    joint_probabilities,
    log_viterbi,
    logs,
    posteriors,
    posteriors_of_pairs,
    traced,
)


def counts(startprob, transmat, emissionprob, sequence):
    """Expected transitions in one sequence; its arrival is scaled, so that it works for any length."""
    beliefs = filtered(startprob, transmat, emissionprob, sequence)
    total, to_come = np.zeros_like(transmat), np.ones(len(startprob))
    for t in range(len(sequence) - 1, 0, -1):
        arriving = emissionprob[:, sequence[t]] * to_come
        pairs = beliefs[t - 1][:, None] * transmat * arriving
        total += pairs / pairs.sum()
        to_come = transmat @ arriving / pairs.sum()
    return total


def to_rows(table):
    return table / table.sum(axis=1, keepdims=True)


def weighted(tables, weights):
    return sum(weight * table for weight, table in zip(weights, tables, strict=True))


def estimating(one=counts, pool=weighted, pseudo=None, settle=to_rows):
    """An answer made of its parts: counts of one sequence, how they are pooled, pseudo-counts, and the division."""
    pseudo = pseudo or (lambda transmat, pseudo_count: pseudo_count * (transmat > 0))

    def answer(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
        pooled = pool([one(startprob, transmat, emissionprob, sequence) for sequence in sequences], weights)
        return settle(pooled + pseudo(transmat, pseudo_count))

    return answer


right_answer = estimating()


def other_weights(change, count=lambda pseudo_count, weights: pseudo_count):
    """The right answer to changed weights, change(weights), and to a changed pseudo-count."""

    def answer(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
        changed = change(weights), count(pseudo_count, weights)
        return right_answer(startprob, transmat, emissionprob, sequences, *changed)

    return answer


def weight_in_the_recursion(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    """It scales α from the first frame on, and so it cancels; 0 becomes 0/0."""
    table = pseudo_count * (transmat > 0)
    with np.errstate(invalid="ignore"):
        for sequence, weight in zip(sequences, weights, strict=True):
            table = table + counts(weight * startprob, transmat, emissionprob, sequence)
    return to_rows(table)


def repeated(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    """Each sequence as often as its weight says, rounded down."""
    often = [sequence for sequence, weight in zip(sequences, weights, strict=True) for _ in range(int(weight))]
    return right_answer(startprob, transmat, emissionprob, often, np.ones(len(often)), pseudo_count)


def weights_moved_up(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    """Sequences of one frame are skipped, their weights are not."""
    steps = [sequence for sequence in sequences if len(sequence) > 1]
    return right_answer(startprob, transmat, emissionprob, steps, weights[: len(steps)], pseudo_count)


def visits(*given):
    """Expected visits of each state in one sequence: those that a transition leaves, and the last."""
    return counts(*given).sum(axis=1) + filtered(*given)[-1]


def all_states_in_the_divisor(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    model = startprob, transmat, emissionprob
    allowed = pseudo_count * (transmat > 0)
    table = weighted([counts(*model, sequence) for sequence in sequences], weights) + allowed
    left = weighted([visits(*model, sequence) for sequence in sequences], weights) + allowed.sum(axis=1)
    return table / left[:, None]


def joined(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    return right_answer(startprob, transmat, emissionprob, [np.concatenate(sequences)], [1.0], pseudo_count)


def mean_of_matrices(use=lambda weights: weights):
    """The mean of what each sequence alone gives, weighted with use(weights)."""

    def answer(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
        given = startprob, transmat, emissionprob
        steps = [s for s, sequence in enumerate(sequences) if len(sequence) > 1]
        alone = [right_answer(*given, [sequences[s]], [1.0], pseudo_count) for s in steps]
        return np.average(alone, axis=0, weights=use(weights)[steps])

    return answer


def one_slice_too_many(*given):
    return counts(*given) + 1


def not_divided(startprob, transmat, emissionprob, sequence):
    given = startprob, transmat, emissionprob, sequence
    return posteriors_of_pairs(*given).sum(axis=0) * forward(*given)[-1].sum()


def independent(*given):
    gamma = posteriors(*given)
    return gamma[:-1].T @ gamma[1:]


def symbol_of_the_leaving_frame(startprob, transmat, emissionprob, sequence):
    given = startprob, transmat, emissionprob, sequence
    beliefs = filtered(*given)
    to_come = posteriors(*given) / beliefs
    pairs = beliefs[:-1, :, None] * transmat * (emissionprob[:, sequence[:-1]].T * to_come[1:])[:, None, :]
    return (pairs / pairs.sum(axis=(1, 2), keepdims=True)).sum(axis=0)


def no_emission(startprob, transmat, emissionprob, sequence):
    given = startprob, transmat, emissionprob, sequence
    beliefs = filtered(*given)
    pairs = beliefs[:-1, :, None] * transmat * (posteriors(*given) / beliefs)[1:, None, :]
    return (pairs / pairs.sum(axis=(1, 2), keepdims=True)).sum(axis=0)


def no_future(startprob, transmat, emissionprob, sequence):
    beliefs = filtered(startprob, transmat, emissionprob, sequence)
    pairs = beliefs[:-1, :, None] * transmat * emissionprob[:, sequence[1:]].T[:, None, :]
    return (pairs / pairs.sum(axis=(1, 2), keepdims=True)).sum(axis=0)


def of_the_best_path(startprob, transmat, emissionprob, sequence):
    delta, before = log_viterbi(startprob, transmat, emissionprob, sequence)
    path = traced(before, delta[-1].argmax())
    table = np.zeros_like(transmat)
    np.add.at(table, (path[:-1], path[1:]), 1)
    return table


def unscaled(*given):
    return posteriors_of_pairs(*given).sum(axis=0)


def own_scales(startprob, transmat, emissionprob, sequence):
    beliefs = filtered(startprob, transmat, emissionprob, sequence)
    total, to_come = np.zeros_like(transmat), np.ones(len(startprob))
    for t in range(len(sequence) - 1, 0, -1):
        arriving = emissionprob[:, sequence[t]] * to_come
        total += beliefs[t - 1][:, None] * transmat * arriving
        to_come = transmat @ arriving
        to_come = to_come / to_come.sum()
    return total


def transposed(startprob, transmat, *others):
    return right_answer(startprob, to_rows(transmat.T), *others)


def after_the_division(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    shares = right_answer(startprob, transmat, emissionprob, sequences, weights, 0)
    return to_rows(shares + pseudo_count * (transmat > 0))


MISTAKES = {
    "last frame in the divisor": all_states_in_the_divisor,
    "joined": joined,
    "mean of matrices": mean_of_matrices(np.ones_like),
    "weighted mean of matrices": mean_of_matrices(),
    "weights ignored": other_weights(np.ones_like),
    "weight in the recursion": weight_in_the_recursion,
    "weights, yes or no": other_weights(np.sign),
    "weight in α and in β": other_weights(np.square),
    "weights that sum to 1": other_weights(lambda weights: weights / weights.sum()),
    "weights of mean 1": other_weights(lambda weights: weights / weights.mean()),
    "weights up to 1": other_weights(lambda weights: weights / weights.max()),
    "weighted pseudo-count": other_weights(
        lambda weights: weights, lambda pseudo_count, weights: pseudo_count * weights.sum()
    ),
    "repeated": repeated,
    "weights moved up": weights_moved_up,
    "pseudo-count everywhere": estimating(pseudo=lambda A, count: count),
    "no pseudo-count": estimating(pseudo=lambda A, count: 0),
    "pseudo-count for each sequence": other_weights(
        lambda weights: weights, lambda pseudo_count, weights: pseudo_count * len(weights)
    ),
    "pseudo-count after the division": after_the_division,
    "pseudo-count times A": estimating(pseudo=lambda A, count: count * A),
    "one slice too many": estimating(one_slice_too_many),
    "sums twice": estimating(settle=lambda table: to_rows(np.broadcast_to(table.sum(axis=0), table.shape))),
    "weighted by the probability": estimating(not_divided),
    "own scales": estimating(own_scales),
    "last sequence only": estimating(pool=lambda tables, weights: weights[-1] * tables[-1]),
    "first sequence only": estimating(pool=lambda tables, weights: weights[0] * tables[0]),
    "columns": estimating(settle=lambda table: table / table.sum(axis=0)),
    "transposed model": transposed,
    "whole table": estimating(settle=lambda table: table / table.sum()),
    "counts": estimating(settle=lambda table: table),
    "independent": estimating(independent),
    "symbol of the leaving frame": estimating(symbol_of_the_leaving_frame),
    "no emission": estimating(no_emission),
    "no future": estimating(no_future),
    "best path": estimating(of_the_best_path),
}

RULE_MISTAKES = {
    "transposed": (lambda *given: right_answer(*given).T, "Which index sums to 1?"),
    "unscaled": (estimating(unscaled), "How small is 0.3 to the 3000th?"),
}


def log_space(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    log_start, log_transmat, log_emission = logs(startprob, transmat, emissionprob)
    table = pseudo_count * (transmat > 0)
    for sequence, weight in zip(sequences, weights, strict=True):
        ahead, back = [log_start + log_emission[:, sequence[0]]], [np.zeros(len(startprob))]
        for symbol in sequence[1:]:
            ahead.append(np.logaddexp.reduce(ahead[-1][:, None] + log_transmat, axis=0) + log_emission[:, symbol])
        for symbol in sequence[:0:-1]:
            back.insert(0, np.logaddexp.reduce(log_transmat + log_emission[:, symbol] + back[0], axis=1))
        for t in range(1, len(sequence)):
            pairs = ahead[t - 1][:, None] + log_transmat + log_emission[:, sequence[t]] + back[t]
            table = table + weight * np.exp(pairs - np.logaddexp.reduce(ahead[-1]))
    return table / table.sum(axis=1, keepdims=True)


def divided_by_visits(*given):
    """With the visits of all frames for a divisor, and rows renormalised: the same numbers."""
    return to_rows(all_states_in_the_divisor(*given))


def gradients(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    """Expected counts as a_ij ∂ log P / ∂a_ij, by passing the derivative along with the scaled forward pass."""
    table = pseudo_count * (transmat > 0)
    for sequence, weight in zip(sequences, weights, strict=True):
        n = len(startprob)
        belief = startprob * emissionprob[:, sequence[0]]
        belief, slope = belief / belief.sum(), np.zeros((n, n, n))
        for symbol in sequence[1:]:
            slope = slope @ transmat
            slope[np.arange(n)[:, None], np.arange(n), np.arange(n)] += belief[:, None]
            belief, slope = belief @ transmat * emissionprob[:, symbol], slope * emissionprob[:, symbol]
            belief, slope = belief / belief.sum(), slope / belief.sum()
        table = table + weight * transmat * slope.sum(axis=2)
    return table / table.sum(axis=1, keepdims=True)


RIGHT = {
    "scaled": right_answer,
    "log space": log_space,
    "divided by visits, then rows": divided_by_visits,
    "derivatives": gradients,
    "in shares": other_weights(lambda w: w / w.sum(), lambda pseudo_count, w: pseudo_count / w.sum()),
}


def by_enumeration(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    """The definition, for short sequences: counts in every path, times its posterior probability and its weight."""
    table = pseudo_count * (transmat > 0)
    for sequence, weight in zip(sequences, weights, strict=True):
        paths = joint_probabilities(startprob, transmat, emissionprob, sequence)
        for path, probability in paths.items():
            for before, after in pairwise(path):
                table[before, after] += weight * probability / sum(paths.values())
    return to_rows(table)
