"""How many components a Gaussian mixture should have: each number by itself, or by splitting.

Lecture: 03, section 6.
"""

from typing import NamedTuple

from course_lib import validation
from course_lib.sequences.mixture import GaussianMixture
from course_lib.sequences.mixture_starts import split_components


class Growth(NamedTuple):
    """One step of `grow_mixture` or `compare_components`: mean log density per point, and BIC on the training data."""

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
    sizes = [validation.integer(k, f"candidates[{i}]") for i, k in enumerate(candidates)]
    return [_growth(GaussianMixture(k, **options).fit(X), X, X_dev) for k in sizes]


def grow_mixture(X, X_dev, most=64, rng=0, **options):
    """Binary splitting: split each component in two and run EM, as long as the development set gains.

    X, X_dev : (N, D) training and (N', D) development data;  most : largest number of components
    options : as for `GaussianMixture`, without init
    Returns (the best GaussianMixture, [Growth, …] for each size tried).

    Source: TTIC 31110 slides (2020), "Another way of choosing K".
    """
    X, X_dev = validation.sequence(X, "X"), validation.sequence(X_dev, "X_dev")
    validation.same_features(X, X_dev, "X", "X_dev")
    rng = validation.generator(rng)
    best = GaussianMixture(1, **options).fit(X)
    history = [_growth(best, X, X_dev)]
    most = min(validation.integer(most, "most"), len(X))
    while 2 * best.n_components <= most:
        start = split_components(best.mixture_, best.covariance_type, rng)
        larger = GaussianMixture(2 * best.n_components, init=start, **options).fit(X)
        history.append(_growth(larger, X, X_dev))
        if history[-1].dev <= history[-2].dev:
            break
        best = larger
    return best, history


def _growth(model, X, X_dev):
    return Growth(model.n_components, model.score(X), model.score(X_dev), model.bic(X))
