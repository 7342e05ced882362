"""Task 5, circular_triads(pairs, y)."""

from itertools import combinations, permutations

import numpy as np


def winners(pairs, y):
    return np.where(np.asarray(y) > 0, pairs[:, 1], pairs[:, 0])


def wins_of(pairs, y):
    return np.bincount(winners(pairs, y), minlength=pairs.max() + 1)


def most_of(n):
    return (n**3 - n) / 24 if n % 2 else (n**3 - 4 * n) / 24


def all_of(n):
    return n * (n - 1) * (n - 2) / 6


def counted(
    circles=lambda w, n: all_of(n) - (w * (w - 1) / 2).sum(),
    consistence=lambda c, n: 1 - c / most_of(n),
    wins=wins_of,
    size=lambda pairs: pairs.max() + 1,
):
    """An answer with another count of circles, another ζ, other wins or another n."""

    def answer(pairs, y):
        n, w = size(pairs), wins(pairs, y)
        c = circles(w, n)
        return float(c), float(consistence(c, n))

    return answer


right_answer = counted()


def n_of_those_who_won(pairs, y):
    wins = np.bincount(winners(pairs, y))
    return counted(wins=lambda *given: wins, size=lambda given: len(wins))(pairs, y)


def with_zeta(consistence):
    return counted(consistence=consistence)


def beats(pairs, y):
    """(n, n) truth values: [i, j] if i was preferred to j."""
    n = pairs.max() + 1
    table = np.zeros((n, n), dtype=bool)
    won = winners(pairs, y)
    table[won, pairs.sum(axis=1) - won] = True
    return table


def number_of_circles(table, triples):
    return sum(table[i, j] and table[j, k] and table[k, i] for i, j, k in triples)


def enumerated(triples, both_ways=True):
    """Circles among these triples of numbers, in one or in both directions."""

    def answer(pairs, y):
        table, n = beats(pairs, y), pairs.max() + 1
        found = number_of_circles(table, triples(n))
        found += number_of_circles(table.T, triples(n)) if both_ways else 0
        return float(found), float(1 - found / most_of(n))

    return answer


def violations_of_order(pairs, y):
    """Answers that contradict the order by wins."""
    w = wins_of(pairs, y)
    won = winners(pairs, y)
    lost = pairs.sum(axis=1) - won
    found = (w[lost] > w[won]).sum()
    return float(found), float(1 - found / most_of(pairs.max() + 1))


def ordered_pairs(pairs, y):
    """As if the smaller number of each pair came first."""
    return right_answer(np.sort(pairs, axis=1), y)


def in_standard_order(pairs, y):
    """As if the pairs came as 01, 02, 12 …: all pairs of the columns before."""
    n = pairs.max() + 1
    return right_answer(np.array([(a, b) for b in range(n) for a in range(b)]), y)


def second_position(pairs, y):
    """A win is an answer +1 of the item in second place; losses and wins in first place are forgotten."""
    return np.bincount(pairs[y > 0, 1], minlength=pairs.max() + 1)


def balance(pairs, y):
    """Wins minus losses."""
    n = pairs.max() + 1
    return np.bincount(pairs[:, 1], y, n) - np.bincount(pairs[:, 0], y, n)


