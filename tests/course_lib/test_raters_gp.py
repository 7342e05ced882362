"""Unequal raters against one dense Gaussian, finite differences, Fisher's information and simulated truth."""

import pickle
import re
import warnings

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.exceptions import ConvergenceWarning

from course_lessons.unequal_raters.example import first_experiment
from course_lib.gp import Fixed, GPRegression, Normal, SquaredExponential, White
from course_lib.gp.kernel_prior import own_variance
from course_lib.judgments import (
    HierarchicalScalePrior,
    MultiSampleGP,
    RaterGP,
    RaterNoise,
    simulate_raters,
)
from course_lib.judgments.panels.kernel import PanelKernel, item_rows, rater_rows
from tests.course_lib.gp_oracles import slopes
from tests.course_lib.panel_oracles import DensePanel, level_of, panel, theta_of

X, Z, Y = panel(0, noise_std=[0.2, 0.5, 0.9, 0.4])
X[5] = X[2]  # two items with the same inputs
LABELS = (X[:, 0] > 1.5).astype(int)
X_NEW = np.random.default_rng(1).uniform(0, 3, (7, 2))
KERNEL = SquaredExponential(1.3, [0.7, 1.9])
MODELS = {
    "plain": {},
    "nugget": {"nugget_std": 0.3},
    "regions": {"regions": LABELS},
    "floor": {"regions": LABELS, "noise_floor": 0.25},
    "bias": {"bias_std": 0.6},
    "pooling": {"regions": LABELS, "pooling": 0.4},
    "all": {"regions": LABELS, "nugget_std": 0.3, "noise_floor": 0.1, "shrinkage": 0.5, "bias_std": 0.6},
}
every_model = pytest.mark.parametrize("settings", MODELS.values(), ids=MODELS)


def dense(model, X=X, Y=Y):
    noise = model.rater_std_[model.regions_.of(X)]
    return DensePanel(model.kernel_, X, Y, noise, model.bias_std_, level_of(model))


def without_rater_2_in_region_1():
    table = Y.copy()
    table[LABELS == 1, 2] = np.nan
    table[np.flatnonzero(LABELS == 0)[:2], 2] = [4.5, 5.5]
    return table


def quietly(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*data)


# --- the joint Gaussian --------------------------------------------------------------------------------


@every_model
@pytest.mark.parametrize("optimize", [False, True])
def test_agrees_with_one_gaussian_over_all_answers(settings, optimize):
    noise = [0.3, 0.4, 0.8, 0.5]
    model = quietly(RaterGP(KERNEL, noise_std=noise, optimize=optimize, **settings), X, Y)
    oracle = dense(model)
    assert model.log_evidence_ == pytest.approx(oracle.log_evidence, abs=1e-7)
    np.testing.assert_allclose(model.predict(X_NEW, return_std=True), oracle.predict(X_NEW), rtol=1e-7)
    mean, covariance = oracle.consensus()
    np.testing.assert_allclose(model.consensus_, mean, rtol=1e-6)
    np.testing.assert_allclose(model.consensus_std_, np.sqrt(covariance.diagonal()), rtol=1e-6)
    np.testing.assert_allclose(model.consensus_cov_, covariance, rtol=1e-5, atol=1e-8)
    if not optimize:
        expected = np.hypot(noise, model.likelihood_.floor)
        np.testing.assert_allclose(model.rater_std_, np.tile(expected, (model.regions_.n_regions, 1)))


@every_model
def test_gradient_is_the_slope_of_evidence_and_priors(settings):
    model = RaterGP(KERNEL, noise_std=[0.3, 0.4, 0.8, 0.5], optimize=False, **settings).fit(X, Y)
    theta = theta_of(model) + 0.1 * np.random.default_rng(0).normal(size=len(theta_of(model)))
    numeric = slopes(lambda t: model.evidence_at(t)[0], theta)
    np.testing.assert_allclose(model.evidence_at(theta)[1], numeric, rtol=1e-6, atol=2e-6)


def test_gradient_in_the_noises_is_the_one_of_the_errata():
    model = RaterGP(KERNEL, regions=LABELS, noise_std=[0.3, 0.4, 0.8, 0.5], noise_floor=0.0, optimize=False).fit(X, Y)
    mean, V = model.consensus_, model.consensus_std_**2
    expected = np.zeros((2, 4))
    for n, r in np.argwhere(~np.isnan(Y)):
        variance = model.rater_std_[LABELS[n], r] ** 2
        expected[LABELS[n], r] -= 1 - ((Y[n, r] - mean[n]) ** 2 + V[n]) / variance
    np.testing.assert_allclose(model.evidence_at(theta_of(model))[1][3:].reshape(2, 4), expected, rtol=1e-8)


