"""Explorers and checks of lecture 10: marks against comparisons, a gap against its noise, and one person's greys.

Lecture: 10, sections 1, 2, 4, 5, 7 and 11.
"""

from functools import cache

import numpy as np
from scipy.special import ndtr

from course_lessons.i_prefer_b import plane, plots
from course_lessons.i_prefer_b.interview import (
    COMPARED_PAIRS,
    GREY_GRID,
    GREY_LEVELS,
    GREY_STEPS,
    MARKED_GREYS,
    N_ASKED,
    N_CHOICES,
    N_MARKS,
    TRUE_MIDDLE,
    gap_choices,
    grey_questions,
    judged,
    learn_greys,
    simulated_judge,
    simulated_person,
)
from course_lib import datasets, validation
from course_lib.gp import White
from course_lib.judgments import PreferenceGP
from course_widgets.controls import choice, slider, switch
from course_widgets.drawings import HALF_BAND, draw_band
from course_widgets.frame import Explorer, PredictionFeedback, increment_by
from course_widgets.replies import Near, reply
from course_widgets.style import GREY

# --- the opening: what comparisons of nine samples say of each of them -----------------------------


@cache
def _comparisons():
    """(nine samples, (885, 2) pairs, (885,) answers): real ones, in a random order."""
    food, rng = datasets.load_springall(), np.random.default_rng(0)
    pairs, answers = food.answers()
    order = rng.permutation(len(answers))
    return food, pairs[order], answers[order]


def explore_comparisons():
    """More comparisons of nine samples: what each is worth by its wins, and how well that is known."""
    return Explorer(_draw_worths, figsize=(7, 3), asked=slider("comparisons used", 15, 885, 45, 30))


def _draw_worths(figure, asked):
    food, pairs, answers = _comparisons()
    model = PreferenceGP(White(1.0), ties=True, optimize=False).fit(food.X, pairs[:asked], answers[:asked])
    mean, covariance = model.predict_latent(model.items_, return_cov=True)
    centring = np.eye(len(mean)) - 1 / len(mean)  # no comparison shows the level
    worth, half = centring @ mean, HALF_BAND * np.sqrt(np.diag(centring @ covariance @ centring))
    ax, places = figure.subplots(), np.arange(len(mean))
    figure.subplots_adjust(left=0.11)
    ax.axhline(0, color=GREY, linestyle=":", linewidth=1)
    ax.vlines(places, worth - half, worth + half, color=plots.B_COLOR)
    ax.plot(places, worth, "o", color=plots.B_COLOR, label="estimate, 90 % interval")
    ax.set_xticks(places, [f"{flavour:g} / {gel:g}" for flavour, gel in food.X])
    ax.set(xlabel="sample: flavour / gel", ylim=(-3, 3))
    ax.set_ylabel("worth by the wins recorded\n(unit: noise σ of one judgement)", fontsize=9)
    ax.legend(loc="upper right", fontsize=8)
    best, (gap, std) = worth.argmax(), model.predict_difference(model.items_, food.pairs)
    apart = np.sum(np.abs(gap) > HALF_BAND * std)
    return (
        f"{asked} of {len(answers)} comparisons used, {np.sum(answers[:asked] == 0)} of them ties. The highest "
        f"worth is that of flavour {food.X[best, 0]:g} with gel {food.X[best, 1]:g}: {worth[best]:.2f} "
        f"[{worth[best] - half[best]:.2f}, {worth[best] + half[best]:.2f}] above the mean of the nine. "
        f"For {apart} of the {len(gap)} pairs the 90 % interval of the difference excludes 0."
    )


WHO = ("you", "a simulated person")
YOU, SIMULATED_JUDGE = WHO


def _answers(yours, recorded, who, seen):
    """The first answers of whoever answers, as many as the slider says, or as there are."""
    return tuple((yours if who == YOU else recorded)[:seen])


