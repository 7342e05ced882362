"""Tables of comparisons: who preferred which of two, or by how much, from a long data frame, with all names kept.

Lecture: 14, sections 2 and 4.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from course_lib import validation
from course_studies.columns import (
    AnswerSequence,
    column,
    data_frame,
    item_features,
    kept_also,
    listed,
    names_in,
    plain,
)
from course_studies.pair_answers import PAIR_ANSWERS

WITHOUT_PARTS = (
    "Items of pairs have no parts. For systems over utterances, name the systems' columns, first='system_a' and "
    "second='system_b', and fit PairStudy(people='own') twice: with person= the people, and with person= the "
    "utterances. For new people and new utterances the squares of both half-widths add, minus that of people='one'."
)
LEAST_ONE_SIDED = 10  # of which it is no chance that all are for one side
WINNER_WORDS = ("winner", "won", "chosen", "preferred", "better", "best")  # names of columns that say so


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
    def kind(self):
        """Class of the answers."""
        return PAIR_ANSWERS[self.response]

    @property
    def has_ties(self):
        """Whether some choice is a tie."""
        return self.kind.has_ties and bool((self.answer == 0).any())

    @property
    def sides(self):
        """(m,) −1 for the first, 0 for neither, +1 for the second."""
        return np.sign(self.answer - self.kind.middle)

    @property
    def one_side(self):
        """ "first" or "second", if all answers are for that side, ties apart; else None."""
        sides = set(self.sides[self.sides != 0])
        return {-1.0: "first", 1.0: "second"}[sides.pop()] if len(sides) == 1 else None

    def overview(self):
        """DataFrame with a row for each person: answers, and the shares of them for the first, neither, the second."""
        sides = pd.Series(self.sides).groupby(self.people[self.person])
        of = {"first": -1.0, "tie": 0.0, "second": 1.0}
        shares = {name: sides.agg(lambda s, v=v: (s == v).mean()) for name, v in of.items()}
        found = pd.DataFrame({"answers": sides.size(), **shares})
        return found.reindex(self.people).rename_axis(self.people.name)


def from_pairs(
    frame: pd.DataFrame, first: str, second: str, answer: str, person: str | None = None,
    features: pd.DataFrame | None = None, sides: tuple | str | None = None, tie: object = None,
    response: str = "choice", scale: tuple[float, float] | None = None, step: float | None = None,
    also: list[str] | None = None,
) -> PairTable:  # fmt: skip
    """A PairTable from a data frame with a row for each answer to a pair.

    Parameters
    ----------
    frame : pandas DataFrame
    first, second : names of the columns with the two items;  answer : name of the column with what was said
    person : name of the column that says who; None: one person, or nobody knows
    features : None, or a DataFrame with a row for each item, by its name
    sides : choices: (word for the first, word for the second), such as ("left", "right") or (0, 1); "names": the name
        of one of the two items; None: that, or −1, 0, +1, if it cannot be both
    tie : choices: the word for "neither", such as "same", or a list of several, such as ["tie", "tie (bothbad)"]
    response : "choice"; "degree": how much the second is preferred on a scale; "difference": how much better it is
    scale : degrees: (low, high), from wholly the first to wholly the second; None: (0, 1)
    step : degrees: the slider's step, in the unit of the scale, such as 1; None: exact, and moved inside from an end
    also : None, or names of columns that are kept with each answer, for a `Design`: the group of the person

    >>> import pandas as pd
    >>> from course_studies import from_pairs
    >>> frame = pd.DataFrame({"first": list("aab"), "second": list("bcc"), "answer": list("bcc")})
    >>> from_pairs(frame, first="first", second="second", answer="answer")
    PairTable: 3 answers 'answer' (choice), all for the second, to pairs of 3 items, by 1 people; no features
    """
    frame = data_frame(frame, "frame")
    kind = PAIR_ANSWERS[validation.one_of(response, tuple(PAIR_ANSWERS), "response")]
    for argument, name in (("first", first), ("second", second)):
        if isinstance(name, (list, tuple)):
            raise ValueError(f"{argument} is {name!r}; the name of one column is needed. {WITHOUT_PARTS}")
    given = [column(frame, name, argument) for name, argument in ((first, "first"), (second, "second"))]
    said = column(frame, answer, "answer")
    words = {"sides": sides, "tie": tie, "scale": scale, "step": step}
    for name, value in words.items():
        if value is not None and name not in kind.arguments:
            others = " and ".join(f"{one!r}" for one, other in PAIR_ANSWERS.items() if name in other.arguments)
            raise ValueError(f"{name} is {value!r}, with response {response!r}; it is for response {others}.")
    people, who = pd.Index(["everybody"], name="person"), np.zeros(len(frame), dtype=int)
    if person is not None:
        people, who = names_in(column(frame, person, "person"))
    items, pairs, inputs = _items(given, features)
    answers, step = kind.read(said, given, **{name: words[name] for name in kind.arguments})
    kept, also = ~np.isnan(answers), kept_also(frame, also, (first, second, answer))
    also = None if also is None else also[kept].reset_index(drop=True)
    table = PairTable(items, people, inputs, pairs[kept], who[kept], answers[kept], response, str(answer), also, step)
    _warn_of_one_side(table, first, second)
    return table


def _warn_of_one_side(table, first, second):
    """Warn if all answers are for one side, and the columns' names do not say that the winner stands there."""
    won = first if table.one_side == "first" else second
    named = any(word in str(won).casefold() for word in WINNER_WORDS)
    if table.one_side and not named and (table.sides != 0).sum() >= LEAST_ONE_SIDED:
        validation.warn(
            f"all {(table.sides != 0).sum()} answers {table.answer_name!r} are for the {table.one_side}. If column "
            f"{won!r} holds the winners, that is right, and it is not known which was shown first; if not, sides or "
            "answer is wrong.",
            OneSideWarning,
        )


def _items(given, features):
    """(items, (m, 2) pairs, features): the items of both columns, in the order of the features if there are any."""
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
