"""Explorers and checks of marks on a bounded scale. Lecture: 07, sections 2, 4 and 5."""

from functools import cache

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import norm

from course_lessons.bounded_answers import plots
from course_lessons.bounded_answers.contests import juror_marks
from course_lessons.bounded_answers.densities import GRID_F, GRID_Y, infinite_ends, peak_of, share_near_the_ends
from course_lib import validation
from course_lib.judgments.marks.bounded import MARK_LIKELIHOODS
from course_widgets.controls import choice, slider
from course_widgets.frame import Explorer, PredictionFeedback
from course_widgets.replies import reply
from course_widgets.style import VERMILION

MODEL_CHOICES = {
    "truncated Gaussian": "truncated_gaussian",
    "beta": "beta",
    "warped": "warped",
}
NOISE_CHOICES = {
    "much (ν = 1.5; warped σ = 1.2)": (1.5, 1.2),
    "some (ν = 10; warped σ = 0.4)": (10.0, 0.4),
    "little (ν = 30; warped σ = 0.25)": (30.0, 0.25),
}
MUCH, SOME, LITTLE = NOISE_CHOICES


def explore_jurors():
    """How sure jurors are of their verdict, from 0 to 100, and a Gaussian that does not know where the scale ends."""
    marks = 100 * juror_marks()

    def draw(figure, mean, std):
        plots.draw_bell_over_marks(marks, mean, std, figure.add_subplot())
        above, below = norm.sf(100, mean, std), norm.cdf(0, mean, std)
        at_end, score = np.count_nonzero(marks == 100), norm.logpdf(marks, mean, std).mean()
        return (
            f"Of a Gaussian with mean {mean} and standard deviation {std}, {100 * above:.1f} % lies above 100 and "
            f"{100 * below:.1f} % below 0, where no marks are possible. {at_end} of {len(marks)} jurors said 100. "
            f"The mean log density of a juror's mark is −{-score:.2f}."
        )

    return Explorer(
        draw,
        figsize=(7, 3),
        mean=slider("mean", 50, 100, 80, 5),
        std=slider("standard deviation", 10, 30, 20, 5),
    )


def likelihood_of(model, noise):
    """The likelihood that the explorers mean by these words."""
    precision, std = NOISE_CHOICES[noise]
    kind = MODEL_CHOICES[model]
    return MARK_LIKELIHOODS[kind](std if kind == "warped" else precision)


@cache
def _strip(model, noise):
    """p(y | f) on the grid, its mean, and its mode where there is one inside."""
    likelihood = likelihood_of(model, noise)
    density = np.exp(likelihood.log_density(GRID_Y[:, None], GRID_F))
    peaks = [peak_of(GRID_Y, column) for column in density.T]
    return density, likelihood.mean(GRID_F), np.array([np.nan if p is None else p for p in peaks])


def explore_bounded_likelihood():
    """Three models of a mark's noise around a latent f: the density of one mark, and beside it that for all f."""
    return Explorer(
        _draw_likelihood,
        predict=(
            "A truncated Gaussian has its mode at 0.98 and ν = 10. Where is its mean?",
            ["at 0.98", "a little below, about 0.96", "clearly below, about 0.91"],
        ),
        feedback=PredictionFeedback(
            "clearly below, about 0.91",
            "most of the Gaussian above its mode is cut off, and what lies below pulls the mean down to 0.912.",
            lambda model, noise, f: model == "truncated Gaussian" and noise == SOME and abs(f - 2.05) < 0.03,
        ),
        cases={
            "truncated, mode 0.98": {"model": "truncated Gaussian", "noise": SOME, "f": 2.05},
            "beta, mean 0.98": {"model": "beta", "noise": SOME, "f": 2.05},
            "warped, median 0.98": {"model": "warped", "noise": SOME, "f": 2.05},
            "beta with much noise: a bowl": {"model": "beta", "noise": MUCH, "f": 0.1},
        },
        figsize=(8.5, 3.4),
        model=choice("model", MODEL_CHOICES.keys()),
        noise=choice("noise", NOISE_CHOICES.keys(), SOME),
        f=slider("latent f", -3.0, 3.0, 0.0, 0.05),
    )


