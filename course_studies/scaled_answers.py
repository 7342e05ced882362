"""Ratings on a scale: bounded marks, exact or rounded, and ordered labels.

Lecture: 14, section 2.
"""

import numpy as np
import pandas as pd
from scipy.special import ndtr

from course_studies.defaults import levels_of
from course_studies.number_answers import NumberAnswers
from course_studies.results import N_DRAWS, KnownItems

LEAST_DIFFERENCE = 1e-9  # of distribution functions: a smaller one has lost too many digits


class ScaledAnswers(NumberAnswers):
    """Answers whose scale is not that of f: one of an item by each rater, without a design."""

    takes_repeats = takes_design = False
    unit, first_variance, evidence = "of f", 1.0, np.nan

    def warn(self, is_default):
        """These models account for the ends of the scale."""


class BoundedAnswers(ScaledAnswers):
    """Marks on a bounded scale, exact or rounded to steps, of a BoundedGP."""

    def with_scale(self, model):
        scale = self.table.scale
        if scale is None:
            return model
        if (model.low, model.high) not in ((0.0, 1.0), scale):
            raise ValueError(
                f"model has the scale from {model.low:g} to {model.high:g}, the table from {scale[0]:g} to "
                f"{scale[1]:g}."
            )
        return model.set_params(low=scale[0], high=scale[1])

    @property
    def to_marks(self):
        """What maps f to the expected mark."""
        return self.model.expected_mark

    def as_fitted(self, marks):
        """Marks as fitted: moved inside from an end, or rounded to steps."""
        model = self.model
        return marks if model.inside is model.step is None else model._on_scale(model._to_unit(marks))

    def view(self, X, whose):
        """(likelihood, mean, variance) of f at X."""
        mean, std = self.model.predict_latent(X)
        return self.model.likelihood_, mean, std**2

    def probability_up_to(self, X, marks, whose):
        """(m,) P(answer ≤ mark); marks may lie beyond the ends."""
        share = (marks - self.model.low) / (self.model.high - self.model.low)
        likelihood, mean, variance = self.view(X, whose)
        found = likelihood.probability_up_to(np.clip(share, 1e-9, 1.0 - 1e-9), mean, variance)
        return np.where(share <= 0, 0.0, np.where(share >= 1, 1.0, found))

    def _log_probability(self, X, marks, whose):
        (low, high), ends = self.table.scale, self._ends(marks)
        below, up_to = (self.probability_up_to(X, end, whose) for end in ends)
        density = self._log_density(X, np.clip(marks, low + 0.25, high - 0.25), whose)
        apart = up_to - below
        return np.where(apart > LEAST_DIFFERENCE, np.log(np.maximum(apart, LEAST_DIFFERENCE)), density)


class BoundedRaterAnswers(BoundedAnswers):
    """Marks on a bounded scale with a precision for each rater, of a BoundedRaterGP."""

    tells_raters = True

    def view(self, X, whose):
        return self.model._view(X, **whose)

    def trust(self, confidence):
        low, high = self.model.precision_interval(confidence)
        found = {"precision": self.model.rater_precision_, "low": low, "high": high, "bias": self.biases()}
        found = pd.DataFrame({**found, "answers": np.bincount(self.table.rater)}, index=self.table.raters)
        return found.sort_values("precision", ascending=False, kind="stable")

    def largest_weight(self):
        weight = np.bincount(self.table.rater) * self.model.rater_precision_
        return float(weight.max() / weight.sum())


class OrdinalAnswers(ScaledAnswers):
    """Ordered labels, of an OrdinalRaterGP, reported as marks."""

    tells_raters, draws_biases = True, False

    @property
    def lowest(self):
        """The mark of label 0."""
        return self.table.scale[0]

    def to_fit(self):
        levels_of(self.table)
        return super().to_fit()

    def with_scale(self, model):
        low, high = self.table.scale
        if model.levels != high - low + 1:
            raise ValueError(f"model has {model.levels} levels; the table's scale is {low:g} to {high:g}.")
        return model

    def known(self, rows=None):
        return labelled_items(self.model, self.lowest)

    def values(self, X=None):
        mean, std = self.model.predict(self.model.items_ if X is None else X, return_std=True)
        return mean + self.lowest, std

    def trust(self, confidence):
        return pd.DataFrame({**self._habits(), "answers": np.bincount(self.table.rater)}, index=self.table.raters)

    def _habits(self):
        """{column: (R,)}: bias (marks above the mean of all raters' for the same items), and cut points."""
        model, R = self.model, len(self.table.raters)
        parts = np.resize(np.array(model.likelihood_.children, dtype=object), R)
        shift = model.rater_bias_ if model.bias_std is not None else np.zeros(R)
        each = np.array([part.mean(model.consensus_ + b).mean() for part, b in zip(parts, shift, strict=True)])
        cuts = enumerate((model.cuts_ - shift[:, None]).T)
        names = {f"{self.lowest + k:g}|{self.lowest + k + 1:g}": cut for k, cut in cuts}
        return {"bias": each - each.mean(), **names}

    def largest_weight(self):
        """NaN: no rater has a noise."""
        return np.nan


def labelled_items(model, low):
    """KnownItems of a fitted OrdinalRaterGP: compared by f, with draws of the mean marks that raters would give.

    Means are over biases, or over the raters' cut points. They are known even where the level of f is not: draws of f
    go with the cut points of the same member of an averaged model.

    low : the mark of label 0
    """
    latent, rng, mean = model.latent_, np.random.default_rng(0), model.consensus_
    members, shares = (latent.members_, latent.shares_) if latent.members_ else ((latent,), np.ones(1))
    whose, marks = rng.choice(len(members), N_DRAWS, p=shares), np.empty((N_DRAWS, len(mean)))
    for k in np.unique(whose):
        centre, cov = (part[model._rows] for part in members[k].item_moments())
        f = rng.multivariate_normal(centre, cov[:, model._rows], np.sum(whose == k), method="eigh")
        bias = 0.0 if model.bias_std is None else members[k].kernel_.bias_std
        marks[whose == k] = low + _mean_label(members[k].likelihood_.children, f, bias)
    return KnownItems(mean, model.consensus_cov_, draws=marks)


def _mean_label(parts, f, bias_std):
    """(…,) mean label, the expected number of cuts below, over raters (parts) and biases N(0, bias_std²)."""
    found, noise = np.zeros(np.shape(f)), np.sqrt(1.0 + bias_std**2)
    for cut in np.concatenate([part.cuts for part in parts]):
        found += ndtr((f - cut) / noise)
    return found / len(parts)
