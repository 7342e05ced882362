"""What one believes of a hyper-parameter before seeing data: each prior gives its log density and its slope.

The constructors look at what they are given; `log_density`, which a search calls again and again, takes numbers as
they are.

Lecture: 05, section 5; 09, section 7.
"""

import numpy as np
from scipy.special import gammaln

from course_lib import validation


def a_prior(value, name):
    """The prior of a parameter as it came, or None."""
    needed = "None or a prior such as Gamma(3, 6) or Fixed()"
    return None if value is None else validation.has_methods(value, ("log_density",), name, needed)


class ParameterPrior:
    """A prior that says what it is made of."""

    def log_density(self, value):
        """log p(x) and its derivative, each (…,), for values x (…,) that the parameter may have; zeros where flat."""
        return np.zeros_like(value), np.zeros_like(value)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value:g}' for name, value in vars(self).items())})"


class Fixed(ParameterPrior):
    """The parameter stays at its value and is not learned."""


class Flat(ParameterPrior):
    """Every value above 0 is believed alike: an improper prior, to learn a parameter that a model else holds."""


class CentredStudentT(ParameterPrior):
    """Student's t round 0, for parameters of any sign: p(x) ∝ (1 + x²/(d s²))^(−(d+1)/2).

    scale : s > 0, in the unit of the parameter;  degrees : d > 0
    """

    folded = 0.0  # logarithm of how often the density is folded

    def __init__(self, scale: float, degrees: float = 4.0):
        self.scale = validation.positive(scale, "scale")
        self.degrees = validation.positive(degrees, "degrees")

    def log_density(self, value):
        d, z = self.degrees, np.asarray(value) / self.scale
        constant = self.folded + gammaln((d + 1) / 2) - gammaln(d / 2) - 0.5 * np.log(d * np.pi) - np.log(self.scale)
        slope = -(d + 1) * z / (d + z**2) / self.scale
        return constant - (d + 1) / 2 * np.log1p(z**2 / d), slope


class HalfStudentT(CentredStudentT):
    """Student's t folded at 0: p(x) ∝ (1 + x²/(d s²))^(−(d+1)/2) for x ≥ 0. Large values stay possible.

    scale : s > 0, in the unit of the parameter;  degrees : d > 0

    Source: Nielsen & Nielsen (2013), section 2.1.3.
    """

    folded = np.log(2.0)


class Gamma(ParameterPrior):
    """p(x) ∝ x^(c−1) exp(−r x) for x > 0; its mode is (c − 1)/r if c ≥ 1.

    concentration : c > 0;  rate : r > 0, in the inverse unit of the parameter

    Source: Wu et al. (2025), appendices A and C: Gamma(3, 6) has mode 1/3.
    """

    def __init__(self, concentration: float, rate: float):
        self.concentration = validation.positive(concentration, "concentration")
        self.rate = validation.positive(rate, "rate")

    def log_density(self, value):
        c, r, x = self.concentration, self.rate, np.asarray(value)
        return c * np.log(r) - gammaln(c) + (c - 1) * np.log(x) - r * x, (c - 1) / x - r


class LogNormal(ParameterPrior):
    """log x ~ N(log median, spread²), as the density of x.

    median : > 0, in the unit of the parameter
    spread : standard deviation of log x, > 0; 0.7 means: within a factor of two for two thirds of the mass

    Source: Wu et al. (2025), section 4.4.
    """

    def __init__(self, median: float, spread: float):
        self.median = validation.positive(median, "median")
        self.spread = validation.positive(spread, "spread")

    def log_density(self, value):
        x = np.asarray(value)
        z = (np.log(x) - np.log(self.median)) / self.spread
        density = -0.5 * z**2 - np.log(x) - np.log(self.spread) - 0.5 * np.log(2 * np.pi)
        return density, -(z / self.spread + 1) / x


class Normal(ParameterPrior):
    """p(x) = N(x | mean, std²), std > 0, for parameters of any sign, in whose unit both are."""

    def __init__(self, mean: float, std: float):
        self.mean, self.std = validation.finite(mean, "mean"), validation.positive(std, "std")

    def log_density(self, value):
        z = (np.asarray(value, dtype=float) - self.mean) / self.std
        return -0.5 * z**2 - np.log(self.std) - 0.5 * np.log(2 * np.pi), -z / self.std


class SmoothBox(ParameterPrior):
    """Flat between low and high, with Gaussian edges outside: a soft constraint.

    low, high : the interval, low < high, in the unit of the parameter
    softness : standard deviation of the edges, > 0

    Source: Wu et al. (2025), appendices A and C, with the normaliser that the text leaves out.
    """

    def __init__(self, low: float, high: float, softness: float = 0.01):
        self.low, self.high = validation.interval(low, high)
        self.softness = validation.positive(softness, "softness")

    def log_density(self, value):
        x, s = np.asarray(value, dtype=float), self.softness
        outside = x - np.clip(x, self.low, self.high)
        peak = np.sqrt(2 * np.pi) * s
        constant = -np.log(peak) - np.log1p((self.high - self.low) / peak)
        return constant - 0.5 * (outside / s) ** 2, -outside / s**2
