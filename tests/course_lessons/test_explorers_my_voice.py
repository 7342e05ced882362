"""One's own voice in lecture 02: what its explorer says, beside densities of scipy, and what the lecture claims."""

import numpy as np
from scipy.stats import multivariate_normal

from course_lessons.gaussians import own
from course_lessons.gaussians.explore import explore_my_voice
from course_lib import audio, datasets
from course_widgets.microphone import Recording
from tests.course_lessons.explored import sentence

PROMPTS = datasets.load_spoken_prompts()
TAKES = [
    Recording(audio.trim(one, PROMPTS.rate), PROMPTS.rate, "") for takes in PROMPTS.takes.values() for one in takes
]


def found(recording, known):
    return next(iter(own.voice_scores(own.loud_frames(recording.samples, recording.rate), known)))


def test_the_voices_stand_in_the_order_of_their_densities():
    explorer = explore_my_voice()
    explorer.hear(Recording(PROMPTS["fr", 4], PROMPTS.rate, "quatre"))
    frames = own.loud_frames(explorer.recording.samples, PROMPTS.rate)[:, :3]
    densities = {}
    for voice, spoken in own.voice_frames().items():
        model = multivariate_normal(spoken[:, :3].mean(axis=0), np.cov(spoken[:, :3], rowvar=False, bias=True))
        densities[voice] = model.logpdf(frames).mean()
    (last, least), *_, (second, more), (best, most) = sorted(densities.items(), key=lambda pair: pair[1])
    explorer.set(known=3)
    expected = (
        f"By the first 3 coefficients the {best} is the most probable voice, {most - more:.2f} nats a frame "
        f"before the {second}; the least probable is the {last}, {most - least:.2f} behind."
    )
    assert expected in sentence(explorer)


def test_loud_frames_are_those_whose_bands_are_loud_on_average():
    quiet, loud = (level * np.random.default_rng(0).normal(size=4000) for level in (0.01, 0.1))  # 20 dB apart
    counts = [len(own.loud_frames(np.concatenate(both), 8000)) for both in ((loud, loud), (quiet, loud))]
    assert counts[0] == 101 and abs(counts[1] - 51) <= 1


def test_twelve_coefficients_find_her_and_another_microphone_hides_her():
    """The explanation under explore_my_voice, on seven recordings that are in no model."""
    for known, right in ((2, 0), (6, 7), (9, 7), (12, 7)):
        assert sum(found(one, known) == "English woman" for one in TAKES) == right
    assert [found(one.without_lows(), 12) for one in TAKES].count("Russian woman") == 6
