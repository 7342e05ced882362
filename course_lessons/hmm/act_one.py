"""All recognisers of Act I, on the same recordings: with voices that they know, and with a new one.

Lecture: 04, section 8.
"""

from course_lib import audio
from course_lib.sequences.density_hmm import GaussianMixtureHMM
from course_lib.sequences.discrete_hmm import DiscreteHMM
from course_lib.sequences.mixture import GaussianMixture
from course_lib.sequences.recognizers import BagOfFrames, ModelPerWord, TimeNormalized, VectorQuantizer
from course_lib.sequences.templates import TemplateRecognizer


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
