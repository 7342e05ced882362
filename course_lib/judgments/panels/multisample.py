"""Several people's answers to each item: the joint model of all of them, and what it predicts of people.

Lecture: 08, sections 2–4 and 6.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from course_lib import metrics, validation
from course_lib.gp import Gaussian
from course_lib.gp.kernel_algebra import ANY_LEVEL
from course_lib.judgments.panels.answers import (
    EQUAL_ANSWERS,
    answer_table,
    rounding_std,
    warn_of_long_table,
    within_spread,
)
from course_lib.judgments.panels.likelihoods import RaterNoise
from course_lib.judgments.panels.panel import Answers, Panel
from course_lib.settings import KW_ONLY, settings


@settings
class MultiSampleGP(Panel):
    """y_nr = z_n + noise, z_n = f(x_n): each rater r of item n gives a sample of one noise round one latent value.

    An item is a row of X, even where another row has the same inputs. Its answers act together, so R of them cost no
    more than one: matrices are n × n.

    kernel, nugget_std, optimize, n_restarts, rng, max_iter, progress : as for `Panel`
    noise_std : where the search for the raters' spread begins, in the unit of Y; None takes the spread within items.
        On a grid, such as whole marks, it is never below that of rounding, step/√12.
    scale : None, or (low, high): the least and the greatest answer that can be given

    offset_ : the mean of all answers, which is taken off before

    Source: Wong et al. (2023), eqs. 3, 4 and 11.

    >>> from course_lib.judgments import MultiSampleGP
    >>> items, marks = [[0.0], [1.0], [2.0], [3.0]], [[52, 61], [60, 66], [71, 80], [55, 59]]
    >>> model = MultiSampleGP().fit(items, marks)
    >>> model.predict(items).round()
    array([58., 63., 73., 58.])
    """

    _: KW_ONLY
    noise_std: float | None = None
    scale: tuple | None = None

    def _read(self, X, Y):
        table = answer_table(Y, len(X), self.scale, repeats=True)
        warn_of_long_table(X, table)
        item, rater, _ = given = np.nonzero(~np.isnan(table))
        offset = float(np.nanmean(table))
        return Answers(table, item, rater, table[given] - offset, offset)

    def _noise(self, X, answers):
        """One noise for all."""
        start = within_spread(answers.table) if self.noise_std is None else self.noise_std
        floor = rounding_std(answers.y)
        if not floor:
            self._warn_of_agreement(answers.table)
        return RaterNoise(validation.positive(start, "noise_std"), None, floor), {}

    def _warn_of_agreement(self, table):
        """Warn if a noise is to be learned, items have several answers, and all answers to an item are equal."""
        table = table.reshape(len(table), -1)
        apart = np.nanmax(table, axis=1) - np.nanmin(table, axis=1)
        several = (~np.isnan(table)).sum(axis=1) > 1
        agree = several.any() and (apart <= EQUAL_ANSWERS * np.nanmax(np.abs(table))).all()
        if validation.flag(self.optimize, "optimize") and agree:
            validation.warn(
                f"all answers to an item agree exactly, for each of the {several.sum()} items with several answers: "
                "the raters' spread is 0, and the evidence has no maximum, so noise_std_ is only where the search "
                "ended. Is one column of Y a copy of another? If not, give noise_std and set optimize=False.",
                ConvergenceWarning,
            )

    def _level_std(self, y):
        return ANY_LEVEL * float(np.std(y))

    @property
    def noise_std_(self):
        """The learned spread of the raters round an item's value."""
        return self.likelihood_.total_std

    def _view(self, X_new, n_raters=1):
        mean, std = self.predict_latent(X_new)
        return Gaussian(self.noise_std_ / np.sqrt(validation.integer(n_raters, "n_raters"))), mean, std**2

    def predict_scores(self, X_new: ArrayLike, scores: ArrayLike | None = None, **whose: object) -> NDArray:
        """(q, C) probability of each score as the next answer.

        scores : (C,) whole numbers, one apart; None: all of the scale;  whose : as for `predict_answer`

        Source: Wong et al. (2023), section 4.
        """
        if whose.get("n_raters", 1) != 1 or np.ndim(whose.get("rater", 0)):
            raise ValueError(f"whose answer is asked for is {whose!r}; the mean of several raters' is no score.")
        answer = self.predict_answer(X_new, **whose)
        if scores is None and self.scale is None:
            raise ValueError("scores is None, and so is the model's scale; give one of them, such as range(0, 11).")
        scores = np.arange(self.scale[0], self.scale[1] + 1) if scores is None else scores
        return np.exp(metrics.score_log_probabilities(*answer, scores))


class RepeatedGP(MultiSampleGP):
    """The same model by brute force: each input is repeated for each of its answers; matrices are nR × nR.

    It is kept to show that nothing but time is lost. It has no nugget, which would have to be shared by repetitions.

    Source: Wong et al. (2023), section 3, the naive approach.

    >>> from course_lib.judgments import RepeatedGP
    >>> items, marks = [[0.0], [1.0], [2.0], [3.0]], [[52, 61], [60, 66], [71, 80], [55, 59]]
    >>> RepeatedGP().fit(items, marks).predict(items).round()
    array([58., 63., 73., 58.])
    """

    def _repeated(self, X, item):
        if self.nugget_std is not None:
            raise ValueError(f"nugget_std is {self.nugget_std!r}; repeated inputs cannot share a nugget: choose None.")
        return X[item], np.arange(len(item))
