"""All combinations of what a Gaussian panel can have, each against one dense Gaussian over all answers."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from course_lib.gp import LatentGP, SquaredExponential
from course_lib.judgments import MultiSampleGP, RaterGP

RNG = np.random.default_rng(3)
N, R, K = 7, 3, 2
X = RNG.uniform(0, 3, (N, 1))
Y = 4.0 + np.sin(2 * X)[:, :, None] + RNG.normal(size=(1, R, 1)) + 0.4 * RNG.normal(size=(N, R, K))
Y[RNG.random(Y.shape) < 0.2] = np.nan
ITEM, RATER, _ = GIVEN = np.nonzero(~np.isnan(Y))
KERNEL, NUGGET, BIAS, OPINION, FLOOR = SquaredExponential(1.0, 0.7), 0.3, 0.8, 0.5, 0.1
HALVES = (X[:, 0] > np.median(X)).astype(int)
STD = np.array([[0.3, 0.5, 0.9], [0.6, 0.2, 0.7]])
RATERS = {"alike": {}, "biased": {"bias_std": BIAS}, "opinions": {"bias_std": BIAS, "opinion_std": OPINION}}
NOISES = {"one": None, "a rater": {"noise_std": STD[0]}, "a rater and region": {"regions": HALVES, "noise_std": STD}}
LEVELS = {"each alone": {}, "shrinkage": {"shrinkage": 0.5}, "pooling": {"pooling": 0.5}}
GAINS = {"no gains": {}, "gains": {"gain_std": 0.3}}
NUGGETS = {"no nugget": {}, "nugget": {"nugget_std": NUGGET}}
TABLE = list(product(NOISES, RATERS, GAINS, NUGGETS, LEVELS))


def fitted(noise, *chosen):
    """The model of a row of the table, with nothing learned."""
    tables = (RATERS, GAINS, NUGGETS, LEVELS)
    settings = {"optimize": False}
    for table, name in zip(tables, chosen, strict=True):
        settings |= table[name]
    if NOISES[noise] is None:
        return MultiSampleGP(KERNEL, noise_std=STD[0, 0], **settings).fit(X, Y)
    return RaterGP(KERNEL, noise_floor=FLOOR, **NOISES[noise], **settings).fit(X, Y)


def dense(model, noise, gain):
    """(log p(y), mean, covariance) of the values, biases, and opinions (n·R) that stand one after another."""
    has = model.get_params()
    level = model.latent_.kernel_.level_std if has.get("bias_std") else 0.0
    prior = np.zeros((N + R + N * R,) * 2)
    prior[:N, :N] = KERNEL(X) + level**2 + (has["nugget_std"] or 0.0) ** 2 * np.eye(N)
    prior[N:, N:] = np.diag([(has.get("bias_std") or 0.0) ** 2] * R + [(has.get("opinion_std") or 0.0) ** 2] * (N * R))
    views = np.zeros((len(ITEM), len(prior)))
    for row, n, r in zip(views, ITEM, RATER, strict=True):
        row[[n, N + r, N + R + n * R + r]] = gain[r]
    y, C = Y[GIVEN] - model.offset_, views @ prior @ views.T + np.diag(noise**2)
    seen = prior @ views.T @ np.linalg.inv(C)
    return multivariate_normal.logpdf(y, cov=C), seen @ y, prior - seen @ views @ prior


@pytest.mark.parametrize(("noise", "raters", "gains", "nugget", "levels"), TABLE, ids=map(", ".join, TABLE))
def test_each_combination_is_the_dense_gaussian_or_is_refused_by_name(noise, raters, gains, nugget, levels):
    chosen = (raters, gains, nugget, levels)
    if noise == "one" and (raters, gains, levels) != ("alike", "no gains", "each alone"):
        with pytest.raises(TypeError, match=r"bias_std|gain_std|shrinkage|pooling"):
            fitted(noise, *chosen)
        return
    model = fitted(noise, *chosen)
    if noise == "one":
        table, gain = np.full((2, R), STD[0, 0]), np.ones(R)
    else:
        table = np.hypot(FLOOR, STD if noise == "a rater and region" else STD[:1][[0, 0]])
        gain = np.array([1.2, 0.8, 1.1]) if gains == "gains" else np.ones(R)
    if gains == "gains":  # away from 1, where they begin
        theta = model.likelihood_.theta
        theta[-R:] = np.log(gain)
        seen = replace(model.observations_, likelihood=model.likelihood_.with_theta(theta))
        model.latent_ = LatentGP(model.latent_.kernel_, inference="exact", optimize=False).fit(seen)
    log_evidence, mean, covariance = dense(model, table[HALVES[ITEM], RATER], gain)
    assert model.log_evidence_ == pytest.approx(log_evidence, abs=1e-7)
    found, spread = model.predict_latent(X, return_cov=True)
    np.testing.assert_allclose(found, mean[:N] + model.offset_, atol=1e-7)
    np.testing.assert_allclose(spread, covariance[:N, :N], atol=1e-6)
    for r in range(R) if noise != "one" else ():
        view = np.zeros((N, len(mean)))
        view[np.arange(N), np.arange(N)] = view[:, N + r] = view[np.arange(N), N + R + np.arange(N) * R + r] = gain[r]
        expected, std = model.predict_answer(X, rater=r)
        np.testing.assert_allclose(expected, view @ mean + model.offset_, atol=1e-7)
        known = np.sum(view @ covariance * view, axis=1)
        np.testing.assert_allclose(std**2, known + table[HALVES, r] ** 2, atol=1e-6)


def test_opinions_want_biases_and_one_level_is_enough():
    with pytest.raises(ValueError, match="opinions need bias_std"):
        RaterGP(KERNEL, opinion_std=OPINION).fit(X, Y)
    with pytest.raises(ValueError, match=r"shrinkage is 0\.5 and pooling 0\.5; one of them"):
        RaterGP(KERNEL, shrinkage=0.5, pooling=0.5).fit(X, Y)
