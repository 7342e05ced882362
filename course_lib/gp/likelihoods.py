"""What an answer y says about one scalar view g of the latent function: p(y | g), its slopes, and its averages.

A likelihood never knows whether g is a value f(x) or a difference f(b) − f(a).
Lecture: 06, section 2.
"""

import numpy as np
from scipy.special import digamma, expit, gammaln, ndtr, ndtri, stdtr

from course_lib import validation
from course_lib.gp.normal_tails import Interval, log_ndtr_derivatives
from course_lib.gp.parameters import Parametrized, positive_parameter
from course_lib.gp.quadrature import (
    LOG_ROOT_2PI,
    REACH,
    above_zero,
    gaussian_nodes,
    split_gaussian_nodes,
    split_tilted_nodes,
    tilted_nodes,
    tilted_peak,
)

HALVINGS = 60  # of an interval: what is left of it is rounding
ROUNDING = 1e-12  # of a probability
FURTHEST = 100  # doublings of a bracket
WIDER, NEGLIGIBLE = (1.0, 2.0, 4.0), 1e-8  # reaches of integrals of answers, until nothing is left at their ends
NARROW = 1e-4  # of a variance: what is left of it by subtraction has lost too many digits


class Likelihood(Parametrized):
    """p(y | g) for answers y and a scalar g of any sign. Subclasses give densities and slopes; here are the integrals.

    All methods are vectorised: y, g, mean and variance are arrays that broadcast, and so is what they return. P is
    the number of free parameters; those that are `Fixed` have no entry in a gradient. `check` and the constructors
    look at what they are given; the other methods, which inference calls again and again, take float64 arrays as they
    are.

    An average over g is a sum over nodes, dense where the likelihood bends: see `course_lib.gp.quadrature`.

    Source: Rasmussen & Williams (2006), chapter 3. Lecture: 06, section 2.
    """

    log_concave = False
    is_gaussian = False  # in g: then `site(y)` gives it as one
    step = 0.1  # of the quadrature; the tests' integrals then have nine digits or more
    peak_rounds = 50
    middle = 0.0  # the answer that speaks for neither side
    possible = None  # (L,) answers, ascending, where there are only so many
    support = (-np.inf, np.inf)  # between which answers lie, where there are endlessly many
    kinks = np.zeros(0)  # (K,) places of g at which the slope of log p jumps: integrals are split there

    def check(self, y):
        """(m,) answers as float64, if the likelihood can have given them.

        Raises
        ------
        ValueError
            If they are no vector, not finite, or one is an answer that cannot occur.

        Lecture: 06, section 2.
        """
        y = np.atleast_1d(validation.real_array(y, "y"))
        if y.ndim != 1:
            raise ValueError(f"y has shape {y.shape}; one answer for each response is needed: (m,).")
        return y

    def log_density(self, y, g):
        """log p(y | g). Lecture: 06, section 2."""
        return self.derivatives(y, g)[0]

    def derivatives(self, y, g):
        """(log p, ∂ log p, ∂² log p, ∂³ log p) with respect to g. Lecture: 06, section 3."""
        raise self._not_written("derivatives(y, g)")

    def _not_written(self, method):
        return NotImplementedError(
            f"{type(self).__name__} has no {method}; a likelihood must have it: see Likelihood."
        )

    def parameter_derivatives(self, y, g):
        """What a change of the parameters θ does to the log density and to its first two slopes in g.

        Returns
        -------
        (∂ log p/∂θ, ∂(∂ log p/∂g)/∂θ, ∂(∂² log p/∂g²)/∂θ), each (P, …)

        Lecture: 06, section 3.
        """
        shape = np.broadcast_shapes(np.shape(y), np.shape(g))
        each = [
            [np.broadcast_to(s, (len(s), *shape)) for s in self._parameter_derivatives(name, y, g)]
            for name in self._free()
        ]
        return tuple(np.concatenate([np.zeros((0, *shape)), *(slopes[k] for slopes in each)]) for k in range(3))

    def _parameter_derivatives(self, name, y, g):
        """`parameter_derivatives` of one parameter of that name: three arrays (its number of elements, …)."""
        raise NotImplementedError(
            f"{type(self).__name__} has the parameter {name!r} in `parameter_names`, but no "
            "`_parameter_derivatives(name, y, g)`: what its logarithm changes in log p and in its first two "
            f"derivatives. Write it, or fix the parameter by with_priors({name}=Fixed())."
        )

    def mean(self, g):
        """E[y | g]. Lecture: 06, section 2."""
        raise self._not_written("mean(g)")

    def variance(self, g):
        """Var[y | g]. Lecture: 06, section 2."""
        raise self._not_written("variance(g)")

    def sample(self, g, rng):
        """One answer y for each g; rng is a Generator or a seed. Lecture: 06, section 2."""
        raise self._not_written("sample(g, rng)")

    def expectations(self, y, mean, variance):
        """Averages under q(g) = N(mean, variance): what a variational site is made of.

        Returns
        -------
        (E_q[log p], E_q[∂ log p], E_q[∂² log p]), the last with what the slope gains where it jumps

        Source: Nielsen (2015), section 2.1.3; Opper & Archambeau (2009). Lecture: 06, section 5.
        """
        y, mean, variance = np.broadcast_arrays(y, mean, variance)
        g, weight = self._gaussian_nodes(self._quadrature_centre(y), mean, variance)
        log_p, first, second = ((weight * value).sum(axis=0) for value in self.derivatives(y, g)[:3])
        if len(self.kinks):
            second = second + self._bend_at_kinks(y, mean, variance)
        return log_p, first, second

    def _bend_at_kinks(self, y, mean, variance):
        """What the kinks add to E_q[∂² log p]: each jump of the slope times q's density there."""
        kinks = self.kinks.reshape(-1, *(1,) * np.ndim(y))
        after, before = (self.derivatives(y, np.nextafter(kinks, end))[1] for end in (np.inf, -np.inf))
        variance = above_zero(variance, mean)
        density = np.exp(-0.5 * (kinks - mean) ** 2 / variance - LOG_ROOT_2PI) / np.sqrt(variance)
        return ((after - before) * density).sum(axis=0)

    def expected_parameter_gradient(self, y, mean, variance):
        """(P, …) E_q[∂ log p/∂θ] under q(g) = N(mean, variance). Lecture: 06, section 5."""
        y, mean, variance = np.broadcast_arrays(y, mean, variance)
        g, weight = self._gaussian_nodes(self._quadrature_centre(y), mean, variance)
        return (weight * self.parameter_derivatives(y, g)[0]).sum(axis=1)

    def tilted(self, y, mean, variance, start=None):
        """Normaliser, mean and variance of the tilted distribution p(y | g) N(g | mean, variance) / Z.

        Parameters
        ----------
        y, mean, variance : answers, and the cavity's moments
        start : (mean, variance) near the tilted distribution's, or None: where to begin the search for its peak

        Returns
        -------
        (log Z, mean, variance)

        Source: Rasmussen & Williams (2006), section 3.6; Jensen et al. (2013), eqs. 4–6. Lecture: 06, section 4.
        """
        log_Z, g, weight = self._tilted_nodes(y, mean, variance, start)
        first = (weight * g).sum(axis=0)
        return log_Z, first, (weight * (g - first) ** 2).sum(axis=0)

    def tilted_parameter_gradient(self, y, mean, variance, start=None):
        """(P, …) ∂ log Z/∂θ: the average of ∂ log p/∂θ over the tilted distribution. Lecture: 06, section 4."""
        _, g, weight = self._tilted_nodes(y, mean, variance, start)
        return (weight * self.parameter_derivatives(y, g)[0]).sum(axis=1)

    def log_predictive_density(self, y, mean, variance):
        """log ∫ p(y | g) N(g | mean, variance) dg. Lecture: 06, section 2."""
        return self.tilted(y, mean, variance)[0]

    def predict(self, mean, variance):
        """(E[y], Var[y]) of a new answer whose g is N(mean, variance). Lecture: 06, section 2."""
        g, weight, average, between = self._expected(mean, variance)
        return average, between + (weight * self.variance(g)).sum(axis=0)

    def predict_mean(self, mean, variance):
        """(E, Var) of the expected answer E[y | g]: of what endlessly many answers would give on average.

        Lecture: 06, section 7.
        """
        return self._expected(mean, variance)[2:]

    def _expected(self, mean, variance):
        """Nodes, weights, and E and Var of E[y | g] for g ~ N(mean, variance), from as far out as it grows large."""
        for wider in WIDER:
            g, weight = self._gaussian_nodes((0.0, 1.0), mean, variance, wider)
            with np.errstate(over="ignore", invalid="ignore"):
                centre = self.mean(g)
                average = (weight * centre).sum(axis=0)
                size = weight * centre**2
                spread = (weight * (centre - average) ** 2).sum(axis=0)
                if np.isfinite(spread).all() and np.all(size[0] + size[-1] <= NEGLIGIBLE * size.sum(axis=0)):
                    return g, weight, average, spread
        validation.warn(
            f"{type(self).__name__}: E[y | g] grows so fast that the moments of an answer are not found, where g is "
            "known as little as here; its quantiles are.",
            UserWarning,
        )
        return g, weight, average, spread

    def cumulative(self, y, g):
        """P(answer ≤ y | g). Lecture: 07, section 5."""
        raise self._not_written("cumulative(y, g)")

    def sides(self, g):
        """(P(answer > middle | g), P(answer < middle | g)); what is missing to 1 are ties. Lecture: 10, section 4."""
        return 1.0 - self.cumulative(self.middle, g), self.cumulative(np.nextafter(self.middle, -np.inf), g)

    def probability_above(self, mean, variance):
        """Probability that a new answer is above its middle, among those not on it, for g ~ N(mean, variance).

        Source: Nielsen (2015), eqs. 2.52 and 2.68. Lecture: 10, section 4.
        """
        g, weight = self._gaussian_nodes(self._turn(self.middle), mean, variance)
        above, below = ((weight * side).sum(axis=0) for side in self.sides(g))
        return above / (above + below)

    def quantile(self, p, mean, variance):
        """The answer that a new one exceeds with probability 1 − p at most, for g ~ N(mean, variance).

        Lecture: 07, section 5.
        """
        mean, variance = np.broadcast_arrays(np.asarray(mean, dtype=float), variance)

        def reached(y):
            g, weight = self._gaussian_nodes(self._turn(y), mean, variance)
            return (weight * self.cumulative(y, g)).sum(axis=0) >= p - rounding

        rounding = 0.0 if self.possible is None else ROUNDING  # of sums that are to reach p exactly
        if self.possible is not None:
            return self.possible[np.stack([reached(np.full(mean.shape, y)) for y in self.possible]).argmax(axis=0)]
        low, high = self._bracket(reached, mean, np.sqrt(variance))
        for _ in range(HALVINGS):
            y = 0.5 * (low + high)
            enough = reached(y)
            low, high = np.where(enough, low, y), np.where(enough, y, high)
        return 0.5 * (low + high)

    def _bracket(self, reached, mean, std):
        """(low, high) of which the answers up to low are not enough, and those up to high are."""
        ends, reach = self.support, 1.0 + std
        low, high = (np.full(mean.shape, end) if np.isfinite(end) else None for end in ends)
        if low is not None and high is not None:
            return low, high
        for _ in range(FURTHEST):  # a tail of rounding has no other end
            below = (mean if high is None else high) - reach if low is None else low
            above = (mean if low is None else low) + reach if high is None else high
            if (low is not None or not reached(below).any()) and (high is not None or reached(above).all()):
                break
            reach = 2.0 * reach
        return below, above

    def _turn(self, y):
        """(centre, width): where P(answer ≤ y | g) falls as g grows, and over what distance."""
        return self._quadrature_centre(y)

    def _quadrature_centre(self, y):
        """(centre, width): where log p(y | g) bends most as g moves, and over what distance."""
        return 0.0, 1.0

    def _density_peak(self, y):
        """(centre, width): where p(y | g) is large, and how sharp it is there."""
        return self._quadrature_centre(y)

    def _gaussian_nodes(self, feature, mean, variance, wider=1.0):
        """Nodes (Q, …), and weights that sum to one, for averages over N(mean, variance); `wider` reaches further."""
        if len(self.kinks):
            return split_gaussian_nodes(self.kinks, feature[1], mean, variance, wider * REACH)
        return gaussian_nodes(self.step / wider, feature, mean, variance, wider * REACH)

    def _tilted_nodes(self, y, mean, variance, start):
        """log Z, nodes (Q, …), and weights that sum to one, for averages over the tilted distribution."""
        y, mean, variance = np.broadcast_arrays(y, mean, above_zero(variance, mean))
        peak, bend = self._tilted_peak(y, mean, variance, start), self._density_peak(y)
        if len(self.kinks):
            width = np.minimum(self._quadrature_centre(y)[1], peak[1])
            return split_tilted_nodes(self.kinks, width, lambda g: self.log_density(y, g), peak[0], mean, variance)
        return tilted_nodes(self.step, lambda g: self.log_density(y, g), (peak, bend), mean, variance)

    def _tilted_peak(self, y, mean, variance, start):
        """(mode, width) of the tilted distribution's peak."""
        begin = [mean, self._density_peak(y)[0]] + ([] if start is None else [start[0]])
        begin = np.stack([np.broadcast_to(g, mean.shape) for g in begin])
        log_density, derivatives = (lambda g: self.log_density(y, g)), (lambda g: self.derivatives(y, g))
        return tilted_peak(log_density, derivatives, begin, mean, variance, self.peak_rounds)


