"""The evidence of seven points as a landscape over lengthscale and noise, and a climb in it.

Lecture: 05, section 5.
"""

from functools import cache

import numpy as np

from course_lib.gp.kernels import SquaredExponential
from course_lib.gp.optimize import climb
from course_lib.gp.priors import Fixed
from course_lib.gp.regression import GPRegression
from course_lib.gp.sites import cholesky, cholesky_solve

SEVEN_X = np.array([0.55, 1.13, 1.57, 1.79, 3.60, 4.37, 4.89])
SEVEN_Y = np.array([1.20, 0.89, -0.22, -0.04, 0.67, 0.50, -0.66])
LENGTHSCALE_GRID, NOISE_STDS = np.geomspace(0.1, 10, 61), np.geomspace(0.02, 2, 61)
BOX = np.log([[0.1, 10], [0.02, 2]])


def evidence_terms(x, y, lengthscale, noise_std):
    """The parts of the log evidence: fit −½yᵀC⁻¹y, complexity −½log|C|, constant −½n log 2π; C = K + σ_n²I, σ_f = 1.

    Source: Nielsen (2015), eq. 2.7d; Rasmussen & Williams (2006), eq. 2.30.
    """
    L = cholesky(SquaredExponential(1.0, lengthscale)(x) + noise_std**2 * np.eye(len(x)))
    return {
        "fit": float(-0.5 * y @ cholesky_solve(L, y)),
        "complexity": float(-np.log(L.diagonal()).sum()),
        "constant": -0.5 * len(x) * np.log(2 * np.pi),
    }


@cache
def seven_points_map():
    """(61, 61) log evidence of the seven points over LENGTHSCALE_GRID and NOISE_STDS, for σ_f = 1.

    The eigenvectors of K, found once for each ℓ, serve every noise.
    """
    rows = []
    for lengthscale in LENGTHSCALE_GRID:
        values, vectors = np.linalg.eigh(SquaredExponential(1.0, lengthscale)(SEVEN_X))
        variances = np.maximum(values, 0.0) + np.square(NOISE_STDS)[:, None]
        rows.append(-0.5 * np.sum((vectors.T @ SEVEN_Y) ** 2 / variances + np.log(2 * np.pi * variances), axis=1))
    return np.array(rows)


@cache
def climb_path(lengthscale, noise_std):
    """(P, 2) pairs (ℓ, σ_n) of L-BFGS on its way up from here, each higher than those before; the last is the end."""
    kernel = SquaredExponential(1.0, lengthscale).with_priors(variance=Fixed())
    model = GPRegression(kernel, noise_std=noise_std, optimize=False, center=False).fit(SEVEN_X, SEVEN_Y)
    best, path = -np.inf, []

    def height(theta):
        nonlocal best
        value, gradient = model.evidence_at(theta)
        if value > best:
            best = value
            path.append(theta)
        return value, gradient

    climb(height, np.clip(np.log([lengthscale, noise_std]), *BOX.T), BOX)
    return np.exp(path)
