"""Figures for a report, from the data frames of a study: each is one call that gives a figure with its description.

`forest` and `ranking_groups` give a `Plate`: a notebook shows it, `plate.save("figure.pdf")` saves it, and
`plate.figure` is matplotlib's. With `width="column"` or "page" it has a journal's width and font size.

Lecture: 11, section 3; 14, section 2.
"""

import re

import numpy as np
from matplotlib.transforms import ScaledTranslation

from course_lib import validation
from course_widgets.style import BLUE, GREY, VERMILION, Picture, figure, save, show, write_names

ROW_HEIGHT = 0.27  # inches for a row with its name
MOST_NAMED = 3  # of many, how many a description names
JOURNAL_WIDTHS = {"column": 3.5, "page": 7.16}  # inches, as of IEEE's journals


class Plate(Picture):
    """A figure and what a reader who does not see it should know: `figure`, `alt`."""

    def __init__(self, drawing, alt):
        self.figure, self.alt = drawing, " ".join(alt.split())

    def _repr_html_(self):
        return show(self.figure, self.alt)._repr_html_()

    def save(self, path):
        """The figure in a .png, .svg or .pdf, with its description inside; returns the path."""
        return save(self.figure, path, self.alt)


def _columns(frame, needed, name, maker):
    """Raise ValueError unless a table has these columns and a row."""
    missing = [one for one in needed if one not in getattr(frame, "columns", ())]
    if missing or not hasattr(frame, "columns") or not len(frame):
        what = f"has no column {missing[0]!r}" if hasattr(frame, "columns") and missing else "is no table with rows"
        raise ValueError(f"{name} {what}; a table with columns {', '.join(needed)} is needed, as {maker} gives it.")


def _several(names):
    """A few names for a description, and how many more there are."""
    names = [str(name) for name in names]
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _inches(width, default):
    """Width in inches: of a journal's column or page, or a number; None: the default."""
    if width is None:
        return default
    return (
        JOURNAL_WIDTHS[width]
        if isinstance(width, str) and width in JOURNAL_WIDTHS
        else validation.positive(width, "width")
    )


# --- forest plots


def _forest_parts(frame):
    """(name of the value, names, middle, low, high) of contrasts, or of items with a value."""
    columns = getattr(frame, "columns", ())
    if "difference" in columns:
        _columns(frame, ("a", "b", "difference", "low", "high"), "frame", "contrasts()")
        value, names = "difference", [f"{b} − {a}" for a, b in zip(frame["a"], frame["b"], strict=True)]
    else:
        value = next((one for one in ("worth", "consensus", "value") if one in columns), "consensus")
        _columns(frame, (value, "low", "high"), "frame", "contrasts(), consensus() or worth()")
        names = [str(name) for name in frame.index]
    return value, names, *(frame[one].to_numpy() for one in (value, "low", "high"))


def forest(frame, unit="", width=None):
    """Plate of a row for each contrast, or for each item: a point, its interval, and for contrasts P(b is better).

    Of contrasts and worths, rows whose interval does not hold 0 are filled, the others open.

    frame : DataFrame of `contrasts()`, `consensus()` or `worth()`;  width : "column", "page", or inches
    """
    value, names, middle, low, high = _forest_parts(frame)
    rows, zero = np.arange(len(names)), value in ("difference", "worth")
    drawing, ax = figure(size=(_inches(width, 7), 1.0 + ROW_HEIGHT * len(names)))
    clear = (low > 0) | (high < 0) | (not zero)
    if zero:
        ax.axvline(0, color=GREY, linestyle=":", linewidth=1.2)
    ax.hlines(rows, low, high, color=np.where(clear, BLUE, GREY), linewidth=2)
    for chosen, face, edge in ((clear, BLUE, BLUE), (~clear, "white", GREY)):
        style = {"marker": "o", "linestyle": "", "markerfacecolor": face, "markeredgecolor": edge}
        ax.plot(middle[chosen], rows[chosen], **style)
    ax.set(ylim=(len(rows) - 0.5, -0.5), xlabel=unit or value)
    write_names(names, ax, "y")
    if "p_better" in frame:
        for row, p in zip(rows, frame["p_better"], strict=True):
            text = "> 0.99" if p > 0.99 else "< 0.01" if p < 0.01 else f"{p:.2f}"
            ax.annotate(text, (1.02, row), xycoords=("axes fraction", "data"), va="center", fontsize=9)
        above = {"xytext": (0, 4), "textcoords": "offset points"}
        ax.annotate("P(> 0)", (1.02, 1.0), xycoords="axes fraction", fontsize=9, **above)
    return Plate(drawing, _forest_in_words(value, names, middle, low, high))


