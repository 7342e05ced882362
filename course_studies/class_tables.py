"""Tables of a class as a platform exports them: items.csv, and the form with a row for each person.

Lecture: 14, section 8.
"""

import csv
import io
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from course_studies.columns import likeness, listed
from course_studies.wide_columns import like_people

NO_ANSWER = {
    *("", "-", "–", "—", "?", "na", "n/a", "nan", "none", "no answer", "prefer not to say", "i prefer not to say"),
    *("don't know", "i don't know", "not heard", "keine angabe", "k. a.", "k.a.", "weiß nicht", "weiss nicht"),
}
SAME = {"same", "the same", "no difference", "equal", "both", "neither", "gleich", "kein unterschied"}
NAMED = {"name", "names", "mail", "email", "username", "benutzername", "nickname"}  # of columns that say who
MARK = re.compile(r"([-+]?\d+(?:[.,]\d+)?)\s*(?:%|[-–—:=(/][^\d]*)?")  # "62", "62,5", "62 %", "7 – very much"


@dataclass
class Gathered:
    """What P people answered: their names, the places where it stands (a row, a file), marks (n,) of each, choices.

    choices : (person, a, b, answer), −1 for a, +1 for b, 0 for the same
    refused : {place: reason} of what is not used
    """

    names: list = field(default_factory=list)
    places: list = field(default_factory=list)
    marks: list = field(default_factory=list)
    choices: list = field(default_factory=list)
    refused: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Items:
    """What items.csv says: names of the items, their features (a DataFrame with these names, or None), the scale."""

    names: list
    features: Any
    scale: tuple

    def index(self, name):
        """Number of the item of this name, whatever its case and spaces; None if there is none."""
        return {likeness(one): k for k, one in enumerate(self.names)}.get(likeness(name))


def read_table(path):
    """DataFrame of texts of a CSV file, with its separator, its coding and its first line found out."""
    data = path.read_bytes()
    coding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(coding)
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    text = re.sub(r"\Asep=.\r?\n", "", text)  # what some programs write for spreadsheets
    by = {mark: list(csv.reader(io.StringIO(text, newline=""), delimiter=mark)) for mark in ",;\t"}
    mark = max(by, key=lambda one: len(by[one][0]) if by[one] else 0)
    head, *rows = by[mark] or [[]]
    head = [name.strip() for name in head]
    if not any(any(cell.strip() for cell in row) for row in rows):
        raise ValueError(f"{path.name} has no row below its first line, the names of the columns: {listed(head)}.")
    for k, row in enumerate(rows, start=2):
        if len(row) > len(head):
            raise ValueError(
                f"{path.name}, row {k}, has {len(row)} cells, and there are {len(head)} columns: "
                f"is there a {mark!r} in an answer that has no quotation marks round it?"
            )
    cells = [[*(cell.strip() for cell in row), *[""] * (len(head) - len(row))] for row in rows]
    frame = pd.DataFrame(cells, columns=head, index=range(2, len(rows) + 2))  # rows as a spreadsheet counts them
    return frame[(frame != "").any(axis=1)]


def read_items(path):
    """The Items of items.csv: names in the column "item" or the first one; numbers in all others."""
    frame = read_table(path)
    frame = frame.loc[:, (frame.columns != "") | (frame != "").any().to_numpy()]  # spreadsheets leave empty columns
    if frame.columns.duplicated().any():
        raise ValueError(f"{path.name}: two of the columns {listed(frame.columns)} have the same name.")
    where = "item" if "item" in frame.columns else frame.columns[0]
    names = frame[where].tolist()
    refuse_names(names, f"{path.name}: column {where!r} is")
    numbers = frame.drop(columns=where).replace({",": "."}, regex=True)
    for name in numbers:
        wrong = pd.to_numeric(numbers[name], errors="coerce").isna() & ~(
            (name in ("low", "high")) & (numbers[name] == "")
        )
        if wrong.any():
            row = wrong.idxmax()
            raise ValueError(f"{path.name}, row {row}, column {name!r}: {frame[name][row]!r} is no number.")
    numbers = numbers.apply(pd.to_numeric).set_index(pd.Index(names, name="item"))
    low, high = (
        numbers[name].dropna().unique() if name in numbers else [end] for name, end in (("low", 0), ("high", 100))
    )
    if not (len(low) == len(high) == 1 and low[0] < high[0]):
        raise ValueError(
            f"{path.name}: low is {list(low)} and high {list(high)}; one scale, low below high, is needed."
        )
    features = numbers.drop(columns=["low", "high"], errors="ignore").astype(float)
    return Items(names, features if len(features.columns) else None, (float(low[0]), float(high[0])))


def refuse_names(names, what):
    """Raise ValueError, which begins with `what`, unless there are two names or more, each unlike the others."""
    like = [likeness(name) for name in names]
    if "" in like or len(set(like)) < max(len(like), 2):
        raise ValueError(f"{what} {listed(names)}; two or more different names are needed.")


