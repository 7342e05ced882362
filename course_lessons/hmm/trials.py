"""Trying a recogniser: what it gets right, how long it takes, and how many numbers it keeps.

Lecture: 04, section 8.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from course_lib import selection, validation
from course_lib.sequences import checks

TRAINING_ATTRIBUTES = ("trace_", "min_variance_")


class Trial(NamedTuple):
    """Results of a recogniser: right (n,), seconds of training and per recording, number of floats kept."""

    right: np.ndarray
    training: float
    decoding: float
    numbers: int


def try_recognizer(
    recognizer: object,
    train: Sequence[ArrayLike],
    train_labels: ArrayLike,
    test: Sequence[ArrayLike],
    test_labels: ArrayLike,
) -> Trial:
    """Fit a recogniser, test it on other recordings, and measure the time of both and its size in floats."""
    validation.has_methods(recognizer, ("fit", "predict"), "recognizer", "a recogniser, such as TemplateRecognizer(),")
    train, test = checks.listed(train, "train"), checks.listed(test, "test")
    train_labels = selection.labels(train_labels, "train_labels", len(train), "recordings in train")
    test_labels = selection.labels(test_labels, "test_labels", len(test), "recordings in test")
    begin = time.perf_counter()
    _with_list_name("train", recognizer.fit, train, train_labels)
    fitted = time.perf_counter()
    right = _with_list_name("test", recognizer.predict, test) == test_labels
    return Trial(right, fitted - begin, (time.perf_counter() - fitted) / len(right), _count_floats(recognizer))


def _with_list_name(name, act, *recordings):
    """Call the recogniser with these recordings; its ValueErrors then say which of the two lists they are about."""
    try:
        return act(*recordings)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _count_floats(part):
    """Number of floats of a fitted object, without traces and floors of training."""
    if isinstance(part, np.ndarray):
        return part.size if part.dtype.kind == "f" else 0
    if isinstance(part, list):
        return sum(map(_count_floats, part))
    learned = vars(part).items() if isinstance(part, BaseEstimator) else ()
    kept = [value for name, value in learned if name.endswith("_") and name not in TRAINING_ATTRIBUTES]
    return sum(map(_count_floats, kept))