def test_the_printed_combined_variance_gives_another_evidence():
    """Errata ★ of 001, below eq. 1: σ̂⁻² = (Σ 1/σ²)⁻¹ is printed where σ̂² = (Σ 1/σ²)⁻¹ is meant."""
    sigma = np.array([0.3, 0.4, 0.8, 0.5])
    model = RaterGP(KERNEL, noise_std=sigma, noise_floor=0.0, optimize=False).fit(X, Y)
    given, y, K = ~np.isnan(Y), np.nan_to_num(Y - np.nanmean(Y)), model.latent_.kernel_(X)

    def printed_evidence(combined):
        """The paper's −log p(Y), its sign turned; `combined` is σ̂² of each item."""
        y_hat = combined * (y / sigma**2 * given).sum(axis=1)
        C = K + np.diag(combined)
        fit = np.linalg.slogdet(C)[1] + y_hat @ np.linalg.solve(C, y_hat) - np.log(combined).sum()
        apart = (y**2 / sigma**2 * given).sum() - (y_hat**2 / combined).sum()
        labels = 2 * (np.log(sigma) * given).sum() + given.sum() * np.log(2 * np.pi)
        return -0.5 * (fit + apart + labels)

    precision = (given / sigma**2).sum(axis=1)
    assert printed_evidence(1 / precision) == pytest.approx(model.log_evidence_, abs=1e-8)
    assert printed_evidence(1 / precision) == pytest.approx(dense(model).log_evidence, abs=1e-8)
    assert abs(printed_evidence(precision) - model.log_evidence_) > 1000


# --- the same model by other means ----------------------------------------------------------------------


def test_equal_noises_are_the_model_with_one_noise():
    several = RaterGP(KERNEL, noise_std=0.4, noise_floor=0.0, nugget_std=0.2, optimize=False).fit(X, Y)
    one = MultiSampleGP(KERNEL, noise_std=0.4, nugget_std=0.2, optimize=False).fit(X, Y)
    assert several.log_evidence_ == pytest.approx(one.log_evidence_, abs=1e-9)
    np.testing.assert_allclose(several.predict_answer(X_NEW, rater=1), one.predict_answer(X_NEW), rtol=1e-9)
    slope = several.evidence_at(theta_of(several))[1]
    whole = one.evidence_at(theta_of(one))[1]
    np.testing.assert_allclose(np.append(slope[:4], slope[4:].sum()), whole, rtol=1e-8)


def test_one_rater_is_regression():
    ours = RaterGP(KERNEL, noise_std=0.3, noise_floor=0.0, optimize=False).fit(X, Z)
    theirs = GPRegression(KERNEL, noise_std=0.3, optimize=False)
    assert ours.rater_std_.shape == (1, 1)
    oracle = DensePanel(KERNEL, X, Z[:, None], 0.3, level_std=level_of(ours))
    assert ours.log_evidence_ == pytest.approx(oracle.log_evidence, abs=1e-8)
    most = np.arange(14) != 5  # GPRegression takes equal inputs as one item; here there are none
    ours = RaterGP(KERNEL, noise_std=0.3, noise_floor=0.0, optimize=False).fit(X[most], Z[most])
    assert ours.log_evidence_ == pytest.approx(theirs.fit(X[most], Z[most]).log_evidence_, abs=1e-9)


