"""Raters who sort into ordered labels, each with thresholds of their own: what is "4" to one is "3" to another.

Lecture: 06, section 7; 08, section 1; 09, section 7.
"""

import numpy as np
from numpy.typing import NDArray

from course_lib import validation
from course_lib.gp import Ordinal
from course_lib.judgments.panels.answers import answer_table
from course_lib.judgments.panels.likelihoods import PooledLikelihood
from course_lib.judgments.panels.panel import Answers, Panel
from course_lib.settings import KW_ONLY, settings

CUT_LEVEL_STD = 1.5  # of the raters' common cut points, and logarithms of gaps, round where the search begins


@settings
class OrdinalRaterGP(Panel):
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
    bias_std, bias_prior, opinion_std : as for `RaterGP`, in the unit of f, where all raters share their cut points
    inference : "laplace", "ep" or "variational"
    nugget_std, optimize, n_restarts, rng, max_iter, progress : as for `Panel`, in the unit of f, the noise of a label

    The raters' mean first cut point and mean log gaps have a wide prior, N(start, 1.5²), which holds the cut points of
    a label that nobody gave. Cut points are learned, and not averaged over; `averaged()` does that. They have no
    intervals: the level and the scale that all of them share with f are too little known for those of Laplace to hold.

    Source: Chu & Ghahramani (2005), "Gaussian processes for ordinal regression"; Johnson (1996), "On Bayesian analysis
    of multirater ordinal data", for thresholds of each rater.

    >>> from course_lib.judgments import OrdinalRaterGP
    >>> items, labels = [[0.0], [1.0], [2.0], [3.0]], [[1, 2], [2, 2], [3, 3], [1, 1]]
    >>> model = OrdinalRaterGP().fit(items, labels)
    >>> mean, std = model.predict_latent(items)
    >>> mean.argsort()
    array([3, 0, 1, 2])
    """

    _: KW_ONLY
    levels: int = 5
    cut_std: float | None = 0.5
    inference: str = "laplace"
    bias_std: float | None = None
    bias_prior: object = None
    opinion_std: float | None = None

    one_answer = "label"

    def _read(self, X, Y):
        levels = validation.integer(self.levels, "levels", least=2)
        table = answer_table(Y, len(X), (0, levels - 1))
        rater, item = np.nonzero(~np.isnan(table.T))
        return Answers(table, item, rater, Ordinal(levels).check(table[item, rater]))

    def _noise(self, X, answers):
        """Cut points for each rater, or shared ones."""
        if self.cut_std is None:
            parts, lengths = [Ordinal(self.levels)], [len(answers.y)]
        elif self.bias_std is not None:
            raise ValueError(
                f"cut_std is {self.cut_std!r} and bias_std {self.bias_std!r}; one of them is None: a rater's own cut "
                "points hold the bias."
            )
        else:
            parts = [Ordinal(self.levels, first_cut=cut) for cut in _first_cuts(answers.table, self.levels)]
            lengths = np.bincount(answers.rater)
        return PooledLikelihood(parts, lengths, self.cut_std, "cut_std", level_std=CUT_LEVEL_STD), {}

    def _level_std(self, y):
        return None if self.bias_std is None else CUT_LEVEL_STD  # the cut points are as free

    @property
    def cuts_(self):
        """(R, L − 1) cut points of each rater, ascending."""
        cuts = np.array([part.cuts for part in self.likelihood_.children])
        return np.broadcast_to(cuts, (self.n_raters_, self.levels - 1)).copy()

    def consensus_interval(self, confidence: float = 0.9, *, centred: bool = True) -> tuple[NDArray, NDArray]:
        """Central interval of how far f of each item is above the mean of all n, (low, high), (n,) each.

        The level of f has no interval: f and all cut points could move together, and no label would show it. So
        `centred` can only be True. Contrasts of two items are `difference_interval`.
        """
        if not validation.flag(centred, "centred"):
            raise ValueError("centred is False; labels do not tell the level of f: centred=True is needed.")
        return super().consensus_interval(confidence, centred=True)

    def _expected(self, X_new):
        likelihood, mean, variance = self._view(X_new)
        expected, spread = likelihood.predict_mean(mean, variance)
        return expected, np.sqrt(spread)

    def _check_answers(self, y_new):
        try:
            return Ordinal(self.levels).check(y_new)
        except ValueError as error:
            raise ValueError(f"y_new: {error}") from None


def _first_cuts(table, levels):
    """(R,) where the search for the first cut points begins: the higher a rater's labels, the lower."""
    return -0.5 * (levels - 2) - (np.nanmean(table, axis=0) - np.nanmean(table))
