"""A study of comparisons: shares, contrasts and ranking as data frames, under the names of items and people.

Lecture: 14, section 4.
"""

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from course_lib import validation
from course_lib.gp import Fixed, Linear, Product, SquaredExponential, White
from course_lib.gp.fit_warnings import LARGE_FIT_GB, MATRICES_AT_ONCE, LargeFitWarning
from course_lib.gp.items import Items
from course_lib.judgments.comparisons.people import person_pairs
from course_lib.judgments.comparisons.preference import PreferenceGP, Shares
from course_lib.metrics import proportion
from course_studies.columns import listed, nearest, plain
from course_studies.connected import warn_of_floating
from course_studies.design import ORDER, Design, Layout, products
from course_studies.pairs import PairTable
from course_studies.results import DrawnItems, pair_codes
from course_studies.studies import Study

PEOPLE = ("one", "own")
SIDE = 2.0  # σ of one judgement: how large the preference for a side may be
FIRST_WORTH, FIRST_TASTE = 0.3, 0.15  # σ: where searches begin for the spreads of items and of what is a person's own
WEIGHTS = 7  # matrices of all answers by all effects that a design has at once, about
MANY_VALUES = 600  # from there on a fit takes more than some seconds, and shows a bar
OWN = 0.1  # where the search begins for the variance of what is an item's own
MAX_ROWS = 1000  # of [features, person], of which each person has a function of their own unasked


class UnanimousWarning(UserWarning):
    """No choice contradicts the others: they say in which order items are, and not how far apart."""


class PeopleWarning(UserWarning):
    """Intervals do not count that people differ: to give each a function of their own would take too long."""


