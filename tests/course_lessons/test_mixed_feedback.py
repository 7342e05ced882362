"""Ratings of confidence beside choices: the likelihood, mixed inference against grids, made-up observers."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from scipy.special import logsumexp, ndtr
from scipy.stats import norm
from sklearn.exceptions import ConvergenceWarning

from course_lessons.mixed_feedback import confidence
from course_lessons.mixed_feedback.likelihoods import Likert, choices_and_confidence
from course_lessons.mixed_feedback.observers import Observer, gait_observer, haptic_observer, straight_observer
from course_lib.gp import (
    Constant,
    Fixed,
    Flat,
    Gaussian,
    LatentGP,
    Ordinal,
    Probit,
    SquaredExponential,
    differences,
    values,
)
from course_lib.gp.likelihoods import Likelihood
from course_lib.judgments import Comparison
from tests.course_lib.gp_oracles import slopes

THREE, FIVE = Likert(3, (0.5, 1.2)), Likert(5, (0.3, 0.4, 1.9, 2.4), lapse=0.0)
LEARNED = THREE.with_priors(lapse_odds=Flat())
ALL = [THREE, FIVE, LEARNED, Likert(2, (0.7,), lapse=0.6), Likert(9), Comparison(THREE, 0.4), Comparison(FIVE, 2.0)]
every = pytest.mark.parametrize("likelihood", ALL, ids=repr)
CAVITIES = [(0.3, 1.0), (1.5, 4.0), (-0.4, 1e-4), (0.0, 100.0), (40.0, 100.0), (-40.0, 100.0), (0.5, 1e-6)]
G = np.array([-2.7, -0.93, -0.2, 0.17, 0.8, 2.1, 6.0])  # none of them in a kink
RULES = ("ep", "variational")


def levels(likelihood):
    return likelihood.possible


def written_out(i, g, cuts, lapse):
    """p(i | g) after the paper, one number at a time."""
    ends = [0.0, *cuts, np.inf]
    strength = abs(g)
    distance = [max(low - strength, 0.0, strength - high) for low, high in pairwise(ends)]
    near = np.exp(-np.array(distance))
    return (1 - lapse) * near[i] / near.sum() + lapse / len(near)


def panels(likelihood, mean, variance):
    """(g, weights of the integral over N(mean, variance)): Gauss–Legendre between kinks, fine enough for anything."""
    std, inner = np.sqrt(variance), np.concatenate([likelihood.kinks, np.linspace(-8, 8, 33)])
    low, high = min(mean - 14 * std, -4.0), max(mean + 14 * std, 4.0)
    edges = np.unique(np.concatenate([mean + std * np.linspace(-14, 14, 85), inner, [low, high]]))
    x, weight = np.polynomial.legendre.leggauss(30)
    half = np.diff(edges) / 2
    g = (edges[:-1] + half + half * x[:, None]).ravel()
    return g, (half * weight[:, None]).ravel() * norm.pdf(g, mean, std)


def quietly(model, blocks):
    """The fitted model; that Laplace's mode lies in a kink is no news here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(blocks)


# --- the likelihood


@pytest.mark.parametrize("likelihood", ALL[:5], ids=repr)
def test_density_is_that_of_the_paper(likelihood):
    expected = [[written_out(int(i), g, likelihood.cuts, likelihood.lapse) for g in G] for i in levels(likelihood)]
    np.testing.assert_allclose(np.exp(likelihood.log_density(levels(likelihood)[:, None], G)), expected, rtol=1e-12)
    np.testing.assert_allclose(likelihood.level_probabilities(G), expected, rtol=1e-12)
    np.testing.assert_allclose(np.sum(expected, axis=0), 1.0, rtol=1e-12)


def test_a_level_is_the_most_probable_within_its_interval_and_confidence_has_no_side():
    found = THREE.level_probabilities(np.array([0.1, 0.6, 1.3, -0.1, -0.6, -1.3]))
    np.testing.assert_array_equal(found.argmax(axis=0), [0, 1, 2, 0, 1, 2])
    np.testing.assert_array_equal(found[:, :3], found[:, 3:])
    ordinal = Ordinal(3, gaps=1.0)
    assert ordinal.log_density(0.0, -3.0) > -0.01 and ordinal.log_density(0.0, 3.0) < -5  # it has sides


