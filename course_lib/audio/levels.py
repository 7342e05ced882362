"""Loudness of a sound, and limits that protect ears and loudspeakers.

Two sounds can only be compared at the same loudness, because people prefer the louder one.

Lecture: 12, section 5.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

from course_lib import validation
from course_lib.audio.signals import mono, whole_samples

TARGET_LUFS = -26.0  # 12 LU below streaming services: quiet, and 25 dB of headroom for peaks
CEILING_DB = -1.0
LOWEST_RATE = 8000
BLOCK_SECONDS = 0.4  # loudness is measured in blocks of this length
SILENCE_LUFS = -70.0  # blocks below this do not count


def loudness(signal: ArrayLike, rate: float) -> float:
    """Loudness by ITU-R BS.1770 in LUFS: the mean power after a filter that models the sensitivity of the ear.

    Blocks of 0.4 s below −70 LUFS, or 10 LU below the mean of the others, are left out. It is computed by pyloudnorm,
    loaded on first use. A sine of 997 Hz and amplitude 1 has −3.0 ± 0.1 LUFS; one LU is one dB.

    The signal has at least 0.4 s, its rate is at least 8000.

    Returns a float in LUFS; −inf for silence, which is all below −70 LUFS.

    Source: ITU-R BS.1770-4 (2015), annex 1; Steinmetz and Reiss (2021).
    """
    samples, rate = mono(signal, "signal"), _rate(rate)
    if len(samples) < BLOCK_SECONDS * rate:
        raise ValueError(
            f"signal has {len(samples)} samples ({len(samples) / rate:.3f} s at {rate} Hz); at least "
            f"{BLOCK_SECONDS} s are needed to measure its loudness."
        )
    import pyloudnorm

    return float(pyloudnorm.Meter(rate).integrated_loudness(samples))


def match_loudness(signal: ArrayLike, rate: float, target_lufs: float = TARGET_LUFS) -> NDArray:
    """The signal scaled to a target loudness; digital silence is unchanged.

    target_lufs : between −70 and 0 LUFS;  signal, rate : as for `loudness`

    Peaks may exceed 1, see `limit`.

    Source: ITU-R BS.1770-4 (2015).
    """
    samples, rate = mono(signal, "signal"), _rate(rate)
    target = validation.between(target_lufs, "target_lufs", SILENCE_LUFS, 0)
    for _ in range(2):  # a block that counts as silence at one level may count as sound at another
        found = loudness(samples, rate)
        if found == -np.inf and samples.any():
            raise ValueError(
                f"signal is below {SILENCE_LUFS:g} LUFS (its peak is {np.abs(samples).max():.3g}), which counts as "
                "silence; scale it up first."
            )
        samples = samples * 10 ** ((target - found) / 20) if np.isfinite(found) else samples
    return samples


def limit(
    signal: ArrayLike, rate: float, ceiling_db: float = CEILING_DB, reach_seconds: float = 0.005, looped: bool = False
) -> NDArray:
    """The signal with its peaks attenuated, so that no sample exceeds the ceiling.

    It looks ahead: g_t = min(1, ceiling / |x_t|) is the largest allowed gain of sample t. Each sample takes the
    lowest g within `reach_seconds` on either side, and the gain is the mean of these over the same reach. It decreases
    linearly before a peak, is low enough at the peak, since every term of the mean is, and increases again after it. A
    signal below the ceiling is unchanged. Between two samples the sound may slightly exceed both.

    ceiling_db : largest |sample| in dB relative to 1, at most 0;  looped : whether the signal repeats
    reach_seconds : half of the time before a peak in which the gain decreases, and after it in which it increases
    """
    samples, rate = mono(signal, "signal"), _rate(rate)
    ceiling_db, looped = validation.finite(ceiling_db, "ceiling_db"), validation.flag(looped, "looped")
    if not -100 <= ceiling_db <= 0:
        raise ValueError(f"ceiling_db is {ceiling_db:g}; from −100 to 0 dB is needed.")
    ceiling = 10 ** (ceiling_db / 20)
    reach = min(whole_samples(reach_seconds, rate, "reach_seconds"), len(samples))
    if np.abs(samples).max() <= ceiling:
        return samples
    allowed = ceiling / np.maximum(np.abs(samples), ceiling)
    beyond = "wrap" if looped else "nearest"
    lowest = ndimage.minimum_filter1d(allowed, 2 * reach + 1, mode=beyond)
    gain = ndimage.uniform_filter1d(lowest, 2 * reach + 1, mode=beyond)
    return np.clip(samples * gain, -ceiling, ceiling)  # a running mean is right up to rounding


def _rate(rate):
    if validation.integer(rate, "rate") < LOWEST_RATE:
        raise ValueError(f"rate is {rate} Hz; at least {LOWEST_RATE} Hz is needed.")
    return rate
