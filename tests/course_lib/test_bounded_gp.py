"""Marks on a bounded scale: BoundedGP on its three likelihoods."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr, ndtri
from scipy.stats import norm

from course_lib import gp
from course_lib.judgments import BoundedGP

KERNEL = gp.SquaredExponential(2.0, 1.0)
NAMES = ["beta", "truncated_gaussian", "warped"]


def marks(likelihood, n=40, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3, 3, size=n)
    f = 1.5 * np.sin(x)
    return x[:, None], gp.squeeze(likelihood.sample(f, rng), inside=1e-6)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("inference", ["laplace", "ep"])
def test_learns_a_curve_inside_the_scale(name, inference):
    X, y = marks(gp.Beta(20.0))
    model = BoundedGP(KERNEL, likelihood=name, inference=inference).fit(X, y)
    mean, std = model.predict(np.linspace(-3, 3, 25)[:, None], return_std=True)
    assert model.converged_
    assert ((mean > 0) & (mean < 1) & (std > 0) & (std < 0.5)).all()
    assert np.abs(mean - ndtr(1.5 * np.sin(np.linspace(-3, 3, 25)))).mean() < 0.08


@pytest.mark.parametrize("name", NAMES)
def test_the_scale_is_a_unit_only(name):
    X, y = marks(gp.Beta(20.0))
    one = BoundedGP(KERNEL, likelihood=name, optimize=False).fit(X, y)
    other = BoundedGP(KERNEL, likelihood=name, low=-20, high=80, optimize=False).fit(X, 100 * y - 20)
    assert other.log_evidence_ == pytest.approx(one.log_evidence_, abs=1e-6)
    assert np.allclose(other.predict(X[:5]), 100 * one.predict(X[:5]) - 20)
    densities = one.log_predictive_density(X[:5], y[:5]), other.log_predictive_density(X[:5], 100 * y[:5] - 20)
    assert np.allclose(densities[1], densities[0] - np.log(100))


@pytest.mark.parametrize("name", NAMES)
def test_the_predictive_density_integrates_to_one_and_has_the_mean_that_is_predicted(name):
    X, y = marks(gp.Beta(20.0))
    model = BoundedGP(KERNEL, likelihood=name, low=0, high=10, optimize=False).fit(X, 10 * y)
    new = [[0.4]]

    def density(mark):
        return np.exp(model.log_predictive_density(new, [mark])[0])

    assert quad(density, 0, 10, limit=200)[0] == pytest.approx(1.0, abs=1e-5)
    mean, std = model.predict_answer(new)
    assert np.allclose(model.predict(new), mean)
    low, high = (end[0] for end in model.answer_interval(new, confidence=0.8))
    assert quad(density, 0, low, limit=200)[0] == pytest.approx(0.1, abs=1e-5)
    assert quad(density, low, high, limit=200)[0] == pytest.approx(0.8, abs=1e-5)
    assert quad(lambda m: m * density(m), 0, 10, limit=200)[0] == pytest.approx(mean[0], abs=1e-4)
    assert quad(lambda m: (m - mean[0]) ** 2 * density(m), 0, 10, limit=200)[0] == pytest.approx(std[0] ** 2, abs=1e-4)


def test_the_warped_model_is_regression_on_warped_marks():
    X, y = marks(gp.WarpedGaussian(0.4))
    model = BoundedGP(KERNEL, likelihood=gp.WarpedGaussian(0.4), optimize=False).fit(X, y)
    z = ndtri(y)
    plain = gp.GPRegression(KERNEL, noise_std=0.4, center=False, optimize=False).fit(X, z)
    assert model.log_evidence_ == pytest.approx(plain.log_evidence_ - norm.logpdf(z).sum(), abs=1e-7)
    mean, std = plain.predict_answer(X[:4])
    assert np.allclose(model.predict(X[:4]), ndtr(mean / np.sqrt(1 + std**2)))


@pytest.mark.long
@pytest.mark.parametrize("truth", [gp.Beta(30.0), gp.TruncatedGaussian(10.0), gp.WarpedGaussian(0.5)])
def test_the_model_whose_noise_is_the_true_one_predicts_best(truth):
    """Jensen et al. (2013), Table 1, over four draws: on one draw alone another model may win."""
    scores = dict.fromkeys(NAMES, 0.0)
    for seed in range(4):
        (X, y), (X_new, y_new) = (marks(truth, 100, 2 * seed + k) for k in (1, 2))
        for name in NAMES:
            scores[name] += BoundedGP(KERNEL, likelihood=name).fit(X, y).log_predictive_density(X_new, y_new).sum()
    own = {gp.Beta: "beta", gp.TruncatedGaussian: "truncated_gaussian", gp.WarpedGaussian: "warped"}[type(truth)]
    assert max(scores, key=scores.get) == own


def test_repeated_marks_with_gaps():
    X, y = marks(gp.Beta(20.0), 15)
    Y = np.stack([y, np.full(15, np.nan), y[::-1]], axis=1)
    Y[3, 2] = np.nan
    model = BoundedGP(KERNEL, likelihood="beta", optimize=False).fit(X, Y)
    assert len(model.observations_.y) == 29


def test_a_mark_on_an_end_is_an_error_unless_told_where_to_put_it():
    X, y = marks(gp.Beta(20.0), 10)
    y[4] = 1.0
    with pytest.raises(ValueError, match=r"y\[4\] is 1.*squeeze"):
        BoundedGP(KERNEL).fit(X, y)
    model = BoundedGP(KERNEL, inside=1e-3, optimize=False).fit(X, y)
    assert model.observations_.y.max() == pytest.approx(0.999)
    with pytest.raises(ValueError, match="likelihood is 'gamma'"):
        BoundedGP(KERNEL, likelihood="gamma").fit(X, y)