@every
def test_derivatives_beside_the_kinks(likelihood):
    y, h = levels(likelihood)[:, None], 1e-5
    found = likelihood.derivatives(y, G)
    for k in range(3):
        above, below = likelihood.derivatives(y, G + h)[k], likelihood.derivatives(y, G - h)[k]
        np.testing.assert_allclose(found[k + 1], (above - below) / (2 * h), rtol=1e-7, atol=1e-8)


@every
def test_parameter_derivatives(likelihood):
    y, h = levels(likelihood)[:, None], 1e-5
    found = likelihood.parameter_derivatives(y, G)
    assert found[0].shape == (len(likelihood.theta), len(y), len(G))
    for p, unit in enumerate(np.eye(len(likelihood.theta))):
        above, below = (likelihood.with_theta(likelihood.theta + s * h * unit).derivatives(y, G) for s in (1, -1))
        for k in range(3):
            np.testing.assert_allclose(found[k][p], (above[k] - below[k]) / (2 * h), rtol=1e-7, atol=1e-8)


def test_the_slope_jumps_at_the_kinks_and_nowhere_else():
    y = THREE.possible[:, None]

    def jump(g):
        return np.abs(np.subtract(*(THREE.derivatives(y, g + s * 1e-9)[1] for s in (1, -1)))).max(axis=0)

    assert (jump(THREE.kinks) > 0.1).all() and (jump(G) < 1e-7).all()
    np.testing.assert_array_equal(THREE.derivatives(THREE.possible, 0.0)[1], 0.0)


