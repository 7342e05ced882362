"""Explorer and checks of lecture 08: many raters, their spread, and what is predicted of the next one.

Lecture: 08, sections 2 and 4–6.
"""

import numpy as np
from scipy.stats import norm

from course_lib import validation
from course_lib.explorers.frame import Explorer, Worth, choice, slider
from course_lib.explorers.replies import reply
from course_lib.lessons.several_answers import plots
from course_lib.lessons.several_answers.plots import MANY, ONE
from course_lib.lessons.several_answers.rated_curve import (
    GRID,
    ITEMS,
    MOST_RATERS,
    NEW,
    PEOPLE,
    new_answers,
    panel_answers,
    predicted,
    share_inside,
    true_value,
)
from course_lib.plots.style import VERMILION

RATERS = (1, 2, 5, 20, MOST_RATERS)
LENGTHSCALES = {"0.3 (items tell nothing of each other)": 0.3, "2 (suits this curve)": 2.0, "8 (too stiff)": 8.0}
SHORT, FITTING, STIFF = LENGTHSCALES
LIMITS = (0.0, 10.0)


def explore_panel():
    """Raters, their spread and a lengthscale: what a panel lets a model say of an item that it has not rated."""
    return Explorer(
        _draw_panel,
        predict=(
            "Each item is rated by 2 people, with σ = 1; then by 50. What happens to the predicted width of one new "
            "person's answer?",
            ["a fifth of what it was", "hardly anything", "it becomes wider"],
        ),
        worth=Worth(
            "hardly anything",
            "± 1.18 becomes ± 1.02. The value becomes certain; what people differ by, σ = 1, stays.",
            lambda raters, spread, lengthscale: (raters, spread, lengthscale) == (MOST_RATERS, 1.0, FITTING),
        ),
        cases={
            "two raters": {"raters": 2, "spread": 1.0, "lengthscale": FITTING},
            "fifty raters": {"raters": 50, "spread": 1.0, "lengthscale": FITTING},
            "fifty raters, too stiff": {"raters": 50, "spread": 1.0, "lengthscale": STIFF},
            "fifty raters, items apart": {"raters": 50, "spread": 1.0, "lengthscale": SHORT},
        },
        figsize=(9.0, 4.2),
        raters=choice("raters for each item, R", RATERS, 2),
        spread=slider("their spread σ (scores)", 0.25, 2.0, 1.0, 0.25),
        lengthscale=choice("lengthscale ℓ", LENGTHSCALES.keys(), FITTING),
    )


def _draw_panel(figure, raters, spread, lengthscale):
    axes = figure.subplot_mosaic([["curve", ONE], ["curve", MANY]], width_ratios=(1.25, 1))
    (mean, std), value, one, many = predicted(raters, spread, LENGTHSCALES[lengthscale])
    answers, means = new_answers(raters, spread)
    curve = axes["curve"]
    plots.draw_rated_curve(GRID, true_value(GRID), mean, std, np.sqrt(std**2 + spread**2), curve)
    plots.draw_answers_of_many(ITEMS, panel_answers(raters, spread), curve)
    curve.axvline(NEW, color=VERMILION, linestyle="-.", linewidth=1.2, ymax=0.74, label="the new item")
    curve.set(xlabel="input x of the item", ylabel="answer (score)", ylim=(0, 14), title=f"{raters} × 8 answers")
    curve.legend(loc="upper right", fontsize=8, ncols=2)
    for what, values, prediction, people in ((ONE, answers, one, 1), (MANY, means, many, raters)):
        plots.draw_next_answers(values, prediction, axes[what], LIMITS, what)
        peak = norm.pdf(0) * np.sqrt(people) / spread  # the only tick: each of them delays the picture
        axes[what].set(ylim=(0, 1.55 * peak), yticks=[0, peak], yticklabels=["0", f"{peak:.2g}"])
        axes[what].legend(loc="upper right", fontsize=8)
    axes[ONE].set(title=f"a new item, x = {NEW}", xticks=[])
    axes[MANY].set(xlabel="answer, or mean of answers (score)")
    return (
        f"R = {raters}, σ = {spread:.2f}, ℓ = {LENGTHSCALES[lengthscale]:g}. The new item's value: {value[0]:.2f} ± "
        f"{value[1]:.2f} (true: {true_value(NEW):.2f}); one answer ± {one[1]:.2f}, mean of {raters} ± {many[1]:.2f}. "
        f"Inside the predicted 90 %: {share_inside(answers, one):.0%} of {PEOPLE} people's answers, "
        f"{share_inside(means, many):.0%} of the means of {raters}."
    )


