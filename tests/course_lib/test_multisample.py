"""Several answers to each item, against one dense Gaussian over all of them; what is given badly is refused."""

import re
import warnings

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from course_lessons.unequal_raters.observers import ObserverGP
from course_lib import validation
from course_lib.gp import (
    Gaussian,
    GPRegression,
    LatentGP,
    Matern32,
    ObservationMatrix,
    Observations,
    Probit,
    SquaredExponential,
)
from course_lib.gp import values as value_block
from course_lib.gp.questions import normal_interval
from course_lib.judgments import LongTableWarning, MultiSampleGP, RaterGP, RepeatedGP, answer_table
from course_lib.judgments.panels.answers import within_spread
from tests.course_lib.gp_oracles import slopes
from tests.course_lib.panel_oracles import DensePanel, level_of, panel, theta_of

X, Z, Y = panel(0)
X_NEW = np.random.default_rng(1).uniform(-1, 5, (7, 2))
KERNEL = SquaredExponential(1.3, [0.7, 1.9])
ODD = {"a nugget": {"nugget_std": 0.35}, "none": {}}
with_and_without_nugget = pytest.mark.parametrize("odd", ODD.values(), ids=ODD)


def twins():
    """Two items with the same inputs and different answers."""
    X2, Y2 = X.copy(), Y.copy()
    X2[5] = X2[2]
    Y2[5] = Y2[2] + 1.0
    Y2[5, 0] = 9.0
    return X2, Y2


# --- the joint Gaussian --------------------------------------------------------------------------------


@with_and_without_nugget
@pytest.mark.parametrize("data", [(X, Y), twins()], ids=["distinct", "equal inputs"])
@pytest.mark.parametrize("optimize", [False, True])
def test_agrees_with_one_gaussian_over_all_answers(odd, data, optimize):
    model = MultiSampleGP(KERNEL, noise_std=0.3, optimize=optimize, **odd).fit(*data)
    dense = DensePanel(model.kernel_, *data, model.noise_std_, level_std=10.0 * np.nanstd(data[1]))
    assert model.log_evidence_ == pytest.approx(dense.log_evidence, abs=1e-8)
    assert model.evidence_at(theta_of(model))[0] == pytest.approx(dense.log_evidence, abs=1e-8)
    np.testing.assert_allclose(model.predict(X_NEW, return_std=True), dense.predict(X_NEW), rtol=1e-8)
    mean, covariance = dense.consensus()
    np.testing.assert_allclose(model.consensus_, mean, rtol=1e-7)
    np.testing.assert_allclose(model.consensus_std_, np.sqrt(covariance.diagonal()), rtol=1e-7)
    np.testing.assert_allclose(model.consensus_cov_, covariance, rtol=1e-6, atol=1e-9)


@with_and_without_nugget
def test_gradient_is_the_slope_of_the_evidence(odd):
    model = MultiSampleGP(KERNEL, noise_std=0.3, optimize=False, **odd).fit(*twins())
    theta = theta_of(model)
    assert len(theta) == 4 + len(odd)
    numeric = slopes(lambda t: model.evidence_at(t)[0], theta)
    np.testing.assert_allclose(model.evidence_at(theta)[1], numeric, rtol=1e-6, atol=1e-5)


def test_equal_inputs_share_the_curve_but_not_the_nugget():
    X2, Y2 = twins()
    plain, own = (
        MultiSampleGP(KERNEL, noise_std=0.3, nugget_std=nugget, optimize=False).fit(X2, Y2) for nugget in (None, 0.5)
    )
    assert plain.consensus_[5] == pytest.approx(plain.consensus_[2], abs=1e-9)
    assert own.consensus_[5] > own.consensus_[2] + 0.2
    np.testing.assert_allclose(own.predict(own.items_[[2, 5]]), own.consensus_[[2, 5]])
    assert own.predict(X2[[2]])[0] == pytest.approx(own.predict(X2[[5]])[0])


