"""Figures for a report, from the data frames of a study: each is one call that gives a figure with its description.

`forest`, `trust_map`, `deviation_map`, `coverage_curve`, `calibration_curve`, `ranking_groups` and `preference_map`
give a `Plate`: a notebook shows it, `plate.save("figure.pdf")` keeps it. `draw_…` draw the same on axes of one's own.
With `width="column"` or "page" they are as wide as those of a journal, with letters of the same size; `latex` is for
the tables.

Lecture: 11, section 3; 14, sections 2 and 6.
"""

import numpy as np
from matplotlib.transforms import ScaledTranslation

from course_lib import validation
from course_lib.plots.style import BLUE, GREY, HEAT, VERMILION, figure, image_tag, png, save, write_names

ROW = 0.27  # inches for a row with its name
SHADES = "PuOr"  # for numbers of both signs
TOLD = 3  # of many, how many a description names
WIDTHS = {"column": 3.5, "page": 7.16}  # inches, as of IEEE's journals
HEADS = {"p_better": "P(b better)", "p_best": "P(best)", "with_others": "r with others"}
SPECIAL = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"} | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"})
SIGNS = {"−": "-", "±": r"\pm", "×": r"\times", "σ": r"\sigma", "δ": r"\delta", "ν": r"\nu", "·": r"\cdot"}


class Plate:
    """A figure and what a reader who does not see it should know: `figure`, `alt`."""

    def __init__(self, drawing, alt):
        self.figure, self.alt = drawing, " ".join(alt.split())

    def __repr__(self):
        return f"Plate: {self.alt}"

    def _repr_html_(self):
        return image_tag(png(self.figure), self.alt)

    def save(self, path):
        """The figure in a .png, .svg or .pdf, with its description inside; returns the path."""
        return save(self.figure, path, self.alt)


def _columns(frame, needed, name, maker):
    """Nothing, if a table has these columns and a row."""
    missing = [one for one in needed if one not in getattr(frame, "columns", ())]
    if missing or not hasattr(frame, "columns") or not len(frame):
        what = f"has no column {missing[0]!r}" if hasattr(frame, "columns") and missing else "is no table with rows"
        raise ValueError(f"{name} {what}; a table with columns {', '.join(needed)} is needed, as {maker} gives it.")


def _several(names):
    """A few names for a description, and how many more there are."""
    names = [str(name) for name in names]
    rest = len(names) - TOLD
    return ", ".join(names[:TOLD]) + (f" and {rest} more" if rest > 0 else "")


def _wide(width, otherwise):
    """Inches: of a journal's column or page, or a number of them; None: as they are otherwise."""
    if width is None:
        return otherwise
    return WIDTHS[width] if isinstance(width, str) and width in WIDTHS else validation.positive(width, "width")


def latex(frame, caption, digits=2):
    """The text of a table for LaTeX (package booktabs) of any data frame of a study: names escaped, numbers rounded.

    Names of rows come first, unless they only count. Columns low and high are one, "interval". For other programs:
    `frame.round(2).to_csv("table.csv")`.

    frame : DataFrame with a row, at least;  caption : what stands above it;  digits : after the point
    """
    _columns(frame, (), "frame", "a study")
    digits, caption = validation.whole(digits, "digits", least=0), validation.text(caption, "caption")
    shown = frame if frame.index.dtype.kind in "iu" and frame.index.name is None else frame.reset_index()
    cells = {str(name): [_cell(value, digits) for value in shown[name]] for name in shown}
    kinds = {str(name): "r" if shown[name].dtype.kind in "iuf" else "l" for name in shown}
    if {"low", "high"} <= cells.keys():
        cells["low"] = [f"{low} to {high}" for low, high in zip(cells["low"], cells.pop("high"), strict=True)]
    names = HEADS | ({} if "high" in cells or "low" not in cells else {"low": "interval"})
    head = [_escaped(names.get(name, name.replace("_", " "))) for name in cells]
    rows = [" & ".join(row) + r" \\" for row in zip(*cells.values(), strict=True)]
    begin = [r"\begin{table}", r"\centering", rf"\caption{{{_escaped(caption)}}}"]
    begin.append(rf"\begin{{tabular}}{{{''.join(kinds[name] for name in cells)}}}")
    inside = [r"\toprule", " & ".join(head) + r" \\", r"\midrule", *rows, r"\bottomrule"]
    return "\n".join([*begin, *inside, r"\end{tabular}", r"\end{table}", ""])


