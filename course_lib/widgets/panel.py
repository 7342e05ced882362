"""Explorer of a panel's answers: many raters, their spread, and what is predicted of the next one. Lecture: 08."""

import numpy as np
from scipy.stats import norm

from course_lib.judgments.panels.rated_curve import (
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
from course_lib.plots import panel as plots
from course_lib.plots.panel import MANY, ONE
from course_lib.plots.style import VERMILION
from course_lib.widgets.explore import Explorer, choice, slider

RATERS = (1, 2, 5, 20, MOST_RATERS)
LENGTHSCALES = {"0.3 (items tell nothing of each other)": 0.3, "2 (suits this curve)": 2.0, "8 (too stiff)": 8.0}
SHORT, FITTING, STIFF = LENGTHSCALES
LIMITS = (0.0, 10.0)


def explore_panel():
    """Raters, their spread and a lengthscale: what a panel lets a model say of an item that it has not rated.

    Lecture: 08, section 5.
    """
    return Explorer(
        _draw_panel,
        predict=(
            "Each item is rated by 2 people, with σ = 1; then by 50. What happens to the predicted width of one new "
            "person's answer?",
            ["a fifth of what it was", "hardly anything", "it becomes wider"],
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
