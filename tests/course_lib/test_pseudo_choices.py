"""Pseudo-inputs as in Nielsen et al. (2012): integral by sampling, evidence by dense algebra and by search, slopes."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import ndtr
from scipy.stats import norm

from course_lessons.many_people.toys import paper_c_toy
from course_lib import gp
from course_lib.judgments import PreferenceGP, all_pairs
from course_lib.judgments.comparisons.pseudo_inputs import OpenChoice
from tests.course_lib.gp_oracles import importance_evidence, slopes

KERNEL = gp.SquaredExponential(1.7, [0.7, 1.9])
SIGMA = 0.6


def people(n=9, m=25, seed=0):
    """(X, pairs, y): choices between n items; two pairs are asked more than once, and two items are twins."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    X[1] = X[0]
    a = rng.integers(n, size=m)
    pairs = np.column_stack([a, (a + rng.integers(1, n, size=m)) % n])
    pairs[:3] = (2, 3), (2, 3), (3, 2)
    worth = np.sin(2 * X[:, 0]) + X[:, 1]
    seen = worth[pairs[:, 1]] - worth[pairs[:, 0]] + SIGMA * np.sqrt(2) * rng.normal(size=m)
    return X, pairs, np.where(seen > 0, 1.0, -1.0)


PLACES = np.array([[0.3, 0.2], [-0.9, 0.8], [1.1, -0.7]])


def sparse(X, pairs, y, places=PLACES, kernel=KERNEL, **options):
    options = {"noise_std": SIGMA, "optimize": False, **options}
    return PreferenceGP(kernel, inducing=places, **options).fit(X, pairs, y)


def dense(X, pairs, places=PLACES, kernel=KERNEL, sign=-1):
    """(K_ZZ, the differences' A (m, M) of u, their residual variance (m,)); sign=+1 as eq. 2.58 is printed."""
    Z, K = kernel(places), kernel.cross(X, X)
    Phi = kernel(X, places) @ np.linalg.inv(Z)
    open_ = K - Phi @ Z @ Phi.T
    a, b = pairs.T
    return Z, Phi[b] - Phi[a], open_[a, a] + open_[b, b] + sign * 2 * open_[a, b]


def theta_of(model):
    places = model.inducing_.ravel() if model.learn_inducing else []
    return np.concatenate([model.kernel_.theta, model.likelihood_.theta, places])


# --- the integral ---------------------------------------------------------------------------------------


def test_what_pseudo_inputs_leave_open_is_noise_and_two_errors_subtract():
    """Errata ★ of eq. 2.58: the variance of a difference has −2 Σ₁₂. Functions are drawn, given u, to see it."""
    X, pairs = np.array([[0.5, 0.1], [0.9, 0.3]]), np.array([(0, 1)])
    Z, A, open_ = dense(X, pairs)
    u, draws = np.array([0.8, -0.5, 0.1]), 400_000
    Phi = KERNEL(X, PLACES) @ np.linalg.inv(Z)
    rng = np.random.default_rng(0)
    f = rng.multivariate_normal(Phi @ u, KERNEL(X) - Phi @ Z @ Phi.T, draws)
    chosen = f[:, 1] + SIGMA * rng.normal(size=draws) > f[:, 0] + SIGMA * rng.normal(size=draws)
    formula = ndtr(A @ u / np.sqrt(2 * SIGMA**2 + open_))[0]
    printed = ndtr(A @ u / np.sqrt(2 * SIGMA**2 + dense(X, pairs, sign=1)[2]))[0]
    error = 0.5 / np.sqrt(draws)
    assert chosen.mean() == pytest.approx(formula, abs=4.5 * error)
    assert abs(chosen.mean() - printed) > 10 * error
    model = sparse(X, pairs, [1.0])
    assert model.prior_.residual[0] == pytest.approx(open_[0], abs=1e-9)
    told = model.prior_.views.weights
    np.testing.assert_allclose(told @ told.T, A @ Z @ A.T, atol=1e-12)


def test_open_choices_have_each_their_own_noise():
    g, y, spread = np.linspace(-4, 4, 9), np.array([1.0, -1.0, 1.0] * 3), np.linspace(0.3, 3, 9)
    choice = OpenChoice(spread)
    np.testing.assert_allclose(choice.log_density(y, g), norm.logcdf(y * g / spread), rtol=1e-10)
    h = 1e-4
    for k in range(3):
        numeric = (choice.derivatives(y, g + h)[k] - choice.derivatives(y, g - h)[k]) / (2 * h)
        np.testing.assert_allclose(choice.derivatives(y, g)[k + 1], numeric, rtol=1e-4, atol=1e-6)
    wide, narrow = (OpenChoice(spread * np.exp(step)).derivatives(y, g) for step in (h, -h))
    for k, slope in enumerate(choice.spread_slopes(y, g)):
        np.testing.assert_allclose(slope, (wide[k] - narrow[k]) / (2 * h), rtol=1e-4, atol=1e-6)
    assert choice.log_concave and choice.theta.shape == (0,)


