"""Task 1, log_likelihood(startprob, transmat, emissionprob, sequence)."""

import numpy as np

from .models import filtered, forward, log_viterbi, logs

try:
    from hmmlearn.hmm import CategoricalHMM
except ModuleNotFoundError:  # it has no wheel for Python 3.14
    CategoricalHMM = None


def heard(emissionprob, symbol):
    """The right emission: a lost frame says nothing against any state."""
    return emissionprob[:, symbol] if symbol >= 0 else np.ones(len(emissionprob))


def scaling(emission=heard, first=None, step=None, divisor=np.sum, begin=lambda startprob: startprob):
    """An answer whose scaled forward pass has another emission, first emission, step, scale or start."""
    first = first or emission
    step = step or (lambda belief, transmat: belief @ transmat)

    def answer(startprob, transmat, emissionprob, sequence):
        belief, total = begin(startprob) * first(emissionprob, sequence[0]), 0.0
        for t, symbol in enumerate(sequence):
            if t > 0:
                belief = step(belief, transmat) * emission(emissionprob, symbol)
            total += np.log(divisor(belief))
            belief = belief / divisor(belief)
        return total

    return answer


right_answer = scaling()


def with_ones(emissionprob):
    """Emissions with one more column, which −1 finds."""
    return np.hstack([emissionprob, np.ones((len(emissionprob), 1))])


def symbol_before(startprob, transmat, emissionprob, sequence):
    return right_answer(startprob, transmat, emissionprob, np.concatenate([sequence[:1], sequence[:-1]]))


def product_of_marginals(startprob, transmat, emissionprob, sequence):
    state, total = startprob, 0.0
    for symbol in sequence:
        total += np.log(state @ heard(emissionprob, symbol))
        state = state @ transmat
    return total


def unscaled(startprob, transmat, emissionprob, sequence):
    return np.log(forward(startprob, transmat, with_ones(emissionprob), sequence)[-1].sum())


def scales_afterwards(startprob, transmat, emissionprob, sequence):
    return np.log(forward(startprob, transmat, with_ones(emissionprob), sequence).sum(axis=1)).sum()


def last_scale_only(startprob, transmat, emissionprob, sequence):
    return right_answer(startprob, transmat, emissionprob, sequence) - (
        right_answer(startprob, transmat, emissionprob, sequence[:-1]) if len(sequence) > 1 else 0
    )


def without_first_scale(startprob, transmat, emissionprob, sequence):
    return right_answer(startprob, transmat, emissionprob, sequence) - right_answer(
        startprob, transmat, emissionprob, sequence[:1]
    )


def skipped(startprob, transmat, emissionprob, sequence):
    kept = sequence[sequence >= 0]
    return right_answer(startprob, transmat, emissionprob, kept) if len(kept) else 0.0


def best_path(startprob, transmat, emissionprob, sequence):
    return log_viterbi(startprob, transmat, with_ones(emissionprob), sequence)[0][-1].max()


def stops_at_the_gap(startprob, transmat, emissionprob, sequence):
    end = np.flatnonzero(sequence < 0)
    kept = sequence[: end[0]] if len(end) else sequence
    return right_answer(startprob, transmat, emissionprob, kept) if len(kept) else 0.0


def begins_anew(startprob, transmat, emissionprob, sequence):
    parts = np.split(sequence, np.flatnonzero(sequence < 0))
    kept = [part[part >= 0] for part in parts]
    return sum(right_answer(startprob, transmat, emissionprob, part) for part in kept if len(part))


def adds_the_beliefs(startprob, transmat, emissionprob, sequence):
    return np.log(filtered(startprob, transmat, with_ones(emissionprob), sequence)[-1].sum())


MISTAKES = {
    "first symbol is 0": scaling(first=lambda B, symbol: B[:, 0]),
    "transposed": scaling(step=lambda belief, A: A @ belief),
    "symbol of the frame before": symbol_before,
    "no first emission": scaling(first=lambda B, symbol: 1),
    "no start": scaling(begin=lambda startprob: np.ones(len(startprob))),
    "uniform start": scaling(begin=lambda startprob: np.full(len(startprob), 1 / len(startprob))),
    "product of marginals": product_of_marginals,
    "unscaled": unscaled,
    "scales after the recursion": scales_afterwards,
    "norm": scaling(divisor=np.linalg.norm),
    "largest": scaling(divisor=np.max),
    "only the last scale": last_scale_only,
    "first scale forgotten": without_first_scale,
    "scale factors forgotten": adds_the_beliefs,
    "log2": lambda *given: right_answer(*given) / np.log(2),
    "log10": lambda *given: right_answer(*given) / np.log(10),
    "best path": best_path,
    "skipped": skipped,
    "last symbol": scaling(lambda B, symbol: B[:, symbol]),
    "last symbol in the first frame": scaling(first=lambda B, symbol: B[:, symbol]),
    "impossible": scaling(lambda B, symbol: B[:, symbol] if symbol >= 0 else np.zeros(len(B))),
    "uniform": scaling(lambda B, symbol: B[:, symbol] if symbol >= 0 else np.full(len(B), 1 / B.shape[1])),
    "stops at the gap": stops_at_the_gap,
    "begins anew": begins_anew,
}

RULE_MISTAKES = {
    "probability": (lambda *given: np.exp(right_answer(*given)), "A probability, or its logarithm?"),
    "sign": (lambda *given: -right_answer(*given), "Which sign has the logarithm of a probability?"),
    "per frame": (lambda *given: right_answer(*given) / len(given[-1]), "Is a mean over the frames asked for"),
    "several numbers": (lambda *given: logs(filtered(*given[:2], with_ones(given[2]), given[3]))[0], "Which of its"),
}


def log_space(startprob, transmat, emissionprob, sequence):
    log_start, log_transmat, log_emission = logs(startprob, transmat, with_ones(emissionprob))
    log_alpha = log_start + log_emission[:, sequence[0]]
    for symbol in sequence[1:]:
        log_alpha = np.logaddexp.reduce(log_alpha[:, None] + log_transmat, axis=0) + log_emission[:, symbol]
    return np.logaddexp.reduce(log_alpha)


def from_the_end(startprob, transmat, emissionprob, sequence):
    to_come, exponent = np.ones(len(startprob)), 0.0
    for symbol in reversed(sequence[1:].tolist()):
        to_come = transmat @ (heard(emissionprob, symbol) * to_come)
        exponent += np.log(to_come.max())
        to_come = to_come / to_come.max()
    return float(np.log(startprob @ (heard(emissionprob, sequence[0]) * to_come)) + exponent)


def published(startprob, transmat, emissionprob, sequence):
    """hmmlearn does not know lost frames: halve all emissions, and let the other half be a symbol of its own."""
    model = CategoricalHMM(len(startprob), n_features=emissionprob.shape[1] + 1)
    model.startprob_, model.transmat_ = startprob, transmat
    model.emissionprob_ = with_ones(emissionprob) / 2
    symbols = np.where(sequence < 0, emissionprob.shape[1], sequence)
    return model.score(symbols[:, None]) + len(sequence) * np.log(2)


RIGHT = {
    "scaled": right_answer,
    "log space": log_space,
    "backward": from_the_end,
    "a column of ones": lambda pi, A, B, o: scaling(lambda B, symbol: with_ones(B)[:, symbol])(pi, A, B, o),
}
if CategoricalHMM is not None:
    RIGHT["hmmlearn"] = published
