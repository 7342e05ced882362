"""Warnings about tables: unconnected items, other scales, a rater with most of the weight, values beyond all marks.

Lecture: 14, section 2.
"""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from course_lib import validation
from course_lib.judgments.comparisons.floating import MAX_FLOATING_SEARCH, FloatingItemsWarning, hanging_together
from course_studies.columns import listed, plain
from course_studies.defaults import MOST_LABELS, whole_marks

LEAST_COMMON = 3  # items that two raters both rated, of whom it is said that they gave the same marks
EQUAL_SQUARES = 1e-9  # of the sum of squares: rounding
MOST_ON_AN_END = 0.5  # of the marks
MOST_WEIGHT = 0.5  # of one rater in the consensus
FEWEST_ANSWERS = 5  # answers of a rater of whom anything can be said
COARSER_REACH, HIGHER_MARKS = 4.0, 3.0  # times as far or high as a rater of another scale a typical one marks
LEAST_DIFFERENT = 3  # marks at least of a rater who uses another scale, and not one of its steps alone


class WeightWarning(UserWarning):
    """One rater, or some who gave the same marks, have more than half of the weight in the consensus."""


class EndsWarning(UserWarning):
    """Half of the marks or more lie on one end of a scale of few whole marks."""


class BeyondMarksWarning(UserWarning):
    """The consensus of an item lies beyond all marks that it was given."""


class AnotherScaleWarning(UserWarning):
    """Raters seem to have used another scale than the others, such as 0 to 10 for 0 to 100."""


def warn_of_weight(weight, table):
    """Warn if one rater, or some who gave the same marks, have most of the weight (K, R) in a region's consensus."""
    if weight.shape[1] < 3:
        return
    n_groups, group = connected_components(_same_marks(table.answers[:, :, 0]), directed=False)
    together = np.array([np.bincount(group, row, n_groups) for row in np.nan_to_num(weight)])
    region, most = np.unravel_index(together.argmax(), together.shape)
    who = table.raters[group == most]
    if together[region, most] > MOST_WEIGHT and len(who) < len(group):
        said = f"rater '{who[0]}' has" if len(who) == 1 else f"raters {listed(who)}, who gave the same marks, have"
        validation.warn(
            f"{said} {together[region, most]:.0%} of the weight in the consensus. Raters who use little of the "
            "scale, or always give one mark, are the easiest to predict: see the study's screen() and trust(); leave "
            "such raters out, or let the model learn gains (gain_std=0.2, gain_degrees=2).",
            WeightWarning,
        )


def _same_marks(Y):
    """(R, R) whether two raters gave the same marks (n, R) to all items that both rated, LEAST_COMMON at least."""
    given = ~np.isnan(Y)
    marks = np.where(given, Y, 0.0)
    both = (given.T.astype(float) @ given).astype(int)
    squares = (marks**2).T @ given
    apart = squares + squares.T - 2.0 * marks.T @ marks
    return (both >= LEAST_COMMON) & (apart <= EQUAL_SQUARES * (1.0 + squares))


def warn_of_ends(table):
    """Warn if many marks lie on one end of a scale of few whole numbers."""
    low, high = (table.rating.min(), table.rating.max()) if table.scale is None else table.scale
    if not whole_marks(table) or high - low >= MOST_LABELS:
        return
    end = max((low, high), key=lambda one: np.mean(table.rating == one))
    share = np.mean(table.rating == end)
    if share >= MOST_ON_AN_END and low < high:
        validation.warn(
            f"{share:.0%} of the marks are {end:g}, an end of the scale, where different items get the same mark. "
            "Contrasts here are of mean marks. RatingStudy(response='ordinal') treats marks as ordered labels, and "
            "its p_better and ranking are of the latent values; study.compare(table) shows which predicts better.",
            EndsWarning,
        )


def warn_of_beyond(consensus, least, greatest, allowed):
    """Warn if the consensus, a Series of items, lies below or above all marks of its item by more than allowed."""
    by = np.maximum(least - consensus, consensus - greatest).reindex(consensus.index)
    far = by[by > allowed].sort_values(ascending=False).index
    if len(far):
        worst = far[0]
        validation.warn(
            f"the consensus of {consensus.index.name or 'item'} {listed(far)} lies beyond all marks given to it: "
            f"{plain(worst)!r} has {consensus[worst]:.3g}, and marks from {least[worst]:g} to {greatest[worst]:g}. "
            "The model also uses the marks of other items, and how its raters marked those, which counts most where "
            "answers are few or hardly differ. Compare `plain_mean`.",
            BeyondMarksWarning,
        )


