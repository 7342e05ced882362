"""term.toml: the rules by which the final numbers of a term come about, and the lists that it names.

`teaching/grading.md` has a whole one. Every number is exact, as it is written. What is wrong, unknown or in one list
only stops with its file and line.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

from tools.homework.term_people import excused, extensions, groups, points_of, read_list
from tools.homework.toml_lines import Source, TermError

LIST_TABLES = ("part", "extension", "excused", "group")  # tables of which there may be several
TOP_KEYS = ("timezone", "students", "left", "decimals", "homework", "late", *LIST_TABLES, "scale")
PERCENT, COUNT = "a number from 0 to 100", "a whole number from 0 on"


@dataclass(frozen=True)
class Homework:
    """When a homework is due, what it weighs beside the others, and where that stands."""

    due: datetime
    weight: Fraction
    where: str


@dataclass(frozen=True)
class Late:
    """What being late costs: so much of a homework's 100 for each day begun, and all of it after `most_days`."""

    percent_per_day: Fraction
    most_days: int
    grace: timedelta


@dataclass(frozen=True)
class Part:
    """What counts beside homework. `points` are {student: (where it stands, points, or None if there are none)}.

    Who has less than `least` points gets the last grade of the scale.
    """

    name: str
    share: Fraction
    maximum: Fraction
    least: Fraction
    file: Path
    points: dict


@dataclass(frozen=True)
class Term:
    """The rules. `students` are {student: where they stand}; extensions, excused, groups go by (student, homework).

    `unseen` are those who have left and are in no list: {student: where that stands}.
    """

    file: Path
    roster: Path
    students: dict
    left: tuple[str, ...]
    unseen: dict
    zone: ZoneInfo
    decimals: int
    share: Fraction
    drop: int
    homeworks: dict
    late: Late
    parts: tuple[Part, ...]
    extensions: dict
    excused: dict
    groups: dict
    scale: tuple


def read_term(path, homeworks, early=False):
    """The Term of a file; `homeworks` are the names of those that the course has. `early`, lists of parts may miss.

    Raises
    ------
    TermError
        If anything is wrong: file, line, and what is needed.
    """
    file = Source(path)
    file.only((), TOP_KEYS)
    zone, left = _zone(file), tuple(file.get("left", kind="a list of texts", default=[]))
    roster = _beside(file, "students")
    listed = read_list(roster, file.where("students"))
    students = {name: where for name, (where, _) in sorted(listed.items()) if name not in left}
    if not students:
        file.stop(("students",), f"names {roster.name}, which has nobody; the list of the class is needed")
    file.only(("homework",), ("share", "drop_lowest", "due", "weight"), needed=True)
    due = _homeworks(file, zone, homeworks)
    parts = tuple(_part(file, k, students, left, early) for k in range(file.count("part")))
    known, seen = {*students, *left}, {*listed, *(who for part in parts for who in part.points)}
    term = Term(
        file=file.path,
        roster=roster,
        students=students,
        left=left,
        unseen={who: file.where("left") for who in left if who not in seen},
        zone=zone,
        decimals=file.get("decimals", kind="a whole number from 0 to 6", default=1),
        share=Fraction(file.get("homework", "share", kind=PERCENT)),
        drop=file.get("homework", "drop_lowest", kind=COUNT, default=0),
        homeworks=due,
        late=_late(file),
        parts=parts,
        extensions=extensions(file, zone, known, due),
        excused=excused(file, known, due),
        groups=groups(file, known, due),
        scale=_scale(file),
    )
    _add_up(file, term)
    return term


TERM_FILE = "term.toml"


@dataclass(frozen=True)
class Dates:
    """Of a Term what says when something is due, to whom, and what being late costs."""

    zone: ZoneInfo
    homeworks: dict
    late: Late
    extensions: dict
    groups: dict


def read_zone(path):
    """The time zone of a file, or None if there is no such file, or it says none; raises as `read_term`."""
    file = Source(path) if path.is_file() else None
    return _zone(file) if file and "timezone" in file.values else None


def read_students(path):
    """The names of the class in the list that a file names, without who has left; none if there is no such file."""
    if not path.is_file():
        return set()
    file = Source(path)
    if "students" not in file.values:
        return set()
    return {*read_list(_beside(file, "students"), file.where("students"))} - {
        *file.get("left", kind="a list of texts", default=[])
    }


def read_dates(path, homeworks):
    """The Dates of a file, for the weeks in which exam and project have no lists yet; raises as `read_term`."""
    file = Source(path)
    file.only((), TOP_KEYS)
    zone, listed = _zone(file), read_list(_beside(file, "students"), file.where("students"))
    known, due = {*listed, *file.get("left", kind="a list of texts", default=[])}, _homeworks(file, zone, homeworks)
    return Dates(zone, due, _late(file), extensions(file, zone, known, due), groups(file, known, due))


