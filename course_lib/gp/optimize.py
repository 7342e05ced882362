"""Learning hyper-parameters: climbing the evidence (ML-II), or evidence times priors (MAP-II).

Lecture: 05, section 5.
"""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from tqdm.auto import tqdm

RANGE = 16.0  # logarithms move by at most 16: parameters by factors between 1e-7 and 1e7
STEEP = 1e-3  # of 1 + |evidence|: a slope above which a search is not at rest
SPREAD = 1.5  # standard deviation of the restarts' θ round the first start


@dataclass(frozen=True)
class Found:
    """Where a search ended. theta (P,); height : the objective there; converged; rounds; message of the optimiser.

    Lecture: 05, section 5.
    """

    theta: np.ndarray
    height: float
    converged: bool
    rounds: int
    message: str


def climb(objective, theta, limits, max_iter=200, n_restarts=0, rng=None, progress=False):
    """The θ of the greatest height found by L-BFGS from `theta` and from random starts round it.

    Parameters
    ----------
    objective : θ → (height, gradient); a LinAlgError, or a height that is not finite, counts as −∞
    theta : (P,) first start
    limits : (P, 2) least and greatest value of each
    max_iter : rounds of L-BFGS for each start
    n_restarts : further starts, drawn from N(theta, 1.5²)
    rng : numpy Generator or seed, for the restarts
    progress : whether to show a bar that counts evaluations

    Returns
    -------
    Found

    Raises
    ------
    ValueError
        If the objective is not finite at any start.

    Lecture: 05, section 5.
    """
    rng = np.random.default_rng(rng)
    starts = [theta, *(theta + SPREAD * rng.normal(size=len(theta)) for _ in range(n_restarts))]
    best = None
    with tqdm(disable=not progress, desc="evidence", unit=" evaluations") as bar:
        for start in starts:
            found = _climb_once(objective, np.clip(start, *limits.T), limits, max_iter, bar)
            if best is None or found.height > best.height:
                best = found
    if not np.isfinite(best.height):
        raise ValueError(
            f"there is no evidence to climb at theta = {np.round(theta, 3).tolist()} ({best.message}); "
            "give the kernel and the likelihood starting values that suit the data's scale."
        )
    if not best.converged:
        warnings.warn(
            f"the evidence was still changing after {best.rounds} rounds ({best.message}); "
            "increase max_iter, standardise the data, or give better starting values.",
            ConvergenceWarning,
            stacklevel=4,
        )
    return best


def _climb_once(objective, start, limits, max_iter, bar):
    def downhill(theta):
        bar.update()
        try:
            height, gradient = objective(theta)
            if not np.isfinite(height):
                raise np.linalg.LinAlgError(f"the evidence is {height}")
        except np.linalg.LinAlgError as error:
            failures.append(str(error))
            return np.inf, np.zeros(len(theta))
        bar.set_postfix_str(f"evidence {height:.4g}", refresh=False)
        return -height / unit, -gradient / unit

    unit, failures = 1.0, []
    unit = max(1.0, float(np.linalg.norm(downhill(start)[1])))  # L-BFGS first goes as far as the gradient is long
    options = {"maxiter": max_iter, "gtol": 1e-5 / unit, "ftol": 1e-9 / unit}
    done = minimize(downhill, start, jac=True, method="L-BFGS-B", bounds=limits, options=options)
    height, slope = -float(done.fun) * unit, -done.jac * unit
    if not np.isfinite(height):
        return Found(done.x, height, False, int(done.nit), failures[-1])
    steep = np.abs(slope) > STEEP * (1.0 + abs(height))  # L-BFGS calls it success, too, to stand at the foot of a wall
    outwards = np.where(slope > 0, done.x >= limits[:, 1], done.x <= limits[:, 0])
    message = "a parameter is at the end of its range" if (steep & outwards).any() else str(done.message)
    return Found(done.x, height, not steep.any(), int(done.nit), message)
