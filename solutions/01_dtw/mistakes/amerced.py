"""Task 1, amerced_dtw(x, y, omega)."""

from functools import cache
from itertools import pairwise

import numpy as np

from .tables import apart, diagonals, filled, filled_in_place, greedy, last, paths, straight


def fined(omega):
    """The right way into a cell."""
    return lambda c, d, a, b: c + min(d, a + omega, b + omega)


def priced(diagonal=0.0, above=1.0, left=1.0):
    """An answer with other prices of the three steps, in units of ω."""

    def answer(x, y, omega):
        def arrive(c, d, a, b):
            return c + min(d + diagonal * omega, a + above * omega, b + left * omega)

        return last(apart(x, y), arrive)

    return answer


RIGHT_ANSWER = priced()


def zero_border(x, y, omega):
    return last(apart(x, y), fined(omega), border=0)


def first_cell_free(x, y, omega):
    cost = apart(x, y)
    return filled_in_place(cost, fined(omega), 0, lambda before, c: before + c + omega)[-1, -1]


def first_row_not_accumulated(x, y, omega):
    cost = apart(x, y)
    return filled_in_place(cost, fined(omega), cost[0, 0], lambda before, c: c)[-1, -1]


def edges_without_penalty(x, y, omega):
    cost = apart(x, y)
    return filled_in_place(cost, fined(omega), cost[0, 0], lambda before, c: before + c)[-1, -1]


def greedy_walk(x, y, omega):
    cost = apart(x, y)
    walk = greedy(cost, lambda i, j, step: cost[i, j] + omega * (sum(step) == 1))
    return sum(cost[cell] for cell in walk) + omega * straight(walk)


def no_diagonal(x, y, omega):
    return last(apart(x, y), lambda c, d, a, b: c + (0 if d == 0 and a == b == np.inf else min(a, b) + omega))


def squared(x, y, omega):
    return last(apart(x, y) ** 2, fined(omega))


def weights_of_symmetric2(x, y, omega):
    return last(apart(x, y), lambda c, d, a, b: min(d + 2 * c, a + c + omega, b + c + omega))


def largest_cost(x, y, omega):
    return last(apart(x, y), lambda c, d, a, b: max(c, min(d, a + omega, b + omega)))


def penalty_in_place_of_the_cost(x, y, omega):
    return last(apart(x, y), lambda c, d, a, b: min(d + c, a + omega, b + omega))


def penalty_once_a_run(x, y, omega):
    """As gaps are priced in bioinformatics, where to go on with one is free."""
    cost = apart(x, y)

    def runs(path):
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path)]
        return sum(step != (1, 1) and step != before for before, step in pairwise([(1, 1), *steps]))

    return min(sum(cost[cell] for cell in path) + omega * runs(path) for path in paths(*cost.shape))


def penalty_multiplies(x, y, omega):
    return last(apart(x, y), lambda c, d, a, b: min(d + c, a + omega * c, b + omega * c))


def penalty_as_extra_weight(x, y, omega):
    return last(apart(x, y), lambda c, d, a, b: min(d + c, a + (1 + omega) * c, b + (1 + omega) * c))


def difference_of_lengths(x, y, omega):
    return priced(above=0, left=0)(x, y, omega) + omega * abs(len(x) - len(y))


def penalty_after_the_best_plain_path(x, y, omega):
    cost = apart(x, y)
    plain = min(paths(*cost.shape), key=lambda path: sum(cost[cell] for cell in path))
    return sum(cost[cell] for cell in plain) + omega * straight(plain)


def padded_table_one_short(x, y, omega):
    cost = apart(x, y)
    table = np.full((len(x) + 1, len(y) + 1), np.inf)
    table[0, 0] = 0
    for i in range(1, len(x)):
        for j in range(1, len(y)):
            best = min(table[i - 1, j - 1], table[i - 1, j] + omega, table[i, j - 1] + omega)
            table[i, j] = cost[i - 1, j - 1] + best
    return table[-1, -1]


def one_too_far(x, y, omega):
    total = 0.0
    for i in range(len(x) + 1):
        total += abs(x[i] - y[min(i, len(y) - 1)])
    return total


def dearer(fine):
    """An answer in which a straight step into the cell (i, j) costs fine(i, j) times ω."""

    def answer(x, y, omega):
        cost = apart(x, y)
        table = np.full((len(x) + 1, len(y) + 1), np.inf)
        table[0, 0] = 0
        for i, j in np.ndindex(cost.shape):
            straight = min(table[i, j + 1], table[i + 1, j]) + omega * fine(i, j)
            table[i + 1, j + 1] = cost[i, j] + min(table[i, j], straight)
        return float(table[-1, -1])

    return answer


