"""Argument checks: each returns the value in the form that the library uses, or raises a ValueError that explains.

Every message names the argument, the value received, and what is needed. An array may be anything that NumPy can
convert to an array of numbers: a list, a Series, a DataFrame of numbers. Columns of objects and masked values are
rejected. Numbers must be below 1e100, so that no sum of squares overflows unnoticed.

Lecture: 00; 04, section 1.
"""

import importlib
import numbers
import sys
import warnings
from pathlib import Path

import numpy as np

BOOLEAN_TYPES = (bool, np.bool_)
LARGEST_NUMBER = 1e100  # squares, cubes and sums of larger numbers may overflow
LARGEST_COUNT = 2**53  # above it floats do not represent every integer


def array(value, name):
    """NumPy array of an array, of lists of numbers, and of what NumPy reads as such (a Series, a DataFrame)."""
    if np.ma.is_masked(value):
        raise ValueError(
            f"{name} is a masked array with {np.ma.count_masked(value)} values masked, which would be unmasked: "
            "remove or fill them (with NaN where an answer or a frame may be missing)."
        )
    try:
        found = np.asarray(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be rectangular, but its rows have different lengths ({error}).") from None
    if found.dtype == object and found.ndim == 0:
        raise ValueError(f"{name} {came(value)}; an array or a list of numbers is needed.")
    return found


def came(value):
    """The value for an error message: itself if it is short, else the name of its type."""
    short = value is None or np.isscalar(value) or (isinstance(value, np.ndarray) and value.ndim == 0)
    return f"is {value!r}" if short else f"came as a value of type {type(value).__name__}"


def real_array(value, name, empty=False):
    """Float64 array of finite real numbers, with at least one element unless it may be empty."""
    found = real_numbers(value, name)
    if found.size == 0 and not empty:
        raise ValueError(f"{name} is empty (shape {found.shape}); at least one element is needed.")
    if not np.isfinite(found).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(found))[0])
        raise ValueError(
            f"{name}{list(where)} is {found[where]}; all values must be finite. "
            "Remove such frames or fill them before calling."
        )
    return found


def real_numbers(value, name):
    """Float64 array of any shape; NaN and infinity are allowed."""
    found = array(value, name)
    if np.iscomplexobj(found):
        raise ValueError(
            f"{name} holds complex numbers (dtype {found.dtype}); real numbers are needed. "
            "For a spectrum, take np.abs(…) or its logarithm first."
        )
    if found.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, but its dtype is {found.dtype}.")
    found = np.ascontiguousarray(found, dtype=np.float64).reshape(found.shape)
    if found.size and not (found.min() >= -LARGEST_NUMBER and found.max() <= LARGEST_NUMBER):
        large = np.argwhere(np.isfinite(found) & (np.abs(found) > LARGEST_NUMBER))
        if len(large):
            where = tuple(large[0].tolist())
            raise ValueError(
                f"{name}{list(where)} is {found[where]:g}, which is too large: a sum of squares would overflow. "
                f"Scale {name}, so that it stays below {LARGEST_NUMBER:g}."
            )
    return found


def answers(value, name):
    """Float64 array of answers, of any shape and a new one; NaN is a missing answer, and so is None."""
    found = array(value, name)
    if found.dtype == object and all(x is None or isinstance(x, numbers.Real) for x in found.flat):
        try:
            found = np.array([np.nan if x is None else float(x) for x in found.flat]).reshape(found.shape)
        except OverflowError:
            raise ValueError(f"{name} holds a whole number beyond 1e308; answers must be finite.") from None
    if found.dtype.kind not in "biuf":
        raise ValueError(
            f"{name} must hold real numbers, and NaN where an answer is missing; its dtype is {found.dtype}."
        )
    found = real_numbers(found, name).copy()
    if np.isinf(found).any():
        where = tuple(int(i) for i in np.argwhere(np.isinf(found))[0])
        raise ValueError(f"{name}{list(where)} is {found[where]}; answers must be finite, NaN where one is missing.")
    return found


