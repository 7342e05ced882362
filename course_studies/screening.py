"""Screening of raters: each beside simulated ordinary raters of the same panel.

Lecture: 14, section 2.
"""

import numpy as np
import pandas as pd
from scipy.stats import norm

from course_lib import validation
from course_studies.cautions import FEWEST_ANSWERS, on_another_scale
from course_studies.ratings import correlations, others

LEAST_CORRELATION = 0.75  # correlation with the panel's mean below which a classical rule leaves a rater out
RARE_SHARE, UNUSUAL_SHARE = (
    0.01,
    0.05,
)  # share of ordinary raters who would show as much: of marks, and of the correlation
LOG_SPREADS = 0.5, 0.3  # of the logarithms of noises and gains among ordinary raters, as RatingStudy's model has them
N_SIMULATED = 1000  # ordinary raters in the place of each
LONGER_RUN = 1.5  # times the second longest run of the others, where the order of the table makes all of them long
LEVEL_ROUNDS = 4  # steps until marks cut off at the ends have the mean of those given
FEWEST_STEPS = 4  # of how many steps the scale has at least, for one who marks in tens


def screened(table, confidence=0.9, rng=0):
    """DataFrame with a row for each rater, the most suspicious first: `keep`, `reasons` in words, and their numbers.

    `constant` is the share of the commonest mark; `run` the longest run of equal marks in the order of the table
    (straight-lining, if that was the order of the test); `with_others` the correlation with the mean of the others,
    with Fisher's interval (`with_low`, `with_high`). `…_chance` is the share of 1,000 simulated ordinary raters of the
    same items who show as much: they have the values that the others agree on, as well as these are known, the rater's
    own mean and steps of the scale, and the panel's typical noise and scale use, which differ between raters as a
    `RatingStudy` expects (spreads of logarithms 0.5 and 0.3).

    A rater is suggested for removal if such marks have a chance of at most 1 % (and a run is half as long again as the
    second longest of the others: tables sorted by item make all runs long); if the interval of the correlation goes
    below 0, with a chance of at most 5 % (reversed, if the whole interval does); or for marks on another scale, see
    `on_another_scale`. The classical rule, a correlation below 0.75 (`below`), leaves out good raters where items
    differ little. In a second pass suspects do not count among the others. Raters with fewer than five answers are not
    judged. Nobody is removed: `table.without(names)` does that.

    table : RatingTable of two raters or more;  confidence : of the interval;  rng : of the simulated raters

    Source: VQEG (2010), "Report on the validation of video quality models for high definition video content", annex I,
    for r < 0.75, with the mean of all raters, the judged one included; Fisher (1921) for the interval.
    """
    if len(np.unique(table.rater)) < 2:
        raise ValueError(f"table holds ratings of {len(np.unique(table.rater))} rater; two or more can be compared.")
    rng, z = validation.generator(rng), norm.ppf(0.5 + validation.between(confidence, "confidence", 0, 1) / 2)
    raters, suspects = np.unique(table.rater), []
    for _ in range(2):
        panel = _Panel(table, suspects)
        found = pd.DataFrame([panel.shown(r, z, rng) for r in raters], index=table.raters[raters])
        suspects = raters[found["reasons"] != ""]
    found.insert(0, "keep", found["reasons"] == "")
    least = found.filter(like="_chance").min(axis=1)
    return found.iloc[np.lexsort([found["with_others"].fillna(1.0), least.fillna(1.0), found["keep"]])]


