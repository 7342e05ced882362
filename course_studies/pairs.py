"""Tables of comparisons: who preferred which of two, or by how much, from a long data frame, with all names kept.

Lecture: 14, sections 2 and 4.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from course_lib import validation
from course_lib.gp import squeeze
from course_lib.gp.likelihoods.rounded import number_of_steps, off_the_steps
from course_studies.columns import (
    AnswerSequence,
    column,
    data_frame,
    item_features,
    kept_also,
    likeness,
    listed,
    names_in,
    nearest,
    numbers_in,
    plain,
    refuse_off_scale,
)

RESPONSES = ("choice", "degree", "difference")
TIE_WORDS = ("tie", "ties", "same", "equal", "draw", "neither", "none", "both", "no preference", "=")
NAMES = "names"  # sides: answers are names of items, whatever they look like
WITHOUT_PARTS = (
    "Items of pairs have no parts. For systems over utterances, name the systems' columns, first='system_a' and "
    "second='system_b', and fit PairStudy(people='own') twice: with person= the people, and with person= the "
    "utterances, which differ as people do. Each interval then counts one of both; for new people and new "
    "utterances the squares of both half-widths add, less that of PairStudy(people='one')."
)
SIDE_WORDS = (("0", "1"), ("1", "2"), ("-1", "1"), ("a", "b"), ("left", "right"), ("first", "second"))
LEAST_ANSWERS = 10  # of which it is no chance that all are for one side
WINNERS = ("winner", "won", "chosen", "preferred", "better", "best")  # names of columns that say so
INSIDE = 1e-3  # degrees nearer to an end of their scale than this share of it are moved there


class OneSideWarning(UserWarning):
    """All answers of a table are for the first, or all for the second."""


@dataclass(frozen=True, repr=False, eq=False)
class PairTable(AnswerSequence):
    """Answers to pairs of items, one after the other; `from_pairs` makes it.

    items, people : pandas Index, their names;  features : DataFrame (n, D), a row for each item, or None
    pairs : (m, 2) ints, the items (a, b) = (first, second) of each answer;  person : (m,) ints, who answered
    answer : (m,) floats. choice: −1 (the first), +1 (the second), 0 (a tie); degree: in (0, 1), above ½ for the
        second; difference: how much better the second is
    response : "choice", "degree" or "difference";  answer_name : name of what was asked
    also : DataFrame (m, k), what else is known of each answer, or None
    step : of degrees, where 1 is the length of the scale and 0 and 1 are degrees too; None if they are exact numbers
    """

    _each, _answers = ("pairs", "person", "answer"), "answers"

    items: Any
    people: Any
    features: Any
    pairs: np.ndarray
    person: np.ndarray
    answer: np.ndarray
    response: str
    answer_name: str
    also: Any = None
    step: float | None = None

    parts = None  # of an item: it is named by one column

    def __repr__(self):
        inputs = "no features" if self.features is None else f"features {listed(self.features.columns)}"
        ties = f", {(self.answer == 0).sum()} of them ties" if self.has_ties else ""
        one = "" if self.one_side is None else f", all for the {self.one_side}"
        return (
            f"PairTable: {len(self)} answers {self.answer_name!r} ({self.response}){ties}{one}, to pairs of "
            f"{len(self.items)} items, by {len(self.people)} people; {inputs}"
        )

    @property
    def has_ties(self):
        """Whether some choice is a tie."""
        return self.response == "choice" and bool((self.answer == 0).any())

    @property
    def sides(self):
        """(m,) −1 for the first, 0 for neither, +1 for the second."""
        return np.sign(self.answer - (0.5 if self.response == "degree" else 0.0))

    @property
    def one_side(self):
        """ "first" or "second", if all answers are for that side, ties apart; else None."""
        sides = set(self.sides[self.sides != 0])
        return {-1.0: "first", 1.0: "second"}[sides.pop()] if len(sides) == 1 else None

    def overview(self):
        """DataFrame with a row for each person: answers, and the shares of them for the first, neither, the second.

        A look before any model: whose answers follow the side and not the sound, and who always says "the same".
        """
        sides = pd.Series(self.sides).groupby(self.people[self.person])
        shares = {name: sides.agg(lambda s, v=v: (s == v).mean()) for name, v in _SIDES.items()}
        found = pd.DataFrame({"answers": sides.size(), **shares})
        return found.reindex(self.people).rename_axis(self.people.name)


_SIDES = {"first": -1.0, "tie": 0.0, "second": 1.0}


def from_pairs(
    frame, first, second, answer, person=None, features=None, sides=None, tie=None, response="choice", scale=None,
    step=None, also=None,
):  # fmt: skip
    """A PairTable from a data frame with a row for each answer to a pair.

    Parameters
    ----------
    frame : pandas DataFrame
    first, second : names of the columns with the two items;  answer : name of the column with what was said
    person : name of the column that says who; None: one person, or nobody knows
    features : None, or a DataFrame with a row for each item, by its name
    sides : choices: (word for the first, word for the second), such as ("left", "right") or (0, 1); "names": the
        answer is the name of one of the two items; None: it is that, or −1, 0, +1, if it cannot be both
    tie : choices: the word for "neither", such as "same", or a list of several, such as ["tie", "tie (bothbad)"]
    response : "choice"; "degree": how much the second is preferred on a scale; "difference": how much better it is
    scale : degrees: (low, high), from wholly the first to wholly the second; None: (0, 1)
    step : degrees: the slider's step, in the unit of the scale, such as 1; then an answer on an end stands for all
        beyond, and is no longer moved inside by a thousandth of the scale
    also : None, or names of columns that are kept with each answer, for a `Design`: the group of the person
    """
    frame = data_frame(frame, "frame")
    validation.one_of(response, RESPONSES, "response")
    for argument, name in (("first", first), ("second", second)):
        if isinstance(name, (list, tuple)):
            raise ValueError(f"{argument} is {name!r}; the name of one column is needed. {WITHOUT_PARTS}")
    given = [column(frame, name, argument) for name, argument in ((first, "first"), (second, "second"))]
    said = column(frame, answer, "answer")
    ties = _checked_words(response, sides, tie, scale)
    if response != "degree" and step is not None:
        raise ValueError(f"step is {step!r}, with response {response!r}; it is for degrees.")
    people, who = (
        (pd.Index(["everybody"], name="person"), np.zeros(len(frame), dtype=int))
        if person is None
        else names_in(column(frame, person, "person"))
    )
    items, pairs, inputs = _items(given, features)
    if response == "choice":
        answers = _choices(said, given, sides, ties)
    else:
        answers = numbers_in(said)
        answers, step = _degrees(said, answers, scale, step) if response == "degree" else (answers, None)
    kept, also = ~np.isnan(answers), kept_also(frame, also, (first, second, answer))
    also = None if also is None else also[kept].reset_index(drop=True)
    table = PairTable(items, people, inputs, pairs[kept], who[kept], answers[kept], response, str(answer), also, step)
    _warn_of_one_side(table, first, second)
    return table


def _warn_of_one_side(table, first, second):
    """Say so if all answers are for one side, and the columns' names do not say that the winner stands there."""
    won = first if table.one_side == "first" else second
    named = any(word in str(won).casefold() for word in WINNERS)
    if table.one_side and not named and (table.sides != 0).sum() >= LEAST_ANSWERS:
        validation.warn(
            f"all {(table.sides != 0).sum()} answers {table.answer_name!r} are for the {table.one_side}. If column "
            f"{won!r} holds the winners, that is as it should be, and nobody knows which was shown first; if not, "
            "sides or answer is wrong.",
            OneSideWarning,
        )


