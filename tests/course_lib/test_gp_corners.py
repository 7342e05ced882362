"""The Gaussian-process engine where it hurts: odd scales, known views, tiny noise, walls, refits."""

import pickle
import types
import warnings

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from course_lib import gp
from course_lib.gp.fit_warnings import MATRICES_AT_ONCE
from course_lib.gp.kernel_prior import KernelPrior
from course_lib.gp.optimize import climb
from course_lib.judgments import BoundedGP, MultiSampleGP, RaterGP
from tests.course_lib.gp_oracles import dense_views, log_normal, slopes

APPROXIMATE = ["laplace", "ep", "variational"]
SE = gp.SquaredExponential
YEARS = np.arange(1970.0, 2021.0)


def yearly(unit=1.0):
    return unit * (np.sin(YEARS / 5) + 0.1 * np.random.default_rng(0).normal(size=len(YEARS)))


def surface(n=30, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] + 0.2 * rng.normal(size=n)


def all_theta(model):
    places = model.inducing_.ravel() if model.learn_inducing else []
    return np.concatenate([model.kernel_.theta, model.likelihood_.theta, places])


# -------------------------------------------------------------------------------------------------------------- scales


@pytest.mark.parametrize("unit", [1e6, 1e-6])
def test_the_unit_of_y_is_a_unit_only(unit):
    one = gp.GPRegression(SE(1.0, 10.0), noise_std=0.1).fit(YEARS, yearly())
    other = gp.GPRegression(SE(unit**2, 10.0), noise_std=0.1 * unit).fit(YEARS, yearly(unit))
    assert other.converged_
    assert other.log_evidence_ == pytest.approx(one.log_evidence_ - len(YEARS) * np.log(unit), abs=1e-3)
    assert other.noise_std_ == pytest.approx(unit * one.noise_std_, rel=1e-3)
    assert other.kernel_.variance == pytest.approx(unit**2 * one.kernel_.variance, rel=1e-2)


@pytest.mark.parametrize("inference", APPROXIMATE)
@pytest.mark.parametrize("unit", [1e6, 1e-6])
def test_the_unit_of_y_is_a_unit_only_for_every_rule(inference, unit):
    def model(unit):
        block = gp.values(YEARS, yearly(unit), gp.StudentT(0.1 * unit, 4.0))
        return gp.LatentGP(SE(unit**2, 10.0), inference=inference, optimize=False).fit(block)

    assert model(unit).converged_
    assert model(unit).log_evidence_ + len(YEARS) * np.log(unit) == pytest.approx(model(1.0).log_evidence_, abs=1e-5)


def test_a_start_far_from_the_scale_ends_well_or_warns():
    with pytest.warns(ConvergenceWarning, match="end of its range"):
        model = gp.GPRegression(SE(1.0, 10.0), noise_std=0.1).fit(YEARS, yearly(1e4))
    assert not model.converged_


def test_a_steep_start_does_not_end_the_search():
    """The first gradient is 1e9: a tolerance in units of it would end the search at once."""

    def objective(theta):
        gap = np.exp(-theta)
        return -1e6 * float(gap.sum()) - float(theta.sum()), 1e6 * gap - 1.0

    found = climb(objective, np.array([-7.0, 0.0]), np.tile([-50.0, 50.0], (2, 1)))
    assert found.converged
    assert np.allclose(found.theta, np.log(1e6), atol=1e-3)


def test_success_at_the_foot_of_a_wall_is_none():
    def objective(theta):
        if theta[0] > 1.0:
            raise np.linalg.LinAlgError("no posterior")
        return 3.0 * float(theta[0]), np.array([3.0])

    with pytest.warns(ConvergenceWarning):
        assert not climb(objective, np.zeros(1), np.array([[-9.0, 9.0]])).converged
    with pytest.warns(ConvergenceWarning, match="end of its range"):
        assert not climb(
            lambda t: (3.0 * float(t[0]), np.array([3.0])), np.zeros(1), np.array([[-9.0, 9.0]])
        ).converged


