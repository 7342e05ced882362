"""Pairs of items to ask about, and comparisons whose truth is known because they were simulated.

Lecture: 10, section 6; 11, sections 1, 7 and 12.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib import validation
from course_lib.kinds import Rng


class Compare(NamedTuple):
    """Comparisons of items X (n, D) whose true worth is f (n,): pairs (m, 2), and answers to them (m,).

    degrees : between 0 and 1, above ½ if b is preferred; 0 or 1 where answers have no noise
    choices : ±1, which side of ½ that is
    """

    X: np.ndarray
    f: np.ndarray
    pairs: np.ndarray
    degrees: np.ndarray
    choices: np.ndarray


def random_pairs(n: int, m: int, rng: Rng = None) -> NDArray:
    """(m, 2) pairs of two different items of n, each pair as probable as any other."""
    n, m = validation.integer(n, "n", least=2), validation.integer(m, "m")
    rng = validation.generator(rng)
    a = rng.integers(n, size=m)
    return np.column_stack([a, (a + rng.integers(1, n, size=m)) % n])


def all_pairs(n: int) -> NDArray:
    """(n(n−1)/2, 2) all pairs a < b of n items."""
    return np.column_stack(np.triu_indices(validation.integer(n, "n", least=2), k=1))


def told_apart(f):
    """All pairs of items whose worths f (n,) differ, and ±1 for the better; of equal ones rounding would decide."""
    pairs = all_pairs(len(f))
    gap = np.diff(f[pairs], axis=1)[:, 0]
    differ = np.abs(gap) > 1e-9
    return pairs[differ], np.sign(gap[differ])
