"""Reference of task 5, rounds_needed."""

from math import comb

SEED = 1205


def plan(n, share, alpha):
    """(k, power) for n rounds, sequences of wins and losses being counted in whole numbers; (0, 0.0) if none is."""
    rows = [comb(n, j) for j in range(n + 1)]
    enough = [j for j in range(n // 2 + 1, n + 1) if 2 * sum(rows[j:]) <= alpha * 2**n]
    if not enough:
        return 0, 0.0
    return enough[0], sum(rows[j] * share**j * (1 - share) ** (n - j) for j in range(enough[0], n + 1))


def answer(share, alpha, power, most):
    for n in range(1, most + 1):
        k, seen = plan(n, share, alpha)
        if k and seen >= power:
            return n, k, seen
    return 0, 0, 0.0


def way(share, alpha, power, most):
    """Wins and power for the first number of rounds at which something is significant, and for the answer's."""
    first = next((n for n in range(1, most + 1) if plan(n, share, alpha)[0]), most)
    last = answer(share, alpha, power, most)[0] or most
    for n in sorted({first, last}):
        k, seen = plan(n, share, alpha)
        yield f"for {n} rounds, the smallest significant k", k
        yield f"its power for {n} rounds", seen