def test_a_height_that_is_no_number_is_a_failure_and_not_the_best():
    def objective(theta):
        height = np.nan if theta[0] < 0.1 else -float((theta[0] - 1.0) ** 2)
        return height, np.array([2.0 * (1.0 - theta[0])])

    assert climb(objective, np.zeros(1), np.array([[-9.0, 9.0]]), n_restarts=5, rng=0).theta[0] == pytest.approx(1.0)
    with pytest.raises(ValueError, match="the evidence is nan"):
        climb(lambda t: (np.nan, t), np.zeros(1), np.array([[-9.0, 9.0]]))


def test_inputs_are_columns_that_can_be_scaled():
    X, y = surface()
    one = make_pipeline(StandardScaler(), gp.GPRegression(SE(1.0, [1.0, 1.0]), noise_std=0.3)).fit(X, y)
    other = make_pipeline(StandardScaler(), gp.GPRegression(SE(1.0, [1.0, 1.0]), noise_std=0.3)).fit(
        X * [1e6, 1e-6] + 1e3, y
    )
    assert np.allclose(one.predict(X), other.predict(X * [1e6, 1e-6] + 1e3), atol=1e-4)
    assert cross_val_score(gp.GPRegression(SE(1.0, 1.0), noise_std=0.3), X, y, cv=3).min() > 0.3


# -------------------------------------------------------------------------------------------------- known views, noise


@pytest.mark.parametrize("inference", APPROXIMATE)
@pytest.mark.parametrize(
    ("likelihood", "y"), [(gp.Probit(), 1.0), (gp.Logit(), -1.0), (gp.Beta(5.0), 0.3), (gp.Ordinal(3), 2.0)]
)
def test_items_with_equal_inputs_have_a_known_difference(inference, likelihood, y):
    """g = 0 for them, so that the answer's evidence is log p(y | 0), and nothing else changes."""
    X, others, answers = [1.0, 1.0, 2.0, 3.5], [(1, 2), (3, 0)], [y, y]
    model = gp.LatentGP(SE(0.4, 1.0), inference=inference, optimize=False)
    without = model.fit(gp.differences(X, others, answers, likelihood)).log_evidence_
    with_it = model.fit(gp.differences(X, [(0, 1), *others], [y, *answers], likelihood))
    assert with_it.converged_
    assert with_it.log_evidence_ - without == pytest.approx(float(likelihood.log_density(y, 0.0)), abs=1e-6)
    assert np.isfinite(with_it.evidence_at(all_theta(with_it))[1]).all()


@pytest.mark.parametrize("inference", APPROXIMATE)
def test_a_kernel_that_does_not_see_what_differs(inference):
    X = np.array([[0.0, 1.0], [0.0, 2.0], [1.0, 1.0], [1.0, 2.0]])
    block = gp.differences(X, [(0, 1), (1, 2), (2, 3)], [0.3, 0.8, 0.4], gp.Beta(5.0))
    assert np.isfinite(gp.LatentGP(SE(1.0, 1.0).on(0), inference=inference, optimize=False).fit(block).log_evidence_)


@pytest.mark.parametrize("noise", [1e-3, 1e-5, 1e-7])
def test_exact_evidence_with_hardly_any_noise(noise):
    """Against the eigenvalues of K, which has full rank; the form that the search climbs agrees."""
    x, kernel = np.linspace(0, 1, 12), gp.Matern32(1.0, 0.5)
    y = np.sin(3 * x)
    values, vectors = np.linalg.eigh(kernel(x))
    spread = values + noise**2
    truth = -0.5 * float(((vectors.T @ y) ** 2 / spread + np.log(2 * np.pi * spread)).sum())
    model = gp.GPRegression(kernel, noise_std=noise, center=False, optimize=False).fit(x, y)
    assert model.log_evidence_ == pytest.approx(truth, abs=1e-6)
    assert model.evidence_at(all_theta(model))[0] == pytest.approx(truth, abs=1e-6)


@pytest.mark.parametrize(
    "kernel", [gp.Linear(1.0), gp.Constant(2.0), gp.White(1.0), SE(1.0, 1e6), SE(1, 1) * gp.White()]
)
@pytest.mark.parametrize("inference", APPROXIMATE)
def test_kernels_without_full_rank_and_without_neighbours(kernel, inference):
    X, f = surface(12)
    pairs = np.array([(a, b) for a, b in np.random.default_rng(1).integers(0, 12, size=(40, 2)) if a != b])
    block = gp.differences(X, pairs, np.where(f[pairs[:, 1]] > f[pairs[:, 0]], 1, -1), gp.Probit())
    item, response = (
        gp.LatentGP(kernel, inference=inference, optimize=False, space=s).fit(block) for s in ("item", "response")
    )
    assert item.log_evidence_ == pytest.approx(response.log_evidence_, abs=1e-5)
    assert np.isfinite(item.predict_latent(X, return_cov=True)[1]).all()


