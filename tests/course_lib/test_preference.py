"""PreferenceGP against sums over a grid of functions, dense Gaussian algebra, and published fits of the same model."""

import pickle
import warnings

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import root
from scipy.special import log_ndtr, logsumexp, ndtr
from scipy.stats import norm
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from course_lib import gp
from course_lib.judgments import FloatingItemsWarning, PreferenceGP, all_pairs, random_pairs
from tests.course_lib.gp_oracles import dense_posterior, importance_evidence, log_normal, slopes

SE = gp.SquaredExponential
KERNEL = SE(1.7, [0.7, 1.9])
APPROXIMATE = ["laplace", "ep", "variational"]
RESPONSES = {
    "choice": {"noise_std": 0.6},
    "logit": {"noise_std": 0.6, "link": "logit"},
    "ties": {"noise_std": 0.6, "ties": True},
    "degree": {"noise_std": 0.6, "response": "degree", "precision": 6.0},
    "difference": {"noise_std": 0.6, "response": "difference"},
}
rule = pytest.mark.parametrize("inference", APPROXIMATE)
every = pytest.mark.parametrize("response", RESPONSES)


def person(response, n=8, m=20, seed=0):
    """(X, pairs, y): m answers of a person about n items, in random order of the two."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    f = np.sin(2 * X[:, 0]) + X[:, 1]
    a = rng.integers(n, size=m)
    pairs = np.column_stack([a, (a + rng.integers(1, n, size=m)) % n])
    gap = f[pairs[:, 1]] - f[pairs[:, 0]]
    seen = gap + 0.6 * np.sqrt(2) * rng.normal(size=m)
    degrees = gp.squeeze(gp.Beta(6.0).sample(gap / (0.6 * np.sqrt(2)), rng), inside=1e-3)
    choices = np.where(seen > 0, 1, -1)
    answers = {"ties": np.where(np.abs(seen) < 0.3, 0, choices), "degree": degrees, "difference": seen}
    return X, pairs, answers.get(response, choices)


def turned(response, y):
    return 1 - y if response == "degree" else -y


def still(response, inference="laplace", kernel=KERNEL, **options):
    """A model of this response whose parameters stay where they are."""
    return PreferenceGP(kernel, inference=inference, optimize=False, **{**RESPONSES[response], **options})


def quietly(model, *data, **named):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(*data, **named)


def theta_of(model):
    places = model.inducing_.ravel() if model.learn_inducing else []
    return np.concatenate([model.kernel_.theta, model.likelihood_.theta, places])


def same(one, other, X, pairs, atol=1e-7):
    """Both models say the same of the evidence and of these pairs."""
    assert one.log_evidence_ == pytest.approx(other.log_evidence_, abs=atol)
    np.testing.assert_allclose(one.predict_difference(X, pairs), other.predict_difference(X, pairs), atol=atol)
    np.testing.assert_allclose(one.predict_preference(X, pairs), other.predict_preference(X, pairs), atol=atol)


def on_a_grid(K, pairs, y, likelihood, points=161):
    """(log evidence, mean, covariance) of d = (f₁ − f₀, f₂ − f₀) of three items, by summing over a grid of d."""
    A = np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
    C = A @ K @ A.T
    t = np.linspace(-8, 8, points)
    d = np.stack(np.meshgrid(t, t, indexing="ij"), axis=-1).reshape(-1, 2) @ np.linalg.cholesky(C).T
    log_weight = -0.5 * (np.einsum("ki,ki->k", d @ np.linalg.inv(C), d) + np.linalg.slogdet(2 * np.pi * C)[1])
    log_weight += np.log((t[1] - t[0]) ** 2) + 0.5 * np.linalg.slogdet(C)[1]
    worth = np.column_stack([np.zeros(len(d)), d])
    for (a, b), answer in zip(pairs, y, strict=True):
        log_weight += likelihood.log_density(answer, worth[:, b] - worth[:, a])
    evidence = logsumexp(log_weight)
    weight = np.exp(log_weight - evidence)
    mean = weight @ d
    return evidence, mean, (d - mean).T @ (weight[:, None] * (d - mean)), lambda of: weight @ of(worth)


# --- inference ----------------------------------------------------------------------------------------------


THREE = np.array([[0.0, 0.0], [0.8, -0.3], [-0.4, 1.1]])
TRIPLES = np.array([(0, 1), (1, 2), (0, 2), (2, 0), (0, 1)])
ANSWERS = {
    "choice": [1, 1, 1, -1, -1],
    "logit": [1, 1, 1, -1, -1],
    "ties": [1, 0, 1, -1, 0],
    "degree": [0.8, 0.6, 0.95, 0.2, 0.4],
    "difference": [0.9, 0.2, 1.5, -1.1, 0.1],
}


@every
@rule
def test_three_items_against_a_grid_of_functions(response, inference):
    y = np.array(ANSWERS[response])
    model = still(response, inference).fit(THREE, TRIPLES, y)
    evidence, mean, cov, average = on_a_grid(KERNEL(THREE), TRIPLES, y, model.likelihood_)
    near = {"laplace": 0.06, "ep": 6e-3, "variational": 0.015}[inference] if response != "difference" else 1e-5
    assert model.log_evidence_ == pytest.approx(evidence, abs=near)
    assert inference != "variational" or model.log_evidence_ <= evidence + 1e-6
    found_mean, found_std = model.predict_difference(THREE, [(0, 1), (0, 2)])
    loose = {"laplace": 0.2, "ep": 0.012, "variational": 0.02}[inference] if response != "difference" else 1e-5
    np.testing.assert_allclose(found_mean, mean, atol=loose)
    np.testing.assert_allclose(found_std, np.sqrt(np.diagonal(cov)), atol=max(loose, 2e-3))
    if response in ("choice", "logit"):
        share = average(lambda f: np.exp(model.likelihood_.log_density(1.0, f[:, 2] - f[:, 1])))
        assert model.predict_preference(THREE, [(1, 2)])[0] == pytest.approx(share, abs=loose)


@pytest.mark.parametrize("response", ["choice", "ties", pytest.param("degree", marks=pytest.mark.long)])
def test_ep_comes_nearest_to_importance_sampling(response):
    X, pairs, y = person(response, n=5, m=14, seed=3)
    models = {inference: still(response, inference).fit(X, pairs, y) for inference in APPROXIMATE}
    ep, observed = models["ep"], models["ep"].observations_
    A = np.eye(len(observed.X))[observed.views.plus] - np.eye(len(observed.X))[observed.views.minus]
    q = ep.approximation_.posterior
    truth, error = importance_evidence(
        KERNEL(observed.X), A, observed.y, ep.likelihood_, q.mean, q.covariance, draws=25_000
    )
    gaps = {inference: abs(model.log_evidence_ - truth) for inference, model in models.items()}
    assert error < 0.015
    assert models["variational"].log_evidence_ < truth + 3 * error
    assert gaps["ep"] < 0.06
    assert gaps["ep"] < min(gaps["laplace"], gaps["variational"]) + 3 * error


SPARSE = [("choice", "laplace"), *((response, "variational") for response in RESPONSES)]


@pytest.mark.parametrize(
    ("response", "inference", "inducing"),
    [(response, inference, False) for response in RESPONSES for inference in APPROXIMATE]
    + [(*both, True) for both in SPARSE],
)
def test_gradients_with_priors_of_everything(response, inference, inducing):
    X, pairs, y = person(response, m=12)
    kernel = KERNEL.with_priors(variance=gp.Gamma(2, 1), lengthscale=gp.HalfStudentT(3.0))
    priors = {"noise_prior": gp.LogNormal(0.5, 0.7), "precision_prior": gp.Gamma(1, 0.05)}
    places = {"inducing": X[:2] + 0.1, "learn_inducing": True} if inducing else {}
    model = still(response, inference, kernel, **priors, **places).fit(X, pairs, y)
    theta = theta_of(model)
    height, gradient = model.evidence_at(theta)
    numeric = slopes(lambda t: model.evidence_at(t)[0], theta, 1e-4)
    assert len(theta) == 3 + {"ties": 2, "degree": 2}.get(response, 1) + 4 * inducing
    assert height == pytest.approx(model.log_posterior_, abs=1e-6)
    np.testing.assert_allclose(gradient, numeric, atol=1e-6 * (1 + np.abs(numeric).max()))


@every
def test_what_it_learns_is_a_summit_and_priors_pull(response):
    X, pairs, y = person(response, m=60, seed=5)
    kernel = SE(1.0, [1.0, 1.0]).with_priors(lengthscale=gp.LogNormal(1.0, 0.5), variance=gp.LogNormal(1.0, 1.0))
    model = PreferenceGP(kernel, **RESPONSES[response]).fit(X, pairs, y)
    assert model.converged_
    assert np.abs(model.evidence_at(theta_of(model))[1]).max() < 0.01
    assert model.log_posterior_ == pytest.approx(
        model.log_evidence_ + model.kernel_.log_prior()[0] + model.likelihood_.log_prior()[0]
    )
    held = response != "difference"
    assert (model.likelihood_.noise_std == RESPONSES[response]["noise_std"]) == held


# --- what must not matter -----------------------------------------------------------------------------------


@settings(max_examples=12)
@given(
    seed=st.integers(0, 10_000),
    response=st.sampled_from(list(RESPONSES)),
    inference=st.sampled_from(APPROXIMATE),
)
def test_a_pair_may_be_swapped_with_its_answer_and_rows_may_be_mixed(seed, response, inference):
    X, pairs, y = person(response, n=5, m=9, seed=seed)
    rng = np.random.default_rng(seed)
    flip, order = rng.random(9) < 0.5, rng.permutation(9)
    other_pairs = np.where(flip[:, None], pairs[:, ::-1], pairs)[order]
    other_y = np.where(flip, turned(response, y), y)[order]
    one = quietly(still(response, inference), X, pairs, y)
    other = quietly(still(response, inference), X, other_pairs, other_y)
    same(one, other, X, [(0, 1), (4, 2)], atol=1e-6)


@every
@rule
def test_item_space_is_response_space(response, inference):
    X, pairs, y = person(response, n=6, m=6, seed=1)
    if response == "degree":
        y = gp.squeeze(y, inside=0.1)  # far degrees can have a negative τ, and then response space does not exist
    one, other = (quietly(still(response, inference, space=space), X, pairs, y) for space in ("item", "response"))
    same(one, other, X, pairs)


COUNTS = np.array([3, 0, 1, 1, 0, 2, 5, 1])


@every
@pytest.mark.parametrize("options", [{}, {"inference": "variational"}, {"inference": "variational", "inducing": 3}])
def test_counts_are_repeated_rows(response, options):
    X, pairs, y = person(response, n=5, m=8)
    options = {"rng": 0, **options}
    one = still(response, **options).fit(X, pairs, y, counts=COUNTS)
    other = still(response, **options).fit(X, np.repeat(pairs, COUNTS, axis=0), np.repeat(y, COUNTS))
    same(one, other, X, pairs)
    assert len(one.observations_.y) == 6
    theta = theta_of(one) + 0.1
    for found, wanted in zip(one.evidence_at(theta), other.evidence_at(theta), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("inference", ["exact", *APPROXIMATE])
def test_counts_of_differences_are_repeated_rows_for_every_rule(inference):
    X, pairs, y = person("difference", n=5, m=8)
    one = still("difference", inference).fit(X, pairs, y, counts=COUNTS)
    same(one, still("difference").fit(X, np.repeat(pairs, COUNTS, axis=0), np.repeat(y, COUNTS)), X, pairs)


def test_counts_with_the_pseudo_inputs_of_choices():
    X, pairs, y = person("choice", n=6, m=8)
    one = still("choice", inducing=X[:3]).fit(X, pairs, y, counts=COUNTS)
    other = still("choice", inducing=X[:3]).fit(X, np.repeat(pairs, COUNTS, axis=0), np.repeat(y, COUNTS))
    same(one, other, X, pairs)
    for found, wanted in zip(one.evidence_at(theta_of(one)), other.evidence_at(theta_of(other)), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-7)


@every
def test_learning_from_counts_is_learning_from_repeated_rows(response):
    X, pairs, y = person(response, n=5, m=8)
    start = SE(1.0, 1.0).with_priors(variance=gp.LogNormal(1.0, 0.5), lengthscale=gp.LogNormal(1.0, 0.5))
    one = PreferenceGP(start, **RESPONSES[response]).fit(X, pairs, y, counts=COUNTS)
    other = PreferenceGP(start, **RESPONSES[response]).fit(X, np.repeat(pairs, COUNTS, axis=0), np.repeat(y, COUNTS))
    np.testing.assert_allclose(one.kernel_.theta, other.kernel_.theta, atol=1e-3)
    assert one.log_posterior_ == pytest.approx(other.log_posterior_, abs=1e-5)


def test_an_answer_that_is_missing_takes_its_count_along():
    X, pairs, y = person("difference", n=5, m=8)
    some = np.where(np.arange(8) == 2, np.nan, y)
    one = still("difference").fit(X, pairs, some, counts=COUNTS + 1)
    rest = np.arange(8) != 2
    same(one, still("difference").fit(X, pairs[rest], y[rest], counts=COUNTS[rest] + 1), X, pairs)
    np.testing.assert_array_equal(one.observations_.counts, COUNTS[rest] + 1)


def power_by_quadrature(likelihood, y, count, v, centre, reach, points=400_001):
    """(log evidence, mean, standard deviation) of g ~ N(0, v) given the answer y, `count` times: sums over nodes."""
    g = centre + reach * np.linspace(-1, 1, points)
    log_weight = norm.logpdf(g, 0, np.sqrt(v)) + count * likelihood.log_density(np.array([float(y)]), g)
    log_weight = log_weight + np.log(g[1] - g[0])
    evidence = logsumexp(log_weight)
    weight = np.exp(log_weight - evidence)
    mean = weight @ g
    return evidence, mean, np.sqrt(weight @ (g - mean) ** 2)


@pytest.mark.parametrize("count", [1, 7, 1000, 10**6])
@pytest.mark.parametrize(
    ("response", "y"), [("choice", 1), ("logit", -1), ("ties", 0), ("ties", 1), ("degree", 0.9), ("difference", 1.3)]
)
def test_ep_of_one_question_is_exact_however_often_it_was_answered(response, y, count):
    model = still(response, "ep", SE(1.0, 1.0)).fit([0.0, 1.0], [(0, 1)], [y], counts=[count])
    mean, std = model.predict_difference([0.0, 1.0], [(0, 1)])
    truth = power_by_quadrature(model.likelihood_, y, count, 2 * (1 - np.exp(-0.5)), mean[0], 30 * std[0])
    assert model.converged_
    assert model.log_evidence_ == pytest.approx(truth[0], abs=1e-6, rel=1e-9)
    assert mean[0] == pytest.approx(truth[1], abs=1e-4 * truth[2])
    assert std[0] == pytest.approx(truth[2], rel=1e-4)


@rule
def test_a_million_million_answers_cost_no_more_than_two(inference):
    model = still("choice", inference, SE(1.0, 1.0)).fit([0.0, 1.0], [(0, 1), (0, 1)], [1, -1], counts=[10**12, 1])
    mean, std = model.predict_difference([0.0, 1.0], [(0, 1)])
    g, v = mean[0] + 0.7 * np.linspace(-1, 1, 400_001), 2 * (1 - np.exp(-0.5))
    log_p = [model.likelihood_.log_density(np.array([answer]), g) for answer in (1.0, -1.0)]
    log_weight = norm.logpdf(g, 0, np.sqrt(v)) + 1e12 * log_p[0] + log_p[1] + np.log(g[1] - g[0])
    evidence = logsumexp(log_weight)
    weight = np.exp(log_weight - evidence)
    assert model.converged_ and len(model.observations_.y) == 2
    assert model.log_evidence_ == pytest.approx(evidence, abs=0.1)  # a skewed posterior, which only EP has right
    assert mean[0] == pytest.approx(weight @ g, abs=std[0])
    assert inference != "ep" or model.log_evidence_ == pytest.approx(evidence, abs=1e-3)


@pytest.mark.parametrize("response", ["choice", "degree"])
def test_ep_s_evidence_of_counts_has_the_gradient_that_it_says(response):
    X, pairs, y = person(response, n=5, m=8)
    model = still(response, "ep").fit(X, pairs, y, counts=3 * COUNTS)
    theta = theta_of(model)
    found = slopes(lambda theta: model.evidence_at(theta)[0], theta, step=1e-4)
    np.testing.assert_allclose(model.evidence_at(theta)[1], found, rtol=1e-4, atol=1e-4)


@every
def test_items_have_no_order_and_those_nobody_met_no_influence(response):
    X, pairs, y = person(response)
    order = np.random.default_rng(2).permutation(len(X))
    name = np.argsort(order)
    plain = still(response).fit(X, pairs, y)
    mixed = still(response).fit(np.vstack([X[order], [[50.0, 50.0]]]), name[pairs], y)
    same(plain, mixed, X, pairs)
    missing = still(response).fit(X, np.vstack([pairs, [[0, 1]]]), np.append(y.astype(float), np.nan))
    same(plain, missing, X, pairs)


@pytest.mark.parametrize("response", ["choice", "ties", "degree"])
@rule
def test_a_level_of_all_items_does_not_show_and_a_common_unit_neither(response, inference):
    X, pairs, y = person(response)
    plain = still(response, inference).fit(X, pairs, y)
    raised = still(response, inference, KERNEL + gp.Constant(3.0)).fit(X, pairs, y)
    same(plain, raised, X, pairs, atol=1e-6)
    stretched = still(response, inference, SE(1.7 * 25, [0.7, 1.9]), noise_std=3.0).fit(X, pairs, y)
    assert stretched.log_evidence_ == pytest.approx(plain.log_evidence_, abs=1e-6)
    assert np.allclose(stretched.predict_preference(X, pairs), plain.predict_preference(X, pairs), atol=1e-6)
    assert np.allclose(stretched.predict_latent(X), 5 * np.array(plain.predict_latent(X)), atol=1e-5)


# --- the same model by other means --------------------------------------------------------------------------


@pytest.mark.parametrize("inference", ["exact", *APPROXIMATE])
@pytest.mark.parametrize("twins", [False, True])
def test_differences_are_one_dense_gaussian(inference, twins):
    X, pairs, y = person("difference", n=7, m=9)
    if twins:
        X[3] = X[0]
        pairs[:2] = [(0, 3), (3, 0)]
    A, new = np.eye(7)[pairs[:, 1]] - np.eye(7)[pairs[:, 0]], np.random.default_rng(4).normal(size=(4, 2))
    K, K_cross = KERNEL(X), KERNEL(X, new)
    C = A @ K @ A.T + 0.36 * np.eye(9)
    model = quietly(still("difference", inference), X, pairs, y)
    assert model.log_evidence_ == pytest.approx(log_normal(y, C), abs=1e-7)
    mean = K_cross.T @ A.T @ np.linalg.solve(C, y)
    cov = KERNEL(new) - K_cross.T @ A.T @ np.linalg.solve(C, A @ K_cross)
    np.testing.assert_allclose(model.predict_latent(new)[0], mean, atol=1e-7)
    np.testing.assert_allclose(model.predict_latent(new, return_cov=True)[1], cov, atol=1e-7)
    # Eq. 2.45 divides by no kernel matrix and by no MᵀM, and so holds although MᵀM is singular.
    printed = K_cross.T @ np.linalg.solve(A.T @ A @ K + 0.36 * np.eye(7), A.T @ y)
    np.testing.assert_allclose(printed, mean, atol=1e-9)
    if not twins:
        posterior_mean, _ = dense_posterior(K, A, np.full(9, 1 / 0.36), y / 0.36)
        np.testing.assert_allclose(model.predict_latent(X)[0], posterior_mean, atol=1e-6)
    gap = mean[2] - mean[1]
    v = cov[1, 1] + cov[2, 2] - 2 * cov[1, 2]
    assert model.predict_preference(new, [(1, 2)])[0] == pytest.approx(ndtr(gap / np.sqrt(v + 0.36)), abs=1e-7)
    np.testing.assert_allclose(np.ravel(model.predict_answer(new, [(1, 2)])), [gap, np.sqrt(v + 0.36)], atol=1e-7)


def test_a_plane_and_the_logistic_link_are_scikit_learn_s_logistic_regression():
    X, pairs, y = person("choice", n=12, m=60)
    prior = 2.3
    model = still("logit", kernel=gp.Linear(prior), noise_std=1 / np.sqrt(2)).fit(X, pairs, y)
    gap = X[pairs[:, 1]] - X[pairs[:, 0]]
    theirs = LogisticRegression(C=prior, fit_intercept=False, tol=1e-10).fit(gap, y)
    np.testing.assert_allclose(model.predict_latent(np.eye(2))[0], theirs.coef_[0], atol=1e-6)


def test_unrelated_items_and_the_logistic_link_are_bradley_and_terry_s():
    X, pairs, _ = person("choice", n=5, m=80, seed=2)
    y = np.where(np.random.default_rng(0).random(80) < 0.5 + 0.06 * (pairs[:, 1] - pairs[:, 0]), 1, -1)
    won = [(b, a) if answer > 0 else (a, b) for (a, b), answer in zip(pairs.tolist(), y, strict=True)]
    theirs = choix.opt_pairwise(5, won)
    model = still("logit", kernel=gp.White(1e5), noise_std=1 / np.sqrt(2)).fit(X, pairs, y)
    mode = model.approximation_.posterior.mean  # White makes new items of those that are asked for later
    worth = np.empty(5)
    worth[[np.flatnonzero((row == X).all(axis=1))[0] for row in model.observations_.X]] = mode
    np.testing.assert_allclose(worth - worth.mean(), theirs - theirs.mean(), atol=1e-3)


def test_one_comparison_by_hand():
    """Chu & Ghahramani's likelihood for two items: g ~ N(0, v), and EP's evidence of one choice is exact, ½."""
    X, v = THREE[:2], 2 * (1.7 - KERNEL(THREE)[0, 1])
    spread = np.sqrt(v + 2 * 0.36)
    model = still("choice", "ep").fit(X, [(0, 1)], [1])
    mean, std = model.predict_difference(X, [(0, 1)])
    assert model.log_evidence_ == pytest.approx(np.log(0.5), abs=1e-9)
    assert mean[0] == pytest.approx(v * 2 * norm.pdf(0) / spread, abs=1e-7)
    assert std[0] ** 2 == pytest.approx(v - (v * 2 * norm.pdf(0) / spread) ** 2, abs=1e-7)
    np.testing.assert_allclose(model.predict_latent(X)[0], [-mean[0] / 2, mean[0] / 2], atol=1e-7)


def ep_of_equal_choices(n, v, spread):
    """(log evidence, mean, variance) where EP rests, for n choices of b and g ~ N(0, v): its sites are all alike."""

    def state(log_V, mean):
        V = np.exp(log_V)
        tau, nu = (1 / V - 1 / v) / n, mean / V / n
        cavity = 1 / (1 / V - tau)
        centre, width = cavity * (mean / V - nu), np.sqrt(spread**2 + cavity)
        z = centre / width
        ratio = np.exp(norm.logpdf(z) - log_ndtr(z))
        tilted = centre + cavity * ratio / width, cavity - (cavity / width) ** 2 * ratio * (z + ratio)
        site = log_ndtr(z) - 0.5 * (np.log(V / cavity) + mean**2 / V - centre**2 / cavity)
        return V, tilted, n * (site + 0.5 * nu * mean) - 0.5 * np.log(v / V)

    def gap(t):
        V, (mean, variance), _ = state(*t)
        return n * (mean - t[1]), n * np.log(variance / V)

    rest = root(gap, [np.log(0.1 * v), np.sqrt(v)], tol=1e-10).x
    return state(*rest)[2], rest[1], np.exp(rest[0])


@pytest.mark.parametrize("n", [1, 10, 100, 1000])
def test_ep_rests_although_many_answers_agree(n):
    """Then its steps overshoot, and once went in a circle. Where it rests is not the truth, but near it."""
    v, spread = 200 * (1 - np.exp(-0.5 / 0.64)), 0.7 * np.sqrt(2)
    data = [0.0, 1.0], [(0, 1)] * n, [1] * n
    model = PreferenceGP(SE(100.0, 0.8), noise_std=0.7, inference="ep", optimize=False).fit(*data)
    evidence, mean, variance = ep_of_equal_choices(n, v, spread)
    found = model.predict_difference([0.0, 1.0], [(0, 1)])
    assert model.converged_ and model.approximation_.rounds < 400
    assert model.log_evidence_ == pytest.approx(evidence, abs=1e-6)
    np.testing.assert_allclose(np.ravel(found), [mean, np.sqrt(variance)], rtol=1e-4)
    g = np.linspace(-120, 120, 240_001)
    truth = logsumexp(norm.logpdf(g, 0, np.sqrt(v)) + n * log_ndtr(g / spread) + np.log(g[1] - g[0]))
    assert truth - 0.6 < model.log_evidence_ < truth + 1e-8


@pytest.mark.parametrize("response", ["logit", "ties", "degree"])
def test_ep_rests_for_every_response_on_which_many_agree(response):
    v, y = 200 * (1 - np.exp(-0.5 / 0.64)), 0.9 if response == "degree" else 1
    model = still(response, "ep", SE(100.0, 0.8)).fit([0.0, 1.0], [(0, 1)] * 150, [y] * 150)
    g = np.linspace(-120, 120, 240_001)
    told = 150 * model.likelihood_.log_density(y, g)
    truth = logsumexp(norm.logpdf(g, 0, np.sqrt(v)) + told + np.log(g[1] - g[0]))
    assert model.converged_
    assert model.log_evidence_ == pytest.approx(truth, abs=0.01 if response == "degree" else 0.6)


# --- predictions --------------------------------------------------------------------------------------------


@every
def test_what_it_predicts_is_the_expected_answer_to_a_pair(response):
    X, pairs, y = person(response)
    model = still(response).fit(X, pairs, y)
    mean, std = model.predict_difference(X, pairs)
    expected, spread = model.predict(X, pairs, return_std=True)
    g = mean + std * np.random.default_rng(0).normal(size=(40_000, len(pairs)))
    answers = model.likelihood_.mean(g)
    np.testing.assert_allclose(expected, answers.mean(axis=0), atol=5 * spread.max() / 200)
    np.testing.assert_allclose(spread, answers.std(axis=0), rtol=0.05, atol=1e-3)
    np.testing.assert_allclose(model.predict_answer(X, pairs)[0], expected, atol=1e-7)
    assert (model.predict_answer(X, pairs)[1] > spread).all()


@every
@rule
def test_densities_of_the_next_answer_sum_to_one_and_have_its_moments(response, inference):
    X, pairs, y = person(response)
    model = still(response, inference).fit(X, pairs, y)
    asked = [(0, 1), (5, 2)]
    if response == "degree":  # y = Φ(z)
        z, weight = np.polynomial.legendre.leggauss(400)
        answers, weight = ndtr(8 * z), 8 * weight * norm.pdf(8 * z)
    elif response == "difference":
        answers, weight = np.linspace(-15, 15, 601), np.full(601, 0.05)
    else:
        answers, weight = np.array([-1.0, 0.0, 1.0] if response == "ties" else [-1.0, 1.0]), 1.0
    density = np.array([np.exp(model.log_predictive_density(X, asked, np.full(2, one))) for one in answers])
    mass = density * np.reshape(weight, (-1, 1))
    np.testing.assert_allclose(mass.sum(axis=0), 1, atol=1e-6)
    mean, std = model.predict_answer(X, asked)
    np.testing.assert_allclose(answers @ mass, mean, atol=1e-6)
    np.testing.assert_allclose(answers**2 @ mass, mean**2 + std**2, atol=1e-6)
    if response in ("choice", "logit"):
        np.testing.assert_allclose(density[1], model.predict_preference(X, asked), atol=1e-8)


def test_the_density_of_one_answer_more_is_what_it_adds_to_the_evidence():
    X, pairs, y = person("difference")
    model = still("difference").fit(X, pairs[:-1], y[:-1])
    more = still("difference").fit(X, pairs, y)
    told = model.log_predictive_density(X, pairs[-1:], y[-1:])[0]
    assert told == pytest.approx(more.log_evidence_ - model.log_evidence_, abs=1e-6)


@every
@pytest.mark.parametrize("inference", ["laplace", "ep"])
def test_predictions_are_averages_over_drawn_functions(response, inference):
    X, pairs, y = person(response)
    model = still(response, inference).fit(X, pairs, y)
    new = np.random.default_rng(8).normal(size=(4, 2))
    asked = np.array([(0, 1), (2, 3), (3, 0)])
    f, rng = model.sample(new, 60_000, rng=0), np.random.default_rng(9)
    answers = model.likelihood_.sample(f[:, asked[:, 1]] - f[:, asked[:, 0]], rng)
    level = 0.5 if response == "degree" else 0.0
    decided = answers != level
    share = (answers > level).sum(axis=0) / decided.sum(axis=0)
    np.testing.assert_allclose(model.predict_preference(new, asked), share, atol=4.5 * 0.5 / np.sqrt(30_000))
    mean, std = model.predict_answer(new, asked)
    assert (np.abs(mean - answers.mean(axis=0)) < 4.5 * std / np.sqrt(60_000)).all()
    np.testing.assert_allclose(std, answers.std(axis=0), rtol=0.03)


@every
def test_both_directions_of_a_question_add_up(response):
    X, pairs, y = person(response)
    model = still(response).fit(X, pairs, y)
    twins = np.vstack([X, X[:1]])
    np.testing.assert_allclose(
        model.predict_preference(X, pairs) + model.predict_preference(X, pairs[:, ::-1]), 1, atol=1e-8
    )
    np.testing.assert_allclose(model.predict_preference(twins, [(0, 8), (8, 0), (2, 2)]), 0.5, atol=1e-7)
    far = model.predict_preference([[90.0, 0.0], [0.0, 90.0]], [(0, 1)])
    np.testing.assert_allclose(far, 0.5, atol=1e-8)


def test_drawn_functions_have_the_posterior_s_moments():
    X, pairs, y = person("choice")
    model = still("choice", "ep").fit(X, pairs, y)
    mean, cov = model.predict_latent(X[:4], return_cov=True)
    drawn = model.sample(X[:4], 40_000, rng=0)
    np.testing.assert_allclose(drawn.mean(axis=0), mean, atol=0.03)
    np.testing.assert_allclose(np.cov(drawn.T), cov, atol=0.05)
    _, std = model.predict_difference(X[:4], [(0, 3)])
    assert (drawn[:, 3] - drawn[:, 0]).std() == pytest.approx(std[0], rel=0.02)
    np.testing.assert_array_equal(model.sample(X, 3, rng=5), model.sample(X, 3, rng=5))


def test_a_ranking_says_what_drawn_functions_say():
    X, pairs, y = person("choice")
    model = still("choice").fit(X, pairs, y)
    ranking = model.ranking(X, confidence=0.8, size=8000, rng=0)
    mean, cov = model.predict_latent(X, return_cov=True)
    f = np.random.default_rng(1).multivariate_normal(mean, cov, 40_000)
    ranks = (f[:, None, :] > f[:, :, None]).sum(axis=2) + 1
    np.testing.assert_allclose(ranking.mean, ranks.mean(axis=0), atol=0.1)
    np.testing.assert_allclose(ranking.best, (ranks == 1).mean(axis=0), atol=0.025)
    assert ranking.best.sum() == pytest.approx(1, abs=1e-12) and ranking.mean.sum() == pytest.approx(8 * 9 / 2)
    inside = ((ranks >= ranking.low) & (ranks <= ranking.high)).mean(axis=0)
    assert (inside > 0.78).all()
    shrunk = ((ranks > ranking.low) & (ranks < ranking.high)).mean(axis=0)
    assert (shrunk < 0.82).all()
    assert sorted(ranking.order) == list(range(8))
    narrow = model.ranking(X, confidence=0.3, size=8000, rng=0)
    assert (narrow.low >= ranking.low).all() and (narrow.high <= ranking.high).all()
    assert (narrow.low <= narrow.high).all() and set(np.unique(narrow.low)) <= set(range(1, 9))


def test_a_ranking_of_two_is_a_preference_without_noise_and_one_item_is_the_best():
    X, pairs, y = person("choice")
    model = still("choice").fit(X, pairs, y)
    mean, std = model.predict_difference(X, [(0, 1)])
    two = model.ranking(X[:2], size=40_000, rng=3)
    assert two.best[1] == pytest.approx(ndtr(mean[0] / std[0]), abs=4.5 * 0.5 / 200)
    assert two.order[0] == (mean[0] > 0)
    one = model.ranking(X[:1], rng=0)
    assert [part.tolist() for part in one] == [[0], [1.0], [1], [1], [1.0]]


def test_identical_items_share_their_rank():
    X, pairs, y = person("choice")
    model = still("choice").fit(X, pairs, y)
    twins = model.ranking(X[[0, 1, 0]], size=3000, rng=0)
    share = (np.diff(model.sample(X[[0, 1, 0]], 3000, rng=0)[:, :2]) > 0).mean()  # item 1 is above both of them
    np.testing.assert_allclose(twins.best, [(1 - share) / 2, share, (1 - share) / 2])
    np.testing.assert_allclose(twins.mean, [1.5 + share, 3 - 2 * share, 1.5 + share])
    assert {*twins.low, *twins.high} <= {1, 1.5, 2.5, 3} and (twins.low[0], twins.high[0]) == (1.5, 2.5)
    alike = model.ranking(X[[4, 4, 4, 4]], rng=0)
    np.testing.assert_allclose([*alike.best, *alike.mean, *alike.low, *alike.high], [0.25] * 4 + [2.5] * 12)
    assert alike.order.tolist() == [0, 1, 2, 3]


# --- pseudo-inputs for every response ----------------------------------------------------------------------


@every
def test_pseudo_inputs_at_the_items_are_the_full_model_and_more_of_them_raise_the_bound(response):
    X, pairs, y = person(response)
    full = still(response, "variational").fit(X, pairs, y)
    bounds = []
    for M in (1, 3, 8):
        sparse = still(response, "variational", inducing=X[:M]).fit(X, pairs, y)
        bounds.append(sparse.log_evidence_)
    assert bounds[0] < bounds[1] < bounds[2] < full.log_evidence_ + 1e-6
    same(full, sparse, X, pairs, atol=1e-6)


def test_pseudo_inputs_of_degrees_are_learned_and_may_be_counted():
    X, pairs, y = person("degree", n=12, m=40)
    kept = still("degree", "variational", inducing=3, rng=0).fit(X, pairs, y)
    moved = still("degree", "variational", inducing=3, learn_inducing=True, rng=0)
    fixed = KERNEL.with_priors(variance=gp.Fixed(), lengthscale=gp.Fixed())
    moved.set_params(kernel=fixed, optimize=True, precision_prior=gp.Fixed()).fit(X, pairs, y)
    assert kept.inducing_.shape == moved.inducing_.shape == (3, 2)
    assert moved.log_evidence_ > kept.log_evidence_ + 0.1
    assert moved.likelihood_.theta.shape == (0,)


# --- items that float ---------------------------------------------------------------------------------------


LINE = np.arange(6.0)


@pytest.mark.parametrize(
    ("kernel", "pairs", "named"),
    [
        (SE(1.0, 0.05), [(0, 1), (2, 3)], r"\[0, 1\]"),
        (SE(1.0, 0.05), [(0, 1), (1, 2), (4, 5)], r"\[4, 5\]"),
        (gp.White(1.0), [(0, 1), (3, 2), (1, 2), (5, 4)], r"\[4, 5\]"),
        (SE(1.0, 5.0).on(0) * gp.Constant(2.0) * SE(1.0, 0.01), [(0, 1), (2, 3)], r"\[0, 1\]"),
    ],
)
@pytest.mark.parametrize("response", ["choice", "degree", "difference"])
def test_items_that_hang_on_nothing_are_named(kernel, pairs, named, response):
    y = np.full(2 * len(pairs), 0.7 if response == "degree" else 1.0)
    with pytest.warns(FloatingItemsWarning, match=f"items {named} were never compared with the others"):
        still(response, kernel=kernel).fit(LINE, 2 * pairs, y)


@pytest.mark.filterwarnings("error::course_lib.judgments.FloatingItemsWarning")
@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize(
    ("kernel", "pairs"),
    [
        (SE(1.0, 0.05), [(0, 1), (2, 1), (2, 5)]),  # a chain; nobody met items 3 and 4
        (SE(1.0, 3.0), [(0, 1), (2, 3)]),  # the kernel ties them
        (gp.Constant(1.0), [(0, 1), (2, 3)]),
        (gp.White(1.0), [(0, 1)]),
        (gp.Linear(1.0), [(1, 2), (3, 4)]),
        (gp.Linear(1.0), [(0, 1), (2, 3)]),  # the first has variance 0
        (SE(1.0, 0.6), [(0, 5), (1, 2), (3, 4)]),  # tied to neighbours only: 5 to 4, 3 to 2, 1 to 0
    ],
)
def test_items_that_hang_together_are_not(kernel, pairs):
    still("choice", kernel=kernel).fit(LINE, 2 * pairs, np.ones(2 * len(pairs)))


@pytest.mark.filterwarnings("error::course_lib.judgments.FloatingItemsWarning")
def test_equal_inputs_are_one_item_and_unanswered_pairs_none():
    short = SE(1.0, 0.05)
    for kernel in (short, gp.White(1.0)):
        still("choice", kernel=kernel).fit([0.0, 1.0, 1.0, 2.0], [(0, 1), (2, 3)], [1, 1])
    still("choice", kernel=short).fit(LINE, [(0, 1), (2, 3)], [1, 1], counts=[4, 0])
    still("choice", kernel=short).fit(LINE, [(0, 1), (2, 3)], [1, np.nan])


class FewAtATime(SE):
    """A kernel that refuses the covariance of many items, which pseudo-inputs are there to avoid."""

    def __call__(self, X, X2=None):
        assert len(X) < 10
        return super().__call__(X, X2)


def test_items_that_comparisons_connect_need_no_covariance_of_all():
    chain = np.column_stack([np.arange(39), np.arange(1, 40)])
    model = still("choice", kernel=FewAtATime(1.0, 5.0), inducing=np.linspace(0, 39, 4))
    assert np.isfinite(model.fit(np.arange(40.0), chain, np.ones(39)).log_evidence_)


@pytest.mark.parametrize(
    ("X", "pairs", "named"),
    [
        ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [(5, 4), (1, 2), (2, 3)], r"\[4, 5\]"),
        ([0.0, 9.0, 9.0, 3.0, 4.0, 5.0, 6.0], [(1, 4), (2, 4), (5, 3), (3, 6)], r"\[1, 2, 4\]"),
        (
            np.arange(20.0),
            [(k, k + 1) for k in range(8)] + [(k, k + 1) for k in range(10, 19)],
            r"\[0, 1, 2, 3, 4\] …",
        ),
    ],
)
def test_floating_items_are_named_by_the_rows_that_came(X, pairs, named):
    """Not by those that are left when items that nobody met are dropped and equal ones are one; at most five."""
    with pytest.warns(FloatingItemsWarning, match=f"items {named} were never"):
        still("choice", kernel=SE(1.0, 0.05)).fit(X, 2 * pairs, np.ones(2 * len(pairs)))


def test_the_warning_points_at_the_line_that_called_fit():
    with pytest.warns(FloatingItemsWarning) as caught:
        still("choice", kernel=SE(1.0, 0.05)).fit(LINE, [(0, 1), (2, 3), (3, 2)], [1, 1, 1])
    assert caught[0].filename == __file__


# --- corners ------------------------------------------------------------------------------------------------


@rule
def test_twins_teach_nothing_of_each_other(inference):
    """Identical items compared with each other: each such answer has probability ½, and that is all."""
    X, pairs, y = person("choice", n=6, m=12)
    twins = np.vstack([X, X[:2]])
    plain = still("choice", inference).fit(X, pairs, y)
    more = still("choice", inference).fit(
        twins, np.vstack([pairs, [(0, 6), (7, 1), (0, 6)]]), np.append(y, [1, 1, -1])
    )
    assert more.log_evidence_ == pytest.approx(plain.log_evidence_ + 3 * np.log(0.5), abs=1e-7)
    np.testing.assert_allclose(more.predict_latent(X), plain.predict_latent(X), atol=1e-7)
    only = still("choice", inference).fit(twins, [(0, 6), (1, 7)], [1, -1])
    assert only.log_evidence_ == pytest.approx(2 * np.log(0.5), abs=1e-7)
    np.testing.assert_allclose(only.predict_latent(X), [np.zeros(6), np.full(6, np.sqrt(1.7))], atol=1e-6)


@rule
@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize(
    ("response", "answers"),
    [
        ("choice", [1, 1, 1, 1, 1, 1, 1]),
        ("choice", [1, -1, 1, -1, 1, -1, 1]),
        ("ties", [0, 0, 0, 0, 0, 0, 0]),
        ("ties", [1, -1, 0, 0, 1, -1, 0]),
        ("degree", [1e-4, 1 - 1e-4, 0.5, 1e-4, 0.5, 1 - 1e-4, 0.9]),
        ("degree", [0.5] * 7),
        ("difference", [0.0] * 7),
        ("difference", [1e6, -1e6, 0, 0, 1, 2, 3]),
    ],
)
@pytest.mark.parametrize("n", [2, 4])
def test_strange_people(response, answers, n, inference):
    """All the same, contradictions, nothing but ties, the ends of the scale: finite, symmetric, and in bounds."""
    pairs = np.array([(0, 1), (1, 0), (0, n - 1), (1, 0), (n - 1, 0), (0, 1), (n - 2, n - 1)])
    X = np.linspace(-1, 1, n)
    model = quietly(still(response, inference, SE(1.0, 0.8)), X, pairs, answers)
    share = model.predict_preference(X, pairs)
    assert np.isfinite(model.log_evidence_)
    assert ((share >= 0) & (share <= 1)).all()
    np.testing.assert_allclose(share + model.predict_preference(X, pairs[:, ::-1]), 1, atol=1e-7)
    mean, std = model.predict_answer(X, pairs)
    assert np.isfinite(mean).all() and (std >= 0).all()
    assert model.ranking(X, size=200, rng=0).best.sum() == pytest.approx(1)


@rule
@pytest.mark.parametrize("response", ["choice", "logit", "ties", "degree"])
def test_huge_utilities(response, inference):
    """Differences of fifty noises: no answer is doubtful, nothing overflows, and what was never asked follows."""
    X = np.linspace(0, 3, 7)
    f = 80 * np.sin(X)
    pairs = np.array([(a, b) for a in range(7) for b in range(a + 1, 7) if (a, b) != (1, 5)])
    sure = np.where(f[pairs[:, 1]] > f[pairs[:, 0]], 1, -1)
    y = gp.squeeze((1 + sure) / 2, inside=1e-3) if response == "degree" else sure
    model = quietly(still(response, inference, SE(6400.0, 1.0), noise_std=1.0), X, pairs, y)
    assert np.isfinite(model.log_evidence_)
    share = model.predict_preference(X, pairs)
    assert ((share > 0.5) == (sure > 0)).all() and np.abs(share - 0.5).max() > 0.3
    assert model.predict_preference(X, [(1, 5)])[0] > 0.5


@rule
@pytest.mark.parametrize("lengthscale", [1e-6, 1e3, 1e6])
def test_extreme_lengthscales(lengthscale, inference):
    X, pairs, y = person("choice", n=6, m=7)
    model = quietly(still("choice", inference, SE(1.0, lengthscale)), X, pairs, y)
    if lengthscale > 1e5:  # all items are alike: every answer is a coin
        assert model.log_evidence_ == pytest.approx(7 * np.log(0.5), abs=1e-5)
        np.testing.assert_allclose(model.predict_preference(X, pairs), 0.5, atol=1e-4)
    other = quietly(still("choice", inference, SE(1.0, lengthscale), inducing=None, space="item"), X, pairs, y)
    assert other.log_evidence_ == pytest.approx(model.log_evidence_, abs=1e-5)


def test_inputs_in_line_numbers_as_inputs_and_the_inputs_unit():
    _, pairs, y = person("choice", n=6)
    x = np.linspace(0, 1, 6)
    plain = still("choice", kernel=SE(1.0, 0.5)).fit(x, pairs, y)
    same(plain, still("choice", kernel=SE(1.0, 0.5)).fit(x[:, None], pairs.tolist(), y.tolist()), x, pairs)
    line = np.outer(x, [1.0, 2.0])
    along = still("choice", kernel=SE(1.0, 0.5 * np.sqrt(5.0))).fit(line, pairs, y)
    np.testing.assert_allclose(along.predict_preference(line, pairs), plain.predict_preference(x, pairs), atol=1e-7)
    learned = [quietly(PreferenceGP(SE(1.0, 0.5 * unit)), 7.0 + unit * x, pairs, y) for unit in (1.0, 1e4)]
    assert learned[0].log_evidence_ == pytest.approx(learned[1].log_evidence_, abs=1e-3)


def test_a_steady_person_is_learned():
    rng = np.random.default_rng(0)
    x = np.linspace(-2, 2, 25)
    f = np.sin(2 * x)
    a = rng.integers(25, size=150)
    pairs = np.column_stack([a, (a + rng.integers(1, 25, size=150)) % 25])
    choices = np.where(rng.random(150) < ndtr((f[pairs[:, 1]] - f[pairs[:, 0]]) / (0.2 * np.sqrt(2))), 1, -1)
    model = PreferenceGP(SE(1.0, 1.0), noise_std=0.2).fit(x, pairs, choices)
    new = rng.uniform(-2, 2, 20)
    every_pair = np.array([(i, j) for i in range(20) for j in range(i)])
    truth = np.sin(2 * new[every_pair[:, 1]]) > np.sin(2 * new[every_pair[:, 0]])
    assert ((model.predict_preference(new, every_pair) > 0.5) == truth).mean() > 0.9
    assert model.likelihood_.noise_std == 0.2
    found = model.predict_latent(x)[0]
    assert np.corrcoef(found, f)[0, 1] > 0.95


def test_noise_is_learned_only_with_a_prior_and_then_only_the_ratio_shows():
    X, pairs, y = person("choice", m=60)
    held = SE(2.0, [0.8, 2.0]).with_priors(variance=gp.Fixed())
    free = PreferenceGP(held, noise_std=0.9, noise_prior=gp.LogNormal(0.6, 1.0)).fit(X, pairs, y)
    assert free.likelihood_.noise_std != 0.9 and free.kernel_.variance == 2.0
    ratio = free.likelihood_.noise_std / np.sqrt(2.0)
    other = PreferenceGP(SE(free.kernel_.variance / ratio**2 / 2, free.kernel_.lengthscale), optimize=False).fit(
        X, pairs, y
    )
    assert other.log_evidence_ == pytest.approx(free.log_evidence_, abs=1e-6)
    np.testing.assert_allclose(other.predict_preference(X, pairs), free.predict_preference(X, pairs), atol=1e-6)


HELD = SE(1.0, 1.0).with_priors(variance=gp.Fixed())
FREE, TASTES = SE(1.0, 1.0), gp.Coregionalization(8, rng=0)


@pytest.mark.parametrize(
    ("kernel", "held"),
    [
        (None, False),
        (SE(1.0, 1.0).with_priors(lengthscale=gp.Gamma(2, 1)), False),
        (SE(1.0, 1.0).with_priors(variance=gp.LogNormal(1, 1)), True),
        (FREE + HELD, True),
        (HELD + HELD, True),
        (FREE + gp.White(0.1), False),
        (FREE * HELD, False),
        (HELD * HELD, True),
        (2.0 * HELD, False),
        (HELD + FREE * HELD, True),
        (FREE + FREE * HELD, False),
        ((FREE + HELD) * HELD, True),
        (FREE.on(0), False),
        (gp.Linear([1.0, 1.0]), False),
        (HELD.on([0, 1]) * TASTES.on([2]), False),
        (HELD.on([0, 1]) * TASTES.with_priors(loadings=gp.Normal(0, 1)).on([2]), True),
        (HELD.on([0, 1]) * TASTES.with_priors(own_variances=gp.Fixed()).on([2]), True),
    ],
)
def test_noise_is_learned_only_if_something_holds_the_kernel_s_size(kernel, held):
    """One free factor stretches a product; all terms of a sum must stretch."""
    X, pairs, y = person("choice")
    X = np.column_stack([X, np.arange(8.0)]) if kernel is not None and "Core" in repr(kernel) else X
    model = PreferenceGP(kernel, noise_prior=gp.Gamma(2, 1), optimize=False)
    if held:
        assert model.fit(X, pairs, y).likelihood_.names == ["noise_std"]
        return
    with pytest.raises(ValueError, match="nothing fixes the variance of the kernel"):
        model.fit(X, pairs, y)
    assert model.set_params(noise_prior=gp.Fixed()).fit(X, pairs, y).likelihood_.names == []


def test_one_comparison_is_enough_if_there_is_nothing_to_learn():
    held = HELD.with_priors(variance=gp.Fixed(), lengthscale=gp.Fixed())
    data, answer = ([0.0, 1.0], [(0, 1)]), {"choice": 1, "degree": 0.7, "difference": 0.3}
    for response, settings_ in (
        ("choice", {}),
        ("degree", {"precision_prior": gp.Fixed()}),
        ("difference", {"noise_prior": gp.Fixed()}),
    ):
        model = PreferenceGP(held, response=response, **settings_).fit(*data, [answer[response]])
        assert np.isfinite(model.log_evidence_)
    for response in ("degree", "difference"):  # ν and σ are free, and stay
        model = PreferenceGP(held, response=response).fit(*data, [answer[response]])
        assert model.likelihood_.theta == pytest.approx(model.observations_.likelihood.theta)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int32, np.uint64])
def test_pairs_may_be_whole_numbers_of_any_kind(dtype):
    """Also of one byte, which holds the number of an item, but nothing that is computed from it."""
    X = np.linspace(-2, 2, 120)
    pairs = np.random.default_rng(0).permutation(120).reshape(-1, 2)
    y = np.where(np.sin(2 * X)[pairs[:, 1]] > np.sin(2 * X)[pairs[:, 0]], 1, -1)
    plain, other = (still("choice", kernel=SE(1.0, 0.5)).fit(X, p, y) for p in (pairs, pairs.astype(dtype)))
    assert other.log_evidence_ == pytest.approx(plain.log_evidence_, abs=1e-9)
    for method in ("predict_difference", "predict_preference", "predict_answer"):
        expected = getattr(plain, method)(X, pairs)
        np.testing.assert_allclose(getattr(other, method)(X, pairs.astype(dtype)), expected, atol=1e-8)


# --- as an estimator, and refusals --------------------------------------------------------------------------


def test_copies_and_refits():
    X, pairs, y = person("choice")
    model = PreferenceGP(SE(1.0, 1.0), inference="ep", noise_std=0.6, n_restarts=1, rng=0).fit(X, pairs, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_preference(X, pairs), model.predict_preference(X, pairs))
    copy = clone(model)
    assert repr(copy.get_params()) == repr(model.get_params()) and not hasattr(copy, "kernel_")
    assert copy.fit(X, pairs, y).log_evidence_ == model.log_evidence_
    _, _, degrees = person("degree")
    other = model.set_params(response="degree", inference="laplace").fit(X, pairs, degrees)
    fresh = PreferenceGP(SE(1.0, 1.0), response="degree", noise_std=0.6, n_restarts=1, rng=0).fit(X, pairs, degrees)
    same(other, fresh, X, pairs)
    sparse = model.set_params(response="choice", inducing=3).fit(X, pairs, y)
    assert sparse.inducing_.shape == (3, 2)
    assert model.set_params(inducing=None).fit(X, pairs, y).inducing_ is None


def fit(**options):
    X, pairs, y = person("choice")
    data = {"X": X, "pairs": pairs, "y": y, "counts": None}
    data.update({name: options.pop(name) for name in tuple(options) if name in data})
    return PreferenceGP(SE(1.0, 1.0), **{"optimize": False, **options}).fit(**data)


def with_first(value):
    return np.concatenate([[value], person("choice")[2][1:]])


def pairs_with(first):
    pairs = person("choice")[1]
    pairs[0] = first
    return pairs


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: fit(pairs=pairs_with((3, 3))), r"pairs\[0\] is \(3, 3\): an item cannot be compared with itself"),
        (lambda: fit(y=with_first(0.5), ties=True), r"y\[0\] is 0\.5; a choice with ties"),
        (lambda: fit(y=np.zeros(20), response="degree"), r"y\[0\] is 0\.0; it must lie strictly between 0 and 1"),
        (lambda: fit(response="degree", link="logit", y=np.full(20, 0.3)), "link 'logit' with response 'degree'"),
        (lambda: fit(pairs=pairs_with((8, 0))), r"pairs\[0, 0\] is 8; the items are 0 … 7"),
        (lambda: fit(ties=True, response="degree", y=np.full(20, 0.3)), "with response 'degree'; both are for"),
        (lambda: fit(ties=True, link="logit"), 'go with response="choice" and link="probit"'),
        (lambda: fit(inference="exact"), 'inference "exact" needs Gaussian noise'),
        (lambda: fit(noise_prior=gp.Gamma(2, 1)), "choices and degrees depend only on f/σ.*Keep σ"),
        (lambda: fit(noise_prior=gp.Gamma(2, 1), response="degree", y=np.full(20, 0.3)), "f and σ would drift"),
        (lambda: PreferenceGP("rbf", noise_prior=gp.Gamma(2, 1)).fit(*person("choice")), "kernel is 'rbf'"),
        (lambda: fit(inducing=3, inference="ep"), "inference is 'ep' and inducing is 3"),
        (lambda: fit(inducing=3, link="logit"), "inducing inputs are for probit choices without ties"),
        (lambda: fit(inducing=9), "inducing is 9, more than the 8 distinct inputs"),
    ],
)
def test_refusals_name_the_argument_what_came_and_what_is_needed(act, words):
    with pytest.raises(ValueError, match=words):
        act()


@pytest.mark.parametrize("kernel", [SE(1.0, 1.0).on(0), SE(1.0, [1.0, 1e9])])
def test_items_that_the_kernel_cannot_tell_apart_share_their_ranks(kernel):
    items = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]
    model = PreferenceGP(kernel, optimize=False).fit(items, [(0, 1), (1, 2)], [1, -1])
    ranking = model.ranking([[0.0, 1.0], [0.0, 2.0], [1.0, 0.0]], rng=0)
    assert ranking.best[0] == ranking.best[1] and ranking.mean[0] == ranking.mean[1]


def test_a_level_of_all_items_hides_no_floating():
    with pytest.warns(FloatingItemsWarning):
        PreferenceGP(SE(1.0, 0.05) + gp.Constant(100.0), optimize=False).fit(
            np.arange(4.0), [(0, 1), (2, 3), (1, 0)], [1, 1, 1]
        )


def test_random_pairs_are_two_different_items_and_each_pair_is_as_probable():
    pairs = random_pairs(5, 40_000, rng=0)
    assert (pairs[:, 0] != pairs[:, 1]).all() and pairs.min() == 0 and pairs.max() == 4
    counts = np.bincount(pairs[:, 0] * 5 + pairs[:, 1], minlength=25).reshape(5, 5)
    assert (np.diagonal(counts) == 0).all()
    assert np.abs(counts[~np.eye(5, dtype=bool)] - 2000).max() < 5 * np.sqrt(2000)
    np.testing.assert_array_equal(random_pairs(5, 9, rng=3), random_pairs(5, 9, rng=3))
    assert set(map(tuple, random_pairs(2, 50, rng=0).tolist())) == {(0, 1), (1, 0)}
    assert all_pairs(4).tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    for act in (lambda: random_pairs(1, 5), lambda: random_pairs(5, 0), lambda: all_pairs(1)):
        with pytest.raises(ValueError, match="a whole number of at least"):
            act()
