"""The LMO-like baseline: its density against dense Gaussians, its gradient against differences, what it refuses."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from course_lessons.unequal_raters.observers import NUGGET_STD, ObserverGP
from tests.course_lib.gp_oracles import log_normal, slopes
from tests.course_lib.panel_oracles import panel

X, Z, Y = panel(0, n=9, R=3, noise_std=0.3)
X_NEW = np.random.default_rng(1).uniform(0, 3, (5, 2))


def fit(X=X, Y=Y, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return ObserverGP(**{"max_iter": 15, **settings}).fit(X, Y)


def squared_exponential(variance, parts):
    """variance · exp(−½ Σ d²/ℓ²) for parts (columns, ℓ)."""
    power = sum(((u[:, None] - u[None]) ** 2).sum(axis=2) / ell**2 for u, ell in parts)
    return variance * np.exp(-0.5 * power)


def dense_height(model, theta):
    """log p(Y, z | parameters), written out; θ is z, ℓ of z, (variance, ℓ_x, ℓ_z) of each rater, noises."""
    n, R = Y.shape
    z, ell, curves, noise = theta[:n], np.exp(theta[n]), np.exp(theta[n + 1 : -R]).reshape(R, 3), np.exp(theta[-R:])
    total = log_normal(z, squared_exponential(1.0, [(X, ell)]) + NUGGET_STD**2 * np.eye(n))
    answers = (Y - np.nanmean(Y)) / np.nanstd(Y)
    for r, (variance, along_x, along_z) in enumerate(curves):
        seen = ~np.isnan(Y[:, r])
        K = squared_exponential(variance, [(X[seen], along_x), (z[seen, None], along_z)])
        total += log_normal(answers[seen, r], K + noise[r] ** 2 * np.eye(seen.sum()))
    return total


@pytest.fixture(scope="module")
def somewhere():
    model = fit()
    start = model._start(3)
    return model, start + 0.2 * np.random.default_rng(0).normal(size=len(start))


def test_height_is_the_joint_density(somewhere):
    model, theta = somewhere
    assert len(theta) == 9 + 1 + 3 * 3 + 3
    assert model._height(theta)[0] == pytest.approx(dense_height(model, theta), abs=1e-9)


def test_gradient_is_the_slope(somewhere):
    model, theta = somewhere
    numeric = slopes(lambda t: model._height(t)[0], theta)
    np.testing.assert_allclose(model._height(theta)[1], numeric, rtol=1e-5, atol=1e-5)


def test_the_search_climbs_and_what_is_kept_is_where_it_ended():
    heights = [fit(max_iter=rounds).log_posterior_ for rounds in (1, 5, 40)]
    assert heights == sorted(heights) and heights[0] > fit()._height(fit()._start(3))[0]
    model = fit()
    assert model.consensus_.shape == (9,) and model.rater_std_.shape == (3,) and model.n_iter_ <= 15


def test_it_says_that_it_did_not_come_to_rest():
    with pytest.warns(ConvergenceWarning, match="still changing after 3 rounds"):
        model = ObserverGP(max_iter=3).fit(X, Y)
    assert not model.converged_


def test_predictions_are_the_regression_of_z():
    model = fit()
    z = (model.consensus_ - np.nanmean(Y)) / np.nanstd(Y)
    ell = model._kernel.lengthscale
    both = squared_exponential(1.0, [(np.vstack([X, X_NEW]), ell)])
    expected = both[9:, :9] @ np.linalg.solve(both[:9, :9] + NUGGET_STD**2 * np.eye(9), z)
    np.testing.assert_allclose(model.predict(X_NEW), np.nanmean(Y) + np.nanstd(Y) * expected, rtol=1e-8)
    assert model._kernel.variance == 1.0


def test_a_few_rounds_give_a_consensus_near_the_truth():
    Xs, z, Ys = panel(2, n=30, R=5, D=1, noise_std=0.2, missing=0)
    model = fit(Xs, Ys)
    assert np.corrcoef(model.consensus_, z)[0, 1] > 0.8


def test_unit_and_level_of_the_answers_go_through():
    plain, other = fit(), fit(Y=1e4 * Y - 3e5)
    np.testing.assert_allclose(other.consensus_, 1e4 * plain.consensus_ - 3e5, rtol=1e-6)
    np.testing.assert_allclose(other.rater_std_, 1e4 * plain.rater_std_, rtol=1e-5)


def test_order_of_raters_does_not_matter():
    plain, other = fit(), fit(Y=Y[:, [2, 0, 1]])
    np.testing.assert_allclose(other.rater_std_, plain.rater_std_[[2, 0, 1]], rtol=1e-3)
    np.testing.assert_allclose(other.consensus_, plain.consensus_, rtol=1e-3)


def test_the_same_data_give_the_same_fit():
    np.testing.assert_array_equal(fit().consensus_, fit().consensus_)


def test_corners():
    assert np.isfinite(fit([[1.0]], [[1.0, 2.0, 4.0]]).consensus_).all()
    assert np.isfinite(fit(X, Z).consensus_).all()  # one rater
    constant = np.column_stack([Z, Z + 0.1, np.full(9, 5.0)])
    assert np.isfinite(fit(X, constant).predict(X_NEW)).all()


def test_an_item_without_an_answer_is_named():
    with pytest.raises(ValueError, match="row 0 of Y holds no answer"):
        fit(Y=np.where(np.arange(9)[:, None] == 0, np.nan, Y))
