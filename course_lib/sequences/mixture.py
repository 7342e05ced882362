"""Gaussian mixtures: expectation maximisation, its starts, and how many components to take.

Lecture: 03, sections 1–3, 5 and 6.
"""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp, softmax
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import validate_data
from tqdm.auto import tqdm

from course_lib import validation
from course_lib.sequences import sufficient_statistics as sufficient
from course_lib.sequences.gaussian import Gaussian, log_density
from course_lib.sequences.sufficient_statistics import (
    COVARIANCE_TYPES,
    NormalInverseWishart,
    estimate,
)
from course_lib.settings import KW_ONLY, settings
from course_lib.threads import ONE_THREAD

STARTS = ("kmeans", "random")


class Mixture(NamedTuple):
    """The parameters θ of a mixture of K Gaussians.

    weights : (K,) π, sum to one;  means : (K, D) μ
    covariances : (K, D, D) "full", (D, D) "tied", (K, D) "diag", (K,) "spherical"
    """

    weights: np.ndarray
    means: np.ndarray
    covariances: np.ndarray


def checked(mixture, covariance_type, components, D, name="{}_"):
    """The mixture as arrays of floats that fit together, for (K,) components, or (N, M) of N states.

    name : what an error calls the part {}
    """
    shapes = components, (*components, D), sufficient.covariance_shape(covariance_type, D, *components)
    parts = zip(mixture, Mixture._fields, shapes, strict=True)
    found = Mixture(*(validation.matrix(part, name.format(field), shape) for part, field, shape in parts))
    validation.probabilities(found.weights, name.format("weights"), components)
    return found


def joint_log_densities(X, mixture, covariance_type):
    """log π_k + log N(x_n | μ_k, Σ_k), (N, K): how well each component explains each point, by Cholesky."""
    matrices = sufficient.as_matrices(mixture.covariances, covariance_type, *mixture.means.shape)
    with np.errstate(divide="ignore"):
        log_weights = np.log(mixture.weights)
    each = [log_density(X, mean, matrix) for mean, matrix in zip(mixture.means, matrices, strict=True)]
    return log_weights + np.stack(each, axis=1)


def responsibilities(log_joint):
    """γ_nk = π_k N(x_n | μ_k, Σ_k) / Σ_l π_l N(x_n | μ_l, Σ_l) from the logarithms, (N, K).

    Source: TTIC 31110 slides (2020), "The credit assignment problem".
    """
    return softmax(log_joint, axis=1)


def expectation(X, mixture, covariance_type, origin):
    """E-step: (log likelihood of X, statistics of X weighted by the responsibilities).

    Both are matrix products with the features of a block of points; see `sufficient_statistics`.

    X : (N, D); mixture : Mixture; origin : (D,) a point near the data

    Source: TTIC 31110 slides (2020), "E-step: compute γ".
    """
    origin = sufficient.origins(*mixture[1:], covariance_type, origin)
    coefficients = sufficient.natural_parameters(*mixture, covariance_type, origin)
    log_likelihood, total = 0.0, np.zeros_like(coefficients)
    for begin in range(0, len(X), sufficient.BLOCK):
        F = sufficient.Features(X[begin : begin + sufficient.BLOCK], origin, covariance_type)
        gamma = F.densities(coefficients)  # (K, points): log π_k + log N(x_n | μ_k, Σ_k)
        largest = gamma.max(axis=0)
        np.exp(np.subtract(gamma, largest, out=gamma), out=gamma)
        evidence = gamma.sum(axis=0)
        gamma /= evidence
        log_likelihood += float((largest + np.log(evidence)).sum())
        total += F.sums(gamma)
    return log_likelihood, recounted(sufficient.unpack(total, covariance_type, origin), X, mixture, covariance_type)


def recounted(statistics, X, mixture, covariance_type):
    """The statistics as they are; or from better origins, where variances lost digits. See `sufficient_statistics`."""
    origin = sufficient.recentred(statistics)
    if origin is None:
        return statistics
    gamma = responsibilities(joint_log_densities(X, mixture, covariance_type))
    return sufficient.accumulate(X, gamma.T, covariance_type, origin)


