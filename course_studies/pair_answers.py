"""Answers to pairs: how choices, degrees and differences are read, modelled and predicted.

Lecture: 14, sections 2 and 4.
"""

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from sklearn.base import clone

from course_lib import validation
from course_lib.gp import squeeze
from course_lib.gp.likelihoods.rounded import number_of_steps, off_the_steps
from course_lib.judgments.comparisons.preference import PreferenceGP, Shares
from course_studies.columns import likeness, listed, nearest, numbers_in, plain, refuse_off_scale

TIE_WORDS = ("tie", "ties", "same", "equal", "draw", "neither", "none", "both", "no preference", "=")
NAMES_OF_ITEMS = "names"  # sides: answers are names of items, whatever they look like
SIDE_WORDS = (("0", "1"), ("1", "2"), ("-1", "1"), ("a", "b"), ("left", "right"), ("first", "second"))
NEAREST_TO_END = 1e-3  # degrees nearer to an end of their scale than this share of it are moved there


class UnanimousWarning(UserWarning):
    """No choice contradicts the others: they tell the order of the items, but not their distances."""


class PairAnswers:
    """Base class of the kinds of answers to pairs."""

    response = ""  # as `from_pairs` and PreferenceGP call it
    arguments = ()  # of from_pairs that say how these answers are written
    middle = 0.0  # the answer for neither side
    has_ties = False
    unit = "of f"  # of the items' values

    def __init__(self, model, table):
        """model : PreferenceGP, fitted or not; None for the kind's own;  table : PairTable of its fit."""
        self.table = table
        default = PreferenceGP(response=self.response, ties=table.has_ties, step=table.step)
        self.model = default if model is None else clone(self._checked(model))

    @staticmethod
    def read(said, given, **words):
        """((m,) answers, NaN where missing, step or None);  said, given : Series of the answer and of both items."""
        return numbers_in(said), None

    def _checked(self, model):
        """The model, if it can learn from this table's answers."""
        validation.instance(model, PreferenceGP, "model", "a PreferenceGP, or None,")
        table, step = self.table, self.table.step
        if model.response in PAIR_ANSWERS and model.response != self.response:
            raise ValueError(
                f"model has response {model.response!r}, but the answers in column {table.answer_name!r} came as "
                f"{self.response!r}."
            )
        if step is not None and model.step is None and model.response == self.response:
            raise ValueError(f"table has steps of {step:g}, and the model none; PreferenceGP(step={step:g}).")
        if table.has_ties and not model.ties:
            raise ValueError(
                f"column {table.answer_name!r} holds {int((table.answer == 0).sum())} ties, and the model takes none; "
                "PreferenceGP(ties=True) does, or leave them out: table[table.answer != 0]."
            )
        return model

    def shares(self, items, pairs):
        """Shares of the next answers to pairs (m, 2) of rows of the fitted model."""
        return self.model.predict_shares(items, pairs)

    def spreads(self):
        """(name, value, unit) of random effects: none besides the kernel's."""
        return ()

    def warn(self):
        """Warn of answers that may mislead."""


class Differences(PairAnswers):
    """How much better the second is than the first."""

    response = "difference"

    @property
    def unit(self):
        """Unit of the answers."""
        return self.table.answer_name


class Degrees(PairAnswers):
    """How much the second is preferred on a bounded scale."""

    response, arguments, middle = "degree", ("scale", "step"), 0.5

    @staticmethod
    def read(said, given, scale=None, step=None):
        """((m,) degrees strictly between 0 and 1, None), or (whole steps from 0 to 1, the step)."""
        answers = numbers_in(said)
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
                    f"column {said.name!r} says {plain(said.iloc[k])!r} in row {plain(said.index[k])!r}; degrees must "
                    f"be whole steps of {step:g} on the scale from {low:g} to {high:g} (step and scale)."
                )
            return np.rint(shares * steps) / steps, 1.0 / steps
        shares[~np.isnan(shares)] = squeeze(shares[~np.isnan(shares)], inside=NEAREST_TO_END)
        return shares, None


