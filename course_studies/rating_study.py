"""A study of ratings: consensus, trust, contrasts and ranking as data frames, under the names of items and raters.

Lecture: 14, section 2.
"""

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components
from scipy.stats import norm
from sklearn.base import clone

from course_lib import validation
from course_lib.gp import GPRegression, White
from course_lib.gp.questions import centred_normal, normal_interval
from course_lib.judgments.marks.bounded import BoundedGP
from course_lib.judgments.panels.bounded_raters import BoundedRaterGP
from course_lib.judgments.panels.multisample import MultiSampleGP, RepeatedGP
from course_lib.judgments.panels.ordinal_raters import OrdinalRaterGP
from course_lib.judgments.panels.raters import RaterGP
from course_lib.metrics import proportion
from course_studies.columns import listed
from course_studies.comparing import (
    WeightWarning,
    comparison,
    log_scores,
    mean_by_rater,
    number_models,
    probability_up_to,
    warn_of_beyond,
)
from course_studies.connected import warn_of_floating
from course_studies.design import ANY
from course_studies.labelled import MOST_LABELS, LabelledItems, label_habits, levels_of, whole_marks
from course_studies.levels import levelled, marked_above, warn_of_another_scale
from course_studies.ratings import RatingTable, refuse_constant
from course_studies.results import KnownItems
from course_studies.screening import screened
from course_studies.studies import Study, Units

MODELS = (MultiSampleGP, BoundedGP, GPRegression, OrdinalRaterGP)
NAMED = ("MultiSampleGP", "RaterGP", "BoundedGP", "BoundedRaterGP", "OrdinalRaterGP", "GPRegression")
TELLS_APART = (RaterGP, BoundedRaterGP, OrdinalRaterGP)  # raters
RESPONSES = ("number", "bounded", "rounded", "ordinal")
OWN = 0.3  # of the spread of the items' means: where the search for the nugget begins
SOMEBODY = -1  # a rater who is not in the fit
FEW = 3  # answers of a rater from which a noise of their own can be told at all
NEAR = 0.5  # spread of the logarithms of the raters' noises round one level, as `RaterGP` has it
EQUAL_MARKS = 1e-9  # of the sum of squares: rounding
MANY_ON_AN_END = 0.5  # of the marks
BEYOND = 0.06  # of the scale's length, by which a consensus may lie beyond all marks of its item unsaid
LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


class EndsWarning(UserWarning):
    """Half of the marks or more lie on one end of a scale of few whole marks."""


