"""Learning hyper-parameters where it is hard: clean data, walls, flat ends, interruptions, refits, any unit."""

import warnings
from itertools import count

import numpy as np
import pytest
from scipy.special import expit
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from course_lib import gp
from course_lib.gp.evidence import Evidence, Hyperparameters
from course_lib.gp.inference import INFERENCE_RULES
from course_lib.gp.optimize import climb
from course_lib.judgments import BoundedGP, MultiSampleGP, PreferenceGP, RaterGP

SE = gp.SquaredExponential
WIDE = np.array([[-9.0, 9.0]])


def sine(noise, n, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, 1))
    return X, np.sin(X[:, 0]) + noise * rng.normal(size=n)


# ---------------------------------------------------------------------------------------------------------- clean data


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 20), marks=pytest.mark.long)], ids=str)
@pytest.mark.parametrize("n", [40, 100])
@pytest.mark.parametrize("noise", [1e-1, 1e-2, 1e-3, 1e-4])
def test_clean_data_are_learned_as_well_as_by_scikit_learn(noise, n, seeds):
    """Round the best parameters lie some whose covariance has no Cholesky factor: the search must get past them."""
    limits = (1e-14, 1e7)
    kernel = ConstantKernel(1.0, limits) * RBF(1.0, limits) + WhiteKernel(0.01, limits)
    for seed in seeds:
        X, y = sine(noise, n, seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the peer's own
            peer = GaussianProcessRegressor(kernel, alpha=1e-14).fit(X, y - y.mean())
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for ours in (gp.GPRegression(center=False), gp.GPRegression(SE(1.0, 1.0), noise_std=0.1, center=False)):
                assert ours.fit(X, y - y.mean()).converged_
                assert ours.log_evidence_ > peer.log_marginal_likelihood_value_ - 0.01


@pytest.mark.parametrize("n", [12, 300])
def test_data_without_noise_are_fitted(n):
    """Their evidence rises until rounding ends it; what comes out is still the curve."""
    X = np.linspace(-3, 3, n)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", gp.JitterWarning)
        model = gp.GPRegression().fit(X, np.sin(X[:, 0]))
    between = 0.5 * (X[1:] + X[:-1])
    np.testing.assert_allclose(model.predict(between), np.sin(between[:, 0]), atol=2e-3)


def test_where_one_space_ends_in_rounding_the_other_serves():
    X = np.linspace(-1, 1, 40)[:, None]
    tau, nu = np.full(40, 1e18), 1e18 * np.cos(X[:, 0])
    views = gp.values(X, np.zeros(40)).views
    for space in ("auto", "response"):
        posterior = gp.Prior(SE(1.0, 1.0)(X), views, space).posterior(tau, nu)
        np.testing.assert_allclose(posterior.mean, np.cos(X[:, 0]), atol=1e-6)


@pytest.mark.long
def test_the_noise_of_clean_data_is_found():
    found = [gp.GPRegression().fit(*sine(1e-3, 60, seed)).noise_std_ for seed in range(20)]
    assert np.median(found) == pytest.approx(1e-3, rel=0.1)


# --------------------------------------------------------------------------------------------------------------- walls


def hill_behind(wall):
    """A hill with its top at 1, and nothing at all beyond the wall."""

    def objective(theta):
        if theta[0] > wall:
            raise np.linalg.LinAlgError("no posterior")
        return 1e3 - 50.0 * float((theta[0] - 1.0) ** 2), -100.0 * (theta - 1.0)

    return objective


@pytest.mark.parametrize("wall", [1.001, 1.1, 3.0])
def test_a_top_close_to_a_wall_is_found(wall):
    found = climb(hill_behind(wall), np.array([-5.0]), WIDE)
    assert found.converged
    assert found.theta[0] == pytest.approx(1.0, abs=1e-4)


def test_the_best_point_seen_is_kept():
    """The evidence fails for good after six evaluations, as if it depended on the way there."""
    seen = []

    def objective(theta):
        seen.append(theta.copy())
        if len(seen) > 6:
            raise np.linalg.LinAlgError("lost")
        return -float(np.cosh(theta[0] - 2.0)), -np.sinh(theta - 2.0)

    with pytest.warns(ConvergenceWarning):
        found = climb(objective, np.array([-3.0]), WIDE)
    heights = [-np.cosh(theta[0] - 2.0) for theta in seen[:6]]
    assert found.height == max(heights)
    assert found.theta[0] == seen[int(np.argmax(heights))][0]


def test_the_foot_of_a_wall_beside_the_best_point_is_no_summit():
    """What has no evidence lies lower than where the line began, though it may be close to a higher point."""

    def objective(theta):
        if not 0.0 < theta[0] < 0.5:
            raise np.linalg.LinAlgError("no posterior")
        return 100.0 * float(theta[0]) - float(theta[1] ** 2), np.array([100.0, -2.0 * theta[1]])

    limits = np.tile(WIDE, (2, 1))
    with pytest.warns(ConvergenceWarning):
        found = climb(objective, np.array([0.1, 3.0]), limits)
    assert not found.converged
    assert found.height > objective(np.array([0.1, 3.0]))[0] and found.theta[0] < 0.5


def test_a_gradient_that_is_no_number_is_a_failure():
    def objective(theta):
        return float(theta[0]), np.array([np.nan])

    with pytest.raises(ValueError, match="no evidence to climb"):
        climb(objective, np.zeros(1), WIDE)


# ----------------------------------------------------------------------------------------------- a function of θ alone


LIKELIHOODS = {"probit": gp.Probit(), "beta": gp.Beta(20.0), "student": gp.StudentT(4.0, 0.3)}


@pytest.mark.parametrize("inference", ["laplace", "ep", "variational"])
@pytest.mark.parametrize("name", LIKELIHOODS)
def test_the_evidence_does_not_depend_on_the_way_to_theta(inference, name):
    rng = np.random.default_rng(4)
    X, likelihood = rng.uniform(-2, 2, (12, 1)), LIKELIHOODS[name]
    y = likelihood.sample(np.sin(2 * X[:, 0]), rng)
    observations = gp.stack(gp.values(X, y, likelihood))
    hyper = Hyperparameters(SE(1.0, 1.0), likelihood)
    evidence = Evidence(gp.LatentGP(inference=inference), observations)
    alone = Evidence(gp.LatentGP(inference=inference), observations)(hyper)
    for shift in (2.0, -2.0, 0.1):
        evidence(hyper.with_theta(hyper.theta + shift))
        height, gradient = evidence(hyper)
        assert height == pytest.approx(alone[0], abs=1e-6)
        np.testing.assert_allclose(gradient, alone[1], atol=1e-4)


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 25), marks=pytest.mark.long)], ids=str)
@pytest.mark.parametrize("inference", ["laplace", "ep", "variational"])
def test_choices_and_clean_values_of_one_function_are_learned(inference, seeds):
    """Worlds without noise: each fit ends, above where it began."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        X = rng.uniform(-3, 3, (15, 1))
        f = np.sin(X[:, 0])
        blocks = [gp.values(X, f, gp.Gaussian(0.1)), gp.values(X, np.where(f > 0, 1.0, -1.0), gp.Probit())]
        start = gp.LatentGP(SE(1.0, 1.0), inference=inference, optimize=False).fit(blocks)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the evidence of noise-free data may have no top
            learned = gp.LatentGP(SE(1.0, 1.0), inference=inference).fit(blocks)
        assert learned.log_evidence_ > start.log_evidence_
        if learned.likelihood_.children[0].noise_std > 1e-5:  # below, K's own rounding shows
            again = learned.evidence_at(np.concatenate([learned.kernel_.theta, learned.likelihood_.theta]))[0]
            assert again == pytest.approx(learned.log_evidence_, abs=1e-4)


# --------------------------------------------------------------------------------------------------- ends of the range


def test_parameters_that_the_data_do_not_bound_are_named():
    """A slope too small to matter all the way to the end, and a range that ends before the data's scale."""
    with pytest.warns(ConvergenceWarning, match=r"still rises a little at the end of its range: bend \(greatest\)"):
        found = climb(lambda t: (1e-4 * float(t[0]), np.array([1e-4])), np.zeros(1), WIDE, ["bend"])
    assert found.converged and found.theta[0] == 9.0 and found.at_limit == ("bend (greatest)",)
    X, y = sine(0.1, 30, 0)
    with pytest.warns(ConvergenceWarning, match=r"end of its range: kernel variance \(greatest\)"):
        model = gp.GPRegression(SE(1.0, 1.0), noise_std=0.1).fit(X, 1e4 * y)
    assert "kernel variance (greatest)" in model.at_limit_


