"""A study of comparisons: shares, contrasts and ranking as data frames, under the names of items and people.

Lecture: 14, section 4.
"""

from collections.abc import Hashable, Sequence
from typing import Self

import numpy as np
import pandas as pd

from course_lib import validation
from course_lib.gp import SquaredExponential, White
from course_lib.gp.fit_warnings import LARGE_FIT_GB, MATRICES_AT_ONCE, LargeFitWarning
from course_lib.metrics import proportion
from course_lib.settings import KW_ONLY, settings
from course_studies.cautions import warn_of_floating
from course_studies.columns import plain
from course_studies.design import Design, Layout
from course_studies.pairs import PairTable
from course_studies.people_rows import PeopleRows, diameter, values_met
from course_studies.results import DrawnItems, pair_codes
from course_studies.studies import Study

PEOPLE_KINDS = ("one", "own")
QUICK_VALUES = 600  # from there on a fit takes more than some seconds, and shows a bar
WEIGHT_MATRICES = 7  # matrices of all answers by all effects that a design has at once, about
FIRST_ITEM_VARIANCE = 0.1  # where the search begins for the variance of what is an item's own
MAX_VALUES = 1000  # of items and people, of whom each has a function of their own unasked


class PeopleWarning(UserWarning):
    """Intervals do not count that people differ: a function of each person's own would take too long."""


