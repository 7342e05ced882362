"""The posterior from (K, A, τ, ν): in both spaces, against dense algebra, and against 60 digits."""

from functools import cache

import numpy as np
import pytest

from course_lib import gp
from course_lib.gp.observations import NO_ITEM, ObservationMatrix
from course_lib.gp.sites import cholesky, jittered_cholesky
from tests.course_lib.gp_oracles import Exactly, dense_posterior, dense_views


def problem(seed, n=6, m=9, negative=False):
    """(K, views with values, differences and repetitions, τ, ν)."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    K = gp.SquaredExponential(1.7, 0.8)(X)
    plus = rng.integers(0, n, size=m)
    minus = np.where(rng.random(m) < 0.5, (plus + rng.integers(1, n, size=m)) % n, NO_ITEM)
    plus[-1], minus[-1] = plus[0], minus[0]
    tau = rng.uniform(0.2, 4.0, size=m)
    if negative:
        tau[::3] = -0.05
    return K, ObservationMatrix(plus, minus, n), tau, rng.normal(size=m)


def spaces(negative):
    return ["item"] if negative else ["item", "response"]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("negative", [False, True])
def test_both_spaces_agree_with_dense_algebra(seed, negative):
    K, views, tau, nu = problem(seed, negative=negative)
    A = dense_views(views)
    mean, covariance = dense_posterior(K, A, tau, nu)
    for space in spaces(negative):
        q = gp.Prior(K, views, space).posterior(tau, nu)
        assert np.allclose(q.mean, mean, atol=1e-8)
        assert np.allclose(q.covariance, covariance, atol=1e-8)
        assert np.allclose(q.alpha, np.linalg.solve(K, mean), atol=1e-7)
        assert np.allclose(q.P, np.linalg.inv(K) - np.linalg.inv(K) @ covariance @ np.linalg.inv(K), atol=1e-5)
        assert np.allclose(q.log_determinant, np.linalg.slogdet(np.eye(6) + K @ A.T @ np.diag(tau) @ A)[1], atol=1e-8)
        assert np.allclose(q.quadratic, mean @ np.linalg.solve(K, mean), atol=1e-7)
        view_mean, view_variance = q.marginals
        assert np.allclose(view_mean, A @ mean, atol=1e-8)
        assert np.allclose(view_variance, (A @ covariance @ A.T).diagonal(), atol=1e-8)


@pytest.mark.parametrize("negative", [False, True])
def test_predictions_agree_with_the_joint_prior(negative):
    rng = np.random.default_rng(1)
    X, X_new = rng.normal(size=(6, 2)), rng.normal(size=(4, 2))
    kernel = gp.Matern32(1.3, [0.7, 1.9])
    _, views, tau, nu = problem(3, negative=negative)
    joint = kernel(np.concatenate([X, X_new]))
    A = np.hstack([dense_views(views), np.zeros((len(views), 4))])
    mean, covariance = dense_posterior(joint, A, tau, nu)
    for space in spaces(negative):
        q = gp.Prior(kernel(X), views, space).posterior(tau, nu)
        got_mean, got_variance = q.predict(kernel(X, X_new), kernel.diagonal(X_new))
        assert np.allclose(got_mean, mean[6:], atol=1e-9)
        assert np.allclose(got_variance, covariance.diagonal()[6:], atol=1e-9)
        assert np.allclose(q.predict_covariance(kernel(X, X_new), kernel(X_new)), covariance[6:, 6:], atol=1e-9)


def test_repeated_sites_add_up():
    K, views, tau, nu = problem(0)
    distinct, sign, of = views.distinct
    once = gp.Prior(K, distinct, "response").posterior(np.bincount(of, tau), np.bincount(of, sign * nu))
    assert np.allclose(gp.Prior(K, views, "response").posterior(tau, nu).mean, once.mean, atol=1e-12)


def test_response_space_is_chosen_where_it_is_smaller_and_possible():
    K, views, tau, nu = problem(0, n=12, m=5)
    assert type(gp.Prior(K, views).posterior(tau, nu)).__name__ == "ResponsePosterior"
    tau[0] = 0.0
    assert type(gp.Prior(K, views).posterior(tau, nu)).__name__ == "ItemPosterior"
    K, views, tau, nu = problem(0, n=4, m=30)
    assert type(gp.Prior(K, views).posterior(tau, nu)).__name__ == "ItemPosterior"


def test_no_posterior_where_negative_sites_outweigh_the_prior():
    K, views, tau, nu = problem(0)
    for space in ("auto", "response"):
        with pytest.raises(np.linalg.LinAlgError):
            gp.Prior(K, views, space).posterior(tau - 50.0, nu)


def test_singular_kernels_get_the_least_jitter_and_say_so():
    K = np.ones((5, 5))
    L, jitter = jittered_cholesky(K)
    assert 0 < jitter <= 1e-12
    assert np.allclose(L @ L.T, K, atol=1e-10)
    assert jittered_cholesky(np.diag([1.0, 2.0]))[1] == 0.0
    nearly = np.array([[1.0, 1.0 + 1e-7], [1.0 + 1e-7, 1.0]])
    with pytest.warns(gp.JitterWarning, match="was added to its diagonal"):
        jittered_cholesky(nearly + 0.0)
    with pytest.raises(ValueError, match="no covariance matrix"):
        jittered_cholesky(np.array([[1.0, 2.0], [2.0, 1.0]]))


def test_a_singular_kernel_with_many_answers():
    X = np.repeat(np.arange(3.0), 4)[:, None]
    K = gp.SquaredExponential(1.0, 1.0)(X)  # rank 3
    views = ObservationMatrix(np.arange(12), np.full(12, NO_ITEM), 12)
    tau, nu = np.full(12, 4.0), np.arange(12.0)
    item, response = (gp.Prior(K, views, s).posterior(tau, nu) for s in ("item", "response"))
    assert np.allclose(item.mean, response.mean, atol=1e-8)
    assert np.allclose(item.covariance, response.covariance, atol=1e-8)


def test_cholesky_leaves_its_input_alone_unless_told():
    A = np.array([[4.0, 2.0], [2.0, 3.0]])
    before = A.copy()
    L = cholesky(A)
    assert np.array_equal(A, before)
    assert np.allclose(L, np.linalg.cholesky(before))


def test_space_is_checked():
    K, views, _, _ = problem(0)
    with pytest.raises(ValueError, match="space is 'weights'"):
        gp.Prior(K, views, "weights")


# ------------------------------------------------------------------------------------------------------- sharp answers

SHARP = {
    "rough": gp.Matern32(1.0, 1.0),
    "smooth": gp.SquaredExponential(1.0, 1.5),
    "nearly singular": gp.SquaredExponential(1.0, 5.0),
}


@cache
def sharp(name, kind, noise, n=40):
    """(prior's parts, sites, new inputs' covariances, truth) of answers whose noise is so many signals."""
    rng, kernel = np.random.default_rng(0), SHARP[name]
    X = rng.uniform(-3, 3, size=(n, 2))
    f = np.sin(X[:, 0]) + 0.3 * X[:, 1]
    if kind == "differences":
        pairs = np.array([(a, b) for a, b in rng.integers(0, n, size=(450, 2)) if a != b])[:400]
        views = ObservationMatrix(pairs[:, 1], pairs[:, 0], n)
    else:
        views = ObservationMatrix(np.repeat(np.arange(n), 2), np.full(2 * n, NO_ITEM), n)
    A, tau = dense_views(views), np.full(len(views), noise**-2.0)
    nu = tau * (A @ f + noise * rng.normal(size=len(views)))
    X_new = np.concatenate([X[:12], X[12:16] + 0.1, rng.uniform(-3, 3, size=(12, 2))])
    truth = Exactly(kernel(X), A, tau, nu)
    return X, views, tau, nu, X_new, truth


def difference_std(covariance):
    a, b = np.triu_indices(len(covariance), 1)
    return np.sqrt(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])


@pytest.mark.parametrize("noise", [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5])
@pytest.mark.parametrize("name", ["rough", "smooth"])
@pytest.mark.parametrize(("kind", "space"), [("values", "item"), ("values", "response"), ("differences", "item")])
def test_predictions_from_sharp_answers_keep_their_digits(name, kind, noise, space):
    X, views, tau, nu, X_new, truth = sharp(name, kind, noise)
    kernel = SHARP[name]
    K_cross, K_new = kernel(X, X_new), kernel(X_new)
    mean, covariance = truth.predict(K_cross, K_new)
    q, std = gp.Prior(kernel(X), views, space).posterior(tau, nu), np.sqrt(covariance.diagonal())
    got_mean, got_variance = q.predict(K_cross, K_new.diagonal())
    assert np.allclose(np.sqrt(got_variance), std, rtol=1e-3)
    assert (np.abs(got_mean - mean) < 1e-3 * std).all()
    assert (np.abs(K_cross.T @ q.alpha - mean) < 1e-3 * std).all()
    got = q.predict_covariance(K_cross, K_new)
    assert np.allclose(difference_std(got), difference_std(covariance), rtol=1e-3)


@pytest.mark.parametrize("space", ["item", "response"])
@pytest.mark.parametrize("noise", [1.0, 1e-1, 1e-2, 1e-3])
def test_predictions_where_the_kernel_is_nearly_singular(noise, space):
    """Item space divides by its root twice, and loses nothing by that."""
    X, views, tau, nu, X_new, truth = sharp("nearly singular", "values", noise)
    kernel = SHARP["nearly singular"]
    K_cross, K_new = kernel(X, X_new), kernel(X_new)
    mean, covariance = truth.predict(K_cross, K_new)
    q, std = gp.Prior(kernel(X), views, space).posterior(tau, nu), np.sqrt(covariance.diagonal())
    got_mean, got_variance = q.predict(K_cross, K_new.diagonal())
    assert np.allclose(np.sqrt(got_variance), std, rtol=1e-6)
    assert (np.abs(got_mean - mean) < 1e-5 * std).all()
    assert np.allclose(difference_std(q.predict_covariance(K_cross, K_new)), difference_std(covariance), rtol=1e-5)


@pytest.mark.parametrize("noise", [1.0, 1e-2, 1e-4, 1e-5, 1e-6])
@pytest.mark.parametrize("name", SHARP)
@pytest.mark.parametrize("kind", ["values", "differences"])
def test_what_learning_needs_keeps_its_digits_in_item_space(name, kind, noise):
    X, views, tau, nu, _, truth = sharp(name, kind, noise)
    kernel = SHARP[name]
    K, alpha, P = kernel(X), truth.alpha.astype(float), truth.P.astype(float)
    q = gp.Prior(K, views, "item").posterior(tau, nu)
    spare = 1e-12 * (1.0 + noise**-2.0) * 40  # what is lost of I + BᵀTB, whose elements are that large
    assert q.quadratic == pytest.approx(float(alpha @ K @ alpha), rel=1e-8 + spare)
    assert q.log_determinant == pytest.approx(truth.log_determinant, abs=1e-8 + spare)
    slopes, expected = (kernel.gradient(X, 0.5 * (np.outer(a, a) - p)) for a, p in ((q.alpha, q.P), (alpha, P)))
    assert np.allclose(slopes, expected, atol=(1e-8 + spare) * np.abs(expected).max())
    assert np.allclose(q.alpha_of(nu), q.alpha)


@pytest.mark.parametrize("noise", [1.0, 1e-2, 1e-4, 1e-5, 1e-6])
@pytest.mark.parametrize("space", ["item", "response"])
@pytest.mark.parametrize("repeated", [False, True])
def test_marginals_and_cavities_of_sharp_sites(space, noise, repeated):
    """A cavity is what all other answers say of a view."""
    rng, kernel = np.random.default_rng(1), gp.Matern32(1.0, 1.0)
    X = rng.uniform(-2, 2, size=(7, 2))
    views = ObservationMatrix(np.array([0, 1, 2, 3, 4, 5, 6]), np.array([-1, -1, 0, -1, 1, 2, -1]), 7)
    if repeated:
        minus = np.append(views.minus, [-1, 2])  # the last with changed sign
        views = ObservationMatrix(np.append(views.plus, [0, 0]), minus, 7)
    A, K, tau = dense_views(views), kernel(X), noise**-2.0 * rng.uniform(0.5, 2.0, size=len(views))
    nu = tau * (A @ np.sin(X.sum(axis=1)) + tau**-0.5 * rng.normal(size=len(views)))
    q = gp.Prior(K, views, space).posterior(tau, nu)
    mean, variance = q.marginals
    precision, pull = q.cavities
    loss = 1e-9 if space == "response" else 1e-9 + 1e-14 / noise**2  # there 1/v − τ is a difference
    whole = Exactly(K, A, tau, nu)
    for k in range(len(views)):
        others = np.arange(len(views)) != k
        m, v = whole.view(A[k])
        cavity_mean, cavity_variance = Exactly(K, A[others], tau[others], nu[others]).view(A[k])
        assert variance[k] == pytest.approx(v, rel=1e-8)
        assert mean[k] == pytest.approx(m, abs=1e-8 * noise)
        assert precision[k] * cavity_variance == pytest.approx(1.0, abs=loss)
        assert mean[k] - pull[k] / precision[k] == pytest.approx(cavity_mean, abs=loss * np.sqrt(cavity_variance))