def _checked_words(response, sides, tie, scale):
    """The words for a tie, a list, if all words can be words."""
    if response != "choice" and (sides is not None or tie is not None):
        raise ValueError(f"sides is {sides!r} and tie {tie!r}, with response {response!r}; both are for choices.")
    if response != "degree" and scale is not None:
        raise ValueError(f"scale is {scale!r}, with response {response!r}; it is for degrees.")
    two = isinstance(sides, (list, tuple)) and len(sides) == 2 and all(map(np.isscalar, sides))
    if not (sides is None or (isinstance(sides, str) and sides == NAMES) or (two and sides[0] != sides[1])):
        raise ValueError(
            f"sides is {sides!r}; two different words are needed, (for the first, for the second), or {NAMES!r}."
        )
    if tie is None:
        return []
    ties = list(tie) if isinstance(tie, (list, tuple)) else [tie]
    if not ties or not all(map(np.isscalar, ties)) or (two and set(ties) & set(sides)):
        raise ValueError(
            f"tie is {tie!r} and sides {sides!r}; a word of its own is needed for a tie, or a list of them."
        )
    return ties


def _items(given, features):
    """(items, (m, 2) pairs, features): all items of both columns, in the order of the features, if there are any."""
    both = pd.concat(given, ignore_index=True).rename(f"{given[0].name} / {given[1].name}")
    for one in given:
        names_in(one)  # says which column has a gap
    items, codes = names_in(both, f"frame[{[one.name for one in given]!r}]")
    if features is not None:
        data_frame(features, "features")
        for one in given:  # so that the error names the column itself
            item_features(features, None, one.name, None, names_in(one)[0])
    inputs = item_features(features, None, items.name, None, items)
    order = items if inputs is None else inputs.index
    pairs = order.get_indexer(items)[codes].reshape(2, -1).T
    same = pairs[:, 0] == pairs[:, 1]
    if same.any():
        k = int(np.flatnonzero(same)[0])
        raise ValueError(
            f"columns {given[0].name!r} and {given[1].name!r} both say {plain(given[0].iloc[k])!r} in row "
            f"{plain(given[0].index[k])!r}: an item cannot be compared with itself."
        )
    return order.rename("item"), pairs, inputs


