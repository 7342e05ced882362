"""What grading left of the tiny course, made by hand: results of a few students, and their gradebook."""

import copy
import json
import os
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import indent
from unittest import mock

import nbformat
from nbformat.v4 import new_code_cell, new_output
from nbgrader.api import Gradebook

from tests.homework import tiny_course
from tools.homework.nbgrading import CODE_STUB, TEXT_STUB, database

SQUARE = "def double(x):\n    return x * x"
SECRET = "✗ hidden 7: you got 49"
WRONG = "✗ Task 1 · Twice ★: right in 0 of 2 cases.\n  three: you got 9, the square."
RIGHT = "✓ Task 1 · Twice ★: right in 2 of 2 cases."
STUB = "○ Task 1 · Twice ★: not attempted yet."
HOSTILE = "Dear <script>window.hacked = 1</script> \"><img src=x onerror='window.hacked = 1'> friend, x < y."
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
ASK = "What is x + x?"


@dataclass
class Handed:
    """What one student handed in, and what the grader made of it."""

    letter: str = TEXT_STUB
    answer: str = "def double(x):\n    return 2 * x"
    points: float | None = 4.0
    shown: str = RIGHT
    ask: str = ""
    problem: str = ""
    own: str = ""


STUDENTS = {
    "ada": Handed("Twice 3 is 3 + 3 = 6."),
    "ben": Handed(HOSTILE, SQUARE, 0.0, WRONG, ASK, own="plot(<b>)"),
    "cem": Handed("2x = x + x.", SQUARE, 0.0, WRONG, ASK),
    "dan": Handed(answer="def double(x):\n" + indent(CODE_STUB, "    "), points=0.0, shown=STUB),
    "eve": Handed("Six.", points=None, problem="its hidden cases fail with ValueError: hidden 7"),
}


def make(root, students=STUDENTS):
    """Writes the course, and results and the gradebook into root; returns root."""
    tiny_course.make(root)
    (root / "gradebook.db").write_bytes(empty_gradebook())
    add_to_gradebook(root, students)
    for student, handed in students.items():
        publish(root, student, handed)
    return root


@cache
def empty_gradebook():
    """Bytes of the gradebook that knows the homework and no student; nbgrader starts a program to make it."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    with tempfile.TemporaryDirectory() as place, mock.patch.dict(os.environ, {"PATH": programs}):
        path = Path(place, "gradebook.db")
        with Gradebook(database(path)) as book:
            book.add_assignment("tiny")
            book.add_notebook("tiny", "tiny")
            book.add_solution_cell("double-answer", "tiny", "tiny")
            book.add_solution_cell("letter", "tiny", "tiny")
            book.add_grade_cell("double-check", "tiny", "tiny", max_score=4, cell_type="code")
            book.add_grade_cell("letter", "tiny", "tiny", max_score=2, cell_type="markdown")
            for name in ("double-check", "letter"):
                book.add_source_cell(name, "tiny", "tiny", cell_type="code")
        return path.read_bytes()


def add_to_gradebook(root, students):
    """Adds students with what the grader gave them."""
    with Gradebook(database(root / "gradebook.db")) as book:
        for student, handed in students.items():
            book.add_student(student)
            book.add_submission("tiny", student)
            autograde(book, student, handed)


def autograde(book, student, handed):
    """Gives a submission its automatic points, and lets wait what nbgrader lets wait, also when it is done again."""
    for grade_id, points in {"double-check": handed.points, "letter": letter_points(handed)}.items():
        grade = book.find_grade(grade_id, "tiny", "tiny", student)
        grade.auto_score = points
        grade.needs_manual_grade = points is None or grade.manual_score is not None
    book.db.commit()


def regrade(root, student, handed):
    """Grades what a student has handed in now."""
    publish(root, student, handed)
    with Gradebook(database(root / "gradebook.db")) as book:
        autograde(book, student, handed)


def letter_points(handed):
    return 0.0 if handed.letter == TEXT_STUB else None


def publish(root, student, handed):
    """Writes the folder of results of a student."""
    folder = root / "results" / "tiny" / student
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook(handed), folder / "tiny.ipynb")
    code = {"grade_id": "double-check", "points": handed.points, "most": 4, "kind": "function", "right": 2, "cases": 5}
    code |= {"problem": handed.problem, "report": SECRET, "looks": "", "ask": handed.ask, "shown": handed.shown}
    letter = {"grade_id": "letter", "points": letter_points(handed), "most": 2, "kind": "text", "problem": ""}
    marks = {"student": student, "homework": "tiny", "key": "0", "handed_in": None, "problem": ""}
    (folder / "marks.json").write_text(json.dumps({**marks, "cells": [code, letter]}), encoding="utf-8")


def notebook(handed):
    """The graded notebook: with the test as it is in the source, as nbgrader leaves it, and what the grader said."""
    book = copy.deepcopy(tiny_course.source())
    tiny_course.cell_of(book, "double-answer").source = handed.answer
    tiny_course.cell_of(book, "double-check").outputs = [new_output("stream", text=SECRET)]
    tiny_course.cell_of(book, "letter").source = handed.letter
    if handed.own:
        picture = new_output("display_data", data={"image/png": PIXEL})
        book.cells.insert(5, new_code_cell(handed.own, outputs=[picture]))
    return book