def _cell(value, digits):
    """A value as LaTeX; numbers that are not whole with so many digits."""
    if isinstance(value, (float, np.floating)):
        return "--" if np.isnan(value) else f"${value:.{digits}f}$"
    return _escaped(str(value))


def _escaped(text):
    """A text in which LaTeX finds no command."""
    text = text.replace("\\", "\0").translate(SPECIAL).replace("\0", r"\textbackslash{}")
    for sign, command in SIGNS.items():
        text = text.replace(sign, f"${command}$")
    return text


# --- forest plots


def _value_of(frame):
    """The column that holds what is drawn."""
    known = ("difference", "worth", "consensus", "value")
    return next((one for one in known if one in getattr(frame, "columns", ())), "consensus")


def _forest_parts(frame):
    """(names, middle, low, high, zero) of contrasts, or of items with a value."""
    if "difference" in getattr(frame, "columns", ()):
        _columns(frame, ("a", "b", "difference", "low", "high"), "frame", "contrasts()")
        names = [f"{b} − {a}" for a, b in zip(frame["a"], frame["b"], strict=True)]
        return names, frame["difference"].to_numpy(), frame["low"].to_numpy(), frame["high"].to_numpy(), True
    value = _value_of(frame)
    _columns(frame, (value, "low", "high"), "frame", "contrasts(), consensus() or worth()")
    parts = (frame[one].to_numpy() for one in (value, "low", "high"))
    return [str(name) for name in frame.index], *parts, value == "worth"


def draw_forest(frame, ax, unit=""):
    """A row for each contrast, or for each item: a point, its interval, and for contrasts P(b is better) at the right.

    Rows whose interval does not hold 0 are filled, the others open.

    frame : DataFrame of `contrasts()`, `consensus()` or `worth()`
    """
    names, middle, low, high, zero = _forest_parts(frame)
    rows = np.arange(len(names))
    clear = (low > 0) | (high < 0) | (not zero)
    if zero:
        ax.axvline(0, color=GREY, linestyle=":", linewidth=1.2)
    ax.hlines(rows, low, high, color=np.where(clear, BLUE, GREY), linewidth=2)
    for chosen, face, edge in ((clear, BLUE, BLUE), (~clear, "white", GREY)):
        style = {"marker": "o", "linestyle": "", "markerfacecolor": face, "markeredgecolor": edge}
        ax.plot(middle[chosen], rows[chosen], **style)
    ax.set(ylim=(len(rows) - 0.5, -0.5), xlabel=unit or _value_of(frame))
    write_names(names, ax, "y")
    if "p_better" in frame:
        for row, p in zip(rows, frame["p_better"], strict=True):
            text = "> 0.99" if p > 0.99 else "< 0.01" if p < 0.01 else f"{p:.2f}"
            ax.annotate(text, (1.02, row), xycoords=("axes fraction", "data"), va="center", fontsize=9)
        ax.annotate(
            "P(> 0)", (1.02, 1.0), xycoords="axes fraction", xytext=(0, 4), textcoords="offset points", fontsize=9
        )
    return ax