# --- Laplace --------------------------------------------------------------------------------------------


def test_mode_evidence_and_predictions_are_those_of_dense_algebra():
    """Nielsen et al. (2012), eq. 9, with a mode of another search; K* has its W, which the text leaves out."""
    X, pairs, y = people()
    Z, A, open_ = dense(X, pairs)
    inverse, s = np.linalg.inv(Z), np.sqrt(2 * SIGMA**2 + open_)

    def loss(u):
        return 0.5 * u @ inverse @ u - norm.logcdf(y * (A @ u) / s).sum()

    mode = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-9}).x
    z = y * (A @ mode) / s
    ratio = np.exp(norm.logpdf(z) - norm.logcdf(z))
    W = A.T @ np.diag(ratio * (z + ratio) / s**2) @ A
    evidence = -loss(mode) - 0.5 * np.linalg.slogdet(np.eye(3) + Z @ W)[1]
    model = sparse(X, pairs, y)
    np.testing.assert_allclose(model.predict_latent(PLACES)[0], mode, atol=1e-5)
    assert model.log_evidence_ == pytest.approx(evidence, abs=1e-7)
    new = np.random.default_rng(3).normal(size=(4, 2))
    k = KERNEL(PLACES, new)
    cov = KERNEL(new) - k.T @ np.linalg.solve(np.eye(3) + W @ Z, W @ k)
    np.testing.assert_allclose(model.predict_latent(new)[0], k.T @ inverse @ mode, atol=1e-5)
    np.testing.assert_allclose(model.predict_latent(new, return_cov=True)[1], cov, atol=1e-6)
    gap = k.T @ inverse @ mode
    spread = np.sqrt(2 * SIGMA**2 + cov[0, 0] + cov[1, 1] - 2 * cov[0, 1])
    assert model.predict_preference(new, [(0, 1)])[0] == pytest.approx(ndtr((gap[1] - gap[0]) / spread), abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_evidence_near_importance_sampling(seed):
    X, pairs, y = people(m=12, seed=seed)
    model = sparse(X, pairs, y)
    Z, A, open_ = dense(X, pairs)
    q = model.predict_latent(PLACES, return_cov=True)
    choices = OpenChoice(np.sqrt(2 * SIGMA**2 + open_))
    truth, error = importance_evidence(Z, A, y, choices, *q, draws=60_000)
    assert error < 0.01
    assert model.log_evidence_ == pytest.approx(truth, abs=0.08 + 4 * error)


def test_pseudo_inputs_at_the_items_are_the_full_model():
    X, pairs, y = people()
    items = np.unique(X, axis=0)
    full = PreferenceGP(KERNEL, noise_std=SIGMA, optimize=False).fit(X, pairs, y)
    same = sparse(X, pairs, y, items)
    assert same.log_evidence_ == pytest.approx(full.log_evidence_, abs=1e-7)
    np.testing.assert_allclose(same.evidence_at(theta_of(same))[1], full.evidence_at(theta_of(full))[1], atol=1e-5)
    new = np.random.default_rng(3).normal(size=(5, 2))
    for one, other in zip(
        full.predict_latent(new, return_cov=True), same.predict_latent(new, return_cov=True), strict=True
    ):
        np.testing.assert_allclose(one, other, atol=1e-6)


def test_pseudo_inputs_far_away_make_every_choice_a_coin():
    X, pairs, y = people()
    model = sparse(X, pairs, y, [[50.0, 50.0], [60.0, 60.0]])
    assert model.log_evidence_ == pytest.approx(len(y) * np.log(0.5), abs=1e-9)
    np.testing.assert_allclose(model.predict_preference(X, pairs), 0.5, atol=1e-9)
    mean, std = model.predict_latent(X)
    np.testing.assert_allclose(mean, 0, atol=1e-9)
    np.testing.assert_allclose(std, np.sqrt(1.7), atol=1e-9)


KERNELS = {
    "SE": KERNEL,
    "isotropic": gp.SquaredExponential(1.7, 0.9),
    "with priors": KERNEL.with_priors(lengthscale=gp.HalfStudentT(6, 4), variance=gp.Fixed()),
    "sum": gp.Matern32(1.0, 0.9) + gp.Linear([0.4, 0.8]),
    "white": KERNEL + gp.White(0.3),
    "product": gp.SquaredExponential(1.0, 0.8).on(0) * gp.Matern32(1.5, 1.2).on([0, 1]),
}


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("options", [{}, {"noise_prior": gp.LogNormal(0.5, 0.7)}], ids=["unit", "noise"])
@pytest.mark.parametrize("moving", [False, True])
def test_gradients(name, options, moving):
    """With the terms of the mode and of what stays open; in θ, σ and the places."""
    X, pairs, y = people()
    if options and not KERNELS[name].priors:
        options = {}
    model = sparse(X, pairs, y, kernel=KERNELS[name], learn_inducing=moving, **options)
    theta = theta_of(model) + 0.05 * np.random.default_rng(1).normal(size=len(theta_of(model)))
    numeric = slopes(lambda t: model.evidence_at(t)[0], theta, 1e-4)
    np.testing.assert_allclose(model.evidence_at(theta)[1], numeric, atol=1e-6 * (1 + np.abs(numeric).max()))


def test_gradient_in_the_noise_of_a_judgement():
    X, pairs, y = people()
    kernel = KERNEL.with_priors(variance=gp.Gamma(2, 1))
    model = sparse(X, pairs, y, kernel=kernel, noise_prior=gp.Gamma(2, 1), learn_inducing=True)
    assert model.likelihood_.names == ["noise_std"]
    numeric = slopes(lambda t: model.evidence_at(t)[0], theta_of(model), 1e-4)
    np.testing.assert_allclose(model.evidence_at(theta_of(model))[1], numeric, atol=1e-6 * np.abs(numeric).max())


def test_one_pseudo_input_and_one_question():
    X, pairs, y = people()
    one = sparse(X, pairs[:1], y[:1], PLACES[:1])
    Z, A, open_ = dense(X, pairs[:1], PLACES[:1])
    total = A[0, 0] ** 2 * Z[0, 0] + open_[0] + 2 * SIGMA**2
    assert total == pytest.approx(
        KERNEL(X)[2, 2] + KERNEL(X)[3, 3] - 2 * KERNEL(X)[2, 3] + 2 * SIGMA**2
    )  # nothing of a difference's variance is lost
    assert np.exp(one.log_evidence_) == pytest.approx(0.5, abs=0.02)


# --- learning -------------------------------------------------------------------------------------------


def test_moving_pseudo_inputs_helps_on_the_paper_s_toy():
    """Nielsen et al. (2012), section 3.1, smaller: pairs of 17 inputs, four pseudo-inputs, ℓ and σ learned."""
    toy = paper_c_toy(17, rng=2)
    assert len(toy.pairs) == 17 * 16 // 2
    kernel = gp.SquaredExponential(1.0, 0.5).with_priors(variance=gp.Fixed())
    settings = {"noise_std": 0.3, "noise_prior": gp.HalfStudentT(6.0, 4.0), "inducing": np.linspace(0.2, 3.8, 4)}
    fixed = PreferenceGP(kernel, **settings).fit(toy.X, toy.pairs, toy.choices)
    moved = PreferenceGP(kernel, learn_inducing=True, **settings).fit(toy.X, toy.pairs, toy.choices)
    assert moved.log_posterior_ > fixed.log_posterior_ + 1
    assert np.abs(moved.evidence_at(theta_of(moved))[1]).max() < 0.1
    right = (moved.predict_preference(toy.X, toy.pairs) > 0.5) == (toy.choices > 0)
    assert right.mean() > 0.85


def test_as_many_as_asked_for_and_the_same_again():
    X, pairs, y = people()
    one, other = (sparse(X, pairs, y, 3, rng=0) for _ in range(2))
    assert one.inducing_.shape == (3, 2)
    assert one.log_evidence_ == other.log_evidence_


def test_many_answers_and_few_pseudo_inputs():
    """Four thousand choices about ninety items, through six numbers."""
    x = np.linspace(0, 4, 90)
    pairs = all_pairs(90)
    worth = np.sin(2 * x)
    y = np.where(worth[pairs[:, 1]] > worth[pairs[:, 0]], 1, -1)
    model = PreferenceGP(gp.SquaredExponential(1.0, 0.5), noise_std=0.2, inducing=np.linspace(0, 4, 6), optimize=False)
    model.fit(x, pairs, y)
    assert ((model.predict_preference(x, pairs) > 0.5) == (y > 0)).mean() > 0.95
