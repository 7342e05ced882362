"""Classes that answered: forms and listeners' files of simulated people, as they come."""

import base64
import csv
import io
import json
import zlib
from pathlib import Path

import numpy as np

from course_studies.class_tables import read_items

ITEMS = Path(__file__).parents[2] / "teaching/class_data/items.csv"
MIXES = read_items(ITEMS)
STUDY = "0b1a2c3d"


def marks_of(people, missing=0.0, rng=0):
    """(P, 8) whole marks from 0 to 100 of two tastes for bass, some beyond an end and put on it; NaN where missing."""
    rng = np.random.default_rng(rng)
    taste = np.where(rng.random(people) < 0.7, 3.0, -3.0)
    liked = 55 + np.outer(taste, MIXES.features["bass"]) + 12 * rng.normal(size=(people, 1))
    marks = np.clip(np.rint(liked + rng.uniform(4, 25, (people, 1)) * rng.normal(size=liked.shape)), 0, 100)
    return np.where(rng.random(marks.shape) < missing, np.nan, marks)


def listener(number, row, each=4, **changed):
    """The text of a listener's file."""
    names, rng = MIXES.names, np.random.default_rng(number)
    given = [[names[k], int(row[k])] for k in rng.permutation(len(names)) if not np.isnan(row[k])]
    value = dict(given)
    pairs = [rng.choice(list(value), 2, replace=False).tolist() for _ in range(each if len(value) > 1 else 0)]
    sides = ["same" if value[a] == value[b] else "b" if value[b] > value[a] else "a" for a, b in pairs]
    told = {"format": "course listening test", "version": 1, "study": STUDY, "listener": f"{7919 * number:08x}"}
    told |= {"order": number, "seconds": 180, "marks": given}
    told |= {"choices": [[*pair, side] for pair, side in zip(pairs, sides, strict=True)]} | changed
    return with_check(told)


def with_check(told):
    before = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return f'{before[:-1]},"check":"{zlib.crc32(before.encode()):08x}"}}'


def code(text):
    """A listener's file as a line of letters."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.urlsafe_b64encode(packed.compress(text.encode()) + packed.flush()).decode().rstrip("=")


def write_listeners(folder, marks):
    """A folder of files, a listener each; returns it."""
    folder.mkdir(exist_ok=True)
    (folder / "items.csv").write_bytes(ITEMS.read_bytes())
    for number, one in enumerate(marks, start=1):
        (folder / f"{number}.json").write_text(listener(number, one), encoding="utf-8")
    return folder


def write_form(
    folder,
    marks,
    mark=",",
    decimal=".",
    coding="utf-8",
    empty="",
    head="How do you like it? [{}]",
    before=(),
    first="",
):
    """A folder with a form's export; before : (name, cells) of columns before the marks."""
    folder.mkdir(exist_ok=True)
    (folder / "items.csv").write_bytes(ITEMS.read_bytes())
    text = io.StringIO(newline="")
    text.write(first)
    table = csv.writer(text, delimiter=mark)
    table.writerow([*(name for name, _ in before), *(head.format(name) for name in MIXES.names)])
    for p, row in enumerate(marks):
        cells = [empty if np.isnan(one) else f"{one:g}".replace(".", decimal) for one in row]
        table.writerow([*(cells_before[p] for _, cells_before in before), *cells])
    (folder / "answers.csv").write_bytes(text.getvalue().encode(coding))
    return folder
