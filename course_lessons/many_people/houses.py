"""Boston's houses, compared by their prices as in Paper C: one pseudo-input, or some of them.

Lecture: 11, sections 7 and 12.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from course_lib import datasets
from course_lib.gp import HalfStudentT, SquaredExponential
from course_lib.judgments import PreferenceGP, all_pairs, random_pairs

N_TRAIN, N_TEST, N_PAIRS = 150, 100, 1500
LEFT_OUT = ("at the river", "nitric", "access")  # as in Paper C
KERNEL = SquaredExponential(1.0, 3.0).with_priors(lengthscale=HalfStudentT(6.0, 4.0))


def _houses():
    """(X (506, 10), prices (506,)), X as it was measured."""
    houses = datasets.load_boston()
    used = [k for k, name in enumerate(houses.inputs) if not name.startswith(LEFT_OUT)]
    return houses.X[:, used], houses.y


def _preferred(prices, pairs):
    """(pairs, choices): the dearer house of each pair is preferred; pairs of equal prices are left out."""
    gap = np.diff(prices[pairs], axis=1)[:, 0]
    return pairs[gap != 0], np.sign(gap[gap != 0])


def _learned(X, asked, **inducing):
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):  # 25 rounds: the places still creep
        return PreferenceGP(KERNEL, rng=0, max_iter=25, **inducing).fit(X, *asked)


def through_one_place():
    """(X (506, 10) standardised, PreferenceGP of 1500 pairs that sees them through one pseudo-input)."""
    X, prices = _houses()
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    asked = _preferred(prices, random_pairs(506, N_PAIRS, 0))
    return X, _learned(X, asked, inducing=1, learn_inducing=True)


def errors_and_evidences(seed, numbers):
    """((2, S, 2), (2,)): error rate on pairs of new houses and log evidence, with S numbers of pseudo-inputs, and all.

    The first axis: pseudo-inputs stay at the centres of k-means, or are learned.
    """
    (raw, prices), rng = _houses(), np.random.default_rng(seed)
    train, test = np.split(rng.permutation(506)[: N_TRAIN + N_TEST], [N_TRAIN])
    X = (raw - raw[train].mean(axis=0)) / raw[train].std(axis=0)
    asked = _preferred(prices[train], random_pairs(N_TRAIN, N_PAIRS, rng))
    new, truth = _preferred(prices[test], all_pairs(N_TEST))

    def score(**inducing):
        model = _learned(X[train], asked, **inducing)
        return np.mean(np.sign(model.predict_difference(X[test], new)[0]) != truth), model.log_evidence_

    sparse = [[score(inducing=M, learn_inducing=learn) for M in numbers] for learn in (False, True)]
    return np.array(sparse), np.array(score())
