"""Explorers of lecture 12: where a criterion asks, what each pair would teach, what correlation does to improvement.

Lecture: 12, sections 1, 2, 3, 6 and 7.
"""

from functools import cache

import numpy as np
from scipy.stats import binom, binomtest

from course_lessons.asking.experiments import (
    COARSE_GRID,
    LIKED,
    LIKED_TONE,
    SEARCH_STEPS,
    TONE_QUESTIONS,
    X_GRID,
    tone_session,
    true_worth,
    walk,
    walk_over_pairs,
)
from course_lib import audio, datasets, validation
from course_lib.judgments.asking.acquisition import expected_improvement, expected_positive_part, improvement
from course_personaliser import drawings
from course_widgets.controls import choice, slider
from course_widgets.drawings import draw_band
from course_widgets.frame import Explorer, PredictionFeedback, increment_by
from course_widgets.replies import Near, reply
from course_widgets.style import BLUE, DARK_EDGE, GREY, ORANGE

CRITERION_CHOICES = {
    "univariate expected improvement": "univariate",
    "bivariate expected improvement": "improvement",
    "upper confidence bound": "bound",
    "variance (learn f everywhere)": "variance",
}


HEARD_SECONDS = 2.0  # of each side of a question: a bar of the music


def explore_questions():
    """Bass and treble for a simulated listener: what is believed after each answer, and what is played next."""
    return Explorer(
        _draw_questions, listen=_play_question, figsize=(7, 3.4), answers=slider("answers", 1, TONE_QUESTIONS, 4)
    )


def _play_question(answers):
    """Both sides of the next question, as players."""
    sides = zip("AB", tone_session()[answers - 1].asked.tolist(), strict=True)
    return "".join(_played(side, *setting) for side, setting in sides)


@cache
def _played(side, bass, treble):
    music, loop = _looped_music()
    samples = loop.signal(audio.tone_gains(bass, treble)).samples[: int(HEARD_SECONDS * loop.rate)]
    said = f"{side}: bass {bass:+.0f} dB, treble {treble:+.0f} dB".replace("-", "−")
    return audio.play(samples, loop.rate, said, music.heard)._repr_html_()


@cache
def _looped_music():
    music = datasets.load_music("garzul")
    return music, audio.EqualizedLoop(*music.signal, music.after_seconds)


def _draw_questions(figure, answers):
    step, ax = tone_session()[answers - 1], figure.subplots()
    figure.subplots_adjust(left=0.1)
    drawings.draw_map(step.settings, step.mean, ax)
    drawings.draw_pairs(step.heard, ax)
    ax.plot(*step.asked.T, "o-", color=ORANGE, markersize=8, path_effects=DARK_EDGE, label="played next")
    ax.plot(*step.best, "D", color=BLUE, markeredgecolor="white", markersize=8, label="best guess")
    ax.plot(*LIKED_TONE, "*", color="white", markeredgecolor="black", markersize=15, label="liked best")
    ax.set(xlabel="bass (dB)", ylabel="treble (dB)", xlim=(-13.5, 13.5), ylim=(-13.5, 13.5))
    ax.set_title("bright: believed to be good", loc="left", fontsize=10)
    ax.legend(fontsize=8, loc="lower right", bbox_to_anchor=(1.0, 0.98), ncols=4, columnspacing=1, handlelength=1.5)
    best, a, b = (f"{bass:+.0f}/{treble:+.0f} dB".replace("-", "−") for bass, treble in (step.best, *step.asked))
    off = np.hypot(*(step.best - LIKED_TONE))
    return (
        f"{answers} answer{'' if answers == 1 else 's'}: the best guess of bass/treble is {best}, "
        f"{off:.1f} dB from this listener's optimum. The next question plays {a} and {b}."
    )


def explore_asking():
    """A listener on a line: what is known after each answer, what the criterion makes of it, where it asks."""
    return Explorer(
        _draw_asking,
        predict=(
            "The listener likes 0.68 best, and 0.15 is a smaller hill. The first question has been about 0.10 and "
            "0.25. The univariate expected improvement takes the best setting heard as known. Where will it ask its "
            "next ten questions?",
            ["near 0.68, the top", "all over the line", "near 0.10, the best heard"],
        ),
        feedback=PredictionFeedback(
            "near 0.10, the best heard",
            "to this criterion a neighbour, whose value can hardly differ, is as uncertain as a setting far "
            "away, and its mean is as high.",
            lambda criterion, asked: criterion == "univariate" and asked == SEARCH_STEPS,
        ),
        cases={
            "univariate, ten questions later": {"criterion": "univariate", "asked": SEARCH_STEPS},
            "bivariate, at the start": {"criterion": "improvement", "asked": 0},
            "bivariate, ten questions later": {"criterion": "improvement", "asked": SEARCH_STEPS},
            "variance, ten questions later": {"criterion": "variance", "asked": SEARCH_STEPS},
        },
        actions={"Ask": increment_by("asked")},
        figsize=(8, 4.2),
        criterion=choice("criterion", CRITERION_CHOICES, "variance"),
        asked=slider("further questions asked", 0, SEARCH_STEPS, 0),
    )


