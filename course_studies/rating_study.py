"""A study of ratings: consensus, trust, contrasts and ranking as data frames, under the names of items and raters.

Lecture: 14, section 2.
"""

from collections.abc import Sequence
from typing import Self

import numpy as np
import pandas as pd
from sklearn.base import clone

from course_lib import validation
from course_lib.gp import GPRegression
from course_lib.judgments.marks.bounded import BoundedGP
from course_lib.judgments.panels.bounded_raters import BoundedRaterGP
from course_lib.judgments.panels.multisample import MultiSampleGP, RepeatedGP
from course_lib.judgments.panels.ordinal_raters import OrdinalRaterGP
from course_lib.judgments.panels.raters import RaterGP
from course_lib.metrics import proportion
from course_lib.settings import KW_ONLY, settings
from course_studies.cautions import warn_of_another_scale, warn_of_beyond, warn_of_floating
from course_studies.comparing import comparison, mean_by_rater
from course_studies.defaults import DEFAULT_MODELS, number_model, whole_marks
from course_studies.design import FREE_SPREADS
from course_studies.number_answers import NumberAnswers, RaterNumbers, SingleNumbers
from course_studies.ratings import RatingTable, refuse_constant
from course_studies.scaled_answers import BoundedAnswers, BoundedRaterAnswers, OrdinalAnswers
from course_studies.screening import screened
from course_studies.studies import Study
from course_studies.units import Units

MAX_BEYOND = 0.06  # of the scale's length, by which a consensus may lie beyond all marks of its item unsaid
COVERAGE_LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
RATING_ANSWERS = {
    MultiSampleGP: NumberAnswers,
    RaterGP: RaterNumbers,
    BoundedGP: BoundedAnswers,
    BoundedRaterGP: BoundedRaterAnswers,
    OrdinalRaterGP: OrdinalAnswers,
    GPRegression: SingleNumbers,
}


def answers_of(model, table):
    """Answers object of a table for a copy of an unfitted model."""
    kinds = [RATING_ANSWERS[one] for one in type(model).__mro__ if one in RATING_ANSWERS]
    if not kinds or RepeatedGP in type(model).__mro__:
        *names, last = (one.__name__ for one in RATING_ANSWERS)
        raise ValueError(f"model is {model!r}; {', '.join(names)} or {last} is needed.")
    return kinds[0](clone(model), table)


