"""All recognisers of Act I, on the same recordings: with voices that they know, and with a new one.

Lecture: 04, section 8.
"""

import numpy as np

from course_lessons.hmm.trials import try_recognizer
from course_lib import audio
from course_lib.metrics import proportion
from course_lib.sequences.density_hmm import GaussianMixtureHMM
from course_lib.sequences.discrete_hmm import DiscreteHMM
from course_lib.sequences.mixture import GaussianMixture
from course_lib.sequences.recognizers import (
    BagOfFrames,
    ModelPerWord,
    TimeNormalized,
    VectorQuantizer,
)
from course_lib.sequences.templates import TemplateRecognizer
from course_widgets.tables import table


def recognizers():
    """{name: recogniser, not fitted yet}, with the sizes that lecture 04 chose."""
    one, full = (GaussianMixture(1, kind, min_variance=0.05) for kind in ("diag", "full"))
    mixture = GaussianMixture(16, "diag", min_variance=0.02)
    symbols = DiscreteHMM(8, 128, topology="left-to-right", emission_pseudocount=0.1, max_iter=30)
    densities = GaussianMixtureHMM(5, 4, min_variance=0.02, max_iter=15)
    return {
        "DTW, 60 templates a word": TemplateRecognizer(),
        "one Gaussian, stretched, diagonal": ModelPerWord(TimeNormalized(one, n_frames=10)),
        "one Gaussian, stretched, full": ModelPerWord(TimeNormalized(full, n_frames=10)),
        "mixture, any order": ModelPerWord(BagOfFrames(mixture)),
        "discrete HMM": ModelPerWord(symbols, encoder=VectorQuantizer(128)),
        "GMM-HMM": ModelPerWord(densities),
    }


def known_voices(digits):
    """(frames, words, test frames, test words) of SpokenDigits: 60 recordings a word to learn from, and 60 others."""
    train, rest = digits.split(60, rng=0)
    return _with_words(train, rest.split(60, rng=1)[0])


def new_voice(digits, speaker):
    """The same with 60 recordings of each word by all others to learn from, and 12 by this speaker to test with."""
    others, stranger = digits.leave_out(speaker)
    return _with_words(others.split(60, rng=0)[0], stranger.split(12, rng=0)[0])


def _with_words(*parts):
    return sum((([audio.normalize_cepstra(s) for s in part.sequences], part.labels) for part in parts), ())


def tried(models, *parts):
    """{name: Trial} of the recognisers {name: model}; parts : frames, words, test frames, test words."""
    return {name: try_recognizer(model, *parts) for name, model in models.items()}


def scores_table(right, new, costs):
    """Share of the recordings that each recogniser gets right, and what one recording costs it.

    right : {name: (n,) bool}, known voices;  new : {name: list of (m,) bool}, one a voice;  costs : {name: Trial}
    """
    head = ("", "known voices [95 %]", "new voices", "worst and best voice", "one recording", "memory")
    rows = []
    for name, cost in costs.items():
        voices = [voice.mean() for voice in new[name]]
        extremes = f"{min(voices):.2f}, {max(voices):.2f}"
        time, memory = f"{1e3 * cost.decoding:.2f} ms", f"{8 * cost.numbers / 1000:.0f} kB"
        rows.append((name, proportion(right[name]), f"{np.mean(voices):.3f}", extremes, time, memory))
    return table(head, rows)


def paired_table(right, pairs):
    """How many recordings only one of two recognisers gets right.

    right : {voices: {name: (n,) bool}};  pairs : of (voices, one, the other)
    """
    head = ("voices", "one", "the other", "only the one is right", "only the other")
    both = [(right[voices][one], right[voices][other]) for voices, one, other in pairs]
    rows = [(*pair, np.sum(a & ~b), np.sum(b & ~a)) for pair, (a, b) in zip(pairs, both, strict=True)]
    return table(head, rows)
