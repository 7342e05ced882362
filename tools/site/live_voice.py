"""The reader's own word, recorded and compared by the page: what it needs beside the kernels.

Lecture: 01, section 6.
"""

import base64
import io

import matplotlib
import numpy as np
import soundfile

from course_lessons.dtw import explore, own, plots
from course_lib import audio
from course_lib import sequences as seq
from course_lib.sequences import warping_tables
from course_widgets import geometry, microphone, whispers
from tools.site import cepstra_kernel, frames, live_dtw

WINDOW, N_FFT, N_BANDS, N_MFCC = 200, 256, 26, 13  # of `audio.mfcc`, if nothing else is said, at this rate
FONT = matplotlib.rcParamsDefault["font.size"]
MOST_PARTS = 9  # of an axis: `matplotlib.ticker.MaxNLocator` leaves no more, and fewer where there is little room
RIGHTMOST = 40  # half pixels that a number may reach beyond the table
ALPHABETS = (0x20, 0x180), (0x386, 0x460), (0x2013, 0x2027)  # Latin, Greek and Cyrillic, and quotes
LETTERS = [letter for first, end in ALPHABETS for letter in map(chr, range(first, end)) if letter.isprintable()]


def data():
    """What the page needs to compare a word with all templates, and to say, show and play what it found."""
    python, known = explore.explore_my_word(), own.templates()
    names, sounds = ([getattr(one, what) for one in known.values()] for what in ("name", "samples"))
    ready = [{"name": name, "source": names.index(name)} for name in python.ready]
    *_, bands, cosines = map(packed, cepstra_kernel.tables(microphone.RATE, WINDOW, N_FFT, N_BANDS, N_MFCC))
    moves = warping_tables.WarpingTable("given", np.zeros((2, 2)), None, seq.SYMMETRIC2, None).single_steps
    return {
        "worker": "voice.js",
        **python.described(),
        **frames.coded([python.drawn(python.start, read)[1]]),
        "controls": frames.controls(python),
        "microphone": {**python.microphone, "words": microphone.WORDS, "ready": ready},
        "names": names,
        "voices": [voice for voice, _ in known],
        "sounds": "data:audio/flac;base64," + base64.b64encode(flac(np.concatenate(sounds))).decode(),
        "bounds": np.cumsum([0, *map(len, sounds)]).tolist(),
        "rate": microphone.RATE, "window": WINDOW, "n_fft": N_FFT, "hop": round(own.HOP_SECONDS * microphone.RATE),
        "bands": bands, "cosines": cosines,
        "grain": own.GRAIN_SECONDS, "reach": own.REACH_SECONDS,
        "moves": moves, "pattern": live_dtw.described(seq.SYMMETRIC2),
        "colors": live_dtw.colors(),
        "widths": frames.widths(LETTERS, FONT),
        "bar": {"high": plots.BAR_HEIGHT, "above": plots.ABOVE_BAR},
        "words": {
            "found": explore.WORD_SENTENCE, "frame": explore.FRAME_OF, "bar": plots.BAR_TEXT,
            "both": explore.BOTH, "both_heard": explore.BOTH_HEARD, "said": explore.SAID,
            "row": whispers.ROW.format("{players}"), "player": player(),
        },
    }  # fmt: skip


def flac(samples):
    """Samples of 16 bits as the bytes of a file, without any loss."""
    file = io.BytesIO()
    soundfile.write(file, samples, microphone.RATE, format="FLAC", subtype="PCM_16")
    return file.getvalue()


def packed(table):
    """A table as the kernels take it."""
    return {"data": table.ravel().tolist(), "shape": table.shape}


def player():
    """HTML of a player, with places for what it says and plays."""
    empty = audio.Player("{label}", "{heard}", microphone.RATE, 0, b"")._repr_html_()
    return empty.replace("0.00", "{seconds:.2f}").replace("data:audio/mpeg;base64,", "{source}")


# --- the picture


def read(figure):
    """(marks with their roles, one of each; boxes of both axes, where these marks are, and what fits beside them)."""
    marks, (left, right) = geometry.read(figure), figure.axes
    boxes = [box_of(figure, ax) for ax in figure.axes]
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
        "parts": {name: int(min(MOST_PARTS, axis.get_tick_space())) for name, axis in axes.items()},
    }


def box_of(figure, ax):
    """[left, top, width, height] of an axes, in half pixels from the upper left."""
    box = ax.get_window_extent()
    return [2 * float(number) for number in (box.x0, figure.bbox.height - box.y1, box.width, box.height)]


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