class Gaussian(Likelihood):
    """y = g + noise, the noise normal: p(y | g) = N(y | g, σ²).

    Parameters
    ----------
    noise_std : σ > 0 in the unit of y, or (R,) of them, one for each group
    groups : (m,) ints in 0 … R−1, the group of each response; None if there is one noise for all

    Raises
    ------
    ValueError
        If a noise is not a finite number above 0, or the groups do not fit the noises.

    Source: Rasmussen & Williams (2006), section 2.2; Gil González et al. (2019), eq. 1, for the groups.
    Lecture: 06, section 2.
    """

    parameter_names = ("noise_std",)
    log_concave = is_gaussian = True

    def __init__(self, noise_std=1.0, groups=None):
        if groups is None and np.ndim(validation.array(noise_std, "noise_std")) > 0:
            raise ValueError(
                f"noise_std has shape {np.shape(noise_std)} and groups is None; one number is needed, or groups that "
                "say whose noise each response has."
            )
        self.noise_std = positive_parameter(noise_std, "noise_std", vector=groups is not None)
        self.groups = groups
        if groups is None:
            return
        self.noise_std, self.groups = np.atleast_1d(self.noise_std), validation.array(groups, "groups")
        if self.groups.ndim != 1 or self.groups.size == 0 or self.groups.dtype.kind not in "iu":
            raise ValueError(
                f"groups has shape {self.groups.shape} and dtype {self.groups.dtype}; "
                "one whole number for each response is needed: (m,)."
            )
        wrong = np.flatnonzero((self.groups < 0) | (self.groups >= len(self.noise_std)))
        if len(wrong):
            raise ValueError(
                f"groups[{wrong[0]}] is {self.groups[wrong[0]]}, but noise_std has {len(self.noise_std)} elements: "
                f"the groups are 0 … {len(self.noise_std) - 1}."
            )

    def only(self, group):
        """The likelihood of this group's answers alone: one noise, for any number of responses.

        Raises
        ------
        ValueError
            If there is no such group.

        Lecture: 06, section 2.
        """
        noises = np.atleast_1d(self.noise_std)
        if validation.whole(group, "group", least=0) >= len(noises):
            raise ValueError(f"group is {group}; the groups are 0 … {len(noises) - 1}.")
        return type(self)(float(noises[group])).with_priors(**self.priors)

    def check(self, y):
        """As Likelihood.check; ValueError also if there are not as many answers as groups. Lecture: 06, section 2."""
        y = super().check(y)
        if self.groups is not None and len(y) != len(self.groups):
            raise ValueError(f"y has {len(y)} answers and groups has {len(self.groups)}; each answer needs its group.")
        return y

    def _target(self, y):
        """(z, log |dz/dy|): what is normal about g, and the Jacobian of getting there."""
        return y, 0.0

    def _std(self):
        return self.noise_std if self.groups is None else self.noise_std[self.groups]

    def _std_for(self, g):
        """The noise of each response, if g has as many as there are groups."""
        if self.groups is not None and np.shape(g)[-1:] != self.groups.shape:
            raise ValueError(
                f"there are groups for {len(self.groups)} responses, but {np.shape(g)} came; "
                "for other responses choose one noise: likelihood.only(group)."
            )
        return self._std()

    def site(self, y):
        """(τ, ν) with p(y | g) ∝ exp(ν g − ½ τ g²): (1/σ², y/σ²), each (m,). Lecture: 06, section 2."""
        z, precision = self._target(y)[0], self._std() ** -2.0
        return np.broadcast_to(precision, np.shape(z)).copy(), z * precision

    def derivatives(self, y, g):
        """As Likelihood.derivatives. Lecture: 06, section 3."""
        (z, jacobian), std = self._target(y), self._std()
        r = (z - g) / std
        density = -0.5 * r**2 - np.log(std) - LOG_ROOT_2PI + jacobian
        return density, r / std, np.zeros_like(r) - std**-2.0, np.zeros_like(r)

    def _parameter_derivatives(self, name, y, g):
        std = self._std()
        r = (self._target(y)[0] - g) / std
        return tuple(map(self._by_noise, (r**2 - 1, -2 * r / std, np.zeros_like(r) + 2 * std**-2.0)))

    def _by_noise(self, slope):
        """(R, …): each response moves with the noise of its own group."""
        if self.groups is None:
            return slope[None]
        return slope * (self.groups == np.arange(len(self.noise_std)).reshape(-1, *(1,) * slope.ndim))

    def mean(self, g):
        """g itself. Lecture: 06, section 2."""
        return np.asarray(g, dtype=float)

    def variance(self, g):
        """σ². Lecture: 06, section 2."""
        return np.zeros_like(g, dtype=float) + self._std_for(g) ** 2

    def sample(self, g, rng):
        """g + σ ε. Lecture: 06, section 2."""
        return g + self._std_for(g) * validation.generator(rng).normal(size=np.shape(g))

    def expectations(self, y, mean, variance):
        """In closed form. Lecture: 06, section 5."""
        y, mean, variance = np.broadcast_arrays(y, mean, variance)
        density, slope, curvature, _ = self.derivatives(y, mean)
        return density + 0.5 * variance * curvature, slope, curvature

    def expected_parameter_gradient(self, y, mean, variance):
        """In closed form. Lecture: 06, section 5."""
        at_mean, _, bend = self.parameter_derivatives(y, mean)
        return at_mean + 0.5 * variance * bend

    def tilted(self, y, mean, variance, start=None):
        """In closed form: two Gaussians multiply. Lecture: 06, section 4."""
        (z, jacobian), noise = self._target(y), self._std() ** 2
        total = variance + noise
        log_Z = -0.5 * (z - mean) ** 2 / total - 0.5 * np.log(total) - LOG_ROOT_2PI + jacobian
        return log_Z, (mean * noise + z * variance) / total, np.zeros_like(log_Z) + variance * noise / total

    def tilted_parameter_gradient(self, y, mean, variance, start=None):
        """In closed form. Lecture: 06, section 4."""
        return self.expected_parameter_gradient(y, *self.tilted(y, mean, variance)[1:])

    def predict(self, mean, variance):
        """(mean, variance + σ²). Lecture: 05, section 3."""
        mean, variance = np.broadcast_arrays(np.asarray(mean, dtype=float), variance)
        return mean.copy(), variance + self._std_for(mean) ** 2

    def predict_mean(self, mean, variance):
        """(mean, variance): the expected answer is g. Lecture: 05, section 3."""
        mean, variance = np.broadcast_arrays(np.asarray(mean, dtype=float), variance)
        return mean.copy(), variance.copy()

    def cumulative(self, y, g):
        """As Likelihood.cumulative. Lecture: 05, section 3."""
        return ndtr((self._target(y)[0] - g) / self._std_for(g))

    def sides(self, g):
        """As Likelihood.sides. Lecture: 10, section 4."""
        z = g / self._std_for(g)
        return ndtr(z), ndtr(-z)

    def probability_above(self, mean, variance):
        """In closed form: Φ(mean/√(variance + σ²)). Lecture: 10, section 4."""
        return ndtr(mean / np.sqrt(variance + self._std_for(mean) ** 2))

    def quantile(self, p, mean, variance):
        """In closed form. Lecture: 05, section 3."""
        return mean + ndtri(p) * np.sqrt(variance + self._std_for(mean) ** 2)


