"""Answers to differences: Thurstone's and Glenn & David's formulas, people simulated one judgement at a time, limits.

That slopes and averages agree is tested with all other likelihoods, in test_likelihoods.py.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc, ndtr
from scipy.stats import beta, norm

from course_lib.gp import Beta, Fixed, Gamma, Logit, LogNormal, Probit
from course_lib.judgments import Comparison, ProbitWithTies

INNER = [Probit(), Logit(), ProbitWithTies(0.6), Beta(7.0)]
each = pytest.mark.parametrize("inner", INNER, ids=repr)


def answers_of(inner):
    if isinstance(inner, Beta):
        return np.array([0.02, 0.4, 0.9])
    return np.array([-1.0, 0.0, 1.0]) if isinstance(inner, ProbitWithTies) else np.array([-1.0, 1.0])


def swapped(inner, y):
    return 1.0 - y if isinstance(inner, Beta) else -y


def averaged(function, mean, variance):
    """∫ function(g) N(g | mean, variance) dg, by the trapezoidal rule on a grid that sees the finest detail."""
    std = np.sqrt(variance)
    g = np.unique(np.concatenate([np.linspace(mean - 10 * std, mean + 10 * std, 40_001), np.linspace(-2, 2, 40_001)]))
    g = g[np.abs(g - mean) <= 10 * std]
    return np.trapezoid(function(g) * norm.pdf(g, mean, std), g)


# --- one judgement at a time --------------------------------------------------------------------------


def test_both_items_are_judged_with_noise():
    """The two numbers of the two definitions: .7602 with √2 σ, .8413 if only the difference were noisy."""
    choice = Comparison(Probit(), 0.5)
    assert np.exp(choice.log_density(1.0, 0.5)) == pytest.approx(0.7602, abs=5e-5)
    rng = np.random.default_rng(0)
    seen = 0.5 + 0.5 * rng.normal(size=(2, 400_000))
    share = (seen[1] > seen[0] - 0.5).mean()
    assert share == pytest.approx(0.7602, abs=4 * 0.5 / np.sqrt(400_000))
    assert choice.sample(np.full(400_000, 0.5), 1).mean() == pytest.approx(2 * 0.7602 - 1, abs=4 / np.sqrt(400_000))


def test_a_tie_is_a_difference_too_small_to_be_told():
    sigma, threshold = 0.7, 0.4
    tied, rng = Comparison(ProbitWithTies(threshold), sigma), np.random.default_rng(1)
    noisy = 0.3 + sigma * (rng.normal(size=300_000) - rng.normal(size=300_000))
    close = threshold * np.sqrt(2.0) * sigma  # δ is told where the noise of the difference is 1
    for y, share in ((1.0, noisy > close), (0.0, np.abs(noisy) < close), (-1.0, noisy < -close)):
        assert np.exp(tied.log_density(y, 0.3)) == pytest.approx(share.mean(), abs=4 * 0.5 / np.sqrt(300_000))


def test_ties_follow_glenn_and_david():
    g = np.linspace(-6, 6, 41)
    up, tie, down = (np.exp(ProbitWithTies(0.8).log_density(y, g)) for y in (1.0, 0.0, -1.0))
    np.testing.assert_allclose(up, ndtr(g - 0.8), rtol=1e-10)
    np.testing.assert_allclose(down, ndtr(-g - 0.8), rtol=1e-10)
    np.testing.assert_allclose(up + tie + down, 1.0, rtol=1e-12)
    np.testing.assert_allclose(
        ProbitWithTies(1e-9).derivatives(1.0, g), Probit().derivatives(1.0, g), rtol=1e-6, atol=1e-8
    )


def test_degrees_are_beta_round_the_probability():
    g, y, sigma = np.array([-1.3, 0.2, 2.0])[:, None], answers_of(Beta()), 0.6
    share = ndtr(g / (np.sqrt(2.0) * sigma))
    expected = beta.logpdf(y, 7.0 * share, 7.0 * (1 - share))
    np.testing.assert_allclose(Comparison(Beta(7.0), sigma).log_density(y, g), expected, rtol=1e-9)


@each
@settings(max_examples=50)
@given(g=st.floats(-8, 8), sigma=st.floats(0.2, 5), variance=st.floats(0.01, 30))
def test_a_pair_and_its_answer_may_be_swapped(inner, g, sigma, variance):
    compared, y = Comparison(inner, sigma), answers_of(inner)
    there = compared.derivatives(y, g)
    back = compared.derivatives(swapped(inner, y), -g)
    for k, (one, other) in enumerate(zip(there, back, strict=True)):
        np.testing.assert_allclose(one, (-1) ** k * other, rtol=1e-7, atol=1e-9)
    assert compared.probability_above(g, variance) + compared.probability_above(-g, variance) == pytest.approx(
        1, abs=1e-8
    )


@each
@pytest.mark.parametrize("stretch", [1e-3, 7.0, 1e4])
def test_only_the_difference_in_units_of_the_noise_counts(inner, stretch):
    one, other, y = Comparison(inner, 0.7), Comparison(inner, 0.7 * stretch), answers_of(inner)
    mean, variance = np.full(len(y), 0.4), np.full(len(y), 1.3)
    np.testing.assert_allclose(other.log_density(y, stretch * mean), one.log_density(y, mean), rtol=1e-10)
    wide = other.tilted(y, stretch * mean, stretch**2 * variance)
    for part, same, power in zip(wide, one.tilted(y, mean, variance), (0, 1, 2), strict=True):
        np.testing.assert_allclose(part, stretch**power * same, rtol=1e-8)
    np.testing.assert_allclose(
        other.probability_above(stretch * 0.4, stretch**2 * 1.3), one.probability_above(0.4, 1.3), rtol=1e-9
    )


# --- whom will they prefer? -----------------------------------------------------------------------------


def test_thurstone_s_prediction_uses_covariance_and_noise():
    """Latent means .9 and .4, covariance [[.8, .6], [.6, .7]], σ = ½: .712, and not .638 or .819."""
    choice, v = Comparison(Probit(), 0.5), 0.8 + 0.7 - 2 * 0.6
    assert choice.probability_above(0.5, v) == pytest.approx(0.712, abs=5e-4)
    assert choice.probability_above(0.5, 0.8 + 0.7) == pytest.approx(0.638, abs=5e-4)
    assert ndtr(0.5 / np.sqrt(v)) == pytest.approx(0.819, abs=5e-4)


def above_half(nu, z):
    """Chance of a degree above ½. Not quite 0 and 1: where a shape is 0, betainc of older SciPys is NaN."""
    share = np.clip(ndtr(z), 1e-300, 1 - 1e-16)
    return betainc(nu * (1 - share), nu * share, 0.5)


@each
@pytest.mark.parametrize(("mean", "variance"), [(0.3, 0.02), (-1.1, 1.0), (2.0, 40.0), (0.0, 1.0)])
def test_preferences_are_averages_over_the_difference(inner, mean, variance):
    compared = Comparison(inner, 0.8)

    def for_b(g):
        if isinstance(inner, Beta):
            return above_half(7.0, g / compared.spread)
        return np.exp(compared.log_density(1.0, g))

    expected = averaged(for_b, mean, variance)
    if isinstance(inner, ProbitWithTies):
        expected /= expected + averaged(lambda g: np.exp(compared.log_density(-1.0, g)), mean, variance)
    assert compared.probability_above(mean, variance) == pytest.approx(expected, abs=1e-7)
    g = np.random.default_rng(2).normal(mean, np.sqrt(variance), 200_000)
    y = compared.sample(g, 3)
    level = 0.5 if isinstance(inner, Beta) else 0.0
    share = (y > level).sum() / (y != level).sum()
    assert compared.probability_above(mean, variance) == pytest.approx(
        share, abs=4.5 * 0.5 / np.sqrt((y != level).sum())
    )


def test_exact_degrees_leave_no_noise_in_the_prediction():
    """Errata ★: for ν → ∞ eq. 2.68 becomes Φ(m/√v), and not eq. 2.52 with its 2σ²."""
    mean, variance, sigma = 0.5, 0.7, 0.9
    limit, with_noise = ndtr(mean / np.sqrt(variance)), ndtr(mean / np.sqrt(variance + 2 * sigma**2))
    gaps = [abs(Comparison(Beta(nu), sigma).probability_above(mean, variance) - limit) for nu in (30.0, 90.0, 270.0)]
    assert gaps[1] < 0.4 * gaps[0] and gaps[2] < 0.4 * gaps[1] and gaps[2] < 2e-3
    assert abs(limit - with_noise) > 0.09


@pytest.mark.parametrize("nu", [300.0, 1e4, 1e6])
@pytest.mark.parametrize(("mean", "variance", "sigma"), [(0.2, 1.0, 1.0), (-3.0, 30.0, 4.0), (0.05, 0.01, 0.3)])
def test_precise_degrees_are_averaged_precisely(nu, mean, variance, sigma):
    """The chance of a degree above ½ is nearly a step then, as wide as 1/√ν."""
    compared = Comparison(Beta(nu), sigma)

    expected = averaged(lambda g: above_half(nu, g / compared.spread), mean, variance)
    assert compared.probability_above(mean, variance) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("inner", [Probit(), ProbitWithTies(0.6), Beta(7.0)], ids=repr)
def test_what_nobody_doubts(inner):
    compared = Comparison(inner, 0.5)
    g = np.array([-50.0, 50.0])
    np.testing.assert_allclose(compared.probability_above(g, np.ones(2)), [0, 1], atol=1e-12)
    np.testing.assert_allclose(compared.probability_above(g, np.zeros(2)), [0, 1], atol=1e-12)
    assert compared.probability_above(np.zeros((2, 3)), np.ones(3)).shape == (2, 3)


# --- parameters and refusals ----------------------------------------------------------------------------


def test_parameters_are_the_noise_and_then_those_of_the_inner_likelihood():
    degree = Comparison(Beta(9.0).with_priors(precision=Gamma(1, 0.05)), 0.4).with_priors(noise_std=LogNormal(1, 1))
    assert degree.names == ["noise_std", "0.precision"]
    np.testing.assert_allclose(degree.theta, np.log([0.4, 9.0]))
    moved = degree.with_theta(np.log([0.8, 3.0]))
    assert (moved.noise_std, moved.inner.precision, moved.spread) == pytest.approx((0.8, 3.0, np.sqrt(2) * 0.8))
    assert degree.with_priors(noise_std=Fixed()).names == ["0.precision"]
    assert Comparison(Probit()).with_priors(noise_std=Fixed()).theta.shape == (0,)
    density, slope = degree.log_prior()
    separate = LogNormal(1, 1).log_density(0.4)[0] + Gamma(1, 0.05).log_density(9.0)[0]
    assert density == pytest.approx(separate)
    step = 1e-5 * np.eye(2)
    numeric = [degree.with_theta(degree.theta + s).log_prior()[0] - density for s in step]
    np.testing.assert_allclose(slope, np.array(numeric) / 1e-5, rtol=1e-4)


def test_log_concavity_is_that_of_the_inner_likelihood():
    assert [Comparison(inner).log_concave for inner in INNER] == [True, True, True, False]


@pytest.mark.parametrize(("inner", "answer"), [(ProbitWithTies(), 2.0), (Beta(), 1.0)])
def test_an_answer_that_the_inner_likelihood_refuses_is_refused(inner, answer):
    with pytest.raises(ValueError, match=rf"y\[1\] is {answer}"):
        Comparison(inner).check([0.5 if answer == 1.0 else 0.0, answer])
