"""Made panels on a sine: several people rate items, with a scatter of their own, and the curve is known.

Lecture: 08, section 4.
"""

import numpy as np

from course_lib import validation


def sine(x):
    """The value that the inputs explain, at x of any shape."""
    return 1.2 * np.sin(0.9 * validation.real_array(x, "x"))


def sine_panel(seed, items=10, raters=5, spread=1.0, own=0.0):
    """Items at random places in 0 … 10, in order (N,), and answers y_ir = sine(x_i) + u_i + ε_ir (N, R): (X, Y).

    spread : standard deviation σ ≥ 0 of the answers to one item
    own : standard deviation ω ≥ 0 of u, what an item has of its own and all its raters notice
    """
    items, raters = validation.whole(items, "items"), validation.whole(raters, "raters")
    spread, own = validation.not_negative(spread, "spread"), validation.not_negative(own, "own")
    rng = np.random.default_rng(validation.whole(seed, "seed", least=0))
    X = np.sort(rng.uniform(0, 10, items))
    values = sine(X)[:, None]
    if own > 0:
        values = values + own * rng.normal(size=(items, 1))
    return X, values + spread * rng.normal(size=(items, raters))