def test_order_of_items_and_raters_does_not_matter():
    rows, columns = np.random.default_rng(3).permutation(len(X)), [2, 0, 3, 1]
    settings = {"nugget_std": 0.3, "shrinkage": 0.5, "bias_std": 0.5}
    plain = RaterGP(KERNEL, regions=LABELS, **settings).fit(X, Y)
    other = RaterGP(KERNEL, regions=LABELS[rows], **settings).fit(X[rows], Y[rows][:, columns])
    np.testing.assert_allclose(other.rater_std_, plain.rater_std_[:, columns], rtol=1e-3)
    np.testing.assert_allclose(other.rater_bias_, plain.rater_bias_[columns], rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(other.consensus_, plain.consensus_[rows], rtol=1e-4)


@pytest.mark.parametrize(("unit", "level"), [(1e-3, 0.0), (1e6, -3e6), (50.0, 1e3)])
def test_the_unit_of_answers_does_not_matter(unit, level):
    Y4 = panel(7, n=40, missing=0.1)[2] + np.array([-1.5, 0, 0.5, 1.0])
    X4 = panel(7, n=40, missing=0.1)[0]

    def settings(unit):
        return {"regions": 2, "shrinkage": 0.5, "rng": 0, "nugget_std": 0.3 * unit, "bias_std": unit}

    plain, other = RaterGP(**settings(1.0)).fit(X4, Y4), RaterGP(**settings(unit)).fit(X4, level + unit * Y4)
    assert plain.converged_ and other.converged_
    np.testing.assert_allclose(other.rater_std_ / unit, plain.rater_std_, rtol=5e-3)
    np.testing.assert_allclose(other.rater_bias_ / unit, plain.rater_bias_, atol=5e-3)
    np.testing.assert_allclose((other.consensus_ - level) / unit, plain.consensus_, atol=5e-3)


def test_the_same_seed_gives_the_same_fit():
    fits = [RaterGP(regions=3, n_restarts=1, rng=5, shrinkage=1.0).fit(X, Y) for _ in range(2)]
    assert fits[0].log_evidence_ == fits[1].log_evidence_
    np.testing.assert_array_equal(fits[0].rater_std_, fits[1].rater_std_)


@pytest.mark.long
def test_a_search_from_no_starting_values_usually_ends_at_rest():
    rested, best = [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        unit, width, R = 10 ** rng.uniform(-2, 4), 10 ** rng.uniform(-1, 2), int(rng.integers(2, 7))
        noise = rng.uniform(0.1, 1.0, R)
        Xs, _, Ys = panel(seed, int(rng.integers(10, 40)), R, noise_std=noise, unit=unit, level=23.0)
        model = quietly(RaterGP(), width * Xs, Ys)
        other = quietly(RaterGP(SquaredExponential(unit**2, 1.2 * width), noise_std=noise * unit), width * Xs, Ys)
        rested.append(model.converged_)
        best.append(model.log_evidence_ > other.log_evidence_ - 0.1)
    assert np.mean(rested) >= 0.9 and np.mean(best) >= 0.9


# --- how sure one is of a noise -------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [MODELS[name] for name in ("nugget", "floor", "bias", "all")])
def test_information_is_the_trace_written_out(settings):
    model = RaterGP(KERNEL, noise_std=[0.3, 0.4, 0.8, 0.5], optimize=False, **settings).fit(X, Y)
    oracle, noise = dense(model), model.likelihood_
    inverse, J = np.linalg.inv(oracle.C), len(noise.noise_std)
    moves = [np.diag(2 * noise.total_std[j] ** 2 * (noise.groups == j)) for j in range(J)]
    expected = [[0.5 * np.trace(inverse @ a @ inverse @ b) for b in moves] for a in moves]
    found = noise.information(model.observations_.views, model.approximation_.posterior.covariance)
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)


def simulated(seed, n=40, true=(0.2, 0.5, 1.0)):
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 4, (n, 1))
    z = np.linalg.cholesky(SquaredExponential(1.0, 0.7)(x) + 1e-8 * np.eye(n)) @ rng.normal(size=n)
    return x, simulate_raters(z, true, rng)


@pytest.mark.long
def test_information_is_the_scatter_of_the_estimates():
    """The kernel is held at what made the data; then log σ̂ scatters as the inverse of the information says."""
    kernel = SquaredExponential(1.0, 0.7).with_priors(variance=Fixed(), lengthscale=Fixed())
    rng, x = np.random.default_rng(0), np.linspace(0, 6, 40)[:, None]
    root, found = np.linalg.cholesky(kernel(x) + 1e-8 * np.eye(40)), []
    for _ in range(100):
        Ys = simulate_raters(root @ rng.normal(size=40), [0.2, 0.5, 1.0], rng)
        model = RaterGP(kernel).fit(x, Ys)
        found.append(np.log(model.rater_std_[0]))
    fixed = RaterGP(kernel, noise_std=[0.2, 0.5, 1.0], optimize=False).fit(x, Ys)
    information = fixed.likelihood_.information(fixed.observations_.views, fixed.approximation_.posterior.covariance)
    np.testing.assert_allclose(np.std(found, axis=0), np.sqrt(np.linalg.inv(information).diagonal()), rtol=0.25)


@pytest.mark.long
def test_ninety_of_a_hundred_intervals_hold_the_truth():
    hits = []
    for seed in range(80):
        low, high = RaterGP().fit(*simulated(seed)).rater_interval(0.9)
        hits.append((low < [0.2, 0.5, 1.0]) & (high > [0.2, 0.5, 1.0]))
    # 240 intervals; three standard errors are 0.06, and the kernel, taken as known, costs a little.
    assert 0.82 < np.mean(hits) < 0.96


def test_intervals_are_symmetric_in_the_logarithm_and_grow_with_confidence():
    model = RaterGP(KERNEL, noise_std=0.4, noise_floor=0.0, optimize=False).fit(X, Y)
    (low, high), (lower, higher) = model.rater_interval(0.5), model.rater_interval(0.95)
    np.testing.assert_allclose(low * high, model.rater_std_**2)
    assert (lower < low).all() and (higher > high).all()


