"""Explorers and checks of lecture 08: how many people to ask, and what a panel lets a model say of a new item.

Lecture: 08, sections 1, 2 and 4–7.
"""

import numpy as np
from scipy.stats import norm

from course_lessons.several_answers import panels, plots
from course_lib import datasets, validation
from course_lib.sequences import checks
from course_widgets.controls import choice, slider
from course_widgets.frame import Explorer, PredictionFeedback
from course_widgets.replies import reply
from course_widgets.style import GREY, VERMILION

# --- the opening: the means of twelve kinds of carrots, and the answers behind them

HALF_WIDTH = 0.42  # of the widest bar, where the places of two products are 1 apart


def explore_carrots():
    """More people taste the carrots: their answers, and the means that a report would keep."""
    return Explorer(_draw_carrots, figsize=(7, 3), people=slider("people asked", 3, 103, 7, 4))


def _draw_carrots(figure, people):
    carrots = datasets.load_carrots()
    order = np.argsort(np.nanmean(carrots.Y, axis=1))
    Y = carrots.Y[order, :people]
    means, half = panels.means_with_interval(Y)
    ax, places = figure.subplots(), np.arange(len(Y))
    figure.subplots_adjust(bottom=0.24)
    for score in range(1, 8):
        width = HALF_WIDTH * np.mean(score == Y, axis=1)
        ax.hlines(np.full(len(Y), score), places - width, places + width, color=GREY, linewidth=6, alpha=0.5)
    ax.vlines(places, means - half, means + half, color=VERMILION)
    ax.plot(places, means, "o", color=VERMILION, label="mean, 90 % interval")
    ax.set_xticks(places, [carrots.products[k].replace("_", "\n") for k in order], fontsize=8)
    ax.set_xlabel("kind, in order of the mean of all 103 people (the source does not explain E and L)", fontsize=8)
    ax.set(ylabel="answer (1 to 7)", ylim=(0.5, 7.5), yticks=range(1, 8))
    ax.legend(loc="lower right", fontsize=8)
    apart = np.sum(np.abs(np.subtract.outer(means, means)) > np.add.outer(half, half)) // 2
    return (
        f"{people} people asked. The means lie between {means.min():.1f} and {means.max():.1f}, each with a "
        f"90 % interval of half-width {half.mean():.2f}; the intervals of {apart} of the 66 pairs do not overlap. "
        "Grey: how many people gave each answer."
    )


# --- many raters, their spread, and what is predicted of the next one

RATER_COUNTS = (1, 2, 5, 20, panels.MOST_RATERS)
LENGTHSCALE_CHOICES = {
    "0.3 (items say nothing about each other)": 0.3,
    "2 (suits this curve)": 2.0,
    "8 (too stiff)": 8.0,
}
SHORT_LENGTHSCALE, FITTING, LONG_LENGTHSCALE = LENGTHSCALE_CHOICES
INPUT_RANGE = (0.0, 10.0)


def explore_panel():
    """Raters, their spread and a lengthscale: what a panel lets a model say of an item that it has not rated."""
    return Explorer(
        _draw_panel,
        predict=(
            "Each item is rated by 2 people, with σ = 1; then by 50. What happens to the predicted width of one new "
            "person's answer?",
            ["a fifth of what it was", "hardly anything", "it becomes wider"],
        ),
        feedback=PredictionFeedback(
            "hardly anything",
            "± 1.18 becomes ± 1.02. The value becomes certain, but the differences between people, σ = 1, remain.",
            lambda raters, spread, lengthscale: (raters, spread, lengthscale) == (panels.MOST_RATERS, 1.0, FITTING),
        ),
        cases={
            "two raters": {"raters": 2, "spread": 1.0, "lengthscale": FITTING},
            "fifty raters": {"raters": 50, "spread": 1.0, "lengthscale": FITTING},
            "fifty raters, too stiff": {"raters": 50, "spread": 1.0, "lengthscale": LONG_LENGTHSCALE},
            "fifty raters, items apart": {"raters": 50, "spread": 1.0, "lengthscale": SHORT_LENGTHSCALE},
        },
        figsize=(9.0, 4.2),
        raters=choice("raters for each item, R", RATER_COUNTS, 2),
        spread=slider("their spread σ (scores)", 0.25, 2.0, 1.0, 0.25),
        lengthscale=choice("lengthscale ℓ", LENGTHSCALE_CHOICES.keys(), FITTING),
    )


