"""The Kronecker shortcut by dense algebra, and as the model that it is."""

import numpy as np
import pytest

from course_lessons.many_people.kronecker import kronecker_regression
from course_lib import gp
from course_lib.gp import Coregionalization, SquaredExponential, values
from course_lib.judgments import PreferenceGP, person_pairs, random_pairs
from tests.course_lib.gp_oracles import log_normal

ITEMS = np.random.default_rng(0).normal(size=(6, 2))


def table(n=5, P=3, seed=0):
    rng = np.random.default_rng(seed)
    people = rng.normal(size=(P, 2))
    return SquaredExponential(1.4, 0.9)(ITEMS[:n]), people @ people.T + 0.4 * np.eye(P), rng.normal(size=(n, P))


@pytest.mark.parametrize(("n", "P"), [(5, 3), (1, 4), (6, 1), (1, 1)])
def test_kronecker_is_one_dense_gaussian(n, P):
    K_items, K_people, Y = table(n, P)
    fit = kronecker_regression(K_items, K_people, Y, 0.3)
    K = np.kron(K_items, K_people)  # input-major, as numpy ravels Y: K ⊗ K⁽ᵘ⁾ (errata of 2.23)
    C = K + 0.09 * np.eye(n * P)
    assert fit.log_evidence == pytest.approx(log_normal(Y.ravel(), C), abs=1e-8)
    np.testing.assert_allclose(fit.weights.ravel(), np.linalg.solve(C, Y.ravel()), atol=1e-9)
    np.testing.assert_allclose(fit.mean.ravel(), K @ np.linalg.solve(C, Y.ravel()), atol=1e-9)
    variance = np.diagonal(K - K @ np.linalg.solve(C, K))
    np.testing.assert_allclose(fit.std.ravel(), np.sqrt(variance), atol=1e-8)
    if n > 1 and P > 1:
        swapped = log_normal(Y.ravel(), np.kron(K_people, K_items) + 0.09 * np.eye(n * P))
        assert abs(swapped - fit.log_evidence) > 0.1


def test_kronecker_is_the_same_model_as_exact_inference_with_an_index_kernel():
    people = Coregionalization(3, rank=2, rng=1)
    _, _, Y = table()
    fit = kronecker_regression(SquaredExponential(1.4, 0.9)(ITEMS[:5]), people.covariance, Y, 0.3)
    rows = np.array([[*ITEMS[i], p] for i in range(5) for p in range(3)])
    kernel = SquaredExponential(1.4, 0.9).on([0, 1]) * people.on([2])
    model = gp.LatentGP(kernel, inference="exact", optimize=False).fit(values(rows, Y.ravel(), gp.Gaussian(0.3)))
    assert fit.log_evidence == pytest.approx(model.log_evidence_, abs=1e-8)
    np.testing.assert_allclose(fit.mean.ravel(), model.predict_latent(rows)[0], atol=1e-8)
    new = np.array([[*ITEMS[5], p] for p in range(3)])
    beyond = SquaredExponential(1.4, 0.9)(ITEMS[5:], ITEMS[:5]) @ fit.weights @ people.covariance
    np.testing.assert_allclose(beyond[0], model.predict_latent(new)[0], atol=1e-8)


def test_kronecker_of_differences_is_the_preference_model():
    """Everybody says by how much b is better, for the same pairs: M K Mᵀ takes the place of K."""
    pairs = random_pairs(6, 7, rng=0)
    people = Coregionalization(3, rank=1, rng=1)
    Y = np.random.default_rng(5).normal(size=(7, 3))
    M = np.eye(6)[pairs[:, 1]] - np.eye(6)[pairs[:, 0]]
    fit = kronecker_regression(M @ SquaredExponential(1.5, 1.0)(ITEMS) @ M.T, people.covariance, Y, 0.4)
    persons = np.tile(np.arange(3), 7)
    model = PreferenceGP(
        SquaredExponential(1.5, 1.0).on([0, 1]) * people.on([2]), response="difference", noise_std=0.4, optimize=False
    )
    rows = person_pairs(ITEMS, np.repeat(pairs, 3, axis=0), persons)
    model.fit(*rows, Y.ravel())
    assert fit.log_evidence == pytest.approx(model.log_evidence_, abs=1e-7)
    mean, std = model.predict_difference(*rows)
    np.testing.assert_allclose(fit.mean.ravel(), mean, atol=1e-7)
    np.testing.assert_allclose(fit.std.ravel(), std, atol=1e-6)


def test_kronecker_of_singular_covariances():
    _, K_people, Y = table()
    fit = kronecker_regression(np.ones((5, 5)), K_people, Y, 0.3)
    C = np.kron(np.ones((5, 5)), K_people) + 0.09 * np.eye(15)
    assert fit.log_evidence == pytest.approx(log_normal(Y.ravel(), C), abs=1e-8)
    np.testing.assert_allclose(fit.mean, np.tile(fit.mean[0], (5, 1)), atol=1e-9)
    assert np.isfinite(fit.std).all()


def test_a_covariance_is_symmetric():
    K_items, _, Y = table()
    with pytest.raises(ValueError, match=r"K_people is not symmetric \(shape \(3, 3\)\)"):
        kronecker_regression(K_items, np.triu(np.ones((3, 3))), Y, 0.3)
