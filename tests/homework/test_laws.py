"""Laws are tried with other inputs, and told only where a wrong function breaks them."""

import numpy as np
import pytest

from course_checks import Case, Law, Task, times
from course_checks.judging import judge
from course_checks.laws import broken

DOUBLED = Law("Double x: the answer doubles.", "Which term has another unit?", lambda x: (2 * x,), times(2))
ASCENDING = Law("The answer never falls.", "Where does it?", holds=lambda one, other: (np.diff(one[:, 0]) >= 0).all())
SILENT = Law("Said of no case.", "?", lambda x: None)


def told(function, *laws):
    """The sentence on the law that a function of an array breaks, whose right answer is x."""
    case = Case("one", (np.array([1.0, 2.0]),), np.array([1.0, 2.0]))
    task = Task("same", "same", ("x",), "Task 1", 1, 1, 1, (case,), (), ("Think.",), laws=laws)
    return broken(task, function, judge(task, function, 1.0), 1.0)


def test_a_broken_law_is_told_with_what_came_out():
    said = told(lambda x: x**2, DOUBLED)
    assert said.startswith(
        "Double x: the answer doubles. Your function breaks this law: in the case “one” [1, 4] becomes"
    )
    assert said.endswith("[4, 16]. Which term has another unit?")


def test_a_law_with_an_example_of_its_own_speaks_of_that():
    law = Law("Of 3 the answer is 3.", "Why?", holds=lambda one, other: other[0] == 3, example=(np.array([3.0]),))
    assert told(lambda x: x**2, law) == "Of 3 the answer is 3. Your function breaks this law: there it gives [9]. Why?"
    assert told(lambda x: x, law) == ""


@pytest.mark.parametrize("function", [lambda x: 3 * x, lambda x: "no", lambda x: 1 / 0])
def test_nothing_is_said_of_who_keeps_it_or_cannot_be_compared(function):
    assert told(function, DOUBLED, SILENT) == ""


@pytest.mark.parametrize("strange", [np.nan, np.inf, 1.7e308])
def test_nothing_is_said_of_what_is_not_finite_before_or_after(strange):
    assert told(lambda x: strange * np.ones(2), DOUBLED) == ""
    assert told(lambda x: x**2 if x[0] == 1 else strange * x / x, DOUBLED) == ""


def test_a_law_that_cannot_look_at_an_answer_says_nothing():
    assert told(lambda x: x**2, ASCENDING) == ""


def test_the_function_never_changes_what_a_law_is_tried_with():
    def careless(x):
        x += 1
        return x

    case = np.array([1.0, 2.0])
    assert told(careless, Law("Same.", "?", lambda x: (x,))) == "" and case[0] == 1.0
