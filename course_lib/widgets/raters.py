"""Explorers of lecture 09: when a second rater hurts, and whom a model listens to.

Lecture: 09.
"""

import numpy as np

from course_lib.judgments.panels.noisy_raters import (
    FIRST_NOISE,
    MANY,
    MODELS,
    PARTS,
    combined,
    error_variances,
    listen,
    scene,
    two_raters,
)
from course_lib.plots import raters as plots
from course_lib.plots.style import GREY
from course_lib.widgets.explore import Explorer, choice, slider, switch

SHOWN = 10
GRID = np.linspace(0.25, 3.0, 111)


def explore_second_rater():
    """Two raters of the same items; the second becomes noisier. When would one rather not have asked?

    Lecture: 09, section 1.
    """
    return Explorer(
        _draw_second_rater,
        predict=(
            "Rater 1 has noise 0.5. You average the answers of both. From which noise of rater 2 on was it a mistake "
            "to ask them?",
            ["never: two see more than one", "from 0.5 on", "from about 0.87 on", "from 1 on"],
        ),
        cases={
            "σ₂ = 2, truth hidden": {"second_noise": 2.0},
            "σ₂ = 0.9, mean": {"second_noise": 0.9, "reveal": True},
            "σ₂ = 2, mean": {"second_noise": 2.0, "reveal": True},
            "σ₂ = 2, weighted": {"second_noise": 2.0, "rule": "precision-weighted", "reveal": True},
        },
        figsize=(8.5, 3.4),
        second_noise=slider("noise of rater 2", 0.25, 3.0, 0.5, 0.05),
        rule=choice("answers combined by", ["plain mean", "precision-weighted"]),
        reveal=switch("reveal the truth"),
    )


def _draw_second_rater(figure, second_noise, rule, reveal):
    left, right = figure.subplots(1, 2, width_ratios=(1.25, 1))
    figure.subplots_adjust(wspace=0.24)
    z, items = two_raters()[0], np.arange(1, SHOWN + 1)
    answers, estimates = combined(second_noise, rule)
    plots.draw_answers(items, answers[:SHOWN], left)
    variances = error_variances(GRID)
    color = plots.RULES[list(variances).index(rule)][0]
    left.plot(items, estimates[:SHOWN], color=color, marker="_", markersize=13, linestyle="", label=rule)
    if reveal:
        left.plot(items, z[:SHOWN], color="black", marker="x", linestyle="", label="truth")
        plots.draw_error_variances(GRID, variances, right, now=second_noise)
    else:
        plots.draw_error_variances(GRID, {name: np.full_like(GRID, np.nan) for name in variances}, right)
        right.text(0.5, 0.35, "the truth is hidden", color=GREY, transform=right.transAxes, ha="center")
    left.set(xlabel="item", ylabel="answer (points)", xticks=items, ylim=(-1.5, 13.5))
    left.legend(fontsize=8, ncols=2, loc="upper right")
    right.set(xlim=(0.2, 3.05), ylim=(0, 1.6))
    right.legend(fontsize=8, loc="upper left")
    return _second_rater_sentence(second_noise, rule, reveal, estimates - z)


def _second_rater_sentence(second_noise, rule, reveal, errors):
    weight = 0.5 if rule == "plain mean" else second_noise**-2 / (FIRST_NOISE**-2 + second_noise**-2)
    name = "the plain mean" if rule == "plain mean" else "precision weights"
    start = f"σ₁ = {FIRST_NOISE}, σ₂ = {second_noise:.2f}. By {name} rater 2 has the weight {weight:.3f}."
    if not reveal:
        return f"{start} How far off the estimates are, one cannot see: the truth is hidden."
    variance = {name: float(value) for name, value in error_variances(second_noise).items()}
    verdict = "worse" if variance[rule] > variance["rater 1 alone"] + 1e-9 else "better"
    listed = ", ".join(f"{name} {value:.3f}" for name, value in variance.items())
    return (
        f"{start} Variance of the error: {listed}. Measured on {MANY} items: {np.mean(errors**2):.3f}. "
        f"The {rule} estimate is {verdict} than rater 1 alone."
    )


SHOWN_ANSWERS = (-2.4, 3.0)


def explore_trust():
    """Rater 1 becomes unreliable in one part of the inputs: whom does each model listen to, and where?

    Lecture: 09, section 5.
    """
    return Explorer(
        _draw_trust,
        predict=(
            "Rater 1 is the best rater, but in the right third loses all judgement (noise 2). The model learns one "
            "noise per rater. How much weight does rater 1 keep in the LEFT third?",
            ["still most of it", "about a third", "next to nothing"],
        ),
        cases={
            "at first, MA": {"noise": 0.2},
            "bad on the right, MA": {"noise": 2.0},
            "bad on the right, MANH": {"noise": 2.0, "model": MODELS[2]},
            "bad everywhere, MA": {"noise": 2.0, "part": "everywhere"},
            "bad everywhere, MANH": {"noise": 2.0, "part": "everywhere", "model": MODELS[2]},
        },
        figsize=(8.5, 3.6),
        noise=slider("noise of rater 1", 0.1, 2.0, 0.2, 0.1),
        part=choice("in which part", [*PARTS, "everywhere"], "right"),
        model=choice("model", MODELS, MODELS[1]),
    )


def _draw_trust(figure, noise, part, model):
    e, (Y, heard) = scene(), listen(round(noise, 1), part, model)
    left, right = figure.subplots(1, 2, width_ratios=(1.9, 1))
    figure.subplots_adjust(wspace=0.2)
    plots.draw_answers(e.X[:, 0], Y, left, boundaries=(1 / 3, 2 / 3), limits=SHOWN_ANSWERS)
    plots.draw_consensus(e.X_test[:, 0], heard.mean, heard.std, left, truth=e.z_test)
    left.set(xlim=(0, 1), xlabel="input x", ylabel="answer y, value z")
    left.legend(fontsize=8, ncols=5, loc="lower center", bbox_to_anchor=(0.5, 1.02), columnspacing=1.2)
    plots.draw_weights(heard.weights, right)
    right.set_xticks(range(3), PARTS)
    right.set(xlabel="part of the inputs")
    weights, errors = (", ".join(f"{name} {value:.2f}" for name, value in zip(PARTS, numbers, strict=True))
                       for numbers in (heard.weights[:, 0], heard.errors))  # fmt: skip
    where = part if part == "everywhere" else f"on the {part}" if part != "middle" else "in the middle"
    low, high = SHOWN_ANSWERS
    beyond = int(((low > Y) | (high < Y)).sum())
    return (
        f"Rater 1 has noise {noise:.1f} {where}. {model}. Weight of rater 1: {weights}. "
        f"Distance of the curve from the truth (root mean square): {errors}, overall {heard.overall:.2f}."
        + (f" Arrowheads at the edge: {beyond} answers lie beyond it." if beyond else "")
    )
