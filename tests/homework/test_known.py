"""What checks know from a file: it arrives as it was, and what is missing is told."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from course_checks import Case, Homework, Mistake, Task
from course_checks.known import pack, read_known, unpack
from course_checks.reading import agrees
from tests.homework import graded
from tools.homework import known

CASES = (Case("one", (1.0,)), Case("two", (2.0,), 4.0), Case("three", (3.0,)))
WRONG = Mistake("the square", "Add, or multiply?", wrong_functions=("square", "cube"))


WRONG_ONES = {"square": lambda x: x**2, "cube": lambda x: x**3 if x < 3 else "?"}
BANK = SimpleNamespace(MISTAKES=WRONG_ONES, RIGHT={"sum": lambda x: x + x})


def twice(*mistakes, cases=CASES):
    plain = {"title": "Task 1 · Twice", "stars": 1, "minutes": 1, "points": 1, "hints": ("Add it to itself.",)}
    return Task(name="twice", function="twice", arguments=("x",), cases=cases, mistakes=mistakes, **plain)


def homework(folder, *tasks, bank=BANK):
    """A homework with a file of what is known beside its checks."""
    (folder / "hwtwice.json").write_text(
        known.text({one.name: known.known(one, bank) for one in tasks}), encoding="utf-8"
    )
    return Homework(*tasks, beside=folder / "hwtwice.py")


@pytest.mark.parametrize(
    "value",
    [
        3,
        2.5,
        -np.inf,
        "word",
        True,
        np.array([1, 2]),
        np.array([[1.0, np.nan], [0.1, 1e-300]]),
        np.array([True, False]),
        np.zeros((0, 2)),
        (1.5, np.array([3]), ("a", False)),
    ],
    ids=str,
)
def test_values_arrive_as_they_were(value):
    found = unpack(json.loads(json.dumps(pack(value, 17))))
    assert type(found) is type(value)
    assert getattr(found, "dtype", None) == getattr(value, "dtype", None)
    assert agrees(found, value, 1e-15)


def test_only_so_many_digits_are_kept():
    assert pack(np.array([1 / 3, 2e9 / 3]), 4) == [0.3333, 666700000.0]


def test_answers_and_mistakes_come_from_the_bank(tmp_path):
    (one,) = homework(tmp_path, twice(WRONG)).tasks
    assert [case.expected for case in one.cases] == [2.0, 4.0, 6.0]
    assert [mistake.cases for mistake in one.mistakes] == [{"one": 1, "two": 4, "three": 9}, {"one": 1, "two": 8}]


def test_a_mistake_is_told_by_whatever_function_of_its_it_is(tmp_path):
    made = homework(tmp_path, twice(WRONG))
    for power in (2, 3):
        assert "the square.\n      Add, or multiply?" in made.report(made.tasks[0], lambda x, power=power: x**power)


def test_one_part_of_several_may_show_a_mistake(tmp_path):
    wrong = {"square": lambda x: (x**2, 0.0)}
    two = SimpleNamespace(MISTAKES=wrong, RIGHT={"sum": lambda x: (x + x, 1.0)})
    cases = (Case("one", (1.0,)), Case("three", (3.0,)))
    made = homework(
        tmp_path, twice(Mistake("the square", "Add?", wrong_functions=("square",), part=0), cases=cases), bank=two
    )
    assert "the square.\n      Add?" in made.report(made.tasks[0], lambda x: (x**2, 7.0))
    assert "Add?" not in made.report(made.tasks[0], lambda x: (x, 0.0))


def test_a_rule_is_not_asked_where_the_mistake_gives_the_right_answer(tmp_path):
    rule = Mistake("less", "Less?", when=lambda case, got: got < case.expected, correct_cases=("one",))
    made = homework(tmp_path, twice(rule))
    assert "Less?" in made.report(made.tasks[0], lambda x: 2.0)
    assert "Less?" not in made.report(made.tasks[0], lambda x: 4.0 if x == 2 else x)


def test_a_right_case_contradicts_what_a_mistake_gives_there(tmp_path):
    made = homework(tmp_path, twice(Mistake("one more", "More?", gives=lambda case: case.expected + 1)))
    assert "More?" in made.report(made.tasks[0], lambda x: 2 * x + 1)
    assert "More?" not in made.report(made.tasks[0], lambda x: {1: 3.0, 2: 0.0}.get(x, 6.0))


def test_a_function_that_is_wrong_nowhere_is_no_mistake(tmp_path):
    with pytest.raises(ValueError, match=r"\['square'\] give no wrong value"):
        homework(tmp_path, twice(WRONG, cases=(Case("two", (2.0,)),)))


@pytest.mark.parametrize(
    ("contents", "words"),
    [
        (None, "hwtwice.json is missing"),
        ({}, "nothing is known of 'one'"),
        ({"twice": {"expected": {"one": 2.0}}}, "three"),
    ],
)
def test_what_is_missing_is_told(tmp_path, contents, words):
    if contents is not None:
        (tmp_path / "hwtwice.json").write_text(json.dumps(contents), encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        _ = Homework(twice(WRONG), beside=tmp_path / "hwtwice.py").tasks


def test_an_unknown_function_of_the_bank_is_told(tmp_path):
    with pytest.raises(ValueError, match="'root'"):
        homework(tmp_path, twice(Mistake("the root", "Root?", wrong_functions=("root",))))


def test_a_single_title_without_its_comma_is_refused():
    with pytest.raises(ValueError, match="a tuple of titles is needed"):
        Homework(twice(Mistake("the square", "Square?", wrong_functions="square")))


@pytest.mark.parametrize("name", graded.HOMEWORKS)
def test_no_number_is_typed_that_the_bank_computes(name):
    """The module has cases, hints and rules; what a wrong function gives stands in the file beside it alone."""
    written = graded.checks(name).homework.written
    assert not [mistake.description for task in written for mistake in task.mistakes if mistake.cases]
    assert read_known(graded.checks(name).__file__).keys() == {task.name for task in written}


def test_what_another_processor_computes_otherwise_is_not_known():
    values = {"sum": 1.0, "inverse of nothing": 3e16, "both": {"tuple": [1.0, [2.0, -1e15]]}, "right here": None}
    first = {"expected": {"sum": 2.0}, "mistakes": {"square": values, "cube": {"sum": 8.0}}}
    other = {"sum": 1.0 + 1e-9, "inverse of nothing": -1e15, "both": {"tuple": [1.0, [2.0, 0.0]]}, "right here": 2.0}
    elsewhere = {**first, "mistakes": {"square": other, "cube": {"sum": 8.0}}}
    assert known.everywhere(first, first) == first
    assert known.everywhere(first, first, elsewhere) == {
        "expected": {"sum": 2.0},
        "mistakes": {"square": {"sum": 1.0}, "cube": {"sum": 8.0}},
        "rounding": {"square": ["inverse of nothing", "both", "right here"]},
    }


def test_a_case_without_a_value_elsewhere_is_not_known():
    first = {"expected": {}, "mistakes": {"square": {"sum": 1.0, "right": None}}}
    nothing = {"expected": {}, "mistakes": {"square": {}}}
    assert known.everywhere(first, nothing)["mistakes"] == {"square": {}}


def test_another_processors_last_digits_change_no_byte_of_the_file():
    before = {"expected": {"sum": 2.0}, "mistakes": {"square": {"sum": 1.0}}, "rounding": {"square": ["huge"]}}
    now = {"expected": {"sum": 2.0 + 1e-13}, "mistakes": {"square": {"sum": 1.0 + 1e-7, "huge": 3e16}}}
    assert known.text({"t": known.settled(now, before)}) == known.text({"t": before})
    assert known.settled(now | {"expected": {"sum": 2.001}}, before)["expected"] == {"sum": 2.001}
