"""The people of a term: lists with a row for each student, extensions, groups. Each is told with file and line."""

import csv
import re
from dataclasses import dataclass
from fractions import Fraction

from tools.homework.attempts import FOLDER_NAME
from tools.homework.layouts import STUDENT
from tools.homework.toml_lines import Source, TermError


@dataclass(frozen=True)
class Group:
    """Who hands in one homework together; `counts` is whose hand-in it is, if several of them have one."""

    members: tuple[str, ...]
    counts: str | None
    where: str


def read_list(path, named, column=None):
    """{student: (where, what stands in the column)} of a CSV; `named` is where its name stands.

    Raises
    ------
    TermError
        If it cannot be read, has not these columns, or a student twice.
    """
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            rows = [(f"{path.name}, line {reader.line_num}", row) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TermError(f"{named}: {path} cannot be read ({error}); a CSV is needed") from None
    names = reader.fieldnames or []
    who = next(filter(names.__contains__, ("student", *STUDENT)), None)
    if who is None or column not in (None, *names):
        told = " and ".join(["student", *filter(None, [column])])
        raise TermError(f"{path.name}, line 1: has {', '.join(names)}; the columns {told} are needed, with commas")
    found = {}
    for where, row in rows:
        student = (row[who] or "").strip()
        if not student and column is None:  # as in Canvas's line of what is possible
            continue
        if not re.fullmatch(FOLDER_NAME, student):
            raise TermError(f"{where}: {who} is {student!r}; the name of the student's folder is needed")
        if student in found:
            raise TermError(f"{where}: {student} already has a row ({found[student][0]}); one row is needed")
        found[student] = where, (row[column] or "").strip() if column else ""
    return found


def points_of(text, most, where):
    """Points as they are written in a cell; None if nothing is.

    Raises
    ------
    TermError
        If they are no number from 0 to `most`.
    """
    found = Fraction(text) if re.fullmatch(r"\d+(\.\d+)?", text) else None
    if text and (found is None or found > most):
        raise TermError(f"{where}: points is {text!r}; a number from 0 to {float(most):g}, or nothing, is needed")
    return found


def extensions(file, zone, known, homeworks):
    """{(student, homework): (until when, where that stands)}"""
    found = {}
    for k in range(file.count("extension")):
        place = file.only(("extension", k), ("student", "homework", "until"))
        key = _who(file, (*place, "student"), known), _what(file, (*place, "homework"), homeworks)
        until = file.moment(*place, "until", zone=zone)
        if until <= (due := homeworks[key[1]].due):
            told = f"{key[1]} is due, {due.astimezone(zone)}"
            file.stop((*place, "until"), f"is no later than {told}; a later time is needed")
        if key in found:
            file.stop((*place, "student"), f"has an extension for {key[1]} above; one is needed")
        found[key] = until, file.where(*place)
    return found


def excused(file, known, homeworks):
    """{(student, homework): where that stands} of what does not count for a student."""
    found = {}
    for k in range(file.count("excused")):
        place = file.only(("excused", k), ("student", "homework"))
        key = _who(file, (*place, "student"), known), _what(file, (*place, "homework"), homeworks)
        found[key] = file.where(*place)
    return found


def read_groups(path, homeworks):
    """The `groups` of a term.toml, of which nothing else is looked at; none if it does not exist.

    Raises
    ------
    TermError
        If they are wrong.
    """
    return groups(Source(path), None, homeworks) if path.is_file() else {}


def groups(file, known, homeworks):
    """{(student, homework): Group}; with `known`, of these students."""
    found = {}
    for k in range(file.count("group")):
        place = file.only(("group", k), ("homework", "members", "counts"))
        homework = _what(file, (*place, "homework"), homeworks)
        members = tuple(file.get(*place, "members", kind="a list of texts"))
        counts = file.get(*place, "counts", kind="a text", default=None)
        if len(set(members)) != len(members) or len(members) < 2:
            file.stop((*place, "members"), "needs two students or more, each once")
        for who in members:
            if known is not None:
                _known(file, (*place, "members"), who, known)
            if (who, homework) in found:
                file.stop((*place, "members"), f"has {who}, who is in another group for {homework}; one is needed")
        if counts not in (None, *members):
            file.stop((*place, "counts"), f"is {counts!r}; one of the members is needed")
        found |= dict.fromkeys(((who, homework) for who in members), Group(members, counts, file.where(*place)))
    return found


def _who(file, place, known):
    return _known(file, place, file.get(*place, kind="a text"), known)


def _known(file, place, who, known):
    return who if who in known else file.stop(place, f"has {who!r}; a student of the list of the class is needed")


def _what(file, place, homeworks):
    name = file.get(*place, kind="a text")
    return name if name in homeworks else file.stop(place, f"is {name!r}; one of {', '.join(homeworks)} is needed")
