"""Who hears what when: balanced orders of marks, and balanced rows of choices."""

import math

import numpy as np

from course_studies import balanced_pairs


def orders(n):
    """(rows, n) orders of n items: each item equally often at each place, and equally often after each other item.

    n rows if n is even, 2n if it is odd. Source: Williams (1949), "Experimental designs balanced for the estimation of
    residual effects of treatments".
    """
    zigzag = np.cumsum(np.arange(n) * (-1) ** np.arange(1, n + 1))  # 0, 1, −1, 2, −2 …: all steps differ
    rows = (zigzag + np.arange(n)[:, None]) % n
    return rows if n % 2 == 0 else np.vstack([rows, rows[:, ::-1]])


def choices(n, each):
    """(rows, each, 2): the pairs of one listener after another; all rows have each pair equally often on either side.

    each : pairs of one listener, 0 … n (n − 1) / 2
    """
    if not each:
        return np.empty((1, 0, 2), dtype=int)
    once = balanced_pairs(n, math.comb(n, 2), rng=0)
    both = np.vstack([once, once[:, ::-1]])
    return np.resize(both, (math.lcm(len(both), each) // each, each, 2))
