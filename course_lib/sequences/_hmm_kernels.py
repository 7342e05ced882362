"""The compiled recursions of hidden Markov models. Importing this module loads numba, so import it where it is used.

Sequences are concatenated; sequence s has the frames bounds[s] ≤ t < bounds[s + 1]. Frame t uses row rows[t] of a
table of b_j: symbols share the row of their symbol, densities have one row per frame, relative to its largest entry.
Entries are at most 1, and each row of α is scaled to sum to one. The number of states is padded to a multiple of four
by states that are never entered.

Scaled probabilities can underflow. Where A has zeros, a state that was lost cannot always be entered again; `lost` is
then an upper bound on the share of p(O) that went with such states. It starts at 0, at `SMALLEST_SHARE` if a single
step can underflow, or at −1 if every state can be entered again. Sequences for which it reaches `MAX_LOST` are marked
by NaN: the caller turns to `forward_log` and `backward_log`, which are exact for any emissions.

Lecture: 04, sections 2–6.
"""

import numpy as np

from course_lib.sequences._compiling import njit

ANY_ORDER = {"contract", "reassoc"}  # sums in any order, and multiply-add without rounding in between
SMALLEST_SHARE = 1e-200  # a smaller share of α is set to 0
MAX_LOST = 1e-12  # of p(O)


@njit(cache=True, nogil=True, forceinline=True, fastmath=ANY_ORDER)
def times_matrix(v, A, product):
    """product = v A, four columns at a time: their sums stay in registers, and one instruction adds all four."""
    for j in range(0, len(product), 4):
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for i in range(len(v)):
            a += v[i] * A[i, j]
            b += v[i] * A[i, j + 1]
            c += v[i] * A[i, j + 2]
            d += v[i] * A[i, j + 3]
        product[j], product[j + 1], product[j + 2], product[j + 3] = a, b, c, d


@njit(cache=True, nogil=True, forceinline=True, fastmath=ANY_ORDER)
def emit(alpha, emission):
    """Multiply alpha[j] by b_j in place; returns the sum over j."""
    total = 0.0
    for j in range(len(alpha)):
        alpha[j] *= emission[j]
        total += alpha[j]
    return total


@njit(cache=True, nogil=True, forceinline=True)
def drop_underflow(alpha):
    """Set shares below `SMALLEST_SHARE` to 0; returns an upper bound on what was dropped."""
    found = False
    for share in alpha:
        found |= 0.0 < share < SMALLEST_SHARE
    if not found:
        return 0.0
    for j in range(len(alpha)):
        if alpha[j] < SMALLEST_SHARE:
            alpha[j] = 0.0
    return len(alpha) * SMALLEST_SHARE


@njit(cache=True, nogil=True)
def forward(startprob, transmat, table, rows, lost, alpha, scales):
    """alpha[t] = p(q_t | o_1 … o_t) and scales[t] = p(o_t | o_1 … o_t−1) of one sequence; returns the share lost.

    alpha : (T, N), or (1, N) where only the last row is wanted
    """
    before, after = np.empty_like(startprob), startprob.copy()  # INITIALISE
    for t in range(len(rows)):
        if t > 0:
            times_matrix(before, transmat, after)  # SCORE
        scales[t] = emit(after, table[rows[t]])
        if scales[t] < SMALLEST_SHARE:
            return 1.0
        factor = 1.0 / scales[t]
        for j in range(len(after)):
            before[j] = after[j] * factor
        if lost >= 0.0:
            lost = lost * factor + drop_underflow(before)
        row = min(t, len(alpha) - 1)
        for j in range(len(after)):
            alpha[row, j] = before[j]
    return lost


@njit(cache=True, nogil=True)
def backward(transmat_T, table, rows, scales, alpha, transitions):
    """Backward recursion of one sequence: turns α into γ in place, and adds Σ_t ξ_t(i, j) / a_ij to the transitions.

    With ahead(j) = b_j(o_t) β_t(j) / c_t: β_t−1(i) = Σ_j a_ij ahead(j) and ξ_t−1(i, j) = α_t−1(i) a_ij ahead(j).
    Each γ_t is divided by its own sum, so that rounding errors do not grow with T. The matrix is transposed, [j, i];
    an empty array of transitions skips them.
    """
    beta, ahead = np.ones(len(transmat_T)), np.empty(len(transmat_T))
    for t in range(len(rows) - 1, -1, -1):
        total, factor = 0.0, 1.0 / scales[t]
        for j in range(len(beta)):
            ahead[j] = table[rows[t], j] * beta[j] * factor if alpha[t, j] > 0.0 else 0.0
            beta[j] *= alpha[t, j]
            total += beta[j]
        total = 1.0 / total
        for j in range(len(beta)):
            alpha[t, j] = beta[j] * total
        if t > 0:
            for i in range(len(transitions)):
                for j in range(len(beta)):
                    transitions[i, j] += alpha[t - 1, i] * ahead[j]
        times_matrix(ahead, transmat_T, beta)


@njit(cache=True, nogil=True)
def score(startprob, transmat, table, rows, bounds, lost, log_likelihood):
    """log p(O) of each sequence; NaN where too much was lost."""
    longest = (bounds[1:] - bounds[:-1]).max()
    alpha, scales = np.empty((1, len(startprob))), np.empty(longest)
    for s in range(len(bounds) - 1):
        some, c = rows[bounds[s] : bounds[s + 1]], scales[: bounds[s + 1] - bounds[s]]
        share = forward(startprob, transmat, table, some, lost, alpha, c)
        log_likelihood[s] = np.log(c).sum() if share < MAX_LOST else np.nan


