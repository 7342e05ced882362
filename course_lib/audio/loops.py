"""Looped music at any setting of the equaliser. Lecture: 12, section 5."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.audio.equalizer import equalize
from course_lib.audio.levels import CEILING_DB, TARGET_LUFS, limit, match_loudness
from course_lib.audio.playing import wav
from course_lib.audio.signals import Signal, mono, whole_samples

FADE_SECONDS = 0.05


def join(signal: ArrayLike, rate: float, fade_seconds: float = FADE_SECONDS) -> NDArray:
    """The signal as a loop (n − m,), cross-faded from its end to its beginning, so that it repeats without a click.

    The last m samples are removed and mixed with the first m: w_t x_t + (1 − w_t) x_{n−m+t} with the weights
    w_t = (1 − cos(π t / m)) / 2. The loop ends with sample n − m − 1 and begins with sample n − m, so that the step at
    the joint occurs in the signal itself. The weights sum to one: the mix is never louder than the louder part.

    signal : (n,) samples; for music complete bars, followed by `fade_seconds` of the next bar
    fade_seconds : length of the fade, rounded to m samples, at most n / 2
    """
    samples, rate = mono(signal, "signal"), validation.integer(rate, "rate")
    m = whole_samples(fade_seconds, rate, "fade_seconds")
    if 2 * m > len(samples):
        raise ValueError(
            f"fade_seconds is {fade_seconds}, which is {m} samples at {rate} Hz; at most half of the signal's "
            f"{len(samples)} is needed."
        )
    kept, end = np.split(samples, [len(samples) - m])
    weights = (1 - np.cos(np.pi * np.arange(m) / max(m, 1))) / 2
    return np.concatenate([weights * kept[:m] + (1 - weights) * end, kept[m:]])


class EqualizedLoop:
    """Looped music at any setting of the equaliser, always with the same loudness.

    The music is joined (`join`), equalised as a loop (`equalize`), scaled to the target loudness (`match_loudness`)
    and limited to −1 dB (`limit`). Raised bands need no extra headroom, because the overall level is lowered
    accordingly and the target is far below the ceiling. The latest sounds are cached, so that returning to a setting
    takes no time.

    signal : (n,) samples of music, at least 0.4 s after the join;  rate : above 18000
    fade_seconds : length of the fade at the joint;  keep : number of settings to cache
    target_lufs : loudness of every setting, except where the limiter acts; quiet by default

    loop : (m,) samples, joined but otherwise unchanged;  rate;  target_lufs
    """

    def __init__(
        self,
        signal: ArrayLike,
        rate: float,
        fade_seconds: float = FADE_SECONDS,
        target_lufs: float = TARGET_LUFS,
        keep: int = 32,
    ):
        self.loop = join(signal, rate, fade_seconds)
        self.rate, self.target_lufs = rate, target_lufs
        self._kept = lru_cache(validation.integer(keep, "keep"))(self._make)
        match_loudness(equalize(self.loop, rate, np.zeros(5), looped=True), rate, target_lufs)

    def __repr__(self):
        return f"EqualizedLoop: {len(self.loop) / self.rate:.2f} s at {self.rate} Hz, {self.target_lufs:g} LUFS"

    def signal(self, gains_db: ArrayLike) -> Signal:
        """Signal of the loop at this setting, (5,) dB; its samples are read-only."""
        return self._sound(gains_db)[0]

    def wav(self, gains_db: ArrayLike) -> bytes:
        """The same as a WAV file, bytes, for `widgets.ABPlayer`."""
        return self._sound(gains_db)[1]

    def _sound(self, gains_db):
        return self._kept(tuple(validation.matrix(gains_db, "gains_db", (5,)).tolist()))

    def _make(self, gains_db):
        toned = equalize(self.loop, self.rate, gains_db, looped=True)
        samples = limit(match_loudness(toned, self.rate, self.target_lufs), self.rate, CEILING_DB, looped=True)
        samples.flags.writeable = False
        return Signal(samples, self.rate), wav(samples, self.rate)
