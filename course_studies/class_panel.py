"""What a class answered, as data for the models of lectures 07 to 11 and 14; answers of others until there are some.

Lecture: 14, section 8.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from course_lib import datasets, validation
from course_lib.kinds import Folder
from course_studies.balanced import balanced_pairs
from course_studies.class_tables import Gathered, Items, read_form, read_items
from course_studies.listener_files import read_listeners
from course_studies.pairs import PairTable
from course_studies.ratings import RatingTable

STAND_IN = 24  # people
CARROTS = "Nobody of this class has answered yet: these are 24 Danish consumers' marks of carrots"
DERIVED = "choices are derived from the marks, for pairs of items with different marks"
NO_CLASS = "no-class"  # as $COURSE_CLASS: the stand-in, whatever there is
NOT_READ = "not read: a form is a .csv, a listener's file .json or .txt"
WIDE, NARROW, MOST = 50, 0.2, 5 / 6  # on so wide a scale so many marks do not all lie in its lowest fifth


@dataclass(frozen=True, repr=False, eq=False)
class ClassPanel:
    """Marks and choices of n items by the same R people; `load_panel` makes it.

    marks : RatingTable, for `RatingStudy`;  choices : PairTable, for `PairStudy`
    source : a sentence that says whose data these are, a line for each part of it
    refused : {name: reason} of the files, codes, rows and items that are not used
    """

    marks: RatingTable
    choices: PairTable
    source: str
    refused: dict

    def __repr__(self):
        low, high = self.scale
        return (
            f"ClassPanel: {len(self.people)} people, {len(self.items)} items, {len(self.marks)} marks from {low:g} to "
            f"{high:g}, {len(self.choices)} choices.\n{self.source}"
        )

    @property
    def items(self) -> list:
        """Names of the n items."""
        return list(self.marks.items)

    @property
    def people(self) -> list:
        """ "person 1" and so on, in an order that tells nothing; with `load_panel(names=True)` their names."""
        return list(self.marks.raters)

    @property
    def features(self) -> list:
        """Names of the D features; none where items are known by name alone."""
        return [] if self.marks.features is None else list(self.marks.features.columns)

    @property
    def scale(self) -> tuple:
        """(low, high) of the marks."""
        return self.marks.scale

    @property
    def X(self) -> NDArray:
        """(n, D) features, each with mean 0 and standard deviation 1; without features the (n, n) identity."""
        X = self.marks.X
        spread = X.std(axis=0)
        return X if self.marks.features is None else (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)

    @property
    def Y(self) -> NDArray:
        """(n, R) marks, NaN where there is none; there is one in each row and each column."""
        return self.marks.Y.to_numpy()

    @property
    def pairs(self) -> NDArray:
        """(m, 2) ints, the items (a, b) of each choice."""
        return self.choices.pairs

    @property
    def answers(self) -> NDArray:
        """(m,) −1 for a, +1 for b, 0 for "the same": `PreferenceGP(ties=panel.choices.has_ties)`."""
        return self.choices.answer

    @property
    def who(self) -> NDArray:
        """(m,) ints, whose choice it was."""
        return self.choices.person


def load_panel(folder: Folder = None, names: bool = False) -> ClassPanel:
    """What a class answered; until there is something, what others said of carrots.

    The folder has items.csv, a row for each item with its features (and columns `low`, `high`, unless marks go from 0
    to 100), and either one other CSV, as a form exports it, with a row for each person, or the files (*.json) and
    codes (*.txt, one a line) that the page of a listening test gives. A form that does not fit items.csv is a
    ValueError; of cells, rows, files and codes the good ones are used, and `refused` names the others.

    folder : None: $COURSE_CLASS ("no-class" for the stand-in), or data/class in the folder of the course
    names : True: people are called by what the form asked for (a name, an address), listeners by their numbers

    >>> from course_studies import load_panel
    >>> panel = load_panel()
    >>> panel.X.shape, panel.Y.shape, panel.pairs.shape
    ((12, 2), (12, 24), (205, 2))
    """
    names = validation.flag(names, "names")
    place = _class_folder() if folder is None else validation.path(folder, "folder")
    files = [path for path in sorted(place.rglob("*")) if path.name[0] != "." and not path.is_dir()]
    if folder is None and not files:
        return _stand_in()
    about = next((path for path in files if path.name.casefold() == "items.csv" and path.parent == place), None)
    if about is None:
        raise ValueError(f"folder {place} has no items.csv: a row for each item, with its name and its features.")
    files.remove(about)
    forms = [path for path in files if path.suffix.lower() == ".csv" and path.is_file()]
    listeners = [path for path in files if path.suffix.lower() in (".json", ".txt") and path.is_file()]
    if bool(listeners) == bool(forms) or len(forms) > 1:
        there = ", ".join(path.name for path in files[:4]) or "nothing"
        raise ValueError(
            f"folder {place} has, beside items.csv, {there}; one CSV of a form is needed, or files of listeners."
        )
    items = read_items(about)
    found = read_form(forms[0], items) if forms else read_listeners(listeners, items, place)
    found.refused |= {path.relative_to(place).as_posix(): NOT_READ for path in files if path not in forms + listeners}
    return _panel(items, found, names, "This class has answered" + (" a form" if forms else " a listening test"))


def _class_folder():
    """$COURSE_CLASS, or data/class beside the course's data, else beside or above where Python runs."""
    chosen = os.environ.get("COURSE_CLASS")
    if chosen:
        if chosen != NO_CLASS and not Path(chosen).is_dir():
            raise ValueError(f"COURSE_CLASS is {chosen!r}; a folder that exists is needed, or {NO_CLASS!r}.")
        return Path(chosen)
    roots = datasets.data_folder().parent, Path.cwd(), Path.cwd().parent
    return next((root / "data/class" for root in roots if (root / "data/class").is_dir()), roots[0] / "data/class")