def test_no_noise_is_below_the_floor():
    e = first_experiment(1)
    model = RaterGP(regions=e.regions, noise_floor=0.01).fit(e.X, e.Y)
    low, high = model.rater_interval()
    assert (low >= 0.01).all() and (model.rater_std_ >= 0.01).all()
    assert low.diagonal() == pytest.approx([0.01, 0.01, 0.01], rel=1e-3)
    assert (high > low).all()


def test_the_noise_that_is_reported_has_its_floor():
    model = RaterGP(KERNEL, noise_floor=0.3, noise_std=0.1, optimize=False).fit(X, Y)
    np.testing.assert_allclose(model.noise_std_, np.full((1, Y.shape[1]), np.hypot(0.3, 0.1)))
    np.testing.assert_array_equal(model.noise_std_, model.rater_std_)


@pytest.mark.parametrize("regions", [None, 2, "affinity", "labels"])
def test_a_model_that_was_written_to_a_file_says_the_same(regions):
    regions = LABELS if regions == "labels" else regions
    model = RaterGP(KERNEL, regions=regions, optimize=False, rng=0).fit(X, Y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_answer(X, rater=1), model.predict_answer(X, rater=1))
    np.testing.assert_array_equal(again.regions_.of(X_NEW), model.regions_.of(X_NEW))


def test_an_answer_that_says_nothing_has_an_endless_interval():
    wide = SquaredExponential(1e12, 1e-3)  # an item's value is anything, and each item has one answer
    model = RaterGP(wide, noise_std=0.4, optimize=False).fit(X[:5], Z[:5])
    low, high = model.rater_interval()
    assert high == np.inf and low == model.likelihood_.floor


def test_shrinkage_says_nothing_of_a_rater_seen_in_one_region_only():
    table = without_rater_2_in_region_1()
    plain, shrunk = (
        RaterGP(KERNEL, regions=LABELS, noise_std=0.4, shrinkage=s, optimize=False).fit(X, table) for s in (None, 1e-3)
    )
    assert np.isnan(plain.rater_std_[1, 2]) and np.isnan(plain.rater_interval()[0][1, 2])
    alone = [model.rater_interval()[1][0, 2] for model in (plain, shrunk)]
    assert alone[1] == pytest.approx(alone[0], rel=0.05)  # the others' noises, that do shrink, matter a little
    both = [model.rater_interval()[1][0, 1] for model in (plain, shrunk)]
    assert both[1] < 0.9 * both[0]


def test_trust_table_is_the_arrays_row_by_row():
    table = without_rater_2_in_region_1()
    model = RaterGP(KERNEL, regions=LABELS).fit(X, table)
    rows = model.trust_table(0.8)
    low, high = model.rater_interval(0.8)
    assert {(t.region, t.rater) for t in rows} == {(k, r) for k in (0, 1) for r in range(4)} - {(1, 2)}
    for t in rows:
        at = t.region, t.rater
        assert (t.std, t.low, t.high) == (model.rater_std_[at], low[at], high[at])
        assert t.answers == (~np.isnan(table[t.region == LABELS, t.rater])).sum()
        assert t.low < t.std < t.high


# --- shrinkage, biases, floors --------------------------------------------------------------------------


def test_shrinkage_goes_from_one_noise_to_one_in_each_region():
    e = first_experiment(0)
    Ye = e.Y + 0.1 * np.random.default_rng(0).normal(size=e.Y.shape)
    kernel = SquaredExponential(0.3, 0.1)
    free, whole = RaterGP(kernel, regions=e.regions).fit(e.X, Ye), RaterGP(kernel).fit(e.X, Ye)
    tight = RaterGP(kernel, regions=e.regions, shrinkage=1e-3).fit(e.X, Ye)
    loose = RaterGP(kernel, regions=e.regions, shrinkage=1e3).fit(e.X, Ye)
    np.testing.assert_allclose(tight.rater_std_, np.tile(whole.rater_std_, (3, 1)), rtol=0.01)
    np.testing.assert_allclose(loose.rater_std_, free.rater_std_, rtol=0.01)
    ranges = [
        np.ptp(np.log(RaterGP(kernel, regions=e.regions, shrinkage=s).fit(e.X, Ye).rater_std_), axis=0)
        for s in (0.1, 0.5, 3.0)
    ]
    assert (ranges[0] < ranges[1]).all() and (ranges[1] < ranges[2]).all()


def test_an_unseen_region_is_at_the_level_of_the_rater():
    table = without_rater_2_in_region_1()
    model = RaterGP(KERNEL, regions=LABELS, shrinkage=0.5).fit(X, table)
    noises = model.likelihood_.noise_std.reshape(2, 4)
    assert noises[1, 2] == pytest.approx(noises[0, 2], rel=1e-2)


