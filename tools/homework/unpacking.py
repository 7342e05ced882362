"""Opens what a platform, or a mailbox, gives a teacher: whose each file is, and when it came.

Nothing is believed of what students have packed: no path of theirs is written to, no link followed, nothing too large
opened, in one zip or in all levels of zips together. What is refused is named. A disk that is full is nobody's fault,
and ends it.
"""

import email
import email.policy
import errno
import itertools
import posixpath
import re
import struct
import unicodedata
import zipfile
import zlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parseaddr
from pathlib import Path

from nbgrader.utils import parse_utc

from tools.homework.apart import TooMuch, apart
from tools.homework.layouts import MAIL, STAMPED, fitting
from tools.homework.submissions import MAX_FILE_BYTES, MAX_TOTAL_BYTES, STAMP

OPENED_BYTES = {
    ".ipynb": MAX_FILE_BYTES,
    ".zip": MAX_TOTAL_BYTES,
    ".eml": MAX_FILE_BYTES,
    STAMP: 1000,
}  # bytes of what is opened, by its kind
DEEPEST_ZIP, LONGEST_PATH, MOST_FILES, CLASS = 3, 1000, 100_000, 100  # a class hands in CLASS times as much as one may
MAX_DIRECTORY_BYTES = (
    20_000_000  # of the list of its members at the end of a zip, which is read before they are counted
)
ZIP_ERRORS = zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, ValueError
NEEDLESS = {"__MACOSX", ".ipynb_checkpoints", "__pycache__"}
LINK_MODE, KIND_OF_FILE = 0o120000, 0o170000  # in the rights of a file, as Unix packs them


@dataclass(frozen=True)
class File:
    """A file in a download, under its path there; `copy` is None if it was not opened, `problem` may say why."""

    path: str
    copy: Path | None
    when: datetime
    problem: str = ""


@dataclass(frozen=True)
class Handed:
    """A file that a student handed in under this `title`, with all else of the same `batch`.

    Its date was `stated`, or is that of the download. `late` is what the platform says in the name of the file.
    """

    layout: str
    student: str
    name: str
    batch: str
    title: str
    file: File
    stated: bool = False
    late: bool = False

    @property
    def when(self):
        """Date and time in UTC, as nbgrader writes them."""
        return in_utc(self.file.when)


class NoPlace(Exception):
    """The disk did not take what was unpacked; the message says why."""


class Allowance:
    """How many bytes and files may still be unpacked, at all levels of zips together, as a part of a `whole`."""

    def __init__(self, most, whole=None):
        self.most, self.bytes, self.files, self.whole = most, most, MOST_FILES, whole

    def takes(self, members):
        """Whether these members of a zip may be unpacked, too; if so they are counted.

        Raises
        ------
        NoPlace
            If they fit here, and not into the whole: that is not for one student to mend.
        """
        size = sum(info.file_size for info in members)
        if size > self.bytes or len(members) > self.files:
            return False
        if self.whole and not self.whole.takes(members):
            raise NoPlace(f"All that was handed in has more than {self.whole.most // 10**6} MB, or very many files")
        self.bytes, self.files = self.bytes - size, self.files - len(members)
        return True


