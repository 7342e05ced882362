"""Grades what students handed in, each in a process of its own.

    python -m tools.homework.grade --submitted DIR [--homework 01_dtw] [--into DIR]

DIR holds STUDENT/HOMEWORK/HOMEWORK.ipynb, as nbgrader collects it. One line a student is printed; the same table is
written to autograded/HOMEWORK.csv, beside the graded notebooks, and every mark to gradebook.db, where nbgrader's
formgrader finds what a person has to mark.

**Students' code runs with your rights.** There is no sandbox: what they hand in can read and delete your files. Grade
on an account or in a container that holds nothing else. No answer is compared where students' code runs, so that code
which patches NumPy or this package gains nothing; code that finds your files and reads the solutions does.

A submission that cannot be graded (no notebook, a dead kernel, no end) costs only that student, who is listed with the
reason. So is a task whose hidden cases fail: it is ungraded and waits for you, and costs nobody a point. A copied test
cell is ignored, a deleted one is put back, an edited one is restored.
"""

import argparse
import csv
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from tools.homework.nbgrading import NbgraderFailure, autograde, database, generate
from tools.homework.release import ROOT, homeworks
from tools.homework.sheets import HIDDEN

CELL_SECONDS = 60
STUDENT_SECONDS = 900
REASON_CHARACTERS = 160
DEAD = "the notebook's process died: it called os._exit, or had no memory left"
TO_MARK, UNGRADED = "to mark", "ungraded"
# Each submission is graded in a fork of one process that has imported nbgrader, where there are forks.
WARM = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
PROCESSES = multiprocessing.get_context(WARM)
PROCESSES.set_forkserver_preload(["tools.homework.nbgrading", "scipy.stats"])


@dataclass(frozen=True)
class Mark:
    """Points of one graded cell; None where a person has to mark it, or where the grader failed."""

    task: str
    points: float | None
    most: float
    waits: str


@dataclass(frozen=True)
class Result:
    """What grading one student's homework came to: marks, and why there are none or why some are missing."""

    student: str
    marks: tuple[Mark, ...] = ()
    problem: str = ""

    @property
    def total(self):
        """Points so far, and the most that could be had."""
        return sum(mark.points or 0 for mark in self.marks), sum(mark.most for mark in self.marks)


def grade(homework, submitted, into, root=ROOT, cell_seconds=CELL_SECONDS, student_seconds=STUDENT_SECONDS):
    """Results of all students who handed in a homework, in the order of their names; a generator.

    Parameters
    ----------
    homework : its name, a folder of root/solutions
    submitted : Path with a folder for each student
    into : Path that gets gradebook.db and autograded/
    cell_seconds, student_seconds : limits for one cell and for all of a submission

    Raises
    ------
    NbgraderFailure
        If nbgrader refuses the homework itself.
    """
    into.mkdir(parents=True, exist_ok=True)
    gradebook = into / "gradebook.db"
    with tempfile.TemporaryDirectory() as place:
        copy_source(root, homework, place)
        generate(place, homework, gradebook)
    for folder in sorted(submitted.glob(f"*/{homework}")):
        student = folder.parent.name
        try:
            problem, ungraded = grade_one(homework, folder, into, root, cell_seconds, student_seconds)
        except OSError as error:
            problem, ungraded = f"its files cannot be copied: {error}"[:REASON_CHARACTERS], {}
        marks = () if problem else read_marks(homework, student, gradebook, ungraded)
        yield Result(student, marks, problem or why_ungraded(ungraded))


def grade_one(homework, folder, into, root, cell_seconds, student_seconds):
    """Grades one submission in another process.

    Returns
    -------
    (why that failed or an empty string, {grade_id: why the grader could not judge it})
    """
    if not (folder / f"{homework}.ipynb").is_file():
        return f"there is no {homework}.ipynb in what was handed in", {}
    student = folder.parent.name
    with tempfile.TemporaryDirectory() as place:
        copy_source(root, homework, place, "*.ipynb", HIDDEN)
        shutil.copytree(folder, Path(place, "submitted", student, homework))
        problems, source = Path(place, "problems.json"), Path(root, "solutions", homework).resolve()
        job = place, homework, student, (into / "gradebook.db").resolve(), cell_seconds, source, problems
        problem = run_alone(autograde, job, student_seconds)
        graded = Path(place, "autograded", student, homework)
        if graded.is_dir():
            keep = into / "autograded" / student / homework
            shutil.rmtree(keep, ignore_errors=True)
            shutil.copytree(graded, keep)
        return problem, json.loads(problems.read_text(encoding="utf-8")) if problems.exists() else {}


def copy_source(root, homework, place, *without):
    """Copies the source of one homework into a fresh course folder, but no file of these patterns."""
    ignored = shutil.ignore_patterns(*without)
    shutil.copytree(Path(root, "solutions", homework), Path(place, "solutions", homework), ignore=ignored)


