"""How the written answers of a homework are marked: read from its notebook in solutions/, where students read it, too.

The markdown cell above a graded text cell ends in a table, `| how it is marked | points |`, whose points add up to
those of the cell.
"""

import re
from dataclasses import dataclass

import nbformat

TABLE_HEAD = re.compile(r"^\|\s*how it is marked\s*\|\s*points\s*\|\s*$")
TABLE_RULE = re.compile(r"^\|[\s:|-]+\|$")
TABLE_ROW = re.compile(r"^\|(?P<what>.+)\|\s*(?P<points>\d+(\.\d+)?)\s*\|$")
HEADING = re.compile(r"^#{1,6}\s+(?P<title>.+?)(\s*\(\d+ (points?|min)\))?\s*$")
SOLUTION = re.compile(r"<!-- BEGIN SOLUTION -->\n?(.*?)\n?<!-- END SOLUTION -->", re.DOTALL)


@dataclass(frozen=True)
class Row:
    """One thing that an answer should do, and its points."""

    what: str
    points: float


@dataclass(frozen=True)
class Rubric:
    """A question that is answered in words: markdown of the question and of our solution, and the rows."""

    grade_id: str
    title: str
    question: str
    rows: tuple[Row, ...]
    solution: str

    @property
    def points(self):
        """The most that can be had."""
        return sum(row.points for row in self.rows)


def read_rubrics(path):
    """The Rubric of each graded text cell of a notebook of solutions/, in its order.

    Parameters
    ----------
    path : Path of the notebook

    Raises
    ------
    ValueError
        If there is no table above such a cell, or its points do not add up; the message names notebook and cell.
    """
    cells = nbformat.read(path, as_version=4).cells
    return tuple(_rubric(cells, place, path) for place, cell in enumerate(cells) if is_letter(cell))


def is_letter(cell):
    """Whether a cell is an answer in words that gives points."""
    return cell.cell_type == "markdown" and cell.metadata.get("nbgrader", {}).get("grade", False)


def heading(cells, place):
    """The last heading before cells[place], without its marks, points and minutes; empty if there is none."""
    above = [line for cell in cells[:place] if cell.cell_type == "markdown" for line in cell.source.splitlines()]
    found = [match["title"] for match in map(HEADING.match, above) if match]
    return found[-1] if found else ""


def _rubric(cells, place, path):
    """The Rubric of the text cell at this place."""
    cell = cells[place]
    grade_id, most = cell.metadata.nbgrader.grade_id, cell.metadata.nbgrader.points
    question, rows = _question_and_rows(cells[place - 1].source if place else "", f"{path}, cell {grade_id!r}")
    found = sum(row.points for row in rows)
    if found != most:
        raise ValueError(f"{path}, cell {grade_id!r}: the rubric's points add up to {found:g}; the cell has {most:g}.")
    solution = SOLUTION.search(cell.source)
    return Rubric(grade_id, heading(cells, place), question, rows, solution[1] if solution else cell.source)


def _question_and_rows(source, where):
    """What stands between the last heading and the table, and the rows of the table."""
    lines = source.splitlines()
    head = next((k for k, line in enumerate(lines) if TABLE_HEAD.match(line)), None)
    if head is None:
        raise ValueError(f"{where}: the cell above needs a table '| how it is marked | points |'.")
    begin = max((k + 1 for k in range(head) if HEADING.match(lines[k])), default=0)
    return "\n".join(lines[begin:head]).strip(), tuple(_rows(lines[head + 1 :], where))


def _rows(lines, where):
    for line in lines:
        if not line.startswith("|"):
            return
        if TABLE_RULE.match(line):
            continue
        row = TABLE_ROW.match(line)
        if row is None:
            raise ValueError(f"{where}: the rubric's row {line!r} needs the form '| what | points |'.")
        yield Row(row["what"].strip().replace(r"\|", "|"), float(row["points"]))
