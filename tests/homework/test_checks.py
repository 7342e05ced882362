"""The engine of the checks: whatever a student's function does is told in friendly words; nothing odd gets marks."""

import contextlib
import math
import signal
import sys
import threading
import time
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np
import pytest

from course_checks import Case, Homework, Mistake, Task, answering, reading
from course_checks.running import PRINTED_CHARACTERS, TimeUp, run
from tests.homework import graded
from tools.homework.sheets import Sheet

NUMBER = Case("a number", (2.0, np.array([1.0, 2.0])), 5.0)
LABELS = Case("labels", (), np.array([3, 1]))
WEIGHTS = Case("weights", (), np.array([[0.5, 0.5]]))
SEVERAL = Case("a pair", (), (2.0, np.array([1, 2])))
ONE = Case("one number in an array", (), np.array([5.0]))
TWO = Case("two numbers", (), (2.0, 0.5))
ROWS = Case("two rows", (), (np.array([1.0, 2.0]), np.array([3.0, 4.0])))
WORD = Case("a word", (), "seven")
TRUTH = Case("a truth", (), True)
TRUTHS = Case("truths", (), np.array([True, False]))


def task(*cases, name="answer", mistakes=(), arguments=None, **more):
    """A task whose function is called `student`."""
    arguments = tuple(f"a{k}" for k in range(len(cases[0].inputs))) if arguments is None else arguments
    plain = {"title": "Task 9 · Nine", "stars": 2, "minutes": 5, "points": 6.0, "hints": ("Think.", "Again.")}
    return Task(
        **{**plain, **more}, name=name, function="student", arguments=arguments, cases=cases, mistakes=mistakes
    )


def told(function, *cases, mistakes=(), seconds=5.0, **more):
    """The report of a check on a function."""
    one = task(*cases, mistakes=mistakes, **more)
    return Homework(one, seconds=seconds).report(one, function)


def earned(function, one):
    """The points for a function, by way of the grader."""
    return graded.points(Sheet(one, Homework(one, seconds=5.0)), function)


def student(*given):
    raise NotImplementedError()


class Yes:
    """Says that it equals everything, and prints nicely."""

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 1

    def __float__(self):
        return 5.0

    def __array__(self, dtype=None, copy=None):
        return np.array([3, 1])

    def __repr__(self):
        return "5.0"


class YesNumber(float):
    """A number that says that it equals every other."""

    __eq__ = Yes.__eq__
    __hash__ = float.__hash__

    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__


class YesArray(np.ndarray):
    """An array that says that it equals every other."""

    __eq__ = Yes.__eq__


class Silent:
    """Fails when it is shown."""

    def __repr__(self):
        raise RuntimeError("no words")


