"""Marks on a bounded scale by raters who differ: lecture 07's likelihoods, with lecture 09's biases and precisions.

Lecture: 07, section 5; 09, section 7.
"""

import numpy as np
from scipy.special import ndtr

from course_lib import validation
from course_lib.gp import Beta, TruncatedGaussian
from course_lib.gp.averaging import laplace_covariance
from course_lib.judgments.marks.bounded import BoundedGP
from course_lib.judgments.panels.answers import answer_table
from course_lib.judgments.panels.biases import BiasedPanel, normal_quantile
from course_lib.judgments.panels.likelihoods import PooledLikelihood
from course_lib.judgments.panels.own_answers import OwnAnswers
from course_lib.settings import KW_ONLY, settings

LIKELIHOODS = {"beta": Beta, "truncated_gaussian": TruncatedGaussian}
LEVEL = 1.0  # standard deviation of the level of f: of Φ(level) every place on the scale is as likely as another


class RaterMarks(PooledLikelihood):
    """Marks of R raters, rater after rater, each with a precision of their own; all keep near to one level.

    Parameters
    ----------
    kind : Beta or TruncatedGaussian
    precision : (R,) ν > 0;  lengths : how many marks each rater gave
    pooling : None, or the spread of log ν of all raters round one level, which is unknown

    Source: Jensen et al. (2013), section 3, for one rater's marks.
    """

    def __init__(self, kind, precision, lengths, pooling=None):
        super().__init__([kind(one) for one in np.asarray(precision).tolist()], lengths, pooling, "pooling")

    @property
    def precision(self):
        """(R,) ν of each rater."""
        return np.array([child.precision for child in self.children])