def test_comparisons_leave_the_level_and_unlinked_groups_to_the_prior():
    block = gp.differences(np.arange(4.0), [(0, 1), (2, 3)], [1, -1], gp.Probit())
    model = gp.LatentGP(SE(4.0, 1e-3) + gp.Constant(100.0), inference="ep", optimize=False).fit(block)
    mean, std = model.predict_latent(np.arange(4.0))
    assert np.allclose(mean, [-mean[1], mean[1], mean[1], -mean[1]], atol=1e-6)
    assert (std > 10.0).all()
    assert model.predict_difference(np.arange(4.0), [(0, 2)])[1][0] < 3.0


def test_huge_views_do_not_overflow_the_interval():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parts = gp.Ordinal(3).derivatives(
            np.array([0.0, 1.0, 2.0, 0.0, 2.0]), np.array([900.0, -900.0, 900, -900, -900])
        )
    assert np.isfinite(parts).all()


def test_the_averages_know_no_unit():
    """A StudentT in units of 1e-10 is the one in units of 1, its log density moved by log 1e10."""
    y, m, v, unit = np.array([0.3, 4.0]), np.array([0.1, -0.2]), np.array([0.5, 0.02]), 1e-10
    one = gp.StudentT(0.3, 3.0).tilted(y, m, v)
    other = gp.StudentT(0.3 * unit, 3.0).tilted(y * unit, m * unit, v * unit**2)
    assert np.allclose(other[0] + np.log(unit), one[0], atol=1e-8)
    assert np.allclose(other[1] / unit, one[1], atol=1e-8)
    assert np.allclose(other[2] / unit**2, one[2], atol=1e-8)


# --------------------------------------------------------------------------------------------------- trust in a result


def outliers(seed):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(-3, 3, 25))
    y = np.sin(2 * x) + 0.15 * rng.normal(size=25)
    y[rng.random(25) < 0.25] += rng.choice([-3, 3])
    return gp.values(x, y, gp.StudentT(0.3))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long), 3])
def test_laplace_finds_the_same_mode_again(seed):
    """There are several modes: which one is found depends on θ, not on the way there."""
    model = gp.LatentGP(SE(1.0, 0.5 if seed % 2 else 5.0), inference="laplace").fit(outliers(seed))
    again = gp.LatentGP(model.kernel_, inference="laplace", optimize=False)
    block = gp.values(model.observations_.X, model.observations_.y, model.likelihood_)
    assert model.evidence_at(all_theta(model))[0] == pytest.approx(model.log_evidence_, abs=1e-6)
    assert again.fit(block).log_evidence_ == pytest.approx(model.log_evidence_, abs=1e-6)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("seed", "inference"),
    [
        pytest.param(seed, inference, marks=pytest.mark.long if seed > 1 else ())
        for seed in (1, 2, 12)
        for inference in APPROXIMATE
    ],  # where EP hardly rests (seed 2), each step of the search takes it hundreds of rounds: a minute in all
)
def test_what_says_it_converged_has_no_slope_left(seed, inference):
    model = gp.LatentGP(SE(1.0, 2.0), inference=inference).fit(outliers(seed))
    slope = model.evidence_at(all_theta(model))[1]
    assert not model.converged_ or np.abs(slope).max() < 2e-3 * (1 + abs(model.log_evidence_))


def test_sites_that_do_not_rest_are_said():
    rng = np.random.default_rng(3)
    x = np.sort(rng.uniform(-3, 3, 25))
    y = np.sin(2 * x) + np.where(rng.random(25) < 0.25, 3.0, 0.1) * rng.normal(size=25)
    with pytest.warns(ConvergenceWarning, match="did not come to rest"):
        model = gp.LatentGP(SE(1.0, 5.0), inference="ep", optimize=False).fit(gp.values(x, y, gp.StudentT(0.01, 1.0)))
    assert not model.converged_


