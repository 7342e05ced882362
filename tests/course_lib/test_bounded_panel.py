"""Marks by several raters: importance sampling, finite differences, simulated worlds, corners, what is refused."""

import pickle
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from course_lib.gp import (
    Beta,
    CensoredGaussian,
    LatentGP,
    Probit,
    SquaredExponential,
    TruncatedGaussian,
    White,
    differences,
    values,
)
from course_lib.judgments import BoundedGP, BoundedRaterGP
from course_lib.judgments.panels.bounded_raters import LEVEL_STD
from course_lib.judgments.panels.kernel import PanelKernel, item_rows, rater_rows
from course_lib.judgments.panels.likelihoods import PooledLikelihood, RandomRaterLikelihood
from course_studies import RatingStudy, from_wide
from tests.course_lib.gp_oracles import slopes
from tests.course_lib.panel_oracles import theta_of

SE = SquaredExponential
KERNEL = SE(0.6, 1.2) + White(0.05)
KINDS = {"beta": Beta, "truncated_gaussian": TruncatedGaussian}
every_kind = pytest.mark.parametrize("kind", KINDS)


def world(seed, n=20, R=5, gaps=0.1, later=10):
    """(X, f, bias, precision, marks (n + later, R + 1), Y (n, R)) on a scale from 0 to 10; the last rater is new."""
    rng = np.random.default_rng([seed, 21])
    X = rng.uniform(0, 3, (n + later, 2))
    f = 0.4 + np.linalg.cholesky(KERNEL(X) + 1e-8 * np.eye(len(X))) @ rng.normal(size=len(X))
    bias, precision = 0.4 * rng.normal(size=R + 1), 15.0 * np.exp(0.6 * rng.normal(size=R + 1))
    each = [Beta(precision[r]).sample(f + bias[r], rng) for r in range(R + 1)]
    marks = 10 * np.clip(np.column_stack(each), 1e-3, 1 - 1e-3)
    Y = np.where(rng.uniform(size=(n, R)) < gaps, np.nan, marks[:n, :R])
    return X, f, bias, precision, marks, Y


XS, F, BIAS, PRECISION, MARKS, Y = world(0)
X, X_NEW = XS[:20], XS[20:]
SETTINGS = {"kernel": KERNEL, "high": 10.0, "bias_std": 0.5, "precision": [12.0, 20.0, 9.0, 30.0, 15.0]}


def held(kind="beta", **changed):
    return BoundedRaterGP(**{**SETTINGS, "likelihood": kind, "optimize": False, **changed}).fit(X, Y)


# --- the model by other means ---------------------------------------------------------------------------


def sampled(kind, size=400_000):
    """(draws of (f₁, f₂, u₁, u₂), their shares, log evidence) of 2 items × 2 raters, drawn from the prior."""
    rows = np.vstack([item_rows(X[:2]), rater_rows([0, 1], 2)])
    K = PanelKernel(KERNEL, 0.5, LEVEL_STD)(rows)
    draws = np.random.default_rng(0).normal(size=(size, 4)) @ np.linalg.cholesky(K).T
    heights = np.zeros(size)
    for r, precision in enumerate((6.0, 9.0)):
        for i in range(2):
            heights += KINDS[kind](precision).log_density(SMALL[i, r] / 10, draws[:, i] - draws[:, 2 + r])
    weights = np.exp(heights - heights.max())
    return draws, weights / weights.sum(), np.log(weights.mean()) + heights.max()


SMALL = np.array([[3.0, 4.5], [7.0, 9.0]])


