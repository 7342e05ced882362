"""How sure somebody is of a choice: the likelihood of a confidence rating, which knows |f(b) − f(a)| alone.

Lecture: 13, section 4.
"""

from functools import cached_property

import numpy as np

from course_lib import validation
from course_lib.gp import Fixed, Likelihood, Probit, SmoothBox, differences

FIRST_GAP = 0.5  # between neighbouring cut points, where none are given
WIDEST_GAP, BOX_SOFTNESS = 2.0, 0.1  # the first level holds strengths up to Φ⁻¹(0.98) = 2; how soft that limit is


class Likert(Likelihood):
    """A rating 0 … l−1 of how sure a choice was, from the strength s = |g| of the preference, g = f(b) − f(a).

    Level i is the interval [c_i, c_{i+1}) of strengths, with c_0 = 0 and c_l = ∞. The nearer s is to the interval of a
    level, the more probable is that level; with the rate λ the rating is a lapse, and all levels are alike:

        p(i | g) = (1 − λ) exp(−d_i) / Σ_j exp(−d_j) + λ/l,    d_i = max(c_i − s, 0) + max(s − c_{i+1}, 0).

    Unlike the labels of Ordinal, which also count from 0, ratings have their lowest level in the middle, and are the
    same whether a or b was chosen: p(i | g) = p(i | −g). So ratings alone never tell f from −f; the choice does, in a
    block of its own (`choices_and_confidence`).

    Strengths are in the unit of f, in which the distances are logarithms of odds: Comparison(Likert(…), σ) gives them
    another. A lapse rate above 0 keeps one rash rating from outvoting everything else.

    **Kinks.** At the cut points, and at g = 0, the slope of log p jumps. Averages over g, which are all that EP and
    the variational bound use, are taken from kink to kink, and are smooth; E[∂² log p] counts the jumps. At a cut
    point `derivatives` are those of larger strengths, and at g = 0 the slope is 0, half way between its two sides.
    Laplace's mode often lies *in* the kink of an unsure answer, g = 0, where there is no curvature: then it does not
    come to rest, and warns; use another rule.

    levels : l ≥ 2
    cuts : (l − 1,) the strengths c_1 < … < c_{l−1} at which the next level begins, above 0; None: ½ apart
    lapse : λ, 0 or more and below 1

    The cut points are learned by their distances `gaps` (the first from 0), with the prior SmoothBox(0, 2, 0.1), which
    keeps each below 2; `with_priors(gaps=Fixed())` holds them. The lapse rate is held, unless
    `with_priors(lapse_odds=Flat())`, or another prior, learns λ/(1 − λ); a rate of 0 is no parameter.

    Source: Wu et al. (2025), eq. 2 and appendix B; 1 … l in their text, and 0 … l−1 in their experiments.
    """

    parameter_names = ("gaps", "lapse_odds")
    peak_rounds = 10  # of a search that only says where the nodes are to be dense

    def __init__(self, levels, cuts=None, lapse=0.1):
        self.levels = validation.integer(levels, "levels", least=2)
        self.gaps = _gaps(cuts, self.levels)
        lapse = validation.fraction(lapse, "lapse")
        if lapse == 1:
            raise ValueError("lapse is 1; below 1 is needed: else no rating says anything.")
        self.lapse_odds = lapse / (1.0 - lapse)
        if lapse == 0:
            self.parameter_names = ("gaps",)
        self.priors = {"gaps": SmoothBox(0.0, WIDEST_GAP, BOX_SOFTNESS), "lapse_odds": Fixed()}

    @property
    def cuts(self):
        """(l − 1,) cut points between neighbouring levels, ascending from above 0."""
        return np.cumsum(self.gaps)

    @property
    def edges(self):
        """The ends c_i and c_{i+1} of the levels' intervals, (l,) each."""
        return np.concatenate([[0.0], self.cuts]), np.concatenate([self.cuts, [np.inf]])

    @property
    def lapse(self):
        """λ, how often a rating has nothing to do with the pair."""
        return self.lapse_odds / (1.0 + self.lapse_odds)

    @property
    def possible(self):
        """The levels 0 … l − 1."""
        return np.arange(float(self.levels))

    @property
    def middle(self):
        """Half way between the first and the last level."""
        return 0.5 * (self.levels - 1)

    @property
    def kinks(self):
        """(2l − 1,) places of g at which the slope of log p jumps: 0, and the cut points either way."""
        return np.concatenate([-self.cuts[::-1], [0.0], self.cuts])

    def _needed(self, y):
        hint = " Were the ratings counted from 1? Then subtract 1." if (y == self.levels).any() else ""
        return f"a rating must be a whole number in 0 … {self.levels - 1} (levels={self.levels}).{hint}"

    def derivatives(self, y, g):
        """Beside the kinks."""
        rating = _Rating(self, y, g)
        m1, m2, m3 = rating.moments
        return rating.log_p, rating.side * m1, m2 - m1**2, rating.side * (m3 - 3 * m1 * m2 + 2 * m1**3)

    def _parameter_derivatives(self, name, y, g):
        rating = _Rating(self, y, g)
        log_p, m1, m2 = rating.by_lapse() if name == "lapse_odds" else rating.by_gaps()
        return log_p, rating.side * m1, m2 - 2.0 * rating.moments[0] * m1

    def level_probabilities(self, g):
        """(l, …) probability of each level."""
        log_q, _ = self._levels(np.asarray(g, dtype=float))
        return (1.0 - self.lapse) * np.exp(log_q) + self.lapse / self.levels

    def _levels(self, g):
        """(l, …) log probabilities without lapses; and what a step in the strength s adds to −d_i: −1, 0 or 1."""
        strength = np.abs(g)
        low, high = (end.reshape(-1, *(1,) * np.ndim(g)) for end in self.edges)
        nearness = -np.maximum(low - strength, 0.0) - np.maximum(strength - high, 0.0)
        direction = (strength < low) * 1.0 - (strength >= high)
        return nearness - np.log(np.exp(nearness).sum(axis=0)), direction  # one distance is 0: no exponent is large

    def mean(self, g):
        return np.tensordot(self.possible, self.level_probabilities(g), 1)

    def variance(self, g):
        return np.tensordot(self.possible**2, self.level_probabilities(g), 1) - self.mean(g) ** 2

    def cumulative(self, y, g):
        """P(rating ≤ y | g)."""
        y, g = np.broadcast_arrays(y, np.asarray(g, dtype=float))
        total = np.concatenate([np.zeros((1, *g.shape)), np.cumsum(self.level_probabilities(g), axis=0)])
        total[-1] = 1.0
        return _chosen(total, np.clip(np.floor(y), -1, self.levels - 1) + 1)

    def sample(self, g, rng):
        g = np.asarray(g, dtype=float)
        reached = np.cumsum(self.level_probabilities(g), axis=0)[:-1]
        return (validation.generator(rng).random(g.shape) > reached).sum(axis=0).astype(float)