def test_a_parameter_without_effect_is_named_and_no_reason_to_warn():
    """As a nugget that the answers do not want: below some size it changes nothing any more."""

    def objective(theta):
        return -float(np.logaddexp(0.0, 8.0 * (theta[0] + 5.0))), -8.0 * expit(8.0 * (theta + 5.0))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = climb(objective, np.array([8.0]), WIDE, ["nugget"])
    assert found.converged and found.at_limit == ("nugget (least)",)


def test_names_of_all_that_is_learned():
    hyper = Hyperparameters(SE(1.0, [1.0, 2.0]) + gp.White(0.1), gp.Gaussian(0.2), np.zeros((1, 2)), True)
    assert hyper.names == [
        "kernel 0.variance",
        "kernel 0.lengthscale[0]",
        "kernel 0.lengthscale[1]",
        "kernel 1.variance",
        "likelihood noise_std",
        "inducing[0, 0]",
        "inducing[0, 1]",
    ]
    assert len(hyper.names) == len(hyper.theta)


# -------------------------------------------------------------------------------------------- interruptions and refits


class Interrupting(SE):
    """A kernel whose reader presses Ctrl-C at a given evaluation."""

    left = count(-6)

    def cross(self, X, X2):
        if next(self.left) == 0:
            raise KeyboardInterrupt
        return super().cross(X, X2)