@every_kind
@pytest.mark.parametrize("inference", ["ep", "variational", "laplace"])
def test_two_items_and_two_raters_by_importance_sampling(kind, inference):
    draws, shares, log_evidence = sampled(kind)
    settings = {"likelihood": kind, "inference": inference, "precision": [6.0, 9.0], "optimize": False}
    model = BoundedRaterGP(KERNEL, high=10.0, bias_std=0.5, **settings).fit(X[:2], SMALL)
    close = {"ep": 0.01, "variational": 0.05, "laplace": 0.15}[inference]  # a mode is no mean: a mark of 9 is skew
    assert model.log_evidence_ == pytest.approx(log_evidence, abs=2 * close)
    mean = shares @ draws
    std = np.sqrt(shares @ (draws - mean) ** 2)
    f, covariance = model.predict_latent(model.items_, return_cov=True)
    np.testing.assert_allclose(f, mean[:2], atol=close)
    np.testing.assert_allclose(np.sqrt(covariance.diagonal()), std[:2], atol=close)
    np.testing.assert_allclose(model.rater_bias_, -mean[2:], atol=close)
    np.testing.assert_allclose(model.rater_bias_std_, std[2:], atol=close)
    better = shares @ (draws[:, 1] > draws[:, 0])
    np.testing.assert_allclose(model.probability_better(model.items_, [(0, 1)]), better, atol=close)
    on_scale = 10 * ndtr(draws[:, :2])
    np.testing.assert_allclose(model.consensus_, shares @ on_scale, atol=10 * close)
    spread = np.sqrt(shares @ (on_scale - shares @ on_scale) ** 2)
    np.testing.assert_allclose(model.consensus_std_, spread, atol=10 * close)
    next_mark = shares @ KINDS[kind](9.0).mean(draws[:, 0] - draws[:, 3])
    assert model.predict_answer(model.items_[:1], rater=1)[0] / 10 == pytest.approx(next_mark, abs=close)


@pytest.mark.parametrize("inference", ["laplace", "ep"])
def test_it_is_a_latent_gp_with_a_block_for_each_rater(inference):
    model = held(inference=inference)
    rows = np.vstack([item_rows(X), rater_rows(np.arange(5), 2)])
    blocks = []
    for r in range(5):
        items = np.flatnonzero(~np.isnan(Y[:, r]))
        pairs = np.column_stack([np.full(len(items), 20 + r), items])
        blocks.append(differences(rows, pairs, Y[items, r] / 10, Beta(SETTINGS["precision"][r])))
    latent = LatentGP(PanelKernel(KERNEL, 0.5, LEVEL_STD), inference=inference, optimize=False).fit(blocks)
    assert model.log_evidence_ == pytest.approx(latent.log_evidence_, abs=1e-6)
    np.testing.assert_allclose(model.predict_latent(X_NEW), latent.predict_latent(item_rows(X_NEW)), atol=1e-6)


def test_one_rater_without_bias_is_bounded_gp():
    marks = MARKS[:20, 0]
    ours = BoundedRaterGP(KERNEL, high=10.0, pooling=None).fit(X, marks)
    theirs = BoundedGP(KERNEL, high=10.0).fit(X, marks)
    assert ours.log_evidence_ == pytest.approx(theirs.log_evidence_, abs=1e-6)
    np.testing.assert_allclose(ours.predict(X_NEW, return_std=True), theirs.predict(X_NEW, return_std=True), rtol=1e-3)
    np.testing.assert_allclose(ours.predict_answer(X_NEW), theirs.predict_answer(X_NEW), rtol=1e-3)
    np.testing.assert_allclose(ours.answer_interval(X_NEW), theirs.answer_interval(X_NEW), rtol=1e-3)


@every_kind
@pytest.mark.parametrize("settings", [{}, {"bias_std": None}, {"pooling": None}], ids=["all", "no bias", "no pooling"])
def test_gradient_is_the_slope_of_evidence_and_priors(kind, settings):
    model = held(kind, **settings)
    theta = theta_of(model) + 0.1 * np.random.default_rng(0).normal(size=len(theta_of(model)))
    numeric = slopes(lambda t: model.evidence_at(t)[0], theta)
    np.testing.assert_allclose(model.evidence_at(theta)[1], numeric, rtol=1e-5, atol=1e-5)


def test_what_precisions_have_in_common_by_finite_differences():
    marks = PooledLikelihood([Beta(3.0), Beta(10.0), Beta(40.0)], [4, 4, 4], spread=0.7)
    numeric = slopes(lambda t: marks.with_theta(t).log_prior()[0], marks.theta)
    np.testing.assert_allclose(marks.log_prior()[1], numeric, rtol=1e-6)
    logs = np.log([3.0, 10.0, 40.0])
    z = (logs - logs.mean()) / 0.7
    assert marks.log_prior()[0] == pytest.approx(-0.5 * z @ z - 3 * np.log(0.7 * np.sqrt(2 * np.pi)))
    assert PooledLikelihood([Beta(3.0), Beta(10.0)], [4, 4]).log_prior()[0] == 0