def maximization(statistics, previous, covariance_type, min_variance=0.0, prior=None):
    """M-step: the Mixture that maximises the expected log likelihood (plus the log prior).

    π_k = N_k / N. A component that no point chose keeps its place: its weight is 0, and any mean would do.

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


def round_means(X, means, covariance_type, prior):
    """A Mixture round means (K, D) with equal weights, and for all components the covariance of all the data."""
    statistics, K = sufficient.accumulate(X, np.ones((1, len(X))), covariance_type, X.mean(axis=0)), len(means)
    _, covariances = estimate(statistics, covariance_type, prior=prior)
    covariances = covariances if covariance_type == "tied" else np.repeat(covariances, K, axis=0)
    return Mixture(np.full(K, 1 / K), np.array(means), covariances)


def whitened_clusters(X, K, rng):
    """(labels (N,), centres (K, D)) by k-means on whitened features: each divided by its standard deviation.

    k-means counts squared distances: of durations in s beside frequencies in Hz it would see the frequencies alone.
    """
    from sklearn.cluster import KMeans  # heavy, so it is loaded where it is used

    variances = X.var(axis=0)
    spread = np.sqrt(np.where(variances > sufficient.rounding(np.abs(X).max(axis=0)), variances, 1.0))
    clusters = KMeans(K, n_init=1, random_state=int(rng.integers(2**31)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct points than clusters: EM copes
        labels = clusters.fit((X - X.mean(axis=0)) / spread).labels_
    return labels, X.mean(axis=0) + spread * clusters.cluster_centers_


def check_width(mixture, covariance_type, min_variance):
    """Nothing, if the density of each component can be computed.

    A variance must be above what `rounding` leaves of it. And where features depend on each other, a direction has no
    more variance than rounding leaves of theirs.

    min_variance : what the error is to name
    """
    variances, least, size = mixture.covariances, np.ones(1), np.abs(mixture.means).max(axis=0)
    if sufficient.has_products(covariance_type):
        variances = np.einsum("...dd->...d", variances)
        unit = np.sqrt(np.maximum(variances, np.finfo(float).tiny))
        least = np.linalg.eigvalsh(mixture.covariances / (unit[..., :, None] * unit[..., None, :]))[..., 0]
    elif covariance_type == "spherical":
        variances, size = variances[:, None], np.sqrt((size**2).mean())
    narrow = np.atleast_1d((variances <= sufficient.rounding(size)).any(axis=-1) | (least <= 1e-12))
    if narrow.any():
        raise ValueError(
            f"component {int(narrow.argmax())} has collapsed (components are counted from 0): in one direction it has "
            "no more variance than rounding leaves, and its likelihood would grow without bound. The data may also "
            f"have dependent features. Set a larger min_variance (now {min_variance}) or a prior, or take fewer "
            "components."
        )


def warn_if_held(mixture, covariance_type, floor, X, stacklevel):
    """UserWarning if no component has more variance than the floor in any feature that varies in the data."""
    K, D = mixture.means.shape
    floor = np.full(D, np.mean(floor)) if covariance_type == "spherical" else np.broadcast_to(floor, D)
    held = sufficient.feature_variances(mixture.covariances, covariance_type, K, D) <= floor * (1 + 1e-6)
    if not held.all(axis=0).any():
        return
    varies = X.var(axis=0) > sufficient.rounding(np.abs(X).max(axis=0))
    if varies.any() and held[:, varies].all():
        d = int(varies.argmax())
        warnings.warn(
            f"min_variance holds every variance of every component: feature {d} at {floor[d]:.3g}, while that of the "
            f"data is {X[:, d].var():.3g}. The data may ask for less; give a smaller min_variance, in squared units "
            "of the data.",
            UserWarning,
            stacklevel=stacklevel,
        )


def split(mixture, covariance_type, rng):
    """Each component becomes two with half its weight, half its spread to either side of the old mean.

    The step goes along a random direction turned towards the widest one, each feature in units of its standard
    deviation under the mixture. A small step, or one along a narrow direction, would need so many rounds of EM to grow
    that the gain looks like convergence.

    Source: TTIC 31110 slides (2020), "Split each Gaussian into two".
    """
    K, D = mixture.means.shape
    matrices = sufficient.as_matrices(mixture.covariances, covariance_type, K, D)
    off_centre = mixture.means - mixture.weights @ mixture.means
    spread = np.sqrt(mixture.weights @ (np.einsum("kdd->kd", matrices) + off_centre**2))
    whitened = matrices / np.outer(spread, spread)
    scale = np.trace(whitened, axis1=1, axis2=2)[:, None, None]
    direction = np.linalg.matrix_power(whitened / scale, 4) @ validation.generator(rng).normal(size=(K, D, 1))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    step = spread * (0.5 * direction * np.sqrt(direction.swapaxes(1, 2) @ whitened @ direction))[:, :, 0]
    covariances = mixture.covariances if covariance_type == "tied" else np.concatenate([mixture.covariances] * 2)
    means = np.concatenate([mixture.means - step, mixture.means + step])
    return Mixture(np.tile(mixture.weights / 2, 2), means, covariances)


@settings
class GaussianMixture(DensityMixin, BaseEstimator):
    """A density that is a sum of K Gaussians, p(x) = Σ_k π_k N(x | μ_k, Σ_k), fitted by EM.

    Parameters
    ----------
    n_components : int, K
    covariance_type : "full", "tied" (one Σ for all), "diag" or "spherical"
    init : "kmeans" (on whitened features, so that units do not matter), "random" (K of the points as means), a (K, D)
        array of means, or a `Mixture` to go on from
    n_init : number of starts, of which the best is kept; they differ where the start is random
    min_variance : "auto", a float in squared units of the data, or (D,) floats, one for each feature
        Floor under the variance in every direction; 0 allows collapse, which ends in a ValueError. "auto" is, for each
        feature, a millionth of its mean variance within the components with which EM starts: a thousandth of their
        width, whatever the unit.
    prior : NormalInverseWishart, "weak" or None
        With a prior the M-step maximises the posterior (MAP-EM). "weak" is `NormalInverseWishart.weak(X, K)`.
    tol : EM stops when the objective grows by no more than this for each point; 0: when it does not grow at all
    max_iter : most rounds of EM; a ConvergenceWarning says if they did not suffice
    progress : bool, show a progress bar;  rng : seed or numpy Generator

    Attributes
    ----------
    weights_ (K,), means_ (K, D), covariances_ : shapes as in `Mixture`
    trace_ : log likelihood of the training data, plus the log prior (up to a constant) if there is one,
        before each M-step and at the end; it never falls
    n_iter_ : int; converged_ : bool; n_features_in_ : int
    min_variance_ : the floor that was used, a number, or (D,) for "auto"

    Source: TTIC 31110 slides (2020), "Gaussian mixtures"; Dempster, Laird and Rubin (1977).
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
    rng: np.random.Generator | int | None = 0

    @ONE_THREAD
    def fit(self, X, y=None):
        """Fit to X (N, D) by EM from each start; keep the best. y is ignored.

        Warns: ConvergenceWarning where max_iter rounds did not suffice, or a component ended without any points;
        UserWarning where min_variance holds all variances of all components: then it says what they are, not the data.
        """
        self._check_settings()
        X = self._points(X, reset=True)
        if len(X) < self.n_components:
            raise ValueError(f"X has {len(X)} points for {self.n_components} components; at least as many are needed.")
        rng = validation.generator(self.rng)
        prior = NormalInverseWishart.weak(X, self.n_components) if self.prior == "weak" else self.prior
        runs = []
        for _ in tqdm(range(self.n_init), disable=not self.progress, desc="starts"):
            start, floor = self._held(X, self._start(X, rng, prior))
            runs.append((*self._em(X, start, prior, floor), floor))
        mixture, self.trace_, self.converged_, self.min_variance_ = max(runs, key=lambda run: run[1][-1])
        self.weights_, self.means_, self.covariances_ = mixture
        self.n_iter_ = len(self.trace_) - 1
        self._warn(X)
        return self

    def _points(self, X, reset=False):
        """X as scikit-learn has it, with what it lets through: texts, values behind a mask, numbers too large."""
        try:
            checked = validate_data(self, X, dtype=np.float64, reset=reset)
        except (TypeError, ValueError) as error:
            raise type(error)(f"X cannot be taken: {error}") from None
        given = validation.array(X, "X").dtype
        if given.kind not in "biufO":
            held = "texts" if given.kind in "US" else f"values of dtype {given}"
            raise ValueError(f"X holds {held}; real numbers are needed.")
        return validation.real_array(checked, "X")

    def _check_settings(self):
        validation.whole(self.n_components, "n_components")
        validation.whole(self.n_init, "n_init")
        validation.whole(self.max_iter, "max_iter")
        validation.not_negative(self.tol, "tol")
        validation.one_of(self.covariance_type, COVARIANCE_TYPES, "covariance_type")
        if isinstance(self.init, str):
            validation.one_of(self.init, STARTS, "init")
        validation.flag(self.progress, "progress")
        sufficient.checked_floor(self.min_variance)
        weak = isinstance(self.prior, str) and self.prior == "weak"
        if not (self.prior is None or isinstance(self.prior, NormalInverseWishart) or weak):
            raise ValueError(f'prior is {self.prior!r}; None, "weak" or a NormalInverseWishart is needed.')

    def _warn(self, X):
        if not self.converged_:
            warnings.warn(
                f"EM did not converge in {self.max_iter} rounds: the last gained "
                f"{self.trace_[-1] - self.trace_[-2]:.3g}. Raise max_iter or tol.",
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
        warn_if_held(self.mixture_, self.covariance_type, self.min_variance_, X, stacklevel=5)

    # ------------------------------------------------------------------------------------------------------ EM

    def _em(self, X, mixture, prior, floor):
        """INITIALISE is done; SCORE, CHECK, UPDATE until the objective stops growing: (Mixture, trace, converged)."""
        origin, trace = X.mean(axis=0), []

        def score(mixture):
            check_width(mixture, self.covariance_type, self.min_variance)
            log_likelihood, statistics = expectation(X, mixture, self.covariance_type, origin)
            trace.append(log_likelihood + self._log_prior(mixture, prior))
            return statistics, len(trace) > 1 and trace[-1] - trace[-2] <= self.tol * len(X)

        rounds = tqdm(range(self.max_iter), disable=not self.progress, desc="EM", leave=False)
        for _ in rounds:
            statistics, converged = score(mixture)
            if converged:
                return mixture, np.array(trace), True
            rounds.set_postfix(objective=f"{trace[-1]:.6g}")
            mixture = maximization(statistics, mixture, self.covariance_type, floor, prior)
        _, converged = score(mixture)
        return mixture, np.array(trace), converged

    def _log_prior(self, mixture, prior):
        return prior.log_density(*mixture[1:], self.covariance_type) if prior else 0.0

    # -------------------------------------------------------------------------------------------------- starts

    def _held(self, X, mixture):
        """(the start with its variances lifted to the floor, the floor)."""
        weights, means, covariances = mixture
        floor = sufficient.variance_floor(self.min_variance, weights, covariances, self.covariance_type, X)
        return Mixture(weights, means, sufficient.lifted(covariances, self.covariance_type, floor)), floor

    def _start(self, X, rng, prior):
        """The first Mixture, by the way that `init` names."""
        if isinstance(self.init, Mixture):
            return checked(self.init, self.covariance_type, (self.n_components,), X.shape[1], "init.{}")
        if isinstance(self.init, str) and self.init == "kmeans":
            return self._clustered(X, rng, prior)
        if isinstance(self.init, str):
            means = X[rng.choice(len(X), self.n_components, replace=False)]
        else:
            means = validation.matrix(validation.sequence(self.init, "init"), "init", (self.n_components, X.shape[1]))
        return round_means(X, means, self.covariance_type, prior)

    def _clustered(self, X, rng, prior):
        """A first Mixture round the centres of k-means, with the frames that are nearest to each."""
        if self.n_components == 1:
            return self._m_step(X, np.ones((1, len(X))), prior, previous=None)
        labels, centres = whitened_clusters(X, self.n_components, rng)
        hard = (labels == np.arange(self.n_components)[:, None]).astype(float)
        previous = round_means(X, centres, self.covariance_type, prior)
        return self._m_step(X, hard, prior, previous)

    def _m_step(self, X, weights, prior, previous):
        """M-step with given responsibilities, (K, N), without a floor."""
        statistics = sufficient.accumulate(X, weights, self.covariance_type, X.mean(axis=0))
        return maximization(statistics, previous, self.covariance_type, 0.0, prior)

    # ----------------------------------------------------------------------------------------------------- use

    @property
    def mixture_(self):
        """The fitted parameters as a `Mixture`."""
        validation.fitted(self, "weights_", "means_", "covariances_")
        kept = Mixture(self.weights_, self.means_, self.covariances_)
        return checked(kept, self.covariance_type, (self.n_components,), np.shape(self.means_)[-1])

    def _joint(self, X):
        mixture = self.mixture_
        return joint_log_densities(self._points(X), mixture, self.covariance_type)

    def score_samples(self, X):
        """log p(x_n) of each point, (N,)."""
        return logsumexp(self._joint(X), axis=1)

    def score(self, X, y=None):
        """Mean log p(x_n), a number: what one point brings on average. y is ignored."""
        return float(self.score_samples(X).mean())

    def predict_proba(self, X):
        """Responsibilities γ_nk, (N, K); rows sum to one."""
        return responsibilities(self._joint(X))

    def predict(self, X):
        """The component with the largest responsibility for each point, (N,)."""
        return self._joint(X).argmax(axis=1)

    def sample(self, n=1, rng=None):
        """(X (n, D), components (n,)): draw a component by its weight, then a point from it."""
        rng = validation.generator(rng)
        drawn = rng.choice(len(self.mixture_.weights), size=validation.whole(n, "n"), p=self.weights_)
        matrices = sufficient.as_matrices(self.covariances_, self.covariance_type, *self.means_.shape)
        X = np.empty((n, self.means_.shape[1]))
        for k in np.unique(drawn):
            X[drawn == k] = Gaussian(self.means_[k], matrices[k]).sample(int((drawn == k).sum()), rng)
        return X, drawn

    @property
    def n_parameters_(self):
        """How many numbers can be chosen freely: weights, means and covariances."""
        K, D = self.mixture_.means.shape
        return K - 1 + K * D + sufficient.free_covariances(self.covariance_type, D, K)

    def bic(self, X):
        """Schwarz's criterion −2 log p(X) + (number of parameters) log N; less is better. Source: Schwarz (1978)."""
        each = self.score_samples(X)
        return float(-2 * each.sum() + self.n_parameters_ * np.log(len(each)))


class Growth(NamedTuple):
    """One step of `grow_mixture` or `compare_components`: mean log densities a point, and BIC on the training data."""

    n_components: int
    train: float
    dev: float
    bic: float


def compare_components(X, X_dev, candidates, **options):
    """Fit a mixture for each number of components: [Growth, …]. `options` as for `GaussianMixture`.

    Source: TTIC 31110 slides (2020), "Regularization & model selection for GMs, in practice".
    """
    X, X_dev = validation.sequence(X, "X"), validation.sequence(X_dev, "X_dev")
    validation.same_features(X, X_dev, "X", "X_dev")
    if validation.array(candidates, "candidates").ndim != 1 or not len(candidates):
        raise ValueError(f"candidates is {candidates!r}; a list with at least one number of components is needed.")
    candidates = validation.indices(candidates, "candidates", (None,)).tolist()
    sizes = [validation.whole(k, f"candidates[{i}]") for i, k in enumerate(candidates)]
    return [_growth(GaussianMixture(k, **options).fit(X), X, X_dev) for k in sizes]


def grow_mixture(X, X_dev, most=64, rng=0, **options):
    """Binary splitting: one Gaussian; split each in two, run EM, look at the development set; stop when it is worse.

    X, X_dev : (N, D) to fit and (N', D) to decide;  most : components at most
    options : as for `GaussianMixture`, without init
    Returns (the best GaussianMixture, [Growth, …] for each size tried).

    Source: TTIC 31110 slides (2020), "Another way of choosing K".
    """
    X, X_dev = validation.sequence(X, "X"), validation.sequence(X_dev, "X_dev")
    validation.same_features(X, X_dev, "X", "X_dev")
    rng = validation.generator(rng)
    best = GaussianMixture(1, **options).fit(X)
    history = [_growth(best, X, X_dev)]
    most = min(validation.whole(most, "most"), len(X))
    while 2 * best.n_components <= most:
        start = split(best.mixture_, best.covariance_type, rng)
        larger = GaussianMixture(2 * best.n_components, init=start, **options).fit(X)
        history.append(_growth(larger, X, X_dev))
        if history[-1].dev <= history[-2].dev:
            break
        best = larger
    return best, history


def _growth(model, X, X_dev):
    return Growth(model.n_components, model.score(X), model.score(X_dev), model.bic(X))
