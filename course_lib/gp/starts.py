"""Where a search begins: in the units of the data, and at periods that the answers suggest.

Lecture: 05, sections 2 and 5.
"""

import numpy as np
from scipy.signal import lombscargle

from course_lib.gp.kernels import SquaredExponential
from course_lib.gp.likelihoods import Gaussian

FREQUENCIES_PER_PEAK = 10  # frequencies for each 1/span, the width of a peak
MAX_PERIODOGRAM_ANSWERS = 1000  # of which a periodogram is made; of more, every second, third …
N_PEAKS = 2


def typical_kernels(observations):
    """Where searches begin if no kernel is given: squared exponentials in the units of X and of Gaussian answers.

    The variance is the spread of the items' answers if these are Gaussian values, else 1; the lengthscales are a
    quarter of the typical distance of two items, and the whole of it.
    """
    X, y, views = observations.X, observations.y, observations.views
    distance = float(np.sqrt(2.0 * X.var(axis=0).sum())) or 1.0  # root mean square over all pairs of items
    in_units = isinstance(observations.likelihood, Gaussian) and views.all_values and len(y) > 0
    variance = np.var(_item_means(observations)[1]) or np.var(y) if in_units else 1.0
    return [SquaredExponential(float(variance or 1.0), fraction * distance) for fraction in (0.25, 1.0)]


def at_periods(kernels, observations):
    """The kernels, and those that begin at periods which the answers to items suggest."""
    if not observations.views.all_values or not len(observations.y):
        return kernels
    answered, means = _item_means(observations)
    return [start for kernel in kernels for start in period_starts(kernel, observations.X[answered], means)]


def _item_means(observations):
    """(items with answers, the mean of each one's)."""
    item, n = observations.views.plus, len(observations.X)
    sums, answers = np.bincount(item, observations.y, n), np.bincount(item, minlength=n)
    answered = np.flatnonzero(answers)
    return answered, sums[answered] / answers[answered]


def period_places(kernel):
    """Where in its θ the free periods of a kernel are."""
    return [k for k, name in enumerate(kernel.names) if name.split(".")[-1] == "period"]


def period_starts(kernel, X, y):
    """[kernel, …]: the kernel itself, and copies whose free periods are those of the highest peaks.

    The evidence has a maximum near every period that fits some of the waves, and a search finds the one next to its
    start. Two peaks are tried, and twice the period of the higher one, which is that of waves with two humps.

    X : (n, D) inputs;  y : (n,) what the answers to each of them are on average
    """
    where = period_places(kernel)
    peaks = highest_peaks(X, y) if where else []
    if not peaks:
        return [kernel]
    periods, starts = [*peaks, 2.0 * peaks[0]], [kernel]
    for first in range(len(periods)):
        theta = kernel.theta
        theta[where] = np.log([periods[(first + k) % len(periods)] for k in range(len(where))])
        starts.append(kernel.with_theta(theta))
    return starts


def highest_peaks(X, y):
    """Periods of the highest peaks of the Lomb–Scargle periodograms against each column, once a plane is taken off."""
    plane = np.column_stack([np.ones(len(X)), X])
    left = y - plane @ np.linalg.lstsq(plane, y)[0]
    if np.abs(left).max() <= 1e-9 * np.abs(y).max():
        return []
    peaks = []
    for column in X.T:
        order = np.argsort(column)[:: -(-len(column) // MAX_PERIODOGRAM_ANSWERS)]
        x, span, n = column[order], np.ptp(column), len(np.unique(column[order]))
        if n < 4:
            continue
        frequencies = np.arange(FREQUENCIES_PER_PEAK, FREQUENCIES_PER_PEAK * n // 2) / (FREQUENCIES_PER_PEAK * span)
        power = np.pad(lombscargle(x - x[0], left[order], 2 * np.pi * frequencies, normalize=True), 1)
        highest = (power[1:-1] >= power[:-2]) & (power[1:-1] >= power[2:])
        peaks += zip(power[1:-1][highest], 1.0 / frequencies[highest], strict=True)
    return [float(period) for _, period in sorted(peaks, reverse=True)[:N_PEAKS]]
