"""A valid call of everything that is public, and what its arguments may be besides: one `entry` for each.

A new function or method needs an entry here; `test_bad_input.py` says so if there is none. `good` has a value for
every argument; each is replaced by many bad ones. What is then no mistake is in `accepts`, with the reason.
"""

import atexit
import shutil
import tempfile
import types
from functools import cache, partial
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd

import course_personaliser
import course_studies
import course_widgets
from course_lessons.bounded_answers.simulators import simulate
from course_lessons.dtw.explore import explore_table
from course_lessons.hmm.act_one import recognizers
from course_lessons.hmm.connected import ConnectedWords
from course_lessons.hmm.explore import explore_trellis
from course_lessons.hmm.trials import try_recognizer
from course_lessons.i_prefer_b import baselines
from course_lessons.mixed_feedback.likelihoods import Likert
from course_lib import audio, datasets, gp, judgments, selection, sequences, validation
from course_lib.sequences import checks
from course_widgets import figure
from tests.bad_input import parameters, quietly

ENTRIES = {}
INNER = {}  # {class or module: methods and functions that take what has been checked}
ANY = "any value"  # in accepts: the argument may be anything


def entry(name, good, accepts=None, call=None, on=None, may_raise=(), fixed=()):
    """Put a callable into the table.

    name : as in `public_callables`;  good : {argument: valid value};  accepts : {argument: {bad value: reason}}
    call : what to call instead of the callable itself;  on : makes the instance whose method it is
    may_raise : other exceptions that its documentation promises
    fixed : arguments that the programmer, not the caller, chooses, such as the name that an error is to say
    """
    if on is not None:
        method = name.rsplit(".", 1)[1]

        def call(**arguments):
            return getattr(on(), method)(**arguments)

    ENTRIES[name] = (good, accepts or {}, call, may_raise, fixed)


def model(name, kind, settings, fit, accepts=None, fit_accepts=None):
    """Entries of an estimator: its settings, which are looked at in fit, and its fit."""
    entry(name, settings, accepts, lambda **changed: kind(**changed).fit(**fit))
    if "fit" in vars(kind) or fit_accepts is not None:
        entry(f"{name}.fit", fit, fit_accepts, lambda **changed: kind(**settings).fit(**changed))


def may(reason, *bad):
    return dict.fromkeys(bad, reason)


REAL = may("any real number will do", "negative")
ANY_LENGTH = may("it may have any length", "mismatched")
WHOLE_0 = may("0 is possible", "zero")
SHARE = may("a share between 0 and 1", "half")
SEEDS = may("a seed, or None", "zero", "None", "hugest") | may("a list of seeds", "1-D")
NUMBER = may("any number", "zero", "half", "negative")
POSITIVE = may("any positive number", "half")
NOT_NEGATIVE = may("any number, 0 or more", "half", "zero")
OPTIONAL = may("None is the default", "None")
MISSING = may("NaN and None are missing answers", "NaN", "objects")

IGNORED = {"y": may("ignored, as scikit-learn has it", ANY)}

RNG = np.random.default_rng(1)
X, Y = RNG.normal(size=(6, 2)), RNG.normal(size=(5, 2))
THREE = [RNG.normal(size=(T, 2)) for T in (5, 6, 7)]
SIX = [RNG.normal(size=(T, 2)) + 2 * (k % 2) for k, T in enumerate((5, 6, 7, 5, 6, 7))]
WORDS = np.array([0, 1, 0, 1, 0, 1])

# --- sequences: comparing ---------------------------------------------------------------------------

PATTERN, WINDOW = sequences.SYMMETRIC2, sequences.SakoeChiba(3)
PAIR = {"x": X, "y": Y}
EITHER = {"x": REAL | ANY_LENGTH, "y": REAL | ANY_LENGTH}
DTW = {"step_pattern": PATTERN, "window": WINDOW, "distance": "euclidean"}
OPEN = {"open_begin": False, "open_end": False, "keep_accumulated": False}
COSTS = np.abs(RNG.normal(size=(6, 5)))

entry("sequences.local_distances", PAIR | {"distance": "euclidean"}, EITHER)
entry("sequences.dtw", PAIR | DTW | OPEN, EITHER)
entry("sequences.dtw_distance", PAIR | DTW, EITHER)
entry(
    "sequences.align",
    {"cost": COSTS, "step_pattern": PATTERN, "window": WINDOW} | OPEN,
    {"cost": REAL | ANY_LENGTH | may("a cell that is forbidden", "inf")},
)
entry("lessons.dtw.greedy.greedy_path", {"cost": COSTS}, {"cost": REAL | ANY_LENGTH})
LISTS = {"sequences": REAL | ANY_LENGTH, "others": REAL | ANY_LENGTH}
entry(
    "sequences.dtw_distances",
    {"sequences": THREE, "others": SIX[:2]} | DTW | {"normalized": False, "n_jobs": 1},
    LISTS | {"n_jobs": may("as joblib has it: −1 is all cores, None one", "negative", "None")},
)
entry("sequences.SakoeChiba", {"radius": 3}, {"radius": WHOLE_0 | SHARE})
SIZES = {"x_frames": 4, "y_frames": 5}
entry("sequences.SakoeChiba.ranges", SIZES, on=lambda: WINDOW)
entry("sequences.ItakuraParallelogram", {"max_slope": 2.0})
entry("sequences.ItakuraParallelogram.ranges", SIZES, on=sequences.ItakuraParallelogram)
entry("sequences.allowed_cells", {"window": WINDOW} | SIZES, {"window": may("every cell is allowed", "None")})
entry(
    "sequences.StepPattern",
    {"name": "mine", "moves": [[(1, 1, 2)], [(1, 0, 1)], [(0, 1, 1)]]},
    {"name": may("any name", "str")},
)
COUNTS = may("several tables at once", "1-D") | may("no frames", "zero")
entry("sequences.StepPattern.path_weight", SIZES, {"x_frames": COUNTS, "y_frames": COUNTS}, on=lambda: PATTERN)
entry("sequences.warping_paths", {"step_pattern": PATTERN, "x_frames": 3, "y_frames": 2, "begin": (0, 0)})
entry("lessons.dtw.search.lb_kim", PAIR, EITHER)
entry("lessons.dtw.search.envelope", {"y": Y, "x_frames": 6, "window": WINDOW}, {"y": REAL | ANY_LENGTH})
entry("lessons.dtw.search.lb_keogh", {"x": X, "low": X - 1, "high": X + 1}, {"x": REAL, "low": REAL})
entry(
    "lessons.dtw.search.nearest_sequence",
    {"query": X, "candidates": THREE, "window": WINDOW, "step_pattern": sequences.SYMMETRIC1},
    {"query": REAL | ANY_LENGTH, "candidates": REAL | ANY_LENGTH},
)
HOP = {"hop_seconds": 0.01}
entry(
    "lessons.dtw.search.find_query",
    {"query": X[:3], "utterance": Y, "top": 2, "step_pattern": sequences.ASYMMETRIC, "distance": "euclidean"} | HOP,
    {"query": REAL | ANY_LENGTH, "utterance": REAL | ANY_LENGTH, "hop_seconds": POSITIVE},
)
entry(
    "lessons.dtw.search.discover_terms",
    PAIR | {"threshold": 2.0, "min_frames": 2, "top": 2, "distance": "euclidean"} | HOP,
    EITHER | {"threshold": POSITIVE, "hop_seconds": POSITIVE},
)
entry("sequences.medoid", {"sequences": THREE}, LISTS)
entry("sequences.barycenter_average", {"sequences": THREE, "max_rounds": 2}, LISTS)
entry("sequences.time_normalize", {"sequence": X, "n_frames": 4}, {"sequence": REAL | ANY_LENGTH})
TEMPLATES = {"templates": SIX, "labels": WORDS}
ANY_LABEL = may("labels may be any numbers, booleans or texts", "negative", "huge", "huger", "strs", "bool")
model(
    "sequences.TemplateRecognizer",
    sequences.TemplateRecognizer,
    {"per_word": "best"} | DTW | {"n_jobs": 1},
    TEMPLATES,
    {"n_jobs": may("as joblib has it: −1 is all cores, None one", "negative", "None")},
    {"templates": REAL, "labels": ANY_LABEL},
)
KNOWN = cache(lambda: sequences.TemplateRecognizer().fit(SIX, WORDS))
SOME = {"recordings": REAL | ANY_LENGTH}
entry("sequences.TemplateRecognizer.word_distances", {"recordings": THREE}, SOME, on=KNOWN)
entry("sequences.TemplateRecognizer.predict", {"recordings": THREE}, SOME, on=KNOWN)
entry(
    "sequences.TemplateRecognizer.score",
    {"recordings": SIX, "labels": WORDS},
    {"recordings": REAL, "labels": ANY_LABEL},
    on=KNOWN,
)

# --- sequences: densities ---------------------------------------------------------------------------

MANY = RNG.normal(size=(24, 2)) + 3 * (np.arange(24) % 2)[:, None]
COVARIANCE = np.array([[2.0, 0.5], [0.5, 1.0]])
NIW = sequences.NormalInverseWishart(np.zeros(2), 1.0, COVARIANCE, 4.0)
NORMAL = sequences.Gaussian(np.zeros(2), COVARIANCE)
POINTS = {"X": REAL | ANY_LENGTH}

entry("sequences.Gaussian", {"mean": np.zeros(2), "covariance": COVARIANCE}, {"mean": REAL})
entry("sequences.Gaussian.log_density", {"X": X}, POINTS, on=lambda: NORMAL)
entry("sequences.Gaussian.sample", {"n": 2, "rng": 1}, {"rng": SEEDS}, on=lambda: NORMAL)
entry("sequences.Gaussian.ellipse", {"n_std": 2.0}, {"n_std": POSITIVE}, on=lambda: NORMAL)
entry("sequences.log_density", {"X": X, "mean": np.zeros(2), "covariance": COVARIANCE}, POINTS | {"mean": REAL})
TYPE = {"covariance_type": "full", "min_variance": 0.1, "prior": NIW}
entry("sequences.fit_gaussian", {"X": MANY, "unbiased": False} | TYPE, POINTS | {"min_variance": NOT_NEGATIVE})
entry("sequences.fit_gaussians", {"groups": THREE} | TYPE, {"groups": REAL | ANY_LENGTH, "min_variance": NOT_NEGATIVE})
entry(
    "sequences.NormalInverseWishart",
    {"mean": np.zeros(2), "strength": 1.0, "scale": COVARIANCE, "degrees": 4.0},
    {"mean": REAL, "strength": NOT_NEGATIVE, "degrees": POSITIVE},
)
entry("sequences.NormalInverseWishart.weak", {"X": X, "n_components": 2}, POINTS)
EM = {"tol": 1e-2, "max_iter": 2, "n_init": 1, "progress": False, "rng": 1}
FLOOR = NOT_NEGATIVE | may("one floor for each feature", "1-D")
EM_MAY = {"tol": NOT_NEGATIVE, "rng": SEEDS, "min_variance": FLOOR}
model(
    "sequences.GaussianMixture",
    sequences.GaussianMixture,
    {"n_components": 2, "covariance_type": "full", "init": "random"} | {"min_variance": 0.1, "prior": NIW} | EM,
    {"X": MANY, "y": None},
    EM_MAY | {"init": may("means to begin with", "DataFrame")},
    POINTS | IGNORED,
)
GMM = cache(lambda: sequences.GaussianMixture(2, rng=1).fit(MANY))
for name in ("score_samples", "predict_proba", "predict", "bic"):
    entry(f"sequences.GaussianMixture.{name}", {"X": MANY}, POINTS, on=GMM)
entry("sequences.GaussianMixture.score", {"X": MANY, "y": None}, POINTS | IGNORED, on=GMM)
entry("sequences.GaussianMixture.sample", {"n": 2, "rng": 1}, {"rng": SEEDS}, on=GMM)

# --- sequences: states ------------------------------------------------------------------------------

PI, A, B = np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.2, 0.8]]), np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
LOG_B = np.log(B[:, [0, 2, 1, 1]].T)
LOGS = REAL | ANY_LENGTH
for name in ("forward", "viterbi", "posteriors", "expected_transitions"):
    entry(f"sequences.{name}", {"startprob": PI, "transmat": A, "log_emission": LOG_B}, {"log_emission": LOGS})
entry("sequences.backward", {"transmat": A, "log_emission": LOG_B}, {"log_emission": LOGS})
for name in ("scaled_forward", "trellis"):
    entry(
        f"sequences.{name}",
        {"startprob": PI, "transmat": A, "emission": np.exp(LOG_B)},
        {"emission": ANY_LENGTH},
    )
