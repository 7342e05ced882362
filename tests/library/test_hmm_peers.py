"""What hidden Markov models share with hmmlearn's: criteria, long-run shares, what is learned, what to start from."""

import warnings

import numpy as np
import pytest
from hmmlearn.hmm import GMMHMM, CategoricalHMM, GaussianHMM
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture as SklearnMixture

from course_lib import sequences as seq
from tests.library.oracles import random_covariance, random_rows

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")
quietly = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
TYPES = ["full", "tied", "diag", "spherical"]


def discrete(rng, N=3, M=4, zeros=0.0):
    return seq.DiscreteHMM.from_parameters(
        random_rows(rng, N, zeros=zeros), random_rows(rng, N, N, zeros=zeros), random_rows(rng, N, M)
    )


def categorical(model, **options):
    theirs = CategoricalHMM(model.n_states, init_params="", n_features=model.n_symbols, **options)
    theirs.startprob_, theirs.transmat_ = model.startprob_, model.transmat_
    theirs.emissionprob_ = model.emissionprob_
    return theirs


def gaussians(rng, covariance_type, N=3, M=1, D=2):
    """(model, sequences that are near it)."""
    matrices = np.array([[random_covariance(rng, D) for _ in range(M)] for _ in range(N)])
    covariances = {
        "full": matrices,
        "tied": matrices[0, 0],
        "diag": np.einsum("nmdd->nmd", matrices),
        "spherical": matrices[:, :, 0, 0],
    }[covariance_type]
    parameters = random_rows(rng, N, M), 2 * rng.normal(size=(N, M, D)), covariances
    chain = random_rows(rng, N), random_rows(rng, N, N)
    model = seq.GaussianMixtureHMM.from_parameters(*chain, *parameters, covariance_type)
    return model, [model.sample(n, rng).observations for n in (60, 1, 45)]


def continued(model, **options):
    """A model that starts where this one is."""
    start = {"startprob": model.startprob_, "transmat": model.transmat_, "init": model.mixtures_}
    options = {"topology": "ergodic", "min_variance": 0.0, "tol": 1e-300, **start, **options}
    return seq.GaussianMixtureHMM(model.n_states, model.n_mixtures, model.covariance_type, **options)


def gaussian_peer(model, **options):
    theirs = GaussianHMM(
        model.n_states,
        model.covariance_type,
        init_params="",
        tol=-np.inf,
        covars_prior=0.0,
        covars_weight=1.0,
        min_covar=0.0,
        **options,
    )
    theirs.startprob_, theirs.transmat_ = model.startprob_, model.transmat_
    theirs.n_features, theirs.means_ = model.means_.shape[2], model.means_[:, 0]
    theirs.covars_ = model.covariances_ if model.covariance_type == "tied" else model.covariances_[:, 0]
    return theirs


def joined(sequences):
    """hmmlearn's X and lengths."""
    lengths = [len(one) for one in sequences]
    X = np.concatenate(sequences)
    return (X[:, None] if X.ndim == 1 else X), lengths


# ----------------------------------------------------------------------------------------------------- criteria


def test_criteria_of_symbols_are_hmmlearns():
    rng = np.random.default_rng(0)
    model, sequences = discrete(rng), [rng.integers(0, 4, size=n) for n in (40, 1, 25)]
    theirs = categorical(model)
    assert model.bic(sequences) == pytest.approx(theirs.bic(*joined(sequences)), rel=1e-12)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_criteria_of_densities_are_hmmlearns(covariance_type):
    model, sequences = gaussians(np.random.default_rng(1), covariance_type)
    theirs = gaussian_peer(model)
    assert model.bic(sequences) == pytest.approx(theirs.bic(*joined(sequences)), rel=1e-9)
    if covariance_type != "tied":  # its mixtures tie the covariance of one state only
        model, sequences = gaussians(np.random.default_rng(2), covariance_type, M=2)
        theirs = GMMHMM(3, 2, covariance_type=covariance_type, init_params="")
        theirs.n_features, theirs.startprob_, theirs.transmat_ = 2, model.startprob_, model.transmat_
        theirs.weights_, theirs.means_, theirs.covars_ = model.mixtures_
        more = model.bic(sequences) - theirs.bic(*joined(sequences))
        free = model.n_parameters_ - sum(theirs._get_n_fit_scalars_per_param().values())
        assert more == pytest.approx(free * np.log(sum(map(len, sequences))))