def test_all_fixed_learns_nothing():
    X, y = surface()
    kernel = SE(1.0, 1.0).with_priors(variance=gp.Fixed(), lengthscale=gp.Fixed())
    model = gp.GPRegression(kernel, noise_std=0.3, noise_prior=gp.Fixed()).fit(X, y)
    assert (model.n_iter_, model.converged_, model.noise_std_) == (0, True, 0.3)
    assert model.evidence_at([])[1].shape == (0,)


def test_a_group_without_answers_keeps_its_noise_or_its_prior_s():
    X, y = surface()
    noise, groups = [0.3, 0.5, 0.7], np.array([0, 2] * 15)
    free = gp.LatentGP(SE(1.0, 1.0), inference="exact").fit(gp.values(X, y, gp.Gaussian(noise, groups=groups)))
    assert free.likelihood_.noise_std[1] == pytest.approx(0.5)
    held = gp.Gaussian(noise, groups=groups).with_priors(noise_std=gp.Gamma(3, 6))
    held = gp.LatentGP(SE(1.0, 1.0), inference="exact").fit(gp.values(X, y, held))
    assert held.likelihood_.noise_std[1] == pytest.approx(1 / 3, abs=1e-3)


def test_restarts_can_be_repeated():
    X, y = surface()
    one, other = (gp.GPRegression(SE(1.0, 1.0), noise_std=0.3, n_restarts=2, rng=5).fit(X, y) for _ in range(2))
    assert one.log_evidence_ == other.log_evidence_


# --------------------------------------------------------------------------- inducing inputs: what they leave to items


def several(X, f, seed=1):
    """Up to five answers to each item, by three raters of different noise."""
    rng = np.random.default_rng(seed)
    Y = f[:, None] + 0.4 * rng.normal(size=(len(f), 5))
    Y[rng.random(Y.shape) < 0.3] = np.nan
    Y[:, 0] = f
    return gp.values(X, Y, gp.Gaussian([0.3, 0.5, 0.7], groups=rng.integers(0, 3, size=int((~np.isnan(Y)).sum()))))


def fitc_covariance(kernel, X, Z, A):
    """(of what Z tells of the views, of the views in truth)."""
    tells = kernel.cross(X, Z) @ np.linalg.solve(kernel.cross(Z, Z), kernel.cross(Z, X))
    return A @ tells @ A.T, A @ kernel(X) @ A.T


@pytest.mark.parametrize("kernel", [SE(1.3, 0.9), SE(1.3, 0.9) + gp.White(0.4)])
def test_fitc_shares_what_is_open_of_an_item_among_all_answers_to_it(kernel):
    X, f = surface(40)
    model = gp.LatentGP(kernel, inference="fitc", inducing=X[:4] + 0.1, optimize=False).fit(several(X, f))
    observed, tau = model.observations_, model.likelihood_.site(model.observations_.y)[0]
    A = dense_views(observed.views)
    told, truth = fitc_covariance(kernel, observed.X, model.inducing_, np.eye(40))
    covariance = A @ (told + np.diag((truth - told).diagonal())) @ A.T + np.diag(1 / tau)
    assert model.log_evidence_ == pytest.approx(log_normal(observed.y, covariance), abs=1e-8)
    new = X[:5] + 0.4
    K_new = kernel.cross(new, model.inducing_) @ np.linalg.solve(
        kernel.cross(model.inducing_, model.inducing_), kernel.cross(model.inducing_, X) @ A.T
    )
    mean, std = model.predict_latent(new)
    assert np.allclose(mean, K_new @ np.linalg.solve(covariance, observed.y), atol=1e-8)
    expected = kernel.diagonal(new) - np.sum(K_new.T * np.linalg.solve(covariance, K_new.T), axis=0)
    assert np.allclose(std**2, expected, atol=1e-8)


