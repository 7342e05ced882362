"""Task 5, variational_step(y, mean, variance, tau, nu, step)."""

import numpy as np
from scipy.special import expit, log_ndtr

from .moments import hermite_nodes


def logit(y, g):
    """Slope and curvature of −log(1 + exp(−y g)); y as a column beside the nodes."""
    return y * expit(-y * g), -expit(g) * expit(-g)


def averages(y, mean, variance, derivatives=logit, nodes=hermite_nodes):
    """E[∂ log p] and E[∂² log p] under N(mean, variance)."""
    g, weights = nodes(mean, variance)
    slope, curvature = derivatives(np.asarray(y)[:, None], g)
    return slope @ weights, curvature @ weights


def mixed(new_tau, new_nu, tau, nu, step):
    return (1 - step) * tau + step * new_tau, (1 - step) * nu + step * new_nu


def right_answer(y, mean, variance, tau, nu, step):
    slope, curvature = averages(y, mean, variance)
    return mixed(-curvature, slope - curvature * mean, tau, nu, step)


def with_averages(**changes):
    """The right mixture of other averages."""

    def answer(y, mean, variance, tau, nu, step):
        slope, curvature = averages(y, mean, variance, **changes)
        return mixed(-curvature, slope - curvature * mean, tau, nu, step)

    return answer


def targets(rule):
    """Other targets (τ, ν) from (E[∂], E[∂²], y, mean, variance), rightly mixed."""

    def answer(y, mean, variance, tau, nu, step):
        new = rule(*averages(y, mean, variance), y, mean, variance)
        return mixed(*new, tau, nu, step)

    return answer


def mixing(rule):
    """The right targets, mixed by a rule of (new, old, step) for both."""

    def answer(y, mean, variance, tau, nu, step):
        slope, curvature = averages(y, mean, variance)
        return rule(-curvature, tau, step), rule(slope - curvature * mean, nu, step)

    return answer


def labels_as_0_1(y, g):
    y = (y + 1) / 2
    return y * expit(-y * g), -(y**2) * expit(y * g) * expit(-y * g)


def label_ignored(y, g):
    return expit(-g), -expit(g) * expit(-g)


def turned(y, g):
    return -y * expit(-y * g), -expit(g) * expit(-g)


def sigmoid_of_the_answer(y, g):
    return y * expit(y * g), -expit(g) * expit(-g)


def label_in_the_curvature(y, g):
    return y * expit(-y * g), -y * expit(g) * expit(-g)


def probit(y, g):
    r = np.exp(-0.5 * g**2 - log_ndtr(y * g)) / np.sqrt(2 * np.pi)
    return y * r, -r * (r + y * g)


def naive(y, g):
    """e^g before anything else."""
    with np.errstate(all="ignore"):
        e = np.exp(g)
        return y / (1 + np.exp(y * g)), -e / (1 + e) ** 2


def naive_slope(y, g):
    with np.errstate(all="ignore"):
        e = np.exp(-y * g)
        return y * e / (1 + e), -expit(g) * expit(-g)


def of_p(y, g):
    """Derivatives of p itself."""
    p = expit(y * g)
    return y * p * (1 - p), p * (1 - p) * (1 - 2 * p)


def squared_slopes(y, g):
    return y * expit(-y * g), -(expit(-y * g) ** 2)


def no_root_two(mean, variance):
    return hermite_nodes(mean, variance / 2)


def std_for_variance(mean, variance):
    return hermite_nodes(mean, np.sqrt(variance))


def variance_squared(mean, variance):
    return hermite_nodes(mean, variance**2)


def no_root_pi(mean, variance):
    g, weights = hermite_nodes(mean, variance)
    return g, weights * np.sqrt(np.pi)


def three_nodes(mean, variance):
    return hermite_nodes(mean, variance, 3)


def at_the_mean(mean, variance):
    return mean[:, None], np.ones(1)


def undamped_nu(y, mean, variance, tau, nu, step):
    slope, curvature = averages(y, mean, variance)
    return (1 - step) * tau - step * curvature, slope - curvature * mean


def undamped_tau(y, mean, variance, tau, nu, step):
    slope, curvature = averages(y, mean, variance)
    return -curvature, (1 - step) * nu + step * (slope - curvature * mean)


def with_mixed_tau(y, mean, variance, tau, nu, step):
    slope, curvature = averages(y, mean, variance)
    new = (1 - step) * tau - step * curvature
    return new, (1 - step) * nu + step * (slope + new * mean)


def with_old_tau(y, mean, variance, tau, nu, step):
    slope, curvature = averages(y, mean, variance)
    return (1 - step) * tau - step * curvature, (1 - step) * nu + step * (slope + tau * mean)


