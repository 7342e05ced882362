"""Grades what students handed in, each in a box of its own.

    make grade [HW=03] [ARGS="--submitted DIR --student ada --into DIR --status"]

DIR holds STUDENT/HOMEWORK/HOMEWORK.ipynb, as nbgrader collects it. Every mark goes to gradebook.db, where a person
adds the marks of written answers; the tables in marks/ are views of it, with presets for Moodle and Canvas.

It can be stopped at any time, in any way, and continues where it was: what is graded is graded again only if it was
handed in again, or with --again, and of what else only the tasks whose checks have changed. Points that are other
ones then are listed (marks/changes.csv). What a person has marked stays.

A student's code runs in a box (bubblewrap): without network, out of reach of the solutions, of other students and of
your files. What it does there costs its own task. Whatever the grader fails to do is listed as a problem, and costs
nobody a point.
"""

import argparse
import contextlib
import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from joblib import Parallel, delayed, parallel_config

from tools.homework import book, box, regrading
from tools.homework.book import GRADEBOOK
from tools.homework.grading import Job, grade, now
from tools.homework.layouts import read_roster
from tools.homework.letters import chosen_rubrics
from tools.homework.nbgrading import NbgraderFailure, generate
from tools.homework.outcomes import RESULTS, cells_left_out, leave_out, read, read_if_whole
from tools.homework.regrading import sources
from tools.homework.release import ROOT, homework_named, homeworks
from tools.homework.sheets import MISTAKES, checks_files, points_text
from tools.homework.submissions import digest, survey
from tools.homework.tables import Damaged, aligned, printable, sync, write_table
from tools.homework.term import TERM_FILE, read_students
from tools.homework.toml_lines import TermError

TABLES, CHANGES_NAME, LOCK_FILE = "marks", "changes", ".grading.lock"
UNTRACKED_PARTS = {MISTAKES, "__pycache__"}  # what may change without a submission being graded again


def prepare(root, homework, into):
    """(Path of a gradebook that knows a homework and no students, digest of what its points depend on, its `sources`).

    The gradebook in `into` gets to know it as well. Nothing is done again for a homework that has not changed.

    Raises
    ------
    NbgraderFailure
        If nbgrader refuses the homework.
    """
    source = root / "solutions" / homework
    counts = [
        path
        for path in source.rglob("*")
        if path.is_file() and not UNTRACKED_PARTS & set(path.relative_to(source).parts)
    ]
    key = digest([*counts, *checks_files(source)], root)
    template = into / RESULTS / f".{homework}-{key[:16]}.db"
    if not (template.exists() and book.knows(into / GRADEBOOK, homework)):
        template.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=template.parent, prefix=".new-") as place:
            shutil.copytree(source, Path(place, "solutions", homework))
            for gradebook in (into / GRADEBOOK, Path(place, "made.db")):
                generate(place, homework, gradebook)
            Path(place, "made.db").rename(template)
        for one in sorted((into / RESULTS / homework).glob("*/")):
            enter(one, into)
    return template, hashlib.sha256(points_text(source).encode()).hexdigest(), sources(source)


def jobs_of(found, prepared, given, limits):
    """The Jobs that are still to be done for Submissions: those that are new, and tasks whose sources have changed.

    Parameters
    ----------
    found : Submissions;  prepared : {homework: what `prepare` gives}
    given : what was asked for;  limits : box.Limits
    """
    for one in found:
        (template, key, depends), results = prepared[one.homework], given.into / RESULTS / one.homework
        results.mkdir(parents=True, exist_ok=True)
        key = f"{one.fingerprint()} {key}"
        touched = None if given.again else touched_of(read_if_whole(results / one.student), key, depends, one.problem)
        if touched is None or touched:
            source = given.root / "solutions" / one.homework
            yield Job(one, source, template, results, key, depends, touched, limits, not given.unsafe, os.getpid())


def touched_of(before, key, depends, problem):
    """The grade_ids of which a result no longer holds, or None if nothing of it does.

    Parameters
    ----------
    before : its marks.json, or None;  key, depends : of what is there now, as Job has them;  problem : of Submission
    """
    if before is None or before["problem"] != problem or before["key"].partition(" ")[0] != key.partition(" ")[0]:
        return None
    if problem:
        return frozenset()
    failed = frozenset(cell["grade_id"] for cell in before["cells"] if cell["problem"])
    if "sources" not in before:  # of a version that knew no tasks
        return None if failed or before["key"] != key else failed
    return failed | regrading.touched(before["sources"], depends)