ACCEPTED = {
    "float": (NUMBER, 5.0),
    "int": (NUMBER, 5),
    "numpy float": (NUMBER, np.float64(5)),
    "numpy single": (NUMBER, np.float32(5)),
    "numpy int": (NUMBER, np.int8(5)),
    "0-d array": (NUMBER, np.array(5.0)),
    "array of one": (NUMBER, np.array([5.0])),
    "matrix of one": (NUMBER, np.array([[5]])),
    "list of one": (NUMBER, [5.0]),
    "number for one": (ONE, 5.0),
    "0-d array for one": (ONE, np.array(5.0)),
    "fraction": (NUMBER, Fraction(5)),
    "list of ints": (LABELS, [3, 1]),
    "whole floats": (LABELS, np.array([3.0, 1.0])),
    "masked array": (WEIGHTS, np.ma.array([[0.5, 0.5]])),
    "matrix": (WEIGHTS, np.matrix([[0.5, 0.5]])),
    "tuple": (LABELS, (np.int64(3), 1)),
    "unsigned array": (LABELS, np.array([3, 1], dtype=np.uint8)),
    "nested list": (WEIGHTS, [[0.5, 0.5]]),
    "tuple of things": (SEVERAL, (2, [1, 2])),
    "array of two": (TWO, np.array([2.0, 0.5])),
    "array of two rows": (ROWS, np.array([[1.0, 2.0], [3.0, 4.0]])),
    "rows of one": (TWO, [np.array([2.0]), [0.5]]),
    "list of things": (SEVERAL, [np.float64(2), np.array([1, 2])]),
    "text": (WORD, "seven"),
    "numpy truth": (TRUTH, np.bool_(True)),
    "almost": (NUMBER, 5.0 + 1e-12),
}
REFUSED = {
    "nothing": (NUMBER, None, "nothing came back (None)"),
    "array for a number": (NUMBER, np.ones((2, 3)), "an array of shape (2, 3) came back; one number is needed"),
    "list for a number": (NUMBER, [5.0, 5.0], "a list of 2 came back; one number is needed"),
    "empty array for a number": (NUMBER, np.zeros(0), "an array of shape (0,) came back; one number is needed"),
    "truth in a list": (NUMBER, [True], "the truth value True came back; one number is needed"),
    "object in an array": (NUMBER, np.array([{}]), "something of type dict came back; one number is needed"),
    "truth for one": (ONE, True, "the truth value True came back"),
    "array of three for two": (TWO, np.array([2.0, 0.5, 1.0]), "an array of shape (3,) came back; 2 values"),
    "one number for two": (TWO, np.array(2.0), "an array of shape () came back; 2 values are needed"),
    "truth for a number": (NUMBER, True, "the truth value True came back"),
    "text for a number": (NUMBER, "5.0", "the text '5.0' came back; one number is needed"),
    "complex": (NUMBER, 5 + 0j, "a complex number came back"),
    "numpy complex": (NUMBER, np.complex128(5), "a complex number came back"),
    "huge int": (NUMBER, 10**400, "a huge whole number came back"),
    "generator": (NUMBER, (x for x in [5.0]), "a generator came back"),
    "function": (NUMBER, np.sum, "a function came back, not its result"),
    "NaN": (NUMBER, np.nan, "NaN is not a number"),
    "infinity": (NUMBER, -np.inf, "Infinity came out"),
    "always equal": (NUMBER, Yes(), "something of type Yes came back; one number is needed"),
    "number that equals all": (NUMBER, YesNumber(4.0), "you got 4; 5 is right"),
    "dictionary": (NUMBER, {"answer": 5.0}, "something of type dict came back"),
    "no words": (NUMBER, Silent(), "something of type Silent came back"),
    "decimals for labels": (LABELS, [3.0, 1.5], "a list of 2 of numbers with decimals came back"),
    "truths for labels": (LABELS, [True, False], "of truth values came back"),
    "whole numbers for truths": (TRUTHS, [1, 0], "of whole numbers came back; an array of 2 truth values is needed"),
    "None among labels": (LABELS, [3, None], "of objects came back; an array of 2 whole numbers is needed"),
    "ragged": (WEIGHTS, [[0.5], [0.5, 1]], "rows of different lengths"),
    "wrong shape": (WEIGHTS, [[0.5], [0.5]], "It has the shape (2, 1); (1, 2) is needed."),
    "number for labels": (LABELS, 3, "the number 3 came back"),
    "array-like that equals all": (LABELS, Yes(), "something of type Yes came back"),
    "array that equals all": (LABELS, np.array([0, 0]).view(YesArray), "something of type YesArray came back"),
    "complex weights": (WEIGHTS, [[0.5j, 0.5]], "of complex numbers came back"),
    "too few things": (SEVERAL, (2.0,), "a tuple of 1 came back; 2 values are needed"),
    "a wrong thing inside": (SEVERAL, (2.0, "x"), "the text 'x' came back"),
    "number for a word": (WORD, 7, "the number 7 came back; text is needed"),
    "number for a truth": (TRUTH, 1, "the number 1 came back; True or False is needed"),
}


@pytest.mark.parametrize(("case", "value"), ACCEPTED.values(), ids=ACCEPTED)
def test_kinds_of_right_answers_are_accepted(case, value):
    assert told(lambda *given: value, case).startswith("✓")
    assert earned(lambda *given: value, task(case)) == 6.0


@pytest.mark.parametrize(("case", "value", "words"), REFUSED.values(), ids=REFUSED)
def test_odd_answers_are_named_and_earn_nothing(case, value, words):
    report = told(lambda *given: value, case)
    assert report.startswith("✗")
    assert words in report
    assert earned(lambda *given: value, task(case)) == 0.0


def divides(x, y):
    return x / (y - y).astype(int).tolist()[0]


def recurses(x, y):
    return recurses(x, y)


def leaves(x, y):
    sys.exit(3)


def in_numpy(x, y):
    matrix = np.ones((2, 3))
    return np.linalg.solve(matrix, y)


def speechless(x, y):
    class OddError(Exception):
        def __str__(self):
            raise RuntimeError

    raise OddError


