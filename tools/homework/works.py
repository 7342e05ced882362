"""What counts of all that was handed in, graded and marked, and every reason for which it cannot count yet."""

import hashlib
from datetime import UTC
from fractions import Fraction

from nbgrader.utils import parse_utc

from tools.homework import book
from tools.homework.grade import GRADEBOOK
from tools.homework.handmarks import read_standings
from tools.homework.outcomes import RESULTS, read
from tools.homework.release import homeworks
from tools.homework.submissions import survey
from tools.homework.tables import Damaged
from tools.homework.totals import Work

NOT_IN_THE_CLASS = "is not in the list of the class; a row there, or an entry in left, is needed"
NOT_IN_THE_TERM = "is handed in, and not in {}; a date in [homework.due] is needed, with weight 0 if it does not count"
NEVER_GRADED = "was never graded; `make grade` is needed"
UNGRADED_PROBLEM = "was handed in, and is not in the gradebook or in results/; `make grade ARGS=--again` is needed"
OLD = "was handed in again since it was graded; `make grade` is needed"
UNMARKED = "waits for a mark; `make mark HW={}` is needed"
FAILED_PROBLEM = (
    "could not be graded ({}); `make grade` tries again, and without its folders in submitted/ and results/ counts "
    "what was graded before, or nothing"
)


def read_works(into, root, submitted, term):
    """({(student, homework): Work}, the problems: a line for each reason for which a number is not certain).

    Parameters
    ----------
    into : Path where grading keeps everything;  root : Path of the course
    submitted : Path of what was handed in, which need not be there any longer
    term : Term
    """
    found, remarks = survey(submitted, homeworks(root)) if submitted.is_dir() else ([], [])
    handed = {(one.student, one.homework): one for one in found}
    works, problems, seen = {}, [f"{submitted.name}/{one}" for one in remarks], set()
    for name in homeworks(root):
        there = {who for who, homework in handed if homework == name} | _folders(into / RESULTS / name)
        seen |= there
        if name not in term.homeworks:
            problems += [f"{name}: {NOT_IN_THE_TERM.format(term.file.name)}"] * bool(there)
        elif not book.knows(into / GRADEBOOK, name):
            problems.append(f"{term.homeworks[name].where}: {name} {NEVER_GRADED}")
        else:
            good, bad = _of_homework(into, name, there, handed, term)
            works |= good
            problems += bad
    nobody = [(who, where) for who, where in term.unseen.items() if who not in seen]
    problems += [f"{where}: left has {who}, who is nowhere; a student is needed" for who, where in nobody]
    return works, [*problems, *_of_groups(term, works)]


def _folders(results):
    """Students of whom there are results."""
    return {path.name for path in results.glob("*/") if not path.name.startswith(".")}


def _of_homework(into, name, there, handed, term):
    """(Works, problems) of one homework."""
    results, marks, works, problems = into / RESULTS / name, read_standings(into, name), {}, []
    for row in book.rows(into / GRADEBOOK, name, results, {*there, *term.students}):
        one = handed.get((row.student, name))
        try:
            result = read(results / row.student)
        except Damaged as problem:
            problems.append(f"{row.student}, {name}: {problem}")
            continue
        if row.state == book.NOT_HANDED_IN and one is None and result is None:
            continue
        if trouble := _trouble(row, name, one, result, {*term.students, *term.left}):
            counts = row.student not in term.left or (row.student, name) in term.groups
            problems += [f"{row.student}, {name}: {trouble}"] * counts
        else:
            given = {cell: mark for (who, cell), mark in marks.items() if who == row.student}
            works[row.student, name] = _work(row, one, result or {}, name, given)
    return works, problems


def _trouble(row, name, handed, result, known):
    """Why a Row of the gradebook is not what counts; empty if it is."""
    if row.student not in known:
        return NOT_IN_THE_CLASS
    if row.state == book.NOT_HANDED_IN or (handed is not None and result is None):
        return UNGRADED_PROBLEM
    if handed is not None and result["key"].partition(" ")[0] != handed.fingerprint():
        return OLD
    if row.state == book.HAS_PROBLEM:
        return FAILED_PROBLEM.format(row.problem)
    return UNMARKED.format(name.partition("_")[0]) if row.state == book.TO_MARK or None in row.marks.values() else ""


def _work(row, handed, result, name, marks):
    """The Work of a graded Row."""
    stamp, (files, _, checks) = result.get("handed_in"), result.get("key", "").partition(" ")
    given = [f"{book.task(cell)} {_by_hand(one)}" for cell, one in marks.items() if one.manual is not None]
    trail = {
        "file": handed.notebook if handed else None,
        "sha256": hashlib.sha256(handed.notebook.read_bytes()).hexdigest() if handed else "",
        "handed in": stamp or "",
        "graded": result.get("graded", ""),
        "graded files": files,
        "graded by": checks,
        "marked by hand": "; ".join(sorted(given)),
    }
    points = {task: Fraction(str(one)) for task, one in row.marks.items()}
    at = parse_utc(stamp).replace(tzinfo=UTC) if stamp else None
    return Work(row.student, name, points, Fraction(str(row.most)), at, trail)


def _by_hand(standing):
    """A mark of a person, with who gave it when, as far as that is known, and the reason, if points were set."""
    if one := standing.by_reason:
        return f"{book.number(standing.manual)} ({one.marker or '?'}, {one.given}: {one.reason})"
    mark = standing.mark if standing.kept else None
    who = f"{mark.marker or '?'}, {mark.given}" if mark and mark.given else "by whom is not known"
    return f"{book.number(standing.manual)} ({who})"


def _of_groups(term, works):
    """Problems with groups of whom several handed in, or not the one that counts."""
    for (student, homework), group in term.groups.items():
        handed = [who for who in group.members if (who, homework) in works]
        told = f"{', '.join(handed)} handed in {homework}"
        if student == group.members[0] and len(handed) > 1 and not group.counts:
            yield f'{group.where}: {told}; counts = "{handed[0]}", or another of them, is needed'
        elif student == group.members[0] and handed and group.counts not in (None, *handed):
            yield f"{group.where}: counts is {group.counts}, and {told}; one of these is needed"
