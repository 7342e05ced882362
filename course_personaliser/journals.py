"""A journal: what a listener did, a line each, written before anything else happens, so that nothing is ever lost.

The file is JSON Lines (RFC 8259, one object a line): readable, and every line whole in itself.

Lecture: 12, section 6.
"""

import errno
import json
import os
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from course_lib import validation

try:
    import fcntl
except ImportError:  # Windows, where two writers are told from each other by the size of the file alone
    fcntl = None

VERSION = 1
LONGEST = 19  # digits of a whole number
OURS_ALONE = 0o600  # nobody else on this computer reads what a listener said
TAKEN = "goes on in another window, which took it over: nothing was written. Continue here takes it back"


class JournalError(OSError):
    """What was to be kept could not be: the disk is full, or the file cannot be written."""


class TakenOverError(JournalError):
    """Another window or process goes on with this session; this one wrote nothing."""


class DamagedJournalWarning(UserWarning):
    """The last line was not written whole, as when the power fails; it was left out."""


class Journal:
    """An append-only file of events, which one process at a time has open.

    `append` returns when the event is on the disk, and writes nothing where another has written meanwhile: the lock
    beside the file says that somebody has it open, the file itself who goes on with it. Made by `Journal.create` or
    `Journal.open`; `size` counts its whole lines, `rest` what a crash left of a last one, which the next event
    replaces.
    """

    def __init__(self, path, lock, lines=(), size=0, rest=0):
        self.path, self._lock, self._is_open = path, lock, True
        self.header, self.events = (lines[0] if lines else None), list(lines[1:])
        self._size, self._rest, self._place = size, rest, _place(path.stat())

    @classmethod
    def create(cls, path, header):
        """A new journal, whose first line is this header, a dict.

        Raises ValueError where there is such a file already or another process has it open; JournalError where it
        cannot be written.
        """
        path = _real(path)
        lock = _locked(path)
        try:
            if path.exists() and b"\n" in path.read_bytes():
                raise ValueError(
                    f"session is {str(path)!r}, and there is such a file: go on with it by resume(…), or choose "
                    "another name."
                )
            path.touch(OURS_ALONE)
            path.chmod(OURS_ALONE)
            path.write_bytes(b"")  # a first line that was never written whole says nothing
            journal = cls(path, lock)
            journal.header = {"version": VERSION, **header}
            journal._write(journal.header)
        except BaseException:
            lock.release()
            raise
        return journal

    @classmethod
    def open(cls, path, even_if_open=False):
        """The journal of a file, to go on with. A last line that is not whole is left out, with a warning.

        even_if_open : whether it may be open elsewhere; `take_over` then takes it away from there

        Raises ValueError where the file is none of this kind or version, a line is damaged, or another process has it
        open.
        """
        path = _real(path)
        if not path.is_file():
            raise ValueError(f"session is {str(path)!r}, and there is no such file.")
        lock = _locked(path, even_if_open)
        try:
            return cls(path, lock, *_read(path))
        except BaseException:
            lock.release()
            raise

    def line(self, number):
        """While a line is looked at: what is wrong with it becomes an error that names the file and the line."""
        return _line(self.path, number)

    def append(self, event):
        """Append an event, a dict: it is on the disk when this returns.

        Raises JournalError where it cannot be written, or the file is gone: the file is then as it was.
        TakenOverError, which is one, where another has written: the journal is then closed.
        """
        if not self._is_open:
            raise ValueError(f"the session {str(self.path)!r} is closed; go on with it by resume(…).")
        self._write(event)
        self.events.append(event)

    def take_over(self, event):
        """If it is open elsewhere, write this event, so that whoever has it open there will be told."""
        if not _holds(self._lock):
            self.append(event)

    def _write(self, event):
        line = (json.dumps(event, ensure_ascii=False, allow_nan=False) + "\n").encode()
        _holds(self._lock)  # by now, if the file was taken over from one who had it
        with self._alone() as file:
            if self._rest:
                file.truncate(self._size)
                self._rest = 0
            left = line
            try:
                while left:
                    left = left[file.write(left) :]
                os.fsync(file.fileno())
            except OSError as error:
                file.truncate(self._size)
                raise JournalError(
                    error.errno,
                    f"{error.strerror}: this could not be kept. Make room, and answer again",
                    str(self.path),
                ) from None
        self._size += len(line)

    @contextmanager
    def _alone(self):
        """The file, to append to, while no other process writes; it is as this journal has left it."""
        try:
            found = os.open(self.path, os.O_WRONLY | os.O_APPEND)  # makes no new one
        except OSError as error:
            said = f"{error.strerror}: nothing can be written here any more. What was answered is not lost: to_csv(…)"
            raise JournalError(error.errno, said, str(self.path)) from None
        with open(found, "ab", buffering=0) as file:
            if fcntl is not None:
                with suppress(OSError):  # a file system without locks
                    fcntl.flock(file, fcntl.LOCK_EX)
            self._check_that_nobody_else_wrote(os.fstat(file.fileno()))
            yield file

    def _check_that_nobody_else_wrote(self, found):
        if _place(found) == self._place and found.st_size == self._size + self._rest:
            return
        if _place(found) == self._place and found.st_size > self._size:
            self.close()
            raise TakenOverError(errno.EBUSY, f"this session {TAKEN}", str(self.path))
        raise JournalError(
            errno.ESTALE, "the file was replaced or cut, and is not written any more: to_csv(…)", str(self.path)
        )

    def close(self):
        """Let other processes have the file."""
        self._is_open = False
        self._lock.release()

    def delete(self):
        """Delete the file, and close the journal; TakenOverError where it is another's to delete."""
        if self.path.exists():
            with self._alone():
                self.path.unlink()
        _lock_path(self.path).unlink(missing_ok=True)
        self.close()


