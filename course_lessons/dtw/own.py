"""One's own word: its nearest templates, one of them heard at its pace, and what templates of one's own voice gain.

Lecture: 01, sections 6 and 10.
"""

import io
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
import soundfile
from scipy.stats import binomtest

from course_lib import audio, datasets
from course_lib import sequences as seq
from course_lib.metrics import proportion
from course_widgets.microphone import Recording

HOP_SECONDS = 0.01
VOICES = {"en": "English", "es": "Spanish", "fr": "French", "it": "Italian", "ru": "Russian"}
STAND_IN = "fr"  # speaks for those who do not: its digits are the ready recordings
GRAIN_SECONDS, REACH_SECONDS = 0.04, 0.008  # of the pieces that a sound is stretched by, and how far one is moved
LOUDEST = 0.9


# --- the nearest of fifty templates


@dataclass(frozen=True, eq=False)
class Template:
    """A word that is known: how it is called, samples (n,) without silence at the ends, frames (T, 12)."""

    name: str
    samples: np.ndarray
    frames: np.ndarray


@cache
def templates():
    """{(language, digit): Template} of the spoken prompts."""
    prompts = datasets.load_spoken_prompts()
    trimmed = {key: audio.trim(signal, prompts.rate) for key, signal in prompts.signals.items()}
    return {
        key: Template(f"{prompts.words[key]}, {VOICES[key[0]]} voice", one, word_frames(one, prompts.rate))
        for key, one in trimmed.items()
    }


def word_frames(samples, rate):
    """(T, 12) MFCCs without c0, mean and variance normalised, of a word; 100 frames a second."""
    return audio.mfcc(samples, rate, hop_seconds=HOP_SECONDS, normalize="mean_variance")[:, 1:]


def ready_recordings():
    """{name: samples} of the voice that stands in, "seven" first."""
    seven, *all_ten = (templates()[STAND_IN, digit] for digit in (7, *range(10)))
    return {one.name: one.samples for one in (seven, *all_ten)}


def nearest(recording):
    """[(Template, D/M_φ), …] of all other voices, nearest first; the recording is a Recording of the microphone."""
    same_voice = STAND_IN if recording.name in ready_recordings() else None
    others = [one for (language, _), one in templates().items() if language != same_voice]
    frames = word_frames(recording.samples, recording.rate)
    distances = seq.dtw_distances([frames], [one.frames for one in others], normalized=True)[0]
    return [(others[k], float(distances[k])) for k in distances.argsort(kind="stable")]


def align_with(recording, key):
    """(Template, table of local distances, Alignment) of a recording and the template of a key; None: the nearest."""
    one = nearest(recording)[0][0] if key is None else templates()[key]
    cost = seq.local_distances(word_frames(recording.samples, recording.rate), one.frames)
    return one, cost, seq.align(cost)


# --- one's own query

running_speech = cache(datasets.load_running_speech)  # a minute of it, and thirteen files


def ready_queries():
    """{name: samples} of "mailbox": as the voice of the running speech says it, and changed in two ways.

    The other microphone takes low frequencies away. The other voice is played 15 % faster, as if of a smaller head.
    """
    speech = running_speech()
    word = Recording(audio.trim(speech.queries["mailbox"], speech.rate), speech.rate, "mailbox")
    changed = {"another microphone": word.without_lows(), "another voice": word.at_speed(1.15)}
    return {"mailbox": word.samples, **{f"mailbox, {how}": one.samples for how, one in changed.items()}}


# --- both at the same time


def stretch_along(path, samples, rate, length):
    """(length,) the sound of y in the time of x, along a path (L, 2) of frames (of x, of y), with its own pitch.

    Pieces that overlap by half are faded in and out and added up. Each is taken from where the path leads, moved by a
    few milliseconds to where it best continues the piece before it.

    Source: Verhelst and Roelands (1993).
    """
    hop, reach = round(GRAIN_SECONDS * rate / 2), round(REACH_SECONDS * rate)
    fade = 0.5 - 0.5 * np.cos(np.pi * (np.arange(2 * hop) + 0.5) / hop)
    padded, sound = np.pad(samples, (hop + reach, 2 * hop + 2 * reach)), np.zeros(length + 3 * hop)
    pieces = np.lib.stride_tricks.sliding_window_view(padded, 2 * hop)  # the middle one of `near` lies round its place
    begins, continued = np.arange(0, length + hop, hop), pieces[reach]  # y's own beginning
    for begin, at in zip(begins, _matched(path, begins / rate) * rate, strict=True):
        at = min(round(at), len(samples))
        near = pieces[at : at + 2 * reach + 1]
        moved = ((near - continued) ** 2).sum(axis=1).argmin()
        sound[begin : begin + 2 * hop] += fade * near[moved]
        continued = pieces[at + moved + hop]
    return sound[hop : hop + length]


