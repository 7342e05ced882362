"""Observers made up to measure what confidence is worth: each chooses between two stimuli and says how sure it is.

Stimuli are points of the unit cube, and worths are in units of the noise of a choice.

Lecture: 13, section 4.
"""

from typing import NamedTuple

import numpy as np

from course_lib import validation

CALIBRATION_PAIRS = 4000  # pairs from which an observer's cut points are found
HAPTIC_LEVELS, GAIT_SHARES = 9, (218, 176, 78)  # how often the gait's ratings were given
EVEN_SHARES, CONFIDENT_SHARES = (1,) * HAPTIC_LEVELS, (0, 0, 2, 4, 5, 5, 16, 20, 48)
SUBJECT_2 = 2  # who is always confident


class Session(NamedTuple):
    """What an observer was shown and said.

    X : (2m, d) stimuli;  pairs : (m, 2) rows of X, each in one pair
    choices : (m,) +1 if the second was preferred, else −1;  confidence : (m,) ratings from 0 up
    gap : (m,) f(b) − f(a), which no model sees
    """

    X: np.ndarray
    pairs: np.ndarray
    choices: np.ndarray
    confidence: np.ndarray
    gap: np.ndarray

    def rows(self, chosen):
        """The session of these pairs alone, (k,) numbers or flags."""
        pairs = np.arange(2 * len(self.gap)).reshape(-1, 2)[chosen]
        flat = np.arange(pairs.size).reshape(-1, 2)
        return Session(self.X[pairs.ravel()], flat, self.choices[chosen], self.confidence[chosen], self.gap[chosen])

    def thirds(self):
        """The same with ratings 0 … 8 as 0, 1, 2: three to each, as Wu et al. (2025), appendix C, have it."""
        return self._replace(confidence=self.confidence // 3)


class Observer:
    """Prefers what is worth more, with unit noise, and rates the strength of the preference by cut points.

    Parameters
    ----------
    worth : (n, d) points of the unit cube → (n,) f, in units of the noise of a choice
    d : how many numbers describe a stimulus
    cuts : (l − 1,) strengths from which the next rating is given, from above or at 0, not descending
    rates : "strength", |f(b) − f(a)| itself, so that a rating has no noise and, given f, nothing to do with the
        choice; or "felt", |f(b) − f(a) + ε| with the ε that made the choice, as a person can only rate what was felt

    Source: Wu et al. (2025), section 5.2, for "strength".
    """

    def __init__(self, worth, d, cuts, *, rates="strength"):
        if not callable(worth):
            raise ValueError(f"worth is {worth!r}; a function of points (n, d) is needed.")
        self.worth, self.d = worth, validation.integer(d, "d")
        self.cuts = np.atleast_1d(validation.real_array(cuts, "cuts"))
        if self.cuts.ndim != 1 or (np.diff(self.cuts, prepend=0.0) < 0).any():
            raise ValueError(f"cuts is {self.cuts.tolist()}; strengths from 0 up that do not descend are needed.")
        self.rates = validation.one_of(rates, ("strength", "felt"), "rates")

    @property
    def levels(self):
        """How many ratings there are."""
        return len(self.cuts) + 1

    def judge(self, n, rng=None):
        """Session of n pairs of points drawn from the unit cube."""
        n, rng = validation.integer(n, "n"), validation.generator(rng)
        X = rng.uniform(size=(2 * n, self.d))
        gap = np.diff(self.worth(X).reshape(n, 2), axis=1)[:, 0]
        felt = gap + rng.normal(size=n)
        rated = np.abs(felt if self.rates == "felt" else gap)
        confidence = np.digitize(rated, self.cuts).astype(float)
        return Session(X, np.arange(2 * n).reshape(n, 2), np.where(felt > 0, 1.0, -1.0), confidence, gap)

    def with_shares(self, shares):
        """The same observer with cut points such that ratings are given about as often as shares (l,) say."""
        shares = np.atleast_1d(validation.real_array(shares, "shares"))
        if shares.ndim != 1 or len(shares) < 2 or (shares < 0).any() or not shares.sum() > 0:
            raise ValueError(f"shares is {shares.tolist()}; two numbers at least are needed, 0 or more, not all 0.")
        rng = np.random.default_rng(0)
        worths = self.worth(rng.uniform(size=(2 * CALIBRATION_PAIRS, self.d))).reshape(-1, 2)
        strength = np.diff(worths, axis=1)[:, 0]
        strength = np.abs(strength + (rng.normal(size=CALIBRATION_PAIRS) if self.rates == "felt" else 0.0))
        reached = np.cumsum(shares)[:-1] / shares.sum()
        cuts = np.where(reached > 0, np.quantile(strength, reached), 0.0)
        return Observer(self.worth, self.d, cuts, rates=self.rates)


def straight_observer(reach=2.0):
    """The test problem of Wu et al. (2025), figure 4: f(x) = x, choices by Φ, ratings 0, 1, 2 of the strength itself.

    Cut points are at ½ and 1. Stimuli go from 0 to 1, and x from 0 to `reach`, which the text does not say.
    """
    reach = validation.positive(reach, "reach")
    return Observer(lambda x: reach * x[:, 0], 1, (0.5, 1.0))


def haptic_observer(subject, *, rates="felt"):
    """Somebody who says which of two printed surfaces is the rougher, and how sure they are, 0 … 8.

    f grows with the texture (first number) and, less, with the softness (second); each subject has their own weights.
    Subjects rate evenly, but subject 2 hardly ever below 6 and half the time 8.

    subject : 1, 2, 3 …;  rates : as for Observer

    Source: made up after Wu et al. (2025), section 5.3 and figure 11; the data are not public.
    """
    rng = np.random.default_rng(validation.integer(subject, "subject"))
    texture, softness, bend = rng.uniform(3.0, 5.0), rng.uniform(-1.0, 1.0), rng.uniform(0.5, 2.0)

    def worth(x):
        return texture * np.log1p(bend * x[:, 0]) / np.log1p(bend) + softness * x[:, 1]

    observer = Observer(worth, 2, np.arange(1.0, HAPTIC_LEVELS), rates=rates)
    return observer.with_shares(CONFIDENT_SHARES if subject == SUBJECT_2 else EVEN_SHARES)


def gait_observer(*, rates="felt"):
    """Somebody who says which of two robots walks the more naturally, and how sure they are, 0, 1 or 2.

    Four numbers describe a gait; one is the best, and some matter more than others. Ratings are given as often as in
    the experiment: 218, 176 and 78 times of 472.

    Source: made up after Wu et al. (2025), section 5.4 and figure 12; the data are not public.
    """
    best, width = np.array([0.6, 0.35, 0.5, 0.7]), np.array([0.25, 0.3, 0.5, 0.8])

    def worth(x):
        return 4.0 * np.exp(-0.5 * np.sum(((x - best) / width) ** 2, axis=1))

    return Observer(worth, 4, (1.0, 2.0), rates=rates).with_shares(GAIT_SHARES)