@quietly
def test_only_numbers_that_training_may_choose_are_counted():
    sequences = [np.random.default_rng(3).normal(size=(30, 2)) for _ in range(3)]
    model = seq.GaussianMixtureHMM(4, 2, "diag", max_iter=2).fit(sequences)
    assert model.n_parameters_ == 3 + 4 * (1 + 2 * 2 + 2 * 2)  # three states may be left; one weight, means, variances
    assert model.set_params(fixed=["transmat", "covariances"]).fit(sequences).n_parameters_ == 4 * (1 + 2 * 2)
    weather = seq.DiscreteHMM.from_parameters([0.5, 0.5, 0], [[0.8, 0.2, 0], [0, 0.5, 0.5], [0, 0, 1]], np.eye(3))
    assert weather.n_parameters_ == 1 + 2 + 0


@pytest.mark.parametrize("covariance_type", TYPES)
def test_criteria_of_mixtures_are_scikit_learns(covariance_type):
    X = np.random.default_rng(4).normal(size=(80, 2)) + np.repeat([[0.0], [5.0]], 40, axis=0)
    model = seq.GaussianMixture(2, covariance_type, max_iter=500).fit(X)
    theirs = SklearnMixture(2, covariance_type=covariance_type).fit(X)
    theirs.weights_, theirs.means_ = model.weights_, model.means_
    if covariance_type == "diag":
        theirs.precisions_cholesky_ = 1 / np.sqrt(model.covariances_)
        assert model.bic(X) == pytest.approx(theirs.bic(X), rel=1e-9)
    assert model.n_parameters_ == theirs._n_parameters()


# ----------------------------------------------------------------------------------------------- long-run shares


# ------------------------------------------------------------------------------------------------ what is learned

LETTERS = {"startprob": "s", "transmat": "t", "emissionprob": "e", "means": "m", "covariances": "c"}


def letters(names, fixed):
    return "".join(LETTERS[name] for name in names if name not in fixed)


@quietly
@pytest.mark.parametrize("fixed", [[], ["startprob"], ["transmat"], ["emissionprob"], ["startprob", "emissionprob"]])
def test_fixed_symbols_are_those_that_hmmlearn_leaves_alone(fixed):
    rng = np.random.default_rng(5)
    model, sequences = discrete(rng), [rng.integers(0, 4, size=n) for n in (40, 1, 25)]
    start = {"startprob": model.startprob_, "transmat": model.transmat_, "emissionprob": model.emissionprob_}
    ours = seq.DiscreteHMM(3, 4, **start, fixed=fixed, max_iter=4, tol=1e-300).fit(sequences)
    theirs = categorical(model, params=letters(start, fixed), n_iter=4, tol=-np.inf).fit(*joined(sequences))
    for name, before in start.items():
        np.testing.assert_allclose(getattr(ours, name + "_"), getattr(theirs, name + "_"), atol=1e-9)
        assert (getattr(ours, name + "_") == before).all() == (name in fixed)
    assert np.diff(ours.trace_).min() > -1e-9


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("fixed", [["covariances"], ["transmat", "covariances"], ["startprob", "transmat"]])
def test_fixed_densities_are_those_that_hmmlearn_leaves_alone(covariance_type, fixed):
    model, sequences = gaussians(np.random.default_rng(6), covariance_type)
    ours = continued(model, fixed=fixed, max_iter=4).fit(sequences)
    params = letters(("startprob", "transmat", "means", "covariances"), fixed)
    theirs = gaussian_peer(model, params=params, n_iter=4).fit(*joined(sequences))
    np.testing.assert_allclose(ours.startprob_, theirs.startprob_, atol=1e-8)
    np.testing.assert_allclose(ours.transmat_, theirs.transmat_, atol=1e-8)
    np.testing.assert_allclose(ours.means_[:, 0], theirs.means_, rtol=1e-7, atol=1e-8)
    found = ours.covariances_ if covariance_type == "tied" else ours.covariances_[:, 0]
    raw = theirs._covars_.reshape(3, -1)[:, 0] if covariance_type == "spherical" else theirs._covars_
    np.testing.assert_allclose(found, raw, rtol=1e-7, atol=1e-8)
    assert np.diff(ours.trace_).min() > -1e-9


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
def test_covariances_about_fixed_means_are_mean_squares(covariance_type):
    """By definition: hmmlearn divides by zero when it learns covariances and no means."""
    model, sequences = gaussians(np.random.default_rng(6), covariance_type)
    gamma = np.concatenate([model.predict_proba(one) for one in sequences])
    ours = continued(model, fixed=["means"], max_iter=1).fit(sequences)
    np.testing.assert_array_equal(ours.means_, model.means_)
    d = np.concatenate(sequences)[:, None] - model.means_[:, 0]
    scatter = np.einsum("ti,tid,tie->ide", gamma, d, d)
    matrices = scatter / gamma.sum(axis=0)[:, None, None]
    expected = {
        "full": matrices,
        "tied": scatter.sum(axis=0) / len(d),
        "diag": np.einsum("idd->id", matrices),
        "spherical": np.einsum("idd->i", matrices) / 2,
    }[covariance_type]
    found = ours.covariances_ if covariance_type == "tied" else ours.covariances_[:, 0]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("fixed", [["means"], ["covariances"], ["weights"], ["means", "weights"]])