def _press(yours, explorer, answer):
    """What a button does: your answer to the open question, or one answer more of the simulated person.

    Going back forgets nothing: only an answer to the question that is open replaces what was said from there on.
    """
    seen, last = explorer.values()["seen"], explorer.controls["seen"].values[-1]
    if explorer.values()["who"] == YOU:
        seen = min(seen, len(yours))
        if seen < last:
            yours[seen:] = [answer]
    explorer.set(seen=min(seen + 1, last))


# --- marks and comparisons --------------------------------------------------------------------------

SURROUNDS = (25, 235)
MARK_QUESTION, COMPARE = "mark", "compare"
QUESTION_KINDS = (MARK_QUESTION,) * N_MARKS + (COMPARE,) * len(COMPARED_PAIRS)
N_QUESTIONS = len(QUESTION_KINDS)


def _button(yours, kind, answer):
    """What a button of an interview does: it answers if the question is of its kind, or if a judge answers anyway."""

    def pressed(e):
        seen = min(e.values()["seen"], len(yours))
        if kind in QUESTION_KINDS[seen : seen + 1] or e.values()["who"] == SIMULATED_JUDGE:
            _press(yours, e, answer(e))

    return pressed


def explore_marks():
    """Five greys, marked twice from 0 to 100 and then compared in pairs: by you, or by a simulated judge."""
    yours = []

    def draw(figure, mark, who, seen):
        return _draw_marks(figure, mark, who, _answers(yours, simulated_judge(), who, seen))

    return Explorer(
        draw,
        predict=(
            "You mark ten grey patches from 0 (black) to 100 (white). Then you compare ten pairs of patches. Which "
            "will put more pairs in the right order?",
            ["my marks", "my comparisons", "both alike"],
        ),
        feedback=PredictionFeedback(
            "my comparisons",
            "at least for the simulated judge: its marks order 14 of 20 pairs rightly, its comparisons all ten.",
            lambda mark, who, seen: who == SIMULATED_JUDGE and seen == N_QUESTIONS,
        ),
        cases={
            "a simulated judge, 5 marks": {"who": SIMULATED_JUDGE, "seen": 5},
            "the judge's ten marks": {"who": SIMULATED_JUDGE, "seen": 10},
            "and ten comparisons": {"who": SIMULATED_JUDGE, "seen": N_QUESTIONS},
        },
        actions={
            "Keep this mark": _button(yours, MARK_QUESTION, lambda e: int(e.values()["mark"])),
            "A is brighter": _button(yours, COMPARE, lambda e: -1),
            "B is brighter": _button(yours, COMPARE, lambda e: 1),
        },
        figsize=(8, 3.3),
        mark=slider("brightness, 0 to 100", 0, 100, 50),
        who=choice("who answers", WHO),
        seen=slider("answers so far", 0, N_QUESTIONS, 0),
    )