def check_measurement(my_mean, my_noise, answers, spread):
    """What is right in the one measurement that a student says an item's answers are worth, as one sentence.

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
            "✗ The noise: this is one answer's. A mean of several is more certain.": spread,
            "✗ The noise: this is the variance σ²/R. Take the root.": spread**2 / R,
            "✗ The noise: this is σ²/√R. Either σ²/R and its root, or σ/√R.": spread**2 / np.sqrt(R),
            "✗ The noise: the root of the number of answers, not the number.": spread / R,
            "✗ The noise: count the answers that were given, not those that were asked for.": spread
            / len(asked) ** 0.5,
            "✗ The noise: how far these few lie apart teaches σ; here σ is given.": given.std() / np.sqrt(R),
            "✗ The mean is right. Its noise: R answers have the site τ = R/σ². What standard deviation is that?": None,
        },
        "✗ The mean: a missing answer is no 0; leave it out.": given.sum() / len(asked),
        "✗ The mean: of the answers given.": None,
    }
    return reply("write the mean and its noise.", rules, atol=0.004, my_mean=my_mean, my_noise=my_noise)


def check_widths(my_one, my_mean, value_std, spread, raters):
    """What is right in two predicted widths that a student worked out by hand, as one sentence.

    my_one, my_mean : standard deviations of one answer and of the mean of so many raters, right to 0.004
    value_std : of the item's value;  spread : σ of one answer
    """
    std, spread = validation.positive(value_std, "value_std"), validation.positive(spread, "spread")
    raters = validation.whole(raters, "raters")
    noises = spread, spread / np.sqrt(raters)
    rights, rules = np.hypot(std, noises), {"✓ Both are right.": None}
    for name, k in (("The mean", 1), ("One answer", 0)):
        looks_like = {
            "standard deviations do not add; their squares do.": std + noises[k],
            "this is a variance. Take the root.": std**2 + noises[k] ** 2,
            f"the value is not known, but only to ± {std:g}. Its variance is missing.": noises[k],
            "this is the value's own width. What people differ by is missing.": std,
            "this is the width of the other one.": rights[1 - k],
            "its variance is v plus what people add. How much do they add?": None,
        }
        rules = {rights[k]: rules} | {f"✗ {name}: {words}": number for words, number in looks_like.items()}
    return reply("write both widths.", rules, atol=0.004, my_one=my_one, my_mean=my_mean)


def check_divergence(my_kl, shares, probabilities):
    """What is right in a discrete Kullback–Leibler divergence that a student worked out by hand, as one sentence.

    my_kl : in nats, right to 0.004;  shares, probabilities : (C,) of the answers, and of the model
    """
    shares, given = validation.real_array(shares, "shares"), validation.real_array(probabilities, "probabilities")
    if not shares.shape == given.shape == (shares.size,):
        raise ValueError(f"shares has shape {shares.shape}, probabilities {given.shape}; (C,) of both is needed.")
    shares = validation.probabilities(shares, "shares", shares.shape)
    given = validation.probabilities(given, "probabilities", given.shape)
    if (given <= 0).any():
        raise ValueError(f"probabilities is {given.tolist()}; all must be above 0.")
    some = shares > 0
    logs = np.log(shares[some] / given[some])
    right = shares[some] @ logs
    rules = {
        "✓ Right.": right,
        "✗ The sign: no divergence is below 0. The shares stand above, the model's P below.": -right,
        "✗ This is in bits. Take the natural logarithm.": right / np.log(2),
        "✗ Each logarithm counts with the share of the raters who gave that score.": logs.sum(),
        "✗ Each logarithm counts with the *raters'* share, not with P.": given[some] @ logs,
        "✗ Not yet. Write a term for each score, share × log(share / P). A score that nobody gave adds 0.": None,
    }
    return reply("write a number.", rules, atol=0.004, rtol=0, my_kl=my_kl)
