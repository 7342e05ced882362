"""A sound as something that a page can play. Lecture: 01, section 1; 12, section 5."""

import base64
import html
import io
from dataclasses import dataclass, field

import numpy as np
import soundfile
from numpy.typing import ArrayLike

from course_lib import validation
from course_lib.audio.signals import mono

MP3_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)
HIGHEST_RATE = 192_000
IN_WORDS = "What is heard, in words"


@dataclass(frozen=True)
class Player:
    """A sound that a notebook shows as a caption, a player, and the sound in words; made by `play`.

    label : which sound it is; caption and accessible name of the player
    heard : what is said or heard, for those who do not hear it
    rate : samples per second;  seconds : duration;  mp3 : the sound as MP3 bytes
    """

    label: str
    heard: str
    rate: int
    seconds: float
    mp3: bytes = field(repr=False)

    def __repr__(self):
        return f"Sound: {self.label} ({self.seconds:.2f} s at {self.rate} Hz)"

    def _repr_html_(self):
        label, heard = html.escape(self.label), html.escape(self.heard)
        source = "data:audio/mpeg;base64," + base64.b64encode(self.mp3).decode("ascii")
        return (
            f'<figure style="margin: 0.5em 0"><figcaption>{label} ({self.seconds:.2f} s)</figcaption>'
            f'<audio controls preload="metadata" aria-label="{label}" src="{source}"></audio>'
            f"<details><summary>{IN_WORDS}</summary>{heard}</details></figure>"
        )


def play(signal: ArrayLike, rate: float, label: str, heard: str) -> Player:
    """The signal as a player in the notebook, with a caption, and folded below it the sound in words.

    The sound is stored in the notebook as MP3 with a variable bit rate: every current browser plays it, and
    a minute of speech at 8 kHz takes about 0.3 MB. The volume is not changed.

    rate : samples per second, one of `MP3_RATES`
    label : which sound it is, for the caption and for screen readers
    heard : what is said, word for word, or what is heard: for those who do not hear it
    """
    samples = _in_range(signal)
    rate = validation.one_of(rate, MP3_RATES, "rate")
    validation.text(label, "label", "a text that says which sound it is")
    validation.text(heard, "heard", "what is said, or what is heard, in words")
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format="MP3", bitrate_mode="VARIABLE", compression_level=0.3)
    return Player(label, heard, rate, len(samples) / rate, buffer.getvalue())


def wav(signal: ArrayLike, rate: float) -> bytes:
    """The signal as bytes of a WAV file (one channel, 16 bits), which every browser decodes, at its own volume."""
    samples, rate = _in_range(signal), validation.integer(rate, "rate")
    if rate > HIGHEST_RATE:
        raise ValueError(f"rate is {rate}; at most {HIGHEST_RATE} samples per second can be played.")
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format="WAV", subtype="PCM_16")
    return buffer.getvalue()


def _in_range(signal):
    """(n,) samples that lie in −1 … 1."""
    samples = mono(signal, "signal")
    peak = np.abs(samples).max()
    if peak > 1:
        raise ValueError(f"signal reaches {peak:.3g}, but samples must lie in −1 … 1; divide by {peak:.3g}.")
    return samples