def _draw_marks(figure, mark, who, answers):
    left, right = figure.subplots(1, 2, width_ratios=(1.2, 1))
    figure.subplots_adjust(wspace=0.3, right=0.97)
    k = len(answers)
    if k < N_MARKS:
        plots.draw_patches([GREY_LEVELS[MARKED_GREYS[k]]], SURROUNDS[k // 5], left)
    elif k < N_QUESTIONS:
        plots.draw_patches(GREY_LEVELS[COMPARED_PAIRS[k - N_MARKS]], SURROUNDS[k % 2], left, names="AB")
    else:
        plots.draw_patches(GREY_LEVELS, 128, left)
    if k < N_MARKS:
        right.axis("off")  # nobody should see before the tenth mark that each grey comes twice
    else:
        first, second = judged(answers)[:2]
        plots.draw_two_marks(first, second, right, label="one grey, marked twice")
        right.set(xlabel="first mark, dark frame (points)", ylabel="second mark, bright frame (points)")
        right.legend(fontsize=8, loc="lower right")
    return _marks_sentence(mark, who, answers)


ASKED_MARK = "Mark {number} of {marks}: how bright is this grey? Now {now}{last}"
NOW = {YOU: "the slider is at {mark}.", SIMULATED_JUDGE: "a simulated judge answers (press any answer button)."}
LAST_MARK = " {name} last mark: {mark}."
NAMES = {YOU: "Your", SIMULATED_JUDGE: "The simulated judge's"}
MARKED = (
    "There were only five greys, each marked twice: first in a dark frame, then in a bright one. {name} marks of "
    "the same grey differ by {apart:.0f} points (root mean square; second minus first {each}). A grey in the dark "
    "frame against another in the bright one: their marks have the right order in {from_marks} of 20 pairs."
)
ASKED_PAIR = " Comparison {number} of {pairs}: which is brighter, A or B?"
COMPARED = " Compared side by side: right in {compared} of {pairs}."


def _marks_sentence(mark, who, answers):
    k, name = len(answers), NAMES[who]
    if k < N_MARKS:
        last = LAST_MARK.format(name=name, mark=answers[-1]) if k else ""
        return ASKED_MARK.format(number=k + 1, marks=N_MARKS, now=NOW[who].format(mark=mark), last=last)
    found = judged(answers)
    differences = found.second - found.first
    apart, each = np.sqrt(np.mean(differences**2)), ", ".join(f"{value:+.0f}" for value in differences)
    marks = MARKED.format(name=name, apart=apart, each=each, from_marks=found.from_marks)
    if k < N_QUESTIONS:
        return marks + ASKED_PAIR.format(number=k - N_MARKS + 1, pairs=len(COMPARED_PAIRS))
    return marks + COMPARED.format(compared=found.compared, pairs=len(COMPARED_PAIRS))


# --- two items in the plane of their values ----------------------------------------------------------


def explore_plane():
    """Answers of which of two items is better cut the plane of their values: what stays possible?"""
    return Explorer(
        _draw_plane,
        predict=(
            "After ten answers “I prefer b”: in which direction has the cloud of possible values kept its length?",
            ["along the diagonal", "across the diagonal", "in no direction"],
        ),
        feedback=PredictionFeedback(
            "along the diagonal",
            "there both values rise together, and no answer's probability changes: their mean keeps its ± 1.22.",
            lambda for_b, for_a, noise: for_b >= 10 and not for_a,
        ),
        cases={
            "ten for b": {"for_b": 10},
            "ten for b, one for a": {"for_b": 10, "for_a": 1},
            "one for b, hardly any noise": {"for_b": 1, "noise": 0.1},
        },
        actions={"I prefer a": increment_by("for_a"), "I prefer b": increment_by("for_b")},
        listen=lambda for_b, for_a, noise: plane.both_sides(),
        figsize=(8.5, 4.0),
        for_b=slider("answers for b", 0, 10, 0),
        for_a=slider("answers for a", 0, 10, 0),
        noise=choice("noise σ of one judgement", (0.1, 0.5, 1.0, 2.0), 0.5),
    )


def _draw_plane(figure, for_b, for_a, noise):
    left, right = figure.subplots(1, 2, width_ratios=(1.15, 1))
    figure.subplots_adjust(wspace=0.16)
    answers = for_b, for_a, noise
    likelihood, belief = np.exp(plane.log_likelihood(*answers)), plane.believed(*answers)
    mean, covariance = belief.mean, belief.covariance
    gap, std = mean[1] - mean[0], np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    gaussians = {"prior": plane.believed(0, 0, noise), "EP": belief}
    plots.draw_plane(plane.points()[0], plane.kept(*answers), gaussians, plane.GAPS, likelihood, left)
    left.legend(loc="upper left", fontsize=8)
    prior = np.exp(-0.25 * plane.GAPS**2)  # of the difference: its variance is 2
    plots.draw_cut(plane.GAPS, prior, likelihood, (gap, std), right)
    right.legend(loc="upper left", fontsize=8, ncols=2)
    return (
        f"Answers: {for_b} for b, {for_a} for a; σ = {noise:g}. {plane.kept(*answers).sum()} of {plane.N_POINTS} "
        f"points are still possible. f(b) − f(a): {gap:.2f} ± {std:.2f} (at first 0 ± 1.41); f(b) alone: "
        f"{mean[1]:.2f} ± {np.sqrt(covariance[1, 1]):.2f} (at first 0 ± 1.41); "
        f"mean of both: 0 ± {np.sqrt(covariance.sum()) / 2:.2f}."
    )


# --- a gap and its noise ----------------------------------------------------------------------------


def explore_gap():
    """Two utilities and the noise of judging them: what a choice shows of each."""
    return Explorer(
        _draw_gap,
        predict=(
            "Gap 0.5, noise 0.5. Double both: what happens to the probability that B beats A, and to the 20 choices?",
            ["it rises: more choices of B", "it falls: fewer choices of B", "it stays, other choices", "all stay"],
        ),
        feedback=PredictionFeedback(
            "all stay",
            "P depends only on the gap divided by the noise. Gap and noise are scaled alike, so no answer changes.",
            lambda gap, noise, raised: gap == noise and noise > 0.6,
        ),
        cases={
            "gap 0.5, noise 0.5": {"gap": 0.5, "noise": 0.5},
            "gap 1, noise 1": {"gap": 1.0, "noise": 1.0},
            "gap 2, noise 2": {"gap": 2.0, "noise": 2.0},
            "1 added to both": {"gap": 0.5, "noise": 0.5, "raised": True},
            "more noise alone": {"gap": 0.5, "noise": 3.0},
        },
        figsize=(8.5, 3.6),
        gap=slider("gap, f(B) − f(A)", -3.0, 3.0, 0.5, 0.25),
        noise=slider("noise of one judgement", 0.25, 3.0, 0.5, 0.25),
        raised=switch("add 1 to both utilities"),
    )


def _draw_gap(figure, gap, noise, raised):
    panels = figure.add_gridspec(2, 2, height_ratios=(6, 1), hspace=0.45, wspace=0.25, bottom=0.02)
    left, right, row = (figure.add_subplot(panels[place]) for place in [(0, 0), (0, 1), (1, slice(None))])
    utilities = np.array([-gap / 2, gap / 2]) + (1.0 if raised else 0.0)
    chance, for_b = gap_choices(gap, noise)
    plots.draw_utilities(utilities, noise, left)
    left.set(xlim=(-8, 8), ylim=(0, 1.65))  # the height of the least noise, 0.25; the right half is lower by √2
    plots.draw_difference(gap, np.sqrt(2) * noise, right)
    right.set(xlim=(-10.5, 10.5), ylim=(0, 1.17), xticks=range(-10, 11, 5))
    for ax in (left, right):
        ax.legend(fontsize=8, loc="upper left")
    plots.draw_choices(for_b, row)
    return (
        f"Utilities: A {utilities[0]:g}, B {utilities[1]:g}; the gap is {gap:g}. One judgement has the noise "
        f"{noise:g}, their difference {np.sqrt(2) * noise:.2f}. P(B beats A) = {chance:.3f}; of {N_CHOICES} choices "
        f"{for_b.sum()} are for B."
    )


# --- one person's middle grey -----------------------------------------------------------------------


def explore_greys():
    """Which of two greys is nearer to the middle between black and white? f and its band after every answer."""
    yours = []

    def draw(figure, who, noise, seen):
        person = simulated_person(round(noise, 2))
        return _draw_greys(figure, who, noise, _answers(yours, person, who, seen))

    return Explorer(
        draw,
        predict=(
            "Two people have the same middle grey; one answers with six times the noise of the other, but the model "
            "is not told. After 30 answers from each, how do the curve and the band of the noisy person differ?",
            ["a flatter curve, a wider band", "a flatter curve, a narrower band", "the same curve, a wider band"],
        ),
        feedback=PredictionFeedback(
            "a flatter curve, a narrower band",
            "it rises by 2.9 instead of 6.7, and the band's half-width is 0.7, not 1.2. Only f/σ can be learned, "
            "and answers near a tie are the most informative.",
            lambda who, noise, seen: who == SIMULATED_JUDGE and seen == N_ASKED and noise > 2.9,
        ),
        cases={
            "nothing asked yet": {"who": SIMULATED_JUDGE, "seen": 0},
            "10 answers, noise 0.5": {"who": SIMULATED_JUDGE, "seen": 10, "noise": 0.5},
            "30 answers, noise 0.5": {"who": SIMULATED_JUDGE, "seen": 30, "noise": 0.5},
            "30 answers, noise 3": {"who": SIMULATED_JUDGE, "seen": 30, "noise": 3.0},
        },
        actions={"A": lambda e: _press(yours, e, -1), "B": lambda e: _press(yours, e, 1)},
        figsize=(8.5, 3.4),
        who=choice("who answers", WHO),
        noise=slider("noise of the person", 0.0, 3.0, 0.5, 0.25),
        seen=slider("answers so far", 0, N_ASKED, 0),
    )


def _draw_greys(figure, who, noise, answers):
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.25))
    figure.subplots_adjust(wspace=0.22)
    k, learned = len(answers), learn_greys(answers)
    best = GREY_STEPS[learned.best.argmax()]
    shown, names = (GREY_STEPS[grey_questions()[k]], "AB") if k < N_ASKED else ([best], [str(best)])
    plots.draw_patches([0, *shown, 255], 190, left, names=["black", *names, "white"])
    draw_band(GREY_GRID, learned.mean, learned.std, right, label="f, mean 0", band="90 %")
    right.plot(GREY_STEPS, np.full(len(GREY_STEPS), -7.6), color=GREY, marker="|", linestyle="")
    right.set(xlabel="grey level (0 to 255)", ylabel="f (units of σ)", xlim=(24, 232), ylim=(-8, 8))
    right.legend(fontsize=8, loc="upper right", ncols=2)
    return _greys_sentence(who, noise, answers, learned)


