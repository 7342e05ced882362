"""What a model can be asked: of f itself differences, which is better, the order, draws; and of the next answers.

Lecture: 05, section 3; 06, section 7; 10, section 7.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr
from scipy.stats import norm, rankdata

from course_lib import selection, validation
from course_lib.gp.likelihoods.mixed import BlockLikelihood
from course_lib.gp.sites import symmetric_root
from course_lib.kinds import Rng

EQUAL_FRACTION = 1e-6  # of the spread of drawn values: a difference that is rounding


class Ranking(NamedTuple):
    """What is known of an order: (q,) each. Rank 1 is the best.

    order : items from the best to the worst, by their mean
    mean, low, high : each item's mean rank, and the interval that holds it
    best : probability of being the best of all
    """

    order: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    best: np.ndarray


class PosteriorQueriesMixin:
    """Questions about f, for a model that answers `predict_latent(X_new, return_cov)`.

    Each row of X_new is a new item, also where the inputs are those of another one. Items of the fit are asked for by
    their place in it, as `model.items_[[0, 3]]` in place of X_new: they keep what they have of their own, the part of
    f that a White kernel gives to each item alone. Pairs are of the rows, or items, that are asked: see `Items`.
    """

    def predict_difference(self, X_new: ArrayLike, pairs: ArrayLike) -> tuple[NDArray, NDArray]:
        """f(x_b) − f(x_a) for pairs (a, b) of rows of X_new: mean and standard deviation, (m,) each.

        Source: Nielsen (2015), eq. 2.58, with the sign of 2Σ₁₂ corrected to minus.
        """
        mean, cov = self.predict_latent(X_new, return_cov=True)
        a, b = selection.indices(pairs, "pairs", (None, 2), len(mean), "rows of X_new").T
        return mean[b] - mean[a], np.sqrt(np.maximum(cov[a, a] + cov[b, b] - 2.0 * cov[a, b], 0.0))

    def difference_interval(
        self, X_new: ArrayLike, pairs: ArrayLike, confidence: float = 0.9
    ) -> tuple[NDArray, NDArray]:
        """Central interval of f(x_b) − f(x_a), (low, high), (m,) each."""
        return normal_interval(*self.predict_difference(X_new, pairs), confidence)

    def probability_better(self, X_new: ArrayLike, pairs: ArrayLike) -> NDArray:
        """(m,) probability that f(x_b) > f(x_a), for pairs (a, b) of rows of X_new; ½ for an item and itself."""
        mean, std = self.predict_difference(X_new, pairs)
        known = std == 0
        return np.where(known, 0.5 + 0.5 * np.sign(mean), ndtr(mean / np.where(known, 1.0, std)))

    def ranking(self, X_new: ArrayLike, confidence: float = 0.9, size: int = 4000, rng: Rng = None) -> Ranking:
        """Ranking of items by drawn functions: mean ranks, intervals, and the probability of being the best."""
        confidence = validation.between(confidence, "confidence", 0, 1)
        drawn = self.sample(X_new, size, rng)
        apart = EQUAL_FRACTION * drawn.std()
        values, level = (_levels(each, apart) for each in (drawn, drawn.mean(axis=0, keepdims=True)))
        ranks = rankdata(-values, axis=1)  # equal values share their ranks
        best = values == values.max(axis=1, keepdims=True)
        low, high = np.quantile(ranks, [0.5 - confidence / 2, 0.5 + confidence / 2], axis=0, method="inverted_cdf")
        shared = best / best.sum(axis=1, keepdims=True)
        order = np.argsort(-level[0], kind="stable")
        return Ranking(order, ranks.mean(axis=0), low, high, shared.mean(axis=0))

    def sample(self, X_new: ArrayLike, size: int = 1, rng: Rng = None) -> NDArray:
        """(size, q) latent functions drawn from the posterior at X_new; scikit-learn's `sample_y` is (q, size)."""
        mean, cov = self.predict_latent(X_new, return_cov=True)
        noise = validation.generator(rng).normal(size=(validation.integer(size, "size"), len(mean)))
        return mean + noise @ symmetric_root(cov)


