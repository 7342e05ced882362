"""An equaliser with five bands: each raises or lowers the spectrum around its centre by some dB.

A band is a second-order peaking filter with constant Q: its width relative to its centre does not depend on the gain.
The five filters are in series: their responses multiply, so their gains in dB add.

Lecture: 12, section 5.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.audio.signals import mono

BANDS = (100.0, 300.0, 1000.0, 3000.0, 9000.0)  # centres in Hz, about half a decade apart
_RATIO = 10**0.5  # from one centre to the next
Q = _RATIO**0.5 / (_RATIO - 1)  # 0.82: half of a band's dB are left in the middle between it and the next
LARGEST_GAIN_DB = 18.0
TONES = np.array([[1.0, 0.0], [0.5, 0.0], [0.0, 0.0], [0.0, 0.5], [0.0, 1.0]])  # of bass and treble in each band
LARGEST_TONE_DB = 12.0


def equalize(signal: ArrayLike, rate: float, gains_db: ArrayLike, looped: bool = False) -> NDArray:
    """The signal with each of the five bands raised or lowered.

    With A = 10^(gain/40), ω = 2π · centre / rate and α = sin ω / (2Q), a band is the filter

        H(z) = (1 + αA − 2 cos ω z⁻¹ + (1 − αA) z⁻²) / (1 + α/A − 2 cos ω z⁻¹ + (1 − α/A) z⁻²),

    whose gain is A² at the centre and 1 at 0 Hz and rate / 2. Q = √r / (r − 1) with r = √10, the ratio of two
    neighbouring centres: a band's edges, where half of its dB are left, then lie in the (geometric) middle between the
    centres, so that equal gains add up to a plateau: five times 6 dB give 5.9 to 8.1 dB from 100 Hz to 9 kHz.

    rate : above 18000, since the highest band lies at 9 kHz
    gains_db : (5,) in dB, one for each of `BANDS`, from −18 to 18
    looped : False: the signal is preceded by silence. True: the signal is periodic, and so is the result. (The
        spectrum is multiplied by the filters' response at the n frequencies of a loop of n samples.)

    Where bands are raised, samples may exceed 1.

    Source: Bristow-Johnson (2005), "peakingEQ", with his Q.
    """
    from scipy import signal as dsp  # heavy, so it is loaded where it is used

    samples, looped = mono(signal, "signal"), validation.flag(looped, "looped")
    sections = _sections(gains_db, rate)
    if not looped:
        return dsp.sosfilt(sections, samples)
    frequencies = np.fft.rfftfreq(len(samples))
    response = dsp.sosfreqz(sections, 2 * np.pi * frequencies)[1]
    return np.fft.irfft(np.fft.rfft(samples) * response, len(samples))


def response_db(gains_db: ArrayLike, frequencies: ArrayLike, rate: float) -> NDArray:
    """Frequency response of the equaliser: (F,) dB.

    gains_db : as for `equalize`;  frequencies : (F,) in Hz, from 0 to rate / 2

    Source: Bristow-Johnson (2005).
    """
    from scipy import signal as dsp

    sections = _sections(gains_db, rate)
    frequencies = validation.real_array(frequencies, "frequencies")
    if frequencies.ndim != 1:
        raise ValueError(f"frequencies has shape {frequencies.shape}; (F,) is needed.")
    wrong = np.flatnonzero((frequencies < 0) | (frequencies > rate / 2))
    if len(wrong):
        k = int(wrong[0])
        raise ValueError(f"frequencies[{k}] is {frequencies[k]:g} Hz; from 0 to rate / 2 = {rate / 2:g} Hz is needed.")
    return 20 * np.log10(np.abs(dsp.sosfreqz(sections, 2 * np.pi * frequencies / rate)[1]))


def tone_gains(bass_db: float, treble_db: float) -> NDArray:
    """(5,) gains in dB for `equalize` from two controls of −12 to 12 dB, for bass and treble.

    gains = TONES @ (bass, treble): the outermost band gets the full value of its control, its neighbour half of it,
    the middle band none. Where bands overlap their gains add: 12 dB of bass give 13.1 dB at 100 Hz, 1.1 dB at 1 kHz.
    """
    return TONES @ [_tone(bass_db, "bass_db"), _tone(treble_db, "treble_db")]


def _tone(value, name):
    value = validation.finite(value, name)
    if abs(value) > LARGEST_TONE_DB:
        raise ValueError(f"{name} is {value:g}; from −{LARGEST_TONE_DB:g} to {LARGEST_TONE_DB:g} dB is needed.")
    return value


def _sections(gains_db, rate):
    """(5, 6) coefficients b₀ b₁ b₂ 1 a₁ a₂ of the five filters."""
    gains = validation.matrix(gains_db, "gains_db", (len(BANDS),))
    wrong = np.flatnonzero(np.abs(gains) > LARGEST_GAIN_DB)
    if len(wrong):
        k = int(wrong[0])
        raise ValueError(
            f"gains_db[{k}] is {gains[k]:g} dB; from −{LARGEST_GAIN_DB:g} to {LARGEST_GAIN_DB:g} dB is needed."
        )
    if validation.integer(rate, "rate") <= 2 * BANDS[-1]:
        raise ValueError(f"rate is {rate} Hz; the band at {BANDS[-1]:g} Hz needs it above {2 * BANDS[-1]:g} Hz.")
    half, omega = 10 ** (gains / 40), 2 * np.pi * np.array(BANDS) / rate
    alpha, middle = np.sin(omega) / (2 * Q), -2 * np.cos(omega)
    above = np.column_stack([1 + alpha * half, middle, 1 - alpha * half])
    below = np.column_stack([1 + alpha / half, middle, 1 - alpha / half])
    return np.hstack([above, below]) / below[:, :1]
