"""Puts what students handed in, as a platform or a mailbox gives it, to where `make grade` looks for it.

    make collect FROM=HW1.zip [ARGS="--roster CLASS.csv --times WORKSHEET.csv --submitted DIR"]

FROM is a zip, or a folder of such, or of what was in them, or of saved mails (.eml). Each notebook goes to
submitted/STUDENT/HOMEWORK/HOMEWORK.ipynb; its homework is known by what it defines, and its name is put right. Of
several attempts the latest counts; of two that came together none does. collected/collected.csv has a row for each,
and collected/mail/ a text for each student who must hand in again. Nothing is overwritten but an earlier attempt that
is as it came. Doing it again changes nothing. When something was handed in says the mail, the hub, or Moodle's
worksheet; nothing that students have packed says it.
"""

import argparse
import contextlib
import hashlib
import sys
from collections import Counter, defaultdict
from dataclasses import astuple, replace
from pathlib import Path

from tools.homework.attempts import (
    ATTEMPT_COLUMNS,
    LATE,
    NOT_DECIDED,
    NOT_TAKEN,
    OLDER,
    TAKEN,
    People,
    attempts,
    merged,
    read_table,
    shortened,
)
from tools.homework.layouts import LAYOUTS, has_times, read_roster, read_times
from tools.homework.outcomes import RESULTS
from tools.homework.recognising import Course, decoded
from tools.homework.release import ROOT, homework_named, homeworks
from tools.homework.submissions import STAMP
from tools.homework.tables import write_table, write_whole
from tools.homework.temporary import temporary
from tools.homework.term import read_zone
from tools.homework.term_people import read_groups
from tools.homework.unpacking import NoPlace, Opener

COLLECTED_FOLDER, COLLECTED_TABLE, MAILS = "collected", "collected.csv", "mail"
MAX_SHOWN, SHOWN_CHARACTERS = 20, 300
ALREADY_GRADED = (
    "{old} was graded in {homework} under this name, and the roster calls them {new}: they would be there twice. "
    "Collect without the roster; or remove submitted/{old}, results/{homework}/{old} and the rows of {old} in "
    "collected/collected.csv, type `.venv/bin/nbgrader db student remove {old} --force`, and collect again."
)
LETTER = """To: {to}
Subject: {homework}: please hand in again

Hello,

what you had handed in by {date} cannot be graded as it is:

{reasons}
{until}
Please open your notebook in JupyterLab, save it, and hand in this one file, under the name that it has in exercises/:
no zip file, no PDF, no link. `make check HW=NN`, with the number of the homework, says whether it is ready.
"""


def settled(rows, copies, submitted):
    """The Rows with their states, after the latest attempt of each student was put where it belongs.

    Parameters
    ----------
    rows : Rows;  copies : {digest: Path} of what can be put there;  submitted : Path
    """
    places = defaultdict(list)
    for one in rows:
        if not one.problem:
            places[one.student, one.homework].append(one)
    states = dict.fromkeys(rows, "")
    for good in places.values():
        latest = [one for one in good if one.seen == max(row.seen for row in good)]
        states |= dict.fromkeys(good, OLDER) | dict.fromkeys(latest, NOT_DECIDED)
        if len(latest) == 1:
            states[latest[0]] = put(latest[0], good, copies.get(latest[0].digest), submitted)
    return [replace(one, state=states[one]) for one in rows]


def put(row, good, copy, submitted):
    """Puts an attempt into its place, unless a file is there that is none of the `good` ones; its state."""
    target = submitted / row.student / row.homework / f"{row.homework}.ipynb"
    stamp, known, dates = target.with_name(STAMP), {one.digest for one in good}, {one.date for one in good}
    there = hashlib.sha256(target.read_bytes()).hexdigest() if target.is_file() else None
    if there not in {None, *known} or any(map(Path.is_symlink, (target, stamp, target.parent, target.parent.parent))):
        return NOT_TAKEN
    if copy is None:
        return row.state
    if there != row.digest:
        write_whole(target, decoded(copy.read_bytes())[0])
    if not stamp.is_file() or stamp.read_text(encoding="utf-8", errors="replace").strip() in dates:
        write_whole(stamp, f"{row.date}\n") if row.dated else stamp.unlink(missing_ok=True)
    return TAKEN