def test_fitc_shares_what_is_open_of_a_pair_among_all_answers_to_it():
    """Also if the pair is turned round."""
    X, f = surface(12)
    pairs = np.array([(0, 1), (1, 0), (0, 1), (2, 3), (4, 5), (5, 4), (1, 2)])
    kernel, Z = SE(1.3, 0.9), X[:4] + 0.1
    y = f[pairs[:, 1]] - f[pairs[:, 0]] + 0.3 * np.random.default_rng(0).normal(size=7)
    model = gp.LatentGP(kernel, inference="fitc", inducing=Z, optimize=False).fit(
        gp.differences(X, pairs, y, gp.Gaussian(0.3))
    )
    told, truth = fitc_covariance(kernel, model.observations_.X, Z, dense_views(model.observations_.views))
    same = np.array([[0, 0, 0, 1, 2, 2, 3]])
    sign = np.array([1, -1, 1, 1, 1, -1, 1])
    covariance = told + (truth - told) * (same == same.T)
    assert np.array_equal((same == same.T) * np.outer(sign, sign) != 0, np.isclose(np.abs(truth), truth.diagonal()))
    assert model.log_evidence_ == pytest.approx(log_normal(y, covariance + 0.09 * np.eye(7)), abs=1e-8)


WITH_WHITE = {
    "sum": SE(1.3, 0.9) + gp.White(0.4),
    "alone": gp.White(0.7),
    "scaled": 2.0 * (SE(0.7, 0.9) + gp.White(0.2)) + gp.Linear(0.3),
    "product": SE(1.3, 0.9) * (gp.Constant(0.8) + gp.White(0.4)),
    "on a column": SE(1.3, [0.9, 1.4]) + (gp.Linear(0.5) * gp.White(0.4)).on(1),
    "held": SE(1.3, 0.9) + gp.White(0.4).with_priors(variance=gp.Fixed()),
}


@pytest.mark.parametrize("name", [name for name in WITH_WHITE if name != "alone"])
@pytest.mark.parametrize("answers", ["one", "several"])
@pytest.mark.parametrize("inference", ["variational", "fitc"])
def test_with_all_items_as_inducing_inputs_white_changes_nothing(name, answers, inference):
    """Evidence, its gradient and predictions are those of exact inference, where White stays with its item."""
    X, f = surface(15)
    kernel = WITH_WHITE[name]
    some = gp.values(X, f, gp.Gaussian(0.3)) if answers == "one" else several(X, f)
    exact, sparse = (
        gp.LatentGP(kernel, inference=rule, inducing=places, optimize=False).fit(some)
        for rule, places in (("exact", None), (inference, X))
    )
    assert sparse.converged_
    assert sparse.log_evidence_ == pytest.approx(exact.log_evidence_, abs=1e-5)
    theta = all_theta(exact)
    assert np.allclose(sparse.evidence_at(theta)[1], exact.evidence_at(theta)[1], atol=1e-4)
    new = X[:4] + 0.3
    assert np.allclose(sparse.predict_latent(new), exact.predict_latent(new), atol=1e-5)


def answers_of(kind, X, f):
    rng = np.random.default_rng(2)
    return {
        "gaussian": lambda: several(X, f),
        "choices": lambda: gp.values(X, np.sign(f[:, None] + rng.normal(size=(len(f), 3))), gp.Probit()),
        "marks": lambda: gp.values(X, gp.Beta(8.0).sample(f, rng), gp.Beta(8.0)),
        "robust": lambda: gp.values(X, f[:, None] + 0.2 * rng.standard_t(2, size=(len(f), 2)), gp.StudentT(0.2, 3.0)),
        "mixed": lambda: [several(X, f), gp.values(X[:5], np.sign(f[:5]), gp.Logit())],
    }[kind]()


KINDS_OF_VALUES = ["gaussian", "choices", "marks", "robust", "mixed"]


@pytest.mark.parametrize("kind", KINDS_OF_VALUES)
def test_the_bound_with_white_is_that_of_all_items_and_a_lower_one_with_fewer(kind):
    X, f = surface(15)
    kernel = SE(1.3, 0.9) + gp.White(0.4)
    some = answers_of(kind, X, f)
    full = gp.LatentGP(kernel, inference="variational", optimize=False).fit(some)
    bounds = [
        gp.LatentGP(kernel, inference="variational", inducing=X[:M], optimize=False).fit(some).log_evidence_
        for M in (2, 5, 9, 15)
    ]
    assert bounds[-1] == pytest.approx(full.log_evidence_, abs=1e-5)
    assert (np.diff(bounds) > -1e-6).all()
    every = gp.LatentGP(kernel, inference="variational", inducing=X, optimize=False).fit(some)
    assert np.allclose(every.evidence_at(all_theta(every))[1], full.evidence_at(all_theta(full))[1], atol=1e-3)
    assert np.allclose(every.predict_latent(X + 0.2), full.predict_latent(X + 0.2), atol=1e-4)
    got, expected = (m.approximation_.posterior.marginals for m in (every, full))
    assert np.allclose(got, expected, atol=1e-4)


