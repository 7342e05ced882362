"""Gaussian mixtures, fitted by expectation maximisation.

Lecture: 03, sections 1–3 and 5.
"""

import warnings
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp, softmax
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import validate_data
from tqdm.auto import tqdm

from course_lib import validation
from course_lib.kinds import Rng
from course_lib.sequences import covariances as cov
from course_lib.sequences import sufficient_statistics as sufficient
from course_lib.sequences.clusters import whitened_clusters
from course_lib.sequences.covariances import Mixture
from course_lib.sequences.gaussian import Gaussian, log_density
from course_lib.sequences.sufficient_statistics import NormalInverseWishart, estimate
from course_lib.settings import KW_ONLY, settings
from course_lib.threads import ONE_THREAD


def joint_log_densities(X, mixture, covariance_type):
    """log π_k + log N(x_n | μ_k, Σ_k), (N, K): how well each component explains each point, by Cholesky."""
    matrices = cov.as_matrices(mixture.covariances, covariance_type, *mixture.means.shape)
    log_weights = np.log(mixture.weights, out=np.full(len(matrices), -np.inf), where=mixture.weights > 0)
    gaussians = zip(mixture.means, matrices, strict=True)
    return log_weights + np.stack([log_density(X, *gaussian) for gaussian in gaussians], axis=1)


def responsibilities(log_joint):
    """γ_nk = π_k N(x_n | μ_k, Σ_k) / Σ_l π_l N(x_n | μ_l, Σ_l) from the logarithms, (N, K).

    Source: TTIC 31110 slides (2020), "The credit assignment problem".
    """
    return softmax(log_joint, axis=1)


def expectation(X, mixture, covariance_type, origin):
    """E-step: (log likelihood, statistics weighted by γ) of X, as matrix products.

    log π_k N(x | μ_k, Σ_k) is linear in the features 1, x and x xᵀ of a point (relative to an origin, which saves
    digits): one product gives it for all points, another one sums γ, γ x and γ x xᵀ (see `sufficient_statistics`).

    X : (N, D); mixture : Mixture; origin : (D,) a point near the data

    Source: TTIC 31110 slides (2020), "E-step: compute γ".
    """
    origin = sufficient.origins(*mixture[1:], covariance_type, origin)
    coefficients = sufficient.natural_parameters(*mixture, covariance_type, origin)
    log_likelihood, total = 0.0, np.zeros_like(coefficients)
    for _, F in sufficient.blocks(X, origin, covariance_type):
        log_joint = F.densities(coefficients)  # (K, points): log π_k + log N(x_n | μ_k, Σ_k)
        largest = log_joint.max(axis=0)
        joint = np.exp(np.subtract(log_joint, largest, out=log_joint), out=log_joint)  # in the same memory
        evidence = joint.sum(axis=0)
        gamma = np.divide(joint, evidence, out=joint)
        log_likelihood += float((largest + np.log(evidence)).sum())
        total += F.sums(gamma)
    return log_likelihood, recounted(sufficient.unpack(total, covariance_type, origin), X, mixture, covariance_type)


def maximization(statistics, previous, covariance_type, min_variance=0.0, prior=None):
    """M-step: the Mixture that maximises the expected log likelihood (plus the log prior).

    N_k = Σ_n γ_nk, π_k = N_k / N, μ_k = Σ_n γ_nk x_n / N_k, and Σ_k likewise (`estimate`). A component without points
    gets weight 0; without a prior it keeps its mean, and its covariance unless that is tied.

    Source: TTIC 31110 slides (2020), "ML estimation with unknown component labels (cont'd)".
    """
    means, covariances = estimate(statistics, covariance_type, min_variance, prior)
    empty = statistics.counts <= 1e-10 * statistics.counts.sum()
    if prior is None and empty.any():
        means[empty] = previous.means[empty]
        if covariance_type != "tied":
            covariances[empty] = previous.covariances[empty]
    counts = np.where(empty, 0.0, statistics.counts)
    return Mixture(counts / counts.sum(), means, covariances)


