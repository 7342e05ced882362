"""How platforms name what they pack into a download, and the columns of their lists of a class.

A pattern is matched against the whole path of a file in a download. Its groups: `student`, by which the platform knows
the person (a number, a login), `name` if the path has one, `homework` if a folder says it, and `file`, which the
student named. Each is read from the program that writes the names; where a version is given, from that one.

Not here: Google Classroom, since nothing was found that says how it names files; Outlook's .msg; groups that hand in
together; and submissions that a platform has made anonymous.
"""

import csv
import re
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Layout:
    """A platform's name, and the pattern of the paths in its downloads."""

    name: str
    pattern: re.Pattern


MOODLE, CANVAS = "Moodle", "Canvas"
# Where timestamp.txt is not the student's: a hub writes it there. In every other folder all files are theirs.
STAMPED = "folders of this course"
LAYOUTS = (
    # Moodle, mod/assign/classes/downloader.php (2022; commit da5455238d1a): full name (each _ a space), number of the
    # participant, plugin; then a folder, or "_" and the file. Folders of downloads of 2021 in public repositories, by
    # mod/assign/locallib.php, end in "_".
    Layout(
        MOODLE,
        re.compile(r"(?:.*?/)?(?P<name>[^/_]+)_(?P<student>\d+)_assignsubmission_file(?:_?/|_)(?P<file>.+)"),
    ),
    # What this course has itself: teaching/hosting/collect.sh, and nbgrader's collect (0.9.6, CourseDirectory). Within
    # a copy of the course no folder is a student's.
    Layout(
        STAMPED,
        re.compile(r"(?:.*?/)?(?!exercises/|solutions/)(?P<student>[^/]+)/(?P<homework>[^/]+)/(?P<file>[^/]+)"),
    ),
    # ILIAS, getDirectoryNameFromUserData in components/ILIAS/Exercise/Submission/SubmissionManager.php (commit
    # 6200bf3ca814) and, the same, in Modules/Exercise of older versions: last name, first name, login, number. It puts
    # some words before the name of a file that is late.
    Layout(
        "ILIAS",
        re.compile(
            r"(?:.*?/)?(?P<name>[^/_]+_[^/_]+)_(?P<student>[^/]+)_\d+/(?P<late>Late Submission - )?(?P<file>.+)"
        ),
    ),
    # Canvas, get_filename and add_upload_submission in lib/content_zipper.rb (commits a72b23a82168 and 05e9653c12ef):
    # sortable name in letters alone, LATE, number of the user, number of the file, and the file.
    Layout(CANVAS, re.compile(r"(?:.*/)?(?P<name>\w+?)(?P<late>_(?i:late))?_(?P<student>\d+)_\d+_(?P<file>[^/]+)")),
)
MAIL = "e-mail"  # RFC 5322, sections 3.6.1 and 3.6.2: Date and From, which the sender's program writes

# Columns of a list of the class, as in `nbgrader db student import` (0.9.6), in Moodle's offline grading worksheet in
# English (mod/assign/gradingtable.php, col_recordid: "Participant 123"), and in Canvas's export of its gradebook.
STUDENT = ("id", "ID number", "SIS Login ID")
NUMBER_COLUMNS = ("lms_user_id", "Identifier", "ID")
ADDRESS = ("email", "Email address")
# The same worksheet of Moodle says when each handed in, by the clock of the teacher who downloads it: userdate, in the
# format strftimedaydatetime of lang/en/langconfig.php, of en_us, or one with 24 hours.
HANDED_IN = "Last modified (submission)"
MOMENTS = ("%A, %d %B %Y, %I:%M %p", "%A, %B %d, %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%A, %B %d, %Y, %H:%M")


def fitting(paths, homeworks):
    """{path: (Layout, match)} of the paths that a layout fits; first the one that fits most, and tells most apart.

    A student can name folders of their own as another platform would, but not the files of all others. Of two that fit
    as many, folders of this course, whose times are believed, are the last choice.

    Parameters
    ----------
    paths : paths of the files in one download, with "/"
    homeworks : names of the homeworks; a folder that should be named by one and is not fits nothing
    """
    names, matches = {name.casefold() for name in homeworks}, {}
    for layout in reversed(LAYOUTS):
        fits = ((path, layout.pattern.fullmatch(path)) for path in paths)
        matches[layout.name] = {
            path: (layout, match)
            for path, match in fits
            if match and match.groupdict().get("homework", homeworks[0]).casefold() in names
        }

    def rank(name):
        found = matches[name]
        return len(found), name != STAMPED, len({match["student"] for _, match in found.values()})

    return {
        path: fit for name in sorted(matches, key=rank) for path, fit in matches[name].items()
    }  # the last one stays


def read_roster(path):
    """{number or address: (student, address)} from a list of the class.

    Raises
    ------
    ValueError
        If it has none of the columns that it must have; the message names them.
    """
    columns, rows = _read(path)
    student, number, address = (
        next(filter(columns.__contains__, names), "") for names in (STUDENT, NUMBER_COLUMNS, ADDRESS)
    )
    if not student or not (number or address):
        raise ValueError(
            f"{path} has the columns {', '.join(map(str, columns)) or '(none)'}; it needs one of "
            f"{', '.join(STUDENT)}, and one of {', '.join(NUMBER_COLUMNS + ADDRESS)}."
        )
    found = {}
    for _, row in rows:
        mail = (row.get(address) or "").strip().casefold()
        if name := (row[student] or "").strip():
            found |= {key: (name, mail) for key in (_number(row.get(number)), mail) if key}
    return found


def has_times(path):
    """Whether a list of the class is a worksheet that says when each handed in one of the assignments."""
    return HANDED_IN in _read(path)[0]


def read_times(path, zone):
    """{number: datetime at which somebody handed in} from Moodle's grading worksheet of one assignment.

    Parameters
    ----------
    path : of the worksheet;  zone : tzinfo of the teacher who downloaded it, or None for that of this computer

    Raises
    ------
    ValueError
        If it has no such column, or something else in it.
    """
    columns, rows = _read(path)
    number = next(filter(columns.__contains__, NUMBER_COLUMNS), None)
    if HANDED_IN not in columns or number is None:
        raise ValueError(f"{path} has no column {HANDED_IN!r}; Moodle's grading worksheet, in English, is needed.")
    found = {}
    for line, row in rows:
        text = re.sub(r"\s+", " ", row[HANDED_IN] or "").strip()
        if text in ("", "-"):
            continue
        moment = next(filter(None, (_moment(text, form) for form in MOMENTS)), None)
        if moment is None:
            raise ValueError(f"{path}, line {line}: {text!r} is not a time such as Monday, 26 October 2026, 9:30 AM.")
        found[_number(row[number])] = moment.replace(tzinfo=zone) if zone else moment.astimezone()
    return found


def _read(path):
    """(names of the columns, (line, row) of each) of a CSV."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        rows = [(reader.line_num, row) for row in reader]
    return list(reader.fieldnames or ()), rows


def _number(text):
    """A person's number, of which Moodle writes "Participant 123"."""
    return re.sub(r"^\D+(?=\d+$)", "", (text or "").strip())


def _moment(text, form):
    try:
        return datetime.strptime(text, form)
    except ValueError:
        return None
