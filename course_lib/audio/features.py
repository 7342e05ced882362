"""Sound as a sequence of feature vectors.

Frames are centred: frame t lies round t · hop_seconds, so that n samples give T = 1 + n // hop frames.

Lecture: 01, sections 1 and 7.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.audio.signals import LOUDEST, mono, whole_samples

NORMALISATIONS = ("mean", "mean_variance")


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
    Librosa computes it, loaded on first use.

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
    librosa = validation.optional_import("librosa", "speech")  # heavy, so it is loaded where it is used
    framing = {"n_fft": n_fft, "win_length": window, "hop_length": hop, "center": False}
    features = librosa.feature.mfcc(y=np.pad(samples, n_fft // 2), sr=rate, n_mfcc=n_mfcc, n_mels=n_bands, **framing).T
    return np.ascontiguousarray(features) if normalize is None else normalize_cepstra(features, normalize)


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
