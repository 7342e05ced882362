"""Reads what a student's function returned as the kind of thing that was asked for, and compares it.

Only plain doubles, integers and characters are ever compared, never the student's own objects: an object that says
it equals everything must not pass. Lecture: 00.
"""

import inspect
import numbers
import reprlib
from fractions import Fraction

import numpy as np

SHOWN_CHARACTERS = 160
DIGITS, DIGITS_IN_ARRAYS, MOST_DIGITS = 7, 5, 17
WHOLE = 1e15  # above it a whole number is shown with some of its digits only
LONG = 60  # entries of an array, of which only some are shown
HUGE = 2**63
KINDS = {"b": "truth values", "i": "whole numbers", "f": "numbers"}


class Unreadable(ValueError):
    """The value is not of the kind that was asked for: what came, in words, and the question to ask the student."""

    def __init__(self, got, question=""):
        super().__init__(f"{got}. {question}".rstrip())
        self.got, self.question = got, question


def read(value, like):
    """The value as a plain thing of the same kind as `like`: a number, text, truth value, array or tuple of these.

    like : bool, int, float, str, array, or tuple of them: the expected answer

    Anything else raises Unreadable, which tells the student what came and what is needed.
    """
    value = plainly(value)
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


def plainly(value):
    """A matrix as an array, a masked one with NaN for what is masked, a fraction as a number; all else as it is."""
    if type(value) is np.ma.MaskedArray:
        return value.astype(float).filled(np.nan)
    if type(value) is Fraction:
        return value.numerator / value.denominator
    return np.array(value) if type(value) is np.matrix else value


def agrees(value, expected, tolerance):
    """Whether two things that were read are equal up to the tolerance (relative and absolute), shape included."""
    if isinstance(expected, tuple):
        pairs = zip(value, expected, strict=True)
        return all(agrees(one, other, tolerance) for one, other in pairs)
    if isinstance(expected, str):
        return value == expected
    if np.shape(value) != np.shape(expected):
        return False
    return bool(np.allclose(value, expected, rtol=tolerance, atol=tolerance, equal_nan=True))


def quibble(value, expected):
    """A sentence about what is odd in a readable value (its shape, a NaN, an infinity), or an empty one."""
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
    """One line of text for a value, never longer than SHOWN_CHARACTERS, the same on every machine."""
    return shorten(_text_of(value))


def contrast(value, expected, tolerance):
    """Texts for a wrong value that was read and for the right one, in which one sees where they differ.

    With as many digits as it takes. Where there is no room for a whole value, the first says which entry differs, and
    both say what is there; or its shapes, if these differ.
    """
    place = _first_difference(value, expected, tolerance)
    if place is None:
        return tuple(show(one) if _fits(_line_of(one)) else shorten(_outline(one)) for one in (value, expected))
    more, *entries = _told_apart(*(_entry(one, *place) for one in (value, expected)), bool(place[1]))
    texts = [_line_of(one, more) for one in (value, expected)]
    if all(map(_fits, texts)):
        return tuple(map(shorten, texts))
    part, index = place
    whole = f"an array of {_shape(_entry(value, part))}" if part is None else f"answer {part + 1} of {len(expected)}"
    return f"{entries[0]} for entry {list(index)} of {whole}", entries[1]


def shorten(text):
    """The text on one line, cut after SHOWN_CHARACTERS."""
    text = " ".join(text.split()).replace("[ ", "[")
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def _text_of(value, more=0):
    """What `show` says, with more digits and of any length."""
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, int) and abs(value) >= HUGE:
        return "a huge whole number"
    if isinstance(value, numbers.Real):
        return _figure(value, DIGITS + more)
    if isinstance(value, np.ndarray):
        entry = {"float_kind": lambda number: _figure(number, DIGITS_IN_ARRAYS + more)}
        return np.array2string(value, separator=", ", threshold=LONG, formatter=entry)
    if isinstance(value, (list, tuple)):
        inner = ", ".join(_text_of(one, more) for one in value[:LONG])
        return f"[{inner}{', …' if len(value) > LONG else ''}]"
    if isinstance(value, (str, complex, np.complexfloating)):
        return reprlib.repr(value)
    return f"an object of type {type(value).__name__}"


