"""What a question is worth: criteria against Monte Carlo, quadrature, each other, and gradients by differences."""

import numpy as np
import pytest
from scipy.stats import norm

from course_lib import gp
from course_lib.judgments import BoundedGP, PreferenceGP
from course_lib.judgments.asking.acquisition import (
    bald,
    expected_best,
    expected_improvement,
    expected_positive_part,
    improvement,
    thompson,
    upper_confidence_bound,
)
from course_lib.judgments.asking.improvement import gain, gain_with_gradient, improvement_with_gradient
from course_lib.judgments.comparisons.likelihoods import Comparison, ProbitWithTies
from course_personaliser import proposals

DRAWS = 200_000


@pytest.fixture(scope="module")
def moments():
    """Mean and covariance of five points, and draws of them."""
    rng = np.random.default_rng(0)
    root = rng.normal(size=(5, 5))
    mean, cov = rng.normal(size=5), root @ root.T
    return mean, cov, rng.multivariate_normal(mean, cov, size=DRAWS)


def test_the_bivariate_improvement_is_what_draws_of_both_points_give(moments):
    mean, cov, drawn = moments
    for incumbent in range(5):
        gains = np.maximum(drawn - drawn[:, [incumbent]], 0.0)
        error = gains.std(axis=0) / np.sqrt(DRAWS)
        assert (abs(expected_improvement(mean, cov, incumbent) - gains.mean(axis=0)) <= 5 * error + 1e-12).all()


def test_the_univariate_improvement_takes_the_incumbent_as_known(moments):
    mean, cov, drawn = moments
    gains = np.maximum(drawn - mean[2], 0.0)
    found = expected_improvement(mean, cov, 2, covariance=False)
    np.testing.assert_allclose(found, gains.mean(axis=0), atol=5 * gains.std() / np.sqrt(DRAWS))
    np.testing.assert_array_equal(found, expected_improvement(mean, np.diag(cov), float(mean[2]), covariance=False))


def test_only_the_bivariate_improvement_leaves_the_incumbent_alone():
    x = np.linspace(0, 1, 11)[:, None]
    cov = gp.SquaredExponential(1.0, 0.3)(x)
    mean = -((x[:, 0] - 0.3) ** 2)
    assert expected_improvement(mean, cov, 3)[3] == 0.0
    assert expected_improvement(mean, cov, 3, covariance=False).argmax() == 3


def test_the_improvement_is_not_the_mean_of_the_truncated_normal():
    z = 0.4
    truncated = z + norm.pdf(z) / norm.cdf(z)
    np.testing.assert_allclose(expected_positive_part(z, 1.0), truncated * norm.cdf(z))


def test_without_uncertainty_the_improvement_is_the_gap():
    np.testing.assert_array_equal(expected_positive_part([-1.0, 0.0, 2.0], [0.0, 0.0, 0.0]), [0.0, 0.0, 2.0])


def test_two_points_that_are_one_have_no_improvement():
    cov = np.array([[2.0, 2.0], [2.0, 2.0]])
    assert improvement([0.5, 0.5], cov, 0)[1].tolist() == [0.0, 0.0]
    assert expected_improvement([0.5, 0.5], cov, 0).tolist() == [0.0, 0.0]


def test_the_best_of_two_is_what_draws_give(moments):
    mean, cov, drawn = moments
    pairs = np.array([(0, 1), (2, 4), (3, 3)])
    np.testing.assert_allclose(
        expected_best(mean, cov, pairs),
        drawn[:, pairs].max(axis=2).mean(axis=0),
        atol=5 * drawn.std() / np.sqrt(DRAWS),
    )


def test_beside_the_incumbent_the_best_of_two_is_the_improvement_and_a_constant(moments):
    mean, cov, _ = moments
    pairs = np.column_stack([np.full(5, 2), np.arange(5)])
    np.testing.assert_allclose(expected_best(mean, cov, pairs), mean[2] + expected_improvement(mean, cov, 2))


def test_the_bound_and_the_draw(moments):
    mean, cov, _ = moments
    np.testing.assert_allclose(upper_confidence_bound(mean, cov, 1.5), mean + 1.5 * np.sqrt(np.diag(cov)))
    drawn = np.array([thompson(mean, cov, seed) for seed in range(4000)])
    np.testing.assert_allclose(drawn.mean(axis=0), mean, atol=0.2)
    np.testing.assert_allclose(np.cov(drawn.T), cov, atol=0.15 * cov.max())


MEANS, VARIANCES = np.array([0.0, 0.5, -1.5, 2.0]), np.array([1.0, 0.3, 2.0, 4.0])