def _zone(file):
    name = file.get("timezone", kind="a text")
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return file.stop(("timezone",), f'is {name!r}; the name of a time zone is needed, such as "Europe/Berlin"')


def _beside(file, *place):
    """The Path that a key names, seen from the folder of the file."""
    return file.path.parent / Path(file.get(*place, kind="a text")).expanduser()


def _homeworks(file, zone, homeworks):
    """{name: Homework}, in the order of their dates."""
    place, weights = ("homework", "due"), ("homework", "weight")
    file.only(place, homeworks, needed=True)
    found = {}
    for name in file.get(*place, kind="a table"):
        due, before = file.moment(*place, name, zone=zone), list(found)[-1:]
        if before and due < found[before[0]].due:
            file.stop((*place, name), f"is due before {before[0]}, which stands above; the order of dates is needed")
        weight = file.get(*weights, name, kind="a number from 0 on", default=1)
        found[name] = Homework(due, Fraction(weight), file.where(*place, name))
    file.only(weights, tuple(found))
    return found


def _late(file):
    place = file.only(("late",), ("percent_per_day", "most_days", "grace_hours"), needed=True)
    grace = file.get(*place, "grace_hours", kind=PERCENT, default=0)
    lost, most = file.get(*place, "percent_per_day", kind=PERCENT), file.get(*place, "most_days", kind=COUNT)
    return Late(Fraction(lost), most, timedelta(hours=float(grace)))


def _part(file, k, students, left, early):
    place = file.only(("part", k), ("name", "share", "file", "maximum", "least"))
    path, most = _beside(file, *place, "file"), Fraction(file.get(*place, "maximum", kind="a number above 0"))
    least = Fraction(file.get(*place, "least", kind="a number from 0 on", default=0))
    if least > most:
        file.stop((*place, "least"), f"is {float(least):g}; at most {float(most):g}, the maximum, is needed")
    if least and not file.get("scale", kind="a table", default={}):
        file.stop((*place, "least"), "needs a [scale], whose last grade is that of who has less")
    missing = early and not path.is_file()
    cells = {} if missing else read_list(path, file.where(*place, "file"), "points")
    wrong = [
        f"{where}: {who} is not in the list of the class; a row there, or an entry in left, is needed"
        for who, (where, _) in cells.items()
        if who not in students and who not in left
    ] + [
        f"{where}: {who} has no row in {path.name}; one is needed, without points for who was not there"
        for who, where in students.items()
        if who not in cells and not missing
    ]
    if wrong:
        raise TermError("\n".join(wrong))
    points = {who: (where, points_of(cell, most, where)) for who, (where, cell) in cells.items()}
    share = Fraction(file.get(*place, "share", kind=PERCENT))
    return Part(file.get(*place, "name", kind="a text"), share, most, least, path, points)


def _scale(file):
    """((grade, from how many of 100 on), …), from the best one to the one that everybody gets."""
    found = []
    for grade in file.get("scale", kind="a table", default={}):
        least = Fraction(file.get("scale", grade, kind=PERCENT))
        if found and least >= found[-1][1]:
            file.stop(("scale", grade), f"begins at {float(least):g}; less than {float(found[-1][1]):g} is needed")
        found.append((grade, least))
    if found and found[-1][1] != 0:
        file.stop(("scale", found[-1][0]), "is the last grade; it needs to begin at 0, so that everybody gets one")
    return tuple(found)


def _add_up(file, term):
    """Stops if the shares are not 100 together, or everything could be dropped."""
    shares = [("homework", term.share), *((part.name, part.share) for part in term.parts)]
    if (together := sum(share for _, share in shares)) != 100:
        told = ", ".join(f"{name} {float(share):g}" for name, share in shares)
        file.stop(("homework", "share"), f"and others are {told}, together {float(together):g}; 100 is needed")
    for k, part in enumerate(term.parts):
        if part.name in [name for name, _ in shares[: k + 1]]:
            file.stop(("part", k, "name"), f"is {part.name!r} once more; another one is needed")
    if term.drop >= (count := sum(one.weight > 0 for one in term.homeworks.values())):
        file.stop(("homework", "drop_lowest"), f"is {term.drop}; less than {count} is needed, of which so many count")
    for student in sorted({who for who, _ in term.excused}):
        of_theirs = [name for (who, name) in term.excused if who == student and term.homeworks[name].weight > 0]
        if term.drop >= count - len(of_theirs):
            told = f"{term.excused[student, of_theirs[-1]]}: {student} is excused from {len(of_theirs)} of {count}"
            raise TermError(f"{told}, and {term.drop} are dropped; one that counts is needed")
