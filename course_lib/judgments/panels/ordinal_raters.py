"""Raters who sort into ordered labels, each with thresholds of their own: what is "4" to one is "3" to another.

Lecture: 06, section 7; 08, section 1; 09, section 7.
"""

import numpy as np

from course_lib import validation
from course_lib.gp import LatentModel, Ordinal
from course_lib.gp.model import r_squared
from course_lib.judgments.panels.answers import answer_table
from course_lib.judgments.panels.likelihoods import NEW, PooledLikelihood
from course_lib.judgments.panels.own_answers import OwnAnswers
from course_lib.settings import KW_ONLY, settings

LEVEL = 1.5  # how far the raters' common cut points, and logarithms of gaps, may be from where the search begins


@settings
class OrdinalRaterGP(OwnAnswers, LatentModel):
    """Labels y_nr = 0 … L−1: the interval between the cut points of rater r into which f(x_n) plus unit noise falls.

    A rater who marks high has low cut points, one who avoids the ends has the outer ones far out: so biases and scale
    use are both in the thresholds. Each rater's first cut point, and the logarithm of each gap to the next, scatter
    round those of all raters by cut_std. Who has given few labels, or one label never, is taken to be like the others.

    Parameters
    ----------
    kernel : as for `LatentGP`. Its variance is in squares of the noise of one label, which is 1 for everybody: a
        rater whose answers scatter more than the others' is not known as such; `RaterGP` tells them.
    levels : L ≥ 2
    cut_std : spread of the raters' first cut points, and of the logarithms of their gaps, > 0; None: all raters share
        their cut points
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
    of multirater ordinal data", for thresholds of each rater.
    """

    _: KW_ONLY
    levels: int = 5
    cut_std: float | None = 0.5
    inference: str = "laplace"

    def fit(self, X, Y):
        """Learn from X (n, D) and labels Y (n, R), whole numbers 0 … L−1, NaN where a rater gave none."""
        X, levels = validation.sequence(X, "X"), validation.whole(self.levels, "levels", least=2)
        table = answer_table(Y, len(X), (0, levels - 1))
        rater, item = np.nonzero(~np.isnan(table.T))
        y = Ordinal(levels).check(table[item, rater])
        if self.cut_std is None:
            parts, lengths = [Ordinal(levels)], [len(y)]
        else:
            parts, lengths = [Ordinal(levels, first_cut=cut) for cut in _first_cuts(table, levels)], np.bincount(rater)
        likelihood = PooledLikelihood(parts, lengths, self.cut_std, "cut_std", level_std=LEVEL)
        observations = self._panel(X, item, rater, y, likelihood, ("values",) * len(parts))
        return self._keep(
            latent_=self._latent_gp().fit(observations), n_raters_=table.shape[1], _rows=np.arange(len(X))
        )

    @property
    def cuts_(self):
        """(R, L − 1) cut points of each rater, ascending."""
        cuts = np.array([part.cuts for part in self.likelihood_.children])
        return np.broadcast_to(cuts, (self.n_raters_, self.levels - 1)).copy()

    def consensus_interval(self, confidence=0.9, *, centred=True):
        """(low, high), (n,) each: between them lies what f of an item is above the mean of all n of them.

        The level of f has no interval: f and all cut points could be moved together, and no label would tell. So
        `centred` can only be True. What two items are apart is `difference_interval`.
        """
        if not validation.flag(centred, "centred"):
            raise ValueError("centred is False; labels do not tell the level of f: centred=True is needed.")
        return super().consensus_interval(confidence, centred=True)

    def predict(self, X_new, return_std=False, new_items=False):
        """The expected label of somebody with the thresholds of one of the raters; with return_std how surely."""
        return_std = validation.flag(return_std, "return_std")
        likelihood, mean, variance = self._view(X_new, NEW, new_items)
        expected, spread = likelihood.predict_mean(mean, variance)
        return (expected, np.sqrt(spread)) if return_std else expected

    _one = "label"

    def predict_labels(self, X_new, *, rater=NEW, new_items=False):
        """(q, L) probability of each label as the next one. Arguments and errors as predict_answer.

        Source: Chu & Ghahramani (2005), section 3.3.
        """
        likelihood, mean, variance = self._view(X_new, rater, new_items)
        each = [likelihood.log_predictive_density(np.full(len(mean), y), mean, variance) for y in range(self.levels)]
        return np.exp(each).T

    def _check_answers(self, y_new):
        try:
            return Ordinal(self.levels).check(y_new)
        except ValueError as error:
            raise ValueError(f"y_new: {error}") from None

    def _on_scale(self, label, std=None):
        return label if std is None else (label, std)

    def score(self, X, y):
        """R² of the expected labels as forecasts of all labels y (n, R) to items X, NaN where one is missing."""
        return r_squared(X, y, self.predict)


def _first_cuts(table, levels):
    """(R,) where the search for the first cut points begins: the higher a rater's labels, the lower."""
    return -0.5 * (levels - 2) - (np.nanmean(table, axis=0) - np.nanmean(table))
