"""The recursions on the trellis of a hidden Markov model: forward, backward, Viterbi, posteriors.

All take the log probabilities of the observations in each state, log b_j(o_t), as a (T, N) table, wherever these come
from: a table of symbols or a density.

Lecture: 04, sections 2–7.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from course_lib import validation


class Decoding(NamedTuple):
    """A state sequence (T,) and log p(states, observations), a number."""

    states: np.ndarray
    log_probability: float


class Trellis(NamedTuple):
    """α (forward), δ (Viterbi) and β (backward) for all times and states, (T, N) each."""

    alpha: np.ndarray
    delta: np.ndarray
    beta: np.ndarray


def forward(startprob, transmat, log_emission):
    """log α_t(j) = log p(o_1 … o_t, q_t = j) for all t and j, in log space.

    α_1(j) = π_j b_j(o_1), and α_t(j) = [Σ_i α_t−1(i) a_ij] b_j(o_t). To require a final state, here and below, make
    the last row of log_emission −inf for all others.

    startprob : (N,) π; transmat : (N, N) A, row = from; log_emission : (T, N) log b_j(o_t), −inf allowed
    Returns (log p(O), log α (T, N)); both may be −inf.

    Source: Rabiner (1989), eq. 19–21.
    """
    from course_lib.sequences._hmm_kernels import forward_log

    log_startprob, log_transmat, log_emission = _logarithms(log_emission, startprob=startprob, transmat=transmat)
    log_alpha = np.empty_like(log_emission)
    return forward_log(log_startprob, log_transmat, log_emission, log_alpha), log_alpha


def backward(transmat, log_emission):
    """log β_t(i) = log p(o_t+1 … o_T | q_t = i), (T, N): β_T = 1, β_t(i) = Σ_j a_ij b_j(o_t+1) β_t+1(j).

    Source: Rabiner (1989), eq. 24–25.
    """
    from course_lib.sequences._hmm_kernels import backward_log

    log_transmat, log_emission = _logarithms(log_emission, transmat=transmat)
    log_beta = np.empty_like(log_emission)
    backward_log(log_transmat, log_emission, log_beta)
    return log_beta


def viterbi(startprob, transmat, log_emission):
    """The state sequence that is most probable together with the observations; equal ones: the lowest state.

    δ_1(j) = π_j b_j(o_1), and δ_t(j) = max_i [δ_t−1(i) a_ij] b_j(o_t), in logarithms.

    Parameters as `forward`. Returns a Decoding; ValueError where no state sequence can produce the observations.

    Source: Rabiner (1989), eq. 32–35.
    """
    from course_lib.sequences import _hmm_kernels as kernels

    log_table = padded(_logarithms(log_emission, startprob=startprob, transmat=transmat)[-1])
    T = len(log_table)
    path = np.empty(T, dtype=np.int64)
    best = kernels.viterbi(
        *log_chain(startprob, transmat), log_table, np.arange(T), back_pointers(*log_table.shape), path
    )
    if best == -np.inf:
        raise ValueError("log_emission: no state sequence can produce these observations, so there is no best one.")
    return Decoding(path, best)


def scaled_forward(startprob, transmat, emission):
    """The forward recursion with probabilities, each row of α scaled to sum to one.

    emission : (T, N) b_j(o_t), not logarithms; the others as in `forward`
    Returns (α̂ (T, N), c (T,)): α̂_t(j) = p(q_t = j | o_1 … o_t) and c_t = p(o_t | o_1 … o_t−1), so Σ log c_t = log p(O)

    Source: Rabiner (1989), section V.A.
    """
    from course_lib.sequences._hmm_kernels import forward_scaled

    startprob, transmat, emission = _probabilities(emission, startprob=startprob, transmat=transmat)
    table = padded(emission)
    alpha, scales = np.empty_like(table), np.empty(len(table))
    done = forward_scaled(*padded_chain(startprob, transmat), table, np.arange(len(table)), True, alpha, scales)
    if done == -1:
        raise ValueError(
            "emission: the share of a state falls below the smallest float; use forward, which takes logarithms."
        )
    if done < len(table):
        raise ValueError(f"emission: no state can produce frame {done} after the frames before it (log p(O) = −inf).")
    return alpha[:, : emission.shape[1]], scales


def trellis(startprob, transmat, emission):
    """The tables α, δ and β of a short sequence, as plain probabilities: the numbers that one works out by hand.

    A few hundred frames are too many: then all numbers are 0. `forward`, `backward`, `viterbi` take logarithms.

    emission : (T, N) b_j(o_t), not logarithms; the others as in `forward`

    Source: Rabiner (1989), eq. 19–21, 24–25 and 32–33.
    """
    startprob, transmat, emission = _probabilities(emission, startprob=startprob, transmat=transmat)
    alpha, beta = np.empty_like(emission), np.ones_like(emission)
    alpha[0] = startprob * emission[0]
    for t in range(1, len(emission)):
        alpha[t] = alpha[t - 1] @ transmat * emission[t]
    for t in range(len(emission) - 2, -1, -1):
        beta[t] = transmat @ (emission[t + 1] * beta[t + 1])
    return Trellis(alpha, plain_viterbi(startprob, transmat, emission)[0], beta)


def plain_viterbi(startprob, transmat, emission):
    """(δ (T, N), best states (T,)) as plain probabilities, for short sequences; arguments as for `trellis`.

    Source: Rabiner (1989), eq. 32–35.
    """
    delta, winners = np.empty_like(emission), np.empty(emission.shape, dtype=int)
    delta[0] = startprob * emission[0]  # INITIALISE
    for t in range(1, len(emission)):
        ways = delta[t - 1][:, None] * transmat  # from i (row) to j (column)
        winners[t], delta[t] = ways.argmax(axis=0), ways.max(axis=0) * emission[t]  # SCORE
    states = [delta[-1].argmax()]
    for winner in winners[:0:-1]:  # READ
        states.append(winner[states[-1]])
    return delta, np.array(states[::-1])


def posteriors(startprob, transmat, log_emission):
    """γ_t(i) = p(q_t = i | O), (T, N): what all observations say about the state at time t; rows sum to one.

    Source: Rabiner (1989), eq. 27.
    """
    log_likelihood, log_alpha = forward(startprob, transmat, log_emission)
    if log_likelihood == -np.inf:
        raise ValueError("log_emission: the observations have probability 0, so states have no posterior probability.")
    log_gamma = log_alpha + backward(transmat, log_emission)
    return softmax(log_gamma, axis=1)


def expected_transitions(startprob, transmat, log_emission):
    """Σ_t ξ_t(i, j), (N, N): how often a step from i to j is expected, given all observations.

    ξ_t(i, j) = α_t(i) a_ij b_j(o_t+1) β_t+1(j) / p(O), for the T − 1 steps.

    Source: Rabiner (1989), eq. 37.
    """
    from course_lib.sequences._hmm_kernels import expect_log

    tables = _logarithms(log_emission, startprob=startprob, transmat=transmat)
    T, N = tables[-1].shape
    transitions, log_likelihood = np.zeros((N, N)), np.empty(1)
    expect_log(*tables, np.array([0, T]), np.empty((T, N)), transitions, log_likelihood)
    if log_likelihood[0] == -np.inf:
        raise ValueError("log_emission: the observations have probability 0, so no transitions are expected.")
    return transitions


def padded(values):
    """The array with zeros after it along its last axis, up to a multiple of four, in `aligned` memory."""
    values = np.asarray(values, dtype=float)
    table = aligned((*values.shape[:-1], values.shape[-1] + -values.shape[-1] % 4))
    table[..., : values.shape[-1]] = values
    table[..., values.shape[-1] :] = 0.0
    return table


def aligned(shape):
    """Room for floats that begins with a line of the processor's cache, so that no four of them lie in two lines."""
    size = int(np.prod(shape))
    room = np.empty(size + 8)
    first = -room.ctypes.data % 64 // 8
    return room[first : first + size].reshape(shape)


