"""Marks that a person gives, row by row of a rubric, in the gradebook.

What nbgrader knows of a mark is the sum (`Grade.manual_score`) and a readable comment (`Comment.manual_comment`). The
points of each row, and who gave them when, stand in tables of ours in the same file, so that one transaction writes
all: a mark is there as a whole or not at all. It is kept by the names of homework, student and cell; grading again
touches none of it. Points of any task can also be set, with a reason; of these all are kept, the last one counts.
"""

import contextlib
import getpass
import hashlib
import json
import secrets
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Assignment, Grade, GradeCell, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import text

from tools.homework.book import GRADEBOOK, require_whole
from tools.homework.book import task as task_of
from tools.homework.grading import now
from tools.homework.nbgrading import opened

CREATE_TABLES = (
    "CREATE TABLE IF NOT EXISTS rubric_mark (homework TEXT, student TEXT, grade_id TEXT, digest TEXT NOT NULL, "
    "points TEXT NOT NULL, comment TEXT NOT NULL, PRIMARY KEY (homework, student, grade_id))",
    "CREATE TABLE IF NOT EXISTS mark_given (homework TEXT, student TEXT, grade_id TEXT, marker TEXT NOT NULL, "
    "given TEXT NOT NULL, PRIMARY KEY (homework, student, grade_id))",
    "CREATE TABLE IF NOT EXISTS marking_number (homework TEXT, student TEXT, number INTEGER NOT NULL, "
    "PRIMARY KEY (homework, student), UNIQUE (homework, number))",
    "CREATE TABLE IF NOT EXISTS points_set (homework TEXT, student TEXT, grade_id TEXT, points REAL, "
    "reason TEXT NOT NULL, marker TEXT NOT NULL, given TEXT NOT NULL)",
)
KEEP = "INSERT OR REPLACE INTO rubric_mark VALUES (:homework, :student, :grade_id, :digest, :points, :comment)"
GIVE = "INSERT OR REPLACE INTO mark_given VALUES (:homework, :student, :grade_id, :marker, :given)"
SELECT_MARKS = (
    "SELECT student, grade_id, digest, points, comment, marker, given "
    "FROM rubric_mark LEFT JOIN mark_given USING (homework, student, grade_id) WHERE homework = :homework"
)
SET = "INSERT INTO points_set VALUES (:homework, :student, :grade_id, :points, :reason, :marker, :given)"
ALL_SET = (
    "SELECT student, grade_id, points, reason, marker, given FROM points_set WHERE homework = :homework ORDER BY rowid"
)
NUMBERED = "SELECT student, number FROM marking_number WHERE homework = :homework"
INSERT_NUMBER = "INSERT INTO marking_number VALUES (:homework, :student, :number)"
LETTER_NUMBERS = range(10_000, 100_000)
BY_ROWS = "marked by the rows of the rubric"
WAITING, BEGUN, CHANGED, MARKED = "waiting", "begun", "changed", "marked"


@dataclass(frozen=True)
class HandMark:
    """Points of each row, None where it is not decided; a comment; and the digest of the letter they are for.

    Who gave it (`marker`, a login) and when (UTC) is known of what is read from a gradebook.
    """

    points: tuple[float | None, ...]
    comment: str
    digest: str
    marker: str | None = None
    given: str | None = None

    @property
    def whole(self):
        """Whether all rows are decided."""
        return None not in self.points

    @property
    def total(self):
        """Sum of what is decided."""
        return sum(one for one in self.points if one is not None)

    @property
    def version(self):
        """What tells this mark, as somebody has seen it, from one that another has given since."""
        return hashlib.sha256(repr((self.points, self.comment, self.digest)).encode()).hexdigest()


@dataclass(frozen=True)
class PointsSet:
    """Points that somebody set for a task, and why; None takes back what was set before."""

    points: float | None
    reason: str
    marker: str
    given: str