class _Rating:
    """One rating y each at g: its log density, and what a step in the strength s = |g| or in a parameter changes.

    Without lapses log q_y = −d_y − log Σ_j exp(−d_j). Beside the kinks −d_j has the slope t_j = −1 for the levels
    below that of s itself, 1 for those above, and 0 for its own. So the slopes of the sum's logarithm are the
    cumulants of t under the levels' probabilities, which are `below`, `above` and the rest. With lapses,
    p = (1 − λ) q_y + λ/l; `attentive` is the fraction of p that is no lapse.
    """

    def __init__(self, likert, y, g):
        y, g = np.broadcast_arrays(y, np.asarray(g, dtype=float))
        self.likert, self.y, self.g, self.side, s = likert, y, g, np.sign(g), np.abs(g)
        low, high = likert.edges
        last = np.where(np.isinf(high), low, high)  # the upper ends, but of the last level, which has none
        mass_below = np.tril(np.exp(np.minimum(high - low[:, None], 0.0)), -1).sum(axis=1)  # seen from c_i,
        mass_above = np.triu(np.exp(np.minimum(last[:, None] - low, 0.0)), 1).sum(axis=1)  # and from c_{i+1}
        true_level, rated_level = np.searchsorted(likert.cuts, s, side="right"), y.astype(int)
        below = mass_below[true_level] * np.exp(low[true_level] - s)
        above = mass_above[true_level] * np.exp(np.minimum(s - last[true_level], 0.0))
        total = 1.0 + below + above
        self.below, self.above, self.direction = below / total, above / total, np.sign(rated_level - true_level)
        log_q = -np.maximum(low[rated_level] - s, 0.0) - np.maximum(s - high[rated_level], 0.0) - np.log(total)
        log_attentive, lapse_mass = np.log1p(-likert.lapse) + log_q, likert.lapse / likert.levels
        self.log_p = np.logaddexp(log_attentive, np.log(lapse_mass)) if lapse_mass else log_attentive
        self.attentive = np.exp(log_attentive - self.log_p)

    @cached_property
    def slopes(self):
        """(∂, ∂², ∂³) log q in s, beside the kinks."""
        mean, square = self.above - self.below, self.above + self.below  # of t; and t³ = t
        third = mean - 3 * mean * square + 2 * mean**3
        return self.direction - mean, mean**2 - square, -third

    @cached_property
    def moments(self):
        """(∂p/p, ∂²p/p, ∂³p/p) in s."""
        first, second, third = self.slopes
        square = first**2
        cube = third + first * (3 * second + square)
        return self.attentive * first, self.attentive * (second + square), self.attentive * cube

    def by_lapse(self):
        """What log λ/(1 − λ) does to log p, ∂p/p and ∂²p/p, (1, …) each."""
        first, second, _ = self.slopes
        change = -self.attentive * (1.0 - self.attentive)
        log_p = 1.0 - self.likert.lapse - self.attentive
        return log_p[None], (change * first)[None], (change * (second + first**2))[None]

    def by_gaps(self):
        """What the logarithm of each gap does to log p, ∂p/p and ∂²p/p, (l − 1, …) each."""
        log_q, t = self.likert._levels(self.g)
        q, ones = np.exp(log_q), (1,) * self.g.ndim

        def average(table):
            return (q * table).sum(axis=-1 - self.g.ndim)

        gap, level = np.arange(self.likert.levels - 1)[:, None], np.arange(self.likert.levels)
        upper, lower = (
            (self.likert.gaps[:, None] * moves).reshape(*moves.shape, *ones) for moves in (gap <= level, gap < level)
        )
        moved = upper * (t < 0) - lower * (t > 0)  # of −d_j: s is beyond the upper end, or short of the lower
        mean, moved_mean = average(t), average(moved)
        covariance = average(t * moved) - mean * moved_mean
        of_square = average(t**2 * moved) - average(t**2) * moved_mean
        slope, bend = -covariance, 2 * mean * covariance - of_square
        first, second, _ = self.slopes
        by_log_q = np.stack([_chosen(each, self.y) for each in moved]) - moved_mean
        change = self.attentive * (1.0 - self.attentive) * by_log_q
        return (
            self.attentive * by_log_q,
            change * first + self.attentive * slope,
            change * (second + first**2) + self.attentive * (bend + 2 * first * slope),
        )


