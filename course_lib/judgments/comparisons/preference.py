"""Learning from comparisons: which of two, by how much, or how far apart.

Lecture: 10.
"""

import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components
from scipy.special import ndtr
from scipy.stats import rankdata

from course_lib import validation
from course_lib.gp import (
    Beta,
    Fixed,
    Gaussian,
    LatentGP,
    Logit,
    Observations,
    Probit,
    Product,
    SquaredExponential,
    differences,
    stack,
)
from course_lib.gp.counted import Counted
from course_lib.gp.observations import distinct_rows
from course_lib.gp.priors import a_prior
from course_lib.judgments.comparisons.likelihoods import Comparison, ProbitWithTies
from course_lib.judgments.comparisons.pseudo_inputs import pseudo_input_laplace

LINKS = {"probit": Probit, "logit": Logit}
SIZES = ("variance", "variances", "loadings", "own_variances")  # of kernels
EQUAL = 1e-6  # of the spread of drawn values: a difference that is rounding
MANY = 2000  # items from where on looking for floating ones takes longer than learning
LOOSE = 0.1  # prior correlation below which the kernel says next to nothing of one item from another


class FloatingItemsWarning(UserWarning):
    """Some items hang on the others by neither comparisons nor the kernel; looked for among up to 2000 items.

    Lecture: 10, section 5.
    """


class Ranking(NamedTuple):
    """What is known of an order: (q,) each. Rank 1 is the best.

    order : items from the best to the worst, by their mean
    mean, low, high : each item's mean rank, and the interval that holds it
    best : probability of being the best of all

    Lecture: 10, section 7.
    """

    order: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    best: np.ndarray


@dataclass(frozen=True, eq=False)
class CountedObservations(Observations):
    """Observations of which row k was made counts[k] times, (m,). Lecture: 10, section 2."""

    counts: np.ndarray

    def told_by(self, likelihood):
        """Its powers. Lecture: 10, section 2."""
        return Counted(likelihood, self.counts)


