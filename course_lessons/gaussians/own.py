"""One's own voice beside those of the spoken prompts: a Gaussian for the loud frames of each.

Lecture: 02, section 7.
"""

from functools import cache

import numpy as np

from course_lib import audio, datasets
from course_lib.sequences import fit_gaussian
from course_widgets.microphone import Recording

VOICES = {"English woman": ("en", "es"), "French woman": ("fr",), "Italian man": ("it",), "Russian woman": ("ru",)}
LOUD_DB = 15  # below the loudest frame: mostly vowels
N_COEFFICIENTS = 12


def loud_frames(samples, rate):
    """(T, 12) MFCCs without c0 of the frames that are at most 15 dB below the loudest."""
    frames = audio.mfcc(samples, rate, n_bands=26)
    level = frames[:, 0] / np.sqrt(26)  # c0 is the mean of the bands in dB, times the root of their number
    return frames[level > level.max() - LOUD_DB, 1:]


@cache
def voice_frames():
    """{voice: (T, 12) loud frames of its digits}; the English woman says hers in two languages."""
    prompts = datasets.load_spoken_prompts()
    return {
        voice: np.concatenate([loud_frames(prompts[key], prompts.rate) for key in prompts.signals if key[0] in spoken])
        for voice, spoken in VOICES.items()
    }


@cache
def voice_models(coefficients):
    """{voice: Gaussian} of these coefficients, a tuple of places 0 … 11, with full covariances."""
    return {voice: fit_gaussian(frames[:, coefficients]) for voice, frames in voice_frames().items()}


def voice_scores(frames, n_coefficients):
    """{voice: mean log density of (T, 12) frames by their first coefficients}, the best voice first."""
    known = tuple(range(n_coefficients))
    scores = {voice: float(one.log_density(frames[:, known]).mean()) for voice, one in voice_models(known).items()}
    return dict(sorted(scores.items(), key=lambda pair: -pair[1]))


def ready_sayings():
    """{name: samples} that are in no model: by the English woman, one of them through another microphone as well."""
    prompts = datasets.load_spoken_prompts()
    said = {words: audio.trim(takes[0], prompts.rate) for words, takes in prompts.takes.items()}
    goodbye = Recording(said["goodbye"], prompts.rate, "goodbye, another microphone").without_lows()
    return {"goodbye": said["goodbye"], goodbye.name: goodbye.samples, **said}
