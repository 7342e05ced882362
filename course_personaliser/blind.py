"""The blind test: is the found setting really preferred to another if the listener does not know which is which?

Lecture: 12, section 7.
"""

import numpy as np
from scipy.stats import binomtest

from course_lib import validation

MOST_ROUNDS = 1000  # sanity limit: a file that asks for millions is damaged


class BlindTest:
    """Repeated forced choices between a found setting and a baseline, in a hidden random order.

    found, baseline : (d,) settings
    rounds : number of comparisons, at most 1000
    rng : numpy Generator or seed, for the order

    Source: Nielsen, Nielsen & Larsen (2015), section 3.2: 20 choices, exact two-sided binomial test.
    """

    def __init__(self, found, baseline, rounds=20, rng=None):
        self.found, self.baseline = validation.real_array(found, "found"), validation.real_array(baseline, "baseline")
        if self.found.ndim != 1 or self.baseline.shape != self.found.shape:
            raise ValueError(
                f"found has shape {self.found.shape} and baseline {self.baseline.shape}; two settings (d,) are needed."
            )
        if (self.found == self.baseline).all():
            raise ValueError(f"found and baseline are both {self.found.tolist()}; two settings are needed.")
        self.rounds = validation.integer(rounds, "rounds")
        if self.rounds > MOST_ROUNDS:
            raise ValueError(f"rounds is {rounds}; at most {MOST_ROUNDS} are possible.")
        self._found_is_b = validation.generator(rng).integers(2, size=self.rounds).astype(bool)
        self._found_chosen = []

    @property
    def n_answers(self):
        """Number of choices made."""
        return len(self._found_chosen)

    @property
    def is_over(self):
        """Whether all choices were made."""
        return self.n_answers == self.rounds

    def propose(self):
        """(a, b) of the open choice, (d,) each, or None after the last one."""
        if self.is_over:
            return None
        pair = (self.baseline, self.found)
        return pair if self._found_is_b[self.n_answers] else pair[::-1]

    def answer(self, choice):
        """Choose: −1 for a, +1 for b."""
        choice = self.checked(choice)
        self._found_chosen.append(bool((choice > 0) == self._found_is_b[self.n_answers]))

    def checked(self, choice):
        """The choice as a float; ValueError if it is not allowed now."""
        if validation.finite(choice, "choice") not in (-1.0, 1.0):
            raise ValueError(f"choice is {choice!r}; −1 (for a) or +1 (for b) is needed.")
        if self.is_over:
            raise ValueError(f"choice is {choice!r}, but all {self.rounds} choices were made.")
        return float(choice)

    @property
    def n_for_found(self):
        """Number of choices of the found setting."""
        return sum(self._found_chosen)

    @property
    def p_value(self):
        """Two-sided p-value: the probability under chance of a result at least as far from one half; 1 at first."""
        return float(binomtest(self.n_for_found, self.n_answers).pvalue) if self.n_answers else 1.0

    def interval(self, confidence=0.9):
        """(low, high) of the probability of choosing the found setting: Clopper & Pearson's exact interval."""
        confidence = validation.between(confidence, "confidence", 0, 1)
        if not self.n_answers:
            raise ValueError("no choice was made yet, so there is no interval; answer one or more.")
        found = binomtest(self.n_for_found, self.n_answers).proportion_ci(confidence)
        return np.array([found.low, found.high])
