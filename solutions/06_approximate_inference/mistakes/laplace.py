"""Task 3, laplace_one(log_p, d1, d2, prior_mean, prior_variance)."""

import numpy as np
from scipy.optimize import brentq, minimize, minimize_scalar

from .moments import log_normal, on_grid


def climbed(log_p, d1, d2, m, v, rounds=200, enough=1e-12, start=None, prior=True):
    """The mode, by Newton steps that only ever go up; without the prior's slope if it is forgotten."""
    precision = 1 / v if prior else 0.0

    def height(g):
        return log_p(g) - 0.5 * precision * (g - m) ** 2

    g = m if start is None else start
    for _ in range(rounds):
        slope, curvature = d1(g) - precision * (g - m), d2(g) - precision
        step = -slope / curvature if curvature < 0 else slope * v
        while not height(g + step) >= height(g) and abs(step) > 1e-13:
            step /= 2
        g += step
        if abs(step) < enough * (1 + abs(g)):
            break
    return g


def finished(g, log_p, d2, m, v):
    """Variance and evidence at a point that is taken for the mode."""
    variance = 1 / (1 / v - d2(g))
    return g, variance, log_p(g) + log_normal(g, m, v) + 0.5 * np.log(2 * np.pi * variance)


def right_answer(log_p, d1, d2, m, v):
    return finished(climbed(log_p, d1, d2, m, v), log_p, d2, m, v)


def stopping(**settings):
    """The right answer with another start or another end of its steps."""
    return lambda log_p, d1, d2, m, v: finished(climbed(log_p, d1, d2, m, v, **settings), log_p, d2, m, v)


def newton(rounds, bent=lambda curvature: curvature):
    """Newton without damping; `bent` does something to the curvature."""

    def answer(log_p, d1, d2, m, v):
        g = m
        for _ in range(rounds):
            g = g - (d1(g) - (g - m) / v) / bent(d2(g) - 1 / v)
        return finished(g, log_p, d2, m, v)

    return answer


def gradient_steps(log_p, d1, d2, m, v):
    g = m
    for _ in range(1000):
        g = g + 0.1 * (d1(g) - (g - m) / v)
    return finished(g, log_p, d2, m, v)


def likelihood_alone(log_p, d1, d2, m, v):
    """Mode and variance without the prior."""
    g = climbed(log_p, d1, d2, m, v, prior=False, rounds=60)
    return g, -1 / d2(g), log_p(g) + log_normal(g, m, v) + 0.5 * np.log(-2 * np.pi / d2(g))


def with_std_for_variance(log_p, d1, d2, m, v):
    return right_answer(log_p, d1, d2, m, v**2)


def without_centre(log_p, d1, d2, m, v):
    """The prior's slope as −g/v."""
    g = climbed(log_p, d1, d2, 0.0, v, start=m)
    return finished(g, log_p, d2, m, v)


def exact_moments(log_p, d1, d2, m, v):
    log_Z, mean, variance = on_grid(log_p, m, v)
    return mean, variance, log_Z


def exact_evidence(log_p, d1, d2, m, v):
    return *right_answer(log_p, d1, d2, m, v)[:2], on_grid(log_p, m, v)[0]


def coarse_grid(points):
    """The highest of so many points, over ± 8 standard deviations of the prior."""

    def answer(log_p, d1, d2, m, v):
        grid = m + np.sqrt(v) * np.linspace(-8, 8, points)
        return finished(float(grid[np.argmax(log_p(grid) + log_normal(grid, m, v))]), log_p, d2, m, v)

    return answer


def general_search(log_p, d1, d2, m, v):
    """The mode as SciPy's BFGS finds it without being told how well it is wanted."""

    def depth(g):
        return -float(log_p(g[0]) + log_normal(g[0], m, v))

    with np.errstate(all="ignore"):
        near = coarse_grid(2001)(log_p, d1, d2, m, v)[0]
        return finished(float(minimize(depth, [near], method="BFGS").x[0]), log_p, d2, m, v)