class PairStudy(Study):
    """A PreferenceGP, fitted to a PairTable; it answers in data frames with the table's names.

    Parameters
    ----------
    model : PreferenceGP; None takes one with the table's response, and with ties if there are any. It stays as it is,
        a copy is fitted. Without a kernel in it, a smooth function of the features and, with people="one", a White
        part: what features do not tell of an item.
    standardize, plug_in : as for `RatingStudy`
    design : None, or a Design: groups of people, who like each item differently, and order=True, a preference for the
        first or the second that is shown. It takes items by name, and a model without a kernel, or None.
    people : "one": all answer as one person would. "own": each has a function of their own, which scatters round a
        common one. Then intervals count that people differ, and questions are of the common function, unless a person
        is named. None takes "own" where some person gave several answers, and "one" if there is but one person, or if
        items have features and met so many people that the fit would take too long, of which a warning tells.

    Attributes
    ----------
    model_ : the fitted model, whose rows are [features], or [features, a column for each person, one for somebody new]
    table_, items_, features_, version_ : as for `RatingStudy`;  people_ : names;  whose_ : "one" or "own", as fitted
    """

    _whose = ("person",)

    def __init__(self, model=None, *, design=None, standardize=False, plug_in=False, people=None):
        self.model = model
        self.design = design
        self.standardize = standardize
        self.plug_in = plug_in
        self.people = people

    def fit(self, table, y=None):
        """Learn from a PairTable; y is there for scikit-learn's sake."""
        validation.unused(y, "y", "the table holds the answers")
        table = self._table(table, PairTable, "from_pairs")
        people = self._whose_answers(table)
        default = PreferenceGP(response=table.response, ties=table.has_ties, step=table.step)
        if self.model is not None:
            _check_model(self.model, table)
        P, layout = len(table.people), self._layout(table)
        if people == "own" and P < 2:
            raise ValueError(
                f'people is "own", but all answers are of {plain(table.people[0])!r}: from_pairs(…, person=column) '
                "says who gave them."
            )
        self._warn_of_people(table, people)
        X = table.X if layout is None else layout.of_items(np.arange(len(table.items)))
        model, units = self._model_for(X, table, default)
        rows, pairs = units(X), table.pairs
        if layout is not None:
            model.set_params(kernel=self._designed(layout, model, P, people))
            rows, pairs = self._each_asked_once(layout, table, people)
        elif people == "own":
            model.set_params(kernel=self._with_people(model.kernel, rows, P))
            rows, pairs = person_pairs(rows, pairs, table.person, np.eye(P, P + 1))
        many = people == "own" and layout is None and self._rows_met(table) > MANY_VALUES
        fit = model.set_params(progress=model.progress or many).fit
        self._best([fit], rows, *_counted(pairs, table.answer))
        own = np.zeros((len(X), P + 1 if people == "own" else 0))  # of the function that all share
        warn_of_floating(table, layout, model.kernel_, np.hstack([units(X), own]))
        _warn_of_unanimous(table)
        return self._keep(
            model_=self._averaged(model),
            table_=table,
            layout_=layout,
            units_=units,
            X_=X,
            items_=table.items,
            people_=table.people,
            whose_=people,
            features_=None if table.features is None else list(table.features.columns),
        )

    def _rows_met(self, table):
        """How many values a fit knows of if each person has one of each item that they met."""
        return len(np.unique(table.pairs * len(table.people) + table.person[:, None]))

    def _gigabytes(self, table):
        """What a function of each person's own takes at once, at least."""
        if self.design is None and not self._is_named(table):
            return 8e-9 * MATRICES_AT_ONCE * self._rows_met(table) ** 2
        return 8e-9 * WEIGHTS * len(table) * len(table.items) * (len(table.people) + 1)

    def _warn_of_people(self, table, people):
        """Say before it is tried what a function of each person's own takes, or that it is not tried."""
        gigabytes = self._gigabytes(table)
        if people == "own" and gigabytes > LARGE_FIT_GB:
            validation.warn(
                f'people is "own": {len(table)} answers of {len(table.people)} people to {len(table.items)} items '
                f"need at least {gigabytes:.0f} GB of memory at once, as each person has a value of each item. "
                'people="one" takes little, but its intervals know nothing of how people differ; or take fewer people '
                "or items, table[np.isin(table.person, range(50))].",
                LargeFitWarning,
            )
        if self.people is None and people == "one" and 1 < len(table.people) < len(table):
            validation.warn(
                f"{len(table.people)} people gave {len(table)} answers, which is too much for a function of each "
                "person's own: all are taken to answer as one person would, and intervals do not count that people "
                "differ. people='one' says that you know; people='own' takes minutes or hours, and memory.",
                PeopleWarning,
            )

    def _first_kernel(self, X, table):
        """A smooth function of the features, and what is an item's own: without it intervals would not hold."""
        start = super()._first_kernel(X, table) or SquaredExponential(1.0, _diameter(X))
        return start + White(OWN) if self._whose_answers(table) == "one" else start

    def _whose_answers(self, table):
        """ "one" or "own", as asked for or as the table has people."""
        if self.people is not None:
            return validation.one_of(self.people, PEOPLE, "people")
        if len(table.people) in (1, len(table)):
            return "one"
        few = self._is_named(table) or self._rows_met(table) <= MAX_ROWS
        return "own" if few and self._gigabytes(table) <= LARGE_FIT_GB else "one"

    def _is_named(self, table):
        """Whether items are known by name alone, and no kernel is given for them: they are effects, as of a design."""
        return table.features is None and (self.model is None or self.model.kernel is None)

    def _layout(self, table):
        if self.design is None and table.parts is None and self._is_named(table):
            return Layout(Design(), table)
        return super()._layout(table)

    def _designed(self, layout, model, P, people):
        """Effects of the design, and of each person's own."""
        if model.kernel is not None:
            raise ValueError(
                f"model has the kernel {model.kernel!r}; with a design leave it out: that says what varies."
            )
        kernel, C = layout.kernel(FIRST_WORTH, SIDE), len(layout.levels)
        own = {f"person × {layout.compared}": FIRST_TASTE}
        return kernel.with_own(own, np.zeros(C, dtype=int), P + 1) if people == "own" else kernel

    def _each_asked_once(self, layout, table, people):
        """As `_asked_in`, of a table's answers, with one row for all that are to the same question."""
        told = np.column_stack([table.pairs, table.person * (people == "own" or len(layout.groups) > 0)])
        _, first, of = np.unique(told, axis=0, return_index=True, return_inverse=True)
        asked = table[first]
        rows, pairs = self._asked_in(layout, asked, asked.pairs, asked.person, len(table.people), people)
        return rows, pairs[of.ravel()]

    def _asked_in(self, layout, table, pairs, person, P, people):
        """(rows, pairs): the row 0, and for each answer what it is to, which is set against that.

        f is a sum of effects, so that a difference of two rows is the value of their difference. `person` may be −1.
        """
        a, b = (layout.of_answers(table, pairs[:, side]) for side in (0, 1))
        told = b - a + (layout.order_rows()[1] if ORDER in layout.blocks else 0.0)
        if people == "own":
            own = np.eye(len(layout.levels))
            apart = own[layout.level[pairs[:, 1]]] - own[layout.level[pairs[:, 0]]]
            told = np.hstack([told, products(np.eye(P + 1)[person], apart)])
        rows = np.vstack([np.zeros(told.shape[1]), told])
        return rows, np.column_stack([np.zeros(len(told), dtype=int), 1 + np.arange(len(told))])

    def _with_people(self, kernel, rows, P):
        """The common function plus one of each person's own, over rows [x, a column for each, one for a new one]."""
        D = rows.shape[1]
        kernel = (SquaredExponential(1.0, _diameter(rows)) if kernel is None else kernel).on(range(D))
        return kernel + kernel * Linear(1.0).with_priors(variance=Fixed()).on(range(D, D + P + 1))

    def _kernel_rows(self, kernel, columns=None, prefix=""):
        """As Study has it; with people="own" it says which part is the common function's and which each person's."""
        if self.whose_ == "one" or columns is not None or self.layout_ is not None:
            yield from super()._kernel_rows(kernel, columns, prefix)
            return
        names = self._column_names()
        for child in kernel.children:
            own = isinstance(child, Product)
            parts = child.children[:-1] if own else [child]  # the last one only says who
            for part in parts:
                yield from super()._kernel_rows(part, names, "own " if own else "common ")

    def _column_names(self):
        own = [] if self.whose_ == "one" else [*(f"person {name}" for name in self.people_), "somebody new"]
        return super()._column_names() + own

    def _unit(self):
        return self.table_.answer_name if self.table_.response == "difference" else "of f"

    # --- asking

    def _rows(self, X, person=None):
        """Rows of the model for inputs in its units: of the common function, or of one person."""
        if self.whose_ == "one":
            if person is not None:
                raise ValueError(
                    f'person is {person!r}, but people is "one": PairStudy(people="own") tells them apart.'
                )
            return X
        who = np.zeros(len(self.people_) + 1)
        if person is not None:
            if not np.isscalar(person) or person not in self.people_:
                raise ValueError(
                    f"person is {person!r}, who is not in column {self.people_.name!r}; there are "
                    f"{listed(self.people_)}{nearest(person, self.people_)}."
                )
            who[self.people_.get_loc(person)] = 1.0
        if self.layout_ is None:
            return np.hstack([X, np.tile(who, (len(X), 1))])
        rows = X if person is None else self.layout_.of_rater(X, person)
        return np.hstack([rows, products(np.tile(who, (len(X), 1)), self.layout_.compared_of(X))])

    def _items(self, person=None):
        """The items of the fit as Items of the model: of the common function, or of one person."""
        rows = self._rows(self.units_(self.X_), person)
        if self.layout_ is not None or (self.whose_ == "own" and person is None):
            return Items(rows)
        if self.whose_ == "one":
            return self.model_.items_
        return self._met(rows, np.arange(len(rows)), self.people_.get_loc(person))

    def _met(self, rows, item, person):
        """Rows [x, who] as Items of the model: of the fit if this person (q,) met this item (q,) there, −1 is none."""
        P, fit = len(self.people_), self.model_.items_
        met = pd.Index(np.unique(self.table_.pairs * P + self.table_.person[:, None]))  # the order of person_pairs
        place = met.get_indexer(np.where((item < 0) | (person < 0), -1, item * P + person))
        return fit.with_new(rows)[np.where(place < 0, len(fit) + np.arange(len(rows)), place)]

    def _joint(self, person=None):
        return self._above_mean(self._items(person))

    def _joint_of(self, rows, person=None):
        return self._above_mean(self._rows(rows, person))

    def _above_mean(self, items):
        """DrawnItems of what the model is asked of, above their mean: the level of f says nothing."""
        return DrawnItems(self._values_at(items)).centred()

    def _values_at(self, items):
        """(k, q) draws of f at rows or Items of the model."""
        return np.vstack([f for _, f in self.model_.latent_.draws(items)])

    def _shares(self, items, pairs):
        """Shares of the next answers to pairs (m, 2) of rows of the model; of choices on average over draws of f."""
        if self.table_.response != "choice" or not isinstance(self.model_.response, str):
            return self.model_.predict_shares(items, pairs)
        drawn = self.model_.latent_.draws(items)
        parts = [likelihood.sides(f[:, pairs[:, 1]] - f[:, pairs[:, 0]]) for likelihood, f in drawn]
        second, first = (np.concatenate(side).mean(axis=0) for side in zip(*parts, strict=True))
        return Shares(first, np.maximum(1.0 - first - second, 0.0), second)

    def worth(self, confidence=0.9, person=None, group=None):
        """DataFrame with a row for each item: worth, low, high, answers; how much it is liked above the mean item.

        In units of the noise of one judgement, σ = 1, where the answers are choices or degrees; else in theirs.

        person : with people="own", the name of one; None: the common function
        group : of a design, the name of one; None: all alike
        """
        ((_, _, known),) = self._asked_for(person=person, group=group)
        low, high = known.interval(validation.between(confidence, "confidence", 0, 1))
        answers = np.bincount(self.table_.pairs.ravel(), minlength=len(self.items_))
        return pd.DataFrame({"worth": known.mean, "low": low, "high": high, "answers": answers}, index=self.items_)

    def shares(self, pairs=None, person=None):
        """DataFrame of the next answers to pairs: a, b, p_a, p_tie, p_b; and of those given: for_a, ties, for_b.

        Of degrees and differences: below, on and above the middle.

        pairs : names [(a, b), …]; None: all pairs;  person : as for `worth`
        """
        self._fitted()
        codes = pair_codes(self.items_, pairs)
        found = self._shares(self._items(person), codes)
        given, sides = self.table_.pairs, self.table_.sides
        ordered = np.where(sides[:, None] < 0, given[:, ::-1], given)
        answered = np.zeros((len(self.items_), len(self.items_), 2), dtype=int)
        np.add.at(answered, (*ordered.T, (sides == 0).astype(int)), 1)  # [i, j, 0]: j won against i; 1: ties
        a, b = codes.T
        return pd.DataFrame(
            {
                "a": self.items_[a],
                "b": self.items_[b],
                "p_a": found.a,
                "p_tie": found.tie,
                "p_b": found.b,
                "for_a": answered[b, a, 0],
                "ties": answered[a, b, 1] + answered[b, a, 1],
                "for_b": answered[a, b, 0],
            }
        )

    def predict(self, frame=None, confidence=0.9, person=None):
        """DataFrame with a row for each item: value, low, high; how much it is liked above the mean item of the fit.

        frame : DataFrame with the features' columns, in their own units and any order, each row of which is a new
            item; None: the items of the fit
        """
        self._fitted()
        names, asked, n = self.items_, self._items(person), len(self.X_)
        if frame is not None:
            names, X = self._inputs(frame)
            asked = asked.with_new(self._rows(X, person))
        drawn = self._values_at(asked)
        known = DrawnItems(drawn[:, -len(names) :] - drawn[:, :n].mean(axis=1, keepdims=True))
        low, high = known.interval(validation.between(confidence, "confidence", 0, 1))
        return pd.DataFrame({"value": known.mean, "low": low, "high": high}, index=names)

    # --- how well

    def forecasts(self, table):
        """DataFrame with a row for each answer of a table: a, b, person, answer, and p_a, p_tie, p_b as expected.

        People who are not in the fit have a function of their own as well, of which nothing is known: what is expected
        of them is the common function's, and less sure. An item whose name is in the fit is that item; others are new
        ones, or, where items are known by name alone, left out with their answers.
        """
        self._fitted()
        table = self._table(table, PairTable, "from_pairs")
        item, X = self._known(table)
        if self.features_ is None:
            table = table[(item[table.pairs] >= 0).all(axis=1)]
        if not len(table):
            raise ValueError("table holds no answer to a pair of items of the fit.")
        who = self.people_.get_indexer(table.people)[table.person]
        if self.layout_ is not None:
            rows, pairs = self._asked_in(self.layout_, table, item[table.pairs], who, len(self.people_), self.whose_)
        elif self.whose_ == "one":
            rows, pairs = self._asked_by_name(table), table.pairs
        else:
            people = np.eye(len(self.people_) + 1)[self.people_.get_indexer(table.people)]  # −1: the last
            rows, pairs = person_pairs(X, table.pairs, table.person, people)
            of_row = np.empty((2, len(rows)), dtype=int)
            of_row[:, pairs] = item[table.pairs], np.column_stack([who, who])
            rows = self._met(rows, *of_row)
        p = self._shares(rows, pairs)
        names = {"a": table.items[table.pairs[:, 0]], "b": table.items[table.pairs[:, 1]]}
        who = {"person": table.people[table.person], "answer": table.answer, "side": table.sides}
        return pd.DataFrame({**names, **who, "p_a": p.a, "p_tie": p.tie, "p_b": p.b})

    def score(self, table, y=None):
        """Share of a table's decided answers whose side is the likelier one."""
        validation.unused(y, "y", "the table holds the answers")
        decided = self._decided(table, "the score")
        return float((np.sign(decided["p_b"] - decided["p_a"]) == decided["side"]).mean())

    def _decided(self, table, what):
        """Forecasts of the answers of a table that are no ties."""
        found = self.forecasts(table)
        decided = found[found["side"] != 0]
        if not len(decided):
            raise ValueError(f"table holds {len(found)} ties and no decided answer; {what} is of those.")
        return decided

    def calibration(self, table, bins=8):
        """DataFrame: of answers whose probability for the second lay in a bin, the share that was for the second.

        Columns predicted (mean in the bin), share, low, high (90 % interval, as of independent answers), answers. Ties
        are left out, of the probabilities too. Bins hold about equally many. Ask it of answers that the fit has not
        seen: `study.fit(table[train]).calibration(table[test])`.
        """
        decided = self._decided(table, "calibration")
        p = decided["p_b"] / (decided["p_a"] + decided["p_b"])
        place = pd.qcut(p, min(validation.integer(bins, "bins"), p.nunique()), labels=False, duplicates="drop")
        bins = pd.DataFrame({"p": p, "second": decided["side"] > 0}).groupby(place)
        share, low, high = np.transpose([proportion(second, 0.9) for _, second in bins["second"]])
        predicted = bins["p"].mean().to_numpy()
        answers = bins.size().to_numpy()
        return pd.DataFrame({"predicted": predicted, "share": share, "low": low, "high": high, "answers": answers})


