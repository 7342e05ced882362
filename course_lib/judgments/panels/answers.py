"""Tables of answers: a row for each item, a column for each rater, NaN where a rater gave none.

Lecture: 08, sections 1 and 2; 09, section 7.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation

FEW_ROWS = 4  # rows: among so few equal ones are no sign of anything
EQUAL_ANSWERS = 1e-12  # of the largest answer: answers that are nearer to each other than that are equal
ROUNDED_OFF = 1e-6  # of the range of the answers: a difference that is rounding
FINEST_GRID = 1e-3  # of the range: a step that is smaller is no step of a scale

LARGEST_SLOPE = 10.0  # of one rater's answers in the others', or one over it, with which a search begins


class LongTableWarning(UserWarning):
    """One rater's answers to items most of which are equal: a long table seems to have come as a wide one."""


def warn_of_long_table(X, table):
    """A LongTableWarning if there is one rater, and X (n, D) has each of its rows twice or more on average."""
    different = len(np.unique(X, axis=0))
    if table.shape[1] == 1 and FEW_ROWS < len(X) >= 2 * different:
        validation.warn(
            f"Y holds one column, and only {different} of the {len(X)} rows of X differ: these are {len(X)} items, "
            "each with one answer by one and the same rater. If a row is an answer, and raters differ, make a wide "
            "table first, a row for each item and a column for each rater: table = from_long(frame, item=…, rater=…, "
            "rating=…, features=[…]); then fit(table.X, table.Y). If one person answered again and again, "
            "GPRegression is the model.",
            LongTableWarning,
        )


def answer_table(Y: ArrayLike, n: int, scale: tuple[float, float] | None = None, repeats: bool = False) -> NDArray:
    """Answers as an (n, R) table of floats, NaN where a rater gave none.

    Y : (n, R) answers, or (n,) for one rater;  n : number of items
    scale : None, or (low, high): the least and the greatest answer that can be given
    repeats : whether it may be (n, R, K), up to K answers of a rater to an item, which it then is in any case
    """
    table, n = validation.answers(Y, "Y"), validation.integer(n, "n")
    repeats = validation.flag(repeats, "repeats")
    table = table[:, None] if table.ndim == 1 else table
    table = table[:, :, None] if repeats and table.ndim == 2 else table
    if table.ndim != 2 + repeats or len(table) != n or not table.size:
        needed = "(n, R), or (n, R, K) with repeats" if repeats else "(n, R)"
        raise ValueError(
            f"Y has shape {np.shape(Y)} and X has {n} rows; one row of answers for each is needed: {needed}."
        )
    given = ~np.isnan(table)
    told = given.any(axis=2) if repeats else given
    for empty, name in ((~told.any(axis=1), "row"), (~told.any(axis=0), "column")):
        if empty.any():
            who = "nobody answered to this item: leave it out of X and Y" if name == "row" else "this rater gave none"
            raise ValueError(f"{name} {np.flatnonzero(empty)[0]} of Y holds no answer: {who}.")
    if scale is None:
        _refuse_sentinel(table[given])
    else:
        _refuse_outside(table, *validation.ends(scale, "scale"))
    if np.ptp(table[given]) == 0:
        raise ValueError(f"all answers in Y are {table[given][0]:g}; there is nothing to learn from equal answers.")
    return table


def _refuse_sentinel(given):
    if given.min() == -1 and (given == np.round(given)).all():
        raise ValueError(
            "Y holds whole numbers, and -1 is the only one below 0: does it stand for a missing answer? "
            "Then use NaN: np.where(Y < 0, np.nan, Y). If it is an answer, say so by scale=(-1, …)."
        )


def _refuse_outside(table, low, high):
    wrong = (table < low) | (table > high)
    if wrong.any():
        where = np.argwhere(wrong)[0].tolist()
        where = where[:2] if table.shape[2:] == (1,) else where
        raise ValueError(f"Y{where} is {table[wrong][0]:g}; the scale is from {low:g} to {high:g}.")


def grid_step(given):
    """The step of the scale on which answers (m,) lie, such as 1 of whole marks; 0 if they lie on none.

    All answers differ by whole multiples of it, and each value was given twice on average: numbers that were measured
    have no step.
    """
    values = np.unique(given)
    if len(given) < 2 * len(values):
        return 0.0
    step, nothing = 0.0, ROUNDED_OFF * np.ptp(values)
    for difference in np.diff(values):
        rest = difference
        while rest > nothing:  # Euclid's algorithm
            step, rest = rest, step % rest
            rest = 0.0 if step - rest < nothing else rest
    return step if step > FINEST_GRID * np.ptp(values) else 0.0


def rounding_std(given):
    """Standard deviation of what rounding to the grid of answers (m,) takes away, step/√12; 0 without a grid.

    Source: Sheppard (1898); Bennett (1948), "Spectra of quantized signals".
    """
    return grid_step(given) / np.sqrt(12.0)


def means_of_repeats(table):
    """(n, R) mean of the answers of each rater to each item, of a table (n, R, K); NaN where there is none."""
    count = (~np.isnan(table)).sum(axis=2)
    return np.where(count > 0, np.nansum(table, axis=2) / np.maximum(count, 1), np.nan)


def within_spread(table):
    """Pooled standard deviation of the answers to one item; if none differ, half of that of all answers."""
    table = table.reshape(len(table), -1)
    count = (~np.isnan(table)).sum(axis=1)
    apart = table - np.nanmean(table, axis=1, keepdims=True)
    freedom = (count - 1).sum()
    spread = np.sqrt(np.nansum(apart**2) / freedom) if freedom else 0.0
    return float(spread) if spread > EQUAL_ANSWERS * np.nanmax(np.abs(table)) else 0.5 * float(np.nanstd(table))


def rater_spreads(table, biased):
    """(R,) spread of each rater's answers round the others' mean, of a table (n, R, K); at least a tenth of all's.

    biased : whether raters' own means are taken off first
    """
    table = means_of_repeats(table)
    if biased:
        table = table - np.nanmean(table - np.nanmean(table, axis=1, keepdims=True), axis=0)
    typical = within_spread(table)
    others = np.nansum(table, axis=1, keepdims=True) - np.nan_to_num(table)
    count = (~np.isnan(table)).sum(axis=1, keepdims=True) - 1
    apart = np.where(count > 0, table - others / np.maximum(count, 1), np.nan)
    squares, answers = np.nansum(apart**2, axis=0), (~np.isnan(apart)).sum(axis=0)
    spread = np.maximum(np.sqrt(squares / np.maximum(answers, 1)), 0.1 * typical)
    return np.where(answers == 0, typical, spread)


def rater_slopes(table):
    """(R,) slope of each rater's answers in the mean of the others', of a table (n, R, K); from 1/10 to 10."""
    table = means_of_repeats(table)
    found = np.full(table.shape[1], 1.0 / LARGEST_SLOPE)
    for r in range(len(found)):
        mine, others = table[:, r], np.delete(table, r, axis=1)
        both = ~np.isnan(mine) & ~np.isnan(others).all(axis=1)
        if both.sum() > 2:
            covariance = np.cov(mine[both], np.nanmean(others[both], axis=1))
            slope = covariance[0, 1] / max(covariance[1, 1], np.finfo(float).tiny)
            found[r] = np.clip(slope, 1.0 / LARGEST_SLOPE, LARGEST_SLOPE)
    return found
