"""What an answer y says about one scalar view g of the latent function: p(y | g), its slopes, and its averages.

A likelihood never knows whether g is a value f(x) or a difference f(b) − f(a).

Lecture: 06, sections 2–5 and 7; 07, section 5; 10, section 4.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.gp.parameters import Parametrized
from course_lib.gp.quadrature import LOG_ROOT_2PI, REACH_STDS, above_zero, gaussian_nodes, tilted_nodes, tilted_peak

MAX_HALVINGS = 60  # of an interval: what is left of it is rounding
CHANCE_ROUNDING = 1e-12  # of sums of probabilities
MAX_DOUBLINGS = 100  # doublings of a bracket
ANSWER_REACHES = 1.0, 2.0, 4.0  # of integrals of answers, until what is left at their ends is negligible
NEGLIGIBLE_END = 1e-8


class Likelihood(Parametrized):
    """p(y | g) for answers y and a scalar g of any sign. Subclasses give densities and slopes; here are the integrals.

    All methods are vectorised: y, g, mean and variance are arrays that broadcast, and so is what they return. P is
    the number of free parameters; those that are `Fixed` have no entry in a gradient. `check` and the constructors
    look at what they are given; the other methods, which inference calls again and again, take float64 arrays as they
    are.

    An average over g is a sum over nodes, dense where the likelihood bends: see `course_lib.gp.quadrature`.

    Source: Rasmussen & Williams (2006), chapter 3.
    """

    log_concave = False
    is_gaussian = False  # in g: then `site(y)` gives it as one
    step = 0.1  # of the quadrature; the tests' integrals then have nine digits or more
    peak_rounds = 50
    middle = 0.0  # the answer that speaks for neither side
    possible = None  # (L,) answers, ascending, where there are only so many
    support = (-np.inf, np.inf)  # strictly between which answers lie, where there are infinitely many
    integer = False  # whether these are whole numbers, which begin at the lower end of the support: counts
    hint = ""  # what to do with an answer outside the support
    kinks = np.zeros(0)  # (K,) places of g, the same for all y, where the slope of log p jumps: integrals are split

    def check(self, y: ArrayLike) -> NDArray:
        """(m,) answers as float64, if the likelihood can have given them."""
        y = np.atleast_1d(validation.real_array(y, "y"))
        if y.ndim != 1:
            raise ValueError(f"y has shape {y.shape}; one answer for each response is needed: (m,).")
        wrong = np.flatnonzero(self._cannot_occur(y))
        if len(wrong):
            raise ValueError(f"y[{wrong[0]}] is {y[wrong[0]]}; {self._needed(y)}")
        return y

    def _cannot_occur(self, y):
        """(m,) whether an answer is none of the possible ones, or outside the support."""
        if self.possible is not None:
            return ~np.isin(y, self.possible)
        low, high = self.support
        return (y != np.round(y)) | (y < low) if self.integer else (y <= low) | (y >= high)

    def _needed(self, y):
        """What an answer must be, where one of y is not."""
        low, high = self.support
        if self.possible is not None:
            return f"it must be one of {', '.join(f'{one:g}' for one in self.possible)}. {self.hint}".rstrip()
        if self.integer:
            return f"it must be a whole number from {low:g} on. {self.hint}".rstrip()
        return f"it must lie strictly between {low:g} and {high:g}. {self.hint}".rstrip()

    def link(self, y):
        """The g that answer y speaks for: where p(y | g) is about greatest, or bends."""
        return self._quadrature_centre(y)[0]

    def evidence_curvature(self, views, covariance):
        """(P, P) curvature of evidence and priors in θ, by a formula; None: by differences of the gradient.

        views : ObservationMatrix of the answers;  covariance : () → (n, n) posterior covariance of the items
        """
        return None

    def log_density(self, y, g):
        """log p(y | g)."""
        return self.derivatives(y, g)[0]

    def derivatives(self, y, g):
        """(log p, ∂ log p, ∂² log p, ∂³ log p) with respect to g."""
        raise self._not_written("derivatives(y, g)")

    def _not_written(self, method):
        return NotImplementedError(
            f"{type(self).__name__} has no {method}; a likelihood must have it: see Likelihood."
        )

    def parameter_derivatives(self, y, g):
        """What a change of the parameters θ does to the log density and to its first two slopes in g.

        Returns (∂ log p/∂θ, ∂(∂ log p/∂g)/∂θ, ∂(∂² log p/∂g²)/∂θ), each (P, …).
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
        """E[y | g]."""
        raise self._not_written("mean(g)")

    def variance(self, g):
        """Var[y | g]."""
        raise self._not_written("variance(g)")

    def sample(self, g, rng):
        """One answer y for each g; rng is a Generator or a seed."""
        raise self._not_written("sample(g, rng)")

    def expectations(self, y, mean, variance):
        """Averages under q(g) = N(mean, variance): what a variational site is made of.

        Returns (E_q[log p], E_q[∂ log p], E_q[∂² log p]), the last with what the slope gains where it jumps.

        Source: Nielsen (2015), section 2.1.3; Opper & Archambeau (2009).
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
        """(P, …) E_q[∂ log p/∂θ] under q(g) = N(mean, variance)."""
        y, mean, variance = np.broadcast_arrays(y, mean, variance)
        g, weight = self._gaussian_nodes(self._quadrature_centre(y), mean, variance)
        return (weight * self.parameter_derivatives(y, g)[0]).sum(axis=1)

    def total_parameter_gradient(self, y, mean, variance):
        """(P,) the sum of `expected_parameter_gradient` over all answers (m,)."""
        return self.expected_parameter_gradient(y, mean, variance).sum(axis=1)

    def tilted(self, y, mean, variance, start=None):
        """Normaliser, mean and variance of the tilted distribution p(y | g) N(g | mean, variance) / Z.

        y, mean, variance : answers, and the cavity's moments
        start : (mean, variance) near the tilted distribution's, or None: where to begin the search for its peak
        Returns (log Z, mean, variance).

        Source: Rasmussen & Williams (2006), section 3.6; Jensen et al. (2013), eqs. 4–6.
        """
        log_Z, g, weight = self._tilted_nodes(y, mean, variance, start)
        first = (weight * g).sum(axis=0)
        return log_Z, first, (weight * (g - first) ** 2).sum(axis=0)

    def tilted_parameter_gradient(self, y, mean, variance, start=None):
        """(P, …) ∂ log Z/∂θ: the average of ∂ log p/∂θ over the tilted distribution."""
        _, g, weight = self._tilted_nodes(y, mean, variance, start)
        return (weight * self.parameter_derivatives(y, g)[0]).sum(axis=1)

    def log_predictive_density(self, y, mean, variance):
        """log ∫ p(y | g) N(g | mean, variance) dg."""
        return self.tilted(y, mean, variance)[0]

    def predict(self, mean, variance):
        """(E[y], Var[y]) of a new answer whose g is N(mean, variance)."""
        g, weight, average, between = self._expected(mean, variance)
        return average, between + (weight * self.variance(g)).sum(axis=0)

    def predict_mean(self, mean, variance):
        """(E, Var) of the expected answer E[y | g]: of what infinitely many answers would give on average."""
        return self._expected(mean, variance)[2:]

    def _expected(self, mean, variance):
        """Nodes, weights, and E and Var of E[y | g] for g ~ N(mean, variance), from as far out as it grows large."""
        for wider in ANSWER_REACHES:
            g, weight = self._gaussian_nodes((0.0, 1.0), mean, variance, wider)
            with np.errstate(over="ignore", invalid="ignore"):
                centre = self.mean(g)
                average = (weight * centre).sum(axis=0)
                size = weight * centre**2
                spread = (weight * (centre - average) ** 2).sum(axis=0)
                if np.isfinite(spread).all() and np.all(size[0] + size[-1] <= NEGLIGIBLE_END * size.sum(axis=0)):
                    return g, weight, average, spread
        validation.warn(
            f"{type(self).__name__}: E[y | g] grows so fast that the moments of an answer are not found, where g is "
            "known as little as here; its quantiles are.",
            UserWarning,
        )
        return g, weight, average, spread

    def cumulative(self, y, g):
        """P(answer ≤ y | g)."""
        raise self._not_written("cumulative(y, g)")

    def probability_up_to(self, y, mean, variance):
        """P(answer ≤ y), (q,), for g ~ N(mean, variance); y (q,)."""
        g, weight = self._gaussian_nodes(self._turn(y), *np.broadcast_arrays(mean, variance))
        return (weight * self.cumulative(y, g)).sum(axis=0)

    def sides(self, g):
        """(P(answer > middle | g), P(answer < middle | g)); what is missing to 1 are ties."""
        return 1.0 - self.cumulative(self.middle, g), self.cumulative(np.nextafter(self.middle, -np.inf), g)

    def probability_above(self, mean, variance):
        """Probability that a new answer is above its middle, among those not on it, for g ~ N(mean, variance).

        Source: Nielsen (2015), eqs. 2.52 and 2.68.
        """
        g, weight = self._gaussian_nodes(self._turn(self.middle), mean, variance)
        above, below = ((weight * side).sum(axis=0) for side in self.sides(g))
        return above / (above + below)

    def quantile(self, p, mean, variance):
        """The answer that a new one exceeds with probability 1 − p at most, for g ~ N(mean, variance)."""
        mean, variance = np.broadcast_arrays(np.asarray(mean, dtype=float), variance)

        def reached(y):
            return self.probability_up_to(y, mean, variance) >= p - rounding

        rounding = CHANCE_ROUNDING if self.integer or self.possible is not None else 0.0  # of sums that must reach p
        if (labels := self.possible) is not None:
            low, high = np.full(mean.shape, -1), np.full(mean.shape, len(labels) - 1)
            for _ in range(len(labels).bit_length()):
                middle = (low + high + 1) // 2
                enough = reached(labels[middle])
                low, high = np.where(enough, low, middle), np.where(enough, middle, high)
            return labels[high]
        low, high = self._bracket(reached, mean, np.sqrt(variance))
        for _ in range(MAX_HALVINGS):
            y = 0.5 * (low + high)
            enough = reached(y)
            low, high = np.where(enough, low, y), np.where(enough, y, high)
        return np.round(high) if self.integer else 0.5 * (low + high)

    def _bracket(self, reached, mean, std):
        """(low, high) of which the answers up to low are not enough, and those up to high are."""
        ends, reach = self.support, 1.0 + std
        low, high = (np.full(mean.shape, end - self.integer) if np.isfinite(end) else None for end in ends)
        if low is not None and high is not None:
            return low, high
        for _ in range(MAX_DOUBLINGS):  # a tail of rounding has no other end
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
        return self.link(y), self._quadrature_centre(y)[1]

    def _gaussian_nodes(self, feature, mean, variance, wider=1.0):
        """Nodes (Q, …), and weights that sum to one, for averages over N(mean, variance); `wider` reaches further."""
        return gaussian_nodes(self.step / wider, feature, mean, variance, wider * REACH_STDS, self.kinks)

    def _tilted_nodes(self, y, mean, variance, start):
        """log Z, nodes (Q, …), and weights that sum to one, for averages over the tilted distribution."""
        y, mean, variance = np.broadcast_arrays(y, mean, above_zero(variance, mean))
        bend = self._quadrature_centre(y) if len(self.kinks) else self._density_peak(y)
        features = self._tilted_peak(y, mean, variance, start), bend
        return tilted_nodes(self.step, lambda g: self.log_density(y, g), features, mean, variance, self.kinks)

    def _tilted_peak(self, y, mean, variance, start):
        """(mode, width) of the tilted distribution's peak."""
        begin = [mean, self._density_peak(y)[0]] + ([] if start is None else [start[0]])
        begin = np.stack([np.broadcast_to(g, mean.shape) for g in begin])
        log_density, derivatives = (lambda g: self.log_density(y, g)), (lambda g: self.derivatives(y, g))
        return tilted_peak(log_density, derivatives, begin, mean, variance, self.peak_rounds)


class WrappedLikelihood(Likelihood):
    """A likelihood that is made of another one: its only child, `inner`."""

    @property
    def inner(self):
        """The likelihood of which this one is made."""
        return self.children[0]

    @property
    def log_concave(self):
        """Whether inner is."""
        return self.inner.log_concave

    @property
    def kinks(self):
        """Those of inner."""
        return self.inner.kinks
