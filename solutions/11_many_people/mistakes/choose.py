"""Task 4, choose_items(K, pairs, M)."""

from itertools import combinations

import numpy as np


def total_open(R, a, b):
    return (R[a, a] + R[b, b] - 2 * R[a, b]).sum()


def differences_closed(R, a, b):
    """(n,) by how much each item, made a pseudo-input, lessens the sum of what is open of the differences."""
    v = np.diag(R)
    return ((R[b] - R[a]) ** 2).sum(axis=0) / np.where(v > 1e-9, v, np.inf)


def updated(R, i):
    return R - np.outer(R[:, i], R[i]) / R[i, i]


def greedy(
    gain=differences_closed,
    best=np.argmax,
    update=updated,
    told=total_open,
    seen=lambda pairs: pairs,
):
    """An answer with another gain, another choice, another update, or that tells another number."""

    def answer(K, pairs, M):
        a, b = seen(pairs).T
        R, chosen = K.copy(), []
        open_ = [told(R, a, b)]
        for _ in range(M):
            gains = np.array(gain(R, a, b), dtype=float)
            i = int(best(np.where(np.isin(np.arange(len(K)), chosen), np.nan, gains)))
            chosen.append(i)
            R = update(R, i)
            open_.append(told(R, a, b))
        return np.array(chosen), np.array(open_)

    return answer


right_answer = greedy(best=np.nanargmax)


def with_gain(gain):
    return greedy(gain, np.nanargmax)


def safe(numerator, R, power=1.0):
    v = np.diag(R)
    return numerator / np.where(v > 1e-9, np.maximum(v, 0.0), np.inf) ** power


def values_open(R, a, b):
    return np.diag(R)


def values_closed(R, a, b):
    return safe((R**2).sum(axis=0), R)


def asked_values_closed(R, a, b):
    """As FITC would have it: each asked value by itself."""
    return safe((R[a] ** 2 + R[b] ** 2).sum(axis=0), R)


def plus_closed(R, a, b):
    return safe(((R[b] + R[a]) ** 2).sum(axis=0), R)


def squared_sum(R, a, b):
    return safe((R[b] - R[a]).sum(axis=0) ** 2, R)


def not_squared(R, a, b):
    return safe(np.abs(R[b] - R[a]).sum(axis=0), R)


def not_divided(R, a, b):
    return ((R[b] - R[a]) ** 2).sum(axis=0)


def by_deviation(R, a, b):
    return safe(((R[b] - R[a]) ** 2).sum(axis=0), R, 0.5)


def by_squared_variance(R, a, b):
    return safe(((R[b] - R[a]) ** 2).sum(axis=0), R, 2.0)


def largest_single(R, a, b):
    return safe(((R[b] - R[a]) ** 2).max(axis=0), R)


def most_asked(R, a, b):
    return np.bincount(np.concatenate([a, b]), minlength=len(R)) + 1e-6 * np.arange(len(R))[::-1]


def all_at_once(K, pairs, M):
    """The gains of the first step, used for all choices."""
    a, b = pairs.T
    chosen, R = np.argsort(-differences_closed(K, a, b), kind="stable")[:M], K.copy()
    open_ = [total_open(R, a, b)]
    for i in chosen:
        R = updated(R, i) if R[i, i] > 1e-9 else R
        open_.append(total_open(R, a, b))
    return chosen, np.array(open_)


def diagonal_update(R, i):
    """Variances are lessened, covariances stay."""
    after = R.copy()
    np.fill_diagonal(after, np.maximum(np.diag(R) - R[i] ** 2 / R[i, i], 0.0))
    return after


def update_without_division(R, i):
    return R - np.outer(R[:, i], R[i])


def row_and_column(R, i):
    """Only the chosen item is known; the others stay as they are."""
    after = R.copy()
    after[i] = after[:, i] = 0.0
    return after


def asked_items_only(K, pairs, M):
    """Only items that somebody was asked about may be chosen."""

    def gain(R, a, b):
        gains = differences_closed(R, a, b)
        return np.where(np.isin(np.arange(len(R)), pairs), gains, -1.0)

    return with_gain(gain)(K, pairs, M)


def again(K, pairs, M):
    """Nothing keeps a chosen item from being chosen again: the first gains are kept."""
    a, b = pairs.T
    i = int(np.argmax(differences_closed(K, a, b)))
    return np.full(M, i), np.array([total_open(K, a, b)] + [total_open(updated(K, i), a, b)] * M)


def first_left_out(K, pairs, M):
    chosen, open_ = right_answer(K, pairs, M)
    return chosen, open_[1:]


def gains_told(K, pairs, M):
    chosen, open_ = right_answer(K, pairs, M)
    return chosen, np.concatenate([open_[:1], -np.diff(open_)])


def in_order(K, pairs, M):
    chosen, open_ = right_answer(K, pairs, M)
    return np.sort(chosen), open_


def counted_from_one(K, pairs, M):
    chosen, open_ = right_answer(K, pairs, M)
    return chosen + 1, open_


def backwards(K, pairs, M):
    chosen, open_ = right_answer(K, pairs, M)
    return chosen[::-1], open_


def on_average(K, pairs, M):
    chosen, open_ = right_answer(K, pairs, M)
    return chosen, open_ / len(pairs)


def remaining_values(R, a, b):
    return np.trace(R)


def remaining_asked_values(R, a, b):
    return (R[a, a] + R[b, b]).sum()