def _real(path):
    """The path of the file itself, behind all links: one lock for one file."""
    return Path(validation.path(path, "session")).resolve()


def _place(found):
    return found.st_dev, found.st_ino


def _lock_path(path):
    return path.with_name(path.name + ".lock")


def _locked(path, even_if_open=False):
    """A lock that the system takes back when the process ends, however it ends; held, unless that does not matter."""
    if not path.parent.is_dir():
        raise ValueError(f"session is {str(path)!r}, but there is no folder {str(path.parent)!r}.")
    lock = FileLock(_lock_path(path), timeout=0, mode=OURS_ALONE)
    if not _holds(lock) and not even_if_open:
        raise ValueError(
            f"session is {str(path)!r}, which is open elsewhere: close the other window, or choose another file."
        )
    return lock


def _holds(lock):
    """Whether we have the lock, or get it."""
    if not lock.is_locked:
        with suppress(Timeout):
            lock.acquire()
    return lock.is_locked


def _read(path):
    """(all lines as dicts, the bytes that they take, the bytes of a last line that was not written whole)."""
    *lines, rest = path.read_bytes().split(b"\n")
    if not lines:
        raise ValueError(f"session is {str(path)!r}, which is no session of a personaliser.")
    events = []
    for number, line in enumerate(lines, start=1):
        with _line(path, number):
            events.append(_parsed(line))
    if not {"version", "space"} <= events[0].keys():
        raise ValueError(f"session is {str(path)!r}, which is no session of a personaliser (line 1).")
    with _line(path, 1):
        version = validation.integer(events[0]["version"], "version")
    if version > VERSION:
        raise ValueError(
            f"session is {str(path)!r}, of version {version} (line 1); this library knows {VERSION}: renew it."
        )
    if rest:
        validation.warn(
            f"the last line of {str(path)!r} was not written whole ({len(rest)} bytes); it was left out, and with it "
            "one answer at most.",
            DamagedJournalWarning,
        )
    return events, sum(len(line) + 1 for line in lines), len(rest)


@contextmanager
def _line(path, number):
    try:
        yield
    except ValueError as error:
        raise ValueError(f"session is {str(path)!r}, whose line {number} is damaged: {error}") from None


def _parsed(line):
    """The object of a line."""
    try:
        event = json.loads(line, object_pairs_hook=_once, parse_int=_short, parse_constant=_short)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{line[:60]!r} cannot be read ({error}).") from None
    if not isinstance(event, dict):
        raise ValueError(f"{line[:60]!r} is no JSON object.")
    return event


def _once(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a name twice in {[name for name, _ in pairs]}")
    return found


def _short(digits):
    """The whole number of its digits; nothing that we write has many, or is NaN or infinite."""
    if len(digits) > LONGEST or not digits.lstrip("-").isdigit():
        raise ValueError(f"the number {digits[:LONGEST]}")
    return int(digits)
