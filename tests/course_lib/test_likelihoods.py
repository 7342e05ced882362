"""Likelihoods against finite differences, quadrature, samples and scipy; each closed form against sums over nodes."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.special import digamma, log_ndtr, logit, ndtr, ndtri, polygamma

from course_lib.gp import quadrature
from course_lib.gp.likelihoods import (
    Beta,
    CensoredGaussian,
    Gaussian,
    Likelihood,
    Logit,
    Ordinal,
    Probit,
    Rounded,
    StudentT,
    TruncatedGaussian,
    WarpedGaussian,
    squeeze,
)
from course_lib.gp.priors import Fixed
from course_lib.judgments.comparisons.likelihoods import Comparison, ProbitWithTies
from course_lib.judgments.panels.likelihoods import RaterGain
from tests.course_lib.example_likelihoods import Counts, Durations

CHOICES, MARKS = np.array([-1.0, 1.0]), np.array([0.003, 0.2, 0.55, 0.97])
TIES = np.array([-1.0, 0.0, 1.0])
NUMBERS = np.array([-2.3, 0.1, 1.7])
FIFTHS, HUNDREDTHS = np.arange(5) / 4, np.array([0.0, 0.01, 0.3, 0.99, 1.0])
FIVE = Ordinal(5, first_cut=-1.3, gaps=[0.4, 1.7, 0.6])
ALL = [
    (Gaussian(0.3), NUMBERS),
    (Gaussian([0.3, 2.0], groups=[1, 0, 1]), NUMBERS),
    (RaterGain(0.4, None, 0.7, floor=0.2), NUMBERS),
    (RaterGain([0.3, 0.5, 0.8, 2.0], [1, 0, 3], [0.4, -0.7]), NUMBERS),
    (Probit(), CHOICES),
    (Logit(), CHOICES),
    (StudentT(0.4, degrees=10.0), NUMBERS),
    (StudentT(0.05, degrees=3.0), NUMBERS),
    (Ordinal(2, first_cut=0.6), np.arange(2.0)),
    (FIVE, np.arange(5.0)),
    (ProbitWithTies(0.1), TIES),
    (ProbitWithTies(2.0), TIES),
    (Comparison(Probit(), 0.4), CHOICES),
    (Comparison(Logit(), 2.3), CHOICES),
    (Comparison(ProbitWithTies(0.7), 0.4), TIES),
    (Comparison(Beta(8.0), 1.7), MARKS),
    (Beta(0.7), MARKS),
    (Beta(8.0), MARKS),
    (Beta(300.0), MARKS),
    (TruncatedGaussian(0.5), MARKS),
    (TruncatedGaussian(6.0), MARKS),
    (TruncatedGaussian(300.0), MARKS),
    (WarpedGaussian(0.4), MARKS),
    (WarpedGaussian([0.2, 1.1], groups=[0, 1, 1, 0]), MARKS),
    (Rounded(Beta(8.0), 1), np.array([0.0, 1.0])),
    (Rounded(TruncatedGaussian(6.0), 100), HUNDREDTHS),
    (Rounded(CensoredGaussian(5.0), 100), HUNDREDTHS),
    (Rounded(WarpedGaussian(0.4), 4), FIFTHS),
    (Comparison(Rounded(Beta(8.0), 4), 1.7), FIFTHS),
    (Durations(2.5), np.array([0.02, 0.8, 5.0])),
    (Counts(), np.array([0.0, 1.0, 6.0])),
]
IDS = [repr(likelihood) for likelihood, _ in ALL]
every = pytest.mark.parametrize(("likelihood", "y"), ALL, ids=IDS)
# Cavities: ordinary, wide, narrow, and far away on both sides.
CAVITIES = [(0.3, 1.0), (1.5, 4.0), (-0.4, 1e-4), (0.0, 100.0), (40.0, 100.0), (-40.0, 100.0), (3.0, 30.0)]
WIDE, FAR = 4.0, 5.0  # where averages of an exponential link still end within the reach of nodes
G = np.array([-2.6, -1.1, -0.2, 0.45, 1.3, 2.4])[:, None]


def kind_of(likelihood):
    """That of one answer to a g of its own unit: what is declared of answers stands there."""
    return likelihood if isinstance(likelihood, Rounded) else getattr(likelihood, "inner", likelihood)


def is_discrete(likelihood):
    return kind_of(likelihood).integer or kind_of(likelihood).possible is not None


def is_bounded(likelihood):
    return not is_discrete(likelihood) and np.isfinite(kind_of(likelihood).support).all()


def is_above_an_end(likelihood):
    """Whether answers have one end: then the link is an exponential, and grows without one."""
    return kind_of(likelihood).possible is None and np.isfinite(kind_of(likelihood).support).sum() == 1


def is_summed(likelihood):
    """Whether the probability of an answer is itself a sum over nodes: oracles of many thousand g take long."""
    return "Rounded(Beta" in repr(likelihood)


def where(places, likelihoods=ALL):
    """Every likelihood at these means and variances of g, or at those that an oracle comes to an end with."""
    return pytest.mark.parametrize(
        ("likelihood", "y", "mean", "variance"),
        [
            pytest.param(likelihood, y, mean, variance, id=f"{likelihood!r}-{mean}-{variance}")
            for likelihood, y in likelihoods
            for mean, variance in places
            if not (is_above_an_end(likelihood) or is_summed(likelihood)) or (variance <= WIDE and abs(mean) <= FAR)
        ],
    )


def slope(f, x=0.0, h=1e-3):
    """f′(x) by central differences with one extrapolation; the error is of fourth order in h."""
    coarse, fine = (f(x + h) - f(x - h)) / (2 * h), (f(x + h / 2) - f(x - h / 2)) / h
    return (4 * fine - coarse) / 3


def without_groups(likelihood):
    return getattr(likelihood, "groups", None) is None


def alone(*left_out):
    """Every likelihood without groups, but those whose repr is left out."""
    chosen = [one for one, _ in ALL if without_groups(one) and repr(one) not in left_out]
    return pytest.mark.parametrize("likelihood", chosen, ids=repr)


# Much of its mass lies nearer to the bounds than numbers do: no quadrature over y can see it.
STEEP = "Beta(precision=0.7)"
# Its fourth moment is infinite: the variance of a sample tells nothing.
WILD = "StudentT(scale=0.05, degrees=3)"


def gauss_legendre(edges, points=20):
    """(g, weight) for integrals over the panels between the edges: nothing that the library uses."""
    x, weight = np.polynomial.legendre.leggauss(points)
    half = np.diff(edges) / 2
    return (edges[:-1] + half + half * x[:, None]).ravel(), (half * weight[:, None]).ravel()


def moments_over_answers(log_density, likelihood, centre=0.0):
    """(∫ p, ∫ y p, ∫ y² p) for p = exp(log_density(y)), or sums if answers are labels; bounded y is taken as Φ(z)."""
    kind = kind_of(likelihood)
    low, high = kind.support
    if is_discrete(likelihood):
        y, weight = low + np.arange(1000.0) if kind.integer else kind.possible, 1.0
    elif is_bounded(likelihood):
        z, weight = gauss_legendre(np.linspace(-8, 8, 161))
        y, weight = low + (high - low) * ndtr(z), weight * stats.norm.pdf(z) * (high - low)
    elif np.isfinite(low):
        z, weight = gauss_legendre(np.linspace(-40, 9, 401))
        y, weight = low + np.exp(z), weight * np.exp(z)
    else:
        y, weight = gauss_legendre(centre + np.linspace(-9, 9, 161) ** 5)
    return [float(np.sum(weight * y**k * np.exp(log_density(y)))) for k in range(3)]


def is_heavy(likelihood):
    """Whether answers may be as far away as they like: the density falls as a power, not as an exponential."""
    endless = not is_discrete(likelihood) and np.isinf(likelihood.support).all()
    return endless and likelihood.log_density(1e6, 0.0) > -1e3


def moments_by_quadrature(log_factor, mean, variance, around):
    """(log ∫, mean, variance) of exp(log_factor(g)) N(g | mean, variance), on panels found by a search."""
    std, offsets = np.sqrt(variance), np.geomspace(1e-5, 60, 400)
    offsets = np.concatenate([-offsets, offsets])

    def joint(g):
        return log_factor(g) - 0.5 * ((g - mean) ** 2 / variance + np.log(2 * np.pi * variance))

    g = np.concatenate([mean + np.linspace(-14, 14, 2001) * std, around + offsets])
    height = joint(g)
    for _ in range(4):
        nearer = g[height.argmax()] + offsets
        g, height = np.append(g, nearer), np.append(height, joint(nearer))
    there = np.sort(g[height > height.max() - 45])
    g, weight = gauss_legendre(np.append(there[:: max(1, len(there) // 150)], there[-1]))
    height = joint(g)
    weight = weight * np.exp(height - height.max())
    first = weight @ g / weight.sum()
    return np.log(weight.sum()) + height.max(), first, weight @ (g - first) ** 2 / weight.sum()


# --- densities and slopes


@every
def test_derivatives_to_third_order(likelihood, y):
    found = likelihood.derivatives(y, G)
    np.testing.assert_allclose(likelihood.log_density(y, G), found[0], rtol=1e-13, atol=1e-14)
    for k in range(3):
        expected = slope(lambda h, k=k: likelihood.derivatives(y, G + h)[k])
        scale = 1 + np.abs(found[k + 1]).max()
        np.testing.assert_allclose(found[k + 1], expected, rtol=2e-7, atol=2e-9 * scale)


@every
def test_parameter_derivatives(likelihood, y):
    found = likelihood.parameter_derivatives(y, G)
    shape = (len(likelihood.theta), len(G), len(y))
    assert [part.shape for part in found] == [shape] * 3
    for p, unit in enumerate(np.eye(len(likelihood.theta))):

        def moved(h, unit=unit):
            return np.stack(likelihood.with_theta(likelihood.theta + h * unit).derivatives(y, G)[:3])

        for k, expected in enumerate(slope(moved)):
            scale = 1 + np.abs(expected).max()
            np.testing.assert_allclose(found[k][p], expected, rtol=2e-7, atol=2e-9 * scale)


@alone(STEEP)
@pytest.mark.parametrize("g", [-0.9, 0.1, 1.0])
def test_integrates_to_one_and_has_the_mean_and_variance_it_says(likelihood, g):
    total, first, second = moments_over_answers(lambda y: likelihood.log_density(y, g), likelihood, g)
    mean, variance = likelihood.mean(g), likelihood.variance(g)
    tail = 1e-5 if is_heavy(likelihood) else 2e-7  # of y² p, beyond where the integral ends
    assert total == pytest.approx(1, abs=1e-7)
    assert mean == pytest.approx(first, abs=1e-7)
    assert variance == pytest.approx(second - first**2, rel=tail, abs=1e-9)


@alone(WILD)
def test_samples_have_that_mean_and_variance(likelihood):
    for seed, g in enumerate([-1.4, 0.2, 0.9]):
        y = likelihood.sample(np.full(40_000, g), np.random.default_rng(seed))
        likelihood.check(y)
        deviation = (y - likelihood.mean(g)) ** 2
        for found, expected in [(y, likelihood.mean(g)), (deviation, likelihood.variance(g))]:
            assert abs(found.mean() - expected) < 4.5 * found.std() / np.sqrt(found.size)


def test_samples_of_groups_have_the_noise_of_their_group():
    groups = np.repeat([0, 1], 20_000)
    y = Gaussian([0.2, 3.0], groups).sample(np.zeros(40_000), 0)
    assert y[:20_000].std() == pytest.approx(0.2, rel=0.02) and y[20_000:].std() == pytest.approx(3.0, rel=0.02)


@pytest.mark.parametrize("g", [-3.0, -0.3, 1.1])
def test_densities_equal_those_of_scipy(g):
    y, edges = MARKS, np.concatenate([[-np.inf], FIVE.cuts, [np.inf]])
    nu, mode = 7.0, ndtr(g)
    truncated = stats.truncnorm(-nu * mode, nu * (1 - mode), loc=mode, scale=1 / nu)
    for likelihood, answers, expected in [
        (Gaussian(0.3), NUMBERS, stats.norm.logpdf(NUMBERS, g, 0.3)),
        (Probit(), CHOICES, stats.norm.logcdf(CHOICES * g)),
        (Logit(), CHOICES, stats.logistic.logcdf(CHOICES * g)),
        (StudentT(0.4, 3.0), NUMBERS, stats.t.logpdf(NUMBERS, 3.0, g, 0.4)),
        (FIVE, np.arange(5), np.log(np.diff(ndtr(edges - g)))),
        (Beta(0.7), y, stats.beta.logpdf(y, 0.7 * mode, 0.7 * (1 - mode))),
        (Beta(300.0), y, stats.beta.logpdf(y, 300 * mode, 300 * (1 - mode))),
        (TruncatedGaussian(nu), y, truncated.logpdf(y)),
    ]:
        np.testing.assert_allclose(likelihood.log_density(answers, g), expected, rtol=1e-9)
    assert TruncatedGaussian(nu).mean(g) == pytest.approx(truncated.mean(), rel=1e-9)
    assert TruncatedGaussian(nu).variance(g) == pytest.approx(truncated.var(), rel=1e-7)


@pytest.mark.parametrize("n", [1, 4, 100])
@pytest.mark.parametrize("nu", [0.3, 8.0, 300.0])
def test_a_mark_in_steps_has_the_probability_of_its_interval(nu, n):
    """Held to SciPy's distribution functions, whichever tail is exact, and slopes to differences of them."""
    y, mode = np.arange(n + 1) / n, ndtr(G)
    low, high = np.where(y > 0, y - 0.5 / n, -1e9), np.where(y < 1, y + 0.5 / n, 1e9)
    ends = -nu * mode, nu * (1 - mode)
    for likelihood, answers in [
        (Beta(nu), stats.beta(nu * mode, nu * ndtr(-G))),
        (TruncatedGaussian(nu), stats.truncnorm(*ends, loc=mode, scale=1 / nu)),
        (CensoredGaussian(nu), stats.norm(0.5 + G / 4, 1 / nu)),
        (WarpedGaussian(1 / nu), stats.norm(G, 1 / nu)),
    ]:
        a, b = (
            (ndtri(np.clip(e, 0, 1)) for e in (low, high)) if isinstance(likelihood, WarpedGaussian) else (low, high)
        )
        expected = np.where(answers.cdf(a) < 0.5, answers.cdf(b) - answers.cdf(a), answers.sf(a) - answers.sf(b))
        found = Rounded(likelihood, n).derivatives(y, G)
        told = expected > 1e-200  # SciPy's differences end there; ours go on
        np.testing.assert_allclose(found[0][told], np.log(expected[told]), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(np.exp(found[0]).sum(axis=-1), 1, rtol=1e-11)
        assert np.isfinite(found).all()


@pytest.mark.parametrize("side", [-1, 1])
def test_a_mark_in_steps_far_away_falls_as_the_normal_tail_does(side):
    marks, g = Rounded(Beta(8.0), 10), side * np.array([19.0, 19.9, 20.1, 21.0, 40.0])[:, None]
    log_P, first, *_ = marks.derivatives(marks.possible[::side], g)
    np.testing.assert_allclose(log_P[:, -1], 0, atol=1e-9)  # the mark on this end
    fallen = log_ndtr(-np.abs(g)) - log_ndtr(-19.0)
    np.testing.assert_allclose(log_P[:, :-1] - log_P[0, :-1], np.tile(fallen, 10), rtol=1e-9, atol=1e-9)
    by_h = slope(lambda h: marks.log_density(marks.possible[::side], g + h))
    np.testing.assert_allclose(first, by_h, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    "likelihood", [Beta(0.5), Beta(30.0), TruncatedGaussian(8.0), CensoredGaussian(20.0)], ids=repr
)
def test_narrow_steps_are_the_density_and_samples_fall_into_them(likelihood):
    y, n = np.array([0.2, 0.55, 0.9]), 10_000
    if not isinstance(likelihood, CensoredGaussian):
        probability = Rounded(likelihood, n).log_density(y, G) + np.log(n)
        np.testing.assert_allclose(probability, likelihood.log_density(y, G), rtol=1e-5, atol=1e-5)
    marks = Rounded(likelihood, 5)
    share = np.bincount(np.rint(5 * marks.sample(np.full(40_000, 0.4), 1)).astype(int), minlength=6) / 40_000
    np.testing.assert_allclose(share, np.exp(marks.log_density(marks.possible, 0.4)), atol=0.011)


def test_marks_that_are_no_whole_steps_are_refused():
    with pytest.raises(ValueError, match=r"y\[1\] is 0.255; .*whole number of steps, k/100"):
        Rounded(Beta(), 100).check([0.25, 0.255])
    np.testing.assert_array_equal(Rounded(Beta(), 100).check([0.1 + 0.2, 1.0]), [0.3, 1.0])
    with pytest.raises(ValueError, match=r"likelihood is .*Probit.*Beta"):
        Rounded(Probit(), 4)


def test_the_beta_slopes_are_those_printed_in_the_paper():
    nu, g, y = 12.0, G, MARKS
    a, b, density = nu * ndtr(g), nu * ndtr(-g), stats.norm.pdf(g)
    D = logit(y) - digamma(a) + digamma(b)
    _, first, second, _ = Beta(nu).derivatives(y, g)
    np.testing.assert_allclose(first, nu * density * D, rtol=1e-9, atol=1e-9)
    printed = -(nu**2) * density * (density * (polygamma(1, a) + polygamma(1, b)) + g / nu * D)
    np.testing.assert_allclose(second, printed, rtol=1e-9, atol=1e-9)


def test_two_levels_are_a_choice():
    labels = np.array([0.0, 1.0])
    np.testing.assert_allclose(
        Ordinal(2, first_cut=0.0).derivatives(labels, G),
        Probit().derivatives(2 * labels - 1, G),
        rtol=1e-10,
        atol=1e-14,
    )
    assert Ordinal(2).names == ["first_cut"] and Ordinal(4).names == ["first_cut", "gaps[0]", "gaps[1]"]
    np.testing.assert_allclose(Ordinal(4, gaps=2.0).cuts, [-2, 0, 2])


def test_a_parameter_that_is_fixed_has_no_entry():
    free, held = StudentT(0.4, 3.0), StudentT(0.4, 3.0).with_priors(degrees=Fixed())
    for two, one in zip(free.parameter_derivatives(NUMBERS, G), held.parameter_derivatives(NUMBERS, G), strict=True):
        np.testing.assert_array_equal(one, two[:1])
    assert Probit().expected_parameter_gradient(CHOICES, np.zeros(2), np.ones(2)).shape == (0, 2)
    assert Probit().tilted_parameter_gradient(CHOICES, np.zeros(2), np.ones(2)).shape == (0, 2)


# --- averages over g


@where(CAVITIES)
def test_tilted_moments_equal_adaptive_quadrature(likelihood, y, mean, variance):
    found = likelihood.tilted(y, np.full(len(y), mean), np.full(len(y), variance))
    link = np.broadcast_to(likelihood.link(y), y.shape)
    for k in range(len(y)):
        one = likelihood if without_groups(likelihood) else likelihood.only(likelihood.groups[k])
        expected = moments_by_quadrature(lambda g, k=k, one=one: one.log_density(y[k], g), mean, variance, link[k])
        np.testing.assert_allclose([part[k] for part in found], expected, rtol=2e-8, atol=1e-12)


@pytest.mark.parametrize("likelihood", [Beta(1000.0), TruncatedGaussian(1000.0), StudentT(0.01, 4.0)], ids=repr)
@pytest.mark.parametrize(("mean", "variance"), [(-60.0, 100.0), (-43.0, 100.0), (-3.0, 30.0), (0.0, 1e4), (3.0, 1.0)])
def test_tilted_moments_of_the_sharpest_likelihoods(likelihood, mean, variance):
    """A narrow peak, a plateau or a heavy tail, and a wide cavity far away: both shares of the mass count."""
    for y in (1e-12, 0.005, 0.5, 1 - 1e-9):
        around = likelihood.link(np.clip(y, 1e-3, 1 - 1e-3) if is_bounded(likelihood) else y)
        expected = moments_by_quadrature(lambda g, y=y: likelihood.log_density(y, g), mean, variance, around)
        np.testing.assert_allclose(likelihood.tilted(y, mean, variance), expected, rtol=2e-8, atol=1e-12)


@every
def test_the_start_changes_nothing_and_shapes_broadcast(likelihood, y):
    mean, variance = np.linspace(-3, 5, len(y)), np.linspace(0.2, 60, len(y))
    plain = likelihood.tilted(y, mean, variance)
    for start in [(mean, variance), (np.zeros(len(y)), np.ones(len(y))), plain[1:]]:
        np.testing.assert_allclose(likelihood.tilted(y, mean, variance, start), plain, rtol=1e-8, atol=1e-12)
    table = likelihood.tilted(y, mean + np.array([[0.0], [1.0]]), variance)
    assert [part.shape for part in table] == [(2, len(y))] * 3
    np.testing.assert_allclose([part[0] for part in table], plain, rtol=1e-8, atol=1e-12)


@where(CAVITIES)
def test_a_smaller_step_changes_no_average(likelihood, y, mean, variance, monkeypatch):
    def averages():
        return np.concatenate(
            [
                Likelihood.tilted(likelihood, y, mean, variance),
                Likelihood.expectations(likelihood, y, mean, variance),
                Likelihood.expected_parameter_gradient(likelihood, y, mean, variance),
                Likelihood.tilted_parameter_gradient(likelihood, y, mean, variance),
            ]
        )

    coarse = averages()
    monkeypatch.setattr(type(likelihood), "step", likelihood.step / 3)
    np.testing.assert_allclose(coarse, averages(), rtol=2e-8, atol=2e-8)


def test_a_coarse_step_would_be_noticed(monkeypatch):
    fine = Beta(300.0).expectations(MARKS, 0.0, 100.0)
    monkeypatch.setattr(Beta, "step", 1.0)
    assert np.abs(np.subtract(fine, Beta(300.0).expectations(MARKS, 0.0, 100.0))).max() > 1e-3


@where(CAVITIES)
def test_closed_forms_equal_the_quadrature_of_the_base_class(likelihood, y, mean, variance):
    means, variances = np.full(len(y), mean), np.full(len(y), variance)
    for method, arguments in [
        ("tilted", (y, means, variances)),
        ("expectations", (y, means, variances)),
        ("expected_parameter_gradient", (y, means, variances)),
        ("tilted_parameter_gradient", (y, means, variances)),
        ("predict", (means, variances)),
    ]:
        by_sums = getattr(Likelihood, method)(likelihood, *arguments)
        found = getattr(likelihood, method)(*arguments)
        assert np.shape(found) == np.shape(by_sums)
        np.testing.assert_allclose(found, by_sums, rtol=1e-8, atol=1e-9)


@every
@pytest.mark.parametrize(("mean", "variance"), [(0.3, 1.0), (1.5, 4.0), (-1.0, 0.05)])
def test_expectations_equal_quadrature(likelihood, y, mean, variance):
    found = likelihood.expectations(y, np.full(len(y), mean), np.full(len(y), variance))
    std, k = np.sqrt(variance), len(y) - 1
    link = np.broadcast_to(likelihood.link(y), y.shape)[k]
    one = likelihood if without_groups(likelihood) else likelihood.only(likelihood.groups[k])
    g, weight = gauss_legendre(
        np.unique(np.concatenate([mean + std * np.linspace(-12, 12, 161), link + np.linspace(-1, 1, 41)]))
    )
    for order in range(3):
        expected = weight @ (one.derivatives(y[k], g)[order] * stats.norm.pdf(g, mean, std))
        assert found[order][k] == pytest.approx(expected, rel=1e-8, abs=1e-9)


@every
def test_average_slopes_are_slopes_of_the_averages(likelihood, y):
    """∂E/∂m = E[∂], ∂E/∂v = ½ E[∂²] (Opper & Archambeau), ∂ log Z/∂m = (tilted mean − m)/v, and slopes in θ."""
    mean, variance = np.linspace(-1, 1.2, len(y)), np.linspace(0.4, 2, len(y))
    _, first, second = likelihood.expectations(y, mean, variance)
    by_mean = slope(lambda h: likelihood.expectations(y, mean + h, variance)[0])
    by_variance = slope(lambda h: likelihood.expectations(y, mean, variance + h)[0])
    np.testing.assert_allclose(first, by_mean, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(second, 2 * by_variance, rtol=1e-7, atol=1e-6)
    by_mean = slope(lambda h: likelihood.log_predictive_density(y, mean + h, variance))
    np.testing.assert_allclose(
        (likelihood.tilted(y, mean, variance)[1] - mean) / variance, by_mean, rtol=1e-7, atol=1e-8
    )
    expected, tilted = (
        method(y, mean, variance)
        for method in (likelihood.expected_parameter_gradient, likelihood.tilted_parameter_gradient)
    )
    for p, unit in enumerate(np.eye(len(likelihood.theta))):

        def moved(h, unit=unit):
            other = likelihood.with_theta(likelihood.theta + h * unit)
            return np.stack([other.expectations(y, mean, variance)[0], other.tilted(y, mean, variance)[0]])

        np.testing.assert_allclose([expected[p], tilted[p]], slope(moved), rtol=1e-6, atol=1e-7)


@every
def test_predictive_density_equals_monte_carlo(likelihood, y):
    mean, variance = 0.4, 0.8
    g = np.random.default_rng(5).normal(mean, np.sqrt(variance), size=(50_000, 1))
    density = np.exp(likelihood.log_density(y, g))
    found = np.exp(likelihood.log_predictive_density(y, np.full(len(y), mean), np.full(len(y), variance)))
    error = density.std(axis=0) / np.sqrt(len(g))
    assert (np.abs(density.mean(axis=0) - found) < 4.5 * error + 1e-12).all()


@alone(STEEP)
def test_predictions_are_moments_of_the_predictive_density(likelihood):
    mean, variance = -0.5, 0.09

    def log_density(y):
        return likelihood.log_predictive_density(y, mean, variance)

    total, first, second = moments_over_answers(log_density, likelihood, mean)
    found = likelihood.predict(mean, variance)
    tail = 1e-5 if is_heavy(likelihood) else 1e-6
    assert total == pytest.approx(1, abs=1e-6)
    assert found[0] == pytest.approx(first, abs=1e-6)
    assert found[1] == pytest.approx(second - first**2, rel=tail)


# --- far out

TAILS = [
    *[(one, y) for one, y in ALL if getattr(one, "groups", None) is None and not is_above_an_end(one)],
    *[(Beta(nu), np.array([1e-12, 0.3, 1 - 1e-12])) for nu in (0.1, 1.0, 30.0, 1000.0)],
    *[(TruncatedGaussian(nu), np.array([1e-12, 0.3, 1 - 1e-12])) for nu in (0.1, 1.0, 30.0, 1000.0)],
    *[(WarpedGaussian(s), np.array([1e-12, 0.3, 1 - 1e-12])) for s in (0.01, 3.0)],
    *[(StudentT(s, d), np.array([-40.0, 0.0, 40.0])) for s, d in [(0.01, 2.5), (2.0, 50.0)]],
    (Ordinal(4, gaps=[1e-3, 3.0]), np.arange(4.0)),
    *[(ProbitWithTies(threshold), TIES) for threshold in (1e-6, 30.0)],
    *[(Comparison(inner, 0.1), CHOICES) for inner in (Probit(), Logit(), ProbitWithTies(0.5))],
    (Comparison(Beta(1000.0), 0.5), np.array([1e-12, 0.3, 1 - 1e-12])),
]


@pytest.mark.parametrize(
    ("likelihood", "y"), TAILS, ids=lambda value: repr(value) if isinstance(value, Likelihood) else ""
)
@pytest.mark.filterwarnings("error")
def test_nothing_overflows_in_the_tails(likelihood, y):
    g = np.array([-40.0, -38.5, -20.0, -8.3, 0.0, 8.3, 20.0, 38.5, 40.0])[:, None]
    results = [*likelihood.derivatives(y, g), *likelihood.parameter_derivatives(y, g)]
    results += [likelihood.mean(g), likelihood.variance(g)]
    for variance in (1e-3, 1.0, 100.0):
        results += [*likelihood.tilted(y, g, variance), *likelihood.expectations(y, g, variance)]
        results += [likelihood.tilted_parameter_gradient(y, g, variance), *likelihood.predict(g, variance)]
        assert (likelihood.tilted(y, g, variance)[2] > 0).all()
    assert all(np.isfinite(part).all() for part in results)
    likelihood.check(likelihood.sample(np.linspace(-40, 40, 2001), 3))


def test_far_in_the_tail_the_bounded_likelihoods_bend_as_they_must():
    """Where α → 0, the beta density goes as α = ν Φ(g): its slopes are those of log Φ. The truncated one is flat."""
    g = np.array([-40.0, -25.0])
    np.testing.assert_allclose(Beta(20.0).derivatives(0.3, g)[1:], Probit().derivatives(1.0, g)[1:], rtol=1e-9)
    np.testing.assert_allclose(TruncatedGaussian(20.0).derivatives(0.3, g)[1:], np.zeros((3, 2)), atol=1e-100)


def test_log_of_a_tail_probability():
    assert Probit().log_density(1.0, -40.0) == pytest.approx(-804.608442, abs=1e-6)
    assert Probit().derivatives(1.0, -40.0)[1] == pytest.approx(40.02496885, abs=1e-8)  # −z − 1/z + 2/z³
    z = 12.0  # the interval from 12 to 12.5, seen from 0: Φ(−12) − Φ(−12.5)
    expected = np.log(quad(stats.norm.pdf, z, z + 0.5, epsabs=0)[0])
    assert Ordinal(3, first_cut=z, gaps=0.5).log_density(1, 0.0) == pytest.approx(expected, rel=1e-12)
    assert Ordinal(3, first_cut=-z - 0.5, gaps=0.5).log_density(1, 0.0) == pytest.approx(expected, rel=1e-12)


@every
def test_log_concave_says_the_sign_of_the_curvature(likelihood, y):
    """The others curve upwards somewhere: an answer near 0 when g is high, or a number far from g."""
    g = np.linspace(-6, 6, 241)[:, None]
    if likelihood.log_concave:
        assert likelihood.derivatives(y, g)[2].max() <= 1e-12
    else:
        assert likelihood.derivatives(1e-9, g)[2].max() > 0.01


# --- what the sources say, and what they should say


def test_the_warped_density_is_divided_by_a_density_and_not_by_a_probability():
    """Thesis 2.39 prints N(Φ⁻¹(y) | μ, Σ)/Φ(Φ⁻¹(y)); with φ in the denominator it integrates to one."""
    mean, variance, noise = 0.4, 0.4, 0.3
    likelihood = WarpedGaussian(noise)
    ours = quad(lambda y: np.exp(likelihood.log_predictive_density(y, mean, variance)), 0, 1)[0]
    root = np.sqrt(variance + noise**2)
    printed = quad(lambda y: stats.norm.pdf(ndtri(y), mean, root) / ndtr(ndtri(y)), 0, 1)[0]
    assert ours == pytest.approx(1, abs=1e-7)
    assert printed == pytest.approx(0.62, abs=0.005)


def test_the_predictive_mean_of_the_warped_model_includes_its_noise():
    """Jensen et al. (2013), section 4.3, and Nielsen (2015) print Φ(μ/√(1 + σ*²)) for both: right for beta alone."""
    mean, variance, noise = 1.2, 0.5, 0.8
    rng = np.random.default_rng(0)
    g = rng.normal(mean, np.sqrt(variance), size=200_000)
    warped, beta = WarpedGaussian(noise), Beta(6.0)
    printed = ndtr(mean / np.sqrt(1 + variance))
    assert beta.predict(mean, variance)[0] == pytest.approx(printed, rel=1e-12)
    assert warped.predict(mean, variance)[0] == pytest.approx(ndtr(mean / np.sqrt(1 + variance + noise**2)), rel=1e-12)
    for likelihood in (warped, beta):
        y = likelihood.sample(g, rng)
        assert abs(y.mean() - likelihood.predict(mean, variance)[0]) < 4.5 * y.std() / np.sqrt(len(y))
    assert abs(warped.predict(mean, variance)[0] - printed) > 0.02


def test_a_probability_is_averaged_over_the_latent_value():
    """With latent N(1.5, 4): not the link at the mean (.933, .818), but its average (.749, .715)."""
    for likelihood, average, at_mean in [(Probit(), 0.749, 0.933), (Logit(), 0.715, 0.818)]:
        assert np.exp(likelihood.log_predictive_density(1.0, 1.5, 4.0)) == pytest.approx(average, abs=5e-4)
        assert (1 + likelihood.predict(1.5, 4.0)[0]) / 2 == pytest.approx(average, abs=5e-4)
        assert np.exp(likelihood.log_density(1.0, 1.5)) == pytest.approx(at_mean, abs=5e-4)


def test_a_choice_between_two_noisy_values():
    assert np.exp(Probit().log_density(1.0, 0.5 / (np.sqrt(2) * 0.5))) == pytest.approx(0.7602, abs=5e-5)
    assert np.exp(Probit().log_density(1.0, 0.5 / 0.5)) == pytest.approx(0.8413, abs=5e-5)


# --- Gaussian sites and groups


@pytest.mark.parametrize(
    ("likelihood", "y"), [pytest.param(one, y, id=repr(one)) for one, y in ALL if one.is_gaussian]
)
def test_a_gaussian_likelihood_is_its_site(likelihood, y):
    tau, nu = likelihood.site(y)
    assert tau.shape == nu.shape == y.shape
    rest = likelihood.log_density(y, G) - (nu * G - 0.5 * tau * G**2)
    np.testing.assert_allclose(rest, np.broadcast_to(rest[0], rest.shape), rtol=1e-12)


def test_each_group_has_its_noise():
    both = Gaussian([0.3, 2.0], groups=[1, 0, 1]).with_priors(noise_std=Fixed())
    np.testing.assert_allclose(both.log_density(NUMBERS, 0.2), stats.norm.logpdf(NUMBERS, 0.2, [2.0, 0.3, 2.0]))
    np.testing.assert_allclose(both.variance(np.zeros(3)), [4.0, 0.09, 4.0])
    assert both.only(1).noise_std == 2.0 and both.only(1).groups is None and len(both.only(1).theta) == 0
    assert type(WarpedGaussian([0.2, 1.1], groups=[0, 1]).only(0)) is WarpedGaussian


def test_squeezing_moves_marks_inside():
    marks = np.array([0.0, 25.0, 100.0])
    np.testing.assert_allclose(squeeze(marks, 0, 100), (marks / 100 * 2 + 0.5) / 3)
    np.testing.assert_allclose(squeeze(marks, 0, 100, n=50), (marks / 100 * 49 + 0.5) / 50)
    np.testing.assert_allclose(squeeze(marks, 0, 100, inside=0.01), [0.01, 0.25, 0.99])
    np.testing.assert_allclose(squeeze([1, 7], 1, 7), [0.25, 0.75])
    Beta().check(squeeze(marks, 0, 100))


# --- errors


def refuses(words, function, *arguments, **named):
    with pytest.raises(ValueError, match=words):
        function(*arguments, **named)


def test_answers_that_cannot_occur_are_refused():
    bounded = r"y\[3\] is 1\.0; it must lie strictly between 0 and 1\. Marks on a bound: .* squeeze\(y\)"
    for likelihood in (Beta(), TruncatedGaussian(), WarpedGaussian()):
        refuses(bounded, likelihood.check, [0.2, 0.3, 0.4, 1.0])
        refuses(r"y\[0\] is -0\.1", likelihood.check, [-0.1, 0.3])
    for likelihood in (Probit(), Logit()):
        refuses(r"y\[1\] is 0\.0; a choice must be -1 or \+1\. Labels 0 and 1 .* 2 \* y - 1", likelihood.check, [1, 0])
        refuses(r"y\[0\] is 0\.5; a choice must be -1 or \+1\.$", likelihood.check, [0.5, 1])
        assert likelihood.check([True, True]).dtype == np.float64
    refuses(r"y\[1\] is 5\.0; .* 0 … 4 \(levels=5\)\. Were the labels counted from 1\?", FIVE.check, [1, 5])
    refuses(r"y\[0\] is 1\.5; a label must be a whole number in 0 … 4 \(levels=5\)\.$", FIVE.check, [1.5, 2])
    for likelihood in (Gaussian(), StudentT(1.0), Probit(), FIVE, Beta()):
        refuses(r"y\[1\] is nan", likelihood.check, [1, np.nan])
        refuses(r"y has shape \(2, 1\); one answer for each response", likelihood.check, [[1.0], [1.0]])


def test_parameters_that_make_no_density_are_refused():
    for make in (Gaussian, WarpedGaussian, StudentT, Beta, TruncatedGaussian):
        for value in (0.0, -1.0, np.nan, np.inf):
            refuses("above 0", make, value)
    refuses("degrees is -1", StudentT, 1.0, degrees=-1)
    refuses("levels is 1; a whole number of at least 2", Ordinal, 1)
    refuses(r"gaps has shape \(3,\); 4 levels have 2 gaps", Ordinal, 4, gaps=[1, 1, 1])
    refuses("gaps is .* above 0", Ordinal, 4, gaps=[1, 0])
    refuses("first_cut is nan; a finite number", Ordinal, 4, first_cut=np.nan)


def test_groups_that_do_not_fit_are_refused():
    two = Gaussian([0.3, 2.0], groups=[1, 0, 1])
    refuses(r"noise_std has shape \(2,\) and groups is None; one number is needed", Gaussian, [0.3, 2.0])
    refuses(r"groups\[1\] is 2; the groups of noise_std are 0 … 1", Gaussian, [0.3, 2.0], [0, 2])
    refuses(r"groups has shape .* \(m,\) whole numbers are needed", Gaussian, [0.3, 2.0], [0.0, 1.0])
    refuses("y has 2 answers and groups has 3", two.check, [1.0, 2.0])
    refuses(
        r"groups for 3 responses, but \(5,\) came; .* likelihood\.only\(group\)", two.predict, np.zeros(5), np.ones(5)
    )
    refuses("group is 2; the groups are 0 … 1", two.only, 2)
    refuses("group is -1", two.only, -1)


def test_scales_that_cannot_be_squeezed_are_refused():
    refuses(r"y\[1\] is 11.0, outside the scale \[0.0, 10.0\]", squeeze, [3, 11], 0, 10)
    refuses("low is 1 and high 1; low < high", squeeze, [1], 1, 1)
    refuses("n is 9 and inside is 0.01; give one of them", squeeze, [0.5], n=9, inside=0.01)
    refuses("inside is 0.5; a number strictly between 0 and 0.5", squeeze, [0.5, 0.1], inside=0.5)
    refuses("n is 1; a whole number of at least 2", squeeze, [0.5])


@alone()
def test_a_g_that_is_known_needs_no_average(likelihood):
    y = next(answers for one, answers in ALL if one is likelihood)
    log_p, slope, curvature, _ = likelihood.derivatives(y, 0.4)
    assert np.allclose(likelihood.log_predictive_density(y, 0.4, 0.0), log_p)
    assert np.allclose(likelihood.predict(0.4, 0.0), (likelihood.mean(0.4), likelihood.variance(0.4)))
    assert np.allclose(likelihood.expectations(y, 0.4, 0.0), (log_p, slope, curvature))
    assert np.allclose(likelihood.tilted(y, 0.4, 0.0)[1], 0.4)


# --- distribution functions, sides, quantiles, expected answers

SPREAD_OUT = [(0.3, 1.0), (1.5, 4.0), (-0.4, 1e-4), (0.0, 30.0), (3.0, 30.0), (-6.0, 0.5)]


def over_g(mean, variance):
    """(g, weight) for averages over N(mean, variance): 16,000 nodes that know nothing of the likelihood."""
    z, weight = gauss_legendre(np.linspace(-9, 9, 801))
    return mean + z * np.sqrt(variance), weight * stats.norm.pdf(z)


@every
def test_the_distribution_function_sums_the_density(likelihood, y):
    if is_discrete(likelihood):
        steps = likelihood.cumulative(y, G) - likelihood.cumulative(np.nextafter(y, -np.inf), G)
        np.testing.assert_allclose(steps, np.exp(likelihood.log_density(y, G)), atol=1e-14)
        gap = np.diff(kind_of(likelihood).possible).min() if not kind_of(likelihood).integer else 1.0
        np.testing.assert_array_equal(likelihood.cumulative(y + 0.4 * gap, G), likelihood.cumulative(y, G))
    else:
        g = G if without_groups(likelihood) else np.broadcast_to(G, (len(G), len(y)))
        slopes = slope(lambda x: likelihood.cumulative(y + x, g), h=1e-5)
        np.testing.assert_allclose(slopes, np.exp(likelihood.log_density(y, g)), rtol=2e-4, atol=1e-8)


@alone()
def test_sides_and_ties_are_shares_of_the_answers(likelihood):
    above, below = likelihood.sides(G[:, 0])
    m = likelihood.middle
    np.testing.assert_allclose(above, 1 - likelihood.cumulative(m, G[:, 0]), atol=1e-13)
    np.testing.assert_allclose(below, likelihood.cumulative(m - 1e-13, G[:, 0]), atol=1e-10)


@where(SPREAD_OUT, [(one, y) for one, y in ALL if without_groups(one)])
def test_the_probability_of_a_side_is_that_of_many_nodes(likelihood, y, mean, variance):
    g, weight = over_g(mean, variance)
    above, below = (weight @ side for side in likelihood.sides(g))
    found = likelihood.probability_above(np.array([mean]), np.array([variance]))
    np.testing.assert_allclose(found, above / (above + below), atol=2e-6)


@where(SPREAD_OUT, [(one, y) for one, y in ALL if without_groups(one)])
def test_the_expected_answer_has_the_moments_of_many_nodes(likelihood, y, mean, variance):
    g, weight = over_g(mean, variance)
    centre = likelihood.mean(g)
    average = weight @ centre
    found = likelihood.predict_mean(np.array([mean]), np.array([variance]))
    np.testing.assert_allclose(np.ravel(found), [average, weight @ (centre - average) ** 2], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found[0], likelihood.predict(np.array([mean]), np.array([variance]))[0], atol=1e-9)


@alone()
@pytest.mark.parametrize("p", [0.05, 0.5, 0.975])
def test_quantiles_are_exceeded_as_often_as_they_say(likelihood, p):
    for mean, variance in SPREAD_OUT:
        y = likelihood.quantile(p, np.array([mean]), np.array([variance]))[0]
        g, weight = over_g(mean, variance)
        reached = weight @ likelihood.cumulative(y, g)
        if is_discrete(likelihood):
            rounding = 2e-5 if kind_of(likelihood).integer else 1e-9  # a million comes in small steps
            assert weight @ likelihood.cumulative(y - 0.5, g) < p + rounding
            assert reached > p - rounding
        elif is_bounded(likelihood) and not 1e-15 < y < 1 - 1e-15:
            nearest = 1e-15 if y < 0.5 else 1 - 1e-15  # the bound itself, to rounding
            assert (weight @ likelihood.cumulative(nearest, g) > p) == (y < 0.5)
        else:
            assert reached == pytest.approx(p, abs=2e-5)


def test_a_choice_far_away_keeps_its_small_probability():
    for choice in (Probit(), ProbitWithTies(0.5), Comparison(Probit(), 0.4)):
        assert 0 < choice.probability_above(np.array(-20.0), np.array(0.1)) < 1e-60


def test_who_ties_nearly_always_still_has_a_side():
    assert ProbitWithTies(30.0).probability_above(np.array(0.0), np.array(0.1)) == pytest.approx(0.5)


@pytest.mark.parametrize("p", [5e-14, 1e-9, 1 - 5e-14, 1 - 1e-16])
@pytest.mark.parametrize("likelihood", [StudentT(0.4, degrees=3.0), StudentT(0.4, degrees=0.5), Beta(8.0)], ids=repr)
def test_quantiles_far_out_in_the_tails_come_to_an_end(likelihood, p):
    y = likelihood.quantile(p, np.array([0.3]), np.array([1.0]))
    assert np.isfinite(y).all()
    assert (y < likelihood.quantile(0.5, np.array([0.3]), np.array([1.0]))) == (p < 0.5)


# --- answers above 0, with an exponential link --------------------------------------------------------------


def test_half_infinite_support_has_quantiles():
    mean, std = np.array([-3.0, 0.0, 4.0]), 0.7
    for p in (0.05, 0.5, 0.95):
        y = Durations().quantile(p, mean, np.full(3, std**2))
        g = mean + std * np.linspace(-9, 9, 4001)[:, None]
        weight = stats.norm.pdf(g, mean, std) * (g[1] - g[0])
        np.testing.assert_allclose((weight * Durations().cumulative(y, g)).sum(axis=0), p, atol=1e-6)


@pytest.mark.parametrize("v", [0.1, 1.0, 16.0, 30.0])
def test_an_exponential_link_reaches_as_far_as_it_grows(v):
    """E[e^g] and Var[e^g] of a log-normal; the variance comes from 2 √v standard deviations above the mean."""
    mean, variance = Durations().predict_mean(0.3, v)
    assert mean == pytest.approx(np.exp(0.3 + v / 2), rel=1e-3)
    assert variance == pytest.approx(np.exp(0.6 + v) * np.expm1(v), rel=1e-3)


def test_an_average_that_has_no_end_is_told():
    with pytest.warns(UserWarning, match="Durations: .* moments of an answer are not found"):
        Durations().predict_mean(0.0, 1e4)


def test_nodes_that_are_all_impossible_have_no_weight_and_no_warning():
    with np.errstate(all="raise"):
        log_Z, weight = quadrature._normalized(np.array([[-np.inf, -1.0], [-np.inf, -np.inf]]))
    assert log_Z.tolist() == [-np.inf, -1.0] and weight.tolist() == [[0.0, 1.0], [0.0, 0.0]]
