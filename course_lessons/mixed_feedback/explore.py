"""Explorers and checks of lecture 13: a constraint that is soft or hard, and questions about a level set.

Lecture: 13, sections 1–4.
"""

import numpy as np
from scipy.special import ndtr, ndtri

from course_lessons.mixed_feedback import plots
from course_lessons.mixed_feedback.level_sets import set_scores
from course_lessons.mixed_feedback.likelihoods import Likert
from course_lessons.mixed_feedback.on_a_disc import (
    DISC_PROBLEM,
    GRID_SIDE,
    N_FIRST_POINTS,
    N_QUESTIONS,
    PLANE,
    looks,
)
from course_lessons.mixed_feedback.on_a_line import (
    ANSWERED,
    AT_ZERO,
    MOST_ASKED,
    X_GRID,
    believed,
    believed_by,
    believed_so_far,
    compared,
    felt,
    true_intensity,
)
from course_lessons.mixed_feedback.problems import PROBABILITY
from course_lib import validation
from course_widgets.controls import choice, log_slider, slider, switch
from course_widgets.drawings import HALF_BAND, draw_band
from course_widgets.frame import Explorer, PredictionFeedback, increment_by
from course_widgets.replies import Near, reply
from course_widgets.style import BLUE, GREY, VERMILION

RULE_SOFTNESS = 0.8  # 0.2 · 3.5 + 0.1: how softly f(2) = 3.5 is meant


NOTICED = 0.75  # probability of a yes from which an offset counts as noticed


def explore_offset():
    """Yes and no, one after the other: what is known of the offset that is noticed in three of four cases."""
    return Explorer(_draw_offset, figsize=(7, 3), answers=slider("answers", 5, MOST_ASKED, 20, 5))


def _draw_offset(figure, answers):
    ax, (mean, std), (x, y) = figure.subplots(), believed_so_far(answers), felt(MOST_ASKED, seed=0)
    x, y = x[:answers, 0], y[:answers]
    low, high = ndtr(mean - HALF_BAND * std), ndtr(mean + HALF_BAND * std)
    ax.fill_between(X_GRID, low, high, color=BLUE, alpha=0.2, linewidth=0, label="90 % band")
    ax.plot(X_GRID, ndtr(mean / np.sqrt(1 + std**2)), color=BLUE, linestyle="-", label="mean belief")
    ax.plot(X_GRID, ndtr(true_intensity(X_GRID)), color=GREY, linestyle="--", label="truth")
    ax.axhline(NOTICED, color=VERMILION, linestyle=":", label="noticed: 3 of 4")
    plots.draw_yes_and_no(x, y, ax, -0.12, 1.12)
    ax.set(xlabel="offset (simulated, no unit)", ylabel="probability of a yes", xlim=(0, 2), ylim=(-0.27, 1.27))
    ax.set(xticks=(0, 1, 2), yticks=(0, 0.5, 1))
    ax.legend(fontsize=8, ncols=2, loc="lower right", bbox_to_anchor=(1.0, 0.17))
    return (
        f"{answers} answers, {int((y > 0).sum())} of them yes. By the 90 % band, the offset that is noticed in three "
        f"of four cases may be {_places((low < NOTICED) & (high > NOTICED))}; in truth it is "
        f"{np.sqrt(2 * ndtri(NOTICED)):.2f}."
    )


def _places(possible):
    """The intervals of X_GRID where it is possible (q,), such as "0.00–0.12 or 1.03–1.45"."""
    if possible.all():
        return "anywhere, so nothing is excluded yet"
    runs = np.split(X_GRID, np.flatnonzero(np.diff(possible)) + 1)[not possible[0] :: 2]
    return " or ".join(f"{run[0]:.2f}–{run[-1]:.2f}" for run in runs)


TOLD_OF_PAIRS = {"nothing": (), "choices": ("choices",), "choices, and how sure": ("choices", "how sure")}


