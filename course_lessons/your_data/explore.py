"""Explorer and checks of lecture 14: which model, and how many raters. Lecture: 14, sections 1 and 6."""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from course_lib import validation
from course_lib.datasets import load_wine
from course_lib.gp import Fixed, SquaredExponential
from course_lib.judgments.panels.raters import RaterGP
from course_lib.judgments.simulated_raters import simulate_raters
from course_widgets.controls import choice, slider
from course_widgets.frame import Explorer, PredictionFeedback
from course_widgets.style import BLUE, GREY, ORANGE, VERMILION

SUITED_MODELS = ("RaterGP", "BoundedGP", "PreferenceGP")
WHY_SUITED = (
    "Many raters give numbers to the same items: who marks high and who is sure can be told apart.",
    "Marks that pile up at the ends of a scale, one from each person: the scale is what matters.",
    "Answers to pairs are of differences; ties are answers too.",
)
NOISE_CHOICES = {"0.35": 0.35, "0.7": 0.7, "1.4": 1.4}
N_ITEMS = 12
BIAS_STD = 0.5
LENGTHSCALE = 0.1  # far below the distance of any two items: inputs predict nothing


class SizedPanel(NamedTuple):
    """truth, mean, low, high (12,): values above the mean item, and their 90 % intervals; reach: of a contrast, ±."""

    truth: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    reach: float


@cache
def sized_panel(raters, noise, missing=0.0, seed=4):
    """Posterior of twelve items with values from N(0, 1), rated by so many raters with biases from N(0, ½²).

    missing : share of the answers that are not given;  seed : the same panel with more raters keeps its items
    """
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=N_ITEMS)
    bias = BIAS_STD * rng.normal(size=raters)
    Y = simulate_raters(truth, np.full(raters, noise), rng, missing=missing) + bias
    model = RaterGP(
        SquaredExponential(1.0, LENGTHSCALE), noise_std=noise, noise_floor=0.0, bias_std=BIAS_STD, bias_prior=Fixed(),
        optimize=False,
    ).fit(np.eye(N_ITEMS), Y)  # fmt: skip
    low, high = model.consensus_interval(0.9, centred=True)
    pairs = np.stack(np.triu_indices(N_ITEMS, k=1), axis=1)
    ends = model.difference_interval(model.items_, pairs, 0.9)
    return SizedPanel(truth - truth.mean(), (low + high) / 2, low, high, float(np.mean(ends[1] - ends[0]) / 2))


def explore_judges():
    """Nine judges of the same wines: one of them at a time, beside the mean of the others."""
    return Explorer(_draw_judge, figsize=(7, 3), judge=slider("judge", 1, 9, 7))


@cache
def _bitterness():
    """(8, 9): marks of eight bottles by nine judges."""
    wine = load_wine()
    table = np.empty((8, 9))
    table[wine.bottles - 1, wine.judges - 1] = wine.y
    return table


def _draw_judge(figure, judge):
    ax, marks = figure.subplots(), _bitterness()
    mine, others = marks[:, judge - 1], np.delete(marks, judge - 1, axis=1)
    order, bottles = np.argsort(others.mean(axis=1)), np.arange(1, 9)
    ax.plot(
        np.repeat(bottles, 8), others[order].ravel(), ".", color=GREY, markersize=5, alpha=0.6, label="other judges"
    )
    ax.plot(bottles, others.mean(axis=1)[order], color=ORANGE, linestyle="--", marker="^", label="mean of the others")
    ax.plot(bottles, mine[order], color=BLUE, linestyle="-", marker="o", label=f"judge {judge}")
    ax.set(xlabel="bottle, in order of the others' mean", ylabel="bitterness (0 to 100)")
    ax.set(ylim=(-3, 115), yticks=(0, 50, 100))
    ax.set_xticks(bottles, order + 1)
    ax.legend(fontsize=8, ncols=3, loc="upper left")
    higher, together = np.mean(mine - others.mean(axis=1)), np.corrcoef(mine, others.mean(axis=1))[0, 1]
    side = "above" if higher > 0 else "below"
    return (
        f"Judge {judge} gives marks from {mine.min():.0f} to {mine.max():.0f}, on average {abs(higher):.0f} {side} "
        f"the mean of the others. The correlation with their mean over the eight bottles is {together:.2f}."
    )