class Graded(ValueError):
    """Somebody was graded under the number that a platform has for them, and would be there twice."""


def renamed(known, new, called, submitted, results):
    """The Rows of the table, in which who was collected before there was a roster is called as the roster does.

    A platform's number stands for one person in one homework, and what came under it then is moved.

    Parameters
    ----------
    known : Rows;  new : those of this time;  called : of People
    submitted, results : Paths of the folders of what was handed in, and of what was graded

    Raises
    ------
    Graded
        If somebody was graded already, and may be marked, under the number; then nothing is moved.
    """
    names = {(called[one.student], one.homework): one.student for one in new if one.student in called}
    old = {(one.student, one.homework) for one in known} & names.keys()
    for student, homework in sorted(old):
        if (results / homework / student).exists():
            raise Graded(ALREADY_GRADED.format(old=student, new=names[student, homework], homework=homework))
    for student, homework in old:
        move(submitted / student / homework, submitted / names[student, homework] / homework)
    return [replace(one, student=names.get((one.student, one.homework), one.student)) for one in known]


def move(folder, target):
    """Moves a folder of what was handed in, where it meets no other one and no link."""
    links = any(map(Path.is_symlink, (folder, folder.parent, target, target.parent)))
    if folder.is_dir() and not target.exists() and not links:
        target.parent.mkdir(parents=True, exist_ok=True)
        folder.rename(target)
        with contextlib.suppress(OSError):  # if there is something else of theirs
            folder.parent.rmdir()


def to_ask(rows, groups):
    """{student: Rows for which they must hand in again}: those after which nothing came that could be taken.

    It may have come from another one of their group.
    """
    found = defaultdict(list)
    for one in rows:
        group = groups.get((one.student, one.homework))
        members = group.members if group else (one.student,)
        taken = [row for row in rows if row.student in members and row.state == TAKEN]
        later = [row for row in taken if one.homework in ("", row.homework) and row.seen >= one.seen]
        if (one.problem or one.state == NOT_DECIDED) and not later:
            found[one.student].append(one)
    return found


def letter(asked, rows):
    """The mail to a student about some Rows of theirs."""
    first, homeworks = asked[0], sorted({one.homework for one in asked if one.homework})
    counts = [one for one in rows if one.student == first.student and one.homework in homeworks and one.state == TAKEN]
    return LETTER.format(
        to=first.mail or first.name or first.student,
        homework="Homework " + (", ".join(homeworks) or "in this course"),
        date=max(one.date for one in asked),
        reasons="\n".join(f"- {one.trouble} ({one.file.rpartition('/')[2]})" for one in asked),
        until="".join(f"\nUntil then counts what you had handed in by {one.date}.\n" for one in counts),
    )


def write(into, rows, groups):
    """Writes the table and the mails; returns {student: Rows that they are asked about}."""
    write_table(into / COLLECTED_TABLE, [ATTEMPT_COLUMNS, *map(astuple, rows)])
    asked = to_ask(rows, groups)
    for left in set((into / MAILS).glob("*.txt")) - {into / MAILS / f"{student}.txt" for student in asked}:
        left.unlink()
    for student, about in asked.items():
        write_whole(into / MAILS / f"{student}.txt", letter(about, rows))
    return asked


def told(rows, asked, strange, table):
    """Lines about the Rows of this time, for the screen."""
    counts = Counter((one.homework or "no homework", one.state or "with a problem") for one in rows)
    yield from (f"{homework}: {count} {state}" for (homework, state), count in sorted(counts.items()))
    lists = {
        "repaired": [f"{one.student} {one.homework}: {one.repaired}" for one in rows if one.repaired],
        "late, as the platform says, at a time that it does not say": [
            f"{one.student} {one.homework}" for one in rows if one.stated == LATE
        ],
        "to look at": [f"{one.student} {one.homework}: {one.trouble}" for one in rows if one.trouble],
        "not recognised, or refused": strange,
    }
    for title, lines in lists.items():
        if lines := list(dict.fromkeys(lines)):
            yield f"{title}:"
            yield from (f"  {shortened(line, SHOWN_CHARACTERS)}" for line in lines[:MAX_SHOWN])
            yield from [f"  and {len(lines) - MAX_SHOWN} more"] * (len(lines) > MAX_SHOWN)
    yield f"{table} has a row for each; mails for {len(asked)} students are in {table.with_name(MAILS)}."


