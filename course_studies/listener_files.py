"""Files and codes that the page of a listening test gives its listeners, read and checked one by one.

A file is JSON; a code is the same, deflated, in base64url, one a line. `check` is the CRC-32 of all before it.

Lecture: 14, section 8.
"""

import base64
import json
import math
import zlib
from collections import Counter

import numpy as np

from course_studies.class_tables import Gathered

FORMAT, VERSION = "course listening test", 1
SIDES = {"a": -1.0, "b": 1.0, "same": 0.0}
LONGEST = 1_000_000  # bytes of a file; a listener's has some thousand


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
        found.refused[place] = f"of another study, {told.pop(place)['study']}; the others are of {study}"
    for place, one in _once(told, found.refused).items():
        found.names.append(one["listener"])
        found.places.append(place)
        found.marks.append(_marks(one, items))
        number = len(found.names) - 1
        found.choices += [(number, items.index(a), items.index(b), SIDES[side]) for a, b, side in one["choices"]]
    return found


def _texts(paths, folder):
    """(place, JSON as bytes or what was there instead) of each file and of each line that is a code."""
    for path in paths:
        place, data = path.relative_to(folder).as_posix(), path.read_bytes()[:LONGEST]
        if path.suffix.lower() == ".json":
            yield place, data
            continue
        for k, line in enumerate(data.splitlines(), start=1):
            if line.strip():
                yield f"{place}, line {k}", _decoded(line.strip())


def _decoded(code):
    """Bytes of a code; of what is none, nothing."""
    try:
        packed = base64.urlsafe_b64decode(code + b"=" * (-len(code) % 4))
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, LONGEST)
    except (ValueError, zlib.error):
        return b""


def _checked(data, items):
    """The dict of a listener's file; raises Unreadable."""
    try:
        one = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Unreadable("not a listener's file, or cut off") from None
    if not isinstance(one, dict) or one.get("format") != FORMAT:
        raise Unreadable("not a listener's file")
    if one.get("version") != VERSION:
        raise Unreadable(f"of version {one.get('version')!r}; this course reads version {VERSION}")
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
        return f"names the item {unknown[0]!r}, which items.csv does not"
    return f"has the mark {off[0]:g}, off the scale from {low:g} to {high:g} of items.csv" if off else None


def _once(told, refused):
    """{place: file} with each listener once: the first of equal ones; none of those that contradict each other."""
    places = {}
    for place, one in told.items():
        places.setdefault(one["listener"], []).append(place)
    kept = {}
    for first, *more in places.values():
        if any(told[place] != told[first] for place in more):
            for place in (first, *more):
                others = ", ".join(other for other in (first, *more) if other != place)
                refused[place] = f"the same listener, with other answers, as in {others}"
            continue
        kept[first] = told[first]
        refused |= dict.fromkeys(more, f"the same as {first}")
    return kept


def _marks(one, items):
    """(n,) marks of a listener; NaN where there is none, of repeats the last."""
    marks = np.full(len(items.names), np.nan)
    for item, mark in one["marks"]:
        marks[items.index(item)] = mark
    return marks
