"""Explorers of lecture 11: pseudo-inputs that move, and how much people should share.

Lecture: 11.
"""

import numpy as np

from course_lib.judgments.comparisons.moving_inputs import GRID, STEPS_OF_CLIMB, climb, through_all, through_places
from course_lib.judgments.comparisons.sharing import ROUNDS, sound_tables, with_shared
from course_lib.judgments.comparisons.simulators import cosine_toy
from course_lib.plots import people as plots
from course_lib.plots.style import BLUE, GREY
from course_lib.widgets.explore import Explorer, choice, slider

STARTS = {
    "Paper B's: −5, −2, 0, 2, 5": (-5.0, -2.0, 0.0, 2.0, 5.0),
    "crowded: −1 … 1": (-1.0, -0.5, 0.0, 0.5, 1.0),
    "one half: 0 … 6": (0.0, 1.5, 3.0, 4.5, 6.0),
}
PAPER, CROWDED, ONE_HALF = STARTS


def explore_places():
    """Pseudo-inputs of a cosine toy, moved by the search or by hand: the curve and the evidence follow.

    Lecture: 11, section 4.
    """
    return Explorer(
        _draw_places,
        predict=(
            "Five pseudo-inputs start at −5, −2, 0, 2, 5; the answers compare 17 points of a cosine. Where will the "
            "search leave them?",
            ["evenly spread over the 17 points", "at peaks and valleys", "where the cosine is steepest"],
        ),
        cases={
            "Paper B's start": {"start": STARTS[PAPER], "step": 0, "push": 0.0},
            "after the search": {"start": STARTS[PAPER], "step": STEPS_OF_CLIMB, "push": 0.0},
            "one pushed off its peak": {"start": STARTS[PAPER], "step": STEPS_OF_CLIMB, "push": -1.5},
            "a crowded start": {"start": STARTS[CROWDED], "step": STEPS_OF_CLIMB, "push": 0.0},
            "a start on one half": {"start": STARTS[ONE_HALF], "step": STEPS_OF_CLIMB, "push": 0.0},
        },
        figsize=(8.5, 3.4),
        start=choice("start", STARTS.items(), STARTS[PAPER]),
        step=slider("steps of the search", 0, STEPS_OF_CLIMB, 0),
        push=slider("push the last one by", -3.0, 3.0, 0.0, 0.25),
    )


def _draw_places(figure, start, step, push):
    left, right = figure.subplots(1, 2, width_ratios=(1.7, 1))
    figure.subplots_adjust(wspace=0.25)
    full, seen, pushed = through_all(), through_places(start, step, round(push, 2)), round(push, 2)
    _draw_curves(left, full, seen)
    evidences = climb(start)[1]
    done = min(step, len(evidences) - 1)
    mark = "one pushed" if pushed else "now"
    plots.draw_climb(evidences, right, (done, seen.log_evidence), full.log_evidence, mark)
    right.set(ylim=(-75, -15))
    right.legend(fontsize=8, loc="lower right")
    name = next(name for name, places in STARTS.items() if places == start).split(":")[0]
    places = ", ".join(f"{place:.2f}" for place in np.sort(seen.places).round(2) + 0.0)  # not −0.00, which is rounding
    return (
        f"Start: {name}. Step {done} of {len(evidences) - 1}"
        f"{f', then the last pushed by {pushed:+.2f}' if pushed else ''}: pseudo-inputs at {places}. Log evidence "
        f"{seen.log_evidence:.2f} (all 17 inputs: {full.log_evidence:.2f}). {seen.right:.0%} of the "
        f"{len(cosine_toy().choices)} pairs are told right."
    )


def _draw_curves(ax, full, seen):
    x = cosine_toy().X[:, 0]
    plots.draw_dashed_curve(GRID, full.mean, full.std, ax, label="mean, all inputs")
    plots.draw_curve(GRID, seen.mean, seen.std, ax, label="mean with 5")
    plots.draw_places(seen.places, -4.0, ax, label="pseudo-inputs")
    ax.plot(x, np.full(len(x), -4.8), color="black", marker="|", linestyle="", label="the 17 inputs")
    ax.set(xlim=(-7, 7), ylim=(-5.1, 4.6), xlabel="input x", ylabel="latent f(x) ± 1 sd")
    ax.legend(fontsize=8, ncols=2, loc="upper center", columnspacing=1.0)


