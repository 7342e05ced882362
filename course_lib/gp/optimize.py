"""Learning hyper-parameters: climbing the evidence (ML-II), or evidence times priors (MAP-II).

Lecture: 05, section 5.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from tqdm.auto import tqdm

from course_lib import validation
from course_lib.gp.kernel_algebra import Kernel
from course_lib.kinds import Rng
from course_lib.settings import KW_ONLY, settings

SEARCH_RANGE = 16.0  # logarithms move by at most 16: parameters by factors between 1e-7 and 1e7
LIMIT_TOLERANCE = 1e-6  # how near to a limit a parameter counts as being there
FLAT_SLOPE = 1e-6  # of 1 + |evidence|: below it a parameter has no effect any more, such as a nugget of 1e-8
STEEP_SLOPE = 1e-3  # of 1 + |evidence|: above it a search is not at rest, whatever L-BFGS says at a wall's foot
LEAST_GAIN = 1e-9  # of 1 + |evidence|: a round that gains less is the last, unless a slope is still felt
RESTART_STD = 1.5  # standard deviation of the restarts' θ round the first start
INTERRUPTED = "interrupted"
OUT_OF_ROUNDS = "increase max_iter, standardise the data, or give better starting values."
AT_AN_END = "give other starting values, as for standardised data, or a prior, or hold it by Fixed()."
IN_ROUNDING = (
    "rounding hides where it rises, as happens where answers are taken to have hardly any noise. More rounds do not "
    "help: hold the noise by Fixed() at a size that you know, or give it a prior."
)
MAX_BEGINNINGS = 4  # of a search that ends on a slope because no step goes up, as at the wall of a SmoothBox


@settings
class SearchSettings:
    """Kernel and search, settings of all models with a latent GP.

    kernel : Kernel, where the search begins, or None
    optimize : whether to learn the hyper-parameters; those with a prior are learned by MAP-II, the others by ML-II
    n_restarts : further random starts of that search
    rng : numpy Generator or seed, for the restarts;  max_iter : rounds of L-BFGS for each start
    progress : whether to show a bar while learning
    """

    kernel: Kernel | None = None
    _: KW_ONLY
    optimize: bool = True
    n_restarts: int = 0
    rng: Rng = None
    max_iter: int = 200
    progress: bool = False


@dataclass(frozen=True)
class Found:
    """The best that a search has seen.

    theta (P,); height : the objective there;  slope (P,) : its gradient;  converged; rounds; message of the optimiser;
    at_limit : the parameters at an end of their range, such as "kernel lengthscale[1] (greatest)"
    """

    theta: np.ndarray
    height: float
    slope: np.ndarray
    converged: bool
    rounds: int
    message: str
    at_limit: tuple[str, ...] = ()


def climb(objective, theta, limits, names=None, max_iter=200, n_restarts=0, rng=None, progress=False, held=()):
    """The θ of the greatest height seen by L-BFGS from the starts given and from random ones round the first.

    Parameters that end at their limits are named, by a warning too if the evidence still rises there. Ctrl-C ends the
    search, which then keeps the best so far and says so.

    Parameters
    ----------
    objective : θ → (height, gradient); a LinAlgError, or a number that is not finite, says that there is none at θ
    theta : (P,) start, or (S, P): several
    limits : (P, 2) least and greatest value of each
    names : P names, for warnings; None calls them theta[0] …
    max_iter : rounds of L-BFGS for each start
    n_restarts : further starts, drawn from N(first start, 1.5²)
    rng : numpy Generator or seed, for the restarts
    progress : whether to show a bar that counts evaluations
    held : places of parameters, such as periods, that a search from a second or later start given first leaves as they
        are: the others must suit them, or the first step would lead away from a narrow peak
    """
    rng, starts = validation.generator(rng), np.atleast_2d(theta)
    theta = starts[0]
    given = len(starts)
    starts = [*starts, *(theta + RESTART_STD * rng.normal(size=len(theta)) for _ in range(n_restarts))]
    best = None
    with tqdm(disable=not progress, desc="evidence", unit=" evaluations") as bar:
        for k, start in enumerate(starts):
            first_held = held if 0 < k < given else ()
            found = _climb_from(objective, np.clip(start, *limits.T), limits, first_held, max_iter, bar)
            if best is None or found.height > best.height:
                best = found
            if found.message == INTERRUPTED:
                best = replace(best, converged=False, message=INTERRUPTED)
                break
    if not np.isfinite(best.height):
        raise ValueError(
            f"there is no evidence to climb at theta = {np.round(theta, 3).tolist()} ({best.message}); "
            "give the kernel and the likelihood starting values that suit the data's scale."
        )
    ends = _at_limit(best.theta, limits, names or [f"theta[{k}]" for k in range(len(theta))])
    _warn_of_the_end(best, ends)
    return replace(best, at_limit=tuple(ends.values()))


class _Search:
    """The objective turned downhill, as L-BFGS wants it, which remembers the best point that it was asked for."""

    def __init__(self, objective, start, bar):
        self.objective, self.bar, self.rounds, self.failure = objective, bar, 0, None
        self.theta, self.height, self.slope = start, -np.inf, np.zeros(len(start))
        self.asked = self.line = start, -np.inf, self.slope
        self.first = self(start)
        self.line = self.asked
        self.unit = max(1.0, float(np.linalg.norm(self.slope)))  # L-BFGS first goes as far as the gradient is long

    def __call__(self, theta):
        """−height and −gradient; where there is none, as far below the line's start as the slope promised to rise.

        Infinity would end the search here, and a huge number its steps: L-BFGS interpolates between heights.
        """
        self.bar.update()
        try:
            height, slope = self.objective(theta)
            if not (np.isfinite(height) and np.isfinite(slope).all()):
                raise np.linalg.LinAlgError(f"the evidence is {height}, its steepest slope {np.abs(slope).max()}")
        except np.linalg.LinAlgError as error:
            self.failure = str(error)
            begin, height, slope = self.line
            return np.abs(slope @ (theta - begin)) - height, np.zeros(len(theta))
        self.asked = theta.copy(), float(height), slope
        if height > self.height:
            self.theta, self.height, self.slope = self.asked
            self.bar.set_postfix_str(f"evidence {height:.4g}", refresh=False)
        return -height, -slope

    def scaled(self, theta):
        """The same in units of the first gradient; L-BFGS begins where this search has looked already."""
        first, self.first = self.first, None
        fall, slope = self(theta) if first is None or (theta != self.line[0]).any() else first
        return fall / self.unit, slope / self.unit

    def end_of_round(self, intermediate_result):
        """Ends the search on level ground where the round gained next to nothing.

        L-BFGS's own tolerance would depend on the unit. A gain alone would end the search on a plateau, such as that
        of a noise far below all others: there one round may gain nothing, and the next ones find the way off it.
        """
        self.rounds += 1
        gain = self.asked[1] - self.line[1]
        self.line = self.asked  # what L-BFGS asked for last is what it took
        if gain <= LEAST_GAIN * (1.0 + abs(self.height)) and self.is_flat(FLAT_SLOPE):
            raise StopIteration

    def is_flat(self, tolerance):
        """Whether no slope at the best point is above so much of 1 + |height|."""
        return not (np.abs(self.slope) > tolerance * (1.0 + abs(self.height))).any()


def _climb_from(objective, start, limits, held, max_iter, bar):
    """The search from one start: if there are parameters to hold, first with these where they are, then with all."""
    if len(held):
        narrow = limits.copy()
        narrow[held] = start[held, None]
        found = _climb_once(objective, start, narrow, max_iter, bar)
        if found.message == INTERRUPTED:
            return found
        start = found.theta
    return _climb_once(objective, start, limits, max_iter, bar)


def _climb_once(objective, start, limits, max_iter, bar):
    search = _Search(objective, start, bar)
    if not np.isfinite(search.height):
        return Found(start, -np.inf, search.slope, False, 0, search.failure)
    settings = {"jac": True, "method": "L-BFGS-B", "bounds": limits, "callback": search.end_of_round}
    options = {"maxiter": max_iter, "gtol": 1e-5 / search.unit, "ftol": 0.0}
    try:
        for _ in range(MAX_BEGINNINGS):  # each forgets the slopes of the last, which led nowhere
            message = str(minimize(search.scaled, search.theta, options=options, **settings).message)
            if search.is_flat(STEEP_SLOPE) or not message.startswith("ABNORMAL"):
                break
    except KeyboardInterrupt:
        message = INTERRUPTED
    converged = search.is_flat(STEEP_SLOPE) and message != INTERRUPTED
    return Found(search.theta, search.height, search.slope, converged, search.rounds, message)


def _at_limit(theta, limits, names):
    """Names of the parameters that may move and are at an end of their range, with the end."""
    low, high = theta <= limits[:, 0] + LIMIT_TOLERANCE, theta >= limits[:, 1] - LIMIT_TOLERANCE
    return {int(k): f"{names[k]} ({'greatest' if high[k] else 'least'})" for k in np.flatnonzero(low ^ high)}


def _warn_of_the_end(found, ends):
    """Warn if the search did not come to rest, or ended at a limit where the evidence still rises."""
    sloping = [end for k, end in ends.items() if abs(found.slope[k]) > FLAT_SLOPE * (1.0 + abs(found.height))]
    where = f"at the end of its range: {', '.join(sloping)}" if sloping else ""
    if found.message == INTERRUPTED:
        said = f"the search was interrupted after {found.rounds} rounds: the best parameters so far are kept."
    elif not found.converged:
        advice = AT_AN_END if sloping else OUT_OF_ROUNDS if "LIMIT" in found.message.upper() else IN_ROUNDING
        said = f"the evidence was still changing after {found.rounds} rounds ({where or found.message}); {advice}"
    elif sloping:
        said = f"the evidence still rises a little {where}. Give it a prior, or hold it by Fixed()."
    else:
        return
    validation.warn(said, ConvergenceWarning)
