"""Task 1, choice_probability(mean, variance, lapse)."""

import math

import numpy as np
from scipy.special import expit, ndtr
from scipy.stats import norm

from .moments import hermite_nodes


def probability(spread=lambda v: np.sqrt(1 + v), link=ndtr, lapses=lambda p, lapse: lapse / 2 + (1 - lapse) * p):
    """An answer with another divisor of the mean, another link, or another way of lapsing."""
    return lambda mean, variance, lapse: lapses(link(mean / spread(variance)), lapse)


right_answer = probability()


def averaged(link):
    """The average of a link over the latent number, by quadrature; then lapses."""

    def answer(mean, variance, lapse):
        g, weights = hermite_nodes(mean, variance, 200)
        return lapse / 2 + (1 - lapse) * link(g) @ weights

    return answer


def means_only(mean, variance, lapse):
    return right_answer(mean.mean(), variance.mean(), lapse)


def first_only(mean, variance, lapse):
    return right_answer(mean[0], variance[0], lapse)


def simulated(mean, variance, lapse):
    rng = np.random.default_rng(6)
    g = mean + np.sqrt(variance) * rng.normal(size=(20_000, len(mean)))
    return lapse / 2 + (1 - lapse) * ndtr(g).mean(axis=0)


def decided(mean, variance, lapse):
    return lapse / 2 + (1 - lapse) * (mean > 0)


def lapses_in_the_mean(mean, variance, lapse):
    return ndtr((1 - lapse) * mean / np.sqrt(1 + variance))


def lapses_in_the_variance(mean, variance, lapse):
    return ndtr(mean / np.sqrt(1 + variance + lapse))


MISTAKES = {
    "link of the mean": probability(lambda v: 1.0),
    "no 1": probability(np.sqrt),
    "std for variance": probability(lambda v: np.sqrt(1 + np.sqrt(v))),
    "variance squared": probability(lambda v: np.sqrt(1 + v**2)),
    "no root": probability(lambda v: 1 + v),
    "1 + std": probability(lambda v: 1 + np.sqrt(v)),
    "minus variance": probability(lambda v: np.sqrt(np.abs(1 - v) + 1e-12)),
    "divided by pi/8": probability(lambda v: np.sqrt(1 + np.pi * v / 8)),
    "logistic with pi/8": probability(lambda v: np.sqrt(1 + np.pi * v / 8), expit),
    "logistic of the mean": probability(lambda v: 1.0, expit),
    "logistic, averaged": averaged(expit),
    "logistic with 1 + v": probability(link=expit),
    "density": probability(link=norm.pdf),
    "no lapses": probability(lapses=lambda p, lapse: p),
    "a lapse is a minus": probability(lapses=lambda p, lapse: (1 - lapse) * p),
    "a lapse is a plus": probability(lapses=lambda p, lapse: lapse + (1 - lapse) * p),
    "half the lapses, all the rest": probability(lapses=lambda p, lapse: lapse / 2 + p),
    "1 - half": probability(lapses=lambda p, lapse: lapse / 2 + (1 - lapse / 2) * p),
    "exchanged": probability(lapses=lambda p, lapse: (1 - lapse) / 2 + lapse * p),
    "lapses in the mean": lapses_in_the_mean,
    "lapses in the variance": lapses_in_the_variance,
    "decided": decided,
    "simulated": simulated,
}

RULE_MISTAKES = {
    "minus": (lambda *given: 1 - right_answer(*given), "Which of the two answers is asked for?"),
    "log": (lambda *given: np.log(right_answer(*given)), "Probabilities, or their logarithms?"),
    "mean of the items": (means_only, "is needed"),
    "first item": (first_only, "is needed"),
}


def with_erf(mean, variance, lapse):
    answers = []
    for m, v in zip(mean, variance, strict=True):
        answers.append(0.5 + (1 - lapse) * 0.5 * math.erf(m / math.sqrt(2 * (1 + v))))
    return answers


def as_a_wider_normal(mean, variance, lapse):
    """P(g + ε > 0) for somebody who attends, ½ for somebody who does not."""
    attending = norm.sf(0, loc=mean, scale=np.sqrt(variance + 1))
    return np.average([np.full(len(mean), 0.5), attending], axis=0, weights=[lapse, 1 - lapse])


def without_averaging_of_chances(mean, variance, lapse):
    """From the chance of − instead."""
    return 1 - (lapse / 2 + (1 - lapse) * ndtr(-np.asarray(mean) / np.hypot(1, np.sqrt(variance))))


RIGHT = {
    "ndtr": right_answer,
    "quadrature": averaged(ndtr),
    "erf, lists": with_erf,
    "a wider normal": as_a_wider_normal,
    "from the chance of minus": without_averaging_of_chances,
}