def explore_kinds():
    """One curve, squeezed by up to three kinds of feedback at once, each with a mark of its own."""
    both = TOLD_OF_PAIRS["choices, and how sure"]
    return Explorer(
        _draw_kinds,
        predict=(
            "Twenty answers of yes or no; ten choices with their ratings; the known values at both ends. Which of the "
            "three by itself narrows the belief about f least?",
            ["yes or no", "choices, and how sure", "both ends"],
        ),
        feedback=PredictionFeedback(
            "choices, and how sure",
            "comparisons say nothing about the level: the mean standard deviation falls from 2 to 1.76 only.",
            lambda yes, pairs, ends: (yes, pairs, ends) == (False, both, False),
        ),
        cases={
            "yes or no alone": {"yes": True},
            "pairs alone": {"pairs": both},
            "both ends alone": {"ends": True},
            "all at once": {"yes": True, "pairs": both, "ends": True},
        },
        figsize=(8, 3.9),
        yes=switch("20 times yes or no"),
        pairs=choice("told of ten pairs", TOLD_OF_PAIRS, ()),
        ends=switch("both ends known"),
    )


def _draw_kinds(figure, yes, pairs, ends):
    kinds = ("yes or no",) * yes + pairs + ("both ends",) * ends
    mean, std = believed_by(kinds)
    truth, (top, bottom) = true_intensity(X_GRID), figure.subplots(2, 1, sharex=True, height_ratios=(2.1, 1))
    figure.subplots_adjust(hspace=0.08, top=0.97, bottom=0.13)
    draw_band(X_GRID, mean, std, top, label="believed, with 90 % band")
    top.plot(X_GRID, truth, color=GREY, linestyle="--", label="true f")
    if ends:
        plots.draw_constraints([0.0, 2.0], [0.0, 2.0], [AT_ZERO, 0.5], top)
    top.set(ylabel="$f$", ylim=(-4, 5.5))
    top.legend(fontsize=8, loc="upper left", ncols=3)
    if yes:
        plots.draw_yes_and_no(*(part.ravel() for part in felt(20)), bottom, 0.0, 1.4)
    if pairs:
        plots.draw_compared(X_GRID, compared(), bottom, "how sure" in pairs)
    bottom.set(xlabel="offset $x$", xlim=(-0.03, 2.03), ylim=(-6.6, 2.6), yticks=())
    told = ", ".join(kinds) or "nothing"
    off = np.sqrt(np.mean((mean - truth) ** 2))
    return (
        f"Told: {told}. The standard deviation of f is {std.mean():.2f} on average, and its RMSE {off:.2f}. Ticks are "
        "answers of yes or no; an arrow leads to what was chosen, the thicker, the surer; diamonds are what is known."
    )


def explore_constraint():
    """Answers of yes and no on a line, with and without what somebody says of the end: drag it, and its softness."""
    return Explorer(
        _draw_constraint,
        predict=(
            "A constraint states f(2) = 3.5 with σ = 0.05; the truth is 2. What is the posterior mean of f(2) after "
            "320 answers?",
            ["about 2: the answers win", "half way between", "about 3.5: the constraint dominates"],
        ),
        feedback=PredictionFeedback(
            "about 3.5: the constraint dominates",
            "it is 3.48 ± 0.05: σ = 0.05 is a precision of 400, and a yes at f = 3.5 adds almost none.",
            lambda said, std, answers: said == 3.5 and std < 0.06 and answers == "320",
        ),
        cases={
            "2, σ = 0.5, 20 answers": {"said": 2.0, "std": 0.5, "answers": "20"},
            "3.5, σ = 0.8, 320 answers": {"said": 3.5, "std": RULE_SOFTNESS, "answers": "320"},
            "3.5, σ = 0.05, 320 answers": {"said": 3.5, "std": 0.05, "answers": "320"},
        },
        figsize=(8, 3.4),
        said=slider("said of f(2)", 0.0, 4.0, 2.0, 0.25),
        std=log_slider("how softly (σ)", 0.01, 2.0, 0.5),
        answers=choice("answers", [str(n) for n in ANSWERED], "20"),
    )


