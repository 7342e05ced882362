"""A journal: every event of a session, one per line, written to disk before it takes effect, so that nothing is lost.

The file is in JSON Lines format (RFC 8259, one object per line), so that each line can be read on its own.

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
except ImportError:  # on Windows a second writer is detected only by the size of the file
    fcntl = None

FORMAT_VERSION = 1
MAX_INTEGER_DIGITS = 19
OWNER_ONLY = 0o600  # nobody else on this computer can read a listener's answers
TAKEN_OVER = (
    "This session is now open in another window, so nothing was saved here. Press 'Continue here' to take it back"
)


class JournalError(OSError):
    """An event could not be saved: the disk is full, or the file cannot be written."""


class TakenOverError(JournalError):
    """Another window or process continues this session; this one wrote nothing."""


class DamagedJournalWarning(UserWarning):
    """The last line is incomplete, for example after a power failure; it was left out."""


class Journal:
    """An append-only file of events, open in one process at a time.

    `append` returns when the event is on disk, and writes nothing if another process has written in the meantime: the
    lock beside the file says whether it is open, the contents of the file say which process continues it. Use
    `Journal.create` or `Journal.open`; `size` counts the bytes of complete lines, `rest` those of an incomplete last
    line after a crash, which the next event replaces.
    """

    def __init__(self, path, lock, lines=(), size=0, rest=0):
        self.path, self._lock, self._is_open = path, lock, True
        self.header, self.events = (lines[0] if lines else None), list(lines[1:])
        self._size, self._rest, self._place = size, rest, _place(path.stat())

    @classmethod
    def create(cls, path, header):
        """A new journal with this header, a dict, as its first line.

        Raises ValueError if the file already exists or is open in another process, JournalError if it cannot be
        written.
        """
        path = _real(path)
        lock = _locked(path)
        try:
            if path.exists() and b"\n" in path.read_bytes():
                raise ValueError(
                    f"session is {str(path)!r}, but this file already exists: continue it with resume(…), or choose "
                    "another name."
                )
            path.touch(OWNER_ONLY)
            path.chmod(OWNER_ONLY)
            path.write_bytes(b"")  # an incomplete first line contains no session
            journal = cls(path, lock)
            journal.header = {"version": FORMAT_VERSION, **header}
            journal._write(journal.header)
        except BaseException:
            lock.release()
            raise
        return journal

    @classmethod
    def open(cls, path, even_if_open=False):
        """Open an existing journal to continue it. An incomplete last line is left out, with a warning.

        even_if_open : whether it may be open elsewhere; `take_over` then takes it over

        Raises ValueError if the file is not a journal of this version, a line is damaged, or another process has it
        open.
        """
        path = _real(path)
        if not path.is_file():
            raise ValueError(f"session is {str(path)!r}, but there is no such file.")
        lock = _locked(path, even_if_open)
        try:
            return cls(path, lock, *_read(path))
        except BaseException:
            lock.release()
            raise

    def line(self, number):
        """Context in which a ValueError is reported with the name of the file and the number of the line."""
        return _line(self.path, number)

    def append(self, event):
        """Append an event, a dict: it is on disk when this returns.

        Raises JournalError if it cannot be written, or the file is gone: the file is then unchanged. Raises its
        subclass TakenOverError if another process has written: the journal is then closed.
        """
        if not self._is_open:
            raise ValueError(f"the session {str(self.path)!r} is closed; continue it with resume(…).")
        self._write(event)
        self.events.append(event)

    def take_over(self, event):
        """If the journal is open elsewhere, write this event, so that the other process notices."""
        if not _holds(self._lock):
            self.append(event)

    def _write(self, event):
        line = (json.dumps(event, ensure_ascii=False, allow_nan=False) + "\n").encode()
        _holds(self._lock)  # after a takeover the other process may have released it by now
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
                    f"{error.strerror}: this answer could not be saved. Free some disk space, and answer again",
                    str(self.path),
                ) from None
        self._size += len(line)

    @contextmanager
    def _alone(self):
        """The file, opened for appending and locked, if it is as this journal left it."""
        try:
            found = os.open(self.path, os.O_WRONLY | os.O_APPEND)  # does not create a file
        except OSError as error:
            said = f"{error.strerror}: nothing can be written here any more. Save the answers so far with to_csv(…)"
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
            raise TakenOverError(errno.EBUSY, TAKEN_OVER, str(self.path))
        raise JournalError(
            errno.ESTALE,
            "the file was replaced or truncated, and is not written any more. Save the answers with to_csv(…)",
            str(self.path),
        )

    def close(self):
        """Release the file, so that other processes can open it."""
        self._is_open = False
        self._lock.release()

    def delete(self):
        """Delete the file, and close the journal; TakenOverError if another process has taken it over."""
        if self.path.exists():
            with self._alone():
                self.path.unlink()
        _lock_path(self.path).unlink(missing_ok=True)
        self.close()


def _real(path):
    """The path with all links resolved, so that a file has one lock."""
    return Path(validation.path(path, "session")).resolve()


def _place(found):
    return found.st_dev, found.st_ino


def _lock_path(path):
    return path.with_name(path.name + ".lock")


def _locked(path, even_if_open=False):
    """The lock of the file, acquired unless `even_if_open`; the system releases it when the process ends."""
    if not path.parent.is_dir():
        raise ValueError(f"session is {str(path)!r}, but there is no folder {str(path.parent)!r}.")
    lock = FileLock(_lock_path(path), timeout=0, mode=OWNER_ONLY)
    if not _holds(lock) and not even_if_open:
        raise ValueError(
            f"session is {str(path)!r}, which is open elsewhere: close the other window, or choose another file."
        )
    return lock


def _holds(lock):
    """Whether this process has the lock, or can acquire it."""
    if not lock.is_locked:
        with suppress(Timeout):
            lock.acquire()
    return lock.is_locked


def _read(path):
    """(all lines as dicts, their size in bytes, size of an incomplete last line in bytes)."""
    *lines, rest = path.read_bytes().split(b"\n")
    if not lines:
        raise ValueError(f"session is {str(path)!r}, which is not a session of a personaliser.")
    events = []
    for number, line in enumerate(lines, start=1):
        with _line(path, number):
            events.append(_parsed(line))
    if not {"version", "space"} <= events[0].keys():
        raise ValueError(f"session is {str(path)!r}, which is not a session of a personaliser (line 1).")
    with _line(path, 1):
        version = validation.integer(events[0]["version"], "version")
    if version > FORMAT_VERSION:
        raise ValueError(
            f"session is {str(path)!r}, of version {version} (line 1); this library knows only {FORMAT_VERSION}: "
            "update the library."
        )
    if rest:
        validation.warn(
            f"the last line of {str(path)!r} was not written whole ({len(rest)} bytes); it was left out, and with "
            "it at most one answer.",
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
        raise ValueError(f"{line[:60]!r} is not a JSON object.")
    return event


def _once(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a name occurs twice in {[name for name, _ in pairs]}")
    return found


def _short(digits):
    """The integer with these digits; journals contain no long numbers, NaN or infinity."""
    if len(digits) > MAX_INTEGER_DIGITS or not digits.lstrip("-").isdigit():
        raise ValueError(f"the number {digits[:MAX_INTEGER_DIGITS]}")
    return int(digits)
