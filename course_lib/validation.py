"""Checks of what a caller gives: each returns the value in the form the library works with, or says what is wrong.

Every message names the argument, what came, and what is needed.
Lecture: 00.
"""

import numbers

import numpy as np


def real_array(value, name):
    """Float64 array of finite real numbers with at least one element.

    Raises
    ------
    ValueError
        For complex numbers, text, ragged lists, an empty array, NaN or infinity.

    Lecture: 00.
    """
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be rectangular, but its rows have different lengths ({error}).") from None
    if np.iscomplexobj(array):
        raise ValueError(
            f"{name} holds complex numbers (dtype {array.dtype}); real numbers are needed. "
            "For a spectrum, take np.abs(…) or its logarithm first."
        )
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, but its dtype is {array.dtype}.")
    if array.size == 0:
        raise ValueError(f"{name} is empty (shape {array.shape}); at least one element is needed.")
    array = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(
            f"{name}{list(where)} is {array[where]}; all values must be finite. "
            "Remove such frames or fill them before calling."
        )
    return array


def sequence(value, name):
    """(T, D) float64 sequence of T frames; a one-dimensional input becomes T frames of one number.

    Raises
    ------
    ValueError
        As `real_array`, and for more than two dimensions.

    Lecture: 00.
    """
    array = real_array(value, name)
    if array.ndim == 1:
        return array[:, None]
    if array.ndim != 2:
        raise ValueError(
            f"{name} has shape {array.shape}; a sequence is (T,) numbers or (T, D): T frames of D features."
        )
    return array


def sequences(values, name):
    """List of (T_i, D) float64 sequences that share D.

    Raises
    ------
    ValueError
        For an empty list, an element that is no sequence, or different numbers of features.

    Lecture: 00.
    """
    if isinstance(values, np.ndarray) and values.ndim < 2 and values.dtype != object:
        raise ValueError(f"{name} must be a list of sequences, but came as one array of shape {values.shape}.")
    checked = [sequence(value, f"{name}[{k}]") for k, value in enumerate(values)]
    if not checked:
        raise ValueError(f"{name} is empty; at least one sequence is needed.")
    for k, one in enumerate(checked):
        if one.shape[1] != checked[0].shape[1]:
            raise ValueError(
                f"{name}[{k}] has {one.shape[1]} features per frame, but {name}[0] has {checked[0].shape[1]}; "
                "all must have the same."
            )
    return checked


def same_features(x, y, x_name, y_name):
    """Nothing, if the (T, D) sequences x and y have the same number of features D.

    Raises
    ------
    ValueError
        If they differ; it names both shapes.

    Lecture: 00.
    """
    if x.shape[1] != y.shape[1]:
        hint = ""
        if x.shape[0] == y.shape[0]:
            hint = " Were rows and columns exchanged? Time runs along the first axis."
        raise ValueError(
            f"{x_name} has {x.shape[1]} features per frame (shape {x.shape}) and {y_name} has {y.shape[1]} "
            f"(shape {y.shape}); they must agree.{hint}"
        )


def positive(value, name):
    """Finite float > 0.

    Raises
    ------
    ValueError
        If it is no number, not finite, or not above zero.

    Lecture: 00.
    """
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or not np.isfinite(value) or value <= 0:
        raise ValueError(f"{name} is {value!r}; a finite number above 0 is needed.")
    return float(value)


def not_negative(value, name):
    """Finite float ≥ 0.

    Raises
    ------
    ValueError
        If it is no number, not finite, or below zero.

    Lecture: 00.
    """
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or not np.isfinite(value) or value < 0:
        raise ValueError(f"{name} is {value!r}; a finite number, 0 or more, is needed.")
    return float(value)


def whole(value, name, least=1):
    """Int of at least `least`.

    Raises
    ------
    ValueError
        If it is not a whole number or too small.

    Lecture: 00.
    """
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} is {value!r}; a whole number of at least {least} is needed.")
    return int(value)


def one_of(value, options, name):
    """The value itself, if it is one of the options.

    Raises
    ------
    ValueError
        If it is not; the message lists the options.

    Lecture: 00.
    """
    if value not in options:
        raise ValueError(f"{name} is {value!r}; choose one of {', '.join(map(repr, options))}.")
    return value


def indices(value, name, shape, count=None, of="numbers"):
    """Int64 array of whole numbers in 0 … count−1, of this shape, at least one.

    Parameters
    ----------
    shape : tuple; None in it stands for any length;  count : how many there are, or None if not known;  of what

    Raises
    ------
    ValueError
        For another shape, none at all, numbers that are not whole by their dtype, or out of range.

    Lecture: 00.
    """
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be rectangular, but its rows have different lengths ({error}).") from None
    fits = array.ndim == len(shape) and all(n in (None, got) for n, got in zip(shape, array.shape, strict=True))
    if not fits or array.dtype.kind not in "iu" or array.size == 0:
        wanted = ", ".join("m" if n is None else str(n) for n in shape) + ("," if len(shape) == 1 else "")
        raise ValueError(
            f"{name} has shape {array.shape} and dtype {array.dtype}; ({wanted}) whole numbers are needed, at least "
            "one."
        )
    wrong = np.argwhere((array < 0) | (array >= (2**63 if count is None else count)))
    if len(wrong):
        where = tuple(wrong[0].tolist())
        known = "0 or above is needed" if count is None else f"the {of} are 0 … {count - 1}"
        raise ValueError(f"{name}[{', '.join(map(str, where))}] is {array[where]}; {known}.")
    return array.astype(np.int64)


def pairs(value, n, name="pairs"):
    """(m, 2) int64 pairs (a, b) of n items, a ≠ b.

    Raises
    ------
    ValueError
        As `indices`, and if an item is compared with itself.

    Lecture: 00.
    """
    array = indices(value, name, (None, 2), n, "items")
    same = np.flatnonzero(array[:, 0] == array[:, 1])
    if len(same):
        k = same[0]
        raise ValueError(f"{name}[{k}] is {tuple(array[k].tolist())}: an item cannot be compared with itself.")
    return array