entry(
    "sequences.left_to_right",
    {"n_states": 3, "stay": 0.3, "skip": 0.2},
    {"stay": WHOLE_0 | SHARE, "skip": WHOLE_0 | SHARE},
)

SYMBOLS = [np.array([0, 1, 2, 1]), np.array([2, 2, 0]), np.array([1, 0])]
SYMBOLS_MAY = ANY_LENGTH | may("−1 and NaN are missing observations", "NaN") | may("symbols as floats", "mismatched")
HMM = {
    "startprob": PI,
    "transmat": A,
    "transition_pseudocount": 0.1,
} | EM
HMM_MAY = EM_MAY | {"transition_pseudocount": NOT_NEGATIVE, "emission_pseudocount": NOT_NEGATIVE}
model(
    "sequences.DiscreteHMM",
    sequences.DiscreteHMM,
    {"n_states": 2, "n_symbols": 3, "topology": "ergodic", "emissionprob": B, "emission_pseudocount": 0.1} | HMM,
    {"sequences": SYMBOLS, "y": None},
    HMM_MAY,
    {"sequences": SYMBOLS_MAY},
)
DISCRETE = cache(lambda: sequences.DiscreteHMM.from_parameters(PI, A, B))
FRAMES = {"sequences": THREE}
FRAMES_MAY = REAL | ANY_LENGTH
model(
    "sequences.GaussianMixtureHMM",
    sequences.GaussianMixtureHMM,
    {
        "n_states": 2,
        "n_mixtures": 1,
        "covariance_type": "diag",
        "topology": "ergodic",
        "min_variance": 0.1,
        "prior": NIW,
    }
    | HMM,
    FRAMES | {"y": None},
    HMM_MAY,
    {"sequences": FRAMES_MAY},
)
CONTINUOUS = cache(lambda: sequences.GaussianMixtureHMM(2, rng=1, topology="ergodic", max_iter=3).fit(THREE))
for kind, on, some, one in (
    ("DiscreteHMM", DISCRETE, SYMBOLS, SYMBOLS_MAY),
    ("GaussianMixtureHMM", CONTINUOUS, THREE, FRAMES_MAY),
):
    for name in ("score", "score_samples", "predict"):
        entry(f"sequences.{kind}.{name}", {"sequences": some}, {"sequences": one}, on=on)
    entry(f"sequences.{kind}.predict_proba", {"sequence": some[0]}, {"sequence": one}, on=on)
    entry(f"sequences.{kind}.decode", {"sequence": some[0], "by": "viterbi"}, {"sequence": one}, on=on)
    entry(f"sequences.{kind}.sample", {"length": 3, "rng": 1}, {"rng": SEEDS}, on=on)
entry("sequences.GaussianMixtureHMM.log_emission", {"sequence": X}, {"sequence": FRAMES_MAY}, on=CONTINUOUS)
entry("sequences.DiscreteHMM.from_parameters", {"startprob": PI, "transmat": A, "emissionprob": B})
DENSITY = sequences.GaussianMixture(1, "diag", max_iter=3)
BAG = sequences.BagOfFrames(DENSITY)
model("sequences.BagOfFrames", sequences.BagOfFrames, {"density": DENSITY}, FRAMES | {"y": None}, {}, LISTS)
FITTED_BAG = cache(lambda: sequences.BagOfFrames(DENSITY).fit(THREE))
entry("sequences.BagOfFrames.score_samples", FRAMES, LISTS, on=FITTED_BAG)
model(
    "sequences.TimeNormalized",
    sequences.TimeNormalized,
    {"density": DENSITY, "n_frames": 3},
    FRAMES | {"y": None},
    {},
    LISTS,
)
FITTED_TIME = cache(lambda: sequences.TimeNormalized(DENSITY, 3).fit(THREE))
entry("sequences.TimeNormalized.score_samples", FRAMES, LISTS, on=FITTED_TIME)
model(
    "sequences.VectorQuantizer",
    sequences.VectorQuantizer,
    {"n_symbols": 2, "n_init": 1, "rng": 1},
    FRAMES | {"y": None},
    {"rng": SEEDS},
    LISTS | IGNORED,
)
CODES = cache(lambda: sequences.VectorQuantizer(2).fit(THREE))
entry("sequences.VectorQuantizer.transform", FRAMES, LISTS, on=CODES)
model(
    "sequences.ModelPerWord",
    sequences.ModelPerWord,
    {"model": BAG, "encoder": None, "priors": "counts"},
    {"sequences": SIX, "labels": WORDS},
    {},
    {"sequences": REAL, "labels": ANY_LABEL},
)
PER_WORD = cache(lambda: sequences.ModelPerWord(BAG).fit(SIX, WORDS))
entry("sequences.ModelPerWord.log_likelihoods", FRAMES, LISTS, on=PER_WORD)
entry("sequences.ModelPerWord.predict", FRAMES, LISTS, on=PER_WORD)
entry(
    "lessons.hmm.trials.try_recognizer",
    {"recognizer": BAG, "train": SIX, "train_labels": WORDS, "test": SIX, "test_labels": WORDS},
    {"train": REAL, "train_labels": ANY_LABEL, "test": REAL, "test_labels": ANY_LABEL},
    lambda recognizer, **given: (
        try_recognizer(sequences.ModelPerWord(recognizer) if recognizer is BAG else recognizer, **given).right
    ),
)

# --- sound, scores, checks --------------------------------------------------------------------------

SOUND = 0.5 * np.sin(np.arange(400.0))
FRAMING = {"window_seconds": 0.025, "hop_seconds": 0.01}
SECONDS = {"window_seconds": {}, "hop_seconds": POSITIVE}
HEARD = {"signal": REAL | ANY_LENGTH}

TONE = datasets.data_folder() / "spoken_prompts" / "running_speech_en.flac"
ABSENT = (FileNotFoundError, IsADirectoryError)
entry("audio.load", {"path": TONE}, may_raise=ABSENT)
entry(
    "audio.play",
    {"signal": SOUND, "rate": 8000, "label": "a tone", "heard": "it"},
    {"signal": ANY_LENGTH, "label": may("any text", "str"), "heard": may("any text", "str")},
)
entry(
    "audio.trim",
    {"signal": SOUND, "rate": 8000, "threshold_db": 35.0, "margin_seconds": 0.01},
    HEARD | {"threshold_db": POSITIVE, "margin_seconds": POSITIVE},
)
entry(
    "audio.mfcc",
    {"signal": SOUND, "rate": 8000, "n_mfcc": 5, "normalize": "mean", "n_bands": 26} | FRAMING,
    HEARD | SECONDS,
)
entry("audio.wav", {"signal": SOUND, "rate": 8000}, {"signal": ANY_LENGTH})
GAINS = np.array([3.0, -6.0, 0.5, 2.0, 1.0])
GAINS_MAY = {"gains_db": REAL}
MUSIC = 0.3 * np.sin(0.1 * np.arange(12_000.0))
LOOP = cache(lambda: audio.EqualizedLoop(MUSIC, 22_050))
entry("audio.equalize", {"signal": SOUND, "rate": 22_050, "gains_db": GAINS, "looped": False}, HEARD | GAINS_MAY)
entry(
    "audio.response_db",
    {"gains_db": GAINS, "frequencies": np.array([0.0, 50.0, 9000.0]), "rate": 22_050},
    GAINS_MAY | {"frequencies": ANY_LENGTH},
)
TONE = may("any number of dB", "zero", "half", "negative")
entry("audio.tone_gains", {"bass_db": 3.0, "treble_db": -6.0}, {"bass_db": TONE, "treble_db": TONE})
entry("audio.loudness", {"signal": MUSIC, "rate": 22_050}, HEARD)
entry("audio.match_loudness", {"signal": MUSIC, "rate": 22_050, "target_lufs": -26.0}, HEARD)
entry(
    "audio.limit",
    {"signal": SOUND, "rate": 8000, "ceiling_db": -1.0, "reach_seconds": 0.005, "looped": False},
    HEARD | {"ceiling_db": may("as loud as can be", "zero") | REAL, "reach_seconds": SECONDS["hop_seconds"]},
)
entry(
    "audio.join",
    {"signal": SOUND, "rate": 8000, "fade_seconds": 0.01},
    HEARD | {"fade_seconds": POSITIVE},
)
entry(
    "audio.EqualizedLoop",
    {"signal": MUSIC, "rate": 22_050, "fade_seconds": 0.01, "target_lufs": -26.0, "keep": 2},
    HEARD,
)
entry("audio.EqualizedLoop.signal", {"gains_db": GAINS}, GAINS_MAY, on=LOOP)
entry("audio.EqualizedLoop.wav", {"gains_db": GAINS}, GAINS_MAY, on=LOOP)
WAV_A, WAV_B = audio.wav(SOUND, 8000), audio.wav(-SOUND, 8000)
LISTENING = {
    "what": may("any text", "str"),
    "volume": may("silent, half and full", "zero", "half"),
    "least_seconds": NOT_NEGATIVE,
}
entry("widgets.ABPlayer", {"a": WAV_A, "b": WAV_B, "what": "tones", "volume": 0.7, "least_seconds": 1.0}, LISTENING)
entry("widgets.ABPlayer.change", {"a": WAV_B, "b": WAV_A}, on=lambda: course_widgets.ABPlayer(WAV_A, WAV_B, "tones"))
APP = {
    "session": None,
    "dimensions": 2,
    "music": "garzul",
    "rng": 1,
    "kernel": None,
    "folder": "sessions",
    "questions": 20,
    "rounds": 20,
}
APP_MAY = {
    "session": OPTIONAL | may("a path", "str"),
    "rng": SEEDS,
    "kernel": OPTIONAL,
    "folder": may("a path", "str"),
}
entry("lessons.PersonalizerApp", APP, APP_MAY)
entry(
    "audio.whisper",
    {"cepstra": X, "rate": 8000, "hop_seconds": 0.025, "n_bands": 26, "rng": 1},
    {"cepstra": REAL | ANY_LENGTH, "rng": SEEDS, "hop_seconds": SECONDS["hop_seconds"]},
)
entry("audio.normalize_cepstra", {"features": X, "how": "mean"}, {"features": REAL | ANY_LENGTH})

SCALE = np.arange(5.0)
RATED = np.array([[0.0, 1.0], [2.0, np.nan], [4.0, 3.0]])
MEAN, STD = np.array([0.4, 2.1, 3.7]), np.array([0.5, 0.7, 1.1])
WIDER = may("a longer scale holds these scores too", "negative", "mismatched")
entry(
    "metrics.proportion",
    {"successes": np.array([True, False, True]), "confidence": 0.9},
    {"successes": ANY_LENGTH | may("they are booleans", "bool"), "confidence": SHARE},
)
entry(
    "metrics.score_log_probabilities",
    {"mean": MEAN, "std": STD, "scores": SCALE},
    {"mean": REAL, "scores": ANY_LENGTH},
)
entry("lessons.several_answers.agreement.answer_shares", {"Y": RATED, "scores": SCALE}, {"Y": MISSING | ANY_LENGTH})
entry(
    "lessons.several_answers.agreement.discrete_kl",
    {"shares": np.full((2, 2), 0.5), "log_probabilities": np.log(np.full((2, 2), 0.5))},
)
entry("metrics.whole_scores", {"scores": SCALE}, {"scores": ANY_LENGTH})
ANY_SHAPE = may("any shape", "0-D", "3-D", "column")
entry(
    "lessons.several_answers.agreement.round_to_scale",
    {"mean": MEAN, "scores": SCALE},
    {"mean": REAL | ANY_LENGTH | ANY_SHAPE, "scores": ANY_LENGTH},
)
entry(
    "lessons.several_answers.agreement.agreement",
    {"mean": MEAN, "std": STD, "Y": RATED, "scores": SCALE},
    {"mean": REAL, "Y": MISSING},
)
COLUMNS = {
    "y": np.array([1.0, 2.0, 4.0, 3.0, 5.0]),
    "a": np.array([1.0, 3.0, 3.5, 3.0, 6.0]),
    "b": np.array([2.0, 2.0, 1.0, 4.0, 3.0]),
}
entry("metrics.paired_t_test", {"a": COLUMNS["a"], "b": COLUMNS["b"]}, {"a": REAL, "b": REAL})
entry("lessons.several_answers.agreement.compare_correlations", COLUMNS, dict.fromkeys(COLUMNS, REAL))

# --- data -------------------------------------------------------------------------------------------