class _Choice(Likelihood):
    """Answers −1 and +1."""

    log_concave = True
    possible = np.array([-1.0, 1.0])

    def check(self, y):
        """As Likelihood.check; ValueError unless each answer is −1 or +1. Lecture: 06, section 2."""
        y = super().check(y)
        wrong = np.flatnonzero(np.abs(y) != 1)
        if len(wrong):
            hint = " Labels 0 and 1 become choices by 2 * y - 1." if np.isin(y, (0, 1)).all() else ""
            raise ValueError(f"y[{wrong[0]}] is {y[wrong[0]]}; a choice must be -1 or +1.{hint}")
        return y

    def sides(self, g):
        """(p(+1 | g), p(−1 | g)). Lecture: 06, section 2."""
        raise self._not_written("sides(g)")

    def cumulative(self, y, g):
        """P(answer ≤ y | g). Lecture: 06, section 2."""
        return np.where(np.less(y, -1), 0.0, np.where(np.less(y, 1), self.sides(g)[1], 1.0))

    def mean(self, g):
        """p(+1 | g) − p(−1 | g), between −1 and 1. Lecture: 06, section 2."""
        above, below = self.sides(g)
        return above - below

    def variance(self, g):
        """4 p(+1 | g) p(−1 | g). Lecture: 06, section 2."""
        above, below = self.sides(g)
        return 4 * above * below

    def sample(self, g, rng):
        """+1 with probability p(+1 | g), else −1. Lecture: 06, section 2."""
        return np.where(validation.generator(rng).random(np.shape(g)) < self.sides(g)[0], 1.0, -1.0)


