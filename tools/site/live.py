"""Explorers that a page computes itself, by the kernels that the lecture derives: what it needs beside the kernels.

place(name)         HTML of where one stands, after the explorer that is recorded; "" where there is none
write(folder)       the data of each, with all words that its page says
"""

import inspect
import json
import zlib
from itertools import product

import matplotlib
import numpy as np

from course_lib import datasets
from course_lib import sequences as seq
from course_lib.explorers.frame import Explorer, choice, slider
from course_lib.lessons.dtw import explore
from course_lib.plots import style
from course_lib.sequences import warping
from tools.site import geometry, recording, wasm

TITLE = "Any two recordings, any step pattern, any window"
SAID = (
    "The kernels you study are the kernels in the page: here nothing is recorded. The distances, the table and the "
    "path are computed where you read this, by the compiled functions of <code>course_lib.sequences</code>."
)
SOURCE = "The kernel that fills the table"
FAILED = "Nothing can be computed here. A newer browser may help, or run the lecture."
WINDOWS = {
    "none": lambda radius, slope: None,
    "Sakoe–Chiba band": lambda radius, slope: seq.SakoeChiba(radius),
    "Itakura parallelogram": lambda radius, slope: seq.ItakuraParallelogram(slope),
}
WIDTHS = {"radius": 1, "slope": 2}  # the window that a slider is of, counted in WINDOWS


def place(name, listing):
    """HTML of what stands after an explorer; `listing` makes HTML of code."""
    if name != "explore_dtw" or wasm.current() is None:
        return ""
    from course_lib.sequences import _warping_kernels as kernels

    source = listing(inspect.getsource(kernels.accumulate.py_func))
    return (
        f'<details class="live" data-live="live/dtw.bin" data-failed="{FAILED}"><summary>{TITLE}</summary>'
        f'<p class="said">{SAID}</p><div class="explorer"></div>'
        f'<details class="code"><summary>{SOURCE}</summary>{source}</details></details>'
    )


def write(folder):
    """Writes the data of explorers into a folder, if there are kernels for them."""
    if wasm.current() is None:
        return
    folder.mkdir()
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = json.dumps(alignment(), ensure_ascii=False, separators=(",", ":")).encode()
    (folder / "dtw.bin").write_bytes(packer.compress(text) + packer.flush())


def takes():
    """The recordings: {name: (words, number)}."""
    all_ = datasets.load_spoken_prompts().takes
    return {f"{words}, {k + 1}": (words, k) for words, same in all_.items() for k in range(len(same))}


def aligned():
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


def alignment():
    """What the page needs to align any two recordings."""
    explorer, known, frames = aligned(), {}, []
    for x, y in product(takes(), repeat=2):
        marks, maps = explorer.drawn({**explorer.start, "x": x, "y": y}, read)[1]
        frames.append({"marks": [known.setdefault(mark, len(known)) for mark in marks], **maps})
    features = [explore.take_features(*take) for take in takes().values()]
    return {
        "worker": "warping.js",
        "size": [float(x) for x in explorer.figure.get_size_inches() * 100],
        "marks": [{"look": dict(look), "text": a, "points": b, "role": c} for look, a, b, c in known],
        "frames": frames,
        "controls": controls(explorer),
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
    """(marks with their roles, where numbers lie in the picture) of a figure of `aligned`."""
    marks = geometry.read(figure)
    table = next(dict(mark.look)["clip"] for mark in marks if dict(mark.look)["kind"] == "image")
    edge = 2 * sum(float(table.split()[k]) for k in (0, 2))
    left, right = figure.axes
    maps = {"table": scale(figure, left), "curves": scale(figure, right)}
    return [frozen(mark, role(mark, table, edge)) for mark in marks], maps


def frozen(mark, role):
    """A mark as a key; what the page makes anew is left out of it."""
    points = () if role in ("path", "links") else tuple(mark.points.ravel().tolist())
    return mark.look, "" if role == "cells" else mark.text, points, role


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


def scale(figure, ax):
    """[x of 0, y of 0, width of 1, height of 1] of an axes, in half pixels from the upper left."""
    (x0, y0), (x1, y1) = ax.transData.transform([(0, 0), (1, 1)])
    return [2 * x0, 2 * (figure.bbox.height - y0), 2 * (x1 - x0), 2 * (y0 - y1)]


def controls(explorer):
    """The controls of the page; a slider that is of one window is at rest with the others."""
    found = []
    for one in recording.controls(explorer, {}):
        start = one.values.index(explorer.start[one.name])
        said = {"name": one.name, "label": one.label, "kind": one.kind, "shown": one.shown, "start": start}
        width = {"values": one.values, "of": ["window", WIDTHS[one.name]]} if one.name in WIDTHS else {}
        found.append({**said, **width})
    return found


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