@pytest.mark.parametrize(("kind", "name"), [*((kind, "sum") for kind in KINDS_OF_VALUES), ("gaussian", "on a column")])
def test_gradients_of_the_bound_with_white(kind, name):
    X, f = surface(8)
    model = gp.LatentGP(
        WITH_WHITE[name], inference="variational", inducing=X[:2] + 0.1, learn_inducing=True, optimize=False
    )
    model.fit(answers_of(kind, X, f))
    numbers = slopes(lambda t: model.evidence_at(t)[0], all_theta(model), 1e-4)
    assert np.allclose(model.evidence_at(all_theta(model))[1], numbers, atol=1e-5 * (1 + np.abs(numbers).max()))


@pytest.mark.parametrize("kind", ["several answers", "pairs"])
def test_gradients_of_fitc_with_shared_residuals(kind):
    X, f = surface(15)
    pairs = np.array([(0, 1), (1, 0), (2, 3), (4, 5), (2, 3), (7, 1)])
    some = several(X, f) if kind == "several answers" else gp.differences(X, pairs, f[pairs[:, 0]], gp.Gaussian(0.3))
    model = gp.LatentGP(
        WITH_WHITE["sum"], inference="fitc", inducing=X[:4] + 0.1, learn_inducing=True, optimize=False
    ).fit(some)
    numbers = slopes(lambda t: model.evidence_at(t)[0], all_theta(model))
    assert np.allclose(model.evidence_at(all_theta(model))[1], numbers, atol=1e-5 * (1 + np.abs(numbers).max()))


@pytest.mark.parametrize("noise", [1e-2, 1e-4, 1e-5])
def test_gradients_of_sharp_answers_through_inducing_inputs(noise):
    """What u keeps of a change is no difference of what it was and what the answers took."""
    X, f = surface(15)
    some = gp.values(X, f, gp.Gaussian(noise))
    exact, sparse = (
        gp.LatentGP(gp.Matern32(1.3, 0.9), inference=rule, inducing=places, optimize=False).fit(some)
        for rule, places in (("exact", None), ("fitc", X))
    )
    assert sparse.log_evidence_ == pytest.approx(exact.log_evidence_, rel=1e-5)
    expected = exact.evidence_at(all_theta(exact))[1]
    assert np.allclose(
        sparse.evidence_at(all_theta(exact))[1], expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max()
    )


def test_white_through_inducing_inputs_is_refused_for_differences():
    X, _ = surface(8)
    some = gp.differences(X, [(0, 1), (2, 3)], [0.3, -0.1], gp.Gaussian(0.3))
    model = gp.LatentGP(WITH_WHITE["sum"], inference="variational", inducing=X[:3])
    with pytest.raises(ValueError, match=r"White part; .* answers to values"):
        model.fit(some)


@pytest.mark.parametrize("name", WITH_WHITE)
def test_what_items_share_is_all_but_white(name):
    X, weights = surface(6)
    kernel = WITH_WHITE[name]
    shared = kernel.shared()
    assert np.array_equal(shared.theta, kernel.theta)
    assert np.allclose(shared.diagonal(X), kernel.cross(X, X).diagonal())
    assert np.array_equal(shared.cross(X, X), kernel.cross(X, X))
    numbers = slopes(lambda t: weights @ shared.with_theta(t).diagonal(X), shared.theta)
    assert np.allclose(shared.diagonal_gradient(X, weights), numbers, atol=1e-6)


# ------------------------------------------------------------------------------------------------- against one another


