"""Sound as a sequence of feature vectors.

Frames are centred: frame t lies round t · hop_seconds, so that n samples give T = 1 + n // hop frames.

Lecture: 01, sections 1 and 7.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.audio.signals import LOUDEST, mono, whole_samples

NORMALISATIONS = ("mean", "mean_variance")
SILENCE = 1e-10  # the least energy that is told from none
DYNAMIC_RANGE = 80  # dB
BLOCK = 4096  # frames whose spectra are computed at once


def mfcc(
    signal: ArrayLike,
    rate: float,
    n_mfcc: int = 13,
    window_seconds: float = 0.025,
    hop_seconds: float = 0.010,
    normalize: str | None = None,
    n_bands: int = 26,
) -> NDArray:
    """Mel-frequency cepstral coefficients: one short vector per frame that describes the spectrum's shape.

    Each Hann window is padded to the next power of two (at 8 kHz: 200 samples to 256), its power spectrum
    summed in `n_bands` mel bands from 0 to rate / 2, taken in dB (at most 80 below the loudest), and
    transformed by an orthonormal cosine transform. Coefficient 0 is the level (mean dB of the bands times
    √n_bands); 1 is the tilt between low and high bands. In digital silence all but coefficient 0 are 0.

    n_mfcc : number of coefficients, at most n_bands
    window_seconds, hop_seconds : length and distance of the windows, rounded to whole samples
    normalize : None, "mean" or "mean_variance": see `normalize_cepstra`;  n_bands : number of mel bands

    Returns (T, n_mfcc) array in dB (without unit after "mean_variance"), T = 1 + n // hop; frame t is centred at
    t · hop_seconds.

    Source: Davis and Mermelstein (1980).
    """
    samples, rate, window, hop, n_fft = _frame_settings(signal, rate, window_seconds, hop_seconds)
    validation.one_of(normalize, (None, *NORMALISATIONS), "normalize")
    n_bands = validation.integer(n_bands, "n_bands")
    if validation.integer(n_mfcc, "n_mfcc") > n_bands:
        raise ValueError(f"n_mfcc is {n_mfcc}, but {n_bands} bands give only {n_bands} coefficients.")
    frames, bands = windows(samples, window, hop), mel_bands(n_bands, n_fft, rate)
    parts = np.array_split(frames, 1 + len(frames) // BLOCK)  # hours of sound need not fit into memory many times over
    energies = np.concatenate([power_spectra(part, n_fft) @ bands.T for part in parts])
    features = decibels(energies) @ cosines(n_mfcc, n_bands).T
    return features if normalize is None else normalize_cepstra(features, normalize)


def windows(samples, window, hop):
    """(T, window) parts of a signal, T = 1 + n // hop: the first is centred at its first sample, with zeros before."""
    padded = np.pad(samples, (window + 1) // 2)
    return np.lib.stride_tricks.sliding_window_view(padded, window)[::hop][: 1 + len(samples) // hop]


def power_spectra(frames, n_fft):
    """(T, n_fft / 2 + 1) power of frames (T, window) at each frequency; a Hann window fades their ends out."""
    window = frames.shape[1]
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(window) / window)
    spectra = np.fft.rfft(hann * frames, n_fft)
    return spectra.real**2 + spectra.imag**2


def mel_bands(n_bands, n_fft, rate):
    """(n_bands, n_fft / 2 + 1) weight of each frequency in each band: triangles of area 1 Hz that overlap by half."""
    low, centre, high = (mel_edges(n_bands, rate)[k : n_bands + k, None] for k in range(3))
    frequencies = np.fft.rfftfreq(n_fft, 1 / rate)
    rising, falling = (frequencies - low) / (centre - low), (high - frequencies) / (high - centre)
    weights = np.maximum(0, np.minimum(rising, falling)) * 2 / (high - low)
    if empty := n_bands - np.count_nonzero(weights.any(axis=1)):
        raise ValueError(
            f"n_bands is {n_bands}, but the {n_fft // 2 + 1} frequencies of a window leave {empty} of these bands "
            "empty; fewer bands or a longer window are needed."
        )
    return weights


def mel_edges(n_bands, rate):
    """(n_bands + 2,) frequencies in Hz from 0 to rate / 2, equally far apart for the ear: band k from k to k + 2.

    Source: Slaney (1998): in steps of 200/3 Hz up to 1000 Hz, and from there each 6.4^(1/27) times the one before.
    """
    top = rate / 2
    at = np.linspace(0, 3 * top / 200 if top < 1000 else 15 + 27 * np.log(top / 1000) / np.log(6.4), n_bands + 2)
    return np.where(at < 15, 200 * at / 3, 1000 * 6.4 ** ((at - 15) / 27))


def decibels(energies):
    """Energies in dB, none more than 80 below the loudest."""
    levels = 10 * np.log10(np.maximum(energies, SILENCE))
    return np.maximum(levels, levels.max() - DYNAMIC_RANGE)


def cosines(n_mfcc, n_bands):
    """(n_mfcc, n_bands) orthonormal rows: half a period of a cosine more in each, of which the first has none."""
    rows = np.cos(np.pi / n_bands * np.outer(np.arange(n_mfcc), np.arange(n_bands) + 0.5))
    return rows * np.where(np.arange(n_mfcc) == 0, 1, np.sqrt(2))[:, None] / np.sqrt(n_bands)


def normalize_cepstra(features: ArrayLike, how: str = "mean_variance") -> NDArray:
    """Features with mean 0 (and variance 1) in each column, over the frames of this one recording.

    A microphone or a line multiplies the spectrum by a fixed curve, which adds a constant to each cepstral
    coefficient; taking the mean away removes it. It removes the mean of what was said as well, which hurts
    when the recording is a single short word.

    how : "mean", or "mean_variance", which also divides by the standard deviation (divisor T); a column that never
        changes becomes 0

    Source: Furui (1981), for the mean; dividing by the standard deviation is later practice.
    """
    features = validation.sequence(features, "features")
    validation.one_of(how, NORMALISATIONS, "how")
    if np.abs(features).max() > LOUDEST:
        raise ValueError(
            f"features reach {np.abs(features).max():.3g}, too large to be squared; scale them down first."
        )
    centred = features - features.mean(axis=0)
    if how == "mean":
        return centred
    deviation = features.std(axis=0)
    constant = np.ptp(features, axis=0) == 0
    return np.where(constant, 0.0, centred / np.where(constant, 1.0, deviation))


def _frame_settings(signal, rate, window_seconds, hop_seconds):
    """Checked samples and rate; window, hop and transform length in samples."""
    samples = mono(signal, "signal")
    rate = validation.integer(rate, "rate")
    window = whole_samples(window_seconds, rate, "window_seconds")
    hop = whole_samples(hop_seconds, rate, "hop_seconds")
    if window < 2 or hop < 1:
        raise ValueError(
            f"window_seconds is {window_seconds} and hop_seconds is {hop_seconds}: at {rate} Hz that is "
            f"{window} and {hop} samples; at least 2 and 1 are needed."
        )
    if len(samples) < window:
        raise ValueError(
            f"signal has {len(samples)} samples ({len(samples) / rate:.3f} s at {rate} Hz); a window needs "
            f"{window} ({window_seconds} s): a shorter window_seconds, or more samples."
        )
    return samples, rate, window, hop, 2 ** (window - 1).bit_length()
