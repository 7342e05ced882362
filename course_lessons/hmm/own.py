"""One's own digit before the recognisers of Act I: what each of them hears, and when the states of a word hear it.

Lecture: 04, sections 8 and 11.
"""

import warnings
from functools import cache
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from course_lessons.hmm import act_one
from course_lessons.hmm.spliced import cut_out, spliced_strings
from course_lib import audio, datasets, validation
from course_lib.audio.whispering import BANDS
from course_widgets.microphone import Recording

HOP_SECONDS = 0.025  # of the spoken digits
WINDOW_SECONDS = 0.05  # is not recorded for them: data/spoken_digits/README.md says why this one
NUMBERS = ("4 5 7 9 0 1", "8 6 5 2 3 0", "8 2 1 2 4 8", "8 0 1 2 1 8", "7 9 8 5 9 9", "6 8 0 8 4 5")
WITH_STATES = "GMM-HMM"  # the recogniser whose states are shown


class Heard(NamedTuple):
    """What is made of one recording: frames (T, 13), and (R, W) rank of each word for each recogniser, from 1.

    words : (R,) the best words;  lead : nats from the best word to the second of the recogniser with states
    """

    frames: np.ndarray
    ranks: np.ndarray
    words: np.ndarray
    lead: float


@cache
def fitted():
    """The recognisers of section 8, fitted to the 600 recordings there."""
    train, words, *_ = act_one.known_voices(datasets.load_spoken_digits())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # training is cut short on purpose
        return {name: one.fit(train, words) for name, one in act_one.recognizers().items()}


@cache
def fitted_to_strings():
    """The GMM-HMM of section 11, fitted to pieces of strings of the same 600 recordings."""
    train, _ = datasets.load_spoken_digits().split(60, rng=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return act_one.recognizers()[WITH_STATES].fit(*cut_out(spliced_strings(train, None, 5, rng=0)))


def named(recognizers):
    """The recognisers, if they are {name: fitted recogniser} and have states; else a ValueError."""
    if not isinstance(recognizers, dict) or not all(hasattr(one, "classes_") for one in recognizers.values()):
        raise ValueError(f"recognizers {validation.came(recognizers)}; {{name: fitted recogniser}} is needed.")
    with_states(recognizers.get(WITH_STATES), f"recognizers[{WITH_STATES!r}]")
    return recognizers


def with_states(words, name):
    """The recogniser, if it is a fitted ModelPerWord of hidden Markov models; else a ValueError."""
    if not all(hasattr(one, "transmat_") for one in getattr(words, "models_", [words])):
        raise ValueError(f"{name} {validation.came(words)}; a fitted ModelPerWord of hidden Markov models is needed.")
    return words


def ready_digits():
    """{digit: Recording} by the English woman, without silence at its ends."""
    prompts = datasets.load_spoken_prompts()
    return {
        digit: Recording(audio.trim(prompts["en", digit], prompts.rate), prompts.rate, prompts.words["en", digit])
        for digit in range(10)
    }


def ready_numbers():
    """{digits: samples} of six ready digits in a row, each."""
    ready = ready_digits()
    return {number: np.concatenate([ready[int(digit)].samples for digit in number.split()]) for number in NUMBERS}


def digit_frames(samples, rate):
    """(T, 13) MFCCs on the scale of the spoken digits, not normalised."""
    return audio.mfcc(samples, rate, window_seconds=WINDOW_SECONDS, hop_seconds=HOP_SECONDS, n_bands=BANDS)


def word_scores(recognizer, frames):
    """(W,) score of each word, of which the best is the largest: log probabilities, or distances times −1."""
    if hasattr(recognizer, "word_distances"):
        return -recognizer.word_distances([frames])[0]
    return recognizer.log_likelihoods([frames])[0] + recognizer.log_priors_


def hear(recognizers, recording):
    """What {name: fitted recogniser} make of a Recording."""
    frames = digit_frames(recording.samples, recording.rate)
    normal = audio.normalize_cepstra(frames)
    scores = {name: word_scores(one, normal) for name, one in recognizers.items()}
    order = np.argsort(-np.array(list(scores.values())), axis=1, kind="stable")
    second, first = np.sort(scores[WITH_STATES])[-2:]
    words = [one.classes_[best] for one, best in zip(recognizers.values(), order[:, 0], strict=True)]
    return Heard(frames, 1 + order.argsort(axis=1), np.array(words), first - second)


def recognised(recognizer, recordings):
    """How many of {digit: Recording} are recognised."""
    frames = [audio.normalize_cepstra(digit_frames(one.samples, one.rate)) for one in recordings.values()]
    return int(np.sum(recognizer.predict(frames) == list(recordings)))


def state_posterior(model, frames):
    """(γ (T, N), (T, D) frames that the states expect on average under γ), on the scale of the frames given."""
    gamma = model.predict_proba(audio.normalize_cepstra(frames))
    return gamma, frames.mean(axis=0) + frames.std(axis=0) * (gamma @ state_means(model))


def state_means(model):
    """(N, D) frames that the states expect, on the scale of normalised ones."""
    return np.einsum("nm,nmd->nd", model.weights_, model.means_)
