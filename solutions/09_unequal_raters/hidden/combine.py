"""Hidden cases of task 1, combine_raters."""

import numpy as np

from course_checks import Case


def least_squares(Y, noise_std):
    """Each item as a regression on a constant, rows divided by their noise."""
    means, stds = [], []
    for row in Y:
        given = ~np.isnan(row)
        design, white = 1 / noise_std[given], row[given] / noise_std[given]
        means.append(np.linalg.lstsq(design[:, None], white, rcond=None)[0][0])
        stds.append(1 / np.linalg.norm(design))
    return np.array(means), np.array(stds)


def table(rng, n, R):
    Y = rng.normal(5, 3, (n, R)).round(1)
    gone = rng.random((n, R)) < 0.4
    gone[np.arange(n), rng.integers(R, size=n)] = False
    return np.where(gone, np.nan, Y), rng.uniform(0.3, 3, R)


rng = np.random.default_rng(901)
inputs = [table(rng, n, R) for n, R in ((1, 3), (4, 2), (3, 5), (6, 4), (2, 7))]
CASES = [Case(f"random {k}", given, least_squares(*given)) for k, given in enumerate(inputs)]
