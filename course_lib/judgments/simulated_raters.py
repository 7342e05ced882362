"""Simulated raters, whose noise is known because we chose it. Lecture: 09, section 5."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.kinds import Rng


def simulate_raters(
    z: ArrayLike,
    noise_std: ArrayLike,
    rng: Rng,
    regions: ArrayLike | None = None,
    correlation: float = 0.0,
    adversaries: Sequence[int] = (),
    missing: float = 0.0,
) -> NDArray:
    """Answers of R raters to n items whose values are known.

    Parameters
    ----------
    z : (n,) the items' values
    noise_std : (R,) noise of each rater; with regions (K, R), one for each region
    rng : numpy Generator or seed;  regions : None, or (n,) ints 0 … K−1
    correlation : 0 … 1, of the noises of any two raters of one item
    adversaries : raters whose values are mirrored at the mean of z
    missing : share of the answers that are taken away, 0 … 1, as far as each item and each rater can keep one

    Returns Y (n, R), NaN where an answer is missing.

    Source: Gil González et al. (2019), section 3: homogeneous and non-homogeneous Gaussian noise.
    """
    z, rng = validation.real_array(z, "z"), validation.generator(rng)
    noise = _noises(z, noise_std, regions)
    correlation, missing = validation.fraction(correlation, "correlation"), validation.fraction(missing, "missing")
    own, common = rng.normal(size=noise.shape), rng.normal(size=(len(z), 1))
    values = np.tile(z[:, None], noise.shape[1])
    for r in np.atleast_1d(validation.array(adversaries, "adversaries")).tolist():
        if not 0 <= validation.integer(r, "adversaries", least=0) < noise.shape[1]:
            raise ValueError(f"adversaries holds {r}; the raters are 0 … {noise.shape[1] - 1}.")
        values[:, r] = 2 * z.mean() - z
    Y = values + noise * (np.sqrt(1 - correlation) * own + np.sqrt(correlation) * common)
    return _without(Y, missing, rng)


def _noises(z, noise_std, regions):
    """(n, R) noise of each answer."""
    noise = validation.real_array(noise_std, "noise_std")
    if (noise < 0).any():
        raise ValueError(f"noise_std is {noise.tolist()}; no element may be below 0.")
    if z.ndim != 1 or noise.ndim != (1 if regions is None else 2):
        raise ValueError(
            f"z has shape {z.shape} and noise_std {noise.shape}; needed are (n,), and (R,), or (K, R) with regions."
        )
    if regions is None:
        return np.tile(noise, (len(z), 1))
    regions = validation.array(regions, "regions")
    if regions.shape != z.shape or regions.dtype.kind not in "iu" or not np.isin(regions, np.arange(len(noise))).all():
        raise ValueError(
            f"regions has shape {regions.shape} and dtype {regions.dtype}; a whole number from 0 … {len(noise) - 1} "
            f"for each of the {len(z)} items of z is needed (noise_std has {len(noise)} rows)."
        )
    return noise[regions]


def _without(Y, share, rng):
    """Y with this share of answers missing, but one left for each item and each rater."""
    (n, R), most = Y.shape, max(Y.shape)
    kept = rng.permutation(most) % n * R + rng.permutation(most) % R  # each item and each rater occurs
    free = np.setdiff1d(np.arange(Y.size), kept)
    gone = rng.choice(free, min(round(share * Y.size), len(free)), replace=False)
    Y.flat[gone] = np.nan
    return Y
