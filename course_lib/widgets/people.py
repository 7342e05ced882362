"""Explorers of lecture 11: pseudo-inputs that move, and how much people should share.

Lecture: 11.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from course_lib import datasets
from course_lib.gp import Fixed, KroneckerFit, SquaredExponential, kronecker_regression
from course_lib.judgments import PreferenceGP
from course_lib.judgments.simulated_choices import cosine_toy
from course_lib.plots import people as plots
from course_lib.plots.style import BLUE, GREY
from course_lib.widgets.explore import Explorer, choice, slider

NOISE = 0.5  # σ of the toy; Nielsen et al. (2011) do not say it
STARTS = {
    "Paper B's: −5, −2, 0, 2, 5": (-5.0, -2.0, 0.0, 2.0, 5.0),
    "crowded: −1 … 1": (-1.0, -0.5, 0.0, 0.5, 1.0),
    "one half: 0 … 6": (0.0, 1.5, 3.0, 4.5, 6.0),
}
PAPER, CROWDED, ONE_HALF = STARTS
ROUNDS_OF_SEARCH = 16  # where all three starts have come to rest, but for the last digits
GRID = np.linspace(-7.0, 7.0, 141)


def toy_model(places=None, **options):
    """PreferenceGP with σ_f = ℓ = 1 and σ = 0.5, all held, learned from the toy; through pseudo-inputs (M,) if given.

    Lecture: 11, section 4.
    """
    toy = cosine_toy()
    kernel = SquaredExponential(1.0, 1.0).with_priors(variance=Fixed(), lengthscale=Fixed())
    inducing = None if places is None else np.reshape(places, (-1, 1))
    model = PreferenceGP(kernel, noise_std=NOISE, inducing=inducing, **options)
    return model.fit(toy.X, toy.pairs, toy.choices)


@cache
def search(start):
    """Places (S + 1, M) and log evidences (S + 1,) of a climb by L-BFGS from this start, step by step.

    Lecture: 11, section 4.
    """
    model = toy_model(start, learn_inducing=True, optimize=False)
    places = [np.array(start)]

    def downhill(theta):
        height, slope = model.evidence_at(theta)
        return -height, -slope

    def keep(theta):
        places.append(theta.copy())

    options = {"maxiter": ROUNDS_OF_SEARCH}
    minimize(downhill, places[0], jac=True, method="L-BFGS-B", callback=keep, options=options)
    return np.array(places), np.array([model.evidence_at(theta)[0] for theta in places])


class Seen(NamedTuple):
    """What five pseudo-inputs make of the toy: places, curve on GRID, log evidence, share of the pairs told right.

    Lecture: 11, section 4.
    """

    places: np.ndarray
    mean: np.ndarray
    std: np.ndarray
    log_evidence: float
    right: float


def _seen(model, places):
    toy = cosine_toy()
    gap, _ = model.predict_difference(toy.X, toy.pairs)
    right = float(np.mean(np.sign(gap) == toy.choices))
    return Seen(places, *model.predict_latent(GRID[:, None]), model.log_evidence_, right)


@cache
def through_places(start, step, push):
    """Seen by the pseudo-inputs after so many steps from this start, the last of them moved by `push`.

    Lecture: 11, section 4.
    """
    path = search(start)[0]
    places = path[min(step, len(path) - 1)].copy()
    places[-1] += push
    return _seen(toy_model(places, optimize=False), places)


@cache
def through_all():
    """Seen by all 17 inputs. Lecture: 11, section 4."""
    return _seen(toy_model(optimize=False), cosine_toy().X[:, 0])


def explore_places():
    """Pseudo-inputs of Paper B's toy, moved by the search or by hand: the curve and the evidence follow.

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
            "after the search": {"start": STARTS[PAPER], "step": ROUNDS_OF_SEARCH, "push": 0.0},
            "one pushed off its peak": {"start": STARTS[PAPER], "step": ROUNDS_OF_SEARCH, "push": -1.5},
            "a crowded start": {"start": STARTS[CROWDED], "step": ROUNDS_OF_SEARCH, "push": 0.0},
            "a start on one half": {"start": STARTS[ONE_HALF], "step": ROUNDS_OF_SEARCH, "push": 0.0},
        },
        figsize=(8.5, 3.4),
        start=choice("start", STARTS.items(), STARTS[PAPER]),
        step=slider("steps of the search", 0, ROUNDS_OF_SEARCH, 0),
        push=slider("push the last one by", -3.0, 3.0, 0.0, 0.25),
    )