class Probit(_Choice):
    """A choice: p(y | g) = Φ(y g) for y = −1 or +1. No parameters.

    With g ~ N(m, v) the probability of +1 is exp(log_predictive_density(1, m, v)) = Φ(m/√(1 + v)).

    Source: Rasmussen & Williams (2006), sections 3.3 and 3.9. Lecture: 06, section 2.
    """

    def derivatives(self, y, g):
        """As Likelihood.derivatives, exact far in the tail. Lecture: 06, section 3."""
        density, first, second, third = log_ndtr_derivatives(y * g)
        return density, y * first, second, y * third

    def sides(self, g):
        """(Φ(g), Φ(−g)). Lecture: 06, section 2."""
        return ndtr(g), ndtr(-g)

    def probability_above(self, mean, variance):
        """In closed form: Φ(mean/√(1 + variance)). Lecture: 06, section 2."""
        return ndtr(mean / np.sqrt(1 + np.asarray(variance)))

    def tilted(self, y, mean, variance, start=None):
        """In closed form: log Z = log Φ(y mean/√(1 + variance)). Lecture: 06, section 4."""
        spread = np.sqrt(1 + variance)
        log_Z, first, second, _ = self.derivatives(y, mean / spread)
        return log_Z, mean + variance * first / spread, variance + variance**2 * second / spread**2

    def predict(self, mean, variance):
        """In closed form, from Φ(mean/√(1 + variance)). Lecture: 06, section 2."""
        z = mean / np.sqrt(1 + np.asarray(variance))
        return self.mean(z), self.variance(z)


