"""Several people's answers to each item: the joint model of all of them, and what it predicts of people.

Lecture: 08, sections 2–4 and 6.
"""

import numpy as np
from scipy.stats import norm
from sklearn.exceptions import ConvergenceWarning

from course_lib import metrics, validation
from course_lib.gp import Gaussian, LatentModel
from course_lib.judgments.panels.answers import AGREED, answer_table, warn_of_long_table, within_spread
from course_lib.judgments.panels.biases import Panel, normal_quantile
from course_lib.settings import KW_ONLY, settings

ANY_LEVEL = 10.0  # standard deviations of the answers: how far from their mean the level of the values may be


@settings
class MultiSampleGP(Panel, LatentModel):
    """y_nr = z_n + noise, z_n = f(x_n): each rater r of item n gives a sample of one noise round one latent value.

    An item is a row of X, even where another row has the same inputs. Its answers act together, so R of them cost no
    more than one: matrices are n × n.

    Parameters
    ----------
    kernel : as for `LatentGP`
    noise_std : where the search for the raters' spread begins, in the unit of Y; None takes the spread within items
    nugget_std : None, or where the search for the nugget begins: what the inputs do not explain of an item's value,
        the same for all its raters. It is a White kernel added to the kernel.
    scale : None, or (low, high): the least and the greatest answer that can be given
    optimize, n_restarts, rng, max_iter, progress : as for `LatentGP`

    Attributes
    ----------
    kernel_ : with its learned parameters, the nugget's White kernel included;  noise_std_;  nugget_std_ (0 without)
    consensus_, consensus_std_ : (n,) what the model thinks of each item's value z_n, and how surely
    consensus_cov_ : (n, n) covariance of these values: what their differences, and their centred values, are known by
    offset_ : the mean of all answers, which is taken off before; log_evidence_, converged_ … as for `LatentGP`

    Source: Wong et al. (2023), eqs. 3, 4 and 11.
    """

    _: KW_ONLY
    noise_std: float | None = None
    nugget_std: float | None = None
    scale: tuple | None = None

    def fit(self, X, Y):
        """Learn from X (n, D) and answers Y (n, R), NaN where a rater gave none; raters may be absent anywhere.

        Where raters answered to the same item again, Y is (n, R, K), NaN after the last answer of each. To this model
        a repeat is one answer more, as good as another rater's; `RaterGP(opinion_std=…)` knows better.

        Warns
        -----
        LongTableWarning
            If Y has one column and most rows of X are equal to others, as in a long table: `from_long` reads that.
        """
        X = validation.sequence(X, "X")
        table = answer_table(Y, len(X), self.scale, repeats=True)
        warn_of_long_table(X, table)
        given = np.nonzero(~np.isnan(table))
        item, rater, _ = given
        offset = float(np.nanmean(table))
        y = table[given] - offset
        start = self._first_noise(table) if self.noise_std is None else self.noise_std
        noise, of_raters = self._noise(start, X, item, rater, y)
        if validation.flag(self.optimize, "optimize") and not getattr(noise, "floor", 0.0):
            _warn_of_agreement(table)
        observations = self._observations(X, item, rater, y, noise)
        latent = self._latent_gp(inference="exact").fit(
            observations, self._first_kernels(X, item, y, noise, ANY_LEVEL * float(np.std(y)))
        )
        _, first = np.unique(item, return_index=True)
        return self._keep(
            latent_=latent,
            n_raters_=table.shape[1],
            offset_=offset,
            _rows=observations.views.plus[first],
            **of_raters,
        )

    def _noise(self, start, X, item, rater, y):
        """(likelihood of the answers, what a subclass that tells raters apart keeps of them): one noise for all."""
        return Gaussian(validation.positive(start, "noise_std")), {}

    def _first_noise(self, table):
        return within_spread(table)

    def _observations(self, X, item, rater, y, noise):
        return self._panel(X, item, rater, y, noise)

    @property
    def noise_std_(self):
        """The learned spread of the raters round an item's value."""
        return self.likelihood_.noise_std

    @property
    def nugget_std_(self):
        """The learned standard deviation of what the inputs do not explain of an item; 0 without a nugget."""
        kernel = self.kernel_
        return 0.0 if self.nugget_std is None else float(np.sqrt(kernel.children[-1].variance))

    def predict(self, X_new, return_std=False, new_items=False):
        """The value z of items, which endlessly many raters would agree on; with its standard deviation if wanted.

        At an item of the fit this is its consensus; where several items of the fit are equal, a row is a new one.

        Source: Wong et al. (2023), eq. 11.
        """
        return_std = validation.flag(return_std, "return_std")
        mean, std = self.predict_latent(X_new, new_items=new_items)
        return (mean, std) if return_std else mean

    def predict_answer(self, X_new, *, n_raters=1, new_items=False):
        """(mean, std), (q,) each, of a new rater's answer; with n_raters > 1, of the mean of so many raters' answers.

        Source: Wong et al. (2023), below eq. 11: N(μ, v + σ²).
        """
        mean, std = self.predict(X_new, return_std=True, new_items=new_items)
        return mean, np.sqrt(std**2 + self.noise_std_**2 / validation.whole(n_raters, "n_raters"))

    def answer_interval(self, X_new, confidence=0.9, **whose):
        """(low, high), (q,) each: between them lies the next answer with this probability.

        `whose` is as for `predict_answer`.
        """
        mean, std = self.predict_answer(X_new, **whose)
        half = normal_quantile(confidence) * std
        return mean - half, mean + half

    def predict_scores(self, X_new, scores=None, **whose):
        """(q, C) probability of each score as the next answer.

        Parameters
        ----------
        X_new : (q, D)
        scores : (C,) whole numbers, one apart; None: all of the scale
        whose : as for `predict_answer`

        Source: Wong et al. (2023), section 4.
        """
        if whose.get("n_raters", 1) != 1 or np.ndim(whose.get("rater", 0)):
            raise ValueError(f"whose answer is asked for is {whose!r}; the mean of several raters' is no score.")
        answer = self.predict_answer(X_new, **whose)
        if scores is None and self.scale is None:
            raise ValueError("scores is None, and so is the model's scale; give one of them, such as range(0, 11).")
        scores = np.arange(self.scale[0], self.scale[1] + 1) if scores is None else scores
        return np.exp(metrics.score_log_probabilities(*answer, scores))

    def log_predictive_density(self, X_new, y_new, **whose):
        """(q,) log density of answers y_new (q,) at new inputs; `whose` is as for `predict_answer`.

        Source: Wong et al. (2023), below eq. 11.
        """
        mean, std = self.predict_answer(X_new, **whose)
        y_new = validation.real_array(y_new, "y_new")
        if y_new.shape != mean.shape:
            raise ValueError(
                f"y_new has shape {y_new.shape}; one answer for each of {len(mean)} inputs in X_new is needed."
            )
        return norm.logpdf(y_new, mean, std)

    def score(self, X, Y):
        """R² of the predicted values as forecasts of all answers Y (n, R) to items X; noisy raters keep it below 1."""
        from sklearn.metrics import r2_score  # half a second to import

        table = answer_table(Y, len(validation.sequence(X, "X")), self.scale, repeats=True)
        given = np.nonzero(~np.isnan(table))
        return float(r2_score(table[given], self.predict(X)[given[0]]))