def why_ungraded(ungraded):
    """One line about the tasks that the grader could not judge, or an empty one."""
    tasks = "; ".join(f"{grade_id.removesuffix('-check')}: {problem}" for grade_id, problem in ungraded.items())
    return " ".join(f"{UNGRADED}: {tasks}".split()) if ungraded else ""


def run_alone(function, arguments, seconds):
    """Calls a function in a process of its own; returns the reason if it fails or does not end."""
    with tempfile.TemporaryDirectory() as place:
        said = Path(place, "said")
        said.touch()
        process = PROCESSES.Process(target=_alone, args=(function, arguments, said))
        process.start()
        process.join(seconds)
        if process.is_alive():
            process.kill()
            process.join()
            return f"it did not end within {seconds:g} s"
        return "" if process.exitcode == 0 else reason(said.read_text(encoding="utf-8", errors="replace"))


def _alone(function, arguments, said):
    """Runs in the other process: what is printed is dropped, what goes to stderr is kept in a file."""
    for place, stream in ((os.devnull, 1), (said, 2)):
        os.dup2(os.open(place, os.O_WRONLY | os.O_APPEND), stream)
    try:
        function(*arguments)
    except NbgraderFailure as failure:
        sys.exit(str(failure))


def reason(said):
    """The most telling line of an error: the exception that a traceback ends in, or the last line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()] or ["it stopped without a word"]
    if any("DeadKernelError" in line for line in lines):
        return DEAD
    named = [line for line in lines if line.split(":")[0].endswith(("Error", "Exception"))]
    return (named or lines)[-1][:REASON_CHARACTERS]


def read_marks(homework, student, gradebook, ungraded=()):
    """Marks of a graded submission, in the order of the notebook; `ungraded` names cells by grade_id."""
    with Gradebook(database(gradebook)) as book:
        try:
            grades = book.find_submission_notebook(homework, homework, student).grades
        except MissingEntry:
            return ()
        order = {cell.name: k for k, cell in enumerate(book.find_notebook(homework, homework).source_cells)}
        return tuple(
            Mark(
                task=grade.name.removesuffix("-check"),
                points=None if grade.needs_manual_grade else grade.score,
                most=grade.max_score,
                waits=UNGRADED if grade.name in ungraded else TO_MARK,
            )
            for grade in sorted(grades, key=lambda grade: order[grade.name])
        )


def row(result, tasks):
    """A result as texts: student, one column a task, total, problem."""
    cells = {mark.task: mark.waits if mark.points is None else f"{mark.points:g}" for mark in result.marks}
    total = "{:g} of {:g}".format(*result.total) if result.marks else ""
    return [result.student, *(cells.get(task, "") for task in tasks), total, result.problem]


def table(rows):
    """Rows of texts under each other, in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(one, widths, strict=True)).rstrip() for one in rows
    )


def report(homework, results, into):
    """Prints the table of a homework and writes it as CSV."""
    tasks = list(dict.fromkeys(mark.task for result in results for mark in result.marks))
    rows = [["student", *tasks, "total", "problem"], *(row(result, tasks) for result in results)]
    print(f"\n{homework}\n{table(rows)}")
    (into / "autograded").mkdir(parents=True, exist_ok=True)
    with open(into / "autograded" / f"{homework}.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def main(arguments=None):
    """The command; returns its exit status: 1 if somebody could not be graded."""
    parser = argparse.ArgumentParser(prog="make grade", description=__doc__.splitlines()[0])
    parser.add_argument("--submitted", type=Path, default=ROOT / "submitted", help="folder with STUDENT/HOMEWORK/")
    parser.add_argument("--homework", help="grade this one only")
    parser.add_argument("--into", type=Path, default=ROOT, help="where gradebook.db and autograded/ are kept")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the course, with solutions/")
    parser.add_argument("--cell-seconds", type=int, default=CELL_SECONDS, help="limit for one cell")
    parser.add_argument("--student-seconds", type=int, default=STUDENT_SECONDS, help="limit for one submission")
    given = parser.parse_args(arguments)
    if not given.submitted.is_dir():
        parser.error(
            f"there is no folder {given.submitted}; give --submitted DIR with STUDENT/HOMEWORK/HOMEWORK.ipynb"
        )
    failed = False
    for homework in [given.homework] if given.homework else homeworks(given.root):
        results = []
        try:
            limits = given.cell_seconds, given.student_seconds
            for result in grade(homework, given.submitted, given.into, given.root, *limits):
                print(f"{homework} {result.student}: {result.problem or 'graded'}", flush=True)
                results.append(result)
        except NbgraderFailure as failure:
            print(f"{homework} cannot be graded: {failure}", file=sys.stderr)
            failed = True
        report(homework, results, given.into)
        failed = failed or any(result.problem for result in results)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
