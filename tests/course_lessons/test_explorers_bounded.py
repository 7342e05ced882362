"""What the explorers of lecture 07 and their explanations claim, by scipy's densities; and the hints of its checks."""

import re

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import betaln, logsumexp, ndtr, ndtri
from scipy.stats import beta, norm, truncnorm

from course_lessons.bounded_answers import densities, plots
from course_lessons.bounded_answers import explore as bounded
from course_lessons.bounded_answers.explore import (
    check_opinions,
    check_warped,
    explore_bounded_likelihood,
    explore_predictive,
)
from course_lib import datasets, gp
from course_widgets import figure
from course_widgets.style import sheet
from tests.course_lessons.explored import sentence, told_apart


def unlocked(explorer):
    return explorer


def distribution(model, noise, f):
    """p(y | f) as scipy has it; None for the warped model."""
    (nu, _), mode = bounded.NOISE_CHOICES[noise], ndtr(f)
    if model == "beta":
        return beta(nu * mode, nu * ndtr(-f))
    if model == "truncated Gaussian":
        return truncnorm(-nu * mode, nu * (1 - mode), loc=mode, scale=1 / nu)
    return None


def density(model, noise, f):
    """y ↦ p(y | f)."""
    if model == "warped":
        return lambda y: norm.pdf(ndtri(y), f, bounded.NOISE_CHOICES[noise][1]) / norm.pdf(ndtri(y))
    return distribution(model, noise, f).pdf


def moments(model, noise, f):
    """Mean and standard deviation of the mark; the warped ones by integrating over z."""
    if model != "warped":
        return distribution(model, noise, f).mean(), distribution(model, noise, f).std()
    z = norm(f, bounded.NOISE_CHOICES[noise][1])
    first, second = (quad(lambda t, k=k: ndtr(t) ** k * z.pdf(t), -12, 12, limit=400)[0] for k in (1, 2))
    return first, np.sqrt(second - first**2)


@pytest.mark.parametrize("model", bounded.MODEL_CHOICES)
@pytest.mark.parametrize("noise", bounded.NOISE_CHOICES)
@pytest.mark.parametrize("f", [-1.2, 0.0, 2.05])
def test_mean_and_spread_of_a_mark_are_those_of_its_density(model, noise, f):
    p = density(model, noise, f)
    likelihood = bounded.likelihood_of(model, noise)
    np.testing.assert_allclose(np.exp(likelihood.log_density(densities.GRID_Y, f)), p(densities.GRID_Y), rtol=1e-6)
    mean, std = moments(model, noise, f)
    explorer = unlocked(explore_bounded_likelihood())
    explorer.set(model=model, noise=noise, f=f)
    assert f"mean {mean:.3f}, standard deviation {std:.3f}" in sentence(explorer)


def test_the_mean_of_a_truncated_gaussian_stays_below_its_mode():
    """The prediction's right answer, and the numbers of the explanation."""
    explorer = unlocked(explore_bounded_likelihood())
    explorer.press("truncated, mode 0.98")
    assert moments("truncated Gaussian", bounded.SOME, 2.05)[0] == pytest.approx(0.912, abs=5e-4)
    assert "mean 0.912" in sentence(explorer)
    assert "mode at 0.980" in sentence(explorer)
    explorer.press("beta, mean 0.98")
    assert "mean 0.980" in sentence(explorer)
    assert sentence(explorer).endswith("no hill inside, mode at the upper end (∞).")
    explorer.press("warped, median 0.98")
    half = quad(density("warped", bounded.SOME, 2.05), 0, ndtr(2.05))[0]
    assert half == pytest.approx(0.5, abs=1e-6)
    assert ndtr(2.05 / (1 - 0.4**2)) == pytest.approx(0.993, abs=5e-4)
    assert "mean 0.972" in sentence(explorer)
    assert "mode at 0.993" in sentence(explorer)


def test_much_noise_is_a_bowl_for_two_models_and_flat_for_the_third():
    explorer = unlocked(explore_bounded_likelihood())
    for model in ("beta", "warped"):
        explorer.set(model=model, noise=bounded.MUCH, f=0.0)
        assert sentence(explorer).endswith("no hill inside, modes at both ends (∞).")
    explorer.set(model="truncated Gaussian", noise=bounded.MUCH, f=0.0)
    assert sentence(explorer).endswith("mode at 0.500.")
    p = density("truncated Gaussian", bounded.MUCH, 0.0)
    assert p(0.5) / p(0.01) < 1.5