def _chosen(table, level):
    """(…) the row `level` of an (l, …) table, in each place."""
    return np.take_along_axis(table, level.astype(int)[None], axis=0)[0]


def _gaps(cuts, levels):
    """(levels − 1,) distances of the cut points, the first from 0."""
    cuts = FIRST_GAP * np.arange(1, levels) if cuts is None else np.atleast_1d(validation.real_array(cuts, "cuts"))
    gaps = np.diff(cuts, prepend=0.0) if cuts.ndim == 1 else np.zeros(0)
    if gaps.shape != (levels - 1,) or (gaps <= 0).any():
        raise ValueError(
            f"cuts is {cuts.tolist()}; {levels} levels have {levels - 1} cut points between them, above 0 and "
            "ascending."
        )
    return gaps


def choices_and_confidence(X, pairs, choices, confidence, likert):
    """[a block of probit choices, a block of ratings]: joint answers to pairs, each a choice and how sure it is.

    Given f, the rating does not depend on the choice: a pair's answer has the density p(choice | g) p(rating | |g|).
    Whoever rates what was *felt*, g plus the noise of the choice, breaks that; `Observer` can be made so.

    X, pairs : as for `differences`
    choices : (m,) +1 where the second of the pair is preferred, −1 where the first is
    confidence : (m,) ratings 0 … l−1, NaN where none was given;  likert : Likelihood of the ratings, such as Likert(3)

    Source: Wu et al. (2025), section 5.1.
    """
    return [differences(X, pairs, choices, Probit()), differences(X, pairs, confidence, likert)]
