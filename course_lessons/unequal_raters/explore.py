"""Explorers and checks of lecture 09: whom to trust, when a second rater hurts, and whom a model listens to.

Lecture: 09, sections 1–5.
"""

import numpy as np

from course_lessons.unequal_raters import plots
from course_lessons.unequal_raters.noisy_raters import (
    FIRST_NOISE,
    MODEL_LABELS,
    N_SIMULATED,
    REGION_NAMES,
    combined,
    error_variances,
    listen,
    scene,
    second_weights,
    two_raters,
)
from course_lib import datasets, validation
from course_lib.gp.questions import normal_interval
from course_widgets.controls import choice, slider, switch
from course_widgets.frame import Explorer, PredictionFeedback
from course_widgets.replies import reply
from course_widgets.style import GREY


def explore_wine():
    """Nine judges and eight bottles: what becomes of the mean mark if one judge gets more of the weight."""
    return Explorer(
        _draw_wine,
        figsize=(7, 3),
        judge=slider("judge", 1, 9, 1),
        weight=slider("weight of this judge (%)", 0, 100, 60, 20),
    )


def _draw_wine(figure, judge, weight):
    marks = datasets.load_wine().panel().Y
    bottles, n_others = np.arange(1, len(marks) + 1), marks.shape[1] - 1
    mean, others = marks.mean(axis=1), np.delete(marks, judge - 1, axis=1)
    weighted = weight / 100 * marks[:, judge - 1] + (1 - weight / 100) * others.mean(axis=1)
    ax = figure.subplots()
    ax.plot(np.repeat(bottles, n_others), others.ravel(), ".", color=GREY, alpha=0.5, label="other judges")
    ax.plot(bottles, marks[:, judge - 1], "s", color=plots.BLUE, label=f"judge {judge}")
    ax.plot(bottles, mean, color="black", marker="_", markersize=16, linestyle="", label="mean of all nine")
    ax.plot(bottles, weighted, "o", color=plots.VERMILION, label="weighted mean")
    ax.set(xlabel="bottle", ylabel="bitterness (0 to 100)", xticks=bottles, ylim=(0, 100))
    ax.legend(loc="upper left", fontsize=8, ncols=4)
    i, j = np.triu_indices(len(bottles), k=1)
    turned = np.sum((weighted[i] - weighted[j]) * (mean[i] - mean[j]) < 0)
    return (
        f"Judge {judge} has {weight} % of the weight, and each of the others has {(100 - weight) / n_others:g} %. "
        f"By the weighted mean, bottle {bottles[weighted.argmax()]} is the most bitter ({weighted.max():.0f}); by the "
        f"plain mean of all nine, it is bottle {bottles[mean.argmax()]} ({mean.max():.0f}). {turned} of the "
        f"{len(i)} pairs of bottles change their order."
    )


# --- a second rater: when would one rather not have asked?

N_SHOWN = 10
NOISE_GRID, NOISE_RANGE = np.linspace(0.25, 3.0, 111), (0.2, 3.05)


def explore_second_rater():
    """Two raters of the same items; the second becomes noisier. When would one rather not have asked?"""
    return Explorer(
        _draw_second_rater,
        predict=(
            "Rater 1 has noise 0.5. You average the answers of both. How large must the noise of rater 2 be for rater "
            "1 alone to be better?",
            ["never: two see more than one", "above 0.5", "a limit between 0.5 and 1", "above 1"],
        ),
        feedback=PredictionFeedback(
            "a limit between 0.5 and 1",
            "the mean has the variance (σ₁² + σ₂²)/4, which is above σ₁² as soon as σ₂ is above √3 σ₁ = 0.866.",
            lambda second_noise, rule, reveal: reveal and rule == "plain mean" and second_noise > 0.866,
        ),
        cases={
            "σ₂ = 2, truth hidden": {"second_noise": 2.0},
            "σ₂ = 2, mean": {"second_noise": 2.0, "reveal": True},
            "σ₂ = 2, weighted": {"second_noise": 2.0, "rule": "precision-weighted", "reveal": True},
        },
        figsize=(8.5, 3.9),
        second_noise=slider("noise of rater 2", 0.25, 3.0, 0.5, 0.05),
        rule=choice("answers combined by", ["plain mean", "precision-weighted"]),
        reveal=switch("reveal the truth"),
    )


