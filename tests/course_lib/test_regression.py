"""GP regression: against dense algebra and scikit-learn, in the corners, and with pseudo-inputs."""

import tracemalloc
import warnings

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.utils.estimator_checks import check_estimator

from course_lib import gp
from course_lib.gp.inducing import InducingPrior, inducing_inputs
from course_lib.gp.inference.exact import evidence_in_place
from course_lib.gp.inference.sparse import fitc
from course_lib.gp.sites import JitterWarning, symmetric_root
from course_lib.gp.starts import highest_peaks, period_starts
from tests.course_lib.gp_oracles import log_normal, slopes

SE = gp.SquaredExponential
STILL = {"optimize": False, "center": False}


def surface(n, seed=0, noise=0.2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] + noise * rng.normal(size=n)


# --------------------------------------------------------------------------------------------------- against others


def test_fixture_of_the_known_mistakes():
    model = gp.GPRegression(SE(1.0, 0.5), noise_std=0.3, **STILL).fit([-1.0, 0.0, 2.0], [1.0, 2.0, 0.0])
    mean, std = model.predict([1.0], return_std=True)
    assert (mean[0], std[0] ** 2, model.log_evidence_) == pytest.approx((0.2367, 0.9662, -4.9764), abs=5e-5)
    assert model.predict_answer([1.0])[1][0] ** 2 == pytest.approx(1.0562, abs=5e-5)


def test_the_same_numbers_as_scikit_learn():
    X, y = surface(60)
    X_new = np.random.default_rng(1).normal(size=(7, 2))
    theirs = GaussianProcessRegressor(ConstantKernel(1.3) * RBF([0.7, 1.5]) + WhiteKernel(0.09)).fit(X, y)
    ours = gp.GPRegression(SE(1.3, [0.7, 1.5]), noise_std=0.3, center=False).fit(X, y)
    assert ours.converged_
    assert ours.log_evidence_ == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-4)
    mean, cov = theirs.predict(X_new, return_cov=True)
    got_mean, got_cov = ours.predict(X_new, return_cov=True)
    assert np.allclose(got_mean, mean, atol=2e-3)
    assert np.allclose(got_cov + ours.noise_std_**2 * np.eye(7), cov, atol=2e-3)
    assert np.allclose(ours.predict_answer(X_new)[1], np.sqrt(cov.diagonal()), atol=2e-3)
    assert np.allclose(ours.predict(X_new), got_mean)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=1e-3)


@pytest.mark.parametrize("n", [1, 2, 255, 256, 257, 600])
def test_the_evidence_in_place_for_any_number_of_blocks(n):
    rng = np.random.default_rng(n)
    X, tau, nu = rng.normal(size=(n, 2)), rng.uniform(0.5, 4, size=n), rng.normal(size=n)
    kernel = SE(1.3, [0.7, 1.5]) + gp.White(0.2)
    value, gradient, mean, variance = evidence_in_place(kernel, X, tau, nu)
    covariance = kernel(X) + np.diag(1 / tau)
    assert value == pytest.approx(log_normal(nu / tau, covariance), rel=1e-9)
    numbers = slopes(lambda t: evidence_in_place(kernel.with_theta(t), X, tau, nu)[0], kernel.theta)
    assert np.allclose(gradient, numbers, rtol=1e-5, atol=1e-6)
    inverse = np.linalg.inv(covariance)
    assert np.allclose(mean, kernel(X) @ inverse @ (nu / tau), atol=1e-8)
    assert np.allclose(variance, (kernel(X) - kernel(X) @ inverse @ kernel(X)).diagonal(), atol=1e-8)


