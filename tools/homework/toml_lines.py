"""A TOML file in which every value has a line: what is missing, unknown or of another kind is told with it."""

import difflib
import re
import tomllib
from collections import Counter
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

NO_DEFAULT = object()
LARGEST_NUMBER, MAX_DIGITS = 10**6, 9  # of numbers


class TermError(ValueError):
    """What is wrong in the rules of a term, or in a list; the message has file and line, and says what is needed."""


def _number(one):
    if isinstance(one, bool) or not isinstance(one, int | Decimal) or not Decimal(one).is_finite():
        return False
    return abs(one) <= LARGEST_NUMBER and (isinstance(one, int) or one.as_tuple().exponent >= -MAX_DIGITS)


def _whole(one):
    return _number(one) and isinstance(one, int) and one >= 0


def _texts(one):
    return isinstance(one, list) and all(isinstance(text, str) and text for text in one)


VALUE_KINDS = {
    "a text": lambda one: isinstance(one, str) and bool(one.strip()),
    "a list of texts": _texts,
    "a table": lambda one: isinstance(one, dict),
    "tables": lambda one: isinstance(one, list) and all(isinstance(table, dict) for table in one),
    "day and time, such as 2026-11-30 23:59:00": lambda one: isinstance(one, datetime),
    "a whole number from 0 on": _whole,
    "a whole number from 0 to 6": lambda one: _whole(one) and one <= 6,
    "a number from 0 on": lambda one: _number(one) and one >= 0,
    "a number above 0": lambda one: _number(one) and one > 0,
    "a number from 0 to 100": lambda one: _number(one) and 0 <= one <= 100,
}


class Source:
    """A TOML file. A value is asked for by its path, such as ("homework", "due", "01_dtw") or ("part", 0, "name").

    Numbers with a point are Decimals, so that 0.1 is a tenth.

    Raises
    ------
    TermError
        If it cannot be read, or is no TOML.
    """

    def __init__(self, path):
        self.path = Path(path)
        try:
            text = self.path.read_text(encoding="utf-8-sig")
            self.values = tomllib.loads(text, parse_float=Decimal)
        except (OSError, UnicodeDecodeError) as error:
            raise TermError(f"{path} cannot be read: {error}") from None
        except tomllib.TOMLDecodeError as error:
            said = str(error)
            line = (re.search(r"at line (\d+)", said) or [None, text.count("\n") + 1])[1]
            raise TermError(f"{self.path.name}, line {line}: {said.partition(' (at ')[0]}; TOML is needed") from None
        self.lines = key_lines(text)

    def where(self, *path):
        """The file and the line of a key, or of the table that it would stand in."""
        known = (self.lines[path[:k]] for k in range(len(path), 0, -1) if path[:k] in self.lines)
        return f"{self.path.name}, line {next(known, 1)}"

    def stop(self, path, said):
        """Raises a TermError about a key."""
        raise TermError(f"{self.where(*path)}: {path[-1]} {said}")

    def get(self, *path, kind, default=NO_DEFAULT):
        """The value of a key; the default, if one is given and the key is not there."""
        found = self.values
        for key in path:
            if isinstance(found, dict) and key not in found:
                return default if default is not NO_DEFAULT else self.stop(path, f"is missing; {kind} is needed")
            found = found[key]
        if not VALUE_KINDS[kind](found):
            self.stop(path, f"is {_shown(found)}; {kind} is needed")
        return found

    def moment(self, *path, zone):
        """A date and time in UTC; without an offset of its own it is one of the zone."""
        found = self.get(*path, kind="day and time, such as 2026-11-30 23:59:00")
        return (found if found.tzinfo else found.replace(tzinfo=zone)).astimezone(UTC)

    def count(self, name):
        """How many tables of this name there are."""
        return len(self.get(name, kind="tables", default=[]))

    def only(self, path, known, needed=False):
        """The path of a table whose keys are among those that are known; one that is not needed may not be there."""
        table = self.get(*path, kind="a table", **({} if needed else {"default": {}})) if path else self.values
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1) or [", ".join(known)]
                self.stop((*path, key), f"is not known here; {near[0]} is")
        return path


def key_lines(text):
    """{path: number of its line} of the tables and keys that begin a line."""
    found, table, counts = {}, (), Counter()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*(\[\[?)([^\[\]]+)\]", line):
            table = _names(header[2])
            if header[1] == "[[":
                counts[table] += 1
                table = (*table, counts[table] - 1)
            found.setdefault(table, number)
        elif key := re.match(r"\s*([^=#]+?)\s*=", line):
            names = _names(key[1])
            for k in range(1, len(names) + 1):
                found.setdefault((*table, *names[:k]), number)
    return found


def _names(text):
    """The names in a key, such as a."b.c", as TOML reads them."""
    try:
        found, names = tomllib.loads(f"{text} = 0"), ()
    except tomllib.TOMLDecodeError:
        return ()
    while isinstance(found, dict):
        ((name, found),) = found.items()
        names += (name,)
    return names


def _shown(value):
    """A value in the words of the file."""
    if isinstance(value, dict):
        return 'a table (a name with a point needs quotes, as "1.0")'
    if isinstance(value, list):
        return "a list"
    return repr(value) if isinstance(value, str) else f"{value}".lower() if isinstance(value, bool) else f"{value}"
