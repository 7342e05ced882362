"""Reference of task 5, circular_triads."""

from itertools import combinations

import numpy as np

SEED = 1005


def winners(pairs, y):
    """{two items: the one that won}."""
    return {frozenset(pair.tolist()): int(pair[int(answer > 0)]) for pair, answer in zip(pairs, y, strict=True)}


def most_circles(n):
    """The circles of wins that are as equal as they can be."""
    even_wins = np.full(n, (n - 1) // 2) + (np.arange(n) < (n // 2 if n % 2 == 0 else 0))
    return n * (n - 1) * (n - 2) // 6 - (even_wins * (even_wins - 1) / 2).sum()


def answer(pairs, y):
    """Each triad is looked at."""
    n, won = pairs.max() + 1, winners(pairs, y)
    circles = sum(
        len({won[frozenset(two)] for two in combinations(three, 2)}) == 3 for three in combinations(range(n), 3)
    )
    return float(circles), float(1 - circles / most_circles(n))


def way(pairs, y):
    """Wins, triads, and the most circles."""
    n = pairs.max() + 1
    wins = np.bincount(list(winners(pairs, y).values()), minlength=n)
    yield "the wins of the items", wins
    yield "the number of triads", float(n * (n - 1) * (n - 2) // 6)
    yield "the triads in order", float((wins * (wins - 1) // 2).sum())
    yield "T_max", float(most_circles(n))