def test_the_objective_never_falls_whatever_is_fixed(covariance_type, fixed):
    model, sequences = gaussians(np.random.default_rng(7), covariance_type, M=2)
    prior = seq.NormalInverseWishart([0.3, -0.2], 0.7, np.eye(2), 5)
    ours = continued(model, fixed=fixed, prior=prior, transition_pseudocount=0.5, max_iter=8).fit(sequences)
    assert np.diff(ours.trace_).min() > -1e-9 and ours.trace_[-1] > ours.trace_[0] + 1
    for name in ("weights", "means", "covariances"):
        before, after = getattr(model, name + "_"), getattr(ours, name + "_")
        assert np.allclose(before, after, rtol=1e-14) == (name in fixed)


def test_known_means_with_a_prior_give_the_likeliest_covariance():
    """The objective of Σ about known means, at the estimate and at 200 neighbours."""
    rng = np.random.default_rng(8)
    X, mean = rng.normal(size=(12, 2)) + 1, np.array([[0.4, -0.3]])
    prior = seq.NormalInverseWishart([0.5, 0.0], 0.8, random_covariance(rng, 2), 5.0)
    statistics = seq.sufficient_statistics.accumulate(X, np.ones((1, 12)), "full", X.mean(axis=0))
    means, found = seq.sufficient_statistics.estimate(statistics, "full", prior=prior, means=mean)

    def objective(matrix):
        return multivariate_normal.logpdf(X, mean[0], matrix).sum() + prior.log_density(mean, matrix[None], "full")

    np.testing.assert_allclose(means, mean, rtol=1e-14)
    best = objective(found[0])
    for _ in range(200):
        step = 0.05 * rng.normal(size=(2, 2))
        assert objective(found[0] + step @ step.T) <= best and objective(found[0] * np.exp(0.1 * rng.normal())) <= best


# -------------------------------------------------------------------------------------------- what to start from


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
def test_training_goes_on_from_a_trained_model(covariance_type):
    """Three rounds and then four are seven."""
    model, sequences = gaussians(np.random.default_rng(9), covariance_type, M=2)
    half = continued(model, max_iter=3).fit(sequences)
    whole = continued(half, max_iter=4).fit(sequences)
    at_once = continued(model, max_iter=7).fit(sequences)
    assert half.trace_[0] == pytest.approx(model.score(sequences), rel=1e-9)
    np.testing.assert_allclose(np.append(half.trace_[:-1], whole.trace_), at_once.trace_, rtol=1e-9)
    np.testing.assert_allclose(whole.covariances_, at_once.covariances_, rtol=1e-6, atol=1e-9)
    assert clone(whole).fit(sequences).trace_[-1] == whole.trace_[-1]


@quietly
@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("more", [3, 4])
def test_mixtures_grow_by_splitting_the_heaviest(covariance_type, more):
    model, sequences = gaussians(np.random.default_rng(10), covariance_type, M=2)
    larger = continued(model, max_iter=1).set_params(n_mixtures=more)
    frames = seq.density_hmm.read_frames(sequences)
    larger._start(frames, np.random.default_rng(0))
    assert larger.means_.shape == (3, more, 2)
    np.testing.assert_allclose(larger.weights_.sum(axis=1), 1)
    np.testing.assert_allclose(
        np.einsum("im,imd->id", larger.weights_, larger.means_), np.einsum("im,imd->id", model.weights_, model.means_)
    )
    if more == 3:
        heaviest = model.weights_.argmax(axis=1)
        np.testing.assert_array_equal((larger.weights_[:, :2] != model.weights_).argmax(axis=1), heaviest)
    larger.set_params(max_iter=60, min_variance="auto").fit(sequences)
    assert larger.trace_[-1] > model.score(sequences)


