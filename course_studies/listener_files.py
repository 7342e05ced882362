"""Files and codes that the page of a listening test gives its listeners, read and checked one by one.

A file is JSON; a code is the same, deflated, in base64url, one a line. `check` is the CRC-32 of all before it.

Lecture: 14, section 8.
"""

import base64
import json
import math
import zlib
from collections import Counter
from itertools import accumulate

import numpy as np

from course_studies.class_tables import Gathered, shown

FORMAT, VERSION = "course listening test", 1
SIDES = {"a": -1.0, "b": 1.0, "same": 0.0}
LONGEST = 1_000_000  # bytes of a file; a listener's has some thousand
WRAPPED = 40  # lines that a mail program may make of one code


class Unreadable(ValueError):
    """This is no listener's file; the message says why."""


def read_listeners(paths, items, folder):
    """What the files and codes of one study hold, Gathered; all others are in its `refused`, by their names."""
    found, told = Gathered(), {}
    for place, text in _texts(paths, folder):
        try:
            told[place] = _checked(text, items)
        except Unreadable as error:
            found.refused[place] = str(error)
    studies = Counter(one["study"] for one in told.values())
    study = max(studies, key=studies.get, default=None)
    for place in [place for place, one in told.items() if one["study"] != study]:
        found.refused[place] = f"of another study, {told.pop(place)['study'][:8]}; the others are of {study[:8]}"
    for place, one in _once(told, found.refused).items():
        found.names.append(one["listener"])
        found.places.append(place)
        found.marks.append(_marks(one, items))
        number = len(found.names) - 1
        found.choices += [(number, items.index(a), items.index(b), SIDES[side]) for a, b, side in one["choices"]]
    return found


def _texts(paths, folder):
    """(place, JSON as bytes or what was there instead) of each file and of each code."""
    for path in paths:
        place, data = path.relative_to(folder).as_posix(), path.read_bytes()
        if path.suffix.lower() == ".json" or b"{" in data[:4] or not data.strip():
            yield place, data[:LONGEST]
        else:
            for k, code in _codes(data.splitlines()):
                yield f"{place}, line {k}", code


def _codes(lines):
    """(number of its line, JSON or nothing) of each code; what a mail program put before it or wrapped is mended."""
    words = [(k, line.split()[-1].rstrip(b"=")) for k, line in enumerate(lines, start=1) if line.strip()]
    while words:
        longer = enumerate(accumulate(word for _, word in words[:WRAPPED]), start=1)
        end, found = next(((end, data) for end, text in longer if (data := _decoded(text))), (1, b""))
        yield words[0][0], found
        words = words[end:]


def _decoded(code):
    """The JSON of a whole code; of what is none, nothing."""
    unpack = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = unpack.decompress(base64.urlsafe_b64decode(code + b"=" * (-len(code) % 4)), LONGEST)
    except (ValueError, zlib.error):
        return b""
    return data if unpack.eof and data[:1] + data[-1:] == b"{}" else b""


def _checked(data, items):
    """The dict of a listener's file; raises Unreadable."""
    try:
        one = json.loads(data)  # in UTF-8 or UTF-16
    except (ValueError, RecursionError):
        raise Unreadable("not a listener's file, or cut off") from None
    if not isinstance(one, dict) or one.get("format") != FORMAT:
        raise Unreadable("not a listener's file")
    if one.get("version") != VERSION:
        version = f"version {one.get('version')}" if one.get("version") in range(100) else "another version"
        raise Unreadable(f"of {version}; this course reads version {VERSION}")
    before = json.dumps({k: v for k, v in one.items() if k != "check"}, ensure_ascii=False, separators=(",", ":"))
    if one.get("check") != f"{zlib.crc32(before.encode(errors='replace')):08x}":
        raise Unreadable("damaged or changed: its check does not fit")
    if unfit := _unfit(one, items):
        raise Unreadable(unfit)
    return one


def _unfit(one, items):
    """What is wrong with answers that have arrived as they were sent; None if nothing is."""
    low, high = items.scale
    try:
        named = [item for item, _ in one["marks"]] + [item for *pair, _ in one["choices"] for item in pair]
        unknown = [item for item in named if items.index(item) is None]
        off = [mark for _, mark in one["marks"] if not (math.isfinite(mark) and low <= mark <= high)]
        sides = all(side in SIDES and len(pair) == 2 and pair[0] != pair[1] for *pair, side in one["choices"])
        plain = all(isinstance(one[name], str) for name in ("study", "listener")) and sides
    except (KeyError, TypeError, ValueError, OverflowError):
        plain, unknown, off = False, [], []
    if not plain:
        return "its answers do not have the form that the page gives them"
    if unknown:
        return f"names an item that items.csv does not: {shown(str(unknown[0]))}"
    return f"has the mark {off[0]:g}, off the scale from {low:g} to {high:g} of items.csv" if off else None


def _once(told, refused):
    """{place: file} with each listener once: the file that has all answers of the others; if none has, no file."""
    places = {}
    for place, one in told.items():
        places.setdefault(one["listener"], []).append(place)
    kept = {}
    for of in places.values():
        answers = {
            place: {str(answer) for name in ("marks", "choices") for answer in told[place][name]} for place in of
        }
        whole = max(of, key=lambda place: len(answers[place]))
        if set().union(*answers.values()) == answers[whole]:
            kept[whole] = told[whole]
            same = {place: answers[place] == answers[whole] for place in of if place != whole}
            refused |= {place: f"{'the same as' if same[place] else 'a part, the whole is'} {whole}" for place in same}
        else:
            others = {place: ", ".join(other for other in of if other != place) for place in of}
            refused |= {place: f"the same listener, with other answers, as in {others[place]}" for place in of}
    return kept


def _marks(one, items):
    """(n,) marks of a listener; NaN where there is none, of repeats the last."""
    marks = np.full(len(items.names), np.nan)
    for item, mark in one["marks"]:
        marks[items.index(item)] = mark
    return marks
