"""The trellis of weather and mood, computed by the page: what it needs beside the kernels, and the same in Python.

Lecture: 04, sections 2 and 4.
"""

from itertools import product

from course_lessons.hmm import explore
from course_lessons.hmm.weather import WEATHER
from course_lib.sequences import DiscreteHMM
from course_widgets import geometry
from course_widgets.controls import choice, slider
from course_widgets.frame import Explorer
from tools.site import frames

STATE_NAMES, SYMBOL_LETTERS, N_DAYS = ("Fair", "Cloudy", "Rainy"), "HU", 4
CELL_FONT = 9  # points of a number in a cell, as `draw_numbers` writes it
NUMBER_LETTERS = "0123456789.e-"
STEP_COLOR = "#b0b0b0"  # of `plots.draw_steps`, which draws them first


def explorer():
    """The explorer in Python."""

    def draw(figure, observed, recursion, filled, **happy):
        moods = [(p, 1 - p) for p in happy.values()]
        model = DiscreteHMM.from_parameters(WEATHER["startprob"], WEATHER["transmat"], moods)
        return explore.draw_trellis(figure, model, STATE_NAMES, SYMBOL_LETTERS, observed, recursion, filled)

    usual = (happy for happy, _ in WEATHER["emissionprob"])
    return Explorer(
        draw,
        figsize=(6.6, 3.0),
        observed=choice("observations", ["".join(o) for o in product(SYMBOL_LETTERS, repeat=N_DAYS)], "HHUH"),
        recursion=choice("recursion", explore.RECURSIONS),
        filled=slider("cells filled", 0, len(STATE_NAMES) * N_DAYS, 0),
        **{s.lower(): slider(f"P(happy | {s})", 0.0, 1.0, p, 0.05) for s, p in zip(STATE_NAMES, usual, strict=True)},
    )


def data():
    """What the page needs to fill the trellis."""
    python = explorer()
    full = {**python.start, "recursion": "Viterbi", "filled": len(STATE_NAMES) * N_DAYS}
    boxes = python.drawn({**python.start, "filled": len(STATE_NAMES) + 1}, boxed)[1]
    pictures = (python.drawn({**full, "observed": o}, read)[1] for o in python.controls["observed"].values)
    return {
        "worker": "trellis.js",
        **python.described(),
        **frames.coded((over_steps(boxes, marks), about) for marks, about in pictures),
        "controls": frames.controls(python),
        "actions": ["Next cell", "Next day"],
        "steps": [{"of": "filled", "by": by} for by in (1, len(STATE_NAMES))],
        "model": {"start": WEATHER["startprob"], "steps": WEATHER["transmat"]},
        "states": STATE_NAMES,
        "symbols": SYMBOL_LETTERS,
        "recursions": explore.RECURSIONS,
        "rounding": explore.TRELLIS_DECIMALS,
        "widths": frames.widths(NUMBER_LETTERS, CELL_FONT),
        "words": explore.TRELLIS_SENTENCES,
    }


def boxed(figure):
    """The marks around a cell and around those that it is computed from, one of each."""
    found = {dict(mark.look).get("stroke"): mark for mark in geometry.read(figure)}
    return [
        frames.kept(found[f"var(--{color})"], role)
        for color, role in (("orange", "sources"), ("vermilion", "current"))
    ]


def read(figure):
    """(marks with their roles, where numbers lie) of a full trellis, of whose numbers one is kept."""
    marks, small = geometry.read(figure), f"{CELL_FONT * figure.dpi / 72:.4g}"
    table = frames.scale(figure, figure.axes[0])
    numbers = [mark for mark in marks if dict(mark.look).get("font-size") == small]
    roles = {id(mark): "path" for mark in marks if "stroke-opacity" in dict(mark.look)} | {id(numbers[0]): "values"}
    others = {id(mark) for mark in numbers[1:]}
    kept = [frames.kept(mark, roles.get(id(mark))) for mark in marks if id(mark) not in others]
    return kept, {"table": table, "baseline": float(numbers[0].points[0, 1] - table[1])}


def over_steps(boxes, marks):
    """The marks of a trellis with boxes above its steps, as they are painted in Python."""
    steps = sum(dict(look).get("stroke") == STEP_COLOR for look, *_ in marks)
    return [*marks[:steps], *boxes, *marks[steps:]]
