"""GaussianMixture against scikit-learn, brute force, and what must hold for any data."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture as Published
from sklearn.utils.estimator_checks import check_estimator

from course_lessons.mixtures.mixture_sizes import compare_components, grow_mixture, split_components
from course_lib import sequences as seq
from course_lib.sequences import mixture as module
from course_lib.sequences import sufficient_statistics as sufficient
from tests.course_lib.oracles import log_normal_inverse_wishart, random_covariance

TYPES = ["full", "tied", "diag", "spherical"]
pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")
quietly = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def three_clouds(rng, D=2, n=60):
    centers = 4 * rng.normal(size=(3, D))
    return np.concatenate([c + rng.normal(size=(n, D)) @ random_covariance(rng, D) for c in centers])


def random_mixture(rng, K, D, covariance_type):
    matrices = np.array([random_covariance(rng, D) for _ in range(K)])
    covariances = {
        "full": matrices,
        "tied": matrices[0],
        "diag": np.diagonal(matrices, axis1=1, axis2=2).copy(),
        "spherical": matrices[:, 0, 0],
    }[covariance_type]
    return seq.Mixture(rng.dirichlet(np.full(K, 4.0)), rng.normal(size=(K, D)), covariances)


def matrices_of(mixture, covariance_type):
    """(K, D, D) by definition."""
    K, D = mixture.means.shape
    return {
        "full": lambda c: c,
        "tied": lambda c: np.array([c] * K),
        "diag": lambda c: np.array([np.diag(v) for v in c]),
        "spherical": lambda c: np.array([v * np.eye(D) for v in c]),
    }[covariance_type](mixture.covariances)


def brute_joint(X, mixture, covariance_type):
    matrices = matrices_of(mixture, covariance_type)
    with np.errstate(divide="ignore"):
        weights = np.log(mixture.weights)
    parts = list(zip(weights, mixture.means, matrices, strict=True))
    return np.array([[w + multivariate_normal.logpdf(x, m, S) for w, m, S in parts] for x in X])


def started_from(mixture, covariance_type, **options):
    options = {"min_variance": 0.0, "tol": 1e-300, **options}
    return seq.GaussianMixture(len(mixture.weights), covariance_type, init=mixture, **options)


def published_from(mixture, covariance_type, rounds):
    """scikit-learn's mixture from the same start; it wants the inverses of the covariances."""
    matrices = matrices_of(mixture, covariance_type)
    precisions = {
        "full": lambda: np.linalg.inv(matrices),
        "tied": lambda: np.linalg.inv(matrices[0]),
        "diag": lambda: 1 / mixture.covariances,
        "spherical": lambda: 1 / mixture.covariances,
    }[covariance_type]()
    return Published(
        len(mixture.weights),
        covariance_type=covariance_type,
        weights_init=mixture.weights,
        means_init=mixture.means,
        precisions_init=precisions,
        reg_covar=0,
        tol=0,
        max_iter=rounds,
    )


def test_is_a_scikit_learn_estimator():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(seq.GaussianMixture(max_iter=20))


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("rounds", [1, 2, 10])
def test_rounds_of_em_equal_scikit_learns(covariance_type, rounds):
    rng = np.random.default_rng(0)
    for D in (1, 2, 4):
        X, start = three_clouds(rng, D), random_mixture(rng, 3, D, covariance_type)
        theirs = published_from(start, covariance_type, rounds).fit(X)
        ours = started_from(start, covariance_type, max_iter=rounds).fit(X)
        assert ours.n_iter_ == rounds
        np.testing.assert_allclose(ours.weights_, theirs.weights_, rtol=1e-8)
        np.testing.assert_allclose(ours.means_, theirs.means_, rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(ours.covariances_, theirs.covariances_, rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-10)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-10)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
        assert ours.score(X) == pytest.approx(theirs.score(X), rel=1e-10)
        assert ours.bic(X) == pytest.approx(theirs.bic(X), rel=1e-10)
        assert ours.n_parameters_ == theirs._n_parameters()


