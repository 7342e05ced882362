"""Converts the return value of a student's function to the expected type, and compares it.

Only plain doubles, integers and characters are compared, never the student's own objects: an object that claims to
equal everything must not pass. Lecture: 00.
"""

import inspect
import numbers
import reprlib
from fractions import Fraction

import numpy as np

SHOWN_CHARACTERS = 160
DIGITS_SHOWN, DIGITS_IN_ARRAYS, MOST_DIGITS = 7, 5, 17
MAX_EXACT_INTEGER = 1e15  # larger integers are shown with only some of their digits
MAX_ENTRIES_SHOWN = 60  # of longer arrays only some entries are shown
HUGE_INTEGER = 2**63
KIND_WORDS = {"b": "truth values", "i": "whole numbers", "f": "numbers"}


class Unreadable(ValueError):
    """The value does not have the expected type: what was returned, in words, and a question for the student."""

    def __init__(self, got, question=""):
        super().__init__(f"{got}. {question}".rstrip())
        self.got, self.question = got, question


def read(value, like):
    """The value as a plain object of the same kind as `like`: a number, text, truth value, array or tuple of these.

    like : bool, int, float, str, array, or tuple of them: the expected answer

    Raises Unreadable for anything else, which tells the student what was returned and what is needed.
    """
    value = plainly(value)
    if value is None:
        raise Unreadable("nothing came back (None)", "Does every path through your function reach a return?")
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
    """A matrix as an array, a masked array with NaN for masked values, a fraction as a number; others unchanged."""
    if type(value) is np.ma.MaskedArray:
        return value.astype(float).filled(np.nan)
    if type(value) is Fraction:
        return value.numerator / value.denominator
    return np.array(value) if type(value) is np.matrix else value


def agrees(value, expected, tolerance):
    """Whether two values from `read` have the same shape and are equal up to the tolerance (relative and absolute)."""
    if isinstance(expected, tuple):
        pairs = zip(value, expected, strict=True)
        return all(agrees(one, other, tolerance) for one, other in pairs)
    if isinstance(expected, str):
        return value == expected
    if np.shape(value) != np.shape(expected):
        return False
    value, expected = np.asarray(value, dtype=float), np.asarray(expected, dtype=float)
    if np.isfinite(expected).all():  # the same as below, twice as fast, and asked most of all
        with np.errstate(invalid="ignore"):
            return bool((np.abs(value - expected) <= tolerance + tolerance * np.abs(expected)).all())
    return bool(np.allclose(value, expected, rtol=tolerance, atol=tolerance, equal_nan=True))


def size(value):
    """How many numbers there are in a value, or in a tuple or list of them."""
    return sum(map(size, value)) if isinstance(value, tuple | list) else np.size(value)


def quibble(value, expected):
    """A sentence about a problem of a readable value (its shape, a NaN, an infinity), or an empty one."""
    if isinstance(expected, tuple):
        return next(filter(None, map(quibble, value, expected)), "")
    if isinstance(expected, str):
        return ""
    if np.shape(value) != np.shape(expected):
        return f"It has the shape {np.shape(value)}; {np.shape(expected)} is needed."
    if np.isnan(value).any() and not np.isnan(expected).any():
        return (
            "NaN is not a number: which step produced it? Infinity minus infinity, 0/0 or a NaN in the input can, or "
            "a line of yours that writes NaN for something missing."
        )
    if np.isinf(value).any() and not np.isinf(expected).any():
        return "Infinity came out. Which cells were never filled, and which step reads them?"
    return ""


def show(value):
    """One line of text for a value, never longer than SHOWN_CHARACTERS, the same on every machine."""
    return shorten(_text_of(value))


def contrast(value, expected, tolerance):
    """Texts for a wrong value and for the right one that show where they differ, with as many digits as needed.

    If there is no room for the complete values, the texts give the first entry that differs, or the shapes if these
    differ.
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
    """As `show`, with more digits and of any length."""
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, int) and abs(value) >= HUGE_INTEGER:
        return "a huge whole number"
    if isinstance(value, numbers.Real):
        return _figure(value, DIGITS_SHOWN + more)
    if isinstance(value, np.ndarray):
        entry = {"float_kind": lambda number: _figure(number, DIGITS_IN_ARRAYS + more)}
        return np.array2string(value, separator=", ", threshold=MAX_ENTRIES_SHOWN, formatter=entry)
    if isinstance(value, (list, tuple)):
        inner = ", ".join(_text_of(one, more) for one in value[:MAX_ENTRIES_SHOWN])
        return f"[{inner}{', …' if len(value) > MAX_ENTRIES_SHOWN else ''}]"
    if isinstance(value, (str, complex, np.complexfloating)):
        return reprlib.repr(value)
    return f"an object of type {type(value).__name__}"


def _line_of(value, more=0):
    return " ".join(_text_of(value, more).split())


def _fits(text):
    """Whether the text of a value is short, and leaves out no entry of an array."""
    return len(text) <= SHOWN_CHARACTERS and "..." not in text


def _outline(value):
    """The shapes of arrays instead of their entries."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_outline, value))}]"
    return f"an array of {_shape(value)}" if isinstance(value, np.ndarray) else _text_of(value)


def _figure(number, digits):
    """A number with this many digits; an integer with all of them."""
    number = float(number)
    return f"{number:.0f}" if number.is_integer() and abs(number) < MAX_EXACT_INTEGER else f"{number:.{digits}g}"


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
    """(additional digits, texts) such that two different numbers also differ in print."""
    digits = DIGITS_IN_ARRAYS if in_array else DIGITS_SHOWN
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
    if _kind(value) not in "if" or (isinstance(value, int) and abs(value) >= HUGE_INTEGER):
        raise Unreadable(f"{_what(value)} came back; one number is needed")
    return float(value)


def _only(value):
    """The only entry of a list or an array of length one; any other value unchanged."""
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
    as_integers = array.dtype.kind == "f" and _kind(like) == "i"
    whole = as_integers and (np.abs(array) < MAX_EXACT_INTEGER).all() and (array % 1 == 0).all()
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
    return f"an array of {_shape(like)} {KIND_WORDS[_kind(like)]}"


def _shape(array):
    return " × ".join(map(str, array.shape))
