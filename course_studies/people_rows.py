"""Rows of a model of comparisons: the items and people that each answer is about.

Lecture: 14, section 4.
"""

import numpy as np
import pandas as pd

from course_lib.gp import Fixed, Linear, SquaredExponential
from course_lib.gp.items import Items
from course_lib.judgments.comparisons.people import person_pairs
from course_studies.columns import listed, nearest
from course_studies.design import ORDER_BLOCK, products
from course_studies.results import items_at

SIDE_STD = 2.0  # σ of one judgement: how large the preference for a side may be
FIRST_WORTH, FIRST_TASTE = 0.3, 0.15  # σ: where searches begin for the spreads of items and of what is a person's own


def values_met(table):
    """Number of latent values if each person has one for each item that they met."""
    return len(np.unique(table.pairs * len(table.people) + table.person[:, None]))


def diameter(X):
    """Root mean square distance of two rows."""
    return float(np.sqrt(2.0 * X.var(axis=0).sum())) or 1.0


class PeopleRows:
    """Rows of a model of pairs: what is compared and, if people have functions of their own, by whom.

    table : PairTable of the fit;  layout : of a design, or None;  own : whether each person has a function
    X : (n, D) rows of the items, in the model's units
    """

    def __init__(self, table, layout, own, X):
        self.table, self.layout, self.own, self.X = table, layout, own, X

    def kernel(self, kernel):
        """The kernel of the rows, from a model's kernel or None."""
        P = len(self.table.people)
        if self.layout is None and not self.own:
            return kernel
        if self.layout is None:  # the common function plus one of each person's own
            D = self.X.shape[1]
            kernel = (SquaredExponential(1.0, diameter(self.X)) if kernel is None else kernel).on(range(D))
            return kernel + kernel * Linear(1.0).with_priors(variance=Fixed()).on(range(D, D + P + 1))
        if kernel is not None:
            raise ValueError(f"model has the kernel {kernel!r}; with a design leave it out: that says what varies.")
        found, C = self.layout.kernel(FIRST_WORTH, SIDE_STD), len(self.layout.levels)
        own = {f"person × {self.layout.compared}": FIRST_TASTE}
        return found.with_own(own, np.zeros(C, dtype=int), P + 1) if self.own else found

    def to_fit(self):
        """(rows, pairs (m, 2) of them) of the table's answers."""
        table, P = self.table, len(self.table.people)
        if self.layout is None:
            own = self.own and person_pairs(self.X, table.pairs, table.person, np.eye(P, P + 1))
            return own or (self.X, table.pairs)
        told = np.column_stack([table.pairs, table.person * (self.own or len(self.layout.groups) > 0)])
        _, first, of = np.unique(told, axis=0, return_index=True, return_inverse=True)
        once = table[first]  # one row for all answers to the same question
        rows, pairs = self._of_design(once, once.pairs, once.person)
        return rows, pairs[of.ravel()]

    def _of_design(self, table, pairs, person):
        """(rows, pairs): a row of zeros, and for each answer the difference of its two rows, paired with that.

        f is a sum of effects, so a difference of two rows has the difference of their values. `person` may be −1.
        """
        layout = self.layout
        a, b = (layout.of_answers(table, pairs[:, side]) for side in (0, 1))
        told = b - a + (layout.order_rows()[1] if ORDER_BLOCK in layout.blocks else 0.0)
        if self.own:
            one = np.eye(len(layout.levels))
            apart = one[layout.level[pairs[:, 1]]] - one[layout.level[pairs[:, 0]]]
            told = np.hstack([told, products(np.eye(len(self.table.people) + 1)[person], apart)])
        rows = np.vstack([np.zeros(told.shape[1]), told])
        return rows, np.column_stack([np.zeros(len(told), dtype=int), 1 + np.arange(len(told))])

    def to_predict(self, model, table, item, X):
        """(rows or Items, pairs of them) of another table's answers; item, X : its items, −1 for new ones."""
        people = self.table.people
        who = people.get_indexer(table.people)
        if self.layout is not None:
            return self._of_design(table, item[table.pairs], who[table.person])
        if not self.own:
            return items_at(model.items_, item, X), table.pairs
        rows, pairs = person_pairs(X, table.pairs, table.person, np.eye(len(people) + 1)[who])  # −1: the last
        of_row = np.empty((2, len(rows)), dtype=int)
        of_row[:, pairs] = item[table.pairs], np.column_stack([who[table.person]] * 2)
        return self._met(model, rows, *of_row), pairs

    def of(self, X, person=None):
        """Rows for inputs X: of the common function, or of one person, by name."""
        people = self.table.people
        if not self.own:
            if person is None:
                return X
            raise ValueError(f'person is {person!r}, but people is "one": PairStudy(people="own") tells them apart.')
        who = np.zeros(len(people) + 1)
        if person is not None:
            if not np.isscalar(person) or person not in people:
                raise ValueError(
                    f"person is {person!r}, who is not in column {people.name!r}; there are "
                    f"{listed(people)}{nearest(person, people)}."
                )
            who[people.get_loc(person)] = 1.0
        if self.layout is None:
            return np.hstack([X, np.tile(who, (len(X), 1))])
        rows = X if person is None else self.layout.of_rater(X, person)
        return np.hstack([rows, products(np.tile(who, (len(X), 1)), self.layout.compared_of(X))])

    def items(self, model, person=None):
        """The items of the fit as Items of the model: of the common function, or of one person."""
        rows = self.of(self.X, person)
        if self.layout is not None or (self.own and person is None):
            return Items(rows)
        if not self.own:
            return model.items_
        return self._met(model, rows, np.arange(len(rows)), self.table.people.get_loc(person))

    def _met(self, model, rows, item, person):
        """Rows [x, who] as Items of the model: of the fit if this person (q,) met this item (q,) there, −1 is none."""
        P = len(self.table.people)
        met = pd.Index(np.unique(self.table.pairs * P + self.table.person[:, None]))  # the order of person_pairs
        place = met.get_indexer(np.where((item < 0) | (person < 0), -1, item * P + person))
        return items_at(model.items_, place, rows)