def test_shared_level_by_finite_differences():
    prior, value = HierarchicalScalePrior(3, 0.4), np.exp(np.random.default_rng(0).normal(size=12))
    numeric = slopes(lambda v: prior.log_density(v)[0].sum(), value)
    np.testing.assert_allclose(prior.log_density(value)[1], numeric, rtol=1e-6, atol=1e-8)

    def slope_in_logs(logs):
        return prior.log_density(np.exp(logs))[1] * np.exp(logs)

    step = 1e-5
    bend = [(slope_in_logs(np.log(value) + step * e) - slope_in_logs(np.log(value) - step * e)) for e in np.eye(12)]
    np.testing.assert_allclose(prior.curvature(12), -np.array(bend) / (2 * step), atol=1e-6)
    np.testing.assert_array_equal(HierarchicalScalePrior(3, 0.4).log_density(value[:3])[1], 0)  # one region: no say
    assert eval(repr(prior)).log_density(value)[0].sum() == prior.log_density(value)[0].sum()


def test_pooling_draws_all_noises_to_one_level():
    Xs, _, Ys = panel(3, n=20, noise_std=[0.2, 0.5, 0.9, 0.4])
    tight, some, free = (RaterGP(KERNEL, pooling=p).fit(Xs, Ys) for p in (1e-3, 0.5, 1e3))
    np.testing.assert_allclose(tight.rater_std_, MultiSampleGP(KERNEL).fit(Xs, Ys).noise_std_, rtol=0.02)
    np.testing.assert_allclose(free.rater_std_, RaterGP(KERNEL).fit(Xs, Ys).rater_std_, rtol=0.01)
    ranges = [np.ptp(np.log(model.rater_std_)) for model in (tight, some, free)]
    assert ranges[0] < ranges[1] < ranges[2]
    widths = [np.log(np.divide(*model.rater_interval())) for model in (some, free)]
    assert (np.abs(widths[0]) < np.abs(widths[1])).all()


@pytest.mark.parametrize("unit", [1.0, 40.0])
def test_biases_are_found_relative_to_their_mean(unit):
    true = unit * np.array([-1.0, 0.2, 0.6, 1.5])
    Xs, z, Ys = panel(3, n=60, noise_std=0.3, unit=unit)
    model = RaterGP(bias_std=unit).fit(Xs, Ys + true)
    found = model.rater_bias_ - model.rater_bias_.mean()
    np.testing.assert_allclose(found, true - true.mean(), atol=0.25 * unit)
    np.testing.assert_allclose(model.rater_std_, 0.3 * unit, rtol=0.3)
    without = RaterGP().fit(Xs, Ys + true)
    assert not without.rater_bias_.any() and not without.rater_bias_std_.any() and without.bias_std_ == 0
    assert model.log_evidence_ > without.log_evidence_ + 50
    assert np.std(model.consensus_ - z) < 0.2 * unit


def test_biases_shrink_if_their_spread_is_held_small():
    true = np.array([-1.0, 0.2, 0.6, 1.5])
    Xs, _, Ys = panel(3, n=20, noise_std=0.3)
    fits = [RaterGP(bias_std=s, bias_prior=Fixed()).fit(Xs, Ys + true) for s in (0.01, 0.3, 3.0)]
    assert [model.bias_std_ for model in fits] == [0.01, 0.3, 3.0]
    spreads = [np.std(model.rater_bias_) for model in fits]
    assert spreads[0] < 0.1 < spreads[1] < spreads[2]


def test_the_spread_of_the_biases_is_learned_from_wherever_the_search_begins():
    true = np.random.default_rng(0).normal(0.0, 0.8, 15)
    Xs, _, Ys = panel(3, n=30, R=15, noise_std=0.3)
    found = [RaterGP(bias_std=start).fit(Xs, Ys + true).bias_std_ for start in (0.1, 10.0)]
    assert found[0] == pytest.approx(found[1], rel=1e-2)
    assert found[0] == pytest.approx(true.std(ddof=1), rel=0.1)
    kept = RaterGP(bias_std=1.0, bias_prior=Normal(0.0, 0.1)).fit(Xs, Ys + true)
    assert kept.bias_std_ < 0.8 * found[0]


@pytest.mark.parametrize("name", ["bias", "all"])
def test_biases_and_their_covariance_are_those_of_one_gaussian(name):
    model = RaterGP(KERNEL, optimize=False, **MODELS[name]).fit(X, Y)
    mean, covariance = dense(model).biases()
    np.testing.assert_allclose(model.rater_bias_, mean, rtol=1e-6)
    np.testing.assert_allclose(model.rater_bias_std_, np.sqrt(covariance.diagonal()), rtol=1e-6)
    low, high = model.bias_interval(0.9)
    np.testing.assert_allclose(
        [low, high], mean + 1.644854 * np.outer([-1, 1], np.sqrt(covariance.diagonal())), rtol=1e-6
    )
    centring = np.eye(4) - 0.25
    std = np.sqrt((centring @ covariance @ centring).diagonal())
    expected = centring @ mean + 1.644854 * np.outer([-1, 1], std)
    np.testing.assert_allclose(model.bias_interval(0.9, centred=True), expected, rtol=1e-5)


