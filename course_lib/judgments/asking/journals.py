"""A journal: what a listener did, a line each, written before anything else happens, so that nothing is ever lost.

The file is JSON Lines (RFC 8259, one object a line): readable, and every line whole in itself.

Lecture: 12, section 6.
"""

import json
import os
from pathlib import Path

from filelock import FileLock, Timeout

from course_lib import validation

VERSION = 1


class JournalError(OSError):
    """What was to be kept could not be: the disk is full, or the file cannot be written. Lecture: 12, section 6."""


class DamagedJournalWarning(UserWarning):
    """The last line was not written whole, as when the power fails; it was left out. Lecture: 12, section 6."""


class Journal:
    """An append-only file of events, which one process at a time has open.

    `append` returns when the event is on the disk. Made by `Journal.create` or `Journal.open`.

    Lecture: 12, section 6.
    """

    def __init__(self, path, lock, header, events):
        self.path, self._lock, self.header, self.events = path, lock, header, events

    @classmethod
    def create(cls, path, header):
        """A new journal, whose first line is this header, a dict.

        Raises
        ------
        ValueError
            If there is such a file already, or another process has it open.
        JournalError
            If it cannot be written.

        Lecture: 12, section 6.
        """
        path = Path(validation.path(path, "session"))
        lock = _locked(path)
        journal = cls(path, lock, {"version": VERSION, **header}, [])
        try:
            if path.exists() and b"\n" in path.read_bytes():
                raise ValueError(
                    f"session is {str(path)!r}, and there is such a file: go on with it by resume(…), or choose "
                    "another name."
                )
            path.write_bytes(b"")  # a first line that was never written whole says nothing
            journal._write(journal.header)
        except BaseException:
            lock.release()
            raise
        return journal

    @classmethod
    def open(cls, path):
        """The journal of a file, to go on with. A last line that is not whole is left out, with a warning.

        Raises
        ------
        ValueError
            If there is no such file, it is none of this kind or version, a line before the last is damaged, or another
            process has it open.

        Lecture: 12, section 6.
        """
        path = Path(validation.path(path, "session"))
        if not path.is_file():
            raise ValueError(f"session is {str(path)!r}, and there is no such file.")
        lock = _locked(path)
        try:
            header, *events = _read(path)
        except BaseException:
            lock.release()
            raise
        return cls(path, lock, header, events)

    def append(self, event):
        """Keep an event, a dict: it is on the disk when this returns.

        Raises
        ------
        JournalError
            If it cannot be written; the file is then as it was before.
        ValueError
            If the journal is closed.

        Lecture: 12, section 6.
        """
        if self._lock is None:
            raise ValueError(f"the session {str(self.path)!r} is closed; go on with it by resume(…).")
        self._write(event)
        self.events.append(event)

    def _write(self, event):
        line = (json.dumps(event, ensure_ascii=False, allow_nan=False) + "\n").encode()
        with self.path.open("ab", buffering=0) as file:
            before = file.tell()
            try:
                while line:
                    line = line[file.write(line) :]
                os.fsync(file.fileno())
            except OSError as error:
                file.truncate(before)
                raise JournalError(
                    error.errno,
                    f"{error.strerror}: this could not be kept. Make room, and answer again",
                    str(self.path),
                ) from None

    def close(self):
        """Let other processes have the file. Lecture: 12, section 6."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def delete(self):
        """Close the journal and delete its file. Lecture: 12, section 6."""
        self.close()
        self.path.unlink(missing_ok=True)
        _lock_path(self.path).unlink(missing_ok=True)


def _lock_path(path):
    return path.with_name(path.name + ".lock")


def _locked(path):
    """A lock that the system takes back when the process ends, however it ends."""
    if not path.parent.is_dir():
        raise ValueError(f"session is {str(path)!r}, but there is no folder {str(path.parent)!r}.")
    lock = FileLock(_lock_path(path), timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise ValueError(
            f"session is {str(path)!r}, which is open elsewhere: close the other window, or choose another file."
        ) from None
    return lock


def _read(path):
    """All events of a file, of which the first is the header; what a crash left of a last line is cut off."""
    content = path.read_bytes()
    lines = content.split(b"\n")
    rest = lines.pop()  # nothing, if the last line was written whole
    events = []
    for number, line in enumerate(lines, start=1):
        event = _parsed(line)
        if event is None and number == len(lines) and not rest:
            rest = line + b"\n"
        elif event is None:
            raise ValueError(f"session is {str(path)!r}, whose line {number} is damaged: {line[:60]!r}.")
        else:
            events.append(event)
    if not events or not isinstance(events[0].get("version"), int) or "space" not in events[0]:
        raise ValueError(f"session is {str(path)!r}, which is no session of a personaliser.")
    if events[0]["version"] > VERSION:
        raise ValueError(
            f"session is {str(path)!r}, of version {events[0]['version']}; this library knows {VERSION}: renew it."
        )
    if rest:
        os.truncate(path, len(content) - len(rest))
        validation.warn(
            f"the last line of {str(path)!r} was not written whole ({len(rest)} bytes); it was left out, and with it "
            "one answer at most.",
            DamagedJournalWarning,
        )
    return events


def _parsed(line):
    """The event of a line, or None if it is none."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None
