"""Raters who answer again: their repeats share an opinion of the item, and count as what they are."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal

from course_lib.gp import Fixed, GPRegression, SquaredExponential, White
from course_lib.judgments import MultiSampleGP, RaterGP
from course_lib.judgments.panels.kernel import PanelKernel, item_rows, rater_rows
from course_studies import RatingStudy, from_long
from tests.course_lib.gp_oracles import slopes

KERNEL = SquaredExponential(1.0, 1.2)
N, R, K = 8, 4, 3
BIAS, OPINION, NOISE = 0.7, 0.6, np.array([0.3, 0.5, 0.4, 0.2])


def made(seed, n=N, raters=R, repeats=K, noise=0.4):
    """X, values, biases, opinions, answers (n, raters, repeats) of which the later ones are often missing."""
    rng = np.random.default_rng([seed, 10])
    X = rng.uniform(0, 3, (n, 2))
    z = np.linalg.cholesky(KERNEL(X) + 0.09 * np.eye(n)) @ rng.normal(size=n)
    bias, opinion = BIAS * rng.normal(size=raters), OPINION * rng.normal(size=(n, raters))
    Y = (z[:, None] + bias + opinion)[..., None] + noise * rng.normal(size=(n, raters, repeats))
    Y[rng.uniform(size=Y.shape) < [0.1] + [0.4] * (repeats - 1)] = np.nan
    return X, z, bias, opinion, Y


X, Z, B, D, Y = made(0)
HELD = {"bias_std": BIAS, "opinion_std": OPINION, "nugget_std": 0.3, "noise_std": NOISE, "noise_floor": 0.0}


def held(Y=Y, **changed):
    return RaterGP(KERNEL, optimize=False, **(HELD | changed)).fit(X, Y)


def dense(model, item, rater, y, noise=None):
    """Mean and covariance of (values, biases, opinions (n·R)) given y, and log p(y), by dense algebra."""
    level = model._fitted().kernel_.level_std
    prior = np.zeros((N + R + N * R,) * 2)
    prior[:N, :N] = KERNEL(X) + 0.09 * np.eye(N) + level**2
    prior[N:, N:] = np.diag([BIAS**2] * R + [OPINION**2] * (N * R))
    views = np.zeros((len(y), len(prior)))
    for row, n, r in zip(views, item, rater, strict=True):
        row[[n, N + r, N + R + n * R + r]] = 1.0
    covariance = views @ prior @ views.T + np.diag((NOISE if noise is None else noise)[rater] ** 2)
    gain = prior @ views.T @ np.linalg.inv(covariance)
    return gain @ y, prior - gain @ views @ prior, multivariate_normal.logpdf(y, cov=covariance)


def test_against_dense_algebra():
    model = held()
    given = np.nonzero(~np.isnan(Y))
    mean, covariance, log_evidence = dense(model, given[0], given[1], Y[given] - model.offset_)
    assert model.log_evidence_ == pytest.approx(log_evidence, abs=1e-8)
    np.testing.assert_allclose(model.consensus_, mean[:N] + model.offset_, atol=1e-8)
    np.testing.assert_allclose(model.consensus_cov_, covariance[:N, :N], atol=1e-7)
    np.testing.assert_allclose(model.rater_bias_, mean[N : N + R], atol=1e-8)
    np.testing.assert_allclose(model.rater_bias_std_, np.sqrt(covariance.diagonal()[N : N + R]), atol=1e-7)
    for raters in ([2], [0, 3]):
        view = np.zeros((N, len(mean)))
        view[:, :N] = np.eye(N)
        for r in raters:
            view[:, N + r] = view[np.arange(N), N + R + np.arange(N) * R + r] = 1 / len(raters)
        found, std = model.predict_answer(model.items_, rater=raters)
        np.testing.assert_allclose(found, view @ mean + model.offset_, atol=1e-8)
        noise = np.sum(NOISE[raters] ** 2) / len(raters) ** 2
        np.testing.assert_allclose(std**2, (view @ covariance * view).sum(axis=1) + noise, atol=1e-7)


def test_with_gains_opinions_go_on_like_values():
    """At gains of 1 all is as without; elsewhere an answer is a gain times value, bias and opinion."""
    plain, model = held(), held(gain_std=0.3)
    for ask in (lambda m: m.consensus_, lambda m: m.predict_answer(X, rater=2), lambda m: m.rater_bias_std_):
        np.testing.assert_allclose(ask(model), ask(plain), atol=1e-9)
    latent = model.latent_
    theta = np.concatenate([latent.kernel_.theta, latent.likelihood_.theta])
    gain = np.array([1.3, 0.8, 1.1, 0.9, 1.2])[:R]
    theta[-R:] = np.log(gain)
    given = np.nonzero(~np.isnan(Y))
    y, noise = (Y[given] - model.offset_) / gain[given[1]], NOISE / gain
    expected = dense(model, given[0], given[1], y, noise)[2] - np.log(gain[given[1]]).sum()
    priors = latent.likelihood_.with_theta(latent.likelihood_.theta * 0 + theta[-len(latent.likelihood_.theta) :])
    assert model.evidence_at(theta)[0] == pytest.approx(expected + priors.log_prior()[0], abs=1e-7)


def test_opinions_of_an_item_are_its_own_and_a_raters_own():
    model, plain = held(), held()
    known = model.predict_answer(model.items_, rater=1)[1]
    as_new = model.predict_answer(X, rater=1)[1]
    assert (as_new > known + 0.1).all()
    far = X + 100.0
    mean, std = model.predict_answer(far, rater=1)
    value, spread = plain.predict_latent(far)
    bias, bias_std = model.rater_bias_[1], model.rater_bias_std_[1]
    assert (std**2 >= OPINION**2 + NOISE[1] ** 2 + 0.09).all() and (std**2 < spread**2 + bias_std**2 + 0.6).all()
    np.testing.assert_allclose(mean - value, bias, atol=1e-6)
    somebody = model.predict_answer(model.items_, rater="new")[1]
    least = model.consensus_std_**2 + OPINION**2 + np.mean(NOISE**2)
    assert (somebody**2 > least).all() and (somebody**2 < least + 3 * BIAS**2).all()


def test_without_an_opinion_a_repeat_is_one_more_rater():
    again = held(opinion_std=None)
    alone = RaterGP(KERNEL, optimize=False, bias_std=BIAS, nugget_std=0.3, noise_std=0.4, noise_floor=0.0)
    one = np.where(np.isnan(Y[:, :, :1]), 0.0, Y[:, :, :1])
    np.testing.assert_array_equal(alone.fit(X, one).consensus_, alone.fit(X, one[:, :, 0]).consensus_)
    assert again.consensus_std_.mean() < held().consensus_std_.mean()
    spread = MultiSampleGP(KERNEL, optimize=False, noise_std=0.4)
    wide, deep = spread.fit(X, one.repeat(3, axis=2)).consensus_, spread.fit(X, one[:, :, 0].repeat(3, axis=1))
    np.testing.assert_allclose(wide, deep.consensus_)
    assert spread.fit(X, Y).score(X, Y) > 0


def test_the_kernel_written_out_and_its_gradients():
    kernel = PanelKernel(KERNEL + White(0.2), 0.7, 2.0, 0.5)
    rows = np.vstack([item_rows(X[:3]), rater_rows([0, 0, 1, 0], 2, at=[0, 2, 2, -1]), rater_rows([1], 2)])
    same = np.array([[1, 1, 0, 1, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1]])
    expected = np.zeros((8, 8))
    expected[:3, :3] = KERNEL(X[:3]) + 0.2 * np.eye(3) + 4.0
    expected[3:, 3:] = 0.49 * same + 0.25 * np.diag([1, 1, 1, 0, 0])
    np.testing.assert_allclose(kernel(rows), expected)
    np.testing.assert_allclose(kernel.diagonal(rows), expected.diagonal())
    weights = np.random.default_rng(0).normal(size=(8, 8))
    numeric = slopes(lambda t: np.sum(weights * kernel.with_theta(t)(rows)), kernel.theta)
    np.testing.assert_allclose(kernel.gradient(rows, weights), numeric, rtol=1e-6, atol=1e-7)
    fixed = kernel.with_priors(bias_std=Fixed())
    np.testing.assert_allclose(fixed.gradient(rows, weights), numeric[1:], rtol=1e-6, atol=1e-7)
    own = slopes(lambda t: weights[0] @ kernel.with_theta(t).diagonal(rows), kernel.theta)
    np.testing.assert_allclose(kernel.diagonal_gradient(rows, weights[0]), own, rtol=1e-6, atol=1e-7)


@pytest.mark.long
def test_opinions_and_forgetting_are_told_apart():
    """Twelve worlds of 30 items × 6 raters, twice: the spread of opinions and that of repeats are found."""
    found = []
    for seed in range(12):
        X, _, _, _, Y = made(seed, 30, 6, 2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = RaterGP(KERNEL, bias_std=1.0, nugget_std=0.3, opinion_std=0.3, pooling=0.5).fit(X, Y)
        found.append((model.opinion_std_, np.sqrt(np.mean(model.rater_std_**2))))
    np.testing.assert_allclose(np.mean(found, axis=0), [OPINION, 0.4], rtol=0.1)


def test_averaged_and_learned_intervals():
    model = RaterGP(KERNEL, bias_std=1.0, nugget_std=0.3, opinion_std=0.3, pooling=0.5, n_restarts=0).fit(X, Y)
    averaged = model.averaged(20, rng=0)
    assert averaged.consensus_std_.mean() > model.consensus_std_.mean()
    low, high = averaged.answer_interval(X, rater=1)
    assert (low < high).all() and model.trust_table()[0].answers == (~np.isnan(Y[:, 0])).sum()


# --- tables ---------------------------------------------------------------------------------------------


def long_table():
    rows = [(f"clip {n}", f"rater {r}", Y[n, r, k], *X[n]) for n, r, k in np.argwhere(~np.isnan(Y))]
    return pd.DataFrame(rows, columns=["clip", "who", "mark", "low", "high"])


def read(repeats, frame=None):
    frame = long_table() if frame is None else frame
    return from_long(frame, item="clip", rater="who", rating="mark", features=["low", "high"], repeats=repeats)


def test_a_table_keeps_all_repeats_and_a_study_learns_from_them():
    table = read("all")
    later = int((np.cumsum(~np.isnan(Y), axis=2) * ~np.isnan(Y) > 1).sum())
    assert f"{later} of them repeats" in repr(table) and len(table) == (~np.isnan(Y)).sum()
    np.testing.assert_allclose(np.nanmean(table.answers, axis=2), read("mean").Y.to_numpy())
    np.testing.assert_allclose(table.Y, read("mean").Y)
    assert f"{N * R - len(read('mean'))} missing" in repr(table)
    study = RatingStudy(RaterGP(KERNEL, optimize=False, **HELD)).fit(table)
    order = [int(name.split()[1]) for name in study.items_]
    np.testing.assert_allclose(study.consensus()["consensus"], held().consensus_[order])
    assert study.consensus()["answers"].sum() == len(table) == study.trust()["answers"].sum()
    assert len(study.forecasts(table)) == len(table) and study.deviations().shape == (R, N)


def test_a_repeat_in_a_test_table_is_known_better_than_a_first_answer():
    table = read("all")
    study = RatingStudy(RaterGP(KERNEL, optimize=False, **HELD)).fit(table)
    alike = RatingStudy(RaterGP(KERNEL, optimize=False, **(HELD | {"opinion_std": None}))).fit(table)
    seen, unseen = (s.forecasts(table)["std"].mean() for s in (study, alike))
    assert seen > NOISE.mean() and unseen > NOISE.mean()
    assert np.mean((study.forecasts(table)["mean"] - table.rating) ** 2) < np.mean(
        (alike.forecasts(table)["mean"] - table.rating) ** 2
    )


BAD_CALLS = {
    "no bias": (
        "opinion_std is 0.5 and bias_std None; opinions need bias_std",
        lambda: held(bias_std=None, opinion_std=0.5),
    ),
    "opinion": ("opinion_std is -1; a finite number above 0", lambda: held(opinion_std=-1)),
    "kernel": ("opinion_std is 0; a finite number above 0", lambda: PanelKernel(KERNEL, 1.0, 1.0, 0)),
    "silent rater": ("column 1 of Y holds no answer", lambda: held(np.where(np.arange(R)[:, None] == 1, np.nan, Y))),
    "a model of one each": (
        "table holds 3 ratings of an item by one rater, and GPRegression takes one: from_long(…, repeats='mean')",
        lambda: RatingStudy(GPRegression()).fit(read("all")),
    ),
}


@pytest.mark.parametrize(("message", "call"), BAD_CALLS.values(), ids=BAD_CALLS)
def test_errors_name_the_argument(message, call):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