class Logit(_Choice):
    """A choice: p(y | g) = 1/(1 + exp(−y g)) for y = −1 or +1. No parameters.

    Source: Rasmussen & Williams (2006), section 3.3. Lecture: 06, section 2.
    """

    def derivatives(self, y, g):
        """As Likelihood.derivatives. Lecture: 06, section 3."""
        right, wrong = expit(y * g), expit(-y * g)
        density = -np.logaddexp(0.0, -y * g)
        return density, y * wrong, -right * wrong, y * right * wrong * (right - wrong)

    def sides(self, g):
        """(1/(1 + e^−g), 1/(1 + e^g)). Lecture: 06, section 2."""
        return expit(g), expit(-g)


class StudentT(Likelihood):
    """y = g + noise with heavy tails: an answer far away is called an outlier and moves nothing.

    p(y | g) ∝ (1 + (y − g)²/(d s²))^(−(d+1)/2). It is not log-concave: far from y the curvature turns.

    Parameters
    ----------
    scale : s > 0, in the unit of y; the variance of the noise is s² d/(d − 2)
    degrees : d > 0; the variance is infinite up to 2, and without mean (NaN) up to 1

    Raises
    ------
    ValueError
        If one is not a finite number above 0.

    Source: Vanhatalo, Jylänki & Vehtari (2009), "Gaussian process regression with Student-t likelihood".
    Lecture: 06, section 8.
    """

    parameter_names = ("scale", "degrees")

    def __init__(self, scale, degrees=4.0):
        self.scale = validation.positive(scale, "scale")
        self.degrees = validation.positive(degrees, "degrees")

    def derivatives(self, y, g):
        """As Likelihood.derivatives. Lecture: 06, section 8."""
        d, e = self.degrees, np.subtract(y, g)
        a = d * self.scale**2
        q = a + e**2
        constant = gammaln((d + 1) / 2) - gammaln(d / 2) - 0.5 * np.log(np.pi * a)
        return (
            constant - (d + 1) / 2 * np.log1p(e**2 / a),
            (d + 1) * e / q,
            (d + 1) * (e**2 - a) / q**2,
            (d + 1) * 2 * e * (e**2 - 3 * a) / q**3,
        )

    def _parameter_derivatives(self, name, y, g):
        d, e = self.degrees, np.subtract(y, g)
        a = d * self.scale**2
        q = a + e**2
        by_log_a = np.stack(
            [0.5 * ((d + 1) * e**2 / q - 1), -(d + 1) * a * e / q**2, -(d + 1) * a * (3 * e**2 - a) / q**3]
        )
        if name == "scale":
            return tuple(2 * by_log_a[:, None])
        constant = 0.5 * (digamma((d + 1) / 2) - digamma(d / 2))
        by_exponent = np.stack([constant - 0.5 * np.log1p(e**2 / a), e / q, (e**2 - a) / q**2])
        return tuple((by_log_a + d * by_exponent)[:, None])

    def mean(self, g):
        """g itself. Lecture: 06, section 8."""
        return np.where(self.degrees > 1, g, np.nan)

    def variance(self, g):
        """s² d/(d − 2). Lecture: 06, section 8."""
        d = self.degrees
        noise = self.scale**2 * d / (d - 2) if d > 2 else np.inf if d > 1 else np.nan
        return np.full(np.shape(g), noise)

    def sample(self, g, rng):
        """g + s × a draw of Student's t. Lecture: 06, section 8."""
        return g + self.scale * validation.generator(rng).standard_t(self.degrees, size=np.shape(g))

    def predict(self, mean, variance):
        """(mean, variance + s² d/(d − 2)). Lecture: 06, section 8."""
        mean, variance = np.broadcast_arrays(np.asarray(mean, dtype=float), variance)
        return self.mean(mean), variance + self.variance(mean)

    def predict_mean(self, mean, variance):
        """(mean, variance). Lecture: 06, section 8."""
        mean, variance = np.broadcast_arrays(np.asarray(mean, dtype=float), variance)
        return self.mean(mean), variance.copy()

    def cumulative(self, y, g):
        """The distribution function of Student's t at (y − g)/s. Lecture: 06, section 8."""
        return stdtr(self.degrees, np.subtract(y, g) / self.scale)

    def _quadrature_centre(self, y):
        return y, self.scale