def _forest_in_words(value, names, middle, low, high):
    """What a forest plot shows, for those who do not see it."""
    what = "differences between two items" if value == "difference" else "items"
    alt = f"Forest plot of {len(names)} {what}, each a point with its interval: {_several(names)}."
    if value in ("difference", "worth"):
        sides = zip(names, low > 0, high < 0, strict=True)
        away = [f"{name} ({'above' if above else 'below'})" for name, above, below in sides if above or below]
        return f"{alt} {len(away)} intervals do not hold 0{': ' + _several(away) if away else ''}."
    return f"{alt} The highest is {names[middle.argmax()]}, the lowest {names[middle.argmin()]}."


# --- ranking


def ranking_groups(ranking, width=None):
    """Plate of `ranking()`: mean ranks with intervals, the best on top; items on one bar cannot be told apart."""
    _columns(ranking, ("rank", "low", "high", "p_best", "group"), "ranking", "ranking()")
    rows, n = np.arange(len(ranking)), len(ranking)
    groups = [re.findall(r"\D\d*", text) for text in ranking["group"]]  # letters, each with its number if it has one
    letters = sorted({one for group in groups for one in group}, key=lambda one: (len(one), one))
    drawing, ax = figure(size=(_inches(width, 6 + 0.2 * len(letters)), 1.0 + ROW_HEIGHT * n))
    ax.hlines(rows, ranking["low"], ranking["high"], color=BLUE, linewidth=2)
    ax.plot(ranking["rank"], rows, color=BLUE, marker="o", linestyle="")
    every = max(1, round(n / 8))
    ax.set(xlabel="rank (1 is the best)", xlim=(0.5, n + 0.5), ylim=(n - 0.5, -0.5))
    ax.set_xticks(sorted({1, *range(every, n + 1, every)}))
    write_names(ranking.index, ax, "y")
    for k, letter in enumerate(letters):
        _draw_group(letter, rows[[letter in group for group in groups]], 12 + 13 * k, ax)
    like = list(ranking.index[[bool({*group} & {*groups[0]}) for group in groups]])[1:]
    alt = (
        f"Ranking of {n} items with intervals. First is {ranking.index[0]} (best of all with probability "
        f"{ranking['p_best'].iloc[0]:.2f}); it "
        + (f"cannot be told apart from {_several(like)}" if like else "is told apart from all others")
        + f"; last is {ranking.index[-1]}."
    )
    return Plate(drawing, alt)


def _draw_group(letter, members, points, ax):
    """A bar beside the axes, this many points away, with a square in the row of each member, and its letter above."""
    beside = ScaledTranslation(points / 72, 0, ax.figure.dpi_scale_trans)  # in inches: no drawing is too narrow
    place = {"transform": ax.get_yaxis_transform() + beside, "clip_on": False, "color": VERMILION}
    ax.plot([1, 1], [members[0] - 0.3, members[-1] + 0.3], linestyle="-", linewidth=1, **place)
    ax.plot(np.ones(len(members)), members, linestyle="", marker="s", markersize=4, **place)
    over = {"xytext": (points, 4), "textcoords": "offset points", "ha": "center", "fontsize": 8}
    ax.annotate(letter, (1.0, 1.0), xycoords="axes fraction", **over)