def test_one_matrix_of_memory():
    X, y = surface(1500)
    tracemalloc.start()
    evidence_in_place(SE(1.3, [0.7, 1.5]), X, np.full(1500, 4.0), 4.0 * y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2.2 * 8 * 1500**2


def test_repeated_answers_equal_repeated_rows():
    X, y = surface(10)
    Y = y[:, None] + 0.3 * np.random.default_rng(0).normal(size=(10, 4))
    Y[2, 1:] = np.nan
    Y[5] = np.nan
    rows, column = np.nonzero(~np.isnan(Y))
    table = gp.GPRegression(SE(1.3, 0.7), noise_std=0.3, **STILL).fit(X, Y)
    flat = gp.GPRegression(SE(1.3, 0.7), noise_std=0.3, **STILL).fit(X[rows], Y[rows, column])
    answers = Y[rows, column]
    dense = log_normal(answers, SE(1.3, 0.7)(X[rows], X[rows]) + 0.09 * np.eye(len(answers)))
    assert table.log_evidence_ == pytest.approx(dense, abs=1e-9)
    assert flat.log_evidence_ == pytest.approx(dense, abs=1e-9)
    assert len(table.observations_.X) == 9


# ---------------------------------------------------------------------------------------------------------- corners


def test_a_single_point():
    model = gp.GPRegression(SE(2.0, 1.0), noise_std=0.5, **STILL).fit([[1.0]], [3.0])
    assert model.log_evidence_ == pytest.approx(norm.logpdf(3.0, 0, np.sqrt(2.25)))
    assert model.predict([[1.0]])[0] == pytest.approx(3.0 * 2 / 2.25)


def test_duplicates_collinear_inputs_and_hardly_any_noise():
    x = np.repeat(np.linspace(0, 1, 10), 2)
    X = np.stack([x, 2 * x, np.ones(20)], axis=1)
    model = gp.GPRegression(SE(1.0, 0.5), noise_std=1e-6, **STILL).fit(X, np.sin(3 * x))
    assert np.allclose(model.predict(X), np.sin(3 * x), atol=1e-5)
    assert np.isfinite(model.log_evidence_)


def test_equal_answers():
    with np.errstate(all="raise"):
        model = gp.GPRegression(SE(1.0, 1.0), noise_std=0.1, optimize=False).fit(np.arange(5.0), np.full(5, 7.0))
    assert np.allclose(model.predict([2.5, 100.0]), 7.0)


def test_far_away_the_prior_speaks_and_the_level_comes_back():
    """The level is the generalised least squares' one: Rasmussen & Williams (2006), section 2.7, for a vague prior."""
    X, y = surface(30)
    model = gp.GPRegression(SE(1.0, 1.0), noise_std=0.3, optimize=False).fit(X, y + 50)
    mean, std = model.predict([[100.0, 100.0]], return_std=True)
    told = np.linalg.inv(SE(1.0, 1.0)(X) + 0.09 * np.eye(30))
    assert mean[0] == pytest.approx((told @ (y + 50)).sum() / told.sum(), abs=0.01)
    assert std[0] == pytest.approx(np.sqrt(1.0 + 1.0 / told.sum()), rel=0.001)
    assert model.offset_ == pytest.approx((y + 50).mean()) and model.kernel_ == SE(1.0, 1.0)
    held = gp.GPRegression(SE(1.0, 1.0), noise_std=0.3, **STILL).fit(X, y).predict([[100.0, 100.0]], return_std=True)
    assert np.ravel(held) == pytest.approx([0.0, 1.0])


def test_the_level_of_a_curve_has_the_dense_evidence_and_slopes():
    X, y = surface(20)
    model = gp.GPRegression(SE(1.0, 1.0) + gp.White(0.05), noise_std=0.3, optimize=False).fit(X, y + 50)
    covariance = model.kernel_(X) + (10.0 * y.std()) ** 2 + 0.09 * np.eye(20)
    assert model.log_evidence_ == pytest.approx(log_normal(y - y.mean(), covariance), abs=1e-8)
    theta = np.append(model.kernel_.theta, np.log(0.3))
    numeric = slopes(lambda t: model.evidence_at(t)[0], theta)
    np.testing.assert_allclose(model.evidence_at(theta)[1], numeric, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("x", [np.zeros(4), np.arange(4.0)], ids=["equal inputs", "apart"])
def test_the_level_is_known_no_better_than_by_the_noise(x):
    """Of y = 1 2 3 4 the mean is 2.5 ± s/√n: no kernel variance, however small, takes that away."""
    small = SE(1e-9, 1.0).with_priors(variance=gp.Fixed(), lengthscale=gp.Fixed())
    mean, std = gp.GPRegression(small).fit(x, np.arange(1.0, 5.0)).predict(x, return_std=True)
    assert np.allclose(mean, 2.5) and np.allclose(std, np.std(np.arange(4.0), ddof=1) / 2.0, rtol=0.01)


def test_log_predictive_density_is_that_of_the_next_measurement():
    X, y = surface(30)
    model = gp.GPRegression(SE(1.0, 1.0), noise_std=0.3, optimize=False).fit(X, y + 5)
    mean, std = model.predict_answer(X[:3] + 0.1)
    assert np.allclose(model.log_predictive_density(X[:3] + 0.1, y[:3] + 5), norm.logpdf(y[:3] + 5, mean, std))


def test_the_white_kernel_is_noise_that_predictions_of_other_items_keep():
    X, y = surface(20)
    nugget = gp.GPRegression(SE(1.0, 1.0) + gp.White(0.05), noise_std=0.2, **STILL).fit(X, y)
    plain = gp.GPRegression(SE(1.0, 1.0), noise_std=np.sqrt(0.09), **STILL).fit(X, y)
    assert nugget.log_evidence_ == pytest.approx(plain.log_evidence_)
    assert np.allclose(nugget.predict(X + 0.1), plain.predict(X + 0.1))
    as_new, std = nugget.predict(X, return_std=True)
    assert np.allclose(as_new, plain.predict(X))
    assert std[0] ** 2 == pytest.approx(plain.predict(X, return_std=True)[1][0] ** 2 + 0.05)


def test_an_item_of_the_fit_keeps_what_the_white_kernel_gave_to_it():
    X, y = surface(20)
    model = gp.GPRegression(SE(1.0, 1.0) + gp.White(0.05), noise_std=0.2, center=False, optimize=False).fit(X, y)
    smooth, K = SE(1.0, 1.0)(X), SE(1.0, 1.0)(X) + 0.05 * np.eye(20)
    told = np.linalg.inv(K + 0.04 * np.eye(20))
    assert np.allclose(model.predict(model.items_), K @ told @ y, atol=1e-10)
    assert np.allclose(model.predict(X), smooth @ told @ y, atol=1e-10)
    rows = model.items_[[0, 1, 2, 1]].with_new(X[[0, 1, 0]] + 0.1)  # row 3 is item 1; 4 and 6 are two new ones
    same = np.array([0, 1, 2, 1, -1, -2, -3])
    cross = SE(1.0, 1.0)(X, rows.X) + 0.05 * (np.arange(20)[:, None] == same)
    prior = SE(1.0, 1.0)(rows.X) + 0.05 * (same[:, None] == same)
    mean, cov = model.predict(rows, return_cov=True)
    assert np.allclose(mean, cross.T @ told @ y, atol=1e-10)
    assert np.allclose(cov, prior - cross.T @ told @ cross, atol=1e-10)
    assert np.allclose(model.predict(rows, return_std=True)[1], np.sqrt(cov.diagonal()), atol=1e-10)
    assert model.predict_difference(rows, [(1, 3), (4, 6)])[1] == pytest.approx([0.0, np.sqrt(0.1)], abs=1e-6)


def test_a_fixed_noise_stays():
    X, y = surface(30)
    model = gp.GPRegression(SE(1.0, 1.0), noise_std=0.4, noise_prior=gp.Fixed()).fit(X, y)
    assert model.noise_std_ == 0.4


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda X, y: gp.GPRegression(gp.White(1.0), inducing=50, inference="fitc").fit(X, y), "more than the 12"),
        (lambda X, y: gp.GPRegression(inducing=3).fit(X, y), "inducing inputs go with"),
        (
            lambda X, y: gp.GPRegression(inducing=np.ones((2, 5)), inference="fitc").fit(X, y),
            "inducing has 5 features",
        ),
        (
            lambda X, y: gp.GPRegression(optimize=False).fit(X, y).predict(X, return_std=True, return_cov=True),
            "choose one",
        ),
    ],
)
def test_errors_say_what_came_and_what_is_needed(act, words):
    with pytest.raises(ValueError, match=words):
        act(*surface(12))