def forest(frame, unit="", width=None):
    """Plate of `draw_forest`, high enough for its rows."""
    names, _, low, high, zero = _forest_parts(frame)
    drawing, ax = figure(size=(_wide(width, 7), 1.0 + ROW * len(names)))
    draw_forest(frame, ax, unit)
    what = "differences between two items" if "difference" in frame else "items"
    alt = f"Forest plot of {len(names)} {what}, each a point with its interval: {_several(names)}."
    if zero:
        away = [
            f"{name} ({'above' if at > 0 else 'below'})"
            for name, at, end in zip(names, low, high, strict=True)
            if at > 0 or end < 0
        ]
        alt += f" {len(away)} intervals do not hold 0{': ' + _several(away) if away else ''}."
    else:
        order = np.argsort(-frame.iloc[:, 0].to_numpy())
        alt += f" The highest is {names[order[0]]}, the lowest {names[order[-1]]}."
    return Plate(drawing, alt)


def draw_known_values(truth, mean, low, high, ax):
    """True values (n,) of made items in their order, each with what is known of it: mean and interval.

    Intervals that miss the truth are drawn in another colour, with a wider line.
    """
    order = np.argsort(truth)
    truth, mean, low, high = (part[order] for part in (truth, mean, low, high))
    rows, missed = np.arange(len(truth)), (truth < low) | (truth > high)
    for chosen, color, width, label in ((~missed, BLUE, 2, "90 % interval"), (missed, VERMILION, 4, "it misses")):
        ax.vlines(rows[chosen], low[chosen], high[chosen], color=color, linewidth=width, label=label)
    ax.plot(rows, mean, "o", color=BLUE, markersize=4)
    ax.plot(rows, truth, "_", color="black", markersize=14, label="truth")
    ax.set(xlabel="item, by its true value", ylabel="above the mean item", xticks=rows, xticklabels=rows + 1)
    ax.set(ylim=(-4, 4))
    ax.legend(fontsize=8, loc="upper left")
    return ax


# --- raters


def draw_trust_map(trust, ax):
    """Heat map of a study's `trust()`: raters' noises, a row a rater, a column a region, with numbers and intervals.

    A last part of each row says the bias. Returns the image.
    """
    _columns(trust, ("region", "noise", "low", "high", "bias"), "trust", "trust()")
    raters, regions = list(dict.fromkeys(trust.index)), sorted(set(trust["region"]))
    logs = np.full((len(raters), len(regions)), np.nan)
    texts = {}
    for rater, row in zip(trust.index, trust.itertuples(), strict=True):
        place = raters.index(rater), regions.index(row.region)
        logs[place] = np.log(row.noise)
        texts[place] = f"{row.noise:.2g}  ({row.low:.2g} – {row.high:.2g})"
    low, high = np.nanmin(logs), max(np.nanmax(logs), np.nanmin(logs) + 1e-9)
    image = ax.imshow(logs, cmap=HEAT, vmin=low, vmax=high, aspect="auto")
    write_names([f"region {k}" for k in regions] if len(regions) > 1 else ["noise (interval)"], ax, "x")
    write_names(raters, ax, "y")
    size = ax.get_yticklabels()[0].get_fontsize()
    for (i, j), text in texts.items():
        color = "black" if logs[i, j] > (low + high) / 2 else "white"
        ax.text(j, i, text, ha="center", va="center", color=color, fontsize=min(9, size))
    bias = trust["bias"].groupby(level=0).first()
    if (bias != 0).any():
        for i, rater in enumerate(raters):
            ax.annotate(
                f"{bias[rater]:+.2g}", (1.02, i), xycoords=("axes fraction", "data"), va="center", fontsize=size
            )
        ax.annotate(
            "bias", (1.02, 1.0), xycoords="axes fraction", xytext=(0, 4), textcoords="offset points", fontsize=9
        )
    return image