def test_the_noises_that_share_a_name_have_about_the_same_spread_in_the_middle():
    for nu, std in bounded.NOISE_CHOICES.values():
        of_beta, warped = 0.5 / np.sqrt(1 + nu), np.sqrt(gp.WarpedGaussian(std).variance(np.array(0.0)))
        assert of_beta == pytest.approx(warped, rel=0.1)


@pytest.mark.parametrize("model", bounded.MODEL_CHOICES)
@pytest.mark.parametrize("std", [0.1, 1.0, 3.0])
def test_the_next_mark_is_an_average_over_the_latent(model, std):
    g = np.linspace(-9, 9, 3001)
    weight = norm.pdf(g) * (g[1] - g[0])
    y = np.array([0.05, 0.4, 0.9])
    each = density(model, bounded.SOME, 1 + std * g[:, None])(y)
    likelihood = bounded.likelihood_of(model, bounded.SOME)
    np.testing.assert_allclose(np.exp(likelihood.log_predictive_density(y, 1.0, std**2)), weight @ each, rtol=1e-3)
    explorer = unlocked(explore_predictive())
    explorer.set(model=model, mean=1.0, std=std)
    mean = {"beta": ndtr(1 / np.sqrt(1 + std**2)), "warped": ndtr(1 / np.sqrt(1 + std**2 + 0.4**2))}
    expected = mean.get(model, weight @ likelihood.mean(1 + std * g))
    assert f"mean mark {expected:.3f}" in sentence(explorer)


def test_the_marks_go_to_the_ends_while_the_mean_goes_to_the_middle():
    """The numbers of the explanation under explore_predictive."""
    explorer, means, near = unlocked(explore_predictive()), [], {}
    for std in np.arange(0.1, 3.05, 0.1):
        said = explorer.draw(sheet(layout="none"), model="beta", mean=1.0, std=float(std))
        means.append(float(re.search(r"mean mark ([\d.]+)", said).group(1)))
        near[round(float(std), 1)] = int(re.search(r"; (\d+) % of the marks", said).group(1))
        assert "modes at both ends (∞)" in said
        assert ("hill inside at 0.9" in said) == (std < 0.25)
    assert np.all(np.diff(means) < 0)
    assert means[0] == 0.840
    assert means[-1] == 0.624
    g = np.linspace(-9, 9, 3001)
    for std, share in near.items():
        within = beta(10 * ndtr(1 + std * g), 10 * ndtr(-1 - std * g))
        true = 1 - (within.cdf(0.98) - within.cdf(0.02)) @ norm.pdf(g) * (g[1] - g[0])
        assert share / 100 == pytest.approx(true, abs=0.007)
    assert (near[0.1], near[1.0], near[3.0]) == (5, 26, 59)


def test_the_grid_sees_the_spike_later_than_it_is_there():
    """The numbers of the explanation: at s = 0.1 the density falls towards the end, and rises only beyond 10⁻⁸."""
    explorer = unlocked(explore_predictive())
    explorer.press("a sure latent")
    assert "hill inside at 0.931, but modes at both ends (∞)" in sentence(explorer)
    ends = [log_averaged("beta", 1.0, 0.1, np.array([10.0**-k, 10.0 ** -(k + 1)]), upper=True) for k in (2, 5, 8, 12)]
    assert [later > earlier for earlier, later in ends] == [False, False, True, True]


@pytest.mark.parametrize(
    ("model", "mean", "std", "infinite"),
    [
        ("beta", 1.0, 0.1, (True, True)),
        ("beta", 2.05, 0.0, (False, True)),
        ("beta", -2.05, 0.0, (True, False)),
        ("beta", 0.0, 0.0, (False, False)),
        ("warped", 1.0, 0.8, (False, False)),
        ("warped", 1.0, 1.0, (True, True)),
        ("truncated Gaussian", 1.0, 3.0, (False, False)),
    ],
)
def test_an_infinite_end_is_one_to_which_the_density_rises_without_end(model, mean, std, infinite):
    likelihood = bounded.likelihood_of(model, bounded.SOME)
    assert densities.infinite_ends(likelihood, mean, std**2) == infinite
    distances = 10.0 ** np.array([-200.0, -300.0])
    for upper in (False, True):
        earlier, later = log_averaged(model, mean, std, distances, upper)
        assert (later > earlier + 1) == infinite[upper]


def log_averaged(model, mean, std, distance, upper):
    """log ∫ p(y | f) N(f | mean, std²) df of marks so near to an end, by a sum over a fine grid of f."""
    if upper:  # the mirror image: as near to 0, where numbers are fine enough
        mean = -mean
    f = mean + std * np.linspace(-45, 45, 40001) if std else np.array([mean])
    each = log_densities_near_0(model, f, distance)
    weight = norm.logpdf(f, mean, std) + np.log(f[1] - f[0]) if std else np.zeros(1)
    return logsumexp(each + weight, axis=1)


