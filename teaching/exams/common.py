"""What both exams use: numbers that are refused if they teach nothing, and the table of the standard Gaussian."""

import numpy as np
from scipy.stats import norm


class Awkward(ValueError):
    """The numbers of a question do not behave: a mistake would give the right answer, or an answer would be a tie."""


def wanted(condition, why):
    """Nothing if the numbers behave.

    Raises
    ------
    Awkward
        If they do not; `why` says what was wanted.
    """
    if not condition:
        raise Awkward(f"wanted: {why}.")


def apart(*values, by):
    """Whether all these numbers differ by at least `by`."""
    return np.diff(np.sort(values)).min() >= by


def pick(rng, values):
    """One of the values, as plain Python."""
    return values[int(rng.integers(len(values)))]


def gaussian_table():
    """Rows (z, Φ(z), φ(z)) for z = 0, 0.1, … 2.9, in three blocks side by side: ten rows of nine numbers."""
    z = np.arange(30) / 10
    return np.column_stack([z, norm.cdf(z), norm.pdf(z)]).reshape(3, 10, 3).transpose(1, 0, 2).reshape(10, 9)
