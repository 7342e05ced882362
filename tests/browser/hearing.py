"""A Chromium whose microphone hears a file, as if somebody spoke after the countdown of microphone.js."""

from contextlib import contextmanager

import numpy as np
import soundfile

from course_widgets.microphone import RATE
from tests.browser.conftest import ARGUMENTS, running
from tools import chromium

RNG = np.random.default_rng(3)
SPOKEN_AT, FILE_SECONDS = 2.6, 8  # s: the countdown takes 2.1
FAKE = "--use-fake-device-for-media-stream"
ALLOWED = "--use-fake-ui-for-media-stream"  # without it, the microphone is denied


def room(word, noise=1e-3):
    """A word somebody says after the countdown, in a room with this noise."""
    sound = noise * RNG.normal(size=FILE_SECONDS * RATE)
    begin = round(SPOKEN_AT * RATE)
    sound[begin : begin + len(word)] += word
    return np.clip(sound, -1, 1)


@contextmanager
def hearing(sound, folder, *arguments):
    """A Chromium whose microphone hears this sound, once, from when it is opened."""
    file = folder / "heard.wav"
    soundfile.write(file, sound, RATE)
    arguments = [*ARGUMENTS, FAKE, f"--use-file-for-fake-audio-capture={file}%noloop", *arguments]
    browser = running().browser_type.launch(executable_path=chromium.find(), args=arguments)
    try:
        yield browser
    finally:
        browser.close()
