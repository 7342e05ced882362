"""The compiled recursions of hidden Markov models. Import this module only where they are needed: it loads numba.

Sequences lie one after the other; sequence s has the frames bounds[s] ≤ t < bounds[s + 1]. The emissions of frame t
are row rows[t] of a table: for symbols a row is b(v) = (b_1(v), …, b_N(v)), shared by all frames with that symbol; for
densities each frame has a row of its own. "Scaled" recursions take probabilities and keep the sum of a row of α at
one; "log" recursions take logarithms. Both compute the same numbers. For the scaled ones the number of states is a
multiple of four, filled up with states that are never entered.

Lecture: 04, sections 2–6.
"""

import numpy as np

from course_lib.sequences._compiling import njit

SUMS = {"contract", "reassoc"}  # a sum may be taken in another order, and a product be added without rounding first
FAINT = 1e-200  # a share of α so small that it may soon be below all floats


@njit(cache=True, nogil=True, forceinline=True, fastmath=SUMS)
def times_matrix(v, A, product):
    """product = v A, four columns at a time: their sums stay in the processor, and it adds four numbers at once."""
    for j in range(0, len(product), 4):
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for i in range(len(v)):
            a += v[i] * A[i, j]
            b += v[i] * A[i, j + 1]
            c += v[i] * A[i, j + 2]
            d += v[i] * A[i, j + 3]
        product[j], product[j + 1], product[j + 2], product[j + 3] = a, b, c, d


@njit(cache=True, nogil=True, forceinline=True, fastmath=SUMS)
def emit(alpha, emission):
    """alpha[j] · b_j in place; returns the sum over j."""
    total = 0.0
    for j in range(len(alpha)):
        alpha[j] *= emission[j]
        total += alpha[j]
    return total


@njit(cache=True, nogil=True, forceinline=True)
def faint(alpha):
    """Whether a state is about to be lost by underflow, though it is possible.

    Where A has zeros, such a state may still turn out to be on the best path, and cannot be entered again. Where A
    has none, no state becomes faint, and nobody need be `careful`.
    """
    found = False
    for a in alpha:
        found |= 0.0 < a < FAINT
    return found


@njit(cache=True, nogil=True)
def score_scaled(startprob, transmat, table, rows, bounds, careful, log_likelihood):
    """log p(O) of each sequence, −inf if it is impossible, NaN if it needs logarithms. Only two rows of α are kept.

    Where p(q_t | o_1 … o_t) itself is not wanted, it is enough to scale α when it has become small.
    """
    before, after = np.empty_like(startprob), np.empty_like(startprob)
    for s in range(len(bounds) - 1):
        after[:] = startprob
        scale, total = emit(after, table[rows[bounds[s]]]), 0.0
        for t in range(bounds[s] + 1, bounds[s + 1]):
            if scale < 1e-20:
                if scale == 0.0:
                    break
                total += np.log(scale)
                for j in range(len(after)):
                    after[j] /= scale
            before, after = after, before
            times_matrix(before, transmat, after)
            scale = emit(after, table[rows[t]])
            if careful and faint(after):
                scale = np.nan
                break
        log_likelihood[s] = -np.inf if scale == 0.0 else total + np.log(scale)


@njit(cache=True, nogil=True)
def forward_scaled(startprob, transmat, table, rows, careful, alpha, scales):
    """Scaled forward recursion: alpha[t] = p(q_t | o_1 … o_t), scales[t] = p(o_t | o_1 … o_t−1), for T frames.

    Returns the number of frames done: fewer than T if the sequence is impossible from there on. −1: a state became
    too improbable for a float, and logarithms are needed.
    """
    before, after = np.empty_like(startprob), startprob.copy()  # INITIALISE
    for t in range(len(rows)):
        if t > 0:
            times_matrix(before, transmat, after)  # SCORE
        scales[t] = emit(after, table[rows[t]])
        if scales[t] == 0.0:
            return t
        factor = 1.0 / scales[t]
        for j in range(len(after)):
            before[j] = after[j] * factor
            alpha[t, j] = before[j]
        if careful and faint(before):
            return -1
    return len(rows)


