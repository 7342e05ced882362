"""Posterior of named items as data frames: contrasts, and a ranking with groups that cannot be told apart.

Lecture: 14, section 2.
"""

from string import ascii_lowercase

import numpy as np
import pandas as pd
from scipy.stats import norm

from course_lib import validation
from course_lib.gp.questions import PosteriorQueriesMixin, centred_normal, normal_interval
from course_lib.gp.sites import symmetric_root
from course_studies.columns import listed, nearest, plain

N_DRAWS = 4000
N_JOINT_DRAWS = 20_000  # for intervals that hold at once


class KnownItems(PosteriorQueriesMixin):
    """Items with a joint Gaussian of their values, which answers a model's questions for X = `places`.

    mean (n,), cov (n, n);  scale : None, or what maps values to the scale of the answers, rising
    draws : None, or (k, n) draws on the scale of the answers, which `scale` cannot give
    places (n, 1) : the X that asks for all of them
    """

    def __init__(self, mean, cov, scale=None, draws=None):
        self.mean, self.cov, self.scale, self.draws = mean, cov, scale, draws
        self.is_gaussian = scale is None and draws is None  # on the scale of the answers
        self.places = np.arange(len(mean), dtype=float)[:, None]

    def predict_latent(self, X_new, return_cov=False):
        """Mean, and standard deviation or covariance, of the items whose numbers are the one column of X_new."""
        item = np.asarray(X_new, dtype=int).reshape(-1)
        cov = self.cov[np.ix_(item, item)]
        return self.mean[item], cov if return_cov else np.sqrt(cov.diagonal())

    def drawn(self, size=N_DRAWS, rng=0):
        """(size, n) values drawn, on the scale of the answers; the same at each call."""
        if self.draws is not None:
            return self.draws if size == len(self.draws) else np.random.default_rng(rng).choice(self.draws, size)
        values = self.sample(self.places, size, rng)
        return values if self.scale is None else self.scale(values)

    def estimates(self, confidence, centred=False):
        """(value, low, high), (n,) each, on the scale of the answers; centred: above the mean of all items."""
        if self.draws is not None or (centred and not self.is_gaussian):
            return estimates_of_draws(self.drawn() if self.draws is None else self.draws, confidence, centred)
        if centred:
            return estimates(*centred_normal(self.mean, self.cov), confidence)
        return estimates(self.mean, np.sqrt(self.cov.diagonal()), confidence, self.scale)

    def alike(self, confidence):
        """(n, n) whether the interval of the difference of two items holds 0."""
        variance = np.maximum(self.cov.diagonal()[:, None] + self.cov.diagonal() - 2 * self.cov, 0.0)
        return np.abs(self.mean[:, None] - self.mean) <= norm.ppf(0.5 + confidence / 2) * np.sqrt(variance)

    def contrasts(self, names, pairs=None, confidence=0.9, together=False):
        """DataFrame of differences, as `Study.contrasts` has it; names : pandas Index of n different ones."""
        codes = pair_codes(names, pairs)
        if together:
            confidence = joint_confidence(self.cov, codes, confidence)
        a, b = codes.T
        if self.is_gaussian:
            middle, low, high = estimates(*self.predict_difference(self.places, codes), confidence)
        else:
            drawn = self.drawn()
            apart = drawn[:, b] - drawn[:, a]
            middle, low, high = estimates_of_draws(apart, confidence)
        better = self.probability_better(self.places, codes)
        found = {"a": names[a], "b": names[b], "difference": middle, "low": low, "high": high, "p_better": better}
        return pd.DataFrame(found)

    def ranked(self, names, confidence=0.9):
        """DataFrame of items, the best first: value, rank, low, high, p_best, group; names as for `contrasts`.

        `rank` is the mean rank, 1 the best. Items that share a letter of `group` cannot be told apart: the interval of
        their difference contains 0. Each pair is judged by itself, so of many pairs some are told apart by chance;
        `contrasts(together=True)` has intervals that hold for all pairs at once.

        Source: letters after Piepho (2004), "An algorithm for a letter-based representation of all-pairwise
        comparisons".
        """
        known = self.ranking(self.places, confidence, N_DRAWS, rng=0)
        value = self.mean if self.is_gaussian else self.drawn().mean(axis=0)
        columns = {"value": value, "rank": known.mean, "low": known.low, "high": known.high, "p_best": known.best}
        table = pd.DataFrame(columns, index=names).iloc[known.order]
        return table.assign(group=letters(self.alike(confidence)[np.ix_(known.order, known.order)]))


class DrawnItems(KnownItems):
    """Items known by draws of their values (k, n) instead of a Gaussian."""

    def __init__(self, values):
        super().__init__(values.mean(axis=0), np.cov(values.T).reshape(values.shape[1], -1), draws=values)

    def sample(self, X_new, size=1, rng=None):
        return self.drawn(size, rng)[:, np.asarray(X_new, dtype=int).reshape(-1)]

    def probability_better(self, X_new, pairs):
        """(m,) share of the draws in which b is above a."""
        return np.array([np.mean(self.draws[:, b] > self.draws[:, a]) for a, b in pairs])

    def alike(self, confidence):
        """(n, n) whether the interval of the difference of two items holds 0."""
        above = np.array([(self.draws > one[:, None]).mean(axis=0) for one in self.draws.T])
        above = 0.5 * (above + 1.0 - above.T)  # equal ones count half
        return np.abs(above - 0.5) <= confidence / 2