class RepeatedGP(MultiSampleGP):
    """The same model by brute force: each input is repeated for each of its answers; matrices are nR × nR.

    It is kept to show that nothing but time is lost. It has no nugget, which would have to be shared by repetitions.

    Source: Wong et al. (2023), section 3, the naive approach.
    """

    def _observations(self, X, item, rater, y, noise):
        if self.nugget_std is not None:
            raise ValueError(f"nugget_std is {self.nugget_std!r}; repeated inputs cannot share a nugget: choose None.")
        return super()._observations(X[item], np.arange(len(item)), rater, y, noise)


def _warn_of_agreement(table):
    """Say so if several answers were given to items, and all to one item are equal."""
    table = table.reshape(len(table), -1)
    apart = np.nanmax(table, axis=1) - np.nanmin(table, axis=1)
    several = (~np.isnan(table)).sum(axis=1) > 1
    if several.any() and (apart <= AGREED * np.nanmax(np.abs(table))).all():
        validation.warn(
            f"all answers to an item agree exactly, for each of the {several.sum()} items with several answers: the "
            "raters' spread is 0, and the evidence has no maximum, so noise_std_ is only where the search ended. Is "
            "one column of Y a copy of another? If not, give noise_std and set optimize=False.",
            ConvergenceWarning,
        )