FOLDER = datasets.data_folder()
DIGITS = cache(datasets.load_spoken_digits)
SPEECH = cache(datasets.load_running_speech)
WINE = cache(datasets.load_wine)
STORED = cache(lambda: datasets.load_claim("asking").of(seed=0, hill="gentle"))
CHOSEN = {"indices": np.array([0, 2, 1])}
CHOSEN_MAY = may("none, or as many as one likes", "mismatched", "empty", "[]", "0-D") | may("from the end", "negative")
CHOSEN_MAY |= may("a mask, if there are as many", "bool")
for name, load in (
    ("LabelledSequences", lambda: datasets.LabelledSequences(THREE, np.arange(3), 0.01, None)),
    ("Table", WINE),
    ("Choices", cache(datasets.load_train_choices)),
    ("SoundQuality", cache(datasets.load_sound_quality)),
    ("StoredResults", STORED),
):
    entry(f"datasets.{name}.select", CHOSEN, {"indices": CHOSEN_MAY}, on=load)
entry("datasets.SpokenDigits.split", {"per_class": 2, "rng": 1}, {"rng": SEEDS}, on=DIGITS)
entry("datasets.SpokenDigits.leave_out", {"speaker": "theo"}, on=DIGITS)
entry("datasets.SpokenPrompts.__getitem__", {"language_and_digit": ("fr", 3)}, on=cache(datasets.load_spoken_prompts))
entry("datasets.RunningSpeech.occurrences", {"text": "message"}, {"text": may("any text", "str")}, on=SPEECH)
entry("datasets.RunningSpeech.text_between", {"start": 2.0, "end": 5.0}, {"start": NUMBER}, on=SPEECH)
entry(
    "datasets.Table.split",
    {"train": 40, "rng": 1, "groups": np.arange(72)},
    {
        "train": may("a share", "half"),
        "rng": SEEDS,
        "groups": may("labels of any kind", "NaN", "inf", "huge", "huger", "negative", "strs", "complex", "objects"),
    },
    on=WINE,
)
entry("datasets.Table.standardized", {"like": WINE()}, on=WINE)
ABSENT = (FileNotFoundError, NotADirectoryError)
entry("datasets.data_folder", {"package": None}, {"package": may("a folder beside data/", "str")}, may_raise=ABSENT)
entry("datasets.verify_all", {"folder": FOLDER}, {"folder": OPTIONAL}, may_raise=ABSENT)
for name in ("auto_mpg", "boston", "carrots", "concrete", "japanese_vowels", "mock_jurors", "running_speech"):
    entry(f"datasets.load_{name}", {"folder": FOLDER}, may_raise=ABSENT)
for name in ("sound_quality", "spoken_digits", "spoken_prompts", "springall", "train_choices", "wine"):
    entry(f"datasets.load_{name}", {"folder": FOLDER}, may_raise=ABSENT)
entry("datasets.load_claim", {"name": "asking", "folder": FOLDER}, may_raise=ABSENT)
entry("datasets.StoredResults.__getitem__", {"column": "heard"}, on=STORED)
entry(
    "datasets.StoredResults.of",
    {"criterion": "random", "answers": 8},
    call=lambda **wanted: STORED().of(**wanted),
    fixed=("wanted",),
)
entry(
    "datasets.StoredResults.check",
    {"found": {"heard": np.zeros(12)}, "tolerance": 0.1},
    {"tolerance": NOT_NEGATIVE},
    on=STORED,
)
entry("datasets.load_music", {"name": "garzul", "folder": FOLDER}, may_raise=ABSENT)


# --- drawing, explorers -----------------------------------------------------------------------------

DRAWING = figure()[0]
TABLE = np.array([[0.0, 1.0, 2.0], [1.0, 0.5, 3.0]])
entry(
    "widgets.figure",
    {"rows": 1, "columns": 2, "size": (4, 2), "layout": "constrained"},
    {"layout": may("as matplotlib has it", "None"), "size": may("inches", "1-D")},
)
entry("widgets.show", {"drawing": DRAWING, "alt": "a line"}, {"alt": may("any text", "str")})
entry(
    "widgets.quiz",
    {"question": "Which?", "answers": {"this": "Yes.", "that": "No."}, "correct": "this"},
    {"question": may("any text", "str")},
)
entry("widgets.show_source", {"function": sequences.dtw, "docstring": False})
entry(
    "lessons.check_table",
    {"mine": TABLE, "cost": TABLE},
    {"mine": MISSING | REAL | may("None is an empty cell", "objects"), "cost": REAL},
)
entry(
    "lessons.check_moves",
    {"my_moves": [[(1, 1, 2)], [(1, 0, 1), (1, 1, 2)], [(0, 1, 1), (1, 1, 2)]]},
    {"my_moves": OPTIONAL},
)
entry(
    "lessons.check_nearest",
    {"my_predicted": np.array([8, 7]), "distances": TABLE, "labels": np.array([7, 8, 9])},
    {
        "my_predicted": REAL | OPTIONAL | may("a wrong answer gets a hint", "0-D", "3-D", "column", "mismatched"),
        "distances": REAL | may("then the answers do not fit, and get a hint", "mismatched"),
        "labels": REAL,
    },
)
entry(
    "lessons.check_responsibilities",
    {"mine": np.array([0.1, 0.9]), "weights": np.array([0.4, 0.6]), "means": np.array([0.0, 3.0]), "stds": np.ones(2)}
    | {"points": np.array([0.5, 2.5])},
    {"mine": MISSING | REAL | may("None is an empty cell", "objects"), "means": REAL, "points": REAL},
)
entry(
    "lessons.check_log_density",
    {"mine": -3.5, "point": np.array([2.0, 1.0]), "mean": np.array([0.0, 0.5]), "variances": np.array([4.0, 1.0])},
    {"mine": NUMBER | OPTIONAL, "point": REAL, "mean": REAL},
)
entry(
    "lessons.check_ellipse",
    {"my_long": 1.3, "my_short": 0.4, "covariance": np.array([[1.0, 0.5], [0.5, 1.0]])},
    {"my_long": NUMBER | OPTIONAL, "my_short": NUMBER | OPTIONAL},
)
entry(
    "lessons.check_update",
    {
        "my_weight": 0.5,
        "my_mean": 1.2,
        "my_variance": 0.3,
        "points": np.array([0.5, 2.5]),
        "gamma": np.array([0.1, 0.9]),
    }
    | {"old_mean": 1.0},
    {"my_weight": NUMBER | OPTIONAL, "my_mean": NUMBER | OPTIONAL, "my_variance": NUMBER | OPTIONAL}
    | {"points": REAL, "old_mean": NUMBER},
)
entry(
    "lessons.check_column",
    {"mine": np.array([0.2, 0.1]), "startprob": PI, "transmat": A, "emissionprob": B, "observations": [0, 1]},
    {"mine": MISSING | REAL | may("None is an empty cell", "objects"), "observations": ANY_LENGTH},
)
entry(
    "lessons.check_transitions",
    {"mine": np.array([0.6, 0.4]), "counts": np.array([[2.0, 1.0], [1.0, 3.0]]), "visits": np.array([3.5, 4.5])}
    | {"state": 1},
    {"mine": MISSING | REAL | may("None is an empty cell", "objects"), "counts": REAL, "visits": REAL}
    | {"state": may("the first", "zero")},
)
entry(
    "lessons.explore_table",
    {"x": np.array([1.0, 2.0, 4.0]), "y": np.array([1.0, 3.0])},
    {"x": REAL | ANY_LENGTH, "y": REAL | ANY_LENGTH},
    lambda **given: explore_table(**given).sentence,
)
entry(
    "lessons.explore_trellis",
    {
        "startprob": PI,
        "transmat": A,
        "emissionprob": B,
        "observations": "ab",
        "states": ["dry", "wet"],
        "symbols": "abc",
    },
    call=lambda **given: explore_trellis(**given).sentence,
)
ONE_TAKE = datasets.load_spoken_digits().select(datasets.load_spoken_digits().takes < 1)
TAKE_FRAMES = [audio.normalize_cepstra(frames) for frames in ONE_TAKE.sequences]
HEARING = {name: quietly(partial(one.fit, TAKE_FRAMES, ONE_TAKE.labels), {}) for name, one in recognizers().items()}
entry("lessons.explore_my_digit", {"recognizers": HEARING}, {"recognizers": OPTIONAL})
entry("lessons.explore_my_number", {"words": HEARING["GMM-HMM"]}, {"words": OPTIONAL})

# --- gp: kernels, priors, likelihoods ---------------------------------------------------------------

SE, ITEMS = gp.SquaredExponential(1.0, 1.0), np.array([[0.0, 1.0], [1.0, 0.5], [2.0, 2.0], [3.0, -1.0]])
INPUTS = {"X": REAL | ANY_LENGTH, "X2": REAL | ANY_LENGTH}
EACH = may("one for each column", "1-D", "Series")
POSITIVE_1 = {"variance": POSITIVE, "lengthscale": POSITIVE | EACH}
ONES = {"variance": 1.0, "lengthscale": 1.0}
for name in ("Constant", "White"):
    entry(f"gp.{name}", {"variance": 1.0}, {"variance": POSITIVE})
entry("gp.Linear", {"variance": 1.0}, {"variance": POSITIVE | EACH})
for name in ("SquaredExponential", "Matern32"):
    entry(f"gp.{name}", ONES, POSITIVE_1)
entry("gp.Periodic", ONES | {"period": 2.0}, dict.fromkeys((*ONES, "period"), POSITIVE))
entry("gp.Mahalanobis", ONES | {"correlation": np.array([[1.0, 0.3], [0.3, 1.0]])}, POSITIVE_1)
entry(
    "gp.Coregionalization",
    {"n_levels": 3, "rank": 1, "rng": 1, "variance": 0.5, "correlation": 0.4},
    {"rng": SEEDS, "variance": POSITIVE, "correlation": SHARE},
)
entry("gp.OnColumns", {"kernel": SE, "columns": np.array([0, 1])}, {"columns": ANY_LENGTH | may("one column", "0-D")})
entry("gp.Sum", {"kernels": SE}, call=lambda kernels: gp.Sum(kernels, SE))
entry("gp.Product", {"kernels": SE}, call=lambda kernels: gp.Product(kernels, SE))
entry("gp.Kernel.__call__", {"X": ITEMS, "X2": ITEMS[:2]}, INPUTS, on=lambda: SE)
entry("gp.Kernel.inputs", {"X": ITEMS}, INPUTS, lambda X: SE.inputs(X), fixed=("name",))
entry("gp.Kernel.gradient", {"X": ITEMS, "weights": np.eye(4)}, {"X": REAL, "weights": REAL}, on=lambda: SE)
entry("gp.Kernel.on", {"columns": np.array([0, 1])}, {"columns": ANY_LENGTH | may("one column", "0-D")}, on=lambda: SE)
THETA = np.array([0.1, 0.2])
entry("gp.Kernel.with_theta", {"theta": THETA}, {"theta": REAL}, on=lambda: SE)
entry("gp.Kernel.with_priors", {"variance": gp.Fixed()}, on=lambda: SE)
entry("gp.Likelihood.with_theta", {"theta": THETA[:1]}, {"theta": REAL | may("one number", "0-D")}, on=gp.Beta)
entry("gp.Likelihood.with_priors", {"precision": gp.Fixed()}, on=gp.Beta)
entry("gp.Kernel.sharing", {"variance": "size"}, {"variance": may("any text", "str")}, on=lambda: SE)
entry("gp.Likelihood.sharing", {"precision": "nu"}, {"precision": may("any text", "str")}, on=gp.Beta)
INNER[gp.Kernel] = (
    "observed",
    "cross",
    "diagonal",
    "cross_gradient",
    "diagonal_gradient",
    "input_gradient",
    "diagonal_input_gradient",
    "observed",
)
for name in ("HalfStudentT", "Gamma", "LogNormal"):
    good = dict.fromkeys(parameters(getattr(gp, name)), 2.0)
    entry(f"gp.{name}", good, dict.fromkeys(good, POSITIVE))
entry("gp.Normal", {"mean": 0.0, "std": 1.0}, {"mean": NUMBER, "std": POSITIVE})
entry(
    "gp.SmoothBox", {"low": 0.0, "high": 2.0, "softness": 0.1}, {"low": NUMBER, "high": POSITIVE, "softness": POSITIVE}
)
for kind in (gp.Fixed, gp.Flat, gp.HalfStudentT, gp.Gamma, gp.LogNormal, gp.Normal, gp.SmoothBox):
    INNER[kind] = ("log_density",)
INNER[sequences.NormalInverseWishart] = ("log_density",)