@settings
class PairStudy(Study):
    """A PreferenceGP, fitted to a PairTable; it answers in data frames with the table's names.

    Parameters
    ----------
    model : PreferenceGP, of which a copy is fitted; None takes the table's response and ties. It gets,
        without a kernel, a smooth function of the features and, with people="one", a White part beside them.
    standardize, plug_in : as for `RatingStudy`
    design : None, or a Design: groups of people, who like each item differently, and order=True, a preference for the
        first or the second that is shown. It needs items without features, and a model without a kernel, or None.
    people : "one": all answer as one person would. "own": each has a function of their own round a common one, so that
        intervals include how people differ; questions are of the common function, unless a person is named. None:
        "own" if people gave several answers; "one" for one person or, with a warning, if "own" would take too long.

    Attributes
    ----------
    model_ : the fitted model, whose rows are [features], or [features, a column for each person, one for somebody new]
    answers_, table_, items_, features_, version_ : as for `RatingStudy`
    rows_ : rows_.of(X, person) are such rows for features X in the model's units; person None: the common function
    people_ : names;  whose_ : "one" or "own", as fitted

    >>> import pandas as pd
    >>> from course_studies import PairStudy, from_pairs
    >>> frame = pd.DataFrame({"first": list("aabab"), "second": list("bccbc"), "answer": list("bccac")})
    >>> study = PairStudy(plug_in=True).fit(from_pairs(frame, first="first", second="second", answer="answer"))
    >>> study.worth()[["worth", "answers"]].round(1)
          worth  answers
    item
    a      -0.3        3
    b      -0.4        4
    c       0.8        3
    """

    _: KW_ONLY
    people: str | None = None

    _tables, _whose = (PairTable, "from_pairs"), ("person",)

    def fit(self, table: PairTable, y: object = None) -> Self:
        """Learn from a PairTable; y is there for scikit-learn's sake."""
        validation.unused(y, "y", "the table holds the answers")
        table = self._table(table)
        people, answers, layout = self._whose_answers(table), table.kind(self.model, table), self._layout(table)
        if people == "own" and len(table.people) < 2:
            raise ValueError(
                f'people is "own", but all answers are of {plain(table.people[0])!r}: from_pairs(…, person=column) '
                "says who gave them."
            )
        self._warn_of_people(table, people)
        model, X = answers.model, table.X if layout is None else layout.of_items(np.arange(len(table.items)))
        units = self._units_for(model, X, table)
        rows = PeopleRows(table, layout, people == "own", units(X))
        many = rows.own and layout is None and values_met(table) > QUICK_VALUES
        model.set_params(kernel=rows.kernel(model.kernel), progress=model.progress or many)
        inputs, pairs = rows.to_fit()
        self._best([model.fit], inputs, *_counted(pairs, table.answer))
        warn_of_floating(table, layout, model.kernel_, rows.of(units(X)))
        answers.warn()
        return self._keep(answers, layout, units, X, rows_=rows, people_=table.people, whose_=people)

    def _gigabytes(self, table):
        """Least memory for a function of each person's own."""
        if self.design is None and not self._is_named(table):
            return 8e-9 * MATRICES_AT_ONCE * values_met(table) ** 2
        return 8e-9 * WEIGHT_MATRICES * len(table) * len(table.items) * (len(table.people) + 1)

    def _warn_of_people(self, table, people):
        """Warn, before the fit, of the memory that functions of each person's own take, or that there are none."""
        needed = self._gigabytes(table)
        if people == "own" and needed > LARGE_FIT_GB:
            validation.warn(
                f'people is "own": {len(table)} answers of {len(table.people)} people to {len(table.items)} items '
                f"need at least {needed:.0f} GB of memory at once, as each person has a value of each item. "
                'people="one" takes little, but its intervals do not include how people differ; or take fewer people '
                "or items, table[np.isin(table.person, range(50))].",
                LargeFitWarning,
            )
        if self.people is None and people == "one" and 1 < len(table.people) < len(table):
            validation.warn(
                f"{len(table.people)} people gave {len(table)} answers, too many for a function of each person's own: "
                "all are taken to answer as one person would, and intervals do not count that people differ. "
                "people='one' silences this; people='own' takes minutes or hours, and memory.",
                PeopleWarning,
            )

    def _first_kernel(self, X, table, variance):
        """A smooth function of the features plus a White part, without which intervals would be too narrow."""
        start = super()._first_kernel(X, table, variance) or SquaredExponential(1.0, diameter(X))
        return start + White(FIRST_ITEM_VARIANCE) if self._whose_answers(table) == "one" else start

    def _whose_answers(self, table):
        """ "one" or "own", as set or chosen for the table."""
        if self.people is not None:
            return validation.one_of(self.people, PEOPLE_KINDS, "people")
        if len(table.people) in (1, len(table)):
            return "one"
        few = self._is_named(table) or values_met(table) <= MAX_VALUES
        return "own" if few and self._gigabytes(table) <= LARGE_FIT_GB else "one"

    def _is_named(self, table):
        """Whether items are known by name alone and have no kernel: then they are effects, as in a design."""
        return table.features is None and (self.model is None or self.model.kernel is None)

    def _layout(self, table):
        if self.design is None and table.parts is None and self._is_named(table):
            return Layout(Design(), table)
        return super()._layout(table)

    def _kernel_rows(self, kernel, columns=None, prefix=""):
        """As in Study; with people="own" rows are of the common function or of each person's own."""
        if self.whose_ == "one" or columns is not None or self.layout_ is not None:
            yield from super()._kernel_rows(kernel, columns, prefix)
            return
        names, (common, own) = self._column_names(), kernel.children
        yield from super()._kernel_rows(common, names, "common ")
        for part in own.children[:-1]:  # the last one only says who
            yield from super()._kernel_rows(part, names, "own ")

    def _column_names(self):
        own = [] if self.whose_ == "one" else [*(f"person {name}" for name in self.people_), "somebody new"]
        return super()._column_names() + own

    def _known_items(self, rows=None, person=None):
        """DrawnItems of the items of the fit, or of rows of a design, above their mean, as f has no level."""
        items = self.rows_.items(self.model_, person) if rows is None else self.rows_.of(rows, person)
        values = self._values_at(items)
        return DrawnItems(values - values.mean(axis=1, keepdims=True))

    def _values_at(self, items):
        """(k, q) draws of f at rows or Items of the model."""
        return np.vstack([f for _, f in self.model_.latent_.draws(items)])

    def worth(
        self, confidence: float = 0.9, person: Hashable | None = None, group: Hashable | None = None
    ) -> pd.DataFrame:
        """DataFrame with a row for each item: worth, low, high, answers; how much it is liked above the mean item.

        The unit is the noise of one judgement, σ = 1, for choices and degrees, else that of the answers.

        person : with people="own", the name of one; None: the common function;  group : of a design, likewise
        """
        ((_, _, known),) = self._asked_for(person=person, group=group)
        worth, low, high = known.estimates(confidence)
        answers = np.bincount(self.table_.pairs.ravel(), minlength=len(self.items_))
        return pd.DataFrame({"worth": worth, "low": low, "high": high, "answers": answers}, index=self.items_)

    def shares(self, pairs: Sequence[tuple] | None = None, person: Hashable | None = None) -> pd.DataFrame:
        """DataFrame of the next answers to pairs: a, b, p_a, p_tie, p_b; and of those given: for_a, ties, for_b.

        Of degrees and differences: below, on, above the middle. pairs : as for `contrasts`;  person : as for `worth`
        """
        self._fitted()
        codes = pair_codes(self.items_, pairs)
        found = self.answers_.shares(self.rows_.items(self.model_, person), codes)
        given, sides = self.table_.pairs, self.table_.sides
        ordered = np.where(sides[:, None] < 0, given[:, ::-1], given)
        answered = np.zeros((len(self.items_), len(self.items_), 2), dtype=int)
        np.add.at(answered, (*ordered.T, (sides == 0).astype(int)), 1)  # [i, j, 0]: j won against i; 1: ties
        a, b = codes.T
        expected = {"p_a": found.a, "p_tie": found.tie, "p_b": found.b}
        ties = answered[a, b, 1] + answered[b, a, 1]
        counts = {"for_a": answered[b, a, 0], "ties": ties, "for_b": answered[a, b, 0]}
        return pd.DataFrame({"a": self.items_[a], "b": self.items_[b], **expected, **counts})

    def predict(
        self, frame: pd.DataFrame | None = None, confidence: float = 0.9, person: Hashable | None = None
    ) -> pd.DataFrame:
        """DataFrame with a row for each item: value, low, high; how much it is liked above the mean item of the fit.

        frame : DataFrame with the features' columns, in their own units and any order, each row of which is a new
            item; None: the items of the fit
        """
        self._fitted()
        names, asked, n = self.items_, self.rows_.items(self.model_, person), len(self.X_)
        if frame is not None:
            names, X = self._inputs(frame)
            asked = asked.with_new(self.rows_.of(X, person))
        drawn = self._values_at(asked)
        known = DrawnItems(drawn[:, -len(names) :] - drawn[:, :n].mean(axis=1, keepdims=True))
        value, low, high = known.estimates(confidence)
        return pd.DataFrame({"value": value, "low": low, "high": high}, index=names)

    def forecasts(self, table: PairTable) -> pd.DataFrame:
        """DataFrame with a row for each answer of a table: a, b, person, answer, and p_a, p_tie, p_b as expected.

        New people have an unknown function of their own round the common one. An item whose name is in the fit is that
        item; others are new ones or, where items are known by name alone, left out with their answers.
        """
        self._fitted()
        table = self._table(table)
        item, X = self._known(table)
        if self.features_ is None:
            table = table[(item[table.pairs] >= 0).all(axis=1)]
        if not len(table):
            raise ValueError("table holds no answer to a pair of items of the fit.")
        p = self.answers_.shares(*self.rows_.to_predict(self.model_, table, item, X))
        names = {"a": table.items[table.pairs[:, 0]], "b": table.items[table.pairs[:, 1]]}
        who = {"person": table.people[table.person], "answer": table.answer, "side": table.sides}
        return pd.DataFrame({**names, **who, "p_a": p.a, "p_tie": p.tie, "p_b": p.b})

    def score(self, table: PairTable, y: object = None) -> float:
        """Share of a table's decided answers whose side is the likelier one."""
        validation.unused(y, "y", "the table holds the answers")
        decided = self._decided(table, "the score")
        return float((np.sign(decided["p_b"] - decided["p_a"]) == decided["side"]).mean())

    def _decided(self, table, what):
        """Forecasts of the answers of a table that are not ties."""
        found = self.forecasts(table)
        decided = found[found["side"] != 0]
        if not len(decided):
            raise ValueError(f"table holds {len(found)} ties and no decided answer; {what} is of those.")
        return decided

    def calibration(self, table: PairTable, bins: int = 8) -> pd.DataFrame:
        """DataFrame: of answers whose probability for the second lay in a bin, the share that was for the second.

        Columns predicted (mean in the bin), share, low, high (90 % interval, as of independent answers), answers. Ties
        are left out, of the probabilities too. Bins hold about equally many. Use answers that the fit has not seen.
        """
        decided = self._decided(table, "calibration")
        p = decided["p_b"] / (decided["p_a"] + decided["p_b"])
        place = pd.qcut(p, min(validation.integer(bins, "bins"), p.nunique()), labels=False, duplicates="drop")
        bins = pd.DataFrame({"p": p, "second": decided["side"] > 0}).groupby(place)
        share, low, high = np.transpose([proportion(second, 0.9) for _, second in bins["second"]])
        predicted = bins["p"].mean().to_numpy()
        answers = bins.size().to_numpy()
        return pd.DataFrame({"predicted": predicted, "share": share, "low": low, "high": high, "answers": answers})


def _counted(pairs, answers):
    """(pairs, answers, counts) with each answer to a pair once; counts None if all occur once."""
    _, first, counts = np.unique(np.column_stack([pairs, answers]), axis=0, return_index=True, return_counts=True)
    kept = np.sort(first)
    return pairs[kept], answers[kept], counts[np.argsort(first)] if len(kept) < len(answers) else None