def bent_at_the_prior_mean(log_p, d1, d2, m, v):
    """The right mode, with the curvature where the climb began."""
    mode, variance = climbed(log_p, d1, d2, m, v), 1 / (1 / v - d2(m))
    return mode, variance, log_p(mode) + log_normal(mode, m, v) + half_log(2 * np.pi * abs(variance))


def evidence(rule):
    """Right mode and variance, and the evidence by a rule of (log p at the mode, mode, variance, m, v)."""

    def answer(log_p, d1, d2, m, v):
        mode, variance, _ = right_answer(log_p, d1, d2, m, v)
        return mode, variance, rule(log_p(mode), mode, variance, m, v)

    return answer


def half_log(value):
    return 0.5 * np.log(value)


def root_within(stds):
    """The root of the slope by brentq, that many standard deviations of the prior from its mean at most."""

    def answer(log_p, d1, d2, m, v):
        ends = m - stds * np.sqrt(v), m + stds * np.sqrt(v)
        with np.errstate(all="ignore"):
            return finished(brentq(lambda g: d1(g) - (g - m) / v, *ends, xtol=1e-13), log_p, d2, m, v)

    return answer


def variance_rule(rule):
    """Right mode, and the variance by a rule of (curvature of log p, v), with which the evidence is right in form."""

    def answer(log_p, d1, d2, m, v):
        mode, _, _ = right_answer(log_p, d1, d2, m, v)
        variance = rule(d2(mode), v)
        return mode, variance, log_p(mode) + log_normal(mode, m, v) + half_log(2 * np.pi * abs(variance))

    return answer


def precision(*given):
    mode, variance, log_evidence = right_answer(*given)
    return mode, 1 / variance, log_evidence


def std(*given):
    mode, variance, log_evidence = right_answer(*given)
    return mode, np.sqrt(variance), log_evidence


def probability(*given):
    mode, variance, log_evidence = right_answer(*given)
    return mode, variance, np.exp(log_evidence)


def at_the_prior_mean(log_p, d1, d2, m, v):
    return finished(m, log_p, d2, m, v)


WAY = "Does every one of your steps go up?"
PRECISE = "How exactly do you know the mode?"

MISTAKES = {
    "a grid of 201": coarse_grid(201),
    "curvature at the prior mean": bent_at_the_prior_mean,
    "one step": stopping(rounds=1),
    "three steps": stopping(rounds=3),
    "ten steps": stopping(rounds=10),
    "stops early": stopping(enough=0.1),
    "the prior mean": at_the_prior_mean,
    "likelihood alone": likelihood_alone,
    "variance squared": with_std_for_variance,
    "prior centred at 0": without_centre,
    "exact moments": exact_moments,
    "exact evidence": exact_evidence,
    "variance of the likelihood": variance_rule(lambda d2, v: -1 / d2),
    "variances added": variance_rule(lambda d2, v: v - 1 / d2),
    "sign of the Hessian": variance_rule(lambda d2, v: 1 / (d2 + 1 / v)),
    "negative": variance_rule(lambda d2, v: 1 / (d2 - 1 / v)),
    "height alone": evidence(lambda p, mode, s, m, v: p + log_normal(mode, m, v)),
    "likelihood at the mode": evidence(lambda p, mode, s, m, v: p),
    "prior left out": evidence(lambda p, mode, s, m, v: p + half_log(2 * np.pi * s)),
    "prior without its constant": evidence(
        lambda p, mode, s, m, v: p - 0.5 * (mode - m) ** 2 / v + half_log(2 * np.pi * s)
    ),
    "2π once": evidence(lambda p, mode, s, m, v: p + log_normal(mode, m, v) + half_log(s)),
    "volume subtracted": evidence(lambda p, mode, s, m, v: p + log_normal(mode, m, v) - half_log(2 * np.pi * s)),
    "volume without half": evidence(lambda p, mode, s, m, v: p + log_normal(mode, m, v) + np.log(2 * np.pi * s)),
}

