"""Any two recordings, or curves of the reader's, aligned by the page: what it needs beside the kernels, and the same
explorer in Python.

Lecture: 01, section 4.
"""

from itertools import product

import matplotlib
import numpy as np

from course_lessons.dtw import explore, plots
from course_lib import datasets
from course_lib import sequences as seq
from course_lib.sequences import warping_tables
from course_widgets import geometry, style
from course_widgets.controls import choice, slider
from course_widgets.frame import Explorer
from tools.site import frames

WINDOW_TYPES = {
    "none": lambda radius, slope: None,
    "Sakoe–Chiba band": lambda radius, slope: seq.SakoeChiba(radius),
    "Itakura parallelogram": lambda radius, slope: seq.ItakuraParallelogram(slope),
}
YOURS = "a curve of yours"
CURVE_FRAMES, LEAST_VALUE, MOST_VALUE = (
    100,
    -3.0,
    3.0,
)  # of such a curve: a second, in units of a normalised coefficient
HINT = (
    "Draw it by mouse, finger or pen, or by the arrow keys (Shift: ten steps at once; Home, End: to the ends). "
    "A recording beside it is its first coefficient."
)
CURVE_ERRORS = (
    "The curve {name} is empty: draw it, or give it points.",
    "The curve {name} has one point. It needs two: draw on.",
)
FRONT_SENTENCE = "Moment by moment the curves differ by {apart:.1f} in all; along the lines, by {distance:.1f}."
WINDOW_WIDTHS = {"radius": ["window", 1], "slope": ["window", 2]}


def takes():
    """The recordings: {name: (words, number)}."""
    all_ = datasets.load_spoken_prompts().takes
    return {f"{words}, {k + 1}": (words, k) for words, same in all_.items() for k in range(len(same))}


def explorer(curves=()):
    """The explorer of any two recordings, in Python; with two curves, also of these, x and y."""
    found = takes()
    names = [*found, YOURS] if curves else list(found)

    def draw(figure, x, y, pattern, window, radius, slope):
        allowed = WINDOW_TYPES[window](radius, slope)
        if YOURS not in (x, y):
            return explore.draw_takes(figure, found[x], found[y], pattern, allowed)
        sides = [
            (YOURS, curve[:, None]) if name == YOURS else (found[name][0], explore.take_features(*found[name])[:, :1])
            for name, curve in zip((x, y), curves, strict=True)
        ]
        return of_curves(explore.draw_aligned(figure, *sides, pattern, allowed, "curves"))

    return Explorer(
        draw,
        figsize=(8.5, 3.6),
        x=choice("x", names),
        y=choice("y", names, names[1]),
        pattern=choice("step pattern", list(seq.STEP_PATTERNS), "symmetric2"),
        window=choice("window", list(WINDOW_TYPES)),
        radius=slider("half-width of the band", 0, 60, 20),
        slope=slider("largest slope", 1.0, 4.0, 2.0, 0.05),
    )


def of_curves(text):
    return text.replace("one of the recordings", "one of the curves")


def data():
    """What the page needs to align any two recordings."""
    stand_in = np.sin(np.arange(CURVE_FRAMES))  # the page draws the reader's
    python = explorer((stand_in, stand_in))
    names = python.controls["x"].values
    pairs = ({**python.start, "x": x, "y": y} for x, y in product(names, repeat=2))
    features = [explore.take_features(*take) for take in takes().values()]
    return {
        **shared(python, (python.drawn(pair, read)[1] for pair in pairs)),
        "controls": frames.controls(python, WINDOW_WIDTHS),
        "pads": [pad("x", "--blue", names.index(YOURS)), pad("y", "--orange", names.index(YOURS))],
        "recordings": [{"data": x.ravel().tolist(), "shape": x.shape} for x in features],
        "patterns": [described(pattern) for pattern in seq.STEP_PATTERNS.values()],
        "colors": colors(),
        "words": {
            "found": explore.DISTANCE_SENTENCE, "mean": explore.MEAN, "no_mean": explore.NO_MEAN,
            "cut": warping_tables.CUT_BY_WINDOW, "short": CURVE_ERRORS,
            "no_path": explore.NO_PATH.format(error=warping_tables.NO_PATH),
            "drawn": {"found": of_curves(explore.DISTANCE_SENTENCE)},
        },
    }  # fmt: skip


# --- two curves on the first page


def front_curves():
    """Two curves of one shape; the second comes later and takes longer."""
    time = np.linspace(0, 1, CURVE_FRAMES)
    beside = [(time - late) / wide for late, wide in ((0.3, 0.07), (0.5, 0.12))]
    return [np.round(2.2 * np.exp(-0.5 * t**2) - 1.4 * np.exp(-0.5 * (t - 2.2) ** 2), 2) for t in beside]


