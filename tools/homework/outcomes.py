"""What grading one homework came to, as it stands in INTO/results/HOMEWORK/STUDENT/."""

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import nbformat
from nbgrader.utils import parse_utc

from tools.homework.tables import Damaged, read_json, write_whole

RESULTS, MARKS_FILE, LEFT_OUT = "results", "marks.json", ".left-out.json"
NEEDED = ("student", "homework", "problem", "cells")
ANEW = "Remove the folder {folder}: `make grade` makes it anew. Marks by hand are in the gradebook."
FUNCTION, TEXT = "function", "text"  # kinds of graded cells


@dataclass(frozen=True)
class Outcome:
    """One student's folder of results; `cells` are the graded cells of marks.json by grade_id, in their order.

    `at` is when it was handed in, None if that is not known.
    """

    student: str
    homework: str
    folder: Path
    problem: str
    cells: dict
    at: datetime | None = None

    def book(self):
        """The graded notebook, or None if nothing could be graded.

        Raises
        ------
        Damaged
            If it was cut.
        """
        path = self.folder / f"{self.homework}.ipynb"
        try:
            return nbformat.read(path, as_version=4) if path.is_file() else None
        except Exception as error:  # of JSON, of nbformat, or of what it holds
            raise Damaged(f"{path} is damaged ({error}). {ANEW.format(folder=self.folder)}") from None


def read(folder):
    """The marks.json of a folder of results, or None if there is none.

    Raises
    ------
    Damaged
        If it was emptied or cut.
    """
    path = folder / MARKS_FILE
    if not path.is_file():
        return None
    found = read_json(path, dict, ANEW.format(folder=folder))
    if missing := [name for name in NEEDED if name not in found]:
        raise Damaged(f"{path} is damaged (without {', '.join(missing)}). {ANEW.format(folder=folder)}")
    return found


def read_if_whole(folder):
    """The same, or None also if it was emptied or cut."""
    with suppress(Damaged):
        return read(folder)
    return None


def read_outcomes(into, homework):
    """The Outcome of each student, in the order of their names.

    Parameters
    ----------
    into : Path where grading keeps everything
    homework : its name

    Raises
    ------
    ValueError
        If nothing has been graded there; Damaged, which is one, if a result was cut.
    """
    found = [_read(path) for path in sorted(Path(into, RESULTS, homework).glob(f"*/{MARKS_FILE}"))]
    finished = [one for one in found if one.student == one.folder.name]  # others are folders of a grading that goes on
    if not finished:
        raise ValueError(f"{Path(into, RESULTS, homework)} has no results; grade the homework first (make grade).")
    return finished


def _read(path):
    marks = read(path.parent)
    cells = {cell["grade_id"]: cell for cell in marks["cells"]}
    at = marks.get("handed_in") and parse_utc(marks["handed_in"]).replace(tzinfo=UTC)
    return Outcome(marks["student"], marks["homework"], path.parent, marks["problem"], cells, at or None)


def cells_left_out(marks):
    """Sentences of a marks.json (or None) on the cells that were left out, as a box ended under them."""
    return [f"cell {number} was left out: {why}" for number, why in (marks or {}).get("left_out", {}).items()]


def left_out(results):
    """The grade_ids of the letters that do not count, from the folder with the results of a homework."""
    path = results / LEFT_OUT
    return (
        set(read_json(path, list, "Say again which letters do not count: --leave-out.")) if path.is_file() else set()
    )


def leave_out(results, grade_ids):
    """Counts these letters no longer, and all others again; points and marks stay where they are."""
    write_whole(results / LEFT_OUT, json.dumps(sorted(grade_ids)))


def cell_named(book, grade_id):
    """The cell of a notebook with this grade_id, or None."""
    found = (cell for cell in book.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id)
    return next(found, None)
