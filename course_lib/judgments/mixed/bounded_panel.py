"""Marks on a bounded scale by raters who differ: lecture 07's likelihoods, with lecture 09's biases and precisions.

Lecture: 09, section 7.
"""

import numpy as np
from scipy.special import ndtr

from course_lib import validation
from course_lib.gp import Beta, Kernel, TruncatedGaussian, Views
from course_lib.gp.averaging import laplace_covariance
from course_lib.gp.latent import typical_kernels
from course_lib.gp.observations import NONE, Observations
from course_lib.gp.priors import a_prior
from course_lib.judgments.marks.bounded import BoundedGP
from course_lib.judgments.panels.answers import answer_table
from course_lib.judgments.panels.biases import BiasedPanel, PanelKernel, answers_of, item_rows, rater_rows
from course_lib.judgments.panels.likelihoods import NEW, Alike, OneOf
from course_lib.judgments.panels.multisample import centred_normal, half_width

LIKELIHOODS = {"beta": Beta, "truncated_gaussian": TruncatedGaussian}
LEVEL = 1.0  # standard deviation of the level of f: of Φ(level) every place on the scale is as likely as another


class RaterMarks(Alike):
    """Marks of R raters, rater after rater, each with a precision of their own; all keep near to one level.

    Parameters
    ----------
    kind : Beta or TruncatedGaussian
    precision : (R,) ν > 0;  lengths : how many marks each rater gave
    pooling : None, or the spread of log ν of all raters round one level, which is unknown

    Raises
    ------
    ValueError
        If a precision or the spread is not above 0.

    Source: Jensen et al. (2013), section 3, for one rater's marks. Lecture: 09, section 7.
    """

    def __init__(self, kind, precision, lengths, pooling=None):
        super().__init__([kind(one) for one in np.asarray(precision).tolist()], lengths, pooling, "pooling")

    @property
    def precision(self):
        """(R,) ν of each rater. Lecture: 09, section 7."""
        return np.array([child.precision for child in self.children])