@njit(cache=True, nogil=True)
def backward_scaled(transmat_T, table, rows, scales, alpha, ahead, counts):
    """Backward recursion with the scales of the forward one; returns γ_1 and adds up Σ γ_t for each row of the table.

    ahead[t, j] = b_j(o_t) β_t(j) / c_t, and 0 for the first frame. From it β_t−1(i) = Σ_j a_ij ahead[t, j], and the
    expected transitions ξ_t(i, j) = α_t(i) a_ij ahead[t + 1, j]. The matrix is transposed, [j, i].
    """
    N = len(transmat_T)
    beta, gamma, there = np.ones(N), np.empty(N), np.empty(N)
    for t in range(len(rows) - 1, -1, -1):
        factor = 1.0 / scales[t] if t > 0 else 0.0
        for j in range(N):
            gamma[j] = alpha[t, j] * beta[j]
            counts[rows[t], j] += gamma[j]
        for j in range(N):
            there[j] = table[rows[t], j] * beta[j] * factor if alpha[t, j] > 0.0 else 0.0
            ahead[t, j] = there[j]
        times_matrix(there, transmat_T, beta)
    return gamma


@njit(cache=True, nogil=True)
def posteriors_scaled(startprob, transmat, table, rows, careful, gamma):
    """γ_t(i) = p(q_t = i | O) of every frame, (T, N), in the place of the α that `forward_scaled` leaves there.

    Each row is divided by its own sum, so that no error of rounding grows with T. Returns what `forward_scaled`
    returns; unless that is T, the rows are not γ.
    """
    scales, transmat_T = np.empty(len(rows)), transmat.T.copy()
    done = forward_scaled(startprob, transmat, table, rows, careful, gamma, scales)
    if done < len(rows):
        return done
    beta, there = np.ones(len(startprob)), np.empty(len(startprob))
    for t in range(len(rows) - 1, -1, -1):
        total, factor = 0.0, 1.0 / scales[t]
        for j in range(len(beta)):
            there[j] = table[rows[t], j] * beta[j] * factor if gamma[t, j] > 0.0 else 0.0
            gamma[t, j] *= beta[j]
            total += gamma[t, j]
        for j in range(len(beta)):
            gamma[t, j] /= total
        times_matrix(there, transmat_T, beta)
    return done


@njit(cache=True, nogil=True)
def expect_scaled(startprob, transmat, table, rows, bounds, careful, alpha, ahead, starts, counts, log_likelihood):
    """Forward and backward for each sequence: α and ahead of every frame, Σ γ_1, Σ γ_t by row, log p(O).

    A sequence that is impossible gets log p(O) = −inf, one that needs logarithms NaN; both add nothing.
    """
    scales, transmat_T = np.empty(len(rows)), transmat.T.copy()
    for s in range(len(bounds) - 1):
        some, T = slice(bounds[s], bounds[s + 1]), bounds[s + 1] - bounds[s]
        done = forward_scaled(startprob, transmat, table, rows[some], careful, alpha[some], scales[some])
        if done < T:
            log_likelihood[s] = np.nan if done < 0 else -np.inf
            alpha[some] = ahead[some] = 0.0
            continue
        log_likelihood[s] = np.log(scales[some]).sum()
        starts += backward_scaled(transmat_T, table, rows[some], scales[some], alpha[some], ahead[some], counts)