def explore_panel_size():
    """Twelve items and their 90 % intervals: more raters, noisier ones, and answers that are missing."""
    return Explorer(
        _draw_panel_size,
        predict=(
            "Four raters, each with a noise of 0.7: differences of two items are known to about ± 0.8. How well are "
            "they known from sixteen raters?",
            ["to ± 0.6", "to ± 0.4", "to ± 0.2"],
        ),
        feedback=PredictionFeedback(
            "to ± 0.4",
            "four times the raters, half the width.",
            lambda raters, noise, missing: (raters, noise, missing) == (16, 0.7, 0.0),
        ),
        cases={
            "4 raters": {"raters": 4},
            "16 raters": {"raters": 16},
            "16 raters, half of it missing": {"raters": 16, "missing": 0.5},
            "16 raters, twice the noise": {"raters": 16, "noise": 1.4},
        },
        figsize=(8, 3.4),
        raters=slider("raters", 2, 30, 4),
        noise=choice("noise of a rater", NOISE_CHOICES, 0.7),
        missing=slider("share missing", 0.0, 0.75, 0.0, 0.25),
    )


def _draw_panel_size(figure, raters, noise, missing):
    panel = sized_panel(raters, noise, missing)
    _draw_known_values(panel, figure.subplots())
    held = int(((panel.low <= panel.truth) & (panel.truth <= panel.high)).sum())
    simple = norm.ppf(0.95) * noise * np.sqrt(2 / (raters * (1 - missing)))
    return (
        f"{raters} raters: a difference of two items is known to ± {panel.reach:.2f}. The rule of thumb, "
        f"1.64 · noise · √(2 / answers of an item), says ± {simple:.2f}. {held} of {N_ITEMS} intervals hold the truth."
    )


def _draw_known_values(panel, ax):
    """Sorted true values with posterior means and intervals; those that miss are wider, in another colour."""
    order = np.argsort(panel.truth)
    truth, mean, low, high = (part[order] for part in (panel.truth, panel.mean, panel.low, panel.high))
    rows, missed = np.arange(len(truth)), (truth < low) | (truth > high)
    for chosen, color, width, label in ((~missed, BLUE, 2, "90 % interval"), (missed, VERMILION, 4, "it misses")):
        ax.vlines(rows[chosen], low[chosen], high[chosen], color=color, linewidth=width, label=label)
    ax.plot(rows, mean, "o", color=BLUE, markersize=4)
    ax.plot(rows, truth, "_", color="black", markersize=14, label="truth")
    ax.set(xlabel="item, by its true value", ylabel="above the mean item", xticks=rows, xticklabels=rows + 1)
    ax.set(ylim=(-4, 4))
    ax.legend(fontsize=8, loc="upper left")


def check_models(my_models):
    """Whether three studies got suitable models, as one sentence.

    my_models : three of the words "RaterGP", "BoundedGP" and "PreferenceGP"
    """
    if my_models is None:
        return "○ Nothing to check yet: write three names of models."
    mine = validation.array(my_models, "my_models")
    if mine.shape != (3,) or mine.dtype.kind not in "UTO":
        raise ValueError(f"my_models is {my_models!r}; three names are needed, such as {list(SUITED_MODELS)[::-1]}.")
    unknown = [str(name) for name in mine if name not in SUITED_MODELS]
    if unknown:
        raise ValueError(f"my_models holds {unknown[0]!r}; the names are {', '.join(SUITED_MODELS)}.")
    wrong = [k for k, (name, right) in enumerate(zip(mine, SUITED_MODELS, strict=True)) if name != right]
    if not wrong:
        return "✓ All three suit."
    return f"✗ Study {'ABC'[wrong[0]]}: another model suits it better. {WHY_SUITED[wrong[0]]}"


def check_raters(my_raters, noise, reach):
    """Whether a number of raters is right, as one sentence.

    noise : of a rater, > 0;  reach : differences are to be known to ± this, with 90 %
    """
    noise, reach = validation.positive(noise, "noise"), validation.positive(reach, "reach")
    if my_raters is None:
        return "○ Nothing to check yet: write a number of raters."
    mine, width = validation.integer(my_raters, "my_raters"), norm.ppf(0.95) * noise / reach
    needed = {name: int(np.ceil(factor * width**2)) for name, factor in (("difference", 2), ("one value", 1))}
    if mine == needed["difference"]:
        return f"✓ {mine} raters: ± {norm.ppf(0.95) * noise * np.sqrt(2 / mine):.3f}."
    if mine == needed["one value"]:
        return "✗ That is for one value. A difference has the noise of two means: √2 times as much."
    if mine == int(np.ceil(2 * (norm.ppf(0.975) * noise / reach) ** 2)):
        return "✗ That is for intervals of 95 %: 1.96. These hold 90 %: 1.645."
    if mine == int(np.ceil(2 * width)):
        return "✗ The reach shrinks with the *root* of the number: solve 1.645 · noise · √(2/R) = reach for R."
    if mine == needed["difference"] - 1:
        return f"✗ One too few: {mine} raters reach ± {norm.ppf(0.95) * noise * np.sqrt(2 / mine):.3f}. Round up."
    return f"✗ With {mine} raters it is ± {norm.ppf(0.95) * noise * np.sqrt(2 / mine):.3f}; ± {reach:g} is asked for."