@settings
class BoundedRaterGP(BiasedPanel, OwnAnswers, BoundedGP):
    """Marks y_nr in (low, high) of raters r: the centre is Φ(f(x_n) + bias_r), the precision ν_r is the rater's.

    An item is a row of X. The biases are before the scale, so that nobody's expected mark leaves it; they are averaged
    over, as f and its level are. The consensus is the mark of somebody without bias: Φ(f), put on the scale.

    Parameters
    ----------
    kernel : as for `LatentGP`; one with + White(…) lets each item have something of its own
    likelihood : "beta" (mean Φ(f + bias), precision ν) or "truncated_gaussian" (mode Φ(f + bias), noise 1/ν)
    inference : "laplace", "ep" or "variational"
    low, high, inside : as for `BoundedGP`
    precision : where the search for the raters' ν begins: a number, or (R,)
    pooling : the spread of log ν of all raters round one level, which keeps those with few marks near to the others;
        None learns each alone
    bias_std, bias_prior : as for `RaterGP`, in the unit of f, in which the scale from 2 to 98 % is 4 wide
    optimize, n_restarts, rng, max_iter, progress : as for `LatentGP`

    Attributes
    ----------
    consensus_, consensus_std_ : (n,) expected mark of somebody without bias, and how surely it is known
    rater_precision_ : (R,) ν of each rater
    rater_bias_, rater_bias_std_ : (R,) as of `RaterGP`, before the scale;  bias_std_ : their learned spread
    kernel_, likelihood_, log_evidence_, converged_ … as for `LatentGP`

    `predict`, `predict_answer`, `answer_interval` and `score` speak of marks; `predict_latent`, `sample`, `ranking`
    and all that compares items, of f. A level that all raters share cannot be told from that of f, as in `RaterGP`.

    Source: Jensen et al. (2013) for the marks; Gil González et al. (2019) for raters who are not equal.
    """

    _: KW_ONLY
    precision: float = 10.0
    pooling: float | None = 1.0
    bias_std: float | None = None
    bias_prior: object = None

    def fit(self, X, Y):
        """Learn from X (n, D) and marks Y (n, R), NaN where a rater gave none."""
        X, scale = validation.sequence(X, "X"), validation.interval(self.low, self.high)
        share = self._to_unit(Y, "Y")  # first, as it says which scale it was given
        share = share.reshape(answer_table(Y, len(X), scale).shape)
        rater, item = np.nonzero(~np.isnan(share.T))
        likelihood = self._marks_of(np.bincount(rater))
        y = share[item, rater]
        observations = self._panel(X, item, rater, y, likelihood, ("values",) * share.shape[1])
        latent = self._latent_gp().fit(observations, self._first_kernels(X, item, y, likelihood, LEVEL))
        return self._keep(latent_=latent, n_raters_=share.shape[1], _rows=np.arange(len(X)))

    def _marks_of(self, lengths):
        """The likelihood of the marks, where the search begins."""
        kind = LIKELIHOODS[validation.one_of(self.likelihood, tuple(LIKELIHOODS), "likelihood")]
        R, start = len(lengths), self.precision
        start = validation.positive(start, "precision") if np.isscalar(start) else validation.array(start, "precision")
        if np.shape(start) not in ((), (R,)):
            raise ValueError(f"precision has shape {np.shape(start)}; one number or ({R},) is needed.")
        return RaterMarks(kind, np.broadcast_to(start, R), lengths, self.pooling)

    @property
    def rater_precision_(self):
        """(R,) ν of each rater."""
        return self.likelihood_.precision

    def precision_interval(self, confidence=0.9):
        """(low, high), (R,) each: between them lies a rater's precision with this probability.

        Normal for log ν, with the curvature of evidence and priors in all parameters at once, which takes two
        gradients for each of them.
        """
        latent, half = self._fitted(), normal_quantile(confidence)
        theta = np.concatenate([latent.kernel_.theta, latent.likelihood_.theta])  # the precisions come last
        covariance = laplace_covariance(lambda at: latent.evidence_at(at)[1], theta)
        factor = np.exp(half * np.sqrt(covariance.diagonal()[-self.n_raters_ :]))
        return self.rater_precision_ / factor, self.rater_precision_ * factor

    def expected_mark(self, f, std=0.0):
        """The expected mark of somebody without bias where f is N(f, std²), (q,) each; it rises with f.

        Of "truncated_gaussian" it is the most likely mark that is expected.

        Source: Jensen et al. (2013), eqs. 7–8.
        """
        self._fitted()
        return self._mark_at(Beta(), f, std)

    def _mark_moments(self, mean, std):
        """(mean, standard deviation), (q,) each, of Φ(f) on the scale for f ~ N(mean, std²)."""
        expected, variance = Beta().predict_mean(mean, std**2)
        return self._on_scale(expected, np.sqrt(variance))

    @property
    def consensus_(self):
        """(n,) the expected mark of somebody without bias."""
        return self._mark_moments(super().consensus_, super().consensus_std_)[0]

    @property
    def consensus_std_(self):
        """(n,) how surely that is known."""
        return self._mark_moments(super().consensus_, super().consensus_std_)[1]

    def consensus_interval(self, confidence=0.9, *, centred=False):
        """(low, high), (n,) each: between them lies the mark of an item by somebody without bias.

        Parameters
        ----------
        confidence : between 0 and 1
        centred : False: Φ(f), on the scale of the marks; True: how far f, before it, is above the mean of all n items,
            which is known better where the raters have biases
        """
        if validation.flag(centred, "centred"):
            return super().consensus_interval(confidence, centred=True)
        mean, half = super().consensus_, normal_quantile(confidence) * super().consensus_std_
        return tuple(self._on_scale(ndtr(end)) for end in (mean - half, mean + half))

    def predict(self, X_new, return_std=False, new_items=False):
        """The expected mark of somebody without bias; with return_std how surely it is known.

        Source: Jensen et al. (2013), eqs. 7–8.
        """
        return_std = validation.flag(return_std, "return_std")
        found = self._mark_moments(*self.predict_latent(X_new, new_items=new_items))
        return found if return_std else found[0]

    _one = "mark"

    @property
    def unit_(self):
        """Of the marks: the length of their scale."""
        return self.high - self.low

    def _check_answers(self, y_new):
        return self._to_unit(y_new, "y_new")
