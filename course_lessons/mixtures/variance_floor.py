"""A mixture of too many components for too few frames, and the floor that keeps their variances up.

Lecture: 03, sections 1 and 5.
"""

import warnings
from functools import cache

import numpy as np
import pandas as pd

from course_lib import datasets
from course_lib.sequences.mixture import GaussianMixture, Mixture


@cache
def frames_of_six(coefficients):
    """(training, development) frames (N, C): some coefficients of “six” by theo, takes 0 … 34 and 35 … 49."""
    digits = datasets.load_spoken_digits()
    six = digits.select((digits.labels == 6) & (digits.speakers == "theo"))
    parts = (six.takes < 35, six.takes >= 35)
    return tuple(np.concatenate(six.select(part).sequences)[:, list(coefficients)] for part in parts)


@cache
def fitted_with_floor(components, floor, amount):
    """One-dimensional mixture with σ_k ≥ floor, begun with equal slices of the sorted frames, and how it does.

    amount : training frames evenly chosen, None for all
    Returns (training frames (N, 1), GaussianMixture, its mean log density on them, and on the held-out frames).
    """
    X, held_out = frames_of_six((1,))
    X = X if amount is None else X[np.linspace(0, len(X) - 1, amount).astype(int)]
    slices = np.array_split(np.sort(X, axis=0), components)
    start = Mixture(
        np.array([len(s) / len(X) for s in slices]),
        np.array([s.mean(axis=0) for s in slices]),
        np.array([s.var(axis=0) + floor**2 for s in slices]),
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "min_variance holds")  # every component at its floor is one of the cases
        model = GaussianMixture(components, "diag", init=start, min_variance=floor**2).fit(X)
    return X, model, model.score(X), model.score(held_out)


def compare_cures(cures, start, X, held_out):
    """EM from one start with different options {name: dict}: a table of its log likelihoods and its last σ.

    X, held_out : (N, 1) frames;  start : Mixture. A row is NaN where a component collapses.
    """
    rows = {}
    for name, options in cures.items():
        try:
            model = GaussianMixture(len(start.weights), "diag", init=start, **options).fit(X)
            last = model.covariances_[-1, 0] ** 0.5
            rows[name] = [round(model.score_samples(X).sum(), 2), round(model.score(held_out), 4), round(last, 3)]
        except ValueError as error:
            if "collapsed" not in str(error):
                raise
            rows[name] = [np.nan, np.nan, np.nan]
    return pd.DataFrame.from_dict(rows, "index", columns=["log likelihood", "held out, per frame", "last σ"])