def test_an_interrupted_search_keeps_the_best_and_says_so():
    X, y = sine(0.1, 30, 0)
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model = gp.GPRegression(Interrupting(1.0, 0.1), noise_std=1.0).fit(X, y)
    start = gp.GPRegression(SE(1.0, 0.1), noise_std=1.0, optimize=False).fit(X, y)
    best = gp.GPRegression(SE(1.0, 0.1), noise_std=1.0).fit(X, y)
    assert not model.converged_
    assert start.log_evidence_ < model.log_evidence_ < best.log_evidence_
    assert np.isfinite(model.predict(X)).all()


def everything(model):
    return {name: value for name, value in vars(model).items() if name.endswith("_")}


RNG = np.random.default_rng(3)
X_FIRST, X_NEXT = RNG.uniform(-2, 2, (12, 1)), RNG.uniform(-2, 2, (9, 1))
PAIRS = [(0, 1), (1, 2), (2, 3), (4, 5), (0, 5), (3, 6), (6, 7), (7, 8)]
CHOICES = [1, -1, 1, 1, -1, 1, -1, 1]
REFITS = {
    "LatentGP": (gp.LatentGP(), (gp.values(X_FIRST, np.sin(X_FIRST[:, 0])),), (gp.values(X_NEXT, X_NEXT[:, 0]),)),
    "GPRegression": (gp.GPRegression(), (X_FIRST, np.sin(X_FIRST[:, 0])), (X_NEXT, 1e3 + X_NEXT[:, 0])),
    "BoundedGP": (BoundedGP(), (X_FIRST, np.full(12, 0.4)), (X_NEXT, np.linspace(0.1, 0.9, 9))),
    "PreferenceGP": (PreferenceGP(), (X_FIRST, PAIRS, CHOICES), (X_NEXT, PAIRS[::-1], CHOICES)),
    "MultiSampleGP": (MultiSampleGP(), (X_FIRST, RNG.normal(size=(12, 3))), (X_NEXT, 9 + RNG.normal(size=(9, 4)))),
    "RaterGP": (
        RaterGP(regions=2),
        (X_FIRST, RNG.normal(size=(12, 3))),
        (X_NEXT, 9 + RNG.normal(size=(9, 4))),
    ),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", REFITS)
@pytest.mark.parametrize("error", [np.linalg.LinAlgError, KeyboardInterrupt, MemoryError])
def test_a_refit_that_fails_leaves_the_model_as_it_was(name, error, monkeypatch):
    model, first, following = REFITS[name]
    model = clone(model).fit(*first)
    before, predicted = everything(model), model.predict_latent(X_FIRST)

    def fails(*arguments, **settings):
        raise error("on purpose")

    monkeypatch.setitem(INFERENCE_RULES, getattr(model, "inference", "exact"), fails)
    monkeypatch.setattr("course_lib.gp.evidence.evidence_in_place", fails)
    with pytest.raises((ValueError, error)):
        model.fit(*following)
    after = everything(model)
    assert before.keys() == after.keys()
    assert all(before[key] is after[key] or np.array_equal(before[key], after[key], equal_nan=True) for key in before)
    np.testing.assert_array_equal(model.predict_latent(X_FIRST), predicted)


def test_no_posterior_at_given_parameters_is_said(monkeypatch):
    def fails(*arguments, **settings):
        raise np.linalg.LinAlgError("the leading minor of order 2 is not positive definite")

    monkeypatch.setitem(INFERENCE_RULES, "laplace", fails)
    with pytest.raises(ValueError, match=r"finds no posterior \(the leading minor.*kernel variance 0.6931"):
        gp.LatentGP(SE(2.0, 1.0), inference="laplace", optimize=False).fit(gp.values([0.0, 1.0], [1, -1], gp.Probit()))


# ------------------------------------------------------------------------------------------------------------ any unit


def test_the_default_start_has_the_units_of_the_data():
    """Grams in place of kilograms, cents in place of euros: the same search, the same end."""
    X, y = sine(0.2, 60, 1)
    X = np.hstack([X, np.random.default_rng(2).normal(size=(60, 1))])
    one = gp.GPRegression().fit(X, y)
    for x_unit, y_unit in [(1e4, 1e-5), (1e-4, 1e6)]:
        other = gp.GPRegression().fit(x_unit * X, y_unit * y)
        assert other.log_evidence_ + len(y) * np.log(y_unit) == pytest.approx(one.log_evidence_, abs=1e-5)
        assert other.kernel_.lengthscale == pytest.approx(x_unit * one.kernel_.lengthscale, rel=1e-3)
        assert other.noise_std_ == pytest.approx(y_unit * one.noise_std_, rel=1e-3)


@pytest.mark.parametrize("model", [BoundedGP(), PreferenceGP()])
def test_the_default_start_has_the_units_of_the_inputs(model):
    rng = np.random.default_rng(6)
    X = rng.uniform(-2, 2, (25, 1))
    pairs = np.array([rng.choice(25, 2, replace=False) for _ in range(80)])
    chosen = np.where(np.diff(np.sin(X[pairs, 0]))[:, 0] + 0.5 * rng.normal(size=80) > 0, 1.0, -1.0)
    answers = (
        (pairs, chosen)
        if isinstance(model, PreferenceGP)
        else (0.5 + 0.3 * np.sin(X[:, 0]) + 0.05 * rng.normal(size=25),)
    )
    kernel = {} if isinstance(model, BoundedGP) else {"kernel": None}
    one, other = (clone(model).set_params(**kernel).fit(unit * X, *answers) for unit in (1.0, 1e5))
    assert other.log_evidence_ == pytest.approx(one.log_evidence_, abs=1e-5)


def test_a_search_does_not_squeeze_the_last_digits(monkeypatch):
    """The evidence of clean data ends in rounding: fewer evaluations than twice the rounds of a good search."""
    calls = []

    class Counting(SE):
        def diagonal(self, X):
            calls.append(1)
            return super().diagonal(X)

    for seed in range(10):
        gp.GPRegression(Counting(1.0, 1.0), noise_std=0.1).fit(*sine(1e-2, 100, seed))
    assert len(calls) / 10 < 3 * 60