@pytest.mark.parametrize("name", ["plain", "nugget", "bias"])
def test_centred_values_and_contrasts_come_from_the_covariance_of_the_consensus(name):
    model = RaterGP(KERNEL, optimize=False, **MODELS[name]).fit(X, Y)
    mean, covariance = dense(model).consensus()
    centring = np.eye(14) - 1 / 14
    std = np.sqrt((centring @ covariance @ centring).diagonal())
    expected = centring @ mean + 1.644854 * np.outer([-1, 1], std)
    np.testing.assert_allclose(model.consensus_interval(0.9, centred=True), expected, rtol=1e-5, atol=1e-6)
    spread = model.predict_difference(model.items_, [(0, 1), (7, 3)])[1]
    np.testing.assert_allclose(spread**2, [covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
                                           for a, b in [(0, 1), (7, 3)]], rtol=1e-5)  # fmt: skip


def test_the_level_that_all_raters_share_is_in_values_and_not_in_contrasts():
    """A spread of biases that is ten times as wide widens only what holds the level, by that spread over √R."""
    narrow, wide = (RaterGP(KERNEL, noise_std=0.3, bias_std=s, optimize=False).fit(X, Y) for s in (3.0, 30.0))

    def widths(model):
        return [np.diff(model.consensus_interval(centred=c), axis=0).mean() for c in (False, True)]

    assert widths(narrow)[0] > 1.2 * 3.0 / np.sqrt(4) * 2 and widths(wide)[0] > 2.5 * widths(narrow)[0]
    assert widths(wide)[1] == pytest.approx(widths(narrow)[1], rel=0.02)
    pairs = [(0, 1), (3, 4)]
    np.testing.assert_allclose(wide.predict_difference(X, pairs)[1], narrow.predict_difference(X, pairs)[1], rtol=0.02)
    np.testing.assert_allclose(
        wide.predict_answer(X_NEW, rater=1)[1], narrow.predict_answer(X_NEW, rater=1)[1], rtol=0.02
    )
    assert (wide.predict_answer(X_NEW, rater="new")[1] > 2 * narrow.predict_answer(X_NEW, rater="new")[1]).all()


@pytest.mark.parametrize("nugget", [None, 0.2])
def test_a_rater_without_noise_is_believed(nugget):
    Xs, z, _ = panel(3, n=40)
    Ys = simulate_raters(z, [0.0, 0.5, 1.0], 0)
    model = RaterGP(nugget_std=nugget).fit(Xs, Ys)
    assert model.converged_
    assert model.rater_std_[0, 0] == pytest.approx(1e-3 * Ys.std(), rel=0.05)
    np.testing.assert_allclose(model.consensus_, z, atol=0.02)
    assert model.log_evidence_ == pytest.approx(dense(model, Xs, Ys).log_evidence, abs=1e-6)


@pytest.mark.parametrize("nugget", [None, 0.2])
def test_nobody_has_noise(nugget):
    Xs, z, _ = panel(3, n=30)
    model = RaterGP(nugget_std=nugget).fit(Xs, np.tile(z[:, None], 3))
    assert model.converged_
    np.testing.assert_allclose(model.rater_std_, 1e-3 * z.std(), rtol=0.05)
    np.testing.assert_allclose(model.consensus_, z, atol=0.01)


# --- predictions of people ------------------------------------------------------------------------------


@pytest.mark.parametrize("raters", [[3, 1], [2], "new"])
def test_answers_are_those_of_one_gaussian_and_the_raters_noise(raters):
    model = RaterGP(KERNEL, regions=LABELS, nugget_std=0.2, bias_std=0.5).fit(X, Y)
    noise = model.rater_std_[model.regions_.of(X_NEW)]
    if raters == "new":
        (mean, std), bias = model.predict(X_NEW, return_std=True), model.bias_std_
        variance = std**2 + bias**2 + (noise**2).mean(axis=1)
    else:
        weights = np.isin(range(4), raters) / len(raters)
        mean, std = dense(model).answers(X_NEW, weights)
        variance = std**2 + noise**2 @ weights**2
    np.testing.assert_allclose(model.predict_answer(X_NEW, rater=raters), (mean, np.sqrt(variance)), rtol=1e-6)