def read_form(path, items):
    """What a form's table holds, Gathered: a row for each person, a column for each item or pair of items."""
    frame, refused = _last_of_each(read_table(path), path.name)
    marked, compared = _columns(frame, items, path.name)
    who = next((j for j, name in enumerate(frame.columns) if j not in {*marked, *compared} and _says_who(name)), None)
    names = [f"row {row}" for row in frame.index] if who is None else frame.iloc[:, who].tolist()
    found, wrong = Gathered(refused=refused), []
    for row, name, cells in zip(frame.index, names, frame.to_numpy(), strict=True):
        marks, k = np.full(len(items.names), np.nan), len(found.names)
        for j, item in marked.items():
            marks[item] = _cell(_mark, cells[j], items, (row, frame.columns[j]), wrong)
        for j, (a, b) in compared.items():
            choice = _cell(_choice, cells[j], [items.names[a], items.names[b]], (row, frame.columns[j]), wrong)
            found.choices += [] if np.isnan(choice) else [(k, a, b, choice)]
        found.names.append(name or f"row {row}")
        found.places.append(f"{path.name}, row {row}")
        found.marks.append(marks)
    if wrong:
        raise ValueError(f"{path.name}, {wrong[0]}" + (f" So are {len(wrong) - 1} more cells." if wrong[1:] else ""))
    return found


def _last_of_each(frame, file):
    """(frame without rows of people who answered again, {row: reason} of these); an e-mail address tells who."""
    mails = frame.apply(lambda cells: cells.where(cells.str.contains(r"^\S+@\S+$"), ""))
    who = mails.max(axis=1).str.casefold()
    again = who.duplicated(keep="last") & (who != "")
    last = {one: row for row, one in who.items()}
    return frame[~again], {
        f"{file}, row {row}": f"answered again in row {last[who[row]]}" for row in frame.index[again]
    }


def _columns(frame, items, file):
    """({column: item} of marks, {column: (a, b)} of choices), columns by their numbers."""
    named = {j: _items_named(name, items) for j, name in enumerate(frame.columns)}
    marked, compared = {}, {j: tuple(found) for j, found in named.items() if len(found) == 2}
    for k, item in enumerate(items.names):
        of = [j for j, found in named.items() if found == [k]]
        of = [j for j in of if _in_brackets(frame.columns[j]) == likeness(item)] or of
        if len(of) != 1:
            what = f"the columns {listed(frame.columns[of])}" if of else "no column"
            raise ValueError(
                f"{file} has {what} for the item {item!r} of items.csv; its columns are {listed(frame.columns)}. "
                "The name of one column has to hold the item's name, as in 'How do you like it? [clip 1]'."
            )
        marked[of[0]] = k
    return marked, compared


def _in_brackets(name):
    """The end of a column's name that is in [brackets], else the whole, as `likeness` writes it."""
    found = re.search(r"\[([^\[\]]+)\]$", name.strip())
    return likeness(found[1] if found else name)


def _items_named(name, items):
    """Numbers of the items that the name of a column holds, in its order; long names of items are found first."""
    rest, found = _in_brackets(name), []
    for k in sorted(range(len(items.names)), key=lambda one: -len(items.names[one])):
        one = re.search(rf"(?<!\w){re.escape(likeness(items.names[k]))}(?!\w)", rest)
        if one:
            found.append((one.start(), k))
            rest = rest[: one.start()] + "\0" * len(one[0]) + rest[one.end() :]
    return [k for _, k in sorted(found)]


def _says_who(name):
    return like_people(name) or bool(set(re.findall(r"[^\W\d_]+", name.casefold())) & NAMED)


def _cell(read, cell, about, place, wrong):
    """What a cell says; NaN if nothing, or if it is no answer: then `wrong` gets a sentence more."""
    if likeness(cell) in NO_ANSWER:
        return np.nan
    answer, needed = read(cell, about)
    if answer is None:
        wrong.append(f"row {place[0]}, column {place[1]!r}, is {cell!r}; {needed}, or an empty cell, is needed.")
        return np.nan
    return answer


def _mark(cell, items):
    """(a mark on the items' scale, or None; what is needed)"""
    low, high = items.scale
    found = MARK.fullmatch(cell)
    mark = float(found[1].replace(",", ".")) if found else np.nan
    return mark if low <= mark <= high else None, f"a mark from {low:g} to {high:g}"


def _choice(cell, pair):
    """(−1 for the first of a pair, +1 for the second, 0 for the same, or None; what is needed)"""
    said = dict(zip(map(likeness, pair), (-1.0, 1.0), strict=True)) | dict.fromkeys(SAME, 0.0)
    return said.get(likeness(cell)), f"{pair[0]!r}, {pair[1]!r} or 'the same'"