RULE_MISTAKES = {
    "Newton, 100 steps": (newton(100), WAY),
    "Newton, 20 steps": (newton(20), WAY),
    "absolute curvature, no damping": (newton(100, bent=lambda c: -abs(c)), WAY),
    "curvature kept below −1e-3, no damping": (newton(100, bent=lambda c: min(c, -1e-3)), WAY),
    "gradient steps": (gradient_steps, WAY),
    "a grid of 4001": (coarse_grid(4001), PRECISE),
    "BFGS": (general_search, PRECISE),
    "a root within 10 stds": (root_within(10), "Does the slope of h change its sign between your ends?"),
    "precision": (precision, "A variance, or its inverse?"),
    "std": (std, "A variance, or its root?"),
    "minus log evidence": (evidence(lambda p, mode, s, m, v: -finished_evidence(p, mode, s, m, v)), "Which sign"),
    "evidence, not its logarithm": (probability, "The evidence, or its logarithm?"),
    "mode alone": (lambda *given: right_answer(*given)[0], "3 values are needed"),
}


def finished_evidence(p, mode, s, m, v):
    return p + log_normal(mode, m, v) + half_log(2 * np.pi * s)


def golden(log_p, d1, d2, m, v):
    """No derivatives on the way up: the best of many golden-section searches, then the root of the slope there."""

    def depth(g):
        return -log_p(g) - log_normal(g, m, v)

    ends = m + np.sqrt(v) * np.linspace(-12, 12, 241)
    k = int(np.argmin([depth(g) for g in ends]))
    near = minimize_scalar(depth, bounds=(ends[k - 1], ends[k + 1]), method="bounded", options={"xatol": 1e-8}).x
    width = 1e-3 * np.sqrt(v) / (1 + np.sqrt(v) * np.sqrt(abs(d2(near))))
    mode = brentq(lambda g: d1(g) - (g - m) / v, near - width, near + width, xtol=1e-14)
    return finished(mode, log_p, d2, m, v)


def levenberg(log_p, d1, d2, m, v):
    """Newton with +λ: λ grows while a step fails and falls while it succeeds."""

    def height(g):
        return log_p(g) - 0.5 * (g - m) ** 2 / v

    g, extra = m, 1.0
    for _ in range(2000):
        slope, curvature = d1(g) - (g - m) / v, d2(g) - 1 / v
        damped = max(-curvature, 0.0) + extra
        if height(g + slope / damped) >= height(g):
            g, extra = g + slope / damped, extra / 3
        else:
            extra *= 5
        if abs(slope) < 1e-11 * max(1, abs(curvature)):
            break
    return finished(g, log_p, d2, m, v)


def bisected(log_p, d1, d2, m, v):
    """The last change of sign of the slope, of those that a grid sees, that has the highest posterior."""

    def slope(g):
        return d1(g) - (g - m) / v

    grid = m + np.sqrt(v) * np.linspace(-12, 12, 4001)
    signs = np.array([slope(g) for g in grid]) > 0
    roots = [brentq(slope, *grid[k : k + 2], xtol=1e-13) for k in np.flatnonzero(signs[:-1] & ~signs[1:])]
    return list(finished(max(roots, key=lambda g: log_p(g) + log_normal(g, m, v)), log_p, d2, m, v))


def from_the_best_of_a_grid(log_p, d1, d2, m, v):
    grid = m + np.sqrt(v) * np.linspace(-12, 12, 20_001)
    start = grid[np.argmax(log_p(grid) + log_normal(grid, m, v))]
    g = start
    for _ in range(20):
        g = g - (d1(g) - (g - m) / v) / (d2(g) - 1 / v)
    return finished(g, log_p, d2, m, v)


RIGHT = {
    "Newton, halved steps": right_answer,
    "golden section": golden,
    "Levenberg": levenberg,
    "bisection": bisected,
    "Newton from the best of a grid": from_the_best_of_a_grid,
}