@settings
class GaussianMixture(DensityMixin, BaseEstimator):
    """A density that is a sum of K Gaussians, p(x) = Σ_k π_k N(x | μ_k, Σ_k), fitted by EM.

    Parameters
    ----------
    n_components : int, K
    covariance_type : "full", "tied" (one Σ for all), "diag" or "spherical"
    init : "kmeans" (on standardised features, so that units do not matter), "random" (K of the points as means), a
        (K, D) array of means, or a `Mixture` to go on from
    n_init : number of starts; the best is kept (from given means or a `Mixture` all are the same)
    min_variance : "auto", a float in squared units of the data, or (D,) floats, one for each feature
        Floor under the variance in every direction; 0 allows collapse, which ends in a ValueError. "auto" is, for each
        feature, a millionth of its mean variance within the components with which EM starts: a thousandth of their
        width, whatever the unit.
    prior : None, a NormalInverseWishart or "weak" (`NormalInverseWishart.weak(X, K)`), with which EM is MAP-EM
    tol : EM stops when the objective grows by no more than this per point; 0: when it does not grow at all
    max_iter : largest number of rounds; a ConvergenceWarning says if they were not enough
    progress : bool, show a progress bar;  rng : seed or numpy Generator

    Attributes
    ----------
    weights_ (K,), means_ (K, D), covariances_ : shapes as in `Mixture`
    trace_ : log likelihood of the training data, plus the log prior (up to a constant) if there is one,
        before each M-step and at the end; it never falls, up to rounding
    n_iter_ : int; converged_ : bool; n_features_in_ : int
    min_variance_ : the floor that was used, a number, or (D,) for "auto"

    Source: TTIC 31110 slides (2020), "Gaussian mixtures"; Dempster, Laird and Rubin (1977).

    >>> from course_lib.sequences import GaussianMixture
    >>> mixture = GaussianMixture(2).fit([[0.0], [0.1], [0.2], [3.0], [3.1], [3.2]])
    >>> mixture.means_.round(1).tolist()
    [[0.1], [3.1]]
    >>> mixture.predict([[0.3], [2.8]])
    array([0, 1])
    """

    n_components: int = 1
    covariance_type: str = "full"
    _: KW_ONLY
    init: str | np.ndarray | Mixture = "kmeans"
    n_init: int = 1
    min_variance: float | str = "auto"
    prior: NormalInverseWishart | str | None = None
    tol: float = 1e-4
    max_iter: int = 200
    progress: bool = False
    rng: Rng = 0

    @ONE_THREAD
    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Fit to X (N, D) by EM from each start; keep the best. y is ignored.

        Warns: ConvergenceWarning if max_iter rounds were not enough, or a component ended without any points;
        UserWarning if min_variance, and not the data, determines all variances of all components.
        """
        self._check_settings()
        X = self._points(X, reset=True)
        if len(X) < self.n_components:
            raise ValueError(f"X has {len(X)} points for {self.n_components} components; at least as many are needed.")
        rng = validation.generator(self.rng)
        prior = NormalInverseWishart.weak(X, self.n_components) if self.prior == "weak" else self.prior
        runs = []
        for _ in tqdm(range(self.n_init), disable=not self.progress, desc="starts"):
            start, floor = self._raised_start(X, self._start(X, rng, prior))
            runs.append((*self._run_em(X, start, prior, floor), floor))
        mixture, self.trace_, self.converged_, self.min_variance_ = max(runs, key=lambda run: run[1][-1])
        self.weights_, self.means_, self.covariances_ = mixture
        self.n_iter_ = len(self.trace_) - 1
        self._warn(X)
        return self

    def _points(self, X, reset=False):
        """X checked by scikit-learn, and then for what that lets through: text, masked values, too large numbers."""
        try:
            checked = validate_data(self, X, dtype=np.float64, reset=reset)
        except (TypeError, ValueError) as error:
            raise type(error)(f"X is not usable: {error}") from None
        given = validation.array(X, "X").dtype
        if given.kind not in "biufO":
            held = "texts" if given.kind in "US" else f"values of dtype {given}"
            raise ValueError(f"X holds {held}; real numbers are needed.")
        return validation.real_array(checked, "X")

    def _check_settings(self):
        validation.integer(self.n_components, "n_components")
        validation.integer(self.n_init, "n_init")
        validation.integer(self.max_iter, "max_iter")
        validation.not_negative(self.tol, "tol")
        validation.one_of(self.covariance_type, cov.COVARIANCE_TYPES, "covariance_type")
        if isinstance(self.init, str):
            validation.one_of(self.init, ("kmeans", "random"), "init")
        validation.flag(self.progress, "progress")
        cov.checked_floor(self.min_variance)
        weak = isinstance(self.prior, str) and self.prior == "weak"
        if not (self.prior is None or isinstance(self.prior, NormalInverseWishart) or weak):
            raise ValueError(f'prior is {self.prior!r}; None, "weak" or a NormalInverseWishart is needed.')

    def _warn(self, X):
        if not self.converged_:
            warnings.warn(
                f"EM did not converge in {self.max_iter} rounds: the last gained "
                f"{(self.trace_[-1] - self.trace_[-2]) / len(X):.3g} per point. Raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=4,
            )
        empty = np.flatnonzero(self.weights_ == 0).tolist()
        if empty:
            warnings.warn(
                f"components {empty} ended without any points; take fewer components or another start.",
                ConvergenceWarning,
                stacklevel=4,
            )
        cov.warn_if_at_floor(self.mixture_, self.covariance_type, self.min_variance_, X, stacklevel=5)

    def _run_em(self, X, mixture, prior, floor):
        """E-steps and M-steps until the objective stops growing: (Mixture, trace, converged)."""
        origin, trace = X.mean(axis=0), []

        def e_step(mixture):
            cov.check_not_collapsed(mixture, self.covariance_type, self.min_variance)
            log_likelihood, statistics = expectation(X, mixture, self.covariance_type, origin)
            log_prior = prior.log_density(*mixture[1:], self.covariance_type) if prior else 0.0
            trace.append(log_likelihood + log_prior)
            return statistics, len(trace) > 1 and trace[-1] - trace[-2] <= self.tol * len(X)

        rounds = tqdm(range(self.max_iter), disable=not self.progress, desc="EM", leave=False)
        for _ in rounds:
            statistics, converged = e_step(mixture)
            if converged:
                return mixture, np.array(trace), True
            rounds.set_postfix(objective=f"{trace[-1]:.6g}")
            mixture = maximization(statistics, mixture, self.covariance_type, floor, prior)
        _, converged = e_step(mixture)
        return mixture, np.array(trace), converged

    def _raised_start(self, X, mixture):
        """(the start with its variances raised to the floor, the floor)."""
        weights, means, covariances = mixture
        floor = cov.variance_floor(self.min_variance, weights, covariances, self.covariance_type, X)
        return Mixture(weights, means, cov.raised_to_floor(covariances, self.covariance_type, floor)), floor

    def _start(self, X, rng, prior):
        """The first Mixture, chosen by `init`."""
        if isinstance(self.init, Mixture):
            return cov.checked_mixture(self.init, self.covariance_type, (self.n_components,), X.shape[1], "init.{}")
        if isinstance(self.init, str) and self.init == "kmeans":
            return self._start_at_clusters(X, rng, prior)
        if isinstance(self.init, str):
            means = X[rng.choice(len(X), self.n_components, replace=False)]
        else:
            means = validation.matrix(validation.sequence(self.init, "init"), "init", (self.n_components, X.shape[1]))
        return mixture_from_means(X, means, self.covariance_type, prior)

    def _start_at_clusters(self, X, rng, prior):
        """A first Mixture from the clusters of k-means."""
        labels, previous = np.zeros(len(X)), None
        if self.n_components > 1:
            labels, centres = whitened_clusters(X, self.n_components, rng)
            previous = mixture_from_means(X, centres, self.covariance_type, prior)
        hard = (labels == np.arange(self.n_components)[:, None]).astype(float)
        statistics = sufficient.accumulate(X, hard, self.covariance_type, X.mean(axis=0))
        return maximization(statistics, previous, self.covariance_type, 0.0, prior)

    @property
    def mixture_(self):
        """The fitted parameters as a `Mixture`."""
        validation.fitted(self, "weights_", "means_", "covariances_")
        kept = Mixture(self.weights_, self.means_, self.covariances_)
        return cov.checked_mixture(kept, self.covariance_type, (self.n_components,), np.shape(self.means_)[-1])

    def _log_joint(self, X):
        mixture = self.mixture_
        return joint_log_densities(self._points(X), mixture, self.covariance_type)

    def score_samples(self, X: ArrayLike) -> NDArray:
        """log p(x_n) of each point, (N,)."""
        return logsumexp(self._log_joint(X), axis=1)

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Mean log p(x_n) per point, a number. y is ignored."""
        return float(self.score_samples(X).mean())

    def predict_proba(self, X: ArrayLike) -> NDArray:
        """Responsibilities γ_nk, (N, K); rows sum to one."""
        return responsibilities(self._log_joint(X))

    def predict(self, X: ArrayLike) -> NDArray:
        """The component with the largest responsibility for each point, (N,)."""
        return self._log_joint(X).argmax(axis=1)

    def sample(self, n: int = 1, rng: Rng = None) -> tuple[NDArray, NDArray]:
        """(X (n, D), components (n,)): draw a component by its weight, then a point from it."""
        rng = validation.generator(rng)
        drawn = rng.choice(len(self.mixture_.weights), size=validation.integer(n, "n"), p=self.weights_)
        matrices = cov.as_matrices(self.covariances_, self.covariance_type, *self.means_.shape)
        X = np.empty((n, self.means_.shape[1]))
        for k in np.unique(drawn):
            X[drawn == k] = Gaussian(self.means_[k], matrices[k]).sample(int((drawn == k).sum()), rng)
        return X, drawn

    @property
    def n_parameters_(self):
        """Number of free parameters: weights, means and covariances."""
        K, D = self.mixture_.means.shape
        return K - 1 + K * D + cov.free_covariances(self.covariance_type, D, K)

    def bic(self, X: ArrayLike) -> float:
        """Schwarz's criterion −2 log p(X) + (number of parameters) log N; less is better. Source: Schwarz (1978)."""
        each = self.score_samples(X)
        return float(-2 * each.sum() + self.n_parameters_ * np.log(len(each)))


def recounted(statistics, X, mixture, covariance_type):
    """The statistics, recomputed relative to better origins where the variances E[x²] − E[x]² lost digits."""
    origin = sufficient.recentred(statistics)
    if origin is None:
        return statistics
    gamma = responsibilities(joint_log_densities(X, mixture, covariance_type))
    return sufficient.accumulate(X, gamma.T, covariance_type, origin)


def mixture_from_means(X, means, covariance_type, prior):
    """A Mixture with means (K, D), equal weights, and the covariance of all the data for each component."""
    statistics, K = sufficient.accumulate(X, np.ones((1, len(X))), covariance_type, X.mean(axis=0)), len(means)
    _, covariances = estimate(statistics, covariance_type, prior=prior)
    covariances = covariances if covariance_type == "tied" else np.repeat(covariances, K, axis=0)
    return Mixture(np.full(K, 1 / K), np.array(means), covariances)
