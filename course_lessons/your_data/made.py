"""Simulated listening tests: tables as they are collected, with known truth.

Lecture: 14, sections 5 and 7.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from course_lib import validation
from course_lib.gp import Beta, Probit
from course_lib.judgments.comparisons.likelihoods import Comparison
from course_lib.judgments.comparisons.pairs import random_pairs
from course_lib.judgments.simulated_raters import simulate_raters

N_CLIPS, N_LISTENERS, N_PAIRS = 12, 10, 80
DEGREE_PRECISION = 10.0  # of a degree: how little it strays from the probability that stands behind it


class Made(NamedTuple):
    """frame : long table;  items : a row for each item;  truth : the value of each item."""

    frame: pd.DataFrame
    items: pd.DataFrame
    truth: pd.Series


def made_ratings(rng=None, clips=N_CLIPS, listeners=N_LISTENERS, missing=0.15):
    """Marks of clips, as a long table with columns clip, listener, mark.

    Listeners' biases are drawn from N(0, 6²), their noises from 6 times a log-normal with spread ½. Reverb and
    kbps explain most of the clips' values, and the rest (spread 3) is a clip's own.

    clips, listeners : how many;  missing : fraction of marks that are missing
    """
    rng, R = validation.generator(rng), validation.integer(listeners, "listeners")
    items = _clips(validation.integer(clips, "clips", least=2), rng)
    value = 60 - 20 * np.square(items["reverb"] - 1) + 0.05 * (items["kbps"] - 192) + 3 * rng.normal(size=len(items))
    noise = 6 * np.exp(0.5 * rng.normal(size=R))
    Y = simulate_raters(value.to_numpy(), noise, rng, missing=missing) + 6 * rng.normal(size=R)
    wide = pd.DataFrame(Y.round(1), index=items.index, columns=[f"P{r + 1:02d}" for r in range(R)])
    long = wide.reset_index().melt("clip", var_name="listener", value_name="mark").dropna()
    return Made(long.sample(frac=1, random_state=0).reset_index(drop=True), items, value)


def made_choices(rng=None, clips=N_CLIPS, pairs=N_PAIRS):
    """Choices between clips of one listener: columns left, right, answer (the clip that was chosen)."""
    return _compared(rng, clips, pairs, Probit(), lambda y, a, b: np.where(y > 0, b, a))


def made_degrees(rng=None, clips=N_CLIPS, pairs=N_PAIRS, apart=1.0):
    """As made_choices, but the answer is a slider from 0 (wholly the left clip) to 100 (wholly the right one).

    apart : > 0, how many times as far apart the clips are; from 2 on many answers are at an end of the slider
    """
    apart = validation.positive(apart, "apart")
    return _compared(rng, clips, pairs, Beta(DEGREE_PRECISION), lambda y, a, b: (100 * y).round(1), apart)


def _compared(rng, clips, pairs, likelihood, said, apart=1.0):
    """Made, of answers to random pairs of clips; values are in units of the noise of one judgement."""
    rng = validation.generator(rng)
    items = _clips(validation.integer(clips, "clips", least=2), rng)
    value = 1 - 2 * np.square(items["reverb"] - 1) + 0.004 * (items["kbps"] - 192) + 0.2 * rng.normal(size=len(items))
    value = apart * value
    asked = random_pairs(len(items), validation.integer(pairs, "pairs"), rng)
    y = Comparison(likelihood, 1.0).sample(np.diff(value.to_numpy()[asked])[:, 0], rng)
    left, right = items.index[asked[:, 0]], items.index[asked[:, 1]]
    return Made(pd.DataFrame({"left": left, "right": right, "answer": said(y, left, right)}), items, value)


def _clips(n, rng):
    """DataFrame of n clips: reverb in seconds, kbps."""
    index = pd.Index([f"clip {k + 1:02d}" for k in range(n)], name="clip")
    return pd.DataFrame(
        {"reverb": rng.uniform(0.2, 2.0, n).round(2), "kbps": rng.choice([64.0, 128.0, 192.0, 320.0], n)}, index=index
    )
