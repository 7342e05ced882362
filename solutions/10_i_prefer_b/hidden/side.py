"""Hidden cases of task 4, side_bias."""

import numpy as np
from scipy.optimize import brentq

from course_checks import Case
from course_lib.gp import Probit
from course_lib.judgments import Comparison


def root(gap, y, noise_std):
    """The root of the library's slope, between two biases that are too small and too large."""
    choice = Comparison(Probit(), noise_std)

    def slopes(bias, order):
        return choice.derivatives(np.asarray(y, dtype=float), gap + bias)[order].sum()

    far = np.abs(gap).max() + 20 * noise_std
    bias = brentq(slopes, -far, far, args=(1,), xtol=1e-12)
    return float(bias), float((-slopes(bias, 2)) ** -0.5)


def problem(rng, m, size):
    noise, bias = float(rng.uniform(0.5, 2)), rng.normal()
    gap = size * rng.normal(size=m)
    y = np.where(gap + bias + np.sqrt(2) * noise * rng.normal(size=m) > 0, 1, -1)
    y[:2] = 1, -1
    return gap, y, noise


rng = np.random.default_rng(1004)
inputs = [problem(rng, *sizes) for sizes in ((3, 1), (8, 1), (12, 2), (20, 0.5), (9, 12))]
CASES = [Case(f"random {k}", given, root(*given), 1e-5) for k, given in enumerate(inputs)]