def _greys_sentence(who, noise, answers, learned):
    k = len(answers)
    simulated = f"A simulated person answers, with noise {noise:g} and middle {TRUE_MIDDLE:g}"
    person = "You answer" if who == YOU else simulated
    asked = f"Question {k + 1}: which is nearer to the middle between black and white, A or B?" if k < N_ASKED else ""
    if not k:
        ends = learned.best[[0, -1]].sum()
        return (
            f"{person}. {asked} No answer yet: this is the prior. Of the nine greys one of the two ends is highest "
            f"with probability {ends:.1f}. The band is narrow in the middle because the curve's mean is subtracted."
        )
    a, b = GREY_STEPS[grey_questions()[k - 1]]
    last = f"Last: {a} against {b}, answer {'B' if answers[-1] > 0 else 'A'}."
    top = int(learned.best.argmax())
    return (
        f"{person}. Answers so far: {k}. {last} The curve peaks at {learned.middle:g} and rises by "
        f"{learned.height:.1f}; the band's mean half-width is {HALF_BAND * learned.std.mean():.1f}. Of the nine "
        f"greys {GREY_STEPS[top]} is nearest with probability {learned.best[top]:.2f}. {asked}"
    ).rstrip()


# --- what a student works out -----------------------------------------------------------------------


def check_choice(my_chance, my_other, gap, noise_std):
    """Feedback on two probabilities of a choice of b, under two meanings of σ, as one sentence.

    my_chance : where σ is the noise of one judgement;  my_other : where it is that of the difference
    gap : f(b) − f(a);  noise_std : σ
    """
    gap, noise = validation.finite(gap, "gap"), validation.positive(noise_std, "noise_std")
    both, one = gap / (np.sqrt(2) * noise), gap / noise
    turned, second = ndtr([one, both]), Near((None, ndtr(one)), 0.003, 0)
    rules = {
        "✓ Both are right.": ndtr([both, one]),
        "✗ You have them the other way round: with a noise on each side the difference is the noisier one.": turned,
        "✗ These are the probabilities of a.": ndtr([-both, -one]),
        "✗ The first: one of the two noises is forgotten. Both items are judged.": Near(ndtr([one, one]), 0.003, 0),
        "✗ The first: variances add, not standard deviations.": Near(ndtr([gap / (2 * noise), one]), 0.003, 0),
        "✗ The second is right. The first: what variance has the difference of two independent noises?": second,
        "✗ The second: one noise ε with standard deviation σ, and b if gap + ε > 0.": None,
    }
    return reply("write both probabilities.", rules, atol=0.003, my_chance=my_chance, my_other=my_other)