@njit(cache=True, nogil=True, forceinline=True)
def best_ways(before, log_transmat, log_emission, after, winners):
    """after[j] = max_i [before[i] + log a_ij] + log b_j, and winners[j] = the i that won, the lowest if several do.

    Four at a time, and without branches: the processor could not foresee them.
    """
    for j in range(0, len(after), 4):
        a, b = before[0] + log_transmat[0, j], before[0] + log_transmat[0, j + 1]
        c, d = before[0] + log_transmat[0, j + 2], before[0] + log_transmat[0, j + 3]
        p, q, r, s, number = 0.0, 0.0, 0.0, 0.0, 0.0  # as floats they are handled four at a time as well
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
        winners[j], winners[j + 1], winners[j + 2], winners[j + 3] = int(p), int(q), int(r), int(s)


@njit(cache=True, nogil=True)
def viterbi(log_startprob, log_transmat, log_table, rows, winners, path):
    """The best path, in logarithms: δ_t(j) = max_i [δ_t−1(i) + log a_ij] + log b_j(o_t). Returns max δ_T.

    winners[t, j] becomes the state before j on the best path into (t, j).
    """
    T = len(rows)
    delta, after = log_startprob + log_table[rows[0]], np.empty(len(log_startprob))  # INITIALISE
    for t in range(1, T):
        best_ways(delta, log_transmat, log_table[rows[t]], after, winners[t])  # SCORE
        delta, after = after, delta
    state = np.argmax(delta)
    log_probability = delta[state]
    for t in range(T - 1, 0, -1):  # READ
        path[t] = state
        state = winners[t, state]
    path[0] = state
    return log_probability


@njit(cache=True, nogil=True)
def viterbi_each(log_startprob, log_transmat, log_table, rows, bounds, winners, path, log_probability):
    """The best path of each sequence, and its logarithm; `winners` has room for the longest."""
    for s in range(len(bounds) - 1):
        some = slice(bounds[s], bounds[s + 1])
        log_probability[s] = viterbi(log_startprob, log_transmat, log_table, rows[some], winners, path[some])


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
def score_log(log_startprob, log_transmat, log_emission, bounds, log_likelihood):
    """log p(O) of each sequence, by `forward_log`."""
    for s in range(len(bounds) - 1):
        emission = log_emission[bounds[s] : bounds[s + 1]]
        log_likelihood[s] = forward_log(log_startprob, log_transmat, emission, np.empty_like(emission))


@njit(cache=True, nogil=True)
def backward_log(log_transmat, log_emission, log_beta):
    """log β_t(i) = log Σ_j exp[log a_ij + log b_j(o_t+1) + log β_t+1(j)], and 0 at the end."""
    log_beta[-1] = 0.0
    for t in range(len(log_emission) - 2, -1, -1):
        ahead = log_emission[t + 1] + log_beta[t + 1]
        for i in range(len(log_transmat)):
            log_beta[t, i] = log_sum(log_transmat[i] + ahead)


@njit(cache=True, nogil=True)
def expect_log(log_startprob, log_transmat, log_emission, bounds, gamma, transitions, log_likelihood):
    """As `expect_scaled`, in logarithms, for emissions (T, N) of any size; transitions gain Σ_t ξ_t."""
    for s in range(len(bounds) - 1):
        emission, log_alpha = log_emission[bounds[s] : bounds[s + 1]], gamma[bounds[s] : bounds[s + 1]]
        total = forward_log(log_startprob, log_transmat, emission, log_alpha)
        log_likelihood[s] = total
        if total == -np.inf:
            log_alpha[:] = 0.0
            continue
        log_beta = np.empty_like(emission)
        backward_log(log_transmat, emission, log_beta)
        for t in range(len(emission) - 1):
            ahead = emission[t + 1] + log_beta[t + 1] - total
            for i in range(len(log_transmat)):
                transitions[i] += np.exp(log_alpha[t, i] + log_transmat[i] + ahead)
        for t in range(len(emission)):
            log_alpha[t] += log_beta[t]
            log_alpha[t] = np.exp(log_alpha[t] - log_alpha[t].max())
            log_alpha[t] /= log_alpha[t].sum()