@pytest.mark.parametrize("bias_std", [None, 0.5])
def test_one_rater_and_a_list_of_one_agree(bias_std):
    model = RaterGP(KERNEL, regions=LABELS, bias_std=bias_std).fit(X, Y)
    np.testing.assert_array_equal(model.predict_answer(X_NEW, rater=2), model.predict_answer(X_NEW, rater=[2]))
    assert np.isfinite(model.predict_answer(X_NEW, rater="new")).all()


def test_scores_and_densities_are_those_of_the_rater_who_is_named():
    model = RaterGP(KERNEL, bias_std=1.0).fit(X, Y)
    shares = [model.predict_scores(X_NEW, range(-2, 13), rater=r) for r in range(4)]
    np.testing.assert_allclose([s.sum(axis=1) for s in shares], 1)
    edges = np.arange(-2.5, 13)
    for r in range(4):
        mean, std = model.predict_answer(X_NEW, rater=r)
        mass = np.diff(norm.cdf(edges, mean[:, None], std[:, None]), axis=1)
        np.testing.assert_allclose(shares[r], mass, atol=1e-9)
        peak = -0.5 * np.log(2 * np.pi) - np.log(std)
        np.testing.assert_allclose(model.log_predictive_density(X_NEW, mean, rater=r), peak)


def test_a_region_without_answers_of_a_rater_cannot_be_predicted():
    table = without_rater_2_in_region_1()
    model = RaterGP(KERNEL, regions=LABELS).fit(X, table)
    here, there = X[LABELS == 0][:1], X[LABELS == 1][:1]
    assert np.isfinite(model.predict_answer(here, rater=[1, 2])).all()
    with pytest.raises(ValueError, match=re.escape("rater 2 gave no answer in region 1, where X_new[1] lies")):
        model.predict_answer(np.vstack([here, there]), rater=[1, 2])


# --- the paper's first experiment -----------------------------------------------------------------------


def test_first_experiment_of_the_paper():
    errors = []
    for seed in range(10):
        e, kernel = first_experiment(seed), SquaredExponential(0.3, 0.2)
        models = [RaterGP(kernel, regions="affinity", rng=0), RaterGP(kernel)]
        fits = [quietly(m, e.X, e.Y) for m in models] + [
            GPRegression(kernel, noise_std=0.3).fit(e.X, e.Y.mean(axis=1))
        ]
        errors.append([np.sqrt(np.mean((m.predict(e.X_test) - e.z_test) ** 2)) for m in fits])
    manh, ma, av = np.mean(errors, axis=0)
    # The prototype found 0.020, 0.16 and 0.19 in 30 repetitions.
    assert manh < 0.05 and manh < ma / 3 and ma < av
    assert 0.1 < ma < 0.2 and 0.14 < av < 0.25


# --- corners --------------------------------------------------------------------------------------------


def test_a_rater_with_one_answer():
    Xs, _, Ys = panel(3, n=25, missing=0)
    Ys[1:, 1] = np.nan
    model = RaterGP().fit(Xs, Ys)
    low, high = model.rater_interval()
    assert np.isfinite(model.rater_std_).all() and (low < model.rater_std_).all()
    assert high[0, 1] / low[0, 1] > high[0, 0] / low[0, 0]  # one answer tells less than 25
    assert model.log_evidence_ == pytest.approx(dense(model, Xs, Ys).log_evidence, abs=1e-7)


def test_the_evidence_prefers_to_believe_a_rater_who_always_says_the_same():
    """Nobody is easier to foretell. That is no merit of the model; its docstring warns of it."""
    Xs, _, Ys = panel(3, n=25, missing=0)
    Ys[:, 3] = 5.5
    honest = quietly(RaterGP(), Xs, Ys)
    fooled = quietly(RaterGP(SquaredExponential(0.25, 30.0), noise_std=[0.8, 0.8, 0.8, 1e-3]), Xs, Ys)
    assert honest.rater_std_[0].argmax() == 3
    assert fooled.log_evidence_ > honest.log_evidence_ + 50
    np.testing.assert_allclose(fooled.consensus_, 5.5, atol=0.01)


def test_one_item():
    model = quietly(RaterGP(), [[2.0]], [[1.0, 2.0, 4.0]])
    assert np.isfinite(model.log_evidence_) and len(model.trust_table()) == 3
    assert np.isfinite([t.std for t in model.trust_table()]).all()


def test_hardly_any_answers_of_very_many_raters():
    rng = np.random.default_rng(0)
    Ys = simulate_raters(rng.normal(size=12), rng.uniform(0.3, 1, 103), rng, missing=0.99)
    assert np.isfinite(Ys).sum() == 103
    Xs = rng.normal(size=(12, 2))
    model = RaterGP(nugget_std=0.3).fit(Xs, Ys)
    assert model.log_evidence_ == pytest.approx(dense(model, Xs, Ys).log_evidence, abs=1e-6)
    assert len(model.trust_table()) == 103


