"""Speech that people rated, from a copy that the user has: speechocean762 is too large to lie beside the course.

Lecture: 08, section 8.
"""

import json
from dataclasses import dataclass

import numpy as np

from course_lib import validation
from course_lib.datasets.files import DataMissingError, Provenance

ASPECTS = ("accuracy", "completeness", "fluency", "prosodic", "total")
N_RATERS = 5
SCORES_FILE = "resource/scores-detail.json"
PART_NAMES = ("train", "test")
PART_LISTS = (
    "text",
    "utt2spk",
    "wav.scp",
)  # of each part, in the style of Kaldi: a line is an id and what belongs to it
REMEDY = (
    "Get speechocean762 (Zhang et al., 2021) from https://www.openslr.org/101, unpack it, and give the folder that "
    "holds train/, test/, resource/ and WAVE/."
)


@dataclass(frozen=True, repr=False, eq=False)
class RatedSpeech:
    """Recorded sentences, and what each of five raters says about each.

    utterances : tuple of n ids, in the order of the part's file `text`
    speakers : (n,) ids of who speaks;  texts : tuple of n sentences, in capitals
    scores : (n, 5) float64, one column for each place in the corpus's list of raters
    paths : tuple of n paths of the recordings (WAV); the loader does not look whether they are there
    aspect : what was scored
    """

    utterances: tuple
    speakers: np.ndarray
    texts: tuple
    scores: np.ndarray
    paths: tuple
    aspect: str

    def __len__(self):
        return len(self.utterances)

    def __repr__(self):
        return f"RatedSpeech: {len(self)} utterances by {len(set(self.speakers))} speakers, 5 scores for {self.aspect}"


@dataclass(frozen=True, repr=False, eq=False)
class Speechocean762:
    """The two parts of speechocean762, as the corpus divides itself: RatedSpeech of 2500 utterances each."""

    train: RatedSpeech
    test: RatedSpeech
    provenance: Provenance

    def __repr__(self):
        return f"Speechocean762: {len(self.train)} utterances to train, {len(self.test)} to test; {self.train.aspect}"


def load_speechocean762(folder, aspect="accuracy"):
    """English sentences by Mandarin speakers, each scored by five experts, from the user's copy of the corpus.

    The corpus does not say whether one place in the list of five always belongs to the same expert.

    folder : where train/, test/ and resource/ lie
    aspect : of the whole sentence: "accuracy", "fluency", "prosodic" or "total" (0 … 10), or "completeness" (0 … 1,
        the share of the words that are pronounced well)

    The DataMissingError of a folder without them says where to get the files.
    """
    validation.one_of(aspect, ASPECTS, "aspect")
    folder = validation.path(folder, "folder")
    _check_files(folder)
    try:
        scores = json.loads((folder / SCORES_FILE).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{folder / SCORES_FILE} is no JSON ({error}). {REMEDY}") from None
    return Speechocean762(
        *(_read_part(folder, part, scores, aspect) for part in PART_NAMES), provenance=_SPEECHOCEAN762
    )


def _check_files(folder):
    """Nothing, if every file that the loader reads is there."""
    if not folder.is_dir():
        raise DataMissingError(f"folder is {str(folder)!r}, and there is no such folder. {REMEDY}")
    names = [SCORES_FILE, *(f"{part}/{name}" for part in PART_NAMES for name in PART_LISTS)]
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise DataMissingError(f"folder is {str(folder)!r}, but it has no {', '.join(missing)}. {REMEDY}")


def _read_part(folder, part, scores, aspect):
    texts, speakers, paths = (_read_list(folder / part / name) for name in PART_LISTS)
    for name, entries in zip(PART_LISTS[1:], (speakers, paths), strict=True):
        missing = [utterance for utterance in texts if utterance not in entries]
        if missing:
            raise ValueError(f"{folder / part / name} has no line for the utterance {missing[0]}. {REMEDY}")
    return RatedSpeech(
        utterances=tuple(texts),
        speakers=np.array([speakers[utterance] for utterance in texts]),
        texts=tuple(texts.values()),
        scores=np.array([_scores_of(utterance, scores, aspect) for utterance in texts]),
        paths=tuple(folder / paths[utterance] for utterance in texts),
        aspect=aspect,
    )


def _read_list(path):
    """{id: what stands behind it} from a file in the style of Kaldi."""
    lines = path.read_text(encoding="utf-8").splitlines()
    entries = dict((*line.split(maxsplit=1), "")[:2] for line in lines if line.strip())
    if not entries:
        raise ValueError(f"{path} is empty. {REMEDY}")
    return entries


def _scores_of(utterance, scores, aspect):
    """The five scores of one utterance, as floats."""
    found = scores[utterance].get(aspect) if utterance in scores else None
    try:
        values = np.array(found, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.shape != (N_RATERS,) or not np.isfinite(values).all():
        raise ValueError(
            f"{SCORES_FILE} gives {found!r} as {aspect} of the utterance {utterance}; 5 numbers are needed."
        )
    return values


_SPEECHOCEAN762 = Provenance(
    source="speechocean762, OpenSLR 101: the user's copy",
    licence="stated with the copy: see https://www.openslr.org/101",
    citation="J. Zhang, Z. Zhang, Y. Wang, Z. Yan, Q. Song, Y. Huang, K. Li, D. Povey, Y. Wang (2021). "
    "speechocean762: an open-source non-native English speech corpus for pronunciation assessment. Interspeech, "
    "3710–3714. "
    "doi:10.21437/Interspeech.2021-1259",
)