class Choices(PairAnswers):
    """Which of two is better: −1 is the first, +1 the second, 0 a tie."""

    response, arguments = "choice", ("sides", "tie")
    has_ties = True

    @staticmethod
    def read(said, given, sides=None, tie=None):
        """((m,) −1, 0 or +1, NaN where missing, None)."""
        ties = _checked_words(sides, tie)
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
        return answers, None

    def shares(self, items, pairs):
        """Averaged over draws of f, as choices leave its distribution skewed."""
        if self.model.response != self.response:  # but a likelihood
            return super().shares(items, pairs)
        drawn = self.model.latent_.draws(items)
        parts = [likelihood.sides(f[:, pairs[:, 1]] - f[:, pairs[:, 0]]) for likelihood, f in drawn]
        second, first = (np.concatenate(side).mean(axis=0) for side in zip(*parts, strict=True))
        return Shares(first, np.maximum(1.0 - first - second, 0.0), second)

    def warn(self):
        """Warn if all follow one order of the items, and there are more than it takes to connect these.

        Source: Ford (1957), "Solution of a ranking problem from binary comparisons": then likelihood has no maximum.
        """
        table, n = self.table, len(self.table.items)
        worse, better = np.where(table.sides[:, None] > 0, table.pairs, table.pairs[:, ::-1]).T
        won = coo_array((np.ones(len(better)), (better, worse)), shape=(n, n)).tocsr()
        if n <= len(table) and table.sides.all() and connected_components(won, connection="strong")[0] == n:
            validation.warn(
                f"no answer of {len(table)} contradicts the others: they tell the order of the items, but not how far "
                "apart these are. Which is better is as sure as it looks; of the sizes of differences only the lower "
                "ends come from the answers, the upper ends from the prior.",
                UnanimousWarning,
            )


PAIR_ANSWERS = {kind.response: kind for kind in (Choices, Degrees, Differences)}


def _checked_words(sides, tie):
    """The list of words for a tie, if all words are valid."""
    two = isinstance(sides, (list, tuple)) and len(sides) == 2 and all(map(np.isscalar, sides))
    if not (sides is None or (isinstance(sides, str) and sides == NAMES_OF_ITEMS) or (two and sides[0] != sides[1])):
        raise ValueError(f"sides is {sides!r}; (word for the first, another for the second) or 'names' is needed.")
    if tie is None:
        return []
    ties = list(tie) if isinstance(tie, (list, tuple)) else [tie]
    if not ties or not all(map(np.isscalar, ties)) or (two and set(ties) & set(sides)):
        raise ValueError(f"tie is {tie!r} and sides {sides!r}; a word of its own is needed for a tie, or a list.")
    return ties


def _refuse_two_readings(said, given, ties):
    """Raise ValueError if all answers are names of items in their rows and may be words for the sides as well."""
    decided = said.notna() & ~said.isin(ties)
    words, first, second = (one[decided].astype(object).map(likeness) for one in (said, *given))
    if not ((words == first) | (words == second)).all():
        return
    for left, right in _like_sides(words):
        if left == "0" or ((words == right) != (words == second)).any():  # 1 may stand for the first as well
            raise ValueError(
                f"column {said.name!r} holds {listed(said[decided].unique())}, names of items that may be words for "
                f"the two sides as well. If they are names: sides={NAMES_OF_ITEMS!r}; if they are sides: sides=(word "
                "for the first, word for the second)."
            )


def _like_sides(words):
    """Common pairs of words for the two sides that account for all words here."""
    return [pair for pair in SIDE_WORDS if words.isin(pair).all()]


def _signs(said, ties):
    """What −1, 0 and +1 mean; 0 and 1 alone are refused, because the library's 0 is a tie."""
    values = set(said.dropna().unique().tolist())
    if values <= {0, 1} and not ties:
        raise ValueError(
            f"column {said.name!r} holds only {sorted(int(v) for v in values)}; numbers mean −1 (the first), 0 (a "
            "tie), +1 (the second). If 0 stands for the first and 1 for the second: sides=(0, 1), else sides=(1, 0)."
        )
    if values <= {1, 2}:
        raise ValueError(f"column {said.name!r} holds only 1 and 2; if 1 stands for the first: sides=(1, 2).")
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
        hint = "; if words such as 'left' stand for the two: sides=(word for the first, word for the second)"
    raise ValueError(
        f"column {said.name!r} says {word!r} in row {plain(said.index[k])!r}, where {' or '.join(words)} is needed"
        f"{hint}. (sides={sides!r}, tie={ties or None!r})"
    )
