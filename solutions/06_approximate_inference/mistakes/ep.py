"""Task 4, ep_site(log_likelihood, cavity_mean, cavity_variance)."""

import numpy as np
from scipy.integrate import quad_vec, simpson
from scipy.stats import norm

from .moments import hermite_nodes, log_normal, on_grid


def site(log_Z, mean, variance, m, v):
    """The answer from the moments: tilted ÷ cavity."""
    return log_Z, mean, variance, 1 / variance - 1 / v, mean / variance - m / v


def right_answer(log_likelihood, m, v):
    return site(*on_grid(log_likelihood, m, v), m, v)


def changed(rule):
    """Other five values from (log Z, tilted mean, tilted variance, m, v)."""
    return lambda log_likelihood, m, v: rule(*on_grid(log_likelihood, m, v), m, v)


def hermite(n=20, scale=lambda v: v, weigh=lambda weights: weights):
    """Gauss–Hermite at the cavity, in log space."""

    def answer(log_likelihood, m, v):
        g, weights = hermite_nodes(m, scale(v), n)
        log_weight = log_likelihood(g) + np.log(weigh(weights))
        top = log_weight.max()
        weight = np.exp(log_weight - top)
        log_Z = top + np.log(weight.sum())
        weight = weight / weight.sum()
        mean = weight @ g
        return site(log_Z, mean, weight @ (g - mean) ** 2, m, v)

    return answer


def no_root_two(log_likelihood, m, v):
    return hermite(100, scale=lambda v: v / 2)(log_likelihood, m, v)


def no_root_pi(log_likelihood, m, v):
    return hermite(100, weigh=lambda weights: weights * np.sqrt(np.pi))(log_likelihood, m, v)


def variance_as_std(log_likelihood, m, v):
    """Nodes as if v were the standard deviation."""
    log_Z, mean, variance = on_grid(log_likelihood, m, v**2)
    return site(log_Z, mean, variance, m, v)


def scale_is_v(reach):
    """The variance where a density wants a standard deviation, on a grid that has the right one."""

    def answer(log_likelihood, m, v):
        g = m + np.sqrt(v) * np.linspace(-reach, reach, 100_001)
        log_weight = log_likelihood(g) + norm.logpdf(g, m, v)
        top = log_weight.max()
        weight = np.exp(log_weight - top)
        total = weight.sum()
        mean = weight @ g / total
        log_Z = top + np.log(total * (g[1] - g[0]))
        return site(log_Z, mean, weight @ (g - mean) ** 2 / total, m, v)

    return answer


def nodes_in_units_of_v(log_likelihood, m, v):
    """Gauss–Hermite with m + √2 v x."""
    return hermite(100, scale=lambda v: v**2)(log_likelihood, m, v)


def without_top(log_likelihood, m, v):
    """The largest weight has been taken out before exp and was never put back."""
    log_Z, mean, variance = on_grid(log_likelihood, m, v)
    g = m + np.sqrt(v) * np.linspace(-10, 10, 100_001)
    return site(log_Z - (log_likelihood(g) + log_normal(g, m, v)).max(), mean, variance, m, v)


def sum_of(points, reach):
    """log of a sum over so many points, without the step between them."""

    def answer(log_likelihood, m, v):
        log_Z, mean, variance = on_grid(log_likelihood, m, v, points, reach)
        return site(log_Z - np.log(2 * reach * np.sqrt(v) / (points - 1)), mean, variance, m, v)

    return answer


def without_logs(log_likelihood, m, v):
    g = m + np.sqrt(v) * np.linspace(-10, 10, 100_001)
    weight = np.exp(log_likelihood(g)) * np.exp(log_normal(g, m, v)) * (g[1] - g[0])
    Z = weight.sum()
    mean = weight @ g / Z
    return site(np.log(Z), mean, weight @ (g - mean) ** 2 / Z, m, v)


def coarse(log_likelihood, m, v):
    return site(*on_grid(log_likelihood, m, v, 201), m, v)


def one_std(log_likelihood, m, v):
    return site(*on_grid(log_likelihood, m, v, reach=2.0), m, v)


def not_divided(log_likelihood, m, v):
    """Moments that nobody has divided by Z."""
    log_Z, mean, variance = on_grid(log_likelihood, m, v)
    first, second = np.exp(log_Z) * mean, np.exp(log_Z) * (variance + mean**2)
    return site(log_Z, first, second - first**2, m, v)


def without_cavity(log_likelihood, m, v):
    """Moments of the likelihood alone, as far as the grid reaches."""

    def flat(g):
        return log_likelihood(g) - log_normal(g, m, v) - np.log(20 * np.sqrt(v))

    log_Z, mean, variance = on_grid(flat, m, v)
    return site(log_Z, mean, variance, m, v)