def sequence(value, name):
    """(T, D) float64 sequence of T frames; a one-dimensional input becomes T frames of one number."""
    array = real_array(value, name)
    if array.ndim == 1:
        return array[:, None]
    if array.ndim != 2:
        raise ValueError(
            f"{name} has shape {array.shape}; a sequence is (T,) numbers or (T, D): T frames of D features."
        )
    return array


def same_features(x, y, x_name, y_name):
    """Raise ValueError unless the (T, D) sequences x and y have the same number of features D."""
    if x.shape[1] != y.shape[1]:
        hint = ""
        if x.shape[0] == y.shape[0]:
            hint = " Are rows and columns swapped? Time runs along the first axis."
        raise ValueError(
            f"{x_name} has {x.shape[1]} features per frame (shape {x.shape}) and {y_name} has {y.shape[1]} "
            f"(shape {y.shape}); they must agree.{hint}"
        )


def finite(value, name):
    """Finite float of any sign."""
    return _number(value, name, lambda x: True, "a finite number")


def positive(value, name):
    """Finite float > 0."""
    return _number(value, name, lambda x: x > 0, "a finite number above 0")


def not_negative(value, name):
    """Finite float ≥ 0."""
    return _number(value, name, lambda x: x >= 0, "a finite number, 0 or more,")


def between(value, name, low, high):
    """Float strictly between low and high, such as a confidence between 0 and 1."""
    return _number(value, name, lambda x: low < x < high, f"a number strictly between {low:g} and {high:g}")


def fraction(value, name):
    """Float from 0 to 1, both included, such as a probability."""
    return _number(value, name, lambda x: 0 <= x <= 1, "a number from 0 to 1")


def _number(value, name, fits, needed):
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}; {needed} is needed.")
    try:
        found = float(value)
    except OverflowError:
        raise ValueError(f"{name} is a number beyond 1e308; {needed} is needed.") from None
    if not np.isfinite(found) or not fits(found):
        raise ValueError(f"{name} is {value!r}; {needed} is needed.")
    if abs(found) > LARGEST_NUMBER:
        raise ValueError(
            f"{name} is {value!r}; {needed} is needed, and not above {LARGEST_NUMBER:g}: it will be squared."
        )
    return found


def ends(pair, name):
    """(low, high) as floats: the two ends of a scale, given as a pair."""
    found = real_array(pair, name)
    if found.shape != (2,) or not found[0] < found[1]:
        raise ValueError(f"{name} is {pair!r}; two finite numbers (low, high) with low < high are needed.")
    return float(found[0]), float(found[1])


def interval(low, high, names=("low", "high")):
    """(low, high) as floats: the two ends of a scale."""
    low, high = finite(low, names[0]), finite(high, names[1])
    if not low < high:
        raise ValueError(f"{names[0]} is {low:g} and {names[1]} {high:g}; {names[0]} < {names[1]} is needed.")
    return low, high


def integer(value, name, least=1):
    """Int of at least `least` and at most 2**53."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} is {value!r}; a whole number of at least {least} is needed.")
    if value > LARGEST_COUNT:
        raise ValueError(f"{name} is a whole number of {int(value).bit_length()} bits; one up to 2**53 is needed.")
    return int(value)


def one_of(value, options, name):
    """The option that equals the value; True does not equal 1 here, and arrays are rejected."""
    if value is None or isinstance(value, (str, numbers.Real, np.bool_)):
        for option in options:
            if value == option and isinstance(value, BOOLEAN_TYPES) == isinstance(option, BOOLEAN_TYPES):
                return option
    raise ValueError(f"{name} is {value!r}; choose one of {', '.join(map(repr, options))}.")


def instance(value, kind, name, needed):
    """The value itself, if it is an instance of the class, or of one of several."""
    if not isinstance(value, kind):
        raise ValueError(f"{name} is {value!r}; {needed} is needed.")
    return value


def has_methods(value, methods, name, needed):
    """The value itself, if it is an object (not a class) with these methods."""
    if isinstance(value, type) or not all(callable(getattr(value, method, None)) for method in methods):
        raise ValueError(f"{name} is {value!r}; {needed} is needed: something with {' and '.join(methods)}.")
    return value


def text(value, name, needed="a text"):
    """The string itself, if it is one and not blank."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} is {value!r}; {needed} is needed.")
    return value