def _panel(items, found, names, told):
    """The ClassPanel of what was Gathered, without people and items that have no mark."""
    marks = np.array(found.marks).reshape(-1, len(items.names))
    given, refused = ~np.isnan(marks), dict(found.refused)
    people, rows = np.flatnonzero(given.any(axis=1)), np.flatnonzero(given.any(axis=0))
    if not len(people):
        why = f"; the first of {len(refused)}: {next(iter(refused.values())).split(':')[0]}" if refused else ""
        raise ValueError(f"no mark of {len(marks)} people is left{why}.")
    _refuse_another_scale(marks, items.scale, found.places)
    refused |= {found.places[p]: "gave no mark" for p in np.flatnonzero(~given.any(axis=1))}
    refused |= {f"item {items.names[k]!r}": "nobody marked it" for k in np.flatnonzero(~given.any(axis=0))}
    people = people[np.argsort([_shuffled(found.names[p], marks[p]) for p in people])]
    called = _called(found, people) if names else [f"person {k}" for k in range(1, len(people) + 1)]
    ratings = _ratings(items, rows, called, marks[np.ix_(people, rows)])
    chosen = [(_at(people, p), _at(rows, a), _at(rows, b), side) for p, a, b, side in found.choices]
    choices = _choices(ratings, [one for one in chosen if None not in one])
    told += "" if len(found.choices) else f";\n{DERIVED}"
    told += f";\n{len(refused)} files, rows, cells or items are not used: panel.refused" if refused else ""
    return ClassPanel(ratings, choices, f"{told}.", refused)


def _called(found, people):
    """Names of people; of two with the same one each with the place where it stands."""
    return [
        found.names[p] if found.names.count(found.names[p]) == 1 else f"{found.names[p]} ({found.places[p]})"
        for p in people
    ]


def _shuffled(name, marks):
    """What people are ordered by: neither who they are, nor when they answered."""
    return hashlib.sha256(f"{name}{marks.tolist()}".encode(errors="replace")).hexdigest()


def _at(kept, index):
    """Place of an index among those that are kept, or None."""
    found = np.flatnonzero(kept == index)
    return int(found[0]) if len(found) else None


def _refuse_another_scale(marks, scale, places):
    """Raise ValueError if marks from 1 to 7 were taken for some from 0 to 100, but for typing errors."""
    low, high = scale
    far, given = marks > low + NARROW * (high - low), np.isfinite(marks).sum()
    most = np.nanmax(marks[~far], initial=low)
    if high - low >= WIDE and given > 1 and (given - far.sum()) / given >= MOST and most > low:
        who = next(iter(np.flatnonzero(far.any(axis=1))), None)
        but = "" if who is None else f", but for {marks[who][far[who]][0]:g} in {Path(places[who]).name},"
        raise ValueError(
            f"the largest mark{but} is {most:g}, on a scale from {low:g} to {high:g}. If they went from 1 to "
            f"{most:g}, say so in items.csv: two more columns, low and high."
        )


def _ratings(items, rows, people, marks):
    """RatingTable of marks (R, n) of some of the items."""
    who, of = np.nonzero(~np.isnan(marks))
    names, features = pd.Index([items.names[k] for k in rows], name="item"), items.features
    features = None if features is None else features.iloc[rows]
    return RatingTable(names, pd.Index(people, name="person"), features, of, who, marks[who, of], items.scale, "mark")


def _choices(ratings, chosen):
    """PairTable of choices (person, a, b, answer); if there are none, of those that the marks imply."""
    chosen = np.array(chosen or _read_off(ratings.Y.to_numpy().T), dtype=float).reshape(-1, 4)
    person, a, b = chosen[:, :3].astype(int).T
    named = ratings.items, ratings.raters, ratings.features
    return PairTable(*named, np.column_stack([a, b]), person, chosen[:, 3], "choice", "choice")


def _read_off(marks):
    """(person, a, b, answer) as marks (R, n) imply: a person's items in balanced pairs, each in about two."""
    found = []
    for person, row in enumerate(marks):
        rated = np.flatnonzero(~np.isnan(row))
        pairs = rated[balanced_pairs(len(rated), len(rated), rng=person)] if len(rated) > 1 else []
        found += [(person, a, b, np.sign(row[b] - row[a])) for a, b in pairs if row[a] != row[b]]
    return found


def _stand_in():
    """24 of the consumers who tasted carrots, as if they were a class."""
    carrots = datasets.load_carrots()
    features = pd.DataFrame(carrots.X, index=pd.Index(carrots.products, name="item"), columns=["sens1", "sens2"])
    items, people = Items(list(carrots.products), features, (1.0, 7.0)), list(map(str, carrots.raters[:STAND_IN]))
    return _panel(items, Gathered(people, people, list(carrots.Y.T[:STAND_IN])), False, CARROTS)
