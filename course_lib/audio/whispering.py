"""What cepstral coefficients keep of a sound, made audible. Lecture: 03, section 3."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.audio.features import cosines, mel_edges
from course_lib.audio.signals import LOUDEST, whole_samples
from course_lib.kinds import Rng

PEAK = 0.5
BANDS = 128  # of the spoken digits


def whisper(
    cepstra: ArrayLike, rate: float, hop_seconds: float = 0.025, n_bands: int = BANDS, rng: Rng = 0
) -> NDArray:
    """Noise whose spectrum follows cepstral coefficients: speech without pitch, as in a whisper.

    cepstra : (T, K) coefficients 0 … K − 1 in dB, one frame every hop_seconds, not normalised
    rate : samples per second;  n_bands : mel bands that they were made of, from 0 to rate / 2
    rng : numpy Generator or seed, of the noise

    Returns (n,) samples of at most 0.5, n = T · hop.

    Source: Shannon et al. (1995): noise in a few bands that follow speech is understood.
    """
    cepstra, n_bands = validation.sequence(cepstra, "cepstra"), validation.integer(n_bands, "n_bands")
    rate, (T, kept) = validation.integer(rate, "rate"), cepstra.shape
    if kept > n_bands:
        raise ValueError(f"cepstra has {kept} columns, but {n_bands} bands give only {n_bands} coefficients.")
    if np.abs(cepstra).max() > LOUDEST:
        raise ValueError(f"cepstra reach {np.abs(cepstra).max():.3g} dB, which is no sound.")
    hop = whole_samples(hop_seconds, rate, "hop_seconds")
    if hop < 1:
        raise ValueError(f"hop_seconds is {hop_seconds}: at {rate} Hz that is no sample; at least 1 is needed.")
    centres, levels = mel_edges(n_bands, rate)[1:-1], cepstra @ cosines(kept, n_bands)
    at = np.fft.rfftfreq(2 * hop, 1 / rate)
    gains = 10 ** ((np.array([np.interp(at, centres, one) for one in levels]) - levels.max()) / 20)
    noise, fade = validation.generator(rng, "rng").normal(size=(T + 1) * hop), _fade(hop)
    samples = np.zeros((T + 1) * hop)
    for t in range(T):
        part = slice(t * hop, (t + 2) * hop)
        samples[part] += fade * np.fft.irfft(gains[t] * np.fft.rfft(fade * noise[part]), 2 * hop)
    samples = samples[hop:]  # frame t is centred at t · hop
    return PEAK * samples / np.abs(samples).max()


def _fade(hop):
    """A window of two hops whose squares add up to 1 where it overlaps with the next."""
    return np.sin(np.pi * (np.arange(2 * hop) + 0.5) / (2 * hop))
