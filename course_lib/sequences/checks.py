"""Checks of lists of sequences, of their time axis, and of rows of probabilities. Lecture: 00."""

import numpy as np

from course_lib import validation

MIN_CEPSTRA = 12  # features that a frame of speech usually has


def sequences(values, name, in_time=True):
    """List of (T_i, D) float64 sequences that share D, from a list or tuple of them, or one array (S, T, D).

    in_time : whether the rows are in order of time; if so, warn if the sequences look transposed
    """
    checked = [validation.sequence(value, f"{name}[{k}]") for k, value in enumerate(listed(values, name))]
    for k, one in enumerate(checked):
        if one.shape[1] != checked[0].shape[1]:
            raise ValueError(
                f"{name}[{k}] has {one.shape[1]} features per frame, but {name}[0] has {checked[0].shape[1]}; "
                "all must have the same."
            )
    if in_time and len(checked) > 1:
        warn_if_transposed(name, *checked)
    return checked


def listed(values, name):
    """The values, if they are a list of sequences and not another iterable.

    Iterating over a dict gives its keys, over a DataFrame its column names, over a flat list or a (T, D) array frames.
    """
    many = isinstance(values, np.ndarray) and (values.ndim == 3 or (values.ndim == 1 and values.dtype == object))
    if isinstance(values, np.ndarray) and values.ndim and not many:
        rows = f"if each row is one, list({name}); " if values.ndim == 2 else ""
        raise ValueError(
            f"{name} must be a list of sequences, but came as one array of shape {values.shape}. For one sequence, "
            f"write [sequence]; {rows}for hmmlearn's X and lengths, np.split(X, np.cumsum(lengths)[:-1])."
        )
    if not (isinstance(values, (list, tuple)) or many):
        raise ValueError(f"{name} {validation.came(values)}; a list of sequences is needed.")
    if not len(values):
        raise ValueError(f"{name} is empty; at least one sequence is needed.")
    if np.isscalar(values[0]) or values[0] is None:
        raise ValueError(f"{name}[0] is {values[0]!r}; a list of sequences is needed. For one, write [sequence].")
    return values


def warn_if_transposed(names, *sequences):
    """Warn if all sequences have the same length and far more features than frames: time may be the second axis."""
    T, D = sequences[0].shape
    if T >= MIN_CEPSTRA and D > 2 * T and all(one.shape == (T, D) for one in sequences):
        validation.warn(
            f"{names}: each has {T} frames of {D} features. Are rows and columns swapped? Time runs along the first "
            "axis; features from librosa, for example, have time along the second: pass their .T.",
            UserWarning,
        )


def probabilities(value, name, shape):
    """Float array of this shape whose rows are distributions, normalised to remove rounding errors."""
    found = validation.matrix(value, name, shape)
    if (found < 0).any():
        where = tuple(int(i) for i in np.argwhere(found < 0)[0])
        raise ValueError(f"{name}{list(where)} is {found[where]:g}; probabilities are 0 or more.")
    sums = found.sum(axis=-1)
    if not np.allclose(sums, 1, rtol=0, atol=1e-6):
        worst = int(np.abs(sums - 1).argmax())
        row = f"{name}[{worst}]" if found.ndim == 2 else name
        raise ValueError(f"{row} sums to {sums.flat[worst]:.6g}; a row of probabilities must sum to 1.")
    return found / sums[..., None]