def _draw_second_rater(figure, second_noise, rule, reveal):
    axes = figure.subplot_mosaic([["answers", "weights"], ["answers", "errors"]], width_ratios=(1, 1.25))
    figure.subplots_adjust(wspace=0.24, hspace=0.12)
    (left, top, below), weights = axes.values(), second_weights(NOISE_GRID)
    z, items = two_raters()[0], np.arange(1, N_SHOWN + 1)
    answers, estimates = combined(second_noise, rule)
    plots.draw_answers(items, answers[:N_SHOWN], left)
    color = plots.RULE_LOOKS[list(weights).index(rule)][0]
    left.plot(items, estimates[:N_SHOWN], color=color, marker="_", markersize=13, linestyle="", label=rule)
    plots.draw_rules(NOISE_GRID, weights, top, second_noise, rule)
    for low, high, rater in ((0, weights[rule], 1), (weights[rule], 1, 0)):  # both weights sum to 1
        top.fill_between(NOISE_GRID, low, high, color=plots.RATER_COLORS[rater], alpha=0.15, linewidth=0)
    if reveal:
        left.plot(items, z[:N_SHOWN], color="black", marker="x", linestyle="", label="truth")
        plots.draw_rules(NOISE_GRID, error_variances(NOISE_GRID), below, second_noise, rule)
    else:
        below.text(0.5, 0.45, "the truth is hidden", color=GREY, transform=below.transAxes, ha="center")
    left.set(xlabel="item", ylabel="answer (points)", xticks=items, ylim=(-1.5, 13.5))
    left.legend(fontsize=8, ncols=2, loc="upper right")
    top.set(xlim=NOISE_RANGE, ylim=(0, 1), xticklabels=[], yticks=[0, 0.5, 1], ylabel="weight of rater 2")
    top.legend(fontsize=8, loc="upper right")
    below.set(
        xlim=NOISE_RANGE, ylim=(0, 1.6), yticks=[0, 1], xlabel="σ₂, noise of rater 2 (points)", ylabel="error variance"
    )
    return _second_rater_sentence(second_noise, rule, reveal, estimates - z)


def _second_rater_sentence(second_noise, rule, reveal, errors):
    weight = second_weights(second_noise)[rule]
    name = "the plain mean" if rule == "plain mean" else "precision weights"
    start = f"σ₁ = {FIRST_NOISE}, σ₂ = {second_noise:.2f}. By {name} rater 2 has the weight {weight:.3f}."
    if not reveal:
        return f"{start} The errors of the estimates are not shown, because the truth is hidden."
    variance = {name: float(value) for name, value in error_variances(second_noise).items()}
    verdict = "worse" if variance[rule] > variance["rater 1 alone"] + 1e-9 else "better"
    listed = ", ".join(f"{name} {value:.3f}" for name, value in variance.items())
    return (
        f"{start} Variance of the error: {listed}. Measured on {N_SIMULATED} items: {np.mean(errors**2):.3f}. "
        f"The {rule} estimate is {verdict} than rater 1 alone."
    )


SHOWN_ANSWERS = (-2.4, 3.0)


