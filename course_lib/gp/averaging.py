"""Hyper-parameters that are averaged over, and not plugged in: what few answers leave open of them widens intervals.

Lecture: 09, section 7; 14, section 2.
"""

import copy

import numpy as np
from scipy.special import expit, gammaincinv, ndtri
from scipy.stats import qmc

from course_lib import validation
from course_lib.gp.evidence import Evidence
from course_lib.gp.optimize import SEARCH_RANGE, climb

DEFAULT_DRAWS = 256  # by default: a power of 2 lies most evenly, and half-widths of panels differ by 3 % between seeds
FEWER_DRAWS, MAX_ITEMS_OF_ALL_DRAWS = 64, 250  # and of how many items so many models are kept
CURVATURE_STEP = 0.05  # in a logarithm, for the curvature
UNKNOWN_STD = 2.0  # standard deviation of a logarithm of which next to nothing is known
DRAW_DEGREES = 8.0  # of freedom of the draws: tails that no posterior density of so few parameters outlives by much
LEAST_CHANCE = 1e-10  # of a draw: points may lie on the edge, where a draw would be infinite
LARGE_LOG_RATIO = np.log(10.0)  # how far above the search's start a parameter without a prior begins to count as large
BY_INVERSE = ("lengthscale", "precision")  # where infinity, and not 0, says that there is nothing to see


def averaged(latent, size, rng):
    """A copy of a fitted LatentGP that is the average of `size` models drawn by `Drawn`; see `LatentGP.averaged`."""
    hyper, evidence = latent._hyperparameters(), Evidence(latent, latent.observations_)
    if size is None:
        size = DEFAULT_DRAWS if len(latent.observations_.X) <= MAX_ITEMS_OF_ALL_DRAWS else FEWER_DRAWS
    height_at = lambda theta: evidence(hyper.with_theta(theta))  # noqa: E731
    drawn = Drawn(hyper, latent._start, height_at, size, rng, latent.known_curvature)
    found = [with_hyperparameters(latent, hyper.with_theta(theta), evidence) for theta in drawn.theta]
    members, heights = zip(*found, strict=True)
    shares = drawn.shares(np.array(heights))
    changed = copy.copy(latent)
    changed.members_ = tuple(members[k] for k in np.flatnonzero(shares))
    changed.shares_, changed._joint, changed._drawn = shares[shares > 0], None, None
    if hyper.likelihood.is_gaussian:
        theta = np.array([member.likelihood_.theta for member in changed.members_])
        theta = _root_mean_square(changed.shares_, theta, hyper.likelihood.are_logarithms)
        changed.likelihood_ = hyper.likelihood.with_theta(theta)
    return changed


def with_hyperparameters(latent, hyper, evidence):
    """(this model with other hyper-parameters, their log evidence and log prior), or (None, −inf)."""
    changed = copy.copy(latent)
    changed.kernel_, changed.likelihood_, changed.inducing_ = hyper.kernel, hyper.likelihood, hyper.inducing
    try:
        changed.prior_, changed.approximation_ = evidence.infer(hyper)
    except np.linalg.LinAlgError:
        return None, -np.inf
    return changed, changed.approximation_.log_evidence + hyper.log_prior()[0]


def _root_mean_square(shares, theta, are_logarithms):
    """(P,) averages of θ (S, P): of what is a logarithm, that of the root mean square; of the rest the mean."""
    squares = np.exp(2.0 * np.where(are_logarithms, theta, 0.0))
    return np.where(are_logarithms, 0.5 * np.log(shares @ squares), shares @ theta)


