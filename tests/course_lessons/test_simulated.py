"""Simulated marks have the noise they are said to have; the best fit is the best of its starts."""

import numpy as np
import pytest

from course_lessons.bounded_answers.simulators import FIRST_SCALES, best_fit, simulate, toy_marks
from course_lib import gp


def test_simulated_marks_are_those_of_the_noise():
    simulated = simulate(gp.SquaredExponential(1e-8, 1.0), 500, rng=0)
    y, y_test = simulated.marks(gp.Beta(30.0), rng=1)
    for marks in (y, y_test):
        assert marks.mean() == pytest.approx(0.5, abs=0.016)
        assert marks.var() == pytest.approx(0.25 / 31, rel=0.25)
    clipped, _ = simulated.marks(gp.Beta(0.05), rng=1, inside=0.01)
    assert clipped.min() == 0.01
    assert clipped.max() == 0.99


def test_simulated_functions_have_the_covariance_of_the_kernel():
    draws = [simulate(gp.SquaredExponential(2.0, 1.0), 1, rng=seed, width=0.5) for seed in range(2000)]
    f, f_test = (np.array([float(getattr(one, name)[0]) for one in draws]) for name in ("f", "f_test"))
    gap = np.array([float(one.X[0, 0] - one.X_test[0, 0]) for one in draws])
    assert np.mean(f**2) == pytest.approx(2.0, abs=0.25)
    assert np.mean(f * f_test - 2 * np.exp(-0.5 * gap**2)) == pytest.approx(0.0, abs=0.25)


def test_best_fit_is_at_least_as_high_as_each_start():
    function, y, _ = toy_marks()
    kernel = gp.SquaredExponential(3.0, 1.2)
    best = best_fit("truncated_gaussian", kernel, function.X, y, inside=1e-6)
    assert best.converged_
    for start in FIRST_SCALES["truncated_gaussian"]:
        one = gp.LatentGP(kernel).fit(gp.values(function.X, y, gp.TruncatedGaussian(start)))
        assert best.log_evidence_ >= one.log_evidence_ - 1e-6 or not one.converged_


def test_bad_input_names_what_is_wrong():
    with pytest.raises(ValueError, match="kind"):
        best_fit("normal", gp.Constant(1.0), np.zeros((2, 1)), [0.2, 0.3])
    with pytest.raises(ValueError, match="n "):
        simulate(gp.Constant(1.0), 0, rng=0)
    with pytest.raises(ValueError, match="inside"):
        simulate(gp.Constant(1.0), 2, rng=0).marks(gp.Beta(3.0), rng=0, inside=0.7)