class RatingStudy(Study):
    """A model of ratings, fitted to a RatingTable; it answers in data frames with the table's names.

    Parameters
    ----------
    model : MultiSampleGP, RaterGP, BoundedGP, BoundedRaterGP, OrdinalRaterGP or GPRegression; a copy is fitted. The
        table's scale becomes the model's, unless it has one. None takes a RaterGP with
        biases, and of these three the one with the greatest evidence: one noise, that of all raters; unequal noises
        that keep near to each other (pooling); these with gains, as some use more of the scale than others, and one
        may hardly use it (of up to 150 raters without repeats). Of more than 600 items and raters unequal noises are
        taken, as to compare would take minutes. Where raters repeat, it has opinions; where items have
        features, a nugget, what these do not tell of an item. Of raters with fewer than three answers each it takes
        MultiSampleGP. `compare` shows these models beside each other.
    design : None, or a Design: how the study was made. Of items that are combinations, such as a system's utterances,
        None compares their first part over the others. It needs a Gaussian model without a kernel, or None.
    plug_in : True: the best hyper-parameters are taken as known; False: they are averaged over, see `Study`
    standardize : whether features are put into standard deviations inside; without a kernel in the model, each then
        has a lengthscale of its own. New items are given in the columns' own units.
    response : what ratings are where no model is given: "number"; on the table's scale "bounded", a BoundedRaterGP
        (marks are moved inside by half a step) of more than 11 marks; of whole marks "rounded", a Gaussian cut off at
        the ends, of which each mark is a step; or, of up to 11, "ordinal", an OrdinalRaterGP with cut points that
        raters share, and biases. All answers are in marks.

    Attributes
    ----------
    model_ : the fitted model;  table_ : what it was fitted to;  items_, raters_ : names of those with ratings
    features_ : names of the features' columns, or None;  version_ : of the library
    """

    response = "number"  # of studies that an earlier version kept

    def __init__(self, model=None, *, design=None, standardize=False, plug_in=False, response="number"):
        self.model = model
        self.design = design
        self.response = response
        self.standardize = standardize
        self.plug_in = plug_in

    def fit(self, table, y=None):
        """Learn from a RatingTable; y is there for scikit-learn's sake."""
        validation.unused(y, "y", "the table holds the ratings")
        table = self._table(table, RatingTable, "from_long or from_wide")
        if self.model is not None and (not isinstance(self.model, MODELS) or isinstance(self.model, RepeatedGP)):
            raise ValueError(f"model is {self.model!r}; {', '.join(NAMED[:-1])} or {NAMED[-1]} is needed.")
        if validation.one_of(self.response, RESPONSES, "response") != "number" and self.model is not None:
            raise ValueError(f"response is {self.response!r}, and model says what answers are: give one of them.")
        given, table = table, table.rated()
        if len(table.items) < 2:
            raise ValueError(f"table holds ratings of {len(table.items)} item; two are needed, to be compared.")
        if self.model is None or isinstance(self.model, TELLS_APART):
            refuse_constant(table)
        layout = self._layout(table)
        rivals, units, X, data = self._plain(table) if layout is None else self._designed(table, layout)
        model = self._best([_with_scale(one, table.scale).fit for one in rivals], *data)
        _warn_of_weight(model, table)
        warn_of_another_scale(table)
        warn_of_floating(table, layout, model.kernel_, units(X))
        if self.model is None and self.response == "number" and layout is None:
            _warn_of_ends(table)
        return self._keep(
            model_=self._averaged(model),
            table_=given,
            layout_=layout,
            units_=units,
            X_=X,
            items_=table.items,
            raters_=table.raters,
            features_=None if table.features is None else list(table.features.columns),
        )

    def _default(self, table, response="number"):
        """The model of a table of which nothing more is said; what the numbers begin with matters little."""
        if response != "number":
            return self._of_scale(table, response)
        spread = np.sqrt(self._first_variance(table))
        own = None if table.features is None else OWN * spread
        if np.median(np.bincount(table.rater)) < FEW or len(np.unique(table.rater)) < 2:
            return MultiSampleGP(nugget_std=own)
        opinion = spread / 2 if table.answers.shape[2] > 1 else None
        alone = White(spread**2) if table.features is None else None  # names tell no two items to be alike
        return RaterGP(alone, bias_std=spread / 2, nugget_std=own, pooling=NEAR, opinion_std=opinion)

    @staticmethod
    def _of_scale(table, response):
        """The model of marks on the table's scale, bounded or labels in order."""
        if response == "ordinal":
            own = None if table.features is None else 0.5
            return OrdinalRaterGP(levels=levels_of(table), cut_std=None, bias_std=0.5, nugget_std=own)
        if table.scale is None:
            raise ValueError(f"table has no scale, and response is {response!r}: from_long(…, scale=(0, 100)).")
        (low, high), step = table.scale, 1.0 if whole_marks(table) else 0.01 * np.ptp(table.scale)
        if response == "bounded" and step == 1 and high - low < MOST_LABELS:
            raise ValueError(
                f"response is 'bounded', which takes marks for exact, and on the scale from {low:g} to {high:g} each "
                "stands for all that are nearer to it than to others: 'rounded' and 'ordinal' know that."
            )
        own = None if table.features is None else OWN
        if response == "rounded":
            if not whole_marks(table):
                raise ValueError(
                    "response is 'rounded', but not all marks are whole numbers: response='bounded' has none."
                )
            rounded = {"likelihood": "gaussian", "step": step}
            return BoundedRaterGP(low=low, high=high, bias_std=0.5, nugget_std=own, **rounded)
        inside = 0.5 * step / (high - low)  # half a step
        return BoundedRaterGP(low=low, high=high, inside=inside, bias_std=0.5, nugget_std=own)

    def _plain(self, table):
        """(models of which the best is taken, Units, (n, D) rows of items, what is fitted) without a design."""
        model, units = self._model_for(table.X, table, self._default(table, self.response))
        several = self.model is None and isinstance(model, RaterGP)
        models = number_models(model, len(table.items), len(table.raters)).values() if several else [model]
        return models, units, table.X, (units(table.X), self._answers(table))

    def _designed(self, table, layout):
        """As _plain, of a design; raters have opinions of what is compared if they judged it more than once."""
        if self.response != "number":
            raise ValueError(
                f"response is {self.response!r}, and items have parts, or there is a design: these need numbers. "
                "Items named by one column can be bounded, rounded or ordinal."
            )
        spread = np.sqrt(self._first_variance(table))
        again = len(table) > len(np.unique(np.column_stack([layout.level[table.item], table.rater]), axis=0))
        model = clone(self.model) if self.model is not None else self._default(table).set_params(kernel=None)
        if not isinstance(model, MultiSampleGP) or model.kernel is not None or model.nugget_std is not None:
            raise ValueError(
                f"model is {self.model!r}; a design needs RaterGP or MultiSampleGP without kernel and nugget, "
                "or None: the design says what varies."
            )
        if self.model is None and isinstance(model, RaterGP):
            model.set_params(opinion_std=spread / 2 if again else None)
        own = [layout.compared] if model.opinion_std is not None else []
        model.set_params(kernel=layout.kernel(spread, ANY * float(np.std(table.rating)), own))
        units = Units(np.zeros((1, layout.width)), False)  # columns are weights, which stay as they are
        return [model], units, layout.of_items(np.arange(len(table.items))), layout.cells(table)

    def _answers(self, table):
        """(n, R) ratings, or (n, R, K) with repeats, which not all models know; labels count from 0."""
        answers = table.answers
        if self.response == "ordinal" or isinstance(self.model, OrdinalRaterGP):
            levels_of(table)
            answers = answers - table.scale[0]
        if answers.shape[2] == 1:
            return answers[:, :, 0]
        if self.response != "number" or isinstance(self.model, (BoundedGP, GPRegression, OrdinalRaterGP)):
            takes = self.response if self.model is None else type(self.model).__name__
            raise ValueError(
                f"table holds {answers.shape[2]} ratings of an item by one rater, and {takes} "
                "takes one: from_long(…, repeats='mean'), or RaterGP(bias_std=…, opinion_std=…)."
            )
        return answers

    def _first_variance(self, table):
        if self.response != "number" or isinstance(self.model, (BoundedGP, OrdinalRaterGP)):
            return 1.0
        sums, counts = np.bincount(table.item, table.rating), np.bincount(table.item)
        return float((sums[counts > 0] / counts[counts > 0]).var()) or 1.0

    def _ends(self):
        """(low, high): of the scale, or of the ratings."""
        return self.table_.scale or (self.table_.rating.min(), self.table_.rating.max())

    def _unit(self):
        return "of f" if isinstance(self.model_, (BoundedGP, OrdinalRaterGP)) else self.table_.rating_name

    def _lowest(self):
        """The mark that the model counts as 0."""
        return self.table_.scale[0] if isinstance(self.model_, OrdinalRaterGP) else 0.0

    def _joint_of(self, rows):
        return KnownItems(*self.model_.predict_latent(rows, return_cov=True))

    def _joint(self):
        model = self.model_
        if isinstance(model, OrdinalRaterGP):
            return LabelledItems(model, self._lowest())
        mean, cov = self._levelled(*model.predict_latent(model.items_, return_cov=True))
        return KnownItems(mean, cov, model.expected_mark if isinstance(model, BoundedGP) else None)

    def _levelled(self, mean, cov):
        """Values of the items, and of others behind them, on the level of the marks, where gains leave it open."""
        return levelled(mean, cov, self.table_.rated()) if self._gains else (mean, cov)

    @property
    def _gains(self):
        return getattr(self.model_, "gain_std", None) is not None

    def consensus(self, confidence=0.9, centred=False, **whose):
        """DataFrame with a row for each rated item: consensus, low, high, answers, plain_mean.

        The interval holds the value that endlessly many raters would agree on with this probability; of labels, the
        mean mark of the raters of this study. A warning names items whose consensus lies beyond all marks given to
        them: the model also counts the marks of other items, and what raters of the item gave to these.

        centred : True: all of them above the mean of the items, which is known better where raters have biases
        whose : of, over and group, of a design, as for `ranking`
        """
        ((_, names, known),) = self._asked_for(**whose)
        if validation.flag(centred, "centred") or isinstance(known, LabelledItems):
            value, low, high = _of_items(known, validation.between(confidence, "confidence", 0, 1), centred)
            found = {"consensus": value, "low": low, "high": high}
        elif whose.get("of") == "order":  # what is added along it
            low, high = normal_interval(known.mean, np.sqrt(known.cov.diagonal()), confidence)
            found = {"consensus": known.mean, "low": low, "high": high}
        else:
            found = self._values(known.mean, np.sqrt(known.cov.diagonal()), confidence, "consensus")
        found, of_each = pd.DataFrame(found, index=names), self._names_of_answers(names)
        if of_each is None:
            return found
        ratings = pd.Series(self.table_.rating)
        if whose.get("group") is not None:
            ratings = ratings.where(self.table_.also[self.design.group].to_numpy() == whose["group"])
        ratings = ratings.groupby(of_each)
        found = found.join(pd.DataFrame({"answers": ratings.count(), "plain_mean": ratings.mean()}))
        if not centred:
            warn_of_beyond(found["consensus"], ratings.min(), ratings.max(), BEYOND * np.ptp(self._ends()))
        return found.assign(plain_mean=found["plain_mean"] - found["plain_mean"].mean()) if centred else found

    def _names_of_answers(self, names):
        """Which of the names each rating of the table is of, or None if names are of no items or parts of them."""
        table = self.table_
        if names.name == table.items.name:
            return table.items[table.item]
        if table.parts is not None and names.name in table.parts.columns:
            return table.parts[names.name].to_numpy()[table.item]
        return None if table.also is None or names.name not in table.also.columns else table.also[names.name]

    def predict(self, frame=None, confidence=0.9):
        """DataFrame with a row for each item: value, low, high; answer_low, answer_high of the next rating.

        frame : DataFrame with the features' columns, in their own units and any order, each row of which is a new
            item; None: the items of the fit
        """
        model = self._fitted()
        known = model.items_ if self.layout_ is None else self.units_(self.X_)
        names, X = (self.items_, known) if frame is None else self._inputs(frame)
        labels = isinstance(model, OrdinalRaterGP)
        mean, std = model.predict(X, return_std=True) if labels else model.predict_latent(X)
        if self._gains and self.layout_ is None:  # the items of the fit hold the level
            asked = known if frame is None else known.with_new(X)
            mean, cov = self._levelled(*model.predict_latent(asked, return_cov=True))
            mean, std = (each[-len(names) :] for each in (mean, np.sqrt(np.maximum(cov.diagonal(), 0.0))))
        found = self._values(mean + self._lowest(), std, confidence, "value")
        low, high = (end + self._lowest() for end in model.answer_interval(X, confidence=confidence))
        return pd.DataFrame({**found, **self._on_scale({"answer_low": low, "answer_high": high})}, index=names)

    def _values(self, mean, std, confidence, name):
        """{name, low, high}: values, on the scale of the marks if they are bounded."""
        low, high = normal_interval(mean, std, confidence)
        if isinstance(self.model_, BoundedGP):
            mean = self.model_.expected_mark(mean, std)
            low, high = self.model_.expected_mark(low), self.model_.expected_mark(high)
        elif isinstance(self.model_, OrdinalRaterGP):
            low, high = np.clip([low, high], *self.table_.scale)
        return self._on_scale({name: mean, "low": low, "high": high})

    def _on_scale(self, found):
        """{name: marks}, none beyond an end of the scale."""
        scale = self.table_.scale
        return found if scale is None else {name: np.clip(marks, *scale) for name, marks in found.items()}

    def trust(self, confidence=0.9):
        """DataFrame with a row for each rater (and region): region, noise, low, high, bias, weight, answers.

        The most precise come first. `bias` is what a rater marks higher (or lower, if negative) than the consensus, in
        marks, on average over the items that they rated. `region` is the part of the items in which the noise holds, 0
        if the model has no regions. `weight` is a rater's share in the consensus of the region: of all answers, each
        counted by its precision. Of BoundedRaterGP precision, low, high, bias, answers.

        Where the evidence does not tell raters apart, all have one noise.

        Of a model with gains also the gain, after the bias: by how much a rater's marks rise where the consensus rises
        by one; first is then the least noise for its gain. A rater who turns the scale round comes last: with the
        least gain, and a noise as great as the spread of their ratings.
        Of OrdinalRaterGP bias, in marks, each rater's cut points ("3|4" is that between 3 and 4), in units of the
        noise of a label, and answers; how noisy a rater is it does not tell.
        """
        model = self._fitted()
        if not isinstance(model, TELLS_APART):
            raise ValueError(
                f"model is {type(model).__name__}, which does not tell raters apart; RatingStudy(RaterGP()) does."
            )
        if isinstance(model, OrdinalRaterGP):
            answers = np.bincount(self.table_.rater)
            return label_habits(model, self.raters_, answers[answers > 0], self._lowest())
        if not isinstance(model, RaterGP):
            return self._precisions(model, confidence)
        found = pd.DataFrame(model.trust_table(confidence))
        rater = found.pop("rater").to_numpy()
        found = found.rename(columns={"std": "noise"}).assign(bias=self._biases()[rater], gain=model.gain_[rater])
        found = found.assign(weight=model.rater_weight_[found["region"], rater], told=found["noise"] / found["gain"])
        found = found.set_axis(self.raters_[rater])
        found = found.sort_values(["region", "told"], kind="stable")
        gain = ["gain"] if self._gains else []
        return found[["region", "noise", "low", "high", "bias", *gain, "weight", "answers"]]

    def _biases(self):
        """(R,) what each rater marks above the consensus, in marks."""
        model = self.model_
        if model.bias_std is None:
            return np.zeros(len(self.raters_))
        if isinstance(model, RaterGP) and not self._gains:
            return model.rater_bias_
        X = self.units_(self.X_)
        known = KnownItems(*model.predict_latent(X, return_cov=True)) if self.layout_ is not None else self._joint()
        consensus = self._values(known.mean, np.sqrt(known.cov.diagonal()), 0.9, "consensus")["consensus"]
        return marked_above(model, X, self.table_.rated(), consensus)

    def _precisions(self, model, confidence):
        """As trust, of raters whose noise is a precision."""
        low, high = model.precision_interval(confidence)
        answers = (~np.isnan(self.table_.Y.loc[self.items_, self.raters_].to_numpy())).sum(axis=0)
        found = {"precision": model.rater_precision_, "low": low, "high": high, "bias": self._biases()}
        found = pd.DataFrame({**found, "answers": answers}, index=self.raters_)
        return found.sort_values("precision", ascending=False, kind="stable")

    def screen(self, confidence=0.9):
        """DataFrame with a row for each rater, the most suspicious first: `keep`, a suggestion, `reasons`, numbers.

        What each rater shows beside what an ordinary rater of this panel would, as `screened` says; and, where the
        model tells raters apart, what it learned of them: noise and (centred) gain with intervals, bias, weight (of
        regions: of the one with the most answers).
        """
        found = screened(self._fitted() and self.table_, confidence)
        if not isinstance(self.model_, RaterGP):
            return found
        learned = self.trust(confidence).sort_values("answers", kind="stable").drop(columns=["region", "answers"])
        learned = learned[~learned.index.duplicated(keep="last")].reindex(self.raters_)
        learned = learned.rename(columns={"low": "noise_low", "high": "noise_high"})
        if self._gains:
            low, high = self.model_.gain_interval(confidence, centred=True)
            learned = learned.assign(gain_low=low, gain_high=high)
        return found.join(learned)

    def _drawn(self, size, rng, **whose):
        """As Study has it; and raters' biases, of a model that has them outside gains, drawn together with values."""
        model, known = self.model_, None if self.layout_ is not None else self._joint()
        apart = known is None or isinstance(known, LabelledItems) or self._gains
        if apart or getattr(model, "bias_std", None) is None:
            return super()._drawn(size, rng, **whose)
        n, (mean, cov) = len(self.items_), model.joint_moments()
        values, biases = np.split(KnownItems(mean, cov).sample(np.arange(len(mean))[:, None], size, rng), [n], axis=1)
        if known.scale is not None:  # of what f, and f and a bias, come to in marks
            values, marks = known.scale(values), [known.scale(values + bias[:, None]) for bias in biases.T]
            biases = np.stack([(one - values).mean(axis=1) for one in marks], axis=1)
        return {"value": (self.items_, values), "bias": (self.raters_, biases)}

    def _spread_rows(self):
        """The sizes of all that is drawn at random, in words."""
        model, item, unit = self.model_, self.items_.name or "item", self._unit()
        if getattr(model, "nugget_std", None) is not None:
            yield f"{item}'s own, beside its features", model.nugget_std_, unit
        bias = "rater's bias, over gain" if self._gains else "rater's bias"
        for name, said in (("bias_std", bias), ("opinion_std", f"rater × {item}")):
            if (
                self.layout_ is None and getattr(model, name, None) is not None
            ):  # the effects of a design are said above
                yield said, getattr(model, f"{name}_"), unit
        if isinstance(model, RaterGP):
            logs = np.log(model.rater_std_[model.answers_ > 0])
            yield "noise σ (median rater)", float(np.exp(np.median(logs))), unit
            yield "spread of log noise σ of raters", float(logs.std()), ""
            if self._gains:
                yield "spread of log gain of raters", float(np.log(model.gain_).std()), ""

    def deviations(self):
        """DataFrame (R, n): what each rater gave above the consensus, a column for each item; NaN where nothing."""
        consensus = self.consensus()["consensus"]
        wide = self.table_.Y.loc[self.items_, self.raters_]
        return wide.sub(consensus, axis=0).T

    def forecasts(self, table):
        """DataFrame with a row for each rating of a table: item, rater, rating, mean, std of what the model expected.

        Of raters who are not in the fit it expects what it does of somebody new. An item whose name is in the fit is
        that item; others are new ones, or, where items are known by name alone, left out.
        """
        table, rater, X = self._foreseeable(table)
        mean, std = self._of_each(rater, X, self.model_.predict_answer)
        mean = mean + self._lowest()
        found = {"item": table.items[table.item], "rater": table.raters[table.rater], "rating": table.rating}
        return pd.DataFrame({**found, "mean": mean, "std": std})

    def _foreseeable(self, table):
        """(ratings that the model can predict, their raters in the fit or SOMEBODY, their m items for the model)."""
        self._fitted()
        table = self._table(table, RatingTable, "from_long or from_wide")
        item = self.items_.get_indexer(table.items)[table.item]
        table = table[(item >= 0) | (self.features_ is not None)]
        if not len(table):
            raise ValueError("table holds no rating of an item of the fit.")
        rater = self.raters_.get_indexer(table.raters)[table.rater]
        if self.layout_ is not None:
            return table, rater, self.layout_.of_answers(table, self.items_.get_indexer(table.items)[table.item])
        return table, rater, self._asked_by_name(table)[table.item]

    def _of_each(self, rater, X, method, **settings):
        """A pair (m,), (m,) that the model says of each row of X, of its rater where it tells them apart."""
        found = np.empty((2, len(X)))
        for mine, whose in self._by_rater(rater):
            found[:, mine] = method(X[mine], **whose, **settings)
        return found

    def _by_rater(self, rater):
        """[(which of the (m,) answers, the argument that asks the model for their rater, or for somebody new)]."""
        if not isinstance(self.model_, TELLS_APART):
            return [(np.full(len(rater), True), {})]
        return [(rater == r, {"rater": "new" if r == SOMEBODY else int(r)}) for r in np.unique(rater)]

    def log_score(self, table):
        """(mean, standard error): log density of the ratings of a table, as forecast, per unit of the rating.

        Where all ratings and ends of the scale are whole, of the study's table too, it is the log probability of each
        whole mark: that an answer lies within ½ of it, or beyond, at an end of the scale. So models of numbers, of
        bounded marks and of labels can be compared. The standard error is over raters, each with all of their answers.
        """
        table, rater, X = self._foreseeable(table)
        return mean_by_rater(log_scores(self, table, rater, X), table.rater)

    def compare(self, table, folds=5):
        """DataFrame with a row for each model: evidence, log_score, log_score_se, coverage, largest_weight, chosen.

        The models: one noise (with biases, equal noises), unequal noises, with gains; where the table has a scale,
        bounded; where marks are whole, rounded (a Gaussian cut off at the ends, of which each mark is a step) and, of
        at most 11 of them, ordinal; first the study's own, if it has one. All but the
        evidence is of raters whom the model has not seen: they are parted into folds, and each fold is foretold by a
        fit of the others with the best hyper-parameters as known. What of it is for labels: `log_score`.

        evidence : log evidence with what was learned integrated out, so that it is not the one that `learned` has, of
            the learned values as known; of models of numbers alone, as that of bounded marks and of labels is of other
            data (marks on an end were moved; probabilities are no densities)
        coverage : share of the answers inside 90 % intervals; of labels these hold more
        largest_weight : the greatest share of a rater in the consensus
        chosen : which this study fits; without a model, that of the numbers with the greatest evidence
        """
        table = self._table(table, RatingTable, "from_long or from_wide")
        if self._layout(table) is not None:
            raise ValueError("the study has a design; models are compared of items without parts, and design=None.")
        warn_of_another_scale(table)
        default = self._default(table)
        models = {} if self.model is None else {type(self.model).__name__: self.model}
        models |= number_models(default, len(np.unique(table.item)), len(np.unique(table.rater)))
        for name in RESPONSES[1:] if table.answers.shape[2] == 1 else ():
            try:
                models[name] = self._default(table, name)
            except ValueError:  # marks that have no such scale
                continue
        found = comparison(self, table, models, folds)
        if self.model is not None:
            chosen = type(self.model).__name__
        elif self.response != "number":
            chosen = self.response
        else:
            chosen = found["evidence"].idxmax()
        return found.assign(chosen=found.index == chosen)

    def score(self, table, y=None):
        """R² of the expected answers as forecasts of the ratings of a table; noise of raters keeps it below 1."""
        from sklearn.metrics import r2_score  # half a second to import

        validation.unused(y, "y", "the table holds the ratings")
        found = self.forecasts(table)
        return float(r2_score(found["rating"], found["mean"]))

    def coverage(self, table, levels=LEVELS):
        """DataFrame: for each level the share of a table's ratings inside the interval that is to hold so many.

        Columns level, share, low, high (90 % interval of the share, as of independent ratings), answers. Ask it of
        ratings that the fit has not seen: `study.fit(table[train]).coverage(table[test])`.
        """
        table, rater, X = self._foreseeable(table)
        levels = validation.real_array(levels, "levels")
        if levels.ndim != 1:
            raise ValueError(f"levels has shape {levels.shape}; some numbers between 0 and 1 are needed: (k,).")
        levels = [validation.between(level, "levels", 0, 1) for level in levels.tolist()]
        if isinstance(self.model_, BoundedGP) and self.model_.step is None:
            below, rating = np.empty(len(X)), self._as_fitted(table.rating)
            for mine, whose in self._by_rater(rater):
                below[mine] = probability_up_to(self.model_, X[mine], rating[mine], whose)
            inside = [np.abs(below - 0.5) <= level / 2 for level in levels]
        elif isinstance(self.model_, (BoundedGP, OrdinalRaterGP)):
            interval = self.model_.answer_interval
            ends_of = [self._of_each(rater, X, interval, confidence=level) for level in levels]
            bounded = isinstance(self.model_, BoundedGP)
            rating = self._as_fitted(table.rating) if bounded else table.rating - self._lowest()
            inside = [(rating >= low) & (rating <= high) for low, high in ends_of]
        else:
            mean, std = self._of_each(rater, X, self.model_.predict_answer)
            z = np.abs(table.rating - mean) / std
            inside = [z <= norm.ppf(0.5 + level / 2) for level in levels]
        share, low, high = np.transpose([proportion(hits, 0.9) for hits in inside])
        return pd.DataFrame({"level": levels, "share": share, "low": low, "high": high, "answers": len(table)})

    def _as_fitted(self, marks):
        """Bounded marks as the fit has them: those on an end moved inside, or all in whole steps."""
        model = self.model_
        return marks if model.inside is model.step is None else model._on_scale(model._to_unit(marks))


