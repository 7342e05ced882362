"""Labels by raters with thresholds of their own: importance sampling, finite differences, worlds, corners."""

import pickle
import re
import tracemalloc
import warnings

import numpy as np
import pytest
from scipy.special import ndtr
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from course_lib.gp import LatentGP, Ordinal, SquaredExponential, White, values
from course_lib.gp.averaging import with_hyperparameters
from course_lib.gp.evidence import Evidence
from course_lib.judgments import OrdinalRaterGP
from course_lib.judgments.panels.likelihoods import PooledLikelihood, RandomRaterLikelihood
from course_studies.scaled_answers import _mean_label
from tests.course_lib.gp_oracles import slopes
from tests.course_lib.panel_oracles import theta_of

SE = SquaredExponential
KERNEL = SE(2.0, 1.2) + White(0.1)


def world(seed, n=25, R=6, levels=5, later=10):
    """(X, f, cuts (R + 1, L − 1), labels (n + later, R + 1), Y (n, R) with gaps); the last rater is new."""
    rng = np.random.default_rng([seed, 31])
    X = rng.uniform(0, 3, (n + later, 2))
    f = np.linalg.cholesky(KERNEL(X) + 1e-8 * np.eye(len(X))) @ rng.normal(size=len(X))
    first, gaps = -1.5 + 0.6 * rng.normal(size=R + 1), np.exp(0.5 * rng.normal(size=(R + 1, levels - 2)))
    cuts = first[:, None] + np.column_stack([np.zeros(R + 1), np.cumsum(gaps, axis=1)])
    felt = f[:, None] + rng.normal(size=(n + later, R + 1))
    labels = (felt[:, :, None] > cuts).sum(axis=-1).astype(float)
    return X, f, cuts, labels, np.where(rng.uniform(size=(n, R)) < 0.1, np.nan, labels[:n, :R])


XS, F, CUTS, LABELS, Y = world(3)
X, X_NEW = XS[:25], XS[25:]


def held(**changed):
    return OrdinalRaterGP(**{"kernel": KERNEL, "optimize": False, **changed}).fit(X, Y)


def label_probabilities(model, X_new, **whose):
    """(q, L) probability of each label as the next one."""
    labels = (np.full(len(X_new), label) for label in range(model.levels))
    return np.exp([model.log_predictive_density(X_new, label, **whose) for label in labels]).T


def at(model, theta):
    """The model with other parameters, not learned."""
    evidence = Evidence(model.latent_, model.latent_.observations_)
    hyper = model.latent_._hyperparameters().with_theta(theta)
    model.latent_, _ = with_hyperparameters(model.latent_, hyper, evidence)
    return model


# --- the model by other means ---------------------------------------------------------------------------


@pytest.mark.parametrize(("inference", "close"), [("ep", 0.01), ("variational", 0.06), ("laplace", 0.2)])
def test_two_items_and_two_raters_by_importance_sampling(inference, close):
    table = np.array([[0.0, 2.0], [2.0, 2.0]])
    model = OrdinalRaterGP(KERNEL, levels=3, inference=inference, optimize=False).fit(X[:2], table)
    theta = np.concatenate([model.kernel_.theta, [-0.9, 0.3, -0.1, -0.4]])
    model = at(model, theta)
    cuts = np.array([[-0.9, -0.9 + np.exp(0.3)], [-0.1, -0.1 + np.exp(-0.4)]])
    np.testing.assert_allclose(model.cuts_, cuts)
    f = np.random.default_rng(0).normal(size=(400_000, 2)) @ np.linalg.cholesky(KERNEL(X[:2])).T
    weights = ndtr(cuts[0, 0] - f[:, 0]) * ndtr(f[:, 0] - cuts[1, 1]) * ndtr(f[:, 1] - cuts[0, 1])
    weights = weights * ndtr(f[:, 1] - cuts[1, 1])
    assert model.latent_.approximation_.log_evidence == pytest.approx(np.log(weights.mean()), abs=2 * close)
    shares = weights / weights.sum()
    mean = shares @ f
    np.testing.assert_allclose(model.consensus_, mean, atol=close)
    np.testing.assert_allclose(model.consensus_std_, np.sqrt(shares @ (f - mean) ** 2), atol=close)
    better = shares @ (f[:, 1] > f[:, 0])
    np.testing.assert_allclose(model.probability_better(model.items_, [(0, 1)]), better, atol=close)
    above = np.stack([ndtr(f - cut) for cut in cuts[1]])
    expected = [1 - shares @ above[0], shares @ (above[0] - above[1]), shares @ above[1]]
    np.testing.assert_allclose(label_probabilities(model, model.items_, rater=1).T, expected, atol=close)


