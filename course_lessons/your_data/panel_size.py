"""What a panel of so many raters knows of a dozen items, where spreads and noises are known and nothing is learned.

Lecture: 14, section 6.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from course_lib.gp import Fixed, SquaredExponential
from course_lib.judgments.panels.raters import RaterGP
from course_lib.judgments.simulated_raters import simulate_raters

N_ITEMS = 12
BIAS = 0.5
TINY_LENGTHSCALE = 0.1  # a lengthscale far below the distance of any two items: inputs predict nothing


class SizedPanel(NamedTuple):
    """truth, mean, low, high (12,): values above the mean item, and their 90 % intervals; reach: of a contrast, ±."""

    truth: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    reach: float


@cache
def sized_panel(raters, noise, missing=0.0, seed=4):
    """Twelve items, values from N(0, 1), biases from N(0, ½²), rated by so many; what is known of them afterwards.

    missing : share of the answers that are not given;  seed : the same panel with more raters keeps its items
    """
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=N_ITEMS)
    bias = BIAS * rng.normal(size=raters)
    Y = simulate_raters(truth, np.full(raters, noise), rng, missing=missing) + bias
    model = RaterGP(
        SquaredExponential(1.0, TINY_LENGTHSCALE), noise_std=noise, noise_floor=0.0, bias_std=BIAS, bias_prior=Fixed(),
        optimize=False,
    ).fit(np.eye(N_ITEMS), Y)  # fmt: skip
    low, high = model.consensus_interval(0.9, centred=True)
    pairs = np.stack(np.triu_indices(N_ITEMS, k=1), axis=1)
    ends = model.difference_interval(model.items_, pairs, 0.9)
    return SizedPanel(truth - truth.mean(), (low + high) / 2, low, high, float(np.mean(ends[1] - ends[0]) / 2))