def _draw_asking(figure, criterion, asked):
    step, worth = walk(criterion)[asked], true_worth()
    top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    figure.subplots_adjust(hspace=0.12, bottom=0.13, top=0.96)
    best = int(np.argmin(np.abs(step.incumbent - X_GRID)))
    draw_band(X_GRID, step.mean, step.std, top, label="what is known: f minus that of the best heard")
    top.plot(X_GRID, worth - worth[best], color=GREY, linestyle="--", label="the truth")
    drawings.draw_heard(step.heard, step.incumbent, top, -5.5)
    top.set(ylabel="better by (unit: $σ$)", ylim=(-6, 6.5))
    top.legend(fontsize=8, ncols=2, loc="upper right")
    drawings.draw_score(X_GRID, step.score, step.challenger, bottom, "worth asking")
    bottom.set(xlabel="setting")
    off = abs(X_GRID[int(np.argmax(step.mean))] - LIKED)
    names = {value: name for name, value in CRITERION_CHOICES.items()}
    return (
        f"{names[criterion]}, {asked} further question{'' if asked == 1 else 's'}: the best setting heard is "
        f"{step.incumbent:.2f}, {len(step.heard)} different ones were heard, and the next question puts "
        f"{step.challenger:.2f} beside it. The maximum of the posterior mean lies {off:.2f} from the optimum, {LIKED}."
    )


PAIR_CRITERIA = {"information": "information", "best of two": "best", "variance": "variance"}
UNITS = {"information": " nats", "best": " σ more than the best heard", "variance": " σ²"}


def explore_pairs():
    """What the next question would teach: a map over all pairs of settings, which moves with each question."""
    return Explorer(
        _draw_pairs,
        predict=(
            "Ten questions are asked by each criterion. For which of them are the two settings of the next question "
            "closest together?",
            list(PAIR_CRITERIA),
        ),
        feedback=PredictionFeedback(
            "best of two",
            "it wants one of the two to be good, and both are on the hill that it has found. The others want their "
            "difference to be uncertain.",
            lambda criterion, asked: criterion == "best" and asked == SEARCH_STEPS,
        ),
        cases={
            "information, ten questions later": {"criterion": "information", "asked": SEARCH_STEPS},
            "best of two, at the start": {"criterion": "best", "asked": 0},
            "variance, ten questions later": {"criterion": "variance", "asked": SEARCH_STEPS},
            "best of two, ten questions later": {"criterion": "best", "asked": SEARCH_STEPS},
        },
        actions={"Ask": increment_by("asked")},
        figsize=(8.4, 4.1),
        criterion=choice("criterion", PAIR_CRITERIA, "information"),
        asked=slider("further questions asked", 0, SEARCH_STEPS, 0),
    )


def _draw_pairs(figure, criterion, asked):
    steps = walk_over_pairs(criterion)
    step, x, brightest = steps[asked], COARSE_GRID, steps[0].worth.max()
    grid = figure.add_gridspec(2, 2, width_ratios=(1.1, 1), height_ratios=(1.5, 1), wspace=0.2, hspace=0.32)
    left, top, bottom = (figure.add_subplot(grid[place]) for place in (np.s_[:, 0], np.s_[0, 1], np.s_[1, 1]))
    drawings.draw_worth_of_pairs(x, step, brightest, left).set(title="brighter: worth more")
    draw_band(x, step.mean, step.std, top)
    worth = true_worth()[::2]
    top.plot(x, worth - worth[step.incumbent], color=GREY, linestyle="--")
    for setting in x[list(step.following)]:
        top.axvline(setting, color=ORANGE, linestyle="-")
    drawings.draw_heard(x[np.unique(step.asked)], x[step.incumbent], top, -5.5)
    top.set(ylim=(-6.5, 6.5), xlim=(0, 1), title="f minus that of the best heard; dashed: truth")
    bottom.plot(x, step.worth[step.incumbent], color=BLUE, linestyle="-", label="dotted line of the map")
    bottom.plot(x, step.gain, color=ORANGE, linestyle=":", label="expected improvement")
    bottom.set(xlabel="the other setting", xlim=(0, 1), ylim=(min(0, step.worth[step.incumbent].min()), None))
    bottom.legend(fontsize=8)
    a, b = sorted(x[list(step.following)])
    apart = np.abs(step.worth[step.incumbent] - step.gain).max()
    name = next(name for name, value in PAIR_CRITERIA.items() if value == criterion)
    return (
        f"{name}, {asked} further question{'' if asked == 1 else 's'}: the next is about {a:.2f} and {b:.2f}, worth "
        f"{step.worth.max():.2f}{UNITS[criterion]}. Along the dotted line, beside {x[step.incumbent]:.2f}, it differs "
        f"from the expected improvement by {apart:.2f} at most. The maximum of the posterior mean lies "
        f"{abs(x[int(step.mean.argmax())] - LIKED):.2f} from the optimum, {LIKED}."
    )


