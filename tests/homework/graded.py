"""Reads a homework for the tests: its checks, its graded cells, and what these award to some function."""

import importlib
import json
from functools import cache
from pathlib import Path

import nbformat

from course_checks import judging
from course_checks.answering import told
from tools.homework import sheets as reading
from tools.homework.sheets import read_sheets

ROOT = Path(__file__).resolve().parents[2]
HOMEWORKS = sorted(path.parent.name for path in ROOT.glob("solutions/*/*.ipynb"))


@cache
def checks(name):
    """The module with the checks of a homework."""
    return importlib.import_module(f"course_checks.hw{name}")


def bank(name):
    """The modules solutions/NAME/mistakes/, as attributes."""
    return reading.package(ROOT / "solutions" / name)


def banks(name):
    """{task: module with MISTAKES and RIGHT} of a homework."""
    return reading.banks(ROOT / "solutions" / name)


@cache
def notebook(name, folder="solutions"):
    """The notebook of a homework, as its author or a student has it."""
    return nbformat.read(ROOT / folder / name / f"{name}.ipynb", as_version=4)


def cell(book, grade_id):
    """Source of the cell with this grade_id."""
    return next(one.source for one in book.cells if one.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def defined_in(source, function):
    """The function that a cell defines, which has imported NumPy and nothing else."""
    names = {}
    exec("import numpy as np\n" + source, names)
    return names[function]


@cache
def sheets(name):
    """What a homework is graded by: {task: Sheet}, read once."""
    return {sheet.task.name: sheet for sheet in read_sheets(ROOT / "solutions" / name).values()}


def points(sheet, function, seconds=None):
    """Points that a function earns on the way of the grader: called, told as JSON, judged."""
    answers = json.dumps(list(told(function, sheet.inputs, seconds or sheet.seconds, 60.0)))
    return judging.points(sheet.task, sheet.judge(json.loads(answers)))


def named(function, name):
    """The same function under the name that the task asks for."""

    def renamed(*given):
        return function(*given)

    renamed.__name__ = name
    return renamed
