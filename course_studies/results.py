"""What a model knows of named items, as data frames: contrasts, and a ranking with those that cannot be told apart.

Lecture: 14, section 2.
"""

from string import ascii_lowercase

import numpy as np
import pandas as pd
from scipy.stats import norm

from course_lib.gp.questions import PosteriorQueriesMixin, normal_interval
from course_lib.gp.sites import symmetric_root
from course_studies.columns import listed, nearest, plain

DRAWS = 4000
JOINT_DRAWS = 20_000  # for intervals that hold at once


class KnownItems(PosteriorQueriesMixin):
    """Items with a joint Gaussian of their values, of which all can be asked that a model can be asked; X is `places`.

    mean (n,), cov (n, n);  scale : None, or what makes numbers on the scale of the answers out of values, rising
    places (n, 1) : the X that asks for all of them
    """

    def __init__(self, mean, cov, scale=None):
        self.mean, self.cov, self.scale = mean, cov, scale
        self.places = np.arange(len(mean), dtype=float)[:, None]

    def centred(self):
        """The same less their mean."""
        centre = np.eye(len(self.mean)) - 1.0 / len(self.mean)
        return KnownItems(centre @ self.mean, centre @ self.cov @ centre)

    def predict_latent(self, X_new, return_cov=False):
        """Mean, and standard deviation or covariance, of the items whose numbers stand in the one column of X_new."""
        item = np.asarray(X_new, dtype=int).reshape(-1)
        cov = self.cov[np.ix_(item, item)]
        return self.mean[item], cov if return_cov else np.sqrt(cov.diagonal())

    def drawn(self, size=DRAWS, rng=0):
        """(size, n) values drawn, on the scale of the answers; the same at each call."""
        values = self.sample(self.places, size, rng)
        return values if self.scale is None else self.scale(values)

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
        if self.scale is None:
            middle, std = self.predict_difference(self.places, codes)
            low, high = normal_interval(middle, std, confidence)
        else:
            drawn = self.drawn()
            apart = drawn[:, b] - drawn[:, a]
            middle = apart.mean(axis=0)
            low, high = np.quantile(apart, [0.5 - confidence / 2, 0.5 + confidence / 2], axis=0)
        better = self.probability_better(self.places, codes)
        found = {"a": names[a], "b": names[b], "difference": middle, "low": low, "high": high, "p_better": better}
        return pd.DataFrame(found)

    def ranked(self, names, confidence=0.9):
        """DataFrame of items, the best first: value, rank, low, high, p_best, group; names as for `contrasts`.

        `rank` is the mean rank, 1 the best, and its interval holds it with this probability. Items that share a letter
        of `group` cannot be told apart: the interval of their difference, with the same probability, holds 0. That is
        said of each two by themselves; of many pairs some are told apart by chance. Intervals that hold for all pairs
        at once are those of `contrasts(together=True)`.

        Source: letters after Piepho (2004), "An algorithm for a letter-based representation of all-pairwise
        comparisons".
        """
        known = self.ranking(self.places, confidence, DRAWS, rng=0)
        value = self.mean if self.scale is None else self.drawn().mean(axis=0)
        columns = {"value": value, "rank": known.mean, "low": known.low, "high": known.high, "p_best": known.best}
        table = pd.DataFrame(columns, index=names).iloc[known.order]
        return table.assign(group=letters(self.alike(confidence)[np.ix_(known.order, known.order)]))


class DrawnItems(KnownItems):
    """Items of which draws are known, and no Gaussian: values (k, n)."""

    def __init__(self, values):
        super().__init__(values.mean(axis=0), np.cov(values.T).reshape(values.shape[1], -1), scale=True)
        self.values = values

    def centred(self):
        return DrawnItems(self.values - self.values.mean(axis=1, keepdims=True))

    def interval(self, confidence):
        """(low, high), (n,) each."""
        return tuple(np.quantile(self.values, [0.5 - confidence / 2, 0.5 + confidence / 2], axis=0))

    def drawn(self, size=DRAWS, rng=0):
        """(size, n) of the values; as many as there are by themselves are those."""
        return self.values if size == len(self.values) else np.random.default_rng(rng).choice(self.values, size)

    def sample(self, X_new, size=1, rng=None):
        return self.drawn(size, rng)[:, np.asarray(X_new, dtype=int).reshape(-1)]

    def probability_better(self, X_new, pairs):
        """(m,) share of the draws in which b is above a."""
        return np.array([np.mean(self.values[:, b] > self.values[:, a]) for a, b in pairs])

    def alike(self, confidence):
        """(n, n) whether the interval of the difference of two items holds 0."""
        above = np.array([(self.values > one[:, None]).mean(axis=0) for one in self.values.T])
        above = 0.5 * (above + 1.0 - above.T)  # equal ones count half
        return np.abs(above - 0.5) <= confidence / 2


def joint_confidence(cov, pairs, confidence=0.9):
    """The confidence of each interval alone with which those of all differences hold at once.

    For a Gaussian posterior: with the quantile q of the greatest |difference − its mean| / standard deviation among
    joint draws, an interval of ± q standard deviations has Φ(q) − Φ(−q). All scale changes of values keep it.

    cov : (n, n) of the values;  pairs : (m, 2) ints (a, b)

    Source: Hothorn, Bretz & Westfall (2008), "Simultaneous inference in general parametric models", section 2.
    """
    a, b = pairs.T
    std = np.sqrt(np.maximum(cov[a, a] + cov[b, b] - 2.0 * cov[a, b], 0.0))
    a, b, std = a[std > 0], b[std > 0], std[std > 0]
    if not len(std):
        return confidence
    drawn, greatest = np.random.default_rng(0).normal(size=(JOINT_DRAWS, len(cov))), np.zeros(JOINT_DRAWS)
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
    """n texts: items i and j share a letter if and only if alike[i, j]; (n, n) bools, symmetric, true with oneself.

    Each letter is a greatest group of items that are all alike. Items come in one by one, and a group is a whole
    number, whose bits are its members.
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