def dense_information(likelihood, probabilities):
    """Mutual information by 400 equal steps over g."""
    g, step = np.linspace(-12, 12, 2401, retstep=True)
    p = probabilities(likelihood, g)  # (answers, g)
    weight = step * norm.pdf(g, MEANS[:, None], np.sqrt(VARIANCES)[:, None])  # (q, g)
    average = p @ weight.T
    entropy = -np.where(p > 0, p * np.log(np.maximum(p, 1e-300)), 0.0).sum(axis=0)
    return -(average * np.log(average)).sum(axis=0) - weight @ entropy


def of_each(likelihood, g):
    return np.array([np.exp(likelihood.log_density(np.full(len(g), y), g)) for y in likelihood.possible])


def of_steps(likelihood, g):
    inner = [likelihood.cumulative(np.full(len(g), y), g) for y in np.arange(1, 40) / 40]
    return np.diff(np.vstack([np.zeros(len(g)), *inner, np.ones(len(g))]), axis=0)


@pytest.mark.parametrize(
    ("likelihood", "probabilities", "tolerance"),
    [
        (Comparison(gp.Probit(), 0.8), of_each, 1e-4),
        (Comparison(ProbitWithTies(0.4), 1.0), of_each, 1e-4),
        (gp.Ordinal(5), of_each, 1e-3),
        (Comparison(gp.Beta(10.0), 1.0), of_steps, 2e-2),
    ],
    ids=["choices", "ties", "grades", "degrees"],
)
def test_the_information_of_an_answer_is_that_of_dense_quadrature(likelihood, probabilities, tolerance):
    np.testing.assert_allclose(
        bald(MEANS, VARIANCES, likelihood), dense_information(likelihood, probabilities), tolerance
    )


def test_the_information_of_a_number_is_in_closed_form():
    np.testing.assert_allclose(bald(MEANS, VARIANCES, gp.Gaussian(0.5)), 0.5 * np.log(1 + VARIANCES / 0.25))


def test_a_sure_answer_tells_nothing_and_a_known_view_neither():
    tells = bald([40.0, 0.0], [0.01, 0.0], gp.Probit())
    np.testing.assert_allclose(tells, 0.0, atol=1e-12)


@pytest.mark.parametrize("space", ["response", "item"])
def test_the_gradient_of_the_improvement_is_that_of_differences(space):
    rng = np.random.default_rng(1)
    X, pairs, y = rng.uniform(size=(9, 3)), np.column_stack([np.arange(8), np.arange(1, 9)]), rng.uniform(0.1, 0.9, 8)
    kernel = gp.SquaredExponential(4.0, np.full(3, 0.5))
    model = PreferenceGP(kernel, response="degree", optimize=False, space=space).fit(X, pairs, y)
    check_gradients(model, rng.uniform(size=(4, 3)), X[3])


def test_the_gradient_holds_for_marks_and_other_kernels():
    rng = np.random.default_rng(2)
    X, y = rng.uniform(size=(7, 2)), rng.uniform(0.1, 0.9, 7)
    model = BoundedGP(gp.Matern32(1.0, 0.4) + gp.Linear(0.5), optimize=False).fit(X, y)
    check_gradients(model, rng.uniform(size=(4, 2)), rng.uniform(size=2))


def check_gradients(model, points, x0, step=1e-5):
    value, gradient = improvement_with_gradient(model, points, x0)
    mean, cov = model.predict_latent(np.vstack([points, x0]), return_cov=True)
    np.testing.assert_allclose(value, expected_improvement(mean, cov, len(points))[:-1], rtol=1e-8)
    *known, by_mean, by_std = gain_with_gradient(model, points, x0)
    np.testing.assert_allclose(known, gain(model, points, x0))
    for d in range(points.shape[1]):
        ahead, back = points.copy(), points.copy()
        ahead[:, d], back[:, d] = points[:, d] + step, points[:, d] - step
        slopes = np.subtract(gain(model, ahead, x0), gain(model, back, x0)) / (2 * step)
        np.testing.assert_allclose([by_mean[:, d], by_std[:, d]], slopes, atol=1e-6)
        slope = (improvement_with_gradient(model, ahead, x0)[0] - improvement_with_gradient(model, back, x0)[0]) / (
            2 * step
        )
        np.testing.assert_allclose(gradient[:, d], slope, atol=1e-6)


def test_where_both_points_are_one_the_gradient_is_0():
    X = np.array([[0.1], [0.6]])
    model = PreferenceGP(gp.SquaredExponential(4.0, 0.5), optimize=False).fit(X, [(0, 1)], [1.0])
    value, gradient = improvement_with_gradient(model, X[1:], X[1])
    assert value.tolist() == [0.0]
    assert gradient.tolist() == [[0.0]]


