"""Explorers of lecture 10: marks against comparisons, a gap against its noise, and one person's greys.

Lecture: 10.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from course_lib.gp import SquaredExponential
from course_lib.gp.sites import symmetric_root
from course_lib.judgments import PreferenceGP
from course_lib.plots import preference as plots
from course_lib.plots.shared import draw_band
from course_lib.plots.style import GREY
from course_lib.widgets.explore import Explorer, choice, slider, switch

WHO = ("you", "a simulated person")
YOU, SIMULATED = WHO


def _given(seen, who, yours, recorded):
    """The first answers, as many as the slider says, or as there are."""
    return tuple((yours if who == YOU else recorded)[:seen])


def _answer(yours, total):
    """A function of an answer that makes a button: it adds yours, or lets the simulated person give the next."""

    def give(explorer, answer):
        who, seen = explorer.settings["who"].value, explorer.settings["seen"].value
        if who == YOU:
            del yours[min(seen, len(yours)) :]  # whoever goes back may answer anew
            if answer is None or len(yours) == total:
                return
            yours.append(answer)
            seen = len(yours) - 1
        explorer.set(seen=min(seen + 1, total))

    return give


# --- marks and comparisons --------------------------------------------------------------------------

LEVELS = np.array([92, 106, 120, 134, 148])
MARKED = np.array([2, 0, 4, 1, 3, 1, 4, 2, 0, 3])  # the grey of each mark: all five, and all five again
COMPARED = np.array([(0, 2), (4, 3), (1, 0), (2, 4), (3, 0), (2, 1), (4, 1), (3, 2), (0, 4), (1, 3)])
SURROUNDS = (25, 235)
N_MARKS, N_QUESTIONS = len(MARKED), len(MARKED) + len(COMPARED)


class Judged(NamedTuple):
    """Marks (5,) of the first and of the second round, by rising grey level, and how many orders are right.

    from_marks : of the 20 pairs of one grey marked in the first round and another in the second
    compared : of the comparisons so far

    Lecture: 10, section 1.
    """

    first: np.ndarray
    second: np.ndarray
    from_marks: int
    compared: int


@cache
def simulated_judge(seed=1, drift=11.0, noise_std=4.0, slope=0.6):
    """Answers of a judge made up for the lecture: ten marks, then ten comparisons ±1 (+1: b is brighter); a tuple.

    A mark is 50 + slope · (level − 120) − r + noise, rounded. The inner reference r follows the surround: it is
    −drift on the dark one of the first round, +drift on the bright one of the second. A comparison has one r for both.

    Lecture: 10, section 1.
    """
    rng = np.random.default_rng(seed)
    bright = 50 + slope * (LEVELS - 120)
    reference = np.repeat([-drift, drift], N_MARKS // 2)
    marks = np.round(bright[MARKED] - reference + noise_std * rng.normal(size=N_MARKS))
    a, b = (bright[items] + noise_std * rng.normal(size=len(COMPARED)) for items in COMPARED.T)
    return tuple(np.clip(marks, 0, 100).astype(int).tolist()) + tuple(np.where(b > a, 1, -1).tolist())


def judged(answers):
    """What all marks, and the comparisons so far, say: Judged.

    Parameters
    ----------
    answers : ten marks, then up to ten comparisons

    Lecture: 10, section 1.
    """
    marks = np.array(answers[:N_MARKS], dtype=float)
    first, second = (marks[half][np.argsort(MARKED[half])] for half in (slice(0, 5), slice(5, 10)))
    i, j = np.nonzero(~np.eye(5, dtype=bool))
    right = (second[j] - first[i]) * (LEVELS[j] - LEVELS[i]) > 0
    choices = np.array(answers[N_MARKS:])
    a, b = LEVELS[COMPARED[: len(choices)]].T
    return Judged(first, second, int(right.sum()), int((choices * (b - a) > 0).sum()))


def explore_marks():
    """Five greys, marked twice from 0 to 100 and then compared in pairs: by you, or by a simulated judge.

    Lecture: 10, section 1.
    """
    yours = []
    give = _answer(yours, N_QUESTIONS)

    def compare(answer):
        return lambda e: give(e, answer if len(yours[: e.settings["seen"].value]) >= N_MARKS else None)

    def keep(e):
        marking = len(yours[: e.settings["seen"].value]) < N_MARKS
        give(e, int(e.settings["mark"].value) if marking else None)

    def draw(figure, mark, who, seen):
        return _draw_marks(figure, mark, who, _given(seen, who, yours, simulated_judge()))

    return Explorer(
        draw,
        predict=(
            "You mark ten grey patches from 0 (black) to 100 (white). Then you compare ten pairs of patches. Which "
            "will put more pairs in the right order?",
            ["my marks", "my comparisons", "both alike"],
        ),
        cases={
            "a simulated judge, 5 marks": {"who": SIMULATED, "seen": 5},
            "the judge's ten marks": {"who": SIMULATED, "seen": 10},
            "and ten comparisons": {"who": SIMULATED, "seen": N_QUESTIONS},
        },
        actions={"Keep this mark": keep, "A is brighter": compare(-1), "B is brighter": compare(1)},
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
        plots.draw_patches([LEVELS[MARKED[k]]], SURROUNDS[k // 5], left)
    elif k < N_QUESTIONS:
        plots.draw_patches(LEVELS[COMPARED[k - N_MARKS]], SURROUNDS[k % 2], left, names="AB")
    else:
        plots.draw_patches(LEVELS, 128, left)
    if k < N_MARKS:
        right.axis("off")  # nobody shall see before the tenth mark that each grey comes twice
    else:
        first, second = judged(answers)[:2]
        plots.draw_two_marks(first, second, right, label="one grey, marked twice")
        right.set(xlabel="first mark, dark frame (points)", ylabel="second mark, bright frame (points)")
        right.legend(fontsize=8, loc="lower right")
    return _marks_sentence(mark, who, answers)


def _marks_sentence(mark, who, answers):
    k, name = len(answers), "Your" if who == YOU else "The simulated judge's"
    if k < N_MARKS:
        ask = f"the slider is at {mark}." if who == YOU else "a simulated judge answers (press any answer button)."
        last = f" {name} last mark: {answers[-1]}." if k else ""
        return f"Mark {k + 1} of {N_MARKS}: how bright is this grey? Now {ask}{last}"
    found = judged(answers)
    apart = found.second - found.first
    marks = (
        f"There were five greys only, each marked twice: first in a dark frame, then in a bright one. {name} marks of "
        f"the same grey differ by {np.sqrt(np.mean(apart**2)):.0f} points (root mean square; second minus first "
        f"{', '.join(f'{value:+.0f}' for value in apart)}). A grey in the dark frame against another in the bright "
        f"one: their marks have the right order in {found.from_marks} of 20 pairs."
    )
    if k < N_QUESTIONS:
        return f"{marks} Comparison {k - N_MARKS + 1} of {len(COMPARED)}: which is brighter, A or B?"
    return f"{marks} Compared side by side: right in {found.compared} of {len(COMPARED)}."


# --- a gap and its noise ----------------------------------------------------------------------------

N_CHOICES = 20


@cache
def moods():
    """(20,) standard Gaussian draws: the noise of 20 differences, the same for every gap and noise.

    Lecture: 10, section 5.
    """
    return np.random.default_rng(8).normal(size=N_CHOICES)


def gap_choices(gap, noise_std):
    """(P(B beats A), (20,) whether B was chosen), for a gap f(B) − f(A) and judgements with this noise.

    Source: Nielsen (2015), eq. 2.51. Lecture: 10, section 5.
    """
    spread = np.sqrt(2.0) * noise_std
    return float(ndtr(gap / spread)), gap + spread * moods() > 0


def explore_gap():
    """Two utilities and the noise of judging them: what a choice shows of each.

    Lecture: 10, section 5.
    """
    return Explorer(
        _draw_gap,
        predict=(
            "Gap 0.5, noise 0.5. Double both: what happens to the probability that B beats A, and to the 20 choices?",
            ["it rises: more choices of B", "it falls: fewer choices of B", "it stays, other choices", "all stay"],
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
        noise=slider("noise σ of one judgement", 0.25, 3.0, 0.5, 0.25),
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

STEPS = np.arange(32, 225, 24)  # nine greys
N_ASKED = 30
CENTRE, UNIT = 128.0, 32.0  # of the model's input: (level − 128)/32
GRID = np.linspace(24, 232, 105)
TRUE_MIDDLE = 122.0  # between two of the nine, and nearer to one


@cache
def grey_questions():
    """(30, 2) pairs of the nine greys, in the order in which they are asked.

    Lecture: 10, section 5.
    """
    rng = np.random.default_rng(2)
    a = rng.integers(len(STEPS), size=N_ASKED)
    return np.column_stack([a, (a + rng.integers(1, len(STEPS), size=N_ASKED)) % len(STEPS)])


def true_greyness(level):
    """f of the simulated person: 2 at their middle grey, 122, and falling with the distance from it on both sides.

    Lecture: 10, section 5.
    """
    return 2.0 - ((np.asarray(level, dtype=float) - TRUE_MIDDLE) / 45.0) ** 2


@cache
def simulated_person(noise_std):
    """(30,) answers ±1 to `grey_questions` of a person whose judgements have this noise: a tuple.

    Lecture: 10, section 5.
    """
    a, b = STEPS[grey_questions()].T
    draws = np.random.default_rng(5).normal(size=N_ASKED)
    answers = true_greyness(b) - true_greyness(a) + np.sqrt(2.0) * noise_std * draws
    return tuple(np.where(answers > 0, 1, -1).tolist())


class Learned(NamedTuple):
    """What the answers teach: mean and standard deviation of f less its mean over GRID, (105,) each; for each of the
    nine greys the probability that it is the best of them, (9,).

    Lecture: 10, section 5.
    """

    mean: np.ndarray
    std: np.ndarray
    best: np.ndarray

    @property
    def middle(self):
        """The level at which the mean is highest. Lecture: 10, section 5."""
        return float(GRID[self.mean.argmax()])

    @property
    def height(self):
        """How much the mean rises from the lowest to the highest level. Lecture: 10, section 5."""
        return float(np.ptp(self.mean))


@cache
def learn_greys(answers):
    """Learned from the first answers (±1) to `grey_questions`; noise σ = 1, kernel fixed.

    The level of f, which no comparison shows, is taken away: its mean over the grid is 0.

    Lecture: 10, section 5.
    """
    kernel = SquaredExponential(variance=9.0, lengthscale=2.0)
    grid = (GRID[:, None] - CENTRE) / UNIT
    centre = np.eye(len(GRID)) - 1.0 / len(GRID)
    if answers:
        items = (STEPS[:, None] - CENTRE) / UNIT
        model = PreferenceGP(kernel, noise_std=1.0, optimize=False)
        model.fit(items, grey_questions()[: len(answers)], np.array(answers, dtype=float))
        mean, cov = model.predict_latent(grid, return_cov=True)
        best = model.ranking(items, size=20_000, rng=0).best
    else:
        mean, cov, best = np.zeros(len(GRID)), kernel(grid), _best_by_the_prior(kernel)
    variance = np.diag(centre @ cov @ centre)
    return Learned(centre @ mean, np.sqrt(np.maximum(variance, 0.0)), best)


def _best_by_the_prior(kernel, size=20_000):
    """(9,) share of functions drawn from the prior whose largest of the nine values is at this grey."""
    root = symmetric_root(kernel((STEPS[:, None] - CENTRE) / UNIT))
    drawn = root @ np.random.default_rng(0).normal(size=(len(STEPS), size))
    return np.bincount(drawn.argmax(axis=0), minlength=len(STEPS)) / size


def explore_greys():
    """Which of two greys is nearer to the middle between black and white? f and its band after every answer.

    Lecture: 10, section 5.
    """
    yours = []
    give = _answer(yours, N_ASKED)

    def draw(figure, who, noise, seen):
        return _draw_greys(figure, who, noise, _given(seen, who, yours, simulated_person(round(noise, 2))))

    return Explorer(
        draw,
        predict=(
            "Two people have the same middle grey; one answers with six times the noise of the other, and the model "
            "does not know it. After 30 answers of each: how do curve and band of the noisy one differ?",
            ["a flatter curve, a wider band", "a flatter curve, a narrower band", "the same curve, a wider band"],
        ),
        cases={
            "nothing asked yet": {"who": SIMULATED, "seen": 0},
            "10 answers, noise 0.5": {"who": SIMULATED, "seen": 10, "noise": 0.5},
            "30 answers, noise 0.5": {"who": SIMULATED, "seen": 30, "noise": 0.5},
            "30 answers, noise 3": {"who": SIMULATED, "seen": 30, "noise": 3.0},
        },
        actions={"A": lambda e: give(e, -1), "B": lambda e: give(e, 1)},
        figsize=(8.5, 3.4),
        who=choice("who answers", WHO),
        noise=slider("noise of the simulated person", 0.0, 3.0, 0.5, 0.25),
        seen=slider("answers so far", 0, N_ASKED, 0),
    )


def _draw_greys(figure, who, noise, answers):
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.25))
    figure.subplots_adjust(wspace=0.22)
    k, learned = len(answers), learn_greys(answers)
    best = STEPS[learned.best.argmax()]
    shown, names = (STEPS[grey_questions()[k]], "AB") if k < N_ASKED else ([best], [str(best)])
    plots.draw_patches([0, *shown, 255], 190, left, names=["black", *names, "white"])
    draw_band(GRID, learned.mean, learned.std, right, label="f, mean 0", band="90 %")
    right.plot(STEPS, np.full(len(STEPS), -7.6), color=GREY, marker="|", linestyle="")
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
            f"with probability {ends:.1f}. The waist of the band is no knowledge: the curve's mean is taken away."
        )
    a, b = STEPS[grey_questions()[k - 1]]
    last = f"Last: {a} against {b}, answer {'B' if answers[-1] > 0 else 'A'}."
    top = int(learned.best.argmax())
    return (
        f"{person}. Answers so far: {k}. {last} The curve is highest at level {learned.middle:g} and rises by "
        f"{learned.height:.1f}; the band is ±{1.645 * learned.std.mean():.1f} wide on average. Of the nine greys "
        f"{STEPS[top]} is the nearest with probability {learned.best[top]:.2f}. {asked}"
    ).rstrip()