def _warn_of_weight(model, table):
    """Say so if one rater, or few who gave the same marks, have most of the weight in the consensus."""
    weight = model.rater_weight_ if isinstance(model, RaterGP) else np.zeros((1, 0))
    if weight.shape[1] < 3:
        return
    n_groups, group = connected_components(_same_marks(table.answers[:, :, 0]), directed=False)
    together = np.array([np.bincount(group, row, n_groups) for row in np.nan_to_num(weight)])
    region, most = np.unravel_index(together.argmax(), together.shape)
    who = table.raters[group == most]
    if together[region, most] > 0.5 and len(who) < len(group):
        said = f"rater '{who[0]}' has" if len(who) == 1 else f"raters {listed(who)}, who gave the same marks, have"
        validation.warn(
            f"{said} {together[region, most]:.0%} of the weight in the consensus. One who uses little of the scale, "
            "or always says the same, is predicted best of all: look at the study's screen() and trust(); leave such "
            "a rater out, or let the model learn gains (gain_std=0.2, gain_degrees=2).",
            WeightWarning,
        )


def _same_marks(Y):
    """(R, R) whether two raters gave the same marks (n, R) to all items that both marked, of these three at least."""
    given = ~np.isnan(Y)
    marks = np.where(given, Y, 0.0)
    both = (given.T.astype(float) @ given).astype(int)
    squares = (marks**2).T @ given
    apart = squares + squares.T - 2.0 * marks.T @ marks
    return (both >= FEW) & (apart <= EQUAL_MARKS * (1.0 + squares))