class Drawn:
    """θ drawn round the mode of its posterior density by Laplace's Gaussian; `shares` then weighs them by the density.

    The density is that of θ, which holds logarithms of positive parameters: each brings itself as a factor. The
    evidence is often greatest at a variance of 0, above all with few answers: there all would be known, and draws
    round it would never leave it. The mode of this density is elsewhere.

    A parameter a without a prior has p(a) ∝ 1/(1 + a/A)², with A ten times that with which the search began: flat,
    with a tail, without which there is no density where answers leave it open. Of a lengthscale, or the precision of
    answers, that is the density of 1/a: a flat one of a itself would favour functions that vary little, and answers
    without noise, of which everything is known. Of R parameters that are pooled round one level only that level is
    free: each brings an R-th of what is believed of it. Draws come in pairs, opposite each other, and one of each pair
    is made of Sobol's points: they fill the space so evenly that another seed hardly gives another answer.

    hyper : Hyperparameters at the greatest evidence;  start : (P,) θ with which the search for it began
    height_at : θ → (log evidence and log prior, its gradient (P,));  known_at : as for `_curvature`
    size : how many, even;  rng : numpy Generator or seed;  theta : (size, P) the draws

    Source: Rasmussen & Williams (2006), section 5.2, for the integral; Bishop (2006), section 11.1.4, for the weights;
    Gelman (2006), "Prior distributions for variance parameters in hierarchical models", for what 0 does; Fuglstad et
    al. (2019), "Constraining smoothness in Gaussian random fields", for what long lengthscales do.
    """

    def __init__(self, hyper, start, height_at, size, rng, known_at=None):
        half, P = validation.integer(size, "size", least=2) // 2, len(hyper.theta)
        self.found, self.start = hyper.theta, start
        self.logs, self.free = hyper.are_logarithms, hyper.are_logarithms & ~hyper.have_priors
        inverse = np.array([any(word in name for word in BY_INVERSE) for name in hyper.names], dtype=bool)
        self.sign, self.share = np.where(inverse & self.free, -1.0, 1.0), hyper.level_shares
        self.top = self._mode(height_at)
        curvature = _curvature(lambda theta: self._posterior(height_at, theta)[1], self.top, known_at)
        curvature, direction = np.linalg.eigh(curvature)
        root = np.sqrt(np.maximum(curvature, UNKNOWN_STD**-2.0))
        noise = _even_draws(half, P, rng)
        apart = noise / root @ direction.T
        self.theta = np.concatenate([self.top + apart, self.top - apart])
        self._log_drawn = -0.5 * (DRAW_DEGREES + P) * np.tile(np.log1p((noise**2).sum(axis=1) / DRAW_DEGREES), 2)

    def _posterior(self, height_at, theta):
        """Log density of θ, and its gradient."""
        (height, gradient), (belief, slope) = height_at(theta), self._belief(theta)
        return height + belief, gradient + slope

    def _belief(self, theta):
        """What is believed of θ besides priors of its own: (log density, its gradient)."""
        large = np.where(self.free, self.sign * (theta - self.start) - LARGE_LOG_RATIO, -np.inf)
        apart = np.where(self.logs, 0.0, theta - self.found)
        level = self.sign * self.logs * theta - 2.0 * np.logaddexp(0.0, large)
        slope = self.share * self.sign * (self.logs - 2.0 * expit(large))
        return (self.share * level - 0.5 * (apart / UNKNOWN_STD) ** 2).sum(axis=-1), slope - apart / UNKNOWN_STD**2

    def _mode(self, height_at):
        """(P,) the mode of the posterior density that one comes to from the greatest evidence."""
        if not len(self.found):
            return self.found
        limits = self.start[:, None] + 2.0 * SEARCH_RANGE * np.array([-1.0, 1.0])
        return climb(lambda theta: self._posterior(height_at, theta), self.found, limits).theta

    def shares(self, heights):
        """(size,) shares of the draws in the average, from their log evidence and log prior (size,); −inf is none.

        No weight is above √size times their mean, so that none decides alone.

        Source: Ionides (2008), "Truncated importance sampling".
        """
        wanted = heights + self._belief(self.theta)[0] - self._log_drawn
        weights = np.exp(wanted - np.max(wanted))
        weights = np.minimum(weights, np.sqrt(len(weights)) * weights.mean())
        return weights / weights.sum()


def _even_draws(count, P, rng):
    """(count, P) draws of Student's t, by scrambled Sobol points."""
    seed = int(validation.generator(rng).integers(2**31))
    points = qmc.Sobol(P + 1, seed=seed).random_base2(int(np.ceil(np.log2(count))))[:count]
    points = np.clip(points, LEAST_CHANCE, 1.0 - LEAST_CHANCE)
    squares = 2.0 * gammaincinv(0.5 * DRAW_DEGREES, points[:, P:]) / DRAW_DEGREES  # χ² over its degrees of freedom
    return ndtri(points[:, :P]) / np.sqrt(squares)


