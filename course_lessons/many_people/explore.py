"""Explorers and checks of lecture 11: how much people should share, two spaces, and pseudo-inputs that move.

Lecture: 11, sections 2 and 5–7.
"""

import numpy as np
from scipy.special import ndtr

from course_lessons.many_people import plots
from course_lessons.many_people.moving_inputs import STEPS_OF_CLIMB, X_GRID, climb, through_all, through_places
from course_lessons.many_people.sharing import MAX_ROUNDS, sound_tables, with_shared
from course_lessons.many_people.toys import cosine_toy
from course_lib import validation
from course_widgets.controls import choice, slider
from course_widgets.drawings import draw_band
from course_widgets.frame import Explorer, PredictionFeedback
from course_widgets.replies import Near, likeness, reply
from course_widgets.style import BLUE, GREY, VERMILION

STARTS = {
    "Paper B's: −5, −2, 0, 2, 5": (-5.0, -2.0, 0.0, 2.0, 5.0),
    "crowded: −1 … 1": (-1.0, -0.5, 0.0, 0.5, 1.0),
    "one half: 0 … 6": (0.0, 1.5, 3.0, 4.5, 6.0),
}
PAPER, CROWDED, ONE_HALF = STARTS


def explore_listeners():
    """Every pair of eight systems, once: how often each system won, with one listener after the other."""
    return Explorer(_draw_listeners, figsize=(7, 3), asked=slider("listeners asked", 1, len(_won()), 5))


def _won():
    """(39, 8) shares of its seven comparisons that each system won in a listener's first round."""
    tables = sound_tables()
    return (tables.rounds[0].T @ tables.contrasts + 7) / 14


def _draw_listeners(figure, asked):
    ax, tables, won = figure.subplots(), sound_tables(), _won()[:asked]
    figure.subplots_adjust(bottom=0.34)
    labels = ["single listeners", *["_"] * (asked - 1)]
    ax.plot(100 * won.T, color=GREY, linestyle="-", linewidth=0.8, alpha=0.5, label=labels)
    last, mean = f"listener {tables.listeners[asked - 1]}, asked last", won.mean(axis=0)
    plots.draw_tastes({f"mean of {asked}": 100 * mean, last: 100 * won[-1]}, tables.modes, ax)
    ax.set(ylim=(-4, 125), yticks=(0, 50, 100), ylabel="comparisons won (%)")
    ax.legend(fontsize=8, loc="upper center", ncols=3)
    best, worst = np.isclose(mean, mean.max()), np.isclose(mean, mean.min())  # often several have won equally often
    single = 100 * won[:, best]
    each = f" (for single listeners between {single.min():.0f} % and {single.max():.0f} %)" if asked > 1 else ""
    return (
        f"{28 * asked} answers. {_win(tables.modes, best)} most often, in {100 * mean.max():.0f} % of "
        f"{'its' if best.sum() == 1 else 'their'} comparisons{each}; {_win(tables.modes, worst)} least often, in "
        f"{100 * mean.min():.0f} %."
    )


def _win(names, chosen):
    """Such as "Stereo wins", or "Original and Stereo win": subject and verb, for the names that are chosen (n,)."""
    *first, last = np.asarray(names)[chosen]
    return f"{', '.join(first)} and {last} win" if first else f"{last} wins"


