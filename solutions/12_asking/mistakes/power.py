"""Task 5, rounds_needed(share, alpha, power, most)."""

from fractions import Fraction
from math import comb

import numpy as np
from scipy.special import bdtr, bdtrc, betainc, ndtr, ndtri
from scipy.stats import binom


def at_least(k, n, p):
    """P(K ≥ k) for K ~ Binomial(n, p)."""
    return 1.0 if k <= 0 else float(bdtrc(k - 1, n, p))


def fewest(n, enough):
    """The smallest k above n/2 that is enough, or n + 1."""
    return next((k for k in range(n // 2 + 1, n + 1) if enough(k, n)), n + 1)


def two_sided(k, n, alpha, share):
    return min(1.0, 2 * at_least(k, n, 0.5)) <= alpha


def search(
    significant=two_sided,
    chance=at_least,
    numbers=lambda most: range(1, most + 1),
    wins=lambda k, n, share: k,
    told=lambda n, k, got, share, power: got,
    rounds=lambda n: n,
    never=lambda most, share, alpha: (0, 0, 0.0),
):
    """An answer with one step changed."""

    def answer(share, alpha, power, most):
        for n in numbers(most):
            k = fewest(n, lambda k, n: significant(k, n, alpha, share))
            got = chance(k, n, share)
            if k <= n and got >= power:
                return rounds(n), wins(k, n, share), told(n, k, got, share, power)
        return never(most, share, alpha)

    return answer


right_answer = search()


def one_side(k, n, alpha, share):
    return at_least(k, n, 0.5) <= alpha


def corrected(correction):
    def significant(k, n, alpha, share):
        return 2 * ndtr(-(k - n / 2 - correction) / np.sqrt(n / 4)) <= alpha

    return significant


def normal_power(k, n, p):
    spread = np.sqrt(n * p * (1 - p))
    return float(ndtr((n * p - k) / spread)) if spread > 0 else float(k <= n)


def formula(share, alpha, power, most):
    """n of the textbook, from two normal quantiles."""
    root = -ndtri(alpha / 2) * 0.5 + ndtri(power) * np.sqrt(share * (1 - share))
    n = int(np.ceil((root / (share - 0.5)) ** 2))
    k = fewest(n, lambda k, n: two_sided(k, n, alpha, share))
    return (n, k, at_least(k, n, share)) if n <= most and k <= n else (0, 0, 0.0)


def more(k, n, p):
    """P(K > k)."""
    return at_least(k + 1, n, p)


def more_in_the_test(k, n, alpha, share):
    return 2 * more(k, n, 0.5) <= alpha


def test_at_share(k, n, alpha, share):
    return 2 * at_least(k, n, share) <= alpha


def both_ends(k, n, p):
    return at_least(k, n, p) + float(bdtr(n - k, n, p))


def from_here_on(share, alpha, power, most):
    found = (0, 0, 0.0)
    for n in range(most, 0, -1):
        k = fewest(n, lambda k, n: two_sided(k, n, alpha, share))
        if at_least(k, n, share) < power or k > n:
            return found
        found = n, k, at_least(k, n, share)
    return found


def last(share, alpha, power, most):
    return search(numbers=lambda most: range(most, 0, -1))(share, alpha, power, most)


def exchanged(share, alpha, power, most):
    return search(test_at_share, lambda k, n, p: at_least(k, n, 0.5))(share, alpha, power, most)


def beyond(most, share, alpha):
    return search()(share, alpha, 0.9, 1000)


MISTAKES = {
    "one-sided": search(one_side),
    "one-sided, k − 1": search(lambda k, n, alpha, share: more(k, n, 0.5) <= alpha),
    "α halved twice": search(lambda k, n, alpha, share: 2 * at_least(k, n, 0.5) <= alpha / 2),
    "normal test": search(corrected(0.0)),
    "normal test, corrected": search(corrected(0.5)),
    "normal power": search(chance=normal_power),
    "sample size formula": formula,
    "> in the test": search(more_in_the_test),
    "> in the power": search(chance=more),
    "> in both": search(more_in_the_test, more),
    "power at ½": search(chance=lambda k, n, p: at_least(k, n, 0.5)),
    "test at share": search(test_at_share),
    "exchanged": exchanged,
    "both ends count": search(chance=both_ends),
    "probability of missing": search(told=lambda n, k, got, share, power: 1 - got),
    "probability of exactly k": search(chance=lambda k, n, p: float(binom.pmf(k, n, p))),
    "significance": search(told=lambda n, k, got, share, power: 2 * at_least(k, n, 0.5)),
    "power asked for": search(told=lambda n, k, got, share, power: power),
    "suffices from here on": from_here_on,
    "even only": search(numbers=lambda most: range(2, most + 1, 2)),
    "largest": last,
    "one less": search(rounds=lambda n: n - 1),
    "in tens": search(numbers=lambda most: range(10, most + 1, 10)),
    "losses for wins": search(wins=lambda k, n, share: n - k),
    "half and more": search(wins=lambda k, n, share: n // 2 + 1),
    "expected wins": search(wins=lambda k, n, share: int(np.ceil(share * n))),
    "share needed": search(wins=lambda k, n, share: k / n),
    "never: most": search(never=lambda most, share, alpha: (most, 0, 0.0)),
    "never: most, and sure": search(never=lambda most, share, alpha: (most, most, 1.0)),
    "never: beyond most": search(never=beyond),
}

RULE_MISTAKES = {
    "rounds only": (lambda *given: right_answer(*given)[0], "3 values are needed"),
}


def with_scipy(share, alpha, power, most):
    for n in range(1, most + 1):
        k = np.arange(n // 2 + 1, n + 1)
        enough = k[2 * binom.sf(k - 1, n, 0.5) <= alpha]
        if len(enough) and binom.sf(enough[0] - 1, n, share) >= power:
            return n, int(enough[0]), binom.sf(enough[0] - 1, n, share)
    return 0, 0, 0.0


def by_whole_numbers(share, alpha, power, most):
    """Another algorithm: sequences are counted, and no probability of the test is rounded."""
    limit = Fraction(alpha).limit_denominator(10**6)
    for n in range(1, most + 1):
        sequences, k = 0, n + 1
        while Fraction(2 * (sequences + comb(n, k - 1)), 2**n) <= limit:
            k -= 1
            sequences += comb(n, k)
        got = sum(comb(n, j) * share**j * (1 - share) ** (n - j) for j in range(k, n + 1))
        if got >= power:
            return n, k, got
    return [0, 0, 0.0]


def step_by_step(share, alpha, power, most):
    """Another algorithm: the distribution of wins after one more round, for both listeners at once."""
    p = np.array([[0.5], [share]])
    wins = np.ones((2, 1))
    for n in range(1, most + 1):
        nought = np.zeros((2, 1))
        wins = np.hstack([wins * (1 - p), nought]) + np.hstack([nought, wins * p])
        tails = wins[:, ::-1].cumsum(axis=1)[:, ::-1]
        enough = np.flatnonzero(2 * tails[0] <= alpha)
        if len(enough) and tails[1, enough[0]] >= power:
            return n, int(enough[0]), float(tails[1, enough[0]])
    return 0, 0, 0.0


def with_beta(share, alpha, power, most):
    """P(K ≥ k) as an incomplete beta function."""
    n = 1
    while n <= most:
        k = n
        if betainc(k, 1, 0.5) * 2 <= alpha:
            while k > 1 and 2 * betainc(k - 1, n - k + 2, 0.5) <= alpha:
                k -= 1
            if betainc(k, n - k + 1, share) >= power:
                return n, k, float(betainc(k, n - k + 1, share))
        n += 1
    return 0, 0, 0.0


RIGHT = {
    "search": right_answer,
    "scipy": with_scipy,
    "whole numbers": by_whole_numbers,
    "step by step": step_by_step,
    "incomplete beta": with_beta,
}