STEPPED = ["beta", "truncated_gaussian", "gaussian"]
WHOLE = np.round(10 * np.clip(1.3 * Y / 10 - 0.2, 0, 1))  # a third of them on an end


@pytest.mark.parametrize("kind", STEPPED)
def test_in_steps_marks_on_an_end_are_marks_like_others(kind):
    model = BoundedRaterGP(KERNEL, likelihood=kind, high=10.0, bias_std=0.5, step=1.0, optimize=False).fit(X, WHOLE)
    theta = theta_of(model) + 0.1 * np.random.default_rng(0).normal(size=len(theta_of(model)))
    numeric = slopes(lambda t: model.evidence_at(t)[0], theta)
    np.testing.assert_allclose(model.evidence_at(theta)[1], numeric, rtol=1e-5, atol=1e-5)
    for raters in (2, "new"):
        each = [model.log_predictive_density(X_NEW, np.full(len(X_NEW), m), rater=raters) for m in np.arange(11.0)]
        np.testing.assert_allclose(np.exp(each).sum(axis=0), 1, rtol=1e-8)
        mean = np.exp(each).T @ np.arange(11.0)
        np.testing.assert_allclose(model.predict_answer(X_NEW, rater=raters)[0], mean, rtol=1e-7)
        low, high = model.answer_interval(X_NEW, rater=raters)
        assert (np.rint(low) == low).all() and (low <= mean).all() and (mean <= high).all() and (high <= 10).all()
        below = np.cumsum(np.exp(each), axis=0).T  # low is the least mark that 5 % lie at or below
        np.testing.assert_allclose(low, (below < 0.05).sum(axis=1), atol=1e-9)
    low, high = model.consensus_interval()
    assert (
        (low >= 0).all() and (high <= 10).all() and (low < model.consensus_).all() and (model.consensus_ < high).all()
    )
    assert model.rater_precision_.shape == (5,) and (model.precision_interval()[0] < model.rater_precision_).all()


@pytest.mark.parametrize("kind", [*STEPPED, "warped"])
@pytest.mark.parametrize("step", [0.5, 1.0])
def test_in_steps_corners(kind, step):
    """All marks on one end, and one mark alone; a step as long as the scale."""
    model = BoundedGP(SE(1.0, 1.0), likelihood=kind, step=step, optimize=False)
    inputs = np.arange(6.0)[:, None]
    assert (model.fit(inputs, np.ones(6)).predict(inputs) > 0.6).all()
    assert model.fit(inputs[:1], [1.0]).predict(inputs[:1])[0] > 0.5
    together = [model.log_predictive_density(inputs[:1], [m])[0] for m in np.arange(0, 1 + step, step)]
    assert np.exp(together).sum() == pytest.approx(1)


def test_a_gaussian_in_steps_as_long_as_the_scale_is_probit():
    inputs, y = np.arange(6.0)[:, None], np.array([0.0, 1, 1, 0, 1, 1])
    unit_noise = CensoredGaussian(4.0)  # a quarter of the scale is one of f
    model = BoundedGP(SE(1.0, 1.0), likelihood=unit_noise, step=1.0, optimize=False).fit(inputs, y)
    probit = LatentGP(SE(1.0, 1.0), optimize=False).fit(values(inputs, 2 * y - 1, Probit()))
    assert model.log_evidence_ == pytest.approx(probit.log_evidence_, abs=1e-9)
    np.testing.assert_allclose(model.predict(inputs), 0.5 + 0.5 * probit.predict(inputs))


@pytest.mark.parametrize(
    ("settings", "marks", "message"),
    [
        ({"step": 1.0}, [3.0, 4.5], r"y\[1\] is 4.5; marks must be whole steps of 1 on the scale from 0 to 10"),
        ({"step": 1.0}, [3.0, 11.0], r"y\[1\] is 11; .* from 0 to 10"),
        ({"step": 3.0}, [3.0, 6.0], r"step is 3.0; the scale from 0 to 10 must be a whole number of steps"),
        ({"step": 1.0, "inside": 0.01}, [3.0, 6.0], "inside is 0.01 and step 1.0"),
        ({"likelihood": "gaussian"}, [3.0, 6.0], 'likelihood is "gaussian" and step None'),
    ],
)
def test_in_steps_what_is_refused(settings, marks, message):
    with pytest.raises(ValueError, match=message):
        BoundedGP(high=10.0, **settings).fit([[0.0], [1.0]], marks)