MISTAKES = {
    "squares of wins": counted(lambda w, n: all_of(n) - (w**2 / 2).sum()),
    "w(w+1)/2": counted(lambda w, n: all_of(n) - (w * (w + 1) / 2).sum()),
    "w(w−1)": counted(lambda w, n: all_of(n) - (w * (w - 1)).sum()),
    "sum of wins": counted(lambda w, n: all_of(n) - w.sum()),
    "no circles, the others": counted(lambda w, n: (w * (w - 1) / 2).sum()),
    "ordered triads": counted(lambda w, n: n * (n - 1) * (n - 2) - (w * (w - 1) / 2).sum()),
    "n³/6": counted(lambda w, n: n**3 / 6 - (w * (w - 1) / 2).sum()),
    "pairs for triads": counted(lambda w, n: n * (n - 1) / 2 - (w * (w - 1) / 2).sum()),
    "largest number for n": counted(size=lambda pairs: pairs.max()),
    "wins of b only": counted(wins=second_position),
    "wins minus losses": counted(wins=balance),
    "pairs sorted": ordered_pairs,
    "pairs in standard order": in_standard_order,
    "always the formula for even n": with_zeta(lambda c, n: 1 - c / ((n**3 - 4 * n) / 24)),
    "always the formula for odd n": with_zeta(lambda c, n: 1 - c / ((n**3 - n) / 24)),
    "even and odd exchanged": with_zeta(lambda c, n: 1 - c / ((n**3 - (4 if n % 2 else 1) * n) / 24)),
    "n of those who won": n_of_those_who_won,
    "share of all triads": with_zeta(lambda c, n: 1 - c / all_of(n)),
    "in units of chance": with_zeta(lambda c, n: 1 - c / (all_of(n) / 4)),
    "share of the answers": with_zeta(lambda c, n: 1 - c / (n * (n - 1) / 2)),
    "inconsistence": with_zeta(lambda c, n: c / most_of(n)),
    "share of circles": with_zeta(lambda c, n: c / all_of(n)),
    "without circles 0": with_zeta(lambda c, n: -c / most_of(n)),
    "in per cent": with_zeta(lambda c, n: 100 * (1 - c / most_of(n))),
    "one direction": enumerated(lambda n: combinations(range(n), 3), both_ways=False),
    "each beginning": enumerated(lambda n: permutations(range(n), 3), both_ways=False),
    "each beginning, both ways": enumerated(lambda n: permutations(range(n), 3)),
    "neighbours only": enumerated(lambda n: ((i, i + 1, i + 2) for i in range(n - 2))),
    "contradictions of the ranking": violations_of_order,
}

RULE_MISTAKES = {
    "ζ rounded": (with_zeta(lambda c, n: round(1 - c / most_of(n), 2)), "How many digits has ζ?"),
    "ζ rounded to three": (with_zeta(lambda c, n: round(1 - c / most_of(n), 3)), "How many digits has ζ?"),
    "the count alone": (lambda pairs, y: right_answer(pairs, y)[0], "2 values are needed"),
}


def trace_of_cube(pairs, y):
    """Each circle is three closed walks of length 3."""
    table = beats(pairs, y).astype(int)
    found, n = np.trace(table @ table @ table) // 3, len(table)
    return found, 1 - found / most_of(n)


def losses(pairs, y):
    """Σ l(l−1)/2 over losses is Σ w(w−1)/2 over wins."""
    n, won = pairs.max() + 1, winners(pairs, y)
    lost = np.bincount(pairs.sum(axis=1) - won, minlength=n)
    found = all_of(n) - (lost * (lost - 1) // 2).sum()
    return found, 1 - found / most_of(n)


def variance_of_wins(pairs, y):
    """Kendall's other form: the fewer circles, the more the wins differ."""
    w = wins_of(pairs, y)
    n = len(w)
    found = (n**3 - n) / 24 - ((w - w.mean()) ** 2).sum() / 2
    return found, 1 - found / (n * (n**2 - (1 if n % 2 else 4)) / 24)


def dictionary(pairs, y):
    won = {
        frozenset(map(int, pair)): int(pair[1] if answer > 0 else pair[0])
        for pair, answer in zip(pairs, y, strict=True)
    }
    n = max(map(max, won)) + 1
    triads = combinations(range(n), 3)
    found = sum(len({won[frozenset(two)] for two in combinations(three, 2)}) == 3 for three in triads)
    return found, 1 - found / ((n**3 - n) // 24 if n % 2 else (n**3 - 4 * n) // 24)


RIGHT = {
    "wins": right_answer,
    "both directions": enumerated(lambda n: combinations(range(n), 3)),
    "trace of the cube": trace_of_cube,
    "losses": losses,
    "variance of the wins": variance_of_wins,
    "three winners": dictionary,
    "an array of two": lambda pairs, y: np.array(right_answer(pairs, y)),
}