# ------------------------------------------------------------------------------------------- where the search begins


@pytest.mark.parametrize("unit", [1.0, 1e-3, 1e3])
@pytest.mark.parametrize("seed", range(2))
def test_a_period_is_found_from_any_start(unit, seed):
    """With the default start, a sine of period 6 was taken for noise: evidence −171, and −26 from the true period."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 30, 80))
    y = 3 * np.sin(2 * np.pi * x / 6) + 0.3 * rng.normal(size=80)
    model = gp.GPRegression(gp.Periodic()).fit(unit * x, y)
    best = gp.GPRegression(gp.Periodic(9.0, 1.0, 6.0 * unit)).fit(unit * x, y)
    assert model.kernel_.period == pytest.approx(6 * unit, rel=0.02)
    assert model.log_evidence_ == pytest.approx(best.log_evidence_, abs=1e-3)


def test_each_of_several_periods_is_found():
    rng = np.random.default_rng(3)
    x = np.linspace(0, 25, 70)
    y = 0.3 * x + np.sin(2 * np.pi * x / 7) + 0.7 * np.sin(2 * np.pi * x / 2.3) + 0.1 * rng.normal(size=70)
    kernel = gp.Periodic(1.0, 2.0, 1.0) + gp.Periodic(1.0, 2.0, 1.0) + gp.Linear(0.1)
    model = gp.GPRegression(kernel).fit(x, y)
    assert sorted(part.period for part in model.kernel_.children[:2]) == pytest.approx([2.3, 7.0], rel=0.02)


def test_a_fixed_period_and_data_without_a_wave_are_left_alone():
    X, y = np.arange(12.0), np.sin(np.arange(12.0))
    held = gp.GPRegression(gp.Periodic(period=5.0).with_priors(period=gp.Fixed())).fit(X, y)
    assert held.kernel_.period == 5.0
    assert highest_peaks(np.ones((12, 1)), y) == [] == highest_peaks(X[:, None], 3.0 + 2.0 * X)
    assert len(period_starts(gp.Periodic(), X[:3, None], y[:3])) == 1


def test_answers_taken_for_noise_alone_are_named():
    rng = np.random.default_rng(0)
    with pytest.warns(UserWarning, match=r"noise alone.*n_restarts"):
        gp.GPRegression().fit(np.sort(rng.uniform(0, 30, 40)), rng.normal(size=40))


def test_the_advice_for_answers_without_noise_or_all_equal_helps():
    x = np.linspace(0, 10, 30)
    with pytest.warns(ConvergenceWarning, match=r"hardly any noise.*Fixed"):
        gp.GPRegression().fit(x, np.sin(x))
    with pytest.warns(UserWarning, match=r"all 30 answers are 3: .*optimize=False"):
        gp.GPRegression().fit(x, np.full(30, 3.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gp.GPRegression(noise_std=1e-3, noise_prior=gp.Fixed()).fit(x, np.sin(x)).converged_
        assert np.allclose(gp.GPRegression(optimize=False).fit(x, np.full(30, 3.0)).predict(x), 3.0)


def test_a_known_noise_of_each_answer_goes_the_way_that_the_error_names():
    X, y = surface(12)
    each = np.linspace(0.05, 0.5, 12)
    with pytest.raises(ValueError, match=r"noise_std has shape \(12,\).*np.arange\(len\(y\)\)"):
        gp.GPRegression(noise_std=each).fit(X, y)
    noise = gp.Gaussian(each, np.arange(len(y))).with_priors(noise_std=gp.Fixed())
    model = gp.LatentGP(SE(1.0, 1.0), inference="exact", optimize=False).fit(gp.values(X, y, noise))
    K = SE(1.0, 1.0)(X)
    assert np.allclose(model.predict_latent(X)[0], K @ np.linalg.solve(K + np.diag(each**2), y))


# ---------------------------------------------------------------------------------------------------- pseudo-inputs


def inducing(inference, Z, X, y, **options):
    return gp.GPRegression(SE(1.3, 0.9), noise_std=0.3, inference=inference, inducing=Z, **{**STILL, **options}).fit(
        X, y
    )


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("inference", ["variational", "fitc"])
@pytest.mark.parametrize("noise", 10.0 ** -np.arange(1, 6))
def test_inducing_inputs_at_all_items_lose_nothing_or_say_so(noise, inference, moving):
    """Five items that tell apart, and forty of which some eigenvalues are rounding; three answers to each."""
    for n, told in ((5, False), (40, bool(noise < (1e-3 if moving else 3e-5)))):
        rng = np.random.default_rng(n)
        X, kernel = np.linspace(0.0, 4.0, n)[:, None], SE(1.3, 0.9)
        f = symmetric_root(kernel(X)) @ rng.normal(size=n)
        blocks = gp.values(X, f[:, None] + noise * rng.normal(size=(n, 3)), gp.Gaussian(noise))
        exact = gp.LatentGP(kernel, inference="exact", optimize=False).fit(blocks)
        sparse = gp.LatentGP(kernel, inference=inference, inducing=X, learn_inducing=moving, optimize=False)
        with warnings.catch_warnings(record=True) as caught:
            sparse.fit(blocks)
        assert [warning.category for warning in caught] == [JitterWarning] * told
        assert told or sparse.log_evidence_ == pytest.approx(exact.log_evidence_, rel=1e-6, abs=1e-6)
        assert (sparse.jitter_ > 0) == (n == 40)
        for one, other in zip(sparse.predict_latent(X), exact.predict_latent(X), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-3 * noise + 1e-5 * told)
        np.testing.assert_allclose(sparse.item_moments()[1], exact.item_moments()[1], atol=1e-8)


def test_both_evidences_against_their_definitions():
    X, y = surface(25)
    Z, kernel = X[:6] + 0.1, SE(1.3, 0.9)
    Q = kernel(X, Z) @ np.linalg.solve(kernel(Z), kernel(Z, X))
    open_ = kernel.diagonal(X) - Q.diagonal()
    bound = log_normal(y, Q + 0.09 * np.eye(25)) - 0.5 * open_.sum() / 0.09
    assert inducing("variational", Z, X, y).log_evidence_ == pytest.approx(bound, abs=1e-6)
    dense = log_normal(y, Q + np.diag(open_ + 0.09))
    model = inducing("fitc", Z, X, y)
    assert model.log_evidence_ == pytest.approx(dense, abs=1e-6)
    new = X[:4] + 0.5
    q_new = kernel(new, Z) @ np.linalg.solve(kernel(Z), kernel(Z, X))
    mean = q_new @ np.linalg.solve(Q + np.diag(open_ + 0.09), y)
    assert np.allclose(model.predict(new), mean, atol=1e-7)


@pytest.mark.parametrize("inference", ["variational", "fitc"])
def test_gradients_with_the_places_of_the_inducing_inputs(inference):
    X, y = surface(25)
    model = inducing(inference, X[:6] + 0.1, X, y, learn_inducing=True)
    theta = np.concatenate([model.kernel_.theta, model.likelihood_.theta, model.inducing_.ravel()])
    value, gradient = model.evidence_at(theta)
    assert value == pytest.approx(model.log_evidence_)
    assert len(gradient) == 3 + 12
    assert np.allclose(
        gradient, slopes(lambda t: model.evidence_at(t)[0], theta), atol=1e-5 * (1 + np.abs(gradient).max())
    )


def test_gradients_of_the_bound_for_choices_and_outliers():
    X, y = surface(25)
    rng = np.random.default_rng(4)
    pairs = np.array([(a, b) for a, b in rng.integers(0, 25, size=(150, 2)) if a != b])
    choices = np.where(y[pairs[:, 1]] > y[pairs[:, 0]], 1, -1)
    some = [gp.values(X, y, gp.StudentT(0.3, 4.0)), gp.differences(X, pairs, choices, gp.Probit())]
    model = gp.LatentGP(
        SE(1.3, 0.9), inference="variational", inducing=X[:6] + 0.1, learn_inducing=True, optimize=False
    ).fit(some)
    theta = np.concatenate([model.kernel_.theta, model.likelihood_.theta, model.inducing_.ravel()])
    gradient = model.evidence_at(theta)[1]
    expected = slopes(lambda t: model.evidence_at(t)[0], theta)
    assert np.allclose(gradient, expected, atol=1e-5 * (1 + np.abs(expected).max()))
    full = gp.LatentGP(SE(1.3, 0.9), inference="variational", optimize=False).fit(some)
    assert model.log_evidence_ < full.log_evidence_


def test_the_bound_stays_below_the_evidence_and_more_inducing_inputs_help():
    X, y = surface(80)
    exact = gp.GPRegression(SE(1.3, 0.9), noise_std=0.3, **STILL).fit(X, y)
    bounds = [inducing("variational", X[:m], X, y).log_evidence_ for m in (3, 10, 30, 60)]
    assert (np.diff(bounds) > -1e-9).all()
    assert bounds[-1] <= exact.log_evidence_ + 1e-6


def test_learned_places_raise_both_evidences():
    X, y = surface(60)
    for inference in ("variational", "fitc"):
        model = inducing(inference, X[:5], X, y, learn_inducing=True, optimize=True)
        assert model.log_evidence_ > inducing(inference, X[:5], X, y, optimize=True).log_evidence_
        assert not np.allclose(model.inducing_, X[:5])


def test_inducing_inputs_are_chosen_among_clusters_and_repeatably():
    X, _ = surface(300)
    Z = inducing_inputs(12, X, 0)
    assert Z.shape == (12, 2)
    assert np.array_equal(Z, inducing_inputs(12, X, 0))
    assert (Z.min(axis=0) >= X.min(axis=0)).all()


def test_fitc_needs_gaussian_noise_and_inducing_inputs():
    X, y = surface(5)
    observed = gp.stack(gp.values(X, np.sign(y), gp.Probit()))
    prior = InducingPrior(SE(1.0, 1.0), observed.X, observed.views, X[:2])
    with pytest.raises(ValueError, match="Gaussian noise"):
        fitc(prior, observed.y, gp.Probit())


def test_twenty_thousand_points():
    X, y = surface(20_000)
    model = gp.GPRegression(SE(1.0, 1.0), noise_std=0.3, inference="variational", inducing=40, rng=0, max_iter=30)
    with np.errstate(all="ignore"):
        model = model.set_params(optimize=False).fit(X, y)
    assert model.score(X, y) > 0.8


# ------------------------------------------------------------------------------------------ scikit-learn's conventions


IN_OTHER_WORDS = "refused too, with words that name the argument and say what to do"
NOT_TAKEN_OVER = {
    "check_n_features_in_after_fitting": IN_OTHER_WORDS,
    "check_complex_data": IN_OTHER_WORDS,
    "check_dtype_object": "an array of objects is refused even where numbers are in it",
    "check_estimators_empty_data_messages": IN_OTHER_WORDS,
    "check_estimators_nan_inf": IN_OTHER_WORDS,
    "check_estimator_sparse_tag": IN_OTHER_WORDS,
    "check_estimator_sparse_array": IN_OTHER_WORDS,
    "check_estimator_sparse_matrix": IN_OTHER_WORDS,
    "check_supervised_y_2d": "y (n, R) is R answers to each item",
    "check_fit1d": "X (n,) is one column, as everywhere here",
    "check_fit2d_predict1d": IN_OTHER_WORDS,
    "check_requires_y_none": IN_OTHER_WORDS,
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_s_own_checks_of_an_estimator():
    check_estimator(gp.GPRegression(), expected_failed_checks=NOT_TAKEN_OVER)