def _warn_of_unanimous(table):
    """Say so if all choices follow one order of the items, and there are more than it takes to tie these together.

    Source: Ford (1957), "Solution of a ranking problem from binary comparisons": then likelihood has no maximum.
    """
    decided = table.sides != 0
    if table.response != "choice" or decided.sum() < len(table.items) or not decided.all():
        return
    worse, better = np.where(table.sides[:, None] > 0, table.pairs, table.pairs[:, ::-1]).T
    n = len(table.items)
    won = coo_array((np.ones(len(better)), (better, worse)), shape=(n, n)).tocsr()
    if connected_components(won, connection="strong")[0] == n:
        validation.warn(
            f"no answer of {len(table)} contradicts the others: they tell the order of the items, but not how far "
            "apart these are. That some are better is as sure as it looks; of the sizes of differences only the lower "
            "ends are the answers', the upper ends are what is believed beforehand.",
            UnanimousWarning,
        )


def _counted(pairs, answers):
    """(pairs, answers, counts): each answer to a pair once, where it first came, and how often; None: all once."""
    _, first, counts = np.unique(np.column_stack([pairs, answers]), axis=0, return_index=True, return_counts=True)
    kept = np.sort(first)
    return pairs[kept], answers[kept], counts[np.argsort(first)] if len(kept) < len(answers) else None


def _diameter(X):
    """Root mean square of the distance of two rows."""
    return float(np.sqrt(2.0 * X.var(axis=0).sum())) or 1.0


def _check_model(model, table):
    """Nothing, if the model can learn from this table's answers."""
    validation.instance(model, PreferenceGP, "model", "a PreferenceGP, or None,")
    if isinstance(model.response, str) and model.response != table.response:
        raise ValueError(
            f"model has response {model.response!r}, but the answers in column {table.answer_name!r} came as "
            f"{table.response!r}."
        )
    if table.step is not None and model.step is None and model.response == "degree":
        raise ValueError(f"table has steps of {table.step:g}, and the model none; PreferenceGP(step={table.step:g}).")
    if table.has_ties and not model.ties:
        raise ValueError(
            f"column {table.answer_name!r} holds {int((table.answer == 0).sum())} ties, and the model takes none; "
            "PreferenceGP(ties=True) does, or leave them out: table[table.answer != 0]."
        )
