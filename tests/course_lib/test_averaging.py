"""Hyper-parameters averaged over: against quadrature, against what is known, and against the plugged-in model."""

import numpy as np
import pytest
from scipy.stats import norm

from course_lib import gp
from course_lib.gp.averaging import few_draws, mixed_moments
from course_lib.judgments import BoundedGP, MultiSampleGP, PreferenceGP, RaterGP
from tests.course_lib.panel_oracles import panel

SE, HELD = gp.SquaredExponential, gp.Fixed()
X, Z, Y = panel(0, n=12, R=4, noise_std=0.4)
X_NEW = np.random.default_rng(1).uniform(0, 3, (5, 2))


def test_one_free_parameter_by_quadrature():
    """∫ p(f | y, σ) p(y | σ) p(σ) dσ on a grid: with the prior of σ as the library writes it, that of σ itself."""
    kernel = SE(1.0, 1.2).with_priors(variance=HELD, lengthscale=HELD)
    prior = gp.Gamma(3, 8)
    blocks = gp.values(X[:8], Y[:8, 1], gp.Gaussian(0.4).with_priors(noise_std=prior))
    model = gp.LatentGP(kernel, inference="exact").fit(blocks)
    grid = np.exp(np.linspace(-5, 2, 400))
    parts, heights = [], []
    for sigma in grid:
        known = gp.LatentGP(kernel, inference="exact", optimize=False).fit(
            gp.values(X[:8], Y[:8, 1], gp.Gaussian(sigma))
        )
        parts.append(known.predict_latent(X_NEW))
        heights.append(known.log_evidence_ + prior.log_density(np.array([sigma]))[0].item())
    shares = np.exp(heights - np.max(heights)) * grid  # dσ = σ d log σ
    mean, std = mixed_moments(shares / shares.sum(), parts, False)
    averaged = model.averaged(2000, rng=0)
    np.testing.assert_allclose(averaged.predict_latent(X_NEW), (mean, std), rtol=0.02, atol=0.02)
    noise = np.sqrt(shares @ grid**2 / shares.sum())
    assert averaged.likelihood_.noise_std == pytest.approx(noise, rel=0.05)


def test_where_the_greatest_evidence_is_at_no_variance_at_all():
    """Of noise alone evidence says that f is 0 and surely so; the average over its variance, by a grid, does not."""
    y = np.random.default_rng(4).normal(size=8)
    kernel, noise = SE(1.0, 1.2).with_priors(lengthscale=HELD), gp.Gaussian(1.0).with_priors(noise_std=HELD)
    model = gp.LatentGP(kernel, inference="exact").fit(gp.values(X[:8], y, noise))
    assert model.kernel_.variance < 1e-3 and (model.predict_latent(X_NEW)[1] < 0.05).all()
    grid, parts, heights = np.exp(np.linspace(-12, 9, 200)), [], []
    for variance in grid:
        known = gp.LatentGP(SE(variance, 1.2), inference="exact", optimize=False).fit(gp.values(X[:8], y, noise))
        parts.append(known.predict_latent(X_NEW))
        heights.append(known.log_evidence_ - 2 * np.log1p(variance / 10))  # the search began at 1: large is 10
    shares = np.exp(heights - np.max(heights)) * grid
    expected = mixed_moments(shares / shares.sum(), parts, False)
    np.testing.assert_allclose(model.averaged(1000, rng=0).predict_latent(X_NEW), expected, rtol=0.05, atol=0.03)
    assert (model.averaged(rng=0).predict_latent(X_NEW)[1] > 0.2).all()


