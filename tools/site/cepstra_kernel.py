"""Mel-frequency cepstral coefficients as a kernel, for pages: `course_lib.audio.features` in one loop over frames.

The library itself needs no compiler for it. What does not depend on the signal, the kernel is given as tables.
"""

import numpy as np
from numba import njit

from course_lib.audio import features


def tables(rate, window, n_fft, n_bands, n_mfcc):
    """(cosine, sine, bands, transform) that `cepstra` takes; the first two fade a window's ends out as well."""
    turns = 2 * np.pi / n_fft * np.outer(np.arange(n_fft // 2 + 1), np.arange(window))
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(window) / window)
    bands = features.mel_bands(n_bands, n_fft, rate)
    return hann * np.cos(turns), hann * np.sin(turns), bands, features.cosines(n_mfcc, n_bands)


@njit
def cepstra(samples, hop, cosine, sine, bands, transform, found):
    """Fills found (T, n_mfcc), T = 1 + n // hop, from samples that have half a window of zeros at either end."""
    (T, n_mfcc), (n_bands, n_bins), window = found.shape, bands.shape, cosine.shape[1]
    levels, power = np.empty((T, n_bands)), np.empty(n_bins)
    loudest = -np.inf
    for t in range(T):
        for f in range(n_bins):
            real, imaginary = 0.0, 0.0
            for n in range(window):
                real += cosine[f, n] * samples[t * hop + n]
                imaginary += sine[f, n] * samples[t * hop + n]
            power[f] = real * real + imaginary * imaginary
        for k in range(n_bands):
            energy = 0.0
            for f in range(n_bins):
                energy += bands[k, f] * power[f]
            levels[t, k] = 10 * np.log10(max(energy, features.SILENCE))
            loudest = max(loudest, levels[t, k])
    for t in range(T):
        for m in range(n_mfcc):
            total = 0.0
            for k in range(n_bands):
                total += transform[m, k] * max(levels[t, k], loudest - features.DYNAMIC_RANGE)
            found[t, m] = total
