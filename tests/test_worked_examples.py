"""The small experiments of lectures 05 and 06: drawn as they say, judged as another way of computing judges."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from course_lessons.approximate_inference import evidence_by_sampling, outliers
from course_lessons.gp_regression import comparison, small_samples
from course_lib import datasets
from course_lib.gp import Gaussian, Prior, Probit, stack, values
from course_lib.gp.inference.ep import expectation_propagation


def test_the_sampled_evidence_of_one_answer_is_its_integral():
    one = stack(values([0.0], [1.0], Probit()))
    q = expectation_propagation(Prior(np.array([[9.0]]), one.views), one.y, Probit()).posterior
    sampled, error = evidence_by_sampling.sampled_evidence(np.array([[9.0]]), one.y, Probit(), q, draws=20_000)
    assert abs(sampled - np.log(0.5)) < 4 * error
    assert error < 0.01


def test_the_sampled_evidence_of_numbers_is_their_gaussian_density():
    K, y = np.array([[2.0, 0.8], [0.8, 1.0]]), np.array([0.7, -0.3])
    two = stack(values([0.0, 1.0], y, Gaussian(0.5)))
    q = Prior(K, two.views).posterior(np.full(2, 4.0), 4.0 * y)
    sampled, error = evidence_by_sampling.sampled_evidence(K, y, Gaussian(0.5), q, draws=20_000)
    C = K + 0.25 * np.eye(2)
    exact = -0.5 * (y @ np.linalg.solve(C, y) + np.linalg.slogdet(2 * np.pi * C)[1])
    assert abs(sampled - exact) < 4 * error


def test_the_bound_is_below_the_sampled_evidence():
    found = evidence_by_sampling.ten_evidences(2.0, draws=20_000)
    assert found.by_rule["variational"] < found.sampled + 3 * found.error
    assert abs(found.by_rule["EP"] - found.sampled) < abs(found.by_rule["Laplace"] - found.sampled)


def test_outliers_are_three_and_far_and_drawn_by_lot():
    draws = [outliers.measured(seed) for seed in range(10)]
    for X, y, wrong in draws:
        away = np.abs(y - np.sin(X))
        assert len(set(wrong)) == outliers.N_WRONG
        assert (away[wrong] > 1.4).all()
        assert np.delete(away, wrong).max() < 0.7
    assert len({tuple(one.outliers) for one in draws}) == len(draws)


def test_the_distance_of_a_curve_is_taken_over_the_line():
    class Zero:
        def predict_latent(self, x):
            return np.zeros(len(x)), np.ones(len(x))

    exact = np.sqrt(quad(lambda x: np.sin(x) ** 2, 0, 10)[0] / 10)
    assert outliers.off(Zero()) == pytest.approx(exact, rel=0.01)


def test_heavy_tails_pass_outliers_by():
    X, y, _ = outliers.measured(3)
    distance = {name: outliers.off(model) for name, model in outliers.curves_through(X, y).items()}
    assert distance["Student's t"] < 0.15
    assert all(distance["Student's t"] < distance[name] for name in outliers.SEARCH_STARTS)


def test_a_small_sample_is_of_the_process_that_it_names():
    samples = [small_samples.small_sample(5, seed) for seed in range(400)]
    y = np.array([sample.y_later for sample in samples])
    assert y.var() == pytest.approx(1 + small_samples.NOISE_STD**2, abs=0.1)
    step = 4 / (small_samples.N_LATER - 1)
    expected = np.exp(-0.5 * (20 * step / small_samples.TRUE_LENGTHSCALE) ** 2)
    assert np.mean(y[:, :-20] * y[:, 20:]) == pytest.approx(expected, abs=0.1)


def test_what_is_learned_is_judged_by_the_later_answers():
    found = small_samples.learned(5, 7, **small_samples.SCHEMES["MAP-II, Gamma"])
    sample = small_samples.small_sample(5, 7)
    model = small_samples.fitted(sample, **small_samples.SCHEMES["MAP-II, Gamma"])
    mean, std = model.predict_answer(sample.x_later)
    assert found.log_density == pytest.approx(norm.logpdf(sample.y_later, mean, std).mean())
    assert found.noise_std == model.noise_std_


def test_the_baseline_is_chosen_by_its_error_in_cross_validation():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    part = datasets.Table(X, X @ [2.0, -1.0] + 0.1 * rng.normal(size=60), ("a", "b"), "y", None)
    learn = comparison.baseline(*comparison.NEIGHBOURS, comparison.RidgeCV([1e-3]))
    mean, std = learn(part)(X)
    assert np.abs(mean - part.y).max() < 0.5
    assert std[0] == pytest.approx(0.1, rel=0.3)


def test_the_mean_is_compared_as_a_baseline_that_knows_nothing():
    rng = np.random.default_rng(1)
    X = rng.uniform(-2, 2, size=(120, 1))
    table = datasets.Table(X, np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=120), ("x",), "y", None)
    scores = comparison.compare(table, 60, splits=2)
    assert scores["mean"].shape == (2, 3)
    assert scores["mean"][:, 0] == pytest.approx(table.y.std(), rel=0.2)
    assert (scores["GP, ARD"][:, 0] < 0.3 * scores["mean"][:, 0]).all()
    assert "(2 of 2)" in comparison.comparison_table("waves", scores).data.splitlines()[2]


def test_a_lead_is_counted_in_the_direction_that_is_better():
    scores, best = np.array([[2.0, -3.0, 0.9], [1.0, -1.0, 0.9]]), np.array([[1.5, -2.0, 0.9], [1.2, -2.0, 0.9]])
    assert comparison.ahead_by(scores, best, 0) == "+0.15 (1 of 2)"
    assert comparison.ahead_by(scores, best, 1) == "+0.00 (1 of 2)"