def test_a_lengthscale_is_averaged_over_by_its_inverse():
    """∫ … d(1/ℓ) on a grid: short lengthscales, of which f is less surely known, count as 1/ℓ goes."""
    y, noise = Z - Z.mean(), gp.Gaussian(0.1).with_priors(noise_std=HELD)
    kernel = SE(1.0, 1.2).with_priors(variance=HELD)
    model = gp.LatentGP(kernel, inference="exact").fit(gp.values(X, y, noise))
    grid, parts, heights = np.exp(np.linspace(-9, 9, 300)), [], []
    for lengthscale in grid:
        known = gp.LatentGP(SE(1.0, lengthscale), inference="exact", optimize=False)
        known.fit(gp.values(X, y, noise))
        parts.append(known.predict_latent(X_NEW))
        heights.append(known.log_evidence_ - 2 * np.log1p(1.2 / lengthscale / 10))
    shares = np.exp(heights - np.max(heights)) / grid  # d(1/ℓ) = d log ℓ / ℓ
    expected = mixed_moments(shares / shares.sum(), parts, False)
    np.testing.assert_allclose(model.averaged(1000, rng=0).predict_latent(X_NEW), expected, rtol=0.05, atol=0.03)


def test_a_panel_whose_items_seem_equal_does_not_say_that_they_are():
    """Where ML-II puts the spread of the items at 0, every contrast would be 0 ± 0."""
    rng, items = np.random.default_rng(0), np.eye(6)
    answers = 0.3 * rng.normal(size=6)[:, None] + rng.normal(size=(6, 4)) * [0.8, 1.0, 1.2, 1.4]
    model = RaterGP(gp.White(1.0), pooling=0.5).fit(items, answers - answers.mean(axis=1, keepdims=True))
    assert model.kernel_.variance < 1e-3
    low, high = model.averaged(rng=0).difference_interval(items, [(0, 1), (2, 5)])
    assert (high - low > 0.3).all()


def test_which_parameters_have_a_prior():
    flat = gp.White(0.1).with_priors(variance=gp.Flat())
    kernel = SE(1.0, [1.0, 2.0]).with_priors(lengthscale=gp.Gamma(3, 8)) + flat
    assert list(kernel.have_priors) == [False, True, True, False]
    shared = gp.Gaussian(0.4).with_priors(noise_std=gp.Gamma(3, 8)).sharing(noise_std="sigma")
    model = gp.LatentGP(kernel, inference="exact", optimize=False)
    model.fit([gp.values(X, Y[:, 0], shared), gp.values(X, Y[:, 1], shared)])
    assert list(model._hyperparameters().have_priors) == [False, True, True, False, True]


def test_moments_of_a_mixture_by_monte_carlo():
    rng, shares = np.random.default_rng(0), np.array([0.2, 0.5, 0.3])
    means, roots = rng.normal(size=(3, 2)), rng.normal(size=(3, 2, 2))
    parts = [(m, r @ r.T) for m, r in zip(means, roots, strict=True)]
    who = rng.choice(3, size=200_000, p=shares)
    drawn = means[who] + np.einsum("nij,nj->ni", roots[who], rng.normal(size=(len(who), 2)))
    mean, covariance = mixed_moments(shares, parts, True)
    np.testing.assert_allclose(mean, drawn.mean(axis=0), atol=0.02)
    np.testing.assert_allclose(covariance, np.cov(drawn.T), atol=0.05)
    stds = [(m, np.sqrt(c.diagonal())) for m, c in parts]
    np.testing.assert_allclose(mixed_moments(shares, stds, False), (mean, np.sqrt(covariance.diagonal())))


def test_few_draws_are_as_wide_as_the_next_one_wants():
    """Of a thousand times 40 weighed draws, about ten count: ±1 s holds 68 % of next ones, and less bare."""
    rng, held = np.random.default_rng(0), np.empty((1000, 2))
    for row in held:
        draws, logs = rng.normal(size=40), 1.3 * rng.normal(size=40)
        shares = np.exp(logs) / np.exp(logs).sum()
        parts = [(one, np.zeros(1)) for one in draws[:, None]]
        for k, between in enumerate((1.0, few_draws(shares))):
            mean, std = mixed_moments(shares, parts, False, between)
            row[k] = (norm.cdf(mean + std) - norm.cdf(mean - std)).item()
    bare, wide = held.mean(axis=0)
    assert bare < 0.63 < 0.66 < wide < 0.70
    assert few_draws(np.full(8, 1 / 8)) == pytest.approx(9 / 7) and few_draws(np.ones(1)) == 1.0


