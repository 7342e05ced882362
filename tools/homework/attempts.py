"""The attempts of students: one row each in a table that is kept from download to download."""

import csv
import re
import unicodedata
from collections import defaultdict
from dataclasses import asdict, dataclass, fields, replace

from tools.homework.layouts import MAIL, MOODLE
from tools.homework.recognising import UNTOUCHED, Read, digest_of
from tools.homework.submissions import MAX_NAME_BYTES
from tools.homework.unpacking import in_utc

TAKEN, OLDER, NOT_DECIDED, NOT_TAKEN = "taken", "older", "undecided", "not taken"
STATED, LATE = "yes", "late"
STATE_PROBLEMS = {
    NOT_DECIDED: "two different notebooks came together: which of them counts?",
    NOT_TAKEN: "submitted/ has a file that is none of these attempts; move it away to take this",
}
MAX_CHARACTERS = 2000  # of a text in the table, of which Python's csv reads no more than 131,072
FOLDER_NAME = r"\w[\w@.+-]*"  # of a student
NO_NOTEBOOK = "there is no notebook of a homework in what was handed in"


@dataclass(frozen=True)
class Row:
    """One attempt of a student, or what came in its place: a line of the table.

    It came on `date`, which a mail, a hub or a worksheet has `stated`, or which is that of the first download with it;
    the last such download is of the date `seen`. A platform may have stated no more than that it was LATE.
    """

    student: str
    name: str
    homework: str
    file: str
    date: str
    stated: str
    seen: str
    state: str
    problem: str
    repaired: str
    digest: str
    mail: str
    layout: str = ""

    @property
    def dated(self):
        """Whether its date is the one on which it was handed in."""
        return self.stated == STATED

    @property
    def key(self):
        """What makes it another attempt."""
        return self.student, self.homework, self.digest

    @property
    def trouble(self):
        """Why somebody has to look at it, or an empty text."""
        return self.problem or STATE_PROBLEMS.get(self.state, "")


ATTEMPT_COLUMNS = [one.name for one in fields(Row)]


def attempts(handed, course, people, wanted=None, times=None):
    """{Row: the Path of its file, or None} of Handed files.

    Parameters
    ----------
    handed : Handed files;  course : Course;  people : People;  wanted : the homework to collect, or None for all
    times : {number in Moodle: datetime at which they handed this in}, where that is known
    """
    batches, found = defaultdict(list), {}
    for one in handed:
        batches[one.layout, one.student, one.batch].append(one)
    for (layout, key, _), files in batches.items():
        student, mail = people.who(key, layout)
        for one, read in chosen(files, course, wanted) if student else ():
            at = (times or {}).get(key) if layout == MOODLE else None
            stated = STATED if one.stated or at else LATE if one.late else ""
            dates = {"date": in_utc(at) if at else one.when, "stated": stated, "seen": one.when}
            about = {
                "name": one.name,
                "file": one.file.path,
                "mail": mail,
                "layout": layout,
                "state": "",
                **asdict(read),
            }
            about = {name: shortened(text) for name, text in about.items()}
            found[Row(student=student, **about, **dates)] = one.file.copy
    return found


def chosen(files, course, wanted):
    """The Handed files of one batch that are a homework, or should be, each with what it was Read as; at least one."""
    read = [(one, course.read(one.title, one.file.copy) if one.file.copy else unopened(one, course)) for one in files]
    read = [(one, replace(about, homework=about.homework or wanted or "")) for one, about in read if about != Read()]
    read = [(one, about) for one, about in read if wanted in (None, about.homework)]
    if any(about.problem != UNTOUCHED for _, about in read):  # then others were only packed with it
        read = [(one, about) for one, about in read if about.problem != UNTOUCHED]
    return read or [(files[0], Read(wanted or "", NO_NOTEBOOK, "", digest_of(files[0].file.path)))]


def unopened(one, course):
    """What a Handed file was Read as that was not opened, for some problem or since it is not a notebook."""
    if not one.file.problem:
        return Read()
    return Read(course.by_name(one.title), f"{one.title}: {one.file.problem}", "", digest_of(one.file.path))


class People:
    """Who is who: what a platform calls somebody, and what the folders of submitted/ are called.

    `called` has what the platform calls students whom the roster names: {name: number or address}.
    """

    def __init__(self, roster, submitted):
        self.roster, self.strange, self.called = roster, {}, {}
        folders = submitted.iterdir() if submitted.is_dir() else ()
        self.folders = {plain(one.name): one.name for one in folders if not one.name.startswith(".")}

    def who(self, key, layout):
        """(name of the student's folder, mail address or nothing); the name is empty if it can be none."""
        if self.roster and key not in self.roster and key not in {student for student, _ in self.roster.values()}:
            self.strange[key] = f"{shortened(key, 40)} ({layout}) is not in the roster, and gets a folder of this name"
        student, mail = self.roster.get(key, (key, key if layout == MAIL else ""))
        if not re.fullmatch(FOLDER_NAME, student) or len(student.encode()) > MAX_NAME_BYTES:
            self.strange[key] = f"{shortened(student, 40)!r} ({layout}) cannot be the name of a folder"
            return "", ""
        name = self.folders.setdefault(plain(student), student)
        if key in self.roster and key not in {one for one, _ in self.roster.values()}:
            self.called[name] = key
        return name, mail


def shortened(text, most=MAX_CHARACTERS):
    """A text without its middle, if it has more than this many characters."""
    return text if len(text) <= most else f"{text[: most // 2]}…{text[-most // 2 + 1 :]}"


def plain(name):
    """A name as a file system may take it: of any case, with its letters composed or not."""
    return unicodedata.normalize("NFC", name).casefold()


def merged(old, new):
    """The Rows of the table with new ones, in order; what is known already has only been seen again."""
    found = {one.key: one for one in old}
    for one in new:
        before = found.get(one.key, one)
        first = min(before, one, key=lambda row: (not row.dated, row.date))
        last = max(before.seen, one.seen)
        stated = first.stated or before.stated or one.stated
        told = {"stated": stated, "problem": one.problem, "state": before.state, "mail": one.mail or before.mail}
        found[one.key] = replace(first, seen=last, **told)
    return sorted(found.values(), key=lambda row: (row.student, row.homework, row.seen, row.file, row.digest))


def read_table(path):
    """The Rows of the table, if there is one.

    Raises
    ------
    ValueError
        If it has not the columns with which it was written; earlier versions wrote no layout.
    """
    if not path.is_file():
        return []
    try:
        with open(path, newline="", encoding="utf-8") as file:
            header, *lines = [*csv.reader(file)] or [[]]
    except (csv.Error, UnicodeDecodeError) as error:
        raise ValueError(
            f"{path} is damaged ({error}): take a copy of it, or move it away and collect again."
        ) from None
    if header not in (ATTEMPT_COLUMNS, ATTEMPT_COLUMNS[:-1]) or {len(line) for line in lines} - {len(header)}:
        raise ValueError(
            f"{path} has other columns than {', '.join(ATTEMPT_COLUMNS)}: take back the change, or move it away."
        )
    return [Row(*line) for line in lines]
