"""Where the search for a period begins: at the peaks of the periodogram.

Lecture: 05, sections 2 and 5.
"""

import numpy as np
from scipy.signal import lombscargle

OVERSAMPLING = 10  # frequencies for each 1/span, the width of a peak
MAX_ANSWERS = 1000  # of which a periodogram is made; of more, every second, third …
N_PEAKS = 2


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
        order = np.argsort(column)[:: -(-len(column) // MAX_ANSWERS)]
        x, span, n = column[order], np.ptp(column), len(np.unique(column[order]))
        if n < 4:
            continue
        frequencies = np.arange(OVERSAMPLING, OVERSAMPLING * n // 2) / (OVERSAMPLING * span)
        power = np.pad(lombscargle(x - x[0], left[order], 2 * np.pi * frequencies, normalize=True), 1)
        highest = (power[1:-1] >= power[:-2]) & (power[1:-1] >= power[2:])
        peaks += zip(power[1:-1][highest], 1.0 / frequencies[highest], strict=True)
    return [float(period) for _, period in sorted(peaks, reverse=True)[:N_PEAKS]]