def test_the_nugget_is_in_each_item_and_not_in_the_given_kernel():
    model = MultiSampleGP(KERNEL, noise_std=0.3, nugget_std=0.35, optimize=False).fit(X, Y)
    far = model.predict([[1e6, 0.0]], return_std=True)
    dense = DensePanel(model.kernel_, X, Y, 0.3, level_std=level_of(model)).predict(np.array([[1e6, 0.0]]))
    assert np.allclose(far, dense) and far[1][0] > np.sqrt(1.3 + 0.35**2)
    assert model.nugget_std_ == pytest.approx(0.35) and model.kernel is KERNEL
    assert MultiSampleGP(KERNEL, noise_std=0.3, optimize=False).fit(X, Y).nugget_std_ == 0.0


# --- the same model by other means ----------------------------------------------------------------------


@pytest.mark.parametrize("data", [(X, Y), twins()], ids=["distinct", "equal inputs"])
def test_repeated_inputs_are_the_same_model(data):
    one, many = (Model(KERNEL, noise_std=0.3, optimize=False).fit(*data) for Model in (MultiSampleGP, RepeatedGP))
    assert many.observations_.X.shape == (np.isfinite(data[1]).sum(), 2)
    for theta in (theta_of(one), theta_of(one) + np.array([0.3, -0.5, 0.2, 0.4])):
        for a, b in zip(one.evidence_at(theta), many.evidence_at(theta), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-8)
    np.testing.assert_allclose(one.predict(X_NEW, return_std=True), many.predict(X_NEW, return_std=True), rtol=1e-8)
    np.testing.assert_allclose(
        one.predict_answer(X_NEW, n_raters=3), many.predict_answer(X_NEW, n_raters=3), rtol=1e-8
    )
    np.testing.assert_allclose(one.consensus_interval(), many.consensus_interval(), rtol=1e-7)
    learned = [Model(KERNEL).fit(*data).log_evidence_ for Model in (MultiSampleGP, RepeatedGP)]
    assert learned[0] == pytest.approx(learned[1], abs=1e-5)


@pytest.mark.parametrize("shape", [(-1,), (-1, 1)])
def test_one_rater_is_regression(shape):
    z = Z.reshape(shape)
    ours = MultiSampleGP(KERNEL, noise_std=0.3, optimize=False).fit(X, z)
    theirs = GPRegression(KERNEL, noise_std=0.3, optimize=False).fit(X, Z)
    assert ours.log_evidence_ == pytest.approx(theirs.log_evidence_, abs=1e-9)
    np.testing.assert_allclose(ours.predict(X_NEW), theirs.predict(X_NEW), rtol=1e-9)
    np.testing.assert_allclose(ours.predict_answer(X_NEW), theirs.predict_answer(X_NEW), rtol=1e-9)


def test_all_raters_present_is_regression_on_averages_with_a_smaller_noise():
    X4, _, Y4 = panel(2, missing=0)
    joint = MultiSampleGP(KERNEL, noise_std=0.4, optimize=False).fit(X4, Y4)
    average = GPRegression(joint.latent_.kernel_, noise_std=0.4 / np.sqrt(4), optimize=False, center=False)
    average.fit(X4, Y4.mean(axis=1) - Y4.mean())
    np.testing.assert_allclose(joint.predict(X_NEW), Y4.mean() + average.predict(X_NEW), rtol=1e-9)
    # Errata ★: the predictions of an answer still differ, v + σ² against v + σ²/R.
    latent = average.predict(X_NEW, return_std=True)[1]
    np.testing.assert_allclose(joint.predict_answer(X_NEW)[1] ** 2, latent**2 + 0.4**2, rtol=1e-9)
    theirs = average.predict_answer(X_NEW)[1]
    np.testing.assert_allclose(joint.predict_answer(X_NEW, n_raters=4)[1], theirs, rtol=1e-9)


