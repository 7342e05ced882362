"""Reads what a student's function returned as the kind of thing that was asked for, and compares it.

Only plain doubles, integers and characters are ever compared, never the student's own objects: an object that says
it equals everything must not pass. Lecture: 00.
"""

import inspect
import numbers
import reprlib

import numpy as np

SHOWN_CHARACTERS = 160
HUGE = 2**63
KINDS = {"b": "truth values", "i": "whole numbers", "f": "numbers"}


class Unreadable(ValueError):
    """The value is not of the kind that was asked for: what came, in words, and the question to ask the student."""

    def __init__(self, got, question=""):
        super().__init__(f"{got}. {question}".rstrip())
        self.got, self.question = got, question


def read(value, like):
    """The value as a plain thing of the same kind as `like`: a number, text, truth value, array or tuple of these.

    Parameters
    ----------
    value : whatever a student's function returned
    like : bool, int, float, str, array, or tuple of them: the expected answer

    Raises
    ------
    Unreadable
        If it is something else; it tells the student what came and what is needed.

    Lecture: 00.
    """
    if value is None:
        raise Unreadable("nothing came back (None)", "Does every way through your function reach a return?")
    if inspect.isgenerator(value):
        raise Unreadable("a generator came back", "Is there a yield where a return is meant?")
    if inspect.isroutine(value):
        raise Unreadable("a function came back, not its result", "Are its parentheses missing?")
    if isinstance(like, tuple):
        return _tuple(value, like)
    if isinstance(like, np.ndarray):
        return _array(value, like)
    if isinstance(like, str):
        return _text(value)
    return _truth(value) if isinstance(like, bool | np.bool_) else _number(value)


def agrees(value, expected, tolerance):
    """Whether two things that were read are equal up to the tolerance (relative and absolute), shape included.

    Lecture: 00.
    """
    if isinstance(expected, tuple):
        pairs = zip(value, expected, strict=True)
        return all(agrees(one, other, tolerance) for one, other in pairs)
    if isinstance(expected, str):
        return value == expected
    if np.shape(value) != np.shape(expected):
        return False
    return bool(np.allclose(value, expected, rtol=tolerance, atol=tolerance, equal_nan=True))


def quibble(value, expected):
    """A sentence about what is odd in a readable value (its shape, a NaN, an infinity), or an empty one.

    Lecture: 00.
    """
    if isinstance(expected, tuple):
        return next(filter(None, map(quibble, value, expected)), "")
    if isinstance(expected, str):
        return ""
    if np.shape(value) != np.shape(expected):
        return f"It has the shape {np.shape(value)}; {np.shape(expected)} is needed."
    if np.isnan(value).any() and not np.isnan(expected).any():
        return "NaN is not a number: which step made it? Infinity minus infinity, 0/0 and a NaN in the input do."
    if np.isinf(value).any() and not np.isinf(expected).any():
        return "Infinity came out. Which cells were never filled, and who read them?"
    return ""


def show(value):
    """One line of text for a value, never longer than SHOWN_CHARACTERS, the same on every machine.

    Lecture: 00.
    """
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, int) and abs(value) >= HUGE:
        return "a huge whole number"
    if isinstance(value, numbers.Real):
        return f"{float(value):.7g}"
    if isinstance(value, np.ndarray):
        entry = {"float_kind": lambda number: f"{number:.5g}"}
        return shorten(np.array2string(value, separator=", ", threshold=60, formatter=entry))
    if isinstance(value, (list, tuple)):
        return shorten(f"[{', '.join(map(show, value[:60]))}{', …' if len(value) > 60 else ''}]")
    if isinstance(value, (str, complex, np.complexfloating)):
        return shorten(reprlib.repr(value))
    return f"an object of type {type(value).__name__}"


def shorten(text):
    """The text on one line, cut after SHOWN_CHARACTERS.

    Lecture: 00.
    """
    text = " ".join(text.split()).replace("[ ", "[")
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def _number(value):
    if np.ndim(value) > 0 if type(value) is np.ndarray else isinstance(value, (list, tuple)):
        raise Unreadable(f"{_what(value)} came back; one number is needed", "Which of its entries is the answer?")
    if _kind(value) == "c":
        raise Unreadable("a complex number came back; a real one is needed", "Was a root taken of a negative number?")
    if _kind(value) not in "if" or (isinstance(value, int) and abs(value) >= HUGE):
        raise Unreadable(f"{_what(value)} came back; one number is needed")
    return float(value)


def _array(value, like):
    if type(value) not in (np.ndarray, list, tuple):
        raise Unreadable(f"{_what(value)} came back; {_needed(like)} is needed")
    try:
        array = np.array(value)
    except ValueError:
        raise Unreadable(f"a list with rows of different lengths came back; {_needed(like)} is needed") from None
    allowed = {"i": "iu", "f": "iuf", "b": "b"}[_kind(like)]
    if array.dtype.kind not in allowed and array.size > 0:
        raise Unreadable(f"{_what(value)} of {_contents(array)} came back; {_needed(like)} is needed")
    return array.astype(like.dtype)


def _tuple(value, like):
    if type(value) not in (tuple, list) or len(value) != len(like):
        raise Unreadable(f"{_what(value)} came back; {len(like)} values are needed", "return a, b gives two.")
    return tuple(read(one, other) for one, other in zip(value, like, strict=True))


def _text(value):
    if type(value) not in (str, np.str_):
        raise Unreadable(f"{_what(value)} came back; text is needed")
    return str(value)


def _truth(value):
    if type(value) not in (bool, np.bool_):
        raise Unreadable(f"{_what(value)} came back; True or False is needed")
    return bool(value)


def _kind(value):
    """NumPy's letter for a number (i, f, c) or a truth value (b); "O" for anything else."""
    if type(value) is np.ndarray or isinstance(value, np.generic):
        return {"u": "i"}.get(value.dtype.kind, value.dtype.kind)
    if isinstance(value, bool):
        return "b"
    for letter, numbers_like in (("i", int), ("f", float), ("c", complex)):
        if isinstance(value, numbers_like):
            return letter
    return "O"


def _what(value):
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, (list, tuple)):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, bool | np.bool_):
        return f"the truth value {bool(value)}"
    if isinstance(value, str):
        return f"the text {shorten(repr(value))}"
    if isinstance(value, numbers.Real):
        return f"the number {show(value)}"
    return f"something of type {type(value).__name__}"


def _contents(array):
    kinds = {"f": "numbers with decimals", "b": "truth values", "c": "complex numbers"}
    return (kinds | dict.fromkeys("iu", "whole numbers")).get(array.dtype.kind, "objects")


def _needed(like):
    shape = " × ".join(map(str, like.shape))
    return f"an array of {shape} {KINDS[_kind(like)]}"
