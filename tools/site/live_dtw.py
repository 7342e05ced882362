"""Any two recordings aligned by the page: what it needs beside the kernels, and the same explorer in Python.

Lecture: 01, section 4.
"""

from itertools import product

import matplotlib
import numpy as np

from course_lib import datasets
from course_lib import sequences as seq
from course_lib.explorers.frame import Explorer, choice, slider
from course_lib.lessons.dtw import explore
from course_lib.plots import style
from course_lib.sequences import warping
from tools.site import frames, geometry

WINDOWS = {
    "none": lambda radius, slope: None,
    "Sakoe–Chiba band": lambda radius, slope: seq.SakoeChiba(radius),
    "Itakura parallelogram": lambda radius, slope: seq.ItakuraParallelogram(slope),
}
WIDTHS = {"radius": ["window", 1], "slope": ["window", 2]}


def takes():
    """The recordings: {name: (words, number)}."""
    all_ = datasets.load_spoken_prompts().takes
    return {f"{words}, {k + 1}": (words, k) for words, same in all_.items() for k in range(len(same))}


def explorer():
    """The explorer of any two recordings, in Python."""
    found = takes()

    def draw(figure, x, y, pattern, window, radius, slope):
        return explore.draw_takes(figure, found[x], found[y], pattern, WINDOWS[window](radius, slope))

    return Explorer(
        draw,
        figsize=(8.5, 3.6),
        x=choice("x", list(found)),
        y=choice("y", list(found), list(found)[1]),
        pattern=choice("step pattern", list(seq.STEP_PATTERNS), "symmetric2"),
        window=choice("window", list(WINDOWS)),
        radius=slider("half-width of the band", 0, 60, 20),
        slope=slider("largest slope", 1.0, 4.0, 2.0, 0.05),
    )


def data():
    """What the page needs to align any two recordings."""
    python = explorer()
    pairs = ({**python.start, "x": x, "y": y} for x, y in product(takes(), repeat=2))
    features = [explore.take_features(*take) for take in takes().values()]
    return {
        "worker": "warping.js",
        "size": [float(x) for x in python.figure.get_size_inches() * 100],
        **frames.coded(python.drawn(pair, read)[1] for pair in pairs),
        "controls": frames.controls(python, WIDTHS),
        "buttons": [],
        "recordings": [{"data": x.ravel().tolist(), "shape": x.shape} for x in features],
        "patterns": [described(pattern) for pattern in seq.STEP_PATTERNS.values()],
        "colors": (255 * matplotlib.colormaps[style.HEAT](np.arange(256))[:, :3]).round().astype(int).tolist(),
        "linked": explore.LINKED,
        "hop": explore.HOP_SECONDS,
        "words": {
            "found": explore.FOUND, "mean": explore.MEAN, "no_mean": explore.NO_MEAN, "cut": warping.CUT,
            "no_path": explore.NO_PATH.format(error=warping.NO_PATH),
        },
    }  # fmt: skip


def read(figure):
    """(marks with their roles, where numbers lie in the picture)."""
    marks = geometry.read(figure)
    table = next(dict(mark.look)["clip"] for mark in marks if dict(mark.look)["kind"] == "image")
    edge = 2 * sum(float(table.split()[k]) for k in (0, 2))
    made = {"cells": ("text",), "path": ("points",), "links": ("points",)}
    roles = [role(mark, table, edge) for mark in marks]
    kept = [frames.kept(mark, name, made.get(name, ())) for mark, name in zip(marks, roles, strict=True)]
    left, right = figure.axes
    return kept, {"table": frames.scale(figure, left), "curves": frames.scale(figure, right)}


def role(mark, table, edge):
    """What the page draws anew ("cells", "path", "links"), or only if there is a path ("right"); else None."""
    look = dict(mark.look)
    if look["kind"] == "image":
        return "cells"
    if look.get("clip") == table:
        return "path"
    if look.get("d", "").count("M") > 1:
        return "links"
    return "right" if mark.points[:, 0].min() > edge else None


def described(pattern):
    """A step pattern as the kernels take it."""
    steps, lengths = warping._steps_backwards(pattern)
    return {
        "name": pattern.name,
        "steps": {"data": steps.ravel().tolist(), "shape": steps.shape},
        "lengths": {"data": lengths.tolist(), "shape": lengths.shape},
        "normalizer": pattern.normalizer,
        "slopes": [str(slope) if np.isinf(slope) else slope for slope in pattern.slope_range],
    }