def _choices(said, given, sides, ties):
    """(m,) −1, 0, +1, NaN where nothing was said."""
    answers = np.full(len(said), np.nan)
    known = said.isna().to_numpy()
    numeric, said = said.dtype.kind in "iuf", said.astype(object)
    by_name = sides is None or isinstance(sides, str)
    first, second = (one.astype(object) for one in given) if by_name else sides
    meanings = [(first, -1.0), (second, 1.0)] + [(tie, 0.0) for tie in ties]
    named = said.dropna().isin(pd.concat(given))
    signs = {-1, 0, 1, *ties}.issuperset(said.dropna()) and not named.all()  # none of names, where one is missing
    if sides is None and numeric and (signs or not said.dropna().isin(given[0]).any()):
        meanings = _signs(said, ties)
    elif sides is None:
        _refuse_two_readings(said, given, ties)
    for word, meaning in meanings:
        meant = (said == word).to_numpy() & ~known
        answers[meant] = meaning
        known = known | meant
    if not known.all():
        _refuse_word(said, known, given, sides, ties)
    if np.isnan(answers).all():
        raise ValueError(f"column {said.name!r} holds no answer at all.")
    return answers


def _refuse_two_readings(said, given, ties):
    """Nothing, unless all answers are names of the items in their rows, and may be words for the two sides as well."""
    decided = said.notna() & ~said.isin(ties)
    words, first, second = (one[decided].astype(object).map(likeness) for one in (said, *given))
    if not ((words == first) | (words == second)).all():
        return
    for left, right in _like_sides(words):
        if left == "0" or ((words == right) != (words == second)).any():  # 1 may stand for the first as well
            raise ValueError(
                f"column {said.name!r} holds {listed(said[decided].unique())}, names of items that may be words for "
                f"the two sides as well. If they are names: sides={NAMES!r}; if they are sides: sides=(word for the "
                "first, word for the second)."
            )


def _like_sides(words):
    """Pairs of words that many files write for the two sides, and that are all that stands here."""
    return [pair for pair in SIDE_WORDS if words.isin(pair).all()]


def _signs(said, ties):
    """What −1, 0 and +1 mean; 0 and 1 alone are refused, because the library's 0 is a tie."""
    values = set(said.dropna().unique().tolist())
    if values <= {0, 1} and not ties:
        raise ValueError(
            f"column {said.name!r} holds only {sorted(int(v) for v in values)}; numbers mean −1 (the first), 0 (a "
            "tie) and +1 (the second). If 0 stands for the first and 1 for the second: sides=(0, 1); the other way "
            "round: sides=(1, 0)."
        )
    if values <= {1, 2}:
        raise ValueError(
            f"column {said.name!r} holds only 1 and 2; if 1 stands for the first and 2 for the second: sides=(1, 2)."
        )
    return [(-1, -1.0), (1, 1.0), *((tie, 0.0) for tie in ties or [0])]


def _refuse_word(said, known, given, sides, ties):
    k = int(np.flatnonzero(~known)[0])
    word = plain(said.iloc[k])
    by_name = sides is None or isinstance(sides, str)
    words = [repr(plain(one.iloc[k])) for one in given] if by_name else [repr(side) for side in sides]
    words += map(repr, ties)
    hint = nearest(word, [w.strip("'") for w in words])
    alone = not (by_name or ties) and said[~known].nunique() == 1
    if alone or any(f"{likeness(word)} ".startswith(f"{tie} ") for tie in TIE_WORDS):
        hint = f"; if it says that neither was better: tie={[*ties, word] if ties else word!r}"
    elif sides is None and (
        _like_sides(said.dropna().map(likeness)) or not any(word == one for column in given for one in column.unique())
    ):
        hint = (
            "; if words such as 'left' stand for the two, say which: sides=(word for the first, word for the second)"
        )
    raise ValueError(
        f"column {said.name!r} says {word!r} in row {plain(said.index[k])!r}, where {' or '.join(words)} is needed"
        f"{hint}. (sides={sides!r}, tie={ties or None!r})"
    )


def _degrees(said, answers, scale, step):
    """(m,) between 0 and 1, neither included, and None; or in whole steps from 0 to 1, and what a step is."""
    low, high = validation.ends((0.0, 1.0) if scale is None else scale, "scale")
    if scale is None and np.nanmax(answers) > 1:
        raise ValueError(
            f"column {said.name!r} reaches {np.nanmax(answers):g}; degrees lie between 0 and 1, unless a scale is "
            "given, such as scale=(0, 100)."
        )
    refuse_off_scale(said, answers, (low, high))
    shares = (answers - low) / (high - low)
    if step is not None:
        steps = number_of_steps(step, low, high)
        wrong = off_the_steps(shares, steps)
        if wrong.any():
            k = int(np.flatnonzero(wrong)[0])
            raise ValueError(
                f"column {said.name!r} says {plain(said.iloc[k])!r} in row {plain(said.index[k])!r}; degrees must be "
                f"whole steps of {step:g} on the scale from {low:g} to {high:g} (step and scale)."
            )
        return np.rint(shares * steps) / steps, 1.0 / steps
    shares[~np.isnan(shares)] = squeeze(shares[~np.isnan(shares)], inside=INSIDE)
    return shares, None