def explore_improvement():
    """Two values, the incumbent's and a challenger's: the density of their difference, and the part above 0."""
    return Explorer(
        _draw_improvement,
        predict=(
            "Two settings have the same mean, and both are uncertain by 1. Now they come so near to each other that "
            "their values are correlated by 0.99. What happens to the expected improvement if the correlation is "
            "taken into account?",
            ["it grows", "it stays", "it nearly vanishes"],
        ),
        feedback=PredictionFeedback(
            "it nearly vanishes",
            "it falls from .564 to .056: the difference of two values that go together is nearly known.",
            lambda gap, spread, correlation: abs(gap) < 0.3 and correlation > 0.95,
        ),
        cases={
            "alike and independent": {"gap": 0.0, "spread": 1.0, "correlation": 0.0},
            "alike and neighbours": {"gap": 0.0, "spread": 1.0, "correlation": 0.99},
            "worse, but little known": {"gap": -1.5, "spread": 3.0, "correlation": 0.2},
        },
        figsize=(8, 3.2),
        gap=slider("difference of the means", -3.0, 3.0, 0.0, 0.1),
        spread=slider("sd of the challenger", 0.1, 4.0, 1.0, 0.1),
        correlation=slider("correlation of both", 0.0, 0.99, 0.0, 0.01),
    )


def _draw_improvement(figure, gap, spread, correlation):
    cov = np.array([[1.0, correlation * spread], [correlation * spread, spread**2]])
    left, right = figure.subplots(1, 2, sharey=True)
    figure.subplots_adjust(wspace=0.1)
    std = float(np.sqrt(max(1.0 + spread**2 - 2.0 * correlation * spread, 0.0)))
    drawings.draw_gain(gap, spread, left).set(title="univariate: the incumbent is known", ylim=(0, 1.5))
    drawings.draw_gain(gap, std, right).set(title="bivariate: both, and their covariance", ylim=(0, 1.5), ylabel="")
    one = float(expected_positive_part(gap, spread))
    both = float(expected_improvement([0.0, gap], cov, 0)[1])
    return (
        f"The improvement has mean {gap:.1f}; its standard deviation is {spread:.2f} if the incumbent is taken as "
        f"known, and {std:.2f} if both are uncertain and correlated by {correlation:.2f}. Expected improvement: "
        f"univariate {one:.3f}, bivariate {both:.3f} (shaded: positive improvement)."
    )


def check_gain(my_mean, my_std, mean, cov):
    """Feedback on the moments of f_2 − f_1 that a student worked out by hand, as one sentence.

    mean (2,), cov (2, 2) : of f_1 and f_2
    """
    gain, std = (float(part[1]) for part in improvement(mean, cov, 0))
    rules = {
        gain: {
            "✓ Both are right.": std,
            "✗ This is the variance of the difference: its unit is that of f squared. What is its root?": std**2,
            "✗ The mean is right. A difference of two correlated values has the variance Σ₁₁ + Σ₂₂ − 2 Σ₁₂, and yours "
            "is {my_std:g}². Which term is missing, or has another sign?": None,
        },
        "✗ You took the incumbent minus the challenger: by how much is the challenger better?": -gain,
        "✗ {my_mean:g} is no difference of the means: by how much is the challenger better?": None,
    }
    return reply("write both numbers.", rules, atol=0.005, my_mean=my_mean, my_std=my_std)


def check_tails(my_p, wins, rounds):
    """Feedback on a two-sided p-value of so many wins in rounds of a fair coin, as one sentence.

    wins : 0 … rounds, more than half
    """
    rounds = validation.integer(rounds, "rounds")
    wins = validation.integer(wins, "wins", least=0)
    if not rounds < 2 * wins <= 2 * rounds:
        raise ValueError(f"wins is {wins}; more than half of the {rounds} rounds is needed, and no more than all.")
    exact, two = float(binomtest(wins, rounds).pvalue), 2.0 * binom.pmf(wins, rounds, 0.5)
    few = rounds - wins
    rules = {
        f"✓ Right: both tails, 0 … {few} and {wins} … {rounds}.": [exact, Near(round(exact, 2), 0, 0)],
        f"✗ This is one side only. Would {few} of {rounds} have been as surprising?": exact / 2,
        f"✗ These are exactly {wins} and exactly {few}. And what is still farther out?": two,
        f"✗ Not {{my_p:.4g}}. Add up all k that are {wins} or more, and all that are {few} or less.": None,
    }
    return reply("", rules, rtol=0.01, my_p=my_p)