def test_a_study_of_whole_marks_covers_its_answers_and_keeps_the_scale():
    frame = pd.DataFrame(np.tile(WHOLE, (2, 1)), index=[f"item {k}" for k in range(40)], columns=list("abcde"))
    table = from_wide(frame, scale=(0, 10))
    study = RatingStudy(BoundedRaterGP(likelihood="gaussian", bias_std=0.5, step=1.0), plug_in=True).fit(table)
    assert study.consensus()[["consensus", "low", "high"]].stack().between(0, 10).all()
    assert len(study.contrasts()) == 40 * 39 / 2
    share = study.coverage(table, [0.5, 0.9]).set_index("level")["share"]
    assert share[0.9] > 0.87 and share[0.5] > 0.5  # of whole marks, intervals hold at least as often as they say


# --- predictions ----------------------------------------------------------------------------------------


@every_kind
@pytest.mark.parametrize("raters", [2, "new"])
def test_next_marks_by_monte_carlo(kind, raters):
    model = held(kind)
    rows = np.vstack([item_rows(X_NEW[:3]), rater_rows([5 if raters == "new" else 2], 2)])
    rng, size = np.random.default_rng(3), 200_000
    drawn = model.latent_.sample(rows, size, rng)
    g = drawn[:, :3] - drawn[:, 3:]
    precision = model.rater_precision_[rng.integers(5, size=size) if raters == "new" else np.full(size, 2)]
    marks = np.empty(g.shape)
    for nu in np.unique(precision):
        marks[precision == nu] = 10 * KINDS[kind](nu).sample(g[precision == nu], rng)
    mean, std = model.predict_answer(X_NEW[:3], rater=raters)
    np.testing.assert_allclose([mean, std], [marks.mean(axis=0), marks.std(axis=0)], atol=0.02)
    low, high = model.answer_interval(X_NEW[:3], 0.8, rater=raters)
    np.testing.assert_allclose([low, high], np.quantile(marks, [0.1, 0.9], axis=0), atol=0.05)
    density = np.exp(model.log_predictive_density(X_NEW[:3], [5.0, 5.0, 5.0], rater=raters))
    seen = np.mean(np.abs(marks - 5.0) < 0.25, axis=0) / 0.5
    np.testing.assert_allclose(density, seen, atol=0.01)


def test_intervals_of_marks_never_leave_the_scale():
    model = held(precision=0.8)
    for raters in (0, 4, "new"):
        low, high = model.answer_interval(XS, 0.99, rater=raters)
        assert (low >= 0).all() and (high <= 10).all() and (low < high).all()
    for low, high in (model.consensus_interval(0.99), model.predict(XS) + np.zeros((2, 1))):
        assert (low >= 0).all() and (high <= 10).all()


def test_the_consensus_before_and_on_the_scale():
    model = held()
    (f, std), cov = model.predict_latent(model.items_), model.predict_latent(model.items_, return_cov=True)[1]
    ends = np.array([f - 1.2815516 * std, f + 1.2815516 * std])
    np.testing.assert_allclose(model.consensus_interval(0.8), 10 * ndtr(ends), atol=1e-6)
    apart = np.eye(len(f)) - 1 / len(f)
    half = 1.2815516 * np.sqrt((apart @ cov @ apart).diagonal())
    centred = model.consensus_interval(0.8, centred=True)
    np.testing.assert_allclose(centred, [apart @ f - half, apart @ f + half], atol=1e-6)
    np.testing.assert_allclose(model.predict(model.items_, return_std=True), (model.consensus_, model.consensus_std_))
    np.testing.assert_allclose(model.expected_mark(f, std), model.consensus_)
    np.testing.assert_allclose(model.expected_mark(f), 10 * ndtr(f))


def test_the_scale_of_the_marks_does_not_matter():
    unit = BoundedRaterGP(**{**SETTINGS, "high": 1.0, "optimize": False}).fit(X, Y / 10)
    other = BoundedRaterGP(**{**SETTINGS, "low": -3.0, "high": 17.0, "optimize": False}).fit(X, 2 * Y - 3)
    assert unit.log_evidence_ == pytest.approx(other.log_evidence_)
    np.testing.assert_allclose(other.consensus_, 20 * unit.consensus_ - 3)
    np.testing.assert_allclose(
        other.answer_interval(X_NEW, 0.9, rater=1), 20 * np.array(unit.answer_interval(X_NEW, 0.9, rater=1)) - 3
    )
    density = unit.log_predictive_density(X_NEW[:1], [0.4], rater=1) - np.log(20)
    np.testing.assert_allclose(other.log_predictive_density(X_NEW[:1], [5.0], rater=1), density)


