"""The recursions on the trellis of a hidden Markov model: forward, backward, Viterbi, posteriors.

Those of one sequence are exact: they work in logarithms, and take log b_j(o_t) as a (T, N) table, of symbols or of a
density. Those of many sequences, which the models call, scale probabilities instead, which is faster; they use the
exact ones for sequences that underflow. `hmm.trellis` has the same recursions as plain products.

Lecture: 04, sections 2–7.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax

from course_lib import validation
from course_lib.sequences import checks

SAFE_TRANSITION = 1e-100  # if no a_ij is smaller, a state that underflows is entered again in the next frame
SAFE_FACTOR = 1e-50  # if no π_i, a_ij or b_j is smaller, a share of α above `SMALLEST_SHARE` stays above 0 for a frame


class Decoding(NamedTuple):
    """A state sequence (T,) and log p(states, observations), a number."""

    states: np.ndarray
    log_probability: float


def forward(startprob: ArrayLike, transmat: ArrayLike, log_emission: ArrayLike) -> tuple[float, NDArray]:
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


def backward(transmat: ArrayLike, log_emission: ArrayLike) -> NDArray:
    """log β_t(i) = log p(o_t+1 … o_T | q_t = i), (T, N): β_T = 1, β_t(i) = Σ_j a_ij b_j(o_t+1) β_t+1(j).

    Source: Rabiner (1989), eq. 24–25.
    """
    from course_lib.sequences._hmm_kernels import backward_log

    log_transmat, log_emission = _logarithms(log_emission, transmat=transmat)
    log_beta = np.empty_like(log_emission)
    backward_log(log_transmat, log_emission, log_beta)
    return log_beta


def viterbi(startprob: ArrayLike, transmat: ArrayLike, log_emission: ArrayLike) -> Decoding:
    """The state sequence that is most probable together with the observations; ties go to the lowest state.

    δ_1(j) = π_j b_j(o_1), and δ_t(j) = max_i [δ_t−1(i) a_ij] b_j(o_t), in logarithms.

    Parameters as `forward`. Returns a Decoding; ValueError where no state sequence can produce the observations.

    Source: Rabiner (1989), eq. 32–35.

    >>> import numpy as np
    >>> from course_lib.sequences import viterbi
    >>> viterbi([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]], np.log([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]])).states
    array([0, 0, 1])
    """
    table = _logarithms(log_emission, startprob=startprob, transmat=transmat)[-1]
    path, best = best_paths(startprob, transmat, Emissions(table, np.arange(len(table)), np.array([0, len(table)])))
    if best[0] == -np.inf:
        raise ValueError("log_emission: no state sequence can produce these observations, so there is no best one.")
    return Decoding(path, best[0])


def scaled_forward(startprob: ArrayLike, transmat: ArrayLike, emission: ArrayLike) -> tuple[NDArray, NDArray]:
    """The forward recursion with probabilities, each row of α scaled to sum to one.

    emission : (T, N) b_j(o_t), not logarithms; the others as in `forward`
    Returns (α̂ (T, N), c (T,)): α̂_t(j) = p(q_t = j | o_1 … o_t) and c_t = p(o_t | o_1 … o_t−1), so Σ log c_t = log p(O)

    Source: Rabiner (1989), section V.A.
    """
    startprob, transmat, emission = probabilities(emission, startprob=startprob, transmat=transmat)
    alpha, scales = np.empty_like(emission), np.empty(len(emission))
    for t in range(len(emission)):
        alpha[t] = (startprob if t == 0 else alpha[t - 1] @ transmat) * emission[t]
        scales[t] = alpha[t].sum()
        if scales[t] == 0:
            raise ValueError(f"emission: no state can produce frame {t} after the frames before it (log p(O) = −inf).")
        alpha[t] /= scales[t]
        if ((alpha[t] > 0) & (alpha[t] < np.finfo(float).tiny)).any():
            raise ValueError(
                "emission: the share of a state falls below the smallest float; use forward, which takes logarithms."
            )
    return alpha, scales


def posteriors(startprob: ArrayLike, transmat: ArrayLike, log_emission: ArrayLike) -> NDArray:
    """γ_t(i) = p(q_t = i | O), (T, N): the posterior of the state at time t; rows sum to one.

    Source: Rabiner (1989), eq. 27.
    """
    return _possible(*_expectation(*_logarithms(log_emission, startprob=startprob, transmat=transmat)))[1]


def expected_transitions(startprob: ArrayLike, transmat: ArrayLike, log_emission: ArrayLike) -> NDArray:
    """Σ_t ξ_t(i, j), (N, N): how often a step from i to j is expected, given all observations.

    ξ_t(i, j) = α_t(i) a_ij b_j(o_t+1) β_t+1(j) / p(O), for the T − 1 steps.

    Source: Rabiner (1989), eq. 37.
    """
    return _possible(*_expectation(*_logarithms(log_emission, startprob=startprob, transmat=transmat)))[2]


def _expectation(log_startprob, log_transmat, log_emission):
    """(log p(O), γ (T, N), Σ_t ξ_t (N, N)) of one sequence, exactly; (−inf, 0, 0) if it is impossible."""
    from course_lib.sequences._hmm_kernels import backward_log, forward_log

    log_alpha, log_beta = np.empty((2, *log_emission.shape))
    log_likelihood = forward_log(log_startprob, log_transmat, log_emission, log_alpha)
    if log_likelihood == -np.inf:
        return log_likelihood, 0.0, np.zeros_like(log_transmat)
    backward_log(log_transmat, log_emission, log_beta)
    ahead = log_emission[1:] + log_beta[1:] - log_likelihood
    rows = zip(log_alpha[:-1].T, log_transmat, strict=True)
    transitions = np.stack([np.exp(log_a[:, None] + log_row + ahead).sum(axis=0) for log_a, log_row in rows])
    return log_likelihood, softmax(log_alpha + log_beta, axis=1), transitions


def _possible(log_likelihood, *expected):
    if log_likelihood == -np.inf:
        raise ValueError("log_emission: the observations have probability 0, so states have no posterior probability.")
    return log_likelihood, *expected


# ------------------------------------------------------------------------------------------------ many sequences


class Emissions(NamedTuple):
    """b_j(o_t) of concatenated sequences; sequence s has the frames bounds[s] ≤ t < bounds[s + 1].

    log_table : (R, N), −inf allowed;  rows : (T,): log b_j(o_t) is log_table[rows[t], j]
    probabilities : the table itself if its entries are probabilities (of symbols), None for densities
    components : what the M-step of a model needs besides
    """

    log_table: np.ndarray
    rows: np.ndarray
    bounds: np.ndarray
    probabilities: np.ndarray | None = None
    components: np.ndarray | None = None

    def log(self, s=None):
        """(T, N) log b_j(o_t) of all frames, or of those of sequence s."""
        return self.log_table[self.rows if s is None else self.rows[self.bounds[s] : self.bounds[s + 1]]]

    def scaled(self):
        """(table with entries of at most 1, the (S,) log factor of each sequence that was divided out)."""
        if self.probabilities is not None:
            return self.probabilities, 0.0
        largest = self.log_table.max(axis=1)
        largest[largest == -np.inf] = 0.0
        return np.exp(self.log_table - largest[:, None]), np.add.reduceat(largest[self.rows], self.bounds[:-1])


def log_likelihoods(startprob, transmat, emissions):
    """log p(O_s) of each sequence, (S,); −inf if it is impossible. startprob and transmat as in `forward`."""
    from course_lib.sequences._hmm_kernels import score

    found = np.empty(len(emissions.bounds) - 1)
    kernel_arguments, log_scale = _scaled(startprob, transmat, emissions)
    score(*kernel_arguments, found)
    found += log_scale
    for s in np.flatnonzero(np.isnan(found)):
        found[s], _ = forward(startprob, transmat, emissions.log(s))
    return found


def expectations(startprob, transmat, emissions, room=None, with_transitions=True):
    """(log p(O_s) (S,), γ (T, N), Σ_t ξ_t (N, N) over all sequences): the E-step of Baum–Welch.

    γ is 0 in the frames of a sequence that is impossible.
    room : memory for γ, `padded` (T, N), that training uses again in each round, or None
    """
    from course_lib.sequences._hmm_kernels import expect

    N, found = len(startprob), np.empty(len(emissions.bounds) - 1)
    kernel_arguments, log_scale = _scaled(startprob, transmat, emissions)
    wide = len(kernel_arguments[0])
    room, transitions = aligned((len(emissions.rows), wide)) if room is None else room, np.zeros((wide, wide))
    expect(*kernel_arguments, room, transitions[: wide if with_transitions else 0], found)
    found += log_scale
    gamma, transitions = room[:, :N], transitions[:N, :N] * transmat
    for s in np.flatnonzero(np.isnan(found)):
        some = slice(*emissions.bounds[s : s + 2])
        found[s], gamma[some], steps = _expectation(*_log(startprob, transmat), emissions.log(s))
        transitions += steps
    return found, gamma, transitions


def best_paths(startprob, transmat, emissions):
    """(the Viterbi paths of all sequences, (T,); the logarithm of each one's probability, (S,))."""
    from course_lib.sequences._hmm_kernels import viterbi_each

    table, bounds = padded(emissions.log_table), emissions.bounds
    path, best = np.empty(len(emissions.rows), dtype=np.int64), np.empty(len(bounds) - 1)
    N = table.shape[1]
    predecessors = np.empty((np.diff(bounds).max(), N), dtype=np.min_scalar_type(N - 1))  # one byte up to 256 states
    viterbi_each(*_log(*padded_chain(startprob, transmat)), table, emissions.rows, bounds, predecessors, path, best)
    return path, best


def _scaled(startprob, transmat, emissions):
    """((π, A, table, rows, bounds, lost) for the scaled kernels, the log scale of `Emissions.scaled`)."""
    from course_lib.sequences._hmm_kernels import SMALLEST_SHARE

    table, log_scale = emissions.scaled()
    if transmat.min() >= SAFE_TRANSITION:
        lost = -1.0
    else:
        parts = startprob, transmat, table
        safe = emissions.probabilities is not None and all(part[part > 0].min() > SAFE_FACTOR for part in parts)
        lost = 0.0 if safe else SMALLEST_SHARE
    return (*padded_chain(startprob, transmat), padded(table), emissions.rows, emissions.bounds, lost), log_scale


def padded(values):
    """The array, padded with zeros along its last axis to a multiple of four, in `aligned` memory."""
    values = np.asarray(values, dtype=float)
    table = aligned((*values.shape[:-1], values.shape[-1] + -values.shape[-1] % 4))
    table[..., : values.shape[-1]] = values
    table[..., values.shape[-1] :] = 0.0
    return table


def aligned(shape):
    """An array of floats that begins with a cache line, so that no four of them lie in two lines."""
    size = int(np.prod(shape))
    room = np.empty(size + 8)
    first = -room.ctypes.data % 64 // 8
    return room[first : first + size].reshape(shape)


def padded_chain(startprob, transmat):
    """π and A, padded to a multiple of four by states that are never entered."""
    startprob = padded(startprob)
    A = padded(np.zeros((len(startprob), len(startprob))))
    A[: len(transmat), : len(transmat)] = transmat
    return startprob, A


# ------------------------------------------------------------------------------------------------------- checks


def _log(*arrays):
    """Logarithms, −inf for 0."""
    with np.errstate(divide="ignore"):
        return tuple(map(np.log, arrays))


def _logarithms(log_emission, **chain):
    """Logarithms of π and A, as far as they are given, and log_emission (T, N), −inf allowed, as fitting arrays."""
    table = validation.real_numbers(log_emission, "log_emission")
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(f"log_emission has shape {table.shape}; (T, N) is needed: frames by states.")
    if np.isnan(table).any() or (table == np.inf).any():
        raise ValueError("log_emission holds NaN or +inf; logarithms of probabilities or densities are needed.")
    return *_log(*_chain(table, "log_emission", **chain)), table


def probabilities(emission, **chain):
    """π, A and a table of emissions that are no logarithms, as fitting arrays."""
    table = validation.sequence(emission, "emission")
    if (table < 0).any():
        raise ValueError(f"emission holds {table.min():g}; probabilities or densities, 0 or more, are needed.")
    return *_chain(table, "emission", **chain), table


def _chain(table, name, **chain):
    """π and A, as far as they are given, for as many states as the table has columns.

    We cannot know which argument is wrong, so the message lists all shapes.
    """
    T, N = table.shape
    needed = {"startprob": (N,), "transmat": (N, N)}
    shapes = {part: validation.real_array(values, part).shape for part, values in chain.items()}
    if any(shape != needed[part] for part, shape in shapes.items()):
        came = ", ".join(f"{part} has shape {shape}" for part, shape in {**shapes, name: table.shape}.items())
        turned = T != N and all(set(shape) == {T} for shape in shapes.values())
        hint = f" Were rows and columns of {name} exchanged? Time runs along its first axis." if turned else ""
        raise ValueError(f"{came}; for N states (N,) of startprob, (N, N) and (T, N) are needed.{hint}")
    return [checks.probabilities(values, part, needed[part]) for part, values in chain.items()]
