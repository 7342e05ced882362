"""Raters whose noise is known, because it was made: when a second one hurts, and whom a model learns to listen to.

Lecture: 09, sections 1 and 5.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from course_lessons.unequal_raters.example import first_experiment
from course_lib.gp import GPRegression, SquaredExponential
from course_lib.judgments.panels.raters import RaterGP
from course_lib.judgments.simulated_raters import simulate_raters

FIRST_NOISE = 0.5
N_SIMULATED = 20_000
REGION_NAMES = ("left", "middle", "right")
MODEL_LABELS = ("AV: the mean", "MA: one noise per rater", "MANH: per rater and region")
RATER_NOISES = np.array([0.2, 0.4, 0.6])


def second_weights(second_noise):
    """Weight of rater 2, by rule; second_noise is σ₂, a number or an array."""
    one, two = np.square(FIRST_NOISE), np.square(second_noise)
    return {"rater 1 alone": 0 * two, "plain mean": 0.5 + 0 * two, "precision-weighted": one / (one + two)}


def error_variances(second_noise):
    """Variance of the error, by rule: (1 − w)² σ₁² + w² σ₂² with the weights w, for independent noises."""
    one, two = np.square(FIRST_NOISE), np.square(second_noise)
    return {rule: (1 - w) ** 2 * one + w**2 * two for rule, w in second_weights(second_noise).items()}


@cache
def two_raters():
    """(z (n,), noises (n, 2)) of N_SIMULATED items: true values on a ten-point scale, standard Gaussian noises."""
    rng = np.random.default_rng(4)
    return rng.uniform(2, 8, N_SIMULATED), rng.normal(size=(N_SIMULATED, 2))


def combined(second_noise, rule):
    """(answers (n, 2), estimates (n,)) of the items of `two_raters`, by "plain mean" or "precision-weighted"."""
    z, noises = two_raters()
    answers = z[:, None] + noises * [FIRST_NOISE, second_noise]
    weight = second_weights(second_noise)[rule]
    return answers, answers @ [1 - weight, weight]


class Listening(NamedTuple):
    """What a model made of the answers: its curve, the weight (3, 3) of each rater in each region, RMSE by region."""

    mean: np.ndarray
    std: np.ndarray
    weights: np.ndarray
    errors: np.ndarray

    @property
    def overall(self):
        """RMSE over all three regions, which are equally long."""
        return float(np.sqrt(np.mean(self.errors**2)))


@cache
def scene():
    """The first experiment's inputs, true curve and regions, whose answers the explorer replaces."""
    return first_experiment(1)


def true_noises(noise, part):
    """(3, 3) noise of each region (row) and rater: RATER_NOISES, except for rater 1 in one part, or in all three."""
    table = np.tile(RATER_NOISES, (3, 1))
    table[slice(None) if part == "everywhere" else REGION_NAMES.index(part), 0] = noise
    return table


@cache
def listen(noise, part, model):
    """(answers (60, 3), Listening) if rater 1 has this noise in this part; the draws behind them stay the same."""
    e = scene()
    Y = simulate_raters(e.z, true_noises(noise, part), 5, e.regions)
    kernel = SquaredExponential(0.25, 0.1)
    if model == MODEL_LABELS[0]:
        fitted, weights = GPRegression(kernel, noise_std=0.3).fit(e.X, Y.mean(axis=1)), np.full((3, 3), 1 / 3)
    else:
        fitted = RaterGP(kernel, regions=e.regions if model == MODEL_LABELS[2] else None).fit(e.X, Y)
        precision = np.broadcast_to(fitted.rater_std_, (3, 3)) ** -2.0
        weights = precision / precision.sum(axis=1, keepdims=True)
    mean, std = fitted.predict(e.X_test, return_std=True)
    squares = np.array_split((mean - e.z_test) ** 2, 3)
    return Y, Listening(mean, std, weights, np.sqrt([part.mean() for part in squares]))