def test_one_of_one_is_itself():
    one = RandomRaterLikelihood([Beta(7.0)])
    mean, variance = np.array([-0.5, 0.3]), np.array([0.2, 0.4])
    np.testing.assert_allclose(one.predict(mean, variance), Beta(7.0).predict(mean, variance))
    np.testing.assert_allclose(one.quantile(0.1, mean, variance), Beta(7.0).quantile(0.1, mean, variance))


# --- simulated worlds -----------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("seeds", [range(6), range(6, 30)], ids=str)
def test_worlds_of_its_own_are_recovered(seeds):
    hits, errors, biases, precisions = {}, [], [], []
    for seed in seeds:
        Xs, f, bias, precision, marks, Ys = world(seed)
        n = len(Ys)
        model = quietly(BoundedRaterGP(SE(1.0, 1.0) + White(0.1), high=10.0, bias_std=0.5), Xs[:n], Ys)
        fair = BoundedGP(SE(1.0, 1.0) + White(0.1), high=10.0).fit(Xs[:n], Ys)
        truth, pairs = f[:n], np.column_stack([np.arange(n - 1), np.arange(1, n)])
        said = (model.predict_latent(Xs[:n])[0], fair.predict_latent(Xs[:n])[0])
        errors.append([np.std(values - truth) for values in said])
        biases.append(np.corrcoef(model.rater_bias_, bias[:-1])[0, 1])
        precisions.append(np.log(model.rater_precision_ / precision[:-1]))
        found = {
            "centred f": (model.consensus_interval(0.9, centred=True), truth - truth.mean()),
            "contrast": (model.difference_interval(Xs[:n], pairs, 0.9), np.diff(truth)),
            "precision": (model.precision_interval(0.9), precision[:-1]),
            "mark": (model.answer_interval(Xs[n:], 0.9, rater=0), marks[n:, 0]),
            "mark of a new rater": (model.answer_interval(Xs[n:], 0.9, rater="new"), marks[n:, -1]),
        }
        for name, ((low, high), true) in found.items():
            hits.setdefault(name, []).append(np.mean((low < true) & (true < high)))
    nearer = np.subtract(*np.transpose(errors)[::-1])  # than one precision for all, without biases
    assert nearer.mean() > 2 * nearer.std(ddof=1) / np.sqrt(len(nearer))
    assert np.mean(biases) > 0.9
    assert np.sqrt(np.mean(np.square(precisions))) < 0.55
    for name, shares in hits.items():
        error = np.std(shares) / np.sqrt(len(shares))
        assert 0.85 - 3 * error < np.mean(shares) < 0.93 + 3 * error, (name, np.mean(shares), error)


def quietly(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*data)


# --- corners --------------------------------------------------------------------------------------------


def test_a_rater_with_one_mark_is_like_the_others():
    table = Y.copy()
    table[1:, 3], table[0, 3] = np.nan, 5.0
    model = BoundedRaterGP(KERNEL, high=10.0, bias_std=0.5, pooling=0.5).fit(X, table)
    others = np.exp(np.log(np.delete(model.rater_precision_, 3)).mean())
    assert model.rater_precision_[3] == pytest.approx(others, rel=0.35)
    low, high = model.precision_interval()
    assert np.log(high / low).argmax() == 3
    assert np.isfinite(model.answer_interval(X_NEW, 0.9, rater=3)).all()


def test_a_constant_rater_and_one_rater():
    table = Y.copy()
    table[:, 2] = 5.0
    model = quietly(BoundedRaterGP(KERNEL, high=10.0, bias_std=0.5), X, table)
    assert np.isfinite(model.consensus_).all() and np.isfinite(model.rater_precision_).all()
    alone = BoundedRaterGP(KERNEL, high=10.0, bias_std=0.5).fit(X, MARKS[:20, :1])
    assert alone.rater_precision_.shape == (1,) and np.isfinite(alone.consensus_).all()
    assert alone.rater_bias_std_[0] > 0.9 * alone.bias_std_ * 0.8  # nobody else says what is bias, and what is level