GROUPS = np.array([0, 1, 0, 1])
NOISES = {"noise_std": np.array([0.3, 0.6]), "groups": GROUPS}
for name in ("Gaussian", "WarpedGaussian"):
    entry(f"gp.{name}", NOISES, {"groups": ANY_LENGTH})
entry("gp.Gaussian.only", {"group": 1}, {"group": WHOLE_0}, on=lambda: gp.Gaussian(**NOISES))
entry("gp.Rounded", {"likelihood": gp.Beta(5.0), "steps": 4})
entry(
    "gp.Ordinal",
    {"levels": 4, "first_cut": -1.0, "gaps": np.array([1.0, 2.0])},
    {"first_cut": NUMBER, "gaps": may("one number for all gaps", "0-D")},
)
for name, kind in vars(gp).items():  # the others: all of their parameters are positive
    if isinstance(kind, type) and issubclass(kind, gp.Likelihood) and f"gp.{name}" not in ENTRIES and parameters(kind):
        good = dict.fromkeys(parameters(kind), 5.0)
        entry(f"gp.{name}", good, dict.fromkeys(good, POSITIVE))
CHOICE, MARKS = np.array([1.0, -1.0, 1.0, 1.0]), np.array([0.2, 0.5, 0.9, 0.6])
ONE_ANSWER = ANY_LENGTH | may("one answer", "0-D")
entry("gp.Gaussian.check", {"y": CHOICE}, {"y": ONE_ANSWER | REAL}, on=gp.Gaussian)
entry(
    "gp.Rounded.check",
    {"y": np.array([0.0, 0.25, 1.0])},
    {"y": ONE_ANSWER | REAL},
    on=lambda: gp.Rounded(gp.Beta(), 4),
)
entry("gp.Likelihood.check", {"y": CHOICE}, {"y": ONE_ANSWER}, on=gp.Probit)
ONE_ANSWER_MORE = (
    "log_density",
    "link",
    "derivatives",
    "parameter_derivatives",
    "mean",
    "variance",
    "sample",
    "expectations",
)
TILTED = (
    "expected_parameter_gradient",
    "total_parameter_gradient",
    "tilted",
    "tilted_parameter_gradient",
    "log_predictive_density",
    "predict",
)
NEXT_ANSWER = ("predict_mean", "cumulative", "sides", "probability_up_to", "probability_above", "quantile")
INNER[gp.Likelihood] = (*ONE_ANSWER_MORE, *TILTED, *NEXT_ANSWER, "site", "between", "between_parameters")
INNER[gp.Likelihood] += ("evidence_curvature",)
entry(
    "gp.squeeze",
    {"y": MARKS, "low": 0.0, "high": 1.0, "n": None, "inside": 0.01},
    {
        "y": ANY_LENGTH | may("marks of any shape", "0-D", "3-D", "column"),
        "low": may("below all marks", "negative", "zero"),
        "inside": {},
    },
)

# --- gp: observations, rules, models ----------------------------------------------------------------

TWO_PAIRS = np.array([[0, 1], [2, 1], [3, 0], [1, 3]])
VIEWS = gp.ObservationMatrix(np.array([1, 1, 0, 3]), np.array([0, 2, 3, 1]), 4)
PRIOR = gp.Prior(SE(ITEMS), VIEWS)
ANSWERS = {"X": REAL, "y": REAL | MISSING}
NOISE = gp.Gaussian(0.5)
TIMES = {"counts": np.array([1, 2, 0, 1])}
entry("gp.values", {"X": ITEMS, "y": CHOICE, "likelihood": NOISE} | TIMES, ANSWERS)
entry(
    "gp.differences",
    {"X": ITEMS, "pairs": TWO_PAIRS, "y": CHOICE, "likelihood": NOISE} | TIMES,
    ANSWERS,
)
BLOCKS = [gp.values(ITEMS, CHOICE, NOISE), gp.differences(ITEMS, TWO_PAIRS, CHOICE, gp.Probit())]
entry("gp.stack", {"blocks": BLOCKS}, {"blocks": may("an iterable of blocks", "generator")})
INNER[gp.ObservationMatrix] = ("precision", "some", "variances")
MINUS = {"minus": may("−1: nothing is subtracted", "negative")}
entry("gp.ObservationMatrix", {"plus": np.array([1, 1, 0, 3]), "minus": np.array([0, 2, 3, 1]), "n_items": 4}, MINUS)
entry("gp.Prior", {"K": SE(ITEMS), "views": VIEWS, "space": "auto"}, {"K": REAL})
INNER[gp.Observations] = ("likelihood_for",)
INNER[gp.Prior] = ("point", "posterior", "gradient", "predict", "predict_covariance", "drawn", "draws_at")
PLACES = ITEMS[:2] + 0.1
entry("gp.KernelPrior", {"kernel": SE, "X": ITEMS, "views": VIEWS, "space": "auto"}, {"X": REAL})
entry(
    "gp.InducingPrior",
    {"kernel": SE, "X": ITEMS, "views": VIEWS, "Z": PLACES, "moving": False},
    {"X": REAL, "Z": REAL | ANY_LENGTH},
)
entry(
    "gp.inducing_inputs",
    {"inducing": 2, "X": ITEMS, "rng": 1},
    {"inducing": may("places", "DataFrame"), "X": REAL | ANY_LENGTH, "rng": SEEDS},
)
RULE = {"prior": PRIOR, "y": CHOICE, "likelihood": gp.Probit(), "start": None}
ROUNDS, ROUNDS_MAY = {"max_rounds": 50, "tol": 1e-8}, {"tol": POSITIVE, "max_rounds": WHOLE_0}
entry("gp.exact_inference", RULE | {"likelihood": NOISE}, {"y": REAL})
entry("gp.laplace_approximation", RULE | ROUNDS, ROUNDS_MAY)
entry("gp.expectation_propagation", RULE | ROUNDS, ROUNDS_MAY)
entry("gp.variational_inference", RULE | ROUNDS, ROUNDS_MAY)
OPEN_PRIOR = gp.InducingPrior(SE, ITEMS, gp.values(ITEMS, CHOICE).views, PLACES)
FITC = {"prior": OPEN_PRIOR, "y": CHOICE, "likelihood": NOISE, "start": None}
entry("gp.fitc", FITC, {"y": REAL})
LEARN = {"optimize": False, "n_restarts": 0, "rng": 1, "max_iter": 3, "progress": False}
LEARN_MAY = {"n_restarts": WHOLE_0, "rng": SEEDS, "inducing": may("a number of places, or places", "DataFrame")}
model(
    "gp.LatentGP",
    gp.LatentGP,
    {"kernel": SE, "inference": "variational", "inducing": 2, "learn_inducing": False, "space": "auto"} | LEARN,
    {"blocks": BLOCKS, "kernels": [SE]},
    LEARN_MAY,
    {"blocks": may("an iterable of blocks", "generator")},
)
LATENT = cache(lambda: gp.LatentGP(SE, optimize=False).fit(BLOCKS))
NEW = {"X_new": REAL | ANY_LENGTH}
entry("gp.LatentGP.evidence_at", {"theta": np.array([0.1, 0.2, 0.3])}, {"theta": REAL}, on=LATENT)
ASKED, ASKED_MAY = {"X_new": ITEMS, "pairs": TWO_PAIRS}, {"X_new": REAL, "pairs": ANY_LENGTH}
DRAWN = {"X_new": ITEMS, "size": 2, "rng": 1}
MEMBERS = {"size": 2, "rng": 1}
entry("gp.LatentGP.averaged", MEMBERS, {"rng": SEEDS}, on=LATENT)
entry("gp.LatentGP.known_curvature", {"theta": np.array([0.1, 0.2, 0.3])}, {"theta": REAL}, on=LATENT)
CHOSEN = cache(lambda: gp.LatentGP(SE, optimize=False).fit(BLOCKS[1]))
entry("gp.LatentGP.draws", {"X_new": ITEMS}, NEW, on=CHOSEN)


def questions(name, on):
    """Entries of what every model can be asked of f."""
    entry(f"{name}.predict_latent", {"X_new": ITEMS, "return_cov": False}, NEW, on=on)
    entry(f"{name}.predict_difference", ASKED, ASKED_MAY, on=on)
    entry(f"{name}.difference_interval", ASKED | {"confidence": 0.9}, ASKED_MAY | {"confidence": SHARE}, on=on)
    entry(f"{name}.probability_better", ASKED, ASKED_MAY, on=on)
    entry(
        f"{name}.ranking",
        {"X_new": ITEMS, "confidence": 0.9, "size": 20, "rng": 1},
        NEW | {"confidence": SHARE, "rng": SEEDS},
        on=on,
    )
    entry(f"{name}.sample", DRAWN, NEW | {"rng": SEEDS}, on=on)


questions("gp.LatentGP", LATENT)
BLOCK = {"block": WHOLE_0}
entry("gp.LatentGP.predict", ASKED | {"return_std": False, "block": 1}, ASKED_MAY, on=LATENT)
entry("gp.LatentGP.predict_answer", ASKED | {"block": 1}, ASKED_MAY, on=LATENT)
entry(
    "gp.LatentGP.answer_interval",
    ASKED | {"block": 1, "confidence": 0.9},
    ASKED_MAY | {"confidence": SHARE},
    on=LATENT,
)
entry("gp.LatentGP.predict_preference", ASKED | {"block": 1}, ASKED_MAY, on=LATENT)
entry(
    "gp.LatentGP.log_predictive_density",
    {"X_new": ITEMS, "y_new": CHOICE, "pairs": None, "block": 0},
    {"X_new": REAL, "y_new": REAL} | BLOCK,
    on=LATENT,
)
model(
    "gp.GPRegression",
    gp.GPRegression,
    {"kernel": SE, "noise_std": 0.5, "noise_prior": gp.Fixed(), "inference": "fitc", "inducing": 2}
    | {"learn_inducing": False, "center": True}
    | LEARN,
    {"X": ITEMS, "y": CHOICE},
    LEARN_MAY | {"noise_std": POSITIVE, "noise_prior": OPTIONAL},
    ANSWERS,
)
CURVE = cache(lambda: gp.GPRegression(SE, noise_std=0.5, optimize=False).fit(ITEMS, CHOICE))
entry(
    "gp.GPRegression.predict",
    {"X_new": ITEMS, "return_std": True, "return_cov": False},
    NEW,
    on=CURVE,
)
questions("gp.LatentModel", CURVE)
entry("gp.LatentModel.evidence_at", {"theta": np.array([0.1, 0.2, 0.3])}, {"theta": REAL}, on=CURVE)
entry("gp.LatentModel.averaged", MEMBERS, {"rng": SEEDS}, on=CURVE)


def next_answers(name, on, **whose):
    """Entries of predictions of the next answer to an item."""
    entry(f"{name}.predict_answer", {"X_new": ITEMS} | whose, NEW, on=on)
    entry(f"{name}.answer_interval", {"X_new": ITEMS, "confidence": 0.9}, NEW | {"confidence": SHARE}, on=on)


next_answers("gp.GPRegression", CURVE)
entry(
    "gp.GPRegression.log_predictive_density",
    {"X_new": ITEMS, "y_new": CHOICE},
    {"X_new": REAL, "y_new": REAL},
    on=CURVE,
)
K_ITEMS = SE(ITEMS)
entry(
    "lessons.many_people.kronecker.kronecker_regression",
    {
        "K_items": K_ITEMS,
        "K_people": np.array([[1.0, 0.5], [0.5, 1.0]]),
        "Y": RNG.normal(size=(4, 2)),
        "noise_std": 0.5,
    },
    {"Y": REAL, "noise_std": POSITIVE},
)

# --- judgments: marks, panels -----------------------------------------------------------------------

