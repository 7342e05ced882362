"""The gradebook: nbgrader's database, where every point is kept, and the tables that are views of it.

Points of functions come from the grader, and are entered again whenever a submission is graded again; what a person
has written there, a mark or another opinion, stays.
"""

import contextlib
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime

from nbgrader.api import MissingEntry

from tools.homework.nbgrading import opened
from tools.homework.outcomes import MARKS_FILE, RESULTS, TEXT, cells_left_out, left_out, read
from tools.homework.tables import Damaged, sync

GRADEBOOK, BACKUPS = "gradebook.db", "backups"
EMPTY, GONE = "is empty", "is gone"
WITHOUT = "To begin anew from results/, without marks by hand, move it and {place} away."
IS_GRADED, TO_MARK, HAS_PROBLEM, NOT_HANDED_IN = "graded", "to mark", "problem", "not handed in"


class DamagedGradebook(Damaged):
    """The gradebook cannot be read; the message says where a whole one is."""


@dataclass(frozen=True)
class Row:
    """One student's homework: points by cell, None where they are missing; state and problem.

    In other states a `problem` is a remark on cells that were left out. `late` is in hours after the date when it was
    due.
    """

    student: str
    marks: dict
    most: float
    late: float
    state: str
    problem: str = ""

    @property
    def points(self):
        """Points so far."""
        return sum(points for points in self.marks.values() if points is not None)


def require_whole(gradebook):
    """Raise an error unless a gradebook is whole, or is not there yet and nothing was graded.

    Raises
    ------
    DamagedGradebook
        If SQLite finds it damaged, or it is empty, or gone and there are copies: all marks by hand would be lost.
    """
    said, place = _trouble(gradebook), gradebook.parent / BACKUPS
    if not said:
        return
    copies = sorted(place.glob(f"{gradebook.stem}-*{gradebook.suffix}"), reverse=True)
    newest = next((path for path in copies if not _trouble(path)), None)
    if newest is None and (said == GONE or (said == EMPTY and not _graded(gradebook.parent))):
        return
    advice = (
        f"Put {newest} in its place: it is the newest whole copy." if newest else f"{place} has no whole copy of it."
    )
    raise DamagedGradebook(f"{gradebook} {said}. Nothing was changed. {advice} {WITHOUT.format(place=place)}")


def _trouble(gradebook):
    """What is wrong with a gradebook; empty if nothing is."""
    if not gradebook.is_file():
        return GONE
    try:
        with contextlib.closing(sqlite3.connect(f"{gradebook.resolve().as_uri()}?mode=ro", uri=True)) as file:
            said = file.execute("PRAGMA integrity_check(1)").fetchone()[0]
            tables = file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.DatabaseError as error:
        return f"is damaged ({error})"
    return f"is damaged ({said.splitlines()[0]})" if said != "ok" else "" if tables else EMPTY


def _graded(into):
    """Whether something was graded there."""
    return any(into.glob(f"{RESULTS}/*/*/{MARKS_FILE}"))


def back_up(gradebook):
    """Copies a gradebook, if there is one, to a file of backups/ with the date and the time in its name."""
    if gradebook.is_file():
        folder = gradebook.parent / BACKUPS
        folder.mkdir(exist_ok=True)
        target = folder / f"{gradebook.stem}-{datetime.now(UTC):%Y-%m-%d-%H%M%S}{gradebook.suffix}"
        part = target.with_name(f".{target.name}.part")
        with (
            contextlib.closing(sqlite3.connect(gradebook)) as file,
            contextlib.closing(sqlite3.connect(part)) as copy,
        ):
            file.backup(copy)
        part.replace(target)
        sync(folder)


def enter(gradebook, found, before=None):
    """Writes what grading came to into the gradebook, where it changes nothing of anybody else.

    Parameters
    ----------
    gradebook : Path
    found : contents of marks.json;  before : those of the result that it takes the place of, or None
    """
    student, homework = found["student"], found["homework"]
    with opened(gradebook) as book:
        book.update_or_create_student(student)
        when = {"timestamp": found["handed_in"]} if found["handed_in"] else {}
        book.update_or_create_submission(homework, student, **when)
        grades = {grade.name: grade for grade in book.find_submission_notebook(homework, homework, student).grades}
        old = {cell["grade_id"]: cell.get("text") for cell in (before or {}).get("cells", ())}
        for cell in found["cells"]:
            grade = grades[cell["grade_id"]]
            grade.auto_score = cell["points"]
            grade.needs_manual_grade = _waits(cell, grade, old.get(cell["grade_id"]))
        book.db.commit()


def _waits(cell, grade, text_before):
    """Whether a person has to look: at a text without a mark or changed since, at a mark beside the grader's."""
    if grade.manual_score is None:
        return cell["points"] is None
    return grade.needs_manual_grade or (cell["kind"] == TEXT and text_before not in (None, cell["text"]))