def test_climbing_finds_what_a_fine_grid_finds():
    rng = np.random.default_rng(3)
    X, pairs = rng.uniform(size=(8, 2)), np.column_stack([np.arange(7), np.arange(1, 8)])
    model = PreferenceGP(gp.SquaredExponential(4.0, 0.4), optimize=False).fit(X, pairs, rng.choice([-1.0, 1.0], 7))
    grid = np.stack(np.meshgrid(*[np.linspace(0, 1, 101)] * 2), axis=-1).reshape(-1, 2)
    over = improvement_with_gradient(model, grid, X[0])[0]
    top = proposals.climb_improvement(model, X[0], rng=0, starts=20)
    assert improvement_with_gradient(model, top[None], X[0])[0][0] >= over.max() - 1e-9
    best = proposals.climb_mean(model, X, rng=0)
    assert model.predict_latent(best[None])[0][0] >= model.predict_latent(grid)[0].max() - 1e-9


def test_a_setting_is_drawn_in_proportion_to_its_score():
    score = np.array([0.0, 1.0, 3.0])
    drawn = np.bincount([proposals.pick(score, "sampled", rng) for rng in range(2000)], minlength=3)
    assert drawn[0] == 0
    np.testing.assert_allclose(drawn[1] / 2000, 0.25, atol=0.04)
    assert proposals.pick(score, "maximum") == 2
    with pytest.raises(ValueError, match="goes down to -1"):
        proposals.pick([-1.0, 2.0], "sampled")


@pytest.fixture(scope="module")
def compared():
    """A model of five comparisons, and nine points."""
    rng = np.random.default_rng(4)
    X, pairs = rng.uniform(size=(6, 2)), np.column_stack([np.arange(5), np.arange(1, 6)])
    model = PreferenceGP(gp.SquaredExponential(4.0, 0.4), optimize=False).fit(X, pairs, rng.choice([-1.0, 1.0], 5))
    return model, rng.uniform(size=(9, 2)), X[2]


def test_the_gain_is_the_improvement_by_moments(compared):
    model, points, x0 = compared
    mean, cov = model.predict_latent(np.vstack([points, x0]), return_cov=True)
    for one, other in zip(gain(model, points, x0), improvement(mean, cov, 9), strict=True):
        np.testing.assert_allclose(one, other[:-1], rtol=1e-8)
    assert gain(model, x0[None], x0)[1].tolist() == [0.0]


def test_each_criterion_is_what_its_function_gives(compared):
    model, points, x0 = compared
    mean, cov = model.predict_latent(np.vstack([points, x0]), return_cov=True)
    difference = improvement(mean, cov, 9)
    expected = {
        "improvement": expected_improvement(mean, cov, 9),
        "univariate": expected_improvement(mean, cov, 9, covariance=False),
        "probability": norm.sf(proposals.PROBABILITY_MARGIN, difference[0], np.maximum(difference[1], 1e-9)),
        "bound": upper_confidence_bound(mean, cov),
        "variance": difference[1] ** 2,
        "information": bald(difference[0], difference[1] ** 2, model.likelihood_),
    }
    assert {*expected, "thompson", "random", "best"} == set(proposals.CRITERIA)
    for criterion, score in expected.items():
        np.testing.assert_allclose(
            proposals.scores(criterion, model, points, x0), score[:-1], rtol=1e-7, err_msg=criterion
        )
    drawn = proposals.scores("thompson", model, points, x0, rng=3)
    np.testing.assert_allclose(drawn, thompson(*model.predict_latent(points, return_cov=True), rng=3))


def test_the_best_pair_is_the_best_of_all(moments):
    mean, cov, drawn = moments
    a, b = proposals.best_pair(mean, cov)
    better = [np.maximum(drawn[:, i], drawn[:, j]).mean() for i in range(5) for j in range(i)]
    assert mean[a] >= mean[b]
    np.testing.assert_allclose(np.maximum(drawn[:, a], drawn[:, b]).mean(), max(better), atol=0.02)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: expected_improvement([0.0, 1.0], np.eye(2), 2), "incumbent is 2"),
        (lambda: expected_positive_part(0.0, -1.0), "goes down to -1"),
        (lambda: upper_confidence_bound([0.0], [-1.0]), "variances must not be negative"),
        (lambda: bald([0.0], [1.0], gp.StudentT(1.0)), "have no ends"),
    ],
)
def test_what_does_not_fit_is_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()