@dataclass(frozen=True)
class Standing:
    """What the gradebook knows of a graded cell: nbgrader's numbers, our mark, and what was set last."""

    auto: float | None = None
    manual: float | None = None
    waits: bool = True
    mark: HandMark | None = None
    last_set: PointsSet | None = None

    def state(self, letter):
        """How far the marking of this letter is: WAITING, BEGUN, MARKED, or CHANGED since it was marked.

        nbgrader lets every cell wait again that is graded again. If the student has not changed the letter, our mark
        still holds.
        """
        if self.mark is not None and self.mark.digest != letter.digest:
            return CHANGED
        if self.manual is not None and (not self.waits or self.kept):
            return MARKED
        return WAITING if self.mark is None else BEGUN

    @property
    def version(self):
        """That of the mark, and of points that are set instead; empty where there is none."""
        reason = f" {self.by_reason}" if self.by_reason else ""
        return (self.mark.version if self.mark else "") + reason

    @property
    def kept(self):
        """Whether the points are those of our rows, and not of somebody who changed them elsewhere."""
        return self.mark is not None and self.mark.whole and self.mark.total == self.manual and not self.by_reason

    @property
    def by_reason(self):
        """The PointsSet that counts, or None."""
        one = self.last_set
        return one if one and one.points is not None and one.points == self.manual else None


@contextlib.contextmanager
def gradebook(into):
    """nbgrader's Gradebook, with the tables of this module.

    Raises
    ------
    ValueError
        If there is none yet; Damaged, which is one, if it was emptied.
    """
    path = Path(into, GRADEBOOK)
    if not path.is_file() or not path.stat().st_size:
        require_whole(path)
        raise ValueError(f"{path} does not exist; grade the homework first (make grade).")
    with opened(path) as book:
        for table in CREATE_TABLES:
            book.db.execute(text(table))
        book.db.commit()
        yield book


def read_standings(into, homework):
    """The Standing of every graded cell of every student, {(student, grade_id): Standing}."""
    with gradebook(into) as book:
        return _standings(book, homework)


def _standings(book, homework):
    kept = {
        (student, grade_id): HandMark(tuple(json.loads(points)), comment, digest, *who)
        for student, grade_id, digest, points, comment, *who in book.db.execute(
            text(SELECT_MARKS), {"homework": homework}
        )
    }
    last = {
        (student, grade_id): PointsSet(*one)
        for student, grade_id, *one in book.db.execute(text(ALL_SET), {"homework": homework})
    }
    known = (
        book.db.query(
            SubmittedAssignment.student_id,
            GradeCell.name,
            Grade.auto_score,
            Grade.manual_score,
            Grade.needs_manual_grade,
        )
        .select_from(Grade)
        .join(GradeCell, GradeCell.id == Grade.cell_id)
        .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .filter(Assignment.name == homework)
    )
    return {
        (who, cell): Standing(*scores, kept.get((who, cell)), last.get((who, cell))) for who, cell, *scores in known
    }


class Overtaken(ValueError):
    """Somebody else has marked a letter since it was shown; the message says who, when and what."""


def write_mark(into, homework, letter, mark, seen=None):
    """Writes a mark at once; the gradebook gets points as soon as all rows are decided.

    Parameters
    ----------
    into : Path where grading keeps everything
    homework : its name
    letter : Letter that is marked
    mark : HandMark
    seen : `version` of the Standing that it changes, or None to change any

    Returns
    -------
    Standing

    Raises
    ------
    ValueError
        If the points do not fit the rubric; Overtaken, which is one, if another mark is there than was seen;
        MissingEntry, which is one, if the gradebook does not know the submission.
    """
    check(mark, letter.rubric)
    place = letter.rubric.grade_id, homework, homework, letter.student
    with gradebook(into) as book:
        book.db.execute(text("BEGIN IMMEDIATE"))  # nobody else writes between reading and writing
        before = _standings(book, homework).get((letter.student, letter.rubric.grade_id), Standing())
        if seen not in (None, before.version) and mark.version != before.version:
            raise Overtaken(_overtaken(before))
        grade, comment = book.find_grade(*place), book.find_comment(*place)
        if mark.whole:
            grade.manual_score = mark.total
        grade.needs_manual_grade = not mark.whole
        comment.manual_comment = readable(mark, letter.rubric)
        names = {"homework": homework, "student": letter.student, "grade_id": letter.rubric.grade_id}
        values, who = {"digest": mark.digest, "points": json.dumps(mark.points), "comment": mark.comment}, _who()
        book.db.execute(text(KEEP), {**names, **values})
        book.db.execute(text(GIVE), {**names, **who})
        if mark.whole and before.by_reason:
            book.db.execute(text(SET), {**names, **who, "points": None, "reason": BY_ROWS})
        book.db.commit()
        return _standings(book, homework)[letter.student, letter.rubric.grade_id]


