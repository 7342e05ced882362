"""Explorers and checks of lecture 06: one answer and three Gaussians for its posterior; EP step by step.

Lecture: 06, sections 3, 4 and 7.
"""

import numpy as np
from scipy.special import ndtr

from course_lessons.approximate_inference import plots
from course_lessons.approximate_inference.ep_steps import (
    EP_ROUNDS,
    LATENT_GRID,
    PHASES,
    SOUND_STD,
    ep_messages,
    exact_beliefs,
)
from course_lessons.approximate_inference.single_probit import (
    INFERENCE_RULES,
    after_one_yes,
    grid_posterior,
    site_curves,
)
from course_lib import validation
from course_widgets.controls import choice, slider
from course_widgets.frame import Explorer, PredictionFeedback, increment_by
from course_widgets.replies import Near, reply

STDS = np.arange(0.5, 5.01, 0.25)
MOST_ANSWERS, OPENING_STD = 6, 3.0


def explore_liking():
    """How much a person likes a sound, after some yes and some no: the posterior, and the Gaussian of its moments."""
    return Explorer(
        _draw_liking,
        figsize=(7, 3),
        yes=slider("times yes", 0, MOST_ANSWERS, 1),
        no=slider("times no", 0, MOST_ANSWERS, 0),
    )


def _draw_liking(figure, yes, no):
    g, density = grid_posterior(OPENING_STD, yes, no)
    ax, weight = figure.add_subplot(), density * (g[1] - g[0])
    figure.subplots_adjust(left=0.11)
    plots.draw_posterior_and_prior(g, density, OPENING_STD, ax)
    ax.set(xlim=(-8, 8), ylim=(0, max(0.32, 1.1 * density.max())), xlabel="g, how much this person likes the sound")
    ax.legend(loc="upper left", fontsize=8)
    mean = weight @ g
    std = np.sqrt(weight @ (g - mean) ** 2)
    return (
        f"After {yes} yes and {no} no, the liking g has mean {round(mean, 2) + 0.0:.2f} and standard deviation "
        f"{std:.2f}; the next answer is yes with probability {weight @ ndtr(g):.2f}. The posterior has "
        f"{100 * (weight @ np.heaviside(-g, 0.5)):.1f} % of its mass below 0, a Gaussian with the same mean and "
        f"variance {100 * ndtr(-mean / std):.1f} % there."
    ).replace("-", "−")


def explore_site():
    """One yes, its skewed posterior, and the Gaussian that each rule puts in its place."""
    return Explorer(
        _draw_site,
        predict=(
            "The prior widens from standard deviation 3 to 5. The true P(next answer = yes) rises. "
            "Does it rise under Laplace too?",
            ["by as much", "by less than half as much", "hardly, or it falls"],
        ),
        feedback=PredictionFeedback(
            "hardly, or it falls",
            "the truth goes from .856 to .911, and Laplace from .768 to .767: its Gaussian is centred at the "
            "mode and ignores the long tail.",
            lambda prior_std, rule: prior_std == 5.0 and rule in ("Laplace", "all three"),
        ),
        cases={
            "narrow prior": {"prior_std": 0.5, "rule": "all three"},
            "σ_f = 3, Laplace": {"prior_std": 3.0, "rule": "Laplace"},
            "σ_f = 5, Laplace": {"prior_std": 5.0, "rule": "Laplace"},
            "σ_f = 5, all three": {"prior_std": 5.0, "rule": "all three"},
        },
        figsize=(8, 4.2),
        prior_std=slider("prior standard deviation", 0.5, 5.0, 1.0, 0.25),
        rule=choice("rule", [*INFERENCE_RULES, "all three"]),
    )


