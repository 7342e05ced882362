"""Replies to numbers that a student worked out: rules as data, which a page without Python follows as well.

Lecture: 00.
"""

from typing import NamedTuple

import numpy as np

from course_lib import validation


class Near(NamedTuple):
    """Numbers with tolerances of their own."""

    numbers: object
    atol: float
    rtol: float = 1e-5


class Reply(str):
    """What a student is told; `names` of the numbers, and `rules` about them: sentence, numbers, how far is near."""


def reply(ask, rules, atol=1e-8, rtol=1e-5, **mine):
    """The Reply to a student's numbers: the first sentence of which they are near to the numbers, as in numpy.isclose.

    ask : what to write, said as long as something is missing;  atol, rtol : for all numbers, or one for each
    rules : dict of sentence → number, tuple, None for any, or list of these as alternatives; a number → dict asks on,
        about the next number where this one is right; {my_mean:g} in a sentence quotes
    """
    in_order = list(_in_order(rules, len(mine), atol, rtol))
    said = f"○ Nothing to check yet{': ' if ask else '.'}{ask}"
    if not any(value is None for value in mine.values()):
        given = np.array([validation.finite(value, name) for name, value in mine.items()])
        found = (sentence for sentence, numbers, near in in_order if (np.abs(given - numbers) <= near).all())
        said = next(found).format(**dict(zip(mine, given, strict=True)))
    told = Reply(said)
    told.names, told.rules = tuple(mine), in_order
    return told


def _in_order(rules, count, atol, rtol, before=()):
    for key, value in rules.items():
        if isinstance(value, dict):
            yield from _in_order(value, count, atol, rtol, (*before, key))
            continue
        for one in value if isinstance(value, list) else [value]:
            numbers, *tolerances = one if isinstance(one, Near) else (one, atol, rtol)
            asked = [*before, *np.atleast_1d(numbers), *[None] * count][:count]
            numbers = np.array([0.0 if n is None else n for n in asked])
            if np.isfinite(numbers).all():
                near = tolerances[0] + tolerances[1] * np.abs(numbers)
                yield key, numbers, np.where([n is None for n in asked], np.inf, near)


def likeness(mine, looks_like, otherwise, **near):
    """The first sentence of {sentence: array} that a student's array is near to, as in numpy.allclose, or another."""
    of_its_shape = {sentence: numbers for sentence, numbers in looks_like.items() if np.shape(numbers) == mine.shape}
    return next((s for s, numbers in of_its_shape.items() if np.allclose(mine, numbers, **near)), otherwise)