def test_laplace_with_logit_is_scikit_learn_s_classifier():
    X, f = surface(40)
    y = np.where(f > 0, 1, -1)
    theirs = GaussianProcessClassifier(ConstantKernel(1.7) * RBF([0.7, 1.4]), optimizer=None).fit(X, y)
    ours = gp.LatentGP(SE(1.7, [0.7, 1.4]), inference="laplace", optimize=False).fit(gp.values(X, y, gp.Logit()))
    value, gradient = theirs.log_marginal_likelihood(theirs.kernel_.theta, eval_gradient=True)
    assert ours.log_evidence_ == pytest.approx(value, abs=1e-6)
    assert np.allclose(ours.evidence_at(all_theta(ours))[1], gradient, atol=1e-5)
    assert np.allclose((ours.predict(X) + 1) / 2, theirs.predict_proba(X)[:, 1], atol=2e-3)


@pytest.mark.parametrize("kernel", [SE(1.0, 1.0) + gp.White(0.2), gp.Linear([1.0, 2.0]) + SE(1.0, 1.0).on(0)])
@pytest.mark.parametrize("inference", ["variational", "fitc"])
def test_inducing_inputs_of_warped_answers_and_of_differences(kernel, inference):
    X, f = surface()
    Z, pairs = X[:5] + 0.1, np.array([(0, 1), (1, 2), (10, 11), (2, 0)])
    marks = gp.WarpedGaussian(0.3).sample(f, 0)
    for block in (
        gp.values(X, marks, gp.WarpedGaussian(0.3)),
        gp.differences(X, pairs, [1.0, 0.2, -0.3, -0.9], gp.Gaussian(0.3)),
    ):
        if (inference, block.views.all_values) == ("variational", False):
            kernel = kernel.shared()  # White is refused there
        model = gp.LatentGP(kernel, inference=inference, inducing=Z, learn_inducing=True, optimize=False).fit(block)
        theta = all_theta(model)
        numbers = slopes(lambda t, m=model: m.evidence_at(t)[0], theta)
        assert np.allclose(model.evidence_at(theta)[1], numbers, atol=1e-5 * (1 + np.abs(numbers).max()))


def test_fitc_of_warped_answers_is_its_dense_gaussian():
    X, f = surface(20)
    likelihood, kernel, Z = gp.WarpedGaussian(0.3), SE(1.3, 0.9), X[:5] + 0.1
    marks = likelihood.sample(f, 0)
    z, jacobian = likelihood._target(marks)
    Q = kernel(X, Z) @ np.linalg.solve(kernel(Z), kernel(Z, X))
    dense = log_normal(z, Q + np.diag(kernel.diagonal(X) - Q.diagonal() + 0.09)) + jacobian.sum()
    model = gp.LatentGP(kernel, inference="fitc", inducing=Z, optimize=False).fit(gp.values(X, marks, likelihood))
    assert model.log_evidence_ == pytest.approx(dense, abs=1e-6)


def test_each_block_of_a_mixed_model_predicts_its_own_answers():
    X, y = surface()
    blocks = [gp.values(X, y, gp.StudentT(0.3)), gp.values(X, np.digitize(y, [-1, 1]), gp.Ordinal(3))]
    model = gp.LatentGP(SE(1.0, 1.0), inference="ep", optimize=False).fit(blocks)
    mean, std = model.predict_latent(X)
    assert np.allclose(model.predict(X, block=0), mean)
    assert np.allclose(model.predict(X, block=1), gp.Ordinal(3).predict(mean, std**2)[0])
    densities = [np.exp(model.log_predictive_density(X, np.full(30, level), block=1)) for level in range(3)]
    assert np.allclose(np.sum(densities, axis=0), 1.0)


def test_curves_are_drawn_round_what_is_predicted():
    X, y = surface()
    model = gp.GPRegression(SE(1.0, 1.0), noise_std=0.3, optimize=False).fit(X, y + 100)
    drawn = model.sample(X[:4], 4000, rng=0)
    mean, std = model.predict(X[:4], return_std=True)
    assert np.allclose(drawn.mean(axis=0), mean, atol=5 * std.max() / np.sqrt(4000))


def test_copies_say_the_same():
    X, y = surface()
    kernel = 2.0 * SE(1.0, [1.0, 2.0]).with_priors(variance=gp.Gamma(2, 1)) + gp.White(0.1).on([0])
    model = gp.GPRegression(kernel, noise_std=0.3, max_iter=500).fit(X, y)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    copy = clone(model)
    assert repr(copy.kernel) == repr(kernel)
    assert copy.fit(X, y).log_evidence_ == model.log_evidence_
    assert "noise_std=0.3" in repr(model)


