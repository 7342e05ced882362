"""Starting points of EM: clusters, given means, or split components.

Lecture: 03, sections 3 and 6.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from course_lib import validation
from course_lib.sequences import sufficient_statistics as sufficient
from course_lib.sequences.covariances import Mixture, as_matrices, rounding


def mixture_from_means(X, means, covariance_type, prior):
    """A Mixture with means (K, D), equal weights, and the covariance of all the data for each component."""
    statistics, K = sufficient.accumulate(X, np.ones((1, len(X))), covariance_type, X.mean(axis=0)), len(means)
    _, covariances = sufficient.estimate(statistics, covariance_type, prior=prior)
    covariances = covariances if covariance_type == "tied" else np.repeat(covariances, K, axis=0)
    return Mixture(np.full(K, 1 / K), np.array(means), covariances)


def whitened_clusters(X, K, rng):
    """(labels (N,), centres (K, D)) by k-means on whitened features: each divided by its standard deviation.

    k-means compares squared distances: with durations in s and frequencies in Hz it would see the frequencies alone.
    """
    from sklearn.cluster import KMeans  # heavy, so it is loaded where it is used

    variances = X.var(axis=0)
    spread = np.sqrt(np.where(variances > rounding(np.abs(X).max(axis=0)), variances, 1.0))
    clusters = KMeans(K, n_init=1, random_state=int(rng.integers(2**31)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct points than clusters: EM copes
        labels = clusters.fit((X - X.mean(axis=0)) / spread).labels_
    return labels, X.mean(axis=0) + spread * clusters.cluster_centers_


def split_components(mixture, covariance_type, rng):
    """Each component becomes two with half its weight, half its spread to either side of the old mean.

    The step is along a random direction turned towards the widest one, with each feature in units of its standard
    deviation under the mixture. After a small step, or one along a narrow direction, EM would gain so little in its
    first rounds that it would seem to have converged.

    Source: TTIC 31110 slides (2020), "Split each Gaussian into two".
    """
    K, D = mixture.means.shape
    matrices = as_matrices(mixture.covariances, covariance_type, K, D)
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