def trust_map(trust, width=None):
    """Plate of `draw_trust_map`, high enough for the raters."""
    _columns(trust, ("region", "noise", "low", "high", "bias"), "trust", "trust()")
    raters, regions = len(set(trust.index)), len(set(trust["region"]))
    drawing, ax = figure(size=(_wide(width, 2.5 + 1.7 * regions), 1.0 + ROW * raters))
    draw_trust_map(trust, ax)
    order = trust.sort_values("noise")
    alt = (
        f"Heat map of the noise of {raters} raters{f' in {regions} regions' if regions > 1 else ''}, with intervals. "
        f"The surest is {order.index[0]} ({order['noise'].iloc[0]:.2g}), the noisiest {order.index[-1]} "
        f"({order['noise'].iloc[-1]:.2g})."
    )
    return Plate(drawing, alt)


def draw_deviation_map(deviations, ax):
    """Heat map of a study's `deviations()`: each rater (row), each item (column) above the consensus; white: none.

    Returns the image, for a colour bar.
    """
    numbers = validation.real_numbers(deviations, "deviations")
    if numbers.ndim != 2 or not np.isfinite(numbers).any():
        raise ValueError(f"deviations has shape {numbers.shape} and no number; a table of raters and items is needed.")
    top = np.nanmax(np.abs(numbers)) or 1.0
    image = ax.imshow(numbers, cmap=SHADES, vmin=-top, vmax=top, aspect="auto")
    write_names(deviations.columns, ax, "x")
    write_names(deviations.index, ax, "y")
    return image


def deviation_map(deviations, unit="above the consensus", width=None):
    """Plate of `draw_deviation_map` with a colour bar, large enough for its names."""
    rows, columns = np.shape(deviations)
    drawing, ax = figure(size=(_wide(width, 2.5 + ROW * columns), 1.6 + ROW * rows))
    image = draw_deviation_map(deviations, ax)
    drawing.colorbar(image, ax=ax, label=unit)
    flat = deviations.stack()
    who, what = flat.abs().idxmax()
    alt = (
        f"Heat map of what {rows} raters gave {columns} items above the consensus. The greatest deviation is that of "
        f"{who} on {what}, {flat.loc[(who, what)]:+.2g}."
    )
    return Plate(drawing, alt)


# --- how well it holds


def _draw_against(x, frame, ax, labels):
    """Shares with their intervals against what was claimed, and the line where both are equal."""
    ax.plot([0, 1], [0, 1], color=GREY, linestyle=":", linewidth=1.2, label="as claimed")
    ax.vlines(frame[x], frame["low"], frame["high"], color=BLUE, linewidth=2)
    ax.plot(frame[x], frame["share"], color=BLUE, marker="o", linestyle="-", linewidth=1, label="found, 90 %")
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel=labels[0], ylabel=labels[1], aspect="equal")
    ax.legend(loc="upper left", fontsize=9, frameon=False)
    return ax


def draw_coverage(coverage, ax):
    """Share of ratings inside the intervals, against what these claim, with a 90 % interval: `coverage(table)`."""
    _columns(coverage, ("level", "share", "low", "high", "answers"), "coverage", "coverage(table)")
    return _draw_against("level", coverage, ax, ("the interval is to hold", "ratings inside (share)"))


def draw_calibration(calibration, ax):
    """Share of answers for the second item, against its probability, with a 90 % interval: `calibration(table)`."""
    _columns(calibration, ("predicted", "share", "low", "high", "answers"), "calibration", "calibration(table)")
    return _draw_against(
        "predicted", calibration, ax, ("P(the second is preferred)", "answers for the second (share)")
    )


def coverage_curve(coverage, width=None):
    """Plate of `draw_coverage`."""
    drawing, ax = figure(size=(_wide(width, 4.2),) * 2)
    draw_coverage(coverage, ax)
    row = coverage.iloc[(coverage["level"] - 0.9).abs().argmin()]
    outside = int(((coverage["level"] < coverage["low"]) | (coverage["level"] > coverage["high"])).sum())
    alt = (
        f"Coverage of intervals, from {int(coverage['answers'].max())} ratings: those that are to hold "
        f"{row['level']:.0%} hold {row['share']:.0%}. {_outside(outside, len(coverage))}"
    )
    return Plate(drawing, alt)