def _overtaken(standing):
    """Who has given the mark that is there, when, and what it is."""
    if one := standing.by_reason:
        return f"{one.marker or 'somebody'} set {one.points:g} points at {one.given}: {one.reason}"
    if standing.mark is None:
        return "its mark was taken away"
    rows = ", ".join("–" if one is None else f"{one:g}" for one in standing.mark.points)
    return f"{standing.mark.marker or 'somebody'} gave {rows} at {standing.mark.given}"


def set_points(into, homework, student, task, points, reason):
    """Sets the points of any task of a student, or takes back what was set; returns the Standing before.

    Parameters
    ----------
    into : Path where grading keeps everything
    homework, student : their names;  task : as in the tables, or the name of its graded cell
    points : from 0 to those of the task, or None for what the grader, or a mark row by row, came to
    reason : why, for the student and for the audit

    Raises
    ------
    ValueError
        If there is no such task or student, or the points or the reason cannot be.
    """
    if not reason.strip():
        raise ValueError("reason is empty; the student and the audit need one.")
    standings = read_standings(into, homework)
    own = {cell: standing for (who, cell), standing in standings.items() if who == student}
    if not own:
        raise ValueError(f"student is {student!r}; the gradebook has nothing of theirs for {homework}. Grade first.")
    cell = next((one for one in own if task in (one, task_of(one))), None)
    if cell is None:
        raise ValueError(f"task is {task!r}; one of {', '.join(map(task_of, own))} is needed.")
    with gradebook(into) as book:
        grade = book.find_grade(cell, homework, homework, student)
        if points is not None and not 0 <= points <= grade.max_score:
            raise ValueError(f"points is {points:g}; 0 to {grade.max_score:g}, those of {task_of(cell)}, are needed.")
        mark = own[cell].mark
        marked = mark.total if mark and mark.whole else None
        grade.manual_score = marked if points is None else points
        grade.needs_manual_grade = grade.manual_score is None and grade.auto_score is None
        names = {"homework": homework, "student": student, "grade_id": cell}
        book.db.execute(text(SET), {**names, **_who(), "points": points, "reason": reason.strip()})
        book.db.commit()
    return own[cell]


def _who():
    """Who gives a mark, and when."""
    return {"marker": login(), "given": now()}


def login():
    """Who uses this computer; empty where it has no names."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


def check(mark, rubric):
    """Raise an error unless a mark gives each row none, half or all of its points, or leaves it open.

    Raises
    ------
    ValueError
        Which row has which points.
    """
    if len(mark.points) != len(rubric.rows):
        raise ValueError(f"points has {len(mark.points)} rows; {rubric.grade_id} has {len(rubric.rows)}.")
    for points, row in zip(mark.points, rubric.rows, strict=True):
        if points not in (None, 0, row.points / 2, row.points):
            raise ValueError(
                f"points has {points!r} for {row.what!r}; 0, {row.points / 2:g} or {row.points:g} is needed."
            )


def readable(mark, rubric):
    """A mark in words, for nbgrader's own pages."""
    rows = [
        f"{'–' if points is None else format(points, 'g')} of {row.points:g}: {row.what}"
        for points, row in zip(mark.points, rubric.rows, strict=True)
    ]
    return "\n".join([*rows, *(["", mark.comment] if mark.comment else [])])


def confirm(into, homework, letters):
    """Tells nbgrader which letters wait: not those that are unchanged since they were marked, but all without a mark.

    An earlier version of the grader gave 0 to who had written beside the cell of the answer.
    """
    standings = read_standings(into, homework)
    with gradebook(into) as book:
        for letter in letters:
            standing = standings.get((letter.student, letter.rubric.grade_id), Standing())
            if standing.waits and standing.kept and standing.state(letter) == MARKED:
                grade = book.find_grade(letter.rubric.grade_id, homework, homework, letter.student)
                grade.needs_manual_grade = False
            elif standing.auto is not None and standing.manual is None:
                grade = book.find_grade(letter.rubric.grade_id, homework, homework, letter.student)
                grade.auto_score, grade.needs_manual_grade = None, True
        book.db.commit()


def numbers(into, homework, students):
    """A random number for each student, {name: number}, the same whenever this homework is looked at."""
    with gradebook(into) as book:
        found = dict(book.db.execute(text(NUMBERED), {"homework": homework}).all())
        for student in students:
            if student not in found:
                found[student] = secrets.choice(sorted(set(LETTER_NUMBERS) - set(found.values())))
                values = {"homework": homework, "student": student, "number": found[student]}
                book.db.execute(text(INSERT_NUMBER), values)
        book.db.commit()
    return {student: found[student] for student in students}