@pytest.mark.parametrize("name", ["beta", "truncated_gaussian", "warped"])
def test_densities_near_the_ends_and_inputs_far_away(name):
    X, f = surface(25)
    marks = 100 * gp.Beta(4.0).sample(3 * f, 0)
    model = BoundedGP(SE(9.0, 1.0), likelihood=name, low=0, high=100, inside=1e-3, optimize=False).fit(X, marks)
    for new in ([[0.0, 0.0]], [[50.0, 50.0]]):

        def density(mark, new=new):
            return np.exp(model.log_predictive_density(new, [mark])[0])

        mass = quad(density, 0.1, 99.9, limit=300, epsabs=1e-6)[0]
        assert 0.5 < mass < 1.0 + 1e-4
        mean, std = model.predict_answer(new)
        assert 0 < mean[0] < 100
        assert 0 < std[0] < 50
        low, high = model.answer_interval(new, confidence=0.99)
        assert 0 <= low[0] < mean[0] < high[0] <= 100


# ------------------------------------------------------------------------------------------------------------ messages


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda X, y: gp.GPRegression(optimize=False).fit(X, y).predict(X[:, :1]), "X_new has 1 columns"),
        (lambda X, y: gp.GPRegression().log_predictive_density(X, y), "not fitted yet"),
        (lambda X, y: BoundedGP(low=0, high=100).fit(X, np.full(30, 120.0)), r"y\[0\] is 120.*from 0 to 100"),
        (lambda X, y: BoundedGP(low=0, high=100).fit(X, np.full(30, 100.0)), r"y\[0\] is 100.*inside=1e-3"),
        (lambda X, y: gp.GPRegression().fit(X, np.full(30, np.nan)), "no answer at all"),
        (lambda X, y: SE(1.0, 1.0).with_priors(variance=gp.Fixed), "the prior of variance"),
    ],
)
def test_messages_name_the_argument_what_came_and_what_is_needed(act, words):
    with pytest.raises(ValueError, match=words):
        act(*surface())


@pytest.mark.parametrize(("noise", "told"), [(1e-5, True), (0.1, False)])
def test_answers_that_contradict_a_sharp_model_are_said_to_leave_rounding(noise, told):
    """The one weight of a linear kernel is known in closed form; the answers lie 1e5 times their noise beside it."""
    X, y = surface(50)
    x, y = X[:, :1], y - 3.0 * X[:, 0] ** 2
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = gp.LatentGP(gp.Linear(1.0), inference="exact", optimize=False).fit(gp.values(x, y, gp.Gaussian(noise)))
    weight = (x[:, 0] @ y) / (x[:, 0] @ x[:, 0] + noise**2)
    off = np.abs(model.predict_latent(x)[0] - weight * x[:, 0]).max()
    assert ["rounding may move means" in str(one.message) for one in said] == [True] * told
    assert (off > 1e-7) == told


@pytest.mark.parametrize(("model", "parts"), [(RaterGP(), "6 answers to 3 items"), (MultiSampleGP(), None)])
def test_a_large_fit_says_first_what_it_needs(model, parts, monkeypatch):
    """Of 2,000 items by 2,000 raters, here by a lower limit: noises of all raters need 64 GB, one noise does not."""
    monkeypatch.setattr("course_lib.gp.fit_warnings.LARGE_FIT_GB", 8e-9 * (6 * 1.5 + MATRICES_AT_ONCE * 3**2))
    X, Y = np.arange(3.0)[:, None], np.array([[1.0, 2.0], [2.0, 2.5], [0.0, 1.0]])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.set_params(optimize=False).fit(X, Y)
    found = [str(one.message) for one in said if "GB of memory" in str(one.message)]
    assert len(found) == bool(parts) and all(parts in one for one in found)


def test_weights_beyond_all_numbers_end_a_step_of_the_search_and_not_the_search():
    """Marks all at the end of a scale but one at the other led there; the search steps back from a LinAlgError."""
    prior = types.SimpleNamespace(kernel=gp.SquaredExponential(), X=np.arange(3.0)[:, None])
    found = types.SimpleNamespace(kernel_weights=lambda: np.full((3, 3), 1e112))
    with pytest.raises(np.linalg.LinAlgError, match="weight of the kernel"):
        KernelPrior.gradient(prior, found)
