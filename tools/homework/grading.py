"""Grades one submission, out of reach of all others, and leaves what it came to in a folder."""

import hashlib
import json
import os
import select
import shutil
import tempfile
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from tools.homework import box
from tools.homework.nbgrading import autograde, opened
from tools.homework.outcomes import MARKS
from tools.homework.sheets import NEVER_RELEASED
from tools.homework.submissions import Submission

SOMEBODY = "student"  # what everybody is called while being graded: names in paths can be anything
REASON_CHARACTERS = 160
FUNCTION, TEXT = "function", "text"


@dataclass(frozen=True)
class Job:
    """One submission to grade.

    Parameters
    ----------
    submission : Submission
    source : Path of solutions/HOMEWORK
    template : Path of a gradebook that knows the homework and no students
    results : Path of the folder with what was graded; key : of the submission and its source
    limits : box.Limits;  boxed : whether it runs in a box
    grader : number of the process that wants it, with which a worker of its own ends
    """

    submission: Submission
    source: Path
    template: Path
    results: Path
    key: str
    limits: box.Limits
    boxed: bool
    grader: int = 0


def grade(job):
    """Grades a submission; the Path of a new folder with its notebook, as graded, and marks.json."""
    end_with(job.grader)
    one, done = job.submission, Path(tempfile.mkdtemp(prefix=".new-", dir=job.results))
    about = {"student": one.student, "homework": one.homework, "key": job.key, "handed_in": one.handed_in}
    problem, cells, seconds = one.problem, [], 0.0
    if not problem:
        with tempfile.TemporaryDirectory(prefix="grade-", ignore_cleanup_errors=True) as place:
            try:
                cells, seconds = _graded(job, Path(place), done)
            except Exception as error:  # whatever it is: it must not end the others' grading
                problem = reason(f"{type(error).__name__}: {error}")
    found = {**about, "graded": now(), "problem": problem, "seconds": round(seconds, 2), "cells": cells}
    (done / MARKS).write_text(json.dumps(found, indent=1), encoding="utf-8")
    return done


def now():
    """The time, as marks are dated."""
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"


@cache
def end_with(grader):
    """Ends this process, and its box with it, as soon as the grader has ended that has started it."""
    if os.getppid() == grader:
        ended = os.pidfd_open(grader)
        threading.Thread(target=lambda: (select.select([ended], [], []), os._exit(1)), daemon=True).start()


def _graded(job, place, done):
    """(the marks of each graded cell, processor time of the box), from a course that has only this student."""
    name, (gradebook, judged) = job.submission.homework, (place / "gradebook.db", place / "judged.json")
    shutil.copyfile(job.template, gradebook)
    shutil.copytree(job.source, place / "solutions" / name, ignore=shutil.ignore_patterns("*.ipynb", *NEVER_RELEASED))
    job.submission.copy(place / "submitted" / SOMEBODY / name)
    autograde(place, name, SOMEBODY, gradebook, job.limits, job.boxed, job.source.resolve(), judged)
    shutil.copyfile(place / "autograded" / SOMEBODY / name / f"{name}.ipynb", done / f"{name}.ipynb")
    texts = digests(json.loads((done / f"{name}.ipynb").read_text(encoding="utf-8")))
    found = json.loads(judged.read_text(encoding="utf-8"))
    return list(marks(name, gradebook, found["functions"], texts)), found["seconds"]


def digests(book):
    """{grade_id: digest of what stands in the cell} of a notebook."""
    named = {cell["metadata"].get("nbgrader", {}).get("grade_id"): "".join(cell["source"]) for cell in book["cells"]}
    return {name: hashlib.sha256(source.encode()).hexdigest() for name, source in named.items()}


def marks(homework, gradebook, judged, texts):
    """What each graded cell came to, in the order of the notebook; a generator of plain data."""
    with opened(gradebook) as book:
        order = {cell.name: k for k, cell in enumerate(book.find_notebook(homework, homework).source_cells)}
        grades = book.find_submission_notebook(homework, homework, SOMEBODY).grades
        for grade in sorted(grades, key=lambda grade: order[grade.name]):
            about = judged.get(grade.name, {})
            yield {
                **about,
                "grade_id": grade.name,
                "kind": FUNCTION if grade.name in judged else TEXT,
                "points": grade.auto_score,
                "most": grade.max_score,
                "problem": about.get("problem", ""),
                "text": texts[grade.name],
            }


def reason(said):
    """The most telling line of an error: the exception that a traceback ends in, or the last line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()] or ["it stopped without a word"]
    named = [line for line in lines if line.split(":")[0].endswith(("Error", "Exception"))]
    return (named or lines)[-1][:REASON_CHARACTERS]