def _draw_site(figure, prior_std, rule):
    beliefs, shown = after_one_yes(prior_std), list(INFERENCE_RULES) if rule == "all three" else [rule]
    grid = figure.add_gridspec(2, 2, width_ratios=(1.5, 1), height_ratios=(1, 1.4), wspace=0.25, hspace=0.12)
    top, left, right = (figure.add_subplot(place) for place in (grid[0, 0], grid[1, 0], grid[:, 1]))
    g, density = grid_posterior(prior_std)
    plots.draw_sites(g, ndtr(g), {name: site_curves(prior_std)[name] for name in shown}, top)
    top.set(xticklabels=[])
    top.set_title("the likelihood of yes (grey), and its sites", fontsize=9)
    plots.draw_truth(g, density, left)
    plots.draw_gaussians(g, {name: beliefs[name][:2] for name in shown}, left)
    left.legend(fontsize=8, loc="upper right")
    for ax in (top, left):
        ax.axvline(0, color="black", linewidth=0.8, linestyle=":")
        ax.set(xlim=(-3 * prior_std, 5.5 * prior_std))
    tried = STDS[prior_std >= STDS]  # what the slider has passed: more would answer the prediction
    curve = {name: [after_one_yes(float(s))[name].next_yes for s in tried] for name in ("exact", *shown)}
    plots.draw_against_prior(tried, curve.pop("exact"), curve, right, now=prior_std)
    right.set(xlim=(0.3, 5.2), ylim=(0.52, 0.95))
    right.legend(fontsize=8, loc="upper left")
    return _site_sentence(prior_std, beliefs, shown)


def _site_sentence(prior_std, beliefs, shown):
    exact = beliefs["exact"]
    news = "; ".join(
        f"{name}: mean {b.mean:.2f} ± {b.std:.2f}, {b.below:.3f} of its mass below 0, P(next yes) {b.next_yes:.3f}"
        for name, b in ((name, beliefs[name]) for name in shown)
    )
    return (
        f"Prior standard deviation {prior_std:g}. True posterior: mean {exact.mean:.2f} ± {exact.std:.2f}, "
        f"{exact.below:.3f} of its mass below 0, P(next yes) {exact.next_yes:.3f}. {news}."
    )


ANSWER_SETS = {"yes, no, yes": (1, -1, 1), "yes, yes, yes": (1, 1, 1), "yes, yes, no": (1, 1, -1)}


def explore_messages():
    """Expectation propagation on three answers: take an answer out, see what it says, put a Gaussian in its place."""

    return Explorer(
        _draw_message,
        predict=(
            "Answers yes, no, yes; neighbours have correlation 0.9. Where is the mean of the middle sound, the no?",
            ["below 0", "exactly 0", "above 0"],
        ),
        feedback=PredictionFeedback(
            "above 0",
            "its cavity, from two similar sounds, favours “yes” more strongly than its own answer favours “no”.",
            lambda step, correlation, answers: step >= 9 and correlation >= 0.9 and answers == "yes, no, yes",
        ),
        cases={
            "nothing in common, 1 round": {"step": 9, "correlation": 0.0},
            "similar, 1 round": {"step": 9, "correlation": 0.9},
            "similar, 4 rounds": {"step": 36, "correlation": 0.9},
            "similar and all agree": {"step": 36, "correlation": 0.9, "answers": "yes, yes, yes"},
        },
        actions={"Next step": increment_by("step"), "Next round": increment_by("step", 9)},
        figsize=(8.5, 3.6),
        step=slider("steps done", 0, 9 * EP_ROUNDS, 0),
        correlation=slider("correlation of neighbours", 0.0, 0.95, 0.0, 0.05),
        answers=choice("answers", ANSWER_SETS.keys()),
    )


def _draw_message(figure, step, correlation, answers):
    correlation, y = round(correlation, 2), ANSWER_SETS[answers]
    exact = exact_beliefs(correlation, y)
    left, right = figure.subplots(1, 2, width_ratios=(1.2, 1))
    figure.subplots_adjust(wspace=0.24)
    if step == 0:
        plots.draw_message(LATENT_GRID, (0.0, SOUND_STD), ndtr(y[0] * LATENT_GRID), None, None, left)
        prior = np.zeros(3), np.full(3, SOUND_STD)
        plots.draw_beliefs(*prior, exact, prior, right)
        return (
            f"Before round 1 all sites are 0, so EP's posterior is the prior: 0 ± {SOUND_STD:g} for each sound. "
            f"Answers: {answers}. Correlation of neighbours {correlation:g}."
        )
    now = ep_messages(correlation, y)[step - 1]
    reached = PHASES.index(now.phase)
    plots.draw_message(
        LATENT_GRID,
        now.cavity,
        ndtr(y[now.sound] * LATENT_GRID),
        now.tilted if reached >= 1 else None,
        now.matched if reached >= 2 else None,
        left,
    )
    plots.draw_beliefs(now.means, now.stds, exact, now.cavities, right, turn=now.sound)
    return _message_sentence(now, correlation, answers, exact)


