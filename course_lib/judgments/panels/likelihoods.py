"""The noise of raters who are not equal: a Gaussian likelihood, and a belief about its spreads.

Lecture: 09, sections 2–4, 7 and 8.
"""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from course_lib import validation
from course_lib.gp import Gaussian, Likelihood
from course_lib.gp.likelihoods.mixed import BlockLikelihood
from course_lib.gp.quadrature import LOG_ROOT_2PI

NEW_RATER = "new"  # a rater who was never seen
MAX_DIFFERENCES = 100  # noises of which the curvature of the evidence is found by differences


class RaterNoise(Gaussian):
    """y = g + noise, the noise N(0, floor² + σ_j²): a spread for each group j.

    noise_std : (J,) σ > 0, in the unit of y
    groups : (m,) ints in 0 … J−1, the group of each answer: a rater, or a rater in one region
    floor : noise that all groups have at least, ≥ 0

    Source: Gil González et al. (2019), eq. 1.
    """

    def __init__(self, noise_std: ArrayLike, groups: ArrayLike, floor: float = 0.0):
        super().__init__(noise_std, groups)
        self.floor = validation.not_negative(floor, "floor")

    @property
    def total_std(self):
        """(J,) √(floor² + σ²), the noise of each group."""
        return np.hypot(self.noise_std, self.floor)

    _std_of_groups = total_std  # in the unit of g

    def _std(self):
        return self._std_of_groups if self.groups is None else self._std_of_groups[self.groups]

    def _slopes(self, name, y, g):
        share = (self.noise_std / self.total_std) ** 2  # of a step in log σ that arrives in log √(floor² + σ²)
        slopes, group = super()._slopes(name, y, g)
        return tuple((share if group is None else share[group]) * slope for slope in slopes), group

    def information(self, views, covariance):
        """(J, J) Fisher's information of the evidence on the logarithms of the groups' noises.

        Half the trace of C⁻¹ ∂C C⁻¹ ∂C', where C = A K Aᵀ + D is the covariance of the answers. C⁻¹ is
        D⁻¹ − D⁻¹ A V Aᵀ D⁻¹, with the posterior covariance V of what the answers are views of.

        views : ObservationMatrix A with m rows;  covariance : (n, n) V

        Source: Rasmussen & Williams (2006), eq. 5.9, for its expected curvature.
        """
        J, precision = len(self.noise_std), self._std_of_groups**-2.0
        shared, own = np.zeros((J, J)), np.bincount(self.groups, views.variances(covariance), J)
        for j in range(J):  # the squares of a group's covariances with all answers: a_kᵀ (V A_jᵀ A_j V) a_k
            told = views.some(np.flatnonzero(self.groups == j)) @ covariance  # (m_j, n)
            shared[j] = np.bincount(self.groups, views.variances(told.T @ told), J)
        alone = np.bincount(self.groups, minlength=J) - 2.0 * precision * own
        return 2.0 * (precision[:, None] * shared * precision + np.diag(alone))

    def evidence_curvature(self, views, covariance):
        """By Fisher's information, of more than MAX_DIFFERENCES pooled noises, whose gradients would take minutes."""
        prior, J = self.priors.get("noise_std"), np.size(self.noise_std)
        if J <= MAX_DIFFERENCES or self.n_free != J or not hasattr(prior, "curvature"):
            return None
        return self.information(views, covariance()) + prior.curvature(J)

    def only(self, group: int) -> Self:
        """Gaussian with the noise of this group: for new answers, whose rater is known."""
        return Gaussian(self.total_std, self.groups).only(group)


class RaterGain(RaterNoise):
    """y = a_r g + noise, the noise N(0, floor² + σ_j²): each rater r has a gain a_r, and each group j a noise.

    To g the answer is y/a_r, with the noise of √(floor² + σ_j²)/a_r: so inference stays exact. The parameter is
    log a_r, which has either sign; `with_priors(log_gain=Normal(0, 0.3))` says how far raters' gains lie apart. With
    tails, CentredStudentT, most raters use the scale alike, and one may hardly use it.

    In RaterGP y_nr = offset_ + a_r (z_n − offset_ + bias_r) + noise: the bias is inside, in the unit of the values, so
    that one spread of the biases serves all. Without bias_std all raters are held to agree at offset_. How little a
    rater tells of the values is σ_r/a_r. A factor of all gains is undone by the spreads of values and biases, which
    are learned: only the prior, whose centre is log a = 0, sets it, and no better than to its spread/√R. So values are
    in the unit of a typical rater, and only `averaged()` widens their intervals by what is open of it. The gain of a
    rater with one answer, or of the only rater, is about what the prior says. One who turns the scale round has the
    least gain together with a noise as great as the spread of their answers, as a_r > 0.

    noise_std, groups, floor : as for RaterNoise, the noises in the unit of y; groups None: all answers are of one
    log_gain : (R,) log a_r, where groups j, j + R, j + 2R … are of rater j

    Source: Brockhoff & Skovgaard (1994), "Modelling individual differences between assessors in sensory evaluations".
    """

    parameter_names = ("noise_std", "log_gain")
    signed_names = ("log_gain",)

    def __init__(self, noise_std: ArrayLike, groups: ArrayLike, log_gain: ArrayLike, floor: float = 0.0):
        super().__init__(noise_std, groups, floor)
        self.log_gain = validation.real_array(log_gain, "log_gain")
        if self.log_gain.ndim != np.ndim(self.noise_std) or np.size(self.noise_std) % self.log_gain.size:
            raise ValueError(
                f"log_gain has shape {self.log_gain.shape} and noise_std {np.shape(self.noise_std)}; one gain for "
                "each rater, and one noise of theirs, or one in each region, are needed."
            )

    @property
    def gain(self):
        """(R,) a_r."""
        return np.exp(self.log_gain)

    @property
    def _raters(self):
        """(m,) whose answer each is."""
        return self.groups % len(self.log_gain)

    @property
    def _gain_of_each(self):
        return self.gain if self.groups is None else self.gain[self._raters]

    @property
    def _std_of_groups(self):
        return self.total_std / np.resize(self.gain, np.shape(self.noise_std))

    def _target(self, y):
        return y / self._gain_of_each, -np.log(self._gain_of_each)

    def _slopes(self, name, y, g):
        if name == "noise_std":
            return super()._slopes(name, y, g)
        std, z = self._std(), self._target(y)[0]
        slopes = (z - g) * g / std**2, (z - 2.0 * g) / std**2, np.zeros_like(z - g) - 2.0 * std**-2.0
        return slopes, None if self.groups is None else self._raters

    def only(self, group: int) -> Self:
        return RaterGain(super().only(group).noise_std, None, self.log_gain[group % len(self.log_gain)])


