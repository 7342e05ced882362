"""Explorers and checks of lecture 14: a table that grows, which model, how many raters. Lecture: 14, sections 1, 6."""

from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import norm

from course_lib import validation
from course_lib.datasets import load_wine
from course_lib.gp import Fixed, SquaredExponential
from course_lib.judgments.panels.raters import RaterGP
from course_lib.judgments.simulated_raters import simulate_raters
from course_studies.rating_study import RatingStudy
from course_studies.ratings import from_long
from course_widgets.controls import choice, slider
from course_widgets.frame import Explorer, PredictionFeedback
from course_widgets.style import BLUE, HEAT, VERMILION

SUITED_MODELS = ("RaterGP", "BoundedGP", "PreferenceGP")
WHY_SUITED = (
    "Many raters give numbers to the same items: who marks high and who is sure can be told apart.",
    "Marks that pile up at the ends of a scale, one from each person: the scale is what matters.",
    "Answers to pairs are of differences; ties are answers too.",
)
NOISE_CHOICES = {"0.35": 0.35, "0.7": 0.7, "1.4": 1.4}
N_ITEMS = 12
BIAS_STD = 0.5
FEW_RATERS, MOST_RATERS, MOST_JUDGES = 4, 30, 9
LENGTHSCALE = 0.1  # far below the distance of any two items: inputs predict nothing


class SizedPanel(NamedTuple):
    """Y: (12, R) marks; truth, mean, low, high (12,): values above the mean item, and their 90 % intervals.

    reach : half-width of the interval of a difference
    """

    Y: np.ndarray
    truth: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    reach: float


@cache
def sized_panel(raters, noise, missing=0.0, seed=4):
    """Posterior of twelve items with values from N(0, 1), rated by so many raters with biases from N(0, ½²).

    missing : share of the answers that are not given
    seed : a panel with more raters keeps the items, and the marks of the others
    """
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=N_ITEMS)
    Y = simulate_raters(truth, np.full(MOST_RATERS, noise), rng) + BIAS_STD * rng.normal(size=MOST_RATERS)
    given = np.isfinite(simulate_raters(truth, np.zeros(raters), rng, missing=missing))
    Y = np.where(given, Y[:, :raters], np.nan)
    model = RaterGP(
        SquaredExponential(1.0, LENGTHSCALE), noise_std=noise, noise_floor=0.0, bias_std=BIAS_STD, bias_prior=Fixed(),
        optimize=False,
    ).fit(np.eye(N_ITEMS), Y)  # fmt: skip
    low, high = model.consensus_interval(0.9, centred=True)
    pairs = np.stack(np.triu_indices(N_ITEMS, k=1), axis=1)
    ends = model.difference_interval(model.items_, pairs, 0.9)
    return SizedPanel(Y, truth - truth.mean(), (low + high) / 2, low, high, float(np.mean(ends[1] - ends[0]) / 2))


def explore_tasting():
    """A table of eight bottles that grows judge by judge, and beside each row what is known of its bottle."""
    return Explorer(_draw_wine, figsize=(8, 3.4), judges=slider("judges asked", 2, MOST_JUDGES, 4))


@cache
def _tasted(judges):
    """(marks (8, judges), consensus, contrasts) of the first judges; bottles in order of the mean of all nine."""
    wine = load_wine()
    frame = pd.DataFrame({"bottle": wine.bottles, "judge": wine.judges, "mark": wine.y})
    order = frame.groupby("bottle")["mark"].mean().sort_values().index
    names = {"item": "bottle", "rater": "judge", "rating": "mark"}
    table = from_long(frame[frame["judge"] <= judges], **names, scale=(0, 100))
    study = RatingStudy().fit(table)
    return table.Y.loc[order].to_numpy(), study.consensus().loc[order], study.contrasts()


def _draw_wine(figure, judges):
    marks, found, contrasts = _tasted(judges)
    left, right = _draw_table(figure, marks, MOST_JUDGES, (0, 100), found.index)
    for (row, judge), mark in np.ndenumerate(marks):
        shade = "black" if mark > 50 else "white"
        left.text(judge, row, f"{mark:.0f}", ha="center", va="center", fontsize=8, color=shade)
    left.set(xlabel="judge", ylabel="bottle, by its mean", title="bitterness, 0 to 100")
    left.set_xticks(range(MOST_JUDGES), range(1, MOST_JUDGES + 1))
    _draw_intervals(right, *(found[name].to_numpy() for name in ("consensus", "low", "high")))
    right.set(xlabel="bitterness of the bottle", xlim=(-2, 102), title="90 % interval")
    apart = ((contrasts["low"] > 0) | (contrasts["high"] < 0)).sum()
    width = (contrasts["high"] - contrasts["low"]).mean() / 2
    return (
        f"{judges} of {MOST_JUDGES} judges asked: intervals of differences have a half-width of {width:.0f} marks, "
        f"and {apart} of {len(contrasts)} pairs of bottles can be told apart."
    )