# --- the likelihood ------------------------------------------------------------------------------------


def rater_noise(**changed):
    return RaterNoise(**{"noise_std": [0.3, 0.5], "groups": [0, 0, 1, 1], **changed})


def test_likelihood_by_finite_differences():
    noise = rater_noise(floor=0.2)
    y, g = np.array([0.3, -0.4, 1.0, 0.2]), np.array([0.1, 0.1, 0.5, 0.4])
    for slope, found in enumerate(noise.parameter_derivatives(y, g)):
        for answer in range(4):

            def value(theta, answer=answer, slope=slope):
                return noise.with_theta(theta).derivatives(y, g)[slope][answer]

            np.testing.assert_allclose(found[:, answer], slopes(value, noise.theta), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(noise.total_std, np.hypot([0.3, 0.5], 0.2))
    assert noise.only(1).noise_std == pytest.approx(np.hypot(0.5, 0.2))


# --- the covariance of a panel --------------------------------------------------------------------------

ROWS = item_rows(X[:5]), rater_rows([0, 1, 3], 2)
PANEL = PanelKernel(KERNEL + White(0.2), 0.7, 2.0)


def test_the_kernel_of_a_panel_written_out():
    rows = np.vstack(ROWS)
    expected = np.zeros((8, 8))
    expected[:5, :5] = KERNEL(X[:5]) + 0.2 * np.eye(5) + 4.0
    expected[5:, 5:] = 0.49 * np.eye(3)
    np.testing.assert_allclose(PANEL(rows), expected)
    np.testing.assert_allclose(PANEL(rows, rows[::-1]), (expected - np.diag([0.2] * 5 + [0] * 3))[:, ::-1])
    np.testing.assert_allclose(own_variance(PANEL, rows), [0.2] * 5 + [0] * 3, atol=1e-12)


def test_gradients_of_the_kernel_of_a_panel():
    rows, weights = np.vstack(ROWS), np.random.default_rng(0).normal(size=(8, 8))
    numeric = slopes(lambda t: np.sum(weights * PANEL.with_theta(t)(rows)), PANEL.theta)
    np.testing.assert_allclose(PANEL.gradient(rows, weights), numeric, rtol=1e-6, atol=1e-7)
    held = PANEL.with_priors(bias_std=Fixed())
    np.testing.assert_allclose(held.gradient(rows, weights), numeric[1:], rtol=1e-6, atol=1e-7)
    moved = PANEL.input_gradient(rows, rows[:4], weights[:, :4])
    inner = KERNEL.input_gradient(X[:5], X[:4], weights[:5, :4])
    np.testing.assert_allclose(moved[:5, :2], inner)
    assert not moved[5:].any() and not moved[:, 2].any()


# --- what is refused ------------------------------------------------------------------------------------


def fitted(**settings):
    return RaterGP(KERNEL, optimize=False, **settings).fit(X, Y)


BAD_CALLS = {
    "pooling": ("pooling is 0; a finite number above 0", lambda: fitted(pooling=0)),
    "new item's width": ("X_new has 1 columns", lambda: fitted(bias_std=1.0).predict([[1.0]])),
    "rater": ("rater is 4; the raters are 0 … 3", lambda: fitted().predict_answer(X, rater=4)),
    "twice": (
        "rater is [0, 0]; a whole number, or several different",
        lambda: fitted().predict_answer(X, rater=[0, 0]),
    ),
    "panel's bias": ("bias_std is 0", lambda: PanelKernel(KERNEL, 0, 1.0)),
    "panel's level": ("level_std is -1", lambda: PanelKernel(KERNEL, 1.0, -1)),
    "panel's kernel": ("kernel is 3; a Kernel", lambda: PanelKernel(3, 1.0, 1.0)),
    "panel's rows": ("after them 0 for an item, r + 1 for rater r", lambda: PANEL(X)),
    "noise": ("noise_std is [1.0, 2.0, 3.0, -1.0]", lambda: fitted(noise_std=[1, 2, 3, -1])),
    "regions": ("regions is 0", lambda: fitted(regions=0)),
    "no scores": ("scores is None", lambda: fitted().predict_scores(X)),
    "RaterNoise group": ("group is 2; the groups are 0 … 1", lambda: rater_noise().only(2)),
}


def test_noises_of_each_rater_in_each_region_can_be_given():
    table = np.linspace(0.2, 0.9, (LABELS.max() + 1) * 4).reshape(-1, 4)
    model = RaterGP(KERNEL, regions=LABELS, noise_std=table, noise_floor=0.0, optimize=False).fit(X, Y)
    np.testing.assert_allclose(model.rater_std_, table)


@pytest.mark.parametrize(("message", "call"), BAD_CALLS.values(), ids=BAD_CALLS)
def test_errors_name_the_argument(message, call):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