@pytest.mark.parametrize("covariance_type", TYPES)
def test_e_step_is_brute_force(covariance_type):
    rng = np.random.default_rng(1)
    for K, D in ((1, 1), (3, 2), (2, 4)):
        X, mixture = 3 * rng.normal(size=(25, D)) + 5, random_mixture(rng, K, D, covariance_type)
        joint = brute_joint(X, mixture, covariance_type)
        gamma = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
        np.testing.assert_allclose(module.joint_log_densities(X, mixture, covariance_type), joint, rtol=1e-10)
        np.testing.assert_allclose(module.responsibilities(joint), gamma, atol=1e-12)
        log_likelihood, found = module.expectation(X, mixture, covariance_type, X.mean(axis=0))
        assert log_likelihood == pytest.approx(logsumexp(joint, axis=1).sum(), rel=1e-10)
        np.testing.assert_allclose(found.counts, gamma.sum(axis=0), rtol=1e-9)
        np.testing.assert_allclose(found.sums, gamma.T @ (X - found.origin), rtol=1e-8, atol=1e-10)
        products = np.einsum("nk,nd,ne->kde", gamma, X - found.origin, X - found.origin)
        if covariance_type in ("diag", "spherical"):
            products = np.diagonal(products, axis1=1, axis2=2)
        np.testing.assert_allclose(found.products, products, rtol=1e-8, atol=1e-10)


def test_statistics_of_more_points_than_one_block_holds():
    rng = np.random.default_rng(2)
    X, weights, origin = rng.normal(size=(5000, 3)), rng.random((2, 5000)), np.ones(3)
    for covariance_type in TYPES:
        whole = sufficient.accumulate(X, weights, covariance_type, origin)
        np.testing.assert_allclose(whole.counts, weights.sum(axis=1), rtol=1e-10)
        np.testing.assert_allclose(whole.sums, weights @ (X - 1), rtol=1e-9)
        products = np.einsum("kn,nd,ne->kde", weights, X - 1, X - 1)
        products = products if whole.products.ndim == 3 else np.einsum("kdd->kd", products)
        np.testing.assert_allclose(whole.products, products, rtol=1e-10)


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
def test_trace_is_the_objective_and_ends_at_the_result(covariance_type):
    """trace_[-1] = N · score + log prior, whose constant is found at the start."""
    rng = np.random.default_rng(3)
    X = three_clouds(rng)
    start = random_mixture(rng, 3, 2, covariance_type)
    plain = started_from(start, covariance_type, max_iter=7).fit(X)
    assert plain.trace_[0] == pytest.approx(logsumexp(brute_joint(X, start, covariance_type), axis=1).sum(), rel=1e-10)
    assert plain.trace_[-1] == pytest.approx(len(X) * plain.score(X), rel=1e-10)
    assert len(plain.trace_) == plain.n_iter_ + 1 == 8

    prior = seq.NormalInverseWishart(rng.normal(size=2), 0.7, random_covariance(rng, 2), 4.5)
    model = started_from(start, covariance_type, max_iter=7, prior=prior).fit(X)

    def posterior(mixture):
        matrices = matrices_of(mixture, covariance_type)
        distinct = matrices[:1] if covariance_type == "tied" else matrices
        likelihood = logsumexp(brute_joint(X, mixture, covariance_type), axis=1).sum()
        return likelihood + log_normal_inverse_wishart(prior, mixture.means, distinct)

    gain = posterior(model.mixture_) - posterior(start)
    assert model.trace_[-1] - model.trace_[0] == pytest.approx(gain, rel=1e-8)