def items_at(fit, place, X):
    """Items of a model: those of its fit at these places (q,), new ones with inputs X (q, D) where place is −1."""
    return fit.with_new(X)[np.where(place < 0, len(fit) + np.arange(len(X)), place)]


def estimates(mean, std, confidence, scale=None):
    """(value, low, high) of Gaussian numbers, on the scale of the answers where there is one."""
    low, high = normal_interval(mean, std, confidence)
    return (mean, low, high) if scale is None else (scale(mean, std), scale(low), scale(high))


def estimates_of_draws(drawn, confidence, centred=False):
    """(value, low, high), (n,) each, of draws (k, n); centred: above the mean of all n."""
    tail = 0.5 - validation.between(confidence, "confidence", 0, 1) / 2
    drawn = drawn - drawn.mean(axis=1, keepdims=True) if centred else drawn
    return drawn.mean(axis=0), *np.quantile(drawn, [tail, 1.0 - tail], axis=0)


def joint_confidence(cov, pairs, confidence=0.9):
    """The confidence of single intervals with which those of all differences hold simultaneously.

    It is Φ(q) − Φ(−q), with q the quantile of the greatest |difference − mean| / standard deviation of joint draws.

    cov : (n, n) of the values, which are Gaussian;  pairs : (m, 2) ints (a, b)

    Source: Hothorn, Bretz & Westfall (2008), "Simultaneous inference in general parametric models", section 2.
    """
    a, b = pairs.T
    std = np.sqrt(np.maximum(cov[a, a] + cov[b, b] - 2.0 * cov[a, b], 0.0))
    a, b, std = a[std > 0], b[std > 0], std[std > 0]
    if not len(std):
        return confidence
    drawn, greatest = np.random.default_rng(0).normal(size=(N_JOINT_DRAWS, len(cov))), np.zeros(N_JOINT_DRAWS)
    value = drawn @ symmetric_root(cov)
    for i, j, spread in zip(a, b, std, strict=True):
        np.maximum(greatest, np.abs(value[:, j] - value[:, i]) / spread, out=greatest)
    return float(2.0 * norm.cdf(np.quantile(greatest, confidence)) - 1.0)


def pair_codes(names, pairs):
    """(m, 2) ints for pairs of names; None: all pairs of them."""
    if pairs is None:
        return np.stack(np.triu_indices(len(names), k=1), axis=1)
    given = pairs[["a", "b"]].to_numpy() if hasattr(pairs, "columns") and {"a", "b"} <= {*pairs.columns} else pairs
    several = isinstance(given, (list, tuple)) or (isinstance(given, np.ndarray) and given.ndim)
    given = [tuple(p) if isinstance(p, (list, tuple, np.ndarray)) else (p,) for p in (given if several else ())]
    if not given or any(len(pair) != 2 for pair in given):
        example = [(plain(names[0]), plain(names[-1]))]
        raise ValueError(f"pairs is {pairs!r}; pairs of names (a, b) are needed, such as {example}, or None for all.")
    for k, pair in enumerate(given):
        for name in pair:
            if not np.isscalar(name) or name not in names:
                raise ValueError(
                    f"pairs[{k}] names {name!r}, which is no {names.name or 'item'} of the fit; these are "
                    f"{listed(names)}{nearest(name, names)}."
                )
        if pair[0] == pair[1]:
            raise ValueError(f"pairs[{k}] is {pair!r}: an item cannot be compared with itself.")
    return names.get_indexer([name for pair in given for name in pair]).reshape(-1, 2)


def letters(alike):
    """n texts: items i and j share a letter if and only if alike[i, j]; (n, n) bools, symmetric, True on the diagonal.

    Each letter is a maximal group of items that are all alike; a group is an integer whose bits are its members.
    """
    rows = [int("".join("1" if one else "0" for one in row[::-1]), 2) for row in np.asarray(alike, dtype=bool)]
    groups = {0}
    for i, row in enumerate(rows):
        with_it = sorted({group & row for group in groups}, key=int.bit_count, reverse=True)
        greatest = []
        for part in with_it:
            if not any(part & other == part for other in greatest):
                greatest.append(part)
        groups = {group for group in groups if group & row != group} | {part | 1 << i for part in greatest}
    members = sorted([i for i in range(len(rows)) if group >> i & 1] for group in groups)
    found = [[] for _ in rows]
    for k, group in enumerate(members):
        for i in group:
            found[i].append(_letter(k))
    return ["".join(each) for each in found]


def _letter(k):
    """a … z, and then a2 … z2 and so on."""
    return ascii_lowercase[k % 26] + (str(k // 26 + 1) if k >= 26 else "")