def _warn_of_ends(table):
    """Say so if many marks, of few whole ones, lie on one end of the scale."""
    low, high = (table.rating.min(), table.rating.max()) if table.scale is None else table.scale
    if not whole_marks(table) or high - low >= MOST_LABELS:
        return
    end = max((low, high), key=lambda one: np.mean(table.rating == one))
    share = np.mean(table.rating == end)
    if share >= MANY_ON_AN_END and low < high:
        validation.warn(
            f"{share:.0%} of the marks are {end:g}, an end of the scale, where items that differ get the same mark. "
            "Contrasts here are of mean marks. RatingStudy(response='ordinal') takes marks for labels in order, and "
            "its p_better and ranking are of what lies behind them; study.compare(table) shows which predicts better.",
            EndsWarning,
        )


def _of_items(known, confidence, centred):
    """(value, low, high), (n,) each, of KnownItems on the scale of the answers; centred: above the mean of them."""
    if known.scale is None:
        mean, std = centred_normal(known.mean, known.cov)
        return mean, *normal_interval(mean, std, confidence)
    drawn = known.drawn()
    drawn = drawn - drawn.mean(axis=1, keepdims=True) if centred else drawn
    return drawn.mean(axis=0), *np.quantile(drawn, [0.5 - confidence / 2, 0.5 + confidence / 2], axis=0)


def _with_scale(model, scale):
    """The model, with the table's scale, which it may have already."""
    if scale is None or isinstance(model, GPRegression):
        return model
    if isinstance(model, OrdinalRaterGP):
        if model.levels != scale[1] - scale[0] + 1:
            raise ValueError(f"model has {model.levels} levels; the table's scale is {scale[0]:g} to {scale[1]:g}.")
        return model
    if isinstance(model, BoundedGP):
        if (model.low, model.high) not in ((0.0, 1.0), scale):
            raise ValueError(
                f"model has the scale from {model.low:g} to {model.high:g}, the table from {scale[0]:g} to "
                f"{scale[1]:g}."
            )
        return model.set_params(low=scale[0], high=scale[1])
    return model.set_params(scale=scale) if model.scale is None else model