FIT = {"kernel": SE} | LEARN
FIT_MAY = LEARN_MAY | {"kernel": OPTIONAL}
model(
    "judgments.BoundedGP",
    judgments.BoundedGP,
    FIT | {"likelihood": "beta", "inference": "laplace", "low": 0.0, "high": 1.0, "inside": 0.01, "step": None},
    {"X": ITEMS, "y": MARKS},
    FIT_MAY | {"low": may("below all marks", "negative", "zero"), "inside": OPTIONAL},
    {"X": REAL, "y": MISSING},
)
entry(
    "judgments.fit_beta",
    {"y": np.array([0.2, 0.4, 0.6, 0.9]), "condition": ["a", "a", "b", "b"]},
    {"condition": {}},
)
BOUNDED = cache(lambda: judgments.BoundedGP(SE, optimize=False).fit(ITEMS, MARKS))
entry("judgments.BoundedGP.predict", {"X_new": ITEMS, "return_std": False}, NEW, on=BOUNDED)
next_answers("judgments.BoundedGP", BOUNDED)
entry(
    "judgments.BoundedGP.log_predictive_density",
    {"X_new": ITEMS, "y_new": MARKS},
    {"X_new": REAL},
    on=BOUNDED,
)
RATINGS = np.array([[1.0, 2.0, 2.0], [3.0, 3.0, 4.0], [2.0, 1.0, 3.0], [4.0, np.nan, 4.0]])
TABLE_MAY = {"X": REAL, "Y": MISSING | REAL}
REPEATS_MAY = {"Y": TABLE_MAY["Y"] | may("a rater may answer again", "3-D")}
PANEL = FIT | {"noise_std": 0.5, "nugget_std": 0.2, "scale": np.array([0.0, 5.0])}
PANEL_MAY = FIT_MAY | {"noise_std": POSITIVE | OPTIONAL, "nugget_std": POSITIVE | OPTIONAL}
model(
    "judgments.MultiSampleGP",
    judgments.MultiSampleGP,
    PANEL,
    {"X": ITEMS, "Y": RATINGS},
    PANEL_MAY,
    TABLE_MAY | REPEATS_MAY,
)
model(
    "judgments.RepeatedGP",
    judgments.RepeatedGP,
    PANEL | {"nugget_std": None},
    {"X": ITEMS, "Y": RATINGS},
    PANEL_MAY | {"nugget_std": {}},
)
JOINT = cache(lambda: judgments.MultiSampleGP(SE, noise_std=0.5, scale=(0, 5), optimize=False).fit(ITEMS, RATINGS))
INTERVAL = {"confidence": 0.9, "centred": True}
entry("judgments.MultiSampleGP.consensus_interval", INTERVAL, {"confidence": SHARE}, on=JOINT)
entry("judgments.MultiSampleGP.predict", {"X_new": ITEMS, "return_std": False}, NEW, on=JOINT)
next_answers("judgments.MultiSampleGP", JOINT, n_raters=2)
SCORES = {"X_new": ITEMS, "scores": np.arange(6.0)}
SCORES_MAY = NEW | {"scores": ANY_LENGTH}
entry("judgments.MultiSampleGP.predict_scores", SCORES, SCORES_MAY, on=JOINT)
entry(
    "judgments.MultiSampleGP.log_predictive_density",
    {"X_new": ITEMS, "y_new": CHOICE},
    {"X_new": REAL, "y_new": REAL},
    on=JOINT,
)
entry(
    "judgments.answer_table",
    {"Y": RATINGS, "n": 4, "scale": np.array([0.0, 5.0]), "repeats": False},
    {"Y": MISSING},
)
REGIONS = np.array([0, 0, 1, 1])
model(
    "judgments.RaterGP",
    judgments.RaterGP,
    PANEL
    | {"regions": REGIONS, "noise_floor": 0.1, "shrinkage": 0.5, "pooling": None}
    | {"bias_std": 0.5, "bias_prior": gp.Fixed(), "gain_std": 0.3, "opinion_std": None, "gain_degrees": 2.0},
    {"X": ITEMS, "Y": RATINGS},
    PANEL_MAY
    | {"noise_std": POSITIVE | OPTIONAL | may("one for each rater", "Series")}
    | {"regions": may("a number of regions", "0-D"), "noise_floor": NOT_NEGATIVE | OPTIONAL}
    | {"shrinkage": POSITIVE | OPTIONAL, "bias_std": POSITIVE | OPTIONAL, "bias_prior": OPTIONAL}
    | {"gain_std": POSITIVE | OPTIONAL, "opinion_std": POSITIVE | OPTIONAL, "gain_degrees": POSITIVE | OPTIONAL},
)
TRUSTED = cache(lambda: judgments.RaterGP(SE, scale=(0, 5), optimize=False).fit(ITEMS, RATINGS))
for name in ("rater_interval", "trust_table"):
    entry(f"judgments.RaterGP.{name}", {"confidence": 0.9}, {"confidence": SHARE}, on=TRUSTED)
GAINED = cache(lambda: judgments.RaterGP(SE, gain_std=0.3, optimize=False).fit(ITEMS, RATINGS))
entry("judgments.RaterGP.gain_interval", INTERVAL, {"confidence": SHARE}, on=GAINED)
RATERS = {"groups": GROUPS, "floor": 0.1}
entry(
    "judgments.RaterNoise",
    {"noise_std": np.array([0.3, 0.6])} | RATERS,
    {"groups": may("as many as there will be answers", "mismatched"), "floor": NOT_NEGATIVE},
)
LABEL_TABLE = np.array([[1.0, 2.0, 2.0], [3.0, 3.0, 4.0], [2.0, 1.0, 3.0], [4.0, np.nan, 4.0]])
model(
    "judgments.OrdinalRaterGP",
    judgments.OrdinalRaterGP,
    FIT
    | {"levels": 5, "cut_std": None, "inference": "laplace", "nugget_std": 0.2}
    | {"bias_std": 0.5, "bias_prior": gp.Fixed(), "opinion_std": 0.2},
    {"X": ITEMS, "Y": LABEL_TABLE},
    FIT_MAY
    | {"cut_std": POSITIVE | OPTIONAL, "nugget_std": POSITIVE | OPTIONAL, "bias_std": POSITIVE}
    | {"bias_prior": OPTIONAL, "opinion_std": POSITIVE | OPTIONAL},
    {"X": REAL, "Y": MISSING},
)
LABELLED = cache(lambda: judgments.OrdinalRaterGP(SE, optimize=False).fit(ITEMS, LABEL_TABLE))
ONE_RATER = {"rater": 1}
ONE_MAY = NEW | {"rater": WHOLE_0}
entry("judgments.OrdinalRaterGP.predict", {"X_new": ITEMS, "return_std": False}, NEW, on=LABELLED)
entry("judgments.OrdinalRaterGP.predict_answer", {"X_new": ITEMS} | ONE_RATER, ONE_MAY, on=LABELLED)
entry(
    "judgments.OrdinalRaterGP.answer_interval",
    {"X_new": ITEMS, "confidence": 0.9} | ONE_RATER,
    ONE_MAY | {"confidence": SHARE},
    on=LABELLED,
)
entry(
    "judgments.OrdinalRaterGP.log_predictive_density",
    {"X_new": ITEMS, "y_new": np.array([1.0, 2.0, 3.0, 4.0])} | ONE_RATER,
    ONE_MAY,
    on=LABELLED,
)
entry(
    "judgments.OrdinalRaterGP.consensus_interval",
    {"confidence": 0.9, "centred": True},
    {"confidence": SHARE},
    on=LABELLED,
)
MARK_TABLE = np.array([[1.0, 2.0, 2.0], [3.0, 3.0, 4.0], [2.0, 1.0, 3.0], [4.0, np.nan, 4.5]])
model(
    "judgments.BoundedRaterGP",
    judgments.BoundedRaterGP,
    FIT
    | {"likelihood": "beta", "inference": "laplace", "low": 0.0, "high": 5.0, "inside": 0.01, "step": None}
    | {"precision": 10.0, "pooling": 0.5, "bias_std": 0.5, "bias_prior": gp.Fixed(), "opinion_std": 0.2}
    | {"nugget_std": 0.2},
    {"X": ITEMS, "Y": MARK_TABLE},
    FIT_MAY
    | {"low": may("below all marks", "negative", "zero", "half"), "inside": OPTIONAL}
    | {
        "precision": POSITIVE | may("one for each rater", "Series"),
        "pooling": POSITIVE | OPTIONAL,
        "nugget_std": POSITIVE | OPTIONAL,
        "bias_std": POSITIVE,
        "bias_prior": OPTIONAL,
        "opinion_std": POSITIVE | OPTIONAL,
    },
    {"X": REAL, "Y": MISSING},
)
MARKED = cache(lambda: judgments.BoundedRaterGP(SE, high=5.0, bias_std=0.5, optimize=False).fit(ITEMS, MARK_TABLE))
entry("judgments.BoundedRaterGP.predict", {"X_new": ITEMS, "return_std": False}, NEW, on=MARKED)
entry("judgments.BoundedRaterGP.predict_answer", {"X_new": ITEMS} | ONE_RATER, ONE_MAY, on=MARKED)
entry(
    "judgments.BoundedRaterGP.answer_interval",
    {"X_new": ITEMS, "confidence": 0.9} | ONE_RATER,
    ONE_MAY | {"confidence": SHARE},
    on=MARKED,
)
entry(
    "judgments.BoundedRaterGP.log_predictive_density",
    {"X_new": ITEMS, "y_new": MARKS} | ONE_RATER,
    ONE_MAY | {"X_new": REAL},
    on=MARKED,
)
entry("judgments.BoundedRaterGP.precision_interval", {"confidence": 0.9}, {"confidence": SHARE}, on=MARKED)
entry("judgments.BoundedRaterGP.consensus_interval", INTERVAL, {"confidence": SHARE}, on=MARKED)
SCORED = {"X": REAL, "y": MISSING | REAL | may("a rater may answer again", "3-D")}
for name, on, y in (
    ("MultiSampleGP", JOINT, RATINGS),
    ("OrdinalRaterGP", LABELLED, LABEL_TABLE),
    ("BoundedRaterGP", MARKED, MARK_TABLE),
):  # what all panels are asked
    entry(f"judgments.{name}.score", {"X": ITEMS, "y": y}, SCORED, on=on)
    entry(f"judgments.{name}.bias_interval", INTERVAL, {"confidence": SHARE}, on=on)
    entry(f"judgments.{name}.predict_latent", {"X_new": ITEMS, "return_cov": False}, NEW, on=on)
INNER[judgments.RaterNoise] = ("information",)
entry(
    "judgments.RaterGain",
    {"noise_std": np.array([0.3, 0.6]), "log_gain": np.array([0.2, -0.1])} | RATERS,
    {"groups": may("as many as there will be answers", "mismatched"), "floor": NOT_NEGATIVE}
    | {"log_gain": REAL | may("one rater in two regions", "mismatched")},
)
entry(
    "judgments.RaterGain.only",
    {"group": 1},
    {"group": WHOLE_0},
    on=lambda: judgments.RaterGain([0.3, 0.6], log_gain=[0.2, -0.1], **RATERS),
)
entry(
    "judgments.RaterNoise.only",
    {"group": 1},
    {"group": WHOLE_0},
    on=lambda: judgments.RaterNoise([0.3, 0.6], **RATERS),
)
entry("judgments.HierarchicalScalePrior", {"n_raters": 2, "spread": 0.5}, {"spread": POSITIVE})
INNER[judgments.HierarchicalScalePrior] = ("log_density", "curvature")
entry(
    "judgments.find_regions",
    {"regions": REGIONS, "X": ITEMS, "rng": 1},
    {"regions": may("a number of regions", "0-D") | may("one region", "None"), "X": REAL, "rng": SEEDS},
    lambda **given: judgments.find_regions(**given).labels,
)
entry("lessons.unequal_raters.example.first_experiment", {"rng": 1, "by_region": True}, {"rng": SEEDS})
Z = np.array([0.5, 1.0, -0.5, 2.0])
entry(
    "judgments.simulate_raters",
    {"z": Z, "noise_std": np.full((2, 3), 0.5), "rng": 1, "regions": REGIONS, "correlation": 0.2}
    | {"adversaries": np.array([1]), "missing": 0.2},
    {"z": REAL, "rng": SEEDS, "correlation": SHARE | WHOLE_0}
    | {"adversaries": may("none, or one", "empty", "[]", "0-D", "mismatched"), "missing": SHARE | WHOLE_0},
)

# --- judgments: comparisons, people -----------------------------------------------------------------