def simulated(y, mean, variance, tau, nu, step):
    rng = np.random.default_rng(6)

    def draws(mean, variance):
        g = mean[:, None] + np.sqrt(variance)[:, None] * rng.normal(size=(len(mean), 50_000))
        return g, np.full(50_000, 1 / 50_000)

    return with_averages(nodes=draws)(y, mean, variance, tau, nu, step)


MISTAKES = {
    "labels 0 and 1": with_averages(derivatives=labels_as_0_1),
    "label ignored": with_averages(derivatives=label_ignored),
    "turned round": with_averages(derivatives=turned),
    "σ(y g) for σ(−y g)": with_averages(derivatives=sigmoid_of_the_answer),
    "label in the curvature": with_averages(derivatives=label_in_the_curvature),
    "probit": with_averages(derivatives=probit),
    "derivatives of p": with_averages(derivatives=of_p),
    "squared slopes": with_averages(derivatives=squared_slopes),
    "at the mean": with_averages(nodes=at_the_mean),
    "no √2": with_averages(nodes=no_root_two),
    "no √π": with_averages(nodes=no_root_pi),
    "std for variance": with_averages(nodes=std_for_variance),
    "variance squared": with_averages(nodes=variance_squared),
    "three nodes": with_averages(nodes=three_nodes),
    "simulated": simulated,
    "curvature's sign": targets(lambda a, b, y, m, v: (b, a + b * m)),
    "τ right, ν with the curvature": targets(lambda a, b, y, m, v: (-b, a + b * m)),
    "ν is the slope": targets(lambda a, b, y, m, v: (-b, a)),
    "ν is τ mean": targets(lambda a, b, y, m, v: (-b, -b * m)),
    "ν is τ y": targets(lambda a, b, y, m, v: (-b, -b * y)),
    "slope subtracted": targets(lambda a, b, y, m, v: (-b, -a - b * m)),
    "a mean instead of ν": targets(lambda a, b, y, m, v: (-b, m - a / b)),
    "variance added to τ": targets(lambda a, b, y, m, v: (-b + 1 / v, a - b * m + m / v)),
    "no damping": mixing(lambda new, old, step: new),
    "damping turned round": mixing(lambda new, old, step: step * old + (1 - step) * new),
    "added": mixing(lambda new, old, step: old + step * new),
    "ν not damped": undamped_nu,
    "τ not damped": undamped_tau,
    "mixed τ in ν": with_mixed_tau,
    "old τ in ν": with_old_tau,
}

RULE_MISTAKES = {
    "e/(1 + e)²": (with_averages(derivatives=naive), "How large is e to the 1000th"),
    "e/(1 + e)": (with_averages(derivatives=naive_slope), "How large is e to the 1000th"),
    "exchanged": (lambda *given: right_answer(*given)[::-1], "Which comes first, τ or ν?"),
    "summed": (lambda *given: tuple(map(np.sum, right_answer(*given))), "is needed"),
}


def in_loops(y, mean, variance, tau, nu, step):
    taus, nus = [], []
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    for k in range(len(y)):
        slope = curvature = 0.0
        for x, w in zip(nodes, weights, strict=True):
            p = 1 / (1 + np.exp(-y[k] * (mean[k] + np.sqrt(variance[k]) * x)))
            slope += w * y[k] * (1 - p)
            curvature -= w * p * (1 - p)
        taus.append(tau[k] + step * (-curvature - tau[k]))
        nus.append(nu[k] + step * (slope - curvature * mean[k] - nu[k]))
    return taus, nus


def on_a_grid(y, mean, variance, tau, nu, step):
    x = np.linspace(-12, 12, 4001)
    weights = np.exp(-0.5 * x**2) / np.exp(-0.5 * x**2).sum()
    return with_averages(nodes=lambda m, v: (m[:, None] + np.sqrt(v)[:, None] * x, weights))(
        y, mean, variance, tau, nu, step
    )


def by_steins_lemma(y, mean, variance, tau, nu, step):
    """The curvature from the slope: E[∂²] = E[∂ (g − mean)]/variance, where there is a variance."""
    g, weights = hermite_nodes(mean, np.maximum(variance, 1e-300), 140)
    slopes, curvatures = logit(y[:, None], g)
    with np.errstate(invalid="ignore", divide="ignore"):
        curvature = (slopes * (g - mean[:, None])) @ weights / variance
    curvature = np.where(variance > 0, curvature, curvatures[:, 0])
    return mixed(-curvature, slopes @ weights - curvature * mean, tau, nu, step)


def with_tanh(y, mean, variance, tau, nu, step):
    def derivatives(y, g):
        return y * 0.5 * (1 - np.tanh(0.5 * y * g)), -0.25 / np.cosh(0.5 * g) ** 2

    return with_averages(derivatives=derivatives)(y, mean, variance, tau, nu, step)


RIGHT = {
    "Gauss–Hermite": right_answer,
    "loops, lists": in_loops,
    "a grid": on_a_grid,
    "Stein's lemma": by_steins_lemma,
    "tanh": with_tanh,
}
