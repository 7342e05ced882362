"""Clusters in which the training of mixtures and hidden Markov models begins.

Lecture: 03, section 4; 04, section 6.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from course_lib.sequences import covariances as cov


def whitened_clusters(X, K, rng):
    """(labels (N,), centres (K, D)) by k-means on standardised features.

    k-means compares squared distances: with durations in s and frequencies in Hz it would see the frequencies alone.
    """
    from sklearn.cluster import KMeans  # heavy, so it is loaded where it is used

    variances = X.var(axis=0)
    spread = np.sqrt(np.where(variances > cov.rounding(np.abs(X).max(axis=0)), variances, 1.0))
    clusters = KMeans(K, n_init=1, random_state=int(rng.integers(2**31)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct points than clusters: EM copes
        labels = clusters.fit((X - X.mean(axis=0)) / spread).labels_
    return labels, X.mean(axis=0) + spread * clusters.cluster_centers_
