"""GaussianMixtureHMM against enumeration, mixtures, hmmlearn, and what must hold for any data."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from course_lib import sequences as seq
from tests.course_lib.oracles import (
    AllStateSequences,
    log_normal_inverse_wishart,
    random_covariance,
    random_rows,
)

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")
quietly = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
TYPES = ["full", "tied", "diag", "spherical"]


class FromStart(seq.GaussianMixtureHMM):
    """Baum–Welch from known Gaussians in place of those found in the data."""

    def _start_emissions(self, frames, rng):
        self.weights_, self.means_, self.covariances_ = (part.copy() for part in self.start)
        self.origin_ = np.zeros(self.means_.shape[-1])


def random_start(rng, N, M, D, covariance_type):
    """(weights (N, M), means (N, M, D), covariances)."""
    matrices = np.array([[random_covariance(rng, D) for _ in range(M)] for _ in range(N)])
    covariances = {
        "full": matrices,
        "tied": matrices[0, 0],
        "diag": np.diagonal(matrices, axis1=2, axis2=3).copy(),
        "spherical": matrices[:, :, 0, 0],
    }[covariance_type]
    return random_rows(rng, N, M), 2 * rng.normal(size=(N, M, D)), covariances


def untrained(rng, N, M, D, covariance_type, **options):
    options = {"topology": "ergodic", "min_variance": 0.0, "tol": 1e-300, **options}
    options = {"startprob": random_rows(rng, N), "transmat": random_rows(rng, N, N), **options}
    model = FromStart(N, M, covariance_type, **options)
    model.start = random_start(rng, N, M, D, covariance_type)
    return model


def ready(model):
    """The model with its starting parameters, not trained."""
    model._start_emissions(None, None)
    model.startprob_, model.transmat_ = np.array(model.startprob), np.array(model.transmat)
    return model


def matrices_of(model):
    """(N, M, D, D) by definition."""
    N, M, D = model.means_.shape
    c = model.covariances_
    if model.covariance_type == "full":
        return c
    if model.covariance_type == "tied":
        return np.array([[c] * M] * N)
    if model.covariance_type == "diag":
        return np.array([[np.diag(v) for v in row] for row in c])
    return np.array([[v * np.eye(D) for v in row] for row in c])


def brute_components(model, X):
    """(T, N, M) log w_im + log N(x_t | μ_im, Σ_im)."""
    matrices = matrices_of(model)
    joint = np.empty((len(X), *model.weights_.shape))
    for i, m in np.ndindex(*model.weights_.shape):
        joint[:, i, m] = np.log(model.weights_[i, m])
        joint[:, i, m] += np.atleast_1d(multivariate_normal.logpdf(X, model.means_[i, m], matrices[i, m]))
    return joint


@pytest.mark.parametrize("covariance_type", TYPES)
def test_scoring_and_decoding_by_enumeration(covariance_type):
    """All state sequences; and all sequences of states and components, which must have the same sum."""
    rng = np.random.default_rng(0)
    for N, M, T in ((1, 2, 3), (2, 2, 4), (3, 1, 5)):
        model = ready(untrained(rng, N, M, 2, covariance_type))
        X = 3 * rng.normal(size=(T, 2))
        joint = brute_components(model, X)
        np.testing.assert_allclose(model.log_emission(X), logsumexp(joint, axis=2), rtol=1e-9)
        every = AllStateSequences(model.startprob_, model.transmat_, logsumexp(joint, axis=2))
        assert model.score([X]) == pytest.approx(every.log_likelihood, rel=1e-10)
        found = model.decode(X)
        np.testing.assert_array_equal(found.states, every.best[0])
        assert found.log_probability == pytest.approx(every.best[1], rel=1e-10)
        np.testing.assert_allclose(model.predict_proba(X), every.posteriors, atol=1e-9)
        pairs = np.repeat(model.startprob_, M), np.kron(model.transmat_, np.ones((M, M)))
        with_components = AllStateSequences(*pairs, joint.reshape(T, N * M))
        assert model.score([X]) == pytest.approx(with_components.log_likelihood, rel=1e-10)


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
def test_one_state_is_a_mixture(covariance_type):
    """Same start, same rounds of EM; order of the frames does not matter then."""
    rng = np.random.default_rng(1)
    sequences = [rng.normal(size=(n, 2)) + 2 * rng.integers(0, 2, size=(n, 1)) for n in (70, 1, 45)]
    model = untrained(rng, 1, 2, 2, covariance_type, max_iter=6, startprob=[1.0], transmat=[[1.0]]).fit(sequences)
    weights, means, covariances = model.start
    start = seq.Mixture(weights[0], means[0], covariances if covariance_type == "tied" else covariances[0])
    mixture = seq.GaussianMixture(2, covariance_type, init=start, min_variance=0.0, tol=1e-300, max_iter=6)
    mixture.fit(np.concatenate(sequences))
    np.testing.assert_allclose(model.trace_, mixture.trace_, rtol=1e-10)
    np.testing.assert_allclose(model.weights_[0], mixture.weights_, rtol=1e-8)
    np.testing.assert_allclose(model.means_[0], mixture.means_, rtol=1e-8)
    covariances = model.covariances_ if covariance_type == "tied" else model.covariances_[0]
    np.testing.assert_allclose(covariances, mixture.covariances_, rtol=1e-7, atol=1e-9)
    bag = [mixture.score_samples(one).sum() for one in sequences]
    np.testing.assert_allclose(model.score_samples(sequences), bag, rtol=1e-9)


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("rounds", [1, 5])
def test_training_equals_hmmlearn_after_some_rounds(covariance_type, rounds):
    """Its priors are switched off: weights 0 and 1, prior variance 0."""
    rng = np.random.default_rng(2)
    sequences = [rng.normal(size=(n, 2)) + 2 * rng.integers(0, 3, size=(n, 1)) for n in (60, 1, 45)]
    model = untrained(rng, 3, 1, 2, covariance_type, max_iter=rounds).fit(sequences)
    theirs = pytest.importorskip("hmmlearn.hmm").GaussianHMM(
        3,
        covariance_type,
        init_params="",
        n_iter=rounds,
        tol=-np.inf,
        covars_prior=0.0,
        covars_weight=1.0,
        min_covar=0.0,
    )
    theirs.startprob_, theirs.transmat_ = model.startprob, model.transmat
    _, means, covariances = model.start
    theirs.n_features, theirs.means_ = 2, means[:, 0]
    theirs.covars_ = covariances if covariance_type == "tied" else covariances[:, 0]
    theirs.fit(np.concatenate(sequences), [len(s) for s in sequences])
    assert model.n_iter_ == rounds
    np.testing.assert_allclose(model.startprob_, theirs.startprob_, atol=1e-8)
    np.testing.assert_allclose(model.transmat_, theirs.transmat_, atol=1e-8)
    np.testing.assert_allclose(model.means_[:, 0], theirs.means_, rtol=1e-8, atol=1e-8)
    raw = theirs._covars_[:, 0] if covariance_type == "spherical" else theirs._covars_
    ours = model.covariances_ if covariance_type == "tied" else model.covariances_[:, 0]
    np.testing.assert_allclose(ours, raw, rtol=1e-8, atol=1e-8)
    for one in sequences:
        assert model.score([one]) == pytest.approx(theirs.score(one), rel=1e-9)
        np.testing.assert_array_equal(model.decode(one).states, theirs.decode(one)[1])


@pytest.mark.parametrize("covariance_type", TYPES)
def test_a_round_with_several_gaussians_by_enumeration(covariance_type):
    """γ_t(i, m) shared out by hand, then weighted means and covariances by hand."""
    rng = np.random.default_rng(4)
    X = 2 * rng.normal(size=(6, 2))
    model = untrained(rng, 2, 2, 2, covariance_type, max_iter=1)
    before = ready(clone_with_start(model))
    joint = brute_components(before, X)
    every = AllStateSequences(before.startprob_, before.transmat_, logsumexp(joint, axis=2))
    share = np.exp(joint - logsumexp(joint, axis=2, keepdims=True)) * every.posteriors[:, :, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit([X])
    counts = share.sum(axis=0)
    np.testing.assert_allclose(model.weights_, counts / counts.sum(axis=1, keepdims=True), rtol=1e-8)
    means = np.einsum("tim,td->imd", share, X) / counts[:, :, None]
    np.testing.assert_allclose(model.means_, means, rtol=1e-8)
    d = X[:, None, None] - means
    scatter = np.einsum("tim,timd,time->imde", share, d, d)
    matrices = scatter / counts[:, :, None, None]
    if covariance_type == "tied":
        matrices = np.broadcast_to(scatter.sum(axis=(0, 1)) / counts.sum(), matrices.shape)
    elif covariance_type == "diag":
        matrices = matrices * np.eye(2)
    elif covariance_type == "spherical":
        matrices = np.trace(matrices, axis1=2, axis2=3)[..., None, None] / 2 * np.eye(2)
    np.testing.assert_allclose(matrices_of(model), matrices, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(model.transmat_ * every.transitions.sum(axis=1)[:, None], every.transitions, atol=1e-9)


def clone_with_start(model):
    other = clone(model)
    other.start = model.start
    return other


@settings(max_examples=30)
@given(
    st.sampled_from(TYPES),
    st.integers(1, 3),
    st.integers(1, 2),
    st.integers(1, 2),
    st.sampled_from(["ergodic", "left-to-right"]),
    st.booleans(),
    st.sampled_from([0.0, 0.7]),
    st.integers(0, 10_000),
)
def test_the_objective_never_falls(covariance_type, N, M, D, topology, with_prior, pseudocount, seed):
    rng = np.random.default_rng(seed)
    sequences = [rng.normal(size=(rng.integers(8, 20), D)) + np.arange(D) for _ in range(3)]
    prior = seq.NormalInverseWishart(np.zeros(D), 0.5, np.eye(D), D + 2) if with_prior else None
    model = seq.GaussianMixtureHMM(
        N,
        M,
        covariance_type,
        topology=topology,
        prior=prior,
        transition_pseudocount=pseudocount,
        min_variance=0.05,
        tol=1e-9,
        max_iter=10,
        rng=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        try:
            model.fit(sequences)
        except ValueError as error:
            if "starts with" in str(error):  # a cluster with fewer frames than Gaussians
                return
            raise
    assert np.diff(model.trace_).min() > -1e-7 * (1 + np.abs(model.trace_).max())
    assert np.linalg.eigvalsh(matrices_of(model)).min() >= 0.05 * (1 - 1e-9)
    np.testing.assert_allclose(model.weights_.sum(axis=1), 1)
    np.testing.assert_allclose(model.transmat_.sum(axis=1), 1)
    if not with_prior and not pseudocount:
        assert model.trace_[-1] == pytest.approx(model.score(sequences), rel=1e-9)


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
def test_gain_of_the_objective_is_that_of_likelihood_and_priors(covariance_type):
    rng = np.random.default_rng(6)
    sequences = [rng.normal(size=(n, 2)) for n in (30, 12)]
    prior = seq.NormalInverseWishart([0.5, 0.0], 0.8, random_covariance(rng, 2), 5.0)
    model = untrained(rng, 2, 2, 2, covariance_type, max_iter=4, prior=prior, transition_pseudocount=0.6)

    def objective(model):
        matrices = matrices_of(model).reshape(-1, 2, 2)
        matrices = matrices[:1] if covariance_type == "tied" else matrices
        of_chain = 0.6 * (np.log(model.startprob_).sum() + np.log(model.transmat_).sum())
        of_gaussians = log_normal_inverse_wishart(prior, model.means_.reshape(-1, 2), matrices)
        return model.score(sequences) + of_chain + of_gaussians

    before = objective(ready(clone_with_start(model)))
    model.fit(sequences)
    assert model.trace_[-1] - model.trace_[0] == pytest.approx(objective(model) - before, rel=1e-7)


@quietly
def test_a_state_that_is_never_visited_keeps_its_gaussians():
    rng = np.random.default_rng(8)
    chain = {"startprob": [1.0, 0.0], "transmat": np.eye(2)}
    for covariance_type in TYPES:
        model = untrained(rng, 2, 2, 2, covariance_type, max_iter=3, **chain).fit([rng.normal(size=(800, 2))])
        weights, means, covariances = model.start
        np.testing.assert_array_equal(model.weights_[1], weights[1])
        np.testing.assert_array_equal(model.means_[1], means[1])
        if covariance_type != "tied":
            np.testing.assert_array_equal(model.covariances_[1], covariances[1])
        assert (model.means_[0] != means[0]).all() and np.isfinite(model.trace_).all()


def test_a_state_that_first_seems_hopeless_is_not_lost():
    """To stay in state 0 is best, although at the end of the second part its share is less than any float holds."""
    model = FromStart(2, 1, startprob=[1.0, 0.0], transmat=[[0.999, 0.001], [0.0, 1.0]])
    model.start = np.ones((2, 1)), np.array([[[0.0]], [[2.0]]]), np.ones((2, 1, 1))
    ready(model)
    X = np.repeat([0.0, 2.0, 0.0], [400, 400, 900])[:, None]
    stay = model.log_emission(X)[:, 0].sum() + 1699 * np.log(0.999)
    assert stay < model.score([X]) < stay + 0.01
    np.testing.assert_array_equal(model.decode(X).states, 0)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_frames_far_from_everything_are_finite(covariance_type):
    rng = np.random.default_rng(9)
    model = ready(untrained(rng, 2, 2, 2, covariance_type))
    X = np.array([[1e6, -1e6], [0.0, 0.0], [1e6, 1e6]])
    joint = brute_components(model, X)
    every = AllStateSequences(model.startprob_, model.transmat_, logsumexp(joint, axis=2))
    assert model.score([X]) == pytest.approx(every.log_likelihood, rel=1e-9)
    np.testing.assert_array_equal(model.decode(X).states, every.best[0])
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1, rtol=1e-9)


@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("shift", [1e6, 1e8])
def test_states_far_apart_keep_their_digits(covariance_type, shift):
    """States 0 and 1 near zero, 2 and 3 a hundred million deviations away: score and one round are hmmlearn's."""
    rng = np.random.default_rng(18)
    model = untrained(rng, 4, 1, 2, covariance_type, max_iter=1)
    weights, means, covariances = model.start
    model.start = weights, means + shift * np.array([0.0, 0, 1, 1])[:, None, None], covariances
    ready(model)
    X = 2 * rng.normal(size=(120, 2)) + shift * np.repeat([0.0, 1, 0, 1], 30)[:, None]
    theirs = pytest.importorskip("hmmlearn.hmm").GaussianHMM(
        4, covariance_type, init_params="", n_iter=1, covars_prior=0, covars_weight=1, min_covar=0
    )
    theirs.startprob_, theirs.transmat_ = model.startprob_, model.transmat_
    theirs.n_features, theirs.means_ = 2, model.means_[:, 0]
    theirs.covars_ = covariances if covariance_type == "tied" else covariances[:, 0]
    assert model.score([X]) == pytest.approx(theirs.score(X), rel=1e-9)
    np.testing.assert_array_equal(model.decode(X).states, theirs.decode(X)[1])
    np.testing.assert_allclose(model.predict_proba(X), theirs.predict_proba(X), atol=1e-6)
    gamma = model.predict_proba(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit([X])
    d = X[:, None] - model.means_[:, 0]
    scatter = np.einsum("ti,tid,tie->ide", gamma, d, d)
    counts = gamma.sum(axis=0)[:, None, None]
    matrices = (
        np.broadcast_to(scatter.sum(axis=0) / 120, scatter.shape) if covariance_type == "tied" else scatter / counts
    )
    if covariance_type == "diag":
        matrices = matrices * np.eye(2)
    elif covariance_type == "spherical":
        matrices = np.trace(matrices, axis1=1, axis2=2)[:, None, None] / 2 * np.eye(2)
    np.testing.assert_allclose(matrices_of(model)[:, 0], matrices, rtol=1e-6, atol=1e-6)


@quietly
@pytest.mark.parametrize("covariance_type", ["full", "diag", "spherical"])
def test_a_collapse_in_training_is_named(covariance_type):
    X = np.concatenate([np.random.default_rng(19).normal(size=(30, 2)), [[50.0, 50.0]]])
    model = untrained(np.random.default_rng(0), 2, 1, 2, covariance_type, max_iter=30)
    wide = {"full": np.eye(2), "diag": np.ones(2), "spherical": 1.0}[covariance_type]
    model.start = np.ones((2, 1)), np.array([[[0.0, 0.0]], [[50.0, 50.0]]]), np.array([[wide]] * 2)
    with pytest.raises(ValueError, match=r"component 1 has collapsed.*min_variance .*prior"):
        model.fit([X])


@quietly
@pytest.mark.parametrize("unit", [1e-6])
@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("topology", ["ergodic", "left-to-right"])
def test_the_unit_of_the_frames_does_not_matter(covariance_type, topology, unit):
    """Metres or kilometres: the same states; the floor follows the data unless somebody gives one."""
    rng = np.random.default_rng(20)
    states = [np.repeat([0, 1, 2], rng.integers(5, 12, size=3)) for _ in range(8)]
    sequences = [np.array([[0.0, 0], [2, 1], [4, -1]])[q] + 0.5 * rng.normal(size=(len(q), 2)) for q in states]
    options = {"topology": topology, "max_iter": 30}
    model = seq.GaussianMixtureHMM(3, 1, covariance_type, **options).fit(sequences)
    scaled = seq.GaussianMixtureHMM(3, 1, covariance_type, **options).fit([unit * one for one in sequences])
    np.testing.assert_allclose(scaled.means_, unit * model.means_, rtol=1e-6, atol=1e-9 * unit)
    np.testing.assert_allclose(scaled.covariances_, unit**2 * model.covariances_, rtol=1e-6, atol=1e-12 * unit**2)
    for one in sequences:
        np.testing.assert_array_equal(scaled.decode(unit * one).states, model.decode(one).states)
    right = np.concatenate([model.decode(one).states == q for one, q in zip(sequences, states, strict=True)])
    assert topology == "ergodic" or right.mean() > 0.97
    np.testing.assert_allclose(scaled.min_variance_, unit**2 * model.min_variance_, rtol=1e-6)


@quietly
@pytest.mark.parametrize("covariance_type", ["full", "diag"])
@pytest.mark.parametrize("topology", ["ergodic", "left-to-right"])
def test_a_unit_of_each_feature_does_not_matter(covariance_type, topology):
    """Durations in s or ms beside F0 in Hz: the same posteriors, and the likelihood up to the Jacobian."""
    rng, unit = np.random.default_rng(42), np.array([1e-3, 1e3])
    states = [np.repeat([0, 1, 0, 1], rng.integers(8, 15, size=4)) for _ in range(4)]
    sequences = [
        np.column_stack([np.array([60.0, 140.0])[q], np.full(len(q), 120.0)]) + [20, 40] * rng.normal(size=(len(q), 2))
        for q in states
    ]
    model, scaled = (
        seq.GaussianMixtureHMM(2, 2, covariance_type, topology=topology, max_iter=5).fit(
            [u * one for one in sequences]
        )
        for u in (1.0, unit)
    )
    jacobian = np.log(unit).sum() * np.array([len(one) for one in sequences])
    in_units = [unit * one for one in sequences]
    np.testing.assert_allclose(scaled.score_samples(in_units) + jacobian, model.score_samples(sequences), atol=1e-4)
    for one, other in zip(sequences, in_units, strict=True):
        np.testing.assert_allclose(scaled.predict_proba(other), model.predict_proba(one), atol=1e-5)
    right = np.concatenate([model.decode(one).states == q for one, q in zip(sequences, states, strict=True)])
    assert topology == "left-to-right" or max(right.mean(), 1 - right.mean()) > 0.9


@quietly
@pytest.mark.parametrize("unit", [1e-6, 1e4])
def test_silence_of_equal_frames_has_a_floor_in_the_unit_of_the_rest(unit):
    rng = np.random.default_rng(23)
    sequences = [np.concatenate([np.zeros((8, 2)), rng.normal(size=(8, 2)) + 3]) for _ in range(4)]
    one, other = (seq.GaussianMixtureHMM(2).fit([u * s for s in sequences]) for u in (1.0, unit))
    np.testing.assert_allclose(other.covariances_, unit**2 * one.covariances_, rtol=1e-9)
    np.testing.assert_allclose(other.min_variance_, unit**2 * one.min_variance_, rtol=1e-9)
    again = seq.GaussianMixtureHMM(2, min_variance=one.min_variance_).fit(sequences)
    np.testing.assert_allclose(again.covariances_, one.covariances_, rtol=1e-9)


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
def test_the_floor_leaves_states_alone_that_are_far_apart(covariance_type):
    rng = np.random.default_rng(24)
    near = [np.repeat([[0.0, 0.0], [9.0, 5.0]], 25, axis=0) + rng.normal(size=(50, 2)) for _ in range(3)]
    far = [one + 1e7 * np.repeat([[0.0], [1.0]], 25, axis=0) for one in near]
    one, other = (seq.GaussianMixtureHMM(2, 1, covariance_type).fit(s) for s in (near, far))
    np.testing.assert_allclose(other.covariances_, one.covariances_, rtol=1e-5, atol=1e-5)


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
def test_a_floor_above_all_variances_is_named(covariance_type):
    rng = np.random.default_rng(21)
    sequences = [1e-3 * (np.repeat([0.0, 4], 15)[:, None] + rng.normal(size=(30, 2))) for _ in range(4)]
    model = seq.GaussianMixtureHMM(2, 1, covariance_type, min_variance=1e-3)
    with pytest.warns(UserWarning, match=r"min_variance holds every variance .*feature 0 at 0\.001,") as seen:
        model.fit(sequences)
    assert [w.filename for w in seen if "holds" in str(w.message)] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        seq.GaussianMixtureHMM(2, 1, covariance_type).fit(sequences)


def test_longer_sequences_are_advised_only_where_sequences_are_cut():
    X = np.random.default_rng(22).normal(size=(20, 2))
    with pytest.raises(ValueError, match=r"part of each sequence.*longer sequences"):
        seq.GaussianMixtureHMM(5, 3).fit([X[:4], X[4:8], X[8:12], X[12:16], X[16:]])
    X[0] = 1e4
    with pytest.raises(ValueError, match=r"cluster of frames\. Take fewer states") as error:
        seq.GaussianMixtureHMM(2, 2, topology="ergodic").fit([X])
    assert "longer" not in str(error.value)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_samples_come_from_the_states(covariance_type):
    rng = np.random.default_rng(11)
    model = ready(untrained(rng, 2, 2, 2, covariance_type))
    X, states = model.sample(800, rng)
    assert X.shape == (800, 2)
    matrices = matrices_of(model)
    for i in range(2):
        mean = model.weights_[i] @ model.means_[i]
        spread = model.means_[i] - mean
        covariance = np.einsum("m,mde->de", model.weights_[i], matrices[i] + spread[:, :, None] * spread[:, None, :])
        here = X[states == i]
        assert (np.abs(here.mean(axis=0) - mean) < 5 * np.sqrt(np.diag(covariance) / len(here))).all()
        np.testing.assert_allclose(np.cov(here, rowvar=False), covariance, atol=0.2 * np.trace(covariance))
    np.testing.assert_array_equal(model.sample(5, 1).observations, model.sample(5, 1).observations)


@quietly
def test_seeds_and_starts():
    rng = np.random.default_rng(13)
    sequences = [rng.normal(size=(60, 2)) for _ in range(2)]
    options = {"topology": "ergodic", "max_iter": 3}
    one, same, other = (seq.GaussianMixtureHMM(3, 1, rng=r, **options).fit(sequences) for r in (1, 1, 2))
    np.testing.assert_array_equal(one.means_, same.means_)
    assert (one.trace_ != other.trace_).any()
    np.testing.assert_array_equal(clone(one).fit(sequences).trace_, one.trace_)
    rng = np.random.default_rng(5)
    single = [seq.GaussianMixtureHMM(3, 1, rng=rng, **options).fit(sequences).trace_[-1] for _ in range(3)]
    several = seq.GaussianMixtureHMM(3, 1, rng=5, n_init=3, **options).fit(sequences)
    assert several.trace_[-1] == max(single) > min(single)
    assert several.score(sequences) == pytest.approx(max(single))


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
def test_poor_data(covariance_type):
    """Whole numbers, one feature, repeated frames, a sequence shorter than the states."""
    sequences = [[1, 1, 1, 2, 2, 2], [1], [3, 3, 3, 3]]
    model = seq.GaussianMixtureHMM(2, 1, covariance_type).fit(sequences)
    assert np.isfinite(model.trace_).all() and np.isfinite(model.score_samples(sequences)).all()


TRAINED = ready(untrained(np.random.default_rng(0), 2, 1, 2, "diag"))


@pytest.mark.parametrize(
    ("sequences", "message"),
    [
        (np.ones((4, 2)), r"write \[sequence\]"),
        ([np.ones((4, 2)), np.ones((0, 2))], r"sequences\[1\] is empty"),
        ([np.ones((4, 2)), [[1.0, np.nan]]], r"sequences\[1\]\[0, 1\] is nan"),
        ([np.ones((4, 2)), np.ones((4, 3))], r"sequences\[1\] has 3 features"),
        ([np.ones((1, 4, 2))], r"sequences\[0\] has shape"),
        ([[[0.0, 0.0], [1.0]]], r"sequences\[0\] must be rectangular"),
    ],
)
def test_what_is_no_list_of_sequences_is_refused(sequences, message):
    with pytest.raises(ValueError, match=message):
        TRAINED.score(sequences)
    with pytest.raises(ValueError, match=message):
        seq.GaussianMixtureHMM(1).fit(sequences)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_variance": [1.0, 0.0]}, r"min_variance is \[1.0, 0.0\]"),
        ({"min_variance": [1.0, 1.0, 1.0]}, r"min_variance has shape \(3,\); \(2,\) is needed"),
        ({"startprob": [0.5, 0.6]}, "startprob sums to 1.1"),
        ({"transmat": np.eye(3)}, "transmat has shape"),
        ({"prior": seq.NormalInverseWishart([0.0], 1, [[1.0]], 2)}, "prior is for 1 features"),
        ({"n_states": 30}, "20 frames"),
        ({"n_states": 5, "n_mixtures": 4, "topology": "ergodic"}, "frames for 4 Gaussians"),
    ],
)
def test_parameters_are_checked(options, message):
    X = np.random.default_rng(1).normal(size=(20, 2))
    X[0] = 1e4
    with pytest.raises(ValueError, match=message):
        seq.GaussianMixtureHMM(**{"n_states": 2, **options}).fit([X])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: seq.GaussianMixtureHMM(2).sample(3), "not fitted"),
        (lambda: TRAINED.score([np.ones((4, 3))]), "3 features per frame, but the model has 2"),
        (lambda: TRAINED.score([np.full((4, 2), 1e200)]), "too large|too far"),
        (lambda: TRAINED.decode([np.ones((4, 2))] * 2), "sequence"),
    ],
)
def test_errors_in_use(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("model", [seq.GaussianMixture(2, tol=0, max_iter=5000), seq.GaussianMixtureHMM(2, tol=0)])
def test_with_no_tolerance_training_ends_where_nothing_grows(model):
    X = np.random.default_rng(17).normal(size=(60, 1)) + np.repeat([[0.0], [6.0]], 30, axis=0)
    model.set_params(max_iter=5000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X if isinstance(model, seq.GaussianMixture) else [X])
    assert model.converged_ and model.trace_[-1] <= model.trace_[-2] > model.trace_[0]
    assert (np.diff(model.trace_)[:-1] > 0).all()
