"""Template recognisers, averages and time-normalisation."""

import numpy as np
import pytest

from course_lib import sequences as seq
from course_lib.datasets import load_spoken_digits


def words(rng, per_word, noise=0.2):
    """Three made-up words, each recording at its own speed."""
    shapes = [np.sin(np.linspace(0, k * np.pi, 40)) for k in (1, 2, 3)]
    recordings, labels = [], []
    for label, shape in zip("abc", shapes, strict=True):
        for _ in range(per_word):
            length = rng.integers(25, 50)
            when = np.linspace(0, 1, length) ** rng.uniform(0.7, 1.4)
            values = np.interp(when, np.linspace(0, 1, 40), shape)
            recordings.append(np.column_stack([values, values**2]) + noise * rng.normal(size=(length, 2)))
            labels.append(label)
    return recordings, np.array(labels)


@pytest.mark.parametrize("per_word", ["best", "mean"])
def test_recogniser_is_the_definition(per_word):
    rng = np.random.default_rng(0)
    templates, labels = words(rng, 3)
    recordings, truth = words(rng, 2)
    model = seq.TemplateRecognizer(per_word=per_word).fit(templates, labels)
    combine = min if per_word == "best" else (lambda values: sum(values) / len(values))
    for recording, table_row in zip(recordings, model.word_distances(recordings), strict=True):
        for word, value in zip("abc", table_row, strict=True):
            each = [
                seq.dtw(recording, t).normalized_distance
                for t, lab in zip(templates, labels, strict=True)
                if lab == word
            ]
            assert value == pytest.approx(combine(each))
    assert model.score(recordings, truth) == 1.0
    assert model.predict(recordings).tolist() == truth.tolist()


def test_recogniser_on_real_digits_beats_chance_by_far():
    digits = load_spoken_digits()
    train, test = digits.split(per_class=3, rng=0)
    test = test.select(np.random.default_rng(0).choice(len(test.sequences), 100, replace=False))
    model = seq.TemplateRecognizer().fit(train.sequences, train.labels)
    assert model.score(test.sequences, test.labels) > 0.3


def test_average_is_fixed_for_one_sequence_and_never_gets_worse():
    rng = np.random.default_rng(1)
    recordings, _ = words(rng, 6)
    one = recordings[0]
    np.testing.assert_allclose(seq.barycenter_average([one])[0], one)
    center, costs = seq.barycenter_average(recordings[:6], max_rounds=8)
    assert (np.diff(costs) <= 1e-9).all()
    assert costs[-1] < costs[0]
    total = sum(seq.dtw(center, x, seq.SYMMETRIC1, distance="squared").distance for x in recordings[:6])
    assert total == pytest.approx(costs[-1])


def test_average_recovers_what_was_warped():
    """Noisy, warped copies of one curve: the average lies nearer to the curve than the medoid does."""
    rng = np.random.default_rng(2)
    recordings, _ = words(rng, 12, noise=0.3)
    clean = np.sin(np.linspace(0, np.pi, 40))
    clean = np.column_stack([clean, clean**2])
    center, _ = seq.barycenter_average(recordings[:12])
    middle = recordings[seq.medoid(recordings[:12])]
    assert seq.dtw(center, clean).normalized_distance < 0.8 * seq.dtw(middle, clean).normalized_distance


def test_medoid_has_the_least_sum():
    rng = np.random.default_rng(3)
    recordings, _ = words(rng, 2)
    sums = [sum(seq.dtw(x, y).normalized_distance for y in recordings) for x in recordings]
    assert seq.medoid(recordings) == np.argmin(sums)


def test_time_normalisation_is_linear():
    np.testing.assert_allclose(seq.time_normalize([0.0, 1.0, 4.0], 5).ravel(), [0, 0.5, 1, 2.5, 4])
    np.testing.assert_allclose(seq.time_normalize([[1.0, 2.0]], 3), [[1, 2]] * 3)
    x = np.random.default_rng(4).normal(size=(7, 2))
    np.testing.assert_allclose(seq.time_normalize(x, 7), x)


def test_errors():
    with pytest.raises(ValueError, match="one for each of 2 templates"):
        seq.TemplateRecognizer().fit([[1.0], [2.0]], ["a"])
    with pytest.raises(ValueError, match="per_word is 'worst'"):
        seq.TemplateRecognizer(per_word="worst").fit([[1.0]], ["a"])
    with pytest.raises(ValueError, match="n_frames is 1"):
        seq.time_normalize([1.0, 2.0], 1)
    with pytest.raises(ValueError, match="differ from path to path"):
        seq.TemplateRecognizer(step_pattern=seq.SYMMETRIC1).fit([[1.0]], ["a"]).predict([[1.0]])