def check_next_choice(my_chance, means, covariance, noise_std):
    """Feedback on a probability that the next choice is b, under a Gaussian belief, as one sentence.

    means : (2,) of a and b;  covariance : (2, 2) of f_a and f_b;  noise_std : σ of one judgement
    """
    gap = float(np.diff(validation.matrix(means, "means", (2,)))[0])
    (a, shared), (_, b) = validation.matrix(covariance, "covariance", (2, 2))
    if min(a, b) <= 0 or shared**2 > a * b:
        raise ValueError(f"covariance is {[[a, shared], [shared, b]]}; |Σ_ab| can be at most √(Σ_aa Σ_bb).")
    noise = 2 * validation.positive(noise_std, "noise_std") ** 2
    looks_like = {
        "✓ Right.": noise + a + b - 2 * shared,
        "✗ The covariance is forgotten: what both share cancels in the difference.": noise + a + b,
        "✗ The noise is forgotten. This is P(b *is* better), not that b is chosen.": a + b - 2 * shared,
        "✗ One of the two judgements is without noise.": noise / 2 + a + b - 2 * shared,
        "✗ The covariance goes in twice, with a minus: −2Σ_ab.": noise + a + b - shared,
        "✗ The variance of a difference has −2Σ_ab; with + it is that of a sum.": noise + a + b + 2 * shared,
        "✗ The uncertainty of the values is forgotten, as if both were known.": noise,
    }
    with np.errstate(divide="ignore", invalid="ignore"):  # without noise, two values may differ by a known amount
        rules = {sentence: ndtr(gap / np.sqrt(variance)) for sentence, variance in looks_like.items()}
    rules |= {
        "✗ This is the probability of a.": ndtr(-gap / np.sqrt(looks_like["✓ Right."])),
        "✗ Not yet: Φ of the mean of the difference, divided by the root of its total variance.": None,
    }
    return reply("write a probability.", rules, atol=0.002, rtol=0, my_chance=my_chance)