class AnswerQueriesMixin:
    """Questions about answers, for a `LatentGP`, whose answers come in blocks of values and of differences."""

    def predict(
        self, X_new: ArrayLike, pairs: ArrayLike | None = None, return_std: bool = False, block: int = 0
    ) -> NDArray | tuple[NDArray, NDArray]:
        """The expected answer; with `return_std` also the standard deviation of that expectation.

        X_new : as for predict_latent
        pairs : None for a block of values; for one of differences (m, 2) pairs (a, b) of rows of X_new
        block : whose answers, counted as in `fit`
        Returns (q,) or (m,); with return_std two of them.
        """
        return_std = validation.flag(return_std, "return_std")
        likelihood, mean, variance = self._view(X_new, pairs, block)
        expected, spread = likelihood.predict_mean(mean, variance)
        return (expected, np.sqrt(spread)) if return_std else expected

    def predict_answer(
        self, X_new: ArrayLike, pairs: ArrayLike | None = None, block: int = 0
    ) -> tuple[NDArray, NDArray]:
        """(mean, standard deviation) of the next answer, with the noise of giving it. Arguments as predict.

        Source: Nielsen (2015), eq. 2.62.
        """
        likelihood, mean, variance = self._view(X_new, pairs, block)
        expected, spread = likelihood.predict(mean, variance)
        return expected, np.sqrt(spread)

    def answer_interval(
        self, X_new: ArrayLike, pairs: ArrayLike | None = None, confidence: float = 0.9, block: int = 0
    ) -> tuple[NDArray, NDArray]:
        """Central prediction interval of the next answer, (low, high). Arguments as predict."""
        tail = 0.5 - 0.5 * validation.between(confidence, "confidence", 0, 1)
        likelihood, mean, variance = self._view(X_new, pairs, block)
        return likelihood.quantile(tail, mean, variance), likelihood.quantile(1.0 - tail, mean, variance)

    def predict_preference(self, X_new: ArrayLike, pairs: ArrayLike, block: int = 0) -> NDArray:
        """(m,) probability that the next answer to a pair (a, b) is for b, among those for one of the two.

        Source: Nielsen (2015), eqs. 2.52 and 2.68, whose limit for ν → ∞ has no 2σ².
        """
        likelihood, mean, variance = self._view(X_new, pairs, block)
        return likelihood.probability_above(mean, variance)

    def log_predictive_density(
        self, X_new: ArrayLike, y_new: ArrayLike, pairs: ArrayLike | None = None, block: int = 0
    ) -> NDArray:
        """(q,) or (m,) log p(y_new | all answers). Arguments as predict. Source: Nielsen (2015), eq. 2.38."""
        likelihood, mean, variance = self._view(X_new, pairs, block)
        y_new = validation.real_array(y_new, "y_new")
        if y_new.shape != mean.shape:
            raise ValueError(
                f"y_new has {y_new.size} answers (shape {y_new.shape}) and {'X_new' if pairs is None else 'pairs'} "
                f"{len(mean)} rows; they must agree."
            )
        try:
            y_new = likelihood.check(y_new)
        except ValueError as error:
            raise ValueError(f"y_new: {error}") from None
        return likelihood.log_predictive_density(y_new, mean, variance)

    def _view(self, X_new, pairs, block):
        """(likelihood of the block, mean, variance of what its answers are to): of f, or of differences."""
        likelihood, kind = self._block(block)
        if kind == "values" and pairs is not None:
            raise ValueError(
                f"block {block} holds answers to items, and pairs came: leave pairs out. predict_difference and "
                "probability_better compare items."
            )
        if kind == "differences" and pairs is None:
            raise ValueError(f"block {block} holds answers to pairs: give pairs (m, 2) of rows (a, b) of X_new.")
        if pairs is None:
            mean, std = self.predict_latent(X_new)
        else:
            mean, std = self.predict_difference(X_new, pairs)
        return likelihood, mean, std**2

    def _block(self, block):
        """(likelihood, kind) of a block."""
        likelihood = self._hyperparameters().likelihood
        parts = likelihood.children if isinstance(likelihood, BlockLikelihood) else (likelihood,)
        if validation.integer(block, "block", least=0) >= len(parts):
            raise ValueError(f"block is {block!r}; this model has the blocks 0 … {len(parts) - 1}.")
        return parts[block], self.observations_.kinds[block]


def _levels(values, apart):
    """(size, q) whole numbers that rise with the values of each row, equal where neighbours lie no further apart."""
    order, levels = np.argsort(values, axis=1), np.empty(values.shape, dtype=int)
    rises = np.diff(np.take_along_axis(values, order, axis=1), axis=1, prepend=-np.inf) > apart
    np.put_along_axis(levels, order, np.cumsum(rises, axis=1), axis=1)
    return levels


def normal_interval(mean, std, confidence):
    """Central interval of a Gaussian number, (low, high)."""
    half = norm.ppf(0.5 + 0.5 * validation.between(confidence, "confidence", 0, 1)) * std
    return mean - half, mean + half


def centred_normal(mean, covariance):
    """(mean, standard deviation), (n,) each, of Gaussian numbers less their own mean."""
    covariance = covariance - covariance.mean(axis=0)
    variance = np.diagonal(covariance - covariance.mean(axis=1, keepdims=True))
    return mean - mean.mean(), np.sqrt(np.maximum(variance, 0.0))
