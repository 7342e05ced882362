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


def test_unheard_voices_are_recognised_by_templates_of_the_others_alone():
    digits = datasets.load_spoken_digits()
    few = digits.select(np.isin(digits.speakers, ["theo", "lucas"]))
    found = recognition.unheard_voices(few, draws=2, per_class=2, every=100)
    right = []
    for draw in range(2):
        others, theo = few.leave_out("theo")
        kept, test = others.split(2, rng=draw)[0], theo.select(slice(draw, None, 100))
        known, new = ([audio.normalize_cepstra(s) for s in part.sequences] for part in (kept, test))
        right.append(np.mean(seq.TemplateRecognizer().fit(known, kept.labels).predict(new) == test.labels))
    assert found["theo"] == pytest.approx((np.mean(right), np.std(right, ddof=1)))