def learned_covariance(latent):
    """(P, P) covariance of what a fitted LatentGP learned, first in the kernel, then in the likelihood, by Laplace.

    It takes two gradients for each of them: the curvature is that of evidence and priors in all at once.

    Source: Rasmussen & Williams (2006), section 5.2.
    """
    theta = np.concatenate([latent.kernel_.theta, latent.likelihood_.theta])
    curvature = _curvature(lambda at: latent.evidence_at(at)[1], theta, latent.known_curvature)
    curvature, direction = np.linalg.eigh(curvature)
    return direction / (np.maximum(curvature, 0.0) + UNKNOWN_STD**-2.0) @ direction.T


def integrated_evidence(model):
    """Log evidence of a fitted model with what it learned integrated out, by Laplace's approximation.

    What it learned has priors that are proper, or flat ones that models of the same answers share. So this compares
    models of which one has more parameters, such as a gain of each rater.

    Source: MacKay (1992), "Bayesian interpolation", section 4.
    """
    latent = model.latent_
    return latent.log_posterior_ + 0.5 * np.linalg.slogdet(2.0 * np.pi * learned_covariance(latent))[1]


def _curvature(gradient_at, theta, known_at=None):
    """(P, P) minus the second derivatives, by central differences of the gradient.

    known_at : None, or θ → (places, block) of parameters whose own block is known; no places: none is
    """
    places, block = ((), None) if known_at is None else known_at(theta)
    found, others = np.zeros((len(theta), len(theta))), np.setdiff1d(np.arange(len(theta)), places)
    for k in others:
        step = CURVATURE_STEP * np.eye(len(theta))[k]
        found[k] = (gradient_at(theta - step) - gradient_at(theta + step)) / (2.0 * CURVATURE_STEP)
    found[:, others] = 0.5 * (found[:, others] + found[others].T)
    if len(places):
        found[np.ix_(places, others)] = found[np.ix_(others, places)].T
        found[np.ix_(places, places)] = block
    else:
        found = 0.5 * (found + found.T)
    return found


def mixed_moments(shares, parts, covariances, between=1.0):
    """Mean (q,), and standard deviation (q,) or covariance (q, q), of a mixture of Gaussians.

    shares : (S,);  parts : S pairs of a mean (q,) and a standard deviation (q,) or covariance (q, q)
    covariances : which of the two
    between : what the variance between the parts is multiplied by; `few_draws` where they are drawn
    """
    means, spreads = map(np.array, zip(*parts, strict=True))
    mean = shares @ means
    apart = means - mean
    if covariances:
        return mean, np.tensordot(shares, spreads, 1) + between * (apart.T * shares @ apart)
    return mean, np.sqrt(shares @ (spreads**2 + between * apart**2))


def width_error(shares, means, stds):
    """How far standard deviations (q,) of a mixture may be off by its draws: a share, one standard error.

    As if the draws were independent; they are spread more evenly, so it is rather less.

    shares : (S,);  means, stds : (S, q) of the parts

    Source: Owen (2013), "Monte Carlo theory, methods and examples", section 9.2.
    """
    variances = stds**2 + (means - shares @ means) ** 2
    total = np.maximum(shares @ variances, np.finfo(float).tiny)
    return float(np.mean(0.5 * np.sqrt(shares**2 @ (variances / total - 1.0) ** 2)))


def few_draws(shares):
    """How much wider than the variance between weighed draws one must be for the next draw: (1 + s)/(1 − s).

    s = Σ shares² is one over the number of draws that count. The variance of draws round their own mean is short by
    1 − s, and that mean is off by s of it. Of the draws of many parameters ten may count: a factor of 1.2. If a single
    one counts, it tells nothing of a variance: 1.

    Source: Kish (1965), "Survey sampling", for the number that count.
    """
    s = float(np.sum(np.square(shares)))
    return (1.0 + s) / (1.0 - s) if s < 1.0 else 1.0
