"""Finds what all wrong numbers of a function have in common, for mistakes that are not in the list. Lecture: 00."""

from functools import partial

import numpy as np

from course_checks import reading
from course_checks.traits import MIN_EVIDENCE, PATTERN_TOL, kept, off, sane, trait

LOOSE_TOLERANCE = 0.02
MIN_ALIKE = 4  # wrong numbers with one factor or one difference; two or three counts often have one by chance
NEIGHBOUR = "is in the place of its neighbour", "Is the first index 0 or 1?"
VALUE_CHANGES = (
    ("is 0 where it should be negative", "What has cut it off at 0?", lambda x: np.maximum(x, 0)),
    ("is 0", "Is it never filled, or subtracted from itself, or multiplied by 0?", np.zeros_like),
    ("has the other sign", "What is subtracted from what?", np.negative),
    ("is 1 divided by the right one", "What is the numerator, and what the denominator?", lambda x: 1 / x),
    ("is the square of the right one", "Which unit should it have?", np.square),
    ("is the root of the right one", "Which unit should it have?", np.sqrt),
    ("is the logarithm of the right one", "The logarithm, or the number itself?", np.log),
    ("is exp of the right one", "The number itself, or its logarithm?", np.exp),
    ("is 1 minus the right one", "Of which of the two events is it the probability?", lambda x: 1 - x),
    ("is right except for its sign", "Where was an absolute value taken, or a square?", np.abs),
    ("is cut to a whole number", "Where are decimals lost: in an array of whole numbers, by // or int?", np.trunc),
    *(("is rounded", "Return all digits: rounding is for print.", partial(np.round, decimals=k)) for k in (0, 2, 3)),
    ("is in the opposite place", "Which comes first?", lambda x: x[::-1]),
    (*NEIGHBOUR, lambda x: np.roll(x, 1, axis=0)),
    (*NEIGHBOUR, lambda x: np.roll(x, -1, axis=0)),
    ("has its row and column swapped", "Which index comes first?", np.transpose),
)
ARRAY_PLACES = {  # name: (whether an array of this shape has that place, which of its entries belong to it)
    "first": (lambda shape: len(shape) == 1 < shape[0], lambda shape: _at(shape, 0)),
    "last": (lambda shape: len(shape) == 1 < shape[0], lambda shape: _at(shape, -1)),
    "after the first": (lambda shape: len(shape) == 1 < shape[0], lambda shape: ~_at(shape, 0)),
    "before the last": (lambda shape: len(shape) == 1 < shape[0], lambda shape: ~_at(shape, -1)),
    "first row": (lambda shape: len(shape) == 2, lambda shape: _at(shape, 0)),
    "last row": (lambda shape: len(shape) == 2, lambda shape: _at(shape, -1)),
    "first column": (lambda shape: len(shape) == 2, lambda shape: _at(shape[::-1], 0).T),
    "last column": (lambda shape: len(shape) == 2, lambda shape: _at(shape[::-1], -1).T),
    "diagonal": (lambda shape: len(shape) == 2, lambda shape: np.eye(*shape, dtype=bool)),
    "off the diagonal": (lambda shape: len(shape) == 2, lambda shape: ~np.eye(*shape, dtype=bool)),
}
CONSTANTS = {
    **{k * sign: str(k * sign) for k in (1, 2, 3, 4) for sign in (1, -1)},
    np.sqrt(2): "√2",
    np.pi: "π",
    2 * np.pi: "2π",
    np.sqrt(2 * np.pi): "√(2π)",
    np.log(2): "log 2",
    np.log(10): "log 10",
    0.5 * np.log(2): "½ log 2",
    0.5 * np.log(2 * np.pi): "½ log 2π",
}


def pattern(verdicts, names=()):
    """What the wrong values of a function have in common, and the question that follows; "" if there is nothing."""
    wrong = [one for one in verdicts if not one.right and one.value is not None]
    if not wrong:
        return trait(verdicts, names)
    many = isinstance(wrong[0].case.expected, tuple)
    fine, bad = [], []
    for k in range(len(wrong[0].case.expected)) if many else [None]:
        parts = [(_part(one.value, k), _part(one.case.expected, k), one.case.tolerance) for one in wrong]
        pairs = [(got, right) for got, right, tolerance in parts if not reading.agrees(got, right, tolerance)]
        if many and not pairs:
            fine.append(str(k + 1))
        elif _comparable(pairs):
            rights = [np.asarray(_part(one.case.expected, k), float) for one in verdicts]
            pairs = [(np.asarray(got, float), np.asarray(right, float)) for got, right in pairs]
            bad.append((pairs, rights, f"answer {k + 1}" if many else "each wrong number"))
    with np.errstate(all="ignore"):
        told = [_of(*one) for one in bad]
        told = told if any(told) else [trait(verdicts, names)]
    told.insert(0, f"Right in all cases: answer {', '.join(fine)} of {len(wrong[0].case.expected)}." if fine else "")
    return " ".join(filter(None, told))


