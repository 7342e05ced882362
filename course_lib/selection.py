"""Checks of what names items: indices, positions, pairs and labels; each returns them in the form the library uses.

Lecture: 00.
"""

import numpy as np

from course_lib import validation


def indices(value, name, shape, count=None, of="numbers", rows="", empty=False):
    """Int64 array of integers in 0 … count−1, of this shape, at least one unless `empty`.

    shape : tuple in which None stands for any length;  count : number of items, or None if not known
    of, rows : words for the items and their rows, for the error
    """
    found = validation.array(value, name)
    if empty and found.size == 0 and None in shape:
        return np.zeros([0 if n is None else n for n in shape], dtype=np.int64)
    fits = found.ndim == len(shape) and all(n in (None, got) for n, got in zip(shape, found.shape, strict=True))
    if not fits or (found.size and found.dtype.kind not in "iu") or (found.size == 0 and not empty):
        wanted = ", ".join("m" if n is None else str(n) for n in shape) + ("," if len(shape) == 1 else "")
        raise ValueError(
            f"{name} has shape {found.shape} and dtype {found.dtype}; ({wanted}) whole numbers are needed, at least "
            f"one{rows}."
        )
    wrong = np.argwhere((found < 0) | (found >= (2**63 if count is None else count)))
    if len(wrong):
        where = tuple(wrong[0].tolist())
        known = "0 or above is needed" if count is None else f"the {of} are 0 … {count - 1}{rows}"
        raise ValueError(f"{name}[{', '.join(map(str, where))}] is {found[where]}; {known}.")
    return found.astype(np.int64)


def positions(indices, count, of):
    """(k,) ints: positions selected among `count` items by indices (negative: from the end), a slice or a mask."""
    if isinstance(indices, slice):
        return np.arange(count)[indices]
    chosen = np.atleast_1d(validation.array(indices, "indices"))
    whole = chosen.dtype.kind in "iu" or chosen.size == 0
    if chosen.ndim > 1 or not (whole or (chosen.dtype == bool and len(chosen) == count)):
        raise ValueError(
            f"indices do not fit {count} {of}: shape {chosen.shape}, dtype {chosen.dtype}; whole numbers, a slice, or "
            f"a mask of {count} booleans is needed."
        )
    try:
        return np.arange(count)[chosen if chosen.size else []]
    except IndexError as error:
        raise ValueError(f"indices do not fit {count} {of}: {error}.") from None


def pairs(value, n, name="pairs", empty=False):
    """(m, 2) int64 pairs (a, b) of n items, a ≠ b; at least one unless `empty`."""
    found = indices(value, name, (None, 2), n, "items", " (rows of X)", empty)
    same = np.flatnonzero(found[:, 0] == found[:, 1])
    if len(same):
        k = same[0]
        raise ValueError(f"{name}[{k}] is {tuple(found[k].tolist())}: an item cannot be compared with itself.")
    return found


def labels(value, name, count, of):
    """(count,) labels: texts, numbers, or booleans, one for each item."""
    found = validation.array(value, name)
    if found.shape != (count,):
        raise ValueError(f"{name} has shape {found.shape}; one for each of {count} {of} is needed: ({count},).")
    texts = found.dtype == object and all(isinstance(label, str) for label in found)
    if found.dtype.kind not in "biufUS" and not texts:
        raise ValueError(f"{name} has dtype {found.dtype}; texts or numbers are needed, one for each of the {of}.")
    if found.dtype.kind == "f" and not np.isfinite(found).all():
        k = int(np.flatnonzero(~np.isfinite(found))[0])
        raise ValueError(f"{name}[{k}] is {found[k]}, which is not a valid label.")
    return found