class _Panel:
    """A panel's answers in the order of the table, and what is typical of its raters."""

    def __init__(self, table, suspects):
        self.table, Y = table, table.Y.to_numpy()
        trusted = Y.copy()
        trusted[:, suspects] = np.nan
        self.mean, self.count = others(trusted)  # (n, R), each rater less their own mean
        spread = [_spread_round(self.mean[:, r], Y[:, r]) for r in range(Y.shape[1]) if r not in suspects]
        self.noise = np.nanmedian(spread) if np.isfinite(spread).any() else 0.0
        self.elsewhere = on_another_scale(table)
        self.ends = table.scale or (table.rating.min(), table.rating.max())
        self.runs = np.array([_longest_run(table.rating[None, table.rater == r])[0] for r in range(Y.shape[1])])

    def shown(self, r, z, rng):
        """{column: value} of rater r."""
        mine = self.table.rater == r
        given, item = self.table.rating[mine], self.table.item[mine]
        mean, known = self.mean[item, r], self.count[item, r] > 0
        correlation = correlations(given[None, known], mean[known])[0]
        told = {"constant": _commonest(given[None])[0], "run": int(self.runs[r]), "with_others": correlation}
        chance = dict.fromkeys(told, np.nan)
        if len(given) >= FEWEST_ANSWERS and known.sum() >= FEWEST_ANSWERS:
            made = self._ordinary(given, item, r, rng)
            more = {"constant": _commonest(made) >= told["constant"], "run": _longest_run(made) >= told["run"]}
            if np.isfinite(correlation):
                more["with_others"] = correlations(made[:, known], mean[known]) <= correlation
            chance |= {name: (1 + such.sum()) / (1 + N_SIMULATED) for name, such in more.items()}
        low, high = _fisher(correlation, len(np.unique(item[known])), z)
        first = {"reasons": "; ".join(self._reasons(r, told, chance, (low, high), given)), "answers": len(given)}
        chances = {f"{name}_chance": one for name, one in chance.items()}
        last = {"with_low": low, "with_high": high, "below": bool(correlation < LEAST_CORRELATION)}
        return {**first, **told, **chances, **last}

    def _reasons(self, r, told, chance, interval, given):
        """Reasons against rater r, in words."""
        if r in self.elsewhere:
            yield f"another scale: {self.elsewhere[r]}"
        if chance["constant"] <= RARE_SHARE:
            mark, count = np.unique(given, return_counts=True)
            yield f"nearly constant: {told['constant']:.0%} of the marks are {mark[count.argmax()]:g}"
        if chance["run"] <= RARE_SHARE and told["run"] > LONGER_RUN * np.sort(np.delete(self.runs, r))[-2:].min():
            yield f"straight line: {told['run']} equal marks in a row"
        if interval[0] < 0 and chance["with_others"] <= UNUSUAL_SHARE:
            how = "reversed" if interval[1] < 0 else "off the panel"
            yield f"{how}: correlation {told['with_others']:.2f} with the others"

    def _ordinary(self, given, item, r, rng):
        """(N_SIMULATED, m) marks of ordinary raters with the mean, and the steps, of those given, in their order."""
        asked, place = np.unique(item, return_inverse=True)
        mean, error = self.mean[asked, r], self.noise**2 / np.maximum(self.count[asked, r], 1)
        values = max(mean.var() - error.mean(), 0.0)
        share = values / np.maximum(values + error, np.finfo(float).tiny)  # what of the others' mean is value
        draw = rng.normal(size=(N_SIMULATED, len(asked)))
        value = share * (mean - mean.mean()) + np.sqrt(share * error) * draw
        noise = self.noise * np.exp(LOG_SPREADS[0] * rng.normal(size=(N_SIMULATED, 1)))
        gain = np.exp(LOG_SPREADS[1] * rng.normal(size=(N_SIMULATED, 1)))
        meant = gain * value[:, place] + noise * rng.normal(size=(N_SIMULATED, len(item)))
        low, high = self.ends
        used = np.unique(given if np.ptp(given) else self.table.rating)
        step = min(np.diff(used).min(initial=np.inf), (high - low) / FEWEST_STEPS) or 1.0
        level = given.mean()
        for _ in range(LEVEL_ROUNDS):
            marks = np.clip(low + step * np.round((level + meant - low) / step), low, high)
            level += given.mean() - marks.mean()
        return marks


def _spread_round(mean, y):
    """Standard deviation of answers y (n,) round a line in the others' mean; NaN for fewer than three."""
    mean, y = mean[~np.isnan(y)], y[~np.isnan(y)]
    if len(y) < 3:
        return np.nan
    mean, y = mean - mean.mean(), y - y.mean()
    slope = mean @ y / (mean @ mean or 1.0)
    return np.sqrt(((y - slope * mean) ** 2).sum() / (len(y) - 2))


def _commonest(marks):
    """(s,) share of the commonest mark in each row of (s, m)."""
    ordered = np.sort(marks, axis=1)
    return _longest_run(ordered) / marks.shape[1]


def _longest_run(marks):
    """(s,) length of the longest run of equal marks in each row of (s, m)."""
    run = longest = np.full(len(marks), min(marks.shape[1], 1))
    for k in range(1, marks.shape[1]):
        run = np.where(marks[:, k] == marks[:, k - 1], run + 1, 1)
        longest = np.maximum(longest, run)
    return longest


def _fisher(r, n, z):
    """(low, high) of a correlation of n pairs."""
    if n < 4 or not abs(r) < 1:
        return (np.nan, np.nan) if n < 4 or np.isnan(r) else (r, r)
    return tuple(np.tanh(np.arctanh(r) + z / np.sqrt(n - 3) * np.array([-1.0, 1.0])))
