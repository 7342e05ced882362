"""Up to three answers about a line: what they leave of the prior, and of functions drawn from it.

Lecture: 05, section 3.
"""

import numpy as np

from course_lib.gp.inference.exact import gaussian_sites
from course_lib.gp.kernel_prior import Prior
from course_lib.gp.kernels import SquaredExponential
from course_lib.gp.likelihoods import Gaussian
from course_lib.gp.observations import stack, values
from course_lib.gp.sites import jittered_cholesky

X_TRAIN = np.array([-1.5, 0.0, 1.4])
HEIGHTS = np.array([0.8, 0.5, -0.9])
NOISE_STD = 0.1
X_GRID = np.linspace(-3, 3, 181)
BESIDE = 0.7  # a place beside the middle one, where nobody answers


def conditioned(seen, heights, lengthscale):
    """(mean (G,), std (G,), five functions (5, G)) of f on X_GRID, given answers at some X_TRAIN with noise 0.1.

    Each function is a draw from the prior, corrected by what the answers say against it (with a noise of its own):
    the same random numbers give the same five functions whatever the answers are.

    seen : indices of the places that are seen;  heights : (3,) answers, those not seen too
    lengthscale : ℓ of a squared exponential of variance 1

    Source: Nielsen (2015), eq. 2.4.
    """
    kernel, n = SquaredExponential(1.0, lengthscale), len(X_GRID)
    rng = np.random.default_rng(4)
    drawn = rng.normal(size=(5, n + 3)) @ jittered_cholesky(kernel(np.concatenate([X_GRID, X_TRAIN])))[0].T
    if not seen:
        return np.zeros(n), np.ones(n), drawn[:, :n]
    K_cross, observed = (
        kernel(X_TRAIN[seen], X_GRID),
        stack(values(X_TRAIN[seen], heights[seen], Gaussian(NOISE_STD))),
    )
    tau, nu = gaussian_sites(observed.y, observed.likelihood)
    posterior = Prior(kernel(X_TRAIN[seen]), observed.views).posterior(tau, nu)
    mean, variance = posterior.predict(K_cross, kernel.diagonal(X_GRID[:, None]))
    answers_drawn = (drawn[:, n:] + NOISE_STD * rng.normal(size=(5, 3)))[:, seen]
    corrections = [posterior.alpha_of(tau * against) @ K_cross for against in heights[seen] - answers_drawn]
    return mean, np.sqrt(variance), drawn[:, :n] + corrections


def middle_and_beside(seen, heights, lengthscale):
    """(mean (2,), covariance (2, 2)) of the answer in the middle and of f at BESIDE, given the other places seen.

    seen, heights, lengthscale : as for `conditioned`; the middle place itself is not conditioned on
    """
    kernel, others, pair = (
        SquaredExponential(1.0, lengthscale),
        [k for k in seen if k != 1],
        np.array([X_TRAIN[1], BESIDE]),
    )
    mean, cov = np.zeros(2), kernel(pair) + np.diag([NOISE_STD**2, 0])
    if others:
        cross, noise = kernel(X_TRAIN[others], pair), NOISE_STD**2 * np.eye(len(others))
        known = np.linalg.solve(kernel(X_TRAIN[others]) + noise, cross)
        mean, cov = known.T @ heights[others], cov - cross.T @ known
    return mean, cov