def _draw_panel(figure, raters, spread, lengthscale):
    axes = figure.subplot_mosaic([["curve", plots.ONE], ["curve", plots.MEAN_LABEL]], width_ratios=(1.25, 1))
    (mean, std), value, one, many = panels.predicted(raters, spread, LENGTHSCALE_CHOICES[lengthscale])
    answers, means = panels.new_answers(raters, spread)
    curve, grid, truth = axes["curve"], panels.X_GRID, panels.true_value(panels.NEW_INPUT)
    plots.draw_rated_curve(grid, panels.true_value(grid), mean, std, np.sqrt(std**2 + spread**2), curve)
    plots.draw_answers_of_many(panels.X_ITEMS, panels.panel_answers(raters, spread), curve)
    curve.axvline(panels.NEW_INPUT, color=VERMILION, linestyle="-.", linewidth=1.2, ymax=0.74, label="the new item")
    curve.set(xlabel="input x of the item", ylabel="answer (score)", ylim=(0, 14), title=f"{raters} × 8 answers")
    curve.legend(loc="upper right", fontsize=8, ncols=2)
    for what, values, prediction, people in ((plots.ONE, answers, one, 1), (plots.MEAN_LABEL, means, many, raters)):
        plots.draw_next_answers(values, prediction, axes[what], INPUT_RANGE, what)
        peak = norm.pdf(0) * np.sqrt(people) / spread  # the only tick: each of them delays the picture
        axes[what].set(ylim=(0, 1.55 * peak), yticks=[0, peak], yticklabels=["0", f"{peak:.2g}"])
        axes[what].legend(loc="upper right", fontsize=8)
    axes[plots.ONE].set(title=f"a new item, x = {panels.NEW_INPUT}", xticks=[])
    axes[plots.MEAN_LABEL].set(xlabel="answer, or mean of answers (score)")
    return (
        f"R = {raters}, σ = {spread:.2f}, ℓ = {LENGTHSCALE_CHOICES[lengthscale]:g}. "
        f"The new item's value: {value[0]:.2f} ± {value[1]:.2f} (true: {truth:.2f}); "
        f"one answer ± {one[1]:.2f}, mean of {raters} ± {many[1]:.2f}. "
        f"Inside the predicted 90 %: {100 * panels.share_inside(answers, one):.0f} % of {panels.N_PEOPLE} people's "
        f"answers, {100 * panels.share_inside(means, many):.0f} % of the means of {raters}."
    )


# --- a budget of answers

PLANS = {f"{panels.BUDGET // raters} × {raters}": raters for raters in (20, 10, 4, 2, 1)}
EIGHT_BY_TEN, EIGHTY_BY_ONE = "8 × 10", "80 × 1"
OWN = 0.6


def explore_budget():
    """Eighty answers, spent on few items with many raters or on many with one: what stays unknown of each kind."""
    return Explorer(
        _draw_budget,
        predict=(
            "80 answers: 8 items × 10 people each, or 80 items × 1? Which leaves less unknown about an item that "
            "nobody has rated?",
            ["8 × 10", "80 × 1", "both the same"],
        ),
        feedback=PredictionFeedback(
            EIGHTY_BY_ONE,
            "± 0.68 instead of ± 0.81. A rated item is known less well, ± 0.56 instead of ± 0.30, and ω not at all.",
            lambda plan, lengthscale, own: (PLANS[plan], lengthscale, own) == (1, 2.0, OWN),
        ),
        cases={
            "many items": {"plan": EIGHTY_BY_ONE},
            "many items, ω = 0": {"plan": EIGHTY_BY_ONE, "own": 0.0},
            "few items, ℓ = 0.5": {"lengthscale": 0.5},
        },
        figsize=(9.0, 4.0),
        plan=choice("items × people", PLANS.keys(), EIGHT_BY_TEN),
        lengthscale=choice("lengthscale ℓ", (0.5, 2.0, 8.0), 2.0),
        own=choice("items' own ω", (0.0, OWN), OWN),
    )


def _draw_budget(figure, plan, lengthscale, own):
    left, right = figure.subplots(1, 2, width_ratios=(1.15, 1))
    figure.subplots_adjust(wspace=0.2)
    now, start, grid = PLANS[plan], PLANS[EIGHT_BY_TEN], panels.X_GRID
    X, Y, model = panels.plan(now, lengthscale, own)
    plots.draw_values(X, Y, model, panels.true_value(grid), grid, left)
    left.set(ylim=(0, 13), ylabel="answer (score)")
    left.legend(loc="upper right", fontsize=8, ncols=2)
    way = [raters for raters in PLANS.values() if min(now, start) <= raters <= max(now, start)]
    stds = zip(*(panels.plan_widths(raters, lengthscale, own) for raters in way), strict=True)
    names = "value of a rated item", "value of a new item", "ω (its standard error)"
    plots.draw_plans(way, dict(zip(names, stds, strict=False)), now, right)
    right.set(xscale="log", xlim=(25, 0.8), ylim=(0, 1.5), xlabel="people for each item", ylabel="standard deviation")
    right.set_xticks(list(PLANS.values()), PLANS.values())
    right.minorticks_off()
    right.legend(loc="upper center", fontsize=8)
    rated, new, *of_own = panels.plan_widths(now, lengthscale, own)
    told = f" ω = {own:g} can be learned to ± {of_own[0]:.2f}." if own else ""
    told = " With one answer per item, ω and σ cannot be told apart." if own and now == 1 else told
    return (
        f"{plan}: {len(X)} items, {now} {'people' if now > 1 else 'person'} each; ℓ = {lengthscale:g}, σ = 1. "
        f"The value of a rated item is known to ± {rated:.2f}, that of a new one to ± {new:.2f}.{told}"
    )