def enter(folder, into, before=None):
    """Enters a folder of results into the gradebook, instead of the marks `before`; its marks."""
    found = read_if_whole(folder)
    if found is not None and not found["problem"]:
        book.enter(into / GRADEBOOK, found, before)
    return found


def finish(done, into):
    """Enters a new result into the gradebook, and puts it in the place of an older one; its marks."""
    about = read(done)
    place = into / RESULTS / about["homework"] / about["student"]
    found = enter(done, into, read_if_whole(place))
    shutil.rmtree(place, ignore_errors=True)
    done.rename(place)
    sync(place.parent)
    return found


def clear(results):
    """Removes what a run that was stopped has left unfinished."""
    for left in [*results.glob(".new-*"), *results.glob("*/.new-*")]:
        shutil.rmtree(left, ignore_errors=True)


def progress(begin, k, n, found):
    """A line about the k-th of n results."""
    left = (time.monotonic() - begin) / k * (n - k) / 60
    problems = "; ".join(cell["problem"] for cell in found["cells"] if cell["problem"])
    said = found["problem"] or "; ".join([problems or "graded", *cells_left_out(found)])
    return printable(f"{k} of {n}, {left:.0f} min left: {found['homework']} {found['student']}: {said}")


def rows(into, names, students):
    """{homework: its Rows} as the gradebook has them."""
    return {name: book.rows(into / GRADEBOOK, name, into / RESULTS / name, students) for name in names}


def write_tables(into, found):
    """Writes the tables of {homework: its Rows}."""
    for name, one in found.items():
        write_table(into / TABLES / f"{name}.csv", book.sheet(one))
    for title, view in {"term": book.term, "moodle": book.moodle, "canvas": book.canvas}.items():
        write_table(into / TABLES / f"{title}.csv", view(found))
    write_table(into / TABLES / f"{CHANGES_NAME}.csv", [regrading.CHANGE_COLUMNS, *changes(into, found)])


def changes(into, found, since=""):
    """Rows of what regrading has changed in the points of {homework: its Rows}, since a time; the last ones first."""
    everybody = [
        (row, read_if_whole(into / RESULTS / name / row.student)) for name, own in found.items() for row in own
    ]
    lines = [line for row, marks in everybody if marks for line in reversed([*regrading.rows(marks, row.marks)])]
    return sorted((line for line in lines if line[0] >= since), key=lambda line: line[0], reverse=True)


@contextlib.contextmanager
def alone(into):
    """Lets one grader at a time use a folder; the system opens it again when a grader dies.

    Raises
    ------
    BlockingIOError
        If another one uses it; the message says which.
    """
    with open(into / LOCK_FILE, "a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise BlockingIOError(f"another grader is running (pid {lock.read().strip()}); wait for it") from None
        lock.truncate(0)
        print(os.getpid(), file=lock, flush=True)
        yield


def main(arguments=None):
    """The command; returns its exit status: 1 if somebody could not be graded."""
    given = options(arguments)
    with scratch(given.into) if given.preview else nullcontext(given.into) as given.into:
        return command(given)


@contextlib.contextmanager
def scratch(into):
    """A copy of the gradebook and of all results, in which can be tried what grading would do."""
    (into / RESULTS).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=into / RESULTS, prefix=".new-") as place:
        shutil.copytree(into / RESULTS, Path(place, RESULTS), ignore=shutil.ignore_patterns(".new-*"))
        if (into / GRADEBOOK).is_file():
            shutil.copy(into / GRADEBOOK, place)
        yield Path(place)
    print("\nThis was a preview: nothing was written.")


def command(given):
    """Does what was asked for; the exit status."""
    begin = now()
    found, remarks = survey(given.submitted, homeworks(given.root))
    for one in remarks:
        print(printable(f"not graded: {one}"), file=sys.stderr)
    names, students = sorted({one.homework for one in found}), {one.student for one in found}
    try:
        book.require_whole(given.into / GRADEBOOK)
        if given.status:
            students |= read_students(given.term) | {name for name, _ in given.roster.values()}
            shown = rows(given.into, [one for one in names if book.knows(given.into / GRADEBOOK, one)], students)
        else:
            given.into.mkdir(parents=True, exist_ok=True)
            with alone(given.into):
                book.back_up(given.into / GRADEBOOK)
                prepared = work(found, names, given)
                shown = rows(given.into, prepared, students)
                write_tables(given.into, shown)
                remarks += [name for name in names if name not in prepared]
    except (Damaged, TermError, BlockingIOError) as reason:
        print(reason, file=sys.stderr)
        return 1
    for name in shown if given.homework is None else [given.homework]:
        print(f"\n{name}\n{aligned(book.sheet(shown.get(name, ())))}")
    if changed := changes(given.into, shown, begin):
        print(f"\npoints that changed\n{aligned([regrading.CHANGE_COLUMNS[1:], *(line[1:] for line in changed)])}")
    return int(bool(remarks) or any(one.state == book.HAS_PROBLEM for rows in shown.values() for one in rows))