def test_one_rater_is_a_latent_gp_with_ordinal():
    labels = LABELS[:25, 0]
    ours = OrdinalRaterGP(KERNEL, optimize=False).fit(X, labels)
    theirs = LatentGP(KERNEL, optimize=False).fit(values(X, labels, Ordinal(5)))
    assert ours.log_evidence_ == pytest.approx(theirs.log_evidence_, abs=1e-9)
    np.testing.assert_allclose(ours.predict_answer(X_NEW, rater=0), theirs.predict_answer(X_NEW), rtol=1e-9)
    np.testing.assert_allclose(ours.predict_answer(X_NEW), theirs.predict_answer(X_NEW), rtol=1e-9)
    np.testing.assert_array_equal(ours.answer_interval(X_NEW), theirs.answer_interval(X_NEW))


def test_shared_cut_points_are_those_of_one_rater_who_gave_all_answers():
    shared, table = OrdinalRaterGP(KERNEL, levels=5, cut_std=None, optimize=False).fit(X, Y), Y.T
    rater, item = np.nonzero(~np.isnan(table))
    one = LatentGP(KERNEL, inference="laplace", optimize=False).fit([values(X[item], table[rater, item], Ordinal(5))])
    np.testing.assert_allclose(shared.predict_latent(X)[0], one.predict_latent(X)[0], atol=1e-7)
    np.testing.assert_array_equal(shared.cuts_, np.tile(Ordinal(5).cuts, (Y.shape[1], 1)))
    asked = [label_probabilities(shared, X[:3], rater=whose) for whose in (0, Y.shape[1] - 1, "new")]
    np.testing.assert_allclose(asked, np.broadcast_to(asked[0], (3, 3, 5)), rtol=1e-12)
    with pytest.raises(ValueError, match="the raters are 0"):
        label_probabilities(shared, X[:3], rater=Y.shape[1])


@pytest.mark.parametrize("inference", ["laplace", "ep"])
def test_gradient_is_the_slope_of_evidence_and_priors(inference):
    model = held(inference=inference)
    theta = theta_of(model) + 0.1 * np.random.default_rng(0).normal(size=len(theta_of(model)))
    numeric = slopes(lambda t: model.evidence_at(t)[0], theta)
    np.testing.assert_allclose(model.evidence_at(theta)[1], numeric, rtol=1e-4, atol=1e-4)


def test_the_prior_of_what_raters_have_in_common():
    parts = [Ordinal(4, first_cut=c, gaps=g) for c, g in ((-1.0, [0.5, 2.0]), (0.3, [1.0, 1.5]), (-0.2, [0.8, 0.4]))]
    alike = PooledLikelihood(parts, [3, 3, 3], 0.4)
    table = np.array([[-1.0, *np.log([0.5, 2.0])], [0.3, *np.log([1.0, 1.5])], [-0.2, *np.log([0.8, 0.4])]])
    z = (table - table.mean(axis=0)) / 0.4
    assert alike.log_prior()[0] == pytest.approx(np.sum(-0.5 * z**2 - np.log(0.4 * np.sqrt(2 * np.pi))))
    numeric = slopes(lambda t: alike.with_theta(t).log_prior()[0], alike.theta)
    np.testing.assert_allclose(alike.log_prior()[1], numeric, rtol=1e-6, atol=1e-8)
    np.testing.assert_array_equal(PooledLikelihood(parts, [3, 3, 3]).log_prior()[1], 0)
    level = PooledLikelihood(parts, [3, 3, 3], level_std=1.5).with_theta(table.ravel() + np.arange(9.0))
    z = (np.arange(9.0).reshape(3, 3).mean(axis=0)) / 1.5
    assert level.log_prior()[0] == pytest.approx(np.sum(-0.5 * z**2 - np.log(1.5 * np.sqrt(2 * np.pi))))
    numeric = slopes(lambda t: level.with_theta(t).log_prior()[0], level.theta)
    np.testing.assert_allclose(level.log_prior()[1], numeric, rtol=1e-6, atol=1e-8)


