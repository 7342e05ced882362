"""Raters who may not have listened: what each shows beside what an ordinary rater of the same panel would show.

Lecture: 14, section 2.
"""

import numpy as np
import pandas as pd
from scipy.stats import norm

from course_lib import validation
from course_studies.levels import FEWEST, on_another_scale
from course_studies.ratings import others

PANEL = 0.75  # correlation with the panel's mean below which a classical rule leaves a rater out
RARE, UNUSUAL = 0.01, 0.05  # share of ordinary raters who would show as much: of marks, and of the correlation
SPREADS = 0.5, 0.3  # of the logarithms of noises and gains among ordinary raters, as RatingStudy's model has them
SIMULATED = 1000  # ordinary raters in the place of each
LONGER = 1.5  # times the second longest run of the others, where the order of the table makes all of them long
LEVELLED = 4  # steps until marks cut off at the ends have the mean of those given
COARSEST = 4  # of how many steps the scale has at least, for one who marks in tens


def screened(table, confidence=0.9, rng=0):
    """DataFrame with a row for each rater, the most suspicious first: `keep`, `reasons` in words, and their numbers.

    `constant` is the share of the commonest mark; `run` the longest run of equal marks in the order of the table,
    which tells of straight-lining where that was the order of the test; `with_others` the correlation with the mean of
    the others, with an interval (`with_low`, `with_high`, Fisher's). `…_chance` says which share of 1,000 ordinary
    raters in the same place show as much. An ordinary rater is simulated: the values that the others agree on, as well
    as they know them, the rater's own mean and steps of the scale, the panel's typical noise and scale use, which
    differ between raters as much as a `RatingStudy` expects (spreads of logarithms 0.5 and 0.3).

    A reason is a chance of at most 1 % of such marks (a run must also be half as long again as the second longest of
    the others: tables sorted by item make all runs long); or a correlation whose interval goes below 0, so that
    nothing says that the rater heard what the others heard, and whose chance is at most 5 %. It is called reversed if
    the whole interval is below 0. Marks on another scale than the others', as `on_another_scale` has it, are a reason
    too. The classical rule, below 0.75 (`below`), stands beside it: where items differ
    little, it leaves out good raters. Who was found does not count among the others of a second pass. Of fewer than
    five answers nothing is said. Nobody is removed: `table.without(names)` does that.

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
        """{column: what rater r shows}."""
        mine = self.table.rater == r
        given, item = self.table.rating[mine], self.table.item[mine]
        mean, known = self.mean[item, r], self.count[item, r] > 0
        told = {"constant": _commonest(given[None])[0], "run": int(self.runs[r])}
        told["with_others"] = _correlation(given[None, known], mean[known])[0]
        chance = dict.fromkeys(told, np.nan)
        if len(given) >= FEWEST and known.sum() >= FEWEST:
            made = self._ordinary(given, item, r, rng)
            more = {"constant": _commonest(made) >= told["constant"], "run": _longest_run(made) >= told["run"]}
            if np.isfinite(told["with_others"]):
                more["with_others"] = _correlation(made[:, known], mean[known]) <= told["with_others"]
            chance |= {name: (1 + such.sum()) / (1 + SIMULATED) for name, such in more.items()}
        low, high = _fisher(told["with_others"], len(np.unique(item[known])), z)
        reasons = "; ".join(self._reasons(r, told, chance, (low, high), given))
        chances = {f"{name}_chance": one for name, one in chance.items()}
        below = bool(told["with_others"] < PANEL)
        first = {"reasons": reasons, "answers": len(given)}
        return {**first, **told, **chances, "with_low": low, "with_high": high, "below": below}

    def _reasons(self, r, told, chance, interval, given):
        """What speaks against rater r, in words."""
        if r in self.elsewhere:
            yield f"another scale: {self.elsewhere[r]}"
        if chance["constant"] <= RARE:
            mark, count = np.unique(given, return_counts=True)
            yield f"nearly constant: {told['constant']:.0%} of the marks are {mark[count.argmax()]:g}"
        if chance["run"] <= RARE and told["run"] > LONGER * np.sort(np.delete(self.runs, r))[-2:].min():
            yield f"straight line: {told['run']} equal marks in a row"
        if interval[0] < 0 and chance["with_others"] <= UNUSUAL:
            how = "reversed" if interval[1] < 0 else "off the panel"
            yield f"{how}: correlation {told['with_others']:.2f} with the others"

    def _ordinary(self, given, item, r, rng):
        """(SIMULATED, m) marks of ordinary raters with the mean, and the steps, of those given, in their order."""
        asked, place = np.unique(item, return_inverse=True)
        mean, error = self.mean[asked, r], self.noise**2 / np.maximum(self.count[asked, r], 1)
        values = max(mean.var() - error.mean(), 0.0)
        share = values / np.maximum(values + error, np.finfo(float).tiny)  # what of the others' mean is value
        draw = rng.normal(size=(SIMULATED, len(asked)))
        value = share * (mean - mean.mean()) + np.sqrt(share * error) * draw
        noise = self.noise * np.exp(SPREADS[0] * rng.normal(size=(SIMULATED, 1)))
        gain = np.exp(SPREADS[1] * rng.normal(size=(SIMULATED, 1)))
        meant = gain * value[:, place] + noise * rng.normal(size=(SIMULATED, len(item)))
        low, high = self.ends
        used = np.unique(given if np.ptp(given) else self.table.rating)
        step = min(np.diff(used).min(initial=np.inf), (high - low) / COARSEST) or 1.0
        level = given.mean()
        for _ in range(LEVELLED):
            marks = np.clip(low + step * np.round((level + meant - low) / step), low, high)
            level += given.mean() - marks.mean()
        return marks


def _spread_round(mean, y):
    """Standard deviation of answers y (n,) round a line in the others' mean; NaN of fewer than three."""
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


def _correlation(marks, mean):
    """(s,) correlation of each row of (s, m) with mean (m,); NaN of rows or means that do not vary, or below three."""
    if len(mean) < 3 or np.ptp(mean) == 0:
        return np.full(len(marks), np.nan)
    marks, mean = marks - marks.mean(axis=1, keepdims=True), mean - mean.mean()
    spread = np.sqrt((marks**2).sum(axis=1) * (mean**2).sum())
    return np.where(spread > 0, marks @ mean / np.where(spread > 0, spread, 1.0), np.nan)


def _fisher(r, n, z):
    """(low, high) of a correlation of n pairs."""
    if n < 4 or not abs(r) < 1:
        return (np.nan, np.nan) if n < 4 or np.isnan(r) else (r, r)
    return tuple(np.tanh(np.arctanh(r) + z / np.sqrt(n - 3) * np.array([-1.0, 1.0])))