def back_pointers(T, N):
    """(T, N) room for Viterbi's winners, one byte each up to 256 states."""
    return np.empty((T, N), dtype=np.min_scalar_type(N - 1))


def padded_chain(startprob, transmat):
    """π and A with states after them that are never entered, up to a multiple of four."""
    startprob = padded(startprob)
    A = padded(np.zeros((len(startprob), len(startprob))))
    A[: len(transmat), : len(transmat)] = transmat
    return startprob, A


def log_chain(startprob, transmat):
    """Logarithms of the `padded_chain`, −inf for 0."""
    with np.errstate(divide="ignore"):
        return tuple(np.log(part, out=part) for part in padded_chain(startprob, transmat))


def _logarithms(log_emission, **chain):
    """Logarithms of π and A, as far as they are given, and log_emission (T, N), −inf allowed, as fitting arrays."""
    table = validation.real_numbers(log_emission, "log_emission")
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(f"log_emission has shape {table.shape}; (T, N) is needed: frames by states.")
    if np.isnan(table).any() or (table == np.inf).any():
        raise ValueError("log_emission holds NaN or +inf; logarithms of probabilities or densities are needed.")
    with np.errstate(divide="ignore"):
        return *map(np.log, _chain(table, "log_emission", **chain)), table


def _probabilities(emission, **chain):
    """π, A and a table of emissions that are no logarithms, as fitting arrays."""
    table = validation.sequence(emission, "emission")
    if (table < 0).any():
        raise ValueError(f"emission holds {table.min():g}; probabilities or densities, 0 or more, are needed.")
    return *_chain(table, "emission", **chain), table


def _chain(table, name, **chain):
    """π and A, as far as they are given, for as many states as the table has columns.

    Who is wrong cannot be told, so an error tells all shapes.
    """
    T, N = table.shape
    needed = {"startprob": (N,), "transmat": (N, N)}
    shapes = {part: validation.real_array(values, part).shape for part, values in chain.items()}
    if any(shape != needed[part] for part, shape in shapes.items()):
        came = ", ".join(f"{part} has shape {shape}" for part, shape in {**shapes, name: table.shape}.items())
        turned = T != N and all(set(shape) == {T} for shape in shapes.values())
        hint = f" Were rows and columns of {name} exchanged? Time runs along its first axis." if turned else ""
        raise ValueError(f"{came}; for N states (N,) of startprob, (N, N) and (T, N) are needed.{hint}")
    return [validation.probabilities(values, part, needed[part]) for part, values in chain.items()]
