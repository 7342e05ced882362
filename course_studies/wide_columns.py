"""Columns of a wide table that are no ratings, and rows that are people: seen from names and numbers.

Lecture: 14, section 2.
"""

import re
import warnings

import pandas as pd

NO_RATINGS = {
    *("age", "alter", "birth", "gender", "geschlecht", "sex", "country", "language", "sprache", "education"),
    *("timestamp", "zeitstempel", "datestamp", "date", "datum", "time", "zeit", "startdate", "submitdate", "duration"),
    *("id", "nr", "index", "token", "seed", "status", "progress", "finished", "lastpage", "ip", "ipaddr", "refurl"),
    *("name", "email", "mail", "comment", "comments", "remarks", "latitude", "longitude", "startlanguage"),
    *("group", "condition", "session", "trial", "order", "mean", "average", "median", "std", "sum", "total"),
}
PEOPLE = {
    *("participant", "participants", "person", "people", "subject", "subjects", "respondent", "proband", "teilnehmer"),
    *("rater", "raters", "listener", "listeners", "judge", "assessor", "annotator", "worker", "evaluator", "juror"),
    *("vp", "vpn", "user"),
}
FILLERS = {
    *("what", "is", "are", "you", "your", "how", "old", "the", "of", "in", "years", "year", "seconds", "minutes"),
    *("first", "last", "page", "start", "started", "end", "submitted", "recorded", "response", "antwort", "address"),
    *("code", "number", "no", "user", "location", "recipient", *PEOPLE),
}
APART = 2.0  # ranges of all other columns, by which a column lies beyond them that cannot be on their scale


def like_people(name):
    """Whether a column's name says that a person stands in each row, such as "participant" or "Rater ID"."""
    words = _words(name)
    return bool(words & PEOPLE) and words <= PEOPLE | FILLERS | {"id", "nr", "name"}


def no_ratings(frame, names, scale=None):
    """{name: why} of those columns that seem to be no ratings, by their names, as dates, or by their numbers."""
    found = {name: "by its name" for name in names if _named_otherwise(name)}
    found |= {name: "dates or times" for name in names if name not in found and _dates(frame[name])}
    rest = [name for name in names if name not in found]
    if scale is not None or len(rest) < 3:  # what lies off the scale is refused for that
        return found
    numbers = frame[rest].apply(pd.to_numeric, errors="coerce")
    low, high = numbers.min(), numbers.max()
    for name in rest:
        least, greatest = low.drop(name).min(), high.drop(name).max()
        if max(least - high[name], low[name] - greatest) > APART * (greatest - least) > 0:
            found[name] = f"{low[name]:g} … {high[name]:g} beside {least:g} … {greatest:g}"
    return found


def _words(name):
    """The words of a name, also of one like "StartDate", and its numbers."""
    return set(re.findall(r"[^\W\d_]+|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(name)).casefold()))


def _named_otherwise(name):
    words = _words(name)
    return bool(words & NO_RATINGS and words <= NO_RATINGS | FILLERS) or bool(re.match(r"Unnamed: \d", str(name)))


def _dates(series):
    """Whether dates or times stand in a column, also as text that is no number."""
    if series.dtype.kind in "mM":
        return True
    words = pd.Series([value.replace(",", ".") for value in series if isinstance(value, str)], dtype=object)
    if not len(words) or pd.to_numeric(words, errors="coerce").notna().any():
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of formats that differ
        return bool(pd.to_datetime(words, errors="coerce", format="mixed").notna().all())
