"""Task 3, bottleneck_dtw(x, y)."""

from functools import cache

import numpy as np

from .tables import apart, diagonals, filled, filled_in_place, greedy, last, paths


def largest(c, d, a, b):
    """The right way into a cell."""
    return max(c, min(d, a, b))


def right_answer(x, y):
    return last(apart(x, y), largest)


def adds(x, y):
    return last(apart(x, y), lambda c, d, a, b: c + min(d, a, b))


def along_the_cheapest_path(x, y):
    cost = apart(x, y)
    cheapest = min(paths(*cost.shape), key=lambda path: sum(cost[cell] for cell in path))
    return max(cost[cell] for cell in cheapest)


def largest_of_the_predecessors(x, y):
    return last(apart(x, y), lambda c, d, a, b: max([c, *(v for v in (d, a, b) if np.isfinite(v))]))


def first_row_not_accumulated(x, y):
    cost = apart(x, y)
    return filled_in_place(cost, largest, cost[0, 0], lambda before, c: c)[-1, -1]


def greedy_walk(x, y):
    cost = apart(x, y)
    return max(cost[cell] for cell in greedy(cost, lambda i, j, step: cost[i, j]))


def no_diagonal(x, y):
    return last(apart(x, y), lambda c, d, a, b: max(c, d if d == 0 and a == b == np.inf else min(a, b)))


def hausdorff(x, y):
    cost = apart(x, y)
    return max(cost.min(axis=0).max(), cost.min(axis=1).max())


def hausdorff_with_ends(x, y):
    return max(hausdorff(x, y), abs(x[0] - y[0]), abs(x[-1] - y[-1]))


def lock_step(x, y):
    return max(abs(a - b) for a, b in zip(x, y, strict=False))


MISTAKES = {
    "adds": adds,
    "mean": lambda x, y: adds(x, y) / (len(x) + len(y)),
    "largest cost of the cheapest path": along_the_cheapest_path,
    "smallest cost": lambda x, y: last(apart(x, y), lambda c, d, a, b: min(c, d, a, b)),
    "largest predecessor": largest_of_the_predecessors,
    "largest of the table": lambda x, y: apart(x, y).max(),
    "zero border": lambda x, y: last(apart(x, y), largest, border=0),
    "first row not accumulated": first_row_not_accumulated,
    "greedy walk": greedy_walk,
    "no diagonal": no_diagonal,
    "squared": lambda x, y: right_answer(x, y) ** 2,
    "without order": hausdorff,
    "without order, with both ends": hausdorff_with_ends,
    "lock step": lock_step,
}

RULE_MISTAKES = {
    "whole table": (lambda x, y: filled(apart(x, y), largest), "Which of its entries"),
    "nothing returned": (lambda x, y: print(right_answer(x, y)), "Printing a result does not return it."),
}


def cached_recursion(x, y):
    @cache
    def leash(i, j):
        here = abs(x[i] - y[j])
        before = [leash(a, b) for a, b in ((i - 1, j - 1), (i - 1, j), (i, j - 1)) if a >= 0 and b >= 0]
        return max(here, min(before)) if before else here

    return leash(len(x) - 1, len(y) - 1)


def enumeration(x, y):
    cost = apart(x, y)
    return min(max(cost[cell] for cell in path) for path in paths(*cost.shape))


def smallest_leash_that_reaches(x, y):
    """Another algorithm: grow the allowed cells until the last one can be reached."""
    cost = apart(x, y)
    for leash in np.unique(cost):
        reached = last(np.where(cost <= leash, 0.0, np.inf), lambda c, d, a, b: c + min(d, a, b))
        if np.isfinite(reached):
            return leash
    return np.nan


RIGHT = {
    "padded table": right_answer,
    "cached recursion": cached_recursion,
    "enumeration": enumeration,
    "anti-diagonals": lambda x, y: diagonals(
        apart(x, y), lambda c, d, a, b: np.maximum(c, np.minimum(d, np.minimum(a, b)))
    ),
    "reachability": smallest_leash_that_reaches,
    "whole number": lambda x, y: int(right_answer(x, y)) if right_answer(x, y).is_integer() else right_answer(x, y),
}
