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

import nbformat

from tools.homework import box, regrading
from tools.homework.autograding import Answers
from tools.homework.letters import sources_given, written
from tools.homework.nbgrading import autograde, opened
from tools.homework.outcomes import FUNCTION, MARKS_FILE, TEXT, read_if_whole
from tools.homework.sheets import checks_files
from tools.homework.submissions import Submission
from tools.homework.tables import printable, write_whole
from tools.homework.temporary import temporary

ANONYMOUS_STUDENT = "student"  # what everybody is called while being graded: names in paths can be anything
REASON_CHARACTERS = 160


@dataclass(frozen=True)
class Job:
    """One submission to grade.

    Parameters
    ----------
    submission : Submission
    source : Path of solutions/HOMEWORK
    template : Path of a gradebook that knows the homework and no students
    results : Path of the folder with what was graded; key : of the submission and its source
    sources : what its tasks depend on (`regrading.sources`)
    touched : the grade_ids of which the result that is there holds no longer; None if all of it is to be made again
    limits : box.Limits;  boxed : whether it runs in a box
    grader : number of the process that wants it, with which a worker of its own ends
    """

    submission: Submission
    source: Path
    template: Path
    results: Path
    key: str
    sources: dict
    touched: frozenset | None
    limits: box.Limits
    boxed: bool
    grader: int = 0


def grade(job):
    """Grades a submission; the Path of a new folder with its notebook, as graded, and marks.json."""
    end_with(job.grader)
    one, done = job.submission, Path(tempfile.mkdtemp(prefix=".new-", dir=job.results))
    before = read_if_whole(job.results / one.student)
    about = {"student": one.student, "homework": one.homework, "key": job.key, "handed_in": one.handed_in}
    problem, cells, seconds, left = one.problem, [], 0.0, {}
    if not problem:
        with temporary("grade") as place:
            try:
                cells, seconds, left = _graded(job, place, done, before)
            except Exception as error:  # whatever it is: it must not end the others' grading
                problem = reason(f"{type(error).__name__}: {error}")
    found = {**about, "graded": now(), "problem": problem, "seconds": round(seconds, 2), "cells": cells}
    found |= {"left_out": left, "sources": job.sources}
    found["changes"] = regrading.history(before, found)
    if problem and before:
        found["last"] = regrading.last(before)
    write_whole(done / MARKS_FILE, json.dumps(found, indent=1))
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


def _graded(job, place, done, before):
    """(marks of each graded cell, processor time of the box, {number: why} of cells that were left out).

    They come from a course that has only this student.
    """
    name, (gradebook, judged) = job.submission.homework, (place / "gradebook.db", place / "judged.json")
    there, kept, answers = job.results / job.submission.student, {}, {}
    if job.touched is not None:
        kept, answers = regrading.kept(there, before, job.touched, job.source, job.sources)
        if kept.keys() >= {*job.sources, *regrading.judged(before)}:
            return regrading.renew(there, done, before, kept), before["seconds"], before.get("left_out", {})
    shutil.copyfile(job.template, gradebook)
    given = place / "solutions" / name / "course_checks"
    given.mkdir(parents=True)
    for path in checks_files(job.source):
        shutil.copy(path, given)
    job.submission.copy(place / "submitted" / ANONYMOUS_STUDENT / name)
    autograde(place, name, ANONYMOUS_STUDENT, gradebook, job.limits, job.boxed, job.source.resolve(), judged, kept)
    write_whole(
        done / f"{name}.ipynb", (place / "autograded" / ANONYMOUS_STUDENT / name / f"{name}.ipynb").read_bytes()
    )
    texts = digests(nbformat.read(done / f"{name}.ipynb", as_version=4), sources_given(job.source / f"{name}.ipynb"))
    found = json.loads(judged.read_text(encoding="utf-8"))
    regrading.write_answers(done, answers | {task: Answers(**one) for task, one in found["answers"].items()})
    return list(marks(name, gradebook, found["functions"], texts)), found["seconds"], found["left_out"]


def digests(book, given):
    """{grade_id: digest of what is written there, beside the cell too; "" if nothing is} of a notebook.

    `given` are the sources of the cells that the student got.
    """
    found = {}
    for name in filter(None, (cell.metadata.get("nbgrader", {}).get("grade_id") for cell in book.cells)):
        answer = written(book, name, given)
        found[name] = hashlib.sha256(answer[0].source.encode()).hexdigest() if answer else ""
    return found


def marks(homework, gradebook, judged, texts):
    """What each graded cell came to, in the order of the notebook; a generator of plain data."""
    with opened(gradebook) as book:
        order = {cell.name: k for k, cell in enumerate(book.find_notebook(homework, homework).source_cells)}
        grades = book.find_submission_notebook(homework, homework, ANONYMOUS_STUDENT).grades
        for grade in sorted(grades, key=lambda grade: order[grade.name]):
            about, kind = judged.get(grade.name, {}), FUNCTION if grade.name in judged else TEXT
            yield {
                **about,
                "grade_id": grade.name,
                "kind": kind,
                "points": grade.auto_score if kind == FUNCTION else None if texts[grade.name] else 0.0,
                "most": grade.max_score,
                "problem": about.get("problem", ""),
                "text": texts[grade.name],
            }


def reason(said):
    """The most telling line of an error: the exception that a traceback ends in, or the last line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()] or ["it stopped without a word"]
    named = [line for line in lines if line.split(":")[0].endswith(("Error", "Exception"))]
    return printable((named or lines)[-1][:REASON_CHARACTERS])