def without_constant(log_likelihood, m, v):
    log_Z, mean, variance = on_grid(log_likelihood, m, v)
    return site(log_Z + 0.5 * np.log(2 * np.pi * v), mean, variance, m, v)


def without_step(log_likelihood, m, v):
    log_Z, mean, variance = on_grid(log_likelihood, m, v)
    return site(log_Z - np.log(20 * np.sqrt(v) / 100_000), mean, variance, m, v)


def laplace_moments(log_likelihood, m, v):
    """The mode of the tilted distribution and the curvature there."""
    g = m + np.sqrt(v) * np.linspace(-10, 10, 100_001)
    tilted = log_likelihood(g) + log_normal(g, m, v)
    k = int(tilted.argmax())
    variance = -((g[1] - g[0]) ** 2) / (tilted[k + 1] - 2 * tilted[k] + tilted[k - 1])
    return site(tilted[k] + 0.5 * np.log(2 * np.pi * variance), g[k], variance, m, v)


def average_log(log_likelihood, m, v):
    """E[log p] for log E[p]."""
    g = m + np.sqrt(v) * np.linspace(-10, 10, 100_001)
    weight = np.exp(log_normal(g, m, v)) * (g[1] - g[0])
    _, mean, variance = on_grid(log_likelihood, m, v)
    return site(float(weight @ log_likelihood(g)), mean, variance, m, v)


PLACE = "Where is the mass of p(y | g) N(g)?"
SMALL = "How small is the product of 3000 probabilities?"
DIVIDE = "tilted ÷ cavity"
STEP = "If the likelihood is 1 everywhere, log Z must be 0."

MISTAKES = {
    "a short grid": one_std,
    "no √2": no_root_two,
    "no √π": no_root_pi,
    "variance as std": variance_as_std,
    "variance as std, in the site, too": lambda log_likelihood, m, v: right_answer(log_likelihood, m, v**2),
    "scale = v": scale_is_v(10),
    "scale = v, 8 stds": scale_is_v(8),
    "nodes in units of v": nodes_in_units_of_v,
    "not divided by Z": not_divided,
    "average of log p": average_log,
    "second moment": changed(lambda z, a, s, m, v: site(z, a, s + a**2, m, v)),
    "about the cavity": changed(lambda z, a, s, m, v: site(z, a, s + (a - m) ** 2, m, v)),
    "site is the tilted": changed(lambda z, a, s, m, v: (z, a, s, 1 / s, a / s)),
    "τ alone divided": changed(lambda z, a, s, m, v: (z, a, s, 1 / s - 1 / v, a / s)),
    "multiplied": changed(lambda z, a, s, m, v: (z, a, s, 1 / s + 1 / v, a / s + m / v)),
    "variances subtracted": changed(lambda z, a, s, m, v: (z, a, s, 1 / (s - v), (a - m) / (s - v))),
    "variances subtracted, the other way": changed(lambda z, a, s, m, v: (z, a, s, 1 / (v - s), a / s - m / v)),
    "difference of variances": changed(lambda z, a, s, m, v: (z, a, s, s - v, a / s - m / v)),
    "means subtracted": changed(lambda z, a, s, m, v: (z, a, s, 1 / s - 1 / v, a - m)),
    "τ (tilted mean)": changed(lambda z, a, s, m, v: (z, a, s, 1 / s - 1 / v, (1 / s - 1 / v) * a)),
}

