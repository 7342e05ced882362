"""Made panels on a sine: several people rate items, with a scatter of their own, and the curve is known.

Lecture: 08, section 4.
"""

import numpy as np

from course_lib import validation


def sine(x):
    """The value that the inputs explain, at x of any shape."""
    return 1.2 * np.sin(0.9 * validation.real_array(x, "x"))


def sine_panel(seed, items=10, raters=5, spread=1.0, own=0.0):
    """Items at random places between 0 and 10, and what everybody says of each.

    Parameters
    ----------
    seed : whole number, 0 or more
    items, raters : N, R ≥ 1
    spread : standard deviation σ of the answers to one item, ≥ 0
    own : standard deviation ω of what an item has of its own and all its raters notice, ≥ 0

    Returns
    -------
    (X, Y) : (N,) places, in order; (N, R) answers y_ir = sine(x_i) + u_i + ε_ir
    """
    items, raters = validation.whole(items, "items"), validation.whole(raters, "raters")
    spread, own = validation.not_negative(spread, "spread"), validation.not_negative(own, "own")
    rng = np.random.default_rng(validation.whole(seed, "seed", least=0))
    X = np.sort(rng.uniform(0, 10, items))
    values = sine(X)[:, None]
    if own > 0:
        values = values + own * rng.normal(size=(items, 1))
    return X, values + spread * rng.normal(size=(items, raters))