def on_another_scale(table):
    """{rater: their marks beside the others', in words} of those who seem to have used another scale.

    Their marks reach, from the low end on, a quarter of what a typical rater's do, or four times that; and they mark
    the same items a third as high, or three times as high, as the median rater.
    """
    Y = table.Y.to_numpy()
    low = table.rating.min() if table.scale is None else table.scale[0]
    usual = np.nanmedian(np.where(np.isnan(Y).all(axis=1, keepdims=True), 0.0, Y), axis=1)
    asked = [r for r in range(Y.shape[1]) if (~np.isnan(Y[:, r])).sum() >= FEWEST_ANSWERS]
    reach = {r: np.nanmax(Y[:, r]) - low for r in asked}
    typical, found = np.median(list(reach.values())) if reach else 0.0, {}
    for r in asked:
        mine = ~np.isnan(Y[:, r])
        mean, of_others = Y[mine, r].mean() - low, usual[mine].mean() - low
        less = COARSER_REACH * reach[r] <= typical and HIGHER_MARKS * mean <= of_others
        more = reach[r] >= COARSER_REACH * typical and mean >= HIGHER_MARKS * of_others
        if (less or more) and len(np.unique(Y[mine, r])) >= LEAST_DIFFERENT and len(asked) > 2:
            ends = (np.min(Y[mine, r]), np.max(Y[mine, r]), usual[mine].min(), usual[mine].max())
            found[r] = "marks from {:g} to {:g} for items whose median is {:g} to {:g}".format(*ends)
    return found


def warn_of_another_scale(table):
    """Warn of raters who seem to have used another scale, by name."""
    found = on_another_scale(table)
    if found:
        names, first = table.raters[list(found)], next(iter(found))
        validation.warn(
            f"{table.raters.name} {listed(names)} seem{'s' if len(found) == 1 else ''} to have used another scale: "
            f"{plain(names[0])!r} gave {found[first]}. No model corrects that: convert their marks to the "
            f"scale of the others, or leave them out, table.without([{listed(names)}]).",
            AnotherScaleWarning,
        )


def warn_of_floating(table, layout=None, kernel=None, X=None):
    """Warn of items that neither answers, also through third items, nor features connect with the rest.

    Items of pairs are connected if somebody compared them, items of ratings if somebody rated both. Where nobody rated
    two items, only people were compared, and there is no warning.

    layout : of a design, whose levels are compared;  kernel, X : of items with features, the model's and its inputs
    """
    names, level = (table.items, np.arange(len(table.items))) if layout is None else (layout.levels, layout.level)
    pairs = hasattr(table, "pairs")
    n, ends = len(names), level[table.pairs].T if pairs else (level[table.item], len(names) + table.rater)
    nodes = n if pairs else n + len(table.raters)
    links = coo_array((np.ones(len(table)), ends), shape=(nodes, nodes)).tocsr()
    if not pairs and (links[:n] > 0).sum(axis=0).max() < 2:
        return
    links = links + links.T if pairs else links[:n, n:] @ links[:n, n:].T
    seen = np.flatnonzero(links.sum(axis=1))
    links, names = links[seen][:, seen], names[seen]
    group = connected_components(links, directed=False)[1]
    tied = group.any() and table.features is not None and len(names) <= MAX_FLOATING_SEARCH
    group = hanging_together(links, kernel(X[seen]))[0] if tied else group
    if not group.any():
        return
    few = names[group == np.bincount(group).argmin()]
    many = f" (there are {group.max() + 1} such groups)" if group.max() > 1 else ""
    what = "compared with the others" if pairs else "rated by anybody who rated one of the others"
    so = "" if pairs else ", because raters differ too"
    validation.warn(
        f"{names.name or 'item'} {listed(few)}: never {what}, not even through other items{many}"
        f"{', and the features hardly relate them' if tied else ''}: the answers say little about how they "
        f"differ from those{so}.",
        FloatingItemsWarning,
    )