RAISED = {
    "division": (divides, ("ZeroDivisionError", "return x / (y - y)", "when is it zero?")),
    "recursion": (recurses, ("RecursionError", "return recurses(x, y)", "calls itself endlessly")),
    "exit": (leaves, ("SystemExit: 3", "sys.exit(3)", "not end the program")),
    "inside numpy": (in_numpy, ("LinAlgError", "return np.linalg.solve(matrix, y)")),
    "no message": (speechless, ("OddError: (its message cannot be shown: RuntimeError)",)),
    "too few arguments": (lambda x: x, ("it cannot be called as student(a0, a1): TypeError",)),
}


@pytest.mark.parametrize(("function", "words"), RAISED.values(), ids=RAISED)
def test_exceptions_are_told_with_the_students_own_line(function, words):
    report = told(function, NUMBER)
    assert report.startswith("✗")
    for fragment in words:
        assert fragment in report
    assert "Traceback" not in report


def test_line_number_is_that_of_the_students_code():
    line = in_numpy.__code__.co_firstlineno + 2
    assert f"(line {line} of its cell: return np.linalg.solve(matrix, y))" in told(in_numpy, NUMBER)


def test_ctrl_c_gets_through():
    def interrupted(*given):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(interrupted, (), 5.0)


def endless(x, y):
    while True:
        try:
            time.sleep(0.01)
        except Exception:
            continue


def test_endless_call_is_stopped_and_the_rest_not_run():
    report = told(endless, NUMBER, Case("another", (1.0, np.array([1.0])), 2.0), seconds=0.3)
    assert "it was stopped, still running after 0.3 s" in report
    assert "come closer to its end?" in report
    assert "✗ another: not run, because an earlier call did not end." in report


def test_a_call_that_works_without_end_is_stopped():
    def works():
        while True:
            pass

    assert run(works, (), 0.1).endless


def test_a_swallowed_stop_is_sent_again():
    def stubborn(*given):
        for _ in range(3):
            with contextlib.suppress(BaseException):
                time.sleep(5)
        time.sleep(30)

    assert run(stubborn, (), 0.2).endless


def test_a_stop_that_work_has_swallowed_is_sent_again():
    def stubborn():
        with contextlib.suppress(BaseException):
            while True:
                pass
        time.sleep(60)

    assert run(stubborn, (), 0.1).endless


def test_a_call_that_shares_its_processor_is_not_stopped():
    def half_a_second_for_a_tenth():
        for _ in range(10):
            end = time.process_time() + 0.01
            while time.process_time() < end:
                pass
            time.sleep(0.05)
        return 7

    assert run(half_a_second_for_a_tenth, (), 0.3).value == 7


def test_outside_the_main_thread_calls_run_without_a_limit():
    found = []
    thread = threading.Thread(target=lambda: found.append(run(lambda: 7, (), 0.1)))
    thread.start()
    thread.join()
    assert found[0].value == 7


@pytest.mark.parametrize("number", [signal.SIGALRM, signal.SIGPROF])
def test_the_alarm_of_the_caller_is_restored(number):
    before = signal.getsignal(number)
    run(lambda: 1, (), 1.0)
    assert signal.getsignal(number) is before


def test_what_is_printed_and_warned_is_told_and_cut(capsys):
    def talks(x, y):
        print("first line")
        print("!" * 10**6, file=sys.stderr)
        return np.log(0.0 * x)

    report = told(talks, NUMBER)
    assert "It printed: first line !!!" in report
    assert "It warned: divide by zero encountered in log" in report
    assert max(map(len, report.splitlines())) < 300
    assert len(run(talks, NUMBER.inputs, 5.0).printed) <= PRINTED_CHARACTERS
    assert capsys.readouterr() == ("", "")


def test_printing_instead_of_returning_is_told():
    assert "Printing a result does not return it." in told(lambda x, y: print(5.0), NUMBER)


def test_huge_answers_are_cut():
    report = told(lambda *given: np.arange(10**6), LABELS)
    assert max(map(len, report.splitlines())) < 300
    assert "(1000000,)" in report


def test_changed_inputs_are_told_even_if_the_answer_is_right():
    def overwrites(x, y):
        y[:] = 0
        return 5.0

    report = told(overwrites, NUMBER, arguments=("x", "y"))
    assert "your function changes its input y, which belongs to the caller" in report
    assert NUMBER.inputs[1].tolist() == [1.0, 2.0]


