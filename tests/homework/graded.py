"""Reads a homework for the tests: its checks, its graded cells, and what these award to some function."""

import ast
import importlib.util
import sys
from functools import cache
from pathlib import Path

import nbformat
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
HOMEWORKS = sorted(path.parent.name for path in ROOT.glob("solutions/*/checks.py"))


def checks(name):
    """The module solutions/NAME/checks.py."""
    path = ROOT / "solutions" / name / "checks.py"
    spec = importlib.util.spec_from_file_location(f"checks_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


def points(source, name, function, module):
    """Points that a graded cell awards to a function that bears this name in the notebook.

    Raises
    ------
    NoPoints
        If it earns none.
    """
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value)
    before = sys.modules.get("checks")
    sys.modules["checks"] = module
    try:
        names = {name: function, "check": module.check}
        exec(compile(tree, "graded cell", "exec"), names)
        return eval(compile(last, "graded cell", "eval"), names)
    finally:
        sys.modules.pop("checks")
        if before is not None:
            sys.modules["checks"] = before


def named(function, name):
    """The same function under the name that the task asks for."""

    def renamed(*given):
        return function(*given)

    renamed.__name__ = name
    return renamed


def assert_expected(task, right_answers, tolerance=None):
    """Each right answer gives the expected numbers of each case, to this tolerance or else to the case's own."""
    for one in task.cases:
        for title, function in right_answers.items():
            got, expected = function(*one.inputs), one.expected
            if not isinstance(expected, tuple):
                got, expected = (got,), (expected,)
            near = one.tolerance if tolerance is None else tolerance
            for mine, theirs in zip(got, expected, strict=True):
                np.testing.assert_allclose(mine, theirs, rtol=near, atol=near, err_msg=f"{one.name}: {title}")