SHARES = (0.0, 0.01, 0.02, 0.03, *(k / 20 for k in range(1, 18)), *(k / 100 for k in range(90, 101)))


def explore_sharing():
    """How much should one listener's estimate lean on the other 38? It depends on how much they have said.

    Lecture: 11, section 6.
    """
    people = {f"listener {number}": p for p, number in enumerate(sound_tables().listeners) if number in (30, 60)}
    return Explorer(
        _draw_sharing,
        predict=(
            "Each listener has gone through the 28 pairs once. What predicts the second occasion best: to take "
            "everybody as alike, each one for themselves, or something between?",
            ["all alike", "each for themselves", "something between"],
        ),
        cases={
            "one round, each alone": {"rounds": 1, "shared": 0.0},
            "one round, all alike": {"rounds": 1, "shared": 1.0},
            "12 rounds, each alone": {"rounds": ROUNDS, "shared": 0.0},
            "12 rounds, all alike": {"rounds": ROUNDS, "shared": 1.0},
            "12 rounds, between": {"rounds": ROUNDS, "shared": 0.95},
        },
        figsize=(8.5, 3.6),
        rounds=slider("rounds of 28 answers each", 1, ROUNDS, 1),
        shared=slider("correlation between people", 0.0, 1.0, 0.5, 0.01),
        person=choice("shown", people.items(), next(iter(people.values()))),
    )


def _draw_sharing(figure, rounds, shared, person):
    left, right = figure.subplots(1, 2, width_ratios=(1.3, 1))
    figure.subplots_adjust(wspace=0.27, bottom=0.3)
    shared, listeners = round(shared, 2), sound_tables().listeners
    learned = with_shared(rounds, shared)
    mono = _draw_worths(left, rounds, learned, person)
    errors = _draw_distances(right, rounds, shared, learned)
    return (
        f"{rounds} round{'s' if rounds > 1 else ''} of 28 answers from each of {len(listeners)} people, correlation "
        f"{shared:.2f}: distance {learned.error:.3f} (each alone {errors[0]:.3f}, all alike {errors[-1]:.3f}, best "
        f"{min(errors):.3f} at {SHARES[int(np.argmin(errors))]:.2f}), log evidence {learned.fit.log_evidence:.0f}. "
        f"Mono for listener {listeners[person]}: {mono}."
    )


def _draw_worths(ax, rounds, learned, person):
    """What a listener's answers, the estimate and the second occasion make of the modes; returns mono's as words."""
    tables = sound_tables()
    answers = np.column_stack([tables.rounds[rounds - 1, :, person], tables.second[:, person]])
    own, second = (tables.contrasts.T @ answers / len(tables.modes)).T  # least squares
    worths = {"own answers": own, "estimate": learned.worth[:, person], "second occasion": second}
    plots.draw_tastes(worths, tables.modes, ax)
    ax.set(ylim=(-1.1, 1.4), ylabel="worth (unit: an answer)")
    ax.legend(fontsize=8, loc="upper center", ncols=3, columnspacing=1.0)
    return ", ".join(f"{name} {round(worth[0], 9):.2f}" for name, worth in worths.items())  # exact ties round alike


def _draw_distances(ax, rounds, shared, learned):
    errors = [with_shared(rounds, share).error for share in SHARES]
    ax.plot(SHARES, errors, color=BLUE, linestyle="-", label="all listeners")
    ax.plot([shared], [learned.error], color=BLUE, marker="o", linestyle="")
    ax.axhline(sound_tables().second_noise, color=GREY, linestyle=":", label="noise of the second occasion")
    ax.set(ylim=(0.26, 0.56), xlabel="correlation between people", ylabel="distance (unit: an answer)")
    ax.legend(fontsize=8, loc="upper center")
    return errors
