"""The files of the data sets: their location, their checksums, and reading tables.

Lecture: 00.
"""

import csv
import hashlib
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from course_lib import selection, validation
from course_lib.kinds import Folder

CHECKSUMS = "CHECKSUMS.sha256"
REMEDY = (
    "In a git checkout, run `git checkout -- data`; otherwise install course-lib again "
    "(`pip install --force-reinstall --no-deps course-lib`, or from the wheel that you used)."
)


class DataMissingError(FileNotFoundError):
    """A data file is not where it should be."""


class DataDamagedError(ValueError):
    """A data file is not the one that the course was written with."""


class FileCheck(NamedTuple):
    """file : path below the data folder; ok : bool; problem : "", "missing" or "damaged"."""

    file: str
    ok: bool
    problem: str


@dataclass(frozen=True)
class Provenance:
    """Source, licence and citation of a data set, as texts."""

    source: str
    licence: str
    citation: str

    def __str__(self):
        return f"Source: {self.source}\nLicence: {self.licence}\nCite: {self.citation}"


class Rows:
    """A dataclass whose lists and arrays have one element per row, except those named in `_shared`."""

    _shared = ()

    def select(self, indices: ArrayLike) -> Self:
        """The selected rows, in the order of the indices, as a container of the same kind.

        indices : ints, a slice, or a mask of n booleans, for example `digits.speakers == "theo"`
        """
        chosen = selection.positions(indices, len(self), "rows")
        parts = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in self._shared}
        lists = {name: [part[i] for i in chosen] for name, part in parts.items() if isinstance(part, list)}
        arrays = {name: part[chosen] for name, part in parts.items() if isinstance(part, np.ndarray)}
        return replace(self, **lists, **arrays)


def verify_all(folder: Folder = None) -> list[FileCheck]:
    """Read every data file again and compare it with its checksum: list of FileCheck(file, ok, problem).

    Raises DataMissingError where the list of checksums itself is not there.
    """
    folder, table = _place(folder), []
    for name, expected in checksums(folder).items():
        path = folder / name
        problem = "missing" if not path.is_file() else "damaged" if _sha256(path) != expected else ""
        table.append(FileCheck(name, not problem, problem))
    return table


def data_folder(package: Folder = None) -> Path:
    """Folder of the data: course_lib/_data of an installed package, else data/ beside course_lib.

    Raises DataMissingError where neither holds the list of checksums.
    """
    package = Path(__file__).parent.parent if package is None else validation.path(package, "package")
    candidates = (package / "_data", package.parent / "data")
    for folder in candidates:
        if (folder / CHECKSUMS).is_file():
            return folder
    raise DataMissingError(
        f"The course's data are neither in {candidates[0]} nor in {candidates[1]} (no {CHECKSUMS}). {REMEDY}"
    )


def checked_file(name, folder):
    """Path of a data file, verified by its checksum once per process."""
    folder = _place(folder)
    expected = checksums(folder).get(name)
    if expected is None:
        raise DataDamagedError(f"{folder / CHECKSUMS} does not list {name}. {REMEDY}")
    _verify(folder / name, expected)
    return folder / name


@cache
def _verify(path, expected):
    """Raise an error unless the file has this SHA-256; failures are not cached."""
    if not path.is_file():
        raise DataMissingError(f"The data file {path} is missing. {REMEDY}")
    found = _sha256(path)
    if found != expected:
        raise DataDamagedError(
            f"The data file {path} is damaged or was changed: its SHA-256 is {found[:12]}…, "
            f"{expected[:12]}… was expected. {REMEDY}"
        )


def _sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _place(folder):
    return data_folder() if folder is None else validation.path(folder, "folder")


def checksums(folder=None):
    """{file: SHA-256} from the list in the format of sha256sum."""
    path = _place(folder) / CHECKSUMS
    if not path.is_file():
        raise DataMissingError(f"The list of checksums {path} is missing. {REMEDY}")
    lines = [line.split(maxsplit=1) for line in path.read_text(encoding="utf-8", errors="replace").splitlines()]
    for number, line in enumerate(lines, 1):
        if len(line) != 2:
            raise DataDamagedError(f"Line {number} of {path} is not a checksum with a file name. {REMEDY}")
    return {name: checksum for checksum, name in lines}


def read_table(name, folder):
    """Rows of a CSV file as dictionaries."""
    with open(checked_file(name, folder), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def numbers(rows, columns):
    """(n, len(columns)) float64 from rows of texts; the levels of a factor become 0 and 1."""
    return np.array([[float(_CODES.get(row[name], row[name])) for name in columns] for row in rows])


_CODES = {"no": 0, "yes": 1, "cold": 0, "warm": 1, "two-option": 0, "three-option": 1}