def test_where_all_is_known_there_is_nothing_to_average():
    kernel = SE(1.0, 1.2).with_priors(variance=HELD, lengthscale=HELD)
    model = gp.GPRegression(kernel, noise_std=0.4, noise_prior=HELD).fit(X, Y)
    averaged = model.averaged(4, rng=0)
    np.testing.assert_allclose(averaged.predict_latent(X_NEW), model.predict_latent(X_NEW))
    assert averaged.likelihood_ == model.likelihood_


MODELS = {
    "GPRegression": lambda: (gp.GPRegression(SE(1.0, 1.2)).fit(X, Y), (X_NEW,)),
    "MultiSampleGP": lambda: (MultiSampleGP(SE(1.0, 1.2), nugget_std=0.2).fit(X, Y), (X_NEW,)),
    "RaterGP": lambda: (RaterGP(SE(1.0, 1.2), pooling=0.5).fit(X, Y), (X_NEW,)),
    "RaterGP, biases": lambda: (RaterGP(SE(1.0, 1.2), bias_std=0.5, pooling=0.5).fit(X, Y), (X_NEW,)),
    "BoundedGP": lambda: (BoundedGP(SE(1.0, 1.2), high=10.0).fit(X, Y), (X_NEW,)),
    "PreferenceGP": lambda: (
        PreferenceGP(SE(1.0, 1.2)).fit(X, PAIRS, CHOICES),
        (X_NEW, [(0, 1), (2, 3)]),
    ),
}
PAIRS = np.array([(a, b) for a in range(12) for b in range(a) if (a + b) % 3])
# Answers that contradict each other now and then: else evidence puts no end to the variance, and the average one.
CHOICES = np.sign(np.diff(Z[PAIRS])[:, 0] + 0.7 * np.random.default_rng(2).normal(size=len(PAIRS)))


@pytest.mark.parametrize("name", MODELS)
def test_averaged_models_answer_the_same_questions_less_surely(name):
    model, asked = MODELS[name]()
    averaged = model.averaged(20, rng=0)
    assert type(averaged) is type(model) and not model.latent_.members_
    assert averaged.log_evidence_ == model.log_evidence_ and averaged.kernel_ == model.kernel_
    (mean, std), (mean_too, wider) = model.predict_latent(X_NEW), averaged.predict_latent(X_NEW)
    assert wider.mean() > std.mean()
    np.testing.assert_allclose(mean_too, mean, atol=2 * std.max())
    _, covariance = averaged.predict_latent(X_NEW, return_cov=True)
    np.testing.assert_allclose(covariance.diagonal(), wider**2)
    pairs = [(0, 1), (2, 3)]
    contrast = covariance[[0, 2], [0, 2]] + covariance[[1, 3], [1, 3]] - 2 * covariance[[0, 2], [1, 3]]
    np.testing.assert_allclose(averaged.predict_difference(X_NEW, pairs)[1] ** 2, contrast)
    for low, high in (averaged.answer_interval(*asked), averaged.difference_interval(X_NEW, pairs)):
        assert (low < high).all()
    assert averaged.ranking(X_NEW, rng=0).best.sum() == pytest.approx(1.0)
    again = model.averaged(20, rng=0)
    np.testing.assert_array_equal(again.predict_latent(X_NEW), averaged.predict_latent(X_NEW))


