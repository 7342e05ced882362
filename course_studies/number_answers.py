"""Ratings as numbers: the models, values, intervals, forecasts and scores of a study of them.

Lecture: 14, section 2.
"""

import numpy as np
import pandas as pd
from scipy.stats import norm

from course_lib.gp.likelihoods.normal_tails import Interval
from course_studies.cautions import warn_of_ends, warn_of_weight
from course_studies.comparing import log_evidence
from course_studies.defaults import number_models, variance_of_means
from course_studies.results import KnownItems, estimates

NEW_RATER = -1  # a rater who is not in the fit


class NumberAnswers:
    """Numbers with one Gaussian noise, as in a MultiSampleGP; subclasses override what is different in other models.

    model : fitted or not;  table : RatingTable of its fit, with rated items and raters only
    X : rows of the items, in the model's units;  has_design : whether these are weights of a design's effects
    """

    tells_raters = has_gains = False
    takes_repeats = takes_design = True
    lowest = 0.0  # the mark that the model counts as 0
    to_marks = None  # what maps values to expected marks

    def __init__(self, model, table, X=None, has_design=False):
        self.model, self.table, self.X, self.has_design = model, table, X, has_design

    @property
    def unit(self):
        """Unit of the values."""
        return self.table.rating_name

    @property
    def first_variance(self):
        """Where the search for the size of the kernel begins."""
        return variance_of_means(self.table)

    def to_fit(self):
        """(n, R) ratings, or (n, R, K) with repeats, if the model takes them."""
        ratings = self.table.answers - self.lowest
        if ratings.shape[2] == 1:
            return ratings[:, :, 0]
        if not self.takes_repeats:
            raise ValueError(
                f"table holds {ratings.shape[2]} ratings of an item by one rater, and {type(self.model).__name__} "
                "takes one: from_long(…, repeats='mean'), or RaterGP(bias_std=…, opinion_std=…)."
            )
        return ratings

    def with_scale(self, model):
        """The model with the table's scale, unless it has one."""
        return model.set_params(scale=self.table.scale) if model.scale is None else model

    def rivals(self):
        """{name: model} of which a study without a model takes the one with the greatest evidence."""
        return {"one noise": self.model}  # or the only one

    def warn(self, is_default):
        """Warn of ratings with which this model may mislead; is_default: the user did not choose it."""
        if is_default:
            warn_of_ends(self.table)

    def known(self, rows=None):
        """KnownItems of the items of the fit, or of rows of a design."""
        if rows is not None:
            return KnownItems(*self.model.predict_latent(rows, return_cov=True))
        moments = self.model.predict_latent(self.model.items_, return_cov=True)
        return KnownItems(*self.levelled(*moments), self.to_marks)

    def levelled(self, mean, cov):
        """Moments of values with the level of the marks, where gains leave the level open."""
        return mean, cov

    def values(self, X=None):
        """(mean, standard deviation), (q,) each, of values at rows X; None: of the items of the fit."""
        return self.model.predict_latent(self.model.items_ if X is None else X)

    def on_scale(self, found):
        """{name: marks}, none beyond an end of the scale."""
        scale = self.table.scale
        return found if scale is None else {name: np.clip(marks, *scale) for name, marks in found.items()}

    def predicted(self, X, confidence):
        """{name: (q,)} as `RatingStudy.predict` has it; X as for `values`."""
        value, low, high = estimates(*self.values(X), confidence, self.to_marks)
        ends = self.model.answer_interval(self.model.items_ if X is None else X, confidence=confidence)
        answer_low, answer_high = (end + self.lowest for end in ends)
        found = {"value": value, "low": low, "high": high, "answer_low": answer_low, "answer_high": answer_high}
        return self.on_scale(found)

    @property
    def draws_biases(self):
        """Whether the model has biases that are neither inside gains nor effects of a design."""
        has_biases = getattr(self.model, "bias_std", None) is not None
        return has_biases and not self.has_gains and not self.has_design

    def drawn(self, known, size, rng):
        """{name: (names, (size, …) draws)}, joint draws of values and, if there are any, biases."""
        if not self.draws_biases:
            return {"value": (self.table.items, known.drawn(size, rng))}
        n, (mean, cov) = len(self.table.items), self.model.joint_moments()
        together = KnownItems(mean, cov)
        values, biases = np.split(together.sample(together.places, size, rng), [n], axis=1)
        if known.scale is not None:  # of what f, and f and a bias, come to in marks
            values, marks = known.scale(values), [known.scale(values + bias[:, None]) for bias in biases.T]
            biases = np.stack([(one - values).mean(axis=1) for one in marks], axis=1)
        return {"value": (self.table.items, values), "bias": (self.table.raters, biases)}

    def trust(self, confidence):
        """DataFrame of raters, as `RatingStudy.trust` has it."""
        raise ValueError(
            f"model is {type(self.model).__name__}, which does not tell raters apart; RatingStudy(RaterGP()) does."
        )

    def biases(self):
        """(R,) how much higher than the consensus each rater marks, on average over the items that they rated."""
        if self.model.bias_std is None:
            return np.zeros(len(self.table.raters))
        known = self.known(self.X if self.has_design else None)
        consensus = self.on_scale({"value": known.estimates(0.9)[0]})["value"]
        rated = (~np.isnan(self.table.Y.to_numpy())).T
        marks = [self.model.predict_answer(self.X[mine], rater=r)[0] for r, mine in enumerate(rated)]
        return np.array([(given - consensus[mine]).mean() for given, mine in zip(marks, rated, strict=True)])

    def learned_of_raters(self, confidence):
        """DataFrame (R, k) of what was learned of each rater."""
        return pd.DataFrame(index=self.table.raters)

    def largest_weight(self):
        """The greatest share of a rater in the consensus."""
        answers = np.bincount(self.table.rater)
        return float(answers.max() / answers.sum())

    def spreads(self):
        """(name, value, unit) of the sizes of random effects; those of a design are its kernel's."""
        item = self.table.items.name or "item"
        bias = "rater's bias, over gain" if self.has_gains else "rater's bias"
        nugget = f"{item}'s own, beside its features"
        for name, words in (("nugget_std", nugget), ("bias_std", bias), ("opinion_std", f"rater × {item}")):
            if not self.has_design and getattr(self.model, name, None) is not None:
                yield words, getattr(self.model, f"{name}_"), self.unit

    def by_rater(self, rater):
        """[(mask of the (m,) answers, keyword argument of the model for their rater, or for a new one)]."""
        if not self.tells_raters:
            return [(np.full(len(rater), True), {})]
        return [(rater == r, {"rater": "new" if r == NEW_RATER else int(r)}) for r in np.unique(rater)]

    @property
    def is_discrete(self):
        """Whether answers are labels or steps, so that they have probabilities and not densities."""
        likelihood = self.model.likelihood_
        return any(part.possible is not None for part in (likelihood, *likelihood.children))

    @property
    def evidence(self):
        """Integrated log evidence; NaN where it is not comparable with that of models of numbers."""
        return log_evidence(self.model)

    def of_each(self, method, X, rater, **settings):
        """(2, m) result of a method of the model for each row of X and its rater."""
        found = np.empty((2, len(X)))
        for mine, whose in self.by_rater(rater):
            found[:, mine] = method(X[mine], **whose, **settings)
        return found

    def expected(self, X, rater):
        """(mean, standard deviation), (m,) each, of raters' answers to X."""
        mean, std = self.of_each(self.model.predict_answer, X, rater)
        return mean + self.lowest, std

    def as_fitted(self, marks):
        """Marks in the unit of the model's answers."""
        return marks - self.lowest

    def covered(self, X, marks, rater, levels):
        """[(m,) whether each mark lies inside its interval] for intervals of each level."""
        marks = self.as_fitted(marks)
        if self.is_discrete:
            ends = [self.of_each(self.model.answer_interval, X, rater, confidence=level) for level in levels]
            return [(low <= marks) & (marks <= high) for low, high in ends]
        below = np.empty(len(X))
        for mine, whose in self.by_rater(rater):
            below[mine] = self.probability_up_to(X[mine], marks[mine], whose)
        return [np.abs(below - 0.5) <= level / 2 for level in levels]

    def probability_up_to(self, X, marks, whose):
        """(m,) P(answer ≤ mark)."""
        mean, std = self.model.predict_answer(X, **whose)
        return norm.cdf((marks - mean) / std)

    def log_scores(self, X, marks, rater, whole):
        """(m,) log densities of marks; if all are whole, log probabilities that answers lie within ½ of them."""
        found = np.empty(len(X))
        for mine, whose in self.by_rater(rater):
            score = self._log_probability if whole and not self.is_discrete else self._log_density
            found[mine] = score(X[mine], marks[mine], whose)
        return found

    def _log_density(self, X, marks, whose):
        return self.model.log_predictive_density(X, marks - self.lowest, **whose)

    def _log_probability(self, X, marks, whose):
        """(m,) log probability of whole marks; those at an end of the scale include all beyond."""
        mean, std = self.model.predict_answer(X, **whose)
        return Interval(*((end - mean) / std for end in self._ends(marks))).log_P

    def _ends(self, marks):
        low, high = (-np.inf, np.inf) if self.table.scale is None else self.table.scale
        return np.where(marks <= low, -np.inf, marks - 0.5), np.where(marks >= high, np.inf, marks + 0.5)