def _matched(path, seconds):
    """Second of y that a path matches with each second of x: the middle, where a frame of x has several."""
    frames = np.arange(path[-1, 0] + 1)
    middle = [path[path[:, 0] == frame, 1].mean() for frame in frames]
    return np.interp(seconds, HOP_SECONDS * frames, HOP_SECONDS * np.array(middle))


def play_both(left, right, rate, label, heard):
    """A Player of two sounds of equal length and power, one in each ear."""
    both = np.column_stack([one / max(np.sqrt(np.mean(one**2)), 1e-9) for one in (left, right)])
    file, both = io.BytesIO(), LOUDEST * both / np.abs(both).max()
    soundfile.write(file, both, rate, format="MP3", bitrate_mode="VARIABLE", compression_level=0.3)
    return audio.Player(label, heard, rate, len(both) / rate, file.getvalue())


# --- what one's own voice gains


def voices(recordings):
    """(whose words they are, {word: [frames, …]}, {other voice: {word: frames}}), from {word: [samples, …]}.

    The other voices are those that say these words; words that none of them says are left out, unless all are. Where
    fewer than two words have two recordings, a speaker of the spoken digits stands in, and the others with him.
    """
    rate = datasets.load_spoken_prompts().rate
    twice = {word: [word_frames(one, rate) for one in takes] for word, takes in recordings.items() if len(takes) > 1}
    if len(twice) < 2:
        return _voices_of_digits()
    others = {f"the {name} voice": {} for name in VOICES.values()}
    for (language, _), one in templates().items():
        others[f"the {VOICES[language]} voice"][one.name.partition(",")[0]] = one.frames
    shared = max((twice.keys() & words.keys() for words in others.values()), key=len)
    takes = {word: found for word, found in twice.items() if word in shared} if len(shared) > 1 else twice
    return "my voice", takes, {name: words for name, words in others.items() if takes.keys() <= words.keys()}


def _voices_of_digits():
    """As `voices`: two takes of each spoken digit by the first of its speakers, and one by each of the others."""
    digits = datasets.load_spoken_digits()
    first, *rest = np.unique(digits.speakers).tolist()

    def take(speaker, number):
        chosen = digits.select((digits.speakers == speaker) & (digits.takes == number))
        frames = map(audio.normalize_cepstra, chosen.sequences)
        return dict(sorted(zip(chosen.labels.tolist(), frames, strict=True)))

    both = {word: [frames, take(first, 1)[word]] for word, frames in take(first, 0).items()}
    return first, both, {name: take(name, 0) for name in rest}


def compare_voices(who, takes, others):
    """Table of how many words the templates of each voice recognise, one template a word; of `who` the first takes.

    Columns: the share of all other takes that is right, with Wilson's interval; how many `who` alone gets right, how
    many the other voice alone; and the exact probability of a split as uneven if both were equally good.
    """
    spoken = np.repeat(list(takes), [len(one) - 1 for one in takes.values()])
    heard = [frames for one in takes.values() for frames in one[1:]]
    known = {who: {word: one[0] for word, one in takes.items()}} | others
    right = {name: _recognised(heard, one) == spoken for name, one in known.items()}
    return pd.DataFrame({f"templates of {name}": _compared(right[who], one) for name, one in right.items()}).T


def _recognised(heard, known):
    """(n,) word of the nearest template, of {word: frames}."""
    return np.array(list(known))[seq.dtw_distances(heard, list(known.values()), normalized=True).argmin(axis=1)]


def _compared(mine, theirs):
    """{column: value} of two ways to recognise the same words, each (n,) booleans: which are right."""
    ours, others = int(np.sum(mine & ~theirs)), int(np.sum(theirs & ~mine))
    p = binomtest(ours, ours + others).pvalue if ours + others else 1.0
    return {"right": str(proportion(theirs)), "only mine": ours, "only theirs": others, "p, if equal": f"{p:.3f}"}
