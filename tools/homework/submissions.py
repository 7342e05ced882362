"""What students handed in: STUDENT/HOMEWORK/HOMEWORK.ipynb, and everything that is not as it should be.

Nothing here runs or believes what was handed in. No link is followed: it could lead to the solutions.
"""

import difflib
import hashlib
import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from nbgrader.utils import parse_utc

STAMP = "timestamp.txt"  # where nbgrader's collect writes when it was handed in
MAX_NAME_BYTES = 100  # of a student: some files are named by two of them, and a file system takes 255
MAX_FILE_BYTES, MAX_TOTAL_BYTES = 50_000_000, 200_000_000  # bytes of a notebook, and of all files
MAX_VALUES, MAX_OBJECTS, MAX_CELLS = 2_000_000, 100_000, 5000  # of a notebook, which bound what reading it costs
SMALL = 1_000_000  # bytes of one that has not so many
STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


@dataclass(frozen=True)
class Submission:
    """What one student handed in for one homework, and the problem, if any, for which it cannot be graded."""

    student: str
    homework: str
    folder: Path
    problem: str = ""

    @property
    def notebook(self):
        """Path of the notebook."""
        return self.folder / f"{self.homework}.ipynb"

    @property
    def handed_in(self):
        """When, as nbgrader wrote it down; or None."""
        stamp = self.folder / STAMP
        return stamp.read_text(encoding="utf-8", errors="replace").strip() if _is_file(stamp) else None

    def files(self):
        """The files of the submission."""
        for place, _, names in os.walk(self.folder):
            yield from (path for name in sorted(names) if _is_file(path := Path(place, name)))

    def copy(self, folder):
        """Copies the files, and no links, into a folder."""
        for path in self.files():
            target = folder / path.relative_to(self.folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)

    def fingerprint(self):
        """Digest of the files."""
        return digest(self.files(), self.folder)


def digest(files, root):
    """SHA-256 of files and their names below root."""
    found = hashlib.sha256()
    for path in sorted(files):
        found.update(f"{path.relative_to(root)}\0{path.stat().st_size}\0".encode("utf-8", errors="surrogateescape"))
        try:
            with open(path, "rb") as file:
                found.update(hashlib.file_digest(file, "sha256").digest())
        except PermissionError:
            found.update(b"unreadable")
    return found.hexdigest()


def survey(submitted, homeworks):
    """(the Submissions, remarks on what is none) of a folder, in the order of their names.

    Parameters
    ----------
    submitted : Path with a folder for each student
    homeworks : names of the homeworks
    """
    found, remarks = [], []
    for person in sorted(submitted.iterdir()):
        if person.name.startswith("."):
            continue
        if not person.is_dir():
            remarks.append(f"{person.name}: is no student's folder; unpack it as STUDENT/HOMEWORK/HOMEWORK.ipynb")
            continue
        if len(os.fsencode(person.name)) > MAX_NAME_BYTES:
            remarks.append(f"{person.name[:20]}…: has a name of more than {MAX_NAME_BYTES} bytes; rename it")
            continue
        for folder in sorted(one for one in person.iterdir() if not one.name.startswith(".")):
            if folder.name in homeworks:
                found.append(Submission(person.name, folder.name, folder, problem_of(folder)))
            else:
                remarks.append(f"{person.name}/{folder.name}: {_unknown(folder.name, homeworks)}")
    return found, remarks


def problem_of(folder):
    """Why the submission in a folder cannot be graded, and what to do; empty if it can."""
    path = folder / f"{folder.name}.ipynb"
    if folder.is_symlink() or not folder.is_dir():
        return "it is no folder; put the notebook into a folder of this name"
    if path.is_symlink():
        return f"{path.name} is a link; put the notebook itself there"
    if not _is_file(path):
        others = sorted(one.name for one in folder.glob("*.ipynb"))
        told = f"; there is {others[0]}: if that is it, rename it" if len(others) == 1 else ""
        return f"there is no {path.name} in what was handed in{told}"
    if path.stat().st_size > MAX_FILE_BYTES:
        return f"{path.name} has more than {MAX_FILE_BYTES // 10**6} MB; ask for it without its outputs"
    if sum(one.stat().st_size for one in Submission("", folder.name, folder).files()) > MAX_TOTAL_BYTES:
        return f"its files have more than {MAX_TOTAL_BYTES // 10**6} MB; ask for the notebook alone"
    stamp = Submission("", folder.name, folder).handed_in
    if stamp and not _is_time(stamp):
        return f"{STAMP} says {stamp[:40]!r}; a time such as 2026-11-30 14:30:00 UTC is needed, or no such file"
    return unreadable(path.name, path.read_bytes())


def unreadable(name, data):
    """Why the bytes of a file are no notebook that can be graded, and what to do; empty if they are one."""
    if len(data) > SMALL and not _bounded(data):
        return f"{name} has far more values than a notebook; ask for it again"
    try:
        book = json.loads(data.decode("utf-8"))
        version, cells = book["nbformat"], book.get("cells")
    except (ValueError, RecursionError):
        return f"{name} is no JSON: it was cut off or damaged; ask for it again"
    except (KeyError, TypeError, AttributeError):
        return f"{name} is JSON but no notebook; ask for it again"
    if not isinstance(version, int) or version < 4:
        return f"{name} has the notebook format {version}; open it in JupyterLab, save it, and hand that in"
    if not isinstance(cells, list):
        return f"{name} has no cells; ask for it again"
    if len(cells) > MAX_CELLS:
        return f"{name} has more than {MAX_CELLS} cells; ask for it again"
    return ""


def _bounded(data):
    """Whether the JSON in some bytes has so few values that it can be read: a list of two bytes takes sixty."""
    marks = STRING.sub(b"", data)
    return marks.count(b"{") <= MAX_OBJECTS and sum(map(marks.count, (b",", b"[", b"{"))) <= MAX_VALUES


def _is_time(text):
    try:
        return parse_utc(text) is not None
    except (ValueError, OverflowError):
        return False


def _unknown(name, homeworks):
    near = difflib.get_close_matches(name, homeworks, n=1)
    return f"there is no homework of this name{f'; rename it to {near[0]}, if that is what it is' if near else ''}"


def _is_file(path):
    """Whether there is a file, and no link to one."""
    return path.is_file() and not path.is_symlink()