def front(curves):
    """The explorer of the first page in Python: two curves, and lines that join what belongs together."""

    def draw(figure):
        ax = figure.add_axes((0, 0, 1, 1))
        found = seq.dtw(*curves, seq.SYMMETRIC1)
        plots.draw_alignment(*curves, found.path, ax, explore.HOP_SECONDS, explore.LINKED).get_legend().remove()
        ax.set_axis_off()
        apart = np.abs(np.subtract(*curves)).sum()
        return FRONT_SENTENCE.format(apart=apart, distance=found.distance)

    return Explorer(draw, figsize=(6.4, 2.6))


def front_data():
    """What the first page needs to align two curves that are drawn on it."""
    curves = front_curves()
    python = front(curves)
    pads = [front_pad(*one) for one in zip("xy", ("--blue", "--orange"), curves, strict=True)]
    return {
        **shared(python, [python.drawn({}, read_front)[1]]),
        "controls": [],
        "fixed": {"x": 0, "y": 0, "pattern": 0, "window": 0},
        "pads": pads,
        "recordings": [],
        "patterns": [described(seq.SYMMETRIC1)],
        "words": {"found": FRONT_SENTENCE, "short": CURVE_ERRORS},
    }


def front_pad(side, color, curve):
    own = {"label": f"Draw curve {side}.", "hint": "", "reset": f"Restore {side}", "start": curve.tolist()}
    return pad(side, color, 0) | own


def read_front(figure):
    """(marks with their roles, where numbers lie in the picture)."""
    marks = geometry.read(figure)
    (box,) = {dict(mark.look)["clip"] for mark in marks}
    kept = [frames.kept(mark, curve_role(mark), ("points",)) for mark in marks]
    return kept, {"curves": curves_box(figure, figure.axes[0], box)}


# --- what both have


def shared(python, drawn):
    """What the page needs of an explorer in Python, of which these pictures are drawn."""
    return {
        "worker": "warping.js",
        **python.described(),
        **frames.coded(drawn),
        "linked": explore.LINKED,
        "hop": explore.HOP_SECONDS,
        "margin": matplotlib.rcParams["axes.ymargin"],
    }


def pad(side, color, place):
    """The field of a curve of the reader's, and all that it says."""
    return {
        "of": [side, place], "label": f"Your curve {side}.", "hint": HINT, "reset": f"Clear the curve {side}",
        "start": [],
        "place": "frame {frame} of {frames}: {value:.1f}", "none": "frame {frame} of {frames}: nothing drawn yet",
        "frames": CURVE_FRAMES, "least": LEAST_VALUE, "most": MOST_VALUE, "step": 0.1, "color": f"var({color})",
    }  # fmt: skip


def read(figure):
    """(marks with their roles, where numbers lie in the picture)."""
    marks = geometry.read(figure)
    left, right = figure.axes
    table, curves = dict.fromkeys(dict(mark.look)["clip"] for mark in marks if "clip" in dict(mark.look))
    roles = [role(mark, table, curves) for mark in marks]
    made = {"cells": ("text",)} | dict.fromkeys(("path", "links", "upper", "lower"), ("points",))
    kept = [frames.kept(mark, name, made.get(name, ())) for mark, name in zip(marks, roles, strict=True)]
    return kept, {"table": frames.scale(figure, left), "curves": curves_box(figure, right, curves)}


def curves_box(figure, ax, box):
    """[x of 0 s, width of a second, top, height] of where curves are drawn, in half pixels."""
    x, _, second, _ = frames.scale(figure, ax)
    _, top, _, high = (2 * float(number) for number in box.split())
    return [x, second, top, high]


def role(mark, table, curves):
    """What the page draws again, or only if there is a path ("right"); else None."""
    look = dict(mark.look)
    if look["kind"] == "image":
        return "cells"
    if look.get("clip") == table:
        return "path"
    if look.get("clip") == curves:
        return curve_role(mark)
    edge = 2 * sum(float(table.split()[k]) for k in (0, 2))
    return "right" if mark.points[:, 0].min() > edge else None


def curve_role(mark):
    return {"var(--blue)": "upper", "var(--orange)": "lower"}.get(dict(mark.look)["stroke"], "links")


def colors():
    """Red, green and blue, up to 255, of the scale in which tables are drawn."""
    return (255 * matplotlib.colormaps[style.HEAT](np.arange(256))[:, :3]).round().astype(int).tolist()


def described(pattern):
    """A step pattern as the kernels take it."""
    steps, lengths = warping_tables.steps_backwards(pattern)
    return {
        "name": pattern.name,
        "steps": {"data": steps.ravel().tolist(), "shape": steps.shape},
        "lengths": {"data": lengths.tolist(), "shape": lengths.shape},
        "normalizer": pattern.normalizer,
        "slopes": [str(slope) if np.isinf(slope) else slope for slope in pattern.slope_range],
    }