def _draw_likelihood(figure, model, noise, f):
    strips, one = figure.subplots(1, 2, width_ratios=(1, 1.15))
    figure.subplots_adjust(wspace=0.22)
    density, mean, mode = _strip(model, noise)
    plots.draw_shades(GRID_F, GRID_Y, density, strips)
    plots.draw_centre(GRID_F, mean, mode, strips)
    strips.axvline(f, color=VERMILION, linestyle=":", linewidth=1.2)
    strips.set(xlabel="latent f", ylabel="mark y", title="p(y | f): darker is denser")
    strips.legend(loc="upper left", fontsize=9)
    likelihood = likelihood_of(model, noise)
    here = np.exp(likelihood.log_density(GRID_Y, f))
    centre, spread = float(likelihood.mean(f)), float(np.sqrt(likelihood.variance(f)))
    peak = peak_of(GRID_Y, here)
    plots.draw_mark_density(GRID_Y, here, one, centre, peak)
    one.set(title=f"f = {f:.2f}")
    return (
        f"{likelihood_words(likelihood)}, f = {f:.2f}, Φ(f) = {ndtr(f):.3f}: mean {centre:.3f}, "
        f"standard deviation {spread:.3f}; {peak_words(peak, infinite_ends(likelihood, f))}."
    )


def likelihood_words(likelihood):
    """Its kind and noise, as the captions say them."""
    name = {"WarpedGaussian": "Warped", "TruncatedGaussian": "Truncated Gaussian", "Beta": "Beta"}
    noise = f"σ = {likelihood.noise_std:g}" if hasattr(likelihood, "noise_std") else f"ν = {likelihood.precision:g}"
    return f"{name[type(likelihood).__name__]}, {noise}"


def peak_words(peak, infinite):
    """Where the density is highest; peak as from peak_of, infinite as from infinite_ends."""
    hill = None if peak is None else f"{peak:.3f}" if abs(peak - 0.5) < 0.499 else f"{peak:.6f}"
    if not any(infinite):
        return f"mode at {hill}" if hill else f"mode within {GRID_Y[0]:.0e} of an end"
    where = "modes at both ends (∞)" if all(infinite) else f"mode at the {'lower' if infinite[0] else 'upper'} end (∞)"
    return f"hill inside at {hill}, but {where}" if hill else f"no hill inside, {where}"


def explore_predictive():
    """The next mark where the latent is uncertain: p(y) = ∫ p(y | f) N(f | m, s²) df, beside p(y | f = m)."""
    return Explorer(
        _draw_predictive,
        predict=(
            "The latent is N(1, s²) and the noise is beta; s grows from 0.1 to 3. "
            "Where does the mean mark go, and where do the marks gather?",
            ["both stay", "both go to ½", "the mean goes towards ½, the marks gather at the ends"],
        ),
        feedback=PredictionFeedback(
            "the mean goes towards ½, the marks gather at the ends",
            "a latent that may lie anywhere lies mostly far out, on either side, and that means a mark at an end.",
            lambda model, mean, std: model == "beta" and std >= 2,
        ),
        cases={
            "a sure latent": {"model": "beta", "mean": 1.0, "std": 0.1},
            "unsure": {"model": "beta", "mean": 1.0, "std": 1.0},
            "knowing nothing: a bowl": {"model": "beta", "mean": 1.0, "std": 3.0},
            "knowing nothing, truncated": {"model": "truncated Gaussian", "mean": 1.0, "std": 3.0},
        },
        figsize=(7.5, 3.4),
        model=choice("model (some noise)", MODEL_CHOICES.keys(), "beta"),
        mean=slider("latent mean m", -3.0, 3.0, 1.0, 0.1),
        std=slider("latent sd s", 0.1, 3.0, 0.1, 0.1),
    )