# --- predictions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("raters", [2, "new"])
def test_next_labels_by_monte_carlo(raters):
    model = OrdinalRaterGP(KERNEL).fit(X, Y)
    rng, size = np.random.default_rng(3), 200_000
    f = model.latent_.sample(X_NEW[:3], size, rng)
    who = rng.integers(6, size=size) if raters == "new" else np.full(size, 2)
    labels = ((f + rng.normal(size=f.shape))[:, :, None] > model.cuts_[who][:, None]).sum(axis=-1)
    shares = label_probabilities(model, X_NEW[:3], rater=raters)
    seen = [(labels == y).mean(axis=0) for y in range(5)]
    np.testing.assert_allclose(shares.T, seen, atol=0.005)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    mean, std = model.predict_answer(X_NEW[:3], rater=raters)
    np.testing.assert_allclose([mean, std], [labels.mean(axis=0), labels.std(axis=0)], atol=0.01)
    low, high = model.answer_interval(X_NEW[:3], 0.8, rater=raters)
    np.testing.assert_array_equal([low, high], np.quantile(labels, [0.1, 0.9], axis=0, method="inverted_cdf"))
    density = model.log_predictive_density(X_NEW[:3], [1.0, 2.0, 3.0], rater=raters)
    np.testing.assert_allclose(np.exp(density), shares[range(3), [1, 2, 3]])


def test_the_expected_label_of_somebody_and_how_surely():
    model = OrdinalRaterGP(KERNEL).fit(X, Y)
    f = model.latent_.sample(X_NEW[:3], 100_000, 0)
    expected = RandomRaterLikelihood(model.likelihood_.children).mean(f)
    found = model.predict(X_NEW[:3], return_std=True)
    np.testing.assert_allclose(found, [expected.mean(axis=0), expected.std(axis=0)], atol=0.01)


# --- simulated worlds -----------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("seeds", [range(5), range(5, 25)], ids=str)
def test_worlds_of_its_own_are_recovered(seeds):
    """RMSE of the values after the best line through them, as labels have no unit of their own; and what holds."""
    hits, errors, scores = {}, [], []
    for seed in seeds:
        Xs, f, _, labels, Ys = world(seed)
        n, start = len(Ys), SE(1.0, 1.0) + White(0.1)
        model = quietly(OrdinalRaterGP(start), Xs[:n], Ys)
        shared = LatentGP(start).fit(values(Xs[:n], Ys, Ordinal(5)))
        said = model.consensus_, shared.predict_latent(Xs[:n])[0], np.nanmean(Ys, axis=1)
        errors.append([np.std(f[:n]) * np.sqrt(1 - np.corrcoef(one, f[:n])[0, 1] ** 2) for one in said])
        own = model.log_predictive_density(Xs[n:], labels[n:, 0], rater=0).mean()
        scores.append(own - shared.log_predictive_density(Xs[n:], labels[n:, 0]).mean())
        pairs = np.column_stack([np.arange(n - 1), np.arange(1, n)])
        found = {
            "centred f": (model.consensus_interval(0.9), f[:n] - f[:n].mean()),
            "contrast": (model.difference_interval(Xs[:n], pairs, 0.9), np.diff(f[:n])),
            "label": (model.answer_interval(Xs[n:], 0.9, rater=0), labels[n:, 0]),
            "label of a new rater": (model.answer_interval(Xs[n:], 0.9), labels[n:, -1]),
        }
        for name, ((low, high), truth) in found.items():
            hits.setdefault(name, []).append(np.mean((low <= truth) & (truth <= high)))
    own, shared, mean = np.mean(errors, axis=0)
    assert own < 0.98 * shared and own < 0.85 * mean  # 0.40, and 0.42, 0.55
    assert np.mean(scores) > 0.05  # nats for each label
    for name, shares in hits.items():
        error = np.std(shares) / np.sqrt(len(shares))
        high = 1.0 if name.startswith("label") else 0.94 + 3 * error  # whole numbers: intervals may hold more
        assert 0.85 - 3 * error < np.mean(shares) <= high, (name, np.mean(shares), error)


def quietly(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*data)


# --- corners --------------------------------------------------------------------------------------------


