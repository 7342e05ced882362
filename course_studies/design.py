"""Designs of studies: what is compared, over what, by whom and when, and the columns of weights that follow.

Lecture: 14, section 2.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from course_lib import validation
from course_lib.gp.priors import Fixed
from course_studies.columns import chosen_names, joined, listed, names_in, nearest, numbers_in, plain
from course_studies.effects import Effects
from course_studies.pairs import WITHOUT_PARTS
from course_studies.ratings import with_repeats

LEVEL_BLOCK, ORDER_BLOCK = "the level", "the order"  # blocks that no column names
FREE_SPREADS = 10.0  # spreads of the answers: how large effects may be that are not drawn from a population
OVER_CONTEXTS = ("study", "new")


@dataclass(frozen=True)
class Design:
    """The design of a study, in the names of its columns.

    compare : the part of an item that is compared, such as "system"; None: the first part, or the items themselves
    over : the part or parts that it was tried on, such as "utterance", crossed or nested; None: all other parts
    group : a column of raters or people, such as "hearing": how each group judges what is compared
    order : a column of numbers, such as the trial: answers drift along it. Of pairs True: the side may count
    session : a column of answers whose levels (days, rooms) shift answers at random
    covariates : columns of numbers that describe raters, such as age: answers rise with them
    """

    compare: str | None = None
    over: object = None
    group: str | None = None
    order: object = None
    session: str | None = None
    covariates: tuple = ()


class Layout:
    """A design applied to a table: blocks of columns, an effect for each column, and weights of these for questions.

    blocks : {block in words: number of columns};  levels : C of what is compared;  contexts : V that it was tried on
    groups : G of raters or people;  level (n,), tried (n, V) : of each item;  typical : (C, V) weights of contexts
    """

    def __init__(self, design, table):
        self.design = _checked(validation.instance(design, Design, "design", "a Design(…), or None,"))
        self.pairs, self.items = hasattr(table, "pairs"), table.items
        self._items(table)
        self.blocks = {} if self.pairs else {LEVEL_BLOCK: 1}
        self.blocks[self.compared] = C = len(self.levels)
        V = len(self.contexts)
        if self.crossed:
            self.blocks |= {self.over: V, f"{self.compared} × {self.over}": C * V}
        elif V:
            self.blocks[f"{self.over} within {self.compared}"] = V
        self._answers(table)

    def _items(self, table):
        """Set the level and the context of each item."""
        design, parts = self.design, table.parts
        if parts is None:
            for name, given in (("compare", design.compare), ("over", design.over)):
                if given is not None:
                    how = f"from_long(…, item=[{given!r}, …]) says which columns make an item."
                    how = WITHOUT_PARTS if self.pairs else how
                    raise ValueError(f"{name} is {given!r}, but items {table.items.name!r} have no parts: {how}")
            n = len(table.items)
            self.compared, self.levels, self.level = str(table.items.name), table.items, np.arange(n)
            self.over, self.contexts, self.crossed = None, pd.Index([], dtype=object), False
            self.tried = self.typical = np.zeros((n, 0))
            return
        self.compared = parts.columns[0] if design.compare is None else design.compare
        rest = [name for name in parts.columns if name != self.compared]
        over = rest if design.over is None else design.over
        for argument, name in (("compare", self.compared), *(("over", name) for name in over)):
            if name not in parts.columns or (argument == "over" and name == self.compared):
                known = f"{listed(parts.columns)}{nearest(name, parts.columns)}"
                raise ValueError(f"{argument} is {name!r}; a part of the items is needed, another for each: {known}.")
        self.levels, self.level = names_in(parts[self.compared])
        self.over = " · ".join(map(str, over))
        self.contexts, context = names_in(joined(parts[over]).rename(self.over))
        self.tried = np.eye(len(self.contexts))[context]
        cells = np.zeros((len(self.levels), len(self.contexts)))
        cells[self.level, context] = 1.0
        self.n_cells, self.crossed = int(cells.sum()), bool((cells.sum(axis=0) > 1).any())
        cells = np.ones_like(cells) if self.crossed else cells
        self.typical = cells / cells.sum(axis=1, keepdims=True)
        if self.n_cells == len(self.levels):
            raise ValueError(
                f"each {self.compared} was tried on one {self.over}: their effects are confounded. Compare the items "
                f"themselves: from_long(…, item={self.compared!r}), and a Design without compare and over."
            )

    def __str__(self):
        words = f"{len(self.levels)} × {self.compared!r} compared"
        if self.over is not None:
            kind = f"crossed, {self.n_cells} of {len(self.levels) * len(self.contexts)} cells"
            kind = kind if self.crossed else f"nested, each in one {self.compared!r}"
            words += f" over {len(self.contexts)} × {self.over!r} ({kind})"
        if self.design.group is not None:
            words += f", by {len(self.groups)} groups {self.design.group!r}"
        if self.design.order is not None:
            words += ", order" if self.pairs else f", drift along {self.design.order!r}"
        words += "" if self.design.session is None else f", {len(self.sessions)} sessions {self.design.session!r}"
        return words + "".join(f", slope of {name!r}" for name in self.design.covariates)

    def _answers(self, table):
        """Add the blocks of groups, order, sessions and covariates."""
        design, C = self.design, len(self.levels)
        self.groups = ()
        if design.group is not None:
            self.groups, of = names_in(self._also(table, design.group, "group"))
            self.group_of = self._of_raters(table, of, "group", design.group)
            if len(self.groups) < 2:
                raise ValueError(f"group {design.group!r} has one level, {plain(self.groups[0])!r}; two are needed.")
            self.blocks |= {} if self.pairs else {design.group: len(self.groups)}
            self.blocks[f"{design.group} × {self.compared}"] = len(self.groups) * C
        self._order(table)
        if self.pairs and (design.session is not None or design.covariates):
            why = "answers to pairs are free of both: one person judges both items in one session"
            raise ValueError(f"session is {design.session!r} and covariates {design.covariates!r}; {why}.")
        if design.session is not None:
            self.sessions, _ = names_in(self._also(table, design.session, "session"))
            if len(self.sessions) < 2:
                raise ValueError(f"session {design.session!r} has one level; two are needed at least.")
            self.blocks[design.session] = len(self.sessions)
        self.scales = {}
        for name in design.covariates:
            numbers = self._numbers(table, name, "covariates")
            self._of_raters(table, numbers, "covariates", name)
            self.scales[name] = numbers.mean(), numbers.std()
            self.blocks[f"slope of {name}"] = 1

    def _order(self, table):
        if self.design.order is None:
            return
        if self.pairs != (self.design.order is True):
            needed = "of pairs True is needed, for the side, of ratings the name of a column of numbers"
            raise ValueError(f"order is {self.design.order!r}; {needed}.")
        if self.pairs and table.one_side:
            raise ValueError(
                f"order is True, and all answers are for the {table.one_side}: the effect of the side cannot be told "
                "from the items'. Where winners stand first, nobody knows which was shown first: leave out order."
            )
        if not self.pairs:
            numbers = self._numbers(table, self.design.order, "order")
            self.first, self.last = float(numbers.min()), float(numbers.max())
        self.blocks[ORDER_BLOCK] = 1

    def _also(self, table, name, argument):
        if table.also is None or name not in table.also.columns:
            known = "there is none" if table.also is None else f"there are {listed(table.also.columns)}"
            keep = f"{'from_pairs' if self.pairs else 'from_long'}(…, also=[{name!r}])"
            raise ValueError(f"{argument} names {name!r}, which the table did not keep ({known}): {keep}.")
        return table.also[name]

    def _numbers(self, table, name, argument):
        series = self._also(table, name, argument)
        numbers = numbers_in(series)
        if np.isnan(numbers).any() or np.ptp(numbers) == 0:
            what = "is empty in some rows" if np.isnan(numbers).any() else f"is {numbers[0]:g} in all rows"
            raise ValueError(f"column {name!r} ({argument}) {what}; numbers that differ are needed in every row.")
        return numbers

    def _of_raters(self, table, values, argument, name):
        """{rater: value}, if each rater has one value."""
        found, who = {}, (table.people[table.person] if self.pairs else table.raters[table.rater])
        for rater, value in zip(map(plain, who), values, strict=True):
            if found.setdefault(rater, value) != value:
                what = "it must describe the rater. What changes between answers is an order or a session"
                raise ValueError(f"column {name!r} ({argument}) differs between answers of {rater!r}; {what}.")
        return found

    width = property(lambda self: sum(self.blocks.values()))  # how many columns there are

    def _rows(self, level, contexts, groups, rest):
        """(k, D) weights: of levels (k,), contexts (k, V) and groups (k, G), and of blocks in `rest`; others are 0."""
        one, what, name = np.eye(len(self.levels))[level], self.compared, self.design.group
        of_contexts = {self.over: contexts, f"{what} × {self.over}": products(one, contexts)}
        of_groups = {name: groups, f"{name} × {what}": products(groups, one)}
        parts = {LEVEL_BLOCK: np.ones((len(one), 1)), what: one, f"{self.over} within {what}": contexts}
        parts |= of_contexts | of_groups | rest
        return np.hstack([parts.get(block, np.zeros((len(one), size))) for block, size in self.blocks.items()])

    def of_levels(self, level, over="study", group=None):
        """(k, D) weights of levels (k,) over contexts of the study or new ones, of all groups or that of a number."""
        return self._rows(level, self.typical[level] * (over == "study"), self._groups_of(len(level), group), {})

    def of_items(self, item, group=None):
        """(k, D) weights of items (k,);  group : as for `of_levels`."""
        return self._rows(self.level[item], self.tried[item], self._groups_of(len(item), group), {})

    def _groups_of(self, count, group=None):
        G = len(self.groups)
        return np.full((count, G), 1.0 / max(G, 1)) if group is None else np.tile(np.eye(G)[group], (count, 1))

    def of_answers(self, table, item):
        """(m, D) weights of a table's answers to items (m,) of the layout; for pairs without the order effect."""
        G, rest = len(self.groups), {}
        groups = np.eye(G)[self._known(table, "group", self.groups)] if G else np.zeros((len(item), 0))
        if not self.pairs and self.design.order is not None:
            trial = self._numbers(table, self.design.order, "order")
            rest[ORDER_BLOCK] = ((trial - (self.first + self.last) / 2) / (self.last - self.first))[:, None]
        if self.design.session is not None:
            rest[self.design.session] = np.eye(len(self.sessions))[self._known(table, "session", self.sessions)]
        for name, (mean, spread) in self.scales.items():
            rest[f"slope of {name}"] = ((self._numbers(table, name, "covariates") - mean) / spread)[:, None]
        return self._rows(self.level[item], self.tried[item], groups, rest)

    def cells(self, table):
        """(distinct rows (n, D), answers (n, R) or (n, R, K) to them) of a table of ratings."""
        rows, cell = np.unique(self.of_answers(table, table.item), axis=0, return_inverse=True)
        answers = with_repeats(cell.ravel(), table.rater, table.rating, (len(rows), len(table.raters)))
        return rows, answers[:, :, 0] if answers.shape[2] == 1 else answers

    def _known(self, table, argument, levels):
        name = getattr(self.design, argument)
        found = levels.get_indexer(self._also(table, name, argument))
        if (found < 0).any():
            raise ValueError(f"column {name!r} ({argument}) has levels that are not in the fit: {listed(levels)} are.")
        return found

    def _columns(self, block):
        """Slice of the columns of a block."""
        first = sum(list(self.blocks.values())[: list(self.blocks).index(block)])
        return slice(first, first + self.blocks[block])

    def compared_of(self, rows):
        """(k, C) of rows, the weights of what is compared."""
        return rows[:, self._columns(self.compared)]

    def of_rater(self, rows, rater):
        """Rows of pairs with the effects of this person's group."""
        if not len(self.groups):
            return rows
        group, rows = np.eye(len(self.groups))[[self.group_of[rater]] * len(rows)], rows.copy()
        rows[:, self._columns(f"{self.design.group} × {self.compared}")] = products(group, self.compared_of(rows))
        return rows

    def order_rows(self):
        """(2, D) weights: 0, and the drift from the first trial to the last; for pairs, preference for the second."""
        rows = np.zeros((2, self.width))
        rows[1, self._columns(ORDER_BLOCK)] = 1.0
        return rows

    def asked(self, of=None, over="study", by=None, group=None):
        """[({column: what is said}, names, (k, D) weights)]: the values that a question is about, see `ranking`."""
        there = {self.compared: True, "item": True, "group": len(self.groups), "order": ORDER_BLOCK in self.blocks}
        known = tuple(name for name in there if there[name])
        of = validation.one_of(self.compared if of is None else of, known, "of")
        validation.one_of(over, OVER_CONTEXTS, "over")
        if over == "new" and (not len(self.contexts) or of in ("item", "order")):
            raise ValueError(f"over is 'new', and of {of!r}; that is for what was tried on several of something else.")
        if by is not None and (of != "group" or by != self.compared):
            raise ValueError(f"by is {by!r} and of {of!r}; with of='group' it may be {self.compared!r}, else None.")
        if group is not None and (of in ("group", "order") or not np.isscalar(group) or group not in self.groups):
            may = f"{self.compared!r} or 'item' it may be "
            may += f"one of {listed(self.groups)}" if len(self.groups) else "a design with groups"
            raise ValueError(f"group is {group!r} and of {of!r}; with of={may}.")
        one = None if group is None else self.groups.get_loc(group)
        by = self.compared if self.pairs and of == "group" else by  # of pairs, only differences of items are known
        said, every = ({"over": over} if len(self.contexts) and of != "order" else {}), np.arange(len(self.levels))
        if of == "order":
            ends = ("first", "second") if self.pairs else (self.first, self.last)
            return [(said, pd.Index(ends, name="order"), self.order_rows())]
        if of == "item" and self.contexts.size:
            return [({}, self.items, self.of_items(np.arange(len(self.items)), one))]
        if of != "group":
            return [(said, self.levels, self.of_levels(every, over, one))]
        each = np.stack([self.of_levels(every, over, k) for k in range(len(self.groups))])  # (G, C, D)
        if self.pairs:
            each = each - each.mean(axis=1, keepdims=True)
        if by is None:
            return [(said, self.groups, each.mean(axis=1))]
        return [({by: name, **said}, self.groups, each[:, c]) for c, name in enumerate(self.levels)]

    def kernel(self, spread, held, own=()):
        """Effects of all columns: random ones start at parts of a spread, fixed ones have the spread `held`."""
        fixed = {LEVEL_BLOCK, ORDER_BLOCK, self.design.group, *(f"slope of {name}" for name in self.design.covariates)}
        spreads = {name: spread / (1 if name == self.compared else 2) for name in self.blocks}
        spreads |= {name: held for name in self.blocks if name in fixed}
        block = np.repeat(np.arange(len(self.blocks)), list(self.blocks.values()))
        held = {name: Fixed() for name in self.blocks if name in fixed}
        return Effects(spreads, block, own).with_priors(**held)


def _checked(design):
    """The design with valid names, and lists of them where several are allowed."""
    for argument in ("compare", "group", "order", "session"):
        name = getattr(design, argument)
        if not np.isscalar(name) and name is not None:
            raise ValueError(f"{argument} is {name!r}; the name of one column is needed, or None.")
    return replace(
        design,
        order=None if design.order is False else design.order,
        over=None if design.over is None else chosen_names(design.over, "over"),
        covariates=() if design.covariates == () else chosen_names(design.covariates, "covariates"),
    )


def products(first, second):
    """(k, p · q) all products of weights (k, p) and (k, q)."""
    return np.einsum("kp,kq->kpq", first, second).reshape(len(first), -1)