def path(value, name):
    """pathlib.Path of a file or folder."""
    if not isinstance(value, (str, Path)) or not str(value):
        raise ValueError(f"{name} is {value!r}; the name of a file or a folder is needed.")
    return Path(value)


def flag(value, name):
    """The bool itself; anything else is rejected, since a text such as "False" would count as true."""
    if not isinstance(value, BOOLEAN_TYPES):
        raise ValueError(f"{name} is {value!r}; True or False is needed.")
    return bool(value)


def generator(value, name="rng"):
    """The random generator for `rng`: a NumPy Generator is continued, a seed starts a new one.

    value : numpy Generator; an integer from 0 up, or a list of them, as a seed; or None: not reproducible

    Source: SPEC 7 of the Scientific Python project, which names the argument rng.
    """
    seeds = value if isinstance(value, (list, tuple)) and value else [value]
    whole = all(isinstance(seed, numbers.Integral) and not isinstance(seed, bool) and seed >= 0 for seed in seeds)
    if not (value is None or whole or isinstance(value, np.random.Generator)):
        raise ValueError(f"{name} is {value!r}; None, a whole number from 0 up, or a numpy Generator is needed.")
    return np.random.default_rng(value)


def matrix(value, name, shape):
    """Float64 array of finite real numbers of exactly this shape."""
    found = real_array(value, name)
    if found.shape != shape:
        raise ValueError(f"{name} has shape {found.shape}; {shape} is needed.")
    return found


def vectors(least=1, **values):
    """(n,) float64 arrays of finite real numbers, all of the same length n ≥ least, in the order given."""
    found = {name: real_array(value, name) for name, value in values.items()}
    shapes = {one.shape for one in found.values()}
    if len(shapes) > 1 or any(one.ndim != 1 or len(one) < least for one in found.values()):
        given = ", ".join(f"{name} has shape {one.shape}" for name, one in found.items())
        raise ValueError(f"{given}; each must be (n,) with the same n of at least {least}: one number for each item.")
    return list(found.values())


def positives(value, name):
    """Float64 array of finite numbers > 0."""
    found = real_array(value, name)
    if (found <= 0).any():
        raise ValueError(f"{name} is {found.tolist()}; every element must be above 0.")
    return found


def square(value, name):
    """(N, N) float64 array of finite real numbers."""
    found = real_array(value, name)
    if found.ndim != 2 or found.shape[0] != found.shape[1]:
        raise ValueError(f"{name} has shape {found.shape}; a square matrix (N, N) is needed.")
    return found


def fitted(model, *attributes):
    """The model, if it has these fitted attributes; else scikit-learn's NotFittedError is raised."""
    missing = [name for name in attributes if not hasattr(model, name)]
    if missing:
        from sklearn.exceptions import NotFittedError

        raise NotFittedError(f"this {type(model).__name__} is not fitted yet (no {missing[0]}): call fit first.")
    return model


def unused(value, name, why):
    """Raise ValueError if an argument that exists only by convention was set."""
    if value is not None:
        raise ValueError(f"{name} {came(value)}, but {why}; leave it out.")


def optional_import(module, name):
    """Import a module of an optional dependency; if it is missing, a ModuleNotFoundError says how to install it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if not f"{module}.".startswith(f"{error.name}."):
            raise
        raise ModuleNotFoundError(
            f"{error.name} is not installed; it comes with the extra {name!r}. "
            f"Type: {sys.executable} -m pip install 'course-lib[{name}]'",
            name=error.name,
        ) from error


def warn(message, category):
    """Issue a warning that points to the line outside the library that called it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("course_"):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
