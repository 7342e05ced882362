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


@dataclass(frozen=True)
class Layout:
    """A platform's name, and the pattern of the paths in its downloads."""

    name: str
    pattern: re.Pattern


LAYOUTS = (
    # Moodle, mod/assign/classes/downloader.php (2022; commit da5455238d1a): full name (each _ a space), number of the
    # participant, plugin; then a folder, or "_" and the file. Folders of downloads of 2021 in public repositories, by
    # mod/assign/locallib.php, end in "_".
    Layout(
        "Moodle",
        re.compile(r"(?:.*?/)?(?P<name>[^/_]+)_(?P<student>\d+)_assignsubmission_file(?:_?/|_)(?P<file>.+)"),
    ),
    # What this course has itself: teaching/hosting/collect.sh, and nbgrader's collect (0.9.6, CourseDirectory). Within
    # a copy of the course no folder is a student's.
    Layout(
        "folders of this course",
        re.compile(r"(?:.*?/)?(?!exercises/|solutions/)(?P<student>[^/]+)/(?P<homework>[^/]+)/(?P<file>[^/]+)"),
    ),
    # ILIAS, getDirectoryNameFromUserData in components/ILIAS/Exercise/Submission/SubmissionManager.php (commit
    # 6200bf3ca814) and, the same, in Modules/Exercise of older versions: last name, first name, login, number.
    Layout(
        "ILIAS",
        re.compile(r"(?:.*?/)?(?P<name>[^/_]+_[^/_]+)_(?P<student>[^/]+)_\d+/(?P<file>.+)"),
    ),
    # Canvas, get_filename and add_upload_submission in lib/content_zipper.rb (commits a72b23a82168 and 05e9653c12ef):
    # sortable name in letters alone, LATE, number of the user, number of the file, and the file.
    Layout("Canvas", re.compile(r"(?:.*/)?(?P<name>\w+?)(?:_(?i:late))?_(?P<student>\d+)_\d+_(?P<file>[^/]+)")),
)
MAIL = "e-mail"  # RFC 5322, sections 3.6.1 and 3.6.2: Date and From, which the sender's program writes

# Columns of a list of the class, as in `nbgrader db student import` (0.9.6), in Moodle's offline grading worksheet in
# English (mod/assign/gradingtable.php, col_recordid: "Participant 123"), and in Canvas's export of its gradebook.
STUDENT = ("id", "ID number", "SIS Login ID")
NUMBER = ("lms_user_id", "Identifier", "ID")
ADDRESS = ("email", "Email address")


def fitting(paths, homeworks):
    """{path: (Layout, match)} of the paths that a layout fits; first the one that tells most students apart.

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
    told = sorted(matches.values(), key=lambda found: len({match["student"] for _, match in found.values()}))
    return {path: fit for found in told for path, fit in found.items()}  # the last one stays


def read_roster(path):
    """{number or address: (student, address)} from a list of the class.

    Raises
    ------
    ValueError
        If it has none of the columns that it must have; the message names them.
    """
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    columns = set(rows[0]) if rows else set()
    student, number, address = (next(filter(columns.__contains__, names), "") for names in (STUDENT, NUMBER, ADDRESS))
    if not student or not (number or address):
        raise ValueError(
            f"{path} has the columns {', '.join(map(str, columns)) or '(none)'}; it needs one of "
            f"{', '.join(STUDENT)}, and one of {', '.join(NUMBER + ADDRESS)}."
        )
    found = {}
    for row in rows:
        mail = (row.get(address) or "").strip().casefold()
        known = re.sub(r"^\D+(?=\d+$)", "", (row.get(number) or "").strip())
        if name := (row[student] or "").strip():
            found |= {key: (name, mail) for key in (known, mail) if key}
    return found