def check_tie(my_a, my_tie, my_b, z, threshold):
    """Feedback on the three probabilities of a choice that may be a tie, as one sentence.

    z, threshold : the difference, and δ, both in units of √2 σ
    """
    z, delta = validation.finite(z, "z"), validation.positive(threshold, "threshold")
    if any(value is None for value in (my_a, my_tie, my_b)):
        return "○ Nothing to check yet: write all three."
    mine = [validation.finite(value, name) for value, name in ((my_a, "my_a"), (my_tie, "my_tie"), (my_b, "my_b"))]
    a, b = ndtr(-z - delta), ndtr(z - delta)
    right = [a, 1 - a - b, b]
    if np.allclose(mine, right, atol=0.003):
        return "✓ All three are right."
    if np.allclose(mine, right[::-1], atol=0.003):
        return "✗ a and b are exchanged: a positive difference speaks for b."
    if abs(sum(mine) - 1) > 0.005:
        return f"✗ They sum to {sum(mine):.3f}. One of the three answers must be given."
    if np.allclose([mine[0], mine[2]], ndtr([-z, z]), atol=0.003):
        return "✗ These leave no room for a tie: b is said only if z + ε is above δ."
    if np.allclose([mine[0], mine[2]], ndtr([-z + delta, z + delta]), atol=0.003):
        return "✗ δ makes a choice harder on both sides: Φ(z − δ), not Φ(z + δ)."
    if abs(mine[2] - b) < 0.003:
        return "✗ b is right. a: z + ε must be below −δ."
    return "✗ Not yet. b: how much of ε lies above δ − z? a: below −δ − z? What is left is the tie."