class PreferenceGP(LatentGP):
    """Comparisons of items: f ~ GP(0, k), and an answer to f(x_b) − f(x_a) for a pair (a, b). Positive means: b.

    A difference does not change when f is raised as a whole, and a choice does not when f and its noise are stretched
    together. So the level of f is that of its prior, 0, and `noise_std` is its unit: it stays as it is.

    Parameters
    ----------
    kernel : Kernel; SquaredExponential() if None
    response : "choice": −1 or +1, and 0 for a tie if `ties`; "degree": between 0 and 1, above ½ if b is preferred;
        "difference": how much better b is, any number
    inference : "laplace", "ep" or "variational"; all are exact for differences, as is "exact"
    link : "probit" or "logit", for choices
    ties : whether a choice may be 0
    noise_std : choice and degree: σ, the noise of one judgement, the unit of f; difference: noise of the answer,
        where its search begins
    noise_prior : None: σ stays (choice, degree), or is learned freely (difference); else its prior
    precision, precision_prior : ν of degrees, where its search begins, and its prior
    inducing : None, or pseudo-inputs: their number M, or places (M, D); with "laplace" for probit choices (Paper C),
        with "variational" for every response
    learn_inducing, optimize, n_restarts, rng, max_iter, space, progress : as for `LatentGP`

    Source: thesis 002, section 2.3; Paper A; Chu & Ghahramani (2005). Lecture: 10, section 2.
    """

    sparse_rules = ("laplace", "variational")

    def __init__(
        self,
        kernel=None,
        response="choice",
        inference="laplace",
        link="probit",
        ties=False,
        noise_std=1.0,
        noise_prior=None,
        precision=10.0,
        precision_prior=None,
        inducing=None,
        learn_inducing=False,
        optimize=True,
        n_restarts=0,
        rng=None,
        max_iter=200,
        space="auto",
        progress=False,
    ):
        super().__init__(
            kernel, inference, inducing, learn_inducing, optimize, n_restarts, rng, max_iter, space, progress
        )
        self.response = response
        self.link = link
        self.ties = ties
        self.noise_std = noise_std
        self.noise_prior = noise_prior
        self.precision = precision
        self.precision_prior = precision_prior

    def fit(self, X, pairs, y, counts=None):
        """Learn from items X (n, D), pairs (m, 2) of their rows (a, b), and an answer y (m,) to each pair.

        Parameters
        ----------
        counts : (m,) whole numbers: how often this answer to this pair was given, as often as one likes at the cost
            of once; a row with 0 is left out; None: once. Each time has noise of its own: see `Counted`.

        Raises
        ------
        ValueError
            If a pair compares an item with itself or with one that does not exist, an answer cannot be one of this
            response, all hyper-parameters are to be learned from one comparison, or kernel and noise are both free.

        Source: thesis 002, eqs. 2.40, 2.51 and 2.60. Lecture: 10, section 2.
        """
        self._check_settings()
        likelihood = self._likelihood_to_learn()
        self._refuse_free_units()
        block, times = differences(X, pairs, y, likelihood), None
        if counts is not None:
            pairs, y = validation.pairs(pairs, len(X)), validation.answers(y, "y").ravel()
            times = np.where(np.isnan(y), 0, _counts(counts, len(pairs)))
            given = times > 0
            block, times = differences(X, pairs[given], y[given], likelihood), times[given]
        to_learn = len(self._first_kernels(block)[0].theta) + len(likelihood.theta)
        if self.optimize and to_learn and (len(block.y) if times is None else times.sum()) == 1:
            raise ValueError("there is one comparison only; it cannot teach hyper-parameters: set optimize=False.")
        learned = self._learn(block if times is None else CountedObservations(**vars(stack(block)), counts=times))
        _warn_of_floating(block, learned["kernel_"])
        return self._keep(learned)

    def _check_settings(self):
        validation.one_of(self.inference, ("exact", "laplace", "ep", "variational"), "inference")
        super()._check_settings()
        validation.one_of(self.response, ("choice", "degree", "difference"), "response")
        validation.one_of(self.link, tuple(LINKS), "link")
        validation.flag(self.ties, "ties")
        validation.positive(self.precision, "precision")
        a_prior(self.noise_prior, "noise_prior")
        a_prior(self.precision_prior, "precision_prior")
        plain = self.link == "probit" and not self.ties
        if (self.ties and self.link != "probit") or (self.response != "choice" and not plain):
            raise ValueError(
                f"ties is {self.ties!r} and link {self.link!r} with response {self.response!r}; both are for choices, "
                'and ties go with response="choice" and link="probit".'
            )
        if self.inducing is not None and self.inference == "laplace" and not (self.response == "choice" and plain):
            raise ValueError(
                f"inducing is {self.inducing!r}: Laplace's pseudo-inputs are for probit choices without ties; "
                'inference="variational" takes them for every response.'
            )

    def _likelihood_to_learn(self):
        noise = validation.positive(self.noise_std, "noise_std")
        if self.response == "difference":
            likelihood = Gaussian(noise)
            return likelihood if self.noise_prior is None else likelihood.with_priors(noise_std=self.noise_prior)
        prior = Fixed() if self.noise_prior is None else self.noise_prior
        return Comparison(self._inner(), noise).with_priors(noise_std=prior)

    def _inner(self):
        if self.response == "degree":
            degree = Beta(self.precision)
            return degree if self.precision_prior is None else degree.with_priors(precision=self.precision_prior)
        return ProbitWithTies() if self.ties else LINKS[self.link]()

    def _refuse_free_units(self):
        """f and σ may be stretched together: one of them must be held, by a prior at least."""
        held = self.response == "difference" or self.noise_prior is None or isinstance(self.noise_prior, Fixed)
        if not held and _stretches(SquaredExponential() if self.kernel is None else self.kernel):
            raise ValueError(
                f"noise_prior is {self.noise_prior!r}, and nothing holds the size of the kernel: only f/σ shows in "
                "choices and degrees, so f and σ would drift together. Keep σ (noise_prior=None), or give the "
                "kernel's variance a prior too."
            )

    def _rule(self):
        pseudo = self.inference == "laplace" and self.inducing is not None
        return pseudo_input_laplace if pseudo else super()._rule()

    def predict(self, X_new, return_std=False, return_cov=False):
        """f at new inputs: mean (q,), with standard deviation (q,) or covariance (q, q) if wanted.

        Raises
        ------
        ValueError
            As LatentGP.predict_latent.

        Lecture: 10, section 4.
        """
        return_std, return_cov = validation.flag(return_std, "return_std"), validation.flag(return_cov, "return_cov")
        if return_std and return_cov:
            raise ValueError("return_std and return_cov are both True; choose one.")
        mean, spread = self.predict_latent(X_new, return_cov=return_cov)
        return (mean, spread) if return_std or return_cov else mean

    def log_predictive_density(self, X_new, pairs, y_new):
        """(m,) log p(y_new | all answers) of answers to pairs (a, b) of rows of X_new (q, D).

        Raises
        ------
        ValueError
            As LatentGP.predict_difference, and if y_new cannot be answers to these pairs.

        Source: thesis 002, eqs. 2.52 and 2.62. Lecture: 10, section 4.
        """
        mean, std = self.predict_difference(X_new, pairs)
        y_new = self._new_answers(y_new, self.likelihood_, len(mean), "pairs")
        return self.likelihood_.log_predictive_density(y_new, mean, std**2)

    def predict_preference(self, X_new, pairs):
        """(m,) probability that b is preferred to a, for pairs (a, b) of rows of X_new (q, D).

        Of a degree: that it is above ½; of a difference: that it is above 0; with ties: of b among the decided.

        Raises
        ------
        ValueError
            As LatentGP.predict_difference.

        Source: thesis 002, eqs. 2.52 and 2.68, whose limit for ν → ∞ has no 2σ² (errata ★). Lecture: 10, section 4.
        """
        mean, std = self.predict_difference(X_new, pairs)
        likelihood = self.likelihood_
        if isinstance(likelihood, Gaussian):
            return ndtr(mean / np.hypot(std, likelihood.noise_std))
        return likelihood.prefers_b(mean, std**2)

    def predict_answer(self, X_new, pairs):
        """Mean and standard deviation, (m,) each, of the next answer to pairs (a, b) of rows of X_new (q, D).

        Raises
        ------
        ValueError
            As LatentGP.predict_difference.

        Source: thesis 002, eq. 2.62. Lecture: 10, section 4.
        """
        mean, std = self.predict_difference(X_new, pairs)
        expected, variance = self.likelihood_.predict(mean, std**2)
        return expected, np.sqrt(variance)

    def score(self, X, pairs, y):
        """Share of the decided answers y (m,) to pairs (a, b) of rows of X whose side `predict_preference` tells.

        Raises
        ------
        ValueError
            As predict_preference, if y cannot be answers to these pairs, or if all of them are ties.

        Lecture: 10, section 4.
        """
        X = validation.sequence(X, "X")
        pairs = validation.pairs(pairs, len(X))
        probability = self.predict_preference(X, pairs)
        y = self.likelihood_.check(validation.real_array(y, "y"))
        if y.shape != probability.shape:
            raise ValueError(f"y has shape {y.shape}; {probability.shape} is needed, an answer to each of the pairs.")
        side = np.sign(y - (0.5 if self.response == "degree" else 0.0))
        if not side.any():
            raise ValueError(f"all {len(y)} answers in y are ties; the score is of those that name a side.")
        return float((np.sign(probability - 0.5) == side)[side != 0].mean())

    def ranking(self, X_new, confidence=0.9, size=4000, rng=None):
        """Ranking of new items from drawn functions: mean ranks, intervals, and the probability of being the best.

        Raises
        ------
        ValueError
            As LatentGP.sample, and if confidence is not between 0 and 1.

        Lecture: 10, section 7.
        """
        confidence = validation.between(confidence, "confidence", 0, 1)
        X, item = distinct_rows(self._inputs(X_new))
        drawn = self.sample(X, size, rng)[:, item]
        drawn = np.round(drawn / max(EQUAL * drawn.std(), np.finfo(float).tiny))
        ranks = rankdata(-drawn, axis=1)  # equal items share their ranks
        best = drawn == drawn.max(axis=1, keepdims=True)
        low, high = np.quantile(ranks, [0.5 - confidence / 2, 0.5 + confidence / 2], axis=0, method="inverted_cdf")
        shared = best / best.sum(axis=1, keepdims=True)
        return Ranking(
            np.argsort(-drawn.mean(axis=0), kind="stable"), ranks.mean(axis=0), low, high, shared.mean(axis=0)
        )


