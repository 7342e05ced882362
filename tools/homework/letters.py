"""The written answers of a homework that a person marks, and what belongs to them in the students' notebooks."""

import hashlib
import itertools
import json
from dataclasses import dataclass
from pathlib import Path

import nbformat

from tools.homework.nbgrading import TEXT_STUB
from tools.homework.outcomes import cell_named, read_outcomes
from tools.homework.rubric import Rubric, read_rubrics


@dataclass(frozen=True)
class Letter:
    """What one student wrote to one question: the answer's cell, and the cells of their own that stand around it."""

    student: str
    rubric: Rubric
    cell: nbformat.NotebookNode
    own: tuple = ()

    @property
    def text(self):
        """The answer, as it was typed."""
        return self.cell.source

    @property
    def digest(self):
        """Another one as soon as the student changes a word, or we the points of a row: what a mark was given for."""
        shown = [self.text, [cell.source for cell in self.own], [row.points for row in self.rubric.rows]]
        return hashlib.sha256(json.dumps(shown).encode()).hexdigest()


def source_notebook(root, homework):
    """Path of the notebook in root/solutions.

    Raises
    ------
    ValueError
        If there is no such homework.
    """
    path = Path(root, "solutions", homework, f"{homework}.ipynb")
    if not path.is_file():
        names = sorted(one.parent.name for one in Path(root, "solutions").glob("*/*.ipynb"))
        raise ValueError(f"homework is {homework!r}; a folder of {path.parents[1]} is needed: {', '.join(names)}.")
    return path


def chosen_rubrics(root, homework, grade_ids=()):
    """The rubrics of a homework, or of those letters that have one of these grade_ids.

    Raises
    ------
    ValueError
        If there is no such homework or letter, or a rubric does not add up.
    """
    rubrics = read_rubrics(source_notebook(root, homework))
    unknown = set(grade_ids) - {rubric.grade_id for rubric in rubrics}
    if unknown or not rubrics:
        known = ", ".join(rubric.grade_id for rubric in rubrics) or "none"
        raise ValueError(f"letters has {sorted(unknown)}; {homework} has {known}.")
    return tuple(rubric for rubric in rubrics if not grade_ids or rubric.grade_id in grade_ids)


def read_letters(into, homework, root, grade_ids=()):
    """Every Letter in which something is written, student by student.

    Parameters
    ----------
    into : Path where grading keeps everything
    homework : its name
    root : Path of the course, with solutions/
    grade_ids : of the letters that are wanted; all without

    Raises
    ------
    ValueError
        If nothing is graded, or the homework has no such letter.
    """
    rubrics = chosen_rubrics(root, homework, grade_ids)
    given = {cell.source for cell in nbformat.read(source_notebook(root, homework), as_version=4).cells}
    books = [(outcome.student, outcome.book()) for outcome in read_outcomes(into, homework)]
    letters = [letter_of(*both, rubric, given) for both in books if both[1] is not None for rubric in rubrics]
    return [letter for letter in letters if letter is not None]


def letter_of(student, book, rubric, given):
    """The Letter of one student, or None if nothing is written there.

    Parameters
    ----------
    student : name
    book : graded notebook
    rubric : of the question
    given : sources of the cells that the student got
    """
    cell = cell_named(book, rubric.grade_id)
    if cell is None or cell.source.strip() in ("", TEXT_STUB):
        return None
    place = book.cells.index(cell)
    own = [*_until_a_task(book.cells[:place][::-1])[::-1], *_until_a_task(book.cells[place + 1 :])]
    return Letter(student, rubric, cell, tuple(one for one in own if one.source not in given and one.source.strip()))


def _until_a_task(cells):
    """The cells before the first one that belongs to a task."""
    return list(itertools.takewhile(lambda cell: "nbgrader" not in cell.metadata, cells))