class Ordinal(Likelihood):
    """A label on an ordered scale 0 … L−1: the interval between cut points into which g plus unit noise falls.

    p(y = l | g) = Φ(c_l − g) − Φ(c_{l−1} − g), with c_0 < … < c_{L−2}, and −∞ and ∞ at the ends.

    Parameters
    ----------
    levels : L ≥ 2
    first_cut : c_0, any sign; None puts the cuts symmetrically round 0
    gaps : (L − 2,) distances between neighbouring cuts, or one number for all, above 0; there are none if L = 2

    Raises
    ------
    ValueError
        If levels is no whole number above 1, or the gaps are not positive or not L − 2.

    Source: Chu & Ghahramani (2005), "Gaussian processes for ordinal regression". Lecture: 06, section 2.
    """

    parameter_names = ("first_cut", "gaps")
    signed_names = ("first_cut",)
    log_concave = True

    def __init__(self, levels, first_cut=None, gaps=1.0):
        self.levels = validation.whole(levels, "levels", least=2)
        gaps = validation.array(gaps, "gaps")
        gaps = np.broadcast_to(gaps, self.levels - 2) if gaps.ndim == 0 else gaps
        if gaps.shape != (self.levels - 2,):
            raise ValueError(f"gaps has shape {gaps.shape}; {self.levels} levels have {self.levels - 2} gaps.")
        self.gaps = positive_parameter(gaps, "gaps", vector=True) if gaps.size else np.zeros(0)
        first_cut = -0.5 * float(self.gaps.sum()) if first_cut is None else first_cut
        self.first_cut = validation.finite(first_cut, "first_cut")
        if self.levels == 2:
            self.parameter_names = ("first_cut",)

    @property
    def possible(self):
        """The labels 0 … L − 1. Lecture: 06, section 2."""
        return np.arange(float(self.levels))

    @property
    def middle(self):
        """Half way between the first and the last label. Lecture: 06, section 2."""
        return 0.5 * (self.levels - 1)

    @property
    def cuts(self):
        """(L − 1,) cut points, ascending. Lecture: 06, section 2."""
        return self.first_cut + np.concatenate([[0.0], np.cumsum(self.gaps)])

    def check(self, y):
        """As Likelihood.check; ValueError unless each label is a whole number in 0 … L−1. Lecture: 06, section 2."""
        y = super().check(y)
        wrong = np.flatnonzero((y != np.round(y)) | (y < 0) | (y >= self.levels))
        if len(wrong):
            hint = " Were the labels counted from 1? Then subtract 1." if (y == self.levels).any() else ""
            raise ValueError(
                f"y[{wrong[0]}] is {y[wrong[0]]}; a label must be a whole number in 0 … {self.levels - 1} "
                f"(levels={self.levels}).{hint}"
            )
        return y

    def _ends(self, y):
        """Lower and upper end of each label's interval."""
        ends, label = np.concatenate([[-np.inf], self.cuts, [np.inf]]), np.asarray(y).astype(int)
        return ends[label], ends[label + 1]

    def derivatives(self, y, g):
        """As Likelihood.derivatives, exact far in the tail. Lecture: 06, section 3."""
        low, high = self._ends(y)
        return Interval(low - g, high - g).derivatives

    def _parameter_derivatives(self, name, y, g):
        low, high = self._ends(y)
        interval, label = Interval(low - g, high - g), np.asarray(y)
        lower, upper = interval.end_slopes
        if name == "first_cut":
            return tuple((lower + upper)[:, None])
        # Gap k moves cut k + 1 and those above; label l has cut l − 1 below it and cut l above.
        first_moved = np.arange(1, self.levels - 1).reshape(-1, *(1,) * (lower.ndim - 1))
        scale = self.gaps.reshape(first_moved.shape)
        below, above = label > first_moved, label >= first_moved
        return tuple(scale * (below * at_low + above * at_high) for at_low, at_high in zip(lower, upper, strict=True))

    def cumulative(self, y, g):
        """Φ(c_⌊y⌋ − g). Lecture: 06, section 2."""
        ends = np.concatenate([[-np.inf], self.cuts, [np.inf]])
        return ndtr(ends[np.clip(np.floor(y), -1, self.levels - 1).astype(int) + 1] - g)

    def _turn(self, y):
        below = np.clip(np.floor(y), 0, self.levels - 2).astype(int)
        return self.cuts[below], 1.0

    def _moments(self, z):
        """Mean and variance of the label, where it is above cut j with probability Φ(z[j])."""
        above, below = ndtr(z), ndtr(-z)
        # Being above cut k implies being above each cut j < k: their covariance is p(above k) p(below j).
        below_before = np.cumsum(below, axis=0) - below
        return above.sum(axis=0), (above * (below + 2 * below_before)).sum(axis=0)

    def _from_cuts(self, g):
        return g - self.cuts.reshape(-1, *(1,) * np.ndim(g))

    def mean(self, g):
        """Σ_j Φ(g − c_j), a mean label between 0 and L − 1. Lecture: 06, section 2."""
        return self._moments(self._from_cuts(g))[0]

    def variance(self, g):
        """Var[y | g]. Lecture: 06, section 2."""
        return self._moments(self._from_cuts(g))[1]

    def sample(self, g, rng):
        """The number of cuts below g + ε. Lecture: 06, section 2."""
        noise = validation.generator(rng).normal(size=np.shape(g))
        return (self._from_cuts(g + noise) > 0).sum(axis=0).astype(float)

    def tilted(self, y, mean, variance, start=None):
        """In closed form: the noise of the interval grows to √(1 + variance). Lecture: 06, section 4."""
        return tilted_by_interval(self, y, mean, variance, start)

    def predict(self, mean, variance):
        """In closed form, from Φ((mean − c_j)/√(1 + variance)). Lecture: 06, section 2."""
        mean, variance = np.broadcast_arrays(mean, variance)
        return self._moments(self._from_cuts(mean) / np.sqrt(1 + variance))

    def _quadrature_centre(self, y):
        low, high = self._ends(y)
        low = np.where(np.isinf(low), high, low)
        return 0.5 * (low + np.where(np.isinf(high), low, high)), 1.0


def tilted_by_interval(likelihood, y, mean, variance, start):
    """As Likelihood.tilted, where y is the interval (`_ends`) into which g plus unit noise falls.

    In closed form, as Gaussian and noise add up. Of a view much wider than its interval the closed form takes nearly
    all the variance away, and only rounding stays: then by quadrature.

    Lecture: 06, section 4.
    """
    spread = np.sqrt(1 + np.asarray(variance))
    low, high = likelihood._ends(y)
    log_Z, first, second, _ = Interval((low - mean) / spread, (high - mean) / spread).derivatives
    closed = log_Z, mean + variance * first / spread, variance + variance**2 * second / spread**2
    narrow = closed[2] < NARROW * variance
    if not narrow.any():
        return closed
    summed = Likelihood.tilted(likelihood, y, mean, variance, start)
    return tuple(np.where(narrow, other, one) for one, other in zip(closed, summed, strict=True))