@settings(max_examples=40)
@given(
    st.sampled_from(TYPES),
    st.integers(1, 3),
    st.integers(1, 5),
    st.integers(5, 40),
    st.sampled_from(["none", "weak", "strong"]),
    st.sampled_from([1e-6, 0.05, 2.0]),
    st.sampled_from(["kmeans", "random"]),
    st.booleans(),
    st.integers(0, 10_000),
)
def test_the_objective_never_falls(covariance_type, D, K, N, prior, floor, init, repeated, seed):
    """Also with repeated points, more components than distinct points, and constant features."""
    rng = np.random.default_rng(seed)
    X = 2 * rng.normal(size=(N, D))
    X = np.round(X) if repeated else X
    strong = seq.NormalInverseWishart(rng.normal(size=D), 2.0, random_covariance(rng, D), D + 3)
    if prior == "weak" and not X.var(axis=0).all():
        prior = "none"
    model = seq.GaussianMixture(
        K,
        covariance_type,
        init=init,
        min_variance=floor,
        prior={"none": None, "weak": "weak", "strong": strong}[prior],
        tol=1e-9,
        max_iter=12,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X)
    assert np.isfinite(model.trace_).all()
    assert np.diff(model.trace_).min() > -1e-7 * (1 + np.abs(model.trace_).max())
    assert model.weights_.sum() == pytest.approx(1)
    assert np.linalg.eigvalsh(matrices_of(model.mixture_, covariance_type)).min() >= floor * (1 - 1e-9)
    assert np.isfinite(model.score_samples(X)).all()
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_the_result_is_a_local_maximum(covariance_type):
    rng = np.random.default_rng(4)
    X = three_clouds(rng)
    model = seq.GaussianMixture(3, covariance_type, tol=1e-13, max_iter=5000).fit(X)
    best = model.score(X)
    for _ in range(200):
        size = 10.0 ** rng.uniform(-4, -1)
        weights = model.weights_ * np.exp(size * rng.normal(size=3))
        root = np.exp(size * rng.normal(size=model.covariances_.shape))
        covariances = model.covariances_ * (
            root * root.swapaxes(-1, -2) if covariance_type in ("full", "tied") else root
        )
        other = seq.Mixture(weights / weights.sum(), model.means_ + size * rng.normal(size=(3, 2)), covariances)
        if np.linalg.eigvalsh(matrices_of(other, covariance_type)).min() > 0:
            joint = module.joint_log_densities(X, other, covariance_type)
            assert logsumexp(joint, axis=1).mean() < best + 1e-9


@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("with_prior", [False, True])
def test_one_component_is_one_gaussian(covariance_type, with_prior):
    rng = np.random.default_rng(6)
    X = three_clouds(rng)
    prior = seq.NormalInverseWishart([1.0, 2.0], 5.0, random_covariance(rng, 2), 6) if with_prior else None
    model = seq.GaussianMixture(1, covariance_type, prior=prior).fit(X)
    gaussian = seq.fit_gaussians([X], covariance_type, prior=prior)[0]
    np.testing.assert_allclose(model.means_[0], gaussian.mean)
    np.testing.assert_allclose(matrices_of(model.mixture_, covariance_type)[0], gaussian.covariance, atol=1e-12)
    np.testing.assert_allclose(model.score_samples(X), gaussian.log_density(X))


def test_empty_components_are_reported():
    X = np.repeat([[0.0], [10.0]], 5, axis=0)
    with pytest.warns(ConvergenceWarning, match=r"components \[2\] ended without any points"):
        model = seq.GaussianMixture(3, init=np.array([[0.0], [10.0], [1e4]]), min_variance=0.1).fit(X)
    np.testing.assert_allclose(model.weights_, [0.5, 0.5, 0])
    assert np.isfinite(model.means_).all() and np.isfinite(model.score_samples(X)).all()