def cells_off_the_diagonal_pay(x, y, omega):
    i, j = np.indices((len(x), len(y)))
    return last(apart(x, y) + omega * abs(i - j), lambda c, d, a, b: c + min(d, a, b))


MISTAKES = {
    "zero border": zero_border,
    "first row not accumulated": first_row_not_accumulated,
    "first cell free": first_cell_free,
    "greedy walk": greedy_walk,
    "no diagonal": no_diagonal,
    "squared": squared,
    "root of squares": lambda x, y, omega: np.sqrt(squared(x, y, omega)),
    "weights of symmetric2": weights_of_symmetric2,
    "largest local cost": largest_cost,
    "penalty in place of the cost": penalty_in_place_of_the_cost,
    "penalty once a run": penalty_once_a_run,
    "penalty forgotten": priced(above=0, left=0),
    "penalty multiplies": penalty_multiplies,
    "penalty as extra weight": penalty_as_extra_weight,
    "every step pays": lambda x, y, omega: priced(diagonal=1)(x, y, omega) - omega,
    "diagonal pays too": priced(diagonal=1),
    "diagonal pays twice": priced(diagonal=2),
    "only the diagonal pays": priced(1, 0, 0),
    "only vertical steps pay": priced(left=0),
    "only horizontal steps pay": priced(above=0),
    "edges without penalty": edges_without_penalty,
    "difference of lengths": difference_of_lengths,
    "penalty after the path": penalty_after_the_best_plain_path,
    "dearer off the diagonal": dearer(lambda i, j: abs(i - j)),
    "cells off the diagonal pay": cells_off_the_diagonal_pay,
    "dearer off the diagonal, but for edges": dearer(lambda i, j: abs(i - j) if min(i, j) else 1),
    "penalty as reward": priced(above=-1, left=-1),
}

RULE_MISTAKES = {
    "mean": (lambda x, y, omega: RIGHT_ANSWER(x, y, omega) / (len(x) + len(y)), "Is a mean asked for, or a total?"),
    "first cell pays": (lambda x, y, omega: RIGHT_ANSWER(x, y, omega) + omega, "How many steps does a path of one"),
    "whole numbers": (
        lambda x, y, omega: float(int(RIGHT_ANSWER(x, y, omega))),
        "Of which type is your table?",
    ),
    "table one short": (padded_table_one_short, "Which cells were never filled"),
    "one too far": (one_too_far, "Which index is one too far?"),
    "whole table": (
        lambda x, y, omega: filled(apart(x, y), fined(omega)),
        "Which of its entries is the answer?",
    ),
}


def cached_recursion(x, y, omega):
    @cache
    def best(i, j):
        if i < 0 or j < 0:
            return float("inf")
        before = 0.0 if i == j == 0 else min(best(i - 1, j - 1), best(i - 1, j) + omega, best(i, j - 1) + omega)
        return abs(x[i] - y[j]) + before

    return best(len(x) - 1, len(y) - 1)


def in_place(x, y, omega):
    cost = apart(x, y)
    return filled_in_place(cost, fined(omega), cost[0, 0], lambda before, c: before + c + omega)[-1, -1]


def two_lists(x, y, omega):
    above = [0.0] + [float("inf")] * len(y)
    for a in x:
        row = [float("inf")]
        for j, b in enumerate(y):
            row.append(abs(a - b) + min(above[j], above[j + 1] + omega, row[j] + omega))
        above = row
    return above[-1]


def enumeration(x, y, omega):
    cost = apart(x, y)
    return min(sum(cost[cell] for cell in path) + omega * straight(path) for path in paths(*cost.shape))


def vectorised(x, y, omega):
    return diagonals(apart(x, y), lambda c, d, a, b: c + np.minimum(d, np.minimum(a, b) + omega))


RIGHT = {
    "padded table": RIGHT_ANSWER,
    "in place": in_place,
    "two lists": two_lists,
    "cached recursion": cached_recursion,
    "enumeration": enumeration,
    "anti-diagonals": vectorised,
    "0-d array": lambda x, y, omega: np.array(RIGHT_ANSWER(x, y, omega)),
    "single precision cost, double sum": lambda x, y, omega: np.float64(RIGHT_ANSWER(x, y, omega)),
}