def _message_sentence(now, correlation, answers, exact):
    place = f"Round {now.round}, sound {now.sound + 1}, {now.phase}"
    start = f"Answers: {answers}; correlation {correlation:g}. {place}: "
    if now.phase == "CAVITY":
        return start + "the prior and the other answers give {:.2f} ± {:.2f}.".format(*now.cavity)
    if now.phase == "TILTED":
        return start + "multiplied by the true likelihood, the cavity becomes {:.2f} ± {:.2f}.".format(*now.matched)
    off = max(np.abs(now.means - exact[0]).max(), np.abs(now.stds - exact[1]).max())
    moved = f"In this round no mean has changed by more than {now.moved:.3f}. " if now.sound == 2 else ""
    return f"{start}the new site gives EP the mean and std of TILTED. {moved}EP's largest error is {off:.3f}."


def check_site(my_tau, my_nu, slope, curvature, at):
    """Feedback on a site read off a log likelihood with this slope and curvature W = −∂² log p at a point."""
    slope, curvature = validation.finite(slope, "slope"), validation.finite(curvature, "curvature")
    at = validation.finite(at, "at")
    measurement = slope / (curvature or 1) + at  # no matter which, if W is 0
    rules = {
        "✗ τ: the sign. The site is exp(νg − ½ τg²), and W is already minus the second derivative.": -curvature,
        "✗ τ: the ½ stands in the site as well, exp(νg − ½ τg²).": 0.5 * curvature,
        curvature: {
            "✓ Both are right.": slope + curvature * at,
            "✗ ν: the square gives a term with g, too: −½ W (g − m)² = −½ W g² + W m g − …": slope,
            "✗ ν: the sign of the second part. −½ W (g − m)² has the middle term + W m g.": slope - curvature * at,
            "✗ This is ν/τ, the measurement that the site stands for. ν itself is the coefficient of g.": measurement,
            "✗ τ is right. ν: collect all terms in g, from the slope and from the square.": None,
        },
        "✗ τ: what stands before −½ g² after multiplying out −½ W (g − m)²?": None,
    }
    return reply("write both numbers of the site.", rules, atol=0.002, my_tau=my_tau, my_nu=my_nu)


def check_cavity(my_mean, my_variance, mean, variance, tau, nu):
    """Feedback on a cavity that a student worked out by hand, as one sentence.

    mean, variance : of the belief about g;  tau, nu : the site that is to be taken out
    """
    mean, variance = validation.finite(mean, "mean"), validation.positive(variance, "variance")
    tau, nu = validation.finite(tau, "tau"), validation.finite(nu, "nu")
    precision, shift = 1 / variance - tau, mean / variance - nu
    if precision <= 0:
        raise ValueError(f"tau is {tau:g}; it must be below the belief's precision, {1 / variance:g}.")
    added = 1 / variance + tau
    turned, right_variance = (shift, precision), Near((None, 1 / precision), 0.006, 0)
    rules = {
        "✓ Both are right.": (shift / precision, 1 / precision),
        "✗ That is the current marginal. It still contains the site, so the answer would count twice.": (
            mean,
            variance,
        ),
        "✗ Now it contains the site twice. To remove a site, subtract.": ((mean / variance + nu) / added, 1 / added),
        "✗ These are the precision's and the shift's numbers: variance 1/(1/v − τ), mean shift × variance.": turned,
        "✗ The variance is right. The mean: m/v − ν is the cavity's mean divided by its variance.": right_variance,
        "✗ The variance: *precisions* are subtracted, 1/v − τ, not variances.": None,
    }
    return reply("write the mean and the variance.", rules, atol=0.006, my_mean=my_mean, my_variance=my_variance)


def check_chance(my_chance, mean, variance):
    """Feedback on a student's probability of a yes under a Gaussian belief about g, as one sentence."""
    mean, variance = validation.finite(mean, "mean"), validation.positive(variance, "variance")
    rules = {
        "✓ Right.": ndtr(mean / np.sqrt(1 + variance)),
        "✗ This is Φ at the mean, as if g were known.": ndtr(mean),
        "✗ Here the noise of the answer is forgotten: the variance of g + ε is v + 1.": ndtr(mean / np.sqrt(variance)),
        "✗ Divide by a standard deviation: the root of 1 + v.": ndtr(mean / (1 + variance)),
        "✗ v is a variance already: do not square it.": ndtr(mean / np.sqrt(1 + variance**2)),
        "✗ Not yet. g + ε is Gaussian: which mean, which variance? And how much of it lies above 0?": None,
    }
    return reply("write a probability.", rules, atol=0.003, rtol=0, my_chance=my_chance)
