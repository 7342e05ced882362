"""Answers of people who had only the released exercises: what is wrong is never green, what is right earns all points.

adversaries/hwNN.py has WRONG and RIGHT, lists of (function asked for, what it misunderstands or how it is written,
function). They were written before any hint was made for them, so that they test the checks as students do; those of
hwNN_again.py, by somebody else, when the hints were finished.
`python -m tests.homework.test_adversaries 04` prints what each of them is told.
"""

import importlib
import sys

import pytest

from tests.homework import graded

SECONDS = 5.0


def answers(number, kind):
    """The entries WRONG or RIGHT of a homework's modules."""
    names = sorted(path.stem for path in (graded.ROOT / "tests/homework/adversaries").glob(f"hw{number}*.py"))
    modules = [importlib.import_module(f"tests.homework.adversaries.{name}") for name in names]
    return [entry for module in modules for entry in getattr(module, kind)]


def told(name, function, answer):
    """(what the check prints, points) of an answer."""
    homework = graded.checks(name).homework
    task = next(one for one in homework.tasks if one.function == function)
    named = graded.named(answer, function)
    return homework.report(task, named), graded.points(graded.sheets(name)[task.name], named, SECONDS), task.points


def entries(kind):
    return [
        pytest.param(name, *entry, id=f"{name[:2]} {entry[0]}: {entry[1]}")
        for name in graded.HOMEWORKS
        for entry in answers(name[:2], kind)
    ]


@pytest.mark.parametrize(("name", "function", "slip", "answer"), entries("WRONG"))
def test_a_wrong_answer_is_not_green(name, function, slip, answer):
    report, points, full = told(name, function, answer)
    assert report.startswith("✗"), report
    assert points < full


@pytest.mark.parametrize(("name", "function", "style", "answer"), entries("RIGHT"))
def test_a_right_answer_in_another_style_earns_all_points(name, function, style, answer):
    report, points, full = told(name, function, answer)
    assert report.startswith("✓"), report
    assert points == full


if __name__ == "__main__":
    for name in [one for one in graded.HOMEWORKS if one[:2] in sys.argv[1:]]:
        for kind in ("WRONG", "RIGHT"):
            for function, about, answer in answers(name[:2], kind):
                report, points, full = told(name, function, answer)
                print(
                    f"\n===== {name} {function} · {kind}: {about}\n{points:g} of {full:g} points\n{report}", flush=True
                )
