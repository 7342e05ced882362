"""Reference of task 2, predict_next."""

import numpy as np

SEED = 402


def answer(pi, A, B, o):
    """P(o₁ … o_T, k) / P(o₁ … o_T), each in log space."""
    longer = np.array([log_probability(pi, A, B, [*o, k]) for k in range(B.shape[1])])
    return np.exp(longer - log_probability(pi, A, B, o))


def log_probability(pi, A, B, o):
    with np.errstate(divide="ignore"):
        log_A, log_B = np.log(A), np.log(B)
    log_alpha = np.log(pi) + log_B[:, o[0]]
    for symbol in o[1:]:
        log_alpha = np.logaddexp.reduce(log_alpha[:, None] + log_A, axis=0) + log_B[:, symbol]
    return np.logaddexp.reduce(log_alpha)


def way(pi, A, B, o):
    """The belief after the first frame and the last one, and the states of the frame after each."""
    arriving = pi
    for t, symbol in enumerate(o, start=1):
        belief = arriving * B[:, symbol]
        belief, arriving = belief / belief.sum(), belief @ A / belief.sum()
        if t in (1, len(o)):
            yield f"belief after frame {t}", belief
            yield f"states of frame {t + 1}", arriving
