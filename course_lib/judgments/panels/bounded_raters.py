"""Marks on a bounded scale by raters who differ: lecture 07's likelihoods, with lecture 09's biases and precisions.

Lecture: 07, section 5; 09, section 7.
"""

import numpy as np
from numpy.typing import NDArray

from course_lib import validation
from course_lib.gp import Beta, CensoredGaussian, TruncatedGaussian
from course_lib.gp.averaging import learned_covariance
from course_lib.gp.questions import normal_interval
from course_lib.judgments.marks.bounded import BoundedGP
from course_lib.judgments.panels.answers import answer_table
from course_lib.judgments.panels.likelihoods import PooledLikelihood
from course_lib.judgments.panels.panel import Answers, Panel
from course_lib.settings import KW_ONLY, settings

RATER_LIKELIHOODS = {"beta": Beta, "truncated_gaussian": TruncatedGaussian, "gaussian": CensoredGaussian}
WITHOUT_NOISE = CensoredGaussian(1e9)
MAX_LABELS = 7  # different marks, of which each came often, are labels
LEAST_REPEATS = 5
LEVEL_STD = 1.0  # standard deviation of the level of f: of Φ(level) every place on the scale is as likely as another


class LabelsWarning(UserWarning):
    """Marks on a bounded scale are labels in truth: few different ones, each given often."""


@settings
class BoundedRaterGP(Panel, BoundedGP):
    """Marks y_nr from low to high by raters r: the centre is Φ(f(x_n) + bias_r), the precision ν_r is the rater's.

    An item is a row of X. The biases are before the scale, so that nobody's expected mark leaves it; they are averaged
    over, as f and its level are. The consensus is the mark of a rater without bias: Φ(f), put on the scale, of
    "gaussian" ½ + f/4, or the end where that is beyond.

    Parameters
    ----------
    kernel, nugget_std, optimize, n_restarts, rng, max_iter, progress : as for `Panel`, in the unit of f
    likelihood : "beta" (mean Φ(f + bias), precision ν), "truncated_gaussian" (mode Φ(f + bias), noise 1/ν), or, with a
        step, "gaussian" (½ + (f + bias)/4 of the scale, noise 1/ν, and put on the end where it is beyond)
    inference, low, high, inside, step : as for `BoundedGP`
    precision : where the search for the raters' ν begins: a number, or (R,)
    pooling : the spread of log ν of all raters round one level, which keeps those with few marks near to the others;
        None learns each alone
    bias_std, bias_prior, opinion_std : as for `RaterGP`, in the unit of f, in which the scale from 2 to 98 % is 4
        wide; a rater marks an item once, so opinions are what precisions and biases leave of how raters differ

    `predict`, `predict_answer`, `answer_interval`, `score` and the consensus speak of marks; `predict_latent`,
    `sample`, `ranking`, biases, and all that compares items, of f. Scores from 1 to 5 are labels, which a density
    takes for exact numbers: then intervals of contrasts hold less than they say, and a fit warns.

    Source: Jensen et al. (2013) for the marks; Gil González et al. (2019) for raters who are not equal.

    >>> from course_lib.judgments import BoundedRaterGP
    >>> items, marks = [[0.0], [1.0], [2.0], [3.0]], [[0.52, 0.61], [0.60, 0.66], [0.71, 0.80], [0.55, 0.59]]
    >>> BoundedRaterGP().fit(items, marks).predict(items).round(1)
    array([0.5, 0.6, 0.7, 0.6])
    """

    _: KW_ONLY
    precision: float = 10.0
    pooling: float | None = 1.0
    bias_std: float | None = None
    bias_prior: object = None
    opinion_std: float | None = None

    one_answer = "mark"
    _beside_biases = "precisions"
    _on_scale = BoundedGP._on_scale

    def _read(self, X, Y):
        scale = validation.interval(self.low, self.high)
        share = self._to_unit(Y, "Y")  # first, as it says which scale it was given
        share = share.reshape(answer_table(Y, len(X), scale).shape)
        rater, item = np.nonzero(~np.isnan(share.T))
        if self.step is None:
            _warn_of_labels(share[item, rater])
        return Answers(share, item, rater, share[item, rater])

    def _noise(self, X, answers):
        """A precision for each rater."""
        kind = self._kind(RATER_LIKELIHOODS)
        lengths, start = np.bincount(answers.rater), self.precision
        start = validation.positive(start, "precision") if np.isscalar(start) else validation.array(start, "precision")
        if np.shape(start) not in ((), lengths.shape):
            raise ValueError(f"precision has shape {np.shape(start)}; one number or {lengths.shape} is needed.")
        parts = [self._in_steps(kind(one)) for one in np.broadcast_to(start, lengths.shape).tolist()]
        return PooledLikelihood(parts, lengths, self.pooling, "pooling"), {}

    def _level_std(self, y):
        return None if self.bias_std is None else LEVEL_STD

    @property
    def rater_precision_(self):
        """(R,) ν of each rater."""
        parts = self.likelihood_.children
        return np.array([(part if self.step is None else part.inner).precision for part in parts])

    def precision_interval(self, confidence: float = 0.9) -> tuple[NDArray, NDArray]:
        """Central interval of each rater's precision, (low, high), (R,) each.

        Normal for log ν, with the curvature of evidence and priors, which takes two gradients for each parameter.
        """
        covariance = learned_covariance(self._fitted())  # the precisions come last
        std = np.sqrt(covariance.diagonal()[-self.n_raters_ :])
        return tuple(map(np.exp, normal_interval(np.log(self.rater_precision_), std, confidence)))

    def _share_moments(self, f, std):
        """As BoundedGP has them; of "truncated_gaussian" the most likely mark, of "gaussian" that without noise."""
        if self.likelihood == "gaussian":
            return WITHOUT_NOISE.predict(f, std**2)
        return Beta().predict_mean(f, std**2)

    def _mark_moments(self, mean, std):
        """(mean, standard deviation), (q,) each, of the expected mark for f ~ N(mean, std²)."""
        expected, variance = self._share_moments(mean, std)
        return self._on_scale(expected, np.sqrt(variance))

    @property
    def consensus_(self):
        """(n,) the expected mark of a rater without bias."""
        return self._mark_moments(super().consensus_, super().consensus_std_)[0]

    @property
    def consensus_std_(self):
        return self._mark_moments(super().consensus_, super().consensus_std_)[1]

    def consensus_interval(self, confidence: float = 0.9, *, centred: bool = False) -> tuple[NDArray, NDArray]:
        """Central interval of the mark of each item by a rater without bias, (low, high), (n,) each.

        centred : False: on the scale of the marks; True: how far f, before it, is above the mean of all n items,
            which is known better where the raters have biases
        """
        if validation.flag(centred, "centred"):
            return super().consensus_interval(confidence, centred=True)
        return tuple(self.expected_mark(end) for end in super().consensus_interval(confidence))

    def _expected(self, X_new):
        return self._mark_moments(*self.predict_latent(X_new))

    _unit = BoundedGP._unit

    def _check_answers(self, y_new):
        return self._to_unit(y_new, "y_new")


def _warn_of_labels(y):
    """Warn if marks (m,) are labels in truth: a density takes each for an exact number, and is too sure of it."""
    different = len(np.unique(y))
    if different <= MAX_LABELS and len(y) >= LEAST_REPEATS * different:
        validation.warn(
            f"Y holds {len(y)} marks, but only {different} different ones: each stands for all that are nearer to it "
            "than to the others, and is taken for exact, so that intervals hold less than they say. OrdinalRaterGP is "
            "for labels, and step= says how wide each mark is.",
            LabelsWarning,
        )