class HierarchicalScalePrior:
    """A rater's log σ_kr over the regions k scatter round a level of their own, N(level_r, spread²), which is unknown.

    It is a density of log σ, up to the level's own, which is flat: with one region it says nothing. With n_raters = 1
    all noises, whosesoever, scatter round one level.

    n_raters : R; the parameters are (K·R,), region by region
    spread : > 0; 0.5 means: two thirds of a rater's noises lie within a factor of 1.6 of that level
    """

    def __init__(self, n_raters: int, spread: float):
        self.n_raters = self.n_levels = validation.integer(n_raters, "n_raters")
        self.spread = validation.positive(spread, "spread")

    def log_density(self, value):
        """Of (K·R,) noises: the terms of the log density, and its derivative."""
        value = np.asarray(value, dtype=float)
        logs = np.log(value).reshape(-1, self.n_raters)
        z = (logs - logs.mean(axis=0)) / self.spread
        density = -0.5 * z**2 - np.log(self.spread) - 0.5 * np.log(2 * np.pi)
        return density.ravel(), -z.ravel() / self.spread / value

    def curvature(self, n_noises):
        """(K·R, K·R) minus the second derivative in log σ."""
        regions = n_noises // self.n_raters
        centring = np.eye(regions) - 1.0 / regions
        return np.kron(centring, np.eye(self.n_raters)) / self.spread**2

    def __repr__(self):
        return f"HierarchicalScalePrior(n_raters={self.n_raters}, spread={self.spread:g})"


class PooledLikelihood(BlockLikelihood):
    """Likelihoods of R raters, rater after rater: of one form, each with parameters of their own.

    Each element of θ, a logarithm where it is positive, scatters over the raters round a level, N(level, spread²). The
    level is unknown: its density is flat, or N(where it begins, level_std²).

    parts : a Likelihood for each rater;  lengths : how many answers each gave
    spread : None, the parameters know nothing of each other; or > 0;  name : of the spread, for errors
    level_std : None, or > 0: how far the raters' mean may be from where it begins
    """

    def __init__(self, parts, lengths, spread=None, name="spread", level_std=None):
        super().__init__(parts, lengths)
        self.spread = None if spread is None else validation.positive(spread, name)
        self.level_std = None if level_std is None else validation.positive(level_std, "level_std")
        self.begin = self._table().mean(axis=0)

    def _table(self):
        """(R, P) θ of each rater."""
        return self.theta.reshape(len(self.children), -1)

    @property
    def level_shares(self):
        """(P,) of each parameter one level is free, or none where it has a density of its own."""
        if self.level_std is not None:
            return np.zeros(self.n_free)
        return super().level_shares / (1 if self.spread is None else len(self.children))

    def prior_terms(self):
        density, slope = super().prior_terms()
        theta, R = self._table(), len(self.children)
        if self.spread is not None:
            z = ((theta - theta.mean(axis=0)) / self.spread).ravel()
            density, slope = density - 0.5 * z**2 - np.log(self.spread) - LOG_ROOT_2PI, slope - z / self.spread
        if self.level_std is not None:  # a term of each level, shared out over its raters
            z = np.tile((theta.mean(axis=0) - self.begin) / self.level_std, R)
            density = density + (-0.5 * z**2 - np.log(self.level_std) - LOG_ROOT_2PI) / R
            slope = slope - z / self.level_std / R
        return density, slope


class RandomRaterLikelihood(Likelihood):
    """Answers of one of several raters, one does not know of whom: their likelihoods, `parts`, in equal shares."""

    def __init__(self, parts):
        self.parts = list(parts)
        self.support, self.possible = self.parts[0].support, self.parts[0].possible

    def mean(self, g):
        return np.mean([part.mean(g) for part in self.parts], axis=0)

    def cumulative(self, y, g):
        return np.mean([part.cumulative(y, g) for part in self.parts], axis=0)

    def _turn(self, y):
        centres, widths = zip(*(np.broadcast_arrays(*part._turn(y)) for part in self.parts), strict=True)
        return np.mean(centres, axis=0), np.min(widths, axis=0)

    def predict(self, mean, variance):
        means, variances = zip(*(part.predict(mean, variance) for part in self.parts), strict=True)
        return np.mean(means, axis=0), np.mean(variances, axis=0) + np.var(means, axis=0)

    def log_predictive_density(self, y, mean, variance):
        each = [part.log_predictive_density(y, mean, variance) for part in self.parts]
        return logsumexp(each, axis=0) - np.log(len(each))