@quietly
def test_means_are_a_start():
    rng = np.random.default_rng(11)
    sequences = [np.repeat([0.0, 5, 10], 8)[:, None] + rng.normal(size=(24, 1)) for _ in range(4)]
    means = np.array([10.0, 0, 5])[:, None, None]
    model = seq.GaussianMixtureHMM(3, init=means, topology="ergodic", transmat=np.full((3, 3), 1 / 3)).fit(sequences)
    np.testing.assert_allclose(model.means_, means, atol=0.5)


# ------------------------------------------------------------------------------------------------ paths and stays


@pytest.mark.parametrize(
    ("states", "stays", "bounds"),
    [([0, 0, 1, 1, 1, 2], [0, 1, 2], [0, 2, 5, 6]), ([1], [1], [0, 1]), ([1, 0, 1], [1, 0, 1], [0, 1, 2, 3])],
)
def test_segments_are_the_stays(states, stays, bounds):
    segments = seq.Decoding(np.array(states), -1.0).segments
    np.testing.assert_array_equal(segments.states, stays)
    np.testing.assert_array_equal(segments.bounds, bounds)


# ------------------------------------------------------------------------------------------------------- tolerance


@pytest.mark.parametrize("model", [seq.GaussianMixture(2, tol=0, max_iter=5000), seq.GaussianMixtureHMM(2, tol=0)])
def test_with_no_tolerance_training_ends_where_nothing_grows(model):
    X = np.random.default_rng(17).normal(size=(60, 1)) + np.repeat([[0.0], [6.0]], 30, axis=0)
    model.set_params(max_iter=5000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X if isinstance(model, seq.GaussianMixture) else [X])
    assert model.converged_ and model.trace_[-1] <= model.trace_[-2] > model.trace_[0]
    assert (np.diff(model.trace_)[:-1] > 0).all()


def test_with_no_tolerance_symbols_too():
    sequences = [np.random.default_rng(18).integers(0, 3, size=20)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        assert seq.DiscreteHMM(2, 3, tol=0, max_iter=20_000).fit(sequences).converged_


# ---------------------------------------------------------------------------------------------------------- errors

MIXTURE = seq.Mixture(np.ones((2, 1)), np.zeros((2, 1, 2)), np.ones((2, 1, 2)))
X = np.random.default_rng(19).normal(size=(20, 2))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fixed": "means"}, "fixed is 'means'; a list"),
        ({"fixed": ["emissionprob"]}, "a name in fixed is 'emissionprob'"),
        ({"init": np.zeros((2, 2))}, r"init has shape \(2, 2\); means of shape \(2, 1, 2\)"),
        ({"init": MIXTURE._replace(means=np.zeros((2, 1, 3)))}, r"init.means has shape \(2, 1, 3\); \(2, 1, 2\)"),
        ({"init": MIXTURE._replace(weights=np.full((2, 1), 0.5))}, r"init.weights\[0\] sums to 0.5"),
        ({"init": MIXTURE._replace(covariances=-np.ones((2, 1, 2)))}, "not positive definite"),
        ({"init": MIXTURE._replace(covariances=np.ones((2, 1)))}, r"init.covariances has shape \(2, 1\)"),
        (
            {"init": seq.Mixture(np.full((2, 2), 0.5), np.zeros((2, 2, 2)), np.ones((2, 2, 2)))},
            "2 Gaussians in each state, more than n_mixtures",
        ),
    ],
)
def test_parameters_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        seq.GaussianMixtureHMM(2, **options).fit([X])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: seq.DiscreteHMM(2, 3, fixed=["means"]).fit([[0, 1]]), "a name in fixed is 'means'"),
        (lambda: seq.GaussianMixtureHMM(2).mixtures_, "not fitted"),
    ],
)
def test_errors_in_use(call, message):
    with pytest.raises(ValueError, match=message):
        call()
