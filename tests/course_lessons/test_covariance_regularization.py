"""What cures a covariance with too little data: each against its own definition, and on frames held out."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from course_lessons.gaussians import covariance_regularization
from course_lib import sequences as seq

RNG = np.random.default_rng(3)
ROOT = np.array([[1.0, 0.0, 0.0], [0.8, 0.4, 0.0], [0.1, -0.3, 0.2]])
TRAIN = [RNG.normal(size=(60, 3)) @ ROOT.T + k for k in range(4)]
TEST = [RNG.normal(size=(400, 3)) @ ROOT.T + k for k in range(4)]
PRIORS = [covariance_regularization.prior_from(TRAIN[:k] + TRAIN[k + 1 :]) for k in range(4)]


def test_a_prior_holds_one_frame_and_thirty_deviations_of_the_others():
    others = TRAIN[1:]
    within = np.mean([np.cov(frames, rowvar=False, bias=True) for frames in others], axis=0)
    prior = PRIORS[0]
    np.testing.assert_allclose(prior.mean, np.mean([frames.mean(axis=0) for frames in others], axis=0))
    np.testing.assert_allclose(prior.scale, 30 * within, rtol=1e-12)
    assert prior.strength == 1
    one = TRAIN[0][:5]
    off = one.mean(axis=0) - prior.mean
    expected = (30 * within + 5 * np.cov(one, rowvar=False, bias=True) + 5 / 6 * np.outer(off, off)) / 35
    np.testing.assert_allclose(seq.fit_gaussian(one, prior=prior).covariance, expected, rtol=1e-10)


def test_each_cure_is_what_its_name_says():
    few = [frames[:10] for frames in TRAIN]
    fits = covariance_regularization.cured(few, PRIORS)
    S = [np.cov(frames, rowvar=False, bias=True) for frames in few]
    np.testing.assert_allclose(fits["full, no cure"][2].covariance, S[2])
    np.testing.assert_allclose(fits["diagonal"][2].covariance, np.diag(np.diag(S[2])))
    np.testing.assert_allclose(fits["spherical"][2].covariance, np.trace(S[2]) / 3 * np.eye(3))
    np.testing.assert_allclose(fits["tied"][2].covariance, np.mean(S, axis=0))
    np.testing.assert_allclose(fits["others' Σ"][2].covariance, PRIORS[2].scale / 30)
    assert np.linalg.eigvalsh(fits["floor"][2].covariance)[0] >= covariance_regularization.FLOOR * (1 - 1e-9)
    for name in ("full, no cure", "diagonal", "tied", "floor", "others' Σ"):
        np.testing.assert_allclose(fits[name][2].mean, few[2].mean(axis=0))


def test_held_out_frames_are_scored_under_what_was_drawn():
    found = covariance_regularization.held_out(TRAIN, TEST, PRIORS, size=60, draw=0)  # all frames, in another order
    scipys = [
        multivariate_normal(a.mean(axis=0), np.cov(a, rowvar=False, bias=True)).logpdf(b).mean()
        for a, b in zip(TRAIN, TEST, strict=True)
    ]
    assert found["full, no cure"] == pytest.approx(np.mean(scipys), abs=1e-9)
    assert found["spherical"] < found["diagonal"] < found["full, no cure"]
    few = covariance_regularization.held_out(TRAIN, TEST, PRIORS, size=3, draw=0)
    assert np.isnan(few["full, no cure"])
    assert few["prior"] > few["floor"]


def test_what_does_not_fit_together_is_refused():
    with pytest.raises(ValueError, match="one prior for each"):
        covariance_regularization.held_out(TRAIN, TEST, PRIORS[:2], size=5, draw=0)
    with pytest.raises(ValueError, match="size is 61"):
        covariance_regularization.held_out(TRAIN, TEST, PRIORS, size=61, draw=0)