RULE_MISTAKES = {
    "20 nodes at the cavity": (hermite(20), PLACE),
    "100 nodes at the cavity": (hermite(100), PLACE),
    "a coarse grid": (coarse, PLACE),
    "400 nodes at the cavity": (hermite(400), PLACE),
    "32 nodes at the cavity": (hermite(32), PLACE),
    "no logs": (without_logs, SMALL),
    "likelihood alone": (without_cavity, "Where does the cavity enter"),
    "cavity without its constant": (without_constant, STEP),
    "sum without steps": (without_step, STEP),
    "sum of 20,001 without steps": (sum_of(20_001, 8), STEP),
    "mean in the place of a sum": (
        changed(lambda z, a, s, m, v: site(z - np.log(20 * np.sqrt(v)), a, s, m, v)),
        STEP,
    ),
    "largest never put back": (without_top, "What did you subtract before exp"),
    "Laplace": (laplace_moments, "A mean, or a mode?"),
    "Z": (lambda *given: (np.exp(right_answer(*given)[0]), *right_answer(*given)[1:]), "Z, or log Z?"),
    "−log Z": (lambda *given: (-right_answer(*given)[0], *right_answer(*given)[1:]), "Z, or log Z?"),
    "std": (
        changed(lambda z, a, s, m, v: (z, a, np.sqrt(s), 1 / s - 1 / v, a / s - m / v)),
        "A variance, or its root?",
    ),
    "cavity ÷ tilted": (changed(lambda z, a, s, m, v: (z, a, s, 1 / v - 1 / s, m / v - a / s)), DIVIDE),
    "site's mean": (
        changed(lambda z, a, s, m, v: (z, a, s, 1 / s - 1 / v, (a / s - m / v) / (1 / s - 1 / v))),
        "A mean, or τ times a mean?",
    ),
    "site's variance": (
        changed(lambda z, a, s, m, v: (z, a, s, 1 / (1 / s - 1 / v), a / s - m / v)),
        "A precision, or a variance?",
    ),
    "clipped": (
        changed(lambda z, a, s, m, v: (z, a, s, max(1 / s - 1 / v, 0.0), a / s - m / v)),
        "Can an answer make you less sure?",
    ),
    "variance clipped": (
        changed(lambda z, a, s, m, v: site(z, a, min(s, v), m, v)),
        "Can an answer make you less sure?",
    ),
    "exchanged": (
        lambda *given: (*right_answer(*given)[:3], *right_answer(*given)[:2:-1]),
        "Which comes first, τ or ν?",
    ),
    "moments alone": (lambda *given: right_answer(*given)[:3], "5 values are needed"),
}


def zoomed(log_likelihood, m, v):
    """A grid that narrows to where the mass is."""
    low, high = m - 10 * np.sqrt(v), m + 10 * np.sqrt(v)
    for _ in range(8):
        g = np.linspace(low, high, 3001)
        log_weight = log_likelihood(g) + log_normal(g, m, v)
        seen = g[log_weight > log_weight.max() - 45]
        low, high = seen[0] - (g[1] - g[0]), seen[-1] + (g[1] - g[0])
    top = log_weight.max()
    weight = np.exp(log_weight - top)
    total = np.trapezoid(weight, g)
    mean = np.trapezoid(weight * g, g) / total
    return list(site(top + np.log(total), mean, np.trapezoid(weight * (g - mean) ** 2, g) / total, m, v))


def with_simpson(log_likelihood, m, v):
    g = m + np.sqrt(v) * np.linspace(-9, 9, 150_001)
    log_weight = log_likelihood(g) + log_normal(g, m, v)
    top = log_weight.max()
    weight = np.exp(log_weight - top)
    total, first = simpson(weight, x=g), simpson(weight * (g - m), x=g)
    mean = m + first / total
    return site(top + np.log(total), mean, simpson(weight * (g - mean) ** 2, x=g) / total, m, v)


def adaptive(log_likelihood, m, v):
    """Adaptive quadrature of three integrands at once, told where the peak is."""
    grid = m + np.sqrt(v) * np.linspace(-10, 10, 100_001)
    heights = log_likelihood(grid) + log_normal(grid, m, v)
    peak, top = grid[heights.argmax()], heights.max()
    reach = grid[heights > top - 45]

    def integrand(g):
        weight = np.exp(log_likelihood(np.array([g]))[0] + log_normal(g, m, v) - top)
        return weight * np.array([1.0, g - peak, (g - peak) ** 2])

    step = grid[1] - grid[0]
    (total, first, second), _ = quad_vec(integrand, reach[0] - step, reach[-1] + step, points=[peak], epsrel=1e-11)
    mean, variance = first / total, second / total - (first / total) ** 2
    return site(top + np.log(total), peak + mean, variance, m, v)


def stretched(log_likelihood, m, v):
    """The trapezoidal rule after g = peak + width sinh t."""
    g = m + np.sqrt(v) * np.linspace(-10, 10, 100_001)
    heights = log_likelihood(g) + log_normal(g, m, v)
    peak, width = g[heights.argmax()], np.sqrt(v) * 1e-3
    t = np.linspace(np.arcsinh((g[0] - peak) / width), np.arcsinh((g[-1] - peak) / width), 20_001)
    nodes = peak + width * np.sinh(t)
    log_weight = log_likelihood(nodes) + log_normal(nodes, m, v) + np.log(width * np.cosh(t) * (t[1] - t[0]))
    top = log_weight.max()
    weight = np.exp(log_weight - top)
    mean = weight @ nodes / weight.sum()
    return site(top + np.log(weight.sum()), mean, weight @ (nodes - mean) ** 2 / weight.sum(), m, v)


RIGHT = {
    "a fine grid": right_answer,
    "zoom, trapezoids, list": zoomed,
    "Simpson": with_simpson,
    "adaptive": adaptive,
    "sinh": stretched,
}
