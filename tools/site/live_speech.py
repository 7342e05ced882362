"""What pages need that hear their reader, whatever they make of the recording.

speech(explorer, read, sounds)     its picture, controls and microphone, and the known sounds
cepstra(window, n_fft, …)          tables of `audio.mfcc`
"""

import base64
import io

import matplotlib
import numpy as np
import soundfile

from course_lib import audio
from course_lib import sequences as seq
from course_lib.sequences import warping_tables
from course_widgets import microphone, whispers
from tools.site import cepstra_kernel, frames

N_MFCC = 13
FONT = matplotlib.rcParamsDefault["font.size"]
MOST_PARTS = 9  # of an axis: `matplotlib.ticker.MaxNLocator` leaves no more, and fewer where there is little room
ALPHABETS = (0x20, 0x180), (0x386, 0x460), (0x2013, 0x2027)  # Latin, Greek and Cyrillic, and quotes
LETTERS = [letter for first, end in ALPHABETS for letter in map(chr, range(first, end)) if letter.isprintable()]


def speech(explorer, read, sounds):
    """What a page needs of an explorer with a microphone; sounds : {name: samples}, the ready ones among them."""
    names, samples = list(sounds), list(sounds.values())
    ready = [{"name": name, "source": names.index(name)} for name in explorer.ready]
    return {
        **explorer.described(),
        **frames.coded([explorer.drawn(explorer.start, read)[1]]),
        "controls": frames.controls(explorer),
        "microphone": {**explorer.microphone, "words": microphone.WORDS, "ready": ready},
        "names": names,
        "sounds": "data:audio/flac;base64," + base64.b64encode(flac(np.concatenate(samples))).decode(),
        "bounds": np.cumsum([0, *map(len, samples)]).tolist(),
        "rate": microphone.RATE,
        "widths": frames.widths(LETTERS, FONT),
    }


def cepstra(window, n_fft, hop_seconds, n_bands):
    """The tables and numbers of `audio.mfcc` at the rate of a microphone."""
    *_, bands, cosines = map(packed, cepstra_kernel.tables(microphone.RATE, window, n_fft, n_bands, N_MFCC))
    hop = round(hop_seconds * microphone.RATE)
    return {"window": window, "n_fft": n_fft, "hop": hop, "bands": bands, "cosines": cosines}


def flac(samples):
    """Samples of 16 bits as the bytes of a file, without any loss."""
    file = io.BytesIO()
    soundfile.write(file, samples, microphone.RATE, format="FLAC", subtype="PCM_16")
    return file.getvalue()


def packed(table):
    """A table as the kernels take it."""
    return {"data": table.ravel().tolist(), "shape": table.shape}


def moves():
    """The steps of `SYMMETRIC2` as the kernels take them."""
    return warping_tables.WarpingTable("given", np.zeros((2, 2)), None, seq.SYMMETRIC2, None).single_steps


def players():
    """HTML of a player and of a row of players, with places for what a player says and plays."""
    empty = audio.Player("{label}", "{heard}", microphone.RATE, 0, b"")._repr_html_()
    empty = empty.replace("0.00", "{seconds:.2f}").replace("data:audio/mpeg;base64,", "{source}")
    return {"row": whispers.ROW.format("{players}"), "player": empty}


def box_of(figure, ax):
    """[left, top, width, height] of an axes, in half pixels from the upper left."""
    box = ax.get_window_extent()
    return [2 * float(number) for number in (box.x0, figure.bbox.height - box.y1, box.width, box.height)]


def parts(axis):
    """How many parts an axis has at most."""
    return int(min(MOST_PARTS, axis.get_tick_space()))