def log_densities_near_0(model, f, y):
    """(marks, latents) log p(y | f) for marks near 0, as scipy has it."""
    nu, noise = bounded.NOISE_CHOICES[bounded.SOME]
    if model == "beta":
        a, b = np.maximum(nu * ndtr(f), 1e-290), np.maximum(nu * ndtr(-f), 1e-290)
        return (a - 1) * np.log(y)[:, None] - betaln(a, b)
    if model == "warped":
        z = ndtri(y)[:, None]
        return norm.logpdf(z, f, noise) - norm.logpdf(z)
    mode = ndtr(f)
    return truncnorm.logpdf(y[:, None], -nu * mode, nu * (1 - mode), loc=mode, scale=1 / nu)


def test_percentiles_are_where_the_shares_lie():
    y = densities.GRID_Y
    columns = np.stack([beta(2, 5).pdf(y), beta(3, 3).pdf(y)], axis=1)
    levels = [0.025, 0.16, 0.84, 0.975]
    found = densities.percentiles(y, columns, levels)
    np.testing.assert_allclose(found, np.transpose([beta(2, 5).ppf(levels), beta(3, 3).ppf(levels)]), atol=2e-4)


def test_shades_and_lines_are_drawn_where_they_belong():
    x, y = np.linspace(0, 1, 5), np.linspace(0.01, 0.99, 50)
    _, ax = figure()
    plots.draw_shades(x, y, np.tile(y[:, None], 5), ax)
    shades = ax.images[0].get_array()
    assert shades.shape == (201, 5)
    np.testing.assert_allclose(shades[100], 0.5, atol=1e-9)
    plots.draw_percentiles(x, x, np.stack([x - 0.1, x + 0.1]), ax)
    np.testing.assert_allclose(ax.lines[2].get_ydata(), x + 0.1)
    plots.draw_mark_density(y, y, ax, 0.4, 0.6, (1 - y, "other"))
    assert [line.get_label() for line in ax.lines[-3:]] == ["other", "mean 0.40", "mode 0.60"]
    plots.draw_mark_density(y, y, ax, 0.4, 0.6, peak_name="hill")
    assert ax.lines[-1].get_label() == "hill 0.60"


P = norm.pdf(ndtri(0.8), 0.4, 0.7)  # of z at the mark 0.8


test_the_density_of_a_warped_mark_is_checked = told_apart(
    lambda mine: check_warped(mine, 0.8, 0.4, 0.7),
    (None, "Nothing to check yet"),
    (P / norm.pdf(ndtri(0.8)), "✓"),
    (P, "density of z"),
    (P * norm.pdf(ndtri(0.8)), "turned over"),
    (P / 0.8, "which is y itself"),
    (norm.pdf(0.8, 0.4, 0.7) / norm.pdf(ndtri(0.8)), "Which z"),
    (7.0, "what is p(z)"),
)


test_alpha_beta_and_the_mode_are_checked = told_apart(
    lambda mine: check_opinions(*mine, mean=0.9, precision=20),
    ((18, 2, None), "Nothing to check yet"),
    ((18, 2, 17 / 18), "✓"),
    ((2, 18, 17 / 18), "exchanged"),
    ((0.9, 0.1, 0.9), "ν = 1"),
    ((20, 2, 0.9), "their sum"),
    ((18, 2, 0.9), "The third is the mean"),
    ((18, 2, 0.5), "Solve for y"),
)


def test_the_mean_that_the_worth_names_is_the_truncated_gaussians():
    assert f"{distribution('truncated Gaussian', bounded.SOME, 2.05).mean():.3f}" == "0.912"
    assert "0.912" in explore_bounded_likelihood().feedback.because


def test_the_first_screen_counts_the_marks_that_cannot_be():
    explorer = bounded.explore_jurors()
    explorer.set(mean=90, std=15)
    squeezed = datasets.load_mock_jurors().y
    marks = 100 * (104 * squeezed - 0.5) / 103
    score = -np.mean((marks - 90) ** 2) / (2 * 15**2) - np.log(15 * np.sqrt(2 * np.pi))
    told = sentence(explorer)
    assert f"{100 * ndtr(-10 / 15):.1f} % lies above 100" in told
    assert f"{np.sum(squeezed == squeezed.max())} of 104 jurors said 100" in told
    assert float(re.search(r"juror's mark is −([\d.]+)\.", told).group(1)) == pytest.approx(-score, abs=0.02)