def test_untouched_inputs_with_nan_are_not_called_changed():
    assert run(lambda x: x, (np.array([np.nan]),), 5.0).changed is None


def test_a_stub_is_not_attempted_yet():
    assert told(student, NUMBER) == "○ Task 9 · Nine ★★: not attempted yet."


def test_another_empty_stub_is_named():
    def helper():
        raise NotImplementedError

    def student(*given):
        return helper()

    assert told(student, NUMBER) == "○ Task 9 · Nine ★★: not attempted yet (it calls helper, which is still empty)."


def test_the_report_is_the_same_every_time():
    assert told(divides, NUMBER) == told(divides, NUMBER)


def test_unknown_wrong_answer_shows_the_inputs_and_the_right_one():
    report = told(lambda x, y: 12.0, NUMBER, arguments=("x", "y"))
    assert "✗ a number: you got 12; 5 is right." in report
    assert "Work this case by hand, then print what your function does: x = 2, y = [1, 2]" in report
    assert 'Stuck? hint("answer", 1); there are 2.' in report


SQUARE = np.arange(49.0).reshape(7, 7)
CONTRASTS = {
    "number": (5.0 + 1e-8, 5.0, "you got 5.00000001; 5 is right"),
    "small number": (0.010000004, 0.01, "you got 0.010000004; 0.01 is right"),
    "whole numbers": (12345678.0, 12345679.0, "you got 12345678; 12345679 is right"),
    "array": (np.array([1.0, 2.000001]), np.array([1.0, 2.0]), "you got [1, 2.000001]; [1, 2] is right"),
    "nested": ([[1, 2.5]], np.array([[1.0, 2.0]]), "you got [[1, 2.5]]; [[1, 2]] is right"),
    "long": (SQUARE, SQUARE.T, "you got 1 for entry [0, 1] of an array of 7 × 7; 7 is right"),
    "long, in late digits": (
        SQUARE + 1e-7 * np.eye(7)[3],
        SQUARE,
        "you got 3.0000001 for entry [0, 3] of an array of 7 × 7; 3 is right",
    ),
    "long, whole": (
        np.arange(200) // 199 + 2,
        np.full(200, 2),
        "you got 3 for entry [199] of an array of 200; 2 is right",
    ),
    "second of two": (
        (0.5, SQUARE.T),
        (0.5, SQUARE),
        "you got 7 for entry [0, 1] of answer 2 of 2; 1 is right",
    ),
    "long, of another shape": (
        (np.ones((30, 9), dtype=int), np.ones(30)),
        (np.ones((20, 9), dtype=int), np.ones(20)),
        "you got [an array of 30 × 9, an array of 30]; [an array of 20 × 9, an array of 20] is right",
    ),
    "second part of another shape": (
        (SQUARE, np.ones(3)),
        (SQUARE, np.ones(2)),
        "you got [an array of 7 × 7, an array of 3]; [an array of 7 × 7, an array of 2] is right",
    ),
    "text": ("sevem", "seven", "you got 'sevem'; 'seven' is right"),
    "nested answers": ((1.0, (2.0, SQUARE)), (1.0, (2.0, SQUARE.T)), "is right"),
    "truths": (
        ~np.eye(2, dtype=bool),
        np.eye(2, dtype=bool),
        "you got [[False, True], [True, False]]; [[True, False]",
    ),
}


@pytest.mark.parametrize(("value", "expected", "words"), CONTRASTS.values(), ids=CONTRASTS)
def test_the_difference_from_the_right_answer_is_seen(value, expected, words):
    assert words.replace("[ ", "[") in told(lambda: value, Case("one", (), expected)).replace("[ ", "[")


THREE = (Case("one", (1,), 10.0), Case("two", (2,), 20.0), Case("three", (3,), 30.0))


def test_the_mistake_that_explains_most_is_told_once():
    few = Mistake("as if few", "Few?", cases={"one": 1.0})
    most = Mistake("as if most", "Most?", cases={"one": 1.0, "two": 2.0})
    report = told(lambda x: float(x), *THREE, mistakes=(few, most))
    assert "✗ one: you got 1, as if most." in report
    assert report.count("Most?") == 1
    assert "Few?" not in report
    assert "✗ two: you got 2; 20 is right." in report