def calibration_curve(calibration, width=None):
    """Plate of `draw_calibration`."""
    drawing, ax = figure(size=(_wide(width, 4.2),) * 2)
    draw_calibration(calibration, ax)
    # rounded, so that another processor counts the same
    predicted, low, high = (calibration[name].round(3) for name in ("predicted", "low", "high"))
    outside = (predicted < low) | (predicted > high)
    apart = np.average((calibration["share"] - calibration["predicted"]).abs(), weights=calibration["answers"])
    alt = (
        f"Calibration curve of {int(calibration['answers'].sum())} answers in {len(calibration)} bins: shares lie "
        f"{apart:.2f} from the probabilities on average. {_outside(int(outside.sum()), len(calibration))}"
    )
    return Plate(drawing, alt)


def _outside(count, of):
    """A sentence on how many points lie off the line."""
    lie = "lies" if count == 1 else "lie"
    return f"{count or 'None'} of {of} points {lie} off the line of equality by more than chance."


# --- ranking and map


def draw_ranking(ranking, ax):
    """A study's `ranking()`: mean ranks with intervals, the best on top; items on one bar cannot be told apart."""
    _columns(ranking, ("rank", "low", "high", "p_best", "group"), "ranking", "ranking()")
    rows, n = np.arange(len(ranking)), len(ranking)
    ax.hlines(rows, ranking["low"], ranking["high"], color=BLUE, linewidth=2)
    ax.plot(ranking["rank"], rows, color=BLUE, marker="o", linestyle="")
    every = max(1, round(n / 8))
    ax.set(xlabel="rank (1 is the best)", xlim=(0.5, n + 0.5), ylim=(n - 0.5, -0.5))
    ax.set_xticks(sorted({1, *range(every, n + 1, every)}))
    write_names(ranking.index, ax, "y")
    groups = [_letters(text) for text in ranking["group"]]
    for k, letter in enumerate(sorted({one for group in groups for one in group}, key=lambda one: (len(one), one))):
        members = np.array([letter in group for group in groups])
        beside = ScaledTranslation(
            (12 + 13 * k) / 72, 0, ax.figure.dpi_scale_trans
        )  # in inches: no drawing is too narrow
        place = {"transform": ax.get_yaxis_transform() + beside, "clip_on": False, "color": VERMILION}
        ax.plot([1, 1], [rows[members][0] - 0.3, rows[members][-1] + 0.3], linestyle="-", linewidth=1, **place)
        ax.plot(np.ones(members.sum()), rows[members], linestyle="", marker="s", markersize=4, **place)
        over = {"xytext": (12 + 13 * k, 4), "textcoords": "offset points", "ha": "center", "fontsize": 8}
        ax.annotate(letter, (1.0, 1.0), xycoords="axes fraction", **over)
    return ax


def _letters(text):
    """The letters, each with its number if it has one, of a group's text."""
    found = []
    for one in text:
        if one.isdigit():
            found[-1] += one
        else:
            found.append(one)
    return found


def ranking_groups(ranking, width=None):
    """Plate of `draw_ranking`, high enough for the items."""
    _columns(ranking, ("rank", "low", "high", "p_best", "group"), "ranking", "ranking()")
    groups = {one for text in ranking["group"] for one in _letters(text)}
    drawing, ax = figure(size=(_wide(width, 6 + 0.2 * len(groups)), 1.0 + ROW * len(ranking)))
    draw_ranking(ranking, ax)
    first = ranking.iloc[0]
    shared = [bool({*_letters(text)} & {*_letters(first["group"])}) for text in ranking["group"]]
    like = list(ranking.index[shared])
    alt = (
        f"Ranking of {len(ranking)} items with intervals. First is {ranking.index[0]} (best of all with probability "
        f"{first['p_best']:.2f}); it "
        + (f"cannot be told apart from {_several(like[1:])}" if len(like) > 1 else "is told apart from all others")
        + f"; last is {ranking.index[-1]}."
    )
    return Plate(drawing, alt)