MISTAKES = {
    "largest value variance": with_gain(values_open),
    "all values": with_gain(values_closed),
    "asked values, each by itself": with_gain(asked_values_closed),
    "most asked": with_gain(most_asked),
    "sums": with_gain(plus_closed),
    "squared after adding": with_gain(squared_sum),
    "not squared": with_gain(not_squared),
    "largest single gain": with_gain(largest_single),
    "not divided": with_gain(not_divided),
    "divided by the root": with_gain(by_deviation),
    "divided twice": with_gain(by_squared_variance),
    "no update": all_at_once,
    "diagonal update": greedy(best=np.nanargmax, update=diagonal_update),
    "update not divided": greedy(best=np.nanargmax, update=update_without_division),
    "only the chosen one is known": greedy(best=np.nanargmax, update=row_and_column),
    "smallest": greedy(best=np.nanargmin),
    "distinct questions": greedy(best=np.nanargmax, seen=lambda p: np.unique(np.sort(p, axis=1), axis=0)),
    "asked items only": asked_items_only,
    "again and again": again,
    "gains": gains_told,
    "values that are open": greedy(best=np.nanargmax, told=remaining_values),
    "asked values that are open": greedy(best=np.nanargmax, told=remaining_asked_values),
    "mean": on_average,
    "sorted": in_order,
    "backwards": backwards,
    "counted from one": counted_from_one,
}

RULE_MISTAKES = {
    "start left out": (first_left_out, "It has the shape"),
    "choices only": (lambda *given: right_answer(*given)[0], "2 values are needed"),
}


def try_each(K, pairs, M):
    """Another algorithm: each candidate is tried, with the residual variances computed anew."""

    def open_with(Z):
        R = K - K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)], K[Z]) if Z else K
        return sum(R[a, a] + R[b, b] - 2 * R[a, b] for a, b in pairs)

    chosen = []
    for _ in range(M):
        rest = [i for i in range(len(K)) if i not in chosen]
        chosen.append(min(rest, key=lambda i: open_with([*chosen, i])))
    return chosen, [open_with(chosen[:k]) for k in range(M + 1)]


def with_differences(K, pairs, M):
    """The covariance of items and questions is kept, no n × n matrix after the start."""
    cross, variance = K[pairs[:, 1]] - K[pairs[:, 0]], np.diag(K).copy()
    open_, chosen, columns = (
        [float((cross[range(len(pairs)), pairs[:, 1]] - cross[range(len(pairs)), pairs[:, 0]]).sum())],
        [],
        [],
    )
    for _ in range(M):
        gains = np.full(len(K), -np.inf)
        rest = np.setdiff1d(np.arange(len(K)), chosen)
        gains[rest] = (cross[:, rest] ** 2).sum(axis=0) / variance[rest]
        i = int(gains.argmax())
        column = (K[:, i] - sum((c * c[i] for c in columns), np.zeros(len(K)))) / np.sqrt(variance[i])
        cross = cross - np.outer(column[pairs[:, 1]] - column[pairs[:, 0]], column)
        variance = variance - column**2
        columns.append(column)
        chosen.append(i)
        open_.append(open_[-1] - gains[i])
    return np.array(chosen), np.array(open_)


def loops(K, pairs, M):
    n, R, chosen = len(K), K.tolist(), []
    open_ = [sum(R[a][a] + R[b][b] - 2 * R[a][b] for a, b in pairs)]
    for _ in range(M):
        best, gain = -1, -1.0
        for i in range(n):
            if i not in chosen:
                closed = sum((R[b][i] - R[a][i]) ** 2 for a, b in pairs) / R[i][i]
                if closed > gain:
                    best, gain = i, closed
        R = [[R[j][k] - R[j][best] * R[best][k] / R[best][best] for k in range(n)] for j in range(n)]
        chosen.append(best)
        open_.append(open_[-1] - gain)
    return chosen, open_


def in_comparison_space(K, pairs, M):
    """trace of the covariance of the differences, with the indicator matrix."""
    asked = np.eye(len(K))[pairs[:, 1]] - np.eye(len(K))[pairs[:, 0]]
    R, chosen, open_ = K.copy(), [], [np.trace(asked @ K @ asked.T)]
    for _ in range(M):
        gains = [-1.0 if i in chosen else np.sum((asked @ R[:, i]) ** 2) / R[i, i] for i in range(len(K))]
        chosen.append(int(np.argmax(gains)))
        R = updated(R, chosen[-1])
        open_.append(np.trace(asked @ R @ asked.T))
    return tuple(chosen), tuple(open_)


def weighted_items(K, pairs, M):
    """Σ over questions as a matrix AᵀA of the items: gain = (R AᵀA R)_ii / R_ii."""
    asked = np.eye(len(K))[pairs[:, 1]] - np.eye(len(K))[pairs[:, 0]]
    graph, R, chosen = asked.T @ asked, K.copy(), []
    open_ = [(graph * R).sum()]
    for _ in range(M):
        gains = np.einsum("ij,jk,ki->i", R, graph, R)
        gains = np.array([-1.0 if i in chosen else gains[i] / R[i, i] for i in range(len(K))])
        chosen.append(int(gains.argmax()))
        R = updated(R, chosen[-1])
        open_.append((graph * R).sum())
    return np.array(chosen), np.array(open_)


def best_set(K, pairs, M):
    """The best M items of all, by trying all sets: what greedy is measured by."""

    def open_with(Z):
        R = K - K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)], K[Z])
        return total_open(R, *pairs.T)

    return min(open_with(list(Z)) for Z in combinations(range(len(K)), M))


RIGHT = {
    "residual matrix": right_answer,
    "try each": try_each,
    "with differences": with_differences,
    "loops, lists": loops,
    "in comparison space": in_comparison_space,
    "weighted items": weighted_items,
}