def _draw_places(figure, start, step, push):
    left, right = figure.subplots(1, 2, width_ratios=(1.7, 1))
    figure.subplots_adjust(wspace=0.25)
    full, seen, pushed = through_all(), through_places(start, step, round(push, 2)), round(push, 2)
    _draw_curves(left, full, seen)
    evidences = search(start)[1]
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


ROUNDS = 12
WORTH, NOISE_OF_ONE = 0.2, 0.8  # variance of a mode's worth, and noise of one round, on the scale −1 … 1
SHARES = (0.0, 0.01, 0.02, 0.03, *(k / 20 for k in range(1, 18)), *(k / 100 for k in range(90, 101)))


class Tables(NamedTuple):
    """Mean answers, between −1 and 1, to 28 pairs (rows) by the 39 listeners (columns) who came on both occasions.

    rounds : (12, 28, 39) means of each listener's first 1 … 12 rounds on the first occasion, in an order once drawn
    second : (28, 39) means of the 8 rounds on the second occasion;  second_noise : their standard error, over all
    contrasts : (28, 8), a row for each pair: −1 and +1;  modes, listeners : names and numbers

    Lecture: 11, section 6.
    """

    rounds: np.ndarray
    second: np.ndarray
    second_noise: float
    contrasts: np.ndarray
    modes: tuple
    listeners: np.ndarray


@cache
def sound_tables():
    """The complete tables of the sound-quality data. Listener 62, who came once, is left out.

    Lecture: 11, section 6.
    """
    sound, rng = datasets.load_sound_quality(), np.random.default_rng(0)
    people = np.unique(sound.listeners[sound.occasions == "after"])
    mine = [sound.select(sound.listeners == listener) for listener in people]
    first = [rng.permutation(part.choices[part.occasions == "before"]) for part in mine]
    second = np.array([part.choices[part.occasions == "after"] for part in mine])  # (39, 8, 28)
    rounds = np.cumsum(first, axis=1) / np.arange(1, ROUNDS + 1)[:, None]  # (39, 12, 28)
    noise = np.sqrt(np.mean(second.var(axis=1, ddof=1) / second.shape[1]))
    contrasts = np.zeros((28, len(sound.modes)))
    contrasts[np.arange(28), sound.pairs[:, 0]], contrasts[np.arange(28), sound.pairs[:, 1]] = -1.0, 1.0
    return Tables(rounds.transpose(1, 2, 0), second.mean(axis=1).T, noise, contrasts, sound.modes, people)


class Shared(NamedTuple):
    """A complete table learned with a correlation between people.

    fit : KroneckerFit;  worth : (8, 39) posterior means of the modes
    error : distance from the second occasion, root mean square over 28 pairs and 39 listeners

    Lecture: 11, section 6.
    """

    fit: KroneckerFit
    worth: np.ndarray
    error: float


@cache
def with_shared(rounds, shared):
    """Exact inference from so many rounds, the worths of two people having the correlation `shared`.

    Lecture: 11, section 6.
    """
    tables = sound_tables()
    people = shared + (1 - shared) * np.eye(len(tables.listeners))
    K_items = WORTH * tables.contrasts @ tables.contrasts.T
    fit = kronecker_regression(K_items, people, tables.rounds[rounds - 1], NOISE_OF_ONE / np.sqrt(rounds))
    worth = WORTH * tables.contrasts.T @ fit.weights @ people
    return Shared(fit, worth, float(np.sqrt(np.mean((fit.mean - tables.second) ** 2))))


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