def _draw_constraint(figure, said, std, answers):
    n = int(answers)
    (mean, spread), (alone, alone_spread) = believed(n, said, std), believed(n)
    left, right = figure.subplots(1, 2, sharey=True)
    for ax, title, curve in (
        (left, "answers alone", (alone, alone_spread)),
        (right, "and what is said", (mean, spread)),
    ):
        draw_band(X_GRID, *curve, ax, label="believed")
        ax.plot(X_GRID, true_intensity(X_GRID), color=GREY, linestyle="--", label="true f")
        plots.draw_yes_and_no(*(part.ravel() for part in felt(n)), ax, -1.6, 4.7)
        ax.set(xlabel="intensity $x$", xlim=(0, 2), xticks=(0, 1, 2), ylim=(-2.4, 5.4), title=title)
    plots.draw_constraints([0.0, 2.0], [0.0, said], [AT_ZERO, std], right)
    left.set(ylabel="$f$")
    right.legend(fontsize=8, loc="upper left", bbox_to_anchor=(0.03, 0.9))
    return (
        f"{n} answers. The true f(2) is 2; the answers alone give {alone[-1]:.2f} ± {alone_spread[-1]:.2f}. "
        f"The constraint states {said:g} with σ = {std:.2g}; together they give {mean[-1]:.2f} ± {spread[-1]:.2f}. "
        f"The RMSE of f on the whole line is {_off(alone):.2f} without the constraint, and {_off(mean):.2f} with it."
    )


def _off(mean):
    return np.sqrt(np.mean((mean - true_intensity(X_GRID)) ** 2))


KNOWLEDGE_CHOICES = {"nothing": "none", "pseudo-data": "pseudo", "soft constraints": "mixed"}
CRITERION_CHOICES = {
    "none (Sobol)": "sobol",
    "straddle": "straddle",
    "global mutual information": "global_mutual_information",
    "expected volume change": "expected_absolute_volume_change",
}


def explore_level_set():
    """A disc that is to be found: what is believed of each point, where was asked, the scores after each question."""
    return Explorer(
        _draw_level_set,
        predict=(
            "Nothing is known of f beforehand. After thirty answers at places that fill the square evenly, how much "
            "of the disc is found? (It covers a tenth of the square.)",
            ["nearly all", "about half", "nothing"],
        ),
        feedback=PredictionFeedback(
            "nothing",
            "29 of 30 answers are yes, and a constant f explains them: nothing distinguishes the few places inside.",
            lambda known, criterion, questions: (known, criterion, questions) == ("none", "sobol", N_QUESTIONS),
        ),
        cases={
            "nothing known, 30 answers": {"known": "none", "questions": 30},
            "pseudo-data, 30 answers": {"known": "pseudo", "questions": 30},
            "soft constraints, 30 answers": {"known": "mixed", "questions": 30},
            "soft constraints, straddle": {"known": "mixed", "criterion": "straddle", "questions": 30},
        },
        actions={"Ask": increment_by("questions")},
        figsize=(8.5, 3.6),
        known=choice("what is known", KNOWLEDGE_CHOICES, "mixed"),
        criterion=choice("where to ask", CRITERION_CHOICES, "sobol"),
        questions=slider("answers so far", N_FIRST_POINTS, N_QUESTIONS, N_FIRST_POINTS),
    )


def _draw_level_set(figure, known, criterion, questions):
    steps = looks(known, criterion)[: questions - N_FIRST_POINTS + 1]
    now = steps[-1]
    left, right = figure.subplots(1, 2, width_ratios=(1.15, 1))
    figure.subplots_adjust(wspace=0.25, left=0.07, bottom=0.15)
    plots.draw_inside(GRID_SIDE, now.inside, left)
    plots.draw_edge(GRID_SIDE, DISC_PROBLEM.probability(PLANE), PROBABILITY, left)
    plots.draw_asked(now.X, now.y, left)
    for name in ("precision", "recall", "f1"):
        plots.draw_score(N_FIRST_POINTS, [getattr(step.scores, name) for step in steps], name, right)
    right.set(xlim=(N_FIRST_POINTS, N_QUESTIONS), ylim=(-0.03, 1.03), xlabel="answers", ylabel="score")
    right.legend(fontsize=8, loc="lower right")
    found, names = (
        now.scores,
        {value: name for options in (KNOWLEDGE_CHOICES, CRITERION_CHOICES) for name, value in options.items()},
    )
    precision = "No point is classified as inside" if np.isnan(found.precision) else f"Precision {found.precision:.2f}"
    return (
        f"Known: {names[known]}; asked: {names[criterion]}, {questions} answers, "
        f"{int((now.y > 0).sum())} of them yes. "
        f"{precision}, recall {found.recall:.2f}, F1 {found.f1:.2f}. The dashed line is the true edge, the white one "
        "the estimated one."
    )


