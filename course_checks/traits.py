"""Finds properties that all right answers have but wrong ones lack, and arguments that explain the wrong cases.

Lecture: 00.
"""

import numpy as np

PATTERN_TOL = 1e-6
LARGEST_SANE = 1e300  # larger numbers come from an infinity
MIN_EVIDENCE = 2  # wrong numbers or cases that must show a pattern, since one may show it by chance


def off(got, right):
    """Which numbers are wrong."""
    return ~np.isclose(got, right, PATTERN_TOL, PATTERN_TOL, equal_nan=True)


def sane(value):
    """Whether all numbers of an answer are finite and below LARGEST_SANE."""
    if isinstance(value, tuple):
        return all(map(sane, value))
    return isinstance(value, str) or bool((np.abs(np.asarray(value, float)) < LARGEST_SANE).all())


def _is_one(sums):
    return bool(np.allclose(sums, 1, 0, PATTERN_TOL))


def _square(x):
    return x.ndim == 2 and x.shape[0] == x.shape[1] > 1


PROPERTIES = (  # of all right answers: (description, the next question, whether an answer has it)
    ("adds up to 1 in each row", "Over which axis?", lambda x: x.ndim == 2 and x.shape[1] > 1 and _is_one(x.sum(1))),
    ("adds up to 1", "What is it divided by?", lambda x: x.ndim == 1 < x.size and _is_one(x.sum())),
    ("is symmetric", "Which index comes first?", lambda x: _square(x) and not off(x, x.T).any()),
    (
        "is 0 on its diagonal",
        "What is the distance of an item from itself?",
        lambda x: _square(x) and not off(np.diag(x), 0).any(),
    ),
    (
        "never falls",
        "Where does it fall for the first time?",
        lambda x: x.ndim == 1 and (np.diff(x) > -PATTERN_TOL).all(),
    ),
)
TRAITS = (  # of an argument: (description, minimum number of cases with and without it, whether it has it)
    ("has gaps", 1, lambda x: np.isnan(x).any()),
    ("is 0", 2, lambda x: x.size > 0 and (x == 0).all()),
    ("is 1", 3, lambda x: x.size > 0 and (x == 1).all()),
    ("has a 0", 3, lambda x: x.ndim > 0 and (x == 0).any() and not (x == 0).all()),
    ("has one entry", 2, lambda x: x.ndim > 0 and x.size == 1),
)


def kept(pairs, rights, what):
    """A sentence if all right answers have a property that a wrong one lacks.

    pairs : list of a wrong array and the right one;  rights : right arrays of all cases;  what : words for the answer
    """
    for looks, ask, keeps in PROPERTIES:
        big = [one for one in rights if one.size > 1] if max(one.ndim for one in rights) > 0 else rights
        if len(big) < MIN_EVIDENCE or not all(keeps(one) for one in big):
            continue
        if any(got.shape == right.shape and right.size > 1 and sane(got) and not keeps(got) for got, right in pairs):
            return f"In all cases the right one {looks}, unlike {what}. {ask}"
    return ""


def trait(verdicts, names):
    """A sentence if a trait of an argument separates the wrong cases from the right ones."""
    right = [one.right for one in verdicts]
    for looks, least, has in TRAITS:
        for k, name in enumerate(names):
            seen = [_has(one.case.inputs[k], has) for one in verdicts]
            if min(right.count(True), right.count(False)) < least:
                continue
            if seen == right:
                return f"Right where {name} {looks}, wrong in all other cases. What does your function do with {name}?"
            if seen == [not one for one in right]:
                return f"Wrong only where {name} {looks}, right in all other cases. What must be different there?"
    return ""


def _has(value, has):
    """Whether an argument has a trait; None if it is not a number."""
    value = np.asarray(value) if isinstance(value, (int, float, np.ndarray)) else None
    return None if value is None or value.dtype.kind not in "if" else bool(has(value))
