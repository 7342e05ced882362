"""Reference of task 2, choose_batch."""

import numpy as np

SEED = 1202
NEAR_TIE = 1e-6


def together(draws, best, members):
    """What a batch gains, one draw after another."""
    total = 0.0
    for row in draws.tolist():
        total += max([row[best], *(row[j] for j in members)]) - row[best]
    return total / len(draws)


def answer(draws, best, k):
    """Each batch is looked at anew; None if two settings are equally good."""
    members, sums = [], []
    for _ in range(k):
        worth = {j: together(draws, best, [*members, j]) for j in others(draws, best, members)}
        first, *rest = sorted(worth.values(), reverse=True)
        if rest and first - rest[0] < NEAR_TIE:
            return None  # ambiguous
        members, sums = [*members, max(worth, key=worth.get)], [*sums, first]
    return np.array(members), np.array(sums)


def others(draws, best, members):
    return [j for j in range(draws.shape[1]) if j != best and j not in members]


def way(draws, best, k):
    """What each of the others gains, by itself and together with those that are chosen."""
    chosen, _ = answer(draws, best, k)
    for i in range(k):
        left, before = others(draws, best, chosen[:i]), ", ".join(map(str, chosen[:i]))
        name = f"gain of {', '.join(map(str, left))}"
        yield (
            f"{name}, each together with {before}," if i else f"{name}, each by itself,",
            np.array([together(draws, best, [*chosen[:i], j]) for j in left]),
        )