def check_softness(my_low, my_high, said, std):
    """Feedback on the interval that a soft constraint, f = said ± std, allows to P(yes), as one sentence."""
    said, std = validation.finite(said, "said"), validation.positive(std, "std")
    sides = np.array([-1, 1])
    ends = said + 1.96 * std * sides
    late = Near(ndtr(said) + 1.96 * std * sides, 0.02)
    rules = {
        "✗ Φ stays below 1, however large f is: write the upper end with three digits.": Near((None, 1.0), 0, 0),
        "✓ Both ends are right.": ndtr(ends),
        "✗ The numbers are right, but in the wrong order: the lower end first.": ndtr(ends[::-1]),
        "✗ This is the interval of f. Which probability of yes belongs to each end?": Near(ends, 0.02),
        "✗ One σ to each side holds 68 %. How many hold 95 %?": ndtr(said + std * sides),
        "✗ σ is a distance on the scale of f: go to the ends of f first, and then to probabilities.": late,
        f"✗ Not yet: f ends at {said:g} ∓ 1.96 · {std:g}. Take Φ of both ends.": None,
    }
    return reply("write both ends.", rules, atol=0.006, my_low=my_low, my_high=my_high)


def check_scores(my_precision, my_recall, my_f1, predicted, inside):
    """Feedback on the scores of an estimated set that a student worked out by hand, as one sentence.

    predicted, inside : (n,) bools, whether each point is said to be in the set, and whether it is
    """
    scores = set_scores(predicted, inside)
    if not scores.f1 > 0:
        raise ValueError("predicted and inside share no point: there is no precision and no recall to ask for.")
    hits = int((np.asarray(inside) & np.asarray(predicted)).sum())
    precision, recall, f1 = scores.precision, scores.recall, scores.f1
    mean, turned = np.mean([precision, recall]), Near((recall, precision), 0.006)
    harmonic = "2 · precision · recall / (precision + recall)"
    rules = {
        precision: {
            recall: {
                "✓ All three are right.": f1,
                f"✗ That is the ordinary mean. F1 is the harmonic one: {harmonic}.": mean,
                f"✗ Precision and recall are right. F1 = {harmonic}.": None,
            },
        },
        "✗ You have them the other way round: precision is the share of what was *said* that is true.": turned,
        f"✗ Recall: {hits} points are in both. Which share is that of those truly inside?": precision,
        f"✗ Precision: {hits} points are in both. Which share is that of those said to be inside?": None,
    }
    mine = {"my_precision": my_precision, "my_recall": my_recall, "my_f1": my_f1}
    return reply("write all three.", rules, atol=0.006, rtol=0, **mine)


def check_confidence(my_probabilities, difference, likert):
    """Feedback on the probabilities of the levels that a student worked out by hand, as one sentence.

    my_probabilities : (l,);  difference : g = f(b) − f(a);  likert : Likert
    """
    if my_probabilities is None:
        return "○ Nothing to check yet: write one probability for each level."
    validation.instance(likert, Likert, "likert", "a Likert such as Likert(3, cuts=[0.5, 1])")
    mine = validation.matrix(my_probabilities, "my_probabilities", (likert.levels,))
    right = likert.level_probabilities(validation.finite(difference, "difference"))
    alert = (right - likert.lapse / likert.levels) / (1.0 - likert.lapse)
    if np.allclose(mine, right, atol=0.003):
        return "✓ All are right."
    if np.allclose(mine, right, atol=0.006) and np.allclose(mine, mine.round(2)):
        return "✗ Nearly. Write three digits: with two one cannot see whether the lapses are in it."
    if np.allclose(mine, alert, atol=0.003):
        return f"✗ These are the probabilities without lapses. In a share of {likert.lapse:g} all levels are alike."
    if np.allclose(mine, alert / alert.max(), atol=0.003):
        return "✗ These are exp(−distance). Probabilities sum to one, and then there are the lapses."
    if abs(mine.sum() - 1.0) > 0.01:
        return f"✗ They sum to {mine.sum():.3f}. One of the levels must be said."
    if np.argmax(mine) != np.argmax(right):
        return "✗ The most probable level is the one whose interval holds |g|: its distance is 0."
    return (
        "✗ Not yet. The distance of |g| to an interval is that to its nearer end; the last interval has no upper end."
    )
