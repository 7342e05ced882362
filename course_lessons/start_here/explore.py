"""The opening of the course: a listener compares sounds, and a model learns which one they like best.

Lecture: 00.
"""

from functools import cache

import numpy as np

from course_lib.judgments.asking.listeners import Listener
from course_personaliser import Personalizer
from course_widgets.controls import slider
from course_widgets.drawings import draw_band
from course_widgets.frame import Explorer
from course_widgets.style import GREY, ORANGE, VERMILION

MOST_TREBLE = 12  # dB, more or less
LIKED = 5.0  # dB, by the simulated listener
FEWEST, COMPARISONS = 2, 20
TREBLE = np.linspace(-MOST_TREBLE, MOST_TREBLE, 97)[:, None]


@cache
def beliefs():
    """After each comparison: mean and standard deviation at TREBLE, pairs (n, 2), the best setting and its range."""
    personalizer = Personalizer([(-MOST_TREBLE, MOST_TREBLE)], response="degree", rng=1)
    listener = Listener(personalizer.space.to_unit([[LIKED]])[0], width=0.1, rng=1)
    after = []
    for _ in range(COMPARISONS):
        a, b = personalizer.space.to_unit(np.array(personalizer.propose()))
        personalizer.answer(listener.judge(a, b))
        pairs = personalizer.pairs_.reshape(-1, 2)
        after.append((*personalizer.predict(TREBLE), pairs, personalizer.best_[0], personalizer.best_range()[0]))
    return after


def explore_listener():
    """Comparison after comparison, what a model believes that a simulated listener likes."""
    return Explorer(_draw_belief, figsize=(7, 3), compared=slider("comparisons answered", FEWEST, COMPARISONS, FEWEST))


def _draw_belief(figure, compared):
    mean, std, pairs, best, (low, high) = beliefs()[compared - 1]
    ax = figure.add_subplot()
    draw_band(TREBLE[:, 0], mean - mean.max(), std, ax, label="posterior of the model")
    ax.axvspan(low, high, color=ORANGE, alpha=0.15, linewidth=0)
    ax.axvline(best, color=ORANGE, linestyle="--", label="best, by the model")
    ax.axvline(LIKED, color=VERMILION, linestyle=":", label="best for this listener")
    ax.plot(pairs.T, np.full(pairs.T.shape, -7.4), color=GREY, marker="|", markersize=9, linewidth=0.6, linestyle="-")
    ax.set(
        xlim=(-MOST_TREBLE, MOST_TREBLE), ylim=(-8, 6), yticks=[], xlabel="treble (dB)", ylabel="how much it is liked"
    )
    ax.legend(loc="upper left", fontsize=9)
    return (
        f"After {compared} comparisons (grey lines) the model's estimate of the best treble is {best:+.1f} dB, with a "
        f"90 % interval from {low:+.1f} to {high:+.1f} dB. The listener's favourite is {LIKED:+.1f} dB."
    ).replace("-", "−")