def _draw_table(figure, marks, columns, ends, names):
    """Two axes that share their rows, an item each: in the left one its marks (n, R), white where there is none.

    columns : how many there is room for;  ends : marks of the darkest and of the brightest cell;  names : of the rows
    """
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(1.25, 1))
    figure.subplots_adjust(wspace=0.12)
    left.imshow(marks, cmap=HEAT, vmin=ends[0], vmax=ends[1], aspect="auto", origin="lower", interpolation="nearest")
    left.set(xlim=(-0.5, columns - 0.5), ylim=(-0.6, len(marks) - 0.4))
    left.set_yticks(range(len(marks)), names)
    right.tick_params(labelleft=True)
    return left, right


def _draw_intervals(ax, mean, low, high, truth=None):
    """A mean and its interval in each row; with a truth (n,), intervals that miss it are wider, in another colour."""
    rows = np.arange(len(mean))
    missed = np.zeros(len(mean), bool) if truth is None else (truth < low) | (truth > high)
    for chosen, color, width in ((~missed, BLUE, 2), (missed, VERMILION, 4)):
        ax.hlines(rows[chosen], low[chosen], high[chosen], color=color, linewidth=width)
    ax.plot(mean, rows, "o", color=BLUE, markersize=4)
    if truth is not None:
        ax.plot(truth, rows, "|", color="black", markersize=11, markeredgewidth=1.8, label="truth")
    return ax


def explore_panel_size():
    """Twelve items and their 90 % intervals: more raters, noisier ones, and answers that are missing."""
    return Explorer(
        _draw_panel_size,
        predict=(
            "Four raters, each with a noise of 0.7: the interval of a difference of two items has a half-width of "
            "0.8. How large is the half-width with sixteen raters?",
            ["0.6", "0.4", "0.2"],
        ),
        feedback=PredictionFeedback(
            "0.4",
            "four times the raters, half the width.",
            lambda raters, noise, missing: (raters, noise, missing) == (16, 0.7, 0.0),
        ),
        cases={
            "4 raters": {"raters": FEW_RATERS},
            "16 raters": {"raters": 16},
            "16 raters, half of it missing": {"raters": 16, "missing": 0.5},
            "16 raters, twice the noise": {"raters": 16, "noise": 1.4},
        },
        figsize=(8, 3.4),
        raters=slider("raters", 2, MOST_RATERS, FEW_RATERS),
        noise=choice("noise of a rater", NOISE_CHOICES, 0.7),
        missing=slider("share missing", 0.0, 0.75, 0.0, 0.25),
    )


def _draw_panel_size(figure, raters, noise, missing):
    panel = sized_panel(raters, noise, missing)
    order = np.argsort(panel.truth)
    left, right = _draw_table(figure, panel.Y[order], MOST_RATERS, (-3, 3), range(1, N_ITEMS + 1))
    left.set(xlabel="rater", ylabel="item, by its true value", title="marks: brighter is higher")
    left.set_xticks([0, 9, 19, 29], [1, 10, 20, 30])
    _draw_intervals(right, *(part[order] for part in (panel.mean, panel.low, panel.high, panel.truth)))
    right.set(xlabel="above the mean item", xlim=(-3, 3), title="90 % interval; |: truth")
    held = int(((panel.low <= panel.truth) & (panel.truth <= panel.high)).sum())
    simple = norm.ppf(0.95) * noise * np.sqrt(2 / (raters * (1 - missing)))
    rule = f"The rule of thumb, 1.64 · noise · √(2 / answers of an item), says {simple:.2f}. "
    return (
        f"{raters} raters: the interval of a difference of two items has a half-width of {panel.reach:.2f}. "
        f"{rule * (raters != FEW_RATERS)}{held} of {N_ITEMS} intervals hold the truth."  # it would answer the question
    )


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

    noise : of a rater, > 0;  reach : half-width of the 90 % interval of a difference that is wanted
    """
    noise, reach = validation.positive(noise, "noise"), validation.positive(reach, "reach")
    if my_raters is None:
        return "○ Nothing to check yet: write a number of raters."
    mine, width = validation.integer(my_raters, "my_raters"), norm.ppf(0.95) * noise / reach
    half = norm.ppf(0.95) * noise * np.sqrt(2 / mine)
    needed = {name: int(np.ceil(factor * width**2)) for name, factor in (("difference", 2), ("one value", 1))}
    if mine == needed["difference"]:
        return f"✓ {mine} raters: a half-width of {half:.3f}."
    if mine == needed["one value"]:
        return "✗ That is for one value. A difference has the noise of two means: √2 times as much."
    if mine == int(np.ceil(2 * (norm.ppf(0.975) * noise / reach) ** 2)):
        return "✗ That is for intervals of 95 %: 1.96. These hold 90 %: 1.645."
    if mine == int(np.ceil(2 * width)):
        return "✗ The half-width shrinks with the *root* of the number: solve 1.645 · noise · √(2/R) for R."
    if mine == needed["difference"] - 1:
        return f"✗ One too few: with {mine} raters the half-width is {half:.3f}. Round up."
    return f"✗ With {mine} raters the half-width is {half:.3f}; {reach:g} is asked for."
