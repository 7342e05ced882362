"""Columns of data frames: found by name, read as names or as numbers, with errors that name the column.

Lecture: 14, section 2.
"""

import re
import unicodedata
from dataclasses import replace
from difflib import get_close_matches
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from course_lib import selection, validation

MISSING_CODES = (-999, -99, -9, 99, 999, 9999)  # what many files write where nothing was answered
IMPORT_ID = '{"ImportId"'  # in the second of the two rows that Qualtrics puts below the names
THOUSANDS = r"[-+]?[1-9]\d{0,2},\d{3}"  # "1,000", which is 1000 or 1
MAX_SHOWN = 8  # names that an error lists
SPREADSHEET_DAYS = (29_000, 62_000)  # 1979 to 2069, counted from 1900


class AnswerSequence:
    """A table of m answers; `_each` names its arrays with an element for each of them."""

    def __len__(self):
        return len(getattr(self, self._each[0]))

    @property
    def shape(self):
        """(m,): it is a sequence of answers."""
        return (len(self),)

    @property
    def X(self):
        """(n, D) features; without any the (n, n) identity: items are known by name alone."""
        return np.eye(len(self.items)) if self.features is None else self.features.to_numpy(dtype=float)

    def __getitem__(self, indices: ArrayLike) -> Self:
        """The table with these answers and all items: scikit-learn can split it as an X."""
        if isinstance(indices, tuple) and indices[1:] == (...,):
            indices = indices[0]  # as scikit-learn picks from arrays
        chosen = selection.positions(indices, len(self), self._answers)
        also = None if self.also is None else self.also.iloc[chosen].reset_index(drop=True)
        return replace(self, **{name: getattr(self, name)[chosen] for name in self._each}, also=also)


def data_frame(value, name):
    """The pandas DataFrame itself, with at least one row and with columns of different names."""
    validation.instance(value, pd.DataFrame, name, "a pandas DataFrame, such as pd.read_csv(…) gives,")
    if not len(value):
        raise ValueError(f"{name} has no rows (columns {listed(value.columns)}); at least one answer is needed.")
    twice = value.columns[value.columns.duplicated()]
    if len(twice):
        raise ValueError(f"{name} has two columns named {plain(twice[0])!r}; names of columns must differ.")
    if value.head(2).map(lambda cell: str(cell).startswith(IMPORT_ID)).any(axis=None):
        raise ValueError(
            f"{name} begins with the rows that Qualtrics puts below the names of columns, questions and {IMPORT_ID}…; "
            "leave them out: pd.read_csv(…, skiprows=[1, 2])."
        )
    return value


def listed(names):
    """The first few names, as an error lists them."""
    shown = ", ".join(repr(plain(name)) for name in list(names)[:MAX_SHOWN])
    return shown + (f" … ({len(names)} in all)" if len(names) > MAX_SHOWN else "")


def plain(value):
    """A Python scalar in place of a NumPy one."""
    return value.item() if isinstance(value, np.generic) else value


def likeness(name):
    """A name without case, outer spaces, invisible characters and codings of letters; whole numbers as one text.

    Source: Unicode Standard Annex 15 (NFKC) and section 3.13 (case folding).
    """
    text = unicodedata.normalize("NFKC", str(plain(name)))
    text = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    text = " ".join(unicodedata.normalize("NFKC", text.casefold()).split())
    number = re.fullmatch(r"\+?(-?)0*(\d+)(\.0*)?", text)
    return text if number is None else number[1] + number[2]


def refuse_lookalikes(names, where, cure):
    """Raise ValueError if two different names look alike; cure : a call with a place for {a name: the other}."""
    first, alike = {}, {}
    for name in map(plain, names):
        other = first.setdefault(likeness(name), name)
        if other is not name:
            alike[name] = other
    if alike:
        (name, other), *more = alike.items()
        called = repr if repr(name).isascii() else ascii  # what cannot be seen is written out
        told = "{" + ", ".join(f"{called(a)}: {called(b)}" for a, b in list(alike.items())[:MAX_SHOWN]) + "}"
        raise ValueError(
            f"{where} holds {called(other)} and {called(name)}{f' and {len(more)} more such pairs' if more else ''}, "
            "which differ by no more than case, spaces, invisible characters or the coding of letters and numbers: "
            f"two names, or one? If one: {cure.format(told)}. If two, give one of them another name."
        )


def before_counting(name, names):
    """The name that a column had before pandas.read_csv counted: "dark" of "dark.1", where there is a "dark"."""
    first = re.sub(r"\.\d+$", "", str(name))
    return first if first != str(name) and first in names else name