@njit(cache=True, nogil=True)
def expect(startprob, transmat, table, rows, bounds, lost, gamma, transitions, log_likelihood):
    """γ of every frame, Σ ξ / a_ij and log p(O) of each sequence; where too much was lost, NaN, and nothing added."""
    scales, transmat_T = np.empty(len(rows)), transmat.T.copy()
    for s in range(len(bounds) - 1):
        some = slice(bounds[s], bounds[s + 1])
        share = forward(startprob, transmat, table, rows[some], lost, gamma[some], scales[some])
        log_likelihood[s] = np.nan
        if share < MAX_LOST:
            log_likelihood[s] = np.log(scales[some]).sum()
            backward(transmat_T, table, rows[some], scales[some], gamma[some], transitions)


@njit(cache=True, nogil=True)
def add_by_symbol(gamma, symbols, counts):
    """counts[symbols[t], j] += γ_t(j) for all frames."""
    for t in range(len(symbols)):
        for j in range(counts.shape[1]):
            counts[symbols[t], j] += gamma[t, j]


@njit(cache=True, nogil=True, forceinline=True)
def best_predecessors(before, log_transmat, log_emission, after, predecessors):
    """after[j] = max_i [before[i] + log a_ij] + log b_j, and predecessors[j] = the lowest i that reaches the maximum.

    Four states at a time and without branches, which the processor could not predict.
    """
    for j in range(0, len(after), 4):
        a, b = before[0] + log_transmat[0, j], before[0] + log_transmat[0, j + 1]
        c, d = before[0] + log_transmat[0, j + 2], before[0] + log_transmat[0, j + 3]
        p, q, r, s, number = 0.0, 0.0, 0.0, 0.0, 0.0  # floats, so that these too are compared four at a time
        for i in range(1, len(before)):
            here = before[i]
            number += 1.0
            way_a = here + log_transmat[i, j]
            way_b = here + log_transmat[i, j + 1]
            way_c = here + log_transmat[i, j + 2]
            way_d = here + log_transmat[i, j + 3]
            p = number if way_a > a else p
            q = number if way_b > b else q
            r = number if way_c > c else r
            s = number if way_d > d else s
            a = way_a if way_a > a else a
            b = way_b if way_b > b else b
            c = way_c if way_c > c else c
            d = way_d if way_d > d else d
        after[j], after[j + 1] = a + log_emission[j], b + log_emission[j + 1]
        after[j + 2], after[j + 3] = c + log_emission[j + 2], d + log_emission[j + 3]
        predecessors[j], predecessors[j + 1], predecessors[j + 2], predecessors[j + 3] = int(p), int(q), int(r), int(s)


@njit(cache=True, nogil=True)
def viterbi(log_startprob, log_transmat, log_table, rows, predecessors, path):
    """The best path, in logarithms: δ_t(j) = max_i [δ_t−1(i) + log a_ij] + log b_j(o_t). Returns max δ_T.

    predecessors[t, j] becomes the state before j on the best path into (t, j).
    """
    T = len(rows)
    delta, after = log_startprob + log_table[rows[0]], np.empty(len(log_startprob))  # INITIALISE
    for t in range(1, T):
        best_predecessors(delta, log_transmat, log_table[rows[t]], after, predecessors[t])  # SCORE
        delta, after = after, delta
    state = np.argmax(delta)
    log_probability = delta[state]
    for t in range(T - 1, 0, -1):  # READ
        path[t] = state
        state = predecessors[t, state]
    path[0] = state
    return log_probability


@njit(cache=True, nogil=True)
def viterbi_each(log_startprob, log_transmat, log_table, rows, bounds, predecessors, path, log_probability):
    """The best path of each sequence, and its logarithm; `predecessors` has room for the longest."""
    for s in range(len(bounds) - 1):
        some = slice(bounds[s], bounds[s + 1])
        log_probability[s] = viterbi(log_startprob, log_transmat, log_table, rows[some], predecessors, path[some])


@njit(cache=True, nogil=True)
def log_sum(values):
    """log Σ exp(values), −inf if all are −inf."""
    largest = values.max()
    if largest == -np.inf:
        return -np.inf
    return largest + np.log(np.exp(values - largest).sum())


@njit(cache=True, nogil=True)
def forward_log(log_startprob, log_transmat, log_emission, log_alpha):
    """log α_t(j) = log Σ_i exp[log α_t−1(i) + log a_ij] + log b_j(o_t). Returns log p(O)."""
    log_alpha[0] = log_startprob + log_emission[0]  # INITIALISE
    for t in range(1, len(log_emission)):  # SCORE
        for j in range(len(log_startprob)):
            log_alpha[t, j] = log_sum(log_alpha[t - 1] + log_transmat[:, j]) + log_emission[t, j]
    return log_sum(log_alpha[-1])


@njit(cache=True, nogil=True)
def backward_log(log_transmat, log_emission, log_beta):
    """log β_t(i) = log Σ_j exp[log a_ij + log b_j(o_t+1) + log β_t+1(j)], and 0 at the end."""
    log_beta[-1] = 0.0
    for t in range(len(log_emission) - 2, -1, -1):
        ahead = log_emission[t + 1] + log_beta[t + 1]
        for i in range(len(log_transmat)):
            log_beta[t, i] = log_sum(log_transmat[i] + ahead)
