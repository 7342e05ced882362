"""How many components a Gaussian mixture should have: each number by itself, or by splitting.

Lecture: 03, section 6.
"""

from typing import NamedTuple

import numpy as np

from course_lib import selection, validation
from course_lib.sequences.covariances import Mixture, as_matrices
from course_lib.sequences.mixture import GaussianMixture


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
    candidates = selection.indices(candidates, "candidates", (None,)).tolist()
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
