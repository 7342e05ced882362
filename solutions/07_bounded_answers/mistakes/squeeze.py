"""Task 3, squeezed(y, low, high)."""

import numpy as np


def to_unit(y, low, high):
    return (y - low) / (high - low)


def counted(y):
    """Number of marks that were given."""
    return int((~np.isnan(y)).sum())


def squeezing(
    unit=to_unit,
    count=counted,
    squeeze=lambda share, n: (share * (n - 1) + 0.5) / n,
    slope=lambda n, low, high: (n - 1) / (n * (high - low)),
):
    """An answer made of its parts: share of the scale, number of marks, squeeze, slope."""

    def answer(y, low, high):
        n = count(y)
        return squeeze(unit(y, low, high), n), slope(n, low, high)

    return answer


right_answer = squeezing()


def changed(marks=lambda u: u, slope=lambda s: s):
    """The right answer with something done to its marks or to its slope."""

    def answer(*given):
        u, s = right_answer(*given)
        return marks(u), slope(s)

    return answer


def bounds_only(share, n):
    """Moves the marks on the bounds and leaves the others alone."""
    return np.where(share == 0, 0.5 / n, np.where(share == 1, 1 - 0.5 / n, share))


def clipped(y, low, high):
    return np.clip(to_unit(y, low, high), 1e-6, 1 - 1e-6), 1 / (high - low)


def by_the_data(y, low, high):
    return (y - np.nanmin(y)) / (np.nanmax(y) - np.nanmin(y))


def per_column(y, low, high):
    n = (~np.isnan(y)).sum(axis=0)
    return (to_unit(y, low, high) * (n - 1) + 0.5) / n, float(np.mean((n - 1) / (n * (high - low))))


def filled(value):
    """Puts a number where a mark is missing, and counts it."""

    def answer(y, low, high):
        share = np.where(np.isnan(y), value, to_unit(y, low, high))
        return (share * (y.size - 1) + 0.5) / y.size, (y.size - 1) / (y.size * (high - low))

    return answer


def in_place(y, low, high):
    n = counted(y)
    y -= low
    y *= (n - 1) / (n * (high - low))
    y += 0.5 / n
    return y, (n - 1) / (n * (high - low))


def nothing_if_something_is_missing(y, low, high):
    """np.sum lets one NaN spoil everything."""
    n = np.sum(y / y)
    return (to_unit(y, low, high) * (n - 1) + 0.5) / n, (n - 1) / (n * (high - low))


KEPT = "Where would the reader of your table look for the second mark of the first person?"

MISTAKES = {
    "counts the gaps": squeezing(count=np.size),
    "counts the rows": squeezing(count=len),
    "counts each column": per_column,
    "counts the gaps only": squeezing(count=lambda y: max(1, int(np.isnan(y).sum()))),
    "counts different marks": squeezing(count=lambda y: len(np.unique(y[~np.isnan(y)]))),
    "a gap becomes 0": changed(lambda u: np.nan_to_num(u)),
    "a gap becomes ½": filled(0.5),
    "a gap becomes 0 before": filled(0.0),
    "not rescaled": squeezing(unit=lambda y, low, high: y),
    "over high": squeezing(unit=lambda y, low, high: y / high),
    "low not subtracted": squeezing(unit=lambda y, low, high: y / (high - low)),
    "by the data's own range": squeezing(unit=by_the_data),
    "upside down": squeezing(unit=lambda *given: 1 - to_unit(*given)),
    "no half": squeezing(squeeze=lambda share, n: share * (n - 1) / n),
    "one for a half": squeezing(squeeze=lambda share, n: (share * (n - 1) + 1) / n),
    "half not divided": squeezing(squeeze=lambda share, n: share * (n - 1) / n + 0.5),
    "n for n − 1": squeezing(squeeze=lambda share, n: (share * n + 0.5) / n),
    "n + 1": squeezing(
        squeeze=lambda share, n: (share * n + 0.5) / (n + 1),
        slope=lambda n, low, high: n / ((n + 1) * (high - low)),
    ),
    "bounds only": squeezing(squeeze=bounds_only),
    "clipped": clipped,
    "back on the scale": lambda y, low, high: (
        low + (high - low) * right_answer(y, low, high)[0],
        right_answer(y, low, high)[1],
    ),
    "slope of the scale alone": squeezing(slope=lambda n, low, high: 1 / (high - low)),
    "slope of the squeeze alone": squeezing(slope=lambda n, low, high: (n - 1) / n),
    "slope turned over": changed(slope=lambda s: 1 / s),
    "slope times the length": squeezing(slope=lambda n, low, high: (n - 1) / n * (high - low)),
    "log of the slope": changed(slope=np.log),
}

RULE_MISTAKES = {
    "one gap spoils all": (nothing_if_something_is_missing, "What is NaN + 1?"),
    "leaves gaps out": (changed(lambda u: u[~np.isnan(u)]), KEPT),
    "in a row": (changed(np.ravel), "is needed"),
    "slope of each mark": (
        lambda y, low, high: (right_answer(y, low, high)[0], np.full(y.shape, right_answer(y, low, high)[1])),
        "Which of its entries is the answer?",
    ),
    "changes its input": (in_place, "Work on a copy"),
    "exchanged": (lambda *given: right_answer(*given)[::-1], "is needed"),
    "no slope": (lambda *given: right_answer(*given)[0], "2 values"),
}


def one_by_one(y, low, high):
    marks = [mark for mark in np.ravel(y) if mark == mark]
    n, length = len(marks), high - low
    moved = [((mark - low) / length * (n - 1) + 0.5) / n for mark in np.ravel(y)]
    return np.reshape(moved, np.shape(y)), (n - 1) / n / length


def towards_the_middle(y, low, high):
    """A pull towards ½ with the weight 1/n."""
    n = np.isfinite(y).sum()
    share = np.clip(to_unit(y, low, high), 0, 1)
    return share + (0.5 - share) / n, (1 - 1 / n) / (high - low)


def a_line(y, low, high):
    """The straight line through the two bounds."""
    n = np.count_nonzero(~np.isnan(y))
    line = np.polynomial.Polynomial([0.5 / n, (n - 1) / n], domain=[low, high], window=[0, 1])
    return line(y), line.deriv()(low)


def masked(y, low, high):
    given = np.ma.masked_invalid(y)
    n = given.count()
    return (((given - low) / (high - low) * (n - 1) + 0.5) / n).filled(np.nan), (1 - 1 / n) / (high - low)


RIGHT = {
    "the formula": right_answer,
    "one by one": one_by_one,
    "towards the middle": towards_the_middle,
    "a line": a_line,
    "masked": masked,
}
