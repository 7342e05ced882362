"""How the final number of a student comes about, from points and the rules of a Term, in fractions.

A homework is 100 p / m for p of m points, less what its late days cost, and not below 0. The lowest ones are dropped.
What is left is averaged by weight, and joins exam, project and the like by their shares. The sum alone is rounded.
"""

import math
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction

DAY, HOUR = timedelta(days=1), timedelta(hours=1)


@dataclass(frozen=True)
class Work:
    """What one student handed in for one homework: points by task, as graded; `at` is None if no time is known.

    `trail` is what the audit says of it: {column: text}.
    """

    student: str
    homework: str
    points: dict
    most: Fraction
    at: datetime | None
    trail: dict

    @property
    def total(self):
        """Sum of the points."""
        return sum(self.points.values(), Fraction())


@dataclass(frozen=True)
class Entry:
    """One homework of one student: its Work, or None; until when it is in time; percent before and after lateness.

    `extension` and `excused` are where those of this student stand, or empty.
    """

    homework: str
    weight: Fraction
    work: Work | None
    until: datetime
    extension: str
    days: int
    before: Fraction
    percent: Fraction
    excused: str = ""
    dropped: bool = False

    @property
    def counts(self):
        """Whether it has a part in the number."""
        return self.weight > 0 and not (self.dropped or self.excused)


@dataclass(frozen=True)
class Final:
    """All that a student's number is made of. `parts` has (Part, points or None, percent) of each."""

    student: str
    entries: tuple[Entry, ...]
    homework: Fraction
    parts: tuple
    exact: Fraction
    number: Decimal
    grade: str


def final(student, works, term):
    """The Final of a student.

    Parameters
    ----------
    student : name;  works : {(student, homework): Work};  term : Term
    """
    entries = dropped([entry(student, name, works, term) for name in term.homeworks], term.drop)
    counted = [one for one in entries if one.counts]
    homework = sum(one.weight * one.percent for one in counted) / sum(one.weight for one in counted)
    points = [(part, part.points[student][1]) for part in term.parts]
    parts = tuple((part, found, 100 * (found or Fraction()) / part.maximum) for part, found in points)
    exact = (term.share * homework + sum(part.share * percent for part, _, percent in parts)) / 100
    number = half_up(exact, term.decimals)
    reached = [name for name, least in term.scale if number >= least] or [""]
    grade = term.scale[-1][0] if failed(parts) else reached[0]
    return Final(student, entries, homework, parts, exact, number, grade)


def failed(parts):
    """The names of those of a Final's parts that must be passed, and were not."""
    return [part.name for part, points, _ in parts if (points or 0) < part.least]


def entry(student, homework, works, term):
    """The Entry of one homework."""
    rules, work = term.homeworks[homework], whose(student, homework, works, term)
    due, extension = term.extensions.get((student, homework), (rules.due, ""))
    until, excused = due + term.late.grace, term.excused.get((student, homework), "")
    if work is None:
        return Entry(homework, rules.weight, None, until, extension, 0, Fraction(), Fraction(), excused)
    before, days = 100 * work.total / work.most, days_late(work.at, until)
    percent = Fraction() if days > term.late.most_days else max(before - days * term.late.percent_per_day, Fraction())
    return Entry(homework, rules.weight, work, until, extension, days, before, percent, excused)


def whose(student, homework, works, term):
    """The Work that counts for a student: their own, or that of their group."""
    group = term.groups.get((student, homework))
    members = (student,) if group is None else (group.counts,) if group.counts else group.members
    return next((works[who, homework] for who in members if (who, homework) in works), None)


def days_late(at, until):
    """Days that have begun between; none if no time is known."""
    return 0 if at is None else max(0, -((until - at) // DAY))


def lateness(student, homework, at, dates):
    """What Dates say of a hand-in at a time, in words for the student; empty if they know nothing of the homework."""
    if homework not in dates.homeworks:
        return ""
    due, extension = dates.extensions.get((student, homework), (dates.homeworks[homework].due, ""))
    told = f"it was due {said(due, dates.zone)}{' (extended)' if extension else ''}"
    if at is None:
        return f"When you handed in is not known, which counts as in time: {told}."
    handed, days = f"Handed in {said(at, dates.zone)}", days_late(at, due + dates.late.grace)
    if at <= due:
        return f"{handed}, in time: {told}."
    cost = f"{days} × {shown(dates.late.percent_per_day)} of 100" if days else "nothing"
    cost = "all of it" if days > dates.late.most_days else cost
    return f"{handed}, {max(round((at - due) / HOUR, 1), 0.1):g} hours late: {told}. By the rules it costs {cost}."


def dropped(entries, count):
    """Entries, of which `count` are dropped: the lowest that count, of equal ones the heaviest, then the first."""
    lowest = sorted((one for one in entries if one.counts), key=lambda one: (one.percent, -one.weight))
    names = {one.homework for one in lowest[:count]}
    return tuple(replace(one, dropped=one.homework in names) for one in entries)


def half_up(value, decimals):
    """A Fraction of at least 0 with so many decimals; what is half way goes up."""
    return Decimal(math.floor(value * 10**decimals + Fraction(1, 2))).scaleb(-decimals)


def shown(value, decimals=4):
    """A Fraction as one may write it: exactly, or cut after so many decimals, which "…" then says."""
    cut = Decimal(math.floor(value * 10**decimals)).scaleb(-decimals)
    text = f"{cut:f}".rstrip("0").rstrip(".") if decimals else f"{cut:f}"
    return text if Fraction(cut) == value else f"{cut:f}…"


def exactly(value):
    """A Fraction as it is shown, and also as a fraction if that is cut."""
    text = shown(value)
    return f"{text} = {value}" if text.endswith("…") else text


def plain(value):
    """A Fraction for a table, with six decimals at most; empty if there is none."""
    return "" if value is None else f"{half_up(value, 6):f}".rstrip("0").rstrip(".")


def said(moment, zone):
    """A date and time in words, as they are in a time zone."""
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M:%S %Z}"