class Opener:
    """Opens downloads into a temporary folder; `strange` has a sentence for what is nobody's, or was refused."""

    def __init__(self, place, homeworks):
        self.place, self.homeworks, self.numbers, self.strange = Path(place), homeworks, itertools.count(), []
        self.all, self.of = Allowance(MAX_TOTAL_BYTES * CLASS), {}

    def open(self, source):
        """The Handed files of a zip, of a mail, or of a folder of such."""
        if kind(source.name) == ".zip":
            return self.sort(self.unzip(File(source.name, source, changed(source)), self.all), "", 1)
        paths = [path for path in sorted(source.rglob("*")) if path.is_file() and not path.is_symlink()]
        return self.sort([from_disk(path, source) for path in paths or [source]], "", 1)

    def sort(self, files, label, depth):
        """The Handed files of one download, whose paths are shown after `label`."""
        loose, found = [one for one in files if wanted(one.path)], []
        fits = fitting([one.path for one in loose if kind(one.path) != ".eml"], self.homeworks)
        dates = dated(files, fits)
        for one in loose:
            shown = replace(one, path=label + one.path)
            if one.path in fits:
                found += self.inside(handed(shown, label, *fits[one.path], *dates[one.path]), depth)
            elif one.copy and kind(one.path) == ".eml":
                found += self.mail(shown, depth)
            elif one.copy and kind(one.path) == ".zip" and depth < DEEPEST_ZIP:
                found += self.sort(self.unzip(shown, self.all), f"{shown.path}: ", depth + 1)
            elif one.problem or kind(one.path):
                self.strange.append(f"{shown.path}: {one.problem or 'whose it is cannot be seen from its path'}")
        return found

    def inside(self, whole, depth):
        """A Handed file, or the files in it if it is a zip."""
        file = whole.file
        if kind(file.path) != ".zip" or not file.copy:
            return [whole]
        if depth >= DEEPEST_ZIP:
            return [replace(whole, file=replace(file, copy=None, problem="it is a zip file in a zip file in one"))]
        found, own = [], self.of.setdefault((whole.layout, whole.student), Allowance(MAX_TOTAL_BYTES, self.all))
        for one in self.unzip(file, own):
            if wanted(one.path):
                shown = replace(one, path=f"{file.path}: {one.path}", when=file.when)
                found += self.inside(replace(whole, title=posixpath.basename(one.path), file=shown), depth + 1)
        return found

    def mail(self, file, depth):
        """The Handed attachments of a mail."""
        try:
            name, address, sent, parts = apart(read_mail, file.copy)
        except TooMuch:  # whatever a sender's program wrote: the others' mails are read
            self.strange.append(f"{file.path}: it cannot be read")
            return []
        when = sent or file.when
        if "@" not in address:
            self.strange.append(f"{file.path}: it names no sender")
            return []
        found = []
        for title, data in parts:
            title = posixpath.basename(tidy(title))
            if data is not None and wanted(title):
                problem = too_large(title, len(data))
                copy = self.keep([data]) if kind(title) and not problem else None
                one = File(f"{file.path}: {title}", copy, when, problem)
                found += self.inside(Handed(MAIL, address.casefold(), name, file.path, title, one, bool(sent)), depth)
        return found

    def unzip(self, file, allowance):
        """The files in a zip; what is refused is not opened, and nothing is written under a path of its own."""
        told = f"all in it has more than {allowance.most // 10**6} MB, or very many files"
        try:
            with open(file.copy, "rb") as opened:
                if directory_bytes(opened) > MAX_DIRECTORY_BYTES:
                    return [File("(all)", None, file.when, told)]
            with zipfile.ZipFile(file.copy) as archive:
                members = [info for info in archive.infolist() if not info.is_dir()]
                if not allowance.takes(members):
                    return [File("(all)", None, file.when, told)]
                return [self.member(archive, info, file.when) for info in members]
        except (*ZIP_ERRORS, OSError) as error:
            needs_no_place(error)
            return [File("(all)", None, file.when, "it is no zip file, or a damaged one")]

    def member(self, archive, info, otherwise):
        """The File of one member of an open zip."""
        path, problem, copy = path_of(info), refused(info), None
        if kind(path) and not problem:
            try:
                with archive.open(info) as opened:
                    copy = self.keep(iter(lambda: opened.read(2**20), b""))
            except (*ZIP_ERRORS, OSError) as error:
                needs_no_place(error)
                problem = "it is damaged"
        return File(path, copy, packed_at(info, otherwise), problem)

    def keep(self, pieces):
        """Where a file with these bytes lies now: under a number, and not its own path."""
        copy = self.place / str(next(self.numbers))
        with open(copy, "wb") as file:
            for piece in pieces:
                try:
                    file.write(piece)
                    file.flush()
                except OSError as error:
                    raise NoPlace(f"{self.place}: {error.strerror}") from None
        return copy


def needs_no_place(error):
    """Nothing, if an error tells of a damaged zip; an OSError other than of a seek to nowhere tells of this computer.

    Raises
    ------
    NoPlace
        With what the system says.
    """
    if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
        raise NoPlace(str(error)) from None


def directory_bytes(opened):
    """How long the list of the members of a zip is, where zipfile will look for it."""
    end = zipfile._EndRecData(opened)
    return end[zipfile._ECD_SIZE] if end else 0


