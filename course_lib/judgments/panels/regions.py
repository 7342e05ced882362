"""Parts of the space of inputs, in each of which a rater has another noise. Lecture: 09, section 4."""

import numbers
import warnings
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from course_lib import validation
from course_lib.kinds import Rng


class Regions:
    """A division of the space of inputs, learned from the items: labels (n,) ints 0 … K−1, and n_regions K."""

    def __init__(self, labels, rule):
        self.labels = labels
        self.n_regions = int(labels.max()) + 1
        self._rule = rule

    def of(self, X_new):
        """(q,) region of each new input, X_new (q, D)."""
        return self._rule(validation.sequence(X_new, "X_new"))


def find_regions(regions: ArrayLike | int | str, X: ArrayLike, rng: Rng = None) -> NDArray:
    """Divide the inputs X (n, D).

    regions : None: one region; a whole number K: k-means; "affinity": affinity propagation, which finds their number
        itself (often more than one would like: 18 to 49 on the paper's data); or labels (n,), whole numbers 0 … K−1
    X : distances are Euclidean, so give inputs in comparable units
    rng : numpy Generator or seed

    A new input belongs to the nearest centre, the nearest exemplar, or the nearest labelled item. Clusters are
    numbered by the mean of their first column.

    Source: Gil González et al. (2019), sections 2 and 4; Frey & Dueck (2007), affinity propagation.
    """
    from sklearn.cluster import KMeans  # heavy, so they are loaded where they are used
    from sklearn.neighbors import KNeighborsClassifier

    X = validation.sequence(X, "X")
    seed = int(validation.generator(rng).integers(2**31))
    if regions is None:
        return Regions(_everywhere(X), _everywhere)
    if isinstance(regions, str):
        validation.one_of(regions, ("affinity",), "regions")
        found = _propagate(X, seed)
        if found is not None:
            return _clusters(found, X)
        warnings.warn(
            "affinity propagation did not come to rest: all items make one region; choose a number of regions.",
            ConvergenceWarning,
            stacklevel=2,
        )
        return find_regions(None, X)
    if isinstance(regions, numbers.Integral):
        if validation.integer(regions, "regions") > len(np.unique(X, axis=0)):
            raise ValueError(f"regions is {regions}, but X has only {len(np.unique(X, axis=0))} different rows.")
        return _clusters(KMeans(int(regions), n_init=10, random_state=seed).fit(X), X)
    labels = _check_labels(regions, len(X))
    return Regions(labels, KNeighborsClassifier(n_neighbors=1).fit(X, labels).predict)


def _propagate(X, seed):
    """Affinity propagation; if its messages do not come to rest, with slower ones; None if those do not either."""
    from sklearn.cluster import AffinityPropagation  # heavy, so it is loaded where it is used

    for damping in (0.5, 0.9):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", ConvergenceWarning)
                return AffinityPropagation(damping=damping, max_iter=1000, random_state=seed).fit(X)
        except ConvergenceWarning:
            continue
    return None


def _clusters(found, X):
    """Clusters from left to right, so that their numbers do not depend on the random start."""
    first = [X[found.labels_ == k, 0].mean() for k in range(found.labels_.max() + 1)]
    number = np.argsort(np.argsort(first, kind="stable"))
    return Regions(number[found.labels_], partial(_numbered, number, found))


def _numbered(number, found, X_new):
    return number[found.predict(X_new)]


def _everywhere(X_new):
    return np.zeros(len(X_new), dtype=int)


def _check_labels(regions, n):
    labels = validation.array(regions, "regions")
    if labels.shape != (n,) or labels.dtype.kind not in "iu":
        raise ValueError(
            f"regions has shape {labels.shape} and dtype {labels.dtype}; None, a number, "
            f'"affinity", or one whole number for each of the {n} items of X is needed.'
        )
    different = np.unique(labels)
    if (different != np.arange(len(different))).any():
        raise ValueError(f"regions holds {different.tolist()}; all of 0 … K−1 must occur, and nothing else.")
    return labels
