"""Transfers the outcome of a call from the student's process to the grader's, as plain data. Lecture: 00.

The grader does not trust it: numbers, text and arrays are rebuilt, everything else arrives as the name of its type,
and nothing is ever executed.
"""

import base64
import builtins

import numpy as np

from course_checks.reading import HUGE_INTEGER, plainly
from course_checks.running import Outcome, Place, TimeUp, message

LONGEST_TEXT, LONGEST_LIST, LARGEST_ARRAY, DEEPEST_LIST = 10_000, 100_000, 10_000_000, 8
NUMBER_KINDS, WIDEST = "biufc", {"f": "<f8", "c": "<c16"}
ARRAY_DTYPES = {np.dtype(letter).newbyteorder("<").str for letter in "?bhilqBHILQdD"}
EXCEPTION_TYPES = [kind for kind in vars(builtins).values() if isinstance(kind, type) and issubclass(kind, Exception)]
PLAIN_EXCEPTIONS = [
    kind for kind in EXCEPTION_TYPES if not issubclass(kind, UnicodeError | ExceptionGroup)
]  # made of a message alone
TOLD_APART = {kind.__name__: kind for kind in (*PLAIN_EXCEPTIONS, TimeUp, np.linalg.LinAlgError)}


def to_data(outcome):
    """An Outcome in JSON form."""
    error, place = outcome.error, outcome.place
    return {
        "value": _told(outcome.value),
        "error": None if error is None else [type(error).__name__, message(error)[:LONGEST_TEXT]],
        "place": None if place is None else [place.function, place.line, place.text],
        "printed": outcome.printed,
        "changed": outcome.changed,
    }


def from_data(data):
    """The Outcome from `to_data`; its error has the name and the message of the original.

    Raises ValueError, TypeError or KeyError if `to_data` cannot have produced these data.
    """
    name, message = data["error"] or (None, "")
    return Outcome(
        value=_unpack(data["value"]),
        error=None if name is None else TOLD_APART.get(name, type(str(name), (Exception,), {}))(str(message)),
        place=None if data["place"] is None else Place(*data["place"]),
        printed=str(data["printed"]),
        changed=None if data["changed"] is None else int(data["changed"]),
    )


def _told(value):
    """The packed value; for an object whose own code raises an error, its type."""
    try:
        return _pack(value)
    except Exception:
        return ["other", type(value).__name__]


def _pack(value, depth=0):
    """A value as [kind, content]; for values that are too large, or that no check can use, the type."""
    value = plainly(value)
    if value is None or isinstance(value, bool | np.bool_):
        return ["plain", None if value is None else bool(value)]
    if type(value) in (str, np.str_):
        return ["plain", str(value)[:LONGEST_TEXT]]
    if isinstance(value, int | np.integer):
        return ["plain", max(-HUGE_INTEGER, min(int(value), HUGE_INTEGER))]
    if isinstance(value, float | np.floating):
        return ["plain", float(value)]
    if isinstance(value, complex | np.complexfloating):
        return ["complex", [float(value.real), float(value.imag)]]
    if type(value) in (tuple, list) and len(value) <= LONGEST_LIST and depth < DEEPEST_LIST:
        return [type(value).__name__, [_pack(one, depth + 1) for one in value]]
    if type(value) is np.ndarray and value.dtype.kind in NUMBER_KINDS and value.nbytes <= LARGEST_ARRAY:
        portable = value.astype(WIDEST.get(value.dtype.kind, value.dtype.newbyteorder("<")))
        return ["array", [portable.dtype.str, portable.shape, base64.b64encode(portable.tobytes()).decode()]]
    return ["other", type(value).__name__]


def _unpack(data):
    kind, content = data
    if kind == "plain" and isinstance(content, bool | int | float | str | None):
        return content
    if kind == "complex":
        return complex(*content)
    if kind in ("tuple", "list"):
        return {"tuple": tuple, "list": list}[kind](map(_unpack, content))
    if kind == "array":
        code, shape, text = content
        if code in ARRAY_DTYPES:
            return np.frombuffer(base64.b64decode(text), np.dtype(code)).reshape(shape).copy()
    if kind == "other":
        return type(str(content), (), {})()
    raise ValueError(f"{kind!r} is not a valid kind of value in an answer.")