class BoundedRaterGP(BiasedPanel, BoundedGP):
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
    Lecture: 09, section 7.
    """

    def __init__(
        self,
        kernel=None,
        *,
        likelihood="beta",
        inference="laplace",
        low=0.0,
        high=1.0,
        inside=None,
        precision=10.0,
        pooling=1.0,
        bias_std=None,
        bias_prior=None,
        optimize=True,
        n_restarts=0,
        rng=None,
        max_iter=200,
        progress=False,
    ):
        self.kernel = kernel
        self.likelihood = likelihood
        self.inference = inference
        self.low = low
        self.high = high
        self.inside = inside
        self.precision = precision
        self.pooling = pooling
        self.bias_std = bias_std
        self.bias_prior = bias_prior
        self.optimize = optimize
        self.n_restarts = n_restarts
        self.rng = rng
        self.max_iter = max_iter
        self.progress = progress

    def fit(self, X, Y):
        """Learn from X (n, D) and marks Y (n, R), NaN where a rater gave none.

        Raises
        ------
        ValueError
            If an item or a rater has no mark, a mark lies outside the scale or, without `inside`, on an end of it, or
            shapes or settings are not what they should be.

        Lecture: 09, section 7.
        """
        X, scale = validation.sequence(X, "X"), validation.interval(self.low, self.high)
        share = self._to_unit(Y, "Y")  # first, as it says which scale it was given
        share = share.reshape(answer_table(Y, len(X), scale).shape)
        rater, item = np.nonzero(~np.isnan(share.T))
        likelihood = self._marks_of(np.bincount(rater))
        observations = self._observations(X, item, rater, share[item, rater], likelihood)
        latent = self._latent_gp().fit(observations, self._first_kernels(X, item, observations))
        return self._keep(latent_=latent, n_raters_=share.shape[1], _n_items=len(X))

    def _marks_of(self, lengths):
        """The likelihood of the marks, where the search begins."""
        kind = LIKELIHOODS[validation.one_of(self.likelihood, tuple(LIKELIHOODS), "likelihood")]
        R, start = len(lengths), self.precision
        start = validation.positive(start, "precision") if np.isscalar(start) else validation.array(start, "precision")
        if np.shape(start) not in ((), (R,)):
            raise ValueError(f"precision has shape {np.shape(start)}; one number or ({R},) is needed.")
        return RaterMarks(kind, np.broadcast_to(start, R), lengths, self.pooling)

    def _observations(self, X, item, rater, y, likelihood):
        if not self._has_biases:
            kinds = ("values",) * len(likelihood.children)
            return Observations(X, Views(item, np.full(len(item), NONE), len(X)), y, likelihood, kinds=kinds)
        rows = np.vstack([item_rows(X), rater_rows(np.arange(rater.max() + 1), X.shape[1])])
        kinds = ("differences",) * len(likelihood.children)
        return Observations(rows, answers_of(item, rater, len(X)), y, likelihood, kinds=kinds)

    def _first_kernels(self, X, item, observations):
        """The kernels with which searches begin, of items alone or with the raters' biases."""
        prior = a_prior(self.bias_prior, "bias_prior")
        if self.kernel is None:
            views = Views(item, np.full(len(item), NONE), len(X))
            kernels = typical_kernels(Observations(X, views, observations.y, observations.likelihood))
        else:
            kernels = [validation.instance(self.kernel, Kernel, "kernel", "a Kernel such as SquaredExponential()")]
        if not self._has_biases:
            return kernels
        kernels[0].inputs(X)
        panels = [PanelKernel(kernel, validation.positive(self.bias_std, "bias_std"), LEVEL) for kernel in kernels]
        return panels if prior is None else [panel.with_priors(bias_std=prior) for panel in panels]

    @property
    def rater_precision_(self):
        """(R,) ν of each rater."""
        return self.likelihood_.precision

    def precision_interval(self, confidence=0.9):
        """(low, high), (R,) each: between them lies a rater's precision with this probability.

        Normal for log ν, with the curvature of evidence and priors in all parameters at once, which takes two
        gradients for each of them.

        Raises
        ------
        ValueError
            If the model is not fitted, or confidence is not between 0 and 1.

        Lecture: 09, section 7.
        """
        latent, half = self._fitted(), half_width(confidence)
        theta = np.concatenate([latent.kernel_.theta, latent.likelihood_.theta])  # the precisions come last
        covariance = laplace_covariance(lambda at: latent.evidence_at(at)[1], theta)
        factor = np.exp(half * np.sqrt(covariance.diagonal()[-self.n_raters_ :]))
        return self.rater_precision_ / factor, self.rater_precision_ * factor

    def expected_mark(self, f, std=0.0):
        """The expected mark of somebody without bias where f is N(f, std²), (q,) each; it rises with f.

        Of "truncated_gaussian" it is the most likely mark that is expected.

        Raises
        ------
        ValueError
            If the model is not fitted, or these are no numbers.

        Source: Jensen et al. (2013), eqs. 7–8. Lecture: 07, section 5.
        """
        self._fitted()
        f = validation.real_array(f, "f")
        std = validation.not_negative(std, "std") if np.isscalar(std) else validation.real_array(std, "std")
        if np.shape(std) not in ((), f.shape) or np.min(std) < 0:
            raise ValueError(f"std has shape {np.shape(std)}; a number ≥ 0, or one for each f {f.shape}, is needed.")
        return self._on_scale(ndtr(f / np.sqrt(1.0 + np.square(std))))

    def _mark_moments(self, mean, std):
        """(mean, standard deviation), (q,) each, of Φ(f) on the scale for f ~ N(mean, std²)."""
        expected, variance = Beta().predict_mean(mean, std**2)
        return self._on_scale(expected, np.sqrt(variance))

    def _consensus(self):
        """(mean, standard deviation), (n,) each, of f at the items."""
        mean, covariance = self._fitted().item_moments()
        return mean[: self._n_items], np.sqrt(np.maximum(covariance.diagonal()[: self._n_items], 0.0))

    @property
    def consensus_(self):
        """(n,) the expected mark of somebody without bias."""
        return self._mark_moments(*self._consensus())[0]

    @property
    def consensus_std_(self):
        """(n,) how surely that is known."""
        return self._mark_moments(*self._consensus())[1]

    def consensus_interval(self, confidence=0.9, *, centred=False):
        """(low, high), (n,) each: between them lies the mark of an item by somebody without bias.

        Parameters
        ----------
        confidence : between 0 and 1
        centred : False: Φ(f), on the scale of the marks; True: how far f, before it, is above the mean of all n items,
            which is known better where the raters have biases

        Raises
        ------
        ValueError
            If the model is not fitted, or confidence is not between 0 and 1.

        Lecture: 09, section 7.
        """
        half = half_width(confidence)
        if validation.flag(centred, "centred"):
            mean, covariance = self._fitted().item_moments()
            n = self._n_items
            mean, std = centred_normal(mean[:n], covariance[:n, :n])
            return mean - half * std, mean + half * std
        mean, std = self._consensus()
        return tuple(self._on_scale(ndtr(end)) for end in (mean - half * std, mean + half * std))

    def predict(self, X_new, return_std=False, new_items=False):
        """The expected mark of somebody without bias; with return_std how surely it is known.

        Raises
        ------
        ValueError
            As predict_latent.

        Source: Jensen et al. (2013), eqs. 7–8. Lecture: 07, section 5.
        """
        return_std = validation.flag(return_std, "return_std")
        found = self._mark_moments(*self.predict_latent(X_new, new_items=new_items))
        return found if return_std else found[0]

    def predict_answer(self, X_new, *, rater=NEW, new_items=False):
        """(mean, std), (q,) each, of the next mark of a rater.

        Parameters
        ----------
        X_new : (q, D)
        rater : "new": somebody who was never seen, with a bias like the raters', and the precision of one of them; or
            int, 0 … R−1
        new_items : as for predict_latent

        Raises
        ------
        ValueError
            As predict_latent, and if there is no such rater.

        Lecture: 09, section 7.
        """
        likelihood, mean, variance = self._view(X_new, rater, new_items)
        expected, spread = likelihood.predict(mean, variance)
        return self._on_scale(expected, np.sqrt(spread))

    def answer_interval(self, X_new, confidence=0.9, *, rater=NEW, new_items=False):
        """(low, high), (q,) each: the next mark lies below, between and above with (1 − confidence)/2 and the rest.

        It never leaves the scale. Arguments and errors as predict_answer, and if confidence is not between 0 and 1.

        Lecture: 07, section 5.
        """
        tail = 0.5 - 0.5 * validation.between(confidence, "confidence", 0, 1)
        likelihood, mean, variance = self._view(X_new, rater, new_items)
        return tuple(self._on_scale(likelihood.quantile(p, mean, variance)) for p in (tail, 1.0 - tail))

    def log_predictive_density(self, X_new, y_new, *, rater=NEW, new_items=False):
        """(q,) log density of new marks of a rater, per unit of the marks' scale.

        Raises
        ------
        ValueError
            As predict_answer, and if there is not a mark of the scale for each row.

        Source: Jensen et al. (2013), Table 1. Lecture: 07, section 6.
        """
        likelihood, mean, variance = self._view(X_new, rater, new_items)
        y_new = self._to_unit(validation.real_array(y_new, "y_new"), "y_new")
        if y_new.shape != mean.shape:
            raise ValueError(
                f"y_new has shape {y_new.shape} and X_new {len(mean)} rows; one mark for each of them is needed."
            )
        return likelihood.log_predictive_density(y_new, mean, variance) - np.log(self.high - self.low)

    def _view(self, X_new, rater, new_items):
        """(likelihood, mean, variance) of what this rater's marks are to: f + bias at X_new."""
        latent, parts = self._fitted(), self.likelihood_.children
        unseen = isinstance(rater, str) and rater == NEW
        rater = self.n_raters_ if unseen else validation.whole(rater, "rater", least=0)
        if rater >= len(parts) and not unseen:
            raise ValueError(f'rater is {rater!r}; the raters are 0 … {len(parts) - 1}, and "new".')
        likelihood, rows = OneOf(parts) if unseen else parts[rater], self._item_rows(X_new)
        if not self._has_biases:
            mean, std = latent.predict_latent(rows, new_items=new_items)
            return likelihood, mean, std**2
        rows = np.vstack([rows, rater_rows([rater], rows.shape[1] - 1)])
        pairs = np.column_stack([np.full(len(rows) - 1, len(rows) - 1), np.arange(len(rows) - 1)])
        mean, std = latent.predict_difference(rows, pairs, new_items)
        return likelihood, mean, std**2
