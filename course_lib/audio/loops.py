"""Music that goes round and round, at any setting of the equaliser. Lecture: 12, section 5."""

from functools import lru_cache

import numpy as np

from course_lib import validation
from course_lib.audio.equalizer import equalize
from course_lib.audio.levels import CEILING_DB, TARGET_LUFS, limit, match_loudness
from course_lib.audio.playing import wav
from course_lib.audio.signals import Signal, mono, whole_samples

FADE_SECONDS = 0.05


def join(signal, rate, fade_seconds=FADE_SECONDS):
    """The signal as a loop (n − m,): its end fades out while its beginning fades in: it goes round without a click.

    The last m samples are taken off and mixed with the first m: w_t x_t + (1 − w_t) x_{n−m+t} with the weights
    w_t = (1 − cos(π t / m)) / 2. The loop ends with sample n − m − 1 and begins with sample n − m, so that its joint
    is a step that the signal itself makes. The weights sum to one: the mix is nowhere louder than the louder of both.

    signal : (n,) samples; for music whole bars, and `fade_seconds` of what comes after them
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
    """Music that goes round and round, at any setting of the equaliser, always at the same loudness.

    The music is joined (`join`), equalised as the loop that it is (`equalize`), brought to the target
    (`match_loudness`) and kept below −1 dB of the largest sample (`limit`). Bands that are raised need no room of
    their own: what they add is taken off everywhere, and the target is far below the ceiling. The last sounds made
    are kept, so that going back to one takes no time.

    signal : (n,) samples of music, at least 0.4 s after the join;  rate : above 18000
    fade_seconds : length of the fade at the joint;  keep : how many settings are kept
    target_lufs : loudness of every setting, but where the limiter has to work; quiet unless told otherwise

    loop : (m,) samples, joined and not changed otherwise;  rate;  target_lufs
    """

    def __init__(self, signal, rate, fade_seconds=FADE_SECONDS, target_lufs=TARGET_LUFS, keep=32):
        self.loop = join(signal, rate, fade_seconds)
        self.rate, self.target_lufs = rate, target_lufs
        self._kept = lru_cache(validation.integer(keep, "keep"))(self._make)
        match_loudness(equalize(self.loop, rate, np.zeros(5), looped=True), rate, target_lufs)

    def __repr__(self):
        return f"EqualizedLoop: {len(self.loop) / self.rate:.2f} s at {self.rate} Hz, {self.target_lufs:g} LUFS"

    def signal(self, gains_db):
        """Signal of the loop at this setting, (5,) dB; its samples cannot be written to."""
        return self._sound(gains_db)[0]

    def wav(self, gains_db):
        """The same as a WAV file, bytes, for `widgets.ABPlayer`."""
        return self._sound(gains_db)[1]

    def _sound(self, gains_db):
        return self._kept(tuple(validation.matrix(gains_db, "gains_db", (5,)).tolist()))

    def _make(self, gains_db):
        toned = equalize(self.loop, self.rate, gains_db, looped=True)
        samples = limit(match_loudness(toned, self.rate, self.target_lufs), self.rate, CEILING_DB, looped=True)
        samples.flags.writeable = False
        return Signal(samples, self.rate), wav(samples, self.rate)
