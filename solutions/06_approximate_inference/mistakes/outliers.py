"""Task 2, student_t_site(y, g, scale, degrees)."""

import numpy as np
from scipy.special import gammaln
from scipy.stats import t as student


def slopes(y, g, scale, degrees):
    """First and second derivative in g of the log density."""
    r = np.asarray(y) - np.asarray(g)
    q = degrees * scale**2 + r**2
    return (degrees + 1) * r / q, (degrees + 1) * (r**2 - degrees * scale**2) / q**2


def right_answer(y, g, scale, degrees):
    first, second = slopes(y, g, scale, degrees)
    return -second, first - second * g


def changed(tau=lambda tau, first, y, g: tau, nu=lambda tau, first, y, g: first + tau * g):
    """The right derivatives with something done to τ, and then another rule for ν."""

    def answer(y, g, scale, degrees):
        first, second = slopes(y, g, scale, degrees)
        new = tau(-second, first, y, g)
        return new, nu(new, first, y, g)

    return answer


def formula(curvature, slope=None):
    """Another τ and ∂ log p, each from (r, d s², d, s)."""
    slope = slope or (lambda r, a, d, s: (d + 1) * r / (a + r**2))

    def answer(y, g, scale, degrees):
        given = y - g, degrees * scale**2, degrees, scale
        tau = curvature(*given)
        return tau, slope(*given) + tau * g

    return answer


def squared_scale(y, g, scale, degrees):
    return right_answer(y, g, np.sqrt(scale), degrees)


def scale_twice_squared(y, g, scale, degrees):
    return right_answer(y, g, scale**2, degrees)


def no_degrees_in_q(y, g, scale, degrees):
    """(1 + r²/s²) instead of (1 + r²/(d s²))."""
    first, second = slopes(y, g, scale / np.sqrt(degrees), degrees)
    return -second, first - second * g


def density_itself(y, g, scale, degrees):
    """Derivatives of p, not of log p."""
    first, second = slopes(y, g, scale, degrees)
    p = student.pdf(y, degrees, loc=g, scale=scale)
    tau = -p * (second + first**2)
    return tau, p * first + tau * g


def in_standard_units(y, g, scale, degrees):
    """Derivatives in z = (y − g)/s."""
    first, second = slopes(y / scale, g / scale, 1.0, degrees)
    return -second, first - second * g


def gaussian(y, g, scale, degrees):
    return np.full(len(y), scale**-2.0), y * scale**-2.0


def gaussian_with_the_same_variance(y, g, scale, degrees):
    tau = (degrees - 2) / (degrees * scale**2) * np.ones(len(y))
    return tau, tau * y


MISTAKES = {
    "sign of the Hessian": changed(tau=lambda tau, first, y, g: -tau),
    "sign of the Hessian, right ν": lambda *given: (-right_answer(*given)[0], right_answer(*given)[1]),
    "clipped": changed(tau=lambda tau, first, y, g: np.maximum(tau, 0)),
    "tiny instead of negative": changed(tau=lambda tau, first, y, g: np.maximum(tau, 1e-6)),
    "absolute": changed(tau=lambda tau, first, y, g: np.abs(tau)),
    "weights of EM": formula(lambda r, a, d, s: (d + 1) / (a + r**2)),
    "information": formula(lambda r, a, d, s: np.full(len(r), (d + 1) / ((d + 3) * s**2))),
    "slope squared": changed(tau=lambda tau, first, y, g: first**2),
    "clipped, ν is not": lambda *given: (np.maximum(right_answer(*given)[0], 0), right_answer(*given)[1]),
    "absolute, ν is not": lambda *given: (np.abs(right_answer(*given)[0]), right_answer(*given)[1]),
    "slope + τ y": changed(nu=lambda tau, first, y, g: first + tau * y),
    "ν is the slope": changed(nu=lambda tau, first, y, g: first),
    "ν is τ y": changed(nu=lambda tau, first, y, g: tau * y),
    "ν is τ g": changed(nu=lambda tau, first, y, g: tau * g),
    "τ g subtracted": changed(nu=lambda tau, first, y, g: first - tau * g),
    "residual turned round": changed(nu=lambda tau, first, y, g: tau * g - first),
    "a mean instead of ν": changed(nu=lambda tau, first, y, g: g + first / tau),
    "variances": changed(tau=lambda tau, first, y, g: 1 / tau),
    "s for s²": squared_scale,
    "s⁴": scale_twice_squared,
    "d forgotten beside r²": no_degrees_in_q,
    "d for d + 1": formula(lambda r, a, d, s: d * (a - r**2) / (a + r**2) ** 2, lambda r, a, d, s: d * r / (a + r**2)),
    "half": formula(
        lambda r, a, d, s: (d + 1) / 2 * (a - r**2) / (a + r**2) ** 2,
        lambda r, a, d, s: (d + 1) / 2 * r / (a + r**2),
    ),
    "denominator not squared": formula(lambda r, a, d, s: (d + 1) * (a - r**2) / (a + r**2)),
    "numerator of the product rule lost": formula(lambda r, a, d, s: (d + 1) * (a + r) / (a + r**2) ** 2),
    "derivatives of p": density_itself,
    "in units of s": in_standard_units,
    "a Gaussian": gaussian,
    "a Gaussian of the same variance": gaussian_with_the_same_variance,
}

RULE_MISTAKES = {
    "exchanged": (lambda *given: right_answer(*given)[::-1], "Which comes first, τ or ν?"),
    "stacked in columns": (lambda *given: np.array(right_answer(*given)).T, "2 values are needed"),
}


def one_by_one(y, g, scale, degrees):
    taus, nus = [], []
    for answer, latent in zip(y, g, strict=True):
        z = (answer - latent) / scale
        weight = (degrees + 1) / (degrees + z * z)
        tau = weight * (1 - 2 * z * z / (degrees + z * z)) / scale**2
        taus.append(tau)
        nus.append(weight * z / scale + tau * latent)
    return taus, nus


def by_complex_steps(y, g, scale, degrees):
    """First derivative by a complex step; the second from the first in the same way."""

    def slope(latent):
        z2 = ((y - latent) / scale) ** 2 / degrees
        return (degrees + 1) * (y - latent) / (degrees * scale**2) / (1 + z2)

    tau = -np.imag(slope(g + 1e-30j)) / 1e-30
    return tau, slope(g) + tau * g


def logged(y, g, scale, degrees):
    """log p twice: a complex step for the slope, and central differences of that slope, extrapolated."""

    def slope(latent):
        constant = gammaln((degrees + 1) / 2) - gammaln(degrees / 2) - 0.5 * np.log(np.pi * degrees * scale**2)
        bent = constant - (degrees + 1) / 2 * np.log(1 + ((y - (latent + 1e-30j)) / scale) ** 2 / degrees)
        return np.imag(bent) / 1e-30

    h = 1e-3 * scale
    two, four, eight = ((slope(g - k * h) - slope(g + k * h)) / (2 * k * h) for k in (1, 2, 4))
    tau = (64 * two - 20 * four + eight) / 45
    return tau, slope(g) + tau * g


def target_form(y, g, scale, degrees):
    """g plus a Newton step, times τ."""
    first, second = slopes(y, g, scale, degrees)
    return -second, -second * g + first


RIGHT = {
    "product rule": right_answer,
    "loops, lists": one_by_one,
    "complex steps": by_complex_steps,
    "differences": logged,
    "Newton's target": target_form,
    "stacked": lambda *given: np.array(right_answer(*given)),
}