@cache
def _predicted(model, mean, std):
    """(density at GRID_Y, mean mark, standard deviation) of the next mark, with some noise."""
    likelihood = likelihood_of(model, SOME)
    density = np.exp(likelihood.log_predictive_density(GRID_Y, mean, std**2))
    centre, variance = likelihood.predict(mean, std**2)
    return density, float(centre), float(np.sqrt(variance))


def _draw_predictive(figure, model, mean, std):
    mean, std = round(mean, 1), round(std, 1)
    ax = figure.add_subplot()
    likelihood = likelihood_of(model, SOME)
    density, centre, spread = _predicted(model, mean, std)
    peak, infinite = peak_of(GRID_Y, density), infinite_ends(likelihood, mean, std**2)
    known = np.exp(likelihood.log_density(GRID_Y, mean))
    name = "hill" if any(infinite) else "mode"
    plots.draw_mark_density(GRID_Y, density, ax, centre, peak, (known, "if f were m"), peak_name=name)
    plugged = float(likelihood.mean(mean))
    return (
        f"{likelihood_words(likelihood)}; f ~ N({mean:.1f}, {std:.1f}²): mean mark {centre:.3f} "
        f"(if f were m: {plugged:.3f}), standard deviation {spread:.3f}; {peak_words(peak, infinite)}; "
        f"{100 * share_near_the_ends(GRID_Y, density):.0f} % of the marks lie within 0.02 of an end."
    )


def check_warped(my_density, y, mean, std):
    """Feedback on the density of a warped mark that a student wrote, as one sentence.

    y : the mark, between 0 and 1;  mean, std : of z = Φ⁻¹(y), noise included
    """
    y, mean, std = validation.between(y, "y", 0, 1), validation.finite(mean, "mean"), validation.positive(std, "std")
    z = ndtri(y)
    of_z, slope = norm.pdf(z, mean, std), norm.pdf(z)
    last = "p(y) = p(z) dz/dy: what is p(z) at z = Φ⁻¹(y), and dz/dy, one over dy/dz = φ(z)?"
    rules = {
        "✓ Right.": of_z / slope,
        "✗ This is the density of z at this place. How wide is an interval of y in units of z?": of_z,
        "✗ The slope is turned over: dy/dz is φ(z), so which way does dz/dy go into the density?": of_z * slope,
        "✗ You divided by Φ(z), which is y itself. What is the slope of Φ?": of_z / y,
        "✗ The density of z is taken at y. Which z belongs to this mark?": norm.pdf(y, mean, std) / slope,
        "✗ Not {my_density:.4g}. " + last: None,
    }
    return reply("write one line.", rules, rtol=0.004, my_density=my_density)


def check_opinions(my_alpha, my_beta, my_mode, mean, precision):
    """Feedback on a student's α, β and mode of a beta density with a peak inside, as one sentence.

    mean : of the mark, between 0 and 1;  precision : ν
    """
    mean, precision = validation.between(mean, "mean", 0, 1), validation.positive(precision, "precision")
    alpha, beta = precision * mean, precision * (1 - mean)
    if min(alpha, beta) <= 1:
        raise ValueError(f"precision is {precision:g}; with the mean {mean:g} a peak inside needs α and β above 1.")
    as_mean = (alpha, beta, mean)
    turned = {"✗ α and β are exchanged: α speaks for high marks, and the mean is α/(α + β).": (beta, alpha)}
    rules = {
        "✗ That is ν = 1. α and β are shares of ν opinions.": (mean, 1 - mean),
        "✓ All three are right.": (alpha, beta, (alpha - 1) / (precision - 2)),
        "✗ α and β are right. The third is the mean: where has (α − 1) log y + (β − 1) log(1 − y) no slope?": as_mean,
        "✗ α and β are right. The mode: (α − 1)/y = (β − 1)/(1 − y). Solve for y.": (alpha, beta),
        "✗ α and β: their sum shall be ν, and α/(α + β) the mean.": None,
    }
    rules = rules if np.isclose(alpha, beta) else turned | rules
    mine = {"my_alpha": my_alpha, "my_beta": my_beta, "my_mode": my_mode}
    return reply("write all three numbers.", rules, atol=(0.005, 0.005, 0.003), **mine)