def in_utc(moment):
    """A date and time in UTC, as nbgrader writes it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def read_mail(path):
    """(name, address, date and time or None, ((file name, bytes), …)) of a mail, as its sender's program wrote it."""
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    name, address = map(tidy, parseaddr(str(message["From"])))
    sent = message["Date"] and message["Date"].datetime
    sent = sent and (sent if sent.tzinfo else sent.replace(tzinfo=UTC)).astimezone(UTC)
    parts = [(str(part.get_filename() or ""), part.get_payload(decode=True)) for part in message.iter_attachments()]
    return name, address, sent, parts


def handed(file, label, layout, match, when, stated):
    """The Handed file that a Layout has recognised, from the download that `label` names."""
    batch, name = label + top(match), match.groupdict().get("name") or ""
    title, late = posixpath.basename(match["file"]), bool(match.groupdict().get("late"))
    return Handed(layout.name, match["student"], name, batch, title, replace(file, when=when), stated, late)


def dated(files, fits):
    """{path: (date, whether it was stated)} of recognised Files: of a hub's timestamp.txt beside it, or of the newest.

    In the folders of other platforms such a file is a student's own, and says nothing.
    """
    stamps = {posixpath.dirname(one.path): stamp(one.copy) for one in files if kind(one.path) == STAMP}
    newest = {}
    for one in files:
        if one.path in fits:
            place = top(fits[one.path][1])
            newest[place] = max(one.when, newest.get(place, one.when))
    found = {
        path: (stamps.get(posixpath.dirname(path)) if layout.name == STAMPED else None, newest[top(match)])
        for path, (layout, match) in fits.items()
    }
    return {path: (stated or packed, stated is not None) for path, (stated, packed) in found.items()}


def top(match):
    """The path of the folder that holds all students' folders or files, as one download has it."""
    return match.string[: match.start(1)]


def from_disk(path, source):
    """The File at a path in the folder `source`, or at `source` itself."""
    name = path.relative_to(source).as_posix() if path != source else path.name
    problem = too_large(name, path.stat().st_size) if kind(name) != ".zip" else ""  # which a platform has packed
    return File(tidy(name), None if problem else path, changed(path), problem)


def changed(path):
    """When a file was last changed."""
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def stamp(path):
    """The date in nbgrader's timestamp.txt, or None."""
    try:
        return parse_utc(path.read_text(encoding="utf-8").strip()).replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError, AttributeError):
        return None


def kind(path):
    """The key of OPENED_BYTES that a file belongs to, also as `.IPYNB` or `.ipynb.txt`; or an empty text."""
    name = posixpath.basename(path).casefold()
    if name == STAMP:
        return STAMP
    return next((one for one in OPENED_BYTES if one.startswith(".") and name.endswith((one, f"{one}.txt"))), "")


def wanted(path):
    """Whether a file may be a student's work, and not what a system or JupyterLab puts beside it."""
    *folders, name = path.split("/")
    return not NEEDLESS & set(folders) and not name.startswith(".") and name != STAMP


def tidy(name):
    """A name from elsewhere: with "/", its letters composed, and nothing that a terminal or a mail would obey."""
    name = unicodedata.normalize("NFC", name.replace("\\", "/"))
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)


def path_of(info):
    """The path of a zip's member, as UTF-8 also if the zip does not say so."""
    path = info.filename
    if not info.flag_bits & 0x800:  # then zipfile has read it as code page 437
        try:
            path = path.encode("cp437").decode("utf-8")
        except UnicodeError:
            path = info.filename
    return tidy(path)


def packed_at(info, otherwise):
    """When a member was put into its zip, by the clock of who packed it."""
    try:
        return datetime(*info.date_time).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return otherwise


def refused(info):
    """Why a member of a zip is not opened, or an empty text."""
    path = path_of(info)
    if ".." in path.split("/") or re.match(r"/|[A-Za-z]:", path) or len(path) > LONGEST_PATH:
        return "its path leads out of the zip file, or is endless"
    if (info.external_attr >> 16) & KIND_OF_FILE == LINK_MODE:
        return "it is a link"
    return "it has a password" if info.flag_bits & 1 else too_large(path, info.file_size)


def too_large(path, size):
    """Why a file of this size is not opened, or an empty text."""
    most = OPENED_BYTES.get(kind(path), size)
    return f"it has more than {most / 10**6:g} MB" if size > most else ""
