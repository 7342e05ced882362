"""All combinations of what a panel can have: numbers against one dense Gaussian, the others by importance sampling."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from course_lib.gp import Beta, LatentGP, Ordinal, SquaredExponential, TruncatedGaussian
from course_lib.judgments import BoundedRaterGP, MultiSampleGP, OrdinalRaterGP, RaterGP
from tests.course_lib.panel_oracles import level_of

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
    level = level_of(model)
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
    found, spread = model.predict_latent(model.items_, return_cov=True)
    np.testing.assert_allclose(found, mean[:N] + model.offset_, atol=1e-7)
    np.testing.assert_allclose(spread, covariance[:N, :N], atol=1e-6)
    for r in range(R) if noise != "one" else ():
        view = np.zeros((N, len(mean)))
        view[np.arange(N), np.arange(N)] = view[:, N + r] = view[np.arange(N), N + R + np.arange(N) * R + r] = gain[r]
        expected, std = model.predict_answer(model.items_, rater=r)
        np.testing.assert_allclose(expected, view @ mean + model.offset_, atol=1e-7)
        known = np.sum(view @ covariance * view, axis=1)
        np.testing.assert_allclose(std**2, known + table[HALVES, r] ** 2, atol=1e-6)


def test_opinions_want_biases_and_one_level_is_enough():
    with pytest.raises(ValueError, match="opinions need bias_std"):
        RaterGP(KERNEL, opinion_std=OPINION).fit(X, Y)
    with pytest.raises(ValueError, match=r"shrinkage is 0\.5 and pooling 0\.5; one of them"):
        RaterGP(KERNEL, shrinkage=0.5, pooling=0.5).fit(X, Y)


# --- marks and labels: two items, two raters, by importance sampling -----------------------------------------

PLACES = np.array([[0.4], [1.3]])
PRECISION, CUT = (6.0, 9.0), (-0.6, -1.2)
MARKED, LABELLED = np.array([[0.3, 0.45], [0.7, 0.8]]), np.array([[0.0, 2.0], [2.0, 1.0]])
ANSWERS = {
    "beta": (MARKED, [Beta(one) for one in PRECISION]),
    "truncated_gaussian": (MARKED, [TruncatedGaussian(one) for one in PRECISION]),
    "own cuts": (LABELLED, [Ordinal(3, first_cut=one) for one in CUT]),
    "shared cuts": (LABELLED, [Ordinal(3)] * 2),
}
OTHERS = list(product(ANSWERS, RATERS, NUGGETS))


def seen(answers, raters, nugget):
    """The model of a row of the table, with nothing learned."""
    table, settings = ANSWERS[answers][0], {**RATERS[raters], **NUGGETS[nugget], "inference": "ep", "optimize": False}
    if table is MARKED:
        return BoundedRaterGP(KERNEL, likelihood=answers, precision=PRECISION, **settings).fit(PLACES, table)
    cut_std = 0.5 if answers == "own cuts" else None
    return OrdinalRaterGP(KERNEL, levels=3, cut_std=cut_std, **settings).fit(PLACES, table)


@pytest.mark.parametrize(("answers", "raters", "nugget"), OTHERS, ids=map(", ".join, OTHERS))
def test_marks_and_labels_are_those_of_the_prior_by_importance_sampling(answers, raters, nugget):
    if answers == "own cuts" and raters != "alike":
        with pytest.raises(ValueError, match=r"cut_std is 0\.5 and bias_std 0\.8; one of them is None"):
            seen(answers, raters, nugget)
        return
    model, (table, parts), has = seen(answers, raters, nugget), ANSWERS[answers], RATERS[raters]
    if answers == "own cuts":
        parts = model.likelihood_.children  # their search begins where the raters' labels lie
    rng, size = np.random.default_rng(4), 200_000
    level = level_of(model)
    own = NUGGETS[nugget].get("nugget_std", 0.0) ** 2
    values = rng.normal(size=(size, 2)) @ np.linalg.cholesky(KERNEL(PLACES) + level**2 + own * np.eye(2)).T
    bias = has.get("bias_std", 0.0) * rng.normal(size=(size, 1, 2))
    felt = values[:, :, None] + bias + has.get("opinion_std", 0.0) * rng.normal(size=(size, 2, 2))
    heights = sum(parts[r].log_density(table[n, r], felt[:, n, r]) for n in range(2) for r in range(2))
    shares = np.exp(heights - heights.max())
    assert model.log_evidence_ == pytest.approx(np.log(shares.mean()) + heights.max(), abs=0.04)
    shares = shares / shares.sum()
    mean, covariance = model.predict_latent(model.items_, return_cov=True)
    np.testing.assert_allclose(mean, shares @ values, atol=0.03)
    np.testing.assert_allclose(covariance.diagonal(), shares @ (values - shares @ values) ** 2, atol=0.05)
    next_one = shares @ parts[1].mean(felt[:, 0, 1])
    assert model.predict_answer(model.items_[:1], rater=1)[0] == pytest.approx(next_one, abs=0.02)