def _line_of(value, more=0):
    return " ".join(_text_of(value, more).split())


def _fits(text):
    """Whether a text on a value is short, and no entry of an array is left out of it."""
    return len(text) <= SHOWN_CHARACTERS and "..." not in text


def _outline(value):
    """The shapes of arrays in the place of their entries."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_outline, value))}]"
    return f"an array of {_shape(value)}" if isinstance(value, np.ndarray) else _text_of(value)


def _figure(number, digits):
    """A number with so many digits; a whole one with all of them."""
    number = float(number)
    return f"{number:.0f}" if number.is_integer() and abs(number) < WHOLE else f"{number:.{digits}g}"


def _first_difference(value, expected, tolerance):
    """(part, index) of the first entry that differs, part being None outside tuples; None if shapes or texts do."""
    if isinstance(expected, tuple):
        parts = enumerate(zip(value, expected, strict=True))
        part, both = next((part, both) for part, both in parts if not agrees(*both, tolerance))
        place = None if isinstance(both[1], tuple) else _first_difference(*both, tolerance)
        return None if place is None else (part, place[1])
    if isinstance(expected, str) or np.shape(value) != np.shape(expected):
        return None
    same = np.isclose(value, expected, rtol=tolerance, atol=tolerance, equal_nan=True)
    return None if same.all() else (None, tuple(int(k) for k in np.argwhere(~same)[0]))


def _entry(value, part, index=()):
    """One entry of an array, or of the array that is one part of a tuple."""
    return np.asarray(value if part is None else value[part])[index]


def _told_apart(one, other, in_array):
    """(digits more than usual, texts) with which two different numbers differ in print, too."""
    digits = DIGITS_IN_ARRAYS if in_array else DIGITS
    for more in range(MOST_DIGITS - digits):
        texts = [
            _text_of(entry.item()) if entry.dtype == bool else _figure(entry, digits + more) for entry in (one, other)
        ]
        if texts[0] != texts[1]:
            break
    return more, *texts


def _number(value):
    value = _only(value)
    if np.ndim(value) > 0 if type(value) is np.ndarray else isinstance(value, (list, tuple)):
        raise Unreadable(f"{_what(value)} came back; one number is needed", "Which of its entries is the answer?")
    if _kind(value) == "c":
        raise Unreadable("a complex number came back; a real one is needed", "Was a root taken of a negative number?")
    if _kind(value) not in "if" or (isinstance(value, int) and abs(value) >= HUGE):
        raise Unreadable(f"{_what(value)} came back; one number is needed")
    return float(value)


def _only(value):
    """The entry of a list or an array that has no other; any other value as it is."""
    if type(value) is np.ndarray and value.size == 1:
        return value.reshape(())[()]
    return value[0] if type(value) in (list, tuple) and len(value) == 1 else value


def _array(value, like):
    if like.shape == (1,) and _kind(value) in "if" and np.ndim(value) == 0:
        value = [value]
    if type(value) not in (np.ndarray, list, tuple):
        raise Unreadable(f"{_what(value)} came back; {_needed(like)} is needed")
    try:
        array = np.array(value)
    except ValueError:
        raise Unreadable(f"a list with rows of different lengths came back; {_needed(like)} is needed") from None
    allowed = {"i": "iu", "f": "iuf", "b": "b"}[_kind(like)]
    whole = array.dtype.kind == "f" and _kind(like) == "i" and (np.abs(array) < WHOLE).all() and (array % 1 == 0).all()
    if array.dtype.kind not in allowed and array.size > 0 and not whole:
        raise Unreadable(f"{_what(value)} of {_contents(array)} came back; {_needed(like)} is needed")
    return array.astype(like.dtype)


def _tuple(value, like):
    stacked = type(value) is np.ndarray and all(value.shape == (len(like), *np.shape(one)) for one in like)
    if not (stacked or type(value) in (tuple, list)) or len(value) != len(like):
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
    if type(value) is np.ndarray:
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
    return f"an array of {_shape(like)} {KINDS[_kind(like)]}"


def _shape(array):
    return " × ".join(map(str, array.shape))