@quietly
@pytest.mark.parametrize("covariance_type", ["full", "diag", "spherical"])
def test_collapse_is_named_and_cured(covariance_type):
    X = np.concatenate([np.random.default_rng(7).normal(size=(30, 2)), [[50.0, 50.0]]])
    start = np.array([[0.0, 0.0], [50.0, 50.0]])
    with pytest.raises(ValueError, match=r"component 1 has collapsed.*min_variance .*prior"):
        seq.GaussianMixture(2, covariance_type, init=start, min_variance=0.0).fit(X)
    floor = seq.GaussianMixture(2, covariance_type, init=start, min_variance=0.2).fit(X)
    least = np.linalg.eigvalsh(matrices_of(floor.mixture_, covariance_type)).min(axis=1)
    assert least[1] == pytest.approx(0.2)
    assert least[0] > 0.2
    with_prior = seq.GaussianMixture(2, covariance_type, init=start, min_variance=0.0, prior="weak").fit(X)
    assert with_prior.weights_ == pytest.approx([30 / 31, 1 / 31], abs=1e-3)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_features_of_very_different_units_are_no_collapse(covariance_type):
    """Hertz beside seconds: the second feature must not be mistaken for a direction without variance."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(200, 2)) + np.repeat([[-3.0, 0.0], [3.0, 0.0]], 100, axis=0)
    model = seq.GaussianMixture(2, covariance_type, min_variance=0.0).fit(X * [1e6, 0.1])
    assert model.weights_ == pytest.approx([0.5, 0.5], abs=0.1)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_split_keeps_weight_and_centre(covariance_type):
    mixture = random_mixture(np.random.default_rng(10), 3, 2, covariance_type)
    twice = split_components(mixture, covariance_type, rng=0)
    assert twice.weights.sum() == pytest.approx(1)
    np.testing.assert_allclose(twice.weights @ twice.means, mixture.weights @ mixture.means)
    np.testing.assert_allclose((twice.means[:3] + twice.means[3:]) / 2, mixture.means)


@quietly
@pytest.mark.parametrize("seed", range(3))
def test_splitting_finds_what_is_there(seed):
    """Two clouds far apart, then four: a start that EM leaves so slowly that it stops would be no start."""
    rng = np.random.default_rng(seed)
    two = np.concatenate([rng.normal(size=(60, 1)) - 5, rng.normal(size=(60, 1)) + 5])
    truth = np.mean([seq.fit_gaussian(c).log_density(c).mean() for c in np.split(two, 2)]) + np.log(0.5)
    best, history = grow_mixture(two, two + 0.01, most=2, rng=seed)
    assert best.n_components == 2 and history[1].train > history[0].train + 0.5
    assert best.score(two) == pytest.approx(truth, abs=0.01)
    four = np.concatenate([c + rng.normal(size=(80, 2)) for c in ([0, 0], [9, 0], [0, 8], [10, 10])])
    truth = np.mean([seq.fit_gaussian(c).log_density(c).mean() for c in np.split(four, 4)]) + np.log(0.25)
    assert grow_mixture(four, four, most=4, rng=seed)[0].score(four) > truth - 0.05


@quietly
@pytest.mark.parametrize("seed", range(2))
def test_grow_mixture_stops_where_the_development_set_loses(seed):
    rng = np.random.default_rng(seed)
    X, X_dev = rng.normal(size=(2, 60, 2)) * [[[1.0, 4.0]]] + 3 * rng.integers(0, 2, size=(2, 60, 1))
    best, history = grow_mixture(X, X_dev, most=16, rng=seed)
    sizes, dev = [h.n_components for h in history], np.array([h.dev for h in history])
    assert sizes == [2**k for k in range(len(sizes))] and len(sizes) > 1
    assert (np.diff(dev[:-1]) > 0).all() and dev[-1] <= dev[-2]
    assert best.n_components == sizes[-2]
    assert best.score(X_dev) == pytest.approx(dev[-2]) and best.score(X) == pytest.approx(history[-2].train)
    assert best.bic(X) == pytest.approx(history[-2].bic)


@quietly
def test_grow_mixture_takes_no_more_than_the_most():
    X = np.concatenate([np.random.default_rng(11).normal(size=(60, 1)) + shift for shift in (0, 20, 40, 60)])
    for most, sizes in ((1, [1]), (3, [1, 2]), (4, [1, 2, 4])):
        best, history = grow_mixture(X, X, most=most)
        assert [h.n_components for h in history] == sizes and best.n_components == sizes[-1]


@quietly
def test_grow_mixture_ends_when_the_points_do():
    X = np.arange(5.0)[:, None]
    best, history = grow_mixture(X, X, most=64, min_variance=1e-4)
    assert [h.n_components for h in history] == [1, 2, 4] and best.n_components == 4


@quietly
def test_compare_components_fits_each():
    rng = np.random.default_rng(12)
    X, X_dev = three_clouds(rng), three_clouds(rng)
    table = compare_components(X, X_dev, [1, 3, 4], covariance_type="diag", rng=5)
    for row, k in zip(table, [1, 3, 4], strict=True):
        model = seq.GaussianMixture(k, "diag", rng=5).fit(X)
        assert row == (k, model.score(X), model.score(X_dev), model.bic(X))


@pytest.mark.parametrize("covariance_type", TYPES)
def test_points_far_from_everything(covariance_type):
    """A million standard deviations away logarithms are near −10¹², but responsibilities are still shares."""
    rng = np.random.default_rng(23)
    model = seq.GaussianMixture(3, covariance_type, max_iter=1000).fit(three_clouds(rng))
    X = 1e6 * rng.normal(size=(30, 2))
    joint = brute_joint(X, model.mixture_, covariance_type)
    gamma = model.predict_proba(X)
    np.testing.assert_allclose(gamma.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(X), joint.argmax(axis=1))
    np.testing.assert_allclose(model.score_samples(X), joint.max(axis=1), rtol=1e-10)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_samples_have_the_moments_of_the_mixture(covariance_type):
    """Within five standard errors of μ = Σ π μ_k and Σ = Σ π (Σ_k + μ_k μ_kᵀ) − μ μᵀ."""
    rng = np.random.default_rng(14)
    model = seq.GaussianMixture(3, covariance_type, max_iter=1000).fit(three_clouds(rng))
    X, drawn = model.sample(20_000, rng)
    np.testing.assert_allclose(np.bincount(drawn, minlength=3) / len(X), model.weights_, atol=0.02)
    mean = model.weights_ @ model.means_
    spread = model.means_ - mean
    matrices = matrices_of(model.mixture_, covariance_type) + spread[:, :, None] * spread[:, None, :]
    covariance = np.einsum("k,kde->de", model.weights_, matrices)
    assert (np.abs(X.mean(axis=0) - mean) < 5 * np.sqrt(np.diag(covariance) / len(X))).all()
    products = (X - mean)[:, :, None] * (X - mean)[:, None, :]
    assert (np.abs(products.mean(axis=0) - covariance) < 5 * products.std(axis=0) / np.sqrt(len(X))).all()


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("shift", [1e6, 1e8])
def test_clouds_a_hundred_million_deviations_apart_are_no_collapse(covariance_type, shift):
    """The Gaussians of the two clouds, each fitted where it was drawn, and by scikit-learn there."""
    rng = np.random.default_rng(24)
    clouds = [rng.normal(size=(200, 2)) @ [[1.0, 0.3], [0.0, 0.8]], rng.normal(size=(300, 2)) + shift]
    near = [clouds[0], clouds[1] - shift]
    single = seq.fit_gaussians(near, covariance_type)
    expected = sum(g.log_density(c).sum() + len(c) * np.log(len(c) / 500) for g, c in zip(single, near, strict=True))
    X = np.concatenate(clouds)
    model = seq.GaussianMixture(2, covariance_type, min_variance=0.0).fit(X)
    order, matrices = model.means_[:, 0].argsort(), matrices_of(model.mixture_, covariance_type)
    for k, gaussian, cloud in zip(order, single, clouds, strict=True):
        np.testing.assert_allclose(matrices[k], gaussian.covariance, rtol=1e-7, atol=1e-7)
        np.testing.assert_allclose(model.means_[k], cloud.mean(axis=0), rtol=1e-15, atol=1e-9)
        if covariance_type != "tied":
            theirs = Published(1, covariance_type=covariance_type, reg_covar=0.0).fit(near[int(k != order[0])])
            np.testing.assert_allclose(model.covariances_[k], theirs.covariances_[0], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(model.weights_[order], [0.4, 0.6], rtol=1e-12)
    assert model.trace_[-1] == pytest.approx(expected, rel=1e-8)
    assert model.score(X) * 500 == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("shift", [1e6, 1e8])
def test_a_round_of_em_with_pairs_of_components_far_apart(covariance_type, shift):
    """Responsibilities are shared within a pair, here and there; all sums by definition, about the means."""
    rng = np.random.default_rng(25)
    mixture = random_mixture(rng, 4, 2, covariance_type)
    mixture = mixture._replace(means=mixture.means + np.array([[0.0], [0.0], [shift], [shift]]))
    X = np.concatenate([2 * rng.normal(size=(40, 2)), 2 * rng.normal(size=(50, 2)) + shift])
    joint = brute_joint(X, mixture, covariance_type)
    gamma = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
    log_likelihood, statistics = module.expectation(X, mixture, covariance_type, X.mean(axis=0))
    assert log_likelihood == pytest.approx(logsumexp(joint, axis=1).sum(), rel=1e-8)
    found = module.maximization(statistics, mixture, covariance_type)
    means = gamma.T @ (X - X[0]) / gamma.sum(axis=0)[:, None] + X[0]
    d = X[:, None] - means
    scatter = np.einsum("nk,nkd,nke->kde", gamma, d, d)
    matrices = scatter / gamma.sum(axis=0)[:, None, None]
    if covariance_type == "tied":
        matrices = np.broadcast_to(scatter.sum(axis=0) / 90, matrices.shape)
    elif covariance_type == "diag":
        matrices = matrices * np.eye(2)
    elif covariance_type == "spherical":
        matrices = np.trace(matrices, axis1=1, axis2=2)[:, None, None] / 2 * np.eye(2)
    np.testing.assert_allclose(found.means, means, rtol=1e-14, atol=1e-9)
    np.testing.assert_allclose(matrices_of(found, covariance_type), matrices, rtol=1e-6, atol=1e-6)


@quietly
@pytest.mark.parametrize("covariance_type", ["full", "tied", "diag"])
@pytest.mark.parametrize("init", ["means", "random", "kmeans"])
def test_units_of_the_features_do_not_matter(covariance_type, init):
    """Kilohertz beside microseconds. A spike on five equal points is held at the same share of the width."""
    rng = np.random.default_rng(26)
    X = np.concatenate([three_clouds(rng), np.full((5, 2), 30.0)])
    means = X[[0, 40, 80, -1]]
    unit = np.array([1e3, 1e-6])
    model, scaled = (
        seq.GaussianMixture(4, covariance_type, init=means * u if init == "means" else init, max_iter=40, rng=1).fit(
            X * u
        )
        for u in (1.0, unit)
    )
    np.testing.assert_allclose(scaled.weights_, model.weights_, rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(scaled.means_ / unit, model.means_, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(scaled.min_variance_, unit**2 * model.min_variance_, rtol=1e-9)


@quietly
@pytest.mark.parametrize("covariance_type", ["full", "tied", "diag"])
@pytest.mark.parametrize("unit", [[1e-3, 1.0], [1e3, 1e-3]])
@pytest.mark.parametrize("grown", [False, True])
def test_seconds_or_milliseconds_give_the_same_mixture(covariance_type, unit, grown):
    """Durations of two kinds beside F0: with durations in s, k-means used to see F0 alone."""
    rng, unit = np.random.default_rng(41), np.array(unit)
    kind = np.repeat([0, 1], 150)
    X = np.column_stack([np.array([60.0, 140.0])[kind], np.full(300, 120.0)]) + [20, 40] * rng.normal(size=(300, 2))

    def fitted(X):
        if grown:
            return grow_mixture(X, X, most=2, covariance_type=covariance_type)[0]
        return seq.GaussianMixture(2, covariance_type, n_init=3).fit(X)

    model, scaled = fitted(X), fitted(X * unit)
    np.testing.assert_allclose(scaled.predict_proba(X * unit), model.predict_proba(X), atol=1e-6)
    np.testing.assert_allclose(scaled.score_samples(X * unit) + np.log(unit).sum(), model.score_samples(X), atol=1e-6)
    right = (model.predict(X) == kind).mean()
    assert grown or max(right, 1 - right) > 0.95


def test_a_floor_for_each_feature_is_that_of_features_in_units_of_the_floor():
    rng = np.random.default_rng(27)
    X, floor = rng.normal(size=(30, 3)) @ rng.normal(size=(3, 3)), np.array([4.0, 0.5, 9.0])
    for covariance_type in TYPES[:3]:
        unit = np.sqrt(floor)
        statistics, in_units = (
            sufficient.accumulate(points, np.ones((1, 30)), covariance_type, points.mean(axis=0))
            for points in (X, X / unit)
        )
        _, ours = sufficient.estimate(statistics, covariance_type, floor)
        _, round_floor = sufficient.estimate(in_units, covariance_type, 1.0)
        _, free = sufficient.estimate(statistics, covariance_type)
        scale = unit**2 if covariance_type == "diag" else np.outer(unit, unit)
        np.testing.assert_allclose(ours, round_floor * scale, rtol=1e-10, atol=1e-12)
        assert (ours != free).any()


@pytest.mark.parametrize("shape", [(0.0, 0.0), (0.3, 0.3), (1e9, -2.0)])
def test_features_that_do_not_vary_get_a_floor_in_their_own_unit(shape):
    X = np.column_stack([np.random.default_rng(28).normal(size=40), np.full(40, shape[0]), np.full(40, shape[1])])
    for covariance_type in TYPES:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = seq.GaussianMixture(1, covariance_type).fit(X)
        assert np.isfinite(model.score(X))
        expected = [1e-6 * X[:, 0].var(), *(1e-6 * (value**2 or 1.0) for value in shape)]
        if covariance_type != "spherical":
            np.testing.assert_allclose(model.min_variance_, expected)


@quietly
def test_a_floor_that_says_it_all_is_named_and_a_spike_is_not():
    X = three_clouds(np.random.default_rng(29))
    with pytest.warns(UserWarning, match=r"min_variance holds every variance .*feature 0 at 1e\+04"):
        seq.GaussianMixture(3, min_variance=1e4).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        seq.GaussianMixture(4, init=np.concatenate([X[[0, 40, 80]], [[60.0, 60.0]]])).fit(
            np.concatenate([X, [[60.0, 60.0]]])
        )


def test_a_warning_when_the_rounds_do_not_suffice():
    X = three_clouds(np.random.default_rng(17))
    with pytest.warns(ConvergenceWarning, match="did not converge in 1 rounds"):
        model = seq.GaussianMixture(3, init="random", max_iter=1).fit(X)
    assert model.n_iter_ == 1 and not model.converged_
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = seq.GaussianMixture(3, init="random", max_iter=5000).fit(X)
    assert model.converged_ and model.n_iter_ < 5000
    gains = np.diff(model.trace_)
    assert gains[-1] < 1e-4 * len(X) <= gains[:-1].min()


@quietly
@pytest.mark.parametrize("init", ["kmeans", "random"])
def test_the_same_seed_gives_the_same_mixture(init):
    X = three_clouds(np.random.default_rng(18))
    one, same, other = (seq.GaussianMixture(4, init=init, rng=r, max_iter=5).fit(X) for r in (1, 1, 2))
    np.testing.assert_array_equal(one.means_, same.means_)
    assert (one.means_ != other.means_).any()
    np.testing.assert_array_equal(clone(one).fit(X).means_, one.means_)
    np.testing.assert_array_equal(one.sample(5, rng=3)[0], one.sample(5, rng=3)[0])


@quietly
def test_the_best_of_several_starts_is_kept():
    X = three_clouds(np.random.default_rng(19))
    rng = np.random.default_rng(4)
    single = [seq.GaussianMixture(5, init="random", rng=rng, max_iter=8).fit(X).trace_[-1] for _ in range(4)]
    several = seq.GaussianMixture(5, init="random", n_init=4, rng=4, max_iter=8).fit(X)
    assert max(single) > min(single) + 0.1
    assert several.trace_[-1] == max(single)


@quietly
def test_a_mixture_is_a_start_to_go_on_from():
    X = three_clouds(np.random.default_rng(20))
    whole = seq.GaussianMixture(3, init="random", max_iter=6, tol=1e-300).fit(X)
    first = seq.GaussianMixture(3, init="random", max_iter=2, tol=1e-300).fit(X)
    rest = seq.GaussianMixture(3, init=first.mixture_, max_iter=4, tol=1e-300).fit(X)
    np.testing.assert_allclose(np.r_[first.trace_[:-1], rest.trace_], whole.trace_)
    np.testing.assert_allclose(rest.means_, whole.means_)


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize(
    "X",
    [[[3.0, 4.0]], [[0.1]] * 7, [[1], [2], [5]], np.outer(np.arange(9), [1, 2, 3]), np.full((5, 2), 1e6 + 0.1)],
    ids=["one point", "one place", "whole numbers", "a line", "one place far away"],
)
def test_poor_data_give_a_mixture_all_the_same(covariance_type, X):
    for K in range(1, min(len(X), 3) + 1):
        model = seq.GaussianMixture(K, covariance_type).fit(X)
        assert np.isfinite(model.score_samples(X)).all() and np.isfinite(model.trace_).all()
        assert model.covariances_.dtype == model.means_.dtype == np.float64


def test_fit_changes_neither_data_nor_parameters():
    X = three_clouds(np.random.default_rng(21))
    before, start = X.copy(), random_mixture(np.random.default_rng(0), 2, 2, "full")
    kept = [part.copy() for part in start]
    seq.GaussianMixture(2, init=start, prior="weak", max_iter=1000).fit(X)
    np.testing.assert_array_equal(X, before)
    for part, old in zip(start, kept, strict=True):
        np.testing.assert_array_equal(part, old)


@quietly
def test_a_start_below_the_floor_is_lifted_to_it():
    """Otherwise the first round would make the objective fall, and EM would end there."""
    X = np.repeat([[0.0], [3.0]], 10, axis=0)
    start = seq.Mixture(np.full(2, 0.5), np.array([[0.0], [3.0]]), np.full((2, 1, 1), 1e-3))
    model = seq.GaussianMixture(2, init=start, min_variance=0.5).fit(X)
    assert np.diff(model.trace_).min() > -1e-9


GOOD = np.random.default_rng(22).normal(size=(20, 2))
START = seq.Mixture(np.full(2, 0.5), GOOD[:2], np.array([np.eye(2)] * 2))


@pytest.mark.parametrize(
    ("options", "X", "message"),
    [
        ({}, GOOD[:1], "X has 1 points for 2 components"),
        ({"init": np.zeros((3, 2))}, GOOD, r"init has shape \(3, 2\)"),
        ({"init": np.zeros((2, 3))}, GOOD, r"init has shape \(2, 3\)"),
        ({"init": START._replace(means=np.zeros((3, 2)))}, GOOD, r"init.means has shape \(3, 2\)"),
        ({"init": START._replace(means=np.full((2, 2), np.nan))}, GOOD, "init"),
        ({"init": START._replace(covariances=np.eye(2))}, GOOD, "init.covariances has shape"),
        ({"init": START, "covariance_type": "diag"}, GOOD, "init.covariances has shape"),
        ({"init": START._replace(weights=np.ones(1))}, GOOD, r"init.weights\b"),
        ({"init": START._replace(weights=np.array([3.0, 4.0]))}, GOOD, r"init.weights\b"),
        ({"init": START._replace(weights=np.array([-1.0, 2.0]))}, GOOD, r"init.weights\b"),
        ({"prior": seq.NormalInverseWishart([0.0], 1, [[1.0]], 2)}, GOOD, "prior is for 1 features"),
        ({"prior": "weak"}, np.ones((4, 2)), r"X\[:, 0\] does not vary"),
    ],
)
def test_errors_name_the_argument(options, X, message):
    with pytest.raises(ValueError, match=message):
        seq.GaussianMixture(**{"n_components": 2, **options}).fit(X)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda model: model.score_samples(np.ones((3, 4))), "4 features"),
        (lambda model: seq.GaussianMixture().sample(3), "not fitted"),
    ],
)
def test_errors_in_use(call, message):
    with pytest.raises(ValueError, match=message):
        call(seq.GaussianMixture(max_iter=1000).fit(GOOD))


@pytest.mark.parametrize("dtype", ["datetime64[s]", "timedelta64[s]", [("a", "f8")]])
def test_what_is_no_number_is_refused(dtype):
    with pytest.raises(ValueError, match="X holds values of dtype"):
        seq.GaussianMixture(1).fit(np.arange(8).astype(dtype)[:, None])


@pytest.mark.parametrize("covariance_type", TYPES)
def test_criteria_of_mixtures_are_scikit_learns(covariance_type):
    X = np.random.default_rng(4).normal(size=(80, 2)) + np.repeat([[0.0], [5.0]], 40, axis=0)
    model = seq.GaussianMixture(2, covariance_type, max_iter=500).fit(X)
    theirs = Published(2, covariance_type=covariance_type).fit(X)
    theirs.weights_, theirs.means_ = model.weights_, model.means_
    if covariance_type == "diag":
        theirs.precisions_cholesky_ = 1 / np.sqrt(model.covariances_)
        assert model.bic(X) == pytest.approx(theirs.bic(X), rel=1e-9)
    assert model.n_parameters_ == theirs._n_parameters()
