"""Reference of task 1, combine_raters."""

import numpy as np

SEED = 901


def answer(Y, noise_std):
    """Each item as a regression on a constant, rows divided by their noise."""
    means, stds = [], []
    for row in Y:
        given = ~np.isnan(row)
        design, white = 1 / noise_std[given], row[given] / noise_std[given]
        means.append(np.linalg.lstsq(design[:, None], white, rcond=None)[0][0])
        stds.append(1 / np.linalg.norm(design))
    return np.array(means), np.array(stds)


def way(Y, noise_std):
    """The sums of the first item."""
    given = ~np.isnan(Y[0])
    precisions = 1 / noise_std[given] ** 2
    yield "the precisions of the first item's answers", precisions
    yield "their sum", float(precisions.sum())
    yield "the sum of y/σ² of the first item", float(precisions @ Y[0][given])