def main(arguments=None):
    """The command; returns its exit status: 1 if nobody's homework was recognised."""
    given = options(arguments)
    try:
        known, groups = read_table(given.into / COLLECTED_TABLE), read_groups(given.term, homeworks(given.root))
    except ValueError as reason:
        print(reason, file=sys.stderr)
        return 1
    try:
        return collect(given, known, groups)
    except Graded as reason:
        print(reason, file=sys.stderr)
    except (NoPlace, OSError) as reason:
        print(
            f"{reason}. Nobody was asked to hand in again; free some disk space, and collect again.", file=sys.stderr
        )
    return 1


def collect(given, known, groups):
    """Does what was asked for, beside the `known` Rows of the table; the exit status."""
    course, people = Course(given.root), People(given.roster, given.submitted)
    with temporary("collect") as place:
        opener = Opener(place, course.homeworks)
        new = attempts(opener.open(given.source), course, people, given.homework, given.times)
        known = renamed(known, new, people.called, given.submitted, given.into.parent / RESULTS)
        rows = merged(known, new)
        rows = settled(rows, {row.digest: copy for row, copy in new.items() if not row.problem}, given.submitted)
    strange = [*people.strange.values(), *opener.strange]
    if not new:
        names = ", ".join(one.name for one in LAYOUTS)
        print(f"Nothing in {given.source} has a name as {names} or mails (.eml) use:")
        print(*(f"  {shortened(line, SHOWN_CHARACTERS)}" for line in strange[:MAX_SHOWN]), sep="\n")
        return 1
    asked, keys = write(given.into, rows, groups), {one.key for one in new}
    print(*told([one for one in rows if one.key in keys], asked, strange, given.into / COLLECTED_TABLE), sep="\n")
    if given.hint:
        print("The roster has the submission times of one assignment. If it is this one, pass it as --times, too.")
    return 0


def options(arguments):
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="make collect", description=__doc__.splitlines()[0])
    parser.add_argument("--from", dest="source", required=True, help="a zip, a folder, or a mail: FROM=HW1.zip")
    parser.add_argument("--roster", help="CSV with the names of folders for a platform's numbers, or for addresses")
    parser.add_argument(
        "--times", type=Path, help="Moodle's grading worksheet of this assignment: when each handed in"
    )
    parser.add_argument("--homework", help="this one only, such as 03")
    parser.add_argument("--submitted", type=Path, default=ROOT / "submitted", help="gets STUDENT/HOMEWORK/")
    parser.add_argument(
        "--into", type=Path, default=ROOT / COLLECTED_FOLDER, help="folder of the table and of the mails"
    )
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the course, with solutions/")
    parser.add_argument("--term", type=Path, default=ROOT / "term.toml", help="whose groups hand in together")
    given = parser.parse_args(arguments)
    named, given.source = given.source, Path(given.source).expanduser()
    if not named or not given.source.exists():
        parser.error(f"there is no file or folder {named or '(none)'}; as in: make collect FROM=~/Downloads/HW1.zip")
    if given.root.resolve().is_relative_to(given.source.resolve()):
        parser.error(f"{named} has the course itself in it; FROM is what a platform gave you")
    try:
        given.homework = given.homework and homework_named(given.root, given.homework)
    except ValueError as reason:
        parser.error(str(reason))
    try:
        given.hint = bool(given.roster) and not given.times and has_times(Path(given.roster).expanduser())
        given.roster = read_roster(Path(given.roster).expanduser()) if given.roster else {}
        given.times = read_times(given.times.expanduser(), read_zone(given.term)) if given.times else {}
    except (OSError, ValueError) as reason:
        parser.error(f"--roster or --times: {reason}")
    return given


if __name__ == "__main__":
    sys.exit(main())
