"""Tables of a class as a platform exports them: items.csv, and the form with a row for each person.

Lecture: 14, section 8.
"""

import csv
import io
import itertools
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from course_studies.columns import IMPORT_ID, THOUSANDS, before_counting, likeness, listed
from course_studies.wide_columns import like_people, words

NO_ANSWER = {
    *("", "-", "–", "—", "?", "na", "n/a", "nan", "none", "no answer", "prefer not to say", "i prefer not to say"),
    *("don't know", "i don't know", "not heard", "keine angabe", "k. a.", "k.a.", "weiß nicht", "weiss nicht"),
    "keine antwort",
}
SAME = {"same", "the same", "no difference", "equal", "both", "neither", "gleich", "kein unterschied"}
NAMED = {"name", "names", "mail", "email", "username", "benutzername", "nickname"}  # of columns that say who
LOGIN = {"user", "username", "benutzername", "login"}  # of columns in which nobody has another's name
NO_LOGIN = {"language", "sprache", "agent", "role", "group"}  # of others, such as "UserLanguage"
SUMMARY = {"average", "mean", "median", "total", "sum", "mittelwert", "durchschnitt", "summe", "moyenne"}
ADDRESS = r"^(?:[^<]*<)?([^\s<>]+@[^\s<>]+)>?$"  # "a@x.org", "Ann <a@x.org>"
TIME = r"^(\d+[-/.]\d+[-/.]\d+[T ]?(?:\d+:\d+(?::\d+)?(?: [AaPp][Mm])?)?)"
NUMBER = r"([-+]?\d+(?:[.,]\d+)?)"
MARK = re.compile(rf"'?{NUMBER}(?:\s*%|(?:\s*[-–—:=(/]\s*|\s)[^\W\d]\D*)?")  # "62", "62,5", "62 %", "7 – very much"
LABELLED = re.compile(rf"[^\d()]*\({NUMBER}\)")  # "very much (7)"
TWO_NUMBERS = "two numbers, with thousands or with decimals; write it without the separator"
TYPED = str.maketrans("’‘−", "''-")  # what programs put in place of what was typed
LONGEST_SHOWN, TOO_MANY = 60, 1 / 3  # characters of a cell; of a form's answers: then all are not what was asked


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
    """(DataFrame of texts, {row: reason} of rows that are cut) of a CSV file, whatever its separator and coding."""
    text, lines = _text(path), []
    try:
        mark = max(",;\t", key=lambda one: _width(text, one))
        lines.extend(csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True))
    except csv.Error as error:
        raise ValueError(
            f"{path.name}, row {len(lines) + 1}: a quotation mark stays open, or a cell has no end ({error}). Is the "
            "file cut off? Then export it again."
        ) from None
    head, *rows = lines or [[]]
    while head and not head[-1].strip() and not any(any(row[len(head) - 1 :]) for row in rows):
        head.pop()  # a separator at the end of each line
    cells, cut = {}, {}
    for k, row in enumerate(rows, start=2):  # rows as a spreadsheet counts them
        if any(row[len(head) :]):
            raise ValueError(
                f"{path.name}, row {k}, has {len(row)} cells, and there are {len(head)} columns: "
                f"is there a {mark!r} in an answer that has no quotation marks round it?"
            )
        if 0 < len(row) < len(head):
            cut[k] = f"cut off, it has {len(row)} cells and the first line {len(head)}"
        elif any(cell.strip() for cell in row):
            cells[k] = [cell.strip() for cell in row[: len(head)]]
    if not cells:
        raise ValueError(f"{path.name} has no row below its first line that is as long as it, the names of columns.")
    return pd.DataFrame.from_dict(cells, orient="index", columns=[name.strip() for name in head], dtype=str), cut


def _text(path):
    """What a text file holds, without the line that some programs write for spreadsheets."""
    data = path.read_bytes()
    first, second = data[::2].count(0), data[1::2].count(0)  # zeros: half of most letters in UTF-16
    coding = "utf-16-be" if first > second else "utf-16-le" if second else "utf-8-sig"
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else coding)
    except UnicodeDecodeError as error:
        if error.end == len(data):
            raise ValueError(
                f"{path.name} ends inside a letter: is it cut off? Export it again, as CSV (UTF-8)."
            ) from None
        text = data.decode("cp1252", errors="replace")
    if "\0" in text:
        raise ValueError(f"{path.name} is no text in UTF-8 or UTF-16. Export it as CSV (UTF-8).")
    return re.sub(r'\A"?sep=."?\r?\n', "", text)


def _width(text, mark):
    """How many columns a separator makes, in the first line and in most others."""
    start = io.StringIO(text[: csv.field_size_limit()], newline="")  # in which no cell is too long
    widths = [len(row) for row in csv.reader(start, delimiter=mark) if row]
    return min(widths[0], np.median(widths[1:] or widths)) if widths else 0


