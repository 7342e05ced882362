"""Importance sampling of compared items against what is known in closed form."""

import numpy as np
import pytest

from course_lessons.i_prefer_b.sampling import importance_draws
from course_lib.gp import SquaredExponential
from course_lib.judgments import PreferenceGP

X = np.array([[0.0], [1.0], [2.5]])
PAIRS = np.array([[0, 1], [1, 2], [2, 0]])
KERNEL = SquaredExponential(2.0, 1.5)


def fitted(answers, pairs=PAIRS, **settings):
    return PreferenceGP(KERNEL, noise_std=0.5, optimize=False, **settings).fit(X, pairs, answers)


def test_weighted_draws_of_a_gaussian_posterior_are_that_posterior():
    model = fitted([1.0, -0.4, 0.2], response="difference")
    draws = importance_draws(model, X, PAIRS)
    mean, std = model.predict_difference(X, PAIRS)
    found = draws.differences(PAIRS)
    np.testing.assert_allclose(found[0], mean, atol=0.01)
    np.testing.assert_allclose(found[1], std, rtol=0.01)
    assert draws.log_evidence == pytest.approx(model.log_evidence_, abs=0.01)
    assert draws.weights.sum() == pytest.approx(1.0)
    assert 50_000 < draws.worth < 100_000


def test_one_choice_has_the_evidence_one_half():
    draws = importance_draws(fitted([1], PAIRS[:1], inference="ep"), X, PAIRS[:1])
    assert np.exp(draws.log_evidence) == pytest.approx(0.5, abs=0.005)


def test_pairs_are_those_of_the_fit():
    with pytest.raises(ValueError, match="pairs has 2 rows, and the model was fitted to 3 answers"):
        importance_draws(fitted([1, -1, 1]), X, PAIRS[:2])
    with pytest.raises(ValueError, match="size"):
        importance_draws(fitted([1, -1, 1]), X, PAIRS, size=0)
