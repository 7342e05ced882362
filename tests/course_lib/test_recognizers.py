"""Recognisers by their definitions: Bayes' rule, sums over frames, nearest centres."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from course_lessons.hmm.trials import try_recognizer
from course_lib import sequences as seq
from course_lib.datasets import load_spoken_digits

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def two_words(rng, counts=(6, 6), D=2):
    """Frames around 0 for "no", around 1.5 for "yes"."""
    sequences, labels = [], []
    for word, count, center in (("no", counts[0], 0.0), ("yes", counts[1], 1.5)):
        sequences += [center + rng.normal(size=(rng.integers(5, 12), D)) for _ in range(count)]
        labels += [word] * count
    return sequences, labels


def test_bag_of_frames_is_the_sum_over_frames():
    rng = np.random.default_rng(0)
    sequences, _ = two_words(rng)
    density = seq.GaussianMixture(2, max_iter=1000)
    bag = seq.BagOfFrames(density).fit(sequences)
    alone = clone(density).fit(np.concatenate(sequences))
    assert not hasattr(density, "means_")
    expected = [sum(alone.score_samples([frame])[0] for frame in one) for one in sequences]
    np.testing.assert_allclose(bag.score_samples(sequences), expected)
    shuffled = [rng.permutation(one) for one in sequences]
    np.testing.assert_allclose(bag.score_samples(shuffled), expected)
    np.testing.assert_allclose(bag.score_samples([np.concatenate(sequences)]), [sum(expected)])


def test_bag_of_one_gaussian_is_one_gaussian_for_each_word():
    rng = np.random.default_rng(1)
    sequences, labels = two_words(rng)
    model = seq.ModelPerWord(seq.BagOfFrames(seq.GaussianMixture(1))).fit(sequences, labels)
    groups = [
        np.concatenate([s for s, w in zip(sequences, labels, strict=True) if w == word]) for word in ("no", "yes")
    ]
    gaussians = seq.fit_gaussians(groups)
    expected = [[g.log_density(one).sum() for g in gaussians] for one in sequences]
    np.testing.assert_allclose(model.log_likelihoods(sequences), expected, rtol=1e-6)


def test_time_normalized_is_a_density_of_the_stretched_sequence():
    rng = np.random.default_rng(2)
    sequences, _ = two_words(rng, (30, 0))
    model = seq.TimeNormalized(seq.GaussianMixture(1, "diag"), n_frames=4).fit(sequences)
    flat = np.array([seq.time_normalize(one, 4).ravel() for one in sequences])
    gaussian = seq.fit_gaussian(flat, "diag")
    np.testing.assert_allclose(model.score_samples(sequences), gaussian.log_density(flat))
    chain = [seq.fit_gaussian(flat[:, 2 * t : 2 * t + 2], "diag") for t in range(4)]
    frame_by_frame = sum(g.log_density(flat[:, 2 * t : 2 * t + 2]) for t, g in enumerate(chain))
    np.testing.assert_allclose(model.score_samples(sequences), frame_by_frame)
    slow = [np.repeat(one, 2, axis=0)[: 2 * len(one) - 1] for one in sequences]
    assert np.isfinite(model.score_samples(slow)).all()


@pytest.mark.parametrize("priors", [None, "counts"])
def test_the_word_is_the_one_with_the_most_probability(priors):
    rng = np.random.default_rng(3)
    sequences, labels = two_words(rng, (12, 3))
    model = seq.ModelPerWord(seq.BagOfFrames(seq.GaussianMixture(1)), priors=priors).fit(sequences, labels)
    assert model.classes_.tolist() == ["no", "yes"]
    recordings = [0.7 + rng.normal(size=(1, 2)) for _ in range(100)]
    log_likelihoods = np.array([[one.score_samples([r])[0] for one in model.models_] for r in recordings])
    np.testing.assert_allclose(model.log_likelihoods(recordings), log_likelihoods)
    share = np.array([12, 3]) / 15 if priors else np.array([0.5, 0.5])
    posterior = np.exp(log_likelihoods) * share
    expected = np.array(["no", "yes"])[posterior.argmax(axis=1)]
    np.testing.assert_array_equal(model.predict(recordings), expected)
    np.testing.assert_allclose(model.predict_proba(recordings), posterior / posterior.sum(axis=1, keepdims=True))
    assert set(expected) == {"no", "yes"}
    assert model.score(recordings, expected) == 1.0


def test_posteriors_of_long_sequences_do_not_underflow():
    rng = np.random.default_rng(3)
    sequences, labels = two_words(rng)
    model = seq.ModelPerWord(seq.BagOfFrames(seq.GaussianMixture(1))).fit(sequences, labels)
    long = [np.concatenate(sequences * 40)]
    assert model.log_likelihoods(long).max() < -2000
    np.testing.assert_allclose(model.predict_proba(long).sum(axis=1), 1)
    assert not hasattr(seq.TemplateRecognizer, "predict_proba")


def test_what_is_impossible_for_every_word_has_no_posterior():
    train, labels = [[0, 0, 1], [0, 1, 0], [1, 1, 0], [2, 2, 1], [2, 1, 2], [1, 2, 2]], [0, 0, 0, 1, 1, 1]
    model = seq.ModelPerWord(seq.DiscreteHMM(1, 4)).fit([np.array(s) for s in train], labels)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", seq.ImpossibleSequenceWarning)
        np.testing.assert_array_equal(model.predict_proba([np.array([0, 1])]), [[1.0, 0.0]])
        with pytest.raises(ValueError, match=r"sequences\[1\] is impossible for every word"):
            model.predict_proba([np.array([0, 1]), np.array([3, 1])])


def test_an_encoder_is_fitted_once_to_all_words():
    rng = np.random.default_rng(9)
    sequences, labels = two_words(rng)
    hmm, quantizer = seq.DiscreteHMM(2, 5, emission_pseudocount=0.5, max_iter=500), seq.VectorQuantizer(5)
    words = seq.ModelPerWord(hmm, encoder=quantizer).fit(sequences, labels)
    codes = clone(quantizer).fit(sequences).transform(sequences)
    by_hand = seq.ModelPerWord(hmm).fit(codes, labels)
    np.testing.assert_array_equal(words.log_likelihoods(sequences), by_hand.log_likelihoods(codes))
    np.testing.assert_array_equal(words.predict(sequences), by_hand.predict(codes))
    assert not hasattr(quantizer, "codebook_")


def test_a_trial_counts_what_was_right_and_what_is_kept():
    rng = np.random.default_rng(10)
    sequences, labels = two_words(rng)
    unseen, truth = two_words(rng)
    words = seq.ModelPerWord(seq.BagOfFrames(seq.GaussianMixture(2, "diag", max_iter=1000)))
    trial = try_recognizer(words, sequences, labels, unseen, truth)
    np.testing.assert_array_equal(trial.right, words.predict(unseen) == np.array(truth))
    assert trial.training > 0 and trial.decoding > 0
    assert trial.numbers == 2 * (2 + 2 * 2 + 2 * 2) + 2  # weights, means, variances of two words; two priors


@pytest.mark.parametrize(
    "model",
    [
        seq.DiscreteHMM(2, 5, topology="left-to-right", emission_pseudocount=0.5),
        seq.GaussianMixtureHMM(2, 1),
        seq.BagOfFrames(seq.GaussianMixture(2)),
        seq.TimeNormalized(seq.GaussianMixture(1, "diag"), 3),
    ],
    ids=lambda model: type(model).__name__,
)
def test_every_model_recognises_by_the_same_rule(model):
    rng = np.random.default_rng(5)
    sequences, labels = two_words(rng, (15, 15))
    unseen, truth = two_words(rng, (20, 20))
    if isinstance(model, seq.DiscreteHMM):
        quantizer = seq.VectorQuantizer(5).fit(sequences)
        sequences, unseen = quantizer.transform(sequences), quantizer.transform(unseen)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        words = seq.ModelPerWord(model).fit(sequences, labels)
    table = np.array([one.score_samples(unseen) for one in words.models_]).T
    np.testing.assert_allclose(words.log_likelihoods(unseen), table)
    np.testing.assert_array_equal(words.predict(unseen), words.classes_[table.argmax(axis=1)])
    assert words.score(unseen, truth) > 0.85
    assert not hasattr(model, "trace_") and not hasattr(model, "density_")


def test_real_digits_beat_chance_by_far():
    digits = load_spoken_digits()
    train, test = digits.split(per_class=4, rng=0)
    model = seq.ModelPerWord(seq.BagOfFrames(seq.GaussianMixture(1, "diag"))).fit(train.sequences, train.labels)
    assert model.score(test.sequences, test.labels) > 0.4


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_vector_quantizer_takes_the_nearest_centre(offset):
    rng = np.random.default_rng(6)
    sequences = [offset + rng.normal(size=(n, 3)) for n in (50, 1, 30)]
    model = seq.VectorQuantizer(6, n_init=2).fit(sequences)
    symbols = model.transform(sequences)
    assert [len(s) for s in symbols] == [50, 1, 30]
    squared = [((one[:, None] - model.codebook_) ** 2).sum(axis=2) for one in sequences]
    for found, distances in zip(symbols, squared, strict=True):
        assert found.dtype.kind == "i"
        np.testing.assert_array_equal(found, distances.argmin(axis=1))
    least = np.concatenate([distances.min(axis=1) for distances in squared])
    assert model.distortion_ == pytest.approx(least.mean(), rel=1e-6)
    X, labels = np.concatenate(sequences), np.concatenate(symbols)
    for k, center in enumerate(model.codebook_):
        np.testing.assert_allclose(center, X[labels == k].mean(axis=0), atol=1e-6)
    np.testing.assert_array_equal(clone(model).fit(sequences).codebook_, model.codebook_)
    np.testing.assert_array_equal(model.fit_transform(sequences)[0], symbols[0])


SEQUENCES, LABELS = two_words(np.random.default_rng(8))
BAG = seq.BagOfFrames(seq.GaussianMixture(1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: seq.ModelPerWord(BAG).fit(SEQUENCES, LABELS[:-1]), r"labels has shape \(11,\)"),
        (lambda: seq.ModelPerWord(BAG).fit(SEQUENCES, np.array([LABELS])), "labels has shape"),
        (lambda: clone(BAG).fit(SEQUENCES).score_samples(SEQUENCES[0]), "came as one array"),
        (lambda: clone(BAG).fit([np.ones((3, 2)), np.ones((3, 1))]), r"sequences\[1\] has 1 features"),
        (lambda: seq.TimeNormalized(seq.GaussianMixture(1)).score_samples(SEQUENCES), "not fitted"),
        (lambda: seq.VectorQuantizer(4).fit([SEQUENCES[0][:3]]), "3 frames for 4 symbols"),
        (lambda: seq.VectorQuantizer(4).fit(SEQUENCES).transform([np.ones((3, 5))]), "5 features"),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_every_model_of_sequences_has_a_score():
    """log p of all of them, so that any can be compared with any on the same sequences."""
    sequences = [np.random.default_rng(k).normal(size=(12, 2)) for k in range(8)]
    density = seq.GaussianMixture(1, "diag")
    for model in (seq.BagOfFrames(density), seq.TimeNormalized(density, 3), seq.GaussianMixtureHMM(2)):
        model.fit(sequences)
        assert model.score(sequences) == pytest.approx(model.score_samples(sequences).sum(), rel=1e-12)
    assert seq.BagOfFrames(density).fit(sequences).score(sequences) == pytest.approx(
        seq.log_density(
            np.concatenate(sequences), *vars(seq.fit_gaussian(np.concatenate(sequences), "diag")).values()
        ).sum()
    )