@settings
class RatingStudy(Study):
    """A model of ratings, fitted to a RatingTable; it answers in data frames with the table's names.

    Parameters
    ----------
    model : MultiSampleGP, RaterGP, BoundedGP, BoundedRaterGP, OrdinalRaterGP or GPRegression; a copy is fitted, on the
        table's scale unless it has one. None: a RaterGP with biases, and of three the one with the greatest evidence:
        one noise of all raters; unequal noises, pooled; these with gains, as some use more of the scale than others
        (up to 150 raters without repeats). Beyond 600 items and raters: unequal noises. With repeats it has opinions,
        with features a nugget; where raters gave fewer than three answers each, it is a MultiSampleGP. `compare` shows
        these models beside each other.
    design : None, or a Design: how the study was made. Of items that are combinations, such as a system's utterances,
        None compares their first part over the others. It needs a Gaussian model without a kernel, or None.
    standardize : whether to standardise features; without a kernel in the model, each then has a lengthscale of its
        own. New items are given in the columns' own units.
    plug_in : True: the best hyper-parameters are taken as known; False: they are averaged over, see `Study`
    response : the kind of ratings, where no model is given: "number"; on a scale "bounded", a BoundedRaterGP of more
        than 11 different marks (moved inside by half a step); of whole marks "rounded", a Gaussian cut off at the ends
        and rounded; or, of up to 11, "ordinal", an OrdinalRaterGP with shared cut points. All results are in marks.

    Attributes
    ----------
    model_ : the fitted model;  answers_ : what ratings are to it;  table_ : what it was fitted to
    items_, raters_ : names of those with ratings;  features_ : names of the features' columns, or None
    version_ : of the library

    >>> import pandas as pd
    >>> from course_studies import RatingStudy, from_wide
    >>> marks = {"Ann": [40, 60, 75], "Ben": [50, 62, 80], "Zoë": [45, 66, 78]}
    >>> marks = pd.DataFrame(marks, index=["a", "b", "c"])
    >>> study = RatingStudy().fit(from_wide(marks))
    >>> study.consensus()[["consensus", "answers", "plain_mean"]].round()
          consensus  answers  plain_mean
    item
    a          45.0        3        45.0
    b          63.0        3        63.0
    c          77.0        3        78.0
    """

    _: KW_ONLY
    response: str = "number"

    _tables = RatingTable, "from_long or from_wide"

    def fit(self, table: RatingTable, y: object = None) -> Self:
        """Learn from a RatingTable; y is there for scikit-learn's sake."""
        validation.unused(y, "y", "the table holds the ratings")
        given = self._table(table)
        table = given.rated()
        if validation.one_of(self.response, tuple(DEFAULT_MODELS), "response") != "number" and self.model is not None:
            raise ValueError(f"response is {self.response!r}, and model says what answers are: give one of them.")
        if len(table.items) < 2:
            raise ValueError(f"table holds ratings of {len(table.items)} item; two are needed, to be compared.")
        layout, is_default = self._layout(table), self.model is None
        if layout is not None and self.response != "number":
            raise ValueError(
                f"response is {self.response!r}, and items have parts, or there is a design: these need numbers. "
                "Items named by one column can be bounded, rounded or ordinal."
            )
        answers = answers_of(DEFAULT_MODELS[self.response](table) if is_default else self.model, table)
        if is_default or answers.tells_raters:
            refuse_constant(table)
        models, units, X, data = self._plain(answers) if layout is None else self._designed(answers, layout)
        model = self._best([answers.with_scale(one).fit for one in models], *data)
        answers = type(answers)(model, table, units(X), layout is not None)
        answers.warn(is_default and layout is None)
        warn_of_another_scale(table)
        warn_of_floating(table, layout, model.kernel_, units(X))
        return self._keep(answers, layout, units, X, table_=given, raters_=table.raters)

    def _plain(self, answers):
        """(candidate models, Units, (n, D) rows of items, arguments of fit) without a design."""
        table = answers.table
        units = self._units_for(answers.model, table.X, table, answers.first_variance)
        models = answers.rivals().values() if self.model is None else [answers.model]
        return models, units, table.X, (units(table.X), answers.to_fit())

    def _designed(self, answers, layout):
        """As _plain, with a design; raters have opinions of what is compared if they judged it more than once."""
        model, table = answers.model, answers.table
        if self.model is None:
            model.set_params(kernel=None)
        if not answers.takes_design or model.kernel is not None or model.nugget_std is not None:
            raise ValueError(
                f"model is {self.model!r}; a design needs RaterGP or MultiSampleGP without kernel and nugget, "
                "or None: the design says what varies."
            )
        spread = np.sqrt(answers.first_variance)
        if self.model is None and answers.tells_raters:
            again = len(table) > len(np.unique(np.column_stack([layout.level[table.item], table.rater]), axis=0))
            model.set_params(opinion_std=spread / 2 if again else None)
        own = [layout.compared] if model.opinion_std is not None else []
        model.set_params(kernel=layout.kernel(spread, FREE_SPREADS * float(np.std(table.rating)), own))
        units = Units(np.zeros((1, layout.width)), False)  # columns are weights, which stay as they are
        return [model], units, layout.of_items(np.arange(len(table.items))), layout.cells(table)

    def _known_items(self, rows=None):
        return self.answers_.known(rows)

    def consensus(self, confidence: float = 0.9, centred: bool = False, **whose: object) -> pd.DataFrame:
        """DataFrame with a row for each rated item: consensus, low, high, answers, plain_mean.

        The interval is of the value that infinitely many raters would agree on; of labels, of the mean mark of this
        study's raters. Warns of items whose consensus lies beyond all marks given to them.

        centred : True: all of them above the mean of the items, which is known better where raters have biases
        whose : of, over and group, of a design, as for `ranking`"""
        ((_, names, known),) = self._asked_for(**whose)
        value, low, high = known.estimates(confidence, validation.flag(centred, "centred"))
        found = {"consensus": value, "low": low, "high": high}
        if not centred and whose.get("of") != "order":  # these are differences
            found = self.answers_.on_scale(found)
        found, of_each = pd.DataFrame(found, index=names), self._names_of_answers(names)
        if of_each is None:
            return found
        ratings = pd.Series(self.table_.rating)
        if whose.get("group") is not None:
            ratings = ratings.where(self.table_.also[self.design.group].to_numpy() == whose["group"])
        ratings = ratings.groupby(of_each)
        found = found.join(pd.DataFrame({"answers": ratings.count(), "plain_mean": ratings.mean()}))
        if centred:
            return found.assign(plain_mean=found["plain_mean"] - found["plain_mean"].mean())
        length = np.ptp(self.table_.rating if self.table_.scale is None else self.table_.scale)
        warn_of_beyond(found["consensus"], ratings.min(), ratings.max(), MAX_BEYOND * length)
        return found

    def _names_of_answers(self, names):
        """The name, of these, that each rating is about; None if names are not of items or their parts."""
        table = self.table_
        if names.name == table.items.name:
            return table.items[table.item]
        if table.parts is not None and names.name in table.parts.columns:
            return table.parts[names.name].to_numpy()[table.item]
        return None if table.also is None or names.name not in table.also.columns else table.also[names.name]

    def predict(self, frame: pd.DataFrame | None = None, confidence: float = 0.9) -> pd.DataFrame:
        """DataFrame with a row for each item: value, low, high; answer_low, answer_high of the next rating.

        frame : DataFrame with the features' columns, in their own units and any order, each row of which is a new
            item; None: the items of the fit
        """
        self._fitted()
        if frame is not None:
            names, X = self._inputs(frame)
        else:
            names, X = self.items_, self.answers_.X if self.answers_.has_design else None
        return pd.DataFrame(self.answers_.predicted(X, confidence), index=names)

    def trust(self, confidence: float = 0.9) -> pd.DataFrame:
        """DataFrame with a row for each rater (and region): region, noise, low, high, bias, weight, answers.

        The most precise come first. `bias`: how much higher than the consensus a rater marks, on average over the
        items that they rated. `region`: the part of the items where the noise holds, 0 without regions. `weight`:
        their share in the consensus of the region. Where the evidence does not tell raters apart, all have one noise.

        With gains also `gain`, by how much a rater's marks rise where the consensus rises by one; the least noise for
        its gain comes first, and who reverses the scale last. Of BoundedRaterGP: precision, low, high, bias, answers.
        Of OrdinalRaterGP: bias, in marks, cut points ("3|4" is that between 3 and 4) in units of the noise of a label,
        and answers; it does not tell how noisy a rater is."""
        return self._fitted() and self.answers_.trust(confidence)

    def screen(self, confidence: float = 0.9) -> pd.DataFrame:
        """DataFrame with a row for each rater, the most suspicious first: `keep`, a suggestion, `reasons`, numbers.

        As `screened` has it and, where the model has a noise for each rater, what it learned of them: noise and
        (centred) gain with intervals, bias, weight (of regions: in the one with the most answers)."""
        found = screened(self._fitted() and self.table_, confidence)
        return found.join(self.answers_.learned_of_raters(confidence))

    def _drawn(self, size, rng, **whose):
        ((_, _, known),) = self._asked_for(**whose)
        return self.answers_.drawn(known, size, rng) if self.layout_ is None else super()._drawn(size, rng, **whose)

    def deviations(self):
        """DataFrame (R, n) of ratings minus the consensus, a row for each rater; NaN where missing."""
        consensus = self.consensus()["consensus"]
        wide = self.table_.Y.loc[self.items_, self.raters_]
        return wide.sub(consensus, axis=0).T

    def forecasts(self, table: RatingTable) -> pd.DataFrame:
        """DataFrame with a row for each rating of a table: item, rater, rating, mean, std of what the model expected.

        Raters who are not in the fit are new ones. An item whose name is in the fit is that item; others are new ones,
        or left out where items are known by name alone."""
        table, rater, X = self._predictable(table)
        mean, std = self.answers_.expected(X, rater)
        found = {"item": table.items[table.item], "rater": table.raters[table.rater], "rating": table.rating}
        return pd.DataFrame({**found, "mean": mean, "std": std})

    def _predictable(self, table):
        """(ratings that the model can predict, their raters in the fit or NEW_RATER, their items for the model)."""
        self._fitted()
        table = self._table(table)
        item = self.items_.get_indexer(table.items)[table.item]
        table = table[(item >= 0) | (self.features_ is not None)]
        if not len(table):
            raise ValueError("table holds no rating of an item of the fit.")
        rater = self.raters_.get_indexer(table.raters)[table.rater]
        if self.layout_ is not None:
            return table, rater, self.layout_.of_answers(table, self.items_.get_indexer(table.items)[table.item])
        return table, rater, self._asked_by_name(table)[table.item]

    def _log_scores(self, table):
        """((m,) log density, or of whole marks log probability, of each rating of a table, (m,) their raters)."""
        table, rater, X = self._predictable(table)
        whole = whole_marks(self.table_) and whole_marks(table)
        return self.answers_.log_scores(X, table.rating, rater, whole), table.rater

    def log_score(self, table: RatingTable) -> tuple[float, float]:
        """(mean, standard error): log density of the ratings of a table, as forecast, per unit of the rating.

        Where all ratings and ends of the scale are whole, in the study's table too, the log probability that an answer
        lies within ½ of a mark, or beyond it at an end: so models of numbers, bounded marks and labels compare. The
        standard error is over raters, each with all of their answers."""
        return mean_by_rater(*self._log_scores(table))

    def compare(self, table: RatingTable, folds: int = 5) -> pd.DataFrame:
        """DataFrame with a row for each model: evidence, log_score, log_score_se, coverage, largest_weight, chosen.

        The models: the study's own, if it has one; one noise (with biases), unequal noises, with gains; on a scale
        bounded; of whole marks rounded and, of at most 11, ordinal. All but the evidence is of raters whom the model
        has not seen, in folds: each is predicted by a fit of the others with plugged-in hyper-parameters.

        evidence : log evidence with what was learned integrated out, unlike that of `learned`; of models of numbers
            alone, as that of bounded marks and labels is of other data
        coverage : share of the answers inside 90 % intervals; those of labels hold more
        largest_weight : the greatest share of a rater in the consensus
        chosen : which this study fits; without a model, that of the numbers with the greatest evidence"""
        table = self._table(table)
        if self._layout(table) is not None:
            raise ValueError("the study has a design; models are compared of items without parts, and design=None.")
        warn_of_another_scale(table)
        rated = table.rated()
        models = {} if self.model is None else {type(self.model).__name__: self.model}
        models |= answers_of(number_model(rated), rated).rivals()
        for name, default in DEFAULT_MODELS.items() if table.answers.shape[2] == 1 else ():
            try:
                models |= {} if name == "number" else {name: default(rated)}
            except ValueError:  # marks that have no such scale
                continue
        found = comparison(self, table, models, folds)
        chosen = self.response if self.model is None else type(self.model).__name__
        chosen = found["evidence"].idxmax() if chosen == "number" else chosen
        return found.assign(chosen=found.index == chosen)

    def score(self, table: RatingTable, y: object = None) -> float:
        """R² of the expected answers as forecasts of the ratings of a table; noise of raters keeps it below 1."""
        from sklearn.metrics import r2_score  # half a second to import

        validation.unused(y, "y", "the table holds the ratings")
        found = self.forecasts(table)
        return float(r2_score(found["rating"], found["mean"]))

    def coverage(self, table: RatingTable, levels: Sequence[float] = COVERAGE_LEVELS) -> pd.DataFrame:
        """DataFrame: for each level the share of a table's ratings inside the interval that is to hold so many.

        Columns level, share, low, high (90 % interval of the share, as of independent ratings), answers. Use ratings
        that the fit has not seen: `study.fit(table[train]).coverage(table[test])`."""
        table, rater, X = self._predictable(table)
        levels = validation.real_array(levels, "levels")
        if levels.ndim != 1:
            raise ValueError(f"levels has shape {levels.shape}; some numbers between 0 and 1 are needed: (k,).")
        levels = [validation.between(level, "levels", 0, 1) for level in levels.tolist()]
        inside = self.answers_.covered(X, table.rating, rater, levels)
        share, low, high = np.transpose([proportion(hits, 0.9) for hits in inside])
        return pd.DataFrame({"level": levels, "share": share, "low": low, "high": high, "answers": len(table)})
