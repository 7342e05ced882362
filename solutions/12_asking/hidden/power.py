"""Hidden cases of task 5, rounds_needed."""

from math import comb

from course_checks import Case


def counted(share, alpha, power, most):
    """Sequences of wins and losses are counted in whole numbers."""
    for n in range(1, most + 1):
        rows = [comb(n, j) for j in range(n + 1)]
        tails = [sum(rows[j:]) for j in range(n + 1)]
        enough = [j for j in range(n // 2 + 1, n + 1) if 2 * tails[j] <= alpha * 2**n]
        if enough:
            seen = sum(rows[j] * share**j * (1 - share) ** (n - j) for j in range(enough[0], n + 1))
            if seen >= power:
                return n, enough[0], seen
    return 0, 0, 0.0


inputs = [
    (0.75, 0.05, 0.9, 90),
    (0.8, 0.1, 0.75, 60),
    (0.65, 0.2, 0.7, 100),
    (0.95, 0.002, 0.75, 40),
    (0.55, 0.3, 0.35, 80),
    (0.6, 0.01, 0.8, 30),
    (0.9, 0.03, 0.6, 50),
]
CASES = [Case(f"random {k}", given, counted(*given)) for k, given in enumerate(inputs)]