def _stretches(kernel):
    """Whether free parameters, without priors, can multiply all covariances by any number."""
    if kernel.children:
        return (any if isinstance(kernel, Product) else all)(map(_stretches, kernel.children))
    sizes = [name for name in kernel.parameter_names if name in SIZES]
    return bool(sizes) and not any(kernel.priors.get(name) for name in sizes)


def _counts(counts, m):
    counts = validation.indices(counts, "counts", (m,))
    if not counts.any():
        raise ValueError(f"counts are all 0; some of the {m} must be above 0.")
    return counts


def _warn_of_floating(block, kernel):
    """Say which items hang on the others neither by comparisons, through third ones at least, nor by the kernel."""
    seen, ends = np.unique([block.views.minus, block.views.plus], return_inverse=True)
    X, item = distinct_rows(block.X[seen])
    links = coo_array((np.ones(len(block.views)), item[ends.reshape(2, -1)]), shape=(len(X), len(X))).tocsr()
    if len(X) > MANY or connected_components(links, directed=False)[0] == 1:
        return
    correlation = kernel(X)
    known = 1e-12 * correlation.diagonal().max()
    correlation = np.abs(correlation - max(0.0, correlation.min()))  # a level that all share ties no two of them
    size = np.sqrt(correlation.diagonal())
    scale = np.outer(size, size)
    correlation = np.where(scale > known, correlation / np.maximum(scale, known), 1.0)  # what cannot vary is known
    n_groups, group = connected_components(links + csr_array(correlation > LOOSE), directed=False)
    if n_groups > 1:
        few = group == np.bincount(group).argmin()
        named = seen[few[item]]
        tie = correlation[few][:, ~few].max()
        warnings.warn(
            f"items {named[:5].tolist()}{' …' if len(named) > 5 else ''} were never compared with the others, not "
            f"even through third ones, and the kernel hardly ties them (correlation at most {tie:.2f}): "
            "the answers say little of differences to the others.",
            FloatingItemsWarning,
            stacklevel=3,
        )
