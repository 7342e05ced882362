"""Finds the cells of a homework again in a notebook that has lost nbgrader's metadata, or some of these cells.

Editors elsewhere drop metadata that are not theirs, and students delete cells. What can be found by what it says is
given its name again: a check by `check(name)`, an answer by what defines `name`, a letter by the question before it.
A graded cell that cannot be found is put back, so that it costs its own task; nbgrader gives up on all of them.
"""

import ast
import copy
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode, default

SAID_KEY = "said_by_the_grader"  # in a cell's metadata: what its student is told
MAX_CHECK_CHARACTERS = 2000  # of a cell that may be a check: to parse one of megabytes takes gigabytes
CHECK_CALL = re.compile(r"check\(\s*(\w+)\s*\)")
LOST_CELLS = "What was handed in has no cells of this task: nothing in it defines {name}."
LOST_LETTER = "*The cell of this answer was missing in what was handed in. The grader put it back.*"


class FindCells(NbGraderPreprocessor):
    """nbgrader's step that gives a submission the cells of its homework again, before others look at them."""

    source = Unicode(help="Folder with the notebook of the homework.").tag(config=True)

    @default("source")
    def _source_of_the_course(self):
        course = self.parent.parent.coursedir
        return course.format_path(course.source_directory, ".", course.assignment_id)

    def preprocess(self, nb, resources):
        """The notebook with each graded cell in it."""
        path = Path(self.source, f"{resources['nbgrader']['notebook']}.ipynb")
        restore(nb, nbformat.read(path, as_version=4))
        return nb, resources


def restore(book, source):
    """Names in `book`, in place, the cells that `source` names, and puts graded ones back that are not there.

    Parameters
    ----------
    book : notebook that was handed in
    source : notebook of solutions/
    """
    names = {name: place for place, cell in enumerate(source.cells) if (name := grade_id(cell))}
    for cell in book.cells:
        cell.metadata.pop(SAID_KEY, None)
        if grade_id(cell) not in names:
            cell.metadata.pop("nbgrader", None)
    after = None
    for name, place in names.items():
        about = source.cells[place].metadata.nbgrader
        cell = last(book, lambda one, name=name: grade_id(one) == name) or found(book, source, place)
        if cell is None and about.get("grade"):
            cell = put_back(book, source, place, after)
        if cell is not None:
            cell.metadata["nbgrader"] = copy.deepcopy(about)
            after = cell


def recognised(book, source):
    """How many of the cells that `source` names are in a notebook, by their names, or else by what they say."""
    names = {name: place for place, cell in enumerate(source.cells) if (name := grade_id(cell))}
    there = names.keys() & set(map(grade_id, book.cells))
    return len(there) or sum(found(book, source, place) is not None for place in names.values())


def grade_id(cell):
    """nbgrader's name of a cell, or an empty text; what is handed in may have anything there."""
    about = cell.metadata.get("nbgrader")
    name = about.get("grade_id") if isinstance(about, Mapping) else None
    return name if isinstance(name, str) else ""


def last(book, fits):
    """The last cell that fits, as nbgrader keeps the last of several; or None."""
    return next((cell for cell in reversed(book.cells) if fits(cell)), None)


def found(book, source, place):
    """The cell without a name that is the one at this place of the source, by what it says; or None."""
    given = source.cells[place]
    if given.cell_type != "code":
        return letter(book, source, place)
    if given.metadata.nbgrader.get("grade"):
        return last(book, lambda cell: not grade_id(cell) and called(cell) == called(given))
    name = next(filter(None, map(called, source.cells[place:])), None)
    return last(book, lambda cell: not grade_id(cell) and defines(cell, name))


def called(cell):
    """The function that a cell calls `check` with, if it does nothing else; or an empty text."""
    short = cell.cell_type == "code" and len(cell.source) <= MAX_CHECK_CHARACTERS
    return _called(cell.source) if short else ""


@lru_cache(maxsize=10_000)
def _called(source):
    try:
        first, *others = ast.parse(source).body
        call = CHECK_CALL.fullmatch(ast.unparse(first))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return ""
    return call[1] if call and all(isinstance(getattr(one, "value", None), ast.Constant) for one in others) else ""


def defines(cell, name):
    """Whether a cell gives this name to a function or anything else, also if it does not run."""
    binding = rf"^(?:(?:def|class)\s+{name}\b|{name}\s*=[^=])"
    return name is not None and cell.cell_type == "code" and re.search(binding, cell.source, re.MULTILINE) is not None


def letter(book, source, place):
    """The written answer after the question before this place, found by its words or by its last heading; or None."""
    given = {cell.source for cell in source.cells}
    question = question_of(book, source.cells[place - 1])
    after = [] if question is None else book.cells[book.cells.index(question) + 1 :][:1]
    return next((cell for cell in after if cell.cell_type == "markdown" and cell.source not in given), None)


def question_of(book, given):
    """The cell of a notebook with the same text, or else with the same last heading; or None."""
    same = last(book, lambda cell: cell.source.strip() == given.source.strip())
    return same or last(book, lambda cell: cell.cell_type == "markdown" and heading(cell) == heading(given) != "")


def heading(cell):
    """The last heading in a cell."""
    return next((line.strip() for line in reversed(cell.source.splitlines()) if line.startswith("#")), "")


def put_back(book, source, place, after):
    """A new cell for the graded one at this place, where what it grades is known; else behind the cell `after`."""
    given = source.cells[place]
    if given.cell_type == "code":
        name = called(given)
        cell, there = new_code_cell(f"check({name})"), last(book, lambda one: defines(one, name))
        if there is None:
            cell.metadata[SAID_KEY] = LOST_CELLS.format(name=name)
    else:
        cell, there = new_markdown_cell(LOST_LETTER), question_of(book, source.cells[place - 1])
    if (book.nbformat, book.nbformat_minor) < (4, 5):
        del cell["id"]
    before = next((k for k, one in enumerate(book.cells) if one is (there or after)), -1)
    book.cells.insert(before + 1, cell)
    return cell