def shown(cell):
    """The beginning of a cell, as a reason shows it."""
    return repr(cell if len(cell) <= LONGEST_SHOWN else cell[: LONGEST_SHOWN - 1] + "…")


def read_items(path):
    """The Items of items.csv: names in the column "item" or the first one; numbers in all others."""
    frame, cut = read_table(path)
    for row, reason in cut.items():
        raise ValueError(f"{path.name}, row {row}, is {reason}.")
    frame.columns = [name.lower() if name.lower() in ("item", "low", "high") else name for name in frame]
    frame = frame.loc[:, (frame.columns != "") | (frame != "").any().to_numpy()]  # spreadsheets leave empty columns
    if frame.columns.duplicated().any():
        raise ValueError(f"{path.name}: two of the columns {listed(frame.columns)} have the same name.")
    where = "item" if "item" in frame.columns else frame.columns[0]
    names = frame[where].tolist()
    refuse_names(names, f"{path.name}: column {where!r} is")
    numbers = frame.drop(columns=where).replace({f"^{THOUSANDS}$": "1000 or 1", ",": "."}, regex=True)
    for name, cells in numbers.items():
        given = cells[(cells != "") | (name not in ("low", "high"))]
        for row in given.index[~np.isfinite(pd.to_numeric(given, errors="coerce"))]:
            what = TWO_NUMBERS if re.fullmatch(THOUSANDS, frame[name][row]) else "no number"
            raise ValueError(f"{path.name}, row {row}, column {name!r}: {shown(frame[name][row])} is {what}.")
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
    frame, refused = read_table(path)
    frame = _without_questions(frame, items)
    marked, compared = _columns(frame, items, path.name)
    answers = frame.iloc[:, [*marked, *compared]]
    others = frame.iloc[:, [j for j in range(frame.shape[1]) if j not in {*marked, *compared}]]
    refused |= _no_person(answers, others)
    who = next((j for j, name in enumerate(others) if like_people(name) or words(name) & NAMED), None)
    names = pd.Series("", frame.index) if who is None else others.iloc[:, who]
    found, wrong, given = Gathered(refused={f"{path.name}, row {row}": why for row, why in refused.items()}), {}, 0
    for row, cells in zip(frame.index, frame.to_numpy(), strict=True):
        if row in refused:
            continue
        marks, k = np.full(len(items.names), np.nan), len(found.names)
        for j, item in marked.items():
            marks[item] = _cell(_mark(cells[j], items), cells[j], (row, j), wrong)
        for j, (a, b) in compared.items():
            choice = _cell(_choice(cells[j], [items.names[a], items.names[b]]), cells[j], (row, j), wrong)
            found.choices += [] if np.isnan(choice) else [(k, a, b, choice)]
        given += sum(like(cells[j]) not in NO_ANSWER for j in (*marked, *compared))
        found.names.append(names[row] or f"row {row}")
        found.places.append(f"{path.name}, row {row}")
        found.marks.append(marks)
    places = [f"{path.name}, row {row}, column {shown(frame.columns[j])}" for row, j in wrong]
    if len(wrong) > TOO_MANY * given:
        needed = next(iter(wrong.values())).split(":")[0]
        raise ValueError(f"{len(wrong)} of {given} answers cannot be read; the first, {places[0]}, is {needed}.")
    found.refused |= dict(zip(places, wrong.values(), strict=True))
    return found


def _without_questions(frame, items):
    """The frame without the rows of Qualtrics below the names; its questions are the names if these are no items'."""
    ids = [k for k, cells in enumerate(frame.head(2).to_numpy()) if any(cell.startswith(IMPORT_ID) for cell in cells)]
    if ids == [1] and not {*map(like, items.names)} <= {*map(like, frame.columns)}:
        frame.columns = frame.iloc[0].rename(None)
    return frame.iloc[ids[0] + 1 :] if ids else frame


def _no_person(answers, others):
    """{row: reason} of rows of averages, and of people who answered once more, by the columns that are no answers."""
    first = [next((like(cell) for cell in cells if cell), "") for cells in others.to_numpy()]
    refused = {row: "a summary, no person" for row, cell in zip(others.index, first, strict=True) if cell in SUMMARY}
    answered = others.index[~answers.map(like).isin(NO_ANSWER).all(axis=1)].difference(list(refused), sort=False)
    who, rows = _logins(others), answered[::-1] if _newest_first(others) else answered
    last = {who[row]: row for row in rows}
    again = [row for row in rows if who[row] and last[who[row]] != row]
    return refused | {row: f"answered again in row {last[who[row]]}" for row in again}


