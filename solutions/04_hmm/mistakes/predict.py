"""Task 2, predict_next(startprob, transmat, emissionprob, sequence)."""

import numpy as np

from .models import filtered, forward, log_viterbi, logs


def right_answer(startprob, transmat, emissionprob, sequence):
    return filtered(startprob, transmat, emissionprob, sequence)[-1] @ transmat @ emissionprob


def without_a_step(startprob, transmat, emissionprob, sequence):
    return filtered(startprob, transmat, emissionprob, sequence)[-1] @ emissionprob


def two_steps(startprob, transmat, emissionprob, sequence):
    return filtered(startprob, transmat, emissionprob, sequence)[-1] @ transmat @ transmat @ emissionprob


def transposed(startprob, transmat, emissionprob, sequence):
    return filtered(startprob, transmat.T, emissionprob, sequence)[-1] @ transmat.T @ emissionprob


def transposed_at_the_end(startprob, transmat, emissionprob, sequence):
    return transmat @ filtered(startprob, transmat, emissionprob, sequence)[-1] @ emissionprob


def joint(startprob, transmat, emissionprob, sequence):
    return forward(startprob, transmat, emissionprob, sequence)[-1] @ transmat @ emissionprob


def divided_at_the_end(*given):
    return joint(*given) / joint(*given).sum()


def uniform_start(startprob, transmat, emissionprob, sequence):
    return right_answer(np.full(len(startprob), 1 / len(startprob)), transmat, emissionprob, sequence)


def no_first_emission(startprob, transmat, emissionprob, sequence):
    belief = startprob
    for symbol in sequence[1:]:
        belief = belief @ transmat * emissionprob[:, symbol]
        belief = belief / belief.sum()
    return belief @ transmat @ emissionprob


def before_the_last(startprob, transmat, emissionprob, sequence):
    if len(sequence) == 1:
        return startprob @ emissionprob
    return right_answer(startprob, transmat, emissionprob, sequence[:-1])


def most_probable_state(startprob, transmat, emissionprob, sequence):
    state = filtered(startprob, transmat, emissionprob, sequence)[-1].argmax()
    return transmat[state] @ emissionprob


def end_of_the_best_path(startprob, transmat, emissionprob, sequence):
    state = log_viterbi(startprob, transmat, emissionprob, sequence)[0][-1].argmax()
    return transmat[state] @ emissionprob


def deaf(startprob, transmat, emissionprob, sequence):
    return startprob @ np.linalg.matrix_power(transmat, len(sequence)) @ emissionprob


def averaged(startprob, transmat, emissionprob, sequence):
    return filtered(startprob, transmat, emissionprob, sequence).mean(axis=0) @ transmat @ emissionprob


def largest(startprob, transmat, emissionprob, sequence):
    state = filtered(startprob, transmat, emissionprob, sequence)[-1] @ transmat
    best = (state[:, None] * emissionprob).max(axis=0)
    return best / best.sum()


def symbol_before(startprob, transmat, emissionprob, sequence):
    return right_answer(startprob, transmat, emissionprob, np.concatenate([sequence[:1], sequence[:-1]]))


def states(startprob, transmat, emissionprob, sequence):
    return filtered(startprob, transmat, emissionprob, sequence)[-1] @ transmat


MISTAKES = {
    "no step": without_a_step,
    "two steps": two_steps,
    "transposed": transposed,
    "transposed in the last step": transposed_at_the_end,
    "joint": joint,
    "divided at the end": divided_at_the_end,
    "uniform start": uniform_start,
    "no first emission": no_first_emission,
    "before the last": before_the_last,
    "symbol of the frame before": symbol_before,
    "most probable state": most_probable_state,
    "end of the best path": end_of_the_best_path,
    "deaf": deaf,
    "averaged over time": averaged,
    "largest": largest,
}

RULE_MISTAKES = {
    "logs": (lambda *given: logs(right_answer(*given))[0], "Probabilities, or their logarithms?"),
    "states": (states, "States, or symbols?"),
    "one symbol": (lambda *given: int(right_answer(*given).argmax()), "is needed"),
}


def as_quotient(startprob, transmat, emissionprob, sequence):
    """P(o₁ … o_T, k) / P(o₁ … o_T) with T + 1 emissions, each forward pass in log space."""
    log_transmat, log_emission = logs(transmat, emissionprob)
    log_alpha = np.log(startprob) + log_emission[:, sequence[0]]
    for symbol in sequence[1:]:
        log_alpha = np.logaddexp.reduce(log_alpha[:, None] + log_transmat, axis=0) + log_emission[:, symbol]
    arriving = np.logaddexp.reduce(log_alpha[:, None] + log_transmat, axis=0)
    together = np.logaddexp.reduce(arriving[:, None] + log_emission, axis=0)
    return np.exp(together - np.logaddexp.reduce(log_alpha))


def in_loops(startprob, transmat, emissionprob, sequence):
    belief = startprob.tolist()
    states = range(len(belief))
    for symbol in sequence:
        weights = [belief[i] * emissionprob[i, symbol] for i in states]
        known = [weight / sum(weights) for weight in weights]
        belief = [sum(known[i] * transmat[i, j] for i in states) for j in states]
    return [sum(belief[i] * emissionprob[i, k] for i in states) for k in range(emissionprob.shape[1])]


RIGHT = {
    "filter, step, emission": right_answer,
    "quotient in log space": as_quotient,
    "predict first, lists": in_loops,
}