COMPARED = {"X": ITEMS, "pairs": TWO_PAIRS, "y": CHOICE}
model(
    "judgments.PreferenceGP",
    judgments.PreferenceGP,
    FIT
    | {"response": "choice", "inference": "laplace", "link": "probit", "ties": False, "noise_std": 1.0}
    | {"noise_prior": gp.Fixed(), "precision": 5.0, "precision_prior": gp.Fixed(), "step": None, "space": "auto"}
    | {"inducing": None, "learn_inducing": False},
    COMPARED | {"counts": np.array([1, 2, 1, 1])},
    FIT_MAY | {"noise_std": POSITIVE, "precision": POSITIVE, "noise_prior": OPTIONAL, "precision_prior": OPTIONAL},
    {"X": REAL, "y": MISSING},
)
PREFERS = cache(lambda: judgments.PreferenceGP(SE, optimize=False).fit(**COMPARED))
entry("judgments.PreferenceGP.predict", ASKED | {"return_std": False}, ASKED_MAY, on=PREFERS)
entry("judgments.PreferenceGP.log_predictive_density", ASKED | {"y_new": CHOICE}, {"X_new": REAL}, on=PREFERS)
entry("judgments.PreferenceGP.predict_preference", ASKED, ASKED_MAY, on=PREFERS)
entry("judgments.PreferenceGP.predict_answer", ASKED, ASKED_MAY, on=PREFERS)
entry(
    "judgments.PreferenceGP.answer_interval",
    ASKED | {"confidence": 0.9},
    ASKED_MAY | {"confidence": SHARE},
    on=PREFERS,
)
CIRCLE = {"pairs": np.array([[0, 1], [1, 2], [2, 0], [0, 2]]), "y": np.array([1.0, 1.0, 1.0, 1.0])}
model(
    "lessons.i_prefer_b.baselines.BradleyTerry",
    baselines.BradleyTerry,
    {"alpha": 0.1},
    CIRCLE | {"n_items": 3},
    {"alpha": NOT_NEGATIVE},
    {"y": MISSING},
)
STRENGTHS = cache(lambda: baselines.BradleyTerry(0.1).fit(**CIRCLE))
entry(
    "lessons.i_prefer_b.baselines.BradleyTerry.predict_preference",
    {"pairs": CIRCLE["pairs"]},
    {"pairs": ANY_LENGTH},
    on=STRENGTHS,
)
model(
    "lessons.i_prefer_b.baselines.DifferenceLogit",
    baselines.DifferenceLogit,
    {"C": 10.0},
    COMPARED,
    {"C": POSITIVE | may("no penalty", "inf")},
    {"X": REAL, "y": MISSING},
)
LINE = cache(lambda: baselines.DifferenceLogit(10.0).fit(**COMPARED))
entry(
    "lessons.i_prefer_b.baselines.DifferenceLogit.predict_preference",
    {"X": ITEMS, "pairs": TWO_PAIRS},
    {"X": REAL, "pairs": ANY_LENGTH},
    on=LINE,
)
entry("judgments.Comparison", {"inner": gp.Probit(), "noise_std": 1.0}, {"noise_std": POSITIVE})
entry("judgments.Comparison.check", {"y": CHOICE}, {"y": ONE_ANSWER}, on=lambda: judgments.Comparison(gp.Probit()))
entry("judgments.ProbitWithTies", {"threshold": 0.5}, {"threshold": POSITIVE})
entry(
    "judgments.pseudo_input_laplace",
    {
        "prior": gp.InducingPrior(SE, ITEMS, gp.differences(ITEMS, TWO_PAIRS, CHOICE, gp.Probit()).views, PLACES),
        "y": CHOICE,
        "likelihood": judgments.Comparison(gp.Probit(), 1.0),
        "start": None,
    },
)
entry(
    "judgments.person_pairs",
    {"X": ITEMS, "pairs": TWO_PAIRS, "persons": np.array([0, 1, 1, 0]), "people": Y[:2]},
    {"X": REAL, "people": REAL},
)
entry("judgments.all_pairs", {"n": 3})
entry("judgments.random_pairs", {"n": 4, "m": 3, "rng": 1}, {"rng": SEEDS})
entry("studies.balanced_pairs", {"n_items": 4, "n_pairs": 5, "rng": 1}, {"rng": SEEDS})
entry("studies.balanced_panel", {"n_items": 4, "n_raters": 3, "per_rater": 2, "rng": 1}, {"rng": SEEDS})
GRID = {"contrast": 0.5, "noise_std": 1.0, "confidence": 0.9, "power": 0.8}
IN_PLANS = {"contrast": POSITIVE, "noise_std": POSITIVE} | dict.fromkeys(
    ["confidence", "power"], may("a share", "half")
)
SEVERAL_1D = may("several", "1-D")
entry(
    "studies.plan",
    {"items": 3, "raters": [2, 3], "repeats": 2, "per_rater": 4, "utterances": 2, "over": "new", "learned": True}
    | dict.fromkeys(["bias_std", "opinion_std", "interaction_std", "value_std"], 1.0)
    | GRID,
    {"raters": SEVERAL_1D, "repeats": SEVERAL_1D, "value_std": POSITIVE}
    | dict.fromkeys(["bias_std", "opinion_std", "interaction_std"], NOT_NEGATIVE)
    | IN_PLANS,
)
entry(
    "studies.plan_pairs",
    {"items": 3, "people": 2, "pairs": [3, 4], "value_std": 1.0, "person_std": 1.0, "worlds": 1, "rng": 1} | GRID,
    {"people": SEVERAL_1D, "pairs": SEVERAL_1D, "value_std": POSITIVE, "person_std": NOT_NEGATIVE, "rng": SEEDS}
    | IN_PLANS,
)
PLANNED = cache(lambda: course_studies.plan(3, 5.0, raters=[2, 3], noise_std=1.0))
entry("studies.Plan.paragraph", {"row": 1}, {"row": may("the first", "zero")}, on=PLANNED)
entry("lessons.i_prefer_b.papers.griewangk", {"x": Z}, {"x": REAL | ANY_LENGTH | ANY_SHAPE})
entry(
    "lessons.i_prefer_b.papers.simulate_degrees",
    {"f": Z, "pairs": TWO_PAIRS, "precision": 5.0, "noise_std": 1.0, "rng": 1},
    {"f": REAL, "pairs": ANY_LENGTH, "precision": POSITIVE, "noise_std": POSITIVE, "rng": SEEDS},
)
entry(
    "lessons.i_prefer_b.papers.paper_a",
    {"m": 4, "precision": 5.0, "rng": 1},
    {"precision": POSITIVE, "rng": SEEDS},
)
entry(
    "lessons.many_people.toys.paper_c_toy",
    {"n": 4, "lengthscale": 0.5, "rng": 1},
    {"lengthscale": POSITIVE, "rng": SEEDS},
)
entry("lessons.i_prefer_b.papers.paper_settings", {"paper": "A", "response": "choice"})
SIMULATED = cache(lambda: simulate(SE, 3, 1))

# --- asking -----------------------------------------------------------------------------------------

Q_MEAN, Q_COV = np.array([0.2, -0.1, 0.4]), np.array([[1.0, 0.3, 0.1], [0.3, 2.0, 0.2], [0.1, 0.2, 0.5]])
MEANS_MAY = {"mean": REAL, "cov": REAL | may("variances will do, or a covariance", "1-D")}
entry(
    "judgments.expected_improvement",
    {"mean": Q_MEAN, "cov": Q_COV, "incumbent": 1, "covariance": True},
    MEANS_MAY | {"incumbent": WHOLE_0},
)
entry(
    "judgments.upper_confidence_bound",
    {"mean": Q_MEAN, "cov": Q_COV, "width": 2.0},
    MEANS_MAY | {"width": NOT_NEGATIVE},
)
entry("judgments.thompson", {"mean": Q_MEAN, "cov": Q_COV, "rng": 1}, MEANS_MAY | {"rng": SEEDS})
entry(
    "judgments.expected_best",
    {"mean": Q_MEAN, "cov": Q_COV, "pairs": np.array([(0, 1), (2, 1)])},
    MEANS_MAY | {"pairs": ANY_LENGTH},
)
entry(
    "judgments.bald",
    {"mean": Q_MEAN, "variance": np.array([1.0, 0.5, 2.0]), "likelihood": gp.Probit()},
    {"mean": REAL, "variance": may("a covariance will do", "2-D")},
)
entry(
    "judgments.straddle",
    {"mean": Q_MEAN, "variance": np.array([1.0, 0.5, 2.0]), "threshold": 0.7},
    {"mean": REAL, "threshold": NUMBER},
)
entry(
    "personaliser.BlindTest",
    {"found": np.array([1.0, 2.0]), "baseline": np.array([0.0, 0.5]), "rounds": 3, "rng": 1},
    {"found": REAL, "baseline": REAL, "rng": SEEDS},
)
for name in ("answer", "checked"):
    entry(
        f"personaliser.BlindTest.{name}",
        {"choice": 1},
        {"choice": may("−1 is a choice", "negative")},
        on=lambda: course_personaliser.BlindTest([1.0], [0.0], 3, 1),
    )


def begun_test():
    test = course_personaliser.BlindTest([1.0], [0.0], 3, 1)
    test.answer(1)
    return test


entry("personaliser.BlindTest.interval", {"confidence": 0.9}, {"confidence": SHARE}, on=begun_test)
entry(
    "judgments.Listener",
    {"optimum": np.array([0.3, 0.6]), "width": 0.25, "noise_std": 1.0, "precision": 10.0, "rng": 1},
    {"optimum": ANY_LENGTH, "width": POSITIVE, "noise_std": POSITIVE, "precision": POSITIVE, "rng": SEEDS},
)


def LISTENER():
    return judgments.Listener([0.3, 0.6], rng=1)


POINT = np.array([0.1, 0.9])
entry(
    "judgments.Listener.judge",
    {"a": POINT, "b": POINT[::-1], "response": "degree"},
    {"a": REAL, "b": REAL},
    on=LISTENER,
)
entry("judgments.Listener.rate", {"x": POINT}, {"x": REAL}, on=LISTENER)
entry(
    "judgments.Listener.worth",
    {"x": POINT},
    {"x": REAL | may("as many points as one likes", "2-D", "3-D", "DataFrame")},
    on=LISTENER,
)
SPACE = cache(lambda: course_personaliser.SettingSpace([(0, 1), (-2, 2)]))
entry(
    "personaliser.SettingSpace",
    {"bounds": np.array([(0.0, 1.0), (-2.0, 2.0)]), "steps": None, "names": None, "units": None},
    {"bounds": REAL | ANY_LENGTH, "steps": OPTIONAL, "names": OPTIONAL, "units": OPTIONAL},
)
IN_SPACE = np.array([[0.2, -1.0], [0.5, 0.0], [1.0, 2.0]])
entry("personaliser.SettingSpace.to_unit", {"settings": IN_SPACE}, {"settings": ANY_LENGTH}, on=SPACE, fixed=("name",))
entry("personaliser.SettingSpace.from_unit", {"points": IN_SPACE}, {"points": REAL | ANY_LENGTH}, on=SPACE)
entry("personaliser.SettingSpace.grid", {"side": 3}, on=SPACE)
entry("personaliser.SettingSpace.spread", {"count": 3, "rng": 1}, {"rng": SEEDS}, on=SPACE)
entry("personaliser.SettingSpace.random", {"count": 3, "rng": 1}, {"rng": SEEDS}, on=SPACE)
entry("personaliser.SettingSpace.distance", {"one": IN_SPACE[0], "other": IN_SPACE[1]}, on=SPACE)
ASKING = {
    "bounds": np.array([(0.0, 1.0), (-2.0, 2.0)]),
    "session": None,
    "criterion": "improvement",
    "choose": "auto",
    "kernel": None,
    "learn": True,
    "listener": "P1",
    "rng": 1,
    "about": "jazz",
    "secret": None,
}
ASKING_MAY = {
    "bounds": REAL | ANY_LENGTH,
    "session": OPTIONAL,
    "kernel": OPTIONAL,
    "listener": may("any text is a pseudonym", "str"),
    "about": may("any text", "str") | OPTIONAL,
    "secret": may("any text", "str") | OPTIONAL,
    "rng": SEEDS,
}


def asked(**settings):
    """A personaliser of the first answers."""
    personalizer = course_personaliser.Personalizer([(0, 1), (-2, 2)], **settings)
    personalizer.propose()
    personalizer.answer(0.7)
    personalizer.propose()
    return personalizer


def rated():
    personalizer = course_personaliser.RatingPersonalizer([(0, 1)], rng=1)
    personalizer.propose()
    personalizer.answer(0.7)
    personalizer.propose()
    return personalizer


entry("personaliser.Personalizer.answer", {"value": 0.7}, {"value": SHARE | NUMBER}, on=lambda: asked(rng=1))
entry("personaliser.Personalizer.begin_test", {"baseline": np.array([0.5, 0.0]), "rounds": 3}, on=lambda: asked(rng=1))
entry("personaliser.RatingPersonalizer.answer", {"mark": 0.7}, {"mark": SHARE | WHOLE_0}, on=rated)
entry(
    "personaliser.RatingPersonalizer.move",
    {"ball": 0, "mark": 0.3},
    {"ball": WHOLE_0, "mark": SHARE | WHOLE_0},
    on=rated,
)
for name, on in (("Personalizer", lambda: asked(rng=1)), ("RatingPersonalizer", rated)):
    settings = IN_SPACE if name == "Personalizer" else IN_SPACE[:, :1]
    entry(f"personaliser.{name}.predict", {"settings": settings}, {"settings": ANY_LENGTH}, on=on)
    entry(f"personaliser.{name}.best_range", {"confidence": 0.9}, {"confidence": SHARE}, on=on)

