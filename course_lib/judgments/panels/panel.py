"""The one model of a panel: answers of a kind, raters of a kind, and what is asked of all of them.

Lecture: 07, sections 5 and 6; 08, sections 2–4 and 6; 09, sections 2 and 7.
"""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.gp import Kernel, LatentModel, White
from course_lib.gp.items import Items, asked_of
from course_lib.gp.model import r_squared
from course_lib.gp.observations import Observations
from course_lib.gp.questions import centred_normal, normal_interval
from course_lib.gp.starts import typical_kernels
from course_lib.judgments.panels.likelihoods import NEW_RATER, RandomRaterLikelihood
from course_lib.judgments.panels.people import ExchangeableRaters, RaterBias
from course_lib.settings import KW_ONLY, settings


class Answers(NamedTuple):
    """What a panel answered, one answer after the other.

    table : as it came, (n, R) or (n, R, K), NaN where a rater gave none;  item, rater : (m,) ints
    y : (m,) in the unit of the likelihood;  offset : what was taken off
    """

    table: np.ndarray
    item: np.ndarray
    rater: np.ndarray
    y: np.ndarray
    offset: float = 0.0


@settings
class Panel(LatentModel):
    """y_nr = an answer to z_n − u_r: items' values z_n = f(x_n), plus a nugget, and raters' strictnesses u_r.

    Three choices make a model: the prior of items and raters (`_raters`), the likelihood with which the search begins
    (`_noise`), and its rule (`inference`; exact for Gaussian noise). A subclass also says how answers are read
    (`_read`), how far the level of the values may be from 0 (`_level_std`; None: it is 0), and what the next answer is
    to (`_view`).

    kernel, optimize, n_restarts, rng, max_iter, progress : as for `LatentGP`
    nugget_std : None, or where the search for the nugget begins: what the inputs do not explain of an item's value,
        the same for all its raters. It is a White kernel added to the kernel.

    A level that all raters share cannot be told from that of the values. With biases, consensus_std_ and the intervals
    of values, biases and a new rater's answer hold how far R raters may be off together, bias_std_ / √R at least.
    Contrasts (`difference_interval`), centred values and a known rater's answers are free of it.

    Source: Searle, Casella & McCulloch (1992), chapter 3: effects of items and of raters.
    """

    _: KW_ONLY
    nugget_std: float | None = None

    bias_std = bias_prior = opinion_std = None
    one_answer = "answer"  # what an answer is called
    _beside_biases = None  # what is learned of raters that biases are known together with

    # ------------------------------------------------------------------------------------------------ learning

    @property
    def _raters(self):
        """The raters: those of the kernel if it brings some (see `people`), else by the settings."""
        if hasattr(self.kernel, "raters"):
            return self.kernel.raters(self.bias_std, self.bias_prior, self.opinion_std)
        if self.bias_std is not None:
            return RaterBias(self.bias_std, self.bias_prior, self.opinion_std)
        if self.opinion_std is not None:
            raise ValueError(f"opinion_std is {self.opinion_std!r} and bias_std None; opinions need bias_std.")
        return ExchangeableRaters()

    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Learn from X (n, D) and answers Y (n, R), NaN where a rater gave none; raters may be absent anywhere.

        Where raters gave numbers to the same item again, Y is (n, R, K), NaN after the last answer of each.

        Warns: LongTableWarning if Y has one column and most rows of X are equal to others, as in a long table: see
        `from_long`.
        """
        X = validation.sequence(X, "X")
        answers = self._read(X, Y)
        likelihood, kept = self._noise(X, answers)
        inputs, item = self._repeated(X, answers.item)
        raters = self._raters
        rows, views = raters.rows(inputs, item, answers.rater)
        kinds = (raters.kind,) * max(1, len(getattr(likelihood, "children", ())))
        observations = Observations(rows, views, answers.y, likelihood, kinds=kinds)
        exact = {"inference": "exact"} if likelihood.is_gaussian else {}
        kernels = self._first_kernels(raters, inputs, item, answers.y, likelihood)
        _, first = np.unique(answers.item, return_index=True)
        return self._keep(
            latent_=self._latent_gp(**exact).fit(observations, kernels),
            n_raters_=answers.table.shape[1],
            offset_=answers.offset,
            _rows=raters.places(views, first),
            **kept,
        )

    def _repeated(self, X, item):
        """(inputs, the input of each answer): once an item."""
        return X, item

    def _first_kernels(self, raters, X, item, y, likelihood):
        """The kernels with which searches begin: of the items, with the nugget, and of raters' biases and opinions."""
        if self.kernel is None:
            kernels = typical_kernels(Observations(*ExchangeableRaters().rows(X, item, None), y, likelihood))
        else:
            kernels = [validation.instance(self.kernel, Kernel, "kernel", "a Kernel such as SquaredExponential()")]
        if self.nugget_std is not None:
            nugget = White(validation.positive(self.nugget_std, "nugget_std") ** 2)
            kernels = [kernel + nugget for kernel in kernels]
        kernels[0].inputs(X)
        return [raters.kernel(kernel, self._level_std(y)) for kernel in kernels]

    @property
    def nugget_std_(self):
        """The learned standard deviation of what the inputs do not explain of an item; 0 without a nugget."""
        kernel = self.kernel_
        return 0.0 if self.nugget_std is None else float(np.sqrt(kernel.children[-1].variance))

    @property
    def n_features_in_(self):
        """Number of columns of X."""
        return self._raters.columns(self._fitted().n_features_in_)

    # ------------------------------------------------------------------------------------------------ items

    @property
    def items_(self):
        """Items of the fit, one for each row of X."""
        rows = self.observations_.X[self._rows] if self._rows.ndim == 1 else self._rows
        return Items(rows[:, : self.n_features_in_], np.arange(len(rows)))

    def _asked(self, X_new):
        """X_new as Items of the latent GP."""
        return self._raters.asked(asked_of(X_new, self.items_), self._rows, self._fitted().n_features_in_)

    def predict_latent(self, X_new: ArrayLike, return_cov: bool = False) -> tuple[NDArray, NDArray]:
        return super().predict_latent(self._asked(X_new), return_cov)

    def _values(self):
        """Mean (n,) and covariance (n, n) of f at the items of the fit, raters' rows left out."""
        return self._raters.values(self._fitted(), self._rows)

    @property
    def consensus_(self):
        """(n,) the values of the items of the fit, as raters without bias would have them."""
        return self._values()[0] + self.offset_

    @property
    def consensus_std_(self):
        """(n,) standard deviation of the consensus."""
        return np.sqrt(np.maximum(self._values()[1].diagonal(), 0.0))

    @property
    def consensus_cov_(self):
        """(n, n) covariance of the items' values, in the unit of f, for their differences and centred values."""
        return self._values()[1]

    def consensus_interval(self, confidence: float = 0.9, *, centred: bool = False) -> tuple[NDArray, NDArray]:
        """Central interval of each item's value, (low, high), (n,) each.

        centred : False: the value itself, with the level that all items share; True: how far it is above the mean of
            all n items, which is known better where the raters have biases. Contrasts of two items:
            `difference_interval(items_, pairs)`.
        """
        mean, covariance = self._values()
        return interval_of(mean + self.offset_, covariance, confidence, centred)

    def predict(self, X_new: ArrayLike, return_std: bool = False) -> NDArray | tuple[NDArray, NDArray]:
        """The expected answer to items, averaged over infinitely many answers; with return_std its spread too.

        For numbers it is the value z on which infinitely many raters would agree, for marks that of a rater without
        bias, for labels that of one of the raters, chosen at random. For `items_` it is the consensus; each row of an
        array is a new item.

        Source: Wong et al. (2023), eq. 11; Jensen et al. (2013), eqs. 7–8.
        """
        expected = self._expected(X_new)
        return expected if validation.flag(return_std, "return_std") else expected[0]

    def _expected(self, X_new):
        """(mean, standard deviation), (q,) each, of what is expected of items."""
        return self.predict_latent(X_new)

    # ------------------------------------------------------------------------------------------------ raters

    @property
    def bias_std_(self):
        """The learned spread of the raters' biases; 0 without bias_std."""
        return 0.0 if self.bias_std is None else self._fitted().kernel_.bias_std

    @property
    def opinion_std_(self):
        """The learned spread of what raters think of an item besides consensus and bias; 0 without opinion_std."""
        return 0.0 if self.opinion_std is None else self._fitted().kernel_.opinion_std

    def _biases(self):
        """(R,) mean and (R, R) covariance of the biases."""
        return self._raters.biases(self._fitted(), self.n_raters_)

    def joint_moments(self):
        """Mean (n + R,) and covariance of the items' values and, after them, the raters' biases; it needs bias_std."""
        mean, covariance = self._fitted().item_moments()
        rows = np.append(self._rows, np.arange(len(mean) - self.n_raters_, len(mean)))
        sign = np.repeat([1.0, -1.0], [len(self._rows), self.n_raters_])  # what is in the model is strictness
        mean = sign * mean[rows]
        mean[: len(self._rows)] += self.offset_
        return mean, sign[:, None] * covariance[np.ix_(rows, rows)] * sign

    @property
    def rater_bias_(self):
        """(R,) how much higher than the consensus each rater marks, in the unit of the values."""
        return self._biases()[0]

    @property
    def rater_bias_std_(self):
        """(R,) standard deviation of the biases, the level that all raters share included."""
        return np.sqrt(np.maximum(self._biases()[1].diagonal(), 0.0))

    def bias_interval(self, confidence: float = 0.9, centred: bool = False) -> tuple[NDArray, NDArray]:
        """Central interval of each rater's bias, (low, high), (R,) each.

        Where gains or precisions of raters are learned too, only an averaged model has it: see `averaged`.

        centred : False: the bias itself, with the level that all raters share; True: how far it is above the mean of
            all R raters, which is known better
        """
        if not self._fitted().members_ and self.bias_std is not None and self._beside_biases and self.optimize:
            raise ValueError(
                f"bias_interval is asked of a fit, which takes the raters' {self._beside_biases} as known: it would "
                "be far too narrow. averaged().bias_interval() knows what is open of them."
            )
        return interval_of(*self._biases(), confidence, centred)

    # ------------------------------------------------------------------------------------------------ answers

    def _view(self, X_new, rater=NEW_RATER):
        """(likelihood, mean, variance) of what this rater's answers are to: f, and the bias, at X_new."""
        latent, parts = self._fitted(), self.likelihood_.children
        unseen = isinstance(rater, str) and rater == NEW_RATER
        rater = self.n_raters_ if unseen else validation.integer(rater, "rater", least=0)
        if rater >= self.n_raters_ and not unseen:
            raise ValueError(f'rater is {rater!r}; the raters are 0 … {self.n_raters_ - 1}, and "new".')
        seen = self._raters.seen(latent, self._asked(X_new), [rater], np.ones(1))
        return RandomRaterLikelihood(parts) if unseen else parts[min(rater, len(parts) - 1)], *seen

    def _on_scale(self, answer, std=None):
        """Answers of the likelihood, and what they are known by, as they are given."""
        return answer if std is None else (answer, std)

    def predict_answer(self, X_new: ArrayLike, **whose: object) -> tuple[NDArray, NDArray]:
        """(mean, std), (q,) each, of the next answer to items.

        whose : rater="new" (the default): a rater who was never seen, with a bias and a gain like the raters', and
            the noise, precision or thresholds of one of them; or an int, 0 … R−1. RaterGP also takes a list of
            different ints: the mean of these raters' answers. Models that do not tell raters apart take n_raters
            instead: the mean of so many new raters' answers.

        Source: Wong et al. (2023), below eq. 11; Gil González et al. (2019), eq. 2, with the rater's noise on top.
        """
        likelihood, mean, variance = self._view(X_new, **whose)
        expected, spread = likelihood.predict(mean, variance)
        return self._on_scale(expected, np.sqrt(spread))

    def answer_interval(self, X_new: ArrayLike, confidence: float = 0.9, **whose: object) -> tuple[NDArray, NDArray]:
        """Central prediction interval of the next answer, (low, high), (q,) each.

        It never leaves a bounded scale; of labels the ends are included. `whose` is as for `predict_answer`.
        """
        tail = 0.5 - 0.5 * validation.between(confidence, "confidence", 0, 1)
        likelihood, mean, variance = self._view(X_new, **whose)
        return tuple(self._on_scale(likelihood.quantile(p, mean, variance)) for p in (tail, 1.0 - tail))

    def log_predictive_density(self, X_new: ArrayLike, y_new: ArrayLike, **whose: object) -> NDArray:
        """(q,) log density of answers y_new (q,) at new inputs, per unit of their scale; of labels log probability.

        `whose` is as for `predict_answer`.

        Source: Wong et al. (2023), below eq. 11; Jensen et al. (2013), Table 1.
        """
        likelihood, mean, variance = self._view(X_new, **whose)
        y_new = validation.real_array(y_new, "y_new")
        if y_new.shape != mean.shape:
            raise ValueError(
                f"y_new has shape {y_new.shape} and X_new {len(mean)} rows; one {self.one_answer} for each is needed."
            )
        return likelihood.log_predictive_density(self._check_answers(y_new), mean, variance) - np.log(self._unit)

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """R² of what is predicted, as forecasts of all answers y, as Y for `fit`; noisy raters keep it below 1."""
        return r_squared(X, y, self.predict, repeats=True)

    _unit = 1.0  # of the answers, in that of the likelihood's

    def _check_answers(self, y_new):
        """New answers as the likelihood has them, if it can."""
        return y_new


def interval_of(mean, covariance, confidence, centred):
    """Central interval of Gaussian numbers, or of how far they are above their own mean, (low, high)."""
    if validation.flag(centred, "centred"):
        return normal_interval(*centred_normal(mean, covariance), confidence)
    return normal_interval(mean, np.sqrt(np.maximum(covariance.diagonal(), 0.0)), confidence)