def work(found, names, given):
    """Prepares the homeworks, and grades the Submissions that were asked for; {homework: what `prepare` gives}."""
    prepared = {}
    for name in names:
        try:
            prepared[name] = prepare(given.root, name, given.into)
        except NbgraderFailure as failure:
            print(f"{name} cannot be graded: {failure}", file=sys.stderr)
    if given.due:
        book.set_due(given.into / GRADEBOOK, given.homework, given.due)
    if given.leave_out is not None:
        leave_out(given.into / RESULTS / given.homework, given.leave_out)
    if not given.tables:
        limits = replace(box.Limits(), cell_seconds=given.cell_seconds, wall_seconds=given.student_seconds)
        chosen = [one for one in found if given.homework in (None, one.homework) and one.homework in prepared]
        chosen = [one for one in chosen if given.student in (None, one.student)]
        run(list(jobs_of(chosen, prepared, given, limits)), given)
    return prepared


def run(jobs, given):
    """Does the jobs, some at the same time, and enters each result as soon as it is there."""
    clear(given.into / RESULTS)
    begin = time.monotonic()
    with workers(given.dask), parallel_config("dask" if given.dask else "loky", n_jobs=given.jobs):
        results = Parallel(return_as="generator_unordered", batch_size=1)(delayed(grade)(job) for job in jobs)
        for k, done in enumerate(results, start=1):
            print(progress(begin, k, len(jobs), finish(done, given.into)), flush=True)


def workers(address):
    """A connection to the Dask scheduler at `address`, to be closed at the end; nothing if there is no address."""
    if not address:
        return nullcontext()
    from dask.distributed import Client

    return Client(address)


def options(arguments):
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="make grade", description=__doc__.splitlines()[0])
    parser.add_argument("--submitted", type=Path, default=ROOT / "submitted", help="folder with STUDENT/HOMEWORK/")
    parser.add_argument("--homework", help="this one only, such as 03")
    parser.add_argument("--student", help="this one only")
    parser.add_argument("--into", type=Path, default=ROOT, help="where gradebook.db, results/ and marks/ are kept")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the course, with solutions/")
    parser.add_argument("--status", action="store_true", help="only show who is graded and who is not; write nothing")
    parser.add_argument("--roster", type=Path, help="list of the class, of whom --status shows everybody")
    parser.add_argument(
        "--term", type=Path, default=ROOT / TERM_FILE, help="rules of the term, which name such a list"
    )
    parser.add_argument("--tables", action="store_true", help="grade nobody, but write the tables of marks/ anew")
    parser.add_argument("--preview", action="store_true", help="only show what grading would change; write nothing")
    parser.add_argument("--again", action="store_true", help="grade also what is graded already")
    parser.add_argument("--due", help="when --homework is due, such as '2026-11-30 23:59 UTC'")
    parser.add_argument(
        "--leave-out", nargs="*", help="letters of --homework that do not count; without names, all do"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at the same time")
    parser.add_argument("--dask", help="address of a Dask scheduler, whose workers share this file system")
    parser.add_argument("--unsafe", action="store_true", help="without a box: what was handed in has your rights")
    parser.add_argument("--cell-seconds", type=int, default=box.Limits.cell_seconds, help="limit for one cell")
    parser.add_argument("--student-seconds", type=int, default=box.Limits.wall_seconds, help="limit for all of one")
    given = parser.parse_args(arguments)
    if not given.submitted.is_dir():
        parser.error(f"there is no folder {given.submitted}; --submitted DIR has STUDENT/HOMEWORK/HOMEWORK.ipynb")
    try:
        given.homework = given.homework and homework_named(given.root, given.homework)
    except ValueError as reason:
        parser.error(str(reason))
    try:
        given.roster = read_roster(given.roster) if given.roster else {}
    except (OSError, ValueError) as reason:
        parser.error(f"--roster: {reason}")
    if (given.due or given.leave_out is not None) and not given.homework:
        parser.error("--due and --leave-out need --homework (HW=03): each homework has its own")
    try:
        chosen_rubrics(given.root, given.homework, given.leave_out) if given.leave_out else None
    except ValueError as unknown:
        parser.error(f"--leave-out: {unknown}")
    if not (given.unsafe or given.status or given.tables):
        try:
            box.require()
        except box.NoBox as missing:
            parser.error(str(missing))
    return given


if __name__ == "__main__":
    sys.exit(main())
