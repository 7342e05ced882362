"""Rival recognisers of lecture 01: on words that are known by hand, and against the library's own recogniser."""

import numpy as np
import pytest

from course_lessons.dtw import recognition
from course_lib import audio, datasets
from course_lib import sequences as seq


def test_the_nearest_and_the_nearest_on_average_can_differ():
    distances, labels = np.array([[1.0, 9.0, 3.0, 4.0]]), np.array([5, 5, 2, 2])
    assert recognition.by_best(distances, labels).tolist() == [5]
    assert recognition.by_mean(distances, labels).tolist() == [2]


def test_a_constant_recording_stays_constant_when_stretched():
    short, long = np.full((3, 2), 4.0), np.full((50, 2), 4.0)
    np.testing.assert_allclose(recognition.stretched([short, long]), np.full((2, 2 * recognition.LINEAR_FRAMES), 4.0))


def test_accuracies_are_those_of_the_librarys_recogniser():
    digits = datasets.load_spoken_digits()
    found = recognition.rivals(digits, draw=1, per_class=2, every=200)
    drawn, rest = digits.split(per_class=2, rng=1)
    rest = rest.select(np.arange(1, len(rest), 200))
    known, test = ([audio.normalize_cepstra(s) for s in part.sequences] for part in (drawn, rest))
    for name, per_word in (("best", "best"), ("mean", "mean")):
        answers = seq.TemplateRecognizer(per_word).fit(known, drawn.labels).predict(test)
        assert found[f"DTW, {name} of 2 templates"] == pytest.approx(np.mean(answers == rest.labels))
    assert len(found) == 9
    assert all(0 <= share <= 1 for share in found.values())