def test_other_kernels_and_a_nugget_of_the_callers_own_do():
    model = MultiSampleGP(Matern32(1.0, 1.0), nugget_std=0.2).fit(X, Y)
    dense = DensePanel(model.kernel_, X, Y, model.noise_std_, level_std=level_of(model))
    assert model.log_evidence_ == pytest.approx(dense.log_evidence)


# --- what is invariant ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("unit", "level"), [(1e-3, 0.0), (1e6, -3e6), (1.0, 1e4)])
@pytest.mark.parametrize("Model", [MultiSampleGP, RaterGP])
def test_the_unit_of_answers_and_inputs_does_not_matter(Model, unit, level):
    plain, other = Model().fit(X, Y), Model().fit(1e3 * X, level + unit * Y)
    assert plain.converged_ and other.converged_
    mean, std = plain.predict_answer(X_NEW)
    found, spread = other.predict_answer(1e3 * X_NEW)
    np.testing.assert_allclose((found - level) / unit, mean, rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(spread / unit, std, rtol=5e-3)
    moved = other.log_evidence_ + np.isfinite(Y).sum() * np.log(unit)
    assert moved == pytest.approx(plain.log_evidence_, abs=1e-3)


def test_order_of_items_and_raters_does_not_matter():
    rows, columns = np.random.default_rng(3).permutation(len(X)), [2, 0, 3, 1]
    plain = MultiSampleGP(KERNEL).fit(X, Y)
    other = MultiSampleGP(KERNEL).fit(X[rows], Y[rows][:, columns])
    np.testing.assert_allclose(other.consensus_, plain.consensus_[rows], rtol=1e-5)
    assert other.noise_std_ == pytest.approx(plain.noise_std_, rel=1e-4)


@pytest.mark.long
def test_a_search_from_no_starting_values_usually_ends_at_the_best_hill():
    found = []
    for seed in range(25):
        rng = np.random.default_rng(seed)
        unit, width = 10 ** rng.uniform(-2, 4), 10 ** rng.uniform(-1, 2)
        Xs, _, Ys = panel(seed, n=int(rng.integers(8, 40)), D=int(rng.integers(1, 4)), unit=unit)
        model = MultiSampleGP().fit(width * Xs, Ys)
        starts = [SquaredExponential(unit**2, width * ell) for ell in (0.3, 1.0, 3.0)]
        best = max(MultiSampleGP(k, noise_std=0.4 * unit).fit(width * Xs, Ys).log_evidence_ for k in starts)
        found.append(model.converged_ and model.log_evidence_ > best - 0.1)
    assert np.mean(found) >= 0.9


# --- predictions of people ------------------------------------------------------------------------------


def test_intervals_and_answers():
    model = MultiSampleGP(KERNEL).fit(X, Y)
    low, high = model.consensus_interval(0.8)
    np.testing.assert_allclose(norm.cdf(high, model.consensus_, model.consensus_std_), 0.9)
    np.testing.assert_allclose(norm.cdf(low, model.consensus_, model.consensus_std_), 0.1)
    assert normal_interval(0.0, 1.0, 0.95)[1] == pytest.approx(1.959964, abs=1e-6)
    mean, std = model.predict(X_NEW, return_std=True)
    np.testing.assert_allclose(model.predict_answer(X_NEW, n_raters=5)[1] ** 2, std**2 + model.noise_std_**2 / 5)
    np.testing.assert_array_equal(model.predict(X_NEW), mean)


def test_scores_are_masses_that_sum_to_one():
    scores = np.arange(0, 11)
    model = MultiSampleGP(scale=(0, 10)).fit(X, np.clip(Y, 0, 10))
    shares = model.predict_scores(X_NEW)
    mean, std = model.predict_answer(X_NEW)
    edges = norm.cdf(np.append(scores - 0.5, 10.5), mean[:, None], std[:, None])
    expected = np.diff(edges, axis=1) / np.ptp(edges, axis=1)[:, None]
    np.testing.assert_allclose(shares, expected, atol=1e-14)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_allclose(model.predict_scores(X_NEW, range(2, 9)).sum(axis=1), 1)


def test_densities_and_samples_are_in_the_unit_of_the_answers():
    model = MultiSampleGP(KERNEL, nugget_std=0.2).fit(X, Y + 100)
    mean, std = model.predict_answer(X_NEW, n_raters=2)
    y_new = mean + np.linspace(-2, 2, 7)
    np.testing.assert_allclose(model.log_predictive_density(X_NEW, y_new, n_raters=2), norm.logpdf(y_new, mean, std))
    draws = model.sample(X_NEW, 4000, rng=0)
    expected, spread = model.predict(X_NEW, return_std=True)
    np.testing.assert_allclose(draws.mean(axis=0), expected, atol=5 * spread.max() / np.sqrt(4000))
    np.testing.assert_allclose(draws.std(axis=0), spread, rtol=0.06)


# --- corners --------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_one_item():
    model = MultiSampleGP().fit([[2.0]], [[1.0, 2.0, 4.0]])
    assert model.consensus_ == pytest.approx([7 / 3], abs=0.01)
    # All spread is noise, round a mean that has to be learned too.
    assert model.noise_std_ == pytest.approx(np.std([1, 2, 4], ddof=1), rel=2e-3)


def test_raters_who_always_agree_leave_no_noise_without_a_failure():
    z = np.sin(X[:, 0])
    model = MultiSampleGP(nugget_std=0.1).fit(X, np.tile(z[:, None], 3) + 1e-7 * np.array([-1, 0, 1]))
    np.testing.assert_allclose(model.consensus_, z, atol=1e-6)
    assert model.noise_std_ < 1e-6


def test_where_all_always_agree_the_evidence_has_no_maximum_and_the_model_says_so():
    z = np.sin(3 * X[:, 0])
    with (
        pytest.warns(ConvergenceWarning, match="the evidence was still changing"),
        pytest.warns(ConvergenceWarning, match=r"agree exactly, for each of the 14 items .* no maximum"),
    ):
        model = MultiSampleGP(nugget_std=0.1).fit(X, np.tile(z[:, None], 3))
    assert not model.converged_ and np.isfinite(model.log_evidence_)
    np.testing.assert_allclose(model.consensus_, z, atol=1e-4)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("Model", [MultiSampleGP, RaterGP])
@pytest.mark.parametrize("level", [0.0, 0.1, 1e6])
def test_raters_agree_exactly_where_their_means_are_rounded(Model, level):
    """The mean of six equal numbers may be another one: what is left of the spread is rounding, not a spread."""
    x = np.linspace(0, 1, 7)
    Y = np.tile((level + np.array([0.1, 0.7, 0.3, 0.9, 1.1, 0.2, 0.6]))[:, None], 6)
    assert within_spread(Y) == pytest.approx(0.5 * Y.std())
    model = Model(SquaredExponential(1.0, 0.3)).fit(x, Y)
    np.testing.assert_allclose(model.consensus_, Y[:, 0], atol=0.01)
    assert np.isfinite(model.log_evidence_)
    assert np.max(model.noise_std_) == pytest.approx(0.1 / np.sqrt(12), rel=1e-3)  # nobody is finer than the grid


def test_only_who_agrees_everywhere_is_told_so():
    x, Y = np.arange(3.0), np.array([[1.0, 1.0], [2.0, 2.0], [5.0, np.nan]])
    with pytest.warns(ConvergenceWarning, match="each of the 2 items with several answers"):
        MultiSampleGP().fit(x, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        MultiSampleGP(noise_std=0.1, optimize=False).fit(x, Y)
        MultiSampleGP(max_iter=500).fit(x, Y[:, :1])
        RaterGP(optimize=False).fit(x, Y)


def test_inputs_on_a_line_in_the_plane():
    t = np.linspace(0, 3, 20)
    line, _, answers = np.column_stack([t, 2 * t]), None, np.sin(t)[:, None] + panel(1, 20, 3, missing=0)[2] * 0.1
    model = MultiSampleGP(SquaredExponential(1, [1, 1])).fit(line, answers)
    dense = DensePanel(model.kernel_, line, answers, model.noise_std_, level_std=level_of(model))
    assert model.log_evidence_ == pytest.approx(dense.log_evidence, abs=1e-7)


def test_spread_within_items():
    assert within_spread(np.array([[1.0, 3.0], [5.0, 5.0], [2.0, np.nan]])) == pytest.approx(1.0)
    assert within_spread(np.array([[1.0], [5.0]])) == pytest.approx(1.0)  # half of the standard deviation 2
    assert within_spread(np.array([[1.0, 1.0], [5.0, 5.0]])) == pytest.approx(1.0)


def test_clone_and_parameters():
    for Model in (MultiSampleGP, RepeatedGP, RaterGP, ObserverGP):
        name = "lengthscale" if Model is ObserverGP else "noise_std"
        model = clone(Model(max_iter=7).set_params(**{name: 0.7}))
        assert type(model) is Model and model.get_params()["max_iter"] == 7 and getattr(model, name) == 0.7
    model = MultiSampleGP(KERNEL, nugget_std=0.2, rng=0)
    before = model.get_params()
    model.fit(X, Y)
    assert all(model.get_params()[name] is value for name, value in before.items())


# --- Observations as an argument of LatentGP.fit --------------------------------------------------------


def observations(X, item, y, likelihood, minus=None):
    item = np.asarray(item)
    minus = np.full(len(item), -1) if minus is None else minus
    return Observations(X, ObservationMatrix(item, minus, len(X)), y, likelihood)


def test_observations_are_what_blocks_become():
    y = Z - Z.mean()
    ours = LatentGP(KERNEL, inference="exact", optimize=False).fit(
        observations(X, np.arange(len(X)), y, Gaussian(0.3))
    )
    theirs = LatentGP(KERNEL, inference="exact", optimize=False).fit(value_block(X, y, Gaussian(0.3)))
    assert ours.log_evidence_ == theirs.log_evidence_
    for inference in ("laplace", "ep", "variational"):
        y = np.where(np.median(Z) < Z, 1.0, -1.0)
        both = [
            LatentGP(KERNEL, inference=inference, optimize=False).fit(given).log_evidence_
            for given in (observations(X, np.arange(len(X)), y, Probit()), value_block(X, y, Probit()))
        ]
        assert both[0] == pytest.approx(both[1], rel=1e-10)


def test_an_item_without_an_answer_changes_nothing():
    y, most = Z[1:] - 5, np.arange(1, len(X))
    ours = LatentGP(KERNEL, inference="exact").fit(observations(X, most, y, Gaussian(0.3)))
    theirs = LatentGP(KERNEL, inference="exact").fit(value_block(X[1:], y, Gaussian(0.3)))
    assert ours.log_evidence_ == pytest.approx(theirs.log_evidence_, abs=1e-6)


@pytest.mark.parametrize(("X_given", "y"), [(X[:3], np.zeros(14)), (X, np.zeros(13))])
def test_observations_that_do_not_fit_are_refused(X_given, y):
    given = Observations(X_given, ObservationMatrix(np.arange(14), np.full(14, -1), 14), y, Gaussian(0.3))
    with pytest.raises(
        ValueError, match=rf"blocks has {len(X_given)} items and {len(y)} answers, but its views are 14"
    ):
        LatentGP(KERNEL, inference="exact").fit(given)


# --- what is refused ------------------------------------------------------------------------------------

HOLE_ROW, HOLE_COLUMN = Y.copy(), Y.copy()
HOLE_ROW[3], HOLE_COLUMN[:, 2] = np.nan, np.nan


BAD_TABLES = {
    "silent item": (HOLE_ROW, None, "row 3 of Y holds no answer: nobody answered to this item"),
    "silent rater": (HOLE_COLUMN, None, "column 2 of Y holds no answer: this rater gave none"),
    "sentinel": (np.tile([1, 2, -1], (14, 1)), None, "-1 is the only one below 0: does it stand for a missing"),
    "sentinel as float": (np.tile([1.0, 2.0, -1.0], (14, 1)), None, "np.where(Y < 0, np.nan, Y)"),
}


@pytest.mark.parametrize(("table", "scale", "message"), BAD_TABLES.values(), ids=BAD_TABLES)
def test_answers_that_cannot_be_are_refused(table, scale, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        answer_table(table, 14, scale)
    for model in (MultiSampleGP(scale=scale), RaterGP(scale=scale)):
        with pytest.raises(ValueError, match=re.escape(message)):
            model.fit(X, table)


def test_minus_one_may_be_an_answer():
    table = np.tile([1, 2, -1], (14, 1))
    np.testing.assert_array_equal(answer_table(table, 14, (-1, 2)), table)
    answer_table(np.where(table < 0, -1.5, table), 14)  # whole it is not
    answer_table(np.where(table < 2, table, -2), 14)  # and here something else is below 0
    answer_table(np.where(table == 2, 2.5, table), 14)  # nor are these whole numbers
    assert np.isnan(answer_table([[1, None], [2, 3]], 2)[0, 1])


def fitted(**settings):
    return MultiSampleGP(KERNEL, optimize=False, **settings).fit(X, Y)


BAD_CALLS = {
    "confidence": ("confidence is 1; a number strictly between 0 and 1", lambda: fitted().consensus_interval(1)),
    "scale None": ("scale must hold real numbers", lambda: validation.ends((None, 3), "scale")),
    "scale length": ("two finite numbers (low, high)", lambda: validation.ends((0, 1, 2), "scale")),
    "no scores": ("scores is None, and so is the model's scale", lambda: fitted().predict_scores(X)),
}


@pytest.mark.parametrize(("message", "call"), BAD_CALLS.values(), ids=BAD_CALLS)
def test_errors_name_the_argument(message, call):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


# --- a long table that comes as a wide one ------------------------------------------------------------------


def long_rows():
    """Ten items, rated by six people each: a row for each answer."""
    items, answers = X[:10], np.random.default_rng(0).normal(5.0, 1.0, size=(10, 6))
    return np.repeat(items, 6, axis=0), answers.ravel()


@pytest.mark.parametrize("model", [MultiSampleGP, RaterGP])
@pytest.mark.parametrize("column", [False, True])
def test_a_long_table_in_place_of_a_wide_one_is_noticed(model, column):
    rows, answers = long_rows()
    with pytest.warns(LongTableWarning, match=r"only 10 of the 60 rows of X differ.*table = from_long\(frame, item=…"):
        model(KERNEL, optimize=False, noise_std=1.0).fit(rows, answers[:, None] if column else answers)


def test_equal_rows_are_no_sign_where_there_are_few_or_several_raters():
    rows, answers = long_rows()
    model = MultiSampleGP(KERNEL, optimize=False, noise_std=1.0)
    wide = np.column_stack([answers, answers + 1.0])
    half = np.arange(len(rows)) % 6 == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error", LongTableWarning)
        model.fit(rows, wide)
        model.fit(rows[half], answers[half])
        model.fit(rows[[0, 0, 6, 6]], answers[:4])
        twice = np.concatenate([rows[half], rows[:8]])
        model.fit(twice, answers[: len(twice)])


def test_a_whole_number_that_no_float_holds_is_named():
    with pytest.raises(ValueError, match="Y holds a whole number beyond 1e308"):
        MultiSampleGP().fit([[0.0], [1.0]], [[10**400, None], [1, 2]])
