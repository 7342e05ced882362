"""Hidden cases of task 5, circular_triads."""

from itertools import combinations

import numpy as np

from course_checks import Case


def one_by_one(pairs, y):
    """Each triad is looked at; the most circles are those of wins that are as equal as they can be."""
    n = pairs.max() + 1
    won = {frozenset(pair.tolist()): int(pair[int(answer > 0)]) for pair, answer in zip(pairs, y, strict=True)}
    triads = list(combinations(range(n), 3))
    circles = sum(len({won[frozenset(two)] for two in combinations(three, 2)}) == 3 for three in triads)
    even_wins = np.full(n, (n - 1) // 2) + (np.arange(n) < (n // 2 if n % 2 == 0 else 0))
    most = len(triads) - (even_wins * (even_wins - 1) / 2).sum()
    return float(circles), float(1 - circles / most)


def problem(rng, n):
    pairs = np.array(list(combinations(range(n), 2)))
    pairs = rng.permutation(np.where(rng.random(len(pairs))[:, None] < 0.5, pairs, pairs[:, ::-1]))
    return pairs, rng.choice([-1, 1], len(pairs))


rng = np.random.default_rng(1005)
inputs = [problem(rng, n) for n in (3, 4, 5, 7, 8, 9)]
pairs = np.array(list(combinations(range(6), 2)))
inputs.append((pairs, np.where(pairs[:, 1] == 5, -1, rng.choice([-1, 1], len(pairs)))))
CASES = [Case(f"random {k}", given, one_by_one(*given)) for k, given in enumerate(inputs)]