def explore_places():
    """Pseudo-inputs of a cosine toy, moved by the search or by hand: the curve and the evidence follow."""
    return Explorer(
        _draw_places,
        predict=(
            "Five pseudo-inputs start at −5, −2, 0, 2, 5; the answers compare 17 points of a cosine. Where will the "
            "search leave them?",
            ["evenly spread over the 17 points", "at peaks and valleys", "where the cosine is steepest"],
        ),
        feedback=PredictionFeedback(
            "at peaks and valleys",
            "there the values differ most. Where the cosine is steepest it crosses 0: values that are all equal tell "
            "nothing of an order.",
            lambda start, step, push: start == STARTS[PAPER] and step == STEPS_OF_CLIMB,
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
    plots.draw_climb(evidences[: done + 1], right, (done, seen.log_evidence), full.log_evidence, mark)
    right.set(xlim=(-0.5, STEPS_OF_CLIMB + 0.5), ylim=(-75, -15))
    right.legend(fontsize=8, loc="lower right")
    name = next(name for name, places in STARTS.items() if places == start).split(":")[0]
    places = ", ".join(f"{place:.2f}" for place in np.sort(seen.places).round(2) + 0.0)  # not −0.00, which is rounding
    said = (
        f"Start: {name}. Step {done} of {len(evidences) - 1}"
        f"{f', then the last pushed by {pushed:+.2f}' if pushed else ''}: pseudo-inputs at {places}. Log evidence "
        f"{seen.log_evidence:.2f} (all 17 inputs: {full.log_evidence:.2f}). {100 * seen.right:.0f} % of the "
        f"{len(cosine_toy().choices)} pairs are predicted correctly."
    )
    return said.replace("-", "−")


def _draw_curves(ax, full, seen):
    x = cosine_toy().X[:, 0]
    plots.draw_dashed_curve(X_GRID, full.mean, full.std, ax, label="mean, all inputs")
    draw_band(X_GRID, seen.mean, seen.std, ax, color=VERMILION, label="mean with 5")
    plots.draw_places(seen.places, -4.0, ax, label="pseudo-inputs")
    ax.plot(x, np.full(len(x), -4.8), color="black", marker="|", linestyle="", label="the 17 inputs")
    ax.set(xlim=(-7, 7), ylim=(-5.1, 4.6), xlabel="input x", ylabel="latent f(x), 90 % band")
    ax.legend(fontsize=8, ncols=2, loc="upper center", columnspacing=1.0)


SHARES = (0.0, 0.01, 0.02, 0.03, *(k / 20 for k in range(1, 18)), *(k / 100 for k in range(90, 101)))


def explore_sharing():
    """How much should one listener's estimate lean on the other 38? It depends on how much they have said."""
    people = {f"listener {number}": p for p, number in enumerate(sound_tables().listeners) if number in (30, 60)}
    return Explorer(
        _draw_sharing,
        predict=(
            "Each listener has gone through the 28 pairs once. What predicts the second occasion best: to take "
            "everybody as alike, each one for themselves, or something between?",
            ["all alike", "each for themselves", "something between"],
        ),
        feedback=PredictionFeedback(
            "something between",
            "the distance is 0.505 for each alone, 0.404 for all alike and lowest, by little, at a correlation of "
            "0.95: 0.400. Now try twelve rounds.",
            lambda rounds, shared, person: rounds == 1 and shared == 1.0,
        ),
        cases={
            "one round, each alone": {"rounds": 1, "shared": 0.0},
            "one round, all alike": {"rounds": 1, "shared": 1.0},
            "12 rounds, each alone": {"rounds": MAX_ROUNDS, "shared": 0.0},
            "12 rounds, all alike": {"rounds": MAX_ROUNDS, "shared": 1.0},
            "12 rounds, between": {"rounds": MAX_ROUNDS, "shared": 0.95},
        },
        figsize=(8.5, 3.6),
        rounds=slider("rounds of 28 answers", 1, MAX_ROUNDS, 1),
        shared=slider("correlation of people", 0.0, 1.0, 0.0, 0.01),
        person=choice("shown", people.items(), next(iter(people.values()))),
    )


def _draw_sharing(figure, rounds, shared, person):
    left, right = figure.subplots(1, 2, width_ratios=(1.3, 1))
    figure.subplots_adjust(wspace=0.27, bottom=0.3)
    shared, listeners = round(shared, 2), sound_tables().listeners
    learned = with_shared(rounds, shared)
    mono = _draw_worths(left, rounds, learned, person)
    errors = _draw_distances(right, rounds, shared, learned)
    alike = f", all alike {errors[-1]:.3f}" if shared == 1.0 else ""
    said = (
        f"{rounds} round{'s' if rounds > 1 else ''} of 28 answers from each of {len(listeners)} people, correlation "
        f"{shared:.2f}: distance {learned.error:.3f} (each alone {errors[0]:.3f}{alike}; lowest up to here "
        f"{min(errors):.3f}, at {SHARES[int(np.argmin(errors))]:.2f}), log evidence {learned.fit.log_evidence:.0f}. "
        f"Mono for listener {listeners[person]}: {mono}."
    )
    return said.replace("-", "−")


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
    """The distances as far as the correlation was moved, so that none is seen before it is tried; returns them."""
    tried = [share for share in SHARES if share <= shared]
    errors = [with_shared(rounds, share).error for share in tried]
    ax.plot([*tried, shared], [*errors, learned.error], color=BLUE, linestyle="-", label="all listeners")
    ax.plot([shared], [learned.error], color=BLUE, marker="o", linestyle="")
    ax.axhline(sound_tables().second_noise, color=GREY, linestyle=":", label="noise of the second occasion")
    ax.set(xlim=(-0.05, 1.05), ylim=(0.26, 0.56), xlabel="correlation of people", ylabel="distance (unit: an answer)")
    ax.legend(fontsize=8, loc="upper center")
    return errors


def check_together(my_variance, my_covariance, worth_variance, correlation):
    """Feedback on the covariance of what two people's comparisons of the same two items see, as one sentence.

    my_variance, my_covariance : of one person's difference, and with the other's
    worth_variance : of an item's worth, for each person; items are independent;  correlation : of these for two people
    """
    one = validation.positive(worth_variance, "worth_variance")
    rho = validation.finite(correlation, "correlation")
    if abs(rho) >= 1:
        raise ValueError(f"correlation is {rho:g}; it must lie between -1 and 1.")
    no_sum = "✗ The variance of a difference of independent worths is a *sum*: what is subtracted is uncertain, too."
    two, nothing = 2 * one, Near(0.0, 1e-9, 0.01)
    rules = {
        no_sum: nothing,
        "✗ This is the variance of *one* worth. A difference has two that are uncertain.": one,
        two: {
            "✓ Both are right. Their ratio is ρ: so much do two people's differences go together.": two * rho,
            "✗ That is the correlation. Times what is it a covariance?": rho,
            "✗ The two people share both worths, that of b and that of a: two terms.": one * rho,
            "✗ The kernel of people stands once in each term of the product kernel, not twice.": two * rho**2,
            "✗ That would be one model for each. Here two people's worths of the same item are correlated.": nothing,
        },
        "✗ The variance is right. The covariance has four terms k(x, x')·k⁽ᵘ⁾(r, s); which of them are not 0?": two,
        "✗ The variance: that of f(x_b, r), plus that of f(x_a, r), minus twice their covariance: 0 here.": None,
    }
    return reply("write both numbers.", rules, rtol=0.01, my_variance=my_variance, my_covariance=my_covariance)


def check_response(my_mean, K, A, y, noise_std):
    """Feedback on a posterior mean of f that was computed in response space, as one sentence.

    my_mean : (n,) means of f;  K : (n, n) prior covariance of f;  A : (m, n) differences;  y : (m,)
    """
    K, A, y = validation.square(K, "K"), validation.real_array(A, "A"), validation.sequence(y, "y")
    noise, shape = validation.positive(noise_std, "noise_std"), (len(y), len(K))
    if y.shape[1] != 1 or A.shape != shape:
        raise ValueError(f"A has the shape {A.shape} and y {y.shape}; for {shape[0]} answers A must be {shape}.")
    if my_mean is None:
        return "○ Nothing to check yet: write the mean of f."
    mine, y = validation.real_array(my_mean, "my_mean"), y[:, 0]
    C, leads_back = A @ K @ A.T, K @ A.T
    right = np.linalg.solve(C + noise**2 * np.eye(len(y)), y)
    if mine.shape == y.shape != K[0].shape:
        return f"✗ These are {len(y)} numbers, one for each comparison: K Aᵀ leads from there to the {len(K)} items."
    looks_like = {
        "✓ Right: the numbers of item space.": leads_back @ right,
        "✗ The noise stands in the matrix as a variance, noise**2.": leads_back
        @ np.linalg.solve(C + noise * np.eye(len(y)), y),
        "✗ The noise of the answers is not in the matrix.": leads_back @ np.linalg.lstsq(C, y)[0],
        "✗ K is missing in front: Aᵀ alone says which items were compared, not how they hang together.": A.T @ right,
    }
    otherwise = "✗ Not yet: K Aᵀ (A K Aᵀ + σ² I)⁻¹ y, lecture 05's mean for the kernel of differences."
    return likeness(validation.matrix(mine, "my_mean", K[0].shape), looks_like, otherwise, atol=1e-4)


def check_open(my_spread, my_chance, gap, covariance, noise_std):
    """Feedback on a choice through pseudo-inputs that a student worked out, as one sentence.

    my_spread, my_chance : s_k and P(b preferred | u);  gap : g_k, the difference of the two means
    covariance : (2, 2) of f_a and f_b given u;  noise_std : σ of one judgement
    """
    gap, noise = validation.finite(gap, "gap"), validation.positive(noise_std, "noise_std")
    covariance = validation.matrix(covariance, "covariance", (2, 2))
    if not np.allclose(covariance, covariance.T) or np.linalg.eigvalsh(covariance)[0] < 0:
        raise ValueError(f"covariance is {covariance.tolist()}; it must be symmetric, without a negative variance.")
    alone, both = np.trace(covariance), 2 * covariance[0, 1]
    spread = np.sqrt(2 * noise**2 + alone - both)
    rules = {
        spread: {
            "✓ Both are right.": ndtr(gap / spread),
            "✗ s is right. The probability is that of a.": ndtr(-gap / spread),
            "✗ s is right. The probability of b is Φ(g / s).": None,
        },
        "✗ This is s². Its root is what g is divided by.": spread**2,
        "✗ The sign of the covariance: what is unknown of both alike drops out of a *difference*.": np.sqrt(
            2 * noise**2 + alone + both
        ),
        "✗ The two are not independent given u: their covariance counts.": np.sqrt(2 * noise**2 + alone),
        "✗ Two judgements are compared, each with the noise σ: 2σ².": np.sqrt(noise**2 + alone - both),
        "✗ This is the judgements' noise alone; what u leaves open is missing.": np.sqrt(2) * noise,
        "✗ s² is 2σ² and the variance of f_b − f_a given u.": None,
    }
    near = {"atol": (0, 0.002), "rtol": (0.005, 0)}
    return reply("write the spread and the probability.", rules, **near, my_spread=my_spread, my_chance=my_chance)