def draw_preference_map(grid, ax, items=None):
    """A study's `map(x, y)`, a value over two features, as a picture with lines of equal height.

    Returns the image, for a colour bar.

    items : None, or a DataFrame with the same two columns: points with the names of its rows
    """
    _columns(grid, ("value", "std"), "grid", "map(x, y)")
    x, y = grid.columns[:2]
    table = grid.pivot(index=y, columns=x, values="value")
    if table.isna().to_numpy().any() or min(table.shape) < 2:
        raise ValueError(f"grid has {len(grid)} rows, which make no grid of {x!r} and {y!r}; map(x, y) gives one.")
    across, up = table.columns.to_numpy(dtype=float), table.index.to_numpy(dtype=float)
    image = ax.pcolormesh(across, up, table.to_numpy(), cmap=HEAT, shading="gouraud", rasterized=True)
    lines = ax.contour(across, up, table.to_numpy(), colors="white", linewidths=1, linestyles="-")
    ax.clabel(lines, fontsize=8)
    ax.set(xlabel=str(x), ylabel=str(y))
    if items is not None:
        _columns(items, (x, y), "items", "the table of features")
        ax.plot(items[x], items[y], color="white", markeredgecolor="black", marker="o", linestyle="", clip_on=False)
        _name_points(items[x].to_numpy(), items[y].to_numpy(), items.index, ax)
    return image


def _name_points(x, y, names, ax):
    """Names beside points, on the side and at the height where they cover no other name so far."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    box, inches = ax.get_position(), ax.figure.get_size_inches()
    points = np.column_stack([(x - left) / (right - left), (y - low) / (high - low)])
    points = points * 72 * inches * [box.width, box.height]
    taken = [(px - 4, py - 4, px + 4, py + 4) for px, py in points]
    for (px, py), at, name in zip(points, zip(x, y, strict=True), names, strict=True):
        wide = 5.0 * len(str(name))
        spots = [(dx, dy) for dy in (-4, 6, -14, 16, -24) for dx in (6, -6 - wide)]
        free = [
            s
            for s in spots
            if not any(_cross((px + s[0], py + s[1], px + s[0] + wide, py + s[1] + 9), t) for t in taken)
        ]
        dx, dy = (free or spots)[0]
        taken.append((px + dx, py + dy, px + dx + wide, py + dy + 9))
        style = {"textcoords": "offset points", "fontsize": 8, "color": "black"}
        back = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.7}
        ax.annotate(str(name), at, xytext=(dx, dy), bbox=back, **style)


def _cross(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def preference_map(grid, items=None, unit="value", width=None):
    """Plate of `draw_preference_map` with a colour bar, and beside it how certain each value is."""
    _columns(grid, ("value", "std"), "grid", "map(x, y)")
    drawing, axes = figure(1, 2, size=(_wide(width, 9), 3.8))
    drawing.colorbar(draw_preference_map(grid, axes[0], items), ax=axes[0], label=unit)
    sure = grid.assign(value=grid["std"])
    drawing.colorbar(draw_preference_map(sure, axes[1]), ax=axes[1], label=f"standard deviation of the {unit}")
    x, y = grid.columns[:2]
    best, least = grid.loc[grid["value"].idxmax()], grid.loc[grid["value"].idxmin()]
    alt = (
        f"Two maps over {x} and {y}: the {unit}, and how surely it is known. It is highest, {best['value']:.3g}, at "
        f"{x} {best[x]:.3g} and {y} {best[y]:.3g}, and lowest, {least['value']:.3g}, at {least[x]:.3g} and "
        f"{least[y]:.3g}."
    )
    return Plate(drawing, alt)
