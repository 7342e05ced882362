"""What all wrong numbers have in common is found, and nothing else."""

import numpy as np
import pytest

from course_checks import Case
from course_checks.judging import Verdict
from course_checks.patterns import ARRAY_PLACES, VALUE_CHANGES, pattern

RNG = np.random.default_rng(7)
SQUARE = RNG.uniform(0.2, 3, (2, 4, 4)) * RNG.choice([-1, 1], (2, 4, 4))
POSITIVE = RNG.uniform(1.2, 9.0, (2, 5))


def seen(*pairs, tolerance=1e-9):
    """What is said about pairs of a wrong and a right value."""
    return pattern([Verdict(Case(str(k), (), right, tolerance), None, got) for k, (got, right) in enumerate(pairs)])


@pytest.mark.parametrize(
    ("looks", "ask", "change"), VALUE_CHANGES, ids=[f"{k} {one[0]}" for k, one in enumerate(VALUE_CHANGES)]
)
def test_a_change_of_all_numbers_is_named(looks, ask, change):
    positive = looks.startswith(("is the", "is exp", "is 1"))
    told = seen(*[(change(right), right) for right in (POSITIVE if positive else SQUARE)])
    assert told == f"In all wrong cases each wrong number {looks}. {ask}"


@pytest.mark.parametrize("strange", [np.nan, np.inf, 1.7e308])
def test_no_side_and_no_sum_is_told_of_what_is_not_finite(strange):
    assert seen(*[(np.full(5, strange), right / right.sum()) for right in POSITIVE]) == ""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda right: right * np.sqrt(2), "√2 times"),
        (lambda right: right / np.log(10), "1/log 10 times"),
        (lambda right: right - 1, "too small by 1"),
        (lambda right: right + 0.5 * np.log(2 * np.pi), "too large by ½ log 2π"),
        (lambda right: right * 1.001, "1.001 times"),
        (lambda right: right * (1 + 0.01 * np.sin(right)), "nearly right"),
    ],
)
def test_a_constant_is_named(change, words):
    assert words in seen(*[(change(right), right) for right in SQUARE])
    assert words in seen(*[(float(change(right)), float(right)) for right in POSITIVE[0]])


def test_what_all_right_answers_keep_to_is_named():
    shares = POSITIVE / POSITIVE.sum(axis=1, keepdims=True)
    assert "adds up to 1" in seen(*[(one * np.linspace(0.5, 3, 5), one) for one in shares])
    both = [one + one.T for one in SQUARE]
    assert "is symmetric" in seen(*[(one + np.arange(4), one) for one in both])


def test_an_argument_that_tells_wrong_cases_from_right_ones_is_named():
    cases = [Case(str(k), (float(k > 1),), 5.0) for k in range(4)]
    said = pattern([Verdict(one, None, 5.0 + k * (k > 1), k < 2) for k, one in enumerate(cases)], ("lapse",))
    assert said == "Right where lapse is 0, wrong in all other cases. What does your function do with lapse?"


@pytest.mark.parametrize("name", ARRAY_PLACES)
def test_the_place_of_what_is_wrong_is_named(name):
    fits, place = ARRAY_PLACES[name]
    rights = [one for one in (*SQUARE, *POSITIVE) if fits(one.shape)]
    told = seen(*[(np.where(place(one.shape), one**3 + 7, one), one) for one in rights])
    assert f"wrong in one place only: {name}." in told


def test_of_several_answers_the_right_ones_are_named():
    told = seen(*[((one[0], -one, one[1]), (one[0], one, one[2])) for one in POSITIVE])
    assert told.startswith("Right in all cases: answer 1 of 3. In all wrong cases answer 2 has the other sign.")


@pytest.mark.parametrize(
    "pairs",
    [
        [(3.0, -3.0)],  # one number may agree by accident
        [(2.0, 3.0)] * 3,  # and the same small counts in three cases
        [(SQUARE[0] ** 3, SQUARE[0])],
        [(-POSITIVE[0], POSITIVE[0]), (POSITIVE[1] ** 3, POSITIVE[1])],
        [(POSITIVE[0][:3], POSITIVE[0])],
        [("no", "yes"), ("yes", "no")],
        [(one - one.T + 1 - np.eye(4), np.tril(one) - np.tril(one).T) for one in SQUARE],  # its diagonal is 0 anyway
        [],
    ],
)
def test_nothing_is_said_of_what_has_nothing_in_common(pairs):
    assert seen(*pairs) == ""