def wrong_parts(verdicts):
    """Indices of the answers, out of several, that are wrong in some case."""
    seen = [(one.value, one.case.expected, one.case.tolerance) for one in verdicts if one.value is not None]
    places = range(len(seen[0][1]) if seen else 0)
    return [k for k in places if not all(reading.agrees(got[k], right[k], near) for got, right, near in seen)]


def _part(value, k):
    return value if k is None else value[k]


def _comparable(pairs):
    """Whether these are pairs of numbers, or of arrays of one shape."""
    return not any(isinstance(right, (str, bool, tuple)) or np.shape(got) != np.shape(right) for got, right in pairs)


def _of(pairs, rights, what):
    """A sentence about pairs of a wrong and a right array, given the right arrays of all cases."""
    for looks, ask, change in VALUE_CHANGES:
        if _is(pairs, change):
            return f"In all wrong cases {what} {looks}. {ask}"
    return _by_a_constant(pairs, what) or kept(pairs, rights, what) or _in_a_place(pairs, what) or _nearly(pairs, what)


def _is(pairs, change):
    """Whether each value is the changed right one, and the change is visible."""
    if change is np.zeros_like and _may_be_names(pairs):
        return False
    visible = 0
    for got, right in pairs:
        if right.ndim == 0 and change in INDEXED:
            return False
        changed = change(right)
        if got.shape != changed.shape or not np.allclose(got, changed, PATTERN_TOL, PATTERN_TOL, equal_nan=True):
            return False
        visible += off(got, right).sum()
    return visible >= MIN_EVIDENCE


def _may_be_names(pairs):
    """Whether the right ones are arrays of whole numbers: of states, or places."""
    return all(right.ndim and (right % 1 == 0).all() for _, right in pairs)


INDEXED = tuple(change for *_, change in VALUE_CHANGES[-4:])


def _by_a_constant(pairs, what):
    """A sentence if all wrong numbers differ from the right ones by one factor, or by one difference."""
    got, right = (np.concatenate([one[k].ravel() for one in pairs]) for k in (0, 1))
    wrong = off(got, right)
    got, right = got[wrong], right[wrong]
    if len(got) < MIN_ALIKE or not sane((got, right)) or (_may_be_names(pairs) and not wrong.all()):
        return ""
    apart, factor = got - right, got / right
    if np.isfinite(factor).all() and factor[0] != 0 and np.allclose(factor, factor[0], PATTERN_TOL):
        if np.isclose(factor[0], -1, PATTERN_TOL):
            return f"In all wrong cases {what} has the other sign. What is subtracted from what?"
        times = f"{_named(factor[0])} times the right one"
        return f"In all wrong cases {what} is {times}. Which factor is missing, or occurs twice?"
    if np.allclose(apart, apart[0], PATTERN_TOL, PATTERN_TOL):
        side = "too large" if apart[0] > 0 else "too small"
        return f"In all wrong cases {what} is {side} by {_named(abs(apart[0]))}. What was added, or left out?"
    return ""


def _named(number):
    """The text of a number: the name of a constant, 1 divided by it, or its digits."""
    for constant, name in CONSTANTS.items():
        if np.isclose(number, constant, PATTERN_TOL, 0):
            return name
        if np.isclose(number, 1 / constant, PATTERN_TOL, 0):
            return f"1/{name}"
    return reading.show(float(number))


def _in_a_place(pairs, what):
    """A sentence if the wrong entries are in the same place of all arrays, and the other entries are not constant."""
    if sum(off(*one).sum() for one in pairs if one[0].shape == one[1].shape) < MIN_EVIDENCE:
        return ""
    for name, (fits, place) in ARRAY_PLACES.items():
        if not all(fits(right.shape) and (off(got, right) == place(right.shape)).all() for got, right in pairs):
            continue
        if np.ptp(np.concatenate([right[~place(right.shape)] for _, right in pairs])) > 0:
            return f"In all wrong cases {what} is wrong in one place only: {name}. What is different there?"
    return ""


def _at(shape, k):
    """True in one row of an array (or one entry of a vector)."""
    where = np.zeros(shape, dtype=bool)
    where[k] = True
    return where


def _nearly(pairs, what):
    if all(np.allclose(got, right, LOOSE_TOLERANCE, 1e-12, equal_nan=True) for got, right in pairs):
        return f"In all wrong cases {what} is nearly right: within 2 % of it."
    return ""
