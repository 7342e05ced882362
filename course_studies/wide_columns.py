"""Wide tables: detection of columns that are not ratings, of rows that are people, and of long tables.

Lecture: 14, section 2.
"""

import re
import warnings
from itertools import combinations

import pandas as pd

from course_studies.columns import MAX_SHOWN, before_counting, column, listed

NO_RATINGS = {
    *("age", "alter", "birth", "gender", "geschlecht", "sex", "country", "language", "sprache", "education"),
    *("timestamp", "zeitstempel", "datestamp", "date", "datum", "time", "zeit", "startdate", "submitdate", "duration"),
    *("id", "nr", "index", "token", "seed", "status", "progress", "finished", "lastpage", "ip", "ipaddr", "refurl"),
    *("name", "email", "mail", "comment", "comments", "remarks", "latitude", "longitude", "startlanguage"),
    *("group", "condition", "session", "trial", "order", "mean", "average", "median", "std", "sum", "total"),
}
PEOPLE_WORDS = {
    *("participant", "participants", "person", "people", "subject", "subjects", "respondent", "proband", "teilnehmer"),
    *("rater", "raters", "listener", "listeners", "judge", "assessor", "annotator", "worker", "evaluator", "juror"),
    *("vp", "vpn", "user"),
}
FILLER_WORDS = {
    *("what", "is", "are", "you", "your", "how", "old", "the", "of", "in", "years", "year", "seconds", "minutes"),
    *("first", "last", "page", "start", "started", "end", "submitted", "recorded", "response", "antwort", "address"),
    *("code", "number", "no", "user", "location", "recipient", *PEOPLE_WORDS),
}
MAX_RANGES_APART = 2.0  # ranges of all other columns, by which a column lies beyond them that cannot be on their scale
FILLED_SHARE = 0.6  # of all pairs of two columns' numbers: from there on a table with each pair once is a long one
LEAST_LONG_ROWS, MOST_LONG_COLUMNS = 25, 8  # of such a table


def like_people(name):
    """Whether a column's name is one of people, such as "participant" or "Rater ID"."""
    said = words(name)
    return bool(said & PEOPLE_WORDS) and said <= PEOPLE_WORDS | FILLER_WORDS | {"id", "nr", "name"}


def no_ratings(frame, names, scale=None):
    """{name: reason} of columns that do not look like ratings: by name, as dates, or by their numbers."""
    found = {name: "by its name" for name in names if _named_otherwise(name)}
    found |= {name: "dates or times" for name in names if name not in found and _dates(frame[name])}
    rest = [name for name in names if name not in found]
    if scale is not None or len(rest) < 3:  # what lies off the scale is refused for that
        return found
    numbers = frame[rest].apply(pd.to_numeric, errors="coerce")
    low, high = numbers.min(), numbers.max()
    for name in rest:
        least, greatest = low.drop(name).min(), high.drop(name).max()
        if max(least - high[name], low[name] - greatest) > MAX_RANGES_APART * (greatest - least) > 0:
            found[name] = f"{low[name]:g} … {high[name]:g} beside {least:g} … {greatest:g}"
    return found


def words(name):
    """The words of a name, also of one like "StartDate", and its numbers."""
    return set(re.findall(r"[^\W\d_]+|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(name)).casefold()))


def _named_otherwise(name):
    said = words(name)
    return bool(said & NO_RATINGS and said <= NO_RATINGS | FILLER_WORDS) or bool(re.match(r"Unnamed: \d", str(name)))


def _dates(series):
    """Whether a column holds dates or times, also as text that is not a number."""
    if series.dtype.kind in "mM":
        return True
    words = pd.Series([value.replace(",", ".") for value in series if isinstance(value, str)], dtype=object)
    if not len(words) or pd.to_numeric(words, errors="coerce").notna().any():
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of formats that differ
        return bool(pd.to_datetime(words, errors="coerce", format="mixed").notna().all())


def refuse_long(frame):
    """Raise ValueError if the frame seems to hold a row for each answer.

    That is so if two columns, whose values repeat, name each row once and together fill many of all pairs. Where both
    hold numbers, they may do so by chance: then there must be many rows, few columns, and few gaps.
    """
    counts = frame.nunique().to_dict()
    numeric = dict.fromkeys(name for name in frame.columns if frame[name].dtype.kind in "iuf")  # found at once
    for one, other in combinations([name for name in frame.columns if 2 <= counts[name] < len(frame)], 2):
        numbers = one in numeric and other in numeric
        enough = not numbers or (len(frame) >= LEAST_LONG_ROWS and len(frame.columns) <= MOST_LONG_COLUMNS)
        filled = len(frame) >= (FILLED_SHARE if numbers else 0.1) * counts[one] * counts[other]
        rest = [name for name in numeric if name not in (one, other)] if enough and filled else []
        if rest and not frame.duplicated([one, other]).any():
            item, rater = (one, other) if counts[one] >= counts[other] else (other, one)
            raise ValueError(
                f"frame seems to be a long table, a row for each answer: column {item!r} has {counts[item]} values "
                f"and column {rater!r} {counts[rater]}, and each pair of them occurs once. A wide one has a row for "
                f"each item. This reads it: from_long(frame, item={item!r}, rater={rater!r}, rating={rest[-1]!r}). If "
                "each row is an item of its own, name the columns by raters=[…] and item=…, and leave the others out."
            )


def refuse_people(name, where):
    """Raise ValueError if rows of items are named as people are."""
    if like_people(name):
        raise ValueError(
            f"{where} is named {name!r}, which sounds like people, and a row for each item is needed. If a row is a "
            f"person: from_wide(frame{'.reset_index()' if where != 'item' else ''}, rater={name!r}). If people were "
            "rated, give it another name."
        )


def rating_columns(frame, names, argument, others, scale):
    """Names of the columns of ratings; None: all but others, if they look like ratings."""
    for name in names or ():
        column(frame, name, argument)
    if names is not None:
        return names
    chosen = [name for name in frame.columns if name not in others]
    if not chosen:
        raise ValueError(f"{argument} is None: no column of frame is left for them ({listed(frame.columns)}).")
    wrong = no_ratings(frame, chosen, scale)
    if wrong:
        told = ", ".join(f"{name!r} ({why})" for name, why in list(wrong.items())[:MAX_SHOWN])
        left = listed([name for name in chosen if name not in wrong])
        people = "" if argument == "items" else " If each row is a person: from_wide(frame, rater=…)."
        raise ValueError(
            f"frame has columns that seem to hold no ratings: {told}. Name those that do: {argument}=[{left}].{people}"
        )
    for name in chosen:
        first = before_counting(name, chosen)
        if first != name:
            raise ValueError(
                f"frame has columns {first!r} and {name!r}, which pandas.read_csv makes of two columns {first!r}. "
                f"Leave out one, or say by {argument}=[…] which columns hold ratings."
            )
    return chosen