def knows(gradebook, homework):
    """Whether a gradebook is there and has a homework."""
    if not gradebook.is_file():
        return False
    with opened(gradebook) as book:
        return homework in {one.name for one in book.assignments}


def set_due(gradebook, homework, due):
    """Notes when a homework is due, a date that nbgrader can read."""
    with opened(gradebook) as book:
        book.update_or_create_assignment(homework, duedate=due)


def rows(gradebook, homework, results, students=()):
    """The Row of everybody in the gradebook or among `students`, in the order of their names.

    Parameters
    ----------
    gradebook : Path;  homework : its name
    results : Path of the folder with what was graded, a folder for each student
    """
    with opened(gradebook) as book:
        cells = [cell.name for cell in book.find_notebook(homework, homework).source_cells]
        names, without = sorted({*students, *(student.id for student in book.students)}), left_out(results)
        return [_row(book, homework, name, _found(results / name), cells, without) for name in names]


def _found(folder):
    """A marks.json, or the problem that it is damaged."""
    try:
        return read(folder)
    except Damaged as problem:
        return {"problem": str(problem)}


def _row(book, homework, student, found, order, without):
    counted = [cell for cell in book.find_notebook(homework, homework).grade_cells if cell.name not in without]
    most = sum(cell.max_score for cell in counted)
    problem = (found or {}).get("problem", "")
    try:
        submission = book.find_submission(homework, student)
    except MissingEntry:
        return Row(student, {}, most, 0.0, HAS_PROBLEM if problem else NOT_HANDED_IN, problem)
    grades = [grade for grade in submission.notebooks[0].grades if grade.name not in without]
    grades.sort(key=lambda grade: order.index(grade.name))
    marks = {task(one.name): _points(one) for one in grades}
    ungraded = {task(cell["grade_id"]): cell["problem"] for cell in (found or {}).get("cells", ()) if cell["problem"]}
    problem = problem or "; ".join(f"{name}: {why}" for name, why in ungraded.items() if marks[name] is None)
    waits = any(one.needs_manual_grade for one in grades)
    late = submission.total_seconds_late / 3600
    said = problem or "; ".join(cells_left_out(found))
    return Row(student, marks, most, late, HAS_PROBLEM if problem else TO_MARK if waits else IS_GRADED, said)


def _points(grade):
    """A person's mark, or else the grader's; None if there is neither."""
    if grade.manual_score is None and grade.auto_score is None:
        return None
    return grade.score


def task(grade_id):
    """The task of a graded cell."""
    return grade_id.removesuffix("-check")


# ------------------------------------------------------------------------------------------------------------- tables


def sheet(found):
    """Rows of a table for one homework; the first one has the names of its columns."""
    tasks = list(dict.fromkeys(name for one in found for name in one.marks))
    yield ["student", *tasks, "points", "maximum", "hours late", "state", "problem"]
    for one in found:
        marks = [number(one.marks.get(name)) for name in tasks]
        points = number(one.points) if one.marks else ""
        yield [one.student, *marks, points, number(one.most), f"{one.late:.1f}", one.state, one.problem]


def term(found):
    """Rows of a table for all homeworks, of which `found` has the Rows: {homework: Rows}."""
    yield ["student", *found, "points", "maximum", "not final"]
    by_name = {name: {one.student: one for one in rows} for name, rows in found.items()}
    for student in sorted({student for rows in by_name.values() for student in rows}):
        own = [rows.get(student) for rows in by_name.values()]
        points = [None if one is None or not one.marks else one.points for one in own]
        most = sum(one.most for rows in found.values() for one in rows[:1])
        waits = sum(one is not None and one.state in (TO_MARK, HAS_PROBLEM) for one in own)
        yield [student, *map(number, points), number(sum(filter(None, points))), number(most), str(waits)]


def moodle(found):
    """The same as Moodle imports grades: people by their ID number, which the folders are named by."""
    return _import("ID number", found)


def canvas(found):
    """The same as Canvas imports grades, with a row of what is possible: people by their SIS login."""
    header, *lines = _import("SIS Login ID", found)
    fixed = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    possible = [number(rows[0].most) if rows else "" for rows in found.values()]
    yield [*fixed, *header[1:]]
    yield ["    Points Possible", "", "", "", "", *possible]
    yield from ([name, "", "", name, "", *points] for name, *points in lines)


def _import(who, found):
    """Points of who is graded; what still waits for a person is not a grade yet."""
    yield [who, *found]
    graded = {
        name: {one.student: one.points for one in rows if one.state == IS_GRADED} for name, rows in found.items()
    }
    for student in sorted({one.student for rows in found.values() for one in rows}):
        yield [student, *(number(points.get(student)) for points in graded.values())]


def number(points):
    """Points as text, without needless digits; empty if they are missing."""
    return "" if points is None else f"{points:g}"
