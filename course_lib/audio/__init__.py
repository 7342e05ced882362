"""Sound in the notebook: load it, listen to it, turn it into feature vectors, change its tone and its level.

A signal is an array (n,) of samples in −1 … 1, its rate a number of samples per second.
Lecture: 01, sections 1 and 7; 12, section 5.
"""

from course_lib.audio.equalizer import (
    BANDS,
    LARGEST_GAIN_DB,
    LARGEST_TONE_DB,
    TONES,
    Q,
    equalize,
    response_db,
    tone_gains,
)
from course_lib.audio.features import NORMALISATIONS, mfcc, normalize_cepstra
from course_lib.audio.levels import CEILING_DB, TARGET_LUFS, limit, loudness, match_loudness
from course_lib.audio.loops import FADE_SECONDS, EqualizedLoop, join
from course_lib.audio.playing import MP3_RATES, Player, play, wav
from course_lib.audio.signals import LOUDEST, Signal, load, trim
from course_lib.audio.whispering import whisper

__all__ = [
    "BANDS", "CEILING_DB", "FADE_SECONDS", "LARGEST_GAIN_DB", "LARGEST_TONE_DB", "LOUDEST", "MP3_RATES",
    "NORMALISATIONS", "TARGET_LUFS", "TONES", "EqualizedLoop", "Player", "Q", "Signal", "equalize", "join", "limit",
    "load", "loudness", "match_loudness", "mfcc", "normalize_cepstra", "play", "response_db", "tone_gains", "trim",
    "wav", "whisper",
]  # fmt: skip