def test_marks_on_an_end_go_inside_when_asked():
    table = Y.copy()
    table[0, 0], table[1, 1] = 0.0, 10.0
    model = held_on(table, inside=1e-3)
    assert np.isfinite(model.consensus_).all()
    with pytest.raises(ValueError, match=re.escape("Y[0, 0] is 0; marks must lie strictly inside the scale")):
        held_on(table)


def held_on(table, **changed):
    return BoundedRaterGP(**{**SETTINGS, "optimize": False, **changed}).fit(X, table)


def test_averages_clones_and_files():
    model = BoundedRaterGP(**SETTINGS).fit(X, Y)
    averaged = model.averaged(20, rng=0)
    assert averaged.predict_latent(X)[1].mean() > model.predict_latent(X)[1].mean()
    low, high = averaged.consensus_interval()
    assert (low < averaged.consensus_).all() and (averaged.consensus_ < high).all()
    low, high = averaged.answer_interval(X_NEW, 0.9, rater="new")
    assert (low < high).all()
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(
        again.answer_interval(X_NEW, 0.9, rater=1), model.answer_interval(X_NEW, 0.9, rater=1)
    )
    assert clone(model).pooling == model.pooling
    assert model.score(X, Y) > 0.4


def test_a_study_of_marks_by_raters():
    import pandas as pd

    frame = pd.DataFrame(Y, columns=list("abcde"))
    features = pd.DataFrame(X, columns=["x", "z"])
    study = RatingStudy(BoundedRaterGP(KERNEL, bias_std=0.5)).fit(from_wide(frame, features=features, scale=(0, 10)))
    model = study.model_
    assert (model.low, model.high) == (0.0, 10.0)
    found = study.consensus()
    np.testing.assert_allclose(found["consensus"], model.consensus_)
    np.testing.assert_allclose(found[["low", "high"]].T, model.consensus_interval())
    trust = study.trust()
    assert list(trust.columns) == ["precision", "low", "high", "bias", "answers"]
    assert trust["precision"].is_monotonic_decreasing and trust["answers"].sum() == (~np.isnan(Y)).sum()
    apart = study.table_.Y.sub(study.consensus()["consensus"], axis=0).mean()  # in marks
    np.testing.assert_allclose(trust["bias"].loc[list("abcde")], apart, atol=0.3)
    new = study.predict(pd.DataFrame(X_NEW, columns=["x", "z"]))
    np.testing.assert_allclose(new[["answer_low", "answer_high"]].T, model.answer_interval(X_NEW, 0.9, rater="new"))
    share = study.coverage(study.table_, levels=[0.9])["share"].item()
    low, high = zip(*(model.answer_interval(model.items_, 0.9, rater=r) for r in range(5)), strict=True)
    inside = (np.transpose(low) <= Y) & (np.transpose(high) >= Y)
    assert share == pytest.approx(inside.sum() / (~np.isnan(Y)).sum())


# --- what is refused ------------------------------------------------------------------------------------

BAD_CALLS = {
    "nobody": ("row 3 of Y holds no answer", lambda: held_on(np.where(np.arange(20)[:, None] == 3, np.nan, Y))),
    "one of them": ("precision is -1.0", lambda: held(precision=[1.0, 2.0, 3.0, 4.0, -1.0])),
    "inference": ('inference "exact" needs Gaussian noise', lambda: held(inference="exact")),
    "rater": ('rater is 5; the raters are 0 … 4, and "new"', lambda: held().predict_answer(X, rater=5)),
}


@pytest.mark.parametrize(("message", "call"), BAD_CALLS.values(), ids=BAD_CALLS)
def test_errors_name_the_argument(message, call):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


@pytest.mark.parametrize(("marks", "warns"), [(5, True), (40, False)])
def test_scores_that_are_labels_are_said(marks, warns):
    """Of 5-point scores intervals hold less: a density takes each for an exact number."""
    rounded = 0.5 + np.round((marks - 1) * Y / 10) * 9 / (marks - 1)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        BoundedRaterGP(KERNEL, high=10.0, bias_std=0.5, optimize=False).fit(X, rounded)
    assert any("only 5 different ones" in str(one.message) for one in said) == warns
