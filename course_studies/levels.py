"""How high raters mark: what each marks above the consensus, whose level that is, and who used another scale.

Lecture: 14, section 2.
"""

import numpy as np

from course_lib import validation
from course_studies.columns import listed, plain

FEWEST = 5  # answers of a rater of whom anything can be said
COARSER = 4.0  # times as far as a rater's marks reach those of a typical one, or the other way round, on another scale
HIGHER = 3.0  # times as high as a rater marks items a typical one does, then
DIFFERENT = 3  # marks at least of a rater who uses another scale, and not one of its steps alone


class AnotherScaleWarning(UserWarning):
    """Raters seem to have used another scale than the others, such as 0 to 10 for 0 to 100."""


def on_another_scale(table):
    """{number of a rater: in words, what they marked and what others did} of those who seem to use another scale.

    Their marks reach, from the low end on, a quarter of what a typical rater's do, or four times that; and they mark
    the same items a third as high, or three times as high, as the median rater.
    """
    Y = table.Y.to_numpy()
    low = table.rating.min() if table.scale is None else table.scale[0]
    usual = np.nanmedian(np.where(np.isnan(Y).all(axis=1, keepdims=True), 0.0, Y), axis=1)
    asked = [r for r in range(Y.shape[1]) if (~np.isnan(Y[:, r])).sum() >= FEWEST]
    reach = {r: np.nanmax(Y[:, r]) - low for r in asked}
    typical, found = np.median(list(reach.values())) if reach else 0.0, {}
    for r in asked:
        mine = ~np.isnan(Y[:, r])
        mean, of_others = Y[mine, r].mean() - low, usual[mine].mean() - low
        less = COARSER * reach[r] <= typical and HIGHER * mean <= of_others
        more = reach[r] >= COARSER * typical and mean >= HIGHER * of_others
        if (less or more) and len(np.unique(Y[mine, r])) >= DIFFERENT and len(asked) > 2:
            ends = (np.min(Y[mine, r]), np.max(Y[mine, r]), usual[mine].min(), usual[mine].max())
            found[r] = "marks from {:g} to {:g} for items whose median is {:g} to {:g}".format(*ends)
    return found


def warn_of_another_scale(table):
    """Say who seems to have used another scale, by name."""
    found = on_another_scale(table)
    if found:
        names, first = table.raters[list(found)], next(iter(found))
        validation.warn(
            f"{table.raters.name} {listed(names)} seem{'s' if len(found) == 1 else ''} to have used another scale: "
            f"{plain(names[0])!r} gave {found[first]}. No model of raters makes up for that: bring their marks to the "
            f"scale of the others, or leave them out, table.without([{listed(names)}]).",
            AnotherScaleWarning,
        )


def marked_above(model, X, table, consensus):
    """(R,) what each rater is expected to mark above the consensus (n,), on average over the items that they rated."""
    rated = (~np.isnan(table.Y.to_numpy())).T
    expected = [model.predict_answer(X[mine], rater=r)[0] for r, mine in enumerate(rated)]
    return np.array([(marks - consensus[mine]).mean() for marks, mine in zip(expected, rated, strict=True)])


def levelled(mean, cov, table):
    """(mean, cov) of the values of a table's items, and of others behind them, on the level of its raters' marks.

    Where biases stand inside gains, the level is that of the prior of biases, far from all marks if one rater hardly
    uses the scale. Differences between values are the model's; their mean is what raters, drawn anew, give on average.
    """
    n = len(table.items)
    above = (table.Y - mean[:n, None]).mean().to_numpy()
    apart = np.eye(len(mean))
    apart[:, :n] -= 1.0 / n
    R = len(above)
    variance = above.var(ddof=1) / R * (R - 1) / max(R - 3, 1) if R > 1 else 0.0  # of Student's t
    return mean + above.mean(), apart @ cov @ apart.T + variance