def test_a_right_case_contradicts_a_mistake_that_would_fail_it():
    wrong_everywhere = Mistake("as if everywhere", "Everywhere?", cases={"one": 1.0, "two": 2.0})
    only_one = Mistake("as if at one", "At one?", cases={"one": 1.0})
    report = told(lambda x: 1.0 if x == 1 else 10.0 * x, *THREE, mistakes=(wrong_everywhere, only_one))
    assert "At one?" in report


def test_one_case_may_agree_by_accident():
    """A rule that holds once in several wrong cases is no diagnosis; one that holds wherever it can be seen is."""
    half = Mistake("half of it", "Half?", when=lambda case, got: got == case.expected / 2)
    assert "Half?" not in told(lambda x: 5.0 if x == 1 else 0.0, *THREE, mistakes=(half,))
    assert "Half?" in told(lambda x: 5.0 * x if x < 3 else 0.0, *THREE, mistakes=(half,))
    assert "Half?" in told(lambda x: 5.0 if x == 1 else 10.0 * x, *THREE, mistakes=(half,))


def test_a_mistake_by_predicate_sees_the_case():
    half = Mistake("half of it", "Half?", when=lambda case, got: got == case.expected / 2)
    assert "✗ one: you got 5, half of it.\n      Half?" in told(lambda x: 5.0 * x, *THREE, mistakes=(half,))


def test_a_mistake_by_exception_replaces_the_general_question():
    walks = Mistake("as if there were more", "How many are there?", raises=IndexError)
    report = told(list_of_one, *THREE, mistakes=(walks,))
    assert "How many are there?" in report
    assert "An axis of n entries" not in report


@pytest.mark.parametrize(
    ("stops", "words"),
    [
        (lambda: max([]), "None is left"),
        (lambda: np.zeros(0).max(), "None is left"),
        (lambda: np.zeros(2) + np.zeros(3), "Which shapes meet"),
        (lambda: math.log(0), "Which values reach this line? Print"),
        (lambda: np.linalg.inv(np.zeros((2, 2))), "no inverse?"),
    ],
)
def test_an_error_about_values_is_asked_about_what_it_names(stops, words):
    assert words in told(lambda x: stops(), *THREE)


def list_of_one(x):
    return [1.0][x]


def test_a_mistake_by_exception_may_look_at_it():
    other = Mistake("as if", "Other?", raises=IndexError, when=lambda case, error: "no such words" in str(error))
    assert "An axis of n entries" in told(list_of_one, *THREE, mistakes=(other,))


@pytest.fixture
def homework():
    """A homework of two tasks."""
    return Homework(task(*THREE), Task(**SECOND))


SECOND = {
    "name": "second",
    "function": "other",
    "arguments": ("x",),
    "title": "Task 10 · Ten",
    "stars": 1,
    "minutes": 5,
    "points": 1,
    "cases": THREE,
    "mistakes": (),
    "hints": ("Only this.",),
}


@pytest.mark.parametrize(
    ("name", "number", "words"),
    [
        ("answer", 1, "Hint 1 of 2: Think."),
        ("student", 2, "Hint 2 of 2: Again."),
        ("second", np.int64(1), "Hint 1 of 1: Only this."),
        ("answer", 0, "Task 'answer' has the hints 1 to 2; you asked for 0."),
        ("answer", 3, "you asked for 3."),
        ("answer", "1", "you asked for '1'."),
        ("answer", True, "you asked for True."),
        ("answer", None, "you asked for None."),
        ("anwser", 1, "There is no task 'anwser'. The tasks are answer, second."),
        (student, 1, "There is no task"),
    ],
)
def test_hints(homework, capsys, name, number, words):
    homework.hint(name, number)
    assert words in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (7.0, "The function itself is needed, without parentheses and arguments; this is its result, 7."),
        (None, "this is its result, an object of type NoneType."),
        (test_hints, "No task asks for the function test_hints. The names are student, other."),
        (partial(pow, 2), "No task asks for the function without a name."),
    ],
)
def test_check_of_something_else_says_what_is_needed(homework, capsys, given, words):
    homework.check(given)
    homework.overview(given)
    assert capsys.readouterr().out.count(words) == 2


def test_check_by_the_name_of_the_task(homework, capsys):
    homework.check(partial(lambda factor, x: factor * x, 10.0), task="second")
    assert capsys.readouterr().out.startswith("✓ Task 10 · Ten ★: right in all 3 cases.")