# --- checks of what students write


def check_measurement(my_mean, my_noise, answers, spread):
    """Feedback on the one measurement that a student says an item's answers are worth, as one sentence.

    my_… : right to 0.004;  answers : (R,), NaN where one is missing;  spread : σ, the standard deviation of one answer
    """
    spread, asked = validation.positive(spread, "spread"), validation.answers(answers, "answers")
    given = asked[~np.isnan(asked)]
    if asked.ndim != 1 or given.size == 0:
        raise ValueError(f"answers is {asked.tolist()}; one row is needed, with an answer that is not NaN.")
    R = len(given)
    rules = {
        given.mean(): {
            "✓ Both are right.": spread / np.sqrt(R),
            "✗ The noise: this is that of one answer. The mean of several answers has less noise.": spread,
            "✗ The noise: this is the variance σ²/R. Take the root.": spread**2 / R,
            "✗ The noise: this is σ²/√R. Either σ²/R and its root, or σ/√R.": spread**2 / np.sqrt(R),
            "✗ The noise: the root of the number of answers, not the number.": spread / R,
            "✗ The noise: count the answers that were given, not those that were asked for.": spread
            / len(asked) ** 0.5,
            "✗ The noise: the spread of these answers would tell σ, but here σ is given.": given.std() / np.sqrt(R),
            "✗ The mean is right. Its noise: R answers have the site τ = R/σ². What standard deviation is that?": None,
        },
        "✗ The mean: a missing answer is not 0; leave it out.": given.sum() / len(asked),
        "✗ The mean: of the answers given.": None,
    }
    return reply("write the mean and its noise.", rules, atol=0.004, my_mean=my_mean, my_noise=my_noise)


def check_widths(my_one, my_mean, value_std, spread, raters):
    """Feedback on two widths that a student worked out by hand, as one sentence.

    my_one, my_mean : standard deviations of one answer and of the mean of so many raters, right to 0.004
    value_std : of the item's value;  spread : σ of one answer
    """
    std, spread = validation.positive(value_std, "value_std"), validation.positive(spread, "spread")
    raters = validation.integer(raters, "raters")
    noises = spread, spread / np.sqrt(raters)
    rights, rules = np.hypot(std, noises), {"✓ Both are right.": None}
    for name, k in (("The mean", 1), ("One answer", 0)):
        looks_like = {
            "standard deviations do not add; their squares do.": std + noises[k],
            "this is a variance. Take the root.": std**2 + noises[k] ** 2,
            f"the value is known only to ± {std:g}. Its variance is missing.": noises[k],
            "this is the width of the value alone. The variance between people is missing.": std,
            "this is the width of the other one.": rights[1 - k],
            "its variance is v plus what people add. How much do they add?": None,
        }
        rules = {rights[k]: rules} | {f"✗ {name}: {words}": number for words, number in looks_like.items()}
    return reply("write both widths.", rules, atol=0.004, my_one=my_one, my_mean=my_mean)


def check_divergence(my_kl, shares, probabilities):
    """Feedback on a discrete Kullback–Leibler divergence that a student worked out by hand, as one sentence.

    my_kl : in nats, right to 0.004;  shares, probabilities : (C,) of the answers, and of the model
    """
    given = validation.positives(probabilities, "probabilities")
    shares, given = validation.vectors(shares=shares, probabilities=given)
    shares = checks.probabilities(shares, "shares", shares.shape)
    given = checks.probabilities(given, "probabilities", given.shape)
    some = shares > 0
    logs = np.log(shares[some] / given[some])
    right = shares[some] @ logs
    rules = {
        "✓ Right.": right,
        "✗ The sign: no divergence is below 0. The shares stand above, the model's P below.": -right,
        "✗ This is in bits. Take the natural logarithm.": right / np.log(2),
        "✗ Weight each logarithm by the share of the raters who gave that score.": logs.sum(),
        "✗ Weight each logarithm by the *raters'* share, not by P.": given[some] @ logs,
        "✗ Not yet. Write a term for each score, share × log(share / P). A score that nobody gave adds 0.": None,
    }
    return reply("write a number.", rules, atol=0.004, rtol=0, my_kl=my_kl)