def nearest(name, names):
    """ " (did you mean …?)" if a name like this one is among the names, else nothing."""
    close = get_close_matches(str(name), [str(other) for other in names], n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def column(frame, name, argument, of="frame"):
    """The column of this name as a Series."""
    try:
        known = name in frame.columns
    except TypeError:
        known = False
    if not known:
        glued = len(frame.columns) == 1 and ";" in str(frame.columns[0])
        how = '. Is it a file with semicolons? Then pandas.read_csv(…, sep=";")' if glued else ""
        raise ValueError(
            f"{argument} is {name!r}, which is no column of {of}; its columns are {listed(frame.columns)}"
            f"{how or nearest(name, frame.columns)}."
        )
    return frame[name]


def joined(frame):
    """Series of the values of several columns as text, joined by " · ", and so is its name."""
    for name in frame.columns:
        names_in(frame[name])  # says which column has a gap
    return frame.astype(str).agg(" · ".join, axis="columns").rename(" · ".join(map(str, frame.columns)))


def item_column(frame, item):
    """(Series of the items' names, DataFrame of the columns that make up an item, or None for one column)."""
    if not isinstance(item, (list, tuple)):
        return column(frame, item, "item"), None
    parts = frame[[column(frame, name, "item").name for name in chosen_names(item, "item")]]
    return (joined(parts), parts) if len(parts.columns) > 1 else (parts.iloc[:, 0], None)


def parts_of(items, series, parts):
    """DataFrame (n, k), the parts of each of the items, or None if they have none."""
    return None if parts is None else parts.set_index(series)[~series.duplicated().to_numpy()].loc[items]


def kept_also(frame, also, used):
    """The columns that are kept with every answer, a DataFrame, or None."""
    if also is None:
        return None
    names = chosen_names(also, "also")
    for name in names:
        if column(frame, name, "also").name in used:
            raise ValueError(f"also names {name!r}, which is kept as it is; other columns are needed.")
    return frame[names].reset_index(drop=True)


def names_in(series, called=None):
    """(unique names, first come first, (m,) code of each row);  called : the column in the code of an error."""
    empty = series.isna().to_numpy()
    if empty.any():
        raise ValueError(
            f"column {series.name!r} is empty in row {_row(series, empty)}; every row needs a name there."
        )
    codes, names = pd.factorize(series)
    of = f"frame[{series.name!r}]" if called is None else called
    refuse_lookalikes(names, f"column {series.name!r}", f"{of} = {of}.replace({{0}})")
    return pd.Index(names, name=series.name), codes


def numbers_in(series, missing=None):
    """(m,) floats, NaN for empty cells and for values that mean "missing"."""
    codes = missing if isinstance(missing, (list, tuple)) else [] if missing is None else [missing]
    if not all(map(np.isscalar, codes)):
        raise ValueError(f"missing is {missing!r}; a value, or a list of them, that stands for no answer is needed.")
    if series.dtype.kind in "mM":
        raise ValueError(f"column {series.name!r} holds dates or times ({series.dtype}); numbers are needed.")
    series = series.mask(series.isin(codes)) if codes else series
    given = series.notna().to_numpy()
    texts = given & np.array([isinstance(value, str) for value in series], dtype=bool)
    if texts.any():
        raise ValueError(_of_text(series, texts))
    try:
        found = pd.to_numeric(series).to_numpy(dtype=float, na_value=np.nan)
    except (TypeError, ValueError):
        raise ValueError(f"column {series.name!r} holds values of dtype {series.dtype}; numbers are needed.") from None
    if np.isinf(found).any():
        raise ValueError(f"column {series.name!r} is infinite in row {_row(series, np.isinf(found))}; leave it empty.")
    if np.isnan(found).all():
        raise ValueError(f"column {series.name!r} holds no number at all; numbers are needed.")
    return found


def _of_text(series, texts):
    """Message of an error about text in a column: the first text, and what to do."""
    words = series[texts]
    says = f"column {series.name!r} holds text: {words.iloc[0]!r} in row {_row(series, texts)}; numbers are needed."
    whole, decimals, thousands = (
        pd.to_numeric(words.str.replace(",", to, regex=False), errors="coerce").notna().all() for to in (",", ".", "")
    )
    if whole:
        return f"{says} They read as numbers: pd.to_numeric(frame[{series.name!r}]) makes them so."
    grouped = words[words.str.contains(",")].str.fullmatch(rf"{THOUSANDS}(,\d{{3}})*(\.\d+)?").all()
    ways = ['decimals: pd.read_csv(…, decimal=",")'] if decimals else []
    ways += ['thousands: pd.read_csv(…, thousands=",")'] if thousands and grouped else []
    if ways:
        return f"{says} The commas look like those of {', or of '.join(ways)}."
    return (
        f"{says} Give each word a number first, frame[{series.name!r}].map({{…}}), or say by missing=… which word "
        "stands for no answer."
    )


def _row(series, wrong):
    """The label of the first row that is wrong."""
    return repr(plain(series.index[int(np.flatnonzero(wrong)[0])]))


def refuse_codes(series, numbers):
    """Raise ValueError if one number looks like a code for "missing" (−1, 99 far above all), or all like dates."""
    known = np.unique(numbers[~np.isnan(numbers)])
    if len(known) < 3:
        return
    whole = (known == np.round(known)).all()
    if whole and SPREADSHEET_DAYS[0] <= known[0] and known[-1] <= SPREADSHEET_DAYS[1]:
        raise ValueError(
            f"column {series.name!r} holds {known[0]:g} … {known[-1]:g}, which look like days as a spreadsheet counts "
            "them. If they are answers, say so by scale=(low, high)."
        )
    apart = whole or known[1] + 1 > 0.5 * np.ptp(known[1:])
    suspect = [-1.0] if apart and known[0] == -1 and known[1] >= 0 else []
    for end, gap, rest in ((known[0], known[1] - known[0], known[1:]), (known[-1], known[-1] - known[-2], known[:-1])):
        if end in MISSING_CODES and gap > 2 * np.ptp(rest):
            suspect.append(end)
    if suspect:
        count = int((numbers == suspect[0]).sum())
        raise ValueError(
            f"column {series.name!r} holds {suspect[0]:g} {count} times, apart from all other values "
            f"({known[known != suspect[0]][0]:g} … {known[known != suspect[0]][-1]:g}): does it stand for a missing "
            f"answer? Then missing={suspect[0]:g}. If it is an answer, say so by scale=(low, high)."
        )


def refuse_off_scale(series, numbers, scale):
    """Raise ValueError if a number lies off the scale (low, high)."""
    low, high = scale
    wrong = (numbers < low) | (numbers > high)
    if wrong.any():
        code = numbers[wrong][0]
        more = f"; so are {wrong.sum() - 1} more" if wrong.sum() > 1 else ""
        hint = f" If {code:g} stands for no answer: missing={code:g}." if (numbers[wrong] == code).all() else ""
        raise ValueError(
            f"column {series.name!r} is {code:g} in row {_row(series, wrong)}, off the scale from "
            f"{low:g} to {high:g}{more}.{hint}"
        )


def chosen_names(names, argument):
    """A list of one or more different column names; a single name may be given by itself."""
    chosen = np.atleast_1d(validation.array(names, argument)).tolist()
    if not chosen or not all(map(np.isscalar, chosen)) or len(set(chosen)) < len(chosen):
        raise ValueError(f"{argument} is {names!r}; names of different columns are needed, at least one.")
    return chosen


def item_features(features, frame, item, codes, names):
    """Inputs of items as a DataFrame with a row for each of `names`, or None if features is None.

    features : None; names of columns of the frame, the same in all rows of an item; or a DataFrame with a row for each
        item, named by its index or by its columns `item`
    """
    if features is None:
        return None
    if isinstance(features, pd.DataFrame):
        return _rows_of(features, item, names)
    chosen = chosen_names(features, "features")
    found = {name: full_numbers(column(frame, name, "features")).to_numpy() for name in chosen}
    table = pd.DataFrame(found, index=names[codes])
    for name in chosen:
        apart = table.groupby(level=0)[name].nunique()
        if (apart > 1).any():
            which = plain(apart.index[(apart > 1).to_numpy()][0])
            raise ValueError(
                f"column {name!r} has {apart.max()} values for one item, {names.name!r} = {which!r}; what describes "
                "an item is the same in all its rows. Does it describe the answer? Then leave it out of features."
            )
    return table[~table.index.duplicated()].loc[names]


def _rows_of(features, item, names):
    """The rows of a DataFrame of items with these names, as numbers."""
    features = data_frame(features, "features")
    parts = [item] if np.isscalar(item) else list(item)
    if parts and set(parts) <= set(features.columns):
        features = features.drop(columns=parts).set_index(
            features[item] if parts == [item] else joined(features[parts])
        )
    twice = features.index[features.index.duplicated()]
    if len(twice):
        raise ValueError(f"features has two rows named {plain(twice[0])!r}; one for each item is needed.")
    unknown = [name for name in names if name not in features.index]
    if unknown:
        numbered = isinstance(features.index, pd.RangeIndex)
        raise ValueError(
            f"column {names.name!r} names {unknown[0]!r}, which is no row of features; its rows are "
            f"{listed(features.index)}{nearest(unknown[0], features.index)}."
            f"{' Set the column with the names as index first: features.set_index(…).' if numbered else ''}"
        )
    found = features.loc[[name for name in features.index if name in set(names)]]
    return found.apply(full_numbers).rename_axis(names.name)


def full_numbers(series):
    """A column of numbers without missing values, as floats."""
    words = [value for value in series if isinstance(value, str)]
    if words:
        raise ValueError(
            f"column {series.name!r} describes items by text, such as {words[0]!r}; make columns of "
            f"numbers of it: pd.get_dummies(…, columns=[{series.name!r}], dtype=float)."
        )
    numbers = numbers_in(series)
    if np.isnan(numbers).any():
        raise ValueError(
            f"column {series.name!r} is empty in row {_row(series, np.isnan(numbers))}; what describes an item must "
            "be known of all."
        )
    return pd.Series(numbers, index=series.index, name=series.name)