def test_a_decorated_function_keeps_its_name(homework, capsys):
    @lru_cache
    def student(x):
        return 10.0 * x

    homework.check(student)
    assert capsys.readouterr().out.startswith("✓")


def test_overview_is_one_line_a_task(homework, capsys):
    def other(x):
        return 10.0 if x == 1 else 0.0

    homework.overview(student, other)
    assert capsys.readouterr().out.splitlines() == [
        "○ Task 9 · Nine ★★: not attempted yet.",
        "✗ Task 10 · Ten ★: right in 1 of 3 cases.",
    ]


def test_cells_wait_until_the_function_is_right(homework, capsys):
    assert homework.waits_for(student)
    assert capsys.readouterr().out == "This cell waits until check(student) shows only ✓.\n"

    def other(x):
        return 10.0 * x

    assert not homework.waits_for(other)
    assert capsys.readouterr().out == ""


SIX = tuple(Case(f"case {x}", (x,), 10.0 * x) for x in range(1, 7))


@pytest.mark.parametrize(("rights", "points"), [(6, 6.0), (5, 5.0), (4, 4.0), (3, 0.0), (0, 0.0)])
def test_points_in_proportion_above_half(rights, points):
    def student(x):
        return 10.0 * x if x <= rights else -1.0

    found = earned(student, task(*SIX))
    assert (found, type(found)) == (points, float)


def test_calls_that_are_not_tried_when_the_time_is_over_are_wrong():
    one = task(*SIX)
    answers = list(answering.told(lambda x: 10.0 * x, [case.inputs for case in SIX], 1.0, altogether=0.0))
    assert answers == [None] * 6
    assert not any(verdict.right for verdict in Sheet(one, Homework(one)).judge(answers))


def test_points_are_quarters_rounded_down():
    def student(x):
        return 10.0 * x if x < 6 else -1.0

    assert earned(student, task(*SIX, points=1.0)) == 0.75


@pytest.mark.parametrize(("wrong", "points"), [((), 1.0), ((3,), 0.75), ((5,), 1.0), ((1, 2), 0.5)])
def test_green_earns_all_points_and_nothing_else_does(wrong, points):
    """The cases 1 and 2 have a name, 3 and 4 are drawn for students, and 5 to 8 are hidden from them."""
    hidden = tuple(Case(f"hidden {x}", (float(x),), 10.0 * x) for x in (5, 6, 7, 8))

    def student(x):
        return -1.0 if x in wrong else 10.0 * x

    assert earned(student, task(*SIX[:2], drawn=SIX[2:4], hidden=hidden, points=1.0)) == points


BROKEN = {
    "no stars": ({"stars": 0}, "1 to 3 stars"),
    "four hints": ({"hints": ("a", "b", "c", "d")}, "1 to 3 hints"),
    "no case": ({"cases": ()}, "at least one case"),
    "same case twice": ({"cases": (THREE[0], THREE[0])}, "two cases with the same name"),
    "inputs": ({"arguments": ("x", "y")}, "1 inputs for"),
    "unknown case": ({"mistakes": (Mistake("as if", "?", cases={"four": 1}),)}, r"unknown cases \['four'\]"),
    "no mistake": ({"mistakes": (Mistake("as if", "?", cases={"one": 10}),)}, "gives the right answers"),
    "invisible mistake": ({"mistakes": (Mistake("as if", "?"),)}, "nothing shows"),
}


@pytest.mark.parametrize(("change", "words"), BROKEN.values(), ids=BROKEN)
def test_inconsistent_tasks_are_refused(change, words):
    with pytest.raises(ValueError, match=words):
        Homework(Task(**{**SECOND, **change}))


def test_two_tasks_of_one_name_are_refused():
    with pytest.raises(ValueError, match="share the names"):
        Homework(Task(**SECOND), Task(**SECOND))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (8.0, "8"),
        (np.float64(1) / 3, "0.3333333"),
        (True, "True"),
        (10**30, "a huge whole number"),
        ([(0, 0), (0, 1)], "[[0, 0], [0, 1]]"),
        (np.array([[1.5, np.nan]]), "[[1.5, nan]]"),
        ("x" * 1000, reading.shorten(repr("x" * 12 + "..." + "x" * 13))),
        (Silent(), "an object of type Silent"),
    ],
)
def test_values_are_shown_on_one_short_line(value, text):
    assert reading.show(value) == text


def test_time_up_is_no_exception_that_students_catch():
    assert not issubclass(TimeUp, Exception)