class SingleNumbers(NumberAnswers):
    """Numbers of a GPRegression, which has neither scale nor raters."""

    takes_repeats = takes_design = False
    evidence = np.nan

    def with_scale(self, model):
        return model


class RaterNumbers(NumberAnswers):
    """Numbers with a noise for each rater, of a RaterGP."""

    tells_raters = True

    @property
    def has_gains(self):
        """Whether raters differ in how much of the scale they use."""
        return self.model.gain_std is not None

    def rivals(self):
        return number_models(self.model, len(self.table.items), len(self.table.raters))

    def warn(self, is_default):
        warn_of_weight(self.model.rater_weight_, self.table)
        super().warn(is_default)

    def levelled(self, mean, cov):
        """Moments of values with the level of the raters' marks.

        With biases inside gains the level is that of the biases' prior, far from all marks if one rater hardly uses
        the scale. Differences are the model's; the mean is what raters, drawn anew, give on average.
        """
        if not self.has_gains:
            return mean, cov
        n, R = self.table.Y.shape
        above = (self.table.Y - mean[:n, None]).mean().to_numpy()
        apart = np.eye(len(mean))
        apart[:, :n] -= 1.0 / n
        variance = above.var(ddof=1) / R * (R - 1) / max(R - 3, 1) if R > 1 else 0.0  # of Student's t
        return mean + above.mean(), apart @ cov @ apart.T + variance

    def values(self, X=None):
        if not self.has_gains or self.has_design:
            return super().values(X)
        items = self.model.items_  # which hold the level
        asked = items if X is None else items.with_new(X)
        mean, cov = self.levelled(*self.model.predict_latent(asked, return_cov=True))
        std, first = np.sqrt(np.maximum(cov.diagonal(), 0.0)), 0 if X is None else len(items)
        return mean[first:], std[first:]

    def trust(self, confidence):
        found, model = pd.DataFrame(self.model.trust_table(confidence)), self.model
        rater = found.pop("rater").to_numpy()
        found = found.rename(columns={"std": "noise"}).assign(bias=self.biases()[rater], gain=model.gain_[rater])
        found = found.assign(weight=model.rater_weight_[found["region"], rater], told=found["noise"] / found["gain"])
        found = found.set_axis(self.table.raters[rater]).sort_values(["region", "told"], kind="stable")
        gain = ["gain"] if self.has_gains else []
        return found[["region", "noise", "low", "high", "bias", *gain, "weight", "answers"]]

    def biases(self):
        known = self.model.bias_std is not None and not self.has_gains
        return self.model.rater_bias_ if known else super().biases()

    def learned_of_raters(self, confidence):
        found = self.trust(confidence).sort_values("answers", kind="stable").drop(columns=["region", "answers"])
        found = found[~found.index.duplicated(keep="last")].reindex(self.table.raters)
        found = found.rename(columns={"low": "noise_low", "high": "noise_high"})
        if not self.has_gains:
            return found
        low, high = self.model.gain_interval(confidence, centred=True)
        return found.assign(gain_low=low, gain_high=high)

    def largest_weight(self):
        return float(np.nanmax(self.model.rater_weight_))

    def spreads(self):
        yield from super().spreads()
        model = self.model
        logs = np.log(model.rater_std_[model.answers_ > 0])
        yield "noise σ (median rater)", float(np.exp(np.median(logs))), self.unit
        yield "spread of log noise σ of raters", float(logs.std()), ""
        if self.has_gains:
            yield "spread of log gain of raters", float(np.log(model.gain_).std()), ""
