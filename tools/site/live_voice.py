"""The reader's own word, recorded and compared by the page: what it needs beside the kernels.

Lecture: 01, section 6.
"""

from course_lessons.dtw import explore, own, plots
from course_lib import sequences as seq
from course_widgets import geometry
from tools.site import frames, live_dtw, live_speech

WINDOW, N_FFT, N_BANDS = 200, 256, 26  # of `audio.mfcc`, if nothing else is said, at this rate
RIGHTMOST = 40  # half pixels that a number may reach beyond the table


def data():
    """What the page needs to compare a word with all templates, and to say, show and play what it found."""
    python, known = explore.explore_my_word(), own.templates()
    sounds = {one.name: one.samples for one in known.values()}
    return {
        "worker": "voice.js",
        **live_speech.speech(python, read, sounds),
        **live_speech.cepstra(WINDOW, N_FFT, own.HOP_SECONDS, N_BANDS),
        "voices": [voice for voice, _ in known],
        "grain": own.GRAIN_SECONDS, "reach": own.REACH_SECONDS,
        "moves": live_speech.moves(), "pattern": live_dtw.described(seq.SYMMETRIC2),
        "colors": live_dtw.colors(),
        "bar": {"high": plots.BAR_HEIGHT, "above": plots.ABOVE_BAR},
        "words": {
            "found": explore.WORD_SENTENCE, "frame": explore.FRAME_OF, "bar": plots.BAR_TEXT,
            "both": explore.BOTH, "both_heard": explore.BOTH_HEARD, "said": explore.SAID,
            **live_speech.players(),
        },
    }  # fmt: skip


# --- the picture


def read(figure):
    """(marks with their roles, one of each; boxes of both axes, where these marks are, and what fits beside them)."""
    marks, (left, right) = geometry.read(figure), figure.axes
    boxes = [live_speech.box_of(figure, ax) for ax in figure.axes]
    roles = [role(mark, boxes[0]) for mark in marks]
    once = [k for k, name in enumerate(roles) if name in (None, "path") or roles.index(name) == k]
    axes = {"x": left.xaxis, "y": left.yaxis, "scale": right.xaxis}
    y_name, y_numbers = (
        min(mark.points[0, 0] for mark, one in zip(marks, roles, strict=True) if one == f"y {what}")
        for what in ("name", "numbers")
    )
    _, origin, _, unit = frames.scale(figure, right)
    made = {"cells": ("text",)}
    return [frames.kept(marks[k], roles[k], made.get(roles[k], ("text", "points"))) for k in once], {
        "boxes": boxes,
        "first": {roles[k]: marks[k].points.ravel().tolist() for k in once if roles[k]},
        "gap": int(y_numbers - y_name),
        "drop": float(marks[roles.index("bar names")].points[0, 1] - origin - unit * -plots.ABOVE_BAR),
        "parts": {name: live_speech.parts(axis) for name, axis in axes.items()},
    }


def role(mark, table):
    """What the page draws again; else None. `table` is the box of the table."""
    look, (x, y) = dict(mark.look), mark.points[0]
    beside, beneath = x > table[0] + table[2] + RIGHTMOST, y > table[1] + table[3] - 1
    if look["kind"] == "image":
        return "cells"
    if "clip" in look:
        return "bars" if "fill" in look else "path"
    axis = "scale" if beside else "x" if beneath else "y"
    if look["kind"] == "marks":
        return axis
    if look["kind"] == "text" and mark.text[0].isdigit():
        return f"{axis} numbers"
    if look["kind"] == "text":
        return f"{axis} name" if not beside else None if beneath else "bar names"
    return None
