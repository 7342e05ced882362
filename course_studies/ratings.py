"""Tables of ratings: who gave which item how much, from a long or a wide data frame, with all names kept.

Lecture: 14, section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from course_lib import validation
from course_lib.judgments.panels.answers import means_of_repeats
from course_studies.columns import (
    MAX_SHOWN,
    AnswerSequence,
    chosen_names,
    column,
    data_frame,
    item_column,
    item_features,
    kept_also,
    listed,
    names_in,
    numbers_in,
    parts_of,
    plain,
    refuse_codes,
    refuse_lookalikes,
    refuse_off_scale,
)
from course_studies.wide_columns import rating_columns, refuse_long, refuse_people


@dataclass(frozen=True, repr=False, eq=False)
class RatingTable(AnswerSequence):
    """Ratings of items by raters, one after the other; `from_long` and `from_wide` make it.

    items, raters : pandas Index, their names;  features : DataFrame (n, D), a row for each item, or None
    item, rater : (m,) ints, whose rating of what;  rating : (m,) floats
    scale : (low, high) or None;  rating_name : name of what was asked
    parts : DataFrame (n, k), what an item is made of, such as system and utterance, or None
    also : DataFrame (m, k), what else is known of each answer, such as its trial, or None
    """

    _each, _answers = ("item", "rater", "rating"), "ratings"

    items: Any
    raters: Any
    features: Any
    item: np.ndarray
    rater: np.ndarray
    rating: np.ndarray
    scale: tuple | None
    rating_name: str
    parts: Any = None
    also: Any = None

    def __repr__(self):
        inputs = "no features" if self.features is None else f"features {listed(self.features.columns)}"
        repeats = int((turns(self.item, self.rater) > 0).sum())
        gaps = len(self.items) * len(self.raters) - len(self) + repeats
        again = f", {repeats} of them repeats" if repeats else ""
        return (
            f"RatingTable: {len(self)} ratings {self.rating_name!r}{again} of {len(self.items)} items "
            f"{self.items.name!r} by {len(self.raters)} raters {self.raters.name!r}, {gaps} missing; {inputs}"
            f"{'' if self.also is None else f'; also {listed(self.also.columns)}'}"
        )

    @property
    def Y(self):
        """DataFrame (n, R): a row for each item, a column for each rater, NaN where there is no rating.

        Of repeats it has the mean.
        """
        return pd.DataFrame(means_of_repeats(self.answers), index=self.items, columns=self.raters)

    @property
    def answers(self):
        """(n, R, K) ratings of each item by each rater, K the most that there are; NaN where there are fewer."""
        return with_repeats(self.item, self.rater, self.rating, (len(self.items), len(self.raters)))

    def rated(self):
        """The table without items and raters that have no rating."""
        items, item = np.unique(self.item, return_inverse=True)
        raters, rater = np.unique(self.rater, return_inverse=True)
        features, parts = (None if one is None else one.iloc[items] for one in (self.features, self.parts))
        names = {"items": self.items[items], "raters": self.raters[raters], "features": features, "parts": parts}
        return replace(self, **names, item=item, rater=rater)

    def without(self, raters: Sequence | pd.DataFrame) -> RatingTable:
        """The table without these raters: a list of their names, or what `screen()` says, whose `keep` is False."""
        screen = "keep" in getattr(raters, "columns", ())
        names = raters.index[~raters["keep"]] if screen else chosen_names(raters, "raters")
        unknown = [name for name in names if name not in self.raters]
        if unknown:
            raise ValueError(f"raters names {unknown[0]!r}, who is not in the table; there are {listed(self.raters)}.")
        left = ~self.raters.isin(list(names))
        kept = self[left[self.rater]]
        return replace(kept, raters=self.raters[left], rater=np.cumsum(left)[kept.rater] - 1)

    def overview(self):
        """DataFrame with a row for each rater: answers, mean, spread, least, greatest, commonest, with_others.

        commonest is the share of the answer given most often; with_others the correlation, over items, of a rater's
        answers with the mean of all others' (without their biases): NaN of fewer than three, or of equal answers. It
        shows who gave few answers, uses another part of the scale, always says the same, or reversed the scale.
        """
        given = pd.Series(self.rating).groupby(self.raters[self.rater])
        found = given.agg(answers="size", mean="mean", spread=lambda one: one.std(ddof=0), least="min", greatest="max")
        found["commonest"] = given.agg(lambda one: one.value_counts(normalize=True).iloc[0])
        found = found.reindex(self.raters).rename_axis(self.raters.name)
        return found.assign(with_others=_with_others(self.Y.to_numpy()))


def others(Y):
    """((n, R) mean of the others' answers to an item, each less its rater's own mean; (n, R) how many these are)."""
    given = ~np.isnan(Y)
    apart = np.where(given, Y - np.nansum(Y, axis=0) / np.maximum(given.sum(axis=0), 1), 0.0)
    count = given.sum(axis=1, keepdims=True) - given
    return (apart.sum(axis=1, keepdims=True) - apart) / np.maximum(count, 1), count


def refuse_constant(table):
    """Raise ValueError if no rater gave two different marks, though some rated several items."""
    given = pd.Series(table.rating).groupby(table.rater)
    if (given.nunique() == 1).all() and pd.Series(table.item).groupby(table.rater).nunique().max() > 1:
        marks = ", ".join(f"{mark:g}" for mark in np.unique(table.rating)[:MAX_SHOWN])
        raise ValueError(
            f"table has {given.ngroups} raters, and each gave one and the same mark ({marks}) to all that they rated: "
            "nothing can be learned of differences between items."
        )


def turns(item, rater):
    """(m,) for each answer, how often its rater had rated its item before."""
    return pd.DataFrame({"of": item, "by": rater}).groupby(["of", "by"]).cumcount().to_numpy()


def with_repeats(item, rater, rating, shape):
    """(n, R, K) ratings (m,) of items by raters, shape (n, R), K the most there are; NaN where there are fewer."""
    turn = turns(item, rater)
    found = np.full((*shape, int(turn.max(initial=0)) + 1), np.nan)
    found[item, rater, turn] = rating
    return found


def _with_others(Y):
    """(R,) correlation of each column with the mean of all others, each column less its own mean."""
    mean, count = others(Y)
    both = ~np.isnan(Y) & (count > 0)
    return np.array([correlations(y[None, one], m[one])[0] for y, m, one in zip(Y.T, mean.T, both.T, strict=True)])


def correlations(marks, mean):
    """(s,) correlation of each row of (s, m) with mean (m,); NaN of rows or means that do not vary, or below three."""
    if len(mean) < 3 or np.ptp(mean) == 0:
        return np.full(len(marks), np.nan)
    vary, marks, mean = np.ptp(marks, axis=1) > 0, marks - marks.mean(axis=1, keepdims=True), mean - mean.mean()
    spread = np.sqrt((marks**2).sum(axis=1) * (mean**2).sum())
    return np.where(vary, marks @ mean / np.where(vary, spread, 1.0), np.nan)


def from_long(
    frame: pd.DataFrame,
    item: str | list[str],
    rater: str,
    rating: str,
    features: list[str] | pd.DataFrame | None = None,
    scale: tuple[float, float] | None = None,
    missing: object = None,
    repeats: str | None = None,
    also: list[str] | None = None,
) -> RatingTable:
    """A RatingTable from a data frame with a row for each answer.

    Parameters
    ----------
    frame : pandas DataFrame
    item, rater, rating : names of columns: what was rated, by whom, and how much. Of an item that is a combination a
        list of columns, such as ["system", "utterance"], whose names are joined by " · "
    features : None; names of columns that describe the item; or a DataFrame with a row for each item, by its name
    scale : None, or (low, high): the least and the greatest rating that can be given
    missing : None, or a value or values of `rating` that stand for no answer, such as −1; empty cells always do
    repeats : of several ratings of an item by a rater: None, an error; "mean"; "last"; or "all", which keeps each
    also : None, or names of columns that are kept with each answer, for a `Design`: a rater's group, the trial

    >>> import pandas as pd
    >>> from course_studies import from_long
    >>> rows = [("a", "Ann", 40), ("b", "Ann", 60), ("a", "Ben", 50), ("b", "Ben", 62)]
    >>> frame = pd.DataFrame(rows, columns=["clip", "listener", "mark"])
    >>> from_long(frame, item="clip", rater="listener", rating="mark", scale=(0, 100))
    RatingTable: 4 ratings 'mark' of 2 items 'clip' by 2 raters 'listener', 0 missing; no features
    """
    frame = data_frame(frame, "frame")
    names, parts = item_column(frame, item)
    who, marks = column(frame, rater, "rater"), column(frame, rating, "rating")
    taken = [*([item] if parts is None else parts.columns), rater, rating]
    if len(set(map(str, taken))) < len(taken):
        raise ValueError(f"item, rater and rating are {item!r}, {rater!r}, {rating!r}; different columns are needed.")
    also = kept_also(frame, also, (rater, rating))
    if repeats is not None:
        validation.one_of(repeats, ("mean", "last", "all"), "repeats")
    (items, of), (raters, by) = names_in(names), names_in(who)
    numbers = _ratings(marks, missing, scale)
    inputs = item_features(features, frame, item, of, items)
    if inputs is not None:
        of = inputs.index.get_indexer(items)[of]
    given = ~np.isnan(numbers)
    kept = items if inputs is None else inputs.index
    of, by, numbers, rows = _once(of[given], by[given], numbers[given], repeats, (kept, raters))
    if also is not None:
        if rows is None:
            raise ValueError(f"also names {listed(also.columns)}, which a mean of repeats has not: repeats='all'.")
        also = also[given].iloc[rows].reset_index(drop=True)
    parts = parts_of(kept, names, parts)
    return RatingTable(kept, raters, inputs, of, by, numbers, _scale(scale), str(rating), parts, also)


def _scale(scale):
    return None if scale is None else validation.ends(scale, "scale")


def _ratings(series, missing, scale):
    """(m,) floats, NaN where missing; raises for numbers off the scale or codes for "missing"."""
    numbers = numbers_in(series, missing)
    if scale is None:
        refuse_codes(series, numbers)
    else:
        refuse_off_scale(series, numbers, _scale(scale))
    return numbers


def _once(of, by, numbers, repeats, names):
    """(item, rater, rating, rows) without repeats, unless all are kept; rows None for means."""
    table = pd.DataFrame({"of": of, "by": by, "number": numbers})
    twice = table.duplicated(["of", "by"])
    if twice.any() and repeats is None:
        first = table[twice].iloc[0]
        count = int(((table["of"] == first["of"]) & (table["by"] == first["by"])).sum())
        who, what = plain(names[1][int(first["by"])]), plain(names[0][int(first["of"])])
        raise ValueError(
            f"column {names[1].name!r}: {who!r} rated {names[0].name!r} = {what!r} {count} times; in all, "
            f"{int(twice.sum())} ratings repeat an earlier one. repeats='mean' takes means, repeats='last' the last, "
            "repeats='all' keeps each. If they were different things, such as one system's utterances, say so: "
            "from_long(…, item=['system', 'utterance']), and RatingStudy compares systems over utterances; if they "
            "were different times, keep these: also=['session'], and RatingStudy(design=Design(session='session'))."
        )
    means = twice.any() and repeats == "mean"
    if means:
        table = table.groupby(["of", "by"], sort=False)["number"].mean().reset_index()
    elif twice.any() and repeats == "last":
        table = table[~table.duplicated(["of", "by"], keep="last")]
    return *(table[name].to_numpy() for name in table), None if means else table.index.to_numpy()


def from_wide(
    frame: pd.DataFrame,
    raters: list[str] | None = None,
    features: list[str] | pd.DataFrame | None = None,
    item: str | None = None,
    scale: tuple[float, float] | None = None,
    missing: object = None,
    rater: str | None = None,
    items: list[str] | None = None,
) -> RatingTable:
    """A RatingTable from a data frame with a row for each item and a column for each rater, or the other way round.

    Columns that are not named are refused if their names or numbers do not look like ratings.

    Parameters
    ----------
    frame : pandas DataFrame
    raters : names of the raters' columns; None: all that are neither `item` nor features
    features : None; names of columns that describe the item; or a DataFrame with a row for each item, by its name
    item : name of the column with the items' names; None: the index holds them
    scale, missing : as for `from_long`
    rater : name of the column that says who, where each row is a person, as survey tools write it
    items : with rater, names of the items' columns; None: all others

    >>> import pandas as pd
    >>> from course_studies import from_wide
    >>> from_wide(pd.DataFrame({"Ann": [40, 60], "Ben": [50, 62]}, index=["clip a", "clip b"]))
    RatingTable: 4 ratings 'rating' of 2 items 'item' by 2 raters 'rater', 0 missing; no features
    """
    frame = data_frame(frame, "frame")
    if (items if rater is None else raters if raters is not None else item) is not None:
        raise ValueError(
            f"raters is {raters!r}, item {item!r}, rater {rater!r} and items {items!r}; where rows are items, raters "
            "and item say what is what, and where they are people, rater and items."
        )
    if rater is not None:
        return _of_people(frame, rater, items, features, scale, missing)
    raters = None if raters is None else chosen_names(raters, "raters")
    names = frame.index if item is None else pd.Index(column(frame, item, "item"))
    where = "the index" if item is None else f"column {item!r}"
    described = [] if features is None or isinstance(features, type(frame)) else chosen_names(features, "features")
    if raters is None or len(raters) < 2:
        refuse_long(frame.drop(columns=[name for name in described if name in frame.columns]))
    refuse_people(names.name, "the index" if item is None else "item")
    if names.duplicated().any():
        raise ValueError(f"{where} names {plain(names[names.duplicated()][0])!r} twice; an item has one row.")
    chosen = rating_columns(frame, raters, "raters", {item, *described}, scale)
    by_item = frame if item is None else frame.set_index(item)
    items = pd.Index(by_item.index, name=by_item.index.name or "item")
    refuse_lookalikes(items, where, "make one row of both")
    refuse_lookalikes(chosen, "frame's columns", "make one column of both")
    wide = np.stack([_ratings(by_item[rater], missing, scale) for rater in chosen], axis=1)
    if described:
        features = pd.DataFrame({one: column(by_item, one, "features") for one in described})
    inputs = item_features(features, None, items.name, None, items)
    if inputs is not None:
        wide, items = wide[items.get_indexer(inputs.index)], inputs.index
    of, by = np.nonzero(~np.isnan(wide))
    return RatingTable(items, pd.Index(chosen, name="rater"), inputs, of, by, wide[of, by], _scale(scale), "rating")


def _of_people(frame, rater, items, features, scale, missing):
    """A RatingTable from a data frame with a row for each person and a column for each item."""
    who = column(frame, rater, "rater")
    if who.duplicated().any():
        raise ValueError(
            f"column {rater!r} names {plain(who[who.duplicated()].iloc[0])!r} twice; a person has one row. A table "
            "with a row for each answer is from_long's."
        )
    if not isinstance(features, (pd.DataFrame, type(None))):
        raise ValueError(f"features is {features!r}, but rows are people: a DataFrame with a row an item is needed.")
    names_in(who)  # which speaks of the column
    chosen = rating_columns(frame, None if items is None else chosen_names(items, "items"), "items", {rater}, scale)
    marks = np.concatenate([_ratings(frame[name], missing, scale) for name in chosen])
    of, by = np.repeat(np.array(chosen, dtype=object), len(frame)), np.tile(who.to_numpy(dtype=object), len(chosen))
    long = pd.DataFrame({"item": of, "rater": by, "rating": marks})
    table = from_long(long, "item", "rater", "rating", features, scale)
    return replace(table, raters=table.raters.rename(rater))
