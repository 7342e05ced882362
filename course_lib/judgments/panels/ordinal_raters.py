"""Raters who sort into ordered labels, each with thresholds of their own: what is "4" to one is "3" to another.

Lecture: 09, section 7.
"""

import numpy as np

from course_lib import validation
from course_lib.gp import LatentModel, Ordinal, Views
from course_lib.gp.model import r_squared
from course_lib.gp.observations import NONE, Observations
from course_lib.judgments.panels.answers import answer_table
from course_lib.judgments.panels.likelihoods import NEW, Alike, OneOf
from course_lib.judgments.panels.multisample import centred_normal, half_width

LEVEL = 1.5  # how far the raters' common cut points, and logarithms of gaps, may be from where the search begins


class OrdinalRaterGP(LatentModel):
    """Labels y_nr = 0 … L−1: the interval between the cut points of rater r into which f(x_n) plus unit noise falls.

    A rater who marks high has low cut points, one who avoids the ends has the outer ones far out: so biases and scale
    use are both in the thresholds. Each rater's first cut point, and the logarithm of each gap to the next, scatter
    round those of all raters by cut_std. Who has given few labels, or one label never, is taken to be like the others.

    Parameters
    ----------
    kernel : as for `LatentGP`. Its variance is in squares of the noise of one label, which is 1 for everybody: a
        rater whose answers scatter more than the others' is not known as such; `RaterGP` tells them.
    levels : L ≥ 2
    cut_std : spread of the raters' first cut points, and of the logarithms of their gaps, > 0
    inference : "laplace", "ep" or "variational"
    optimize, n_restarts, rng, max_iter, progress : as for `LatentGP`

    Attributes
    ----------
    cuts_ : (R, L − 1) cut points of each rater, ascending
    consensus_, consensus_std_ : (n,) f at the items, in units of the noise of a label
    kernel_, likelihood_, log_evidence_, converged_ … as for `LatentGP`

    The raters' mean first cut point and mean log gaps have a wide prior, N(start, 1.5²), which holds the cut points of
    a label that nobody gave. Cut points are learned, and not averaged over; `averaged()` does that. They have no
    intervals: the level and the scale that all of them share with f are too little known for those of Laplace to hold.

    Source: Chu & Ghahramani (2005), "Gaussian processes for ordinal regression"; Johnson (1996), "On Bayesian analysis
    of multirater ordinal data", for thresholds of each rater. Lecture: 09, section 7.
    """

    def __init__(
        self,
        kernel=None,
        *,
        levels=5,
        cut_std=0.5,
        inference="laplace",
        optimize=True,
        n_restarts=0,
        rng=None,
        max_iter=200,
        progress=False,
    ):
        self.kernel = kernel
        self.levels = levels
        self.cut_std = cut_std
        self.inference = inference
        self.optimize = optimize
        self.n_restarts = n_restarts
        self.rng = rng
        self.max_iter = max_iter
        self.progress = progress

    def fit(self, X, Y):
        """Learn from X (n, D) and labels Y (n, R), whole numbers 0 … L−1, NaN where a rater gave none.

        Raises
        ------
        ValueError
            If an item or a rater has no label, one is none of 0 … L−1, or shapes or settings are not what they should
            be.

        Lecture: 09, section 7.
        """
        X, levels = validation.sequence(X, "X"), validation.whole(self.levels, "levels", least=2)
        table = answer_table(Y, len(X), (0, levels - 1))
        rater, item = np.nonzero(~np.isnan(table.T))
        y = Ordinal(levels).check(table[item, rater])
        parts = [Ordinal(levels, first_cut=cut) for cut in _first_cuts(table, levels)]
        spread = validation.positive(self.cut_std, "cut_std")
        likelihood = Alike(parts, np.bincount(rater), spread, level_std=LEVEL)
        views = Views(item, np.full(len(item), NONE), len(X))
        observations = Observations(X, views, y, likelihood, kinds=("values",) * len(parts))
        return self._keep(latent_=self._latent_gp().fit(observations), n_raters_=len(parts))

    @property
    def cuts_(self):
        """(R, L − 1) cut points of each rater, ascending."""
        return np.array([part.cuts for part in self.likelihood_.children])

    @property
    def consensus_(self):
        """(n,) f at the items of the fit."""
        return self._fitted().item_moments()[0]

    @property
    def consensus_std_(self):
        """(n,) how surely that is known."""
        return np.sqrt(np.maximum(self._fitted().item_moments()[1].diagonal(), 0.0))

    def consensus_interval(self, confidence=0.9, *, centred=True):
        """(low, high), (n,) each: between them lies what f of an item is above the mean of all n of them.

        The level of f has no interval: f and all cut points could be moved together, and no label would tell. So
        `centred` can only be True. What two items are apart is `difference_interval`.

        Raises
        ------
        ValueError
            If the model is not fitted, confidence is not between 0 and 1, or centred is False.

        Lecture: 09, section 7.
        """
        if not validation.flag(centred, "centred"):
            raise ValueError("centred is False; labels do not tell the level of f: centred=True is needed.")
        mean, std = centred_normal(*self._fitted().item_moments())
        half = half_width(confidence) * std
        return mean - half, mean + half

    def predict(self, X_new, return_std=False, new_items=False):
        """The expected label of somebody with the thresholds of one of the raters; with return_std how surely.

        Raises
        ------
        ValueError
            As predict_latent.

        Lecture: 06, section 7.
        """
        return_std = validation.flag(return_std, "return_std")
        likelihood, mean, variance = self._view(X_new, NEW, new_items)
        expected, spread = likelihood.predict_mean(mean, variance)
        return (expected, np.sqrt(spread)) if return_std else expected

    def predict_answer(self, X_new, *, rater=NEW, new_items=False):
        """(mean, std), (q,) each, of the next label.

        Parameters
        ----------
        X_new : (q, D)
        rater : "new": somebody who was never seen, with the thresholds of one of the raters; or int, 0 … R−1
        new_items : as for predict_latent

        Raises
        ------
        ValueError
            As predict_latent, and if there is no such rater.

        Lecture: 09, section 7.
        """
        likelihood, mean, variance = self._view(X_new, rater, new_items)
        expected, spread = likelihood.predict(mean, variance)
        return expected, np.sqrt(spread)

    def answer_interval(self, X_new, confidence=0.9, *, rater=NEW, new_items=False):
        """(low, high), (q,) labels: the next one lies between them, ends included, with at least this probability.

        Arguments and errors as predict_answer, and if confidence is not between 0 and 1. Lecture: 07, section 5.
        """
        tail = 0.5 - 0.5 * validation.between(confidence, "confidence", 0, 1)
        likelihood, mean, variance = self._view(X_new, rater, new_items)
        return tuple(likelihood.quantile(p, mean, variance) for p in (tail, 1.0 - tail))

    def predict_labels(self, X_new, *, rater=NEW, new_items=False):
        """(q, L) probability of each label as the next one. Arguments and errors as predict_answer.

        Source: Chu & Ghahramani (2005), section 3.3. Lecture: 09, section 7.
        """
        likelihood, mean, variance = self._view(X_new, rater, new_items)
        each = [likelihood.log_predictive_density(np.full(len(mean), y), mean, variance) for y in range(self.levels)]
        return np.exp(each).T

    def log_predictive_density(self, X_new, y_new, *, rater=NEW, new_items=False):
        """(q,) log probability of new labels y_new (q,).

        Raises
        ------
        ValueError
            As predict_answer, and if there is not a label for each row.

        Lecture: 07, section 6.
        """
        likelihood, mean, variance = self._view(X_new, rater, new_items)
        y_new = validation.real_array(y_new, "y_new")
        if y_new.shape != mean.shape:
            raise ValueError(
                f"y_new has shape {y_new.shape} and X_new {len(mean)} rows; one label for each of them is needed."
            )
        try:
            y_new = Ordinal(self.levels).check(y_new)
        except ValueError as error:
            raise ValueError(f"y_new: {error}") from None
        return likelihood.log_predictive_density(y_new, mean, variance)

    def _view(self, X_new, rater, new_items):
        """(likelihood, mean, variance) of what this rater's labels are of: f at X_new."""
        mean, std = self.predict_latent(X_new, new_items=new_items)
        parts = self.likelihood_.children
        if isinstance(rater, str) and rater == NEW:
            return OneOf(parts), mean, std**2
        if validation.whole(rater, "rater", least=0) >= len(parts):
            raise ValueError(f'rater is {rater!r}; the raters are 0 … {len(parts) - 1}, and "new".')
        return parts[rater], mean, std**2

    def score(self, X, y):
        """R² of the expected labels as forecasts of all labels y (n, R) to items X, NaN where one is missing.

        Raises
        ------
        ValueError
            As predict, and if y does not hold labels of the rows of X.

        Lecture: 08, section 1.
        """
        return r_squared(X, y, self.predict)


def _first_cuts(table, levels):
    """(R,) where the search for the first cut points begins: the higher a rater's labels, the lower."""
    return -0.5 * (levels - 2) - (np.nanmean(table, axis=0) - np.nanmean(table))