SCRATCH = Path(tempfile.mkdtemp())


@atexit.register
def forget_sessions():
    shutil.rmtree(SCRATCH, ignore_errors=True)


def begun(kind):
    """Makes a session; a text is the name of its file in SCRATCH, and not in the current folder."""

    def call(session, **given):
        if isinstance(session, str) and session:
            session = SCRATCH / f"{kind.__name__} {len(list(SCRATCH.iterdir()))} {session}"
        kind(session=session, **given).close()

    return call


for kind, response in (
    (course_personaliser.Personalizer, "degree"),
    (course_personaliser.RatingPersonalizer, "rating"),
):
    entry(
        f"personaliser.{kind.__name__}",
        ASKING | {"response": response},
        ASKING_MAY | {"session": OPTIONAL | may("a new file", "str")},
        begun(kind),
    )


def kept(kind):
    """The path of a session that was closed."""
    path = SCRATCH / f"{kind}.jsonl"
    if not path.exists():
        getattr(course_personaliser, kind)([(0, 1)], session=path, rng=1).close()
    return str(path)


def resumed(kind):
    def call(**given):
        getattr(course_personaliser, kind).resume(**given).close()

    return call


for kind in ("Personalizer", "RatingPersonalizer"):
    entry(
        f"personaliser.{kind}.resume",
        {"session": kept(kind), "kernel": None, "take_over": False, "secret": None},
        {"session": may("a path", "str"), "kernel": OPTIONAL, "secret": OPTIONAL},
        resumed(kind),
    )


def tabled(path):
    """A text is a name in SCRATCH, and not in the current folder."""
    asked(rng=1).to_csv(SCRATCH / path if isinstance(path, str) and path else path)


entry("personaliser.Personalizer.to_csv", {"path": "table.csv"}, {"path": may("a name", "str")}, tabled)


def testing():
    personalizer = asked(rng=1)
    personalizer.begin_test([0.5, 0.0], rounds=3)
    return personalizer


entry(
    "personaliser.Personalizer.answer_test", {"choice": 1}, {"choice": may("−1 is a choice", "negative")}, on=testing
)
entry("personaliser.agreement", {"one": asked(rng=1), "other": asked(rng=2)})

entry(
    "lessons.check_gain",
    {"my_mean": -0.3, "my_std": 1.1, "mean": Q_MEAN[:2], "cov": Q_COV[:2, :2]},
    {"my_mean": NUMBER | OPTIONAL, "my_std": NUMBER | OPTIONAL, "mean": REAL, "cov": REAL},
)
entry(
    "lessons.check_site",
    {"my_tau": 0.3, "my_nu": 0.6, "slope": 0.3, "curvature": 0.4, "at": 1.0},
    {"my_tau": NUMBER | OPTIONAL, "my_nu": NUMBER | OPTIONAL, "slope": NUMBER, "curvature": NUMBER, "at": NUMBER},
)
entry(
    "lessons.check_cavity",
    {"my_mean": -1.7, "my_variance": 5.0, "mean": 0.9, "variance": 2.0, "tau": 0.3, "nu": 0.8},
    {"my_mean": NUMBER | OPTIONAL, "my_variance": NUMBER | OPTIONAL, "mean": NUMBER, "tau": NUMBER, "nu": NUMBER}
    | {"variance": POSITIVE},
)
entry(
    "lessons.check_warped",
    {"my_density": 1.7, "y": 0.8, "mean": 0.4, "std": 0.7},
    {"my_density": NUMBER | OPTIONAL, "y": NUMBER, "mean": NUMBER, "std": POSITIVE},
)
entry(
    "lessons.check_opinions",
    {"my_alpha": 18.0, "my_beta": 2.0, "my_mode": 0.94, "mean": 0.9, "precision": 20.0},
    {"my_alpha": NUMBER | OPTIONAL, "my_beta": NUMBER | OPTIONAL, "my_mode": NUMBER | OPTIONAL, "mean": NUMBER}
    | {"precision": POSITIVE},
)
entry(
    "lessons.check_chance",
    {"my_chance": 0.7, "mean": 1.0, "variance": 3.0},
    {"my_chance": NUMBER | OPTIONAL, "mean": NUMBER, "variance": POSITIVE},
)
entry(
    "lessons.check_told",
    {"my_mean": 0.96, "my_variance": 0.49, "correlation": 0.8, "answer": 1.5, "noise_std": 0.5},
    {"my_mean": NUMBER | OPTIONAL, "my_variance": NUMBER | OPTIONAL, "correlation": NUMBER, "answer": NUMBER}
    | {"noise_std": POSITIVE},
)
entry(
    "lessons.check_mean",
    {
        "my_mean": np.array([0.2, 0.4]),
        "K": np.eye(3) + 0.2,
        "K_cross": np.full((3, 2), 0.3),
        "y": np.array([1.0, 2.0, 0.5]),
    }
    | {"noise_std": 0.3},
    {"my_mean": REAL | OPTIONAL, "K": REAL, "K_cross": REAL, "y": REAL, "noise_std": POSITIVE},
)
entry(
    "lessons.check_choice",
    {"my_chance": 0.76, "my_other": 0.84, "gap": 0.5, "noise_std": 0.5},
    {"my_chance": NUMBER | OPTIONAL, "my_other": NUMBER | OPTIONAL, "gap": NUMBER, "noise_std": POSITIVE},
)
entry(
    "lessons.check_next_choice",
    {"my_chance": 0.71, "means": np.array([0.4, 0.9]), "covariance": np.array([[0.7, 0.6], [0.6, 0.8]])}
    | {"noise_std": 0.5},
    {"my_chance": NUMBER | OPTIONAL, "means": REAL, "covariance": REAL, "noise_std": POSITIVE},
)
entry(
    "lessons.check_tie",
    {"my_a": 0.2, "my_tie": 0.3, "my_b": 0.5, "z": 0.5, "threshold": 0.4},
    {"my_a": NUMBER | OPTIONAL, "my_tie": NUMBER | OPTIONAL, "my_b": NUMBER | OPTIONAL, "z": NUMBER}
    | {"threshold": POSITIVE},
)
entry(
    "lessons.check_together",
    {"my_variance": 0.4, "my_covariance": 0.3, "worth_variance": 0.2, "correlation": 0.75},
    {"my_variance": NUMBER | OPTIONAL, "my_covariance": NUMBER | OPTIONAL, "worth_variance": POSITIVE}
    | {"correlation": may("any number between −1 and 1", "zero", "half", "negative")},
)
entry(
    "lessons.check_response",
    {"my_mean": np.array([0.2, 0.4, 0.1]), "K": np.eye(3) + 0.2, "A": np.array([[-1, 1, 0], [0, -1, 1]])}
    | {"y": np.array([0.5, -0.3]), "noise_std": 0.3},
    {"my_mean": REAL | OPTIONAL | may("as many as answers are a mistake with a hint", "mismatched")}
    | {"K": REAL, "A": REAL, "y": REAL, "noise_std": POSITIVE},
)
entry(
    "lessons.check_open",
    {"my_spread": 0.6, "my_chance": 0.75, "gap": 0.4, "covariance": np.array([[0.34, 0.32], [0.32, 0.32]])}
    | {"noise_std": 0.4},
    {"my_spread": NUMBER | OPTIONAL, "my_chance": NUMBER | OPTIONAL, "gap": NUMBER, "noise_std": POSITIVE},
)
entry(
    "lessons.check_combined",
    {"my_answer": 3.2, "my_noise": 0.9, "answers": np.array([np.nan, 3.5, 2.0])}
    | {"noise_std": np.array([0.5, 1.0, 2.0])},
    {"my_answer": NUMBER | OPTIONAL, "my_noise": NUMBER | OPTIONAL, "answers": REAL | MISSING},
)
entry(
    "lessons.check_rater_noise",
    {"my_std": 0.5, "answers": np.array([3.5, 2.0]), "mean": np.array([3.0, 2.5]), "variance": np.array([0.2, 0.1])},
    {"my_std": NUMBER | OPTIONAL, "answers": REAL, "mean": REAL},
)
entry(
    "lessons.check_factor",
    {"my_factor": 1.35, "n_answers": 15, "confidence": 0.9},
    {"my_factor": NUMBER | OPTIONAL, "confidence": SHARE},
)
entry("lessons.check_tails", {"my_p": 0.04, "wins": 15, "rounds": 20}, {"my_p": NUMBER | OPTIONAL})
entry(
    "lessons.check_measurement",
    {"my_mean": 6.0, "my_noise": 0.4, "answers": np.array([5.0, 6.0, 8.0, 5.0]), "spread": 0.8},
    {"my_mean": NUMBER | OPTIONAL, "my_noise": NUMBER | OPTIONAL, "spread": POSITIVE}
    | {"answers": MISSING | REAL | ANY_LENGTH},
)
entry(
    "lessons.check_widths",
    {"my_one": 1.3, "my_mean": 0.78, "value_std": 0.5, "spread": 1.2, "raters": 4},
    {"my_one": NUMBER | OPTIONAL, "my_mean": NUMBER | OPTIONAL, "value_std": POSITIVE, "spread": POSITIVE},
)
entry(
    "lessons.check_divergence",
    {"my_kl": 0.35, "shares": np.array([0.5, 0.5, 0.0]), "probabilities": np.array([0.25, 0.5, 0.25])},
    {"my_kl": NUMBER | OPTIONAL},
)
entry(
    "lessons.check_models",
    {"my_models": ["RaterGP", "BoundedGP", "PreferenceGP"]},
    {"my_models": OPTIONAL},
)
entry(
    "lessons.check_raters",
    {"my_raters": 45, "noise": 1.0, "reach": 0.35},
    {"my_raters": OPTIONAL, "noise": POSITIVE, "reach": POSITIVE},
)
entry(
    "lessons.check_softness",
    {"my_low": 0.85, "my_high": 0.99, "said": 2.0, "std": 0.5},
    {"my_low": NUMBER | OPTIONAL, "my_high": NUMBER | OPTIONAL, "said": NUMBER, "std": POSITIVE},
)
entry(
    "lessons.check_confidence",
    {"my_probabilities": np.array([0.3, 0.4, 0.3]), "difference": -0.7, "likert": Likert(3)},
    {"my_probabilities": REAL | OPTIONAL, "difference": NUMBER},
)

# --- strings of words -------------------------------------------------------------------------------

CHAIN = sequences.DiscreteHMM(1, 3, max_iter=2)
SPEAKS = cache(lambda: quietly(lambda: sequences.ModelPerWord(CHAIN).fit(SYMBOLS * 2, WORDS), {}))
JOINED = cache(lambda: ConnectedWords(SPEAKS()))
entry(
    "lessons.hmm.connected.ConnectedWords",
    {"recognizer": SPEAKS(), "insertion_penalty": 0.0, "bigram": np.array([[0.5, 0.5], [0.3, 0.7]])},
    {"insertion_penalty": NUMBER},
    lambda **given: ConnectedWords(**given).decode(SYMBOLS[0]),
)
entry("lessons.hmm.connected.ConnectedWords.decode", {"sequence": SYMBOLS[0]}, {"sequence": SYMBOLS_MAY}, on=JOINED)
entry("lessons.hmm.connected.ConnectedWords.predict", {"sequences": SYMBOLS}, {"sequences": SYMBOLS_MAY}, on=JOINED)
entry(
    "lessons.hmm.connected.ConnectedWords.align",
    {"sequence": SYMBOLS[0], "words": np.array([0, 1])},
    {"sequence": SYMBOLS_MAY, "words": ANY_LENGTH},
    on=JOINED,
)
entry("sequences.ModelPerWord.predict_proba", FRAMES, LISTS, on=PER_WORD)
entry("sequences.BagOfFrames.score", FRAMES, LISTS, on=FITTED_BAG)
entry("sequences.TimeNormalized.score", FRAMES, LISTS, on=FITTED_TIME)
entry("sequences.GaussianMixture.bic", {"X": MANY}, POINTS, on=GMM)
entry("judgments.PreferenceGP.score", COMPARED, {"X": REAL}, on=PREFERS)

# --- judgments: tables ------------------------------------------------------------------------------

