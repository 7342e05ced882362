"""The written answers of a homework that a person marks, and what belongs to them in the students' notebooks."""

import copy
import hashlib
import itertools
import json
from dataclasses import dataclass
from functools import partial
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


def sources_given(path):
    """The contents of the cells of a notebook of solutions/, of which students get all but the answers."""
    return {cell.source for cell in nbformat.read(path, as_version=4).cells}


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
    given = sources_given(source_notebook(root, homework))
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
    found = written(book, rubric.grade_id, given)
    return found and Letter(student, rubric, *found)


def written(book, grade_id, given):
    """(the cell of an answer, the student's own cells around it), or None if nothing is written there.

    Where the cell of the answer is as it was given, the answer is what is beside it: below, above, or in the cell
    of the question.
    """
    cell = cell_named(book, grade_id)
    if cell is None:
        return None
    place = book.cells.index(cell)
    above, below = book.cells[:place][::-1], book.cells[place + 1 :]
    own = _own([*_until(_is_task, above)[::-1], *_until(_is_task, below)], given)
    if cell.source.strip() not in ("", TEXT_STUB):
        return cell, tuple(own)
    ends = partial(_is_task_or_given, given=given)
    beside = [one for one in _own([*_until(ends, above)[::-1], *_until(ends, below)], given) if _says(one)]
    if not beside:
        return None
    texts = [one for one in beside if one.cell_type == "markdown"] or beside[:1]
    return _joined(texts), tuple(one for one in own if _says(one) and all(one is not text for text in texts))


def _until(ends, cells):
    """The cells before the first one at which they end."""
    return list(itertools.takewhile(lambda cell: not ends(cell), cells))


def _is_task(cell):
    """Whether a cell belongs to a task."""
    return "nbgrader" in cell.metadata


def _is_task_or_given(cell, given):
    return _is_task(cell) or cell.source in given


def _own(cells, given):
    """Those of the cells in which a student has written something."""
    return [one for one in cells if one.source not in given and one.source.strip()]


def _says(cell):
    """Whether a cell is more than a copy of an empty answer."""
    return cell.source.strip() != TEXT_STUB


def _joined(cells):
    """Cells of one kind as one cell."""
    first = copy.deepcopy(cells[0])
    first.source = "\n\n".join(one.source for one in cells)
    if attachments := {name: kinds for one in cells for name, kinds in one.get("attachments", {}).items()}:
        first.attachments = nbformat.from_dict(attachments)
    return first