@every
@pytest.mark.parametrize(("mean", "variance"), CAVITIES)
def test_averages_equal_integrals_from_kink_to_kink(likelihood, mean, variance):
    y, (g, weight) = levels(likelihood), panels(likelihood, mean, variance)
    m, v = np.full(len(y), mean), np.full(len(y), variance)
    log_p, slope = (part @ weight for part in likelihood.derivatives(y[:, None], g)[:2])
    bend = (likelihood.derivatives(y[:, None], g)[1] * (g - mean)) @ weight / variance  # Stein: E[∂²] with its jumps
    scale = 1 + 1e-3 / np.sqrt(variance)  # of the bend, where q is narrow
    found = likelihood.expectations(y, m, v)
    np.testing.assert_allclose(found[0], log_p, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(found[1], slope, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(found[2], bend, rtol=1e-6, atol=1e-7 * scale)
    by_parameters = likelihood.parameter_derivatives(y[:, None], g)[0]
    np.testing.assert_allclose(
        likelihood.expected_parameter_gradient(y, m, v), by_parameters @ weight, rtol=1e-7, atol=1e-8
    )
    share = weight * np.exp(likelihood.log_density(y[:, None], g))
    Z = share.sum(axis=1)
    first = share @ g / Z
    second = np.sum(share * (g - first[:, None]) ** 2, axis=1) / Z
    found = likelihood.tilted(y, m, v)
    for part, expected in zip(found, (np.log(Z), first, second), strict=True):
        np.testing.assert_allclose(part, expected, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(
        likelihood.tilted_parameter_gradient(y, m, v), (by_parameters * share).sum(axis=2) / Z, rtol=1e-7, atol=1e-8
    )


def test_a_rule_for_smooth_functions_would_err_at_the_kinks(monkeypatch):
    right = THREE.expectations(THREE.possible, 0.1, 0.5)[0]
    monkeypatch.setattr(Likert, "kinks", np.zeros(0))
    assert np.abs(THREE.expectations(THREE.possible, 0.1, 0.5)[0] - right).max() > 1e-5


@every
def test_averages_of_second_slopes_are_slopes_of_the_averages(likelihood):
    y, h = levels(likelihood), 1e-4
    mean, variance = np.linspace(-1, 1.2, len(y)), np.linspace(0.4, 2, len(y))
    above, below = (likelihood.expectations(y, mean + s * h, variance) for s in (1, -1))
    _, first, second = likelihood.expectations(y, mean, variance)
    np.testing.assert_allclose(first, (above[0] - below[0]) / (2 * h), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(second, (above[1] - below[1]) / (2 * h), rtol=1e-6, atol=1e-7)


@every
def test_moments_samples_and_shares(likelihood):
    y = levels(likelihood)
    for seed, g in enumerate([-1.4, 0.05, 3.0]):
        p = np.exp(likelihood.log_density(y, g))
        assert likelihood.mean(g) == pytest.approx(p @ y) and likelihood.variance(g) == pytest.approx(
            p @ y**2 - (p @ y) ** 2
        )
        np.testing.assert_allclose(likelihood.cumulative(y, g), np.cumsum(p), rtol=1e-12)
        np.testing.assert_allclose([likelihood.cumulative(at, g) for at in (-0.5, 0.7, 99.0)], [0.0, p[0], 1.0])
        drawn = likelihood.check(likelihood.sample(np.full(20_000, g), seed))
        drawn = np.bincount(drawn.astype(int), minlength=len(y))
        assert (np.abs(drawn / 20_000 - p) < 4.5 * np.sqrt(p * (1 - p) / 20_000)).all()


@every
def test_predictions_are_moments_of_the_predictive_density(likelihood):
    y = levels(likelihood)
    p = np.exp(likelihood.log_predictive_density(y, np.full(len(y), 0.4), np.full(len(y), 0.7)))
    assert p.sum() == pytest.approx(1.0)
    mean, variance = likelihood.predict(0.4, 0.7)
    assert mean == pytest.approx(p @ y) and variance == pytest.approx(p @ y**2 - mean**2)
    assert likelihood.predict_mean(0.4, 0.7)[0] == pytest.approx(mean)
    level = int(likelihood.quantile(0.3, 0.4, 0.7))
    assert p[:level].sum() < 0.3 <= p[: level + 1].sum()


@pytest.mark.filterwarnings("error")
def test_nothing_overflows_far_out():
    g = np.array([-1e4, -40.0, 0.0, 0.5, 1.2, 900.0])
    for likelihood in (FIVE, THREE, Likert(2, (1e-3,), 0.0), Likert(3, (1.0, 2000.0))):
        y = likelihood.possible[:, None]
        results = [*likelihood.derivatives(y, g), *likelihood.parameter_derivatives(y, g), likelihood.variance(g)]
        for variance in (1e-6, 1.0, 100.0):
            results += [*likelihood.tilted(y, g, variance), *likelihood.expectations(y, g, variance)]
        assert all(np.isfinite(part).all() for part in results)


def test_without_lapses_one_rash_rating_costs_the_more_the_rasher_it_is():
    wrong = [[likelihood.log_density(0.0, s) for s in (10.0, 20.0)] for likelihood in (Likert(3, lapse=0), Likert(3))]
    assert wrong[0][0] - wrong[0][1] == pytest.approx(10.0, abs=1e-3)
    np.testing.assert_allclose(wrong[1], np.log(0.1 / 3), rtol=0.01)


# --- what is learned of it


def test_parameters_are_learned_held_and_bounded():
    assert THREE.names == ["gaps[0]", "gaps[1]"] and THREE.with_priors(gaps=Fixed()).names == []
    assert LEARNED.names == ["gaps[0]", "gaps[1]", "lapse_odds"] and "lapse_odds" not in FIVE.parameter_names
    np.testing.assert_allclose(THREE.cuts, [0.5, 1.2])
    assert THREE.lapse == pytest.approx(0.1) and FIVE.lapse == 0
    assert THREE.log_prior()[0] - Likert(3, (0.5, 3.0)).log_prior()[0] > 10  # a gap above 2


@pytest.mark.parametrize("inference", RULES)
def test_gradient_of_mixed_evidence_with_every_parameter_free(inference):
    session = straight_observer().judge(8, 3)
    shared = LEARNED.sharing(gaps="cuts")
    pairs, half = session.pairs, slice(0, 4)
    blocks = [
        differences(session.X, pairs, session.choices, Probit()),
        differences(session.X, pairs[half], session.confidence[half], shared),
        differences(session.X, pairs[4:], session.confidence[4:], shared),
        values(session.X[:3], [0.2, 1.0, 0.4], Gaussian(0.5)),
    ]
    model = LatentGP(SquaredExponential(1.5, 0.5) + Constant(0.3), inference=inference, optimize=False).fit(blocks)
    names = model.likelihood_.names
    assert names == ["1.gaps[0]", "1.gaps[1]", "1.lapse_odds", "3.noise_std"]  # one object: one set of parameters
    theta = np.concatenate([model.kernel_.theta, model.likelihood_.theta])
    numeric = slopes(lambda t: model.evidence_at(t)[0], theta, 1e-4)
    np.testing.assert_allclose(model.evidence_at(theta)[1], numeric, rtol=1e-5, atol=1e-5)


def test_shared_gaps_of_two_likelihoods_are_one_parameter_and_other_parameters_stay_apart():
    session = straight_observer().judge(12, 5)
    one, other = (Likert(3, lapse=lapse).sharing(gaps="cuts") for lapse in (0.1, 0.3))
    blocks = [
        differences(session.X, session.pairs, session.choices, Probit()),
        differences(session.X, session.pairs[:6], session.confidence[:6], one),
        differences(session.X, session.pairs[6:], session.confidence[6:], other),
    ]
    learned = LatentGP(confidence.appendix_kernel(1), inference="variational", max_iter=5)
    _, first, second = quietly(learned, blocks).likelihood_.children
    np.testing.assert_array_equal(first.gaps, second.gaps)
    assert not np.allclose(first.gaps, 0.5) and (first.lapse, second.lapse) == (pytest.approx(0.1), pytest.approx(0.3))


@pytest.mark.long
def test_a_learned_lapse_rate_finds_who_rates_at_random():
    session, rng = straight_observer().judge(40, 0), np.random.default_rng(0)
    X, pairs, likert = session.X, session.pairs, THREE.with_priors(gaps=Fixed(), lapse_odds=Flat())
    kernel = SquaredExponential(3.0, 0.7).with_priors(variance=Fixed(), lengthscale=Fixed())
    found = []
    for rated in (session.confidence, rng.integers(3, size=40).astype(float)):
        blocks = choices_and_confidence(X, pairs, session.choices, rated, likert)
        found.append(quietly(LatentGP(kernel, inference="variational"), blocks).likelihood_.children[1].lapse)
    assert found[0] < 0.2 and found[1] > 0.6


# --- inference against grids


def grid_posterior(blocks, prior_variance):
    """(log p(y), mean, variance) of the one difference g ~ N(0, variance) that all blocks ask for."""
    g = np.linspace(-12, 12, 48_001)
    log_p = norm.logpdf(g, 0, np.sqrt(prior_variance)) + np.log(g[1] - g[0])
    log_p += sum(block.likelihood.log_density(y, g) for block in blocks for y in block.y)
    evidence = logsumexp(log_p)
    mean = np.exp(log_p - evidence) @ g
    return evidence, mean, np.exp(log_p - evidence) @ (g - mean) ** 2


KERNEL, TWO = SquaredExponential(2.0, 0.5), np.array([[0.0], [1.0]])
PRIOR = 2 * 2.0 * (1 - np.exp(-2.0))  # variance of f(1) − f(0)


@pytest.mark.parametrize("rating", [0.0, 1.0, 2.0])
def test_one_pair_against_the_posterior_on_a_grid(rating):
    blocks = choices_and_confidence(TWO, [(0, 1)], [1.0], [rating], THREE)
    evidence, mean, variance = grid_posterior(blocks, PRIOR)
    found = {rule: LatentGP(KERNEL, inference=rule, optimize=False).fit(blocks) for rule in RULES}
    for rule, model in found.items():
        difference, std = model.predict_difference(TWO, [(0, 1)])
        assert difference[0] == pytest.approx(mean, abs=0.08), rule
        assert std[0] == pytest.approx(np.sqrt(variance), rel=0.1), rule
    assert found["variational"].log_evidence_ <= evidence  # a bound
    assert found["ep"].log_evidence_ == pytest.approx(evidence, abs=0.06)
    assert found["variational"].log_evidence_ == pytest.approx(evidence, abs=0.06)


def test_ep_of_ratings_alone_is_exact_and_does_not_know_the_side():
    """One answer, one site: EP has the moments themselves. A sure rating has two hills, one on either side."""
    for rating in (0.0, 2.0):
        block = differences(TWO, [(0, 1)], [rating], THREE)
        evidence, mean, variance = grid_posterior([block], PRIOR)
        model = LatentGP(KERNEL, inference="ep", optimize=False).fit(block)
        difference, std = model.predict_difference(TWO, [(0, 1)])
        assert mean == pytest.approx(0.0, abs=1e-9) and difference[0] == pytest.approx(0.0, abs=1e-9)
        assert std[0] == pytest.approx(np.sqrt(variance), rel=1e-5)
        assert model.log_evidence_ == pytest.approx(evidence, abs=1e-6)
    assert variance > PRIOR  # wider than before: "sure", but of what?


def test_three_pairs_against_importance_sampling():
    X, pairs = np.array([[0.0], [0.4], [1.0]]), np.array([(0, 1), (1, 2), (0, 2)])
    blocks = choices_and_confidence(X, pairs, [1.0, 1.0, -1.0], [0.0, 2.0, 1.0], THREE)
    rng = np.random.default_rng(0)
    f = rng.multivariate_normal(np.zeros(3), KERNEL(X), size=400_000)
    g = f[:, pairs[:, 1]] - f[:, pairs[:, 0]]
    log_w = sum(block.likelihood.log_density(block.y, g).sum(axis=1) for block in blocks)
    w = np.exp(log_w - logsumexp(log_w))
    evidence, mean = logsumexp(log_w) - np.log(len(f)), w @ g
    std = np.sqrt(w @ (g - mean) ** 2)
    for rule in RULES:
        model = LatentGP(KERNEL, inference=rule, optimize=False).fit(blocks)
        found, spread = model.predict_difference(X, pairs)
        np.testing.assert_allclose(found, mean, atol=0.08)
        np.testing.assert_allclose(spread, std, rtol=0.1)
        assert model.log_evidence_ == pytest.approx(evidence, abs=0.12)


def test_laplace_says_that_its_mode_lies_in_a_kink():
    blocks = choices_and_confidence(TWO, [(0, 1)], [1.0], [0.0], Likert(3, (2.0, 4.0), lapse=0.0))
    strong = [*blocks, differences(TWO, [(0, 1)] * 5, np.zeros(5), Likert(3, (2.0, 4.0), lapse=0.0))]
    with pytest.warns(ConvergenceWarning, match="did not come to rest"):
        model = LatentGP(KERNEL, inference="laplace", optimize=False).fit(strong)
    assert model.predict_difference(TWO, [(0, 1)])[0][0] == pytest.approx(0.0, abs=1e-3)


def test_laplace_is_near_the_others_where_no_answer_is_unsure():
    session = straight_observer().judge(40, 2)
    sure = session.rows(session.confidence == 2)
    blocks = choices_and_confidence(sure.X, sure.pairs, sure.choices, sure.confidence, THREE)
    found = {rule: LatentGP(KERNEL, inference=rule, optimize=False).fit(blocks) for rule in ("laplace", *RULES)}
    means = [model.predict_difference(sure.X, sure.pairs)[0] for model in found.values()]
    np.testing.assert_allclose(means[1], means[2], atol=0.02)
    assert np.abs(means[0] - means[2]).max() < 0.25


@pytest.mark.parametrize("inference", RULES)
def test_counts_are_repeated_answers(inference):
    rows = [0, 0, 0, 1]
    pairs = np.array([(0, 1), (1, 0)])
    choice = differences(TWO, pairs, [1.0, -1.0], Probit())
    once = [choice, differences(TWO, pairs, [1.0, 2.0], THREE, counts=[3, 1])]
    again = [choice, differences(TWO, pairs[rows], [1.0, 1.0, 1.0, 2.0], THREE)]
    one, other = (LatentGP(KERNEL, inference=inference, optimize=False).fit(blocks) for blocks in (once, again))
    tolerance = 1e-7 if inference == "variational" else 0.05  # EP has one site for all of them
    assert one.log_evidence_ == pytest.approx(other.log_evidence_, abs=tolerance)


# --- inducing inputs and a constant mean


def test_inducing_inputs_change_hardly_anything():
    session = straight_observer().judge(15, 4)
    models = [
        confidence.fitted(session, "cuts known", THREE, optimize=False, inducing=inducing)
        for inducing in (None, np.linspace(0, 1, 30)[:, None])
    ]
    full, sparse = (model.predict_difference(session.X, session.pairs) for model in models)
    np.testing.assert_allclose(full, sparse, atol=1e-4)
    assert models[1].log_evidence_ == pytest.approx(models[0].log_evidence_, abs=1e-4)


def test_a_constant_kernel_is_a_mean_that_is_averaged_over():
    X, y = np.linspace(0, 1, 6)[:, None], np.array([2.1, 2.4, 1.8, 2.0, 2.6, 2.2])
    kernel, noise, spread = SquaredExponential(0.5, 0.3), Gaussian(0.3), 3.0
    with_mean = LatentGP(kernel + Constant(spread), inference="exact", optimize=False).fit(values(X, y, noise))
    means = np.linspace(-15, 15, 601)
    plugged = [LatentGP(kernel, inference="exact", optimize=False).fit(values(X, y - m, noise)) for m in means]
    log_w = norm.logpdf(means, 0, np.sqrt(spread)) + [model.log_evidence_ for model in plugged]
    assert with_mean.log_evidence_ == pytest.approx(logsumexp(log_w) + np.log(means[1] - means[0]), abs=1e-6)
    far = np.array([[9.0]])
    each = means + [model.predict_latent(far)[0][0] for model in plugged]
    average = np.exp(log_w - logsumexp(log_w)) @ each
    assert with_mean.predict_latent(far)[0][0] == pytest.approx(average, abs=1e-6)


def test_a_constant_mean_is_learned_in_a_mixed_model_and_differences_do_not_feel_it():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(40, 1))
    f = 1.2 + 0.5 * np.sin(6 * X[:, 0])
    said, pairs = np.where(rng.uniform(size=40) < ndtr(f), 1.0, -1.0), np.arange(20).reshape(-1, 2)
    rated = THREE.sample(f[pairs[:, 1]] - f[pairs[:, 0]], rng)
    blocks = [values(X, said, Probit()), differences(X, pairs, rated, THREE.with_priors(gaps=Fixed()))]
    kernel = SquaredExponential(1.0, 0.3).with_priors(lengthscale=Fixed())
    inducing = np.linspace(0, 1, 16)[:, None]
    mean = Constant(4.0).with_priors(variance=Fixed())  # learned, it may vanish: what varies explains the mean, too
    model = LatentGP(kernel + mean, inference="variational", inducing=inducing).fit(blocks)
    assert model.converged_
    assert 0.4 < model.predict_latent([[50.0]])[0][0] < 1.6  # far away there is only the mean
    without = LatentGP(kernel, inference="variational", inducing=inducing, optimize=False).fit(blocks)
    assert without.predict_latent([[50.0]])[0][0] == pytest.approx(0.0, abs=1e-9)


# --- corners


def test_no_answer_leaves_the_prior():
    blocks = choices_and_confidence(TWO, np.zeros((0, 2), int), [], [], THREE)
    mean, std = LatentGP(KERNEL, inference="variational").fit(blocks).predict_difference(TWO, [(0, 1)])
    assert mean[0] == pytest.approx(0) and std[0] == pytest.approx(np.sqrt(PRIOR))


def test_missing_ratings_are_left_out():
    session = straight_observer().judge(6, 0)
    rated = session.confidence.copy()
    rated[[1, 4]] = np.nan
    blocks = choices_and_confidence(session.X, session.pairs, session.choices, rated, THREE)
    assert [len(block.y) for block in blocks] == [6, 4]


@pytest.mark.parametrize("rating", [0.0, 2.0])
def test_one_and_the_same_rating_for_all_is_learned_from_within_the_bounds(rating):
    session = straight_observer().judge(10, 1)
    same = session._replace(confidence=np.full(10, rating))
    model = quietly(LatentGP(confidence.appendix_kernel(1), inference="variational", max_iter=8),
                    choices_and_confidence(same.X, same.pairs, same.choices, same.confidence, Likert(3)))  # fmt: skip
    assert np.isfinite(model.log_evidence_) and (model.likelihood_.children[1].gaps < 2.5).all()
    assert 0.9 < model.kernel_.variance < 4.3


def test_equal_inputs_are_one_item_and_a_pair_may_come_twice_or_turned():
    X = np.array([[0.0], [1.0], [0.0]])
    blocks = choices_and_confidence(X, [(0, 1), (2, 1), (1, 0)], [1.0, 1.0, -1.0], [2.0, 2.0, 2.0], THREE)
    three = choices_and_confidence(TWO, [(0, 1)] * 3, [1.0] * 3, [2.0] * 3, THREE)
    one, other = (LatentGP(KERNEL, inference="variational", optimize=False).fit(b) for b in (blocks, three))
    assert len(one.observations_.X) == 2
    assert one.log_evidence_ == pytest.approx(other.log_evidence_, abs=1e-9)


@pytest.mark.parametrize("lapse", [0.0, 0.9])
def test_any_lapse_rate_can_be_fitted(lapse):
    session = straight_observer().judge(10, 1)
    blocks = choices_and_confidence(
        session.X, session.pairs, session.choices, session.confidence, Likert(3, (0.5, 1.0), lapse)
    )
    for rule in RULES:
        assert LatentGP(KERNEL, inference=rule, optimize=False).fit(blocks).converged_


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Likert(3, (1.0,)), "3 levels have 2 cut points"),
        (lambda: Likert(3, (1.0, 1.0)), "above 0 and ascending"),
        (lambda: Likert(3, (0.0, 1.0)), "above 0 and ascending"),
        (lambda: Likert(3, lapse=1.0), "lapse is 1; below 1"),
        (lambda: THREE.check([3.0]), "Were the ratings counted from 1"),
        (lambda: THREE.check([0.5]), r"whole number in 0 … 2 \(levels=3\)"),
        (lambda: choices_and_confidence(TWO, [(0, 1)], [0.0], [1.0], THREE), "a choice must be -1 or"),
        (lambda: choices_and_confidence(TWO, [(0, 1)], [1.0], [1.0, 2.0], THREE), "y has shape"),
        (lambda: Observer(np.sin, 1, (1.0, 0.5)), "do not descend"),
        (lambda: straight_observer().with_shares([0.0, 0.0]), "not all 0"),
        (lambda: haptic_observer(1, rates="loud"), "rates is 'loud'"),
        (lambda: confidence.fitted(straight_observer().judge(3), "all"), "feedback is 'all'"),
    ],
)
def test_what_is_wrong_is_said(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# --- observers and experiments


def test_the_straight_observer_rates_the_strength_itself_and_chooses_with_noise():
    session = straight_observer(3.0).judge(4000, 0)
    np.testing.assert_allclose(session.gap, 3 * (session.X[1::2, 0] - session.X[::2, 0]))
    strength = np.abs(session.gap)
    np.testing.assert_array_equal(session.confidence, (strength >= 0.5) * 1.0 + (strength >= 1.0))
    second, p = session.choices > 0, ndtr(session.gap)
    assert abs(np.mean(second - p)) < 4.5 * np.sqrt(np.mean(p * (1 - p)) / 4000)
    assert np.mean(np.sign(session.gap) != session.choices) > 0.1


def test_a_felt_rating_and_its_choice_have_the_same_noise():
    observer = Observer(lambda x: np.zeros(len(x)), 1, (1.0,), rates="felt")
    session = observer.judge(4000, 0)
    assert np.mean(session.confidence) == pytest.approx(2 * ndtr(-1.0), abs=0.04)  # sure of nothing, by noise


def test_subject_2_is_always_confident_and_the_gait_is_rated_as_often_as_printed():
    rated = [haptic_observer(subject).judge(3000, 1).confidence.astype(int) for subject in (1, 2)]
    shares = [np.bincount(each, minlength=9) / 3000 for each in rated]
    np.testing.assert_allclose(shares[0], np.full(9, 1 / 9), atol=0.03)
    assert shares[1][:2].sum() == 0 and shares[1][8] == pytest.approx(0.48, abs=0.04)
    assert shares[1][6:].sum() == pytest.approx(0.84, abs=0.04)
    gait = np.bincount(gait_observer().judge(3000, 1).confidence.astype(int)) / 3000
    np.testing.assert_allclose(gait, np.array([218, 176, 78]) / 472, atol=0.03)


def test_rows_and_thirds_of_a_session():
    session = haptic_observer(1).judge(6, 0)
    part = session.rows([1, 4])
    np.testing.assert_array_equal(part.X, session.X[[2, 3, 8, 9]])
    np.testing.assert_array_equal(part.pairs, [[0, 1], [2, 3]])
    every_rating = session._replace(confidence=np.arange(9.0)).thirds().confidence
    np.testing.assert_array_equal(every_rating, np.repeat([0, 1, 2], 3))


def test_scores_of_known_probabilities():
    session = straight_observer().judge(4, 0)._replace(choices=np.array([1.0, 1.0, -1.0, -1.0]), gap=np.zeros(4))
    brier, f1, off = confidence.scores([0.8, 0.4, 0.1, 0.7], session)
    assert brier == pytest.approx(np.mean([0.04, 0.36, 0.01, 0.49]))
    assert f1 == pytest.approx(0.5) and off == pytest.approx(np.mean([0.3, 0.1, 0.4, 0.2]))


@pytest.mark.long
def test_ratings_mend_the_corners_of_the_map_and_learned_cuts_stretch_it():
    found = confidence.map_errors(20, range(2))
    assert found.corner.shape == (2, 3) and found.cuts.shape == (2, 2)
    corner, rise = found.corner.mean(axis=0), found.rise.mean(axis=0)
    assert corner[1] < 0.5 * corner[0] and corner[2] < 0.5 * corner[0]
    assert rise[0] < 1 < rise[2]
    probability = confidence.learned_map("cuts known", 20, 0).probability
    np.testing.assert_allclose(probability + probability.T, 1.0, atol=1e-9)


def test_scores_of_the_experiments_are_tables_of_models():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # so few rounds
        haptic = confidence.haptic_scores(1, [0], max_iter=2)
        gait = confidence.gait_scores([0], n_train=5, n_test=40, max_iter=2)
    assert haptic.brier.shape == (1, 2) and gait.f1.shape == (1, 3)
    for table in (*haptic, *gait):
        assert ((table >= 0) & (table <= 1)).all()


def test_two_functions_with_one_column_of_weights_alike_are_one():
    """W = [[a, 0], [a, 0]]: both tasks are the same function, and the model that of one."""
    session = straight_observer().judge(8, 2)
    two = confidence.two_functions(session, THREE, optimize=False)
    theta = two.kernel_.theta.copy()
    names = two.kernel_.names
    loadings = [k for k, name in enumerate(names) if "loadings" in name]
    theta[loadings] = [1.0, 1.0, 0.0, 0.0]
    same, _ = two.evidence_at(np.concatenate([theta, two.likelihood_.theta]))
    one = confidence.fitted(session, "cuts learned", THREE, optimize=False)
    expected = one.log_evidence_ + 2 * one.kernel_.log_prior()[0] + one.likelihood_.log_prior()[0]
    assert same == pytest.approx(expected, abs=1e-4)


def test_the_base_class_has_no_kinks():
    assert len(Likelihood.kinks) == 0 and len(Comparison(Probit()).kinks) == 0
    np.testing.assert_allclose(Comparison(THREE, 0.4).kinks, np.sqrt(2) * 0.4 * THREE.kinks)