def test_what_a_panel_reports_is_averaged_too():
    model = MODELS["RaterGP, biases"]()[0]
    averaged = model.averaged(40, rng=0)
    mean, covariance = averaged.latent_.item_moments()
    np.testing.assert_allclose(averaged.consensus_, mean[:12] + model.offset_)
    np.testing.assert_allclose(averaged.consensus_std_, np.sqrt(covariance.diagonal()[:12]))
    np.testing.assert_allclose(averaged.predict(X, return_std=True), (averaged.consensus_, averaged.consensus_std_))
    np.testing.assert_allclose(averaged.rater_bias_, -mean[12:])
    for centred in (False, True):
        widths = [np.diff(m.consensus_interval(centred=centred), axis=0).mean() for m in (model, averaged)]
        assert widths[0] < widths[1] < 3 * widths[0]
        assert np.diff(averaged.bias_interval(centred=centred), axis=0).mean() > 0
    low, high = averaged.rater_interval()
    assert (low < averaged.rater_std_).all() and (averaged.rater_std_ < high).all()
    logs = np.log([member.likelihood_.total_std for member in averaged.latent_.members_])
    shares = averaged.latent_.shares_
    spread = np.sqrt(few_draws(shares) * (shares @ (logs - shares @ logs) ** 2))
    np.testing.assert_allclose(np.log(high / low)[0], 2 * 1.644854 * spread, rtol=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_items_of_the_fit_have_the_same_moments_beside_a_new_one(name):
    """Beside it each member is asked; by themselves they are found in what was asked of the members once."""
    latent = MODELS[name]()[0].averaged(10, rng=0).latent_
    rows = latent.observations_.X[[4, 0, 7]]
    beside = np.vstack([rows, rows[:1] + 0.1 * (np.arange(rows.shape[1]) == 0)])
    (mean, cov), (more, wider) = (latent.predict_latent(asked, return_cov=True) for asked in (rows, beside))
    np.testing.assert_allclose(mean, more[:3], atol=1e-10)
    np.testing.assert_allclose(cov, wider[:3, :3], atol=1e-10)
    np.testing.assert_allclose(latent.predict_latent(rows)[1] ** 2, cov.diagonal())


def test_a_new_fit_forgets_what_was_averaged():
    averaged = MODELS["GPRegression"]()[0].averaged(4, rng=0)
    first = averaged.predict_latent(X)[0]
    averaged.fit(X, Y)
    np.testing.assert_array_equal(averaged.predict_latent(X_NEW), MODELS["GPRegression"]()[0].predict_latent(X_NEW))
    again = averaged.fit(X, 2.0 * Y).averaged(4, rng=0).predict_latent(X)[0]
    assert np.abs(again - first).max() > 0.5


def test_a_signed_parameter_is_no_logarithm():
    rows, kernel = (
        np.column_stack([X, np.arange(12) % 3]),
        SE(1.0, 1.2).on([0, 1]) * gp.Coregionalization(3, rng=0).on([2]),
    )
    model = gp.LatentGP(kernel, inference="exact", optimize=False).fit(gp.values(rows, Y[:, 1]))
    logs = model._hyperparameters().are_logarithms
    assert list(logs) == ["loadings" not in name for name in model._hyperparameters().names]
    assert np.isfinite(model.averaged(4, rng=0).predict_latent(rows)).all()


@pytest.mark.parametrize("size", [0, 1, 2.5, "many"])
def test_size_is_a_whole_number(size):
    with pytest.raises(ValueError, match="size is"):
        MODELS["GPRegression"]()[0].averaged(size)


def test_an_unfitted_model_has_no_average():
    with pytest.raises(ValueError, match="is not fitted yet"):
        RaterGP().averaged()


def test_another_seed_gives_hardly_another_width_and_what_is_left_is_told():
    """Half-widths of contrasts of a panel of six by six, by default; README's own call."""
    _, _, answers = panel(3, n=6, R=6, noise_std=1.0)
    model = RaterGP(gp.White(1.0), bias_std=1.0, pooling=0.5).fit(np.eye(6), answers)
    averaged = [model.averaged(rng=seed) for seed in range(6)]
    widths = [np.diff(one.difference_interval(one.items_, [(0, 1), (2, 5)]), axis=0).mean() for one in averaged]
    assert np.std(widths) < 0.03 * np.mean(widths)
    assert model.averaging_error_ == 0.0 and all(0.005 < one.averaging_error_ < 0.1 for one in averaged)
    few = [model.averaged(8, rng=seed).averaging_error_ for seed in range(6)]
    assert np.mean(few) > 1.5 * np.mean([one.averaging_error_ for one in averaged])