RATED_FRAME = pd.DataFrame(
    {"clip": list("aabbccdd"), "who": ["Ann", "Ben"] * 4, "mark": [1.5, 2.0, 3.0, 3.5, 2.0, 1.0, 4.0, 4.5]}
).assign(x=lambda frame: frame["clip"].map(dict(zip("abcd", (0.0, 0.4, 1.0, 1.3), strict=True))))
RATED_FRAME["z"] = RATED_FRAME["x"] ** 2
WIDE_FRAME = pd.DataFrame({"Ann": [1.5, 3.0, 2.0], "Ben": [2.0, 3.5, 1.0], "x": [0.0, 0.4, 1.0]}, index=list("abc"))
WIDE_FRAME["clip"] = list("abc")
PAIR_FRAME = pd.DataFrame(
    {"L": list("abcdab"), "R": list("bcdacd"), "said": ["left", "right", "same", "left", "left", "right"]}
).assign(who=["Ann", "Ben"] * 3, trial=range(6))
ITEM_FRAME = RATED_FRAME.drop_duplicates("clip").set_index("clip")[["x", "z"]]
LONG_CALL = {"frame": RATED_FRAME, "item": "clip", "rater": "who", "rating": "mark", "features": ["x", "z"]}
LONG_CALL |= {"scale": (0.0, 10.0), "missing": -1.0, "repeats": "all", "also": ["z"]}
WIDE_CALL = {"frame": WIDE_FRAME, "raters": ["Ann", "Ben"], "features": ["x"], "item": "clip", "scale": (0.0, 10.0)}
WIDE_CALL |= {"missing": -1.0}
PAIRS_CALL = {"frame": PAIR_FRAME, "first": "L", "second": "R", "answer": "said", "person": "who"}
PAIRS_CALL |= {"features": ITEM_FRAME, "sides": ("left", "right"), "tie": "same", "response": "choice", "scale": None}
PAIRS_CALL |= {"also": ["trial"], "step": None}
A_WORD = may(
    "any value may stand for no answer",
    *["NaN", "inf", "zero", "half", "str", "None", "bool", "complex", "huge", "huger", "negative"],
)
A_WORD |= may("nothing stands for no answer", "empty") | may("several may", "1-D")
TABLE_MAY = {"missing": A_WORD, "repeats": OPTIONAL}


def _both_ways(frame, rater, items, **rest):
    """Of a wide table, and of the same as if its rows were people."""
    return course_studies.from_wide(frame, **rest), course_studies.from_wide(frame, rater=rater, items=items)


entry("studies.from_long", LONG_CALL, TABLE_MAY)
entry("studies.from_wide", WIDE_CALL | {"rater": "clip", "items": ["Ann", "x"]}, TABLE_MAY, _both_ways)
entry("studies.from_pairs", PAIRS_CALL, {"tie": may("several words for a tie", "1-D")})
CLASS_CALL = {"folder": Path(__file__).parent.parent / "teaching/class_data", "names": False}
entry("studies.load_panel", CLASS_CALL)
LONG_TABLE = cache(lambda: course_studies.from_long(**LONG_CALL))
PAIR_TABLE = cache(lambda: course_studies.from_pairs(**PAIRS_CALL))

CELLS = [(s, u, r) for s in "ST" for u in "xy" for r in ("Ann", "Ben", "Cy", "Di")]
CELL_FRAME = pd.DataFrame(CELLS, columns=["system", "utterance", "who"])
CELL_FRAME = CELL_FRAME.assign(mark=np.arange(16) % 5, trial=range(16), day=["Mon", "Tue"] * 8)
CELL_FRAME = CELL_FRAME.assign(ear=CELL_FRAME["who"] < "Cy", age=CELL_FRAME["who"].str.len())
entry("studies.intraclass_correlations", {"table": LONG_TABLE()})
entry("studies.krippendorff_alpha", {"table": LONG_TABLE(), "metric": "interval"})
ROWS_MAY = may("none", "empty", "[]") | ANY_LENGTH | may("they count from the end", "negative")
ROWS_MAY |= may("one of them", "0-D")
PICKED = ({"indices": np.array([0, 1, 3])}, {"indices": ROWS_MAY})
entry("studies.RatingTable.__getitem__", *PICKED, lambda indices: LONG_TABLE()[indices].rating)
entry("studies.PairTable.__getitem__", *PICKED, lambda indices: PAIR_TABLE()[indices].answer)
NO_Y = {"y": None}
RATED = cache(lambda: course_studies.RatingStudy(judgments.RaterGP(SE, optimize=False)).fit(LONG_TABLE()))
TIED = judgments.PreferenceGP(SE, ties=True, optimize=False)
PREFERRED = cache(lambda: course_studies.PairStudy(TIED, people="own").fit(PAIR_TABLE()))
RATING_MODEL = {"model": judgments.MultiSampleGP(SE, optimize=False), "standardize": True, "plug_in": True}
RATING_MODEL |= {"response": "number", "design": None}
PAIR_MODEL = {"model": TIED, "design": None, "standardize": True, "plug_in": True, "people": "own"}
model("studies.RatingStudy", course_studies.RatingStudy, RATING_MODEL, {"table": LONG_TABLE()} | NO_Y)
model("studies.PairStudy", course_studies.PairStudy, PAIR_MODEL, {"table": PAIR_TABLE()} | NO_Y)
SURE = {"confidence": 0.9}
SURE_MAY = {"confidence": SHARE}
SOME = {"pairs": [("a", "b"), ("c", "d")]}


def _draws(study, **given):
    """Of a study, with nothing but a stub in the place of ArviZ."""
    arviz = types.SimpleNamespace(from_dict=lambda posterior, coords, dims: posterior["posterior"]["value"])
    with mock.patch.dict("sys.modules", arviz=arviz):
        return study().draws(**given)


for name, study, table in (("RatingStudy", RATED, LONG_TABLE), ("PairStudy", PREFERRED, PAIR_TABLE)):
    person = {} if name == "RatingStudy" else {"person": "Ann"}
    entry(f"studies.{name}.contrasts", SOME | SURE | {"together": True}, SURE_MAY, on=study)
    entry(f"studies.{name}.ranking", SURE, SURE_MAY, on=study)
    entry(f"studies.{name}.draws", {"size": 3, "rng": 1}, {"rng": SEEDS}, partial(_draws, study))
    entry(f"studies.{name}.predict", {"frame": ITEM_FRAME} | SURE | person, SURE_MAY, on=study)
    entry(f"studies.{name}.forecasts", {"table": table()}, on=study)
    entry(f"studies.{name}.score", {"table": table()} | NO_Y, on=study)
entry("studies.RatingStudy.consensus", SURE | {"centred": True}, SURE_MAY, on=RATED)
entry("studies.RatingStudy.screen", SURE, SURE_MAY, on=RATED)
entry("studies.RatingTable.without", {"raters": ["Ann"]}, {"raters": ANY_LENGTH}, on=LONG_TABLE)
entry("studies.RatingStudy.log_score", {"table": LONG_TABLE()}, on=RATED)
entry("studies.RatingStudy.compare", {"table": LONG_TABLE(), "folds": 2}, on=RATED)
entry("studies.RatingStudy.trust", SURE, SURE_MAY, on=RATED)
LEVELS = {"levels": np.array([0.5, 0.9])}
entry("studies.RatingStudy.coverage", {"table": LONG_TABLE()} | LEVELS, {"levels": ANY_LENGTH}, on=RATED)
entry("studies.PairStudy.worth", SURE | {"person": "Ann", "group": None}, SURE_MAY, on=PREFERRED)
entry("studies.PairStudy.shares", SOME | {"person": "Ann"}, on=PREFERRED)
entry("studies.PairStudy.calibration", {"table": PAIR_TABLE(), "bins": 2}, on=PREFERRED)
entry("judgments.PreferenceGP.predict_shares", ASKED, ASKED_MAY, on=PREFERS)
ANY_SHAPE = may("any shape", "0-D", "3-D", "mismatched", "column")
entry(
    "judgments.BoundedGP.expected_mark",
    {"f": np.array([0.2, -0.4, 1.0]), "std": 0.3},
    {"f": REAL | ANY_SHAPE, "std": NOT_NEGATIVE | may("one for each f", "Series")},
    on=BOUNDED,
)
entry("gp.GPRegression.score", {"X": ITEMS, "y": CHOICE}, {"X": REAL, "y": MISSING | REAL}, on=CURVE)
entry("judgments.BoundedGP.score", {"X": ITEMS, "y": MARKS}, {"X": REAL, "y": MISSING | REAL}, on=BOUNDED)

# --- validation: what checks the others -------------------------------------------------------------

VALUE, ELEMENTS = X[:, 0].copy(), REAL | ANY_LENGTH


def check(name, value, accepts=None, argument="value", where=validation, **rest):
    """An entry of a function of `validation`, or of another module: one value, and what the programmer says of it."""
    function = getattr(where, name)

    def call(**given):
        return function(**given, name=argument, **rest)

    room = where.__name__.removeprefix("course_lib.")
    entry(f"{room}.{name}", {argument: value}, accepts and {argument: accepts}, call, fixed=("name", *rest))


NONE_AT_ALL = may("there may be none", "empty", "[]")
check("array", VALUE, may("it only looks at the form", ANY))
check("real_array", VALUE, ELEMENTS | ANY_SHAPE, empty=False)
check("real_numbers", VALUE, ELEMENTS | ANY_SHAPE | NONE_AT_ALL | may("left to those who know", "NaN", "inf"))
check("answers", VALUE, ELEMENTS | ANY_SHAPE | NONE_AT_ALL | MISSING)
check("sequence", VALUE, ELEMENTS)
check("sequences", THREE, ELEMENTS, "values", checks, in_time=True)
check("listed", THREE, may("it only looks at the list", ANY), "values", checks)
check("pairs", np.array([[0, 1], [1, 2]]), ANY_LENGTH, where=selection, n=3, empty=False)
check("labels", np.array([2, 0, 1]), ANY_LABEL, where=selection, count=3, of="things")
check(
    "indices",
    np.array([2, 0, 1]),
    ANY_LENGTH,
    where=selection,
    shape=(None,),
    count=3,
    of="things",
    rows="",
    empty=False,
)
check("matrix", COVARIANCE, REAL, shape=(2, 2))
check("square", COVARIANCE, REAL)
check("positives", np.array([1.0, 2.0]), ANY_LENGTH | ANY_SHAPE)
BOTH = {"first": VALUE, "second": VALUE}
entry(
    "validation.vectors",
    BOTH,
    dict.fromkeys(BOTH, REAL),
    call=lambda **given: validation.vectors(**given),
    fixed=("least",),
)
check("probabilities", A, where=checks, shape=(2, 2))
check("finite", 2.0, NUMBER)
check("positive", 2.0, POSITIVE)
check("not_negative", 2.0, NOT_NEGATIVE)
check("between", 0.3, SHARE, low=0.0, high=1.0)
check("fraction", 0.3, SHARE | WHOLE_0)
check("integer", 2, least=1)
check("flag", True)
check("one_of", "this", options=("this", "that"))
check("text", "this", may("any text", "str"), needed="a text")
check("path", "this", may("any text", "str"))
check("instance", PATTERN, kind=sequences.StepPattern, needed="a pattern")
check("has_methods", DENSITY, methods=("fit",), needed="an estimator")
check("unused", None, OPTIONAL, why="it is of no use")
check("generator", 1, SEEDS)
check("ends", np.array([0.0, 5.0]), REAL, "pair")
entry("validation.interval", {"low": 0.0, "high": 2.0}, {"low": NUMBER, "high": POSITIVE}, fixed=("names",))
INNER[validation] = ("same_features", "fitted", "came")
INNER[selection], INNER[checks] = ("positions",), ("warn_if_transposed",)
entry(
    "validation.optional_import",
    {},
    call=lambda: validation.optional_import("numpy", "core"),
    fixed=("module", "name"),
)
entry("validation.warn", {}, call=lambda: validation.warn("told", UserWarning), fixed=("message", "category"))

# --- mixed feedback ---------------------------------------------------------------------------------

IS_INSIDE = np.array([True, False, True])
BOOLS = may("bools are what it needs", "bool")
entry(
    "lessons.check_scores",
    {"my_precision": 0.5, "my_recall": 0.5, "my_f1": 0.5, "predicted": IS_INSIDE, "inside": IS_INSIDE},
    dict.fromkeys(("my_precision", "my_recall", "my_f1"), NUMBER | OPTIONAL) | {"predicted": BOOLS, "inside": BOOLS},
)