def _logins(others):
    """Series of who answered, "" if unknown: the first column of addresses or logins that tells most apart."""
    for j, name in enumerate(others.columns):
        cells = others.iloc[:, j]
        mails = cells.str.extract(ADDRESS)[0].fillna("")
        login = words(name) & LOGIN and not words(name) & NO_LOGIN
        who = (cells if login and not mails.any() else mails).str.casefold()
        if 0 < (who != "").sum() <= 2 * who[who != ""].nunique():  # not the form's owner, who is the same in all rows
            return who
    return pd.Series("", others.index)


def _newest_first(others):
    """Whether the times in some column go down from each row to the next."""
    for day_first, j in itertools.product((False, True), range(others.shape[1])):
        said = others.iloc[:, j].str.extract(TIME)[0]
        times = pd.to_datetime(said, format="mixed", dayfirst=day_first, errors="coerce")
        if times.notna().all() and times.is_monotonic_decreasing and times.nunique() > 1:
            return True
    return False


def _columns(frame, items, file):
    """({column: item} of marks, {column: (a, b)} of choices), columns by their numbers."""
    names = [
        before_counting(name, frame.columns) if items.index(_in_brackets(name)) is None else name
        for name in frame.columns
    ]
    named = {j: _items_named(name, items) for j, name in enumerate(names)}
    exact = {j: like(_in_brackets(name)) for j, name in enumerate(names)}
    exactly = not {*map(like, items.names)}.isdisjoint(exact.values())  # then other columns only speak of items
    marked, compared = {}, {j: tuple(found) for j, found in named.items() if len(found) == 2}
    for k, item in enumerate(items.names):
        of = [j for j, found in named.items() if (exact[j] == like(item) if exactly else found == [k])]
        if len(of) != 1:
            what = f"the columns {', '.join(map(shown, frame.columns[of]))}" if of else "no column"
            raise ValueError(
                f"{file} has {what} for the item {item!r} of items.csv, among {frame.shape[1]} columns. In its first "
                "line one column has to hold the item's name, as in 'How do you like it? [clip 1]'."
            )
        marked[of[0]] = k
    asked = [names[j] for j in compared]
    if twice := [name for name in asked if asked.count(name) > 1]:
        raise ValueError(f"{file} has {asked.count(twice[0])} columns {shown(twice[0])}; leave out all but one.")
    return marked, compared


def _in_brackets(name):
    """The end of a column's name that is in [brackets], else the whole."""
    found = re.search(r"\[([^\[\]]+)\]$", name)
    return found[1] if found else name


def _items_named(name, items):
    """Numbers of the items that the name of a column holds, in its order; long names of items are found first."""
    rest, found = like(_in_brackets(name)), []
    for k in sorted(range(len(items.names)), key=lambda one: -len(items.names[one])):
        one = re.search(rf"(?<![^\W_]){re.escape(like(items.names[k]))}(?![^\W_])", rest)
        if one:
            found.append((one.start(), k))
            rest = rest[: one.start()] + "\0" * len(one[0]) + rest[one.end() :]
    return [k for _, k in sorted(found)]


def like(text):
    """The likeness of what was typed: straight quotation marks, no separator of several answers at the end."""
    return likeness(text.translate(TYPED).rstrip("; "))


def _cell(said, cell, place, wrong):
    """The answer that a cell says; of what is none NaN, and the reason to `wrong`."""
    answer, needed = said
    if answer is None:
        wrong[place] = f"{needed}: {shown(cell)}"
        return np.nan
    return answer


def _mark(cell, items):
    """(a mark on the items' scale, NaN for none, or None; what a wrong one is)"""
    low, high = items.scale
    found = MARK.fullmatch(like(cell)) or LABELLED.fullmatch(like(cell))
    mark = float(found[1].replace(",", ".")) if found else np.nan
    typed = re.search(NUMBER, cell)[1] if found else ""
    if re.fullmatch(THOUSANDS, typed.replace(".", ",")) and (
        low <= 1000 * mark <= high or ("," in typed and mark.is_integer())
    ):
        return None, TWO_NUMBERS
    none = np.nan if like(cell) in NO_ANSWER else None
    return mark if low <= mark <= high else none, f"no mark from {low:g} to {high:g}"


def _choice(cell, pair):
    """(−1 for the first of a pair, +1 for the second, 0 for the same, NaN for none, or None; what a wrong one is)"""
    said = dict.fromkeys(NO_ANSWER, np.nan) | dict.fromkeys(SAME, 0.0)
    said |= dict(zip(map(like, pair), (-1.0, 1.0), strict=True))  # "both" may be a sound
    return said.get(like(cell)), f"neither {pair[0]!r} nor {pair[1]!r} nor 'the same'"
