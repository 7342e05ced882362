"""A sound as an array: load it, trim silence, and check signal arguments.

Lecture: 00; 01, sections 1 and 8.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import soundfile
from numpy.typing import ArrayLike, NDArray

from course_lib import validation

LOUDEST = 1e100  # sanity limit: the power summed over an hour does not overflow


class Signal(NamedTuple):
    """samples (n,) float64 in −1 … 1 and rate in samples per second; `samples, rate = signal` unpacks it."""

    samples: np.ndarray
    rate: int

    def __repr__(self):
        return f"Signal: {len(self.samples) / self.rate:.2f} s at {self.rate} Hz, {len(self.samples)} samples"


def load(path: str | Path) -> Signal:
    """Signal(samples (n,) float64 in −1 … 1, rate) from a sound file with one channel (WAV, FLAC, MP3, Ogg …)."""
    path = validation.path(path, "path")
    with open(path, "rb") as file:
        try:
            samples, rate = soundfile.read(file, dtype="float64")
        except soundfile.LibsndfileError as error:
            raise ValueError(f"{path} cannot be read as sound ({error.error_string})") from None
    return Signal(mono(samples, str(path)), rate)


def trim(signal: ArrayLike, rate: float, threshold_db: float = 35.0, margin_seconds: float = 0.02) -> NDArray:
    """The signal without silence at its ends. A signal of zeros is returned unchanged.

    A frame of 10 ms counts as silence if its power is more than `threshold_db` below the loudest frame.

    threshold_db : dB below the loudest frame;  margin_seconds : length of silence kept on either side
    """
    samples = mono(signal, "signal")
    rate = validation.integer(rate, "rate")
    threshold = 10 ** (-validation.positive(threshold_db, "threshold_db") / 10)
    margin = whole_samples(margin_seconds, rate, "margin_seconds")
    frame = max(1, rate // 100)
    padded = np.pad(samples, (0, -len(samples) % frame))
    power = (padded.reshape(-1, frame) ** 2).mean(axis=1)
    heard = np.flatnonzero(power >= threshold * power.max())
    return samples[max(0, heard[0] * frame - margin) : (heard[-1] + 1) * frame + margin]


def mono(signal, name):
    """(n,) float64 samples, or a ValueError that says what is wrong with the signal."""
    samples = validation.real_array(signal, name)
    if samples.ndim == 2 and min(samples.shape) <= 8:
        raise ValueError(
            f"{name} has shape {samples.shape}, as sound with several channels; one channel (n,) is needed. "
            f"Take the mean over axis {int(np.argmin(samples.shape))} first."
        )
    if samples.ndim != 1:
        raise ValueError(f"{name} has shape {samples.shape}; one channel of samples (n,) is needed.")
    if np.abs(samples).max() > LOUDEST:
        raise ValueError(
            f"{name} reaches {np.abs(samples).max():.3g}, which is too large to be squared; samples are in −1 … 1, "
            "or are integers as in a recording."
        )
    return samples


def whole_samples(seconds, rate, name):
    """Number of samples in this time, at most 2⁶²."""
    return round(min(validation.positive(seconds, name) * rate, 2.0**62))