def explore_trust():
    """Rater 1 becomes unreliable in one part of the inputs: whom does each model listen to, and where?"""
    return Explorer(
        _draw_trust,
        predict=(
            "Rater 1 is the best rater, but very noisy in the right third (noise 2). The model learns one "
            "noise per rater. How much weight does rater 1 keep in the LEFT third?",
            ["still most of it", "about a third", "next to nothing"],
        ),
        feedback=PredictionFeedback(
            "next to nothing",
            "0.06. The one noise is a root mean square, here about 1.2, and weights are proportional to 1/σ².",
            lambda noise, part, model: noise > 1.95 and part == "right" and model == MODEL_LABELS[1],
        ),
        cases={
            "at first, MA": {"noise": 0.2},
            "bad on the right, MA": {"noise": 2.0},
            "bad on the right, MANH": {"noise": 2.0, "model": MODEL_LABELS[2]},
            "bad everywhere, MA": {"noise": 2.0, "part": "everywhere"},
            "bad everywhere, MANH": {"noise": 2.0, "part": "everywhere", "model": MODEL_LABELS[2]},
        },
        figsize=(8.5, 3.6),
        noise=slider("noise of rater 1", 0.1, 2.0, 0.2, 0.1),
        part=choice("in which part", [*REGION_NAMES, "everywhere"], "right"),
        model=choice("model", MODEL_LABELS, MODEL_LABELS[1]),
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
    right.set_xticks(range(3), REGION_NAMES)
    right.set(xlabel="part of the inputs")
    weights, errors = (", ".join(f"{name} {value:.2f}" for name, value in zip(REGION_NAMES, numbers, strict=True))
                       for numbers in (heard.weights[:, 0], heard.errors))  # fmt: skip
    where = part if part == "everywhere" else f"on the {part}" if part != "middle" else "in the middle"
    low, high = SHOWN_ANSWERS
    beyond = int(((low > Y) | (high < Y)).sum())
    return (
        f"Rater 1 has noise {noise:.1f} {where}. {model}. Weight of rater 1: {weights}. "
        f"Distance of the curve from the truth (root mean square): {errors}, overall {heard.overall:.2f}."
        + (f" Arrowheads at the edge: {beyond} answers lie beyond it." if beyond else "")
    )


def check_combined(my_answer, my_noise, answers, noise_std):
    """Feedback on the one answer that a student made of several, and in its noise, as one sentence.

    my_answer, my_noise : ŷ and σ̂;  answers : (R,) of one item, NaN where a rater gave none
    noise_std : (R,) σ of each rater, not all equal
    """
    noise = validation.positives(noise_std, "noise_std")
    answers = _given(answers, noise)
    there = ~np.isnan(answers)
    y, s = answers[there], noise[there]
    weighted, precision, everybody = np.sum(y * s**-2), np.sum(s**-2), np.sum(noise**-2)
    sure, as_zero = [precision, precision**0.5], weighted / everybody
    rules = {
        np.average(y, weights=s**-2): {
            "✓ Both are right.": precision**-0.5,
            "✗ ŷ is right. For σ̂ you have the variance σ̂²: take the root.": 1 / precision,
            "✗ ŷ is right. For σ̂ you have the precision, or its root: two would have more noise than one.": sure,
            "✗ ŷ is right. In σ̂ you counted the rater who did not answer.": everybody**-0.5,
            "✗ ŷ is right. σ̂: precisions add, and σ̂ is one over the root of their sum.": None,
        },
        "✗ ŷ: here a missing answer counts as a 0. It has the precision 0 and is in neither of the sums.": as_zero,
        "✗ ŷ: this is the plain mean. Who is less noisy gets more weight.": np.mean(y),
        "✗ ŷ: weights are proportional to 1/σ², and yours to 1/σ.": np.average(y, weights=1 / s),
        "✗ ŷ: the sum of y/σ² has to be multiplied by σ̂², which makes the weights add up to 1.": weighted,
        "✗ ŷ: each answer's precision 1/σ², over the sum of those of the raters who answered, is its weight.": None,
    }
    return reply("write both numbers.", rules, atol=0.006, my_answer=my_answer, my_noise=my_noise)


def _given(answers, noise):
    """The answers of one item; an error if nobody answered, or they are not as many as the noises."""
    answers = validation.answers(answers, "answers")
    if answers.shape != noise.shape or noise.ndim != 1:
        raise ValueError(f"answers has shape {answers.shape} and noise_std {noise.shape}; both must be (R,), numbers.")
    if np.isnan(answers).all():
        raise ValueError("answers has no answer; at least one is needed.")
    return answers


def check_rater_noise(my_std, answers, mean, variance):
    """Feedback on a rater's noise that a student estimated from a consensus, as one sentence.

    answers : (n,) of this rater;  mean, variance : (n,) of the consensus for the same items
    """
    variance = validation.positives(variance, "variance")
    answers, mean, variance = validation.vectors(answers=answers, mean=mean, variance=variance)
    squares = (answers - mean) ** 2
    rules = {
        "✓ Right.": np.sqrt(np.mean(squares + variance)),
        "✗ This is σ². The noise is its root.": np.mean(squares + variance),
        "✗ Without v: as if the consensus were the truth. Add its own variance.": np.sqrt(np.mean(squares)),
        "✗ This is a variance, and the consensus' own, v, is missing in it.": np.mean(squares),
        "✗ v is a variance already: it is not squared.": np.sqrt(np.mean(squares + variance**2)),
        "✗ The sign of v: the truth scatters round the consensus: v is added.": np.sqrt(np.mean(squares - variance)),
        "✗ This is the root of the sum: the *mean* over the rater's answers.": np.sqrt(np.sum(squares + variance)),
        "✗ For each answer (y − m)² + v; then the mean over the rater's answers; then the root.": None,
    }
    return reply("write a number.", rules, atol=0.006, rtol=0, my_std=my_std)


def check_factor(my_factor, n_answers, confidence=0.9):
    """Feedback on the factor to which a student takes a noise to be known, as one sentence.

    n_answers : of one rater, the consensus known;  confidence : of the interval
    """
    n, width = validation.integer(n_answers, "n_answers", least=1), normal_interval(0.0, 1.0, confidence)[1]
    right = np.exp(width / np.sqrt(2 * n))
    rules = {
        "✓ Right.": right,
        "✗ The standard error of log σ is 1/√(2N): where is the 2?": np.exp(width / np.sqrt(n)),
        "✗ One standard error is about two thirds; a 90 % interval has 1.645 of them.": np.exp(1 / np.sqrt(2 * n)),
        "✗ This is a distance of logarithms. A factor is e to that power.": width / np.sqrt(2 * n),
        "✗ Nearly: e^a is 1 + a only where a is small.": 1 + width / np.sqrt(2 * n),
        "✗ This is the way down, σ divided. The factor is its inverse.": 1 / right,
        "✗ This is the upper end over the lower. The factor reaches from σ to one of them.": right**2,
        "✗ To each side log σ is uncertain by 1.645/√(2N). What does this mean for σ itself?": None,
    }
    return reply("write a factor.", rules, atol=0.004, my_factor=my_factor)