def test_a_rater_with_one_label_is_like_the_others():
    table = Y.copy()
    table[1:, 3], table[0, 3] = np.nan, 2.0
    model = OrdinalRaterGP(KERNEL, cut_std=0.3).fit(X, table)
    others = np.delete(model.cuts_, 3, axis=0).mean(axis=0)
    np.testing.assert_allclose(model.cuts_[3], others, atol=0.6)
    assert np.isfinite(label_probabilities(model, X_NEW, rater=3)).all()


def test_a_constant_rater_is_taken_for_one_who_lets_a_label_hold_much():
    table = Y.copy()
    table[:, 2] = 2.0
    model = quietly(OrdinalRaterGP(KERNEL), X, table)
    widths = model.cuts_[:, 2] - model.cuts_[:, 1]
    assert widths.argmax() == 2
    assert np.isfinite(model.consensus_).all()


@pytest.mark.parametrize("stretch", [0.5, 2.0])
def test_labels_that_hold_little_or_much_for_all_raters_are_learned(stretch):
    """The thresholds that all raters share have a wide prior: they may be far from where the search begins."""
    items = np.random.default_rng(7).uniform(0, 3, (60, 2))
    f = np.linalg.cholesky(KERNEL(items) + 1e-8 * np.eye(60)) @ np.random.default_rng(8).normal(size=60)
    felt = f[:, None] + np.random.default_rng(9).normal(size=(60, 6))
    table = (felt[:, :, None] > stretch * np.array([-1.5, -0.5, 0.5, 1.5])).sum(axis=-1).astype(float)
    model = quietly(OrdinalRaterGP(KERNEL), items, table)
    assert np.diff(model.cuts_, axis=1).mean() == pytest.approx(stretch, rel=0.25)


def test_two_levels_are_choices_of_each_rater():
    table = np.where(np.isnan(Y), np.nan, (Y > 2) * 1.0)
    model = OrdinalRaterGP(KERNEL, levels=2).fit(X, table)
    assert model.cuts_.shape == (6, 1) and label_probabilities(model, X_NEW).shape == (10, 2)


def test_averages_clones_and_files():
    model = OrdinalRaterGP(KERNEL).fit(X, Y)
    averaged = model.averaged(20, rng=0)
    assert averaged.consensus_std_.mean() > model.consensus_std_.mean()
    assert averaged.consensus_interval()[0].shape == (25,)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(
        label_probabilities(again, X_NEW, rater=1), label_probabilities(model, X_NEW, rater=1)
    )
    assert clone(model).levels == 5 and model.score(model.items_, Y) > 0.3


# --- what is refused ------------------------------------------------------------------------------------


def on_table(table, **changed):
    return OrdinalRaterGP(**{"kernel": KERNEL, "optimize": False, **changed}).fit(X, table)


FIRST = np.arange(25)[:, None] == 0
BAD_CALLS = {
    "half a label": ("a label must be a whole number in 0 … 4", lambda: on_table(np.where(FIRST, 1.5, Y))),
    "nobody": ("row 0 of Y holds no answer", lambda: on_table(np.where(FIRST, np.nan, Y))),
    "inference": ('inference "exact" needs Gaussian noise', lambda: held(inference="exact")),
    "rater": ('rater is 6; the raters are 0 … 5, and "new"', lambda: held().predict_answer(X, rater=6)),
}


@pytest.mark.parametrize(("message", "call"), BAD_CALLS.values(), ids=BAD_CALLS)
def test_errors_name_the_argument(message, call):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


def test_the_mean_label_of_raters_is_that_of_quadrature_and_holds_one_array():
    """Over raters with cut points of their own, and over biases: no array for each of 200 raters."""
    rng = np.random.default_rng(0)
    parts = [Ordinal(5, first_cut, gaps) for first_cut, *gaps in np.exp(0.3 * rng.normal(size=(200, 4)))]
    f = rng.normal(size=(400, 30))
    for bias_std in (0.0, 0.7):
        expected = [part.predict_mean(f[:2], np.full((2, 30), bias_std**2))[0] for part in parts]
        np.testing.assert_allclose(_mean_label(parts, f[:2], bias_std), np.mean(expected, axis=0), atol=1e-6)
    tracemalloc.start()
    _mean_label(parts, f, 0.7)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * f.nbytes
